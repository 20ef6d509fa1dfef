"""Graphs as other libraries' objects, and back."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import examples, networks
from triadic import Graph
from triadic.errors import MissingExtraError

FEW = examples(20)


@st.composite
def dressed(draw):
    """A network with or without names and weights."""
    network = draw(networks())
    labels = weights = None
    if draw(st.booleans()):
        labels = [f"v{v}" for v in range(network.vertices)] if draw(st.booleans()) else range(7, 7 + network.vertices)
    if draw(st.booleans()):
        weights = np.arange(1.0, len(network.arcs) + 1)
    return network.graph(
        weights=weights,
        labels=None
        if labels is None
        else np.array(list(labels), dtype=object)
        if isinstance(labels, list)
        else np.array(labels, dtype=np.int64),
    )


def same(one, other, *, names=True):
    assert one.directed == other.directed
    np.testing.assert_array_equal(one.indptr, other.indptr)
    np.testing.assert_array_equal(one.indices, other.indices)
    np.testing.assert_array_equal(one.weights, other.weights)
    if names and len(other.labels if other.labels is not None else ()):
        np.testing.assert_array_equal(one.labels, other.labels)
    return True


@FEW
@given(graph=dressed())
def test_networkx_gives_the_graph_back(graph):
    pytest.importorskip("networkx")
    assert same(Graph(graph.to_networkx(), weights=graph.weights is not None), graph)


@FEW
@given(graph=dressed())
def test_igraph_gives_the_graph_back(graph):
    pytest.importorskip("igraph")
    weights = graph.weights is not None and graph.num_arcs > 0
    again = Graph(graph.to_igraph(), weights=weights)
    if weights or graph.weights is None:
        assert same(again, graph)


@pytest.mark.parametrize("way", ["to_pandas", "to_polars", "to_arrow"])
def test_booleans_with_missing_values_stay_booleans(way):
    pytest.importorskip({"to_pandas": "pandas", "to_polars": "polars", "to_arrow": "pyarrow"}[way])
    sure = np.array([True, None, False], dtype=object)
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], directed=True, columns={"sure": sure})
    again = Graph(getattr(graph, way)(), columns=["sure"])
    assert again.columns["sure"].tolist() == [True, None, False]


@pytest.mark.parametrize("way", ["to_pandas", "to_polars", "to_arrow"])
@FEW
@given(graph=dressed())
def test_a_table_has_a_row_for_each_edge(way, graph):
    pytest.importorskip({"to_pandas": "pandas", "to_polars": "polars", "to_arrow": "pyarrow"}[way])
    table = getattr(graph, way)()
    names = np.arange(graph.num_vertices) if graph.labels is None else graph.labels
    source, target = graph.edges()
    columns = {
        name: list(table[name].to_pylist() if way == "to_arrow" else table[name]) for name in ("source", "target")
    }
    assert columns == {"source": names[source].tolist(), "target": names[target].tolist()}
    wide = ["source", "target"] if graph.weights is None else ["source", "target", "weight"]
    assert list(table.column_names if way == "to_arrow" else table.columns) == wide
    if graph.weights is not None and len(source):
        again = Graph(table, directed=graph.directed, weights=True)
        assert sorted(again.weights) == sorted(graph.weights)


def test_repeated_labels_are_left_out():
    for labels in (["a", "a", "b"], ["a", "b"]):
        graph = Graph.from_edges([0, 1], [1, 2], labels=labels)
        assert graph.to_arrow().to_pydict() == {"source": [0, 1], "target": [1, 2]}


def test_an_edge_index_has_both_arcs_of_an_edge_with_their_weights():
    graph = Graph.from_edges([0, 1], [1, 2], weights=[3, 4])
    index = graph.to_edge_index()
    assert (index.dtype, index.tolist()) == (np.int64, [[0, 1, 1, 2], [1, 0, 2, 1]])
    assert graph.weights.tolist() == [3, 3, 4, 4]


@pytest.mark.parametrize("package", ["networkx", "igraph", "pandas", "polars"])
def test_a_library_that_is_not_installed_is_named(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=f"to_{package} needs {package}, which is not installed"):
        getattr(Graph.from_edges([0], [1]), f"to_{package}")()
