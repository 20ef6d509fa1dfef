"""Each library's own graph from two arrays of arcs, built in the fastest way that was found.

By default other libraries keep repeated arcs and loops, and then count wrongly or refuse to count. For NetworKit and
igraph it is fastest to drop both in NumPy beforehand, by sorting 64-bit keys. Other ways were slower on R-MAT 18
(medians of 3 runs in turns, on a machine with other work, so only the order is reliable):

- NetworKit 11.2: ``addEdges``, ``removeMultiEdges`` and ``removeSelfLoops`` take 1.4 times as long,
  ``addEdges(checkMultiEdge=True)`` 2.2 times; ``GraphFromCoo`` is no faster than ``addEdges``.
- igraph 1.0, which gets the edges as a ``zip`` of two lists: the same edges in a NumPy array take 2.5 times as long,
  all arcs in a ``zip`` followed by ``simplify`` 3 times, all arcs in an array followed by ``simplify`` 5 times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from contest import LeftOutError

if TYPE_CHECKING:
    import igraph
    import networkit
    import networkx as nx
    import scipy.sparse
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph

# For more arcs, networkx, which is pure Python, takes minutes.
_MOST_FOR_NETWORKX = 200_000


def triadic_graph(arcs: Arcs) -> Graph:
    """Make triadic's graph."""
    from triadic import Graph

    return Graph.from_edges(arcs.source, arcs.target, num_vertices=arcs.vertices)


def networkit_graph(arcs: Arcs, *, threads: int) -> networkit.Graph:
    """Make NetworKit's graph, and set NetworKit's number of threads."""
    try:
        import networkit
    except ImportError:
        raise LeftOutError("not installed") from None

    if networkit.getMaxNumberOfThreads() != threads:
        networkit.setNumberOfThreads(threads)
    graph = networkit.Graph(arcs.vertices)
    # The ids must be 64-bit integers: NetworKit crashes on others (networkit issue 1413).
    graph.addEdges(simple_edges(arcs))
    return graph


def igraph_graph(arcs: Arcs) -> igraph.Graph:
    """Make igraph's graph."""
    try:
        import igraph
    except ImportError:
        raise LeftOutError("not installed") from None

    source, target = simple_edges(arcs)
    return igraph.Graph(arcs.vertices, zip(source.tolist(), target.tolist(), strict=True))


def networkx_graph(arcs: Arcs, *, most: float = _MOST_FOR_NETWORKX) -> nx.Graph:
    """Make networkx's graph, whose dictionaries drop repeated edges, unless there are more than `most` arcs."""
    if len(arcs) > most:
        raise LeftOutError(f"more than {most:,} arcs")
    try:
        import networkx as nx
    except ImportError:
        raise LeftOutError("not installed") from None

    graph = nx.Graph()
    graph.add_nodes_from(range(arcs.vertices))
    graph.add_edges_from(zip(arcs.source.tolist(), arcs.target.tolist(), strict=True))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


def scipy_columns(arcs: Arcs) -> scipy.sparse.csc_matrix:
    """Make SciPy's symmetric matrix of ones, in compressed columns."""
    import scipy.sparse

    source, target = simple_edges(arcs)
    ends = np.concatenate([source, target]), np.concatenate([target, source])
    return scipy.sparse.csc_matrix((np.ones(len(ends[0]), dtype=np.int8), ends), shape=(arcs.vertices, arcs.vertices))


def triadic_digraph(arcs: Arcs) -> Graph:
    """Make triadic's directed graph."""
    from triadic import Graph

    return Graph.from_edges(arcs.source, arcs.target, num_vertices=arcs.vertices, directed=True)


def igraph_digraph(arcs: Arcs) -> igraph.Graph:
    """Make igraph's directed graph."""
    try:
        import igraph
    except ImportError:
        raise LeftOutError("not installed") from None

    source, target = simple_arcs(arcs)
    return igraph.Graph(arcs.vertices, zip(source.tolist(), target.tolist(), strict=True), directed=True)


def networkx_digraph(arcs: Arcs) -> nx.DiGraph:
    """Make networkx's directed graph, of any number of arcs."""
    try:
        import networkx as nx
    except ImportError:
        raise LeftOutError("not installed") from None

    graph = nx.DiGraph()
    graph.add_nodes_from(range(arcs.vertices))
    graph.add_edges_from(zip(arcs.source.tolist(), arcs.target.tolist(), strict=True))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


def simple_edges(arcs: Arcs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each edge once, source below target, in rising order, as int64 arrays."""
    return _distinct(np.minimum(arcs.source, arcs.target), np.maximum(arcs.source, arcs.target))


def simple_arcs(arcs: Arcs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each arc once, without loops, in rising order, as int64 arrays."""
    return _distinct(arcs.source, arcs.target)


def _distinct(source: NDArray[np.integer], target: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    keys = source.astype(np.int64)
    keys <<= 32
    keys |= target
    keys = keys[source != target]
    keys.sort()
    keys = keys[np.diff(keys, prepend=-1) != 0]
    return keys >> 32, keys & 0xFFFFFFFF


def simple_degrees(arcs: Arcs) -> NDArray[np.int64]:
    """Return the degree of each vertex, without loops and repeated arcs."""
    source, target = simple_edges(arcs)
    return np.bincount(source, minlength=arcs.vertices) + np.bincount(target, minlength=arcs.vertices)
