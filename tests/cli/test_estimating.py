"""``--estimate``: estimates with intervals from the command line, and in plans."""

from __future__ import annotations

import json

import pytest

import triadic as library
from triadic.cli.estimates import draw_interval
from triadic.cli.printing import drawable
from triadic.measures.estimates.estimate import transitivity_of


@pytest.fixture
def network(tmp_path):
    path = tmp_path / "network.txt"
    library.write(library.generate.rmat(9, seed=1, directed=True), path)
    return path


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("clustering", ["triangles", "transitivity", "average_clustering"]),
        ("census", list(library.TRIAD_NAMES)),
        ("graphlets", ["2-path", "triangle", "3-path", "claw", "4-cycle", "paw", "diamond", "4-clique"]),
    ],
)
def test_estimates_as_json_hold_the_exact_values(triadic, network, command, names):
    options = ["--estimate", "--samples", "20000", "--seed", "3", "--confidence", "99.9999%", "--json"]
    outcome = triadic(command, network, *options)
    assert (outcome.code, outcome.out.count("\n")) == (0, 1)
    record = json.loads(outcome.out)
    found = {name: ends for each in record["estimates"] for name, ends in each["estimates"].items()}
    assert list(found) == names
    graph = library.read(network)
    exact = {
        "clustering": lambda: {
            "triangles": library.triangle_count(graph),
            "transitivity": library.transitivity(graph),
            "average_clustering": library.average_clustering(graph),
        },
        "census": lambda: library.triad_census(graph).to_dict(),
        "graphlets": lambda: library.graphlet_transform(graph).totals,
    }[command]()
    for name, ends in found.items():
        assert ends["low"] * (1 - 1e-9) <= exact[name] <= ends["high"] * (1 + 1e-9)
    assert all(each["seed"] == 3 for each in record["estimates"])
    assert (
        json.loads(triadic(command, network, *options).out)["estimates"][0]["estimates"]
        == (record["estimates"][0]["estimates"])
    )


@pytest.mark.parametrize("command", ["clustering", "census", "graphlets"])
def test_a_table_shows_the_error_and_draws_the_interval(triadic, network, command):
    outcome = triadic(command, network, "--estimate", "--error", "10%", "--max-seconds", "20s", "--seed", "1")
    assert outcome.code == 0
    assert "±" in outcome.out
    assert any(mark in outcome.out for mark in "│┼")
    assert "random draws, seed 1" in outcome.out


def test_an_estimate_that_stops_early_says_so(triadic, network):
    outcome = triadic(
        "clustering", network, "--estimate", "--error", "0.0001%", "--max-seconds", "0.05s", "--seed", "1"
    )
    assert outcome.code == 0
    assert "stopped by --max-seconds before all intervals were ± 0.0001%" in outcome.err


def test_a_most_of_draws_is_kept_and_named(triadic, network):
    outcome = triadic("clustering", network, "--estimate", "--error", "0.1%", "--max-samples", "5000", "--seed", "1")
    assert "triangles: stopped by --max-samples before all intervals were ± 0.1%: the widest is" in outcome.err
    assert "average clustering: stopped by --max-samples" in outcome.err
    options = ["--estimate", "--error", "0.1%", "--max-samples", "5000", "--json"]
    record = json.loads(triadic("clustering", network, *options).out)
    assert all(each["samples"] + each["pilot"] <= 5000 for each in record["estimates"])


@pytest.mark.parametrize("options", [{"samples": 3000}, {"error": 0.05}, {"error": 0.001, "max_samples": 4000}])
def test_the_transitivity_rests_on_the_draws_of_the_triangles(options):
    graph = library.generate.rmat(9, seed=1)
    triangles = library.estimate(graph, of="triangles", seed=2, **options)
    found, drawn = transitivity_of(triangles, graph), library.estimate(graph, of="transitivity", seed=2, **options)
    for name in ("value", "low", "high"):
        assert getattr(found, name) == pytest.approx(getattr(drawn, name), rel=1e-12)
    for name in ("of", "names", "samples", "pilot", "stopped", "exact"):
        assert getattr(found, name) == getattr(drawn, name)
    star = library.Graph.from_edges([0], [1])
    assert transitivity_of(library.estimate(star, of="triangles", samples=5), star).value == 0


