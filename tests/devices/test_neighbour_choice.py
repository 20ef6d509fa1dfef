"""The neighbours of a rank by number are those of the graph, for any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

import triadic
from triadic.devices.cpu.draws import choice
from triadic.devices.cpu.draws.choice import neighbour, neighbours


@pytest.mark.parametrize("threads", [1, 2, 3, 20])
@pytest.mark.parametrize("least", [1, 1 << 14])
def test_neighbours_rise_and_are_those_of_the_matrix(threads, least, monkeypatch):
    monkeypatch.setattr(choice, "_LEAST_FILLED", least)
    for graph in (
        triadic.generate.rmat(8, seed=3),
        triadic.generate.watts_strogatz(100, 6, 0.2, seed=1),
        triadic.Graph.from_edges([0, 0, 0, 4], [1, 2, 3, 4], num_vertices=6),
        triadic.Graph.from_edges([], [], num_vertices=3),
        triadic.Graph.from_edges([], [], num_vertices=0),
    ):
        oriented = graph.oriented()
        rows = neighbours(oriented, threads=threads)
        vertex = np.argsort(oriented.rank)
        matrix = graph.to_scipy().toarray()[vertex][:, vertex] > 0 if graph.num_vertices else np.zeros((0, 0), bool)
        for v in range(graph.num_vertices):
            found = [neighbour(rows, v, place) for place in range(int(oriented.degree[v]))]
            assert found == np.flatnonzero(matrix[v]).tolist()
