"""Simulate, task by task, counting a tiled graph on a cluster: ``python benchmarks/scale_simulation.py``.

First the simulation is checked: the tiles of an R-MAT 22 on 1, 2, 4 and 8 workers of one thread, beside the seconds
that `dask_scaling.py` measured for them. Then a graph of 224 billion edges: the tiles of a small R-MAT, grown.

A task takes the time that the engine's cost model says, times one factor that is fitted to the run on one worker. Its
tiles are read first, those that its worker does not have already, at the worker's rate or its share of the store's,
whichever is less. Tasks go largest first to whoever is free. What is not counting, adding up and writing what was
found, takes as long for any number of workers.
"""

from __future__ import annotations

import argparse
import heapq
import tempfile
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import triadic
from triadic.tiles.layout import Layout
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.stored_tiles import StoredTiles, open_store
from triadic.tiles.tile import LeaflessTiles, num_leafless_ranks
from triadic.tiles.triples import triples
from triadic.tiles.work import entries_tested, nanoseconds


@dataclass(frozen=True)
class Cluster:
    """Workers of one thread each; rates in bytes a second, memory in bytes, for tiles alone."""

    workers: int
    worker_rate: float
    store_rate: float
    memory: float


@dataclass(frozen=True)
class Graph:
    """A graph in tiles: bytes and seconds of one thread by triple, and the seconds that nobody shares."""

    layout: Layout
    seconds: dict
    serial: float


@dataclass(frozen=True)
class Outcome:
    """Seconds in all, and of all workers together: counting, reading, waiting for the last."""

    seconds: float
    counting: float
    reading: float
    idle: float
    read_bytes: float
    tasks: int


def simulate(graph: Graph, cluster: Cluster) -> Outcome:
    """Run every task on whoever is free first."""
    share = min(cluster.worker_rate, cluster.store_rate / cluster.workers)
    free = [(0.0, worker) for worker in range(cluster.workers)]
    kept = [OrderedDict() for _ in range(cluster.workers)]
    counting = reading = read_bytes = 0.0
    tasks = _tasks(graph, cluster.workers)
    for seconds, tiles in tasks:
        begun, worker = heapq.heappop(free)
        missing = 0.0
        for tile in tiles:
            if tile not in kept[worker]:
                kept[worker][tile] = graph.layout.tile_bytes(*tile)
                missing += kept[worker][tile]
            kept[worker].move_to_end(tile)
        while sum(kept[worker].values()) > cluster.memory and len(kept[worker]) > len(tiles):
            kept[worker].popitem(last=False)
        counting, reading, read_bytes = counting + seconds, reading + missing / share, read_bytes + missing
        heapq.heappush(free, (begun + seconds + missing / share, worker))
    ends = [end for end, _ in free]
    return Outcome(
        max(ends) + graph.serial, counting, reading, sum(max(ends) - end for end in ends), read_bytes, len(tasks)
    )


