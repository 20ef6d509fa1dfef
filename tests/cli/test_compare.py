"""``triadic compare``: its output."""

from __future__ import annotations

import json
from math import inf

import pytest

import triadic as library
from triadic.cli import printing
from triadic.core.blocks import allowed_threads
from triadic.core.graphlets import GRAPHS


@pytest.fixture
def house(tmp_path):
    """A square 1-2-3-4 with a roof 5 and a tail 6-7 from its floor."""
    path = tmp_path / "house.txt"
    path.write_text("1 2\n2 3\n3 4\n4 1\n1 5\n2 5\n3 6\n6 7\n")
    return path


@pytest.fixture
def star(tmp_path):
    path = tmp_path / "star.txt"
    path.write_text("0 1\n0 2\n0 3\n0 4\n")
    return path


def test_two_networks_as_json(triadic, kite, house):
    outcome = triadic("compare", kite, house, "--undirected", "--json")
    assert (outcome.code, outcome.err, outcome.out.count("\n")) == (0, "", 1)
    record = json.loads(outcome.out)
    a, b = (library.read(path, directed=False) for path in (kite, house))
    seconds = record.pop("seconds")
    assert record == {
        "networks": [
            {
                "file": str(path),
                "graph": json.loads(triadic("clustering", path, "--undirected", "--json").out)["graph"],
                "graphlets": library.graphlet_transform(graph).totals,
            }
            for path, graph in ((kite, a), (house, b))
        ],
        "graphlet_correlation_distance": pytest.approx(library.compare(a, b)),
        "graphlet_degree_agreement": {
            mean: pytest.approx(library.compare(a, b, mean=mean, method="degree"))
            for mean in ("arithmetic", "geometric")
        },
        "graphlet_frequency_distance": None,
        "only_in_one": ["3-path", "claw", "4-cycle"],
        "device": "cpu",
        "threads": allowed_threads(),
    }
    assert list(seconds) == ["read", "prepare", "count", "compare"]


def test_graphlets_of_five_vertices_as_json(triadic, kite, house):
    record = json.loads(triadic("compare", kite, house, "--undirected", "--size", "5", "--json").out)
    a, b = (library.read(path, directed=False) for path in (kite, house))
    assert [network["graphlets"] for network in record["networks"]] == [
        dict(library.graphlets(graph, size=5)) for graph in (a, b)
    ]
    assert record["graphlet_correlation_distance"] == library.compare(a, b, size=5)
    assert record["graphlet_degree_agreement"]["arithmetic"] == library.compare(a, b, size=5, method="degree")
    assert "house" in record["only_in_one"]


def test_the_table_has_graphlets_of_five_vertices(triadic, kite, house):
    outcome = triadic("compare", kite, house, "--undirected", "--size", "5")
    assert (outcome.code, outcome.err) == (0, "")
    lines = lines_of(outcome)
    assert lines["house"] == ["house", "0", "0", "1", "0.111"]
    assert "GCD-73" in outcome.out
    assert "in one network only: 3-path, claw, 4-cycle, " in outcome.out
    assert " more" in outcome.out
    assert "of three, of four, or of five vertices" in outcome.out


def test_another_size_is_refused_before_the_files_are_read(triadic):
    assert "--size 3: expected 4 or 5" in triadic("compare", "missing.txt", "gone.txt", "--size", "3").err


def test_a_network_is_like_itself(triadic, house):
    record = json.loads(triadic("compare", house, house, "--json").out)
    assert record["graphlet_correlation_distance"] == 0
    assert record["graphlet_degree_agreement"] == {"arithmetic": 1, "geometric": 1}
    assert (record["graphlet_frequency_distance"], record["only_in_one"]) == (0, [])


def lines_of(outcome):
    return {line[:22].split("  ")[0].strip(): line.split() for line in outcome.out.splitlines() if line.strip()}


def test_the_table_has_both_networks_and_how_far_apart_they_are(triadic, kite, house):
    outcome = triadic("compare", kite, house, "--undirected")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines()[0].split() == ["kite.txt", "house.txt"]
    lines = lines_of(outcome)
    assert lines["vertices"] == ["vertices", "4", "7"]
    assert lines["edges"] == ["edges", "4", "8"]
    assert lines["dropped"] == ["dropped", "2", "0"]
    assert lines["triangle"][:4] == ["triangle", "1", "0.333", "1"]
    assert set(GRAPHS) - {"vertex", "edge"} <= set(lines)
    a, b = (library.read(path, directed=False) for path in (kite, house))
    assert lines["correlation distance"][2] == f"{library.compare(a, b):.6f}"
    assert lines["degree agreement"][2] == f"{library.compare(a, b, method='degree'):.6f}"
    assert "in one network only: 3-path, claw, 4-cycle" in outcome.out
    assert lines["frequency distance"][2] == "infinite"


