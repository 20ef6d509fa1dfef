"""Weighted clustering: equal to the oracle, to networkx and igraph, and with equal weights to the plain coefficient."""

from __future__ import annotations

import warnings

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_clustering
import triadic
from strategies import examples, networks, weighted_graph, weighted_networks
from triadic import Graph
from triadic.devices.runtimes import registry as gpus
from triadic.errors import ArgumentError, TriadicError
from triadic.graph.graph import entry_weights

METHODS = ["onnela", "barrat", "zhang-horvath"]
THREADS = [1, 2, 16]
CLOSE = {"rtol": 1e-11, "atol": 1e-13}


def theirs(vertices, weight, kind=nx.Graph):
    network = kind()
    network.add_nodes_from(range(vertices))
    network.add_weighted_edges_from((u, v, w) for (u, v), w in weight.items())
    return network


def onnela(graph, **keywords):
    """Return what networkx calls the clustering of a graph with weights."""
    if graph.directed:
        return triadic.directed_clustering(graph, weights=True, **keywords)
    return triadic.weighted_clustering(graph, **keywords)


def largest_of(weight):
    return max(weight.values(), default=1) or 1


# Equal to others


@examples(20)
@given(weighted=weighted_networks(), method=st.sampled_from(METHODS), threads=st.sampled_from(THREADS))
def test_every_method_equals_the_oracle(weighted, method, threads):
    n, weight = weighted
    expected = naive_clustering.weighted_clustering(n, weight, method, largest=largest_of(weight))
    found = triadic.weighted_clustering(weighted_graph(n, weight), method=method, threads=threads)
    np.testing.assert_allclose(found, expected, **CLOSE)


@given(weighted=weighted_networks(directed=True), threads=st.sampled_from(THREADS))
@examples(25)
def test_a_digraph_equals_the_oracle(weighted, threads):
    n, weight = weighted
    expected = naive_clustering.directed_weighted_clustering(n, weight, largest=largest_of(weight))
    found = triadic.directed_clustering(weighted_graph(n, weight, directed=True), weights=True, threads=threads)
    np.testing.assert_allclose(found, expected, **CLOSE)


@given(weighted=weighted_networks(directed=True), method=st.sampled_from(METHODS))
@examples(25)
def test_directions_are_ignored_and_weights_both_ways_become_one(weighted, method):
    digraph = weighted_graph(*weighted, directed=True)
    try:
        skeleton = digraph.to_undirected()
    except ArgumentError:  # most arcs both ways agree, but not all: the user has to decide
        with pytest.raises(ArgumentError, match="combine="):
            triadic.weighted_clustering(digraph, method=method)
        return
    found = triadic.weighted_clustering(digraph, method=method)
    np.testing.assert_array_equal(found, triadic.weighted_clustering(skeleton, method=method))


@pytest.mark.parametrize("method", METHODS)
def test_other_columns_of_an_arc_and_its_reverse_may_differ(method):
    ends, weights = ([0, 1, 1, 2, 0], [1, 0, 2, 0, 3]), [1.0, 1.0, 3.0, 4.0, 2.0]
    plain = Graph.from_edges(*ends, weights=weights, directed=True)
    kinds = Graph.from_edges(*ends, weights=weights, directed=True, columns={"kind": np.array(list("abcde"), object)})
    found = (triadic.weighted_clustering(graph, method=method).tolist() for graph in (plain, kinds))
    assert next(found) == next(found)


@pytest.mark.parametrize("method", METHODS)
def test_weights_both_ways_that_agree_but_for_rounding_count_once_in_tiles_too(tmp_path, method):
    source, target = np.triu_indices(30, 1)
    weights = np.random.default_rng(4).uniform(0.1, 1, len(source))
    ends, both = (np.concatenate(pair) for pair in ((source, target), (target, source)))
    digraph = Graph.from_edges(ends, both, weights=np.concatenate([weights, weights * (1 + 1e-10)]), directed=True)
    found = triadic.weighted_clustering(digraph, method=method)
    once = Graph.from_edges(source, target, weights=weights)
    np.testing.assert_allclose(found, triadic.weighted_clustering(once, method=method), rtol=1e-9)
    table = digraph.to_arrow()
    tiled = triadic.tile(table, tmp_path / "tiles", weights="weight", directed=True, ranges=3)
    np.testing.assert_allclose(triadic.weighted_clustering(tiled, method=method), found, rtol=1e-12)


