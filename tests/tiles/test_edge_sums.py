"""Sums over edges of tiles: in parts of any size they are those of the graph, and they keep to the memory."""

from __future__ import annotations

import numpy as np
import pytest

import triadic
from triadic.counts.count import part_counter, run
from triadic.counts.edges import STRENGTHS
from triadic.counts.triads import DYADS, NEIGHBOUR_SUMS, WEDGE_ENDS
from triadic.graph.graph import entry_weights
from triadic.tiles import edge_sums
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.tile import edge_values
from triadic.tiles.tiling import make_tiles


@pytest.fixture(autouse=True)
def few_ranks(monkeypatch):
    """Let little memory make parts of few ranks, also of small graphs."""
    monkeypatch.setattr(edge_sums, "_LEAST_RANKS", 2)


def network(directed):
    arcs = np.random.default_rng(1).integers(0, 60, (2, 400))
    return triadic.Graph.from_edges(
        *arcs, num_vertices=70, directed=directed, weights=np.arange(1.0, 401), combine="max"
    )


def zeros(shape):
    return np.zeros(shape, dtype=np.int64)


def sums_in_parts(graph, count, inputs, memory, scale=None):
    weights = None if scale is None else entry_weights(graph, threads=1)
    tiles = MemoryTiles(graph.oriented(), np.array([0, 7, 40, 70]), arcs=graph.num_arcs, weights=weights)
    return sums_of_tiles(tiles, count, inputs, memory, scale)


def sums_of_tiles(tiles, count, inputs, memory, scale=None):
    values = None if scale is None else edge_values(tiles.layout, scale, cube_root=False)
    counter = part_counter(count, {}, threads=2, device="cpu", values=values)
    return edge_sums.sum_over_edges(tiles, counter, inputs, zeros, memory=memory)


@pytest.mark.parametrize("memory", [100, 4_000, 20_000, 1 << 30])
@pytest.mark.parametrize("directed", [False, True])
def test_counts_in_parts_add_up_to_those_of_the_graph(directed, memory):
    graph = network(directed)
    oriented = graph.oriented()
    dyads = run(DYADS, oriented, threads=1)
    values = np.random.default_rng(2).integers(-9, 10, (70, 4))
    for count, inputs in ((DYADS, ()), (WEDGE_ENDS, (dyads,)), (NEIGHBOUR_SUMS, (values,))):
        expected = run(count, oriented, *inputs, threads=1)
        found = sums_in_parts(graph, count, inputs, memory)
        np.testing.assert_array_equal(found, expected, err_msg=count.name)


@pytest.mark.parametrize("memory", [100, 30_000])
def test_strengths_in_parts_are_those_of_whole_tiles(memory):
    graph = network(False)
    expected = sums_in_parts(graph, STRENGTHS, (), 1 << 30, scale=400.0)
    np.testing.assert_array_equal(sums_in_parts(graph, STRENGTHS, (), memory, scale=400.0), expected)


def test_no_part_has_more_ranks_than_the_memory_allows(monkeypatch):
    parts = []
    oriented = edge_sums.Oriented

    def noting(rank, indptr, *rest):
        parts.append(len(indptr) - 1)
        return oriented(rank, indptr, *rest)

    monkeypatch.setattr(edge_sums, "Oriented", noting)
    sums_in_parts(network(True), DYADS, (), 4_000)
    assert max(parts) <= edge_sums.most_ranks(3, 4_000) == 25
    assert min(parts) > 0


@pytest.mark.parametrize("directed", [False, True])
def test_parts_of_stored_tiles_come_with_their_weights(directed, tmp_path):
    graph = network(directed)
    triadic.write(graph, tmp_path / "network.triadic")
    tiles = make_tiles(tmp_path / "network.triadic", tmp_path / "tiles", ranges=3, weights=True).tiles.with_weights()
    expected = sums_of_tiles(tiles, STRENGTHS, (), 1 << 30, scale=400.0)
    for memory in (100, 9_000, 30_000):
        np.testing.assert_array_equal(sums_of_tiles(tiles, STRENGTHS, (), memory, scale=400.0), expected)


@pytest.mark.parametrize("vertices", [0, 1, 9])
def test_without_edges_all_sums_are_zero(vertices):
    graph = triadic.Graph.from_edges([], [], num_vertices=vertices)
    tiles = MemoryTiles(graph.oriented(), np.array([0, vertices]))
    found = sums_of_tiles(tiles, DYADS, (), 100)
    np.testing.assert_array_equal(found, np.zeros((vertices, 3)))


def test_little_memory_does_not_make_more_parts_than_can_be_counted(monkeypatch):
    monkeypatch.undo()
    assert edge_sums.most_ranks(24, 0) == edge_sums.most_ranks(24, 1 << 20) > 10_000
    assert 8 * 24 * edge_sums.most_ranks(24, 1 << 30) < 1 << 28
