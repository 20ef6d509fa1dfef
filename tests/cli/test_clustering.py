"""``triadic clustering``: its output and its files."""

from __future__ import annotations

import json
import math

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

from triadic.core.blocks import allowed_threads


def test_a_kite_as_json(triadic, kite):
    outcome = triadic("clustering", kite, "--undirected", "--json")
    assert (outcome.code, outcome.err) == (0, "")
    record = json.loads(outcome.out)
    seconds = record.pop("seconds")
    assert record == {
        "graph": {
            "vertices": 4,
            "edges": 4,
            "directed": False,
            "loops_dropped": 1,
            "duplicates_dropped": 1,
            "reciprocal_merged": 0,
        },
        "triangles": 1,
        "transitivity": 0.6,
        "average_clustering": pytest.approx((1 + 1 + 1 / 3) / 4),
        "device": "cpu",
        "threads": allowed_threads(),
    }
    assert list(seconds) == ["read", "prepare", "count"]
    assert all(value >= 0 for value in seconds.values())


def test_json_is_one_line_of_standard_output(triadic, kite):
    outcome = triadic("clustering", kite, "--json", "--progress")
    assert outcome.out.count("\n") == 1
    assert "counting" in outcome.err


def test_the_table_has_vertices_edges_and_dropped_edges(triadic, kite):
    outcome = triadic("clustering", kite, "--undirected")
    assert outcome.code == 0
    lines = {line[:18].strip(): line[18:].split() for line in outcome.out.splitlines()}
    assert lines["vertices"] == ["4"]
    assert lines["edges"] == ["4"]
    assert lines["dropped"] == ["2", "loops", "1,", "duplicates", "1"]
    assert lines["triangles"] == ["1", "most", "at", "1:", "1"]
    assert lines["transitivity"][0] == "0.600000"
    assert lines["average clustering"][0] == "0.583333"
    assert lines["degree 2 and up"] == ["0.777778", "3", "vertices"]


def test_arcs_that_run_both_ways_are_one_edge(triadic, tmp_path):
    path = tmp_path / "arcs.txt"
    path.write_text("1 2\n2 1\n2 3\n3 1\n")
    record = json.loads(triadic("clustering", path, "--directed", "--json").out)
    assert record["graph"]["directed"]
    assert record["graph"]["edges"] == 3
    assert record["triangles"] == 1


@pytest.mark.parametrize(
    ("text", "average"), [("# nothing\n% but comments\n", None), ("7 7\n8 8\n", 0.0), ("1 2\n3 4\n", 0.0)]
)
def test_a_network_without_triangles_is_an_answer(triadic, tmp_path, text, average):
    path = tmp_path / "empty.txt"
    path.write_text(text)
    outcome = triadic("clustering", path, "--json")
    assert outcome.code == 0
    record = json.loads(outcome.out)
    assert (record["triangles"], record["transitivity"], record["average_clustering"]) == (0, 0.0, average)
    assert triadic("clustering", path).code == 0


def test_isolated_vertices_count_in_the_average(triadic, kite):
    record = json.loads(triadic("clustering", kite, "--num-vertices", "10", "--json").out)
    assert record["graph"]["vertices"] == 10
    assert record["average_clustering"] == pytest.approx((1 + 1 + 1 / 3) / 10)


def test_the_number_of_threads_is_used_and_changes_no_figure(triadic, kite):
    one, three = (json.loads(triadic("clustering", kite, "--json", "--threads", n).out) for n in ("1", "3"))
    assert (one.pop("threads"), three.pop("threads")) == (1, 3)
    assert {**one, "seconds": None} == {**three, "seconds": None}


def read_csv(path):
    return pyarrow.csv.read_csv(path).to_pydict()


def read_parquet(path):
    return pyarrow.parquet.read_table(path).to_pydict()


def read_npy(path):
    rows = np.load(path, allow_pickle=False)
    return {name: rows[name].tolist() for name in rows.dtype.names}


READ = {".csv": read_csv, ".parquet": read_parquet, ".npy": read_npy}


@pytest.mark.parametrize("suffix", READ)
def test_every_vertex_has_a_row(triadic, kite, tmp_path, suffix):
    path = tmp_path / f"vertices{suffix}"
    assert triadic("clustering", kite, "-o", path).code == 0
    assert READ[suffix](path) == {
        "label": [1, 2, 3, 4],
        "degree": [2, 2, 3, 1],
        "triangles": [1, 1, 1, 0],
        "clustering": [1.0, 1.0, 1 / 3, 0.0],
    }


@pytest.mark.parametrize("suffix", READ)
def test_names_of_vertices_come_out_as_they_went_in(triadic, tmp_path, suffix):
    source, path = tmp_path / "names.csv", tmp_path / f"vertices{suffix}"
    source.write_text('source,target\nÅsa,"Bo, Jr"\n"Bo, Jr",Cy\nCy,Åsa\n')
    assert triadic("clustering", source, "-o", path).code == 0
    assert READ[suffix](path)["label"] == ["Åsa", "Bo, Jr", "Cy"]


