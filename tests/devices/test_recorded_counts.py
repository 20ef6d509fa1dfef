"""Counts of small graphs, whose launches are recorded once and repeated, return the same numbers at every call."""

from __future__ import annotations

import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import triadic
from triadic.devices.gpu import rows, triangles
from triadic.devices.runtimes import registry as gpus


@pytest.fixture
def graph():
    return triadic.generate.rmat(11, seed=5)


def recorded_on(device, graph):
    """The recorded counts that are kept for a graph, by what is counted."""
    names = [name for _, name in rows.cached_keys(graph.oriented()) if "list tasks" in name]
    prepared = (triangles.prepared_on(device, graph.oriented(), hubs=hubs) for _, hubs in names)
    return {result for (tasks,) in prepared for result in tasks.recorded}


def test_every_call_returns_the_same_counts(gpu_device, graph):
    total, at_vertices = triadic.triangle_count(graph, device="cpu"), triadic.triangles(graph, device="cpu")
    coefficients = triadic.clustering(graph, device="cpu")
    for _ in range(4):
        assert triadic.triangle_count(graph, device=gpu_device) == total
        np.testing.assert_array_equal(triadic.triangles(graph, device=gpu_device), at_vertices)
        np.testing.assert_array_equal(triadic.clustering(graph, device=gpu_device), coefficients)
    assert recorded_on(gpu_device, graph) == {"NUMBER", "BY_VERTEX"}


def test_a_call_changes_no_earlier_result(gpu_device, graph):
    results = [triadic.triangles(graph, device=gpu_device) for _ in range(3)]
    expected = results[0].copy()
    for result in results:
        result[:] = -1
        np.testing.assert_array_equal(triadic.triangles(graph, device=gpu_device), expected)


def test_a_graph_without_edges_is_counted_again(gpu_device):
    graph = triadic.Graph.from_edges([], [], num_vertices=3)
    assert [triadic.triangle_count(graph, device=gpu_device) for _ in range(3)] == [0, 0, 0]
    assert triadic.triangles(graph, device=gpu_device).tolist() == [0, 0, 0]


def test_threads_that_count_one_graph_wait_for_each_other(gpu_device, graph):
    total, at_vertices = triadic.triangle_count(graph, device="cpu"), triadic.triangles(graph, device="cpu")

    def count(number):
        if number % 2:
            return triadic.triangle_count(graph, device=gpu_device) == total
        return np.array_equal(triadic.triangles(graph, device=gpu_device), at_vertices)

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(count, range(40)))


def test_a_recorded_count_is_freed_with_its_graph(gpu_device, graph):
    rows = triadic.Graph.from_csr(graph.indptr, graph.indices, trusted=True)
    triadic.triangle_count(rows, device=gpu_device)
    (tasks,) = triangles.prepared_on(gpu_device, rows.oriented())
    recorded = weakref.ref(tasks.recorded["NUMBER"])
    del tasks
    rows.release()
    assert recorded() is None


def test_counts_of_larger_graphs_are_not_recorded(gpu_device, graph, monkeypatch):
    monkeypatch.setattr(triangles, "MOST_EDGES", 10)
    assert triadic.triangle_count(graph, device=gpu_device) == triadic.triangle_count(graph, device="cpu")
    assert recorded_on(gpu_device, graph) == set()


def test_a_repeated_count_counts_as_a_launch(gpu_device, graph):
    runtime = gpus.runtime(gpu_device)
    for _ in range(3):
        launches = runtime.launches
        triadic.triangle_count(graph, device=gpu_device)
        assert runtime.launches > launches
