"""Graphlets and squares: every device counts the same at each vertex as the CPU, to the bit."""

from __future__ import annotations

from copy import copy
from functools import cache, partial

import numpy as np
import pytest
from hypothesis import given

import triadic
from pairs import pairs
from strategies import examples, networks
from triadic import Graph
from triadic.devices.cpu import vertex_arrays as cpu_sums
from triadic.devices.cpu.orbits import four_vertex as cpu
from triadic.devices.gpu import four_vertex
from triadic.devices.gpu import four_vertex as row_graphs
from triadic.devices.gpu import squares_and_cliques as squares
from triadic.devices.gpu import triads as neighbour_sums
from triadic.devices.runtimes import registry as gpus


def spine(hubs, leaves):
    """Hubs that are joined to one another and to all leaves, which are a ring: long rows at little cost."""
    leaf = np.arange(hubs, hubs + leaves)
    u, v = np.triu_indices(hubs, 1)
    source = np.concatenate([u, np.repeat(np.arange(hubs), leaves), leaf])
    return Graph.from_edges(source, np.concatenate([v, np.tile(leaf, hubs), np.roll(leaf, 1)]))


SHAPES = {
    "hubs": lambda: triadic.generate.rmat(10, seed=4),
    "ranks by repeated arcs": lambda: triadic.generate.rmat(12, seed=3),
    "rows past a word of bits": lambda: Graph.from_edges(*np.triu_indices(100, 1)),
    "rows past a table": lambda: spine(4, 1100),
    "a small world": lambda: triadic.generate.watts_strogatz(500, 10, 0.2, seed=4),
    "two sides": lambda: Graph.from_edges(np.repeat(np.arange(30), 40), np.tile(np.arange(30, 70), 30)),
    "a star": lambda: Graph.from_edges(np.zeros(50, dtype=np.int64), np.arange(1, 51)),
    "no edges": lambda: Graph.from_edges([], [], num_vertices=5),
    "no vertices": lambda: Graph.from_edges([], [], num_vertices=0),
}


@given(network=networks())
@examples(25)
def test_a_gpu_counts_the_same_as_the_cpu(gpu_device, network):
    oriented = network.graph().oriented()
    found, expected = four_vertex.by_vertex(gpu_device, oriented), cpu.by_vertex(oriented, threads=1)
    for name, column in expected._asdict().items():
        np.testing.assert_array_equal(getattr(found, name), column, err_msg=name)


@pytest.mark.parametrize("shape", [*SHAPES, pytest.param("a large clique", marks=pytest.mark.nightly)])
def test_every_column_equals_that_of_the_cpu(gpu_device, shape):
    oriented = (SHAPES | {"a large clique": lambda: spine(600, 0)})[shape]().oriented()
    found, expected = four_vertex.by_vertex(gpu_device, oriented), cpu.by_vertex(oriented, threads=2)
    for name, column in expected._asdict().items():
        np.testing.assert_array_equal(getattr(found, name), column, err_msg=name)


# How windows are cut, and when one is full, does not depend on the shape: pairs of the three meet in a fault.
@pytest.mark.parametrize(
    ("shape", "cut", "full"),
    pairs(
        ["hubs", "two sides", "rows past a table"],
        [(1, 32, 3), (1 << 14, 64, 2), (None, 32, 32), (None, None, 32)],
        [1, 8, 1 << 16],
    ),
)
def test_squares_do_not_depend_on_shares_windows_and_batches(gpu_device, shape, cut, full, monkeypatch):
    batch_bytes, cells, most_windows = cut
    monkeypatch.setattr(squares, "_MOST_WINDOWS", most_windows)
    monkeypatch.setattr(squares, "_FULL", full)
    if batch_bytes:
        monkeypatch.setattr(squares, "_MOST_BYTES", batch_bytes)
    if cells:
        monkeypatch.setattr(squares, "cells_on", lambda _: cells)
    oriented = SHAPES[shape]().oriented()
    counter = squares.Squares(gpus.runtime(gpu_device), oriented)
    for first in (2, 0, 1):
        counter.take(first, 3)
    np.testing.assert_array_equal(counter.found(), cpu.by_vertex(oriented, threads=2).squares)


