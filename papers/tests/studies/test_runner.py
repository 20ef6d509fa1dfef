"""Running cells: how often, within which time, what is kept, and what stops."""

from __future__ import annotations

import pytest

from triadic.errors import ArgumentError, DeviceError, ReadError
from triadic_papers.studies.cells import is_equal
from triadic_papers.studies.folder import ResultFolder
from triadic_papers.studies.machine import describe_machine
from triadic_papers.studies.runner import Settings, check_files, run_cells, select_cells


@pytest.fixture
def folder(tmp_path):
    return ResultFolder(tmp_path / "out", "nothing", "smoke")


@pytest.fixture
def run(study, options, folder):
    """Run the study; gives what was told of finished cells: (name, result, kept)."""
    machine = describe_machine()
    folder.add_machine(machine)
    cells = study.cells(options)

    def run(*patterns, repeats=3, budget=1.0, cells=cells):
        told = []

        def tell(number, what, result, *, is_old=False):
            if result is not None:
                told.append((result.cell, result, is_old))

        picked = select_cells(cells, patterns)
        run_cells(study, picked, folder, Settings(repeats, budget), machine["key"], tell)
        return told

    return run


def test_each_cell_runs_as_often_as_asked_and_is_compared_with_the_engine(run, calls):
    told = {name: result for name, result, _ in run(repeats=5)}
    right = told["net-20/right@cpu,threads=2"]
    assert len(right.runs) == 5
    assert right.equal is True
    assert right.vertices == 20
    assert right.phase("count") == 0.25
    assert right.facts == {"k": 3}
    assert told["net-20/wrong@cpu"].equal is False
    assert told["net-20/engine@cpu"].equal is True
    assert calls.count("net-40/right") == 5


def test_a_cell_past_its_budget_still_runs_three_times(run):
    told = {name: result for name, result, _ in run("net-20", repeats=50, budget=0.0)}
    assert len(told["net-20/right@cpu,threads=2"].runs) == 3


def test_what_would_take_too_long_by_the_network_before_is_a_row_that_says_so(run, calls):
    told = {name: result for name, result, _ in run(budget=0.0)}
    slow = told["net-40/right@cpu,threads=2"]
    assert slow.runs == ()
    assert slow.equal is None
    assert "one run would take about" in slow.left_out
    assert "--cell-budget is 0 s" in slow.left_out
    assert len(told["net-40/engine@cpu"].runs) == 3  # the engine's row is always there
    assert "net-40/right" not in calls


def test_what_cannot_be_had_here_is_a_row_that_says_why(run):
    told = {name: result for name, result, _ in run()}
    assert told["net-20/absent@cpu"].left_out == "no such thing here"
    assert told["all/right@cuda"].left_out == "no GPU"


def test_a_device_that_fails_leaves_out_its_own_row_only(run, calls):
    calls.errors["net-20", "right"] = DeviceError("cuda:0 failed:\n out of order")
    told = {name: result for name, result, _ in run()}
    assert told["net-20/right@cpu,threads=2"].left_out == "cuda:0 failed: out of order"
    assert told["net-40/right@cpu,threads=2"].equal


def test_what_is_finished_is_not_run_again(run, calls):
    run("net-20")
    before = len(calls)
    again = run("net-20")
    assert [name for name, _, is_old in again if is_old] == ["net-20/right@cpu,threads=2", "net-20/engine@cpu"]
    assert set(calls[before:]) == {"net-20/wrong"}  # what was wrong is tried again


def test_a_study_that_was_interrupted_goes_on_where_it_was(run, calls):
    calls.errors["net-40", "right"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        run()
    calls.errors.clear()
    before = len(calls)
    is_old = [name for name, _, is_old in run() if is_old]
    assert "net-20/right@cpu,threads=2" in is_old
    assert "net-20/right" not in calls[before:]
    assert calls[before:].count("net-40/right") == 3


def test_another_network_of_the_same_name_is_run_again(run, study, options, calls):
    from dataclasses import replace

    run("net-20/right*")
    cell = study.cells(options)[0]
    other = replace(cell, workload=replace(cell.workload, source="another seed"))
    assert [is_old for _, _, is_old in run(cells=[other])] == [False]


def test_a_wrong_file_stops_the_study(run, study, options):
    from dataclasses import replace

    def make():
        raise ReadError("a.mtx", "is no matrix")

    cell = study.cells(options)[0]
    broken = replace(cell, workload=replace(cell.workload, make=make))
    with pytest.raises(ReadError, match="is no matrix"):
        run(cells=[broken])


def test_patterns_choose_cells(study, options):
    cells = study.cells(options)
    assert [cell.name for cell in select_cells(cells, ["*/engine@*"])] == ["net-20/engine@cpu", "net-40/engine@cpu"]
    assert len(select_cells(cells, ["net-20", "all"])) == 5
    with pytest.raises(ArgumentError, match=r"--only nets: no such cell; --list names them"):
        select_cells(cells, ["net-20", "nets"])


@pytest.mark.parametrize(
    ("expected", "found", "equal"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, True),
        ({"a": 1}, {"c": 1}, False),
        ({"a": 1}, {}, False),
        ({"a": (1, 2**70)}, {"a": (1, 2**70)}, True),
        ({"a": (1, 2**70)}, {"a": (1, 2**70 + 1)}, False),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, False),
        ({"a": [0.1 + 0.2]}, {"a": [0.3]}, True),
        ({"a": [0.3]}, {"a": [0.3001]}, False),
    ],
)
def test_answers_are_compared_exactly_but_for_the_last_digits_of_fractions(expected, found, equal):
    assert is_equal(expected, found) is equal


def test_files_are_read_before_anything_runs(study, options, folder, tmp_path):
    from dataclasses import replace

    def make():
        raise ReadError("a.mtx", "is no matrix")

    cells = study.cells(options)
    broken = [replace(each, workload=replace(each.workload, make=make, path=tmp_path)) for each in cells[4:8]]
    check_files(cells, folder, "m")
    with pytest.raises(ReadError, match="is no matrix"):
        check_files([*cells[:4], *broken], folder, "m")
