"""``triadic census``: its output and its files."""

from __future__ import annotations

import json
from math import comb, isnan

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

import naive
import triadic as library
from triadic.cli.printing import drawable, share
from triadic.cli.triads import DRAWN_DYADS, draw_triad
from triadic.core.blocks import allowed_threads
from triadic.plot.subgraph_shapes import DYADS


@pytest.fixture
def ring(tmp_path):
    """A directed ring 1 -> 2 -> 3 -> 1, an arc pair 3 <-> 4, a loop and a repeat."""
    path = tmp_path / "ring.txt"
    path.write_text("1 2\n2 3\n3 1\n3 4\n4 3\n4 4\n1 2\n")
    return path


RING = dict.fromkeys(naive.TRIADS, 0) | {"030C": 1, "111D": 1, "111U": 1, "012": 1}


def test_a_ring_as_json(triadic, ring):
    outcome = triadic("census", ring, "--json")
    assert (outcome.code, outcome.err, outcome.out.count("\n")) == (0, "", 1)
    record = json.loads(outcome.out)
    seconds = record.pop("seconds")
    census = library.triad_census(library.read(ring))
    assert record.pop("expected") == pytest.approx(census.expected())
    assert record.pop("z") == pytest.approx({name: None if isnan(z) else z for name, z in census.z_scores().items()})
    assert record == {
        "graph": {
            "vertices": 4,
            "edges": 4,
            "arcs": 5,
            "directed": True,
            "loops_dropped": 1,
            "duplicates_dropped": 1,
            "reciprocal_merged": 0,
        },
        "census": RING,
        "device": "cpu",
        "threads": allowed_threads(),
    }
    assert list(record["census"]) == list(library.TRIAD_NAMES)
    assert list(seconds) == ["read", "prepare", "count"]
    assert all(value >= 0 for value in seconds.values())


def test_the_64_types_as_json(triadic, ring):
    record = json.loads(triadic("census", ring, "--json", "--labelled").out)
    assert list(record["census"]) == [str(code) for code in range(64)]
    assert not {"expected", "z"} & set(record)
    arcs = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 2)]
    assert list(record["census"].values()) == naive.labelled_census(4, arcs)


def test_without_directions_the_table_has_the_four_symmetric_types(triadic, kite):
    out = triadic("census", kite, "--undirected").out
    words = [line.split() for line in out.splitlines()]
    names = {word for line in words for word in line} & set(library.TRIAD_NAMES)
    assert names == {"003", "102", "201", "300"}
    assert "The 12 types with an asymmetric pair of vertices have count 0 without directions." in out


def test_the_table_has_each_type_with_its_count(triadic, ring):
    outcome = triadic("census", ring)
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    facts = {line.split()[0]: line.split()[1:] for line in lines if line}
    assert facts["vertices"] == ["4"]
    assert facts["arcs"] == ["5"]
    assert facts["edges"][0] == "4"
    assert facts["dropped"] == ["2", "loops", "1,", "duplicates", "1"]
    assert any("count" in line and "share" in line and "expected" in line and " z" in line for line in lines)
    found = {}
    for line in lines:
        words = line.split()
        names = [word for word in words if word in RING]
        if names:
            found[names[0]] = words[words.index(names[0]) + 1 :]
    assert {name: int(words[0]) for name, words in found.items()} == RING
    assert found["030C"][1] == "0.25"
    assert found["021D"][1] == "0"
    expected = library.triad_census(library.read(ring)).expected()
    assert {name: float(words[2]) for name, words in found.items()} == pytest.approx(expected, abs=1e-2)


def test_each_type_is_drawn_with_its_arcs():
    assert list(DYADS) == list(library.TRIAD_NAMES)
    for name, (left_top, left_right, top_right) in DYADS.items():
        assert naive.TYPE_OF_CODE[left_top + 4 * left_right + 16 * top_right] == name
        top, bottom = draw_triad(name).split("\n")
        assert (len(top), len(bottom)) == (4, 5)
        assert (top + bottom).count("●") == 3
        arrows = sum((top + bottom).count(head) for head in "↗↙↘↖→←")
        lines = sum((top + bottom).count(line) for line in ("╱", "╲", "───"))
        assert (lines, arrows) == (int(name[0]), int(name[1]))
    assert len({draw_triad(name) for name in DYADS}) == 16


