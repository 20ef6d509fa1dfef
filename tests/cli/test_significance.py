"""``triadic significance``: its output and its files."""

from __future__ import annotations

import json

import pytest

import triadic as library
from triadic.core.triad_types import TRIAD_NAMES
from triadic.measures.registry import countable
from triadic.measures.significance.significance import significance


@pytest.fixture
def tangle(tmp_path):
    path = tmp_path / "tangle.triadic"
    library.write(library.generate.rmat(6, seed=1, directed=True), path)
    return path


@pytest.fixture
def star(tmp_path):
    path = tmp_path / "star.txt"
    path.write_text("0 1\n0 2\n0 3\n0 4\n")
    return path


def test_json_has_the_figures_of_the_measure(triadic, tangle):
    outcome = triadic("significance", tangle, "--samples", "5", "--seed", "7", "--json")
    assert (outcome.code, outcome.err, outcome.out.count("\n")) == (0, "", 1)
    record = json.loads(outcome.out)
    expected = significance(library.read(tangle), samples=5, seed=7)
    assert record["triads"] == expected.to_dict()
    assert list(record["triads"]["030T"]) == ["count", "mean", "std", "z", "p", "q"]
    assert record["profile"]["030T"] == expected.profile["030T"]
    assert (record["null"], record["samples"], record["seed"]) == ("mutual", 5, 7)
    assert (record["steps"], record["resolution"]) == (expected.steps, 1 / 3)
    assert (record["device"], record["graph"]["arcs"]) == ("cpu", library.read(tangle).num_arcs)


@pytest.mark.parametrize("of", ["clustering", "graphlets", "graphlets of five vertices"])
def test_other_counts_and_another_null(triadic, tangle, of):
    words = ["significance", tangle, "--of", of, "--null", "gnm", "--samples", "3", "--seed", "7"]
    record = json.loads(triadic(*words, "--json").out)
    assert record[of] == significance(library.read(tangle), of=of, null="gnm", samples=3, seed=7).to_dict()
    assert record["steps"] is None
    table = triadic(*words).out
    assert "directions left out" in table
    assert set(record[of]) <= {line.split("  ")[0] for line in table.splitlines()}


def test_the_table_has_a_column_each(triadic, tangle):
    outcome = triadic("significance", tangle, "--samples", "3", "--steps", "50", "--seed", "7")
    assert (outcome.code, outcome.err) == (0, "")
    lines = [line.split() for line in outcome.out.splitlines()]
    assert ["name", "count", "mean", "std", "z", "p", "q", "profile"] in lines
    assert ["steps", "50", "of", "edge", "switching", "per", "random", "network"] in lines
    assert sum(line[:1] == ["030T"] and len(line) - line.count("≤") == 8 for line in lines) == 1


def test_without_directions_the_table_has_the_four_symmetric_types(triadic, tmp_path):
    path = tmp_path / "ring.txt"
    path.write_text("0 1\n1 2\n2 3\n3 4\n4 5\n5 0\n")
    outcome = triadic("significance", path, "--undirected", "--of", "triads", "--samples", "3")
    assert outcome.err == "triadic: ring.txt has no directions: every edge is counted as mutual\n"
    first = [line.split(" ")[0] for line in outcome.out.splitlines()]
    assert [name for name in first if name in TRIAD_NAMES] == ["003", "102", "201", "300"]


