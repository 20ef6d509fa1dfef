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

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split
from triadic.core.compiled import kernel
from triadic.devices.cpu.orbits import clique_walks, common_neighbours, cycle_walks, orbit_sums
from triadic.devices.cpu.orbits.whole_rows import EdgeTriangles, VertexPasses, edge_triangles, row_sums
from triadic.devices.cpu.vertex_arrays import summed, zeros

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array, Uint64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented, Sizes
    from triadic.devices.cpu.orbits.whole_rows import WholeRows

    Ids = UnsignedArray

ORBITS = 73

_EDGES_PER_THREAD = 1 << 12  # fewer are counted sooner than a thread starts
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
    return round(frequencies * sizes.vertices + 68 * sizes.edges + 11 * sizes.row_pairs)


def by_vertex(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> Int64Array:
    """Count the copies of all graphlets at each rank and orbit: int64, shape (n, 73)."""
    raw = np.zeros((oriented.num_vertices, ORBITS), dtype=np.int64)
    if oriented.num_edges:
        _Passes(oriented, min(threads, 1 + oriented.num_edges // _EDGES_PER_THREAD), progress).write(raw)
    return raw


class _Passes(VertexPasses):
    """The passes over one graph, and what they share.

    Parameters
    ----------
    oriented : Oriented
        A graph with edges.
    threads : int
    progress : callable or None
    """

    def __init__(self, oriented: Oriented, threads: int, progress: Progress | None) -> None:
        super().__init__(oriented, threads)
        paths = row_sums(self.rows.ptr, self.rows.ends, self.degree, threads=self.threads)
        lower = self._larger_rank_paths()
        shares = [3.0 * self.m, 5.0 * paths.sum(), 4.0 * lower.sum(), self.m]
        self.reports = split(progress, [float(share) for share in shares])
        self.paths, self.lower = paths, lower
        self.triangles: EdgeTriangles = edge_triangles(oriented, self.rows, threads=threads, progress=self.reports[0])

    def write(self, raw: Int64Array) -> None:
        """Run all passes, and write the frequencies."""
        rows, listed, threads = self.rows, self.triangles, self.threads
        near, beside = np.empty(self.m, dtype=np.int64), np.empty(self.m, dtype=np.int64)
        pieces = blocks.cut(listed.ptr, blocks.piece(int(listed.ptr[-1])), most=1 << 16)
        blocks.run(
            lambda _, b: clique_walks.add_over_triangles(
                listed.ptr, listed.third, listed.low, listed.high, listed.support, self.degree, pieces[b],
                pieces[b + 1], near, beside,
            ),
            len(pieces) - 1,
            threads=threads,
        )  # fmt: skip
        squares, cliques = np.zeros(self.m, dtype=np.int64), np.zeros(self.m, dtype=np.int64)
        at_pairs = self._by_pairs(squares)
        at_cycles = self._cycles()
        at_cliques = self._cliques(cliques)

        self._over_vertices(
            self.degree,
            lambda first, last: orbit_sums.sum_over_edges(
                rows.ptr, rows.ends, rows.edges, listed.support, near, squares, cliques, at_cliques, at_pairs,
                at_cycles, first, last, raw,
            ),
        )  # fmt: skip
        self._over_vertices(
            self.degree + self._at_edges(listed.support),
            lambda first, last: orbit_sums.sum_over_triangles(
                rows.ptr, rows.ends, rows.edges, listed.ptr, listed.third, listed.low, listed.high, listed.support,
                near, beside, squares, cliques, first, last, raw,
            ),
        )  # fmt: skip
        self._over_vertices(
            self.degree,
            lambda first, last: orbit_sums.sum_over_neighbours(
                rows.ptr, rows.ends, rows.edges, listed.support, first, last, raw
            ),
        )
        self._over_vertices(
            self.degree, lambda first, last: orbit_sums.sum_over_paths(rows.ptr, rows.ends, first, last, raw)
        )

    def _by_pairs(self, squares: Int64Array) -> Int64Array:
        """Write the squares at each edge, and return the sums of `common_neighbours` at each vertex."""
        rows, listed, threads = self.rows, self.triangles, self.threads
        at_vertex = self._at_edges(listed.support)
        mean = at_vertex // np.maximum(self.degree, 1)
        bit_ptr, bits = self._bits(mean)
        common, at_pair = zeros(threads, self.n, np.int32), zeros(threads, (self.n, 2), np.int64)
        shared, reached = zeros(threads, self.n, np.int32), zeros(threads, self.n, np.int64)
        row_support = listed.support.astype(np.int32)[rows.edges]
        sums = zeros(threads, (self.n, common_neighbours.COLUMNS), np.int64)
        of_class = np.zeros((self.n, common_neighbours.COLUMNS), dtype=np.int64)
        alike = twins(rows, threads=threads)

        def task(worker: int, first: int, last: int) -> None:
            common_neighbours.add_by_pairs(
                rows.ptr, rows.ends, rows.edges, listed.ptr, listed.third, listed.low, listed.high, row_support,
                alike.first, alike.number, bit_ptr, bits, mean, first, last, common[worker], at_pair[worker],
                shared[worker], reached[worker], squares, of_class, sums[worker],
            )  # fmt: skip

        cost = 3 * self.paths + 4 * at_vertex
        cost[alike.number == 0] = 0
        self._run(cost, task, self.reports[1])
        total = summed(sums)
        self._over_vertices(
            self.degree,
            lambda first, last: common_neighbours.copy_to_twins(
                rows.ptr, rows.edges, alike.first, first, last, squares, of_class, total
            ),
        )
        return total

    def _bits(self, mean: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return the bits of neighbourhoods with many triangles, and where those of each vertex begin.

        They take at most 12 bytes a triangle: a third of what the triangles at edges take.
        """
        rows, listed = self.rows, self.triangles
        words = np.where(mean < _SUPPORT_OF_BITS, 0, common_neighbours.WORDS * self.degree)
        bit_ptr = np.concatenate([[0], np.cumsum(words)])
        bits = np.zeros(int(bit_ptr[-1]), dtype=np.int64)
        slot = zeros(self.threads, self.n, np.int64)

        def task(worker: int, first: int, last: int) -> None:
            common_neighbours.fill_bits(
                rows.ptr, rows.ends, rows.edges, listed.ptr, listed.third, first, last, bit_ptr, slot[worker], bits
            )

        self._run(words, task, None)
        return bit_ptr, bits

    def _cycles(self) -> Int64Array:
        """Return the 5-cycles at each vertex."""
        rows, listed = self.rows, self.triangles
        common, joined = zeros(self.threads, self.n, np.int32), zeros(self.threads, self.n, np.int64)
        other, reached = zeros(self.threads, self.n, np.int64), zeros(self.threads, self.n, np.int64)
        cursor = [rows.ptr[:-1].copy() for _ in range(self.threads)]
        sums = zeros(self.threads, self.n, np.int64)

        def cycles(worker: int, first: int, last: int) -> None:
            cycle_walks.add_cycles(
                rows.ptr, rows.ends, rows.higher, first, last, cursor[worker], common[worker], joined[worker],
                other[worker], reached[worker], sums[worker],
            )  # fmt: skip

        def folded(worker: int, first: int, last: int) -> None:
            cycle_walks.take_folded(
                rows.ptr, rows.ends, rows.edges, rows.higher, listed.ptr, listed.third, first, last, sums[worker]
            )

        self._run(self._within_two_steps(self.lower), cycles, self.reports[2])
        self._run(self._at_edges(listed.support), folded, None)
        return summed(sums)

    def _cliques(self, at_edge: Int64Array) -> Int64Array:
        """Write twice the 4-cliques at each edge, and return the sums of `clique_walks` at each vertex."""
        rows, listed = self.rows, self.triangles
        words = (self.degree + 63) // 64
        bits = zeros(self.threads, int((rows.higher * words).max()), np.int64)
        slot = zeros(self.threads, self.n, np.int64)
        shared = zeros(self.threads, int(words.max()), np.int64)
        five = zeros(self.threads, int(rows.higher.max()), np.int64)
        sums = zeros(self.threads, (self.n, clique_walks.COLUMNS), np.int64)

        def task(worker: int, first: int, last: int) -> None:
            clique_walks.add_cliques(
                rows.ptr, rows.ends, rows.edges, rows.higher, listed.ptr, listed.third, listed.low, listed.high,
                listed.support, first, last, bits[worker], slot[worker], shared[worker], five[worker], at_edge,
                sums[worker],
            )  # fmt: skip

        self._run(self._at_edges(listed.support) * words, task, self.reports[3])
        return summed(sums)


@dataclass(frozen=True, slots=True, eq=False)
class Twins:
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


def twins(rows: WholeRows, *, threads: int) -> Twins:
    """Find the twins among the vertices of whole rows."""
    n = len(rows.higher)
    first = np.arange(n)
    hashes = np.empty(n, dtype=np.uint64)
    cuts = blocks.cut(rows.ptr, blocks.piece(int(rows.ptr[-1])), most=1 << 16)
    blocks.run(
        lambda _, b: hash_rows(rows.ptr, rows.ends, cuts[b], cuts[b + 1], hashes), len(cuts) - 1, threads=threads
    )

    order = np.argsort(hashes, kind="stable")
    join(rows.ptr, rows.ends, hashes, order, first)
    return Twins(first, np.bincount(first, minlength=n))


@kernel
def hash_rows(ptr: Int64Array, ends: Ids, first: int, last: int, hashes: Uint64Array) -> None:
    """Write a hash of the neighbours of vertices `first` .. `last` - 1, the same in any order."""
    for v in range(first, last):
        found = np.uint64(0)
        for p in range(ptr[v], ptr[v + 1]):
            word = (np.uint64(ends[p]) + np.uint64(1)) * _MULTIPLIER
            found += (word ^ (word >> _SHIFT)) * _MULTIPLIER
        hashes[v] = found


@kernel
def join(ptr: Int64Array, ends: Ids, hashes: Uint64Array, order: Int64Array, first: Int64Array) -> None:
    """Write the first twin of each vertex; `order` sorts the vertices by their hashes, equal ones by rank."""
    before = np.int64(-1)
    for i in range(order.size):
        v = order[i]
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
