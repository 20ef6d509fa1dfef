"""Kernels that switch the ends of edges, one random proposal after another.

Computes: a number of steps of a Markov chain over the simple graphs with the degrees of a given graph.
Requires: arcs sorted by tail, with `indptr`; edges; a `dyad_table` that holds both.
Idea: each step makes one of three proposals. Two arcs exchange their heads; two edges exchange one end each, in one of
  two ways chosen by a coin; or a directed 3-cycle is reversed, which consists of an arc a->b, a random arc b->c of b
  and the arc c->a if it exists. A proposal that would make a loop or a repeat, or join a dyad that is joined already,
  is rejected, and the graph stays the same for that step. Arcs keep their tails, so `indptr` stays valid. Each
  proposal is as likely as its reverse (slots are drawn uniformly whatever they hold, and a 3-cycle is drawn by the
  out-degrees of its vertices, which never change), so all graphs that the chain reaches are equally likely in the
  limit. Proposals are drawn 32 at a time and their cache lines prefetched, so that the walk seldom waits for memory.
Cost: about 50 ns per step if the table fits the cache, otherwise about 100 ns.

References
----------
R. Milo, N. Kashtan, S. Itzkovitz, M. E. J. Newman and U. Alon, arXiv cond-mat/0312028, 2003: switching.
A. R. Rao, R. Jana and S. Bandyopadhyay, Sankhya A 58, 225-242, 1996: why 3-cycles must be reversed.
B. K. Fosdick, D. B. Larremore, J. Nishimura and J. Ugander, SIAM Review 60, 315-355, 2018: why a rejected proposal
counts as a step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import prefetch
from triadic.generate.draws import GOLDEN, below, mix
from triadic.null_models.dyad_table import ARC, EMPTY, MUTUAL, contains, entry, home_slot, insert, remove, slot_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int32]
    Whole = int | np.integer[Any]

AHEAD = 32  # number of proposals drawn at a time
_ARCS, _EDGES, _CYCLE = 0, 1, 2
_CYCLE_BITS, _COIN_BIT = np.uint64(7), np.uint64(3)  # one proposal in eight on arcs concerns a 3-cycle
_1, _2 = np.uint64(1), np.uint64(2)


@kernel
def switch(
    key: np.uint64,
    begin: np.uint64,
    steps: Whole,
    tail: Ids,
    head: Ids,
    indptr: NDArray[np.int64],
    left: Ids,
    right: Ids,
    table: NDArray[np.int64],
    ordered: bool,
    kind: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    bits: NDArray[np.uint64],
) -> Whole:
    """Run `steps` steps from step `begin` of the walk `key`, in place; return the number of accepted proposals.

    The last four arrays have room for `AHEAD` proposals.
    """
    taken = np.int64(0)
    counter = key + _2 * begin * GOLDEN
    for start in range(0, steps, AHEAD):
        length = min(AHEAD, steps - start)
        counter = _draw(counter, length, tail, head, left, right, kind, first, second, bits)
        for p in range(length):
            i, j = first[p], second[p]
            if kind[p] == _CYCLE:
                prefetch(indptr, np.int64(head[i]))
            elif kind[p] == _ARCS:
                prefetch_entries(table, tail[i], head[i], tail[j], head[j], ordered)
            else:
                c, d = _oriented_edge(left, right, j, bits[p])
                prefetch_entries(table, left[i], right[i], c, d, ordered)
        for p in range(length):
            i, j = first[p], second[p]
            if kind[p] == _CYCLE:
                taken += _reverse_cycle(tail, head, indptr, table, i, bits[p], ordered)
            elif kind[p] == _ARCS:
                if exchange(table, tail[i], head[i], tail[j], head[j], ARC, ordered):
                    head[i], head[j] = head[j], head[i]
                    taken += 1
            else:
                c, d = _oriented_edge(left, right, j, bits[p])
                if i != j and exchange(table, left[i], right[i], c, d, MUTUAL, ordered):
                    left[j], right[j] = c, right[i]
                    right[i] = d
                    taken += 1
    return taken


@kernel
def _draw(
    counter: np.uint64,
    length: Whole,
    tail: Ids,
    head: Ids,
    left: Ids,
    right: Ids,
    kind: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    bits: NDArray[np.uint64],
) -> np.uint64:
    """Draw the kinds and the slots of the next proposals and prefetch the slots; return the new counter."""
    arcs, edges = np.int64(tail.size), np.int64(left.size)
    for p in range(length):
        slot = np.int64(below(mix(counter), np.uint64(arcs + edges)))
        other = mix(counter + GOLDEN)
        counter += _2 * GOLDEN
        bits[p] = other
        if slot >= arcs:
            kind[p] = _EDGES
            first[p] = slot - arcs
            second[p] = np.int64(below(other, np.uint64(edges)))
            prefetch(left, first[p])
            prefetch(right, first[p])
            prefetch(left, second[p])
            prefetch(right, second[p])
            continue
        kind[p] = _CYCLE if (other & _CYCLE_BITS) == np.uint64(0) else _ARCS
        first[p] = slot
        second[p] = np.int64(below(other, np.uint64(arcs)))
        prefetch(tail, slot)
        prefetch(head, slot)
        prefetch(tail, second[p])
        prefetch(head, second[p])
    return counter


@kernel
def _oriented_edge(left: Ids, right: Ids, i: Whole, bits: np.uint64) -> tuple[np.int32, np.int32]:
    """Return the ends of an edge, in an order chosen by a coin."""
    if ((bits >> _COIN_BIT) & _1) == np.uint64(0):
        return left[i], right[i]
    return right[i], left[i]


@kernel
def prefetch_entries(
    table: NDArray[np.int64], a: np.int32, b: np.int32, c: np.int32, d: np.int32, ordered: bool
) -> None:
    """Prefetch the four entries that exchanging b and d would read or write; their states do not matter."""
    prefetch(table, home_slot(table, entry(a, d, ARC, ordered)))
    prefetch(table, home_slot(table, entry(c, b, ARC, ordered)))
    prefetch(table, home_slot(table, entry(a, b, ARC, ordered)))
    prefetch(table, home_slot(table, entry(c, d, ARC, ordered)))


@kernel
def exchange(
    table: NDArray[np.int64], a: np.int32, b: np.int32, c: np.int32, d: np.int32, state: Whole, ordered: bool
) -> bool:
    """Replace a-b and c-d by a-d and c-b in the table, unless one of these is a loop or joined already."""
    if a == d or c == b:
        return False
    ad, cb = entry(a, d, state, ordered), entry(c, b, state, ordered)
    slot = slot_of(table, ad)
    if table[slot] != EMPTY or contains(table, cb):
        return False
    table[slot] = ad
    insert(table, cb)
    remove(table, entry(a, b, state, ordered))
    remove(table, entry(c, d, state, ordered))
    return True


@kernel
def _reverse_cycle(
    tail: Ids,
    head: Ids,
    indptr: NDArray[np.int64],
    table: NDArray[np.int64],
    i: Whole,
    bits: np.uint64,
    ordered: bool,
) -> Whole:
    """Reverse a 3-cycle a->b->c->a of slot `i`, with b->c drawn; return 1 if there is one without reciprocal arcs."""
    a, b = tail[i], head[i]
    row = indptr[b]
    out = indptr[b + 1] - row
    if out == 0:
        return 0
    j = row + np.int64(below(bits, np.uint64(out)))
    c = head[j]
    if c == a:
        return 0
    closing = entry(c, a, ARC, ordered)
    if table[slot_of(table, closing)] != closing:
        return 0
    if ordered:
        ba, cb, ac = entry(b, a, ARC, ordered), entry(c, b, ARC, ordered), entry(a, c, ARC, ordered)
        if contains(table, ba) or contains(table, cb) or contains(table, ac):
            return 0
        remove(table, entry(a, b, ARC, ordered))
        remove(table, entry(b, c, ARC, ordered))
        remove(table, closing)
    insert(table, entry(b, a, ARC, ordered))
    insert(table, entry(c, b, ARC, ordered))
    insert(table, entry(a, c, ARC, ordered))
    k = indptr[c]
    while head[k] != a:
        k += 1
    head[i], head[j], head[k] = c, a, b
    return 1


@kernel
def shuffle(key: np.uint64, values: Ids) -> None:
    """Shuffle values in place (Fisher and Yates; D. E. Knuth, *The Art of Computer Programming* 2, 3.4.2, P)."""
    counter = key
    for i in range(values.size - 1, 0, -1):
        j = np.int64(below(mix(counter), np.uint64(i + 1)))
        counter += GOLDEN
        values[i], values[j] = values[j], values[i]
