"""Similarity of vertices by their orbits: equal to the formula, symmetric, and the same for any number of threads."""

from __future__ import annotations

import pickle
from itertools import combinations
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_orbits
import triadic
from strategies import examples, networks
from triadic import Graph, generate, graphlet_degree_similarity, graphlets
from triadic.core import memory
from triadic.core.graphlets import EDGES_OF_GRAPHLETS, ORBIT_DEPENDENCIES, ORBITS_OF_GRAPHLETS
from triadic.errors import ArgumentError, OutOfMemoryError, UnsupportedError
from triadic.measures.graphlets import similarity

FEW = examples(25)


def naive(first, second, weights):
    """The similarities by the formula, one pair and orbit after another."""
    found = np.empty((len(first), len(second)))
    for u, one in enumerate(first.tolist()):
        for v, other in enumerate(second.tolist()):
            distance = sum(
                w * abs(log(x + 1) - log(y + 1)) / log(max(x, y) + 2)
                for w, x, y in zip(weights, one, other, strict=True)
            )
            found[u, v] = 1 - distance / sum(weights)
    return found


def published_weights(orbits):
    return [1 - log(o) / log(orbits) for o in ORBIT_DEPENDENCIES[:orbits]]


@FEW
@given(network=networks(), other=networks(), size=st.sampled_from([4, 5]), threads=st.sampled_from([1, 2, 3]))
def test_the_similarity_is_that_of_the_formula(network, other, size, threads):
    a, b = network.graph(), other.graph()
    first, second = (graphlets(graph, size=size, by="vertex") for graph in (a, b))
    weights = published_weights(first.shape[1])
    found = graphlet_degree_similarity(a, b, size=size, threads=threads)
    assert (found.dtype, found.shape) == (np.float64, (len(first), len(second)))
    np.testing.assert_allclose(found, naive(first, second, weights), rtol=0, atol=1e-12)
    assert (found >= 0).all()
    assert (found <= 1).all()
    within = graphlet_degree_similarity(a, size=size, threads=threads)
    np.testing.assert_array_equal(within, graphlet_degree_similarity(a, a, size=size, threads=1))
    np.testing.assert_array_equal(within, within.T)
    assert (within.diagonal() == 1).all()


def touched(edges, vertices, vertex):
    """The orbits that a vertex touches within a graphlet, by enumeration."""
    pairs = [tuple(map(int, pair)) for pair in edges.split()]
    return set(np.flatnonzero(naive_orbits.orbits(vertices, pairs)[vertex]).tolist())


def test_the_published_dependencies_are_those_of_the_graphlets_or_in_nine_orbits_one_less():
    derived = {}
    for edges, orbits in zip(EDGES_OF_GRAPHLETS, ORBITS_OF_GRAPHLETS, strict=True):
        for vertex, orbit in enumerate(orbits):
            found = touched(edges, len(orbits), vertex)
            assert derived.setdefault(orbit, found) == found
    less = {orbit: len(derived[orbit]) - published for orbit, published in enumerate(ORBIT_DEPENDENCIES)}
    assert less == dict.fromkeys(range(73), 0) | dict.fromkeys((24, 26, 31, 41, 48, 54, 59, 60, 64), 1)
    assert derived[24] == {0, 1, 4, 9, 24}  # a leaf of the bull ends the path to the other leaf, too


def test_equal_neighbourhoods_have_similarity_1_and_a_leaf_and_a_hub_do_not():
    star = Graph.from_edges([0] * 9, range(1, 10))
    found = graphlet_degree_similarity(star)
    assert (found[1:, 1:] == 1).all()
    assert (found[0, 1:] < 0.9).all()
    # Two isolated vertices touch no orbit.
    assert graphlet_degree_similarity(Graph.from_edges([], [], num_vertices=2)).tolist() == [[1, 1], [1, 1]]


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_any_number_of_threads_returns_the_same(monkeypatch, threads):
    monkeypatch.setattr("triadic.measures.graphlets.similarity._PAIRS", 1000)
    a, b = (
        graphlets(generate.rmat(9, seed=1), size=5, by="vertex"),
        graphlets(generate.rmat(8, seed=2), size=5, by="vertex"),
    )
    for pair in ((a, None), (a, b), (b, a)):
        one, many = (graphlet_degree_similarity(*pair, threads=number) for number in (1, threads))
        np.testing.assert_array_equal(one, many)
        first, second = (graphlet_degree_similarity(*pair, top=5, threads=number) for number in (1, threads))
        np.testing.assert_array_equal(first.indices, second.indices)
        np.testing.assert_array_equal(first.similarity, second.similarity)


