"""Triangles of the skeleton: in total, of vertices, and of edges (their support)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.counts.count import Bytes, Count, Work, most_bytes
from triadic.devices.cpu import neighbourhoods
from triadic.devices.cpu import triangles as cpu
from triadic.devices.gpu import triangles as gpu

if TYPE_CHECKING:
    from triadic.core.oriented import Sizes

_WALK = Work(edge=11, pair=0.5)


def bytes_to_prepare(sizes: Sizes, threads: int) -> int:
    """Return the bytes of the lists of triangle kernels while they are sorted, and of the matrix of hubs.

    Keys of 8 and ends of 4 bytes for each entry that is not a hub: nearly all entries of short rows, and few of long
    ones. The matrix has about 2 bytes an edge. Ends of hubs, pointers and lengths of lists have 30 bytes a vertex.
    """
    in_lists = min(1.0, 6 * sizes.edges / max(1.0, sizes.row_pairs))
    return Bytes(vertex=30, edge=2 + 12 * in_lists)(sizes, threads)


def bytes_of_supports(sizes: Sizes, threads: int) -> int:
    """Return the bytes of supports.

    Lists and their places in the rows, supports (int32), and for each entry the bits of its row, 8 bytes or more but 16
    on average at most; pointers of rows, lists, words and blocks. Each thread has slots (int32) and marks.
    """
    bits = min(16.0, max(8.0, sizes.row_pairs / (4 * max(1, sizes.edges))))
    return Bytes(vertex=40, edge=12 + bits, worker_vertex=1.5)(sizes, threads)


TRIANGLE_COUNT = Count(
    name="triangles",
    gives="total",
    cpu=cpu.total,
    gpu=gpu.total,
    bytes=bytes_to_prepare,
    work=_WALK,
    adds_over="triangles",
)
"""All triangles: an int."""

TRIANGLES = Count(
    name="triangles of vertices",
    gives="vertices",
    cpu=cpu.by_vertex,
    gpu=gpu.by_vertex,
    # Afterwards keys are freed, and each thread has marks, slots (int32) and counts (int64); it writes about a half.
    bytes=most_bytes(bytes_to_prepare, Bytes(vertex=24, edge=5, worker_vertex=6.5)),
    work=_WALK,
    adds_over="triangles",
)
"""The triangles at each rank: int64, shape (n,)."""

EDGE_SUPPORT = Count(
    name="triangles of edges",
    gives="entries",
    dtype=np.int32,
    cpu=neighbourhoods.by_edge,
    gpu=gpu.by_edge,
    bytes=bytes_of_supports,
    work=Work(edge=20, pair=1),
    not_tiled="the numbers of all edges would take as much memory as the tiles",
)
"""The triangles at each entry of the oriented rows, the support of its edge: int32, shape (m,)."""
