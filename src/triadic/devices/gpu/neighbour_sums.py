"""Sums over the neighbours of each vertex on a GPU (neighbour_sums.c)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.rows import degrees_on, rows_on
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_SOURCE = Source("neighbour_sums")


def neighbour_sums(
    device: str,
    oriented: Oriented,
    values: NDArray[np.int64],
    *,
    progress: Progress | None = None,  # noqa: ARG001 - one launch, over before it could be reported
) -> NDArray[np.int64]:
    """Sum the values of each rank's neighbours.

    Only the first of several devices works: to merge the sums of several would take longer.

    Parameters
    ----------
    device : str
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    values : int64 array, shape (n, width)

    Returns
    -------
    int64 array, shape (n, width)
    """
    runtime = runtimes_of(device)[0]
    with runtime.active():
        columns = [runtime.upload(np.ascontiguousarray(column)) for column in values.T]
        return np.stack([runtime.download(sums) for sums in sums_of(runtime, oriented, columns)], axis=1)


def sums_of(runtime: Runtime, oriented: Oriented, columns: list[Buffer]) -> list[Buffer]:
    """Sum each column over the neighbours of each rank, on the device: int64 buffers of shape (n,) for the same."""
    rows = rows_on(runtime, oriented)
    found = []
    for values in columns:
        sums = runtime.zeros(rows.n, np.int64)
        runtime.launch(
            _SOURCE, "neighbour_sums", -(-rows.n // runtime.teams), rows.indptr, rows.indices, np.uint64(rows.n),
            values, sums,
        )  # fmt: skip
        found.append(sums)
    return found


def support_sums(runtime: Runtime, oriented: Oriented, support: Buffer) -> list[Buffer]:
    """Sum c, C(c, 2) and c times the other end's degree over the edges of each rank, where c is an edge's support.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented
    support : uint32 buffer, shape (m,)

    Returns
    -------
    list of 3 int64 buffers, shape (n,)
    """
    rows = rows_on(runtime, oriented)
    sums = [runtime.zeros(rows.n, np.int64) for _ in range(3)]
    runtime.launch(
        _SOURCE, "support_sums", -(-rows.n // runtime.teams), rows.indptr, rows.indices, np.uint64(rows.n), support,
        degrees_on(runtime, oriented), *sums,
    )  # fmt: skip
    return sums
