"""The counts and measures of a network that its report shows."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.counts.count import noting
from triadic.errors import ArgumentError, CountOverflowError, OutOfMemoryError, UnsupportedError
from triadic.graph.graph import Graph
from triadic.measures.clustering import local_clustering
from triadic.measures.graphlets import graphlet_transform
from triadic.measures.triads import triad_census
from triadic.measures.triangles import triangles as count_triangles
from triadic.reports import budget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.measures.graphlet_result import GraphletTransform
    from triadic.measures.significance_result import Significance
    from triadic.measures.triad_null import TriadCensus

Keywords = dict[str, Any]


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
    census : TriadCensus
    significance : Significance or None
    graphlets : GraphletTransform or None
    requested, samples : int
        Numbers of random networks that were requested, and that were drawn.
    seed : int
    left_out : dict of str to str
        Reasons, by name, why "graphlets" or "significance" are missing or reduced.
    seconds : dict of str to float
        Time of each step.
    devices : list of str
        Devices that counted.
    threads : int
    """

    graph: Graph
    degree: NDArray[np.int64]
    triangles: NDArray[np.int64]
    clustering: NDArray[np.float64]
    census: TriadCensus
    threads: int
    requested: int
    seed: int
    samples: int = 0
    significance: Significance | None = None
    graphlets: GraphletTransform | None = None
    left_out: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    devices: list[str] = field(default_factory=list)


def find(
    graph: Graph,
    *,
    samples: int,
    seed: int,
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
) -> Findings:
    """Compute everything that a report shows, within the limits of `budget`.

    Parameters
    ----------
    graph : Graph
    samples : int
        Number of random networks; 0 for none.
    seed : int
        Seed of the random networks.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    device : str
        Device that counts, or "auto".
    progress : bool or callable
        True shows progress bars on standard error; a callable is called as ``progress(done, total)``.
    """
    _compile(graph, {"threads": threads, "device": device}, sampling=samples > 0)
    seconds: dict[str, float] = {}
    keywords: Keywords = {"threads": threads, "device": device, "progress": progress}
    with noting() as devices:
        with _timed(seconds, "triangles"):
            triangles, degree = count_triangles(graph, **keywords), graph.degree
            clustering = local_clustering(triangles, degree, threads=threads)
        with _timed(seconds, "census"):
            census = triad_census(graph, **keywords)
        found = Findings(
            graph=graph,
            degree=degree,
            triangles=triangles,
            clustering=clustering,
            census=census,
            threads=resolve_threads(threads),
            requested=samples,
            seed=seed,
            seconds=seconds,
        )
        _add_graphlets(found, keywords)
        _add_significance(found, keywords)
    found.devices = list(devices)
    return found


def _compile(graph: Graph, keywords: Keywords, *, sampling: bool) -> None:
    """Compute everything in a small network first, so that the measured times do not include compilation."""
    source = np.repeat(np.arange(32), 3)
    small = Graph.from_edges(source, (source + np.tile([1, 2, 5], 32)) % 32, directed=graph.directed)
    count_triangles(small, **keywords)
    triad_census(small, **keywords)
    graphlet_transform(small, **keywords)
    if sampling:
        _significance(small, samples=budget.TRIAL, seed=1, **keywords)


def _add_graphlets(found: Findings, keywords: Keywords) -> None:
    estimate = budget.graphlet_seconds(found.graph, found.threads)
    if estimate > budget.SECONDS:
        found.left_out["graphlets"] = (
            f"Graphlets are left out, because counting them would take about {estimate:,.0f} seconds."
        )
        return
    try:
        with _timed(found.seconds, "graphlets"):
            found.graphlets = graphlet_transform(found.graph, **keywords)
            found.graphlets.totals  # noqa: B018 - a cached property, computed within the measured time
    except (CountOverflowError, OutOfMemoryError, UnsupportedError) as error:
        found.seconds.pop("graphlets", None)
        found.left_out["graphlets"] = f"Graphlets are left out: {error}."


def _add_significance(found: Findings, keywords: Keywords) -> None:
    if not found.requested or not found.graph.num_edges:
        return
    try:
        with _timed(found.seconds, "significance"):
            found.samples = _affordable(found, keywords)
            if found.samples:
                found.significance = _significance(found.graph, samples=found.samples, seed=found.seed, **keywords)
    except (ArgumentError, OutOfMemoryError, UnsupportedError) as error:  # no edge can be moved, or memory is short
        found.samples = 0
        reason = str(error).removeprefix("graph: ")
        found.left_out["significance"] = f"No random networks were sampled: {reason}."
    else:
        if found.samples < found.requested:
            found.left_out["significance"] = (
                f"{found.samples or 'No'} random networks were sampled instead of {found.requested}, "
                f"which would take more than {budget.SECONDS:.0f} seconds."
            )
    if not found.samples:
        del found.seconds["significance"]


def _affordable(found: Findings, keywords: Keywords) -> int:
    """Return the number of samples that fit the budget, by an estimate or, if that is long, by a trial."""
    seconds = budget.sample_seconds(found.graph, found.seconds["census"], found.threads)
    samples = budget.affordable_samples(found.requested, seconds)
    if samples * seconds < budget.WORTH_A_TRIAL:
        return samples
    started = time.perf_counter()
    _significance(found.graph, samples=budget.TRIAL, seed=found.seed, **{**keywords, "progress": False})
    # Each thread draws a sample at the same time.
    seconds = (time.perf_counter() - started) / max(budget.TRIAL, found.threads)
    return budget.affordable_samples(samples, seconds)


def _significance(graph: Graph, **keywords: Any) -> Significance:  # noqa: ANN401 - keywords of `triadic.significance`
    from triadic.measures.significance import significance  # noqa: PLC0415 - a report without samples does not need it

    return significance(graph, of="triads", **keywords)


@contextmanager
def _timed(seconds: dict[str, float], step: str) -> Iterator[None]:
    started = time.perf_counter()
    try:
        yield
    finally:
        seconds[step] = time.perf_counter() - started
