"""``triadic count`` of a pattern."""

from __future__ import annotations

import pytest

LOOP = "A -> B; B -> C; A -> C"


@pytest.fixture
def arcs(tmp_path):
    path = tmp_path / "arcs.txt"
    path.write_text("0 1\n1 2\n0 2\n2 3\n")
    return path


def test_a_pattern_is_counted_and_listed(triadic, arcs):
    out = triadic("count", arcs, LOOP, "--directed", "--list", "2").out
    assert out.splitlines()[-3:] == [f"{LOOP}      1", "A  B  C", "0  1  2"]


def test_cliques_are_printed_by_size(triadic, arcs):
    out = triadic("count", arcs, "cliques", "--undirected").out
    assert [line.split() for line in out.splitlines()[-4:]] == [["name", "count"], ["1", "4"], ["2", "4"], ["3", "1"]]


def test_roles_are_written(triadic, arcs, tmp_path):
    assert (
        triadic(
            "count", arcs, "A -> B; B -> C", "--directed", "--induced", "--by", "vertex", "-o", tmp_path / "t.csv"
        ).code
        == 0
    )
    assert (tmp_path / "t.csv").read_text().splitlines()[1:3] == ["0,1,0,0", "1,1,0,0"]


def test_mistakes_are_one_line(triadic, arcs):
    assert "column 3: expected" in triadic("count", arcs, "A => B", "--directed").complaint
    assert "expected a pattern" in triadic("count", arcs, "triangles", "--induced").complaint
