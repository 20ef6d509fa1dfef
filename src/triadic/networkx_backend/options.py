"""The options that a user sets on ``nx.config.backends.triadic``, as keywords of the measures."""

from __future__ import annotations

from typing import Any

import networkx as nx


def options() -> dict[str, Any]:
    """Give ``device`` and ``threads`` as they are set now; the measures say what is wrong with them."""
    config = nx.config.backends.get("triadic", {})
    return {"device": config.get("device", "auto"), "threads": config.get("threads")}


def threads_option() -> int | None:
    """Give ``threads`` as it is set now."""
    threads: int | None = options()["threads"]
    return threads
