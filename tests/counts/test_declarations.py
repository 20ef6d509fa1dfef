"""Every declared count returns what its declaration says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import triadic
from strategies import NIGHTLY
from triadic.counts.count import Count, declared, run
from triadic.counts.edges import with_signs
from triadic.devices.cpu.draws.wedge_sampling import row_table
from triadic.errors import ArgumentError

COUNTS = [name for name, count in declared().items() if count.module.startswith("triadic.")]


def given(name, oriented):
    """The graph and the inputs of a count."""
    n, m = oriented.num_vertices, oriented.num_edges
    inputs = {
        "cliques": ((1, 9), np.ones((40, 10), dtype=np.int64)),
        "cliques of one size": ((5, 5), np.ones((40, 6), dtype=np.int64)),
        "intensities of closed triads": (np.ones(m), np.ones(m), np.zeros(m)),
        "ends of wedges": (np.ones((n, 3), dtype=np.int64),),
        "random wedges": (row_table(oriented.indptr, oriented.degree, local=False, threads=1), 1, 0, 99, False),
        "pairs of weighted triangles": (np.ones(m),),
        "products of weighted triangles": (np.ones(m),),
        "strengths of vertices": (np.ones(m),),
        "neighbour sums": (np.ones((n, 1), dtype=np.int64),),
        "triads of vertices": ((m, 0),),
        "weighted triangles": (np.ones(m),),
    }
    if declared()[name].takes == "events":
        return triadic.generate.bursts(n, m, seed=1).oriented(), (600, False)
    if name.startswith("signed"):
        return with_signs(oriented, np.arange(m) % 2 == 0), ()
    return oriented, inputs.get(name, ())


@pytest.mark.parametrize("name", COUNTS)
def test_a_count_has_the_declared_type_and_shape(name):
    count = declared()[name]
    oriented, inputs = given(name, triadic.generate.rmat(7, seed=1, directed=True).oriented())
    found = run(count, oriented, *inputs, threads=2, device="cpu")
    if name.startswith("cliques"):  # leaves of a search, and tables
        assert [array.ndim for array in found] == [2, 3, 2]
        return
    if count.gives == "total" and count.columns == 1:
        assert isinstance(found, int)
        return
    columns = found if isinstance(found, tuple) else (found,)
    assert all(column.dtype == count.dtype for column in columns)
    rows = {"total": None, "vertices": oriented.num_vertices, "entries": oriented.num_edges, "list": len(columns[0])}
    if rows[count.gives] is None:
        assert columns[0].size == count.columns
    else:
        assert all(len(column) == rows[count.gives] for column in columns)
        assert sum(column.size for column in columns) == rows[count.gives] * count.columns


# Ids of 64 bits need graphs of more than 2**31 vertices, so that tests make them: of some counts in every run, of all
# counts in the nightly run.
WIDE = COUNTS if NIGHTLY else ["closed triads of vertices", "triangles of edges"]


@pytest.mark.parametrize("name", WIDE)
def test_ids_of_64_bits_are_counted_as_those_of_32(name):
    graph = triadic.generate.rmat(7, seed=1, directed=True)
    narrow, inputs = given(name, graph.oriented())
    if declared()[name].takes == "events":
        pytest.skip("events have ids of their own")
    wide = replace(narrow, rank=narrow.rank.astype(np.int64), indices=narrow.indices.astype(np.int64))
    found, expected = (run(declared()[name], of, *inputs, threads=2, device="cpu") for of in (wide, narrow))
    for one, other in zip(
        *(columns if isinstance(columns, tuple) else (columns,) for columns in (found, expected)), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_a_name_is_declared_once():
    taken = declared()["triangles"]
    with pytest.raises(ArgumentError, match=r"count 'triangles': the name is taken by a count of triadic\.counts"):
        Count(
            name="triangles", gives="total", cpu=taken.cpu, bytes=taken.bytes, work=taken.work, not_tiled="it is taken"
        )
    assert declared()["triangles"] is taken
