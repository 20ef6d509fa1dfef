"""What results come to: CSV, JSON, figures and the page."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from triadic.errors import MissingExtraError, ReadError
from triadic_papers.studies import archive, report
from triadic_papers.studies.figures import Figure, Panel, Series, draw
from triadic_papers.studies.folder import ResultFolder
from triadic_papers.studies.machine import describe_machine
from triadic_papers.studies.results import Result, Results, Run
from triadic_papers.studies.runner import Settings, run_cells

RESULTS = Path(__file__).parents[2] / "results"
LINES = Figure(
    "lines",
    "Caption & more",
    "vertices",
    "time (ms)",
    [
        Panel("left", [Series("α", [1, 2, 4], [1.0, 3.0, 9.0], [0.1, 0.1, 0.2])]),
        Panel("right", [Series("b", [3], [2.0])]),
    ],
    log_x=True,
    log_y=True,
)
BARS = Figure("bars", "Bars", "network", "s", [Panel("", [Series("a", ["x", "a long name"], [1.0, 2.0])])], kind="bars")
STACKED = replace(BARS, name="stacked", kind="stacked")
POINTS = replace(LINES, name="points", kind="points")


@pytest.fixture(scope="module")
def done(study_of_the_module, options, tmp_path_factory):
    """A folder with the study's results, and its report written; tests only read it."""
    study = replace(study_of_the_module, figures=lambda results: [LINES, Figure("nothing", "", "", "")])
    machine = describe_machine()
    folder = ResultFolder(tmp_path_factory.mktemp("study") / "out", "nothing", "smoke")
    folder.add_machine(machine)
    cells = study.cells(options)
    run_cells(study, cells, folder, Settings(3, 1.0), machine["key"], lambda *_, **__: None)
    differing = report.write_report(folder, study, [cell.name for cell in cells])
    assert differing == ["net-20/wrong@cpu", "net-40/wrong@cpu"]
    return folder.path


def test_every_run_is_a_row_of_csv(done):
    rows = list(csv.DictReader((done / "results.csv").read_text().splitlines()))
    assert len(rows) == 2 * 3 * 3
    first = rows[0]
    assert (first["study"], first["workload"], first["algorithm"], first["run"]) == ("nothing", "net-20", "right", "1")
    assert float(first["seconds"]) > 0
    assert json.loads(first["phases"]) == {"count": 0.25}
    assert json.loads(first["parameters"]) == {"threads": 2}


def test_the_summary_says_of_each_algorithm_whether_it_is_right(done):
    summary = json.loads((done / "summary.json").read_text())
    equal = {each["algorithm"]: each["equal"] for each in summary["algorithms"] if each["device"] == "cpu"}
    assert equal == {"right": True, "wrong": False, "absent": None, "engine": True}
    cells = {each["cell"]: each for each in summary["cells"]}
    assert len(cells) == 9
    assert cells["net-20/right@cpu,threads=2"].keys() >= {"median", "mean", "std", "runs", "equal", "facts"}
    assert cells["all/right@cuda"]["left_out"] == "no GPU"
    assert summary["machines"][cells["net-20/engine@cpu"]["machine"]]["threads"] >= 1


def test_the_page_is_one_file_with_both_tables_and_figures_inside(done):
    page = (done / "index.html").read_text()
    assert "Nothing &amp; much" in page
    assert "Times &lt;b&gt;" in page
    assert "The paper: table 1" in page
    assert "12.5" in page
    assert "no such thing here" in page
    assert "Not the engine's result: net-20/wrong@cpu, net-40/wrong@cpu" in page
    assert page.count("<svg") == 1
    for outside in ("<script", "<link", "<img", "@import", 'src="'):
        assert outside not in page


def test_empty_figures_are_not_drawn(done):
    assert sorted(path.name for path in (done / "figures").iterdir()) == ["lines.png", "lines.svg"]


