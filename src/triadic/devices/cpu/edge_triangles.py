"""The triangles at each edge: the third vertex, rising by rank, and the two other edges.

Computes: for each edge {u, v} of ranks u > v the common neighbours w of u and v, and the edges {u, w} and {v, w}.
Requires: whole rows (`whole_rows`); `mark`, of shape (n,), all zero, which the kernels leave so.
Idea: mark the neighbours of v, which has the higher degree, with the numbers of their edges, and read the rows of its
  neighbours u of lower degree.
Cost: two sweeps over the sum over edges of the smaller degree. 12 bytes for each triangle at each of its three edges.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for the bound on the sum of smaller degrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split
from triadic.core.compiled import kernel
from triadic.core.memory import check_memory
from triadic.core.oriented import frozen
from triadic.devices.cpu.vertex_arrays import zeros
from triadic.devices.cpu.whole_rows import row_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.whole_rows import WholeRows

    Ids = NDArray[np.unsignedinteger[Any]]

_BLOCKS_PER_THREAD = 32
_BLOCK = 1 << 23  # aimed block, in entries of rows


@dataclass(frozen=True, slots=True, eq=False)
class EdgeTriangles:
    """Triangles by edge; a place from ``ptr[e]`` to ``ptr[e + 1]`` stands for a triangle of edge e = {u, v}, u > v.

    Attributes
    ----------
    ptr : int64 array, shape (m + 1,)
        Where the triangles of each edge begin.
    third : uint32 or uint64 array, shape (3 triangles,)
        The third vertex w, rising within an edge.
    low, high : uint32 or uint64 array, shape (3 triangles,)
        The edges {u, w} and {v, w}: w with the end of lower and with the end of higher degree.
    support : int64 array, shape (m,)
        Number of triangles at each edge.
    """

    ptr: NDArray[np.int64]
    third: Ids
    low: Ids
    high: Ids
    support: NDArray[np.int64]


def edge_triangles(
    oriented: Oriented, rows: WholeRows, *, threads: int, progress: Progress | None = None
) -> EdgeTriangles:
    """List the triangles at each edge."""
    n, m = oriented.num_vertices, oriented.num_edges
    cost = np.concatenate([[0], np.cumsum(4 + row_sums(rows.ptr, rows.ends, oriented.degree, threads=threads))])
    cuts = blocks.cut(cost, max(1, min(_BLOCK, int(cost[-1]) // (threads * _BLOCKS_PER_THREAD))), most=1 << 16)
    costs = np.diff(cost[cuts])
    reports = split(progress, [1, 1])
    mark = zeros(threads, n, np.int64)
    support = np.zeros(m, dtype=np.int64)

    def count(worker: int, b: int) -> None:
        count_at_edges(rows.ptr, rows.ends, rows.edges, rows.higher, cuts[b], cuts[b + 1], mark[worker], support)

    blocks.run(count, len(cuts) - 1, threads=threads, costs=costs, progress=reports[0])
    ptr = np.concatenate([[0], np.cumsum(support)])
    places = int(ptr[-1])
    width = rows.ends.itemsize + 2 * rows.edges.itemsize
    check_memory(
        width * places,
        f"listing the {places // 3:,} triangles of a graph of {m:,} edges at each of their edges",
        "use more memory, or size=4",
    )
    third = np.empty(places, dtype=rows.ends.dtype)
    low, high = np.empty(places, dtype=rows.edges.dtype), np.empty(places, dtype=rows.edges.dtype)

    def fill(worker: int, b: int) -> None:
        list_at_edges(
            rows.ptr, rows.ends, rows.edges, rows.higher, cuts[b], cuts[b + 1], mark[worker], ptr, support,
            third, low, high,
        )  # fmt: skip

    blocks.run(fill, len(cuts) - 1, threads=threads, costs=costs, progress=reports[1])
    return EdgeTriangles(frozen(ptr), frozen(third), frozen(low), frozen(high), frozen(support))


@kernel
def count_at_edges(
    ptr: NDArray[np.int64],
    ends: Ids,
    edges: Ids,
    higher: NDArray[np.int64],
    first: int,
    last: int,
    mark: NDArray[np.int64],
    support: NDArray[np.int64],
) -> None:
    """Count the triangles at the edges whose end of higher degree is one of `first` .. `last` - 1."""
    for v in range(first, last):
        for p in range(ptr[v], ptr[v + 1]):
            mark[np.int64(ends[p])] = 1
        for p in range(ptr[v] + higher[v], ptr[v + 1]):
            u = np.int64(ends[p])
            found = 0
            for r in range(ptr[u], ptr[u + 1]):
                found += mark[np.int64(ends[r])]
            support[np.int64(edges[p])] = found
        for p in range(ptr[v], ptr[v + 1]):
            mark[np.int64(ends[p])] = 0


@kernel
def list_at_edges(
    ptr: NDArray[np.int64],
    ends: Ids,
    edges: Ids,
    higher: NDArray[np.int64],
    first: int,
    last: int,
    mark: NDArray[np.int64],
    triangle_ptr: NDArray[np.int64],
    support: NDArray[np.int64],
    third: Ids,
    low: Ids,
    high: Ids,
) -> None:
    """List the triangles at the edges whose end of higher degree is one of `first` .. `last` - 1."""
    for v in range(first, last):
        for p in range(ptr[v], ptr[v + 1]):
            mark[np.int64(ends[p])] = np.int64(edges[p]) + 1
        for p in range(ptr[v] + higher[v], ptr[v + 1]):
            u = np.int64(ends[p])
            e = np.int64(edges[p])
            if support[e] == 0:
                continue
            place = triangle_ptr[e]
            for r in range(ptr[u], ptr[u + 1]):
                w = np.int64(ends[r])
                if mark[w] > 0:
                    third[place] = ends[r]
                    low[place] = edges[r]
                    high[place] = mark[w] - 1
                    place += 1
        for p in range(ptr[v], ptr[v + 1]):
            mark[np.int64(ends[p])] = 0
