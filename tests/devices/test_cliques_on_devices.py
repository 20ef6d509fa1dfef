"""Cliques of one size: every device counts as many as the CPU, in total and at each vertex."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from strategies import examples, networks
from triadic.devices.gpu import squares_and_cliques as gpu
from triadic.errors import UnsupportedError

SHAPES = {
    "hubs": lambda: triadic.generate.rmat(9, seed=4),
    "a dense graph": lambda: triadic.generate.erdos_renyi(60, 900, seed=1),
    "rows of more than a word": lambda: triadic.generate.erdos_renyi(300, 12_000, seed=1),
    "a complete graph": lambda: triadic.Graph.from_edges(*np.triu_indices(40, 1)),
    "no edges": lambda: triadic.Graph.from_edges([], [], num_vertices=5),
    "no vertices": lambda: triadic.Graph.from_edges([], []),
}


def assert_equal(graph, size, device):
    assert triadic.count(graph, "cliques", size=size, device=device) == triadic.count(
        graph, "cliques", size=size, device="cpu"
    )
    here, there = (triadic.count(graph, "cliques", size=size, by="vertex", device=name) for name in (device, "cpu"))
    assert here.to_dict() == there.to_dict()


@given(network=networks(directed=False), size=st.sampled_from(gpu.SIZES))
@examples(20)
def test_small_graphs(gpu_device, network, size):
    assert_equal(network.graph(), size, gpu_device)


@pytest.mark.parametrize("size", gpu.SIZES)
@pytest.mark.parametrize("shape", SHAPES)
def test_graphs_of_several_shapes(gpu_device, shape, size):
    assert_equal(SHAPES[shape](), size, gpu_device)


@pytest.mark.parametrize("size", [4, 6])
def test_batches_of_rows_add_up(gpu_device, monkeypatch, size):
    monkeypatch.setattr(gpu, "_MOST_BYTES", 1 << 14)
    seen = []
    graph = SHAPES["rows of more than a word"]()
    total = triadic.count(graph, "cliques", size=size, device=gpu_device, progress=lambda *state: seen.append(state))
    assert total == triadic.count(graph, "cliques", size=size, device="cpu")
    assert len(seen) > 2
    assert_equal(graph, size, gpu_device)


def test_what_a_device_cannot_count_is_refused(gpu_device):
    complete = SHAPES["a complete graph"]()
    for options in ({}, {"size": 7}, {"size": (3, 4)}, {"size": 4, "by": "edge"}):
        with pytest.raises(UnsupportedError, match="cliques"):
            triadic.count(complete, "cliques", device=gpu_device, **options)
    long_rows = triadic.Graph.from_edges(*np.triu_indices(600, 1))
    with pytest.raises(UnsupportedError, match="cliques of 6 in rows of up to 599 entries are counted on the CPU"):
        triadic.count(long_rows, "cliques", size=6, device=gpu_device)
