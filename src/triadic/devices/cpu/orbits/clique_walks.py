"""4-cliques at each triangle, and patterns of 4-cliques and 5-cliques at each vertex and at each edge.

Computes: for each triangle the number of 4-cliques that hold it; from it the raw frequencies of orbits 66 and 70 to 72
  (`columns` below), three times the 4-cliques at each vertex, and twice the 4-cliques at each edge.
Requires: whole rows and the triangles at each edge; `bits` and `five` all zero, which the kernel leaves so.
Idea: every triangle is met at its vertex u of lowest degree. The adjacency between the neighbours of u of higher degree
  and all neighbours of u is held as bits, so that the vertices joined to all three are an AND of two rows. 5-cliques
  too are met at their vertex of lowest degree, among its neighbours of higher degree.
Cost: (degree of u) / 64 words for each triangle, (length of the oriented row) / 64 for each 4-clique.

4-cliques at each triangle, and at each edge patterns of 4-cliques and 5-cliques.

Computes: for each triangle the number of 4-cliques that hold it, at each of its three edges; for each edge twice the
  raw frequency of edge orbit 60, and those of 65 and 67 (`columns` below).
Requires: whole rows and the triangles at each edge; `bits` and `sums` zero, which the kernel leaves so.
Idea: as for the vertices: every triangle {u, x, y} is met at its vertex u of lowest degree, where
  the adjacency of its neighbours is held as bits, and the vertices z joined to all three are an AND of two rows. Each z
  adds at its edges to u, x and y. What is added at edges between neighbours of u is held beside the bits, and goes to
  the edges with the triangles of u.
Cost: (degree of u) / 64 words for each triangle, six additions for each 4-clique of a triangle, and (length of the
  oriented row) / 64 for each 4-clique. A worker takes 24 bytes for each pair of a neighbour of higher degree and a
  neighbour, at the vertex with the most such pairs.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for cliques as smaller cliques of a neighbourhood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import atomic_add, popcount
from triadic.devices.cpu.list_walk import position
from triadic.devices.cpu.triangles.neighbourhoods import lowest

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray

    Ids = UnsignedArray

COLUMNS = 5
FOUR, ORBIT_66, ORBIT_70, ORBIT_71, ORBIT_72 = range(COLUMNS)

_ONE = np.int64(1)
EDGE_COLUMNS = 3
ORBIT_60, ORBIT_65, ORBIT_67 = range(EDGE_COLUMNS)


@kernel
def add_cliques(
    ptr: Int64Array,
    ends: Ids,
    edges: Ids,
    higher: Int64Array,
    triangle_ptr: Int64Array,
    third: Ids,
    low: Ids,
    high: Ids,
    support: Int64Array,
    first: int,
    last: int,
    bits: Int64Array,
    slot: Int64Array,
    shared: Int64Array,
    five: Int64Array,
    at_edge: Int64Array,
    sums: Int64Array,
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
        join(ends[start : start + length], edges[start : start + row], triangle_ptr, third, words, slot, bits)
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
def join(
    ends: Ids,
    edges: Ids,
    triangle_ptr: Int64Array,
    third: Ids,
    words: int,
    slot: Int64Array,
    bits: Int64Array,
) -> None:
    """Write the places of a vertex's neighbours, and the bits of those joined to its neighbours of higher degree.

    `edges` holds the edges to the neighbours of higher degree, with which `ends` begins.
    """
    for i in range(ends.size):
        slot[np.int64(ends[i])] = i
    for i in range(edges.size):
        e = np.int64(edges[i])
        for p in range(triangle_ptr[e], triangle_ptr[e + 1]):
            j = slot[np.int64(third[p])]
            bits[i * words + (j >> 6)] |= _ONE << (j & 63)


@kernel
def add_four_cliques(
    u: int,
    x: np.int64,
    y: np.int64,
    ux: np.int64,
    uy: np.int64,
    xy: np.int64,
    cliques: np.int64,
    support: Int64Array,
    at_edge: Int64Array,
    sums: Int64Array,
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
    bits: Int64Array, words: int, row: int, i: int, j: int, shared: Int64Array, five: Int64Array
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
    triangle_ptr: Int64Array,
    third: Ids,
    low: Ids,
    high: Ids,
    support: Int64Array,
    degree: Int64Array,
    first: int,
    last: int,
    near: Int64Array,
    beside: Int64Array,
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


@kernel
def add_cliques_at_edges(
    ptr: Int64Array,
    ends: Ids,
    edges: Ids,
    higher: Int64Array,
    triangle_ptr: Int64Array,
    third: Ids,
    low: Ids,
    high: Ids,
    support: Int64Array,
    wide: bool,
    first: int,
    last: int,
    bits: Int64Array,
    slot: Int64Array,
    shared: Int64Array,
    sums: Int64Array,
    cliques: Int32Array,
    at_edge: Int64Array,
) -> None:
    """Add the cliques whose vertex of lowest degree is one of `first` .. `last` - 1.

    Parameters
    ----------
    wide : bool
        Whether patterns of more than four vertices are counted: `sums` and `at_edge` are needed then alone.
    bits : int64 array
        Room for the bits of the largest neighbourhood, zero.
    slot : int64 array, shape (n,)
        Room for the place of each neighbour in its row.
    shared : int64 array
        Room for a row of bits.
    sums : int64 array
        Room for COLUMNS numbers at each place of the largest neighbourhood, and at each neighbour, zero.
    cliques : int32 array, shape (3 triangles,)
        Receives the 4-cliques at each triangle.
    at_edge : int64 array, shape (COLUMNS m,)
        Receives the counts at each edge, from all threads.
    """
    for u in range(first, last):
        start = ptr[u]
        row = higher[u]
        if row < 2:
            continue
        length = ptr[u + 1] - start
        words = (length + 63) >> 6
        join(ends[start : start + length], edges[start : start + row], triangle_ptr, third, words, slot, bits)
        met = False
        for i in range(1, row):
            x = np.int64(ends[start + i])
            ux = np.int64(edges[start + i])
            for p in range(triangle_ptr[ux], triangle_ptr[ux + 1]):
                y = np.int64(third[p])
                if y > x:
                    break
                j = slot[y]
                found = np.int64(0)
                for z in range(words):
                    shared[z] = bits[i * words + z] & bits[j * words + z]
                    found += popcount(shared[z])
                if found == 0:
                    continue
                uy, xy = np.int64(low[p]), np.int64(high[p])
                cliques[p] = found
                cliques[position(third, triangle_ptr[uy], triangle_ptr[uy + 1], x)] = found
                cliques[position(third, triangle_ptr[xy], triangle_ptr[xy + 1], u)] = found
                if wide:
                    met = True
                    add_thirds(shared, words, row, length, i, j, found, support[ux], support[uy], support[xy], sums)
                    if found > 1:
                        add_five_at_edges(bits, words, row, length, i, j, shared, sums)
        if met:
            add_to_edges(edges, triangle_ptr, third, high, slot, start, row, length, sums, at_edge)
        for z in range(row * words):
            bits[z] = 0


@kernel
def add_thirds(
    shared: Int64Array,
    words: int,
    row: int,
    length: int,
    i: int,
    j: int,
    cliques: np.int64,
    at_ux: np.int64,
    at_uy: np.int64,
    at_xy: np.int64,
    sums: Int64Array,
) -> None:
    """Add at the edges of the vertices z, whose bits are `shared`, to the triangle of u and the entries i and j.

    Parameters
    ----------
    cliques : int
        Number of the vertices z.
    at_ux, at_uy, at_xy : int
        Number of triangles at the edges of the triangle.
    """
    others = cliques - 1
    at_u = row * length
    for word_number in range(words):
        word = shared[word_number]
        while word != 0:
            z = (word_number << 6) + lowest(word)
            word &= word - 1
            place = (at_u + z) * EDGE_COLUMNS
            sums[place + ORBIT_60] += at_xy - 2
            sums[place + ORBIT_65] += others
            place = (i * length + z) * EDGE_COLUMNS
            sums[place + ORBIT_60] += at_uy - 2
            sums[place + ORBIT_65] += others
            place = (j * length + z) * EDGE_COLUMNS
            sums[place + ORBIT_60] += at_ux - 2
            sums[place + ORBIT_65] += others


@kernel
def add_five_at_edges(
    bits: Int64Array,
    words: int,
    row: int,
    length: int,
    i: int,
    j: int,
    shared: Int64Array,
    sums: Int64Array,
) -> None:
    """Add the 5-cliques of u with the entries i and j of its row and an entry before j.

    Each is added thrice at each neighbour of u, and twice at each pair of neighbours. `shared` holds the bits of the
    vertices joined to u, i and j.
    """
    inner = (row + 63) >> 6
    if row & 63:  # after the neighbours of higher degree, the word may hold others
        shared[inner - 1] &= (_ONE << (row & 63)) - 1
    at_u = row * length
    at_pair = np.int64(0)
    for z in range((j >> 6) + 1):
        word = shared[z]
        if z == j >> 6:
            word &= (_ONE << (j & 63)) - 1
        while word != 0:
            k = (z << 6) + lowest(word)
            word &= word - 1
            found = np.int64(0)
            for w in range(inner):
                found += popcount(shared[w] & bits[k * words + w])
            if found > 0:
                at_pair += found
                sums[(at_u + k) * EDGE_COLUMNS + ORBIT_67] += found
                sums[(i * length + k) * EDGE_COLUMNS + ORBIT_67] += found
                sums[(j * length + k) * EDGE_COLUMNS + ORBIT_67] += found
    sums[(at_u + i) * EDGE_COLUMNS + ORBIT_67] += at_pair
    sums[(at_u + j) * EDGE_COLUMNS + ORBIT_67] += at_pair
    sums[(i * length + j) * EDGE_COLUMNS + ORBIT_67] += at_pair


@kernel
def add_to_edges(
    edges: Ids,
    triangle_ptr: Int64Array,
    third: Ids,
    high: Ids,
    slot: Int64Array,
    start: int,
    row: int,
    length: int,
    sums: Int64Array,
    at_edge: Int64Array,
) -> None:
    """Add the sums at the places of a neighbourhood to the edges, and clear them."""
    for i in range(row):
        e = np.int64(edges[start + i])
        for p in range(triangle_ptr[e], triangle_ptr[e + 1]):
            move(sums, i * length + slot[np.int64(third[p])], 2, np.int64(high[p]), at_edge)
    for i in range(length):
        move(sums, row * length + i, 3, np.int64(edges[start + i]), at_edge)


@kernel
def move(sums: Int64Array, place: int, five: int, edge: np.int64, at_edge: Int64Array) -> None:
    """Add the sums at a place to an edge, 5-cliques divided by how often each was added, and clear them."""
    place *= EDGE_COLUMNS
    edge *= EDGE_COLUMNS
    if sums[place + ORBIT_60] != 0 or sums[place + ORBIT_65] != 0:
        atomic_add(at_edge, edge + ORBIT_60, sums[place + ORBIT_60])
        atomic_add(at_edge, edge + ORBIT_65, sums[place + ORBIT_65])
        sums[place + ORBIT_60] = 0
        sums[place + ORBIT_65] = 0
    if sums[place + ORBIT_67] != 0:
        atomic_add(at_edge, edge + ORBIT_67, sums[place + ORBIT_67] // five)
        sums[place + ORBIT_67] = 0
