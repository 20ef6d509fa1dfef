"""The raw frequencies of the edge orbits at each edge, from counts of the other passes at edges and vertices.

Computes: `at_edge`, of shape (m, EDGE_COLUMNS): triangles, degrees of their third vertices, diamonds, squares and
  4-cliques at each edge; `at_vertex`, of shape (n, VERTEX_COLUMNS): degree, paths, triangles, diamonds, squares and
  4-cliques at each vertex.
Requires: whole rows, triangles at each edge, squares at each edge and 4-cliques at each triangle.
Idea: counts that are read together, at the edges and the vertices of triangles, stand side by side in memory.
Cost: O(triangles) for the edges, O(edges) twice for the vertices.

The raw frequencies of the edge orbits at each edge, from the counts of the other passes.

Computes: the 12 or 68 columns of `raw` at given edges, by the relations that ``tools/edge_orbit_relations.py`` proves;
  each comment there names the pattern of its columns.
Requires: these counts; for 68 columns those of `edge_common_neighbours`, `cycle_walks` and `clique_walks`.
Idea: a leaf or a tail at a pattern is a product of counts at the two ends of the edge, or a sum over its triangles,
  less the copies in which the leaf is a vertex of the pattern.
Cost: O(1) for an edge and for each of its triangles. Sums that wrap around 2**64 on the way wrap back, because the net
  frequencies fit (`triadic.measures.graphlets.orbit_formulas`).

References
----------
Hočevar and Demšar (2016), Journal of Statistical Software 71 (10), for the numbers of the orbits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.orbits import clique_walks, edge_common_neighbours
from triadic.devices.cpu.orbits.clique_walks import ORBIT_60, ORBIT_65, ORBIT_67
from triadic.devices.cpu.orbits.edge_common_neighbours import (
    FLOORS,
    ORBIT_42,
    ORBIT_56,
    ORBIT_57,
    ORBIT_58,
    RIM,
    SPOKE,
    SQUARE_DEGREES,
    WALLS,
)
from triadic.devices.cpu.orbits.orbit_sums import pairs_of, triples_of

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray

    Ids = UnsignedArray

EDGE_COLUMNS = 8  # one more for the alignment
SUPPORT, NEAR, LOW, HIGH, AT_SQUARES, AT_CLIQUES = range(6)
"""Triangles, degrees of their third vertices, diamonds with the edge as a side whose chord ends at the end of lower and
at that of higher degree, squares, 4-cliques."""

VERTEX_COLUMNS = 12  # one more for the alignment
DEGREE, PATHS, TRIANGLES, LONG_PATHS, CLAWS, PAW_TIPS, LEAVES, SQUARES, OFF_CHORD, ON_CHORD, CLIQUES = range(11)
"""Degree; 2-paths from the vertex, triangles, 3-paths from the vertex, claws and paws with the vertex as a leaf, leaves
at the other vertices of its triangles, squares, diamonds off and on the chord, 4-cliques."""
_PAIRS = edge_common_neighbours.COLUMNS
_CLIQUES = clique_walks.EDGE_COLUMNS


@kernel
def write_edges(
    triangle_ptr: Int64Array,
    third: Ids,
    low: Ids,
    high: Ids,
    support: Int64Array,
    degree: Int64Array,
    squares: Int64Array,
    cliques: Int32Array,
    first: int,
    last: int,
    at_edge: Int64Array,
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
    ptr: Int64Array,
    ends: Ids,
    edges: Ids,
    at_edge: Int64Array,
    first: int,
    last: int,
    at_vertex: Int64Array,
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
def write_paths(ptr: Int64Array, ends: Ids, first: int, last: int, at_vertex: Int64Array) -> None:
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


@kernel
def write_four(
    lower: Ids,
    indices: Ids,
    at_edge: Int64Array,
    at_vertex: Int64Array,
    entry: Int64Array,
    first: int,
    last: int,
    raw: Int64Array,
) -> None:
    """Write the first 12 columns of rows `first` .. `last` - 1 of `raw`.

    Parameters
    ----------
    lower, indices : unsigned integer array, shape (m,)
        Ends of lower and of higher degree of each edge.
    entry : int64 array, shape (rows,)
        The edge of each row of `raw`.
    """
    for row in range(first, last):
        e = entry[row]
        fill_four(raw[row], at_edge[e], at_vertex[np.int64(lower[e])], at_vertex[np.int64(indices[e])])


@kernel
def write_five(
    lower: Ids,
    indices: Ids,
    triangle_ptr: Int64Array,
    third: Ids,
    low: Ids,
    high: Ids,
    cliques: Int32Array,
    at_edge: Int64Array,
    at_vertex: Int64Array,
    at_pairs: Int64Array,
    at_wheels: Int64Array,
    at_cycles: Int64Array,
    at_cliques: Int64Array,
    entry: Int64Array,
    first: int,
    last: int,
    raw: Int64Array,
) -> None:
    """Write the 68 columns of rows `first` .. `last` - 1 of `raw`."""
    for row in range(first, last):
        e = entry[row]
        u, v = np.int64(lower[e]), np.int64(indices[e])
        d = raw[row]
        fill_four(d, at_edge[e], at_vertex[u], at_vertex[v])
        d[28] = at_cycles[e]
        d[30] = at_pairs[e * _PAIRS + SQUARE_DEGREES]
        d[42] = at_pairs[e * _PAIRS + ORBIT_42]
        d[43] = at_pairs[e * _PAIRS + FLOORS]
        d[44] = at_pairs[e * _PAIRS + WALLS]
        d[56] = at_pairs[e * _PAIRS + ORBIT_56]
        d[57] = at_pairs[e * _PAIRS + ORBIT_57]
        d[58] = at_pairs[e * _PAIRS + ORBIT_58] >> 1
        d[60] = at_cliques[e * _CLIQUES + ORBIT_60] >> 1
        d[63] = at_wheels[e, RIM]
        d[64] = at_wheels[e, SPOKE]
        d[65] = at_cliques[e * _CLIQUES + ORBIT_65]
        d[67] = at_cliques[e * _CLIQUES + ORBIT_67]
        add_triangles(d, u, v, triangle_ptr[e], triangle_ptr[e + 1], third, low, high, cliques, at_edge, at_vertex)
        finish_trees(d, at_edge[e], at_vertex[u], at_vertex[v])
        finish_triangles(d, at_edge[e], at_vertex[u], at_vertex[v])
        finish_denser(d, at_edge[e], at_vertex[u], at_vertex[v])


@kernel
def fill_four(d: Int64Array, at: Int64Array, u: Int64Array, v: Int64Array) -> None:
    """Write the columns of graphlets of three and four vertices.

    Parameters
    ----------
    d : int64 array, shape (12,) or (68,)
        The columns of an edge.
    at, u, v : int64 array
        Counts at the edge, and at its ends of lower and of higher degree.
    """
    s = at[SUPPORT]
    ku, kv = u[DEGREE], v[DEGREE]
    d[0] = ku + kv - 2
    d[1] = s
    d[2] = u[PATHS] + v[PATHS] - (ku + kv - 2) - 2 * s
    d[3] = (ku - 1) * (kv - 1) - s
    d[4] = pairs_of(ku - 1) + pairs_of(kv - 1)
    d[5] = at[AT_SQUARES]
    d[6] = u[TRIANGLES] + v[TRIANGLES] - 2 * s
    d[7] = at[NEAR] - 2 * s
    d[8] = s * (ku + kv - 4)
    d[9] = at[LOW] + at[HIGH]
    d[10] = s * (s - 1) >> 1
    d[11] = at[AT_CLIQUES]


@kernel
def add_triangles(
    d: Int64Array,
    u: np.int64,
    v: np.int64,
    first: np.int64,
    last: np.int64,
    third: Ids,
    low: Ids,
    high: Ids,
    cliques: Int32Array,
    at_edge: Int64Array,
    at_vertex: Int64Array,
) -> None:
    """Write the sums over the triangles `first` .. `last` - 1 of the edge {u, v}, by values of their edges."""
    d23 = d26 = d33 = d36 = d39 = d45 = d47 = d50 = d52 = d53 = d54 = d59 = d61 = d66 = np.int64(0)
    for p in range(first, last):
        w = np.int64(third[p])
        near = at_vertex[w]
        uw, vw = at_edge[np.int64(low[p])], at_edge[np.int64(high[p])]
        k = near[DEGREE]
        a, b = uw[SUPPORT] - 1, vw[SUPPORT] - 1
        q = np.int64(cliques[p])
        d23 += near[PATHS]
        d26 += pairs_of(k - 2)
        d33 += (a + b) * (k - 3)
        d36 += near[TRIANGLES]
        d39 += uw[NEAR] + vw[NEAR]
        d45 += uw[AT_SQUARES] + vw[AT_SQUARES]
        d47 += (a * (a - 1) >> 1) + (b * (b - 1) >> 1)
        # Diamonds with an edge to w as a side, whose chord ends at w, or at u or v.
        at_w = (uw[LOW] if w > u else uw[HIGH]) + (vw[LOW] if w > v else vw[HIGH])
        d52 += at_w
        d53 += uw[LOW] + uw[HIGH] + vw[LOW] + vw[HIGH] - at_w
        d54 += a * b
        d59 += uw[AT_CLIQUES] + vw[AT_CLIQUES]
        if q > 0:
            d50 += q * (k - 3)
            d61 += q * (a + b - 2)
            d66 += q * (q - 1) >> 1
    d[23], d[26], d[33], d[36], d[39], d[45], d[47] = d23, d26, d33, d36, d39, d45, d47
    d[50], d[52], d[53], d[54], d[59], d[61], d[66] = d50, d52, d53, d54, d59, d61, d66


@kernel
def finish_trees(d: Int64Array, at: Int64Array, u: Int64Array, v: Int64Array) -> None:
    """Write the columns of paths, forks and stars."""
    s, squares = at[SUPPORT], at[AT_SQUARES]
    ku, kv = u[DEGREE], v[DEGREE]
    thirds = d[7]
    from_u = u[PATHS] - (kv - 1) - s  # 2-paths from u that do not pass v
    from_v = v[PATHS] - (ku - 1) - s
    pairs_u, pairs_v = pairs_of(ku - 1), pairs_of(kv - 1)
    d[12] = u[LONG_PATHS] + v[LONG_PATHS] - from_u - from_v - d[8] - 2 * squares
    d[13] = (ku - 1) * from_v + (kv - 1) * from_u - 2 * thirds - 2 * squares
    d[14] = u[CLAWS] + v[CLAWS] - pairs_u - pairs_v - 2 * thirds
    inner = u[PATHS] * (ku - 1) - 2 * u[TRIANGLES] + v[PATHS] * (kv - 1) - 2 * v[TRIANGLES]
    d[15] = inner - from_u - from_v - 2 * d[3] - d[8]
    d[16] = pairs_v * (ku - 1) + pairs_u * (kv - 1) - d[8]
    d[17] = triples_of(ku - 1) + triples_of(kv - 1)


@kernel
def finish_triangles(d: Int64Array, at: Int64Array, u: Int64Array, v: Int64Array) -> None:
    """Write the columns of triangles with leaves and tails, and of butterflies."""
    s, near = at[SUPPORT], at[NEAR]
    ku, kv = u[DEGREE], v[DEGREE]
    tu, tv = u[TRIANGLES] - s, v[TRIANGLES] - s
    thirds = d[7]
    sides = d[9]
    d[18] = u[LEAVES] + v[LEAVES] - d[8] - 2 * thirds - sides
    d[19] = (ku + kv - 4) * thirds - sides
    d[20] = s * ((ku - 2) * (kv - 2) - (s - 1))
    d[21] = u[PAW_TIPS] + v[PAW_TIPS] - tu - tv - sides
    d[22] = tu * (kv - 1) + tv * (ku - 1) - sides
    d[23] -= d[8] + sides + 2 * s
    d[24] = s * (u[PATHS] + v[PATHS] - ku - kv - 2 * s + 6) - 2 * near - sides
    d[25] = tu * (ku - 3) + tv * (kv - 3)
    d[27] = s * (pairs_of(ku - 2) + pairs_of(kv - 2))
    d[36] -= sides + s
    d[37] = s * (tu + tv) - sides


@kernel
def finish_denser(d: Int64Array, at: Int64Array, u: Int64Array, v: Int64Array) -> None:
    """Write the columns of squares, diamonds and 4-cliques with a leaf, of houses, gems and denser graphlets."""
    s, squares, q = at[SUPPORT], at[AT_SQUARES], at[AT_CLIQUES]
    ku, kv = u[DEGREE], v[DEGREE]
    thirds = d[7]
    sides = d[9]
    chords = d[10]
    d[29] = u[SQUARES] + v[SQUARES] - 2 * squares - 2 * chords
    d[30] -= sides
    d[31] = squares * (ku + kv - 4) - sides
    d[32] = u[ON_CHORD] + v[ON_CHORD] - 2 * chords - sides
    d[34] = at[LOW] * (ku - 3) + at[HIGH] * (kv - 3)
    d[35] = chords * (ku + kv - 6)
    d[38] = u[OFF_CHORD] + v[OFF_CHORD] - sides - 2 * q
    d[39] -= 2 * (sides + 2 * s) + d[8] + 4 * q
    d[40] = at[HIGH] * (ku - 2) + at[LOW] * (kv - 2) - 4 * q
    d[41] = (s - 1) * thirds - 2 * q
    d[43] -= sides
    d[44] -= 2 * sides
    d[45] -= 4 * chords + sides
    d[46] = squares * s - sides
    d[48] = triples_of(s)
    d[49] = u[CLIQUES] + v[CLIQUES] - 2 * q
    d[51] = q * (ku + kv - 6)
    d[52] -= sides + 4 * q
    d[53] -= 4 * chords + 4 * q
    d[54] -= 2 * q
    d[55] = (s - 1) * sides - 4 * q
    d[56] -= sides
    d[59] -= 4 * q
    d[62] = q * (s - 2)
