"""The events in time of a report: how many there are, clustering in a moving window, temporal motifs, and plots."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.formatting import format_compact, format_length
from triadic.errors import ArgumentError, OutOfMemoryError, UnsupportedError
from triadic.measures.over_time import over_time
from triadic.measures.significance.significance import significance
from triadic.measures.temporal import temporal_motifs
from triadic.null_models.shuffled_events import numbers_of
from triadic.plot.canvas import COLOURS
from triadic.reports import budget

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.convert.result_table import Table
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.events import Duration
    from triadic.graph.temporal import TemporalGraph
    from triadic.measures.significance.result import Significance
    from triadic.measures.temporal import TemporalMotifs

SHUFFLED = "shuffled_times"
DAY = 86400
_UNITS = (("days", DAY), ("hours", 3600), ("minutes", 60))
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
    seconds: dict[str, float]
    compared: Significance | None = None
    left_out: str = ""


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
    span, second = span_of(graph), PER_SECOND[graph.unit]
    default = 3600 * second if span >= 3600 * second else _share_of(graph, span, 0)
    longest = default if delta is None else graph.duration("delta", delta)
    temporal_motifs(graph, "0s", ties=graph.ties, threads=threads)  # compiled before the time is taken
    started = clock.perf_counter()
    motifs = temporal_motifs(graph, _duration(graph, longest), ties=graph.ties, **keywords)  # the page names ties
    seconds = {"temporal motifs": clock.perf_counter() - started}
    # The shortest period of which at most 200 follow one another; 0 if all events are at one time.
    fitting = [seconds * second for seconds in _PERIODS if span <= _MOST_PERIODS * seconds * second]
    period = fitting[0] if fitting and span >= 20 * second else _share_of(graph, span, 1)
    found = EventFindings(graph, motifs, format_length(longest, graph.unit), period, None, seconds=seconds)
    if period:
        started = clock.perf_counter()
        window, step = _duration(graph, WINDOW * period), _duration(graph, period)
        found.periods = over_time(graph, "clustering", window=window, step=step, **keywords)
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
    times = numbers_of(graph.time)
    return float(times[-1].item() - times[0].item()) if len(times) else 0.0


def _share_of(graph: TemporalGraph, span: float, least: int) -> float:
    """Return a hundredth of the time from the first event to the last, at least `least` if times are whole numbers."""
    share = span / _SHARE_OF_SPAN
    return 0 if not span else share if graph.time.dtype == np.float64 else max(least, ceil(share))


def draw_over_time(events: EventFindings, ax: Axes, *, column: str) -> None:
    """Plot the number of events of each period, or the transitivity of the last periods."""
    assert events.periods is not None  # noqa: S101 - events at one time are not plotted
    graph, second = events.graph, PER_SECOND[events.graph.unit]
    long = ((name, seconds * second) for name, seconds in _UNITS if span_of(graph) >= 3 * seconds * second)
    unit, length = next(long, (graph.unit, 1))
    times = numbers_of(graph.time)
    first = times[0]
    style: dict[str, Any] = {"color": COLOURS[0], "linewidth": 1.2}
    if column == "events":
        ends = np.arange(0, span_of(graph) + 2 * events.period, events.period) / length
        ax.hist((times - first) / length, ends.tolist(), histtype="step", **style)
        column = f"events per {format_length(events.period, graph.unit).removeprefix('1 ')}"
        ax.yaxis.set_major_formatter(lambda value, _: format_compact(round(value)) if value == round(value) else "")
    else:
        ax.plot((numbers_of(events.periods["time"]) - first) / length, events.periods[column], **style)
    ax.set_ylim(bottom=0)
    ax.set(xlabel=f"{unit} after the first event", ylabel=column)
    ax.spines[["top", "right"]].set_visible(False)


def window_in_words(events: EventFindings) -> str:
    """Return the length of the moving window in words."""
    return format_length(WINDOW * events.period, events.graph.unit)
