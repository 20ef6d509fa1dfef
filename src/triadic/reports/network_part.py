"""The part of a network that its report draws: all of it if it is small, or else its densest part."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.errors import OutOfMemoryError, UnsupportedError
from triadic.measures.trussness import trussness
from triadic.reports import budget

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.reports.findings import Findings

WHOLE, PART = 300, 150  # most vertices of a network that is drawn as a whole, and of a part
MOST_EDGES = 5_000


class Part(NamedTuple):
    """Vertices to draw, and a sentence that says what they are."""

    vertices: NDArray[np.int64]
    caption: str


def drawn_part(found: Findings) -> Part | None:
    """Return the vertices to draw, or None for a network without edges.

    A network of up to 300 vertices with edges is drawn as a whole. Of a larger one, its truss of the smallest order
    with up to 150 vertices is drawn; if the network has no triangles, or trusses take too long, its vertex of the
    largest degree with its neighbours.
    """
    joined = np.flatnonzero(found.degree)
    if not len(joined):
        return None
    if len(joined) <= WHOLE and found.graph.num_edges <= MOST_EDGES:
        isolated = found.graph.num_vertices - len(joined)
        if isolated:
            return Part(joined, f"All {len(joined):,} vertices that have an edge; {isolated:,} have none.")
        return Part(joined, f"The whole network: {len(joined):,} vertices.")
    truss = _truss(found) if found.triangles.any() and budget.affords_trusses(found.seconds["triangles"]) else None
    return _neighbourhood(found) if truss is None else truss


def _truss(found: Findings) -> Part | None:
    """Return the truss of the smallest order that can be drawn, or the best connected part of the last truss."""
    graph = found.graph
    try:
        order = trussness(graph, threads=found.threads)
    except (OutOfMemoryError, UnsupportedError):
        return None
    source, target = graph.edges()
    # The largest order of the edges of a vertex is the last truss that contains the vertex.
    last = np.zeros(graph.num_vertices, dtype=np.int64)
    np.maximum.at(last, source, order)
    np.maximum.at(last, target, order)
    members = np.cumsum(np.bincount(last)[::-1])[::-1]  # of the truss of each order
    edges = np.cumsum(np.bincount(order, minlength=len(members))[::-1])[::-1]
    fitting = np.flatnonzero((members <= PART) & (edges <= MOST_EDGES) & (members > 0))
    if len(fitting):
        k = int(fitting[0])
        return Part(np.flatnonzero(last >= k), _truss_caption(k, int(members[k])))
    k = len(members) - 1
    chosen = _densest(np.flatnonzero(last >= k), found)
    drawn = f" Drawn are the {len(chosen)} of them with the most neighbours." if len(chosen) < members[k] else ""
    return Part(chosen, _truss_caption(k, int(members[k])) + drawn)


def _truss_caption(k: int, members: int) -> str:
    return (
        f"The densest part of the network, {members:,} vertices: its {k}-truss, in which every edge is in at least "
        f"{k - 2} triangle{'s' if k > 3 else ''} of the part."
    )


def _densest(vertices: NDArray[np.int64], found: Findings) -> NDArray[np.int64]:
    """Return the vertices of the largest degrees, with few enough edges to draw even if all are joined."""
    first = int(np.sqrt(2 * MOST_EDGES))
    return np.sort(vertices[np.argsort(-found.degree[vertices], kind="stable")[:first]])


def _neighbourhood(found: Findings) -> Part:
    """Return the vertex of the largest degree and its neighbours, those of the largest degrees if there are many."""
    hub = int(found.degree.argmax())
    source, target = found.graph.edges()
    around = np.unique(np.concatenate([target[source == hub], source[target == hub]])).astype(np.int64)
    first = around[np.argsort(-found.degree[around], kind="stable")[: PART - 1]]
    caption = (
        f"The vertex with the most neighbours, and {'all' if len(first) == len(around) else 'the best connected'} "
    )
    return Part(np.sort(np.append(first, hub)), f"{caption}{len(first):,} of its {len(around):,} neighbours.")
