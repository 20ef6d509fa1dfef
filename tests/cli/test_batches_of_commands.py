"""Commands that count many graphs: what they take for a batch, and the rows that they print and write."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

import triadic as package
from pairs import by_night, pairs
from triadic import read_batch

COMMANDS_OF_NETWORKS = [
    *("clustering", "census", "graphlets", "orbits", "significance", "report", "compare", "convert", "tile", "plan"),
    "info",
]
COMMANDS = ["clustering", "census", "graphlets", "orbits"]


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

    def test_is_described_by_info(self, triadic, inputs, batch):
        words, _ = BATCHES[batch]
        facts = json.loads(triadic("info", *words, "--json").out)
        assert (facts["graphs"], facts["vertices"], facts["edges"]) == (2, 6, 5)
        assert (facts["directed"], facts["direction"] in ("given", "stated")) == (False, True)
        assert "directed no, as the " in " ".join(triadic("info", *words).out.split())


# Every two of batches, commands and suffixes in each run; all of them in the nightly run.
SUFFIXES = [".csv", ".parquet", ".npy"]


@pytest.mark.parametrize(
    ("batch", "command", "suffix"),
    by_night(pairs(BATCHES, COMMANDS, SUFFIXES), BATCHES, COMMANDS, SUFFIXES),
)
def test_a_batch_is_written_with_a_row_for_each_vertex(triadic, inputs, batch, command, suffix):
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
    labels = table["label"].tolist() if suffix == ".npy" else table["label"].to_pylist()
    assert labels == ([1, 2, 3] if words[0].endswith(".csv") else [0, 1, 2]) * 2


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


@pytest.mark.parametrize("size", [4, 5])
def test_orbits_are_those_of_the_graphs(triadic, inputs, size):
    batch = read_batch("D")
    triadic("orbits", "D", "--size", str(size), "-o", "orbits.csv")
    table = pyarrow.csv.read_csv("orbits.csv")
    for name, column in package.graphlets(batch, size=size).items():
        assert table["edges" if name == "edge" else name].to_pylist() == column.tolist()
    triadic("orbits", "D", "--size", str(size), "-o", "orbits.csv", "--by-vertex")
    table = pyarrow.csv.read_csv("orbits.csv")
    assert table.column_names == ["graph", "label", *(f"orbit {i}" for i in range({4: 15, 5: 73}[size]))]
    for i, column in enumerate(package.graphlets(batch, size=size, by="vertex").T):
        assert table[f"orbit {i}"].to_pylist() == column.tolist()


@pytest.fixture
def rings(tmp_path, monkeypatch):
    """A file of two rings with chords, which have random networks of the same degrees."""
    monkeypatch.chdir(tmp_path)
    ring = [(i, (i + 1) % 8) for i in range(8)]
    rows = [f"{name},{u},{v}" for name, chords in (("a", [(0, 2)]), ("b", [(0, 4), (1, 5)])) for u, v in ring + chords]
    (tmp_path / "rings.csv").write_text("\n".join(["graph,from,to", *rows, ""]))
    return read_batch("rings.csv", directed=False)


def test_significance_has_a_row_for_each_graph(triadic, rings):
    words = ["significance", "rings.csv", "--batch", "--undirected", "--samples", "20", "--seed", "3"]
    outcome = triadic(*words, "-o", "rows.parquet")
    assert outcome.code == 0, outcome.err
    expected = package.significance(rings, samples=20, seed=3)
    table = pyarrow.parquet.read_table("rows.parquet")
    assert table.column_names == ["graph", "vertices", "edges", *expected]
    for name, column in expected.items():
        np.testing.assert_array_equal(np.array(table[name].to_pylist(), dtype=float), column.astype(float))
    heading = next(line for line in outcome.out.splitlines() if line.startswith("graph "))
    assert "triangle z" in heading
    assert "triangle mean" not in heading
    assert ["seed", "3"] in [line.split() for line in outcome.out.splitlines()]
    record = json.loads(triadic(*words, "--json", "--of", "clustering").out)
    assert (record["samples"], record["seed"]) == (20, 3)
    assert record["graphs"][1]["transitivity count"] == 0


def test_significance_of_triads_says_once_that_edges_are_mutual(triadic, rings):
    words = ["significance", "rings.csv", "--batch", "--samples", "5", "--of", "triads"]
    assert triadic(*words, "--undirected").err.count("every edge is counted as mutual") == 1
    outcome = triadic(*words, "--json")
    assert outcome.code == 0, outcome.err
    assert 0 <= json.loads(outcome.out)["seed"] < 2**64


@pytest.mark.parametrize("command", ["report", "convert", "tile"])
def test_other_commands_say_what_a_data_set_is(triadic, inputs, command):
    target = {"convert": ["d.csv"], "tile": ["d.tiles"]}.get(command, [])
    assert "D: is a data set of TU Dortmund, which holds many graphs" in triadic(command, "D", *target).complaint


@pytest.mark.parametrize("command", ["clustering", "orbits", "significance", "info", "report"])
def test_a_file_of_a_data_set_is_named_with_its_folder(triadic, inputs, command):
    complaint = triadic(command, "D/D_A.txt").complaint
    assert "D/D_A.txt: is a file of D, a data set of TU Dortmund, which holds many graphs" in complaint
    assert "triadic.read_batch('D') reads all of them" in complaint


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
    assert "graph labels 2 different" in " ".join(triadic("info", "D").out.split())


def test_only_the_first_graphs_are_printed_and_columns_of_zeros_are_named(triadic, inputs):
    (inputs / "many.g6").write_text("Bg\n" * 30)
    out = triadic("graphlets", "many.g6").out
    assert "0 in every graph: triangle, 3-path, claw, 4-cycle, paw, diamond, 4-clique." in out
    assert "20 more graphs: -o FILE writes a row for each graph" in out
    assert "63 other columns" in triadic("census", "many.g6", "--labelled").out


def test_weighted_coefficients_are_averaged_in_each_graph(triadic, inputs):
    words = ["days.csv", "--graph", "day", "--undirected", "--weights", "w"]
    rows = json.loads(triadic("clustering", *words, "--json").out)["graphs"]
    batch = read_batch("days.csv", graph="day", directed=False, weights="w")
    expected = [package.weighted_clustering(graph).mean() for graph in batch]
    assert [row["average_onnela"] for row in rows] == pytest.approx(expected)
    triadic("clustering", *words, "-o", "rows.csv", "--by-vertex")
    found = pyarrow.csv.read_csv("rows.csv")["clustering_onnela"].to_pylist()
    assert found == pytest.approx(package.weighted_clustering(batch).tolist())


def test_weights_are_divided_by_the_largest_of_their_graph(triadic, inputs):
    rows = ["g,source,target,w", "a,1,2,1", "a,2,3,1", "a,3,1,1", "b,1,2,50", "b,2,3,50", "b,3,1,100"]
    (inputs / "weights.csv").write_text("\n".join(rows))
    for direction in ([], ["--undirected"]):
        out = triadic("clustering", "weights.csv", "--graph", "g", "--weights", "w", "--json", *direction).out
        averages = [row["average_onnela"] for row in json.loads(out)["graphs"]]
        assert averages == pytest.approx([1, 0.25 ** (1 / 3)])


def test_a_pattern_that_the_shell_replaced_is_to_be_quoted(triadic, inputs):
    error = triadic("graphlets", "a.txt", "b.txt", "--batch").err
    assert "(b.txt); quote a pattern of files, such as 'graphs/*.gml'; see triadic graphlets --help" in error
    assert "quote" not in triadic("tile", "a.txt", "b.tiles", "c.txt").err


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
        (["clustering", "D", "--num-vertices", "9"], "--num-vertices 9: expected one network, not many graphs"),
        (["graphlets", "D", "--min-weight", "2"], "--min-weight 2: expected one network, not many graphs"),
        (["clustering", "D", "--graph", "day"], "graph='day': expected one CSV or Parquet file, got"),
        (["clustering", "days.csv", "--batch"], "the columns are day, from, to, w; none has a usual name of a graph"),
        (["census", "D", "--labelled", "--by-vertex", "-o", "x.csv"], "--by-vertex counts the 16 types only"),
    ],
)
def test_options_that_do_not_fit_are_refused_in_one_line(triadic, inputs, words, complaint):
    assert complaint in triadic(*words).complaint


def test_a_census_without_directions_says_so_once(triadic, inputs):
    assert triadic("census", "D").err == "triadic: the graphs have no directions: every edge is counted as mutual\n"


@pytest.mark.parametrize("network", ["D", "graphs.g6"])
def test_a_plan_of_many_graphs_is_made_of_their_sums(triadic, inputs, network):
    outcome = triadic("plan", network)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert f"{network}: holds many graphs (" in outcome.err
    assert (
        f"--num-vertices N and --edges M in place of FILE, the sums that `triadic info {network}` prints" in outcome.err
    )
    facts = json.loads(triadic("info", network, "--json").out)
    planned = triadic("plan", "--num-vertices", str(facts["vertices"]), "--edges", str(facts["edges"]), "--json")
    assert json.loads(planned.out)["edges"] == 5


def test_the_help_of_every_command_with_batches_mentions_them(triadic):
    helps = {command: " ".join(triadic(command, "--help").out.split()) for command in COMMANDS_OF_NETWORKS}
    with_batches = {command for command, text in helps.items() if " --graph COLUMN " in text}
    assert with_batches >= {*COMMANDS, "info"}
    for command, text in helps.items():
        assert ("Or many graphs: a data set of TU Dortmund" in text) == (command in with_batches), command
    assert "Many graphs are counted in memory, as one graph" in helps["plan"]
