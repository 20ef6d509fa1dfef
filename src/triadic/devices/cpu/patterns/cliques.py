"""Cliques of four to six vertices at each rank.

Computes: the cliques of a given size at each rank.
Requires: the oriented rows of an undirected graph, or of the skeleton of a directed one.
Idea: a clique is met at its largest rank, in whose oriented row its other vertices are. The adjacency within the row is
  held as bits; each further vertex is one of a word's bits, and the candidates after it are an AND of two rows. The
  last vertex is counted by its bits.
Cost: (length of the row) / 64 words for each clique of one vertex less, and for each pair of the row and an entry.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import as_unsigned, frozen, starts_of
from triadic.devices.cpu.intrinsics import Rows, popcount
from triadic.devices.cpu.triangles.neighbourhoods import lowest
from triadic.devices.cpu.vertex_arrays import summed, zeros

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

_BLOCK = 1 << 16  # aimed squares of lengths


def cliques_by_vertex(oriented: Oriented, size: int, *, threads: int, progress: Progress | None = None) -> Int64Array:
    """Count the cliques of some size at each rank: int64, shape (n,)."""
    rows = Rows(oriented.indptr, as_unsigned(oriented.indices))
    n, length = oriented.num_vertices, np.diff(oriented.indptr)
    longest = int(length.max(initial=0))
    words = (longest + 63) >> 6
    sums = zeros(threads, n, np.int64)
    own = [(np.zeros(n, dtype=np.int32), np.zeros((longest + 2 * size, words), dtype=np.int64), each) for each in sums]
    cuts = blocks.cut(frozen(starts_of(length * length + 1)), _BLOCK, most=1 << 12)
    blocks.run_cuts(
        lambda worker, block: add_cliques(block, rows, size, *own[worker]), cuts, threads=threads, progress=progress
    )
    return summed(sums)


@kernel
def add_cliques(  # noqa: PLR0915 - all loops of a kernel are in one function
    block: tuple[int, int], rows: Rows, size: int, slot: Int32Array, bits: Int64Array, sums: Int64Array
) -> None:
    """Add the cliques whose largest rank is in the block.

    `bits` has a row for each entry of a row, then for each depth one of the candidates and one of those that are left.
    """
    indptr, indices = rows
    chosen = np.zeros(size, dtype=np.int64)
    entries = bits.shape[0] - 2 * size
    rest = entries + size
    one, last = np.int64(1), size - 4
    for u in range(*block):
        start = indptr[u]
        length = indptr[u + 1] - start
        if length < size - 1:
            continue
        words = (length + 63) >> 6
        for i in range(length):
            slot[np.int64(indices[start + i])] = i + 1
        for i in range(length):
            v = np.int64(indices[start + i])
            for p in range(indptr[v], indptr[v + 1]):
                j = slot[np.int64(indices[p])]
                if j != 0:
                    bits[i, (j - 1) >> 6] |= one << ((j - 1) & 63)
        # The bits of an entry are those before it, so that each clique is met in one order.
        for i in range(length):
            chosen[0] = i
            depth = 0
            for z in range(words):
                bits[entries, z] = bits[rest, z] = bits[i, z]
            while depth >= 0:
                if depth == last:
                    found = np.int64(0)
                    for z in range(words):
                        word = bits[entries + depth, z]
                        while word != 0:
                            j = (z << 6) + lowest(word)
                            word &= word - 1
                            at_last = np.int64(0)
                            for k in range(words):
                                both = bits[entries + depth, k] & bits[j, k]
                                at_last += popcount(both)
                                while both != 0:
                                    sums[np.int64(indices[start + (k << 6) + lowest(both)])] += 1
                                    both &= both - 1
                            sums[np.int64(indices[start + j])] += at_last
                            found += at_last
                    sums[u] += found
                    for d in range(depth + 1):
                        sums[np.int64(indices[start + chosen[d]])] += found
                    depth -= 1
                    continue
                word, z = np.int64(0), 0
                while z < words:
                    word = bits[rest + depth, z]
                    if word != 0:
                        break
                    z += 1
                if word == 0:
                    depth -= 1
                    continue
                j = (z << 6) + lowest(word)
                bits[rest + depth, z] = word & (word - 1)
                depth += 1
                chosen[depth] = j
                for k in range(words):
                    bits[entries + depth, k] = bits[rest + depth, k] = bits[j, k] & bits[entries + depth - 1, k]
        for i in range(length):
            slot[np.int64(indices[start + i])] = 0
            for z in range(words):
                bits[i, z] = 0
