"""What a report counts of events in time: how many there are, clustering in a moving window, and temporal motifs."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.formatting import format_length
from triadic.errors import ArgumentError, OutOfMemoryError, UnsupportedError
from triadic.measures.over_time import over_time
from triadic.measures.significance.significance import significance
from triadic.measures.temporal import temporal_motifs
from triadic.reports import budget

if TYPE_CHECKING:
    from triadic.convert.result_table import Table
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.events import Duration
    from triadic.graph.temporal import TemporalGraph
    from triadic.measures.significance.result import Significance
    from triadic.measures.temporal import TemporalMotifs

SHUFFLED = "shuffled_times"
DAY = 86400
_PERIODS = (1, 10, 60, 600, 3600, 6 * 3600, DAY, 7 * DAY, 28 * DAY, 364 * DAY)  # seconds
_MOST_PERIODS = 200
WINDOW = 7  # periods of a moving window
_SHARE_OF_SPAN = 100  # of the default delta, if the events span less than an hour
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}  # of a second


@dataclass(slots=True, eq=False)
class EventFindings:
    """What a report shows about events in time.

    Attributes
    ----------
    graph : TemporalGraph
    motifs : TemporalMotifs
    delta : str
        Longest time from the first event of a motif to the last, in words.
    period : int or float
        Length of the periods in which events are counted, in the unit of the times; 0 if all events are at one time.
    periods : Table or None
        Numbers of events of each period, and clustering of the last 7.
    compared : Significance or None
        Motifs compared with those of shuffled times.
    left_out : str
        Reason why there is no comparison, or why it has fewer samples.
    seconds : dict of str to float
    """

    graph: TemporalGraph
    motifs: TemporalMotifs
    delta: str
    period: float
    periods: Table | None
    counted: Table | None = None
    compared: Significance | None = None
    left_out: str = ""
    seconds: dict[str, float] = field(default_factory=dict)


def find_events(
    graph: TemporalGraph,
    delta: Duration | None,
    *,
    samples: int,
    seed: int,
    threads: int | None,
    progress: ProgressKeyword,
) -> EventFindings:
    """Count the motifs of a temporal graph, its events over time, and the motifs of shuffled times.

    Parameters
    ----------
    graph : TemporalGraph
    delta : duration or None
        By default an hour, or a hundredth of the time from the first event to the last if that is less than an hour.
    samples : int
        Number of times that the events are shuffled, at most; 0 for none.
    seed : int
    threads : int, optional
    progress : bool or callable
    """
    keywords: dict[str, Any] = {"threads": threads, "progress": progress}
    span = span_of(graph)
    longest = _default_delta(graph, span) if delta is None else graph.duration("delta", delta)
    temporal_motifs(graph, "0s", ties=graph.ties, threads=threads)  # compiled before the time is taken
    started = clock.perf_counter()
    motifs = temporal_motifs(graph, _duration(graph, longest), ties=graph.ties, **keywords)  # the page names ties
    seconds = {"temporal motifs": clock.perf_counter() - started}
    period = _period(graph, span)
    found = EventFindings(graph, motifs, format_length(longest, graph.unit), period, None, seconds=seconds)
    if period:
        started = clock.perf_counter()
        window, step = _duration(graph, WINDOW * period), _duration(graph, period)
        found.periods = over_time(graph, "clustering", window=window, step=step, **keywords)
        found.counted = over_time(graph, "clustering", window=step, step=step, **keywords)
        seconds["events over time"] = clock.perf_counter() - started
    if samples:
        _compare(found, longest, samples=samples, seed=seed, keywords=keywords)
    return found


def _compare(found: EventFindings, delta: float, *, samples: int, seed: int, keywords: dict[str, Any]) -> None:
    """Compare with as many shuffles as fit the time, or state why there are fewer, or none."""
    each = 2 * found.seconds["temporal motifs"]
    fitting = budget.affordable_samples(samples, each, budget.Allowance(budget.SECONDS / 3, budget.SECONDS))
    if fitting < samples:
        found.left_out = f"The times were shuffled {fitting} instead of {samples:,} times, to save time."
    if not fitting:
        return
    started = clock.perf_counter()
    try:
        found.compared = significance(
            found.graph,
            delta=_duration(found.graph, delta),
            ties=found.motifs.ties,
            null=SHUFFLED,
            samples=fitting,
            seed=seed,
            **keywords,
        )
    except (ArgumentError, OutOfMemoryError, UnsupportedError) as error:
        found.left_out = f"The times were not shuffled: {str(error).removeprefix('graph: ')}."
        return
    found.seconds["shuffled times"] = clock.perf_counter() - started


def _duration(graph: TemporalGraph, length: float) -> Duration:
    """Return a number in the unit of the times as a duration that measures take: dates have no plain numbers."""
    return np.timedelta64(int(length), "ns") if graph.time.dtype.kind == "M" else length


def span_of(graph: TemporalGraph) -> float:
    """Return the time from the first event to the last, in the unit of the times."""
    times = graph.time.view(np.int64) if graph.time.dtype.kind == "M" else graph.time
    return float(times[-1].item() - times[0].item()) if len(times) else 0.0


def _default_delta(graph: TemporalGraph, span: float) -> float:
    hour = 3600 * PER_SECOND[graph.unit]
    if span >= hour:
        return hour
    share = span / _SHARE_OF_SPAN
    return share if graph.time.dtype == np.float64 else int(-(-span // _SHARE_OF_SPAN))


def _period(graph: TemporalGraph, span: float) -> float:
    """Return the shortest period of which at most 200 follow one another; 0 if all events are at one time."""
    second = PER_SECOND[graph.unit]
    fitting = [seconds * second for seconds in _PERIODS if span <= _MOST_PERIODS * seconds * second]
    if not span:
        return 0
    if not fitting or span < 20 * second:
        share = span / _SHARE_OF_SPAN
        return share if graph.time.dtype == np.float64 else max(1, int(share))
    return fitting[0]
