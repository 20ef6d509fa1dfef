"""Clustering and triads over time: the static graphs of the events in a moving window."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.result_table import counts_column
from triadic.core.blocks import resolve_threads
from triadic.core.memory import check_memory
from triadic.core.progress import reporting
from triadic.core.triad_types import ASYMMETRIC, CLOSED_NAMES, HELD, MUTUAL, OPEN_NAMES, TRIAD_NAMES
from triadic.devices.cpu.moving_window import CLUSTERING, TRIADS, bytes_of_windows, count_windows, pair_list
from triadic.errors import UnsupportedError
from triadic.measures.time_windows import check_temporal, windows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.event_times import Duration, Moment
    from triadic.graph.temporal import TemporalGraph
    from triadic.measures.time_windows import Windows, WindowTable


def clustering_over_time(
    graph: TemporalGraph,
    window: Duration,
    step: Duration,
    *,
    start: Moment | None = None,
    stop: Moment | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> WindowTable:
    """Compute the transitivity and the average clustering of the events in a window that moves over time.

    A window holds the events with ``t - window < time <= t``, where t is `start`, `start` + `step`, and so on, up to
    the first t that is not before `stop`. Repeated events count once, and directions are ignored.

    Parameters
    ----------
    graph : TemporalGraph
        Timed events, as `TemporalGraph.from_edges` and `read_temporal` make them.
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
    WindowTable
        A row for each window, with the columns

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
    triad_census_over_time : Count the triads of the same windows.
    temporal_motifs : Count patterns of three events; ``by="window"`` counts them over time.
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

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.TemporalGraph.from_edges([0, 1, 0, 0, 3], [1, 2, 2, 1, 0], [0, 1, 2, 4, 5])
    >>> table = triadic.clustering_over_time(graph, window=3, step=1)
    >>> table["edges"], table["triangles"]
    (array([1, 2, 3, 2, 2, 2]), array([0, 0, 1, 0, 0, 0]))
    """
    windows, counts, means = _counted(
        graph, "clustering_over_time", window, step, start, stop, triads=False, threads=threads, progress=progress
    )
    columns: dict[str, NDArray[Any]] = {"events": windows.last - windows.first}
    columns |= dict(zip(CLUSTERING, counts.T, strict=True))
    of_triangles, of_wedges = columns["triangles"].tolist(), columns["wedges"].tolist()
    # Python divides integers with one rounding.
    quotients = [3 * a / b if b else 0.0 for a, b in zip(of_triangles, of_wedges, strict=True)]
    columns |= {"transitivity": np.array(quotients, dtype=np.float64), "average_clustering": means}
    return windows.table(columns)


def triad_census_over_time(
    graph: TemporalGraph,
    window: Duration,
    step: Duration,
    *,
    start: Moment | None = None,
    stop: Moment | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> WindowTable:
    """Count the triads of the events in a window that moves over time.

    A window holds the events with ``t - window < time <= t``, where t is `start`, `start` + `step`, and so on, up to
    the first t that is not before `stop`. Repeated events count once.

    Parameters
    ----------
    graph : TemporalGraph
        Timed events, as `TemporalGraph.from_edges` and `read_temporal` make them.
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
    WindowTable
        A row for each window, with a column for each of the 16 types in ``TRIAD_NAMES``: the triad census of the
        events in the window, among all vertices of the graph. A row adds up to C(n, 3). Counts are int64, or Python
        ints in a column that exceeds 2**63.

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
    clustering_over_time : Compute the clustering of the same windows.
    triad_census : Count the triads of a graph.

    Notes
    -----
    Windows are not counted anew: a pair of vertices that enters, leaves or changes its directions costs O(d log(m)),
    where d is the smaller number of neighbours of its two ends in the window; any other event costs O(1).

    References
    ----------
    Holland and Leinhardt (1976), "Local structure in social networks", Sociological Methodology 7, 1.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.TemporalGraph.from_edges([0, 1, 0, 0], [1, 2, 2, 1], [0, 1, 2, 4])
    >>> table = triadic.triad_census_over_time(graph, window=3, step=2)
    >>> table["030T"], table["021U"], table.time
    (array([0, 1, 0]), array([0, 0, 0]), array([0, 2, 4]))
    """
    windows, counts, _ = _counted(
        graph, "triad_census_over_time", window, step, start, stop, triads=True, threads=threads, progress=progress
    )
    n = graph.num_vertices
    # No number of a census exceeds 3 C(n, 3).
    wide = 3 * comb(n, 3) >= 2**63
    found = dict(zip(TRIADS, counts.T.astype(object if wide else np.int64), strict=True))
    census = _census(found, n)
    columns = {name: _narrow(census[name]) for name in TRIAD_NAMES}
    return windows.table(columns)


def _counted(
    graph: TemporalGraph,
    measure: str,
    window: Duration,
    step: Duration,
    start: Moment | None,
    stop: Moment | None,
    *,
    triads: bool,
    threads: int | None,
    progress: ProgressKeyword,
) -> tuple[Windows, NDArray[np.int64], NDArray[np.float64]]:
    """Return the windows of a graph, and their numbers."""
    graph, workers = check_temporal(graph, measure), resolve_threads(threads)
    windows = windows_of(graph, window, step, start, stop)
    number, n = graph.num_events, graph.num_vertices
    check_memory(
        bytes_of_windows(number, n, len(windows.first), threads=workers),
        f"counting {len(windows.first):,} windows of {number:,} events between {n:,} vertices on {workers} threads",
        "use fewer threads, or a larger step",
    )
    pairs = pair_list(graph.source, graph.target, n)
    degree = np.diff(pairs.rows)
    # The windows have at most as many wedges as all events together.
    if len(degree) and float(np.dot(degree.astype(np.float64), degree)) >= 2.0**63:
        raise UnsupportedError("graph: its events may form 2**63 wedges or more, too many for counts of 64 bits")
    with reporting(progress, "moving a window over time") as report:
        counts, means = count_windows(
            pairs, windows.first, windows.last, triads=triads, threads=workers, progress=report
        )
    return windows, counts, means


def _census(found: dict[str, NDArray[Any]], n: int) -> dict[str, NDArray[Any]]:
    """Return the censuses of graphs of n vertices from their dyads, their open and their closed triples."""
    census = {name: found[name] for name in (*OPEN_NAMES, *CLOSED_NAMES)}
    for closed, wedges in HELD.items():
        for name, times in wedges.items():
            census[name] = census[name] - times * census[closed]
    one_asymmetric = found["asymmetric"] * (n - 2) - sum(ASYMMETRIC[name] * count for name, count in census.items())
    one_mutual = found["mutual"] * (n - 2) - sum(MUTUAL[name] * count for name, count in census.items())
    census |= {"012": one_asymmetric, "102": one_mutual}
    census["003"] = comb(n, 3) - np.sum(list(census.values()), axis=0)
    return census


def _narrow(column: NDArray[Any]) -> NDArray[Any]:
    """Return a column as int64, unless a number needs more bits."""
    return counts_column(column.tolist()) if column.dtype == object and len(column) else column
