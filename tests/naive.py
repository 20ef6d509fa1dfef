"""Brute-force versions of what triadic counts, with sets, pairs and fractions.

A network is a number of vertices and a list of arcs, which may have loops and repeated arcs.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import combinations, permutations, product
from operator import add
from typing import NamedTuple


class Simple(NamedTuple):
    """A simple graph, and the numbers of arcs that were dropped to make it."""

    arcs: list[tuple[int, int]]  # both directions of each edge if undirected
    loops: int
    duplicates: int
    reciprocal_merged: int


def simple(arcs, *, directed):
    """Drop loops and repeated arcs; if undirected, merge each arc with its reverse."""
    proper = [(u, v) for u, v in arcs if u != v]
    different = set(proper)
    loops, duplicates = len(arcs) - len(proper), len(proper) - len(different)
    if directed:
        return Simple(sorted(different), loops, duplicates, 0)
    both = {pair for u, v in different for pair in ((u, v), (v, u))}
    return Simple(sorted(both), loops, duplicates, len(different) - len(both) // 2)


def edges(arcs):
    """Return the skeleton in order: the pairs u < v joined by an arc in any direction."""
    return sorted({(min(u, v), max(u, v)) for u, v in arcs if u != v})


def neighbours(vertices, arcs):
    """Return the set of neighbours of each vertex in the skeleton."""
    sets = [set() for _ in range(vertices)]
    for u, v in edges(arcs):
        sets[u].add(v)
        sets[v].add(u)
    return sets


def degree(vertices, arcs):
    return [len(near) for near in neighbours(vertices, arcs)]


def triangles(vertices, arcs):
    """Count for each vertex the pairs of its neighbours that are joined."""
    near = neighbours(vertices, arcs)
    return [sum(w in near[v] for v, w in combinations(near[u], 2)) for u in range(vertices)]


def triangle_count(vertices, arcs):
    """Count the triples u < v < w in which all pairs are joined."""
    near = neighbours(vertices, arcs)
    return sum(w > v for u, v in edges(arcs) for w in near[u] & near[v])


def edge_support(vertices, arcs):
    """Count the common neighbours of the ends of each edge, in the order of `edges`."""
    near = neighbours(vertices, arcs)
    return [len(near[u] & near[v]) for u, v in edges(arcs)]


def transitivity(vertices, arcs):
    """Return the share of paths of two edges whose ends are joined."""
    near = neighbours(vertices, arcs)
    paths = [w in near[v] for u in range(vertices) for v, w in combinations(near[u], 2)]
    return Fraction(sum(paths), len(paths)) if paths else Fraction(0)


def clustering(vertices, arcs):
    """Return for each vertex the share of pairs of its neighbours that are joined; 0 if there is no pair."""
    pairs = [k * (k - 1) // 2 for k in degree(vertices, arcs)]
    return [Fraction(t, p) if p else Fraction(0) for t, p in zip(triangles(vertices, arcs), pairs, strict=True)]


def average_clustering(vertices, arcs, *, over="all"):
    """Return the mean over all vertices, over degree >= 2, or over coefficients > 0; None if no vertex is left."""
    local = clustering(vertices, arcs)
    if over == "defined":
        local = [c for c, k in zip(local, degree(vertices, arcs), strict=True) if k >= 2]
    elif over == "positive":
        local = [c for c in local if c > 0]
    return sum(local) / len(local) if local else None


def clustering_spectrum(vertices, arcs):
    """Return for each degree that occurs the mean over its vertices and their number."""
    by_degree = {}
    for k, c in zip(degree(vertices, arcs), clustering(vertices, arcs), strict=True):
        by_degree.setdefault(k, []).append(c)
    return {k: (sum(local) / len(local), len(local)) for k, local in sorted(by_degree.items())}


def agree(a, b):
    """Return whether two weights of an edge are equal but for rounding."""
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def weighted(arcs, weights, *, directed, combine, both_ends=False):
    """Return the weight of each arc (if undirected, of each edge u < v), or None if the rule refuses the weights.

    With `both_ends` an edge may occur in both directions: the weights of each direction are combined, and the two
    results must agree; the edge has their mean. Without a rule (None) repeats in one direction are added; then the
    mean of the weights of both ends counts if all edges are given so and theirs agree, they are refused if those of
    more than half of the edges that are given so agree but not all, and are added otherwise.
    """
    joined = {}
    for (u, v), weight in zip(arcs, weights, strict=True):
        if u != v:
            turned = not directed and u > v
            joined.setdefault((min(u, v), max(u, v)) if not directed else (u, v), []).append((turned, weight))
    # Weights are added one by one, in rising order, so that the order of the arcs does not matter.
    rule = {
        "sum": lambda found: reduce(add, sorted(found)),
        "min": min,
        "mean": lambda found: reduce(add, sorted(found)) / len(found) if len(set(found)) > 1 else found[0],
        "first": lambda found: found[0],
        "max": max,
        "error": lambda found: found[0],
    }[combine or "sum"]
    two_sides = {
        pair: [[weight for turned, weight in found if turned == way] for way in (False, True)]
        for pair, found in joined.items()
    }
    if combine in (None, "sum") and not directed and not both_ends:
        # Each direction is added by itself.
        ends = {pair: [rule(side) for side in sides if side] for pair, sides in two_sides.items()}
        given = [values for values in ends.values() if len(values) == 2]
        equal = [values for values in given if agree(*values)]
        if combine is None and given and len(equal) == len(ends):
            return {pair: sum(values) / 2 for pair, values in ends.items()}
        if combine is None and len(given) > len(equal) > len(given) / 2:
            return None
        return {pair: sum(values[1:], values[0]) for pair, values in ends.items()}
    result = {}
    for pair, found in joined.items():
        sides = two_sides[pair]
        groups = [side for side in sides if side] if both_ends else [[weight for _, weight in found]]
        if combine == "error" and any(len(group) > 1 for group in groups):
            return None
        values = [rule(group) for group in groups]
        if not agree(values[0], values[-1]):
            return None
        result[pair] = values[0] if values[0] == values[-1] else values[0] / 2 + values[-1] / 2
    return result


# The triads on the vertices 0, 1, 2, with the names of Holland and Leinhardt, in the order of networkx and igraph.
TRIADS = {
    "003": [],
    "012": [(0, 1)],
    "102": [(0, 1), (1, 0)],
    "021D": [(1, 0), (1, 2)],
    "021U": [(0, 1), (2, 1)],
    "021C": [(0, 1), (1, 2)],
    "111D": [(0, 1), (1, 0), (2, 1)],
    "111U": [(0, 1), (1, 0), (1, 2)],
    "030T": [(0, 1), (2, 1), (0, 2)],
    "030C": [(1, 0), (2, 1), (0, 2)],
    "201": [(0, 1), (1, 0), (1, 2), (2, 1)],
    "120D": [(1, 0), (1, 2), (0, 2), (2, 0)],
    "120U": [(0, 1), (2, 1), (0, 2), (2, 0)],
    "120C": [(0, 1), (1, 2), (0, 2), (2, 0)],
    "210": [(0, 1), (1, 2), (2, 1), (0, 2), (2, 0)],
    "300": [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)],
}


def _type_of_every_code():
    """Return the type of each code: the type whose arcs, renumbered, have this code."""
    name_of = {
        frozenset((p[a], p[b]) for a, b in drawn): name
        for name, drawn in TRIADS.items()
        for p in permutations(range(3))
    }
    pairs = [(0, 1), (0, 2), (1, 2)]

    def drawn(states):
        both = [((a, b), (b, a)) for a, b in pairs]
        return frozenset(ways[k] for ways, state in zip(both, states, strict=True) for k in (0, 1) if state >> k & 1)

    return [name_of[drawn(states[::-1])] for states in product(range(4), repeat=3)]


TYPE_OF_CODE = _type_of_every_code()


def triads(vertices, arcs):
    """Return every u < v < w with its code s(uv) + 4 s(uw) + 16 s(vw); s is 1 for an arc up, 2 for down, 3 for both.

    `arcs` are the arcs of a simple digraph; an undirected edge is two arcs.
    """
    state = {}
    for u, v in set(arcs):
        pair = (min(u, v), max(u, v))
        state[pair] = state.get(pair, 0) + (1 if u < v else 2)
    return [
        ((u, v, w), state.get((u, v), 0) + 4 * state.get((u, w), 0) + 16 * state.get((v, w), 0))
        for u, v, w in combinations(range(vertices), 3)
    ]


def labelled_census(vertices, arcs):
    """Count the triads of each of the 64 codes."""
    counts = [0] * 64
    for _, code in triads(vertices, arcs):
        counts[code] += 1
    return counts


def triad_census(vertices, arcs, *, touching=None):
    """Count the triads of each type: all, or the triads with a vertex in `touching`."""
    counts = dict.fromkeys(TRIADS, 0)
    for triple, code in triads(vertices, arcs):
        if touching is None or not touching.isdisjoint(triple):
            counts[TYPE_OF_CODE[code]] += 1
    return counts


def triad_census_by_vertex(vertices, arcs):
    """Count the triads of each type with each vertex: one row a vertex, columns in the order of `TRIADS`."""
    column = {name: i for i, name in enumerate(TRIADS)}
    counts = [[0] * 16 for _ in range(vertices)]
    for triple, code in triads(vertices, arcs):
        for v in triple:
            counts[v][column[TYPE_OF_CODE[code]]] += 1
    return counts


def list_triads(vertices, arcs, name):
    """Return the triples of one type in order."""
    return [triple for triple, code in triads(vertices, arcs) if TYPE_OF_CODE[code] == name]


def dyad_census(vertices, arcs):
    """Count the pairs of vertices joined by two arcs, by one arc and by no arc."""
    joined = set(arcs)
    by_arcs = [((u, v) in joined) + ((v, u) in joined) for u, v in combinations(range(vertices), 2)]
    return {"mutual": by_arcs.count(2), "asymmetric": by_arcs.count(1), "null": by_arcs.count(0)}


def cycle_transitivity(arcs):
    """Return the share of paths u -> v -> w of three vertices that an arc w -> u closes."""
    joined = set(arcs)
    paths = [(w, u) in joined for u, v in joined for x, w in joined if v == x and w != u]
    return Fraction(sum(paths), len(paths)) if paths else Fraction(0)
