"""A device that fails or is full: one clear error, or a warning and a count on the CPU if "auto" chose the device."""

from __future__ import annotations

import json
import signal
from copy import copy
from threading import Event

import numpy as np
import pytest

import triadic
from triadic.cli import main
from triadic.counts import count as counting
from triadic.counts.count import run
from triadic.counts.triangles import TRIANGLES
from triadic.devices import select
from triadic.devices.gpu import list_tasks, rows
from triadic.devices.gpu import triangles as gpu
from triadic.devices.runtimes import registry as gpus
from triadic.errors import DeviceError, OutOfMemoryError

GIB = 1 << 30


def network():
    return triadic.generate.rmat(11, seed=3)


def one_line(raised):
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_graph_too_large_for_a_device_is_refused_before_any_copy(gpu_device, monkeypatch):
    graph, runtime = network(), gpus.runtime(gpu_device)
    monkeypatch.setattr(type(runtime), "memory", lambda _: (1 << 16, 1 << 40))
    monkeypatch.setattr(type(runtime), "upload", lambda *_: pytest.fail("copied"))
    for count in (triadic.triangle_count, triadic.triangles, triadic.edge_support, triadic.triad_census):
        with pytest.raises(OutOfMemoryError) as raised:
            count(graph, device=gpu_device)
        message = one_line(raised)
        assert message.startswith(
            f"{gpu_device} ({runtime.label}) has 64.0 KiB of 1,024.0 GiB free and a graph of 2,048 v"
        )
        assert message.endswith("iB there: release() other graphs that lie there, or use device='cpu'")


def choose_always(patch, device):
    """Have "auto" choose a device for graphs of any size."""
    patch.setattr(counting, "FEWEST_EDGES", 0)
    patch.setattr(select, "_choose", lambda *_: device)


def test_the_error_of_a_device_that_is_too_small_even_when_empty_says_so(gpu_device, monkeypatch):
    runtime = gpus.runtime(gpu_device)
    monkeypatch.setattr(type(runtime), "memory", lambda _: (3 * GIB, 4 * GIB))
    monkeypatch.setattr(type(runtime), "largest_buffer", lambda _: 4 * GIB)
    runtime.check_room("it", GIB, 2 * GIB)
    with pytest.raises(
        OutOfMemoryError, match=r"has 3\.0 GiB of 4\.0 GiB free and it takes about 5\.0 GiB there: use a de"
    ):
        runtime.check_room("it", 2 * GIB, 3 * GIB)


def test_the_error_of_a_buffer_larger_than_a_device_allows_says_so(gpu_device, monkeypatch):
    graph, runtime = network(), gpus.runtime(gpu_device)
    monkeypatch.setattr(type(runtime), "largest_buffer", lambda _: 1 << 14)
    with pytest.raises(
        OutOfMemoryError, match=r"allows buffers of up to 16\.0 KiB and one of \d+\.\d [KM]iB is needed: use"
    ):
        triadic.edge_support(graph, device=gpu_device)


def test_opencl_allocates_no_buffer_larger_than_it_allows(gpu_device):
    if not gpu_device.startswith("opencl"):
        pytest.skip("a test of OpenCL")
    runtime = gpus.runtime(gpu_device)
    for make in (runtime.zeros, runtime.empty):
        with pytest.raises(OutOfMemoryError, match=r"allows buffers of up to .* GiB and one of .* GiB is needed"):
            make(runtime.largest_buffer(), np.int64)


NETWORKS = {
    "hubs": lambda: triadic.generate.rmat(13, seed=3),
    "a mesh": lambda: triadic.generate.delaunay(20_000, seed=3),
    "small worlds": lambda: triadic.generate.watts_strogatz(10_000, 16, 0.1, seed=3),
    "a ring": lambda: triadic.generate.watts_strogatz(30_000, 4, 0.0, seed=3),
}


