"""Graphs from matrices, edge indices and tables."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given

import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.errors import ArgumentError

FEW = examples(20)


def same(one, other):
    assert one.directed == other.directed
    for name in ("indptr", "indices", "weights", "labels"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    return True


def refuse(words, given, **keywords):
    with pytest.raises(ArgumentError) as caught:
        Graph(given, **keywords)
    assert "\n" not in str(caught.value)
    assert words in str(caught.value)


# Matrices


@FEW
@given(network=networks())
def test_a_matrix_gives_the_graph_back(network):
    graph = network.graph()
    again = Graph(graph.to_scipy())
    symmetric = 2 * graph.num_edges == graph.num_arcs
    assert again.directed == (not symmetric)
    np.testing.assert_array_equal(again.indices, graph.indices)
    assert same(Graph(graph.to_scipy(), directed=True), Graph.from_scipy(graph.to_scipy(), directed=True))
    assert same(Graph(graph.to_scipy(), directed=False), graph.to_undirected())


@pytest.mark.parametrize("kind", ["coo_matrix", "csr_matrix", "csc_array", "lil_array", "dok_array", "coo_array"])
def test_the_pattern_of_a_sparse_matrix_of_any_format_decides_its_direction(kind):
    make = getattr(scipy.sparse, kind)
    assert not Graph(make(np.array([[0, 2, 0], [3, 0, 1], [0, 1, 0]]))).directed
    assert Graph(make(np.array([[0, 2, 0], [3, 0, 1], [0, 0, 0]]))).directed


def test_values_of_a_matrix_are_weights_on_request():
    matrix = scipy.sparse.csr_array(np.array([[0, 2.5], [2.5, 0]]))
    assert Graph(matrix, weights=True).weights.tolist() == [2.5, 2.5]
    assert Graph(matrix).weights is None
    refuse("weights='weight': expected True", matrix, weights="weight")
    refuse("given from both ends", scipy.sparse.csr_array(np.array([[0, 1], [2, 0]])), weights=True)
    assert Graph(scipy.sparse.csr_array([[0, 1], [2, 0]]), weights=True, combine="max").weights.tolist() == [2, 2]


def test_a_matrix_that_is_not_square_is_refused():
    refuse("expected a square sparse matrix", scipy.sparse.csr_array((2, 3)))
    refuse("expected none", scipy.sparse.csr_array((2, 2)), num_vertices=2)


# Edge indices


@FEW
@given(network=networks())
def test_an_edge_index_gives_the_graph_back(network):
    graph = network.graph()
    again = Graph(graph.to_edge_index(), num_vertices=graph.num_vertices)
    symmetric = 2 * graph.num_edges == graph.num_arcs
    assert again.directed == (not symmetric)
    np.testing.assert_array_equal(again.indices, graph.indices)
    index = np.stack([network.source, network.target])
    read = Graph(index, num_vertices=network.vertices, directed=network.directed)
    assert same(read, graph)


def test_an_object_for_another_function_is_refused_with_the_name_of_that_function():
    refuse("; triadic.Graph.from_edges takes lists of ends", [(0, 1), (1, 2)])
    refuse("; triadic.read takes the name of a file", "edges.txt")


def test_the_two_arcs_of_an_edge_do_not_count_as_merged():
    index = np.array([[0, 1, 1, 2], [1, 0, 2, 1]])
    assert Graph(index).dropped.reciprocal_merged == 0
    assert Graph(index[:, :3], directed=False).dropped.reciprocal_merged == 1


def test_other_shapes_are_refused():
    refuse("got ndarray of shape (3, 2); expected an edge_index of shape (2, edges)", np.zeros((3, 2), dtype=int))
    refuse("scipy.sparse.csr_array(matrix)", np.zeros((4, 4)))
    refuse("expected a 1-D array of whole numbers", np.zeros((2, 3)))
    refuse("an edge_index has none", np.zeros((2, 3), dtype=int), weights=True)


class Data:
    """What is read of PyTorch Geometric's Data."""

    __module__ = "torch_geometric.data.data"

    def __init__(self, edge_index, num_nodes, edge_weight=None):
        self.edge_index, self.num_nodes, self.edge_weight = np.array(edge_index), num_nodes, edge_weight


