"""Local clustering coefficients by vertices and by edges, as printed on the poster of Reza, Ripeanu and Asawat.

The triangles at v are the adjacent pairs of its neighbours. Rows are sorted by id, so the common neighbours of v and a
neighbour e are found by merging both rows, and "the neighbour with the smaller vertex ID is responsible": for a
triangle {v, e, w} with e < w, the merge for e counts w, and the merge for w does not count e. Vertex-centric: one
thread performs all merges of a vertex. Edge-centric: one thread performs the merge of one edge from one end; an array U
parallel to the rows E holds the vertex of each row, is overwritten with the counts, and one thread per vertex adds them
up. The baselines are NodeIterator, which finds each triangle six times, and NodeIterator++, which finds it once.

Misprints, all corrected here:

- ``count_triangles``: S or L is always e, so one of its first two blocks always ends in ``continue`` and nothing is
  ever counted; and no index moves where e's row is past e and the other row is not behind, so the procedure never ends
  for a single edge (nor for any network of up to five vertices that has an edge). Here the blocks continue only if they
  skip.
- In these blocks the index of the other row moves on the wrong side (``a < b`` moves b's). Here the merge moves it.
- The merge advances in the row whose entry is larger (``a > b`` should move i, ``a < b`` j), and ends at the last entry
  of the longer row; before that, it may read past the end. ``as_printed=True`` of `vertex_centric` keeps this and the
  previous fault, with ``continue`` placed so that the procedure ends: for a triangle with a tail, edges 01, 02, 12 and
  13, vertex 0 gets its triangle, vertices 1 and 2 get none. A single edge reads past a row and raises an error.
- Vertex-centric: T, passed by reference, is never set to 0; the vertices of a triangle would get 1, 2 and 3. The
  edge-centric algorithm has the same fault.
- Edge-centric: ``U[e] = v``, ``U[u] = t`` and ``T + U[e]`` index U by vertices, where the text defines (U[x], E[x]) as
  an edge. A single edge, E = [1, 0], gets U = [1, 0] and so two loops. Here all three index by position.
- A degree below 2 divides by 0; here the coefficient is 0.
- "Using NodeIterator++ it is not possible to explicitly count the number of triangles incident on each vertex": it is
  possible, with an atomic addition at each of the three vertices.
- The CPU's "3.3x" on LiveJournal is relative to reference 2 (32.98 s); relative to reference 5, which the text names,
  it is 3.0.

Differences from the poster: T_v has 64 bits (a hub with RMAT20's 146,092 neighbours may have 10^10 triangles);
coefficients are divided on the host, in double precision; the baselines, which the poster does not print, search rows
by bisection; on the CPU, free threads take the next of many ranges of vertices or arcs.

References
----------
T. Reza, M. Ripeanu, T. Asawat, "Parallel clustering coefficient computation using GPUs", poster, University of British
Columbia. S. Suri, S. Vassilvitskii (2011), "Counting triangles and the curse of the last reducer", WWW: the baselines.
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
    """Count with NodeIterator: for each vertex, look up every pair of its neighbours.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops, repeated edges and directions are dropped.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result does not depend on it.

    Returns
    -------
    LocalClustering
        With the phases "rows", "compilation" and "compute".

    Raises
    ------
    ArgumentError
        `threads` is below 1.

    Notes
    -----
    Takes O(sum of squared degrees) look-ups.

    References
    ----------
    Suri and Vassilvitskii (2011), algorithm 1.

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
    """Count with NodeIterator++, which finds each triangle only at its vertex of smallest degree.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops, repeated edges and directions are dropped.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result does not depend on it.

    Returns
    -------
    LocalClustering
        With the phases "rows", which includes sorting them by degree, "compilation" and "compute".

    Raises
    ------
    ArgumentError
        `threads` is below 1.

    Notes
    -----
    Takes O(m sqrt(m)) look-ups and about 60 bytes per edge of working memory.

    References
    ----------
    Suri and Vassilvitskii (2011), algorithm 2.

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
        is_later = rank[tail] < rank[indices]
        tail, later = tail[is_later], indices[is_later]
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
    """Count with the poster's vertex-centric algorithm, one thread per vertex.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops, repeated edges and directions are dropped.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result does not depend on it.
    device : str, default "cpu"
        "cpu", or one GPU such as "cuda:0" or "opencl".
    as_printed : bool, default False
        Keep the faults of the printed merge; on the CPU only.

    Returns
    -------
    LocalClustering
        With the phases "rows", "compilation" and "compute"; on a GPU "rows", "initialisation", "compilation",
        "transfer" and "compute".

    Raises
    ------
    ArgumentError
        An argument is outside its range.
    DeviceError
        The device does not exist or failed.
    MissingExtraError
        The package for the device is not installed.
    OutOfMemoryError
        The rows do not fit on the device.
    UnsupportedError
        The printed merge reads past the end of a row; or more than one device, or `as_printed` on a GPU.

    Notes
    -----
    Takes twice the sum of the ends' degrees over all edges. On a GPU 4 bytes per arc, two arcs per edge, and 16 per
    vertex.

    References
    ----------
    Reza, Ripeanu and Asawat, vertex-centric algorithm.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 1], [1, 2, 2, 3])
    >>> vertex_centric(graph).triangles.tolist(), vertex_centric(graph, as_printed=True).triangles.tolist()
    ([1, 1, 1, 0], [1, 0, 0, 0])
    """
    if device != "cpu":
        if as_printed:
            raise UnsupportedError(f"device={device!r}: as_printed=True runs on 'cpu' only")
        from triadic_papers import vertex_edge_centric_gpu  # noqa: PLC0415 - only needed with a GPU

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
    """Count with the poster's edge-centric algorithm, one thread per edge and end.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops, repeated edges and directions are dropped.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result does not depend on it.
    device : str, default "cpu"
        "cpu", or one GPU such as "cuda:0" or "opencl".

    Returns
    -------
    LocalClustering
        With the phases "rows", "compilation" and "compute"; on a GPU "rows", "initialisation", "compilation",
        "transfer" and "compute". "compute" includes the poster's three procedures.

    Raises
    ------
    ArgumentError
        An argument is outside its range.
    DeviceError
        The device does not exist or failed.
    MissingExtraError
        The package for the device is not installed.
    OutOfMemoryError
        The rows do not fit on the device.
    UnsupportedError
        More than one device.

    Notes
    -----
    Takes the time of `vertex_centric`, and 4 bytes more per arc for U.

    References
    ----------
    Reza, Ripeanu and Asawat, edge-centric algorithm.

    Examples
    --------
    >>> import triadic
    >>> edge_centric(triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])).coefficients.round(3).tolist()
    [1.0, 1.0, 0.333, 0.0]
    """
    if device != "cpu":
        from triadic_papers import vertex_edge_centric_gpu  # noqa: PLC0415 - only needed with a GPU

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
    """Compile a kernel, then run it over ranges of items; free threads take the next range."""
    with timed(seconds, "compilation"):
        count(0, 0)
    starts = blocks.cut_evenly(items, _BLOCKS)
    with timed(seconds, "compute"):
        blocks.run(lambda _, block: count(starts[block], starts[block + 1]), len(starts) - 1, threads=threads)


def _refuse_undefined(triangles: NDArray[np.int64]) -> None:
    undefined = np.flatnonzero(triangles == kernels.PAST_THE_END)
    if len(undefined):
        raise UnsupportedError(
            f"as_printed=True: the printed merge is undefined: it reads past the end of a row at vertex {undefined[0]}"
        )
