"""Results that stay on a device equal those on the host."""

from __future__ import annotations

import numpy as np
import pytest

import triadic
from triadic.counts.graphlet_formulas import graphlets_on_card
from triadic.devices.gpu.orientation import ArcBuffers, orient
from triadic.devices.gpu.rows import OrientedOnDevice
from triadic.devices.runtimes.registry import runtime as open_runtime
from triadic.errors import CountOverflowError
from triadic.generate import RMat, make_arcs
from triadic.measures.clustering import clustering_on_card

LARGE = make_arcs(RMat(9, seed=3), threads=1)
NETWORKS = {
    "no vertices": ([], [], 0),
    "no edges": ([], [], 3),
    "a kite and a vertex alone": ([0, 1, 2, 2], [1, 2, 0, 3], 5),
    "a clique": (*np.triu_indices(12, 1), 12),
    "many degrees": (LARGE.source, LARGE.target, LARGE.vertices),
}


def on_device(device, source, target, vertices):
    runtime = open_runtime(device)
    with runtime.active():
        ends = [runtime.xp.asarray(np.asarray(ids, dtype=np.int64)) for ids in (source, target)]
    arrays, _ = orient(runtime, ArcBuffers(runtime, *ends), vertices)
    return OrientedOnDevice(runtime, arrays)


def on_host(array):
    return array.get() if hasattr(array, "get") else array


@pytest.mark.parametrize("network", NETWORKS)
def test_results_on_a_device_equal_those_on_the_host(network, gpu_device):
    source, target, vertices = NETWORKS[network]
    graph = triadic.Graph.from_edges(source, target, num_vertices=vertices)
    oriented = on_device(gpu_device, source, target, vertices)
    for columns in (16, 5):
        expected = triadic.graphlet_transform(graph, size=3 if columns == 5 else 4, device="cpu")
        for net, frequencies in ((True, expected.net), (False, expected.raw)):
            found = on_host(graphlets_on_card(graph, oriented, columns=columns, net=net))
            assert found.dtype == np.int64
            np.testing.assert_array_equal(found, frequencies)
    np.testing.assert_array_equal(on_host(clustering_on_card(oriented)), triadic.clustering(graph, device="cpu"))


def test_counts_of_more_than_64_bits_are_refused_on_a_device_too(gpu_device, monkeypatch):
    monkeypatch.setattr("triadic.counts.graphlet_formulas._LARGEST", 5)
    source, target, vertices = NETWORKS["a kite and a vertex alone"]
    graph = triadic.Graph.from_edges(source, target, num_vertices=vertices)
    with pytest.raises(CountOverflowError, match="vertex 2 has 3 neighbours"):
        graphlets_on_card(graph, on_device(gpu_device, source, target, vertices), columns=16, net=True)
