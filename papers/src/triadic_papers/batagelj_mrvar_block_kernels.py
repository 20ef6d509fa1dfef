"""The loops of the thesis on cache-blocked linked lists: version 0.5 of section 4.2.4.

Computes: the census of the triads of all canonical dyads, as `batagelj_mrvar_list_kernels.count_linked` does.
Requires: lists in falling order.
Idea: a node stores several vertices in falling order, with the labels next to each vertex (an array of structures) or
  before all vertices (a structure of arrays, listing 4.2), the number of vertices, and the index of the next node.
  Within a node a vertex is found by a linear search or by bisection. Set S is the merge of N(u) and N(v).
Cost: O(sum over edges of the ends' degrees), times the nodes of a list for each look-up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.compiled import kernel
from triadic_papers.batagelj_mrvar_kernels import add_dyadic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Whole = int | np.int64  # the same to numba

END = -1


class NodeLayout(NamedTuple):
    """Layout of a node.

    Attributes
    ----------
    size : int
        Number of vertices that fit into a node.
    vertex, stride : int
        Word of the first vertex, and the distance in words to the next vertex.
    length, following : int
        Words that store the number of vertices and the index of the next node.
    bisection : bool
        Whether a vertex is found by bisection.
    """

    size: int
    vertex: int
    stride: int
    length: int
    following: int
    bisection: bool


class BlockedLists(NamedTuple):
    """Lists of edges or of neighbours, several vertices per node.

    Attributes
    ----------
    pool : int64 array, shape (nodes, words)
    heads : int64 array, shape (n,)
        First node of each vertex's list, or -1.
    layout : NodeLayout
        Layout of the nodes. The kernels unpack all three fields: numba counts references to each array of a tuple.
    """

    pool: NDArray[np.int64]
    heads: NDArray[np.int64]
    layout: NodeLayout


@kernel
def find_in_node(pool: NDArray[np.int64], layout: NodeLayout, node: Whole, value: Whole) -> int:
    """Return the first index in a node whose vertex is at most `value`, or the number of its vertices."""
    last = pool[node, layout.length]
    first = 0
    if layout.bisection:
        while first < last:
            middle = (first + last) >> 1
            if value < pool[node, layout.vertex + middle * layout.stride]:
                first = middle + 1
            else:
                last = middle
    else:
        while first < last and value < pool[node, layout.vertex + first * layout.stride]:
            first += 1
    return first


@kernel
def contains(pool: NDArray[np.int64], heads: NDArray[np.int64], layout: NodeLayout, row: Whole, value: Whole) -> int:
    """Return 1 if a list contains a vertex, else 0: is_edge and is_neighbor."""
    node = heads[row]
    while node != END:
        if value < pool[node, layout.vertex + (pool[node, layout.length] - 1) * layout.stride]:
            node = pool[node, layout.following]
        else:
            return (
                1 if pool[node, layout.vertex + find_in_node(pool, layout, node, value) * layout.stride] == value else 0
            )
    return 0


@kernel
def start_node(
    pool: NDArray[np.int64],
    heads: NDArray[np.int64],
    layout: NodeLayout,
    row: Whole,
    value: Whole,
    before: Whole,
    node: Whole,
    used: int,
) -> int:
    """Store a vertex in a new node between `before` and `node`; return the number of nodes in use."""
    pool[used, layout.length] = 1
    pool[used, layout.vertex] = value
    pool[used, layout.following] = node
    if before == END:
        heads[row] = used
    else:
        pool[before, layout.following] = used
    return used + 1


@kernel
def halve(pool: NDArray[np.int64], layout: NodeLayout, node: Whole, used: int) -> int:
    """Move the second half of a full node to a new node behind it; return the number of nodes in use."""
    half = layout.size // 2
    for k in range(half, layout.size):
        pool[used, layout.vertex + (k - half) * layout.stride] = pool[node, layout.vertex + k * layout.stride]
    pool[used, layout.length] = layout.size - half
    pool[used, layout.following] = pool[node, layout.following]
    pool[node, layout.length] = half
    pool[node, layout.following] = used
    return used + 1


@kernel
def insert(
    pool: NDArray[np.int64], heads: NDArray[np.int64], layout: NodeLayout, row: Whole, value: Whole, used: int
) -> int:
    """Insert a vertex unless the list contains it (Sorted Insert); return the number of nodes in use.

    A full node is split in halves, but at either end of a list a new node begins: lists built in order have full nodes.
    """
    vertex, stride, length, following = layout.vertex, layout.stride, layout.length, layout.following
    before, node = np.int64(END), heads[row]
    while node != END and value < pool[node, vertex + (pool[node, length] - 1) * stride]:
        if pool[node, following] == END and pool[node, length] < layout.size:
            break
        before, node = node, pool[node, following]
    if node == END:
        return start_node(pool, heads, layout, row, value, before, node, used)
    index = find_in_node(pool, layout, node, value)
    if index < pool[node, length] and pool[node, vertex + index * stride] == value:
        return used
    if pool[node, length] == layout.size:
        if index == 0 and before == END:
            return start_node(pool, heads, layout, row, value, before, node, used)
        used = halve(pool, layout, node, used)
        if index > pool[node, length]:
            index -= pool[node, length]
            node = pool[node, following]
    for k in range(pool[node, length], index, -1):
        pool[node, vertex + k * stride] = pool[node, vertex + (k - 1) * stride]
    pool[node, vertex + index * stride] = value
    pool[node, length] += 1
    return used


@kernel
def read_arcs(
    edges: BlockedLists,
    neighbours: BlockedLists,
    source: NDArray[np.integer[Any]],
    target: NDArray[np.integer[Any]],
    directed: bool,
) -> tuple[int, int]:
    """Insert each arc into the lists, in the given order; return the numbers of edge nodes and neighbour nodes."""
    of_edges, of_neighbours = 0, 0
    for arc in range(source.size):
        u, v = np.int64(source[arc]), np.int64(target[arc])
        if u == v:
            continue
        of_edges = insert(edges.pool, edges.heads, edges.layout, u, v, of_edges)
        if not directed:
            of_edges = insert(edges.pool, edges.heads, edges.layout, v, u, of_edges)
        of_neighbours = insert(neighbours.pool, neighbours.heads, neighbours.layout, u, v, of_neighbours)
        of_neighbours = insert(neighbours.pool, neighbours.heads, neighbours.layout, v, u, of_neighbours)
    return of_edges, of_neighbours


@kernel
def merge(
    pool: NDArray[np.int64], heads: NDArray[np.int64], layout: NodeLayout, u: Whole, v: Whole, near: NDArray[np.int64]
) -> int:
    """Write S, the union of N(u) and N(v) without u and v, into consecutive full nodes; return its size."""
    vertex, stride, length = layout.vertex, layout.stride, layout.length
    i, index_i = heads[u], 0
    j, index_j = heads[v], 0
    node, index, size = 0, 0, 0
    while i != END or j != END:
        from_i = np.int64(END) if i == END else pool[i, vertex + index_i * stride]
        from_j = np.int64(END) if j == END else pool[j, vertex + index_j * stride]
        w = max(from_i, from_j)
        if from_i == w:
            index_i += 1
            if index_i == pool[i, length]:
                i, index_i = pool[i, layout.following], 0
        if from_j == w:
            index_j += 1
            if index_j == pool[j, length]:
                j, index_j = pool[j, layout.following], 0
        if w != u and w != v:  # noqa: PLR1714 - numba has no fast `in` here
            if index == layout.size:
                near[node, length] = index
                node, index = node + 1, 0
            near[node, vertex + index * stride] = w
            index += 1
            size += 1
    near[node, length] = index
    return size


@kernel
def triad_code(
    pool: NDArray[np.int64], heads: NDArray[np.int64], layout: NodeLayout, u: Whole, v: Whole, w: Whole, dyad: int
) -> int:
    """Return the code 0 to 63 of TriadCode, figure 4.2, before the table look-up."""
    code = dyad
    code += 4 * contains(pool, heads, layout, u, w)
    code += 8 * contains(pool, heads, layout, w, u)
    code += 16 * contains(pool, heads, layout, v, w)
    code += 32 * contains(pool, heads, layout, w, v)
    return code


@kernel
def count_blocked(
    edges: BlockedLists,
    neighbours: BlockedLists,
    near: BlockedLists,
    table: NDArray[np.int64],
    in_order: bool,
    census: NDArray[np.int64],
) -> None:
    """Count all triads except null triads: figure 2.4 with figure 4.2; `table` as in `count_dyad`."""
    n = neighbours.heads.size
    pool, heads, layout, sets = neighbours.pool, neighbours.heads, neighbours.layout, near.pool
    edge_pool, edge_heads, of_edges = edges.pool, edges.heads, edges.layout
    for u in range(n):
        entry = heads[u]
        while entry != END:
            for slot in range(pool[entry, layout.length]):
                v = pool[entry, layout.vertex + slot * layout.stride]
                if v <= u:
                    break  # lists fall
                size = merge(pool, heads, layout, u, v, sets)
                dyad = contains(edge_pool, edge_heads, of_edges, u, v) + 2 * contains(
                    edge_pool, edge_heads, of_edges, v, u
                )
                below, above = 0, 0
                for k in range(size):
                    w = sets[k // layout.size, layout.vertex + (k % layout.size) * layout.stride]
                    below += w < u
                    above += v < w
                    if v < w or (u < w and not contains(pool, heads, layout, u, w)):
                        code = triad_code(edge_pool, edge_heads, of_edges, u, v, w, dyad)
                        census[table[1 if w < v else 0, code]] += 1
                add_dyadic(n, u, v, size, below, above, dyad, in_order, False, census)
            entry = pool[entry, layout.following]
