"""Sums past 2**63 are exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triadic.core.exact import exact_sum
from triadic.measures.clustering import count_of, transitivity_of


@given(values=st.lists(st.integers(0, 2**63 - 1)))
def test_a_sum_equals_the_sum_of_python_integers(values):
    assert exact_sum(np.array(values, dtype=np.int64)) == sum(values)


@pytest.mark.parametrize("value", [2**31, 2**32 - 1, 2**32, 2**63 - 1])
def test_a_long_sum_passes_64_bits(value):
    count = 1 << 20
    assert exact_sum(np.full(count, value)) == count * value


def test_triangles_and_wedges_of_a_network_may_pass_64_bits_in_all():
    """Three million vertices of the degrees of a complete graph on 2**31 - 1 of them."""
    n = 2**31 - 1
    at_vertex, degree = (n - 1) * (n - 2) // 2, n - 1
    count = 3_000_000
    assert count_of(np.full(count, at_vertex)) == count * at_vertex // 3 > 2**63
    assert transitivity_of(np.full(count, at_vertex), np.full(count, degree)) == 1.0
