"""Attributes of vertices and edges pass through files and libraries, and come back with their types."""

from __future__ import annotations

import datetime as dt
import math
import re
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from triadic.errors import ReadError, ReadWarning, WriteError

TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), max_size=4)
KINDS = {
    "text": st.none() | TEXTS,
    "whole": st.integers(-(2**63), 2**63 - 1),
    "number": st.none() | st.floats(allow_nan=False),
    "truth": st.none() | st.booleans(),
}


def plain(columns):
    """Values that can be compared: None for what is missing."""
    return {
        name: [None if value is None or value != value else value for value in values.tolist()]  # noqa: PLR0124 - NaN
        for name, values in columns.items()
    }


def filled(kind, values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    if kind == "number":
        return np.array([np.nan if value is None else value for value in values], dtype=float)
    if kind == "whole" or (kind == "truth" and None not in values):
        return np.array(values)
    return array


@st.composite
def networks(draw):
    directed, n = draw(st.booleans()), 5
    pairs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), unique=True, max_size=8))
    pairs = [(a, b) for a, b in pairs if a != b and (directed or (a < b))]
    columns = {
        kind: filled(kind, draw(st.lists(values, min_size=len(pairs), max_size=len(pairs))))
        for kind, values in KINDS.items()
        if draw(st.booleans())
    }
    graph = triadic.Graph.from_edges(
        [a for a, _ in pairs],
        [b for _, b in pairs],
        num_vertices=n,
        directed=directed,
        labels=draw(st.sampled_from([None, list("abcde"), [7, 5, 3, 1, 99]])),
        weights=draw(st.sampled_from([None, [0.5 + i for i in range(len(pairs))]])),
        columns=columns,
    )
    of_vertices = {
        f"{kind} of a vertex": filled(kind, draw(st.lists(values, min_size=n, max_size=n)))
        for kind, values in KINDS.items()
        if draw(st.booleans())
    }
    return graph._with(vertex_columns=of_vertices)


@pytest.mark.parametrize("suffix", ["graphml", "gexf.gz", "triadic", "parquet"])
@given(graph=networks())
def test_what_is_written_is_what_is_read(tmp_path_factory, suffix, graph):
    path = tmp_path_factory.mktemp("columns") / f"n.{suffix}"
    triadic.write(graph, path)
    again = triadic.read(path, weights=True if graph.is_weighted else None)
    assert (again.num_vertices, again.directed or graph.directed) == (graph.num_vertices, graph.directed)
    assert np.array_equal(again.indices, graph.indices)
    if graph.num_edges:  # Parquet without a row has no columns of edges
        assert plain(again.columns) == plain(graph.columns)
    assert plain(again.vertex_columns) == plain(graph.vertex_columns)
    kinds = {name: values.dtype.kind for name, values in graph.vertex_columns.items()}
    filled_ones = [name for name, values in graph.vertex_columns.items() if any(v is not None for v in values.tolist())]
    assert {name: again.vertex_columns[name].dtype.kind for name in filled_ones} == {n: kinds[n] for n in filled_ones}


def network():
    """A network with attributes as networkx has them."""
    graph = nx.DiGraph()
    graph.add_node("a", kind="x & y", size=1)
    graph.add_node("b", size=3, at=0.5)
    graph.add_node("c", kind='say "5"', size=4, at=-1e300)
    graph.add_edge("a", "b", weight=2.0, region="L", n=7)
    graph.add_edge("c", "b", weight=3.0, n=8)
    return graph


OF_NODES = {"kind": ["x & y", None, 'say "5"'], "size": [1, 3, 4], "at": [None, 0.5, -1e300]}
OF_EDGES = {"region": ["L", None], "n": [7, 8]}


