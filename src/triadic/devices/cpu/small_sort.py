"""Orient few arcs in one thread: two counting sorts, in a few microseconds for a small graph.

Computes: from arcs in any order, with loops and repeats, the rows of the oriented graph and the degrees in it.
Requires: ids below the number of vertices, and fewer than 2^31 vertices.
Idea: the arcs are sorted by the smaller rank of their ends, then by the larger, each time by counting. Columns then
  rise within rows, and the repeats of an arc follow one another. `row_sort` does so in buckets, on several threads.
  One call of a kernel does everything: each further call would cost as much as sorting twenty arcs.
Cost: four passes over arcs and three over vertices; 8 bytes an arc and 8 bytes a vertex of working memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.rows import rank_by_degree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]


@kernel
def orient(
    source: Ids,
    target: Ids,
    n: int,
    with_state: bool,
    graph: NDArray[np.int64],
    first_rank: NDArray[np.int64],
) -> tuple[
    NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8], NDArray[np.int64], tuple[int, int]
]:
    """Orient arcs between n vertices; return rank, indptr, indices, state, degree and (loops, different arcs).

    `graph` and `first_rank` are those of `rank_in_graphs`, or empty if the vertices are those of one graph. The state
    is empty unless `with_state`.
    """
    ends = np.zeros(n, dtype=np.int64)
    loops = count_ends(source, target, ends)
    rank = np.empty(n, dtype=np.int32)
    if graph.size == 0:
        rank_by_degree(ends, rank)
    else:
        rank_in_graphs(ends, graph, first_rank, rank)
    indptr = np.zeros(n + 1, dtype=np.int64)
    degree = np.zeros(n, dtype=np.int64)
    indices = np.empty(source.size, dtype=np.int32)
    state = np.empty(source.size if with_state else 0, dtype=np.uint8)
    entries, arcs = sort_few(source, target, rank, indptr, indices, state, degree)
    return rank, indptr, indices[:entries].copy(), state[:entries].copy(), degree, (loops, arcs)


@kernel
def count_ends(source: Ids, target: Ids, degree: NDArray[np.int64]) -> int:
    """Add to `degree` the ends of each arc that is not a loop; return the number of loops."""
    loops = 0
    for i in range(source.size):
        a = source[i]
        b = target[i]
        if a == b:
            loops += 1
        else:
            degree[a] += 1
            degree[b] += 1
    return loops


@kernel
def rank_in_graphs(
    degree: NDArray[np.int64], graph: NDArray[np.int64], first_rank: NDArray[np.int64], rank: Ids
) -> None:
    """Rank vertices by graph, in each graph by falling degree, ties by rising id.

    `graph` holds the graph of each vertex, and `first_rank` the first rank of each graph.
    """
    most = 0
    for v in range(degree.size):
        most = max(most, degree[v])
    start = np.zeros(most + 2, dtype=np.int64)
    for v in range(degree.size):
        start[most - degree[v] + 1] += 1
    for d in range(1, most + 2):
        start[d] += start[d - 1]
    order = np.empty(degree.size, dtype=np.int64)
    for v in range(degree.size):
        d = most - degree[v]
        order[start[d]] = v
        start[d] += 1
    free = first_rank.copy()
    for vertex in order:
        g = graph[vertex]
        rank[vertex] = free[g]
        free[g] += 1


@kernel
def sort_few(
    source: Ids,
    target: Ids,
    rank: Ids,
    indptr: NDArray[np.int64],
    indices: Ids,
    state: NDArray[np.uint8],
    degree: NDArray[np.int64],
) -> tuple[int, int]:
    """Write the oriented rows, and the degree of each rank; return the numbers of entries and of different arcs.

    `indices` has room for all arcs; `state` has as much, or none if directions are ignored. `indptr` and `degree` hold
    zeros. The state of an entry is 1 for an arc from its row, 2 for one to its row, and 3 for both.
    """
    n = rank.size
    by_column = np.zeros(n + 1, dtype=np.int64)
    for i in range(source.size):
        x = rank[source[i]]
        y = rank[target[i]]
        if x != y:
            by_column[min(x, y) + 1] += 1
            indptr[max(x, y) + 1] += 1
    for r in range(n):
        by_column[r + 1] += by_column[r]
        indptr[r + 1] += indptr[r]
    # Each arc as its row and, in the lowest bit, whether it runs to its row; sorted by columns.
    size = by_column[n]
    row = np.empty(size, dtype=np.int64)
    free = by_column.copy()
    for i in range(source.size):
        x = np.int64(rank[source[i]])
        y = np.int64(rank[target[i]])
        if x != y:
            low = min(x, y)
            row[free[low]] = 2 * max(x, y) + np.int64(x < y)
            free[low] += 1
    entry = np.empty(size, dtype=np.int64)
    for r in range(n + 1):  # `free[:] = indptr` takes numba seconds to compile: it can raise an error about shapes
        free[r] = indptr[r]
    for place in range(n):
        for k in range(by_column[place], by_column[place + 1]):
            high = row[k] >> 1
            entry[free[high]] = 2 * place + (row[k] & 1)
            free[high] += 1
    entries = 0
    arcs = 0
    start = np.int64(0)
    for r in range(n):
        stop = indptr[r + 1]
        last = np.int64(-1)
        seen = np.int64(0)
        begin = entries
        for k in range(start, stop):
            column = entry[k] >> 1
            bit = np.int64(1 + (entry[k] & 1))
            if column != last:
                last = column
                seen = bit
                indices[entries] = column
                if state.size > 0:
                    state[entries] = bit
                degree[column] += 1
                entries += 1
                arcs += 1
            elif seen & bit == 0:
                seen |= bit
                arcs += 1
                if state.size > 0:
                    state[entries - 1] = seen
        degree[r] += entries - begin
        start = stop
        indptr[r + 1] = entries
    return entries, arcs


@kernel
def first_between_graphs(source: Ids, target: Ids, graph: NDArray[np.int64]) -> int:
    """Return the first arc between vertices of two graphs, or -1."""
    for i in range(source.size):
        if graph[source[i]] != graph[target[i]]:
            return i
    return -1


@kernel
def count_in_order(source: Ids, graph: NDArray[np.int64], arcs: NDArray[np.int64]) -> bool:
    """Add to `arcs` the arcs of each graph; return whether the vertices and the arcs are in the order of the graphs."""
    for v in range(1, graph.size):
        if graph[v] < graph[v - 1]:
            return False
    last = np.int64(0)
    for i in range(source.size):
        g = graph[source[i]]
        if g < last:
            return False
        last = g
        arcs[g] += 1
    return True