def test_data_of_pytorch_geometric_has_its_vertices_and_weights():
    both = Data([[0, 1, 1, 2], [1, 0, 2, 1]], 5, np.array([2.0, 2.0, 3.0, 3.0]))
    graph = Graph(both, weights=True)
    assert (graph.num_vertices, graph.directed, graph.weights.tolist()) == (5, False, [2, 2, 3, 3])
    one_way = Data([[0, 1], [1, 2]], 3, np.array([2.0, 3.0]))
    assert Graph(one_way, weights="edge_weight").weights.tolist() == [2, 3]
    assert Graph(one_way, weights=True, directed=False).weights.tolist() == [2, 2, 3, 3]
    refuse("weights='cost': Data has no such attribute", one_way, weights="cost")


def test_torch_tensors_are_accepted():
    torch = pytest.importorskip("torch")
    assert Graph(torch.tensor([[0, 1], [1, 2]])).num_arcs == 2


# Tables

ROWS = {"source": ["b", "a", "b"], "target": ["a", "c", "a"], "weight": [1.0, 2.0, 4.0]}


def in_pandas(columns):
    return pytest.importorskip("pandas").DataFrame(columns)


def in_polars(columns):
    return pytest.importorskip("polars").DataFrame(columns)


def in_arrow(columns):
    return pytest.importorskip("pyarrow").table(columns)


def in_a_stream(columns):
    """Anything that speaks Arrow's stream protocol and nothing else."""
    table = in_arrow(columns)
    return type("Stream", (), {"__arrow_c_stream__": lambda self, schema=None: table.__arrow_c_stream__(schema)})()


TABLES = pytest.mark.parametrize("table", [in_pandas, in_polars, in_arrow, in_a_stream])


@TABLES
def test_a_table_of_names_makes_the_graph_of_a_file_of_names(table):
    graph = Graph(table(ROWS), weights=True)
    assert graph.labels.tolist() == ["b", "a", "c"]
    assert graph.directed
    assert graph.to_scipy().toarray().tolist() == [[0, 5, 0], [0, 0, 2], [0, 0, 0]]
    assert graph.dropped.duplicates == 1
    assert Graph(table(ROWS), directed=False).num_edges == 2


@TABLES
def test_other_columns_can_be_named(table):
    rows = {"von": [10, 20], "nach": [20, 30], "cost": [1, 2]}
    graph = Graph(table(rows), source="von", target="nach", weights="cost")
    assert (graph.labels.tolist(), graph.weights.tolist()) == ([10, 20, 30], [1, 2])
    refuse("the columns are von, nach, cost: their names do not tell which two hold the ends", table(rows))
    refuse("there is no column 'source'; the columns are von, nach, cost", table(rows), source="source", target="nach")


@TABLES
def test_columns_of_a_table_are_found_by_their_names(table):
    graph = Graph(table({"id": [1, 2], "from_user": [10, 20], "to_user": [20, 30], "weight": [5, 6]}), weights=True)
    assert (graph.labels.tolist(), graph.weights.tolist()) == ([10, 20, 30], [5, 6])
    assert graph.origin.columns == "columns from_user → to_user, weights weight"
    assert graph.origin.direction == "assumed"
    refuse("did you mean source='src'", table({"src": [1], "dst": [2]}), source="source", target="target")


@TABLES
@pytest.mark.parametrize(
    ("column", "values", "words"),
    [
        ("source", ["a", None, "b"], "the column 'source' has no value in row 2"),
        ("target", [0.5, 1.5, 2.5], "the column 'target' holds double, expected integers or strings"),
        ("target", [-1, 1, 2], "id"),
        ("weight", ["x", "y", "z"], "the column 'weight' holds"),
        ("weight", [1.0, float("inf"), 2.0], "found the weight inf in row 2"),
    ],
)
def test_a_table_that_is_no_list_of_edges_is_refused(table, column, values, words):
    columns = {"source": [0, 1, 2], "target": [1, 2, 3], "weight": [1.0, 1.0, 1.0]} | {column: values}
    refuse(words, table(columns), weights=True)


