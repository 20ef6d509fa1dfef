"""The functions that run as tasks on workers: they count a run of triples or a tile, and add up counts.

A task depends on its triples and on the origin of the tiles, and on no other task. Its counts stay on its worker as one
piece for each range, in the smallest integer type that holds them. Only pieces are sent to other workers, to be added
there. A task returns an error of triadic as a value, so that Dask does not run it again.

Counts over the edges of one tile take a few rows at a time if the tile is large for the memory of the worker.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.memory import show_bytes
from triadic.devices.select import has_card
from triadic.errors import OutOfMemoryError
from triadic.tiles.cluster.tile_transfer import (
    Failure,
    allowed_bytes,
    hub_bits_of,
    open_leafless,
    open_stored,
    open_tiles,
    task,
    working_memory,
)
from triadic.tiles.edge_sums import TILE_SHARE, count_tile, row_parts
from triadic.tiles.edge_values import valued
from triadic.tiles.layout import Layout, tile_number
from triadic.tiles.spans import OpenSpans, SpanPlan, split_span
from triadic.tiles.tile import num_leafless_ranks
from triadic.tiles.triple_part import free_tiles, join, split_by_range
from triadic.tiles.work import bytes_to_count, entries_tested_in, halves_of_rows, slice_of_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triadic.core.array_types import AnyArray, Float64Array, Int32Array, Int64Array
    from triadic.devices.cpu.triangles.parts import HubBits
    from triadic.tiles.cluster.strips import Task
    from triadic.tiles.cluster.tile_transfer import Origin, TileAddress, TileDict, WorkerTiles
    from triadic.tiles.edge_sums import Shares
    from triadic.tiles.layout import Triple
    from triadic.tiles.spans import Span
    from triadic.tiles.sums import PartCounter
    from triadic.tiles.tile import Tile, TileSource

    Rows = tuple[int, int] | None  # the first row of u and the row past the last; None for all rows


_NOT_REFUSED = 1 << 26  # bytes that the estimate of the interpreter's memory leaves in any case
COPIES = 3  # of the counts at the ranks of a tile: the sums, those of some rows, and those that are being counted


def count_tile_in(
    source: TileSource, i: int, j: int, counter: PartCounter, inputs: tuple[AnyArray, ...], allowed: int
) -> Shares:
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
    allowed : int
        Bytes that the task may hold.

    Raises
    ------
    OutOfMemoryError
        The counts at the ranks of the tile take too much memory; the message has both sizes.
    """
    layout = source.layout
    _check(layout, i, j, counter, inputs, allowed)
    sums: Shares = []
    for rows in row_parts(source, i, j, allowed // TILE_SHARE):
        shares = count_tile(source, i, j, counter, inputs, rows, threads=1)
        if not sums:
            sums = [(first, counts if counts.flags.writeable else counts.copy()) for first, counts in shares]
            continue
        for (_, total), (_, counts) in zip(sums, shares, strict=True):
            np.add(total, counts, out=total)
    return sums


def _check(layout: Layout, i: int, j: int, counter: PartCounter, inputs: tuple[AnyArray, ...], allowed: int) -> None:
    ranks = layout.length(i) + (layout.length(j) if i != j else 0)
    columns = counter.columns if counter.per_rank else 0
    needed = sum(values.nbytes for values in inputs) + ranks * 8 * (COPIES * columns + 2)  # two arrays of row starts
    if needed > max(allowed, _NOT_REFUSED):
        raise OutOfMemoryError(
            f"counting over the edges of {ranks:,} vertices in two ranges takes at least {show_bytes(needed)}, and a "
            f"thread of a worker has {show_bytes(allowed)}: cut the graph into more ranges, or give workers more "
            "memory or fewer threads"
        )


TOTALS = -1  # the key of totals, in place of a range
_MOST_SLICES = 64  # of a slice that a device does not have enough memory for


@dataclass(frozen=True, slots=True, eq=False)
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
    return _count(tiles, task, counter, hub_bits_of(origin), spare)


@task
def count_whole_tile(
    origin: Origin, sent: TileDict, i: int, j: int, counter: PartCounter, inputs: tuple[AnyArray, ...]
) -> Shares:
    """Return the counts of one tile, for a count that adds up over edges."""
    # Stored tiles are read without the cache: each tile is counted once, perhaps a few rows at a time.
    if isinstance(origin, Layout):
        tiles: TileSource = open_tiles(origin, sent)
    else:
        tiles = valued(open_leafless(origin), origin.values)
    return count_tile_in(tiles, i, j, counter, inputs, allowed_bytes())


@task
def count_tests(origin: Origin, sent: TileDict, i: int) -> Float64Array:
    """Return the numbers of tests of the triples with u in range `i`."""
    return entries_tested_in(open_tiles(origin, sent), i)


@task
def leafless_ranks(address: TileAddress) -> int:
    """Return the number of ranks up to the last rank of degree 2 or more, of stored tiles."""
    return num_leafless_ranks(open_stored(address))


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
    total = np.zeros((last - first, *parts[0].counts.shape[1:]), dtype=np.int64)
    for piece in parts:
        total[piece.first - first : piece.last - first] += piece.counts
    return _narrow(Piece(first, total))


def _count_entries(tiles: WorkerTiles, task: Task, counter: PartCounter) -> Counts:
    """Return counts at the entries of tiles, by the number of the tile."""
    counts: dict[int, Int32Array] = {}

    def of_tile(i: int, j: int) -> tuple[Tile, Int32Array]:
        tile = tiles.tile(i, j)
        return tile, counts.setdefault(tile_number(i, j), np.zeros(len(tile.indices), dtype=np.int32))

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


def _count(tiles: WorkerTiles, task: Task, counter: PartCounter, hub_bits: HubBits, spare: int) -> Counts:
    if counter.entries:
        return _count_entries(tiles, task, counter)
    layout, sums = tiles.layout, _Sums(tiles.layout, counter)
    columns = counter.columns if counter.per_rank else 0
    in_place = counter.in_place and not _uses_card(counter)
    # Half of the memory, because tiles and the sums of the task take the other half.
    plan = SpanPlan(layout, allowed_bytes() // 2, threads=1, columns=columns, spare=min(spare, allowed_bytes() // 8))
    kept = hub_bits if in_place and plan.keeps_hubs else None
    if kept is None:
        hub_bits.clear()
    spans, opened = plan.spans(task.triples, in_place=in_place), OpenSpans(tiles, kept)
    ranges = {i for triple in task.triples for i in triple}
    working = max(map(plan.bytes_to_count, spans)) + 8 * columns * sum(map(layout.length, ranges))
    working += plan.kept_bytes
    with working_memory(working):
        for place, span in enumerate(spans):
            _prefetch(tiles, span.tiles, spans[place + 1 : place + 2], working)
            if in_place and task.slices == 1:
                counts = counter.count(opened.open(span), None, threads=1)
                sums.add(counts, split_span(layout, span, counts) if counter.per_rank else ())
                continue
            of_first = kept if span.j == 0 else None
            triple = span.triples[0]
            rows = slice_of_rows(tiles, triple, task.number, task.slices) if task.slices > 1 else None
            for part, counts in _slices(tiles, triple, counter, of_first, rows):
                sums.add(counts, split_by_range(layout, triple, part, counts) if counter.per_rank else ())
    return sums.counts()


def _prefetch(
    tiles: WorkerTiles, used: Sequence[tuple[int, int]], following: Sequence[Triple | Span], working: int
) -> None:
    """Start to load the tiles of the next triple or span, if a task has room for them beside those that it uses."""
    for later in following:
        together = sum(tiles.layout.tile_bytes(*tile) for tile in {*used, *later.tiles})
        if together + working <= allowed_bytes():
            tiles.prefetch(later.tiles)


def _uses_card(counter: PartCounter) -> bool:
    """Return whether a device may count, which joins the tiles of one triple at a time."""
    return counter.device != "cpu" and (counter.device != "auto" or has_card())


def _slices(
    tiles: WorkerTiles,
    triple: Triple,
    counter: PartCounter,
    hub_bits: HubBits | None,
    rows: Rows,
    most: int = _MOST_SLICES,
) -> Iterator[tuple[Rows, Int64Array]]:
    """Yield some rows of u, None for all, and their counts; in halves if a device runs out of memory.

    If there are kept bits of hubs, the tiles are counted in place.
    """
    if rows is not None and rows[0] == rows[1]:
        return
    try:
        # One thread, because Dask runs a task in each thread of a worker.
        part = join(tiles, triple, rows=rows)
        counts = counter.count(part if hub_bits is None else replace(part.span, hub_bits=hub_bits), None, threads=1)
    except OutOfMemoryError:
        if most == 1:
            raise
        free_tiles()
    else:
        yield rows, counts
        return
    for half in halves_of_rows(tiles, triple, rows):
        yield from _slices(tiles, triple, counter, hub_bits, half, most // 2)


class _Sums:
    """The sums of the counts of triples, by range or in total."""

    def __init__(self, layout: Layout, counter: PartCounter) -> None:
        self._layout, self._counter = layout, counter
        self._totals = [0] * counter.columns
        self._pieces: dict[int, Piece] = {}

    def add(self, counts: Int64Array, of_ranges: Iterable[tuple[int, int, Int64Array]]) -> None:
        """Add totals, or counts as (range, first rank, counts at consecutive ranks), which this object then owns."""
        if not self._counter.per_rank:
            self._totals = [total + int(count) for total, count in zip(self._totals, counts, strict=True)]
        for i, start, range_counts in of_ranges:
            self._add_at(i, start, range_counts)

    def counts(self) -> Counts:
        """Return the sums, with the pieces in the smallest type."""
        if not self._counter.per_rank:
            return {TOTALS: self._totals}
        return add_counts([self._pieces])

    def _add_at(self, i: int, start: int, counts: Int64Array) -> None:
        held = self._pieces.get(i)
        if held is None:
            self._pieces[i] = Piece(start, counts if counts.flags.writeable else counts.copy())
        elif held.first <= start and start + len(counts) <= held.last:
            held.counts[start - held.first : start - held.first + len(counts)] += counts
        else:
            whole = np.zeros((self._layout.length(i), *counts.shape[1:]), dtype=np.int64)
            whole[held.first : held.last] = held.counts
            self._pieces[i] = Piece(0, whole)
            self._add_at(i, start, counts)


def _narrow(piece: Piece) -> Piece:
    """Return a piece in the smallest type that holds its counts."""
    least, most = int(piece.counts.min()), int(piece.counts.max())
    narrow = np.result_type(np.min_scalar_type(min(least, 0)), np.min_scalar_type(most))
    return piece if narrow.itemsize == piece.counts.itemsize else Piece(piece.first, piece.counts.astype(narrow))


def _check_memory(layout: Layout, triples: Sequence[Triple], counter: PartCounter) -> int:
    """Return the bytes that the largest of some triples leaves; raise OutOfMemoryError if it takes too many."""
    columns = counter.columns if counter.per_rank else 0
    copies = 2 if counter.entries else 1  # counts at entries take as much as the tiles
    needed = max(
        bytes_to_count(layout, triple, threads=1, columns=columns)
        + copies * sum(layout.tile_bytes(*tile) for tile in triple.tiles)
        for triple in triples
    )
    allowed = allowed_bytes()
    if needed > allowed:
        raise OutOfMemoryError(
            f"with {layout.ranges} ranges of tiles a task takes {show_bytes(needed)}, and a thread of a worker has "
            f"{show_bytes(allowed)}: cut the graph into more ranges, or give workers more memory"
        )
    return allowed - needed
