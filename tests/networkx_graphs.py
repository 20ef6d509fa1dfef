"""Strategies of hypothesis for networkx graphs with nodes of any type, and a check that results equal networkx's."""

from __future__ import annotations

import networkx as nx
from hypothesis import strategies as st

from strategies import networks

# Functions from 0, 1, ... to nodes: in order, out of order, far apart, not comparable, or floats equal to integers.
NAMES = {
    "numbers": lambda i: i,
    "falling": lambda i: -i,
    "far apart": lambda i: i * 10**15,
    "beyond 64 bits": lambda i: 10**25 + i,
    "strings": str,
    "mixed": lambda i: (i, str(i), (i, "x"), frozenset([i]), i + 0.5)[i % 5],
    "floats": float,
}


def networkx_graph(network, name=NAMES["numbers"], *, multigraph=False):
    """Make the networkx graph: first the nodes of arcs in order of appearance, then isolated nodes."""
    kind = {
        (False, False): nx.Graph,
        (True, False): nx.DiGraph,
        (False, True): nx.MultiGraph,
        (True, True): nx.MultiDiGraph,
    }
    graph = kind[network.directed, multigraph]()
    graph.add_edges_from((name(u), name(v)) for u, v in network.arcs)
    graph.add_nodes_from(map(name, range(network.vertices)))
    return graph


@st.composite
def networkx_graphs(draw, directed=None, loops=True, weights=None):
    """Any graph with any nodes; `weights` is a strategy for the attribute "weight" of most edges."""
    graph = networkx_graph(draw(networks(directed)), NAMES[draw(st.sampled_from(sorted(NAMES)))])
    if not loops:
        graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    if weights is not None:
        random = draw(st.randoms(use_true_random=False))
        some = draw(st.lists(weights, min_size=1, max_size=8))
        for _, _, data in graph.edges(data=True):
            if random.random() < 0.8:
                data["weight"] = random.choice(some)
    return graph


@st.composite
def with_nodes(draw, graphs):
    """A graph and an argument `nodes`: None, one node, or a list with repeated and unknown nodes."""
    graph = draw(graphs)
    nodes = list(graph)
    if not nodes or draw(st.booleans()):
        return graph, draw(st.sampled_from([None, []]))
    if draw(st.booleans()):
        return graph, draw(st.sampled_from(nodes))
    return graph, draw(st.lists(st.sampled_from([*nodes, "stranger", -77]), max_size=10))


def assert_same(found, expected):
    """Check that two results are equal, with the same types of keys and values in the same order."""
    assert found == expected
    assert type(found) is type(expected)
    if isinstance(expected, dict):
        assert [(node, type(node)) for node in found] == [(node, type(node)) for node in expected]
        assert [type(value) for value in found.values()] == [type(value) for value in expected.values()]
