"""The algorithms that networkx calls here, with the reasons, in words, to leave a call to networkx.

Graphs that networkx refuses are refused in its words.
"""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import Any, NamedTuple, TypeAlias, TypeVar

import networkx as nx

from triadic.errors import UnsupportedError
from triadic.networkx_backend.backend_graph import BackendGraph, is_converted
from triadic.networkx_backend.costs import networkx_is_faster

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
    """Return the predicate ``should_run`` of a function whose cost is a row of `triadic.networkx_backend.costs`.

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
        share = share_of_nodes(G, nodes)
        return few_nodes(G, nodes) or networkx_is_faster(row, G, share=share, weight=weight) or True

    return should_run


def share_of_nodes(graph: nx.Graph | BackendGraph, nodes: Any) -> float:  # noqa: ANN401 - one node, nodes or None
    """Return the share of a graph's nodes that are in `nodes`; 1 for an iterator, whose length is unknown."""
    if nodes is None:
        return 1
    number = 1 if nodes in graph else len(nodes) if isinstance(nodes, Sized) else len(graph)
    return min(1, number / max(1, len(graph)))


def few_nodes(graph: nx.Graph | BackendGraph, nodes: Any) -> str | None:  # noqa: ANN401 - one node, nodes or None
    """Return the reason why a call for few nodes is left to networkx, and None for more nodes."""
    if not is_converted(graph) and nodes in graph:
        return "one node: networkx reads its neighbours only"
    return few_items(graph, nodes, "nodes")


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
