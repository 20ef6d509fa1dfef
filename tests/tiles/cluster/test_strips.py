"""The functions that run as tasks, without a cluster: the counts of tasks add up to the counts of the graph.

These tests are not in the file of the tests on clusters, whose threads format the errors that the tests provoke. Python
3.11 parses source to format an error, and pytest parses source when hypothesis imports a module; both at the same time
can fail.
"""

from __future__ import annotations

from functools import partial
from math import frexp

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import triadic
from strategies import examples, networks
from triadic.counts.count import count_part
from triadic.counts.triads import CLOSED_TRIADS_OF_VERTICES
from triadic.counts.triangles import TRIANGLE_COUNT, TRIANGLES
from triadic.errors import OutOfMemoryError
from triadic.tiles.cluster import strips, tasks, tile_transfer
from triadic.tiles.cluster.strips import Task, blocks_of_sums, cut_into_tasks
from triadic.tiles.layout import Triple, triples
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.sums import PartCounter
from triadic.tiles.work import halves_of_rows


@given(networks(), st.integers(1, 5), st.integers(1, 4), st.integers(1, 400), st.booleans())
@examples(20)
def test_tasks_add_up(network, ranges, threads, shortest, by_role):
    oriented = network._replace(directed=True).graph().oriented()
    source = MemoryTiles(oriented, ranges)
    declared = CLOSED_TRIADS_OF_VERTICES if by_role else TRIANGLES
    count = partial(count_part, count=declared, options={}, device="cpu")
    counter = PartCounter("", count, declared.columns, True)
    cost = {triple: 100.0 * (triple.i + 1) for triple in triples(source.layout)}
    cut = cut_into_tasks(
        cost, cost, source.layout, threads=threads, columns=declared.columns, room=1 << 30, shortest=shortest
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tile_transfer, "_limits", lambda: (1 << 40, 1))
        counts = [
            tasks.count_task(source.layout, {tile: source.tile(*tile) for tile in task.tiles}, task, counter)
            for task in cut
        ]
    expected = count(oriented, None, threads=1)
    found = tasks.add_counts(counts)
    assert found == {} or max(found) < ranges
    for i in range(source.layout.ranges):
        range_counts = expected[source.layout.cuts[i] : source.layout.cuts[i + 1]]
        piece = found.get(i)
        assert range_counts.sum() == (0 if piece is None else piece.counts.sum())
        if piece is not None:
            assert np.array_equal(range_counts[piece.first : piece.last], piece.counts)
            alone = tasks.add_counts(counts, range(i, i + 1))
            assert np.array_equal(alone.pop(i).counts, piece.counts)
            assert not alone


def test_a_triple_too_large_for_a_worker_is_refused():
    source = MemoryTiles(triadic.generate.rmat(9, seed=3).oriented(), 2)
    counter = PartCounter("", partial(count_part, count=TRIANGLE_COUNT, options={}, device="cpu"), 1, False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tile_transfer, "_limits", lambda: (1 << 10, 1))
        failure = tasks.count_task(source.layout, {}, Task((Triple(0, 0, 0),), 1.0), counter)
    assert "cut the graph into more ranges" in str(failure.error)


def test_a_triple_too_large_for_a_device_is_counted_in_parts(monkeypatch):
    source = MemoryTiles(triadic.generate.rmat(9, seed=3).oriented(), 2)

    def count(part, progress, *, threads):
        if part.last - part.first > 80:
            raise OutOfMemoryError("no room")
        return count_part(part, progress, count=TRIANGLES, options={}, device="cpu", threads=threads)

    monkeypatch.setattr(tile_transfer, "_limits", lambda: (1 << 40, 1))
    whole = Task(tuple(triples(source.layout)), 1.0)
    sent = {tile: source.tile(*tile) for tile in whole.tiles}
    one, other = (
        tasks.add_counts([tasks.count_task(source.layout, sent, whole, PartCounter("", counting, 1, True))])
        for counting in (count, partial(count_part, count=TRIANGLES, options={}, device="cpu"))
    )
    for i, piece in other.items():
        assert np.array_equal(one[i].counts, piece.counts)