@pytest.mark.parametrize("figure", [LINES, BARS, STACKED, POINTS], ids=lambda figure: figure.name)
def test_a_figure_is_drawn_as_svg_and_png_with_its_labels(figure, tmp_path):
    draw(figure, tmp_path)
    svg = (tmp_path / f"{figure.name}.svg").read_text()
    ET.fromstring(svg)
    assert figure.y_label in svg
    assert figure.x_label in svg
    assert (tmp_path / f"{figure.name}.png").read_bytes().startswith(b"\x89PNG")


def test_panels_without_values_are_left_out(tmp_path):
    draw(replace(LINES, panels=[*LINES.panels, Panel("nothing here", [])]), tmp_path)
    assert "nothing here" not in (tmp_path / "lines.svg").read_text()


def test_the_same_figure_is_the_same_file(tmp_path):
    draw(LINES, tmp_path / "a")
    draw(LINES, tmp_path / "b")
    assert (tmp_path / "a" / "lines.svg").read_text() == (tmp_path / "b" / "lines.svg").read_text()


def test_without_matplotlib_and_jinja_the_rest_is_written(study, options, tmp_path, monkeypatch):
    def none(name, *_):
        raise MissingExtraError(name)

    monkeypatch.setattr(report, "check_matplotlib", lambda: none("figures need matplotlib"))
    monkeypatch.setattr(report, "check_jinja", lambda: none("the page needs jinja2"))
    assert report.missing_packages() == ["figures need matplotlib", "the page needs jinja2"]
    folder = ResultFolder(tmp_path / "out", "nothing", "smoke")
    report.write_report(folder, replace(study, figures=lambda results: [LINES]), [])
    assert (folder.path / "summary.json").exists()
    assert not (folder.path / "index.html").exists()
    assert not (folder.path / "figures").exists()


def test_a_missing_package_is_named_with_its_extra(monkeypatch):
    from triadic.core import checked
    from triadic_papers.studies import figures, page

    monkeypatch.setattr(checked, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'triadic\[plot\]'"):
        figures.check_matplotlib()
    with pytest.raises(MissingExtraError, match=r"pip install 'triadic\[report\]'"):
        page.check_jinja()


def test_a_label_names_the_machine_only_where_several_ran_the_same():
    cpu, card = (Result("net/a@x", "net", "net", "net", "a", device, runs=(Run(1.0),)) for device in ("cpu", "cuda:0"))
    results = Results([replace(cpu, machine="one"), replace(cpu, machine="two"), replace(card, machine="two")])
    assert [results.machine_suffix(each) for each in results] == [" [one]", " [two]", ""]


def test_two_files_of_a_study_are_enough_for_its_page(done, study, tmp_path, monkeypatch):
    for name in ("results.csv", "summary.json"):
        (tmp_path / name).write_text((done / name).read_text())
    monkeypatch.setattr(archive, "find_study", lambda name: replace(study, figures=lambda results: [LINES]))
    assert report.archived_page(archive.read_archive(tmp_path)) == (done / "index.html").read_text()


def test_a_folder_without_a_study_s_files_is_refused(tmp_path, done):
    folder = tmp_path / "archive"
    folder.mkdir()
    with pytest.raises(ReadError, match=r"summary\.json"):
        archive.read_archive(folder)
    (folder / "summary.json").write_text("{}")
    with pytest.raises(ReadError, match=r"results\.csv"):
        archive.read_archive(folder)
    (folder / "results.csv").write_text((done / "results.csv").read_text())
    with pytest.raises(ReadError, match="does not hold the results of a study"):
        archive.read_archive(folder)


@pytest.mark.parametrize("name", sorted(path.name for path in RESULTS.iterdir()))
def test_every_study_in_the_repository_can_be_read(name):
    found = archive.read_archive(RESULTS / name)
    assert f"{found.study.name}-{found.scale}" == name
    assert all(each.equal for each in found.results.completed)
