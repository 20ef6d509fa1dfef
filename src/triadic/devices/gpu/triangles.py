"""Triangles on a GPU: hubs by bits, the rest by lists of middle vertices."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.on_device import OrientedOnDevice
from triadic.devices.gpu.open import runtime as open_runtime
from triadic.devices.gpu.residence import resident
from triadic.devices.gpu.runtime import LANES
from triadic.devices.gpu.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.blocks import Progress
    from triadic.devices.gpu.runtime import Buffer, Runtime
    from triadic.oriented import Oriented

# Their matrix, 32 MiB, then fits a large card's second-level cache; where the lists would be longest, more pay all the
# same (docs/performance.md).
_MOST_HUBS, _MOST_HUBS_OF_MANY = 1 << 14, 1 << 16
_MANY = 1 << 27  # edges
_BYTES_AN_EDGE = 8  # what the matrix may take
_FEW = 24  # up to so many hubs in a row, each pair's bit is tested
_PART = 1024  # rows of a list that a team takes at most


@dataclass(frozen=True, slots=True, eq=False)
class OnDevice:
    """An oriented graph on a device, and what is made ready for counting.

    Attributes
    ----------
    n, m, hubs : int
    indptr : int64, shape (n + 1,)
    indices : uint32, shape (m,)
    split : int64, shape (n,)
        Where the hubs of each row end.
    rows_of_few, rows_of_many : uint32
        Rows with 2 to 24 hubs, and with more.
    list_ptr : int64, shape (n + 1,)
    ends : uint32, shape (lists,)
        For each middle vertex the rows to be walked up to it.
    middles : uint32, shape (tasks,)
    starts : int64, shape (tasks,)
        Middle vertex of each task, and where its part of the list begins.
    """

    n: int
    m: int
    hubs: int
    indptr: Buffer
    indices: Buffer
    split: Buffer
    rows_of_few: Buffer
    rows_of_many: Buffer
    list_ptr: Buffer
    ends: Buffer
    middles: Buffer
    starts: Buffer


def prepare(runtime: Runtime, oriented: Oriented, *, hubs: int | None = None) -> OnDevice:
    """Put an oriented graph on a device and make it ready."""
    n, m = oriented.num_vertices, oriented.num_edges
    if isinstance(oriented, OrientedOnDevice) and oriented.runtime is runtime:
        indptr, indices = oriented.arrays.indptr, oriented.arrays.indices
    else:
        indptr, indices = runtime.upload(oriented.indptr), runtime.upload(oriented.indices.view(np.uint32))
    hubs = min(_choose_hubs(m) if hubs is None else hubs, n)
    split = runtime.zeros(n, np.int64)
    size = LANES * runtime.teams
    runtime.launch(_source(hubs), "split_rows", -(-n // size), indptr, indices, np.uint32(hubs), np.uint64(n), split)
    # Passes over vertices, on the device where its runtime has NumPy's functions there, else on the host.
    xp = runtime.xp
    begin, end = runtime.view(indptr), runtime.view(split)
    near = end - begin[:-1]
    few, many = (xp.flatnonzero(kind).astype(xp.uint32) for kind in ((near >= 2) & (near <= _FEW), near > _FEW))
    list_ptr, ends = runtime.columns(indptr, indices, runtime.upload(xp.maximum(end, begin[:-1] + 1)))
    tasks = -(-xp.diff(runtime.view(list_ptr)) // _PART)
    tasks[begin[1:] == begin[:-1]] = 0
    place = xp.zeros(n + 1, dtype=xp.int64)
    xp.cumsum(tasks, out=place[1:])
    count = int(place[-1])
    middles, starts = runtime.zeros(count, np.uint32), runtime.zeros(count, np.int64)
    runtime.launch(
        Source("rows"), "list_tasks", -(-n // size), list_ptr, runtime.upload(place), np.uint64(n), np.int64(_PART),
        middles, starts,
    )  # fmt: skip
    return OnDevice(
        n, m, hubs, indptr, indices, split, runtime.upload(few), runtime.upload(many), list_ptr, ends, middles, starts
    )


def total(device: str, oriented: Oriented, *, progress: Progress | None = None) -> int:
    """Count all triangles."""
    with _told(progress):
        return number(*_on(device, oriented))


def by_vertex(device: str, oriented: Oriented, *, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count the triangles at each rank: int64, shape (n,)."""
    with _told(progress):
        return at_vertices(*_on(device, oriented))


