"""The triangles at each edge of the three tiles of a triple of ranges, counted in the tiles.

Computes: for each entry of the tiles (i, k), (j, k) and (i, j) the triangles u > v > w, u in range i, v in range j and
  w in range k, that its edge is in.
Requires: tiles, rows of rising columns, each counted from the first rank of its range; the same tile and the same
  counts twice or three times if ranges are equal.
Idea: mark the entries of row u of the tile (i, k) with their places; for each entry v of row u of the tile (i, j) walk
  row v of the tile (j, k), and add at the three edges of every marked w.
Cost: the lengths of the rows v that are walked, and one pass over the rows of u; 8 bytes for each rank w.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, mark the neighbours of a vertex.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.oriented import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.cpu.list_walk import TileRows

    Ids = NDArray[np.unsignedinteger[Any]]
    Counts = NDArray[np.int32]


def add_supports_of_tiles(
    near: tuple[TileRows, Counts],
    middle: tuple[TileRows, Counts],
    far: tuple[TileRows, Counts],
    ranks: int,
    rows: tuple[int, int],
) -> None:
    """Add the triangles at the entries of three tiles to their counts.

    Parameters
    ----------
    near, middle, far : tuple of (TileRows, int32 array)
        The tiles (i, k), (j, k) and (i, j), each with the counts of its entries, shape (entries,).
    ranks : int
        Number of ranks of range k.
    rows : tuple of int
        First row of u, and the row past the last.
    """
    (a, at_a), (b, at_b), (c, at_c) = near, middle, far
    place = np.zeros(ranks, dtype=np.int64)
    add_edges_of_rows(*_row_arrays(a), at_a, *_row_arrays(b), at_b, *_row_arrays(c), at_c, *rows, place)


def _row_arrays(tile: TileRows) -> tuple[NDArray[np.int64], Ids]:
    """Return the starts of the rows of a tile and their entries, read-only as one kernel takes them."""
    return frozen(tile.indptr), frozen(tile.indices.view(np.uint32))


@kernel
def add_edges_of_rows(
    near_ptr: NDArray[np.int64],
    near: Ids,
    near_counts: Counts,
    middle_ptr: NDArray[np.int64],
    middle: Ids,
    middle_counts: Counts,
    far_ptr: NDArray[np.int64],
    far: Ids,
    far_counts: Counts,
    first: int,
    last: int,
    place: NDArray[np.int64],
) -> None:
    """Add at the edges of the triangles of the rows `first` .. `last` - 1; `place` holds zeros, and does again."""
    for u in range(first, last):
        if near_ptr[u] == near_ptr[u + 1]:
            continue
        for e in range(near_ptr[u], near_ptr[u + 1]):
            place[np.int64(near[e])] = e + 1
        for f in range(far_ptr[u], far_ptr[u + 1]):
            v = np.int64(far[f])
            for m in range(middle_ptr[v], middle_ptr[v + 1]):
                e = place[np.int64(middle[m])]
                if e > 0:
                    near_counts[e - 1] += 1
                    middle_counts[m] += 1
                    far_counts[f] += 1
        for e in range(near_ptr[u], near_ptr[u + 1]):
            place[np.int64(near[e])] = 0
