"""The triad census on a GPU, by the triad census thesis, chapter 5.

Section 5.1.1: rows and a central task queue in compressed form, a sub-queue to a thread; set S is formed in a buffer
that its thread uses again for each task, as long as the longest set that it may meet. Section 5.1.2: figure 4.6 by
each thread. Section 5.4.1: a census for each block in shared memory, but for dyadic triads, twice as fast there.

What chapter 5 does besides, and what is kept:

- All sets made beforehand (table 5.1), discarded for their memory and never run: `set_memory` says what they take.
- Tails and heads in arrays of their own, which gained nothing there: kept.
- The table of types in constant memory, or in shared memory, which gained nothing: left out, caches hold 128 bytes.
- Row starts and buffer starts in shared memory, which gained nothing: left out, each is read once.
- Unrolling, predication, fewer registers, no gain or a loss: left out, compilers see to them.

Differs from the thesis:

- Vertices are words of 32 bits; there, all of 64, so that its tables have twice as many bytes.
- Counts in shared memory are words of 64 bits in two halves; there, of 32, which may overflow.
- A buffer is as long as its queue's largest |N(u)| + |N(v)| - 2, whatever the queues are balanced by; the thesis does
  not say by what it is measured with 0.7, where no set is formed beforehand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from triadic.devices.gpu.errors import check_room
from triadic.devices.gpu.source import Source
from triadic.errors import ArgumentError, UnsupportedError
from triadic_papers.adjacency import adjacency
from triadic_papers.batagelj_mrvar_codes import UNIT_BITS, entry_table, finished, in_rising_order
from triadic_papers.batagelj_mrvar_queues import task_queues, work_estimates
from triadic_papers.single_gpu import open_gpu

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.devices.gpu.runtime import Buffer, Runtime
    from triadic.graph.graph import Graph
    from triadic.measures.census import Census
    from triadic_papers.adjacency import Adjacency
    from triadic_papers.batagelj_mrvar_queues import Balance, TaskQueues

QUEUES, BLOCK = 30720, 256  # a Tesla C1060 full, and a block of table 5.4
MOST_THREADS = 1024  # of a block, on any card
_PACKAGE = "triadic_papers"
_WORD = 4  # bytes of a vertex
_COUNTS_BYTES = 8 * 64


class SetMemory(NamedTuple):
    """Bytes on the GPU: tables 5.1 and 5.2.

    Attributes
    ----------
    all_sets : int
        Every set S of its own, and where each begins.
    reused : int
        A buffer for each thread, and where each begins.
    others : int
        Rows, queues, census.
    """

    all_sets: int
    reused: int
    others: int


class OnDevice(NamedTuple):
    """A network, its task queues and its buffers on one GPU; made by `on_device`.

    Attributes
    ----------
    runtime : Runtime
    n : int
        Number of vertices.
    queues : int
        Number of task queues, and of threads that have one.
    block : int
        Threads of a block.
    rows : tuple of Buffer
        Row starts and rows of arcs, then of neighbours.
    tasks : tuple of Buffer
        Tails, heads, and where each queue begins.
    buffers : tuple of Buffer
        Where each buffer begins, and all of them.
    nbytes : int
        Memory taken there.
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
        """Launch the kernel, wait for it and finish the census: what the thesis times beside pre-processing.

        Parameters
        ----------
        types, as_printed, shared
            As for `gpu_census`.

        Returns
        -------
        Census

        Raises
        ------
        ArgumentError, DeviceError
        """
        table, in_order = entry_table(types, as_printed=as_printed), in_rising_order(types, as_printed=as_printed)
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
        return finished(self.n, types, [in_two_parts(found)])


