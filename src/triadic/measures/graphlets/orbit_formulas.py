"""Net frequencies of orbits of vertices and edges from raw ones, and the limits within which they fit 64 bits.

References
----------
Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC, for the transform of up to four
vertices, which goes on to five; `triadic.core.graphlets` and `triadic.core.graphlets` have its matrices.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.graphlets import EDGE_ORBITS_OF_SIZE, ORBITS_OF_SIZE, RAW_FROM_NET, RAW_FROM_NET_AT_EDGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Float64Array, Ids, Int64Array
    from triadic.core.oriented import Oriented

    Floats = Float64Array

_ORBITS, _EDGE_ORBITS = ORBITS_OF_SIZE[5], EDGE_ORBITS_OF_SIZE[5]
_TREES, _EDGE_TREES = range(15, 24), range(12, 18)  # orbits of the trees of five vertices: path, fork and star
_LARGEST = 2**63 - 1
_BLOCK = 1 << 12


@cache
def transform_columns(orbits: int) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Return the matrix of the transform above its diagonal as compressed columns: pointers, rows and values."""
    entries = sorted((other, orbit, copies) for orbit, other, copies in entries_of(orbits))
    ptr = np.searchsorted([other for other, _, _ in entries], np.arange(orbits + 1))
    return ptr, np.array([orbit for _, orbit, _ in entries]), np.array([copies for _, _, copies in entries])


def entries_of(orbits: int) -> list[tuple[int, int, int]]:
    """Return the entries of the matrix of the transform above its diagonal: row, column and value.

    73 orbits are those of vertices; 68 and 12 are those of edges.
    """
    entries = []
    for orbit, row in (RAW_FROM_NET if orbits == _ORBITS else RAW_FROM_NET_AT_EDGES).items():
        for entry in row.split():
            other, copies = entry.split(":")
            if int(other) < orbits:
                entries.append((orbit, int(other), int(copies)))
    return entries


def net_orbits(oriented: Oriented, raw: Int64Array, *, threads: int) -> Int64Array:
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
    make_net(raw, threads=threads)
    arrange(oriented.rank, raw)
    return raw


def make_net(frequencies: Int64Array, *, threads: int) -> None:
    """Replace raw frequencies by net frequencies.

    Parameters
    ----------
    frequencies : int64 array, shape (vertices, 73), (edges, 12) or (edges, 68)
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
    ptr: Int64Array,
    rows: Int64Array,
    values: Int64Array,
    frequencies: Int64Array,
) -> None:
    """Replace the frequencies in rows `first` .. `last` - 1, from the densest graphlet back to the smallest.

    The frequency of each graphlet is subtracted from the raw frequencies of the graphlets that it contains. Zeros are
    skipped: most vertices and edges are in few dense graphlets.
    """
    for row in range(first, last):
        found = frequencies[row]
        for orbit in range(found.size - 1, 0, -1):
            count = found[orbit]
            if count != 0:
                for p in range(ptr[orbit], ptr[orbit + 1]):
                    found[rows[p]] -= values[p] * count


@kernel
def arrange(rank: Ids, rows: Int64Array) -> None:
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
    # No count of trees exceeds the fourth power of the largest degree, nor does one of fewer vertices.
    if int(oriented.degree.max(initial=0)) ** 4 <= _LARGEST:
        return None
    return _first_beyond(tree_bounds(oriented), _TREES, _ORBITS)


def first_edge_too_large(oriented: Oriented) -> tuple[int, int, int, float] | None:
    """Return an orbit, the ranks of an edge's ends at which a net frequency may exceed 64 bits, and the bound.

    The bounds are those of `first_too_large`, of the trees of five vertices to which an edge belongs.

    Parameters
    ----------
    oriented : Oriented
        The graph.

    Returns
    -------
    tuple or None
        None if all frequencies fit.
    """
    # No count of trees at an edge exceeds twice the third power of the largest degree, nor does one of fewer vertices.
    if 2 * int(oriented.degree.max(initial=0)) ** 3 <= _LARGEST:
        return None
    found = _first_beyond(tree_bounds_at_edges(oriented), _EDGE_TREES, _EDGE_ORBITS)
    if found is None:
        return None
    orbit, entry, bound = found
    low = int(np.searchsorted(oriented.indptr, entry, side="right")) - 1
    return orbit, low, int(oriented.indices[entry]), bound


def _first_beyond(bounds: Floats, trees: range, orbits: int) -> tuple[int, int, float] | None:
    """Return the first orbit of five vertices that may exceed 64 bits, the column of its largest bound, and the bound.

    `bounds` are those of the raw frequencies of `trees`: shape (trees, vertices) or (trees, edges).
    """
    entries = entries_of(orbits)
    for orbit in range(trees[0], orbits):
        # Each tree by which the orbit is bounded, and the number of such trees in each graphlet.
        within = [(orbit, 1)] if orbit in trees else []
        within += [(tree, copies) for tree, other, copies in entries if other == orbit and tree in trees]
        bound = np.min([bounds[tree - trees[0]] / copies for tree, copies in within], axis=0)
        place = int(np.argmax(bound))
        if bound[place] * (1 + 1e-9) > _LARGEST:
            return orbit, place, float(bound[place])
    return None


def tree_bounds(oriented: Oriented) -> Floats:
    """Return upper bounds of the raw frequencies of orbits 15 to 23 at each rank: float64, shape (9, n)."""
    _, k, near, more, others = _walks(oriented)
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


def tree_bounds_at_edges(oriented: Oriented) -> Floats:
    """Return upper bounds of the raw frequencies of edge orbits 12 to 17 at each entry: float64, shape (6, m)."""
    low, k, near, more, others = _walks(oriented)
    high = oriented.indices

    def at_ends(values: Floats, others: Floats | float = 1.0) -> Floats:
        factors = np.broadcast_to(others, values.shape)
        return values[low] * factors[high] + values[high] * factors[low]

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


def _walks(oriented: Oriented) -> tuple[Int64Array, Floats, Callable[[Floats], Floats], Floats, Floats]:
    """Return what bounds of trees take.

    These are the rank of the row of each entry, the degrees k, a function that adds up values over the neighbours of
    each rank, the further neighbours of a neighbour, k - 1, and the pairs of them.
    """
    k, high = oriented.degree.astype(np.float64), oriented.indices
    low = np.repeat(np.arange(len(k)), np.diff(oriented.indptr))

    def near(values: Floats) -> Floats:
        sums = np.zeros(len(k))
        np.add.at(sums, low, values[high])
        np.add.at(sums, high, values[low])
        return sums

    more = np.maximum(k - 1, 0)
    return low, k, near, more, more * np.maximum(k - 2, 0) / 2
