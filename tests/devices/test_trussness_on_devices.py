"""Trusses: every device peels the same edges as the CPU."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import naive_triangles
import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.counts.count import run
from triadic.counts.edges import TRUSSNESS
from triadic.devices.gpu import edge_values as gpu
from triadic.devices.runtimes import registry as gpus

SHAPES = {
    "hubs": lambda: triadic.generate.rmat(10, seed=4),
    "a small world": lambda: triadic.generate.watts_strogatz(500, 10, 0.2, seed=4),
    "a clique": lambda: Graph.from_edges(*np.triu_indices(90, 1)),
    "a clique with a tail": lambda: Graph.from_edges(
        np.r_[np.triu_indices(20, 1)[0], np.arange(19, 60)], np.r_[np.triu_indices(20, 1)[1], np.arange(20, 61)]
    ),
    "arcs": lambda: triadic.generate.rmat(9, seed=4, directed=True),
    "a ring": lambda: triadic.generate.watts_strogatz(50, 2, 0.0, seed=1),
    "one edge": lambda: Graph.from_edges([0], [1]),
    "no edges": lambda: Graph.from_edges([], [], num_vertices=5),
    "no vertices": lambda: Graph.from_edges([], [], num_vertices=0),
}


@given(network=networks())
@examples(25)
def test_trusses_of_a_gpu_are_those_of_the_oracle(gpu_device, network):
    found = triadic.trussness(network.graph().to_undirected(), device=gpu_device)
    assert found.tolist() == naive_triangles.trussness(network.vertices, network.arcs)


# Rows are made again never, rarely, or at each level.
@pytest.mark.parametrize("share", [0, 0.75, 1])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_device_peels_the_same_edges_as_the_cpu(gpu_device, monkeypatch, shape, share):
    monkeypatch.setattr(gpu, "_STILL_LIVE", share)
    oriented = SHAPES[shape]().oriented()
    found, expected = (run(TRUSSNESS, oriented, device=device) for device in (gpu_device, "cpu"))
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == expected.dtype


@pytest.mark.parametrize("up_to", [0, 2, 3, 4, 7, 100])
@pytest.mark.parametrize("shape", ["hubs", "a small world", "a clique with a tail", "no edges"])
def test_peeling_stops_at_the_same_edges_as_on_the_cpu(gpu_device, shape, up_to):
    oriented = SHAPES[shape]().oriented()
    found, expected = (run(TRUSSNESS, oriented, up_to=up_to, device=device) for device in (gpu_device, "cpu"))
    np.testing.assert_array_equal(found, expected)


def test_a_truss_runs_on_the_named_device(gpu_device):
    graph = SHAPES["arcs"]()
    before = gpus.runtime(gpu_device).launches
    found, expected = (triadic.k_truss(graph, 5, device=device) for device in (gpu_device, "cpu"))
    assert gpus.runtime(gpu_device).launches > before
    np.testing.assert_array_equal(found.edges(), expected.edges())
    np.testing.assert_array_equal(found.labels, expected.labels)


def test_progress_rises_to_the_end(gpu_device):
    told = []
    triadic.trussness(SHAPES["hubs"](), device=gpu_device, progress=lambda done, total: told.append(done / total))
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0, 1)
