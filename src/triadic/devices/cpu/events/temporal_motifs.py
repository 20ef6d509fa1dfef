"""Motifs of two and three timed events on the CPU, in total and by vertex.

Stars, pairs and triangles are counted one after another by the kernels of `timed_pairs`, `timed_triangles` and
`timed_triangles`; here their work is cut into blocks, and their sums are put together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.motif_places import MOTIFS, PAIRS, STARS, TWO_EVENTS
from triadic.devices.cpu.events import timed_pairs, timed_triangles
from triadic.devices.cpu.events.event_order import check_number_of_triples, reach_of
from triadic.devices.cpu.vertex_arrays import summed, zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Ids, Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import OrientedEvents
    from triadic.devices.cpu.events.event_order import Reach


_LEAST_BLOCK, _MOST_BLOCK, _BLOCKS = 1 << 12, 1 << 15, 16  # events of a block; blocks of few events
_TRIANGLE_BLOCK = 1 << 15  # estimated tests
_PAIR_WORK, _LONE_WORK, _TRIANGLE_WORK = 2, 1, 2  # estimated shares of the work


def motifs(
    oriented: OrientedEvents,
    delta: float,
    simultaneous: bool,
    *,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the motifs of three events: int64, shape (36,), by their place in the matrix.

    Parameters
    ----------
    oriented : OrientedEvents
    delta : int or float
        Longest time from the first event to the last, in the unit of the times.
    simultaneous : bool
        Whether events at the same time never follow one another.
    """
    reach = reach_of(oriented, delta)
    check_number_of_triples(oriented, reach)
    pair_progress, triangle_progress = blocks.split(progress, (_PAIR_WORK, _TRIANGLE_WORK))
    none = zeros(threads, (0, MOTIFS), np.int64)
    found = np.zeros(MOTIFS, dtype=np.int64)
    if _has_repeats(oriented):
        near = [np.empty((oriented.longest_pair, 4), dtype=oriented.events.dtype) for _ in range(threads)]
        found = _pairs_and_stars(oriented, reach, simultaneous, near, none, threads, pair_progress)
    return found + _triangles(oriented, reach, simultaneous, none, threads, triangle_progress)


