"""The triad census of directed networks: the total compared with other libraries, every vertex compared with the total.

No other library has a census of every vertex. The algorithm that the triad census thesis accelerates, from
`triadic_papers`, is compared as well: its ratio on one thread can be compared with the speed-up of the thesis, up to
58.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import graphs
import triadic
from contest import Cell, Contender, Goal, LeftOutError, Settings
from networks import DIRECTED_NETWORKS, Network
from triadic_papers import batagelj_mrvar

_GOALS = {
    "soc-sign-Slashdot090221": {"igraph": Goal(ratio=150), "networkx": Goal(ratio=3000)},
    "web-NotreDame": {"igraph": Goal(ratio=250)},
}
# networkx, which is pure Python, takes ten minutes on this network, and runs once on this network only.
_FOR_NETWORKX = "soc-sign-Slashdot090221"
_TOTAL = "triadic, total"


def cells():
    for network in DIRECTED_NETWORKS:
        yield Cell("triad-census", network.name, partial(_total, network), _GOALS.get(network.name, {}))
    for network in DIRECTED_NETWORKS:
        yield Cell("triad-census-by-vertex", network.name, partial(_by_vertex, network), {_TOTAL: Goal(ratio=1 / 2)})


@contextmanager
def _total(network: Network, settings: Settings):
    arcs, threads = network.load(settings), settings.threads

    def networkx_graph():
        if network.name != _FOR_NETWORKX:
            raise LeftOutError(f"takes minutes; it runs on {_FOR_NETWORKX}")
        return graphs.networkx_digraph(arcs)

    def networkx(graph):
        import networkx as nx

        return nx.triadic_census(graph)

    yield [
        Contender(
            "triadic",
            build=lambda: graphs.triadic_digraph(arcs),
            count=lambda graph: triadic.triad_census(graph, threads=threads),
            numbers=lambda census: list(census.values()),
        ),
        Contender(
            "igraph",
            build=lambda: graphs.igraph_digraph(arcs),
            count=lambda graph: graph.triad_census(),
            # igraph returns floats, which are exact below 2**53.
            numbers=lambda census: [int(count) for count in census],
        ),
        Contender(
            "networkx",
            build=networkx_graph,
            count=networkx,
            numbers=lambda census: [census[name] for name in triadic.TRIAD_NAMES],
        ),
        Contender(
            "Batagelj-Mrvar, 1 thread",
            count=lambda _: batagelj_mrvar.census(arcs),
            numbers=lambda census: list(census.values()),
        ),
        Contender(
            f"Batagelj-Mrvar, {threads} queues",
            count=lambda _: batagelj_mrvar.queued_census(arcs, threads=threads),
            numbers=lambda census: list(census.values()),
        ),
    ]


@contextmanager
def _by_vertex(network: Network, settings: Settings):
    arcs, threads = network.load(settings), settings.threads
    yield [
        Contender(
            "triadic",
            build=lambda: graphs.triadic_digraph(arcs),
            count=lambda graph: triadic.triad_census(graph, threads=threads, by="vertex"),
            numbers=lambda by_vertex: by_vertex.sum(axis=0) // 3,
        ),
        Contender(
            _TOTAL,
            build=lambda: graphs.triadic_digraph(arcs),
            count=lambda graph: triadic.triad_census(graph, threads=threads),
            numbers=lambda census: list(census.values()),
        ),
    ]
