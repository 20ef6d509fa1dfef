"""``triadic temporal``: its output and its files."""

from __future__ import annotations

import json

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

import triadic as library


@pytest.fixture
def calls(tmp_path):
    """A call that is answered and answered again within an hour, a loop, and a later call."""
    path = tmp_path / "calls.csv"
    path.write_text(
        "caller,callee,date\n"
        "ann,bob,2024-05-01 09:00\nbob,ann,2024-05-01 09:10\nann,bob,2024-05-01 10:00\n"
        "cem,cem,2024-05-01 10:00\nbob,cem,2024-05-02 10:00\n"
    )
    return path


def test_calls_as_json(triadic, calls):
    outcome = triadic("temporal", calls, "--delta", "1h", "--json", "--threads", "1")
    assert (outcome.code, outcome.err, outcome.out.count("\n")) == (0, "", 1)
    record = json.loads(outcome.out)
    assert list(record.pop("seconds")) == ["read", "count"]
    motifs = record.pop("motifs")
    assert {name: count for name, count in motifs.items() if count} == {"M51": 1}
    assert record.pop("patterns")["M51"] == "ab ba ab"
    assert record == {
        "events": {
            "vertices": 3,
            "events": 4,
            "loops_dropped": 1,
            "times": ["2024-05-01T09:00:00.000000000", "2024-05-02T10:00:00.000000000"],
            "unit": "ns",
            "ties": "order",
            "tied": 0,
        },
        "delta": 3600 * 10**9,
        "threads": 1,
        "device": "cpu",
    }


def test_the_table_has_the_motifs_in_six_rows_and_columns(triadic, calls):
    outcome = triadic("temporal", calls, "--delta", "1h")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("2nd"))
    assert lines[head].split() == ["2nd", "\\", "3rd", "event", "→", "ab", "ba", "ac", "ca", "bc", "cb"]
    assert [line.split()[0] for line in lines[head + 1 : head + 7]] == ["cb", "bc", "ca", "ac", "ba", "ab"]
    assert lines[head + 5].split()[2:] == ["1", "0", "0", "0", "0", "0"]
    assert "1 from a vertex to itself dropped" in outcome.out
    assert "delta 1 h" in " ".join(outcome.out.split())


def test_the_first_line_says_that_most_events_are_tied(triadic, tmp_path):
    path = tmp_path / "days.csv"
    path.write_text("source,target,date\n" + "".join(f"{i % 5},{i % 7},2024-05-0{1 + i % 3}\n" for i in range(30)))
    first, *others = triadic("temporal", path, "--delta", "1d").out.splitlines()
    assert first.startswith("25 of 25 events share their time with another one, and the order of rows decides which")
    assert "--ties simultaneous" in first
    assert any(line.split()[:3] == ["tied", "events", "25"] for line in others)
    outcome = triadic("temporal", path, "--delta", "1d", "--json")
    assert json.loads(outcome.out)["events"]["tied"] == 25
    assert "--ties simultaneous" in outcome.err
    for ties in ("order", "simultaneous"):
        outcome = triadic("temporal", path, "--delta", "1d", "--ties", ties, "--null", "shuffled_times", "--samples", 2)
        assert "--ties simultaneous" not in outcome.out
        assert outcome.err == ""
    complaint = triadic("temporal", path, "--delta", "86400").complaint
    assert complaint.startswith("delta=86400: the times are dates, which a number has no unit for; expected a duration")


def test_milliseconds_since_1970_are_told_by_their_size_and_said(triadic, tmp_path):
    path = tmp_path / "calls.csv"
    path.write_text("source,target,time\n1,2,1714554000000\n2,1,1714554600000\n1,2,1714557600000\n")
    outcome = triadic("temporal", path, "--delta", "1h", "--json")
    assert sum(json.loads(outcome.out)["motifs"].values()) == 1
    assert outcome.err.startswith("triadic: time: numbers such as 1714554000000 are taken as ms since 1970")
    assert triadic("temporal", path, "--delta", "1h", "--unit", "ms").err == ""


