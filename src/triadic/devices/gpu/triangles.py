"""Triangles on GPUs: in all, at each rank, at each edge; and at each vertex, with local clustering coefficients.

What is in the order of vertices is made on the GPU that counts (vertex_values.c), so that one array is copied to the
host. With several devices the first one adds up their counts and does the rest.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.cpu.triangles import triangles as cpu
from triadic.devices.gpu.block_pairs import PartwiseCount
from triadic.devices.gpu.list_tasks import (
    ACROSS,
    FEW_HUBS,
    LIST_WALK,
    HubKernels,
    ListCounter,
    ListKernels,
    ListTasks,
    LowKernel,
    prepared_on,
)
from triadic.devices.gpu.rows import degrees_on, ranks_on
from triadic.devices.gpu.tasks import MOST_EDGES, ROW_TASKS, RecordedCount, downloaded, run_shares, summed_on
from triadic.devices.runtimes.runtime import LANES, Buffer, Source, c_source, strides

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import DTypeLike

    from triadic.core.array_types import AnyArray, Float64Array, Int32Array, Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.rows import OrientedOnDevice

    Prepared = list[ListTasks]

_ACROSS = 8  # lanes for a row with few hubs, as measured (performance-diary.md)
_SUMS = c_source("sums", "wide_sums")
# Rows are long in graphs with many marked ranks; a count by vertex is faster with four lanes everywhere
# (performance-diary.md).
_ACROSS_LONG_ROWS, _LONG_ROWS_FROM = 8, 32_000
# By vertex: counts of the lowest ranks that a block keeps, if it has less or more local memory than _LARGE bytes; its
# teams at most; the blocks of a multiprocessor; and the most tasks of a block, whose counts fit 32 bits.
_FEW_COUNTED, _COUNTED, _LARGE = 4096, 8192, 64 << 10
_TEAMS, _BLOCKS, _MOST_TASKS = 20, 4, 1 << 21
_BLOCKS_OF_A_SUM = 256  # enough to keep a card busy, few to add to one place
_TAKE, _COEFFICIENTS = Source("vertex_values"), c_source("vertex_values", COEFFICIENTS=1)


def total(device: str, oriented: Oriented, *, progress: Progress | None = None) -> int:
    """Return the number of triangles."""
    return number(prepared_on(device, oriented), progress=progress)


def by_vertex(device: str, oriented: Oriented, *, progress: Progress | None = None) -> Int64Array:
    """Return the number of triangles at each rank: int64, shape (n,)."""
    return at_vertices(prepared_on(device, oriented), progress=progress)


def by_edge(device: str, oriented: Oriented, *, progress: Progress | None = None) -> Int32Array:
    """Return the number of triangles at each entry of the oriented rows: int32, shape (m,)."""
    counters = _counters(prepared_on(device, oriented, hubs=0), progress, "BY_EDGE")
    return downloaded(counters).view(np.int32)


def on_device(oriented: OrientedOnDevice) -> Any:  # noqa: ANN401 - an array of `xp`
    """Return the triangles at each rank of a graph on a device, where the result stays: int64, shape (n,)."""
    runtime = oriented.runtime
    counts = summed_on(_counters(prepared_on(runtime.name, oriented), None, "BY_VERTEX"))
    with runtime.active():
        return runtime.view(counts)


@contextmanager
def _counted(prepared: Prepared, progress: Progress | None, result: str) -> Iterator[Buffer]:
    """Yield the number of triangles, in all or at each rank, on the first device: int64, shape (1,) or (n,).

    Launches that read the buffer must be followed by a copy to the host before the block ends: the next count of the
    same graph may overwrite the buffer.
    """
    graph = prepared[0]
    if progress is None and len(prepared) == 1 and graph.m <= MOST_EDGES:
        if result not in graph.recorded:
            # A graph that its recorded counts refer to would stay on the device until Python looks for cycles.
            counter = TriangleCounter(replace(graph, recorded={}), result)
            graph.recorded[result] = RecordedCount(graph.runtime, counter.launches(0, 1), counter.counts)
        with graph.recorded[result].counted() as counts:
            yield counts
    else:
        yield summed_on(_counters(prepared, progress, result))


def _counters(prepared: Prepared, progress: Progress | None, result: str) -> list[TriangleCounter]:
    """Count on all devices, and return the counters."""
    counters = [TriangleCounter(graph, result) for graph in prepared]
    run_shares(counters, prepared[0].m, progress)
    return counters


def number(prepared: Prepared, *, progress: Progress | None = None) -> int:
    """Return the number of triangles of a graph prepared on one or more devices."""
    with _counted(prepared, progress, "NUMBER") as found:
        return int(prepared[0].runtime.download(found)[0])


def at_vertices(prepared: Prepared, *, progress: Progress | None = None) -> Int64Array:
    """Return the number of triangles at each rank of a graph prepared on one or more devices."""
    with _counted(prepared, progress, "BY_VERTEX") as counts:
        counted: Int64Array = prepared[0].runtime.download(counts)
        return counted


class TriangleCounter(ListCounter):
    """One device's share of a count of triangles.

    Parameters
    ----------
    graph : ListTasks
    result : {"NUMBER", "BY_VERTEX", "BY_EDGE"}
        What is counted, as a define of the kernels. "NUMBER": each kernel leaves a count for each of its tasks, and
        their sum, which must be below 2**63, is added to the only count.
    counts, bits : Buffer, optional
        What is added to, by default zeros; and as for `ListCounter`.
    """

    def __init__(self, graph: ListTasks, result: str, counts: Buffer | None = None, bits: Buffer | None = None) -> None:
        self._is_number = result == "NUMBER"
        if counts is None:
            sizes = {"NUMBER": (1, np.int64), "BY_VERTEX": (graph.n, np.int64), "BY_EDGE": (graph.m, np.uint32)}
            counts = graph.runtime.zeros(*sizes[result])
        of_hubs = c_source(
            "hub_triangles", *ROW_TASKS, "digits", WORDS=graph.words, FEW=FEW_HUBS, ACROSS=_ACROSS, **{result: 1}
        )
        hubs = HubKernels(of_hubs, few_in_a_team=LANES // _ACROSS)
        source = c_source("list_triangles", *LIST_WALK, **{result: 1})
        low = None if graph.low is None else _low_kernel(graph, graph.low.marked, result)
        super().__init__(graph, ListKernels(source, hubs=hubs, low=low), counts, bits)

    def launches(self, first: int, step: int) -> list[Callable[[], None]]:
        """Return functions that each launch a kernel, see `ListCounter`, and then one that adds up what it has left."""
        self._parts: list[Buffer] = []
        launches = super().launches(first, step)
        if self._is_number:
            launches = [partial(self._add_up, *pair) for pair in zip(launches, self._parts, strict=True)]
        return launches

    def _outputs(self, tasks: int) -> tuple[Buffer, Buffer]:
        parts = self.runtime.empty(tasks if self._is_number else 0, np.uint64)
        self._parts.append(parts)
        return parts if self._is_number else self.counts, parts

    def _add_up(self, launch: Callable[[], None], parts: Buffer) -> None:
        launch()
        blocks, step = strides(self.runtime, len(parts), _BLOCKS_OF_A_SUM)
        self.runtime.launch(_SUMS, "add_up", blocks, parts, len(parts), step, self.counts)


def _low_kernel(graph: ListTasks, marked: int, result: str) -> LowKernel:
    """Return the kernel over the columns of low rank.

    By vertex, a block takes tasks as long as there are any, so that it adds up many counts before it adds them to
    global memory. Two blocks share the local memory of a multiprocessor if each has 48 KiB.
    """
    if result == "NUMBER":
        across = _ACROSS_LONG_ROWS if marked >= _LONG_ROWS_FROM else ACROSS
        return LowKernel(c_source("hub_lists", *LIST_WALK, MARKED=marked, ACROSS=across, NUMBER=1), (np.uint32(0),))
    runtime, tasks = graph.runtime, len(graph.middles)
    room = max(runtime.local_bytes // 2, min(runtime.local_bytes, 48 << 10)) - 1024
    counted = min(marked, _COUNTED if room > _LARGE else _FEW_COUNTED)
    bytes_of_counts, bytes_of_team = 4 * (counted + 1), 4 * (marked // 32 + 1)
    teams = 1 if runtime.teams == 1 else max(1, min(_TEAMS, (room - bytes_of_counts) // bytes_of_team))
    blocks = min(max(_BLOCKS * runtime.multiprocessors, -(-tasks // _MOST_TASKS)), -(-tasks // teams))
    source = c_source(
        "hub_lists", *LIST_WALK, local_bytes=bytes_of_counts + teams * bytes_of_team, TEAMS=teams, MARKED=marked,
        COUNTED=counted, ACROSS=ACROSS, BY_VERTEX=1,
    )  # fmt: skip
    return LowKernel(source, (np.uint32(blocks),), blocks=blocks, threads=LANES * teams)


def _over_parts(result: str, size: Callable[[int], int]) -> PartwiseCount:
    return PartwiseCount(
        counter=lambda graph, _, counts, bits: TriangleCounter(graph, result, counts, bits), size=size, marks=True
    )


TOTAL_OVER_PARTS = _over_parts("NUMBER", lambda _: 1)
AT_RANKS_OVER_PARTS = _over_parts("BY_VERTEX", lambda n: n)


def triangles(
    device: str,
    oriented: Oriented,
    *,
    threads: int,  # noqa: ARG001 - the host has nothing to do
    progress: Progress | None = None,
) -> Int64Array:
    """Return the number of triangles at each vertex (not rank): int64, shape (n,)."""
    return _of_vertices("triangles", np.int64, prepared_on(device, oriented), oriented, progress)


def coefficients(device: str, oriented: Oriented, *, threads: int, progress: Progress | None = None) -> Float64Array:
    """Return the local clustering coefficient of each vertex (not rank): float64, shape (n,).

    If the device has no 64-bit floating-point numbers, the host applies the formula.
    """
    prepared = prepared_on(device, oriented)
    if not prepared[0].runtime.has_doubles:
        return cpu.coefficients_from(oriented, at_vertices(prepared, progress=progress), threads=threads)
    return _of_vertices("coefficients", np.float64, prepared, oriented, progress)


def _of_vertices(
    what: str, dtype: DTypeLike, prepared: Prepared, oriented: Oriented, progress: Progress | None
) -> AnyArray:
    """Return the triangles or coefficients of all vertices."""
    runtime, n = prepared[0].runtime, oriented.num_vertices
    runtime.check_room(f"the {what} of {n:,} vertices", 8 * n, 8 * n)
    with _counted(prepared, progress, "BY_VERTEX") as at_rank:
        at_vertex = runtime.empty(n, dtype)
        source, kernel, *degree = (
            (_TAKE, "take") if what == "triangles" else (_COEFFICIENTS, "coefficients", degrees_on(runtime, oriented))
        )
        rank = ranks_on(runtime, oriented)
        runtime.launch_each(source, kernel, n, rank, at_rank, *degree, n, at_vertex)
        return runtime.download(at_vertex)
