"""The U|MAN null: mean and variance in closed form are those of all digraphs with the given dyads, one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb, isnan, sqrt

import numpy as np
import pytest

import naive
import triadic
from triadic import Graph
from triadic.measures.census import moments

NAMES = list(naive.TRIADS)


def censuses(n, states):
    """Count the triads of digraphs: `states` holds the state of each dyad (0, 1) (0, 2) .. a digraph a row."""
    column = {pair: i for i, pair in enumerate(combinations(range(n), 2))}
    types = np.array([NAMES.index(name) for name in naive.TYPE_OF_CODE], dtype=np.int8)
    counts = np.zeros((len(states), 16), dtype=np.int8)
    for u, v, w in combinations(range(n), 3):
        code = states[:, column[u, v]] + 4 * states[:, column[u, w]] + 16 * states[:, column[v, w]]
        counts[np.arange(len(states)), types[code]] += 1
    return counts


def check_against(n, dyads, counts):
    """Compare with digraphs of which each is equally likely."""
    found = moments(n, dyads)
    assert list(found) == NAMES
    for name, column in zip(NAMES, counts.T.astype(np.int64), strict=True):
        mean = Fraction(int(column.sum()), len(column))
        variance = Fraction(int((column**2).sum()), len(column)) - mean**2
        assert found[name] == (mean, variance), (name, dyads)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_mean_and_variance_are_those_of_every_digraph_with_the_same_dyads(n):
    pairs = comb(n, 2)
    states = (np.arange(4**pairs)[:, None] >> 2 * np.arange(pairs) & 3).astype(np.int8)
    counts = censuses(n, states)
    mutual = (states == 3).sum(axis=1)
    null = (states == 0).sum(axis=1)
    for m, empty in product(range(pairs + 1), repeat=2):
        if m + empty <= pairs:
            check_against(n, (empty, pairs - m - empty, m), counts[(mutual == m) & (null == empty)])


@pytest.mark.parametrize(("n", "asymmetric", "mutual"), [(6, 2, 1), (6, 1, 2), (7, 2, 1), (6, 3, 0)])
def test_triples_without_a_common_vertex_are_independent_only_as_dyads_allow(n, asymmetric, mutual):
    pairs = comb(n, 2)
    rows = []
    for one_way in combinations(range(pairs), asymmetric):
        rest = [pair for pair in range(pairs) if pair not in one_way]
        for both_ways, ways in product(combinations(rest, mutual), product([1, 2], repeat=asymmetric)):
            rows.append(np.zeros(pairs, dtype=np.int8))
            rows[-1][[*one_way, *both_ways]] = [*ways, *[3] * mutual]
    check_against(n, (pairs - asymmetric - mutual, asymmetric, mutual), censuses(n, np.array(rows)))


def test_expected_counts_add_up_to_all_triads():
    graph = triadic.generate.rmat(10, seed=1, directed=True)
    census = triadic.triad_census(graph)
    expected = census.expected()
    assert list(expected) == NAMES
    assert sum(expected.values()) == pytest.approx(comb(graph.num_vertices, 3), rel=1e-12)


def test_a_z_score_is_the_distance_from_the_mean_in_standard_deviations():
    graph = Graph.from_edges([0, 1, 2, 3, 3], [1, 2, 0, 0, 4], num_vertices=7, directed=True)
    census = triadic.triad_census(graph)
    dyads = triadic.dyad_census(graph)
    assert (census.vertices, census.mutual, census.asymmetric) == (7, dyads["mutual"], dyads["asymmetric"])
    exact = moments(7, (dyads["null"], dyads["asymmetric"], dyads["mutual"]))
    z = census.z_scores()
    assert census.expected()["030C"] == float(exact["030C"][0])
    assert z["030C"] == pytest.approx((1 - float(exact["030C"][0])) / sqrt(exact["030C"][1]), rel=1e-12)
    assert z["030C"] > 0
    assert isnan(z["300"])  # without a mutual dyad there is none in any such digraph


def test_arcs_at_random_lie_near_their_mean():
    random = np.random.default_rng(11)
    n, rows = 300, np.triu_indices(300, k=1)
    kind = random.choice(4, p=[0.9, 0.03, 0.03, 0.04], size=len(rows[0]))
    forward, back = kind & 1 > 0, kind & 2 > 0
    source = np.concatenate([rows[0][forward], rows[1][back]])
    target = np.concatenate([rows[1][forward], rows[0][back]])
    z = triadic.triad_census(Graph.from_edges(source, target, num_vertices=n, directed=True)).z_scores()
    assert all(abs(score) < 5 for score in z.values())


def test_a_complete_digraph_cannot_vary():
    graph = Graph.from_edges(*np.triu_indices(9, k=1))
    census = triadic.triad_census(graph)
    assert census["300"] == comb(9, 3)
    assert census.expected() == {name: float(count) for name, count in census.items()}
    assert all(isnan(score) for score in census.z_scores().values())


def test_counts_past_2_to_the_63_have_a_mean_and_a_distance():
    n = 10_000_000
    census = triadic.triad_census(Graph.from_edges([0, 1, 2], [1, 0, 3], num_vertices=n, directed=True))
    assert census.expected()["003"] == pytest.approx(comb(n, 3), rel=1e-12)
    assert all(abs(score) < 1 or isnan(score) for score in census.z_scores().values())