@FEW
@given(network=networks(), other=networks(), data=st.data())
def test_the_top_are_the_first_of_all_similarities_in_falling_order(network, other, data):
    a, b = network.graph(), other.graph()
    choice = data.draw(st.sampled_from([None, b]))
    vertices = a.num_vertices - 1 if choice is None else b.num_vertices
    if vertices < 1:
        return
    top = data.draw(st.integers(1, vertices))
    whole = graphlet_degree_similarity(a, choice)
    if choice is None:
        np.fill_diagonal(whole, -1)
    order = np.argsort(-whole, axis=1, kind="stable")[:, :top]
    found = graphlet_degree_similarity(a, choice, top=top)
    np.testing.assert_array_equal(found.indices, order)
    np.testing.assert_array_equal(found.similarity, np.take_along_axis(whole, order, axis=1))


def test_the_most_similar_vertices_are_a_table_with_the_labels_of_both_networks():
    a = Graph.from_edges([0, 1], [1, 2], labels=["u", "v", "w"])
    b = Graph.from_edges([0, 1, 2], [1, 2, 3], labels=[10, 20, 30, 40])
    found = graphlet_degree_similarity(a, b, top=2)
    indices, values = found.indices, found.similarity
    table = found.to_polars()
    assert table.columns == ["vertex", "similar", "similarity"]
    assert table["vertex"].to_list() == ["u", "u", "v", "v", "w", "w"]
    assert table["similar"].to_list() == [10 * (place + 1) for place in indices.reshape(-1)]
    assert table["similarity"].to_list() == values.reshape(-1).tolist()
    assert repr(found).splitlines()[0] == "SimilarVertices of 3 vertices, the 2 most similar of each"
    assert repr(found).splitlines()[2].split()[:2] == ["u", "10"]
    assert list(pickle.loads(pickle.dumps(found)).to_polars()["vertex"]) == table["vertex"].to_list()
    # Orbits have no labels, and equal labels name no vertex.
    assert graphlet_degree_similarity(graphlets(a, size=5, by="vertex"), top=1).to_polars()["vertex"].to_list() == [
        0,
        1,
        2,
    ]
    same = Graph.from_edges([0, 1], [1, 2], labels=["u", "u", "w"])
    assert graphlet_degree_similarity(same, top=1).to_polars()["similar"].to_list() == [2, 0, 0]


def test_few_rows_of_a_large_table_are_shown():
    found = graphlet_degree_similarity(generate.erdos_renyi(1000, 3000, seed=1), top=20)
    lines = repr(found).splitlines()
    assert len(lines) == 2 + 8 + 1
    assert lines[-1] == "19,992 more rows"
    assert [line.split()[0] for line in lines[2:10]] == ["0"] * 8
    assert "19,992 more rows" in found._repr_html_()


def test_more_columns_than_a_tile_are_compared_tile_by_tile():
    graph = generate.watts_strogatz(3 * similarity._TILE + 5, 6, 0.5, seed=1)
    orbits = graphlets(graph, size=5, by="vertex")
    found = graphlet_degree_similarity(orbits)
    for u, v in combinations((0, 127, 128, 129, 255, 256, 388), 2):
        assert found[u, v] == found[v, u] == graphlet_degree_similarity(orbits[[u]], orbits[[v]])[0, 0]


def test_some_rows_are_compared_with_all_vertices():
    graph = generate.rmat(7, seed=3)
    orbits = graphlets(graph, size=5, by="vertex")
    whole = graphlet_degree_similarity(graph)
    np.testing.assert_array_equal(graphlet_degree_similarity(orbits[[3, 8]], graph), whole[[3, 8]])
    np.testing.assert_array_equal(graphlet_degree_similarity(graph, orbits[5:9]), whole[:, 5:9])


def test_a_transform_saves_counting_the_orbits_of_four_vertices():
    graph = generate.rmat(6, seed=3)
    found = graphlet_degree_similarity(triadic.graphlet_transform(graph), size=4)
    np.testing.assert_array_equal(found, graphlet_degree_similarity(graph, size=4))


