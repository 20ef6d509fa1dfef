"""Motifs of two and three timed events on the CPU, in total and by vertex.

Stars and pairs are counted by the kernels of `timed_pairs`, and triangles by those of `timed_triangles`; here their
work is cut into blocks, and their sums are put together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.motif_places import MOTIFS, PAIRS, STARS, TWO_EVENTS
from triadic.devices.cpu.events import timed_pairs, timed_triangles
from triadic.devices.cpu.events.event_order import check_number_of_triples, window_of
from triadic.devices.cpu.vertex_arrays import summed, zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import OrientedEvents
    from triadic.devices.cpu.events.event_order import Window


_LEAST_BLOCK, _MOST_BLOCK, _BLOCKS = 1 << 12, 1 << 15, 16  # events of a block; blocks of few events
_TRIANGLE_BLOCK = 1 << 15  # estimated tests
_PAIR_WORK, _LONE_WORK, _TRIANGLE_WORK = 2, 1, 2  # estimated shares of the work


def motifs(
    oriented: OrientedEvents,
    delta: float,
    simultaneous: bool,
    *,
    by_vertex: bool = False,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the motifs of three events by their place in the matrix: int64, shape (36,), or at each rank (n, 36).

    Parameters
    ----------
    oriented : OrientedEvents
    delta : int or float
        Longest time from the first event to the last, in the unit of the times.
    simultaneous : bool
        Whether events at the same time never follow one another.
    by_vertex : bool, default False
        Whether to count the motifs of each rank.
    """
    window = window_of(oriented, delta, simultaneous)
    check_number_of_triples(oriented, window)
    lists, pairs = oriented.lists, oriented.pairs
    shares = (_PAIR_WORK, _LONE_WORK if by_vertex else 0, _TRIANGLE_WORK)
    pair_progress, lone_progress, triangle_progress = blocks.split(progress, shares)
    tables = zeros(threads, (oriented.num_vertices if by_vertex else 1, MOTIFS), np.int64)
    if oriented.num_pairs < oriented.num_edges:  # stars, and three events of a pair, need a pair with several events
        rows = oriented.num_edges if by_vertex else oriented.longest_pair
        near = zeros(1 if by_vertex else threads, (rows, 4), oriented.events.dtype.type)
        sums = np.zeros((threads, 4, 8), dtype=np.int64)

        def count(worker: int, block: Int64Array) -> None:
            stars = sums[worker], tables[worker]
            timed_pairs.count_pairs(lists, pairs, window, block, near[worker % len(near)], stars)

        _over(oriented.event_indptr, count, threads, pair_progress)
        if by_vertex:

            def add_lone(worker: int, block: Int64Array) -> None:
                timed_pairs.count_lone(lists, near[0], window, block, tables[worker])

            _over(oriented.indptr, add_lone, threads, lone_progress)
        else:
            found = sums.sum(axis=0)
            np.add.at(tables[0][0], PAIRS, found[0])
            # Three events of one pair are stars of both centres.
            np.add.at(tables[0][0], STARS, found[1:] - found[0] - found[0, ::-1])
    _triangles(oriented, window, tables, threads, triangle_progress)
    table = summed(tables, threads=threads)
    return table if by_vertex else table[0]


def two_events(
    oriented: OrientedEvents,
    delta: float,
    simultaneous: bool,
    *,
    by_vertex: bool = False,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the motifs of two events, as `motifs` counts those of three: int64, shape (6,), or at each rank (n, 6)."""
    window = window_of(oriented, delta, simultaneous)
    lists, pairs = oriented.lists, oriented.pairs
    near = np.zeros((oriented.num_edges, 4), dtype=oriented.events.dtype)
    tables = zeros(threads, (oriented.num_vertices if by_vertex else 1, TWO_EVENTS), np.int64)
    pair_progress, star_progress = blocks.split(progress, (1, 1))

    def count_near(_: int, block: Int64Array) -> None:
        timed_pairs.count_pairs(lists, pairs, window, block, near, None)

    def count(worker: int, block: Int64Array) -> None:
        timed_pairs.count_two(lists, near, window, block, tables[worker])

    _over(oriented.event_indptr, count_near, threads, pair_progress)
    _over(oriented.indptr, count, threads, star_progress)
    table = summed(tables, threads=threads)
    if by_vertex:
        return table
    table[0, :2] //= 2  # pairs of events of two vertices are counted at both
    return table[0]


def _triangles(
    oriented: OrientedEvents, window: Window, tables: list[Int64Array], threads: int, progress: Progress | None
) -> None:
    """Add the triangles to the tables."""
    lists, pairs, m = oriented.lists, oriented.pairs, oriented.num_edges
    work = timed_triangles.work_of_triangles(oriented, window)
    if work is None:
        cuts = blocks.cut_evenly(m, -(-m // _events_of_a_block(m)))

        def close(worker: int, b: int) -> None:
            timed_triangles.close_wedges(lists, pairs, window, cuts[b : b + 2], tables[worker])

        blocks.run(close, len(cuts) - 1, threads=threads, progress=progress)
        return
    cost, spans = work
    cuts = blocks.cut(cost, _TRIANGLE_BLOCK, most=1 << 14)
    marks = zeros(threads, oriented.num_vertices, np.int64)
    merged = zeros(threads, (3 * oriented.longest_pair, 3), np.int64)

    def task(worker: int, b: int) -> None:
        scratch = spans, marks[worker], merged[worker]
        timed_triangles.count_triangles(pairs, window, scratch, cuts[b : b + 2], tables[worker])

    blocks.run(task, len(cuts) - 1, threads=threads, costs=np.diff(cost[cuts]), progress=progress)


def _events_of_a_block(events: int) -> int:
    return min(_MOST_BLOCK, max(_LEAST_BLOCK, events // _BLOCKS))


def _over(
    indptr: Int64Array, count: Callable[[int, Int64Array], None], threads: int, progress: Progress | None
) -> None:
    """Call ``count(worker, block)`` for blocks of ranks with about the same number of events."""
    cuts = blocks.cut(indptr, _events_of_a_block(int(indptr[-1])), most=1 << 16)

    def task(worker: int, b: int) -> None:
        count(worker, cuts[b : b + 2])

    blocks.run(task, len(cuts) - 1, threads=threads, progress=progress)
