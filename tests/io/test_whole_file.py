"""Files appear complete or not at all, and what killed writers left behind is removed by the next writer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

import triadic
from triadic.errors import WriteError
from triadic.io import temporary_files as module
from triadic.io.temporary_files import recover, whole_file, whole_folder

WRITER = """
import sys, time
from triadic.io.temporary_files import whole_file, whole_folder
maker = whole_folder(sys.argv[1], replaceable=lambda path: True) if sys.argv[2] == "folder" else whole_file(sys.argv[1])
with maker as temporary:
    (temporary / "part" if sys.argv[2] == "folder" else temporary).write_text("half")
    print("ready", flush=True)
    time.sleep(60)
"""

WATCHER = """
import os, sys, time
end, missed = time.time() + 120, 0
print("ready", flush=True)
while not os.path.exists(sys.argv[2]) and time.time() < end:
    missed += not os.path.exists(sys.argv[1])
print(missed)
"""


@contextmanager
def process_of(*words):
    """Start a process, wait until it is ready, and end it after the block."""
    process = subprocess.Popen([sys.executable, "-c", *map(str, words)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def writer(target, kind):
    """Start a process that is writing, and wait until it has begun."""
    return process_of(WRITER, target, kind)


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_the_next_writer_removes_what_a_killed_writer_left(tmp_path, kind):
    target = tmp_path / "result[1].csv"
    own = [f".{target.name}.notes.tmp", f".{target.name}.12-zz.tmp", "other.tmp"]
    for name in own:
        (tmp_path / name).write_text("of the user")
    with writer(target, kind) as process:
        process.send_signal(signal.SIGKILL)
        process.wait(60)
    assert len(list(tmp_path.glob("*.tmp"))) + len(list(tmp_path.glob(".*.tmp"))) >= 4
    with whole_file(target) as temporary:
        temporary.write_text("whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*own, target.name])
    assert target.read_text() == "whole"


def test_a_writer_does_not_disturb_another_writer_of_the_same_file(tmp_path):
    target = tmp_path / "result.csv"
    with writer(target, "file"):
        with whole_file(target) as temporary:
            temporary.write_text("mine")
        assert len(list(tmp_path.glob(".*.tmp"))) == 1
    assert target.read_text() == "mine"


def test_a_folder_is_never_missing_while_it_is_replaced(tmp_path):
    target = tmp_path / "kite.triadic"
    graph = triadic.Graph.from_edges([0, 1, 2], [1, 2, 0])
    triadic.write(graph, target)
    stop = tmp_path / "stop"
    with process_of(WATCHER, target / "header.json", stop) as watcher:
        for _ in range(60):
            triadic.write(graph, target)
        stop.touch()
        missed = int(watcher.communicate(timeout=150)[0])
    stop.unlink()
    if sys.platform in ("linux", "darwin"):
        assert missed == 0
    assert [path.name for path in tmp_path.iterdir()] == ["kite.triadic"]


def test_without_an_exchange_folders_are_replaced_in_two_steps(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_exchange", lambda *_: False)
    target = tmp_path / "folder"
    for text in ("first", "second"):
        with whole_folder(target, replaceable=lambda _: True) as temporary:
            (temporary / "part").write_text(text)
    assert (target / "part").read_text() == "second"
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_folder_renamed_by_a_killed_writer_is_renamed_back(tmp_path):
    old = tmp_path / f".folder.{os.getpid()}-0123abcd.old"
    old.mkdir()
    (old / "part").write_text("kept")
    recover(tmp_path / "folder")
    assert (tmp_path / "folder" / "part").read_text() == "kept"
    assert not old.exists()


def write_half(target):
    with whole_file(target) as temporary:
        temporary.write_text("half")
        raise OSError(28, "no space left on the device")


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "result.csv"
    target.write_text("old")
    with pytest.raises(WriteError, match="no space"):
        write_half(target)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["result.csv"]
