"""Networks made on a GPU: arcs and orientation equal those of the host to the bit; errors take one line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import triadic
from triadic import Graph, generate
from triadic.core.arcs import Dropped
from triadic.devices.gpu.orientation import ArcBuffers, GeneratedArcs, Recipe, orient
from triadic.devices.gpu.rows import OrientedOnDevice
from triadic.devices.runtimes import registry as gpus
from triadic.errors import ArgumentError, OutOfMemoryError, TriadicError, UnsupportedError

MODELS = {
    "no levels": generate.RMat(0, 7, seed=1),
    "no arcs": generate.RMat(3, 0, seed=1),
    "one level": generate.RMat(1, 40, seed=2),
    "a draw of levels": generate.RMat(6, 40, seed=3),
    "levels past a hash": generate.RMat(13, 2, seed=2**64 - 1),
    "one quarter": generate.RMat(5, 3, a=1.0, b=0.0, c=0.0, seed=5),
    "a ring": generate.WattsStrogatz(50, 6, 0.0, seed=1),
    "a small world": generate.WattsStrogatz(1_009, 10, 0.2, seed=2),
    "all links rewired": generate.WattsStrogatz(300, 40, 1.0, seed=3),
    "nearly every pair": generate.WattsStrogatz(60, 58, 0.7, seed=4),
    "no links": generate.WattsStrogatz(5, 0, 0.5, seed=5),
    "a tree": generate.BarabasiAlbert(500, 1, seed=1),
    "scale-free": generate.BarabasiAlbert(1_500, 7, seed=2),
    "a star": generate.BarabasiAlbert(9, 8, seed=3),
    "many links": generate.BarabasiAlbert(150, 70, seed=4),
}


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]


def recipe(model):
    return Recipe(model.kernel, model.parameters, model.vertices, model.arcs, max(1, model.group_size))


def made(runtime, model, piece):
    arcs = GeneratedArcs(runtime, recipe(model), piece=piece)
    pieces = [[runtime.download(ends) for ends in arcs.piece(i)] for i in range(arcs.pieces)]
    return np.concatenate([np.zeros((2, 0), dtype=np.uint32), *pieces], axis=1)


def arrays_of(runtime, arrays):
    oriented = OrientedOnDevice(runtime, arrays)
    names = ("rank", "indptr", "indices", "degree") + (() if arrays.state is None else ("state",))
    return {name: getattr(oriented, name) for name in names}


def check_oriented(runtime, source, host_graph):
    """Compare the oriented graph that a device makes of arcs with a graph of the host."""
    arrays, totals = orient(runtime, source, host_graph.num_vertices, directed=host_graph.directed)
    assert (arrays.state is None) == (not host_graph.directed)
    for name, array in arrays_of(runtime, arrays).items():
        expected = getattr(host_graph.oriented(), name)
        assert array.dtype == expected.dtype
        np.testing.assert_array_equal(array, expected, err_msg=name)
    merged = 0 if host_graph.directed else totals.reciprocal
    assert Dropped(totals.loops, totals.duplicates, merged) == host_graph.dropped
    assert totals.arcs == (host_graph.num_arcs if host_graph.directed else host_graph.num_edges + totals.reciprocal)


@pytest.mark.parametrize("piece", [37, 999, 10**6])
def test_any_pieces_of_a_network_equal_those_of_the_host(gpu_device, model, piece):
    arcs = generate.make_arcs(model)
    np.testing.assert_array_equal(made(gpus.runtime(gpu_device), model, piece), [arcs.source, arcs.target])


def test_a_piece_made_again_is_the_same(gpu_device):
    runtime = gpus.runtime(gpu_device)
    arcs = GeneratedArcs(runtime, recipe(MODELS["scale-free"]), piece=700)
    first = [runtime.download(ends) for ends in arcs.piece(3)]
    arcs.piece(0)
    np.testing.assert_array_equal([runtime.download(ends) for ends in arcs.piece(3)], first)


def test_ids_of_thirty_bits_equal_those_of_the_host(gpu_device):
    model = generate.RMat(30, 1, seed=6)
    runtime = gpus.runtime(gpu_device)
    arcs = GeneratedArcs(runtime, recipe(model), piece=5_000)
    start = 200_000 * 5_000
    source, target = np.empty((2, 5_000), dtype=np.int32)
    model.fill(start, source, target)
    np.testing.assert_array_equal([runtime.download(ends) for ends in arcs.piece(200_000)], [source, target])


@pytest.mark.parametrize("piece", [500, 10**6])
def test_a_network_made_in_pieces_is_oriented_as_on_the_host(gpu_device, model, piece):
    runtime = gpus.runtime(gpu_device)
    for directed in (False, True):
        host_graph = generate.make_graph(replace(model, directed=directed))
        check_oriented(runtime, GeneratedArcs(runtime, recipe(model), piece=piece), host_graph)


@pytest.mark.parametrize(
    ("source", "target", "vertices"),
    [
        ([], [], 0),
        ([], [], 5),
        ([0], [0], 1),
        ([2, 0, 1, 2], [2, 0, 1, 2], 3),
        ([0], [1], 2),
        ([0, 1, 0, 1, 0], [1, 0, 1, 0, 0], 4),
        ([4, 4, 4, 4], [0, 1, 2, 3], 5),
        ([0, 1, 2, 3, 3, 3], [4, 5, 6, 7, 7, 3], 9),
    ],
    ids=[
        "nothing",
        "isolated vertices",
        "a loop",
        "all loops",
        "an edge",
        "one edge again and again",
        "a star",
        "a matching",
    ],
)
def test_small_graphs_are_oriented_as_on_the_host(gpu_device, source, target, vertices):
    runtime = gpus.runtime(gpu_device)
    ends = [runtime.view(runtime.upload(np.array(ids, dtype=np.uint32))) for ids in (source, target)]
    for directed in (False, True):
        host_graph = Graph.from_edges(source, target, num_vertices=vertices, directed=directed)
        check_oriented(runtime, ArcBuffers(runtime, *ends), host_graph)


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint16])
@pytest.mark.parametrize("step", [1, 3])
def test_repeats_over_many_tiles_are_dropped_as_on_the_host(gpu_device, dtype, step):
    random = np.random.default_rng(2)
    table = random.integers(0, 90, (30_011, 2)).astype(dtype)
    runtime = gpus.runtime(gpu_device)
    device_table = runtime.xp.asarray(table)[::step]
    of_host = np.ascontiguousarray(table[::step].T, dtype=np.int32)  # the host's own types have tests of their own
    for directed in (False, True):
        host_graph = Graph.from_edges(*of_host, num_vertices=200, directed=directed)
        check_oriented(runtime, ArcBuffers(runtime, device_table[:, 0], device_table[:, 1], piece=1_000), host_graph)
        assert host_graph.dropped.duplicates > 1_000 // step


@pytest.mark.parametrize(
    "make",
    [
        lambda device: generate.rmat(9, seed=3, device=device),
        lambda device: generate.watts_strogatz(400, 6, 0.3, seed=3, device=device),
        lambda device: generate.barabasi_albert(400, 5, seed=3, device=device),
        lambda device: generate.rmat(9, seed=3, directed=True, device=device),
        lambda device: generate.watts_strogatz(400, 6, 0.3, seed=3, directed=True, device=device),
        lambda device: generate.barabasi_albert(400, 5, seed=3, directed=True, device=device),
    ],
    ids=["rmat", "watts-strogatz", "barabasi-albert", "arcs of rmat", "of watts-strogatz", "of barabasi-albert"],
)
def test_a_network_made_on_a_device_equals_that_of_the_host(gpu_device, make):
    device_graph, host_graph = make(gpu_device), make("cpu")
    assert isinstance(device_graph.oriented(), OrientedOnDevice) == gpu_device.startswith("cuda")
    assert (device_graph.num_vertices, device_graph.num_edges, device_graph.dropped) == (
        host_graph.num_vertices,
        host_graph.num_edges,
        host_graph.dropped,
    )
    np.testing.assert_array_equal(
        triadic.triangles(device_graph, device=gpu_device), triadic.triangles(host_graph, device="cpu")
    )
    assert triadic.triad_census(device_graph, device=gpu_device) == triadic.triad_census(host_graph, device="cpu")
    np.testing.assert_array_equal(device_graph.indptr, host_graph.indptr)
    np.testing.assert_array_equal(device_graph.indices, host_graph.indices)


def test_networks_that_a_device_cannot_make_raise_in_one_line(gpu_device):
    with pytest.raises(UnsupportedError, match=f"device='{gpu_device}': Grid is made on 'cpu'"):
        generate.make_graph(generate.Grid(2, 2), device=gpu_device)
    with pytest.raises(UnsupportedError, match=r"vertices=2,147,483,648: at most 2\*\*31 - 1"):
        generate.rmat(31, 1, device=gpu_device)


def test_more_than_two_to_the_32_arcs_raise(gpu_device):
    runtime = gpus.runtime(gpu_device)
    model = generate.RMat(20, 4097, seed=1)
    with pytest.raises(UnsupportedError, match=r"4,296,015,872 arcs: at most 2\*\*32"):
        orient(runtime, GeneratedArcs(runtime, recipe(model), piece=1), model.vertices)


def test_a_network_too_large_for_a_device_raises_with_both_sizes(gpu_device, monkeypatch):
    runtime = gpus.runtime(gpu_device)
    monkeypatch.setattr(type(runtime), "memory", lambda _: (1 << 20, 1 << 30))
    model = generate.RMat(16, seed=1)
    with pytest.raises(OutOfMemoryError, match=r"1\.0 MiB of 1\.0 GiB free and orienting 1,048,576 arcs takes about"):
        orient(runtime, GeneratedArcs(runtime, recipe(model)), model.vertices)


def test_several_devices_make_no_network(monkeypatch):
    monkeypatch.setattr(gpus, "count", lambda kind: 2)
    with pytest.raises(ArgumentError, match="device='cuda:all': expected one device"):
        generate.rmat(5, seed=1, device="cuda:all")


@pytest.mark.parametrize("device", ["gpu", "auto", "cpu:1", "", 0, None])
def test_an_unknown_device_is_named(device):
    with pytest.raises(ArgumentError, match=f"device={device!r}: expected 'cpu', 'cuda'"):
        generate.rmat(5, seed=1, device=device)


def test_a_device_that_does_not_exist_is_named(gpu_device):
    kind = gpu_device.partition(":")[0]
    with pytest.raises(TriadicError, match=f"device='{kind}:99': found"):
        generate.rmat(5, seed=1, device=f"{kind}:99")
    with pytest.raises(ArgumentError, match="expected a form such as"):
        generate.rmat(5, seed=1, device=f"{kind}:one")