def test_an_undirected_network_is_compared_by_clustering_and_graphlets(triadic, tmp_path):
    path = tmp_path / "ring.txt"
    path.write_text("".join(f"{u} {v % 30}\n" for u in range(30) for v in (u + 1, u + 2)))
    words = ["significance", path, "--undirected", "--samples", "20", "--seed", "1"]
    outcome = triadic(*words)
    assert (outcome.code, outcome.err) == (0, "")
    names = [line.split(" ")[0] for line in outcome.out.splitlines()]
    assert names[names.index("name") + 1 :][:10] == [*countable("clustering").names, *countable("graphlets").names]
    assert "  ≤ 0.096  " in next(line for line in outcome.out.splitlines() if line.startswith("triangle"))
    record = json.loads(triadic(*words, "--json").out)
    assert (list(record["clustering"]), list(record["graphlets"])) == (
        list(countable("clustering").names),
        list(countable("graphlets").names),
    )
    assert record["graphlets"]["triangle"]["p"] == record["resolution"] == 2 / 21
    assert json.loads(triadic(*words, "--of", "clustering,graphlets", "--json").out)["profile"] == record["profile"]


def test_a_terminal_without_unicode_gets_ascii(tangle, printed_in_ascii):
    assert "<= 0.67" in printed_in_ascii("significance", tangle, "--samples", "2", "--seed", "1")


def test_an_undefined_z_is_null_and_undefined(triadic, tmp_path):
    path = tmp_path / "matching.txt"
    path.write_text("0 1\n2 3\n4 5\n")
    record = json.loads(triadic("significance", path, "--samples", "3", "--directed", "--json").out)
    assert (record["triads"]["012"]["z"], record["profile"]["030T"]) == (None, None)
    assert "undefined" in triadic("significance", path, "--samples", "3", "--directed").out


def test_the_table_is_written(triadic, tangle, tmp_path):
    pa_csv, pq = pytest.importorskip("pyarrow.csv"), pytest.importorskip("pyarrow.parquet")
    words = ["significance", tangle, "--samples", "3", "--seed", "7"]
    expected = significance(library.read(tangle), samples=3, seed=7)
    for suffix, read in ((".csv", pa_csv.read_csv), (".parquet", pq.read_table)):
        path = tmp_path / f"found{suffix}"
        assert triadic(*words, "-o", path).code == 0
        table = read(path)
        assert table.column_names == ["name", "count", "mean", "std", "z", "p", "q", "profile"]
        assert table["count"].to_pylist() == list(expected.counts)
        assert table["profile"].to_pylist()[0] is None


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--of", "motifs"], "--of 'motifs': expected one of 'triangles'"),
        (["--of", "triads,clustering", "--directed"], "'triads' and 'clustering' differ in whether directions count"),
        (["--null", "chance"], "--null chance: expected degrees, mutual, gnm, configuration"),
        (["--samples", "1"], "--samples 1: expected at least 2"),
        (["--steps", "-1", "--directed"], "steps=-1"),
        (["--undirected", "--null", "mutual"], "the graph is undirected"),
        (["--device", "abacus"], "abacus"),
        (["-o", "found.txt"], ".csv .parquet"),
        (["-o", "nowhere/found.csv"], "there is no folder nowhere"),
        (["--directed"], "nothing can be moved"),
    ],
)
def test_a_wrong_option_is_an_error_of_one_line(triadic, star, words, found):
    assert found in triadic("significance", star, *words).complaint


# groups, positions and diagnosis


@pytest.fixture
def connectome(tmp_path):
    made = library.generate.connectome(120, 700, types=4, seed=1)
    source, target = made.graph.edges()
    labels = [f"N{vertex}" for vertex in range(120)]
    rows = "".join(f"{labels[u]},{labels[v]}\n" for u, v in zip(source.tolist(), target.tolist(), strict=True))
    (tmp_path / "neurons.csv").write_text(f"pre,post\n{rows}")
    kinds = "".join(f"{label},type {kind}\n" for label, kind in zip(labels, made.types.tolist(), strict=True))
    (tmp_path / "types.csv").write_text(f"neuron,type\n{kinds}N999,type 1\n")
    places = "".join(f"{label} {x} {y} {z}\n" for label, (x, y, z) in zip(labels, made.positions.tolist(), strict=True))
    (tmp_path / "places.txt").write_text(f"# in micrometres\n{places}")
    return tmp_path


