"""Triangles on a GPU: hubs by bits, the rest by lists of middle vertices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.oriented import Part, middles_from, rows_counted
from triadic.devices.cpu.zeros import summed
from triadic.devices.gpu.placed import PlacesItself
from triadic.devices.gpu.residence import resident
from triadic.devices.gpu.room import check_lists
from triadic.devices.gpu.rows import rows_on, runtimes_of
from triadic.devices.gpu.runtime import LANES
from triadic.devices.gpu.shares import share, tasks_of
from triadic.devices.gpu.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.runtime import Buffer, Runtime

    Cards = list[tuple[Runtime, "OnDevice"]]

# Their matrix, 32 MiB, then fits a large card's second-level cache; where the lists would be longest, more pay all the
# same (docs/performance.md).
_MOST_HUBS = ((1 << 27, 1 << 14), (1 << 29, 1 << 15), (1 << 63, 7 << 13))  # below so many edges
_BYTES_AN_EDGE = 8  # what the matrix may take
_FEW = 24  # up to so many hubs in a row, each pair's bit is tested
TABLE = ("middle_table",)
PARTS = ("search", *TABLE, "row_parts")
PART = 1024  # rows of a list that a team takes at most
_LONG = (512, 1024, 2048)  # of middle vertices with rows longer than each it takes half as many


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
    with runtime.active():
        return _prepare(runtime, oriented, hubs)


def _prepare(runtime: Runtime, oriented: Oriented, hubs: int | None) -> OnDevice:
    if isinstance(oriented, Part) and not oriented.hubs_pay:
        hubs = 0
    hubs = min(_choose_hubs(oriented.num_edges) if hubs is None else hubs, oriented.num_vertices)
    check_lists(runtime, oriented, hubs)
    rows = rows_on(runtime, oriented)
    n, m, indptr, indices = rows.n, rows.m, rows.indptr, rows.indices
    split = runtime.zeros(n, np.int64)
    size = LANES * runtime.teams
    runtime.launch(_source(hubs), "split_rows", -(-n // size), indptr, indices, np.uint32(hubs), np.uint64(n), split)
    # Passes over vertices, on the device where its runtime has NumPy's functions there, else on the host.
    xp = runtime.xp
    begin, end = runtime.view(indptr), runtime.view(split)
    near = end - begin[:-1]
    first, last = rows_counted(oriented)
    near[:first] = 0
    near[last:] = 0
    few, many = (xp.flatnonzero(kind).astype(xp.uint32) for kind in ((near >= 2) & (near <= _FEW), near > _FEW))
    given = oriented.middles_on(runtime) if isinstance(oriented, PlacesItself) else None
    walked = middles_from(oriented, begin, end, xp, middle_from=given)
    list_ptr, ends = runtime.columns(indptr, indices, runtime.upload(walked))
    length = xp.diff(begin)
    part = xp.full(n, PART, dtype=xp.int64)
    for limit in _LONG:
        part[length > limit] //= 2
    tasks = -(-xp.diff(runtime.view(list_ptr)) // part)
    tasks[length == 0] = 0
    place = xp.zeros(n + 1, dtype=xp.int64)
    xp.cumsum(tasks, out=place[1:])
    count = int(place[-1])
    middles, starts = runtime.zeros(count, np.uint32), runtime.zeros(count, np.int64)
    runtime.launch(
        Source("list_tasks", headers=("row_parts",)), "list_tasks", -(-n // size), indptr, list_ptr,
        runtime.upload(place), np.uint64(n), np.uint32(PART), middles, starts,
    )  # fmt: skip
    return OnDevice(
        n, m, hubs, indptr, indices, split, runtime.upload(few), runtime.upload(many), list_ptr, ends, middles, starts
    )


def total(device: str, oriented: Oriented, *, progress: Progress | None = None) -> int:
    """Count all triangles."""
    return number(on_devices(device, oriented), progress=progress)


def by_vertex(device: str, oriented: Oriented, *, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count the triangles at each rank: int64, shape (n,)."""
    return at_vertices(on_devices(device, oriented), progress=progress)


def by_edge(device: str, oriented: Oriented, *, progress: Progress | None = None) -> NDArray[np.int32]:
    """Count the triangles at each entry of the oriented rows: int32, shape (m,)."""
    return at_entries(on_devices(device, oriented, hubs=0), progress=progress)


def number(cards: Cards, *, progress: Progress | None = None) -> int:
    """Count all triangles of a graph that lies on each of some devices."""
    counters = [Counter(runtime, graph, None, "NUMBER") for runtime, graph in cards]
    share([of.take for of in counters], _edges(cards), progress)
    return sum(int(of.runtime.download(parts).sum(dtype=np.uint64)) for of in counters for parts in of.parts)


