"""Matrix Market files."""

from __future__ import annotations

import pytest

from triadic.errors import ReadError

COORDINATE = "%%MatrixMarket matrix coordinate"


def pairs(arcs):
    return list(zip(arcs.source.tolist(), arcs.target.tolist(), strict=True))


@pytest.mark.parametrize(
    ("content", "expected", "directed"),
    [
        (f"{COORDINATE} pattern general\n3 3 2\n1 2\n3 1\n", [(0, 1), (2, 0)], True),
        (f"{COORDINATE} real general\n% c\n\n3 3 2\n1 2 0.5\n3 1 0\n", [(0, 1), (2, 0)], True),
        (f"{COORDINATE} integer general\r\n3 3 2\r\n1 2 5\r\n3 1 -7\r\n", [(0, 1), (2, 0)], True),
        (f"{COORDINATE} pattern symmetric\n3 3 3\n2 1\n3 1\n3 3\n", [(1, 0), (2, 0), (2, 2)], False),
        (f"{COORDINATE} complex hermitian\n3 3 1\n2 1 5 1\n", [(1, 0)], False),
        (f"{COORDINATE} real skew-symmetric\n3 3 1\n2 1 5\n", [(1, 0), (0, 1)], True),
        ("%%MatrixMarket matrix array real general\n2 2\n0\n3\n0\n4\n", [(1, 0), (1, 1)], True),
        ("%%MatrixMarket matrix array real symmetric\n2 2\n0\n3\n4\n", [(1, 0), (1, 1)], False),
        ("%%MatrixMarket  MATRIX Coordinate Pattern General \n2 2 1\n1 2\n", [(0, 1)], True),
        (f"{COORDINATE} pattern general\n0 0 0\n", [], True),
    ],
)
def test_every_field_and_symmetry(arcs_of, content, expected, directed):
    arcs = arcs_of(content, "m.mtx")
    assert (pairs(arcs), arcs.directed, arcs.weights) == (expected, directed, None)


def test_values_are_weights_if_asked_for(arcs_of):
    arcs = arcs_of(f"{COORDINATE} integer symmetric\n3 3 2\n2 1 5\n3 2 -7\n", "m.mtx", weights=True)
    assert (arcs.weights.tolist(), arcs.both_ends) == ([5, -7], True)
    arcs = arcs_of(f"{COORDINATE} real skew-symmetric\n3 3 1\n2 1 5\n", "m.mtx", weights=True)
    assert arcs.weights.tolist() == [5, -5]


def test_a_symmetric_matrix_that_gives_both_ends_is_taken_as_it_stands(arcs_of):
    arcs = arcs_of(f"{COORDINATE} real symmetric\n3 3 2\n2 1 5\n1 2 5\n", "m.mtx", weights=True)
    assert (pairs(arcs), arcs.weights.tolist(), arcs.both_ends) == ([(1, 0), (0, 1)], [5, 5], True)


def test_a_symmetric_matrix_read_as_directed_has_both_arcs(arcs_of):
    arcs = arcs_of(f"{COORDINATE} pattern symmetric\n3 3 2\n2 1\n3 3\n", "m.mtx", directed=True)
    assert (sorted(pairs(arcs)), arcs.directed, arcs.both_ends) == ([(0, 1), (1, 0), (2, 2)], True, False)


def test_a_general_matrix_may_be_read_as_undirected(arcs_of):
    arcs = arcs_of(f"{COORDINATE} pattern general\n3 3 2\n2 1\n1 2\n", "m.mtx", directed=False)
    assert (pairs(arcs), arcs.directed, arcs.both_ends) == ([(1, 0), (0, 1)], False, False)


def test_all_declared_vertices_exist_and_more_may(arcs_of):
    content = f"{COORDINATE} pattern general\n5 5 1\n1 2\n"
    assert arcs_of(content, "m.mtx").vertices == 5
    assert arcs_of(content, "m.mtx", vertices=8).vertices == 8
    with pytest.raises(ReadError, match="vertices=2 is fewer"):
        arcs_of(content, "m.mtx", vertices=2)


