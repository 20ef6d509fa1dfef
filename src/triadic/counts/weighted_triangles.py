"""Sums over the triangles at vertices: of the product of the values of the three edges, or of the values of two edges.

On the CPU, the sums are equal to the bit for any number of threads. On GPUs, the order of addition varies; the error is
at most 1e-12 of the sum of absolute values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.counts.count import Bytes, Count, Work, run
from triadic.counts.triangles import EDGE_SUPPORT
from triadic.devices.cpu import weighted_triangles as cpu
from triadic.devices.cpu.weight_sums import sum_at_ends
from triadic.devices.gpu import edge_values as gpu

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword

WEIGHTED_TRIANGLES = Count(
    name="weighted triangles",
    gives="vertices",
    dtype=np.float64,
    cpu=cpu.by_vertex,
    gpu=gpu.by_vertex,
    # Lists, and two float64 at each entry; parts of lists, and float64 sums of 8 cuts of the rows at each vertex. Each
    # thread has two float64 at each vertex, of which it writes a quarter.
    bytes=Bytes(vertex=108, edge=19, worker_vertex=4),
    work=Work(edge=15, pair=1.5),
    not_tiled="sums of floats depend on the order; tiles have products of weighted triangles",
    label="adding up over triangles",
)
"""Sum over the triangles at each rank of the product of the values of their edges: float64, shape (n,).

The input is the values of the entries of the oriented rows: float64, shape (m,).
"""


def sums_of_pairs(
    oriented: Oriented, values: NDArray[np.float64], *, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.float64]:
    """Sum over the triangles at each rank the values of the two edges at the rank: float64, shape (n,).

    An edge occurs in as many of these pairs as it is in triangles, so only the triangles of edges are counted.
    """
    support = run(EDGE_SUPPORT, oriented, threads=threads, device=device, progress=progress)
    return sum_at_ends(oriented, values * support, threads=resolve_threads(threads))
