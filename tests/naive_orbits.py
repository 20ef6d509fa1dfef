"""Brute-force counts of orbits: every set of two to five vertices, compared with every drawing of every graphlet.

A network is a number of vertices and a list of edges, each named once. The graphlets and the numbers of their orbits
are those of figure 1 of Pržulj (2007), as ORCA has them.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import numpy as np

from triadic.core.graphlets import EDGES_OF_GRAPHLETS, ORBITS_OF_GRAPHLETS


@cache
def drawings(vertices):
    """The orbits of the vertices 0, 1, ... of every connected graph on them, by its set of edges."""
    found = {}
    for edges, orbits in zip(EDGES_OF_GRAPHLETS, ORBITS_OF_GRAPHLETS, strict=True):
        if len(orbits) == vertices:
            for place in permutations(range(vertices)):
                drawn = frozenset(frozenset((place[int(u)], place[int(v)])) for u, v in edges.split())
                found[drawn] = [orbits[place.index(vertex)] for vertex in range(vertices)]
    return found


def orbits(vertices, edges):
    """The number of induced subgraphs that touch each vertex at each orbit: int64, shape (vertices, 73)."""
    joined = {frozenset(edge) for edge in edges}
    counts = np.zeros((vertices, 73), dtype=np.int64)
    for size in (2, 3, 4, 5):
        known = drawings(size)
        pairs = [frozenset(pair) for pair in combinations(range(size), 2)]
        for chosen in combinations(range(vertices), size):
            induced = frozenset(pair for pair in pairs if frozenset(chosen[i] for i in pair) in joined)
            for vertex, orbit in zip(chosen, known.get(induced, ()), strict=False):
                counts[vertex, orbit] += 1
    return counts
