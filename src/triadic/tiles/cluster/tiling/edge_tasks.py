"""The edges of chunks as keys, bucketed by cell of the fine grid, and the keys of the cells of a tile.

::

    edges-CHUNK    for each cell of the fine grid, keys of the chunk's edges (`triadic.devices.cpu.orient.tile_cuts`)
    weights-CHUNK  for each cell, the weights of these edges as the int64 of the same bits, if tiles have weights
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.orient import tile_cuts as kernels
from triadic.errors import ReadError
from triadic.io.id_tallies import ChangedNumbersError, ValuesOfNumbers, names_of_rows
from triadic.io.identifiers import arrays_of, to_array
from triadic.io.parquet_set import read_chunk, rows_in, tables_of_chunk
from triadic.tiles.cluster.tile_transfer import task
from triadic.tiles.cluster.tiling.pieces import narrow, read_index, read_parts
from triadic.tiles.cluster.tiling.vertex_tasks import partition_of_names
from triadic.tiles.spill import Spill

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triadic.core.array_types import AnyArray, Float64Array, Ids, Int64Array
    from triadic.io.parquet_set import ChunkPart
    from triadic.tiles.cluster.tiling.pieces import Index, Job
    from triadic.tiles.partition import Grid

    Arcs = tuple[AnyArray, ...]


@task
def bucket_edges(job: Job, number: int, chunk: Sequence[ChunkPart], grid: Grid) -> tuple[int, Int64Array]:
    """Read a chunk again, replace its ids by ranks, and bucket its edges by cell of the fine grid.

    Returns the number of loops, and the number of keys of each cell.
    """
    of_ids = [part[0] for part in job.parts("ranks", number)]
    rows = rows_in(chunk)
    keys, cells = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.uint16)
    counts, sums = np.zeros(grid.cells, dtype=np.int64), np.zeros(grid.cells, dtype=np.int64)
    weights = np.empty(rows if job.weighted else 0)
    added, range_of = 0, grid.range_of()
    if job.numeric:
        told = job.of_piece("ids", number, last=job.partitions)
        values = ValuesOfNumbers([part[0] for part in told], of_ids, rows)
        del told, of_ids
        pieces: Iterable[Arcs] = _places_in(chunk, job, values)
        rank = values.table
    else:
        pieces, rank = _names_in(chunk, job, of_ids)
    for source, target, *given in pieces:
        new = kernels.rank_arcs(
            source, target, rank, grid.shift, range_of, grid.cuts, keys[added:], cells[added:], counts, sums
        )
        if given:
            weights[added : added + new] = given[0][source != target]
        added += new
    del pieces, rank
    if keys[:added].min(initial=0) < 0:  # an id without a rank
        raise _changed(chunk)
    ends = np.cumsum(counts)
    for kind, numbers in (("edges", keys), ("weights", weights.view(np.int64)))[: 1 + job.weighted]:
        grouped = np.empty(added, dtype=np.int64)
        kernels.group_by_cell(numbers[:added], cells, ends - counts, grouped)
        job.put(kind, number, parts=[(grouped[a:b],) for a, b in zip(ends - counts, ends, strict=True)])
    return rows - added, counts


def _places_in(chunk: Sequence[ChunkPart], job: Job, values: ValuesOfNumbers) -> Iterator[Arcs]:
    """Yield the places of the ends of a chunk's edges, and perhaps their weights, table by table."""
    try:
        for table in tables_of_chunk(chunk, job.columns, numeric=True):
            weights, start = to_array(table["weight"], np.float64) if job.weighted else None, 0
            ends = zip(arrays_of(table["source"]), arrays_of(table["target"]), strict=True)
            for source, target in ends:
                places = values.places(source), values.places(target)
                yield places if weights is None else (*places, weights[start : start + len(source)])
                start += len(source)
    except ChangedNumbersError:
        raise _changed(chunk) from None


