"""A graph is simple, equal for all ways to make it, and immutable."""

from __future__ import annotations

import copy
import pickle

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from strategies import examples, networks
from triadic import Graph, triangles
from triadic.core.arcs import Arcs, Dropped
from triadic.errors import ArgumentError, TriadicError
from triadic.graph import makers


def rows_of(graph):
    """Return all arcs; an undirected edge is two arcs."""
    row = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    return list(zip(row.tolist(), graph.indices.tolist(), strict=True))


def same(one, other):
    assert (one.num_vertices, one.num_arcs, one.num_edges) == (other.num_vertices, other.num_arcs, other.num_edges)
    assert one.directed == other.directed
    for name in ("indptr", "indices", "degree", "weights", "labels"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    return True


# What goes in


@given(network=networks())
def test_rows_are_sorted_and_free_of_loops_and_repeats(network):
    graph = network.graph()
    expected = naive.simple(network.arcs, directed=network.directed)
    assert rows_of(graph) == expected.arcs
    assert graph.num_vertices == network.vertices
    assert graph.num_arcs == len(expected.arcs)
    assert graph.num_edges == len(naive.edges(network.arcs))
    assert graph.degree.tolist() == naive.degree(network.vertices, network.arcs)
    assert (graph.indptr.dtype, graph.indices.dtype, graph.degree.dtype) == (np.int64, np.int32, np.int64)


@given(network=networks())
def test_what_is_dropped_accounts_for_every_entry(network):
    graph = network.graph()
    expected = naive.simple(network.arcs, directed=network.directed)
    assert graph.dropped == Dropped(expected.loops, expected.duplicates, expected.reciprocal_merged)
    kept = graph.num_arcs if network.directed else graph.num_edges
    dropped = graph.dropped
    assert len(network.arcs) == kept + dropped.loops + dropped.duplicates + dropped.reciprocal_merged


@examples(20)
@given(network=networks(), ask=st.permutations(["degree", "num_edges", "indptr", "oriented"]))
def test_the_order_in_which_forms_are_used_does_not_matter(network, ask):
    graph = network.graph()
    for name in ask:
        getattr(graph, name)() if name == "oriented" else getattr(graph, name)
    assert same(graph, network.graph())


@examples(20)
@given(
    network=networks(), dtype=st.sampled_from([np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32, np.uint64])
)
def test_vertices_may_be_given_in_any_type_of_whole_number(network, dtype):
    graph = Graph.from_edges(
        network.source.astype(dtype),
        network.target.astype(dtype),
        num_vertices=network.vertices,
        directed=network.directed,
    )
    assert same(graph, network.graph())


def test_unsigned_end_vertices_are_accepted():
    for dtype in (np.uint8, np.uint32, np.uint64):
        assert Graph.from_edges(np.array([0, 1], dtype), np.array([1, 4], dtype)).num_vertices == 5


def test_the_number_of_vertices_is_the_largest_end_plus_one():
    assert Graph.from_edges([0, 3], [7, 2]).num_vertices == 8
    assert Graph.from_edges([0, 3], [7, 2], num_vertices=20).num_vertices == 20
    assert Graph.from_edges([], []).num_vertices == 0
    assert Graph.from_edges([], [], num_vertices=np.int32(3)).num_vertices == 3


def test_arrays_that_are_not_contiguous_are_accepted():
    both = np.array([[0, 1], [1, 2], [2, 0]])
    assert same(Graph.from_edges(both[:, 0], both[:, 1]), Graph.from_edges([0, 1, 2], [1, 2, 0]))
    assert same(Graph.from_edges(both[::-1, 0], both[::-1, 1]), Graph.from_edges([0, 1, 2], [1, 2, 0]))


def test_input_arrays_are_neither_changed_nor_shared():
    source, target = np.array([0, 1, 2], dtype=np.int32), np.array([1, 2, 0], dtype=np.int32)
    weights, labels = np.array([1.0, 2.0, 3.0]), np.array([10, 20, 30])
    graph = Graph.from_edges(source, target, weights=weights, labels=labels)
    for array in (source, target, weights, labels):
        array[:] = 0  # the caller may still write to it
    assert rows_of(graph) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    assert graph.weights.tolist() == [1, 3, 1, 2, 3, 2]
    assert graph.labels.tolist() == [10, 20, 30]


def test_the_arrays_of_raw_arcs_stay_writeable():
    arcs = Arcs(np.array([0], np.int32), np.array([1], np.int32), 2, directed=False, labels=np.array([5, 6]))
    Graph.from_arcs(arcs)
    assert arcs.labels.flags.writeable
    assert arcs.source.flags.writeable


def test_trusted_arrays_are_shared_and_stay_writeable():
    indptr, indices = np.array([0, 1, 2]), np.array([1, 0], dtype=np.int32)
    graph = Graph.from_csr(indptr, indices, trusted=True, dropped=Dropped(loops=4))
    assert np.shares_memory(graph.indices, indices)
    assert graph.dropped == Dropped(loops=4)
    assert indices.flags.writeable


@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_threads_make_no_difference_to_a_graph(network, threads):
    assert same(network.graph(threads=threads), network.graph())


def test_raw_arcs_make_a_directed_or_an_undirected_graph():
    arcs = Arcs(np.array([0, 1, 1], np.int32), np.array([1, 0, 2], np.int32), 3, directed=True)
    assert Graph.from_arcs(arcs).num_arcs == 3
    undirected = Graph.from_arcs(arcs, directed=False)
    assert (undirected.num_edges, undirected.dropped) == (2, Dropped(reciprocal_merged=1))


# In rows and back


@examples(20)
@given(network=networks())
def test_rows_give_the_graph_back(network):
    graph = network.graph()
    assert same(Graph.from_csr(graph.indptr, graph.indices, directed=graph.directed), graph)
    assert same(Graph.from_csr(graph.indptr, graph.indices, directed=graph.directed, trusted=True), graph)


@given(network=networks())
def test_a_matrix_gives_the_graph_back(network):
    graph = network.graph()
    matrix = graph.to_scipy()
    assert matrix.shape == (network.vertices, network.vertices)
    assert matrix.dtype == np.int64
    assert same(Graph.from_scipy(matrix, directed=graph.directed), graph)
    if not network.directed:
        assert (matrix != matrix.T).nnz == 0


@given(network=networks())
def test_edges_come_in_order_and_give_the_graph_back(network):
    graph = network.graph()
    source, target = graph.edges()
    found = list(zip(source.tolist(), target.tolist(), strict=True))
    expected = naive.simple(network.arcs, directed=True).arcs if network.directed else naive.edges(network.arcs)
    assert found == expected
    assert same(Graph.from_edges(source, target, num_vertices=network.vertices, directed=network.directed), graph)


def test_an_undirected_edge_may_stand_in_one_row_or_in_both():
    once = Graph.from_csr([0, 2, 3, 3], [1, 2, 2])
    both = Graph.from_csr([0, 2, 4, 6], [2, 1, 2, 0, 0, 1])
    assert same(once, both)
    assert once.dropped == both.dropped == Dropped()


@examples(20)
@given(network=networks(directed=False), data=st.data())
def test_many_rows_are_read_as_few_are_whether_they_are_simple_or_not(network, data):
    """Many symmetric rows are oriented as they stand; here the limit is set to none."""
    graph = network.graph()
    row = np.repeat(np.arange(network.vertices), np.diff(graph.indptr))
    kept = np.ones(len(row), dtype=bool)
    if len(row):
        kept[data.draw(st.lists(st.integers(0, len(row) - 1), max_size=2))] = False  # then an edge stands in one row
    extra = data.draw(st.lists(st.tuples(st.sampled_from(row.tolist()), st.just(0)), max_size=1)) if len(row) else []
    pairs = [*zip(row[kept].tolist(), graph.indices[kept].tolist(), strict=True), *extra]
    pairs.sort(key=lambda pair: pair[0])
    indptr = np.searchsorted([u for u, _ in pairs], np.arange(network.vertices + 1))
    indices = np.array([v for _, v in pairs], dtype=np.int64)
    few = Graph.from_csr(indptr, indices)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(makers, "FEW_ARCS", -1)
        many = Graph.from_csr(indptr, indices)
    assert same(many, few)
    assert many.dropped == few.dropped
    assert many.num_edges == few.num_edges


def test_a_graph_from_rows_keeps_nothing_of_the_callers_arrays(monkeypatch):
    monkeypatch.setattr(makers, "FEW_ARCS", -1)
    indices = np.array([1, 2, 0, 2, 0, 1], dtype=np.int32)
    graph = Graph.from_csr(np.array([0, 2, 4, 6]), indices, labels=["a", "b", "c"])
    indices[:] = 0
    assert rows_of(graph) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    assert graph.labels.tolist() == ["a", "b", "c"]


def test_rows_with_loops_and_repeats_are_made_simple():
    graph = Graph.from_csr([0, 4, 5], [0, 1, 1, 1, 0], directed=True)
    assert rows_of(graph) == [(0, 1), (1, 0)]
    assert graph.dropped == Dropped(loops=1, duplicates=2)


@pytest.mark.parametrize("kind", ["coo_matrix", "csr_matrix", "csc_array", "lil_array", "dok_array", "coo_array"])
def test_sparse_matrices_of_every_format_are_accepted(kind):
    dense = np.array([[0, 1, 0], [1, 0, 5], [0, 5, 0]])
    graph = Graph.from_scipy(getattr(scipy.sparse, kind)(dense), weights=True)
    assert rows_of(graph) == [(0, 1), (1, 0), (1, 2), (2, 1)]
    assert graph.weights.tolist() == [1, 1, 5, 5]
    np.testing.assert_array_equal(graph.to_scipy().toarray(), dense)


def test_one_triangle_of_a_matrix_is_enough():
    upper = scipy.sparse.csr_array(np.triu(np.ones((4, 4)), k=1))
    assert same(Graph.from_scipy(upper), Graph.from_scipy(upper + upper.T))


def test_an_entry_of_a_matrix_is_an_arc_whatever_its_value():
    matrix = scipy.sparse.csr_array(([0, -1], ([0, 1], [1, 2])), shape=(3, 3))
    assert rows_of(Graph.from_scipy(matrix, directed=True)) == [(0, 1), (1, 2)]


def test_a_returned_matrix_is_a_copy():
    graph = Graph.from_edges([0, 1], [1, 2], weights=[2, 3])
    matrix = graph.to_scipy()
    matrix.data[:] = 9
    matrix.indices[:] = 0
    assert graph.weights.tolist() == [2, 2, 3, 3]
    assert graph.indices.tolist() == [1, 0, 2, 1]


# Others made from it


@given(network=networks(directed=True))
def test_the_skeleton_has_an_edge_wherever_there_is_an_arc(network):
    graph = network.graph()
    skeleton = graph.to_undirected()
    expected = naive.simple(network.arcs, directed=False)
    assert not skeleton.directed
    assert rows_of(skeleton) == expected.arcs
    assert skeleton.dropped == Dropped(reciprocal_merged=expected.reciprocal_merged)
    assert skeleton.num_edges == graph.num_edges
    assert skeleton.degree.tolist() == graph.degree.tolist()


def test_an_undirected_graph_is_its_own_skeleton():
    graph = Graph.from_edges([0], [1])
    assert graph.to_undirected() is graph


def test_a_masked_value_is_a_missing_value_wherever_arrays_are_taken():
    masked = np.ma.array([0, 1, 2], mask=[False, True, True])
    ends = np.array([1, 2, 0])
    graph = Graph.from_edges(ends, ends[::-1])
    calls = {
        "source": lambda: Graph.from_edges(masked, ends),
        "target": lambda: triadic.TemporalGraph.from_edges(ends, masked, ends),
        "weights": lambda: Graph.from_edges(ends, ends[::-1], weights=masked),
        "labels": lambda: Graph.from_edges(ends, ends[::-1], labels=masked),
        "time": lambda: triadic.TemporalGraph.from_edges(ends, ends[::-1], masked),
        "vertices": lambda: triadic.triangles(graph, vertices=masked),
        "indices": lambda: Graph.from_csr([0, 1, 2, 3], masked),
        "added": lambda: triadic.EdgeStream().update(ends, ends[::-1], masked),
    }
    for name, call in calls.items():
        with pytest.raises(ArgumentError, match=rf"^{name}: 2 of 3 are masked, the first at 1; expected a value"):
            call()
    with pytest.raises(ArgumentError, match="vertices: 2 of 3 are masked"):
        graph.subgraph(np.ma.array([True, False, True], mask=masked.mask))
    with pytest.raises(ArgumentError, match="source: 2 of 3 are masked"):
        Graph(np.ma.stack([masked, masked]))
    whole = np.ma.array([1, 2, 0], mask=False)
    assert Graph.from_edges(whole, ends[::-1]).num_edges == graph.num_edges


def test_the_skeleton_keeps_labels_and_joins_weights():
    graph = Graph.from_edges([0, 1, 1], [1, 0, 2], directed=True, weights=[1, 2, 4], labels=["a", "b", "c"])
    skeleton = graph.to_undirected()
    assert skeleton.labels.tolist() == ["a", "b", "c"]
    assert skeleton.weights.tolist() == [3, 3, 4, 4]
    assert graph.to_undirected(combine="max").weights.tolist() == [2, 2, 4, 4]
    with pytest.raises(ArgumentError, match="vertex a and vertex b are joined more than once"):
        graph.to_undirected(combine="error")


@given(network=networks(), data=st.data())
def test_a_subgraph_has_the_edges_between_its_vertices(network, data):
    keep = data.draw(st.lists(st.integers(0, network.vertices - 1), unique=True)) if network.vertices else []
    graph = network.graph()
    part = graph.subgraph(keep)
    place = {v: i for i, v in enumerate(keep)}
    inside = [(place[u], place[v]) for u, v in network.arcs if u in place and v in place]
    assert rows_of(part) == naive.simple(inside, directed=network.directed).arcs
    assert part.num_vertices == len(keep)
    assert part.labels.tolist() == keep
    assert part.dropped == Dropped()


@given(network=networks(), data=st.data())
def test_a_mask_keeps_vertices_in_their_order(network, data):
    mask = data.draw(st.lists(st.booleans(), min_size=network.vertices, max_size=network.vertices))
    graph = network.graph()
    assert same(graph.subgraph(np.array(mask, dtype=bool)), graph.subgraph(np.flatnonzero(mask)))


@pytest.mark.parametrize("directed", [False, True])
def test_a_subgraph_keeps_weights_and_labels(directed):
    graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=directed, weights=[1, 2, 3, 4], labels=list("abcd"))
    part = graph.subgraph(["d", "c", "a"])
    assert part.labels.tolist() == ["d", "c", "a"]
    expected = {(1, 2): 3, (1, 0): 4} if directed else {(1, 2): 3, (2, 1): 3, (1, 0): 4, (0, 1): 4}
    assert dict(zip(rows_of(part), part.weights.tolist(), strict=True)) == expected


