"""Newman's clustering coefficient of a digraph on many kinds of processors, as printed in the technical note CSTN-117.

Section 1: C = 3 x triangles / connected triples, where a triangle is a circuit of three arcs on three vertices and a
triple is a path of two arcs on three vertices. Section 2.1, algorithm 1: an arc from v_i to v_j starts as many paths as
the list A_j is long. Paths back to v_i are subtracted where v_i > v_j, two at a time; paths along an arc from a vertex
to itself are subtracted at that arc, one for each arc that ends at the vertex (R). A circuit is found at its largest
vertex v_i only, by searching for v_i in the lists of the vertices of A_j. The same loops run on

- threads that take blocks of vertices from a shared counter (algorithms 2 and 3): `clustering_pthreads`;
- Threading Building Blocks (algorithms 4 to 6): `clustering_tbb`;
- one GPU, one thread per arc (algorithms 7 to 9), in the order of the arcs or sorted by the degrees of their ends:
  `clustering_cuda`;
- several GPUs, which take blocks of arcs (section 2.5): `clustering_multi_gpu`;
- the Cell processor, as seven phases on sixteen buffers (algorithms 10 to 13): `clustering_phases`.

An edge of an undirected network is an arc in each direction, so each of its triangles and wedges counts twice.

Misprints, each with its smallest counterexample; ``as_printed=True`` keeps those marked (*):

- Algorithm 1 (*): R is correct only without arcs from a vertex to itself. One vertex with such an arc has -1 paths
  instead of 0.
- Algorithms 3 and 5: the block {v_s, ..., v_e} contains v_e, with which the next block begins. For one vertex, vertex 1
  is read, which does not exist, so there is no result to reproduce.
- Algorithm 7: the element behind the last is V[N], as in figure 1, not V[N + 1].
- Algorithm 8 (*): "v_j > v_k" should be "v_i > v_k", as in algorithm 1. The circuit 0, 1, 2 has 0 triangles instead of
  1; an undirected triangle has 1 instead of 2.
- Algorithm 9 (*): counters have 32 bits, and the paths of a block, negative where most of its arcs have a reverse, are
  widened without sign extension. A star whose hub is the last vertex gets 2**32 paths too many once it has more arcs
  than a block has threads.
- Algorithm 9: a brace of ``if (prefetchIdx == 0)`` is missing, so it does not compile. Closed according to the
  indentation, it never adds the paths of an arc to a larger vertex: for 0 to 1 to 2, 0 paths instead of 1.
- Algorithm 9: prefetching continues past the end of a list and of the array; the values are not used.
- Algorithm 10: elements are assigned a block after the last vertex was taken; it is empty.
- Algorithms 9 and 13: 32-bit triangle counts may overflow.

Differences from the paper: counts have 64 bits, and vertices count from 0; see also `cstn117_tbb`, `cstn117_gpu` and
`cstn117_cell`.

References
----------
A. Leist, K. Hawick, D. Playne (2011), "GP-GPU and multi-core architectures for computing clustering coefficients of
irregular graphs", Proc. International Conference on Scientific Computing (CSC'11), 3; technical note CSTN-117. M.
Newman, S. Strogatz, D. Watts (2001), Physical Review E 64, 026118.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic_papers.cstn117_cell import clustering_phases
from triadic_papers.cstn117_counts import Clock, Counts, check_size
from triadic_papers.cstn117_digraph import Digraph, digraph
from triadic_papers.cstn117_gpu import choose_kernel, clustering_cuda, clustering_multi_gpu
from triadic_papers.cstn117_kernels import count_vertices, reverse_lengths
from triadic_papers.cstn117_tbb import clustering_tbb

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph

__all__ = [
    "Counts",
    "Digraph",
    "choose_kernel",
    "clustering",
    "clustering_cuda",
    "clustering_multi_gpu",
    "clustering_phases",
    "clustering_pthreads",
    "clustering_tbb",
    "digraph",
]

_PIECE = 1024  # vertices between two checks for Ctrl-C
_BLOCK = 256  # the paper does not print its size of a work block


def clustering(network: Graph | Arcs | Digraph, *, as_printed: bool = False) -> Counts:
    """Count triangles and paths with algorithm 1, on one thread.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        An undirected edge is an arc in each direction. Repeated arcs are dropped, arcs from a vertex to itself are
        kept.
    as_printed : bool, default False
        Include arcs from a vertex to itself in the reverse lists R, as the paper prints it; each of them then costs one
        path.

    Returns
    -------
    Counts
        With the steps "layout", "compile", "reverse" and "count".

    Notes
    -----
    Takes time proportional to the sum of the lengths of the lists of A_j over all arcs v_i > v_j, and 8 bytes per
    vertex in addition to the arrays.

    References
    ----------
    Leist, Hawick and Playne (2011), algorithm 1.

    Examples
    --------
    >>> import triadic
    >>> counts = clustering(triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=True))
    >>> counts.triangles, counts.paths, counts.coefficient
    (1, 4, 0.75)
    """
    return _count(network, threads=1, block=_PIECE, as_printed=as_printed)


def clustering_pthreads(
    network: Graph | Arcs | Digraph, *, threads: int | None = None, block: int = _BLOCK, as_printed: bool = False
) -> Counts:
    """Count triangles and paths with algorithms 2 and 3: threads take blocks of vertices from a shared counter.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        An undirected edge is an arc in each direction. Repeated arcs are dropped, arcs from a vertex to itself are
        kept.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result does not depend on it.
    block : int, default 256
        Vertices per work block.
    as_printed : bool, default False
        Include arcs from a vertex to itself in the reverse lists R, as the paper prints it.

    Returns
    -------
    Counts
        With the steps "layout", "compile", "reverse" and "count".

    Raises
    ------
    ArgumentError
        `threads` or `block` is below 1.

    References
    ----------
    Leist, Hawick and Playne (2011), algorithms 2 and 3.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=True)
    >>> clustering_pthreads(graph, threads=2, block=1) == clustering(graph)
    True
    """
    workers, block = blocks.resolve_threads(threads), check_size("block", block)
    return _count(network, threads=workers, block=block, as_printed=as_printed)


def _count(network: Graph | Arcs | Digraph, *, threads: int, block: int, as_printed: bool) -> Counts:
    clock = Clock()
    with clock.step("layout"):
        V, A = digraph(network)
    n = len(V) - 1
    found: list[NDArray[np.int64]] = [np.zeros(2, dtype=np.int64) for _ in range(threads)]
    R = np.zeros(n, dtype=np.int64)
    with clock.step("compile"):  # before the threads start
        none = np.zeros(0, dtype=np.int64)
        reverse_lengths(V[:1], A, False, none)
        count_vertices(V, A, none, 0, 0, found[0])

    def process(worker: int, number: int) -> None:
        first = number * block
        count_vertices(V, A, R, first, min(n, first + block), found[worker])

    with clock.step("reverse"):
        reverse_lengths(V, A, as_printed, R)
    with clock.step("count"):
        blocks.run(process, -(-n // block), threads=threads)
    t, p = (int(total) for total in np.sum(found, axis=0))
    return Counts(t, p, clock.seconds)
