"""Kernel that counts tetrahedra, that is, 4-cliques, at each vertex.

Computes: for rows u of the oriented graph the tetrahedra {u, a, b, c} with a, b and c in the row, added at all four.
Requires: the bits that `neighbourhood_kernels.join` writes; what each entry has `met` zero, and left so.
Idea: they are the triangles of the graph that the row's vertices form among themselves. That graph is small, so its
  whole adjacency is held as bits, both ways: the vertices joined to both a and b are an AND and a population count.
  The count of a pair (a, b) goes to a and to b; a tetrahedron is then met twice at each of its three lower vertices.
Cost: a triangle of the graph takes (length of the row) / 64 words, as many as its row of the small graph, which are
  cleared first. Length squared / 8 bytes a worker for the longest.
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
    met: NDArray[np.int64],
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
            meet_short(bits, begin, length, rows, met)
        else:
            meet_long(bits, begin, length, rows, met)
        at_u = 0
        for i in range(length):
            if met[i] > 0:
                at_u += met[i]
                tetrahedra[np.int64(indices[start + i])] += met[i] >> 1
                met[i] = 0
        tetrahedra[u] += at_u // 6


@kernel
def meet_short(
    bits: NDArray[np.int64], begin: int, length: int, rows: NDArray[np.int64], met: NDArray[np.int64]
) -> None:
    """Add at each entry the triangles that each of its pairs is in, in a row whose entries fit a word."""
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
            met[j] += shared
            word &= word - 1
        met[i] += at_i


@kernel
def meet_long(
    bits: NDArray[np.int64], begin: int, length: int, rows: NDArray[np.int64], met: NDArray[np.int64]
) -> None:
    """Do what `meet_short` does for rows of any length."""
    words = (length + 63) >> 6
    for x in range(length * words):
        rows[x] = 0
    at = begin
    for i in range(1, length):
        for x in range((i + 63) >> 6):
            word = bits[at]
            rows[i * words + x] |= word
            while word != 0:
                rows[((x << 6) + lowest(word)) * words + (i >> 6)] |= _ONE << (i & 63)
                word &= word - 1
            at += 1
    at = begin
    for i in range(1, length):
        at_i = 0
        for x in range((i + 63) >> 6):
            word = bits[at]
            while word != 0:
                j = (x << 6) + lowest(word)
                shared = 0
                for y in range(words):
                    shared += popcount(rows[i * words + y] & rows[j * words + y])
                at_i += shared
                met[j] += shared
                word &= word - 1
            at += 1
        met[i] += at_i
