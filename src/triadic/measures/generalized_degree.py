"""Generalized degree: the edges of each vertex by the number of triangles they are in."""

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
    """Count the edges of each vertex that are in 0, 1, 2, ... triangles.

    Parameters
    ----------
    graph, threads, device, progress
        As for `triangles`; a directed graph is taken as its skeleton.

    Returns
    -------
    scipy.sparse.csr_array of int64, shape (n, largest support + 1)
        At [v, s] how many edges of v are in s triangles. Rows add up to degrees, and s times row v to twice v's
        triangles.

    Notes
    -----
    The cost of `edge_support`, and O(m) beside it.

    References
    ----------
    Fronczak (2014), "Theoretical approach to network cohesion", arXiv:1403.6327, as `networkx.generalized_degree`.

    Examples
    --------
    >>> import triadic
    >>> triadic.generalized_degree(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).toarray()
    array([[0, 2],
           [0, 2],
           [1, 2],
           [1, 0]])
    """
    graph = as_graph(graph)
    import scipy.sparse  # noqa: PLC0415 - needed for this alone

    oriented = graph.oriented(threads=threads)
    support = run(EDGE_SUPPORT, oriented, threads=threads, device=device, progress=progress)
    order, n = oriented.order, oriented.num_vertices
    row = np.repeat(order, np.diff(oriented.indptr))
    shape = (n, int(support.max(initial=0)) + 1)
    ends, twice = np.concatenate([row, order[oriented.indices]]), np.concatenate([support, support])
    return scipy.sparse.coo_array((np.ones(len(ends), dtype=np.int64), (ends, twice)), shape=shape).tocsr()