@given(network=networks())
def test_the_largest_component_is_the_one_that_networkx_finds(network):
    part = network.graph().largest_component()
    known = nx.Graph(network.arcs)
    known.add_nodes_from(range(network.vertices))
    components = sorted(nx.connected_components(known), key=lambda found: (-len(found), min(found)))
    assert part.num_vertices == (len(components[0]) if components else 0)
    if components:
        assert part.labels.tolist() == sorted(components[0])
        assert part.num_edges == len([pair for pair in naive.edges(network.arcs) if pair[0] in components[0]])


def test_the_largest_component_ignores_isolated_vertices_without_labels():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], num_vertices=6, labels=["a", "b", "c"])
    assert graph.largest_component().labels.tolist() == ["a", "b", "c"]


# Keeping it


@examples(20)
@given(network=networks())
def test_a_released_graph_can_be_oriented_again(network):
    graph, other = network.graph(), network.graph()
    before = triangles(graph)
    for _ in range(2):
        graph.release()
        assert same(graph, other)
        np.testing.assert_array_equal(triangles(graph), before)


@examples(20)
@given(network=networks(), rows_first=st.booleans(), weighted=st.booleans())
def test_a_pickled_graph_comes_back(network, rows_first, weighted):
    weights = np.arange(len(network.arcs)) if weighted else None
    graph = network.graph(weights=weights, labels=[f"v{i}" for i in range(network.vertices)])
    if rows_first:
        assert graph.indptr is not None
        graph.oriented()
    for back in (pickle.loads(pickle.dumps(graph)), copy.deepcopy(graph)):
        assert same(back, graph)
        assert back.dropped == graph.dropped
        np.testing.assert_array_equal(triangles(back), triangles(graph))
        assert not back.indices.flags.writeable


