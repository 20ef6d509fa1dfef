"""Estimates with intervals, beside exact counts and beside the approximations of other libraries.

networkx and NetworKit return a number without an interval. They make as many trials as an interval of the same width
takes with random wedges around vertices, by the normal approximation and the exact value. NetworKit also takes its
number of trials from an error and a probability by Hoeffding's bound.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from math import ceil

import graphs
import triadic
from contest import Cell, Contender, Goal, LeftOutError, Settings
from networks import Network, real, rmat

_SEED, _Z = 1, 1.96
# R-MAT 26 takes 40 GB while it is made.
_TRANSITIVITY = ((rmat(18), None), (rmat(22), 0.1), (rmat(26), 1.0), (real("web-NotreDame.txt.gz"), None))
_MOST_ARCS_FOR_EXACT = 100_000_000


def cells():
    for network, seconds in _TRANSITIVITY:
        goals = {} if seconds is None else {"triadic": Goal(seconds=seconds)}
        yield Cell("estimates", f"transitivity within 1%, {network.name}", partial(_transitivity, network), goals)
    for network in (real("facebook_combined.txt.gz"), rmat(18), real("web-NotreDame.txt.gz")):
        yield Cell("estimates", f"average clustering within 1%, {network.name}", partial(_average, network))
    for network, seconds in ((rmat(18), None), (rmat(20), 1.0)):
        goals = {} if seconds is None else {"triadic": Goal(seconds=seconds)}
        yield Cell("estimates", f"graphlets of four vertices within 5%, {network.name}", partial(_four, network), goals)


@contextmanager
def _transitivity(network: Network, settings: Settings):
    """From a graph in memory that has been oriented, as after any other measure."""
    arcs = network.load(settings)
    graph = graphs.triadic_graph(arcs)
    graph.oriented()

    def exact(_):
        if len(arcs) > _MOST_ARCS_FOR_EXACT:
            raise LeftOutError("takes minutes")
        return triadic.transitivity(graph, threads=settings.threads)

    networkit = {}

    def by_networkit(_):
        if len(arcs) > _MOST_ARCS_FOR_EXACT:
            raise LeftOutError("takes tens of GB")
        if not networkit:
            networkit["graph"] = graphs.networkit_graph(arcs, threads=settings.threads)
            networkit["trials"] = _trials(triadic.transitivity(graph, threads=settings.threads), 0.01)
        from networkit.globals import ClusteringCoefficient

        return ClusteringCoefficient.approxGlobal(networkit["graph"], networkit["trials"])

    yield [
        Contender("triadic", count=partial(_estimate, graph, "transitivity", 0.01, settings.threads)),
        Contender("triadic, exact", count=exact),
        Contender("NetworKit, as many trials", count=by_networkit),
    ]


def _trials(share: float, within: float) -> int:
    """Return the number of trials for an interval of half this width, relative to the share of trials that count."""
    return ceil(_Z * _Z * (1 - share) / (within * within * share))


@contextmanager
def _average(network: Network, settings: Settings):
    arcs = network.load(settings)
    graph = graphs.triadic_graph(arcs)
    graph.oriented()
    value = triadic.average_clustering(graph, threads=settings.threads)
    trials = _trials(value, 0.01)
    # Hoeffding's number of trials, ln(2 / probability) / (2 error²), for an error of 1%.
    error = 0.01 * value
    others = {"networkx": None, "networkit": None}

    def networkx(_):
        import networkx as nx

        others["networkx"] = others["networkx"] or graphs.networkx_graph(arcs)
        return nx.approximation.average_clustering(others["networkx"], trials=trials, seed=_SEED)

    def networkit(_):
        others["networkit"] = others["networkit"] or graphs.networkit_graph(arcs, threads=settings.threads)
        from networkit.globals import ClusteringCoefficient

        return ClusteringCoefficient.approxAvgLocal(others["networkit"], trials)

    def networkit_by_error(_):
        others["networkit"] = others["networkit"] or graphs.networkit_graph(arcs, threads=settings.threads)
        import networkit as nk

        return nk.globals.clustering(others["networkit"], error)

    yield [
        Contender("triadic", count=partial(_estimate, graph, "average_clustering", 0.01, settings.threads)),
        Contender("triadic, exact", count=lambda _: triadic.average_clustering(graph, threads=settings.threads)),
        Contender("networkx, as many trials", count=networkx),
        Contender("NetworKit, as many trials", count=networkit),
        Contender("NetworKit, error 1%", count=networkit_by_error),
    ]


@contextmanager
def _four(network: Network, settings: Settings):
    graph = graphs.triadic_graph(network.load(settings))
    graph.oriented()
    yield [
        Contender("triadic", count=partial(_estimate, graph, "graphlets", 0.05, settings.threads)),
        Contender("triadic, exact", count=lambda _: triadic.graphlet_transform(graph, threads=settings.threads).totals),
    ]


def _estimate(graph, of, within, threads, _):
    found = triadic.estimate(graph, of=of, error=within, seed=_SEED, threads=threads)
    if found.stopped:
        raise LeftOutError(found.note)
    return found
