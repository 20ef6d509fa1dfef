"""Kernels over neighbourhoods: which vertices of a row are joined, and the supports, diamonds and tetrahedra by that.

Computes: for each row u = (v_0 < v_1 < ...) of the oriented graph one bit for each pair of entries, set if the two are
  joined, that is, if they form a triangle with u; from these bits the support of every edge, and the diamonds at each
  vertex off their chord.
Requires: `oriented.Oriented`: rows sorted, no loops, no repeats; columns viewed as unsigned; marks, slots, sums and
  bits all zero; the kernels leave marks, slots and sums so.
Idea: the bits of pair (i, j), j < i, stand in row i of a lower triangle, (i + 63) // 64 words a row. A list walk
  (`intrinsics`) up to v writes row i = place of v in u, which no other walk writes. A later pass then reads each
  triangle {u, v, w}, u > v > w, from its bit twice, and never searches for it again: by v, whose row alone holds
  (v, w), and by u, whose row holds the other two edges. So no two workers write to one place.
Cost: joining, one test for each two entries of a row; the others, a few steps a triangle. Bits, 8 bytes an edge in
  rows of up to 65 entries, and an eighth of a byte for two entries of longer rows.

Kernel that counts tetrahedra, that is, 4-cliques, at each vertex.

Computes: for rows u of the oriented graph the tetrahedra {u, a, b, c} with a, b and c in the row, added at all four.
Requires: the bits that `join` writes; `triangles` all zero, which the kernel leaves so.
Idea: the tetrahedra of a row are the triangles of the graph between the row's vertices. That graph is small, so its
  whole adjacency is held as bits, both ways: the vertices joined to both a and b are an AND and a population count.
  The count of a pair (a, b) goes to a and to b, so that a tetrahedron is counted twice at each of a, b and c.
Cost: (length of the row) / 64 words for each triangle, and for each row of the small graph, which is cleared first.
  A worker takes length squared / 8 bytes for the longest row.

References
----------
Floros, Pitsianis and Sun (2020), Fast graphlet transform of sparse graphs, IEEE HPEC, for the counts by vertex that
follow from supports; Ortmann and Brandes (2017), Applied Network Science 2, 13, for diamonds from supports. Chiba and
Nishizeki (1985), SIAM Journal on Computing 14, 210, for cliques as smaller cliques of a neighbourhood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import AHEAD_ENTRIES, AHEAD_ROW, Rows, Whole, popcount, prefetch, trailing_zeros

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray

    Bounds = tuple[int, int]
    # Where the part of each middle vertex's list begins and ends, and the rows u of all lists.
    Lists = tuple[Int64Array, Int64Array, UnsignedArray]
    # Where the words of each row begin, the number of words before those in memory, and these.
    Words = tuple[Int64Array, int, Int64Array]

_ONE = np.int64(1)


@kernel
def words_before(i: Whole) -> Whole:
    """Return the number of words before row `i` of a triangle whose row x has (x + 63) // 64 words."""
    whole = (i - 1) >> 6
    return 32 * whole * (whole + 1) + ((i - 1) & 63) * (whole + 1)


@kernel
def join(  # noqa: PLR0915 - all loops of a kernel are in one function
    rows: Rows,
    lists: Lists,
    bounds: Bounds,
    words: Words,
    room: tuple[Int64Array, Int32Array, Int64Array],
    at: tuple[Int32Array, Int32Array],
) -> None:
    """Write the bits of middle vertices `first` .. `last` - 1 in the rows of their lists, and their places in these.

    Adds to `support`, unless it is empty, the triangles at the edges (v, w) of each middle vertex v. The room is marks
    of ranks, slots of ranks, and words for a row; `at` holds places and supports.
    """
    indptr, indices = rows
    start, stop, ends = lists
    first, last = bounds
    word_ptr, skipped, bits = words
    mark, slot, row_words = room
    place, support = at
    # Marks are set, tested and cleared in place: with the functions of `intrinsics` this kernel is 8% slower.
    for v in range(first, last):
        if start[v] == stop[v]:
            continue
        for i in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[i])
            mark[w >> 6] |= _ONE << (w & 63)
        found = 0
        for k in range(start[v], stop[v]):
            # The same as `fetch_row_ahead`, and also fetch the place of the row's words.
            if k + AHEAD_ROW < ends.size:
                u = np.int64(ends[k + AHEAD_ROW])
                prefetch(indptr, u)
                prefetch(word_ptr, u)
                row = indptr[np.int64(ends[k + AHEAD_ENTRIES])]
                prefetch(indices, row)
                prefetch(indices, row + 16)
                prefetch(indices, row + 32)
            u = np.int64(ends[k])
            p = indptr[u]
            w = np.int64(indices[p])
            word = np.int64(0)
            filled, full, hits = 0, 0, 0
            while w < v:
                bit = (mark[w >> 6] >> (w & 63)) & 1
                slot[w] += bit
                word |= bit << filled
                filled += 1
                if filled == 64:
                    row_words[full] = word
                    hits += popcount(word)
                    word = np.int64(0)
                    filled, full = 0, full + 1
                p += 1
                w = np.int64(indices[p])
            place[k] = p - indptr[u]
            hits += popcount(word)
            if hits > 0:
                found += hits
                first_word = word_ptr[u] - skipped + words_before(p - indptr[u])
                for i in range(full):
                    bits[first_word + i] = row_words[i]
                if filled > 0:
                    bits[first_word + full] = word
        for i in range(indptr[v], indptr[v + 1]):
            mark[np.int64(indices[i]) >> 6] = 0
        if found > 0:
            for i in range(indptr[v], indptr[v + 1]):
                w = np.int64(indices[i])
                if support.size > 0:
                    support[i] += slot[w]
                slot[w] = 0


