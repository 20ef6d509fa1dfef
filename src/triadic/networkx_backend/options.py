"""The options that users set on ``nx.config.backends.triadic``, as keywords of the measures."""

from __future__ import annotations

from typing import Any

import networkx as nx

# A count of fewer arcs ends before a second thread has started.
_ARCS_FOR_THREADS = 1 << 14


def options(arcs: int) -> dict[str, Any]:
    """Return the options ``device`` and ``threads`` for a graph of `arcs` arcs; the measures check them."""
    config = nx.config.backends.get("triadic", {})
    return {"device": config.get("device", "auto"), "threads": threads_option(arcs)}


def threads_option(arcs: int) -> int | None:
    """Return the option ``threads``, or 1 if it is not set and the graph is small."""
    threads: int | None = nx.config.backends.get("triadic", {}).get("threads")
    return 1 if threads is None and arcs < _ARCS_FOR_THREADS else threads
