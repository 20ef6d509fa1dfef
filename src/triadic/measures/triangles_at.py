"""Triangles at chosen vertices: around them where that is less work, else at all vertices and then taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from triadic.counts import triangles_at as counts
from triadic.counts.count import run
from triadic.counts.triangles import TRIANGLES
from triadic.measures.vertex_subset import take_chosen

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph


class Chosen(NamedTuple):
    """Triangles and degrees at chosen vertices: int64, shape (chosen,)."""

    triangles: NDArray[np.int64]
    degree: NDArray[np.int64]


def triangles_at(
    graph: Graph,
    vertices: ArrayLike | AbstractSet[int],
    *,
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
) -> Chosen:
    """Count the triangles at chosen vertices. A device that is named, the CPU apart, counts at all vertices."""
    chosen = take_chosen("vertices", vertices, graph.num_vertices)
    if (
        counts.may_go_around(graph.oriented() if graph.is_oriented else None, device)
        and 2 * len(chosen) <= graph.num_vertices
    ):
        if graph.directed:
            indptr, indices = counts.skeleton_rows(graph.oriented(threads=threads), threads=threads)
        else:
            indptr, indices = graph.indptr, graph.indices
        found = counts.by_chosen(indptr, indices, chosen, threads=threads, progress=progress)
        if found is not None:
            return Chosen(found, indptr[chosen + 1] - indptr[chosen])
    oriented = graph.oriented(threads=threads)
    at_rank = run(TRIANGLES, oriented, threads=threads, device=device, progress=progress)
    ranks = oriented.rank[chosen]
    return Chosen(at_rank[ranks], oriented.degree[ranks])
