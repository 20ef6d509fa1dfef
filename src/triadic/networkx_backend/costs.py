"""When networkx itself is the faster library: the cost of each function, in microseconds, by vertices and edges.

Networkx starts at once, and its time grows with the graph. A call here takes a fixed time first: networkx passes it on,
converts the graph unless the graph is converted already, and arrays and threads are set up. ``should_run`` says no
where the fixed time is longer than the time that is saved after it.

``python benchmarks/networkx_costs.py`` measures the table anew. Its random graphs have few triangles; networkx takes
longer for most networks of their size, so that a wrong choice is one in favour of networkx.
"""

from __future__ import annotations

from math import ceil, inf, sqrt
from typing import TYPE_CHECKING, NamedTuple

from triadic.networkx_backend.backend_graph import BackendGraph, is_converted

if TYPE_CHECKING:
    from collections.abc import Hashable

    import networkx as nx


class Cost(NamedTuple):
    """Microseconds of a function for a graph of n vertices and m edges.

    Attributes
    ----------
    node, edge, path, pair : float
        Time that is saved here for each vertex, for each edge, for each m² / n, which is a quarter of the paths of two
        edges in a graph of equal degrees, and for each pair of vertices, n².
    first : float
        Fixed time of a call that converts the graph.
    later : float
        Fixed time of a call on a converted graph.
    """

    node: float
    edge: float
    path: float
    pair: float
    first: float
    later: float

    def enough_edges(self, nodes: int, share: float, *, converted: bool) -> float:
        """Return the number of edges from which on triadic is faster, for a call that concerns a share of the nodes."""
        fixed = (self.later if converted else self.first) / share if share else inf
        rest = fixed - self.node * nodes - self.pair * nodes * nodes
        if rest <= 0:
            return 0
        if not self.path or not nodes or rest == inf:
            return rest / self.edge if self.edge else inf
        path = self.path / nodes  # path m² + edge m = rest
        return (sqrt(self.edge * self.edge + 4 * path * rest) - self.edge) / (2 * path)


COSTS = {
    "triangles": Cost(0, 1.1, 0.02, 0, 130, 25),
    "clustering": Cost(2.4, 2.9, 0.13, 0, 155, 25),  # and average_clustering
    "clustering, directed": Cost(0.8, 2.8, 0.33, 0, 220, 25),
    "clustering, weighted": Cost(0, 8.7, 1.4, 0, 915, 27),
    "clustering, directed, weighted": Cost(8.6, 16, 3, 0, 990, 27),
    "transitivity": Cost(3.5, 1.9, 0.27, 0, 155, 20),
    "transitivity, directed": Cost(3.4, 0.8, 0.09, 0, 195, 20),
    "square_clustering": Cost(0.7, 1.5, 0.33, 0, 440, 25),
    "generalized_degree": Cost(2, 1.4, 0.5, 0, 330, 50),
    "all_triangles": Cost(0.1, 0.23, 0.1, 0, 355, 265),
    "triadic_census": Cost(0, 13, 1.5, 0, 255, 30),
    "k_truss": Cost(1.6, 0, 0.7, 0, 700, 145),
    "link prediction": Cost(0, 0, 0, 1.1, 690, 400),
    "latapy_clustering": Cost(1.9, 5.3, 0.62, 0, 760, 315),  # and the average of bipartite graphs
    "robins_alexander_clustering": Cost(1.7, 0, 5.3, 0, 360, 25),
    "butterflies": Cost(1.6, 0.18, 0.47, 0, 145, 28),
}


def networkx_is_faster(
    row: str, graph: nx.Graph | BackendGraph, *, share: float = 1, weight: Hashable | None = None
) -> str | None:
    """Return the reason why networkx is faster for a graph, and None if triadic is.

    Parameters
    ----------
    row : str
        The row of `COSTS`.
    graph : networkx.Graph or BackendGraph
        Edges are read up to the number that decides.
    share : float, default 1
        The share of the nodes or pairs that the call concerns. The fixed time here is the same for any share.
    weight : hashable, optional
        The edge attribute that a converted graph must have.
    """
    if isinstance(graph, BackendGraph):
        return None  # networkx would have to convert it
    n = len(graph)
    enough = COSTS[row].enough_edges(n, share, converted=is_converted(graph, weight))
    if enough == 0 or (enough < inf and _has_edges(graph, enough)):
        return None
    edges = f" with fewer than {ceil(enough)} edges" if enough < inf else ""
    return f"networkx is faster on {n} nodes{edges}"


def _has_edges(graph: nx.Graph, enough: float) -> bool:
    """Return whether a graph has at least `enough` edges, reading no more of it than that takes."""
    entries, least = 0, enough * (1 if graph.is_directed() else 2)
    for row in graph._adj.values():  # noqa: SLF001 - number_of_edges reads the whole graph
        entries += len(row)
        if entries >= least:
            return True
    return False
