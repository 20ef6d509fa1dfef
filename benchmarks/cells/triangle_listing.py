"""A list of all triangles. NetworKit has no such function."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import numpy as np

import graphs
import triadic
from contest import Cell, Contender, LeftOutError, Settings
from networks import NETWORKS, Network

# igraph makes a tuple of three numbers of each triangle, some 150 bytes; R-MAT 18 would take 12 GB.
_MOST_FOR_IGRAPH = 4_000_000


def cells():
    for network in NETWORKS:
        yield Cell("triangle-listing", network.name, partial(_listing, network))


@contextmanager
def _listing(network: Network, settings: Settings):
    arcs, threads = network.load(settings), settings.threads

    def networkx(graph):
        import networkx as nx

        if not hasattr(nx, "all_triangles"):
            raise LeftOutError(f"networkx {nx.__version__} has no all_triangles, which came with 3.6")
        return list(nx.all_triangles(graph))

    def igraph_graph():
        if len(arcs) > _MOST_FOR_IGRAPH:
            raise LeftOutError(f"more than {_MOST_FOR_IGRAPH:,} arcs")
        return graphs.igraph_graph(arcs)

    yield [
        Contender(
            "triadic",
            build=lambda: graphs.triadic_graph(arcs),
            count=lambda graph: triadic.list_triangles(graph, threads=threads),
            numbers=lambda triangles: triangles,
        ),
        Contender(
            "igraph",
            build=igraph_graph,
            count=lambda graph: graph.list_triangles(),
            numbers=_in_order,
        ),
        Contender(
            "networkx",
            build=lambda: graphs.networkx_graph(arcs),
            count=networkx,
            numbers=_in_order,
        ),
    ]


def _in_order(triangles):
    """Return the triangles in order, each with its vertices in rising order."""
    rows = np.sort(np.array(triangles, dtype=np.int64).reshape(-1, 3), axis=1)
    return rows[np.lexsort(rows.T[::-1])]