@pytest.mark.parametrize("hubs", [0, 64, None])
@pytest.mark.parametrize("kind", NETWORKS)
def test_the_memory_of_a_graph_is_estimated_within_a_fifth(gpu_device, kind, hubs):
    oriented, runtime = NETWORKS[kind]().oriented(), gpus.runtime(gpu_device)
    hubs = list_tasks.choose_hubs(oriented.num_edges) if hubs is None else hubs
    graph = list_tasks.prepare(runtime, oriented, hubs=hubs)
    lists = len(graph.ends)
    assert rows.length_of_lists(oriented, hubs) == pytest.approx(lists, rel=0.05, abs=200)
    arrays = sum(field.nbytes for name in graph.__slots__ if hasattr(field := getattr(graph, name), "nbytes"))
    counts_bytes = 8 * graph.n if hubs else max(8 * graph.n, 4 * graph.m)
    counting = arrays + counts_bytes + hubs * (hubs // 64 + 1) * 8
    rows._CACHE.pop(oriented)
    making = 32 * graph.n + 4 * graph.m + sum(runtime.room_for_columns(graph.n, lists))
    assert sum(list_tasks.bytes_of_lists(runtime, oriented, hubs)) == pytest.approx(max(making, counting), rel=0.2)


@pytest.mark.parametrize("marked", [64, 1024, 32_000])
@pytest.mark.parametrize("kind", NETWORKS)
def test_the_memory_of_columns_of_low_rank_is_estimated_within_a_fifth(gpu_device, kind, marked):
    oriented, runtime = NETWORKS[kind]().oriented(), gpus.runtime(gpu_device)
    low = list_tasks.prepare(runtime, oriented, hubs=64, marked=marked).low
    estimate = list_tasks.bytes_of_low_columns(oriented.num_vertices, rows.entries_below(oriented, marked))
    assert sum(estimate) == pytest.approx(low.end.nbytes + low.unit_ptr.nbytes + low.units.nbytes, rel=0.2)


def test_rows_on_the_device_are_left_out_of_the_estimate(gpu_device):
    oriented, runtime = network().oriented(), gpus.runtime(gpu_device)
    before = sum(list_tasks.bytes_of_lists(runtime, oriented, 0))
    rows.rows_on(runtime, oriented)
    after = sum(list_tasks.bytes_of_lists(runtime, oriented, 0))
    assert before - after == 8 * oriented.num_vertices + 4 * oriented.num_edges


@pytest.mark.gpu
@pytest.mark.parametrize("kind", NETWORKS)
def test_the_memory_that_cupy_allocates_is_estimated_within_a_fifth(kind):
    cupy = pytest.importorskip("cupy")

    class Peak(cupy.cuda.MemoryHook):
        name = "peak"
        now = peak = 0

        def malloc_postprocess(self, **allocation):
            self.now += allocation["mem_size"]
            self.peak = max(self.peak, self.now)

        def free_postprocess(self, **allocation):
            self.now -= allocation["mem_size"]

    oriented, runtime = NETWORKS[kind]().oriented(), gpus.runtime("cuda:0")
    marks = list_tasks.choose_marks(oriented.num_vertices, oriented.num_edges)
    estimate = sum(list_tasks.bytes_of_lists(runtime, oriented, *marks))
    with Peak() as hook:
        gpu.at_vertices([list_tasks.prepare(runtime, oriented)])
    assert estimate == pytest.approx(hook.peak, rel=0.2)


@pytest.mark.parametrize("failing", [0, 2])
def test_one_device_of_several_that_fails_fails_the_count(gpu_device, monkeypatch, failing):
    kind, graph, runtime = gpu_device.partition(":")[0], network(), gpus.runtime(gpu_device)
    has_failed = Event()

    def one_of_three(name):
        other = copy(runtime)
        other.name = name
        other.synchronize = fail if name == f"{kind}:{failing}" else lambda: has_failed.wait(60)
        return other

    def fail():
        has_failed.set()
        raise DeviceError("failed: injected")

    monkeypatch.setattr(gpus, "count", lambda kind: 3)
    monkeypatch.setattr(gpus, "runtime", one_of_three)
    with pytest.raises(DeviceError, match="failed: injected"):
        triadic.triangles(graph, device=f"{kind}:all")


@pytest.mark.parametrize("count", [triadic.triangle_count, triadic.triangles, triadic.edge_support])
def test_a_device_that_fails_in_mid_run_is_an_error_if_it_was_named_and_a_warning_if_auto_chose_it(
    gpu_device, monkeypatch, count
):
    graph, runtime = network(), gpus.runtime(gpu_device)
    expected = count(graph, device="cpu")
    launch, left = runtime.launch, [2]

    def fail(_, *arguments, **keywords):
        left[0] -= 1
        if left[0] < 0:
            raise DeviceError(f"{runtime.name} failed: injected")
        launch(*arguments, **keywords)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(runtime), "launch", fail)
        with pytest.raises(DeviceError, match="failed: injected"):
            count(graph, device=gpu_device)
        choose_always(patch, gpu_device)
        with pytest.warns(RuntimeWarning, match="counting on the CPU: .* failed: injected"):
            np.testing.assert_array_equal(count(graph), expected)
    before = runtime.launches
    np.testing.assert_array_equal(count(graph, device=gpu_device), expected)  # the cached arrays are complete
    assert runtime.launches > before


