"""``triadic tile``: a network as tiles."""

from __future__ import annotations


def test_a_network_is_tiled_once(triadic, kite, tmp_path):
    outcome = triadic("tile", kite, tmp_path / "tiles", "--undirected", "--ranges", "2", "--memory", "100MB")
    assert (outcome.code, outcome.err) == (0, "")
    for words in ("vertices", "edges", "loops 1, duplicates 1", "ranges", "seconds"):
        assert words in outcome.out
    again = triadic("tile", kite, tmp_path / "tiles", "--undirected", "--ranges", "2")
    assert (again.code, again.out) == (0, f"{tmp_path / 'tiles'}: the tiles are complete, nothing to do\n")
    assert "other options" in triadic("tile", kite, tmp_path / "tiles").complaint
    assert "directed=False, not True" in triadic("tile", kite, tmp_path / "tiles", "--directed").complaint


def test_a_memory_that_is_no_size_is_an_error(triadic, kite, tmp_path):
    assert "memory='much'" in triadic("tile", kite, tmp_path / "tiles", "--memory", "much").complaint
    assert not (tmp_path / "tiles").exists()


def test_a_network_at_a_url_is_tiled_with_a_cluster_only(triadic, tmp_path):
    complaint = triadic("tile", "memory://edges/*.parquet", tmp_path / "tiles").complaint
    assert "a network at a URL is tiled with --dask" in complaint