def test_groups_and_positions_are_read_by_label(triadic, connectome):
    words = ["significance", connectome / "neurons.csv", "--directed", "--samples", "3", "--seed", "1", "--json"]
    options = ["--groups", connectome / "types.csv", "--positions", connectome / "places.txt", "--bins", "3"]
    outcome = triadic(*words, *options, "--steps", "500")
    assert outcome.code == 0
    assert outcome.err == (
        "triadic: types.csv: 1 row of vertices that are not in the network\n"
        "triadic: types.csv: groups are in column 1, which begins with 'type'\n"
    )
    record = json.loads(outcome.out)
    assert (record["kept"], record["null"], record["diagnosis"]) == ("4 groups, 3 bins of length", "mutual", None)
    graph = library.read(connectome / "neurons.csv", directed=True)
    made = library.generate.connectome(120, 700, types=4, seed=1)
    at = [int(label[1:]) for label in graph.labels]
    expected = significance(
        graph,
        groups=[f"type {k}" for k in made.types[at]],
        positions=made.positions[at],
        bins=3,
        samples=3,
        steps=500,
        seed=1,
    )
    assert record["triads"] == expected.to_dict()


def test_the_diagnosis_is_printed(triadic, connectome):
    words = ["significance", connectome / "neurons.csv", "--directed", "--samples", "5", "--seed", "1", "--diagnose"]
    outcome = triadic(*words, "--steps", "50")
    assert "not mixed" in outcome.out
    assert "the walks of 50 steps are too short" in outcome.err
    record = json.loads(triadic(*words, "--json", "--null", "degrees").out)
    assert record["diagnosis"]["counts"]["030T"]["effective"] > 1
    assert set(record["diagnosis"]) == {"mixed", "reasons", "accepted", "in_place", "counts"}
    kept = triadic(*words, "--groups", connectome / "types.csv", "--effective", "1").out
    assert "4 groups" in kept


def test_of_several_columns_one_has_to_be_named_for_the_groups(triadic, connectome):
    kinds = [line.split(",") for line in (connectome / "types.csv").read_text().splitlines()]
    table = connectome / "cells.csv"
    table.write_text("".join(f"{label},{i},{kind}\n" for i, (label, kind) in enumerate(kinds)).replace(",0,", ",size,"))
    words = [
        "significance",
        connectome / "neurons.csv",
        "--directed",
        "--samples",
        "3",
        "--seed",
        "1",
        "--steps",
        "500",
    ]
    asked = f"{table}: which column has the groups? expected {table}:COLUMN, and COLUMN is one of 'size', 'type'"
    assert triadic(*words, "--groups", table).complaint == asked
    assert triadic(*words, "--groups", f"{table}:kind").complaint == asked
    assert triadic(*words, "--groups", f"{table}:0").complaint == asked
    expected = json.loads(triadic(*words, "--groups", connectome / "types.csv", "--json").out)
    for column in ("type", "2"):
        outcome = triadic(*words, "--groups", f"{table}:{column}", "--json")
        assert "groups are in column 2, which begins with 'type'" in outcome.err
        found = json.loads(outcome.out)
        assert (found["kept"], found["triads"]) == (expected["kept"], expected["triads"])


@pytest.mark.parametrize(
    ("table", "option", "found"),
    [
        ("N0,a\n", "--groups", "of 120 vertices have no row, such as vertex N"),
        ("N0\n", "--groups", "line 1: expected at least 2 columns, got 1"),
        ("neuron,type\nN0,a\nN0,b\n", "--groups", "vertex N0 has another row with other values"),
        ("", "--groups", "the file is empty"),
        ("N0,1\n", "--positions", "expected at least 3 columns, got 2"),
        ("\xff\xfe", "--groups", "line 1: expected at least 2 columns, got 1"),
    ],
    ids=repr,
)
def test_a_bad_table_of_vertices_is_an_error(triadic, connectome, table, option, found):
    path = connectome / "bad.csv"
    path.write_text(table)
    outcome = triadic("significance", connectome / "neurons.csv", "--directed", option, path)
    assert outcome.code == 2
    assert found in outcome.err
    assert outcome.err.count("\n") == 1


