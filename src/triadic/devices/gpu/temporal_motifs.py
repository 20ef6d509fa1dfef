"""Motifs of three timed events on GPUs (timed_pairs.c, timed_wedges.c), in total and by vertex."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.triad_types import MOTIFS, PAIRS, STARS
from triadic.devices.cpu.events.event_order import check_number_of_triples, window_of
from triadic.devices.cpu.events.timed_triangles import looked_up_events
from triadic.devices.gpu.rows import cached
from triadic.devices.gpu.tasks import Share, downloaded, run_shares
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import Buffer, Runtime, Source, sums_before
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import OrientedEvents
    from triadic.devices.cpu.events.event_order import Window

_SLICE = 1024  # events for each team
_MOST_LOOK_UPS = 1 << 37
_HEADERS = ("tasks", "timed_events")
_DEFINES = (("SLICE", _SLICE), ("MOTIFS", MOTIFS))


class EventsOnDevice(NamedTuple):
    """The arrays of oriented events on a device, whole numbers as uint32, and what kernels read beside them.

    Attributes
    ----------
    events : tuple of 4 buffers
        `indptr`, `moments`, `neighbours` and `events`, with which the parameters of all kernels over events begin.
    rows : tuple of 3 buffers
        `places`, `row_indptr` and `heads`.
    pairs : tuple of 3 buffers
        `starts`; the pair of each event; the events to the larger rank before each event, and of all events.
    """

    events: tuple[Buffer, ...]
    rows: tuple[Buffer, ...]
    pairs: tuple[Buffer, ...]


def motifs(
    device: str,
    oriented: OrientedEvents,
    delta: float,
    simultaneous: bool,
    *,
    by_vertex: bool = False,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the motifs of three events, see `triadic.devices.cpu.events.temporal_motifs`.

    Returns
    -------
    int64 array, shape (36,), or (n, 36), at each rank, if `by_vertex`
    """
    if oriented.events.dtype != np.int32:
        raise UnsupportedError(f"device={device!r}: expected fewer than 2**30 events; use device='cpu'")
    window = window_of(oriented, delta, simultaneous)
    check_number_of_triples(oriented, window)
    if looked_up_events(oriented, window) > _MOST_LOOK_UPS:
        raise UnsupportedError(
            f"device={device!r}: the windows of delta have too many events for triangles on a GPU; use device='cpu', "
            "or a smaller delta"
        )
    counters = [MotifCounter(runtime, oriented, window, by_vertex) for runtime in runtimes_of(device)]
    run_shares(counters, oriented.num_edges, progress)
    if by_vertex:
        counters[0].add_lone()
    found = downloaded(counters).reshape(-1, MOTIFS)
    return found if by_vertex else found[0]


