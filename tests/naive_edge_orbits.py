"""Brute-force counts of edge orbits: every set of three to five vertices, compared with the drawings of all graphlets.

A network is a number of vertices and a list of edges, each named once. The numbers of the orbits are those of ORCA.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import numpy as np

from triadic.core.graphlets import EDGE_ORBITS_OF_GRAPHLETS, EDGES_OF_GRAPHLETS, ORBITS_OF_GRAPHLETS


@cache
def drawings(vertices):
    """The orbit of each edge of every connected graph on the vertices 0, 1, ..., by its set of edges."""
    found = {}
    tables = zip(EDGES_OF_GRAPHLETS, ORBITS_OF_GRAPHLETS, EDGE_ORBITS_OF_GRAPHLETS, strict=True)
    for edges, places, orbits in tables:
        if len(places) == vertices:
            for name in permutations(range(vertices)):
                drawn = [frozenset((name[int(u)], name[int(v)])) for u, v in edges.split()]
                found[frozenset(drawn)] = dict(zip(drawn, orbits, strict=True))
    return found


def edge_orbits(vertices, edges):
    """The number of induced subgraphs that hold each edge at each orbit: int64, shape (edges, 68)."""
    row = {frozenset(edge): number for number, edge in enumerate(edges)}
    counts = np.zeros((len(edges), 68), dtype=np.int64)
    for size in (3, 4, 5):
        known = drawings(size)
        pairs = list(combinations(range(size), 2))
        for chosen in combinations(range(vertices), size):
            induced = frozenset(frozenset(pair) for pair in pairs if frozenset(chosen[place] for place in pair) in row)
            for pair, orbit in known.get(induced, {}).items():
                counts[row[frozenset(chosen[place] for place in pair)], orbit] += 1
    return counts
