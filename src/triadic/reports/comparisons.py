"""Comparisons of a network with random networks: triads, clustering, graphlets and reciprocity."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from triadic.core import blocks
from triadic.core.triad_types import MUTUAL
from triadic.measures.registry import FIVE
from triadic.measures.significance.significance import significance
from triadic.reports import budget

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic.measures.significance.result import Significance

    Kept = dict[str, Any]  # arguments groups, positions and bins of `triadic.significance`

MUTUAL_PAIRS = "mutual pairs"
GRAPHLETS_OF_FIVE = "graphlets5"


def compare(
    graph: Graph,
    of: str,
    *,
    samples: int,
    seed: int,
    kept: Kept | None = None,
    **machine: Any,  # noqa: ANN401 - the arguments of `triadic.significance`
) -> Significance:
    """Compare a network with random networks, as `triadic.significance` does, which does not compare reciprocity.

    For "intensity", weights are permuted. `kept` has the arguments `groups`, `positions` and `bins` of that function,
    and `machine` the arguments `threads`, `device` and `progress`.

    Raises
    ------
    ArgumentError
        The network is the only one with its degrees.
    OutOfMemoryError
        The random networks do not fit in memory.
    """
    keywords = {"samples": samples, "seed": seed, **machine, **(kept or {})}
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
    return replace(found, of=of, names=(MUTUAL_PAIRS,), counts=mutual(found.counts), samples=samples_of, profiled=())


def compare_within(
    graph: Graph,
    of: str,
    *,
    allowance: budget.Allowance,
    samples: int,
    count_seconds: float,
    **settings: Any,  # noqa: ANN401 - the arguments of `compare`
) -> Significance | None:
    """Compare with as many random networks as fit the allowance, by an estimate or, if that is long, by a trial.

    Parameters
    ----------
    graph : Graph
    of : str
        Name of the comparison.
    allowance : Allowance
    samples : int
        Number of random networks that the user asked for.
    count_seconds : float
        Time that the counts took in the network itself.
    **settings
        Arguments `seed`, `threads`, `device`, `progress` and `kept` of `compare`.

    Returns
    -------
    Significance or None
        None if too few random networks fit.
    """
    workers = blocks.resolve_threads(settings["threads"])
    seconds = budget.sample_seconds(graph, count_seconds, workers)
    fitting = budget.affordable_samples(samples, seconds, allowance)
    if fitting * seconds >= budget.WORTH_A_TRIAL:
        started = time.perf_counter()
        compare(graph, of, samples=budget.TRIAL, **{**settings, "progress": False})
        # Each thread draws a sample at the same time.
        seconds = (time.perf_counter() - started) / max(budget.TRIAL, workers)
        fitting = budget.affordable_samples(fitting, seconds, allowance)
    return compare(graph, of, samples=fitting, **settings) if fitting else None
