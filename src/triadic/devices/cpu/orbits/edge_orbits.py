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

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split
from triadic.core.memory import check_memory
from triadic.core.oriented import as_unsigned, frozen
from triadic.devices.cpu.orbits import clique_walks, cycle_walks, edge_common_neighbours, edge_orbit_rows
from triadic.devices.cpu.orbits.whole_rows import EdgeTriangles, VertexPasses, edge_triangles, row_sums
from triadic.devices.cpu.orient.rows import expand_rows
from triadic.devices.cpu.vertex_arrays import summed, zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented, Sizes

ORBITS_OF_FOUR = 12
ORBITS_OF_FIVE = 68

_EDGES_PER_THREAD = 1 << 12  # fewer are counted sooner than a thread starts


def bytes_of_four(sizes: Sizes, threads: int) -> int:
    """Return the bytes of the frequencies of up to four vertices, of the rows and of the triangles at edges.

    Threads have sums of their own before there is room for the frequencies. A triangle takes 48 bytes; pairs of entries
    in one row stand for triangles, since about a third of the pairs are joined in networks with many triangles. The
    memory of triangles is checked once more when their number is known.
    """
    edge, vertex = max(220, 48 + 8 * threads), max(128, 32 + 16 * threads)
    return round(vertex * sizes.vertices + edge * sizes.edges + 16 * sizes.row_pairs)


