"""The options that users set on ``nx.config.backends.triadic``, as keywords of the measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

if TYPE_CHECKING:
    from triadic.networkx_backend.backend_graph import BackendGraph

# A count of fewer arcs ends before a second thread has started.
_ARCS_FOR_THREADS = 1 << 14


def options(graph: BackendGraph) -> dict[str, Any]:
    """Return the options ``device`` and ``threads`` as keywords; the measures check them."""
    config = nx.config.backends.get("triadic", {})
    return {"device": config.get("device", "auto"), "threads": threads_option(graph)}


def threads_option(graph: BackendGraph) -> int | None:
    """Return the option ``threads``, and one thread for a small graph if the option is not set."""
    threads: int | None = nx.config.backends.get("triadic", {}).get("threads")
    return 1 if threads is None and len(graph.arcs) < _ARCS_FOR_THREADS else threads