def test_a_banner_is_known_whatever_the_name(arcs_of):
    assert arcs_of(f"{COORDINATE} pattern general\n3 3 1\n1 2\n", "m.txt").vertices == 3


@pytest.mark.parametrize("name", ["m.mtx", "m.txt"])
@pytest.mark.parametrize(
    "banner",
    [
        "%MatrixMarket matrix coordinate real general",
        "%%matrixmarket matrix coordinate real general",
        "%%MatrixMarket matrix coordinate real",
        "%%MatrixMarket matrix coordinate real genral",
        "%%MatrixMarket vector coordinate real general",
        "%%MatrixMarket matrix coordinate real general x",
        " %%MatrixMarket matrix coordinate real general",
    ],
)
def test_a_damaged_banner_is_refused(arcs_of, name, banner):
    with pytest.raises(ReadError, match=r"line 1: found .*, expected the banner"):
        arcs_of(f"{banner}\n3 3 1\n1 2 1\n", name)


@pytest.mark.parametrize("content", ["1 2\n", "% comment\n1 2\n", "*Vertices 3\n", "graph [\n]\n", "\n"])
def test_without_a_banner_it_is_never_read_as_something_else(arcs_of, content):
    with pytest.raises(ReadError, match="expected the banner"):
        arcs_of(content, "m.mtx")


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("3 3 3\n1 2 1\n", None, "Truncated file"),
        ("3 3 1\n1 2 1\n1 3 1\n", 4, "Too many lines"),
        ("3 3 1000000000000\n1 2 1\n", 2, "promises 1000000000000 entries, more than its"),
        ("% c\n3 4 1\n1 2 1\n", 3, "found a matrix of 3 rows and 4 columns"),
        ("3 3 1\n4 2 1\n", 3, "Row index out of bounds"),
        ("3 3 1\n1 0 1\n", 3, "Column index out of bounds"),
        ("3 3 1\n1 -2 1\n", 3, "out of bounds"),
        ("3 3 1\n1 2\n", 3, "nvalid floating-point"),
        ("3 3 1\nx 2 1\n", 3, "nvalid integer"),
        ("3 3\n1 2 1\n", None, "nvalid integer"),
        ("-3 -3 1\n1 2 1\n", 2, "negative"),
        ("", None, "Premature EOF"),
        ("99999999999999999999 99999999999999999999 1\n1 2 1\n", None, "out of range"),
    ],
)
def test_a_body_that_disagrees_with_the_size_line_is_refused(arcs_of, body, line, words):
    with pytest.raises(ReadError, match=words) as caught:
        arcs_of(f"{COORDINATE} real general\n{body}", "m.mtx")
    assert line is None or caught.value.line == line
    assert "\n" not in str(caught.value)


def test_a_dense_matrix_that_its_file_cannot_hold_is_refused(arcs_of):
    with pytest.raises(ReadError, match="promises 2000000 x 2000000 values"):
        arcs_of("%%MatrixMarket matrix array real general\n2000000 2000000\n1\n", "m.mtx")


def test_weights_that_are_not_finite_or_not_there_are_refused(arcs_of):
    with pytest.raises(ReadError, match="line 6: found the weight nan, expected a finite number"):
        arcs_of(f"{COORDINATE} real symmetric\n% c\n3 3 2\n2 1 1\n\n3 1 nan\n", "m.mtx", weights=True)
    with pytest.raises(ReadError, match="of the kind 'pattern'"):
        arcs_of(f"{COORDINATE} pattern general\n3 3 1\n1 2\n", "m.mtx", weights=True)
    with pytest.raises(ReadError, match="of the kind 'complex'"):
        arcs_of(f"{COORDINATE} complex general\n3 3 1\n1 2 1 1\n", "m.mtx", weights=True)
    with pytest.raises(ReadError, match="use weights=True"):
        arcs_of(f"{COORDINATE} real general\n3 3 1\n1 2 1\n", "m.mtx", weights="value")
