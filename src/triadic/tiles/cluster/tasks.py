"""The functions that run as tasks on workers: they count a run of triples or a tile, add up counts, and draw wedges.

A task depends on its triples and on the origin of the tiles, and on no other task. Its counts stay on its worker as one
piece for each range, in the smallest integer type that holds them. Only pieces are sent to other workers, to be added
there. A task returns an error of triadic as a value, so that Dask does not run it again.

Counts over the edges of one tile take a few rows at a time if the tile is large for the memory of the worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.records import record
from triadic.devices.cpu.triangles.parts import HubBits
from triadic.devices.select import has_card
from triadic.tiles.cluster.tile_transfer import (
    Failure,
    allowed_bytes,
    check_bytes,
    open_leafless,
    open_tiles,
    task,
    working_memory,
)
from triadic.tiles.edge_sums import TILE_SHARE, count_tile, row_parts
from triadic.tiles.engine import count_in_place, count_triple
from triadic.tiles.layout import Layout, tile_number
from triadic.tiles.sums import MemorySums
from triadic.tiles.work import OpenSpans, SpanPlan, bytes_to_count, slice_of_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from triadic.core.array_types import (
        AnyArray,
        Int32Array,
    )
    from triadic.tiles.cluster.strips import Task
    from triadic.tiles.cluster.tile_transfer import Origin, TileDict, TileProvider, WorkerTiles
    from triadic.tiles.cluster.worker_watch import WorkerPool
    from triadic.tiles.edge_sums import Shares
    from triadic.tiles.layout import Triple
    from triadic.tiles.sums import PartCounter
    from triadic.tiles.tile import Tile, TileSource
    from triadic.tiles.wedge_draws import Calls
    from triadic.tiles.work import Span


_NOT_REFUSED = 1 << 26  # bytes that the estimate of the interpreter's memory leaves in any case
COPIES = 3  # of the counts at the ranks of a tile: the sums, those of some rows, and those that are being counted


def count_tile_in(source: TileSource, i: int, j: int, counter: PartCounter, inputs: tuple[AnyArray, ...]) -> Shares:
    """Count one tile on one thread, and return what it adds, as `triadic.tiles.edge_sums.count_tile` does.

    Parameters
    ----------
    source : TileSource
        The source of the tile.
    i, j : int
        Ranges of the tile's rows and columns.
    counter : PartCounter
        The count.
    inputs : tuple of array
        The rows of the count's inputs at the ranks of the tile.

    Raises
    ------
    OutOfMemoryError
        The counts at the ranks of the tile take too much memory; the message has both sizes.
    """
    layout = source.layout
    ranks = layout.length(i) + (layout.length(j) if i != j else 0)
    # Two arrays of row starts, beside the counts and inputs.
    needed = sum(values.nbytes for values in inputs) + ranks * 8 * (COPIES * counter.rank_columns + 2)
    if needed > _NOT_REFUSED:
        check_bytes(needed, f"counting over the edges of {ranks:,} vertices in two ranges")
    sums: dict[int, AnyArray] = {}
    for rows in row_parts(source, i, j, allowed_bytes() // TILE_SHARE):
        for first, counts in count_tile(source, i, j, counter, inputs, rows, threads=1):
            sums[first] = sums[first] + counts if first in sums else counts
    return list(sums.items())


TOTALS = -1  # the key of totals, in place of a range


@record
class Piece:
    """Counts at consecutive ranks of a range.

    Attributes
    ----------
    first : int
        First rank, counted from the first rank of the range.
    counts : integer array, shape (ranks,) or (ranks, columns)
        Counts in the smallest type that holds them.
    """

    first: int
    counts: AnyArray

    @property
    def last(self) -> int:
        """The rank after the last one."""
        return self.first + len(self.counts)


Counts = dict[int, Any]  # a Piece for each range, or the totals as a list of int at the key `TOTALS`


@task
def count_task(origin: Origin, sent: TileDict, task: Task, counter: PartCounter) -> Counts:
    """Return the counts of the triples of a task."""
    tiles = open_tiles(origin, sent)
    spare = _check_memory(tiles.layout, task.triples, counter)
    return _count(tiles, task, counter, spare)


@task
def count_whole_tile(
    origin: Origin, sent: TileDict, i: int, j: int, counter: PartCounter, inputs: tuple[AnyArray, ...]
) -> Shares:
    """Return the counts of one tile, for a count that adds up over edges."""
    # Stored tiles are read without the cache: each tile is counted once, perhaps a few rows at a time.
    tiles = open_tiles(origin, sent) if isinstance(origin, Layout) else open_leafless(origin)
    return count_tile_in(tiles, i, j, counter, inputs)


@task
def of_range(origin: Origin, sent: TileDict, function: Callable[..., Any], i: int, *arguments: Any) -> Any:  # noqa: ANN401 - of any function
    """Return ``function(tiles, i, *arguments)``, such as the numbers of tests of the triples with u in range `i`."""
    return function(open_tiles(origin, sent), i, *arguments)


def over_ranges(
    pool: WorkerPool, tiles: TileProvider, function: Callable[..., Any], calls: Calls, *, degrees: bool = False
) -> list[Any]:
    """Return what `of_range` returns of some ranges, each with arguments of its own; `tiles` has perhaps degrees."""

    def call(k: int) -> tuple[Any, ...]:
        i, arguments = calls[k]
        sent = tiles.send([(i, j) for j in range(i + 1)], [i] if degrees else [])
        return of_range, tiles.origin, sent, function, i, *arguments

    return pool.results(len(calls), call, renew=tiles.renew)


def add_counts(parts: Sequence[Counts | Failure], ranges: range | None = None) -> Counts:
    """Return the sums of counts, at some ranges only if they are given; raise the error of a failure."""
    pieces: dict[int, list[Any]] = {}
    for counts in parts:
        if isinstance(counts, Failure):
            raise counts.error
        for i, piece in counts.items():
            if ranges is None or i in ranges:
                pieces.setdefault(i, []).append(piece)
    if TOTALS in pieces:
        return {TOTALS: [sum(column) for column in zip(*pieces[TOTALS], strict=True)]}
    sums = {i: add_pieces(range_pieces) for i, range_pieces in pieces.items()}
    return {i: piece for i, piece in sums.items() if piece is not None}


def add_pieces(pieces: Iterable[Piece]) -> Piece | None:
    """Return the sum of pieces of one range; None if all counts are zero."""
    parts = [piece for piece in pieces if piece.counts.any()]
    if len(parts) < 2:
        return _narrow(parts[0]) if parts else None
    first, last = min(piece.first for piece in parts), max(piece.last for piece in parts)
    total = np.zeros((last - first, *parts[0].counts.shape[1:]), np.int64)
    for piece in parts:
        total[piece.first - first : piece.last - first] += piece.counts
    return _narrow(Piece(first, total))


def _count_entries(tiles: WorkerTiles, task: Task, counter: PartCounter) -> Counts:
    """Return counts at the entries of tiles, by the number of the tile."""
    counts: dict[int, Int32Array] = {}

    def of_tile(i: int, j: int) -> tuple[Tile, Int32Array]:
        tile = tiles.tile(i, j)
        return tile, counts.setdefault(tile_number(i, j), np.zeros(len(tile.indices), np.int32))

    layout = tiles.layout
    every = {tile for triple in task.triples for tile in triple.tiles}
    working = max(bytes_to_count(layout, triple, threads=1, columns=0) for triple in task.triples)
    working += sum(4 * int(layout.tile_edges[tile]) for tile in every)
    with working_memory(working):
        for place, triple in enumerate(task.triples):
            _prefetch(tiles, triple.tiles, task.triples[place + 1 : place + 2], working)
            i, j, k = triple
            rows = (0, layout.length(i))
            if task.slices > 1:
                rows = slice_of_rows(tiles, triple, task.number, task.slices)
            counter.count(of_tile(i, k), of_tile(j, k), of_tile(i, j), layout.length(k), rows)
    return add_counts([{number: Piece(0, at_entries) for number, at_entries in counts.items()}])


def _count(tiles: WorkerTiles, task: Task, counter: PartCounter, spare: int) -> Counts:
    if counter.entries:
        return _count_entries(tiles, task, counter)
    layout, group = tiles.layout, MemorySums(tiles.layout, counter)
    columns = counter.rank_columns
    # A device joins the tiles of one triple at a time.
    in_place = counter.in_place and (counter.device == "cpu" or (counter.device == "auto" and not has_card()))
    # Half of the memory, because tiles and the sums of the task take the other half.
    plan = SpanPlan(layout, allowed_bytes() // 2, threads=1, columns=columns, spare=min(spare, allowed_bytes() // 8))
    kept = HubBits() if in_place and plan.kept_bytes else None
    spans, opened = plan.spans(task.triples, in_place=in_place), OpenSpans(tiles, kept)
    ranges = {i for triple in task.triples for i in triple}
    working = max(map(plan.bytes_to_count, spans)) + 8 * columns * sum(map(layout.length, ranges))
    working += plan.kept_bytes
    with working_memory(working):
        for place, span in enumerate(spans):
            _prefetch(tiles, span.tiles, spans[place + 1 : place + 2], working)
            # One thread, because Dask runs a task in each thread of a worker.
            if in_place and task.slices == 1:
                group.add((), count_in_place(opened.open(span), span, layout, counter, None, threads=1))
                continue
            of_first, triple = kept if span.j == 0 else None, span.triples[0]
            rows = slice_of_rows(tiles, triple, task.number, task.slices) if task.slices > 1 else None
            group.add((), count_triple(tiles, triple, counter, None, rows=rows, hub_bits=of_first, threads=1))
    if not counter.per_rank:
        return {TOTALS: group.totals}
    return add_counts([{i: Piece(0, counts) for i, counts in group.at_ranges.items()}])


def _prefetch(
    tiles: WorkerTiles, used: Sequence[tuple[int, int]], following: Sequence[Triple | Span], working: int
) -> None:
    """Start to load the tiles of the next triple or span, if a task has room for them beside those that it uses."""
    for later in following:
        together = sum(tiles.layout.tile_bytes(*tile) for tile in {*used, *later.tiles})
        if together + working <= allowed_bytes():
            tiles.prefetch(later.tiles)


def _narrow(piece: Piece) -> Piece:
    """Return a piece of counts, some of which are not zero, without zeros at its ends, in the smallest type."""
    filled = np.flatnonzero(piece.counts if piece.counts.ndim == 1 else piece.counts.any(axis=1))
    first, last = int(filled[0]), int(filled[-1]) + 1
    counts = piece.counts[first:last]
    least, most = int(counts.min()), int(counts.max())
    narrow = np.result_type(np.min_scalar_type(min(least, 0)), np.min_scalar_type(most))
    # Of negative numbers together with some past 2**32, the type that NumPy finds is a float of 8 bytes.
    return Piece(piece.first + first, counts.astype(narrow if narrow.itemsize < counts.itemsize else counts.dtype))


def _check_memory(layout: Layout, triples: Sequence[Triple], counter: PartCounter) -> int:
    """Return the bytes that the largest of some triples leaves; raise OutOfMemoryError if it takes too many."""
    columns = counter.rank_columns
    copies = 2 if counter.entries else 1  # counts at entries take as much as the tiles
    needed = max(
        bytes_to_count(layout, triple, threads=1, columns=columns)
        + copies * sum(layout.tile_bytes(*tile) for tile in triple.tiles)
        for triple in triples
    )
    check_bytes(needed, f"a task of {layout.ranges} ranges of tiles")
    return allowed_bytes() - needed
