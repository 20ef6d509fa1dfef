"""Scripts of users in several fields, each written from one page of docs/how-to/, run in a folder of their own."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent / "roles"


@pytest.fixture
def ran(tmp_path, monkeypatch, capsys):
    """Return a function that runs a script in a folder of its own, and returns what it prints."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.chdir(tmp_path)

    def run(script):
        runpy.run_path(str(SCRIPTS / script), run_name="__main__")
        pyplot.close("all")
        return capsys.readouterr().out

    return run


def number_after(words, text):
    """Return the number that follows some words."""
    return float(re.search(rf"{re.escape(words)}\s+(-?[\d.]+)", text)[1])


def test_a_survey_becomes_triads_and_a_table_for_excel(ran, tmp_path):
    said = ran("social_network.py")
    assert "in no row: Lab 15" in said
    assert "Graph(directed, 45 vertices, 205 arcs, with labels and vertex columns department, years)" in said
    assert number_after("reciprocity", said) == 0.488
    assert re.search(r"^300 +12 .*7\.\d\d", said, re.MULTILINE)  # three people who all ask each other: far more
    assert (tmp_path / "departments.pdf").read_bytes().startswith(b"%PDF")
    header, first, *_ = (tmp_path / "result.csv").read_text(encoding="utf-8-sig").splitlines()
    assert header == "name;department;years;in_degree;out_degree;mutual_degree;clustering"
    assert re.fullmatch(r"Sales 1;sales;\d+;\d+;\d+;\d+;0,\d+", first)


def test_a_connectome_is_compared_with_three_null_models_and_with_shuffled_weights(ran, tmp_path):
    said = ran("connectome.py")
    for null in (
        "degrees (mutual)",
        "types (mutual, 3 groups)",
        "types and places (mutual, 3 groups, 4 bins of length)",
    ):
        assert number_after(f"{null}: 030T 92, z =", said) > 5
    assert "walks are long enough: True" in said
    mean, of_random = re.search(r"mean intensity of 030T: ([\d.]+), in random networks ([\d.]+)", said).groups()
    assert float(mean) > float(of_random)
    assert re.search(r"030T +ORN +PN +KC +92 ", said)
    assert len(re.findall(r"^7205759406\d{8}( 7205759406\d{8}){2}$", said, re.MULTILINE)) == 2
    assert (tmp_path / "triads.pdf").read_bytes().startswith(b"%PDF")


def test_roles_that_a_model_learns_in_one_network_hold_in_another(ran, tmp_path):
    said = ran("graph_learning.py")
    assert "features: (92, 93) degree orbit 72" in said
    assert number_after("accuracy:", said) > 0.9
    assert re.search(r"most like bot3: bot\d+ bot\d+ bot\d+", said)
    assert (tmp_path / "kinds.pdf").exists()


def test_committees_that_meet_in_fours_are_told_from_others_by_their_cliques(ran):
    pytest.importorskip("sklearn")
    said = ran("encodings.py")
    assert number_after("by cliques:", said) > 0.95
    assert "columns: cliques of 3 cliques of 4" in said
    assert "rows: (1280, 2) A B" in said


def test_niches_of_a_tissue_stand_out_from_shuffled_types(ran, tmp_path):
    said = ran("tissue.py")
    assert "with vertex columns type, slice)" in said
    assert "kept: 2 groups" in said
    assert number_after("B, T, T: z =", said) > 5
    assert number_after("star: z =", said) > 3
    assert "in a shuffled tissue: True" in said
    assert (tmp_path / "tissue.pdf").read_bytes().startswith(b"%PDF")


def test_a_script_of_dotmotif_counts_with_triadic(ran):
    pytest.importorskip("dotmotif")
    said = ran("motifs_of_neurons.py")
    assert number_after("matches:", said) == number_after("table: A B C", said) > 0
    assert "orders of a bifan: 4.0" in said
    assert re.search(r"one: \[\{'A': \d+, 'B': \d+\}\]", said)


def test_groups_in_which_everybody_knows_everybody(ran, tmp_path):
    said = ran("dense_groups.py")
    assert "sizes: 1 2 3 4 5 6" in said
    assert "each is counted at its vertices: [True, True, True]" in said
    assert "estimated: True" in said
    assert "places: simplices of 3 source simplices of 3 inner simplices of 3 sink" in said
    assert (tmp_path / "simplices.pdf").read_bytes().startswith(b"%PDF")


def test_an_interactome_becomes_graphlets_and_a_file_for_cytoscape(ran, tmp_path):
    said = ran("interactome.py")
    assert "Graph(undirected, 60 vertices, 143 edges, with weights and labels)" in said
    assert "reciprocal_merged=143" in said
    assert number_after("4-clique", said) == 60
    assert number_after("transitivity", said) == 0.650538
    assert "Graph(undirected, 3 vertices, 3 edges, with labels) Dropped(loops=1" in said
    assert '<data key="n0">GENE1</data>' in (tmp_path / "proteins.graphml").read_text()
    assert (tmp_path / "graphlets.pdf").exists()


def test_calls_in_a_folder_become_motifs_by_week(ran, tmp_path):
    said = ran("events.py")
    assert "TemporalGraph(80 vertices, 5,450 events" in said
    assert "an answer and its answer: 3" in said
    assert number_after("M51    ", said) == 3
    assert len((tmp_path / "weeks.csv").read_text().splitlines()) == 10
    assert (tmp_path / "motifs.pdf").exists()


def test_payments_in_a_folder_are_counted_in_tiles_as_in_memory(ran, tmp_path):
    said = ran("large_tables.py")
    assert "TiledGraph(directed, 3,000 vertices, 37,851 arcs" in said
    assert "triangles: 22581 " in said
    assert "as in memory: True" in said
    assert (tmp_path / "triads.pdf").exists()


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.py")), ids=lambda path: path.stem)
def test_a_script_needs_public_names_only(script):
    text = script.read_text()
    assert not re.search(r"from triadic(?!\.(features|dotmotif) import)|import triadic\.|triadic\._|\._\w", text)
