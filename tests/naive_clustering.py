"""The dumbest correct versions of clustering with weights and with directions: pairs of neighbours, one by one.

Arcs are those of a simple graph; an undirected edge is two arcs of a digraph.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, permutations

import naive


def corners(vertices, arcs):
    """Return for each vertex i its triangles {i, j, k}, as pairs j < k."""
    near = naive.neighbours(vertices, arcs)
    return [[(j, k) for j, k in combinations(sorted(near[i]), 2) if k in near[j]] for i in range(vertices)]


def triangle_products(vertices, arcs, value):
    """Add up at each vertex the products of the values of its triangles' edges; `value` has each edge u < v."""
    value_of = {(v, u): x for (u, v), x in value.items()} | value
    return [
        sum(value_of[i, j] * value_of[i, k] * value_of[j, k] for j, k in at)
        for i, at in enumerate(corners(vertices, arcs))
    ]


def triangle_pairs(vertices, arcs, value):
    """Add up at each vertex the values of the two edges there of its triangles; `value` has each edge u < v."""
    value_of = {(v, u): x for (u, v), x in value.items()} | value
    return [sum(value_of[i, j] + value_of[i, k] for j, k in at) for i, at in enumerate(corners(vertices, arcs))]


def cube_root(x):
    return abs(x) ** (1 / 3) * (1 if x >= 0 else -1)


def weighted_clustering(vertices, weight, method, *, largest):
    """Return for each vertex the weighted share of joined pairs of neighbours; the keys of `weight` are edges u < v."""
    weight_of = {(v, u): w for (u, v), w in weight.items()} | weight
    found = []
    for i, near in enumerate(naive.neighbours(vertices, weight)):
        pairs = list(combinations(sorted(near), 2))
        joined = [(j, k) for j, k in pairs if (j, k) in weight]
        if method == "onnela":
            part = sum(cube_root(weight_of[i, j] * weight_of[i, k] * weight_of[j, k] / largest**3) for j, k in joined)
            whole = len(pairs)
        elif method == "barrat":
            part, whole = (sum(weight_of[i, j] + weight_of[i, k] for j, k in some) for some in (joined, pairs))
        else:
            part = sum(weight_of[i, j] * weight_of[i, k] * weight_of[j, k] / largest for j, k in joined)
            whole = sum(weight_of[i, j] * weight_of[i, k] for j, k in pairs)
        found.append(part / whole if whole else 0)
    return found


def directed_weighted_clustering(vertices, weight, *, largest):
    """Return Fagiolo's weighted coefficients: cube roots of weights in the numerator, arcs in the denominator."""
    root = {arc: cube_root(w / largest) for arc, w in weight.items()}
    either = {(u, v): root.get((u, v), 0) + root.get((v, u), 0) for u in range(vertices) for v in range(vertices)}
    found = []
    for i in range(vertices):
        others = [v for v in range(vertices) if v != i]
        above = sum(either[i, j] * either[i, k] * either[j, k] for j, k in combinations(others, 2))
        at = [sum((u, v) in weight for u, v in arcs) for arcs in (((i, v), (v, i)) for v in others)]
        below = sum(at) * (sum(at) - 1) - 2 * at.count(2)
        found.append(above / below if below else 0)
    return found


def directed_clustering(vertices, arcs):
    """Return for each vertex the shares of possible directed triangles that exist: total, cycle, middle, in, out."""
    joined = set(arcs)
    found = []
    for i in range(vertices):
        others = [v for v in range(vertices) if v != i]
        two = {"cycle": [], "middle": [], "into": [], "out": []}
        for j, k in permutations(others, 2):
            if (i, j) in joined and (k, i) in joined:
                two["cycle"].append((j, k) in joined)
            if (j, i) in joined and (i, k) in joined:
                two["middle"].append((j, k) in joined)
            if (j, i) in joined and (k, i) in joined:
                two["into"].append((j, k) in joined)
            if (i, j) in joined and (i, k) in joined:
                two["out"].append((j, k) in joined)
        kinds = [list(chain(*two.values())), *two.values()]
        found.append([Fraction(sum(kind), len(kind)) if kind else Fraction(0) for kind in kinds])
    return found


def ldbc_clustering(vertices, arcs):
    """Return for each vertex the share of ordered pairs of its neighbours that are joined by an arc."""
    joined = set(arcs)
    pairs = [[pair in joined for pair in permutations(near, 2)] for near in naive.neighbours(vertices, arcs)]
    return [Fraction(sum(answers), len(answers)) if answers else Fraction(0) for answers in pairs]


def directed_transitivity(vertices, arcs):
    """Return for each vertex u the share of ordered pairs of arcs u -> v, u -> w with an arc v -> w."""
    joined = set(arcs)
    out = [[v for v in range(vertices) if (u, v) in joined] for u in range(vertices)]
    pairs = [pair in joined for near in out for pair in permutations(near, 2)]
    return Fraction(sum(pairs), len(pairs)) if pairs else Fraction(0)
