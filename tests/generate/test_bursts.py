"""Bursts of events: the same for any number of threads, without loops, with hubs and short gaps."""

from __future__ import annotations

import numpy as np
import pytest

from triadic import generate
from triadic.errors import ArgumentError


def columns(graph):
    return np.stack([graph.source, graph.target, graph.time])


@pytest.mark.parametrize("threads", [2, 3])
def test_the_number_of_threads_does_not_change_the_events(threads, monkeypatch):
    expected = columns(generate.bursts(100, 3000, seed=5, threads=1))
    monkeypatch.setattr("triadic.generate.imitations._PIECE", 100)
    assert np.array_equal(columns(generate.bursts(100, 3000, seed=5, threads=threads)), expected)
    assert not np.array_equal(columns(generate.bursts(100, 3000, seed=6, threads=threads)), expected)


def test_events_have_no_loops_and_rise_in_time():
    graph = generate.bursts(4, 1000, seed=1)
    assert (graph.num_events, graph.num_vertices, graph.dropped.loops) == (1000, 4, 0)
    assert np.all(graph.source != graph.target)
    assert np.all(np.diff(graph.time) >= 0)


def test_early_vertices_are_hubs():
    """Vertex j of n has weight j^(-2/3), so that the first thousandth has a tenth of all ends."""
    graph = generate.bursts(100_000, 200_000, seed=1)
    ends = np.bincount(np.concatenate([graph.source, graph.target]), minlength=100_000)
    assert 0.08 < ends[:100].sum() / ends.sum() < 0.12


def test_events_of_a_burst_lie_behind_its_begin():
    graph = generate.bursts(1000, 16, length=16, spread=0, seed=1)
    assert len(np.unique(graph.time)) == 1
    assert len(np.unique([graph.source, graph.target])) <= 5
    later = generate.bursts(1000, 16, length=16, spread=100, seed=1)
    assert later.time.min() >= graph.time[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_vertices": 3}, "num_vertices=3: expected a whole number from 4 to"),
        ({"events": -1}, "events=-1: expected a whole number from 0 to"),
        ({"members": 1}, "members=1: expected a whole number from 2 to 64"),
        ({"length": 0}, "length=0: expected a whole number from 1 to"),
        ({"duration": 0}, "duration=0: expected a whole number from 1 to"),
        ({"seed": -1}, "seed=-1: expected a whole number from 0 to"),
    ],
)
def test_arguments_out_of_range_are_refused(arguments, message):
    with pytest.raises(ArgumentError, match=f"^{message}"):
        generate.bursts(**{"num_vertices": 10, "events": 10, **arguments})
