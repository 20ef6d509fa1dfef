"""``triadic`` as a program: help, errors, pipes, and lazy imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from triadic import __version__
from triadic.cli import main

FULL = Path("/dev/full")


def run(*words, **keywords):
    command = [sys.executable, "-m", "triadic", *map(str, words)]
    return subprocess.run(command, check=False, **{"capture_output": True, "text": True, **keywords})


def test_the_version(triadic):
    outcome = triadic("--version")
    assert (outcome.code, outcome.out, outcome.err) == (0, f"triadic {__version__}\n", "")


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
def test_help_lists_every_command(triadic, words):
    outcome = triadic(*words)
    assert outcome.code == 0
    commands = ("census", "clustering", "compare", "convert", "demo", "generate", "graphlets", "info")
    assert all(f" {name} " in outcome.out for name in commands)


def test_help_of_generate_lists_every_model(triadic):
    outcome = triadic("generate")
    assert outcome.code == 0
    models = ("rmat", "watts-strogatz", "barabasi-albert", "erdos-renyi", "delaunay", "grid")
    assert all(f" {name} " in outcome.out for name in models)


@pytest.mark.parametrize(
    ("words", "found", "command"),
    [
        (["clusterign"], "clusterign", "triadic"),
        (["clustering"], "FILE", "triadic clustering"),
        (["census"], "FILE", "triadic census"),
        (["graphlets"], "FILE", "triadic graphlets"),
        (["compare", "a"], "B", "triadic compare"),
        (["clustering", "--fast", "a"], "--fast", "triadic clustering"),
        (["clustering", "a", "--threads", "many"], "--threads", "triadic clustering"),
        (["generate", "rmat", "4"], "--output", "triadic generate rmat"),
    ],
)
def test_a_usage_error_names_the_help_of_the_command(triadic, words, found, command):
    complaint = triadic(*words).complaint
    assert found in complaint
    assert complaint.endswith(f"see {command} --help")


def test_a_bug_keeps_its_traceback(monkeypatch, kite):
    def broken(*args, **keywords):
        raise ZeroDivisionError

    monkeypatch.setattr("triadic.cli.triads.Clustering.measure", broken)
    with pytest.raises(ZeroDivisionError):
        main(["clustering", str(kite)])


def test_want_of_memory_is_one_line(triadic, kite, monkeypatch):
    def greedy(*args, **keywords):
        raise MemoryError

    monkeypatch.setattr("triadic.cli.triads.Clustering.measure", greedy)
    assert "memory" in triadic("clustering", kite).complaint


def test_the_module_runs_as_the_program_does_and_takes_a_pipe_of_the_shell(kite):
    finished = run("clustering", "-", "--json", "--quiet", input=kite.read_text())
    assert (finished.returncode, finished.stderr) == (0, "")
    assert finished.stdout.startswith('{"graph": ')
    assert json.loads(finished.stdout)["graph"]["vertices"] == 4


# The test of a full disk below has an exit status and an error of a process, too.
@pytest.mark.nightly
def test_the_program_prints_an_error_without_a_traceback(tmp_path):
    finished = run("info", "missing.txt", cwd=tmp_path)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr.startswith("triadic: missing.txt: ")
    assert finished.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [pytest.param(["--json"], marks=pytest.mark.nightly), []])
def test_a_reader_of_the_output_that_goes_away_is_silent(kite, words):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        finished = run("info", kite, *words, capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)
    assert finished.stderr == ""


@pytest.mark.skipif(not FULL.exists(), reason=f"this system has no {FULL}")
def test_a_full_disk_is_one_line(kite):
    with FULL.open("w") as full:
        finished = run("info", kite, "--json", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert finished.returncode == 2
    assert finished.stderr.count("\n") == 1


def test_letters_that_the_output_lacks_are_written_as_escapes(tmp_path, printed_in_ascii, capsys):
    path = tmp_path / "Çakır.txt"
    path.write_text("ö ü\nü ş\nş ö\n", encoding="utf-8")
    assert r"\xc7ak\u0131r.txt" in printed_in_ascii("info", path)
    assert capsys.readouterr().err == ""


def test_json_does_not_import_rich(kite):
    commands = [
        [command, *[str(kite)] * files, "--json"]
        for command, files in (("clustering", 1), ("census", 1), ("graphlets", 1), ("compare", 2))
    ]
    code = (
        "import sys; from triadic.cli import main\n"
        f"for words in {commands!r}: main(words); print('rich' in sys.modules)"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert finished.stdout.splitlines()[1::2] == ["False"] * len(commands)
