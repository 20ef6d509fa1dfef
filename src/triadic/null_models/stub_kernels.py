"""Kernels that switch arcs between stubs of the same group, and keep the class of each arc.

Computes: a number of steps of a Markov chain over the simple graphs with the degrees of a given graph and with the same
  number of arcs of each class: group of the tail, group of the head, bin of the length.
Requires: stubs in strata; vertices numbered by group; the `dyads` of all arcs and edges.
Idea: an arc is two stubs, one at its tail and one at its head, and an edge is two stubs of one kind. A *stratum* is the
  stubs of one kind (tails, heads or edges) at the vertices of one group. A step draws a stub uniformly and a partner in
  the same stratum, and the two exchange their far ends: arcs a-b and c-d, with a and c in one group, become a-d and
  c-b. A switch of two arcs can keep the numbers of arcs between groups only if its tails, or its heads, are of one
  group, so that strata leave no such switch out, and few proposals are in vain. A proposal that changes the number of
  arcs of a class, or makes a loop or a repeat, is rejected, and the step counts.
  If lengths are kept, vertices of a group are numbered along a curve through space, and the partner is drawn from the
  aligned block of 2**k stubs around the stub, with k uniform: near and far partners alike. The probability to draw a
  pair depends on the places of the two stubs alone and is symmetric, so every proposal is as likely as its reverse.
  One proposal in eight on tails reverses a directed 3-cycle instead, as in `switching_kernels`.
  A stub is a row (vertex, vertex at the far end, its twin, arc): 16 bytes in one cache line.
Cost: 100 to 200 ns per step if the stubs do not fit the cache, most of it for reading stubs and the table.

References
----------
B. K. Fosdick, D. B. Larremore, J. Nishimura and J. Ugander, SIAM Review 60, 315-355, 2018: why a rejected proposal
counts as a step.
R. F. Betzel and D. S. Bassett, PNAS 115, E4880-E4889, 2018: switches that keep the bins of lengths of connections.
G. M. Morton, *A computer oriented geodetic data base*, IBM, 1966: the curve.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, below, mix
from triadic.devices.cpu.intrinsics import prefetch
from triadic.null_models.dyad_table import ARC, MUTUAL
from triadic.null_models.dyads import closes, exchange, prefetch_dyads, reverse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int32]
    Whole = int | np.integer[Any]
    Dyads = NDArray[np.unsignedinteger[Any]]

AHEAD = 32  # number of proposals drawn at a time
ROW = 4  # numbers of a stub: vertex, far end, twin, arc
MOVED = np.int32(1 << 30)  # bit of the arc: a proposal with it was accepted
_VERTEX, _FAR, _TWIN, _ARC_ID = 0, 1, 2, 3
_CYCLE_BITS = np.uint64(7)  # one proposal in eight on tails concerns a 3-cycle
_LEVEL_SHIFT, _LEVEL_BITS, _OFFSET_SHIFT = np.uint64(3), np.uint64(0x1FFF), np.uint64(16)
_0, _2 = np.uint64(0), np.uint64(2)


@kernel
def walk(
    key: np.uint64,
    begin: np.uint64,
    steps: Whole,
    stubs: Ids,
    arcs: Whole,
    strata: NDArray[np.int64],
    indptr: NDArray[np.int64],
    group: Ids,
    groups: Whole,
    place: NDArray[np.float64],
    edges: NDArray[np.float64],
    lowest: Whole,
    dyads: Dyads,
    ordered: bool,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    bits: NDArray[np.uint64],
) -> Whole:
    """Run `steps` steps from step `begin` of the walk `key`, in place; return the number of accepted proposals.

    `stubs` has the stubs at the tails of the arcs, those at their heads, and those of the edges. The last three
    arrays have room for `AHEAD` proposals; ``second`` is negative for the reversal of a 3-cycle.
    """
    taken = np.int64(0)
    total = np.uint64(len(stubs))
    counter = key + _2 * begin * GOLDEN
    for start in range(0, steps, AHEAD):
        length = min(AHEAD, steps - start)
        for p in range(length):
            first[p] = np.int64(below(mix(counter), total))
            bits[p] = mix(counter + GOLDEN)
            counter += _2 * GOLDEN
            prefetch(stubs, ROW * first[p])
        for p in range(length):
            i = first[p]
            if i < arcs and (bits[p] & _CYCLE_BITS) == _0:
                second[p] = -1
                prefetch(indptr, np.int64(stubs[i, _FAR]))
                continue
            kind = 0 if i < arcs else (1 if i < 2 * arcs else 2)
            stratum = kind * groups + np.int64(group[stubs[i, _VERTEX]])
            second[p] = _partner(i, bits[p], strata[stratum], strata[stratum + 1], lowest, edges.size > 0)
            prefetch(stubs, ROW * second[p])
        for p in range(length):
            i, j = first[p], second[p]
            if j < 0:
                continue
            a, b, c, d = stubs[i, _VERTEX], stubs[i, _FAR], stubs[j, _VERTEX], stubs[j, _FAR]
            prefetch(stubs, ROW * np.int64(stubs[i, _TWIN]))
            prefetch(stubs, ROW * np.int64(stubs[j, _TWIN]))
            if arcs <= i < 2 * arcs:
                prefetch_dyads(dyads, b, a, d, c, ordered)
            else:
                prefetch_dyads(dyads, a, b, c, d, ordered)
        for p in range(length):
            i, j = first[p], second[p]
            if j < 0:
                taken += _reverse_cycle(stubs, indptr, group, place, edges, dyads, i, bits[p], ordered)
            else:
                taken += _switch(stubs, arcs, group, place, edges, dyads, i, j, ordered)
    return taken


@kernel
def _partner(i: Whole, bits: np.uint64, start: Whole, stop: Whole, lowest: Whole, nearby: bool) -> Whole:
    """Return a stub of the stratum of `i`, from the whole of it or from a block around `i`; `i` itself if it is out."""
    if not nearby:
        return start + np.int64(below(bits, np.uint64(stop - start)))
    levels = np.int64(0)
    while (np.int64(1) << levels) < stop - start:
        levels += 1
    least = min(lowest, levels)
    scaled = np.int64((bits >> _LEVEL_SHIFT) & _LEVEL_BITS) * (levels - least + 1)
    level = least + (scaled >> 13)
    offset = np.int64(bits >> _OFFSET_SHIFT) & ((np.int64(1) << level) - 1)
    j = start + ((i - start) ^ offset)
    return j if j < stop else i


@kernel
def _bin(place: NDArray[np.float64], edges: NDArray[np.float64], u: Whole, v: Whole) -> Whole:
    """Return the bin of the distance of two vertices, as `Constraints.classes` computes it."""
    x, y, z = place[u, 0] - place[v, 0], place[u, 1] - place[v, 1], place[u, 2] - place[v, 2]
    length = sqrt((x * x + y * y) + z * z)
    number = np.int64(0)
    for edge in edges:
        number += np.int64(edge <= length)
    return number


@kernel
def _switch(
    stubs: Ids,
    arcs: Whole,
    group: Ids,
    place: NDArray[np.float64],
    edges: NDArray[np.float64],
    dyads: Dyads,
    i: Whole,
    j: Whole,
    ordered: bool,
) -> Whole:
    """Exchange the far ends of stubs i and j of one stratum if that is allowed; return 1 if so."""
    a, b, c, d = stubs[i, _VERTEX], stubs[i, _FAR], stubs[j, _VERTEX], stubs[j, _FAR]
    if a == c or b == d or a == d or c == b:  # noqa: PLR1714, SIM109 - a chain of comparisons is compiled well
        return 0
    if edges.size > 0:
        ab, cd, ad, cb = (
            _bin(place, edges, a, b),
            _bin(place, edges, c, d),
            _bin(place, edges, a, d),
            _bin(place, edges, c, b),
        )
        # The groups of a and c are equal. The new arcs have the classes of the old ones, in one order or the other.
        if not ((ad == cd and cb == ab) or (ad == ab and cb == cd and group[b] == group[d])):
            return 0
    inward, edge = arcs <= i < 2 * arcs, i >= 2 * arcs
    state = MUTUAL if edge else ARC
    tail, head, other_tail, other_head = (b, a, d, c) if inward else (a, b, c, d)
    if not exchange(dyads, tail, head, other_tail, other_head, state, ordered):
        return 0
    k, m = np.int64(stubs[i, _TWIN]), np.int64(stubs[j, _TWIN])
    _join(stubs, i, a, m, d)
    _join(stubs, j, c, k, b)
    if inward:  # an arc goes by the number of its tail's stub, which never changes
        stubs[k, _ARC_ID] |= MOVED
        stubs[m, _ARC_ID] |= MOVED
    else:
        stubs[i, _ARC_ID] |= MOVED
        stubs[j, _ARC_ID] |= MOVED
        stubs[m, _ARC_ID] = stubs[i, _ARC_ID]
        stubs[k, _ARC_ID] = stubs[j, _ARC_ID]
    return 1


@kernel
def _join(stubs: Ids, i: Whole, u: Whole, j: Whole, v: Whole) -> None:
    """Make stub i at vertex u and stub j at vertex v the two ends of an arc."""
    stubs[i, _FAR] = v
    stubs[i, _TWIN] = j
    stubs[j, _FAR] = u
    stubs[j, _TWIN] = i


@kernel
def _reverse_cycle(
    stubs: Ids,
    indptr: NDArray[np.int64],
    group: Ids,
    place: NDArray[np.float64],
    edges: NDArray[np.float64],
    dyads: Dyads,
    i: Whole,
    bits: np.uint64,
    ordered: bool,
) -> Whole:
    """Reverse a 3-cycle a->b->c->a of stub `i`, with b->c drawn; return 1 if there is one that may be reversed."""
    a, b = stubs[i, _VERTEX], stubs[i, _FAR]
    row = indptr[b]
    out = indptr[b + 1] - row
    if out == 0:
        return 0
    j = row + np.int64(below(bits, np.uint64(out)))
    c = stubs[j, _FAR]
    if c == a or not _keeps_classes(group, place, edges, a, b, c):
        return 0
    if not closes(dyads, a, b, c, ordered):
        return 0
    reverse(dyads, a, b, c, ordered)
    k = indptr[c]
    while stubs[k, _FAR] != a:
        k += 1
    at_b, at_c, at_a = (
        np.int64(stubs[i, _TWIN]),
        np.int64(stubs[j, _TWIN]),
        np.int64(stubs[k, _TWIN]),
    )
    _join(stubs, i, a, at_c, c)
    _join(stubs, k, c, at_b, b)
    _join(stubs, j, b, at_a, a)
    stubs[i, _ARC_ID] |= MOVED
    stubs[j, _ARC_ID] |= MOVED
    stubs[k, _ARC_ID] |= MOVED
    return 1


@kernel
def _keeps_classes(
    group: Ids, place: NDArray[np.float64], edges: NDArray[np.float64], a: Whole, b: Whole, c: Whole
) -> bool:
    """Return whether the reversal of a 3-cycle keeps the classes of its arcs.

    Lengths do not change. Two vertices have to be of one group, and then the two arcs of the third vertex, one from and
    one to another group, exchange their directions: their lengths have to be in one bin.
    """
    if group[a] == group[b]:
        odd, one, two = c, a, b
    elif group[b] == group[c]:
        odd, one, two = a, b, c
    elif group[c] == group[a]:
        odd, one, two = b, c, a
    else:
        return False
    if group[odd] == group[one] or edges.size == 0:
        return True
    return bool(_bin(place, edges, odd, one) == _bin(place, edges, odd, two))
