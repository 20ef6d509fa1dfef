"""4-cliques at each edge and triangle, and patterns of 4-cliques and 5-cliques at each vertex or at each edge.

Computes: twice the 4-cliques at each edge. At vertices the raw frequencies of orbits 66 and 70 to 72
  (`VertexCliques`). At edges, for each triangle the number of 4-cliques that hold it, at each of its three edges, and
  for each edge twice the raw frequency of edge orbit 60, and those of 65 and 67 (`EdgeCliques`).
Requires: whole rows and the triangles at each edge; `bits`, `five` and `sums` zero, which the kernels leave so.
Idea: every triangle {u, x, y} is met at its vertex u of lowest degree. The adjacency between the neighbours of u of
  higher degree and all neighbours of u is held as bits, so that the vertices z joined to all three are an AND of two
  rows. 5-cliques too are met at their vertex of lowest degree, among its neighbours of higher degree. For edges, each z
  adds at its edges to u, x and y. What is added at edges between neighbours of u is held beside the bits, and goes to
  the edges with the triangles of u.
Cost: (degree of u) / 64 words for each triangle, (length of the oriented row) / 64 for each 4-clique; for edges six
  additions for each 4-clique of a triangle, and 24 bytes a worker for each pair of a neighbour of higher degree and a
  neighbour, at the vertex with the most such pairs.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for cliques as smaller cliques of a neighbourhood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import fetch_add, popcount, position, trailing_zeros

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array
    from triadic.devices.cpu.orbits.whole_rows import Block, EdgeTriangles, WholeRows

COLUMNS = 4
ORBIT_66, ORBIT_70, ORBIT_71, ORBIT_72 = range(COLUMNS)
ORBITS_OF_COLUMNS = 66, 70, 71, 72

_ONE = np.int64(1)
EDGE_COLUMNS = 3
ORBIT_60, ORBIT_65, ORBIT_67 = range(EDGE_COLUMNS)
ORBITS_OF_EDGE_COLUMNS = 60, 65, 67


class Bits(NamedTuple):
    """Room of a worker, and the 4-cliques at edges.

    Attributes
    ----------
    bits : int64 array
        Room for the bits of the largest neighbourhood, zero.
    slot : int64 array, shape (n,)
        Room for the place of each neighbour in its row.
    shared : int64 array
        Room for a row of bits.
    at_edge : int64 array, shape (m,)
        Receives twice the 4-cliques at each edge, from all threads.
    """

    bits: Int64Array
    slot: Int64Array
    shared: Int64Array
    at_edge: Int64Array


class VertexCliques(NamedTuple):
    """Counts of one thread at vertices, shape (n, COLUMNS), and room for a number at each neighbour, zero."""

    five: Int64Array
    sums: Int64Array


class EdgeCliques(NamedTuple):
    """Counts at triangles and at edges, of all threads.

    Attributes
    ----------
    sums : int64 array, shape (places, EDGE_COLUMNS)
        Room of a worker for numbers at each place of the largest neighbourhood, and at each neighbour, zero.
    cliques : int32 array, shape (3 triangles,)
        Receives the 4-cliques at each triangle.
    at_edge : int64 array, shape (EDGE_COLUMNS m,)
        Receives the counts at each edge, from all threads.
    """

    sums: Int64Array
    cliques: Int32Array
    at_edge: Int64Array


@kernel
def add_cliques(  # noqa: PLR0915 - all loops of a kernel are in one function
    block: Block,
    rows: WholeRows,
    listed: EdgeTriangles,
    room: Bits,
    at_vertices: VertexCliques | None,
    at_edges: EdgeCliques | None,
) -> None:
    """Add the cliques whose vertex of lowest degree is in the block."""
    ptr, ends, edges, higher = rows
    triangle_ptr, third, low, high, support = listed
    bits, slot, shared, cliques_at_edge = room
    if at_vertices is not None:
        five, sums = at_vertices
    if at_edges is not None:
        edge_sums, cliques, _ = at_edges
    for u in range(*block):
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
                for e in (ux, uy, xy):
                    fetch_add(cliques_at_edge, e, found)
                if at_vertices is not None:
                    pairs = found * (found - 1) >> 1
                    for vertex, e in ((u, xy), (x, uy), (y, ux)):
                        sums[vertex, ORBIT_66] += found * (support[e] - 2)
                        sums[vertex, ORBIT_71] += pairs
                    if found > 1:  # else there is no pair of 4-cliques, and no 5-clique
                        for z in range(words):
                            word = shared[z]
                            while word != 0:
                                sums[np.int64(ends[start + (z << 6) + trailing_zeros(word)]), ORBIT_70] += found - 1
                                word &= word - 1
                        add_five_cliques((row, length), i, j, room, five, None)
                if at_edges is not None:
                    met = True
                    cliques[p] = found
                    cliques[position(third, triangle_ptr[uy], triangle_ptr[uy + 1], x)] = found
                    cliques[position(third, triangle_ptr[xy], triangle_ptr[xy + 1], u)] = found
                    for z in range(words):
                        word = shared[z]
                        while word != 0:
                            place = (z << 6) + trailing_zeros(word)
                            word &= word - 1
                            # An edge from z to u, x or y, and the edge of the triangle across.
                            for near, e in ((row, xy), (i, uy), (j, ux)):
                                edge_sums[near * length + place, ORBIT_60] += support[e] - 2
                                edge_sums[near * length + place, ORBIT_65] += found - 1
                    if found > 1:
                        add_five_cliques((row, length), i, j, room, None, edge_sums)
        if at_vertices is not None:
            at_u = 0
            for i in range(row):
                # A 5-clique was added thrice at each neighbour of u: by the other vertices of a triangle.
                at_u += five[i]
                sums[np.int64(ends[start + i]), ORBIT_72] += five[i] // 3
                five[i] = 0
            sums[u, ORBIT_72] += at_u // 12
        if at_edges is not None and met:
            for i in range(row):
                e = np.int64(edges[start + i])
                for p in range(triangle_ptr[e], triangle_ptr[e + 1]):
                    move(at_edges, i * length + slot[np.int64(third[p])], 2, np.int64(high[p]))
            for i in range(length):
                move(at_edges, row * length + i, 3, np.int64(edges[start + i]))
        for z in range(row * words):
            bits[z] = 0


@kernel
def add_five_cliques(
    sizes: tuple[np.int64, np.int64],
    i: int,
    j: np.int64,
    room: Bits,
    five: Int64Array | None,
    sums: Int64Array | None,
) -> None:
    """Add the 5-cliques of u with the entries i and j of its row and an entry before j.

    Each is added thrice at each neighbour of u, and twice at each pair of neighbours. `sizes` are the numbers of
    neighbours of higher degree and of all neighbours; `room` holds the bits of the vertices joined to u, i and j.
    """
    row, length = sizes
    bits, _, shared, _ = room
    words = (length + 63) >> 6
    inner = (row + 63) >> 6
    if row & 63:  # after the neighbours of higher degree, the word may hold others
        shared[inner - 1] &= (_ONE << (row & 63)) - 1
    at_pair = np.int64(0)
    for z in range((j >> 6) + 1):
        word = shared[z]
        if z == j >> 6:
            word &= (_ONE << (j & 63)) - 1
        while word != 0:
            k = (z << 6) + trailing_zeros(word)
            word &= word - 1
            found = np.int64(0)
            for w in range(inner):
                found += popcount(shared[w] & bits[k * words + w])
            at_pair += found
            if five is not None:
                five[k] += found
            if sums is not None and found > 0:
                for near in (row, i, j):
                    sums[near * length + k, ORBIT_67] += found
    if five is not None:
        five[i] += at_pair
        five[j] += at_pair
    if sums is not None:
        for near, other in ((row, i), (row, j), (i, j)):
            sums[near * length + other, ORBIT_67] += at_pair


@kernel
def move(counts: EdgeCliques, place: int, five: int, edge: np.int64) -> None:
    """Add the sums at a place to an edge, 5-cliques divided by how often each was added, and clear them."""
    sums, _, at_edge = counts
    sums[place, ORBIT_67] //= five
    for column in range(EDGE_COLUMNS):
        found = sums[place, column]
        if found != 0:
            fetch_add(at_edge, edge * EDGE_COLUMNS + column, found)
            sums[place, column] = 0
