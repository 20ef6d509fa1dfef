"""Sums of weights at each vertex, the same to the bit for any number of threads: in fixed point, or in a fixed order.

Computes: the limbs of a float64, of its square, and the float64 that is nearest to a row of limbs.
Requires: values of absolute value 1 at most. A larger value does no harm, but its sum is wrong.
Idea: a row of int64 holds the digits of a number in base 2^32, the lowest digit first, in units of 2^-FRACTION. The 53
  bits of a float64 are in three neighbouring digits, so that adding one takes three additions of integers. Digits are
  signed and may exceed 2^32: a row is a sum of up to 2^31 numbers before `carry` brings its digits below 2^32. The
  highest digit has 8 bits of the largest value, and room for 2^55 of them. Only bits below the unit are cut off, from
  each value for itself, so that the sum of some values depends on the values alone.
Cost: about twenty instructions to split a value; a pass over the digits to round a sum.

Sums of the values of the edges at each rank, and of their squares, as rows of integers in fixed point.

Computes: for each rank the limbs of the sum of its edges' values, and behind them those of the sum of their squares.
Requires: rows of an oriented graph, and a value of absolute value 1 at most for each entry.
Idea: each entry is split once and added at both its ends. The square of a sum less the sum of the squares is twice the
  sum of the products of all pairs; in fixed point that difference loses nothing.
Cost: some sixty instructions an entry; 192 bytes a rank and worker.

Sums of weights at each vertex, the same to the bit for any number of threads.

Computes: for each rank the sum of the values of its edges (its strength, if the values are weights); for each row of a
  graph its sum and the sum of the products of all pairs in it.
Requires: rows of an oriented graph, or of a graph, and a float64 for each entry.
Idea: rows are cut by the size of the graph alone, not by the number of threads. Each cut has sums of its own, which are
  then added up in order.
Cost: O(edges + vertices), a few additions each; the sums of all cuts together take at most 16 bytes an entry.

References
----------
Kulisch and Miranker (1986), SIAM Review 28, 1, for sums of products in long fixed-point registers; Collange, Defour,
Graillat and Iakymchuk (2015), Parallel Computing 49, 83, for such sums that are equal for any number of threads.
Barrat, Barthélemy, Pastor-Satorras and Vespignani (2004), PNAS 101, 3747, for the strength in the denominator of
weighted clustering; Zhang and Horvath (2005), Statistical Applications in Genetics and Molecular Biology 4, 17, for the
sum over pairs in theirs.
"""

from __future__ import annotations

from functools import partial
from math import ldexp
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import summed, zeros
from triadic.core.compiled import inline_kernel, kernel
from triadic.core.oriented import frozen
from triadic.devices.cpu.intrinsics import AHEAD_SUM, Whole, prefetch
from triadic.devices.cpu.triangles.triangle_work import rows_of
from triadic.devices.cpu.vertex_arrays import sum_over_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Float64Array, Int64Array, Uint64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.intrinsics import Rows

    Number = float | np.float64
    Bounds = tuple[int, int]

# Limbs and fraction bits: of products of three values; of values; and of squares of such values cut to VALUE_FRACTION.
PRODUCT_LIMBS, PRODUCT_FRACTION = 8, 232
VALUE_LIMBS, VALUE_FRACTION = 8, 232
SQUARE_LIMBS, SQUARE_FRACTION = 16, 2 * VALUE_FRACTION

STRENGTH_LIMBS = VALUE_LIMBS + SQUARE_LIMBS
"""Limbs of the sum of some values and, behind them, of the sum of their squares."""

MOST_ADDED = 1 << 31
"""Numbers with digits below 2^32 that a row can be the sum of."""

_BITS = 32  # of a digit
_DIGIT = np.uint64((1 << _BITS) - 1)
_WIDTH = np.uint64(_BITS)
_MANTISSA, _HIDDEN = np.uint64((1 << 52) - 1), np.uint64(1 << 52)
_MANTISSA_BITS = 53
_UNIT_EXPONENT = 1075  # of a float64 whose lowest bit is 1
_NONE, _ONE = np.uint64(0), np.uint64(1)
_MOST_CUTS = 16
_BYTES_AN_ENTRY = 16  # limit on the sums of all cuts but the first together


