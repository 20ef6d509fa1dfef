"""Triads, as `networkx.algorithms.triads` gives them, and right where it is not: loops and parallel arcs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import networkx as nx

import triadic
from triadic.core.triad_types import TRIAD_NAMES, TYPE_OF_CODE
from triadic.errors import UnsupportedError
from triadic.networkx_backend.backend_graph import BackendGraph
from triadic.networkx_backend.options import options
from triadic.networkx_backend.refusals import refuse_undirected

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from triadic.measures.census import Census

LISTS_OF_GRAPHS = (
    "its result is a networkx graph for every three nodes, with their attributes: making those is all the work there is"
)


def triadic_census(G: nx.DiGraph, nodelist: Sequence[Hashable] | None = None) -> dict[str, int]:
    """Count the triads of each type, or those that hold a node of a list, as `networkx.triadic_census`.

    Raises
    ------
    ValueError
        A list with repeats, or with nodes that the graph does not have.
    """
    graph = BackendGraph.of(G)
    refuse_undirected(graph)
    chosen = None if nodelist is None else set(graph.chosen(nodelist).tolist())
    if nodelist is not None and chosen is not None and len(nodelist) != len(chosen):
        raise ValueError("nodelist includes duplicate nodes or nodes not in G")
    census: Census = triadic.triad_census(graph.graph, vertices=chosen, **options(graph))
    return census.to_dict()


def is_triad(G: Any) -> bool:  # noqa: ANN401 - of anything at all
    """Say whether a graph is a triad: directed, of three nodes and without loops, as `networkx.is_triad`."""
    if not isinstance(G, nx.Graph | BackendGraph):
        return False
    return _is_triad(BackendGraph.of(G))


def triad_type(G: nx.DiGraph) -> str:
    """Give the type of a triad, as `networkx.triad_type`; parallel arcs count once.

    Raises
    ------
    networkx.NetworkXAlgorithmError
        A graph that is no triad.
    """
    graph = BackendGraph.of(G)
    refuse_undirected(graph)
    if not _is_triad(graph):
        raise nx.NetworkXAlgorithmError("G is not a triad (order-3 DiGraph)")
    # Bits of the codes of triadic.core.triad_types: arcs 0 -> 1, 1 -> 0, 0 -> 2, 2 -> 0, 1 -> 2, 2 -> 1.
    bit = {(0, 1): 1, (1, 0): 2, (0, 2): 4, (2, 0): 8, (1, 2): 16, (2, 1): 32}
    arcs = zip(graph.arcs.source.tolist(), graph.arcs.target.tolist(), strict=True)
    return TRIAD_NAMES[TYPE_OF_CODE[sum(bit[arc] for arc in arcs)]]


def all_triads(G: nx.DiGraph) -> NoReturn:  # noqa: ARG001
    """Refuse, as `can_run` does, so that networkx does it."""
    raise UnsupportedError(f"all_triads: {LISTS_OF_GRAPHS}")


def triads_by_type(G: nx.DiGraph) -> NoReturn:  # noqa: ARG001
    """Refuse, as `can_run` does, so that networkx does it."""
    raise UnsupportedError(f"triads_by_type: {LISTS_OF_GRAPHS}")


def _is_triad(graph: BackendGraph) -> bool:
    return len(graph) == 3 and graph.is_directed() and not graph.loops.any()
