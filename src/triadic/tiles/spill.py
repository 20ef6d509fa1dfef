"""The pass over the arcs: each arc becomes the key of an edge, and keys are spilled by cell of the fine grid.

The grid cuts ranks into fine ranges; a cell is a pair of them. Every fine range of rows has one file. A worker collects
keys in a buffer, groups them by cell and appends one long run to each file; the index of the runs stays in memory. If
memory has room for all keys, they stay there and no file is written.

Weights of arcs are in files of their own, in the order of the keys.

Keys are summed by cell, and summed again when they are read back: after a power failure, a file may have its full
length and yet lack data. The bits of weights are summed in the same way.
"""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack, contextmanager
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.oriented import int_empty, int_zeros
from triadic.devices.cpu.orient import tile_cuts as kernels
from triadic.errors import ReadError
from triadic.tiles import store
from triadic.tiles.file_format import put_array, read_array

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from triadic.core.array_types import AnyArray, Float64Array, Ids, Int64Array, Uint32Array
    from triadic.core.blocks import Progress
    from triadic.tiles.partition import Grid

    Held = dict[str, list[tuple[int, AnyArray]]]
    Order = tuple[int, int]  # the number of a piece, and of a part of it

SPILL = "spill-"
_COUNTS, _STARTS = f"{SPILL}counts.npy", f"{SPILL}starts.npy"
# Bytes of an arc in a worker's buffers: its key, the grouped key, and its cell; its weight, and the grouped weight.
ARC_BYTES, WEIGHT_BYTES = 18, 24
# Bytes of a worker: what was decoded together with its piece of the input stays in memory with the piece.
_WORKER_BYTES = 8 << 20
# Least and largest number of arcs in a worker's buffers.
_SHORTEST, LONGEST = 1 << 14, 1 << 21


def spill_name(row: int) -> str:
    """Return the name of the file of a fine range of rows."""
    return f"{SPILL}{row}"


def spilled_weights_name(row: int) -> str:
    """Return the name of the file of the weights of a fine range of rows."""
    return f"{SPILL}weight-{row}"