@kernel
def add_supports(rows: Rows, words: Words, bounds: Bounds, joined: Int64Array, support: Int32Array) -> None:
    """Add at the entries of some rows the triangles that hold the row's vertex."""
    indptr, _ = rows
    word_ptr, skipped, bits = words
    first, last = bounds
    for u in range(first, last):
        start = indptr[u]
        length = indptr[u + 1] - start
        place = word_ptr[u] - skipped
        hits = 0
        for i in range(1, length):
            before = hits
            for x in range((i + 63) >> 6):
                word = bits[place]
                hits += popcount(word)
                while word != 0:
                    joined[(x << 6) + trailing_zeros(word)] += 1
                    word &= word - 1
                place += 1
            joined[i] += hits - before
        if hits > 0:
            for i in range(length):
                support[start + i] += joined[i]
                joined[i] = 0


@kernel
def add_off_chord(
    rows: Rows,
    lists: Lists,
    bounds: Bounds,
    words: Words,
    at: tuple[Int32Array, Int32Array],
    sums: tuple[Int64Array, Int64Array],
) -> None:
    """Add at the vertices of each triangle the support of the edge across less one, for middle vertices in the block.

    The edge is the chord of as many diamonds with the vertex off it. `near`, of shape (n, 2), holds for the edges
    (v, w) of the middle vertex v their support less one, and the sum at w.
    """
    indptr, indices = rows
    start, stop, ends = lists
    first, last = bounds
    word_ptr, skipped, bits = words
    place, support = at
    near, diamonds = sums
    for v in range(first, last):
        if start[v] == stop[v] or indptr[v] == indptr[v + 1]:
            continue
        for i in range(indptr[v], indptr[v + 1]):
            if i + AHEAD_ROW < indices.size:
                w = np.int64(indices[i + AHEAD_ROW])
                prefetch(near, 2 * w)
                prefetch(diamonds, w)
            near[np.int64(indices[i]), 0] = support[i] - 1
        at_v = np.int64(0)
        for k in range(start[v], stop[v]):
            if k + AHEAD_ROW < ends.size:
                u = np.int64(ends[k + AHEAD_ROW])
                prefetch(indptr, u)
                prefetch(word_ptr, u)
                u = np.int64(ends[k + AHEAD_ENTRIES])
                row = indptr[u]
                ahead = np.int64(place[k + AHEAD_ENTRIES])
                prefetch(bits, word_ptr[u] - skipped + words_before(ahead))
                prefetch(support, row)
                prefetch(support, row + ahead)
                prefetch(indices, row)
                prefetch(diamonds, u)
            own = np.int64(place[k])
            if own == 0:
                continue
            u = np.int64(ends[k])
            first_word = word_ptr[u] - skipped + words_before(own)
            row = indptr[u]
            at_u = np.int64(0)
            for x in range((own + 63) >> 6):
                word = bits[first_word + x]
                if word != 0:
                    across_w = np.int64(support[row + own]) - 1
                    while word != 0:
                        p = row + (x << 6) + trailing_zeros(word)
                        w = np.int64(indices[p])
                        at_u += near[w, 0]
                        at_v += np.int64(support[p]) - 1
                        near[w, 1] += across_w
                        word &= word - 1
            diamonds[u] += at_u
        diamonds[v] += at_v
        for i in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[i])
            diamonds[w] += near[w, 1]
            near[w, 1] = 0


@kernel
def add_tetrahedra(
    rows: Rows, words: Words, bounds: Bounds, adjacent: Int64Array, triangles: Int64Array, tetrahedra: Int64Array
) -> None:
    """Add at each vertex the tetrahedra whose largest rank is in the block."""
    indptr, indices = rows
    word_ptr, skipped, bits = words
    first, last = bounds
    for u in range(first, last):
        start = indptr[u]
        length = indptr[u + 1] - start
        if length < 3:
            continue
        begin = word_ptr[u] - skipped
        pairs = 0
        for x in range(begin, begin + words_before(length)):
            pairs += popcount(bits[x])
        if pairs < 3:
            continue
        width = (length + 63) >> 6
        for x in range(length * width):
            adjacent[x] = 0
        place = begin
        for i in range(1, length):
            for x in range((i + 63) >> 6):
                word = bits[place]
                adjacent[i * width + x] |= word
                while word != 0:
                    adjacent[((x << 6) + trailing_zeros(word)) * width + (i >> 6)] |= _ONE << (i & 63)
                    word &= word - 1
                place += 1
        place = begin
        for i in range(1, length):
            at_i = 0
            for x in range((i + 63) >> 6):
                word = bits[place]
                while word != 0:
                    j = (x << 6) + trailing_zeros(word)
                    shared = 0
                    for y in range(width):
                        shared += popcount(adjacent[i * width + y] & adjacent[j * width + y])
                    at_i += shared
                    triangles[j] += shared
                    word &= word - 1
                place += 1
            triangles[i] += at_i
        at_u = 0
        for i in range(length):
            if triangles[i] > 0:
                at_u += triangles[i]
                tetrahedra[np.int64(indices[start + i])] += triangles[i] >> 1
                triangles[i] = 0
        tetrahedra[u] += at_u // 6
