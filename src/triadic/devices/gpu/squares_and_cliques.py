"""Squares and cliques on GPUs.

Squares of vertices with few 2-paths are counted by hash tables, others by windows of opposite vertices and by batches:
the counters of a window are in local memory (windows.c), those of a batch in global memory (squares.c). Cliques of one
size are counted for batches of rows, whose neighbourhoods are matrices of bits (cliques.c).
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.oriented import int_zeros
from triadic.devices.gpu.rows import Lists, Rows, degrees_on, lists_on, places_on, rows_on
from triadic.devices.gpu.tasks import ROW_TASKS, Share, cut_by, on_each, run_shares, summed_on
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import LANES, Buffer, Runtime, c_source, sums_before
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented


# Two blocks of 1024 threads fill a multiprocessor of NVIDIA's, if each takes at most half of its local memory.
_THREADS, _THREADS_OF_OTHERS = 1024, 256
_MOST_CELLS, _STEP = 27 << 10, 1 << 10
_MOST_WINDOWS = 64
_SAMPLE_SHIFT = 13  # some 2**13 rows tell how long rows are in each window
_FULL = 1 << 16  # a half of a cell counts to less
_FEW = 512  # 2-paths that half a hash table holds
_SLICE = 512  # 2-paths for each team
_SOURCE = c_source("squares", *ROW_TASKS, "search", "middle_table", SLICE=_SLICE)
# A batch ends at 2**26 2-paths, which is work for a whole card, or when its counters take a quarter of the free memory
# or 2 GiB.
_PATHS, _SHARE_OF_FREE, _MOST_BYTES = 1 << 26, 4, 1 << 31
SIZES = range(3, 7)  # of cliques
_MOST_WORDS = 16  # of the bits of a row, for which a team has counters in local memory
_DENSE = 4  # a batch with a 2-path for every fourth counter, or more, is summed by counters instead of by 2-paths


def cells_on(runtime: Runtime) -> int:
    """Return the number of words of the counters of a block."""
    scratch = 4 * _THREADS
    room = max(runtime.local_bytes // 2, min(runtime.local_bytes, 48 << 10)) - scratch - 1024
    return max(_STEP, min(_MOST_CELLS, room // 4 // _STEP * _STEP))


class _Windows:
    """The 2-paths of vertices with more than a few, to ranks below `end`, in one hash table or window by window.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented
    number : array of `xp`, shape (n,)
        Number of 2-paths of each vertex.

    Attributes
    ----------
    many : array of `xp`
        The vertices whose 2-paths are counted window by window.
    end : int
        Ranks from here on are in no window.
    joined : int
        Ranks from here on have fewer than two neighbours, and so no squares.
    """

    def __init__(self, runtime: Runtime, oriented: Oriented, number: Any) -> None:  # noqa: ANN401
        rows, lists = rows_on(runtime, oriented), lists_on(runtime, oriented)
        self._runtime, self._indptr = runtime, rows.indptr
        self._cells = cells = cells_on(runtime)
        self._threads = _THREADS if runtime.teams > 1 else _THREADS_OF_OTHERS
        slots = 1 << (cells * 2 // 3).bit_length() - 1  # a word and half a word each
        self._source = c_source(
            "windows", "search", local_bytes=4 * cells, CELLS=cells, SLOTS=slots, THREADS=self._threads
        )
        n, m = rows.n, rows.m
        with runtime.active():
            # Ranks of at least two neighbours, as no other rank is in a square, and of so many that a half may be full.
            # Ranks count repeated arcs, degrees do not: such ranks may follow others.
            degree = runtime.view(degrees_on(runtime, oriented))
            positions = [runtime.xp.flatnonzero(degree >= least) for least in (2, _FULL)]
            self.joined, self._full = (int(ranks[-1]) + 1 if len(ranks) else 0 for ranks in positions)
        windows = min(_MOST_WINDOWS, -(-self.joined // (2 * cells)))
        self._bounds = 2 * windows + 1
        self.end = min(2 * windows * cells, 1 << 31)
        runtime.check_room(f"squares of {n:,} vertices and {m:,} edges", 8 * m, 4 * self.joined * (self._bounds + 2))
        ends, places = runtime.empty(2 * m), places_on(runtime, oriented)
        self._below = runtime.empty(self.joined * (self._bounds + 2))
        bounds = np.uint32(self._bounds)
        runtime.launch_teams(self._source, "joined_rows", n, *rows, *lists, n, self.joined, bounds, ends, self._below)
        self._walked = *lists, ends, places
        with runtime.active():
            self._widths = self._lanes_of_rows()
            is_some = (number > _FEW) & (number <= slots // 2)
            self._some = runtime.ranks_where(is_some)
            self.many = runtime.xp.flatnonzero((number > _FEW) & ~is_some)
            self._tasks = self._tasks_of(self.many)

    def _lanes_of_rows(self) -> Buffer:
        """Return for each first multiple of a window how many lanes walk a row, a power of two."""
        runtime = self._runtime
        xp = runtime.xp
        sample = slice(None, self.joined, 1 + (self.joined >> _SAMPLE_SHIFT))
        below = runtime.view(self._below).reshape(self.joined, self._bounds + 2)[sample, 2:].astype(xp.float64)
        walked = xp.diff(runtime.view(self._indptr))[sample].astype(xp.float64)
        lengths = (walked[:, None] * (below[:, 2:] - below[:, :-2])).sum(axis=0) / xp.maximum(walked.sum(), 1)
        widths = 1 << xp.clip(xp.log2(xp.maximum(lengths, 1)).astype(xp.int64) - 1, 2, 5)
        return runtime.upload(xp.concatenate([widths, widths[-1:]]).astype(xp.uint32))

    def _tasks_of(self, rows: Buffer) -> tuple[Buffer, Buffer]:
        """Return the rows and windows of the tasks for some rows, an array of `xp` of rising ranks."""
        runtime = self._runtime
        xp = runtime.xp
        owners, windows = [], []
        for bound in range(0, self._bounds - 1, 2):
            low = bound * self._cells
            narrow = self._full if low < self._full else 0  # rows below it have two windows of one half
            few, others = rows[rows < narrow], rows[rows >= narrow]
            for first, halves, group in ((bound, 1, few), (bound + 1, 1, few), (bound, 2, others)):
                chosen = group[group + 1 < (first + halves) * self._cells]
                owners.append(chosen.astype(xp.uint32))
                windows.append(xp.full(len(chosen), 2 * first + halves - 1, dtype=xp.uint32))
        return runtime.upload(xp.concatenate(owners)), runtime.upload(xp.concatenate(windows))

    def take(self, first: int, step: int, counts: Buffer) -> None:
        """Count the squares of every `step`-th window, and of every `step`-th vertex that has one hash table."""
        windows, some = (Share.of(len(rows), first, step).size for rows in (self._tasks[0], self._some))
        self._runtime.launch(
            self._source, "squares_of_windows", windows, *self._walked, self._below, np.uint32(self._bounds),
            np.uint32(self.joined), *self._tasks, self._widths, first, step, counts, threads=self._threads,
        )  # fmt: skip
        self._runtime.launch(
            self._source, "squares_of_some", some, self._indptr, *self._walked, self._some, first, step, counts,
            threads=self._threads,
        )  # fmt: skip


def by_vertex(device: str, oriented: Oriented, *, progress: Progress | None = None) -> Int64Array:
    """Return the number of squares at each rank: int64, shape (n,)."""
    counters = on_each(runtimes_of(device), lambda runtime: Squares(runtime, oriented))
    run_shares(counters, oriented.num_edges, progress)
    counters[0].counts = summed_on(counters)
    return counters[0].found()


class Squares:
    """One device's share of the squares.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented

    Attributes
    ----------
    counts : int64 buffer, shape (2 n,)
        Squares at each rank, then squares to be added after they are halved.
    """

    def __init__(self, runtime: Runtime, oriented: Oriented) -> None:
        self.runtime = runtime
        with runtime.active():
            self._rows, self._lists = rows_on(runtime, oriented), lists_on(runtime, oriented)
            n = self._rows.n
            runtime.check_room(f"counting squares of {n:,} vertices", 16 * n, 8 * n, 4 * n, 4 * n, 4 * n)
            self.counts = runtime.zeros(2 * n, np.int64)
            self._number = self._number_of_paths(0, n)
            number = runtime.view(self._number)
            self._few = runtime.ranks_where((number >= 2) & (number <= _FEW))
            self._of_others: list[_Windows | _Batches] = []
            if bool((number > _FEW).any()):
                windows = _Windows(runtime, oriented, number)
                self._of_others.append(windows)
                ranks = windows.end, windows.joined
                if windows.end < windows.joined:
                    beyond = runtime.view(self._number_of_paths(*ranks))[windows.many]
                    of_many = windows.many[beyond > 1], beyond[beyond > 1]
                    self._of_others.append(_Batches(runtime, self._rows, self._lists, *of_many, *ranks))

    def _number_of_paths(self, beyond: int, last: int) -> Buffer:
        """Return for each u the number of 2-paths u - v - w, v and w of larger rank, w in a range: uint64."""
        runtime, rows, lists = self.runtime, self._rows, self._lists
        number = runtime.zeros(rows.n, np.uint64)
        ranks = np.uint32(beyond), np.uint32(last)
        runtime.launch_teams(_SOURCE, "number_of_paths", rows.n, *rows, *lists, rows.n, *ranks, number)
        return number

    def take(self, first: int, step: int) -> None:
        """Count the squares of every `step`-th vertex with few 2-paths, window and batch, and wait."""
        runtime, rows, lists = self.runtime, self._rows, self._lists
        with runtime.active():
            Share.of(len(self._few), first, step).launch(
                runtime, _SOURCE, "squares_of_few", (*rows, self._few), *lists,
                self._number, self.counts,
            )  # fmt: skip
            for others in self._of_others:
                others.take(first, step, self.counts)
        runtime.synchronize()

    def on_device(self) -> Any:  # noqa: ANN401 - an array of `xp`
        """Return the number of squares counted at each rank as an array on the device: int64, shape (n,)."""
        with self.runtime.active():
            whole, twice = self.runtime.view(self.counts).reshape(2, self._rows.n)
            return whole + (twice >> 1)

    def found(self) -> Int64Array:
        """Return the number of squares counted at each rank: int64, shape (n,)."""
        return self.runtime.download(self.runtime.upload(self.on_device()))


class _Batches:
    """The 2-paths of some vertices to ranks from `beyond` up to `last`, counted in global memory batch by batch."""

    def __init__(
        self,
        runtime: Runtime,
        rows: Rows,
        lists: Lists,
        many: Any,  # noqa: ANN401 - an array of `xp`, as the next
        number: Any,  # noqa: ANN401
        beyond: int,
        last: int,
    ) -> None:
        xp = runtime.xp
        self._runtime, self._rows, self._lists = runtime, rows, lists
        self._beyond, self._last = beyond, last
        batch_bytes = min(runtime.memory()[0] // _SHARE_OF_FREE, _MOST_BYTES)
        self._many = runtime.upload(many.astype(xp.uint32))
        self._paths_of = runtime.download(runtime.upload(number)).astype(np.int64)
        self._listed = runtime.download(runtime.computed(lambda xp, ptr: xp.diff(ptr)[many], lists.ptr))
        most = max(1, batch_bytes // (4 * (last - beyond)))
        self._cuts = cut_by((sums_before(np, self._paths_of), _PATHS), (np.arange(len(many) + 1), most))
        self._width = int(np.diff(self._cuts).max(initial=0))
        self._paths: Buffer | None = None

    def take(self, first: int, step: int, counts: Buffer) -> None:
        """Count the squares of every `step`-th batch."""
        for batch in range(first, len(self._cuts) - 1, step):
            self._count_batch(int(self._cuts[batch]), int(self._cuts[batch + 1]), counts)

    def _count_batch(self, first: int, last: int, counts: Buffer) -> None:
        runtime, rows, lists = self._runtime, self._rows, self._lists
        columns, beyond = self._last - self._beyond, np.uint32(self._beyond)
        if self._paths is None:
            self._paths = runtime.zeros(self._width * columns)
        batch = last - first
        segment_ptr = sums_before(np, self._listed[first:last])
        count = int(segment_ptr[-1])
        owners, middles = runtime.empty(count), runtime.empty(count)
        entries, lists_of, lengths = (runtime.empty(count, np.int64) for _ in range(3))
        in_rows = runtime.empty(count)
        runtime.launch_each(
            _SOURCE, "segments", count, *rows, *lists, self._many, first, batch, beyond, np.uint32(self._last),
            runtime.upload(segment_ptr), count, owners, middles, entries, lists_of, lengths, in_rows,
        )  # fmt: skip
        before = runtime.computed(sums_before, lengths)
        paths = int(self._paths_of[first:last].sum())
        is_dense = paths * _DENSE > batch * columns
        for kernel in ("count_paths", "squares_at_middles", *(() if is_dense else ("squares_across",))):
            runtime.launch(
                _SOURCE, kernel, -(-paths // (_SLICE * runtime.teams)), rows.indices, lists.ends, self._many, first,
                owners, middles, entries, lists_of, in_rows, before, count, paths, rows.n, columns, beyond,
                self._paths, counts,
            )  # fmt: skip
        if is_dense:
            summed = np.uint32(batch), beyond, self._paths, counts
            runtime.launch_each(_SOURCE, "squares_of_counters", columns, columns, *summed)


def cliques_of_size(
    device: str,
    oriented: Oriented,
    sizes: tuple[int, int],
    binomials: Int64Array | None = None,
    *,
    progress: Progress | None = None,
    **_: object,
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Count the cliques of one size of `SIZES`, as the `search` of the CPU returns them."""
    size, n, row, by_vertex = sizes[0], oriented.num_vertices, oriented.sizes.longest_row, binomials is not None
    runtimes, lengths = runtimes_of(device), np.diff(oriented.indptr)
    words = 1 << (max(1, row) - 1 >> 5).bit_length()
    most = sum(comb(length, size - 1) * times for length, times in enumerate(np.bincount(lengths).tolist()))
    if words > _MOST_WORDS or most >= 1 << 63:
        raise UnsupportedError(f"{device}: cliques of {size} in rows of up to {row:,} entries are counted on the CPU")
    source = c_source("cliques", "tasks", "search", "wide_sums", SIZE=size, WORDS=words, BY_VERTEX=int(by_vertex))
    free = min(runtime.memory()[0] for runtime in runtimes)
    cuts = cut_by((oriented.indptr, min(free // _SHARE_OF_FREE, _MOST_BYTES) // (4 * words)))
    tasks = sums_before(np, -(-lengths // LANES))

    def counted(runtime: Runtime) -> Int64Array:
        """Return the total and the counts at ranks of the batches of a device."""
        rows, counts = (*rows_on(runtime, oriented), runtime.upload(tasks)), runtime.zeros(1 + n * by_vertex, np.int64)
        for batch in range(runtimes.index(runtime), len(cuts) - 1, len(runtimes)):
            first, last = int(cuts[batch]), int(cuts[batch + 1])
            count, entries = int(tasks[last] - tasks[first]), int(oriented.indptr[last] - oriented.indptr[first])
            arguments = *rows, n, first, count, runtime.zeros(max(1, words * entries))
            runtime.launch_teams(source, "join_neighbours", count, *arguments)
            runtime.launch_teams(source, "cliques", count, *arguments, counts)
            if progress is not None:
                runtime.synchronize()
                progress(batch + 1, len(cuts) - 1)
        return runtime.download(counts)

    counts = np.sum(on_each(runtimes, counted), axis=0)
    tally, at_rank = int_zeros((size + 1, 1)), int_zeros((1, n, size + 1 if by_vertex else 0))
    tally[size] = counts[0]
    if by_vertex:
        at_rank[0, :, size] = counts[1:]
    return tally, at_rank, int_zeros((0, at_rank.shape[2]))
