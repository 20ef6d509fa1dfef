"""Comparisons of a network with random networks: triads, clustering, graphlets and reciprocity."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from triadic.core import blocks
from triadic.core.draws import derive_keys
from triadic.core.progress import reporting
from triadic.errors import ArgumentError
from triadic.measures.registry import FIVE
from triadic.measures.significance.result import Significance
from triadic.measures.significance.significance import significance
from triadic.measures.triads import dyads_of
from triadic.null_models.model import check_room, null_model, sample_each
from triadic.reports import budget

if TYPE_CHECKING:
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph

    Kept = dict[str, Any]  # arguments groups, positions and bins of `triadic.significance`

MUTUAL_PAIRS = "mutual pairs"
GRAPHLETS_OF_FIVE = "graphlets5"  # of sections


def comparison_names(directed: bool) -> tuple[str, ...]:
    """Return the names of the comparisons that a network can have, the most important first."""
    return ("triads", "clustering", "reciprocity", "graphlets") if directed else ("clustering", "graphlets")


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

    `kept` has the arguments `groups`, `positions` and `bins` of that function, and `machine` the arguments `threads`,
    `device` and `progress`.

    Raises
    ------
    ArgumentError
        The network is the only one with its degrees.
    OutOfMemoryError
        The random networks do not fit in memory.
    """
    if of == "reciprocity":
        return _reciprocity(graph, samples, seed, machine["threads"], machine["progress"], kept or {})
    asked = FIVE if of == GRAPHLETS_OF_FIVE else of
    return significance(graph, of=asked, samples=samples, seed=seed, **machine, **(kept or {}))


def affordable_count(
    graph: Graph,
    of: str,
    *,
    allowance: budget.Allowance,
    samples: int,
    count_seconds: float,
    **settings: Any,  # noqa: ANN401 - the arguments of `compare`
) -> int:
    """Return the number of random networks that fit the allowance, by an estimate or, if that is long, by a trial.

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
        Arguments `seed`, `threads`, `device` and `kept` of `compare`.
    """
    workers = blocks.resolve_threads(settings["threads"])
    seconds = budget.sample_seconds(graph, count_seconds, workers)
    fitting = budget.affordable_samples(samples, seconds, allowance)
    if fitting * seconds < budget.WORTH_A_TRIAL:
        return fitting
    started = time.perf_counter()
    compare(graph, of, samples=budget.TRIAL, progress=False, **settings)
    # Each thread draws a sample at the same time.
    seconds = (time.perf_counter() - started) / max(budget.TRIAL, workers)
    return budget.affordable_samples(fitting, seconds, allowance)


def _reciprocity(
    graph: Graph, samples: int, seed: int, threads: int | None, progress: ProgressKeyword, kept: Kept
) -> Significance:
    """Compare the number of mutual pairs with random networks of the same in- and out-degrees."""
    model, workers = null_model(graph, "degrees", **kept), blocks.resolve_threads(threads)
    check_room(graph, model, min(workers, samples))
    keys = derive_keys(seed, samples).tolist()

    def mutual(i: int) -> tuple[int]:
        sample, moved = model.draw(keys[i])
        if not moved and not model.admits_change(keys[i]):
            raise ArgumentError("graph: no arc can be moved without changing a degree")
        return (dyads_of(sample)[0],)

    with reporting(progress, "significance of reciprocity") as report:
        drawn = sample_each(mutual, samples, threads=workers, progress=report)
    return Significance(
        of="reciprocity",
        null="degrees",
        names=(MUTUAL_PAIRS,),
        counts=(dyads_of(graph)[0],),
        samples=tuple(drawn),
        profiled=(),
        steps=model.steps,
        seed=seed,
        kept="" if model.kept is None else model.kept.describe(),
    )
