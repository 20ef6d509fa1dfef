"""Timed events: times and durations as arguments give them, and the events sorted by vertex and by pair of vertices.

A time is a number or a date, and a duration a number or words such as ``"1h"``. To orient events is to rank their
vertices, and to sort the events by vertex and by pair.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.arguments import unmasked
from triadic.core.blocks import zeros
from triadic.core.memory import check_memory
from triadic.core.oriented import NO_NUMBERS, OrientedEvents, int_empty, int_zeros, starts_of
from triadic.devices.cpu.events import event_order as event_sort
from triadic.devices.cpu.orient.rows import rank_by_degree
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from triadic.core.array_types import AnyArray, Float64Array, Ids, Int64Array

    Times = Int64Array | Float64Array

Duration = float | np.number[Any] | timedelta | np.timedelta64 | str
"""A number in the unit of the times, or a duration with a unit of its own."""
Moment = float | np.number[Any] | np.datetime64 | date | str
"""A time as a graph holds them: a number, or a date."""

UNITS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
# Times since 1970 in units finer than seconds, in the years 1973 to 2286; as seconds they would lie after 5138.
_SINCE_1970 = {"ms": (1e11, 1e13), "us": (1e14, 1e16), "ns": (1e17, 1e19)}
_WORDS: dict[str, int] = {
    word: size
    for size, words in (
        (1, ("ns", "nanosecond", "nanoseconds")),
        (10**3, ("us", "µs", "microsecond", "microseconds")),
        (10**6, ("ms", "millisecond", "milliseconds")),
        (10**9, ("s", "sec", "secs", "second", "seconds")),
        (60 * 10**9, ("m", "min", "mins", "minute", "minutes")),
        (3600 * 10**9, ("h", "hr", "hrs", "hour", "hours")),
        (86400 * 10**9, ("d", "day", "days")),
        (7 * 86400 * 10**9, ("w", "wk", "week", "weeks")),
    )
    for word in words
}
"""Nanoseconds of the units of durations in words."""
_FIRST_YEAR, _LAST_YEAR = 1678, 2261  # which nanoseconds since 1970 hold in full
_LARGEST_FLOAT = Fraction(np.finfo(np.float64).max.item())
_ZONE = re.compile(r"[T ]\d.*(Z|[+-]\d\d(:?\d\d)?)$")  # at the end of a date and time
_PART = re.compile(r"\s*([0-9]+)(?:\.([0-9]*))?\s*([a-zµ]+)\s*")


def unit_of(times: AnyArray) -> str:
    """Return the unit in which rising times count from 1970, told by their size; "s" for all other numbers."""
    for unit, (least, beyond) in _SINCE_1970.items():
        if len(times) and least <= times[0] and times[-1] < beyond:
            return unit
    return "s"


def duration_of(name: str, duration: Duration, unit: str, *, whole: bool, dates: bool) -> int | float:
    """Return a duration in a unit of time, as an int if times are whole numbers; see `TemporalGraph.duration`."""
    nanoseconds = _nanoseconds(duration)
    if nanoseconds is not None:
        of_unit = UNITS[unit]
        if nanoseconds < 0:
            raise ArgumentError(f"{name}={duration!r}: expected a duration of at least 0")
        if whole and nanoseconds % of_unit:
            expected = f"the times are whole numbers of {unit}; expected a multiple of 1 {unit}"
            raise ArgumentError(f"{name}={duration!r}: {expected}")
        return int(nanoseconds // of_unit) if whole else float(min(nanoseconds / of_unit, _LARGEST_FLOAT))
    if isinstance(duration, (bool, str, np.timedelta64)) or not isinstance(
        duration, (int, float, np.integer, np.floating)
    ):
        raise ArgumentError(f"{name}={duration!r}: expected a number, a timedelta or words such as '1h' or '30min'")
    if dates:
        expected = "expected a duration with a unit, such as '1h' or '1 day', or a timedelta"
        raise ArgumentError(f"{name}={duration!r}: the times are dates, which a number has no unit for; {expected}")
    if not 0 <= duration < float("inf"):
        raise ArgumentError(f"{name}={duration!r}: expected a finite number of at least 0")
    if whole and duration != int(duration):
        raise ArgumentError(f"{name}={duration!r}: the times are whole numbers of {unit}; expected a whole number")
    # Whole times differ by whole numbers, and float times by no more than the largest float.
    return int(duration) if whole else float(min(duration, _LARGEST_FLOAT))


def has_zone(date: object) -> bool:
    """Return whether a date, or the text of a date, has a time zone, which NumPy converts to UTC with a warning."""
    return _ZONE.search(str(date)) is not None


def date_bound(date: np.datetime64) -> int:
    """Return a date in nanoseconds, or the nearest number of 64 bits if it lies beyond."""
    if np.isnat(date):
        raise ValueError
    if beyond := int(_beyond(date)):
        return 2**63 - 1 if beyond > 0 else -(2**63)
    return int(date.astype("datetime64[ns]").astype(np.int64))


def _beyond(dates: Any) -> Any:  # noqa: ANN401 - a date or an array
    """Return 1 for each date after the years that nanoseconds hold, -1 for each before them, and else 0."""
    if np.datetime_data(dates.dtype)[0] == "ns":
        return np.zeros(dates.shape)
    years = dates.astype("datetime64[Y]").astype(np.int64) + 1970
    return np.int64(years > _LAST_YEAR) - np.int64(years < _FIRST_YEAR)


def _nanoseconds(duration: Duration) -> Fraction | int | None:
    """Return the nanoseconds of a duration with a unit; None for a number, and for what is no duration."""
    if isinstance(duration, np.timedelta64):
        unit, count = np.datetime_data(duration.dtype)
        of_unit = None if np.isnat(duration) or unit == "M" else _WORDS.get(unit.lower())
        return of_unit and int(duration.astype(np.int64)) * count * of_unit
    if isinstance(duration, timedelta):
        return duration // timedelta(microseconds=1) * 1000
    if not isinstance(duration, str):
        return None
    total, at, text = Fraction(0), 0, duration.lower()
    while at < len(text):
        part = _PART.match(text, at)
        if part is None or part[3] not in _WORDS or len(part[1]) + len(part[2] or "") > 30:
            return None
        decimals = part[2] or ""
        total += Fraction(int(part[1] + decimals) * _WORDS[part[3]], 10 ** len(decimals))
        at = part.end()
    return total if at else None


def take_times(time: ArrayLike) -> tuple[AnyArray, bool]:
    """Check times; return them as int64 or float64, and whether they are dates in nanoseconds."""
    array = unmasked("time", time)
    if array.ndim != 1:
        raise ArgumentError(f"time: expected a 1-D array, got shape {array.shape}")
    if len(array) == 0 and array.dtype.kind not in "fM":
        return NO_NUMBERS, False
    if array.dtype.kind == "O":
        array = _dates_of_objects(array)
    kind = array.dtype.kind
    if kind == "M":
        return _take_dates(array), True
    if kind in "iu":
        if int(array.max()) >= 2**63:
            raise ArgumentError(f"time[{int(array.argmax())}] = {array.max()}: expected times below 2**63")
        return array.astype(np.int64, copy=False), False
    if kind != "f" or array.dtype.itemsize > 8:
        raise ArgumentError(f"time: expected integers, floats or datetime64, got {array.dtype}")
    if not isinstance(time, np.ndarray):
        _refuse_long_integers(time)
    finite = np.isfinite(array)
    if not finite.all():
        wrong = int(np.argmin(finite))
        raise ArgumentError(f"time[{wrong}] = {array[wrong]}: expected finite times")
    return array.astype(np.float64, copy=False), False


def _refuse_long_integers(time: Any) -> None:  # noqa: ANN401 - a sequence
    """Raise for Python ints of more than 64 bits, of which NumPy makes floats or objects."""
    for i, value in enumerate(time if isinstance(time, (list, tuple, np.ndarray)) else ()):
        if isinstance(value, int) and abs(value) >= 2**63:
            raise ArgumentError(f"time[{i}] = {value}: expected times below 2**63")


def _dates_of_objects(array: AnyArray) -> AnyArray:
    _refuse_long_integers(array)
    for i, value in enumerate(array):
        if not isinstance(value, date) or getattr(value, "tzinfo", None) is not None:
            raise ArgumentError(
                f"time[{i}] = {value!r}: expected numbers, datetime64, or dates and datetimes without a time zone"
            )
    return array.astype("datetime64[us]")


def _take_dates(array: AnyArray) -> Int64Array:
    missing = np.isnat(array)
    if missing.any():
        raise ArgumentError(f"time[{int(np.argmax(missing))}] is NaT: expected a time for each event")
    outside = _beyond(array) != 0  # NumPy wraps dates around that nanoseconds do not hold
    if outside.any():
        wrong = int(np.argmax(outside))
        expected = f"expected years from {_FIRST_YEAR} to {_LAST_YEAR}"
        raise ArgumentError(f"time[{wrong}] = {array[wrong]}: more than 2**63 ns from 1970; {expected}")
    return array.astype("datetime64[ns]").view(np.int64)


# From these numbers on, 32 bits do not hold twice the number of an event and a bit.
_MOST_EVENTS_32, _MOST_VERTICES_32 = 1 << 30, 1 << 31
_SPAN_32 = (1 << 31) - 1
_FEW = 1 << 14  # events that one thread sorts alone
_BLOCK = 1 << 17  # places of a block


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
    dtype: type[np.int64 | np.int32] = np.int64 if m >= _MOST_EVENTS_32 or n >= _MOST_VERTICES_32 else np.int32
    keys, unit, kept = _keys(times)
    cuts, ends = event_sort.count_by_vertex(source, target, n, threads=threads)
    total = ends.sum(axis=0)
    rank: Ids = np.empty(n, dtype)
    rank_by_degree(total.sum(axis=0), rank)
    inward = int_empty(n)
    inward[rank] = total[1]
    others: Ids = np.empty((m, 2), dtype)
    ranked = rank, keys, others
    indptr, places, positions = event_sort.list_by_vertex(source, target, cuts, ends, ranked, threads=threads)
    moments = np.empty((2 * m + 1, 2), dtype)
    moments[-1] = 0, m
    lists = indptr, moments, np.empty(2 * m, dtype), places
    cuts = blocks.cut(indptr, _BLOCK, most=1 << 12)
    inward_before, lower, pairs_of = starts_of(inward), *int_zeros((2, n))

    blocks.run_cuts(
        lambda _, part: event_sort.complete_lists(lists, others, inward_before, lower, *part), cuts, threads=threads
    )
    heads, begins = others.reshape(2, m)  # in the same memory
    heads[:] = -1  # no rank: these places stay free
    events = np.empty((m, 4), dtype)
    event_indptr = starts_of(lower)
    rows = event_indptr, heads, begins, events, pairs_of
    next_of = zeros(threads, n, dtype)

    blocks.run_cuts(
        lambda worker, part: event_sort.sort_pairs(lists, positions, rows, next_of[worker], *part),
        cuts,
        threads=threads,
    )
    taken = np.flatnonzero(heads >= 0)
    starts = np.append(begins.take(taken), dtype(m))
    return OrientedEvents(
        rank, *lists, starts_of(pairs_of), event_indptr, heads.take(taken), starts, events, kept, unit
    )


def _keys(times: Times) -> tuple[Ids, int, Times | None]:
    """Return a key for each event, the unit of the keys, and the times if keys number them."""
    if len(times) == 0:
        return np.empty(0, np.int32), 1, None
    if times.dtype == np.int64:
        span, unit = int(times[-1]) - int(times[0]), 1
        if span > _SPAN_32:  # such as whole seconds in nanoseconds
            unit = max(1, int(np.gcd.reduce(np.diff(times))))
        if span // unit <= _SPAN_32:
            shifted = times - times[0]
            return (shifted if unit == 1 else shifted // unit).astype(np.int32), unit, None
    number = starts_of(times[1:] != times[:-1])
    return number.astype(np.int32 if len(times) <= _SPAN_32 else np.int64), 1, times
