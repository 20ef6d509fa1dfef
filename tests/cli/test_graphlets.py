"""``triadic graphlets``: its output and its files."""

from __future__ import annotations

import json

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

import naive_graphlets
from triadic.cli.graphlets import Graphlets, draw_graphlet
from triadic.cli.printing import drawable
from triadic.core.blocks import allowed_threads
from triadic.core.graphlets import GRAPHLET_NAMES, GRAPHS

# The kite of the fixture, from 0, is a paw.
PAW = [(0, 1), (1, 2), (0, 2), (2, 3)]
TOTALS = dict.fromkeys(GRAPHS, 0) | {"vertex": 4, "edge": 4, "2-path": 2, "triangle": 1, "paw": 1}


def test_a_kite_as_json(triadic, kite):
    outcome = triadic("graphlets", kite, "--undirected", "--json")
    assert (outcome.code, outcome.err, outcome.out.count("\n")) == (0, "", 1)
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
        "graphlets": TOTALS,
        "raw": [sum(column) for column in zip(*naive_graphlets.raw(4, PAW), strict=True)],
        "net": [sum(column) for column in zip(*naive_graphlets.net(4, PAW), strict=True)],
        "device": "cpu",
        "threads": allowed_threads(),
    }
    assert list(record["graphlets"]) == list(GRAPHS)
    assert list(seconds) == ["read", "prepare", "count"]
    assert all(value >= 0 for value in seconds.values())


def test_the_first_five_as_json(triadic, kite):
    record = json.loads(triadic("graphlets", kite, "--undirected", "--json", "--size", "3").out)
    whole = json.loads(triadic("graphlets", kite, "--undirected", "--json").out)
    assert record["graphlets"] == {name: TOTALS[name] for name in ("vertex", "edge", "2-path", "triangle")}
    assert (record["raw"], record["net"]) == (whole["raw"][:5], whole["net"][:5])


def rows_of(outcome):
    """Return the words after the name of each graphlet in the table."""
    found = {}
    for line in outcome.out.splitlines():
        words = line.split()
        for name in set(words) & set(GRAPHS):
            found[name] = words[words.index(name) + 1 :]
    return found


def test_the_table_has_each_graphlet_with_its_count_and_share(triadic, kite):
    outcome = triadic("graphlets", kite, "--undirected")
    assert (outcome.code, outcome.err) == (0, "")
    facts = {line.split()[0]: line.split()[1:] for line in outcome.out.splitlines() if line.strip()}
    assert facts["vertices"] == ["4"]
    assert facts["edges"] == ["4"]
    assert facts["dropped"] == ["2", "loops", "1,", "duplicates", "1"]
    assert facts["threads"][0] == str(allowed_threads())
    rows = rows_of(outcome)
    assert {name: int(words[0]) for name, words in rows.items()} == {name: TOTALS[name] for name in list(GRAPHS)[2:]}
    assert {name: float(words[1]) for name, words in rows.items() if words[1] != "0"} == {
        "2-path": 0.667,
        "triangle": 0.333,
        "paw": 1,
    }


def test_the_table_of_the_first_five_stops_at_the_triangle(triadic, kite):
    assert list(rows_of(triadic("graphlets", kite, "--undirected", "--size", "3"))) == ["2-path", "triangle"]


@pytest.mark.parametrize(
    ("name", "vertices", "edges"),
    [
        ("vertex", 1, 0),
        ("edge", 2, 1),
        ("2-path", 3, 2),
        ("triangle", 3, 3),
        ("3-path", 4, 3),
        ("claw", 4, 3),
        ("paw", 4, 4),
        ("4-cycle", 4, 4),
        ("diamond", 4, 5),
        ("4-clique", 4, 6),
    ],
)
def test_each_graphlet_is_drawn_with_all_its_vertices_and_edges(name, vertices, edges):
    drawn = draw_graphlet(name)
    across = "".join(letter if letter == "─" else " " for letter in drawn).split()
    assert drawn.count("●") == vertices
    assert len(across) + sum(drawn.count(line) for line in "│╱╲╳╳") == edges
    assert max(map(len, drawn.split("\n"))) <= 5


def test_the_drawings_stand_in_the_table(triadic, kite):
    lines = [line.rstrip() for line in triadic("graphlets", kite).out.splitlines()]
    where = next(i for i, line in enumerate(lines) if " paw " in line)
    assert all(lines[where + i - 1].startswith(part) for i, part in enumerate(draw_graphlet("paw").split("\n")))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "no such encoding"])
def test_output_without_the_strokes_is_drawn_in_ascii(encoding):
    drawings = {drawable(draw_graphlet(name), encoding) for name in GRAPHS}
    assert len(drawings) == len(GRAPHS)
    assert all(drawn.isascii() for drawn in drawings)
    assert all(drawable(draw_graphlet(name), encoding).count("o") == draw_graphlet(name).count("●") for name in GRAPHS)


def test_a_terminal_without_unicode_gets_a_table_in_ascii(kite, printed_in_ascii):
    text = printed_in_ascii("graphlets", kite)
    assert "\\u" not in text
    assert "| X |  4-clique" in text


def test_no_line_ends_in_blanks(triadic, kite):
    assert all(line == line.rstrip() for line in triadic("graphlets", kite).out.splitlines())


