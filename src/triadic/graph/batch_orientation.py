"""Orient a batch of graphs in parts that fit in cache, if its vertices and arcs are in the order of the graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.oriented import OrientationSummary, OrientedBatch
from triadic.devices.cpu.orient import row_orientation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.orientation import GraphOfVertices

    Ids = NDArray[np.integer[Any]]

# Arcs of a part: its arrays, of some 40 bytes an arc, stay in the second-level cache of a core.
_PART_ARCS = 1 << 13
_LARGEST_GRAPH = 1 << 18  # arcs; several threads orient a larger graph sooner


def orient_parts(
    source: Ids, target: Ids, batch: GraphOfVertices, *, directed: bool, threads: int
) -> tuple[OrientedBatch, OrientationSummary] | None:
    """Orient a batch of graphs part by part; the result is that of `triadic.graph.orientation.orient`.

    Parameters
    ----------
    source, target : int32 array, shape (arcs,)
        Ends of the arcs, within graphs.
    batch : GraphOfVertices
        The graph of each vertex.
    directed : bool
        Whether to keep the directions.
    threads : int
        Number of threads, which share the parts.

    Returns
    -------
    oriented : OrientedBatch
    summary : OrientationSummary
        Both missing, and None returned, if the vertices or the arcs are not in the order of the graphs, or if a graph
        is so large that orienting all arcs at a time is faster.
    """
    first_rank = batch.first_rank
    first_arc = np.zeros_like(first_rank)
    if not row_orientation.count_in_order(source, batch.graph, first_arc[1:]):
        return None
    if int(first_arc.max(initial=0)) > _LARGEST_GRAPH:
        return None
    np.cumsum(first_arc, out=first_arc)
    n = int(first_rank[-1])
    cuts = blocks.cut(first_arc + first_rank, _PART_ARCS, most=1 << 20)
    parts = len(cuts) - 1
    rank, degree, indptr = np.empty(n, np.int32), np.empty(n, np.int64), np.zeros(n + 1, np.int64)
    columns: list[Ids] = [np.empty(0, np.int32)] * parts
    states: list[NDArray[np.uint8]] = [np.empty(0, np.uint8)] * parts
    found = np.zeros((parts, 2), np.int64)

    def orient_part(_: int, part: int) -> None:
        g, end = cuts[part], cuts[part + 1]
        v, stop = int(first_rank[g]), int(first_rank[end])
        arcs = slice(first_arc[g], first_arc[end])
        local, rows, entries, states[part], degree[v:stop], found[part] = row_orientation.orient(
            source[arcs] - v, target[arcs] - v, stop - v, directed, batch.graph[v:stop] - g, first_rank[g : end + 1] - v
        )
        np.add(local, v, out=rank[v:stop])
        entries += v
        columns[part] = entries
        indptr[v + 1 : stop + 1] = rows[1:]

    blocks.run(orient_part, parts, threads=threads)
    indices = np.concatenate([np.empty(0, np.int32), *columns])
    before = 0
    for part, entries in enumerate(columns):
        v, stop = int(first_rank[cuts[part]]), int(first_rank[cuts[part + 1]])
        indptr[v + 1 : stop + 1] += before
        before += len(entries)
    loops, arcs = found.sum(axis=0).tolist()
    summary = OrientationSummary(arcs, loops, len(source) - loops - arcs, arcs - before)
    state = np.concatenate([np.empty(0, np.uint8), *states]) if directed else None
    return OrientedBatch(rank, indptr, indices, state, degree, first_rank), summary