def rounded(limbs: Int64Array, fraction: int, *, threads: int, count: int | None = None) -> Float64Array:
    """Return the float64 that is nearest to each row of limbs: shape (rows,).

    Parameters
    ----------
    limbs : int64 array, shape (rows, limbs)
        Digits with any carries.
    fraction : int
        Number of bits behind the point.
    threads : int
    count : int, optional
        Number of first limbs that hold the numbers; by default all.
    """
    first = limbs.shape[1] if count is None else count
    numbers = np.empty(len(limbs))
    _over_rows(limbs, lambda begin, end: round_rows(limbs, first, fraction, begin, end, numbers), threads)
    return numbers


def rounded_pairs(limbs: Int64Array, *, threads: int) -> Float64Array:
    """Return the sum of the products of all pairs of values, from the sums of non-negative values and of their squares.

    The difference of the square of the sum and the sum of squares is exact, and rounded once.

    Parameters
    ----------
    limbs : int64 array, shape (rows, STRENGTH_LIMBS)
    threads : int

    Returns
    -------
    float64 array, shape (rows,)
    """
    numbers = np.empty(len(limbs))
    _over_rows(limbs, lambda first, last: round_pairs(limbs, first, last, numbers), threads)
    return numbers


def carry(limbs: Int64Array, *, threads: int) -> None:
    """Bring all digits but the highest of each row into 0 .. 2^32 - 1; the number stays the same."""
    _over_rows(limbs, lambda first, last: carry_rows(limbs, first, last), threads)


def _over_rows(limbs: Int64Array, task: Callable[[int, int], None], threads: int) -> None:
    """Run ``task(first, last)`` over blocks of the rows of limbs."""
    cuts = blocks.cut_pieces(len(limbs), blocks.piece(limbs.size))
    blocks.run_cuts(lambda _, bounds: task(*bounds), cuts, threads=threads)


@inline_kernel
def split(value: Number, fraction: int, limbs: int) -> tuple[Whole, Whole, Whole, Whole]:
    """Return the place of the lowest digit of a value, and three digits, all of the sign of the value."""
    bits = np.float64(value).view(np.uint64)
    mantissa = (bits & _MANTISSA) | _HIDDEN
    shift = np.int64((bits >> np.uint64(52)) & np.uint64(0x7FF)) - (_UNIT_EXPONENT - fraction)
    if shift < 0:
        # A zero and a subnormal number have the exponent 0: nothing of them remains.
        mantissa = mantissa >> np.uint64(-shift) if shift > -_MANTISSA_BITS else _NONE
        shift = np.int64(0)
    place = min(shift >> 5, np.int64(limbs - 3))  # of a value within bounds never the second
    within = np.uint64(shift & (_BITS - 1))
    low = (mantissa & _DIGIT) << within
    high = ((mantissa >> _WIDTH) << within) + (low >> _WIDTH)
    a, b, c = np.int64(low & _DIGIT), np.int64(high & _DIGIT), np.int64(high >> _WIDTH)
    if bits >> np.uint64(63):
        return place, -a, -b, -c
    return place, a, b, c


@inline_kernel
def add_square(value: Number, sums: Int64Array) -> None:
    """Add the exact square of a value, cut to VALUE_FRACTION, to `sums` from the limb VALUE_LIMBS on."""
    place, a, b, c = split(abs(value), VALUE_FRACTION, VALUE_LIMBS)
    digits = np.uint64(a), np.uint64(b), np.uint64(c)
    at = VALUE_LIMBS + 2 * place
    rest = above = _NONE
    for k in range(6):
        rest += above
        above = _NONE
        for i in range(max(0, k - 2), min(k, 2) + 1):  # the lower half of a product, and the half for the next limb
            product = digits[i] * digits[k - i]
            rest += product & _DIGIT
            above += product >> _WIDTH
        sums[at + k] += np.int64(rest & _DIGIT)
        rest >>= _WIDTH


