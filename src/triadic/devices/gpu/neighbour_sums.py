"""Sums over the neighbours of each vertex on a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.rows import degrees_on, rows_on, runtimes_of
from triadic.devices.gpu.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.runtime import Buffer, Runtime

_SOURCE = Source("neighbour_sums")


def neighbour_sums(
    device: str,
    oriented: Oriented,
    values: NDArray[np.int64],
    *,
    progress: Progress | None = None,  # noqa: ARG001 - one launch, over before it could be reported
) -> NDArray[np.int64]:
    """Add up the values of each rank's neighbours, int64 of shape (n, width): int64, the same shape.

    Of several devices the first does it: to bring what others have together would take longer.
    """
    runtime = runtimes_of(device)[0]
    with runtime.active():
        of = [runtime.upload(np.ascontiguousarray(column)) for column in values.T]
        return np.stack([runtime.download(column) for column in sums_of(runtime, oriented, of)], axis=1)


def sums_of(runtime: Runtime, oriented: Oriented, columns: list[Buffer]) -> list[Buffer]:
    """Add up what the neighbours of each rank have in columns, int64 of shape (n,), on the device: the same there."""
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
    """Add up over the edges of each rank, of support c: c, C(c, 2), and c times the other end's degree.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented
    support : uint32, shape (m,)
        On the device.

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
