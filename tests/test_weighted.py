"""Weights of repeated edges are combined by a rule, and an edge in both directions counts once."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import partial

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.core import blocks
from triadic.core.arcs import Arcs, Dropped
from triadic.devices.cpu.orient import row_sort
from triadic.devices.cpu.orient.rows import slots_of_edges
from triadic.errors import ArgumentError
from triadic.graph.graph import entry_weights

RULES = [None, "sum", "max", "min", "mean", "first", "error"]


def weights_of(graph):
    """Return the weight of each arc, or of each undirected edge u < v; check that both directions agree."""
    row = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    found = dict(zip(zip(row.tolist(), graph.indices.tolist(), strict=True), graph.weights.tolist(), strict=True))
    if graph.directed:
        return found
    assert all(found[v, u] == weight for (u, v), weight in found.items())
    return {(u, v): weight for (u, v), weight in found.items() if u < v}


def arcs_of(network, weights, *, both_ends=False):
    return Arcs(
        network.source.astype(np.int32),
        network.target.astype(np.int32),
        network.vertices,
        network.directed,
        weights,
        both_ends=both_ends,
    )


@st.composite
def weighted_networks(draw, directed=None):
    network = draw(networks(directed=directed))
    # Multiples of 1/8 add up exactly in any order. With few values, both directions of an edge often agree.
    count = len(network.arcs)
    eighths = draw(st.lists(st.integers(-3, 3), min_size=count, max_size=count))
    rounding = draw(st.sampled_from([0, 1e-10, 1e-15])) * (np.arange(count) % 3)
    return network, np.array(eighths, dtype=np.float64) / 8 * (1 + rounding)


@examples(20)
@given(weighted=weighted_networks(), combine=st.sampled_from(RULES))
def test_weights_of_repeated_edges_are_combined_by_the_rule(weighted, combine):
    network, weights = weighted
    expected = naive.weighted(network.arcs, weights.tolist(), directed=network.directed, combine=combine)
    if expected is None:
        with pytest.raises(ArgumentError, match=r"are joined more than once|is given from both ends"):
            network.graph(weights=weights, combine=combine)
    else:
        assert weights_of(network.graph(weights=weights, combine=combine)) == expected


@examples(20)
@given(weighted=weighted_networks(directed=False), combine=st.sampled_from(RULES))
def test_an_edge_in_both_directions_counts_once(weighted, combine):
    network, weights = weighted
    arcs = arcs_of(network, weights, both_ends=True)
    expected = naive.weighted(network.arcs, weights.tolist(), directed=False, combine=combine, both_ends=True)
    if expected is None:
        with pytest.raises(ArgumentError, match=r"is given from both ends|are joined more than once"):
            Graph.from_arcs(arcs, combine=combine)
    else:
        assert weights_of(Graph.from_arcs(arcs, combine=combine)) == expected


@examples(20)
@given(weighted=weighted_networks(), combine=st.sampled_from(["sum", "first", "max"]), both_ends=st.booleans())
def test_weights_do_not_change_the_edges(weighted, combine, both_ends):
    network, weights = weighted
    both_ends = both_ends and not network.directed
    arcs = arcs_of(network, np.ones_like(weights) if both_ends and combine != "sum" else weights, both_ends=both_ends)
    if both_ends and combine == "sum":  # with the same number of arcs in both directions the sums agree
        arcs = arcs_of(network, np.zeros_like(weights), both_ends=True)
    graph, plain = Graph.from_arcs(arcs, combine=combine), Graph.from_arcs(replace(arcs, weights=None))
    np.testing.assert_array_equal(graph.indptr, plain.indptr)
    np.testing.assert_array_equal(graph.indices, plain.indices)
    assert graph.indices.dtype == plain.indices.dtype
    assert graph.dropped == plain.dropped
    assert (graph.num_arcs, graph.num_edges) == (plain.num_arcs, plain.num_edges)
    np.testing.assert_array_equal(triadic.triangles(graph), triadic.triangles(plain))


@examples(20)
@given(weighted=weighted_networks(directed=True))
def test_weights_survive_conversion_to_a_matrix_and_back(weighted):
    network, weights = weighted
    graph = network.graph(weights=weights)
    assert weights_of(Graph.from_scipy(graph.to_scipy(), directed=True, weights=True)) == weights_of(graph)
    skeleton = graph.to_undirected(combine="sum")  # without it, most but not all pairs of arcs may agree
    assert weights_of(Graph.from_scipy(skeleton.to_scipy(), weights=True)) == weights_of(skeleton)


def test_the_first_weight_is_the_weight_of_the_first_entry():
    graph = Graph.from_edges([2, 0, 0], [0, 2, 2], weights=[5, 6, 7], combine="first")
    assert graph.weights.tolist() == [5, 5]
    assert graph.dropped == Dropped(duplicates=1, reciprocal_merged=1)


def test_the_weight_of_a_loop_is_dropped_with_the_loop():
    graph = Graph.from_edges([0, 1, 1], [0, 1, 0], weights=[100, 200, 3])
    assert graph.weights.tolist() == [3, 3]
    assert graph.dropped == Dropped(loops=2)


def test_repeated_edges_that_are_refused_are_named_by_their_labels():
    with pytest.raises(ArgumentError, match='combine="error": vertex Rome and vertex Oslo are joined more than once'):
        Graph.from_edges([0, 0], [1, 1], weights=[1, 1], combine="error", labels=["Rome", "Oslo"])


def test_edges_with_two_weights_are_named_by_their_labels():
    arcs = Arcs(
        np.array([0, 1], np.int32),
        np.array([1, 0], np.int32),
        3,
        directed=False,
        weights=np.array([2.5, 4.0]),
        labels=np.array([70]),
        both_ends=True,
    )
    with pytest.raises(ArgumentError, match=r"between vertex 70 and vertex 1 is given from both ends .* 2\.5 and 4"):
        Graph.from_arcs(arcs)


def test_weights_of_no_edges_are_an_empty_array():
    graph = Graph.from_edges([], [], num_vertices=4, weights=[])
    assert graph.weights.tolist() == []
    assert graph.weights.dtype == np.float64
    assert graph.degree.tolist() == [0, 0, 0, 0]


def test_weights_may_be_integers_negative_or_zero():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=np.array([0, -4, 7], dtype=np.int16))
    assert graph.weights.tolist() == [0, 0, -4, -4, 7, 7]


def test_a_sum_beyond_float64_is_refused():
    with pytest.raises(ArgumentError, match="weights"):
        Graph.from_edges([0, 0], [1, 1], weights=[1.5e308, 1.5e308])


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("combine", ["sum", "first", "max"])
def test_many_weighted_arcs_are_combined_alike_on_any_number_of_threads(directed, combine, monkeypatch):
    monkeypatch.setattr(row_sort, "_BUCKET", 64)
    monkeypatch.setattr(blocks, "piece", lambda _: 500)
    random = np.random.default_rng(0)
    source, target = random.integers(0, 300, (2, 6000)).astype(np.int32)
    weights = random.normal(size=6000)  # sums depend on the order
    arcs = Arcs(source, target, 320, directed, weights)
    graphs = [Graph.from_arcs(arcs, combine=combine, threads=threads) for threads in (1, 2, 5)]
    found = weights_of(graphs[0])
    assert all(weights_of(graph) == found for graph in graphs[1:])
    expected = naive.weighted(
        list(zip(source.tolist(), target.tolist(), strict=True)), weights.tolist(), directed=directed, combine=combine
    )
    assert found == expected


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("combine", ["sum", "max"])
def test_the_order_of_arcs_changes_no_bit_of_sums_and_largest_weights(directed, combine):
    random = np.random.default_rng(1)
    source, target = random.integers(0, 20, (2, 3000))
    weights = np.where(random.random(3000) < 0.1, -0.0, random.normal(size=3000) * 10.0 ** random.integers(-9, 9, 3000))
    found = []
    for _ in range(3):
        order = random.permutation(3000)
        graph = Graph.from_edges(
            source[order], target[order], num_vertices=20, weights=weights[order], directed=directed, combine=combine
        )
        found.append(graph.weights.tobytes())
    assert found[1:] == found[:1] * 2


@examples(20)
@given(weighted=weighted_networks(directed=False))
def test_entries_have_the_weights_of_their_rows(weighted):
    network, weights = weighted
    made = network.graph(weights=weights, combine="sum")
    again = Graph.from_csr(made.indptr, made.indices, weights=made.weights, trusted=True)
    source, target = made.edges()
    weights = weights_of(made)
    expected = [weights[edge] for edge in zip(source.tolist(), target.tolist(), strict=True)]
    for graph in (made, again):
        at = slots_of_edges(graph.oriented(), source, target, threads=1)
        assert entry_weights(graph, threads=1).out[at].tolist() == expected


@pytest.mark.parametrize("directed", [False, True])
def test_a_weighted_graph_is_pickled_in_either_form(directed):
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], weights=[1, 2, 3], directed=directed)
    assert graph.is_weighted
    oriented = pickle.loads(pickle.dumps(graph))
    assert oriented.weights.tolist() == graph.weights.tolist()  # the rows are there from here on
    assert pickle.loads(pickle.dumps(graph)).weights.tolist() == graph.weights.tolist()


def test_the_wrong_arc_is_named_among_many():
    n = 5000
    source, target = np.arange(n), (np.arange(n) + 1) % n
    for directed in (False, True):
        with pytest.raises(ArgumentError, match="vertex 17 and vertex 4000 add up to more than"):
            Graph.from_edges(
                [*source, 17, 17], [*target, 4000, 4000], weights=[*np.ones(n), 1e308, 1e308], directed=directed
            )
    with pytest.raises(ArgumentError, match="vertex 4000 and vertex 17 are joined more than once"):
        Graph.from_edges(
            [*source, 4000, 4000], [*target, 17, 17], weights=np.ones(n + 2), directed=True, combine="error"
        )


BOTH_ENDS = np.array([0, 1, 1, 2, 3, 0]), np.array([1, 0, 2, 1, 0, 3])  # three edges, each from both its ends


def ways_to_undirected(source, target, weights, folder, **combine):
    """Return functions that make the undirected graph of arcs, each in another way."""
    table = pd.DataFrame({"source": source, "target": target, "weight": weights})
    networkx = nx.DiGraph()
    networkx.add_weighted_edges_from(zip(source.tolist(), target.tolist(), weights.tolist(), strict=True))
    matrix = scipy.sparse.coo_array((weights, (source, target)), shape=(4, 4))
    table.to_csv(folder / "arcs.csv", index=False)
    options = {"directed": False, "weights": True, **combine}
    batch_of = partial(triadic.GraphBatch.from_arrays, source, target, np.zeros(4, int), weights=weights)
    return [
        lambda: Graph.from_edges(source, target, weights=weights, **combine),
        lambda: Graph.from_edges(source, target, weights=weights, directed=True).to_undirected(**combine),
        lambda: Graph(table, **options),
        lambda: Graph(networkx, **options),
        lambda: Graph(matrix, **options),
        lambda: triadic.read(folder / "arcs.csv", **options),
        lambda: batch_of(**combine).graph,
        lambda: batch_of(directed=True).to_undirected(**combine).graph,
    ]


def test_weights_given_from_both_ends_count_once_in_whatever_a_network_comes(tmp_path):
    for make in ways_to_undirected(*BOTH_ENDS, np.array([900.0, 900, 800, 800, 150, 150]), tmp_path):
        graph = make()
        assert sorted(weights_of(graph).values()) == [150, 800, 900]
        assert graph.origin.weights == "weights of 3 edges given from both ends agree and count once"


def test_weights_that_differ_by_rounding_agree_and_their_mean_counts_once(tmp_path):
    nearly = np.nextafter(0.1, 1)
    weights = np.array([0.3, 0.1 + 0.2, -0.1, -nearly, 1e9, 1e9 + 0.5])
    for make in ways_to_undirected(*BOTH_ENDS, weights, tmp_path):
        graph = make()
        assert sorted(weights_of(graph).values()) == [-(0.1 + nearly) / 2, (0.3 + (0.1 + 0.2)) / 2, 1e9 + 0.25]
        assert graph.origin.weights == "weights of 3 edges given from both ends agree and count once"
    symmetric = scipy.sparse.coo_array((weights, BOTH_ENDS), shape=(4, 4)).tocsr()
    rows = Graph.from_csr(symmetric.indptr, symmetric.indices, weights=symmetric.data, directed=False)
    assert weights_of(rows) == weights_of(graph)
    for further in (1e9 + 2, np.nan_to_num(np.inf)):  # no rounding
        weights[5] = further
        with pytest.raises(ArgumentError, match="expected equal weights of all, or combine="):
            Graph.from_edges(*BOTH_ENDS, weights=weights)
        symmetric.data[np.argmax(symmetric.data)] = further
        with pytest.raises(ArgumentError, match=r"vertex 0 and vertex 3 .*: expected the same, or directed="):
            Graph.from_csr(symmetric.indptr, symmetric.indices, weights=symmetric.data, directed=False)


def test_the_error_shows_in_which_digit_two_weights_differ():
    with pytest.raises(ArgumentError, match=r"with weights 0\.3 and 0\.30000001, but 2 of 3"):
        Graph.from_edges(*BOTH_ENDS, weights=[0.3, 0.30000001, 2, 2, 5, 5])


def test_messages_both_ways_are_added_in_whatever_a_network_comes(tmp_path):
    for make in ways_to_undirected(*BOTH_ENDS, np.array([1.0, 2, 3, 4, 5, 5]), tmp_path):
        with pytest.warns(UserWarning, match="^weights of 3 edges given from both ends are added$") as warned:
            graph = make()
        assert [warning.filename for warning in warned] == [__file__]
        assert sorted(weights_of(graph).values()) == [3, 7, 10]
        assert graph.origin.weights == "weights of 3 edges given from both ends are added"
    # One message that has no answer: equal numbers of messages are no weights given twice.
    alone = Graph.from_edges([0, 1, 2], [1, 0, 1], weights=[4, 4, 4])
    assert sorted(weights_of(alone).values()) == [4, 8]


def test_weights_of_which_most_agree_are_an_error_that_names_the_rules(tmp_path):
    arcs = *BOTH_ENDS, np.array([900.0, 900, 800, 800, 150, 151]), tmp_path
    for make in ways_to_undirected(*arcs):
        with pytest.raises(ArgumentError, match=r"0 and vertex 3 .* 151 and 150, but 2 of 3 .*combine= .*'sum', 'max'"):
            make()
    for combine, least in {"sum": 301, "max": 151, "min": 150, "mean": 150.5}.items():
        for make in ways_to_undirected(*arcs, combine=combine):
            graph = make()
            assert min(graph.weights) == least
            done = f"weights of 3 edges given from both ends are combined by combine={combine!r}"
            assert graph.origin.weights == done


def test_repeats_in_one_direction_are_added_before_an_arc_is_compared_with_its_reverse():
    with pytest.warns(UserWarning, match="agree and count once; weights of 1 repeated arc are added"):
        graph = Graph.from_edges([0, 0, 1], [1, 1, 0], weights=[2, 3, 5])
    assert weights_of(graph) == {(0, 1): 5}
    assert graph.origin.weights == (
        "weights of 1 edge given from both ends agree and count once; weights of 1 repeated arc are added"
    )
    directed = Graph.from_edges([0, 0, 1], [1, 1, 0], weights=[2, 3, 5], directed=True)
    assert directed.origin.weights == "weights of 1 repeated arc are added"


def test_parallel_edges_of_an_undirected_library_are_added_whichever_end_comes_first():
    rustworkx = pytest.importorskip("rustworkx")
    parallel = rustworkx.PyGraph()
    parallel.add_nodes_from([0, 1])
    parallel.add_edges_from([(0, 1, 2.0), (1, 0, 2.0)])
    assert weights_of(Graph(parallel, weights=True)) == {(0, 1): 4}


def test_signs_of_which_most_agree_need_a_rule(real_networks):
    graph = triadic.read(real_networks / "soc-sign-Slashdot090221.txt.gz", weights=True)
    with pytest.raises(
        ArgumentError, match=r"given from both ends with weights -?1 and -?1, but .* have equal weights"
    ):
        graph.to_undirected()
    assert set(graph.to_undirected(combine="min").weights) == {-1, 1}
