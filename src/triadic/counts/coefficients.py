"""Local clustering coefficients: the formula over triangles and degrees, applied on the device that counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.counts.count import Bytes, Count, most_bytes, run
from triadic.counts.triangles import TRIANGLES
from triadic.devices.cpu import coefficients as cpu
from triadic.devices.gpu import coefficients as gpu
from triadic.errors import OutOfMemoryError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.core.progress import Progress


def _on_gpu(device: str, oriented: Oriented, *, progress: Progress | None) -> NDArray[np.float64]:
    threads = resolve_threads(None)
    try:
        return gpu.by_vertex(device, oriented, threads=threads, progress=progress)
    except OutOfMemoryError:  # triangles may still be counted in blocks of rows
        at_rank = run(TRIANGLES, oriented, threads=threads, device=device, progress=progress or False)
        return cpu.from_triangles(oriented, at_rank, threads=threads)


COEFFICIENTS = Count(
    name="clustering coefficients",
    gives="vertices",
    dtype=np.float64,
    cpu=cpu.by_vertex,
    small=cpu.of_small,
    gpu=_on_gpu,
    # After the triangles, the coefficients of ranks and of vertices are held beside the counts.
    bytes=most_bytes(TRIANGLES.bytes, Bytes(vertex=24)),
    work=TRIANGLES.work,
    not_tiled="the coefficients of a tiled graph are computed range by range from its triangles",
    label=TRIANGLES.label,
)
"""The local clustering coefficient of each vertex (not rank): float64, shape (n,)."""
