"""Significance of triads compared with one census of igraph, and switching of edges compared with networkx and bctpy.

igraph has no null model that keeps mutual degrees, so the time of a hundred random networks and their censuses is
compared with the time of one census of igraph. networkx and bctpy count only switches that succeed, and draw again
after others. So triadic makes as many successful switches as they do: for bctpy ten for each arc of a connectome, as
``randmio_dir(matrix, 10)`` does, which are 12.5 proposals an arc, a fifth of which is rejected.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import graphs
import triadic
from contest import Cell, Contender, Goal, LeftOutError, Settings
from networks import Network, real
from triadic.measures.significance.significance import significance
from triadic.null_models.switching import Switching

_SAMPLES, _SEED, _SWITCHES_PER_ARC, _PROPOSALS_PER_SWITCH = 100, 1, 10, 1.25
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
    yield Cell("switching", "connectome of 300", _connectome, {"bctpy": Goal(ratio=500)})


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


@contextmanager
def _connectome(_: Settings):
    """Rewire each arc ten times, on one thread, from the graph or the matrix to the graph or the matrix."""
    graph = triadic.generate.connectome(300, 3000, types=10, seed=_SEED).graph
    matrix = graph.to_scipy().toarray()

    def switch(_):
        steps = int(_PROPOSALS_PER_SWITCH * _SWITCHES_PER_ARC * graph.num_arcs)
        return triadic.randomize(graph, null="degrees", steps=steps, seed=_SEED, threads=1)

    def bctpy(_):
        try:
            import bct
        except ImportError as error:
            raise LeftOutError("bctpy is not installed") from error
        return bct.randmio_dir(matrix, _SWITCHES_PER_ARC, seed=_SEED)

    yield [Contender("triadic", count=switch), Contender("bctpy", count=bctpy)]
