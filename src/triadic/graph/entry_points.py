"""The functions of `triadic.convert` and `triadic.io` that methods of `Graph` and `TemporalGraph` call.

Both packages make graphs, and therefore import this package. To keep the imports in one direction, `Graph` names
these functions as the entry points of a distribution are named, and resolves a name when a method needs it.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

ENTRY_POINTS = {
    "graph_of": "triadic.convert.recognise:graph_of",
    "batch_of_table": "triadic.convert.from_table:batch_of_table",
    "to_networkx": "triadic.convert.outward:to_networkx",
    "to_igraph": "triadic.convert.outward:to_igraph",
    "to_edge_index": "triadic.convert.outward:to_edge_index",
    "to_pandas": "triadic.convert.outward:to_pandas",
    "to_polars": "triadic.convert.outward:to_polars",
    "to_arrow": "triadic.convert.outward:to_arrow",
    "to_parquet": "triadic.io.temporal:to_parquet",
}


def entry_point(name: str) -> Any:  # noqa: ANN401 - a function
    """Return the function with a name of `ENTRY_POINTS`, importing its module if needed."""
    return resolve_name(ENTRY_POINTS[name])
