"""Squares on GPUs: vertices with few 2-paths by hash tables, others by windows (windows.c) and batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.gpu.rows import lists_on, rows_on
from triadic.devices.gpu.several import on_each, summed_on
from triadic.devices.gpu.tasks import ROW_TASKS, Share, run_shares
from triadic.devices.gpu.windows import Windows
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.rows import Lists, Rows
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_FEW = 512  # 2-paths that half a hash table holds
_SLICE = 512  # 2-paths for each team
_SOURCE = Source("squares", (("SLICE", _SLICE),), (*ROW_TASKS, "search", "middle_table"))
# A batch ends at 2**26 2-paths, which is work for a whole card, or when its counters take a quarter of the free memory
# or 2 GiB.
_PATHS, _SHARE_OF_FREE, _MOST_BYTES = 1 << 26, 4, 1 << 31
_DENSE = 4  # a batch with a 2-path for every fourth counter, or more, is summed by counters instead of by 2-paths


def by_vertex(device: str, oriented: Oriented, *, progress: Progress | None = None) -> NDArray[np.int64]:
    """Return the number of squares at each rank: int64, shape (n,)."""
    counters = on_each(runtimes_of(device), lambda runtime: Squares(runtime, oriented))
    run_shares([counter.take for counter in counters], oriented.num_edges, progress)
    first, others = counters[0], [(counter.runtime, counter.counts) for counter in counters[1:]]
    first.counts = summed_on(first.runtime, first.counts, others, np.int64)
    return first.found()


class Squares:
    """One device's share of the squares.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented
    batch_bytes : int, optional
        Most bytes for the counters of a batch.
    cells : int, optional
        Words of the counters of a window (windows.c).

    Attributes
    ----------
    counts : uint32 buffer, shape (4 n,)
        64-bit counts as two words: squares at each rank, then squares to be added after they are halved.
    """

    def __init__(
        self, runtime: Runtime, oriented: Oriented, *, batch_bytes: int | None = None, cells: int | None = None
    ) -> None:
        self.runtime = runtime
        with runtime.active():
            xp = runtime.xp
            self._rows, self._lists = rows_on(runtime, oriented), lists_on(runtime, oriented)
            n = self._rows.n
            check_room(runtime, f"counting squares of {n:,} vertices", 16 * n, 8 * n, 4 * n, 4 * n, 4 * n)
            self.counts = runtime.zeros(2 * 2 * n, np.uint32)
            self._number = self._number_of_paths(0, n)
            number = runtime.view(self._number)
            self._few = runtime.upload(xp.flatnonzero((number >= 2) & (number <= _FEW)).astype(xp.uint32))
            self._windows: Windows | None = None
            self._batches: _Batches | None = None
            if bool((number > _FEW).any()):
                self._windows = Windows(runtime, oriented, self._rows, self._lists, cells=cells)
                is_some = (number > _FEW) & (number <= self._windows.some)
                self._some = runtime.upload(xp.flatnonzero(is_some).astype(xp.uint32))
                many = xp.flatnonzero((number > _FEW) & ~is_some)
                self._tasks = self._windows.tasks_of(many)
                if self._windows.end < self._windows.joined:
                    ranks = self._windows.end, self._windows.joined
                    beyond = runtime.view(self._number_of_paths(*ranks))[many]
                    self._batches = _Batches(
                        runtime, self._rows, self._lists, many[beyond > 1], beyond[beyond > 1], *ranks, batch_bytes,
                    )  # fmt: skip

    def _number_of_paths(self, beyond: int, last: int) -> Buffer:
        """Return for each u the number of 2-paths u - v - w, v and w of larger rank, w in a range: uint64."""
        runtime, rows, lists = self.runtime, self._rows, self._lists
        number = runtime.zeros(rows.n, np.uint64)
        runtime.launch(
            _SOURCE, "number_of_paths", -(-rows.n // runtime.teams), rows.indptr, rows.indices, lists.ptr, lists.ends,
            np.uint64(rows.n), np.uint32(beyond), np.uint32(last), number,
        )  # fmt: skip
        return number

    def take(self, first: int, step: int) -> None:
        """Count the squares of every `step`-th vertex with few 2-paths, window and batch, and wait."""
        runtime, rows, lists = self.runtime, self._rows, self._lists
        with runtime.active():
            if self._windows is not None:
                self._windows.launch(self._tasks, first, step, self.counts)
                self._windows.launch_some(self._some, first, step, self.counts)
            Share.of(len(self._few), first, step).launch(
                runtime, _SOURCE, "squares_of_few", (rows.indptr, rows.indices, self._few), lists.ptr, lists.ends,
                self._number, self.counts,
            )  # fmt: skip
            if self._batches is not None:
                self._batches.take(first, step, self.counts)
        runtime.synchronize()

    def on_device(self) -> Any:  # noqa: ANN401 - an array of `xp`
        """Return the number of squares counted at each rank as an array on the device: int64, shape (n,)."""
        with self.runtime.active():
            whole, twice = self.runtime.view(self.counts).view(np.int64).reshape(2, self._rows.n)
            return whole + (twice >> 1)

    def found(self) -> NDArray[np.int64]:
        """Return the number of squares counted at each rank: int64, shape (n,)."""
        with self.runtime.active():
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
        batch_bytes: int | None,
    ) -> None:
        xp = runtime.xp
        self._runtime, self._rows, self._lists = runtime, rows, lists
        self._beyond, self._last = beyond, last
        if batch_bytes is None:
            batch_bytes = min(runtime.memory()[0] // _SHARE_OF_FREE, _MOST_BYTES)
        self._many = runtime.upload(many.astype(xp.uint32))
        self._paths_of = runtime.download(runtime.upload(number)).astype(np.int64)
        self._listed = runtime.download(runtime.upload(xp.diff(runtime.view(lists.ptr))[many]))
        self._cuts = _batches(self._paths_of, max(1, batch_bytes // (4 * max(1, last - beyond))))
        self._width = int(np.diff(self._cuts).max(initial=0))
        self._paths: Buffer | None = None

    def take(self, first: int, step: int, counts: Buffer) -> None:
        """Count the squares of every `step`-th batch."""
        for batch in range(first, len(self._cuts) - 1, step):
            self._count_batch(int(self._cuts[batch]), int(self._cuts[batch + 1]), counts)

    def _count_batch(self, first: int, last: int, counts: Buffer) -> None:
        runtime, rows, lists = self._runtime, self._rows, self._lists
        columns = self._last - self._beyond
        if self._paths is None:
            self._paths = runtime.zeros(self._width * columns, np.uint32)
        batch = last - first
        segment_ptr = np.concatenate([[0], np.cumsum(self._listed[first:last])])
        count = int(segment_ptr[-1])
        owners, middles = runtime.empty(count, np.uint32), runtime.empty(count, np.uint32)
        entries, lists_of, lengths = (runtime.empty(count, np.int64) for _ in range(3))
        in_rows = runtime.empty(count, np.uint32)
        launch_each(
            runtime, _SOURCE, "segments", count, rows.indptr, rows.indices, lists.ptr, lists.ends, self._many,
            np.uint64(first), np.uint64(batch), np.uint32(self._beyond), np.uint32(self._last),
            runtime.upload(segment_ptr), np.uint64(count),
            owners, middles, entries, lists_of, lengths, in_rows,
        )  # fmt: skip
        before = runtime.xp.zeros(count + 1, dtype=np.int64)
        runtime.xp.cumsum(runtime.view(lengths), out=before[1:])
        before = runtime.upload(before)
        paths = int(self._paths_of[first:last].sum())
        is_dense = paths * _DENSE > batch * columns
        for kernel in ("count_paths", "squares_at_middles", *(() if is_dense else ("squares_across",))):
            runtime.launch(
                _SOURCE, kernel, -(-paths // (_SLICE * runtime.teams)), rows.indices, lists.ends, self._many,
                np.uint64(first), owners, middles, entries, lists_of, in_rows, before, np.uint64(count),
                np.uint64(paths), np.uint64(rows.n), np.uint64(columns), np.uint32(self._beyond), self._paths, counts,
            )  # fmt: skip
        if is_dense:
            launch_each(
                runtime, _SOURCE, "squares_of_counters", columns, np.uint64(columns), np.uint32(batch),
                np.uint32(self._beyond), self._paths, counts,
            )  # fmt: skip


def _batches(paths_of: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Cut vertices into batches of at most `most`, which end at the first vertex that makes `_PATHS` 2-paths."""
    before = np.concatenate([[0], np.cumsum(paths_of)])
    cuts = [0]
    while cuts[-1] < len(paths_of):
        enough = int(np.searchsorted(before, before[cuts[-1]] + _PATHS))
        cuts.append(min(max(enough, cuts[-1] + 1), cuts[-1] + most, len(paths_of)))
    return np.array(cuts, dtype=np.int64)
