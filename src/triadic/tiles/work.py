"""What triples cost, in time and in memory, known before any is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.middle_lists import LIST, TEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.tiles.layout import Layout
    from triadic.tiles.tile import TileSource
    from triadic.tiles.triples import Triple

# Of the tests where v and w are both in the first range most are made by bits, many at a time.
_BY_BITS = 0.2
_JOIN = 3.0  # an entry copied, and sorted into lists, in nanoseconds
_RANK = 20.0  # a rank of a triple, likewise


def tests(source: TileSource) -> NDArray[np.float64]:
    """Count for every triple the entries that walking its lists tests, exactly: float64, shape (P, P, P).

    For each row the product of its lengths in two tiles, added up over the rows. One pass over all tiles.
    """
    layout = source.layout
    found = np.zeros((layout.ranges,) * 3)
    for i in range(layout.ranges):
        lengths = np.stack([np.diff(source.tile(i, j).indptr) for j in range(i + 1)]).astype(np.float64)
        together = lengths @ lengths.T
        own = np.diagonal(together)
        np.fill_diagonal(together, (own - lengths.sum(axis=1)) / 2)
        found[i, : i + 1, : i + 1] = together
    return found


def nanoseconds(layout: Layout, triple: Triple, tested: NDArray[np.float64]) -> float:
    """Estimate what counting a triple takes one thread."""
    i, j, k = triple
    edges = layout.tile_edges
    by_bits = _BY_BITS if j == k == 0 else 1.0
    copied = sum(int(edges[tile]) for tile in triple.tiles)
    ranks = sum(layout.length(r) for r in (i, j, k))
    walked = by_bits * (LIST * float(edges[i, j]) + TEST * float(tested[i, j, k]))
    return walked + _JOIN * copied + _RANK * ranks


def bytes_to_count(layout: Layout, triple: Triple, *, threads: int, columns: int) -> int:
    """Estimate the bytes that joining and counting a triple takes beside its tiles.

    The joined rows; the lists' keys and the lists; what workers have for each local rank.
    """
    i, j, k = triple
    edges = layout.tile_edges
    joined = sum(int(edges[tile]) for tile in {(j, k), (i, k), (i, j)}) if i > k else 0
    ranks = sum(layout.length(r) for r in ({i, k} if j == k else {i, j, k} if i > j else (i, j, k)))
    each = 24 + (12 + 8 * columns) * threads
    return (5 if layout.directed else 4) * joined + 16 * int(edges[i, j]) + (each + 24) * ranks
