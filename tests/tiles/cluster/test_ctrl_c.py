"""Ctrl-C in a terminal, which reaches all processes of a command that has started workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("distributed")

_COMMAND = """
import time
from triadic.tiles.cluster.client import connect

print("starting", flush=True)
with connect("local:1") as client:
    print("running", flush=True)
    client.submit(time.sleep, 60).result()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C in another way")
@pytest.mark.parametrize("when", [pytest.param("starting", marks=pytest.mark.nightly), "running"])
def test_workers_print_nothing(when):
    command = subprocess.Popen(
        [sys.executable, "-c", _COMMAND], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    assert command.stdout is not None
    assert when in map(str.strip, command.stdout)  # reads lines until there is this one, or no more
    time.sleep(0.5)
    os.killpg(command.pid, signal.SIGINT)
    _, problems = command.communicate(timeout=60)
    assert problems.rstrip().endswith("KeyboardInterrupt")
    assert problems.count("Traceback") == 1, problems
