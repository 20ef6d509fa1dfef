"""How fast this machine is: measured in a few seconds, and kept in the user's cache folder.

Clustering is counted and timed; other counts are as much slower than on a common server as clustering is.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import source_stamp
from triadic.core.records import value_class
from triadic.errors import WriteError
from triadic.io.temporary_files import whole_file
from triadic.planning.measures import GRAPHLETS, MEASURES, cost
from triadic.planning.sample import Sample
from triadic.planning.shape import sampled_shape
from triadic.tiles.url_store import cache_folder
from triadic.tiles.work import costs, entries_tested

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.generate.arc_draws import RMat

_NAME = "rates.json"
_SCALE, _TINY, _RANGES = 15, 8, 4
_RUNS = 3
_LEAST = 0.05  # least slope, where a measurement was disturbed
_CHILD = """
from triadic.graph.graph import Graph
from triadic.measures.clustering import triangles
triangles(Graph.from_edges([0, 1, 2], [1, 2, 0]))
"""


@value_class
class Rates:
    """The time that steps take on a machine, in seconds.

    `in_memory` has for each measure the time of any count, and of one second of the cost model; `tiled` has the time of
    any triple, and of one second of the cost model.
    """

    threads: int
    start: float  # of loading compiled code and a first count
    prepare: float  # of an arc on one thread, to make a graph
    rank: float  # of a vertex, to rank it
    bucket: float  # of an arc on one thread, to spill it
    sort: float  # of a byte of tiles, to sort and write it
    read: float  # of a byte of tiles
    in_memory: dict[str, tuple[float, float]]
    tiled: dict[str, tuple[float, float]]


def default_rates(threads: int) -> Rates:
    """Return the rates of a common server."""
    counts = {"clustering": 1.3, "triads": 10.0, "triads by vertex": 14.0, GRAPHLETS: 2.0}
    tiled = {"clustering": 1.0, "triads": 5.0, "triads by vertex": 4.0, GRAPHLETS: 1.5}
    return Rates(
        threads, start=1.5, prepare=6e-8, rank=2e-7, bucket=4e-8, sort=2.5e-8, read=7e-10,
        in_memory={name: (0.003, slope) for name, slope in counts.items()},
        tiled={name: (0.008, slope) for name, slope in tiled.items()},
    )  # fmt: skip


def rates(threads: int, *, again: bool = False) -> Rates:
    """Return the rates of this machine, as they were kept for this version; of a common server if none are kept.

    Parameters
    ----------
    threads : int
    again : bool, default False
        Measure, whatever is kept, and keep the rates.
    """
    try:
        path = cache_folder() / _NAME
    except RuntimeError:  # of a user without a home
        path = Path(tempfile.gettempdir()) / _NAME
    stamp = f"{source_stamp()} {sys.version_info[:2]}"
    kept: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept.get("stamp") != stamp:
            kept = {}
        elif not again and str(threads) in kept:
            with suppress(TypeError):
                return Rates(**kept[str(threads)])
    if not again:
        return default_rates(threads)
    found = measure(threads)
    with suppress(OSError, WriteError):  # they are measured again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as temporary:
            temporary.write_text(json.dumps({**kept, "stamp": stamp, str(threads): asdict(found)}), encoding="utf-8")
    return found


def measure(threads: int) -> Rates:
    """Measure the rates of this machine on a tiny graph, where all is overhead, and on one of half a million arcs."""
    from triadic.generate.arc_draws import RMat  # noqa: PLC0415 - plans without a measurement do without it

    with tempfile.TemporaryDirectory(prefix="triadic-") as folder:
        tiny, large = RMat(_TINY, seed=1, directed=True), RMat(_SCALE, seed=1, directed=True)
        _measured(tiny, Path(folder) / "compiling", threads)
        start = _start()
        few, many = (_measured(model, Path(folder) / str(model.scale), threads) for model in (tiny, large))
    usual, of_triple = default_rates(threads), few["tiled"] / max(1.0, few["triples"])
    return replace(
        usual,
        start=start,
        prepare=max(many["prepare"] - few["prepare"], _LEAST * many["prepare"]) * threads / large.arcs,
        rank=many["rank"] / large.vertices,
        bucket=many["bucket"] * threads / large.arcs,
        sort=many["sort"] / many["bytes of tiles"],
        read=many["read"] / many["bytes of tiles"],
        in_memory=_scaled(usual.in_memory, few["in memory"], many["in memory"] - few["in memory"], many["cost"]),
        tiled=_scaled(usual.tiled, of_triple, many["tiled"] - of_triple * many["triples"], many["cost of tiles"]),
    )


def _scaled(
    usual: dict[str, tuple[float, float]], fixed: float, taken: float, cost_of_clustering: float
) -> dict[str, tuple[float, float]]:
    """Return the rates of all measures in proportion to the usual ones, from the time that clustering has taken."""
    slowness = max(_LEAST, taken / cost_of_clustering) / usual["clustering"][1]
    return {name: (fixed, slowness * slope) for name, (_, slope) in usual.items()}


def _start() -> float:
    """Return the seconds that a first count of a tiny graph takes a new process."""
    started = time.perf_counter()
    try:
        subprocess.run([sys.executable, "-c", _CHILD], capture_output=True, check=True, timeout=60)  # noqa: S603 - our own
        return time.perf_counter() - started
    except (OSError, subprocess.SubprocessError):
        return 1.0


def _measured(model: RMat, folder: Path, threads: int) -> dict[str, float]:
    """Return the seconds of each step and both counts of a model's graph, the seconds of the cost models, and sizes."""
    from triadic.generate.model import make_arcs  # noqa: PLC0415 - as above
    from triadic.graph.graph import Graph  # noqa: PLC0415 - as above
    from triadic.measures.clustering import clustering  # noqa: PLC0415 - as above
    from triadic.tiles.tiled_graph import TiledGraph  # noqa: PLC0415 - as above
    from triadic.tiles.tiling import make_tiles  # noqa: PLC0415 - as above

    def count_tiles() -> None:
        with tempfile.TemporaryDirectory(prefix="triadic-") as results:
            clustering(TiledGraph(folder, results=results), threads=threads, device="cpu")

    arcs = make_arcs(model, threads=threads)
    prepare, graph = _timed(lambda: Graph.from_arcs(arcs, threads=threads))
    whole = Sample(arcs=len(arcs), vertices=arcs.vertices, directed=True, basis="", source=arcs.source,
                   target=arcs.target, place=np.zeros(len(arcs), np.int64))  # fmt: skip
    shape = sampled_shape(whole)
    made = make_tiles(model, folder, ranges=_RANGES, memory="200MB", threads=threads)
    read, _ = _timed(lambda: [made.tiles.tile(*each) for each in made.tiles.layout.tiles])
    of_triples = costs(made.tiles.layout, entries_tested(made.tiles))
    found = {**made.seconds, "prepare": prepare, "read": read, "bytes of tiles": float(made.tiles.nbytes)}
    found |= {"triples": float(len(of_triples)), "cost of tiles": sum(of_triples.values()) * 1e-9 / threads}
    found["cost"] = cost(shape, MEASURES["clustering"]) * 1e-9 / threads
    found["in memory"], _ = _timed(lambda: clustering(graph, threads=threads, device="cpu"))
    found["tiled"], _ = _timed(count_tiles)
    return found


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least seconds of some runs of a function, since others may use the machine, and its result."""
    seconds = []
    for _ in range(_RUNS):
        started = time.perf_counter()
        found = work()
        seconds.append(time.perf_counter() - started)
    return max(1e-9, min(seconds)), found
