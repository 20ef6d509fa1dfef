"""Networks whose induced graphlets are known by hand, of any size: closed forms, nothing counted.

A network is given as in `naive`: a number of vertices and a list of edges.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

GRAPHS = ("vertex", "edge", "2-path", "triangle", "3-path", "claw", "4-cycle", "paw", "diamond", "4-clique")

# The graph of each of the 16 graphlets, and the number of its vertices in the position of the graphlet.
PLACES = [
    ("vertex", 1),
    ("edge", 2),
    ("2-path", 2),
    ("2-path", 1),
    ("triangle", 3),
    ("3-path", 2),
    ("3-path", 2),
    ("claw", 3),
    ("claw", 1),
    ("paw", 1),
    ("paw", 2),
    ("paw", 1),
    ("4-cycle", 4),
    ("diamond", 2),
    ("diamond", 2),
    ("4-clique", 4),
]


class Known(NamedTuple):
    """A network, its induced connected subgraphs of up to four vertices, and whether it is vertex-transitive."""

    name: str
    vertices: int
    edges: list[tuple[int, int]]
    totals: dict[str, int]
    alike: bool = False

    @property
    def net_sums(self):
        """The sums of the 16 net graphlets over all vertices."""
        return [self.totals[graph] * times for graph, times in PLACES]


def known(name, vertices, edges, others, *, alike=False):
    """Make a `Known` with its vertices and edges; subgraphs that are not named have the count 0."""
    counts = {"vertex": vertices, "edge": len(edges)} | others
    return Known(name, vertices, edges, {graph: counts.get(graph, 0) for graph in GRAPHS}, alike)


def empty(n):
    return known(f"{n} isolated vertices", n, [], {}, alike=True)


def complete(n):
    edges = [(u, v) for u in range(n) for v in range(u)]
    return known(f"K{n}", n, edges, {"triangle": comb(n, 3), "4-clique": comb(n, 4)}, alike=True)


def star(leaves):
    edges = [(0, leaf) for leaf in range(1, leaves + 1)]
    return known(f"star of {leaves}", leaves + 1, edges, {"2-path": comb(leaves, 2), "claw": comb(leaves, 3)})


def complete_bipartite(a, b):
    others = {
        "2-path": a * comb(b, 2) + b * comb(a, 2),
        "claw": a * comb(b, 3) + b * comb(a, 3),
        "4-cycle": comb(a, 2) * comb(b, 2),
    }
    edges = [(u, a + v) for u in range(a) for v in range(b)]
    return known(f"K{a},{b}", a + b, edges, others, alike=a == b)


def path(n):
    edges = [(v, v + 1) for v in range(n - 1)]
    return known(f"path of {n}", n, edges, {"2-path": max(n - 2, 0), "3-path": max(n - 3, 0)})


def cycle(n):
    """Make a cycle of n >= 3 vertices."""
    others = {3: {"triangle": 1}, 4: {"2-path": 4, "4-cycle": 1}}.get(n, {"2-path": n, "3-path": n})
    return known(f"cycle of {n}", n, [(v, (v + 1) % n) for v in range(n)], others, alike=True)


def wheel(rim):
    """Join a hub to a cycle of at least five. Three rim vertices form a path, an edge and a vertex, or no edge."""
    others = {
        "2-path": rim + comb(rim, 2) - rim,
        "triangle": rim,
        "3-path": rim,
        "claw": comb(rim, 3) - rim - rim * (rim - 4),
        "paw": rim * (rim - 4),
        "diamond": rim,
    }
    edges = cycle(rim).edges + [(rim, v) for v in range(rim)]
    return known(f"wheel of {rim}", rim + 1, edges, others)


def windmill(sails):
    """Make triangles that share one vertex."""
    others = {
        "2-path": 4 * comb(sails, 2),
        "triangle": sails,
        "claw": 8 * comb(sails, 3),
        "paw": sails * 2 * (sails - 1),
    }
    edges = [edge for v in range(1, 2 * sails, 2) for edge in ((0, v), (0, v + 1), (v, v + 1))]
    return known(f"windmill of {sails}", 2 * sails + 1, edges, others)


def cocktail_party(pairs):
    """Join all vertices except the two of each pair; three pairs are the octahedron."""
    n = 2 * pairs
    others = {
        "2-path": pairs * (n - 2),
        "triangle": 8 * comb(pairs, 3),
        "4-cycle": comb(pairs, 2),
        "diamond": pairs * 4 * comb(pairs - 1, 2),
        "4-clique": 16 * comb(pairs, 4),
    }
    edges = [(u, v) for v in range(n) for u in range(v) if u // 2 != v // 2]
    return known(f"cocktail party of {pairs} pairs", n, edges, others, alike=True)


def cube():
    """The cube has 48 paths of three edges; on each of the six faces, four of them close to a cycle."""
    edges = [(v, v | bit) for v in range(8) for bit in (1, 2, 4) if not v & bit]
    others = {"2-path": 24, "3-path": 48 - 6 * 4, "claw": 8, "4-cycle": 6}
    return known("cube", 8, edges, others, alike=True)


def petersen():
    """No cycle is shorter than five, so each edge is the middle of 2 * 2 paths of three edges."""
    edges = [edge for v in range(5) for edge in ((v, (v + 1) % 5), (v, v + 5), (v + 5, (v + 2) % 5 + 5))]
    return known("Petersen graph", 10, edges, {"2-path": 30, "3-path": 60, "claw": 10}, alike=True)


def paw():
    return known("paw", 4, [(0, 1), (1, 2), (0, 2), (0, 3)], {"2-path": 2, "triangle": 1, "paw": 1})


def diamond():
    return known("diamond", 4, [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)], {"2-path": 2, "triangle": 2, "diamond": 1})


SMALL = [
    *map(empty, (0, 1, 5)),
    *map(complete, (2, 3, 4, 5, 7)),
    *map(star, (1, 2, 3, 6)),
    *(complete_bipartite(a, b) for a, b in ((2, 2), (2, 3), (3, 3), (3, 5))),
    *map(path, (2, 3, 4, 5, 8)),
    *map(cycle, (3, 4, 5, 6, 9)),
    *map(wheel, (5, 6, 8)),
    *map(windmill, (1, 2, 4)),
    *map(cocktail_party, (2, 3, 4)),
    cube(),
    petersen(),
    paw(),
    diamond(),
]
