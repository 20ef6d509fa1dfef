"""Temporal motifs: the patterns that events form within a duration, in the whole network and at each vertex.

Motifs over time, and at each vertex by the role that it plays, are counted by their first event.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.checked import check_number
from triadic.core.formatting import format_length, html_table, text_table
from triadic.core.records import record
from triadic.counts.count import check_device, run
from triadic.counts.temporal_motifs import (
    PAIRS_OF_EVENTS,
    PAIRS_OF_EVENTS_OF_VERTICES,
    TEMPORAL_MOTIFS,
    TEMPORAL_MOTIFS_OF_VERTICES,
    motifs_by_first_event,
)
from triadic.devices.select import warn
from triadic.errors import ArgumentError, UnsupportedError
from triadic.graph.temporal import check_ties
from triadic.measures.census import Census
from triadic.measures.over_time import check_temporal, windows_of

if TYPE_CHECKING:
    from triadic.convert.result_table import Table
    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.progress import Machine, ProgressKeyword
    from triadic.graph.events import Duration, Moment
    from triadic.graph.temporal import TemporalGraph
    from triadic.measures.over_time import Windows

    class _MotifOptions(Machine, total=False):
        events: int
        undirected: bool
        ties: str | None


# Second events of the rows and third events of the columns of the matrix, if the first event runs from a to b.
SECOND_EVENTS = ("cb", "bc", "ca", "ac", "ba", "ab")
THIRD_EVENTS = ("ab", "ba", "ac", "ca", "bc", "cb")
_THREE = {
    f"M{i}{j}": f"ab {row} {column}"
    for i, row in enumerate(SECOND_EVENTS, 1)
    for j, column in enumerate(THIRD_EVENTS, 1)
}
_TWO = {f"ab {column}": f"ab {column}" for column in THIRD_EVENTS}
_UNDIRECTED = {
    "pair": "ab ab ab",
    "star, first alone": "ab ac ac",
    "star, middle alone": "ab ac ab",
    "star, last alone": "ab ab ac",
    "triangle": "ab ac bc",
}
_UNDIRECTED_TWO = {"pair": "ab ab", "wedge": "ab ac"}
MOTIF_NAMES = tuple(_THREE)
_PATTERNS = {(3, False): _THREE, (2, False): _TWO, (3, True): _UNDIRECTED, (2, True): _UNDIRECTED_TWO}


@record(repr=False)
class TemporalMotifs(Census):
    """The numbers of temporal motifs: an immutable mapping from names to counts, in a fixed order.

    The 36 motifs of three events have the names "M11" to "M66" of Paranjape, Benson and Leskovec. The first event runs
    from a to b, and c is the third vertex. The second event is the same in each row of their matrix: cb (from c to b),
    bc, ca, ac, ba and ab in rows 1 to 6. The third event is the same in each column: ab, ba, ac, ca, bc and cb. M51,
    M52, M61 and M62 have two vertices, and M13, M14, M23, M24, M35, M36, M45 and M46 are triangles.

    Attributes
    ----------
    names : tuple of str
        Names of the motifs.
    counts : tuple of int
        Counts in the order of `names`, as Python ints.
    patterns : tuple of str
        Events of each motif in the order of time, such as "ab ba ab".
    delta : int or float
        Longest time from the first event to the last, in the unit of the times.
    unit : {"s", "ms", "us", "ns"}
        Unit of the times.
    ties : {"order", "simultaneous"}
        Whether the order of rows decided which of two tied events came first, or no motif holds two of them.
    tied : int
        Number of events at the same time as another event.

    See Also
    --------
    temporal_motifs : Count the motifs of a temporal graph.

    References
    ----------
    Paranjape, Benson and Leskovec (2017), "Motifs in temporal networks", WSDM, figure 2.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.TemporalGraph.from_edges([0, 1, 0], [1, 0, 1], [10, 20, 30])
    >>> motifs = triadic.temporal_motifs(graph, 60)
    >>> motifs["M51"], motifs.patterns[motifs.names.index("M51")], sum(motifs.values())
    (1, 'ab ba ab', 1)
    """

    patterns: tuple[str, ...]
    delta: int | float
    unit: str = "s"
    ties: str = "order"
    tied: int = 0

    @property
    def matrix(self) -> AnyArray:
        """Counts as a matrix: int64, or Python ints beyond 2**63, shape (6, 6) for three events, else (1, motifs)."""
        wide = any(count >= 2**63 for count in self.counts)
        table = np.array(self.counts, object if wide else np.int64)
        return table.reshape((6, 6) if len(table) == 36 else (1, -1))

    def __repr__(self) -> str:
        head, rows = self._table()
        return "\n".join([self._title(), *text_table(head, rows)])

    def _repr_html_(self) -> str:
        head, rows = self._table()
        return html_table(self._title(), head, rows)

    def _title(self) -> str:
        title = f"TemporalMotifs(delta={format_length(self.delta, self.unit)!r})"
        return f"{title}\n{words_of_ties(self.tied, self.ties)}" if self.tied else title

    def _table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the matrix with the second and third events beside it; a row a motif if there is no matrix."""
        if len(self.counts) != 36:
            rows: list[list[Any]] = [[name, count] for name, count in self.items()]
            return ["name", "count"], rows
        rows = [
            [f"M{i}· {name}", *row] for i, (name, row) in enumerate(zip(SECOND_EVENTS, self.matrix, strict=True), 1)
        ]
        return ["2nd \\ 3rd", *(f"{name} ·{j}" for j, name in enumerate(THIRD_EVENTS, 1))], rows

    def _columns(self) -> dict[str, AnyArray]:
        name, count = Census._columns(self).values()  # noqa: SLF001 - the method of the base class
        return {"name": name, "pattern": np.array(self.patterns, object), "count": count}


