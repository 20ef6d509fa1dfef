"""The number of triangles of each edge. igraph has no such function."""

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
        yield Cell("edge-support", network.name, partial(_edge_support, network))


@contextmanager
def _edge_support(network: Network, settings: Settings):
    arcs, threads = network.load(settings), settings.threads

    def networkit_with_edge_ids():
        graph = graphs.networkit_graph(arcs, threads=threads)
        graph.indexEdges()
        return graph

    def networkit(graph):
        from networkit.sparsification import TriangleEdgeScore

        return TriangleEdgeScore(graph).run().scores()

    def in_rising_order(scores):
        # NetworKit numbers edges by their larger end, then in the order in which they were added.
        source, target = graphs.simple_edges(arcs)
        support = np.empty(len(source), dtype=np.int64)
        support[np.lexsort((source, target))] = scores
        return support

    def networkx(graph):
        import networkx as nx

        edges = zip(*(ends.tolist() for ends in graphs.simple_edges(arcs)), strict=True)
        return [len(nx.common_neighbors(graph, u, v)) for u, v in edges]

    yield [
        Contender(
            "triadic",
            build=lambda: graphs.triadic_graph(arcs),
            count=lambda graph: triadic.edge_support(graph, threads=threads),
            numbers=lambda support: support,
        ),
        Contender("NetworKit", build=networkit_with_edge_ids, count=networkit, numbers=in_rising_order),
        Contender(
            "networkx",
            build=lambda: graphs.networkx_graph(arcs),
            count=networkx,
            numbers=lambda support: support,
        ),
    ]
