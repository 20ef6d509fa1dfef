"""The measurement of how costs grow, on networks of some hundred edges: the record, the pictures and the tables."""

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="pictures need matplotlib")
_ROOT = Path(__file__).resolve().parents[1]
_PAGE = _ROOT / "docs" / "scaling.md"
_OWN = ["triadic, one core", "triadic, two cores"]
# No call takes longer than these limits, on a busy machine either.
_SMALLEST = ["--families", "rmat", "small-world", "--scales", "4", "6", "--card-scale", "6", "--settle", "0"]
_SMALLEST += ["--budget", "9000", "--own-budget", "9000", "--limit", "9000"]


@pytest.fixture(scope="module", autouse=True)
def _benchmarks():
    """Import from the folder of the benchmarks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(_ROOT / "benchmarks"))
        yield
    for name in [name for name in sys.modules if name.partition(".")[0] in ("growth", "scaling")]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Measure the smallest networks of both families."""
    folder = tmp_path_factory.mktemp("scaling")
    _run("measure", folder, *_SMALLEST)
    return folder


def _run(command, folder, *options):
    import scaling

    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    try:
        assert scaling.main([command, "--results", str(folder), *options]) == 0
    finally:
        if cores is not None:
            os.sched_setaffinity(0, cores)


def _points(folder):
    content = json.loads((folder / "measured.json").read_text())
    return [point for point in content["points"] if "seconds" in point], content


def test_every_count_is_measured_in_every_network_on_one_core_and_on_two(measured):
    points, content = _points(measured)
    own = {(p["family"], p["scale"], p["measure"], p["contender"]) for p in points if p["contender"] in _OWN}
    networks = [("rmat", 4), ("rmat", 5), ("rmat", 6), ("small-world", 6)]
    counts = ["total", "clustering", "census", "graphlets"]
    assert own == {(*network, count, name) for network in networks for count in counts for name in _OWN}
    assert all(0 < point["least"] <= point["seconds"] <= point["most"] for point in points)
    assert all(point["turns"] >= 3 for point in points)
    assert content["networks"]["rmat-4"] == {"vertices": 16, "edges": 53}


def test_no_contender_has_another_result(measured):
    _, content = _points(measured)
    assert not [point for point in content["points"] if point.get("left_out") == "its result differs"]


def test_a_measurement_that_is_run_again_measures_nothing_twice(measured):
    before = (measured / "measured.json").read_text()
    _run("measure", measured, *_SMALLEST)
    assert json.loads((measured / "measured.json").read_text())["points"] == json.loads(before)["points"]


def test_a_contender_stops_at_the_time_limit_and_goes_on_later(tmp_path):
    options = "--scales", "4", "5", "--settle", "0", "--measures", "total", "--contenders", "core", "igraph"
    _run("measure", tmp_path, *options, "--limit", "0")
    points, content = _points(tmp_path)
    assert not points
    assert {point["stopped"] for point in content["points"] if "stopped" in point} == {
        "the time limit of the measurement was reached"
    }
    _run("measure", tmp_path, *options)
    points, content = _points(tmp_path)
    assert {(p["scale"], p["contender"]) for p in points if p["contender"] in _OWN} == {
        (scale, name) for scale in (4, 5) for name in _OWN
    }
    assert not [point for point in content["points"] if "stopped" in point]


def test_a_contender_stops_where_a_call_would_take_longer_than_its_budget(tmp_path):
    options = "--scales", "4", "7", "--settle", "0", "--measures", "total", "--contenders", "one core"
    _run("measure", tmp_path, *options, "--own-budget", "1e-5")
    points, content = _points(tmp_path)
    assert [point["scale"] for point in points] == [4]
    assert [point["scale"] for point in content["points"] if "stopped" in point] == [5]


