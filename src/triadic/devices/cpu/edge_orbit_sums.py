"""What the raw frequencies of edge orbits are made of: a row of counts for each edge, and one for each vertex.

Computes: `at_edge`, of shape (m, EDGE_COLUMNS): triangles, degrees of their third vertices, diamonds, squares and
  4-cliques at each edge; `at_vertex`, of shape (n, VERTEX_COLUMNS): degree, paths, triangles, diamonds, squares and
  4-cliques at each vertex.
Requires: whole rows, triangles at each edge, squares at each edge and 4-cliques at each triangle.
Idea: counts that are read together, at the edges and the vertices of triangles, stand side by side in memory.
Cost: O(triangles) for the edges, O(edges) twice for the vertices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.orbit_sums import pairs_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]

EDGE_COLUMNS = 8  # one more for the alignment
SUPPORT, NEAR, LOW, HIGH, AT_SQUARES, AT_CLIQUES = range(6)
"""Triangles, degrees of their third vertices, diamonds with the edge as a side whose chord ends at the end of lower and
at that of higher degree, squares, 4-cliques."""

VERTEX_COLUMNS = 12  # one more for the alignment
DEGREE, PATHS, TRIANGLES, LONG_PATHS, CLAWS, PAW_TIPS, LEAVES, SQUARES, OFF_CHORD, ON_CHORD, CLIQUES = range(11)
"""Degree; 2-paths from the vertex, triangles, 3-paths from the vertex, claws and paws with the vertex as a leaf, leaves
at the other vertices of its triangles, squares, diamonds off and on the chord, 4-cliques."""


@kernel
def write_edges(
    triangle_ptr: NDArray[np.int64],
    third: Ids,
    low: Ids,
    high: Ids,
    support: NDArray[np.int64],
    degree: NDArray[np.int64],
    squares: NDArray[np.int64],
    cliques: NDArray[np.int32],
    first: int,
    last: int,
    at_edge: NDArray[np.int64],
) -> None:
    """Write the counts at edges `first` .. `last` - 1."""
    for e in range(first, last):
        degrees = np.int64(0)
        at_low = np.int64(0)
        at_high = np.int64(0)
        at_cliques = np.int64(0)
        for p in range(triangle_ptr[e], triangle_ptr[e + 1]):
            degrees += degree[np.int64(third[p])]
            at_low += support[np.int64(low[p])] - 1
            at_high += support[np.int64(high[p])] - 1
            at_cliques += np.int64(cliques[p])
        d = at_edge[e]
        d[SUPPORT] = support[e]
        d[NEAR] = degrees
        d[LOW] = at_low
        d[HIGH] = at_high
        d[AT_SQUARES] = squares[e]
        d[AT_CLIQUES] = at_cliques >> 1


@kernel
def write_vertices(
    ptr: NDArray[np.int64],
    ends: Ids,
    edges: Ids,
    at_edge: NDArray[np.int64],
    first: int,
    last: int,
    at_vertex: NDArray[np.int64],
) -> None:
    """Write the counts at vertices `first` .. `last` - 1 that are sums over their edges."""
    for u in range(first, last):
        paths = np.int64(0)
        claws = np.int64(0)
        triangles = np.int64(0)
        leaves = np.int64(0)
        on_chord = np.int64(0)
        off_chord = np.int64(0)
        squares = np.int64(0)
        cliques = np.int64(0)
        for i in range(ptr[u], ptr[u + 1]):
            x = np.int64(ends[i])
            near = at_edge[np.int64(edges[i])]
            others = ptr[x + 1] - ptr[x] - 1
            paths += others
            claws += pairs_of(others)
            s = near[SUPPORT]
            triangles += s
            leaves += s * (others - 1)
            on_chord += s * (s - 1) >> 1
            off_chord += near[LOW] if x > u else near[HIGH]
            squares += near[AT_SQUARES]
            cliques += near[AT_CLIQUES]
        d = at_vertex[u]
        d[DEGREE] = ptr[u + 1] - ptr[u]
        d[PATHS] = paths
        d[CLAWS] = claws
        d[TRIANGLES] = triangles >> 1
        d[LEAVES] = leaves
        d[ON_CHORD] = on_chord
        d[OFF_CHORD] = off_chord >> 1
        d[SQUARES] = squares >> 1
        d[CLIQUES] = cliques // 3


@kernel
def write_paths(ptr: NDArray[np.int64], ends: Ids, first: int, last: int, at_vertex: NDArray[np.int64]) -> None:
    """Write the 3-paths from vertices `first` .. `last` - 1, and the paws of which these are leaves."""
    for u in range(first, last):
        paths = np.int64(0)
        triangles = np.int64(0)
        for i in range(ptr[u], ptr[u + 1]):
            near = at_vertex[np.int64(ends[i])]
            paths += near[PATHS]
            triangles += near[TRIANGLES]
        d = at_vertex[u]
        folded = 2 * d[TRIANGLES]
        d[LONG_PATHS] = paths - d[DEGREE] * (d[DEGREE] - 1) - folded
        d[PAW_TIPS] = triangles - folded
