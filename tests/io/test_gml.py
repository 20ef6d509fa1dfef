"""GML files."""

from __future__ import annotations

import pytest

from triadic.errors import ReadError
from triadic.io import ReadWarning


def gml(inside, before=""):
    return f"{before}graph [\n{inside}\n]\n"


NODES = 'node [ id 5 label "a" ] node [ id 3 label "b &amp; c" ]\n'


def test_nodes_are_vertices_in_the_order_of_the_file(arcs_of):
    arcs = arcs_of(gml(NODES + "edge [ source 5 target 3 ]"), "n.gml")
    assert (arcs.labels.tolist(), arcs.source.tolist(), arcs.target.tolist()) == (["a", "b & c"], [0], [1])
    assert arcs.directed is False


def test_ids_are_labels_where_there_are_no_others(arcs_of):
    assert arcs_of(gml("node [ id 5 ] node [ id 3 ]"), "n.gml").labels.tolist() == [5, 3]
    assert arcs_of(gml("node [ id 0 ] node [ id 1 ]"), "n.gml").labels is None
    assert arcs_of(gml('node [ id 7 label "x" ] node [ id 1 ]'), "n.gml").labels.tolist() == ["x", "1"]
    assert arcs_of(gml(f"node [ id {10**30} ]"), "n.gml").labels.tolist() == [str(10**30)]


@pytest.mark.parametrize(("said", "directed"), [("directed 1", True), ("directed 0", False), ("Directed 1", True)])
def test_the_file_says_the_direction(arcs_of, said, directed):
    assert arcs_of(gml(f"{said}\n{NODES}"), "n.gml").directed is directed
    assert arcs_of(gml(f"{said}\n{NODES}"), "n.gml", directed=not directed).directed is not directed


def test_other_keys_are_passed_over_at_any_depth(arcs_of):
    deep = "x [ " * 2000 + "y 1" + " ]" * 2000
    ignored = f'comment "node [ id 9 ]"\n{deep}\n# node [ id 4 ]\n'
    inside = f"{ignored}node [ id 1 graphics [ id 7 x 1.5 ] ]\nedge[source 1 target 1]"
    arcs = arcs_of(gml(inside, before='Creator "someone"\nVersion 1\n'), "n.gml")
    assert (arcs.vertices, arcs.source.tolist()) == (1, [0])


def test_it_is_known_by_its_content(arcs_of):
    assert arcs_of(gml(NODES, before='# x\nCreator "y"\n'), "n.txt").labels.tolist() == ["a", "b & c"]
    assert arcs_of(gml(NODES).replace("\n", "\r\n").replace("graph [", "graph\r\n["), "n").vertices == 2


def test_weights_are_the_attribute_asked_for(arcs_of):
    inside = NODES + "edge [ source 5 target 3 value 2 cost 7 ] edge [ source 3 target 5 value 4.5 cost 8 ]"
    assert arcs_of(gml(inside), "n.gml").weights is None
    assert arcs_of(gml(inside), "n.gml", weights=True).weights.tolist() == [2, 4.5]
    assert arcs_of(gml(inside), "n.gml", weights="cost").weights.tolist() == [7, 8]


def test_a_second_graph_is_left_out_and_said(arcs_of):
    with pytest.warns(ReadWarning, match="read the first of 2 graphs"):
        assert arcs_of(gml(NODES) + gml(NODES * 2), "n.gml").vertices == 2


def test_text_may_be_latin_1(arcs_of):
    assert arcs_of(gml('node [ id 1 label "\xe9" ]').encode("latin-1"), "n.gml").labels.tolist() == ["é"]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("x 1\n", None, r"found no 'graph \['"),
        (gml('node [ label "a" ]'), 2, "found a node without 'id'"),
        (gml("node [ id a ] edge [ source a target b ]"), 2, "found an edge with the target b, expected the id"),
        (gml("node [ id 1 ]\nnode [ id 1 ]"), 3, "a second node with the id 1"),
        (gml("node [ id 1 ]\n\nedge [ source 1 target 2 ]"), 4, "found an edge with the target 2, expected the id of"),
        (gml("node [ id 1 ]\nedge [ source 1 ]"), 3, "found an edge without 'target'"),
        ("graph [\nnode [ id 1\n", 2, "the file ends inside 'node'"),
        ("graph [\n]\n]\n", 3, r"found '\]' without"),
        ("graph [\nnode ]\n", 2, r"found '\]', expected a value"),
        ("graph [\n5 6\n]\n", 2, "found '5', expected a key"),
        ('graph [\nlabel "a\n]\n', 2, "found a quote that is not closed"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(arcs_of, content, line, words):
    with pytest.raises(ReadError, match=words) as caught:
        arcs_of(content, "n.gml")
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("edge", "words"),
    [
        ("value nan", "found the value 'nan'"),
        ("value x", "found the value 'x'"),
        ("", "found an edge without 'weight'"),
    ],
)
def test_weights_that_are_not_finite_or_not_there_are_refused(arcs_of, edge, words):
    with pytest.raises(ReadError, match=f"line 3: {words}"):
        arcs_of(gml(f"node [ id 1 ]\nedge [ source 1 target 1 {edge} ]"), "n.gml", weights=True)
    with pytest.raises(ReadError, match="attributes have no order"):
        arcs_of(gml(NODES), "n.gml", weights=2)


def test_ids_that_are_texts_are_labels(arcs_of):
    arcs = arcs_of(
        gml('node [ id a ] node [ id "b &amp; c" ] node [ id 3 ] edge [ source a target "b &amp; c" ]'), "n.gml"
    )
    assert arcs.labels.tolist() == ["a", "b & c", "3"]
    arcs = arcs_of(gml('node [ id A label "Ann" ] node [ id B ] edge [ source A target B ]'), "n.gml")
    assert (arcs.labels.tolist(), arcs.source.tolist(), arcs.target.tolist()) == (["Ann", "B"], [0], [1])
