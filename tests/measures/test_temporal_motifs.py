"""Temporal motifs equal all triples of events, one by one."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_temporal
import triadic
from strategies import examples
from temporal_networks import crowd, graph_of, timed_events
from triadic import TemporalGraph
from triadic.errors import ArgumentError, OutOfMemoryError, UnsupportedError

TWO_VERTICES = ["M51", "M52", "M61", "M62"]


@pytest.fixture(params=["windows", "triangles of vertices"])
def way_of_triangles(request, monkeypatch):
    """Each of the two ways in which the CPU finds triangles of events."""
    monkeypatch.setattr(
        "triadic.devices.cpu.events.timed_triangles._LOOK_UP", 1e9 if request.param == "triangles of vertices" else 0.0
    )


@pytest.mark.parametrize("ties", ["order", "simultaneous"])
@pytest.mark.parametrize("events", [2, 3])
@given(network=timed_events(), delta=st.integers(0, 45), threads=st.integers(1, 4))
@examples(20)
@pytest.mark.usefixtures("way_of_triangles")
def test_motifs_are_the_combinations_of_events(ties, events, network, delta, threads):
    n, source, target, time = network
    simultaneous = ties == "simultaneous"
    totals, by_vertex = naive_temporal.temporal_motifs(
        source, target, time, delta, n, simultaneous=simultaneous, events=events
    )
    graph = graph_of(network, ties)
    got = triadic.temporal_motifs(graph, delta, events=events, threads=threads)
    assert list(got.values()) == totals
    assert np.array_equal(triadic.temporal_motifs(graph, delta, "vertex", events=events, threads=threads), by_vertex)


@pytest.mark.parametrize("ties", ["order", "simultaneous"])
@pytest.mark.parametrize("events", [2, 3])
@given(network=timed_events(), delta=st.integers(0, 45))
@examples(20)
@pytest.mark.usefixtures("way_of_triangles")
def test_float_times_have_the_motifs_of_integer_times(ties, events, network, delta):
    whole = graph_of(network, ties)
    quarters = graph_of((*network[:3], [moment / 4 for moment in network[3]]), ties, kind=float)
    for by in (None, "vertex"):
        found = triadic.temporal_motifs(whole, delta, by, events=events)
        assert np.array_equal(counts(triadic.temporal_motifs(quarters, delta / 4, by, events=events)), counts(found))


def counts(found):
    return found if isinstance(found, np.ndarray) else found.counts


@pytest.mark.parametrize("factor", [10**9, 2**40 + 1, 1])
def test_times_that_need_64_bits_have_the_motifs_of_short_times(factor):
    """Whole seconds in nanoseconds, and times that have no common unit."""
    graph = crowd(events=500)
    first = -(2**62) if factor == 1 else 0
    time = np.concatenate([[first], graph.time * factor]) if factor == 1 else graph.time * factor
    ends = [np.concatenate([[0], graph.source]), np.concatenate([[59], graph.target])] if factor == 1 else [
        graph.source, graph.target
    ]  # fmt: skip
    long = TemporalGraph.from_edges(*ends, time, num_vertices=60)
    assert triadic.temporal_motifs(long, 100 * factor).counts == triadic.temporal_motifs(graph, 100).counts
    assert triadic.temporal_motifs(long, 100 * factor + factor - 1).counts == (
        triadic.temporal_motifs(graph, 100).counts
    )


@examples(20)
@given(network=timed_events(), delta=st.integers(0, 45))
def test_motifs_of_undirected_events_do_not_depend_on_directions(network, delta):
    n, source, target, time = network
    graph, reverse = graph_of(network), graph_of((n, target, source, time))
    for events, classes in ((2, 2), (3, 5)):
        motifs = triadic.temporal_motifs(graph, delta, events=events, undirected=True)
        assert len(motifs) == classes
        assert motifs == triadic.temporal_motifs(reverse, delta, events=events, undirected=True)
        assert sum(motifs.values()) == sum(triadic.temporal_motifs(graph, delta, events=events).values())
        at_vertices = triadic.temporal_motifs(graph, delta, "vertex", events=events, undirected=True)
        vertices = [len(set(pattern) - {" "}) for pattern in motifs.patterns]
        assert at_vertices.sum(axis=0).tolist() == [
            count * each for count, each in zip(motifs.counts, vertices, strict=True)
        ]


@pytest.mark.parametrize("ties", ["order", "simultaneous"])
@pytest.mark.parametrize("events", [2, 3])
@given(
    network=timed_events(),
    delta=st.integers(0, 45),
    window=st.integers(1, 30),
    step=st.integers(1, 30),
    threads=st.integers(1, 3),
)
@examples(20)
def test_a_motif_belongs_to_the_windows_of_its_first_event(ties, events, network, delta, window, step, threads):
    _, source, target, time = network
    graph = graph_of(network, ties)
    table = triadic.temporal_motifs(
        graph, delta, "time", window=window, step=step, events=events, threads=threads, start=-25, stop=25
    )
    naive = naive_temporal.motifs_with_first_event(
        source, target, time, delta, simultaneous=ties == "simultaneous", events=events
    )
    assert table.names == triadic.temporal_motifs(graph, delta, events=events).names
    for row, end in enumerate(table["time"].tolist()):
        expected = [0] * len(table)
        for moment, _, _, place in naive:
            expected[place] += end - window < moment <= end
        assert [column[row] for column in table.values()] == expected


@pytest.mark.parametrize("ties", ["order", "simultaneous"])
@pytest.mark.parametrize("events", [2, 3])
@given(network=timed_events(), delta=st.integers(0, 45), threads=st.integers(1, 3))
@examples(20)
def test_roles_are_source_and_target_of_the_first_event_and_third_vertex(ties, events, network, delta, threads):
    n, source, target, time = network
    graph = graph_of(network, ties)
    roles = triadic.temporal_motifs(graph, delta, "vertex", roles=True, events=events, threads=threads)
    expected = np.zeros_like(roles)
    for _, (a, b), others, place in naive_temporal.motifs_with_first_event(
        source, target, time, delta, simultaneous=ties == "simultaneous", events=events
    ):
        for role, vertices in enumerate([{a}, {b}, others - {a, b}]):
            for vertex in vertices:
                expected[vertex, place, role] += 1
    assert roles.shape == (n, 36 if events == 3 else 6, 3)
    assert np.array_equal(roles, expected)


def test_windows_without_gaps_and_overlaps_add_up_to_the_totals():
    graph = crowd()
    table = triadic.temporal_motifs(graph, 100, "time", window=50, step=50, threads=2)
    assert {name: int(column.sum()) for name, column in table.items()} == dict(triadic.temporal_motifs(graph, 100))
    undirected = triadic.temporal_motifs(graph, 100, "time", window=50, step=50, undirected=True)
    totals = triadic.temporal_motifs(graph, 100, undirected=True)
    assert {name: int(column.sum()) for name, column in undirected.items()} == dict(totals)
    # Windows with gaps: no event in a gap is the first of a motif that is counted.
    sparse = triadic.temporal_motifs(graph, 100, "time", window=50, step=100)
    assert all(np.array_equal(sparse[name], table[name][::2]) for name in table)


def test_a_network_without_events_has_no_motifs_over_time():
    graph = TemporalGraph.from_edges([], [], [], num_vertices=2)
    table = triadic.temporal_motifs(graph, 5, "time", window=1, step=1)
    assert (len(table), len(table["M11"])) == (36, 0)
    assert triadic.temporal_motifs(graph, 5, "vertex", roles=True).shape == (2, 36, 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"roles": True}, "roles=True: expected by='vertex', got by=None"),
        ({"by": "vertex", "roles": True, "undirected": True}, "roles=True: events without directions have no source"),
        ({"window": 5}, "window=5: expected by='time', got by=None"),
        ({"by": "vertex", "start": 5}, "start=5: expected by='time', got by='vertex'"),
        ({"by": "time", "step": 5}, "window=None: expected a duration, such as '1 day', with by='time'"),
        ({"by": "time", "window": 5, "step": 0}, "step=0: expected a duration above 0"),
    ],
)
def test_arguments_that_do_not_go_together_are_refused(arguments, message):
    with pytest.raises(ArgumentError, match=f"^{message}"):
        triadic.temporal_motifs(crowd(events=10), 1, **arguments)


@pytest.mark.parametrize("arguments", [{"by": "time", "window": 5, "step": 1}, {"by": "vertex", "roles": True}])
def test_triples_by_first_event_beyond_64_bits_are_refused(arguments, monkeypatch):
    monkeypatch.setattr("triadic.devices.cpu.events.temporal_motifs._MOST_TRIPLES", 1e6)
    with pytest.raises(UnsupportedError, match=r"^delta: 2\*\*62 or more triples of events"):
        triadic.temporal_motifs(crowd(), 1000, **arguments)


def test_column_sums_by_vertex_are_two_or_three_times_the_totals():
    graph = crowd()
    totals, by_vertex = triadic.temporal_motifs(graph, 100), triadic.temporal_motifs(graph, 100, by="vertex")
    for (name, total), column in zip(totals.items(), by_vertex.T, strict=True):
        assert column.sum() == (2 if name in TWO_VERTICES else 3) * total > 0


@pytest.mark.parametrize("threads", [2, 3, 4])
def test_the_number_of_threads_does_not_change_the_result(threads, monkeypatch):
    for name in ("temporal_motifs._MOST_BLOCK", "temporal_motifs._TRIANGLE_BLOCK"):
        monkeypatch.setattr(f"triadic.devices.cpu.events.{name}", 100)
    monkeypatch.setattr("triadic.graph.events._FEW", 0)
    monkeypatch.setattr("triadic.graph.events._BLOCK", 100)
    monkeypatch.setattr("triadic.devices.cpu.events.event_order._PIECE", 300)
    graph, again = crowd(), crowd()
    for events in (2, 3):
        one, several = (
            triadic.temporal_motifs(which, 100, events=events, threads=count)
            for which, count in ((graph, 1), (again, threads))
        )
        assert one == several
        one, several = (
            triadic.temporal_motifs(graph, 100, "vertex", events=events, threads=count) for count in (1, threads)
        )
        assert np.array_equal(one, several)


def test_a_longer_duration_than_all_times_counts_every_triple():
    graph = crowd(events=300)
    assert triadic.temporal_motifs(graph, 10**30) == triadic.temporal_motifs(graph, 2000)
    assert triadic.temporal_motifs(graph, 1e300) == triadic.temporal_motifs(graph, 2000)


def test_a_vertex_with_a_million_events_within_the_duration_is_counted_exactly():
    """One pair of vertices has C(10**6, 3) triples of events, beyond 2**53."""
    events = 10**6
    graph = TemporalGraph.from_edges(np.zeros(events, int), np.ones(events, int), np.arange(events))
    motifs = triadic.temporal_motifs(graph, events, device="cpu")  # a card refuses as many events of one vertex
    assert motifs["M61"] == sum(motifs.values()) == events * (events - 1) * (events - 2) // 6
    assert triadic.temporal_motifs(graph, events, "vertex", device="cpu").sum(axis=0).max() == 2 * motifs["M61"]


def test_counts_beyond_64_bits_are_refused():
    events = 4 * 10**6
    graph = TemporalGraph.from_edges(np.zeros(events, np.int8), np.ones(events, np.int8), np.zeros(events, np.int8))
    with pytest.raises(
        UnsupportedError, match=r"^delta: 2\*\*62 or more triples of events may lie within it.*smaller delta$"
    ):
        triadic.temporal_motifs(graph, 1, ties="order", device="cpu")


def test_the_representation_has_the_duration_in_words():
    dates = TemporalGraph.from_edges([0], [1], np.array(["2024-05-01"], "datetime64[s]"))
    motifs = triadic.temporal_motifs(dates, "1h 30min")
    assert motifs.unit == "ns"
    assert repr(motifs).startswith("TemporalMotifs(delta='90 min')\n")
    assert "delta=&#x27;90 min&#x27;" in motifs._repr_html_()
    floats = TemporalGraph.from_edges([0], [1], [0.5], unit="ms")
    assert repr(triadic.temporal_motifs(floats, 1.5)).startswith("TemporalMotifs(delta='1.5 ms')\n")


@pytest.mark.parametrize(
    "delta", ["1h", "60 min", "3600s", "0.5 hours 30min", timedelta(hours=1), np.timedelta64(1, "h")]
)
def test_a_duration_may_have_a_unit(delta):
    graph = TemporalGraph.from_edges([0, 0, 0], [1, 1, 1], [0, 1800, 3600])
    assert triadic.temporal_motifs(graph, delta)["M61"] == 1
    assert triadic.temporal_motifs(graph, 3599)["M61"] == 0
    dates = TemporalGraph.from_edges([0, 0, 0], [1, 1, 1], np.array([0, 1800, 3600], "datetime64[s]"))
    assert triadic.temporal_motifs(dates, delta).delta == 3600 * 10**9
    assert triadic.temporal_motifs(dates, delta)["M61"] == 1


@pytest.mark.parametrize(
    ("delta", "message"),
    [
        (-1, "delta=-1: expected a finite number of at least 0"),
        (float("nan"), "delta=nan: expected a finite number of at least 0"),
        (float("inf"), "delta=inf: expected a finite number of at least 0"),
        ("5", "delta='5': expected a number, a timedelta or words such as '1h' or '30min'"),
        ("an hour", "delta='an hour': expected a number, a timedelta or words such as '1h' or '30min'"),
        ("1 fortnight", "delta='1 fortnight': expected a number, a timedelta or words such as '1h' or '30min'"),
        (None, "delta=None: expected a number, a timedelta or words such as '1h' or '30min'"),
        (True, "delta=True: expected a number, a timedelta or words such as '1h' or '30min'"),
        ("1 ms", "delta='1 ms': the times are whole numbers of s; expected a multiple of 1 s"),
        (timedelta(seconds=-1), "delta=datetime.timedelta(days=-1, seconds=86399): expected a duration of at least 0"),
    ],
)
def test_what_is_no_duration_is_refused(delta, message):
    with pytest.raises(ArgumentError) as error:
        triadic.temporal_motifs(crowd(events=10), delta)
    assert str(error.value) == message


def test_graphs_without_times_and_tiles_are_refused_by_name(tmp_path):
    graph = triadic.Graph.from_edges([0, 1], [1, 2])
    with pytest.raises(
        ArgumentError, match="temporal_motifs got a Graph, which has no times; expected a TemporalGraph"
    ):
        triadic.temporal_motifs(graph, 1)
    triadic.write(graph, tmp_path / "edges.txt")
    triadic.tile(tmp_path / "edges.txt", tmp_path / "tiles", ranges=1)
    with pytest.raises(UnsupportedError, match="temporal_motifs does not take a TiledGraph"):
        triadic.temporal_motifs(triadic.TiledGraph(tmp_path / "tiles"), 1)


@pytest.mark.parametrize("wrong", [{"by": "edge"}, {"events": 4}, {"events": True}, {"threads": 0}])
def test_other_arguments_are_checked(wrong):
    with pytest.raises(ArgumentError, match=f"^{next(iter(wrong))}="):
        triadic.temporal_motifs(crowd(events=10), 1, **wrong)


def test_a_count_that_does_not_fit_in_memory_is_refused(monkeypatch):
    monkeypatch.setattr("triadic.core.memory.available_bytes", lambda: 10_000)
    with pytest.raises(OutOfMemoryError, match=r"sorting 3,\d+ events between 60 vertices on .* are available"):
        triadic.temporal_motifs(crowd(), 1)
    graph = crowd()
    monkeypatch.undo()
    graph.oriented()
    monkeypatch.setattr("triadic.core.memory.available_bytes", lambda: 10_000)
    with pytest.raises(OutOfMemoryError, match=r"counting temporal motifs in a graph of 60 vertices and 3,\d+ events"):
        triadic.temporal_motifs(graph, 1)


def test_progress_ends_at_its_total():
    calls = []
    triadic.temporal_motifs(crowd(), 50, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1][0] == calls[-1][1]
    assert calls == sorted(calls)


def test_progress_ends_at_its_total_without_triangles():
    calls = []
    graph = TemporalGraph.from_edges([0, 1], [1, 0], [1, 2])
    triadic.temporal_motifs(graph, 5, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1][0] == calls[-1][1]


# Kernels of three events take ten seconds to compile for 64 bits.
@pytest.mark.parametrize("events", [2, pytest.param(3, marks=pytest.mark.nightly)])
def test_events_that_need_numbers_of_64_bits_have_the_same_motifs(events, monkeypatch):
    graph = crowd(events=800)
    motifs, by_vertex = (triadic.temporal_motifs(graph, 100, by, events=events) for by in (None, "vertex"))
    monkeypatch.setattr("triadic.graph.events._MOST_EVENTS_32", 0)
    graph.release()
    assert graph.oriented().events.dtype == np.int64
    assert triadic.temporal_motifs(graph, 100, events=events) == motifs
    assert np.array_equal(triadic.temporal_motifs(graph, 100, "vertex", events=events), by_vertex)


def test_a_network_without_events_has_no_motifs():
    graph = TemporalGraph.from_edges([], [], [], num_vertices=3)
    assert sum(triadic.temporal_motifs(graph, 5).values()) == 0
    assert triadic.temporal_motifs(graph, 5, "vertex").shape == (3, 36)
    assert triadic.temporal_motifs(TemporalGraph.from_edges([], [], []), 5, "vertex").shape == (0, 36)


def test_the_result_is_a_mapping_a_matrix_and_a_table():
    motifs = triadic.temporal_motifs(crowd(), 50)
    assert len(motifs) == 36
    assert motifs.matrix.shape == (6, 6)
    assert motifs.matrix[4, 0] == motifs["M51"] == motifs.to_dict()["M51"]
    assert dict(zip(motifs.names, motifs.patterns, strict=True))["M24"] == "ab bc ca"
    assert repr(motifs).count("\n") == 8
    assert "<table>" in motifs._repr_html_()
    assert motifs.unit == "s"
    pandas = pytest.importorskip("pandas")
    table = motifs.to_pandas()
    assert isinstance(table, pandas.DataFrame)
    assert list(table.columns) == ["pattern", "count"]
    assert table.loc["M51", "count"] == motifs["M51"]
    with pytest.raises(KeyError, match="M77"):
        motifs["M77"]


def days(seed=1, **keywords):
    """Events on 30 dates, in an order of rows that a seed chooses."""
    random = np.random.default_rng(0)
    source, target = random.integers(0, 12, (2, 300))
    date = np.datetime64("2024-05-01") + random.integers(0, 30, 300)
    rows = np.random.default_rng(seed).permutation(300)
    return TemporalGraph.from_edges(source[rows], target[rows], date[rows], **keywords)


@given(network=timed_events(), delta=st.integers(0, 45))
@examples(20)
def test_ties_of_a_call_are_those_of_a_graph_that_has_them(network, delta):
    given_order, unordered = graph_of(network, "order"), graph_of(network, "simultaneous")
    for keywords in ({}, {"by": "vertex"}, {"by": "vertex", "roles": True}):
        found = triadic.temporal_motifs(given_order, delta, ties="simultaneous", **keywords)
        expected = triadic.temporal_motifs(unordered, delta, **keywords)
        assert np.array_equal(counts(found), counts(expected))
    keywords = {"by": "time", "window": 7, "step": 3}
    found = triadic.temporal_motifs(given_order, delta, ties="simultaneous", **keywords)
    for name, column in triadic.temporal_motifs(unordered, delta, **keywords).items():
        assert np.array_equal(found[name], column)


def test_the_order_of_rows_decides_unless_tied_events_have_none():
    one, other = days(seed=1), days(seed=2)
    assert triadic.temporal_motifs(one, "1 day", ties="order") != triadic.temporal_motifs(other, "1 day", ties="order")
    unordered = [triadic.temporal_motifs(graph, "1 day", ties="simultaneous") for graph in (one, other)]
    assert unordered[0] == unordered[1]
    assert sum(triadic.temporal_motifs(one, "0s", ties="simultaneous").values()) == 0


def test_most_events_tied_are_said_unless_ties_are_chosen():
    graph = days()
    with pytest.warns(UserWarning, match=f"^{graph.num_tied} events share their time .* pass ties='simultaneous'"):
        motifs = triadic.temporal_motifs(graph, "1 day")
    assert (motifs.tied, motifs.ties) == (graph.num_tied, "order")
    assert "(ties='order')" in repr(motifs).splitlines()[1]
    for ties in ("order", "simultaneous"):
        assert f"ties=&#x27;{ties}&#x27;" in triadic.temporal_motifs(graph, "1 day", ties=ties)._repr_html_()
        assert triadic.temporal_motifs(days(ties=ties), "1 day").ties == ties
    few = TemporalGraph.from_edges([0, 1, 0, 1], [1, 2, 2, 0], [5, 5, 8, 9])
    assert "2 events share their time with another one" in repr(triadic.temporal_motifs(few, 10))


def test_a_plain_number_is_no_duration_between_dates():
    for name, call in {
        "delta": lambda: triadic.temporal_motifs(days(), 3600),
        "window": lambda: triadic.over_time(days(), "clustering", window=7, step="1 day"),
        "block": lambda: triadic.shuffle_events(days(), block=1.5),
    }.items():
        with pytest.raises(ArgumentError, match=rf"^{name}=[0-9.]+: the times are dates, which a number has no unit"):
            call()


@pytest.mark.parametrize(("file", "separator"), [("CollegeMsg.txt.gz", ","), ("sx_events.txt.gz", " ")])
def test_motifs_of_real_networks(real_networks, file, separator):
    """Found by brute force; events of the same time follow one another in the order of the file."""
    expected = json.loads((real_networks / "expected_temporal.json").read_text())["networks"][file]
    with gzip.open(real_networks / file, "rt") as text:
        rows = np.loadtxt(text, delimiter=separator, dtype=np.int64)
    ids, ends = np.unique(rows[:, :2], return_inverse=True)
    ends = ends.reshape(-1, 2)
    graph = TemporalGraph.from_edges(ends[:, 0], ends[:, 1], rows[:, 2])
    assert (graph.num_events, graph.num_vertices) == (expected["events"], expected["vertices"]) == (len(rows), len(ids))
    for delta, counts in expected["motifs"].items():
        assert triadic.temporal_motifs(graph, int(delta)).matrix.tolist() == counts[::-1]
        week = 7 * 86400
        series = triadic.temporal_motifs(graph, int(delta), "time", window=week, step=week)
        totals = np.array([column.sum() for column in series.values()])
        assert totals.reshape(6, 6).tolist() == counts[::-1]
    delta = int(next(iter(expected["motifs"])))
    roles = triadic.temporal_motifs(graph, delta, "vertex", roles=True)
    assert np.array_equal(roles.sum(axis=2), triadic.temporal_motifs(graph, delta, "vertex"))
    assert roles.min() == 0
    totals = list(triadic.temporal_motifs(graph, delta).values())
    assert roles[:, :, 0].sum(axis=0).tolist() == roles[:, :, 1].sum(axis=0).tolist() == totals


def test_count_takes_motifs_by_their_name():
    graph = triadic.TemporalGraph.from_edges([0, 1, 0], [1, 2, 2], [0, 60, 120], unit="s")
    motifs = triadic.count(graph, "motifs", delta="1h")
    by_vertex = triadic.count(graph, "motifs", delta="1h", by="vertex")
    assert dict(motifs) == dict(triadic.temporal_motifs(graph, "1h"))
    assert by_vertex.names == motifs.names
    np.testing.assert_array_equal(by_vertex.to_numpy(), triadic.temporal_motifs(graph, "1h", by="vertex"))
    assert by_vertex.to_pandas()["M23"].to_dict() == {0: 1, 1: 1, 2: 1}
    with pytest.raises(ArgumentError, match="of='motifs', by='edge'"):
        triadic.count(graph, "motifs", delta="1h", by="edge")
