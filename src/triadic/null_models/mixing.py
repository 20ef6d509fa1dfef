"""Diagnostics of switching walks: how fast they leave the graph at which they began, and which arcs never move.

A walk has *mixed* if it is independent of its graph. What the constraints of a null model hold fast are groups, bins of
length and classes in which a walk moves no arc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import ResultTable
from triadic.core.checked import check_seed
from triadic.core.draws import derive_keys
from triadic.core.memory import check_memory
from triadic.core.progress import reporting
from triadic.core.records import record
from triadic.devices.select import warn
from triadic.errors import ArgumentError
from triadic.null_models.constrained import ConstrainedSwitching
from triadic.null_models.model import Null
from triadic.null_models.switching import Switching

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triadic.core.array_types import AnyArray, BoolArray, Float64Array, Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.null_models.switching import Walk

_POINTS = 10  # checkpoints within the steps of a sample
_LENGTHS = 3  # length of the whole walk, in samples
_TOLERANCE = 0.02  # share of the final change that a sample may fall short of
_MUCH = 0.5  # share of unmoved arcs that is worth a warning, even if they are in many groups
_LEAST_STEPS_AN_ARC = 5  # of a walk after which an arc that has not moved is worth a warning
_LEAST_ARCS = 10  # of a class that is named, though each of its groups and its bin have arcs that moved
_SHOWN = 3  # groups, bins or classes that the warning names: the largest


@record(repr=False)
class Mixing(ResultTable):
    """How fast a walk becomes independent of the graph at which it began.

    `to_pandas` and `to_polars` return a data frame with one row per checkpoint and the columns "at", the index in
    pandas, "changed" and "autocorrelation", which is nan after a sample's steps.

    Attributes
    ----------
    steps : int
        Number of steps of the walk to a sample.
    taken : float
        Share of the proposals that were accepted.
    at : int64 array, shape (30,)
        Numbers of steps after which the walk was compared with the graph: ten within the steps of a sample, and
        twenty more up to three times these steps.
    changed : float64 array, shape (30,)
        Share of the graph's edges that the walk has removed after each of these numbers of steps.
    autocorrelation : float64 array, shape (10,)
        Share of edges that are still present after 1/10 to 10/10 of a sample's steps, averaged over starting points
        later than one sample; scaled to 0 for the share in unrelated samples and 1 for all edges.
    """

    steps: int
    taken: float
    at: Int64Array
    changed: Float64Array
    autocorrelation: Float64Array

    @property
    def mixed(self) -> bool:
        """Whether the share of changed edges after a sample's steps is at least 98% of its mean later on."""
        return bool(self.taken > 0 and self.changed[_POINTS - 1] >= (1 - _TOLERANCE) * self.changed[_POINTS:].mean())

    _rows = "checkpoints"

    def _columns(self) -> dict[str, AnyArray]:
        later = np.full(len(self.at) - len(self.autocorrelation), np.nan)
        return {
            "at": self.at,
            "changed": self.changed,
            "autocorrelation": np.concatenate([self.autocorrelation, later]),
        }

    def _title(self) -> str:
        mixed = "mixed" if self.mixed else "not mixed"
        return f"Mixing: {mixed} after {self.steps:,} steps, {self.taken:.1%} of the proposals accepted"


def mixing(
    graph: GraphLike,
    *,
    null: str = "degrees",
    steps: int | None = None,
    seed: int | None = None,
    progress: ProgressKeyword = False,
) -> Mixing:
    """Follow a switching walk for three times the steps of a sample, and measure how fast it leaves the graph.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        Network at which the walk begins.
    null : {"degrees", "mutual"}, default "degrees"
        Null model: "degrees" keeps the degree of each vertex (in- and out-degree in a directed graph), and "mutual"
        also the number of neighbours that each vertex of a directed graph is joined with both ways.
    steps : int, optional
        Number of steps of the walk to a sample; by default 10 per edge, and at least 10,000.
    seed : int, optional
        Seed of the walk, from 0 to 2**64 - 1; by default a fresh one is drawn.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called as ``progress(done, total)``, with a total
        of 30 checkpoints.

    Returns
    -------
    Mixing
        Shares of changed edges, their autocorrelation, and ``mixed``, which tells whether the steps suffice.

    Raises
    ------
    ArgumentError
        `null` is a model without walks, or "mutual" for an undirected graph; `graph` has no edges; `steps` is less
        than 1.
    OutOfMemoryError
        The edges at all checkpoints do not fit in memory.

    Notes
    -----
    Takes 240 bytes per arc and the time of three samples, with 30 sorted copies of the edges.

    References
    ----------
    R. Milo, N. Kashtan, S. Itzkovitz, M. E. J. Newman and U. Alon, *On the uniform generation of random graphs with
    prescribed degree sequences*, arXiv cond-mat/0312028, 2003.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(1000, 6, 0.0, seed=1)
    >>> mixing(graph, seed=1).mixed, mixing(graph, steps=1000, seed=1).mixed
    (True, False)
    """
    graph = as_graph(graph, directions="unused")
    model = Null(null, steps=steps).of(graph)
    if not isinstance(model, Switching):
        raise ArgumentError(f"null={null!r}: samples are drawn directly; expected a walk, 'degrees' or 'mutual'")
    if graph.num_arcs == 0:
        raise ArgumentError("graph: expected one with edges, but it has none")
    check_memory(
        8 * _LENGTHS * _POINTS * graph.num_arcs,
        f"comparing {graph.num_arcs:,} arcs at {_LENGTHS * _POINTS} checkpoints",
    )
    walk = model.walk(int(derive_keys(check_seed(seed), 1)[0]))
    checkpoints = np.linspace(0, _LENGTHS * model.steps, _LENGTHS * _POINTS + 1).astype(np.int64)
    states, accepted = [edge_keys(walk)], 0
    for taken, state in follow(walk, np.diff(checkpoints).tolist(), progress):
        accepted += taken
        states.append(state)
    changed = np.array([1 - shared_edges(states[0], state) for state in states[1:]])
    late = states[_POINTS:]
    overlap = np.array(
        [np.mean([shared_edges(a, b) for a, b in zip(late, late[lag:], strict=False)]) for lag in range(1, len(late))]
    )
    # States further apart than a sample's steps count as unrelated.
    baseline = overlap[_POINTS:].mean()
    autocorrelation = (overlap[:_POINTS] - baseline) / (1 - baseline) if baseline < 1 else np.ones(_POINTS)
    return Mixing(model.steps, accepted / int(checkpoints[-1]), checkpoints[1:], changed, autocorrelation)


