"""Simulate the tasks of counting a tiled graph on a cluster: ``python benchmarks/scale_simulation.py``.

First the program checks the simulation: it simulates the tiles of an R-MAT 22 on 1, 2, 4 and 8 workers of one thread
and compares the seconds with measurements of `dask_scaling.py`. Then it simulates a graph of 224 billion edges, whose
tiles are the enlarged tiles of a small R-MAT.

The duration of a task is the cost that the engine estimates, times a factor fitted to the run on one worker. Before a
task, its worker reads the tiles that it does not hold yet, at the worker's own rate or its share of the store's rate,
whichever is lower. The next task in order goes to the first free worker. Adding up and writing results takes the same
time for any number of workers.
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
from triadic.tiles.cluster.strips import cut_into_tasks
from triadic.tiles.layout import Layout
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.stored_tiles import StoredTiles, open_store
from triadic.tiles.tile import LeaflessTiles, num_leafless_ranks
from triadic.tiles.triples import triples
from triadic.tiles.work import entries_tested, nanoseconds

_SHARE = 0.25  # of the memory for tiles, for the tiles and sums of one task


@dataclass(frozen=True)
class Cluster:
    """A cluster of workers with one thread each; rates in bytes a second, memory for tiles in bytes."""

    workers: int
    worker_rate: float
    store_rate: float
    memory: float


@dataclass(frozen=True)
class Graph:
    """A tiled graph: its layout, the seconds of each triple on one thread, and the seconds that are not parallel."""

    layout: Layout
    seconds: dict
    serial: float


@dataclass(frozen=True)
class Outcome:
    """The seconds until the end; and the seconds of counting, reading and waiting, added up over workers."""

    seconds: float
    counting: float
    reading: float
    idle: float
    read_bytes: float
    tasks: int


def simulate(graph: Graph, cluster: Cluster) -> Outcome:
    """Run each task on the worker that is free first."""
    share = min(cluster.worker_rate, cluster.store_rate / cluster.workers)
    free = [(0.0, worker) for worker in range(cluster.workers)]
    held = [OrderedDict() for _ in range(cluster.workers)]
    counting = reading = read_bytes = 0.0
    tasks = _tasks(graph, cluster.workers, int(_SHARE * cluster.memory))
    for seconds, tiles in tasks:
        start, worker = heapq.heappop(free)
        missing = 0.0
        for tile in tiles:
            if tile not in held[worker]:
                held[worker][tile] = graph.layout.tile_bytes(*tile)
                missing += held[worker][tile]
            held[worker].move_to_end(tile)
        while sum(held[worker].values()) > cluster.memory and len(held[worker]) > len(tiles):
            held[worker].popitem(last=False)
        counting, reading, read_bytes = counting + seconds, reading + missing / share, read_bytes + missing
        heapq.heappush(free, (start + seconds + missing / share, worker))
    ends = [end for end, _ in free]
    return Outcome(
        max(ends) + graph.serial, counting, reading, sum(max(ends) - end for end in ends), read_bytes, len(tasks)
    )


def _tasks(graph: Graph, workers: int, room: int):
    """Return the seconds and tiles of the tasks in their order: runs of triples and slices, as on a cluster."""
    cost = {triple: 1e9 * seconds for triple, seconds in graph.seconds.items()}
    tasks = cut_into_tasks(cost, cost, graph.layout, threads=workers, columns=1, room=room)
    return [(task.cost / 1e9, task.tiles) for task in tasks]


def main() -> None:
    arguments = _arguments()
    with tempfile.TemporaryDirectory(prefix="triadic-scale-") as folder:
        small = _tiled(Path(folder), arguments.scale, arguments.ranges)
        _check(small, arguments)
    _simulate_large(_cut_evenly(arguments.cuts), arguments)


def _tiled(folder: Path, scale: int, ranges: int) -> tuple[Layout, np.ndarray]:
    path = folder / f"{scale}-{ranges}"
    triadic.tile(triadic.generate.RMat(scale, seed=1), path, ranges=ranges)
    stored = StoredTiles(open_store(path))
    tiles = LeaflessTiles(stored, num_leafless_ranks(stored))
    return tiles.layout, entries_tested(tiles)


def _cut_evenly(ranges: int) -> tuple[Layout, np.ndarray]:
    """Cut a small R-MAT into ranges with equal numbers of ends of edges, so that tiles have similar sizes."""
    oriented = triadic.generate.rmat(20, seed=1).oriented()
    ends = np.cumsum(oriented.degree)
    cuts = np.searchsorted(ends, ends[-1] * np.arange(1, ranges) / ranges)
    source = MemoryTiles(oriented, np.unique(np.concatenate([[0], cuts, [len(ends)]])))
    tiles = LeaflessTiles(source, num_leafless_ranks(source))
    return tiles.layout, entries_tested(tiles)


def _check(small: tuple[Layout, np.ndarray], arguments: argparse.Namespace) -> None:
    layout, tested = small
    model = {triple: nanoseconds(layout, triple, tested) / 1e9 for triple in triples(layout)}
    read = layout.edges * 4 / arguments.read
    factor = (arguments.measured[0] - arguments.serial - read) / sum(model.values())
    graph = Graph(layout, {triple: factor * seconds for triple, seconds in model.items()}, arguments.serial)
    print(
        f"R-MAT {arguments.scale}, {layout.ranges} ranges: estimated cost times {factor:.2f}, "
        f"and {arguments.serial:g} s that are not parallel"
    )
    for workers, measured in zip((1, 2, 4, 8), arguments.measured, strict=False):
        outcome = simulate(graph, Cluster(workers, arguments.read, 1e12, 1e12))
        ratio = outcome.seconds / measured
        print(f"  {workers} workers: {outcome.seconds:7.2f} s simulated, {measured:7.2f} s measured, {ratio:5.2f}")


def _simulate_large(small: tuple[Layout, np.ndarray], arguments: argparse.Namespace) -> None:
    """Enlarge tiles in proportion to the number of edges, and costs by the measured power; simulate the large graph."""
    layout, tested = small
    factor = arguments.edges / layout.edges
    large = Layout(
        np.round(layout.cuts * factor).astype(np.int64), np.round(layout.tile_edges * factor).astype(np.int64), False, 0
    )
    model = {triple: nanoseconds(layout, triple, tested) for triple in triples(layout)}
    total = arguments.core_seconds * (arguments.edges / arguments.of_edges) ** arguments.power
    seconds = {triple: total * cost / sum(model.values()) for triple, cost in model.items()}
    print(
        f"{arguments.edges:.3g} edges, {large.ranges} ranges, tiles of {4 * large.edges / 1e12:.2f} TB, the largest "
        f"{large.tile_edges.max() * 4 / 1e9:.1f} GB; {total / 3600:,.0f} core hours of counting"
    )
    for workers in (100, 1000):
        for store in (10e9, 100e9):
            cluster = Cluster(workers, 1.2e9, store, 32e9)
            outcome = simulate(Graph(large, seconds, 8 * large.vertices * 3 / 1e9), cluster)
            time = workers * outcome.seconds
            print(
                f"  {workers:5} workers, store of {store / 1e9:3.0f} GB/s: {outcome.seconds / 3600:6.2f} h; "
                f"{outcome.tasks:,} tasks, {outcome.read_bytes / 1e12:.0f} TB read; counting "
                f"{outcome.counting / time:.0%}, reading {outcome.reading / time:.0%}, waiting for the last worker "
                f"{outcome.idle / time:.0%}"
            )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--scale", type=int, default=22, help="scale of the measured R-MAT (default 22)")
    add("--ranges", type=int, default=10, help="number of its ranges (default 10)")
    add(
        "--measured",
        type=float,
        nargs="+",
        default=[27.01, 13.79, 7.26, 4.46],
        help="measured seconds on 1, 2, 4 and 8 workers",
    )
    add("--serial", type=float, default=0.6, help="seconds that are not parallel (default 0.6)")
    add("--read", type=float, default=0.6e9, help="bytes of tiles that a worker reads a second (default 0.6e9)")
    add("--edges", type=float, default=224e9, help="edges of the large graph (default 224e9)")
    add("--cuts", type=int, default=40, help="ranges of the large graph (default 40)")
    add(
        "--core-seconds",
        type=float,
        default=1150,
        help="core seconds of counting --of-edges edges in tiles (default 1150)",
    )
    add("--of-edges", type=float, default=1.052e9, help="edges of the graph of --core-seconds (default: R-MAT 26)")
    add(
        "--power", type=float, default=1.34, help="counting grows with this power of the number of edges (default 1.34)"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
