"""The relations of edge orbits hold on all small graphs: the script that proves them finds no failure."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def script():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[1] / "tools")
        yield importlib.import_module("edge_orbit_relations")


def test_every_relation_the_order_and_the_matrix_of_the_transform_hold_on_small_graphs(script):
    assert script.failures(largest=6, random=16) == {}


def test_a_wrong_relation_is_found(script):
    adjacency = next(graph for graph in script.graphs(5, 0) if len(graph) == 5)
    found = script.edge_raw_by_relations(adjacency)
    expected = script.net_by_enumeration(adjacency) @ script.raw_from_net().T
    assert (found == expected).all()
    found[0, 1, 12] += 1
    assert (found != expected).any()


def test_the_matrix_is_unimodular(script):
    matrix = script.raw_from_net()
    for first, last in ((0, 2), (2, 12), (12, 68)):
        block = matrix[first:last, first:last]
        assert (block.diagonal() == 1).all()
        assert not block[script.np.tril_indices(last - first, -1)].any()
