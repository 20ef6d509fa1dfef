"""Calls of networkx on a networkx graph, with and without ``backend="triadic"``; the time includes the conversion.

The networkx graph exists before the clock starts, as in a user's program. A *first* call finds networkx's cache empty
and converts the graph. A *second* call finds the converted graph in the cache, with the counts of the first call.
Libraries with a graph of their own convert the same networkx graph, too. A call on the karate club takes microseconds:
each run of these cells makes a thousand calls.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

from contest import Cell, Contender, Goal, LeftOutError, Settings
from networks import Network, real, rmat
from triadic.io import read_arcs

_FACEBOOK, _WIKI_VOTE = real("facebook_combined.txt.gz"), real("wiki-Vote.txt.gz")
_PRETTY_GOOD = real("PGPgiantcompo.graph.gz")
_WORMS, _LARGE = "celegansneural", rmat(16)
# networkx walks each pair of neighbours of each vertex in Python, which takes minutes if hubs have thousands.
_MOST_ARCS_FOR_NETWORKX = 400_000
_CALLS = 1000  # on the karate club, in each run


def cells():
    first, second = {"networkx": Goal(ratio=20)}, {"networkx": Goal(ratio=200)}
    yield Cell("networkx-clustering", "facebook_combined, first call", partial(_clustering, _FACEBOOK, True), first)
    yield Cell("networkx-clustering", "facebook_combined, second call", partial(_clustering, _FACEBOOK, False), second)
    yield Cell("networkx-squares", "PGPgiantcompo, first call", partial(_squares, _PRETTY_GOOD))
    for function in ("clustering", "triangles", "transitivity"):
        goals = (Goal(ratio=1), Goal(ratio=5)) if function == "clustering" else (None, None)
        for place, goal in zip(("first", "second"), goals, strict=True):
            what = f"karate club, {_CALLS} {place} calls"
            job = partial(_karate_club, function, place == "first")
            yield Cell(f"networkx-{function}", what, job, {} if goal is None else {"networkx": goal})
    for weight in (None, "weight"):
        for directed in (False, True):
            if weight is None and not directed:
                continue
            kind = " ".join([*(["directed"] if directed else []), *(["weighted"] if weight else [])])
            for network in (Network(_WORMS, _worms), Network(_LARGE.name, _weighted_rmat)):
                what = f"{network.name}, {kind}, first call"
                yield Cell("networkx-clustering", what, partial(_variant, network, directed, weight))
    goal = {"networkx": Goal(ratio=200)}
    yield Cell("networkx-census", "wiki-Vote, first call", partial(_census, _WIKI_VOTE), goal)


@contextmanager
def _clustering(network: Network, first: bool, settings: Settings):
    import networkx as nx

    graph = _prepared(nx.Graph, network, settings)
    yield [
        _ours(lambda: nx.clustering(graph, backend="triadic"), graph, first=first),
        Contender("networkx", count=lambda _: nx.clustering(graph, backend="networkx"), numbers=_values),
        Contender(
            "igraph",
            count=lambda _: _igraph(graph).transitivity_local_undirected(mode="zero"),
            numbers=lambda coefficients: coefficients,
        ),
        Contender("nx-parallel", count=lambda _: _parallel(nx.clustering, "clustering", graph), numbers=_values),
    ]


@contextmanager
def _karate_club(function: str, first: bool, _settings: Settings):
    import networkx as nx

    nx.config.warnings_to_ignore.add("cache")
    graph, call = nx.karate_club_graph(), getattr(nx, function)

    def triadic_calls(_):
        for _ in range(_CALLS):
            if first:
                graph.__networkx_cache__.clear()
            value = call(graph, backend="triadic")
        return value

    def networkx_calls(_):
        for _ in range(_CALLS):
            value = call(graph, backend="networkx")
        return value

    def numbers(value):
        return _values(value) if isinstance(value, dict) else [value]

    yield [
        Contender("triadic", count=triadic_calls, numbers=numbers),
        Contender("networkx", count=networkx_calls, numbers=numbers),
    ]


@contextmanager
def _squares(network: Network, settings: Settings):
    import networkx as nx

    graph = _prepared(nx.Graph, network, settings)
    yield [
        _ours(lambda: nx.square_clustering(graph, backend="triadic"), graph, first=True),
        Contender("networkx", count=lambda _: nx.square_clustering(graph, backend="networkx"), numbers=_values),
        Contender(
            "nx-parallel",
            count=lambda _: _parallel(nx.square_clustering, "square_clustering", graph),
            numbers=_values,
        ),
    ]


@contextmanager
def _variant(network: Network, directed: bool, weight: str | None, settings: Settings):
    import networkx as nx

    graph = _prepared(nx.DiGraph if directed else nx.Graph, network, settings)

    def networkx(_):
        if graph.number_of_edges() > _MOST_ARCS_FOR_NETWORKX:
            raise LeftOutError(f"more than {_MOST_ARCS_FOR_NETWORKX:,} edges take many minutes")
        return nx.clustering(graph, weight=weight, backend="networkx")

    yield [
        _ours(lambda: nx.clustering(graph, weight=weight, backend="triadic"), graph, first=True),
        Contender("networkx", count=networkx, numbers=_values),
    ]


@contextmanager
def _census(network: Network, settings: Settings):
    import networkx as nx

    graph = _prepared(nx.DiGraph, network, settings)
    yield [
        _ours(lambda: nx.triadic_census(graph, backend="triadic"), graph, first=True),
        Contender("networkx", count=lambda _: nx.triadic_census(graph, backend="networkx"), numbers=_values),
        Contender(
            "igraph", count=lambda _: _igraph(graph).triad_census(), numbers=lambda census: list(map(int, census))
        ),
    ]


def _ours(call, graph, *, first: bool) -> Contender:
    def count(_):
        if first:
            graph.__networkx_cache__.clear()
        return call()

    return Contender("triadic", count=count, numbers=_values)


def _values(by_node):
    return list(by_node.values())


def _igraph(graph):
    try:
        import igraph
    except ImportError:
        raise LeftOutError("not installed") from None
    return igraph.Graph.from_networkx(graph)


def _parallel(function, name: str, graph):
    import networkx as nx

    if "parallel" not in nx.config.backends:
        raise LeftOutError("not installed")
    if "parallel" not in function.backends:
        raise LeftOutError(f"has no function {name}")
    try:
        return function(graph, backend="parallel")
    except ImportError as error:  # it imports private functions of one release of networkx
        raise LeftOutError(f"does not load with networkx {nx.__version__}: {error.name or error}") from error


def _prepared(kind, network: Network, settings: Settings):
    import networkx as nx

    arcs = network.load(settings)
    nx.config.warnings_to_ignore.add("cache")
    graph = kind()
    graph.add_nodes_from(range(arcs.vertices))
    pairs = zip(arcs.source.tolist(), arcs.target.tolist(), strict=True)
    if arcs.weights is None:
        graph.add_edges_from(pairs)
    else:
        ends = zip(pairs, arcs.weights.tolist(), strict=True)
        graph.add_weighted_edges_from((u, v, weight) for (u, v), weight in ends)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


def _worms(settings: Settings):
    path = settings.data / f"{_WORMS}.gml.gz"
    if not path.exists():
        raise LeftOutError(f"{path} does not exist; TRIADIC_DATA names another folder of networks")
    return read_arcs(path, weights=True)


def _weighted_rmat(settings: Settings):
    from dataclasses import replace

    arcs = _LARGE.load(settings)
    return replace(arcs, weights=1.0 + (arcs.source + 3 * arcs.target) % 7)
