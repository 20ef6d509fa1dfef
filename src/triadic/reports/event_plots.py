"""The events in time of a report, as facts and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.formatting import format_compact, format_length
from triadic.measures.temporal import rows_decide
from triadic.plot.canvas import axes_for
from triadic.plot.network_style import network_style
from triadic.reports.events import DAY, PER_SECOND, WINDOW, span_of
from triadic.reports.tables import Fact

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.convert.result_table import Table
    from triadic.reports.events import EventFindings


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
        Fact("tied events", f"{graph.num_tied:,}", _order_of_ties(events)),
        Fact("loops", f"{graph.dropped.loops:,} dropped", "events from a vertex to itself"),
        Fact("motifs", f"{sum(events.motifs.values()):,}", f"three events within {events.delta}"),
    ]


def _order_of_ties(events: EventFindings) -> str:
    """Return what became of the order of tied events, and how to choose it where most events are tied."""
    if events.motifs.ties == "simultaneous":
        return "share their time with another event; no motif holds two of one time"
    words = "share their time with another event; the order of rows decides which comes first"
    return f"{words}: --ties (ties=) chooses" if rows_decide(events.graph) else words


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
    return format_length(WINDOW * events.period, events.graph.unit)


def _draw(events: EventFindings, table: Table, column: str, label: str, ax: Axes) -> None:
    ax, drawn = axes_for(ax, f"{label} over time")
    times = table["time"].view(np.int64) if table["time"].dtype.kind == "M" else table["time"]
    unit, length = _axis_unit(events)
    passed = (times - times[0]) / length
    style = network_style(ax, drawn.networks, 4.0)
    ax.plot(passed, table[column], color=style["color"], linewidth=1.2)
    drawn.networks += 1
    ax.set_ylim(bottom=0)
    ax.set(xlabel=f"{unit} after the first event", ylabel=label)


def _axis_unit(events: EventFindings) -> tuple[str, float]:
    """Return the unit of the axis of times, and its length in the unit of the times."""
    second = PER_SECOND[events.graph.unit]
    span = span_of(events.graph)
    for name, seconds in (("days", DAY), ("hours", 3600), ("minutes", 60)):
        if span >= 3 * seconds * second:
            return name, seconds * second
    return events.graph.unit, 1


def _in_words(events: EventFindings) -> str:
    return format_length(events.period, events.graph.unit).removeprefix("1 ")
