"""`estimate`: a quantity of a graph from random draws, with an interval that holds the exact value.

Its result holds values with intervals, and how they were found.
"""

from __future__ import annotations

import time as clock
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import ResultTable
from triadic.core.blocks import resolve_threads
from triadic.core.checked import check_option, check_positive, check_seed, check_whole
from triadic.core.formatting import format_float, html_table, plural
from triadic.core.progress import reporting
from triadic.core.records import record
from triadic.counts.count import check_device
from triadic.counts.graphlets import FOUR_VERTEX_COUNTS
from triadic.counts.triads import CLOSED_TRIADS
from triadic.counts.triangles import TRIANGLE_COUNT, WEDGE_DRAWS
from triadic.errors import ArgumentError, UnsupportedError
from triadic.measures.clustering import wedges_of
from triadic.measures.estimates import samplers
from triadic.measures.estimates.schedule import MOST_SAMPLES, Goal, reach
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.counts.count import Count
    from triadic.graph.graph import Graph
    from triadic.measures.estimates.samplers import Sampler


Of = Literal[
    "transitivity", "average_clustering", "clustering_spectrum", "triangles", "triads", "graphlets", "orbits", "cliques"
]

_SAMPLERS: dict[str, Callable[..., Sampler]] = {
    "transitivity": samplers.transitivity,
    "average_clustering": samplers.AverageClustering,
    "clustering_spectrum": lambda graph, *, threads, device: samplers.LocalWedges(graph, threads=threads),  # noqa: ARG005
    "triangles": samplers.triangles,
    "triads": samplers.triads,
    "graphlets": samplers.graphlets,
    "orbits": samplers.orbits,
    "cliques": samplers.cliques,
}
_OF_WEDGES = ("transitivity", "average_clustering", "triangles", "triads")
# Names of the exact counts, and the counts themselves, where they are not that of `of` and the triangles.
_EXACT = {
    "triangles": "triangle_count",
    "triads": "triad_census",
    "graphlets": "graphlet_transform",
    "orbits": "graphlets",
}
_COUNTS: dict[str, Count[Any]] = {
    "triads": CLOSED_TRIADS,
    "graphlets": FOUR_VERTEX_COUNTS,
    "orbits": FOUR_VERTEX_COUNTS,
}
_NOT_TILED = (
    "random paths, cliques, and wedges around vertices lie in tiles all over the graph; choose "
    f"{', '.join(map(repr, _OF_WEDGES[:-1]))} or {_OF_WEDGES[-1]!r}"
)


