"""Which events lie within a duration of an event.

Computes: the reach of a duration in the keys of the oriented events.
Requires: oriented events; their times rise, and no difference of whole times passes 2**63.
Idea: keys that are times need a difference only. Keys that number the distinct times get the smallest and the largest
  number within the duration, from one sweep over the times, so that kernels never see times of other types.
Cost: O(1) for keys that are times, else O(events) and 8 bytes an event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import AHEAD_SUM, prefetch
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import OrientedEvents

    Ids = NDArray[np.integer[Any]]
    Whole = int | np.integer[Any]

# Numbers of triples from this limit on are refused. Pairs of that many events add at most half of the limit to a bound.
_LIMIT = np.int64(1 << 62)
_MOST_EVENTS = np.int64(1 << 31)


class Reach(NamedTuple):
    """Which keys lie within a duration.

    Attributes
    ----------
    delta : int
        If `limits` is empty, all keys whose difference is at most `delta`.
    limits : array of the type of the keys, shape (events, 2) or (0, 2)
        Smallest and largest key within the duration of each event, in the order of `OrientedEvents.events`.
    """

    delta: np.int64
    limits: Ids


def reach_of(oriented: OrientedEvents, delta: float) -> Reach:
    """Return the reach of a duration in the unit of the times, an int if the times are whole."""
    events = oriented.events
    none = np.empty((0, 2), dtype=events.dtype)
    if len(events) == 0:
        return Reach(np.int64(0), none)
    if oriented.times is None:
        return Reach(np.int64(min(delta // oriented.unit, 2**32)), none)  # all keys are below 2**31
    times = oriented.times
    span = times[-1].item() - times[0].item()  # a longer duration reaches no further
    by_number = np.empty((len(times), 2), dtype=events.dtype)
    find_limits(times, times.dtype.type(min(delta, span)), by_number)
    limits = np.empty_like(by_number)
    gather_limits(events, by_number, limits)
    return Reach(np.int64(0), limits)


@kernel
def find_limits(times: NDArray[Any], delta: Any, limits: Ids) -> None:  # noqa: ANN401 - a number of the type of `times`
    """Write the number of distinct times before the first and before the last event within `delta` of each event."""
    first = 0
    last = 0
    low = 0
    high = 0
    for k in range(len(times)):
        while times[k] - times[first] > delta:
            first += 1
            if times[first] != times[first - 1]:
                low += 1
        while last + 1 < len(times) and times[last + 1] - times[k] <= delta:
            last += 1
            if times[last] != times[last - 1]:
                high += 1
        limits[k, 0] = low
        limits[k, 1] = high


@kernel
def gather_limits(events: Ids, by_number: Ids, limits: Ids) -> None:
    """Put the limits of the events into the order of the pairs."""
    for q in range(len(events)):
        prefetch(by_number, 2 * (np.int64(events[min(q + AHEAD_SUM, len(events) - 1), 1]) >> 1))
        k = np.int64(events[q, 1]) >> 1
        limits[q, 0] = by_number[k, 0]
        limits[q, 1] = by_number[k, 1]


@kernel
def after_window(moments: Ids, start: Whole, stop: Whole, key: Whole) -> np.int64:
    """Return the first place in ``moments[start:stop]`` with a key above `key`, by doubling steps."""
    low = np.int64(start)
    step = np.int64(1)
    while low + step <= stop and moments[low + step - 1, 0] <= key:
        low += step
        step *= 2
    high = min(np.int64(stop), low + step - 1)
    while low < high:
        middle = (low + high) >> 1
        if moments[middle, 0] <= key:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def begin_of_window(moments: Ids, start: Whole, stop: Whole, key: Whole) -> np.int64:
    """Return the first place from `start` on with a key of at least `key`, by doubling steps back from `stop`."""
    high = np.int64(stop)
    step = np.int64(1)
    while high - step >= start and moments[high - step, 0] >= key:
        high -= step
        step *= 2
    low = max(np.int64(start), high - step + 1)
    while low < high:
        middle = (low + high) >> 1
        if moments[middle, 0] >= key:
            high = middle
        else:
            low = middle + 1
    return low


def check_number_of_triples(oriented: OrientedEvents, reach: Reach) -> None:
    """Raise UnsupportedError if 2**62 or more triples of events may lie within a duration.

    All events of a motif but one follow its first event at one of their vertices, or two of them precede its last event
    at different vertices, so that half the squared numbers of events in windows bound the number of motifs.
    """
    if oriented.num_edges == 0 or int(oriented.indptr[1]) ** 2 * oriented.num_edges < _LIMIT:  # rank 0 has the most
        return
    if int(bound_of_triples(oriented.indptr, oriented.moments, oriented.places, *reach)) >= _LIMIT:
        raise UnsupportedError(
            "delta: 2**62 or more triples of events may lie within it, too many for counts of 64 bits; "
            "expected a smaller delta"
        )


@kernel
def bound_of_triples(indptr: NDArray[np.int64], moments: Ids, places: Ids, delta: Whole, limits: Ids) -> np.int64:
    """Return half the squared number of events before each event in its window, added up, at most `_LIMIT`."""
    bound = np.int64(0)
    for u in range(len(indptr) - 1):
        low = indptr[u]
        for p in range(indptr[u], indptr[u + 1]):
            low_key = np.int64(moments[p, 0]) - delta if len(limits) == 0 else np.int64(limits[places[p], 0])
            while moments[low, 0] < low_key:
                low += 1
            width = min(np.int64(p - low), _MOST_EVENTS)
            bound = min(bound + ((width * width + 1) >> 1), _LIMIT)
    return bound
