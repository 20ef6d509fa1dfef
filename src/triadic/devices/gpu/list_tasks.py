"""A graph made ready on devices for counts by middle vertex: its hubs, its lists, their tasks, and its low columns.

Idea: of each triangle {u, v, w} of ranks u > v > w, either v and w are both hubs, or v is found in the row of u past
the row's hubs. Triangles of the first kind are counted with the bit matrix of the hubs; triangles of the second kind
by walking the list of v, the rows that hold v (list_walk.h). A count of triangles in a large graph walks each list
twice: once for w of low rank, and once for all other w. The columns of low rank of each row are 16-bit numbers, eight
to a unit of 16 bytes (low_columns.c).

The memory is estimated before anything is copied to the device: the larger of that needed while lists are made and
while they are counted.
"""

from __future__ import annotations

from dataclasses import field
from functools import partial
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.oriented import Oriented, Part, middles_from, rows_counted
from triadic.core.records import record
from triadic.devices.gpu.rows import (
    DevicePart,
    OrientedOnDevice,
    Rows,
    cached,
    cached_keys,
    entries_below,
    length_of_lists,
    rows_on,
)
from triadic.devices.gpu.tasks import RecordedCount, Share, on_each
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import Argument, Buffer, Runtime, Source, c_source, sums_before

if TYPE_CHECKING:
    from collections.abc import Callable

_UNIT = 8  # columns
ACROSS = 4  # lanes that walk a row of columns of low rank
# Number of hubs by number of edges. The bit matrix of 2**14 hubs, 32 MiB, fits the second-level cache of a large card;
# in larger graphs the lists would be so long that more hubs are faster all the same (performance-diary.md).
_MOST_HUBS = ((1 << 27, 1 << 14), (1 << 29, 1 << 15), (1 << 63, 7 << 13))
_MATRIX_BYTES_PER_EDGE = 8
_SMALL = 1 << 12  # edges of a graph without hubs
# With marked ranks fewer hubs are faster. Measured on R-MAT 18 to 26 and web graphs (performance-diary.md).
_MARKED_FROM, _MARKED = 3 << 20, 500 * 64  # edges, ranks
_FEW_HUBS, _HUBS_IN_CACHE = 31 * 64, (1 << 14) - 256
FEW_HUBS = 24  # in rows of up to 24 hubs the bit of each pair is tested
LIST_WALK = ("tasks", "search", "middle_table", "list_walk")  # headers of kernels over lists
PART = 1024  # most rows of a list in one task
_SOURCE, _LOW = c_source("list_tasks", *LIST_WALK), Source("low_columns")
_STATES, _VALUES = c_source("list_entries", *LIST_WALK), c_source("list_entries", *LIST_WALK, VALUES=1)
_WORD = (1 << 32) - 1


class LowColumns(NamedTuple):
    """The columns below a rank `marked` of each row.

    Attributes
    ----------
    marked : int
        A multiple of 64, at most 2**16 - 64: the next number stands for no column.
    end : int64 buffer, shape (n,)
        Where these columns end in `indices`.
    unit_ptr : uint32 buffer, shape (n + 1,)
        Where the units of each row begin.
    units : uint16 buffer, shape (8 * units,)
        The columns, rising within a row; the last unit of a row is filled up with `marked`.
    """

    marked: int
    end: Buffer
    unit_ptr: Buffer
    units: Buffer


def low_columns(runtime: Runtime, marked: int, rows: Rows, *, first: int = 0) -> LowColumns:
    """Copy the columns below `marked` of all rows from the row `first` on; rows before it have no units."""
    n, end = rows.n, _ends_below(runtime, rows, marked)
    with runtime.active():
        lengths = runtime.view(end) - runtime.view(rows.indptr)[:-1]
        lengths += _UNIT - 1
        lengths //= _UNIT
        lengths[:first] = 0
        before = sums_before(runtime.xp, lengths)
        del lengths  # no more memory than the counts take later
        units = runtime.empty(_UNIT * int(before[-1]), np.uint16)
        unit_ptr = runtime.upload(before.astype(np.uint32))
    runtime.launch_each(_LOW, "low_units", _UNIT * n, *rows, end, unit_ptr, n, np.uint32(marked), units)
    return LowColumns(marked, end, unit_ptr, units)


