"""CSTN-117 on GPUs: kernels 1 and 2, the optimisations, several cards, and the counterexamples to what is printed."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from pairs import by_night, pairs
from strategies import examples, networks
from triadic.core.arcs import Arcs
from triadic.devices.runtimes import registry as gpus
from triadic.devices.runtimes.runtime import LANES
from triadic.errors import ArgumentError
from triadic_papers.cstn117 import (
    Counts,
    choose_kernel,
    clustering,
    clustering_cuda,
    clustering_multi_gpu,
    digraph,
)
from triadic_papers.cstn117_gpu import _arcs_for, count_on

SWITCHES = [
    dict(zip(("shared_counters", "texture", "prefetch"), on, strict=True)) for on in product([False, True], repeat=3)
]


def raw_arcs(network):
    return Arcs(network.source.astype(np.int32), network.target.astype(np.int32), network.vertices, network.directed)


def star_below_its_hub(leaves):
    """The hub is the last vertex: arcs to it come first, then those from it."""
    return triadic.Graph.from_edges(np.full(leaves, leaves), np.arange(leaves))


@examples(25)
@given(networks(), st.sampled_from(["auto", 1, 2]), st.sampled_from(SWITCHES))
def test_both_kernels_find_what_algorithm_1_finds(gpu_device, network, kernel, switches):
    arcs = raw_arcs(network)
    assert clustering_cuda(arcs, device=gpu_device, kernel=kernel, **switches) == clustering(arcs)


# Every two of kernels and switches in each run; all of them in the nightly run.
OFTEN = [
    (kernel, dict(zip(SWITCHES[0], on, strict=True)))
    for kernel, *on in pairs([1, 2], *([False, True] for _ in SWITCHES[0]))
]


@pytest.mark.parametrize(
    ("kernel", "switches"),
    by_night(OFTEN, [1, 2], SWITCHES),
)
def test_every_optimisation_finds_the_same(gpu_device, kernel, switches):
    for graph in (
        triadic.generate.barabasi_albert(200, links=8, seed=1),
        triadic.generate.watts_strogatz(200, k=10, p=0.1, seed=1),
        star_below_its_hub(300),
    ):
        assert clustering_cuda(graph, device=gpu_device, kernel=kernel, **switches) == clustering(graph)


@pytest.mark.parametrize("cards", [1, 2, 3])
@pytest.mark.parametrize("kernel", [1, 2])
def test_several_cards_share_the_arcs(gpu_device, kernel, cards):
    kind = type(gpus.runtime(gpu_device))
    runtimes = [kind(0) for _ in range(cards)]  # the same device several times
    graph = triadic.generate.barabasi_albert(300, links=8, seed=1)
    found = count_on(runtimes, graph, kernel, (("SHARED_COUNTERS", 1),), blocks_per_multiprocessor=1)
    assert found == clustering(graph)
    N = LANES * runtimes[0].teams * runtimes[0].multiprocessors
    arcs = 2 * graph.num_edges
    # One launch on each card to compile, then one for each block of N arcs.
    assert sum(runtime.launches for runtime in runtimes) == cards + -(-arcs // N)


@examples(30)
@given(networks(), st.integers(1, 3))
def test_work_blocks_find_what_algorithm_1_finds(gpu_device, network, size):
    arcs = raw_arcs(network)
    assert clustering_multi_gpu(arcs, device=gpu_device, blocks_per_multiprocessor=size) == clustering(arcs)


@pytest.mark.parametrize("kernel", [1, 2])
def test_as_printed_circuits_are_lost(gpu_device, kernel):
    circuit = triadic.Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True)
    triangle = triadic.Graph.from_edges([0, 1, 2], [1, 2, 0])
    for graph, right, printed in ((circuit, Counts(1, 3), Counts(0, 3)), (triangle, Counts(2, 6), Counts(1, 6))):
        assert clustering_cuda(graph, device=gpu_device, kernel=kernel) == right
        assert clustering_cuda(graph, device=gpu_device, kernel=kernel, as_printed=True) == printed


def test_as_printed_a_block_s_paths_below_zero_are_2_to_the_32_too_many(gpu_device):
    most = LANES * gpus.runtime(gpu_device).teams // 2  # so many leaves have arcs for one block
    star, smaller = star_below_its_hub(most + 1), star_below_its_hub(most)
    paths = (most + 1) * most
    assert clustering_cuda(star, device=gpu_device, kernel=1) == Counts(0, paths)
    assert clustering_cuda(star, device=gpu_device, kernel=1, as_printed=True) == Counts(0, paths + 2**32)
    assert clustering_cuda(smaller, device=gpu_device, kernel=1, as_printed=True) == Counts(0, most * (most - 1))
    # Without shared counters nothing has 32 bits.
    found = clustering_cuda(star, device=gpu_device, kernel=1, shared_counters=False, as_printed=True)
    assert found == Counts(0, paths)


def test_a_real_network_has_what_algorithm_1_finds(gpu_device, real_networks):
    for file in ("USAir97.net.gz", "wiki-Vote.txt.gz"):
        graph = triadic.read(real_networks / file)
        expected = clustering(graph)
        for kernel in (1, 2):
            assert clustering_cuda(graph, device=gpu_device, kernel=kernel) == expected


@given(networks())
def test_kernel_2_has_every_arc_once_in_the_order_of_its_end_s_degree(network):
    rows = digraph(network.graph())
    S = _arcs_for(rows, 2).reshape(-1, 2).astype(np.int64)
    degree = np.diff(rows.V)
    assert sorted(map(tuple, S.tolist())) == list(zip(_arcs_for(rows, 1).tolist(), rows.A.tolist(), strict=True))
    assert (np.diff(degree[S[:, 1]]) >= 0).all()


def test_a_small_world_is_for_kernel_1_and_a_scale_free_graph_for_kernel_2():
    assert choose_kernel(triadic.generate.watts_strogatz(2000, k=50, p=0.1, seed=1)) == 1
    assert choose_kernel(triadic.generate.barabasi_albert(2000, links=25, seed=1)) == 2
    assert choose_kernel(triadic.Graph.from_edges([], [], num_vertices=2)) == 1


def test_what_counted_and_how_long_its_steps_took_is_told(gpu_device):
    graph = triadic.generate.barabasi_albert(200, links=8, seed=1)
    found = clustering_cuda(graph, device=gpu_device)
    assert found.kernel == choose_kernel(graph) == 2
    assert list(found.seconds) == ["layout", "choose", "compile", "sort", "copy", "count"]
    found = clustering_cuda(graph, device=gpu_device, kernel=1)
    assert found.kernel == 1
    assert list(found.seconds) == ["layout", "compile", "copy", "count"]
    assert found.elapsed == found.seconds["copy"] + found.seconds["count"]


def test_a_kernel_that_there_is_not_is_refused(gpu_device):
    with pytest.raises(ArgumentError, match="kernel=3: expected 'auto', 1 or 2"):
        clustering_cuda(triadic.Graph.from_edges([0], [1]), device=gpu_device, kernel=3)


@pytest.mark.parametrize("size", [0, -1, 1.5, True])
def test_no_blocks_for_a_multiprocessor_are_refused(gpu_device, size):
    with pytest.raises(ArgumentError, match=r"blocks_per_multiprocessor=.*: expected a whole number of at least 1"):
        clustering_multi_gpu(triadic.Graph.from_edges([0], [1]), device=gpu_device, blocks_per_multiprocessor=size)


@pytest.mark.parametrize("device", ["cpu", "auto", "gpu:0", ""])
@pytest.mark.parametrize("function", [clustering_cuda, clustering_multi_gpu])
def test_a_device_that_is_no_gpu_is_refused(function, device):
    with pytest.raises(ArgumentError, match=f"device={device!r}: expected"):
        function(triadic.Graph.from_edges([0], [1]), device=device)
