"""Kernel that counts tetrahedra, that is, 4-cliques, at each vertex.

Computes: for rows u of the oriented graph the tetrahedra {u, a, b, c} with a, b and c in the row, added at all four.
Requires: the bits that `neighbourhood_kernels.join` writes; `triangles` all zero, which the kernel leaves so.
Idea: the tetrahedra of a row are the triangles of the graph between the row's vertices. That graph is small, so its
  whole adjacency is held as bits, both ways: the vertices joined to both a and b are an AND and a population count.
  The count of a pair (a, b) goes to a and to b, so that a tetrahedron is counted twice at each of a, b and c.
Cost: (length of the row) / 64 words for each triangle, and for each row of the small graph, which is cleared first.
  A worker takes length squared / 8 bytes for the longest row.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for cliques as smaller cliques of a neighbourhood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import popcount
from triadic.devices.cpu.neighbourhood_kernels import lowest, words_before

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]

_ONE = np.int64(1)


@kernel
def add_tetrahedra(
    indptr: NDArray[np.int64],
    indices: Ids,
    word_ptr: NDArray[np.int64],
    skipped: int,
    bits: NDArray[np.int64],
    first: int,
    last: int,
    rows: NDArray[np.int64],
    triangles: NDArray[np.int64],
    tetrahedra: NDArray[np.int64],
) -> None:
    """Add at each vertex the tetrahedra whose largest rank is one of `first` .. `last` - 1."""
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
        if length <= 64:
            count_in_short_row(bits, begin, length, rows, triangles)
        else:
            count_in_long_row(bits, begin, length, rows, triangles)
        at_u = 0
        for i in range(length):
            if triangles[i] > 0:
                at_u += triangles[i]
                tetrahedra[np.int64(indices[start + i])] += triangles[i] >> 1
                triangles[i] = 0
        tetrahedra[u] += at_u // 6


@kernel
def count_in_short_row(
    bits: NDArray[np.int64], begin: int, length: int, rows: NDArray[np.int64], triangles: NDArray[np.int64]
) -> None:
    """Add at each entry the triangles that its pairs are in, for a row whose entries fit a word."""
    rows[0] = 0
    for i in range(1, length):
        word = bits[begin + i - 1]
        rows[i] = word
        while word != 0:
            rows[lowest(word)] |= _ONE << i
            word &= word - 1
    for i in range(1, length):
        word = bits[begin + i - 1]
        row = rows[i]
        at_i = 0
        while word != 0:
            j = lowest(word)
            shared = popcount(row & rows[j])
            at_i += shared
            triangles[j] += shared
            word &= word - 1
        triangles[i] += at_i


@kernel
def count_in_long_row(
    bits: NDArray[np.int64], begin: int, length: int, rows: NDArray[np.int64], triangles: NDArray[np.int64]
) -> None:
    """Add at each entry the triangles that its pairs are in, for a row of any length."""
    words = (length + 63) >> 6
    for x in range(length * words):
        rows[x] = 0
    place = begin
    for i in range(1, length):
        for x in range((i + 63) >> 6):
            word = bits[place]
            rows[i * words + x] |= word
            while word != 0:
                rows[((x << 6) + lowest(word)) * words + (i >> 6)] |= _ONE << (i & 63)
                word &= word - 1
            place += 1
    place = begin
    for i in range(1, length):
        at_i = 0
        for x in range((i + 63) >> 6):
            word = bits[place]
            while word != 0:
                j = (x << 6) + lowest(word)
                shared = 0
                for y in range(words):
                    shared += popcount(rows[i * words + y] & rows[j * words + y])
                at_i += shared
                triangles[j] += shared
                word &= word - 1
            place += 1
        triangles[i] += at_i