class Spill:
    """The keys of all cells, and perhaps their weights, in files.

    Parameters
    ----------
    folder : pathlib.Path
        Folder of the files.
    counts : uint32 array, shape (batches, cells)
        Number of keys of each cell in each batch that a worker wrote.
    starts : int64 array, shape (batches, ranges)
        Start of each batch in the file of each fine range, in keys.
    sums : int64 array, shape (cells,)
        Sum of all keys of each cell, modulo 2**64.
    weight_sums : int64 array, shape (cells,), optional
        Sum of the bits of all weights of each cell, read as int64, modulo 2**64; None if arcs have no weights.
    held : dict, optional
        What files would hold, by their names: the start and the content of each run, by rising starts. By default there
        are files.
    """

    def __init__(
        self,
        folder: Path,
        counts: Uint32Array,
        starts: Int64Array,
        sums: Int64Array,
        weight_sums: Int64Array | None = None,
        held: Held | None = None,
    ) -> None:
        self.folder, self.counts, self.starts, self.sums, self.weight_sums = folder, counts, starts, sums, weight_sums
        self._kept = held

    @property
    def held_bytes(self) -> int:
        """Number of bytes of the keys and weights that are in memory."""
        return sum(run.nbytes for runs in (self._kept or {}).values() for _, run in runs)

    def keys(self) -> Int64Array:
        """Return the number of keys of each cell: int64, shape (cells,)."""
        return self.counts.sum(axis=0, dtype=np.int64)

    def runs(self, i: int, j: int) -> tuple[Int64Array, Int64Array]:
        """Return the start, in the file of `i`, and the length of each run of keys of cell (i, j)."""
        first = i * (i + 1) // 2
        starts = self.starts[:, i] + self.counts[:, first : first + j].sum(axis=1, dtype=np.int64)
        lengths = self.counts[:, first + j].astype(np.int64)
        nonempty = lengths > 0
        return starts[nonempty], lengths[nonempty]

    def read(self, row: int, starts: Int64Array, lengths: Int64Array, *out: AnyArray) -> None:
        """Read runs of keys of fine range `row`, and perhaps their weights, one after another, into arrays.

        Raises
        ------
        ReadError
            A file is missing or too short.
        """
        for name_of, values in zip((spill_name, spilled_weights_name), out, strict=False):
            if self._kept is None:
                _read_runs(self.folder / name_of(row), starts, lengths, values)
                continue
            held, end = self._kept[name_of(row)], 0
            first = np.array([start for start, _ in held])
            runs = np.searchsorted(first, starts, side="right") - 1
            for run, start, length in zip(
                runs.tolist(), (starts - first[runs]).tolist(), lengths.tolist(), strict=True
            ):
                values[end : end + length] = held[run][1][start : start + length]
                end += length

    def check(self, i: int, j: int, total: int, weight_total: int = 0, *, inside: bool) -> None:
        """Check the keys that were read of cell (i, j): their sum, that of weights, and whether all are in the cell.

        Raises
        ------
        ReadError
            The keys or the weights are damaged.
        """
        cell = i * (i + 1) // 2 + j
        if self.weight_sums is not None and (int(self.weight_sums[cell]) - weight_total) % (1 << 64):
            name = spilled_weights_name(i)
            raise ReadError(self.folder / name, "is damaged: its weights are not those that were written")
        if not inside or (int(self.sums[cell]) - total) % (1 << 64):
            raise ReadError(self.folder / spill_name(i), "is damaged: its keys are not those that were written")

    def save(self, folder: store.FolderStore) -> list[int]:
        """Write the index of the runs; return the checksums that `load` needs."""
        return [
            put_array(folder, _COUNTS, self.counts.ravel()),
            put_array(folder, _STARTS, self.starts.ravel()),
        ]

    @classmethod
    def load(
        cls,
        folder: store.FolderStore,
        ranges: int,
        sums: Int64Array,
        checksums: list[int],
        weight_sums: Int64Array | None = None,
    ) -> Spill:
        """Read the index that `save` wrote."""
        counts = read_array(folder, _COUNTS, checksums[0]).reshape(-1, len(sums))
        starts = read_array(folder, _STARTS, checksums[1]).reshape(-1, ranges)
        return cls(folder.folder, counts, starts, sums, weight_sums)


def _read_runs(path: Path, starts: Int64Array, lengths: Int64Array, out: AnyArray) -> None:
    """Read runs of numbers of 8 bytes, one after another, into `out`."""
    try:
        with store.open_descriptor(path, os.O_RDONLY) as descriptor:
            end = 0
            for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
                run, offset = store.as_bytes(out[end : end + length]), 8 * start
                while len(run):
                    step = os.preadv(descriptor, [run], offset)
                    if not step:
                        raise ReadError(path, "is too short")
                    run, offset = run[step:], offset + step
                end += length
    except OSError as error:
        raise ReadError(path, f"cannot be read: {error.strerror}") from None