def test_the_oriented_form_is_not_pickled_with_the_rows():
    graph = Graph.from_edges(*np.triu_indices(200, k=1))
    assert graph.indptr is not None
    alone = len(pickle.dumps(graph))
    graph.oriented()
    assert len(pickle.dumps(graph)) == alone


@pytest.mark.parametrize("directed", [False, True])
def test_no_array_of_a_graph_can_be_changed(directed):
    graph = Graph.from_edges([0, 1], [1, 2], directed=directed, weights=[1, 2], labels=[7, 8, 9])
    for array in (graph.indptr, graph.indices, graph.weights, graph.labels):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    plain = Graph.from_edges([0, 1], [1, 2], directed=directed)
    oriented = plain.oriented()
    for array in (plain.indptr, plain.indices, oriented.rank, oriented.indptr, oriented.indices, oriented.degree):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_computed_arrays_are_writeable_copies():
    graph = Graph.from_edges([0, 1], [1, 2])
    graph.degree[:] = 9
    for ends in graph.edges():
        ends[:] = 0
    assert graph.degree.tolist() == [1, 2, 1]
    assert rows_of(graph) == [(0, 1), (1, 0), (1, 2), (2, 1)]


def test_no_attribute_of_a_graph_can_be_set():
    graph = Graph.from_edges([0], [1])
    for name in ("directed", "indices", "num_vertices", "anything"):
        with pytest.raises(AttributeError):
            setattr(graph, name, None)
    with pytest.raises(AttributeError):
        graph.dropped.loops = 3


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        (Graph.from_edges([], []), "Graph(undirected, 0 vertices, 0 edges)"),
        (Graph.from_edges([], [], num_vertices=1, directed=True), "Graph(directed, 1 vertex, 0 arcs)"),
        (Graph.from_edges([0, 1], [1, 0], num_vertices=1234), "Graph(undirected, 1,234 vertices, 1 edge)"),
        (Graph.from_edges([0, 1], [1, 0], directed=True), "Graph(directed, 2 vertices, 2 arcs)"),
        (Graph.from_edges([0], [1], weights=[1]), "Graph(undirected, 2 vertices, 1 edge, with weights)"),
        (
            Graph.from_edges([0], [1], weights=[1], labels=["a", "b"], directed=True),
            "Graph(directed, 2 vertices, 1 arc, with weights and labels)",
        ),
    ],
)
def test_the_repr_of_a_graph_names_its_kind_and_size(graph, text):
    assert repr(graph) == text


