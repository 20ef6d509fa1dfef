"""The tasks that turn edges into tiles: buckets of the fine grid, tiles, and what is stored for each range.

::

    edges-CHUNK    for each cell of the fine grid, keys of the chunk's edges (`triadic.devices.cpu.orient.tile_cuts`)
    weights-CHUNK  for each cell, the weights of these edges as the int64 of the same bits, if tiles have weights
    strip-I-J-A-B  sorted rows of a strip of tile (I, J), if the tile is large: those of the fine ranges A .. B - 1
    lengths-I-J    lengths of the rows of tile (I, J), and how often each of its columns occurs
    vertices-I     checksums of the files of range I with its vertices and labels
    range-I        checksum of the file of the degrees of range I
    tests-I        numbers of tests of the triples with u in range I
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.oriented import EntryValues
from triadic.devices.cpu.orient import tile_cuts as kernels
from triadic.errors import ReadError
from triadic.graph.weights import edge_limits_of, limits_of
from triadic.io.id_tallies import ChangedNumbersError, ValuesOfNumbers, names_of_rows, take_names
from triadic.io.identifiers import arrays_of, to_array
from triadic.io.parquet_set import read_chunk, rows_in, tables_of_chunk
from triadic.tiles.cluster.tasks import Failure
from triadic.tiles.cluster.tiling.pieces import narrow, put_piece, read_parts
from triadic.tiles.cluster.tiling.vertex_tasks import partition_of_names
from triadic.tiles.cluster.tiling.work_place import task
from triadic.tiles.file_format import degree_name, put_array, put_vertices
from triadic.tiles.sorting import SortedTile
from triadic.tiles.tile_file import tile_name, tile_parts
from triadic.tiles.work import tested_of_windows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from triadic.core.array_types import AnyArray, Ids, Int64Array, Uint8Array
    from triadic.io.parquet_set import ChunkPart
    from triadic.tiles.cluster.tiling.piece_spill import SortedRows
    from triadic.tiles.cluster.tiling.pieces import PartList, Piece
    from triadic.tiles.cluster.tiling.work_place import Job
    from triadic.tiles.partition import Grid
    from triadic.tiles.store import TileStore

    Arcs = tuple[AnyArray, ...]


_ROWS_OF_PART = 1 << 18  # of a tile, whose lengths are one part: a multiple of those that are multiplied at a time


@task
def bucket_edges(
    job: Job,
    number: int,
    chunk: Sequence[ChunkPart],
    told: PartList,
    ranks: PartList,
    partitions: int,
    grid: Grid,
) -> tuple[Piece, ...]:
    """Read a chunk again, replace its ids by ranks, and bucket its edges by cell of the fine grid.

    `told` are the numbers that the chunk told the partitions, none for names, and `ranks` the answers. Returns the
    piece of the keys, and that of the weights if there are any.
    """
    store = job.work_store()
    of_ids = [part[0] for part in read_parts(store, ranks)]
    rows = rows_in(chunk)
    keys, cells = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.uint16)
    counts, sums = np.zeros(grid.cells, dtype=np.int64), np.zeros(grid.cells, dtype=np.int64)
    weights = np.empty(rows if job.weighted else 0)
    added, range_of = 0, grid.range_of()
    if job.numeric:
        values = ValuesOfNumbers([part[0] for part in read_parts(store, told)], of_ids, rows)
        del of_ids
        pieces: Iterable[Arcs] = _places_in(chunk, job, values)
        rank = values.table
    else:
        pieces, rank = _names_in(chunk, job, of_ids, partitions)
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

    def put(name: str, numbers: Int64Array, about: dict[str, int]) -> Piece:
        grouped = np.empty(added, dtype=np.int64)
        kernels.group_by_cell(numbers, cells, ends - counts, grouped)
        parts = [(grouped[a:b],) for a, b in zip(ends - counts, ends, strict=True)]
        return put_piece(store, job.run, name, parts, about, whole=grouped)

    of_weights = (put(f"weights-{number}", weights[:added].view(np.int64), {}),) if job.weighted else ()
    del weights
    return put(f"edges-{number}", keys[:added], {"loops": rows - added}), *of_weights


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


def _names_in(chunk: Sequence[ChunkPart], job: Job, of_names: list[Ids], partitions: int) -> tuple[list[Arcs], Ids]:
    """Return the numbers of the names at the ends of a chunk's edges, perhaps weights, and the rank of each name."""
    table = read_chunk(chunk, job.columns, numeric=False)
    names = names_of_rows(table["source"], table["target"])
    if len(names.ends) != sum(map(len, of_names)):
        raise _changed(chunk)
    order = np.argsort(narrow(partition_of_names(names.content, names.ends, partitions)), kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.concatenate(of_names)
    weights = (to_array(table["weight"], np.float64),) if job.weighted else ()
    return [(names.source, names.target, *weights)], rank


def _changed(chunk: Sequence[ChunkPart]) -> ReadError:
    return ReadError(chunk[0].file.path, "was changed while it was read; run the same command again")


@task
def write_tile(job: Job, tile: SortedRows) -> Piece:
    """Sort the edges of a tile, which joins some fine ranges, join repeated ones, and write the tile."""
    store = job.work_store()
    rows = tile.sort(store, job)
    return _put_tile(store, job, tile.i, tile.j, rows, tile.column_counts(rows.indices))


@task
def count_ends(job: Job, rows: SortedRows) -> tuple[int, int, int]:
    """Return the numbers of edges of some rows, of those from both ends, and of those with two equal weights."""
    found = rows.sort(job.work_store(), job)
    return len(found.indices), found.both, found.equal


@task
def sort_strip(job: Job, strip: SortedRows) -> Piece:
    """Sort the edges of some rows of a tile."""
    store, name = job.work_store(), f"strip-{strip.i}-{strip.j}-{strip.rows.start}-{strip.rows.stop}"
    rows = strip.sort(store, job)
    counts = narrow(strip.column_counts(rows.indices))
    state = () if rows.state is None else (rows.state,)
    part = (narrow(rows.lengths), counts, *state, *(() if rows.weights is None else rows.weights), rows.indices)
    return put_piece(store, job.run, name, [part], {"arcs": rows.arcs})


@task
def join_strips(job: Job, i: int, j: int, strips: list[Piece]) -> Piece:
    """Join the sorted strips of a tile, and write the tile; the strips stay, since this task may run twice."""
    store = job.work_store()
    edges = int(sum(int(strip.lengths[0, -1]) for strip in strips))
    indices, state = np.empty(edges, dtype=np.int32), np.empty(edges if job.directed else 0, dtype=np.uint8)
    weights = np.empty(((2 if job.directed else 1) if job.weighted else 0, edges))
    lengths: list[AnyArray] = []
    columns: Int64Array | None = None
    end = 0
    for strip in strips:
        rows, counts, *more, found = next(read_parts(store, strip.parts(0, 1)))
        indices[end : end + len(found)] = found
        if job.directed:
            state[end : end + len(found)] = more.pop(0)
        for kind, some in zip(weights, more, strict=True):
            kind[end : end + len(found)] = some
        lengths.append(rows.astype(np.int64))
        columns = counts.astype(np.int64) if columns is None else columns + counts
        end += len(found)
    arcs = sum(int(strip.about["arcs"]) for strip in strips)
    tile = SortedTile(
        np.concatenate(lengths), indices, state if job.directed else None, arcs, weights if job.weighted else None
    )
    return _put_tile(store, job, i, j, tile, np.empty(0, dtype=np.int64) if columns is None else columns)


def _put_tile(store: TileStore, job: Job, i: int, j: int, tile: SortedTile, columns: Int64Array) -> Piece:
    """Write a tile, and then the lengths of its rows and how often its columns occur.

    The lengths are in parts of some rows, so that a task that needs those of all tiles of a range never holds them.
    """
    limits: dict[str, Any] = {}
    if tile.weights is not None and tile.weights.shape[1]:
        kinds = EntryValues(*tile.weights)
        limits = {"weights": limits_of(kinds, tile.state), "edge_weights": edge_limits_of(kinds, tile.state)}
    parts = tile_parts(i, j, tile.lengths, tile.indices, tile.state, tile.arcs, tile.weights)
    job.output_store().put(tile_name(i, j), parts)
    both = narrow(np.concatenate([tile.lengths, columns]))
    cuts = [*range(0, max(1, len(tile.lengths)), _ROWS_OF_PART), len(tile.lengths), len(both)]
    about: dict[str, Any] = {"edges": len(tile.indices), "arcs": tile.arcs, **limits}
    return put_piece(store, job.run, f"lengths-{i}-{j}", [(both[a:b],) for a, b in pairwise(cuts)], about)


def row_parts(lengths: Piece) -> PartList:
    """Return the addresses of the lengths of the rows of a tile, in parts of some rows."""
    return lengths.parts(0, len(lengths.lengths) - 1)


def column_part(lengths: Piece) -> PartList:
    """Return the address of the numbers of entries of the columns of a tile."""
    return lengths.parts(len(lengths.lengths) - 1, len(lengths.lengths))


@dataclass(frozen=True, slots=True)
class RangePlan:
    """What is needed to write the vertices of a range.

    Attributes
    ----------
    number : int
        The range.
    first, last : int
        Its first rank and the rank after its last one.
    placed : list of (PartList, int)
        For each fine range of the range: the pieces with its vertices and labels, and its first rank.
    labels : str or None
        Kind of the labels.
    found : int
        Number of vertices with a rank in `placed`; the others are isolated, without labels, and in order.
    vertices : int
        Number of all vertices.
    """

    number: int
    first: int
    last: int
    placed: list[tuple[PartList, int]]
    labels: str | None
    found: int
    vertices: int


@task
def write_vertices(job: Job, plan: RangePlan) -> Piece:
    """Write the vertices and labels of a range."""
    store = job.work_store()
    checksums = _put_vertices(store, job.output_store(), plan)
    return put_piece(store, job.run, f"vertices-{plan.number}", [], {"checksums": checksums})


@task
def write_degrees(job: Job, number: int, length: int, tiles: list[PartList]) -> dict[str, int]:
    """Write the degrees of a range of `length` ranks; return the checksum of the file.

    `tiles` has, for each tile of the range, the lengths of its rows, or how often its columns occur.
    """
    store, file, degree = job.work_store(), degree_name(number), np.zeros(length, dtype=np.int64)
    for parts in tiles:
        first = 0
        for (counts,) in read_parts(store, parts):
            degree[first : first + len(counts)] += counts
            first += len(counts)
    return {file: put_array(job.output_store(), file, degree)}


@task
def count_tests(job: Job, tiles: list[PartList]) -> Any:  # noqa: ANN401 - an array
    """Return the numbers of tests of the triples of a range, whose rows have some lengths in each of its tiles."""
    store = job.work_store()
    windows = ([part[0] for part in read_parts(store, window)] for window in zip(*tiles, strict=True))
    return tested_of_windows(len(tiles), windows)


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A part of a task of a stage with tasks of several kinds: a function and its arguments."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


def run_calls(calls: Sequence[Call]) -> Any:  # noqa: ANN401 - the results of any tasks
    """Call functions with their arguments; return the results, or the first failure."""
    results = []
    for call in calls:
        found = call.function(*call.arguments)
        if isinstance(found, Failure):
            return found
        results.append(found)
    return results


def _put_vertices(store: TileStore, output: TileStore, plan: RangePlan) -> dict[str, int]:
    length = plan.last - plan.first
    vertices: Ids = np.arange(plan.first, plan.last, dtype=np.int32 if plan.vertices < 2**31 else np.int64)
    labels = np.zeros(length, dtype=np.int64) if plan.labels == "numbers" else None
    contents: list[Uint8Array] = []
    lengths: list[AnyArray] = []
    places: list[Int64Array] = []
    placed = 0
    for parts, first in plan.placed:
        for columns in read_parts(store, parts):
            place = columns[0].astype(np.int64) + (first - plan.first)
            vertices[place] = columns[1]
            placed += len(place)
            if labels is not None:
                labels[place] = columns[2]
            elif plan.labels == "names":
                contents.append(columns[2])
                lengths.append(columns[3].astype(np.int64))
                places.append(place)
    expected = min(plan.last, plan.found) - min(plan.first, plan.found)
    if placed != expected:
        raise ReadError(store.place, f"is damaged: range {plan.number} has {placed} vertices, expected {expected}")
    if plan.labels != "names":
        return put_vertices(output, plan.number, vertices, labels)
    order = np.argsort(np.concatenate([*places, np.empty(0, dtype=np.int64)]))
    ends = np.cumsum(np.concatenate([*lengths, np.empty(0, dtype=np.int64)]))
    content, by_rank = take_names(np.concatenate([*contents, np.empty(0, dtype=np.uint8)]), ends, order)
    size = by_rank[-1] if len(by_rank) else 0
    ends = np.concatenate([by_rank, np.full(length - placed, size)]).astype(np.int64)
    return put_vertices(output, plan.number, vertices, (content, ends))
