"""Significance of triads compared with one census of igraph, and switching of edges compared with networkx.

igraph has no null model that keeps mutual degrees, so the time of a hundred random networks and their censuses is
compared with the time of one census of igraph. networkx counts only switches that succeed, so triadic makes as many
such switches.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import graphs
import triadic
from contest import Cell, Contender, Goal, Settings
from networks import Network, real
from triadic.measures.significance import significance
from triadic.null_models.switching import Switching

_SAMPLES, _SEED = 100, 1
_ONE_CENSUS = "igraph, one census"


def cells():
    yield Cell(
        "significance",
        "eatSR",
        partial(_significance, real("eatSR.net.gz")),
        {_ONE_CENSUS: Goal(ratio=1 / 15)},
    )
    yield Cell(
        "switching",
        "facebook_combined",
        partial(_switching, real("facebook_combined.txt.gz")),
        {"networkx": Goal(ratio=50)},
    )


@contextmanager
def _significance(network: Network, settings: Settings):
    arcs, threads = network.load(settings), settings.threads
    yield [
        Contender(
            "triadic",
            build=lambda: graphs.triadic_digraph(arcs),
            count=lambda graph: significance(graph, samples=_SAMPLES, seed=_SEED, threads=threads),
            numbers=lambda result: list(result.counts),
        ),
        Contender(
            _ONE_CENSUS,
            build=lambda: graphs.igraph_digraph(arcs),
            count=lambda graph: graph.triad_census(),
            numbers=lambda census: [int(count) for count in census],
        ),
    ]


@contextmanager
def _switching(network: Network, settings: Settings):
    """Make as many switches as the graph has edges, on one thread; building the graph is not timed."""
    arcs = network.load(settings)
    graph = triadic.Graph.from_arcs(arcs, directed=False)
    switches, walk = graph.num_edges, Switching.of(graph, mutual=False).walk(_SEED)
    other = graphs.networkx_graph(arcs)

    def switch(_):
        done = 0
        while done < switches:
            done += walk.go(1 << 12)

    def networkx(_):
        import networkx as nx

        nx.double_edge_swap(other, nswap=switches, max_tries=100 * switches, seed=_SEED)

    yield [Contender("triadic", count=switch), Contender("networkx", count=networkx)]
