"""Local clustering coefficients by vertices and by edges, as the poster of Reza, Ripeanu and Asawat prints them.

The poster: the triangles at v are the pairs of its neighbours that are joined. Rows are sorted by id, so the common
neighbours of v and a neighbour e are found by walking both rows, and "the neighbour with the smaller vertex ID is
responsible": of a triangle {v, e, w}, e < w, the walk for e counts w and the walk for w does not count e.
Vertex-centric: a thread does all walks of a vertex. Edge-centric: a thread does the walk of one edge from one end;
array U beside the rows E says whose row it is, is overwritten with the counts, and a thread a vertex adds up.
NodeIterator, which meets a triangle six times, and NodeIterator++, which meets it once, are its baselines.

Misprints, each mended here:

- ``count_triangles``: S or L is always e, so one of its first two blocks always ends in ``continue`` and nothing is
  ever counted; nor does an index move where e's row is past e and the other row is not behind, so a single edge never
  ends (nor any network of up to five vertices that has an edge). Here the blocks go on only where they skip.
- In these blocks the other row's index moves on the wrong side (``a < b`` moves b's). Here the walk moves it.
- The walk moves on in the row whose entry is larger (``a > b`` should move i, ``a < b`` j), and leaves at the last
  entry of the longer row; before, it may read on behind it. ``as_printed=True`` of `vertex_centric` has this and the
  point before, ``continue`` standing where it would end: of a triangle with a tail, edges 01, 02, 12 and 13, vertex 0
  gets its triangle, 1 and 2 get none. A single edge reads behind a row, and is refused.
- Vertex-centric: T, by reference, is nowhere set to 0; the vertices of a triangle would get 1, 2 and 3. Edge-centric
  likewise.
- Edge-centric: ``U[e] = v``, ``U[u] = t`` and ``T + U[e]`` index U by vertices, where its text has (U[x], E[x]) an
  edge. A single edge, E = [1, 0], gets U = [1, 0] and so two loops. Here all three go by place.
- A degree under 2 divides by 0; the coefficient is 0 here.
- "Using NodeIterator++ it is not possible to explicitly count the number of triangles incident on each vertex": it is,
  by an atomic addition at each of the three.
- The CPU's "3.3x" on LiveJournal is against reference 2 (32.98 s); against reference 5, which the text names, 3.0.

Differs from the poster: T_v has 64 bits (a hub of RMAT20's 146,092 neighbours may have 10^10); coefficients are divided
on the host, in double precision; rows are looked up by bisection in the baselines, which it does not print; on the CPU,
free threads take the next of many ranges of vertices or arcs.

References
----------
Reza, Ripeanu and Asawat, "Parallel clustering coefficient computation using GPUs", poster, University of British
Columbia; Suri and Vassilvitskii (2011), "Counting triangles and the curse of the last reducer", WWW: the baselines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.errors import UnsupportedError
from triadic_papers import vertex_edge_centric_kernels as kernels
from triadic_papers.local_clustering import local_clustering, neighbour_rows, timed

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic_papers.adjacency import Adjacency
    from triadic_papers.local_clustering import LocalClustering

_BLOCKS = 1024


def node_iterator(network: Graph | Arcs | Adjacency, *, threads: int | None = None) -> LocalClustering:
    """Count by NodeIterator: each vertex asks of each two of its neighbours whether they are joined.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops, repeats and directions are left out.
    threads : int, optional
        Number of threads; as many as the process may use by default. The result is the same for any number.

    Returns
    -------
    LocalClustering
        Phases "rows", "compilation" and "compute".

    Raises
    ------
    ArgumentError

    Notes
    -----
    O(sum of squared degrees) look-ups.

    Examples
    --------
    >>> import triadic
    >>> node_iterator(triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])).triangles.tolist()
    [1, 1, 1, 0]
    """
    seconds: dict[str, float] = {}
    workers = blocks.resolve_threads(threads)
    with timed(seconds, "rows"):
        indptr, indices = neighbour_rows(network)
    n = len(indptr) - 1
    triangles = np.zeros(n, dtype=np.int64)
    _in_ranges(lambda first, last: kernels.node_iterator(indptr, indices, first, last, triangles), n, workers, seconds)
    return local_clustering(triangles, np.diff(indptr), seconds)


def node_iterator_plus_plus(network: Graph | Arcs | Adjacency, *, threads: int | None = None) -> LocalClustering:
    """Count by NodeIterator++: only a triangle's vertex of least degree, or of those the least id, looks for it.

    Parameters
    ----------
    network, threads
        As for `node_iterator`.

    Returns
    -------
    LocalClustering
        Phases "rows", in which they are sorted by degree as well, "compilation" and "compute".

    Raises
    ------
    ArgumentError

    Notes
    -----
    O(m sqrt(m)) look-ups; about 60 bytes an edge of working memory.

    Examples
    --------
    >>> import triadic
    >>> node_iterator_plus_plus(triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])).triangles.tolist()
    [1, 1, 1, 0]
    """
    seconds: dict[str, float] = {}
    workers = blocks.resolve_threads(threads)
    with timed(seconds, "rows"):
        indptr, indices = neighbour_rows(network)
        n, degree = len(indptr) - 1, np.diff(indptr)
        rank = np.empty(n, dtype=np.int64)
        rank[np.argsort(degree, kind="stable")] = np.arange(n)
        tail = np.repeat(np.arange(n), degree)
        kept = rank[tail] < rank[indices]
        tail, later = tail[kept], indices[kept]
        later = later[np.lexsort((rank[later], tail))]
        later_indptr = np.zeros(n + 1, dtype=np.int64)
        np.cumsum(np.bincount(tail, minlength=n), out=later_indptr[1:])
    triangles = np.zeros(n, dtype=np.int64)

    def count(first: int, last: int) -> None:
        kernels.node_iterator_plus_plus(indptr, indices, later_indptr, later, first, last, triangles)

    _in_ranges(count, n, workers, seconds)
    return local_clustering(triangles, degree, seconds)


def vertex_centric(
    network: Graph | Arcs | Adjacency, *, threads: int | None = None, device: str = "cpu", as_printed: bool = False
) -> LocalClustering:
    """Count by the poster's first algorithm, a vertex to a thread.

    Parameters
    ----------
    network, threads
        As for `node_iterator`.
    device : str, default "cpu"
        Or a GPU, such as "cuda:0" or "opencl".
    as_printed : bool, default False
        On the CPU: with the faults of the printed walk.

    Returns
    -------
    LocalClustering
        Phases "rows", "compilation" and "compute"; on a GPU "rows", "initialisation", "compilation", "transfer" and
        "compute".

    Raises
    ------
    ArgumentError
    DeviceError, MissingExtraError, OutOfMemoryError
        There is no such device, or the rows do not fit there.
    UnsupportedError
        As printed, it reads behind a row; or more than one device, or as printed on a GPU.

    Notes
    -----
    O(sum over edges of the ends' degrees), twice. On a GPU 4 bytes an arc, of which an edge is two, 16 a vertex.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 1], [1, 2, 2, 3])
    >>> vertex_centric(graph).triangles.tolist(), vertex_centric(graph, as_printed=True).triangles.tolist()
    ([1, 1, 1, 0], [1, 0, 0, 0])
    """
    if device != "cpu":
        if as_printed:
            raise UnsupportedError(f"device={device!r}: what is printed is followed on 'cpu' only")
        from triadic_papers import vertex_edge_centric_gpu  # noqa: PLC0415 - not without a device

        return vertex_edge_centric_gpu.vertex_centric(network, device=device)
    seconds: dict[str, float] = {}
    workers = blocks.resolve_threads(threads)
    with timed(seconds, "rows"):
        indptr, indices = neighbour_rows(network)
    n = len(indptr) - 1
    triangles = np.zeros(n, dtype=np.int64)
    kernel = kernels.vertex_centric_as_printed if as_printed else kernels.vertex_centric
    _in_ranges(lambda first, last: kernel(indptr, indices, first, last, triangles), n, workers, seconds)
    if as_printed:
        _refuse_undefined(triangles)
    return local_clustering(triangles, np.diff(indptr), seconds)


def edge_centric(
    network: Graph | Arcs | Adjacency, *, threads: int | None = None, device: str = "cpu"
) -> LocalClustering:
    """Count by the poster's second algorithm, an edge from one end to a thread.

    Parameters
    ----------
    network, threads, device
        As for `vertex_centric`.

    Returns
    -------
    LocalClustering
        Phases as for `vertex_centric`; "compute" has the poster's three procedures.

    Raises
    ------
    ArgumentError
    DeviceError, MissingExtraError, OutOfMemoryError
        There is no such device, or the rows do not fit there.
    UnsupportedError
        More than one device.

    Notes
    -----
    Work as for `vertex_centric`, and 4 bytes more an arc for U.

    Examples
    --------
    >>> import triadic
    >>> edge_centric(triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])).coefficients.round(3).tolist()
    [1.0, 1.0, 0.333, 0.0]
    """
    if device != "cpu":
        from triadic_papers import vertex_edge_centric_gpu  # noqa: PLC0415 - not without a device

        return vertex_edge_centric_gpu.edge_centric(network, device=device)
    seconds: dict[str, float] = {}
    workers = blocks.resolve_threads(threads)
    with timed(seconds, "rows"):
        indptr, indices = neighbour_rows(network)
    n = len(indptr) - 1
    triangles = np.zeros(n, dtype=np.int64)
    of_arcs = np.empty_like(indices)
    _in_ranges(lambda first, last: kernels.initialise_arcs(indptr, first, last, of_arcs), n, workers, seconds)
    _in_ranges(
        lambda first, last: kernels.count_over_arcs(indptr, indices, first, last, of_arcs),
        len(indices),
        workers,
        seconds,
    )
    _in_ranges(lambda first, last: kernels.sum_over_arcs(indptr, of_arcs, first, last, triangles), n, workers, seconds)
    return local_clustering(triangles, np.diff(indptr), seconds)


def _in_ranges(count: Callable[[int, int], object], items: int, threads: int, seconds: dict[str, float]) -> None:
    """Run a kernel over ranges of items, whoever is free taking the next; compile it before."""
    with timed(seconds, "compilation"):
        count(0, 0)
    starts = blocks.cut_evenly(items, _BLOCKS)
    with timed(seconds, "compute"):
        blocks.run(lambda _, block: count(starts[block], starts[block + 1]), len(starts) - 1, threads=threads)


def _refuse_undefined(triangles: NDArray[np.int64]) -> None:
    undefined = np.flatnonzero(triangles == kernels.PAST_THE_END)
    if len(undefined):
        raise UnsupportedError(
            f"as_printed=True: the printed walk reads behind a row at vertex {undefined[0]}, which is not defined"
        )
