"""Small graphs, and thousands of them: single calls, batches, and loops over graphs.

A single call takes microseconds, so each run makes a thousand calls; the seconds of a run are then the milliseconds of
a call. Every library makes its graph from the form that it takes fastest: triadic and NetworKit from arrays, igraph
from a list of pairs; networkx has its graph already. Batches are made from arrays, as PyTorch Geometric holds them.
Peers count one graph after another, in a loop of Python; ORCA runs in a process for each graph, as it does where
generated graphs are judged, and must be on the path as ``orca``.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

import triadic
from contest import Cell, Contender, Goal, LeftOutError, Settings

_CALLS = 1000
_ATOMS = 25


_MICROSECONDS = {
    "from_edges": 35,
    "clustering": 30,
    "triangle_count": 20,
    "triad_census": 80,
    "graphlet_transform": 80,
}


def cells():
    for what, goal in _MICROSECONDS.items():
        yield Cell("small", f"karate-{what}", partial(_call, what), {"triadic": Goal(seconds=goal * _CALLS / 1e6)})
    yield Cell(
        "small", "karate", partial(_build_and_cluster, 34), {"networkx": Goal(ratio=10), "igraph": Goal(ratio=0.5)}
    )
    goals = {"igraph": Goal(ratio=1), "NetworKit": Goal(ratio=1)}
    yield Cell("small", "1000-vertices", partial(_build_and_cluster, 1000), goals)
    goals = {
        "triadic": Goal(seconds=0.01),
        "pyfglt, one by one": Goal(ratio=50),
        "ORCA, a process a graph": Goal(ratio=200),
    }
    yield Cell("small", "PROTEINS", partial(_batch, "PROTEINS"), goals)
    yield Cell("small", "NCI109", partial(_batch, "NCI109"), {"triadic": Goal(seconds=0.015)})
    yield Cell("small", "million-molecules", _molecules, {"triadic": Goal(seconds=6)})


def _karate():
    import networkx as nx

    graph = nx.Graph(list(nx.karate_club_graph().edges()))
    return graph, np.array(list(graph.edges()))


@contextmanager
def _call(what: str, _: Settings):
    _, pairs = _karate()
    source, target = (np.ascontiguousarray(ends) for ends in pairs.T)
    graph = triadic.Graph.from_edges(source, target, directed=what == "triad_census")
    calls = {
        "from_edges": lambda: triadic.Graph.from_edges(source, target),
        "clustering": lambda: triadic.clustering(graph),
        "triangle_count": lambda: triadic.triangle_count(graph),
        "triad_census": lambda: triadic.triad_census(graph),
        "graphlet_transform": lambda: triadic.graphlet_transform(graph),
    }
    yield [Contender("triadic", count=lambda _: _repeat(calls[what]))]


@contextmanager
def _build_and_cluster(vertices: int, _: Settings):
    import networkx as nx

    if vertices == 34:
        graph, pairs = _karate()
    else:
        graph = nx.gnm_random_graph(vertices, 5 * vertices, seed=1)
        pairs = np.array(list(graph.edges()))
    source, target = (np.ascontiguousarray(ends) for ends in pairs.T)
    listed = pairs.tolist()
    ends = (pairs[:, 0].astype(np.uint64), pairs[:, 1].astype(np.uint64))
    calls = 200 if vertices == 34 else 20

    def with_networkx(_: object):
        for _ in range(calls - 1):
            nx.clustering(graph)
        return nx.clustering(graph)

    yield [
        Contender(
            "triadic",
            count=lambda _: _repeat(lambda: triadic.clustering(triadic.Graph.from_edges(source, target)), calls),
        ),
        # Not the last, which triadic follows: NetworKit's threads spin for a while after a call.
        Contender("NetworKit", count=lambda _: _repeat(partial(_networkit, vertices, ends), calls), numbers=np.array),
        Contender("igraph", count=lambda _: _repeat(partial(_igraph, vertices, listed), calls), numbers=np.array),
        Contender("networkx", count=with_networkx, numbers=lambda found: np.array([found[v] for v in range(vertices)])),
    ]


@contextmanager
def _batch(name: str, settings: Settings):
    folder = settings.data / "batches" / name
    if not folder.is_dir():
        raise LeftOutError(f"no folder {folder}")
    arcs = np.loadtxt(folder / f"{name}_A.txt", delimiter=",", dtype=np.int64) - 1
    source, target = (np.ascontiguousarray(ends) for ends in arcs.T)
    graph_of_vertex = np.loadtxt(folder / f"{name}_graph_indicator.txt", dtype=np.int64) - 1
    graphs = list(triadic.GraphBatch.from_arrays(source, target, graph_of_vertex))
    threads = settings.threads
    yield [
        Contender(
            "triadic",
            build=lambda: triadic.GraphBatch.from_arrays(source, target, graph_of_vertex, threads=threads),
            count=lambda batch: triadic.graphlet_transform(batch, threads=threads),
            numbers=lambda transform: transform.net,
        ),
        Contender(
            "triadic, one by one",
            count=lambda _: [triadic.graphlet_transform(graph, threads=threads).net for graph in graphs],
            numbers=np.concatenate,
        ),
        Contender("pyfglt, one by one", count=lambda _: _pyfglt(graphs), numbers=np.concatenate),
        Contender("ORCA, a process a graph", count=lambda _: _orca(graphs), numbers=np.concatenate),
    ]


@contextmanager
def _molecules(settings: Settings):
    source, target, graph_of_vertex = molecules(1_000_000)
    threads = settings.threads
    yield [
        Contender(
            "triadic",
            build=lambda: triadic.GraphBatch.from_arrays(source, target, graph_of_vertex, threads=threads),
            count=lambda batch: triadic.graphlet_transform(batch, threads=threads),
            numbers=lambda transform: np.array(transform.raw_sums),
        )
    ]


def molecules(graphs: int):
    """Make graphs like molecules: trees of 25 atoms that seldom branch, and up to three rings of five or six."""
    random = np.random.default_rng(1)
    first = (np.arange(graphs) * _ATOMS)[:, None]
    atom = np.arange(1, _ATOMS)
    parent = np.maximum(atom - 1 - random.integers(0, 3, (graphs, _ATOMS - 1), dtype=np.int8), 0)
    ring = random.integers(0, _ATOMS - 6, (graphs, 3), dtype=np.int8).astype(np.int64)
    across = ring + 4 + random.integers(0, 2, (graphs, 3), dtype=np.int8)
    a = np.concatenate([(first + parent).ravel(), (first + ring).ravel()])
    b = np.concatenate([np.broadcast_to(first + atom, (graphs, _ATOMS - 1)).ravel(), (first + across).ravel()])
    source, target = np.concatenate([a, b]), np.concatenate([b, a])
    order = np.argsort(source, kind="stable")
    return source[order], target[order], np.repeat(np.arange(graphs), _ATOMS)


def _repeat(call, times=_CALLS):
    for _ in range(times - 1):
        call()
    return call()


def _igraph(vertices, pairs):
    try:
        import igraph
    except ImportError:
        raise LeftOutError("not installed") from None
    return igraph.Graph(vertices, pairs).transitivity_local_undirected(mode="zero")


def _networkit(vertices, ends):
    try:
        import networkit
    except ImportError:
        raise LeftOutError("not installed") from None
    graph = networkit.Graph(vertices)
    graph.addEdges(ends)
    return networkit.centrality.LocalClusteringCoefficient(graph, turbo=True).run().scores()


def _pyfglt(graphs):
    try:
        from pyfglt import fglt
    except ImportError:
        raise LeftOutError("not installed") from None
    from scipy.sparse import csc_matrix

    return [fglt.compute(csc_matrix(graph.to_scipy().astype(np.float64))).to_numpy() for graph in graphs]


def _orca(graphs):
    orca = shutil.which("orca")
    if orca is None:
        raise LeftOutError("not on the path")
    return [_orbits_of_orca(orca, graph) for graph in graphs]


def _orbits_of_orca(orca: str, graph: triadic.Graph):
    """Return the net frequencies that ORCA counts in a process of its own, in the order of the graphlet transform."""
    from triadic.core.graphlets import ORBITS

    with tempfile.TemporaryDirectory() as folder:
        network, counted = Path(folder) / "graph.in", Path(folder) / "graph.out"
        source, target = graph.edges()
        lines = [f"{graph.num_vertices} {graph.num_edges}", *(f"{u} {v}" for u, v in zip(source, target, strict=True))]
        network.write_text("\n".join(lines) + "\n", encoding="ascii")
        subprocess.run([orca, "node", "4", network, counted], check=True, capture_output=True)
        orbits = np.loadtxt(counted, dtype=np.int64, ndmin=2)
    net = np.ones((graph.num_vertices, 16), dtype=np.int64)
    net[:, ORBITS] = orbits
    return net