def test_tiles_with_directions_say_that_weights_both_ways_are_added(tmp_path):
    table = Graph.from_edges([0, 1, 1, 2, 0], [1, 0, 2, 1, 2], weights=[1, 4, 2, 7, 3], directed=True).to_arrow()
    tiled = triadic.tile(table, tmp_path / "tiles", weights="weight", directed=True)
    with pytest.warns(UserWarning, match="^weights of 2 edges given from both ends are added$") as warned:
        triadic.weighted_clustering(tiled)
    assert [warning.filename for warning in warned] == [__file__]


@given(weighted=st.booleans().flatmap(lambda directed: st.tuples(st.just(directed), weighted_networks(directed, -12))))
@examples(25)
def test_onnela_equals_networkx_also_with_negative_weights(weighted):
    directed, (n, weight) = weighted
    if max(weight.values(), default=1) == 0:
        return  # networkx divides by it
    expected = list(nx.clustering(theirs(n, weight, nx.DiGraph if directed else nx.Graph), weight="weight").values())
    found = onnela(weighted_graph(n, weight, directed=directed))
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)


@given(weighted=weighted_networks())
@examples(25)
def test_barrat_equals_igraph(weighted):
    igraph = pytest.importorskip("igraph")
    n, weight = weighted
    network = igraph.Graph(n, list(weight))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = network.transitivity_local_undirected(weights=list(weight.values()), mode="zero")
    expected = np.nan_to_num(expected)  # where all weights at a vertex are 0
    found = triadic.weighted_clustering(weighted_graph(n, weight), method="barrat")
    np.testing.assert_allclose(found, expected, **CLOSE)


@pytest.mark.parametrize("directed", [False, True])
def test_a_real_network_has_the_results_of_networkx(real_networks, directed):
    read = triadic.read(real_networks / "celegansneural.gml.gz", directed=True)
    source, target = read.edges()
    weights = np.random.default_rng(3).integers(1, 70, len(source)).astype(float)
    graph = Graph.from_edges(source, target, weights=weights, directed=directed)
    row = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    arcs = zip(row.tolist(), graph.indices.tolist(), graph.weights.tolist(), strict=True)
    network = (nx.DiGraph if directed else nx.Graph)()
    network.add_weighted_edges_from(arcs)
    expected = nx.clustering(network, weight="weight")
    found = onnela(graph)
    np.testing.assert_allclose([found[v] for v in expected], list(expected.values()), rtol=1e-11)


# What follows from the formulas


@given(
    network=networks(directed=False),
    method=st.sampled_from(METHODS),
    weight=st.sampled_from([1, 3, 0.1, 1e-200, 1e200]),
)
def test_equal_weights_give_the_plain_coefficient(network, method, weight):
    n, edges = network.vertices, naive.edges(network.arcs)
    graph = weighted_graph(n, dict.fromkeys(edges, weight))
    np.testing.assert_allclose(triadic.weighted_clustering(graph, method=method), triadic.clustering(graph), rtol=1e-12)


@given(network=networks(directed=True))
@examples(25)
def test_equal_weights_give_the_directed_coefficient(network):
    arcs = naive.simple(network.arcs, directed=True).arcs
    graph = weighted_graph(network.vertices, dict.fromkeys(arcs, 7), directed=True)
    found = triadic.directed_clustering(graph, weights=True)
    np.testing.assert_allclose(found, triadic.directed_clustering(graph), rtol=1e-12)


