"""``--device``: every command counts on a GPU what it counts on the CPU, and prints the device."""

from __future__ import annotations

import json

import pytest

import triadic as library
from pairs import each


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """A directed R-MAT network: hubs, arcs of every kind, vertices without arcs."""
    path = tmp_path_factory.mktemp("networks") / "crowd.triadic"
    library.write(library.generate.rmat(8, seed=3, directed=True), path)
    return path


@pytest.fixture(scope="module")
def small_world(tmp_path_factory):
    """A network without directions."""
    path = tmp_path_factory.mktemp("networks") / "small-world.triadic"
    library.write(library.generate.watts_strogatz(200, 8, 0.2, seed=3), path)
    return path


def record(outcome):
    """Return the device and the rest of the JSON object of a command, without its times."""
    assert outcome.code == 0
    found = json.loads(outcome.out)
    del found["seconds"]
    return found.pop("device"), found


COMMANDS = {
    "clustering": ["clustering"],
    "a census of 16 types": ["census"],
    "a census of 64 types": ["census", "--labelled"],
    "graphlets": ["graphlets"],
    "graphlets of three vertices": ["graphlets", "--size", "3"],
}


@pytest.mark.parametrize(("command", "network"), each(COMMANDS, ["crowd", "small_world", "kite"]))
def test_a_command_prints_on_a_gpu_what_it_prints_on_the_cpu(triadic, request, gpu_device, command, network):
    words = COMMANDS[command]
    path = request.getfixturevalue(network)
    used, found = record(triadic(*words, path, "--device", gpu_device, "--json"))
    assert used == gpu_device
    assert found == record(triadic(*words, path, "--device", "cpu", "--json"))[1]


@pytest.mark.parametrize("words", [["clustering"], ["census", "--by-vertex"], ["graphlets"]], ids=" ".join)
def test_the_table_of_vertices_is_the_same_to_the_bit(triadic, gpu_device, tmp_path, crowd, words):
    printed, written = [], []
    for device in (gpu_device, "cpu"):
        path = tmp_path / f"{device.partition(':')[0]}.csv"
        used, found = record(triadic(*words, crowd, "-o", path, "--device", device, "--json"))
        assert used == device
        printed.append(found)
        written.append(path.read_bytes())
    assert printed[0] == printed[1]
    assert written[0] == written[1]
    assert written[0].count(b"\n") == library.read(crowd).num_vertices + 1


def test_two_networks_compare_on_a_gpu_as_on_the_cpu(triadic, gpu_device, crowd, small_world):
    used, found = record(triadic("compare", crowd, small_world, "--device", gpu_device, "--json"))
    assert used == gpu_device
    assert found == record(triadic("compare", crowd, small_world, "--device", "cpu", "--json"))[1]


def test_a_kind_of_device_means_its_first(triadic, gpu_device, kite):
    kind = gpu_device.partition(":")[0]
    assert record(triadic("clustering", kite, "--device", kind, "--json"))[0] == gpu_device


@pytest.mark.parametrize(
    "words", [["clustering"], ["census"], ["census", "--by-vertex", "-o", "out.csv"], ["graphlets"]]
)
def test_a_device_number_that_is_too_high_is_an_error_and_no_file_is_written(
    triadic, gpu_device, kite, tmp_path, monkeypatch, words
):
    monkeypatch.chdir(tmp_path)
    kind = gpu_device.partition(":")[0]
    assert f"device='{kind}:999'" in triadic(*words, kite, "--device", f"{kind}:999").complaint
    assert [path.name for path in tmp_path.iterdir()] == [kite.name]


def test_temporal_motifs_are_the_same_on_a_gpu(triadic, gpu_device, tmp_path):
    library.generate.bursts(50, 500, seed=1).to_parquet(tmp_path / "events.parquet")
    words = ("temporal", str(tmp_path / "events.parquet"), "--delta", "10min", "--json")
    device, found = record(triadic(*words, "--device", gpu_device))
    assert device == gpu_device
    assert record(triadic(*words, "--device", "cpu")) == ("cpu", found)
