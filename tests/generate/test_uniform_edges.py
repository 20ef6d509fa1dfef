"""Erdős-Rényi graphs G(n, m): the number of edges is exact, and every set of edges is equally likely."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import comb

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies import NIGHTLY
from triadic import generate
from triadic.errors import ArgumentError


def edges(model):
    arcs = generate.make_arcs(model, threads=1)
    joined = zip(arcs.source.tolist(), arcs.target.tolist(), strict=True)
    return [(u, v) if model.directed else (min(u, v), max(u, v)) for u, v in joined]


@settings(deadline=None)  # the first run compiles
@given(vertices=st.integers(1, 40), share=st.floats(0, 1), directed=st.booleans(), seed=st.integers(0, 2**64 - 1))
def test_the_number_of_edges_is_exact_and_no_two_are_equal(vertices, share, directed, seed):
    pairs = vertices * (vertices - 1) // (1 if directed else 2)
    wanted = int(share * pairs)
    made = edges(generate.ErdosRenyi(vertices, wanted, seed=seed, directed=directed))
    assert len(made) == len(set(made)) == wanted
    assert all(u != v for u, v in made)


@pytest.mark.parametrize("vertices", [2, 3, 4, 5, 17, 1022, 1025])
def test_all_pairs_make_the_complete_graph(vertices):
    arcs = generate.make_arcs(generate.ErdosRenyi(vertices, comb(vertices, 2), seed=3), threads=1)
    matrix = np.zeros((vertices, vertices), dtype=int)
    np.add.at(matrix, (np.minimum(arcs.source, arcs.target), np.maximum(arcs.source, arcs.target)), 1)
    assert np.array_equal(matrix, np.triu(np.ones_like(matrix), k=1))


def test_all_ordered_pairs_make_the_complete_directed_graph():
    made = edges(generate.ErdosRenyi(9, 72, seed=3, directed=True))
    assert sorted(made) == list(permutations(range(9), 2))


@pytest.mark.parametrize(
    ("vertices", "wanted", "directed"), [(3, 1, False), (4, 2, False), (5, 3, False), (6, 2, False), (3, 2, True)]
)
def test_every_set_of_edges_is_equally_likely(vertices, wanted, directed):
    sets = comb(vertices * (vertices - 1) // (1 if directed else 2), wanted)
    runs = (60 if NIGHTLY else 15) * sets
    model = generate.ErdosRenyi
    seen = Counter(frozenset(edges(model(vertices, wanted, seed=seed, directed=directed))) for seed in range(runs))
    expected = runs / sets
    chi_squared = sum((count - expected) ** 2 for count in seen.values()) / expected + (sets - len(seen)) * expected
    assert chi_squared < sets - 1 + 5 * np.sqrt(2 * (sets - 1))


def test_the_variance_of_degrees_is_that_of_a_hypergeometric_draw():
    n, m = 2_000, 40_000
    variances = []
    for seed in range(10):
        arcs = generate.make_arcs(generate.ErdosRenyi(n, m, seed=seed))
        degree = np.bincount(np.concatenate([arcs.source, arcs.target]), minlength=n)
        variances.append(degree.var())
    p = m / comb(n, 2)
    expected = (n - 1) * p * (1 - p)
    assert np.mean(variances) == pytest.approx(expected, rel=5 * np.sqrt(2 / (n * 10)))


def test_the_number_of_triangles_is_as_expected():
    n, m, runs = 1_500, 15_000, 20
    triangles = 0
    for seed in range(runs):
        arcs = generate.make_arcs(generate.ErdosRenyi(n, m, seed=seed))
        upper = scipy.sparse.coo_array((np.ones(m, dtype=np.int64), (arcs.source, arcs.target)), shape=(n, n)).tocsr()
        adjacency = upper + upper.T
        triangles += (adjacency @ adjacency * adjacency).sum() // 6
    expected = runs * comb(n, 3) * (m / comb(n, 2)) ** 3
    assert abs(triangles - expected) < 5 * np.sqrt(expected)


def test_no_edge_of_a_graph_is_dropped():
    graph = generate.erdos_renyi(100, 900, seed=5)
    assert (graph.num_vertices, graph.num_edges) == (100, 900)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [((4, 7), "edges=7: expected a whole number from 0 to 6"), ((-1, 0), "vertices=-1"), ((2**31 + 1, 0), "vertices=")],
)
def test_a_bad_argument_is_named(arguments, words):
    with pytest.raises(ArgumentError, match=words):
        generate.ErdosRenyi(*arguments)


def test_a_directed_graph_may_have_twice_the_edges():
    assert generate.ErdosRenyi(4, 12, directed=True).arcs == 12
