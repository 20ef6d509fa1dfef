"""The mixing diagnostic: it distinguishes walks that are long enough from walks that are too short."""

from __future__ import annotations

import numpy as np
import pytest

import triadic
from triadic import Graph
from triadic.errors import ArgumentError
from triadic.null_models.mixing import mixing


@pytest.mark.parametrize("null", ["degrees", "mutual"])
def test_by_default_a_walk_is_long_enough(null):
    found = mixing(triadic.generate.rmat(9, seed=1, directed=True), null=null, seed=1)
    assert found.mixed
    assert found.at[9] == found.steps
    assert len(found.at) == len(found.changed) == 30
    assert 0.3 < found.taken < 1
    assert abs(found.autocorrelation[9]) < 0.02 < found.autocorrelation[0]


def test_a_short_walk_is_not_mixed():
    seen = []
    graph = triadic.generate.watts_strogatz(2000, 6, 0.0, seed=1)
    found = mixing(graph, steps=3000, seed=1, progress=lambda *done_and_total: seen.append(done_and_total))
    assert not found.mixed
    assert np.all(np.diff(found.changed) > 0)
    assert seen[-1] == (30, 30)


def test_a_graph_that_never_changes_is_not_mixed():
    found = mixing(Graph.from_edges([0, 0, 0], [1, 2, 3]), seed=1)
    assert (found.taken, found.mixed, found.changed.max(), found.autocorrelation.min()) == (0, False, 0, 1)


def test_models_without_walks_and_graphs_without_edges_raise():
    with pytest.raises(ArgumentError, match="expected a walk"):
        mixing(Graph.from_edges([0], [1]), null="gnm")
    with pytest.raises(ArgumentError, match="expected one with edges"):
        mixing(Graph.from_edges([], [], num_vertices=3))
