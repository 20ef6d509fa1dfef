"""Net frequencies of edge orbits from raw ones, and the limits within which they fit 64 bits.

`triadic.core.edge_orbit_tables` has the matrix of the transform.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.edge_orbit_tables import EDGE_ORBITS_OF_SIZE, RAW_FROM_NET_AT_EDGES
from triadic.measures.orbit_formulas import compressed_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

_TREES = range(12, 18)  # orbits of the trees of five vertices: path, fork and star
_LARGEST = 2**63 - 1
_BLOCK = 1 << 12


@cache
def transform_rows(orbits: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the matrix of the transform above its diagonal as compressed rows: pointers, columns and values."""
    return compressed_rows(
        {
            orbit: " ".join(entry for entry in row.split() if int(entry.split(":")[0]) < orbits)
            for orbit, row in RAW_FROM_NET_AT_EDGES.items()
        },
        orbits,
    )


def make_net(frequencies: NDArray[np.int64], *, threads: int) -> None:
    """Replace raw frequencies by net frequencies.

    Parameters
    ----------
    frequencies : int64 array, shape (edges, 12) or (edges, 68)
        Raw frequencies; sums that wrapped around 2**64 wrap back, because net frequencies fit.
    threads : int
        Number of threads.
    """
    rows = transform_rows(frequencies.shape[1])
    cuts = blocks.cut_evenly(len(frequencies), -(-len(frequencies) // _BLOCK))
    blocks.run(lambda _, b: solve(cuts[b], cuts[b + 1], *rows, frequencies), len(cuts) - 1, threads=threads)


@kernel
def solve(
    first: int,
    last: int,
    ptr: NDArray[np.int64],
    columns: NDArray[np.int64],
    values: NDArray[np.int64],
    frequencies: NDArray[np.int64],
) -> None:
    """Replace the frequencies at edges `first` .. `last` - 1, from the densest graphlet back to the 2-path."""
    for edge in range(first, last):
        found = frequencies[edge]
        for orbit in range(found.size - 1, -1, -1):
            value = found[orbit]
            for p in range(ptr[orbit], ptr[orbit + 1]):
                value -= values[p] * found[columns[p]]
            found[orbit] = value


def first_too_large(oriented: Oriented) -> tuple[int, int, int, float] | None:
    """Return an orbit, the ranks of an edge's ends at which a net frequency may exceed 64 bits, and the bound.

    An induced graphlet of five vertices contains trees of five vertices to which a given edge belongs: its net
    frequency at an edge is at most the number of trees at the edge, divided by the number of trees in each graphlet.
    The numbers of trees are bounded by walks, in floating-point numbers.

    Parameters
    ----------
    oriented : Oriented
        The graph.

    Returns
    -------
    tuple or None
        None if all frequencies fit.
    """
    largest = int(oriented.degree.max(initial=0))
    # No count of trees at an edge exceeds twice the third power of the largest degree, nor does one of fewer vertices.
    if 2 * largest**3 <= _LARGEST:
        return None
    trees = tree_bounds(oriented)
    ptr, columns, values = transform_rows(EDGE_ORBITS_OF_SIZE[5])
    for orbit in range(_TREES[0], EDGE_ORBITS_OF_SIZE[5]):
        # Each tree by which the orbit is bounded, and the number of such trees in each graphlet.
        within = [(orbit, 1)] if orbit in _TREES else []
        for tree in _TREES:
            row = slice(ptr[tree], ptr[tree + 1])
            within += [(tree, int(copies)) for copies in values[row][columns[row] == orbit]]
        bound = np.min([trees[tree - _TREES[0]] / copies for tree, copies in within], axis=0)
        entry = int(np.argmax(bound))
        if bound[entry] * (1 + 1e-9) > _LARGEST:
            low = int(np.searchsorted(oriented.indptr, entry, side="right")) - 1
            return orbit, low, int(oriented.indices[entry]), float(bound[entry])
    return None


def tree_bounds(oriented: Oriented) -> NDArray[np.float64]:
    """Return upper bounds of the raw frequencies of edge orbits 12 to 17 at each entry: float64, shape (6, m)."""
    indptr, high = oriented.indptr, oriented.indices
    k = oriented.degree.astype(np.float64)
    low = np.repeat(np.arange(len(k)), np.diff(indptr))

    def near(values: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.zeros(len(k))
        np.add.at(sums, low, values[high])
        np.add.at(sums, high, values[low])
        return sums

    def at_ends(values: NDArray[np.float64], others: NDArray[np.float64] | float = 1.0) -> NDArray[np.float64]:
        factors = np.broadcast_to(others, values.shape)
        return values[low] * factors[high] + values[high] * factors[low]

    more = np.maximum(k - 1, 0)
    others = more * np.maximum(k - 2, 0) / 2  # pairs of further neighbours of a neighbour
    path2 = near(more)
    return np.stack(
        [
            at_ends(near(path2)),
            at_ends(path2, more),
            at_ends(near(others)),
            at_ends(path2 * more),
            at_ends(others, more),
            at_ends(others * np.maximum(k - 3, 0) / 3),
        ]
    )
