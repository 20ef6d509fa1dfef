"""Temporal networks for tests: small ones with many ties, and a crowd with hubs."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from triadic import TemporalGraph


@st.composite
def timed_events(draw):
    """Few vertices and few times, so that there are many ties, repeats and triangles."""
    n = draw(st.integers(2, 6))
    vertex, moment = st.integers(0, n - 1), st.integers(0, draw(st.sampled_from([4, 12, 40])))
    rows = draw(st.lists(st.tuples(vertex, vertex, moment), max_size=26))
    source, target, time = zip(*rows, strict=True) if rows else ((), (), ())
    return n, list(source), list(target), list(time)


def graph_of(network, ties="order", kind=int):
    n, source, target, time = network
    return TemporalGraph.from_edges(source, target, np.array(time, dtype=kind), num_vertices=n, ties=ties)


def crowd(events=4000, vertices=60, seed=1, ties="order", kind=int):
    random = np.random.default_rng(seed)
    source, target = (random.integers(0, vertices, events) ** 2 // vertices for _ in range(2))
    time = random.integers(0, 2000, events).astype(kind)
    return TemporalGraph.from_edges(source, target, time, num_vertices=vertices, ties=ties)
