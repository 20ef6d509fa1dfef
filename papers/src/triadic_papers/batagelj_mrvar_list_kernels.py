"""The loops of the thesis on linked lists: versions 0.1 to 0.4 of section 4.2.

Computes: the census of the triads of all canonical dyads, as `batagelj_mrvar_kernels.count_vertices` does on rows.
Requires: lists in falling order, as in the thesis's traces of is_edge (section 4.2.3).
Idea: an entry is a node of a pool, `words` words of 8 bytes: a label, which the census does not read, the vertex, and
  the index of the next entry. Set S is such a list too: N(u) is copied, then each vertex of N(v) is inserted from the
  head.
Cost: O(sum over edges of the ends' degrees), times a degree for each look-up.
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


class LinkedLists(NamedTuple):
    """Lists of edges or of neighbours, one entry per node.

    Attributes
    ----------
    pool : int64 array, shape (entries, words)
    heads : int64 array, shape (n,)
        First node of each vertex's list, or -1.
    vertex, following : int
        Words of a node that store the vertex and the index of the next node.
    """

    pool: NDArray[np.int64]
    heads: NDArray[np.int64]
    vertex: int
    following: int


@kernel
def insert(
    pool: NDArray[np.int64], heads: NDArray[np.int64], vertex: int, following: int, row: Whole, value: Whole, used: int
) -> int:
    """Insert a vertex unless the list contains it (add_neighbor); return the number of nodes in use."""
    before, node = np.int64(END), heads[row]
    while node != END and value < pool[node, vertex]:
        before, node = node, pool[node, following]
    if node != END and pool[node, vertex] == value:
        return used
    pool[used, vertex] = value
    pool[used, following] = node
    if before == END:
        heads[row] = used
    else:
        pool[before, following] = used
    return used + 1


@kernel
def contains(
    pool: NDArray[np.int64], heads: NDArray[np.int64], vertex: int, following: int, row: Whole, value: Whole
) -> int:
    """Return 1 if a list contains a vertex, else 0: is_edge and is_neighbor.

    It takes arrays instead of `LinkedLists`, because numba counts references to each member of a tuple.
    """
    node = heads[row]
    while node != END:
        if value < pool[node, vertex]:
            node = pool[node, following]
        else:
            return 1 if pool[node, vertex] == value else 0
    return 0


@kernel
def read_arcs(
    edges: LinkedLists,
    neighbours: LinkedLists,
    source: NDArray[np.integer[Any]],
    target: NDArray[np.integer[Any]],
    directed: bool,
) -> tuple[int, int]:
    """Insert each arc into the lists, in the given order; return the numbers of edge nodes and neighbour nodes."""
    of_edges, of_neighbours = 0, 0
    pool, heads, vertex, following = neighbours.pool, neighbours.heads, neighbours.vertex, neighbours.following
    for arc in range(source.size):
        u, v = np.int64(source[arc]), np.int64(target[arc])
        if u == v:
            continue
        of_edges = insert(edges.pool, edges.heads, edges.vertex, edges.following, u, v, of_edges)
        if not directed:
            of_edges = insert(edges.pool, edges.heads, edges.vertex, edges.following, v, u, of_edges)
        of_neighbours = insert(pool, heads, vertex, following, u, v, of_neighbours)
        of_neighbours = insert(pool, heads, vertex, following, v, u, of_neighbours)
    return of_edges, of_neighbours


@kernel
def unite(neighbours: LinkedLists, u: Whole, v: Whole, near: LinkedLists) -> int:
    """Write S, the union of N(u) and N(v) without u and v (inc_copy_neighbor_set, inc_adj_union); return its size."""
    pool, vertex, following = neighbours.pool, neighbours.vertex, neighbours.following
    sets, heads = near.pool, near.heads
    heads[0] = END
    size = 0
    node = neighbours.heads[u]
    while node != END:
        if pool[node, vertex] != v:
            sets[size, vertex] = pool[node, vertex]
            sets[size, following] = END
            if size == 0:
                heads[0] = 0
            else:
                sets[size - 1, following] = size
            size += 1
        node = pool[node, following]
    node = neighbours.heads[v]
    while node != END:
        if pool[node, vertex] != u:
            size = insert(sets, heads, vertex, following, 0, pool[node, vertex], size)
        node = pool[node, following]
    return size


@kernel
def dyad_code(
    pool: NDArray[np.int64],
    heads: NDArray[np.int64],
    vertex: int,
    following: int,
    u: Whole,
    v: Whole,
    precomputed: bool,
) -> int:
    """Return 1 for an arc from u to v, 2 for an arc back, 3 for both (figure 2.5, line 9)."""
    forth = contains(pool, heads, vertex, following, u, v)
    if precomputed or forth == 1:
        return forth + 2 * contains(pool, heads, vertex, following, v, u)
    return 2


@kernel
def triad_code(
    pool: NDArray[np.int64],
    heads: NDArray[np.int64],
    vertex: int,
    following: int,
    u: Whole,
    v: Whole,
    w: Whole,
    dyad: int,
    precomputed: bool,
) -> int:
    """Return the code 0 to 63 of TriadCode, figure 4.2 or 2.5, before the table look-up."""
    code = dyad
    if not precomputed:
        code = contains(pool, heads, vertex, following, u, v) + 2 * contains(pool, heads, vertex, following, v, u)
    code += 4 * contains(pool, heads, vertex, following, u, w)
    code += 8 * contains(pool, heads, vertex, following, w, u)
    code += 16 * contains(pool, heads, vertex, following, v, w)
    code += 32 * contains(pool, heads, vertex, following, w, v)
    return code


@kernel
def count_linked(
    edges: LinkedLists,
    neighbours: LinkedLists,
    near: LinkedLists,
    table: NDArray[np.int64],
    precomputed: bool,
    in_order: bool,
    census: NDArray[np.int64],
) -> None:
    """Count all triads except null triads: lines 5 to 23 of figure 2.4; `table` as in `count_dyad`."""
    n = neighbours.heads.size
    pool, heads, vertex, following = neighbours.pool, neighbours.heads, neighbours.vertex, neighbours.following
    edge_pool, edge_heads, sets = edges.pool, edges.heads, near.pool
    for u in range(n):
        entry = neighbours.heads[u]
        while entry != END:
            v = pool[entry, vertex]
            entry = pool[entry, following]
            if v <= u:
                continue
            size = unite(neighbours, u, v, near)
            dyad = dyad_code(edge_pool, edge_heads, edges.vertex, edges.following, u, v, precomputed)
            below, above = 0, 0
            node = near.heads[0]
            while node != END:
                w = sets[node, vertex]
                node = sets[node, following]
                below += w < u
                above += v < w
                if v < w or (u < w and not contains(pool, heads, vertex, following, u, w)):
                    code = triad_code(edge_pool, edge_heads, edges.vertex, edges.following, u, v, w, dyad, precomputed)
                    census[table[1 if w < v else 0, code]] += 1
            add_dyadic(n, u, v, size, below, above, dyad, in_order, False, census)