@given(networks(), st.integers(1, 4))
@examples(20)
def test_halves_of_rows_take_about_half_of_the_memory(network, ranges):
    source = MemoryTiles(network.graph().oriented(), ranges)
    for triple in triples(source.layout):
        lengths = sum(np.diff(source.tile(triple.i, r).indptr) for r in {triple.j, triple.k})
        runs = [(0, source.layout.length(triple.i))]
        while runs:
            first, last = runs.pop()
            halves = halves_of_rows(source, triple, (first, last))
            assert [row for half in halves for row in range(*half)] == list(range(first, last))
            if last - first > 1:
                size = 4 * lengths + 16
                assert all(size[slice(*half)].sum() > 0 for half in halves)
                assert all(
                    size[slice(*half)].sum() <= size[first:last].sum() / 2 + size[first:last].max() for half in halves
                )
                runs += halves


COSTS = st.dictionaries(
    st.tuples(*[st.integers(0, 6)] * 3).map(lambda ranges: Triple(*sorted(ranges, reverse=True))),
    st.integers(0, 10**12),
    min_size=1,
    max_size=60,
)


@given(COSTS, st.integers(1, 20), st.integers(1, 5))
@example({Triple(2, 0, 0): 48172, Triple(2, 1, 0): 48171, Triple(2, 2, 0): 199951830, Triple(2, 1, 1): 199951830}, 1, 1)
def test_tasks_are_strips_that_end_together(cost, threads, workers):
    layout = MemoryTiles(triadic.generate.rmat(6, seed=3).oriented(), 7).layout
    workers = min(threads, workers)
    cut = cut_into_tasks(cost, cost, layout, threads=threads, workers=workers, columns=1, room=1 << 30)
    slices = {}
    for task in cut:
        assert len({triple.i for triple in task.triples}) == 1
        assert task.slices == 1 or len(task.triples) == 1
        for triple in task.triples:
            slices.setdefault(triple, []).append((task.number, task.slices))
    assert {
        triple: [(number, len(found)) for number in range(len(found))] for triple, found in slices.items()
    } == slices
    assert set(slices) == set(cost)
    most = max(strips.SHORTEST, sum(cost.values()) / threads / 4) * (1 + 1e-9)
    for task in cut:
        whole = sum(cost[triple] for triple in task.triples)
        assert task.cost == pytest.approx(whole / task.slices)
        assert task.cost <= most
    little = strips._LITTLE * sum(cost.values()) / threads
    for i in {task.i for task in cut}:
        costs = [task.cost for task in cut if task.i == i]
        # The longest first; little ones only as far as one is twice as long as the other.
        costs = [each if each > little else 2.0 ** frexp(each)[1] for each in costs]
        assert costs == sorted(costs, reverse=True)
    if min(cost.values()) > 10 * strips.SHORTEST * threads:
        assert len(cut) >= 8 * threads


def test_a_run_of_triples_stays_within_its_room():
    layout = MemoryTiles(triadic.generate.rmat(8, seed=3).oriented(), 6).layout
    cost = dict.fromkeys(triples(layout), 1.0)
    rooms = {0: len(cost), 1 << 30: 6}
    for room, expected in rooms.items():
        assert len(cut_into_tasks(cost, cost, layout, threads=1, columns=1, room=room)) == expected


AT_RANKS = PartCounter("", count_part, 1, per_rank=True)


def test_blocks_of_sums_hold_all_ranges(monkeypatch):
    layout = MemoryTiles(triadic.generate.rmat(8, seed=3).oriented(), 6).layout
    assert blocks_of_sums(layout, AT_RANKS) == [range(6)]
    monkeypatch.setattr(strips, "_BLOCK_BYTES", 0)
    assert blocks_of_sums(layout, AT_RANKS) == [range(i, i + 1) for i in range(6)]
    monkeypatch.setattr(strips, "_BLOCK_BYTES", 8 * (layout.length(0) + layout.length(1)))
    assert blocks_of_sums(layout, AT_RANKS)[0] == range(2)
