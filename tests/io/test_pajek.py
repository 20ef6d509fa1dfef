"""Pajek networks and projects."""

from __future__ import annotations

import numpy as np
import pytest

from triadic.errors import ReadError
from triadic.io import ReadWarning

THREE = '*Vertices 3\n1 "a" 0.1 0.2\n2 b ic Blue\n3\n'


def test_vertices_have_quoted_labels_plain_ones_or_none(arcs_of):
    assert arcs_of(THREE, "n.net").labels.tolist() == ["a", "b", "3"]


def test_vertices_that_are_not_listed_go_by_their_number(arcs_of):
    assert arcs_of('*Vertices 4\n3 "c"\n', "n.net").labels.tolist() == ["1", "2", "c"]


def test_without_labels_there_are_none(arcs_of):
    arcs = arcs_of("*Vertices 4\n*Arcs\n1 4\n", "n.net")
    assert (arcs.labels, arcs.vertices) == (None, 4)


def test_labels_may_be_latin_1(arcs_of):
    assert arcs_of(b'*Vertices 1\n1 "Barab\xe1si"\n', "n.net").labels.tolist() == ["Barabási"]


@pytest.mark.parametrize(
    ("content", "pairs", "directed"),
    [
        ("*Arcs\n1 2 5\n3 1\n", [(0, 1), (2, 0)], True),
        ('*ARCS :1 "friends"\n1 2\n*arcs :2\n1 2\n', [(0, 1), (0, 1)], True),
        ("*Edges\n1 2\n2 3\n", [(0, 1), (1, 2)], False),
        ("*Arcs\n*Edges\n1 2\n", [(0, 1)], False),
        ("*Edges\n*Arcs\n1 2\n", [(0, 1)], True),
        ("*Arcslist\n1 2 3\n2\n3 1\n", [(0, 1), (0, 2), (2, 0)], True),
        ("*Edgeslist\n1 2 3\n", [(0, 1), (0, 2)], False),
        ("*Matrix\n0 1 0\n0 0 2.5\n0 0 0\n", [(0, 1), (1, 2)], True),
        ("*Matrix\n0 1 0 0 0 2.5\n0 0 0\n", [(0, 1), (1, 2)], True),
        ("*Arcs\n1 2\n*Edges\n2 3\n", [(0, 1), (1, 2), (2, 1)], True),
        ("*Arcs\n1 2\n*Edges\n2 3\n3 2\n3 3\n", [(0, 1), (1, 2), (2, 2), (2, 1)], True),
        ("*Arcs\n1 2\n*Edgeslist\n1 2 3\n", [(0, 1), (0, 1), (0, 2), (1, 0), (2, 0)], True),
        ('*Arcs\n1 2 1 c Blue l "x"\n2 1 w 3\n', [(0, 1), (1, 0)], True),
        ("% note\n*Arcs\n% note\n\n1 2\n   % note\n", [(0, 1)], True),
        ("*Arcs\n", [], True),
        ("*Edges\n", [], False),
        ("", [], True),
    ],
)
def test_links_in_every_notation(arcs_of, content, pairs, directed):
    for text in (THREE + content, (THREE + content).replace("\n", "\r\n")):
        arcs = arcs_of(text, "n.net")
        assert list(zip(arcs.source.tolist(), arcs.target.tolist(), strict=True)) == pairs
        assert arcs.directed is directed


def test_links_carry_weights_if_asked_for(arcs_of):
    arcs = arcs_of(
        THREE + "*Arcs\n1 2 5\n3 1\n*Arcslist\n1 3\n*Matrix\n0 0 0\n0 0 -1.5\n0 0 0\n", "n.net", weights=True
    )
    assert arcs.weights.tolist() == [5, 1, 1, -1.5]
    arcs = arcs_of(THREE + '*Edges\n1 2 5 c Blue\n2 3 l "x y" w\n', "n.net", weights=True)
    assert arcs.weights.tolist() == [5, 1]


def test_a_two_mode_matrix_joins_the_two_sets(arcs_of):
    arcs = arcs_of("*Vertices 5 2\n*Matrix\n1 0 0\n0 1 1\n", "n.net")
    assert (arcs.source.tolist(), arcs.target.tolist(), arcs.vertices) == ([0, 1, 1], [2, 3, 4], 5)


def test_an_edge_from_both_ends_counts_once_in_each_relation(arcs_of):
    content = "*Vertices 3\n*Edges :1\n1 2 5\n2 1 5\n*Edges :2\n1 2 7\n2 3 1\n"
    arcs = arcs_of(content, "n.net", weights=True)
    assert list(zip(arcs.source.tolist(), arcs.target.tolist(), arcs.weights.tolist(), strict=True)) == [
        (0, 1, 5),
        (0, 1, 7),
        (1, 2, 1),
    ]
    assert not arcs.both_ends


def test_an_edge_with_two_weights_in_one_relation_is_refused(arcs_of):
    with pytest.raises(ReadError, match="the edge between 1 and 2 has different weights from its two ends"):
        arcs_of("*Vertices 3\n*Arcs\n1 3\n*Edges\n1 2 5\n2 1 6\n", "n.net", weights=True)


def test_what_is_asked_for_outweighs_the_sections(arcs_of):
    arcs = arcs_of(THREE + "*Edges\n1 2\n", "n.net", directed=True)
    assert (arcs.directed, arcs.source.tolist(), arcs.target.tolist()) == (True, [0, 1], [1, 0])
    arcs = arcs_of(THREE + "*Arcs\n1 2\n*Edges\n2 3\n3 2\n", "n.net", directed=False)
    assert (arcs.directed, arcs.source.tolist(), arcs.target.tolist()) == (False, [0, 1], [1, 2])


