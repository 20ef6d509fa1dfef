"""Commands that other packages add, by entry points of the group ``triadic.commands``."""

from __future__ import annotations

import subprocess
import sys

import pytest

MODULE = '''
"""Commands of a made-up package."""

from typing import Annotated

import typer


def hello(name: str, times: Annotated[int, typer.Option("--times", help="Number of greetings.")] = 1) -> None:
    """Greet someone."""
    for _ in range(times):
        typer.echo(f"hello {name}")


def untyped(name: int | bytes) -> None:
    """Take an argument that typer cannot read."""
'''


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a made-up package with these entry points, by name."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "greetings_of_triadic.py").write_text(MODULE)

    def write(entries, package="greetings"):
        folder = tmp_path / f"{package}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {value}\n" for name, value in entries.items()]
        (folder / "entry_points.txt").write_text("".join(["[triadic.commands]\n", *lines]))

    yield write
    sys.modules.pop("greetings_of_triadic", None)


def test_a_command_of_another_package_runs_with_its_options_and_is_listed(triadic, install):
    install({"hello": "greetings_of_triadic:hello"})
    outcome = triadic("hello", "Ada", "--times", "2")
    assert (outcome.code, outcome.out, outcome.err) == (0, "hello Ada\nhello Ada\n", "")
    help_ = triadic("--help")
    assert (help_.code, help_.err) == (0, "")
    assert " hello " in help_.out
    assert "Greet someone." in help_.out
    assert "Number of greetings." in triadic("hello", "-h").out
    assert triadic("hello").complaint.endswith("see triadic hello --help")


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("module_that_is_missing:run", "ModuleNotFoundError: No module named 'module_that_is_missing'"),
        ("greetings_of_triadic:missing", "AttributeError: "),
        ("greetings_of_triadic:untyped", "AssertionError: "),
    ],
)
def test_a_command_that_cannot_be_loaded_is_one_line_and_the_others_work(triadic, install, kite, value, found):
    install({"broken": value, "hello": "greetings_of_triadic:hello"})
    line = f"triadic: the command broken of the package greetings cannot be loaded: {found}"
    listed = triadic("--help")
    assert listed.code == 0
    assert listed.err.startswith(line)
    assert listed.err.count("\n") == 1
    assert " hello " in listed.out
    assert " broken " not in listed.out
    assert triadic("broken").complaint in listed.err
    assert triadic("hello", "Ada").out == "hello Ada\n"
    outcome = triadic("clustering", kite, "--json")
    assert (outcome.code, outcome.err) == (0, "")


def test_a_command_of_triadic_cannot_be_replaced(triadic, install, kite):
    install({"clustering": "greetings_of_triadic:hello"})
    outcome = triadic("clustering", kite, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith('{"graph": ')
    listed = triadic("--help")
    problem = "is left out: there is already a command of this name"
    assert listed.err == f"triadic: the command clustering of the package greetings {problem}\n"
    assert "Greet someone." not in listed.out


def test_of_two_packages_with_a_command_of_one_name_the_first_has_it(triadic, install):
    install({"hello": "greetings_of_triadic:hello"})
    install({"hello": "module_that_is_missing:hello"}, package="salutations")
    assert triadic("hello", "Ada").out == "hello Ada\n"
    listed = triadic("--help")
    problem = "is left out: there is already a command of this name"
    assert listed.err == f"triadic: the command hello of the package salutations {problem}\n"
    assert listed.out.count("Greet someone.") == 1


def test_help_imports_neither_compilers_nor_readers_nor_plots():
    heavy = ["numba", "numpy", "scipy", "pyarrow", "matplotlib"]
    calls = [["--help"], ["--version"], ["clustering", "--help"]]
    code = (
        f"import sys; from triadic.cli import main\nfor words in {calls!r}:\n"
        f"    main(words); print('imported', [name for name in {heavy!r} if name in sys.modules])"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    printed = [line for line in finished.stdout.splitlines() if line.startswith("imported")]
    assert printed == ["imported []"] * len(calls)