def at_vertices(cards: Cards, *, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count the triangles at each rank of a graph that lies on each of some devices."""
    counters = [Counter(of, graph, of.zeros(2 * graph.n, np.uint32), "BY_VERTEX") for of, graph in cards]
    share([of.take for of in counters], _edges(cards), progress)
    return summed([of.runtime.download(of.counts).view(np.int64) for of in counters])


def at_entries(cards: Cards, *, progress: Progress | None = None) -> NDArray[np.int32]:
    """Count the triangles at each entry of a graph that was prepared with no hubs."""
    counters = [Counter(of, graph, of.zeros(graph.m, np.uint32), "BY_EDGE") for of, graph in cards]
    share([of.take for of in counters], _edges(cards), progress)
    return summed([of.runtime.download(of.counts).view(np.int32) for of in counters])


def _edges(cards: Cards) -> int:
    return cards[0][1].m


class Counter:
    """One device's share of a count.

    Parameters
    ----------
    runtime : Runtime
    graph : OnDevice
    counts : Buffer, optional
        What is added to; without, each launch leaves the parts of a number in `parts`.
    what : {"NUMBER", "BY_VERTEX", "BY_EDGE"}
    """

    def __init__(self, runtime: Runtime, graph: OnDevice, counts: Buffer | None, what: str) -> None:
        self.runtime, self.graph, self.counts, self.what = runtime, graph, counts, what
        self.parts: list[Buffer] = []
        self._hubs = _source(graph.hubs, (what, 1))
        self._bits: Buffer | None = None

    def take(self, first: int, step: int) -> None:
        """Count what every `step`th row and list has, from `first` on, and wait until it is done."""
        graph = self.graph
        if graph.hubs:
            if self._bits is None:
                self._bits = self._fill_bits()
            for kernel, rows in (("hub_words", graph.rows_of_many), ("hub_pairs", graph.rows_of_few)):
                self._launch(
                    self._hubs, kernel, len(rows), first, step, graph.indptr, graph.indices, graph.split, self._bits,
                    rows,
                )  # fmt: skip
        self._launch(
            Source("list_triangles", ((self.what, 1),), PARTS), "list_triangles", len(graph.middles), first, step,
            graph.indptr, graph.indices, graph.list_ptr, graph.ends, graph.middles, graph.starts,
            after=(np.uint32(PART),),
        )  # fmt: skip
        self.runtime.synchronize()

    def _fill_bits(self) -> Buffer:
        graph = self.graph
        bits = self.runtime.zeros(graph.hubs * (graph.hubs // 64 + 1), np.uint64)
        symmetric = np.uint32(self.what == "BY_VERTEX")
        self.runtime.launch(self._hubs, "hub_bits", graph.hubs, graph.indptr, graph.indices, symmetric, bits)
        return bits

    def _launch(
        self,
        source: Source,
        kernel: str,
        tasks: int,
        first: int,
        step: int,
        *given: Buffer,
        after: tuple[np.generic, ...] = (),
    ) -> None:
        count = tasks_of(tasks, first, step)
        blocks_of_teams = -(-count // self.runtime.teams)
        parts = self.runtime.empty(count if self.counts is None else 0, np.uint64)
        range_of_tasks = np.uint64(first), np.uint64(step), np.uint64(count)
        counts = parts if self.counts is None else self.counts
        self.runtime.launch(source, kernel, blocks_of_teams, *given, *range_of_tasks, *after, counts, parts)
        self.parts.append(parts)


def on_devices(device: str, oriented: Oriented, *, hubs: int | None = None) -> Cards:
    """Put a graph on the devices that a name such as "cuda:0,1" means; what is there already stays."""
    what = "triangles", hubs
    return [(of, resident(oriented, of, what, partial(prepare, of, oriented, hubs=hubs))) for of in runtimes_of(device)]


def entries_of_lists(runtime: Runtime, graph: OnDevice, entries: Buffer) -> Buffer:
    """Give, of what each entry has, in uint8 or in 64 bits, that of the middle vertex in each row of its list."""
    found, tasks = runtime.empty(len(graph.ends), entries.dtype), len(graph.middles)
    defines = (("VALUES", 1),) if entries.dtype.itemsize > 1 else ()
    runtime.launch(
        Source("list_entries", defines, ("search", "row_parts")), "list_entries", -(-tasks // runtime.teams),
        graph.indptr, graph.indices, entries, graph.list_ptr, graph.ends, graph.middles, graph.starts,
        np.uint64(tasks), np.uint32(PART), found,
    )  # fmt: skip
    return found


def _source(hubs: int, *defines: tuple[str, int]) -> Source:
    return Source("hub_triangles", (("WORDS", hubs // 64 + 1), *defines), ("search",))


def _choose_hubs(m: int) -> int:
    most = next(hubs for edges, hubs in _MOST_HUBS if m < edges)
    return min(most, 64 * int((8 * _BYTES_AN_EDGE * m) ** 0.5 / 64)) - 64 if m > 1 << 12 else 0
