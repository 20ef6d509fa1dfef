"""The loops of Batagelj and Mrvar's triad census, as printed in Nagpal's thesis.

Computes: the census of the triads of the canonical dyads u < v, for all vertices or for one task queue.
Requires: sorted rows of arcs (IsEdge) and of neighbours (IsNeighbour); both are searched by bisection, which the thesis
  found fastest (section 4.2.4, v0.5).
Idea: an adjacent pair forms a dyadic triad with each vertex that is adjacent to neither end, and a connected triad with
  each other vertex; a connected triad is counted at the first of its pairs only (section 2.2).
Cost: O(sum over edges of the ends' degrees), times the logarithm of a degree for each look-up.

A census is an int64 array of shape (128,): entry k + 64 counts in units of 2**31, so that sums of multiples of n do not
overflow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic_papers.atomic import atomic_add
from triadic_papers.batagelj_mrvar_codes import UNIT_BITS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic_papers.adjacency import Adjacency

    Whole = int | np.int64  # the same to numba


@kernel
def lower_bound(rising: NDArray[np.integer[Any]], first: int, last: int, w: Whole) -> int:
    """Return the first index in [first, last) with ``rising[index] >= w``, or `last`."""
    while first < last:
        middle = (first + last) >> 1
        if rising[middle] < w:
            first = middle + 1
        else:
            last = middle
    return first


@kernel
def is_in(indptr: NDArray[np.int64], indices: NDArray[np.integer[Any]], u: Whole, v: Whole) -> int:
    """Return 1 if v is in the row of u, else 0: IsEdge on rows of arcs, IsNeighbour on rows of neighbours."""
    last = indptr[u + 1]
    place = lower_bound(indices, indptr[u], last, v)
    return 1 if place < last and indices[place] == v else 0


@kernel
def open_neighbourhood(
    indptr: NDArray[np.int64], indices: NDArray[np.integer[Any]], u: Whole, v: Whole, near: NDArray[np.int64]
) -> int:
    """Write S, the union of N(u) and N(v) without u and v, into `near` in rising order; return its size."""
    i, last_i = indptr[u], indptr[u + 1]
    j, last_j = indptr[v], indptr[v + 1]
    size = 0
    while i < last_i or j < last_j:
        if j == last_j or (i < last_i and indices[i] < indices[j]):
            w = np.int64(indices[i])
            i += 1
        else:
            w = np.int64(indices[j])
            j += 1
            if i < last_i and indices[i] == w:
                i += 1
        if w != u and w != v:  # noqa: PLR1714 - numba has no fast `in` here
            near[size] = w
            size += 1
    return size


@kernel
def dyad_code(indptr: NDArray[np.int64], indices: NDArray[np.integer[Any]], u: Whole, v: Whole) -> int:
    """Return 1 for an arc from u to v, 2 for an arc back, 3 for both: lines 1 and 2 of TriadCode, figure 2.5."""
    return is_in(indptr, indices, u, v) + 2 * is_in(indptr, indices, v, u)


@kernel
def triad_code(
    indptr: NDArray[np.int64], indices: NDArray[np.integer[Any]], u: Whole, v: Whole, w: Whole, dyad: int
) -> int:
    """Return the code 0 to 63 of TriadCode, figure 4.2, before the table look-up."""
    code = dyad
    code += 4 * is_in(indptr, indices, u, w)
    code += 8 * is_in(indptr, indices, w, u)
    code += 16 * is_in(indptr, indices, v, w)
    code += 32 * is_in(indptr, indices, w, v)
    return code


@kernel
def add(census: NDArray[np.int64], entry: int, amount: Whole, shared: bool) -> None:
    """Add a large amount to an entry, split into its two parts."""
    low, high = amount & ((1 << UNIT_BITS) - 1), amount >> UNIT_BITS
    if shared:
        atomic_add(census, entry, low)
        atomic_add(census, entry + 64, high)
    else:
        census[entry] += low
        census[entry + 64] += high


@kernel
def count_dyadic(
    n: int,
    u: Whole,
    v: Whole,
    near: NDArray[np.int64],
    size: int,
    dyad: int,
    in_order: bool,
    shared: bool,
    census: NDArray[np.int64],
) -> None:
    """Count the dyadic triads of a pair whose set S is sorted in one array."""
    below, above = 0, 0
    if in_order:
        below = lower_bound(near, 0, size, u)
        above = size - lower_bound(near, below, size, v)
    add_dyadic(n, u, v, size, below, above, dyad, in_order, shared, census)


@kernel
def add_dyadic(
    n: int,
    u: Whole,
    v: Whole,
    size: int,
    below: int,
    above: int,
    dyad: int,
    in_order: bool,
    shared: bool,
    census: NDArray[np.int64],
) -> None:
    """Add the dyadic triads of a pair: lines 9 to 14 of figure 2.4.

    With `in_order` they are separated by the position of the third vertex: S has `size` vertices, `below` of them
    smaller than u and `above` of them larger than v. Without `in_order` the latter two are not used.
    """
    if in_order:
        add(census, dyad, n - 1 - v - above, shared)
        add(census, 4 * dyad, v - u - 1 - (size - below - above), shared)
        add(census, 16 * dyad, u - below, shared)
    else:
        add(census, 2 if dyad == 3 else 1, n - size - 2, shared)


@kernel
def count_dyad(
    net: Adjacency,
    u: Whole,
    v: Whole,
    table: NDArray[np.int64],
    precomputed: bool,
    in_order: bool,
    shared: bool,
    near: NDArray[np.int64],
    census: NDArray[np.int64],
) -> None:
    """Count the triads of one canonical dyad: lines 8 to 20 of figure 2.4, 9 to 24 of figure 4.6.

    `table`, shape (2, 64), holds the census entry of each code, with the row chosen by w < v. Without `precomputed` the
    code of the dyad is computed again for each triad, as in figure 2.5.
    """
    # The inner loop passes arrays, not the tuple: numba counts references to each member of a tuple.
    arcs_indptr, arcs_indices, indptr, indices = net.arcs_indptr, net.arcs_indices, net.indptr, net.indices
    size = open_neighbourhood(indptr, indices, u, v, near)
    dyad = dyad_code(arcs_indptr, arcs_indices, u, v)
    count_dyadic(net.n, u, v, near, size, dyad, in_order, shared, census)
    for k in range(size):
        w = near[k]
        if v < w or (u < w and not is_in(indptr, indices, u, w)):
            of_pair = dyad if precomputed else dyad_code(arcs_indptr, arcs_indices, u, v)
            code = triad_code(arcs_indptr, arcs_indices, u, v, w, of_pair)
            entry = table[1 if w < v else 0, code]
            if shared:
                atomic_add(census, entry, 1)
            else:
                census[entry] += 1


@kernel
def count_vertices(
    net: Adjacency, table: NDArray[np.int64], precomputed: bool, in_order: bool, census: NDArray[np.int64]
) -> None:
    """Count all triads except null triads: lines 5 to 23 of figure 2.4."""
    near = np.empty(net.widest, dtype=np.int64)
    for u in range(net.indptr.size - 1):
        for place in range(net.indptr[u], net.indptr[u + 1]):
            v = np.int64(net.indices[place])
            if u < v:
                count_dyad(net, u, v, table, precomputed, in_order, False, near, census)


@kernel
def count_queue(
    net: Adjacency,
    tail: NDArray[np.integer[Any]],
    head: NDArray[np.integer[Any]],
    first: int,
    last: int,
    table: NDArray[np.int64],
    in_order: bool,
    shared: bool,
    census: NDArray[np.int64],
) -> None:
    """Count the triads of tasks `first` to `last` - 1: lines 6 to 25 of figure 4.6."""
    near = np.empty(net.widest, dtype=np.int64)
    for task in range(first, last):
        count_dyad(net, np.int64(tail[task]), np.int64(head[task]), table, True, in_order, shared, near, census)


@kernel
def set_sizes(
    net: Adjacency, tail: NDArray[np.integer[Any]], head: NDArray[np.integer[Any]], load: NDArray[np.int64]
) -> None:
    """Write the size of set S of each task into `load`: line 8 of figure 4.4."""
    near = np.empty(net.widest, dtype=np.int64)
    for task in range(tail.size):
        load[task] = open_neighbourhood(net.indptr, net.indices, np.int64(tail[task]), np.int64(head[task]), near)


@kernel
def close_queues(load: NDArray[np.int64], most: int, starts: NDArray[np.int64]) -> int:
    """Write the start of each queue; return the number of closed queues (figures 4.4 and 4.5, lines 9 to 13)."""
    closed, neighbours = 0, 0
    for task in range(load.size):
        neighbours += load[task]
        if neighbours > most:
            closed += 1
            starts[closed] = task + 1
            neighbours = 0
    return closed
