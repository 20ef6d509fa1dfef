"""Supports, that is, the triangles at each edge, of graphs and of tiles; diamonds and tetrahedra that follow from them.

Computes: the bits of `neighbourhoods`, and from them supports, diamonds and tetrahedra.
Requires: an oriented graph.
Idea: rows are joined in chunks whose bits fit a limit on memory. A graph that needs one chunk, as nearly all do, keeps
  its bits from one pass to the next; others join each chunk again for each pass.
Cost: as the kernels; at most 16 bytes an edge of bits, unless a single row takes more.

The triangles of every edge, where the rows of a row's entries are walked instead of lists by middle vertex.

Computes: the support of each entry of the oriented rows.
Requires: an oriented graph; for the kernel columns viewed as unsigned; marks and slots all zero, which it leaves so.
Idea: row u is marked, and N+(v) is walked for each entry v of the row. A mark found at w is the triangle {u, v, w}: it
  counts at the entry of v in row u, at the entry of w in row v, which is the place of the walk, and at the entry of w
  in row u, by way of a slot of w. Each worker adds into an array of its own, since the walks of several rows u meet in
  row v. Neither lists nor the bits of `neighbourhoods` are made, which take as long as a third of the walks.
Cost: Sum of |N+(v)| over the entries v, so that degrees must differ little (`are_walked`); 4 bytes an edge for each
  worker, 4 bytes and 1/8 a vertex for each worker.

The papers that the walk comes from are cited in `intrinsics`.

The triangles at each edge of the three tiles of a triple of ranges, counted in the tiles.

Computes: for each entry of the tiles (i, k), (j, k) and (i, j) the triangles u > v > w, u in range i, v in range j and
  w in range k, that its edge is in.
Requires: tiles, rows of rising columns, each counted from the first rank of its range; the same tile and the same
  counts twice or three times if ranges are equal.
Idea: mark the entries of row u of the tile (i, k) with their places; for each entry v of row u of the tile (i, j) walk
  row v of the tile (j, k), and add at the three edges of every marked w.
Cost: the lengths of the rows v that are walked, and one pass over the rows of u; 8 bytes for each rank w.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, mark the neighbours of a vertex.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split, summed, zeros
from triadic.core.compiled import kernel
from triadic.core.oriented import int_zeros, starts_of
from triadic.devices.cpu.intrinsics import Rows
from triadic.devices.cpu.triangles import neighbourhoods as kernels
from triadic.devices.cpu.triangles.triangle_work import (
    FEW_ENTRIES,
    TEST,
    MiddleLists,
    ends_below,
    middle_lists,
    rows_of,
    walks_from,
)
from triadic.devices.cpu.triangles.triangles import add_walked

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented, Sizes
    from triadic.devices.cpu.intrinsics import TileRows

    Counts = Int32Array
    Counted = tuple[Int64Array, UnsignedArray, Counts]  # the rows of a tile, and the counts of their entries

_BLOCKS_PER_THREAD = 16
_BLOCK = 20_000_000  # aimed block, in the nanoseconds of `middle_lists`, or in pairs of entries, at about one each
# Limit on the bits of a chunk: this many bytes an edge, or the second figure if it is larger. Graphs with very dense
# parts, which would need more, are joined in several chunks of rows.
_BYTES_AN_EDGE = 16
_BYTES_AT_LEAST = 1 << 24
MOST_WORKERS = 4  # whose supports take no more memory than the lists and bits of the other way
_MADE = 25.0  # nanoseconds an entry for its list, its place and its bits in the other way, as measured on one core
_WALK_BLOCKS = 8


class Chunk(NamedTuple):
    """Rows whose bits are in memory together.

    Attributes
    ----------
    first, last : int
        Rows `first` .. `last` - 1.
    lists : tuple
        Where the chunk's part of each middle vertex's list begins and ends, int64 of shape (n,); all lists.
    words : tuple
        Where the words of each row begin, the number of words of the rows before, and the words, int64.
    """

    first: int
    last: int
    lists: kernels.Lists
    words: kernels.Words


class Neighbourhoods:
    """Which pairs of entries of each row are joined, and the counts that follow.

    Parameters
    ----------
    oriented : Oriented
    threads : int
    chunk_bytes : int, optional
        Limit on the bytes of a chunk's bits; a row that has more is a chunk of its own.
    """

    def __init__(self, oriented: Oriented, *, threads: int, chunk_bytes: int | None = None) -> None:
        self.threads = threads
        self.rows = Rows(*oriented.unsigned_rows)
        indptr = oriented.indptr
        n, m = oriented.num_vertices, oriented.num_edges
        self.lists: MiddleLists = middle_lists(*self.rows, indptr[:-1], threads=threads)
        self.place: Int32Array = np.empty(m, np.int32)

        lengths = np.diff(indptr)
        self._longest = int(lengths.max(initial=0))
        words_before: Any = kernels.words_before.py_func  # type: ignore[attr-defined] # in NumPy, for all rows at once
        self._word_ptr = starts_of(words_before(lengths))
        limit = max(_BYTES_AT_LEAST, _BYTES_AN_EDGE * m) if chunk_bytes is None else chunk_bytes
        self._chunk_rows = blocks.cut(self._word_ptr, max(1, limit // 8), most=n + 1) if n else int_zeros(1)

        list_cost = self.lists.cost_before(self.lists.ptr).astype(np.int64)
        self._middle_cuts = _cut(list_cost, threads)
        # A row's triangles are not known yet, so its pairs stand for them.
        self._row_cost = starts_of(lengths * (lengths - 1) + 4)
        self._only_chunk: Chunk | None = None

    @property
    def chunks(self) -> int:
        """Number of chunks that the rows are cut into."""
        return len(self._chunk_rows) - 1

    def join(self, number: int, support: Int32Array, progress: Progress | None = None) -> Chunk:
        """Find the bits of a chunk; add to `support`, unless it is empty, the triangles at their edges (v, w)."""
        if self._only_chunk is not None:
            return self._only_chunk
        n = len(self.rows.indptr) - 1
        first, last = self._chunk_rows[number : number + 2].tolist()
        skipped, end = self._word_ptr[[first, last]].tolist()
        listed = Rows(self.lists.ptr, self.lists.ends)
        start, stop = (ends_below(listed, row, self.threads) for row in (first, last))
        lists = start, stop, listed.indices
        chunk = Chunk(first, last, lists, (self._word_ptr, skipped, int_zeros(end - skipped)))
        mark = zeros(self.threads, n // 64 + 1, np.int64)
        slot = zeros(self.threads, n, np.int32)
        words = zeros(self.threads, self._longest // 64 + 1, np.int64)
        rooms, at = list(zip(mark, slot, words, strict=True)), (self.place, support)
        blocks.run_cuts(
            lambda worker, bounds: kernels.join(self.rows, chunk.lists, bounds, chunk.words, rooms[worker], at),
            self._middle_cuts,
            threads=self.threads,
            progress=progress,
        )
        if self.chunks == 1:
            self._only_chunk = chunk
        return chunk

    def add_supports(self, chunk: Chunk, support: Int32Array) -> None:
        """Add to the support of each entry of the chunk's rows the triangles that hold the row's vertex."""
        joined = zeros(self.threads, self._longest, np.int64)
        blocks.run_cuts(
            lambda worker, bounds: kernels.add_supports(self.rows, chunk.words, bounds, joined[worker], support),
            self._row_cuts(chunk),
            threads=self.threads,
        )

    def add_tetrahedra(self, chunk: Chunk, tetrahedra: list[Int64Array], progress: Progress | None = None) -> None:
        """Add to each worker's counts, by rank, the tetrahedra whose largest rank is in the chunk."""
        length = self._longest
        rows = zeros(self.threads, length * ((length + 63) // 64), np.int64)
        own = list(zip(rows, zeros(self.threads, length, np.int64), tetrahedra, strict=True))
        blocks.run_cuts(
            lambda worker, bounds: kernels.add_tetrahedra(self.rows, chunk.words, bounds, *own[worker]),
            self._row_cuts(chunk),
            threads=self.threads,
            progress=progress,
        )

    def add_off_chord(
        self,
        chunk: Chunk,
        support: Int32Array,
        diamonds: list[Int64Array],
        progress: Progress | None = None,
    ) -> None:
        """Add to each worker's counts, by rank, the diamonds off their chord that the chunk's triangles give."""
        near = zeros(self.threads, (len(self.rows.indptr) - 1, 2), np.int64)
        own, at = list(zip(near, diamonds, strict=True)), (self.place, support)
        blocks.run_cuts(
            lambda worker, bounds: kernels.add_off_chord(self.rows, chunk.lists, bounds, chunk.words, at, own[worker]),
            self._middle_cuts,
            threads=self.threads,
            progress=progress,
        )

    def _row_cuts(self, chunk: Chunk) -> Int64Array:
        cost = self._row_cost[chunk.first : chunk.last + 1] - self._row_cost[chunk.first]
        return _cut(cost, self.threads) + chunk.first


def bytes_of_supports(sizes: Sizes, threads: int) -> int:
    """Return the bytes of supports: those of walks where rows are short, else those of neighbourhoods."""
    return bytes_of_walks(sizes, threads) if are_walked(sizes, threads) else bytes_of_neighbourhoods(sizes, threads)


def bytes_of_neighbourhoods(sizes: Sizes, threads: int) -> int:
    """Return the bytes of neighbourhoods and the supports that they give.

    Lists and their places in the rows, supports (int32), and for each entry the bits of its row, 8 bytes or more but 16
    on average at most; pointers of rows, lists, words and blocks. Each thread has slots (int32) and marks.
    """
    bits = min(16.0, max(8.0, sizes.row_pairs / (4 * max(1, sizes.edges))))
    return round((40 + 1.5 * threads) * sizes.vertices + (12 + bits) * sizes.edges)


def by_edge(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> Int32Array:
    """Count the triangles at each entry of the oriented rows, the support of its edge: int32, shape (m,)."""
    walked = by_walks(oriented, threads=threads, progress=progress)
    if walked is not None:
        return walked
    neighbourhoods = Neighbourhoods(oriented, threads=threads)
    support = np.zeros(oriented.num_edges, np.int32)
    reports = split(progress, [1] * neighbourhoods.chunks)
    for number in range(neighbourhoods.chunks):
        neighbourhoods.add_supports(neighbourhoods.join(number, support, reports[number]), support)
    return support


def _cut(cost: Int64Array, threads: int) -> Int64Array:
    aim = max(1, min(_BLOCK, int(cost[-1]) // (threads * _BLOCKS_PER_THREAD)))
    return blocks.cut(cost, aim, most=1 << 16)


def by_walks(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> Int32Array | None:
    """Return the support of each entry, or None if lists by middle vertex take less time or memory."""
    sizes = oriented.sizes
    if not are_walked(sizes, threads):
        return None
    n, m = sizes.vertices, sizes.edges
    rows = rows_of(oriented)
    from_start = rows.indptr[:-1]
    walks = walks_from(*rows, from_start, sizes.walked / m)
    support, slot = zeros(threads, m, np.int32), zeros(threads, n, np.int32)
    mark = zeros(threads, n // 64 + 1, np.int64)

    own = list(zip(mark, slot, strict=True))
    blocks.run_cuts(
        lambda worker, bounds: add_walked(rows, from_start, bounds, own[worker], None, support[worker]),
        walks.cut(_WALK_BLOCKS * threads),
        threads=threads,
        progress=progress,
    )
    return summed(support, threads=threads)


def are_walked(sizes: Sizes, threads: int) -> bool:
    """Return whether walking the rows of entries takes less time than lists, and no more memory."""
    if threads > MOST_WORKERS or sizes.edges < FEW_ENTRIES:
        return False
    # The pairs of a row are the entries before each of its entries, which lists are walked up to.
    return TEST * sizes.walked < TEST * sizes.row_pairs + _MADE * sizes.edges


def bytes_of_walks(sizes: Sizes, threads: int) -> int:
    """Return the bytes of `by_walks`: costs of rows while they are added up; then beside them each worker's arrays."""
    n, m = sizes.vertices, sizes.edges
    return max(24 * n, round((8 + 4.2 * threads) * n + 4 * threads * m))


def add_supports_of_tiles(
    near: tuple[TileRows, Counts],
    middle: tuple[TileRows, Counts],
    far: tuple[TileRows, Counts],
    ranks: int,
    rows: tuple[int, int],
) -> None:
    """Add the triangles at the entries of three tiles to their counts.

    Parameters
    ----------
    near, middle, far : tuple of (TileRows, int32 array)
        The tiles (i, k), (j, k) and (i, j), each with the counts of its entries, shape (entries,).
    ranks : int
        Number of ranks of range k.
    rows : tuple of int
        First row of u, and the row past the last.
    """
    a, b, c = ((*rows_of(tile), counts) for tile, counts in (near, middle, far))
    add_edges_of_rows(a, b, c, rows, int_zeros(ranks))


@kernel
def add_edges_of_rows(near: Counted, middle: Counted, far: Counted, bounds: tuple[int, int], place: Int64Array) -> None:
    """Add at the edges of the triangles of some rows; `place` holds zeros, and does again."""
    near_ptr, near_columns, near_counts = near
    middle_ptr, middle_columns, middle_counts = middle
    far_ptr, far_columns, far_counts = far
    first, last = bounds
    for u in range(first, last):
        if near_ptr[u] == near_ptr[u + 1]:
            continue
        for e in range(near_ptr[u], near_ptr[u + 1]):
            place[np.int64(near_columns[e])] = e + 1
        for f in range(far_ptr[u], far_ptr[u + 1]):
            v = np.int64(far_columns[f])
            for m in range(middle_ptr[v], middle_ptr[v + 1]):
                e = place[np.int64(middle_columns[m])]
                if e > 0:
                    near_counts[e - 1] += 1
                    middle_counts[m] += 1
                    far_counts[f] += 1
        for e in range(near_ptr[u], near_ptr[u + 1]):
            place[np.int64(near_columns[e])] = 0
