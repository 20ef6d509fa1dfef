"""Lists by middle vertex: one kernel makes those of a small graph, a sort on all threads those of a large one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import networks
from triadic.devices.cpu.orient import middle_lists


@given(networks(), st.integers(1, 3), st.integers(0, 2))
def test_small_and_large_graphs_have_the_same_lists(network, threads, skipped):
    oriented = network.graph().oriented()
    arguments = (
        oriented.indptr,
        middle_lists.as_unsigned(oriented.indices),
        np.minimum(oriented.indptr[:-1] + skipped, oriented.indptr[1:]),
    )
    small = middle_lists.middle_lists(*arguments, threads=threads)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(middle_lists, "_SMALL", 0)
        large = middle_lists.middle_lists(*arguments, threads=threads)
    np.testing.assert_array_equal(small.ptr, large.ptr)
    np.testing.assert_array_equal(small.ends, large.ends)
    assert small.ends.dtype == large.ends.dtype
    assert small.total_cost == pytest.approx(large.total_cost)


@given(networks())
def test_a_list_holds_the_larger_ranks_that_are_joined_to_its_vertex(network):
    oriented = network.graph().oriented()
    indices = middle_lists.as_unsigned(oriented.indices)
    lists = middle_lists.middle_lists(oriented.indptr, indices, oriented.indptr[:-1], threads=1)
    for v in range(oriented.num_vertices):
        rows = [u for u in range(oriented.num_vertices) if v in oriented.indices[slice(*oriented.indptr[u : u + 2])]]
        assert lists.ends[lists.ptr[v] : lists.ptr[v + 1]].tolist() == rows
