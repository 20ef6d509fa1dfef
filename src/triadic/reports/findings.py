"""The counts and measures of a network that its report shows."""

from __future__ import annotations

import time
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.convert.recognise import check_directions
from triadic.core.blocks import resolve_threads
from triadic.core.exact import exact_sum
from triadic.core.graphlets import GRAPHLET_NAMES
from triadic.counts.count import noting
from triadic.errors import ArgumentError, CountOverflowError, DirectionWarning, OutOfMemoryError, UnsupportedError
from triadic.graph.graph import Graph, weight_limits
from triadic.graph.weights import WEIGHT
from triadic.measures.clustering import local_clustering
from triadic.measures.estimates.estimate import estimate as draw_estimate
from triadic.measures.graphlets.orbits import graphlet_counts
from triadic.measures.graphlets.transform import graphlet_transform
from triadic.measures.triads import triad_census
from triadic.measures.triangles import triangles as count_triangles
from triadic.measures.weighted_clustering import weighted_clustering
from triadic.measures.weighted_triads import motif_intensity
from triadic.null_models.constraints import Constraints
from triadic.reports import budget, comparisons

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.measures.census import Census, TriadCensus
    from triadic.measures.estimates.estimate import Estimate
    from triadic.measures.graphlets.transform import GraphletTransform
    from triadic.measures.significance.result import Significance
    from triadic.measures.weighted_triads import MotifIntensity
    from triadic.reports.events import EventFindings

Keywords = dict[str, Any]

_ON_CHORD = GRAPHLET_NAMES.index("diamond on chord")


@dataclass(slots=True, eq=False)
class Findings:
    """The counts and measures of one network.

    Attributes
    ----------
    graph : Graph
    degree, triangles : int64 array, shape (n,)
        Degree and number of triangles of each vertex.
    clustering : float64 array, shape (n,)
        Local clustering coefficient of each vertex.
    components : int64 array, shape (components,)
        Number of vertices of each connected component, the largest first; directions are ignored.
    strong_components : int64 array, shape (components,), or None
        Number of vertices of each strongly connected component of a directed network.
    threads : int
    requested : int
        Number of random networks that the user asked for.
    seed : int
    census : TriadCensus or None
        Triads of a directed network.
    graphlets : GraphletTransform or None
    estimated : Estimate or None
        Graphlets that were estimated in place of counting them.
    graphlets_of_five : Census or None
        Graphlets of up to five vertices.
    compared : dict of str to Significance
        Comparisons with random networks by their names: "reciprocity", "clustering", "triads", "graphlets" and
        "graphlets5"; and "intensity" of a directed network with weights.
    left_out : dict of str to str
        Reasons, by name, why "counts of graphlets", "counts of graphlets5" or a comparison are missing, or have fewer
        random networks.
    seconds : dict of str to float
        Time of each step.
    devices : list of str
        Devices that counted.
    kept : dict
        Arguments of `triadic.significance` that say what random networks keep besides degrees.
    events : EventFindings or None
        Events in time of a temporal graph.
    strength, weighted : float64 array, shape (n,), or None
        Sum of the weights at each vertex, and its clustering coefficient of Onnela; None without weights.
    intensity : MotifIntensity or None
        Intensities of the closed triads of a directed network whose weights are at least 0.
    """

    graph: Graph
    degree: Int64Array
    triangles: Int64Array
    clustering: Float64Array
    components: Int64Array
    strong_components: Int64Array | None
    threads: int
    requested: int
    seed: int
    census: TriadCensus | None = None
    graphlets: GraphletTransform | None = None
    estimated: Estimate | None = None
    graphlets_of_five: Census | None = None
    compared: dict[str, Significance] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    devices: list[str] = field(default_factory=list)
    kept: dict[str, Any] = field(default_factory=dict)
    events: EventFindings | None = None
    strength: Float64Array | None = None
    weighted: Float64Array | None = None
    intensity: MotifIntensity | None = None


def find(
    graph: Graph,
    *,
    samples: int,
    seed: int,
    size: int = 5,
    estimate: bool = False,
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
    kept: dict[str, Any] | None = None,
) -> Findings:
    """Compute everything that a report shows, within the limits of `budget`.

    Parameters
    ----------
    graph : Graph
    samples : int
        Number of random networks; 0 for none.
    seed : int
        Seed of the random networks.
    size : {5, 4}, default 5
        Number of vertices of the largest graphlets.
    estimate : bool, default False
        Estimate graphlets also if counting them takes little time.
    kept : dict, optional
        Arguments `groups`, `positions` and `bins` of `triadic.significance`: what random networks keep besides degrees.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    device : str
        Device that counts, or "auto".
    progress : bool or callable
        True shows progress bars on standard error; a callable is called as ``progress(done, total)``.

    Warns
    -----
    DirectionWarning
        Nothing states the direction of a network that was read as directed, and its arcs look undirected.
    """
    check_directions(graph, counted=True)
    kept = kept or {}
    Constraints.of(graph, **kept)  # an error here; one in a comparison leaves the comparison out
    keywords: Keywords = {"threads": threads, "device": device, "progress": progress}
    with warnings.catch_warnings():
        # The page itself says which sections ignore directions, and each measure would repeat the warning above.
        warnings.simplefilter("ignore", DirectionWarning)
        _compile(graph, {"threads": threads, "device": device}, sampling=samples > 0)
        with noting() as devices:
            found = _measured(graph, samples, seed, keywords)
            found.kept = kept
            _add_graphlets(found, keywords, estimate=estimate)
            if size == 5:
                _add_graphlets_of_five(found, keywords, sampling=samples > 0)
            _add_comparisons(found, keywords)
    found.devices = list(devices)
    return found


