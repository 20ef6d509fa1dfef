"""The algorithms that networkx calls here, with the reasons, in words, to leave a call to networkx.

Graphs that networkx refuses are refused in its words.

A call here first takes a fixed time: networkx dispatches it, the graph is converted unless networkx has the converted
graph in its cache, and the count is set up. After that, triadic takes less time than networkx for each vertex and each
edge. ``should_run`` leaves a call to networkx if the fixed time exceeds the time that is saved.

``python benchmarks/networkx_costs.py`` measures the table. Its random graphs have few triangles. Networkx takes longer
on most networks of the same size, so the estimates err in favour of networkx.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sized
from math import ceil, inf, sqrt
from typing import Any, NamedTuple, TypeAlias, TypeVar

import networkx as nx

from triadic.errors import UnsupportedError
from triadic.networkx_backend.backend_graph import BackendGraph, is_converted

Answer: TypeAlias = bool | str
"""True, or a reason in words."""

Predicate: TypeAlias = Callable[..., Answer]

Function = TypeVar("Function", bound=Callable[..., Any])

_NODES = ("nodes", "nbunch", "nodelist")  # names of the argument in networkx
# Networkx reads the rows of one node's neighbours only; a count here reads the whole graph.
_ENOUGH_NODES = 1 / 50


def takes_graph(G: Any, *_args: Any, **_kwargs: Any) -> Answer:  # noqa: ANN401 - any arguments
    """Answer for an algorithm that runs on every graph of networkx."""
    return isinstance(G, (nx.Graph, BackendGraph)) or f"{type(G).__name__} is no graph of networkx"


def takes_undirected_graph(G: Any, *_args: Any, **_kwargs: Any) -> Answer:  # noqa: ANN401 - any arguments
    """Answer for an algorithm that runs on undirected graphs, and for which networkx follows arcs forward only."""
    answer = takes_graph(G)
    if answer is True and G.is_directed():
        return "networkx follows the arcs of a directed graph forward only"
    return answer


def by_cost(row: str, *, local: bool = True) -> Predicate:
    """Return the predicate ``should_run`` of a function whose cost is a row of `COSTS`.

    Parameters
    ----------
    row : str
        Row of the table.
    local : bool, default True
        Whether networkx takes less time for a part of the nodes, the second argument of the function. The third is
        the attribute of the weights where the table has a row for them.
    """

    def should_run(G: Any, *args: Any, **kwargs: Any) -> Answer:  # noqa: ANN401 - any arguments
        if not local:
            return networkx_is_faster(row, G) or True
        nodes = args[0] if args else next((kwargs[name] for name in _NODES if name in kwargs), None)
        weight = args[1] if len(args) > 1 else kwargs.get("weight")
        one = nodes in G
        if one and not is_converted(G):
            return "one node: networkx reads its neighbours only"
        # An iterator, whose length is unknown, may have all nodes.
        number = 1 if one else len(nodes) if isinstance(nodes, Sized) else len(G)
        share = 1 if nodes is None else min(1, number / max(1, len(G)))
        few = few_items(G, nodes, "nodes")
        return few or networkx_is_faster(row, G, share=share, weight=weight) or True

    return should_run


def few_items(graph: nx.Graph | BackendGraph, items: Any, what: str) -> str | None:  # noqa: ANN401 - a collection or None
    """Return the reason why a call for few nodes or pairs is left to networkx, and None for more of them."""
    if is_converted(graph) or not isinstance(items, Sized) or len(items) >= _ENOUGH_NODES * len(graph):
        return None
    return f"{len(items)} {what} in a graph of {len(graph)}: networkx reads their neighbours only"


def refuse(graph: BackendGraph, *kinds: str) -> None:
    """Raise networkx's error for a graph of one of the kinds "directed", "undirected" and "multigraph"."""
    directed = graph.is_directed()
    is_of = {"directed": directed, "undirected": not directed, "multigraph": graph.is_multigraph()}
    for kind in kinds:
        if is_of[kind]:
            raise nx.NetworkXNotImplemented(f"not implemented for {kind} type")


def refuse_loops(graph: BackendGraph, name: str) -> None:
    """Raise an error for a graph with loops, which a function of networkx counts."""
    if graph.loops.any():
        raise UnsupportedError(f"{name}: networkx counts loops; expected a graph without loops")


class Algorithm(NamedTuple):
    """A registered algorithm.

    Attributes
    ----------
    function : callable
        With the name and the signature of networkx's function.
    can_run, should_run : callable
        Take the arguments of a call, and return True or a reason in words. Networkx logs the reason, and tries the
        next backend or runs its own code.
    note : str
        What networkx's documentation says of the function here; may be empty.
    listed : bool
        Whether networkx lists the function; False for one that never runs here, and only says why.
    """

    function: Callable[..., Any]
    can_run: Predicate
    should_run: Predicate
    note: str
    listed: bool


ALGORITHMS: dict[str, Algorithm] = {}


def algorithm(
    *,
    should_run: Predicate,
    can_run: Predicate = takes_graph,
    note: str = "",
    listed: bool = True,
) -> Callable[[Function], Function]:
    """Register the decorated function as the algorithm of its name; the parameters are those of `Algorithm`.

    By default an algorithm can run on every graph of networkx.
    """

    def register(function: Function) -> Function:
        ALGORITHMS[function.__name__] = Algorithm(function, can_run, should_run, note, listed)
        return function

    return register


class Cost(NamedTuple):
    """Cost of a function for a graph of n vertices and m edges: microseconds, all of them floats.

    Attributes
    ----------
    node, edge, path : float
        Time saved here per vertex, per edge and per unit of m² / n, which in a graph of equal degrees is half the
        number of paths of two edges.
    first : float
        Fixed time of a call that converts the graph.
    later : float
        Fixed time of a call on a converted graph whose values are in memory, as after a first call.
    pair : float, default 0
        Time saved here per unit of n².
    """

    node: float
    edge: float
    path: float
    first: float
    later: float
    pair: float = 0

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
    "triangles": Cost(0, 1.1, 0.02, 130, 25),
    "clustering": Cost(2.4, 2.9, 0.13, 155, 25),  # and average_clustering
    "clustering, directed": Cost(0.8, 2.8, 0.33, 220, 25),
    "clustering, weighted": Cost(0, 8.7, 1.4, 915, 27),
    "clustering, directed, weighted": Cost(8.6, 16, 3, 990, 27),
    "transitivity": Cost(3.5, 1.9, 0.27, 155, 20),
    "transitivity, directed": Cost(3.4, 0.8, 0.09, 195, 20),
    "square_clustering": Cost(0.7, 1.5, 0.33, 440, 25),
    "generalized_degree": Cost(2, 1.4, 0.5, 330, 50),
    "all_triangles": Cost(0.1, 0.23, 0.1, 355, 265),
    "triadic_census": Cost(0, 13, 1.5, 255, 30),
    "k_truss": Cost(1.6, 0, 0.7, 700, 145),
    "link prediction": Cost(0, 0, 0, 690, 400, pair=1.1),
    "latapy_clustering": Cost(1.9, 5.3, 0.62, 760, 315),  # and the average of bipartite graphs
    "robins_alexander_clustering": Cost(1.7, 0, 5.3, 360, 25),
    "butterflies": Cost(1.6, 0.18, 0.47, 145, 28),
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
