"""The largest memory of a process that reads a graph in triadic's own format and clusters every vertex."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import triadic
from contest import Cell, Contender, Goal, Settings

_SCALES = (18, 22)
_SCALE_OF_GOAL = 22
_CHILD = Path(__file__).resolve().parent.parent / "peak_memory.py"


def cells():
    for scale in _SCALES:
        goals = {"triadic": Goal(peak_bytes=2.5e9)} if scale == _SCALE_OF_GOAL else {}
        yield Cell("memory", f"rmat-{scale}", partial(_memory, scale), goals)


@contextmanager
def _memory(scale: int, settings: Settings):
    with tempfile.TemporaryDirectory() as folder:
        stored = Path(folder) / "graph.triadic"
        triadic.write(triadic.generate.rmat(scale, seed=1, threads=settings.threads), stored)

        def child(_):
            arguments = [sys.executable, str(_CHILD), str(stored), str(settings.threads)]
            return json.loads(subprocess.run(arguments, capture_output=True, text=True, check=True).stdout)

        yield [Contender("triadic", count=child, peak_bytes=lambda figures: figures["peak_bytes"])]
