"""``triadic study``: each paper's experiment at its smallest, and what goes wrong."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from strategies import NIGHTLY
from triadic import triangles
from triadic.generate import barabasi_albert
from triadic_papers.studies.first_call import first_call

# Parts of each smoke run: starting processes with layers of their own and compiling for OpenCL take most of its time.
# TBB and OpenMP, whose processes the tests of their algorithms start too, are run by studies in the nightly run, and so
# is the first call of a process, which a test below makes once.
PARTS = {
    "cstn117": [
        *(f"small-world-300/{each}@*" for each in ("pthreads", "cell", *(["tbb"] if NIGHTLY else []))),
        "*/seq*",
        "scale-free-200/[ek]*",
    ],
    "opencl": [
        *(["random-1"] if NIGHTLY else ["random-1/[es]*", "random-1/opencl@*"]),
        "scale-free-1/sequential@*",
        "scale-free-1/engine@*",
    ],
    "poster": ["rmat-7", "web-BerkStan"],
    "triad-census": ["rmat-7", "Actors"],
    "fglt": ["mesh", "scale-free/engine@*"],
}


# `make studies` runs all of them too.
@pytest.mark.parametrize(
    "name", [name if name in ("opencl", "fglt") else pytest.param(name, marks=pytest.mark.nightly) for name in PARTS]
)
def test_smoke_gives_the_engines_results_and_a_page(triadic, tmp_path, name):
    folder = tmp_path / "out"
    patterns = [word for pattern in PARTS[name] for word in ("--only", pattern)]
    outcome = triadic("study", name, "--scale", "smoke", "--cell-budget", "0.2", *patterns, "-o", folder)
    assert outcome.err == ""
    assert outcome.code == 0
    assert f"written: {folder / 'index.html'}" in outcome.out
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["study"] == name
    for each in summary["cells"]:
        assert each["equal"] is True or each["left_out"], each["cell"]
    assert any(each["equal"] and each["algorithm"] != "engine" for each in summary["algorithms"])
    drawn = len(list((folder / "figures").glob("*.svg")))  # none of fglt's where there is no GPU
    assert (folder / "index.html").read_text().count("<svg") == drawn


def test_a_first_call_counts_in_a_process_of_its_own(gpu_device):
    graph = barabasi_albert(60, 3, seed=1)
    found = first_call(gpu_device, graph)
    assert found.answer["triangles"].tolist() == triangles(graph).tolist()
    assert found.seconds == sum(found.phases.values()) > 0


CHEAP = ("study", "triad-census", "--scale", "smoke", "--devices", "cpu", "--only", "rmat-7/rows@cpu")


def test_what_is_finished_is_kept(triadic, tmp_path):
    assert "1 cells: 1 run, 0 kept from before, 0 left out" in triadic(*CHEAP, "-o", tmp_path / "out").out
    assert "1 cells: 0 run, 1 kept from before, 0 left out" in triadic(*CHEAP, "-o", tmp_path / "out").out


def test_results_of_machines_are_merged(triadic, tmp_path):
    triadic(*CHEAP, "-o", tmp_path / "a")
    triadic(*CHEAP[:-1], "rmat-7/engine@cpu", "-o", tmp_path / "b")
    outcome = triadic("study", "triad-census", "merge", tmp_path / "a", tmp_path / "b", "-o", tmp_path / "all")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("2 results of 1 machines\n")
    summary = json.loads((tmp_path / "all" / "summary.json").read_text())
    assert [each["cell"] for each in summary["cells"]] == ["rmat-7/rows@cpu", "rmat-7/engine@cpu"]


def test_cells_are_listed_without_being_run(triadic, tmp_path):
    outcome = triadic("study", "poster", "--scale", "smoke", "--devices", "cpu", "--list", "-o", tmp_path / "out")
    assert "rmat-7/edge-centric@cpu\n" in outcome.out
    assert not (tmp_path / "out").exists()


def test_progress_names_each_cell(triadic, tmp_path):
    err = triadic(*CHEAP, "--progress", "-o", tmp_path / "out").err
    assert err.startswith("[1/1] rmat-7/rows@cpu: ")
    assert "3 runs, equal" in err


def test_an_interruption_keeps_what_is_done_and_says_how_to_go_on(triadic, tmp_path, monkeypatch):
    from triadic_papers.studies import triad_census

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(triad_census.batagelj_mrvar, "count_queues", interrupted)
    patterns = ("--only", "rmat-7/rows@cpu", "--only", "rmat-7/queues@cpu,balance=vertices*")
    words = ("study", "triad-census", "--scale", "smoke", "--devices", "cpu", *patterns, "-o", tmp_path / "out")
    outcome = triadic(*words)
    assert outcome.code == 130
    assert outcome.err == "triadic: interrupted, 1 of 2 cells done; the same command goes on\n"
    assert (tmp_path / "out" / "summary.json").exists()
    monkeypatch.undo()
    assert "2 cells: 1 run, 1 kept from before" in triadic(*words).out


def test_a_wrong_result_is_told(triadic, tmp_path, monkeypatch):
    from triadic_papers import studies

    astray = replace(studies.find_study("triad-census"), expected=lambda graph: {"census": ()})
    monkeypatch.setattr(studies, "find_study", lambda name: astray)
    outcome = triadic(*CHEAP, "-o", tmp_path / "out")
    assert outcome.code == 1
    assert outcome.err == "triadic: rmat-7/rows@cpu: its result is not the engine's\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["poetry"], "study 'poetry': expected one of cstn117, opencl, poster, triad-census, fglt"),
        (["fglt", "--scale", "huge"], "--scale huge: expected one of smoke, small, paper"),
        (["fglt", "--devices", "abacus"], "--devices abacus: expected cpu, cuda,"),
        (["fglt", "--devices", "opencl:99"], "--devices opencl:99: found"),
        (["fglt", "--devices", "cpu", "--only", "nowhere"], "--only nowhere: no such cell; --list names them"),
        (["fglt", "--devices", "cpu", "--repeats", "2"], "--repeats 2: expected at least 3"),
        (["fglt", "--devices", "cpu", "--cell-budget", "-1"], "--cell-budget -1: expected at least 0"),
        (["fglt", "--graph", "auto"], "--graph auto: expected NAME=FILE"),
        (["fglt", "--graph", "auto=/no/such.mtx"], "/no/such.mtx: there is no such file"),
        (["cstn117", "--graph", "a=b"], "--graph a=b: study cstn117 makes its networks itself"),
        (["fglt", "--profile"], "--profile belongs to the study poster"),
        (["fglt", "join"], "join: expected merge DIR..., or nothing after fglt"),
        (["fglt", "merge"], "merge: expected merge DIR..., or nothing after fglt"),
        (["fglt", "merge", "/no/such"], "/no/such: is no folder of a study's results"),
    ],
)
def test_a_mistake_is_one_line(triadic, tmp_path, words, complaint):
    outcome = triadic("study", *words, "-o", tmp_path / "out")
    assert complaint in outcome.complaint
    assert not (tmp_path / "out").exists()


def test_a_file_with_directions_does_not_fit_fglt(triadic, tmp_path):
    path = tmp_path / "arcs.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n")
    words = ("study", "fglt", "--scale", "smoke", "--devices", "cpu", "--graph", f"auto={path}", "-o", tmp_path / "out")
    assert "has directions; the FGLT report takes networks without" in triadic(*words).complaint


def test_a_file_that_is_no_network_is_one_line(triadic, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("once upon a time\nthere was\n")
    words = ("study", "poster", "--scale", "smoke", "--devices", "cpu", "--graph", f"LiveJournal={path}")
    assert str(path) in triadic(*words, "-o", tmp_path / "out").complaint


def test_a_folder_of_another_scale_is_refused(triadic, tmp_path):
    triadic(*CHEAP, "-o", tmp_path / "out")
    words = ["small" if word == "smoke" else "rmat-10/rows@cpu" if word.startswith("rmat") else word for word in CHEAP]
    assert "holds study triad-census at scale smoke" in triadic(*words, "-o", tmp_path / "out").complaint
