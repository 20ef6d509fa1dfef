"""Net frequencies of orbits from raw ones, and the limits within which they fit 64 bits.

References
----------
Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC, for the transform of up to four
vertices, which goes on to five; `triadic.core.orbit_tables` has its matrix.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.orbit_tables import ORBITS_OF_SIZE, RAW_FROM_NET

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

    Ids = NDArray[np.integer[Any]]

_ORBITS = ORBITS_OF_SIZE[5]
_TREES = range(15, 24)  # orbits of the trees of five vertices: path, fork and star
_LARGEST = 2**63 - 1
_BLOCK = 1 << 12


@cache
def transform_rows() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the matrix of the transform above its diagonal as compressed rows: pointers, columns and values."""
    ptr, columns, values = [0], [], []
    for orbit in range(_ORBITS):
        for entry in RAW_FROM_NET.get(orbit, "").split():
            other, copies = entry.split(":")
            columns.append(int(other))
            values.append(int(copies))
        ptr.append(len(columns))
    return np.array(ptr), np.array(columns), np.array(values)


def net_orbits(oriented: Oriented, raw: NDArray[np.int64], *, threads: int) -> NDArray[np.int64]:
    """Replace the raw frequencies at each rank by the net frequencies at each vertex, and return the same array.

    Nothing of the size of the frequencies is held beside them: 73 orbits of a million vertices take 584 MB.

    Parameters
    ----------
    oriented : Oriented
        The graph.
    raw : int64 array, shape (n, 73)
        Raw frequencies at each rank; sums that wrapped around 2**64 wrap back, because net frequencies fit.
    threads : int
        Number of threads.
    """
    rows = transform_rows()
    cuts = blocks.cut_evenly(len(raw), -(-len(raw) // _BLOCK))
    blocks.run(lambda _, b: solve(cuts[b], cuts[b + 1], *rows, raw), len(cuts) - 1, threads=threads)
    arrange(oriented.rank, raw)
    return raw


@kernel
def solve(
    first: int,
    last: int,
    ptr: NDArray[np.int64],
    columns: NDArray[np.int64],
    values: NDArray[np.int64],
    frequencies: NDArray[np.int64],
) -> None:
    """Make net frequencies of the raw ones in rows `first` .. `last` - 1, from the densest graphlet to the edge."""
    for row in range(first, last):
        found = frequencies[row]
        for orbit in range(found.size - 1, -1, -1):
            value = found[orbit]
            for p in range(ptr[orbit], ptr[orbit + 1]):
                value -= values[p] * found[columns[p]]
            found[orbit] = value


@kernel
def arrange(rank: Ids, rows: NDArray[np.int64]) -> None:
    """Move the row of each vertex from its rank to its number, along the cycles of the permutation."""
    moved = np.zeros(rank.size, dtype=np.bool_)
    # Entry by entry: `rows[vertex] = rows[source]` could raise an error about shapes, which takes seconds to compile.
    for start in range(rank.size):
        if moved[start]:
            continue
        first = rows[start].copy()
        vertex, source = start, int(rank[start])
        while source != start:
            for k in range(rows.shape[1]):
                rows[vertex, k] = rows[source, k]
            moved[vertex] = True
            vertex, source = source, int(rank[source])
        for k in range(rows.shape[1]):
            rows[vertex, k] = first[k]
        moved[vertex] = True


def first_too_large(oriented: Oriented) -> tuple[int, int, float] | None:
    """Return an orbit and a rank at which a net frequency may exceed 64 bits, and the bound; None if all fit.

    An induced graphlet of five vertices contains trees of five vertices: its net frequency at a vertex is at most the
    number of trees at the vertex, divided by the number of trees in each graphlet. The numbers of trees are bounded by
    walks, in floating-point numbers.

    Parameters
    ----------
    oriented : Oriented
        The graph.
    """
    largest = int(oriented.degree.max(initial=0))
    # No count of trees exceeds the fourth power of the largest degree, nor does one of fewer vertices.
    if largest**4 <= _LARGEST:
        return None
    trees = tree_bounds(oriented)
    ptr, columns, values = transform_rows()
    for orbit in range(15, _ORBITS):
        # Each tree by which the orbit is bounded, and the number of such trees in each graphlet.
        within = [(orbit, 1)] if orbit in _TREES else []
        for tree in _TREES:
            row = slice(ptr[tree], ptr[tree + 1])
            within += [(tree, int(copies)) for copies in values[row][columns[row] == orbit]]
        bound = np.min([trees[tree - _TREES[0]] / copies for tree, copies in within], axis=0)
        rank = int(np.argmax(bound))
        if bound[rank] * (1 + 1e-9) > _LARGEST:
            return orbit, rank, float(bound[rank])
    return None


def tree_bounds(oriented: Oriented) -> NDArray[np.float64]:
    """Return upper bounds of the raw frequencies of orbits 15 to 23 at each rank: float64, shape (9, n)."""
    indptr, indices = oriented.indptr, oriented.indices
    k = oriented.degree.astype(np.float64)
    row = np.repeat(np.arange(len(k)), np.diff(indptr))

    def near(values: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.zeros(len(k))
        np.add.at(sums, row, values[indices])
        np.add.at(sums, indices, values[row])
        return sums

    more = np.maximum(k - 1, 0)
    others = more * np.maximum(k - 2, 0) / 2  # pairs of further neighbours of a neighbour
    path2 = near(more)
    path3 = near(path2)
    forks = near(others)
    return np.stack(
        [
            near(path3),
            path3 * more,
            path2 * path2 / 2,
            near(forks),
            near(path2 * np.maximum(k - 2, 0)),
            forks * more,
            path2 * others,
            near(others * np.maximum(k - 3, 0) / 3),
            k * others / 3 * np.maximum(k - 3, 0) / 4,
        ]
    )
