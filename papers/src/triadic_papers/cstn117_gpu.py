"""CSTN-117 on GPUs: kernel 1 and kernel 2 on one card (section 2.4), and work blocks on several (section 2.5).

Differs from the paper:

- Blocks have as many threads as everywhere here, 128 under CUDA; the paper's number is not given.
- Texture fetches have become loads through CUDA's read-only path. OpenCL has no such choice: there the switch only
  says that lists are not written to.
- Fetches ahead stop at the end of a list; algorithm 9's go on into the next, and behind the last one.
- N is that of the smallest of several devices, so that all take blocks of one size.
- The host's sort counts lengths, on one thread; there, TBB's `parallel_sort` compares them.
- How to tell from a graph which kernel is faster is what the paper proposes to find out (section 3): `choose_kernel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.devices.gpu import open as gpus
from triadic.devices.gpu.runtime import LANES
from triadic.devices.gpu.source import Source
from triadic.errors import ArgumentError, UnsupportedError
from triadic_papers.cstn117_counts import Clock, Counts, take_size
from triadic_papers.cstn117_digraph import Digraph, digraph, without_loops
from triadic_papers.cstn117_kernels import fill_sources, sort_by_end_degree
from triadic_papers.single_gpu import open_gpu

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.devices.gpu.runtime import Buffer, Runtime
    from triadic.graph.graph import Graph

    Kernel = Literal["auto", 1, 2]

PREFETCHED = 7  # of each list at a time: prefetchCount
_SAMPLE = 1 << 12  # warps
_UNEVEN = 2.0


class Replica(NamedTuple):
    """A digraph on one device, and its counters."""

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
    """Count triangles and paths on one GPU by algorithms 7 and 8: a thread for each arc, all in one launch.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        As for `clustering`.
    device : str, default "cuda"
        One device: "cuda", "cuda:1", "opencl:0".
    kernel : {"auto", 1, 2}, default "auto"
        1: arcs in their own order. 2: sorted by the degrees of their end vertices, on the host. "auto": as
        `choose_kernel` finds.
    shared_counters, texture, prefetch : bool
        The three optimisations of algorithm 9: counting in registers, then for a block, then for all; texture fetches;
        and seven end vertices of a list fetched ahead into shared memory, which is for cards before Fermi.
    as_printed : bool, default False
        Algorithm 8's comparison of v_j with v_k, and where counters are shared algorithm 9's of 32 bits.

    Returns
    -------
    Counts
        Steps: layout, choose (of "auto"), compile, sort (of kernel 2), copy, count.

    Raises
    ------
    ArgumentError, DeviceError, MissingExtraError, OutOfMemoryError
    UnsupportedError
        More than one device, or than 2**31 - 1 vertices.

    Notes
    -----
    On the device 8 bytes an arc and 8 a vertex; kernel 2, 4 more an arc.
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
    """Count triangles and paths on several GPUs by section 2.5: a host thread each takes work blocks of N arcs.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        As for `clustering`; each device has a copy.
    device : str, default "cuda:all"
        Devices of one kind: "cuda:0,1".
    kernel : {"auto", 1, 2}, default "auto"
        As for `clustering_cuda`.
    blocks_per_multiprocessor : int, default 16
        With it, N = threads of a block x blocks x multiprocessors of the device.
    shared_counters, texture, prefetch, as_printed
        As for `clustering_cuda`.

    Returns
    -------
    Counts
        Steps: layout, choose (of "auto"), compile, sort (of kernel 2), copy, count.

    Raises
    ------
    ArgumentError, DeviceError, MissingExtraError, OutOfMemoryError
    UnsupportedError
        More than 2**31 - 1 vertices.
    """
    if device.partition(":")[0] not in gpus.KINDS:
        raise ArgumentError(f"device={device!r}: expected GPUs of one kind, such as 'cuda:all' or 'opencl:0,1'")
    each = take_size("blocks_per_multiprocessor", blocks_per_multiprocessor)
    defines = _defines(shared_counters=shared_counters, texture=texture, prefetch=prefetch, as_printed=as_printed)
    return count_on([gpus.runtime(name) for name in gpus.named(device)], network, kernel, defines, each)


