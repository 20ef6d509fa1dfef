"""What is prepared before triangles are counted: the hubs' bit matrix, the middle lists, and blocks of equal work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.memory import check_memory
from triadic.core.oriented import Part, middles_from, rows_counted, thirds_below
from triadic.devices.cpu import triangle_kernels as kernels
from triadic.devices.cpu.middle_lists import LIST, TEST, as_unsigned, middle_lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

# What the kernels' steps take, in nanoseconds, as measured on one core (docs/performance.md). Only their ratios matter:
# they decide how many vertices are hubs and where blocks are cut, never what is counted.
_WORD = 0.35  # a word of a matrix row, taken 32 at a time
_BIT = 1.5  # a single bit of the matrix tested
MATRIX_WORD = 3.0  # a word of the matrix allocated and filled
_ENTRY = 1.0  # an entry of a hub row read

_BLOCK = 20_000_000  # aimed block, in those nanoseconds: 20 ms
_BLOCKS_PER_THREAD = 8  # at least so many, to even out what the model misjudges
_SAMPLE_ROWS = 1 << 12
HUBS = [0] + [1 << k for k in range(9, 18)]


@dataclass(frozen=True, slots=True, eq=False)
class TriangleWork:
    """An oriented graph made ready for the triangle kernels.

    Attributes
    ----------
    indptr : int64 array, shape (n + 1,)
    indices : uint32 or uint64 array, shape (m,)
    hubs : int
        Number of hubs, the first ranks.
    split : int64 array, shape (n,)
        Where the hubs of each row end.
    bits : int64 array, shape (hubs, words)
        The hubs' adjacency, symmetric.
    middle_ptr : int64 array, shape (n + 1,)
        Where the lists to be walked up to each v begin.
    ends : uint32 or uint64 array, shape (lists,)
        The row u of each list.
    hub_blocks : int64 array, shape (blocks + 1,)
        Cuts between rows, for the hub kernels.
    list_blocks : int64 array, shape (blocks + 1,)
        Cuts between lists, for the list kernels.
    list_vertex : int64 array, shape (blocks,)
        The v that each block of lists begins in.
    costs : int64 array, shape (hub blocks + list blocks,)
    below : int
        Rows are walked up to v, and no further than this rank.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.unsignedinteger[Any]]
    hubs: int
    split: NDArray[np.int64]
    bits: NDArray[np.int64]
    middle_ptr: NDArray[np.int64]
    ends: NDArray[np.unsignedinteger[Any]]
    hub_blocks: NDArray[np.int64]
    list_blocks: NDArray[np.int64]
    list_vertex: NDArray[np.int64]
    costs: NDArray[np.int64]
    below: int

    @property
    def mark_words(self) -> int:
        """Number of 64-bit words that a worker's marks take."""
        return (len(self.indptr) // 64 // kernels.WORDS + 1) * kernels.WORDS


def prepare(
    oriented: Oriented, *, threads: int, worker_bytes: int, edge_bytes: int = 0, hubs: int | None = None
) -> TriangleWork:
    """Make an oriented graph ready for counting.

    Parameters
    ----------
    oriented : Oriented
    threads : int
    worker_bytes : int
        Bytes a vertex that each worker will allocate, for the estimate.
    edge_bytes : int, default 0
        Bytes an edge that the count will allocate, likewise.
    hubs : int, optional
        Number of hubs; chosen by the cost model by default.

    Raises
    ------
    OutOfMemoryError
        If what it takes is more than there is.
    """
    n, m = oriented.num_vertices, oriented.num_edges
    hubs = choose_hubs(oriented) if hubs is None else min(hubs, n)
    _check_memory(n, m, hubs, threads, worker_bytes, edge_bytes)
    indptr, indices = oriented.indptr, as_unsigned(oriented.indices)
    cuts = blocks.cut(indptr, blocks.piece(m), most=1 << 20)

    split = np.empty(n, dtype=np.int64)
    blocks.run(
        lambda _, b: kernels.split_rows(indptr, indices, hubs, cuts[b], cuts[b + 1], split),
        len(cuts) - 1,
        threads=threads,
    )
    bits = _hub_matrix(indptr, indices, hubs, threads)

    lists = middle_lists(indptr, indices, middles_from(oriented, indptr, split), threads=threads)
    first, last = rows_counted(oriented)
    # Cut by hubs alone: a row with few of them costs a little less.
    near = split[first:last] - indptr[first:last]
    hub_cost = np.concatenate([[0], np.cumsum(near * int(1 + hubs / 64 * _WORD) + 1)])
    total = int(lists.total_cost) + (int(hub_cost[-1]) if hubs else 0)
    aim = max(1, min(_BLOCK, total // (threads * _BLOCKS_PER_THREAD)))
    hub_blocks = blocks.cut(hub_cost, aim, most=1 << 16) if hubs else np.zeros(1, dtype=np.int64)
    list_blocks = lists.cut(max(1, min(-(-int(lists.total_cost) // aim), 1 << 16)))
    list_costs = np.diff(lists.cost_before(list_blocks))

    return TriangleWork(
        indptr=indptr,
        indices=indices,
        hubs=hubs,
        split=split,
        bits=bits,
        middle_ptr=lists.ptr,
        ends=lists.ends,
        hub_blocks=hub_blocks + first,
        list_blocks=list_blocks,
        list_vertex=np.searchsorted(lists.ptr, list_blocks[:-1], side="right") - 1,
        costs=np.concatenate([np.diff(hub_cost[hub_blocks]), list_costs]).astype(np.int64),
        below=thirds_below(oriented),
    )


def choose_hubs(oriented: Oriented) -> int:
    """Choose how many of the first ranks are hubs: the cheapest by the cost model on a sample of rows.

    The matrix takes at most 8 bytes an edge.
    """
    if isinstance(oriented, Part) and not oriented.hubs_pay:
        return 0
    n, m = oriented.num_vertices, oriented.num_edges
    first, last = rows_counted(oriented)
    step = -(-(last - first) // _SAMPLE_ROWS)
    sample = np.arange(first + step // 2, last, max(1, step))
    start, stop = oriented.indptr[sample], oriented.indptr[sample + 1]
    length = stop - start
    row_start = np.concatenate([[0], np.cumsum(length)])
    entries = np.repeat(start - row_start[:-1], length) + np.arange(row_start[-1])
    columns = oriented.indices[entries]

    def cost(hubs: int) -> float:
        hubs_before = np.concatenate([[0], np.cumsum(columns < hubs)])
        near = hubs_before[row_start[1:]] - hubs_before[row_start[:-1]]
        tests = length * (length - 1) - near * (near - 1)
        lists = length - near
        return (
            step * float(np.sum(hub_cost(near, hubs) + 0.5 * TEST * tests + LIST * lists))
            + hubs * hubs / 64 * MATRIX_WORD
        )

    return min((hubs for hubs in HUBS if hubs <= n and hubs * hubs <= 64 * m), key=cost, default=0)


def hub_cost(near: NDArray[np.int64], hubs: int) -> NDArray[np.float64]:
    """Cost of the hub kernels in rows with `near` hubs."""
    return np.where(near > kernels.FEW, near * (hubs / 64 * _WORD + _ENTRY), near * (near - 1) * (0.5 * _BIT) + _ENTRY)


def _hub_matrix(
    indptr: NDArray[np.int64], indices: NDArray[np.unsignedinteger[Any]], hubs: int, threads: int
) -> NDArray[np.int64]:
    words = -(-hubs // (64 * kernels.WORDS)) * kernels.WORDS
    # Aligned, so that no vector load crosses a cache line.
    room = np.zeros(hubs * words + 8, dtype=np.int64)
    skip = -room.ctypes.data % 64 // 8
    bits = room[skip : skip + hubs * words].reshape(hubs, words)
    cuts = blocks.cut_evenly(hubs, 4 * threads)
    blocks.run(
        lambda _, b: kernels.fill_bits(indptr, indices, cuts[b], cuts[b + 1], hubs, bits),
        len(cuts) - 1 if hubs else 0,
        threads=threads,
    )
    return bits


def _check_memory(n: int, m: int, hubs: int, threads: int, worker_bytes: int, edge_bytes: int) -> None:
    # Lists: their sort's keys and the result; the sampled share that is no list is left out of the bill.
    needed = 8 * n * 3 + (12 + edge_bytes) * m + hubs * hubs // 8 + threads * worker_bytes * n
    check_memory(
        needed,
        f"counting triangles of {n:,} vertices and {m:,} edges on {threads} threads",
        "use fewer threads, or more memory",
    )