def bytes_of_five(sizes: Sizes, threads: int) -> int:
    """Return the bytes of the frequencies of up to five vertices, of the rows and of the triangles at edges.

    As `bytes_of_four`. The memory of cliques is checked once more when the largest neighbourhood is known.
    """
    edge, vertex = max(780, 128 + 16 * threads), max(128, 32 + 32 * threads)
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
    if not oriented.num_edges:
        return np.zeros((len(entry), orbits), dtype=np.int64)
    threads = min(threads, 1 + oriented.num_edges // _EDGES_PER_THREAD)
    passes = _PassesOfFour if orbits == ORBITS_OF_FOUR else _PassesOfFive
    return passes(oriented, threads, progress).frequencies(entry)


class _PassesOfFour(VertexPasses):
    """The passes over one graph for up to four vertices, and what they share.

    Parameters
    ----------
    oriented : Oriented
        A graph with edges.
    threads : int
    progress : callable or None
    """

    def __init__(self, oriented: Oriented, threads: int, progress: Progress | None) -> None:
        super().__init__(oriented, threads)
        self.oriented = oriented
        self.lower = self._larger_rank_paths()
        self.reports = split(progress, self._shares())
        self.triangles: EdgeTriangles = edge_triangles(oriented, self.rows, threads=threads, progress=self.reports[0])

    def _shares(self) -> list[float]:
        """Return the estimated work of each pass."""
        return [3.0 * self.m, 2.0 * float(self.lower.sum()), float(self.m), float(self.m)]

    def frequencies(self, entry: Int64Array) -> Int64Array:
        """Return the frequencies at the entries."""
        squares = self._squares()
        cliques, _ = self._cliques(wide=False, report=2)
        at_edge, at_vertex = self._counts(squares, cliques)
        del cliques
        ends = self._lower_ends(), as_unsigned(self.oriented.indices)
        return self._over_rows(
            entry, ORBITS_OF_FOUR, 3, partial(edge_orbit_rows.write_four, *ends, at_edge, at_vertex, frozen(entry))
        )

    def _squares(self) -> Int64Array:
        """Return the squares at each edge."""
        rows = self.rows
        paths = zeros(self.threads, self.n, np.int64)
        sums = zeros(self.threads, self.m, np.int64)

        def task(worker: int, first: int, last: int) -> None:
            cycle_walks.add_squares(
                rows.ptr, rows.ends, rows.edges, rows.higher, first, last, paths[worker], sums[worker]
            )

        self._run(2 * self.lower, task, self.reports[1])
        return summed(sums, threads=self.threads)

    def _cliques(self, *, wide: bool, report: int) -> tuple[Int32Array, Int64Array]:
        """Return the 4-cliques at each triangle, and if `wide` the sums of `clique_walks` at each edge."""
        rows, listed, columns = self.rows, self.triangles, clique_walks.EDGE_COLUMNS
        words = (self.degree + 63) // 64
        places = int(((rows.higher + 1) * self.degree).max()) if wide else 0
        check_memory(
            8 * self.threads * columns * places,
            f"counting cliques among the {int(self.degree.max()):,} neighbours of a vertex on {self.threads} threads",
            "use fewer threads, or more memory",
        )
        bits = zeros(self.threads, int((rows.higher * words).max()), np.int64)
        slot = zeros(self.threads, self.n, np.int64)
        shared = zeros(self.threads, int(words.max()), np.int64)
        sums = zeros(self.threads, columns * places, np.int64)
        cliques = np.zeros(int(listed.ptr[-1]), dtype=np.int32)
        at_edge = np.zeros(columns * self.m if wide else 0, dtype=np.int64)

        def task(worker: int, first: int, last: int) -> None:
            clique_walks.add_cliques_at_edges(
                rows.ptr, rows.ends, rows.edges, rows.higher, listed.ptr, listed.third, listed.low, listed.high,
                listed.support, wide, first, last, bits[worker], slot[worker], shared[worker], sums[worker], cliques,
                at_edge,
            )  # fmt: skip

        self._run(self._at_edges(listed.support) * words, task, self.reports[report])
        return frozen(cliques), at_edge

    def _counts(self, squares: Int64Array, cliques: Int32Array) -> tuple[Int64Array, Int64Array]:
        """Return the counts of `edge_orbit_rows` at edges and at vertices."""
        rows, listed = self.rows, self.triangles
        at_edge = np.empty((self.m, edge_orbit_rows.EDGE_COLUMNS), dtype=np.int64)
        at_vertex = np.empty((self.n, edge_orbit_rows.VERTEX_COLUMNS), dtype=np.int64)
        cost = listed.ptr + np.arange(self.m + 1)
        pieces = blocks.cut(cost, blocks.piece(int(cost[-1])), most=1 << 16)
        blocks.run(
            lambda _, b: edge_orbit_rows.write_edges(
                listed.ptr, listed.third, listed.low, listed.high, listed.support, self.degree, squares, cliques,
                pieces[b], pieces[b + 1], at_edge,
            ),
            len(pieces) - 1,
            threads=self.threads,
        )  # fmt: skip
        self._over_vertices(
            self.degree,
            lambda first, last: edge_orbit_rows.write_vertices(
                rows.ptr, rows.ends, rows.edges, at_edge, first, last, at_vertex
            ),
        )
        self._over_vertices(
            self.degree, lambda first, last: edge_orbit_rows.write_paths(rows.ptr, rows.ends, first, last, at_vertex)
        )
        return frozen(at_edge), frozen(at_vertex)

    def _lower_ends(self) -> UnsignedArray:
        """Return the end of lower degree of each edge."""
        lower = np.empty(self.m, dtype=as_unsigned(self.oriented.indices).dtype)
        indptr = self.oriented.indptr
        pieces = blocks.cut(indptr, blocks.piece(self.m), most=1 << 16)
        blocks.run(
            lambda _, b: expand_rows(
                indptr, pieces[b], pieces[b + 1], lower[indptr[pieces[b]] : indptr[pieces[b + 1]]]
            ),
            len(pieces) - 1,
            threads=self.threads,
        )
        return frozen(lower)

    def _over_rows(
        self,
        entry: Int64Array,
        orbits: int,
        report: int,
        write: Callable[[int, int, Int64Array], None],
    ) -> Int64Array:
        """Run ``write(first, last, raw)`` over blocks of the rows of the result, which is returned."""
        raw = np.empty((len(entry), orbits), dtype=np.int64)
        cost = np.concatenate([[0], np.cumsum(8 + self.triangles.support[entry])])
        pieces = blocks.cut(cost, blocks.piece(int(cost[-1])), most=1 << 16)
        blocks.run(
            lambda _, b: write(pieces[b], pieces[b + 1], raw),
            len(pieces) - 1,
            threads=self.threads,
            costs=np.diff(cost[pieces]),
            progress=self.reports[report],
        )
        return raw


class _PassesOfFive(_PassesOfFour):
    """The passes over one graph for up to five vertices."""

    def _shares(self) -> list[float]:
        """Return the estimated work of each pass."""
        self.paths = row_sums(self.rows.ptr, self.rows.ends, self.degree, threads=self.threads)
        walks, lower, m = float(self.paths.sum()), float(self.lower.sum()), float(self.m)
        return [3 * m, 6 * walks, 2 * walks, 6 * lower, 2 * m, 10 * m]

    def frequencies(self, entry: Int64Array) -> Int64Array:
        """Return the frequencies at the entries."""
        listed, pairs = self.triangles, edge_common_neighbours
        at_pairs = self._by_pairs()
        at_wheels = self._wheels()
        at_cycles = self._cycles()
        cliques, at_cliques = self._cliques(wide=True, report=4)
        squares = np.ascontiguousarray(at_pairs[pairs.SQUARES :: pairs.COLUMNS])
        at_edge, at_vertex = self._counts(squares, cliques)
        ends = self._lower_ends(), as_unsigned(self.oriented.indices)
        write = partial(
            edge_orbit_rows.write_five, *ends, listed.ptr, listed.third, listed.low, listed.high, cliques, at_edge,
            at_vertex, at_pairs, at_wheels, at_cycles, at_cliques, frozen(entry),
        )  # fmt: skip
        return self._over_rows(entry, ORBITS_OF_FIVE, 5, write)

    def _by_pairs(self) -> Int64Array:
        """Return the sums of `edge_common_neighbours` at each edge."""
        rows, listed = self.rows, self.triangles
        paths, reached = zeros(self.threads, self.n, np.int64), zeros(self.threads, self.n, np.int64)
        beyond = zeros(self.threads, (self.n, 2), np.int64)
        for own in beyond:
            own[:, 1] = self.degree - 2
        row_support = listed.support.astype(np.int32)[rows.edges]
        at_edge = np.zeros(self.m * edge_common_neighbours.COLUMNS, dtype=np.int64)
        diamonds = self._at_edges(listed.support * (listed.support - 1))

        def task(worker: int, first: int, last: int) -> None:
            edge_common_neighbours.add_by_pairs(
                rows.ptr, rows.ends, rows.edges, listed.ptr, listed.third, listed.low, listed.high, row_support,
                first, last, paths[worker], beyond[worker], reached[worker], at_edge,
            )  # fmt: skip

        self._run(self.paths + diamonds, task, self.reports[1])
        return at_edge

    def _wheels(self) -> Int64Array:
        """Return the wheels at each edge."""
        rows, listed = self.rows, self.triangles
        paths = zeros(self.threads, self.n, np.int64)
        sums = zeros(self.threads, (self.m, edge_common_neighbours.WHEEL_COLUMNS), np.int64)

        def task(worker: int, first: int, last: int) -> None:
            edge_common_neighbours.add_wheels(
                rows.ptr, rows.ends, rows.edges, listed.ptr, listed.third, listed.low, listed.high, first, last,
                paths[worker], sums[worker],
            )  # fmt: skip

        self._run(self._at_edges(listed.support**2), task, self.reports[2])
        return summed(sums, threads=self.threads)

    def _cycles(self) -> Int64Array:
        """Return the 5-cycles at each edge."""
        rows, listed = self.rows, self.triangles
        paths, other = zeros(self.threads, self.n, np.int64), zeros(self.threads, self.n, np.int64)
        reached = zeros(self.threads, self.n, np.int64)
        cursor = [rows.ptr[:-1].copy() for _ in range(self.threads)]
        slots = zeros(self.threads, 2 * self.m, np.int64)

        def cycles(worker: int, first: int, last: int) -> None:
            cycle_walks.add_cycles_at_edges(
                rows.ptr, rows.ends, rows.higher, first, last, cursor[worker], paths[worker], other[worker],
                reached[worker], slots[worker],
            )  # fmt: skip

        self._run(self._within_two_steps(self.lower), cycles, self.reports[3])
        at_slots = frozen(summed(slots, threads=self.threads))
        at_edge = np.zeros(self.m, dtype=np.int64)
        cuts = blocks.cut_evenly(2 * self.m, -(-2 * self.m // blocks.piece(2 * self.m)))
        blocks.run(
            lambda _, b: cycle_walks.add_slots(rows.edges, at_slots, cuts[b], cuts[b + 1], at_edge),
            len(cuts) - 1,
            threads=self.threads,
        )
        self._run(
            self._at_edges(listed.support),
            lambda _, first, last: cycle_walks.take_folded_at_edges(
                rows.ptr, rows.ends, rows.edges, rows.higher, listed.ptr, listed.third, listed.low, listed.high, first,
                last, at_edge,
            ),
            None,
        )  # fmt: skip
        return at_edge
