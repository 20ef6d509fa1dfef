"""The folder of results: one study at one scale, whole files, several machines."""

from __future__ import annotations

import json

import pytest

from triadic.errors import ArgumentError, ReadError
from triadic_papers.studies.folder import ResultFolder, scale_of
from triadic_papers.studies.results import Result, Run


def result(machine, seconds, **changed):
    fields = {"cell": "a/b@cpu", "workload": "a", "row": "a", "kind": "k", "algorithm": "b", "device": "cpu"}
    runs = tuple(Run(each) for each in seconds)
    return Result(**fields | {"machine": machine, "runs": runs, "equal": bool(runs) or None} | changed)


def make(path, machine, *results):
    folder = ResultFolder(path, "fglt", "smoke")
    folder.add_machine({"key": machine, "processor": "abacus"})
    for each in results:
        folder.add(each)
    return folder


def test_a_result_comes_back_as_it_was(tmp_path):
    kept = result("m", [1.0, 2.0, 4.5], parameters={"grid": 64, "overlap": True}, facts={"C": 0.5})
    assert make(tmp_path / "a", "m", kept).results().first() == kept


def test_figures_of_runs_are_those_of_statistics():
    found = result("m", [1.0, 2.0, 6.0])
    assert (found.median, found.mean, found.std) == (2.0, 3.0, pytest.approx(7**0.5))
    none = result("m", [])
    assert (none.median, none.mean, none.std) == (None, None, None)


def test_a_folder_belongs_to_one_study_at_one_scale(tmp_path):
    make(tmp_path / "a", "m", result("m", [1.0] * 3))
    with pytest.raises(ArgumentError, match=r"holds study fglt at scale smoke; expected poster at smoke"):
        ResultFolder(tmp_path / "a", "poster", "smoke")
    with pytest.raises(ArgumentError, match="expected fglt at paper"):
        ResultFolder(tmp_path / "a", "fglt", "paper")


def test_a_folder_without_results_is_anyone_s(tmp_path):
    ResultFolder(tmp_path, "fglt", "paper")
    ResultFolder(tmp_path, "poster", "smoke")
    assert scale_of(tmp_path) == "smoke"


def test_cells_that_this_machine_would_not_have_stay_with_their_network(tmp_path):
    names = ["z/queues@cpu,threads=16", "z/b@cpu", "a/b@cpu", "a/queues@cpu,threads=16", "given/b@cpu"]
    folder = make(tmp_path, "m", *(result("m", [1.0] * 3, cell=name) for name in names))
    order = ["z/queues@cpu,threads=2", "z/b@cpu", "a/b@cpu"]
    assert [each.cell for each in folder.results(order)] == [names[1], names[0], *names[2:]]


def test_machines_are_joined_and_what_ran_is_not_replaced_by_what_did_not(tmp_path):
    make(tmp_path / "a", "m", result("m", [1.0] * 3))
    make(tmp_path / "b", "n", result("n", [2.0] * 3))
    make(tmp_path / "c", "m", result("m", [], left_out="no GPU"))
    joined = ResultFolder(tmp_path / "all", "fglt", "smoke")
    assert [joined.merge(tmp_path / name) for name in "abc"] == [1, 1, 0]
    assert sorted(joined.machines()) == ["m", "n"]
    assert {each.machine: each.median for each in joined.results()} == {"m": 1.0, "n": 2.0}


def test_only_folders_of_the_same_study_are_joined(tmp_path):
    joined = ResultFolder(tmp_path / "all", "poster", "smoke")
    make(tmp_path / "a", "m")
    with pytest.raises(ArgumentError, match="holds study fglt"):
        joined.merge(tmp_path / "a")
    with pytest.raises(ReadError, match="no folder of a study's results"):
        joined.merge(tmp_path)
    with pytest.raises(ReadError, match=r"no study\.json"):
        scale_of(tmp_path)


@pytest.mark.parametrize("text", ["", "[1]", '{"cell": 1}'])
def test_a_broken_file_is_named(tmp_path, text):
    folder = make(tmp_path / "a", "m", result("m", [1.0] * 3))
    path = next((tmp_path / "a" / "cells").glob("*/*.json"))
    path.write_text(text)
    with pytest.raises(ReadError, match=r"cpu\.json"):
        folder.results()


def test_no_file_lies_half_written(tmp_path, monkeypatch):
    folder = make(tmp_path / "a", "m", result("m", [1.0] * 3))

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(json, "dumps", interrupted)
    with pytest.raises(KeyboardInterrupt):
        folder.add(result("m", [5.0] * 3))
    monkeypatch.undo()
    assert folder.results().first().median == 1.0
    assert len(list((tmp_path / "a").rglob("*.json"))) == 3


def test_rows_that_another_machine_filled_are_not_left_out(tmp_path):
    missing = {"source": "", "workload": "all", "row": "all", "algorithm": "kernel-1", "device": "cuda"}
    folder = make(
        tmp_path / "a",
        "m",
        result("m", [], cell="all/kernel-1@cuda", left_out="no GPU", **missing),
        result("m", [], cell="k/kernel-1@cuda,cards=2", left_out="no two", parameters={"cards": 2}, **missing),
        result("m", [], cell="Actors/any", left_out="no file", **missing | {"row": "Actors", "algorithm": "census"}),
        result("m", [1.0] * 3, source="x", algorithm="kernel-1", device="cuda:0"),
    )
    assert sorted(each.left_out for each in folder.results() if not each.runs) == ["no file", "no two"]
    folder.add(result("m", [1.0] * 3, cell="Actors/x", source="x", row="Actors"))
    assert [each.left_out for each in folder.results() if not each.runs] == ["no two"]


def test_a_machine_keeps_its_key_and_what_is_known_of_its_devices(tmp_path):
    from triadic_papers.studies.machine import describe_machine

    assert describe_machine()["key"] == describe_machine(["cpu"])["key"]
    folder = make(tmp_path / "a", "m")
    folder.add_machine({"key": "m", "devices": {"cuda:0": "a card"}})
    folder.add_machine({"key": "m", "devices": {}})
    assert folder.machines()["m"]["devices"] == {"cuda:0": "a card"}


def test_rows_that_are_no_cells_any_more_are_forgotten(tmp_path, study, options):
    folder = make(tmp_path / "a", "m", result("m", [], left_out="no GPU"), result("m", [1.0] * 3, cell="a/c@cpu"))
    folder.drop_obsolete("m", study.cells(options))
    assert [each.cell for each in folder.results()] == ["a/c@cpu"]
