"""The first five graphlets on a GPU, as the report "FGLT with CUDA" has them: a row to a block.

Section 2.1: grid and block size are free; d0, d1 and d3 go through the vertices, d2 and d4 through rows (`fglt.c`).
Section 2.2: d0 needs nothing and d1 and d3 only col_ptr, so that they are counted while row_idx is on its way; events
keep what counts from starting before its data are there.

Differs from the report:

- What is copied back waits for its own kernel alone: d0, d1 and d3 come while d4 is counted.
- Of the net frequencies the two that differ from the raw ones are counted and copied, not all five.
- Integers of 64 bits; its program has doubles.
- OpenCL has one queue here: there `overlap` changes the order of what is done, and hides nothing.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.frozen import frozen
from triadic.devices.gpu.errors import check_room
from triadic.devices.gpu.source import Source
from triadic.errors import ArgumentError, UnsupportedError
from triadic_papers.adjacency import adjacency
from triadic_papers.fglt import FirstFive, take_grid
from triadic_papers.fglt_streams import COPYING, COUNTING, Streams
from triadic_papers.single_gpu import open_gpu

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.devices.gpu.runtime import Buffer, Runtime
    from triadic.graph.graph import Graph
    from triadic_papers.adjacency import Adjacency

MOST_THREADS = 1024  # of a block, on any card
_RESULTS = 7
_PACKAGE = "triadic_papers"


def gpu_first_five(
    network: Graph | Arcs | Adjacency, *, device: str, grid: int = 1024, block: int = 32, overlap: bool = True
) -> FirstFive:
    """Count the first five graphlets at every vertex on a GPU, copies to it and from it among them.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops, repeats and directions are left out. The report times what is done from rows on: those of `adjacency`.
    device : str
        One device: "cuda", "cuda:1", "opencl:0".
    grid : int, default 1024
        Number of blocks (table 1a). The result is the same for any.
    block : int, default 32
        Threads of a block (table 1b), 1 to 1024. The result is the same for any.
    overlap : bool, default True
        Two streams and events, as section 2.2 has them; False: everything is copied, then counted, then copied back.

    Returns
    -------
    FirstFive

    Raises
    ------
    ArgumentError
    UnsupportedError
        More than one device, or more than 2**31 - 1 vertices.
    DeviceError, MissingExtraError, OutOfMemoryError

    Notes
    -----
    O(sum over edges of the ends' degrees). 64 bytes a vertex and 8 an edge on the device.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])
    >>> gpu_first_five(graph, device="cuda").net[2].tolist()  # doctest: +SKIP
    [1, 3, 0, 2, 1]
    """
    grid, block = take_grid(grid), take_block(block)
    runtime = open_gpu(device)
    rows = adjacency(network)
    if rows.indices.dtype.itemsize > np.dtype(np.uint32).itemsize:
        raise UnsupportedError(f"a network of {rows.n:,} vertices: at most 2**31 - 1 are taken on a GPU")
    check_room(runtime, "the first five graphlets", rows.indptr.nbytes, rows.indices.nbytes, *[8 * rows.n] * _RESULTS)
    with runtime.active():
        work = _Work(runtime, rows, grid, block, overlap=overlap)
        d0, d1, d2, d3, d4, net2, net3 = work.overlapped() if overlap else work.in_turn()
    raw, net = np.stack([d0, d1, d2, d3, d4], axis=1), np.stack([d0, d1, net2, net3, d4], axis=1)
    return FirstFive(frozen(raw), frozen(net))


def take_block(block: int) -> int:
    """Give the number of threads of a block, checked.

    Raises
    ------
    ArgumentError
    """
    if isinstance(block, bool) or not isinstance(block, (int, np.integer)) or not 1 <= block <= MOST_THREADS:
        raise ArgumentError(f"block={block!r}: expected a whole number of threads from 1 to {MOST_THREADS}")
    return int(block)


class _Work:
    """What is copied and counted, in either order; each gives d0 to d4 and the net d2 and d3.

    Buffers live as long: one that is freed goes back to the stream that took it, while the other may still read it.
    """

    def __init__(self, runtime: Runtime, rows: Adjacency, grid: int, block: int, *, overlap: bool) -> None:
        self.runtime, self.rows, self.n = runtime, rows, np.uint64(rows.n)
        source = Source("fglt", (("THREADS", block),), package=_PACKAGE)
        self.launch = partial(runtime.launch, source, threads=block)
        self.grid = min(grid, max(1, rows.n))  # what is past the last row has nothing to do
        self.streams = Streams(runtime, overlap=overlap)
        with self.streams.on(COUNTING):
            self.d: list[Buffer] = [runtime.empty(rows.n, np.int64) for _ in range(_RESULTS)]

    def overlapped(self) -> list[NDArray[np.int64]]:
        """Copy and count at once: section 2.2."""
        on, mark, wait = self.streams.on, self.streams.mark, self.streams.wait
        with on(COUNTING):
            self.count_d0()
        with on(COPYING):
            col_ptr = self.runtime.upload(self.rows.indptr)
            wait(COUNTING, mark(COPYING))
        with on(COUNTING):
            self.count_d1_d3(col_ptr)
            three = mark(COUNTING)
        with on(COPYING):
            row_idx = self.runtime.upload(self.rows.indices.view(np.uint32))
            wait(COUNTING, mark(COPYING))
        with on(COUNTING):
            self.count_d2_d4(col_ptr, row_idx)
        with on(COPYING):
            wait(COPYING, three)
            d0, d1, d3 = (self.runtime.download(self.d[k]) for k in (0, 1, 3))
        with on(COUNTING):
            d2, d4, net2, net3 = (self.runtime.download(self.d[k]) for k in (2, 4, 5, 6))
        return [d0, d1, d2, d3, d4, net2, net3]

    def in_turn(self) -> list[NDArray[np.int64]]:
        """Copy, count, copy back."""
        col_ptr = self.runtime.upload(self.rows.indptr)
        row_idx = self.runtime.upload(self.rows.indices.view(np.uint32))
        self.runtime.synchronize()
        self.count_d0()
        self.count_d1_d3(col_ptr)
        self.count_d2_d4(col_ptr, row_idx)
        self.runtime.synchronize()
        return [self.runtime.download(each) for each in self.d]

    def count_d0(self) -> None:
        """Launch what needs nothing."""
        self.launch("count_d0", self.grid, self.n, self.d[0])

    def count_d1_d3(self, col_ptr: Buffer) -> None:
        """Launch what needs where rows begin."""
        self.launch("count_d1", self.grid, col_ptr, self.n, self.d[1])
        self.launch("count_d3", self.grid, self.d[1], self.n, self.d[3])

    def count_d2_d4(self, col_ptr: Buffer, row_idx: Buffer) -> None:
        """Launch what needs the rows, and the net ones."""
        _, d1, d2, d3, d4, net2, net3 = self.d
        self.launch("count_d2", self.grid, col_ptr, row_idx, d1, self.n, d2)
        self.launch("count_d4", self.grid, col_ptr, row_idx, self.n, d4)
        self.launch("count_net", self.grid, d2, d3, d4, self.n, net2, net3)