def test_pictures_and_tables_come_from_the_files_alone(measured, tmp_path, monkeypatch):
    from growth import pictures, timing

    monkeypatch.setattr(timing, "time_point", None)
    page = tmp_path / "scaling.md"
    page.write_text(_PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    _run("draw", measured, "--figures", str(tmp_path), "--page", str(page))
    names = [
        f"scaling-{family}{count}"
        for family in ("", "small-world-")
        for count in ("total", "clustering", "census", "graphlets")
    ]
    assert sorted(path.stem for path in tmp_path.glob("*.svg")) == sorted(
        f"{name}{ending}" for name in names for ending in ("", "-dark")
    )
    text = page.read_text(encoding="utf-8")
    assert all(f"(figures/{name}.svg)" in text for name in names)
    assert "| triadic, two cores | " in text
    monkeypatch.setattr(pictures, "draw", lambda *_: None)
    _run("draw", measured, "--figures", str(tmp_path), "--page", str(page))
    assert page.read_text(encoding="utf-8") == text


def test_a_file_of_another_machine_is_not_continued(measured, tmp_path):
    content = json.loads((measured / "measured.json").read_text())
    content["machine"]["processor"] = "an abacus"
    (tmp_path / "measured.json").write_text(json.dumps(content))
    with pytest.raises(SystemExit, match="measured on an abacus; name another file with --output"):
        _run("measure", tmp_path, "--scales", "4", "4")


def test_a_folder_without_points_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="no measured points"):
        _run("draw", tmp_path)


def test_a_line_of_a_later_file_replaces_that_of_an_earlier_one(measured, tmp_path):
    from growth import lines

    content = json.loads((measured / "measured.json").read_text())
    (tmp_path / "z-early.json").write_text(json.dumps(content))
    point = {"family": "rmat", "scale": 4, "measure": "total", "seconds": 1.0, "least": 1.0}
    later = content | {
        "date": "2126-01-01T00:00:00+00:00",
        "networks": {},
        "points": [
            point | {"contender": "triadic, one card"},
            {"family": "rmat", "scale": 4, "measure": "total", "contender": _OWN[0], "left_out": "not here"},
        ],
    }
    (tmp_path / "a-late.json").write_text(json.dumps(later))
    results = lines.read(tmp_path)
    card = results.line("rmat", "total", "triadic, one card")
    assert (card.machine, card.points) == (1, [lines.Point(4, 53, 1.0, 1.0)])
    core = results.line("rmat", "total", _OWN[0])
    assert (core.machine, [point.scale for point in core.points]) == (0, [4, 5, 6])


def test_the_slope_is_that_of_the_points_above_the_fixed_cost():
    from growth.lines import Line, Point

    edges = 100 * 2 ** np.arange(12)
    times = np.maximum(1e-3, 1e-9 * edges**1.5)
    points = [Point(scale, int(m), float(t), float(t)) for scale, (m, t) in enumerate(zip(edges, times, strict=True))]
    line = Line("triadic, one core", 0, points)
    assert line.fixed == 1e-3
    assert line.slope == pytest.approx(1.5)
    assert Line("triadic, one core", 0, points[:4]).slope is None


def test_a_jump_is_one_of_the_median_and_of_the_least_time():
    from growth.lines import Line, Point

    smooth = [Point(scale, 100 * 2**scale, 2.0**scale, 2.0**scale) for scale in range(6)]
    assert Line("triadic, one core", 0, smooth).jumps() == []
    noisy = [*smooth[:3], smooth[3]._replace(seconds=50.0), *smooth[4:]]
    assert Line("triadic, one core", 0, noisy).jumps() == []
    higher = [point._replace(seconds=2 * point.seconds, least=2 * point.least) for point in smooth[3:]]
    line = Line("triadic, one core", 0, smooth[:3] + higher)
    assert [(before.scale, after.scale) for before, after in line.jumps()] == [(2, 3)]


@pytest.mark.filterwarnings("ignore:Non-empty compiler output:UserWarning")  # of a kernel of PyOpenCL that copies
@pytest.mark.parametrize("family", ["rmat", "small-world"])
def test_arcs_made_on_a_device_are_those_of_the_host(family):
    from growth import families
    from triadic.devices.runtimes import registry

    pytest.importorskip("pyopencl", reason="PyOpenCL makes arcs on a device")
    host, device = families.arcs_on_host(family, 8), families.arcs_on_card(family, 8, "opencl:0")
    runtime = registry.runtime("opencl:0")
    np.testing.assert_array_equal(runtime.download(device.source), host.source)
    np.testing.assert_array_equal(runtime.download(device.target), host.target)


def test_the_page_has_the_place_of_the_tables():
    from growth import page

    text = _PAGE.read_text(encoding="utf-8")
    assert page._BEGIN in text.partition(page._END)[0]
