"""``triadic stream``: triangles of a file in one pass."""

from __future__ import annotations

import json

import pytest

import triadic as library


@pytest.fixture
def network(tmp_path):
    path = tmp_path / "network.txt"
    library.write(library.generate.rmat(9, seed=1), path)
    return path


def test_a_small_file_is_counted_exactly(triadic, network):
    exact = library.triangle_count(library.read(network))
    outcome = triadic("stream", network)
    assert (outcome.code, outcome.err) == (0, "")
    assert f"{exact:,}" in outcome.out
    assert "exact: all edges are kept" in outcome.out
    record = json.loads(triadic("stream", network, "--json", "--seed", "3").out)
    assert (record["triangles"], record["low"], record["high"], record["seed"]) == (exact, exact, exact, 3)


def test_the_columns_that_were_read_are_printed(triadic, tmp_path):
    (tmp_path / "rows.txt").write_text("7 1 2\n8 2 3\n9 3 1\n")
    outcome = triadic("stream", tmp_path / "rows.txt")
    assert outcome.out.startswith("rows.txt: columns 0 → 1, no header\n")
    again = triadic("stream", tmp_path / "rows.txt", "--source", "1", "--target", "2")
    assert again.out.startswith("rows.txt: columns 1 → 2, no header\n")
    assert library.estimate_stream(tmp_path / "rows.txt").columns == "columns 0 → 1, no header"
    (tmp_path / "graph.mtx").write_text("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 1\n3 2\n")
    assert triadic("stream", tmp_path / "graph.mtx").out.startswith("graph.mtx\n")


def test_a_sample_has_an_interval(triadic, tmp_path):
    graph = library.generate.rmat(13, seed=1)
    library.write(graph, tmp_path / "network.parquet")
    options = [tmp_path / "network.parquet", "--memory", "17MB", "--seed", "1"]
    record = json.loads(triadic("stream", *options, "--confidence", "99.9%", "--json").out)
    assert record["low"] < library.triangle_count(graph) < record["high"]
    assert record["probability"] < 1
    outcome = triadic("stream", *options)
    assert "with a probability of 95%" in " ".join(outcome.out.split())
    assert "standard error" in outcome.out


def test_a_stream_goes_on_from_file_to_file(triadic, tmp_path):
    for name, edges in {"a": "0 1\n1 2\n", "b": "2 0\n"}.items():
        (tmp_path / f"{name}.txt").write_text(edges)
    kept = tmp_path / "kept.stream"
    assert json.loads(triadic("stream", tmp_path / "a.txt", "--json", "--save", kept).out)["triangles"] == 0
    record = json.loads(triadic("stream", tmp_path / "b.txt", "--json", "--load", kept, "--save", kept).out)
    assert (record["triangles"], record["arcs"]) == (1, 3)
    assert library.EdgeStream.load(kept).edges_kept == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--load", "x.stream", "--memory", "20MB"], "--memory 20MB: a stream that is loaded has its own"),
        (["--load", "x.stream"], "x.stream: cannot be read"),
        (["--memory", "1MB"], "memory='1MB': a stream takes at least"),
        (["--confidence", "most"], "--confidence most: expected a share between 0% and 100%, such as 95%"),
        (["--save", "nowhere/x.stream"], "nowhere"),
    ],
)
def test_wrong_options_are_named(triadic, network, options, words):
    assert words in triadic("stream", network, *options).complaint