@record(repr=False)
class Estimate(ResultTable):
    """Values that were estimated by random draws, with the intervals that hold the exact values.

    `to_pandas` and `to_polars` return a data frame with a row for each quantity: its name (its degree, of a spectrum),
    which is the index in pandas, and the columns "value", "low" and "high".

    Attributes
    ----------
    of : str
        What was estimated.
    names : tuple of str, or int64 array
        Names of the quantities, or the degrees of a clustering spectrum.
    value : float, or float64 array of shape (quantities,)
        The estimates: a number if there is one quantity by the name of `of`.
    low, high : float, or float64 array of shape (quantities,)
        Ends of the intervals. Each holds the exact value with probability `confidence`.
    samples : int
        Number of random draws that the intervals rest on.
    pilot : int
        Number of further draws, which only told how many were needed.
    seconds : float
        Time of the estimate.
    confidence : float
        Probability with which each interval holds the exact value.
    error : float or None
        Half the width of the intervals that was asked for, relative to the values.
    seed : int
        The same seed gives the same draws.
    stopped : str
        Why drawing ended before all intervals were as narrow as asked: "max_samples", "max_seconds" or "interrupted";
        else "".
    exact : str
        The function that counts exactly, if that takes about as little time as the draws did; else "".

    See Also
    --------
    estimate : Estimate a quantity of a graph.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(1000, 10, 0.1, seed=1)
    >>> found = triadic.estimate(graph, of="transitivity", samples=10_000, seed=1)
    >>> found.low < triadic.transitivity(graph) < found.high
    True
    >>> found.to_pandas().columns.tolist()
    ['value', 'low', 'high']
    """

    of: str
    names: tuple[str, ...] | Int64Array
    value: Any
    low: Any
    high: Any
    samples: int
    pilot: int
    seconds: float
    confidence: float
    error: float | None
    seed: int
    stopped: str = ""
    exact: str = ""

    @property
    def note(self) -> str:
        """What to know about the estimate: why drawing ended early, and whether to count exactly; mostly empty."""
        cheaper = f"Counting exactly would take about as long: triadic.{self.exact}(graph)." if self.exact else ""
        return " ".join(filter(None, (self.why_stopped(), cheaper)))

    def why_stopped(self) -> str:
        """Return a sentence about the limit that ended the draws, and how wide the intervals are; or an empty string.

        Examples
        --------
        >>> import triadic
        >>> graph = triadic.generate.rmat(8, seed=1)
        >>> triadic.estimate(graph, of="triangles", error=0.001, max_samples=1000, seed=1).why_stopped()[:32]
        'Stopped by max_samples before al'
        """
        if not self.stopped:
            return ""
        reason = {"interrupted": "Ctrl-C"}.get(self.stopped, self.stopped)
        if self.error is None:
            return f"Stopped by {reason} before all draws."
        width, value = np.atleast_1d(self.half_width), np.atleast_1d(self.value)
        with np.errstate(invalid="ignore", divide="ignore"):
            widest = float(np.where(width > 0, width / value, 0.0).max())
        missed = f"the widest is ± {format_float(100 * widest, 3)}%"
        if not np.isfinite(widest):
            missed = "some quantities were never drawn, and no interval is narrow relative to 0"
        return f"Stopped by {reason} before all intervals were ± {format_float(100 * self.error)}%: {missed}."

    @property
    def half_width(self) -> Any:  # noqa: ANN401 - a float or an array, as `value`
        """Half the width of each interval: float, or float64 array of shape (quantities,)."""
        return (self.high - self.low) / 2

    def __float__(self) -> float:
        return float(self.value)

    def as_record(self) -> dict[str, Any]:
        """Return plain numbers and strings, for JSON.

        Examples
        --------
        >>> import triadic
        >>> found = triadic.estimate(triadic.generate.rmat(6, seed=1), of="triangles", samples=1000, seed=1)
        >>> list(found.as_record())
        ['of', 'estimates', 'confidence', 'error', 'samples', 'pilot', 'seconds', 'seed', 'stopped', 'exact']
        """
        estimates = {name: dict(zip(("value", "low", "high"), ends, strict=True)) for name, *ends in self._quantities()}
        others = ("confidence", "error", "samples", "pilot", "seconds", "seed", "stopped", "exact")
        plain = {name: getattr(self, name) for name in others}
        return {"of": self.of, "estimates": estimates, **plain, "seconds": round(self.seconds, 6)}

    def _quantities(self) -> list[list[Any]]:
        """Return the name, the value and the ends of the interval of each quantity."""
        columns = (column.tolist() for column in self._columns().values())
        return [[str(name), *numbers] for name, *numbers in zip(*columns, strict=True)]

    def _columns(self) -> dict[str, AnyArray]:
        by_degree = isinstance(self.names, np.ndarray)
        names = self.names if by_degree else np.array(self.names, object)
        columns = {name: np.atleast_1d(getattr(self, name)) for name in ("value", "low", "high")}
        return {"degree" if by_degree else "name": np.asarray(names), **columns}

    def _title(self) -> str:
        draws = plural(self.samples, "draw")
        return f"Estimate of {self.of}, {format_float(100 * self.confidence)}% intervals from {draws}"

    @property
    def _rows(self) -> str:
        return "degrees" if isinstance(self.names, np.ndarray) else "quantities"

    def __repr__(self) -> str:
        """Return the table, a line a quantity, and the note."""
        table = ResultTable.__repr__(self)
        return f"{table}\n{self.note}" if self.note else table

    def _repr_html_(self) -> str:
        head, rows, more = self._shown()
        return html_table(self._title(), head, rows, below=" ".join(filter(None, (more, self.note))))

    def _shown(self) -> tuple[list[str], list[list[Any]], str]:
        """Show all quantities but those of a long spectrum."""
        if isinstance(self.names, np.ndarray):
            return ResultTable._shown(self)  # noqa: SLF001 - a dataclass with slots has no super()
        return list(self._columns()), self._quantities(), ""


def reach_of_axis(estimates: Iterable[Estimate]) -> float:
    """Return how far an axis for the intervals of estimates reaches on either side, relative to each value.

    It is the smallest of …, 1%, 2%, 5%, 10%, 20% and 50% that holds all intervals, or 50% if none does. An interval may
    pass it by a tenth, because a width that was asked for is that of half an interval, and not of each side.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.rmat(10, seed=1)
    >>> reach_of_axis([triadic.estimate(graph, of="triangles", error=0.04, seed=1)])
    0.05
    """
    widest = 0.0
    for found in estimates:
        value, low, high = (np.atleast_1d(each) for each in (found.value, found.low, found.high))
        drawn = value > 0
        ends = np.maximum(high - value, value - low)[drawn] / value[drawn]
        widest = max(widest, float(ends.max(initial=0.0)))
    shares = (digit * 10.0**power for power in range(-6, 0) for digit in (1, 2, 5))
    return next((round(share, 9) for share in shares if 0 < widest <= 1.1 * share), 0.5)


