"""The tasks that write the tiles, and what is stored for each range of their rows.

A tile that takes much of a worker's share of the stage is cut into strips of rows, which lie in different fine ranges.
Each strip is sorted by one task, and a further task joins the sorted strips to the file of the tile.

::

    strip-J-A-B    sorted rows of a strip of a tile with columns in range J: those of the fine ranges A .. B - 1
    lengths-I-J    lengths of the rows of tile (I, J), and how often each of its columns occurs
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.oriented import NO_NUMBERS, int_zeros, starts_of
from triadic.core.records import record
from triadic.devices.cpu.orient.bucket_keys import WrongWeightsError
from triadic.devices.cpu.orient.rows import column_counts
from triadic.errors import ArgumentError, ReadError
from triadic.io.id_tallies import take_names
from triadic.tiles import partition
from triadic.tiles.cluster.pieces import PieceSpill
from triadic.tiles.cluster.strips import cut_into_runs
from triadic.tiles.cluster.tile_transfer import task
from triadic.tiles.cluster.worker_watch import success
from triadic.tiles.file_format import degree_name, put_array, put_vertices, vertex_at
from triadic.tiles.sorting import SortedTile, named_error, sort_tile
from triadic.tiles.tile_file import tile_name, tile_parts
from triadic.tiles.work import narrow, tested_of_windows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from triadic.core.array_types import AnyArray, Ids, Int64Array, Uint8Array
    from triadic.devices.cpu.orient.bucket_keys import Wrong
    from triadic.tiles.cluster.pieces import Job
    from triadic.tiles.partition import DegreeCounts, Grid

    TileResult = dict[str, Any]  # of `SortedTile.about`

# Of the work of a thread in this stage: a larger tile is cut, into strips of the second share.
_LARGE, _STRIP = 1 / 2, 1 / 4
_LEAST_STRIP = 1 << 18  # keys; a task of fewer takes hardly longer than to send it
_GROWTH = 1.25
_ROWS_OF_PART = 1 << 18  # of a tile, whose lengths are one part: a multiple of those that are multiplied at a time


@record
class Ranges:
    """The ranges of the tiles, and what is known of the vertices.

    Attributes
    ----------
    grid : Grid
        The fine ranges.
    joined : int64 array, shape (ranges + 1,)
        First fine range of each range, and the number of fine ranges.
    labels : str or None
        Kind of the labels.
    found : int
        Number of vertices in the pieces; the others are isolated, without labels, and last.
    vertices : int
        Number of all vertices.
    """

    grid: Grid
    joined: Int64Array
    labels: str | None
    found: int
    vertices: int

    def __len__(self) -> int:
        return len(self.joined) - 1

    @property
    def labelled(self) -> int:
        """Number of first vertices that have labels."""
        return 0 if self.labels is None else self.found

    @property
    def cuts(self) -> Int64Array:
        """First rank of each range, and the number of vertices."""
        return self.grid.cuts[self.joined]

    def fine(self, i: int) -> range:
        """Return the fine ranges of range `i`."""
        return range(int(self.joined[i]), int(self.joined[i + 1]))

    def length(self, fine: range) -> int:
        """Return the number of ranks of some fine ranges."""
        return int(self.grid.cuts[fine.stop] - self.grid.cuts[fine.start])

    def tiles(self) -> list[tuple[int, int]]:
        """Return the ranges of the rows and columns of all tiles."""
        return [(i, j) for i in range(len(self)) for j in range(i + 1)]


class UncombinedWeightsError(ArgumentError):
    """The weights of an edge cannot be combined; a task knows the ranks of its row and column, the client names them.

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

    def named(self, job: Job, ranges: Ranges, from_both: tuple[int, int]) -> ArgumentError:
        """Return the error that names the vertices; see `triadic.tiles.sorting.named_error`."""
        ends, cuts, store = [], ranges.cuts, job.output_store()
        for rank in self.ranks:
            i = int(np.searchsorted(cuts, rank, side="right")) - 1
            written = success(write_vertices(job, ranges, i))  # perhaps before its task
            row = rank - int(cuts[i])
            ends.append(vertex_at(store, cuts, i, row, ranges.labels, ranges.labelled, written))
        return named_error(self.wrong, ends, from_both, directed=job.directed)


class Strip(NamedTuple):
    """Rows of a tile: the fine ranges `first` .. `last` - 1 of its rows, and the range `j` of its columns."""

    first: int
    last: int
    j: int


# Tiles and strips


@task
def write_tile(job: Job, ranges: Ranges, i: int, j: int) -> TileResult:
    """Sort the edges of a tile, which joins some fine ranges, join repeated ones, and write the tile."""
    fine = ranges.fine(i)
    return _put_tile(job, ranges, (i, j), _sorted(job, ranges, Strip(fine.start, fine.stop, j)))


@task
def count_ends(job: Job, ranges: Ranges, strip: Strip) -> tuple[int, int, int]:
    """Return the numbers of edges of some rows, of those from both ends, and of those with two equal weights."""
    found = _sorted(job, ranges, strip)
    return len(found.indices), found.both, found.equal


