"""Clustering and triads over time: each window is equal to the static graph of its events, counted anew."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from strategies import examples
from triadic import TRIAD_NAMES, TemporalGraph
from triadic.errors import ArgumentError, OutOfMemoryError, UnsupportedError


def clustering(graph, window, step, **keywords):
    return triadic.over_time(graph, "clustering", window=window, step=step, **keywords)


def triads(graph, window, step, **keywords):
    return triadic.over_time(graph, "triads", window=window, step=step, **keywords)


MEASURES = [clustering, triads]


@st.composite
def timed_events(draw, most=60):
    """Draw few vertices and many events, some of them tied or repeated."""
    n = draw(st.integers(1, 8))
    end = st.integers(0, n - 1)
    rows = draw(st.lists(st.tuples(end, end, st.integers(-20, 20)), max_size=most))
    return n, *(list(column) for column in (zip(*rows, strict=True) if rows else ((), (), ())))


def graph_of(network, kind=np.int64):
    n, source, target, time = network
    return TemporalGraph.from_edges(source, target, np.array(time, dtype=kind), num_vertices=n)


def events_of(graph, end, window):
    """Return the events in ``(end - window, end]``."""
    rows = zip(graph.source.tolist(), graph.target.tolist(), graph.time.tolist(), strict=True)
    return [(u, v) for u, v, time in rows if end - window < time <= end]


def mean_coefficient(n, arcs):
    """Return the mean of the clustering coefficients of the vertices with an edge, as a fraction."""
    degree, triangles = naive.degree(n, arcs), naive.triangles(n, arcs)
    values = [
        Fraction(2 * t, d * (d - 1)) if d > 1 else Fraction(0) for d, t in zip(degree, triangles, strict=True) if d
    ]
    return sum(values, Fraction(0)) / len(values) if values else None


@given(network=timed_events(), window=st.integers(1, 50), step=st.integers(1, 12), threads=st.integers(1, 3))
def test_each_window_is_the_network_of_its_events(network, window, step, threads):
    graph, n = graph_of(network), network[0]
    table = triadic.over_time(graph, "clustering", window=window, step=step, threads=threads)
    for row, end in enumerate(table["time"].tolist()):
        arcs = events_of(graph, end, window)
        degree = naive.degree(n, arcs)
        wedges, triangles = sum(d * (d - 1) // 2 for d in degree), naive.triangle_count(n, arcs)
        assert {name: column[row] for name, column in table.items() if column.dtype == np.int64} == {
            "events": len(arcs),
            "vertices": sum(d > 0 for d in degree),
            "edges": len(naive.edges(arcs)),
            "arcs": len(set(arcs)),
            "triangles": triangles,
            "wedges": wedges,
        }
        assert table["transitivity"][row] == (3 * triangles / wedges if wedges else 0)
        mean = mean_coefficient(n, arcs)
        if mean is None:
            assert np.isnan(table["average_clustering"][row])
        else:
            assert table["average_clustering"][row] == pytest.approx(float(mean), rel=1e-15, abs=0)


@examples(20)
@given(network=timed_events(), window=st.integers(1, 50), step=st.integers(1, 12), threads=st.integers(1, 3))
def test_each_window_has_the_triads_of_its_network(network, window, step, threads):
    graph = graph_of(network)
    table = triadic.over_time(graph, "triads", window=window, step=step, threads=threads)
    assert table.names == TRIAD_NAMES
    for row, end in enumerate(table["time"].tolist()):
        census = triadic.triad_census(graph.window(end - window + 1, end + 1))
        assert {name: column[row] for name, column in table.items()} == dict(census)


@examples(20)
@given(network=timed_events(), window=st.integers(1, 50), step=st.integers(1, 12))
def test_float_times_have_the_windows_of_integer_times(network, window, step):
    whole, quarters = graph_of(network), graph_of((*network[:3], [moment / 4 for moment in network[3]]), kind=float)
    for measure in MEASURES:
        table, other = measure(whole, window, step), measure(quarters, window / 4, step / 4)
        assert (other["time"] * 4).tolist() == table["time"].tolist()
        assert all(np.array_equal(table[name], other[name], equal_nan=name == "average_clustering") for name in table)


def crowd(events=6000, vertices=150, seed=1, span=4000):
    random = np.random.default_rng(seed)
    source, target = (random.integers(0, vertices, events) ** 2 // vertices for _ in range(2))
    return TemporalGraph.from_edges(source, target, random.integers(0, span, events), num_vertices=vertices)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("threads", [2, 4])
def test_the_number_of_threads_does_not_change_the_result(measure, threads):
    graph = crowd()
    one, several = (measure(graph, 100, 3, threads=count) for count in (1, threads))
    assert all(np.array_equal(one[name], several[name], equal_nan=name == "average_clustering") for name in one)


@pytest.mark.parametrize("wide", [False, True])
def test_windows_of_a_larger_network_are_its_networks(wide, monkeypatch):
    if wide:
        monkeypatch.setattr("triadic.graph.events._MOST_EVENTS_32", 0)
    graph = crowd()
    table = triadic.over_time(graph, "clustering", window=500, step=111)
    census = triadic.over_time(graph, "triads", window=500, step=111)
    for row, end in enumerate(table["time"].tolist()):
        window = graph.window(end - 499, end + 1)
        assert table["triangles"][row] == triadic.triangle_count(window)
        assert table["transitivity"][row] == triadic.transitivity(window)
        mean = triadic.clustering(window)[window.degree > 0].mean()
        assert table["average_clustering"][row] == pytest.approx(mean, rel=1e-14)
        assert {name: column[row] for name, column in census.items()} == dict(triadic.triad_census(window))


def test_ends_of_windows_begin_at_start_and_reach_stop():
    graph = TemporalGraph.from_edges([0, 1, 2], [1, 2, 0], [10, 13, 20])
    assert triadic.over_time(graph, "clustering", window=5, step=4)["time"].tolist() == [10, 14, 18, 22]
    table = triadic.over_time(graph, "clustering", window=5, step=4, start=0, stop=12)
    assert (table["time"].tolist(), table["events"].tolist()) == ([0, 4, 8, 12], [0, 0, 0, 1])
    assert triadic.over_time(graph, "clustering", window=5, step=4, start=30)["time"].tolist() == [30]


def test_windows_of_dates_take_words_and_dates():
    times = np.array(["2024-05-01", "2024-05-03", "2024-05-09"], dtype="datetime64[D]")
    graph = TemporalGraph.from_edges([0, 1, 2], [1, 2, 0], times)
    table = triadic.over_time(graph, "clustering", window="7 days", step="1 day", start="2024-05-02")
    assert table["time"].dtype == "datetime64[ns]"
    assert table["events"].tolist() == [1, 2, 2, 2, 2, 2, 1, 2]
    assert repr(table).startswith("Table of 8 windows")


def test_a_window_longer_than_all_times_only_grows():
    graph = crowd(events=500)
    for window in (10**30, 2**63, 1e300, 4200):
        table = triadic.over_time(graph, "clustering", window=window, step=100)
        assert table["events"].tolist() == np.searchsorted(graph.time, table["time"], side="right").tolist()


def test_windows_at_the_ends_of_64_bits():
    for times in ([-(2**63), -(2**63) + 5], [2**63 - 6, 2**63 - 1]):
        graph = TemporalGraph.from_edges([0, 1], [1, 2], times, unit="s")
        assert triadic.over_time(graph, "clustering", window=3, step=5)["events"].tolist() == [1, 1]
        assert triadic.over_time(graph, "clustering", window=2**64, step=5)["events"].tolist() == [1, 2]
    with pytest.raises(ArgumentError, match=r"^step=7: expected windows that end between -2\*\*63 and 2\*\*63"):
        triadic.over_time(graph, "clustering", window=3, step=7)


@pytest.mark.parametrize("measure", MEASURES)
def test_a_network_without_events_has_no_windows(measure):
    table = measure(TemporalGraph.from_edges([], [], [], num_vertices=3), 5, 1)
    assert {len(column) for column in table.values()} == {0}
    assert "0 windows" in repr(table)


def test_counts_of_triads_beyond_64_bits_are_exact():
    n = 10**7
    graph = TemporalGraph.from_edges([0], [1], [0], num_vertices=n)
    table = triadic.over_time(graph, "triads", window=1, step=1)
    assert table["003"].tolist() == [n * (n - 1) * (n - 2) // 6 - (n - 2)]
    assert table["012"].tolist() == [n - 2]


def test_the_result_is_a_mapping_and_a_table():
    table = triadic.over_time(crowd(), "clustering", window=100, step=50)
    again = pickle.loads(pickle.dumps(table))
    assert (again.attributes["window"], again.attributes["step"], again.names) == (100, 50, table.names)
    assert table.to_arrow().column_names[0] == "time"
    pandas = pytest.importorskip("pandas")
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.index.name == "time"
    assert frame["triangles"].tolist() == table["triangles"].tolist()
    with pytest.raises(KeyError, match="squares"):
        table["squares"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"window": 0}, r"^window=0: expected a duration above 0$"),
        ({"step": "0 s"}, r"^step='0 s': expected a duration above 0$"),
        ({"step": -1}, r"^step=-1: expected a finite number of at least 0$"),
        ({"step": 1.5}, r"^step=1.5: the times are whole numbers of s; expected a whole number$"),
        ({"window": "1 ms"}, r"^window='1 ms': the times are whole numbers of s"),
        ({"window": "a week"}, r"^window='a week': expected a number, a timedelta or words"),
        ({"start": 5, "stop": 4}, r"^start=5, stop=4: expected a stop that is not before the start$"),
        ({"start": "May"}, r"^start='May': expected a number of s$"),
        ({"start": 0.5}, r"^start=0.5: the times are whole numbers; expected a whole number$"),
        ({"threads": 0}, r"^threads=0"),
    ],
)
@pytest.mark.parametrize("measure", MEASURES)
def test_wrong_arguments_are_refused_by_name(measure, wrong, message):
    with pytest.raises(ArgumentError, match=message):
        measure(crowd(events=10), **{"window": 5, "step": 1} | wrong)


@pytest.mark.parametrize("measure", MEASURES)
def test_graphs_without_times_and_tiles_are_refused_by_name(measure, tmp_path):
    graph = triadic.Graph.from_edges([0, 1], [1, 2])
    with pytest.raises(ArgumentError, match=r"^graph: over_time got a Graph, which has no times"):
        measure(graph, 1, 1)
    triadic.write(graph, tmp_path / "edges.txt")
    triadic.tile(tmp_path / "edges.txt", tmp_path / "tiles", ranges=1)
    with pytest.raises(UnsupportedError, match=r"^over_time does not take a TiledGraph"):
        measure(triadic.TiledGraph(tmp_path / "tiles"), 1, 1)


def test_more_windows_than_memory_are_refused(monkeypatch):
    monkeypatch.setattr("triadic.core.memory.available_bytes", lambda: 10_000)
    with pytest.raises(OutOfMemoryError, match=r"^step=1: a table of .* windows"):
        triadic.over_time(crowd(), "clustering", window=10, step=1)


@pytest.mark.parametrize("threads", [1, 3])
def test_progress_ends_at_its_total(threads):
    calls = []
    triadic.over_time(
        crowd(), "clustering", window=50, step=1, threads=threads, progress=lambda *call: calls.append(call)
    )
    assert calls[-1][0] == calls[-1][1]
    assert calls == sorted(calls)


def test_ctrl_c_between_steps_ends_the_count():
    def interrupt(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        triadic.over_time(
            crowd(events=60_000, span=60_000), "clustering", window=50, step=1, progress=interrupt, threads=1
        )
