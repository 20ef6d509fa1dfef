"""The functions that draw wedges on workers: each of them works on one range of rows.

A task finds its own draws among those of the whole graph, because a draw is a hash of its number. It returns an error
of triadic as a value, as other tasks do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.range_wedges import add_up_rows, choose_in_range
from triadic.devices.cpu.wedge_sampling import weight_shift
from triadic.errors import TriadicError
from triadic.tiles.cluster.tasks import Failure
from triadic.tiles.cluster.tile_transfer import drop_cached_tiles, open_tiles
from triadic.tiles.wedge_draws import find_entries, find_states, row_lengths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.tiles.cluster.tile_transfer import Origin, TileDict, WorkerTiles

    Degree = NDArray[np.int64] | None  # of the ranks of a range, if they are sent with the tiles


@dataclass(frozen=True, slots=True)
class Draws:
    """The draws of a batch.

    Attributes
    ----------
    key : int
    first, count : int
        Number of the first draw, and the number of draws.
    total : int
        Sum of the weights of all rows.
    local : bool
        Whether rows have the weights for local coefficients.
    """

    key: int
    first: int
    count: int
    total: int
    local: bool


@dataclass(frozen=True, slots=True, eq=False)
class Wedges:
    """The draws of a batch whose middle is in one range.

    Attributes
    ----------
    draws : int32 array, shape (draws,)
        Their numbers, counted from the first of the batch.
    ranks : int32 or int64 array, shape (draws, 3)
        The ranks u > v > w of each.
    code : uint8 array, shape (draws,)
        The states of the edges to v and w, as in the code of a triad.
    """

    draws: NDArray[np.int32]
    ranks: NDArray[np.integer]
    code: NDArray[np.uint8]


def weight_of_rows(origin: Origin, sent: TileDict, degree: Degree, i: int, local: bool) -> int | Failure:
    """Return the sum of the weights of the rows of range `i`."""
    try:
        tiles = open_tiles(origin, sent)
        return int(_weights_before(tiles, degree, i, row_lengths(tiles, i), local)[-1])
    except TriadicError as error:
        drop_cached_tiles()
        return Failure(error)


def choose_wedges(
    origin: Origin, sent: TileDict, degree: Degree, i: int, weight_before: int, batch: Draws
) -> Wedges | Failure:
    """Return the draws of a batch whose row is in range `i`; the rows of ranges before it weigh `weight_before`."""
    try:
        tiles = open_tiles(origin, sent)
        lengths = row_lengths(tiles, i)
        before = _weights_before(tiles, degree, i, lengths, batch.local)
        draws, rows = np.empty(batch.count, dtype=np.int64), np.empty(batch.count, dtype=np.int64)
        places = np.empty((batch.count, 2), dtype=np.int64)
        found = choose_in_range(
            lengths, before, np.uint64(batch.total), np.uint64(weight_before), np.uint64(batch.key), batch.first,
            draws, rows, places,
        )  # fmt: skip
        rows = rows[:found]
        ends, code = find_entries(tiles, i, rows, places[:found])
        ranks = np.column_stack([rows + tiles.layout.cuts[i], ends])
        narrow = np.int32 if tiles.layout.vertices < 1 << 31 else np.int64
        return Wedges(draws[:found].astype(np.int32), ranks.astype(narrow), code.astype(np.uint8))
    except TriadicError as error:
        drop_cached_tiles()
        return Failure(error)


def states_of_ends(origin: Origin, sent: TileDict, i: int, ends: NDArray[np.integer]) -> NDArray[np.uint8] | Failure:
    """Return the states of the edges between ranks of range `i` and smaller ranks, shape (edges, 2); 0 without one."""
    try:
        larger, smaller = ends.astype(np.int64).T
        return find_states(open_tiles(origin, sent), i, larger, smaller).astype(np.uint8)
    except TriadicError as error:
        drop_cached_tiles()
        return Failure(error)


def degrees_of(
    origin: Origin, sent: TileDict, degree: Degree, i: int, ranks: NDArray[np.int64]
) -> NDArray[np.int64] | Failure:
    """Return the degrees of some ranks of range `i`, counted from its first."""
    try:
        known: NDArray[np.int64] = open_tiles(origin, sent).degree(i) if degree is None else degree
        return known[ranks]
    except TriadicError as error:
        drop_cached_tiles()
        return Failure(error)


def _weights_before(
    tiles: WorkerTiles, degree: Degree, i: int, lengths: NDArray[np.int64], local: bool
) -> NDArray[np.uint64]:
    """Return the sum of the weights of the rows of range `i` before each of them, and of all."""
    shift = weight_shift(tiles.layout.vertices, local=local)
    before = np.empty(len(lengths) + 1, dtype=np.uint64)
    degrees = (tiles.degree(i) if degree is None else degree) if local else lengths
    add_up_rows(lengths, degrees, shift, before)
    return before
