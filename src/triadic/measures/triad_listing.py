"""Lists of the triads of one type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.progress import reporting
from triadic.core.triad_types import ASYMMETRIC, MUTUAL, TRIAD_NAMES
from triadic.counts import triad_list as counts
from triadic.errors import ArgumentError
from triadic.measures.triads import dyads_of
from triadic.measures.triangle_listing import check_limit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph


def list_triads(
    graph: GraphLike,
    type: str,  # noqa: A002 - the word of the field
    *,
    limit: int | None = None,
    progress: ProgressKeyword = False,
) -> Iterator[tuple[int, int, int]]:
    """List the triples of vertices that form a triad of one type.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The edges of an undirected graph are mutual dyads.
    type : str
        Type of the triads, one of ``TRIAD_NAMES``.
    limit : int, optional
        Largest number of triples to list, the first ones in the order below; by default all.
    progress : bool or callable, default False
        True shows a progress bar on standard error while the triples are read; a callable is called with
        ``(done, total)``.

    Returns
    -------
    iterator of tuple of int
        Vertices u < v < w of each triad, as numbers from 0 to n - 1; the triples are in lexicographic order.

    Raises
    ------
    ArgumentError
        At the call: if `type` is not one of ``TRIAD_NAMES``, or `limit` is not a whole number of at least 0.
    OutOfMemoryError
        At the first triple: if sorting the edges needs more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    triad_census : Count the triads of each type.
    all_triangles : List the triangles.

    Notes
    -----
    The edges are sorted by vertex before the first triple, O(m), unless the graph has fewer mutual or asymmetric dyads
    than a triad of the type. The further cost is proportional to the triples whose numbers of mutual and asymmetric
    dyads are those of the type. The iterator holds 5 to 15 bytes per edge and about 40 per vertex beside the graph, and
    8 bytes per arc more while it sorts; triples are not stored.

    References
    ----------
    Batagelj and Mrvar (2001), Social Networks 23, 237, for the search from the dyads of the type.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True)
    >>> list(triadic.list_triads(graph, "021C"))
    [(0, 1, 3), (0, 2, 3)]
    """
    graph = as_graph(graph, directions="counted")
    if type not in TRIAD_NAMES:
        raise ArgumentError(f"type={type!r}: expected one of {', '.join(TRIAD_NAMES)}")
    return _triads(graph, type, check_limit(limit), progress)


def _triads(graph: Graph, name: str, limit: int | None, progress: ProgressKeyword) -> Iterator[tuple[int, int, int]]:
    mutual, asymmetric = dyads_of(graph)
    if limit == 0 or mutual < MUTUAL[name] or asymmetric < ASYMMETRIC[name]:
        return
    with reporting(progress, f"listing triads {name}") as report:
        for part in counts.list_triads(graph.oriented(), name, limit, report):
            yield from zip(*part.T.tolist(), strict=True)
