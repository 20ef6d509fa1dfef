"""The raw frequencies of the edge orbits of graphlets of three to five vertices, on the CPU.

Computes: for each edge and orbit, the copies of the graphlet, induced or not, in which the edge has the orbit's place.
Requires: an oriented graph.
Idea: as for the vertices (`five_vertex`): only squares, 5-cycles, wheels and cliques are enumerated. All others are put
  together from degrees, common neighbours, triangles and 4-cliques at edges and vertices, by the relations that
  ``tools/edge_orbit_relations.py`` proves; each comment there names the pattern of its columns. A leaf or a tail at a
  pattern is a product of counts at the two ends of the edge, or a sum over its triangles, less the copies in which the
  leaf is a vertex of the pattern. Sums that wrap around 2**64 on the way wrap back, because the net frequencies fit
  (`triadic.counts.graphlet_formulas`).
Cost: up to four vertices, triangles and 4-cliques, and 2-paths over larger ranks; up to five vertices that of
  `five_vertex`, about twice.

References
----------
Hočevar and Demšar (2016), Journal of Statistical Software 71 (10), for edge orbits and their numbers; Pinar, Seshadhri
and Vishal (2017), ESCAPE, WWW; Pashanasangi and Seshadhri (2020), EVOKE, WSDM, for patterns of five vertices by cutting
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.blocks import split, summed, zeros
from triadic.core.compiled import kernel
from triadic.core.oriented import as_unsigned, frozen, int_zeros, rows_of_entries
from triadic.devices.cpu.orbits import clique_walks, cycle_walks, edge_common_neighbours, orbit_sums
from triadic.devices.cpu.orbits.clique_walks import ORBITS_OF_EDGE_COLUMNS as ORBITS_OF_CLIQUES
from triadic.devices.cpu.orbits.edge_common_neighbours import ORBITS_OF_COLUMNS as ORBITS_OF_PAIRS
from triadic.devices.cpu.orbits.edge_common_neighbours import ORBITS_OF_WHEELS, EdgePairs
from triadic.devices.cpu.orbits.five_vertex import OrbitPasses
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
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented, Sizes
    from triadic.devices.cpu.orbits.whole_rows import Block, EdgeTriangles

    Ids = UnsignedArray

ORBITS_OF_FOUR = 12
ORBITS_OF_FIVE = 68


def bytes_of_orbits(sizes: Sizes, threads: int, *, orbits: int) -> int:
    """Return the bytes of the frequencies of so many orbits, of the rows and of the triangles at edges.

    Threads have sums of their own before there is room for the frequencies. A triangle takes 48 bytes; pairs of entries
    in one row stand for triangles, since about a third of the pairs are joined in networks with many triangles. The
    memory of triangles is checked once more when their number is known, and that of cliques of five vertices when the
    largest neighbourhood is known.
    """
    few = orbits == ORBITS_OF_FOUR
    edge = max(220, 48 + 8 * threads) if few else max(780, 128 + 16 * threads)
    vertex = max(160, 32 + (16 if few else 32) * threads)
    return round(vertex * sizes.vertices + edge * sizes.edges + 16 * sizes.row_pairs)


def by_edge(
    oriented: Oriented,
    entry: Int64Array | None = None,
    *,
    orbits: int,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the copies of the graphlets of three and four, or of three to five vertices: int64, shape (edges, orbits).

    Parameters
    ----------
    oriented : Oriented
    entry : int64 array, shape (edges,), optional
        Entries of the oriented rows, whose counts are returned in this order; by default all entries.
    orbits : {12, 68}
    threads : int
    progress : callable, optional
    """
    if entry is None:
        entry = np.arange(oriented.num_edges)
    raw = int_zeros((len(entry), orbits))
    if not oriented.num_edges:
        return raw
    passes = OrbitPasses(oriented, threads)
    rows, m, lower = passes.rows, float(passes.m), float(passes.lower.sum())
    sums = None
    if orbits == ORBITS_OF_FOUR:
        reports = split(progress, [3 * m, 2 * lower, m, m])
        listed = passes.list_triangles(reports[0])
        squares = _squares(passes, reports[1])
        cliques = passes.cliques(None, None, reports[2])
    else:
        walks = float(passes.paths.sum())
        reports = split(progress, [3 * m, 6 * walks, 2 * walks, 6 * lower, 2 * m, 10 * m])
        listed = passes.list_triangles(reports[0])
        pairs = _by_pairs(passes, reports[1])
        wheels = _wheels(passes, reports[2])
        cycles = passes.five_cycles(reports[3], at_edges=True)
        at_triangles = np.zeros(int(listed.ptr[-1]), np.int32)
        of_cliques = int_zeros((passes.m, clique_walks.EDGE_COLUMNS))
        cliques = passes.cliques(None, (at_triangles, of_cliques.reshape(-1)), reports[4])
        squares = np.ascontiguousarray(pairs[:, edge_common_neighbours.SQUARES])
        sums = EdgeSums(listed, pairs, wheels, cycles, of_cliques, at_triangles)
    at_edge = passes.edge_counts(squares, cliques)
    del squares, cliques
    at_vertex = int_zeros((passes.n, orbit_sums.VERTEX_COLUMNS))
    passes.run(passes.degree, orbit_sums.sum_over_edges, rows, at_edge, None, None, at_vertex)
    passes.run(passes.degree, orbit_sums.sum_over_neighbours, rows, None, at_vertex)
    ends = as_unsigned(oriented.indices)
    entries = Entries(rows_of_entries(oriented.indptr, ends.dtype), ends, frozen(entry))
    cost = listed.support[entry]
    passes.run(cost, write_rows, entries, at_edge, at_vertex, sums, raw, progress=reports[-1])
    return raw


