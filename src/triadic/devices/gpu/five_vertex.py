"""The raw frequencies of the 73 orbits of graphlets of two to five vertices, on GPUs.

Computes: at each rank and orbit, the copies of the graphlet, induced or not, in which the vertex has the orbit's place.
Idea: the passes of `triadic.devices.cpu.orbits.five_vertex`, in batches of vertices. Several devices each have
  the whole graph and its triangles, take batches from one queue, and add to counts of their own, which are added up on
  the host; the first device puts the frequencies together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split
from triadic.devices.cpu.vertex_arrays import summed
from triadic.devices.gpu.common_neighbours import CommonNeighbours
from triadic.devices.gpu.edge_triangles import edge_sums, edge_triangles
from triadic.devices.gpu.five_cycles import FiveCycles, take_folded
from triadic.devices.gpu.shared_cliques import SharedCliques
from triadic.devices.gpu.whole_rows import numbers_of_paths, whole_rows
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.runtimes.runtime import Buffer, Runtime

ORBITS = 73

_COUNTS = 18  # columns of orbit_columns.h
_SOURCE = Source("orbit_sums", headers=("tasks", "search", "wide_sums", "orbit_columns"))
_TRIANGLES, _PAIRS, _CYCLES, _CLIQUES = 1.0, 4.0, 3.0, 2.0  # weights of the stages, for progress


def by_vertex(device: str, oriented: Oriented, *, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count the copies of all graphlets at each rank and orbit: int64, shape (n, 73).

    Parameters
    ----------
    device : str
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    progress : callable, optional

    Raises
    ------
    OutOfMemoryError, UnsupportedError
        If a device has too little memory for the triangles and tables, or there are 2**31 triangles or more.
    """
    if oriented.num_edges == 0:
        return np.zeros((oriented.num_vertices, ORBITS), dtype=np.int64)
    reports = split(progress, [_TRIANGLES, _PAIRS, _CYCLES, _CLIQUES])
    runtimes = runtimes_of(device)
    shares: list[_Passes] = [None] * len(runtimes)  # type: ignore[list-item]  # each worker makes its own

    def prepare(_: int, number: int) -> None:
        shares[number] = _Passes(runtimes[number], oriented)

    blocks.run(prepare, len(runtimes), threads=len(runtimes), progress=reports[0])
    for name, report in zip(("pairs", "cycles", "cliques"), reports[1:], strict=True):
        counters = [share.begin(name) for share in shares]
        _run(counters, report)
        del counters
    return shares[0].put_together(shares)


def _run(counters: Sequence[_Counter], progress: Progress | None) -> None:
    """Let the devices take the batches of a pass from one queue."""
    costs = counters[0].costs
    blocks.run(
        lambda worker, batch: counters[worker].take(batch), len(costs), threads=len(counters), costs=costs,
        progress=progress,
    )  # fmt: skip


class _Counter(Protocol):
    """One device's share of a pass."""

    @property
    def costs(self) -> NDArray[np.int64]:
        """Cost of each batch."""

    def take(self, batch: int) -> None:
        """Count a batch, and wait for the device."""


class _Passes:
    """One device's share of all passes.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented
        A graph with edges.
    """

    def __init__(self, runtime: Runtime, oriented: Oriented) -> None:
        self.runtime = runtime
        self.rows = whole_rows(runtime, oriented)
        n, m = self.rows.n, self.rows.m
        check_room(runtime, f"counting graphlets of {n:,} vertices and {m:,} edges", 8 * _COUNTS * n, 4 * m, 8 * m)
        self.triangles = edge_triangles(runtime, self.rows)
        self.paths, self.later = numbers_of_paths(runtime, self.rows)
        self.counts = runtime.zeros(2 * _COUNTS * n, np.uint32)
        self.edge_counts: list[Buffer] = []

    def begin(self, name: str) -> _Counter:
        """Begin a pass: "pairs", "cycles" or "cliques", each once."""
        runtime, rows, triangles, counts = self.runtime, self.rows, self.triangles, self.counts
        if name == "cycles":
            return FiveCycles(runtime, rows, self.later, counts)
        if name == "pairs":
            pairs = CommonNeighbours(runtime, rows, triangles, self.paths, counts)
            self.edge_counts.append(pairs.squares)
            return pairs
        cliques = SharedCliques(runtime, rows, triangles, counts)
        self.edge_counts.append(cliques.at_edge)
        return cliques

    def put_together(self, shares: Sequence[_Passes]) -> NDArray[np.int64]:
        """Write the frequencies from the counts of all devices."""
        runtime, rows, triangles = self.runtime, self.rows, self.triangles
        counts = _added([(share.runtime, share.counts) for share in shares])
        squares, cliques = (
            _added([(share.runtime, share.edge_counts[i]) for share in shares]) for i in range(len(self.edge_counts))
        )
        take_folded(runtime, rows, triangles, counts)
        n, m = rows.n, rows.m
        check_room(runtime, f"the frequencies of 73 orbits at {n:,} vertices", 8 * ORBITS * n, 8 * m, 8 * m)
        near, beside = edge_sums(runtime, rows, triangles)
        raw = runtime.zeros(2 * ORBITS * n, np.uint32)

        def launch(kernel: str, items: int, *arguments: Any) -> None:  # noqa: ANN401 - buffers and numbers
            runtime.launch(_SOURCE, kernel, -(-items // runtime.teams), *arguments, raw)

        vertices, entries = (np.uint64(0), np.uint64(n)), (np.uint64(0), np.uint64(2 * m))
        of_rows = rows.ptr, rows.ends, rows.edges
        launch(
            "sum_over_edges", n, *of_rows, triangles.support, near, squares, cliques, counts, np.uint64(n), *vertices
        )
        launch(
            "sum_over_triangles", 2 * m, *of_rows, rows.owners, *triangles.lists, triangles.support, near, beside,
            squares, cliques, *entries,
        )  # fmt: skip
        launch("sum_over_neighbours", n, *of_rows, triangles.support, *vertices)
        launch("sum_over_paths", n, rows.ptr, rows.ends, *vertices)
        return runtime.download(raw).view(np.int64).reshape(n, ORBITS)


def _added(parts: Sequence[tuple[Runtime, Buffer]]) -> Buffer:
    """Return the sum of 64-bit counts of several devices, on the first device."""
    runtime, first = parts[0]
    if len(parts) == 1:
        return first
    total = summed([there.download(counts).view(np.int64) for there, counts in parts])
    return runtime.upload(total.view(first.dtype))
