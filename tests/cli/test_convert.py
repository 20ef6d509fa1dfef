"""``triadic convert``: the same network in another format."""

from __future__ import annotations

import pytest

import triadic as library


@pytest.mark.parametrize("name", ["b.txt", "b.csv", "b.tsv", "b.parquet", "b.mtx", "b.triadic", "b.txt.gz"])
def test_a_network_is_the_same_in_every_format(triadic, kite, tmp_path, name):
    target = tmp_path / name
    outcome = triadic("convert", kite, target, "--undirected")
    assert (outcome.code, outcome.err) == (0, "")
    assert "4 vertices" in outcome.out
    graph = library.read(target, directed=False)
    assert graph.num_edges == 4
    assert sorted(library.triangles(graph)) == [0, 1, 1, 1]


def test_a_column_of_weights_is_kept_when_named(triadic, tmp_path):
    source, target = tmp_path / "a.csv", tmp_path / "b.parquet"
    source.write_text("source,target,km\n1,2,0.5\n2,3,1.5\n")
    assert triadic("convert", source, target, "--weights", "km").code == 0
    graph = library.read(target, weights="weight")
    assert sorted(graph.weights) == [0.5, 1.5]


def test_a_format_that_cannot_be_written_is_an_error_before_reading(triadic, tmp_path):
    assert "b.gml" in triadic("convert", tmp_path / "missing.txt", tmp_path / "b.gml").complaint


def test_a_bad_network_leaves_nothing_behind(triadic, tmp_path):
    source = tmp_path / "bad.txt"
    source.write_text("1 2\n3\n")
    assert "line 2" in triadic("convert", source, tmp_path / "b.parquet").complaint
    assert [file.name for file in tmp_path.iterdir()] == ["bad.txt"]


def test_isolated_vertices_and_the_direction_survive(triadic, tmp_path):
    (tmp_path / "a.txt").write_text("# Undirected graph\n# Nodes: 6 Edges: 3\n0 1\n1 2\n2 0\n")
    before = library.read(tmp_path / "a.txt")
    for source, target in [("a.txt", "b.csv"), ("b.csv", "c.tsv"), ("c.tsv", "d.parquet"), ("d.parquet", "e.txt")]:
        assert triadic("convert", tmp_path / source, tmp_path / target).code == 0
        after = library.read(tmp_path / target)
        assert (after.num_vertices, after.directed) == (6, False)
        assert library.average_clustering(after) == library.average_clustering(before) == 0.5


def test_labels_that_a_format_cannot_hold_are_refused_unless_the_user_insists(triadic, tmp_path):
    source, target = tmp_path / "a.triadic", tmp_path / "b.csv"
    library.write(library.Graph.from_edges([0, 1], [1, 2], labels=["ada", "ada", "bob"]), source)
    complaint = triadic("convert", source, target).complaint
    assert "the label 'ada' stands for several vertices" in complaint
    assert "(matrix-market, triadic), or lossy=True (--lossy)" in complaint
    assert not target.exists()
    assert triadic("convert", source, target, "--lossy").code == 0
    assert library.read(target).num_edges == 2


def test_an_assumed_direction_is_printed_and_stays_assumed(triadic, tmp_path):
    (tmp_path / "a.txt").write_text("0 1\n1 2\n")
    for name in ("b.txt", "b.csv", "b.parquet", "b.triadic"):
        assert (
            "read as directed (assumed, as the file does not state it)"
            in triadic("convert", tmp_path / "a.txt", tmp_path / name).out
        )
        assert library.read(tmp_path / name).origin.direction == "assumed"
