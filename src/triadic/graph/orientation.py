"""Orient a graph, given as arcs in any order or as rows, and turn the oriented graph back into rows.

A batch of graphs is oriented in parts that fit in cache, if its vertices and arcs are in the order of the graphs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import one_team
from triadic.core.oriented import OrientationSummary, Oriented, OrientedBatch
from triadic.devices.cpu.orient import row_orientation as small_sort
from triadic.devices.cpu.orient import rows
from triadic.devices.cpu.orient.row_orientation import oriented_rows, rank_in_graphs
from triadic.devices.cpu.orient.rows import rank_by_degree

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Int64Array, Uint8Array


# Arcs up to which one thread sorts them sooner than several threads share them out.
FEW_ARCS = 300_000
_NO_GRAPHS = np.empty(0, dtype=np.int64)  # not None, which numba takes a microsecond to recognise
_INT32 = np.iinfo(np.int32).max


def graph_bytes(n: int, arcs: int, *, threads: int) -> int:
    """Estimate the peak memory, in bytes, of orienting a number of arcs between n vertices.

    Sort keys and columns take 12 bytes an arc; five arrays of n, and one more for each worker that counts degrees.
    """
    return (40 + 8 * blocks.counting_threads(arcs, threads)) * n + 12 * arcs


@dataclass(frozen=True, slots=True)
class GraphOfVertices:
    """Which graph of a batch each vertex is in.

    Attributes
    ----------
    graph : int64 array, shape (n,)
        Graph of each vertex.
    first_rank : int64 array, shape (graphs + 1,)
        Number of vertices of the graphs before each graph, and of all graphs.
    """

    graph: Int64Array
    first_rank: Int64Array


@one_team()
def orient(
    source: rows.ArcSource, n: int, *, directed: bool, threads: int, batch: GraphOfVertices | None = None
) -> tuple[Oriented, OrientationSummary]:
    """Orient arcs in any order; loops and repeated arcs are dropped. The vertices may be those of a batch of graphs."""
    ends = rows.degrees(source, n, threads=threads)
    rank = rank_vertices(ends, batch)
    sorted_rows = rows.sort_rows(source, n, rank, rows.ORIENT, with_state=directed, threads=threads)
    return finish(sorted_rows, rank, ends, batch, threads=threads)


def finish(
    sorted_rows: rows.Rows, rank: Ids, ends: Int64Array, batch: GraphOfVertices | None, *, threads: int
) -> tuple[Oriented, OrientationSummary]:
    """Return the oriented graph of sorted rows; `ends` counts the ends of arcs at each vertex, with repeats."""
    m = len(sorted_rows.indices)
    summary = OrientationSummary(
        sorted_rows.arcs, sorted_rows.loops, sorted_rows.keys - sorted_rows.arcs, sorted_rows.arcs - m
    )
    if sorted_rows.keys == m:
        degree = np.empty_like(ends)
        degree[rank] = ends
    else:  # `ends` counts repeats, so ranks follow the degree only approximately; any ranking gives exact counts
        degree = np.diff(sorted_rows.indptr) + rows.column_counts(sorted_rows.indices, len(ends), threads=threads)
    return _oriented(rank, sorted_rows.indptr, sorted_rows.indices, sorted_rows.state, degree, batch), summary


def orient_few(
    source: Ids, target: Ids, n: int, *, directed: bool, batch: GraphOfVertices | None = None
) -> tuple[Oriented, OrientationSummary]:
    """Orient few arcs between fewer than 2^31 vertices in the caller's thread; the result is that of `orient`."""
    graph, first_rank = (_NO_GRAPHS, _NO_GRAPHS) if batch is None else (batch.graph, batch.first_rank)
    rank, indptr, indices, kept, degree, counts = small_sort.orient(source, target, n, directed, graph, first_rank)
    loops, arcs = counts
    summary = OrientationSummary(arcs, loops, len(source) - loops - arcs, arcs - len(indices))
    for array in (rank, indptr, indices, kept, degree):  # cheaper than the read-only views that would be made of them
        array.setflags(write=False)
    return _oriented(rank, indptr, indices, kept if directed else None, degree, batch), summary