def test_more_vertices_may_be_declared_but_not_fewer(arcs_of):
    assert arcs_of(THREE, "n.net", num_vertices=9).vertices == 9
    with pytest.raises(ReadError, match="the file declares 3 vertices, expected at most num_vertices=2"):
        arcs_of(THREE, "n.net", num_vertices=2)


PROJECT = """\
*Partition colours
*Vertices 2
1
2
*Network first
*Vertices 2
1 "a"
2 "b"
*Edges
1 2
*Vector size
*Vertices 2
0.5
0.5
*Network second
*Vertices 9
*Arcs
1 9
"""


def test_a_project_gives_its_first_network_and_says_what_is_left_out(arcs_of):
    with pytest.warns(ReadWarning, match=r"left out 1 network$") as caught:
        arcs = arcs_of(PROJECT, "n.paj")
    assert (arcs.vertices, arcs.labels.tolist(), len(arcs), arcs.directed) == (2, ["a", "b"], 1, False)
    assert {name: values.tolist() for name, values in arcs.vertex_columns.items()} == {
        "colours": [1, 2],
        "size": [0.5, 0.5],
    }
    assert caught[0].filename.endswith("conftest.py"), "the warning points at the caller"


def test_a_second_network_in_a_net_is_left_out_too(arcs_of):
    with pytest.warns(ReadWarning, match="left out 2 networks"):
        arcs = arcs_of("*Vertices 2\n*Arcs\n1 2\n*Vertices 3\n*Arcs\n1 3\n*Network x\n*Vertices 3\n", "n.net")
    assert (arcs.vertices, len(arcs)) == (2, 1)


def test_labels_of_a_few_of_very_many_vertices_are_left_out(arcs_of):
    with pytest.warns(ReadWarning, match="left out the labels"):
        arcs = arcs_of('*Vertices 1000000000000\n1000000000000 "last"\n*Arcs\n1 1000000000000\n', "n.net")
    assert (arcs.labels, arcs.vertices) == (None, 10**12)
    assert arcs.target.dtype == np.int64


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("*Vertices 3\n*Arcs\n1 2\n1 4\n", 4, "found the vertex 4, expected an integer from 1 to 3"),
        ("*Vertices 3\n*Arcs\n% c\n0 2\n", 4, "found the vertex 0"),
        ("*Vertices 3\n*Arcs\n1 2.5\n", 3, "found the vertex 2.5"),
        ("*Vertices 3\n*Arcs\n1 nan\n", 3, "found the vertex nan"),
        ("*Vertices 3\n*Arcs\n1 -2\n", 3, "found the vertex -2"),
        ("*Vertices 3\n*Arcs\n1 9223372036854775808\n", 3, "found the vertex 9.22"),
        ("*Vertices 3\n*Edges\n1 2\n3\n", 4, "found one number, expected two ends of a link"),
        ("*Vertices 3\n*Arcs\n1 x\n", 3, "found 'x', expected a number"),
        ("*Vertices 3\n*Arcslist\n1 2 x\n", 3, "found 'x', expected a number"),
        ("*Vertices 3\n*Arcslist\n1 2\n\n2 7\n", 5, "found the vertex 7"),
        ("*Vertices 2\n*Matrix\n0 1\n1\n", 2, "found a matrix of 3 numbers, expected 2 rows of 2"),
        ('*Vertices 3\n1 "a\n', 2, "expected a vertex's number and label"),
        ("*Vertices 3\nx\n", 2, "expected a vertex's number and label"),
        ('*Vertices 3\n4 "a"\n', 2, "found the vertex 4, expected 1 to 3"),
        ('*Vertices 3\n1 "a"\n1 "b"\n', 3, "found the vertex 1 a second time"),
        ("*Vertices\n", 1, "expected a number of vertices"),
        ("*Vertices -3\n", 1, "expected a number of vertices"),
        ("*Vertices 3 4\n", 1, "found 4 vertices in the first set"),
        ("*Vertices 3\n*Archs\n1 2\n", 2, r"found '\*archs', expected one of \*network, \*vertices"),
        ("*Arcs\n1 2\n*Vertices 3\n", 1, r"found \*arcs before \*vertices"),
        ("% c\n1 2\n*Vertices 3\n", 2, "expected Pajek"),
        ("*Network x\n", None, r"found no \*vertices"),
        ("1 2\n", 1, "expected Pajek"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(arcs_of, content, line, words):
    with pytest.raises(ReadError, match=words) as caught:
        arcs_of(content, "n.net")
    assert caught.value.line == line


@pytest.mark.parametrize("weight", ["nan", "inf"])
def test_a_weight_that_is_not_finite_is_refused_if_weights_are_asked_for(arcs_of, weight):
    content = f"*Vertices 2\n*Arcs\n1 2 1\n2 1 {weight}\n"
    assert len(arcs_of(content, "n.net")) == 2
    with pytest.raises(ReadError, match=rf"line 4: found the weight {weight}"):
        arcs_of(content, "n.net", weights=True)


def test_its_weights_have_no_name(arcs_of):
    with pytest.raises(ReadError, match="use weights=True"):
        arcs_of(THREE, "n.net", weights="weight")
