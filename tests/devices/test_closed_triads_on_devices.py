"""Closed triads: every device counts the same codes as the CPU, and the same census."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import naive
import triadic
from pairs import each
from strategies import examples, networks
from triadic import Graph
from triadic.devices.cpu.triads import closed_triads as cpu
from triadic.devices.gpu import list_tasks
from triadic.devices.gpu import triads as gpu
from triadic.devices.runtimes import registry as gpus

SHAPES = {
    "hubs": lambda: triadic.generate.rmat(10, seed=4, directed=True),
    "a tournament past the table of a middle row": lambda: Graph.from_edges(*np.triu_indices(600, 1), directed=True),
    "arcs of all kinds": lambda: Graph.from_edges(
        *np.nonzero(np.random.default_rng(4).random((300, 300)) < 0.4), directed=True
    ),
    "edges without direction": lambda: triadic.generate.watts_strogatz(500, 10, 0.2, seed=4),
    "no edges": lambda: Graph.from_edges([], [], num_vertices=5, directed=True),
}


@given(network=networks(directed=True))
@examples(25)
def test_the_census_of_a_gpu_is_that_of_the_oracle(gpu_device, network):
    census = triadic.triad_census(network.graph(), device=gpu_device)
    assert census.to_dict() == naive.triad_census(network.vertices, network.arcs)


@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_device_counts_the_same_codes_as_the_cpu(gpu_device, shape, labelled):
    oriented = SHAPES[shape]().oriented()
    found = gpu.by_code(gpu_device, oriented, labelled=labelled)
    np.testing.assert_array_equal(found, cpu.by_code(oriented, labelled=labelled, threads=2))


# None: the number follows from the size. Others lie around the bits of a word, or exceed the number of vertices. What
# is counted does not depend on the number of hubs, nor the walk on the codes.
@pytest.mark.parametrize(
    ("shape", "labelled", "hubs"),
    each(["hubs", "edges without direction", "arcs of all kinds"], [False, True], [None, 0, 1, 63, 64, 65, 500, 10**6]),
)
def test_any_number_of_hubs_finds_the_same_codes(gpu_device, monkeypatch, shape, labelled, hubs):
    oriented = SHAPES[shape]().oriented()
    monkeypatch.setattr(gpu, "prepared_on", lambda device, graph, **_: list_tasks.prepared_on(device, graph, hubs=hubs))
    found = gpu.by_code(gpu_device, oriented, labelled=labelled)
    np.testing.assert_array_equal(found, cpu.by_code(oriented, labelled=labelled, threads=2))


@pytest.mark.parametrize(
    ("shape", "hubs", "marked", "labelled"), each(SHAPES, [0, 65, 500], [64, 640, 32_000], [False, True])
)
def test_any_number_of_marked_ranks_finds_the_same_codes(gpu_device, monkeypatch, shape, hubs, marked, labelled):
    oriented = SHAPES[shape]().oriented()
    monkeypatch.setattr(list_tasks, "choose_marks", lambda n, _: (min(n, hubs), marked))
    found = gpu.by_code(gpu_device, oriented, labelled=labelled)
    np.testing.assert_array_equal(found, cpu.by_code(oriented, labelled=labelled, threads=2))


@pytest.mark.parametrize("edges", [2**power for power in range(13, 40)])
def test_the_words_of_a_row_of_hubs_fit_local_memory(edges):
    assert list_tasks.choose_marks(2**31 - 1, edges)[0] <= gpu.MOST_HUBS
    assert gpu.CODES_OVER_PARTS.most_hubs(edges) <= gpu.MOST_HUBS


@pytest.mark.parametrize("types", [16, 64])
def test_a_census_runs_on_the_named_device(gpu_device, types):
    graph = SHAPES["hubs"]()
    before = gpus.runtime(gpu_device).launches
    assert triadic.triad_census(graph, labelled=types == 64, device=gpu_device) == triadic.triad_census(
        graph, labelled=types == 64
    )
    assert gpus.runtime(gpu_device).launches > before
