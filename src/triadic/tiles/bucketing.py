"""The pass over the arcs: each ranked, turned to its larger rank, and set aside by cell of the fine grid."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.devices.cpu import tiling_kernels as kernels
from triadic.devices.cpu.vertex_arrays import summed
from triadic.errors import ReadError
from triadic.tiles.spill import SpillIndex, SpillWriter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.tiles.plan import Grid

    Ids = NDArray[np.integer[Any]]

# An arc in a worker's buffer: its key, as it came and grouped, and its cell.
_ARC_BYTES = 18
_SHORTEST, _LONGEST = 1 << 14, 1 << 21


@dataclass(frozen=True, slots=True)
class Bucketed:
    """What was set aside, and how many arcs were loops."""

    index: SpillIndex
    loops: int


def bucket(
    pieces: Iterator[tuple[Ids, Ids]],
    arcs: int,
    rank: Ids,
    grid: Grid,
    folder: Path,
    *,
    held: bool,
    memory: int,
    threads: int,
    progress: Progress | None,
) -> Bucketed:
    """Set the oriented edges of a stream aside.

    Parameters
    ----------
    pieces : iterator
        Source and target of arcs, piece by piece.
    arcs : int
        How many there are in all.
    rank : int array, shape (n,)
        Rank of each vertex.
    grid : Grid
    folder : pathlib.Path
        Where to.
    held : bool
        Whether to hold edges in memory, 8 bytes an arc, and write nothing.
    memory : int
        Bytes that buffers may take.
    threads, progress
        As in `blocks.run`.
    """
    capacity = min(max(memory // (_ARC_BYTES * threads), _SHORTEST), _LONGEST)
    with SpillWriter(folder, grid.ranges, held=held).open() as writer:
        queue = _Queue(pieces, arcs, progress)
        workers = [_Worker(rank, grid, capacity, writer) for _ in range(threads)]
        blocks.run(lambda worker, _: workers[worker].work(queue, worker), threads, threads=threads)
        if queue.done != arcs:
            raise ReadError(folder, f"the input gave {queue.done} arcs, and {arcs} when it was surveyed")
        return Bucketed(
            writer.finish(summed([worker.sums for worker in workers])), sum(worker.loops for worker in workers)
        )


class _Queue:
    """The stream, from which whoever is free takes the next piece."""

    def __init__(self, pieces: Iterator[tuple[Ids, Ids]], arcs: int, progress: Progress | None) -> None:
        self._pieces, self._arcs, self._progress = pieces, arcs, progress
        self._lock = threading.Lock()
        self.done = 0
        self.stopped = False

    def take(self) -> tuple[Ids, Ids] | None:
        with self._lock:
            if self.stopped:
                return None
            piece = next(self._pieces, None)
            if piece is not None:
                self.done += len(piece[0])
        return piece

    def report(self) -> None:
        if self._progress is not None:
            self._progress(min(self.done, self._arcs), self._arcs)


class _Worker:
    """Keys of one worker until they are enough to be written."""

    def __init__(self, rank: Ids, grid: Grid, capacity: int, writer: SpillWriter) -> None:
        self._rank, self._cuts, self._shift, self._range_of = rank, grid.cuts, grid.shift, grid.range_of()
        self._writer = writer
        self._keys = np.empty(capacity, dtype=np.int64)
        self._grouped = np.empty(capacity, dtype=np.int64)
        self._cells = np.empty(capacity, dtype=np.uint16)
        self._counts = np.zeros(grid.cells, dtype=np.int64)
        self._held = 0
        self.sums = np.zeros(grid.cells, dtype=np.int64)
        self.loops = 0

    def work(self, queue: _Queue, number: int) -> None:
        try:
            while (piece := queue.take()) is not None:
                self._add(*piece)
                if number == 0:  # the caller's thread
                    queue.report()
            self.flush()
        except BaseException:
            queue.stopped = True
            raise

    def _add(self, source: Ids, target: Ids) -> None:
        for start in range(0, len(source), max(1, len(self._keys) // 2)):
            part = slice(start, start + max(1, len(self._keys) // 2))
            size = len(source[part])
            if self._held + size > len(self._keys):
                self.flush()
            free = slice(self._held, None)
            taken = kernels.rank_arcs(
                source[part],
                target[part],
                self._rank,
                self._shift,
                self._range_of,
                self._cuts,
                self._keys[free],
                self._cells[free],
                self._counts,
                self.sums,
            )
            self._held += taken
            self.loops += size - taken

    def flush(self) -> None:
        """Group what is held by cell and set it aside."""
        if self._held:
            position = np.cumsum(self._counts) - self._counts
            kernels.group_by_cell(self._keys[: self._held], self._cells, position, self._grouped)
            self._writer.append(self._grouped[: self._held], self._counts)
            self._counts[:] = 0
            self._held = 0
