"""``triadic info``: versions, threads and devices, and what a file is read as."""

from __future__ import annotations

import gzip
import json
import platform

import numba
import numpy as np
import pytest

from triadic import __version__
from triadic.core.blocks import allowed_threads


def words(text):
    """The words of a text, with single blanks between them."""
    return " ".join(text.split())


def test_info_as_json_has_versions_threads_cache_and_devices(triadic):
    outcome = triadic("info", "--json")
    assert (outcome.code, outcome.err) == (0, "")
    facts = json.loads(outcome.out)
    assert facts["triadic"] == __version__
    assert facts["python"] == platform.python_version()
    assert (facts["numpy"], facts["numba"]) == (np.__version__, numba.__version__)
    assert facts["threads"] == allowed_threads()
    assert facts["devices"][0] == "cpu"
    assert facts["kernel_cache"]


def test_info_as_a_table_has_the_same(triadic):
    facts = json.loads(triadic("info", "--json").out)
    lines = triadic("info").out.splitlines()
    assert len(lines) == len(facts) - 1 + len(facts["devices"])
    assert f"triadic {__version__}" in [words(line) for line in lines]


def test_info_on_a_file_says_what_it_is_read_as(triadic, tmp_path):
    file = tmp_path / "web.csv"
    file.write_text("id;from_user;to_user\n1;11;12\n2;12;13\n")
    facts = json.loads(triadic("info", str(file), "--json").out)
    assert facts["format"] == "csv"
    assert facts["columns"] == "from_user → to_user, header in line 1"
    assert facts["separator"] == "semicolons"
    assert facts["ids"] == "whole numbers"
    assert (facts["lines"], facts["lines_are"], facts["bytes"]) == (3, "exact", 37)
    assert (facts["directed"], facts["direction"]) == (True, "assumed")
    lines = triadic("info", str(file)).out.splitlines()
    assert [words(line) for line in lines[2:]] == [
        "bytes 37 B",
        "columns from_user → to_user, header in line 1",
        "separator semicolons",
        "ids whole numbers",
        "lines 3",
        "directed yes, assumed, because the file does not state it",
    ]
    facts = json.loads(triadic("info", str(file), "--json", "--undirected", "--source", "0", "--target", "2").out)
    assert facts["columns"] == "id → to_user, header in line 1"
    assert (facts["directed"], facts["direction"]) == (False, "given")
    assert "directed no, as the option says" in words(triadic("info", str(file), "--undirected").out)


def test_info_on_a_file_that_does_not_tell_its_header_shows_the_first_rows_and_the_remedy(triadic, tmp_path):
    file = tmp_path / "friends.csv"
    file.write_text("anna,bert\ncarl,dora\n")
    outcome = triadic("info", str(file))
    assert outcome.code != 0
    assert "'anna,bert' and 'carl,dora'" in outcome.err
    assert "--header or --no-header" in outcome.err
    assert "columns 0 → 1, no header" in words(triadic("info", str(file), "--no-header").out)


def test_info_on_other_formats_says_who_states_the_direction(triadic, tmp_path):
    file = tmp_path / "square.mtx"
    file.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n")
    facts = json.loads(triadic("info", str(file), "--json").out)
    assert (facts["format"], facts["directed"], facts["direction"]) == ("matrix-market", None, None)
    file = tmp_path / "square.graph"
    file.write_text("2 1\n2\n1\n")
    facts = json.loads(triadic("info", str(file), "--json").out)
    assert (facts["format"], facts["directed"], facts["direction"]) == ("metis", False, "stated")
    assert "directed no, as the file or its format states" in words(triadic("info", str(file)).out)
    file = tmp_path / "square.graphml"
    file.write_text('<graphml><graph edgedefault="directed"></graph></graphml>')
    facts = json.loads(triadic("info", str(file), "--json").out)
    assert (facts["directed"], facts["direction"]) == (None, None)
    assert "directed as the file states" in words(triadic("info", str(file)).out)


def test_info_on_a_folder_and_on_a_pattern_says_what_their_files_are_read_as(triadic, tmp_path):
    for name in ("first.csv", "second.csv"):
        (tmp_path / name).write_text("source,target\nanna,bert\nbert,carl\n")
    for network in (tmp_path, tmp_path / "*.csv"):
        facts = json.loads(triadic("info", str(network), "--json").out)
        assert (facts["file"], facts["files"]) == (str(network), 2)
        assert facts["columns"] == "source → target, header in line 1"
        assert (facts["directed"], facts["direction"]) == (True, "assumed")


def test_info_on_a_packed_text_estimates_or_bounds_its_lines(triadic, tmp_path):
    rows = "".join(f"{i} {i + 1}\n" for i in range(200_000))
    (tmp_path / "web.txt").write_text(rows)
    (tmp_path / "web.txt.gz").write_bytes(gzip.compress(rows.encode()))
    facts = json.loads(triadic("info", str(tmp_path / "web.txt"), "--json").out)
    assert facts["lines_are"] == "estimated"
    assert 100_000 < facts["lines"] < 400_000
    packed = json.loads(triadic("info", str(tmp_path / "web.txt.gz"), "--json").out)
    assert (packed["packed"], packed["lines_are"]) == ("gzip", "at least")
    assert packed["bytes"] == (tmp_path / "web.txt.gz").stat().st_size
    assert 0 < packed["lines"] < 200_000
    assert f"more than {packed['lines']:,}" in triadic("info", str(tmp_path / "web.txt.gz")).out


@pytest.mark.parametrize("command", ["info", "plan", "tile", "clustering"])
def test_a_row_of_sizes_is_told_in_one_line(triadic, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "orca.txt").write_text("4 3\n0 1\n1 2\n2 3\n")
    outcome = triadic(command, "orca.txt", *(["orca.tiles"] if command == "tile" else []))
    assert outcome.code == 0
    assert outcome.err.count("\n") == 1
    assert outcome.err.startswith("triadic: orca.txt: the first row, 4 3, is read as the numbers of vertices and edges")
    assert command == "plan" or "numbers of vertices and edges in row 1 (4 3)" in outcome.out
