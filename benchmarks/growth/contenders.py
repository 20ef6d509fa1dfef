"""The four counts, and the libraries that do each: from two arrays of vertex numbers to the result in NumPy or Python.

triadic runs on one core, on two cores and on a card, where the arrays are on the card already; directed graphs are made
on the host. NetworKit runs on two cores. igraph, networkx and pyfglt have one thread. No other library has all sixteen
graphlets but pyfglt, and NetworKit has no triad census.
"""

from __future__ import annotations

from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

import graphs
import triadic
from contest import Contender, LeftOutError

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.arcs import Arcs

ONE_CORE, TWO_CORES, ONE_CARD = "triadic, one core", "triadic, two cores", "triadic, one card"
OURS = (ONE_CORE, TWO_CORES, ONE_CARD)
PEERS = ("NetworKit, two cores", "igraph", "networkx", "pyfglt")
NETWORKIT, IGRAPH, NETWORKX, PYFGLT = PEERS
MEASURES = ("total", "clustering", "census", "graphlets")
_CORES = {ONE_CORE: 1, TWO_CORES: 2}
_PEERS_OF = {
    "total": (NETWORKIT, IGRAPH, NETWORKX),
    "clustering": (NETWORKIT, IGRAPH, NETWORKX),
    "census": (IGRAPH, NETWORKX),
    "graphlets": (PYFGLT,),
}
_COUNTS: dict[str, Callable[..., Any]] = {
    "total": triadic.triangle_count,
    "clustering": triadic.clustering,
    "census": triadic.triad_census,
    "graphlets": lambda graph, **options: triadic.graphlet_transform(graph, **options).net,
}


def names(measure: str) -> tuple[str, ...]:
    """Return the names of all contenders of a count, triadic first."""
    return OURS + _PEERS_OF[measure]


def reads_card(measure: str, name: str) -> bool:
    """Return whether a contender starts from arrays on the card; all others start from arrays on the host."""
    return name == ONE_CARD and measure != "census"


def contender(measure: str, name: str, arcs: Arcs, device: str) -> Contender:
    """Return a contender of a count; `arcs` is where `reads_card` says, `device` is the card."""
    if name in OURS:
        return _ours(measure, name, arcs, device)
    build, count = _peer(measure, name, arcs)
    return Contender(name, build=build, count=count, numbers=_numbers(measure, name, arcs))


def _ours(measure: str, name: str, arcs: Arcs, device: str) -> Contender:
    options = {"device": device} if name == ONE_CARD else {"device": "cpu", "threads": _CORES[name]}

    def build():
        return triadic.Graph.from_edges(
            arcs.source,
            arcs.target,
            num_vertices=arcs.vertices,
            directed=measure == "census",
            threads=_CORES.get(name, 2),
        )

    return Contender(name, build=build, count=partial(_COUNTS[measure], **options), numbers=_ARRAYS[measure])


def _peer(measure: str, name: str, arcs: Arcs) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
    if name == NETWORKIT:
        return partial(graphs.networkit_graph, arcs, threads=2), _networkit
    if name == PYFGLT:
        return partial(graphs.scipy_columns, arcs), _pyfglt
    if name == IGRAPH:
        make = graphs.igraph_digraph if measure == "census" else graphs.igraph_graph
        return partial(make, arcs), _IGRAPH[measure]
    make = graphs.networkx_digraph if measure == "census" else partial(graphs.networkx_graph, most=inf)
    return partial(make, arcs), partial(_networkx, measure)


def _networkit(graph):
    from networkit.centrality import LocalClusteringCoefficient

    return LocalClusteringCoefficient(graph, turbo=True).run().scores()


def _networkx(measure: str, graph):
    import networkx as nx

    return {"total": nx.triangles, "clustering": nx.clustering, "census": nx.triadic_census}[measure](graph)


def _pyfglt(matrix):
    try:
        from pyfglt import fglt
    except ImportError as error:
        raise LeftOutError(f"{error.name} is not installed") from None

    return fglt.compute(matrix)


_IGRAPH: dict[str, Callable[[Any], Any]] = {
    "total": lambda graph: graph.transitivity_undirected(),
    "clustering": lambda graph: graph.transitivity_local_undirected(mode="zero"),
    "census": lambda graph: graph.triad_census(),
}
_ARRAYS: dict[str, Callable[[Any], Any]] = {
    "total": lambda triangles: triangles,
    "clustering": lambda coefficients: coefficients,
    "census": lambda census: list(census.values()),
    "graphlets": lambda net: net,
}


def _numbers(measure: str, name: str, arcs: Arcs) -> Callable[[Any], Any]:
    """Return a function that converts the result of a peer to the numbers of triadic."""

    def pairs():
        degree = graphs.simple_degrees(arcs)
        return degree * (degree - 1) // 2

    of_total = {
        NETWORKIT: lambda scores: round(float(np.rint(np.asarray(scores) * pairs()).sum()) / 3),
        IGRAPH: lambda transitivity: round(transitivity * int(pairs().sum()) / 3),
        NETWORKX: lambda by_vertex: sum(by_vertex.values()) // 3,
    }
    if measure == "total":
        return of_total[name]
    if measure == "census":
        # igraph returns floats, which are exact below 2**53.
        return (lambda census: [int(count) for count in census]) if name == IGRAPH else _in_order
    if name == NETWORKX:
        return lambda by_vertex: [by_vertex[v] for v in range(arcs.vertices)]
    return (lambda frame: frame.to_numpy()) if name == PYFGLT else (lambda scores: scores)


def _in_order(census: dict[str, int]) -> list[int]:
    return [census[name] for name in triadic.TRIAD_NAMES]
