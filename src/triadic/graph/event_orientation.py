"""Orient timed events: rank their vertices, and sort them by vertex and by pair of vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.memory import check_memory
from triadic.core.oriented_events import OrientedEvents
from triadic.devices.cpu.events import event_order
from triadic.devices.cpu.orient.rows import rank_by_degree
from triadic.devices.cpu.vertex_arrays import summed, zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]
    Times = NDArray[np.int64] | NDArray[np.float64]

# From these numbers on, 32 bits do not hold twice the number of an event and a bit.
_MOST_EVENTS_32, _MOST_VERTICES_32 = 1 << 30, 1 << 31
_SPAN_32 = (1 << 31) - 1
_FEW = 1 << 14  # events that one thread sorts alone
_BLOCK = 1 << 17  # places of a block
_PIECE = 1 << 22  # events of a part that are sorted at a time


def event_bytes(n: int, events: int, *, threads: int) -> int:
    """Estimate the peak memory, in bytes, of orienting some events between n vertices, the result included."""
    item = 8 if events >= _MOST_EVENTS_32 or n >= _MOST_VERTICES_32 else 4
    return 18 * item * events + (48 + 16 * threads + 2 * item) * n


def held_event_bytes(n: int, events: int) -> int:
    """Estimate the bytes that oriented events hold, if each event has a pair of its own."""
    item = 8 if events >= _MOST_EVENTS_32 or n >= _MOST_VERTICES_32 else 4
    return 14 * item * events + (24 + item) * n


def orient_events(source: Ids, target: Ids, times: Times, n: int, *, threads: int) -> OrientedEvents:
    """Orient events sorted by time, without loops.

    Raises
    ------
    OutOfMemoryError
        If the lists need more memory than is available.
    """
    m = len(times)
    threads = threads if m > _FEW else 1
    check_memory(
        event_bytes(n, m, threads=threads),
        f"sorting {m:,} events between {n:,} vertices on {threads} threads",
        "use fewer threads, or more memory",
    )
    dtype = np.int64 if m >= _MOST_EVENTS_32 or n >= _MOST_VERTICES_32 else np.int32
    keys, unit, kept = _keys(times)
    rank, inward_before = _ranks(source, target, n, dtype, threads)
    indptr, moments, neighbours, places, row_starts, positions = _lists(
        source, target, keys, rank, inward_before, threads
    )
    pairs = _pairs(indptr, moments, neighbours, places, row_starts, positions, threads)
    return OrientedEvents(rank, indptr, moments, neighbours, places, *pairs, kept, unit)


def _ranks(source: Ids, target: Ids, n: int, dtype: type, threads: int) -> tuple[Ids, NDArray[np.int64]]:
    """Return the rank of each vertex, and the number of inward events of the ranks before each rank."""
    cuts = blocks.cut_evenly(len(source), threads)
    parts = len(cuts) - 1
    ends = zeros(max(1, parts), (2, n), np.int64)
    _over_parts(cuts, lambda b, first, last: event_order.count_ends(source, target, first, last, ends[b]), threads)
    found = summed(ends)
    rank: Ids = np.empty(n, dtype=dtype)
    rank_by_degree(found.sum(axis=0), rank)
    inward = np.empty(n, dtype=np.int64)
    inward[rank] = found[1]
    return rank, np.cumsum(inward) - inward


def _lists(
    source: Ids, target: Ids, keys: Ids, rank: Ids, inward_before: NDArray[np.int64], threads: int
) -> tuple[NDArray[np.int64], Ids, Ids, Ids, NDArray[np.int64], Ids]:
    """Sort the events by vertex.

    Returns the first four arrays of `OrientedEvents`, of which `places` still has the numbers and directions of the
    events; the first place of the events of each row; and the places of each event in the lists of its two ends.
    """
    m, n, dtype = len(keys), len(rank), rank.dtype
    cuts = blocks.cut_evenly(m, threads)
    parts = len(cuts) - 1
    counts = np.zeros((2, max(1, parts), n), dtype=np.int64)
    _over_parts(
        cuts,
        lambda b, first, last: event_order.count_entries(source, target, rank, first, last, counts[0, b], counts[1, b]),
        threads,
    )
    indptr, event_indptr = _starts(counts[0].sum(axis=0)), _starts(counts[1].sum(axis=0))
    event_order.begin_lists(counts[0], indptr)
    codes, others, positions = (np.empty(shape, dtype=dtype) for shape in (2 * m, (m, 2), (m, 2)))
    _over_parts(
        cuts,
        lambda b, first, last: event_order.fill_lists(
            source, target, rank, keys, first, last, counts[0, b], codes, others, positions
        ),
        threads,
    )
    moments, neighbours = np.empty((2 * m + 1, 2), dtype=dtype), np.empty(2 * m, dtype=dtype)
    moments[-1] = 0, m
    lists = blocks.cut(indptr, _BLOCK, most=1 << 12)
    blocks.run(
        lambda _, b: event_order.complete_lists(
            indptr, inward_before, codes, others, lists[b], lists[b + 1], moments, neighbours
        ),
        len(lists) - 1,
        threads=threads,
    )
    return indptr, moments, neighbours, codes, event_indptr, positions


def _pairs(
    indptr: NDArray[np.int64], moments: Ids, neighbours: Ids, places: Ids, event_indptr: NDArray[np.int64],
    positions: Ids, threads: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], Ids, Ids, Ids]:  # fmt: skip
    """Sort the events by pair, and write their places to `places`; return the arrays of pairs and events."""
    m, n, dtype = len(positions), len(indptr) - 1, moments.dtype
    events, all_heads, begins = (np.empty(shape, dtype=dtype) for shape in ((m, 4), m, m))
    pairs_of = np.zeros(n, dtype=np.int64)
    next_of = zeros(threads, n, dtype.type)
    lists = blocks.cut(indptr, _BLOCK, most=1 << 12)
    blocks.run(
        lambda worker, b: event_order.sort_pairs(
            indptr, event_indptr, moments, neighbours, places, positions, lists[b], lists[b + 1],
            next_of[worker], events, all_heads, begins, pairs_of,
        ),
        len(lists) - 1,
        threads=threads,
    )  # fmt: skip
    row_indptr = _starts(pairs_of)
    pairs = int(row_indptr[-1])
    heads, starts = np.empty(pairs, dtype=dtype), np.empty(pairs + 1, dtype=dtype)
    starts[-1] = m
    blocks.run(
        lambda _, b: event_order.gather_pairs(
            event_indptr, row_indptr, all_heads, begins, lists[b], lists[b + 1], heads, starts
        ),
        len(lists) - 1,
        threads=threads,
    )
    cuts = blocks.cut_evenly(m, threads)
    _over_parts(cuts, lambda _, first, last: event_order.place_events(events, first, last, places), threads)
    return row_indptr, event_indptr, heads, starts, events


def _over_parts(cuts: NDArray[np.int64], work: Callable[[int, int, int], None], threads: int) -> None:
    """Call ``work(part, first, last)`` for one piece of each part after another, so that Ctrl-C finds its turn.

    The pieces of a part follow one another, in the order of the events.
    """
    longest = int(np.diff(cuts).max(initial=0))
    for start in range(0, longest, _PIECE):

        def task(_: int, part: int, start: int = start) -> None:
            first = min(cuts[part] + start, cuts[part + 1])
            work(part, first, min(first + _PIECE, cuts[part + 1]))

        blocks.run(task, len(cuts) - 1, threads=threads)


def _starts(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    starts = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def _keys(times: Times) -> tuple[Ids, int, Times | None]:
    """Return a key for each event, the unit of the keys, and the times if keys number them."""
    if len(times) == 0:
        return np.empty(0, dtype=np.int32), 1, None
    if times.dtype == np.int64:
        span, unit = int(times[-1]) - int(times[0]), 1
        if span > _SPAN_32:  # such as whole seconds in nanoseconds
            unit = max(1, int(np.gcd.reduce(np.diff(times))))
        if span // unit <= _SPAN_32:
            shifted = times - times[0]
            return (shifted if unit == 1 else shifted // unit).astype(np.int32), unit, None
    number = np.cumsum(np.concatenate([[False], times[1:] != times[:-1]]))
    return number.astype(np.int32 if len(times) <= _SPAN_32 else np.int64), 1, times
