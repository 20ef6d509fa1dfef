"""Tasks without a cluster: what slices of triples count adds up, and each thread has its share.

Apart from the tests of clusters: their threads format the errors that are provoked there, for which Python 3.11 parses;
so does pytest when hypothesis imports a module of its own, and two at a time can fail.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import triadic
from strategies import networks
from triadic.counts.closed_triads import CLOSED_TRIADS_OF_VERTICES
from triadic.counts.count import count_part
from triadic.counts.triangles import TRIANGLE_COUNT, TRIANGLES
from triadic.tiles.cluster import tasks
from triadic.tiles.cluster.slices import largest_task
from triadic.tiles.graph_in_memory import GraphInMemory
from triadic.tiles.sums import PartCount
from triadic.tiles.triples import Triple, triples


@given(networks(), st.integers(1, 5), st.integers(1, 5), st.booleans())
@settings(max_examples=30)
def test_slices_of_triples_add_up(network, ranges, slices, by_role):
    oriented = network._replace(directed=True).graph().oriented()
    source = GraphInMemory(oriented, ranges)
    declared = CLOSED_TRIADS_OF_VERTICES if by_role else TRIANGLES
    count = partial(count_part, count=declared, options={}, device="cpu")
    counting = PartCount("", count, declared.columns, True)
    found = [[None] for _ in range(source.layout.ranges)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "allowed_bytes", lambda: 1 << 40)
        for triple in triples(source.layout):
            given_tiles = {place: source.tile(*place) for place in triple.tiles}
            for at in range(slices):
                of_task = tasks.count_slice(source.layout, given_tiles, triple, at, slices, counting)
                assert len(of_task) <= 3
                for i, piece in of_task.items():
                    found[i].append(piece)
    expected = count(oriented, None, threads=1)
    for i, of_range in enumerate(found):
        here = expected[source.layout.cuts[i] : source.layout.cuts[i + 1]]
        piece = tasks.add_pieces(of_range)
        if piece is not None:
            assert np.array_equal(here[piece.first : piece.last], piece.counts)
        assert here.sum() == (0 if piece is None else piece.counts.sum())


def test_a_graph_that_does_not_fit_a_worker():
    source = GraphInMemory(triadic.generate.rmat(9, seed=3).oriented(), 2)
    counting = PartCount("", partial(count_part, count=TRIANGLE_COUNT, options={}, device="cpu"), 1, False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "allowed_bytes", lambda: 1 << 10)
        found = tasks.count_slice(source.layout, {}, Triple(0, 0, 0), 0, 1, counting)
    assert "cut the graph into more ranges" in str(found.error)


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=40).filter(any), st.integers(1, 20))
def test_each_thread_has_eight_tasks_and_none_is_large(costs, threads):
    most = largest_task(costs, threads)
    slices = [max(1, int(np.ceil(cost / most))) for cost in costs]
    assert sum(slices) >= 8 * threads
    assert max(cost / n for cost, n in zip(costs, slices, strict=True)) <= sum(costs) / threads / 4 * (1 + 1e-9)
