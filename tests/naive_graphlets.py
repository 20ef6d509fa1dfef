"""The dumbest correct graphlet counts: every set of up to four vertices, and every set of the edges among them.

A network is given as in `naive`: a number of vertices and a list of arcs, of which only the skeleton counts.
"""

from __future__ import annotations

from itertools import combinations, permutations

import naive

NAMES = (
    "vertex",
    "degree",
    "2-path end",
    "2-path middle",
    "triangle",
    "3-path end",
    "3-path inside",
    "claw leaf",
    "claw root",
    "paw tip",
    "paw base",
    "paw centre",
    "4-cycle",
    "diamond off chord",
    "diamond on chord",
    "4-clique",
)

# Connected or not, up to four vertices: the degrees within say which graph it is, and a vertex's own its place in it.
BY_DEGREES = {
    (0,): {0: 0},
    (1, 1): {1: 1},
    (1, 1, 2): {1: 2, 2: 3},
    (2, 2, 2): {2: 4},
    (1, 1, 2, 2): {1: 5, 2: 6},
    (1, 1, 1, 3): {1: 7, 3: 8},
    (1, 2, 2, 3): {1: 9, 2: 10, 3: 11},
    (2, 2, 2, 2): {2: 12},
    (2, 2, 3, 3): {2: 13, 3: 14},
    (3, 3, 3, 3): {3: 15},
}

# The edges, and the graphlet at each of the vertices 0, 1, ...
DRAWN = [
    ([], [0]),
    ([(0, 1)], [1, 1]),
    ([(0, 1), (1, 2)], [2, 3, 2]),
    ([(0, 1), (1, 2), (0, 2)], [4, 4, 4]),
    ([(0, 1), (1, 2), (2, 3)], [5, 6, 6, 5]),
    ([(0, 1), (0, 2), (0, 3)], [8, 7, 7, 7]),
    ([(0, 1), (0, 2), (1, 2), (0, 3)], [11, 10, 10, 9]),
    ([(0, 1), (1, 2), (2, 3), (0, 3)], [12, 12, 12, 12]),
    ([(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)], [14, 13, 14, 13]),
    ([(0, 1), (1, 2), (2, 3), (0, 3), (0, 2), (1, 3)], [15, 15, 15, 15]),
]


def _every_drawing():
    """Return the graphlet at each vertex of every connected graph on the vertices 0, 1, ..., in all numberings."""
    found = {}
    for edges, graphlets in DRAWN:
        for p in permutations(range(len(graphlets))):
            drawn = frozenset((min(p[a], p[b]), max(p[a], p[b])) for a, b in edges)
            found[len(p), drawn] = [graphlets[p.index(place)] for place in range(len(p))]
    return found


EVERY_DRAWING = _every_drawing()


def net(vertices, arcs):
    """Count the induced graphlets at each vertex, a row of 16 a vertex: every set of one to four vertices."""
    near = naive.neighbours(vertices, arcs)
    counts = [[0] * 16 for _ in range(vertices)]
    for size in (1, 2, 3, 4):
        for chosen in combinations(range(vertices), size):
            degrees = [sum(w in near[v] for w in chosen) for v in chosen]
            graphlet_of = BY_DEGREES.get(tuple(sorted(degrees)))
            if graphlet_of:
                for v, k in zip(chosen, degrees, strict=True):
                    counts[v][graphlet_of[k]] += 1
    return counts


def raw(vertices, arcs):
    """Count the graphlets at each vertex, induced or not: every set of the edges among every set of vertices."""
    near = naive.neighbours(vertices, arcs)
    counts = [[0] * 16 for _ in range(vertices)]
    for size in (1, 2, 3, 4):
        for chosen in combinations(range(vertices), size):
            among = [(a, b) for a, b in combinations(range(size), 2) if chosen[b] in near[chosen[a]]]
            for number in range(size - 1, len(among) + 1):
                for edges in combinations(among, number):
                    for v, graphlet in zip(chosen, EVERY_DRAWING.get((size, frozenset(edges)), ()), strict=False):
                        counts[v][graphlet] += 1
    return counts


def squares(vertices, arcs):
    """Count the 4-cycles through each vertex: pairs of its neighbours, and another vertex that both are joined to."""
    near = naive.neighbours(vertices, arcs)
    return [sum(len(near[u] & near[w] - {v}) for u, w in combinations(near[v], 2)) for v in range(vertices)]


def tetrahedra(vertices, arcs):
    """Count the 4-cliques at each vertex: three of its neighbours that are all joined."""
    near = naive.neighbours(vertices, arcs)
    return [
        sum(w in near[u] and x in near[u] and x in near[w] for u, w, x in combinations(near[v], 3))
        for v in range(vertices)
    ]


def diamonds_off_chord(vertices, arcs):
    """Count the diamonds, induced or not, that each vertex is off the chord of: a joined pair of its neighbours, the
    chord, and another vertex that both are joined to.
    """
    near = naive.neighbours(vertices, arcs)
    return [
        sum(len(near[u] & near[w] - {v}) for u, w in combinations(near[v], 2) if w in near[u]) for v in range(vertices)
    ]


def diamonds_on_chord(vertices, arcs):
    """Count the diamonds, induced or not, whose chord ends at each vertex: a neighbour, two that both are joined to."""
    near = naive.neighbours(vertices, arcs)
    return [sum(1 for u in near[v] for _ in combinations(near[u] & near[v], 2)) for v in range(vertices)]
