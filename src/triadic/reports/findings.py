"""The counts and measures of a network that its report shows."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.convert.recognise import check_directions
from triadic.core.blocks import resolve_threads
from triadic.core.exact import exact_sum
from triadic.core.graphlets import GRAPHLET_NAMES
from triadic.core.oriented import NO_NUMBERS
from triadic.core.triad_types import MUTUAL
from triadic.counts.count import noting
from triadic.errors import ArgumentError, CountOverflowError, DirectionWarning, OutOfMemoryError, UnsupportedError
from triadic.graph.graph import Graph, weight_limits
from triadic.graph.temporal import TemporalGraph
from triadic.graph.weights import WEIGHT
from triadic.measures.clustering import local_clustering
from triadic.measures.estimates.estimate import estimate as draw_estimate
from triadic.measures.graphlets.orbits import graphlets
from triadic.measures.graphlets.transform import graphlet_transform
from triadic.measures.patterns.matches import pattern_of, total
from triadic.measures.registry import FIVE
from triadic.measures.significance.significance import significance
from triadic.measures.triads import triad_census
from triadic.measures.triangles import triangles as count_triangles
from triadic.measures.weighted_clustering import weighted_clustering
from triadic.measures.weighted_triads import motif_intensity
from triadic.null_models.constraints import Constraints
from triadic.reports import budget
from triadic.reports.events import find_events

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.convert.result_table import Table
    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.events import Duration
    from triadic.measures.census import Census, TriadCensus
    from triadic.measures.estimates.estimate import Estimate
    from triadic.measures.graphlets.transform import GraphletTransform
    from triadic.measures.patterns.pattern import Pattern
    from triadic.measures.significance.result import Significance
    from triadic.reports.events import EventFindings

Keywords = dict[str, Any]

GRAPHLETS_OF_FIVE = "graphlets5"
_ON_CHORD = GRAPHLET_NAMES.index("diamond on chord")


@dataclass(slots=True, eq=False)
class Findings:
    """The counts and measures of one network.

    Attributes
    ----------
    graph : Graph
    requested : int
        Number of random networks that the user asked for.
    seed : int
    machine : dict
        Arguments `threads`, `device` and `progress` of measures.
    kept : dict
        Arguments of `triadic.significance` that say what random networks keep besides degrees.
    degree, triangles : int64 array, shape (n,)
        Degree and number of triangles of each vertex.
    clustering : float64 array, shape (n,)
        Local clustering coefficient of each vertex.
    components : int64 array, shape (components,)
        Number of vertices of each connected component, the largest first; directions are ignored.
    strong_components : int64 array, shape (components,), or None
        Number of vertices of each strongly connected component of a directed network.
    census : TriadCensus or None
        Triads of a directed network.
    strength, weighted : float64 array, shape (n,), or None
        Sum of the weights at each vertex, and its clustering coefficient of Onnela; None without weights.
    intensity : Table or None
        Intensities of the closed triads of a directed network whose weights are at least 0.
    graphlets : GraphletTransform or None
    estimated : Estimate or None
        Graphlets that were estimated in place of counting them.
    graphlets_of_five : Census or None
        Graphlets of up to five vertices.
    patterns : dict of Pattern to int
        Number of subgraphs that match each pattern.
    compared : dict of str to Significance
        Comparisons with random networks by their names: "reciprocity", "clustering", "triads", "graphlets",
        "graphlets5" and "patterns"; and "intensity" of a directed network with weights.
    left_out : dict of str to str
        Reasons, by name, why "counts of graphlets", "counts of graphlets5" or a comparison are missing, or have fewer
        random networks.
    seconds : dict of str to float
        Time of each step.
    devices : list of str
        Devices that counted.
    events : EventFindings or None
        Events in time of a temporal graph.
    """

    graph: Graph
    requested: int
    seed: int
    machine: Keywords
    kept: Keywords
    degree: Int64Array = field(init=False)
    triangles: Int64Array = field(init=False)
    clustering: Float64Array = field(init=False)
    components: Int64Array = field(init=False)
    strong_components: Int64Array | None = None
    census: TriadCensus | None = None
    strength: Float64Array | None = None
    weighted: Float64Array | None = None
    intensity: Table | None = None
    graphlets: GraphletTransform | None = None
    estimated: Estimate | None = None
    graphlets_of_five: Census | None = None
    patterns: dict[Pattern, int] = field(default_factory=dict)
    compared: dict[str, Significance] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    devices: list[str] = field(default_factory=list)
    events: EventFindings | None = None

    @property
    def threads(self) -> int:
        """Number of threads."""
        return resolve_threads(self.machine["threads"])

    def timed(self, step: str, compute: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401
        """Return what a function returns, and keep its time."""
        started = time.perf_counter()
        result = compute(*arguments, **keywords)
        self.seconds[step] = time.perf_counter() - started
        return result


def find(
    graph: Graph | TemporalGraph,
    *,
    samples: int,
    seed: int,
    size: int = 5,
    estimate: bool = False,
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
    kept: dict[str, Any] | None = None,
    patterns: Sequence[str | Pattern] = (),
    delta: Duration | None = None,
) -> Findings:
    """Compute everything that a report shows, within the limits of `budget`.

    Parameters
    ----------
    graph : Graph or TemporalGraph
        Of a `TemporalGraph`, the network of all events, and the events in time.
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
    patterns : sequence of str or Pattern, optional
        Patterns to count and to draw.
    delta : duration, optional
        Longest time from the first event of a temporal motif to the last, as of `find_events`.
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
    events = None
    if isinstance(graph, TemporalGraph):
        events = find_events(graph, delta, samples=samples, seed=seed, threads=threads, progress=progress)
        graph = graph.window()
    check_directions(graph, counted=True)
    kept = kept or {}
    Constraints.of(graph, **kept)  # an error here; one in a comparison leaves the comparison out
    machine: Keywords = {"threads": threads, "device": device, "progress": progress}
    with warnings.catch_warnings():
        # The page itself says which sections ignore directions, and each measure would repeat the warning above.
        warnings.simplefilter("ignore", DirectionWarning)
        # Everything is computed in a small network first, so that the measured times do not include compilation.
        small = Findings(_small_network(graph), min(samples, budget.TRIAL), 1, {**machine, "progress": False}, {})
        _add_all(small, size=size, estimate=estimate)
        found = Findings(graph, samples, seed, machine, kept)
        every = [pattern_of(pattern) for pattern in patterns]
        _count_patterns(graph.subgraph(np.arange(graph.num_vertices) < len(small.degree)), every, machine)
        with noting() as devices:
            if every:
                found.patterns = found.timed("patterns", _count_patterns, graph, every, machine)
            _add_all(found, size=size, estimate=estimate)
    found.devices, found.events = list(devices), events
    if events is not None:
        found.seconds |= events.seconds
    return found