class MotifCounter:
    """One device's share of the motifs of three events.

    Parameters
    ----------
    runtime : Runtime
    oriented : OrientedEvents
    window : Window
        The longest time from the first event to the last, and whether tied events are unordered.
    by_vertex : bool
        Count at each rank, or in total.
    """

    def __init__(self, runtime: Runtime, oriented: OrientedEvents, window: Window, by_vertex: bool) -> None:
        m, n = oriented.num_edges, oriented.num_vertices
        delta, limits, simultaneous = window
        self.runtime, self.number, rows = runtime, m, n if by_vertex else 1
        runtime.check_room(
            f"counting temporal motifs of {m:,} events",
            *(8 * n, 16 * m, 8 * m, 8 * m, 8 * n, 4 * m, 4 * m, 16 * m, 4 * m, 4 * m, 32 * m, 8 * MOTIFS * rows),
            *((16 * m, 16 * m, 16 * m) if by_vertex else ()),
        )
        defines = (*_DEFINES, ("BY_VERTEX", 1)) if by_vertex else _DEFINES
        self._pairs = Source("timed_pairs", defines, _HEADERS)
        self._wedges = Source("timed_wedges", defines, _HEADERS)
        self._on_device = on = cached(oriented, runtime, "events", lambda: _upload(runtime, oriented))
        name, sums = ("sums of pairs", simultaneous), partial(_sums_of_pairs, simultaneous=simultaneous)
        self._sums = cached(oriented, runtime, name, lambda: runtime.computed(sums, *on.pairs[1:], on.events[3]))
        is_limited = np.uint32(len(limits) > 0)
        self._events = *on.events, _words(runtime, limits), is_limited, delta, np.uint32(simultaneous)
        self._star_places = runtime.upload(STARS.reshape(-1).astype(np.uint32))
        self._pair_places = runtime.upload(PAIRS.astype(np.uint32))
        self.counts = runtime.zeros(MOTIFS * rows, np.int64)

    def take(self, first: int, step: int) -> None:
        """Count pairs, stars and triangles for every `step`-th slice of events, and wait."""
        runtime, on = self.runtime, self._on_device
        share, events = Share.of(-(-self.number // _SLICE), first, step), (*self._events, self.number)
        share.launch(
            runtime, self._pairs, "pairs_and_stars", events, *on.pairs, self._sums, self._star_places,
            self._pair_places, self.counts,
        )  # fmt: skip
        share.launch(runtime, self._wedges, "close_wedges", events, *on.rows, on.pairs[0], self.counts)
        runtime.synchronize()

    def add_lone(self) -> None:
        """Add all stars at the vertices of their lone events."""
        runtime, on, m = self.runtime, self._on_device, self.number
        near, ends, places = runtime.empty(4 * m), 2 * m, on.rows[0]
        _, moments, _, events = on.events
        share = Share.of(-(-m // _SLICE), 0, 1)
        share.launch(runtime, self._pairs, "near_events", (*self._events, m), *on.pairs, near)
        for kind in map(np.uint32, range(4)):
            changes = [runtime.empty(ends, np.int64) for _ in range(2)]  # ended and begun
            runtime.launch_each(self._pairs, "changes", ends, moments, events, places, near, kind, ends, *changes)
            changes = [runtime.computed(sums_before, values) for values in changes]
            runtime.launch_each(
                self._pairs, "add_lone", ends, *self._events, ends, places, *changes, kind, self._star_places,
                self.counts,
            )  # fmt: skip


def _upload(runtime: Runtime, oriented: OrientedEvents) -> EventsOnDevice:
    def pairs_of(xp: Any, starts: Any, _: Any) -> Any:  # noqa: ANN401 - arrays of `xp`
        numbers = xp.arange(oriented.num_edges, dtype=np.uint32)
        return (xp.searchsorted(starts, numbers, side="right") - 1).astype(np.uint32)

    def inward_before(xp: Any, _: Any, events: Any) -> Any:  # noqa: ANN401 - arrays of `xp`
        return sums_before(xp, events.reshape(-1, 4)[:, 1] & 1).astype(np.uint32)

    indptr, row_indptr = (runtime.upload(np.asarray(array)) for array in (oriented.indptr, oriented.row_indptr))
    arrays = oriented.moments, oriented.neighbours, oriented.events, oriented.places, oriented.heads, oriented.starts
    moments, neighbours, events, places, heads, starts = (_words(runtime, array) for array in arrays)
    made = (runtime.computed(make, starts, events) for make in (pairs_of, inward_before))
    return EventsOnDevice((indptr, moments, neighbours, events), (places, row_indptr, heads), (starts, *made))


def _words(runtime: Runtime, array: AnyArray) -> Buffer:
    return runtime.upload(np.ascontiguousarray(array).view(np.uint32).reshape(-1))


def _sums_of_pairs(xp: Any, owner: Any, inward: Any, events: Any, *, simultaneous: bool) -> Any:  # noqa: ANN401 - arrays of `xp`
    """Return four running sums over the events of pairs, side by side: uint64, shape (4 * (m + 1),).

    Column 2 x + y has, for the events of direction x before each event, the number of events of direction y up to
    the end of each of them: up to its last tied event if tied events never follow one another.
    """
    events = events.reshape(-1, 4)
    m = len(events)
    passed = xp.arange(1, m + 1)
    if simultaneous and m > 0:
        keys = events[:, 0]
        ends = xp.flatnonzero(xp.append((owner[1:] != owner[:-1]) | (keys[1:] != keys[:-1]), xp.ones(1, dtype=bool)))
        passed = ends[xp.searchsorted(ends, xp.arange(m))] + 1
    direction = events[:, 1] & 1
    into = inward[passed].astype(np.int64)
    sums = xp.zeros((m + 1, 4), dtype=np.uint64)
    for x in range(2):
        for y in range(2):
            counted = into if y else passed - into
            sums[1:, 2 * x + y] = xp.cumsum(xp.where(direction == x, counted, 0)).astype(np.uint64)
    return sums.reshape(-1)
