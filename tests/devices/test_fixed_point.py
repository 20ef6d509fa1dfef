"""Sums in fixed point equal sums of fractions, in any order, and are rounded once."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from triadic.core.compiled import kernel
from triadic.devices.cpu.triangles import weight_sums
from triadic.devices.cpu.triangles.weight_sums import (
    PRODUCT_FRACTION,
    PRODUCT_LIMBS,
    STRENGTH_LIMBS,
    VALUE_FRACTION,
    VALUE_LIMBS,
    add_square,
    carry,
    rounded,
    rounded_pairs,
    split,
)

ANY = st.floats(-1, 1, allow_nan=False)
VALUES = st.one_of(
    ANY,
    st.builds(lambda value, power: value * 2.0**power, ANY, st.integers(-300, 0)),
    st.sampled_from([0.0, -0.0, 1.0, -1.0, 1 - 2.0**-53, 2.0**-232, 2.0**-233, 5e-324, 2.0**-104, 1.5 * 2.0**-104]),
)
POSITIVE = VALUES.map(abs)


@kernel
def add_products(values, sums):
    for value in values:
        place, a, b, c = split(value, PRODUCT_FRACTION, PRODUCT_LIMBS)
        sums[0, place] += a
        sums[0, place + 1] += b
        sums[0, place + 2] += c


@kernel
def add_strengths(values, sums):
    for value in values:
        place, a, b, c = split(value, VALUE_FRACTION, VALUE_LIMBS)
        sums[0, place] += a
        sums[0, place + 1] += b
        sums[0, place + 2] += c
        add_square(value, sums[0])


def cut_off(value, fraction):
    """A value without the bits behind `fraction` bits."""
    units = Fraction(value) * 2**fraction
    return Fraction(abs(units.numerator) // units.denominator * (1 if value >= 0 else -1), 2**fraction)


def limbs_of(values, limbs=PRODUCT_LIMBS, add=add_products):
    sums = np.zeros((1, limbs), dtype=np.int64)
    add(np.array(values, dtype=np.float64), sums)
    return sums


def number(limbs, fraction):
    return Fraction(sum(int(limb) << (32 * place) for place, limb in enumerate(limbs)), 2**fraction)


@given(st.lists(VALUES, max_size=30))
def test_limbs_hold_the_exact_sum(values):
    assert number(limbs_of(values)[0], PRODUCT_FRACTION) == sum(cut_off(v, PRODUCT_FRACTION) for v in values)


@given(st.lists(VALUES, max_size=30), st.randoms())
def test_the_order_does_not_matter(values, chance):
    shuffled = chance.sample(values, len(values))
    assert np.array_equal(limbs_of(values), limbs_of(shuffled))


@given(st.lists(VALUES, max_size=30))
def test_a_sum_is_rounded_once(values):
    expected = float(sum((cut_off(v, PRODUCT_FRACTION) for v in values), Fraction(0)))
    assert rounded(limbs_of(values), PRODUCT_FRACTION, threads=1).tolist() == [expected]


@given(st.lists(VALUES, max_size=30), st.integers(1, 2**30))
def test_many_equal_sums_are_carried(values, times):
    limbs = limbs_of(values)
    carry(limbs, threads=2)
    assert ((limbs[:, :-1] >= 0) & (limbs[:, :-1] < 2**32)).all()
    assert np.array_equal(rounded(limbs, PRODUCT_FRACTION, threads=1), rounded(limbs_of(values), 232, threads=1))
    limbs *= times
    expected = float(times * sum((cut_off(v, PRODUCT_FRACTION) for v in values), Fraction(0)))
    assert rounded(limbs, PRODUCT_FRACTION, threads=1).tolist() == [expected]


@given(st.lists(st.integers(-(2**62), 2**62), min_size=8, max_size=8))
def test_any_limbs_are_rounded_to_the_nearest(limbs):
    row = np.array([limbs], dtype=np.int64)
    assert rounded(row, PRODUCT_FRACTION, threads=1).tolist() == [float(number(limbs, PRODUCT_FRACTION))]


def test_ties_go_to_the_even_number():
    for low, bit in ((1, 1), (3, 1), (1, 0), (3, 0)):
        row = np.array([[0, bit, 0, 1 << 31, (low << 20) + 0, 1 << 9, 0, 0]], dtype=np.int64)
        assert rounded(row, 0, threads=1)[0] == float(number(row[0], 0))


@given(st.lists(POSITIVE, max_size=20))
def test_sums_and_pairs_are_exact(values):
    limbs = limbs_of(values, STRENGTH_LIMBS, add_strengths)
    kept = [cut_off(v, VALUE_FRACTION) for v in values]
    pairs = sum((a * b for place, a in enumerate(kept) for b in kept[:place]), Fraction(0))
    strength = rounded(limbs, VALUE_FRACTION, count=VALUE_LIMBS, threads=1)
    assert strength.tolist() == [float(sum(kept, Fraction(0)))]
    assert rounded_pairs(limbs, threads=1).tolist() == [float(pairs)]
    squares = number(limbs[0, VALUE_LIMBS:], weight_sums.SQUARE_FRACTION)
    assert squares == sum(v * v for v in kept)


def test_pairs_beside_a_dominating_value_lose_nothing():
    values = [1.0, 2.0**-40, 2.0**-41]
    limbs = limbs_of(values, STRENGTH_LIMBS, add_strengths)
    assert rounded_pairs(limbs, threads=1)[0] == 2.0**-40 + 2.0**-41 + 2.0**-81


def test_many_rows_are_rounded_by_several_threads():
    values = np.random.default_rng(1).normal(size=(5000, 3)) / 8
    limbs = np.concatenate([limbs_of(row) for row in values])
    expected = [float(sum(map(Fraction, row))) for row in values.tolist()]
    assert rounded(limbs, PRODUCT_FRACTION, threads=2).tolist() == expected


def test_a_value_out_of_bounds_stays_within_its_row():
    for value in (2.0**200, np.inf, np.nan):
        sums = np.zeros((3, PRODUCT_LIMBS), dtype=np.int64)
        add_products(np.array([value]), sums[1:2])
        assert not sums[[0, 2]].any()
