"""``--weights``, ``--min-weight`` and ``--max-weight``: weights that are read, averaged and filtered by."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

import triadic as library


@pytest.fixture
def meetings(tmp_path):
    """Two triangles that share a person, one of them with many meetings, and a tail of one meeting."""
    path = tmp_path / "meetings.csv"
    rows = ["ann,bob,9", "bob,cid,8", "ann,cid,7", "cid,dee,2", "dee,eve,2", "cid,eve,1", "eve,fay,1"]
    path.write_text("\n".join(["source,target,times", *rows, ""]))
    return path


def record_of(outcome):
    assert outcome.code == 0
    return json.loads(outcome.out)


def test_edges_below_a_weight_are_left_out_and_vertices_stay(triadic, meetings):
    outcome = triadic("clustering", meetings, "--undirected", "--weights", "times", "--min-weight", "2", "--json")
    record = record_of(outcome)
    assert (record["graph"]["vertices"], record["graph"]["edges"], record["triangles"]) == (6, 5, 1)
    assert outcome.err == "triadic: left out 2 of 7 arcs by their weights\n"
    assert (record["graph"]["loops_dropped"], record["graph"]["duplicates_dropped"]) == (0, 0)


@pytest.mark.parametrize(
    ("words", "edges"),
    [
        (["--max-weight", "2"], 4),
        (["--min-weight", "2", "--max-weight", "8"], 4),
        (["--min-weight", "-5"], 7),
        (["--min-weight", "100"], 0),
    ],
)
def test_limits_of_weights_are_included(triadic, meetings, words, edges):
    outcome = triadic("clustering", meetings, "--undirected", "--weights", "2", *words, "--json")
    assert record_of(outcome)["graph"]["edges"] == edges


def test_every_command_that_counts_filters(triadic, meetings, tmp_path):
    words = (meetings, "--undirected", "--weights", "times", "--min-weight", "2", "--json")
    for command in ("clustering", "census", "graphlets"):
        assert record_of(triadic(command, *words))["graph"]["edges"] == 5
    assert record_of(triadic("significance", *words, "--of", "clustering", "--samples", "2"))["graph"]["edges"] == 5
    networks = record_of(triadic("compare", meetings, *words))["networks"]
    assert [network["graph"]["edges"] for network in networks] == [5, 5]


@pytest.mark.usefixtures("_plots_not_rendered")
def test_a_report_names_the_options_of_weights(triadic, meetings, tmp_path):
    pytest.importorskip("jinja2")
    page = tmp_path / "page.html"
    words = ("--undirected", "--weights", "times", "--min-weight", "2", "--samples", "0")
    assert triadic("report", meetings, "-o", page, *words).code == 0
    assert "--weights times --min-weight 2" in page.read_text(encoding="utf-8")


def test_clustering_with_weights_prints_their_averages(triadic, meetings):
    outcome = triadic("clustering", meetings, "--undirected", "--weights", "times")
    lines = {line[:20].strip(): line[20:].split()[0] for line in outcome.out.splitlines() if line[20:].split()}
    graph = library.read(meetings, directed=False, weights="times")
    for name, method in {"by Onnela": "onnela", "by Barrat": "barrat", "by Zhang, Horvath": "zhang-horvath"}.items():
        assert lines[name] == f"{library.weighted_clustering(graph, method=method).mean():.6f}"
    assert "by Onnela" not in triadic("clustering", meetings, "--undirected").out


def test_weighted_averages_are_those_of_networkx(triadic, meetings):
    record = record_of(triadic("clustering", meetings, "--undirected", "--weights", "times", "--json"))
    graph = library.read(meetings, directed=False, weights="times").to_networkx()
    expected = nx.average_clustering(graph, weight="weight")
    assert record["average_weighted_clustering"]["onnela"] == pytest.approx(expected)
    assert list(record["average_weighted_clustering"]) == ["onnela", "barrat", "zhang-horvath"]


def test_weighted_coefficients_are_columns_of_the_table(triadic, meetings, tmp_path):
    table = tmp_path / "vertices.csv"
    assert triadic("clustering", meetings, "--undirected", "--weights", "times", "-o", table).code == 0
    columns = pyarrow.csv.read_csv(table)
    graph = library.read(meetings, directed=False, weights="times")
    assert columns.column_names[3:] == [
        "clustering", "clustering_onnela", "clustering_barrat", "clustering_zhang_horvath",
    ]  # fmt: skip
    barrat = library.weighted_clustering(graph, method="barrat")
    np.testing.assert_allclose(columns["clustering_barrat"].to_numpy(), barrat)


def test_weights_of_arcs_both_ways_are_added_up(triadic, tmp_path):
    one, both = tmp_path / "one.csv", tmp_path / "both.csv"
    one.write_text("source,target,w\n1,2,3\n2,3,5\n1,3,7\n")
    both.write_text("source,target,w\n1,2,1\n2,1,2\n2,3,5\n1,3,3\n3,1,4\n")
    found = [
        record_of(triadic("clustering", file, direction, "--weights", "w", "--json"))["average_weighted_clustering"]
        for file, direction in ((one, "--undirected"), (both, "--directed"))
    ]
    assert found[0] == found[1]


def test_only_the_average_of_onnela_is_defined_for_negative_weights(triadic, tmp_path):
    path = tmp_path / "signs.csv"
    path.write_text("source,target,sign\n1,2,1\n2,3,-1\n1,3,1\n")
    record = record_of(triadic("clustering", path, "--undirected", "--weights", "sign", "--json"))
    assert record["average_weighted_clustering"] == {"onnela": -1.0}


def test_a_range_of_weights_reads_the_weights_of_the_format(triadic, tmp_path):
    path = tmp_path / "links.net"
    path.write_text("*Vertices 3\n*Edges\n1 2 5\n2 3 1\n1 3 4\n")
    assert record_of(triadic("clustering", path, "--min-weight", "2", "--json"))["graph"]["edges"] == 2
    record = record_of(triadic("clustering", path, "--weights", "true", "--json"))
    assert record["average_weighted_clustering"]["barrat"] == 1.0


def test_a_folder_of_triadic_keeps_its_weights_for_a_range(triadic, meetings, tmp_path):
    folder = tmp_path / "meetings.triadic"
    assert triadic("convert", meetings, folder, "--undirected", "--weights", "times").code == 0
    assert record_of(triadic("clustering", folder, "--min-weight", "2", "--json"))["graph"]["edges"] == 5


def test_a_filtered_network_is_converted_with_its_weights(triadic, meetings, tmp_path):
    target = tmp_path / "strong.parquet"
    outcome = triadic("convert", meetings, target, "--undirected", "--weights", "times", "--min-weight", "7")
    assert (outcome.code, outcome.err) == (0, "triadic: left out 4 of 7 arcs by their weights\n")
    assert sorted(library.read(target, weights="weight", directed=False).weights) == [7, 7, 8, 8, 9, 9]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--min-weight", "3", "--max-weight", "2"], "--min-weight 3: expected at most --max-weight 2"),
        (["--weights", "price"], "price"),
        (["--min-weight", "2", "--memory", "1GB"], "--memory 1GB: a network with --min-weight 2 is counted in memory"),
        (
            ["--weights", "times", "--min-weight", "2", "--tiles", "x"],
            "--tiles x: a network with --weights times --min-weight 2 is counted in memory",
        ),
    ],
)
def test_wrong_options_of_weights_are_errors_of_one_line(triadic, meetings, words, complaint):
    assert complaint in triadic("clustering", meetings, "--undirected", *words).complaint


def test_a_file_without_weights_cannot_be_filtered_by_them(triadic, kite):
    assert "weights=True" in triadic("clustering", kite, "--min-weight", "2").complaint


def test_tiles_have_the_edges_of_all_weights(triadic, meetings, tmp_path):
    tiles = tmp_path / "tiles"
    complaint = triadic("tile", meetings, tiles, "--weights", "times", "--min-weight", "2").complaint
    assert complaint.startswith(
        "--weights times --min-weight 2: tiles have the edges of all weights; `triadic convert` "
    )
    assert not tiles.exists()
    library.tile(meetings, tiles)
    assert (
        "found a folder of tiles, but a network with --min-weight 2 is"
        in triadic("census", tiles, "--min-weight", "2").complaint
    )


def test_a_tiled_network_keeps_the_weights_that_the_option_names(triadic, meetings, tmp_path):
    tiles = tmp_path / "tiles"
    outcome = triadic("tile", meetings, tiles, "--undirected", "--weights", "times", "--combine", "max")
    graph = library.read(meetings, directed=False, weights="times", combine="max")
    assert f"weights {graph.weights.min():g} to {graph.weights.max():g}" in " ".join(outcome.out.split())
    assert library.TiledGraph(tiles).is_weighted
    facts = record_of(triadic("info", tiles, "--json"))
    assert (facts["min_weight"], facts["max_weight"]) == (graph.weights.min(), graph.weights.max())
    assert (facts["weights"], facts["combine"]) == ("times", "max")
    assert triadic("clustering", tiles, "--weights", "times").code == 0
    complaint = triadic("clustering", tiles, "--weights", "price").complaint
    assert complaint.startswith("--weights price: the tiles have the weights of times; use --weights true for them")
    assert "--combine" in triadic("tile", "--help").out
    words = ("tile", meetings, tiles, "--combine", "median")
    assert "combine='median': expected one of" in triadic(*words, "--weights", "times").complaint
    assert triadic(*words).complaint == "--combine median: expected --weights, which names the weights to combine"


def test_tiles_have_the_averages_of_the_graph_in_memory(triadic, meetings, tmp_path, cluster):
    words = ("clustering", meetings, "--undirected", "--weights", "times", "--json")
    expected = record_of(triadic(*words))["average_weighted_clustering"]
    tiles, table = tmp_path / "tiles", tmp_path / "vertices.csv"
    made = record_of(triadic(*words, "--tiles", tiles))
    found = record_of(triadic("clustering", tiles, "--weights", "true", "-o", table, "--json"))
    for record in (made, found):
        assert record["average_weighted_clustering"] == pytest.approx(expected, rel=1e-14)
    assert (
        table.read_text().splitlines()[0].endswith('"clustering_onnela","clustering_barrat","clustering_zhang_horvath"')
    )
    assert "average_weighted_clustering" not in record_of(triadic("clustering", tiles, "--json"))
    sent = record_of(triadic(*words, "--dask", cluster))
    assert sent["average_weighted_clustering"] == pytest.approx(expected, rel=1e-14)


def test_tiles_whose_weighted_averages_are_not_defined(triadic, meetings, tmp_path):
    library.tile(meetings, tmp_path / "directed", directed=True, weights="times")
    library.tile(meetings, tmp_path / "plain", directed=False)
    assert "the tiles have no weights" in triadic("clustering", tmp_path / "plain", "--weights", "true").complaint
    complaint = triadic("census", tmp_path / "directed", "--weights", "true").complaint
    assert "a network with --weights true is counted in memory only" in complaint


@pytest.fixture(params=[pytest.param("positive", marks=pytest.mark.nightly), "negative sums"])
def arcs(request, tmp_path):
    """Arcs one way and both ways with weights; some are negative, or none."""
    chance, path = np.random.default_rng(1), tmp_path / "arcs.csv"
    ends, weights = chance.integers(0, 40, (700, 2)), chance.integers(1, 100, 700) / 8
    if request.param == "negative sums":
        weights -= 3
    rows = (f"{u},{v},{w}" for (u, v), w in zip(ends, weights, strict=True))
    path.write_text("\n".join(["source,target,w", *rows, ""]))
    return path


def test_tiles_of_a_directed_network_have_the_averages_of_memory(triadic, arcs, tmp_path, cluster):
    tiles, parquet = tmp_path / "tiles", tmp_path / "vertices.parquet"
    words = ("--weights", "w", "--json")
    expected = record_of(triadic("clustering", arcs, "--directed", *words))
    assert triadic("tile", arcs, tiles, "--directed", "--weights", "w", "--ranges", "3").code == 0
    assert "undirected" not in library.TiledGraph(tiles).__repr__()
    for more in ((), ("--dask", cluster, "--results", tmp_path / "other"), ("-o", parquet)):
        found = record_of(triadic("clustering", tiles, *words, *more))
        assert found["triangles"] == expected["triangles"]
        assert found["average_weighted_clustering"] == pytest.approx(expected["average_weighted_clustering"], rel=1e-12)
    graph = library.read(arcs, directed=True, weights="w").to_undirected()
    onnela = pyarrow.parquet.read_table(parquet)["clustering_onnela"]
    np.testing.assert_allclose(onnela, library.weighted_clustering(graph), rtol=1e-12, atol=1e-13)
    assert triadic("plan", tiles, "--weights", "w").code == 0
    np.testing.assert_allclose(onnela, library.weighted_clustering(library.TiledGraph(tiles)), rtol=1e-14)


def test_sums_of_weights_that_exceed_floats_are_refused_with_a_remedy(triadic, tmp_path):
    path, tiles = tmp_path / "arcs.csv", tmp_path / "tiles"
    path.write_text("source,target,w\n1,2,1.5e308\n2,1,1.5e308\n2,3,1\n3,1,1\n")
    assert triadic("tile", path, tiles, "--directed", "--weights", "w").code == 0
    assert "make the tiles again with directed=False" in triadic("clustering", tiles, "--weights", "w").complaint


LINKS = {("A", "B"): 999, ("B", "C"): 710, ("A", "C"): 150, ("C", "D"): 400}  # as STRING has them, each from both ends


@pytest.fixture
def links(tmp_path):
    path = tmp_path / "9606.links.txt"
    rows = [f"{a} {b} {score}" for pair, score in LINKS.items() for a, b in (pair, pair[::-1])]
    path.write_text("\n".join(["protein1 protein2 combined_score", *rows, ""]))
    return path


def test_links_from_both_ends_are_filtered_by_their_scores_and_count_once(triadic, links, tmp_path):
    words = ("--undirected", "--weights", "combined_score", "--min-weight", "700")
    outcome = triadic("convert", links, tmp_path / "strong.csv", *words)
    assert outcome.err == (
        "triadic: left out 4 of 8 arcs by their weights\n"
        "triadic: weights of 2 edges given from both ends agree and count once\n"
    )
    strong = library.read(tmp_path / "strong.csv", weights="weight")
    assert (strong.num_edges, sorted(set(strong.weights))) == (2, [710, 999])
    record = record_of(triadic("clustering", links, *words, "--json"))
    assert record["graph"]["weights"] == "weights of 2 edges given from both ends agree and count once"
    # A file that nothing says the direction of is made undirected by the weighted coefficients.
    assert "4 edges given from both ends agree" in triadic("clustering", links, "--weights", "combined_score").err


def test_a_rule_of_weights_combines_arcs_that_a_limit_leaves(triadic, links, tmp_path):
    links.write_text(links.read_text().replace("B A 999", "B A 990").replace("C B 710", "C B 650"))
    words = ("convert", links, tmp_path / "strong.csv", "--undirected", "--weights", "combined_score")
    assert "but 2 of 4 such edges" not in triadic(*words).err  # half of them is no majority
    for combine, weights in {"max": {999, 710}, "min": {990, 710}, "first": {999, 710}}.items():
        assert triadic(*words, "--min-weight", "700", "--combine", combine).code == 0
        assert set(library.read(tmp_path / "strong.csv", weights="weight").weights) == weights
    assert triadic(*words, "--combine", "median").complaint.startswith("combine='median': expected one of 'sum'")
    words = ("clustering", links, "--combine", "max")
    assert triadic(*words).complaint == "--combine max: expected --weights, which names the weights to combine"


def test_tiles_say_what_was_done_with_weights_from_both_ends(triadic, links, tmp_path):
    outcome = triadic("tile", links, tmp_path / "tiles", "--undirected", "--weights", "combined_score")
    done = "weights of 4 edges given from both ends agree and count once"
    assert ["weights", "150", "to", "999", *done.split()] in [line.split() for line in outcome.out.splitlines()]
    facts = record_of(triadic("info", tmp_path / "tiles", "--json"))
    assert (facts["max_weight"], facts["combine"]) == (999, done)