def by_edge(device: str, oriented: Oriented, *, progress: Progress | None = None) -> NDArray[np.int32]:
    """Count the triangles at each entry of the oriented rows: int32, shape (m,)."""
    with _told(progress):
        return at_entries(*_on(device, oriented, hubs=0))


def number(runtime: Runtime, graph: OnDevice) -> int:
    """Count all triangles of a graph on a device."""
    parts = [*count_hubs(runtime, graph, None), count_lists(runtime, graph, "NUMBER", None)]
    return sum(int(runtime.download(of).sum(dtype=np.uint64)) for of in parts)


def at_vertices(runtime: Runtime, graph: OnDevice) -> NDArray[np.int64]:
    """Count the triangles at each rank of a graph on a device."""
    counts = runtime.zeros(2 * graph.n, np.uint32)
    count_hubs(runtime, graph, counts)
    count_lists(runtime, graph, "BY_VERTEX", counts)
    return runtime.download(counts).view(np.int64)


def at_entries(runtime: Runtime, graph: OnDevice) -> NDArray[np.int32]:
    """Count the triangles at each entry of a graph on a device that was prepared with no hubs."""
    counts = runtime.zeros(graph.m, np.uint32)
    count_lists(runtime, graph, "BY_EDGE", counts)
    return runtime.download(counts).view(np.int32)


def _on(device: str, oriented: Oriented, hubs: int | None = None) -> tuple[Runtime, OnDevice]:
    runtime = open_runtime(device)
    return runtime, resident(oriented, runtime, ("triangles", hubs), lambda: prepare(runtime, oriented, hubs=hubs))


@contextmanager
def _told(progress: Progress | None) -> Iterator[None]:
    """Report the end of what is one step for the host."""
    if progress is not None:
        progress(0, 1)
    yield
    if progress is not None:
        progress(1, 1)


def count_hubs(runtime: Runtime, graph: OnDevice, counts: Buffer | None) -> list[Buffer]:
    """Count what has two hubs; give the parts of the number where `counts` is None."""
    by_vertex = counts is not None
    source = _source(graph.hubs, *([("BY_VERTEX", 1)] if by_vertex else []))
    bits = runtime.zeros(graph.hubs * (graph.hubs // 64 + 1), np.uint64)
    runtime.launch(
        source, "hub_bits", graph.hubs, graph.indptr, graph.indices, np.uint32(graph.hubs), np.uint32(by_vertex), bits
    )
    found = []
    for kernel, rows in (("hub_words", graph.rows_of_many), ("hub_pairs", graph.rows_of_few)):
        blocks = -(-len(rows) // runtime.teams)
        parts = runtime.zeros(0 if by_vertex else blocks * runtime.teams * LANES, np.uint64)
        runtime.launch(
            source, kernel, blocks, graph.indptr, graph.indices, graph.split, bits, rows, np.uint64(len(rows)),
            parts if counts is None else counts, parts,
        )  # fmt: skip
        found.append(parts)
    return found


def count_lists(runtime: Runtime, graph: OnDevice, count: str, counts: Buffer | None) -> Buffer:
    """Count what has a middle vertex that is no hub; give the parts of the number where `counts` is None."""
    tasks = len(graph.middles)
    blocks = -(-tasks // runtime.teams)
    parts = runtime.zeros(blocks * runtime.teams * LANES if counts is None else 0, np.uint64)
    runtime.launch(
        Source("list_triangles", ((count, 1),)), "list_triangles", blocks, graph.indptr, graph.indices, graph.list_ptr,
        graph.ends, graph.middles, graph.starts, np.uint64(tasks), np.uint32(_PART),
        parts if counts is None else counts, parts,
    )  # fmt: skip
    return parts


def _source(hubs: int, *defines: tuple[str, int]) -> Source:
    return Source("hub_triangles", (("WORDS", hubs // 64 + 1), *defines))


def _choose_hubs(m: int) -> int:
    most = _MOST_HUBS if m < _MANY else _MOST_HUBS_OF_MANY
    return min(most, 64 * int((8 * _BYTES_AN_EDGE * m) ** 0.5 / 64)) - 64 if m > 1 << 12 else 0
