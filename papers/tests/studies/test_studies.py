"""The five studies: what they would run, what the papers printed, and the parts of their own."""

from __future__ import annotations

import json
import stat
import sys
from math import isqrt

import numpy as np
import pytest

import triadic
from triadic.errors import ArgumentError, DeviceError
from triadic.generate import erdos_renyi
from triadic.graph.graph import Graph
from triadic_papers.studies import NAMES, counters, devices, find_study, poster
from triadic_papers.studies.cells import ENGINE, UnavailableError
from triadic_papers.studies.devices import Devices, find_devices
from triadic_papers.studies.paper_values import cstn117 as printed_cstn117
from triadic_papers.studies.paper_values import triad_census as printed_census
from triadic_papers.studies.study import SCALES, StudyOptions
from triadic_papers.studies.substitute_networks import mesh, roads

EVERY = Devices(cpu=True, gpus=("cuda:0", "opencl:0"), sets=("cuda:0,1", "cuda:0,1,2,3"))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", NAMES)
def test_cells_have_names_of_their_own_and_lie_network_by_network(name, scale):
    cells = find_study(name).cells(StudyOptions(scale, EVERY))
    assert len({cell.name for cell in cells}) == len(cells)
    networks = [cell.workload.name for cell in cells if cell.workload]
    assert len(set(networks)) == sum(a != b for a, b in zip(networks, [None, *networks], strict=False))
    assert all(cell.run or cell.left_out for cell in cells)


@pytest.mark.parametrize("name", NAMES)
def test_every_study_has_the_engine_on_every_device(name):
    cells = find_study(name).cells(StudyOptions("smoke", EVERY))
    for workload in {cell.workload.name for cell in cells if cell.workload}:
        mine = {cell.device for cell in cells if cell.workload and cell.workload.name == workload}
        engine = {cell.device for cell in cells if cell.name.startswith(f"{workload}/{ENGINE}@")}
        assert engine == mine


@pytest.mark.parametrize("name", NAMES)
def test_without_a_gpu_a_row_says_so(name):
    cells = find_study(name).cells(StudyOptions("smoke", Devices(cpu=True)))
    assert any("--devices names no" in cell.left_out for cell in cells)


def test_cstn117_has_the_papers_sizes_and_every_device_of_its_table():
    cells = find_study("cstn117").cells(StudyOptions("paper", EVERY))
    names = list(dict.fromkeys(cell.workload.name for cell in cells if cell.workload))
    assert names[0] == "small-world-100000"
    assert names[9:11] == ["small-world-1000000", "scale-free-20000"]
    assert names[-1] == "scale-free-200000"
    for kind, rows in printed_cstn117.TABLE_2.items():
        for row in rows:
            of_row = [
                cell
                for cell in cells
                if cell.workload
                and cell.workload.kind == kind
                and cell.algorithm == row.algorithm
                and (cell.device.count(",") + 1 == row.cards if row.cards else cell.device == "cpu")
                and (not row.cards or cell.parameters["prefetch"] == row.prefetch)
            ]
            assert of_row, row.device


def test_the_opencl_paper_has_its_seven_sizes():
    cells = find_study("opencl").cells(StudyOptions("paper", EVERY))
    factors = sorted({cell.workload.size for cell in cells if cell.workload})
    assert [isqrt(round(250_000 * factor)) for factor in factors] == [500, 707, 1118, 1581, 2236, 3535, 5000]


def test_fglt_has_the_grids_and_blocks_of_table_1():
    cells = find_study("fglt").cells(StudyOptions("paper", EVERY))
    on_card = [cell.parameters for cell in cells if cell.device == "cuda:0" and cell.algorithm == "fglt"]
    assert {each["grid"] for each in on_card if each["block"] == 32} == {64, 128, 256, 512, 1024, 2048, 4096}
    assert {each["block"] for each in on_card if each["grid"] == 256} == {32, 64, 128, 256, 512}
    assert {each["overlap"] for each in on_card} == {True, False}


