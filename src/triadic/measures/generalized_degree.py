"""Generalized degree: the edges of each vertex by the number of triangles at the edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.counts.count import run
from triadic.counts.triangles import EDGE_SUPPORT

if TYPE_CHECKING:
    import scipy.sparse

    from triadic.core.progress import ProgressKeyword


def generalized_degree(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> scipy.sparse.csr_array[np.int64]:
    """Count the edges of each vertex by the number of triangles at the edge.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    scipy.sparse.csr_array of int64, shape (n, largest support + 1)
        Element [v, s] is the number of edges of vertex v that are in s triangles. Row v adds up to the degree of v; its
        sum weighted by s is twice the number of triangles at v.

    Raises
    ------
    ArgumentError
        If an argument does not have one of the accepted values.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    edge_support : Count the triangles at each edge.
    triangles : Count the triangles at each vertex.

    Notes
    -----
    The cost is that of `edge_support` and O(m) for m edges. `networkx.generalized_degree` returns the same numbers as
    dictionaries.

    References
    ----------
    Fronczak (2014), "Theoretical approach to network cohesion", arXiv:1403.6327.

    Examples
    --------
    >>> import triadic
    >>> triadic.generalized_degree(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).toarray()
    array([[0, 2],
           [0, 2],
           [1, 2],
           [1, 0]])
    """
    graph = as_graph(graph, not_tiled=EDGE_SUPPORT.not_tiled, batch=True)
    import scipy.sparse  # noqa: PLC0415 - slow to import, and no other measure needs it

    oriented = graph.oriented(threads=threads)
    support = run(EDGE_SUPPORT, oriented, threads=threads, device=device, progress=progress)
    order, n = oriented.order, oriented.num_vertices
    row = np.repeat(order, np.diff(oriented.indptr))
    shape = (n, int(support.max(initial=0)) + 1)
    # Each edge counts at both of its ends.
    ends, supports = np.concatenate([row, order[oriented.indices]]), np.concatenate([support, support])
    return scipy.sparse.coo_array((np.ones(len(ends), dtype=np.int64), (ends, supports)), shape=shape).tocsr()
