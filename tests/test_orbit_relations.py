"""The relations of orbits of five vertices hold on all small graphs: the script that proves them finds no failure."""

from __future__ import annotations

import runpy
from pathlib import Path

SCRIPT = runpy.run_path(str(Path(__file__).parents[1] / "tools" / "orbit_relations.py"))


def test_every_relation_and_the_matrix_of_the_transform_hold_on_small_graphs():
    assert SCRIPT["failures"](largest=6, random=16) == {}


def test_a_wrong_relation_is_found():
    adjacency = next(graph for graph in SCRIPT["graphs"](5, 0) if len(graph) == 5)
    found = SCRIPT["raw_by_relations"](adjacency)
    expected = SCRIPT["net_by_enumeration"](adjacency) @ SCRIPT["raw_from_net"]().T
    assert (found[:, 15:] == expected[:, 15:]).all()
    found[0, 15] += 1
    assert (found[:, 15:] != expected[:, 15:]).any()
