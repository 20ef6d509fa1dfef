"""A worker's own memory, and what all workers' comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)


def zeros(threads: int, shape: int | tuple[int, ...], dtype: type[Number]) -> list[NDArray[Number]]:
    """Give each worker its own zeros: no two workers on one page, and none touched before its worker runs."""
    return [np.zeros(shape, dtype=dtype) for _ in range(threads)]


def summed(partial: list[NDArray[Number]]) -> NDArray[Number]:
    """Add up what each worker has, in place of the first's."""
    for other in partial[1:]:
        partial[0] += other  # type: ignore[misc]
    return partial[0]
