"""`count_matches` counts what networkx's matchers list."""

from __future__ import annotations

import random

import networkx as nx
import pytest
from networkx.algorithms import isomorphism as iso

from triadic.errors import ArgumentError
from triadic.networkx_backend import count_matches

MANY = 500  # pairs of graphs for each of two kinds; networkx counts each three to six times


def listed(G, P, node_match=None, edge_match=None, *, induced=True):
    """Return the number of mappings that networkx lists."""

    def names(match):
        return match if isinstance(match, list) else [match]

    keywords = {}
    if node_match is not None:
        keywords["node_match"] = iso.categorical_node_match(names(node_match), [None] * len(names(node_match)))
    if edge_match is not None:
        keywords["edge_match"] = iso.categorical_edge_match(names(edge_match), [None] * len(names(edge_match)))
    matcher = (iso.DiGraphMatcher if G.is_directed() else iso.GraphMatcher)(G, P, **keywords)
    found = matcher.subgraph_isomorphisms_iter() if induced else matcher.subgraph_monomorphisms_iter()
    return sum(1 for _ in found)


def drawn(rng, nodes, probability, *, directed, loops):
    """Return a random graph with attributes, some of which are missing."""
    graph = nx.DiGraph() if directed else nx.Graph()
    names = [f"{rng.choice('ab')}{v}" if rng.random() < 0.5 else (v, v) for v in range(nodes)]
    graph.add_nodes_from(names)
    for i, u in enumerate(names):
        for j, v in enumerate(names):
            if rng.random() < (loops if i == j else probability):
                graph.add_edge(u, v)
    for _, data in graph.nodes(data=True):
        data.update({"color": rng.choice(["red", "blue"]), "size": rng.choice([1, 1.0, 2])})
        if rng.random() < 0.2:
            del data["color"]
    for *_, data in graph.edges(data=True):
        if rng.random() < 0.8:
            data["bond"] = rng.choice([1, (2, "x")])
        data["kind"] = rng.choice("st")
    return graph


def drawn_pattern(rng, *, directed, loops):
    while True:
        graph = drawn(rng, rng.choice([2, 3, 3, 4, 4, 5]), 0.5, directed=directed, loops=loops)
        if nx.is_connected(nx.Graph(graph)):
            return graph


@pytest.mark.parametrize("directed", [False, True])
def test_counts_are_those_of_networkx(directed):
    rng = random.Random(5)
    some = 0
    for _ in range(MANY):
        loops = rng.choice([0, 0, 0.3])
        G = drawn(rng, rng.randint(1, 7), rng.choice([0.2, 0.5]), directed=directed, loops=loops)
        P = drawn_pattern(rng, directed=directed, loops=loops)
        for match in (
            {},
            {"node_match": "color"},
            {"edge_match": ["bond"]},
            {"node_match": ["color", "size"], "edge_match": ["kind", "bond"]},
        ):
            for induced in (True,) if nx.number_of_selfloops(P) else (True, False):
                expected = listed(G, P, **match, induced=induced)
                assert count_matches(G, P, **match, induced=induced) == expected, (G.edges, P.edges, match, induced)
                some += expected > 0
    assert some > 300


def test_a_graph_is_its_own_image_by_each_automorphism():
    for size in (2, 4, 6):
        assert count_matches(nx.complete_graph(size), nx.complete_graph(size)) == [1, 1, 2, 6, 24, 120, 720][size]
    assert count_matches(nx.complete_graph(5), nx.path_graph(5)) == 0
    assert count_matches(nx.complete_graph(5), nx.path_graph(5), induced=False) == 120
    assert count_matches(nx.empty_graph(3), nx.path_graph(2)) == 0
    assert count_matches(nx.DiGraph(), nx.path_graph(2, create_using=nx.DiGraph)) == 0


def test_what_is_not_counted_is_refused():
    path, three = nx.path_graph(3), nx.DiGraph([(0, 1), (1, 2)])
    with pytest.raises(ArgumentError, match="node_match, edge_match: got a function; expected attributes, such as"):
        count_matches(path, path, iso.categorical_node_match("color", None))
    with pytest.raises(ArgumentError, match="got a function; expected attributes"):
        count_matches(path, path, edge_match=lambda *_: True)
    for other in (three, nx.MultiGraph(path)):
        with pytest.raises(nx.NetworkXNotImplemented, match="expected two graphs, or two directed graphs, without"):
            count_matches(path, other)
    for small in (nx.path_graph(1), nx.path_graph(7), nx.empty_graph(2), nx.Graph()):
        with pytest.raises(ArgumentError, match=r"P: got Graph with .* expected a connected graph of two to 6 nodes"):
            count_matches(path, small)
    with pytest.raises(ArgumentError, match=r"P: got Graph .* for induced=False without loops"):
        count_matches(path, nx.Graph([(0, 1), (1, 1)]), induced=False)
    path.nodes[0]["color"] = ["red"]
    with pytest.raises(TypeError, match="unhashable"):
        count_matches(path, path, "color")
