"""Brute force for temporal motifs: all triples of events."""

from __future__ import annotations

from itertools import combinations

import numpy as np

THIRD = ("ab", "ba", "ac", "ca", "bc", "cb")


def motifs_with_first_event(source, target, time, delta, *, simultaneous=False, events=3):
    """Return the time and the ends of the first event, the vertices and the place of each motif."""
    rows = [row for row in sorted(zip(time, source, target, strict=True), key=lambda row: row[0]) if row[1] != row[2]]
    found = []
    for chosen in combinations(rows, events):
        times = [row[0] for row in chosen]
        vertices = {vertex for row in chosen for vertex in row[1:]}
        if times[-1] - times[0] > delta or len(vertices) > 3 or (simultaneous and len(set(times)) < events):
            continue
        a, b = chosen[0][1:]
        name = {a: "a", b: "b"}
        words = [name.get(u, "c") + name.get(v, "c") for _, u, v in chosen]
        places = [THIRD.index(word) for word in words[1:]]
        found.append((times[0], (a, b), vertices, places[0] if events == 2 else (5 - places[0]) * 6 + places[1]))
    return found


def temporal_motifs(source, target, time, delta, n, *, simultaneous=False, events=3):
    """Return the number of each motif at each vertex, and the totals, by trying all combinations of events."""
    totals = [0] * 6 ** (events - 1)
    by_vertex = np.zeros((n, len(totals)), dtype=np.int64)
    for _, _, vertices, place in motifs_with_first_event(
        source, target, time, delta, simultaneous=simultaneous, events=events
    ):
        totals[place] += 1
        for vertex in vertices:
            by_vertex[vertex, place] += 1
    return totals, by_vertex
