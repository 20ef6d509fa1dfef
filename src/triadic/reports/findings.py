"""What a report is made of: a network counted in every way that the page shows."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from triadic.core.blocks import resolve_threads
from triadic.devices.select import noting
from triadic.errors import ArgumentError, CountOverflowError, OutOfMemoryError, UnsupportedError
from triadic.generate.recursive import rmat
from triadic.measures import clustering as of_triangles
from triadic.measures.graphlets import graphlet_transform
from triadic.measures.triads import triad_census
from triadic.reports import budget

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph
    from triadic.measures.graphlet_result import GraphletTransform
    from triadic.measures.significance_result import Significance
    from triadic.measures.triad_null import TriadCensus

Keywords = dict[str, Any]


@dataclass(slots=True, eq=False)
class Findings:
    """The figures of one network.

    Attributes
    ----------
    graph : Graph
    degree, triangles : int64 array, shape (n,)
    clustering : float64 array, shape (n,)
    census : TriadCensus
    significance : Significance or None
    graphlets : GraphletTransform or None
    asked, samples : int
        Samples that were asked for, and that were taken.
    seed : int
    left_out : dict of str to str
        Why something is not there.
    seconds : dict of str to float
        What each step took.
    devices : list of str
    threads : int
    """

    graph: Graph
    degree: NDArray[np.int64]
    triangles: NDArray[np.int64]
    clustering: NDArray[np.float64]
    census: TriadCensus
    threads: int
    asked: int
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
    """Count all that a report shows, as far as the time for it goes.

    Parameters
    ----------
    graph, samples, seed, threads, device, progress
        As for `triadic.report`.
    """
    _compile(graph, {"threads": threads, "device": device}, sampling=samples > 0)
    seconds: dict[str, float] = {}
    keywords: Keywords = {"threads": threads, "device": device, "progress": progress}
    with noting() as devices:
        with _timed(seconds, "triangles"):
            triangles, degree = of_triangles.triangles(graph, **keywords), graph.degree
            clustering = of_triangles.local_clustering(triangles, degree, threads=threads)
        with _timed(seconds, "census"):
            census = triad_census(graph, **keywords)
        found = Findings(
            graph=graph,
            degree=degree,
            triangles=triangles,
            clustering=clustering,
            census=census,
            threads=resolve_threads(threads),
            asked=samples,
            seed=seed,
            seconds=seconds,
        )
        _add_graphlets(found, keywords)
        _add_significance(found, keywords)
    found.devices = list(devices)
    return found


def _compile(graph: Graph, keywords: Keywords, *, sampling: bool) -> None:
    """Count everything in a small network first, so that the times are of counting alone."""
    small = rmat(5, seed=1, directed=graph.directed)
    of_triangles.triangles(small, **keywords)
    triad_census(small, **keywords)
    graphlet_transform(small, **keywords)
    if sampling:
        _significance(small, samples=budget.TRIAL, seed=1, **keywords)


def _add_graphlets(found: Findings, keywords: Keywords) -> None:
    estimate = budget.graphlet_seconds(found.graph, found.threads)
    if estimate > budget.SECONDS:
        found.left_out["graphlets"] = (
            f"Graphlets are left out: counting them here would take about {estimate:,.0f} seconds."
        )
        return
    try:
        with _timed(found.seconds, "graphlets"):
            found.graphlets = graphlet_transform(found.graph, **keywords)
            found.graphlets.totals  # noqa: B018 - worked out here, where the clock runs
    except (CountOverflowError, OutOfMemoryError, UnsupportedError) as error:
        found.seconds.pop("graphlets", None)
        found.left_out["graphlets"] = f"Graphlets are left out: {error}."


def _add_significance(found: Findings, keywords: Keywords) -> None:
    if not found.asked or not found.graph.num_edges:
        return
    try:
        with _timed(found.seconds, "significance"):
            found.samples = _affordable(found, keywords)
            if found.samples:
                found.significance = _significance(found.graph, samples=found.samples, seed=found.seed, **keywords)
    except (ArgumentError, OutOfMemoryError, UnsupportedError) as error:  # nothing to move, or no room for it
        found.samples = 0
        reason = str(error).removeprefix("graph: ")
        found.left_out["significance"] = f"No random networks were sampled: {reason}."
    else:
        if found.samples < found.asked:
            taken = f"{found.samples} random networks were" if found.samples else "No random networks were"
            found.left_out["significance"] = (
                f"{taken} sampled instead of {found.asked}, which would take more than {budget.SECONDS:.0f} seconds."
            )
    if not found.samples:
        del found.seconds["significance"]


def _affordable(found: Findings, keywords: Keywords) -> int:
    """Give how many samples there is time for: by an estimate, and where it is long by a trial."""
    seconds = budget.sample_seconds(found.graph, found.seconds["census"], found.threads)
    samples = budget.affordable_samples(found.asked, seconds)
    if samples * seconds < budget.WORTH_A_TRIAL:
        return samples
    started = time.perf_counter()
    _significance(found.graph, samples=budget.TRIAL, seed=found.seed, **{**keywords, "progress": False})
    # As many samples as there are threads are drawn at once.
    seconds = (time.perf_counter() - started) / max(budget.TRIAL, found.threads)
    return budget.affordable_samples(samples, seconds)


def _significance(graph: Graph, **keywords: Any) -> Significance:  # noqa: ANN401 - as `triadic.significance`
    from triadic.measures.significance import significance  # noqa: PLC0415 - without samples nothing needs it

    return significance(graph, **keywords)


@contextmanager
def _timed(seconds: dict[str, float], step: str) -> Iterator[None]:
    started = time.perf_counter()
    try:
        yield
    finally:
        seconds[step] = time.perf_counter() - started
