"""The brute-force graphlet counts agree with each other, with closed forms, and with the transform's formulas."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import known_graphlets
import naive
import naive_graphlets
from strategies import arc_lists, bipartite, cliques, cores_with_leaves, examples, stars

# Number of raw graphlets of each kind in each induced graphlet at the same vertex: the matrix U of the fast graphlet
# transform. The formulas below use its inverse.
RAW_IN_NET = {
    2: {2: 1, 4: 2},
    3: {3: 1, 4: 1},
    5: {5: 1, 9: 2, 10: 1, 12: 2, 13: 4, 14: 2, 15: 6},
    6: {6: 1, 10: 1, 11: 2, 12: 2, 13: 2, 14: 4, 15: 6},
    7: {7: 1, 9: 1, 10: 1, 13: 2, 14: 1, 15: 3},
    8: {8: 1, 11: 1, 14: 1, 15: 1},
    9: {9: 1, 13: 2, 15: 3},
    10: {10: 1, 13: 2, 14: 2, 15: 6},
    11: {11: 1, 14: 2, 15: 3},
    12: {12: 1, 13: 1, 14: 1, 15: 3},
    13: {13: 1, 15: 3},
    14: {14: 1, 15: 3},
}

small_networks = st.one_of(
    arc_lists(10, 30), cliques(8), stars(9), bipartite(5), cores_with_leaves(most_core=6, most_leaves=5)
)


def raw_by_formulas(vertices, arcs):
    """Compute the sixteen raw frequencies from degrees, triangles and common neighbours."""
    near = naive.neighbours(vertices, arcs)
    k, t = naive.degree(vertices, arcs), naive.triangles(vertices, arcs)
    c = [[len(near[i] & near[j]) for j in range(vertices)] for i in range(vertices)]
    d2 = [sum(k[j] - 1 for j in near[i]) for i in range(vertices)]
    d12 = [sum(comb(c[i][j], 2) for j in range(vertices) if j != i) for i in range(vertices)]
    d13 = [sum(c[j][h] - 1 for j, h in combinations(near[i], 2) if h in near[j]) for i in range(vertices)]
    d15 = naive_graphlets.tetrahedra(vertices, arcs)
    return [
        [
            1,
            k[i],
            d2[i],
            comb(k[i], 2),
            t[i],
            sum(d2[j] for j in near[i]) - k[i] * (k[i] - 1) - 2 * t[i],
            d2[i] * (k[i] - 1) - 2 * t[i],
            sum(comb(k[j] - 1, 2) for j in near[i]),
            comb(k[i], 3),
            sum(t[j] for j in near[i]) - 2 * t[i],
            sum(c[i][j] * (k[j] - 2) for j in near[i]),
            (k[i] - 2) * t[i],
            d12[i],
            d13[i],
            sum(comb(c[i][j], 2) for j in near[i]),
            d15[i],
        ]
        for i in range(vertices)
    ]


def net_from_raw(rows):
    """Compute the sixteen net frequencies of each vertex, term by term."""
    return [
        [
            r[0],
            r[1],
            r[2] - 2 * r[4],
            r[3] - r[4],
            r[4],
            r[5] - 2 * r[9] - r[10] - 2 * r[12] + 4 * r[13] + 2 * r[14] - 6 * r[15],
            r[6] - r[10] - 2 * r[11] - 2 * r[12] + 2 * r[13] + 4 * r[14] - 6 * r[15],
            r[7] - r[9] - r[10] + 2 * r[13] + r[14] - 3 * r[15],
            r[8] - r[11] + r[14] - r[15],
            r[9] - 2 * r[13] + 3 * r[15],
            r[10] - 2 * r[13] - 2 * r[14] + 6 * r[15],
            r[11] - 2 * r[14] + 3 * r[15],
            r[12] - r[13] - r[14] + 3 * r[15],
            r[13] - 3 * r[15],
            r[14] - 3 * r[15],
            r[15],
        ]
        for r in rows
    ]


@pytest.mark.parametrize("network", known_graphlets.SMALL, ids=lambda network: network.name)
def test_brute_force_counts_equal_closed_forms(network):
    rows = naive_graphlets.net(network.vertices, network.edges)
    assert [sum(row[g] for row in rows) for g in range(16)] == network.net_sums
    if network.alike:
        assert all(row == rows[0] for row in rows)


@given(small_networks)
def test_the_formulas_give_the_raw_graphlets(network):
    assert raw_by_formulas(*network) == naive_graphlets.raw(*network)


@given(small_networks)
def test_the_formulas_turn_raw_graphlets_into_net_ones(network):
    assert net_from_raw(naive_graphlets.raw(*network)) == naive_graphlets.net(*network)


@given(small_networks)
def test_every_induced_graphlet_contains_the_raw_graphlets_of_the_matrix(network):
    net = np.array(naive_graphlets.net(*network), dtype=np.int64).reshape(-1, 16)
    raw = net.copy()
    for graphlet, held in RAW_IN_NET.items():
        raw[:, graphlet] = sum(times * net[:, induced] for induced, times in held.items())
    assert raw.tolist() == naive_graphlets.raw(*network)


@given(small_networks)
def test_each_position_of_a_graphlet_has_the_same_total(network):
    for rows in (naive_graphlets.raw(*network), naive_graphlets.net(*network)):
        sums = [sum(row[g] for row in rows) for g in range(16)]
        for graph in known_graphlets.GRAPHS:
            seen = {sums[g] / times for g, (of, times) in enumerate(known_graphlets.PLACES) if of == graph}
            assert len(seen) == 1
            assert seen.pop().is_integer()


@examples(50)
@given(small_networks)
def test_counts_by_neighbours_equal_counts_by_sets_of_four_vertices(network):
    raw = naive_graphlets.raw(*network)
    assert naive_graphlets.squares(*network) == [row[12] for row in raw]
    assert naive_graphlets.diamonds_off_chord(*network) == [row[13] for row in raw]
    assert naive_graphlets.diamonds_on_chord(*network) == [row[14] for row in raw]
    assert naive_graphlets.tetrahedra(*network) == [row[15] for row in raw]


def test_a_diamond_has_two_vertices_on_and_two_off_the_chord():
    network = known_graphlets.diamond()
    net = naive_graphlets.net(network.vertices, network.edges)
    assert [row[13] for row in net] == [0, 1, 0, 1]
    assert [row[14] for row in net] == [1, 0, 1, 0]
    # Without its chord it is a cycle, without another edge a paw, without two a path or a claw.
    raw = naive_graphlets.raw(network.vertices, network.edges)
    assert [row[12] for row in raw] == [1, 1, 1, 1]
    assert raw[0][5:] == [2, 4, 1, 1, 0, 2, 2, 1, 0, 1, 0]
    assert raw[1][5:] == [4, 2, 2, 0, 2, 2, 0, 1, 1, 0, 0]


def test_a_clique_of_four_contains_each_graph_on_four_vertices_but_induces_only_itself():
    network = known_graphlets.complete(4)
    assert naive_graphlets.net(network.vertices, network.edges) == [[1, 3, 0, 0, 3] + [0] * 10 + [1]] * 4
    assert (
        naive_graphlets.raw(network.vertices, network.edges) == [[1, 3, 6, 3, 3, 6, 6, 3, 1, 3, 6, 3, 3, 3, 3, 1]] * 4
    )


def test_a_paw_has_a_tip_a_centre_and_two_at_the_base():
    network = known_graphlets.paw()
    net = naive_graphlets.net(network.vertices, network.edges)
    assert [row[9:12] for row in net] == [[0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0]]


def test_a_path_of_four_has_two_ends_and_two_inside():
    network = known_graphlets.path(4)
    net = naive_graphlets.net(network.vertices, network.edges)
    assert [row[5:7] for row in net] == [[1, 0], [0, 1], [0, 1], [1, 0]]
    assert net == naive_graphlets.raw(network.vertices, network.edges)


def test_a_star_of_three_is_a_claw():
    network = known_graphlets.star(3)
    net = naive_graphlets.net(network.vertices, network.edges)
    assert [row[7:9] for row in net] == [[0, 1], [1, 0], [1, 0], [1, 0]]
