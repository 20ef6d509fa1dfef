"""The statistics whose significance is tested: named counts of a graph, and of samples of a null model.

Samples are drawn and counted by threads, by GPUs, or by the workers of a Dask cluster.
"""

from __future__ import annotations

import threading
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import pairwise
from math import fsum, nan
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from triadic.core import blocks
from triadic.core.exact import exact_sum
from triadic.core.memory import check_memory
from triadic.core.triad_types import CLOSED_NAMES
from triadic.counts.count import device_for, run
from triadic.counts.graphlets import FOUR_VERTEX_COUNTS
from triadic.counts.orbits import FIVE_VERTEX_COUNTS
from triadic.counts.triads import CLOSED_TRIADS
from triadic.counts.triangles import TRIANGLES
from triadic.counts.weights import MOTIF_INTENSITY
from triadic.devices.runtimes import registry
from triadic.errors import ArgumentError, NothingToCompareError
from triadic.measures.clustering import local_clustering, wedges_at
from triadic.measures.graphlets.orbits import graphlet_counts
from triadic.measures.graphlets.transform import graphlet_transform
from triadic.measures.significance.result import GROUPS
from triadic.measures.triads import triad_census
from triadic.measures.weighted_triads import motif_intensity
from triadic.null_models.mixing import warn_of_fixed_arcs
from triadic.null_models.model import samples_done
from triadic.null_models.randomization import compute_on_devices, devices_of, walks_on_devices

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from distributed import Client

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.counts.count import Count
    from triadic.graph.graph import Graph
    from triadic.null_models.switching import NullModel


Values: TypeAlias = tuple[int | float, ...]
Groups: TypeAlias = tuple[str, ...]  # keys of STATISTICS

DEVICE_LOCK = threading.Lock()  # samples are drawn in parallel, and counted on a GPU one after another
_TASKS_PER_THREAD = 4  # of a cluster, so that its threads finish at about the same time


@dataclass(frozen=True, slots=True)
class Statistics:
    """A group of statistics of a graph, whose names are in `GROUPS`.

    Attributes
    ----------
    compute : callable
        ``compute(graph, threads=, device=)`` returns the value of each statistic.
    count : Count
        Count that takes most of the time, by which the device is chosen.
    directed : bool
        Whether directions matter; if not, the skeleton is used.
    profiled : tuple
        First statistic in the significance profile, and the one after the last; None for the end.
    """

    compute: Callable[..., Values]
    count: Count[Any]
    directed: bool = False
    profiled: tuple[int, int | None] = (0, None)


def _triads(graph: Graph, **machine: Any) -> Values:  # noqa: ANN401 - threads and device, as below
    return triad_census(graph, **machine).counts


def _clustering(graph: Graph, *, threads: int | None, device: str) -> Values:
    oriented = graph.oriented(threads=threads)
    triangles = run(TRIANGLES, oriented, threads=threads, device=device)
    degree = oriented.degree
    wedges = wedges_at(degree)
    # The sum is exact, so that graphs with the same coefficients in another order have the same mean.
    total = fsum(local_clustering(triangles, degree, threads=threads).tolist())
    average = total / len(degree) if len(degree) else nan
    return exact_sum(triangles) / wedges if wedges else 0.0, average


def _graphlets(graph: Graph, **machine: Any) -> Values:  # noqa: ANN401 - as above
    totals = graphlet_transform(graph, **machine).totals
    return tuple(totals[name] for name in GROUPS["graphlets"])


def _graphlets_of_five(graph: Graph, **machine: Any) -> Values:  # noqa: ANN401 - as above
    totals = graphlet_counts(graph, size=5, **machine)
    return tuple(totals[name] for name in GROUPS["graphlets5"])


def _intensities(graph: Graph, **machine: Any) -> Values:  # noqa: ANN401 - as above
    found = motif_intensity(graph, **machine)
    return *found.intensity.tolist(), *found.coherence.tolist()


STATISTICS = {
    "triads": Statistics(_triads, CLOSED_TRIADS, True, (3, None)),  # the first three types are not connected
    "clustering": Statistics(_clustering, TRIANGLES),
    "graphlets": Statistics(_graphlets, FOUR_VERTEX_COUNTS),
    "graphlets5": Statistics(_graphlets_of_five, FIVE_VERTEX_COUNTS),
    "intensity": Statistics(_intensities, MOTIF_INTENSITY, True, (0, len(CLOSED_NAMES))),
}


