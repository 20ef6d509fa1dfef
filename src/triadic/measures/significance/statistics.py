"""The statistics whose significance is tested: named counts of a graph, and of samples of a null model.

Samples are drawn and counted by threads, by GPUs, or by the workers of a Dask cluster.
"""

from __future__ import annotations

import threading
import warnings
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import pairwise
from math import fsum, nan
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from triadic.core import blocks
from triadic.core.exact import exact_sum
from triadic.core.memory import check_memory
from triadic.core.triad_types import CLOSED_NAMES
from triadic.counts.count import chosen_device, run
from triadic.counts.graphlets import FOUR_VERTEX_COUNTS
from triadic.counts.orbits import FIVE_VERTEX_COUNTS
from triadic.counts.triads import CLOSED_TRIADS
from triadic.counts.triangles import TRIANGLES
from triadic.counts.weights import MOTIF_INTENSITY
from triadic.devices.runtimes import registry
from triadic.devices.select import stack_level_of_caller
from triadic.errors import ArgumentError, DeviceError, NothingToCompareError, OutOfMemoryError, UnsupportedError
from triadic.measures.clustering import local_clustering, wedges_at
from triadic.measures.graphlets.orbits import graphlet_counts
from triadic.measures.graphlets.transform import graphlet_transform
from triadic.measures.significance.result import GROUPS
from triadic.measures.triads import triad_census
from triadic.measures.weighted_triads import motif_intensity
from triadic.null_models.device_samples import compute_on_devices, devices_of, walks_on_devices
from triadic.null_models.mixing import constrained, warn_of_fixed_arcs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.counts.count import Count
    from triadic.graph.graph import Graph
    from triadic.null_models.constrained import StubWalk
    from triadic.null_models.switching import NullModel


Values: TypeAlias = tuple[int | float, ...]
Groups: TypeAlias = tuple[str, ...]  # keys of STATISTICS

DEVICE_LOCK = threading.Lock()  # samples are drawn in parallel, and counted on a GPU one after another
_LEAST_SAMPLES = 2  # for a standard deviation
_TASKS_PER_THREAD = 4  # of a cluster, so that its threads finish at about the same time


@dataclass(frozen=True, slots=True)
class Statistics:
    """A group of statistics of a graph.

    Attributes
    ----------
    names : tuple of str
        Names of the statistics.
    profiled : tuple of str
        Names of the statistics in the significance profile.
    compute : callable
        ``compute(graph, threads=, device=)`` returns the value of each statistic.
    count : Count
        Count that takes most of the time, by which the device is chosen.
    directed : bool
        Whether directions matter; if not, the skeleton is used.
    """

    names: tuple[str, ...]
    profiled: tuple[str, ...]
    compute: Callable[..., Values]
    count: Count[Any]
    directed: bool


def _triads(graph: Graph, *, threads: int | None, device: str) -> tuple[int, ...]:
    return triad_census(graph, threads=threads, device=device).counts


def _clustering(graph: Graph, *, threads: int | None, device: str) -> tuple[float, ...]:
    oriented = graph.oriented(threads=threads)
    triangles = run(TRIANGLES, oriented, threads=threads, device=device)
    degree = oriented.degree
    wedges = wedges_at(degree)
    # The sum is exact, so that graphs with the same coefficients in another order have the same mean.
    total = fsum(local_clustering(triangles, degree, threads=threads).tolist())
    average = total / len(degree) if len(degree) else nan
    return exact_sum(triangles) / wedges if wedges else 0.0, average


def _graphlets(graph: Graph, *, threads: int | None, device: str) -> tuple[int, ...]:
    totals = graphlet_transform(graph, threads=threads, device=device).totals
    return tuple(totals[name] for name in GROUPS["graphlets"])


def _graphlets_of_five(graph: Graph, *, threads: int | None, device: str) -> tuple[int, ...]:
    totals = graphlet_counts(graph, size=5, threads=threads, device=device)
    return tuple(totals[name] for name in GROUPS["graphlets5"])


STATISTICS = {
    name: Statistics(GROUPS[name], GROUPS[name][first:], compute, count, directed=directed)
    for name, first, compute, count, directed in (
        ("triads", 3, _triads, CLOSED_TRIADS, True),  # the first three types are not connected
        ("clustering", 0, _clustering, TRIANGLES, False),
        ("graphlets", 0, _graphlets, FOUR_VERTEX_COUNTS, False),
        ("graphlets5", 0, _graphlets_of_five, FIVE_VERTEX_COUNTS, False),
    )
}


def _intensities(graph: Graph, *, threads: int | None, device: str) -> tuple[float, ...]:
    found = motif_intensity(graph, threads=threads, device=device)
    return *found.intensity.tolist(), *found.coherence.tolist()


_INTENSITIES = GROUPS["intensity"][: len(CLOSED_NAMES)]
STATISTICS["intensity"] = Statistics(GROUPS["intensity"], _INTENSITIES, _intensities, MOTIF_INTENSITY, directed=True)


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


