"""Wheels of four spokes, that is, squares in the neighbourhood of a hub, at each vertex.

Computes: for each vertex the wheels with the vertex as hub, and on the rim: raw frequencies of orbits 69 and 68.
Requires: whole rows and triangles at each edge; `paths`, of shape (n,), zero, which the kernel leaves so.
Idea: the triangles at the edges of a hub are the rows of its neighbourhood, a small graph. Its squares are counted as
  those of a whole graph: at their vertex x of highest degree, by the 2-paths x - y - z with y and z of larger rank.
Cost: two sweeps over these 2-paths of all neighbourhoods, at most the sum over edges of the square of the triangles.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210 (algorithm C4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]

COLUMNS = 2
RIM, HUB = range(COLUMNS)


@kernel
def add_wheels(
    ptr: NDArray[np.int64],
    ends: Ids,
    edges: Ids,
    triangle_ptr: NDArray[np.int64],
    third: Ids,
    low: Ids,
    high: Ids,
    first: int,
    last: int,
    paths: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add to `sums`, of shape (n, COLUMNS), the wheels whose hub is one of `first` .. `last` - 1."""
    for hub in range(first, last):
        if ptr[hub + 1] - ptr[hub] < 4:
            continue
        at_hub = 0
        for i in range(ptr[hub], ptr[hub + 1]):
            x = np.int64(ends[i])
            e = np.int64(edges[i])
            if triangle_ptr[e + 1] - triangle_ptr[e] < 2:
                continue
            lower = x > hub  # the hub is then the end of higher degree
            for t in range(triangle_ptr[e + 1] - 1, triangle_ptr[e] - 1, -1):
                if np.int64(third[t]) < x:
                    break
                hy = np.int64(high[t]) if lower else np.int64(low[t])
                for p in range(triangle_ptr[hy + 1] - 1, triangle_ptr[hy] - 1, -1):
                    z = np.int64(third[p])
                    if z <= x:
                        break
                    paths[z] += 1
            at_x = 0
            for t in range(triangle_ptr[e + 1] - 1, triangle_ptr[e] - 1, -1):
                y = np.int64(third[t])
                if y < x:
                    break
                hy = np.int64(high[t]) if lower else np.int64(low[t])
                at_y = 0
                for p in range(triangle_ptr[hy + 1] - 1, triangle_ptr[hy] - 1, -1):
                    z = np.int64(third[p])
                    if z <= x:
                        break
                    at_y += paths[z] - 1
                sums[y, RIM] += at_y
                at_x += at_y
            # Each square was met by both its 2-paths.
            at_x >>= 1
            for t in range(triangle_ptr[e + 1] - 1, triangle_ptr[e] - 1, -1):
                if np.int64(third[t]) < x:
                    break
                hy = np.int64(high[t]) if lower else np.int64(low[t])
                for p in range(triangle_ptr[hy + 1] - 1, triangle_ptr[hy] - 1, -1):
                    z = np.int64(third[p])
                    if z <= x:
                        break
                    c = paths[z]
                    if c > 0:
                        sums[z, RIM] += c * (c - 1) >> 1
                        paths[z] = 0
            sums[x, RIM] += at_x
            at_hub += at_x
        sums[hub, HUB] = at_hub
