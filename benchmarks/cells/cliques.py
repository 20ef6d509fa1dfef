"""Cliques and simplices of every size: counted by triadic, and simplices by pyflagser, of which cliques are no part."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import graphs
import triadic
from contest import Cell, Contender, Goal, LeftOutError, Settings
from networks import Network, real

_NETWORKS = [real(name) for name in ("soc-Slashdot0902.txt.gz", "cnr-2000.tsv.gz")]
_NEURONS = {2000: (60_000, 10), 30_000: (600_000, 20)}  # arcs, and the goal beside pyflagser


def cells():
    for network in _NETWORKS:
        yield Cell("cliques", f"{network.name}, cliques of all sizes", partial(_cliques, network), {})
    for neurons, (arcs, ratio) in _NEURONS.items():
        name = f"connectome of {neurons:,} neurons, simplices"
        yield Cell("cliques", name, partial(_simplices, neurons, arcs), {"pyflagser": Goal(ratio=ratio)})


@contextmanager
def _cliques(network: Network, settings: Settings):
    graph = graphs.triadic_graph(network.load(settings))
    yield [
        Contender("triadic", count=lambda _: sum(triadic.count(graph, "cliques", threads=settings.threads).values())),
        Contender(
            "triadic, by vertex, up to 10",
            count=lambda _: triadic.count(graph, "cliques", by="vertex", size=(1, 10), threads=settings.threads),
            numbers=lambda _: sum(triadic.count(graph, "cliques", threads=settings.threads).values()),
        ),
    ]


@contextmanager
def _simplices(neurons: int, arcs: int, settings: Settings):
    graph = triadic.generate.connectome(neurons, arcs, types=3, seed=1).graph

    def flagser(_):
        try:
            import pyflagser
        except ImportError:
            raise LeftOutError("not installed") from None
        matrix = graph.to_scipy().astype(bool).astype(float).tocoo()
        return int(sum(pyflagser.flagser_count_unweighted(matrix, directed=True)))

    yield [
        Contender("triadic", count=lambda _: sum(triadic.count(graph, "simplices", threads=settings.threads).values())),
        Contender("pyflagser", count=flagser),
    ]