def choose_kernel(network: Graph | Arcs | Digraph) -> Literal[1, 2]:
    """Say which kernel should be the faster: 2 where the 32 lists that a warp goes through differ much in length.

    A warp goes through its lists for as long as the longest of them is. Over a sample of warps of kernel 1, the longest
    lists are added up, and all lists; where the former are on average more than twice the mean list of their warp,
    kernel 2 is taken.

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
    of_sample = np.linspace(0, warps - 1, min(warps, _SAMPLE)).astype(np.int64)
    ends = A[of_sample[:, None] * LANES + np.arange(LANES)]
    lengths = V[ends + 1] - V[ends]
    return 2 if LANES * lengths.max(axis=1).sum() > _UNEVEN * lengths.sum() else 1


def count_on(
    runtimes: Sequence[Runtime],
    network: Graph | Arcs | Digraph,
    kernel: Kernel,
    defines: tuple[tuple[str, int], ...],
    blocks_per_multiprocessor: int | None,
) -> Counts:
    """Count on each of some devices, in work blocks; all arcs at once where their size is None."""
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
        for of in runtimes:
            _launch(_replica(of, graph.V[:1], graph.A[:0], np.zeros(0, dtype=np.uint32)), source, 0, 0, 1)
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
        N = min(LANES * of.teams * blocks_per_multiprocessor * of.multiprocessors for of in runtimes)

    def process(card: int, block: int) -> None:
        first = block * N
        count = min(N, arcs - first)
        _launch(replicas[card], source, first, count, -(-count // (LANES * runtimes[card].teams)))

    with clock.step("count"):
        blocks.run(process, -(-arcs // N) if arcs else 0, threads=len(runtimes))
        # A device's share of the paths may be below zero.
        found = [of.runtime.download(of.totals).view(np.int64) for of in replicas.values()]
    t, p = (sum(int(of_card[k]) for of_card in found) for k in (0, 1))
    return Counts(t, p, clock.seconds, which)


def _defines(*, shared_counters: bool, texture: bool, prefetch: bool, as_printed: bool) -> tuple[tuple[str, int], ...]:
    switches = {"SHARED_COUNTERS": shared_counters, "TEXTURE": texture, "AS_PRINTED": as_printed}
    return tuple((name, 1) for name, on in switches.items() if on) + ((("PREFETCH", PREFETCHED),) if prefetch else ())


def _arcs_for(graph: Digraph, kernel: int) -> NDArray[np.uint32]:
    """Give S: the source of each arc, or source and end of each, sorted by the length of the end's list."""
    S = np.empty(len(graph.A) * kernel, dtype=np.uint32)
    if kernel == 1:
        fill_sources(graph.V, S)
    else:
        longest = int(np.diff(graph.V).max(initial=0))
        sort_by_end_degree(graph.V, graph.A, np.zeros(longest + 2, dtype=np.int64), S.reshape(-1, 2))
    return S


def _replica(runtime: Runtime, V: NDArray[np.int64], A: NDArray[np.integer[Any]], S: NDArray[np.uint32]) -> Replica:
    on = Replica(
        runtime, runtime.upload(V), runtime.upload(A.view(np.uint32)), runtime.upload(S), runtime.zeros(4, np.uint32)
    )
    runtime.synchronize()
    return on


def _launch(on: Replica, source: Source, first: int, count: int, grid: int) -> None:
    """Count so many arcs, and wait until it is done: the queue is for those that are."""
    on.runtime.launch(source, "count_arcs", grid, on.V, on.A, on.S, np.uint64(first), np.uint64(count), on.totals)
    on.runtime.synchronize()
