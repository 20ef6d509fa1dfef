"""Supports, off-chord diamonds and tetrahedra on the CPU: the passes over neighbourhoods, run over all workers.

Computes: the bits of `neighbourhood_kernels`, and from them supports, diamonds and tetrahedra (`tetrahedra`).
Requires: an oriented graph.
Idea: rows are joined in chunks whose bits fit a limit on memory. A graph that needs one chunk, as nearly all do, keeps
  its bits from one pass to the next; others join each chunk again for each pass.
Cost: as the kernels; at most 16 bytes an edge of bits, unless a single row takes more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split
from triadic.core.oriented import as_unsigned
from triadic.devices.cpu import neighbourhood_kernels as kernels
from triadic.devices.cpu.middle_lists import MiddleLists, middle_lists
from triadic.devices.cpu.tetrahedra import add_tetrahedra
from triadic.devices.cpu.vertex_arrays import zeros
from triadic.devices.cpu.walked_supports import by_walks, bytes_of_walks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented, Sizes

_BLOCKS_PER_THREAD = 16
_BLOCK = 20_000_000  # aimed block, in the nanoseconds of `middle_lists`, or in pairs of entries, at about one each
# Limit on the bits of a chunk: this many bytes an edge, or the second figure if it is larger. Graphs with very dense
# parts, which would need more, are joined in several chunks of rows.
_BYTES_AN_EDGE = 16
_BYTES_AT_LEAST = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Rows whose bits are in memory together.

    Attributes
    ----------
    first, last : int
        Rows `first` .. `last` - 1.
    skipped : int
        Number of words of the rows before.
    start, stop : int64 array, shape (n,)
        Where the chunk's part of each middle vertex's list begins and ends.
    bits : int64 array, shape (words,)
    """

    first: int
    last: int
    skipped: int
    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    bits: NDArray[np.int64]


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
        self.indptr, self.indices = oriented.indptr, as_unsigned(oriented.indices)
        n, m = oriented.num_vertices, oriented.num_edges
        self.lists: MiddleLists = middle_lists(self.indptr, self.indices, self.indptr[:-1], threads=threads)
        self.place: NDArray[np.int32] = np.empty(m, dtype=np.int32)

        lengths = np.diff(self.indptr)
        self._longest = int(lengths.max(initial=0))
        self._word_ptr = np.zeros(n + 1, dtype=np.int64)
        kernels.place_words(self.indptr, self._word_ptr)
        limit = max(_BYTES_AT_LEAST, _BYTES_AN_EDGE * m) if chunk_bytes is None else chunk_bytes
        self._chunk_rows = blocks.cut(self._word_ptr, max(1, limit // 8), most=n + 1) if n else np.zeros(1, np.int64)

        list_cost = self.lists.cost_before(self.lists.ptr).astype(np.int64)
        self._middle_cuts = _cut(list_cost, threads)
        # A row's triangles are not known yet, so its pairs stand for them.
        self._row_cost = np.concatenate([[0], np.cumsum(lengths * (lengths - 1) + 4)])
        self._only_chunk: Chunk | None = None

    @property
    def chunks(self) -> int:
        """Number of chunks that the rows are cut into."""
        return len(self._chunk_rows) - 1

    def join(self, number: int, support: NDArray[np.int32], progress: Progress | None = None) -> Chunk:
        """Find the bits of a chunk; add to `support`, unless it is empty, the triangles at their edges (v, w)."""
        if self._only_chunk is not None:
            return self._only_chunk
        n = len(self.indptr) - 1
        chunk = self._chunk(number)
        mark = zeros(self.threads, n // 64 + 1, np.int64)
        slot = zeros(self.threads, n, np.int32)
        words = zeros(self.threads, self._longest // 64 + 1, np.int64)
        cuts = self._middle_cuts

        def task(worker: int, b: int) -> None:
            kernels.join(
                self.indptr, self.indices, chunk.start, chunk.stop, self.lists.ends, cuts[b], cuts[b + 1],
                self._word_ptr, chunk.skipped, mark[worker], slot[worker], words[worker], chunk.bits, self.place,
                support,
            )  # fmt: skip

        blocks.run(task, len(cuts) - 1, threads=self.threads, progress=progress)
        if self.chunks == 1:
            self._only_chunk = chunk
        return chunk

    def add_supports(self, chunk: Chunk, support: NDArray[np.int32]) -> None:
        """Add to the support of each entry of the chunk's rows the triangles that hold the row's vertex."""
        joined = zeros(self.threads, self._longest, np.int64)
        cuts = self._row_cuts(chunk)

        def task(worker: int, b: int) -> None:
            kernels.add_supports(
                self.indptr, self._word_ptr, chunk.skipped, chunk.bits, cuts[b], cuts[b + 1], joined[worker], support
            )

        blocks.run(task, len(cuts) - 1, threads=self.threads)

    def add_tetrahedra(
        self, chunk: Chunk, tetrahedra: list[NDArray[np.int64]], progress: Progress | None = None
    ) -> None:
        """Add to each worker's counts, by rank, the tetrahedra whose largest rank is in the chunk."""
        length = self._longest
        rows = zeros(self.threads, length * ((length + 63) // 64), np.int64)
        triangles = zeros(self.threads, length, np.int64)
        cuts = self._row_cuts(chunk)

        def task(worker: int, b: int) -> None:
            add_tetrahedra(
                self.indptr, self.indices, self._word_ptr, chunk.skipped, chunk.bits, cuts[b], cuts[b + 1],
                rows[worker], triangles[worker], tetrahedra[worker],
            )  # fmt: skip

        blocks.run(task, len(cuts) - 1, threads=self.threads, progress=progress)

    def add_off_chord(
        self,
        chunk: Chunk,
        support: NDArray[np.int32],
        diamonds: list[NDArray[np.int64]],
        progress: Progress | None = None,
    ) -> None:
        """Add to each worker's counts, by rank, the diamonds off their chord that the chunk's triangles give."""
        near = zeros(self.threads, (len(self.indptr) - 1, 2), np.int64)
        cuts = self._middle_cuts

        def task(worker: int, b: int) -> None:
            kernels.add_off_chord(
                self.indptr, self.indices, chunk.start, chunk.stop, self.lists.ends, self.place, cuts[b], cuts[b + 1],
                self._word_ptr, chunk.skipped, chunk.bits, support, near[worker], diamonds[worker],
            )  # fmt: skip

        blocks.run(task, len(cuts) - 1, threads=self.threads, progress=progress)

    def _chunk(self, number: int) -> Chunk:
        first, last = int(self._chunk_rows[number]), int(self._chunk_rows[number + 1])
        skipped = int(self._word_ptr[first])
        bits = np.zeros(int(self._word_ptr[last]) - skipped, dtype=np.int64)
        return Chunk(first, last, skipped, self._first_from(first), self._first_from(last), bits)

    def _first_from(self, row: int) -> NDArray[np.int64]:
        """Find the first end of at least `row` in each list."""
        n = len(self.indptr) - 1
        if row == 0:
            return self.lists.ptr[:-1]
        if row == n:
            return self.lists.ptr[1:]
        found = np.empty(n, dtype=np.int64)
        cuts = blocks.cut_evenly(n, 4 * self.threads)
        blocks.run(
            lambda _, b: kernels.first_from(self.lists.ptr, self.lists.ends, row, cuts[b], cuts[b + 1], found),
            len(cuts) - 1,
            threads=self.threads,
        )
        return found

    def _row_cuts(self, chunk: Chunk) -> NDArray[np.int64]:
        cost = self._row_cost[chunk.first : chunk.last + 1] - self._row_cost[chunk.first]
        return _cut(cost, self.threads) + chunk.first


def bytes_of_supports(sizes: Sizes, threads: int) -> int:
    """Return the bytes of supports: those of walks where rows are short, else those of neighbourhoods."""
    walked = bytes_of_walks(sizes, threads)
    return bytes_of_neighbourhoods(sizes, threads) if walked is None else walked


def bytes_of_neighbourhoods(sizes: Sizes, threads: int) -> int:
    """Return the bytes of neighbourhoods and the supports that they give.

    Lists and their places in the rows, supports (int32), and for each entry the bits of its row, 8 bytes or more but 16
    on average at most; pointers of rows, lists, words and blocks. Each thread has slots (int32) and marks.
    """
    bits = min(16.0, max(8.0, sizes.row_pairs / (4 * max(1, sizes.edges))))
    return round((40 + 1.5 * threads) * sizes.vertices + (12 + bits) * sizes.edges)


def by_edge(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> NDArray[np.int32]:
    """Count the triangles at each entry of the oriented rows, the support of its edge: int32, shape (m,)."""
    walked = by_walks(oriented, threads=threads, progress=progress)
    if walked is not None:
        return walked
    neighbourhoods = Neighbourhoods(oriented, threads=threads)
    support = np.zeros(oriented.num_edges, dtype=np.int32)
    reports = split(progress, [1] * neighbourhoods.chunks)
    for number in range(neighbourhoods.chunks):
        neighbourhoods.add_supports(neighbourhoods.join(number, support, reports[number]), support)
    return support


def _cut(cost: NDArray[np.int64], threads: int) -> NDArray[np.int64]:
    aim = max(1, min(_BLOCK, int(cost[-1]) // (threads * _BLOCKS_PER_THREAD)))
    return blocks.cut(cost, aim, most=1 << 16)
