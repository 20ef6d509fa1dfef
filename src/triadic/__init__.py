"""Exact counts of the small patterns that tie a network together: clustering, triads, graphlets.

Names are loaded when they are first used, so that ``import triadic`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triadic import generate, plot
    from triadic._version import __version__
    from triadic.core.arcs import Arcs, Dropped
    from triadic.core.graphlet_types import GRAPHLET_NAMES
    from triadic.core.triad_types import TRIAD_NAMES
    from triadic.graph.graph import Graph
    from triadic.io import read, read_arcs, write
    from triadic.measures.census import Census
    from triadic.measures.closure import average_closure, local_closure
    from triadic.measures.clustering import (
        ClusteringSpectrum,
        average_clustering,
        clustering,
        clustering_spectrum,
        edge_support,
        transitivity,
        triangle_count,
        triangles,
    )
    from triadic.measures.directed_clustering import (
        DirectedClustering,
        directed_clustering,
        directed_transitivity,
        ldbc_clustering,
    )
    from triadic.measures.generalized_degree import generalized_degree
    from triadic.measures.graphlet_comparison import graphlet_degree_agreement, graphlet_frequency_distance
    from triadic.measures.graphlet_correlation import graphlet_correlation_distance, graphlet_correlation_matrix
    from triadic.measures.graphlet_result import GraphletTransform
    from triadic.measures.graphlets import graphlet_transform, orbit_degrees, square_clustering
    from triadic.measures.signed_triangles import SignedTriangles, signed_triangles, structural_balance
    from triadic.measures.significance import significance
    from triadic.measures.significance_result import Significance
    from triadic.measures.triad_listing import list_triads
    from triadic.measures.triad_null import TriadCensus
    from triadic.measures.triads import (
        cycle_transitivity,
        dyad_census,
        triad_census,
        triad_census_by_vertex,
    )
    from triadic.measures.triangle_listing import all_triangles, iter_triangles
    from triadic.measures.trussness import k_truss, trussness
    from triadic.measures.vertex_table import vertex_table
    from triadic.measures.vertex_table_result import VertexTable
    from triadic.measures.weighted_clustering import weighted_clustering
    from triadic.null_models.randomization import randomize
    from triadic.reports.report import report
    from triadic.tiles.tiled_graph import TiledGraph
    from triadic.tiles.tiling import tile

_HOME = {
    "__version__": "triadic._version",
    "Census": "triadic.measures.census",
    "TRIAD_NAMES": "triadic.core.triad_types",
    "TriadCensus": "triadic.measures.triad_null",
    "cycle_transitivity": "triadic.measures.triads",
    "dyad_census": "triadic.measures.triads",
    "graphlet_correlation_distance": "triadic.measures.graphlet_correlation",
    "graphlet_correlation_matrix": "triadic.measures.graphlet_correlation",
    "graphlet_degree_agreement": "triadic.measures.graphlet_comparison",
    "graphlet_frequency_distance": "triadic.measures.graphlet_comparison",
    "list_triads": "triadic.measures.triad_listing",
    "triad_census": "triadic.measures.triads",
    "triad_census_by_vertex": "triadic.measures.triads",
    "Arcs": "triadic.core.arcs",
    "ClusteringSpectrum": "triadic.measures.clustering",
    "SignedTriangles": "triadic.measures.signed_triangles",
    "all_triangles": "triadic.measures.triangle_listing",
    "iter_triangles": "triadic.measures.triangle_listing",
    "k_truss": "triadic.measures.trussness",
    "signed_triangles": "triadic.measures.signed_triangles",
    "structural_balance": "triadic.measures.signed_triangles",
    "trussness": "triadic.measures.trussness",
    "DirectedClustering": "triadic.measures.directed_clustering",
    "Dropped": "triadic.core.arcs",
    "Graph": "triadic.graph.graph",
    "average_closure": "triadic.measures.closure",
    "local_closure": "triadic.measures.closure",
    "average_clustering": "triadic.measures.clustering",
    "clustering": "triadic.measures.clustering",
    "clustering_spectrum": "triadic.measures.clustering",
    "directed_clustering": "triadic.measures.directed_clustering",
    "directed_transitivity": "triadic.measures.directed_clustering",
    "edge_support": "triadic.measures.clustering",
    "ldbc_clustering": "triadic.measures.directed_clustering",
    "VertexTable": "triadic.measures.vertex_table_result",
    "vertex_table": "triadic.measures.vertex_table",
    "weighted_clustering": "triadic.measures.weighted_clustering",
    "GRAPHLET_NAMES": "triadic.core.graphlet_types",
    "GraphletTransform": "triadic.measures.graphlet_result",
    "generalized_degree": "triadic.measures.generalized_degree",
    "graphlet_transform": "triadic.measures.graphlets",
    "orbit_degrees": "triadic.measures.graphlets",
    "square_clustering": "triadic.measures.graphlets",
    "Significance": "triadic.measures.significance_result",
    "randomize": "triadic.null_models.randomization",
    "read": "triadic.io",
    "read_arcs": "triadic.io",
    "report": "triadic.reports.report",
    "significance": "triadic.measures.significance",
    "TiledGraph": "triadic.tiles.tiled_graph",
    "tile": "triadic.tiles.tiling",
    "transitivity": "triadic.measures.clustering",
    "triangle_count": "triadic.measures.clustering",
    "triangles": "triadic.measures.clustering",
    "write": "triadic.io",
}

__all__ = [
    "GRAPHLET_NAMES",
    "TRIAD_NAMES",
    "Arcs",
    "Census",
    "ClusteringSpectrum",
    "DirectedClustering",
    "Dropped",
    "Graph",
    "GraphletTransform",
    "SignedTriangles",
    "Significance",
    "TiledGraph",
    "TriadCensus",
    "VertexTable",
    "__version__",
    "all_triangles",
    "average_closure",
    "average_clustering",
    "clustering",
    "clustering_spectrum",
    "cycle_transitivity",
    "directed_clustering",
    "directed_transitivity",
    "dyad_census",
    "edge_support",
    "generalized_degree",
    "generate",
    "graphlet_correlation_distance",
    "graphlet_correlation_matrix",
    "graphlet_degree_agreement",
    "graphlet_frequency_distance",
    "graphlet_transform",
    "iter_triangles",
    "k_truss",
    "ldbc_clustering",
    "list_triads",
    "local_closure",
    "orbit_degrees",
    "plot",
    "randomize",
    "read",
    "read_arcs",
    "report",
    "signed_triangles",
    "significance",
    "square_clustering",
    "structural_balance",
    "tile",
    "transitivity",
    "triad_census",
    "triad_census_by_vertex",
    "triangle_count",
    "triangles",
    "trussness",
    "vertex_table",
    "weighted_clustering",
    "write",
]


def __getattr__(name: str) -> object:
    if name in {"generate", "errors", "plot"}:
        return import_module(f"triadic.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'triadic' has no attribute {name!r}")
    value: object = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
