"""Clustering and triads over time: the static graphs of the events in a window that moves over a temporal graph.

The table with a row for each window is here too, and the windows, which also temporal motifs take.
"""

from __future__ import annotations

from math import comb, isfinite
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from triadic.convert.result_table import Table, counts_column
from triadic.core.blocks import resolve_threads
from triadic.core.checked import check_option
from triadic.core.formatting import format_length
from triadic.core.memory import check_memory
from triadic.core.oriented import NO_NUMBERS
from triadic.core.triad_types import CLOSED_NAMES, OPEN_NAMES, TRIAD_NAMES
from triadic.counts.temporal_motifs import WINDOW_CLUSTERING, WINDOW_TRIADS, count_windows
from triadic.errors import ArgumentError, UnsupportedError
from triadic.graph.temporal import TemporalGraph
from triadic.measures.batches import completed
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.events import Duration, Moment


Of = Literal["clustering", "triads"]

_LEAST, _BEYOND = -(2**63), 2**63
_BYTES_A_WINDOW = 64


class Windows(NamedTuple):
    """Windows of time, and the events in them.

    Attributes
    ----------
    time : int64, float64 or datetime64 array, shape (windows,)
        End of each window, which is part of it.
    first, last : int64 array, shape (windows,)
        The events of each window are ``first`` to ``last - 1``.
    window, step : int or float
        In the unit of the times.
    unit : str
    """

    time: AnyArray
    first: Int64Array
    last: Int64Array
    window: int | float
    step: int | float
    unit: str

    def table(self, columns: Mapping[str, AnyArray]) -> Table:
        """Return the table of a measure of these windows."""
        length, step = (format_length(duration, self.unit) for duration in (self.window, self.step))
        return Table(
            columns,
            {"time": self.time},
            nouns=("window", "windows"),
            about=f" of {length}, one every {step}",
            attributes={"window": self.window, "step": self.step, "unit": self.unit},
        )


def check_temporal(graph: object, measure: str) -> TemporalGraph:
    """Return a temporal graph; raise for a graph without times, naming the measure."""
    if isinstance(graph, TiledGraph):
        raise UnsupportedError(
            f"{measure} does not take a TiledGraph, which has no times; read the events with triadic.read_temporal"
        )
    if not isinstance(graph, TemporalGraph):
        raise ArgumentError(
            f"graph: {measure} got a {type(graph).__name__}, which has no times; expected a TemporalGraph, as "
            "triadic.read_temporal returns"
        )
    return graph


def windows_of(
    graph: TemporalGraph, window: Duration, step: Duration, start: Moment | None = None, stop: Moment | None = None
) -> Windows:
    """Return the windows ``(t - window, t]`` for t = start, start + step, ... up to the first t from `stop` on.

    Raises
    ------
    ArgumentError
        If `window` or `step` is not above 0, if a bound is no time, or if `stop` is before `start`.
    OutOfMemoryError
        If there are more windows than fit in memory.
    """
    length, distance = _positive(graph, "window", window), _positive(graph, "step", step)
    low, high = graph._bound("start", start), graph._bound("stop", stop)  # noqa: SLF001 - of its times
    dates = graph.time.dtype.kind == "M"
    times: AnyArray = graph.time.view(np.int64) if dates else graph.time
    if low is not None and high is not None and high < low:
        raise ArgumentError(f"start={start!r}, stop={stop!r}: expected a stop that is not before the start")
    if len(times) == 0:
        return Windows(graph.time, NO_NUMBERS, NO_NUMBERS, length, distance, graph.unit)
    whole = times.dtype == np.int64
    begin, end = times[0].item() if low is None else low, times[-1].item() if high is None else high
    if whole:
        begin, end = _whole("start", begin), _whole("stop", end)
    steps = (max(begin, end) - begin + (distance - 1 if whole else 0)) // distance
    number = int(min(steps, _BEYOND)) + 1
    check_memory(
        _BYTES_A_WINDOW * number,
        f"step={step!r}: a table of {number:,} windows",
        "use a larger step, or a later start and an earlier stop",
    )
    if whole:
        final = begin + (number - 1) * distance
        if begin < _LEAST or final >= _BEYOND:
            raise ArgumentError(f"step={distance}: expected windows that end between -2**63 and 2**63, got {final}")
        ends = begin + distance * np.arange(number, dtype=np.int64)
        # A window that begins before the first event may begin right before it.
        longest = min(length, max(1, int(ends[-1]) - int(times[0]) + 1))
        least = _LEAST + longest
        representable = ends >= least if least < _BEYOND else np.zeros(number, np.bool_)
        starts = np.where(representable, ends, 0) - longest // 2 - (longest - longest // 2)
        first = np.where(representable, np.searchsorted(times, starts, side="right"), 0)
    else:
        number += begin + (number - 1) * distance < end  # rounded down
        ends = begin + distance * np.arange(number)
        first = np.searchsorted(times, ends - length, side="right")
    last = np.searchsorted(times, ends, side="right")
    time = ends.view("datetime64[ns]") if dates else ends
    return Windows(time, np.minimum(first, last), last, length, distance, graph.unit)


def _positive(graph: TemporalGraph, name: str, duration: Duration) -> int | float:
    """Return a duration in the unit of the times; it must not be 0."""
    found = graph.duration(name, duration)
    if isinstance(duration, (float, np.floating)) and found != duration:
        raise ArgumentError(
            f"{name}={duration!r}: the times are whole numbers of {graph.unit}; expected a whole number"
        )
    if found == 0:
        raise ArgumentError(f"{name}={duration!r}: expected a duration above 0")
    return found


