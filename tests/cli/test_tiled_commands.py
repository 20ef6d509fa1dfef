"""Counting by tiles on the command line, and ``triadic plan``."""

from __future__ import annotations

import json

import numpy as np
import pytest

import triadic as library
from triadic.planning import measures
from triadic.planning import plan as planning
from triadic.planning.measures import MEASURES
from triadic.planning.rates import Rates


@pytest.fixture(autouse=True)
def _speed(monkeypatch):
    """Replace the measured speed of the machine by a known one."""
    each = dict.fromkeys(MEASURES, (0.001, 2.0))
    known = Rates(2, 0.5, 1e-7, 1e-8, 1e-7, 1e-8, 1e-9, each, each)
    monkeypatch.setattr(planning, "rates", lambda *_, **__: known)


@pytest.fixture
def network(tmp_path):
    """A directed network with names, loops and repeats."""
    source, target = np.random.default_rng(1).integers(0, 60, (2, 700))
    path = tmp_path / "network.txt"
    path.write_text("".join(f"v{a} v{b}\n" for a, b in zip(source, target, strict=True)))
    return path


@pytest.fixture
def _short_of_memory(monkeypatch):
    monkeypatch.setattr(measures, "bytes_held", lambda *_, **__: 1 << 60)
    monkeypatch.setattr("triadic.cli.tiles._surely_fits", lambda *_, **__: False)


def _figures(outcome):
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    found.pop("seconds")
    return found


@pytest.mark.parametrize(
    "words", [["clustering"], ["census"], ["graphlets", "--size", "3"]], ids=lambda words: words[0]
)
def test_tiles_give_the_same_figures(triadic, network, tmp_path, words):
    expected = _figures(triadic(*words, network, "--json"))
    tiled = _figures(triadic(*words, network, "--json", "--tiles", tmp_path / "tiles"))
    assert tiled.pop("tiles") == {"ranges": 1, "tasks": 1}
    assert tiled == expected
    again = _figures(triadic(*words, tmp_path / "tiles", "--json"))
    assert again.pop("tiles") == {"ranges": 1, "tasks": 1}
    assert again == expected


@pytest.mark.parametrize("words", [["clustering"], ["census"]], ids=lambda words: words[0])
def test_tiles_at_a_url_and_results_anywhere(triadic, network, tmp_path, words):
    pytest.importorskip("fsspec")
    url = f"memory://{tmp_path.name}/network.tiles"
    library.tile(network, url)
    expected = _figures(triadic(*words, network, "--json"))
    for tiles in (url, "--tiles"):
        given = (url,) if tiles == url else (network, "--tiles", tmp_path / "tiles")
        results = tmp_path / tiles.strip("-")[:6]
        found = _figures(triadic(*words, *given, "--results", results, "--json"))
        assert found.pop("tiles") == {"ranges": 1, "tasks": 1}
        assert found == expected
        assert list(results.rglob("progress.json"))
    assert not (tmp_path / "tiles" / "results").exists()
    title = triadic(*words, url, "--results", results).out.splitlines()[0]
    assumed = "; read as directed (assumed, as the file does not state it)" if words == ["census"] else ""
    assert title == f"network.tiles: columns 0 → 1, no header{assumed}"
    assert "and a count in memory keeps no results" in triadic(*words, network, "--results", results).complaint
    assert "memory://nothing/" in triadic(*words, "memory://nothing").complaint


@pytest.mark.usefixtures("_short_of_memory")
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npy"])
def test_counts_of_vertices_are_the_same_file_and_tiles_are_removed(triadic, network, tmp_path, suffix, monkeypatch):
    monkeypatch.setattr("triadic.io.tables._ROWS", 7)
    outcome = triadic("clustering", network, "--memory", "100MB", "-o", tmp_path / f"tiled{suffix}")
    assert outcome.code == 0, outcome.err
    assert "by tiles of 1 range\n" in outcome.out
    assert outcome.err.startswith("way")
    assert not (tmp_path / f"tiled{suffix}.tiles").exists()
    monkeypatch.setattr("triadic.cli.tiles._surely_fits", lambda *_, **__: True)
    triadic("clustering", network, "-o", tmp_path / f"held{suffix}")
    tiled, held = (tmp_path / f"{name}{suffix}" for name in ("tiled", "held"))
    if suffix == ".npy":
        assert (np.load(tiled) == np.load(held)).all()
    assert tiled.read_bytes() == held.read_bytes()