def test_labels_are_whole_numbers_or_text():
    assert Graph.from_edges([0], [1], labels=np.array([3, 1], np.int16)).labels.dtype == np.int64
    text = Graph.from_edges([0], [1], labels=np.array(["x", "yy"])).labels
    assert (text.dtype, text.tolist()) == (np.dtype(object), ["x", "yy"])
    assert Graph.from_edges([0], [1], labels=["only the first"]).labels.tolist() == ["only the first"]


# What cannot be a graph


def refuse(words, make, *arguments, **keywords):
    """Check that the call raises a triadic error whose one line contains the words."""
    with pytest.raises(ArgumentError, match=words) as raised:
        make(*arguments, **keywords)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("source", "target", "keywords", "words"),
    [
        ([0, 1], [1], {}, "source and target: expected the same length, got 2 and 1"),
        ([0, -3], [1, 1], {}, r"source\[1\] = -3: expected vertices of at least 0"),
        ([0], [-1], {}, r"target\[0\] = -1"),
        ([0.5], [1], {}, "source: expected a 1-D array of whole numbers, got float64"),
        (["a"], ["b"], {}, "source: expected a 1-D array of whole numbers"),
        ([[0, 1]], [[1, 2]], {}, r"source: expected a 1-D array of whole numbers, got int64 of shape \(1, 2\)"),
        (0, 1, {}, r"source: .* of shape \(\)"),
        ([2**70], [0], {}, "source: expected"),
        (np.array([2**63], np.uint64), [0], {}, r"source: expected vertices below 2\*\*63"),
        ([0], [1], {"num_vertices": 1}, "vertices=1: an edge ends at vertex 1, expected at least 2"),
        ([0], [1], {"num_vertices": -1}, "vertices=-1: expected a whole number of at least 0"),
        ([0], [1], {"num_vertices": 2.5}, r"vertices=2\.5"),
        ([0], [1], {"num_vertices": True}, "vertices=True"),
        ([0], [1], {"combine": "median"}, "combine='median': expected one of 'sum', 'max', 'min', 'mean'"),
        ([0], [1], {"threads": 0}, "threads=0: expected None or a whole number of at least 1"),
        ([0], [1], {"weights": [1, 2]}, r"weights: expected an array of shape \(1,\), got \(2,\)"),
        ([0], [1], {"weights": [np.nan]}, r"weights\[0\] = nan: expected finite numbers"),
        ([0, 1], [1, 2], {"weights": [1, -np.inf]}, r"weights\[1\] = -inf"),
        ([0], [1], {"weights": ["heavy"]}, "weights: expected"),
        ([0], [1], {"weights": [1j]}, "weights: expected"),
        ([0], [1], {"labels": ["a", "b", "c"]}, "labels: expected at most 2"),
        ([0], [1], {"labels": [0.5, 1.5]}, "labels: expected at most 2 whole numbers or strings, got float64"),
        ([0], [1], {"labels": np.array([2**63, 1], np.uint64)}, "labels: expected"),
    ],
)
def test_wrong_end_vertices_and_weights_are_refused(source, target, keywords, words):
    refuse(words, Graph.from_edges, source, target, **keywords)


