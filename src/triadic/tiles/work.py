"""What triples cost, in time and in memory, known before any is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.devices.cpu.middle_lists import LIST, TEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triadic.tiles.layout import Layout
    from triadic.tiles.tile import TileSource
    from triadic.tiles.triples import Triple

# Of the tests where v and w are both in the first range most are made by bits, many at a time.
BY_BITS = 0.2
JOIN = 3.0  # an entry copied, and sorted into lists, in nanoseconds
_ROWS = 1 << 16  # rows whose lengths are multiplied at a time
RANK = 20.0  # a rank of a triple, likewise

# Bytes beside the joined rows: an entry in lists, its key while they are sorted among it; a local rank; and a local
# rank for each worker.
LIST_BYTES, RANK_BYTES, WORKER_RANK_BYTES = 16, 48, 12


def entries_tested(source: TileSource) -> NDArray[np.float64]:
    """Count for every triple the entries that walking its lists tests, exactly: float64, shape (P, P, P).

    For each row the product of its lengths in two tiles, added up over the rows. One pass over all tiles.
    """
    return put_together([entries_tested_in(source, i) for i in range(source.layout.ranges)])


def entries_tested_in(source: TileSource, i: int) -> NDArray[np.float64]:
    """Count the tests of the triples with u in a range: float64, shape (i + 1, i + 1)."""
    return tested_of_lengths([narrow(np.diff(source.tile(i, j).indptr)) for j in range(i + 1)])


def tested_of_lengths(lengths: Sequence[NDArray[np.integer[Any]]]) -> NDArray[np.float64]:
    """Count them, given the lengths of a range's rows in each of its tiles."""
    tiles = len(lengths)
    together, entries = np.zeros((tiles, tiles)), np.zeros(tiles)
    for start in range(0, len(lengths[0]), _ROWS):
        part = np.stack([of_tile[start : start + _ROWS] for of_tile in lengths]).astype(np.float64)
        together += part @ part.T
        entries += part.sum(axis=1)
    np.fill_diagonal(together, (np.diagonal(together) - entries) / 2)
    return together


def narrow(lengths: NDArray[np.int64]) -> NDArray[np.unsignedinteger[Any]]:
    """Give the lengths of rows in as few bytes as they need: those of a range's tiles are held side by side."""
    return lengths.astype(np.min_scalar_type(int(lengths.max(initial=0))))


def put_together(of_ranges: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Give as one array what `entries_tested_in` gives for each range."""
    found = np.zeros((len(of_ranges),) * 3)
    for i, tested in enumerate(of_ranges):
        found[i, : i + 1, : i + 1] = tested
    return found


def nanoseconds(layout: Layout, triple: Triple, tested: NDArray[np.float64]) -> float:
    """Estimate what counting a triple takes one thread."""
    i, j, k = triple
    edges = layout.tile_edges
    by_bits = BY_BITS if j == k == 0 else 1.0
    copied = sum(int(edges[tile]) for tile in triple.tiles)
    ranks = sum(layout.length(r) for r in (i, j, k))
    walked = by_bits * (LIST * float(edges[i, j]) + TEST * float(tested[i, j, k]))
    return walked + JOIN * copied + RANK * ranks


def slice_of_rows(source: TileSource, triple: Triple, at: int, slices: int) -> tuple[int, int]:
    """Give the rows of u of one of several slices of a triple, of about equal work; a slice may be empty.

    In integers, so that all machines cut alike.
    """
    i, j, k = triple
    begun = np.diff(source.tile(i, j).indptr)
    tested = begun * (begun - 1) // 2 if j == k else begun * np.diff(source.tile(i, k).indptr)
    cost = np.cumsum(int(LIST) * begun + int(TEST) * tested + int(RANK))
    marks = [int(cost[-1]) * part // slices for part in (at, at + 1)]
    first, last = (int(np.searchsorted(cost, mark, side="right")) for mark in marks)
    return first, len(cost) if at + 1 == slices else last


def bytes_to_count(layout: Layout, triple: Triple, *, threads: int, columns: int) -> int:
    """Estimate the bytes that joining and counting a triple takes beside its tiles.

    The joined rows; the lists' keys and the lists; what workers have for each local rank.
    """
    i, j, k = triple
    edges = layout.tile_edges
    joined = sum(int(edges[tile]) for tile in {(j, k), (i, k), (i, j)}) if i > k else 0
    ranks = sum(layout.length(r) for r in ({i, k} if j == k else {i, j, k} if i > j else (i, j, k)))
    each = RANK_BYTES + (WORKER_RANK_BYTES + 8 * columns) * threads
    return (5 if layout.directed else 4) * joined + LIST_BYTES * int(edges[i, j]) + each * ranks


class Needed(NamedTuple):
    """Bytes that counting some triples one after another takes: the most beside tiles, its tiles, and the sums."""

    working: int
    tiles: int
    sums: int


def most_needed(layout: Layout, every: Sequence[Triple], *, threads: int, columns: int) -> Needed:
    """Give the bytes that the triple which needs the most takes, and the sums of all at `columns` a rank."""
    needed = [
        Needed(
            bytes_to_count(layout, triple, threads=threads, columns=columns),
            sum(layout.tile_bytes(*tile) for tile in triple.tiles),
            8 * columns * layout.vertices,
        )
        for triple in every
    ]
    return max(needed, key=sum)
