"""``triadic orbits``: its output and its files."""

from __future__ import annotations

import json

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

import naive_edge_orbits
import naive_orbits
import triadic as library
from triadic.core import memory
from triadic.core.graphlets import GRAPH_NAMES
from triadic.io import tables

# The kite of the fixture, from 0, is a paw.
PAW = [(0, 1), (1, 2), (0, 2), (2, 3)]


@pytest.mark.parametrize(("size", "graphlets", "orbits"), [("4", 9, 15), ("5", 30, 73)])
def test_the_record_has_the_graphlets_and_the_sums_of_orbits(triadic, kite, size, graphlets, orbits):
    outcome = triadic("orbits", kite, "--undirected", "--size", size, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    record = json.loads(outcome.out)
    assert list(record["graphlets"]) == list(GRAPH_NAMES[:graphlets])
    assert {name for name, count in record["graphlets"].items() if count} == {"edge", "2-path", "triangle", "paw"}
    assert record["orbits"] == naive_orbits.orbits(4, PAW).sum(axis=0)[:orbits].tolist()
    assert record["device"] == "cpu"


def test_the_table_has_each_graphlet_with_its_orbits_and_count(triadic, kite):
    outcome = triadic("orbits", kite, "--undirected", "--size", "5")
    assert outcome.code == 0
    rows = [line.split() for line in outcome.out.splitlines()]
    assert ["G6", "paw", "9-11", "1"] in rows
    assert ["G29", "5-clique", "72", "0"] in rows


@pytest.mark.parametrize("size", ["4", "5"])
def test_the_orbits_of_every_vertex_are_written(triadic, kite, tmp_path, size):
    path = tmp_path / "vertices.csv"
    assert triadic("orbits", kite, "--undirected", "--size", size, "-o", path).code == 0
    table = pyarrow.csv.read_csv(path)
    columns = {"4": 15, "5": 73}[size]
    assert table.column_names[1:] == [f"orbit {number}" for number in range(columns)]
    found = np.stack([table[name].to_numpy() for name in table.column_names[1:]], axis=1)
    np.testing.assert_array_equal(found, naive_orbits.orbits(4, PAW)[:, :columns])


def test_a_table_of_many_parts_is_written_to_parquet(triadic, tmp_path, monkeypatch):
    graph = library.generate.rmat(7, seed=1)
    library.write(graph, tmp_path / "network.triadic")
    monkeypatch.setattr(tables, "_ROWS", 50)
    path = tmp_path / "vertices.parquet"
    assert triadic("orbits", tmp_path / "network.triadic", "--size", "5", "-o", path).code == 0
    file = pyarrow.parquet.ParquetFile(path)
    assert [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)] == [50, 50, 28]
    found = np.stack([column.to_numpy() for column in file.read().columns[1:]], axis=1)
    np.testing.assert_array_equal(found, library.graphlets(graph, size=5, by="vertex"))


def test_memory_for_writing_is_checked_before_the_count(triadic, kite, tmp_path, monkeypatch):
    monkeypatch.setattr("triadic.measures.graphlets.orbits.orbits_of_vertices", None)
    monkeypatch.setattr(memory, "available_bytes", lambda: 5000)
    outcome = triadic("orbits", kite, "--undirected", "--size", "5", "-o", tmp_path / "vertices.parquet")
    assert outcome.code == 2
    # 4 vertices and 73 orbits of 8 bytes, then two copies of 4 rows with their labels.
    assert "counting and writing 73 orbits of 4 vertices takes about 6.9 KiB and 4.9 KiB are available" in outcome.err
    assert not (tmp_path / "vertices.parquet").exists()


