"""The raw frequencies of the edge orbits of graphlets of three to five vertices, on the CPU.

Computes: for each edge and orbit, the copies of the graphlet, induced or not, in which the edge has the orbit's place.
Requires: an oriented graph.
Idea: as for the vertices (`five_vertex`): only squares, 5-cycles, wheels and cliques are enumerated. All others are put
  together from degrees, common neighbours, triangles and 4-cliques at edges and vertices (`edge_orbit_rows`).
Cost: up to four vertices, triangles and 4-cliques, and 2-paths over larger ranks; up to five vertices that of
  `five_vertex`, about twice.

References
----------
Hočevar and Demšar (2016), Journal of Statistical Software 71 (10), for edge orbits; Pinar, Seshadhri and Vishal (2017),
ESCAPE, WWW; Pashanasangi and Seshadhri (2020), EVOKE, WSDM, for patterns of five vertices by cutting them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import split
from triadic.core.oriented import as_unsigned, frozen
from triadic.devices.cpu.orbits import clique_walks, cycle_walks, edge_common_neighbours, orbit_sums
from triadic.devices.cpu.orbits.edge_common_neighbours import EdgePairs
from triadic.devices.cpu.orbits.edge_orbit_rows import EdgeSums, Entries, write_rows
from triadic.devices.cpu.orbits.five_vertex import OrbitPasses, ints
from triadic.devices.cpu.vertex_arrays import summed, zeros

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented, Sizes

ORBITS_OF_FOUR = 12
ORBITS_OF_FIVE = 68


def bytes_of_four(sizes: Sizes, threads: int) -> int:
    """Return the bytes of the frequencies of up to four vertices, of the rows and of the triangles at edges.

    Threads have sums of their own before there is room for the frequencies. A triangle takes 48 bytes; pairs of entries
    in one row stand for triangles, since about a third of the pairs are joined in networks with many triangles. The
    memory of triangles is checked once more when their number is known.
    """
    edge, vertex = max(220, 48 + 8 * threads), max(160, 32 + 16 * threads)
    return round(vertex * sizes.vertices + edge * sizes.edges + 16 * sizes.row_pairs)


def bytes_of_five(sizes: Sizes, threads: int) -> int:
    """Return the bytes of the frequencies of up to five vertices, of the rows and of the triangles at edges.

    As `bytes_of_four`. The memory of cliques is checked once more when the largest neighbourhood is known.
    """
    edge, vertex = max(780, 128 + 16 * threads), max(160, 32 + 32 * threads)
    return round(vertex * sizes.vertices + edge * sizes.edges + 16 * sizes.row_pairs)


def four_by_edge(
    oriented: Oriented,
    entry: Int64Array | None = None,
    *,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the copies of the graphlets of three and four vertices: int64, shape (edges, 12).

    Parameters
    ----------
    oriented : Oriented
    entry : int64 array, shape (edges,), optional
        Entries of the oriented rows, whose counts are returned in this order; by default all entries.
    """
    return _by_edge(oriented, entry, ORBITS_OF_FOUR, threads, progress)


def five_by_edge(
    oriented: Oriented,
    entry: Int64Array | None = None,
    *,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the copies of the graphlets of three to five vertices: int64, shape (edges, 68); as `four_by_edge`."""
    return _by_edge(oriented, entry, ORBITS_OF_FIVE, threads, progress)


def _by_edge(
    oriented: Oriented, entry: Int64Array | None, orbits: int, threads: int, progress: Progress | None
) -> Int64Array:
    if entry is None:
        entry = np.arange(oriented.num_edges)
    raw = ints((len(entry), orbits))
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
        at_triangles = np.zeros(int(listed.ptr[-1]), dtype=np.int32)
        of_cliques = ints((passes.m, clique_walks.EDGE_COLUMNS))
        cliques = passes.cliques(None, (at_triangles, of_cliques.reshape(-1)), reports[4])
        squares = np.ascontiguousarray(pairs[:, edge_common_neighbours.SQUARES])
        sums = EdgeSums(listed, pairs, wheels, cycles, of_cliques, at_triangles)
    at_edge = passes.edge_counts(squares, cliques)
    del squares, cliques
    at_vertex = ints((passes.n, orbit_sums.VERTEX_COLUMNS))
    passes.run(passes.degree, orbit_sums.sum_over_edges, rows, at_edge, None, None, at_vertex)
    passes.run(passes.degree, orbit_sums.sum_over_neighbours, rows, None, at_vertex)
    ends = as_unsigned(oriented.indices)
    entries = Entries(np.repeat(np.arange(passes.n, dtype=ends.dtype), rows.higher), ends, frozen(entry))
    cost = listed.support[entry]
    passes.run(cost, write_rows, entries, at_edge, at_vertex, sums, raw, progress=reports[-1])
    return raw


def _squares(passes: OrbitPasses, progress: Progress | None) -> Int64Array:
    """Return the squares at each edge."""
    sums = zeros(passes.threads, passes.m, np.int64)
    own = [(ints((passes.n, 1)), None, worker) for worker in sums]
    passes.run(2 * passes.lower, cycle_walks.add_squares, passes.rows, own=own, progress=progress)
    return summed(sums, threads=passes.threads)


def _by_pairs(passes: OrbitPasses, progress: Progress | None) -> Int64Array:
    """Return the sums of `edge_common_neighbours` at each edge."""
    rows, support, n = passes.rows, passes.triangles.support, passes.n
    at_edge = ints(passes.m * edge_common_neighbours.COLUMNS)
    degrees = np.stack([ints(n), passes.degree - 2], axis=1)
    own = [(EdgePairs(ints(n), degrees.copy(), ints(n)),) for _ in range(passes.threads)]
    cost = passes.paths + passes.at_edges(support * (support - 1))
    row_support = support.astype(np.int32)[rows.edges]
    walk = edge_common_neighbours.add_by_pairs
    passes.run(cost, walk, rows, passes.triangles, row_support, at_edge, own=own, progress=progress)
    return at_edge.reshape(-1, edge_common_neighbours.COLUMNS)


def _wheels(passes: OrbitPasses, progress: Progress | None) -> Int64Array:
    """Return the wheels at each edge, twice at the spokes."""
    listed = passes.triangles
    sums = zeros(passes.threads, (passes.m, edge_common_neighbours.WHEEL_COLUMNS), np.int64)
    own = [(ints(passes.n + 1), worker) for worker in sums]
    cost = passes.at_edges(listed.support**2)
    passes.run(cost, edge_common_neighbours.add_wheels, passes.rows, listed, own=own, progress=progress)
    return summed(sums, threads=passes.threads)
