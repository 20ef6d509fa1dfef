"""Temporal graphs: events between vertices, sorted by time."""

from __future__ import annotations

import pickle
from datetime import UTC, date, datetime

import numpy as np
import pandas as pd
import pytest

import triadic
from triadic import TemporalGraph
from triadic.errors import ArgumentError


def test_events_are_sorted_by_time_and_ties_keep_their_order():
    graph = TemporalGraph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [5, 1, 5, 1])
    assert graph.source.tolist() == [1, 3, 0, 2]
    assert graph.time.tolist() == [1, 1, 5, 5]
    assert graph.ties == "order"


def test_loops_are_dropped_and_counted_and_repeats_are_kept():
    graph = TemporalGraph.from_edges([0, 1, 0, 0], [1, 1, 1, 1], [3, 2, 1, 1], num_vertices=5)
    assert (graph.num_events, graph.num_vertices, graph.dropped.loops) == (3, 5, 1)
    assert repr(graph) == "TemporalGraph(5 vertices, 3 events, 2 tied (ties='order'), from 1 to 3 s)"
    assert "loops dropped" in graph._repr_html_()
    assert repr(TemporalGraph.from_edges([0], [1], [7])) == "TemporalGraph(2 vertices, 1 event, from 7 to 7 s)"


def test_events_at_the_time_of_another_are_tied():
    for times in ([], [3], [1, 2, 3], [1, 1], [5, 1, 5, 1, 5, 2], [0.5, 0.5, 0.25]):
        graph = TemporalGraph.from_edges([0] * len(times), [1] * len(times), times)
        assert graph.num_tied == sum(times.count(time) > 1 for time in times)


@pytest.mark.parametrize(("unit", "number"), [("ms", 10**3), ("us", 10**6), ("ns", 10**9)])
def test_times_since_1970_in_small_units_are_told_by_their_size(unit, number):
    times = np.array([1_082_040_961, 1_700_000_000]) * number
    with pytest.warns(UserWarning, match=f"are taken as {unit} since 1970 by their size; pass unit='{unit}'"):
        graph = TemporalGraph.from_edges([0, 1], [1, 2], times)
    assert graph.unit == unit
    assert graph.duration("delta", "1h") == 3600 * number
    for stated in ("s", unit):
        assert TemporalGraph.from_edges([0, 1], [1, 2], times, unit=stated).unit == stated
    for seconds in ([0, 10**12], [1_700_000_000, 1_700_000_001], [-(10**12), 10**12]):
        assert TemporalGraph.from_edges([0, 1], [1, 2], seconds).unit == "s"


def test_a_graph_does_not_change_with_its_arrays():
    arrays = [np.array([0, 1], np.int32), np.array([1, 2], np.int32), np.array([1, 2])]
    graph = TemporalGraph.from_edges(*arrays)
    for array, kept in zip(arrays, (graph.source, graph.target, graph.time), strict=True):
        array[:] = 9
        assert kept.max() <= 2
        with pytest.raises(ValueError, match="read-only"):
            kept[0] = 9


def test_a_window_is_a_graph_with_each_repeat_once():
    graph = TemporalGraph.from_edges([0, 0, 1, 2], [1, 1, 2, 0], [1, 2, 3, 4], labels=["a", "b", "c"])
    window = graph.window(1, 4)
    assert (window.num_arcs, window.num_vertices, window.directed) == (2, 3, True)
    assert window.dropped.duplicates == 1
    assert window.labels.tolist() == ["a", "b", "c"]
    assert graph.window(4).num_arcs == graph.window(stop=2).num_arcs == 1
    assert graph.window(2, 2).num_arcs == 0
    assert graph.window().num_arcs == 3


def test_a_window_of_dates_takes_dates():
    times = np.array(["2024-05-01", "2024-05-02"], dtype="datetime64[D]")
    graph = TemporalGraph.from_edges([0, 1], [1, 2], times)
    assert repr(graph) == "TemporalGraph(3 vertices, 2 events, from 2024-05-01T00:00:00 to 2024-05-02T00:00:00)"
    for start in ("2024-05-02", np.datetime64("2024-05-02"), datetime(2024, 5, 2)):
        assert graph.window(start).num_arcs == 1
    with pytest.raises(ArgumentError, match=r"^start='soon': expected a date$"):
        graph.window("soon")
    elsewhere = datetime(2024, 5, 2, tzinfo=UTC)
    for start in (
        elsewhere,
        pd.Timestamp(elsewhere),
        "2024-05-02T00:00Z",
        "2024-05-02 00:00+05:00",
        "2024-05-02T00-05",
    ):
        with pytest.raises(
            ArgumentError, match=r"^start=.*: the times have no time zone; expected a date without one$"
        ):
            graph.window(start)


@pytest.mark.parametrize("bounds", [(3, 1), ("1", 2), (float("nan"), 2), ([], 2)])
def test_a_window_that_is_none_is_refused(bounds):
    with pytest.raises(ArgumentError, match=r"^start="):
        TemporalGraph.from_edges([0], [1], [1]).window(*bounds)