def _count_patterns(graph: Graph, patterns: list[Pattern], machine: Keywords) -> dict[Pattern, int]:
    return {pattern: total(pattern, graph, **machine) for pattern in patterns}


def _small_network(graph: Graph) -> Graph:
    """Return a small network with directions and weights if `graph` has."""
    source = np.repeat(np.arange(32), 3)
    weights = np.ones(len(source)) if graph.is_weighted else None
    return Graph.from_edges(source, (source + np.tile([1, 2, 5], 32)) % 32, weights=weights, directed=graph.directed)


def _add_all(found: Findings, *, size: int, estimate: bool) -> None:
    _add_measures(found)
    _add_graphlets(found, estimate=estimate)
    if size == 5:
        _add_graphlets_of_five(found)
    _add_comparisons(found)


def _add_measures(found: Findings) -> None:
    """Add what takes little time: triangles, components, triads and what weights say."""
    graph, machine = found.graph, found.machine
    found.triangles, found.degree = found.timed("triangles", count_triangles, graph, **machine), graph.degree
    found.clustering = local_clustering(found.triangles, found.degree, threads=machine["threads"])
    found.components = found.timed("components", component_sizes, graph, "weak")
    if graph.directed:
        found.strong_components = found.timed("strong components", component_sizes, graph, "strong")
        found.census = found.timed("triads", triad_census, graph, **machine)
    if graph.is_weighted:
        matrix = graph.to_scipy()
        found.strength = np.asarray(matrix.sum(axis=0) + (matrix.sum(axis=1) if graph.directed else 0.0))
        # An arc and its reverse may differ in the other columns, which the coefficient does not need.
        rules = {name: "sum" if name == WEIGHT else "first" for name in graph.columns}
        joined = graph.to_undirected(combine=rules) if graph.directed else graph
        found.weighted = found.timed("weighted clustering", weighted_clustering, joined, **machine)
        if graph.directed and weight_limits(graph)[0] >= 0:
            found.intensity = found.timed("intensity", motif_intensity, graph, **{**machine, "device": "auto"})


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
        return NO_NUMBERS
    _, component = connected_components(graph.to_scipy(), directed=True, connection=connection)
    return np.sort(np.bincount(component))[::-1].astype(np.int64)