def test_an_undirected_edge_counts_as_two_arcs_with_its_weight():
    graph = weighted_graph(4, {(0, 1): 1, (0, 2): 8, (1, 2): 1, (2, 3): 4})
    np.testing.assert_allclose(triadic.directed_clustering(graph, weights=True), triadic.weighted_clustering(graph))


@given(weighted=weighted_networks(), method=st.sampled_from(METHODS), factor=st.sampled_from([1e-150, 0.3, 1e150]))
@examples(25)
def test_scaling_all_weights_changes_nothing(weighted, method, factor):
    n, weight = weighted
    once = triadic.weighted_clustering(weighted_graph(n, weight), method=method)
    again = triadic.weighted_clustering(
        weighted_graph(n, {edge: factor * w for edge, w in weight.items()}), method=method
    )
    np.testing.assert_allclose(again, once, rtol=1e-12)
    assert np.all((once >= 0) & (once <= 1 + 1e-12))


def test_an_edge_of_weight_0_counts_in_the_degree():
    triangle = {(0, 1): 1, (0, 2): 1, (1, 2): 1}
    for more, expected in (({}, 1), ({(0, 3): 0}, 1 / 3)):
        graph = weighted_graph(4, triangle | more)
        assert triadic.weighted_clustering(graph)[0] == pytest.approx(expected)
        assert triadic.weighted_clustering(graph, method="barrat")[0] == pytest.approx(2 / 2 / (len(more) + 1))
        assert triadic.weighted_clustering(graph, method="zhang-horvath")[0] == 1


def test_the_largest_weight_can_be_given():
    """As networkx needs it, to which the weight of a loop is a weight too."""
    weight = {(0, 1): 2, (0, 2): 3, (1, 2): 4, (2, 3): 1}
    network = theirs(4, weight)
    network.add_edge(0, 0, weight=10)
    expected = list(nx.clustering(network, weight="weight").values())
    graph = weighted_graph(4, weight)
    np.testing.assert_allclose(triadic.weighted_clustering(graph, largest=10), expected, rtol=1e-12)
    zhang_horvath = [triadic.weighted_clustering(graph, method="zhang-horvath", largest=x) for x in (4, 10)]
    np.testing.assert_allclose(zhang_horvath[0], 2.5 * zhang_horvath[1], rtol=1e-12)
    barrat = [triadic.weighted_clustering(graph, method="barrat", largest=x) for x in (None, 10)]
    np.testing.assert_array_equal(*barrat)


# Threads and devices


@pytest.fixture(scope="module", params=[False, True])
def crowd(request):
    """A weighted R-MAT network, undirected or directed."""
    source, target = triadic.generate.rmat(11, seed=3, directed=request.param).edges()
    weights = np.random.default_rng(3).lognormal(0, 3, len(source))
    return Graph.from_edges(source, target, weights=weights, directed=request.param)


def coefficients(graph, **keywords):
    """Yield the coefficients of each definition that counts the arcs of a graph as they are."""
    if graph.directed:
        yield triadic.directed_clustering(graph, weights=True, **keywords)
    for method in () if graph.directed else METHODS:
        yield triadic.weighted_clustering(graph, method=method, **keywords)


