"""The dumbest correct versions of trusses, lists of triangles and signed triangles: one edge, one triple at a time.

Arcs are those of a simple graph.
"""

from __future__ import annotations

from itertools import combinations

import naive


def all_triangles(vertices, arcs):
    """Return the triangles u < v < w in order."""
    near = naive.neighbours(vertices, arcs)
    return [(u, v, w) for u, v, w in combinations(range(vertices), 3) if v in near[u] and w in near[u] and w in near[v]]


def k_truss(vertices, arcs, k):
    """Return the edges that remain after edges in fewer than k - 2 triangles are removed repeatedly."""
    left = naive.edges(arcs)
    while True:
        keep = [edge for edge, s in zip(left, naive.edge_support(vertices, left), strict=True) if s >= k - 2]
        if keep == left:
            return left
        left = keep


def trussness(vertices, arcs):
    """Return for each edge the largest k such that the k-truss contains it, in the order of `naive.edges`."""
    found = dict.fromkeys(naive.edges(arcs), 2)
    k = 3
    while left := k_truss(vertices, arcs, k):
        found |= dict.fromkeys(left, k)
        k += 1
    return list(found.values())


def signed_triangles(vertices, sign):
    """Count the triangles of each vertex with 0, 1, 2 and 3 negative edges; the keys of `sign` are edges u < v."""
    found = [[0] * 4 for _ in range(vertices)]
    for u, v, w in all_triangles(vertices, sign):
        negative = [sign[u, v], sign[u, w], sign[v, w]].count(-1)
        for vertex in (u, v, w):
            found[vertex][negative] += 1
    return found
