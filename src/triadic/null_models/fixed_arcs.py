"""What the constraints of a null model hold fast: groups, bins of length and classes in which a walk moves no arc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from warnings import warn

import numpy as np

from triadic.devices.select import stack_level_of_caller
from triadic.null_models.constrained import ConstrainedSwitching
from triadic.null_models.weights import Weighted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.null_models.interface import NullModel, Walk

_MUCH = 0.5  # share of unmoved arcs that is worth a warning, even if they are in many groups
_LEAST_STEPS_AN_ARC = 5  # of a walk after which an arc that has not moved is worth a warning
_LEAST_ARCS = 10  # of a class that is named, though each of its groups and its bin have arcs that moved
_SHOWN = 3  # groups, bins or classes that the warning names: the largest


def constrained(model: NullModel) -> ConstrainedSwitching | None:
    """Return the switching model within groups or bins that a null model draws from; None for other models."""
    inner = model.model if isinstance(model, Weighted) else model
    return inner if isinstance(inner, ConstrainedSwitching) else None


def warn_of_fixed_arcs(model: NullModel, key: int, walk: Walk | None = None) -> None:
    """Warn if the walk to a sample moves no arc of some group or bin, or leaves many arcs in place.

    Short walks, whose arcs stay for another reason, cause no warning. The walk of the key is done again if it is not
    given.
    """
    inner = constrained(model)
    if inner is None or inner.steps < _LEAST_STEPS_AN_ARC * len(inner.stubs) // 2:
        return
    if walk is None:
        walk = inner.walk(key)
        walk.go(inner.steps)
    text = describe_fixed_arcs(inner, walk)
    if text is not None:
        warn(text, UserWarning, stacklevel=stack_level_of_caller())


def describe_fixed_arcs(model: ConstrainedSwitching, walk: Walk) -> str | None:
    """Say which groups, bins and larger classes a walk left as they are, and the share of all arcs that it never moved.

    Return None if it moved arcs of each of them, and most arcs in all; or if it moved nothing, which is an error
    elsewhere.
    """
    moved: NDArray[np.bool_] = walk.moved()  # type: ignore[attr-defined] # of walks of constrained models
    if not moved.any():
        return None
    constraints, parts = model.constraints, []
    classes = constraints.classes(*walk.edges(), directed=model.directed)
    first, second, length = classes.T
    rest = np.ones(len(classes), dtype=np.bool_)  # arcs that no group or bin names
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


def _without_move(number: NDArray[np.int64], moved: NDArray[np.bool_]) -> list[tuple[Any, int]]:
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
