"""Patterns through two vertices with common neighbours, at each edge: squares, K(2, 3), houses and wheels.

Computes: for each edge its squares, the raw frequencies of edge orbits 42, 57 and 58, and parts of those of 30, 43, 44
  and 56 (`columns` below).
Requires: whole rows, triangles at each edge; `paths` and the first column of `beyond` zero, which the kernel leaves so.
Idea: one vertex u at a time, count the 2-paths from u to every w, that is, their common neighbours; the triangles at
  the second edges of these paths; and the edges between the common neighbours, that is, the diamonds with u and w off
  the chord. The first two counts share a word. All patterns at an edge {u, x} are sums over the neighbours w of x.
Cost: two sweeps over the 2-paths from all vertices, the sum of the squares of the degrees; and twice the diamonds.

Wheels of four spokes, that is, squares in the neighbourhood of a hub, at each edge.

Computes: for each edge the wheels of which the edge is a spoke, and those with the edge on the rim: raw frequencies of
  edge orbits 64 and 63.
Requires: whole rows and triangles at each edge.
Idea: the triangles at the edges of a hub are the rows of its neighbourhood, and a square of that small graph is met by
  both 2-paths from its vertex of highest degree. The squares at a 2-path x - y - z have the edges {x, y} and {y, z} on
  the rim; those at a vertex of the small graph have the edge to it as a spoke. Counts of one x begin above all counts
  before, so that nothing is cleared.
Cost: two sweeps over the 2-paths of all neighbourhoods, with two additions for each. 16 bytes an edge a worker.

References
----------
Pinar, Seshadhri and Vishal (2017), ESCAPE, WWW, for patterns as sums over pairs with common neighbours. Chiba and
Nishizeki (1985), SIAM Journal on Computing 14, 210 (algorithm C4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import fetch_add
from triadic.devices.cpu.orbits.whole_rows import other_edges

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array
    from triadic.devices.cpu.orbits.whole_rows import Block, EdgeTriangles, WholeRows

COLUMNS = 8
SQUARE_DEGREES, ORBIT_42, WALLS, FLOORS, ORBIT_56, ORBIT_57, ORBIT_58, SQUARES = range(COLUMNS)
ORBITS_OF_COLUMNS = 30, 42, 44, 43, 56, 57, 58  # of all columns but squares

# A word of `paths`: 2-paths in the low bits, triangles at their second edges above. A graph in which a vertex has 2**22
# neighbours has more stars than 64 bits hold; 2**41 triangles would have to be listed before they exceed the high bits.
_TRIANGLES = 22
_PATHS = (1 << _TRIANGLES) - 1
WHEEL_COLUMNS = 2
RIM, SPOKE = range(WHEEL_COLUMNS)
ORBITS_OF_WHEELS = 63, 64


class EdgePairs(NamedTuple):
    """Room of a worker.

    Attributes
    ----------
    paths : int64 array, shape (n,)
        Zeros; here the common neighbours of u and w, and the triangles at the edges between these and w.
    beyond : int64 array, shape (n, 2)
        Zeros, and degrees less 2; the zeros are here the edges between the common neighbours of u and w.
    reached : int64 array, shape (n,)
        Room for a list of vertices.
    """

    paths: Int64Array
    beyond: Int64Array
    reached: Int64Array


@kernel
def add_by_pairs(  # noqa: PLR0915 - all loops of a kernel are in one function
    block: Block, rows: WholeRows, listed: EdgeTriangles, row_support: Int32Array, at_edge: Int64Array, room: EdgePairs
) -> None:
    """Add the patterns of the pairs (u, w) of which u is in the block.

    Parameters
    ----------
    row_support : int32 array, shape (2 m,)
        Number of triangles at the edge of each entry of the rows.
    at_edge : int64 array, shape (COLUMNS m,)
        Receives the counts at each edge, from all threads; those of orbit 58 twice.
    """
    ptr, ends, edges, _ = rows
    triangle_ptr, third, low, high, _ = listed
    paths, beyond, reached = room
    for u in range(*block):
        if ptr[u + 1] - ptr[u] < 2:
            continue
        found = 0
        for i in range(ptr[u], ptr[u + 1]):
            x = np.int64(ends[i])
            for p in range(ptr[x], ptr[x + 1]):
                w = np.int64(ends[p])
                if paths[w] == 0:
                    reached[found] = w
                    found += 1
                paths[w] += (np.int64(row_support[p]) << _TRIANGLES) + 1
        paths[u] = 2  # u and u are no pair: the diamonds subtract 2
        # The diamonds with u and w off the chord {x, y}, and the further common neighbours of u and w.
        for i in range(ptr[u], ptr[u + 1]):
            x = np.int64(ends[i])
            ux = np.int64(edges[i])
            at_x = np.int64(0)
            for t in range(triangle_ptr[ux + 1] - 1, triangle_ptr[ux] - 1, -1):
                if np.int64(third[t]) < x:
                    break
                xy, uy = other_edges(low, high, t, x > u)
                others = np.int64(0)
                for p in range(triangle_ptr[xy], triangle_ptr[xy + 1]):
                    w = np.int64(third[p])
                    beyond[w, 0] += 1
                    others += (paths[w] & _PATHS) - 2
                if others > 0:
                    at_x += others
                    fetch_add(at_edge, uy * COLUMNS + ORBIT_57, others)
                    fetch_add(at_edge, xy * COLUMNS + ORBIT_58, others)
            if at_x > 0:
                fetch_add(at_edge, ux * COLUMNS + ORBIT_57, at_x)
        paths[u] = 1
        # The patterns that are sums over the 2-paths u - x - w, at the edge {u, x}.
        for i in range(ptr[u], ptr[u + 1]):
            x = np.int64(ends[i])
            squares = np.int64(0)
            degrees = np.int64(0)
            pairs = np.int64(0)
            walls = np.int64(0)
            floors = np.int64(0)
            diamonds = np.int64(0)
            for p in range(ptr[x], ptr[x + 1]):
                w = np.int64(ends[p])
                others = (paths[w] & _PATHS) - 1
                if others > 0:
                    triangles = np.int64(row_support[p])
                    squares += others
                    degrees += others * beyond[w, 1]
                    pairs += others * (others - 1) >> 1
                    walls += others * triangles
                    floors += (paths[w] >> _TRIANGLES) - triangles
                    diamonds += beyond[w, 0]
            if squares == 0:
                continue
            place = np.int64(edges[i]) * COLUMNS
            if x < u:
                at_edge[place + SQUARES] = squares
                at_edge[place + FLOORS] = floors
            fetch_add(at_edge, place + SQUARE_DEGREES, degrees)
            fetch_add(at_edge, place + ORBIT_42, pairs)
            fetch_add(at_edge, place + WALLS, walls)
            fetch_add(at_edge, place + ORBIT_56, diamonds)
        for i in range(found):
            paths[reached[i]] = 0
            beyond[reached[i], 0] = 0


@kernel
def add_wheels(block: Block, rows: WholeRows, listed: EdgeTriangles, paths: Int64Array, sums: Int64Array) -> None:
    """Add to `sums`, of shape (m, WHEEL_COLUMNS), the wheels whose hub is in the block, twice at their spokes.

    `paths`, of shape (n + 1,), is zero at first; the last entry is where the counts of the next vertex begin.
    """
    ptr, ends, edges, _ = rows
    triangle_ptr, third, low, high, support = listed
    before = paths[-1]
    for hub in range(*block):
        for i in range(ptr[hub], ptr[hub + 1]):
            x = np.int64(ends[i])
            e = np.int64(edges[i])
            if support[e] < 2:
                continue
            for t in range(triangle_ptr[e + 1] - 1, triangle_ptr[e] - 1, -1):
                if np.int64(third[t]) < x:
                    break
                _, hy = other_edges(low, high, t, x > hub)
                for p in range(triangle_ptr[hy + 1] - 1, triangle_ptr[hy] - 1, -1):
                    z = np.int64(third[p])
                    if z <= x:
                        break
                    paths[z] = max(paths[z], before) + 1
            at_x = np.int64(0)
            for t in range(triangle_ptr[e + 1] - 1, triangle_ptr[e] - 1, -1):
                y = np.int64(third[t])
                if y < x:
                    break
                xy, hy = other_edges(low, high, t, x > hub)
                at_y = np.int64(0)
                for p in range(triangle_ptr[hy + 1] - 1, triangle_ptr[hy] - 1, -1):
                    z = np.int64(third[p])
                    if z <= x:
                        break
                    others = paths[z] - before - 1
                    if others > 0:
                        yz, hz = other_edges(low, high, p, y > hub)
                        sums[yz, RIM] += others
                        sums[hz, SPOKE] += others
                        at_y += others
                sums[xy, RIM] += at_y
                sums[hy, SPOKE] += 2 * at_y
                at_x += at_y
            sums[e, SPOKE] += at_x
            before += support[e]
    paths[-1] = before