@pytest.mark.parametrize("name", ["graphml", "gexf", "gml"])
def test_files_of_networkx_keep_their_attributes(tmp_path, name):
    path = tmp_path / f"n.{name}"
    getattr(nx, f"write_{name}")(network(), path)
    graph = triadic.read(path)
    assert graph.labels.tolist() == ["a", "b", "c"]
    assert plain(graph.vertex_columns) == OF_NODES
    assert plain(graph.columns) == OF_EDGES
    weighted = triadic.read(path, weights=True, columns=["size", "n"])
    assert weighted.weights.tolist() == [2, 3]
    assert plain(weighted.vertex_columns) == {"size": [1, 3, 4]}
    assert [*weighted.columns] == ["weight", "n"] or [*weighted.columns] == ["n", "weight"]
    bare = triadic.read(path, columns=[])
    assert (dict(bare.columns), dict(bare.vertex_columns)) == ({}, {})
    with pytest.raises(ReadError, match=re.escape("there is no column 'colour'; expected one of at, kind, n")):
        triadic.read(path, columns=["colour"])


@pytest.mark.parametrize("name", ["graphml", "gexf"])
def test_networkx_reads_what_is_written(tmp_path, name):
    path = tmp_path / f"n.{name}"
    graph = triadic.Graph(network(), weights=True, columns=["kind", "size", "at", "region", "n"])
    triadic.write(graph, path)
    again = getattr(nx, f"read_{name}")(path)
    for node, data in network().nodes(data=True):
        assert {key: value for key, value in again.nodes[node].items() if key != "label"} == data
    for a, b, data in network().edges(data=True):
        assert {key: value for key, value in again.edges[a, b].items() if key != "id"} == data


def test_libraries_return_the_columns():
    graph = triadic.Graph(network(), weights=True, columns=["kind", "size", "at", "region", "n"])
    assert plain(graph.vertex_columns) == OF_NODES
    out = graph.to_networkx()
    assert [out.nodes[node]["size"] for node in "abc"] == [1, 3, 4]
    assert "kind" not in out.nodes["b"]  # as networkx has a missing value
    assert out.edges["a", "b"] == {"weight": 2.0, "region": "L", "n": 7}
    igraph = pytest.importorskip("igraph")
    other = graph.to_igraph()
    assert (other.vs["name"], other.vs["size"]) == (["a", "b", "c"], [1, 3, 4])
    back = triadic.Graph(other, columns=["kind", "size", "n"])
    assert plain(back.vertex_columns) == {name: OF_NODES[name] for name in ("kind", "size")}
    assert plain(back.columns) == {"n": [7, 8]}
    assert isinstance(other, igraph.Graph)


def test_missing_values_and_dates_go_to_networkx_and_igraph_as_they_have_them():
    days = np.array(["2024-01-02T03:04:05", "NaT"], dtype="M8[ns]")
    graph = triadic.Graph.from_edges([0], [1], columns={"at": days[:1], "x": [np.nan]}).with_vertices({"on": days})
    out = graph.to_networkx()
    assert out.nodes[0] == {"on": dt.datetime(2024, 1, 2, 3, 4, 5)}
    assert (out.nodes[1], out.edges[0, 1]) == ({}, {"at": dt.datetime(2024, 1, 2, 3, 4, 5)})
    pytest.importorskip("igraph")
    assert graph.to_igraph().vs["on"] == [dt.datetime(2024, 1, 2, 3, 4, 5), None]


def test_payloads_of_rustworkx_are_columns():
    rustworkx = pytest.importorskip("rustworkx")
    graph = rustworkx.PyGraph()
    graph.add_nodes_from([{"kind": "x"}, {"kind": "y", "size": 2}, {"size": 3}])
    graph.add_edges_from([(0, 1, {"n": 5}), (1, 2, {"n": 6})])
    made = triadic.Graph(graph, columns=["kind", "size", "n"])
    assert plain(made.vertex_columns) == {"kind": ["x", "y", None], "size": [None, 2, 3]}
    assert made.columns["n"].tolist() == [5, 5, 6, 6]


