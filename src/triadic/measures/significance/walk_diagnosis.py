"""A diagnosis of the walk that draws random graphs: how soon its statistics forget the graph at which it began."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import ArgumentError
from triadic.measures.significance.result import PARTS, Diagnosis
from triadic.measures.significance.statistics import compute_statistics
from triadic.null_models.mixing import edge_keys, follow, shared_edges
from triadic.null_models.weights import Weighted

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.measures.significance.statistics import Groups, Values
    from triadic.null_models.switching import NullModel


_LATER = 64  # checkpoints after the first sample's steps, from which autocorrelations are estimated
_LEAST_EFFECTIVE = 3.0  # autocorrelation times in a walk to a sample: then about exp(-6) of its start is left
_MOST_DRIFT = 4.0  # standard errors between the means of the samples and of the later walk
_TOLERANCE = 0.02  # share of the final change of arcs that a sample may fall short of
_RELIABLE = 8.0  # autocorrelation times in the later walk below which they are not known well
_MOST_TRIALS = 3


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
    groups : tuple of str
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
        values=values,
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
    drawn = np.array(samples, dtype=np.float64)
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
