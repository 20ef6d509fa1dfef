"""Values of edges, and wedges by ids, are sorted on every device as on the CPU."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import naive
import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.counts import edges, triads
from triadic.counts.edges import EDGE_SUPPORT
from triadic.devices.cpu.triads.labelled_triads import labelled_wedges as on_cpu
from triadic.devices.gpu.edge_values import in_edge_order
from triadic.devices.gpu.triads import labelled_wedges
from triadic.devices.runtimes import registry as gpus
from triadic.errors import OutOfMemoryError

SHAPES = {
    "hubs": lambda: triadic.generate.rmat(10, seed=4, directed=True),
    "a star and a clique, without direction": lambda: Graph.from_edges(
        np.r_[np.zeros(200, int), np.triu_indices(70, 1)[0] + 100],
        np.r_[np.arange(1, 201), np.triu_indices(70, 1)[1] + 100],
    ),
    "arcs of all kinds": lambda: Graph.from_edges(
        *np.nonzero(np.random.default_rng(4).random((200, 200)) < 0.4), directed=True
    ),
    "one edge": lambda: Graph.from_edges([1], [0], directed=True),
    "no edges": lambda: Graph.from_edges([], [], num_vertices=5),
    "no vertices": lambda: Graph.from_edges([], []),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_values_of_entries_are_put_in_the_order_of_the_edges(gpu_device, shape):
    graph = SHAPES[shape]()
    oriented = graph.oriented()
    values = np.random.default_rng(1).integers(1 << 31, size=oriented.num_edges).astype(np.int32)
    expected = edges.at_all_edges(graph, values, EDGE_SUPPORT, threads=1, device="cpu")
    found = in_edge_order(gpu_device, oriented, values, directed=graph.directed)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, expected)


@given(network=networks())
@examples(25)
def test_the_support_of_edges_on_a_gpu_is_that_of_the_oracle(gpu_device, network):
    graph = network.graph()
    near = naive.neighbours(network.vertices, network.arcs)
    edges = zip(*(ends.tolist() for ends in graph.edges()), strict=True)
    found = triadic.edge_support(graph, device=gpu_device).tolist()
    assert found == [len(near[u] & near[v]) for u, v in edges]


@pytest.mark.parametrize("measure", [triadic.edge_support, triadic.trussness])
def test_edges_are_sorted_on_the_device_that_counts(gpu_device, monkeypatch, measure):
    graph = SHAPES["hubs"]()
    expected = measure(graph, device="cpu")
    monkeypatch.setattr(edges, "at_edges", lambda *_, **__: pytest.fail("edges were searched on the CPU"))
    np.testing.assert_array_equal(measure(graph, device=gpu_device), expected)


@pytest.mark.parametrize("shape", SHAPES)
def test_labelled_wedges_are_those_of_the_cpu(gpu_device, shape):
    oriented = SHAPES[shape]().oriented()
    runtime = gpus.runtime(gpu_device)
    launches = runtime.launches
    for found, expected in zip(labelled_wedges(gpu_device, oriented), on_cpu(oriented, threads=2), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert runtime.launches > launches


def test_without_room_on_the_device_the_cpu_sorts(gpu_device, monkeypatch):
    graph = SHAPES["arcs of all kinds"]()
    support, census = (
        triadic.edge_support(graph, device="cpu"),
        triadic.triad_census(graph, labelled=True, device="cpu"),
    )

    def full(*_, **__):
        raise OutOfMemoryError("no room")

    monkeypatch.setattr(edges.gpu, "order_on", full)
    monkeypatch.setattr(triads.gpu, "_sums_of_wedges", full)
    np.testing.assert_array_equal(triadic.edge_support(graph, device=gpu_device), support)
    assert triadic.triad_census(graph, labelled=True, device=gpu_device) == census
