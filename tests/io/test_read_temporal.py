"""Timed events from text, Parquet and tables."""

from __future__ import annotations

import gzip
import io
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import triadic
from triadic import TemporalGraph
from triadic.errors import ArgumentError, MissingFileError, ReadError


def read(tmp_path, text, name="events.txt", **options):
    (tmp_path / name).write_text(text)
    return triadic.read_temporal(tmp_path / name, **options)


def rows(graph):
    names = range(graph.num_vertices) if graph.labels is None else graph.labels.tolist()
    ends = zip(graph.source.tolist(), graph.target.tolist(), strict=True)
    return [(names[u], names[v], moment) for (u, v), moment in zip(ends, graph.time.tolist(), strict=True)]


@pytest.mark.parametrize("separator", [" ", ",", "\t", ";", "   "])
def test_three_columns_without_names_are_source_target_and_time(tmp_path, separator):
    text = "\n".join(separator.join(row) for row in (("1", "2", "30"), ("2", "5", "10"), ("1", "2", "20"))) + "\n"
    graph = read(tmp_path, text)
    assert rows(graph) == [(2, 5, 10), (1, 2, 20), (1, 2, 30)]
    assert graph.unit == "s"


def test_the_column_of_times_is_found_by_its_name(tmp_path):
    text = "id,sender,receiver,timestamp,words\n7,ann,bob,5.5,1\n8,bob,ann,2.5,2\n"
    assert rows(read(tmp_path, text, "calls.csv")) == [("bob", "ann", 2.5), ("ann", "bob", 5.5)]
    assert rows(read(tmp_path, text, "calls.csv", time="words")) == [("ann", "bob", 1), ("bob", "ann", 2)]
    assert rows(read(tmp_path, text, "calls.csv", time=4)) == [("ann", "bob", 1), ("bob", "ann", 2)]


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input_and_binary_files_hold_events(monkeypatch, packed):
    text = b"from,to,time\n1,2,30\n2,5,10\n"
    content = gzip.compress(text) if packed else text
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    for events in ("-", io.BytesIO(content)):
        assert rows(triadic.read_temporal(events)) == [(2, 5, 10), (1, 2, 30)]


def test_an_empty_standard_input_is_one_line(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(ReadError, match=r"standard input: .*"):
        triadic.read_temporal("-")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("2024-05-01", "2024-05-02"),
        ("2024-05-01 00:00", "2024-05-02 00:00"),
        ("2024-05-01T00:00:00", "2024-05-02T00:00:00.000"),
        ("2024-05-01T00:00:00Z", "2024-05-02T02:00:00+02:00"),
    ],
)
def test_dates_of_iso_8601_are_times(tmp_path, first, second):
    graph = read(tmp_path, f"from,to,when\n1,2,{second}\n2,3,{first}\n", "dated.csv")
    assert graph.time.tolist() == np.array(["2024-05-01", "2024-05-02"], "datetime64[ns]").tolist()
    quoted = read(tmp_path, f'from,to,when\n1,2,"{second}"\n2,3,"{first}"\n', "dated.csv")
    assert np.array_equal(graph.time, quoted.time)


def test_a_comma_may_stand_before_the_decimals(tmp_path):
    assert rows(read(tmp_path, "from;to;time\n1;2;1,5\n2;1;0,25\n", "events.csv")) == [(2, 1, 0.25), (1, 2, 1.5)]


def test_large_integers_are_exact(tmp_path):
    graph = read(tmp_path, f"1 2 {2**62 + 1}\n1 2 {2**62 + 3}\n", unit="ns")
    assert graph.time.tolist() == [2**62 + 1, 2**62 + 3]
    assert triadic.temporal_motifs(graph, 2, events=2)["ab ab"] == 1
    assert triadic.temporal_motifs(graph, 1, events=2)["ab ab"] == 0