def _add_graphlets(found: Findings, *, estimate: bool) -> None:
    seconds = budget.graphlet_seconds(found.graph, found.threads)
    if slow := seconds > budget.SECONDS:
        found.left_out["counts of graphlets"] = (
            f"Graphlets are estimated, because counting them would take about {seconds:,.0f} seconds."
        )
    if found.graph.num_edges and (estimate or slow):
        _add_counts(found, "graphlets", "estimated", _estimate_graphlets)
    else:
        _add_counts(found, "graphlets", "graphlets", lambda found: graphlet_transform(found.graph, **found.machine))


def _add_counts(found: Findings, of: str, name: str, count: Callable[[Findings], object]) -> None:
    """Add counts under a name, or the reason why they are left out: they do not fit in memory or in 64 bits."""
    try:
        setattr(found, name, found.timed(of, count, found))
    except (CountOverflowError, OutOfMemoryError, UnsupportedError) as error:
        words = "Graphlets of five vertices" if of == GRAPHLETS_OF_FIVE else "Graphlets"
        found.left_out[f"counts of {of}"] = f"{words} are left out: {error}."


def _estimate_graphlets(found: Findings) -> Estimate:
    estimated = draw_estimate(
        found.graph.to_undirected(combine="first"),
        of="graphlets",
        error=budget.WIDTH_OF_ESTIMATES,
        max_seconds=budget.SECONDS_OF_ESTIMATES,
        seed=found.seed,
        threads=found.machine["threads"],
        progress=found.machine["progress"],
    )
    if estimated.stopped == "interrupted":
        raise KeyboardInterrupt
    return estimated


def _add_graphlets_of_five(found: Findings) -> None:
    if found.graphlets is None:
        return
    of = GRAPHLETS_OF_FIVE
    diamonds = exact_sum(found.graphlets.raw[:, _ON_CHORD]) // 2
    estimate = budget.five_vertex_seconds(found.graph, diamonds, found.threads)
    if budget.affords_five(estimate):
        _add_counts(found, of, "graphlets_of_five", lambda found: graphlets(found.graph, size=5, **found.machine))
    else:
        found.left_out[f"counts of {of}"] = (
            f"Graphlets of five vertices are left out, because counting them would take about {estimate:,.0f} seconds."
        )


def _add_comparisons(found: Findings) -> None:
    """Compare the network with random networks in every respect that it has."""
    if not found.requested or not found.graph.num_edges:
        return
    # The most important first.
    counted: Keywords = {"triads": found.census, "clustering": found.degree, "reciprocity": found.census}
    counted |= {"patterns": found.patterns or None, "graphlets": found.graphlets, "intensity": found.intensity}
    names = [of for of, counts in counted.items() if counts is not None]
    end = time.perf_counter() + budget.SECONDS
    for later, of in zip(reversed(range(len(names))), names, strict=True):
        rest = end - time.perf_counter()
        _add_comparison(found, of, budget.Allowance(rest / (1 + later), rest))
    if found.graphlets_of_five is not None:
        rest = max(0.0, min(end - time.perf_counter(), budget.LIMIT_OF_RANDOM_FIVE * budget.SECONDS))
        _add_comparison(found, GRAPHLETS_OF_FIVE, budget.Allowance(rest, rest))


