"""How fast this machine is: measured once, in a few seconds, and kept beside the compiled kernels."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from triadic.core.compiled import source_stamp
from triadic.planning.counts import KINDS
from triadic.tiles.triples import triples

if TYPE_CHECKING:
    from triadic.generate.recursive import RMat
    from triadic.graph.graph import Graph
    from triadic.tiles.tiled_graph import TiledGraph

_NAME = "triadic-rates.json"
_SCALE, _TINY, _RANGES = 15, 8, 4
_RUNS = 3
_LEAST = 0.05  # of what the model says, where a measurement was disturbed
_CHILD = "from triadic.planning.rates import first_call; print(first_call())"


@dataclass(frozen=True, slots=True)
class Rates:
    """What steps take on this machine.

    Attributes
    ----------
    threads : int
        That it was measured with.
    start : float
        Seconds until compiled code is loaded and the first count done.
    prepare : float
        Seconds an arc, and thread: a graph from arcs.
    rank, bucket, sort : float
        Seconds a vertex; seconds an arc and thread; seconds a byte written: steps of tiling.
    read : float
        Seconds a byte of tiles.
    in_memory, tiled : dict of str to (float, float)
        By count: seconds that every count takes, and what a second of the cost model takes, in memory; seconds that
        every triple takes, and likewise, by tiles.
    """

    threads: int
    start: float
    prepare: float
    rank: float
    bucket: float
    sort: float
    read: float
    in_memory: dict[str, tuple[float, float]]
    tiled: dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class _Measured:
    """What one graph took, and what the model says."""

    cost: dict[str, float]
    tiled_cost: float
    triples: int
    written: int
    prepare: float
    read: float
    seconds: dict[str, float]
    held: dict[str, float]
    tiled: dict[str, float]


def rates(threads: int, *, again: bool = False) -> Rates:
    """Give the rates of this machine; measured where none are kept for these threads and this version.

    Parameters
    ----------
    threads : int
    again : bool, default False
        Measure anew.
    """
    path = _path()
    stamp = f"{source_stamp()} {sys.version_info[:2]}"
    kept: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept.get("stamp") != stamp:
            kept = {}
        elif not again and str(threads) in kept:
            with suppress(TypeError):
                return Rates(**kept[str(threads)])
    found = measure(threads)
    temporary = path.with_name(f".{_NAME}.{threads}.tmp")
    with suppress(OSError):  # they are measured again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps({**kept, "stamp": stamp, str(threads): asdict(found)}), encoding="utf-8")
        temporary.replace(path)
    return found


def first_call() -> float:
    """Give the seconds that a count of a tiny graph takes a process that has counted nothing yet."""
    started = time.perf_counter()
    import triadic  # noqa: PLC0415 - what is measured

    triadic.triangles(triadic.Graph.from_edges([0, 1, 2], [1, 2, 0]))
    return time.perf_counter() - started


def measure(threads: int) -> Rates:
    """Measure the rates of this machine: on a tiny graph, where all is overhead, and on one of half a million arcs."""
    from triadic.generate.recursive import RMat  # noqa: PLC0415 - compiled code

    with tempfile.TemporaryDirectory(prefix="triadic-") as folder:
        tiny, large = RMat(_TINY, seed=1, directed=True), RMat(_SCALE, seed=1, directed=True)
        _measured(tiny, Path(folder) / "compiling", threads)
        start = _start()
        few, many = (_measured(model, Path(folder) / str(model.scale), threads) for model in (tiny, large))
    in_memory, tiled = {}, {}
    for name in KINDS:
        in_memory[name] = few.held[name], _slope(few.held[name], many.held[name], many.cost[name])
        tasks = max(1, few.triples)
        each = few.tiled[name] / tasks
        tiled[name] = each, _slope(few.tiled[name] * many.triples / tasks, many.tiled[name], many.tiled_cost)
    return Rates(
        threads=threads,
        start=start,
        prepare=max(many.prepare - few.prepare, _LEAST * many.prepare) * threads / large.arcs,
        rank=many.seconds["rank"] / large.vertices,
        bucket=many.seconds["bucket"] * threads / large.arcs,
        sort=many.seconds["sort"] / many.written,
        read=many.read / many.written,
        in_memory=in_memory,
        tiled=tiled,
    )


def _slope(fixed: float, taken: float, cost: float) -> float:
    return max((taken - fixed) / cost, _LEAST)


def _start() -> float:
    try:
        child = subprocess.run([sys.executable, "-c", _CHILD], capture_output=True, text=True, check=True, timeout=60)  # noqa: S603 - our own
        return float(child.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return 1.0


def _measured(model: RMat, folder: Path, threads: int) -> _Measured:
    import numpy as np  # noqa: PLC0415 - after the measuring process began

    import triadic  # noqa: PLC0415 - imports this package's siblings
    from triadic.generate.model import make_arcs  # noqa: PLC0415 - compiled code
    from triadic.planning import in_memory  # noqa: PLC0415 - they import the engine
    from triadic.planning.sample import Sample  # noqa: PLC0415 - likewise
    from triadic.planning.shape import shape_of  # noqa: PLC0415 - likewise
    from triadic.tiles.tiling import make_tiles  # noqa: PLC0415 - likewise

    arcs = make_arcs(model, threads=threads)
    prepare, graph = _timed(lambda: triadic.Graph.from_arcs(arcs, threads=threads))
    nothing = np.zeros(len(arcs), dtype=np.int64)
    whole = Sample(
        arcs.source, arcs.target, nothing, 1, 1.0, len(arcs), arcs.vertices, True, None, 0, 2, 24, 0.0, 0.0, ""
    )
    shape = shape_of(whole)
    held = {name: _timed(partial(_count, name, graph, threads))[0] for name in KINDS}
    made = make_tiles(model, folder, ranges=_RANGES, memory="200MB", threads=threads)
    read, _ = _timed(lambda: [made.tiles.tile(i, j) for i in range(_RANGES) for j in range(i + 1)])
    tiled = {}
    for name in KINDS:
        tiled[name], _ = _timed(partial(_count_anew, name, folder, threads))
    return _Measured(
        cost={name: in_memory.cost(shape, kind) * 1e-9 / threads for name, kind in KINDS.items()},
        tiled_cost=_tiled_cost(made.tiles) * 1e-9 / threads,
        triples=sum(1 for _ in triples(made.tiles.layout)),
        written=made.tiles.nbytes,
        prepare=prepare,
        read=read,
        seconds=made.seconds,
        held=held,
        tiled=tiled,
    )


def _tiled_cost(source: Any) -> float:  # noqa: ANN401 - a TileSource
    from triadic.tiles.work import entries_tested, nanoseconds  # noqa: PLC0415 - likewise

    tested = entries_tested(source)
    return sum(nanoseconds(source.layout, triple, tested) for triple in triples(source.layout))


def _count(name: str, graph: Graph | TiledGraph, threads: int) -> object:
    import triadic  # noqa: PLC0415 - as above

    if name == "clustering":
        return triadic.clustering(graph, threads=threads, device="cpu")
    if name == "census":
        return triadic.triad_census(graph, threads=threads, device="cpu")
    if name == "census-by-vertex":
        return triadic.triad_census_by_vertex(graph, threads=threads, device="cpu")
    return triadic.graphlet_transform(graph, graphlets=5, threads=threads, device="cpu")


def _count_anew(name: str, folder: Path, threads: int) -> None:
    import triadic  # noqa: PLC0415 - as above

    with tempfile.TemporaryDirectory(prefix="triadic-") as results:
        _count(name, triadic.TiledGraph(folder, results=results), threads)


def _timed(work: Any) -> tuple[float, Any]:  # noqa: ANN401 - any function of nothing
    """Give the seconds that work takes, the least of some runs: others may be at work here too."""
    taken = []
    found = None
    for _ in range(_RUNS):
        started = time.perf_counter()
        found = work()
        taken.append(time.perf_counter() - started)
    return max(1e-9, min(taken)), found


def _path() -> Path:
    from triadic.devices.cpu.rows import rank_by_degree  # noqa: PLC0415 - compiled code

    with suppress(AttributeError):
        folder = cast("Any", rank_by_degree).stats.cache_path  # every kernel lies in the same folder or beside it
        if folder:
            return Path(folder) / _NAME
    return Path.home() / ".cache" / "triadic" / _NAME
