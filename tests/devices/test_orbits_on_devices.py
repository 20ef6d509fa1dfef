"""The 73 orbits of up to five vertices: every device counts the same at each vertex as the CPU, to the bit."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import naive_orbits
import triadic
from pairs import each
from strategies import examples, networks
from triadic import Graph
from triadic.devices.cpu.orbits import five_vertex as cpu
from triadic.devices.gpu import five_vertex, whole_rows
from triadic.devices.runtimes import registry as gpus
from triadic.devices.runtimes.runtime import Source
from triadic.errors import OutOfMemoryError, UnsupportedError

SHAPES = {
    "hubs": lambda: triadic.generate.rmat(10, seed=4),
    "a tree": lambda: triadic.generate.barabasi_albert(800, 1, seed=4),
    "a sparse network": lambda: triadic.generate.barabasi_albert(800, 4, seed=4),
    "rows past a word of bits": lambda: Graph.from_edges(*np.triu_indices(100, 1)),
    "rows past many words of bits": lambda: Graph.from_edges(*np.triu_indices(140, 1)),
    "a small world": lambda: triadic.generate.watts_strogatz(500, 10, 0.2, seed=4),
    "two sides": lambda: Graph.from_edges(np.repeat(np.arange(30), 40), np.tile(np.arange(30, 70), 30)),
    "a star": lambda: Graph.from_edges(np.zeros(50, dtype=np.int64), np.arange(1, 51)),
    "a cycle of five": lambda: Graph.from_edges([0, 1, 2, 3, 4], [1, 2, 3, 4, 0]),
    "no edges": lambda: Graph.from_edges([], [], num_vertices=5),
    "no vertices": lambda: Graph.from_edges([], [], num_vertices=0),
}


def graph_of(graph):
    """The graph of a networkx graph with the vertices 0, 1, ..."""
    edges = np.array(graph.edges(), dtype=np.int64).reshape(-1, 2)
    return Graph.from_edges(*edges.T, num_vertices=len(graph))


@pytest.mark.parametrize("vertices", [6, pytest.param(7, marks=pytest.mark.nightly)])
def test_every_connected_graph_of_a_few_vertices_has_the_orbits_of_the_enumeration(gpu_device, vertices):
    graphs = [graph for graph in nx.graph_atlas_g() if 0 < len(graph) <= vertices and nx.is_connected(graph)]
    expected = np.concatenate([naive_orbits.orbits(len(graph), list(graph.edges())) for graph in graphs])
    found = triadic.graphlets(graph_of(nx.disjoint_union_all(graphs)), size=5, device=gpu_device, by="vertex")
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, expected)


@given(network=networks())
@examples(25)
def test_a_gpu_counts_the_same_as_the_cpu(gpu_device, network):
    oriented = network.graph().oriented()
    np.testing.assert_array_equal(five_vertex.by_vertex(gpu_device, oriented), cpu.by_vertex(oriented, threads=1))


@pytest.mark.parametrize("shape", SHAPES)
def test_every_orbit_equals_that_of_the_cpu(gpu_device, shape):
    oriented = SHAPES[shape]().oriented()
    np.testing.assert_array_equal(five_vertex.by_vertex(gpu_device, oriented), cpu.by_vertex(oriented, threads=2))


@pytest.mark.parametrize(
    ("shape", "most_words"),
    [
        ("hubs", 2),
        ("rows past a word of bits", 1),
        ("a small world", 1),
        *(pytest.param("rows past many words of bits", most_words, marks=pytest.mark.nightly) for most_words in (1, 2)),
    ],
)
def test_orbits_do_not_depend_on_the_columns_that_bits_have(gpu_device, monkeypatch, shape, most_words):
    monkeypatch.setattr(five_vertex, "_MOST_WORDS", most_words)
    oriented = SHAPES[shape]().oriented()
    np.testing.assert_array_equal(five_vertex.by_vertex(gpu_device, oriented), cpu.by_vertex(oriented, threads=2))


@pytest.mark.parametrize("columns", [1, 64])
def test_cliques_do_not_depend_on_the_columns_in_local_memory(gpu_device, monkeypatch, columns):
    source = Source("shared_cliques", (("COLUMNS", columns), ("INNER", columns)), five_vertex._CLIQUES_SOURCE.headers)
    monkeypatch.setattr(five_vertex, "_CLIQUES_SOURCE", source)
    oriented = SHAPES["rows past a word of bits"]().oriented()
    np.testing.assert_array_equal(five_vertex.by_vertex(gpu_device, oriented), cpu.by_vertex(oriented, threads=2))


@pytest.mark.parametrize(
    ("shape", "limit"), each(["a sparse network", "rows past a word of bits", "two sides"], [1 << 8, 1 << 14])
)
def test_orbits_do_not_depend_on_batches(gpu_device, monkeypatch, shape, limit):
    for module, names in (
        (whole_rows, ("_MOST_BYTES", "_PATHS")),
        (five_vertex, ("_MOST_FOR_CLIQUES", "_WORDS")),
        (whole_rows, ("_LOOKUPS",)),
    ):
        for name in names:
            monkeypatch.setattr(module, name, limit)
    oriented = SHAPES[shape]().oriented()
    np.testing.assert_array_equal(five_vertex.by_vertex(gpu_device, oriented), cpu.by_vertex(oriented, threads=2))


def test_several_devices_add_up_to_one(gpu_device, monkeypatch):
    runtime = gpus.runtime(gpu_device)
    monkeypatch.setattr(five_vertex, "runtimes_of", lambda _: [runtime, runtime])
    monkeypatch.setattr(whole_rows, "_PATHS", 1 << 16)
    oriented = SHAPES["hubs"]().oriented()
    np.testing.assert_array_equal(five_vertex.by_vertex(gpu_device, oriented), cpu.by_vertex(oriented, threads=2))


@pytest.mark.parametrize("measure", [partial(triadic.graphlets, by="vertex"), triadic.graphlets])
def test_a_measure_runs_on_the_named_device(gpu_device, measure):
    graph = SHAPES["hubs"]()
    before = gpus.runtime(gpu_device).launches
    found = measure(graph, size=5, device=gpu_device)
    np.testing.assert_equal(found, measure(graph, size=5, device="cpu"))
    assert gpus.runtime(gpu_device).launches > before


def test_the_graphs_of_a_batch_are_counted_as_each_alone(gpu_device):
    graphs = [triadic.generate.rmat(5, seed=seed) for seed in range(5)]
    batch = triadic.GraphBatch.from_graphs(graphs)
    found = triadic.graphlets(batch, size=5, device=gpu_device, by="vertex")
    alone = [triadic.graphlets(graph, size=5, device="cpu", by="vertex") for graph in graphs]
    np.testing.assert_array_equal(found, np.concatenate(alone))
    tables = [triadic.graphlets(batch, device=device, size=5) for device in (gpu_device, "cpu")]
    np.testing.assert_equal(*[dict(table) for table in tables])


def test_stars_that_fit_64_bits_are_exact_also_where_a_product_does_not_fit(gpu_device):
    leaves = 70_000
    star = Graph.from_edges(np.zeros(leaves, dtype=np.int64), np.arange(1, leaves + 1))
    found = five_vertex.by_vertex(gpu_device, star.oriented())
    assert int(found[0, 23]) == comb(leaves, 4) > 2**59
    assert int(found[1, 22]) == comb(leaves - 1, 3)


def test_progress_rises_to_its_total_and_may_stop_the_count(gpu_device, monkeypatch):
    monkeypatch.setattr(whole_rows, "_PATHS", 1 << 14)
    graph, seen = SHAPES["hubs"](), []
    triadic.graphlets(graph, size=5, device=gpu_device, progress=lambda *state: seen.append(state), by="vertex")
    assert seen[-1][0] == seen[-1][1]
    assert len(set(seen)) > 10
    assert all(before[0] <= after[0] for before, after in pairwise(seen))

    def stop(done, total):
        if 2 * done > total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        triadic.graphlets(graph, size=5, device=gpu_device, progress=stop, by="vertex")


def test_too_many_triangles_are_refused(gpu_device, monkeypatch):
    monkeypatch.setattr(whole_rows, "_MOST_TRIANGLES", 100)
    with pytest.raises(UnsupportedError, match=r"listing the [0-9,]+ triangles .* needs the CPU"):
        triadic.graphlets(SHAPES["hubs"](), size=5, device=gpu_device, by="vertex")


@pytest.mark.parametrize("bytes_", [10_000, 200_000, 1_000_000])
def test_a_device_with_too_little_memory_says_what_is_needed(gpu_device, monkeypatch, bytes_):
    runtime = gpus.runtime(gpu_device)
    monkeypatch.setattr(type(runtime), "memory", lambda _: (bytes_, bytes_))
    with pytest.raises(OutOfMemoryError, match=r"(free and .* takes about|allows buffers of up to) .* device='cpu'"):
        triadic.graphlets(SHAPES["hubs"](), size=5, device=gpu_device, by="vertex")


def test_batches_are_as_long_as_all_limits_allow():
    costs = np.array([0, 3, 3, 10, 11, 12, 12])
    assert whole_rows.cut_by((costs, 4)).tolist() == [0, 2, 3, 6]
    assert whole_rows.cut_by((costs, 100), (costs, 4)).tolist() == [0, 2, 3, 6]
    assert whole_rows.cut_by((costs, 100), (np.arange(7), 4)).tolist() == [0, 4, 6]
    assert whole_rows.cut_by((np.zeros(1, dtype=np.int64), 4)).tolist() == [0]
