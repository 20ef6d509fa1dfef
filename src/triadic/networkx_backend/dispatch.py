"""The object that networkx calls: the registered algorithms by name, conversion, `can_run` and `should_run`.

``python -m triadic.networkx_backend.dispatch`` writes ``functions.json``, the table of algorithms for networkx.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

# Importing a file registers its algorithms.
import triadic.networkx_backend.clustering
import triadic.networkx_backend.link_prediction
import triadic.networkx_backend.subgraphs  # noqa: F401 - imported to register
from triadic.networkx_backend.backend_graph import convert_from_nx, convert_to_nx
from triadic.networkx_backend.info import FUNCTIONS
from triadic.networkx_backend.reasons import ALGORITHMS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from triadic.networkx_backend.reasons import Answer

__all__ = ["can_run", "convert_from_nx", "convert_to_nx", "listed_functions", "should_run"]


def can_run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Answer:
    """Return whether the algorithm `name` can run with these arguments: True, or the reason why not."""
    return ALGORITHMS[name].can_run(*args, **kwargs)


def should_run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Answer:
    """Return whether the algorithm `name` is worth running here: True, or the reason why networkx is as fast."""
    return ALGORITHMS[name].should_run(*args, **kwargs)


def listed_functions() -> dict[str, dict[str, str]]:
    """Return the algorithms that networkx lists for this backend, with their notes for networkx's documentation."""
    listed = {name: algorithm for name, algorithm in sorted(ALGORITHMS.items()) if algorithm.listed}
    return {name: {"additional_docs": found.note} if found.note else {} for name, found in listed.items()}


globals().update({name: algorithm.function for name, algorithm in ALGORITHMS.items()})

if __name__ == "__main__":
    FUNCTIONS.write_text(json.dumps(listed_functions(), indent=4) + "\n", encoding="utf-8")