@task
def sort_strip(job: Job, ranges: Ranges, strip: Strip) -> tuple[int, int]:
    """Sort the edges of some rows of a tile; return the numbers of edges and arcs."""
    rows = _sorted(job, ranges, strip)
    weights = [] if rows.weights is None else [rows.weights.reshape(-1)]
    state = [] if rows.state is None else [rows.state]
    arrays = [narrow(rows.lengths), rows.indices, *state, *weights]
    job.put("strip", strip.j, strip.first, strip.last, parts=[arrays])
    return len(rows.indices), rows.arcs


@task
def join_strips(job: Job, ranges: Ranges, i: int, strips: Mapping[Strip, tuple[int, int]]) -> TileResult:
    """Join the sorted strips of a tile, with their numbers of edges and arcs, and write the tile; the strips stay."""
    edges, arcs = map(sum, zip(*strips.values(), strict=True))
    lengths: list[AnyArray] = []
    indices, state = np.empty(edges, np.int32), np.empty(edges if job.directed else 0, np.uint8)
    weights, end = np.empty((job.kinds, edges)), 0
    for strip in strips:
        ((of_rows, found, *more),) = job.of_piece("strip", strip.j, strip.first, strip.last)
        lengths.append(of_rows.astype(np.int64))
        part = slice(end, end + len(found))
        indices[part] = found
        if job.directed:
            state[part] = more.pop(0)
        if job.weighted:
            weights[:, part] = more[0].reshape(job.kinds, -1)
        end = part.stop
    of_edges = (state if job.directed else None, arcs, weights if job.weighted else None)
    return _put_tile(job, ranges, (i, strip.j), SortedTile(np.concatenate(lengths), indices, *of_edges))


def _sorted(job: Job, ranges: Ranges, strip: Strip) -> SortedTile:
    """Sort the edges of some rows of a tile, and join repeated ones."""
    grid, rows, columns = ranges.grid, range(strip.first, strip.last), ranges.fine(strip.j)
    spill = PieceSpill(job, rows, columns)
    spill.room = job.memory - partition.most_sorting_bytes(spill.total, ranges.length(rows), weighted=job.weighted)
    try:
        return sort_tile(spill, grid, rows, columns, directed=job.directed, threads=1, rule=job.rule)
    except WrongWeightsError as error:
        wrong = error.wrong
        ranks = int(grid.cuts[rows.start]) + wrong.row, int(grid.cuts[columns.start]) + wrong.column
        raise UncombinedWeightsError(wrong, ranks) from None


def _put_tile(job: Job, ranges: Ranges, place: tuple[int, int], tile: SortedTile) -> TileResult:
    """Write a tile, and then the lengths of its rows and how often its columns occur.

    The lengths are in parts of some rows, so that a task that needs those of all tiles of a range never holds them.
    """
    job.output_store().put(tile_name(*place), tile_parts(*place, tile))
    cuts = [*range(0, max(1, len(tile.lengths)), _ROWS_OF_PART), len(tile.lengths)]
    of_rows = [(narrow(tile.lengths[a:b]),) for a, b in pairwise(cuts)]
    columns = column_counts(tile.indices, ranges.length(ranges.fine(place[1])), threads=1)
    job.put("lengths", *place, parts=[*of_rows, (narrow(columns),)])
    return tile.about()


# Ranges


@task
def write_vertices(job: Job, ranges: Ranges, i: int) -> dict[str, int]:
    """Write the vertices and labels of a range; return the checksums of the files."""
    first, last = ranges.cuts[i : i + 2].tolist()
    vertices: Ids = np.arange(first, last, dtype=np.int32 if ranges.vertices < 2**31 else np.int64)
    labels = int_zeros(last - first) if ranges.labels == "numbers" else None
    contents: list[Uint8Array] = []
    lengths: list[AnyArray] = []
    places: list[Int64Array] = []
    placed = 0
    for fine in ranges.fine(i):
        for of_place, of_vertex, *of_labels in job.parts("placed", fine):
            place = of_place.astype(np.int64) + (int(ranges.grid.cuts[fine]) - first)
            vertices[place] = of_vertex
            placed += len(place)
            if labels is not None:
                labels[place] = of_labels[0]
            elif ranges.labels == "names":
                contents.append(of_labels[0])
                lengths.append(of_labels[1].astype(np.int64))
                places.append(place)
    expected = min(last, ranges.found) - min(first, ranges.found)
    if placed != expected:
        raise ReadError(job.work, f"is damaged: range {i} has {placed} vertices, expected {expected}")
    if ranges.labels != "names":
        return put_vertices(job.output_store(), i, vertices, labels)
    order = np.argsort(np.concatenate([*places, NO_NUMBERS]))
    ends = np.cumsum(np.concatenate([*lengths, NO_NUMBERS]))
    content, by_rank = take_names(np.concatenate([*contents, np.empty(0, np.uint8)]), ends, order)
    size = by_rank[-1] if len(by_rank) else 0
    ends = np.concatenate([by_rank, np.full(last - first - placed, size)]).astype(np.int64)
    return put_vertices(job.output_store(), i, vertices, (content, ends))


