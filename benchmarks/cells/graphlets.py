"""The graphlet transform of every vertex: all sixteen graphlets, and the first five.

pyfglt is the C++ of the fast graphlet transform, called from Python. It always counts sixteen graphlets, on one thread,
and is compared with triadic's sixteen and with triadic's first five. The first five are also compared with the
algorithm of the paper "FGLT with CUDA", from `triadic_papers`.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import numpy as np

import graphs
import triadic
from contest import Cell, Contender, Goal, LeftOutError, Settings
from networks import Network, real, rmat
from triadic_papers import fglt

_NETWORKS = (
    real("facebook_combined.txt.gz"),
    real("soc-Slashdot0902.txt.gz"),
    real("ego-twitter.txt.gz"),
    real("web-NotreDame.txt.gz"),
    rmat(16),
    real("delaunay_n16.graph.gz"),
)
_PYFGLT = "pyfglt, all sixteen"


def cells():
    for network in _NETWORKS:
        yield Cell("graphlets", network.name, partial(_sixteen, network), {_PYFGLT: Goal(ratio=6)})
    for network in _NETWORKS:
        yield Cell("graphlets-first-five", network.name, partial(_five, network), {_PYFGLT: Goal(ratio=20)})


@contextmanager
def _sixteen(network: Network, settings: Settings):
    arcs, threads = network.load(settings), settings.threads
    yield [
        Contender(
            "triadic",
            build=lambda: graphs.triadic_graph(arcs),
            count=lambda graph: triadic.graphlet_transform(graph, threads=threads).net,
            numbers=lambda net: net,
        ),
        Contender(
            _PYFGLT, build=lambda: graphs.scipy_columns(arcs), count=_pyfglt, numbers=lambda frame: frame.to_numpy()
        ),
    ]


@contextmanager
def _five(network: Network, settings: Settings):
    arcs, threads = network.load(settings), settings.threads
    yield [
        Contender(
            "triadic",
            build=lambda: graphs.triadic_graph(arcs),
            count=lambda graph: triadic.graphlet_transform(graph, size=3, threads=threads).net,
            numbers=lambda net: net,
        ),
        Contender(
            _PYFGLT,
            build=lambda: graphs.scipy_columns(arcs),
            count=_pyfglt,
            numbers=lambda frame: np.ascontiguousarray(frame.to_numpy()[:, :5]),
        ),
        Contender(
            "FGLT with CUDA's algorithm",
            count=lambda _: fglt.first_five(arcs, threads=threads),
            numbers=lambda transform: transform.net,
        ),
    ]


def _pyfglt(matrix):
    try:
        from pyfglt import fglt as peer
    except ImportError:
        raise LeftOutError("not installed") from None

    return peer.compute(matrix)