def bucket(
    pieces: Iterator[tuple[AnyArray, ...]],
    arcs: int,
    rank: Ids,
    grid: Grid,
    folder: Path,
    *,
    held: bool,
    memory: int,
    threads: int,
    progress: Progress | None,
    weighted: bool = False,
    in_order: bool = False,
) -> tuple[Spill, int]:
    """Spill the oriented edges of a stream of arcs.

    Parameters
    ----------
    pieces : iterator
        Sources, targets and perhaps weights of arcs, piece by piece.
    arcs : int
        Number of arcs in all pieces.
    rank : int array, shape (n,)
        Rank of each vertex.
    grid : Grid
        The fine ranges.
    folder : pathlib.Path
        Folder of the files.
    held : bool
        Whether to hold the keys in memory, 8 bytes an arc and 8 of its weight, and write no files.
    memory : int
        Bytes for buffers.
    threads, progress
        Arguments of `blocks.run`.
    weighted : bool, default False
        Whether arcs have weights.
    in_order : bool, default False
        Whether the keys of a cell are read back in the order of the stream, for any number of threads. Batches are then
        no longer than pieces.

    Returns
    -------
    Spill, int
        The keys, and the number of loops, which have none.

    Raises
    ------
    ReadError
        The stream has another number of arcs.
    """
    arc_bytes = ARC_BYTES + (WEIGHT_BYTES if weighted else 0)
    threads = min(threads, max(1, memory // _WORKER_BYTES))
    capacity = min(max(memory // (arc_bytes * threads), _SHORTEST), LONGEST)
    with _SpillWriter(folder, grid.ranges, held=held, weighted=weighted).open() as writer:
        queue = _Queue(pieces, arcs, progress)
        workers = [_Worker(rank, grid, capacity, writer, weighted=weighted, in_order=in_order) for _ in range(threads)]
        blocks.run(lambda worker, _: workers[worker].work(queue, worker), threads, threads=threads)
        if queue.done != arcs:
            raise ReadError(folder, f"the input had {arcs} arcs in the first pass and {queue.done} in the second")
        sums = np.sum([worker.sums for worker in workers], axis=0)
        weight_sums = np.sum([worker.weight_sums for worker in workers], axis=0) if weighted else None
        return writer.finish(sums, weight_sums), sum(worker.loops for worker in workers)


class _SpillWriter:
    """Append keys to the files, or to lists in memory, from several threads at once."""

    def __init__(self, folder: Path, ranges: int, *, held: bool, weighted: bool) -> None:
        self._folder = folder
        self._first = np.array([i * (i + 1) // 2 for i in range(ranges + 1)])
        self._lengths = int_zeros(ranges)
        self._batches: list[tuple[Order, Uint32Array, Int64Array]] = []
        names = [spill_name, spilled_weights_name] if weighted else [spill_name]
        self._names = [[name(i) for i in range(ranges)] for name in names]
        self._kept: Held | None = {name: [] for each in self._names for name in each} if held else None
        self._lock = threading.Lock()
        self._descriptors: dict[str, int] = {}

    @contextmanager
    def open(self) -> Iterator[_SpillWriter]:
        """Create empty files and keep them open for the duration of the block."""
        with store.write_errors(self._folder), ExitStack() as stack:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            for name in (name for each in self._names for name in each if self._kept is None):
                self._descriptors[name] = stack.enter_context(store.open_descriptor(self._folder / name, flags))
            yield self

    def append(self, counts: Int64Array, order: Order, *columns: AnyArray) -> None:
        """Write a batch that is grouped by cell: its keys, and perhaps their weights.

        `counts` has the number of keys of each cell, and `order` is the place of the batch among all batches.
        """
        by_row = np.add.reduceat(counts, self._first[:-1])
        with self._lock:  # reserves a place in each file; the writes themselves need no lock
            starts = self._lengths.copy()
            self._lengths += by_row
            self._batches.append((order, counts.astype(np.uint32), starts))
        ends = np.cumsum(by_row)
        for i in np.flatnonzero(by_row):
            part, start = slice(ends[i] - by_row[i], ends[i]), int(starts[i])
            for names, values in zip(self._names, columns, strict=True):
                if self._kept is None:
                    store.write_bytes(self._descriptors[names[i]], values[part], 8 * start)
                else:
                    self._kept[names[i]].append((start, values[part].copy()))

    def finish(self, sums: Int64Array, weight_sums: Int64Array | None) -> Spill:
        """Return the spilled keys in the order of their batches; `sums` and `weight_sums` are by cell."""
        batches = sorted(self._batches, key=itemgetter(0))
        counts = np.array([of_cell for _, of_cell, _ in batches], np.uint32).reshape(-1, int(self._first[-1]))
        starts = np.array([of_row for _, _, of_row in batches], np.int64).reshape(-1, len(self._lengths))
        for runs in (self._kept or {}).values():
            runs.sort(key=itemgetter(0))
        return Spill(self._folder, counts, starts, sums, weight_sums, self._kept)


class _Queue:
    """The stream of arcs, from which each free worker takes the next piece."""

    def __init__(self, pieces: Iterator[tuple[AnyArray, ...]], arcs: int, progress: Progress | None) -> None:
        self._pieces, self._arcs, self._progress = pieces, arcs, progress
        self._lock = threading.Lock()
        self.done = self._taken = 0
        self.stopped = False

    def take(self) -> tuple[int, tuple[AnyArray, ...]] | None:
        """Return the number of the next piece and the piece; None after the last."""
        with self._lock:
            piece = None if self.stopped else next(self._pieces, None)
            if piece is None:
                return None
            self.done += len(piece[0])
            self._taken += 1
            return self._taken, piece

    def report(self) -> None:
        if self._progress is not None:
            self._progress(min(self.done, self._arcs), self._arcs)


class _Worker:
    """The buffers of one worker."""

    def __init__(
        self,
        rank: Ids,
        grid: Grid,
        capacity: int,
        writer: _SpillWriter,
        *,
        weighted: bool,
        in_order: bool,
    ) -> None:
        self._rank, self._grid, self._range_of = rank, grid, grid.range_of()
        self._writer, self._in_order = writer, in_order
        self._weights = np.empty(capacity if weighted else 0)
        self._grouped_weights = np.empty_like(self._weights)
        self.weight_sums = int_zeros(grid.cells if weighted else 0)
        self._keys = int_empty(capacity)
        self._grouped = int_empty(capacity)
        self._cells = np.empty(capacity, np.uint16)
        self._counts = int_zeros(grid.cells)
        self._size = 0
        self.sums = int_zeros(grid.cells)
        self.loops = 0

    def work(self, queue: _Queue, number: int) -> None:
        """Process pieces of the stream until it ends."""
        try:
            while (taken := queue.take()) is not None:
                self._order = taken[0], 0
                self._add(*taken[1])
                if self._in_order:
                    self._flush()
                if number == 0:  # progress is reported in the caller's thread
                    queue.report()
            self._flush()
        except BaseException:
            queue.stopped = True
            raise

    def _add(self, source: Ids, target: Ids, weights: Float64Array | None = None) -> None:
        """Add the keys of arcs, and perhaps their weights, to the buffer; write the buffer when it is full."""
        step = max(1, len(self._keys) // 2)
        for start in range(0, len(source), step):
            part = slice(start, start + step)
            size = len(source[part])
            if self._size + size > len(self._keys):
                self._flush()
            free = slice(self._size, None)
            added = kernels.rank_arcs(
                source[part],
                target[part],
                self._rank,
                self._grid.shift,
                self._range_of,
                self._grid.cuts,
                self._keys[free],
                self._cells[free],
                self._counts,
                self.sums,
            )
            if weights is not None:
                self._weights[self._size : self._size + added] = weights[part][source[part] != target[part]]
            self._size += added
            self.loops += size - added

    def _flush(self) -> None:
        """Group the keys in the buffer by cell and write them."""
        if self._size:
            first = np.cumsum(self._counts) - self._counts
            kernels.group_by_cell(self._keys[: self._size], self._cells, first.copy(), self._grouped)
            weights = [self._group_weights(first)] if len(self._weights) else []
            self._writer.append(self._counts, self._order, self._grouped[: self._size], *weights)
            self._order = self._order[0], self._order[1] + 1
            self._counts[:] = 0
            self._size = 0

    def _group_weights(self, first: Int64Array) -> Float64Array:
        """Return the weights in the buffer grouped by cell, and add their bits to the sums of cells."""
        given, grouped = self._weights[: self._size].view(np.int64), self._grouped_weights[: self._size]
        bits = grouped.view(np.int64)
        kernels.group_by_cell(given, self._cells, first.copy(), bits)
        filled = np.flatnonzero(self._counts)
        self.weight_sums[filled] += np.add.reduceat(bits, first[filled])
        return grouped
