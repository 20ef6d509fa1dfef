"""Randomized reference models of temporal networks: what each keeps, exactly, and what it does not."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from triadic import TemporalGraph
from triadic.errors import ArgumentError, OutOfMemoryError
from triadic.null_models.shuffled_events import TEMPORAL_NULLS, ShuffledEvents


@st.composite
def timed_events(draw, most=40):
    n = draw(st.integers(2, 7))
    end = st.integers(0, n - 1)
    rows = draw(st.lists(st.tuples(end, end, st.integers(-50, 50)), max_size=most))
    source, target, time = zip(*rows, strict=True) if rows else ((), (), ())
    kind = draw(st.sampled_from(["int", "float", "dates"]))
    times = np.array(time, dtype=np.int64)
    times = {"int": times, "float": times / 4, "dates": times.view("datetime64[ns]")}[kind]
    return TemporalGraph.from_edges(
        source, target, times, num_vertices=n, ties=draw(st.sampled_from(["order", "simultaneous"]))
    )


def rows(graph):
    return list(zip(graph.source.tolist(), graph.target.tolist(), graph.time.tolist(), strict=True))


def events_of_links(graph):
    return Counter(zip(graph.source.tolist(), graph.target.tolist(), strict=True))


def timelines(graph):
    """Return the times of each link, without the link."""
    found = defaultdict(list)
    for u, v, time in rows(graph):
        found[u, v].append(time)
    return sorted(found.values())


def degrees(graph):
    links = set(events_of_links(graph))
    return Counter(u for u, _ in links), Counter(v for _, v in links)


@pytest.mark.parametrize("null", TEMPORAL_NULLS)
@given(graph=timed_events(), key=st.integers(0, 2**64 - 1))
def test_a_sample_has_the_vertices_ties_and_unit_of_the_graph_and_no_loops(null, graph, key):
    drawn = ShuffledEvents.of(graph, null).draw(key)
    for name in ("num_vertices", "num_events", "ties", "unit"):
        assert getattr(drawn, name) == getattr(graph, name)
    assert drawn.time.dtype == graph.time.dtype
    assert drawn.dropped.loops == 0
    assert np.all(drawn.time[1:] >= drawn.time[:-1])


@given(graph=timed_events(), key=st.integers(0, 2**64 - 1))
def test_shuffled_times_keep_the_times_and_the_number_of_events_of_each_link(graph, key):
    drawn = ShuffledEvents.of(graph, "shuffled_times").draw(key)
    assert drawn.time.tolist() == graph.time.tolist()
    assert events_of_links(drawn) == events_of_links(graph)


@given(graph=timed_events(), key=st.integers(0, 2**64 - 1), length=st.integers(1, 40))
def test_times_shuffled_within_periods_keep_the_events_of_each_link_in_each(graph, key, length):
    whole = graph.time.dtype != np.float64
    within = length if whole else length / 4
    if graph.time.dtype.kind == "M":
        within = np.timedelta64(length, "ns")
    drawn = ShuffledEvents.of(graph, "shuffled_times", block=within).draw(key)
    assert drawn.time.tolist() == graph.time.tolist()

    def by_period(of):
        time = of.time.view(np.int64) if of.time.dtype.kind == "M" else of.time
        period = (time // (length if whole else length / 4)).tolist()
        return Counter(zip(period, of.source.tolist(), of.target.tolist(), strict=True))

    assert by_period(drawn) == by_period(graph)


@given(graph=timed_events(), key=st.integers(0, 2**64 - 1))
def test_random_times_keep_the_number_of_events_of_each_link_and_the_span(graph, key):
    drawn = ShuffledEvents.of(graph, "random_times").draw(key)
    assert events_of_links(drawn) == events_of_links(graph)
    if graph.num_events:
        assert graph.time[0] <= drawn.time[0] <= drawn.time[-1] <= graph.time[-1]


@given(graph=timed_events(), key=st.integers(0, 2**64 - 1))
def test_shuffled_links_keep_the_times_of_links_and_the_degrees(graph, key):
    drawn = ShuffledEvents.of(graph, "shuffled_links", steps=50).draw(key)
    assert timelines(drawn) == timelines(graph)
    assert degrees(drawn) == degrees(graph)


@given(graph=timed_events())
def test_time_reversed_twice_is_the_graph(graph):
    once = ShuffledEvents.of(graph, "time_reversal").draw(0)
    assert rows(ShuffledEvents.of(once, "time_reversal").draw(0)) == rows(graph)
    assert once.source.tolist() == graph.source.tolist()[::-1]


@pytest.mark.parametrize("null", ["shuffled_times", "random_times", "shuffled_links"])
def test_samples_differ_by_key_and_are_the_same_for_the_same_key(null):
    random = np.random.default_rng(1)
    source, target = random.integers(0, 20, (2, 200))
    model = ShuffledEvents.of(TemporalGraph.from_edges(source, target, random.integers(0, 1000, 200)), null)
    assert rows(model.draw(1)) == rows(model.draw(1)) != rows(model.draw(2))


def test_all_orders_of_few_events_are_about_equally_likely():
    graph = TemporalGraph.from_edges([0, 1, 2], [1, 2, 0], [0, 1, 2])
    model = ShuffledEvents.of(graph, "shuffled_times")
    found = Counter(tuple(model.draw(key).source.tolist()) for key in range(6000))
    assert len(found) == 6
    assert max(found.values()) - min(found.values()) < 250


def test_random_times_reach_the_whole_range_of_64_bits():
    graph = TemporalGraph.from_edges([0] * 1000, [1] * 1000, np.linspace(-(2**62), 2**62 - 2048, 1000).astype(np.int64))
    time = ShuffledEvents.of(graph, "random_times").draw(5).time
    assert time[0] < -0.98 * 2**62 < 0.98 * 2**62 < time[-1]


@pytest.mark.parametrize(
    ("null", "keywords", "message"),
    [
        ("degrees", {}, r"^null='degrees': expected one of 'shuffled_times', 'random_times', 'shuffled_links'"),
        ("random_times", {"block": 5}, r"^block=5: expected null='shuffled_times', got null='random_times'$"),
        ("shuffled_times", {"block": 0}, r"^block=0: expected a duration above 0$"),
        ("shuffled_times", {"block": "1 ms"}, r"^block='1 ms': the times are whole numbers of s"),
        ("shuffled_times", {"steps": 5}, r"^steps=5: expected null='shuffled_links', got null='shuffled_times'$"),
        ("shuffled_links", {"steps": 0}, r"^steps=0"),
    ],
)
def test_wrong_arguments_are_refused_by_name(null, keywords, message):
    with pytest.raises(ArgumentError, match=message):
        ShuffledEvents.of(TemporalGraph.from_edges([0, 1], [1, 2], [3, 4]), null, **keywords)


def test_graphs_are_drawn_one_or_several_with_the_samples_of_significance():
    random = np.random.default_rng(1)
    graph = TemporalGraph.from_edges(*random.integers(0, 20, (2, 200)), random.integers(0, 1000, 200))
    one = triadic.shuffle_events(graph, seed=3)
    several = triadic.shuffle_events(graph, seed=3, samples=4, threads=2)
    assert rows(one) == rows(several[0]) != rows(several[1])
    found = triadic.significance(graph, delta=100, samples=4, seed=3)
    assert found.samples == tuple(triadic.temporal_motifs(drawn, 100).counts for drawn in several)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"graph": triadic.Graph.from_edges([0], [1])},
            "^graph: shuffle_events got a Graph; expected a Temporal",
        ),
        ({"null": "degrees"}, "^null='degrees': expected one of"),
        ({"samples": 0}, "^samples=0"),
        ({"seed": -1}, "^seed=-1"),
        ({"threads": 0}, "^threads=0"),
    ],
)
def test_wrong_arguments_of_the_function_are_refused_by_name(wrong, message):
    graph = TemporalGraph.from_edges([0, 1], [1, 2], [3, 4])
    with pytest.raises(ArgumentError, match=message):
        triadic.shuffle_events(**{"graph": graph} | wrong)


def test_samples_that_do_not_fit_in_memory_are_refused(monkeypatch):
    monkeypatch.setattr("triadic.core.memory.available_bytes", lambda: 10_000)
    graph = TemporalGraph.from_edges([0, 1], [1, 2], [3, 4])
    with pytest.raises(OutOfMemoryError, match=r"^samples=100000: holding all graphs"):
        triadic.shuffle_events(graph, samples=100_000)
