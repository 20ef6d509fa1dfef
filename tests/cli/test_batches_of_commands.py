"""Commands that count many graphs: what they take for a batch, and the rows that they print and write."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

import triadic as package
from triadic import read_batch

COMMANDS = ["clustering", "census", "graphlets"]


@pytest.fixture
def inputs(tmp_path, monkeypatch):
    """Several batches in the current folder, each of a triangle and of a path."""
    monkeypatch.chdir(tmp_path)
    files = {
        "D/D_A.txt": "1,2\n2,1\n1,3\n3,1\n2,3\n3,2\n4,5\n5,4\n5,6\n6,5\n",
        "D/D_graph_indicator.txt": "1\n1\n1\n2\n2\n2\n",
        "D/D_graph_labels.txt": "1\n-1\n",
        "graphs.g6": "Bw\nBg\n",
        "one.g6": ">>graph6<<\nBw\n",
        "folder/a.txt": "0 1\n1 2\n0 2\n",
        "folder/b.txt": "0 1\n1 2\n",
        "table.csv": "graph_id,from,to\n=a,1,2\n=a,2,3\n=a,1,3\nb,1,2\nb,2,3\n",
        "days.csv": "day,from,to,w\nMon,1,2,1\nMon,2,3,1\nMon,1,3,8\nTue,1,2,1\nTue,2,3,1\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


BATCHES = {
    "a data set": (["D"], [0, 1]),
    "several lines of graph6": (["graphs.g6"], [0, 1]),
    "a folder of files": (["folder", "--batch", "--undirected"], ["a", "b"]),
    "a column with a usual name": (["table.csv", "--batch", "--undirected"], ["=a", "b"]),
    "a column that is named": (["days.csv", "--graph", "day", "--undirected"], ["Mon", "Tue"]),
    "a column that is counted": (["days.csv", "--graph", "0", "--undirected"], ["Mon", "Tue"]),
}


@pytest.mark.parametrize("batch", BATCHES)
class TestEveryBatch:
    def test_has_a_row_of_json_for_each_graph(self, triadic, inputs, batch):
        words, names = BATCHES[batch]
        outcome = triadic("clustering", *words, "--json")
        assert outcome.code == 0, outcome.err
        record = json.loads(outcome.out)
        assert list(record) == ["batch", "graphs", "seconds", "device", "threads"]
        assert (record["batch"]["graphs"], record["batch"]["vertices"], record["batch"]["edges"]) == (2, 6, 5)
        assert record["batch"]["reciprocal_merged"] == 0
        assert [row["graph"] for row in record["graphs"]] == names
        assert [row["triangles"] for row in record["graphs"]] == [1, 0]
        assert [row["transitivity"] for row in record["graphs"]] == [1, 0]

    @pytest.mark.parametrize("command", COMMANDS)
    def test_is_printed_and_written_with_a_row_for_each_graph(self, triadic, inputs, batch, command):
        words, names = BATCHES[batch]
        outcome = triadic(command, *words, "-o", "rows.csv")
        assert outcome.code == 0, outcome.err
        table = pyarrow.csv.read_csv("rows.csv")
        assert table["graph"].to_pylist() == names
        assert table["vertices"].to_pylist() == [3, 3]
        assert table["edges"].to_pylist() == [3, 2]
        assert outcome.out.startswith(words[0] + ": ")
        printed = [line.split()[0] for line in outcome.out.splitlines() if line]
        place = printed.index("graph")
        assert printed[place + 1 : place + 3] == [str(name) for name in names]

    @pytest.mark.parametrize("command", COMMANDS)
    @pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npy"])
    def test_is_written_with_a_row_for_each_vertex(self, triadic, inputs, batch, command, suffix):
        words, names = BATCHES[batch]
        outcome = triadic(command, *words, "-o", f"rows{suffix}", "--by-vertex")
        assert outcome.code == 0, outcome.err
        if suffix == ".npy":
            table = np.load("rows.npy")
            columns, graphs = list(table.dtype.names), table["graph"].tolist()
        else:
            read = pyarrow.csv.read_csv if suffix == ".csv" else pyarrow.parquet.read_table
            columns, graphs = (table := read(f"rows{suffix}")).column_names, table["graph"].to_pylist()
        assert columns[:2] == ["graph", "label"]
        assert graphs == [name for name in names for _ in range(3)]

    def test_is_described_by_info(self, triadic, inputs, batch):
        words, _ = BATCHES[batch]
        facts = json.loads(triadic("info", *words, "--json").out)
        assert (facts["graphs"], facts["vertices"], facts["edges"]) == (2, 6, 5)
        assert (facts["directed"], facts["direction"] in ("given", "stated")) == (False, True)
        assert "directed      no, as the " in triadic("info", *words).out


def test_figures_are_those_of_the_measures(triadic, inputs):
    batch = read_batch("D")
    triadic("census", "D", "-o", "census.parquet")
    table = pyarrow.parquet.read_table("census.parquet")
    for name, column in package.triad_census(batch).items():
        assert table[name].to_pylist() == column.tolist()
    triadic("graphlets", "D", "-o", "graphlets.csv")
    table = pyarrow.csv.read_csv("graphlets.csv")
    totals = package.graphlet_transform(batch).graph_totals
    assert table.column_names == ["graph", "graph_label", "vertices", "edges", *list(totals)[2:]]
    for name in list(totals)[2:]:
        assert table[name].to_pylist() == totals[name].tolist()
    triadic("clustering", "D", "-o", "clustering.csv", "--by-vertex")
    table = pyarrow.csv.read_csv("clustering.csv")
    assert table["triangles"].to_pylist() == package.triangles(batch).tolist()
    assert table["clustering"].to_pylist() == package.clustering(batch).tolist()


def test_the_heading_says_what_was_taken(triadic, inputs):
    assert triadic("clustering", "D").out.startswith("D: data set of TU Dortmund\n")
    assert triadic("clustering", "graphs.g6").out.startswith("graphs.g6: graph6, a graph in each line\n")
    assert triadic("clustering", "folder", "--batch").out.startswith("folder: a graph in each file; columns 0 ")
    table = triadic("census", "table.csv", "--batch").out
    assert "to, graphs graph_id, header in line 1; read as directed (assumed, as the file does not state it)\n" in table


def test_other_files_are_one_network_as_before(triadic, inputs):
    assert json.loads(triadic("clustering", "one.g6", "--json").out)["triangles"] == 1
    assert json.loads(triadic("clustering", "folder", "--undirected", "--json").out)["graph"]["vertices"] == 3
    assert json.loads(triadic("clustering", "days.csv", "--undirected", "--json").out)["graph"]["vertices"] == 3


def test_a_packed_file_and_standard_input_are_batches_too(triadic, inputs, monkeypatch):
    (inputs / "graphs.g6.gz").write_bytes(gzip.compress(b"Bw\nBg\n"))
    assert len(json.loads(triadic("clustering", "graphs.g6.gz", "--json").out)["graphs"]) == 2
    with (inputs / "table.csv").open() as table:
        monkeypatch.setattr("sys.stdin", table)
        assert len(json.loads(triadic("clustering", "-", "--batch", "--undirected", "--json").out)["graphs"]) == 2


def test_labels_of_graphs_are_a_column(triadic, inputs):
    triadic("clustering", "D", "-o", "rows.csv")
    assert pyarrow.csv.read_csv("rows.csv")["graph_label"].to_pylist() == [1, -1]
    assert json.loads(triadic("info", "D", "--json").out)["graph_labels"] == 2
    assert "graph labels  2 different" in triadic("info", "D").out


def test_only_the_first_graphs_are_printed_and_columns_of_zeros_are_named(triadic, inputs):
    (inputs / "many.g6").write_text("Bg\n" * 30)
    out = triadic("graphlets", "many.g6").out
    assert "0 in every graph: triangle, 3-path, claw, paw, 4-cycle, diamond, 4-clique." in out
    assert "20 more graphs: -o FILE writes a row for each graph" in out
    assert "63 other columns" in triadic("census", "many.g6", "--types", "64").out


def test_weighted_coefficients_are_averaged_in_each_graph(triadic, inputs):
    words = ["days.csv", "--graph", "day", "--undirected", "--weights", "w"]
    rows = json.loads(triadic("clustering", *words, "--json").out)["graphs"]
    batch = read_batch("days.csv", graph="day", directed=False, weights="w")
    expected = [package.weighted_clustering(graph).mean() for graph in batch]
    assert [row["average_onnela"] for row in rows] == pytest.approx(expected)
    triadic("clustering", *words, "-o", "rows.csv", "--by-vertex")
    found = pyarrow.csv.read_csv("rows.csv")["clustering_onnela"].to_pylist()
    assert found == pytest.approx(package.weighted_clustering(batch).tolist())


def test_names_of_graphs_are_safe_for_spreadsheets(triadic, inputs):
    for by_vertex in ([], ["--by-vertex"]):
        words = ["table.csv", "--batch", "-o", "rows.csv", "--spreadsheet-safe", *by_vertex]
        assert triadic("clustering", *words).code == 0
        assert pyarrow.csv.read_csv("rows.csv")["graph"].to_pylist()[0] == "'=a"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["clustering", "D", "--by-vertex"], "--by-vertex: expected -o FILE as well, for the rows of the vertices"),
        (["clustering", "D", "-o", "rows.npy"], "rows.npy: tables are not written as '.npy'; expected .csv .parquet"),
        (["clustering", "D", "--memory", "1GB"], "--memory 1GB: a batch of graphs is counted in memory only"),
        (["clustering", "D", "--vertices", "9"], "--vertices 9: expected one network, not many graphs"),
        (["graphlets", "D", "--min-weight", "2"], "--min-weight 2: expected one network, not many graphs"),
        (["clustering", "D", "--graph", "day"], "graph='day': expected one CSV or Parquet file, got"),
        (["clustering", "days.csv", "--batch"], "the columns are day, from, to, w; none has a usual name of a graph"),
        (["census", "D", "--types", "64", "--by-vertex", "-o", "x.csv"], "--by-vertex counts the 16 types only"),
    ],
)
def test_options_that_do_not_fit_are_refused_in_one_line(triadic, inputs, words, complaint):
    assert complaint in triadic(*words).complaint


def test_a_census_without_directions_says_so_once(triadic, inputs):
    assert triadic("census", "D").err == "triadic: the graphs have no directions: every edge is counted as mutual\n"
