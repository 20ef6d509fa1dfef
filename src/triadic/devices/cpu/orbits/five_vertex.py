"""The raw frequencies of the 73 orbits of graphlets of two to five vertices, on the CPU.

Computes: at each rank and orbit, the copies of the graphlet, induced or not, in which the vertex has the orbit's place.
Requires: an oriented graph.
Idea: no pattern of five vertices but the 5-cycle and cliques is enumerated. All others are put together from
  degrees, common neighbours, triangles and 4-cliques at edges and vertices (`orbit_sums`). Each pass cuts the vertices
  by an estimate of their work, and each worker adds to sums of its own.
Cost: the sum of the passes: the squares of degrees; the squares of triangles at edges; for 5-cycles, the larger ranks
  within two steps of each vertex.

Twins: vertices that are not joined and have the same neighbours.

Computes: for each vertex the first of its twins, by rank, or itself; for each of these how many there are.
Requires: whole rows.
Idea: vertices are sorted by a hash of their rows; among equal hashes, each row is compared with the first row before it
  that differed, so that a collision of hashes only leaves twins apart. Twins are the leaves of a hub, the
  pendant paths between two hubs, or a side of a complete bipartite graph.
Cost: O(edges), and sorting the vertices.

References
----------
Hočevar and Demšar (2014), ORCA, Bioinformatics 30, 559; Pinar, Seshadhri and Vishal (2017), ESCAPE, WWW; Pashanasangi
and Seshadhri (2020), EVOKE, WSDM.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.blocks import split, summed, zeros
from triadic.core.compiled import kernel
from triadic.core.memory import check_memory
from triadic.core.oriented import frozen, int_empty, int_zeros, starts_of
from triadic.devices.cpu.orbits import clique_walks, common_neighbours, cycle_walks, orbit_sums
from triadic.devices.cpu.orbits.clique_walks import Bits, EdgeCliques, VertexCliques
from triadic.devices.cpu.orbits.common_neighbours import Neighbourhoods, PairRoom
from triadic.devices.cpu.orbits.whole_rows import EdgeTriangles, VertexPasses

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, Uint64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented, Sizes
    from triadic.devices.cpu.orbits.whole_rows import WholeRows

    Ids = UnsignedArray

ORBITS = 73

EDGES_PER_THREAD = 1 << 12  # fewer are counted sooner than a thread starts
_SUPPORT_OF_BITS = 16  # mean number of triangles at the edges of a vertex whose neighbourhood has bits
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


def bytes_of_orbits(sizes: Sizes, threads: int) -> int:
    """Return the bytes of the frequencies, of the rows and of the triangles at edges.

    Each thread has sums of its own until the frequencies are put together. A triangle takes 36 bytes, and up to 12 as
    bits; pairs of entries in one row stand for triangles, since about a third of the pairs are joined in networks with
    many triangles. The memory of triangles is checked once more when their number is known.
    """
    frequencies = max(760.0, 90.0 + 128.0 * threads)
    return round(frequencies * sizes.vertices + 112 * sizes.edges + 11 * sizes.row_pairs)


def by_vertex(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> Int64Array:
    """Count the copies of all graphlets at each rank and orbit: int64, shape (n, 73)."""
    raw = int_zeros((oriented.num_vertices, ORBITS))
    if not oriented.num_edges:
        return raw
    passes = OrbitPasses(oriented, threads)
    rows, m = passes.rows, float(passes.m)
    reports = split(progress, [3.0 * m, 5.0 * float(passes.paths.sum()), 4.0 * float(passes.lower.sum()), m])
    listed = passes.list_triangles(reports[0])
    pairs, squares = _by_pairs(passes, reports[1])
    cycles = passes.five_cycles(reports[2], at_edges=False)
    own = [
        VertexCliques(int_zeros(int(rows.higher.max())), int_zeros((passes.n, clique_walks.COLUMNS)))
        for _ in range(passes.threads)
    ]
    at_edge = passes.edge_counts(squares, passes.cliques(own, None, reports[3]))
    sums = orbit_sums.VertexSums(pairs, cycles, summed([worker.sums for worker in own]))
    passes.run(passes.degree + passes.support, orbit_sums.sum_over_edges, rows, at_edge, listed, sums, raw)
    passes.run(passes.degree, orbit_sums.sum_over_neighbours, rows, at_edge, raw)
    passes.run(passes.degree, orbit_sums.sum_over_paths, rows, raw)
    return raw


class OrbitPasses(VertexPasses):
    """The passes over one graph that orbits at vertices and at edges share.

    Parameters
    ----------
    oriented : Oriented
        A graph with edges.
    threads : int
    """

    triangles: EdgeTriangles
    support: Int64Array  # sums of the triangles at the edges of each vertex

    def __init__(self, oriented: Oriented, threads: int) -> None:
        super().__init__(oriented, min(threads, 1 + oriented.num_edges // EDGES_PER_THREAD))

    def list_triangles(self, progress: Progress | None) -> EdgeTriangles:
        """List the triangles at each edge, for all passes."""
        self.triangles = self.edge_triangles(progress)
        self.support = self.at_edges(self.triangles.support)
        return self.triangles

    def five_cycles(self, progress: Progress | None, *, at_edges: bool) -> Int64Array:
        """Return the 5-cycles at each vertex or edge."""
        rows, n = self.rows, self.n
        sums = zeros(self.threads, 2 * self.m if at_edges else n, np.int64)
        own = [
            (
                cycle_walks.CycleRoom(rows.ptr[:-1].copy(), np.zeros(n, np.int32), int_zeros(n), int_zeros(n)),
                *((None, worker) if at_edges else (worker, None)),
            )
            for worker in sums
        ]
        self.run(self.within_two_steps(), cycle_walks.add_cycles, rows, own=own, progress=progress)
        found = int_zeros(self.m) if at_edges else sums[0]
        if at_edges:
            self.run(self.degree, cycle_walks.add_slots, rows, summed(sums, threads=self.threads), found)
        self.run(
            self.support,
            cycle_walks.take_folded,
            rows,
            self.triangles,
            own=[(None, found) if at_edges else (worker, None) for worker in sums],
        )
        return found if at_edges else summed(sums)

    def cliques(
        self,
        at_vertices: list[VertexCliques] | None,
        at_edges: tuple[Int32Array, Int64Array] | None,
        progress: Progress | None,
    ) -> Int64Array:
        """Return twice the 4-cliques at each edge, and write the sums of `clique_walks` if there is room for them."""
        rows, columns = self.rows, clique_walks.EDGE_COLUMNS
        words = (self.degree + 63) // 64
        places = int(((rows.higher + 1) * self.degree).max()) if at_edges else 0
        check_memory(
            8 * self.threads * columns * places,
            f"counting cliques among the {int(self.degree.max()):,} neighbours of a vertex on {self.threads} threads",
            "use fewer threads, or more memory",
        )
        at_edge = int_zeros(self.m)
        own = [
            (
                Bits(
                    int_zeros(int((rows.higher * words).max())), int_zeros(self.n), int_zeros(int(words.max())), at_edge
                ),
                at_vertices and at_vertices[worker],
                at_edges and EdgeCliques(int_zeros((places, columns)), *at_edges),
            )
            for worker in range(self.threads)
        ]
        cost = self.support * words
        self.run(cost, clique_walks.add_cliques, rows, self.triangles, own=own, progress=progress)
        return at_edge

    def edge_counts(self, squares: Int64Array, cliques: Int64Array) -> Int64Array:
        """Return the counts of `orbit_sums` at edges."""
        at_edge = int_empty((self.m, orbit_sums.EDGE_COLUMNS))
        listed = self.triangles
        self.run(listed.support, orbit_sums.write_edges, listed, self.degree, squares, cliques, at_edge)
        return frozen(at_edge)


def _by_pairs(passes: OrbitPasses, progress: Progress | None) -> tuple[Int64Array, Int64Array]:
    """Return the sums of `common_neighbours` at each vertex, and the squares at each edge."""
    rows, listed, n = passes.rows, passes.triangles, passes.n
    mean = passes.support // np.maximum(passes.degree, 1)
    # Bits take at most 12 bytes a triangle: a third of what the triangles at edges take.
    words = np.where(mean < _SUPPORT_OF_BITS, 0, common_neighbours.WORDS * passes.degree)
    bit_ptr = starts_of(words)
    bits = int_zeros(int(bit_ptr[-1]))
    slots = [(int_zeros(n),) for _ in range(passes.threads)]
    passes.run(words, common_neighbours.fill_bits, rows, listed, bit_ptr, bits, own=slots)
    row_support = listed.support.astype(np.int32)[rows.edges]
    alike = twins(rows)
    of_class, squares = int_zeros((n, common_neighbours.COLUMNS)), int_zeros(passes.m)
    common, shared = (zeros(passes.threads, n, np.int32) for _ in range(2))
    own = [
        (PairRoom(*both, int_zeros((n, 2)), int_zeros(n), int_zeros(n), int_zeros(of_class.shape), of_class, squares),)
        for both in zip(common, shared, strict=True)
    ]
    cost = 3 * passes.paths + 4 * passes.support
    cost[alike.number == 0] = 0
    neighbourhoods = Neighbourhoods(row_support, mean, bit_ptr, bits, *alike)
    passes.run(cost, common_neighbours.add_by_pairs, rows, listed, neighbourhoods, own=own, progress=progress)
    total = summed([room.sums for (room,) in own])
    passes.run(passes.degree, common_neighbours.copy_to_twins, rows, alike.first, own[0][0])
    return total, squares


class Twins(NamedTuple):
    """The classes of twins.

    Attributes
    ----------
    first : int64 array, shape (n,)
        The smallest rank among a vertex and its twins.
    number : int64 array, shape (n,)
        At the first of its class the number of vertices in the class; 0 at all others.
    """

    first: Int64Array
    number: Int64Array


def twins(rows: WholeRows) -> Twins:
    """Find the twins among the vertices of whole rows."""
    n = len(rows.higher)
    first = np.arange(n)
    hashes = np.empty(n, np.uint64)
    hash_rows(rows, hashes)
    join(rows, hashes, np.argsort(hashes, kind="stable"), first)
    return Twins(first, np.bincount(first, minlength=n))


@kernel
def hash_rows(rows: WholeRows, hashes: Uint64Array) -> None:
    """Write a hash of the neighbours of each vertex, the same in any order."""
    ptr, ends, _, _ = rows
    for v in range(hashes.size):
        found = np.uint64(0)
        for p in range(ptr[v], ptr[v + 1]):
            word = (np.uint64(ends[p]) + np.uint64(1)) * _MULTIPLIER
            found += (word ^ (word >> _SHIFT)) * _MULTIPLIER
        hashes[v] = found


@kernel
def join(rows: WholeRows, hashes: Uint64Array, order: Int64Array, first: Int64Array) -> None:
    """Write the first twin of each vertex; `order` sorts the vertices by their hashes, equal ones by rank."""
    ptr, ends, _, _ = rows
    before = np.int64(-1)
    for v in order:
        length = ptr[v + 1] - ptr[v]
        if before >= 0 and hashes[before] == hashes[v] and ptr[before + 1] - ptr[before] == length:
            same = True
            for k in range(length):
                if ends[ptr[before] + k] != ends[ptr[v] + k]:
                    same = False
                    break
            if same:
                first[v] = before
                continue
        before = v
