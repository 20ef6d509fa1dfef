"""A digraph in the arrays of CSTN-117: figure 1's for CPUs and GPUs, figure 2's for the Cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array

from triadic.core.arcs import Arcs
from triadic.core.frozen import frozen
from triadic_papers.cstn117_kernels import count_loops, fill_padded, keep_proper

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph

LANES = 4  # 32-bit words of a vector of the Cell, 16 bytes
PADDING = -1


class Digraph(NamedTuple):
    """Figure 1: where each vertex's list begins in the array of arcs.

    Attributes
    ----------
    V : int64 array, shape (vertices + 1,)
        Start of each list, and the end of the last one.
    A : int32 or int64 array, shape (arcs,)
        End vertices; rising in each list, no repeats, with the arcs from a vertex to itself.
    """

    V: NDArray[np.int64]
    A: NDArray[np.integer[Any]]

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return len(self.V) - 1


class Padded(NamedTuple):
    """Figure 2: lists that begin at multiples of 16 bytes.

    Attributes
    ----------
    V : int64 array, shape (2 * vertices,)
        Start and length of each list.
    A : int32 or int64 array, shape (places,)
        End vertices, then -1 up to the next multiple of four.
    """

    V: NDArray[np.int64]
    A: NDArray[np.integer[Any]]

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return len(self.V) // 2


def digraph(network: Graph | Arcs | Digraph) -> Digraph:
    """Give a network's arrays, of figure 1: an edge of an undirected one is an arc each way.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        Raw arcs keep those from a vertex to itself; repeats are left out, for A is a set.

    Returns
    -------
    Digraph
        Of a graph its own rows, of a digraph itself: nothing is copied.

    Notes
    -----
    O(vertices + arcs) and, of raw arcs, about 20 bytes an arc of working memory.

    Examples
    --------
    >>> import triadic
    >>> found = digraph(triadic.Graph.from_edges([0, 2, 1], [1, 1, 2], directed=True))
    >>> found.V.tolist(), found.A.tolist()
    ([0, 1, 2, 3], [1, 2, 1])
    """
    if isinstance(network, Digraph):
        return network
    if not isinstance(network, Arcs):
        return _of_one_type(network.indptr, network.indices, network.num_vertices)
    n, source, target = network.vertices, network.source, network.target
    if not network.directed:
        source, target = np.concatenate([source, target]), np.concatenate([target, source])
    # Of booleans, because then repeats join to one True.
    rows = coo_array((np.ones(len(source), dtype=bool), (source, target)), shape=(n, n)).tocsr()
    rows.sum_duplicates()
    return _of_one_type(rows.indptr, rows.indices, n)


def without_loops(given: Digraph) -> Digraph:
    """Leave out the arcs from a vertex to itself, as the host does for the GPU and the Cell; a copy only if any are.

    Examples
    --------
    >>> found = without_loops(Digraph(np.array([0, 2, 3]), np.array([0, 1, 0], dtype=np.int32)))
    >>> found.V.tolist(), found.A.tolist()
    ([0, 1, 2], [1, 0])
    """
    loops = np.zeros(given.vertices, dtype=np.int64)
    count_loops(*given, loops)
    if not loops.any():
        return given
    V = given.V.copy()
    V[1:] -= np.cumsum(loops)
    A = np.empty(V[-1], dtype=given.A.dtype)
    keep_proper(*given, A)
    return Digraph(frozen(V), frozen(A))


def padded(given: Digraph) -> Padded:
    """Lay lists out as figure 2 has them; without the arcs from a vertex to itself.

    Examples
    --------
    >>> found = padded(Digraph(np.array([0, 2, 3]), np.array([0, 1, 0], dtype=np.int32)))
    >>> found.V.tolist(), found.A.tolist()
    ([0, 1, 4, 1], [1, -1, -1, -1, 0, -1, -1, -1])
    """
    proper = without_loops(given)
    V = np.empty(2 * proper.vertices, dtype=np.int64)
    V[1::2] = np.diff(proper.V)
    places = -(-V[1::2] // LANES) * LANES
    ends = np.cumsum(places)
    V[::2] = ends - places
    A = np.empty(int(places.sum()), dtype=proper.A.dtype)
    fill_padded(*proper, V, A, PADDING)
    return Padded(frozen(V), frozen(A))


def _of_one_type(indptr: NDArray[Any], indices: NDArray[Any], n: int) -> Digraph:
    """Give the arrays in dtypes that depend on n alone, so that a loop is compiled once, and are not to be written."""
    dtype = np.dtype(np.int32 if n <= np.iinfo(np.int32).max else np.int64)
    return Digraph(frozen(indptr.astype(np.int64, copy=False)), frozen(indices.astype(dtype, copy=False)))