@pytest.mark.parametrize(
    "times",
    [[date(2024, 5, 1), date(2024, 5, 2)], [datetime(2024, 5, 1), datetime(2024, 5, 2)]],
)
def test_dates_of_python_are_times(times):
    assert TemporalGraph.from_edges([0, 1], [1, 2], times).time.dtype == "datetime64[ns]"


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([1.0, float("nan")], r"time\[1\] = nan: expected finite times"),
        ([1.0, float("-inf")], r"time\[1\] = -inf: expected finite times"),
        (["a", "b"], "time: expected integers, floats or datetime64, got <U1"),
        ([1, None], r"time\[0\] = 1: expected numbers, datetime64, or dates and datetimes without a time zone"),
        ([True, False], "time: expected integers, floats or datetime64, got bool"),
        ([1], "source, target and time: expected the same length, got 2, 2 and 1"),
        ([[1, 2]], r"time: expected a 1-D array, got shape \(1, 2\)"),
        (np.array([1, 2**63], np.uint64), r"time\[1\] = 9223372036854775808: expected times below 2\*\*63"),
        ([-(2**62), 2**62], r"time: expected a span below 2\*\*63, got -4611686018427387904 to 4611686018427387904"),
        (np.array(["2024", "NaT"], "datetime64[s]"), r"time\[1\] is NaT: expected a time for each event"),
        (np.array(["2024", "2300"], "datetime64[s]"), r"time\[1\] = 2300.*more than 2\*\*63 ns from 1970; expected"),
        ([datetime.now(UTC)] * 2, "without a time zone"),
    ],
)
def test_times_that_are_none_are_refused(times, message):
    with pytest.raises(ArgumentError, match=message):
        TemporalGraph.from_edges([0, 1], [1, 2], times)


@pytest.mark.parametrize("wrong", [{"ties": "random"}, {"unit": "h"}, {"num_vertices": 1}, {"labels": ["a", "b", "c"]}])
def test_other_arguments_are_checked(wrong):
    with pytest.raises(ArgumentError, match=f"^{next(iter(wrong))}"):
        TemporalGraph.from_edges([0], [1], [1], **wrong)


def test_a_window_that_ends_or_begins_beyond_64_bits_has_all_events_or_none():
    times = np.array(["2024-05-01", "2024-05-02"], dtype="datetime64[D]")
    graph = TemporalGraph.from_edges([0, 1], [1, 2], times)
    assert graph.window("1066-10-14", "3000-01-01").num_arcs == 2
    assert graph.window("3000-01-01").num_arcs == graph.window(stop="1066-10-14").num_arcs == 0
    with pytest.raises(ArgumentError, match=r"^start=.*NaT.*: expected a date$"):
        graph.window(np.datetime64("NaT", "ns"))


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([10**19, 2], r"time\[0\] = 10000000000000000000: expected times below 2\*\*63"),
        ([1, 2**70], r"time\[1\] = 1180591620717411303424: expected times below 2\*\*63"),
        ([-1e308, 1e308], r"time: expected a finite span, got -1e\+308 to 1e\+308"),
    ],
)
def test_times_that_no_number_of_64_bits_holds_are_refused(times, message):
    with pytest.raises(ArgumentError, match=f"^{message}$"):
        TemporalGraph.from_edges([0, 1], [1, 2], times)


def test_large_floats_are_times():
    assert TemporalGraph.from_edges([0, 1], [1, 2], [1e19, 2.0]).time.tolist() == [2.0, 1e19]


@pytest.mark.parametrize(
    ("duration", "seconds"),
    [
        ("0.5 s", 0.5),
        ("1.5 ms", 0.0015),
        ("0.5 ns", 5e-10),
        (10**400, np.finfo(float).max),
        ("9" * 30 + " weeks", None),
    ],
)
def test_durations_of_float_times(duration, seconds):
    graph = TemporalGraph.from_edges([0], [1], [0.5])
    expected = (10**30 - 1) * 7.0 * 86400 if seconds is None else seconds
    assert graph.duration("delta", duration) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("duration", "message"),
    [
        ("0.5 ns", "the times are whole numbers of ns; expected a multiple of 1 ns"),
        (np.timedelta64(1, "M"), "expected a number, a timedelta or words such as '1h' or '30min'"),
        (np.timedelta64("NaT", "s"), "expected a number, a timedelta or words such as '1h' or '30min'"),
        ("-1h", "expected a number, a timedelta or words such as '1h' or '30min'"),
    ],
)
def test_durations_that_dates_have_not_are_refused(duration, message):
    graph = TemporalGraph.from_edges([0], [1], np.array(["2024-05-01"], "datetime64[D]"))
    with pytest.raises(ArgumentError, match=r"^delta=") as error:
        graph.duration("delta", duration)
    assert str(error.value).endswith(message)


def test_whole_times_have_whole_durations():
    graph = TemporalGraph.from_edges([0, 1], [1, 2], [10, 20])
    for duration in (2, 2.0, np.int64(2), np.float64(2.0)):
        assert graph.duration("delta", duration) == 2
    with pytest.raises(ArgumentError, match=r"^delta=1\.5: the times are whole numbers of s; expected a whole number$"):
        triadic.temporal_motifs(graph, delta=np.float64(1.5))
    with pytest.raises(ArgumentError, match=r"^window=2\.5: the times are whole numbers"):
        triadic.temporal_motifs(graph, delta=1, by="time", window=2.5, step=1)


def test_graphs_without_times_are_named_where_times_are_not_taken():
    graph = TemporalGraph.from_edges([0], [1], [2])
    with pytest.raises(
        ArgumentError, match=r"^graph: got a TemporalGraph; expected a graph without times, such as its"
    ):
        triadic.clustering(graph)


def test_sorted_events_stay_until_they_are_released_and_are_not_pickled():
    graph = TemporalGraph.from_edges([0, 1, 0], [1, 2, 1], [30, 10, 20])
    oriented = graph.oriented()
    assert graph.oriented() is oriented
    again = pickle.loads(pickle.dumps(graph))
    assert again._oriented is None
    assert repr(again) == repr(graph)
    assert again.oriented().events.tolist() == oriented.events.tolist()
    graph.release()
    assert graph.oriented() is not oriented