def _add_comparison(found: Findings, of: str, allowance: budget.Allowance) -> None:
    """Compare with as many random networks as fit the allowance, or state why there are fewer, or none."""
    step = f"random networks for {of}"
    try:
        result = found.timed(step, _compare_within, found, of, allowance)
    # No edge can be moved, memory is short, or a random network has too many graphlets.
    except (ArgumentError, CountOverflowError, OutOfMemoryError, UnsupportedError) as error:
        found.left_out[of] = f"No random networks were sampled: {str(error).removeprefix('graph: ')}."
        return
    if result is None:
        found.seconds.pop(step)
    else:
        found.compared[of] = result
    drawn = 0 if result is None else len(result.samples)
    if drawn < found.requested:
        limit = f"all comparisons together may take {budget.SECONDS:.0f} seconds"
        if of == GRAPHLETS_OF_FIVE:
            limit = f"this comparison may take {budget.LIMIT_OF_RANDOM_FIVE * budget.SECONDS:.0f} seconds"
        found.left_out[of] = (
            f"{drawn or 'No'} random networks were sampled instead of {found.requested:,}, because {limit}."
        )


def _compare_within(found: Findings, of: str, allowance: budget.Allowance) -> Significance | None:
    """Compare with as many random networks as fit the allowance, by an estimate or, if that is long, by a trial.

    Returns None if too few random networks fit.
    """
    what: Any = list(found.patterns) if of == "patterns" else of
    counted = found.seconds.get({"clustering": "triangles", "reciprocity": "triads"}.get(of, of), 0.0)
    settings: Keywords = {"seed": found.seed, **found.kept, **found.machine}
    seconds = budget.sample_seconds(found.graph, counted, found.threads)
    fitting = budget.affordable_samples(found.requested, seconds, allowance)
    if fitting * seconds >= budget.WORTH_A_TRIAL:
        started = time.perf_counter()
        compare(found.graph, what, samples=budget.TRIAL, **{**settings, "progress": False})
        # Each thread draws a sample at the same time.
        seconds = (time.perf_counter() - started) / max(budget.TRIAL, found.threads)
        fitting = budget.affordable_samples(fitting, seconds, allowance)
    return compare(found.graph, what, samples=fitting, **settings) if fitting else None


def compare(graph: Graph, of: str, **keywords: Any) -> Significance:  # noqa: ANN401 - those of `triadic.significance`
    """Compare a network with random networks, as `triadic.significance` does, which does not compare reciprocity.

    For "intensity", weights are permuted.

    Raises
    ------
    ArgumentError
        The network is the only one with its degrees.
    OutOfMemoryError
        The random networks do not fit in memory.
    """
    if of == "intensity":
        keywords["keep_weights"] = "shuffle"  # kept with their arcs, they would tell little more than the triads
    if of != "reciprocity":
        return significance(graph, of=FIVE if of == GRAPHLETS_OF_FIVE else of, **keywords)
    found = significance(graph, of="triads", null="degrees", **keywords)

    def mutual(counts: tuple[int | float, ...]) -> tuple[int]:
        """Return the number of mutual pairs: each is in as many triads as there are other vertices."""
        pairs = sum(MUTUAL[name] * int(count) for name, count in zip(found.names, counts, strict=True))
        return (pairs // max(1, graph.num_vertices - 2),)

    samples_of = tuple(map(mutual, found.samples))
    return replace(found, of=of, names=("mutual pairs",), counts=mutual(found.counts), samples=samples_of, profiled=())
