"""4-cliques at each triangle and edge, 5-cliques, and pairs of 4-cliques with a common triangle, at each vertex.

Computes: for each triangle the number of 4-cliques that hold it; from it the raw frequencies of orbits 66 and 70 to 72
  (`columns` below), three times the 4-cliques at each vertex, and twice the 4-cliques at each edge.
Requires: whole rows and the triangles at each edge; `bits` and `five` all zero, which the kernel leaves so.
Idea: every triangle is met at its vertex u of lowest degree. The adjacency between the neighbours of u of higher degree
  and all neighbours of u is held as bits, so that the vertices joined to all three are an AND of two rows. 5-cliques
  too are met at their vertex of lowest degree, among its neighbours of higher degree.
Cost: (degree of u) / 64 words for each triangle, (length of the oriented row) / 64 for each 4-clique.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for cliques as smaller cliques of a neighbourhood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import atomic_add, popcount
from triadic.devices.cpu.neighbourhood_kernels import lowest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]

COLUMNS = 5
FOUR, ORBIT_66, ORBIT_70, ORBIT_71, ORBIT_72 = range(COLUMNS)

_ONE = np.int64(1)


@kernel
def add_cliques(
    ptr: NDArray[np.int64],
    ends: Ids,
    edges: Ids,
    higher: NDArray[np.int64],
    triangle_ptr: NDArray[np.int64],
    third: Ids,
    low: Ids,
    high: Ids,
    support: NDArray[np.int64],
    first: int,
    last: int,
    bits: NDArray[np.int64],
    slot: NDArray[np.int64],
    shared: NDArray[np.int64],
    five: NDArray[np.int64],
    at_edge: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add the cliques whose vertex of lowest degree is one of `first` .. `last` - 1.

    Parameters
    ----------
    bits : int64 array
        Room for the bits of the largest neighbourhood, zero.
    slot : int64 array, shape (n,)
        Room for the place of each neighbour in its row.
    shared, five : int64 array
        Room for a row of bits, and for a number at each neighbour of higher degree, zero.
    at_edge : int64 array, shape (m,)
        Receives twice the 4-cliques at each edge, from all threads.
    sums : int64 array, shape (n, COLUMNS)
        Receives the counts at each vertex, of one thread.
    """
    for u in range(first, last):
        start = ptr[u]
        row = higher[u]
        if row < 2:
            continue
        length = ptr[u + 1] - start
        words = (length + 63) >> 6
        for i in range(length):
            slot[np.int64(ends[start + i])] = i
        for i in range(row):
            e = np.int64(edges[start + i])
            for p in range(triangle_ptr[e], triangle_ptr[e + 1]):
                j = slot[np.int64(third[p])]
                bits[i * words + (j >> 6)] |= _ONE << (j & 63)
        for i in range(1, row):
            x = np.int64(ends[start + i])
            ux = np.int64(edges[start + i])
            at_x = i * words
            for p in range(triangle_ptr[ux], triangle_ptr[ux + 1]):
                y = np.int64(third[p])
                if y > x:
                    break
                j = slot[y]
                at_y = j * words
                cliques = np.int64(0)
                for z in range(words):
                    shared[z] = bits[at_x + z] & bits[at_y + z]
                    cliques += popcount(shared[z])
                if cliques == 0:
                    continue
                add_four_cliques(u, x, y, ux, np.int64(low[p]), np.int64(high[p]), cliques, support, at_edge, sums)
                if cliques == 1:
                    continue  # no pair of 4-cliques, and no 5-clique
                pairs = cliques * (cliques - 1) >> 1
                sums[u, ORBIT_71] += pairs
                sums[x, ORBIT_71] += pairs
                sums[y, ORBIT_71] += pairs
                for z in range(words):
                    word = shared[z]
                    while word != 0:
                        sums[np.int64(ends[start + (z << 6) + lowest(word)]), ORBIT_70] += cliques - 1
                        word &= word - 1
                add_five_cliques(bits, words, row, i, j, shared, five)
        at_u = 0
        for i in range(row):
            # A 5-clique was added thrice at each of the four neighbours of u: by the other vertices of a triangle.
            at_u += five[i]
            sums[np.int64(ends[start + i]), ORBIT_72] += five[i] // 3
            five[i] = 0
        sums[u, ORBIT_72] += at_u // 12
        for z in range(row * words):
            bits[z] = 0


@kernel
def add_four_cliques(
    u: int,
    x: np.int64,
    y: np.int64,
    ux: np.int64,
    uy: np.int64,
    xy: np.int64,
    cliques: np.int64,
    support: NDArray[np.int64],
    at_edge: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add the 4-cliques that hold the triangle of vertices u, x and y and edges ux, uy and xy."""
    atomic_add(at_edge, ux, cliques)
    atomic_add(at_edge, uy, cliques)
    atomic_add(at_edge, xy, cliques)
    sums[u, FOUR] += cliques
    sums[x, FOUR] += cliques
    sums[y, FOUR] += cliques
    sums[u, ORBIT_66] += cliques * (support[xy] - 2)
    sums[x, ORBIT_66] += cliques * (support[uy] - 2)
    sums[y, ORBIT_66] += cliques * (support[ux] - 2)


@kernel
def add_five_cliques(
    bits: NDArray[np.int64], words: int, row: int, i: int, j: int, shared: NDArray[np.int64], five: NDArray[np.int64]
) -> None:
    """Add the 5-cliques of u with the entries i and j of its row and an entry before j, thrice at each entry of four.

    `shared` holds the bits of the vertices joined to u, i and j.
    """
    inner = (row + 63) >> 6
    if row & 63:  # after the neighbours of higher degree, the word may hold others
        shared[inner - 1] &= (_ONE << (row & 63)) - 1
    for z in range((j >> 6) + 1):
        word = shared[z]
        if z == j >> 6:
            word &= (_ONE << (j & 63)) - 1
        while word != 0:
            k = (z << 6) + lowest(word)
            found = 0
            for w in range(inner):
                found += popcount(shared[w] & bits[k * words + w])
            five[i] += found
            five[j] += found
            five[k] += found
            word &= word - 1


@kernel
def add_over_triangles(
    triangle_ptr: NDArray[np.int64],
    third: Ids,
    low: Ids,
    high: Ids,
    support: NDArray[np.int64],
    degree: NDArray[np.int64],
    first: int,
    last: int,
    near: NDArray[np.int64],
    beside: NDArray[np.int64],
) -> None:
    """Write for edges `first` .. `last` - 1 the sums over their triangles.

    `near` is the sum of the degrees of the third vertices; `beside` the number of triangles at the two other edges that
    are not at this one.
    """
    for e in range(first, last):
        degrees = 0
        others = 0
        for p in range(triangle_ptr[e], triangle_ptr[e + 1]):
            degrees += degree[np.int64(third[p])]
            others += support[np.int64(low[p])] + support[np.int64(high[p])] - 2
        near[e] = degrees
        beside[e] = others
