"""Squares of vertices with many 2-paths on a GPU, by windows of opposite vertices in local memory (windows.c)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.rows import degrees_on, places_on
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.rows import Lists, Rows
    from triadic.devices.runtimes.runtime import Buffer, Runtime

# Two blocks of 1024 threads fill a multiprocessor of NVIDIA's, if each takes at most half of its local memory.
_THREADS, _THREADS_OF_OTHERS = 1024, 256
_MOST_CELLS, _STEP = 27 << 10, 1 << 10
_MOST_WINDOWS = 64
_SAMPLE_SHIFT = 13  # some 2**13 rows tell how long rows are in each window
_FULL = 1 << 16  # a half of a cell counts to less


def cells_on(runtime: Runtime) -> int:
    """Return the number of words of the counters of a block."""
    scratch = 4 * _THREADS
    room = max(runtime.local_bytes // 2, min(runtime.local_bytes, 48 << 10)) - scratch - 1024
    return max(_STEP, min(_MOST_CELLS, room // 4 // _STEP * _STEP))


class Windows:
    """The 2-paths of some vertices, window by window.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented
    rows : Rows
    lists : Lists
    cells : int, optional
        Words of the counters of a block; a window has at most twice as many ranks.

    Attributes
    ----------
    end : int
        Ranks from here on are in no window.
    joined : int
        Ranks from here on have fewer than two neighbours, and so no squares.
    some : int
        Most 2-paths of a vertex for `launch_some`.
    """

    def __init__(
        self, runtime: Runtime, oriented: Oriented, rows: Rows, lists: Lists, *, cells: int | None = None
    ) -> None:
        self._runtime, self._rows, self._lists = runtime, rows, lists
        self._cells = cells = cells or cells_on(runtime)
        self._threads = _THREADS if runtime.teams > 1 else _THREADS_OF_OTHERS
        slots = 1 << (cells * 2 // 3).bit_length() - 1  # a word and half a word each
        self.some = slots // 2
        self._source = Source(
            "windows", (("CELLS", cells), ("SLOTS", slots), ("THREADS", self._threads)), ("search",),
            local_bytes=4 * cells,
        )  # fmt: skip
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
        check_room(runtime, f"squares of {n:,} vertices and {m:,} edges", 8 * m, 4 * self.joined * (self._bounds + 2))
        self._ends, self._places = runtime.empty(2 * m, np.uint32), places_on(runtime, oriented)
        self._below = runtime.empty(self.joined * (self._bounds + 2), np.uint32)
        runtime.launch(
            self._source, "joined_rows", -(-n // runtime.teams), rows.indptr, rows.indices, lists.ptr, lists.ends,
            np.uint64(n), np.uint64(self.joined), np.uint32(self._bounds), self._ends, self._below,
        )  # fmt: skip
        with runtime.active():
            self._widths = self._lanes_of_rows()

    def _lanes_of_rows(self) -> Buffer:
        """Return for each first multiple of a window how many lanes walk a row, a power of two."""
        runtime = self._runtime
        xp = runtime.xp
        sample = slice(None, self.joined, 1 + (self.joined >> _SAMPLE_SHIFT))
        below = runtime.view(self._below).reshape(self.joined, self._bounds + 2)[sample, 2:].astype(xp.float64)
        walked = xp.diff(runtime.view(self._rows.indptr))[sample].astype(xp.float64)
        lengths = (walked[:, None] * (below[:, 2:] - below[:, :-2])).sum(axis=0) / xp.maximum(walked.sum(), 1)
        widths = 1 << xp.clip(xp.log2(xp.maximum(lengths, 1)).astype(xp.int64) - 1, 2, 5)
        return runtime.upload(xp.concatenate([widths, widths[-1:]]).astype(xp.uint32))

    def tasks_of(self, rows: Buffer) -> tuple[Buffer, Buffer]:
        """Return the rows and windows of the tasks for some rows, an array of `xp` of rising ranks."""
        runtime = self._runtime
        xp = runtime.xp
        owners, windows = [], []
        for bound in range(0, self._bounds - 1, 2):
            low = bound * self._cells
            narrow = self._full if low < self._full else 0  # rows below it have two windows of one half
            parts = (
                (bound, 1, rows[rows < narrow]),
                (bound + 1, 1, rows[rows < narrow]),
                (bound, 2, rows[rows >= narrow]),
            )
            for first, halves, group in parts:
                chosen = group[group + 1 < (first + halves) * self._cells]
                owners.append(chosen.astype(xp.uint32))
                windows.append(xp.full(len(chosen), 2 * first + halves - 1, dtype=xp.uint32))
        return runtime.upload(xp.concatenate(owners)), runtime.upload(xp.concatenate(windows))

    def launch(self, tasks: tuple[Buffer, Buffer], first: int, step: int, counts: Buffer) -> None:
        """Add the squares of every `step`-th task from `first` on to 64-bit counts."""
        blocks = max(0, -(-(len(tasks[0]) - first) // step))
        self._runtime.launch(
            self._source, "squares_of_windows", blocks, self._lists.ptr, self._lists.ends,
            self._ends, self._places, self._below, np.uint32(self._bounds), np.uint32(self.joined), *tasks,
            self._widths, np.uint64(first), np.uint64(step), counts, threads=self._threads,
        )  # fmt: skip

    def launch_some(self, rows: Buffer, first: int, step: int, counts: Buffer) -> None:
        """Add all squares of every `step`-th of some rows from `first` on, of at most `some` 2-paths each."""
        blocks = max(0, -(-(len(rows) - first) // step))
        self._runtime.launch(
            self._source, "squares_of_some", blocks, self._rows.indptr, self._lists.ptr, self._lists.ends, self._ends,
            self._places, rows, np.uint64(first), np.uint64(step), counts, threads=self._threads,
        )  # fmt: skip
