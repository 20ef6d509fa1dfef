"""The engine's row in a study: `triadic` answers the same question, from the same rows as the paper's algorithm."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from triadic.graph.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Callable

Found = TypeVar("Found")


def from_rows(graph: Graph, count: Callable[[Graph], Found]) -> tuple[Found, dict[str, float]]:
    """Count with the engine on a new graph made from the rows, so that no earlier preparation is reused.

    Parameters
    ----------
    graph : Graph
    count : callable
        Function of a graph.

    Returns
    -------
    result
        Return value of `count`.
    seconds : dict
        "orient" for ranking vertices and orienting edges, a step that the other algorithms do not need; "count".

    Examples
    --------
    >>> import triadic
    >>> from_rows(Graph.from_edges([0, 1, 2], [1, 2, 0]), triadic.triangle_count)[0]
    1
    """
    fresh = Graph.from_csr(graph.indptr, graph.indices, directed=graph.directed, trusted=True)
    start = time.perf_counter()
    fresh.oriented()
    oriented = time.perf_counter()
    found = count(fresh)
    return found, {"orient": oriented - start, "count": time.perf_counter() - oriented}