def test_motifs_that_are_not_36_have_a_row_each(triadic, calls):
    pairs = triadic("temporal", calls, "--delta", "1h", "--events", "2").out
    assert "\nevents  count\n" in pairs  # their names are their events
    assert "\nab ba       2\n" in pairs
    undirected = triadic("temporal", calls, "--delta", "1h", "--undirected").out
    assert ["name", "events", "count"] in map(str.split, undirected.splitlines())
    assert "Directions are ignored" in undirected
    assert "the first from a to b" not in undirected


@pytest.mark.parametrize("options", [["--events", "2"], ["--undirected"], ["--ties", "simultaneous"], ["--time", "2"]])
def test_options_are_those_of_the_function(triadic, calls, options):
    outcome = triadic("temporal", calls, "--delta", "1 day", *options)
    assert (outcome.code, outcome.err) == (0, "")
    record = json.loads(triadic("temporal", calls, "--delta", "1 day", "--json", *options).out)
    assert sum(record["motifs"].values()) == (4 if options[0] == "--events" else 1)


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npy"])
def test_every_vertex_has_a_row_of_36_counts(triadic, calls, tmp_path, suffix):
    out = tmp_path / f"vertices{suffix}"
    assert triadic("temporal", calls, "--delta", "3600s", "-o", out).code == 0
    if suffix == ".npy":
        table = {name: np.load(out)[name].tolist() for name in np.load(out).dtype.names}
    else:
        read = pyarrow.csv.read_csv if suffix == ".csv" else pyarrow.parquet.read_table
        table = read(out).to_pydict()
    assert list(table) == ["label", *(f"M{i}{j}" for i in range(1, 7) for j in range(1, 7))]
    assert dict(zip(table["label"], table["M51"], strict=True)) == {"ann": 1, "bob": 1, "cem": 0}


def table_of(path):
    read = pyarrow.csv.read_csv if path.suffix == ".csv" else pyarrow.parquet.read_table
    return read(path).to_pydict()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_each_window_has_a_row_of_its_network_and_of_its_motifs(triadic, calls, tmp_path, suffix):
    out = tmp_path / f"windows{suffix}"
    outcome = triadic("temporal", calls, "--delta", "1h", "--window", "1d", "--step", "12h", "-o", out)
    assert (outcome.code, outcome.err) == (0, "")
    table = table_of(out)
    assert list(table)[:3] == ["time", "events", "vertices"]
    assert list(table)[-36:] == [f"M{i}{j}" for i in range(1, 7) for j in range(1, 7)]
    assert [str(time)[:16] for time in table["time"]] == [
        "2024-05-01 09:00", "2024-05-01 21:00", "2024-05-02 09:00", "2024-05-02 21:00",
    ]  # fmt: skip
    assert table["events"] == [1, 3, 2, 1]
    assert table["M51"] == [1, 1, 0, 0]
    lines = outcome.out.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("time "))
    assert lines[head + 1].split() == ["2024-05-01T09:00:00", "1", "2", "1", "0", "0", "1"]


def test_windows_follow_one_another_by_default_from_the_start_as_json(triadic, calls):
    arguments = ("--delta", "1h", "--window", "1d", "--start", "2024-05-01", "--json")
    record = json.loads(triadic("temporal", calls, *arguments).out)
    assert record["windows"]["time"] == [f"2024-05-0{day}T00:00:00.000000000" for day in (1, 2, 3)]
    assert record["windows"]["events"] == [0, 3, 1]
    assert record["windows"]["average_clustering"] == [None, 0.0, 0.0]


def test_long_tables_of_windows_are_cut_on_the_terminal(triadic, calls):
    outcome = triadic("temporal", calls, "--delta", "1h", "--window", "1h")
    assert "6 more windows; -o FILE writes all of them" in outcome.out


