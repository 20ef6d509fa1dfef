"""Watts-Strogatz graphs: the ring, its rewired links, and their clustering."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from triadic import generate
from triadic.errors import ArgumentError


def network(arcs):
    graph = nx.Graph()
    graph.add_nodes_from(range(arcs.vertices))
    graph.add_edges_from(zip(arcs.source.tolist(), arcs.target.tolist(), strict=True))
    return graph


def test_without_rewiring_the_network_is_a_ring_lattice():
    made = network(generate.make_arcs(generate.WattsStrogatz(31, 6, 0.0)))
    assert nx.utils.graphs_equal(made, nx.circulant_graph(31, [1, 2, 3]))


@pytest.mark.parametrize("p", [0.1, 0.5, 1.0])
def test_the_share_of_rewired_links_is_p(p):
    model = generate.WattsStrogatz(20_000, 10, p, seed=1)
    arcs = generate.make_arcs(model)
    gap = (arcs.target - arcs.source) % model.vertices
    stayed = np.mean(gap == 1 + np.arange(model.arcs) % 5)
    assert abs(stayed - (1 - p)) < 5 * np.sqrt(0.25 / model.arcs) + 1e-3


def test_every_vertex_owns_half_of_its_links_and_no_two_are_equal():
    model = generate.WattsStrogatz(500, 40, 0.7, seed=2)
    arcs = generate.make_arcs(model)
    assert np.array_equal(arcs.source, np.repeat(np.arange(500), 20))
    assert all(len(set(row)) == 20 for row in arcs.target.reshape(500, 20).tolist())
    assert not np.any(arcs.source == arcs.target)


def test_as_many_pairs_choose_each_other_as_expected():
    n, k, p, runs = 1_000, 20, 0.3, 30
    mutual = 0
    for seed in range(runs):
        arcs = generate.make_arcs(generate.WattsStrogatz(n, k, p, seed=seed))
        links = set(zip(arcs.source.tolist(), arcs.target.tolist(), strict=True))
        assert len(links) == len(arcs)
        mutual += sum((v, u) in links for u, v in links) // 2
    expected = runs * (k * p) ** 2 / 8
    assert abs(mutual - expected) < 5 * np.sqrt(expected)


def test_rewired_ends_are_uniform():
    model = generate.WattsStrogatz(50, 2, 1.0, seed=0)
    seen = np.zeros(50)
    for seed in range(400):
        arcs = generate.make_arcs(generate.WattsStrogatz(50, 2, 1.0, seed=seed))
        seen += np.bincount((arcs.target - arcs.source) % 50, minlength=50)
    assert seen[0] == 0
    expected = 400 * model.arcs / 49
    assert ((seen[1:] - expected) ** 2 / expected).sum() < 48 + 5 * np.sqrt(96)


def test_clustering_of_a_small_world_follows_from_the_ring_and_p():
    made = nx.to_scipy_sparse_array(network(generate.make_arcs(generate.WattsStrogatz(3_000, 50, 0.1, seed=4))))
    made.setdiag(0)
    degree, closed = made.sum(axis=1), (made @ made * made).sum(axis=1)
    wedges = degree * (degree - 1)
    assert closed.sum() / wedges.sum() == pytest.approx(3 * 48 / (4 * 49) * 0.9**3, rel=0.01)
    assert (closed / wedges).mean() == pytest.approx(0.53, abs=0.01)


def test_a_complete_ring_is_rewired_onto_its_own_gaps():
    made = network(generate.make_arcs(generate.WattsStrogatz(41, 40, 0.5, seed=1)))
    assert nx.number_of_selfloops(made) == 0
    assert made.number_of_edges() <= 41 * 20


def test_directed_links_leave_their_owner():
    graph = generate.watts_strogatz(200, 8, 0.2, seed=1, directed=True)
    assert graph.directed
    assert np.diff(graph.indptr).tolist() == [4] * 200


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((10, 3, 0.1), "k=3: expected an even"),
        ((10, 10, 0.1), "k=10"),
        ((10, 4, 1.1), "p=1.1"),
        ((0, 0, 0.1), "vertices=0"),
    ],
)
def test_a_bad_argument_is_named(arguments, words):
    with pytest.raises(ArgumentError, match=words):
        generate.WattsStrogatz(*arguments)
