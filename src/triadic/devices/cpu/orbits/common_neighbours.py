"""Patterns through two vertices with common neighbours: squares, K(2, 3), houses and wheels, at each vertex.

Computes: for each vertex u the raw frequencies of orbits 49 and 50, 62 to 64, 68 and 69, parts of those of
  36 and 51 (`columns` below); for each edge its squares.
Requires: whole rows, triangles at each edge, twins, the bits of neighbourhoods (`fill_bits`); `common` and
  `shared`, of shape (n,), and `at_pair`, of shape (n, 2), zero, which the kernel leaves so.
Idea: one vertex u at a time, count the 2-paths from u to every w, that is, their common neighbours c. The triangles at
  the edges of a vertex h are the rows of its neighbourhood, a graph: t, the common neighbours of h, u and w, are the
  entries that the rows of u and w in it have in common. The edges between the common neighbours of u and w are half the
  sum of t over h; a diamond with u and w off the chord and with h on it is one of t; wheels with hub h in which u and w
  are opposite are C(t, 2). All patterns are sums over w, or over the 2-paths. t is found by an AND and a population
  count for the columns that have bits, the neighbours of highest degree, and by reading the rows of all others; or by
  reading all rows, where that is less. Twins are counted once (`five_vertex`): a pair {u, w} is met at the vertex whose
  first twin has the smaller rank, and a pair of twins at their first.
Cost: three sweeps over the 2-paths from all vertices but twins, at most the sum of the squares of the degrees; the
  columns without bits of the rows that are read.

References
----------
Pinar, Seshadhri and Vishal (2017), ESCAPE, WWW, for patterns as sums over pairs with common neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import Whole, popcount, position

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray
    from triadic.devices.cpu.orbits.whole_rows import Block, EdgeTriangles, WholeRows

    Ids = UnsignedArray
    Sums = tuple[Whole, Whole]

COLUMNS = 10
SQUARE_DEGREES, ORBIT_49, ORBIT_50, FAR_TRIANGLES, ORBIT_62, ORBIT_63, ORBIT_64 = range(7)
# Wheels at the hub are HALVES and half of ODD: each wheel is met by both pairs of opposite vertices.
RIM, HALVES, ODD = range(7, COLUMNS)
ORBITS_OF_COLUMNS = 36, 49, 50, 51, 62, 63, 64, 68  # of all columns but the last two
LINKS, RIMS = range(2)  # columns of the pairs {u, w}
MET = np.int32(1 << 30)  # bit of the common neighbours of u and w for a pair {u, w} that is not met at u

WORDS = 4  # of 64 columns for each row of a neighbourhood
_WORD_COST = 5  # entries of lists that are read while a row of bits is
_ONE = np.int64(1)


class Neighbourhoods(NamedTuple):
    """What is known of the neighbourhood of each vertex.

    Attributes
    ----------
    support : int32 array, shape (2 m,)
        Number of triangles at the edge of each entry of the rows.
    mean : int64 array, shape (n,)
        Mean number of triangles at the edges of each vertex.
    bit_ptr, bits : int64 array
        Where the bits of each neighbourhood begin, and the bits that `fill_bits` writes.
    first_twin, number : int64 array, shape (n,)
        `Twins`.
    """

    support: Int32Array
    mean: Int64Array
    bit_ptr: Int64Array
    bits: Int64Array
    first_twin: Int64Array
    number: Int64Array


class PairRoom(NamedTuple):
    """Room and counts of a worker, and counts of all.

    Attributes
    ----------
    common, shared : int32 array, shape (n,)
        Zeros; here the common neighbours of u and w, and of h, u and w.
    at_pair : int64 array, shape (n, 2)
        Zeros; here twice the edges between the common neighbours of u and w, and the wheels in which they are opposite.
    reached, met : int64 array, shape (n,)
        Room for lists of vertices.
    sums : int64 array, shape (n, COLUMNS)
        Receives the counts at each vertex, of one thread.
    of_class : int64 array, shape (n, COLUMNS)
        Receives what each twin of u has, at u, from all threads.
    squares : int64 array, shape (m,)
        Receives the squares at each edge of the first of twins, from each such end the same number.
    """

    common: Int32Array
    shared: Int32Array
    at_pair: Int64Array
    reached: Int64Array
    met: Int64Array
    sums: Int64Array
    of_class: Int64Array
    squares: Int64Array


@kernel
def add_by_pairs(  # noqa: PLR0915 - all loops of a kernel are in one function
    block: Block, rows: WholeRows, listed: EdgeTriangles, neighbourhoods: Neighbourhoods, room: PairRoom
) -> None:
    """Add the patterns of the pairs of which u is in the block."""
    ptr, ends, edges, _ = rows
    support, _, _, _, first_twin, number = neighbourhoods
    common, _, at_pair, reached, _, sums, of_class, at_edge = room
    for u in range(*block):
        degree = ptr[u + 1] - ptr[u]
        times = number[u]
        if times == 0 or degree < 2:
            continue
        found = 0
        for i in range(ptr[u], ptr[u + 1]):
            x = np.int64(ends[i])
            for p in range(ptr[x], ptr[x + 1]):
                w = np.int64(ends[p])
                if common[w] == 0:
                    reached[found] = w
                    found += 1
                common[w] += 1
        common[u] = 1  # u and u are no pair
        for i in range(found):
            if first_twin[reached[i]] <= u:
                common[reached[i]] |= MET
        triangles = np.int64(0)
        for i in range(ptr[u], ptr[u + 1]):
            if support[i] > 0:
                triangles += np.int64(support[i])
                add_links(u, i, rows, listed, neighbourhoods, room)
        triangles >>= 1
        # The patterns that are sums over the vertices w.
        squares = np.int64(0)
        square_degrees = np.int64(0)
        triples = np.int64(0)
        diamonds = (times - 1) * triangles * (degree - 2)  # those with a twin of u
        for i in range(found):
            w = reached[i]
            c = np.int64(common[w] & ~MET)
            if c < 2:
                continue
            pairs = c * (c - 1) >> 1
            squares += pairs
            square_degrees += pairs * (ptr[w + 1] - ptr[w] - 2)
            if c > 2:
                triples += pairs // 3 * (c - 2) + pairs % 3 * (c - 2) // 3
                if at_pair[w, LINKS] > 0:
                    others = (at_pair[w, LINKS] >> 1) * (c - 2)
                    diamonds += others
                    sums[w, ORBIT_63] += times * others
                    sums[w, RIM] += times * at_pair[w, RIMS]
        of_class[u, SQUARE_DEGREES] = square_degrees
        of_class[u, ORBIT_50] = triples
        of_class[u, ORBIT_63] = diamonds
        if squares > 0:
            # The patterns that are sums over the 2-paths u - x - w, at u and x and the edge between them.
            far = np.int64(0)
            own_pairs = times * (times - 1) >> 1
            of_twins = own_pairs * ((degree - 1) * (degree - 2) >> 1)
            for i in range(ptr[u], ptr[u + 1]):
                x = np.int64(ends[i])
                at_x = np.int64(0)
                pairs = np.int64(0)
                diamonds = np.int64(0)
                for p in range(ptr[x], ptr[x + 1]):
                    w = np.int64(ends[p])
                    others = np.int64(common[w] & ~MET) - 1
                    if others > 0:
                        at_x += others
                        far += others * np.int64(support[p])
                        if common[w] < MET:
                            pairs += others * (others - 1) >> 1
                            diamonds += at_pair[w, LINKS] >> 1
                sums[x, ORBIT_49] += times * pairs + of_twins
                sums[x, ORBIT_62] += times * diamonds + own_pairs * triangles
                at_edge[np.int64(edges[i])] = at_x
            of_class[u, FAR_TRIANGLES] = far
        for i in range(found):
            common[reached[i]] = 0
            at_pair[reached[i], LINKS] = 0
            at_pair[reached[i], RIMS] = 0


@kernel
def add_links(  # noqa: PLR0915 - all loops of a kernel are in one function
    u: int, entry: int, rows: WholeRows, listed: EdgeTriangles, neighbourhoods: Neighbourhoods, room: PairRoom
) -> None:
    """Add the wheels and diamonds of u, its neighbour h at `entry`, and each w that meets u here, or is its twin."""
    ptr, ends, edges, _ = rows
    triangle_ptr, third, low, high, _ = listed
    support, mean, bit_ptr, bits, _, number = neighbourhoods
    _, shared, _, _, met, sums, of_class, _ = room
    h = np.int64(ends[entry])
    e = np.int64(edges[entry])
    begin = position(ends, ptr[h], ptr[h + 1], u)
    c = np.int64(support[entry])
    has_bits = bit_ptr[h + 1] > bit_ptr[h] and c * mean[h] > _WORD_COST * (ptr[h + 1] - begin - 1)
    last_column = np.int64(ends[min(ptr[h] + 64 * WORDS, ptr[h + 1]) - 1]) if has_bits else np.int64(-1)
    # The edges of h to common neighbours: those to h from the row of its end of larger rank.
    to_common = low if h > u else high
    # For each w past u the neighbours past the last column that it shares with u and h.
    found = 0
    for t in range(triangle_ptr[e + 1] - 1, triangle_ptr[e] - 1, -1):
        if np.int64(third[t]) <= last_column:
            break
        f = np.int64(to_common[t])
        for p in range(triangle_ptr[f + 1] - 1, triangle_ptr[f] - 1, -1):
            w = np.int64(third[p])
            if w <= u:
                break
            if shared[w] == 0:
                met[found] = w
                found += 1
            shared[w] += 1
    rim: Whole = 0
    diamonds: Whole = 0
    if has_bits:
        at_w = bit_ptr[h] + (begin - ptr[h]) * WORDS
        # Written out, since a loop over four words is slower than the words.
        word0, word1, word2, word3 = bits[at_w], bits[at_w + 1], bits[at_w + 2], bits[at_w + 3]
        for q in range(begin + 1, ptr[h + 1]):
            at_w += WORDS
            w = np.int64(ends[q])
            both = np.int64(shared[w]) if found > 0 else np.int64(0)
            both += popcount(word0 & bits[at_w]) + popcount(word1 & bits[at_w + 1])
            both += popcount(word2 & bits[at_w + 2]) + popcount(word3 & bits[at_w + 3])
            if both > 0:
                wheels, at_chord = add_pair(w, both, room)
                rim += wheels
                diamonds += at_chord
    for i in range(found):
        w = met[i]
        if not has_bits:
            wheels, at_chord = add_pair(w, np.int64(shared[w]), room)
            rim += wheels
            diamonds += at_chord
        shared[w] = 0
    # Pairs of twins: all neighbours of u and h are theirs.
    times = number[u]
    own_pairs = times * (times - 1) >> 1
    pairs = c * (c - 1) >> 1
    of_class[u, RIM] += rim + (times - 1) * pairs
    hub = times * rim + own_pairs * pairs
    sums[h, HALVES] += hub >> 1
    sums[h, ODD] += hub & 1
    sums[h, ORBIT_64] += times * diamonds + own_pairs * c * (ptr[u + 1] - ptr[u] - 2)


@kernel
def add_pair(w: np.int64, c: np.int64, room: PairRoom) -> Sums:
    """Add to the pair of u and w the c common neighbours that they have with h; return its wheels and diamonds."""
    common, at_pair = room.common, room.at_pair
    if common[w] >= MET:
        return 0, 0
    at_pair[w, LINKS] += c
    pairs = c * (c - 1) >> 1
    at_pair[w, RIMS] += pairs
    return pairs, c * (np.int64(common[w]) - 2)


@kernel
def copy_to_twins(block: Block, rows: WholeRows, first_twin: Int64Array, room: PairRoom) -> None:
    """Add what each twin has to the sums of all vertices in the block, and write the squares at their edges."""
    ptr, _, edges, _ = rows
    sums, of_class, squares = room.sums, room.of_class, room.squares
    for v in range(*block):
        u = first_twin[v]
        for column in range(COLUMNS):
            sums[v, column] += of_class[u, column]
        if u != v:
            for i in range(ptr[v + 1] - ptr[v]):
                squares[np.int64(edges[ptr[v] + i])] = squares[np.int64(edges[ptr[u] + i])]


@kernel
def fill_bits(
    block: Block, rows: WholeRows, listed: EdgeTriangles, bit_ptr: Int64Array, bits: Int64Array, slot: Int64Array
) -> None:
    """Write the rows of the neighbourhoods of the vertices in the block, the columns that have bits.

    Parameters
    ----------
    slot : int64 array, shape (n,)
        Zeros, which the kernel leaves so.
    """
    ptr, ends, edges, _ = rows
    triangle_ptr, third, _, _, _ = listed
    for h in range(*block):
        degree = ptr[h + 1] - ptr[h]
        if bit_ptr[h + 1] == bit_ptr[h]:
            continue
        columns = min(degree, 64 * WORDS)
        for i in range(columns):
            slot[np.int64(ends[ptr[h] + i])] = i + 1
        for i in range(degree):
            e = np.int64(edges[ptr[h] + i])
            row = bit_ptr[h] + i * WORDS
            for t in range(triangle_ptr[e], triangle_ptr[e + 1]):
                column = slot[np.int64(third[t])] - 1
                if column < 0:
                    break  # third vertices rise, as the columns do
                bits[row + (column >> 6)] |= _ONE << (column & 63)
        for i in range(columns):
            slot[np.int64(ends[ptr[h] + i])] = 0
