"""The dyads of a graph while a walk exchanges ends of its arcs: a matrix of bits if it is small, else a hash table.

A dyad is a pair of joined vertices with the directions in which arcs join them. Matrix and table answer every question
alike, so that a walk does not depend on the choice. Kernels tell a matrix from a table by its number of axes, of which
numba compiles one branch alone.

The matrix

Computes: whether and how two vertices are joined, while the ends of arcs are exchanged.
Requires: n * n / 8 bytes, best fewer than the second-level cache has.
Idea: bit v of row u is set if there is an arc from u to v. The bits of the diagonal are set, so that a loop counts as
  joined already and needs no test. A step of a walk flips its bits whether it is accepted or not, by 1 or by 0, because
  the processor cannot foresee the outcome, and a wrong guess costs more than the flips. Words are bytes, so that steps
  which the processor overlaps seldom touch the same word.
Cost: two or four reads and four or eight flips of bits for each exchange.

The table

Computes: the same.
Requires: ids below 2**30.
Idea: the two ids of a dyad, side by side, are one number, which a bijection scatters. Its upper bits are the number of
  a *bucket*, a cache line of 16 entries of 32 bits or of 8 of 64 bits. Its lower bits are the entry, so that half the
  memory suffices. Vector instructions compare all entries of a bucket at once, and a look-up reads one cache line,
  without a loop. Dyads whose bucket is full go to the next one, and their entries hold how many buckets they passed.
  All buckets that an entry passed are full. A removal from a full bucket therefore moves a later entry up (as D. E.
  Knuth, *The Art of Computer Programming* 3, section 6.4, algorithm R), so that look-ups stay fast after any number of
  changes.
Cost: 7 to 14 bytes per dyad in large graphs with entries of 32 bits, which fit unless there are few arcs a vertex;
  otherwise 20 to 40. Expected constant time per operation.

A table of `ordered` pairs has one entry for each arc, with state 1, and ignores an arc the other way. A table of
unordered pairs has one entry for each dyad, smaller id first, with state 1 for an arc from the smaller id, 2 for an arc
to it and 3 for both.

An entry is, from the lowest bit: 2 bits of state, the remainder, the number of buckets passed. All bits of an empty
entry are 1. The line before the buckets holds the number of bits of an id, and that of a remainder.

An entry of 64 bits can pass all buckets, one of 32 bits at least 254. Scattered dyads pass few, but a graph can be made
whose dyads share a bucket. To fill a table with it raises an OverflowError as soon as an entry passes half as many. A
walk is not slowed down by such a check: it replaces dyads by random ones, which scatter.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import inline_kernel, kernel
from triadic.core.draws import GOLDEN
from triadic.devices.cpu.intrinsics import LINE, Whole, aligned, equal_lanes, prefetch, trailing_zeros

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, UnsignedArray

    Ids = Int32Array
    Dyads = UnsignedArray

MATRIX = 2  # number of axes of a matrix; a table has one
# Up to 4,096 vertices. A matrix of twice as many is no faster than a table any more.
_MATRIX_BYTES = 1 << 21
MOST_VERTICES = 1 << 30
# int64, not int: numba would compile each function that takes a state once for each int that its code names.
ARC, MUTUAL = np.int64(1), np.int64(3)
SHORT, LONG = 4, 8  # bytes of an entry
_MOST_FILLED = {SHORT: 9.6, LONG: 3.2}  # by bytes of an entry: mean entries of a bucket; at both few buckets are full
_PASSED_BITS = 8  # of an entry of 32 bits; that 255 buckets in a row are full has a chance below exp(-500)
_LAST_BIT = np.uint64(31)  # of an entry of 32 bits: the number of buckets passed is half as large as it can be
_0, _1, _2, _3, _7 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(7)
_SCATTER = np.uint64(0xD6E8FEB86659FD93)
_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)


def make_dyads(vertices: int, tail: Ids, head: Ids, left: Ids, right: Ids, *, ordered: bool) -> Dyads:
    """Return the dyads of some arcs, and of some edges or pairs joined both ways."""
    width = (vertices + 7) // 8
    if vertices * width <= _MATRIX_BYTES:
        matrix = np.zeros((vertices, width), np.uint8)
        vertex = np.arange(vertices, dtype=np.int32)
        fill_matrix(matrix, vertex, vertex, ARC)
        fill_matrix(matrix, tail, head, ARC)
        fill_matrix(matrix, left, right, MUTUAL)
        return matrix
    for least in (SHORT, LONG):  # long ones for a graph that was made so that its dyads share a bucket
        table = empty_table(vertices, len(tail) + len(left), least=least)
        with suppress(OverflowError):
            fill_table(table, tail, head, ARC, ordered)
            fill_table(table, left, right, MUTUAL, ordered)
            break
    return table


def copy_dyads(dyads: Dyads) -> Dyads:
    """Return a copy, for a walk of its own; that of a table begins at a cache line."""
    if dyads.ndim == MATRIX:
        return dyads.copy()
    copied: Dyads = aligned(dyads.size, dyads.dtype)
    copied[:] = dyads
    return copied


@inline_kernel
def prefetch_dyads(dyads: Dyads, a: np.int32, b: np.int32, c: np.int32, d: np.int32, ordered: bool) -> None:
    """Prefetch what exchanging b and d reads or writes: bits in either direction, or buckets whatever their states."""
    if dyads.ndim == MATRIX:
        for u, v in ((a, b), (a, d), (c, b), (c, d)):
            for tail, head in ((u, v), (v, u)):
                prefetch(dyads, np.int64(tail) * dyads.shape[1] + (np.int64(head) >> 3))
    else:
        for u, v in ((a, d), (c, b), (a, b), (c, d)):
            prefetch(dyads, np.int64(place(dyads, u, v, ARC, ordered)[0]))


@inline_kernel
def exchange(dyads: Dyads, a: np.int32, b: np.int32, c: np.int32, d: np.int32, state: Whole, ordered: bool) -> bool:
    """Replace a-b and c-d by a-d and c-b, unless one of these is a loop or joined already; return whether it did."""
    if dyads.ndim == MATRIX:
        u, v, x, y = np.uint64(a), np.uint64(b), np.uint64(c), np.uint64(d)
        taken = has_arc(dyads, u, y) | has_arc(dyads, x, v)
        if not ordered:
            taken |= has_arc(dyads, y, u) | has_arc(dyads, v, x)
        free = taken ^ _1
        for tail, head in ((u, y), (x, v), (u, v), (x, y)):
            flip(dyads, tail, head, free)
            if state == MUTUAL:
                flip(dyads, head, tail, free)
        return bool(free == _1)
    if a == d or c == b:
        return False
    start, ad = place(dyads, a, d, state, ordered)
    other, cb = place(dyads, c, b, state, ordered)
    if contains(dyads, start, ad) or contains(dyads, other, cb):
        return False
    insert(dyads, start, ad)
    insert(dyads, other, cb)
    for one, two in ((a, b), (c, d)):
        start, entry = place(dyads, one, two, state, ordered)
        remove(dyads, start, entry)
    return True


@inline_kernel
def closes(dyads: Dyads, a: np.int32, b: np.int32, c: np.int32, ordered: bool) -> bool:
    """Return whether c->a exists, as a->b and b->c do, and none of the three has a reciprocal arc."""
    if dyads.ndim == MATRIX:
        u, v, w = np.uint64(a), np.uint64(b), np.uint64(c)
        back = has_arc(dyads, v, u) | has_arc(dyads, w, v) | has_arc(dyads, u, w)
        return bool((has_arc(dyads, w, u) & (back ^ _1)) == _1)
    start, closing = place(dyads, c, a, ARC, ordered)
    last = slot_of(dyads, start, closing)
    if last == _0 or (np.uint64(dyads[last]) ^ closing) & _3 != _0:
        return False
    if ordered:
        for tail, head in ((b, a), (c, b), (a, c)):
            start, entry = place(dyads, tail, head, ARC, ordered)
            if contains(dyads, start, entry):
                return False
    return True


@kernel
def reverse(dyads: Dyads, a: np.int32, b: np.int32, c: np.int32, ordered: bool) -> None:
    """Reverse the 3-cycle a->b->c->a, which `closes`."""
    for tail, head in ((a, b), (b, c), (c, a)):
        if dyads.ndim == MATRIX:
            u, v = np.uint64(tail), np.uint64(head)
            flip(dyads, u, v, _1)
            flip(dyads, v, u, _1)
            continue
        start, entry = place(dyads, tail, head, ARC, ordered)
        if ordered:
            remove(dyads, start, entry)
            start, entry = place(dyads, head, tail, ARC, ordered)
            insert(dyads, start, entry)
        else:
            slot = slot_of(dyads, start, entry)
            dyads[slot] = np.uint64(dyads[slot]) ^ _3


@kernel
def fill_matrix(matrix: Dyads, source: Ids, target: Ids, state: Whole) -> None:
    """Set the bits of arcs, and of their reverses if the state is MUTUAL."""
    for i in range(source.size):
        u, v = np.uint64(source[i]), np.uint64(target[i])
        matrix[u, v >> _3] |= np.uint8(_1 << (v & _7))
        if state == MUTUAL:
            matrix[v, u >> _3] |= np.uint8(_1 << (u & _7))


@inline_kernel
def has_arc(matrix: Dyads, u: np.uint64, v: np.uint64) -> np.uint64:
    """Return 1 if there is an arc from u to v, otherwise 0; 1 if u and v are the same vertex."""
    return (np.uint64(matrix[u, v >> _3]) >> (v & _7)) & _1


@inline_kernel
def flip(matrix: Dyads, u: np.uint64, v: np.uint64, by: np.uint64) -> None:
    """Flip the bit of the arc from u to v if `by` is 1."""
    matrix[u, v >> _3] ^= np.uint8(by << (v & _7))


@inline_kernel
def place(table: Dyads, u: Whole, v: Whole, state: Whole, ordered: bool) -> tuple[np.uint64, np.uint64]:
    """Return the first slot of the bucket of a dyad, and its entry there; `state` says the arcs as seen from `u`."""
    width, rest = np.uint64(table[0]), np.uint64(table[1])
    a, b, kind = np.uint64(u), np.uint64(v), np.uint64(state)
    if not ordered and a > b:
        a, b, kind = b, a, ((kind & _1) << _1) | (kind >> _1)
    inside = (_1 << (width + width)) - _1
    code = (a << width) | b
    code = ((code ^ (code >> width)) * _SCATTER) & inside
    code = ((code ^ (code >> width)) * GOLDEN) & inside
    remainder = code & ((_1 << rest) - _1)
    return ((code >> rest) + _1) * lanes(table), (remainder << _2) | kind


@inline_kernel
def lanes(table: Dyads) -> np.uint64:
    """Return the number of entries of a bucket."""
    return np.uint64(LINE // table.itemsize)


@inline_kernel
def _passed(table: Dyads) -> np.uint64:
    """Return one passed bucket, as it is added to an entry."""
    return _1 << (np.uint64(table[1]) + _2)


@inline_kernel
def _next(table: Dyads, start: np.uint64) -> np.uint64:
    """Return the first slot of the bucket after that of a first slot."""
    start += lanes(table)
    return start if start < np.uint64(table.size) else lanes(table)


@inline_kernel
def slot_of(table: Dyads, start: np.uint64, entry: np.uint64) -> np.uint64:
    """Return the slot of a dyad in any state, or 0 if the table does not hold it."""
    while True:
        found = equal_lanes(table, start, entry, _3)
        if found != _0:
            return np.uint64(start + trailing_zeros(found))
        if equal_lanes(table, start, _EMPTY, _0) != _0:
            return _0
        start = _next(table, start)
        entry += _passed(table)


@inline_kernel
def contains(table: Dyads, start: np.uint64, entry: np.uint64) -> bool:
    """Return whether the table holds a dyad, in any state."""
    return bool(slot_of(table, start, entry) != _0)


@inline_kernel
def insert(table: Dyads, start: np.uint64, entry: np.uint64) -> None:
    """Insert a dyad, which the table must not hold."""
    while True:
        free = equal_lanes(table, start, _EMPTY, _0)
        if free != _0:
            table[start + trailing_zeros(free)] = entry
            return
        start = _next(table, start)
        entry += _passed(table)


@inline_kernel
def remove(table: Dyads, start: np.uint64, entry: np.uint64) -> None:
    """Remove a dyad, which the table must hold."""
    hole = slot_of(table, start, entry)
    at = hole & ~(lanes(table) - _1)
    full = equal_lanes(table, at, _EMPTY, _0) == _0
    table[hole] = _EMPTY
    if full:
        _move_up(table, at, hole)


@kernel
def _move_up(table: Dyads, at: np.uint64, hole: np.uint64) -> None:
    """Fill the hole of a bucket that was full with an entry that passed it, and so on if that one's bucket was full."""
    one = _passed(table)
    shift = np.uint64(table[1]) + _2
    bucket, distance = at, _0
    while True:
        bucket, distance = _next(table, bucket), distance + _1
        full = equal_lanes(table, bucket, _EMPTY, _0) == _0
        for slot in range(bucket, bucket + lanes(table)):
            found = np.uint64(table[slot])
            if found != np.uint64(table.dtype.type(_EMPTY)) and (found >> shift) >= distance:
                table[hole] = found - distance * one
                hole, distance = np.uint64(slot), _0
                table[hole] = _EMPTY
                break
        if not full:
            return