def test_a_share_below_1_is_not_printed_as_1(triadic, tmp_path):
    """A star with two of its leaves joined has one triangle, and all but one of its triples are 2-paths."""
    path = tmp_path / "star.txt"
    path.write_text("1 2\n" + "".join(f"0 {leaf}\n" for leaf in range(1, 3001)))
    rows = rows_of(triadic("graphlets", path))
    assert rows["2-path"] == ["4,498,499", ">", "0.999999"]
    assert rows["triangle"] == ["1", "2.22e-07"]


def test_printed_figures_are_computed_within_the_measured_time(kite, monkeypatch):
    counted = Graphlets(file=str(kite), directed=False).counted()
    monkeypatch.delattr("triadic.measures.graphlets.transform.net_of")
    monkeypatch.delattr("triadic.measures.graphlets.transform.GraphletTransform.raw_sums")
    monkeypatch.delattr("triadic.measures.graphlets.transform.GraphletTransform.net_sums")
    assert counted.figures.totals["graphlets"] == TOTALS
    assert counted.figures.totals["net"] == [sum(column) for column in zip(*naive_graphlets.net(4, PAW), strict=True)]
    assert len(counted.figures.columns) == 16


def test_directions_are_ignored_with_a_note(triadic, tmp_path):
    path = tmp_path / "arcs.txt"
    path.write_text("1 2\n2 1\n2 3\n3 1\n")
    record = json.loads(triadic("graphlets", path, "--directed", "--json").out)
    assert record["graph"]["directed"]
    assert (record["graph"]["edges"], record["graphlets"]["triangle"]) == (3, 1)
    assert "directions left out" in triadic("graphlets", path, "--directed").out
    assert "directions" not in triadic("graphlets", path, "--undirected").out


def test_no_digit_is_lost_where_the_output_is_narrow(triadic, tmp_path, monkeypatch):
    path = tmp_path / "star.txt"
    path.write_text("".join(f"0 {leaf}\n" for leaf in range(1, 3001)))
    monkeypatch.setenv("COLUMNS", "20")
    assert " 4,495,501,000 " in triadic("graphlets", path).out


@pytest.mark.parametrize("text", ["# nothing\n", "7 7\n", "1 2\n"])
@pytest.mark.parametrize("words", [[], ["--size", "3"]])
def test_fewer_than_three_vertices_are_an_answer(triadic, tmp_path, text, words):
    path = tmp_path / "small.txt"
    path.write_text(text)
    record = json.loads(triadic("graphlets", path, "--json", *words).out)
    assert set(list(record["graphlets"].values())[2:]) == {0}
    assert triadic("graphlets", path, *words).code == 0


def test_the_number_of_threads_is_used_and_changes_no_figure(triadic, kite):
    one, three = (json.loads(triadic("graphlets", kite, "--json", "--threads", n).out) for n in ("1", "3"))
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
@pytest.mark.parametrize("graphlets", [5, 16])
def test_every_vertex_has_a_row_under_the_names_of_the_graphlets(triadic, kite, tmp_path, suffix, graphlets):
    path = tmp_path / f"vertices{suffix}"
    outcome = triadic("graphlets", kite, "--undirected", "-o", path, "--size", {5: 3, 16: 4}[graphlets])
    assert (outcome.code, outcome.err) == (0, "")
    found = READ[suffix](path)
    assert list(found) == ["label", *GRAPHLET_NAMES[:graphlets]]
    assert found.pop("label") == [1, 2, 3, 4]
    wanted = [row[:graphlets] for row in naive_graphlets.net(4, PAW)]
    assert list(map(list, zip(*found.values(), strict=True))) == wanted


def test_the_header_is_the_names_of_the_graphlets_after_the_label(triadic, kite, tmp_path):
    path = tmp_path / "vertices.csv"
    triadic("graphlets", kite, "-o", path)
    header, first, *_ = path.read_text().splitlines()
    assert header.startswith('"label","vertex","degree","2-path end","2-path middle","triangle",')
    assert header.endswith(',"diamond off chord","diamond on chord","4-clique"')
    assert first == "1,1,2,1,0,1,0,0,0,0,0,1,0,0,0,0,0"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--size", "6"], "--size 6: expected 3 or 4"),
        (["--size", "all"], "'--size'"),
        (["-o", "vertices.txt"], "'.txt'"),
        (["-o", "no folder/vertices.csv"], "no folder"),
        (["--device", "abacus"], "abacus"),
        (["--threads", "0"], "threads=0"),
        (["--format", "pajeck"], "pajeck"),
    ],
)
def test_a_wrong_option_is_an_error_of_one_line(triadic, kite, words, found):
    assert found in triadic("graphlets", kite, *words).complaint


def test_a_missing_file_is_named(triadic, tmp_path):
    assert "missing.txt" in triadic("graphlets", tmp_path / "missing.txt").complaint


@pytest.mark.parametrize("content", [b"", b"1 2\n3\n", bytes(range(256))])
def test_a_bad_file_is_one_line_and_an_existing_file_stays(triadic, tmp_path, content):
    source, path = tmp_path / "bad.txt", tmp_path / "out.csv"
    source.write_bytes(content)
    path.write_text("as before")
    assert "bad.txt" in triadic("graphlets", source, "-o", path).complaint
    assert path.read_text() == "as before"


def test_ctrl_c_gives_130_and_writes_nothing(triadic, kite, tmp_path, monkeypatch):
    def interrupted(*args, **keywords):
        raise KeyboardInterrupt

    monkeypatch.setattr("triadic.measures.graphlets.transform.graphlet_transform", interrupted)
    outcome = triadic("graphlets", kite, "-o", tmp_path / "out.csv")
    assert (outcome.code, outcome.out) == (130, "")
    assert not (tmp_path / "out.csv").exists()