def _whole(name: str, bound: float) -> int:
    if not isfinite(bound) or int(bound) != bound:
        raise ArgumentError(f"{name}={bound!r}: the times are whole numbers; expected a whole number")
    return int(bound)


def over_time(
    graph: TemporalGraph,
    of: Of,
    *,
    window: Duration,
    step: Duration,
    start: Moment | None = None,
    stop: Moment | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> Table:
    """Count the clustering or the triads of the events in a window that moves over time.

    A window holds the events with ``t - window < time <= t``, where t is `start`, `start` + `step`, and so on, up to
    the first t that is not before `stop`. Repeated events count once.

    Parameters
    ----------
    graph : TemporalGraph
        Timed events, as `TemporalGraph.from_edges` and `read_temporal` make them.
    of : {"clustering", "triads"}
        What to count: triangles, transitivity and average clustering, for which directions are ignored, or the triad
        census.
    window, step : number, timedelta, timedelta64 or str
        Length of the windows, and time from one end to the next: numbers in the unit of the times, durations, or
        durations in words such as ``"7 days"``. A window may be longer or shorter than a step.
    start, stop : int, float, datetime64, datetime or str, optional
        End of the first window, and time that the end of the last window reaches. By default the first and the last
        event.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number. More than
        one are used if the times are much longer than a window.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    Table
        A row for each window. Of "triads", it has a column for each of the 16 types in ``TRIAD_NAMES``: the census of
        the events in the window, among all vertices of the graph, int64, or Python ints in a column that exceeds 2**63.
        Of "clustering", it has the columns

        - "events": events in the window, with repeats;
        - "vertices", "edges", "arcs": vertices with an event, pairs of vertices with an event, and ordered pairs;
        - "triangles", "wedges": triangles, and paths of two edges, closed or not;
        - "transitivity": 3 triangles / wedges, 0 if there are no wedges;
        - "average_clustering": mean coefficient of the vertices with an event, nan if there are none.

        Counts are int64.

    Raises
    ------
    ArgumentError
        If `graph` is no `TemporalGraph`, if `window` or `step` is not above 0, not finite or no whole number of the
        unit of integer times, if `stop` is before `start`, or if another argument does not have an accepted value.
    UnsupportedError
        If `graph` is a `TiledGraph`, or if there may be 2**63 wedges or more.
    OutOfMemoryError
        If counting needs more memory than is available.

    See Also
    --------
    clustering, triad_census : Measure a graph without times.
    temporal_motifs : Count patterns of three events; ``by="time"`` counts them over time.
    TemporalGraph.window : Make a graph of the events between two times.

    Notes
    -----
    Windows are not counted anew: a pair of vertices that enters or leaves costs O(d log(m)), where d is the smaller
    number of neighbours of its two ends in the window, and an event of a pair that stays costs O(1). Steps much shorter
    than the window cost the least; windows that do not overlap are counted as fast one by one. Transitivity is
    the quotient of two integers, rounded once. The average is summed up from integers, the triangles of the vertices of
    each degree, in each window: it does not depend on earlier windows, and its relative error is below 1e-15 times a
    small number. A window costs O(largest degree) for the average.

    References
    ----------
    Watts and Strogatz (1998), "Collective dynamics of 'small-world' networks", Nature 393, 440.
    Holland and Leinhardt (1976), "Local structure in social networks", Sociological Methodology 7, 1.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.TemporalGraph.from_edges([0, 1, 0, 0, 3], [1, 2, 2, 1, 0], [0, 1, 2, 4, 5])
    >>> table = triadic.over_time(graph, "clustering", window=3, step=1)
    >>> table["edges"], table["triangles"]
    (array([1, 2, 3, 2, 2, 2]), array([0, 0, 1, 0, 0, 0]))
    >>> triadic.over_time(graph, "triads", window=3, step=1)["030T"]
    array([0, 0, 1, 0, 0, 0])
    """
    check_option("of", of, Of)
    graph, workers = check_temporal(graph, "over_time"), resolve_threads(threads)
    windows = windows_of(graph, window, step, start, stop)
    counts, means = count_windows(
        graph, windows.first, windows.last, triads=of == "triads", threads=workers, progress=progress
    )
    if of == "triads":
        n = graph.num_vertices
        # No number of a census exceeds 3 C(n, 3).
        wide = 3 * comb(n, 3) >= 2**63
        found = dict(zip(WINDOW_TRIADS, counts.T.astype(object if wide else np.int64), strict=True))
        wedges, closed = ({name: found[name] for name in names} for names in (OPEN_NAMES, CLOSED_NAMES))
        census = completed(wedges, closed, n, found["mutual"], found["asymmetric"])
        return windows.table({name: _narrow(census[name]) for name in TRIAD_NAMES})
    columns: dict[str, AnyArray] = {"events": windows.last - windows.first}
    columns |= dict(zip(WINDOW_CLUSTERING, counts.T, strict=True))
    of_triangles, of_wedges = columns["triangles"].tolist(), columns["wedges"].tolist()
    # Python divides integers with one rounding.
    quotients = [3 * a / b if b else 0.0 for a, b in zip(of_triangles, of_wedges, strict=True)]
    columns |= {"transitivity": np.array(quotients, np.float64), "average_clustering": means}
    return windows.table(columns)


def _narrow(column: AnyArray) -> AnyArray:
    """Return a column as int64, unless a number needs more bits."""
    return counts_column(column.tolist()) if column.dtype == object and len(column) else column
