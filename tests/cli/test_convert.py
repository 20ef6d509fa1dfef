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
