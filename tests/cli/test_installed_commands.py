"""Commands of other packages, declared as entry points in the group ``triadic.commands``."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.fixture
def triadic_beside(tmp_path):
    """Run ``triadic`` in a process that also finds a package with these entry points."""

    def run(entries, *words):
        metadata = tmp_path / "greeting-1.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting\nVersion: 1\n")
        (metadata / "entry_points.txt").write_text(f"[triadic.commands]\n{entries}\n")
        (tmp_path / "greeting.py").write_text("def greet(name: str) -> None:\n    print('hello', name)\n")
        text = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from triadic.cli import main; sys.exit(main())"
        return subprocess.run([sys.executable, "-c", text, *words], capture_output=True, text=True, check=False)

    return run


def test_a_package_adds_a_command(triadic_beside):
    done = triadic_beside("greet = greeting:greet", "greet", "Milgram")
    assert (done.returncode, done.stdout, done.stderr) == (0, "hello Milgram\n", "")


def test_the_help_lists_the_command(triadic_beside):
    assert " greet " in triadic_beside("greet = greeting:greet", "--help").stdout


def test_a_command_that_cannot_be_loaded_is_one_line_and_the_others_work(triadic_beside):
    done = triadic_beside("greet = no_such_module:greet", "--version")
    assert done.returncode == 0
    assert done.stdout.startswith("triadic ")
    assert done.stderr == (
        "triadic: the command 'greet' (no_such_module:greet) cannot be loaded: No module named 'no_such_module'\n"
    )