def on_device(rows: Adjacency, tasks: TaskQueues, *, device: str, block: int = BLOCK) -> OnDevice:
    """Copy rows and queues to a GPU and take the buffers there: section 5.1.1.

    Parameters
    ----------
    rows : Adjacency
    tasks : TaskQueues
        Of these rows, a queue to a thread.
    device : str
        One device: "cuda", "cuda:1", "opencl:0".
    block : int, default 256
        Threads of a block, 1 to 1024.

    Returns
    -------
    OnDevice

    Raises
    ------
    ArgumentError
    UnsupportedError
        More than one device, more than 2**31 - 1 vertices, or counts that may pass 2**63.
    DeviceError, MissingExtraError, OutOfMemoryError
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
    words = [each.view(np.uint32) for each in (rows.arcs_indices, rows.indices, tasks.tail, tasks.head)]
    arrays = (rows.arcs_indptr, words[0], rows.indptr, words[1], words[2], words[3], tasks.starts, starts)
    in_buffers = _WORD * int(starts[-1])
    check_room(runtime, "the triad census by task queues", in_buffers, *(each.nbytes for each in arrays))
    on_card = [runtime.upload(each) for each in arrays]
    buffers = runtime.empty(int(starts[-1]), np.uint32)
    nbytes = sum(each.nbytes for each in arrays) + in_buffers + _COUNTS_BYTES
    queues = len(tasks.starts) - 1
    return OnDevice(
        runtime, rows.n, queues, int(block), tuple(on_card[:4]), tuple(on_card[4:7]), (on_card[7], buffers), nbytes
    )


def set_memory(rows: Adjacency, tasks: TaskQueues) -> SetMemory:
    """Give what sets S take by the approach that the thesis discarded, and by the one it took.

    O(m k), k the largest degree: sets are formed, on the host, for their sizes.

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
    every = _WORD * work_estimates(rows).set_sizes + 8 * (len(tasks.tail) + 1)
    return SetMemory(every, _WORD * int(starts[-1]) + starts.nbytes, row_bytes + task_bytes + _COUNTS_BYTES)


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
    """Count triads on a GPU by figure 4.6, a task queue to a thread.

    Parameters
    ----------
    network, types, as_printed
        As for `batagelj_mrvar.census`.
    device : str
        One device: "cuda", "cuda:1", "opencl:0".
    balance : str, default "estimate"
        What the load of a queue is, as for `batagelj_mrvar_queues.task_queues`.
    queues : int, default 30720
        At most so many task queues, and GPU threads.
    block : int, default 256
        Threads of a block, 1 to 1024.
    shared : bool, default True
        A census for each block in shared memory, added up at its end (section 5.4.1); False: one for all threads, in
        global memory (section 5.1.2).

    Returns
    -------
    Census

    Raises
    ------
    ArgumentError
    UnsupportedError
        More than one device, more than 2**31 - 1 vertices, or counts that may pass 2**63.
    DeviceError, MissingExtraError, OutOfMemoryError

    Notes
    -----
    O(m k log k), k the largest degree. On the device 8 bytes a neighbour, 4 an arc, and for each queue a buffer of up
    to 8 k bytes.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True)
    >>> gpu_census(graph, device="cuda")["030T"]  # doctest: +SKIP
    1
    """
    entry_table(types, as_printed=as_printed)  # refuses types before anything is made
    rows = adjacency(network)
    ready = on_device(rows, task_queues(rows, queues=queues, balance=balance), device=device, block=block)
    return ready.census(types=types, as_printed=as_printed, shared=shared)


def in_two_parts(found: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Give counts as the entries of a census: int64, shape (128,)."""
    low = found & np.uint64((1 << UNIT_BITS) - 1)
    return np.concatenate([low, found >> np.uint64(UNIT_BITS)]).astype(np.int64)


def _buffer_starts(rows: Adjacency, tasks: TaskQueues) -> NDArray[np.int64]:
    """Give where each thread's buffer begins, and the end, in words."""
    degree = np.diff(rows.indptr)
    longest = degree[tasks.tail] + degree[tasks.head] - 2
    starts = np.zeros(len(tasks.starts), dtype=np.int64)
    if len(longest):
        np.cumsum(np.maximum.reduceat(longest, tasks.starts[:-1]), out=starts[1:])
    return starts