def test_bad_coordinates_and_bins_are_errors(triadic, connectome):
    path = connectome / "bad.csv"
    path.write_text("".join(f"N{v},1,{'here' if v == 7 else 2}\n" for v in range(120)))
    words = ["significance", connectome / "neurons.csv", "--directed", "--samples", "2"]
    assert "vertex N7 is at 1, here; expected numbers" in triadic(*words, "--positions", path).err
    path.write_text("".join(f"N{v},1,2{',3' * (v == 7)}\n" for v in range(120)))
    assert "line 8: expected 3 columns as in the first row, got 4" in triadic(*words, "--positions", path).err
    assert "--bins many: expected a number of bins" in triadic(*words, "--bins", "many").err
    assert "--bins 3: bins of length need --positions" in triadic(*words, "--bins", "3").err


def test_the_tolerance_of_strengths_is_an_option(triadic, connectome):
    graph = library.read(connectome / "neurons.csv", directed=True)
    rows = "".join(
        f"{graph.labels[u]},{graph.labels[v]},{1 + u % 3 + v % 2}\n"
        for u, v in zip(*(ends.tolist() for ends in graph.edges()), strict=True)
    )
    (connectome / "synapses.csv").write_text(f"pre,post,number\n{rows}")
    words = ["significance", connectome / "synapses.csv", "--directed", "--samples", "2", "--seed", "1", "--json"]
    words += ["--weights", "number", "--of", "intensity"]
    outcome = triadic(*words, "--keep-weights", "strength", "--tolerance", "0.3")
    assert outcome.code == 0
    weighted = library.read(connectome / "synapses.csv", directed=True, weights="number")
    keywords = {"of": "intensity", "samples": 2, "seed": 1}
    expected = significance(weighted, keep_weights="strength", tolerance=0.3, **keywords)
    assert json.loads(outcome.out)["intensity"] == expected.to_dict()
    assert expected.samples != significance(weighted, keep_weights="strength", tolerance=0.1, **keywords).samples
    assert "--tolerance 0.3: only --keep-weights strength" in triadic(*words, "--tolerance", "0.3").err
    assert "--keep-weights all: expected keep, shuffle, strength" in triadic(*words, "--keep-weights", "all").err


def test_types_are_shuffled(triadic, tmp_path):
    (tmp_path / "cells.csv").write_text(
        "cell,type,slice\n" + "".join(f"{i},{'BTM'[i % 3]},{i % 2}\n" for i in range(30))
    )
    (tmp_path / "edges.csv").write_text("".join(f"{i},{(i + step) % 30}\n" for i in range(30) for step in (1, 2)))
    words = ["significance", tmp_path / "edges.csv", "--undirected", "--attributes", tmp_path / "cells.csv"]
    words += ["--null", "types", "--types", "type", "--samples", "10", "--seed", "1"]
    record = json.loads(triadic(*words, "--of", "A - B; B - C; C - A", "--by", "type", "--json").out)
    assert record["null"] == "types"
    (rows,) = (value for name, value in record.items() if name.startswith("A - B"))
    assert rows["A - B; B - C; C - A: B, M, T"]["count"] == 30
    of = "A - B; B - C; C - A; A.type in ['B', 'T']; B.type = 'M'"
    printed = triadic(*words, "--of", of, "--groups", f"{tmp_path / 'cells.csv'}:slice").out
    assert "the same edges, and as many vertices of each type" in printed
    assert "2 groups  the same numbers of types in each" in printed
    assert triadic(*words, "--of", "triangles").complaint.startswith("of='triangles': null='types' permutes")
    assert triadic(*words, "--by", "vertex").complaint == "--by vertex: expected type"