def edge_keys(walk: Walk) -> Int64Array:
    """Return one number per edge, sorted; in an undirected graph it does not depend on the order of the ends."""
    edges = walk.edges()
    source, target = edges if walk.model.directed else (np.minimum(*edges), np.maximum(*edges))
    return np.sort((source.astype(np.int64) << 32) | target)


def follow(walk: Walk, lengths: Sequence[int], progress: ProgressKeyword) -> Iterator[tuple[int, Int64Array]]:
    """Make some numbers of steps; after each, yield the number of proposals that were accepted, and the edges' keys."""
    with reporting(progress, "following a walk") as report:
        for i, length in enumerate(lengths):
            taken = walk.go(length)
            yield taken, edge_keys(walk)
            if report is not None:
                report(i + 1, len(lengths))


def shared_edges(a: Int64Array, b: Int64Array) -> float:
    """Return the share of the edges in `a` that `b` has too; both are sorted."""
    place = np.minimum(np.searchsorted(b, a), len(b) - 1)
    return float(np.mean(b[place] == a))


def warn_of_fixed_arcs(walk: Walk) -> None:
    """Warn if the walk to a sample moved no arc of some group or bin, or left many arcs in place.

    Short walks, whose arcs stay for another reason, cause no warning, nor do walks without groups and bins.
    """
    model = walk.model
    if isinstance(model, ConstrainedSwitching) and model.steps >= _LEAST_STEPS_AN_ARC * len(model.stubs) // 2:
        text = describe_fixed_arcs(model, walk)
        if text is not None:
            warn(text)


def describe_fixed_arcs(model: ConstrainedSwitching, walk: Walk) -> str | None:
    """Say which groups, bins and larger classes a walk left as they are, and the share of all arcs that it never moved.

    Return None if it moved arcs of each of them, and most arcs in all; or if it moved nothing, which is an error
    elsewhere.
    """
    moved: BoolArray = walk.moved()  # type: ignore[attr-defined] # of walks of constrained models
    if not moved.any():
        return None
    constraints, parts = model.constraints, []
    classes = constraints.classes(*walk.edges(), directed=model.directed)
    first, second, length = classes.T
    rest = np.ones(len(classes), np.bool_)  # arcs that no group or bin names
    if constraints.has_groups:
        names, between = [repr(name) for name in constraints.names.tolist()], first != second
        held = _without_move(np.concatenate([first, second[between]]), np.concatenate([moved, moved[between]]))
        parts += _named("group", [(names[group], arcs) for group, arcs in held])
        rest &= ~np.isin(classes[:, :2], [group for group, _ in held]).any(axis=1)
    if constraints.has_bins:
        held = _without_move(length, moved)
        parts += _named("bin of length", [(str(number), arcs) for number, arcs in held])
        rest &= ~np.isin(length, [number for number, _ in held])
    if constraints.has_groups:
        held = [(kind, arcs) for kind, arcs in _without_move(classes[rest], moved[rest]) if arcs >= _LEAST_ARCS]
        bins = [f" in bin {number}" if constraints.has_bins else "" for (_, _, number), _ in held]
        parts += _named(
            "class", [(f"{names[u]} to {names[v]}{at}", arcs) for ((u, v, _), arcs), at in zip(held, bins, strict=True)]
        )
    share = 1 - float(moved.mean())
    if not parts and share < _MUCH:
        return None
    which = f"no arc of {' and of '.join(parts)} was moved" if parts else "many arcs were never moved"
    return (
        f"{which} in {model.steps:,} steps, and {share:.2g} of all arcs stay as they are in a random network; "
        "unite small groups, take fewer bins, or raise steps="
    )


def _without_move(number: Int64Array, moved: BoolArray) -> list[tuple[Any, int]]:
    """Return the groups, bins or classes that have arcs, none of which was moved, with their numbers of arcs."""
    present, at, arcs = np.unique(number, axis=0, return_inverse=True, return_counts=True)
    held = np.bincount(at.reshape(-1), weights=moved, minlength=len(arcs)) == 0
    return list(zip(present[held].tolist(), arcs[held].tolist(), strict=True))


def _named(noun: str, named: list[tuple[str, int]]) -> list[str]:
    """Return the names of groups, bins or classes and their numbers of arcs as one phrase, in a list; none for none."""
    if not named:
        return []
    largest = sorted(named, key=lambda each: -each[1])[:_SHOWN]
    more = f" and {len(named) - _SHOWN:,} more" if len(named) > _SHOWN else ""
    shown = [f"{name} ({arcs:,} arc{'s' * (arcs != 1)})" for name, arcs in largest]
    return [f"{noun} {', '.join(shown)}{more}"]
