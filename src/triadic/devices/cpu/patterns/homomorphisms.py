"""Homomorphisms counted by vectors over the ranks, by a program of integers that is run for each root.

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
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.compiled import inline_kernel, kernel
from triadic.devices.cpu.intrinsics import AHEAD_PATH_ENTRIES, AHEAD_PATH_ROW, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Int32Array, Int64Array, IntegerArray
    from triadic.devices.cpu.intrinsics import Whole

INIT, PUSH, PULL, TIMES, WEIGH, FINISH = range(6)
BOTH = 2  # of FINISH: 0 adds at the root, 1 at the ranks of the vertex, 2 at both


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


@inline_kernel
def fetch_end_ahead(ptr: Int64Array, ends: Ids, listed: Int32Array, i: Whole) -> None:
    """Request the end of a row further down a list, which ranks that are no longer listed follow."""
    if i + AHEAD_PATH_ROW < listed.size:
        prefetch(ptr, np.int64(listed[i + AHEAD_PATH_ROW]))
        prefetch(ends, ptr[np.int64(listed[i + AHEAD_PATH_ENTRIES]) + 1] - 1)


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
                    fetch_end_ahead(ptr, ends, sources, i)
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
                once = operation == FINISH and of == to and mask != 0 and extra == 0
                ends_here = operation == FINISH and of != to and s == steps.shape[0] - 1
                for i in range(length):
                    u = np.int64(listed[i])
                    value = x[u]
                    if of >= 0:
                        fetch_end_ahead(ptr, ends, listed, i)
                        pulled = np.int64(0)
                        least = max(bound, u) if once else bound
                        for q in range(ptr[u + 1] - 1, ptr[u] - 1, -1):
                            w = np.int64(ends[q])
                            if w <= least:
                                break
                            if fits(words, q, state):
                                pulled += y[w]
                        value *= pulled
                    else:
                        for _ in range(mask):
                            value *= x[u]
                    if operation == PULL:
                        x[u] = value
                    elif extra != 0:
                        out[u] += total * value
                    if ends_here:
                        x[u] = 0
                    found += value
                if operation == FINISH:
                    total *= 2 * found if once else found
                    collected = extra == 1
                if ends_here:
                    lengths[to] = 0
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
    times: Int64Array | None,
    values: Int64Array,
    out: Int64Array,
) -> None:
    """Multiply the value of each rank by the sum of other values along its row, each times a number of the entry."""
    for v in range(*block):
        found = np.int64(0)
        if out[v] != 0:
            for q in range(ptr[v], ptr[v + 1]):
                if fits(words, q, state):
                    found += values[np.int64(ends[q])] if times is None else times[q] * values[np.int64(ends[q])]
        out[v] *= found