def check_orbits_fit(graph: Graph, of: Groups, samples: int) -> None:
    """Raise if the orbits of five vertices of this many samples, counted at a time, do not fit in memory.

    The other counts check their memory themselves; the orbits of a sample take far more than the sample.

    Raises
    ------
    OutOfMemoryError
    """
    if "graphlets5" in of:
        check_memory(
            samples * FIVE_VERTEX_COUNTS.bytes(graph.oriented().sizes, 1),
            f"counting the graphlets of five vertices of {samples:,} random graphs at a time",
            "ask for fewer threads",
        )


def compute_statistics(graph: Graph, of: Groups, *, threads: int | None, device: str) -> Values:
    """Return the values of all statistics of some groups, one group after another."""
    return tuple(value for group in of for value in STATISTICS[group].compute(graph, threads=threads, device=device))


def drawing_devices(model: NullModel, of: Groups, device: str, oriented: Oriented) -> tuple[str, ...]:
    """Return the devices that draw samples and count in them; none if the CPU draws them.

    Devices draw the samples of walks without weights, if all groups of statistics are counted
    there.
    """
    return devices_of(model, {device_for(STATISTICS[group].count, device, oriented) for group in of})


def statistics_of_sample(graph: Graph, moved: bool, key: int, device: str, *, model: NullModel, of: Groups) -> Values:
    """Return the statistics of a sample; raise if its walk has moved nothing because nothing can be moved."""
    if not moved and not model.admits_change(key):
        why = "as in a star or a complete graph" if model.kept is None else f"within {model.kept.describe()}"
        raise NothingToCompareError(
            f"graph: nothing can be moved in it, {why}; every sample of the null model equals the graph, so there is "
            "no deviation"
        )
    oriented = graph.oriented(threads=1)
    copied = oriented.device is None and any(
        device_for(STATISTICS[group].count, device, oriented) != "cpu" for group in of
    )
    with DEVICE_LOCK if copied else nullcontext():
        return compute_statistics(graph, of, threads=1, device=device)


def sample_statistics_on_cluster(
    model: NullModel, of: Groups, keys: Sequence[int], client: Client, *, device: str, progress: Progress | None
) -> list[Values]:
    """Draw a sample for each key, and compute its statistics, on the workers of a Dask cluster.

    After an error or Ctrl-C, the tasks that have not finished are cancelled.
    """
    if model.kept is not None:
        model.draw(keys[0], warn_of_fixed_arcs)
    workers = max(1, sum(client.nthreads().values()))
    cuts = blocks.cut_evenly(len(keys), _TASKS_PER_THREAD * workers).tolist()
    future = client.scatter(model, hash=False)
    tasks = [client.submit(sample_batch, future, of, list(keys[a:b]), device, pure=False) for a, b in pairwise(cuts)]
    done: list[Values] = []
    try:
        if progress is not None:
            progress(0, len(keys))
        for task in import_module("distributed").as_completed(tasks):
            done += task.result()
            if progress is not None:
                progress(len(done), len(keys))
        return [values for task in tasks for values in task.result()]
    except KeyboardInterrupt:
        return samples_done([*done, *[None] * (len(keys) - len(done))])
    finally:
        client.cancel(tasks)


def sample_batch(model: NullModel, of: Groups, keys: Sequence[int], device: str) -> list[Values]:
    """Draw a sample for each key, and compute its statistics: a task of a cluster.

    A GPU that `device` names draws the samples side by side; otherwise they are drawn one after another.
    """
    compute = partial(statistics_of_sample, model=model, of=of)
    if device not in ("auto", "cpu") and walks_on_devices(model):
        values: list[Values | None] = [None] * len(keys)
        compute_on_devices(model, keys, registry.named(device), compute, values)
        return cast("list[Values]", values)
    return [compute(*model.draw(key), key, device) for key in keys]


def named_groups(of: str | Sequence[str] | None) -> Groups:
    """Return the groups of counts that the argument `of` names, none if it is None."""
    if of is None:
        return ()
    groups = tuple(of) if isinstance(of, (tuple, list)) else (of,)
    if not groups or not set(groups) <= set(STATISTICS) or len(set(groups)) < len(groups):
        expected = ", ".join(map(repr, STATISTICS))
        raise ArgumentError(f"of={of!r}: expected {expected}, or several of them once each")
    return groups


def names_of(groups: Groups) -> tuple[str, ...]:
    """Return the names of all statistics of some groups."""
    return tuple(name for group in groups for name in GROUPS[group])


def profiled_of(groups: Groups) -> tuple[str, ...]:
    """Return the names of the statistics of some groups in the significance profile."""
    return tuple(name for group in groups for name in GROUPS[group][slice(*STATISTICS[group].profiled)])
