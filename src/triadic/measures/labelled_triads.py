"""The census of the 64 labelled types of triads: closed triads are counted, and open ones follow from one scan of rows.

X[x, y, z] is the number of triples u < v < w with dyads s(uv) = x, s(uw) = y and s(vw) = z. Two dyads that share a
vertex are part of a triple whose third dyad has any state; subtracting the triples whose third dyad is an edge leaves
the triples whose third dyad is null. The triples of one edge, and of no edge, follow in the same way.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from triadic.counts.closed_triads import LABELLED_CLOSED_TRIADS, labelled_codes
from triadic.counts.count import run
from triadic.counts.labelled_wedges import labelled_wedges
from triadic.measures.census import Census

if TYPE_CHECKING:
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph


def labelled_census(graph: Graph, threads: int | None, device: str, progress: ProgressKeyword) -> Census:
    """Return the number of triads of each labelled type, "0" to "63"."""
    oriented = graph.oriented(threads=threads)
    closed = labelled_codes(run(LABELLED_CLOSED_TRIADS, oriented, threads=threads, device=device, progress=progress))
    wedges = labelled_wedges(oriented, threads=threads, device=device)
    x = closed.astype(object).reshape(4, 4, 4).transpose(2, 1, 0)  # the lowest digit of a code is s(uv)
    edge = slice(1, 4)
    x[edge, 0, edge] = wedges.middle[edge, edge] - x[edge, edge, edge].sum(axis=1)
    x[edge, edge, 0] = wedges.lowest[edge, edge] - x[edge, edge, edge].sum(axis=2)
    x[0, edge, edge] = wedges.highest[edge, edge] - x[edge, edge, edge].sum(axis=0)
    x[edge, 0, 0] = wedges.above[edge] - x[edge].sum(axis=(1, 2))
    x[0, edge, 0] = wedges.between[edge] - x[:, edge].sum(axis=(0, 2))
    x[0, 0, edge] = wedges.below[edge] - x[:, :, edge].sum(axis=(0, 1))
    x[0, 0, 0] = comb(graph.num_vertices, 3) - x.sum()
    return Census(tuple(map(str, range(64))), tuple(int(count) for count in x.transpose(2, 1, 0).ravel()))
