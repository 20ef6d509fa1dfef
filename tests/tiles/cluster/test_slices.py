"""The functions that run as tasks, without a cluster: the counts of slices add up to the counts of the graph.

These tests are not in the file of the tests on clusters, whose threads format the errors that the tests provoke. Python
3.11 parses source to format an error, and pytest parses source when hypothesis imports a module; both at the same time
can fail.
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
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.sums import PartCounter
from triadic.tiles.triples import Triple, triples


@given(networks(), st.integers(1, 5), st.integers(1, 5), st.booleans())
@settings(max_examples=30)
def test_slices_of_triples_add_up(network, ranges, slices, by_role):
    oriented = network._replace(directed=True).graph().oriented()
    source = MemoryTiles(oriented, ranges)
    declared = CLOSED_TRIADS_OF_VERTICES if by_role else TRIANGLES
    count = partial(count_part, count=declared, options={}, device="cpu")
    counter = PartCounter("", count, declared.columns, True)
    pieces = [[None] for _ in range(source.layout.ranges)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "allowed_bytes", lambda: 1 << 40)
        for triple in triples(source.layout):
            sent = {tile: source.tile(*tile) for tile in triple.tiles}
            for number in range(slices):
                slice_counts = tasks.count_slice(source.layout, sent, triple, number, slices, counter)
                assert len(slice_counts) <= 3
                for i, piece in slice_counts.items():
                    pieces[i].append(piece)
    expected = count(oriented, None, threads=1)
    for i, range_pieces in enumerate(pieces):
        range_counts = expected[source.layout.cuts[i] : source.layout.cuts[i + 1]]
        piece = tasks.add_pieces(range_pieces)
        if piece is not None:
            assert np.array_equal(range_counts[piece.first : piece.last], piece.counts)
        assert range_counts.sum() == (0 if piece is None else piece.counts.sum())


def test_a_triple_too_large_for_a_worker_is_refused():
    source = MemoryTiles(triadic.generate.rmat(9, seed=3).oriented(), 2)
    counter = PartCounter("", partial(count_part, count=TRIANGLE_COUNT, options={}, device="cpu"), 1, False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "allowed_bytes", lambda: 1 << 10)
        failure = tasks.count_slice(source.layout, {}, Triple(0, 0, 0), 0, 1, counter)
    assert "cut the graph into more ranges" in str(failure.error)


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=40).filter(any), st.integers(1, 20))
def test_each_thread_has_eight_tasks_and_no_task_is_large(costs, threads):
    most = largest_task(costs, threads)
    slices = [max(1, int(np.ceil(cost / most))) for cost in costs]
    assert sum(slices) >= 8 * threads
    assert max(cost / n for cost, n in zip(costs, slices, strict=True)) <= sum(costs) / threads / 4 * (1 + 1e-9)