def test_labels_of_gephi_are_a_column(tmp_path):
    path = tmp_path / "n.gexf"
    nodes = '<node id="0" label="Valjean"/><node id="1" label="Javert"/>'
    path.write_text(f'<gexf><graph><nodes>{nodes}</nodes><edges><edge source="0" target="1"/></edges></graph></gexf>')
    graph = triadic.read(path)
    assert graph.vertex_columns["label"].tolist() == ["Valjean", "Javert"]
    triadic.write(graph, path)
    assert 'id="0" label="Valjean"' in path.read_text()
    assert triadic.read(path).vertex_columns["label"].tolist() == ["Valjean", "Javert"]
    half = graph._with(vertex_columns={"label": np.array(["Valjean", None], dtype=object)})
    triadic.write(half, path)
    assert 'id="1" label="1"' in path.read_text()
    assert triadic.read(path).vertex_columns["label"].tolist() == ["Valjean", None]


def test_defaults_and_keys_of_all_elements(tmp_path):
    path = tmp_path / "n.graphml"
    keys = (
        '<key id="a" for="all" attr.name="seen" attr.type="boolean"><default>true</default></key>'
        '<key id="n" for="node" attr.name="n" attr.type="int"/>'
    )
    nodes = '<node id="x"><data key="a">0</data><data key="n"> 5 </data></node><node id="y"><data key="n"/></node>'
    edge = '<edge source="x" target="y"/>'
    path.write_text(f'<graphml>{keys}<graph edgedefault="undirected">{nodes}{edge}</graph></graphml>')
    graph = triadic.read(path)
    assert plain(graph.vertex_columns) == {"seen": [False, True], "n": [5, None]}
    assert plain(graph.columns) == {"seen": [True, True]}
    path.write_text(path.read_text().replace(" 5 ", "five"))
    with pytest.raises(ReadError, match="the attribute 'n' holds a value that is no int"):
        triadic.read(path)


def test_keys_may_be_declared_after_the_graph_or_not_at_all(tmp_path):
    path = tmp_path / "n.graphml"
    nodes = '<node id="x"><data key="a">5</data><data key="b">t</data></node><node id="y"/>'
    key = '<key id="a" for="node" attr.name="n" attr.type="int"/>'
    path.write_text(
        f'<graphml><graph edgedefault="directed">{nodes}<edge source="x" target="y"/></graph>{key}</graphml>'
    )
    assert plain(triadic.read(path).vertex_columns) == {"n": [5, None], "b": ["t", None]}


def test_several_values_of_one_edge_are_refused_unless_a_rule_or_the_columns_say_more(tmp_path):
    path = tmp_path / "n.graphml"
    graph = nx.MultiGraph()
    graph.add_edge("a", "b", region="L")
    graph.add_edge("a", "b", region="R")
    nx.write_graphml(graph, path)
    with pytest.raises(triadic.errors.ArgumentError, match=r"joined with the values L and R.*or columns= without it"):
        triadic.read(path)
    assert triadic.read(path, combine={"region": "first"}).columns["region"].tolist() == ["L", "L"]
    assert triadic.read(path, columns=[]).num_edges == 1


def test_what_a_format_cannot_hold_is_refused_or_left_out(tmp_path):
    graph = triadic.Graph.from_edges([0], [1], columns={"on": np.array(["2024-01-02"], "M8[D]"), "n": [3]})
    graph = graph.with_vertices({"on": np.array(["2024-01-02"] * 2, "M8[D]"), "m": [1, 2]})
    for name, words in (
        ("n.graphml", "XML has no attributes for the column 'on', which holds datetime64"),
        ("n.csv", "the format 'csv' loses the columns of vertices on, m"),
        ("n.mtx", "the format 'matrix-market' loses the columns on, n"),
    ):
        with pytest.raises(WriteError, match=re.escape(words)):
            triadic.write(graph, tmp_path / name)
        triadic.write(graph, tmp_path / name, lossy=True)
    again = triadic.read(tmp_path / "n.graphml")
    assert (plain(again.columns), plain(again.vertex_columns)) == ({"n": [3, 3]}, {"m": [1, 2]})
    bad = triadic.Graph.from_edges([0], [1]).with_vertices({"t": ["\x00", "x"]})
    with pytest.raises(WriteError, match="XML cannot hold the text"):
        triadic.write(bad, tmp_path / "b.gexf")


