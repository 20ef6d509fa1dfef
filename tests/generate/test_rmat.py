"""R-MAT graphs: the shares of the quarters, the permuted ids, wide ids, bad arguments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triadic import generate
from triadic.errors import ArgumentError
from triadic.generate import arc_draws


def places(model):
    """Return the rows and columns before the permutation of the ids."""
    keys, scale = model.parameters[0], np.uint64(model.scale)
    shuffled = np.array([arc_draws._relabel(keys, scale, np.uint64(x)) for x in range(model.vertices)], dtype=np.int64)
    back = np.argsort(shuffled)
    arcs = generate.make_arcs(model)
    return back[arcs.source], back[arcs.target]


@settings(deadline=None)  # the first run compiles
@given(scale=st.integers(0, 13), seed=st.integers(0, 2**64 - 1))
def test_shuffling_the_ids_is_a_permutation(scale, seed):
    keys = generate.RMat(scale, seed=seed).parameters[0]
    ids = [int(arc_draws._relabel(keys, np.uint64(scale), np.uint64(x))) for x in range(1 << scale)]
    assert sorted(ids) == list(range(1 << scale))


@pytest.mark.parametrize("level", range(9))
def test_each_level_falls_into_the_quarters_by_their_probabilities(level):
    model = generate.RMat(9, 400, a=0.5, b=0.25, c=0.15, seed=3)
    row, column = places(model)
    quarter = 2 * (row >> level & 1) + (column >> level & 1)
    share = np.bincount(quarter, minlength=4) / model.arcs
    expected = np.array([0.5, 0.25, 0.15, 0.1])
    assert np.all(np.abs(share - expected) < 5 * np.sqrt(expected * (1 - expected) / model.arcs))


@pytest.mark.parametrize("scale", [2, 7, 8])  # within one draw of six levels, one level beyond it, two beyond
def test_cells_of_the_matrix_have_products_of_probabilities(scale):
    model = generate.RMat(scale, (1 << 20) >> scale, seed=11)
    row, column = places(model)
    first = 3 if scale > 3 else scale  # the lowest levels, which may belong to a draw that is cut
    low = (1 << first) - 1
    seen = np.bincount((row & low) << first | (column & low), minlength=1 << 2 * first)
    cells = np.ones((1, 1))
    for _ in range(first):
        cells = np.kron(cells, [[0.57, 0.19], [0.19, 0.05]])
    expected = cells.ravel() * model.arcs
    chi_squared = float(((seen - expected) ** 2 / expected).sum())
    freedom = len(expected) - 1
    assert chi_squared < freedom + 5 * np.sqrt(2 * freedom)


def test_levels_are_drawn_independently():
    row, column = places(generate.RMat(12, 60, a=0.25, b=0.25, c=0.25, seed=5))
    bits = np.array([row >> level & 1 for level in range(12)] + [column >> level & 1 for level in range(12)])
    correlation = np.corrcoef(bits) - np.eye(24)
    assert np.abs(correlation).max() < 5 / np.sqrt(len(row))


def test_a_quarter_of_probability_one_holds_all_arcs():
    row, column = places(generate.RMat(8, a=0.0, b=1.0, c=0.0, seed=2))
    assert set(row) == {0}
    assert set(column) == {255}


def test_one_vertex_has_only_loops():
    arcs = generate.make_arcs(generate.RMat(0, 7, seed=1))
    assert (arcs.vertices, len(arcs)) == (1, 7)
    assert not arcs.source.any()


def test_all_vertices_exist_and_all_arcs_are_counted():
    graph = generate.rmat(8, 4, seed=1)
    dropped = graph.dropped
    assert graph.num_vertices == 256
    assert graph.num_edges + dropped.loops + dropped.duplicates + dropped.reciprocal_merged == 1024
    directed = generate.rmat(8, 4, seed=1, directed=True)
    assert directed.directed
    assert directed.num_arcs + directed.dropped.loops + directed.dropped.duplicates == 1024
    assert directed.to_undirected().num_edges == graph.num_edges


def test_past_two_to_the_31_vertices_ids_are_wide():
    model = generate.RMat(33, 1, seed=1)
    source, target = next(generate.stream(model, block=1000))
    assert source.dtype == target.dtype == np.int64
    assert source.max() > 2**32
    assert target.min() >= 0
    assert max(source.max(), target.max()) < 2**33


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"scale": -1}, "scale=-1"),
        ({"scale": 41}, "from 0 to 40"),
        ({"scale": 3.0}, "scale=3.0"),
        ({"scale": True}, "scale=True"),
        ({"scale": 4, "edge_factor": -2}, "edge_factor=-2"),
        ({"scale": 4, "a": 1.5}, "a=1.5"),
        ({"scale": 4, "b": float("nan")}, "b=nan"),
        ({"scale": 4, "a": 0.6, "b": 0.3, "c": 0.2}, "sum of at most 1"),
        ({"scale": 4, "seed": -1}, "seed=-1"),
        ({"scale": 4, "seed": "one"}, "seed='one'"),
        ({"scale": 4, "directed": "no"}, "directed='no'"),
    ],
)
def test_a_bad_argument_is_named(arguments, words):
    with pytest.raises(ArgumentError, match=words):
        generate.RMat(**arguments)
