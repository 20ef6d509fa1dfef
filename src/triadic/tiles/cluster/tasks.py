"""The functions that run as tasks on workers: they count a slice of a triple or a tile, and add up counts.

A task depends on its triple and on the origin of the tiles, and on no other task. Its counts stay on its worker as one
piece for each of at most three ranges. Only pieces are sent to other workers, to be added there, in the smallest
integer type that holds them. A task returns an error of triadic as a value, so that Dask does not run it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.sizes import show_bytes
from triadic.errors import OutOfMemoryError, TriadicError
from triadic.tiles.cluster.allocator import keep_freed_memory
from triadic.tiles.cluster.tile_transfer import allowed_bytes, drop_cached_tiles, open_tiles
from triadic.tiles.edge_sums import count_tile
from triadic.tiles.triple_part import join, split_by_range
from triadic.tiles.work import bytes_to_count, entries_tested_in, slice_of_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triadic.tiles.cluster.tile_transfer import Origin, TileDict
    from triadic.tiles.edge_sums import Shares
    from triadic.tiles.layout import Layout
    from triadic.tiles.sums import PartCounter
    from triadic.tiles.triples import Triple

TOTALS = -1  # the key of totals, in place of a range


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
    counts: NDArray[Any]

    @property
    def last(self) -> int:
        """The rank after the last one."""
        return self.first + len(self.counts)


@dataclass(frozen=True, slots=True, eq=False)
class Failure:
    """An error of triadic, returned by a task that would fail again."""

    error: TriadicError


SliceCounts = dict[int, Piece | list[int]] | Failure


def count_slice(
    origin: Origin, sent: TileDict, triple: Triple, number: int, slices: int, counter: PartCounter
) -> SliceCounts:
    """Return the counts of slice `number` of a triple: a piece by range, or the totals at the key `TOTALS`."""
    keep_freed_memory()
    try:
        tiles = open_tiles(origin, sent)
        _check_memory(tiles.layout, triple, counter)
        first, last = slice_of_rows(tiles, triple, number, slices) if slices > 1 else (0, tiles.layout.length(triple.i))
        if first == last:
            return {} if counter.per_rank else {TOTALS: [0] * counter.columns}
        part = join(tiles, triple, threads=1, rows=(first, last))
        counts = counter.count(part, None, threads=1)  # Dask runs a task in each thread of a worker
    except TriadicError as error:
        drop_cached_tiles()
        return Failure(error)
    if not counter.per_rank:
        return {TOTALS: [int(total) for total in counts]}
    pieces: dict[int, list[Piece]] = {}
    for i, start, range_counts in split_by_range(tiles.layout, triple, (first, last), counts):
        pieces.setdefault(i, []).append(Piece(start, range_counts))
    sums = {i: add_pieces(range_pieces) for i, range_pieces in pieces.items()}
    return {i: piece for i, piece in sums.items() if piece is not None}


def count_whole_tile(
    origin: Origin, sent: TileDict, i: int, j: int, counter: PartCounter, inputs: tuple[NDArray[Any], ...]
) -> Shares | Failure:
    """Return the counts of one tile, for a count that adds up over edges."""
    keep_freed_memory()
    try:
        return count_tile(open_tiles(origin, sent), i, j, counter, inputs, threads=1)
    except TriadicError as error:
        drop_cached_tiles()
        return Failure(error)


def count_tests(origin: Origin, sent: TileDict, i: int) -> NDArray[np.float64] | Failure:
    """Return the numbers of tests of the triples with u in range `i`."""
    try:
        return entries_tested_in(open_tiles(origin, sent), i)
    except TriadicError as error:
        drop_cached_tiles()
        return Failure(error)


def counts_of_range(counts: SliceCounts, i: int) -> Piece | list[int] | None:
    """Return the counts of a slice at range `i`, None if there are none; raise the error of a failure."""
    if isinstance(counts, Failure):
        raise counts.error
    return counts.get(i)


def add_pieces(pieces: Sequence[Piece | None]) -> Piece | None:
    """Return the sum of pieces of one range; None if all counts are zero."""
    parts = [piece for piece in pieces if piece is not None and piece.counts.any()]
    if not parts:
        return None
    first, last = min(piece.first for piece in parts), max(piece.last for piece in parts)
    total = np.zeros((last - first, *parts[0].counts.shape[1:]), dtype=np.int64)
    for piece in parts:
        total[piece.first - first : piece.last - first] += piece.counts
    narrow = np.min_scalar_type(int(total.max()))
    return Piece(first, total if narrow.itemsize == total.itemsize else total.astype(narrow))


def add_totals(totals: Sequence[list[int]]) -> list[int]:
    """Return the sums of totals by column, as integers of any size."""
    return [sum(column) for column in zip(*totals, strict=True)]


def _check_memory(layout: Layout, triple: Triple, counter: PartCounter) -> None:
    allowed = allowed_bytes()
    needed = bytes_to_count(layout, triple, threads=1, columns=counter.columns if counter.per_rank else 0)
    needed += sum(layout.tile_bytes(*tile) for tile in triple.tiles)
    if needed > allowed:
        raise OutOfMemoryError(
            f"with {layout.ranges} ranges of tiles a task takes {show_bytes(needed)}, and a thread of a worker has "
            f"{show_bytes(allowed)}: cut the graph into more ranges, or give workers more memory"
        )