@kernel
def carry_rows(limbs: Int64Array, first: int, last: int) -> None:
    """Carry in the rows `first` .. `last` - 1."""
    for row in range(first, last):
        for digit in range(limbs.shape[1] - 1):
            over = limbs[row, digit] >> _BITS  # rounds down, also of a negative digit
            limbs[row, digit] -= over << _BITS
            limbs[row, digit + 1] += over


@kernel
def round_rows(limbs: Int64Array, count: int, fraction: int, first: int, last: int, numbers: Float64Array) -> None:
    """Write the nearest float64 of the first `count` limbs of the rows `first` .. `last` - 1."""
    digits = np.empty(count + 1, np.uint64)
    for row in range(first, last):
        negative = digits_of(limbs, row, 0, digits)
        number = nearest(digits, fraction)
        numbers[row] = -number if negative else number


@kernel
def round_pairs(limbs: Int64Array, first: int, last: int, numbers: Float64Array) -> None:
    """Write half the difference of the square of the sum and of the sum of squares, for `first` .. `last` - 1."""
    total = np.empty(VALUE_LIMBS + 1, np.uint64)
    squares = np.empty(2 * len(total), np.uint64)
    product = np.empty(2 * len(total), np.uint64)
    for row in range(first, last):
        digits_of(limbs, row, 0, total)
        digits_of(limbs, row, VALUE_LIMBS, squares)
        product[:] = 0
        for i in range(len(total)):
            over = _NONE
            for j in range(len(total)):
                now = product[i + j] + total[i] * total[j] + over
                product[i + j] = now & _DIGIT
                over = now >> _WIDTH
            product[i + len(total)] = over
        borrow = _NONE
        for i in range(len(product)):
            now = product[i] - squares[i] - borrow
            borrow = (now >> _WIDTH) & _ONE
            product[i] = now & _DIGIT
        numbers[row] = nearest(product, SQUARE_FRACTION + 1)


@kernel
def digits_of(limbs: Int64Array, row: int, first: int, digits: Uint64Array) -> bool:
    """Write the digits of the absolute value of the limbs from `first` on, and return whether they are negative.

    The limbs are those up to the end of the row, or as many as there are digits but one.
    """
    count = min(limbs.shape[1] - first, len(digits) - 1)
    negative = False
    for sign in (1, -1):
        over = np.int64(0)
        for digit in range(count):
            now = sign * limbs[row, first + digit] + over
            digits[digit] = np.uint64(now) & _DIGIT
            over = now >> _BITS
        if over >= 0:
            digits[count:] = 0
            digits[count] = np.uint64(over)
            negative = sign < 0
            break
    return negative


@kernel
def nearest(digits: Uint64Array, fraction: int) -> float:
    """Return the float64 that is nearest to a number of digits below 2^32, in units of 2^-fraction; ties to even."""
    top = len(digits) - 1
    while top >= 0 and digits[top] == 0:
        top -= 1
    if top < 0:
        return 0.0
    zeros = np.uint64(0)
    while (digits[top] << zeros) >> np.uint64(_BITS - 1) == 0:
        zeros += _ONE
    head = digits[top] << (zeros + _WIDTH)
    rest = _NONE
    if top >= 1:
        head |= digits[top - 1] << zeros
    if top >= 2:
        head |= digits[top - 2] >> (_WIDTH - zeros)
        rest = (digits[top - 2] << zeros) & _DIGIT
    for digit in range(top - 2):
        rest |= digits[digit]
    if rest != 0:  # the 64 bits of the head, of which the last stands for all bits below, round as the whole number
        head |= _ONE
    return ldexp(float(head), int(_BITS * top - _BITS - np.int64(zeros) - fraction))