def test_a_tiny_error_is_shown_as_a_bound(triadic, tmp_path):
    library.write(library.generate.erdos_renyi(3000, 3000, seed=1), tmp_path / "sparse.txt")
    outcome = triadic("census", tmp_path / "sparse.txt", "--estimate", "--samples", "20000", "--seed", "1")
    assert "<0.0001%" in outcome.out
    assert "e-" not in outcome.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--error", "1%"], "--error 1%: expected --estimate as well"),
        (["--seed", "1"], "--seed 1: expected --estimate as well"),
        (["--estimate", "--error", "a few"], "--error a few: expected a share above 0, such as 1% or 0.01"),
        (["--estimate", "--error", "5"], "--error 5: expected a share, such as 1% or 0.01; for percent write 5%"),
        (["--estimate", "--error", "0%"], "--error 0%: expected a share above 0, such as 1% or 0.01"),
        (["--estimate", "--error", "nan"], "--error nan: expected a share above 0, such as 1% or 0.01"),
        (["--estimate", "--max-seconds", "0s"], "--max-seconds 0s: expected a duration, such as 30s, 2min or 1h"),
        (["--estimate", "--samples", "0"], "--samples 0: expected at least 1"),
        (["--estimate", "--max-samples", "0"], "--max-samples 0: expected at least 1"),
        (["--max-samples", "9"], "--max-samples 9: expected --estimate as well"),
        (
            ["--estimate", "--samples", "5", "--max-samples", "9"],
            "--max-samples and --samples: expected one of the two",
        ),
        (["--estimate", "--max-seconds", "soon"], "--max-seconds soon: expected a duration, such as 30s, 2min or 1h"),
        (["--estimate", "--error", "1%", "--samples", "5"], "--error and --samples: expected one of the two"),
        (
            ["--estimate", "--confidence", "100%"],
            "--confidence 100%: expected a share between 0% and 100%",
        ),
        (
            ["--estimate", "--confidence", "95"],
            "--confidence 95: expected a share, such as 95% or 0.95; for percent",
        ),
        (["--estimate", "-o", "vertices.csv"], "-o: an estimate is one of the whole network"),
    ],
)
def test_options_that_do_not_go_together_are_named(triadic, network, options, message):
    outcome = triadic("clustering", network, *options)
    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("command", ["clustering", "census"])
def test_tiles_are_estimated(triadic, network, tmp_path, command):
    options = ["--estimate", "--samples", "20000", "--seed", "3", "--confidence", "99.9999%", "--json"]
    tiled = json.loads(triadic(command, network, *options, "--tiles", tmp_path / "tiles").out)
    assert "tasks" not in tiled["tiles"]
    again = json.loads(triadic(command, tmp_path / "tiles", *options).out)
    assert [each["estimates"] for each in again["estimates"]] == [each["estimates"] for each in tiled["estimates"]]
    held = tiled["estimates"][0]["estimates"]["300" if command == "census" else "triangles"]
    graph = library.read(network)
    exact = library.triad_census(graph)["300"] if command == "census" else library.triangle_count(graph)
    assert held["low"] <= exact <= held["high"]


def test_graphlets_of_tiles_are_refused(triadic, network):
    outcome = triadic("graphlets", network, "--estimate", "--memory", "1GB")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "--memory 1GB: an estimate of graphlets is counted in memory only" in outcome.err


def test_a_plan_proposes_an_estimate_if_counting_takes_longer(triadic):
    size = ["--num-vertices", "10000000", "--edges", "2000000000", "--memory", "1TB"]
    outcome = triadic("plan", *size, "--max-seconds", "30s", "--error", "2%")
    assert "triadic clustering FILE --estimate --error 2% --max-seconds 30s" in outcome.out.replace("'", "").replace(
        "\n", " "
    )
    record = json.loads(
        triadic("plan", *size, "--of", "graphlets of four vertices", "--max-seconds", "30s", "--json").out
    )
    assert "triadic graphlets FILE --estimate" in record["proposal"]
    assert json.loads(triadic("plan", *size, "--max-seconds", "1000h", "--json").out)["proposal"] == ""
    small = ["--num-vertices", "300000", "--edges", "1000000", "--memory", "1GB"]
    useless = json.loads(triadic("plan", *small, "--max-seconds", "0.01s", "--json").out)["proposal"]
    assert "An estimate would take longer, too" in useless
    assert "--estimate" not in useless
    assert "proposal" not in json.loads(triadic("plan", *size, "--json").out)
    wrong = triadic("plan", *size, "--error", "2%")
    assert (wrong.code, wrong.err) == (2, "triadic: --error 2%: expected --max-seconds as well\n")


def test_an_interval_that_is_wider_than_its_drawing_is_cut():
    assert draw_interval(10.0, 0.0, 100.0) == "├─────────┼─────────┤"
    assert draw_interval(0.0, 0.0, 100.0) == ""
    assert drawable(draw_interval(100.0, 80.0, 120.0), "ascii") == "      [---+---]      "
    assert draw_interval(100.0, 99.5, 101.0, reach=0.01) == "     ├────┼─────────┤"


@pytest.mark.parametrize("command", ["clustering", pytest.param("census", marks=pytest.mark.nightly)])
def test_a_cluster_estimates_what_one_process_does(triadic, network, tmp_path, command, cluster):
    options = ["--estimate", "--samples", "20000", "--seed", "3", "--json"]
    alone = json.loads(triadic(command, network, *options, "--tiles", tmp_path / "tiles").out)
    for path in (tmp_path / "tiles", network):
        found = json.loads(triadic(command, path, *options, "--dask", cluster).out)
        assert set(found["tiles"]) == {"ranges", "workers"}
        assert found["tiles"]["workers"] == 2
        if path == network:  # in memory, vertices of the same degree can have other ranks
            continue
        assert [each["estimates"] for each in found["estimates"]] == [each["estimates"] for each in alone["estimates"]]


def test_counts_have_no_decimals_and_wide_intervals_whole_percentages(triadic, network):
    outcome = triadic("graphlets", network, "--estimate", "--samples", "60", "--seed", "2")
    values = [line.split()[1] for line in outcome.out.splitlines() if "%" in line and "path" in line]
    assert len(values) == 2
    assert all("," in value and "." not in value for value in values)
    assert "e+" not in outcome.out
