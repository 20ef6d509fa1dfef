"""The triangles at each edge on a device (edge_triangles.c)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.source import Source
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.gpu.whole_rows import WholeRows
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_SOURCE = Source("edge_triangles", headers=("tasks", "search", "wide_sums"))
_LOOKUPS = 1 << 30  # look-ups of a launch
# Kernels count pairs of triangles of a vertex in 64 bits, and twice its triangles in 32 bits.
_MOST_TRIANGLES = 1 << 31


@dataclass(frozen=True, slots=True, eq=False)
class EdgeTriangles:
    """Triangles by edge; a place from ``ptr[e]`` to ``ptr[e + 1]`` stands for a triangle of edge e = {u, v}, u > v.

    Attributes
    ----------
    ptr : int64 buffer, shape (m + 1,)
        Where the triangles of each edge begin.
    third : uint32 buffer, shape (3 triangles,)
        The third vertex w, rising within an edge.
    low, high : uint32 buffer, shape (3 triangles,)
        The edges {u, w} and {v, w}.
    support : uint32 buffer, shape (m,)
        Number of triangles at each edge.
    number : int
        Number of triangles.
    """

    ptr: Buffer
    third: Buffer
    low: Buffer
    high: Buffer
    support: Buffer
    number: int

    @property
    def lists(self) -> tuple[Buffer, ...]:
        """Parameters of kernels that read triangles: where they begin, third vertices, and the two other edges."""
        return self.ptr, self.third, self.low, self.high


def edge_triangles(runtime: Runtime, rows: WholeRows) -> EdgeTriangles:
    """List the triangles at each edge.

    Raises
    ------
    OutOfMemoryError, UnsupportedError
        If there are more triangles than the device has room for, or than 2**31.
    """
    m = rows.m
    pieces = _pieces(rows)
    support = runtime.empty(m, np.uint32)
    _launch(runtime, rows, "count_triangles", pieces, support)
    with runtime.active():
        xp = runtime.xp
        before = xp.zeros(m + 1, dtype=xp.int64)
        xp.cumsum(runtime.view(support), out=before[1:])
        places = int(before[-1])
    what = f"listing the {places // 3:,} triangles of a graph of {m:,} edges at each of their edges"
    if places // 3 >= _MOST_TRIANGLES:
        raise UnsupportedError(f"{runtime.name}: {what} needs the CPU, since there are 2**31 or more")
    check_room(runtime, what, *[4 * places] * 3)
    ptr = runtime.upload(before)
    third, low, high = (runtime.empty(places, np.uint32) for _ in range(3))
    _launch(runtime, rows, "list_triangles", pieces, ptr, third, low, high)
    return EdgeTriangles(ptr, third, low, high, support, places // 3)


def edge_sums(runtime: Runtime, rows: WholeRows, triangles: EdgeTriangles) -> tuple[Buffer, Buffer]:
    """Return for each edge the degrees of the third vertices, and the triangles at the two other edges: uint64."""
    near, beside = runtime.empty(rows.m, np.uint64), runtime.empty(rows.m, np.uint64)
    runtime.launch(
        _SOURCE, "edge_sums", -(-rows.m // runtime.teams), rows.ptr, *triangles.lists, triangles.support, np.uint64(0),
        np.uint64(rows.m), near, beside,
    )  # fmt: skip
    return near, beside


def _pieces(rows: WholeRows) -> NDArray[np.int64]:
    """Cut the edges into pieces of about equal work."""
    before = np.concatenate([[0], np.cumsum(rows.degree * rows.higher)])
    vertices = blocks.cut(before, _LOOKUPS, most=1 << 16)
    edges_before = np.concatenate([[0], np.cumsum(rows.higher)])
    return edges_before[vertices]


def _launch(runtime: Runtime, rows: WholeRows, kernel: str, cuts: NDArray[np.int64], *arguments: Buffer) -> None:
    for first, last in pairwise(cuts):
        runtime.launch(
            _SOURCE, kernel, -(-int(last - first) // runtime.teams), *rows.of_edges, np.uint64(first),
            np.uint64(last - first), *arguments,
        )  # fmt: skip
        if len(cuts) > 2:
            runtime.synchronize()
