"""Triangles and local clustering coefficients in the order of vertices, made on the device that counts triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.counts.count import Bytes, Count, most_bytes, run
from triadic.counts.triangles import TRIANGLES
from triadic.devices.cpu import vertex_values as cpu
from triadic.devices.gpu import triangles as gpu
from triadic.errors import OutOfMemoryError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.core.progress import Progress


def _triangles_on_gpu(device: str, oriented: Oriented, *, progress: Progress | None) -> NDArray[np.int64]:
    return _on_gpu(gpu.triangles, cpu.triangles_from, device, oriented, progress)


def _coefficients_on_gpu(device: str, oriented: Oriented, *, progress: Progress | None) -> NDArray[np.float64]:
    return _on_gpu(gpu.coefficients, cpu.coefficients_from, device, oriented, progress)


def _on_gpu(
    values: Callable[..., NDArray[Any]],
    from_triangles: Callable[..., NDArray[Any]],
    device: str,
    oriented: Oriented,
    progress: Progress | None,
) -> NDArray[Any]:
    threads = resolve_threads(None)
    try:
        return values(device, oriented, threads=threads, progress=progress)
    except OutOfMemoryError:  # triangles may still be counted in blocks of rows
        at_rank = run(TRIANGLES, oriented, threads=threads, device=device, progress=progress or False)
        return from_triangles(oriented, at_rank, threads=threads)


TRIANGLES_IN_ORDER = Count(
    name="triangles in the order of vertices",
    gives="vertices",
    cpu=cpu.triangles,
    small=cpu.triangles_of_small,
    gpu=_triangles_on_gpu,
    bytes=most_bytes(TRIANGLES.bytes, Bytes(vertex=16)),
    work=TRIANGLES.work,
    not_tiled="the triangles of a tiled graph are put in order window by window",
    label=TRIANGLES.label,
)
"""The triangles at each vertex (not rank): int64, shape (n,)."""

COEFFICIENTS = Count(
    name="clustering coefficients",
    gives="vertices",
    dtype=np.float64,
    cpu=cpu.coefficients,
    small=cpu.coefficients_of_small,
    gpu=_coefficients_on_gpu,
    # After the triangles, the coefficients of ranks and of vertices are held beside the counts.
    bytes=most_bytes(TRIANGLES.bytes, Bytes(vertex=24)),
    work=TRIANGLES.work,
    not_tiled="the coefficients of a tiled graph are computed range by range from its triangles",
    label=TRIANGLES.label,
)
"""The local clustering coefficient of each vertex (not rank): float64, shape (n,)."""