@pytest.mark.parametrize("keywords", [{"num_vertices": 10**15}, {}])
def test_more_vertices_than_memory_can_hold_are_refused(keywords):
    far = 1 if keywords else 2**63 - 2
    with pytest.raises(TriadicError, match="vertices") as raised:
        Graph.from_edges([0], [far], **keywords)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("indptr", "indices", "keywords", "words"),
    [
        ([], [], {}, r"indptr: expected a 1-D array of n \+ 1 integers"),
        ([0.0, 1.0], [0], {}, "indptr: expected a 1-D array .* got float64"),
        ([1, 1], [0], {}, r"indptr: expected to rise from 0 to len\(indices\) = 1"),
        ([0, 2], [0], {}, "indptr: expected to rise"),
        ([0, 2, 1, 2], [0, 1], {}, "indptr: expected to rise"),
        ([0, 1], [5], {}, r"indices: expected vertices below len\(indptr\) - 1 = 1, got 5"),
        ([0, 1], [-1], {}, r"indices\[0\] = -1"),
        ([0, 1, 2], [1, 0], {"weights": [1]}, r"weights: expected an array of shape \(2,\)"),
        ([0, 1, 2], [1, 0], {"weights": [1, 2]}, "vertex 0 and vertex 1 is given from both ends with weights 1 and 2"),
    ],
)
@pytest.mark.parametrize("few", [300_000, -1], ids=["few rows", "many rows"])
def test_wrong_rows_are_refused(indptr, indices, keywords, words, few, monkeypatch):
    monkeypatch.setattr(makers, "FEW_ARCS", few)
    refuse(words, Graph.from_csr, indptr, indices, **keywords)


@pytest.mark.parametrize("matrix", [np.eye(2), [[0, 1]], "matrix", scipy.sparse.csr_array((2, 3))])
def test_a_matrix_must_be_sparse_and_square(matrix):
    refuse("matrix: expected a square sparse matrix", Graph.from_scipy, matrix)


@pytest.mark.parametrize(
    ("vertices", "words"),
    [
        ([4], "vertices: expected numbers below 3, got 4"),
        ([-1], r"vertices\[0\] = -1"),
        ([1, 2, 1], "vertices: expected each vertex once, got more often 1"),
        ([0.5], "vertices: expected a 1-D array of whole numbers"),
        ([True, False], r"vertices: expected a mask of shape \(3,\), got \(2,\)"),
    ],
)
def test_vertices_that_do_not_exist_are_refused(vertices, words):
    refuse(words, Graph.from_edges([0, 1], [1, 2]).subgraph, vertices)


def test_graph_needs_an_argument():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'graph'"):
        Graph()
