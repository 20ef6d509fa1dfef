"""Help as plain text, and completion in shells."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from triadic.cli import main, options
from triadic.cli.application import application
from triadic.cli.commands import CommandList, with_examples
from triadic.measures.registry import NAMES
from triadic.null_models.model import NULLS
from triadic.null_models.shuffled_events import TEMPORAL_NULLS

COMMANDS = (
    "clustering", "census", "graphlets", "orbits", "stream", "temporal", "compare", "significance", "report", "convert",
    "tile", "plan", "demo", "info", "study",
)  # fmt: skip
MODELS = ("rmat", "watts-strogatz", "barabasi-albert", "erdos-renyi", "delaunay", "grid")
ALL = ["", "generate", *COMMANDS, *(f"generate {model}" for model in MODELS)]


@pytest.fixture
def help_text(triadic, monkeypatch):
    """A function that returns the help of a command on a terminal of some columns."""

    def read(command, columns=80):
        monkeypatch.setenv("COLUMNS", str(columns))
        outcome = triadic(*command.split(), "--help")
        assert (outcome.code, outcome.err) == (0, "")
        return outcome.out

    return read


@pytest.mark.parametrize("columns", [40, 80, 160])
@pytest.mark.parametrize("command", ALL)
def test_help_names_no_type_of_python_and_fits_the_terminal(help_text, command, columns):
    text = help_text(command, columns)
    assert not re.findall(r"<\w+|[{}]|\[\[|…", text)
    examples = [line.strip() for line in text.partition("Examples:\n")[2].splitlines()]
    too_long = [line for line in text.splitlines() if len(line) > columns and line.strip() not in examples]
    assert not [line for line in too_long if len(line.split()) > 1]


@pytest.mark.parametrize("command", ALL)
def test_the_usage_line_names_the_arguments_and_every_option_is_described(help_text, command):
    lines = help_text(command).splitlines()
    assert re.fullmatch(
        rf"Usage: {f'triadic {command}'.strip()} \[OPTIONS\]( COMMAND \[ARGS\]\.\.\.)?( \[?[A-Za-z]+[A-Z.\] ]*)*?",
        lines[0],
    )
    for i, line in enumerate(lines):
        if line.startswith("  -"):  # the description stands beside the names or on the next line
            assert re.search(r"\S  +\S", line) or re.match(r" {10}", lines[i + 1]), line


@pytest.mark.parametrize("command", ALL[2:])
def test_the_help_of_a_command_ends_with_examples_of_that_command(help_text, command):
    examples = help_text(command).partition("\nExamples:\n")[2].splitlines()
    assert examples
    assert examples[0].startswith(f"  triadic {command}")
    assert all(line.startswith("  triadic ") for line in examples)


def test_examples_run(triadic, tmp_path, monkeypatch, kite):
    """Examples of commands that read one file, with a file for them to read."""
    monkeypatch.chdir(tmp_path)
    for name in ("friends.txt.gz", "friends.csv", "followers.txt", "large.txt.gz"):
        (tmp_path / name.removesuffix(".gz")).write_text(kite.read_text())
    for name, text in {"MUTAG/MUTAG_A.txt": "1,2\n2,1\n", "MUTAG/MUTAG_graph_indicator.txt": "1\n1\n"}.items():
        (tmp_path / "MUTAG").mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "snapshots").mkdir()
    (tmp_path / "snapshots" / "monday.txt").write_text(kite.read_text())
    for command in ("clustering", "census", "graphlets", "orbits", "plan", "tile", "info"):
        for line in example_lines(command):
            words = [word.removesuffix(".gz") for word in line.split()[1:]]
            words = [word if word != "4GB" else "400MB" for word in words]
            outcome = triadic(*words)
            assert outcome.code == 0, (line, outcome.err)


def example_lines(name):
    found = next(known for known in application.registered_commands if known.callback.__name__ == name)
    return found.epilog.splitlines()


def test_an_option_that_repeats_and_an_argument_that_may_be_left_out_say_so():
    commands = CommandList(add_completion=False)

    @commands.command()
    @with_examples("join a b")
    def join(first: str, others: list[str] | None = None, *, tag: list[str] | None = None, level: int = 3) -> None:
        """Join files."""

    import typer

    command = typer.main.get_command(commands)
    lines = command.get_help(typer.Context(command, info_name="join")).splitlines()
    assert lines[0] == "Usage: join [OPTIONS] FIRST"
    assert any("--tag TAG" in line and "Can be given more than once." in line for line in lines)
    assert any("--level LEVEL" in line and line.endswith("Default: 3.") for line in lines)
    assert lines[-2:] == ["Examples:", "  join a b"]


def asked(*words):
    """Return the variables by which a shell asks for the words that it offers for the last one."""
    return {
        "_TRIADIC_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }


@pytest.fixture
def completed(monkeypatch, capsys):
    """Return a function that returns what the shell offers for the last of some words."""

    def complete(*words):
        for name, value in asked(*words).items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit):
            main([])
        out, err = capsys.readouterr()
        assert err == ""
        return out.split()

    return complete


def test_the_program_completes_words():
    finished = subprocess.run(
        [sys.executable, "-m", "triadic"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **asked("triadic", "cl")},
    )
    assert (finished.stdout.split(), finished.stderr) == (["clustering"], "")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["triadic", "cl"], ["clustering"]),
        (["triadic", "generate", "r"], ["rmat"]),
        (["triadic", "clustering", "--dev"], ["--device"]),
        (["triadic", "census", "a.txt", "--device", "cu"], ["cuda", "cuda:0", "cuda:all"]),
        (["triadic", "graphlets", "--format", "par"], ["parquet"]),
        (["triadic", "significance", "a.txt", "--of", "t"], ["triads"]),
        (["triadic", "significance", "a.txt", "--of", "triads,c"], ["triads,clustering"]),
        (["triadic", "significance", "a.txt", "--null", "g"], ["gnm"]),
        (["triadic", "plan", "--of", "tri"], ["triangles", "triads"]),
    ],
    ids=" ".join,
)
def test_a_shell_completes_commands_options_and_names(words, expected, completed):
    assert completed(*words) == expected


def test_file_names_are_left_to_the_shell(completed):
    assert completed("triadic", "clustering", "some") == []
    assert completed("triadic", "report", "a.txt", "-o", "p") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(shell, monkeypatch, capsys):
    monkeypatch.setenv("_TRIADIC_COMPLETE", f"source_{shell}")
    with pytest.raises(SystemExit):
        main([])
    assert "_TRIADIC_COMPLETE" in capsys.readouterr().out


def test_completed_names_are_those_that_commands_take(triadic):
    assert set(options.STATISTICS) <= set(NAMES)
    assert options.COUNTED == NAMES
    assert options.NULLS == NULLS
    assert tuple(TEMPORAL_NULLS) == options.TEMPORAL_NULLS
    for name in options.COUNTED:
        assert triadic("plan", "--num-vertices", "100", "--edges", "200", "--of", name).code == 0
