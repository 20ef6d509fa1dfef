"""The loops of the triad census thesis over cache-blocked linked lists: version 0.5 of section 4.2.4.

Computes: the census of the triads of all canonical dyads, as `batagelj_mrvar_list_kernels.count_linked` does.
Requires: lists that fall, as there.
Idea: a node holds several vertices that fall, with their labels beside each (an array of structures) or all before them
  (a structure of arrays, listing 4.2), how many there are, and where the next node lies. In a node a vertex is looked
  for from its first on, or by bisection. Set S is made by merging N(u) and N(v), both sorted.
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


class Node(NamedTuple):
    """What is where in a node.

    Attributes
    ----------
    size : int
        Vertices that it has room for.
    vertex, stride : int
        The word that holds its first vertex, and how many words on the next one lies.
    held, following : int
        Which word holds how many vertices there are, and which the next node.
    bisected : bool
        Whether a vertex is looked for by bisection.
    """

    size: int
    vertex: int
    stride: int
    held: int
    following: int
    bisected: bool


class BlockedLists(NamedTuple):
    """Lists of one kind, several vertices a node.

    Attributes
    ----------
    pool : int64 array, shape (nodes, words)
    heads : int64 array, shape (n,)
        The first node of each vertex's list, or -1.
    of : Node
        The kernels take the three apart: numba counts references to each array of a tuple.
    """

    pool: NDArray[np.int64]
    heads: NDArray[np.int64]
    of: Node


@kernel
def place_in(pool: NDArray[np.int64], of: Node, node: Whole, value: Whole) -> int:
    """Give the first place of a node that holds `value` or less, or how many there are."""
    last = pool[node, of.held]
    first = 0
    if of.bisected:
        while first < last:
            middle = (first + last) >> 1
            if value < pool[node, of.vertex + middle * of.stride]:
                first = middle + 1
            else:
                last = middle
    else:
        while first < last and value < pool[node, of.vertex + first * of.stride]:
            first += 1
    return first


@kernel
def holds(pool: NDArray[np.int64], heads: NDArray[np.int64], of: Node, row: Whole, value: Whole) -> int:
    """Give 1 if a vertex is in a list, else 0: is_edge and is_neighbor."""
    node = heads[row]
    while node != END:
        if value < pool[node, of.vertex + (pool[node, of.held] - 1) * of.stride]:
            node = pool[node, of.following]
        else:
            return 1 if pool[node, of.vertex + place_in(pool, of, node, value) * of.stride] == value else 0
    return 0


@kernel
def begin(
    pool: NDArray[np.int64],
    heads: NDArray[np.int64],
    of: Node,
    row: Whole,
    value: Whole,
    before: Whole,
    node: Whole,
    used: int,
) -> int:
    """Put a vertex in a new node, between `before` and `node`."""
    pool[used, of.held] = 1
    pool[used, of.vertex] = value
    pool[used, of.following] = node
    if before == END:
        heads[row] = used
    else:
        pool[before, of.following] = used
    return used + 1


@kernel
def halve(pool: NDArray[np.int64], of: Node, node: Whole, used: int) -> int:
    """Move the second half of a full node to a new one behind it."""
    half = of.size // 2
    for k in range(half, of.size):
        pool[used, of.vertex + (k - half) * of.stride] = pool[node, of.vertex + k * of.stride]
    pool[used, of.held] = of.size - half
    pool[used, of.following] = pool[node, of.following]
    pool[node, of.held] = half
    pool[node, of.following] = used
    return used + 1


@kernel
def put(pool: NDArray[np.int64], heads: NDArray[np.int64], of: Node, row: Whole, value: Whole, used: int) -> int:
    """Put a vertex in its place unless it is there, Sorted Insert; give how many nodes are used.

    A full node is halved, but at either end of a list a new one begins: lists made in order are full.
    """
    vertex, stride, held, following = of.vertex, of.stride, of.held, of.following
    before, node = np.int64(END), heads[row]
    while node != END and value < pool[node, vertex + (pool[node, held] - 1) * stride]:
        if pool[node, following] == END and pool[node, held] < of.size:
            break
        before, node = node, pool[node, following]
    if node == END:
        return begin(pool, heads, of, row, value, before, node, used)
    at = place_in(pool, of, node, value)
    if at < pool[node, held] and pool[node, vertex + at * stride] == value:
        return used
    if pool[node, held] == of.size:
        if at == 0 and before == END:
            return begin(pool, heads, of, row, value, before, node, used)
        used = halve(pool, of, node, used)
        if at > pool[node, held]:
            at -= pool[node, held]
            node = pool[node, following]
    for k in range(pool[node, held], at, -1):
        pool[node, vertex + k * stride] = pool[node, vertex + (k - 1) * stride]
    pool[node, vertex + at * stride] = value
    pool[node, held] += 1
    return used


@kernel
def read_arcs(
    edges: BlockedLists,
    neighbours: BlockedLists,
    source: NDArray[np.integer[Any]],
    target: NDArray[np.integer[Any]],
    directed: bool,
) -> tuple[int, int]:
    """Put each arc into the lists, in the order given; give how many nodes there are of edges and of neighbours."""
    of_edges, of_neighbours = 0, 0
    for arc in range(source.size):
        u, v = np.int64(source[arc]), np.int64(target[arc])
        if u == v:
            continue
        of_edges = put(edges.pool, edges.heads, edges.of, u, v, of_edges)
        if not directed:
            of_edges = put(edges.pool, edges.heads, edges.of, v, u, of_edges)
        of_neighbours = put(neighbours.pool, neighbours.heads, neighbours.of, u, v, of_neighbours)
        of_neighbours = put(neighbours.pool, neighbours.heads, neighbours.of, v, u, of_neighbours)
    return of_edges, of_neighbours


@kernel
def merge(
    pool: NDArray[np.int64], heads: NDArray[np.int64], of: Node, u: Whole, v: Whole, near: NDArray[np.int64]
) -> int:
    """Make S = N(u) with N(v), without u and v, in full nodes one after another; give its size."""
    vertex, stride, held = of.vertex, of.stride, of.held
    i, at_i = heads[u], 0
    j, at_j = heads[v], 0
    node, at, size = 0, 0, 0
    while i != END or j != END:
        from_i = np.int64(END) if i == END else pool[i, vertex + at_i * stride]
        from_j = np.int64(END) if j == END else pool[j, vertex + at_j * stride]
        w = max(from_i, from_j)
        if from_i == w:
            at_i += 1
            if at_i == pool[i, held]:
                i, at_i = pool[i, of.following], 0
        if from_j == w:
            at_j += 1
            if at_j == pool[j, held]:
                j, at_j = pool[j, of.following], 0
        if w != u and w != v:  # noqa: PLR1714 - numba has no fast `in` here
            if at == of.size:
                near[node, held] = at
                node, at = node + 1, 0
            near[node, vertex + at * stride] = w
            at += 1
            size += 1
    near[node, held] = at
    return size


@kernel
def triad_code(
    pool: NDArray[np.int64], heads: NDArray[np.int64], of: Node, u: Whole, v: Whole, w: Whole, dyad: int
) -> int:
    """Give TriadCode, figure 4.2, less the table and the one that it adds: 0 .. 63."""
    code = dyad
    code += 4 * holds(pool, heads, of, u, w)
    code += 8 * holds(pool, heads, of, w, u)
    code += 16 * holds(pool, heads, of, v, w)
    code += 32 * holds(pool, heads, of, w, v)
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
    """Count all triads but the null ones: figure 2.4 with figure 4.2. `table` as for `count_dyad`."""
    n = neighbours.heads.size
    pool, heads, of, sets = neighbours.pool, neighbours.heads, neighbours.of, near.pool
    edge_pool, edge_heads, of_edges = edges.pool, edges.heads, edges.of
    for u in range(n):
        entry = heads[u]
        while entry != END:
            for of_entry in range(pool[entry, of.held]):
                v = pool[entry, of.vertex + of_entry * of.stride]
                if v <= u:
                    break  # lists fall
                size = merge(pool, heads, of, u, v, sets)
                dyad = holds(edge_pool, edge_heads, of_edges, u, v) + 2 * holds(edge_pool, edge_heads, of_edges, v, u)
                below, above = 0, 0
                for k in range(size):
                    w = sets[k // of.size, of.vertex + (k % of.size) * of.stride]
                    below += w < u
                    above += v < w
                    if v < w or (u < w and not holds(pool, heads, of, u, w)):
                        code = triad_code(edge_pool, edge_heads, of_edges, u, v, w, dyad)
                        census[table[1 if w < v else 0, code]] += 1
                add_dyadic(n, u, v, size, below, above, dyad, in_order, False, census)
            entry = pool[entry, of.following]