@one_team()
def orient_csr(indptr: Int64Array, indices: Ids, *, directed: bool, threads: int) -> Oriented:
    """Orient a graph given as sorted rows without loops and repeats, symmetric if undirected."""
    n = len(indptr) - 1
    if directed:
        return orient(rows.CsrArcs(indptr, indices), n, directed=True, threads=threads)[0]
    ends = np.diff(indptr)
    rank = rank_vertices(ends)
    degree = np.empty_like(ends)
    degree[rank] = ends
    row_start, columns = oriented_rows(indptr, indices, rank, degree, threads=threads)
    return Oriented(rank, row_start, columns, None, degree)


@one_team()
def rows_of(oriented: Oriented, *, threads: int) -> rows.Rows:
    """Return the rows of the graph by vertex, symmetric if undirected."""
    n, order = oriented.num_vertices, oriented.order
    if oriented.state is None:
        once = rows.CsrArcs(oriented.indptr, oriented.indices)
        return rows.sort_rows(once, n, order, rows.BOTH, with_state=False, threads=threads)
    both = rows.ArcList(*arcs_of(oriented, order, oriented.state))
    return rows.sort_rows(both, n, None, rows.FORWARD, with_state=False, threads=threads)


def arcs_of(oriented: Oriented, order: Ids, state: Uint8Array) -> tuple[Ids, Ids]:
    """Return the ends of the arcs of a directed graph: those from the vertices of rows, then those to them."""
    row, column = np.repeat(order, np.diff(oriented.indptr)), order[oriented.indices]
    down, up = (state & 1) != 0, (state & 2) != 0
    return np.concatenate([row[down], column[up]]), np.concatenate([column[down], row[up]])


def rank_vertices(degree: Int64Array, batch: GraphOfVertices | None = None) -> Ids:
    """Return the rank of each vertex by falling degree, in a batch within each graph."""
    n = len(degree)
    rank: Ids = np.empty(n, dtype=np.int32 if n <= _INT32 else np.int64)
    if batch is None:
        rank_by_degree(degree, rank)
    else:
        rank_in_graphs(degree, batch.graph, batch.first_rank, rank)
    return rank


def _oriented(
    rank: Ids,
    indptr: Int64Array,
    indices: Ids,
    state: Uint8Array | None,
    degree: Int64Array,
    batch: GraphOfVertices | None,
) -> Oriented:
    if batch is None:
        return Oriented(rank, indptr, indices, state, degree)
    return OrientedBatch(rank, indptr, indices, state, degree, batch.first_rank)


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
    if not small_sort.count_in_order(source, batch.graph, first_arc[1:]):
        return None
    if int(first_arc.max(initial=0)) > _LARGEST_GRAPH:
        return None
    np.cumsum(first_arc, out=first_arc)
    n = int(first_rank[-1])
    cuts = blocks.cut(first_arc + first_rank, _PART_ARCS, most=1 << 20)
    parts = len(cuts) - 1
    rank, degree, indptr = np.empty(n, np.int32), np.empty(n, np.int64), np.zeros(n + 1, np.int64)
    columns: list[Ids] = [np.empty(0, np.int32)] * parts
    states: list[Uint8Array] = [np.empty(0, np.uint8)] * parts
    found = np.zeros((parts, 2), np.int64)

    def orient_part(_: int, part: int) -> None:
        g, end = cuts[part], cuts[part + 1]
        v, stop = int(first_rank[g]), int(first_rank[end])
        arcs = slice(first_arc[g], first_arc[end])
        local, rows, entries, states[part], degree[v:stop], found[part] = small_sort.orient(
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
