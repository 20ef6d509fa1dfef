"""Wheels of four spokes, that is, squares in the neighbourhood of a hub, at each edge.

Computes: for each edge the wheels of which the edge is a spoke, and those with the edge on the rim: raw frequencies of
  edge orbits 64 and 63.
Requires: whole rows and triangles at each edge; `paths`, of shape (n,), zero, which the kernel leaves so.
Idea: as for the vertices (`wheels`): the triangles at the edges of a hub are the rows of its neighbourhood, and a
  square of that small graph is met by both 2-paths from its vertex of highest degree. The squares at a 2-path x - y - z
  have the edges {x, y} and {y, z} on the rim; those at a vertex of the small graph have the edge to it as a spoke.
Cost: as for the vertices, with two additions for each 2-path. 16 bytes an edge a worker.

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
RIM, SPOKE = range(COLUMNS)


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
    """Add to `sums`, of shape (m, COLUMNS), the wheels whose hub is one of `first` .. `last` - 1."""
    for hub in range(first, last):
        if ptr[hub + 1] - ptr[hub] < 4:
            continue
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
            at_x = np.int64(0)
            for t in range(triangle_ptr[e + 1] - 1, triangle_ptr[e] - 1, -1):
                y = np.int64(third[t])
                if y < x:
                    break
                xy, hy = (np.int64(low[t]), np.int64(high[t])) if lower else (np.int64(high[t]), np.int64(low[t]))
                at_y = np.int64(0)
                for p in range(triangle_ptr[hy + 1] - 1, triangle_ptr[hy] - 1, -1):
                    z = np.int64(third[p])
                    if z <= x:
                        break
                    others = paths[z] - 1
                    if others > 0:
                        yz = np.int64(low[p]) if y > hub else np.int64(high[p])
                        sums[yz, RIM] += others
                        at_y += others
                sums[xy, RIM] += at_y
                sums[hy, SPOKE] += at_y
                at_x += at_y
            # Each square was met by both its 2-paths.
            sums[e, SPOKE] += at_x >> 1
            for t in range(triangle_ptr[e + 1] - 1, triangle_ptr[e] - 1, -1):
                y = np.int64(third[t])
                if y < x:
                    break
                hy = np.int64(high[t]) if lower else np.int64(low[t])
                for p in range(triangle_ptr[hy + 1] - 1, triangle_ptr[hy] - 1, -1):
                    z = np.int64(third[p])
                    if z <= x:
                        break
                    c = paths[z]
                    if c > 0:
                        hz = np.int64(high[p]) if y > hub else np.int64(low[p])
                        sums[hz, SPOKE] += c * (c - 1) >> 1
                        paths[z] = 0
