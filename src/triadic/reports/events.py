"""The events in time of a report: how many there are, the clustering of a moving window, and temporal motifs."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.numbers import format_compact, format_length
from triadic.errors import ArgumentError, UnsupportedError
from triadic.measures.over_time import clustering_over_time
from triadic.measures.significance import significance
from triadic.measures.temporal import temporal_motifs
from triadic.plot.canvas import axes_for
from triadic.plot.fitting import set_label
from triadic.plot.network_style import network_style
from triadic.reports import budget
from triadic.reports.tables import Fact

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.temporal import Duration, TemporalGraph
    from triadic.measures.significance_result import Significance
    from triadic.measures.temporal import TemporalMotifs
    from triadic.measures.time_windows import WindowTable

SHUFFLED = "shuffled_times"
_DAY = 86400
_PERIODS = (1, 10, 60, 600, 3600, 6 * 3600, _DAY, 7 * _DAY, 28 * _DAY, 364 * _DAY)  # seconds
_MOST_PERIODS = 200
_WINDOW = 7  # periods of a moving window
_SHARE_OF_SPAN = 100  # of the default delta, if the events span less than an hour
_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}  # of a second


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
    periods : WindowTable or None
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
    periods: WindowTable | None
    counted: WindowTable | None = None
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
    span = _span(graph)
    longest = _default_delta(graph, span) if delta is None else graph.duration("delta", delta)
    temporal_motifs(graph, 0, threads=threads)  # compiled before the time is taken
    started = clock.perf_counter()
    motifs = temporal_motifs(graph, longest, **keywords)
    seconds = {"temporal motifs": clock.perf_counter() - started}
    period = _period(graph, span)
    found = EventFindings(graph, motifs, format_length(longest, graph.unit), period, None, seconds=seconds)
    if period:
        started = clock.perf_counter()
        found.periods = clustering_over_time(graph, _WINDOW * period, period, **keywords)
        found.counted = clustering_over_time(graph, period, period, **keywords)
        seconds["events over time"] = clock.perf_counter() - started
    if samples:
        _compare(found, longest, samples=samples, seed=seed, keywords=keywords)
    return found


def event_facts(events: EventFindings) -> list[Fact]:
    """Return the size of a temporal graph, its first and last time, and how ties count."""
    graph = events.graph
    ends = [str(graph.time[place]).removesuffix(".000000000") for place in (0, -1)] if graph.num_events else ["none"]
    unit = "" if graph.time.dtype.kind == "M" else graph.unit
    repeats = graph.num_events - graph.window().num_arcs
    return [
        Fact("events", f"{graph.num_events:,}", f"{repeats:,} repeat an earlier one"),
        Fact("first", ends[0], unit),
        Fact("last", ends[-1], unit),
        Fact("loops", f"{graph.dropped.loops:,} dropped", "events from a vertex to itself"),
        Fact("motifs", f"{sum(events.motifs.values()):,}", f"three events within {events.delta}"),
    ]


def draw_events(events: EventFindings, ax: Axes) -> None:
    """Plot the number of events of each period."""
    if events.counted is not None:
        _draw(events, events.counted, "events", f"events per {_in_words(events)}", ax)
        ax.yaxis.set_major_formatter(lambda value, _: format_compact(round(value)) if value == round(value) else "")


def draw_transitivity(events: EventFindings, ax: Axes) -> None:
    """Plot the transitivity of the events of the last periods."""
    if events.periods is not None:
        _draw(events, events.periods, "transitivity", "transitivity", ax)


def window_in_words(events: EventFindings) -> str:
    """Return the length of the moving window in words."""
    return format_length(_WINDOW * events.period, events.graph.unit)


def _draw(events: EventFindings, table: WindowTable, column: str, label: str, ax: Axes) -> None:
    from triadic.plot.axis_ticks import set_linear_ticks  # noqa: PLC0415 - imports matplotlib

    ax, drawn = axes_for(ax, f"{label} over time")
    times = table.time.view(np.int64) if table.time.dtype.kind == "M" else table.time
    unit, length = _axis_unit(events)
    passed = (times - times[0]) / length
    style = network_style(ax, drawn.networks, 4.0)
    ax.plot(passed, table[column], color=style["color"], linewidth=1.2)
    drawn.networks += 1
    ax.set_ylim(bottom=0)
    set_linear_ticks(ax.xaxis)
    set_linear_ticks(ax.yaxis)
    set_label(ax.xaxis, f"{unit} after the first event")
    set_label(ax.yaxis, label)


def _axis_unit(events: EventFindings) -> tuple[str, float]:
    """Return the unit of the axis of times, and its length in the unit of the times."""
    second = _UNITS[events.graph.unit]
    span = _span(events.graph)
    for name, seconds in (("days", _DAY), ("hours", 3600), ("minutes", 60)):
        if span >= 3 * seconds * second:
            return name, seconds * second
    return events.graph.unit, 1


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
        found.compared = significance(found.graph, delta=delta, null=SHUFFLED, samples=fitting, seed=seed, **keywords)
    except (ArgumentError, UnsupportedError) as error:
        found.left_out = f"The times were not shuffled: {str(error).removeprefix('graph: ')}."
        return
    found.seconds["shuffled times"] = clock.perf_counter() - started


def _span(graph: TemporalGraph) -> float:
    """Return the time from the first event to the last, in the unit of the times."""
    times = graph.time.view(np.int64) if graph.time.dtype.kind == "M" else graph.time
    return float(times[-1].item() - times[0].item()) if len(times) else 0.0


def _default_delta(graph: TemporalGraph, span: float) -> float:
    hour = 3600 * _UNITS[graph.unit]
    if span >= hour:
        return hour
    share = span / _SHARE_OF_SPAN
    return share if graph.time.dtype == np.float64 else int(-(-span // _SHARE_OF_SPAN))


def _period(graph: TemporalGraph, span: float) -> float:
    """Return the shortest period of which at most 200 follow one another; 0 if all events are at one time."""
    second = _UNITS[graph.unit]
    fitting = [seconds * second for seconds in _PERIODS if span <= _MOST_PERIODS * seconds * second]
    if not span:
        return 0
    if not fitting or span < 20 * second:
        share = span / _SHARE_OF_SPAN
        return share if graph.time.dtype == np.float64 else max(1, int(share))
    return fitting[0]


def _in_words(events: EventFindings) -> str:
    words = format_length(events.period, events.graph.unit)
    return words.removeprefix("1 ") if words.startswith("1 ") else words
