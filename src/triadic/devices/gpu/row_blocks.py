"""Blocks of rows of an oriented graph, copied to a device when they are needed: a few of them are there at a time.

A block is some consecutive rows, whose columns are ranks. Rows come from a graph on the host or from tiles; the parts
of a row in several tiles are put together on the device, so that blocks do not depend on how the graph was cut.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from triadic.core.oriented import Oriented, ranks_in_triangles
from triadic.devices.gpu.rows import all_mutual
from triadic.devices.gpu.tasks import cut_by
from triadic.devices.runtimes.runtime import Buffer, Runtime, c_source
from triadic.errors import TriadicError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from triadic.core.array_types import AnyArray, Int64Array, Uint8Array

    _Staged = tuple[int, "RowPiece", int, int, int]
    """The number of a piece, the piece, its first row and its last plus one, and their place among staged entries."""

SOURCE = c_source("row_blocks", "search")
_OF_STATES = c_source("row_blocks", "search", STATES=1)
_WIDTH = 4  # work-items that move a row
_WORD = (1 << 32) - 1


class RowPiece(NamedTuple):
    """The entries of some rows in a range of columns.

    Attributes
    ----------
    indptr : int64 array, shape (rows + 1,)
        Where each row begins in the two arrays below.
    indices : int32 or uint32 array
        Columns, minus `first_column`.
    state : uint8 array or None
    first_column : int
        Rank that is added to the columns.
    """

    indptr: Int64Array
    indices: AnyArray
    state: Uint8Array | None
    first_column: int

    def part(self, column: int, first: int, last: int) -> AnyArray:
        """Return the columns (0) or the states (1) of the rows from `first` to `last` - 1."""
        entries = slice(self.indptr[first], self.indptr[last])
        return self.indices[entries].view(np.uint32) if column == 0 or self.state is None else self.state[entries]


class RowSource(Protocol):
    """An oriented graph whose rows are read some at a time.

    Attributes
    ----------
    vertices, edges : int
        Ranks, of which those without entries at the end may be left out, and entries (or an upper bound).
    directed : bool
        Whether entries have states.
    most_pieces : int
        Largest number of pieces of a row.
    marks : sequence of int
        Some ranks, rising from 0 to `vertices`, the entries before which are known without reading rows.
    """

    vertices: int
    edges: int
    directed: bool
    most_pieces: int
    marks: Sequence[int]

    def entries_before(self, rank: int) -> int:
        """Return the number of entries of the rows before a rank, or an upper bound; it rises with the rank."""

    def rows(self, first: int, last: int) -> Iterator[tuple[int, int, Sequence[RowPiece]]]:
        """Yield consecutive rows from `first` to `last` with their pieces by rising columns: (first, last, pieces)."""


class RowsOfGraph:
    """The rows of an oriented graph on the host, without those of vertices of degree 0 and 1 at the end.

    Parameters
    ----------
    oriented : Oriented
    """

    most_pieces = 1
    marks: Sequence[int]

    def __init__(self, oriented: Oriented) -> None:
        self._oriented = oriented
        self.vertices = ranks_in_triangles(oriented.degree)
        self.edges = int(oriented.indptr[self.vertices])
        self.directed, self.marks = oriented.state is not None, (0, self.vertices)

    def entries_before(self, rank: int) -> int:
        """Return the number of entries of the rows before a rank."""
        return int(self._oriented.indptr[rank])

    def rows(self, first: int, last: int) -> Iterator[tuple[int, int, Sequence[RowPiece]]]:
        """Yield the rows as one piece."""
        indptr, state = self._oriented.indptr[first : last + 1], self._oriented.state
        entries = slice(int(indptr[0]), int(indptr[-1]))
        yield first, last, [RowPiece(indptr, self._oriented.indices, state, 0)] if entries.stop > entries.start else []


class Block(NamedTuple):
    """Rows of a graph on a device.

    Attributes
    ----------
    first, last : int
        The rank of the first row, and of the last row plus one.
    indptr : int64 buffer, shape (rows + 1,)
        Where rows begin in the buffers of `Blocks`.
    slot : int
        Number of its part of these buffers.
    """

    first: int
    last: int
    indptr: Buffer
    slot: int

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.last - self.first


class Blocks:
    """The blocks of a graph of which a device holds a few.

    Parameters
    ----------
    runtime : Runtime
    source : RowSource
    cuts : int64 array, shape (blocks + 1,)
        First rank of each block, and the number of ranks.
    slots : int
        Number of blocks that the device holds at a time.
    states : bool
        Whether the states of entries are copied too; all states of an undirected graph are mutual.
    staged : int
        Number of entries of tiles, and of their rows, that are copied at a time before they are put together.

    Attributes
    ----------
    indices : uint32 buffer
        Columns of the rows of all blocks on the device.
    state : uint8 buffer or None
        States of these entries.
    """

    def __init__(
        self, runtime: Runtime, source: RowSource, cuts: Int64Array, *, slots: int, states: bool, staged: int
    ) -> None:
        self._runtime, self._source, self._cuts = runtime, source, cuts
        self._room = most_entries(source, cuts)
        self._free, self._held = list(range(slots)), OrderedDict[int, Block]()
        self._coming: dict[int, Callable[[], Block]] = {}
        size = slots * self._room
        self.indices: Buffer = runtime.empty(size)
        self.state: Buffer | None = None
        self._copied = [(SOURCE, self.indices)]  # with the kernels that move what was copied
        if states and source.directed:
            self.state = runtime.empty(size, np.uint8)
            self._copied.append((_OF_STATES, self.state))
        elif states:
            self.state = all_mutual(runtime, size)
        self._starts = staged
        self._stage(min(staged, self._room) if source.most_pieces > 1 else 0)

    def __len__(self) -> int:
        return len(self._cuts) - 1

    def get(self, number: int, *, beside: Collection[int] = ()) -> Block:
        """Return a block, copied to the device in place of one that is not in `beside` if it is not there."""
        self.fetch(number, beside=beside)
        if number in self._coming:
            block = self._coming.pop(number)()
            self._held[number] = block
        self._held.move_to_end(number)
        return self._held[number]

    def fetch(self, number: int, *, beside: Collection[int] = ()) -> None:
        """Begin to copy a block that is not on the device, in place of one that is not in `beside`, if there is any."""
        if number in self:
            return
        if not self._free:
            oldest = next((held for held in self._held if held not in beside), None)
            if oldest is None:
                return
            self._free.append(self._held.pop(oldest).slot)
        first, last = int(self._cuts[number]), int(self._cuts[number + 1])
        self._coming[number] = self._runtime.start(partial(self._load, first, last, self._free.pop()))

    def __contains__(self, number: int) -> bool:
        """Return whether a block is on the device, or on its way there."""
        return number in self._held or number in self._coming

    def close(self) -> None:
        """Wait for the blocks on their way; the device needs the buffers until then."""
        while self._coming:
            _, block = self._coming.popitem()
            with suppress(TriadicError):
                block()

    def _stage(self, entries: int) -> None:
        """Make room for entries of tiles that are not in their rows yet."""
        self._room_staged = entries
        self._staged = [self._runtime.empty(entries, buffer.dtype) for _, buffer in self._copied]

    def _load(self, first: int, last: int, slot: int) -> Block:
        runtime, place, parts = self._runtime, slot * self._room, []
        for low, high, pieces in self._source.rows(first, last):
            if len(pieces) == 1 and pieces[0].first_column == 0:
                parts.append((self._copy(pieces[0], place), high - low))
                place += _entries(pieces)
                continue
            step = max(1, self._starts // max(1, len(pieces)))
            for start in range(0, high - low, step):
                rows = slice(start, min(start + step, high - low) + 1)
                some = [piece._replace(indptr=piece.indptr[rows]) for piece in pieces]
                parts.append((self._put_together(some, rows.stop - 1 - start, place), rows.stop - 1 - start))
                place += _entries(some)
        with runtime.active():
            xp = runtime.xp
            # The last start of each part is the first of the next one.
            starts = [runtime.view(ptr)[:rows] for ptr, rows in parts] + [xp.full(1, place, np.int64)]
            return Block(first, last, runtime.upload(xp.concatenate(starts)), slot)

    def _copy(self, piece: RowPiece, place: int) -> Buffer:
        runtime, before = self._runtime, int(piece.indptr[0])
        ptr = runtime.empty(len(piece.indptr), np.int64)
        runtime.fill(ptr, [(0, piece.indptr)])
        for column, (_, buffer) in enumerate(self._copied):
            runtime.fill(buffer, [(place, piece.part(column, 0, -1))])
        return runtime.computed(lambda _, starts: starts + (place - before), ptr)

    def _put_together(self, pieces: Sequence[RowPiece], rows: int, place: int) -> Buffer:
        """Put the pieces of rows together from `place` on; return where the rows begin."""
        runtime = self._runtime
        starts = runtime.empty(len(pieces) * (rows + 1))
        runtime.fill(starts, [(number * (rows + 1), piece.indptr) for number, piece in enumerate(pieces)])
        lengths = runtime.zeros(rows + 1, np.int64)
        for number in range(len(pieces)):
            self._add_lengths(starts, number, rows, 1, lengths)
        ptr = runtime.computed(lambda xp, lengths: xp.cumsum(lengths) + place, lengths)
        places = runtime.computed(lambda _, ptr: ptr.copy(), ptr)
        waiting: list[_Staged] = []
        filled = 0
        for number, piece in enumerate(pieces):
            for first, last in pairwise(cut_by((piece.indptr, self._room_staged)).tolist()):
                entries = int(piece.indptr[last] - piece.indptr[first])
                if entries > self._room_staged:  # a single row
                    self._stage(entries)
                if filled + entries > self._room_staged:
                    self._move(starts, rows, waiting, places)
                    waiting, filled = [], 0
                waiting.append((number, piece, first, last, filled))
                filled += entries
        self._move(starts, rows, waiting, places)
        return ptr

    def _move(self, starts: Buffer, rows: int, waiting: list[_Staged], places: Buffer) -> None:
        """Copy entries of some pieces to the device and move them to their rows."""
        runtime = self._runtime
        for column, staged in enumerate(self._staged):
            runtime.fill(staged, [(at, piece.part(column, first, last)) for _, piece, first, last, at in waiting])
        for number, piece, first, last, at in waiting:
            before, moved_rows = int(piece.indptr[first]), last - first
            if piece.indptr[last] > before:
                of_columns = zip(self._copied, self._staged, (piece.first_column, 0), strict=False)
                for (source, to), staged, moved in of_columns:
                    runtime.launch_each(
                        source, "add_entries", _WIDTH * moved_rows, starts, number * (rows + 1), first,
                        moved_rows, np.uint32(before & _WORD), at, staged, np.uint32(moved), places, to,
                    )  # fmt: skip
            if last == rows:  # the piece is complete: the next one's entries follow in each row
                self._add_lengths(starts, number, rows, 0, places)

    def _add_lengths(self, starts: Buffer, number: int, rows: int, after: int, places: Buffer) -> None:
        self._runtime.launch_each(SOURCE, "add_lengths", rows, starts, number * (rows + 1), rows, after, places)


def most_entries(source: RowSource, cuts: Int64Array) -> int:
    """Return the largest number of entries of a block."""
    before = [source.entries_before(int(cut)) for cut in cuts]
    return max((end - start for start, end in pairwise(before)), default=0)


def _entries(pieces: Sequence[RowPiece]) -> int:
    return sum(int(piece.indptr[-1] - piece.indptr[0]) for piece in pieces)
