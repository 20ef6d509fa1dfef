"""Newman's clustering coefficient of a digraph on many kinds of processor, as the technical note CSTN-117 prints it.

Section 1: C = 3 x triangles / connected triples, where a triangle is a circuit of three arcs on three vertices and a
triple a path of two arcs on three vertices. Section 2.1, algorithm 1: an arc from v_i to v_j begins as many paths as
the list A_j is long; those back to v_i are taken away where v_i > v_j, two at a time, and those along an arc from a
vertex to itself at that arc, one for each arc that ends there (R). A circuit is met at its largest vertex v_i alone,
by looking for v_i in the lists of the vertices of A_j. The same loops run on

- threads that take blocks of vertices from a shared counter (algorithms 2, 3): `clustering_pthreads`;
- Threading Building Blocks (4 to 6): `clustering_tbb`;
- one GPU, a thread for each arc (7 to 9), in the arcs' order or sorted by the degrees of their ends: `clustering_cuda`;
- several GPUs, which take blocks of arcs (section 2.5): `clustering_multi_gpu`;
- the Cell processor, as seven phases on sixteen buffers (10 to 13): `clustering_phases`.

An edge of an undirected network is an arc each way, so a triangle there counts twice and a wedge too.

What is printed wrongly, each with its smallest counterexample; (*) is what ``as_printed=True`` gives:

- Algorithm 1 (*): R is right only without the arcs from a vertex to itself. Of one vertex with such an arc: -1 paths,
  where there is none.
- Algorithms 3 and 5: the block {v_s, ..., v_e} holds v_e, which the next block begins with. Of one vertex, vertex 1 is
  looked at, which does not exist; so there is no result to give.
- Algorithm 7: the element behind the last is V[N], not V[N + 1], as figure 1 has it.
- Algorithm 8 (*): "v_j > v_k" is to be algorithm 1's "v_i > v_k". Of the circuit 0, 1, 2: 0, where there is one; of an
  undirected triangle: 1, where there are two.
- Algorithm 9 (*): counters have 32 bits, and a block's paths, below zero where most of its arcs have a reverse, are
  widened without a sign. Of a star whose hub is the last vertex, once its arcs are more than a block has threads:
  2**32 paths too many.
- Algorithm 9: a brace of ``if (prefetchIdx == 0)`` is missing, so that it does not compile; closed where the indents
  close, the paths of an arc to a larger vertex are never added. Of 0 to 1 to 2: 0 paths, where there is one.
- Algorithm 9: what is fetched ahead goes on behind the end of a list, and of the array; it is not used.
- Algorithm 10: elements are given a block after the last vertex was taken; it is empty.
- Algorithms 9 and 13: 32-bit counts of triangles may come round.

Differs from the paper: counts have 64 bits; vertices count from 0; see also `cstn117_tbb`, `cstn117_gpu` and
`cstn117_cell`.

References
----------
Leist, Hawick and Playne (2011), "GP-GPU and multi-core architectures for computing clustering coefficients of irregular
graphs", Proc. International Conference on Scientific Computing (CSC'11), 3; technical note CSTN-117. Newman, Strogatz
and Watts (2001), Physical Review E 64, 026118.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic_papers.cstn117_cell import clustering_phases
from triadic_papers.cstn117_counts import Clock, Counts, take_size
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

_PIECE = 1024  # vertices between two looks at Ctrl-C
_BLOCK = 256  # the paper leaves its work block size open


def clustering(network: Graph | Arcs | Digraph, *, as_printed: bool = False) -> Counts:
    """Count triangles and paths by algorithm 1, on one thread.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        An undirected edge is an arc each way; repeats are left out, arcs from a vertex to itself are not.
    as_printed : bool, default False
        With the arcs from a vertex to itself in the reverse lists too, so that each such arc costs a path.

    Returns
    -------
    Counts
        Steps: layout, compile, reverse, count.

    Notes
    -----
    O(sum over arcs v_i > v_j of the lengths of the lists of A_j); 8 bytes a vertex beside the arrays.

    Examples
    --------
    >>> import triadic
    >>> found = clustering(triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=True))
    >>> found.triangles, found.paths, found.coefficient
    (1, 4, 0.75)
    """
    return _count(network, threads=1, block=_PIECE, as_printed=as_printed)


def clustering_pthreads(
    network: Graph | Arcs | Digraph, *, threads: int | None = None, block: int = _BLOCK, as_printed: bool = False
) -> Counts:
    """Count triangles and paths by algorithms 2 and 3: threads that take blocks of vertices from a shared counter.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        As for `clustering`.
    threads : int, optional
        As many as the process may use by default. The result is the same for any number.
    block : int, default 256
        Vertices of a work block.
    as_printed : bool, default False
        As for `clustering`.

    Returns
    -------
    Counts
        Steps: layout, compile, reverse, count.

    Raises
    ------
    ArgumentError

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=True)
    >>> clustering_pthreads(graph, threads=2, block=1) == clustering(graph)
    True
    """
    workers, block = blocks.resolve_threads(threads), take_size("block", block)
    return _count(network, threads=workers, block=block, as_printed=as_printed)


def _count(network: Graph | Arcs | Digraph, *, threads: int, block: int, as_printed: bool) -> Counts:
    clock = Clock()
    with clock.step("layout"):
        V, A = digraph(network)
    n = len(V) - 1
    found: list[NDArray[np.int64]] = [np.zeros(2, dtype=np.int64) for _ in range(threads)]
    R = np.zeros(n, dtype=np.int64)
    with clock.step("compile"):  # before threads start
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
    t, p = (int(each) for each in np.sum(found, axis=0))
    return Counts(t, p, clock.seconds)