def motifs_of_vertices(
    oriented: OrientedEvents,
    delta: float,
    simultaneous: bool,
    *,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the motifs of three events at each rank: int64, shape (n, 36). The parameters are those of `motifs`."""
    reach = reach_of(oriented, delta)
    check_number_of_triples(oriented, reach)
    shares = (_PAIR_WORK, _LONE_WORK, _TRIANGLE_WORK)
    pair_progress, lone_progress, triangle_progress = blocks.split(progress, shares)
    tables = zeros(threads, (oriented.num_vertices, MOTIFS), np.int64)
    if _has_repeats(oriented):
        near = np.empty((oriented.num_edges, 4), dtype=oriented.events.dtype)
        _pairs_and_stars(oriented, reach, simultaneous, [near] * threads, tables, threads, pair_progress)

        def add_lone(worker: int, first: int, last: int) -> None:
            timed_pairs.count_lone(
                oriented.indptr, oriented.moments, oriented.neighbours, oriented.places, near, *reach, simultaneous,
                first, last, tables[worker],
            )  # fmt: skip

        _over(oriented.indptr, add_lone, threads, lone_progress)
    _triangles(oriented, reach, simultaneous, tables, threads, triangle_progress)
    return summed(tables, threads=threads)


def two_events(
    oriented: OrientedEvents,
    delta: float,
    simultaneous: bool,
    *,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the motifs of two events, as `motifs` counts those of three: int64, shape (6,)."""
    tables = zeros(threads, (0, TWO_EVENTS), np.int64)
    return _two_events(oriented, delta, simultaneous, tables, threads, progress)


def two_events_of_vertices(
    oriented: OrientedEvents,
    delta: float,
    simultaneous: bool,
    *,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the motifs of two events at each rank: int64, shape (n, 6)."""
    tables = zeros(threads, (oriented.num_vertices, TWO_EVENTS), np.int64)
    _two_events(oriented, delta, simultaneous, tables, threads, progress)
    return summed(tables, threads=threads)


def _two_events(
    oriented: OrientedEvents,
    delta: float,
    simultaneous: bool,
    tables: list[Int64Array],
    threads: int,
    progress: Progress | None,
) -> Int64Array:
    reach = reach_of(oriented, delta)
    near = np.empty((oriented.num_edges, 4), dtype=oriented.events.dtype)
    pair_progress, star_progress = blocks.split(progress, (1, 1))

    def count_near(_: int, first: int, last: int) -> None:
        timed_pairs.count_near(
            oriented.row_indptr, oriented.starts, oriented.events, *reach, simultaneous, first, last, near
        )

    _over(oriented.event_indptr, count_near, threads, pair_progress)
    found = np.zeros((threads, TWO_EVENTS), dtype=np.int64)

    def count(worker: int, first: int, last: int) -> None:
        timed_pairs.count_two(
            oriented.indptr, oriented.moments, oriented.neighbours, oriented.places, near, *reach, simultaneous, first,
            last, tables[worker], found[worker],
        )  # fmt: skip

    _over(oriented.indptr, count, threads, star_progress)
    total: Int64Array = found.sum(axis=0)
    total[:2] //= 2  # pairs of events of two vertices are counted at both
    return total


def _pairs_and_stars(
    oriented: OrientedEvents,
    reach: Reach,
    simultaneous: bool,
    near: list[Ids],
    tables: list[Int64Array],
    threads: int,
    progress: Progress | None,
) -> Int64Array:
    """Return the motifs without triangles in total; add all but those of lone events to the tables."""
    pairs, stars = np.zeros((threads, 8), dtype=np.int64), np.zeros((threads, 24), dtype=np.int64)

    def count(worker: int, first: int, last: int) -> None:
        timed_pairs.count_pairs(
            oriented.indptr, oriented.moments, oriented.row_indptr, oriented.heads, oriented.starts, oriented.events,
            *reach, simultaneous, first, last, near[worker], tables[worker], pairs[worker], stars[worker],
        )  # fmt: skip

    _over(oriented.event_indptr, count, threads, progress)
    total = np.zeros(MOTIFS, dtype=np.int64)
    by_directions, by_place = pairs.sum(axis=0), stars.sum(axis=0).reshape(3, 8)
    np.add.at(total, PAIRS, by_directions)
    for lone in range(3):  # three events of one pair are stars of both centres
        np.add.at(total, STARS[lone], by_place[lone] - by_directions - by_directions[::-1])
    return total


def _triangles(
    oriented: OrientedEvents,
    reach: Reach,
    simultaneous: bool,
    tables: list[Int64Array],
    threads: int,
    progress: Progress | None,
) -> Int64Array:
    """Return the triangles in total, or add them to the tables."""
    found = np.zeros((threads, MOTIFS), dtype=np.int64)
    if timed_triangles.windows_are_long(oriented, reach):
        _triangles_of_vertices(oriented, reach, simultaneous, tables, found, threads, progress)
    else:
        cuts = blocks.cut_evenly(oriented.num_edges, -(-oriented.num_edges // _events_of_a_block(oriented)))

        def task(worker: int, b: int) -> None:
            timed_triangles.close_wedges(
                oriented.indptr, oriented.moments, oriented.neighbours, oriented.places, oriented.row_indptr,
                oriented.heads, oriented.starts, oriented.events, *reach, simultaneous, cuts[b], cuts[b + 1],
                tables[worker], found[worker],
            )  # fmt: skip

        blocks.run(task, len(cuts) - 1, threads=threads, progress=progress)
    return found.sum(axis=0)


def _triangles_of_vertices(
    oriented: OrientedEvents,
    reach: Reach,
    simultaneous: bool,
    tables: list[Int64Array],
    found: Int64Array,
    threads: int,
    progress: Progress | None,
) -> None:
    n, pairs = oriented.num_vertices, oriented.num_pairs
    cost = np.empty(n + 1, dtype=np.int64)
    timed_triangles.estimate_work(oriented.row_indptr, oriented.heads, oriented.starts, cost)
    spans = np.empty((pairs, 2), dtype=np.int64)
    timed_triangles.find_spans(oriented.starts, oriented.events, *reach, 0, pairs, spans)
    cuts = blocks.cut(cost, _TRIANGLE_BLOCK, most=1 << 14)
    marks = zeros(threads, n, np.int64)
    merged = zeros(threads, (3 * oriented.longest_pair, 3), np.int64)

    def task(worker: int, b: int) -> None:
        timed_triangles.count_triangles(
            oriented.row_indptr, oriented.heads, oriented.starts, spans, oriented.events, *reach, simultaneous,
            cuts[b], cuts[b + 1], marks[worker], merged[worker], tables[worker], found[worker],
        )  # fmt: skip

    blocks.run(task, len(cuts) - 1, threads=threads, costs=np.diff(cost[cuts]), progress=progress)


def _has_repeats(oriented: OrientedEvents) -> bool:
    """Return whether a pair has several events: stars and pairs of three events need that."""
    return oriented.num_pairs < oriented.num_edges


def _events_of_a_block(oriented: OrientedEvents) -> int:
    return min(_MOST_BLOCK, max(_LEAST_BLOCK, oriented.num_edges // _BLOCKS))


def _over(indptr: Int64Array, count: Callable[[int, int, int], None], threads: int, progress: Progress | None) -> None:
    """Call ``count(worker, first, last)`` for blocks of ranks with about the same number of events."""
    block = min(_MOST_BLOCK, max(_LEAST_BLOCK, int(indptr[-1]) // _BLOCKS))
    cuts = blocks.cut(indptr, block, most=1 << 16)
    blocks.run(lambda worker, b: count(worker, cuts[b], cuts[b + 1]), len(cuts) - 1, threads=threads, progress=progress)