def add_events(found: Findings, events: EventFindings | None) -> None:
    """Add what was found about the events in time, if the network has times."""
    if events is not None:
        found.events = events
        found.seconds |= events.seconds


def _measured(graph: Graph, samples: int, seed: int, keywords: Keywords) -> Findings:
    """Return what takes little time: triangles, components and triads."""
    threads = keywords["threads"]
    seconds: dict[str, float] = {}
    with _timed(seconds, "triangles"):
        triangles, degree = count_triangles(graph, **keywords), graph.degree
        clustering = local_clustering(triangles, degree, threads=threads)
    with _timed(seconds, "components"):
        components = component_sizes(graph, "weak")
        strong = component_sizes(graph, "strong") if graph.directed else None
    found = Findings(
        graph=graph,
        degree=degree,
        triangles=triangles,
        clustering=clustering,
        components=components,
        strong_components=strong,
        threads=resolve_threads(threads),
        requested=samples,
        seed=seed,
        seconds=seconds,
    )
    if graph.directed:
        with _timed(seconds, "triads"):
            found.census = triad_census(graph, **keywords)
    if graph.is_weighted:
        matrix = graph.to_scipy()
        strength: Float64Array = np.asarray(matrix.sum(axis=0), dtype=np.float64)
        found.strength = strength + matrix.sum(axis=1) if graph.directed else strength
        with _timed(seconds, "weighted clustering"):
            # An arc and its reverse may differ in the other columns, which the coefficient does not need.
            rules = {name: "sum" if name == WEIGHT else "first" for name in graph.columns}
            joined = graph.to_undirected(combine=rules) if graph.directed else graph
            found.weighted = weighted_clustering(joined, **keywords)
        if graph.directed and weight_limits(graph)[0] >= 0:
            with _timed(seconds, "intensity"):
                found.intensity = motif_intensity(graph, threads=threads, progress=keywords["progress"])
    return found


def component_sizes(graph: Graph, connection: Literal["weak", "strong"]) -> Int64Array:
    """Return the number of vertices of each "weak" or "strong" component, the largest first.

    Examples
    --------
    >>> import triadic
    >>> component_sizes(triadic.Graph.from_edges([0, 3], [1, 4], directed=True), "weak").tolist()
    [2, 2, 1]
    """
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 - slow to import

    if graph.num_vertices == 0:
        return np.zeros(0, dtype=np.int64)
    _, component = connected_components(graph.to_scipy(), directed=True, connection=connection)
    return np.sort(np.bincount(component))[::-1].astype(np.int64)


def _small_network(graph: Graph | None = None) -> Graph:
    """Return a network in which everything is computed first, so that the measured times do not include compilation.

    It has directions and weights if `graph` has.
    """
    source, directed = np.repeat(np.arange(32), 3), graph is not None and graph.directed
    weights = np.ones(96) if graph is not None and graph.is_weighted else None
    return Graph.from_edges(source, (source + np.tile([1, 2, 5], 32)) % 32, weights=weights, directed=directed)


def _compile(graph: Graph, keywords: Keywords, *, sampling: bool) -> None:
    """Compute everything but the graphlets of five vertices in a small network."""
    small = _measured(_small_network(graph), 0, 0, {**keywords, "progress": False})
    graphlet_transform(small.graph, **keywords)
    if sampling:
        for of in comparisons.comparison_names(small.graph.directed, weighted=small.intensity is not None):
            comparisons.compare(small.graph, of, samples=budget.TRIAL, seed=1, progress=False, **keywords)


def _add_graphlets(found: Findings, keywords: Keywords, *, estimate: bool) -> None:
    seconds = budget.graphlet_seconds(found.graph, found.threads)
    if seconds > budget.SECONDS:
        found.left_out["counts of graphlets"] = (
            f"Graphlets are estimated, because counting them would take about {seconds:,.0f} seconds."
        )
    with _counting(found, "graphlets", "Graphlets"):
        if found.graph.num_edges and (estimate or seconds > budget.SECONDS):
            _estimate_graphlets(found, keywords)
            return
        with _timed(found.seconds, "graphlets"):
            transform = graphlet_transform(found.graph, **keywords)
            transform.totals  # noqa: B018 - a cached property, computed within the measured time
        found.graphlets = transform


