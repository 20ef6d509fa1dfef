"""The statistics whose significance is tested: named counts of a graph, of samples of a null model, and along a walk.

Samples are drawn and counted by threads, by GPUs, or by the workers of a Dask cluster. A diagnosis of the walk that
draws them tells how soon its statistics forget the graph at which it began.
"""

from __future__ import annotations

import threading
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import pairwise
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from triadic.core import blocks
from triadic.core.memory import check_memory
from triadic.counts.count import device_for
from triadic.counts.graphlets import FIVE_VERTEX_COUNTS
from triadic.devices.runtimes import registry
from triadic.errors import ArgumentError, NothingToCompareError
from triadic.measures.significance.result import PARTS, Diagnosis
from triadic.null_models.mixing import edge_keys, follow, shared_edges, warn_of_fixed_arcs
from triadic.null_models.model import samples_done
from triadic.null_models.randomization import compute_on_devices, devices_of, walks_on_devices
from triadic.null_models.weights import Weighted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from distributed import Client

    from triadic.core.array_types import Float64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph
    from triadic.measures.registry import Countable
    from triadic.null_models.switching import NullModel


Values: TypeAlias = tuple[int | float, ...]
Groups: TypeAlias = "tuple[Countable, ...]"

DEVICE_LOCK = threading.Lock()  # samples are drawn in parallel, and counted on a GPU one after another
_TASKS_PER_THREAD = 4  # of a cluster, so that its threads finish at about the same time

_LATER = 64  # checkpoints after the first sample's steps, from which autocorrelations are estimated
_LEAST_EFFECTIVE = 3.0  # autocorrelation times in a walk to a sample: then about exp(-6) of its start is left
_MOST_DRIFT = 4.0  # standard errors between the means of the samples and of the later walk
_TOLERANCE = 0.02  # share of the final change of arcs that a sample may fall short of
_RELIABLE = 8.0  # autocorrelation times in the later walk below which they are not known well
_MOST_TRIALS = 3


def check_orbits_fit(graph: Graph, of: Groups, samples: int) -> None:
    """Raise if the orbits of five vertices of this many samples, counted at a time, do not fit in memory.

    The other counts check their memory themselves; the orbits of a sample take far more than the sample.

    Raises
    ------
    OutOfMemoryError
    """
    if any(each.count is FIVE_VERTEX_COUNTS for each in of):
        check_memory(
            samples * FIVE_VERTEX_COUNTS.bytes(graph.oriented().sizes, 1),
            f"counting the graphlets of five vertices of {samples:,} random graphs at a time",
            "ask for fewer threads",
        )


def compute_statistics(graph: Graph, of: Groups, *, threads: int | None, device: str) -> Values:
    """Return the values of all statistics of some groups, one group after another."""
    return tuple(value for each in of for value in each.totals(graph, threads=threads, device=device))


def drawing_devices(model: NullModel, of: Groups, device: str, oriented: Oriented) -> tuple[str, ...]:
    """Return the devices that draw samples and count in them; none if the CPU draws them.

    Devices draw the samples of walks without weights, if all groups of statistics are counted
    there.
    """
    return devices_of(model, {device_for(group.count, device, oriented) for group in of})


def statistics_of_sample(graph: Graph, moved: bool, key: int, device: str, *, model: NullModel, of: Groups) -> Values:
    """Return the statistics of a sample; raise if its walk has moved nothing because nothing can be moved."""
    if not moved and not model.admits_change(key):
        why = model.fixed if model.kept is None else f"within {model.kept.describe()}"
        raise NothingToCompareError(
            f"graph: nothing can be moved in it, {why}; every sample of the null model equals the graph, so there is "
            "no deviation"
        )
    oriented = graph.oriented(threads=1)
    copied = oriented.device is None and any(device_for(group.count, device, oriented) != "cpu" for group in of)
    with DEVICE_LOCK if copied else nullcontext():
        # Samples on a device come one after another, so that what the CPU counts of them takes all its threads.
        return compute_statistics(graph, of, threads=1 if oriented.device is None else None, device=device)


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


def names_of(groups: Groups) -> tuple[str, ...]:
    """Return the names of all statistics of some groups."""
    return tuple(name for group in groups for name in group.names)


def profiled_of(groups: Groups) -> tuple[str, ...]:
    """Return the names of the statistics of some groups in the significance profile."""
    return tuple(name for group in groups for name in group.names[slice(*group.profiled)])


