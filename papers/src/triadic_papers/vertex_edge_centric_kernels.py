"""The loops of the poster "Parallel Clustering Coefficient Computation using GPUs", and of its two baselines.

Computes: the triangles at each vertex of a range, or over each arc of a range.
Requires: sorted rows of neighbours, each edge in both; for NodeIterator++ also rows of the neighbours of larger degree.
Idea: NodeIterator looks up each pair of a vertex's neighbours in a row; NodeIterator++ does so only at a triangle's
  vertex of smallest degree. The poster merges the rows of a vertex and of its neighbour.
Cost: O(sum of squared degrees) look-ups; O(m sqrt(m)) look-ups; O(sum over edges of the ends' degrees) twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.core.compiled import kernel
from triadic_papers.atomic import atomic_add

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]
    Whole = int | np.integer[Any]  # the same to numba

PAST_THE_END = -1


@kernel
def is_joined(indptr: NDArray[np.int64], indices: Ids, u: Whole, v: Whole) -> bool:
    """Return True if u and v are adjacent, by bisection of the row of u."""
    low, high = indptr[u], indptr[u + 1]
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < v:
            low = middle + 1
        else:
            high = middle
    return bool(low < indptr[u + 1] and indices[low] == v)


@kernel
def node_iterator(indptr: NDArray[np.int64], indices: Ids, first: int, last: int, triangles: NDArray[np.int64]) -> None:
    """Look up each ordered pair of neighbours of a vertex."""
    for v in range(first, last):
        found = 0
        for i in range(indptr[v], indptr[v + 1]):
            for j in range(indptr[v], indptr[v + 1]):
                if i != j and is_joined(indptr, indices, indices[i], indices[j]):
                    found += 1
        triangles[v] = found // 2


@kernel
def node_iterator_plus_plus(
    indptr: NDArray[np.int64],
    indices: Ids,
    later_indptr: NDArray[np.int64],
    later: Ids,
    first: int,
    last: int,
    triangles: NDArray[np.int64],
) -> None:
    """Look up each pair of later neighbours of a vertex; add a triangle to each of its three vertices."""
    for v in range(first, last):
        for i in range(later_indptr[v], later_indptr[v + 1]):
            for j in range(i + 1, later_indptr[v + 1]):
                if is_joined(indptr, indices, later[i], later[j]):
                    atomic_add(triangles, v, 1)
                    atomic_add(triangles, later[i], 1)
                    atomic_add(triangles, later[j], 1)


@kernel
def count_triangles(indptr: NDArray[np.int64], indices: Ids, v: Whole, e: Whole) -> int:
    """Return the number of common neighbours of v and e that are larger than e."""
    longer, shorter = (v, e) if indptr[v + 1] - indptr[v] > indptr[e + 1] - indptr[e] else (e, v)
    i, last_i = indptr[longer], indptr[longer + 1]
    j, last_j = indptr[shorter], indptr[shorter + 1]
    found = 0
    while i < last_i and j < last_j:
        a, b = indices[j], indices[i]
        if shorter == e and a < e:
            j += 1
        elif longer == e and b < e:
            i += 1
        elif a == b:
            i += 1
            j += 1
            found += 1
        elif a > b:
            i += 1
        else:
            j += 1
    return found


@kernel
def count_triangles_as_printed(indptr: NDArray[np.int64], indices: Ids, v: Whole, e: Whole) -> int:
    """Count as the poster's procedure does, with its two `continue` statements inside the skip in e's own row.

    Return `PAST_THE_END` if it reads past the end of the longer row.
    """
    longer, shorter = (v, e) if indptr[v + 1] - indptr[v] > indptr[e + 1] - indptr[e] else (e, v)
    i, last_i = indptr[longer], indptr[longer + 1]
    j, last_j = indptr[shorter], indptr[shorter + 1]
    found = 0
    while j < last_j:
        if i == last_i:
            return PAST_THE_END
        a, b = indices[j], indices[i]
        if shorter == e and a < e:
            j += 1
            if a < b:
                i += 1
            continue
        if longer == e and b < e:
            i += 1
            if a > b:
                j += 1
            continue
        if a == b:
            i += 1
            j += 1
            found += 1
        elif a > b:
            j += 1
        else:
            i += 1
        if i == last_i - 1:
            break
    return found


@kernel
def vertex_centric(
    indptr: NDArray[np.int64], indices: Ids, first: int, last: int, triangles: NDArray[np.int64]
) -> None:
    """Count the triangles at each vertex, as the sum over its neighbours."""
    for v in range(first, last):
        total = 0
        for x in range(indptr[v], indptr[v + 1]):
            total += count_triangles(indptr, indices, v, indices[x])
        triangles[v] = total


@kernel
def vertex_centric_as_printed(
    indptr: NDArray[np.int64], indices: Ids, first: int, last: int, triangles: NDArray[np.int64]
) -> None:
    """Count the triangles at each vertex with the printed procedure; `PAST_THE_END` where it is undefined."""
    for v in range(first, last):
        total = 0
        for x in range(indptr[v], indptr[v + 1]):
            found = count_triangles_as_printed(indptr, indices, v, indices[x])
            if found == PAST_THE_END:
                total = PAST_THE_END
                break
            total += found
        triangles[v] = total


@kernel
def initialise_arcs(indptr: NDArray[np.int64], first: int, last: int, tails: Ids) -> None:
    """Write the vertex of each row next to each of its neighbours: the poster's U."""
    for v in range(first, last):
        for x in range(indptr[v], indptr[v + 1]):
            tails[x] = v


@kernel
def count_over_arcs(indptr: NDArray[np.int64], indices: Ids, first: int, last: int, tails: Ids) -> None:
    """Replace the tail of each arc by the number of triangles over the arc."""
    for x in range(first, last):
        tails[x] = count_triangles(indptr, indices, tails[x], indices[x])


@kernel
def sum_over_arcs(
    indptr: NDArray[np.int64], over_arcs: Ids, first: int, last: int, triangles: NDArray[np.int64]
) -> None:
    """Add up the triangles over the arcs of each vertex."""
    for v in range(first, last):
        total = 0
        for x in range(indptr[v], indptr[v + 1]):
            total += over_arcs[x]
        triangles[v] = total
