"""Random wedges: every device draws the same as the CPU."""

from __future__ import annotations

import numpy as np
import pytest

import triadic
from triadic.devices.cpu.draws import wedge_sampling as cpu
from triadic.devices.gpu import triads as gpu
from triadic.devices.runtimes import registry as gpus
from triadic.errors import UnsupportedError

SHAPES = {
    "hubs": lambda: triadic.generate.rmat(10, seed=4, directed=True),
    "edges without direction": lambda: triadic.generate.watts_strogatz(500, 10, 0.2, seed=4),
    "a large clique": lambda: triadic.Graph.from_edges(*np.triu_indices(300, 1), directed=True),
}


@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_device_adds_up_the_same_draws_as_the_cpu(gpu_device, shape, local):
    oriented = SHAPES[shape]().oriented()
    table = cpu.row_table(oriented.indptr, oriented.degree, local=local, threads=2)
    for first, stop in ((0, 1), (100, 25_000)):
        on_cpu = cpu.tally(oriented, table, 7, first, stop, local, threads=2)
        if local:  # codes are not needed there, and a device does not read states for them
            on_cpu[63], on_cpu[:63] = on_cpu[:64].sum(), 0
        np.testing.assert_array_equal(gpu.tally(gpu_device, oriented, table, 7, first, stop, local), on_cpu)


@pytest.mark.parametrize("of", ["transitivity", "average_clustering", "triangles", "triads"])
def test_an_estimate_is_the_same_on_every_device(gpu_device, of):
    graph = SHAPES["hubs"]().to_undirected() if of != "triads" else SHAPES["hubs"]()
    before = gpus.runtime(gpu_device).launches
    there = triadic.estimate(graph, of=of, error=0.2, seed=1, max_samples=50_000, device=gpu_device)
    assert gpus.runtime(gpu_device).launches > before
    here = triadic.estimate(graph, of=of, error=0.2, seed=1, max_samples=50_000, device="cpu")
    np.testing.assert_array_equal(there.value, here.value)
    np.testing.assert_array_equal(there.high, here.high)


def test_a_device_does_not_draw_paths(gpu_device):
    with pytest.raises(UnsupportedError, match="graphlets is estimated on 'cpu'"):
        triadic.estimate(SHAPES["hubs"]().to_undirected(), of="graphlets", samples=10, device=gpu_device)