@task
def write_degrees(job: Job, ranges: Ranges, i: int) -> dict[str, int]:
    """Write the degrees of a range; return the checksum of the file."""
    file, degree = degree_name(i), int_zeros(ranges.length(ranges.fine(i)))
    for j in range(i + 1):
        first = 0
        for counts in _lengths(job, ranges, i, j):
            degree[first : first + len(counts)] += counts
            first += len(counts)
    for r in range(i, len(ranges)):
        last = _parts_of_lengths(ranges, r)
        ((columns,),) = job.of_piece("lengths", r, i, first=last, last=last + 1)
        degree += columns
    return {file: put_array(job.output_store(), file, degree)}


@task
def count_tests(job: Job, ranges: Ranges, i: int) -> Any:  # noqa: ANN401 - an array
    """Return the numbers of tests of the triples of a range, from the lengths of the rows in each of its tiles."""
    windows = zip(*(_lengths(job, ranges, i, j) for j in range(i + 1)), strict=True)
    return tested_of_windows(i + 1, windows)


def _lengths(job: Job, ranges: Ranges, i: int, j: int) -> Iterator[AnyArray]:
    """Yield the lengths of the rows of a tile, some rows at a time."""
    for part in range(_parts_of_lengths(ranges, i)):
        ((lengths,),) = job.of_piece("lengths", i, j, first=part, last=part + 1)
        yield lengths


def _parts_of_lengths(ranges: Ranges, i: int) -> int:
    return max(1, -(-ranges.length(ranges.fine(i)) // _ROWS_OF_PART))


# What the client plans and concludes


def cut_for_strips(grid: Grid, degrees: DegreeCounts, threads: int, most: int) -> tuple[Grid, Ids]:
    """Cut fine ranges further, so that several workers can sort the rows of a large tile.

    Parameters
    ----------
    grid : Grid
        The fine ranges that are joined to the ranges of tiles.
    degrees : DegreeCounts
        How many vertices have each degree.
    threads : int
        Number of threads of the cluster.
    most : int
        Largest number of ranges to return, unless there are more already.

    Returns
    -------
    Grid, int64 array, shape (ranges + 1,)
        The finer ranges, and the place of each cut of the given ranges among the finer ones.
    """
    if degrees.ends == 0:
        return grid, np.arange(grid.ranges + 1)
    rank = starts_of(degrees.counts)
    ends = starts_of(degrees.counts * degrees.values).astype(np.float64)
    before = np.interp(grid.cuts, rank, ends)
    of_range = np.diff(before)
    aim = max(float(_LEAST_STRIP), before[-1] / 2 * _STRIP / threads)
    while (parts := np.maximum(1, np.ceil(of_range / 2 / aim))).sum() > max(most, grid.ranges):
        aim *= _GROWTH
    unit, cuts = 1 << grid.shift, [grid.cuts]
    for r in np.flatnonzero(parts > 1).tolist():
        share = np.arange(1, int(parts[r])) / parts[r]
        # In the tile of the hubs, the number of columns before a row grows with the rank of the row.
        marks = before[r] + of_range[r] * (np.sqrt(share) if r == 0 else share)
        cuts.append(np.round(np.interp(marks, ends, rank) / unit).astype(np.int64) * unit)
    every = np.unique(np.clip(np.concatenate(cuts), 0, grid.cuts[-1]))
    return partition.Grid(every, grid.shift), np.searchsorted(every, grid.cuts)


def cut_tiles(ranges: Ranges, keys: Int64Array, threads: int) -> dict[tuple[int, int], list[Strip]]:
    """Return the strips of all tiles, the largest tile first; a tile that is not large is one strip.

    Parameters
    ----------
    ranges : Ranges
        The ranges.
    keys : int64 array, shape (cells,)
        Number of keys of each cell.
    threads : int
        Number of threads of the cluster.
    """
    fine = ranges.grid.as_matrix(keys)
    sizes = partition.sum_cells(fine, ranges.joined)
    of_thread = float(keys.sum() + ranges.vertices) / max(threads, 1)
    large, strip = (max(share * of_thread, _LEAST_STRIP) for share in (_LARGE, _STRIP))
    cut: dict[tuple[int, int], list[Strip]] = {}
    for i, j in sorted(ranges.tiles(), key=lambda tile: -int(sizes[tile])):
        rows, columns = ranges.fine(i), ranges.fine(j)
        of_rows = fine[rows.start : rows.stop, columns.start : columns.stop].sum(axis=1)
        parts = cut_into_runs(of_rows.tolist(), strip if sizes[i, j] > large else np.inf)
        cut[i, j] = [Strip(rows.start + part.start, rows.start + part.stop, j) for part in parts]
    return cut
