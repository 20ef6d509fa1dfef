"""What the constraints of a null model hold fast: groups and bins of length in which a walk moves no arc."""

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
_SHOWN = 3  # groups or bins that the warning names


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
    """Say which groups and bins a walk left as they are, and the share of all arcs that it never moved.

    Return None if it moved arcs of each group and bin, and most arcs in all; or if it moved nothing, which is an error
    elsewhere.
    """
    moved: NDArray[np.bool_] = walk.moved()  # type: ignore[attr-defined] # of walks of constrained models
    if not moved.any():
        return None
    first, second, length = model.constraints.classes(*walk.edges(), directed=model.directed).T
    parts = []
    if model.constraints.has_groups:
        held = _without_move(np.concatenate([first, second]), np.concatenate([moved, moved]))
        parts += _named("group", [repr(name) for name in model.constraints.names[held].tolist()])
    if model.constraints.has_bins:
        parts += _named("bin of length", [str(number) for number in _without_move(length, moved)])
    share = 1 - float(moved.mean())
    if not parts and share < _MUCH:
        return None
    which = f"no arc of {' and of '.join(parts)} was moved" if parts else "many arcs were never moved"
    return (
        f"{which} in {model.steps:,} steps, and {share:.2g} of all arcs stay as they are in a random network; "
        "unite small groups, take fewer bins, or raise steps="
    )


def _without_move(number: NDArray[np.int64], moved: NDArray[Any]) -> NDArray[np.int64]:
    """Return the groups or bins that have arcs, none of which was moved."""
    present, moving = np.unique(number), np.unique(number[moved])
    return np.setdiff1d(present, moving)


def _named(noun: str, names: list[str]) -> list[str]:
    """Return the names of some groups or bins as one phrase, in a list; an empty list without names."""
    if not names:
        return []
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return [f"{noun} {', '.join(names[:_SHOWN])}{more}"]
