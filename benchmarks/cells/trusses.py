"""The k-truss, and the trussness of every edge. networkx has k-trusses only, igraph 1.0 and NetworKit 11.2 neither."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import numpy as np

import graphs
import triadic
from contest import Cell, Contender, Settings
from networks import NETWORKS, Network

_K = 10


def cells():
    for network in NETWORKS:
        yield Cell("k-truss", network.name, partial(_k_truss, network))
    for network in NETWORKS:
        yield Cell("trussness", network.name, partial(_trussness, network))


@contextmanager
def _k_truss(network: Network, settings: Settings):
    arcs, threads = network.load(settings), settings.threads

    def networkx(graph):
        import networkx as nx

        return nx.k_truss(graph, _K)

    yield [
        Contender(
            "triadic",
            build=lambda: graphs.triadic_graph(arcs),
            count=lambda graph: triadic.k_truss(graph, _K, threads=threads),
            numbers=lambda truss: _edges(*(truss.labels[end] for end in truss.edges())),
        ),
        Contender(
            "networkx",
            build=lambda: graphs.networkx_graph(arcs),
            count=networkx,
            numbers=lambda truss: _edges(*np.array(truss.edges).reshape(-1, 2).T),
        ),
    ]


@contextmanager
def _trussness(network: Network, settings: Settings):
    arcs, threads = network.load(settings), settings.threads
    yield [
        Contender(
            "triadic",
            build=lambda: graphs.triadic_graph(arcs),
            count=lambda graph: triadic.trussness(graph, threads=threads),
            numbers=lambda trussness: trussness,
        ),
    ]


def _edges(source, target):
    """Return the edges in order as one array, the lower end first."""
    low, high = np.minimum(source, target), np.maximum(source, target)
    order = np.lexsort((high, low))
    return np.stack([low[order], high[order]])
