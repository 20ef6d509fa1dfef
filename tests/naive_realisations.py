"""All simple graphs with given degrees, by trying every state of every pair."""

from __future__ import annotations

from itertools import combinations


def realisations(vertices, arcs, *, mutual):
    """Return the digraphs with the in-degrees and out-degrees of these arcs, each as a frozenset of arcs.

    With `mutual`, each vertex must also have the same number of mutual dyads. An undirected edge is two arcs: with
    `mutual`, all digraphs returned for an undirected graph are undirected.
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
    joined = set(arcs)
    for u, v in arcs:
        if mutual and (v, u) in joined:
            both[u] += 1
        else:
            out[u] += 1
            into[v] += 1
    return out + into + both
