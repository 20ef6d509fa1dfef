"""Sorted rows of a network, the input of the papers' algorithms: heads of arcs, and neighbours in either direction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array

from triadic.core.arcs import Arcs
from triadic.core.oriented import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph


class Adjacency(NamedTuple):
    """Rows of arcs and rows of neighbours in compressed form; rows are sorted, without loops or repeats.

    Attributes
    ----------
    n : int
        Number of vertices.
    arcs_indptr : int64 array, shape (n + 1,)
    arcs_indices : int32 or int64 array, shape (arcs,)
        E, the edge lists: heads of the arcs from each vertex.
    indptr : int64 array, shape (n + 1,)
    indices : int32 or int64 array, shape (2 * edges,)
        N, the neighbour lists: vertices joined to each vertex in either direction.
    widest : int
        Upper bound for the number of entries of N(u) and N(v) together, over all u and v.
    """

    n: int
    arcs_indptr: NDArray[np.int64]
    arcs_indices: NDArray[np.integer[Any]]
    indptr: NDArray[np.int64]
    indices: NDArray[np.integer[Any]]
    widest: int


def adjacency(network: Graph | Arcs | Adjacency) -> Adjacency:
    """Return the sorted rows of a network; an undirected edge becomes an arc in each direction.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops and repeated arcs are dropped. An `Adjacency` is returned unchanged.

    Returns
    -------
    Adjacency

    Notes
    -----
    Takes O(n + m) time and about 20 bytes per arc of working memory in addition to the result.

    Examples
    --------
    >>> import triadic
    >>> rows = adjacency(triadic.Graph.from_edges([0, 2, 1], [1, 1, 2], directed=True))
    >>> rows.arcs_indptr.tolist(), rows.arcs_indices.tolist()
    ([0, 1, 2, 3], [1, 2, 1])
    >>> rows.indptr.tolist(), rows.indices.tolist()
    ([0, 1, 3, 4], [1, 0, 2, 1])
    """
    if isinstance(network, Adjacency):
        return network
    if isinstance(network, Arcs):
        n = network.vertices
        proper = network.source != network.target
        ends = network.source[proper], network.target[proper]
        # With boolean entries, repeated arcs merge into a single True.
        arcs = coo_array((np.ones(len(ends[0]), dtype=bool), ends), shape=(n, n)).tocsr()
    else:
        n = network.num_vertices
        present = np.ones(len(network.indices), dtype=bool)
        arcs = csr_array((present, network.indices, network.indptr), shape=(n, n))
    neighbours = (arcs + arcs.T).tocsr()
    neighbours.sort_indices()
    if not network.directed:
        arcs = neighbours
    return Adjacency(n, *_rows(arcs, n), *_rows(neighbours, n), 2 * int(np.diff(neighbours.indptr).max(initial=0)))


def _rows(matrix: csr_array[Any], n: int) -> tuple[NDArray[np.int64], NDArray[np.integer[Any]]]:
    """Return the rows with dtypes that depend on n alone, so that a kernel is compiled once."""
    dtype = np.dtype(np.int32 if n <= np.iinfo(np.int32).max else np.int64)
    return frozen(matrix.indptr.astype(np.int64, copy=False)), frozen(matrix.indices.astype(dtype, copy=False))
