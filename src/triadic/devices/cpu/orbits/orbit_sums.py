"""The raw frequencies of all 73 orbits at each vertex, from the counts of the other passes, by sums over rows.

Computes: the columns of `raw`, by the relations that ``tools/orbit_relations.py`` proves; each comment there names the
  pattern of its columns.
Requires: whole rows, triangles at each edge, and the sums of `clique_walks`, `common_neighbours` and `cycle_walks`.
Idea: a leaf or a tail at a pattern is a sum over neighbours, less the copies in which the leaf is a vertex of the
  pattern. Three sweeps, since some sums are over values of neighbours that are sums themselves.
Cost: O(edges) thrice, O(triangles) once. Sums that wrap around 2**64 on the way wrap back, because the net
  frequencies fit (`triadic.measures.graphlets.orbit_formulas`).

References
----------
Pinar, Seshadhri and Vishal (2017), ESCAPE, WWW; Pashanasangi and Seshadhri (2020), EVOKE, WSDM: the patterns of five
vertices by cutting them. Hočevar and Demšar (2014), Bioinformatics 30, 559, for the numbers of the orbits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.orbits.clique_walks import FOUR, ORBIT_66, ORBIT_70, ORBIT_71, ORBIT_72
from triadic.devices.cpu.orbits.common_neighbours import (
    FAR_TRIANGLES,
    HUB,
    ORBIT_49,
    ORBIT_50,
    ORBIT_62,
    ORBIT_63,
    ORBIT_64,
    RIM,
    SQUARE_DEGREES,
    SQUARES,
)

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array, UnsignedArray

    Ids = UnsignedArray


@kernel
def pairs_of(x: int) -> int:
    """Return C(x, 2), also where x (x - 1) exceeds 64 bits."""
    return (x >> 1) * (x - 1) if x & 1 == 0 else x * (x - 1 >> 1)


@kernel
def triples_of(x: int) -> int:
    """Return C(x, 3), also where the product exceeds 64 bits."""
    pairs = pairs_of(x)
    return pairs // 3 * (x - 2) + pairs % 3 * (x - 2) // 3


@kernel
def fours_of(x: int) -> int:
    """Return C(x, 4), also where the product exceeds 64 bits."""
    triples = triples_of(x)
    return triples // 4 * (x - 3) + triples % 4 * (x - 3) // 4


@kernel
def sum_over_edges(
    ptr: Int64Array,
    ends: Ids,
    edges: Ids,
    support: Int64Array,
    near: Int64Array,
    squares: Int64Array,
    cliques: Int64Array,
    at_cliques: Int64Array,
    at_pairs: Int64Array,
    at_cycles: Int64Array,
    first: int,
    last: int,
    raw: Int64Array,
) -> None:
    """Write the columns that need the degrees of neighbours, and counts at the edges of a vertex."""
    for u in range(first, last):
        d = raw[u]
        k = ptr[u + 1] - ptr[u]
        d[0] = k
        d[2] = pairs_of(k)
        d[7] = triples_of(k)
        d[23] = fours_of(k)
        d[14] = at_cliques[u, FOUR] // 3
        for i in range(ptr[u], ptr[u + 1]):
            x = np.int64(ends[i])
            e = np.int64(edges[i])
            kx = ptr[x + 1] - ptr[x]
            pairs = pairs_of(kx - 1)
            d[17] += (kx - 1) * d[1]  # pairs of neighbours: d[1] holds the neighbours before
            d[1] += kx - 1
            d[6] += pairs
            d[22] += triples_of(kx - 1)
            if squares[e] > 0:
                d[37] += squares[e] * (kx - 2)
            s = support[e]
            if s == 0:
                continue
            d[3] += s
            d[10] += s * (kx - 2)
            d[32] += s * pairs_of(kx - 2)
            chords = s * (s - 1) >> 1
            d[13] += chords
            d[41] += chords * (kx - 3)
            d[43] -= s * s
            d[48] += (s - 1) * (near[e] - 2 * s)
            d[53] += squares[e] * s
            d[55] += triples_of(s)
            q = cliques[e] >> 1
            d[57] += q * (kx - 3)
            d[67] += q * (s - 2)
        d[3] >>= 1
        d[8] = at_pairs[u, SQUARES]
        d[34] = at_cycles[u]
        d[36] = at_pairs[u, SQUARE_DEGREES] - d[13]
        d[49] = at_pairs[u, ORBIT_49]
        d[50] = at_pairs[u, ORBIT_50]
        d[51] = at_pairs[u, FAR_TRIANGLES]
        d[62] = at_pairs[u, ORBIT_62] - d[13]
        d[63] = at_pairs[u, ORBIT_63]
        d[64] = at_pairs[u, ORBIT_64]
        d[66] = at_cliques[u, ORBIT_66]
        d[68] = at_pairs[u, RIM]
        d[69] = at_pairs[u, HUB]
        d[70] = at_cliques[u, ORBIT_70]
        d[71] = at_cliques[u, ORBIT_71]
        d[72] = at_cliques[u, ORBIT_72]


@kernel
def sum_over_triangles(
    ptr: Int64Array,
    ends: Ids,
    edges: Ids,
    triangle_ptr: Int64Array,
    third: Ids,
    low: Ids,
    high: Ids,
    support: Int64Array,
    near: Int64Array,
    beside: Int64Array,
    squares: Int64Array,
    cliques: Int64Array,
    first: int,
    last: int,
    raw: Int64Array,
) -> None:
    """Add the columns that are sums over the triangles {u, x, y} of a vertex, by values of their edges."""
    for u in range(first, last):
        d = raw[u]
        for i in range(ptr[u], ptr[u + 1]):
            x = np.int64(ends[i])
            e = np.int64(edges[i])
            kx = ptr[x + 1] - ptr[x]
            lower = x > u  # x is then the end of lower degree
            for t in range(triangle_ptr[e + 1] - 1, triangle_ptr[e] - 1, -1):
                y = np.int64(third[t])
                if y < x:
                    break
                xy, uy = (np.int64(low[t]), np.int64(high[t])) if lower else (np.int64(high[t]), np.int64(low[t]))
                ky = ptr[y + 1] - ptr[y]
                others = support[xy] - 1
                at_x = support[e] - 1
                at_y = support[uy] - 1
                d[12] += others
                d[25] += (kx - 2) * (ky - 2) - others
                d[40] += others * (kx + ky - 6)
                d[46] += near[xy] - 2 * others
                d[52] += squares[xy]
                d[54] += others * (others - 1) >> 1
                d[59] += beside[xy]
                d[60] += others * (at_x + at_y)
                d[61] += at_x * at_y
                d[65] += cliques[xy] >> 1


@kernel
def sum_over_neighbours(
    ptr: Int64Array,
    ends: Ids,
    edges: Ids,
    support: Int64Array,
    first: int,
    last: int,
    raw: Int64Array,
) -> None:
    """Write the columns that are sums over neighbours, and complete the columns begun by `sum_over_edges`."""
    for u in range(first, last):
        d = raw[u]
        k = d[0]
        paths = 0
        triangles = 0
        forks = 0
        for i in range(ptr[u], ptr[u + 1]):
            x = np.int64(ends[i])
            s = support[np.int64(edges[i])]
            near = raw[x]
            kx = near[0]
            paths += near[1]
            triangles += near[3]
            forks += near[6]
            d[19] += near[1] * (kx - 2) - 2 * near[3] - (k - 1) * (kx - 2)
            d[24] += near[10]
            d[29] += s * (near[1] - (kx - 1))
            d[31] += (near[3] - s) * (kx - 3)
            d[35] += near[8]
            d[39] += near[13]
            d[43] += s * near[3]
            d[45] += near[12]
            d[56] += near[14]
        finish(d, paths, triangles, forks)


@kernel
def finish(d: Int64Array, paths: int, triangles: int, forks: int) -> None:
    """Take copies that fold away from the columns of a vertex, and write columns that are products.

    Parameters
    ----------
    d : int64 array, shape (73,)
        The columns.
    paths, triangles, forks : int
        Sums over the neighbours of 2-paths that end there, of triangles, and of claws with a leaf there.
    """
    k = d[0]
    t = d[3]
    squares, off, on, four = d[8], d[12], d[13], d[14]
    at_leaves = d[10]  # degrees less 2 of the two other vertices of all triangles
    at_ends = at_leaves + 2 * t
    d[4] = paths - k * (k - 1) - 2 * t
    d[5] = d[1] * (k - 1) - 2 * t
    d[9] = triangles - 2 * t
    d[11] = (k - 2) * t
    d[17] -= at_leaves + t + squares
    d[18] = forks - k * pairs_of(k - 1) - at_leaves
    d[19] += 4 * t - at_leaves
    d[20] = (k - 1) * d[6] - at_leaves
    d[21] = d[1] * pairs_of(k - 1) - 2 * t * (k - 2)
    d[24] -= 2 * t * (k - 2) + at_leaves + 2 * off
    d[26] = (k - 2) * at_leaves - 2 * on
    d[28] = (k - 1) * d[9] - 2 * off
    d[29] -= 2 * t * (k - 1) + 2 * on + 2 * off
    d[30] = t * d[1] - at_ends - 2 * on
    d[33] = t * pairs_of(k - 2)
    d[35] -= 2 * squares + on
    d[37] -= 2 * off
    d[38] = squares * (k - 2) - on
    d[39] -= on + 2 * off
    d[42] = on * (k - 3)
    d[43] -= 2 * off
    d[44] = pairs_of(t) - on
    d[45] -= 2 * on + 3 * four
    d[46] -= k * t + 3 * four
    d[47] = off * (k - 2) - 3 * four
    d[48] -= 6 * four
    d[51] -= 2 * on + 2 * off
    d[52] -= 2 * on
    d[53] -= 2 * on + 2 * off
    d[56] -= 3 * four
    d[58] = four * (k - 3)
    d[59] -= 2 * on + 6 * four
    d[60] -= 6 * four
    d[61] -= 3 * four
    d[65] -= 3 * four


@kernel
def sum_over_paths(ptr: Int64Array, ends: Ids, first: int, last: int, raw: Int64Array) -> None:
    """Write the columns that need sums over the neighbours of neighbours."""
    for u in range(first, last):
        d = raw[u]
        k = d[0]
        t = d[3]
        squares, on = d[8], d[13]
        paths = 0
        triangles = 0
        for i in range(ptr[u], ptr[u + 1]):
            near = raw[np.int64(ends[i])]
            paths += near[4]
            triangles += near[9] + 2 * near[3]
        d[15] = paths - (k - 1) * d[1] + 2 * t - 2 * t * (k - 2) - 2 * squares
        d[16] = d[4] * (k - 1) - d[10] - 2 * squares
        d[27] = triangles - 2 * (d[9] + 2 * t) - k * t + 2 * t - 2 * on
