"""Orient timed events: rank their vertices, and sort them by vertex and by pair of vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.memory import check_memory
from triadic.core.oriented_events import OrientedEvents
from triadic.devices.cpu import event_sort
from triadic.devices.cpu.rows import rank_by_degree
from triadic.devices.cpu.vertex_arrays import zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]
    Times = NDArray[np.int64] | NDArray[np.float64]

# From these numbers on, 32 bits do not hold twice the number of an event and a bit.
_MOST_EVENTS_32, _MOST_VERTICES_32 = 1 << 30, 1 << 31
_SPAN_32 = (1 << 31) - 1
_FEW = 1 << 14  # events that one thread sorts alone
_BLOCK = 1 << 17  # places of a block


def event_bytes(n: int, events: int, *, threads: int) -> int:
    """Estimate the peak memory, in bytes, of orienting some events between n vertices, the result included."""
    item = 8 if events >= _MOST_EVENTS_32 or n >= _MOST_VERTICES_32 else 4
    return 18 * item * events + (48 + 16 * threads + 2 * item) * n


def held_bytes(n: int, events: int) -> int:
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
    cuts = blocks.cut_evenly(m, threads)
    parts = len(cuts) - 1
    rank: Ids = np.empty(n, dtype=dtype)
    ends = zeros(max(1, parts), (2, n), np.int64)
    blocks.run(
        lambda _, b: event_sort.count_ends(source, target, cuts[b], cuts[b + 1], ends[b]), parts, threads=threads
    )
    for others in ends[1:]:
        ends[0] += others
    rank_by_degree(ends[0].sum(axis=0), rank)
    inward = np.empty(n, dtype=np.int64)
    inward[rank] = ends[0][1]
    del ends
    inward_before = np.cumsum(inward) - inward

    counts = np.zeros((2, max(1, parts), n), dtype=np.int64)
    blocks.run(
        lambda _, b: event_sort.count_entries(source, target, rank, cuts[b], cuts[b + 1], counts[0, b], counts[1, b]),
        parts,
        threads=threads,
    )
    indptr, event_indptr = _starts(counts[0].sum(axis=0)), _starts(counts[1].sum(axis=0))
    begin = counts[0]
    del counts
    event_sort.begin_lists(begin, indptr, 0, n)
    places, others = np.empty(2 * m, dtype=dtype), np.empty((m, 2), dtype=dtype)
    positions = np.empty((m, 2), dtype=dtype)
    blocks.run(
        lambda _, b: event_sort.fill_lists(
            source, target, rank, keys, cuts[b], cuts[b + 1], begin[b], places, others, positions
        ),
        parts,
        threads=threads,
    )
    del begin, keys
    moments, neighbours = np.empty((2 * m + 1, 2), dtype=dtype), np.empty(2 * m, dtype=dtype)
    moments[-1] = 0, m
    lists = blocks.cut(indptr, _BLOCK, most=1 << 12)
    blocks.run(
        lambda _, b: event_sort.complete_lists(
            indptr, inward_before, places, others, lists[b], lists[b + 1], moments, neighbours
        ),
        len(lists) - 1,
        threads=threads,
    )
    del others
    events, heads, begins = np.empty((m, 4), dtype=dtype), np.empty(m, dtype=dtype), np.empty(m, dtype=dtype)
    pairs_of = np.zeros(n, dtype=np.int64)
    next_of = zeros(threads, n, dtype)
    blocks.run(
        lambda worker, b: event_sort.sort_pairs(
            indptr, event_indptr, moments, neighbours, places, positions, lists[b], lists[b + 1],
            next_of[worker], events, heads, begins, pairs_of,
        ),
        len(lists) - 1,
        threads=threads,
    )  # fmt: skip
    del positions, next_of
    row_indptr = _starts(pairs_of)
    pairs = int(row_indptr[-1])
    own_heads, starts = np.empty(pairs, dtype=dtype), np.empty(pairs + 1, dtype=dtype)
    starts[-1] = m
    blocks.run(
        lambda _, b: event_sort.gather_pairs(
            event_indptr, row_indptr, heads, begins, lists[b], lists[b + 1], own_heads, starts
        ),
        len(lists) - 1,
        threads=threads,
    )
    del heads, begins
    blocks.run(lambda _, b: event_sort.place_events(events, cuts[b], cuts[b + 1], places), parts, threads=threads)
    return OrientedEvents(
        rank, indptr, moments, neighbours, places, row_indptr, event_indptr, own_heads, starts, events, kept, unit
    )


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
