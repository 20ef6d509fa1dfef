"""METIS adjacency lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triadic.errors import ReadError
from triadic.io import read_arcs

TRIANGLE = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]


def pairs(arcs):
    return list(zip(arcs.source.tolist(), arcs.target.tolist(), strict=True))


@pytest.mark.parametrize(
    "content",
    [
        "3 3\n2 3\n1 3\n1 2\n",
        "3 3\r\n2 3 \r\n1 3 \r\n1 2 \r\n",
        "% c\n3 3 0\n% c\n2 3\n1 3\n% c\n1 2\n\n\n",
        "3 3 000\n2 3\n1 3\n1 2",
        "3 3 1\n2 7 3 8\n1 7 3 9\n1 8 2 9\n",
        "3 3 001\n2 7 3 8\n1 7 3 9\n1 8 2 9\n",
        "3 3 10\n5 2 3\n5 1 3\n5 1 2\n",
        "3 3 10 2\n5 6 2 3\n5 6 1 3\n5 6 1 2\n",
        "3 3 11\n5 2 7 3 8\n5 1 7 3 9\n5 1 8 2 9\n",
        "3 3 100\n5 2 3\n5 1 3\n5 1 2\n",
        "3 3 101\n5 2 7 3 8\n5 1 7 3 9\n5 1 8 2 9\n",
        "3 3 110 2\n5 6 7 2 3\n5 6 7 1 3\n5 6 7 1 2\n",
        "3 3 111 1\n4 5 2 7 3 8\n4 5 1 7 3 9\n4 5 1 8 2 9\n",
        "3 3 1\n2 0.5 3 8\n1 0.5 3 9\n1 8 2 9\n",
        "% c\n3 3\n2 3\n1 3\n1 2",
    ],
)
def test_a_triangle_in_every_fmt(arcs_of, content):
    arcs = arcs_of(content, "n.graph")
    assert (arcs.vertices, pairs(arcs), arcs.directed, arcs.both_ends) == (3, TRIANGLE, False, True)
    assert (arcs.labels, arcs.weights) == (None, None)


@pytest.mark.parametrize(
    "content", ["3 3 1\n2 7 3 8\n1 7 3 9\n1 8 2 9\n", "3 3 111\n4 5 2 7 3 8\n4 5 1 7 3 9\n4 5 1 8 2 9\n"]
)
def test_edges_have_weights_if_the_fmt_says_so(arcs_of, content):
    assert arcs_of(content, "n.graph", weights=True).weights.tolist() == [7, 8, 7, 9, 8, 9]


def test_a_blank_line_is_an_isolated_vertex(arcs_of):
    assert pairs(arcs_of("4 1\n\n4\n\n2\n", "n.graph")) == [(1, 3), (3, 1)]
    assert arcs_of("2 0\n\n\n", "n.graph").vertices == 2
    assert arcs_of("0 0\n", "n.graph").vertices == 0


def test_a_loop_counts_as_an_edge_listed_once_or_twice(arcs_of):
    assert pairs(arcs_of("1 1\n1\n", "n.graph")) == [(0, 0)]
    assert pairs(arcs_of("1 1\n1 1\n", "n.graph")) == [(0, 0), (0, 0)]


def test_read_as_directed_a_line_lists_targets(arcs_of):
    arcs = arcs_of("3 2\n2\n3\n\n", "n.graph", directed=True)
    assert (pairs(arcs), arcs.directed, arcs.both_ends) == ([(0, 1), (1, 2)], True, False)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("3 3\n2 3\n1 3\n", None, "found 2 lines of neighbours, expected 3"),
        ("3 3\n2 3\n1 3\n1 2\n1\n", 5, "found more lines of neighbours, expected 3"),
        ("3 4\n2 3\n1 3\n1 2\n", None, "its lines hold 6 neighbours, expected 8"),
        ("3 3\n2 3\n% c\n1 4\n1 2\n", 4, "found the neighbour 4, expected 1 to 3"),
        ("3 3\n2 0\n1 3\n1 2\n", 2, "found the neighbour 0"),
        ("3 3\n2 -1\n1 3\n1 2\n", 2, "found the neighbour -1"),
        ("3 3\n2 3\n1 1.5\n1 2\n", 3, "found the neighbour 1.5, expected an integer"),
        ("3 3\n2 3\n1 x\n1 2\n", 3, "found 'x', expected a number"),
        ("4 2\n2 3\n1\n4\n\n", 2, "vertex 1 has the neighbour 3, but 3 does not have 1"),
        ("3 3 1\n2 7 3\n1 7 3 9\n1 8 2 9\n", 2, "found 3 numbers, expected 0 and then pairs"),
        ("2 1 10 2\n1 1 2\n1\n", 3, "found 1 numbers, expected 2 and then neighbours"),
        ("3\n2 3\n1 3\n1 2\n", 1, r"expected 'n m \[fmt \[ncon\]\]'"),
        ("3 3 2\n2 3\n1 3\n1 2\n", 1, "found the fmt '2'"),
        ("3 -3\n2 3\n1 3\n1 2\n", 1, "found the header '3 -3'"),
        ("3 3 0 1 1\n2 3\n1 3\n1 2\n", 1, "found the header"),
        ("99999999999999999999 3\n2 3\n", 1, "found the header"),
        ("999999999999 3\n2 3\n", None, "found 1 lines of neighbours, expected 999999999999"),
        ("% only\n\n", None, "there is no header line"),
    ],
)
def test_lines_that_disagree_are_refused(arcs_of, content, line, words):
    with pytest.raises(ReadError, match=words) as caught:
        arcs_of(content, "n.graph")
    assert caught.value.line == line


def test_weights_that_are_not_there_or_not_finite_are_refused(arcs_of):
    with pytest.raises(ReadError, match="by its header, edges have no weights"):
        arcs_of("2 1\n2\n1\n", "n.graph", weights=True)
    with pytest.raises(ReadError, match="line 3: found the weight nan"):
        arcs_of("2 1 1\n2 3\n1 nan\n", "n.graph", weights=True)


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.tuples(*[st.integers(1, n)] * 2)))))
def test_any_network_without_loops_survives(tmp_path_factory, drawn):
    n, ends = drawn
    edges = {(min(a, b), max(a, b)) for a, b in ends if a != b}
    rows = [sorted([b for a, b in edges if a == v] + [a for a, b in edges if b == v]) for v in range(1, n + 1)]
    path = tmp_path_factory.getbasetemp() / "n.graph"
    path.write_text(f"{n} {len(edges)}\n" + "".join(" ".join(map(str, row)) + "\n" for row in rows))
    assert pairs(read_arcs(path)) == [(v, w - 1) for v, row in enumerate(rows) for w in row]
