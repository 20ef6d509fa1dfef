"""The options that a user sets on ``nx.config.backends.triadic``, as keywords of the measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

if TYPE_CHECKING:
    from triadic.networkx_backend.backend_graph import BackendGraph

# Fewer arcs than this are counted before a second thread is awake.
_ARCS_FOR_THREADS = 1 << 14


def options(graph: BackendGraph) -> dict[str, Any]:
    """Give ``device`` and ``threads`` as they are set now; the measures say what is wrong with them."""
    config = nx.config.backends.get("triadic", {})
    return {"device": config.get("device", "auto"), "threads": threads_option(graph)}


def threads_option(graph: BackendGraph) -> int | None:
    """Give ``threads`` as it is set now; one for a small graph where it is not set."""
    threads: int | None = nx.config.backends.get("triadic", {}).get("threads")
    return 1 if threads is None and len(graph.arcs) < _ARCS_FOR_THREADS else threads