@pytest.mark.parametrize("null", ["shuffled_times", "time_reversal"])
def test_motifs_are_compared_with_those_of_shuffled_events(triadic, calls, tmp_path, null):
    out = tmp_path / "motifs.csv"
    arguments = ("--delta", "1h", "--null", null, "--samples", "5", "--seed", "1")
    outcome = triadic("temporal", calls, *arguments, "-o", out)
    assert (outcome.code, outcome.err) == (0, "")
    if null == "time_reversal":
        assert ["name", "count", "reversed"] in map(str.split, outcome.out.splitlines())
        assert "undefined" not in outcome.out
    else:
        assert f"null: {null}, 5 samples, seed 1" in outcome.out
    table = table_of(out)
    assert list(table) == ["name", "count", "mean", "std", "z", "p", "q", "profile"]
    assert (len(table["name"]), sum(table["count"])) == (36, 1)
    record = json.loads(triadic("temporal", calls, *arguments, "--json").out)["null"]
    assert (record["name"], record["seed"], len(record["motifs"])) == (null, 1, 36)
    assert record["motifs"]["M51"]["count"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--step", "1d"], "--step 1d: expected --window as well"),
        (["--start", "5"], "--start 5: expected --window as well"),
        (["--block", "1d"], "--block 1d: expected --null as well"),
        (["--seed", "1"], "--seed 1: expected --null as well"),
        (["--null", "degrees"], "null='degrees': expected one of 'shuffled_times'"),
        (["--null", "shuffled_times", "--undirected"], "--null shuffled_times: expected the 36 directed motifs"),
        (["--window", "0"], "window=0: expected a duration above 0"),
        (["--window", "1d", "-o", "windows.npy"], "tables are not written as '.npy'"),
        (["--window", "1d", "--null", "random_times", "-o", "t.csv"], "expected --window or --null, not both"),
    ],
)
def test_options_over_time_and_against_chance_are_checked(triadic, calls, options, message):
    outcome = triadic("temporal", calls, "--delta", "1h", *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--delta", "soon"], "delta='soon': expected a number, a timedelta or words such as '1h' or '30min'"),
        (["--delta", "-1"], "delta=-1: expected a finite number of at least 0"),
        (["--delta", "1h", "--events", "4"], "events=4: expected 2 or 3"),
        (["--delta", "1h", "--ties", "none"], "ties='none': expected 'order' or 'simultaneous'"),
        (["--delta", "1h", "-o", "vertices.xls"], "vertices.xls: tables are not written as '.xls'"),
    ],
)
def test_wrong_options_are_one_line(triadic, calls, options, message):
    outcome = triadic("temporal", calls, *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--delta", "-5"], "delta=-5: expected a finite number of at least 0"),
        (["--delta", "soon"], "delta='soon': expected a number, a timedelta or words"),
        (["--delta", "5", "--events", "4"], "events=4: expected 2 or 3"),
        (["--delta", "5", "--unit", "h"], "unit='h': expected one of"),
        (["--delta", "5", "--ties", "none"], "ties='none': expected 'order' or 'simultaneous'"),
        (["--delta", "5", "--threads", "0"], "threads=0: expected None or a whole number of at least 1"),
    ],
)
def test_wrong_options_are_found_before_the_file_is_read(triadic, options, message):
    assert message in triadic("temporal", "no-such-file.csv", *options).complaint


def test_tiles_have_no_times(triadic, calls, tmp_path):
    library.write(library.Graph.from_edges([0, 1], [1, 2]), tmp_path / "edges.txt")
    library.tile(tmp_path / "edges.txt", tmp_path / "tiles", ranges=1)
    outcome = triadic("temporal", tmp_path / "tiles", "--delta", "1h")
    assert outcome.code == 2
    assert "is a folder, expected a file of events; tiles and folders of triadic hold no times" in outcome.err


def test_after_ctrl_c_the_finished_samples_are_compared_and_a_line_says_so(triadic, calls, monkeypatch):
    from triadic.measures.significance import significance as temporal_significance

    count, calls_made = temporal_significance.temporal_motifs, []

    def interrupted(*arguments, **keywords):
        calls_made.append(arguments)
        if len(calls_made) == 5:  # the events themselves, and three samples
            raise KeyboardInterrupt
        return count(*arguments, **keywords)

    monkeypatch.setattr(temporal_significance, "temporal_motifs", interrupted)
    arguments = ("--delta", "1h", "--null", "shuffled_times", "--samples", "9", "--threads", "1")
    outcome = triadic("temporal", calls, *arguments)
    assert outcome.code == 0
    assert "3 samples" in outcome.out
    assert outcome.err == "triadic: interrupted: the result has 3 of 9 samples\n"