@pytest.mark.usefixtures("_short_of_memory")
def test_the_census_of_vertices_goes_by_tiles(triadic, network, tmp_path):
    words = ("census", network, "--by-vertex", "--memory", "100MB", "-o", tmp_path / "census.npy")
    assert triadic(*words).code == 0
    expected = library.triad_census(library.read(network), by="vertex")
    np.testing.assert_array_equal(np.array(np.load(tmp_path / "census.npy").tolist())[:, 1:].astype(int), expected)


@pytest.mark.usefixtures("_short_of_memory")
def test_an_interruption_says_how_to_resume(triadic, network, tmp_path, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("triadic.tiles.tiled_graph.TiledGraph.oriented", stopped)
    words = ("clustering", network, "--memory", "100MB", "-o", tmp_path / "vertices.csv", "--json")
    outcome = triadic(*words)
    assert outcome.code == 130
    assert outcome.err.endswith("triadic: interrupted; run the same command again to resume\n")
    assert (tmp_path / "vertices.csv.tiles" / "header.json").exists()
    monkeypatch.undo()


def test_a_count_that_tiles_lack_is_refused(triadic, network, tmp_path):
    assert "--size 4 is counted in memory only" in triadic("graphlets", network, "--memory", "1GB").complaint
    assert "--labelled is counted" in triadic("census", network, "--labelled", "--tiles", tmp_path).complaint
    library.tile(network, tmp_path / "tiles")
    assert "found a folder of tiles" in triadic("graphlets", tmp_path / "tiles").complaint
    assert "found the URL of tiles" in triadic("graphlets", "memory://any").complaint
    assert "--size 4 is counted in memory" in triadic("graphlets", network, "--results", tmp_path).complaint
    assert "memory='much'" in triadic("clustering", network, "--memory", "much").complaint


def test_a_plan_of_a_file_and_of_sizes(triadic, network, tmp_path):
    outcome = triadic("plan", network)
    assert outcome.code == 0
    assert outcome.out.startswith("clustering of network.txt\nway")
    assert outcome.out.endswith("From all of its 700 arcs.\n")
    found = json.loads(triadic("plan", "--num-vertices", "1000", "--edges", "5000", "--of", "triads", "--json").out)
    assert (found["way"], found["of"], found["edges"]) == ("in memory", "triads", 5000)
    library.tile(network, tmp_path / "tiles")
    found = json.loads(triadic("plan", tmp_path / "tiles", "--workers", "3", "--json").out)
    assert (found["way"], found["workers"], found["tasks"]) == ("cluster", 3, 1)


def test_wrong_arguments_of_a_plan_are_errors(triadic, network):
    assert "expected either FILE, or --num-vertices N and --edges M" in triadic("plan").complaint
    assert (
        "expected either FILE, or --num-vertices N and --edges M" in triadic("plan", network, "--edges", "3").complaint
    )
    assert "of='clique'" in triadic("plan", network, "--of", "clique").complaint


def test_info_describes_tiles(triadic, network, tmp_path):
    tiled = library.tile(network, tmp_path / "tiles", ranges=2)
    found = json.loads(triadic("info", tmp_path / "tiles", "--json").out)
    assert (found["edges"], found["ranges"], found["made_of"]) == (tiled.num_edges, 2, "network.txt")
    assert "holds files of several formats" in triadic("info", tmp_path).complaint


def test_a_table_in_a_folder(triadic, network, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    expected = _figures(triadic("clustering", network, "--json", "-o", tmp_path / "vertices.parquet"))
    library.tile(network, tmp_path / "tiles", ranges=2)
    rows = parquet.read_table(tmp_path / "vertices.parquet")
    for words in ((network,), (tmp_path / "tiles",)):
        folder = tmp_path / f"{words[0].name}.table"
        found = _figures(triadic("clustering", *words, "--json", "-o", f"{folder}/"))
        found.pop("tiles", None)
        assert found.pop("average_clustering") == pytest.approx(expected["average_clustering"], rel=1e-12)
        assert found == {name: figure for name, figure in expected.items() if name != "average_clustering"}
        assert parquet.read_table(folder).sort_by("vertex").drop_columns("vertex") == rows
        printed = triadic("clustering", *words, "-o", f"{folder}-2/").out
        assert f"{expected['triangles']:,}" in printed
        assert "holds a complete table" in triadic("clustering", *words, "-o", f"{folder}/").complaint
    complaint = triadic("clustering", network, "-o", f"{tmp_path}/t/", "--spreadsheet-safe").complaint
    assert "expected a name that ends in .csv" in complaint
    complaint = triadic("clustering", network, "-o", f"{tmp_path}/t/", "--weights", "2").complaint
    assert "weighted coefficients are written to a file" in complaint


def test_the_census_of_vertices_in_a_folder(triadic, network, tmp_path, cluster):
    parquet = pytest.importorskip("pyarrow.parquet")
    expected = _figures(triadic("census", network, "--by-vertex", "--json", "-o", tmp_path / "vertices.parquet"))
    library.tile(network, tmp_path / "tiles", ranges=3)
    rows = parquet.read_table(tmp_path / "vertices.parquet")
    for number, words in enumerate(((network,), (tmp_path / "tiles",), (tmp_path / "tiles", "--dask", cluster))):
        folder = tmp_path / f"table-{number}"
        found = _figures(triadic("census", *words, "--by-vertex", "--json", "-o", f"{folder}/"))
        found.pop("tiles", None)
        assert found == expected
        table = parquet.read_table(folder).sort_by("vertex").drop_columns("vertex")
        assert table.rename_columns([name.removeprefix("triad ") for name in table.column_names]) == rows
    assert "expected --by-vertex as well" in triadic("census", network, "-o", f"{tmp_path}/t/").complaint
    complaint = triadic("census", network, "--by-vertex", "-o", f"{tmp_path}/t/", "--spreadsheet-safe").complaint
    assert "expected a name that ends in .csv" in complaint


def test_options_that_say_how_to_read_a_file_are_refused_with_tiles(triadic, network, tmp_path):
    tiles = tmp_path / "other.tiles"
    assert triadic("tile", network, tiles, "--directed").code == 0
    for words in (["--source", "0"], ["--num-vertices", "5"], ["--no-header"], ["--format", "csv"], ["--tiles", "new"]):
        for command in ("clustering", "census"):
            complaint = triadic(command, tiles, *words).complaint
            assert complaint.startswith(f"{' '.join(words)}: {tiles} holds tiles, which are counted as they were made")
    complaint = triadic("census", tiles, "--undirected").complaint
    assert complaint.startswith("--undirected: the tiles are of a directed network; leave the option out")
    assert triadic("census", tiles, "--directed").code == 0
    assert triadic("clustering", tiles, "--undirected").code == 0  # which ignores directions in any case


def test_tiles_at_a_url_are_described_and_a_plan_of_them_names_the_remedy(triadic, network, tmp_path, monkeypatch):
    pytest.importorskip("fsspec")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    url = f"memory://{tmp_path.name}/described.tiles"
    for place in (url, tmp_path / "here.tiles"):
        assert triadic("tile", network, place).code == 0
    facts, here = (triadic("info", place).out for place in (url, tmp_path / "here.tiles"))
    assert facts == here
    complaint = triadic("plan", url).complaint
    assert complaint.startswith(
        f"{url}: a plan reads files and folders of this machine; expected --num-vertices N and --"
    )
    assert triadic("info", "memory://missing").complaint.startswith("memory://missing/header.json")
