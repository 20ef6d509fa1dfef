"""The lattice and the mesh."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triadic import generate
from triadic.errors import ArgumentError


@given(rows=st.integers(1, 9), columns=st.integers(1, 9), periodic=st.booleans())
def test_a_grid_equals_that_of_networkx(rows, columns, periodic):
    arcs = generate.make_arcs(generate.Grid(rows, columns, periodic=periodic))
    made = nx.Graph(zip(arcs.source.tolist(), arcs.target.tolist(), strict=True))
    made.add_nodes_from(range(rows * columns))
    expected = nx.grid_2d_graph(rows, columns, periodic=periodic)
    ids = {(r, c): r * columns + c for r, c in expected}
    assert nx.utils.graphs_equal(made, nx.relabel_nodes(expected, ids))
    assert made.number_of_edges() == len(arcs)


def test_a_directed_grid_runs_right_and_down():
    graph = generate.grid(3, 4, directed=True)
    assert graph.directed
    assert graph.num_arcs == 17
    assert graph.indices[graph.indptr[0] : graph.indptr[1]].tolist() == [1, 4]
    assert graph.indptr[11] == graph.indptr[12]


def test_a_mesh_is_planar_and_connected():
    model = generate.Delaunay(300, seed=1)
    arcs = generate.make_arcs(model)
    made = nx.Graph(zip(arcs.source.tolist(), arcs.target.tolist(), strict=True))
    assert nx.check_planarity(made)[0]
    assert nx.is_connected(made)
    assert made.number_of_nodes() == 300
    assert made.number_of_edges() == len(arcs) <= 3 * 300 - 6
    assert np.all(arcs.source < arcs.target)


def test_the_points_of_a_mesh_fill_the_unit_square():
    points = generate.Delaunay(10_000, seed=4).points
    assert points.shape == (10_000, 2)
    assert points.min() >= 0
    assert points.max() < 1
    cells = np.histogram2d(points[:, 0], points[:, 1], bins=8, range=[[0, 1], [0, 1]])[0]
    expected = 10_000 / 64
    assert ((cells - expected) ** 2 / expected).sum() < 63 + 5 * np.sqrt(126)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: generate.Grid(0, 3), "rows=0"),
        (lambda: generate.Grid(3, 2.5), "columns=2.5"),
        (lambda: generate.Grid(2**20, 2**20), "product"),
        (lambda: generate.Delaunay(2), "vertices=2"),
    ],
)
def test_a_bad_argument_is_named(make, words):
    with pytest.raises(ArgumentError, match=words):
        make()
