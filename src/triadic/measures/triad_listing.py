"""Which triples of vertices form a triad of a given type."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from triadic.errors import ArgumentError
from triadic.triad_types import CLOSED_NAMES, TRIAD_NAMES, TYPE_OF_CODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from triadic.graph import Graph

    Rows = Callable[[int], NDArray[np.int64]]

_UNCONNECTED = ("003", "012", "102")


def list_triads(graph: Graph, type: str, *, limit: int | None = None) -> Iterator[tuple[int, int, int]]:  # noqa: A002 - the word of the field
    """Give the triples of vertices that form a triad of one type, one after the other.

    Parameters
    ----------
    graph : Graph
        Edges of an undirected graph are mutual.
    type : str
        One of ``TRIAD_NAMES``.
    limit : int, optional
        At most so many; all by default.

    Yields
    ------
    tuple of int
        Vertices u < v < w; the triples in lexicographic order.

    Raises
    ------
    ArgumentError
        An unknown type, or a negative limit.

    Notes
    -----
    Holds O(n) at a time. For a closed type each pair of neighbours u < v costs the sum of their degrees; for another
    connected one so does each pair within two steps; types 003, 012 and 102 go through all triples.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True)
    >>> list(triadic.list_triads(graph, "021C"))
    [(0, 1, 3), (0, 2, 3)]
    """
    if type not in TRIAD_NAMES:
        raise ArgumentError(f"type={type!r}: expected one of {', '.join(TRIAD_NAMES)}")
    if limit is not None and limit < 0:
        raise ArgumentError(f"limit={limit}: expected None or a number of at least 0")
    return islice(_triads(graph, type), limit)


def _triads(graph: Graph, name: str) -> Iterator[tuple[int, int, int]]:
    n, wanted = graph.num_vertices, TRIAD_NAMES.index(name)
    neighbours, states = _states(graph)
    every = np.arange(n)
    state_u, state_v = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for u in range(n):
        of_u = neighbours(u)
        state_u[of_u] = states(u)
        for v in _second(name, u, of_u, every, neighbours):
            of_v = neighbours(v)
            state_v[of_v] = states(v)
            third = _third(name, of_u, of_v, every)
            third = third[third > v]
            codes = state_u[v] + 4 * state_u[third] + 16 * state_v[third]
            for w in third[TYPE_OF_CODE[codes] == wanted].tolist():
                yield u, v, w
            state_v[of_v] = 0
        state_u[of_u] = 0


def _second(name: str, u: int, of_u: NDArray[np.int64], every: NDArray[np.int64], neighbours: Rows) -> list[int]:
    """Give the vertices above u that may come second, rising."""
    if name in CLOSED_NAMES:
        near = of_u
    elif name in _UNCONNECTED:
        near = every
    else:
        near = np.unique(np.concatenate([of_u, *(neighbours(int(v)) for v in of_u)]))
    above: list[int] = near[near > u].tolist()
    return above


def _third(name: str, of_u: NDArray[np.int64], of_v: NDArray[np.int64], every: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the vertices that may come third, rising."""
    if name in CLOSED_NAMES:
        return np.intersect1d(of_u, of_v, assume_unique=True)
    return every if name in _UNCONNECTED else np.union1d(of_u, of_v)


def _states(graph: Graph) -> tuple[Rows, Rows]:
    """Give functions from a vertex to its neighbours, rising, and to its states with them."""
    source, target = (end.astype(np.int64) for end in graph.edges())
    ends, others = np.concatenate([source, target]), np.concatenate([target, source])
    forward = np.repeat([1, 2] if graph.directed else [3, 3], len(source))
    order = np.lexsort((others, ends))
    ends, others, forward = ends[order], others[order], forward[order]
    new = np.ones(len(ends), dtype=bool)
    new[1:] = (ends[1:] != ends[:-1]) | (others[1:] != others[:-1])
    first = np.flatnonzero(new)
    state = np.bitwise_or.reduceat(forward, first) if len(first) else forward
    ends, others = ends[first], others[first]
    indptr = np.searchsorted(ends, np.arange(graph.num_vertices + 1))
    return (lambda v: others[indptr[v] : indptr[v + 1]]), (lambda v: state[indptr[v] : indptr[v + 1]])