def test_weights_choose_orbits():
    graph = generate.rmat(6, seed=4)
    degree = graph.degree
    only_degree = graphlet_degree_similarity(graph, size=4, weights=[5] + [0] * 14)
    np.testing.assert_allclose(only_degree, naive(degree[:, None], degree[:, None], [1]), rtol=0, atol=1e-12)
    same = graphlet_degree_similarity(graph, weights=[1e300 * w for w in published_weights(73)])
    np.testing.assert_allclose(same, graphlet_degree_similarity(graph), rtol=0, atol=1e-12)


def test_renamed_vertices_are_found_again():
    graph = generate.erdos_renyi(80, 240, seed=5)
    order = np.random.default_rng(1).permutation(80)
    source, target = graph.edges()
    renamed = Graph.from_edges(order[source], order[target], num_vertices=80)
    found = graphlet_degree_similarity(graph, renamed, top=1)
    assert (found.similarity == 1).all()
    assert (found.indices[:, 0] == order).mean() > 0.8  # others have a twin


def test_counts_of_almost_64_bits_are_compared():
    leaves = 121_977
    star = graphlets(Graph.from_edges(np.zeros(leaves, dtype=np.int64), np.arange(1, leaves + 1)), size=5, by="vertex")[
        [0, 1, 2]
    ]
    found = graphlet_degree_similarity(star)
    np.testing.assert_allclose(found, naive(star, star, published_weights(73)), rtol=0, atol=1e-12)


# Input


@pytest.mark.parametrize("n", [0, 1])
def test_networks_of_no_or_one_vertex(n):
    nobody, paw = Graph.from_edges([], [], num_vertices=n), Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    assert graphlet_degree_similarity(nobody).shape == (n, n)
    assert graphlet_degree_similarity(nobody, paw).shape == (n, 4)
    assert graphlet_degree_similarity(paw, nobody).shape == (4, n)
    assert graphlet_degree_similarity(nobody, paw, top=4).similarity.shape == (n, 4)


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"size": 2}, "size=2: expected 3, 4 or 5"),
        ({"top": 0}, "top=0: expected"),
        ({"top": 2.5}, "top=2.5: expected"),
        ({"top": 4}, "top=4: there are 3 other vertices in a; expected at most as many"),
        ({"weights": [1] * 15}, r"weights: expected 73 numbers, one for each orbit, got int64 of shape \(15,\)"),
        ({"weights": [1] * 72 + [-1]}, r"weights\[72\] = -1: expected finite numbers of at least 0"),
        ({"weights": [float("nan")] * 73}, r"weights\[0\] = nan"),
        ({"weights": [0] * 73}, "weights: all are 0"),
        ({"threads": 0}, "threads=0"),
        ({"device": "abacus"}, "abacus"),
        ({"progress": "bar"}, "progress='bar'"),
    ],
)
def test_an_invalid_option_is_an_error(keywords, words):
    paw = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    with pytest.raises(ArgumentError, match=f"^.*{words}"):
        graphlet_degree_similarity(paw, **keywords)


def test_more_than_all_vertices_of_the_other_network_are_an_error():
    with pytest.raises(ArgumentError, match=r"^top=3: there are 2 vertices in b; expected at most as many$"):
        graphlet_degree_similarity(generate.rmat(4, seed=1), Graph.from_edges([0], [1]), top=3)


def test_batches_are_refused_with_the_remedy():
    graph = generate.rmat(5, seed=1)
    with pytest.raises(UnsupportedError, match=r"^graphlet_degree_similarity does not take a GraphBatch: "):
        graphlet_degree_similarity(graph, triadic.GraphBatch.from_graphs([graph, graph]))


def test_too_little_memory_for_all_pairs_is_an_error_that_names_top(monkeypatch):
    orbits = graphlets(generate.rmat(9, seed=1), size=5, by="vertex")
    monkeypatch.setattr(memory, "available_bytes", lambda: 3_000_000)
    words = "^comparing 512 by 512 vertices takes about 3.4 MiB and .*: top=10 keeps the most similar vertices only$"
    with pytest.raises(OutOfMemoryError, match=words):
        graphlet_degree_similarity(orbits)
    assert graphlet_degree_similarity(orbits, top=10).indices.shape == (512, 10)


def test_progress_rises_to_its_total():
    seen = []
    orbits = graphlets(generate.rmat(8, seed=1), size=5, by="vertex")
    graphlet_degree_similarity(orbits, progress=lambda *of: seen.append(of))
    assert seen[-1][0] == seen[-1][1] > 0
