"""The engine's row in a study: the same question to `triadic` itself, from the same rows as the paper's algorithm."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from triadic.graph.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Callable

Found = TypeVar("Found")


def from_rows(graph: Graph, count: Callable[[Graph], Found]) -> tuple[Found, dict[str, float]]:
    """Ask the engine, as of a network that it has never seen: nothing that it has prepared is used.

    Parameters
    ----------
    graph : Graph
    count : callable
        Asks a graph.

    Returns
    -------
    found
        What `count` gives.
    seconds : dict
        ``orient``: vertices ranked and edges turned, for which other algorithms have no use; ``count``.

    Examples
    --------
    >>> import triadic
    >>> from_rows(Graph.from_edges([0, 1, 2], [1, 2, 0]), triadic.triangle_count)[0]
    1
    """
    fresh = Graph.from_csr(graph.indptr, graph.indices, directed=graph.directed, trusted=True)
    begun = time.perf_counter()
    fresh.oriented()
    oriented = time.perf_counter()
    found = count(fresh)
    return found, {"orient": oriented - begun, "count": time.perf_counter() - oriented}
