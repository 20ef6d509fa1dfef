"""All simple graphs with given degrees, by trying every state of every pair."""

from __future__ import annotations

from itertools import combinations


def realisations(vertices, arcs, *, mutual):
    """List the digraphs with the in- and out-degrees of these arcs, each as a frozenset of arcs.

    With `mutual` those alone in which each vertex also is in as many mutual dyads. An edge of an undirected graph is
    its two arcs: with `mutual` only such graphs are then found.
    """
    pairs = list(combinations(range(vertices), 2))
    wanted = _degrees(vertices, arcs, mutual=mutual)
    found = []

    def extend(chosen, i):
        so_far = _degrees(vertices, chosen, mutual=mutual)
        if any(have > most for have, most in zip(so_far, wanted, strict=True)):
            return
        if i == len(pairs):
            if so_far == wanted:
                found.append(frozenset(chosen))
            return
        u, v = pairs[i]
        for more in ([], [(u, v)], [(v, u)], [(u, v), (v, u)]):
            extend(chosen + more, i + 1)

    extend([], 0)
    return found


def _degrees(vertices, arcs, *, mutual):
    out, into, both = [0] * vertices, [0] * vertices, [0] * vertices
    there = set(arcs)
    for u, v in arcs:
        if mutual and (v, u) in there:
            both[u] += 1
        else:
            out[u] += 1
            into[v] += 1
    return out + into + both
