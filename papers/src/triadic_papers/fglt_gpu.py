"""The first five graphlets on a GPU, as described in the report "FGLT with CUDA": one block per row.

Section 2.1: grid and block size are free; d0, d1 and d3 are loops over vertices, d2 and d4 loops over rows (`fglt.c`).
Section 2.2: d0 needs no data, and d1 and d3 need only col_ptr, so they are counted while row_idx is copied; events make
each kernel wait for its data.

Differences from the report:

- Each result is copied back as soon as its own kernel has finished: d0, d1 and d3 are copied while d4 is counted.
- Only the two net frequencies that differ from the raw ones are counted and copied, not all five.
- Counts are 64-bit integers; the report uses doubles.
- With OpenCL there is one queue: `overlap` changes the order of the steps, but nothing runs at the same time.

References
----------
C. Athanasiadis (2023), "FGLT with CUDA", Parallel & Distributed Computer Systems, exercise 3, section 2.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.oriented import frozen
from triadic.devices.runtimes.runtime import Source
from triadic.errors import ArgumentError, UnsupportedError
from triadic_papers.adjacency import adjacency
from triadic_papers.fglt import FirstFive, check_grid
from triadic_papers.fglt_streams import COPYING, COUNTING, Streams
from triadic_papers.single_gpu import open_gpu

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.devices.runtimes.runtime import Buffer, Runtime
    from triadic.graph.graph import Graph
    from triadic_papers.adjacency import Adjacency

MOST_THREADS = 1024  # per block, on any card
_RESULTS = 7
_PACKAGE = "triadic_papers"


def gpu_first_five(
    network: Graph | Arcs | Adjacency, *, device: str, grid: int = 1024, block: int = 32, overlap: bool = True
) -> FirstFive:
    """Count the first five graphlets at every vertex on a GPU, including the copies to and from the device.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops, repeated edges and directions are dropped. The report's times start with the rows, which `adjacency`
        returns.
    device : str
        One device: "cuda", "cuda:1", "opencl:0".
    grid : int, default 1024
        Number of blocks (table 1a). The result does not depend on it.
    block : int, default 32
        Threads per block, 1 to 1024 (table 1b). The result does not depend on it.
    overlap : bool, default True
        True uses two streams and events, as in section 2.2. False copies all data, then counts, then copies the result
        back.

    Returns
    -------
    FirstFive

    Raises
    ------
    ArgumentError
        An argument is outside its range.
    UnsupportedError
        More than one device, or more than 2**31 - 1 vertices.
    DeviceError
        The device does not exist or failed.
    MissingExtraError
        The package for the device is not installed.
    OutOfMemoryError
        The arrays do not fit on the device.

    Notes
    -----
    Takes time proportional to the sum of the ends' degrees over all edges, and 64 bytes per vertex and 8 per edge on
    the device.

    References
    ----------
    Athanasiadis (2023), section 2, table 1.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])
    >>> gpu_first_five(graph, device="cuda").net[2].tolist()  # doctest: +SKIP
    [1, 3, 0, 2, 1]
    """
    grid, block = check_grid(grid), check_block(block)
    runtime = open_gpu(device)
    rows = adjacency(network)
    if rows.indices.dtype.itemsize > np.dtype(np.uint32).itemsize:
        raise UnsupportedError(f"a network of {rows.n:,} vertices: at most 2**31 - 1 are taken on a GPU")
    runtime.check_room("the first five graphlets", rows.indptr.nbytes, rows.indices.nbytes, *[8 * rows.n] * _RESULTS)
    with runtime.active():
        work = _Work(runtime, rows, grid, block, overlap=overlap)
        d0, d1, d2, d3, d4, net2, net3 = work.overlapped() if overlap else work.in_turn()
    raw, net = np.stack([d0, d1, d2, d3, d4], axis=1), np.stack([d0, d1, net2, net3, d4], axis=1)
    return FirstFive(frozen(raw), frozen(net))


def check_block(block: int) -> int:
    """Return the number of threads of a block as int.

    Raises
    ------
    ArgumentError
        It is no whole number from 1 to 1024.
    """
    if isinstance(block, bool) or not isinstance(block, (int, np.integer)) or not 1 <= block <= MOST_THREADS:
        raise ArgumentError(f"block={block!r}: expected a whole number of threads from 1 to {MOST_THREADS}")
    return int(block)


class _Work:
    """The copies and kernels in either order; both return d0 to d4 and the net d2 and d3.

    It keeps all buffers alive: a freed buffer returns to the stream that allocated it, while the other stream may still
    read it.
    """

    def __init__(self, runtime: Runtime, rows: Adjacency, grid: int, block: int, *, overlap: bool) -> None:
        self.runtime, self.rows, self.n = runtime, rows, np.uint64(rows.n)
        source = Source("fglt", (("THREADS", block),), package=_PACKAGE)
        self.launch = partial(runtime.launch, source, threads=block)
        self.grid = min(grid, max(1, rows.n))  # blocks beyond the last row would be idle
        self.streams = Streams(runtime, overlap=overlap)
        with self.streams.on(COUNTING):
            self.d: list[Buffer] = [runtime.empty(rows.n, np.int64) for _ in range(_RESULTS)]

    def overlapped(self) -> list[NDArray[np.int64]]:
        """Copy and count at the same time: section 2.2."""
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
        """Copy, count, then copy back."""
        col_ptr = self.runtime.upload(self.rows.indptr)
        row_idx = self.runtime.upload(self.rows.indices.view(np.uint32))
        self.runtime.synchronize()
        self.count_d0()
        self.count_d1_d3(col_ptr)
        self.count_d2_d4(col_ptr, row_idx)
        self.runtime.synchronize()
        return [self.runtime.download(buffer) for buffer in self.d]

    def count_d0(self) -> None:
        """Launch the kernel that needs no data."""
        self.launch("count_d0", self.grid, self.n, self.d[0])

    def count_d1_d3(self, col_ptr: Buffer) -> None:
        """Launch the kernels that need the row starts."""
        self.launch("count_d1", self.grid, col_ptr, self.n, self.d[1])
        self.launch("count_d3", self.grid, self.d[1], self.n, self.d[3])

    def count_d2_d4(self, col_ptr: Buffer, row_idx: Buffer) -> None:
        """Launch the kernels that need the rows, and the kernel of the net frequencies."""
        _, d1, d2, d3, d4, net2, net3 = self.d
        self.launch("count_d2", self.grid, col_ptr, row_idx, d1, self.n, d2)
        self.launch("count_d4", self.grid, col_ptr, row_idx, self.n, d4)
        self.launch("count_net", self.grid, d2, d3, d4, self.n, net2, net3)
