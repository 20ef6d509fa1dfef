"""Every command reads a folder, a quoted pattern and standard input as it reads one file."""

from __future__ import annotations

import gzip
import io
import json
import sys

import numpy as np
import pytest


@pytest.fixture
def lines():
    source, target = np.random.default_rng(1).integers(0, 60, (2, 700))
    return [f"v{a},v{b}\n" for a, b in zip(source, target, strict=True)]


@pytest.fixture
def one(tmp_path, lines):
    path = tmp_path / "one.csv"
    path.write_text("".join(lines))
    return path


@pytest.fixture
def lake(tmp_path, lines):
    folder = tmp_path / "a lake"
    folder.mkdir()
    for i in range(7):
        (folder / f"part-{i}.csv").write_text("".join(lines[100 * i : 100 * i + 100]))
    (folder / "_SUCCESS").write_text("")
    return folder


@pytest.fixture
def standard_input(monkeypatch):
    """A function that sets the bytes of standard input."""

    def put(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return put


def figures(outcome):
    assert outcome.code == 0, outcome.err
    record = json.loads(outcome.out)
    return {name: value for name, value in record.items() if name not in ("seconds", "file", "threads", "tiles")}


COMMANDS = [("clustering",), ("census",), ("graphlets",)]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: words[0])
def test_counts_of_a_lake_are_those_of_one_file(triadic, one, lake, standard_input, command):
    expected = figures(triadic(*command, one, "--json"))
    assert figures(triadic(*command, lake, "--json")) == expected
    assert figures(triadic(*command, lake / "*.csv", "--json")) == expected
    standard_input(gzip.compress(one.read_bytes()))
    assert figures(triadic(*command, "-", "--json")) == expected


def test_counts_by_tiles(triadic, tmp_path, one, lake, standard_input):
    expected = figures(triadic("clustering", one, "--json"))["triangles"]
    standard_input(one.read_bytes())
    for i, network in enumerate((lake, lake / "*.csv", "-")):
        found = figures(triadic("clustering", network, "--tiles", tmp_path / f"tiles {i}", "--json", "--quiet"))
        assert found["triangles"] == expected


def test_a_lake_that_does_not_fit_in_memory_is_tiled(triadic, lake, one, monkeypatch):
    from triadic.planning import measures

    expected = figures(triadic("clustering", one, "--json"))["triangles"]
    monkeypatch.setattr(measures, "bytes_held", lambda *_, **__: 1 << 60)
    monkeypatch.setattr("triadic.cli.tiles._BYTES_PER_BYTE", 1 << 20)
    outcome = triadic("clustering", lake, "--memory", "100MB", "--json", "--quiet")
    assert "way" in outcome.err
    assert figures(outcome)["triangles"] == expected


def test_tile_plan_and_convert(triadic, tmp_path, lake, one, standard_input):
    for i, network in enumerate((lake, lake / "*.csv", "-")):
        standard_input(one.read_bytes())
        assert "edges" in triadic("tile", network, tmp_path / f"{i}.tiles").out
        assert "nothing to do" in triadic("tile", network, tmp_path / f"{i}.tiles").out
        assert "vertices" in triadic("plan", network).out
        assert triadic("convert", network, tmp_path / f"{i}.parquet").code == 0
        whole = figures(triadic("clustering", one, "--json"))
        assert figures(triadic("clustering", tmp_path / f"{i}.parquet", "--json"))["triangles"] == whole["triangles"]


def test_mistakes_are_one_line(triadic, tmp_path, lake, standard_input):
    assert "no file matches this pattern" in triadic("clustering", tmp_path / "no*.csv").complaint
    assert "there is no such file" in triadic("clustering", tmp_path / "no").complaint
    (lake / "part-3.csv").write_text("a,b\nc\n")
    assert "part-3.csv, line 2: found one id" in triadic("clustering", lake).complaint
    (lake / "notes.md").write_text("")
    assert "several formats" in triadic("tile", lake, tmp_path / "tiles").complaint
    standard_input(b"")
    assert "standard input: the file is empty (0 bytes)" in triadic("clustering", "-").complaint
