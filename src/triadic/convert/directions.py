"""Warnings about directions that may not mean what the caller expects."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.select import stack_level_of_caller
from triadic.errors import DirectionWarning
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from triadic.graph.graph import Graph


def check_directions(graph: Graph | TiledGraph, *, counted: bool) -> None:
    """Warn if the directions of a directed graph may not mean what the caller of a measure expects.

    Parameters
    ----------
    graph : Graph or TiledGraph
        A directed graph.
    counted : bool
        Whether the measure counts directions; otherwise it ignores them.

    Warns
    -----
    DirectionWarning
        If the measure ignores directions and another library states them, whose function of the same name may count
        them. Or if the measure counts directions, the graph was read as directed although nothing said so, and no arc
        has a reverse arc, or every arc has one, as in a file that names each undirected edge once, or from both ends.

    Notes
    -----
    O(1) without a warning: a graph with a reverse arc has fewer edges than arcs.
    """
    origin = graph.origin
    if not counted:
        if origin.library is not None and origin.direction == "stated":
            _warn(
                f"the directions of this {origin.library} graph are ignored, but a function of {origin.library} with "
                "the same name may count them; to count directions, see triadic.directed_clustering and "
                "triadic.triad_census; to ignore them without this warning, pass triadic.Graph(graph, directed=False)"
            )
    elif origin.direction == "assumed" and graph.num_arcs and graph.num_arcs in (graph.num_edges, 2 * graph.num_edges):
        which = f"each of the {graph.num_arcs:,} arcs has a reverse arc"
        if graph.num_arcs == graph.num_edges:
            rising = ", and each runs from the smaller vertex to the larger" if _all_rise(graph) else ""
            which = f"none of the {graph.num_arcs:,} arcs has a reverse arc{rising}"
        _warn(
            f"read as directed, but nothing in the input says so, and the edges may be undirected: {which}; pass "
            "directed=False (--undirected) if the edges are undirected, or directed=True (--directed) if they are "
            "directed"
        )


def _all_rise(graph: Graph | TiledGraph) -> bool:
    """Whether each arc runs from a vertex to one with a larger number; False of a graph in tiles, which do not tell."""
    if isinstance(graph, TiledGraph):
        return False
    source, target = graph.edges()
    return bool(np.all(source < target))


def _warn(message: str) -> None:
    warnings.warn(message, DirectionWarning, stacklevel=stack_level_of_caller())
