"""Triads, as in `networkx.algorithms.triads`, but correct with loops and parallel arcs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import networkx as nx

import triadic
from triadic.core.triad_types import TRIAD_NAMES, TYPE_OF_CODE
from triadic.errors import UnsupportedError
from triadic.networkx_backend.backend_graph import BackendGraph
from triadic.networkx_backend.reasons import algorithm, by_cost, refuse

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from triadic.measures.census import Census
    from triadic.networkx_backend.reasons import Answer

_RETURNS_GRAPHS = "the result is a networkx graph for every three nodes: making those is all the work"


def _left_to_networkx(G: Any) -> Answer:  # noqa: ANN401, ARG001 - any graph
    return _RETURNS_GRAPHS


def _should_run(G: Any) -> Answer:  # noqa: ANN401 - any object
    return isinstance(G, BackendGraph) or "a triad has three nodes: networkx is as fast"


@algorithm(should_run=by_cost("triadic_census"), note="Also correct with `nodelist` if nodes outside it have loops.")
def triadic_census(G: nx.DiGraph, nodelist: Sequence[Hashable] | None = None) -> dict[str, int]:
    """Count the triads of each type, all or with a node of a list, as `networkx.triadic_census`.

    Raises
    ------
    ValueError
        If the list has repeats, or nodes that are not in the graph.
    """
    graph = BackendGraph.of(G)
    refuse(graph, "undirected")
    if nodelist is None:
        return dict(graph.cached("triadic census", lambda: _census(graph, None)))
    chosen = set(graph.vertices_of(nodelist).tolist())
    if len(nodelist) != len(chosen):
        raise ValueError("nodelist includes duplicate nodes or nodes not in G")
    return _census(graph, chosen)


def _census(graph: BackendGraph, vertices: set[int] | None) -> dict[str, int]:
    census: Census = triadic.triad_census(graph.graph, vertices=vertices, **graph.options)
    return census.to_dict()


@algorithm(can_run=lambda G: True, should_run=_should_run)  # noqa: ARG005 - any object
def is_triad(G: Any) -> bool:  # noqa: ANN401 - any object
    """Return whether a graph is a triad, directed, of three nodes and without loops, as `networkx.is_triad`."""
    if not isinstance(G, nx.Graph | BackendGraph):
        return False
    return _is_triad(BackendGraph.of(G))


@algorithm(should_run=_should_run, note="Parallel arcs count once.")
def triad_type(G: nx.DiGraph) -> str:
    """Return the type of a triad, as `networkx.triad_type`; parallel arcs count once.

    Raises
    ------
    networkx.NetworkXAlgorithmError
        If the graph is not a triad.
    """
    graph = BackendGraph.of(G)
    refuse(graph, "undirected")
    if not _is_triad(graph):
        raise nx.NetworkXAlgorithmError("G is not a triad (order-3 DiGraph)")
    # Bits of the codes of triadic.core.triad_types: arcs 0 -> 1, 1 -> 0, 0 -> 2, 2 -> 0, 1 -> 2, 2 -> 1.
    bit = {(0, 1): 1, (1, 0): 2, (0, 2): 4, (2, 0): 8, (1, 2): 16, (2, 1): 32}
    arcs = zip(graph.arcs.source.tolist(), graph.arcs.target.tolist(), strict=True)
    return TRIAD_NAMES[TYPE_OF_CODE[sum(bit[arc] for arc in arcs)]]


@algorithm(can_run=_left_to_networkx, should_run=_left_to_networkx, listed=False)
def all_triads(G: nx.DiGraph) -> NoReturn:  # noqa: ARG001 - networkx's signature
    """Raise, so that networkx runs its own code; `can_run` returns the reason."""
    raise UnsupportedError(f"all_triads: {_RETURNS_GRAPHS}")


@algorithm(can_run=_left_to_networkx, should_run=_left_to_networkx, listed=False)
def triads_by_type(G: nx.DiGraph) -> NoReturn:  # noqa: ARG001 - networkx's signature
    """Raise, so that networkx runs its own code; `can_run` returns the reason."""
    raise UnsupportedError(f"triads_by_type: {_RETURNS_GRAPHS}")


def _is_triad(graph: BackendGraph) -> bool:
    return len(graph) == 3 and graph.is_directed() and not graph.loops.any()
