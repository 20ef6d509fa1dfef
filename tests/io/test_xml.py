"""GraphML and GEXF: what other programs write is read, and what is written is read by other programs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from triadic.errors import ReadError, WriteError
from triadic.io import ReadWarning, read, read_arcs, write

FORMATS = {"graphml": (nx.write_graphml, nx.read_graphml), "gexf": (nx.write_gexf, nx.read_gexf)}


def graphml(body, edgedefault="undirected", keys=""):
    start = f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{keys}<graph edgedefault="{edgedefault}">'
    return f"{start}\n{body}</graph></graphml>"


def gexf(nodes, edges, edgetype="undirected", attributes=""):
    return (
        f'<gexf xmlns="http://gexf.net/1.3" version="1.3"><graph defaultedgetype="{edgetype}">{attributes}'
        f"<nodes>{nodes}</nodes>\n<edges>{edges}</edges></graph></gexf>"
    )


NODES = '<node id="a"/><node id="b"/><node id="c"/>\n'


@pytest.fixture(params=[False, True], ids=["undirected", "directed"])
def named_network(request):
    """A network of networkx with odd names, weights and an isolated vertex."""
    graph = nx.gnp_random_graph(30, 0.1, seed=3, directed=request.param)
    for number, (u, v) in enumerate(graph.edges):
        graph.edges[u, v]["weight"] = number / 7
    graph = nx.relabel_nodes(graph, {u: f'<{u}> & "é"' for u in graph})
    graph.add_node("alone")
    return graph


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("suffix", ["", ".gz"])
class TestNetworkx:
    def test_its_files_are_read(self, named_network, tmp_path, name, suffix):
        path = tmp_path / f"n.{name}{suffix}"
        FORMATS[name][0](named_network, path)
        expected = triadic.Graph(named_network, weights="weight")
        found = read(path, weights=True)
        assert found.directed == named_network.is_directed()
        assert found.labels.tolist() == list(named_network)
        for part in ("indptr", "indices", "weights"):
            np.testing.assert_array_equal(getattr(found, part), getattr(expected, part))

    def test_it_reads_our_files(self, named_network, tmp_path, name, suffix):
        path = tmp_path / f"n.{name}{suffix}"
        write(triadic.Graph(named_network, weights="weight"), path)
        found = FORMATS[name][1](path)
        assert found.is_directed() == named_network.is_directed()
        assert list(found) == list(named_network)
        assert {(u, v): weight for u, v, weight in found.edges(data="weight")} == {
            (u, v): weight for u, v, weight in named_network.edges(data="weight")
        }


@pytest.mark.parametrize("directed", [False, True])
def test_igraph_reads_and_writes_the_same_graphml(tmp_path, directed):
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph.Erdos_Renyi(30, 0.2, directed=directed)
    graph.es["weight"] = [edge.index / 8 for edge in graph.es]  # igraph writes 15 digits
    graph.write_graphml(str(tmp_path / "theirs.graphml"))
    theirs = read(tmp_path / "theirs.graphml", weights=True)
    ours = triadic.Graph(graph, weights="weight")
    assert theirs.directed == directed
    assert theirs.labels.tolist() == [f"n{i}" for i in range(30)]
    np.testing.assert_array_equal(theirs.indices, ours.indices)
    np.testing.assert_array_equal(theirs.weights, ours.weights)
    write(ours, tmp_path / "ours.graphml")
    again = igraph.Graph.Read_GraphML(str(tmp_path / "ours.graphml"))
    assert sorted(again.get_edgelist()) == sorted(graph.get_edgelist())
    assert again.is_directed() == directed


@given(
    edges=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30),
    directed=st.booleans(),
    weighted=st.booleans(),
    labels=st.none()
    | st.lists(st.integers(0, 2**63 - 1), min_size=10, max_size=10, unique=True)
    | st.lists(
        st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn"]), min_size=1), min_size=10, max_size=10, unique=True
    ),
)
@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_is_read_back(tmp_path_factory, name, edges, directed, weighted, labels):
    graph = triadic.Graph.from_edges(
        [u for u, _ in edges],
        [v for _, v in edges],
        num_vertices=10,
        directed=directed,
        weights=[1 / (1 + i) for i in range(len(edges))] if weighted else None,
        labels=labels,
    )
    path = tmp_path_factory.getbasetemp() / f"written.{name}"
    write(graph, path)
    again = read(path, weights=weighted)
    assert again.directed == directed
    assert again.num_vertices == 10
    for part in ("indptr", "indices"):
        np.testing.assert_array_equal(getattr(again, part), getattr(graph, part))
    if weighted:
        np.testing.assert_array_equal(again.weights, graph.weights)
    if labels is not None and sorted(map(str, labels)) != [str(i) for i in range(10)]:
        assert list(map(str, again.labels.tolist())) == list(map(str, labels))


class TestIds:
    @pytest.mark.parametrize(
        ("ids", "labels"),
        [
            (["0", "1", "2"], None),
            (["1", "0", "2"], [1, 0, 2]),
            (["7", "-3", "9000000000000000000"], [7, -3, 9000000000000000000]),
            (["01", "1", "2"], ["01", "1", "2"]),
            (["1", "2", "9300000000000000000"], ["1", "2", "9300000000000000000"]),
            (["1", "b", "2"], ["1", "b", "2"]),
        ],
    )
    def test_are_labels_and_integers_where_all_are(self, arcs_of, ids, labels):
        nodes = "".join(f'<node id="{name}"/>' for name in ids)
        for content in (graphml(nodes), gexf(nodes, "")):
            arcs = arcs_of(content)
            assert arcs.vertices == 3
            assert (None if arcs.labels is None else arcs.labels.tolist()) == labels
            assert arcs.labels is None or arcs.labels.dtype == (np.int64 if isinstance(labels[0], int) else np.object_)

    def test_an_edge_may_come_before_its_nodes(self, pairs_of):
        assert pairs_of(graphml('<edge source="b" target="a"/><node id="a"/><node id="b"/>')) == [("b", "a")]

    @pytest.mark.parametrize(
        ("body", "problem"),
        [
            ('<node id="a"/>\n<node id="a"/>', "line 3: found a second node with the id 'a'"),
            ("<node/>", "line 2: found a node without 'id'"),
            ('<node id="a"/><edge source="a"/>', "line 2: found an edge without 'target'"),
            (
                '<node id="a"/>\n<edge source="a" target="x"/>\n',
                "line 3: found an edge with the end 'x', expected the id",
            ),
        ],
    )
    def test_that_are_missing_or_repeated_are_refused(self, arcs_of, body, problem):
        with pytest.raises(ReadError, match=problem):
            arcs_of(graphml(body))


class TestDirection:
    EDGES = '<edge source="a" target="b" {}/><edge source="b" target="b" {}/><edge source="a" target="b" {}/>'

    def test_parallel_edges_and_loops_are_kept(self, pairs_of):
        body = self.EDGES.format("", "", "")
        expected = [("a", "b"), ("b", "b"), ("a", "b")]
        assert pairs_of(graphml(NODES + body)) == expected
        assert pairs_of(gexf(NODES, body, "directed")) == expected

    def test_an_undirected_edge_of_a_directed_network_is_two_arcs(self, arcs_of, pairs_of):
        for content in (
            graphml(NODES + self.EDGES.format("", "", 'directed="true"')),
            gexf(NODES, self.EDGES.format("", "", 'type="directed"')),
            gexf(NODES, self.EDGES.format('type="mutual"', "", ""), "directed"),
        ):
            assert arcs_of(content).directed
            assert pairs_of(content) == [("a", "b"), ("b", "b"), ("a", "b"), ("b", "a")]
            assert pairs_of(content, directed=False) == [("a", "b"), ("b", "b"), ("a", "b")]

    def test_without_edges_the_default_tells(self, arcs_of):
        assert arcs_of(graphml(NODES, "directed")).directed
        assert not arcs_of(gexf(NODES, "")).directed

    def test_a_word_that_is_not_known_is_refused(self, arcs_of):
        with pytest.raises(ReadError, match="found edges that are 'both', expected undirected or directed or"):
            arcs_of(graphml("", "both"))


class TestWeights:
    KEYS = (
        '<key id="n" for="node" attr.name="weight"/><key id="x" for="edge" attr.name="cost" attr.type="double"/>'
        '<key id="w" for="edge" attr.name="weight"><default>0.5</default></key>'
    )
    EDGES = (
        '<edge source="a" target="b"><data key="w">2</data><data key="x">7</data></edge>\n'
        '<edge source="b" target="c"><data key="x"> 8e0 </data></edge>'
    )

    def test_of_graphml_go_by_the_name_of_their_key(self, arcs_of):
        content = graphml(NODES + self.EDGES, keys=self.KEYS)
        assert arcs_of(content).weights is None
        assert arcs_of(content, weights=True).weights.tolist() == [2, 0.5]
        assert arcs_of(content, weights="cost").weights.tolist() == [7, 8]

    @pytest.mark.parametrize(
        ("content", "asked", "problem"),
        [
            (graphml(NODES + EDGES), True, "line 3: found no key of edges with the attr.name 'weight'"),
            (graphml(NODES + EDGES, keys=KEYS.replace("0.5", "")), True, "line 4: found the weight ''"),
            (graphml(NODES + EDGES, keys=KEYS.replace("<default>0.5</default>", "")), True, "without 'weight'"),
            (
                graphml(NODES + EDGES.replace("7", "inf"), keys=KEYS),
                "cost",
                "line 3: found the cost 'inf', expected a finite",
            ),
            (graphml(NODES), 2, "attributes have no order; expected a name or True"),
        ],
    )
    def test_that_are_missing_or_not_finite_are_refused(self, arcs_of, content, asked, problem):
        with pytest.raises(ReadError, match=problem):
            arcs_of(content, weights=asked)

    def test_of_gexf_are_1_unless_an_edge_says_otherwise(self, arcs_of):
        attributes = (
            '<attributes class="edge"><attribute id="0" title="cost"><default>4</default></attribute></attributes>'
        )
        edges = (
            '<edge source="a" target="b" weight="2.5"><attvalues><attvalue for="0" value="3"/></attvalues></edge>'
            '<edge source="b" target="c"/>'
        )
        content = gexf(NODES, edges, attributes=attributes)
        assert arcs_of(content, weights=True).weights.tolist() == [2.5, 1]
        assert arcs_of(content, weights="cost").weights.tolist() == [3, 4]
        with pytest.raises(ReadError, match="no attribute of edges with the title 'x'"):
            arcs_of(content, weights="x")


class TestRefused:
    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            (graphml('<node id="a">\n<graph edgedefault="directed"/></node>'), "line 3: .* nested graphs are not read"),
            (graphml(NODES + '<hyperedge><endpoint node="a"/></hyperedge>'), "line 3: .*hyperedges are not read"),
            (gexf('<node id="a"><nodes><node id="b"/></nodes></node>', ""), "nested nodes are not read"),
            ("<graphml></graphml>", "found no graph in it"),
            ("<gexf/>", "found no graph in it"),
            (graphml(NODES)[:-5], "line 3: is not well-formed XML"),
            (graphml(NODES) + "more", "line 3: is not well-formed XML"),
            ('<?xml version="1.0" encoding="utf-99"?><gexf/>', "encoding"),
            ('<!DOCTYPE graphml [<!ENTITY e "x">]>' + graphml('<node id="&e;"/>'), "entities are not expanded"),
            ('<!DOCTYPE graphml [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + graphml(""), "entities are not expanded"),
            (
                '<!DOCTYPE graphml SYSTEM "graphml.dtd">' + graphml(NODES),
                "refers to an external DTD, which is not read",
            ),
        ],
    )
    def test_in_one_line(self, arcs_of, content, problem):
        with pytest.raises(ReadError, match=problem) as caught:
            arcs_of(content)
        assert "\n" not in str(caught.value)

    def test_a_file_of_another_root_under_the_name(self, arcs_of):
        with pytest.raises(ReadError, match="found the root element 'gexf', expected 'graphml'"):
            arcs_of(gexf("", ""), "n.graphml", format="graphml")

    def test_further_graphs_are_left_out_with_a_warning(self, arcs_of):
        content = graphml(NODES).replace("</graphml>", '<graph><node id="x"/></graph></graphml>')
        with pytest.warns(ReadWarning, match="read the first of 2 graphs"):
            assert arcs_of(content).vertices == 3

    @pytest.mark.parametrize("name", FORMATS)
    @pytest.mark.parametrize(
        ("labels", "problem"),
        [(["a", "b", "\uffff"], "XML cannot hold"), (["a", "b"], "no label"), (["a", "b", "a"], "several vertices")],
    )
    def test_labels_that_xml_cannot_hold_are_not_written(self, tmp_path, name, labels, problem):
        graph = triadic.Graph.from_edges([0], [1], num_vertices=3, labels=labels)
        with pytest.raises(WriteError, match=problem):
            write(graph, tmp_path / f"n.{name}")
        assert not list(tmp_path.iterdir())


def test_elements_of_another_namespace_are_skipped(pairs_of):
    body = NODES + '<edge source="a" target="b"><data key="d"><y:edge source="x" target="z"/><y:graph/></data></edge>'
    assert pairs_of(graphml(body).replace("<graphml ", '<graphml xmlns:y="http://yworks.com" ')) == [("a", "b")]


def test_a_file_of_gephi_is_read(pairs_of):
    content = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2" xmlns:viz="http://www.gexf.net/1.2draft/viz">
  <meta lastmodifieddate="2020-01-01"><creator>Gephi 0.9</creator></meta>
  <graph defaultedgetype="directed" mode="static">
    <attributes class="node" mode="static"><attribute id="size" title="size" type="float"/></attributes>
    <nodes>
      <node id="11.0" label="Valjean"><viz:size value="10"/><viz:position x="1" y="2"/></node>
      <node id="48.0" label="Gavroche"/>
    </nodes>
    <edges><edge id="0" source="11.0" target="48.0" weight="7.0"><viz:color r="1" g="2" b="3"/></edge></edges>
  </graph>
</gexf>"""
    assert pairs_of(content) == [("11.0", "48.0")]


@pytest.mark.parametrize("name", FORMATS)
def test_a_long_file_is_read_in_little_memory(tmp_path, name):
    graph = triadic.generate.rmat(10, seed=1)
    write(graph, tmp_path / f"n.{name}.zst")
    arcs = read_arcs(tmp_path / f"n.{name}.zst")
    assert (arcs.vertices, len(arcs)) == (graph.num_vertices, graph.num_edges)
