"""Temporal motifs beside FAST and SNAP, counting alone: the events lie in memory, sorted as each program keeps them.

FAST (Gao and others 2022) and SNAP's example are programs that must be on the path, as ``FAST_temporal_motif`` and
``temporalmotifsmain``. They are built with ``g++ -O3 -march=native`` and print ``counted in SECONDS s``: a line before
the loops of ``main.cpp``, and one around ``Count3TEdge23Node``. Both count on one thread here. They order tied events
in ways of their own, so that results are compared by `test_temporal_motifs_beside_others.py`, without ties.
"""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

import triadic
from contest import Cell, Contender, Goal, LeftOutError, Settings

_FAST, _SNAP = "FAST_temporal_motif", "temporalmotifsmain"
_COUNTED = re.compile(r"counted in (\S+) s")
_FILES = {"CollegeMsg": ",", "sx_events": " "}
_BURSTS = {"bursts-1M": 10**6, "bursts-10M": 10**7}
# Mean numbers of events in the window of an event after it: 10 and 100.
_DELTAS = {"bursts-1M": (150_000, 2_600_000), "bursts-10M": (80_000, 1_200_000)}
_BY_VERTEX = "triadic by vertex"
_ONE = "triadic, one thread"


def cells():
    for name in (*_FILES, *_BURSTS):
        for delta in _DELTAS.get(name, (600, 86_400)):
            yield Cell("temporal", f"{name}-{delta}", partial(_motifs, name, delta), {_FAST: Goal(ratio=10)})


@contextmanager
def _motifs(name: str, delta: int, settings: Settings):
    graph = _graph(name, settings)
    graph.oriented(threads=settings.threads)
    with tempfile.TemporaryDirectory() as folder:
        yield [
            Contender(
                "triadic",
                count=lambda _: triadic.temporal_motifs(graph, delta, threads=settings.threads, device="cpu"),
                numbers=_sum,
            ),
            Contender(
                _ONE,
                count=lambda _: triadic.temporal_motifs(graph, delta, threads=1, device="cpu"),
                numbers=_sum,
            ),
            Contender(
                _BY_VERTEX,
                count=lambda _: triadic.temporal_motifs(graph, delta, "vertex", threads=settings.threads, device="cpu"),
            ),
            *(_program(name, graph, delta, Path(folder)) for name in (_FAST, _SNAP)),
        ]


def _graph(name: str, settings: Settings) -> triadic.TemporalGraph:
    if name in _BURSTS:
        events = _BURSTS[name]
        return triadic.generate.bursts(events // 10, events, seed=1, threads=settings.threads)
    path = settings.data / f"{name}.txt.gz"
    if not path.exists():
        raise LeftOutError(f"{path} does not exist; TRIADIC_DATA names another folder of networks")
    with gzip.open(path, "rt") as text:
        rows = np.loadtxt(text, delimiter=_FILES[name], dtype=np.int64)
    _, ends = np.unique(rows[:, :2], return_inverse=True)
    source, target = ends.reshape(-1, 2).T
    return triadic.TemporalGraph.from_edges(source, target, rows[:, 2])


def _program(program: str, graph: triadic.TemporalGraph, delta: int, folder: Path) -> Contender:
    events, counts = folder / f"{program}.txt", folder / f"{program}.counts"
    arguments = {
        _FAST: ["-input", str(events), "-output", str(counts), "-w", str(delta)],
        _SNAP: [f"-i:{events}", f"-o:{counts}", f"-delta:{delta}", "-nt:1"],
    }[program]

    def count(_: object) -> str:
        if shutil.which(program) is None:
            raise LeftOutError(f"{program} is not on the path")
        if not events.exists():
            rows = np.stack([graph.source, graph.target, graph.time - graph.time[0]], axis=1).tolist()
            text = "\n".join(f"{source} {target} {time}" for source, target, time in rows)
            # FAST reads the last row twice if there is a newline after it; SNAP does not read it if there is none.
            events.write_text(text if program == _FAST else text + "\n")
        return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout

    def seconds(printed: str) -> float:
        found = _COUNTED.search(printed)
        if found is None:
            raise LeftOutError(f"{program} does not print 'counted in SECONDS s': see benchmarks/cells/temporal.py")
        return float(found[1])

    return Contender(program, count=count, seconds=seconds)


def _sum(motifs: triadic.TemporalMotifs) -> np.ndarray:
    return np.array(sum(motifs.values()))
