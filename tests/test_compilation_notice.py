"""A notice tells users that kernels are being compiled, once."""

from __future__ import annotations

import importlib.util
import io
import sys

import numpy as np
import pytest

from triadic.cli import printing
from triadic.core import progress as notice
from triadic.core.progress import reporting

_KERNELS = """
from triadic.core.compiled import kernel

@kernel
def outer(n):
    return _inner(n) + 1

@kernel
def _inner(n):
    return n + 1
"""


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def load(tmp_path):
    """A function that loads kernels which no process has compiled, or whose machine code lies on disk."""
    file = tmp_path / "kernels_to_compile.py"
    file.write_text(_KERNELS)

    def load():
        spec = importlib.util.spec_from_file_location("kernels_to_compile", file)
        module = sys.modules["kernels_to_compile"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    yield load
    sys.modules.pop("kernels_to_compile", None)


@pytest.fixture(autouse=True)
def nobody_watches(monkeypatch):
    monkeypatch.setattr(notice, "_STATE", notice._State())


def test_a_watcher_hears_of_each_kernel_and_of_the_end(load):
    heard = []
    with notice.watching(heard.append):
        assert load().outer(1) == 3
    assert heard == ["compiling kernels, once: 1 (outer)", "compiling kernels, once: 2 (inner)", None]


def test_kernels_on_disk_are_loaded_in_silence(load):
    load().outer(1)
    heard = []
    with notice.watching(heard.append):
        assert load().outer(1) == 3
    assert heard == []


def test_the_latest_watcher_hears_and_the_default_one_outside(load):
    first, second, default = [], [], []
    kernels = load()
    notice.watch_by_default(default.append)
    with notice.watching(first.append), notice.watching(second.append):
        kernels.outer(1)
    assert (first, default) == ([], [])
    assert len(second) == 3
    kernels.outer(1.0)
    assert default[-1] is None
    notice.watch_by_default(None)
    kernels.outer(np.float32(1))
    assert len(default) == 3


def test_a_bar_on_a_terminal_says_that_kernels_are_compiled(load, monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with reporting(True, "counting") as report:
        report(0, 1)
        with notice.compiling("walk"):
            assert notice._STATE.watchers
            report(1, 1)
    assert notice._STATE.watchers == []
    assert "counting" in stream.getvalue()


def test_a_command_on_a_terminal_overwrites_one_line(load, monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    assert printing.announce_compilation(None) is None
    load().outer(1)
    lines = stream.getvalue().split("\r\x1b[K")
    assert lines == ["", "compiling kernels, once: 1 (outer)", "compiling kernels, once: 2 (inner)", ""]


@pytest.mark.parametrize("progress", [None, False])
def test_a_file_gets_no_line_and_neither_does_a_quiet_command(load, monkeypatch, progress):
    stream = io.StringIO() if progress is None else Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    assert printing.announce_compilation(progress) is progress
    load().outer(1)
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("seconds", "lines"), [(0.4, 0), (1.5, 1)])
def test_a_file_gets_one_line_if_progress_is_wanted_and_compilation_is_long(load, monkeypatch, seconds, lines):
    stream, clock = io.StringIO(), iter(np.arange(100) * seconds)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr("triadic.cli.printing.time.monotonic", lambda: next(clock))
    printing.announce_compilation(True)
    kernels = load()
    kernels.outer(1)
    kernels.outer(1.0)
    assert stream.getvalue().count("\n") == lines
    assert stream.getvalue().count("compiling kernels, once") == lines
