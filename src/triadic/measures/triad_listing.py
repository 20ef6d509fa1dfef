"""Which triples of vertices form a triad of a given type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.triad_types import ASYMMETRIC, MUTUAL, TRIAD_NAMES
from triadic.counts import triad_list as counts
from triadic.errors import ArgumentError
from triadic.measures.triads import dyads_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.graph.graph import Graph


def list_triads(graph: GraphLike, type: str, *, limit: int | None = None) -> Iterator[tuple[int, int, int]]:  # noqa: A002 - the word of the field
    """Give the triples of vertices that form a triad of one type, one after the other.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes
        Edges of an undirected graph are mutual.
    type : str
        One of ``TRIAD_NAMES``.
    limit : int, optional
        At most so many; all by default.

    Returns
    -------
    iterator of tuple of int
        Vertices u < v < w, numbered from 0; the triples in lexicographic order.

    Raises
    ------
    ArgumentError
        An unknown type; a limit that is no whole number of at least 0.
    OutOfMemoryError
        On the first triple, if sorting the edges takes more memory than there is.

    Notes
    -----
    The first triple waits for the edges to be sorted by vertex, O(m) as when a graph is made; but where the graph has
    too few mutual or asymmetric dyads for the type it is known at once that there is none. From there on the cost
    follows the triples whose dyads are of the type's kinds, whichever way their arcs run. Triples are not kept: what is
    held beyond the graph is 5 to 15 bytes an edge and about 40 a vertex, while sorting 8 bytes an arc more.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True)
    >>> list(triadic.list_triads(graph, "021C"))
    [(0, 1, 3), (0, 2, 3)]
    """
    graph = as_graph(graph)
    if type not in TRIAD_NAMES:
        raise ArgumentError(f"type={type!r}: expected one of {', '.join(TRIAD_NAMES)}")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, (int, np.integer)) or limit < 0):
        raise ArgumentError(f"limit={limit!r}: expected None or a whole number of at least 0")
    return _triads(graph, type, None if limit is None else int(limit))


def _triads(graph: Graph, name: str, limit: int | None) -> Iterator[tuple[int, int, int]]:
    mutual, asymmetric = dyads_of(graph)
    if limit == 0 or mutual < MUTUAL[name] or asymmetric < ASYMMETRIC[name]:
        return
    for part in counts.list_triads(graph.oriented(), name, limit):
        yield from zip(*part.T.tolist(), strict=True)