def _tasks(graph: Graph, workers: int):
    """Give tasks, largest first; one that is more than a quarter of a worker's share is cut, as the engine cuts it."""
    most = sum(graph.seconds.values()) / workers / 4
    found = []
    for triple, seconds in graph.seconds.items():
        slices = max(1, int(-(-seconds // most)))
        found += [(seconds / slices, triple.tiles)] * slices
    return sorted(found, key=lambda task: -task[0])


def main() -> None:
    asked = _arguments()
    with tempfile.TemporaryDirectory(prefix="triadic-scale-") as folder:
        small = _tiled(Path(folder), asked.scale, asked.ranges)
        _check(small, asked)
    _grown(_cut_evenly(asked.cuts), asked)


def _tiled(folder: Path, scale: int, ranges: int) -> tuple[Layout, np.ndarray]:
    place = folder / f"{scale}-{ranges}"
    triadic.tile(triadic.generate.RMat(scale, seed=1), place, ranges=ranges)
    stored = StoredTiles(open_store(place))
    kept = LeaflessTiles(stored, num_leafless_ranks(stored))
    return kept.layout, entries_tested(kept)


def _cut_evenly(ranges: int) -> tuple[Layout, np.ndarray]:
    """Give a small R-MAT in ranges of equal ends of edges: tiles of about one size, as those of a large graph are."""
    oriented = triadic.generate.rmat(20, seed=1).oriented()
    ends = np.cumsum(oriented.degree)
    cuts = np.searchsorted(ends, ends[-1] * np.arange(1, ranges) / ranges)
    source = MemoryTiles(oriented, np.unique(np.concatenate([[0], cuts, [len(ends)]])))
    kept = LeaflessTiles(source, num_leafless_ranks(source))
    return kept.layout, entries_tested(kept)


def _check(small: tuple[Layout, np.ndarray], asked: argparse.Namespace) -> None:
    layout, tested = small
    model = {triple: nanoseconds(layout, triple, tested) / 1e9 for triple in triples(layout)}
    read = layout.edges * 4 / asked.read
    factor = (asked.measured[0] - asked.serial - read) / sum(model.values())
    graph = Graph(layout, {triple: factor * seconds for triple, seconds in model.items()}, asked.serial)
    print(
        f"R-MAT {asked.scale}, {layout.ranges} ranges: the cost model times {factor:.2f}, "
        f"{asked.serial:g} s that nobody shares"
    )
    for workers, measured in zip((1, 2, 4, 8), asked.measured, strict=False):
        found = simulate(graph, Cluster(workers, asked.read, 1e12, 1e12))
        ratio = found.seconds / measured
        print(f"  {workers} workers: {found.seconds:7.2f} s simulated, {measured:7.2f} s measured, {ratio:5.2f}")


def _grown(small: tuple[Layout, np.ndarray], asked: argparse.Namespace) -> None:
    """Grow a layout to so many edges: tiles in proportion, what triples test by the power that was measured."""
    layout, tested = small
    by = asked.edges / layout.edges
    grown = Layout(
        np.round(layout.cuts * by).astype(np.int64), np.round(layout.tile_edges * by).astype(np.int64), False, 0
    )
    model = {triple: nanoseconds(layout, triple, tested) for triple in triples(layout)}
    whole = asked.core_seconds * (asked.edges / asked.of_edges) ** asked.power
    seconds = {triple: whole * cost / sum(model.values()) for triple, cost in model.items()}
    print(
        f"{asked.edges:.3g} edges, {grown.ranges} ranges, tiles of {4 * grown.edges / 1e12:.2f} TB, the largest "
        f"{grown.tile_edges.max() * 4 / 1e9:.1f} GB; {whole / 3600:,.0f} core hours of counting"
    )
    for workers in (100, 1000):
        for store in (10e9, 100e9):
            cluster = Cluster(workers, 1.2e9, store, 32e9)
            found = simulate(Graph(grown, seconds, 8 * grown.vertices * 3 / 1e9), cluster)
            time = workers * found.seconds
            print(
                f"  {workers:5} workers, store of {store / 1e9:3.0f} GB/s: {found.seconds / 3600:6.2f} h; "
                f"{found.tasks:,} tasks, {found.read_bytes / 1e12:.0f} TB read; counting {found.counting / time:.0%}, "
                f"reading {found.reading / time:.0%}, waiting for the last {found.idle / time:.0%}"
            )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--scale", type=int, default=22, help="of the R-MAT that was measured (default 22)")
    add("--ranges", type=int, default=10, help="its ranges (default 10)")
    add(
        "--measured", type=float, nargs="+", default=[27.01, 13.79, 7.26, 4.46], help="seconds on 1, 2, 4 and 8 workers"
    )
    add("--serial", type=float, default=0.6, help="seconds that workers do not share (default 0.6)")
    add("--read", type=float, default=0.6e9, help="bytes of tiles that a worker reads a second (default 0.6e9)")
    add("--edges", type=float, default=224e9, help="of the large graph (default 224e9)")
    add("--cuts", type=int, default=40, help="its ranges (default 40)")
    add("--core-seconds", type=float, default=1150, help="of counting a graph of --of-edges in tiles")
    add("--of-edges", type=float, default=1.052e9, help="default: R-MAT 26")
    add("--power", type=float, default=1.34, help="that counting grows by with the edges (default 1.34)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
