"""The raw frequencies of the 73 orbits of graphlets of two to five vertices, on GPUs.

Computes: at each rank and orbit, the copies of the graphlet, induced or not, in which the vertex has the orbit's place.
Idea: the passes of `triadic.devices.cpu.orbits.five_vertex`, in batches of vertices: patterns through two vertices with
  common neighbours, and wheels (common_neighbours.c); cycles of five vertices (five_cycles.c); 4-cliques at each edge,
  5-cliques, and pairs of 4-cliques with a common triangle (shared_cliques.c). Several devices each have the whole graph
  and its triangles, take batches from one queue, and add to counts of their own, which are added up on the host; the
  first device puts the frequencies together (orbit_sums.c).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split
from triadic.core.oriented import int_zeros
from triadic.devices.gpu.tasks import cut_by, on_each, summed_on
from triadic.devices.gpu.whole_rows import (
    LANES,
    EdgeTriangles,
    WholeRows,
    edge_sums,
    edge_triangles,
    numbers_of_paths,
    pair_tables,
    whole_rows,
)
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import Buffer, Runtime, c_source, sums_before

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.array_types import Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented


_HEADERS = ("tasks", "search", "wide_sums", "orbit_columns", "pair_table")
_SLOTS_OF_A_TEAM = 1024  # slots that a team adds up
_BYTES_OF_COMMON = 12  # key, common neighbours, edges between these
_MOST_WORDS = 32  # a lane for each word of a row; a power of two
_SHARE_FOR_BITS = 4  # of the free memory for bits
_CYCLES_SOURCE = c_source("five_cycles", *_HEADERS)
_BYTES_OF_CYCLES = 16  # key, 2-paths, sum over the row
_CLIQUES_SOURCE = c_source("shared_cliques", *_HEADERS[:-1], COLUMNS=1024, INNER=512)
# The bits of a batch of neighbourhoods take an eighth of the free memory, at most 1 GiB.
_SHARE_FOR_CLIQUES, _MOST_FOR_CLIQUES = 8, 1 << 30
_WORDS = 1 << 30  # words that a batch reads
_TRIANGLE = 32  # cost of a triangle beside its words
ORBITS = 73

_COUNTS = 18  # columns of orbit_columns.h
_SUMS_SOURCE = c_source("orbit_sums", *_HEADERS[:-1])
_TRIANGLES, _PAIRS, _CYCLES, _CLIQUES = 1.0, 4.0, 3.0, 2.0  # weights of the stages, for progress


class CommonNeighbours:
    """One device's share of the patterns.

    Parameters
    ----------
    share : _Share

    Attributes
    ----------
    at_edge : uint64 buffer, shape (m,)
        The squares at each edge.
    """

    def __init__(self, share: _Share) -> None:
        self._graph, rows, paths = share.graph, share.graph[0], share.paths
        runtime = rows.runtime
        runtime.check_room(f"squares at {rows.m:,} edges", 8 * rows.m)
        share.squares = self.at_edge = runtime.zeros(rows.m, np.uint64)
        self._make_bits()
        degree = rows.degree
        reached = np.where(degree > 1, np.minimum(paths, rows.n), 0)
        self.tables = pair_tables(runtime, reached, np.where(degree > 1, paths, 0), slot_bytes=_BYTES_OF_COMMON)
        self.costs = self.tables.costs
        self._keys, self._common, self._joined = (runtime.zeros(self.tables.most) for _ in range(3))

    def _make_bits(self) -> None:
        """Write the rows of the neighbourhoods of all vertices, as many words of each as there is room for."""
        most_words = _MOST_WORDS
        rows, triangles, _ = self._graph
        runtime = rows.runtime
        degree = rows.degree if triangles.number else int_zeros(rows.n)
        needed = -(-degree // 64)
        free = runtime.memory()[0]
        while most_words > 1 and 8 * int((degree * np.minimum(needed, most_words)).sum()) > free // _SHARE_FOR_BITS:
            most_words //= 2
        before = sums_before(np, degree * np.minimum(needed, most_words))
        runtime.check_room(f"neighbourhoods of {rows.n:,} vertices", 8 * int(before[-1]), 8 * rows.n)
        self._has_rest = bool(needed.max(initial=0) > most_words)
        self._most_columns = 64 * most_words
        self._source = c_source("common_neighbours", *_HEADERS, WORDS=most_words, SLICE=_SLOTS_OF_A_TEAM)
        self._bit_ptr, self._bits = runtime.upload(before), runtime.zeros(int(before[-1]), np.uint64)
        if triangles.number:
            runtime.launch_teams(
                self._source, "neighbourhood_bits", rows.m, rows.indptr, rows.ptr, rows.sources, rows.indices,
                rows.places, *triangles.lists, 0, rows.m, self._bit_ptr, self._bits,
            )  # fmt: skip

    def take(self, batch: int) -> None:
        """Count the patterns of the pairs of which one vertex is in a batch, and wait for the device."""
        (rows, triangles, counts), tables = self._graph, self.tables
        first, last, first_slot, last_slot, launch = tables.batch(self._source, rows, batch, self._keys)
        if last_slot == first_slot:
            return
        found = self._common, self._joined
        launch("count_paths", self._common)
        if triangles.number:
            rest = self._room_for_rest(first, last)
            if self._has_rest:
                launch("count_rest", rows.places, *triangles.lists, *rest)
            launch(
                "count_links", rows.places, triangles.support, self._bit_ptr, self._bits, *rest,
                np.uint32(self._has_rest), *found, rows.n, counts,
            )  # fmt: skip
        launch("sum_middles", triangles.support, *found, self.at_edge, rows.n, counts)
        slices = -(-(last_slot - first_slot) // _SLOTS_OF_A_TEAM)
        rows.runtime.launch_teams(
            self._source, "sum_ends", slices, rows.ptr, first, last, tables.offset, tables.masks,
            first_slot, last_slot, slices, self._keys, *found, rows.n, counts,
        )  # fmt: skip
        rows.runtime.synchronize()

    def _room_for_rest(self, first: int, last: int) -> tuple[Buffer, Buffer]:
        """Return a counter for each entry of rows with columns past the bits, and where those of each entry begin."""
        rows, triangles, _ = self._graph
        runtime = rows.runtime
        if not self._has_rest:
            return self._bit_ptr, self._keys  # not read
        with runtime.active():
            xp = runtime.xp
            entries = slice(int(rows.first[first]), int(rows.first[last]))
            degree = xp.diff(runtime.view(rows.ptr))[runtime.view(rows.ends)[entries]]
            with_triangles = runtime.view(triangles.support)[runtime.view(rows.edges)[entries]] > 0
            degree[(degree <= self._most_columns) | ~with_triangles] = 0
            before = sums_before(xp, degree)
            room = int(before[-1])
            runtime.check_room("counters of neighbourhoods", 4 * room)
            return runtime.upload(before), runtime.zeros(room)


class FiveCycles:
    """One device's share of the 5-cycles.

    Parameters
    ----------
    share : _Share
    """

    def __init__(self, share: _Share) -> None:
        self._graph, rows, later = share.graph, share.graph[0], share.later
        runtime = rows.runtime
        # One neighbour of larger rank is enough for a walk that folds.
        lower = rows.degree - rows.higher
        reached = np.where(lower > 0, np.minimum(later + lower, rows.n), 0)
        self.tables = pair_tables(runtime, reached, np.where(lower > 0, later, 0), slot_bytes=_BYTES_OF_CYCLES)
        self.costs = self.tables.costs
        most = self.tables.most
        self._keys, self._values = runtime.zeros(most), runtime.zeros(most)
        self._other = runtime.zeros(most, np.uint64)

    def take(self, batch: int) -> None:
        """Count the cycles whose vertex of smallest rank is in a batch, and walks that fold, and wait."""
        (rows, _, counts), tables = self._graph, self.tables
        first, last, first_slot, last_slot, launch = tables.batch(_CYCLES_SOURCE, rows, batch, self._keys)
        slots = last_slot - first_slot
        if not slots:
            return
        found, count = (self._values, self._other), slots // LANES
        launch("count_later_paths", self._values)
        rows.runtime.launch_teams(
            _CYCLES_SOURCE, "close_cycles", count, rows.ptr, rows.ends, first, last, tables.offset,
            tables.masks, first_slot, count, self._keys, *found, rows.n, counts,
        )  # fmt: skip
        launch("cycles_at_middles", *found, rows.n, counts)
        rows.runtime.launch_each(_CYCLES_SOURCE, "clear", slots, slots, self._keys, *found)
        rows.runtime.synchronize()


def take_folded(rows: WholeRows, triangles: EdgeTriangles, counts: Buffer) -> None:
    """Take away the walks that fold around triangles."""
    if not triangles.number:
        return
    runtime, entries = rows.runtime, 2 * rows.m
    runtime.check_room(f"triangles past {entries:,} entries", 8 * entries, 8 * entries)
    found = runtime.empty(entries, np.int64)
    listed = triangles[:2]
    runtime.launch_each(_CYCLES_SOURCE, "later_triangles", entries, rows.ends, rows.edges, *listed, entries, found)
    before = runtime.computed(sums_before, found)
    runtime.launch_teams(
        _CYCLES_SOURCE, "take_folded", entries, *rows.of_entries, 0, entries, *listed, before, rows.n, counts
    )


class SharedCliques:
    """One device's share of the cliques.

    Parameters
    ----------
    share : _Share

    Attributes
    ----------
    at_edge : uint64 buffer, shape (m,)
        Twice the 4-cliques at each edge.
    costs : int64 array, shape (batches,)
        Words of each batch.
    """

    def __init__(self, share: _Share) -> None:
        self._graph = rows, triangles, _ = share.graph
        runtime = rows.runtime
        runtime.check_room(f"cliques at {rows.m:,} edges", 8 * rows.m)
        share.cliques = self.at_edge = runtime.zeros(rows.m, np.uint64)
        self._before = sums_before(np, -(-rows.degree // 64) * rows.higher)
        before = runtime.download(runtime.computed(lambda _, ptr, rows: ptr[rows], triangles.ptr, rows.indptr))
        # The words that are read for the triangles at the edges of the oriented rows before each row.
        work = sums_before(np, np.diff(before) * (_TRIANGLE + -(-rows.degree // 64)))
        batch_bytes = min(runtime.memory()[0] // _SHARE_FOR_CLIQUES, _MOST_FOR_CLIQUES)
        self._cuts = cut_by((self._before, max(1, batch_bytes // 8)), (work, _WORDS))
        self.costs = np.diff(self._before[self._cuts])
        self._word_ptr = runtime.upload(self._before)
        self._first_edge = sums_before(np, rows.higher)

    def take(self, batch: int) -> None:
        """Count the cliques whose vertex of largest rank is in a batch, and wait for the device."""
        rows, triangles, counts = self._graph
        runtime, ends = rows.runtime, self._cuts[batch : batch + 2]
        (first_edge, last_edge), (first, last) = self._first_edge[ends].tolist(), self._before[ends].tolist()
        count = last_edge - first_edge
        if not triangles.number or count == 0:
            return
        words = last - first
        runtime.check_room(f"the neighbourhoods of {ends[1] - ends[0]:,} vertices", 8 * words)
        bits = runtime.zeros(words, np.uint64)
        edges = (
            rows.indptr, rows.ptr, rows.ends, rows.sources, rows.indices, rows.places, *triangles.lists, first_edge,
            count, self._word_ptr, first, bits,
        )  # fmt: skip
        runtime.launch_teams(_CLIQUES_SOURCE, "clique_bits", count, *edges)
        beside = triangles.support, self.at_edge, rows.n, counts
        runtime.launch_teams(_CLIQUES_SOURCE, "cliques", count, *edges, *beside)
        runtime.synchronize()


_Counter = CommonNeighbours | FiveCycles | SharedCliques  # one device's share of a pass


def by_vertex(device: str, oriented: Oriented, *, progress: Progress | None = None) -> Int64Array:
    """Count the copies of all graphlets at each rank and orbit: int64, shape (n, 73).

    Parameters
    ----------
    device : str
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    progress : callable, optional

    Raises
    ------
    OutOfMemoryError, UnsupportedError
        If a device has too little memory for the triangles and tables, or there are 2**31 triangles or more.
    """
    if oriented.num_edges == 0:
        return int_zeros((oriented.num_vertices, ORBITS))
    reports = split(progress, [_TRIANGLES, _PAIRS, _CYCLES, _CLIQUES])
    shares = on_each(runtimes_of(device), lambda runtime: _Share(runtime, oriented), progress=reports[0])
    passes: tuple[type[_Counter], ...] = (CommonNeighbours, FiveCycles, SharedCliques)
    for make, report in zip(passes, reports[1:], strict=True):
        counters = [make(share) for share in shares]
        _run(counters, report)
        del counters
    return shares[0].put_together(shares)


def _run(counters: Sequence[_Counter], progress: Progress | None) -> None:
    """Let the devices take the batches of a pass from one queue."""
    costs = counters[0].costs
    blocks.run(
        lambda worker, batch: counters[worker].take(batch), len(costs), threads=len(counters), costs=costs,
        progress=progress,
    )  # fmt: skip


class _Share:
    """One device's share of all passes.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented
        A graph with edges.

    Attributes
    ----------
    graph : tuple of WholeRows, EdgeTriangles, and int64 buffer, shape (columns * n,)
        What passes read, and what receives their counts at vertices (orbit_columns.h).
    paths, later : int64 arrays, shape (n,)
        Numbers of 2-paths from each vertex, and of those to larger ranks, see `numbers_of_paths`.
    squares, cliques : uint64 buffers, shape (m,)
        Squares, and twice the 4-cliques, at each edge, once the passes that count them have begun.
    """

    squares: Buffer
    cliques: Buffer

    def __init__(self, runtime: Runtime, oriented: Oriented) -> None:
        self.runtime, rows = runtime, whole_rows(runtime, oriented)
        n, m = rows.n, rows.m
        runtime.check_room(f"counting graphlets of {n:,} vertices and {m:,} edges", 8 * _COUNTS * n, 4 * m, 8 * m)
        triangles = edge_triangles(rows)
        self.paths, self.later = numbers_of_paths(rows)
        self.counts = runtime.zeros(_COUNTS * n, np.int64)
        self.graph = rows, triangles, self.counts

    def put_together(self, shares: Sequence[_Share]) -> Int64Array:
        """Write the frequencies from the counts of all devices."""
        rows, triangles, _ = self.graph
        runtime, n, m = rows.runtime, rows.n, rows.m
        counts, squares, cliques = (summed_on(shares, name) for name in ("counts", "squares", "cliques"))
        take_folded(rows, triangles, counts)
        runtime.check_room(f"the frequencies of 73 orbits at {n:,} vertices", 8 * ORBITS * n, 8 * m, 8 * m)
        near, beside = edge_sums(rows, triangles)
        raw = runtime.zeros(ORBITS * n, np.int64)

        def launch(kernel: str, items: int, *arguments: Any) -> None:  # noqa: ANN401 - buffers and numbers
            runtime.launch_teams(_SUMS_SOURCE, kernel, items, *arguments, 0, items, raw)

        of_rows, support = (rows.ptr, rows.ends, rows.edges), triangles.support
        launch("sum_over_edges", n, *of_rows, support, near, squares, cliques, counts, n)
        launch(
            "sum_over_triangles",
            2 * m,
            *of_rows,
            rows.owners,
            *triangles.lists,
            support,
            near,
            beside,
            squares,
            cliques,
        )
        launch("sum_over_neighbours", n, *of_rows, support)
        launch("sum_over_paths", n, rows.ptr, rows.ends)
        return runtime.download(raw).reshape(n, ORBITS)