def diagnose(
    model: NullModel,
    groups: Groups,
    names: tuple[str, ...],
    key: int,
    *,
    samples: list[Values] | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Diagnosis:
    """Follow one walk of a null model, and compute its statistics at 72 checkpoints.

    Parameters
    ----------
    model : NullModel
        Null model whose samples are the ends of walks.
    groups : tuple of Countable
        Groups of statistics.
    names : tuple of str
        Names of the statistics.
    key : int
        Key of the walk.
    samples : list of tuple, optional
        Statistics of samples, with which those of the walk are compared; by default they are not.

    Raises
    ------
    ArgumentError
        The samples of the model are drawn directly.
    """
    if model.steps is None:
        raise ArgumentError("diagnose: samples of this null model are drawn directly and independent of each other")
    walk, interval = model.walk(key), max(1, model.steps // PARTS)
    count, accepted = PARTS + _LATER, 0
    values, in_place = np.empty((count, len(names))), np.empty(count)
    start = edge_keys(walk)
    for i, (taken, edges) in enumerate(follow(walk, [interval] * count, progress)):
        accepted += taken
        in_place[i] = shared_edges(start, edges) if len(start) else 1.0
        values[i] = compute_statistics(walk.graph(), groups, threads=threads, device=device)
    later = values[PARTS:]
    correlation = np.stack([autocorrelations(column, _LATER // 2) for column in later.T], axis=1)
    times = np.array([correlation_time(column) for column in later.T]) * interval
    found = Diagnosis(
        names=names,
        steps=model.steps,
        interval=interval,
        accepted=accepted / (count * interval),
        at=interval * np.arange(1, count + 1, dtype=np.int64),
        in_place=in_place,
        counts=values,
        autocorrelation=correlation,
        time=times,
        effective=model.steps / times,
        drift=_drift(later, times / interval, samples),
        reasons=(),
    )
    return replace(found, reasons=_reasons(found))


def steps_for(
    model: NullModel,
    groups: Groups,
    names: tuple[str, ...],
    key: int,
    effective: float,
    **keywords: Any,  # noqa: ANN401 - of `diagnose`
) -> NullModel:
    """Return the model with enough steps, at least its own number, for the wanted effective size of each statistic."""
    for _ in range(_MOST_TRIALS):
        found = diagnose(model, groups, names, key, **keywords)
        longest = float(np.nanmax(found.time, initial=found.interval))
        if _LATER * found.interval / longest >= _RELIABLE:
            return with_steps(model, max(found.steps, ceil(effective * longest)))
        model = with_steps(model, found.steps * PARTS)
    return model


def with_steps(model: Any, steps: int) -> NullModel:  # noqa: ANN401 - one of several dataclasses
    """Return a model of walks with another number of steps."""
    if isinstance(model, Weighted):
        model = replace(model, model=with_steps(model.model, steps))
    return replace(model, steps=steps)


def autocorrelations(values: Float64Array, lags: int) -> Float64Array:
    """Return the autocorrelation of a series at 0 to `lags` steps; nan for a constant series.

    Examples
    --------
    >>> autocorrelations(np.array([1.0, -1.0, 1.0, -1.0]), 2).tolist()
    [1.0, -0.75, 0.5]
    """
    centred = values - values.mean()
    variance = float(centred @ centred)
    if not isfinite(variance) or variance <= 0 or values.min() == values.max():
        return np.full(lags + 1, np.nan)
    # Products of BLAS would start threads for each lag of a long series.
    products = (np.einsum("i,i", centred[: len(centred) - lag], centred[lag:]) for lag in range(lags + 1))
    return np.array([float(product) / variance for product in products])


def correlation_time(values: Float64Array) -> float:
    """Return the integrated autocorrelation time of a series, at least 1; nan for a constant series.

    Autocorrelations are summed in pairs of neighbouring lags, as long as the sums are positive, and no sum counts more
    than the one before it: the initial monotone sequence of Geyer (1992).

    Examples
    --------
    >>> correlation_time(np.array([1.0, -1.0] * 10))
    1.0
    >>> correlation_time(np.arange(64.0)) > 15
    True
    """
    correlation = autocorrelations(values, len(values) - 1)
    if np.isnan(correlation[0]):
        return float("nan")
    even = len(correlation) // 2 * 2
    pairs = correlation[0:even:2] + correlation[1:even:2]
    end = int(np.argmax(pairs <= 0)) if (pairs <= 0).any() else len(pairs)
    return max(1.0, 2 * float(np.minimum.accumulate(pairs[:end]).sum()) - 1)


def _drift(later: Float64Array, times: Float64Array, samples: list[Values] | None) -> Float64Array:
    """Return the difference of the means of samples and of the later checkpoints, in standard errors."""
    if samples is None:
        return np.full(later.shape[1], np.nan)
    drawn = np.array(samples, np.float64)
    error = np.sqrt(drawn.var(axis=0, ddof=1) / len(drawn) + later.var(axis=0, ddof=1) * times / len(later))
    return np.divide(drawn.mean(axis=0) - later.mean(axis=0), error, out=np.full(len(error), np.nan), where=error > 0)


def _reasons(found: Diagnosis) -> tuple[str, ...]:
    """Return why the walks of a diagnosis are too short."""
    reasons = []
    if found.accepted == 0:
        return ("no proposal was accepted",)
    if np.nanmin(found.effective, initial=np.inf) < _LEAST_EFFECTIVE:
        worst = int(np.nanargmin(found.effective))
        reasons.append(
            f"the walk to a sample has {found.effective[worst]:.2g} times the autocorrelation time of "
            f"{found.names[worst]}, fewer than {_LEAST_EFFECTIVE:g}"
        )
    if np.nanmax(np.abs(found.drift), initial=0) > _MOST_DRIFT:
        worst = int(np.nanargmax(np.abs(found.drift)))
        reasons.append(
            f"the mean of {found.names[worst]} over the samples is {abs(found.drift[worst]):.2g} standard errors away "
            "from its mean later on"
        )
    changed = 1 - found.in_place
    usual = changed[PARTS:].mean()
    if changed[PARTS - 1] < (1 - _TOLERANCE) * usual - 3 * changed[PARTS:].std():
        reasons.append(
            f"{found.in_place[PARTS - 1]:.1%} of the arcs are in place after the steps of a sample, and "
            f"{found.in_place[PARTS:].mean():.1%} later on"
        )
    return tuple(reasons)
