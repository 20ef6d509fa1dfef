"""Matrix Market files."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from triadic.errors import ReadError
from triadic.io import read_arcs

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
    assert arcs_of(content, "m.mtx", num_vertices=8).vertices == 8
    with pytest.raises(ReadError, match="expected at most num_vertices=2"):
        arcs_of(content, "m.mtx", num_vertices=2)


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
        ("3 3 3\n1 2 1\n", None, "found 1 entries, expected 3 by its size line"),
        ("3 3 1\n1 2 1\n\n1 3 1\n", 5, "found more entries, expected 1 by its size line"),
        ("3 3 0\n1 2 1\n", 3, "found more entries, expected 0"),
        ("3 3 1000000000000\n1 2 1\n", None, "found 1 entries, expected 1000000000000"),
        ("% c\n3 4 1\n1 2 1\n", 3, "found a matrix of 3 rows and 4 columns"),
        ("3 3 1\n4 2 1\n", 3, "found the row 4, expected 1 to 3 by its size line"),
        ("3 3 2\n1 2 1\n% c\n1 0 1\n", 5, "found the column 0"),
        ("3 3 1\n1 -2 1\n", 3, "found the column -2"),
        ("3 3 1\n1 2\n", 3, "found 2 columns .*, expected 3"),
        ("3 3 2\n1 2 1\n1 2 1 1\n", 4, "found 4 columns"),
        ("3 3 2\n1 2 1\n1\n", 4, "found one id"),
        ("3 3 1\nx 2 1\n", 3, "found the id 'x', expected an integer"),
        ("3 3 1\n1.5 2 1\n", 3, "found the id '1.5', expected an integer"),
        ("3 3 1\n1 2 1\x00\n", 3, "found binary data"),
        ("3 3\n1 2 1\n", 2, "found the size line '3 3', expected 'rows columns entries'"),
        ("-3 -3 1\n1 2 1\n", 2, "found the size line"),
        ("", None, "found the size line ''"),
        ("99999999999999999999 99999999999999999999 1\n1 2 1\n", 2, "found the size line"),
    ],
)
def test_a_body_that_disagrees_with_the_size_line_is_refused(arcs_of, body, line, words):
    with pytest.raises(ReadError, match=words) as caught:
        arcs_of(f"{COORDINATE} real general\n{body}", "m.mtx", weights=True)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("real general\n2 2\n1\n2\n3\n", 2, "found 3 values, expected 4"),
        ("real symmetric\n2 2\n1\n2\n3\n4\n", 2, "found 4 values, expected 3"),
        ("real skew-symmetric\n2 2\n1\n2\n", 2, "found 2 values, expected 1"),
        ("real general\n2000000 2000000\n1\n", 2, "found 1 values, expected 4000000000000"),
        ("real general\n2 2\n1\nx\n3\n4\n", 4, "found 'x', expected a number"),
        ("real general\n2 2 4\n1\n2\n3\n4\n", 2, "expected 'rows columns'"),
        ("complex general\n1 1\n1\n", None, "found 1 numbers, expected two for each complex value"),
        ("pattern general\n1 1\n1\n", 1, "exclude each other"),
        ("real general\n1 1\nnan\n", None, "not finite"),
    ],
)
def test_an_array_that_disagrees_with_its_size_line_is_refused(arcs_of, content, line, words):
    with pytest.raises(ReadError, match=words) as caught:
        arcs_of(f"%%MatrixMarket matrix array {content}", "m.mtx", weights=None if "complex" in content else True)
    assert caught.value.line == line


def test_values_are_not_looked_at_unless_they_are_asked_for(arcs_of):
    assert pairs(arcs_of(f"{COORDINATE} real general\n3 3 1\n1 2 nan\n", "m.mtx")) == [(0, 1)]
    assert pairs(arcs_of("%%MatrixMarket matrix array real general\n1 1\nnan\n", "m.mtx")) == [(0, 0)]


@pytest.mark.parametrize("end", ["", " ", "\t", "\r\n", " \n\n"])
def test_the_last_line_may_end_as_it_likes(arcs_of, end):
    assert pairs(arcs_of(f"{COORDINATE} pattern general\n3 3 2\n1 2\n2 3{end}", "m.mtx")) == [(0, 1), (1, 2)]


@st.composite
def matrices(draw):
    n = draw(st.integers(1, 6))
    symmetry = draw(st.sampled_from(["general", "symmetric", "skew-symmetric"]))
    values = st.integers(-3, 3).map(float) | st.floats(-1e9, 1e9)
    matrix = np.array(draw(st.lists(values, min_size=n * n, max_size=n * n))).reshape(n, n)
    if symmetry != "general":
        lower = np.tril(matrix, 0 if symmetry == "symmetric" else -1)
        matrix = lower + (np.tril(lower, -1).T if symmetry == "symmetric" else -lower.T)
    return matrix, symmetry


@pytest.mark.parametrize("sparse", [True, False])
@given(drawn=matrices())
def test_matrices_that_scipy_writes_are_read_back(tmp_path_factory, sparse, drawn):
    matrix, symmetry = drawn
    path = tmp_path_factory.getbasetemp() / "scipy.mtx"
    scipy.io.mmwrite(path, scipy.sparse.coo_array(matrix) if sparse else matrix, symmetry=symmetry)
    arcs = read_arcs(path, weights=True, directed=True)
    again = np.zeros_like(matrix)
    again[arcs.source, arcs.target] = arcs.weights
    assert np.array_equal(again, matrix)


def test_weights_that_are_not_finite_or_not_there_are_refused(arcs_of):
    with pytest.raises(ReadError, match="line 6: found the weight nan, expected a finite number"):
        arcs_of(f"{COORDINATE} real symmetric\n% c\n3 3 2\n2 1 1\n\n3 1 nan\n", "m.mtx", weights=True)
    with pytest.raises(ReadError, match="of the kind 'pattern'"):
        arcs_of(f"{COORDINATE} pattern general\n3 3 1\n1 2\n", "m.mtx", weights=True)
    with pytest.raises(ReadError, match="of the kind 'complex'"):
        arcs_of(f"{COORDINATE} complex general\n3 3 1\n1 2 1 1\n", "m.mtx", weights=True)
    with pytest.raises(ReadError, match="use weights=True"):
        arcs_of(f"{COORDINATE} real general\n3 3 1\n1 2 1\n", "m.mtx", weights="value")
