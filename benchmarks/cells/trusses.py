"""The k-truss, and the trussness of every edge. networkx has k-trusses only, igraph 1.0 and NetworKit 11.2 neither.

PKT (Kabir and Madduri 2017) is a C++ program that must be on the path as ``PKT.exe``. Build it with ``g++ -fopenmp -O3
-march=native -DTIME_RESULTS=1``, with ``PKT_marking``, the faster of its ways, in place of ``PKT_intersection`` at the
end of ``main``. It reads its network from a text file, measures itself, and prints the least and the largest truss
with their numbers of edges, which are compared. Counting supports is part of both times.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

import graphs
import triadic
from contest import Cell, Contender, Goal, LeftOutError, Settings
from networks import NETWORKS, Network

_K = 10
_PKT = "PKT.exe"
_TOOK = re.compile(r"PKT-\S*[Tt]ime\S*: +(\S+)")
_TRUSS = re.compile(r"(?:Min|Max)-truss: (\d+)\n#Edges in (?:Min|Max)-truss: (\d+)")
_GOALS = {"rmat-18": {"triadic": Goal(seconds=2)}}


def cells():
    for network in NETWORKS:
        yield Cell("k-truss", network.name, partial(_k_truss, network))
    for network in NETWORKS:
        yield Cell("trussness", network.name, partial(_trussness, network), _GOALS.get(network.name, {}))


@contextmanager
def _k_truss(network: Network, settings: Settings):
    arcs, threads = network.load(settings), settings.threads

    def networkx(graph):
        import networkx as nx

        return nx.k_truss(graph, _K)

    yield [
        Contender(
            "triadic",
            build=lambda: graphs.triadic_graph(arcs),
            count=lambda graph: triadic.k_truss(graph, _K, threads=threads),
            numbers=lambda truss: _edges(*(truss.labels[end] for end in truss.edges())),
        ),
        Contender(
            "networkx",
            build=lambda: graphs.networkx_graph(arcs),
            count=networkx,
            numbers=lambda truss: _edges(*np.array(truss.edges).reshape(-1, 2).T),
        ),
    ]


@contextmanager
def _trussness(network: Network, settings: Settings):
    arcs, threads = network.load(settings), settings.threads
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "graph.txt"

        def pkt(graph):
            if shutil.which(_PKT) is None:
                raise LeftOutError("not on the path")
            if not file.exists():
                lines = [f"{graph.num_vertices} {graph.num_edges}"]
                lines += [f"{u} {v}" for u, v in zip(*(ends.tolist() for ends in graph.edges()), strict=True)]
                file.write_text("\n".join(lines) + "\n", encoding="ascii")
            environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
            return subprocess.run([_PKT, file], check=True, capture_output=True, text=True, env=environment).stdout

        yield [
            Contender(
                "triadic",
                build=lambda: graphs.triadic_graph(arcs),
                count=lambda graph: triadic.trussness(graph, threads=threads),
                numbers=lambda trussness: np.array([_at(trussness, trussness.min()), _at(trussness, trussness.max())]),
            ),
            Contender(
                "PKT",
                build=lambda: graphs.triadic_graph(arcs),
                count=pkt,
                seconds=_seconds,
                numbers=lambda printed: np.array(_TRUSS.findall(printed), dtype=np.int64),
            ),
        ]


def _seconds(printed: str) -> float:
    found = _TOOK.search(printed)
    if found is None:
        raise LeftOutError(f"{_PKT} does not print its time: see benchmarks/cells/trusses.py")
    return float(found[1])


def _at(trussness, value):
    """Return a value and the number of edges that have it."""
    return value, np.count_nonzero(trussness == value)


def _edges(source, target):
    """Return the edges in order as one array, the lower end first."""
    low, high = np.minimum(source, target), np.maximum(source, target)
    order = np.lexsort((high, low))
    return np.stack([low[order], high[order]])
