"""The number of triangles.

Each library runs its fastest function from which the number follows. NetworKit does not count triangles; its
coefficients of all vertices are used, since its ``exactGlobal`` takes three to five times as long. igraph computes the
transitivity. The arithmetic from coefficients to a number of triangles is not timed.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import numpy as np

import graphs
import triadic
from contest import Cell, Contender, Settings
from networks import NETWORKS, Network


def cells():
    for network in NETWORKS:
        yield Cell("triangles", network.name, partial(_triangles, network))


@contextmanager
def _triangles(network: Network, settings: Settings):
    arcs, threads = network.load(settings), settings.threads

    def networkit(graph):
        from networkit.centrality import LocalClusteringCoefficient

        return LocalClusteringCoefficient(graph, turbo=True).run().scores()

    def networkx(graph):
        import networkx as nx

        return nx.triangles(graph)

    def pairs():
        degree = graphs.simple_degrees(arcs)
        return degree * (degree - 1) // 2

    yield [
        Contender(
            "triadic",
            build=lambda: graphs.triadic_graph(arcs),
            count=lambda graph: triadic.triangle_count(graph, threads=threads),
            numbers=lambda triangles: triangles,
        ),
        Contender(
            "NetworKit",
            build=lambda: graphs.networkit_graph(arcs, threads=threads),
            count=networkit,
            numbers=lambda scores: round(float(np.rint(np.asarray(scores) * pairs()).sum()) / 3),
        ),
        Contender(
            "igraph",
            build=lambda: graphs.igraph_graph(arcs),
            count=lambda graph: graph.transitivity_undirected(),
            numbers=lambda transitivity: round(transitivity * int(pairs().sum()) / 3),
        ),
        Contender(
            "networkx",
            build=lambda: graphs.networkx_graph(arcs),
            count=networkx,
            numbers=lambda by_vertex: sum(by_vertex.values()) // 3,
        ),
    ]