def _squares(passes: OrbitPasses, progress: Progress | None) -> Int64Array:
    """Return the squares at each edge."""
    sums = zeros(passes.threads, passes.m, np.int64)
    own = [(int_zeros((passes.n, 1)), None, worker) for worker in sums]
    passes.run(2 * passes.lower, cycle_walks.add_squares, passes.rows, own=own, progress=progress)
    return summed(sums, threads=passes.threads)


def _by_pairs(passes: OrbitPasses, progress: Progress | None) -> Int64Array:
    """Return the sums of `edge_common_neighbours` at each edge."""
    rows, support, n = passes.rows, passes.triangles.support, passes.n
    at_edge = int_zeros(passes.m * edge_common_neighbours.COLUMNS)
    degrees = np.stack([int_zeros(n), passes.degree - 2], axis=1)
    own = [(EdgePairs(int_zeros(n), degrees.copy(), int_zeros(n)),) for _ in range(passes.threads)]
    cost = passes.paths + passes.at_edges(support * (support - 1))
    row_support = support.astype(np.int32)[rows.edges]
    walk = edge_common_neighbours.add_by_pairs
    passes.run(cost, walk, rows, passes.triangles, row_support, at_edge, own=own, progress=progress)
    return at_edge.reshape(-1, edge_common_neighbours.COLUMNS)


def _wheels(passes: OrbitPasses, progress: Progress | None) -> Int64Array:
    """Return the wheels at each edge, twice at the spokes."""
    listed = passes.triangles
    sums = zeros(passes.threads, (passes.m, edge_common_neighbours.WHEEL_COLUMNS), np.int64)
    own = [(int_zeros(passes.n + 1), worker) for worker in sums]
    cost = passes.at_edges(listed.support**2)
    passes.run(cost, edge_common_neighbours.add_wheels, passes.rows, listed, own=own, progress=progress)
    return summed(sums, threads=passes.threads)


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
def write_rows(  # noqa: PLR0915 - all loops of a kernel are in one function
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
        (triangle_ptr, third, low, high, _), pairs, wheels, cycles, cliques, at_triangles = sums
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
            for column, orbit in enumerate(ORBITS_OF_PAIRS):
                d[orbit] = pairs[e, column]
            for column, orbit in enumerate(ORBITS_OF_WHEELS):
                d[orbit] = wheels[e, column]
            for column, orbit in enumerate(ORBITS_OF_CLIQUES):
                d[orbit] = cliques[e, column]
            for orbit in (58, 60, 64):
                d[orbit] >>= 1
            for p in range(triangle_ptr[e], triangle_ptr[e + 1]):
                w = np.int64(third[p])
                near = at_vertex[w]
                uw, vw = at_edge[np.int64(low[p])], at_edge[np.int64(high[p])]
                k = near[DEGREE]
                a, b = uw[SUPPORT] - 1, vw[SUPPORT] - 1
                shared = np.int64(at_triangles[p])
                d[23] += near[PATHS]
                d[26] += pairs_of(k - 2)
                d[33] += (a + b) * (k - 3)
                d[36] += near[TRIANGLES]
                d[39] += uw[NEAR] + vw[NEAR]
                d[45] += uw[AT_SQUARES] + vw[AT_SQUARES]
                d[47] += (a * (a - 1) >> 1) + (b * (b - 1) >> 1)
                # Diamonds with an edge to w as a side, whose chord ends at w, or at u or v.
                at_w = (uw[LOW] if w > first else uw[HIGH]) + (vw[LOW] if w > second else vw[HIGH])
                d[52] += at_w
                d[53] += uw[LOW] + uw[HIGH] + vw[LOW] + vw[HIGH] - at_w
                d[54] += a * b
                d[59] += uw[AT_CLIQUES] + vw[AT_CLIQUES]
                if shared > 0:
                    d[50] += shared * (k - 3)
                    d[61] += shared * (a + b - 2)
                    d[66] += shared * (shared - 1) >> 1
            finish(d, at, u, v)


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
