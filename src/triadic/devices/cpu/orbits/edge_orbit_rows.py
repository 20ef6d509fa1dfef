"""The raw frequencies of the edge orbits at each edge, from the counts of the other passes.

Computes: the 12 or 68 columns of `raw` at given edges, by the relations that ``tools/edge_orbit_relations.py`` proves;
  each comment there names the pattern of its columns.
Requires: the counts of `orbit_sums` at edges and at vertices; for 68 columns those of `edge_common_neighbours`,
  `cycle_walks` and `clique_walks`.
Idea: a leaf or a tail at a pattern is a product of counts at the two ends of the edge, or a sum over its triangles,
  less the copies in which the leaf is a vertex of the pattern.
Cost: O(1) for an edge and for each of its triangles. Sums that wrap around 2**64 on the way wrap back, because the net
  frequencies fit (`triadic.measures.graphlets.formulas`).

References
----------
Hočevar and Demšar (2016), Journal of Statistical Software 71 (10), for the numbers of the orbits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.compiled import kernel
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
from triadic.devices.cpu.orbits.orbit_sums import (
    AT_CLIQUES,
    AT_SQUARES,
    CLAWS,
    CLIQUES,
    DEGREE,
    HIGH,
    LEAVES,
    LONG_PATHS,
    LOW,
    NEAR,
    OFF_CHORD,
    ON_CHORD,
    PATHS,
    PAW_TIPS,
    SQUARES,
    SUPPORT,
    TRIANGLES,
    pairs_of,
    triples_of,
)

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray
    from triadic.devices.cpu.orbits.whole_rows import Block, EdgeTriangles

    Ids = UnsignedArray


class Entries(NamedTuple):
    """Ends of lower and of higher degree of each edge, shape (m,), and the edge of each row of the result."""

    lower: Ids
    indices: Ids
    entry: Int64Array


class EdgeSums(NamedTuple):
    """Triangles at edges, and the sums of `edge_common_neighbours`, 5-cycles, and the sums of `clique_walks`."""

    listed: EdgeTriangles
    pairs: Int64Array
    wheels: Int64Array
    cycles: Int64Array
    cliques: Int64Array
    at_triangles: Int32Array


@kernel
def write_rows(
    block: Block,
    entries: Entries,
    at_edge: Int64Array,
    at_vertex: Int64Array,
    sums: EdgeSums | None,
    raw: Int64Array,
) -> None:
    """Write the 12 columns of the rows of `raw` in the block; with `sums` all 68 columns."""
    lower, indices, entry = entries
    if sums is not None:
        listed, pairs, wheels, cycles, cliques, at_triangles = sums
    for row in range(*block):
        e = entry[row]
        first, second = np.int64(lower[e]), np.int64(indices[e])
        d, at, u, v = raw[row], at_edge[e], at_vertex[first], at_vertex[second]
        s, squares, q = at[SUPPORT], at[AT_SQUARES], at[AT_CLIQUES]
        ku, kv = u[DEGREE], v[DEGREE]
        sides = at[LOW] + at[HIGH]
        d[0] = ku + kv - 2
        d[1] = s
        d[2] = u[PATHS] + v[PATHS] - (ku + kv - 2) - 2 * s
        d[3] = (ku - 1) * (kv - 1) - s
        d[4] = pairs_of(ku - 1) + pairs_of(kv - 1)
        d[5] = squares
        d[6] = u[TRIANGLES] + v[TRIANGLES] - 2 * s
        d[7] = at[NEAR] - 2 * s
        d[8] = s * (ku + kv - 4)
        d[9] = sides
        d[10] = s * (s - 1) >> 1
        d[11] = q
        if sums is not None:
            d[28] = cycles[e]
            d[30] = pairs[e, SQUARE_DEGREES]
            d[42] = pairs[e, ORBIT_42]
            d[43] = pairs[e, FLOORS]
            d[44] = pairs[e, WALLS]
            d[56] = pairs[e, ORBIT_56]
            d[57] = pairs[e, ORBIT_57]
            d[58] = pairs[e, ORBIT_58] >> 1
            d[60] = cliques[e, ORBIT_60] >> 1
            d[63] = wheels[e, RIM]
            d[64] = wheels[e, SPOKE] >> 1
            d[65] = cliques[e, ORBIT_65]
            d[67] = cliques[e, ORBIT_67]
            add_triangles(d, (e, first, second), listed, at_triangles, at_edge, at_vertex)
            finish(d, at, u, v)


@kernel
def add_triangles(
    d: Int64Array,
    edge: tuple[np.int64, np.int64, np.int64],
    listed: EdgeTriangles,
    cliques: Int32Array,
    at_edge: Int64Array,
    at_vertex: Int64Array,
) -> None:
    """Write the sums over the triangles of the edge {u, v}, by values of their edges."""
    e, u, v = edge
    triangle_ptr, third, low, high, _ = listed
    d23 = d26 = d33 = d36 = d39 = d45 = d47 = d50 = d52 = d53 = d54 = d59 = d61 = d66 = np.int64(0)
    for p in range(triangle_ptr[e], triangle_ptr[e + 1]):
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
def finish(d: Int64Array, at: Int64Array, u: Int64Array, v: Int64Array) -> None:
    """Write the columns of five vertices: products, and sums less the copies that fold.

    Parameters
    ----------
    d : int64 array, shape (68,)
        The columns of an edge.
    at, u, v : int64 array
        Counts at the edge, and at its ends of lower and of higher degree.
    """
    s, squares, q = at[SUPPORT], at[AT_SQUARES], at[AT_CLIQUES]
    ku, kv = u[DEGREE], v[DEGREE]
    sides = d[9]
    # Paths, forks and stars.
    from_u = u[PATHS] - (kv - 1) - s  # 2-paths from u that do not pass v
    from_v = v[PATHS] - (ku - 1) - s
    pairs_u, pairs_v = pairs_of(ku - 1), pairs_of(kv - 1)
    d[12] = u[LONG_PATHS] + v[LONG_PATHS] - from_u - from_v - d[8] - 2 * squares
    d[13] = (ku - 1) * from_v + (kv - 1) * from_u - 2 * d[7] - 2 * squares
    d[14] = u[CLAWS] + v[CLAWS] - pairs_u - pairs_v - 2 * d[7]
    inner = u[PATHS] * (ku - 1) - 2 * u[TRIANGLES] + v[PATHS] * (kv - 1) - 2 * v[TRIANGLES]
    d[15] = inner - from_u - from_v - 2 * d[3] - d[8]
    d[16] = pairs_v * (ku - 1) + pairs_u * (kv - 1) - d[8]
    d[17] = triples_of(ku - 1) + triples_of(kv - 1)
    # Triangles with leaves and tails, and butterflies.
    tu, tv = u[TRIANGLES] - s, v[TRIANGLES] - s
    d[18] = u[LEAVES] + v[LEAVES] - d[8] - 2 * d[7] - sides
    d[19] = (ku + kv - 4) * d[7] - sides
    d[20] = s * ((ku - 2) * (kv - 2) - (s - 1))
    d[21] = u[PAW_TIPS] + v[PAW_TIPS] - tu - tv - sides
    d[22] = tu * (kv - 1) + tv * (ku - 1) - sides
    d[23] -= d[8] + sides + 2 * s
    d[24] = s * (u[PATHS] + v[PATHS] - ku - kv - 2 * s + 6) - 2 * at[NEAR] - sides
    d[25] = tu * (ku - 3) + tv * (kv - 3)
    d[27] = s * (pairs_of(ku - 2) + pairs_of(kv - 2))
    d[36] -= sides + s
    d[37] = s * (tu + tv) - sides
    # Squares, diamonds and 4-cliques with a leaf; houses, gems and denser graphlets.
    d[29] = u[SQUARES] + v[SQUARES] - 2 * squares - 2 * d[10]
    d[30] -= sides
    d[31] = squares * (ku + kv - 4) - sides
    d[32] = u[ON_CHORD] + v[ON_CHORD] - 2 * d[10] - sides
    d[34] = at[LOW] * (ku - 3) + at[HIGH] * (kv - 3)
    d[35] = d[10] * (ku + kv - 6)
    d[38] = u[OFF_CHORD] + v[OFF_CHORD] - sides - 2 * q
    d[39] -= 2 * (sides + 2 * s) + d[8] + 4 * q
    d[40] = at[HIGH] * (ku - 2) + at[LOW] * (kv - 2) - 4 * q
    d[41] = (s - 1) * d[7] - 2 * q
    d[43] -= sides
    d[44] -= 2 * sides
    d[45] -= 4 * d[10] + sides
    d[46] = squares * s - sides
    d[48] = triples_of(s)
    d[49] = u[CLIQUES] + v[CLIQUES] - 2 * q
    d[51] = q * (ku + kv - 6)
    d[52] -= sides + 4 * q
    d[53] -= 4 * d[10] + 4 * q
    d[54] -= 2 * q
    d[55] = (s - 1) * sides - 4 * q
    d[56] -= sides
    d[59] -= 4 * q
    d[62] = q * (s - 2)