def _names_in(chunk: Sequence[ChunkPart], job: Job, of_names: list[Ids]) -> tuple[list[Arcs], Ids]:
    """Return the numbers of the names at the ends of a chunk's edges, perhaps weights, and the rank of each name."""
    table = read_chunk(chunk, job.columns, numeric=False)
    names = names_of_rows(table["source"], table["target"])
    if len(names.ends) != sum(map(len, of_names)):
        raise _changed(chunk)
    order = np.argsort(narrow(partition_of_names(names.content, names.ends, job.partitions)), kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.concatenate(of_names)
    weights = (to_array(table["weight"], np.float64),) if job.weighted else ()
    return [(names.source, names.target, *weights)], rank


def _changed(chunk: Sequence[ChunkPart]) -> ReadError:
    return ReadError(chunk[0].file.path, "was changed while it was read; run the same command again")


_PIECE_BITS = 32  # of the number of a piece within the number of a run


class PieceSpill(Spill):
    """The keys of the cells of some rows of a tile in the pieces of all chunks, for `sort_tile`.

    The cells of a fine range of rows lie one after the other in a piece. They are read together if there is room for
    them, because a read can be a request to a store.

    Parameters
    ----------
    job : Job
        The run of tiling.
    kind : str
        "edges", or "weights", which are in the same places.
    rows, columns : range
        Fine ranges.
    """

    def __init__(self, job: Job, kind: str, rows: range, columns: range) -> None:
        self._store, self._names, self._first = job.work_store(), job.names(kind), columns.start
        self._index: dict[int, Index] = {}
        for r in rows:
            first = r * (r + 1) // 2
            last = first + min(columns.stop, r + 1)
            self._index[r] = read_index(self._store, self._names, first + columns.start, last)
        self._row = -1
        self._held: list[Int64Array] = []
        self.room = 0  # bytes for the keys of a row that are read before they are asked for
        self.weights: PieceSpill | None = None

    def keys_of(self, row: int) -> Int64Array:
        """Return the number of keys of each cell of a fine range of rows in each piece, shape (pieces, cells)."""
        return self._index[row]["lengths"][:, :-1, 0]

    @property
    def total(self) -> int:
        """Number of keys."""
        return sum(int(self.keys_of(row).sum()) for row in self._index)

    def runs(self, i: int, j: int) -> tuple[Int64Array, Int64Array]:
        """Return a number for the keys of cell (i, j) in each piece that has some, which `read` takes, and how many."""
        column = j - self._first
        lengths = self.keys_of(i)[:, column]
        filled = np.flatnonzero(lengths)
        return (column << _PIECE_BITS) + filled, lengths[filled]

    def read(self, row: int, starts: Int64Array, lengths: Int64Array, out: Int64Array) -> None:  # noqa: ARG002 - of `Spill`
        """Read the keys of a cell in some pieces, one after another, into `out`; their checksums are verified."""
        if len(starts) == 0:
            return
        column, pieces = int(starts[0]) >> _PIECE_BITS, starts & ((1 << _PIECE_BITS) - 1)
        if row != self._row:
            self._held = []  # freed before the next row is read, so that `room` is a bound
            self._row, self._held = row, self._read_row(row)
        if self._held:
            first = int(self.keys_of(row)[: pieces[0], column].sum())
            out[:] = self._held[column][first : first + len(out)]
            return
        names, end = [self._names[k] for k in pieces.tolist()], 0
        for (keys,) in read_parts(self._store, names, self._index[row][pieces, column : column + 2]):
            out[end : end + len(keys)] = keys
            end += len(keys)

    def read_weights(self, row: int, starts: Int64Array, lengths: Int64Array, out: Float64Array) -> None:
        """Read the weights of the same keys into `out`."""
        if self.weights is not None:
            self.weights.read(row, starts, lengths, out.view(np.int64))

    def _read_row(self, row: int) -> list[Int64Array]:
        """Return the keys of the cells of a row; nothing if there is no room for them."""
        totals = self.keys_of(row).sum(axis=0).tolist()
        if 8 * sum(totals) > self.room:
            return []
        held = [np.empty(total, dtype=np.int64) for total in totals]
        ends = [0] * len(held)
        for place, (keys,) in enumerate(read_parts(self._store, self._names, self._index[row])):
            column = place % len(held)
            held[column][ends[column] : ends[column] + len(keys)] = keys
            ends[column] += len(keys)
        return held

    def check(self, i: int, j: int, total: int, weight_total: int = 0, *, inside: bool) -> None:  # noqa: ARG002 - of `Spill`
        """Raise ReadError if a key is outside its cell."""
        if not inside:
            raise ReadError(self._store.place, f"is damaged: keys of cell {i}-{j} are outside the cell")
