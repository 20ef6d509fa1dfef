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

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

_TREES = range(12, 18)  # orbits of the trees of five vertices: path, fork and star
_LARGEST = 2**63 - 1
_BLOCK = 1 << 12


@cache
def transform_columns(orbits: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the matrix of the transform above its diagonal as compressed columns: pointers, rows and values."""
    entries = sorted((other, orbit, copies) for orbit, other, copies in entries_of(orbits))
    ptr = np.searchsorted([other for other, _, _ in entries], np.arange(orbits + 1))
    return ptr, np.array([orbit for _, orbit, _ in entries]), np.array([copies for _, _, copies in entries])


def entries_of(orbits: int) -> list[tuple[int, int, int]]:
    """Return the entries of the matrix of the transform above its diagonal: row, column and value."""
    entries = []
    for orbit, row in RAW_FROM_NET_AT_EDGES.items():
        for entry in row.split():
            other, copies = entry.split(":")
            if int(other) < orbits:
                entries.append((orbit, int(other), int(copies)))
    return entries


def make_net(frequencies: NDArray[np.int64], *, threads: int) -> None:
    """Replace raw frequencies by net frequencies.

    Parameters
    ----------
    frequencies : int64 array, shape (edges, 12) or (edges, 68)
        Raw frequencies; sums that wrapped around 2**64 wrap back, because net frequencies fit.
    threads : int
        Number of threads.
    """
    columns = transform_columns(frequencies.shape[1])
    cuts = blocks.cut_evenly(len(frequencies), -(-len(frequencies) // _BLOCK))
    blocks.run(lambda _, b: solve(cuts[b], cuts[b + 1], *columns, frequencies), len(cuts) - 1, threads=threads)


@kernel
def solve(
    first: int,
    last: int,
    ptr: NDArray[np.int64],
    rows: NDArray[np.int64],
    values: NDArray[np.int64],
    frequencies: NDArray[np.int64],
) -> None:
    """Replace the frequencies at edges `first` .. `last` - 1, from the densest graphlet back to the 2-path.

    The frequency of each graphlet is subtracted from the raw frequencies of the graphlets that it contains. Zeros are
    skipped: most edges are in few dense graphlets.
    """
    for edge in range(first, last):
        found = frequencies[edge]
        for orbit in range(found.size - 1, 0, -1):
            count = found[orbit]
            if count != 0:
                for p in range(ptr[orbit], ptr[orbit + 1]):
                    found[rows[p]] -= values[p] * count


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
    entries = entries_of(EDGE_ORBITS_OF_SIZE[5])
    for orbit in range(_TREES[0], EDGE_ORBITS_OF_SIZE[5]):
        # Each tree by which the orbit is bounded, and the number of such trees in each graphlet.
        within = [(orbit, 1)] if orbit in _TREES else []
        within += [(tree, copies) for tree, other, copies in entries if other == orbit and tree in _TREES]
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