class Client(Protocol):
    """The part of the interface of `distributed.Client`, which has no types of its own, that is used here."""

    asynchronous: bool

    def nthreads(self) -> dict[str, int]:
        """Return the number of threads of each worker."""

    def scatter(self, data: object, *, hash: bool) -> Any:  # noqa: A002, ANN401 - dask's name; a future
        """Send an object to the workers."""

    def submit(self, function: object, *arguments: object, pure: bool) -> Any:  # noqa: ANN401 - a future
        """Call a function on a worker."""

    def cancel(self, futures: list[Any]) -> None:
        """Cancel the calls that have not finished."""


def compute_statistics(graph: Graph, of: Groups, *, threads: int | None, device: str) -> Values:
    """Return the values of all statistics of some groups, one group after another."""
    return tuple(value for group in of for value in STATISTICS[group].compute(graph, threads=threads, device=device))


def drawing_devices(model: NullModel, of: Groups, device: str, oriented: Oriented) -> tuple[str, ...]:
    """Return the devices that draw samples and count in them; none if the CPU draws them.

    Devices draw the samples of walks without weights, if all groups of statistics are counted
    there.
    """
    return devices_of(model, {chosen_device(STATISTICS[group].count, device, oriented) for group in of})


def sample_statistics(
    model: NullModel,
    of: Groups,
    keys: Sequence[int],
    *,
    threads: int,
    device: str,
    devices: tuple[str, ...] = (),
    progress: Progress | None,
) -> list[Values]:
    """Draw a sample for each key, on some devices or each on one of `threads`, and compute its statistics.

    Devices also warn of groups and bins in which the first walk moves no arc; they have made that walk.
    After Ctrl-C, the statistics of the samples that are done are returned if there are at least two.
    """
    values: list[Values] = [()] * len(keys)

    def draw(_: int, i: int) -> None:
        values[i] = _sample(model, of, keys[i], device)

    try:
        if devices and walks_on_devices(model):
            walks: list[StubWalk] = []
            try:
                compute_on_devices(
                    model, keys, devices, partial(_checked, model, of), values, first=walks.append, progress=progress
                )
            except (DeviceError, OutOfMemoryError, UnsupportedError) as error:
                if device != "auto":
                    raise
                message = f"drawing and counting random graphs on the CPU: {error}"
                warnings.warn(message, RuntimeWarning, stacklevel=stack_level_of_caller())
                warn_of_fixed_arcs(model, keys[0])
                return sample_statistics(model, of, keys, threads=threads, device="cpu", progress=progress)
            for walk in walks:
                warn_of_fixed_arcs(model, keys[0], walk)
        else:
            blocks.run(draw, len(keys), threads=threads, progress=progress)
    except KeyboardInterrupt:
        return samples_done(values, len(keys))
    return values


def sample_statistics_on_cluster(
    model: NullModel, of: Groups, keys: Sequence[int], client: Client, *, device: str, progress: Progress | None
) -> list[Values]:
    """Draw a sample for each key, and compute its statistics, on the workers of a Dask cluster.

    After an error or Ctrl-C, the tasks that have not finished are cancelled.
    """
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
        return samples_done(done, len(keys))
    finally:
        client.cancel(tasks)


def samples_done(values: list[Values], samples: int) -> list[Values]:
    """Return the statistics of the samples done at Ctrl-C; raise it again if they are fewer than two, or all."""
    done = [each for each in values if each]
    if not _LEAST_SAMPLES <= len(done) < samples:
        raise  # noqa: PLE0704 - called while the exception is handled
    return done


def sample_batch(model: NullModel, of: Groups, keys: Sequence[int], device: str) -> list[Values]:
    """Draw a sample for each key, and compute its statistics: a task of a cluster.

    A GPU that `device` names draws the samples side by side; otherwise they are drawn one after another.
    """
    if device not in ("auto", "cpu") and walks_on_devices(model):
        values: list[Values] = [()] * len(keys)
        compute_on_devices(model, keys, registry.named(device), partial(_checked, model, of), values)
        return values
    return [_sample(model, of, key, device) for key in keys]


def _checked(model: NullModel, of: Groups, graph: Graph, moved: bool, key: int, device: str) -> Values:
    """Return the statistics of a sample that lies on a device."""
    _check_change(model, moved, key)
    return compute_statistics(graph, of, threads=1, device=device)


def _check_change(model: NullModel, moved: bool, key: int) -> None:
    """Raise if a walk has moved nothing because nothing can be moved."""
    if not moved and not model.admits_change(key):
        within = constrained(model)
        why = "as in a star or a complete graph" if within is None else f"within {within.constraints.describe()}"
        raise NothingToCompareError(
            f"graph: nothing can be moved in it, {why}; every sample of the null model equals the graph, so there is "
            "no deviation"
        )


def _sample(model: NullModel, of: Groups, key: int, device: str) -> Values:
    graph, moved = model.draw(key)
    _check_change(model, moved, key)
    oriented = graph.oriented(threads=1)
    on_cpu = all(chosen_device(STATISTICS[group].count, device, oriented) == "cpu" for group in of)
    with nullcontext() if on_cpu else DEVICE_LOCK:
        return compute_statistics(graph, of, threads=1, device=device)


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
    return tuple(name for group in groups for name in STATISTICS[group].names)


def profiled_of(groups: Groups) -> tuple[str, ...]:
    """Return the names of the statistics of some groups in the significance profile."""
    return tuple(name for group in groups for name in STATISTICS[group].profiled)
