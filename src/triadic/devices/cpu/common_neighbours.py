"""Patterns through two vertices with common neighbours: squares, K(2, 3), houses, at each vertex.

Computes: for each vertex u the raw frequencies of squares, of orbits 49 and 50, 62 to 64, parts of those of 36 and 51
  (`columns` below); for each edge its squares.
Requires: whole rows, triangles at each edge; `common` and `joined`, of shape (n,), zero, which the kernel leaves so.
Idea: one vertex u at a time, count the 2-paths from u to every w, that is, their common neighbours c, and the edges
  between these, that is, the diamonds with u and w off the chord. All patterns are sums over w, or over the 2-paths.
Cost: two sweeps over the 2-paths from all vertices, the sum of the squares of the degrees; and the diamonds once each.

References
----------
Pinar, Seshadhri and Vishal (2017), ESCAPE, WWW, for patterns as sums over pairs with common neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]

COLUMNS = 8
SQUARES, SQUARE_DEGREES, ORBIT_49, ORBIT_50, FAR_TRIANGLES, ORBIT_62, ORBIT_63, ORBIT_64 = range(COLUMNS)


@kernel
def add_by_pairs(
    ptr: NDArray[np.int64],
    ends: Ids,
    edges: Ids,
    triangle_ptr: NDArray[np.int64],
    third: Ids,
    low: Ids,
    high: Ids,
    row_support: NDArray[np.int32],
    first: int,
    last: int,
    common: NDArray[np.int32],
    joined: NDArray[np.int64],
    reached: NDArray[np.int64],
    at_edge: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add the patterns of the pairs of which u is one of `first` .. `last` - 1.

    Parameters
    ----------
    row_support : int32 array, shape (2 m,)
        Number of triangles at the edge of each entry of the rows.
    common, joined : int32 and int64 array, shape (n,)
        Zeros; here the common neighbours of u and w, and the edges between them.
    reached : int64 array, shape (n,)
        Room for a list of vertices.
    at_edge : int64 array, shape (m,)
        Receives the squares at each edge from its end of lower degree.
    sums : int64 array, shape (n, COLUMNS)
        Receives the counts at each vertex, of one thread.
    """
    for u in range(first, last):
        if ptr[u + 1] - ptr[u] < 2:
            continue
        found = 0
        for i in range(ptr[u], ptr[u + 1]):
            x = np.int64(ends[i])
            for p in range(ptr[x], ptr[x + 1]):
                w = np.int64(ends[p])
                if common[w] == 0:
                    reached[found] = w
                    found += 1
                common[w] += 1
        add_diamonds(ptr, ends, edges, triangle_ptr, third, low, high, u, common, joined, sums)
        common[u] = 1  # u and u are no pair
        if add_ends(ptr, u, found, reached, common, joined, sums) > 0:
            add_middles(ptr, ends, edges, row_support, u, common, joined, at_edge, sums)
        for i in range(found):
            common[reached[i]] = 0
            joined[reached[i]] = 0


@kernel
def add_ends(
    ptr: NDArray[np.int64],
    u: int,
    found: int,
    reached: NDArray[np.int64],
    common: NDArray[np.int32],
    joined: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> np.int64:
    """Add the patterns that are sums over the vertices w, and return the number of squares at u."""
    squares = np.int64(0)
    square_degrees = np.int64(0)
    triples = np.int64(0)
    diamonds = np.int64(0)
    for i in range(found):
        w = reached[i]
        c = np.int64(common[w])
        if c < 2:
            continue
        pairs = c * (c - 1) >> 1
        squares += pairs
        square_degrees += pairs * (ptr[w + 1] - ptr[w] - 2)
        if c > 2:
            triples += pairs // 3 * (c - 2) + pairs % 3 * (c - 2) // 3
            others = joined[w] * (c - 2)
            diamonds += others
            sums[w, ORBIT_63] += others
    sums[u, SQUARES] += squares
    sums[u, SQUARE_DEGREES] += square_degrees
    sums[u, ORBIT_50] += triples
    sums[u, ORBIT_63] += diamonds
    return squares


@kernel
def add_middles(
    ptr: NDArray[np.int64],
    ends: Ids,
    edges: Ids,
    row_support: NDArray[np.int32],
    u: int,
    common: NDArray[np.int32],
    joined: NDArray[np.int64],
    at_edge: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add the patterns that are sums over the 2-paths u - x - w, at u and x and the edge between them."""
    far = np.int64(0)
    for i in range(ptr[u], ptr[u + 1]):
        x = np.int64(ends[i])
        at_x = np.int64(0)
        pairs = np.int64(0)
        diamonds = np.int64(0)
        for p in range(ptr[x], ptr[x + 1]):
            w = np.int64(ends[p])
            others = np.int64(common[w]) - 1
            if others > 0:
                at_x += others
                far += others * np.int64(row_support[p])
                if w > u:
                    pairs += others * (others - 1) >> 1
                    diamonds += joined[w]
        sums[x, ORBIT_49] += pairs
        sums[x, ORBIT_62] += diamonds
        if x < u:
            at_edge[np.int64(edges[i])] = at_x
    sums[u, FAR_TRIANGLES] += far


@kernel
def add_diamonds(
    ptr: NDArray[np.int64],
    ends: Ids,
    edges: Ids,
    triangle_ptr: NDArray[np.int64],
    third: Ids,
    low: Ids,
    high: Ids,
    u: int,
    common: NDArray[np.int32],
    joined: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Count the diamonds with u and a vertex w of larger rank off the chord into ``joined[w]``."""
    for i in range(ptr[u], ptr[u + 1]):
        x = np.int64(ends[i])
        ux = np.int64(edges[i])
        lower = x > u  # x is then the end of lower degree
        at_x = np.int64(0)
        for t in range(triangle_ptr[ux + 1] - 1, triangle_ptr[ux] - 1, -1):
            y = np.int64(third[t])
            if y < x:
                break
            xy = np.int64(low[t]) if lower else np.int64(high[t])
            others = np.int64(0)
            for p in range(triangle_ptr[xy + 1] - 1, triangle_ptr[xy] - 1, -1):
                w = np.int64(third[p])
                if w <= u:
                    break
                joined[w] += 1
                others += np.int64(common[w]) - 2
            at_x += others
            sums[y, ORBIT_64] += others
        sums[x, ORBIT_64] += at_x


@kernel
def count_larger_paths(
    ptr: NDArray[np.int64],
    ends: Ids,
    higher: NDArray[np.int64],
    first: int,
    last: int,
    paths: NDArray[np.int64],
) -> None:
    """Write for u in `first` .. `last` - 1 the number of 2-paths u - a - w with ranks u < a < w: estimated work."""
    for u in range(first, last):
        found = 0
        for i in range(ptr[u] + higher[u], ptr[u + 1]):
            a = np.int64(ends[i])
            found += ptr[a + 1] - ptr[a] - higher[a]
        paths[u] = found
