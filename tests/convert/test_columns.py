"""Columns of edges come from graphs and tables of other libraries, and go back to them."""

from __future__ import annotations

import datetime as dt

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import triadic
from triadic.errors import ArgumentError

EDGES = [
    (0, 1, {"kind": "a", "n": 1, "x": 0.5, "ok": True, "on": dt.datetime(2024, 1, 2, 3, 4)}),
    (1, 2, {"kind": "b", "n": 2, "ok": False, "on": dt.datetime(2024, 1, 3)}),
    (3, 2, {"n": 3, "x": 2.5, "ok": True, "on": dt.datetime(2024, 1, 4)}),
]
NAMES = ["kind", "n", "x", "ok", "on"]
KINDS = {"kind": "O", "n": "i", "x": "f", "ok": "b", "on": "M"}


def values(column):
    return [None if value is None or value != value else value for value in np.asarray(column).tolist()]  # noqa: PLR0124 - NaN


def expected(network):
    """The rows of EDGES in the order of the edges of a graph."""
    order = {frozenset(edge[:2]): edge[2] for edge in EDGES}
    rows = [order[frozenset(ends)] for ends in zip(*(end.tolist() for end in network.edges()), strict=True)]
    return {name: [row.get(name) for row in rows] for name in NAMES}


def of_edges(graph):
    table = graph.to_arrow()
    return {name: table[name].to_pylist() for name in table.column_names if name not in ("source", "target")}


def networkx_graph(directed):
    graph = (nx.DiGraph if directed else nx.Graph)()
    graph.add_nodes_from(range(4))
    graph.add_edges_from(EDGES)
    return graph


def igraph_graph(directed):
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph(4, [edge[:2] for edge in EDGES], directed=directed)
    for name in NAMES:
        graph.es[name] = [data.get(name) for *_, data in EDGES]
    return graph


def rustworkx_graph(directed):
    rustworkx = pytest.importorskip("rustworkx")
    graph = (rustworkx.PyDiGraph if directed else rustworkx.PyGraph)()
    graph.add_nodes_from([0, 1, 2, 3])
    graph.add_edges_from(EDGES)
    return graph


def table(directed):
    rows = [{"source": u, "target": v, **dict.fromkeys(NAMES), **data} for u, v, data in EDGES]
    return pa.Table.from_pylist(rows)


MAKERS = [
    networkx_graph,
    igraph_graph,
    rustworkx_graph,
    table,
    lambda directed: table(directed).to_pandas(),
    lambda directed: pytest.importorskip("polars").from_arrow(table(directed)),
]


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("directed", [True, False])
def test_named_attributes_are_kept(maker, directed):
    graph = triadic.Graph(maker(directed), directed=directed, columns=NAMES)
    assert list(graph.columns) == NAMES
    for name, cells in expected(graph).items():
        assert graph.columns[name].dtype.kind == KINDS[name], name
        found = of_edges(graph)[name]
        assert [None if value != value else value for value in found] == cells, name  # noqa: PLR0124 - NaN
    assert not triadic.Graph(maker(directed), directed=directed).columns


@pytest.mark.parametrize("maker", MAKERS[:4])
def test_others_are_refused(maker):
    with pytest.raises(ArgumentError, match=r"columns|column 'nope'"):
        triadic.Graph(maker(True), columns=["nope"])
    with pytest.raises(ArgumentError, match="expected a list of names of columns"):
        triadic.Graph(maker(True), columns="kind")


def test_values_of_several_types_are_refused():
    graph = nx.Graph([(0, 1, {"a": 1}), (1, 2, {"a": "x"})])
    with pytest.raises(ArgumentError, match=r"columns=\['a'\]: "):
        triadic.Graph(graph, columns=["a"])
    with pytest.raises(ArgumentError, match="expected numbers, texts, booleans or dates"):
        triadic.Graph(nx.Graph([(0, 1, {"a": [1]})]), columns=["a"])


def test_matrices_have_none():
    for network in (triadic.Graph.from_edges([0], [1]).to_scipy(), np.array([[0], [1]])):
        with pytest.raises(ArgumentError, match="expected a table, or a graph whose edges have attributes"):
            triadic.Graph(network, columns=["a"])


def test_parallel_edges_are_combined_by_rules():
    graph = nx.MultiDiGraph([(0, 1, {"a": 1}), (0, 1, {"a": 2}), (1, 2, {"a": 3})])
    with pytest.raises(ArgumentError, match="joined with the values 1 and 2"):
        triadic.Graph(graph, columns=["a"])
    assert triadic.Graph(graph, columns=["a"], combine={"a": "max"}).columns["a"].tolist() == [2, 3]


@pytest.mark.parametrize("directed", [True, False])
def test_they_go_back(directed):
    graph = triadic.Graph(networkx_graph(directed), columns=NAMES)
    again = graph.to_networkx()
    for u, v, data in EDGES:
        kept = {name: value for name, value in again.edges[u, v].items() if value is not None and value == value}  # noqa: PLR0124 - NaN
        assert kept == data
    frame = graph.to_pandas()
    assert list(frame.columns) == ["source", "target", *NAMES]
    assert (frame["ok"].dtype, pd.api.types.is_datetime64_dtype(frame["on"])) == (bool, True)
    igraph = pytest.importorskip("igraph")
    assert isinstance(graph.to_igraph(), igraph.Graph)
    assert values(graph.to_igraph().es["kind"]) == expected(graph)["kind"]


def test_weights_stay_beside_them():
    graph = triadic.Graph(networkx_graph(False), weights="n", columns=["kind"])
    assert list(graph.to_arrow().column_names) == ["source", "target", "weight", "kind"]
    assert graph.to_networkx().edges[0, 1] == {"weight": 1.0, "kind": "a"}