def test_comments_blank_lines_and_packing_are_read_as_in_edge_lists(tmp_path):
    with gzip.open(tmp_path / "events.txt.gz", "wt") as file:
        file.write("# FromNodeId ToNodeId Time\n\n3 4 9\n% a comment\n4  3   8\r\n")
    assert rows(triadic.read_temporal(tmp_path / "events.txt.gz")) == [(4, 3, 8), (3, 4, 9)]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("1 2 10\n2 3 x\n", {}, r"events.txt: found the time 'x' in row 2 of the column 'time', expected a number"),
        ("1 2 nan\n2 3 4\n", {}, r"events.txt: found the time nan in row 1 .*expected a finite time"),
        ("1 2 3.5\n2 3 inf\n", {}, r"events.txt: found the time inf in row 2 .*expected a finite time"),
        ("1,2,soon\n2,3,4\n", {"header": False}, r"events.txt: found the time 'soon' in row 1 .*expected a date"),
        ("1,2,2024-05-01\n2,3,4\n", {"header": False}, r"events.txt: found the time '4' in row 2 .*expected a date"),
        ("1,2,2024-02-30\n", {"header": False}, r"events.txt: found the time '2024-02-30' in row 1 .*expected a date"),
        (
            "1,2,2500-05-01\n",
            {"header": False},
            r"events.txt: found the time '2500-05-01' in row 1, more than 2\*\*63 ns",
        ),
        (f"1 2 {2**63}\n1 2 3\n", {}, r"events.txt: found the time 9223372036854775808 in row 1 .*below 2\*\*63"),
        ("1 2\n2 3\n", {}, "events.txt: has no column beside the two ends, expected a column of times"),
        ("1 2 3 4\n", {}, r"events.txt: several columns may hold the times; there are 4 without names; pass time="),
        ("1 2 3\n", {"time": 3}, r"events.txt: time=3: there is no column 3, expected 0 to 2"),
        ("1 2 3\n", {"time": 1}, r"events.txt: time=1: column 1 holds ids, expected another column"),
        ("from,to,when\n1,2,3\n", {"time": "moment"}, r"events.txt: there is no column 'moment'; the columns are"),
        ("1 2 3\n-1 2 3\n", {}, "events.txt.*negative id|found the id -1"),
        ("1 2 3\n1 2\n", {}, "events.txt, line 2: found 2 columns"),
        ("# nothing\n", {}, "events.txt: has no rows"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path, text, options, message):
    with pytest.raises(ReadError, match=message) as error:
        read(tmp_path, text, **options)
    assert "\n" not in str(error.value)
    assert "weight" not in str(error.value)


@pytest.mark.parametrize(
    "options", [{"ties": "random"}, {"unit": "h"}, {"time": -1}, {"time": True}, {"num_vertices": -1}]
)
def test_bad_options_are_refused(tmp_path, options):
    with pytest.raises(ArgumentError, match=f"^{next(iter(options))}="):
        read(tmp_path, "1 2 3\n", **options)
    with pytest.raises(MissingFileError):
        triadic.read_temporal(tmp_path / "none.txt")
    with pytest.raises(ReadError, match="is a folder"):
        triadic.read_temporal(tmp_path)


KINDS = {
    "int64": np.array([5, 3, 3]),
    "float64": np.array([0.5, 0.25, 0.25]),
    "datetime64[ns]": np.array(["2024-05-03", "2024-05-01", "2024-05-01"], "datetime64[ns]"),
}


@pytest.mark.parametrize("labels", [None, ["x", "y", "z"], [30, 10, 20], ["x"], ["x", "x", "z"], []])
@pytest.mark.parametrize("kind", KINDS)
def test_a_graph_is_the_same_after_parquet(tmp_path, kind, labels):
    graph = TemporalGraph.from_edges(
        [1, 0, 0], [0, 1, 1], KINDS[kind], num_vertices=3, labels=labels, ties="simultaneous", unit="ms"
    )
    graph.to_parquet(tmp_path / "events.parquet")
    again = triadic.read_temporal(tmp_path / "events.parquet")
    assert repr(again) == repr(graph)
    assert again.time.dtype == kind
    assert (again.ties, again.unit, again.num_vertices) == (graph.ties, graph.unit, 3)
    for name in ("source", "target", "time"):
        assert np.array_equal(getattr(again, name), getattr(graph, name))
    assert (again.labels is None) == (not labels)
    assert not labels or again.labels.tolist() == labels
    assert triadic.read_temporal(tmp_path / "events.parquet", ties="order").ties == "order"


