"""Distances of the signatures of vertices: every pair of a block of rows, one tile of columns after another.

The logarithms are taken once for each vertex and orbit. A pair then costs a difference, a minimum and a sum for each
orbit, in the same order whatever the block, so that results are equal for any number of threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Table = NDArray[np.float64]

_TILE = 128  # columns whose logarithms for 73 orbits stay in the second-level cache


@kernel
def similar_pairs(
    logs: Table,
    scales: Table,
    other_logs: Table,
    other_scales: Table,
    first: int,
    last: int,
    mirrored: bool,
    out: Table,
) -> None:
    """Write the similarities of the vertices `first` .. `last` - 1 and all vertices of the other table.

    Parameters
    ----------
    logs, scales : float64 arrays, shape (n, orbits)
        Logarithm of each count plus 1, times the weight of the orbit; and 1 / log(count + 2).
    other_logs, other_scales : float64 arrays, shape (orbits, m)
        The same of the other vertices.
    first, last : int
    mirrored : bool
        Whether both tables are of the same vertices. Each pair is then computed once, and written twice.
    out : float64 array, shape (n, m)
    """
    m = other_logs.shape[1]
    found = np.empty(_TILE, dtype=np.float64)
    for start in range(first if mirrored else 0, m, _TILE):
        stop = min(m, start + _TILE)
        for u in range(first, last):
            _distances(logs[u], scales[u], other_logs, other_scales, start, stop, found)
            row = out[u]
            for j in range(stop - start):
                row[start + j] = 1.0 - found[j]
            if mirrored:
                for v in range(max(start, last), stop):
                    out[v, u] = row[v]


@kernel
def most_similar(
    logs: Table,
    scales: Table,
    other_logs: Table,
    other_scales: Table,
    first: int,
    last: int,
    without_self: bool,
    indices: NDArray[np.int64],
    values: Table,
) -> None:
    """Write the most similar vertices of the other table for the vertices `first` .. `last` - 1, the best first.

    Of equally similar vertices the first ones are taken. The parameters are those of `similar_pairs`, with the results
    in `indices` and `values`: shape (n, top).
    """
    m, top = other_logs.shape[1], indices.shape[1]
    found = np.empty(_TILE, dtype=np.float64)
    values[first:last] = -1.0  # below every similarity
    for start in range(0, m, _TILE):
        stop = min(m, start + _TILE)
        for u in range(first, last):
            _distances(logs[u], scales[u], other_logs, other_scales, start, stop, found)
            best, which = values[u], indices[u]
            for j in range(stop - start):
                similarity = 1.0 - found[j]
                if similarity <= best[top - 1] or (without_self and start + j == u):
                    continue
                place = top - 1
                while place > 0 and best[place - 1] < similarity:
                    best[place], which[place] = best[place - 1], which[place - 1]
                    place -= 1
                best[place], which[place] = similarity, start + j


@kernel
def _distances(
    logs: Table, scales: Table, other_logs: Table, other_scales: Table, start: int, stop: int, found: Table
) -> None:
    """Write the distances of a vertex and the vertices `start` .. `stop` - 1 of the other table."""
    found[:] = 0.0
    for orbit in range(logs.size):
        log, scale = logs[orbit], scales[orbit]
        row, its_scales = other_logs[orbit, start:stop], other_scales[orbit, start:stop]
        for j in range(row.size):
            # The larger count has the larger logarithm, and the smaller scale.
            found[j] += abs(log - row[j]) * min(scale, its_scales[j])