def test_the_thesis_has_rows_for_its_networks_whether_they_are_given_or_not(tmp_path):
    path = tmp_path / "slashdot.txt"
    path.write_text("0 1\n1 2\n2 0\n")
    cells = find_study("triad-census").cells(StudyOptions("smoke", EVERY, {"Slashdot": path, "eatSR": path}))
    missing = [cell.row for cell in cells if "--graph" in cell.left_out]
    assert missing == ["Actors", "Patents", "Amazon", "Google", "WikiTalk"]
    assert {cell.workload.name for cell in cells if cell.workload} == {"Slashdot", "eatSR", "rmat-7"}


def test_printed_tables_agree_with_each_other():
    for name, ups in printed_census.SPEED_UPS.items():
        seconds = printed_census.VERSIONS[name][0]
        base = printed_census.VERSIONS["v0.1 baseline"][0]
        for up, mine, first in zip(ups, seconds, base, strict=True):
            assert up == pytest.approx(first / mine, rel=0.02)
    for row in (*printed_census.AT_16, *printed_census.AT_BEST):
        assert sum(row[5:8]) == pytest.approx(row[4], abs=0.011)
    for _, every, others, both, reused in printed_census.MEMORY:
        assert every + others == pytest.approx(both, rel=0.02)
        assert reused < both


def test_a_mesh_has_fourteen_neighbours_inside_and_roads_mostly_two():
    inside = mesh(5)
    assert inside.degree.max() == 14
    assert inside.degree[2 * 25 + 2 * 5 + 2] == 14
    streets = roads(12, 10)
    assert np.median(streets.degree) == 2
    assert streets.degree.max() == 4
    assert triadic.triangle_count(streets) == 0


@pytest.mark.parametrize(
    ("asked", "single", "sets"),
    [
        ("cpu", (), ()),
        ("cpu,cuda:0", ("cuda:0",), ()),
        ("cuda:0,cuda:1", ("cuda:0", "cuda:1"), ()),
        ("cuda:0,1", ("cuda:0",), ("cuda:0,1",)),
        ("cpu,cuda:0,1,2,3,opencl", ("cuda:0", "opencl:0"), ("cuda:0,1", "cuda:0,1,2,3")),
        ("cuda:all", ("cuda:0",), ("cuda:0,1", "cuda:0,1,2,3")),
        ("cuda:0,1,2", ("cuda:0",), ("cuda:0,1", "cuda:0,1,2")),
    ],
)
def test_devices_are_named_with_commas(monkeypatch, asked, single, sets):
    monkeypatch.setattr(devices.gpus, "count", lambda kind: 4)
    found = find_devices(asked)
    assert (found.gpus, found.sets) == (single, sets)
    assert found.cpu == asked.startswith("cpu")


@pytest.mark.parametrize("there", [0, 1, 4])
def test_by_default_the_cpu_and_the_cards_there_are(monkeypatch, there):
    monkeypatch.setattr(devices.gpus, "is_installed", lambda kind: kind == "cuda")
    monkeypatch.setattr(devices.gpus, "count", lambda kind: there)
    found = find_devices(None)
    assert found.cpu
    assert found.gpus == (("cuda:0",) if there else ())
    assert found.with_cards(4) == ("cuda:0,1,2,3" if there == 4 else None)


@pytest.mark.parametrize(
    ("asked", "error"), [("gpu", ArgumentError), ("cuda:7", DeviceError), ("cuda:x", ArgumentError)]
)
def test_an_unknown_device_is_named(monkeypatch, asked, error):
    monkeypatch.setattr(devices.gpus, "count", lambda kind: 2)
    with pytest.raises(error, match=rf"^--devices {asked}: "):
        find_devices(asked)


