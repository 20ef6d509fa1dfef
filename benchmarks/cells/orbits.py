"""The orbits of graphlets of up to five vertices, at every vertex and at every edge.

ORCA is a C++ program on one thread, started for each count, that reads its network from a text file and writes the
orbits to another; both are part of its time, making its file is not. It must be on the path as ``orca``. On the
interactomes it takes more than ten minutes, on the largest network hours, so there triadic runs alone.
"""

from __future__ import annotations

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
from networks import Network, real, rmat

_ORCA = "ORCA"
_WITH_ORCA = {
    real("PGPgiantcompo.graph.gz"): {"vertices": 30, "edges": 15},
    real("celegans_metabolic.graph.gz"): {"vertices": 30, "edges": 20},
    rmat(12): {"vertices": 25, "edges": 15},
}
_ALONE = {
    real("HSapiens.el.gz"): 20,
    real("SCerevisiae.el.gz"): 20,
    real("soc-Slashdot0902.txt.gz"): 300,
}
_MEASURES = {of: partial(triadic.graphlets, by=by) for of, by in (("vertices", "vertex"), ("edges", "edge"))}
_COMMANDS = {"vertices": "node", "edges": "edge"}


def cells():
    for of in _MEASURES:
        for network, ratios in _WITH_ORCA.items():
            enter = partial(_beside_orca, network, of)
            yield Cell("orbits", f"{of}-{network.name}", enter, {_ORCA: Goal(ratio=ratios[of])})
        for network, seconds in _ALONE.items():
            goals = {"triadic": Goal(seconds=seconds)} if of == "vertices" else {}
            yield Cell("orbits", f"{of}-{network.name}", partial(_alone, network, of), goals)


@contextmanager
def _beside_orca(network: Network, of: str, settings: Settings):
    arcs = network.load(settings)
    with tempfile.TemporaryDirectory() as folder:
        source, target = graphs.triadic_graph(arcs).edges()
        lines = [f"{arcs.vertices} {len(source)}", *(f"{u} {v}" for u, v in zip(source, target, strict=True))]
        (Path(folder) / "graph.in").write_text("\n".join(lines) + "\n", encoding="ascii")
        yield [
            _triadic(arcs, of, settings),
            Contender(
                _ORCA,
                count=lambda _: _orca(_COMMANDS[of], Path(folder)),
                numbers=lambda path: np.loadtxt(path, dtype=np.int64, ndmin=2),
            ),
        ]


@contextmanager
def _alone(network: Network, of: str, settings: Settings):
    yield [_triadic(network.load(settings), of, settings)]


def _triadic(arcs, of: str, settings: Settings) -> Contender:
    return Contender(
        "triadic",
        build=lambda: graphs.triadic_graph(arcs),
        count=lambda graph: _MEASURES[of](graph, size=5, threads=settings.threads),
        numbers=lambda orbits: orbits,
    )


def _orca(what: str, folder: Path) -> Path:
    """Let ORCA count the orbits of the network in a folder, and return its file."""
    orca = shutil.which("orca")
    if orca is None:
        raise LeftOutError("not on the path")
    counted = folder / "graph.out"
    subprocess.run([orca, what, "5", folder / "graph.in", counted], check=True, capture_output=True)
    return counted
