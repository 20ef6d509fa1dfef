"""Every device counts the same as the CPU, to the bit, or raises an error that says why it cannot."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from pairs import each
from strategies import examples, networks
from triadic import Graph
from triadic.core.oriented import Oriented
from triadic.counts import count as counting
from triadic.counts.count import chosen_device, run
from triadic.counts.edges import EDGE_SUPPORT
from triadic.counts.triads import DYADS
from triadic.counts.triangles import TRIANGLE_COUNT, TRIANGLES, TRIANGLES_IN_ORDER
from triadic.devices.gpu import list_tasks
from triadic.devices.gpu import rows as graph_cache
from triadic.devices.gpu import triangles as gpu
from triadic.devices.runtimes import opencl
from triadic.devices.runtimes import registry as gpus
from triadic.devices.runtimes.runtime import Source
from triadic.errors import ArgumentError, DeviceError, MissingExtraError, OutOfMemoryError, UnsupportedError


def complete(n):
    return Graph.from_edges(*np.triu_indices(n, k=1))


SHAPES = {
    "no vertices": lambda: Graph.from_edges([], [], num_vertices=0),
    "no edges": lambda: Graph.from_edges([], [], num_vertices=40),
    "one edge": lambda: Graph.from_edges([0], [1]),
    "a star": lambda: Graph.from_edges(np.zeros(3000, dtype=int), np.arange(1, 3001)),
    "a clique past the table of a middle row": lambda: complete(700),
    "hubs": lambda: triadic.generate.rmat(11, seed=3),
    "a mesh": lambda: triadic.generate.delaunay(3000, seed=3),
    "small worlds": lambda: triadic.generate.watts_strogatz(2000, 16, 0.1, seed=3),
    "growth": lambda: triadic.generate.barabasi_albert(2000, 30, seed=3),
}
# None: the number follows from the size. Others lie around the bits of a word, or exceed the number of vertices.
HUBS = [None, 0, 1, 63, 64, 65, 500, 10**6]
MARKED = [0, 64, 640, 32_000]


@given(network=networks(), hubs=st.sampled_from(HUBS), marked=st.sampled_from(MARKED))
@examples(25)
def test_a_gpu_counts_the_same_as_the_oracle(gpu_device, network, hubs, marked):
    n, arcs, oriented = network.vertices, network.arcs, network.graph().oriented()
    runtime = gpus.runtime(gpu_device)
    prepared = [list_tasks.prepare(runtime, oriented, hubs=hubs, marked=marked)]
    assert gpu.number(prepared) == naive.triangle_count(n, arcs)
    assert gpu.at_vertices(prepared)[oriented.rank].tolist() == naive.triangles(n, arcs)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_device_counts_the_same_as_the_cpu(gpu_device, shape):
    oriented = SHAPES[shape]().oriented()

    def count(kind, device):
        return run(kind, oriented, threads=2, device=device, progress=False)

    for kind in (TRIANGLE_COUNT, TRIANGLES, EDGE_SUPPORT):
        found, expected = count(kind, gpu_device), count(kind, "cpu")
        np.testing.assert_array_equal(found, expected)
        assert np.asarray(found).dtype == np.asarray(expected).dtype


# Hubs and marks are cut at ranks, wherever the edges of the shape are.
@pytest.mark.parametrize(("hubs", "marked", "shape"), each(HUBS, MARKED, ["hubs", "small worlds", "growth"]))
def test_any_number_of_hubs_and_of_marked_ranks_counts_the_same(gpu_device, shape, hubs, marked):
    oriented = SHAPES[shape]().oriented()
    runtime = gpus.runtime(gpu_device)
    expected = run(TRIANGLES, oriented, threads=2, device="cpu", progress=False)
    prepared = [list_tasks.prepare(runtime, oriented, hubs=hubs, marked=marked)]
    np.testing.assert_array_equal(gpu.at_vertices(prepared), expected)
    assert 3 * gpu.number(prepared) == expected.sum()


@pytest.mark.parametrize("counted", [1, 64, 1024])
def test_matches_past_the_ranks_that_a_block_counts(gpu_device, monkeypatch, counted):
    # The last four rows hold all lower ranks, 1,200 and more, of which a block counts the lowest in local memory.
    monkeypatch.setattr(gpu, "_COUNTED", counted)
    monkeypatch.setattr(gpu, "_FEW_COUNTED", counted)
    lengths = np.repeat([0, 1], [1200, 4]) * np.arange(1204)
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    indices = np.concatenate([np.arange(length) for length in lengths]).astype(np.int32)
    joined = np.zeros((1204, 1204))  # products of matrices of floats are fast, and exact for small numbers
    joined[np.repeat(np.arange(1204), lengths), indices] = 1
    joined += joined.T
    oriented = Oriented(np.arange(1204, dtype=np.int32), indptr, indices, None, joined.sum(axis=1))
    runtime = gpus.runtime(gpu_device)
    found = gpu.at_vertices([list_tasks.prepare(runtime, oriented, hubs=0, marked=1216)])
    np.testing.assert_array_equal(found, ((joined @ joined) * joined).sum(axis=1) / 2)


@pytest.mark.parametrize(("shape", "cards"), each(SHAPES, [2, 3, 5]))
def test_several_cards_share_a_count(gpu_device, monkeypatch, shape, cards):
    # The same device under several names.
    kind = gpu_device.partition(":")[0]
    one = gpus.runtime(gpu_device)
    monkeypatch.setattr(gpus, "count", lambda kind: cards)
    monkeypatch.setattr(gpus, "runtime", lambda name: copy_of(one, name))
    oriented = SHAPES[shape]().oriented()
    for count in (TRIANGLE_COUNT, TRIANGLES, EDGE_SUPPORT):
        found = run(count, oriented, threads=1, device=f"{kind}:all", progress=False)
        np.testing.assert_array_equal(found, run(count, oriented, threads=2, device="cpu", progress=False))


def copy_of(runtime, name):
    other = copy(runtime)
    other.name = name
    return other


@pytest.mark.parametrize("count", [triadic.triangle_count, triadic.triangles, triadic.edge_support, triadic.clustering])
def test_a_measure_runs_on_the_named_device(gpu_device, count):
    graph = SHAPES["hubs"]()
    runtime = gpus.runtime(gpu_device)
    before = runtime.launches
    found = count(graph, device=gpu_device)
    assert runtime.launches > before
    np.testing.assert_array_equal(found, count(graph, device="cpu"))


def test_a_graph_stays_on_a_device_until_it_is_released(gpu_device):
    graph = SHAPES["hubs"]()
    triadic.triangle_count(graph, device=gpu_device)
    keys = graph_cache.cached_keys(graph.oriented())
    assert keys
    for _ in range(2):
        triadic.triangles(graph, device=gpu_device)
        assert graph_cache.cached_keys(graph.oriented()) == (*keys, (gpus.runtime(gpu_device).name, "ranks_on"))
    graph.indptr  # noqa: B018 - the symmetric rows, from which another oriented graph is made
    graph.release()
    assert not graph_cache.cached_keys(graph.oriented())


def test_a_count_that_no_gpu_has_is_an_error_and_does_not_run_on_the_cpu(gpu_device):
    with pytest.raises(UnsupportedError, match="dyads are counted on 'cpu'"):
        triadic.dyad_census(SHAPES["one edge"](), device=gpu_device)


def test_progress_reports_the_start_and_the_end(gpu_device):
    reports = []
    triadic.triangles(SHAPES["hubs"](), device=gpu_device, progress=lambda done, total: reports.append((done, total)))
    assert (reports[0][0], reports[-1][0]) == (0, reports[-1][1])


@pytest.mark.parametrize("most", [3, 1 << 30])
def test_a_buffer_of_any_size_is_cleared(monkeypatch, most):
    pytest.importorskip("pyopencl")
    if not gpus.count("opencl"):
        pytest.skip("no OpenCL device")
    runtime = gpus.runtime("opencl:0")
    monkeypatch.setattr(opencl, "_MOST_FILLED", most)
    buffer = runtime.upload(np.arange(1, 11, dtype=np.int32))
    runtime.clear(buffer[2:9])
    assert runtime.download(buffer).tolist() == [1, 2, 0, 0, 0, 0, 0, 0, 0, 10]
    assert runtime.download(runtime.zeros(10, np.int64)).tolist() == [0] * 10


def test_a_kernel_that_does_not_compile_names_the_device_and_shows_the_log(gpu_device, monkeypatch):
    runtime = gpus.runtime(gpu_device)
    monkeypatch.setattr(Source, "text", lambda *_: "this is no C;")
    with pytest.raises(DeviceError, match=rf"{gpu_device}.*does not compile: .*error") as raised:
        runtime.launch(Source("rows", (("NEW", 1),)), "row_starts", 1)
    assert "\n" not in str(raised.value)


def test_a_device_that_fails_in_mid_run_is_one_clear_error(gpu_device, monkeypatch):
    runtime = gpus.runtime(gpu_device)

    def fail(*_):
        raise DeviceError(f"{runtime.name} ({runtime.label}) failed: injected")

    monkeypatch.setattr(type(runtime), "launch", fail)
    with pytest.raises(DeviceError, match="failed: injected"):
        triadic.triangles(SHAPES["hubs"](), device=gpu_device)


@pytest.mark.parametrize("error", [DeviceError("it failed"), OutOfMemoryError("it is full")])
def test_if_a_device_chosen_by_auto_fails_the_cpu_counts_with_a_warning(monkeypatch, error):
    graph = SHAPES["hubs"]()

    def fail(*_, **__):
        raise error

    for declared in (TRIANGLE_COUNT, TRIANGLES, TRIANGLES_IN_ORDER, EDGE_SUPPORT):
        monkeypatch.setattr(declared, "gpu", fail)
        monkeypatch.setattr(declared, "gpu_over_parts", None)
    monkeypatch.setattr(counting, "FEWEST_EDGES", 0)
    monkeypatch.setattr(counting, "resolve_device", lambda device, **_: "cuda:0")
    for count in (triadic.triangle_count, triadic.triangles, triadic.edge_support):
        with pytest.warns(RuntimeWarning, match=f"counting on the CPU: {error}"):
            found = count(graph)
        with pytest.raises(type(error), match=str(error)):
            count(graph, device="cuda:0")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(counting, "resolve_device", lambda device, **_: "cpu")
            np.testing.assert_array_equal(found, count(graph))


def test_all_devices_of_a_kind_and_several_are_named(monkeypatch):
    monkeypatch.setattr(gpus, "count", lambda kind: 3)
    assert gpus.named("cuda") == ("cuda:0",)
    assert gpus.named("cuda:all") == ("cuda:0", "cuda:1", "cuda:2")
    assert gpus.named("opencl:0,2") == ("opencl:0", "opencl:2")


@pytest.mark.parametrize("name", ["gpu", "cpu:0", "CUDA", 3, None, ""])
def test_an_unknown_kind_of_device_is_an_error(name):
    with pytest.raises(ArgumentError, match="expected 'auto', 'cpu'"):
        triadic.triangles(complete(3), device=name)


@pytest.mark.parametrize("name", ["cuda:x", "cuda:-1", "cuda:0,0", "cuda:0,"])
def test_a_malformed_number_of_a_device_is_an_error(monkeypatch, name):
    monkeypatch.setattr(gpus, "count", lambda kind: 2)
    with pytest.raises(ArgumentError, match="expected a form such as 'cuda'"):
        triadic.triangles(complete(3), device=name)


def test_a_missing_device_is_an_error(monkeypatch):
    monkeypatch.setattr(gpus, "count", lambda kind: 1)
    with pytest.raises(DeviceError, match="'cuda:1': found one device of kind 'cuda', numbered from 0"):
        triadic.triangles(complete(3), device="cuda:1")
    monkeypatch.setattr(gpus, "count", lambda kind: 0)
    with pytest.raises(DeviceError, match="no CUDA driver or card was found"):
        triadic.triangles(complete(3), device="cuda")


def of_edges(number):
    """A stand-in for an oriented graph with a number of edges."""
    return SimpleNamespace(num_edges=number, device=None)


def test_auto_picks_the_cpu_for_a_small_graph_without_looking_for_cards(monkeypatch):
    monkeypatch.setattr(gpus, "count", lambda kind: pytest.fail("counted devices"))
    assert chosen_device(TRIANGLES, "auto", of_edges(1000)) == "cpu"


def test_auto_needs_more_edges_before_a_package_is_imported(monkeypatch):
    monkeypatch.setattr(gpus, "is_installed", lambda kind: True)
    monkeypatch.setattr(gpus, "count", lambda kind: 1)
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    assert chosen_device(TRIANGLES, "auto", of_edges(1 << 20)) == "cpu"
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert chosen_device(TRIANGLES, "auto", of_edges(1 << 20)) == "cuda:0"


def test_auto_picks_a_card_for_a_large_graph(monkeypatch):
    monkeypatch.setattr(gpus, "is_installed", lambda kind: True)
    monkeypatch.setattr(gpus, "count", lambda kind: 1)
    assert chosen_device(TRIANGLES, "auto", of_edges(10**9)) == "cuda:0"
    assert chosen_device(DYADS, "auto", of_edges(10**9)) == "cpu"
    monkeypatch.setattr(gpus, "count", lambda kind: 0)
    assert chosen_device(TRIANGLES, "auto", of_edges(10**9)) == "cpu"


def test_auto_falls_back_to_the_cpu_with_a_warning(monkeypatch):
    def fail(kind):
        raise MissingExtraError("CuPy is broken")

    monkeypatch.setattr(gpus, "is_installed", lambda kind: True)
    monkeypatch.setattr(gpus, "count", fail)
    with pytest.warns(RuntimeWarning, match="counting on the CPU: CuPy is broken"):
        assert chosen_device(TRIANGLES, "auto", of_edges(10**9)) == "cpu"


@pytest.fixture
def eager_threads():
    """Threads that switch as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("eager_threads")
def test_threads_that_count_on_one_device_do_not_mix_up_their_launches(gpu_device):
    graphs = [triadic.generate.rmat(8, seed=seed) for seed in range(4)]
    expected = [triadic.triangle_count(graph, device="cpu") for graph in graphs]

    def count(graph):
        return [triadic.triangle_count(graph, device=gpu_device) for _ in range(20)]

    with ThreadPoolExecutor(len(graphs)) as pool:
        assert list(pool.map(count, graphs)) == [[number] * 20 for number in expected]


@pytest.mark.parametrize("name", ["opencl:", "opencl:0,00", "cuda:x", "cuda:0,0"])
def test_a_malformed_name_is_an_error_before_devices_are_counted(name, monkeypatch):
    monkeypatch.setattr(gpus, "count", lambda kind: pytest.fail("counted devices"))
    with pytest.raises(ArgumentError, match=f"device='{name}': expected a form such as"):
        gpus.named(name)