@pytest.mark.parametrize("bit_bytes", [1, 1 << 14, None])
def test_tetrahedra_do_not_depend_on_shares_and_on_the_memory_for_bits(gpu_device, bit_bytes, monkeypatch):
    runtime, oriented = gpus.runtime(gpu_device), SHAPES["hubs"]().oriented()
    if bit_bytes:
        monkeypatch.setattr(row_graphs, "_SHARE_OF_FREE", runtime.memory()[0] // bit_bytes)
    counter = row_graphs.RowGraphs(runtime, oriented)
    for add in (counter.add_tetrahedra, counter.add_off_chord):
        for first in (2, 0, 1):
            add(first, 3)
    expected = cpu.by_vertex(oriented, threads=2)
    np.testing.assert_array_equal(runtime.download(counter.tetrahedra).view(np.int64), expected.tetrahedra)
    np.testing.assert_array_equal(runtime.download(counter.off_chord).view(np.int64), expected.off_chord)


@pytest.mark.parametrize("shape", ["hubs", "rows past a word of bits", "two sides"])
def test_rows_whose_bits_do_not_fit_local_memory_are_counted_the_same(gpu_device, monkeypatch, shape):
    monkeypatch.setattr(row_graphs, "_CLASSES", ((8, 1),))
    runtime, oriented = gpus.runtime(gpu_device), SHAPES[shape]().oriented()
    counter = row_graphs.RowGraphs(runtime, oriented)
    counter.add_tetrahedra(0, 1)
    counter.add_off_chord(0, 1)
    expected = cpu.by_vertex(oriented, threads=2)
    np.testing.assert_array_equal(runtime.download(counter.tetrahedra).view(np.int64), expected.tetrahedra)
    np.testing.assert_array_equal(runtime.download(counter.off_chord).view(np.int64), expected.off_chord)


def test_sums_of_neighbours_carry_past_32_bits_and_take_negative_values(gpu_device):
    oriented = SHAPES["hubs"]().oriented()
    values = np.random.default_rng(1).integers(-(2**50), 2**50, (oriented.num_vertices, 2))
    found = neighbour_sums.neighbour_sums(gpu_device, oriented, values)
    np.testing.assert_array_equal(found, cpu_sums.neighbour_sums(oriented, values, threads=2))


@pytest.mark.parametrize(
    "measure", [triadic.graphlet_transform, partial(triadic.graphlets, by="vertex"), triadic.square_clustering]
)
def test_a_measure_runs_on_the_named_device(gpu_device, measure):
    graph = SHAPES["hubs"]()
    before = gpus.runtime(gpu_device).launches
    found, expected = measure(graph, device=gpu_device), measure(graph, device="cpu")
    np.testing.assert_array_equal(getattr(found, "net", found), getattr(expected, "net", expected))
    assert gpus.runtime(gpu_device).launches > before


def test_five_graphlets_run_on_the_named_device(gpu_device):
    graph = SHAPES["hubs"]()
    found = triadic.graphlet_transform(graph, size=3, device=gpu_device)
    np.testing.assert_array_equal(found.net, triadic.graphlet_transform(graph, size=3, device="cpu").net)


@pytest.mark.parametrize("cards", [2, 3])
@pytest.mark.parametrize("shape", ["hubs", "two sides", "no edges", "no vertices"])
def test_several_devices_add_up_to_one(gpu_device, monkeypatch, shape, cards):
    kind = gpu_device.partition(":")[0]
    one = gpus.runtime(gpu_device)
    monkeypatch.setattr(gpus, "runtime", cache(lambda name: copy_of(one, name)))
    oriented = SHAPES[shape]().oriented()
    device = f"{kind}:{','.join(str(card) for card in range(cards))}"
    found, expected = four_vertex.by_vertex(device, oriented), cpu.by_vertex(oriented, threads=1)
    for name, column in expected._asdict().items():
        np.testing.assert_array_equal(getattr(found, name), column, err_msg=name)


def copy_of(runtime, name):
    other = copy(runtime)
    other.name = name
    return other
