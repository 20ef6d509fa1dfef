"""Batagelj and Mrvar's census on GPUs: against the one on one thread, and the library's own count."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from strategies import examples, networks
from triadic.core.arcs import Arcs
from triadic.errors import ArgumentError, UnsupportedError
from triadic.io import read_arcs
from triadic_papers.adjacency import adjacency
from triadic_papers.batagelj_mrvar import census
from triadic_papers.batagelj_mrvar_gpu import copy_to_device, gpu_census, set_memory, split_counts
from triadic_papers.batagelj_mrvar_queues import BALANCES, task_queues, work_estimates


def raw(network):
    """The arcs as a file would give them, loops and repeats among them."""
    return Arcs(network.source.astype(np.int32), network.target.astype(np.int32), network.vertices, network.directed)


def random_digraph(n=400, arcs=6000, seed=3):
    """Hubs at small ids."""
    random = np.random.default_rng(seed)
    ends = (n * random.random((2, arcs)) ** 2).astype(np.int64)
    return triadic.Graph.from_edges(*ends, num_vertices=n, directed=True)


@examples(25)
@given(networks(), st.sampled_from([16, 64]), st.booleans(), st.booleans(), st.sampled_from([1, 3, 200]))
def test_any_network_has_the_census_of_one_thread(gpu_device, network, types, as_printed, shared, queues):
    found = gpu_census(
        raw(network), device=gpu_device, types=types, as_printed=as_printed, shared=shared, queues=queues, block=64
    )
    assert found == census(raw(network), types=types, as_printed=as_printed)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("balance", BALANCES)
def test_any_balance_gives_the_same(gpu_device, balance, shared):
    graph = random_digraph()
    found = gpu_census(graph, device=gpu_device, balance=balance, shared=shared, queues=500, block=64)
    assert found == triadic.triad_census(graph)


@pytest.mark.parametrize(("queues", "block"), [(1, 64), (30720, 64), (100, 7), (900, 256)])
def test_any_number_of_queues_and_threads_of_a_block_gives_the_same(gpu_device, queues, block):
    graph = random_digraph()
    assert gpu_census(graph, device=gpu_device, types=64, queues=queues, block=block) == census(graph, types=64)


def test_a_network_lies_on_the_device_for_many_counts(gpu_device):
    graph = random_digraph()
    rows = adjacency(graph)
    ready = copy_to_device(rows, task_queues(rows, queues=100), device=gpu_device, block=64)
    for shared in (True, False):
        assert ready.census(shared=shared) == census(graph)
        assert ready.census(types=64, shared=shared) == census(graph, types=64)


def test_memory_is_what_rows_queues_and_buffers_take(gpu_device):
    rows = adjacency(random_digraph())
    tasks = task_queues(rows, queues=100)
    memory = set_memory(rows, tasks)
    assert memory.all_sets == 4 * work_estimates(rows).set_sizes + 8 * (len(tasks.tail) + 1)
    assert copy_to_device(rows, tasks, device=gpu_device, block=64).nbytes == memory.reused + memory.others
    assert memory.reused < memory.all_sets


def test_one_buffer_is_as_long_as_the_longest_set_of_its_queue():
    rows = adjacency(triadic.Graph.from_edges([0, 0, 0, 1, 4], [1, 2, 3, 2, 5]))  # degrees 3, 2, 2, 1, 1, 1
    alone = set_memory(rows, task_queues(rows, queues=1))
    assert alone.reused == 4 * 3 + 8 * 2  # 01 and 02 have up to 3 each; where it begins and ends


@pytest.mark.parametrize("edges", [[], [(0, 1)]])
def test_a_network_without_triads_of_joined_vertices(gpu_device, edges):
    graph = triadic.Graph.from_edges(*np.array(edges, dtype=np.int64).reshape(-1, 2).T, num_vertices=5, directed=True)
    for shared in (False, True):
        assert gpu_census(graph, device=gpu_device, shared=shared, block=64) == census(graph)


def test_dyadic_triads_of_millions_of_vertices_pass_32_bits(gpu_device):
    n = 4_000_000
    graph = triadic.Graph.from_edges(np.arange(3000), np.arange(1, 3001), num_vertices=n, directed=True)
    found = gpu_census(graph, device=gpu_device, queues=64, block=64)
    assert found["012"] == 3000 * (n - 2) - 2 * 2999
    assert found == census(graph)


def test_counts_come_in_two_parts_of_any_size():
    parts = split_counts(np.array([2**63 + 5] * 64, dtype=np.uint64))
    assert parts.dtype == np.int64
    assert int(parts[0]) + (int(parts[64]) << 31) == 2**63 + 5


def test_a_real_network_has_the_census_that_igraph_found(gpu_device, real_networks):
    known = json.loads((real_networks / "expected.json").read_text())["wiki-Vote.txt.gz"]["triad_census"]
    arcs = read_arcs(real_networks / "wiki-Vote.txt.gz", directed=True)
    assert gpu_census(arcs, device=gpu_device, block=64) == known


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"types": 13}, "types=13: expected 16 or 64"),
        ({"queues": 0}, "queues=0: expected a whole number"),
        ({"balance": "degree"}, "balance='degree': expected one of"),
        ({"block": 0}, "block=0: expected a whole number of threads from 1 to 1024"),
        ({"block": 1025}, "block=1025"),
        ({"device": "cpu"}, "device='cpu': expected"),
    ],
)
def test_arguments_that_do_not_exist_are_refused(keywords, message):
    with pytest.raises(ArgumentError, match=message):
        gpu_census(triadic.Graph.from_edges([0], [1]), **({"device": "opencl"} | keywords))


def test_a_network_whose_counts_may_overflow_is_refused(gpu_device):
    rows = adjacency(random_digraph())._replace(n=2**60)
    with pytest.raises(UnsupportedError, match=r"fewer than 2\*\*63 pairs"):
        copy_to_device(rows, task_queues(rows, queues=1), device=gpu_device)
