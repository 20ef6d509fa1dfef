"""The loops of Batagelj and Mrvar's triad census, as the triad census thesis prints them.

Computes: the census of the triads that the canonical dyads u < v of some vertices, or of a task queue, contribute.
Requires: sorted rows of arcs (IsEdge) and of neighbours (IsNeighbour); both are looked up by bisection, which the
  thesis found fastest (section 4.2.4, v0.5).
Idea: a joined pair and any vertex near neither is a dyadic triad; with each vertex near one of them a connected one,
  counted at the first of its pairs only (section 2.2).
Cost: O(sum over edges of the ends' degrees), times the logarithm of a degree for each look-up.

A census here is an int64 array of shape (128,): entry k + 64 counts in units of 2**31, so that a sum of multiples of n
does not overflow.
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
    """Give the first place from `first` on, or `last`, where `rising` holds `w` or more."""
    while first < last:
        middle = (first + last) >> 1
        if rising[middle] < w:
            first = middle + 1
        else:
            last = middle
    return first


@kernel
def is_in(indptr: NDArray[np.int64], indices: NDArray[np.integer[Any]], u: Whole, v: Whole) -> int:
    """Give 1 if v is in the row of u, else 0: IsEdge by the rows of arcs, IsNeighbour by those of neighbours."""
    last = indptr[u + 1]
    place = lower_bound(indices, indptr[u], last, v)
    return 1 if place < last and indices[place] == v else 0


@kernel
def open_neighbourhood(
    indptr: NDArray[np.int64], indices: NDArray[np.integer[Any]], u: Whole, v: Whole, near: NDArray[np.int64]
) -> int:
    """Write S = N(u) with N(v), without u and v, into `near` in rising order; give its size."""
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
    """Give lines 1 and 2 of TriadCode, figure 2.5: 1 for an arc u to v, 2 for one back, 3 for both."""
    return is_in(indptr, indices, u, v) + 2 * is_in(indptr, indices, v, u)


@kernel
def triad_code(
    indptr: NDArray[np.int64], indices: NDArray[np.integer[Any]], u: Whole, v: Whole, w: Whole, dyad: int
) -> int:
    """Give TriadCode, figure 4.2, less the table and the one that it adds: 0 .. 63."""
    code = dyad
    code += 4 * is_in(indptr, indices, u, w)
    code += 8 * is_in(indptr, indices, w, u)
    code += 16 * is_in(indptr, indices, v, w)
    code += 32 * is_in(indptr, indices, w, v)
    return code


@kernel
def add(census: NDArray[np.int64], entry: int, amount: Whole, shared: bool) -> None:
    """Add a large amount to an entry, in its two parts."""
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
    """Count the vertices near neither u nor v, with S sorted in one array."""
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
    """Add the vertices near neither u nor v: lines 9 to 14 of figure 2.4; `in_order`, by where they lie.

    Of the `size` vertices of S so many are `below` u and `above` v; they are not asked for unless `in_order`.
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

    `table`, shape (2, 64), gives the census entry of a code, by whether w < v. Without `precomputed` the code of the
    dyad is found anew for each triad, as in figure 2.5.
    """
    # Arrays, not the tuple, go into what the inner loop calls: numba counts references to each member of a tuple.
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
    """Count all triads but the null ones: lines 5 to 23 of figure 2.4."""
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
    """Count the triads of the tasks `first` .. `last` - 1: lines 6 to 25 of figure 4.6."""
    near = np.empty(net.widest, dtype=np.int64)
    for task in range(first, last):
        count_dyad(net, np.int64(tail[task]), np.int64(head[task]), table, True, in_order, shared, near, census)


@kernel
def set_sizes(
    net: Adjacency, tail: NDArray[np.integer[Any]], head: NDArray[np.integer[Any]], load: NDArray[np.int64]
) -> None:
    """Give each task the size of its set S for a load: line 8 of figure 4.4."""
    near = np.empty(net.widest, dtype=np.int64)
    for task in range(tail.size):
        load[task] = open_neighbourhood(net.indptr, net.indices, np.int64(tail[task]), np.int64(head[task]), near)


@kernel
def close_queues(load: NDArray[np.int64], most: int, starts: NDArray[np.int64]) -> int:
    """Write where each queue begins, after the first; give how many were closed: lines 9 to 13 of figures 4.4, 4.5."""
    closed, neighbours = 0, 0
    for task in range(load.size):
        neighbours += load[task]
        if neighbours > most:
            closed += 1
            starts[closed] = task + 1
            neighbours = 0
    return closed
