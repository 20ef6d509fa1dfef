"""A worker's own memory, and what all workers' comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from triadic.core import blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)


def zeros(threads: int, shape: int | tuple[int, ...], dtype: type[Number]) -> list[NDArray[Number]]:
    """Give each worker its own zeros: no two workers on one page, and none touched before its worker runs."""
    return [np.zeros(shape, dtype=dtype) for _ in range(threads)]


def summed(partial: list[NDArray[Number]], *, threads: int = 1) -> NDArray[Number]:
    """Add up what each worker has, in place of the first's; on so many workers, which pays for large tables."""
    cuts = blocks.cut_evenly(len(partial[0]), 4 * threads if threads > 1 else 1)

    def add(_: int, b: int) -> None:
        part = slice(cuts[b], cuts[b + 1])
        for other in partial[1:]:
            partial[0][part] += other[part]  # type: ignore[misc]  # of numbers of any one type

    blocks.run(add, len(cuts) - 1, threads=threads)
    return partial[0]
