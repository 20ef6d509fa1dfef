"""Estimates of when networkx itself is faster: the cost of each function, in microseconds, by vertices and edges.

A call here first takes a fixed time: networkx dispatches it, the graph is converted unless networkx has the converted
graph in its cache, and the count is set up. After that, triadic takes less time than networkx for each vertex and each
edge. ``should_run`` leaves a call to networkx if the fixed time exceeds the time that is saved.

``python benchmarks/networkx_costs.py`` measures the table. Its random graphs have few triangles. Networkx takes longer
on most networks of the same size, so the estimates err in favour of networkx.
"""

from __future__ import annotations

from math import ceil, inf, sqrt
from typing import TYPE_CHECKING, NamedTuple

from triadic.networkx_backend.backend_graph import BackendGraph, is_converted

if TYPE_CHECKING:
    from collections.abc import Hashable

    import networkx as nx


class Cost(NamedTuple):
    """Cost of a function for a graph of n vertices and m edges: microseconds, all of them floats.

    Attributes
    ----------
    node, edge, path, pair : float
        Time saved here per vertex, per edge, per unit of m² / n and per unit of n². In a graph of equal degrees, m² / n
        is half the number of paths of two edges.
    first : float
        Fixed time of a call that converts the graph.
    later : float
        Fixed time of a call on a converted graph whose values are in memory, as after a first call.
    """

    node: float
    edge: float
    path: float
    pair: float
    first: float
    later: float

    def enough_edges(self, nodes: int, share: float, *, converted: bool) -> float:
        """Return the number of edges at which both libraries take the same time, for a call on a share of the nodes."""
        fixed = (self.later if converted else self.first) / share if share else inf
        rest = fixed - self.node * nodes - self.pair * nodes * nodes
        if rest <= 0:
            return 0
        if not self.path or not nodes or rest == inf:
            return rest / self.edge if self.edge else inf
        path = self.path / nodes  # path m² + edge m = rest
        return (sqrt(self.edge * self.edge + 4 * path * rest) - self.edge) / (2 * path)


# Networkx 3.6, Python 3.11, two cores.
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
        Row of `COSTS`. A row of its own for directed graphs or weights, if there is one, is taken for them.
    graph : networkx.Graph or BackendGraph
        Edges are counted only up to the number that decides.
    share : float, default 1
        Share of the nodes or pairs for which the call returns a value. The fixed time is the same for any share.
    weight : hashable, optional
        Edge attribute that the function reads.
    """
    if isinstance(graph, BackendGraph):
        return None  # networkx would have to convert it
    if graph.is_directed() and f"{row}, directed" in COSTS:
        row += ", directed"
    if f"{row}, weighted" not in COSTS:
        weight = None
    elif weight is not None:
        row += ", weighted"
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
