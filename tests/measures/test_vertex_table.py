"""The table of vertices: the measures, side by side."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given

import triadic
from strategies import examples, networks
from triadic import Graph, vertex_table
from triadic.errors import ArgumentError, UnsupportedError
from triadic.measures.registry import NAMES, countable

FEW = examples(25)
UNWEIGHTED = [
    name for name in NAMES if countable(name).columns is not None and name not in ("weighted_clustering", "simplices")
]
PAW = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], labels=["a", "b", "c", "d"])


@FEW
@given(network=networks())
def test_columns_equal_the_measures(network):
    graph = network.graph()
    table = vertex_table(graph, UNWEIGHTED)
    for name in ("triangles", "clustering", "square_clustering", "directed_clustering"):
        np.testing.assert_array_equal(table[name], getattr(triadic, name)(graph))
    np.testing.assert_array_equal(table["degree"], graph.degree)
    matrix = graph.to_scipy().toarray() != 0
    np.testing.assert_array_equal(table["out_degree"], matrix.sum(axis=1))
    np.testing.assert_array_equal(table["in_degree"], matrix.sum(axis=0))
    np.testing.assert_array_equal(table["mutual_degree"], (matrix & matrix.T).sum(axis=1))
    transform, triads = triadic.graphlet_transform(graph), triadic.triad_census(graph, by="vertex")
    for column, name in enumerate(triadic.GRAPHLET_NAMES):
        if name != "vertex":  # one at every vertex
            np.testing.assert_array_equal(table[f"graphlet {name}"], transform.net[:, column])
        np.testing.assert_array_equal(table[f"raw graphlet {name}"], transform.raw[:, column])
    for orbit, column in enumerate(triadic.graphlets(graph, by="vertex").T):
        np.testing.assert_array_equal(table[f"orbit {orbit}"], column)
    for column, name in enumerate(triadic.TRIAD_NAMES):
        np.testing.assert_array_equal(table[f"triad {name}"], triads[:, column])
        roles = [values for role, values in table.items() if role.startswith(f"role {name} ")]
        assert not roles or np.array_equal(sum(roles), triads[:, column])


def test_orbits_of_a_batch_are_those_of_each_graph():
    graphs = [triadic.generate.rmat(4, seed=seed) for seed in range(4)]
    table = vertex_table(triadic.GraphBatch.from_graphs(graphs), ["degree", "orbits"], size=5)
    assert table.names == ("degree", *(f"orbit {number}" for number in range(73)))
    alone = [vertex_table(graph, "orbits", size=5).to_numpy(np.int64) for graph in graphs]
    np.testing.assert_array_equal(table.to_numpy(np.int64)[:, 1:], np.concatenate(alone))


@FEW
@given(network=networks())
def test_triangles_are_the_same_with_and_without_graphlets(network):
    graph = network.graph()
    alone, together = vertex_table(graph, "triangles"), vertex_table(graph, ["triangles", "graphlets"])
    np.testing.assert_array_equal(alone["triangles"], together["triangles"])


def test_weighted_clustering_is_for_graphs_with_weights():
    graph = Graph.from_edges([0, 0, 1], [1, 2, 2], weights=[1, 2, 3])
    np.testing.assert_array_equal(
        vertex_table(graph, "weighted_clustering")["weighted_clustering"], triadic.weighted_clustering(graph)
    )
    with pytest.raises(ArgumentError, match="has no weights"):
        vertex_table(PAW, ["weighted_clustering"])


@pytest.mark.parametrize("wrong", ["squares", ["degree", "Degree"], []])
def test_unknown_measures_are_an_error_that_lists_the_known_ones(wrong):
    with pytest.raises(ArgumentError, match=r"of=.*: expected one of 'degree', 'in_degree'"):
        vertex_table(PAW, wrong)


def test_a_vertex_table_is_an_immutable_mapping():
    table = vertex_table(PAW, ["clustering", "degree"])
    assert (list(table), len(table), table.names) == (["clustering", "degree"], 2, ("clustering", "degree"))
    with pytest.raises(ValueError, match="read-only"):
        table["degree"][0] = 5
    with pytest.raises(KeyError, match="expected one of the names 'label', 'clustering', 'degree'"):
        table["triangles"]
    again = pickle.loads(pickle.dumps(table))
    assert repr(again) == repr(table)


def test_numpy_converts_a_vertex_table_to_a_matrix():
    table = vertex_table(PAW, ["degree", "triangles"])
    assert np.asarray(table).tolist() == [[2, 1], [2, 1], [3, 1], [1, 0]]
    assert np.asarray(table).dtype == np.int64
    assert np.asarray(vertex_table(PAW, ["degree", "clustering"])).dtype == np.float64
    assert table.to_numpy(np.int32).dtype == np.int32


def test_tables_of_other_libraries_name_the_vertices():
    table = vertex_table(PAW, ["degree"])
    assert table.to_arrow().to_pydict() == {"label": ["a", "b", "c", "d"], "degree": [2, 2, 3, 1]}
    pytest.importorskip("pandas")
    assert table.to_pandas()["degree"].to_dict() == {"a": 2, "b": 2, "c": 3, "d": 1}
    pytest.importorskip("polars")
    assert table.to_polars().rows() == [("a", 2), ("b", 2), ("c", 3), ("d", 1)]


def test_vertices_without_labels_are_numbered():
    assert vertex_table(Graph.from_edges([0], [2]), "degree")["label"].tolist() == [0, 1, 2]
    partly = Graph.from_edges([0], [1], num_vertices=3, labels=[7, 8])
    assert vertex_table(partly, "degree")["label"].tolist() == [0, 1, 2]


@pytest.mark.parametrize("n", [0, 1, 30])
def test_a_printed_table_is_short(n):
    table = vertex_table(Graph.from_edges([], [], num_vertices=n))
    assert len(repr(table).splitlines()) <= 13
    assert ("22 more vertices" in repr(table)) == (n == 30)
    assert table._repr_html_().count("<tr>") == 1 + min(n, 8)


def test_a_table_is_computed_on_the_given_device():
    with pytest.raises((UnsupportedError, triadic.errors.TriadicError)):
        vertex_table(PAW, "triangles", device="nowhere")


# In notebooks


def test_labels_are_escaped():
    graph = Graph.from_edges([0], [1], labels=["<script>", "b&c"])
    html = vertex_table(graph, "degree")._repr_html_()
    assert "&lt;script&gt;" in html
    assert "b&amp;c" in html
    assert "<script>" not in html


def test_a_graph_has_an_html_table():
    html = Graph.from_edges([0, 1, 1, 1], [1, 0, 2, 1], labels=["x", "y", "z"])._repr_html_()
    assert "<caption>Undirected graph</caption>" in html
    assert "<th>edges</th><td>2</td>" in html
    assert "<th>dropped: loops</th><td>1</td>" in html
    assert "<th>merged: reciprocal</th><td>1</td>" in html


def test_results_have_html_tables():
    census = triadic.triad_census(PAW)
    assert "<tr><th>300</th><td>1</td>" in census._repr_html_()
    assert "<th>graph" not in triadic.dyad_census(PAW)._repr_html_()
    assert "<tr><th>paw</th><td>1</td></tr>" in triadic.graphlet_transform(PAW)._repr_html_()


def test_results_have_labels_in_tables():
    found = triadic.graphlet_transform(PAW)
    assert found.labels.tolist() == ["a", "b", "c", "d"]
    assert pickle.loads(pickle.dumps(found)).labels.tolist() == ["a", "b", "c", "d"]
    pytest.importorskip("pandas")
    assert found.to_pandas()["triangle"].to_dict() == {"a": 1, "b": 1, "c": 1, "d": 0}
    pytest.importorskip("polars")
    assert found.to_polars()["label"].to_list() == ["a", "b", "c", "d"]
    census = triadic.triad_census(PAW).to_polars()
    assert census.columns == ["name", "count", "expected", "z"]
    assert census["count"].sum() == 4