def _estimate_graphlets(found: Findings, keywords: Keywords) -> None:
    settings: Keywords = {"of": "graphlets4", "seed": found.seed, "threads": keywords["threads"]}
    draw_estimate(_small_network(), samples=1000, **settings)
    with _timed(found.seconds, "graphlets"):
        found.estimated = draw_estimate(
            found.graph.to_undirected(combine="first"),
            within=budget.WIDTH_OF_ESTIMATES,
            time=budget.SECONDS_OF_ESTIMATES,
            progress=keywords["progress"],
            **settings,
        )
    if found.estimated.stopped == "interrupted":
        raise KeyboardInterrupt


def _add_graphlets_of_five(found: Findings, keywords: Keywords, *, sampling: bool) -> None:
    """Count the graphlets of five vertices, whose code is compiled only for a network that they are counted in."""
    if found.graphlets is None:
        return
    of, words = comparisons.GRAPHLETS_OF_FIVE, "Graphlets of five vertices"
    diamonds = exact_sum(found.graphlets.raw[:, _ON_CHORD]) // 2
    estimate = budget.five_vertex_seconds(found.graph, diamonds, found.threads)
    if not budget.affords_five(estimate):
        found.left_out[f"counts of {of}"] = (
            f"{words} are left out, because counting them would take about {estimate:,.0f} seconds."
        )
        return
    with _counting(found, of, words):
        small, settings = _small_network(), {**keywords, "progress": False}
        graphlet_counts(small, size=5, **settings)
        if sampling:
            comparisons.compare(small, of, samples=budget.TRIAL, seed=1, **settings)
        with _timed(found.seconds, of):
            found.graphlets_of_five = graphlet_counts(found.graph, size=5, **keywords)


@contextmanager
def _counting(found: Findings, of: str, words: str) -> Iterator[None]:
    """State why counts are left out if they do not fit in memory or in 64 bits."""
    try:
        yield
    except (CountOverflowError, OutOfMemoryError, UnsupportedError) as error:
        found.seconds.pop(of, None)
        found.left_out[f"counts of {of}"] = f"{words} are left out: {error}."


def _add_comparisons(found: Findings, keywords: Keywords) -> None:
    """Compare the network with random networks in every respect that it has."""
    if not found.requested or not found.graph.num_edges:
        return
    names = [
        of
        for of in comparisons.comparison_names(found.graph.directed, weighted=found.intensity is not None)
        if of != "graphlets" or found.graphlets is not None
    ]
    started = time.perf_counter()
    for later, of in zip(reversed(range(len(names))), names, strict=True):
        rest = budget.SECONDS - (time.perf_counter() - started)
        _add_comparison(found, of, budget.Allowance(rest / (1 + later), rest), keywords)
    if found.graphlets_of_five is not None:
        rest = budget.SECONDS - (time.perf_counter() - started)
        _add_comparison(found, comparisons.GRAPHLETS_OF_FIVE, budget.allowance_of_five(rest), keywords)


def _add_comparison(found: Findings, of: str, allowance: budget.Allowance, keywords: Keywords) -> None:
    """Compare with as many random networks as fit the allowance, or state why there are fewer, or none."""
    counted = found.seconds.get({"clustering": "triangles", "reciprocity": "triads"}.get(of, of), 0.0)
    machine = {name: keywords[name] for name in ("threads", "device")}
    settings: Keywords = {"seed": found.seed, "kept": found.kept, **machine}
    samples, step = 0, f"random networks for {of}"
    try:
        with _timed(found.seconds, step):
            samples = comparisons.affordable_count(
                found.graph, of, allowance=allowance, samples=found.requested, count_seconds=counted, **settings
            )
            if samples:
                found.compared[of] = comparisons.compare(
                    found.graph, of, samples=samples, progress=keywords["progress"], **settings
                )
    # No edge can be moved, memory is short, or a random network has too many graphlets.
    except (ArgumentError, CountOverflowError, OutOfMemoryError, UnsupportedError) as error:
        found.left_out[of] = f"No random networks were sampled: {str(error).removeprefix('graph: ')}."
    else:
        if samples < found.requested:
            limit = f"all comparisons together may take {budget.SECONDS:.0f} seconds"
            if of == comparisons.GRAPHLETS_OF_FIVE:
                limit = f"this comparison may take {budget.LIMIT_OF_RANDOM_FIVE * budget.SECONDS:.0f} seconds"
            found.left_out[of] = (
                f"{samples or 'No'} random networks were sampled instead of {found.requested:,}, because {limit}."
            )
    if of not in found.compared:
        found.seconds.pop(step, None)


@contextmanager
def _timed(seconds: dict[str, float], step: str) -> Iterator[None]:
    started = time.perf_counter()
    try:
        yield
    finally:
        seconds[step] = time.perf_counter() - started
