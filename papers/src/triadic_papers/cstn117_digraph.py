"""A digraph in the arrays of CSTN-117: figure 1 for CPUs and GPUs, figure 2 for the Cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array

from triadic.core.arcs import Arcs
from triadic.core.oriented import frozen
from triadic_papers.cstn117_kernels import count_loops, fill_padded, keep_proper

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph

LANES = 4  # 32-bit words in a 16-byte vector of the Cell
PADDING = -1


class Digraph(NamedTuple):
    """Adjacency lists as in figure 1.

    Attributes
    ----------
    V : int64 array, shape (vertices + 1,)
        Start of each list in A, and the length of A.
    A : int32 or int64 array, shape (arcs,)
        End vertices, rising within each list, without repeats; arcs from a vertex to itself included.
    """

    V: NDArray[np.int64]
    A: NDArray[np.integer[Any]]

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return len(self.V) - 1


class Padded(NamedTuple):
    """Adjacency lists as in figure 2: each list begins at a multiple of 16 bytes.

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
    """Return the arrays of figure 1; an undirected edge becomes an arc in each direction.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        Raw arcs keep arcs from a vertex to itself; repeated arcs are dropped, since A is a set.

    Returns
    -------
    Digraph
        The rows of a graph, or the digraph itself, without a copy.

    Notes
    -----
    Takes O(vertices + arcs) time, and for raw arcs about 20 bytes per arc of working memory.

    Examples
    --------
    >>> import triadic
    >>> result = digraph(triadic.Graph.from_edges([0, 2, 1], [1, 1, 2], directed=True))
    >>> result.V.tolist(), result.A.tolist()
    ([0, 1, 2, 3], [1, 2, 1])
    """
    if isinstance(network, Digraph):
        return network
    if not isinstance(network, Arcs):
        return _of_one_type(network.indptr, network.indices, network.num_vertices)
    n, source, target = network.vertices, network.source, network.target
    if not network.directed:
        source, target = np.concatenate([source, target]), np.concatenate([target, source])
    # With boolean entries, repeated arcs merge into a single True.
    rows = coo_array((np.ones(len(source), dtype=bool), (source, target)), shape=(n, n)).tocsr()
    rows.sum_duplicates()
    return _of_one_type(rows.indptr, rows.indices, n)


def without_loops(given: Digraph) -> Digraph:
    """Return the digraph without arcs from a vertex to itself, as the host prepares it for the GPU and the Cell.

    The digraph is copied only if it has such arcs.

    Examples
    --------
    >>> result = without_loops(Digraph(np.array([0, 2, 3]), np.array([0, 1, 0], dtype=np.int32)))
    >>> result.V.tolist(), result.A.tolist()
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
    """Return the lists in the layout of figure 2, without arcs from a vertex to itself.

    Examples
    --------
    >>> result = padded(Digraph(np.array([0, 2, 3]), np.array([0, 1, 0], dtype=np.int32)))
    >>> result.V.tolist(), result.A.tolist()
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
    """Return read-only arrays with dtypes that depend on n alone, so that a kernel is compiled once."""
    dtype = np.dtype(np.int32 if n <= np.iinfo(np.int32).max else np.int64)
    return Digraph(frozen(indptr.astype(np.int64, copy=False)), frozen(indices.astype(dtype, copy=False)))