@kernel
def fill_table(table: Dyads, source: Ids, target: Ids, state: Whole, ordered: bool) -> None:
    """Insert dyads that share one state; raise an OverflowError if an entry of 32 bits passes too many buckets."""
    for i in range(source.size):
        start, entry = place(table, source[i], target[i], state, ordered)
        while equal_lanes(table, start, _EMPTY, _0) == _0:
            start = _next(table, start)
            entry += _passed(table)
        if table.itemsize == SHORT and entry >> _LAST_BIT != _0:
            raise OverflowError("the dyads of the graph pass too many full buckets of a table of entries of 32 bits")
        insert(table, start, entry)


def empty_table(vertices: int, dyads: int, *, least: int = SHORT) -> Dyads:
    """Return an empty table for some dyads between some vertices, with entries of `least` bytes or more."""
    width = max(1, (vertices - 1).bit_length())
    for size, filled in _MOST_FILLED.items():
        if size < least:
            continue
        bits = int(dyads / filled).bit_length()
        rest = max(0, 2 * width - bits)
        if 8 * size - 2 - rest >= min(bits + 1, _PASSED_BITS):
            break
    kind = np.dtype(f"u{size}").type
    table: Dyads = aligned(((1 << (2 * width - rest)) + 1) * LINE // size, kind)
    table[:] = kind(_EMPTY)
    table[:2] = width, rest
    return table
