"""A graph made ready on devices for counts by middle vertex: its hubs, its lists, and their tasks.

Idea: of each triangle {u, v, w} of ranks u > v > w, either v and w are both hubs, or v is found in the row of u past
the row's hubs. Triangles of the first kind are counted with the bit matrix of the hubs; triangles of the second kind
by walking the list of v, the rows that hold v (list_walk.h). A count of triangles in a large graph walks each list
twice: once for w of low rank (low_columns.py), and once for all other w.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.oriented import Part, middles_from, rows_counted
from triadic.devices.gpu.graph_cache import cached
from triadic.devices.gpu.low_columns import LowColumns, low_columns
from triadic.devices.gpu.memory import check_lists
from triadic.devices.gpu.oriented import DevicePart
from triadic.devices.gpu.rows import rows_on
from triadic.devices.gpu.several import on_each
from triadic.devices.gpu.tasks import Share
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.recorded_count import RecordedCount
    from triadic.devices.runtimes.runtime import Buffer, Runtime

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
_SOURCE = Source("list_tasks", headers=LIST_WALK)
_WORD = (1 << 32) - 1


@dataclass(frozen=True, slots=True, eq=False)
class ListTasks:
    """An oriented graph on a device with its hubs, its lists and the tasks of the lists.

    Attributes
    ----------
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
        runtime: Runtime,
        source: Source,
        kernel: str,
        share: Share,
        *arguments: Buffer | np.generic,
        past_low: bool = False,
        blocks: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Launch a kernel over a share of the list tasks; `arguments` are its parameters after LIST_TASKS.

        The kernel tests all columns of the rows, or only those past the columns of low rank. `blocks` and `threads`
        are those of `Share.launch`.
        """
        walked_from = self.low.end if past_low and self.low is not None else self.indptr
        lists = (self.indptr, self.indices, walked_from, self.list_ptr, self.ends, self.middles, self.starts)
        share.launch(
            runtime, source, kernel, lists, np.uint32(PART), *self.bases, *arguments, blocks=blocks, threads=threads
        )

    def entries_of_lists(self, runtime: Runtime, entries: Buffer) -> Buffer:
        """Return the state (uint8) or value (64 bits) of the entry v in each row u of the list of each v."""
        found = runtime.empty(len(self.ends), entries.dtype)
        source = Source("list_entries", (("VALUES", 1),) if entries.dtype.itemsize > 1 else (), LIST_WALK)
        self.launch(runtime, source, "list_entries", Share.of(len(self.middles), 0, 1), entries, found)
        return found


def prepared_on(
    devices: str, oriented: Oriented, *, hubs: int | None = None, marked: int = 0
) -> list[tuple[Runtime, ListTasks]]:
    """Return the runtimes of the devices in a name such as "cuda:0,1", each with its cached `prepare` of the graph."""
    make = partial(prepare, oriented=oriented, hubs=hubs, marked=marked)

    def prepared(runtime: Runtime) -> tuple[Runtime, ListTasks]:
        return runtime, cached(oriented, runtime, ("list tasks", hubs, marked), partial(make, runtime))

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
    with runtime.active():
        return _prepare(runtime, oriented, hubs, marked)


def _prepare(runtime: Runtime, oriented: Oriented, hubs: int | None, marked: int) -> ListTasks:
    if isinstance(oriented, Part) and not oriented.hubs_pay:
        hubs = marked = 0
    elif hubs is None:
        hubs, marked = choose_marks(oriented.num_vertices, oriented.num_edges)
    hubs = min(hubs, oriented.num_vertices)
    check_lists(runtime, oriented, hubs, marked)
    rows = rows_on(runtime, oriented)
    n, m, indptr, indices = rows.n, rows.m, rows.indptr, rows.indices
    split = runtime.zeros(n, np.int64)
    launch_each(runtime, _SOURCE, "split_rows", n, indptr, indices, np.uint32(hubs), np.uint64(n), split)
    # Passes over vertices run on the device if the runtime's `xp` does, else on the host.
    xp = runtime.xp
    begin, end = runtime.view(indptr), runtime.view(split)
    hubs_in_row = end - begin[:-1]
    first, last = rows_counted(oriented)
    hubs_in_row[:first] = 0
    hubs_in_row[last:] = 0
    few = xp.flatnonzero((hubs_in_row >= 2) & (hubs_in_row <= FEW_HUBS)).astype(xp.uint32)
    many = xp.flatnonzero(hubs_in_row > FEW_HUBS).astype(xp.uint32)
    middle_from = oriented.middles_on(runtime) if isinstance(oriented, DevicePart) else None
    walked_from = middles_from(oriented, begin, end, xp, middle_from=middle_from)
    list_ptr, ends = runtime.columns(indptr, indices, runtime.upload(walked_from))
    middles, starts = cut_into_tasks(runtime, n, indptr, list_ptr)
    del hubs_in_row, walked_from
    low = low_columns(runtime, marked, indptr, indices) if marked else None
    return ListTasks(
        n, m, hubs, indptr, indices, split, runtime.upload(few), runtime.upload(many), list_ptr, ends, middles, starts,
        low=low,
    )  # fmt: skip


def cut_into_tasks(runtime: Runtime, n: int, indptr: Buffer, list_ptr: Buffer) -> tuple[Buffer, Buffer]:
    """Return the middle vertex of each task, and where its part of the list begins, from the lists of `n` rows."""
    rows, most = np.uint64(n), np.uint32(PART)
    place = runtime.zeros(n + 1, np.int64)
    launch_each(runtime, _SOURCE, "count_tasks", n, indptr, list_ptr, rows, most, place)
    with runtime.active():
        before = runtime.xp.cumsum(runtime.view(place))
        count, place = int(before[-1]), runtime.upload(before)
    middles, starts = runtime.empty(count, np.uint32), runtime.empty(count, np.int64)
    launch_each(runtime, _SOURCE, "list_tasks", n, indptr, list_ptr, place, rows, most, middles, starts)
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
