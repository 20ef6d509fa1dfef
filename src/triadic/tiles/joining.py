"""The tiles of a triple joined to one small oriented graph, which any count of triangles takes as it is.

Idea: local ranks are those of w's range, then v's, then u's. Rows of v hold the tile (j, k), rows of u the tiles (i, k)
and (i, j), one after the other, so that rows rise. Where i = j > k the range stands twice, once for v and once for u:
three ranges and three tiles then give exactly the triangles of the triple. Where j = k one copy serves v and w, hubs
lie side by side as in the whole graph, and only the rows of u are counted.
Cost: a copy of the tiles, O(edges + ranks).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic import blocks
from triadic.devices.cpu import tile_kernels as kernels
from triadic.oriented_part import Part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.tiles.layout import Layout
    from triadic.tiles.tile import Tile, TileSource
    from triadic.tiles.triples import Triple


def join(source: TileSource, triple: Triple, *, threads: int) -> Part:
    """Join the tiles of a triple.

    Parameters
    ----------
    source : TileSource
    triple : Triple
    threads : int

    Returns
    -------
    Part
        Its local ranks are taken apart again by `at_ranges`.
    """
    i, j, k = triple
    if i == j == k:
        only = source.tile(i, i)
        return _part(only.indptr, only.indices, only.state, 0)
    if j == k:
        return _stacked(source.tile(k, k), source.tile(i, k))
    return _interleaved(
        source.layout.length(k), source.tile(j, k), source.tile(i, k), source.tile(i, j), threads=threads
    )


def at_ranges(layout: Layout, triple: Triple, at_rank: NDArray[np.int64]) -> list[tuple[int, NDArray[np.int64]]]:
    """Take apart what was counted at the local ranks of a triple: by range, in the order w's, v's, u's.

    A range that stands twice is given twice.
    """
    i, j, k = triple
    places = [i] if i == k else [k, i] if j == k else [k, j, i]
    ends = np.cumsum([layout.length(place) for place in places])
    return list(zip(places, np.split(at_rank, ends[:-1]), strict=True))


def _stacked(low: Tile, high: Tile) -> Part:
    """Join rows of w's range, v's too, and rows of u to columns in that range."""
    rows = len(low.indptr) - 1
    indptr = np.concatenate([low.indptr, high.indptr[1:] + low.indptr[-1]])
    indices = np.concatenate([low.indices, high.indices])
    state = None if low.state is None or high.state is None else np.concatenate([low.state, high.state])
    return _part(indptr, indices, state, rows)


def _interleaved(below: int, middle: Tile, near: Tile, far: Tile, *, threads: int) -> Part:
    """Join `below` empty rows of w's range, rows of v to it, and rows of u to it and then to v's range."""
    between, rows = len(middle.indptr) - 1, len(near.indptr) - 1
    first = below + between
    indptr = np.zeros(first + rows + 1, dtype=np.int64)
    indptr[below : first + 1] = middle.indptr
    indptr[first:] = near.indptr
    indptr[first:] += far.indptr
    indptr[first:] += middle.indptr[-1]
    indices = np.empty(int(indptr[-1]), dtype=np.int32)
    indices[: len(middle.indices)] = middle.indices
    state = None
    if middle.state is not None:
        state = np.empty(len(indices), dtype=np.uint8)
        state[: len(middle.state)] = middle.state
    nothing = np.empty(0, dtype=np.uint8)
    cuts = blocks.cut(indptr[first:] - indptr[first], blocks.piece(len(indices)), most=1 << 16)
    of_near, of_far = (nothing if tile.state is None else tile.state for tile in (near, far))

    def fill(_: int, b: int) -> None:
        kernels.interleave(
            near.indptr, near.indices, of_near, far.indptr, far.indices, of_far, below, cuts[b], cuts[b + 1],
            indptr[first:], indices, nothing if state is None else state,
        )  # fmt: skip

    blocks.run(fill, len(cuts) - 1, threads=threads)
    middle_from = indptr[1:].copy()
    # Where a row of u has no w, none of its v needs to be looked at.
    walked = np.diff(near.indptr) > 0
    middle_from[first:][walked] = (indptr[first:-1] + np.diff(near.indptr))[walked]
    return _part(indptr, indices, state, first, middle_from, below)


def _part(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    state: NDArray[np.uint8] | None,
    first: int,
    middle_from: NDArray[np.int64] | None = None,
    below: int | None = None,
) -> Part:
    n = len(indptr) - 1
    unused: Any = np.broadcast_to(np.int32(0), n)  # its ranks and degrees are those of the whole graph
    return Part(unused, indptr, indices, state, unused, first, n, middle_from, below)