def test_the_drawings_stand_in_the_table(triadic, ring):
    lines = [line.rstrip() for line in triadic("census", ring).out.splitlines()]
    top, bottom = draw_triad("030T").split("\n")
    where = next(i for i, line in enumerate(lines) if " 030T " in line)
    assert lines[where].startswith(bottom)
    assert lines[where - 1].startswith(top)


def test_no_line_ends_in_blanks(triadic, ring):
    for words in ([], ["--labelled"]):
        assert all(line == line.rstrip() for line in triadic("census", ring, *words).out.splitlines())


def test_a_share_below_1_is_not_printed_as_1():
    assert [share(count, 10_000) for count in (0, 1, 9_990, 9_999, 10_000)] == ["0", "0.0001", "0.999", "0.9999", "1"]
    assert share(10**12 - 1, 10**12) == "> 0.999999"
    assert share(0, 0) == "0"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "no such encoding"])
def test_output_without_arrows_is_drawn_in_ascii(encoding):
    drawings = {drawable(draw_triad(name), encoding) for name in DYADS}
    assert len(drawings) == 16
    assert all(text.isascii() for text in drawings)
    assert drawable(draw_triad("030T"), encoding) == " ^ov\no-->o"
    assert list(drawable(DRAWN_DYADS, encoding)) == [".", ">", "<", "-"]
    assert drawable(DRAWN_DYADS, "utf-8") == DRAWN_DYADS


@pytest.mark.parametrize("words", [[], ["--labelled"]])
def test_a_terminal_without_unicode_gets_a_table_in_ascii(ring, words, printed_in_ascii):
    text = printed_in_ascii("census", ring, *words)
    assert "\\u" not in text
    assert ("o-->o" if not words else " > ") in text


def test_the_64_types_as_a_table(triadic, ring):
    outcome = triadic("census", ring, "--labelled")
    rows = [line.split() for line in outcome.out.splitlines()]
    rows = {words[0]: words[1:] for words in rows if len(words) == 7 and words[0].isdigit()}
    assert list(rows) == [str(code) for code in range(64)]
    assert rows["0"][:4] == ["·", "·", "·", "003"]
    assert rows["25"] == ["→", "←", "→", "030C", "1", "0.25"]
    assert rows["63"] == ["─", "─", "─", "300", "0", "0"]


def test_counts_past_2_to_the_63_are_written_in_full(triadic, ring):
    n = 4_000_000
    record = json.loads(triadic("census", ring, "--num-vertices", n, "--json").out)
    assert sum(record["census"].values()) == comb(n, 3) > 2**63


def test_no_digit_is_lost_where_the_output_is_narrow(triadic, ring, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    n = 4_000_000
    outcome = triadic("census", ring, "--num-vertices", n)
    census = library.triad_census(library.read(ring, num_vertices=n))
    assert all(f" {census[name]:,} " in outcome.out for name in ("003", "012", "102"))


def read_csv(path):
    return pyarrow.csv.read_csv(path).to_pydict()


def read_parquet(path):
    return pyarrow.parquet.read_table(path).to_pydict()


def read_npy(path):
    rows = np.load(path, allow_pickle=False)
    return {name: rows[name].tolist() for name in rows.dtype.names}


READ = {".csv": read_csv, ".parquet": read_parquet, ".npy": read_npy}


@pytest.mark.parametrize("suffix", READ)
def test_every_vertex_has_a_row_of_16_counts(triadic, ring, tmp_path, suffix):
    path = tmp_path / f"vertices{suffix}"
    outcome = triadic("census", ring, "--by-vertex", "-o", path, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    assert json.loads(outcome.out)["census"] == RING
    found = READ[suffix](path)
    assert list(found) == ["label", *library.TRIAD_NAMES]
    assert found.pop("label") == [1, 2, 3, 4]
    rows = naive.triad_census_by_vertex(4, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 2)])
    assert list(map(list, zip(*found.values(), strict=True))) == rows