def test_ties_that_nobody_chose_are_not_chosen_by_a_file(tmp_path):
    TemporalGraph.from_edges([0, 1], [1, 0], [5, 5]).to_parquet(tmp_path / "events.parquet")
    with pytest.warns(UserWarning, match="2 events share their time"):
        triadic.temporal_motifs(triadic.read_temporal(tmp_path / "events.parquet"), 1)
    triadic.temporal_motifs(triadic.read_temporal(tmp_path / "events.parquet", ties="order"), 1)


@pytest.mark.parametrize(
    "times",
    [
        pa.array([2, 1], pa.int8()),
        pa.array([2, 1], pa.uint64()),
        pa.array([2.0, 1.0], pa.float32()),
        pa.array([2, 1], pa.timestamp("s")),
        pa.array([2, 1], pa.timestamp("us", "Europe/Berlin")),
        pa.array([2, 1], pa.date32()),
        pa.array(["1970-01-03", "1970-01-02"]).dictionary_encode(),
        pa.array(["1970-01-03", "1970-01-02"], pa.large_string()),
    ],
    ids=lambda array: str(array.type)[:20],
)
def test_columns_of_arrow_are_times(tmp_path, times):
    table = pa.table({"source": ["a", "b"], "target": ["b", "c"], "time": times})
    pq.write_table(table, tmp_path / "events.parquet")
    for graph in (triadic.read_temporal(table), triadic.read_temporal(tmp_path / "events.parquet")):
        assert graph.labels[graph.source].tolist() == ["b", "a"]


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (pa.array([1, None]), "table: the column 'time' has no time in row 2"),
        (pa.array(["2024-03-14", " "]), "table: the column 'time' has no time in row 2"),
        (pa.array([1, 2**63], pa.uint64()), r"table: found the time 9223372036854775808 in row 2 .*less than 2\*\*63"),
        (
            pa.array([1.0, float("nan")]),
            "table: found the time nan in row 2 of the column 'time', expected a finite time",
        ),
        (
            pa.array([0, 2**40], pa.timestamp("s")),
            r"table: found the time .* in row 2 .*less than 2\*\*63 ns from 1970",
        ),
        (pa.array([True, False]), "table: the column 'time' holds bool, expected times"),
    ],
)
def test_columns_that_are_no_times_are_refused(times, message):
    with pytest.raises(ReadError, match=message):
        triadic.read_temporal(pa.table({"source": [0, 1], "target": [1, 2], "time": times}))


def test_tables_of_other_libraries_are_read():
    columns = {"from": [1, 2], "to": [2, 3], "date": [7, 3]}
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    for library in (polars, pandas):
        assert rows(triadic.read_temporal(library.DataFrame(columns))) == [(2, 3, 3), (1, 2, 7)]
    with pytest.raises(ArgumentError, match="read_temporal got a list; expected a path, a binary file, or a table"):
        triadic.read_temporal([1, 2])
    with pytest.raises(ReadError, match="several columns may hold the times; the columns are from, to, date, time"):
        triadic.read_temporal(polars.DataFrame({**columns, "time": [1, 2]}))


@pytest.mark.parametrize(("file", "sizes"), [("CollegeMsg", (1899, 59835)), ("sx_events", (24759, 187985))])
def test_real_networks_are_read(real_networks, file, sizes):
    graph = triadic.read_temporal(real_networks / f"{file}.txt.gz")
    assert (graph.num_vertices, graph.num_events) == sizes
    assert graph.dropped.loops == 0
