"""Patterns: small subgraphs given as text, counted by triadic, and matched one by one by igraph and GrandIso.

igraph and GrandIso count embeddings, which are divided by the automorphisms of the pattern. Both list the matches one
after another, so that they get the patterns that they finish in about a minute. Executors of DotMotif get the same
motif and are made beforehand of the same networkx graph.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import graphs
import triadic
from contest import Cell, Contender, Goal, LeftOutError, Settings
from networks import Network, real

_VOTES = real("wiki-Vote.txt.gz")
_WORM = real("connectome_herm_chem_edgelist.csv")
_SLASHDOT = real("soc-Slashdot0902.txt.gz")
_LOOP = "A -> B; B -> C; A -> C"
_DIRECTED = {"feed-forward loop": (_LOOP, 0.007), "bifan": ("A -> C; A -> D; B -> C; B -> D", 0.025)}
_UNDIRECTED = {
    "square": ("A - B; B - C; C - D; D - A", 0.06),
    "diamond": ("A - B; B - C; C - D; D - A; A - C", 0.025),
    "bull": ("A - B; B - C; C - A; A - D; B - E", 0.03),
    "clique of five": ("; ".join(f"{a} - {b}" for i, a in enumerate("ABCDE") for b in "ABCDE"[i + 1 :]), 0.05),
    "house": ("A - B; B - C; C - D; D - A; A - E; B - E", 0.3),
    "pentagon": ("A - B; B - C; C - D; D - E; E - A", 0.5),
    "hexagon": ("A - B; B - C; C - D; D - E; E - F; F - A", 4.0),
}
_TYPED = {
    "feed-forward loop of three types": (f"{_LOOP}; A.type = 3; B.type = 14; C.type = 15", 0.02),
    "bifan of four types": (
        "A -> C; A -> D; B -> C; B -> D; A.type = 3; B.type = 14; C.type = 15; D.type = 92",
        0.02,
    ),
}
# Others list 4.5 million feed-forward loops in seconds, and bifans and larger patterns in hours.
_FOR_OTHERS = "feed-forward loop"
_BY_VERTEX, _RATIO = "triadic, by vertex", 2.5
_FROM_NETWORKX, _GRANDISO = "triadic, from networkx", "GrandIsoExecutor"


def cells():
    for what, (text, seconds) in _DIRECTED.items():
        goals = {"triadic": Goal(seconds=seconds), _BY_VERTEX: Goal(ratio=1 / _RATIO)}
        if what == _FOR_OTHERS:
            goals |= {"igraph": Goal(ratio=500), "GrandIso": Goal(ratio=2000)}
        yield Cell("patterns", f"{_VOTES.name}, {what}", partial(_count, _VOTES, text, what, True), goals)
    for what, (text, seconds) in _UNDIRECTED.items():
        goals = {"triadic": Goal(seconds=seconds), _BY_VERTEX: Goal(ratio=1 / 3)}
        yield Cell("patterns", f"{_SLASHDOT.name}, {what}", partial(_count, _SLASHDOT, text, what, False), goals)
    for what, (text, seconds) in _TYPED.items():
        yield Cell("patterns", f"connectome, {what}", partial(_typed, text), {"triadic": Goal(seconds=seconds)})
    for network, ratio in ((_WORM, 100), (_VOTES, 1000)):
        goals = {_GRANDISO: Goal(ratio=ratio)}
        yield Cell("patterns", f"{network.name}, {_FOR_OTHERS} of DotMotif", partial(_dotmotif, network), goals)
    yield Cell("patterns", "connectome, feed-forward loops of all types", _all_types, {"triadic": Goal(seconds=0.5)})


@contextmanager
def _count(network: Network, text: str, what: str, directed: bool, settings: Settings):
    arcs, threads = network.load(settings), settings.threads
    pattern = triadic.Pattern(text)
    graph = graphs.triadic_digraph(arcs) if directed else graphs.triadic_graph(arcs)

    def igraph(_):
        if what != _FOR_OTHERS:
            raise LeftOutError(f"lists matches one by one; it counts the {_FOR_OTHERS}")
        import igraph as ig

        small = ig.Graph(pattern.arcs, directed=True)
        return graphs.igraph_digraph(arcs).count_subisomorphisms_vf2(small) // pattern.automorphisms

    def grandiso(_):
        if what != _FOR_OTHERS:
            raise LeftOutError(f"lists matches one by one; it counts the {_FOR_OTHERS}")
        try:
            import grandiso
        except ImportError:
            raise LeftOutError("not installed") from None
        import networkx as nx

        return grandiso.find_motifs(nx.DiGraph(pattern.arcs), graphs.networkx_digraph(arcs), count_only=True)

    yield [
        Contender("triadic", count=lambda _: triadic.count(graph, pattern, threads=threads)),
        Contender(
            _BY_VERTEX,
            count=lambda _: triadic.count(graph, pattern, by="vertex", threads=threads),
            numbers=lambda table: int(table[pattern.roles[0]].sum()) // pattern.orbit_of.count(0),
        ),
        Contender("igraph", count=igraph),
        Contender("GrandIso", count=grandiso),
    ]


@contextmanager
def _dotmotif(network: Network, settings: Settings):
    try:
        from dotmotif import GrandIsoExecutor, Motif
    except ImportError:
        raise LeftOutError("DotMotif is not installed") from None
    from triadic.dotmotif import TriadicExecutor

    motif, host, threads = Motif(_LOOP), graphs.networkx_digraph(network.load(settings)), settings.threads
    ours, theirs = TriadicExecutor(host, threads=threads), GrandIsoExecutor(graph=host)
    yield [
        Contender("triadic", count=lambda _: ours.count(motif)),
        Contender(
            _FROM_NETWORKX,
            build=lambda: TriadicExecutor(host, threads=threads),
            count=lambda executor: executor.count(motif),
        ),
        Contender(_GRANDISO, count=lambda _: theirs.count(motif)),
    ]


def _connectome():
    """Return a network of the size of FlyWire's, with 100 types of vertices."""
    made = triadic.generate.connectome(types=100, seed=1)
    return made.graph.with_vertices({"type": made.types})


@contextmanager
def _typed(text: str, settings: Settings):
    graph = _connectome()
    yield [Contender("triadic", count=lambda _: triadic.count(graph, text, threads=settings.threads))]


@contextmanager
def _all_types(settings: Settings):
    graph = _connectome()
    yield [
        Contender(
            "triadic",
            count=lambda _: triadic.count(graph, _LOOP, by="type", types="type", threads=settings.threads),
            numbers=lambda table: int(table["count"].sum()),
        )
    ]