FAKE_NCU = """#!{python}
import json, pathlib, sys
import numpy as np
folder = pathlib.Path(sys.argv[sys.argv.index("triadic_papers.studies.counters") + 1])
np.load(folder / "indptr.npy")
{body}
"""
HEADINGS = ["gpu__time_duration.sum", *(name for name, _ in counters._COUNTERS), counters._LATENCY]


def fake_profiler(folder, monkeypatch, body):
    path = folder / "ncu"
    path.write_text(FAKE_NCU.format(python=sys.executable, body=body))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(counters.shutil, "which", lambda name: str(path))


def test_counters_of_a_card_become_the_posters_metrics(tmp_path, monkeypatch):
    rows = [["ID", *HEADINGS], ["", "ns", *["%"] * 6], ["0", "1,000", "9", "9", "9", "9", "9", "9"]]
    rows.append(["1", "2,000,000", "50.0", "8", "2.5", "14.28", "n/a", "10"])
    table = "\n".join(",".join(f'"{entry}"' for entry in row) for row in rows)
    body = f"(folder / 'total.json').write_text(json.dumps(45))\nprint('==PROF== hello')\nprint({table!r})"
    fake_profiler(tmp_path, monkeypatch, body)
    found = counters.read_counters("edge-centric", "cuda:0", erdos_renyi(20, 40, seed=1))
    assert found.answer == {"total": 45}
    assert found.seconds == pytest.approx(0.002)
    assert found.facts == {
        "achieved occupancy": 0.5,
        "warp execution efficiency, %": 25.0,
        "stall: execution dependency, %": 25.0,
        "global load efficiency, %": 14.28,
    }


def test_the_profiler_watches_a_count_over_neighbours_in_either_direction(tmp_path, monkeypatch):
    table = '"ID","gpu__time_duration.sum"\n"0","1,000"'
    body = f"(folder / 'total.json').write_text(str(len(np.load(folder / 'indices.npy'))))\nprint({table!r})"
    fake_profiler(tmp_path, monkeypatch, body)
    found = counters.read_counters("edge-centric", "cuda:0", Graph.from_edges([0, 1, 0], [1, 2, 2], directed=True))
    assert found.answer == {"total": 6}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("print('==ERROR== ERR_NVGPUCTRPERM'); sys.exit(1)", "does not allow this user to read counters"),
        ("print('no such option', file=sys.stderr); sys.exit(1)", "no such option"),
        ("(folder / 'total.json').write_text('1')", "reported no kernel"),
    ],
)
def test_counters_that_cannot_be_read_say_why(tmp_path, monkeypatch, body, reason):
    fake_profiler(tmp_path, monkeypatch, body)
    with pytest.raises(UnavailableError, match=reason):
        counters.read_counters("edge-centric", "cuda:0", erdos_renyi(20, 40, seed=1))


def test_without_a_profiler_or_a_card_there_are_no_counters(monkeypatch):
    monkeypatch.setattr(counters.shutil, "which", lambda name: None)
    graph = erdos_renyi(20, 40, seed=1)
    with pytest.raises(UnavailableError, match="is not on the path"):
        counters.read_counters("edge-centric", "cuda:0", graph)
    with pytest.raises(UnavailableError, match="opencl:0 has no counters"):
        counters.read_counters("edge-centric", "opencl:0", graph)


def test_the_watched_process_counts_once(tmp_path, monkeypatch):
    graph = erdos_renyi(30, 120, seed=1)
    np.save(tmp_path / "indptr.npy", graph.indptr)
    np.save(tmp_path / "indices.npy", graph.indices)
    counters._main([str(tmp_path), "vertex-centric", "cpu"])
    assert json.loads((tmp_path / "total.json").read_text()) == triadic.triangle_count(graph)


def test_profiles_are_asked_for_on_every_gpu():
    names = [cell.name for cell in poster.cells(StudyOptions("smoke", EVERY, profile=True))]
    assert "rmat-7/profile-edge-centric@cuda:0" in names
    assert not any("profile" in cell.name for cell in poster.cells(StudyOptions("smoke", EVERY)))
