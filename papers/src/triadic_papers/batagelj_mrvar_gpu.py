"""The triad census on a GPU, from chapter 5 of Nagpal's thesis.

Section 5.1.1: rows and a central task queue in compressed form, one sub-queue per thread; each thread forms set S in
one buffer that it reuses for every task, as long as the longest set of its queue. Section 5.1.2: each thread runs
figure 4.6. Section 5.4.1: one census per block in shared memory, except for dyadic triads; twice as fast in the thesis.

Other variants of chapter 5:

- All sets formed beforehand (table 5.1), discarded for their memory and never run: `set_memory` returns their size.
- Tails and heads in separate arrays, without a gain in the thesis: included.
- The table of types in constant or shared memory, without a gain: omitted, caches hold its 128 bytes.
- Row starts and buffer starts in shared memory, without a gain: omitted, each is read once.
- Unrolling, predication, fewer registers, without a gain or with a loss: left to the compiler.

Differences from the thesis:

- Vertices are 32-bit words; all words of the thesis have 64 bits, so the bytes in its tables are about twice as many.
- Counts in shared memory are 64-bit numbers in two halves; the thesis uses 32 bits, which may overflow.
- The length of a buffer is the largest |N(u)| + |N(v)| - 2 of its queue, for any load of the queues; the thesis does
  not say how it is measured in version 0.7, where no set is formed beforehand.

References
----------
S. Nagpal (2013), "Study and evaluation of an irregular graph algorithm on multicore and GPU processor architectures",
master's thesis, Lugano, chapter 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from triadic.devices.runtimes.runtime import Source
from triadic.errors import ArgumentError, UnsupportedError
from triadic_papers.adjacency import adjacency
from triadic_papers.batagelj_mrvar_codes import UNIT_BITS, entry_table, final_census, uses_positions
from triadic_papers.batagelj_mrvar_queues import task_queues, work_estimates
from triadic_papers.single_gpu import open_gpu

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.devices.runtimes.runtime import Buffer, Runtime
    from triadic.graph.graph import Graph
    from triadic.measures.census import Census
    from triadic_papers.adjacency import Adjacency
    from triadic_papers.batagelj_mrvar_queues import Balance, TaskQueues

QUEUES, BLOCK = 30720, 256  # the resident threads of a Tesla C1060, and the block size of table 5.4
MOST_THREADS = 1024  # per block, on any card
_PACKAGE = "triadic_papers"
_WORD = 4  # bytes of a vertex
_COUNTS_BYTES = 8 * 64


class SetMemory(NamedTuple):
    """Bytes of GPU memory: tables 5.1 and 5.2.

    Attributes
    ----------
    all_sets : int
        Every set S in memory of its own, and the start of each.
    reused : int
        One buffer per thread, and the start of each.
    others : int
        Rows, queues and census.
    """

    all_sets: int
    reused: int
    others: int


class DeviceNetwork(NamedTuple):
    """A network, its task queues and its buffers on one GPU; created by `copy_to_device`.

    Attributes
    ----------
    runtime : Runtime
    n : int
        Number of vertices.
    queues : int
        Number of task queues, equal to the number of threads with work.
    block : int
        Threads per block.
    rows : tuple of Buffer
        Row starts and rows of arcs, then of neighbours.
    tasks : tuple of Buffer
        Tails, heads, and queue starts.
    buffers : tuple of Buffer
        Buffer starts, and the memory of all buffers.
    nbytes : int
        GPU memory in bytes.
    """

    runtime: Runtime
    n: int
    queues: int
    block: int
    rows: tuple[Buffer, ...]
    tasks: tuple[Buffer, ...]
    buffers: tuple[Buffer, ...]
    nbytes: int

    def census(self, *, types: Literal[16, 64] = 16, as_printed: bool = False, shared: bool = True) -> Census:
        """Run the kernel and return the census: the part that the thesis times without pre-processing.

        Parameters
        ----------
        types : {16, 64}, default 16
            Number of classes: the 16 types, or the 64 labelled codes.
        as_printed : bool, default False
            With 64 codes: use the codes of the printed loop instead of the codes of the vertices in rising order.
        shared : bool, default True
            Use one census per block in shared memory instead of one in global memory.

        Returns
        -------
        Census

        Raises
        ------
        ArgumentError
            `types` is neither 16 nor 64.
        DeviceError
            The device failed.
        """
        table, in_order = entry_table(types, as_printed=as_printed), uses_positions(types, as_printed=as_printed)
        defines = (("THREADS", self.block), *([("SHARED", 1)] if shared else []))
        source = Source("batagelj_mrvar", defines, package=_PACKAGE)
        runtime = self.runtime
        with runtime.active():
            counts = runtime.zeros(2 * 64, np.uint32)
            entries = runtime.upload(table.astype(np.uint8).reshape(-1))
            runtime.launch(
                source, "census", -(-self.queues // self.block), *self.rows, np.uint64(self.n), *self.tasks,
                np.uint64(self.queues), *self.buffers, entries, np.uint32(in_order), counts, threads=self.block,
            )  # fmt: skip
            found = runtime.download(counts).view(np.uint64)
        return final_census(self.n, types, [split_counts(found)])


def copy_to_device(rows: Adjacency, tasks: TaskQueues, *, device: str, block: int = BLOCK) -> DeviceNetwork:
    """Copy rows and queues to a GPU and allocate the buffers there: section 5.1.1.

    Parameters
    ----------
    rows : Adjacency
    tasks : TaskQueues
        Queues made from these rows, one per thread.
    device : str
        One device: "cuda", "cuda:1", "opencl:0".
    block : int, default 256
        Threads per block, 1 to 1024.

    Returns
    -------
    DeviceNetwork

    Raises
    ------
    ArgumentError
        `block` or `device` is invalid.
    UnsupportedError
        More than one device, more than 2**31 - 1 vertices, or counts that may exceed 2**63.
    DeviceError
        The device does not exist or failed.
    MissingExtraError
        The package for the device is not installed.
    OutOfMemoryError
        The arrays do not fit on the device.
    """
    if isinstance(block, bool) or not isinstance(block, (int, np.integer)) or not 1 <= block <= MOST_THREADS:
        raise ArgumentError(f"block={block!r}: expected a whole number of threads from 1 to {MOST_THREADS}")
    runtime = open_gpu(device)
    if rows.indices.dtype.itemsize > _WORD or rows.n * len(tasks.tail) >= 1 << 63:
        raise UnsupportedError(
            f"a network of {rows.n:,} vertices and {len(tasks.tail):,} edges: on a GPU there may be at most 2**31 - 1 "
            "vertices, and fewer than 2**63 pairs of a vertex and an edge"
        )
    starts = _buffer_starts(rows, tasks)
    words = [ids.view(np.uint32) for ids in (rows.arcs_indices, rows.indices, tasks.tail, tasks.head)]
    arrays = (rows.arcs_indptr, words[0], rows.indptr, words[1], words[2], words[3], tasks.starts, starts)
    in_buffers = _WORD * int(starts[-1])
    runtime.check_room("the triad census by task queues", in_buffers, *(array.nbytes for array in arrays))
    on_card = [runtime.upload(array) for array in arrays]
    buffers = runtime.empty(int(starts[-1]), np.uint32)
    nbytes = sum(array.nbytes for array in arrays) + in_buffers + _COUNTS_BYTES
    queues = len(tasks.starts) - 1
    return DeviceNetwork(
        runtime, rows.n, queues, int(block), tuple(on_card[:4]), tuple(on_card[4:7]), (on_card[7], buffers), nbytes
    )


def set_memory(rows: Adjacency, tasks: TaskQueues) -> SetMemory:
    """Return the memory of all sets S, for the approach that the thesis discarded and for the one it chose.

    Takes O(m k) time, where k is the largest degree: the sets are formed on the host to measure them.

    Examples
    --------
    >>> import triadic
    >>> rows = adjacency(triadic.Graph.from_edges([0, 0, 0, 1], [1, 2, 3, 2]))
    >>> set_memory(rows, task_queues(rows, queues=2))
    SetMemory(all_sets=68, reused=44, others=712)
    """
    starts = _buffer_starts(rows, tasks)
    row_bytes = rows.arcs_indptr.nbytes + rows.indptr.nbytes + _WORD * (len(rows.arcs_indices) + len(rows.indices))
    task_bytes = tasks.starts.nbytes + 2 * _WORD * len(tasks.tail)
    all_sets = _WORD * work_estimates(rows).set_sizes + 8 * (len(tasks.tail) + 1)
    return SetMemory(all_sets, _WORD * int(starts[-1]) + starts.nbytes, row_bytes + task_bytes + _COUNTS_BYTES)


def gpu_census(
    network: Graph | Arcs | Adjacency,
    *,
    device: str,
    types: Literal[16, 64] = 16,
    as_printed: bool = False,
    balance: Balance = "estimate",
    queues: int = QUEUES,
    block: int = BLOCK,
    shared: bool = True,
) -> Census:
    """Count triads on a GPU with figure 4.6, one task queue per thread.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops and repeated arcs are dropped; an undirected edge is mutual.
    device : str
        One device: "cuda", "cuda:1", "opencl:0".
    types : {16, 64}, default 16
        Number of classes: the 16 types, or the 64 labelled codes.
    as_printed : bool, default False
        With 64 codes: use the codes of the printed loop instead of the codes of the vertices in rising order.
    balance : {"vertices", "dyads", "canonical dyads", "set sizes", "authors", "estimate"}, default "estimate"
        Load that the queues share equally; see `batagelj_mrvar_queues.task_queues`.
    queues : int, default 30720
        Upper bound for the number of task queues, which is the number of GPU threads.
    block : int, default 256
        Threads per block, 1 to 1024.
    shared : bool, default True
        True uses one census per block in shared memory, added up at the end of the block (section 5.4.1). False uses
        one census for all threads, in global memory (section 5.1.2).

    Returns
    -------
    Census

    Raises
    ------
    ArgumentError
        An argument is outside its range.
    UnsupportedError
        More than one device, more than 2**31 - 1 vertices, or counts that may exceed 2**63.
    DeviceError
        The device does not exist or failed.
    MissingExtraError
        The package for the device is not installed.
    OutOfMemoryError
        The arrays do not fit on the device.

    Notes
    -----
    Takes O(m k log k) time, where k is the largest degree. On the device 8 bytes per neighbour, 4 per arc, and for each
    queue a buffer of up to 8 k bytes.

    References
    ----------
    Nagpal (2013), sections 5.1 and 5.4.1.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True)
    >>> gpu_census(graph, device="cuda")["030T"]  # doctest: +SKIP
    1
    """
    entry_table(types, as_printed=as_printed)  # checks `types` before any work
    rows = adjacency(network)
    ready = copy_to_device(rows, task_queues(rows, queues=queues, balance=balance), device=device, block=block)
    return ready.census(types=types, as_printed=as_printed, shared=shared)


def split_counts(found: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return counts as the entries of a census: int64, shape (128,)."""
    low = found & np.uint64((1 << UNIT_BITS) - 1)
    return np.concatenate([low, found >> np.uint64(UNIT_BITS)]).astype(np.int64)


def _buffer_starts(rows: Adjacency, tasks: TaskQueues) -> NDArray[np.int64]:
    """Return the start of each thread's buffer and the total length, in words."""
    degree = np.diff(rows.indptr)
    longest = degree[tasks.tail] + degree[tasks.head] - 2
    starts = np.zeros(len(tasks.starts), dtype=np.int64)
    if len(longest):
        np.cumsum(np.maximum.reduceat(longest, tasks.starts[:-1]), out=starts[1:])
    return starts