def _ends_below(runtime: Runtime, rows: Rows, rank: int) -> Buffer:
    """Return where the columns below a rank end in each row."""
    end = runtime.zeros(rows.n, np.int64)
    runtime.launch_each(_SOURCE, "split_rows", rows.n, *rows, np.uint32(rank), rows.n, end)
    return end


def bytes_of_low_columns(n: int, entries: int) -> tuple[int, ...]:
    """Estimate the bytes of each buffer that `low_columns` keeps for `n` rows with `entries` columns below `marked`."""
    filled_up = _UNIT // 2 * min(n, entries)  # half a unit for each row that has any
    return 8 * n, 4 * n, 2 * (entries + filled_up)


def low_states(graph: ListTasks, low: LowColumns, state: Buffer) -> Buffer:
    """Return the states of the columns of each unit, two bits for each: uint16, shape (units,)."""
    runtime, units = graph.runtime, len(low.units) // _UNIT
    runtime.check_room(f"the states of {units:,} units of columns", 2 * units)
    states = runtime.zeros(units, np.uint16)
    rows = graph.n
    runtime.launch_each(_LOW, "unit_states", _UNIT * rows, graph.indptr, state, low.end, low.unit_ptr, rows, states)
    return states


@record
class ListTasks:
    """An oriented graph on a device with its hubs, its lists and the tasks of the lists.

    Attributes
    ----------
    runtime : Runtime
    n, m, hubs : int
        Number of vertices, of edges, and of hubs, the vertices of rank below `hubs`.
    indptr : int64 buffer, shape (n + 1,)
    indices : uint32 buffer, shape (m,)
    split : int64 buffer, shape (n,)
        Where the hubs of each row end in `indices`.
    rows_of_few, rows_of_many : uint32 buffers
        Rows with 2 to 24 hubs, and rows with more.
    list_ptr : int64 buffer, shape (n + 1,)
        Where the list of each middle vertex begins in `ends`.
    ends : uint32 buffer, shape (lists,)
        The rows in the lists.
    middles : uint32 buffer, shape (tasks,)
        Middle vertex of each task.
    starts : int64 buffer, shape (tasks,)
        Where the task's part of the list begins in `ends`.
    v_base, u_base : int, default 0
        What is added to the number of a row to get the rank of v, and of u, if only some rows of a graph are there.
        Counts are at ranks.
    low : LowColumns, optional
        The columns of low rank of all rows, for a count that tests them apart from the others.
    recorded : dict of str to RecordedCount
        Counts of the graph that are repeated, by what is counted.
    """

    runtime: Runtime
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
    v_base: int = 0
    u_base: int = 0
    low: LowColumns | None = None
    recorded: dict[str, RecordedCount] = field(default_factory=dict)

    @property
    def bases(self) -> tuple[np.uint32, np.uint32]:
        """`v_base` and `u_base` modulo 2**32, as kernels take them."""
        return np.uint32(self.v_base & _WORD), np.uint32(self.u_base & _WORD)

    @property
    def words(self) -> int:
        """Number of 64-bit words in a row of the bit matrix of the hubs."""
        return self.hubs // 64 + 1

    def launch(
        self,
        source: Source,
        share: Share,
        *arguments: Argument,
        past_low: bool = False,
        blocks: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Launch the kernel with the name of its file over a share of the list tasks.

        Its parameters after LIST_TASKS are `arguments`. It tests all columns of the rows, or only those past the
        columns of low rank. `blocks` and `threads` are those of `Share.launch`.
        """
        walked_from = self.low.end if past_low and self.low is not None else self.indptr
        lists = (self.indptr, self.indices, walked_from, self.list_ptr, self.ends, self.middles, self.starts)
        share.launch(
            self.runtime, source, source.file, lists, np.uint32(PART), *self.bases, *arguments, blocks=blocks,
            threads=threads,
        )  # fmt: skip

    def entries_of_lists(self, entries: Buffer) -> Buffer:
        """Return the state (uint8) or value (64 bits) of the entry v in each row u of the list of each v."""
        found = self.runtime.empty(len(self.ends), entries.dtype)
        source = _VALUES if entries.dtype.itemsize > 1 else _STATES
        self.launch(source, Share.of(len(self.middles), 0, 1), entries, found)
        return found


class HubKernels(NamedTuple):
    """The kernels of a count for triangles with two hubs.

    Attributes
    ----------
    source : Source
        Its kernel `hub_bits` fills the bit matrix, `hub_pairs` counts in rows with few hubs, and `hub_words` in rows
        with many.
    planes : int
        Number of bits for each pair of hubs.
    few_in_a_team : int
        Number of rows with few hubs that a team counts.
    fill_arguments, arguments : tuple of Buffer and scalar
        Parameters of `hub_bits`, and of the other two, after the rows.
    """

    source: Source
    planes: int = 1
    few_in_a_team: int = 1
    fill_arguments: tuple[Argument, ...] = ()
    arguments: tuple[Argument, ...] = ()


class LowKernel(NamedTuple):
    """The kernel of a count that tests the columns of low rank.

    Attributes
    ----------
    source : Source
        Its kernel has the name of the file.
    arguments : tuple of Buffer and scalar
        Parameters of the kernel between the columns of low rank and the counts.
    blocks, threads : int, optional
        Blocks of a launch, and work-items of a block, see `Share.launch`.
    """

    source: Source
    arguments: tuple[Argument, ...] = ()
    blocks: int | None = None
    threads: int | None = None


class ListKernels(NamedTuple):
    """The kernels of a count.

    Attributes
    ----------
    source : Source
        Its kernel has the name of the file, and walks the lists.
    arguments : tuple of Buffer and scalar
        Parameters of the kernel between the tasks and the counts.
    hubs : HubKernels, optional
        Needed if the graph has hubs.
    low : LowKernel, optional
        What tests the columns of low rank if the graph has them apart; `source` then walks the other columns only.
    """

    source: Source
    arguments: tuple[Argument, ...] = ()
    hubs: HubKernels | None = None
    low: LowKernel | None = None


class ListCounter:
    """One device's share of a count over the hubs and the list tasks of a graph.

    Parameters
    ----------
    graph : ListTasks
    kernels : ListKernels
    counts : Buffer
        What the kernels add to.
    bits : Buffer, optional
        The filled bit matrix of the hubs; by default it is made when it is first needed.

    Attributes
    ----------
    bits : Buffer or None
        The bit matrix of the hubs, if it has been made.
    """

    def __init__(self, graph: ListTasks, kernels: ListKernels, counts: Buffer, bits: Buffer | None = None) -> None:
        self.runtime, self.graph, self.counts, self.bits = graph.runtime, graph, counts, bits
        self._kernels = kernels

    def take(self, first: int, step: int) -> None:
        """Count every `step`-th row of hubs and list task from `first` on, and wait for the device.

        A single share is launched only: what reads the counts waits for the device.
        """
        for launch in self.launches(first, step):
            launch()
        if step > 1:
            self.runtime.synchronize()

    def launches(self, first: int, step: int) -> list[Callable[[], None]]:
        """Return functions that each launch a kernel for every `step`-th of its tasks from `first` on.

        They may run in any order, or at the same time: the bit matrix is filled here, if it is not there yet.
        """
        graph, (source, arguments, hubs, low) = self.graph, self._kernels
        found = self._launches_of_hubs(hubs, first, step) if graph.hubs and hubs is not None else []
        share = Share.of(len(graph.middles), first, step)
        if low is not None and graph.low is not None:
            found.append(
                partial(
                    graph.launch, low.source, share, *graph.low[1:], *low.arguments,
                    *self._outputs(share.size), blocks=low.blocks, threads=low.threads,
                )
            )  # fmt: skip
        outputs, past_low = self._outputs(share.size), low is not None
        return [*found, partial(graph.launch, source, share, *arguments, *outputs, past_low=past_low)]

    def _launches_of_hubs(self, hubs: HubKernels, first: int, step: int) -> list[Callable[[], None]]:
        runtime, graph = self.runtime, self.graph
        rows = graph.indptr, graph.indices
        if self.bits is None:
            self.bits = runtime.zeros(hubs.planes * graph.hubs * graph.words, np.uint64)
            runtime.launch(hubs.source, "hub_bits", graph.hubs, *rows, *hubs.fill_arguments, self.bits)
        launches: list[Callable[[], None]] = []
        for kernel, listed, in_a_team in (
            ("hub_words", graph.rows_of_many, 1), ("hub_pairs", graph.rows_of_few, hubs.few_in_a_team)
        ):  # fmt: skip
            share = Share.of(len(listed), first, step)
            launches.append(
                partial(
                    share.launch, runtime, hubs.source, kernel, (*rows, listed), *hubs.arguments, graph.split,
                    self.bits, graph.bases[1], *self._outputs(-(-share.size // in_a_team)), in_a_team=in_a_team,
                )
            )  # fmt: skip
        return launches

    def _outputs(self, tasks: int) -> tuple[Buffer, ...]:  # noqa: ARG002 - counters with a part for each task need it
        """Return the last parameters of a kernel that is launched for a number of tasks."""
        return (self.counts,)


def prepared_on(devices: str, oriented: Oriented, *, hubs: int | None = None) -> list[ListTasks]:
    """Return for each of the devices in a name such as "cuda:0,1" its cached `prepare` of the graph."""

    def prepared(runtime: Runtime) -> ListTasks:
        return cached(oriented, runtime, ("list tasks", hubs), lambda: prepare(runtime, oriented, hubs=hubs))

    return on_each(runtimes_of(devices), prepared)


def prepare(runtime: Runtime, oriented: Oriented, *, hubs: int | None = None, marked: int = 0) -> ListTasks:
    """Copy an oriented graph to a device and make its lists and tasks there.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented
    hubs : int, optional
        Number of hubs. By default `choose_marks` chooses it and `marked`.
    marked : int, default 0
        Number of ranks that are marked, a multiple of 64: columns below it are copied to `low`. 0: none.

    Raises
    ------
    OutOfMemoryError, UnsupportedError
        If the graph is too large for the device.
    """
    n, m = oriented.num_vertices, oriented.num_edges
    if isinstance(oriented, Part) and not oriented.hubs_pay:
        hubs = marked = 0
    elif hubs is None:
        hubs, marked = choose_marks(n, m)
    hubs = min(hubs, n)
    with runtime.active():
        runtime.check_room(
            f"a graph of {n:,} vertices and {m:,} edges", *bytes_of_lists(runtime, oriented, hubs, marked)
        )
        rows = indptr, indices = rows_on(runtime, oriented)
        split = _ends_below(runtime, rows, hubs)
        # Passes over vertices run on the device if the runtime's `xp` does, else on the host.
        xp = runtime.xp
        begin, end = runtime.view(indptr), runtime.view(split)
        hubs_in_row = end - begin[:-1]
        first, last = rows_counted(oriented)
        hubs_in_row[:first] = 0
        hubs_in_row[last:] = 0
        few, many = rows_by_hubs(runtime, hubs_in_row)
        middle_from = oriented.middles_on(runtime) if isinstance(oriented, DevicePart) else None
        walked_from = middles_from(oriented, begin, end, xp, middle_from=middle_from)
        lists = runtime.columns(indptr, indices, runtime.upload(walked_from))
        tasks = cut_into_tasks(runtime, n, indptr, lists[0])
        del hubs_in_row, walked_from
        low = low_columns(runtime, marked, rows) if marked else None
        return ListTasks(runtime, n, m, hubs, indptr, indices, split, few, many, *lists, *tasks, low=low)


def rows_by_hubs(runtime: Runtime, hubs_in_row: Any) -> tuple[Buffer, Buffer]:  # noqa: ANN401 - an array of `xp`
    """Return the rows with 2 to 24 hubs, and the rows with more: uint32."""
    few = (hubs_in_row >= 2) & (hubs_in_row <= FEW_HUBS)
    return runtime.ranks_where(few), runtime.ranks_where(hubs_in_row > FEW_HUBS)


def cut_into_tasks(runtime: Runtime, n: int, indptr: Buffer, list_ptr: Buffer) -> tuple[Buffer, Buffer]:
    """Return the middle vertex of each task, and where its part of the list begins, from the lists of `n` rows."""
    most, place = np.uint32(PART), runtime.zeros(n + 1, np.int64)
    runtime.launch_each(_SOURCE, "count_tasks", n, indptr, list_ptr, n, most, place)
    with runtime.active():
        before = runtime.xp.cumsum(runtime.view(place))
        count, place = int(before[-1]), runtime.upload(before)
    middles, starts = runtime.empty(count), runtime.empty(count, np.int64)
    runtime.launch_each(_SOURCE, "list_tasks", n, indptr, list_ptr, place, n, most, middles, starts)
    return middles, starts


def choose_marks(n: int, m: int) -> tuple[int, int]:
    """Return the number of hubs and of marked ranks, with which triangles of a graph are counted fastest.

    No ranks are marked in small graphs, whose lists are so short that a second pass over them takes longer.
    """
    if m < _MARKED_FROM:
        return min(n, choose_hubs(m)), 0
    root = isqrt(m)
    hubs = min(root, max(_FEW_HUBS, m >> 13), _HUBS_IN_CACHE)
    marked = min(8 * root, _MARKED)
    return min(n, hubs // 64 * 64), min(-(-n // 64) * 64, marked // 64 * 64)


def choose_hubs(m: int) -> int:
    """Return the number of hubs where all other columns are looked up: 0 for small graphs, else a multiple of 64."""
    most = next(hubs for edges, hubs in _MOST_HUBS if m < edges)
    return min(most, 64 * int((8 * _MATRIX_BYTES_PER_EDGE * m) ** 0.5 / 64)) - 64 if m > _SMALL else 0


def bytes_of_lists(runtime: Runtime, oriented: Oriented, hubs: int, marked: int = 0) -> tuple[int, ...]:
    """Estimate the bytes of each buffer at the peak of `list_tasks.prepare` and a count after it."""
    n, m, lists = oriented.num_vertices, oriented.num_edges, length_of_lists(oriented, hubs)
    has_rows = (runtime.name, rows_on.__name__) in cached_keys(oriented) or (
        isinstance(oriented, OrientedOnDevice) and oriented.runtime.name == runtime.name
    )
    rows = 8 * n, *(() if has_rows else (8 * n, 4 * m))  # the ends of hubs in rows, and the rows
    making = 8 * n, 8 * n, *runtime.room_for_columns(n, lists)
    tasks = min(n, lists)
    counts = 8 * n if hubs else max(8 * n, 4 * m)
    counting = 8 * n, 4 * lists, 4 * tasks, 8 * tasks, counts, hubs * hubs // 8
    low = bytes_of_low_columns(n, entries_below(oriented, marked)) if marked else ()
    return *rows, *max(making, (*counting, *low), key=sum)