def test_the_whole_fits_in_80_columns(triadic, house, star, monkeypatch):
    monkeypatch.setattr(printing, "terminal_width", lambda: 80)
    lines = triadic("compare", house, star).out.splitlines()
    assert all(len(line) <= 80 and line == line.rstrip() for line in lines)
    steps = " ".join(lines[-2:]).split()
    assert [step for step in steps if step in ("read", "prepare", "count", "compare")] == steps[2::2]


def test_an_edge_is_no_graphlet_that_is_compared(triadic, star, tmp_path):
    lonely, joined = tmp_path / "lonely.txt", tmp_path / "joined.txt"
    lonely.write_text("7 7\n")
    joined.write_text("1 2\n")
    record = json.loads(triadic("compare", lonely, joined, "--json").out)
    assert (record["graphlet_frequency_distance"], record["only_in_one"]) == (0, [])
    assert "0: the same frequencies" in triadic("compare", lonely, joined).out
    assert json.loads(triadic("compare", lonely, star, "--json").out)["only_in_one"] == ["2-path", "claw"]
    assert "in one network only: 2-path, claw\n" in triadic("compare", lonely, star).out


def test_a_share_below_1_is_not_printed_as_1(triadic, kite, tmp_path):
    """A star with two of its leaves joined has one triangle, and all but one of its triples are 2-paths."""
    path = tmp_path / "star.txt"
    path.write_text("1 2\n" + "".join(f"0 {leaf}\n" for leaf in range(1, 3001)))
    outcome = triadic("compare", kite, path, "--undirected")
    assert lines_of(outcome)["2-path"] == ["2-path", "2", "0.667", "4,498,499", ">", "0.999999"]


def test_directions_are_ignored_with_a_note(triadic, kite, house):
    assert "The directions of both networks are left out.\n" in triadic("compare", kite, house).out
    assert "directions" not in triadic("compare", kite, house, "--undirected").out


def test_networks_of_one_name_are_printed_with_their_folders(triadic, kite, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "kite.txt").write_text("1 2\n2 3\n")
    heading = triadic("compare", kite, other / "kite.txt").out.splitlines()[0]
    assert heading.split() == [str(kite), str(other / "kite.txt")]


@pytest.mark.parametrize("text", ["# nothing\n", "7 7\n", "1 2\n"])
def test_a_network_without_graphlets_is_an_answer(triadic, star, tmp_path, text):
    path = tmp_path / "small.txt"
    path.write_text(text)
    record = json.loads(triadic("compare", path, star, "--json").out)
    assert record["graphlet_frequency_distance"] is None
    assert library.compare(*map(library.read, (path, star)), method="frequency") == inf
    both = json.loads(triadic("compare", path, path, "--json").out)
    assert both["graphlet_frequency_distance"] == 0
    assert triadic("compare", path, path).code == 0


def test_an_undefined_distance_is_null_and_undefined(triadic, tmp_path):
    """Every vertex of a matching has degree 1."""
    path = tmp_path / "matching.txt"
    path.write_text("1 2\n3 4\n")
    assert json.loads(triadic("compare", path, path, "--json").out)["graphlet_correlation_distance"] is None
    assert lines_of(triadic("compare", path, path))["correlation distance"][2] == "undefined"


def test_no_digit_is_lost_where_the_output_is_narrow(triadic, kite, tmp_path, monkeypatch):
    path = tmp_path / "star.txt"
    path.write_text("".join(f"0 {leaf}\n" for leaf in range(1, 3001)))
    monkeypatch.setenv("COLUMNS", "20")
    assert " 4,495,501,000 " in triadic("compare", kite, path).out


def test_the_number_of_threads_is_used_and_changes_no_figure(triadic, kite, house):
    one, three = (json.loads(triadic("compare", kite, house, "--json", "--threads", n).out) for n in ("1", "3"))
    assert (one.pop("threads"), three.pop("threads")) == (1, 3)
    assert {**one, "seconds": None} == {**three, "seconds": None}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--device", "abacus"], "abacus"),
        (["--threads", "0"], "threads=0"),
        (["--format", "pajeck"], "pajeck"),
        (["--size", "3"], "--size 3: expected 4 or 5"),
    ],
)
def test_a_wrong_option_is_an_error_of_one_line(triadic, kite, house, words, found):
    assert found in triadic("compare", kite, house, *words).complaint


def test_two_networks_are_needed(triadic, kite):
    assert "B" in triadic("compare", kite).complaint


def test_a_missing_second_file_is_named(triadic, kite, tmp_path):
    assert "missing.txt" in triadic("compare", kite, tmp_path / "missing.txt").complaint


def test_real_networks_compare(triadic, real_networks):
    words = [real_networks / "USpowerGrid.net.gz", real_networks / "PGPgiantcompo.graph.gz"]
    record = json.loads(triadic("compare", *words, "--json").out)
    assert 0 < record["graphlet_correlation_distance"] < 4
    assert (
        0.5 < record["graphlet_degree_agreement"]["geometric"] <= record["graphlet_degree_agreement"]["arithmetic"] < 1
    )
    assert 0 < record["graphlet_frequency_distance"] < 20