@pytest.mark.parametrize(("size", "orbits"), [("4", 12), ("5", 68)])
@pytest.mark.parametrize("directed", ["--directed", "--undirected"])
def test_the_record_of_edges_has_the_graphlets_and_the_sums_of_edge_orbits(triadic, kite, size, orbits, directed):
    outcome = triadic("orbits", kite, directed, "--edges", "--size", size, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    record = json.loads(outcome.out)
    assert {name for name, count in record["graphlets"].items() if count} == {"edge", "2-path", "triangle", "paw"}
    assert record["edge_orbits"] == naive_edge_orbits.edge_orbits(4, PAW).sum(axis=0)[:orbits].tolist()
    assert "orbits" not in record


def test_the_table_of_edges_has_each_graphlet_with_its_edge_orbits_and_count(triadic, kite):
    outcome = triadic("orbits", kite, "--undirected", "--edges", "--size", "5")
    assert outcome.code == 0
    rows = [line.split() for line in outcome.out.splitlines()]
    assert ["G0", "edge", "4"] in rows
    assert ["G6", "paw", "6-8", "1"] in rows
    assert ["G29", "5-clique", "67", "0"] in rows


@pytest.mark.parametrize("directed", ["--directed", "--undirected"])
@pytest.mark.parametrize(("size", "columns"), [("4", 12), ("5", 68)])
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npy"])
def test_the_orbits_of_every_edge_are_written_once(triadic, kite, tmp_path, size, columns, directed, suffix):
    path = tmp_path / f"edges{suffix}"
    assert triadic("orbits", kite, directed, "--edges", "--size", size, "-o", path).code == 0
    names = ["source", "target", *(f"orbit {number}" for number in range(columns))]
    if suffix == ".npy":
        array = np.load(path)
        assert list(array.dtype.names) == names
        table = {name: array[name] for name in names}
    else:
        read = pyarrow.csv.read_csv if suffix == ".csv" else pyarrow.parquet.read_table
        table = read(path)
        assert table.column_names == names
        table = {name: table[name].to_numpy() for name in names}
    first = min(table["source"].min(), table["target"].min())
    edges = [*zip(table["source"] - first, table["target"] - first, strict=True)]
    assert edges == sorted(PAW)
    found = np.stack([table[name] for name in names[2:]], axis=1)
    np.testing.assert_array_equal(found, naive_edge_orbits.edge_orbits(4, sorted(PAW))[:, :columns])


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npy"])
def test_edges_have_the_names_of_their_ends(triadic, tmp_path, suffix):
    (tmp_path / "names.txt").write_text("=b a\na c\n", encoding="ascii")
    path = tmp_path / f"edges{suffix}"
    safe = ["--spreadsheet-safe"] if suffix == ".csv" else []
    assert triadic("orbits", tmp_path / "names.txt", "--edges", "-o", path, *safe).code == 0
    if suffix == ".npy":
        rows = np.load(path)[["source", "target", "orbit 0"]].tolist()
    else:
        read = pyarrow.csv.read_csv if suffix == ".csv" else pyarrow.parquet.read_table
        columns = read(path).select(["source", "target", "orbit 0"]).to_pydict()
        rows = [*zip(*columns.values(), strict=True)]
    assert rows == [("'=b" if safe else "=b", "a", 1), ("a", "c", 1)]


def test_edges_of_many_graphs_are_refused_before_the_file_is_read(triadic):
    outcome = triadic("orbits", "no-such-file.g6", "--edges", "--batch")
    assert outcome.complaint.startswith("--edges: expected one network, not many graphs")


def test_edges_on_a_gpu_are_refused_before_the_file_is_read(triadic):
    outcome = triadic("orbits", "no-such-file.txt", "--edges", "--device", "cuda")
    assert outcome.code != 0
    assert "graphlets of four vertices at edges are counted on 'cpu'" in outcome.err


def test_another_size_is_refused_before_the_file_is_read(triadic):
    outcome = triadic("orbits", "no-such-file.txt", "--size", "6")
    assert outcome.code != 0
    assert "--size 6: expected 3, 4 or 5" in outcome.err


def test_an_unknown_device_is_refused_before_the_file_is_read(triadic):
    outcome = triadic("orbits", "no-such-file.txt", "--size", "5", "--device", "tpu")
    assert outcome.code != 0
    assert "device='tpu': expected" in outcome.err
