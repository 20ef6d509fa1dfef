"""All that networkx calls: the functions by its names for them, conversion, and what can and should run here."""

from __future__ import annotations

from triadic.networkx_backend.bipartite import (
    bipartite_average_clustering,
    latapy_clustering,
    robins_alexander_clustering,
)
from triadic.networkx_backend.choice import can_run, should_run
from triadic.networkx_backend.clustering import (
    average_clustering,
    clustering,
    generalized_degree,
    square_clustering,
    transitivity,
    triangles,
)
from triadic.networkx_backend.interchange import convert_from_nx, convert_to_nx
from triadic.networkx_backend.link_prediction import adamic_adar_index, jaccard_coefficient, resource_allocation_index
from triadic.networkx_backend.subgraphs import all_triangles, k_truss
from triadic.networkx_backend.triads import all_triads, is_triad, triad_type, triadic_census, triads_by_type

__all__ = [
    "adamic_adar_index",
    "all_triads",
    "all_triangles",
    "average_clustering",
    "bipartite_average_clustering",
    "can_run",
    "clustering",
    "convert_from_nx",
    "convert_to_nx",
    "generalized_degree",
    "is_triad",
    "jaccard_coefficient",
    "k_truss",
    "latapy_clustering",
    "resource_allocation_index",
    "robins_alexander_clustering",
    "should_run",
    "square_clustering",
    "transitivity",
    "triad_type",
    "triadic_census",
    "triads_by_type",
    "triangles",
]