def test_auto_counts_on_the_cpu_if_a_device_has_too_little_memory(gpu_device, monkeypatch):
    graph, runtime = network(), gpus.runtime(gpu_device)
    monkeypatch.setattr(type(runtime), "memory", lambda _: (0, 1 << 40))
    choose_always(monkeypatch, gpu_device)
    with pytest.warns(RuntimeWarning, match=r"counting on the CPU: .* has 0.0 KiB of 1,024.0 GiB free"):
        found = triadic.triangles(graph)
    np.testing.assert_array_equal(found, triadic.triangles(graph, device="cpu"))


def test_a_record_names_the_device_that_counted(gpu_device, monkeypatch, tmp_path, capsys):
    path = tmp_path / "net.txt"
    triadic.write(network(), path)
    choose_always(monkeypatch, gpu_device)
    for command in ("clustering", "census"):
        assert main([command, str(path), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["device"] == gpu_device
    assert main(["clustering", str(path), "--json", "--device", "cpu"]) == 0
    assert json.loads(capsys.readouterr().out)["device"] == "cpu"


@pytest.mark.filterwarnings("always")
def test_a_record_names_the_cpu_if_auto_fell_back_and_says_why_on_one_line(gpu_device, monkeypatch, tmp_path, capsys):
    path = tmp_path / "net.txt"
    triadic.write(network(), path)
    choose_always(monkeypatch, gpu_device)
    monkeypatch.setattr(type(gpus.runtime(gpu_device)), "memory", lambda _: (0, 1 << 40))
    assert main(["clustering", str(path), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["device"] == "cpu"
    assert err.startswith(f"triadic: counting on the CPU: {gpu_device}")
    assert err.count("\n") == 1
    assert main(["clustering", str(path), "--json", "--device", gpu_device]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


@pytest.mark.parametrize("cards", [1, 3])
@pytest.mark.parametrize("at", [0, 1, 2, 5])
def test_devices_count_after_an_interrupt(gpu_device, monkeypatch, cards, at):
    kind, graph = gpu_device.partition(":")[0], network()
    expected = triadic.triangles(graph, device="cpu")
    runtime = gpus.runtime(gpu_device)
    launch, left = runtime.launch, [at]

    def interrupt(_, *arguments, **keywords):
        left[0] -= 1
        if left[0] == -1:
            signal.raise_signal(signal.SIGINT)
        launch(*arguments, **keywords)

    monkeypatch.setattr(gpus, "count", lambda kind: cards)
    monkeypatch.setattr(gpus, "runtime", lambda name: runtime)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(runtime), "launch", interrupt)
        with pytest.raises(KeyboardInterrupt):
            triadic.triangles(graph, device=f"{kind}:all")
    np.testing.assert_array_equal(triadic.triangles(graph, device=f"{kind}:all"), expected)


def test_an_interrupt_between_shares_leaves_devices_that_count(gpu_device):
    graph = network()

    def interrupt(done, total):
        if done == total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(TRIANGLES, graph.oriented(), threads=1, device=gpu_device, progress=interrupt)
    found = triadic.triangles(graph, device=gpu_device)
    np.testing.assert_array_equal(found, triadic.triangles(graph, device="cpu"))
