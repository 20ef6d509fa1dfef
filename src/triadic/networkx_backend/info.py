"""What networkx asks of every installed backend while it is imported: names and defaults, nothing heavy."""

from __future__ import annotations

from typing import Any

_FUNCTIONS = {
    "adamic_adar_index": "Common neighbours of all pairs at once, by sparse rows.",
    "all_triangles": "Triangles in order of their vertices; with `nbunch`, beginning with its vertices.",
    "average_clustering": "",
    "bipartite_average_clustering": "",
    "clustering": "Weighted (Onnela) and directed (Fagiolo) as networkx; weights that are not finite are left to it.",
    "generalized_degree": "",
    "is_triad": "",
    "jaccard_coefficient": "Common neighbours of all pairs at once, by sparse rows.",
    "k_truss": "",
    "latapy_clustering": "Undirected graphs.",
    "resource_allocation_index": "Common neighbours of all pairs at once, by sparse rows.",
    "robins_alexander_clustering": "Undirected graphs without loops.",
    "square_clustering": "Undirected graphs.",
    "transitivity": "",
    "triad_type": "Parallel arcs count once.",
    "triadic_census": "Also right with `nodelist` where vertices outside it have loops.",
    "triangles": "",
}


def get_info() -> dict[str, Any]:
    """Describe the backend, as the entry point ``networkx.backend_info`` is expected to.

    Returns
    -------
    dict
        With a summary, the functions that it has, and the options that ``nx.config.backends.triadic`` begins with.

    Examples
    --------
    >>> "clustering" in get_info()["functions"], get_info()["default_config"]
    (True, {'device': 'auto', 'threads': None})
    """
    return {
        "backend_name": "triadic",
        "project": "triadic",
        "package": "triadic",
        "short_summary": "Exact triangles, clustering, triads and squares, on all cores or on a GPU.",
        "functions": {name: {"additional_docs": note} if note else {} for name, note in _FUNCTIONS.items()},
        "default_config": {"device": "auto", "threads": None},
    }
