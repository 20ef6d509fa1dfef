"""The raw frequencies of all 73 orbits at each vertex, from the counts of the other passes, by sums over rows.

Computes: the columns of `raw`, by the relations that ``tools/orbit_relations.py`` proves; each comment there names the
  pattern of its columns. Counts at edges of shape (m, EDGE_COLUMNS): triangles, degrees of their third vertices,
  diamonds, squares and 4-cliques. The columns of up to four vertices alone serve the orbits at edges.
Requires: whole rows, triangles at each edge, squares and 4-cliques at each edge; for more than four vertices the sums
  of `clique_walks`, `common_neighbours` and `cycle_walks`.
Idea: a leaf or a tail at a pattern is a sum over neighbours, less the copies in which the leaf is a vertex of the
  pattern. Three sweeps, since some sums are over values of neighbours that are sums themselves. Counts that are read
  together stand side by side in memory.
Cost: O(edges) thrice, O(triangles) twice. Sums that wrap around 2**64 on the way wrap back, because the net
  frequencies fit (`triadic.counts.graphlet_formulas`).

References
----------
Pinar, Seshadhri and Vishal (2017), ESCAPE, WWW; Pashanasangi and Seshadhri (2020), EVOKE, WSDM: the patterns of five
vertices by cutting them. Hočevar and Demšar (2014), Bioinformatics 30, 559, for the numbers of the orbits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.orbits.clique_walks import ORBITS_OF_COLUMNS as ORBITS_OF_CLIQUES
from triadic.devices.cpu.orbits.common_neighbours import HALVES, ODD
from triadic.devices.cpu.orbits.common_neighbours import ORBITS_OF_COLUMNS as ORBITS_OF_PAIRS
from triadic.devices.cpu.orbits.whole_rows import other_edges

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array
    from triadic.devices.cpu.orbits.whole_rows import Block, EdgeTriangles, WholeRows

EDGE_COLUMNS = 8  # one more for the alignment
SUPPORT, NEAR, LOW, HIGH, AT_SQUARES, AT_CLIQUES = range(6)
"""Triangles, degrees of their third vertices, diamonds with the edge as a side whose chord ends at the end of lower and
at that of higher degree, squares, 4-cliques."""

VERTEX_COLUMNS = 16  # two more for the alignment
DEGREE, PATHS, TRIANGLES, LONG_PATHS, CLAWS, SQUARES = 0, 1, 3, 4, 6, 8
PAW_TIPS, LEAVES, OFF_CHORD, ON_CHORD, CLIQUES = 9, 10, 12, 13, 14
"""Degree; 2-paths from the vertex, triangles, 3-paths from the vertex, claws with the vertex as a leaf, squares, paws
with the vertex as a leaf, leaves at the other vertices of its triangles, diamonds off and on the chord, 4-cliques: the
columns of these orbits."""


class VertexSums(NamedTuple):
    """The sums of `common_neighbours`, 5-cycles, and the sums of `clique_walks` at each vertex."""

    pairs: Int64Array
    cycles: Int64Array
    cliques: Int64Array


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
def write_edges(
    block: Block,
    listed: EdgeTriangles,
    degree: Int64Array,
    squares: Int64Array,
    cliques: Int64Array,
    at_edge: Int64Array,
) -> None:
    """Write the counts at the edges in the block; `cliques` holds twice the 4-cliques at each edge."""
    triangle_ptr, third, low, high, support = listed
    for e in range(*block):
        degrees = np.int64(0)
        at_low = np.int64(0)
        at_high = np.int64(0)
        for p in range(triangle_ptr[e], triangle_ptr[e + 1]):
            degrees += degree[np.int64(third[p])]
            at_low += support[np.int64(low[p])] - 1
            at_high += support[np.int64(high[p])] - 1
        d = at_edge[e]
        d[SUPPORT] = support[e]
        d[NEAR] = degrees
        d[LOW] = at_low
        d[HIGH] = at_high
        d[AT_SQUARES] = squares[e]
        d[AT_CLIQUES] = cliques[e] >> 1


@kernel
def sum_over_edges(  # noqa: PLR0915 - all loops of a kernel are in one function
    block: Block,
    rows: WholeRows,
    at_edge: Int64Array,
    listed: EdgeTriangles | None,
    sums: VertexSums | None,
    raw: Int64Array,
) -> None:
    """Write the columns that need the degrees of neighbours, and counts at the edges of a vertex.

    With `listed` and `sums` also those of five vertices, some of which are sums over the triangles {u, x, y} of u.
    """
    ptr, ends, edges, _ = rows
    if listed is not None:
        triangle_ptr, third, low, high, _ = listed
    if sums is not None:
        at_pairs, at_cycles, at_cliques = sums
    for u in range(*block):
        d = raw[u]
        k = ptr[u + 1] - ptr[u]
        for i in range(ptr[u], ptr[u + 1]):
            x = np.int64(ends[i])
            e = np.int64(edges[i])
            near = at_edge[e]
            s, squares, q = near[SUPPORT], near[AT_SQUARES], near[AT_CLIQUES]
            kx = ptr[x + 1] - ptr[x]
            chords = s * (s - 1) >> 1
            if sums is not None:
                d[17] += (kx - 1) * d[PATHS]  # pairs of neighbours: of the neighbours before
                d[22] += triples_of(kx - 1)
                d[37] += squares * (kx - 2)
            d[PATHS] += kx - 1
            d[TRIANGLES] += s
            d[CLAWS] += pairs_of(kx - 1)
            d[SQUARES] += squares
            d[LEAVES] += s * (kx - 2)
            d[OFF_CHORD] += near[LOW] if x > u else near[HIGH]
            d[ON_CHORD] += chords
            d[CLIQUES] += q
            if sums is not None and s > 0:
                d[32] += s * pairs_of(kx - 2)
                d[41] += chords * (kx - 3)
                d[43] -= s * s
                d[48] += (s - 1) * (near[NEAR] - 2 * s)
                d[53] += squares * s
                d[55] += triples_of(s)
                d[57] += q * (kx - 3)
                d[67] += q * (s - 2)
            if listed is not None:
                for t in range(triangle_ptr[e + 1] - 1, triangle_ptr[e] - 1, -1):
                    y = np.int64(third[t])
                    if y < x:
                        break
                    xy, uy = other_edges(low, high, t, x > u)
                    across = at_edge[xy]
                    ky = ptr[y + 1] - ptr[y]
                    others = across[SUPPORT] - 1
                    at_x = s - 1
                    at_y = at_edge[uy, SUPPORT] - 1
                    d[25] += (kx - 2) * (ky - 2) - others
                    d[40] += others * (kx + ky - 6)
                    d[46] += across[NEAR] - 2 * others
                    d[52] += across[AT_SQUARES]
                    d[54] += others * (others - 1) >> 1
                    d[59] += across[LOW] + across[HIGH]
                    d[60] += others * (at_x + at_y)
                    d[61] += at_x * at_y
                    d[65] += across[AT_CLIQUES]
        d[DEGREE] = k
        d[TRIANGLES] >>= 1
        d[SQUARES] >>= 1
        d[OFF_CHORD] >>= 1
        d[CLIQUES] //= 3
        if sums is not None:
            d[2] = pairs_of(k)
            d[7] = triples_of(k)
            d[23] = d[7] // 4 * (k - 3) + d[7] % 4 * (k - 3) // 4  # C(k, 4), also where a product exceeds 64 bits
            d[34] = at_cycles[u]
            for column, orbit in enumerate(ORBITS_OF_PAIRS):
                d[orbit] = at_pairs[u, column]
            d[69] = at_pairs[u, HALVES] + (at_pairs[u, ODD] >> 1)
            for column, orbit in enumerate(ORBITS_OF_CLIQUES):
                d[orbit] = at_cliques[u, column]


@kernel
def sum_over_neighbours(block: Block, rows: WholeRows, at_edge: Int64Array | None, raw: Int64Array) -> None:
    """Write the 3-paths from each vertex and the paws of which it is a leaf, which are sums over neighbours.

    With `at_edge` also the columns of five vertices, and complete those begun by `sum_over_edges`.
    """
    ptr, ends, edges, _ = rows
    for u in range(*block):
        d = raw[u]
        k = d[DEGREE]
        paths = np.int64(0)
        triangles = np.int64(0)
        forks = np.int64(0)
        for i in range(ptr[u], ptr[u + 1]):
            near = raw[np.int64(ends[i])]
            paths += near[PATHS]
            triangles += near[TRIANGLES]
            if at_edge is not None:
                s = at_edge[np.int64(edges[i]), SUPPORT]
                kx = near[DEGREE]
                forks += near[CLAWS]
                d[19] += near[1] * (kx - 2) - 2 * near[3] - (k - 1) * (kx - 2)
                d[24] += near[10]
                d[29] += s * (near[1] - (kx - 1))
                d[31] += (near[3] - s) * (kx - 3)
                d[35] += near[8]
                d[39] += near[13]
                d[43] += s * near[3]
                d[45] += near[12]
                d[56] += near[14]
        d[LONG_PATHS] = paths - k * (k - 1) - 2 * d[TRIANGLES]
        d[PAW_TIPS] = triangles - 2 * d[TRIANGLES]
        if at_edge is not None:
            finish(d, forks)


@kernel
def finish(d: Int64Array, forks: np.int64) -> None:
    """Take copies that fold away from the columns of a vertex, and write columns that are products.

    Parameters
    ----------
    d : int64 array, shape (73,)
        The columns.
    forks : int
        Sum over the neighbours of claws with a leaf there.
    """
    k = d[0]
    t = d[3]
    squares, off, on, four = d[8], d[12], d[13], d[14]
    at_leaves = d[10]  # degrees less 2 of the two other vertices of all triangles
    at_ends = at_leaves + 2 * t
    d[5] = d[1] * (k - 1) - 2 * t
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
    d[36] -= on
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
    d[62] -= on
    d[65] -= 3 * four


@kernel
def sum_over_paths(block: Block, rows: WholeRows, raw: Int64Array) -> None:
    """Write the columns that need sums over the neighbours of neighbours."""
    ptr, ends, _, _ = rows
    for u in range(*block):
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
