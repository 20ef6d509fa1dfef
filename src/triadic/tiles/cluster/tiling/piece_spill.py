"""The keys and weights of cells in the pieces of all chunks, and the rows of a tile that a task sorts from them.

If weights cannot be combined, the task knows ranks, and the client names the vertices (`named_error`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.orient.bucket_keys import WrongWeightsError
from triadic.devices.cpu.orient.rows import column_counts
from triadic.errors import ArgumentError, ReadError
from triadic.graph.weights import wrong_weights
from triadic.tiles.cluster.tiling.pieces import read_into, read_parts
from triadic.tiles.sorting import SortedTile, sort_tile
from triadic.tiles.spill import Spill

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int32Array, Int64Array
    from triadic.devices.cpu.orient.bucket_keys import Wrong
    from triadic.tiles.cluster.tiling.pieces import PartBlock, PartList, PieceSet
    from triadic.tiles.cluster.tiling.work_place import Job
    from triadic.tiles.partition import Grid
    from triadic.tiles.store import TileStore


class UncombinedWeightsError(ArgumentError):
    """The weights of an edge cannot be combined; the client names its vertices.

    Attributes
    ----------
    wrong : Wrong
        What is wrong with them.
    ranks : (int, int)
        Ranks of the row and of the column.
    """

    def __init__(self, wrong: Wrong, ranks: tuple[int, int]) -> None:
        super().__init__(wrong, ranks)  # the arguments, as an exception is sent by them
        self.wrong, self.ranks = wrong, ranks


def named_error(
    error: UncombinedWeightsError,
    store: TileStore,
    placed: PieceSet,
    grid: Grid,
    labels: str | None,
    *,
    directed: bool,
    both: int,
    equal: int,
) -> ArgumentError:
    """Return the error that names the vertices of the edge.

    Parameters
    ----------
    error : UncombinedWeightsError
        The error of the task.
    store : TileStore
        The work folder.
    placed : PieceSet
        The pieces with the vertices and labels of each fine range.
    grid : Grid
        The fine ranges.
    labels : str or None
        Kind of the labels.
    directed : bool
        Whether the graph is directed.
    both, equal : int
        Arguments of `wrong_weights`.
    """
    (row, row_name), (column, column_name) = (_vertex_at(store, placed, grid, rank, labels) for rank in error.ranks)
    names = {row: row_name, column: column_name}
    return wrong_weights(
        error.wrong, (row, column), lambda end: f"vertex {names[end]}", directed=directed, both=both, equal=equal
    )


def _vertex_at(store: TileStore, placed: PieceSet, grid: Grid, rank: int, labels: str | None) -> tuple[int, int | str]:
    """Return the vertex of a rank, and its label or, without labels, the vertex again; for messages."""
    fine = int(np.searchsorted(grid.cuts, rank, side="right")) - 1
    for place, vertices, *of_labels in read_parts(store, placed.part(fine)):
        for found in np.flatnonzero(place == rank - grid.cuts[fine]).tolist():
            vertex = int(vertices[found])
            if labels == "numbers":
                return vertex, int(of_labels[0][found])
            if labels == "names":
                ends = np.cumsum(of_labels[1].astype(np.int64))
                name = of_labels[0][ends[found] - int(of_labels[1][found]) : ends[found]]
                return vertex, name.tobytes().decode()
            return vertex, vertex
    raise ReadError(store.place, f"is damaged: no vertex has the rank {rank}")


_PART_BITS = 32  # of the number of a part within its cell


class PieceSpill(Spill):
    """The keys of some cells in the pieces of all chunks, for `sort_tile`.

    The cells of a fine range of rows lie one after the other in a piece. As many of them as there is room for are read
    together, because a read can be a request to a store.

    Parameters
    ----------
    store : TileStore
        The work folder.
    cells : dict of (int, int) to PartList
        Where the keys of each cell are, in order of cells; empty parts may be left out.
    room : int
        Bytes for keys that were read with the keys of an earlier cell.
    """

    def __init__(self, store: TileStore, cells: dict[tuple[int, int], PartList], room: int) -> None:
        self._store, self._room = store, room
        self._rows, self._cells = [i for i, _ in cells], list(cells.values())
        self._place = {cell: k for k, cell in enumerate(cells)}
        self._keys = [int(parts.lengths.sum()) for parts in self._cells]
        self._held: dict[int, Int64Array] = {}

    def with_weights(self, weights: PieceSpill) -> PieceSpill:
        """Return these keys with weights, which are in the same places of other pieces."""
        self._weights = weights
        return self

    def read_weights(self, row: int, starts: Int64Array, lengths: Int64Array, out: Float64Array) -> None:
        """Read the weights of some parts of a cell, one after another, into `out`; their checksums are verified."""
        self._weights.read(row, starts, lengths, out.view(np.int64))

    def runs(self, i: int, j: int) -> tuple[Int64Array, Int64Array]:
        """Return a number for each part of cell (i, j), which `read` takes, and its length."""
        if (i, j) not in self._place:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        place = self._place[i, j]
        lengths = self._cells[place].lengths[:, 0]
        return (place << _PART_BITS) + np.arange(len(lengths)), lengths

    def read(self, row: int, starts: Int64Array, lengths: Int64Array, out: Int64Array) -> None:  # noqa: ARG002 - of `Spill`
        """Read some parts of a cell, one after another, into `out`; their checksums are verified."""
        if len(starts) == 0:
            return
        place, parts = int(starts[0]) >> _PART_BITS, starts & ((1 << _PART_BITS) - 1)
        if place not in self._held:
            self._held = {}  # freed before the next cells are read, so that `room` is a bound
            self._held = self._read_together(place)
        of_cell = self._cells[place]
        if place not in self._held:
            read_into(self._store, of_cell.taken(parts), out)
            return
        first = int(of_cell.lengths[: parts[0], 0].sum())
        out[:] = self._held[place][first : first + len(out)]

    def _read_together(self, place: int) -> dict[int, Int64Array]:
        """Return the keys of a cell and the next ones of the same row; nothing if there is no room for two cells."""
        last, keys = place, 0
        while last < len(self._cells) and self._rows[last] == self._rows[place]:
            keys += self._keys[last]
            if keys > self._room // 8:
                break
            last += 1
        if last - place < 2:
            return {}
        held = {cell: np.empty(self._keys[cell], dtype=np.int64) for cell in range(place, last)}
        parts = []
        for cell, keys_of_cell in held.items():
            ends = np.cumsum(self._cells[cell].lengths[:, 0]).tolist()
            parts += [(part, keys_of_cell, end) for part, end in zip(self._cells[cell], ends, strict=True)]
        parts.sort(key=lambda item: (item[0].name, item[0].start))
        found = read_parts(self._store, (part for part, _, _ in parts))
        for (_, keys_of_cell, end), (keys_of_part,) in zip(parts, found, strict=True):
            keys_of_cell[end - len(keys_of_part) : end] = keys_of_part
        return held

    def check(self, i: int, j: int, total: int, weight_total: int = 0, *, inside: bool) -> None:  # noqa: ARG002 - of `Spill`
        """Raise ReadError if a key is outside its cell."""
        if not inside:
            raise ReadError(self._store.place, f"is damaged: keys of cell {i}-{j} are outside the cell")


@dataclass(frozen=True, slots=True, eq=False)
class SortedRows:
    """The rows of a tile that a task sorts.

    Attributes
    ----------
    i, j : int
        Ranges of the tile.
    rows : range
        Fine ranges of the rows: all of the tile, or those of a strip.
    columns : range
        Fine ranges of the tile's columns.
    grid : Grid
        The fine ranges.
    cells : list of (int, int)
        The cells of the grid.
    parts : PartBlock
        Where the keys of each cell are.
    room : int
        Bytes that are left beside those of the sort.
    weights : PartBlock, optional
        Where the weights of each cell are, if tiles have weights.
    """

    i: int
    j: int
    rows: range
    columns: range
    grid: Grid
    cells: list[tuple[int, int]]
    parts: PartBlock
    room: int
    weights: PartBlock | None = None

    def sort(self, store: TileStore, job: Job) -> SortedTile:
        """Sort the edges of the rows, and join repeated ones."""
        spill = self._spill(store, self.parts)
        if spill is None:
            lengths = np.zeros(int(self.grid.cuts[self.rows.stop] - self.grid.cuts[self.rows.start]), dtype=np.int64)
            state = np.empty(0, dtype=np.uint8) if job.directed else None
            weights = np.empty((2 if job.directed else 1, 0)) if job.weighted else None
            return SortedTile(lengths, np.empty(0, dtype=np.int32), state, 0, weights)
        of_weights = None if self.weights is None else self._spill(store, self.weights)
        if of_weights is not None:
            spill = spill.with_weights(of_weights)
        rule = None if self.weights is None else job.rule
        try:
            return sort_tile(spill, self.grid, self.rows, self.columns, directed=job.directed, threads=1, rule=rule)
        except WrongWeightsError as error:
            cuts, wrong = self.grid.cuts, error.wrong
            ranks = int(cuts[self.rows.start]) + wrong.row, int(cuts[self.columns.start]) + wrong.column
            raise UncombinedWeightsError(wrong, ranks) from None

    def _spill(self, store: TileStore, block: PartBlock) -> PieceSpill | None:
        """Return the keys or the weights in some parts; None if there are none."""
        parts = {cell: block.filled(k) for k, cell in enumerate(self.cells)}
        room = self.room if self.weights is None else self.room // 2
        return PieceSpill(store, parts, room) if any(map(len, parts.values())) else None

    def column_counts(self, indices: Int32Array) -> Int64Array:
        """Return how often each column of the tile occurs among some columns."""
        width = int(self.grid.cuts[self.columns.stop] - self.grid.cuts[self.columns.start])
        return column_counts(indices, width, threads=1)
