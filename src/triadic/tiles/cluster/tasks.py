"""What runs on workers: a slice of a triple counted, what it gives at a range, and sums of that.

A task knows its triple and where tiles are, and nothing of the others. What it counted stays on its worker, as one
piece for each of at most three ranges; only pieces travel, to be added to others, narrowed to as few bytes as their
counts need. An error that a user can cause is handed on as a value, so that Dask does not try it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.sizes import show_bytes
from triadic.errors import OutOfMemoryError, TriadicError
from triadic.tiles.cluster.freed_memory import keep_freed_memory
from triadic.tiles.cluster.tiles_of_worker import allowed_bytes, forget, tiles_at
from triadic.tiles.edge_sums import count_tile
from triadic.tiles.joining import join, pieces
from triadic.tiles.work import bytes_to_count, entries_tested_in, slice_of_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triadic.tiles.cluster.tiles_of_worker import TilesGiven, Where
    from triadic.tiles.edge_sums import Shares
    from triadic.tiles.layout import Layout
    from triadic.tiles.sums import PartCount
    from triadic.tiles.triples import Triple

TOTALS = -1  # in place of a range, where counts are not at ranks


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Counts at consecutive ranks of a range, of the smallest type that holds them; `first` counts from the range's."""

    first: int
    counts: NDArray[Any]

    @property
    def last(self) -> int:
        """The rank after its last."""
        return self.first + len(self.counts)


@dataclass(frozen=True, slots=True, eq=False)
class Failed:
    """An error that no second try helps."""

    error: TriadicError


Found = dict[int, Piece | list[int]] | Failed


def count_slice(where: Where, given: TilesGiven, triple: Triple, at: int, slices: int, counting: PartCount) -> Found:
    """Count the slice number `at` of a triple: what each of its ranges gets, or the totals."""
    keep_freed_memory()
    try:
        tiles = tiles_at(where, given)
        _check_memory(tiles.layout, triple, counting)
        first, last = slice_of_rows(tiles, triple, at, slices) if slices > 1 else (0, tiles.layout.length(triple.i))
        if first == last:
            return {} if counting.at_ranks else {TOTALS: [0] * counting.columns}
        part = join(tiles, triple, threads=1, rows=(first, last))
        counts = counting.count(part, None, threads=1)  # Dask runs a task in each thread of a worker
    except TriadicError as error:
        forget()
        return Failed(error)
    if not counting.at_ranks:
        return {TOTALS: [int(each) for each in counts]}
    at_range: dict[int, list[Piece]] = {}
    for i, start, found in pieces(tiles.layout, triple, (first, last), counts):
        at_range.setdefault(i, []).append(Piece(start, found))
    return {i: added for i, of_range in at_range.items() if (added := add_pieces(of_range)) is not None}


def count_whole_tile(
    where: Where, given: TilesGiven, i: int, j: int, counting: PartCount, inputs: tuple[NDArray[Any], ...]
) -> Shares | Failed:
    """Count one tile, for a count that adds up over edges."""
    keep_freed_memory()
    try:
        return count_tile(tiles_at(where, given), i, j, counting, inputs, threads=1)
    except TriadicError as error:
        forget()
        return Failed(error)


def tested_in(where: Where, given: TilesGiven, i: int) -> NDArray[np.float64] | Failed:
    """Count what the triples with u in a range test."""
    try:
        return entries_tested_in(tiles_at(where, given), i)
    except TriadicError as error:
        forget()
        return Failed(error)


def found_at(found: Found, i: int) -> Piece | list[int] | None:
    """Give what a task found at a range, if it did."""
    if isinstance(found, Failed):
        raise found.error
    return found.get(i)


def add_pieces(given: Sequence[Piece | None]) -> Piece | None:
    """Add pieces of one range; none where nothing was counted."""
    there = [piece for piece in given if piece is not None and piece.counts.any()]
    if not there:
        return None
    first, last = min(piece.first for piece in there), max(piece.last for piece in there)
    total = np.zeros((last - first, *there[0].counts.shape[1:]), dtype=np.int64)
    for piece in there:
        total[piece.first - first : piece.last - first] += piece.counts
    narrow = np.min_scalar_type(int(total.max()))
    return Piece(first, total if narrow.itemsize == total.itemsize else total.astype(narrow))


def add_totals(given: Sequence[list[int]]) -> list[int]:
    """Add totals, in integers of any size."""
    return [sum(column) for column in zip(*given, strict=True)]


def _check_memory(layout: Layout, triple: Triple, counting: PartCount) -> None:
    allowed = allowed_bytes()
    needed = bytes_to_count(layout, triple, threads=1, columns=counting.columns if counting.at_ranks else 0)
    needed += sum(layout.tile_bytes(*tile) for tile in triple.tiles)
    if needed > allowed:
        raise OutOfMemoryError(
            f"a task of {layout.ranges} ranges of tiles takes {show_bytes(needed)} and a thread of a worker has "
            f"{show_bytes(allowed)}: cut the graph into more ranges, or give workers more memory"
        )
