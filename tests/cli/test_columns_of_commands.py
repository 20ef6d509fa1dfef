"""The options of commands that say which columns to read, and what the commands print of them."""

from __future__ import annotations

import json

import pytest

TRIANGLE = "id,anna,bert,n\n1,5,6,1\n2,6,7,2\n3,5,7,3\n"
OPTIONS = ("--header", "--source", "anna", "--target", "2", "--directed")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TRIANGLE)
    return path


def test_the_title_of_a_table_says_which_columns_were_read(triadic, tmp_path):
    path = tmp_path / "web.csv"
    path.write_text("id,from_user,to_user\n1,5,6\n2,6,7\n3,5,7\n")
    expected = "web.csv: columns from_user → to_user, header in line 1"
    for command in ("clustering", "census", "graphlets"):
        assert triadic(command, str(path), "--quiet", "--directed").out.splitlines()[0] == expected


@pytest.mark.parametrize("command", ["clustering", "census", "graphlets", "plan", "info"])
def test_a_table_whose_names_say_nothing_is_read_as_the_options_say(triadic, file, command):
    refused = triadic(command, str(file))
    assert refused.code != 0
    assert "pass source= and target= (--source and --target)" in refused.err
    outcome = triadic(command, str(file), *OPTIONS)
    assert outcome.code == 0, outcome.err


def test_tiles_are_made_of_the_columns_that_the_options_name(triadic, file, tmp_path):
    outcome = triadic("tile", str(file), str(tmp_path / "tiles"), *OPTIONS, "--quiet")
    assert outcome.code == 0, outcome.err
    assert outcome.out.splitlines()[0].endswith("columns anna → bert, header in line 1")
    again = triadic("clustering", str(tmp_path / "tiles"), "--quiet")
    assert again.out.splitlines()[0] == "tiles: columns anna → bert, header in line 1"
    assert "nothing to do" in triadic("tile", str(file), str(tmp_path / "tiles"), *OPTIONS, "--quiet").out
    weighted = triadic("tile", str(file), str(tmp_path / "others"), *OPTIONS, "--weights", "n", "--quiet")
    assert weighted.out.splitlines()[0].endswith("columns anna → bert, weights n, header in line 1")


def test_a_converted_network_keeps_the_weights_that_the_option_names(triadic, file, tmp_path):
    target = tmp_path / "out.csv"
    outcome = triadic("convert", str(file), str(target), *OPTIONS, "--weights", "3")
    assert outcome.code == 0, outcome.err
    assert "columns anna → bert, weights n, header in line 1" in outcome.out
    assert target.read_text().splitlines() == ["source,target,weight", "5,6,1", "5,7,3", "6,7,2"]


def test_two_compared_networks_are_titled_with_their_columns(triadic, file):
    outcome = triadic("compare", str(file), str(file), *OPTIONS, "--quiet")
    lines = [line for line in outcome.out.splitlines() if ": columns" in line]
    assert len(lines) == 2
    for line in lines:
        assert line.endswith("table.csv: columns anna → bert, header in line 1")


def test_weights_do_no_harm_to_a_count_without_weights(triadic, file):
    plain, weighted = (
        json.loads(triadic("census", str(file), *OPTIONS, *more, "--json").out) for more in ((), ("--weights", "n"))
    )
    assert plain["census"] == weighted["census"]


@pytest.mark.parametrize(("command", "says"), [("census", True), ("clustering", False), ("significance", True)])
def test_the_title_says_that_a_direction_was_assumed_if_the_command_counts_directions(triadic, tmp_path, command, says):
    path = tmp_path / "web.txt"
    path.write_text("0 1\n1 2\n2 0\n0 2\n2 3\n3 1\n")
    title = triadic(command, str(path), "--quiet").out.splitlines()[0]
    assert title.startswith("web.txt: columns 0 → 1, no header")
    assert title.endswith("; read as directed (assumed, as the file does not state it)") == says
    assert (
        triadic(command, str(path), "--quiet", "--directed").out.splitlines()[0] == "web.txt: columns 0 → 1, no header"
    )


def test_tiles_of_arcs_that_look_undirected_are_said(triadic, tmp_path):
    path = tmp_path / "web.txt"
    path.write_text("0 1\n1 2\n0 2\n2 3\n")
    assert triadic("tile", str(path), str(tmp_path / "tiles"), "--quiet").code == 0
    assert "nothing in the input says so" in triadic("census", str(tmp_path / "tiles"), "--quiet").err
