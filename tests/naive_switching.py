"""All graphs that switches reach from a graph, by trying every pair of arcs and every directed 3-cycle."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations


def reachable(arcs, *, mutual, kind=lambda _u, _v: None):
    """Return the graphs that single moves reach, each as a frozenset of arcs.

    An undirected edge is two arcs, with `mutual`. A move keeps the number of arcs of each ``kind(u, v)``. With `mutual`
    a pair joined both ways moves as a whole, and arcs are never laid beside each other.
    """
    found = {frozenset(arcs)}
    pending = list(found)
    while pending:
        graph = pending.pop()
        for gone, new in _moves(graph, mutual):
            if Counter(kind(*arc) for arc in gone) != Counter(kind(*arc) for arc in new):
                continue
            after = (graph - gone) | new
            if after not in found:
                found.add(after)
                pending.append(after)
    return found


def _moves(graph, mutual):
    """Yield the arcs that each possible move removes and adds."""
    single = {(u, v) for u, v in graph if not (mutual and (v, u) in graph)}
    for (a, b), (c, d) in permutations(single, 2):
        yield from _if_simple(graph, {(a, b), (c, d)}, [(a, d), (c, b)], mutual)
    for (a, b), (c, d) in permutations(graph - single, 2):
        gone = {(a, b), (b, a), (c, d), (d, c)}
        if len(gone) == 4:
            yield from _if_simple(graph, gone, [(a, d), (d, a), (c, b), (b, c)], mutual)
    for one, two, three in combinations({u for arc in graph for u in arc}, 3):
        for a, b, c in ((one, two, three), (one, three, two)):
            gone = {(a, b), (b, c), (c, a)}
            if gone <= single and not {(b, a), (c, b), (a, c)} & graph:
                yield gone, {(b, a), (c, b), (a, c)}


def _if_simple(graph, gone, new, mutual):
    if any(u == v for u, v in new) or graph & set(new):
        return
    if mutual and any((v, u) in graph for u, v in new):
        return
    yield gone, set(new)