def words_of_ties(tied: int, ties: str) -> str:
    """Return in words how many events are tied, and what became of their order."""
    order = "the order of rows decides which comes first" if ties == "order" else "no motif holds two of one time"
    return f"{tied:,} events share their time with another one, and {order} (ties={ties!r})"


@overload
def temporal_motifs(
    graph: TemporalGraph, delta: Duration, by: None = None, **options: Unpack[_MotifOptions]
) -> TemporalMotifs: ...


@overload
def temporal_motifs(
    graph: TemporalGraph,
    delta: Duration,
    by: Literal["vertex"],
    *,
    roles: bool = False,
    **options: Unpack[_MotifOptions],
) -> Int64Array: ...


@overload
def temporal_motifs(
    graph: TemporalGraph,
    delta: Duration,
    by: Literal["time"],
    *,
    window: Duration,
    step: Duration,
    start: Moment | None = None,
    stop: Moment | None = None,
    **options: Unpack[_MotifOptions],
) -> Table: ...


def temporal_motifs(
    graph: TemporalGraph,
    delta: Duration,
    by: Literal["vertex", "time"] | None = None,
    *,
    events: int = 3,
    undirected: bool = False,
    ties: str | None = None,
    roles: bool = False,
    window: Duration | None = None,
    step: Duration | None = None,
    start: Moment | None = None,
    stop: Moment | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> TemporalMotifs | Int64Array | Table:
    r"""Count the temporal motifs: patterns of three events on two or three vertices within a duration.

    A motif is a triple of events, each after the one before it, the last at most `delta` after the first. Other events
    may lie between them.

    Parameters
    ----------
    graph : TemporalGraph
        Timed events, as `TemporalGraph.from_edges` and `read_temporal` make them.
    delta : number, timedelta, timedelta64 or str
        Longest time from the first event to the last: a number in the unit of times that are numbers, a duration, or a
        duration in words such as ``"1h"``, ``"30min"`` or ``"1 day"``. A whole number of the unit if the times are
        whole numbers.
    by : {"vertex", "time"}, optional
        "vertex" counts the motifs that each vertex is in, and "time" the motifs that begin in each window of time.
        By default the motifs of the whole network are counted.
    events : {3, 2}, default 3
        Number of events in a motif.
    undirected : bool, default False
        Whether to ignore the directions of the events. Motifs of three events are then pairs, stars whose lone event is
        the first, the middle or the last one, and triangles.
    ties : {"order", "simultaneous"}, optional
        Whether events at the same time follow one another in the order of rows, or never, so that no motif holds two of
        them. By default as ``graph.ties`` has it.
    roles : bool, default False
        With ``by="vertex"``, count separately for each role of the vertex: source of the first event, target of the
        first event, third vertex.
    window, step : number, timedelta, timedelta64 or str, optional
        With ``by="time"``, length of the windows, and time from one end to the next, as `delta` is given. A window
        holds the times with ``t - window < time <= t``, and a motif belongs to every window that holds its first event.
    start, stop : int, float, datetime64, datetime or str, optional
        With ``by="time"``, the first end t of a window, and a time that the last one reaches. By default the first
        and the last event.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        "auto", "cpu", or the name of a device such as "cuda" or "opencl:1". Motifs of two events, and motifs by window
        and by role, are counted on the CPU only.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    TemporalMotifs, or int64 array, shape (n, motifs), if `by` is "vertex", or Table, if `by` is "time"
        Number of each motif: 36 of three events, 6 of two events; 5 and 2 of them with ``undirected=True``. By vertex,
        the columns have the order of ``TemporalMotifs.names``, and a motif counts at each of its vertices: a column
        adds up to 2 or 3 times the total. With ``roles=True`` the shape is (n, motifs, 3), and the roles add up to the
        counts by vertex. By window, the table has a row for each window and a column for each motif.

    Raises
    ------
    ArgumentError
        If `graph` is no `TemporalGraph`, if `delta` is negative, not finite or no whole number of the unit of integer
        times, or a number for times that are dates, if `roles`, `window` or `step` is given without its `by`, or if
        another argument does not have an accepted value.
    UnsupportedError
        If `graph` is a `TiledGraph`, if 2**62 or more triples of events may lie within `delta`, or if `device` cannot
        count the motifs.
    DeviceError, MissingExtraError
        If the device does not exist or fails, or the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.

    Warns
    -----
    UserWarning
        If more than half of the events are tied, the order of rows decides which comes first, and nobody has said so
        with ``ties="order"``.

    See Also
    --------
    TemporalMotifs : The names of the motifs.
    triad_census : Count the triads of a graph without times.

    Notes
    -----
    The events are sorted by vertex and by pair of vertices once, and stay so until ``graph.release()``: O(events), 56
    bytes an event. Pairs and stars then cost O(events), whatever `delta` is. Triangles cost a search for each event in
    the shorter of the windows after each event, or, if that takes longer, O(p^1.5) for p pairs of vertices and O(1) for
    each event of a static triangle. By window and by role, an event costs the number of events of its two ends within
    `delta` after it: about as much for short durations, and more for long ones.

    References
    ----------
    Paranjape, Benson and Leskovec (2017), "Motifs in temporal networks", WSDM, algorithms 1 and 2.
    Gao, Cheng, Yu, Cao, Huang and Dong (2022), "Scalable motif counting for large-scale temporal graphs", ICDE.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.TemporalGraph.from_edges([0, 1, 0, 2], [1, 2, 2, 0], [0, 600, 1200, 9000])
    >>> triadic.temporal_motifs(graph, "1h")
    TemporalMotifs(delta='1 h')
    2nd \ 3rd  ab ·1  ba ·2  ac ·3  ca ·4  bc ·5  cb ·6
    M1· cb         0      0      0      0      0      0
    M2· bc         0      0      1      0      0      0
    M3· ca         0      0      0      0      0      0
    M4· ac         0      0      0      0      0      0
    M5· ba         0      0      0      0      0      0
    M6· ab         0      0      0      0      0      0
    >>> triadic.temporal_motifs(graph, "1h", by="vertex").sum(axis=1)
    array([1, 1, 1])
    >>> triadic.temporal_motifs(graph, "1h", by="vertex", roles=True).sum(axis=1)
    array([[1, 0, 0],
           [0, 1, 0],
           [0, 0, 1]])
    >>> table = triadic.temporal_motifs(graph, "1h", by="time", window="1h", step="1h")
    >>> table["time"], table["M23"]
    (array([    0,  3600,  7200, 10800]), array([1, 0, 0, 0]))
    """
    of_windows: dict[str, object] = {"window": window, "step": step, "start": start, "stop": stop}
    _check_arguments(graph, by, events, undirected=undirected, roles=roles, of_windows=of_windows)
    if (roles or by == "time") and device not in ("auto", "cpu"):
        raise UnsupportedError(f"device={device!r}: temporal motifs by window and by role are counted on 'cpu'")
    longest, used = graph.duration("delta", delta), check_ties(ties) or graph.ties
    if ties is None and rows_decide(graph):
        advice = "pass ties='simultaneous' for tied events without an order, or ties='order' if rows are in order"
        warn(f"{words_of_ties(graph.num_tied, 'order')}; {advice}")
    workers = resolve_threads(threads)
    # No two events are further apart than the span of the times, so a larger duration is the same as the span.
    span = (graph.time[-1] - graph.time[0]).item() if graph.num_events else 0
    patterns = _PATTERNS[events, undirected]
    simultaneous = used == "simultaneous"
    keywords: dict[str, Any] = {
        "events": events, "simultaneous": simultaneous, "threads": workers, "progress": progress,
    }  # fmt: skip
    if window is not None and step is not None:
        windows = windows_of(graph, window, step, start, stop)
        table = _motifs_of_windows(graph, min(longest, span), windows, **keywords)
        table = _merged(table, events) if undirected else table
        return windows.table(dict(zip(patterns, table.T, strict=True)))
    if events == 3:
        count = TEMPORAL_MOTIFS if by is None else TEMPORAL_MOTIFS_OF_VERTICES
    else:
        count = PAIRS_OF_EVENTS if by is None else PAIRS_OF_EVENTS_OF_VERTICES
    check_device(count, device)
    oriented = graph.oriented(threads=workers)
    found = run(count, oriented, longest, simultaneous, threads=workers, device=device, progress=progress)
    if by is not None:
        at_vertices = found[oriented.rank]
        if roles:
            first = motifs_by_first_event(graph, min(longest, span), None, 2 * graph.num_vertices, **keywords)
            source, target = first[0::2], first[1::2]
            at_vertices -= source
            at_vertices -= target  # the rest has the vertex as its third
            return np.stack([source, target, at_vertices], axis=2)
        return _merged(at_vertices, events) if undirected else at_vertices
    totals = found.tolist()
    if undirected:
        totals = _merged(np.array([totals], object), events)[0].tolist()
    words = tuple(patterns.values())
    return TemporalMotifs(tuple(patterns), tuple(totals), words, longest, graph.unit, used, graph.num_tied)


def rows_decide(graph: TemporalGraph) -> bool:
    """Return whether most events are tied, and the order of rows decides, which nobody has stated."""
    return graph._ties is None and 2 * graph.num_tied > graph.num_events  # noqa: SLF001 - None where nothing is stated


def _check_arguments(
    graph: object, by: object, events: object, *, undirected: bool, roles: bool, of_windows: dict[str, object]
) -> None:
    """Raise if an argument is not accepted, if one is given that the others do not admit, or if one is missing."""
    check_temporal(graph, "temporal_motifs")
    if by not in (None, "vertex", "time"):
        raise ArgumentError(f"by={by!r}: expected None, 'vertex' or 'time'")
    check_number("events=", events, 2, 3)
    if roles and by != "vertex":
        raise ArgumentError(f"roles={roles!r}: expected by='vertex', got by={by!r}")
    if roles and undirected:
        raise ArgumentError(f"roles={roles!r}: events without directions have no source; expected undirected=False")
    for name, value in of_windows.items():
        if by != "time" and value is not None:
            raise ArgumentError(f"{name}={value!r}: expected by='time', got by={by!r}")
        if by == "time" and value is None and name in ("window", "step"):
            raise ArgumentError(f"{name}=None: expected a duration, such as '1 day', with by='time'")


def _merged(table: AnyArray, events: int) -> AnyArray:
    """Add up the columns of motifs that differ only in the directions of their events."""
    kinds = [_same_pairs(pattern) for pattern in _PATTERNS[events, True].values()]
    merged = np.zeros((len(table), len(kinds)), table.dtype)
    for column, pattern in enumerate(_PATTERNS[events, False].values()):
        merged[:, kinds.index(_same_pairs(pattern))] += table[:, column]
    return merged


def _same_pairs(pattern: str) -> list[bool]:
    """Return which two events of a pattern join the same two vertices."""
    return [set(first) == set(second) for first, second in combinations(pattern.split(), 2)]


def _motifs_of_windows(
    graph: TemporalGraph,
    delta: float,
    windows: Windows,
    **keywords: Any,  # noqa: ANN401 - of `_by_first_event`
) -> Int64Array:
    """Count the motifs whose first event is in each window: int64, shape (windows, 36), or 6 in place of 36.

    Windows that overlap share their events, which are counted once: by the stretches between the bounds of windows.
    """
    bounds = np.unique(np.concatenate([windows.first, windows.last]))
    stretches = max(0, len(bounds) - 1)
    low, high = np.searchsorted(bounds, windows.first), np.searchsorted(bounds, windows.last)
    # A stretch between two windows is in none of them.
    covered = np.subtract(*(np.bincount(ends, minlength=stretches + 1) for ends in (low, high)))
    stretch = np.searchsorted(bounds, np.arange(graph.num_events), side="right") - 1
    # Events before the first bound and after the last take the last number, which is 0.
    stretch = np.where(np.cumsum(covered)[stretch] > 0, stretch, -1)
    found = motifs_by_first_event(graph, delta, stretch, stretches, **keywords)
    sums = np.zeros((stretches + 1, found.shape[1]), np.int64)
    np.cumsum(found, axis=0, out=sums[1:])
    return sums[high] - sums[low]
