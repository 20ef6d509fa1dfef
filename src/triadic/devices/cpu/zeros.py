"""A worker's own memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)


def zeros(threads: int, shape: int | tuple[int, ...], dtype: type[Number]) -> list[NDArray[Number]]:
    """Give each worker its own zeros: no two workers on one page, and none touched before its worker runs."""
    return [np.zeros(shape, dtype=dtype) for _ in range(threads)]