def test_pandas_may_hold_categories_and_any_index():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(ROWS, index=[7, 7, 9]).astype({"source": "category", "target": "category"})
    assert same(Graph(frame), Graph(in_arrow(ROWS)))
    refuse("table:", pd.DataFrame({"source": ["a", 1], "target": ["b", "c"]}))


def test_columns_of_pandas_may_have_numbers_for_names():
    pd = pytest.importorskip("pandas")
    graph = Graph(pd.DataFrame([[10, 20, 5.0], [20, 30, 6.0]]), source=0, target=1, weights="2")
    assert (graph.labels.tolist(), graph.weights.tolist()) == ([10, 20, 30], [5, 6])
    assert Graph(pd.DataFrame([[10, 20], [20, 30]])).origin.columns == "columns 0 → 1"


def test_polars_may_hold_categories_and_be_lazy():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(ROWS)
    categories = frame.with_columns(pl.col("source", "target").cast(pl.Categorical))
    assert same(Graph(categories), Graph(frame))
    assert same(Graph(frame.lazy()), Graph(frame))
    refuse("expected a table in memory", frame.lazy().group_by("source"))


@TABLES
def test_a_number_of_vertices_may_be_declared(table):
    rows = {"source": [1, 4], "target": [4, 5]}
    graph = Graph(table(rows), num_vertices=8)
    assert (graph.num_vertices, graph.labels) == (8, None)
    refuse("found the id 5, expected less than num_vertices=5", table(rows), num_vertices=5)


# Measures


@TABLES
def test_every_measure_takes_a_table(table):
    assert triadic.triangle_count(table({"source": [0, 1, 2], "target": [1, 2, 0]})) == 1


# On a card


@pytest.mark.gpu
def test_cuda_arrays_make_a_graph_on_their_gpu():
    cupy, sparse = pytest.importorskip("cupy"), pytest.importorskip("cupyx.scipy.sparse")
    here = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    index = cupy.asarray(here.to_edge_index())
    for there in (index, sparse.csr_matrix(here.to_scipy().astype(np.float32))):
        graph = Graph(there)
        assert (graph.directed, graph.num_edges, graph.dropped) == (False, 4, here.dropped)
        np.testing.assert_array_equal(triadic.triangles(there, device="cuda"), triadic.triangles(here, device="cpu"))
    one_way = cupy.asarray(np.array([[0, 1], [1, 2]]))
    for there in (one_way, sparse.coo_matrix((cupy.ones(2), tuple(one_way)), shape=(3, 3)).tocsr()):
        graph = Graph(there)
        assert (graph.directed, graph.num_arcs, graph.oriented().device) == (True, 2, "cuda:0")
    assert Graph(one_way, directed=False).num_edges == 2


def test_attributes_of_data_are_columns():
    class WithAttributes(dict):
        num_nodes = 3

        def __init__(self, **attributes):
            super().__init__(attributes)
            self.edge_index = attributes["edge_index"]

        def is_edge_attr(self, name):
            return name.startswith("edge")

        def is_node_attr(self, name):
            return not name.startswith("edge")

    WithAttributes.__module__ = "torch_geometric.data"
    index = np.array([[0, 1, 1, 2], [1, 0, 2, 1]])
    data = WithAttributes(edge_index=index, edge_attr=np.array([[5.0], [5.0], [6.0], [6.0]]), y=np.array([7, 8, 9]))
    graph = Graph(data, columns=["edge_attr", "y"])
    assert (graph.directed, graph.columns["edge_attr"].tolist()) == (False, [5, 5, 6, 6])
    assert graph.vertex_columns["y"].tolist() == [7, 8, 9]
    one_way = WithAttributes(edge_index=index[:, :1], edge_attr=np.array([4.0]), y=np.array([7, 8, 9]))
    assert Graph(one_way, columns=["edge_attr"]).columns["edge_attr"].tolist() == [4]
    with pytest.raises(ArgumentError, match="the vertices \\['y'\\]"):
        Graph(data, columns=["x"])
