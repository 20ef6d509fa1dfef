"""The local clustering coefficient of every vertex."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import graphs
import triadic
from contest import Cell, Contender, Goal, Settings
from networks import NETWORKS, Network

_GOALS = {
    "rmat-20": {"NetworKit": Goal(ratio=8), "igraph": Goal(ratio=15)},
    "cnr-2000": {"NetworKit": Goal(ratio=4), "igraph": Goal(ratio=6)},
    "ego-twitter": {"NetworKit": Goal(ratio=4), "igraph": Goal(ratio=6)},
}


def cells():
    for network in NETWORKS:
        yield Cell("clustering", network.name, partial(_clustering, network), _GOALS.get(network.name, {}))


@contextmanager
def _clustering(network: Network, settings: Settings):
    arcs, threads = network.load(settings), settings.threads

    def networkit(graph):
        from networkit.centrality import LocalClusteringCoefficient

        return LocalClusteringCoefficient(graph, turbo=True).run().scores()

    def networkx(graph):
        import networkx as nx

        return nx.clustering(graph)

    yield [
        Contender(
            "triadic",
            build=lambda: graphs.triadic_graph(arcs),
            count=lambda graph: triadic.clustering(graph, threads=threads),
            numbers=lambda coefficients: coefficients,
        ),
        Contender(
            "NetworKit",
            build=lambda: graphs.networkit_graph(arcs, threads=threads),
            count=networkit,
            numbers=lambda scores: scores,
        ),
        Contender(
            "igraph",
            build=lambda: graphs.igraph_graph(arcs),
            count=lambda graph: graph.transitivity_local_undirected(mode="zero"),
            numbers=lambda coefficients: coefficients,
        ),
        Contender(
            "networkx",
            build=lambda: graphs.networkx_graph(arcs),
            count=networkx,
            numbers=lambda by_vertex: [by_vertex[v] for v in range(arcs.vertices)],
        ),
    ]