def test_partitions_and_vectors_of_a_project_are_columns(tmp_path):
    path = tmp_path / "n.paj"
    path.write_text(
        "*Network n\n*Vertices 3\n1 a\n2 b\n3 c\n*Edges\n1 2\n*Partition Types of things\n*Vertices 3\n1\n2\n2\n"
        "*Vector\n*Vertices 3\n0.5\n1\n2e3\n*Vector\n*Vertices 3\n5\n6\n7\n*Partition of others\n*Vertices 2\n1\n1\n"
    )
    with pytest.warns(ReadWarning, match="left out 1 partition$"):
        graph = triadic.read(path)
    assert plain(graph.vertex_columns) == {
        "Types of things": [1, 2, 2],
        "vector": [0.5, 1, 2000],
        "vector (2)": [5, 6, 7],
    }
    with pytest.warns(ReadWarning):
        assert [*triadic.read(path, columns=["vector"]).vertex_columns] == ["vector"]
    path.write_text("*Vertices 2\n*Edges\n1 2\n*Vector v\n*Vertices 2\n1\n")
    with pytest.raises(ReadError, match="found a vector of 1 numbers, expected 2"):
        triadic.read(path)


def test_commands_do_not_read_columns_that_they_do_not_need(tmp_path, capsys):
    path = tmp_path / "n.graphml"
    graph = nx.MultiGraph([("a", "b", {"region": "L"}), ("a", "b", {"region": "R"}), ("b", "c", {}), ("a", "c", {})])
    nx.write_graphml(graph, path)
    assert triadic.cli.main(["clustering", str(path)]) == 0
    assert triadic.cli.main(["convert", str(path), str(tmp_path / "n.csv")]) == 2
    assert "joined with the values" in capsys.readouterr().err
    assert triadic.cli.main(["convert", str(path), str(tmp_path / "n.csv"), "--columns", ""]) == 0


def test_a_damaged_column_of_vertices_is_refused(tmp_path):
    path = tmp_path / "n.triadic"
    triadic.write(triadic.Graph.from_edges([0, 1], [1, 2]).with_vertices({"n": [1, 2, 3]}), path)
    file = Path(path) / "vertex_columns.arrow"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(bytes(content))
    with pytest.raises(ReadError, match=r"vertex_columns\.arrow"):
        triadic.read(path)
    assert math.isclose(triadic.transitivity(triadic.read(path, columns=[])), 0)


FILES = {
    "a.gml": 'graph [ node [ id 0 kind "x" size 3 ] node [ id 1 kind "y" size 4 ] edge [ source 0 target 1 ] ]',
    "a.net": '*Vertices 2\n1 "a" 0.5 0.5 size 3\n2 "b" 0.5 0.5 size 4\n*Edges\n1 2\n',
}


@pytest.mark.parametrize("name", [*FILES, "a.graphml", "a.gexf", "a.parquet", "a.triadic"])
def test_further_vertices_have_no_values(tmp_path, name):
    path = tmp_path / name
    if name in FILES:
        path.write_text(FILES[name])
    else:
        graph = triadic.Graph.from_edges([0], [1], columns={"w": [1]}, num_vertices=2)
        triadic.write(graph.with_vertices({"kind": ["x", None], "size": [3, 4]}), path)
    known = triadic.read(path).vertex_columns
    found = triadic.read(path, num_vertices=4)
    assert found.num_vertices == 4
    assert plain(found.vertex_columns) == {name: [*values, None, None] for name, values in plain(known).items()}
    assert plain(triadic.read(path, num_vertices=2).vertex_columns) == plain(known)
