"""Which calls the backend can run, and which it should: a reason in words where it cannot or should not.

Networkx logs the reasons, and tries the next backend or runs its own code.
"""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING, Any

import networkx as nx

from triadic.networkx_backend.backend_graph import BackendGraph
from triadic.networkx_backend.triads import LISTS_OF_GRAPHS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Converting and starting a count take as long as networkx for about so many edges, where it is quick and elsewhere.
_FEW_EDGES_OF_QUICK = 1000
_FEW_EDGES = 100
# One node costs networkx its neighbours' rows, the backend all of the graph.
_FEW_NODES = 1 / 50

_FOLLOWS_ARCS = "networkx follows the arcs of a directed graph forward only"
_REFUSES_DIRECTED = {
    "bipartite_average_clustering",
    "latapy_clustering",
    "robins_alexander_clustering",
    "square_clustering",
}
_LISTS_GRAPHS = {"all_triads", "triads_by_type"}
_OF_SOME_NODES = {"average_clustering", "clustering", "generalized_degree", "square_clustering", "triangles"}
_QUICK = {"average_clustering", "clustering", "generalized_degree", "k_truss", "transitivity", "triangles"}
_OF_PAIRS = {"adamic_adar_index", "jaccard_coefficient", "resource_allocation_index"}


def can_run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool | str:
    """Say whether a call can be run here: True, or why not."""
    graph = _argument(args, kwargs, 0, "G")
    if name in _LISTS_GRAPHS:
        return LISTS_OF_GRAPHS
    if not isinstance(graph, nx.Graph | BackendGraph):
        return name == "is_triad" or f"{type(graph).__name__} is no graph of networkx"
    if name in _REFUSES_DIRECTED and graph.is_directed():
        return _FOLLOWS_ARCS
    return True


def should_run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool | str:
    """Say whether a call that can be run is worth it: True, or why not."""
    graph = _argument(args, kwargs, 0, "G")
    if isinstance(graph, BackendGraph):
        return True
    if name in {"is_triad", "triad_type"}:
        return "a triad has three nodes: there is nothing to gain"
    if _is_converted(graph):
        return True
    few = _FEW_EDGES_OF_QUICK if name in _QUICK else _FEW_EDGES
    if not _has_more_edges(graph, few):
        return f"with at most {few} edges networkx takes no longer"
    return _asks_for_much(name, args, kwargs, graph)


def _has_more_edges(graph: nx.Graph, few: int) -> bool:
    entries, most = 0, few * (1 if graph.is_directed() else 2)
    for row in graph._adj.values():  # noqa: SLF001 - no more of it than it takes
        entries += len(row)
        if entries > most:
            return True
    return False


def _asks_for_much(name: str, args: Sequence[Any], kwargs: Mapping[str, Any], graph: nx.Graph) -> bool | str:
    if name not in _OF_SOME_NODES | _OF_PAIRS:
        return True
    some = _argument(args, kwargs, 1, "ebunch" if name in _OF_PAIRS else "nodes")
    if name in _OF_SOME_NODES and some in graph:
        return "one node: networkx goes through its neighbours alone"
    if isinstance(some, Sized) and len(some) < _FEW_NODES * len(graph):
        what = "pairs" if name in _OF_PAIRS else "nodes"
        return f"{len(some)} {what} in a graph of {len(graph)}: networkx goes through their neighbours alone"
    return True


def _argument(args: Sequence[Any], kwargs: Mapping[str, Any], place: int, name: str) -> Any:  # noqa: ANN401
    return args[place] if len(args) > place else kwargs.get(name)


def _is_converted(graph: nx.Graph) -> bool:
    cache = getattr(graph, "__networkx_cache__", None)
    return bool(cache and nx.config.cache_converted_graphs and cache.get("backends", {}).get("triadic"))