def estimate(
    graph: GraphLike,
    of: Of,
    *,
    size: int | None = None,
    error: float | None = None,
    samples: int | None = None,
    confidence: float = 0.95,
    max_samples: int = MOST_SAMPLES,
    max_seconds: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Estimate:
    """Estimate a quantity of a graph from random draws, with an interval that holds the exact value.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        The directions of a directed graph are ignored, but by "triads". A `TiledGraph` has "transitivity",
        "average_clustering", "triangles" and "triads"; with a client, the workers of the cluster make the draws.
    of : str
        What to estimate:

        - "transitivity": the transitivity.
        - "average_clustering": the mean of the local clustering coefficients of all vertices.
        - "clustering_spectrum": the mean coefficient of the vertices of each degree.
        - "triangles": the number of triangles.
        - "triads": the number of triads of each of the 16 types.
        - "graphlets": the numbers of induced connected subgraphs of three and four vertices.
        - "orbits": the sums over all vertices of the orbits 0 to 14, by ORCA's numbers.
        - "cliques": the number of cliques of `size` vertices, for networks whose cliques are too many to count.
    size : int, optional
        Number of vertices of "cliques", at least 3.
    error : float, optional
        Draw until each interval is as narrow as this: half its width, relative to the estimate; 0.01 is ± 1%.
    samples : int, optional
        Number of draws, in place of `error`.
    confidence : float, default 0.95
        Probability with which each interval holds the exact value.
    max_samples : int, default 10,000,000
        With `error`, stop after this number of draws, pilot included, however wide the intervals are.
    max_seconds : float, optional
        Stop after this number of seconds. How many draws fit depends on the machine, so that another run with the same
        seed may return other values.
    seed : int, optional
        The same seed gives the same draws; a random one by default.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number, and for any
        number of workers of a cluster.
    device : str, default "auto"
        Where to draw: "cpu", or the name of a device, such as "cuda" or "opencl:0", for quantities that only need
        wedges: "transitivity", "average_clustering", "triangles" and "triads". "auto" draws where the graph lies. The
        result is the same on each device.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    Estimate
        The value with both ends of its interval, the numbers of draws, and the time. Ctrl-C ends the draws and returns
        the estimate so far.

    Raises
    ------
    ArgumentError
        If both or neither of `error` and `samples` are given, or an argument does not have an accepted value.
    CountOverflowError
        If the graph has more than 2**62 wedges or paths of three edges.
    DeviceError, MissingExtraError
        If the device does not exist or fails, or the package that reaches it is not installed.
    OutOfMemoryError
        If drawing needs more memory than is available.
    UnsupportedError
        If the quantity of a `TiledGraph` cannot be estimated, or the device cannot draw for the quantity.

    See Also
    --------
    transitivity, average_clustering, clustering_spectrum, triangle_count, triad_census, graphlet_transform, count
        The exact values.
    sample : Draw triads or subgraphs themselves.

    Notes
    -----
    An interval of a share is that of Clopper and Pearson, which holds at any number of draws. Sums over several classes
    have the same interval of a matched binomial (Korn and Graubard; Fay and Feuer), which is not proven but held in all
    simulations. Each interval of several quantities holds with the given confidence by itself, not all of them
    together. A quantity that is so rare that no draw meets it has the lower end 0; a relative width is then never
    reached, and drawing ends at `max_samples` or `max_seconds`.

    Each draw takes about 0.2 microseconds on a thread, and 0.7 for subgraphs of four vertices. Before the first draw,
    O(n) for weights of vertices; for the spectrum and subgraphs of four vertices O(m) time and 4 to 8 bytes an edge.
    A `TiledGraph` is read once for the lengths of its rows, and twice for each 262,144 draws, pilot included. On a
    cluster each range of rows is a task of each pass; some 20 bytes a draw pass through the client.
    Cliques take some microseconds a draw, and 8 bytes an edge; few of the sets that are drawn are cliques where `size`
    is far from the length of the longest rows that have many.
    With a share p of draws that count, a relative width of w takes about 4 (1 - p) / (p w²) draws.

    References
    ----------
    Seshadhri, Pinar and Kolda (2014), "Wedge sampling for computing clustering coefficients and triangle counts on
    large graphs", Statistical Analysis and Data Mining 7, 294.
    Jha, Seshadhri and Pinar (2015), "Path sampling: a fast and provable method for estimating 4-vertex subgraph
    counts", WWW, 495.
    Clopper and Pearson (1934), Biometrika 26, 404.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.rmat(12, seed=1)
    >>> found = triadic.estimate(graph, of="transitivity", error=0.02, seed=1)
    >>> found.low < triadic.transitivity(graph) < found.high, found.half_width < 0.02 * found.value
    (True, True)
    """
    check_option("of", of, Of)
    if (of == "cliques") != (size is not None):
        raise ArgumentError(f"of={of!r}, size={size!r}: expected size= for 'cliques', and for nothing else")
    sized = {} if size is None else {"size": check_whole("size", size, 3, MOST_SAMPLES)}
    if (error is None) == (samples is None):
        given = "both" if samples is not None else "neither; give error=0.01 for ± 1%, or samples= a number of draws"
        raise ArgumentError(f"error={error!r}, samples={samples!r}: expected one of the two, got {given}")
    if error is not None:
        check_positive("error", error, "a number above 0, such as 0.01 for ± 1%")
    if samples is not None:
        check_whole("samples", samples, 1, 1 << 40)
    check_positive("confidence", confidence, "a number between 0 and 1, such as 0.95", 1)
    check_whole("max_samples", max_samples, 1, 1 << 40)
    if max_seconds is not None:
        check_positive("max_seconds", max_seconds, "a number of seconds above 0")
    deadline = None if max_seconds is None else clock.perf_counter() + max_seconds
    goal = Goal(within=error, samples=samples, confidence=confidence, max_samples=max_samples, deadline=deadline)
    drawn = check_seed(seed)
    directions: Any = "counted" if of == "triads" else "ignored"
    if of in _OF_WEDGES:
        network = as_graph(graph, tiled=True, directions=directions)
    else:
        network = as_graph(
            graph, not_tiled=f"of={of!r} is estimated in memory only: {_NOT_TILED}", directions=directions
        )
    workers = resolve_threads(threads)
    used = _device_of(network, of, device)
    started = clock.perf_counter()
    sampler = _SAMPLERS[of](network, threads=workers, device=used, **sized)
    with reporting(progress, f"drawing for {of}") as report:
        found = reach(sampler, goal, drawn, progress=report)
    seconds = clock.perf_counter() - started
    draws = int(found.draws.sum())
    names = sampler.quantities.names
    alone = len(found.value) == 1 and of != "clustering_spectrum"
    value, low, high = (each[0].item() if alone else each for each in (found.value, found.low, found.high))
    return Estimate(
        of=of,
        names=names if isinstance(names, np.ndarray) else tuple(names),
        value=value,
        low=low,
        high=high,
        samples=draws,
        pilot=int(found.pilot.sum()),
        seconds=seconds,
        confidence=goal.confidence,
        error=error,
        seed=drawn,
        stopped=found.stopped,
        exact=_cheaper_exact(network, of, sampler, draws),
    )


def _device_of(graph: Graph | TiledGraph, of: str, device: str) -> str:
    """Return the device to draw on; "auto" is the one on which the graph lies, since a copy takes longer than draws."""
    if of not in _OF_WEDGES and device not in ("auto", "cpu"):
        raise UnsupportedError(f"device={device!r}: {of} is estimated on 'cpu'; other devices draw wedges only")
    check_device(WEDGE_DRAWS, device)
    if isinstance(graph, TiledGraph):
        if device not in ("auto", "cpu"):
            raise UnsupportedError(f"device={device!r}: a tiled graph is estimated on 'cpu'; leave out device")
        return "cpu"
    if device != "auto":
        return device
    return "auto" if graph.oriented().device is not None and of in _OF_WEDGES else "cpu"


def _cheaper_exact(graph: Graph | TiledGraph, of: str, sampler: Sampler, draws: int) -> str:
    """Return the function that counts exactly, if it takes less time than the draws did, and else an empty string."""
    if isinstance(graph, TiledGraph) or of == "cliques":
        return ""
    sizes = graph.oriented().sizes
    if _COUNTS.get(of, TRIANGLE_COUNT).work(sizes) > sampler.nanoseconds * draws + sizes.vertices:
        return ""
    return _EXACT.get(of, of)


def transitivity_of(found: Estimate, graph: Graph | TiledGraph) -> Estimate:
    """Return the estimate of the transitivity that rests on the draws of an estimate of triangles.

    It is the estimate that `triadic.estimate` returns for the transitivity with the same seed, which draws the same
    wedges.
    """
    wedges = wedges_of(graph)
    value, low, high = (min(1.0, 3 * each / wedges) if wedges else 0.0 for each in (found.value, found.low, found.high))
    exact = "transitivity" if found.exact else ""
    return replace(found, of="transitivity", names=("transitivity",), value=value, low=low, high=high, exact=exact)
