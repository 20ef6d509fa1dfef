"""G(n, m) and the configuration model."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2

import triadic
from triadic import Graph
from triadic.core.arcs import Dropped
from triadic.null_models.randomization import randomize
from triadic.null_models.switching import shuffle


def edges_of(graph):
    return frozenset(zip(*(end.tolist() for end in graph.edges()), strict=True))


@pytest.mark.parametrize("directed", [False, True])
def test_gnm_keeps_the_numbers_of_vertices_and_edges(directed):
    graph = triadic.generate.rmat(7, seed=1, directed=directed)
    for drawn in randomize(graph, null="gnm", samples=3, seed=1):
        assert (drawn.directed, drawn.num_vertices, drawn.num_arcs) == (directed, graph.num_vertices, graph.num_arcs)
        assert drawn.dropped == Dropped()


def test_all_graphs_of_gnm_are_equally_likely():
    graph = Graph.from_edges([0, 1], [1, 2], num_vertices=4)
    seen = Counter(edges_of(sample) for sample in randomize(graph, null="gnm", samples=600, seed=1))
    space = [frozenset(pair) for pair in combinations(combinations(range(4), 2), 2)]
    assert set(seen) == set(space)
    assert chi2.sf(sum((seen[edges] - 40) ** 2 / 40 for edges in space), 14) > 0.001


@pytest.mark.parametrize("directed", [False, True])
def test_the_configuration_model_erases_what_a_simple_graph_cannot_have(directed):
    graph = triadic.generate.rmat(8, seed=1, directed=directed)
    for drawn in randomize(graph, null="configuration", samples=3, seed=1):
        lost = drawn.dropped.loops + drawn.dropped.duplicates + drawn.dropped.reciprocal_merged
        edges = graph.num_arcs if directed else graph.num_edges
        assert (drawn.num_arcs if directed else drawn.num_edges) + lost == edges
        assert 0 < lost < 0.3 * edges
        if not directed:
            assert np.all(drawn.degree <= graph.degree)
        for old, new in zip(graph.edges(), drawn.edges(), strict=True) if directed else ():
            assert np.all(np.bincount(new, minlength=256) <= np.bincount(old, minlength=256))


def test_all_orders_of_a_shuffle_are_equally_likely():
    seen = Counter()
    for key in range(2400):
        values = np.arange(4, dtype=np.int32)
        shuffle(np.uint64(key * key + 1), values)
        seen[tuple(values.tolist())] += 1
    assert len(seen) == 24
    assert chi2.sf(sum((count - 100) ** 2 / 100 for count in seen.values()), 23) > 0.001