def strengths(
    oriented: Oriented, values: Float64Array, *, threads: int, progress: Progress | None = None
) -> Int64Array:
    """Add up the values and the squares of the values of the edges of each rank: int64, shape (n, STRENGTH_LIMBS).

    Parameters
    ----------
    oriented : Oriented
    values : float64 array, shape (m,)
        By entry of the oriented rows.
    threads : int
    progress : callable, optional
    """
    add = partial(add_entries, rows_of(oriented), frozen(values))
    return sum_over_rows(oriented.indptr, STRENGTH_LIMBS, add, threads=threads, progress=progress)


@kernel
def add_entries(rows: Rows, values: Float64Array, first: int, last: int, sums: Int64Array) -> None:
    """Add the entries of the rows `first` .. `last` - 1 at both their ends."""
    indptr, indices = rows
    entry = np.zeros(STRENGTH_LIMBS, np.int64)
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[i])
            entry[:] = 0
            place, a, b, c = split(values[i], VALUE_FRACTION, VALUE_LIMBS)
            entry[place], entry[place + 1], entry[place + 2] = a, b, c
            add_square(values[i], entry)
            for limb in range(STRENGTH_LIMBS):
                sums[u, limb] += entry[limb]
                sums[v, limb] += entry[limb]


def sum_over_cuts(indptr: Int64Array, add: Callable[[Bounds, Float64Array], None], *, threads: int) -> Float64Array:
    """Run ``add((first, last), sums)`` over cuts of rows, each with sums of its own: float64, shape (n,)."""
    n, entries = len(indptr) - 1, int(indptr[-1])
    most = min(_MOST_CUTS, 1 + _BYTES_AN_ENTRY * entries // max(1, 8 * n))
    cuts = blocks.cut(indptr, blocks.piece(entries), most=most)
    partial_sums = zeros(len(cuts) - 1, n, np.float64) or [np.zeros(n)]
    blocks.run(lambda _, b: add((cuts[b], cuts[b + 1]), partial_sums[b]), len(cuts) - 1, threads=threads)
    return summed(partial_sums, threads=threads)


def sum_at_ends(oriented: Oriented, values: Float64Array, *, threads: int) -> Float64Array:
    """Add up the values of the edges of each rank, given by entry of the rows: float64, shape (n,)."""
    return sum_over_cuts(oriented.indptr, partial(add_at_ends, rows_of(oriented), values), threads=threads)


def sums_and_pairs(indptr: Int64Array, values: Float64Array, *, threads: int) -> tuple[Float64Array, Float64Array]:
    """Add up the values of each row, and the products of all pairs of them: two float64 arrays, shape (n,)."""
    n = len(indptr) - 1
    sums, pairs = np.zeros(n), np.zeros(n)
    cuts = blocks.cut(indptr)
    blocks.run_cuts(lambda _, bounds: add_rows(indptr, values, bounds, sums, pairs), cuts, threads=threads)
    return sums, pairs


@kernel
def add_at_ends(rows: Rows, values: Float64Array, bounds: Bounds, sums: Float64Array) -> None:
    """Add the values of some rows to the sums of both ends."""
    indptr, indices = rows
    first, last = bounds
    for u in range(first, last):
        own = 0.0
        for i in range(indptr[u], indptr[u + 1]):
            if i + AHEAD_SUM < indices.size:
                prefetch(sums, np.int64(indices[i + AHEAD_SUM]))
            own += values[i]
            sums[np.int64(indices[i])] += values[i]
        sums[u] += own


@kernel
def add_rows(indptr: Int64Array, values: Float64Array, bounds: Bounds, sums: Float64Array, pairs: Float64Array) -> None:
    """Write the sum of each row, and the sum of the products of its pairs, without a difference of squares."""
    first, last = bounds
    for v in range(first, last):
        total = 0.0
        products = 0.0
        for i in range(indptr[v], indptr[v + 1]):
            products += values[i] * total
            total += values[i]
        sums[v] = total
        pairs[v] = products
