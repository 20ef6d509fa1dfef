"""The memory that a plan predicts for each count, compared with the peak of a process that counts."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numba.core.event import install_recorder

import triadic
from triadic.counts.cliques import CLIQUES, CLIQUES_OF_SIZE
from triadic.counts.count import Count, declared
from triadic.counts.edges import EXACT_PAIRS, EXACT_PRODUCTS, STRENGTHS
from triadic.counts.triangles import WEDGE_DRAWS
from triadic.graph.graph import Graph
from triadic.planning import measures

# From the environment, since the measured process, which runs this file, does not find the modules in tests/.
_NIGHTLY = "TRIADIC_NIGHTLY" in os.environ
_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
# In the nightly run each network is measured with each of these numbers of threads, otherwise with one or two of them.
_THREADS = (1, 2, 8)
_SOME_THREADS = {
    "rmat": (2,),
    "uniform": (8,),
    "small-world": (1, 2),
    "preferential": (8,),
    "planar": (2,),
    "directed": (8,),
}
# A thread that takes no block writes none of its arrays: runs are repeated until the largest peak is near enough.
_MOST_RUNS, _SECONDS = 30, 0.1
# Counts that take tens of seconds in networks with hubs are measured in one network without.
_SLOW, _OF_SLOW = ("graphlets of five vertices", "graphlets of five vertices at edges"), "small-world"
# Edges in no triangle take less memory to peel, but how many there are is known only when triangles have been counted;
# then the memory is checked again. An edge takes 8 to 32 bytes; in the uniform network few edges are in triangles.
# Vertices without edges take no memory for strengths, 24 numbers each: their zeros are never written.
_MOST_PREDICTED = {"trusses": 2.5, "strengths of vertices": 2.0}
_NETWORKS = {
    "rmat": lambda: triadic.generate.rmat(17, edge_factor=6, seed=1),
    "uniform": lambda: triadic.generate.erdos_renyi(150_000, 800_000, seed=1),
    "small-world": lambda: triadic.generate.watts_strogatz(130_000, 12, 0.1, seed=1),
    "preferential": lambda: triadic.generate.barabasi_albert(100_000, 8, seed=1),
    "planar": lambda: triadic.generate.delaunay(250_000, seed=1),
    "directed": lambda: triadic.generate.rmat(17, edge_factor=6, seed=2, directed=True),
}


def _can_measure() -> bool:
    try:
        _CLEAR.write_text("5")
    except OSError:
        return False
    return "VmHWM" in _STATUS.read_text() and sys.platform == "linux"


@pytest.mark.skipif(not _can_measure(), reason="the peak of a process can be reset and read on Linux only")
@pytest.mark.parametrize(
    "network",
    [name if name == "directed" else pytest.param(name, marks=pytest.mark.nightly) for name in _NETWORKS],
)
def test_predicted_memory_is_0_8_to_1_5_times_the_measured_peak(network):
    # Arrays of any size are given back to the system when they are freed, as those of large graphs always are.
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": str(1 << 16)}
    words = [sys.executable, __file__, network]
    for _ in range(2):
        child = subprocess.run(words, capture_output=True, text=True, check=True, env=environment)
        compiled, measured = json.loads(child.stdout)
        if not compiled:
            break
    assert len({row["name"] for row in measured}) > 20
    wrong = [
        row
        for row in measured
        if not 0.8 <= row["predicted"] / row["measured"] <= _MOST_PREDICTED.get(row["name"], 1.5)
    ]
    assert wrong == []


def _measure(name: str, compilations: list[object]) -> list[dict[str, object]]:
    """Count everything in one network, and return the predicted and the measured bytes of each count.

    If kernels were compiled for small networks, all others are compiled, too, and the process starts anew: LLVM leaves
    a heap with holes, to which later arrays and threads add memory.
    """
    sys.setswitchinterval(1e-5)
    made = _NETWORKS[name]()
    skeleton = made.oriented()
    source = np.repeat(np.arange(len(skeleton.indptr) - 1, dtype=np.int32), np.diff(skeleton.indptr))
    target = np.array(skeleton.indices)
    if skeleton.state is not None:
        forth, back = (skeleton.state & 1) != 0, (skeleton.state & 2) != 0
        source, target = np.concatenate([source[forth], target[back]]), np.concatenate([target[forth], source[back]])
    order = np.random.default_rng(1).permutation(len(source))
    source, target, n, directed = source[order], target[order], made.num_vertices, made.directed
    del made, skeleton, order
    # Draws of wedges take tables of their own, which `estimate` makes; cliques of this network are too many.
    counts = [
        count
        for count in declared().values()
        if count.gives != "list" and count.takes == "graph" and count not in (WEDGE_DRAWS, CLIQUES, CLIQUES_OF_SIZE)
        if name == _OF_SLOW or count.name not in _SLOW
    ]
    _compile(counts, directed=directed)
    # Large graphs are made by kernels of their own, which are compiled here and not while memory is measured.
    large = Graph.from_edges(source, target, num_vertices=n, directed=directed)
    large.oriented()
    if compilations and "compiled" not in sys.argv:
        _count([count for count in counts if count.name not in _SLOW], large)
        os.execv(sys.executable, [sys.executable, __file__, name, "compiled"])
    del large
    rows: list[dict[str, object]] = []
    for threads in _THREADS if _NIGHTLY else _SOME_THREADS[name]:
        idle = _now()
        graph = Graph.from_edges(source, target, num_vertices=n, directed=directed, threads=threads)
        rows.append(
            _row(
                "making",
                threads,
                _peak() - idle,
                measures.making_bytes(n, len(source), directed=directed, threads=threads),
            )
        )
        oriented = graph.oriented()
        held, held_now = measures.graph_bytes(oriented.sizes), _now() - idle
        for count in counts:
            inputs = _inputs(count, graph)
            predicted = held + count.bytes(oriented.sizes, threads)
            measured, started, most = 0, time.perf_counter(), _MOST_PREDICTED.get(count.name, 1.5)
            # In the first run kernels are compiled or loaded, and threads get stacks, which is not predicted.
            count.cpu(oriented, *inputs, *count.inputs, threads=threads, progress=None)
            for _ in range(_MOST_RUNS):
                before = _now()
                count.cpu(oriented, *inputs, *count.inputs, threads=threads, progress=None)
                measured = max(measured, held_now + _peak() - before)
                seconds = time.perf_counter() - started
                if threads == 1 or (seconds > _SECONDS and predicted <= most * measured):
                    break
            del inputs
            rows.append(_row(count.name, threads, measured, predicted))
        rows.append(_row("held", threads, held_now, held))
        del graph, oriented
    return rows


def _compile(counts: list[Count], *, directed: bool) -> None:
    """Count small graphs that take all kernels: those of hubs, and those of rows of about equal lengths."""
    for small in (
        triadic.generate.rmat(12, seed=1, directed=directed),
        triadic.generate.erdos_renyi(10_000, 40_000, seed=1, directed=directed),
    ):
        _count(counts, small)


def _count(counts: list[Count], graph: Graph) -> None:
    for count in counts:
        for threads in (1, 2):
            count.cpu(graph.oriented(), *_inputs(count, graph), *count.inputs, threads=threads, progress=None)


def _row(name: str, threads: int, measured: int, predicted: int) -> dict[str, object]:
    return {"name": name, "threads": threads, "measured": measured, "predicted": predicted}


def _inputs(count: Count, graph: Graph) -> tuple[object, ...]:
    """Return what a count takes beside the graph."""
    n, m = graph.num_vertices, graph.num_edges
    if count.name == "triads of vertices":
        return ((0, m),)
    if count.name == "ends of wedges":
        return (np.ones((n, 3), dtype=np.int64),)
    if count.name == "neighbour sums":
        return (np.ones((n, 1), dtype=np.int64),)
    if count.name == "intensities of closed triads":
        return np.ones(m), np.ones(m), np.ones(m)
    of_values = {"weighted triangles", *(known.name for known in (EXACT_PRODUCTS, EXACT_PAIRS, STRENGTHS))}
    return (np.ones(m),) if count.name in of_values else ()


def _now() -> int:
    """Free what can be freed, reset the peak, and return the bytes that the process holds."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    _CLEAR.write_text("5")
    return _of("VmRSS")


def _peak() -> int:
    return _of("VmHWM")


def _of(field: str) -> int:
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(field))
    return 1024 * int(line.split()[1])


if __name__ == "__main__":
    with install_recorder("numba:compile") as recorder:
        found = _measure(sys.argv[1], recorder.buffer)
    sys.stdout.write(json.dumps([len(recorder.buffer), found]))
