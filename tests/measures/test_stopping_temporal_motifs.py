"""Counting temporal motifs stops soon after Ctrl-C, and counts are exact where they are large."""

from __future__ import annotations

import os
import signal
import threading

import numpy as np
import pytest

import triadic
from triadic import TemporalGraph
from triadic.errors import UnsupportedError


def dense(events, vertices=40):
    random = np.random.default_rng(1)
    source = random.integers(0, vertices, events)
    target = (source + random.integers(1, vertices, events)) % vertices
    return TemporalGraph.from_edges(source, target, np.arange(events), num_vertices=vertices)


def count_until_ctrl_c(graph, by, threads):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    for _ in range(1000):
        triadic.temporal_motifs(graph, graph.num_events, by, threads=threads)


@pytest.mark.parametrize(
    ("by", "threads"),
    [
        (None, 2),
        ("vertex", 1),
        pytest.param(None, 1, marks=pytest.mark.nightly),
        pytest.param("vertex", 2, marks=pytest.mark.nightly),
    ],
)
def test_ctrl_c_stops_a_count(by, threads):
    """All events lie in all windows; the counts are repeated until Ctrl-C stops one of them."""
    graph = dense(400_000)
    triadic.temporal_motifs(dense(1000), 10, by, threads=threads)  # compile
    triadic.temporal_motifs(dense(20_000), 20_000, by, threads=threads)
    graph.oriented()
    with pytest.raises(KeyboardInterrupt):
        count_until_ctrl_c(graph, by, threads)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("triadic-")]


def test_stars_of_a_hub_with_a_million_events_are_exact():
    """The hub writes to two vertices in turn: the motifs are numbers of triples of even and odd numbers."""
    m = 10**6
    graph = TemporalGraph.from_edges(np.zeros(m, int), 1 + np.arange(m) % 2, np.arange(m))
    motifs = triadic.temporal_motifs(graph, m, device="cpu")  # a card refuses as many events of one vertex
    assert sum(motifs.values()) == m * (m - 1) * (m - 2) // 6
    half = m // 2
    # Three events of one vertex.
    assert motifs["M61"] + motifs["M66"] > 0
    same = 2 * (half * (half - 1) * (half - 2) // 6)
    patterns = dict(zip(motifs.patterns, motifs.counts, strict=True))
    assert patterns["ab ab ab"] == same
    # i < j < k with j of the other parity: sums over the middle place.
    middle = sum(((j + 1) // 2) * ((m - j) // 2) for j in range(m))
    assert patterns["ab ac ab"] == middle
    by_vertex = triadic.temporal_motifs(graph, m, "vertex", device="cpu")
    assert by_vertex[0].tolist() == list(motifs.counts)
    assert by_vertex.sum(axis=0).tolist() == [count * len(set(pattern) - {" "}) for pattern, count in patterns.items()]


@pytest.mark.parametrize("by", [None, "vertex"])
def test_a_hub_whose_triples_pass_64_bits_is_refused(by):
    m = 3 * 10**6
    graph = TemporalGraph.from_edges(np.zeros(m, np.int8), 1 + np.arange(m) % 2, np.zeros(m, np.int8))
    with pytest.raises(UnsupportedError, match=r"^delta: 2\*\*62 or more triples of events may lie within it"):
        triadic.temporal_motifs(graph, 1, by, ties="order", device="cpu")
