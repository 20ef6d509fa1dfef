"""The temporal graph: timed events between vertices, sorted by time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np

from triadic.core.arcs import Dropped
from triadic.core.arguments import take_ends, take_labels, take_number_of_vertices
from triadic.core.blocks import resolve_threads
from triadic.core.checked import checked
from triadic.core.formatting import html_table, plural
from triadic.core.oriented import frozen, index_dtype
from triadic.devices.select import warn
from triadic.errors import ArgumentError
from triadic.graph.events import UNITS, Duration, date_bound, duration_of, has_zone, orient_events, take_times, unit_of
from triadic.graph.exports import entry_point
from triadic.graph.graph import Graph

if TYPE_CHECKING:
    from os import PathLike
    from typing import Self

    from numpy.typing import ArrayLike

    from triadic.core.array_types import AnyArray, Float64Array, Ids, Int64Array, ObjectArray
    from triadic.core.oriented import OrientedEvents

    Labels = Int64Array | ObjectArray

Ties = Literal["order", "simultaneous"]


@checked
class TemporalGraph:
    """Timed events between vertices: directed, with repeats, without loops, sorted by time.

    `from_edges` makes a temporal graph from arrays, and `triadic.read_temporal` from a file or a table.

    See Also
    --------
    temporal_motifs : Count the patterns of three events within a duration.
    Graph : A network without times.

    Notes
    -----
    An event takes 16 bytes. Events at the same time are *tied*; `num_tied` counts them. With ``ties="order"`` tied
    events follow one another in the order in which they were given, so that counts depend on it. With
    ``ties="simultaneous"`` tied events never follow one another, so that no motif holds two of them. Other programs
    that count motifs order tied events in ways of their own, so that their counts may differ by a few: SNAP by
    neighbour and direction, FAST as its unstable sort leaves them.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.TemporalGraph.from_edges([0, 1, 0], [1, 2, 1], [30, 10, 20])
    >>> graph
    TemporalGraph(3 vertices, 3 events, from 10 to 30 s)
    >>> graph.time
    array([10, 20, 30])
    """

    _source: Ids
    _target: Ids
    _time: Int64Array | Float64Array
    _num_vertices: int
    _labels: Labels | None
    _ties: Ties | None
    _unit: str
    _dates: bool
    _dropped: Dropped
    _oriented: OrientedEvents | None = None

    @classmethod
    def from_edges(
        cls,
        source: ArrayLike,
        target: ArrayLike,
        time: ArrayLike,
        *,
        num_vertices: int | None = None,
        labels: ArrayLike | None = None,
        ties: str | None = None,
        unit: str | None = None,
    ) -> Self:
        """Make a temporal graph from the ends and the times of its events, in any order.

        Loops are dropped, and `dropped` counts them. Repeated events are kept.

        Parameters
        ----------
        source, target : array_like of int, shape (events,)
            Vertices from which and to which the events run, at least 0.
        time : array_like of int, float or datetime64, shape (events,)
            Finite times. Dates and times of day are stored in nanoseconds, and must lie in the years 1678 to 2261.
        num_vertices : int, optional
            Number of vertices. By default the largest vertex of an event plus one.
        labels : array_like of int or str, shape (vertices,), optional
            Names of the vertices. By default the graph has no labels.
        ties : {"order", "simultaneous"}, optional
            Whether events at the same time follow one another in the given order, or never follow one another. By
            default "order", and counts of motifs warn if most events are tied.
        unit : {"s", "ms", "us", "ns"}, optional
            Unit of times that are numbers: it matters for durations with a unit, such as ``"1h"``. By default seconds;
            numbers that are milliseconds, microseconds or nanoseconds since 1970 by their size are taken as such, with
            a warning.

        Returns
        -------
        TemporalGraph

        Raises
        ------
        ArgumentError
            If the arrays differ in length, if vertices are not whole numbers of at least 0, if a time is missing, not
            finite or not a time, if the times span 2**63 units or more, or if `ties` or `unit` is unknown.

        Warns
        -----
        UserWarning
            If the unit was told by the size of the times.

        Notes
        -----
        O(events) if they are sorted by time, and O(events log(events)) otherwise.

        Examples
        --------
        >>> import triadic
        >>> times = ["2024-05-01T09:00", "2024-05-01T08:30"]
        >>> import numpy as np
        >>> triadic.TemporalGraph.from_edges([0, 1], [1, 2], np.array(times, dtype="datetime64[s]"))
        TemporalGraph(3 vertices, 2 events, from 2024-05-01T08:30:00 to 2024-05-01T09:00:00)
        """
        order = check_ties(ties)
        if unit is not None and unit not in UNITS:
            raise ArgumentError(f"unit={unit!r}: expected one of {', '.join(map(repr, UNITS))}")
        (a, b, least), (times, dates) = take_ends(source, target), take_times(time)
        if len(a) != len(times):
            raise ArgumentError(
                f"source, target and time: expected the same length, got {len(a)}, {len(b)} and {len(times)}"
            )
        n = least if num_vertices is None else take_number_of_vertices(num_vertices, least)
        names = take_labels(labels, n)
        dtype = index_dtype(n)
        a, b = a.astype(dtype, copy=False), b.astype(dtype, copy=False)
        proper = a != b
        loops = len(a) - int(np.count_nonzero(proper))
        if loops:
            a, b, times = a[proper], b[proper], times[proper]
        if np.any(times[1:] < times[:-1]):
            by_time = np.argsort(times, kind="stable")
            a, b, times = a[by_time], b[by_time], times[by_time]
        beyond, span = (2**63, "span below 2**63") if times.dtype == np.int64 else (float("inf"), "finite span")
        if len(times) and times[-1].item() - times[0].item() >= beyond:
            raise ArgumentError(f"time: expected a {span}, got {times[0]} to {times[-1]}")
        if unit is None:
            unit = "s" if dates else unit_of(times)
            if unit != "s":
                warn(
                    f"time: numbers such as {times[0]} are taken as {unit} since 1970 by their size; pass "
                    f"unit={unit!r} (--unit {unit}) if they are, or unit='s' (--unit s) if they are seconds"
                )
        graph = cls()
        graph._source, graph._target, graph._time = _own(a, source), _own(b, target), _own(times, time)
        graph._num_vertices, graph._labels = n, names
        graph._ties, graph._unit, graph._dates = order, unit, dates
        graph._dropped = Dropped(loops=loops)
        return graph

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return self._num_vertices

    @property
    def num_events(self) -> int:
        """Number of events, without loops."""
        return len(self._time)

    @property
    def source(self) -> Ids:
        """Vertex from which each event runs, by time: int32 or int64, shape (num_events,)."""
        return self._source

    @property
    def target(self) -> Ids:
        """Vertex to which each event runs, by time: int32 or int64, shape (num_events,)."""
        return self._target

    @property
    def time(self) -> AnyArray:
        """Time of each event, rising: int64, float64 or datetime64[ns], shape (num_events,)."""
        return self._time.view("datetime64[ns]") if self._dates else self._time

    @property
    def labels(self) -> Labels | None:
        """Names of the vertices, or None."""
        return self._labels

    @property
    def ties(self) -> str:
        """Whether events at the same time follow one another: "order" or "simultaneous"."""
        return self._ties or "order"

    @property
    def num_tied(self) -> int:
        """Number of events at the same time as another event."""
        tied = np.zeros(len(self._time) + 1, bool)
        tied[1:-1] = self._time[1:] == self._time[:-1]
        return int(np.count_nonzero(tied[1:] | tied[:-1]))

    @property
    def unit(self) -> str:
        """Unit of the times: "s", "ms", "us" or "ns"."""
        return "ns" if self._dates else self._unit

    @property
    def dropped(self) -> Dropped:
        """Number of loops that were dropped."""
        return self._dropped

    def window(self, start: Any = None, stop: Any = None) -> Graph:  # noqa: ANN401 - a time as `time` holds them
        """Make a graph of the events in a window of time.

        Parameters
        ----------
        start : int, float, datetime64, datetime or str, optional
            First time of the window, a date as a string if the times are dates. Dates have no time zone, as the times
            have none. By default the first event.
        stop : int, float, datetime64, datetime or str, optional
            End of the window, which is not part of it. By default the window has no end.

        Returns
        -------
        Graph
            A directed graph with all vertices, and an arc for each pair of vertices with an event in the window;
            ``dropped.duplicates`` counts the further events.

        Raises
        ------
        ArgumentError
            If the window ends before it starts, or a bound is no time or has a time zone.

        Notes
        -----
        O(events in the window + vertices).

        Examples
        --------
        >>> import triadic
        >>> graph = triadic.TemporalGraph.from_edges([0, 1, 0], [1, 2, 1], [30, 10, 20])
        >>> graph.window(10, 30)
        Graph(directed, 3 vertices, 2 arcs)
        """
        low, high = (self._bound(name, bound) for name, bound in (("start", start), ("stop", stop)))
        if low is not None and high is not None and high < low:
            raise ArgumentError(f"start={start!r}, stop={stop!r}: expected a window that does not end before it starts")
        first = 0 if low is None else int(np.searchsorted(self._time, low, side="left"))
        last = len(self._time) if high is None else int(np.searchsorted(self._time, high, side="left"))
        return Graph.from_edges(
            self._source[first:last],
            self._target[first:last],
            num_vertices=self._num_vertices,
            directed=True,
            labels=self._labels,
        )

    def oriented(self, *, threads: int | None = None) -> OrientedEvents:
        """Return the events sorted by vertex and by pair, as counts take them; they stay in memory until `release`.

        Parameters
        ----------
        threads : int, optional
            Number of threads. By default every CPU that the process may use.

        Returns
        -------
        OrientedEvents

        Raises
        ------
        OutOfMemoryError
            If the lists need more memory than is available.

        Notes
        -----
        O(events + vertices), once. The lists take about 56 bytes an event.

        Examples
        --------
        >>> import triadic
        >>> graph = triadic.TemporalGraph.from_edges([0, 1, 0], [1, 2, 1], [30, 10, 20])
        >>> graph.oriented().num_pairs
        2
        """
        if self._oriented is None:
            workers = resolve_threads(threads)
            self._oriented = orient_events(self._source, self._target, self._time, self._num_vertices, threads=workers)
        return self._oriented

    def release(self) -> None:
        """Free the lists that `oriented` made, in memory and on devices; they are made again when they are needed.

        Examples
        --------
        >>> import triadic
        >>> graph = triadic.TemporalGraph.from_edges([0, 1, 0], [1, 2, 1], [30, 10, 20])
        >>> sum(triadic.temporal_motifs(graph, 60).values())
        1
        >>> graph.release()
        """
        self._oriented = None

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_oriented": None}

    def to_parquet(self, path: str | PathLike[str]) -> None:
        """Write the events to a Parquet file that `triadic.read_temporal` reads.

        Parameters
        ----------
        path : path-like
            Name of the file. It has the columns "source", "target" and "time", with labels in place of vertices if each
            vertex has a label of its own; its metadata hold the number of vertices, the labels, `ties` and `unit`.

        Raises
        ------
        WriteError
            If the file cannot be written.

        Examples
        --------
        >>> import triadic
        >>> graph = triadic.TemporalGraph.from_edges([0, 1], [1, 2], [10, 20])
        >>> graph.to_parquet("events.parquet")
        >>> triadic.read_temporal("events.parquet")
        TemporalGraph(3 vertices, 2 events, from 10 to 20 s)
        """
        entry_point("to_parquet")(self, path)

    def __repr__(self) -> str:
        size = f"{plural(self.num_vertices, 'vertex', 'vertices')}, {plural(self.num_events, 'event')}"
        size += f", {self.num_tied:,} tied (ties={self.ties!r})" if self.num_tied else ""
        return f"TemporalGraph({size}{f', {self._span()}' if self.num_events else ''})"

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object]] = [("vertices", self.num_vertices), ("events", self.num_events)]
        if self.num_events:
            rows.append(("times", self._span()))
        rows += [("tied events", self.num_tied), ("ties", self.ties)]
        return html_table("TemporalGraph", (), [*rows, ("loops dropped", self._dropped.loops)])

    def _span(self) -> str:
        ends = [self.time[0], self.time[-1]]
        if self._dates:
            text = [str(end)[:19] if str(end).endswith("0" * 9) else str(end) for end in ends]
            return f"from {text[0]} to {text[1]}"
        return f"from {ends[0]} to {ends[1]} {self._unit}"

    def _bound(self, name: str, bound: Any) -> Any:  # noqa: ANN401 - a time as `time` holds them
        if bound is None:
            return None
        if self._dates and has_zone(bound):
            raise ArgumentError(f"{name}={bound!r}: the times have no time zone; expected a date without one")
        try:
            if self._dates:
                return date_bound(np.datetime64(bound))
            number = float(bound)
        except (TypeError, ValueError):
            number = float("nan")
        if number != number or isinstance(bound, str):  # noqa: PLR0124 - not a number
            expected = "a date" if self._dates else f"a number of {self._unit}"
            raise ArgumentError(f"{name}={bound!r}: expected {expected}")
        return bound

    def duration(self, name: str, duration: Duration) -> int | float:
        """Return a duration as a number in the unit of the times.

        Parameters
        ----------
        name : str
            Name of the argument, for error messages.
        duration : number, timedelta, timedelta64 or str
            A number in the unit of times that are numbers, a duration, or a duration in words: ``"1h"``, ``"30min"``,
            ``"1 day"``, ``"1h 30min"``.

        Returns
        -------
        int or float
            An int if the times are integers or dates.

        Raises
        ------
        ArgumentError
            If the duration is negative, not finite, no duration, no whole number of the unit of integer times, such as
            1.5, or a number for times that are dates.

        Examples
        --------
        >>> import triadic
        >>> triadic.TemporalGraph.from_edges([0], [1], [10]).duration("delta", "1h 30min")
        5400
        """
        return duration_of(name, duration, self.unit, whole=self._time.dtype == np.int64, dates=self._dates)


def check_ties(ties: object) -> Ties | None:
    """Return the argument `ties`; raise ArgumentError if it has another value than None and those of `Ties`."""
    if ties is not None and not (isinstance(ties, str) and ties in get_args(Ties)):
        raise ArgumentError(f"ties={ties!r}: expected 'order' or 'simultaneous'")
    return cast("Ties | None", ties)


def _own(array: AnyArray, given: ArrayLike) -> AnyArray:
    """Return a read-only array, a copy if the caller could change it."""
    return frozen(array.copy() if np.may_share_memory(array, np.asarray(given)) else array)
