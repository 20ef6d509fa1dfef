"""Windows that move over the events of a temporal graph, and the table with a row for each of them."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.convert.result_table import ColumnTable, frame
from triadic.core.memory import check_memory
from triadic.core.numbers import format_length, plural
from triadic.core.oriented import frozen
from triadic.errors import ArgumentError, UnsupportedError
from triadic.graph.temporal import TemporalGraph
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa
    from numpy.typing import NDArray

    from triadic.graph.event_times import Duration, Moment

_LEAST, _BEYOND = -(2**63), 2**63
_BYTES_A_WINDOW = 64


class WindowTable(ColumnTable):
    """A measure of each window of time: an immutable mapping from the names of columns to arrays of shape (windows,).

    `to_pandas` and `to_polars` return a data frame whose first column, the index in pandas, is "time", the end of each
    window.

    Parameters
    ----------
    columns : mapping of str to array, shape (windows,)
        Columns of the table by name.
    time : array of int64, float64 or datetime64, shape (windows,)
        End of each window, which is part of it.
    window, step : int or float
        Length of the windows, and time from one end to the next, in the unit of the times.
    unit : {"s", "ms", "us", "ns"}, default "s"
        Unit of the times.

    See Also
    --------
    clustering_over_time, triad_census_over_time, temporal_motifs : Measure the windows of a temporal graph.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.TemporalGraph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], [0, 1, 2, 4])
    >>> table = triadic.clustering_over_time(graph, window=3, step=2)
    >>> table["triangles"], table.time, table.window
    (array([0, 1, 0]), array([0, 2, 4]), 3)
    """

    __slots__ = ("_arrays", "_step", "_time", "_unit", "_window")

    def __init__(
        self, columns: Mapping[str, NDArray[Any]], time: NDArray[Any], window: float, step: float, unit: str = "s"
    ) -> None:
        self._arrays = {name: frozen(np.asarray(column)) for name, column in columns.items()}
        self._time, self._window, self._step, self._unit = frozen(time), window, step, unit

    @property
    def time(self) -> NDArray[Any]:
        """End of each window, which is part of it: int64, float64 or datetime64[ns], shape (windows,)."""
        return self._time

    @property
    def window(self) -> int | float:
        """Length of the windows, in the unit of the times."""
        return self._window

    @property
    def step(self) -> int | float:
        """Time from the end of a window to the end of the next, in the unit of the times."""
        return self._step

    @property
    def unit(self) -> str:
        """Unit of the times: "s", "ms", "us" or "ns"."""
        return self._unit

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._arrays, self._time, self._window, self._step, self._unit)

    def to_arrow(self) -> pa.Table:
        """Return the table as a pyarrow Table.

        Returns
        -------
        pyarrow.Table
            One row for each window; the first column "time" holds `time`, the others the measure.
        """
        return frame(self._columns(), "pyarrow")

    def _columns(self) -> dict[str, NDArray[Any]]:
        return {"time": self._time} | self._arrays

    def _title(self) -> str:
        length, step = (format_length(duration, self._unit) for duration in (self._window, self._step))
        return f"WindowTable of {plural(len(self._time), 'window')} of {length}, one every {step}"

    def _rows(self) -> str:
        return "windows"


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

    time: NDArray[Any]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    window: int | float
    step: int | float
    unit: str

    def table(self, columns: Mapping[str, NDArray[Any]]) -> WindowTable:
        """Return the table of a measure of these windows."""
        return WindowTable(columns, self.time, self.window, self.step, self.unit)


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
    graph: TemporalGraph,
    window: Duration,
    step: Duration,
    start: Moment | None = None,
    stop: Moment | None = None,
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
    times: NDArray[Any] = graph.time.view(np.int64) if dates else graph.time
    if low is not None and high is not None and high < low:
        raise ArgumentError(f"start={start!r}, stop={stop!r}: expected a stop that is not before the start")
    if len(times) == 0:
        nothing = np.zeros(0, dtype=np.int64)
        return Windows(graph.time, nothing, nothing, length, distance, graph.unit)
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
        ends = _whole_ends(begin, number, int(distance))
        # A window that begins before the first event may begin right before it.
        longest = min(length, max(1, int(ends[-1]) - int(times[0]) + 1))
        least = _LEAST + longest
        representable = ends >= least if least < _BEYOND else np.zeros(number, dtype=np.bool_)
        starts = np.where(representable, ends, 0) - longest // 2 - (longest - longest // 2)
        first = np.where(representable, np.searchsorted(times, starts, side="right"), 0)
    else:
        number += begin + (number - 1) * distance < end  # rounded down
        ends = begin + distance * np.arange(number)
        first = np.searchsorted(times, ends - length, side="right")
    last = np.searchsorted(times, ends, side="right").astype(np.int64, copy=False)
    first = np.minimum(first, last).astype(np.int64, copy=False)
    return Windows(ends.view("datetime64[ns]") if dates else ends, first, last, length, distance, graph.unit)


def _whole_ends(begin: int, number: int, distance: int) -> NDArray[np.int64]:
    final = begin + (number - 1) * distance
    if begin < _LEAST or final >= _BEYOND:
        raise ArgumentError(f"step={distance}: expected windows that end between -2**63 and 2**63, got {final}")
    return begin + distance * np.arange(number, dtype=np.int64)


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