@pytest.mark.parametrize(("suffix", "nameless"), [(".csv", None), (".parquet", None), (".npy", -1)])
def test_declared_vertices_without_an_edge_have_no_label(triadic, tmp_path, suffix, nameless):
    source, path = tmp_path / "gaps.txt", tmp_path / f"vertices{suffix}"
    source.write_text("# Nodes: 4\n10 20\n")
    assert triadic("clustering", source, "-o", path).code == 0
    assert READ[suffix](path)["label"] == [10, 20, nameless, nameless]


@pytest.mark.parametrize("suffix", READ)
def test_a_network_without_vertices_gives_a_table_without_rows(triadic, tmp_path, suffix):
    source, path = tmp_path / "comments.txt", tmp_path / f"vertices{suffix}"
    source.write_text("# no one\n")
    assert triadic("clustering", source, "-o", path).code == 0
    assert list(READ[suffix](path)) == ["label", "degree", "triangles", "clustering"]
    assert READ[suffix](path)["degree"] == []


def test_an_unknown_suffix_is_an_error_before_the_network_is_read(triadic, tmp_path):
    complaint = triadic("clustering", tmp_path / "missing.txt", "-o", tmp_path / "out.xlsx").complaint
    assert ".xlsx" in complaint
    assert ".csv .parquet .npy" in complaint


def test_a_missing_folder_is_an_error_before_the_network_is_read(triadic, tmp_path):
    complaint = triadic("clustering", tmp_path / "missing.txt", "-o", tmp_path / "nowhere" / "out.csv").complaint
    assert str(tmp_path / "nowhere") in complaint
    assert not (tmp_path / "nowhere").exists()


def test_an_existing_file_stays_if_the_network_is_bad(triadic, tmp_path):
    source, path = tmp_path / "bad.txt", tmp_path / "out.csv"
    source.write_text("1 2\n3\n")
    path.write_text("as before")
    assert "line 2" in triadic("clustering", source, "-o", path).complaint
    assert path.read_text() == "as before"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bad.txt", "out.csv"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("no bytes.txt", b""),
        ("truncated.txt.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"),
        ("junk.txt", bytes(range(256)) * 4),
        ("one id.txt", b"1 2\n3\n"),
        ("negative.txt", b"1 2\n-3 4\n"),
        ("past 2^63.txt", b"1 2\n9223372036854775808 4\n"),
        ("no banner.mtx", b"1 2\n2 3\n"),
        ("too few rows.graph", b"3 2\n2\n1 3\n"),
        ("past the vertices.net", b"*Vertices 2\n*Edges\n1 3\n"),
        ("not columns.parquet", b"PAR1 and no more"),
    ],
)
def test_a_bad_file_gives_one_line_that_names_it(triadic, tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    assert name in triadic("clustering", path, "--json").complaint


def test_a_missing_file_is_named(triadic, tmp_path):
    assert "missing.txt" in triadic("clustering", tmp_path / "missing.txt").complaint


def test_an_unknown_format_is_an_error_that_lists_the_formats(triadic, kite):
    complaint = triadic("clustering", kite, "--format", "pajeck").complaint
    assert "pajeck" in complaint
    assert "pajek," in complaint


def test_an_unknown_device_is_an_error(triadic, kite):
    assert "abacus" in triadic("clustering", kite, "--device", "abacus").complaint


def test_0_threads_are_an_error(triadic, kite):
    assert "threads=0" in triadic("clustering", kite, "--threads", "0").complaint


def test_ctrl_c_gives_130_and_writes_nothing(triadic, kite, tmp_path, monkeypatch):
    def interrupted(*args, **keywords):
        raise KeyboardInterrupt

    monkeypatch.setattr("triadic.measures.triangles.triangles", interrupted)
    outcome = triadic("clustering", kite, "-o", tmp_path / "out.csv")
    assert (outcome.code, outcome.out) == (130, "")
    assert not (tmp_path / "out.csv").exists()


def test_a_real_network_has_the_figures_that_other_programs_found(triadic, real_networks):
    expected = json.loads((real_networks / "expected.json").read_text())["USpowerGrid.net.gz"]
    record = json.loads(triadic("clustering", real_networks / "USpowerGrid.net.gz", "--json").out)
    assert record["graph"]["vertices"] == expected["vertices"]
    assert record["triangles"] == expected["triangles"]
    assert math.isclose(record["transitivity"], expected["transitivity"], rel_tol=1e-9)
    assert math.isclose(record["average_clustering"], expected["average_clustering"], rel_tol=1e-9)