def test_a_network_without_directions_is_counted_as_mutual_with_a_message(triadic, kite):
    outcome = triadic("census", kite, "--undirected", "--json")
    assert outcome.code == 0
    assert outcome.err == "triadic: kite.txt has no directions: every edge is counted as mutual\n"
    record = json.loads(outcome.out)
    assert (record["graph"]["directed"], record["graph"]["edges"], record["graph"]["arcs"]) == (False, 4, 8)
    assert record["census"] == dict.fromkeys(naive.TRIADS, 0) | {"300": 1, "201": 2, "102": 1}


@pytest.mark.filterwarnings("ignore::triadic.errors.DirectionWarning")
def test_a_list_of_edges_is_read_as_arcs(triadic, kite):
    record = json.loads(triadic("census", kite, "--json").out)
    assert record["graph"]["directed"]
    assert record["census"]["030T"] == 1


@pytest.mark.parametrize("text", ["# nothing\n", "7 7\n", "1 2\n", "1 2\n2 1\n"])
@pytest.mark.parametrize("words", [["--json"], ["--json", "--labelled"], [], ["--labelled"]])
def test_fewer_than_three_vertices_are_an_answer(triadic, tmp_path, text, words):
    path = tmp_path / "small.txt"
    path.write_text(text)
    outcome = triadic("census", path, "--directed", *words)
    assert (outcome.code, outcome.err) == (0, "")
    if "--json" in words:
        assert set(json.loads(outcome.out)["census"].values()) == {0}


def test_the_number_of_threads_is_used_and_changes_no_figure(triadic, ring):
    one, three = (json.loads(triadic("census", ring, "--json", "--threads", n).out) for n in ("1", "3"))
    assert (one.pop("threads"), three.pop("threads")) == (1, 3)
    assert {**one, "seconds": None} == {**three, "seconds": None}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--by-vertex"], "-o FILE"),
        (["-o", "vertices.csv"], "--by-vertex"),
        (["--by-vertex", "-o", "vertices.csv", "--labelled"], "--labelled"),
        (["--by-vertex", "-o", "vertices.txt"], "'.txt'"),
        (["--by-vertex", "-o", "no folder/vertices.csv"], "no folder"),
        (["--device", "abacus"], "abacus"),
        (["--threads", "0"], "threads=0"),
        (["--format", "pajeck"], "pajeck"),
    ],
)
def test_a_wrong_option_is_an_error_of_one_line(triadic, ring, words, found, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert found in triadic("census", ring, *words).complaint
    assert [path.name for path in tmp_path.iterdir()] == [ring.name]


def test_a_missing_file_is_named(triadic, tmp_path):
    assert "missing.txt" in triadic("census", tmp_path / "missing.txt").complaint


def test_ctrl_c_gives_130_and_writes_nothing(triadic, ring, tmp_path, monkeypatch):
    def interrupted(*args, **keywords):
        raise KeyboardInterrupt

    monkeypatch.setattr("triadic.measures.triads.triads_of_vertices", interrupted)
    outcome = triadic("census", ring, "--by-vertex", "-o", tmp_path / "out.csv")
    assert (outcome.code, outcome.out) == (130, "")
    assert not (tmp_path / "out.csv").exists()


def test_a_real_network_has_the_census_that_other_programs_found(triadic, real_networks):
    expected = json.loads((real_networks / "expected.json").read_text())["wiki-Vote.txt.gz"]
    record = json.loads(triadic("census", real_networks / "wiki-Vote.txt.gz", "--json").out)
    assert record["graph"]["arcs"] == expected["arcs"]
    assert record["census"] == expected["triad_census"]
