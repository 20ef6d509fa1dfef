"""Random triads and subgraphs: all of the asked types have the same probability."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from scipy.stats import chisquare

import triadic
from triadic import Graph
from triadic.errors import ArgumentError

SHAPE_OF_DEGREES = {
    (1, 1, 2): "2-path", (2, 2, 2): "triangle",
    (1, 1, 2, 2): "3-path", (1, 1, 1, 3): "claw", (1, 2, 2, 3): "paw", (2, 2, 2, 2): "4-cycle",
    (2, 2, 3, 3): "diamond", (3, 3, 3, 3): "4-clique",
}  # fmt: skip


@pytest.fixture(scope="module")
def directed():
    return Graph(nx.gnp_random_graph(13, 0.2, directed=True, seed=5))


@pytest.fixture(scope="module")
def undirected():
    return Graph(nx.gnp_random_graph(12, 0.4, seed=2))


def assert_uniform(found, members):
    counts = Counter(map(tuple, found.tolist()))
    assert set(counts) <= set(members)
    if len(members) > 1:
        assert chisquare([counts[member] for member in members]).pvalue > 1e-4


@pytest.mark.parametrize(
    "types",
    [["030T"], ["021D", "030T"], ["003", "012", "102"], list(triadic.TRIAD_NAMES), ["021C", "012"], ["111U", "201"]],
    ids=str,
)
def test_triads_of_the_types_have_the_same_probability(directed, types):
    members = [triad for name in types for triad in triadic.list_triads(directed, name)]
    assert_uniform(triadic.sample(directed, types, samples=150 * len(members), seed=3), members)


@pytest.mark.parametrize(
    "shapes",
    [3, 4, "claw", "triangle", ["4-cycle", "4-clique"], "diamond", ["paw", "3-path"], ["claw", "4-clique"]],
    ids=str,
)
def test_subgraphs_of_the_shapes_have_the_same_probability(undirected, shapes):
    graph = undirected.to_networkx()
    names = {shapes} if isinstance(shapes, str) else shapes
    if isinstance(shapes, int):
        names = set(SHAPE_OF_DEGREES.values())
    size = 3 if shapes in (3, "triangle") else 4
    members = [
        chosen
        for chosen in combinations(range(12), size)
        if nx.is_connected(part := graph.subgraph(chosen))
        and SHAPE_OF_DEGREES[tuple(sorted(degree for _, degree in part.degree()))] in names
    ]
    of = {"of": "graphlets", "size": shapes} if isinstance(shapes, int) else {"of": shapes}
    assert_uniform(triadic.sample(undirected, **of, samples=150 * len(members), seed=3), members)


def test_any_number_of_threads_draws_the_same(directed, undirected):
    for threads in (1, 4):
        np.testing.assert_array_equal(
            triadic.sample(directed, ["030T", "012"], samples=500, seed=1, threads=threads),
            triadic.sample(directed, ["030T", "012"], samples=500, seed=1),
        )
        np.testing.assert_array_equal(
            triadic.sample(undirected, "graphlets", size=4, samples=500, seed=1, threads=threads),
            triadic.sample(undirected, "graphlets", size=4, samples=500, seed=1),
        )


def test_rare_triads_are_drawn_from_their_list(monkeypatch):
    graph = triadic.generate.watts_strogatz(500, 6, 0.05, seed=1)
    arcs = [(u, v) if u < v else (v, u) for u, v in zip(*(end.tolist() for end in graph.edges()), strict=True)]
    cycle = next(iter(triadic.list_triangles(graph)))
    arcs = [arc for arc in arcs if set(arc) - set(cycle)]
    source, target = zip(*arcs, *((cycle[i], cycle[i - 1]) for i in range(3)), strict=True)
    directed = Graph.from_edges(source, target, directed=True)
    monkeypatch.setattr("triadic.measures.estimates.subgraph_samples.FIRST_DRAWS", 16)
    found = triadic.sample(directed, "030C", samples=20, seed=1)
    assert {tuple(row) for row in found.tolist()} <= set(triadic.list_triads(directed, "030C"))


def test_no_samples_have_the_shape_of_samples(undirected):
    assert triadic.sample(undirected, "300", samples=0).shape == (0, 3)
    assert triadic.sample(undirected, "graphlets", size=4, samples=0).shape == (0, 4)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: triadic.sample(g, "030C", samples=5), "of: the graph has no 030C"),
        (
            lambda g: triadic.sample(g, "300X", samples=5),
            "of: got '300X', expected 'graphlets', or one or several of 003",
        ),
        (lambda g: triadic.sample(g, [], samples=5), "of: got none"),
        (lambda g: triadic.sample(g, "300", samples=-1), "samples=-1: expected a whole number"),
        (lambda g: triadic.sample(g, "graphlets", size=5), "size=5: expected 3 or 4"),
        (
            lambda g: triadic.sample(g, ["triangle", "paw"], samples=5),
            "of: expected types of triads, or subgraphs of one size",
        ),
        (lambda g: triadic.sample(g, "house", samples=5), "of: got 'house'"),
    ],
)
def test_wrong_arguments_are_named(undirected, call, message):
    with pytest.raises(ArgumentError, match=message):
        call(undirected)


def test_a_shape_that_does_not_occur_is_an_error_after_the_most_draws():
    graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
    with pytest.raises(ArgumentError, match="draws met 0 subgraphs of the kinds 4-clique, which are too rare"):
        triadic.sample(graph, "4-clique", samples=5, max_draws=1000)


@pytest.mark.parametrize(
    ("graph", "types"),
    [
        (nx.complete_graph(30), ["003", "102", "201"]),
        (nx.DiGraph([(0, leaf) for leaf in range(1, 30)]), ["012"]),  # each edge touches each other vertex
        (nx.path_graph(2), ["003", "012"]),
    ],
)
def test_types_that_do_not_occur_are_an_error_without_all_draws(graph, types, monkeypatch):
    monkeypatch.setattr("triadic.measures.estimates.subgraph_samples.FIRST_DRAWS", 16)
    with pytest.raises(ArgumentError, match=f"of: the graph has no {' and no '.join(types)}"):
        triadic.sample(Graph(graph), types, samples=5, seed=1, max_draws=1 << 40)


@pytest.mark.parametrize("shapes", [["claw"], ["4-cycle", "diamond"], ["claw", "3-path"]])
def test_shapes_that_do_not_occur_are_an_error_without_all_draws(shapes, monkeypatch):
    monkeypatch.setattr("triadic.measures.estimates.subgraph_samples.FIRST_DRAWS", 16)
    with pytest.raises(ArgumentError, match=f"of: the graph has no {' and no '.join(shapes)}"):
        triadic.sample(nx.complete_graph(30), shapes, samples=5, seed=1, max_draws=1 << 40)


def test_triads_that_are_met_late_are_drawn(monkeypatch):
    monkeypatch.setattr("triadic.measures.estimates.subgraph_samples.FIRST_DRAWS", 1)
    monkeypatch.setattr("triadic.measures.estimates.subgraph_samples._BATCH", 64)
    graph = nx.complete_graph(60)
    graph.remove_edges_from([(0, 1), (0, 2)])
    assert triadic.sample(graph, ["102", "003"], samples=1, seed=1).tolist() == [[0, 1, 2]]
