"""Brute-force counts of patterns: all injective maps of the vertices, with dictionaries of arcs and columns.

A pattern is a `triadic.core.pattern.Shape`. A network is a number of vertices, a dictionary from arcs (u, v) to
dictionaries of their columns, and for each vertex a dictionary of its columns; an edge of an undirected network is
there as (u, v) and (v, u).
"""

from __future__ import annotations

import operator
from collections import Counter
from itertools import permutations

OPERATORS = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda value, several: value in several,
    "contains": lambda text, part: part in text,
}


def state(arcs, u, v):
    """Return 0 for no arc, 1 for u -> v alone, 2 for v -> u alone, 3 for both."""
    return ((u, v) in arcs) + 2 * ((v, u) in arcs)


def is_missing(value):
    return value is None or value != value  # noqa: PLR0124 - nan is missing


def value_of(term, image, arcs, columns):
    places = [image[v] for v in term.vertices]
    found = columns[places[0]] if len(places) == 1 else arcs[tuple(places)]
    return found.get(term.column)


def meets(condition, image, arcs, columns):
    left, right = value_of(condition.left, image, arcs, columns), condition.right
    if hasattr(right, "vertices"):
        right = value_of(right, image, arcs, columns)
    return not is_missing(left) and not is_missing(right) and OPERATORS[condition.operator](left, right)


def embeddings(shape, vertices, arcs, columns=None):
    """Return the images of the pattern's vertices in every injective map that meets all of the pattern."""
    columns = columns or [{} for _ in range(vertices)]
    pairs = [(i, j) for j in range(shape.size) for i in range(j)]
    return [
        image
        for image in permutations(range(vertices), shape.size)
        if all(
            allowed >> state(arcs, image[i], image[j]) & 1 for (i, j), allowed in zip(pairs, shape.allowed, strict=True)
        )
        and all(meets(each, image, arcs, columns) for each in shape.conditions)
    ]


def moved(shape, order):
    """Return the states of all ordered pairs, and the conditions, after vertex v has become ``order[v]``."""
    states = {}
    pairs = [(i, j) for j in range(shape.size) for i in range(j)]
    for (i, j), allowed in zip(pairs, shape.allowed, strict=True):
        states[order[i], order[j]] = {each for each in range(4) if allowed >> each & 1}
        states[order[j], order[i]] = {(0, 2, 1, 3)[each] for each in range(4) if allowed >> each & 1}

    def side(term):
        if not hasattr(term, "vertices"):
            return ("value", repr(term))
        places = tuple(order[v] for v in term.vertices)
        if len(places) == 2 and not states[places] <= {1, 3}:  # an edge without a direction
            places = tuple(sorted(places))
        return ("column", places, term.column)

    conditions = set()
    for each in shape.conditions:
        sides = (side(each.left), side(each.right))
        conditions.add((each.operator, tuple(sorted(sides)) if each.operator in ("=", "!=") else sides))
    return states, conditions


def automorphisms(shape):
    """Return the permutations of the vertices that keep states and conditions."""
    same = moved(shape, tuple(range(shape.size)))
    return [order for order in permutations(range(shape.size)) if moved(shape, order) == same]


def subgraphs(shape, vertices, arcs, columns=None):
    """Return the number of subgraphs, as embeddings by automorphisms, which must divide them."""
    number, rest = divmod(len(embeddings(shape, vertices, arcs, columns)), len(automorphisms(shape)))
    assert rest == 0
    return number


def orbits(shape):
    """Return for each vertex the least vertex that an automorphism maps it to."""
    return [min(order[v] for order in automorphisms(shape)) for v in range(shape.size)]


def roles(shape, vertices, arcs, columns=None):
    """Return for each role, in the order of its first vertex, how many subgraphs have each vertex in it."""
    first, symmetry = orbits(shape), len(automorphisms(shape))
    counts = {role: [0] * vertices for role in sorted(set(first))}
    for image in embeddings(shape, vertices, arcs, columns):
        for v, u in enumerate(image):
            counts[first[v]][u] += 1
    return [[count // symmetry for count in counts[role]] for role in counts]


def arc_roles(shape, of, vertices, arcs, columns=None):
    """Return for each role of the present arcs `of`, a counter of the subgraphs that have an arc (u, v) in it.

    An edge of the pattern without a direction is counted at both arcs of a mutual pair, and of an undirected network at
    (u, v) and (v, u).
    """
    states, _ = moved(shape, tuple(range(shape.size)))

    def plain(i, j):
        return (i, j) if states[i, j] <= {1, 3} else (min(i, j), max(i, j))

    least = {(i, j): min(of.index(plain(a[i], a[j])) for a in automorphisms(shape)) for i, j in of}
    counts = {role: Counter() for role in sorted(set(least.values()))}
    for image in embeddings(shape, vertices, arcs, columns):
        for i, j in of:
            both = [(image[i], image[j])]
            if not states[i, j] <= {1, 3}:
                both.append((image[j], image[i]))
            for arc in both:
                counts[least[i, j]][arc] += arc in arcs
    symmetry = len(automorphisms(shape))
    return [Counter({arc: n // symmetry for arc, n in counter.items() if n}) for counter in counts.values()]


def types(shape, kinds, vertices, arcs, columns=None):
    """Return a counter of the tuples of types of the pattern's vertices; of tuples that automorphisms exchange, the
    smallest stands for all.
    """
    found = Counter(tuple(kinds[u] for u in image) for image in embeddings(shape, vertices, arcs, columns))
    images, summed = automorphisms(shape), Counter()
    for one, number in found.items():
        summed[min(tuple(one[v] for v in image) for image in images)] += number
    return Counter({one: number // len(images) for one, number in summed.items()})
