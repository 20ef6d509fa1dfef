"""Homomorphisms counted by vectors over the ranks, by a program of integers that is run for each root; and cliques.

Computes: for each rank, the maps of a small graph in which a vertex, often the root, has this rank.
Requires: whole rows by rank with a word for each entry; a program for a graph that is a forest without its root;
  `Room` all zero, which the kernel leaves so.
Idea: the root is fixed in the outer loop. Each other vertex has a vector of the maps of what hangs on it, by its rank,
  and a list of the ranks where it is not zero. A vertex that is adjacent to the root begins with the root's row, and
  pulls what the vertices hanging on it send along its row; any other is reached by pushing along the rows of one of
  them. A bounded vertex has a larger rank than the root, so that rows are read from their end: of a pattern whose
  vertices can all be roots, each map is met at its smallest rank, the vertex of highest degree.
Cost: for each step the rows of a list: the 2-paths from a root, for squares the sum over edges of the smaller degree;
  12 bytes a vertex, thread and vector.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for squares; Curticapean, Dell and Marx (2017), STOC, for
counts from homomorphisms.

Cliques of four to six vertices at each rank.

Computes: the cliques of a given size at each rank.
Requires: the oriented rows of an undirected graph, or of the skeleton of a directed one.
Idea: a clique is met at its largest rank, in whose oriented row its other vertices are. The adjacency within the row is
  held as bits; each further vertex is one of a word's bits, and the candidates after it are an AND of two rows. The
  last vertex is counted by its bits.
Cost: (length of the row) / 64 words for each clique of one vertex less, and for each pair of the row and an entry.

Chiba and Nishizeki (1985), as above.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import inline_kernel, kernel
from triadic.core.oriented import as_unsigned, frozen, starts_of
from triadic.devices.cpu.intrinsics import Rows, popcount
from triadic.devices.cpu.triangles.neighbourhoods import lowest
from triadic.devices.cpu.vertex_arrays import summed, zeros

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Int32Array, Int64Array, IntegerArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.intrinsics import Whole

INIT, PUSH, PULL, TIMES, WEIGH, FINISH = range(6)
BOTH = 2  # of FINISH: 0 adds at the root, 1 at the ranks of the vertex, 2 at both
_BLOCK = 1 << 16  # aimed squares of lengths


class Room(NamedTuple):
    """Vectors of a thread, (vectors, n), the ranks where each is not zero, (vectors, n + 1), and their number."""

    values: Int64Array
    lists: Int32Array
    lengths: Int64Array


class Marked(NamedTuple):
    """Rows; flags of ranks, and weights of ranks, of which the last ones are those of roots."""

    ptr: Int64Array
    ends: Ids
    flags: Int32Array
    weights: Int64Array


@inline_kernel
def fits(words: IntegerArray | None, q: Whole, state: Whole) -> bool:
    """Return whether the state of an entry is one of a set."""
    return True if words is None else (np.int64(words[q]) & state) != 0


@kernel
def run_program(  # noqa: PLR0915 - all loops of a kernel are in one function
    block: tuple[int, int],
    words: IntegerArray | None,
    marked: Marked,
    steps: Int64Array,
    room: Room,
    out: Int64Array,
) -> None:
    """Add the maps of each root at it, or at the ranks of the vertex whose maps are collected.

    `words` are those of the entries, or None if their states do not matter. A step is an operation, its vector, another
    vector or -1, the set of states, the flags and the bound of ranks, a weight or -1, or a number, see `BOTH`.
    """
    ptr, ends, flags, weights = marked
    values, lists, lengths = room
    for v in range(*block):
        total = weights[weights.shape[0] - 1, v]
        if total == 0:
            continue
        collected = False
        for s in range(steps.shape[0]):
            if total == 0:
                break
            operation, to, of, state, mask, extra = (
                steps[s, 0],
                steps[s, 1],
                steps[s, 2],
                steps[s, 3],
                steps[s, 4],
                steps[s, 6],
            )
            bound = np.int64(v) if steps[s, 5] != 0 else np.int64(-1)
            x, y = values[to], values[max(of, 0)]
            listed, sources = lists[to], lists[max(of, 0)]
            length = lengths[to]
            if operation == INIT:
                for q in range(ptr[v + 1] - 1, ptr[v] - 1, -1):
                    w = np.int64(ends[q])
                    if w <= bound:
                        break
                    if fits(words, q, state) and (np.int64(flags[w]) & mask) == mask:
                        x[w] = 1 if extra < 0 else weights[extra, w]
                        if x[w] != 0:
                            listed[length] = w
                            length += 1
                lengths[to] = length
                if length == 0:
                    total = np.int64(0)
            elif operation == PUSH:
                for i in range(lengths[of]):
                    u = np.int64(sources[i])
                    sent = y[u]
                    if sent == 0:
                        continue  # what is added to a vector makes its ranks listed
                    for q in range(ptr[u + 1] - 1, ptr[u] - 1, -1):
                        w = np.int64(ends[q])
                        if w <= bound:
                            break
                        if fits(words, q, state) and (mask == 0 or (np.int64(flags[w]) & mask) == mask):
                            listed[length] = w  # without a branch, which could not be predicted
                            length += np.int64(x[w] == 0)
                            x[w] += sent
                lengths[to] = length
            elif operation in (PULL, FINISH):
                found = np.int64(0)
                for i in range(length):
                    u = np.int64(listed[i])
                    value = x[u]
                    if of >= 0:
                        pulled = np.int64(0)
                        for q in range(ptr[u + 1] - 1, ptr[u] - 1, -1):
                            w = np.int64(ends[q])
                            if w <= bound:
                                break
                            if fits(words, q, state):
                                pulled += y[w]
                        value *= pulled
                    if operation == PULL:
                        x[u] = value
                    elif extra != 0:
                        out[u] += total * value
                    found += value
                if operation == FINISH:
                    total *= found
                    collected = extra == 1
            else:
                for i in range(length):
                    u = np.int64(listed[i])
                    if operation == WEIGH:
                        x[u] *= weights[extra, u]
                    else:
                        value = y[u]  # of this vector itself for a power
                        for _ in range(extra):
                            x[u] *= value
        if not collected:
            out[v] += total
        for r in range(values.shape[0]):
            for i in range(lengths[r]):
                values[r, lists[r, i]] = 0
            lengths[r] = 0


@kernel
def multiply_along(
    block: tuple[int, int],
    words: IntegerArray | None,
    ptr: Int64Array,
    ends: Ids,
    state: int,
    values: Int64Array,
    out: Int64Array,
) -> None:
    """Multiply the value of each rank by the sum of other values along its row."""
    for v in range(*block):
        found = np.int64(0)
        if out[v] != 0:
            for q in range(ptr[v], ptr[v + 1]):
                if fits(words, q, state):
                    found += values[np.int64(ends[q])]
        out[v] *= found


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
