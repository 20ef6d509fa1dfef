"""CSTN-117 on GPUs: kernels 1 and 2 on one card (section 2.4), and work blocks on several (section 2.5).

Differences from the paper:

- Blocks have as many threads as all kernels of triadic, 128 under CUDA; the paper does not print its number.
- Texture fetches are loads through CUDA's read-only path. OpenCL has no such choice: there the switch only declares
  that lists are not written to.
- Prefetching stops at the end of a list; algorithm 9 continues into the next list, and past the last.
- N is computed for the smallest of several devices, so that all devices take blocks of one size.
- The host's sort is a counting sort of lengths, on one thread; the paper's is TBB's `parallel_sort`.
- The paper leaves open how to predict the faster kernel for a graph (section 3): `choose_kernel`.

References
----------
A. Leist, K. Hawick, D. Playne (2011), technical note CSTN-117, sections 2.4 and 2.5, algorithms 7 to 9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.devices.runtimes import registry as gpus
from triadic.devices.runtimes.runtime import LANES, Source
from triadic.errors import ArgumentError, UnsupportedError
from triadic_papers.cstn117_counts import Clock, Counts, check_size
from triadic_papers.cstn117_digraph import Digraph, digraph, without_loops
from triadic_papers.cstn117_kernels import fill_sources, sort_by_end_degree
from triadic_papers.single_gpu import open_gpu

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.devices.runtimes.runtime import Buffer, Runtime
    from triadic.graph.graph import Graph

    Kernel = Literal["auto", 1, 2]

PREFETCHED = 7  # end vertices of a list: prefetchCount
_SAMPLE = 1 << 12  # warps
_UNEVEN = 2.0


class Replica(NamedTuple):
    """A digraph on one device, with its counters."""

    runtime: Runtime
    V: Buffer
    A: Buffer
    S: Buffer
    totals: Buffer


def clustering_cuda(
    network: Graph | Arcs | Digraph,
    *,
    device: str = "cuda",
    kernel: Kernel = "auto",
    shared_counters: bool = True,
    texture: bool = True,
    prefetch: bool = False,
    as_printed: bool = False,
) -> Counts:
    """Count triangles and paths on one GPU with algorithms 7 to 9: one thread per arc, in one launch.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        An undirected edge is an arc in each direction. Repeated arcs are dropped, arcs from a vertex to itself are
        kept.
    device : str, default "cuda"
        One device: "cuda", "cuda:1", "opencl:0".
    kernel : {"auto", 1, 2}, default "auto"
        1 takes arcs in their own order; 2 takes them sorted by the degrees of their end vertices, on the host; "auto"
        calls `choose_kernel`.
    shared_counters, texture, prefetch : bool, default True, True and False
        The three optimisations of algorithm 9: counting in registers, then per block, then in global memory; texture
        fetches; and prefetching seven end vertices of a list into shared memory, meant for cards before Fermi.
    as_printed : bool, default False
        Compare v_j with v_k as algorithm 8 does, and with shared counters use algorithm 9's 32-bit counters.

    Returns
    -------
    Counts
        With the steps "layout", "choose" (for "auto"), "compile", "sort" (for kernel 2), "copy" and "count".

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
    Takes 8 bytes per arc and 8 per vertex on the device; kernel 2 takes 4 more per arc.

    References
    ----------
    Leist, Hawick and Playne (2011), section 2.4, algorithms 7 to 9.
    """
    runtime = open_gpu(device)
    defines = _defines(shared_counters=shared_counters, texture=texture, prefetch=prefetch, as_printed=as_printed)
    return count_on([runtime], network, kernel, defines, None)


def clustering_multi_gpu(
    network: Graph | Arcs | Digraph,
    *,
    device: str = "cuda:all",
    kernel: Kernel = "auto",
    blocks_per_multiprocessor: int = 16,
    shared_counters: bool = True,
    texture: bool = True,
    prefetch: bool = False,
    as_printed: bool = False,
) -> Counts:
    """Count triangles and paths on several GPUs as in section 2.5: one host thread per GPU takes work blocks of N arcs.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        An undirected edge is an arc in each direction. Repeated arcs are dropped, arcs from a vertex to itself are
        kept. Each device gets a copy.
    device : str, default "cuda:all"
        Devices of one kind: "cuda:0,1".
    kernel : {"auto", 1, 2}, default "auto"
        1 takes arcs in their own order; 2 takes them sorted by the degrees of their end vertices, on the host; "auto"
        calls `choose_kernel`.
    blocks_per_multiprocessor : int, default 16
        Sets the size of a work block: N = threads per block x blocks x multiprocessors of the device.
    shared_counters, texture, prefetch : bool, default True, True and False
        The three optimisations of algorithm 9; see `clustering_cuda`.
    as_printed : bool, default False
        Compare v_j with v_k as algorithm 8 does, and with shared counters use algorithm 9's 32-bit counters.

    Returns
    -------
    Counts
        With the steps "layout", "choose" (for "auto"), "compile", "sort" (for kernel 2), "copy" and "count".

    Raises
    ------
    ArgumentError
        An argument is outside its range.
    UnsupportedError
        More than 2**31 - 1 vertices.
    DeviceError
        A device does not exist or failed.
    MissingExtraError
        The package for the devices is not installed.
    OutOfMemoryError
        The arrays do not fit on a device.

    References
    ----------
    Leist, Hawick and Playne (2011), section 2.5.
    """
    if device.partition(":")[0] not in gpus.KINDS:
        raise ArgumentError(f"device={device!r}: expected GPUs of one kind, such as 'cuda:all' or 'opencl:0,1'")
    blocks_each = check_size("blocks_per_multiprocessor", blocks_per_multiprocessor)
    defines = _defines(shared_counters=shared_counters, texture=texture, prefetch=prefetch, as_printed=as_printed)
    return count_on([gpus.runtime(name) for name in gpus.named(device)], network, kernel, defines, blocks_each)


def choose_kernel(network: Graph | Arcs | Digraph) -> Literal[1, 2]:
    """Return the kernel that should be faster: 2 if the 32 lists that a warp searches differ much in length.

    A warp runs as long as the longest of its lists. For a sample of warps of kernel 1, the lengths of the longest lists
    and of all lists are summed; kernel 2 is chosen if the longest are on average more than twice the mean of their
    warp.

    Parameters
    ----------
    network : Graph, Arcs or Digraph

    Returns
    -------
    int
        1 or 2.

    Examples
    --------
    >>> import triadic
    >>> ring = np.arange(1000)
    >>> hub = np.zeros(1000, dtype=np.int64)
    >>> choose_kernel(triadic.Graph.from_edges(ring, (ring + 1) % 1000))
    1
    >>> choose_kernel(triadic.Graph.from_edges(np.r_[ring, hub], np.r_[(ring + 1) % 1000, ring]))
    2
    """
    return _by_warps(without_loops(digraph(network)))


def _by_warps(graph: Digraph) -> Literal[1, 2]:
    V, A = graph
    warps = len(A) // LANES
    if warps == 0:
        return 1
    sampled = np.linspace(0, warps - 1, min(warps, _SAMPLE)).astype(np.int64)
    ends = A[sampled[:, None] * LANES + np.arange(LANES)]
    lengths = V[ends + 1] - V[ends]
    return 2 if LANES * lengths.max(axis=1).sum() > _UNEVEN * lengths.sum() else 1


def count_on(
    runtimes: Sequence[Runtime],
    network: Graph | Arcs | Digraph,
    kernel: Kernel,
    defines: tuple[tuple[str, int], ...],
    blocks_per_multiprocessor: int | None,
) -> Counts:
    """Count on one or several devices, in work blocks; in one launch if `blocks_per_multiprocessor` is None."""
    if kernel not in ("auto", 1, 2):
        raise ArgumentError(f"kernel={kernel!r}: expected 'auto', 1 or 2")
    clock = Clock()
    with clock.step("layout"):
        graph = without_loops(digraph(network))
    if graph.vertices > np.iinfo(np.int32).max:
        raise UnsupportedError(f"{runtimes[0].name}: graphs of more than 2**31 - 1 vertices are for the CPU")
    which = kernel
    if which == "auto":
        with clock.step("choose"):
            which = _by_warps(graph)
    source = Source("cstn117", (*defines, ("PAIRS", 1)) if which == 2 else defines, package=__package__)
    with clock.step("compile"):
        _arcs_for(Digraph(graph.V[:1], graph.A[:0]), which)
        for runtime in runtimes:
            _launch(_replica(runtime, graph.V[:1], graph.A[:0], np.zeros(0, dtype=np.uint32)), source, 0, 0, 1)
    with clock.step("sort" if which == 2 else "layout"):
        S = _arcs_for(graph, which)
    replicas: dict[int, Replica] = {}

    def copy(_: int, card: int) -> None:
        replicas[card] = _replica(runtimes[card], graph.V, graph.A, S)

    with clock.step("copy"):
        blocks.run(copy, len(runtimes), threads=len(runtimes))
    arcs = len(graph.A)
    N = arcs
    if blocks_per_multiprocessor is not None:
        N = min(LANES * runtime.teams * blocks_per_multiprocessor * runtime.multiprocessors for runtime in runtimes)

    def process(card: int, block: int) -> None:
        first = block * N
        count = min(N, arcs - first)
        _launch(replicas[card], source, first, count, -(-count // (LANES * runtimes[card].teams)))

    with clock.step("count"):
        blocks.run(process, -(-arcs // N) if arcs else 0, threads=len(runtimes))
        # The paths of one device may be negative.
        found = [replica.runtime.download(replica.totals).view(np.int64) for replica in replicas.values()]
    t, p = (sum(int(totals[k]) for totals in found) for k in (0, 1))
    return Counts(t, p, clock.seconds, which)


def _defines(*, shared_counters: bool, texture: bool, prefetch: bool, as_printed: bool) -> tuple[tuple[str, int], ...]:
    switches = {"SHARED_COUNTERS": shared_counters, "TEXTURE": texture, "AS_PRINTED": as_printed}
    return tuple((name, 1) for name, enabled in switches.items() if enabled) + (
        (("PREFETCH", PREFETCHED),) if prefetch else ()
    )


def _arcs_for(graph: Digraph, kernel: int) -> NDArray[np.uint32]:
    """Return S: the source of each arc, or source and end of each arc, sorted by the length of the end's list."""
    S = np.empty(len(graph.A) * kernel, dtype=np.uint32)
    if kernel == 1:
        fill_sources(graph.V, S)
    else:
        longest = int(np.diff(graph.V).max(initial=0))
        sort_by_end_degree(graph.V, graph.A, np.zeros(longest + 2, dtype=np.int64), S.reshape(-1, 2))
    return S


def _replica(runtime: Runtime, V: NDArray[np.int64], A: NDArray[np.integer[Any]], S: NDArray[np.uint32]) -> Replica:
    replica = Replica(
        runtime, runtime.upload(V), runtime.upload(A.view(np.uint32)), runtime.upload(S), runtime.zeros(4, np.uint32)
    )
    runtime.synchronize()
    return replica


def _launch(replica: Replica, source: Source, first: int, count: int, grid: int) -> None:
    """Process one batch of arcs and wait for it, so that the queue holds finished batches only."""
    arrays = replica.V, replica.A, replica.S
    replica.runtime.launch(source, "count_arcs", grid, *arrays, np.uint64(first), np.uint64(count), replica.totals)
    replica.runtime.synchronize()