@pytest.mark.parametrize("threads", [2, 3, 5, 16])
def test_every_number_of_threads_returns_the_same_bits(crowd, threads):
    for found, expected in zip(coefficients(crowd, threads=threads), coefficients(crowd, threads=1), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_a_gpu_returns_the_result_of_the_cpu(gpu_device, crowd):
    before = gpus.runtime(gpu_device).launches
    for found, expected in zip(coefficients(crowd, device=gpu_device), coefficients(crowd), strict=True):
        assert gpus.runtime(gpu_device).launches > before
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        before = gpus.runtime(gpu_device).launches


def test_progress_rises_from_zero_to_the_total(crowd):
    told = []
    for _ in coefficients(crowd, progress=lambda *now: told.append(now)):
        assert (told[0][0], told[-1][0]) == (0, told[-1][1])
        told.clear()


def test_weights_are_sorted_once_and_freed_with_the_graph(crowd):
    kept = entry_weights(crowd, threads=2)
    assert entry_weights(crowd, threads=1) is kept
    assert len(crowd.weights) == crowd.num_arcs  # makes the rows, from which the entries can be made again
    crowd.release()
    again = entry_weights(crowd, threads=1)
    assert again is not kept
    np.testing.assert_array_equal(again.out, kept.out)
    assert not again.out.flags.writeable


# Bad input


def test_a_graph_without_weights_is_an_error():
    with pytest.raises(ArgumentError, match="graph: has no weights; expected a graph that was made with weights"):
        triadic.weighted_clustering(Graph.from_edges([0], [1]))


def test_an_unknown_method_is_named():
    graph = weighted_graph(2, {(0, 1): 1})
    with pytest.raises(ArgumentError, match="method='holme': expected one of 'onnela', 'barrat', 'zhang-horvath'"):
        triadic.weighted_clustering(graph, method="holme")


def test_what_the_directed_coefficient_does_not_take_is_named():
    graph = weighted_graph(2, {(0, 1): 1}, directed=True)
    for given_words, message in (
        ({"weights": "hours"}, "weights='hours': expected True or False for a Graph"),
        ({"largest": 3}, "largest=3: expected weights=True"),
        ({"weights": True, "largest": 0}, "largest=0: expected a finite number other than 0"),
        ({"weights": True, "parts": True}, "parts=True: the four patterns are those of 'fagiolo' without weights"),
    ):
        with pytest.raises(TriadicError, match=message):
            triadic.directed_clustering(graph, **given_words)
    with pytest.raises(ArgumentError, match="graph: has no weights"):
        triadic.directed_clustering(Graph.from_edges([0], [1], directed=True), weights=True)


def test_the_weights_of_a_graph_of_another_library_go_by_their_name():
    digraph = nx.DiGraph()
    digraph.add_weighted_edges_from([(0, 1, 1), (1, 2, 8), (0, 2, 1), (2, 0, 4)], weight="hours")
    found = triadic.directed_clustering(digraph, weights="hours")
    np.testing.assert_allclose(found, list(nx.clustering(digraph, weight="hours").values()))


@pytest.mark.parametrize("method", METHODS[1:])
def test_weights_below_0_have_one_method(method):
    graph = weighted_graph(3, {(0, 1): 1, (1, 2): -0.5})
    with pytest.raises(ArgumentError, match=rf"method='{method}': expected weights of at least 0, got -0\.5"):
        triadic.weighted_clustering(graph, method=method)


@pytest.mark.parametrize("largest", [0, np.nan, np.inf, "7"])
def test_an_invalid_largest_weight_is_named(largest):
    graph = weighted_graph(3, {(0, 1): 1, (1, 2): 2, (0, 2): 3})
    with pytest.raises(ArgumentError, match=r"largest=.*: expected a finite number other than 0"):
        triadic.weighted_clustering(graph, largest=largest)


def test_weights_that_cannot_be_divided_are_an_error():
    with pytest.raises(ArgumentError, match="the largest is 0 and others are negative"):
        triadic.weighted_clustering(weighted_graph(3, {(0, 1): 0, (1, 2): -1}))
    with pytest.raises(ArgumentError, match="after division by 1e-300, some exceed the range of float64"):
        triadic.weighted_clustering(weighted_graph(3, {(0, 1): 1e-300, (1, 2): -1e300}))


@pytest.mark.parametrize("method", METHODS)
def test_a_network_without_weighted_triangles_has_results(method):
    for n, weight in ((0, {}), (3, {}), (3, {(0, 1): 0, (1, 2): 0, (0, 2): 0})):
        assert triadic.weighted_clustering(weighted_graph(n, weight), method=method).tolist() == [0.0] * n
