"""What networkx asks of every installed backend while it is imported: names and defaults, nothing slow to import."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FUNCTIONS = Path(__file__).with_name("functions.json")
"""Written by ``python -m triadic.networkx_backend.dispatch`` from the registered algorithms, slow to import."""


def get_info() -> dict[str, Any]:
    """Describe the backend, as the entry point ``networkx.backend_info`` is expected to.

    Returns
    -------
    dict
        With a summary, the functions of networkx that the backend has, and the initial options of
        ``nx.config.backends.triadic``.

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
        "functions": json.loads(FUNCTIONS.read_text(encoding="utf-8")),
        "default_config": {"device": "auto", "threads": None},
    }
