"""Kernels that switch the ends of edges, one random proposal after another.

Computes: a number of steps of a Markov chain over the simple graphs with the degrees of a given graph.
Requires: rows (tail, head) of arcs, sorted by tail, with `indptr`, and rows of edges after them; the `dyads` of both.
Idea: each step makes one of three proposals. Two arcs exchange their heads; two edges exchange one end each, in one of
  two ways chosen by a coin; or a directed 3-cycle is reversed, which consists of an arc a->b, a random arc b->c of b
  and the arc c->a if it exists. A proposal that would make a loop or a repeat, or join a dyad that is joined already,
  is rejected, and the graph stays the same for that step. Arcs keep their tails, so `indptr` stays valid. Each
  proposal is as likely as its reverse (rows are drawn uniformly whatever they hold, and a 3-cycle is drawn by the
  out-degrees of its vertices, which never change), so all graphs that the chain reaches are equally likely in the
  limit. Proposals are drawn 32 at a time, by vector instructions, and their cache lines prefetched, so that the walk
  seldom waits for memory.
Cost: about 10 ns per step of a small graph, and 100 ns if the rows and the dyads do not fit the cache.

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

from triadic.core.compiled import inline_kernel, kernel
from triadic.core.draws import GOLDEN, below, mix
from triadic.devices.cpu.intrinsics import prefetch
from triadic.null_models.dyad_table import ARC, MUTUAL
from triadic.null_models.dyads import MATRIX, closes, exchange, prefetch_dyads, reverse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int32]
    Whole = int | np.integer[Any]
    Dyads = NDArray[np.unsignedinteger[Any]]

_LOW_32 = np.uint64(0xFFFFFFFF)
AHEAD = 32  # proposals of a batch
RING = 4  # batches that are drawn but not made: the current one and two more
ROW = 2  # numbers of an arc: tail, head
_CYCLE_BITS = np.uint64(7)  # one proposal in eight on arcs concerns a 3-cycle
COIN = np.uint64(8)  # the bit that decides in which of two ways two edges exchange ends
_0, _1, _2, _32 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(32)


@kernel
def switch(
    key: np.uint64,
    begin: np.uint64,
    steps: Whole,
    ends: Ids,
    arcs: np.uint64,
    indptr: NDArray[np.int64],
    dyads: Dyads,
    ordered: bool,
    coin: np.uint64,
    first: NDArray[np.uint64],
    second: NDArray[np.uint64],
    bits: NDArray[np.uint64],
) -> Whole:
    """Run `steps` steps from step `begin` of the walk `key`, in place; return the number of accepted proposals.

    The first `arcs` rows of `ends` are arcs, the others edges. `dyads` may hold more arcs, which stay as they are. The
    ends of an edge are exchanged if the bits of `coin`, `COIN` or none, are set in its random number. The last three
    arrays have room for `RING` batches.
    """
    taken = np.int64(0)
    counter = key + _2 * begin * GOLDEN
    batches = (steps + AHEAD - 1) // AHEAD
    lead = 0 if dyads.ndim == MATRIX else 2  # a matrix is in the cache
    drawn = 0
    for batch in range(batches):
        while drawn <= min(batch + lead, batches - 1):
            at = (drawn % RING) * AHEAD
            _draw(counter, np.uint64(ends.size // ROW), arcs, at, first, second, bits)
            counter += _2 * np.uint64(AHEAD) * GOLDEN
            if lead > 0:
                _prefetch_rows(ends, at, first, second)
            drawn += 1
        now, soon = (batch % RING) * AHEAD, ((batch + 1) % RING) * AHEAD
        for p in range(min(AHEAD, steps - batch * AHEAD)):
            if lead > 0:
                q = soon + p
                _prefetch(ends, arcs, indptr, dyads, ordered, first[q], second[q], bits[q], coin)
            i, j, other = first[now + p], second[now + p], bits[now + p]
            if i >= arcs:
                c, d = _oriented_edge(ends, j, other & coin)
                if i != j and exchange(dyads, ends[_2 * i], ends[_2 * i + _1], c, d, MUTUAL, ordered):
                    ends[_2 * j], ends[_2 * j + _1] = c, ends[_2 * i + _1]
                    ends[_2 * i + _1] = d
                    taken += 1
            elif (other & _CYCLE_BITS) == _0:
                taken += _reverse_cycle(ends, indptr, dyads, i, other, ordered)
            else:
                b, d = ends[_2 * i + _1], ends[_2 * j + _1]
                moved = np.int32(exchange(dyads, ends[_2 * i], b, ends[_2 * j], d, ARC, ordered))
                change = (b ^ d) & -moved  # a branch on the outcome would often be foreseen wrongly
                ends[_2 * i + _1] = b ^ change
                ends[_2 * j + _1] = d ^ change
                taken += np.int64(moved)
    return taken


@kernel
def _draw(
    counter: np.uint64,
    rows: np.uint64,
    arcs: np.uint64,
    at: Whole,
    first: NDArray[np.uint64],
    second: NDArray[np.uint64],
    bits: NDArray[np.uint64],
) -> None:
    """Draw the rows of a batch of proposals, two of arcs or two of edges for each, and write them from `at` on."""
    first, second, bits = first[at : at + AHEAD], second[at : at + AHEAD], bits[at : at + AHEAD]
    if rows >> _32 == _0:  # two multiplications are enough for `below`
        for p in range(AHEAD):
            place = counter + _2 * np.uint64(p) * GOLDEN
            bits[p] = mix(place + GOLDEN)
            first[p] = _below_32(mix(place), rows)
            least, bound = (_0, arcs) if first[p] < arcs else (arcs, rows - arcs)
            second[p] = least + _below_32(bits[p], bound)
        return
    for p in range(AHEAD):
        place = counter + _2 * np.uint64(p) * GOLDEN
        bits[p] = mix(place + GOLDEN)
        first[p] = below(mix(place), rows)
        least, bound = (_0, arcs) if first[p] < arcs else (arcs, rows - arcs)
        second[p] = least + below(bits[p], bound)


@inline_kernel
def _below_32(bits: np.uint64, bound: np.uint64) -> np.uint64:
    """Return ``below(bits, bound)`` for a bound of at most 32 bits."""
    return ((bits >> _32) * bound + (((bits & _LOW_32) * bound) >> _32)) >> _32


@inline_kernel
def _prefetch_rows(ends: Ids, at: Whole, first: NDArray[np.uint64], second: NDArray[np.uint64]) -> None:
    """Prefetch the rows of a batch of proposals."""
    for q in range(at, at + AHEAD):
        prefetch(ends, ROW * np.int64(first[q]))
        prefetch(ends, ROW * np.int64(second[q]))


@inline_kernel
def _prefetch(
    ends: Ids,
    arcs: np.uint64,
    indptr: NDArray[np.int64],
    dyads: Dyads,
    ordered: bool,
    i: np.uint64,
    j: np.uint64,
    bits: np.uint64,
    coin: np.uint64,
) -> None:
    """Prefetch what a proposal reads besides its rows, as far as steps before it do not change them."""
    if i >= arcs:
        c, d = _oriented_edge(ends, j, bits & coin)
        prefetch_dyads(dyads, ends[_2 * i], ends[_2 * i + _1], c, d, ordered)
    elif (bits & _CYCLE_BITS) == _0:
        prefetch(indptr, np.int64(ends[_2 * i + _1]))
    else:
        prefetch_dyads(dyads, ends[_2 * i], ends[_2 * i + _1], ends[_2 * j], ends[_2 * j + _1], ordered)


@inline_kernel
def _oriented_edge(ends: Ids, i: np.uint64, turned: np.uint64) -> tuple[np.int32, np.int32]:
    """Return the ends of an edge, exchanged if `turned` is not 0."""
    if turned == _0:
        return ends[_2 * i], ends[_2 * i + _1]
    return ends[_2 * i + _1], ends[_2 * i]


@inline_kernel
def _reverse_cycle(
    ends: Ids, indptr: NDArray[np.int64], dyads: Dyads, i: np.uint64, bits: np.uint64, ordered: bool
) -> Whole:
    """Reverse a 3-cycle a->b->c->a of row `i`, with b->c drawn; return 1 if there is one without reciprocal arcs."""
    a, b = ends[_2 * i], ends[_2 * i + _1]
    row = indptr[b]
    out = indptr[b + 1] - row
    if out == 0:
        return 0
    j = np.uint64(row) + below(bits, np.uint64(out))
    c = ends[_2 * j + _1]
    if c == a or not closes(dyads, a, b, c, ordered):
        return 0
    k, stop = np.uint64(indptr[c]), np.uint64(indptr[c + 1])
    while k < stop and ends[_2 * k + _1] != a:
        k += _1
    if k == stop:  # the arc c->a is not one of these rows
        return 0
    reverse(dyads, a, b, c, ordered)
    ends[_2 * i + _1], ends[_2 * j + _1], ends[_2 * k + _1] = c, a, b
    return 1


@kernel
def shuffle(key: np.uint64, values: Ids) -> None:
    """Shuffle values in place (Fisher and Yates; D. E. Knuth, *The Art of Computer Programming* 2, 3.4.2, P)."""
    counter = key
    for i in range(values.size - 1, 0, -1):
        j = np.int64(below(mix(counter), np.uint64(i + 1)))
        counter += GOLDEN
        values[i], values[j] = values[j], values[i]
