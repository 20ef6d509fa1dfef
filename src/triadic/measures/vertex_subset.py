"""The argument that names some of the vertices: checked, and refused in one line."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arguments import take_vertices
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_NAMED = 5


def take_subset(name: str, vertices: ArrayLike | AbstractSet[int], n: int) -> NDArray[np.bool_]:
    """Take vertices as numbers below n, each once and in any order, or as a mask; give a mask of shape (n,)."""
    chosen = np.array(list(vertices) if isinstance(vertices, AbstractSet) else vertices)
    if chosen.dtype == bool:
        if chosen.shape != (n,):
            raise ArgumentError(f"{name}: expected a mask of shape ({n},), got {chosen.shape}")
        return chosen
    numbers, least = take_vertices(name, chosen)
    if least > n:
        raise ArgumentError(f"{name}: expected numbers below {n}, got {_first(numbers[numbers >= n])}")
    times = np.bincount(numbers, minlength=n)
    if len(numbers) and times.max() > 1:
        raise ArgumentError(f"{name}: expected each vertex once, got more often {_first(np.flatnonzero(times > 1))}")
    return times > 0


def take_chosen(name: str, vertices: ArrayLike | AbstractSet[int], n: int) -> NDArray[np.int64]:
    """Take vertices as numbers below n, in any order, some more than once or not, or as a mask; give them as numbers.

    Those of a mask, and of a set, rise.
    """
    chosen = np.array(sorted(vertices) if isinstance(vertices, AbstractSet) else vertices)
    if chosen.dtype == bool:
        return np.flatnonzero(take_subset(name, chosen, n))
    numbers, least = take_vertices(name, chosen)
    if least > n:
        raise ArgumentError(f"{name}: expected numbers below {n}, got {_first(numbers[numbers >= n])}")
    return numbers.astype(np.int64)


def _first(wrong: NDArray[np.integer]) -> str:
    """Name the first few, and say how many more there are."""
    different = list(dict.fromkeys(wrong.tolist()))
    more = f" and {len(different) - _NAMED} more" if len(different) > _NAMED else ""
    return ", ".join(map(str, different[:_NAMED])) + more
