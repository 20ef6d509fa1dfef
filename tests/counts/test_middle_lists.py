"""Lists by middle vertex: the same in one piece and in one for each thread."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import networks
from triadic.core.oriented import as_unsigned
from triadic.devices.cpu.triangles import triangle_work


@given(networks(), st.integers(1, 3), st.integers(0, 2))
def test_all_pieces_together_have_the_same_lists(network, threads, skipped):
    oriented = network.graph().oriented()
    arguments = (
        oriented.indptr,
        as_unsigned(oriented.indices),
        np.minimum(oriented.indptr[:-1] + skipped, oriented.indptr[1:]),
    )
    whole = triangle_work.middle_lists(*arguments, threads=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(triangle_work, "_PIECE", 1)
        pieces = triangle_work.middle_lists(*arguments, threads=threads)
    np.testing.assert_array_equal(whole.ptr, pieces.ptr)
    np.testing.assert_array_equal(whole.ends, pieces.ends)
    assert whole.ends.dtype == pieces.ends.dtype
    assert whole.total_cost == pytest.approx(pieces.total_cost)


@given(networks())
def test_a_list_holds_the_larger_ranks_that_are_joined_to_its_vertex(network):
    oriented = network.graph().oriented()
    indices = as_unsigned(oriented.indices)
    lists = triangle_work.middle_lists(oriented.indptr, indices, oriented.indptr[:-1], threads=1)
    for v in range(oriented.num_vertices):
        rows = [u for u in range(oriented.num_vertices) if v in oriented.indices[slice(*oriented.indptr[u : u + 2])]]
        assert lists.ends[lists.ptr[v] : lists.ptr[v + 1]].tolist() == rows
