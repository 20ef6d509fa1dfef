"""Simulate tiling and counting on a cluster: ``python benchmarks/scale_simulation.py``.

First the program checks the simulation of counting: it simulates the tiles of an R-MAT 22 on 1, 2, 4 and 8 workers of
one thread and compares the seconds with measurements of `dask_scaling.py`. Then it simulates a graph of 224 billion
edges, an R-MAT scaled up, on a thousand workers and on 64 cards.

**Counting.** The tests of a triple are those of a small R-MAT cut in the same way, enlarged to the number that the
growth of small R-MATs predicts; the rate of tests is measured. Three ways to give triples to workers are compared:

* ``triples``: the next largest triple goes to the first free worker;
* ``strips``: a task is a run of triples with i and j in common, as `triadic.tiles.cluster.strips` makes them, and the
  longest task goes to the first free worker;
* ``rows``: the same tasks as the engine orders them, and a free worker takes one of a range that it is near to, if one
  is left (`triadic.tiles.cluster.strips.near`), and otherwise one of the longest.

Before a task, its worker reads the tiles that it does not hold, at its own rate or its share of the rate of the store.
The share depends on how many workers read at a time, which the program finds by simulating three times. After a task,
its sums travel to the worker that adds them.

**Tiling.** Each stage of `triadic.tiles.cluster.cluster_tiling` takes as long as its slowest resource: cores, the
network of workers, the bytes of the store, or its requests.

All rates are arguments. Their defaults, and where they were measured, are at the top of the program.
"""

from __future__ import annotations

import argparse
import heapq
import math
import tempfile
from collections import OrderedDict, deque
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import triadic
from triadic.tiles.cluster import strips
from triadic.tiles.layout import Layout
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.stored_tiles import StoredTiles, open_store
from triadic.tiles.tile import LeaflessTiles, num_leafless_ranks
from triadic.tiles.work import costs, entries_tested

# Seconds of `dask_scaling.py` with 1, 2, 4 and 8 workers: R-MAT 22 in 10 ranges, 16 cores, by an earlier version whose
# tasks were single triples.
DASK_SECONDS = (27.01, 13.79, 7.26, 4.46)
# Core seconds of counting R-MAT 22 and 26 in tiles, by scale, of the same version (docs/scale.md, "224 billion edges").
# The rate of tests of the larger graph is lower, since its rows are longer than the caches; the large graph continues
# the trend.
CORE_SECONDS = {22: 26.4, 26: 1186.0}
# Seconds of counting R-MAT 25 again on one H200, with the graph on the card, by an earlier version: docs/scale.md.
CARD_SECONDS, CARD_SCALE = 0.92, 25
# Edges a second and core of each stage of tiling on a cluster: CPU seconds of R-MAT 20 (16.8 million edges drawn, 3.8
# CPU seconds), on a machine that other programs used. Its ids were multiplied by 10,000,019, so that they are sorted:
# those of a chunk of the large graph are too few for a table of all ids.
STAGE_EDGES = {"read and tell ids": 7.0e6, "rank vertices": 168e6, "read and bucket": 18.7e6, "sort and write": 41e6}
PARQUET_BYTES = 9.0  # of an edge: 6.5 at R-MAT 21, and two numbers of 13 bits more
# Bytes a second of the network of a worker of one thread, of a card, and from the host to a card; then the threads and
# the network of a larger worker.
WORKER_RATE, CARD_RATE, HOST_RATE = 1.2e9, 6e9, 50e9
THREADS, MACHINE_RATE = 16, 3e9
# Requests a second of an object store: S3 answers 5,500 a second and prefix, and splits prefixes when they are used.
REQUEST_RATE = 50e3

# How tiling cuts its input: rows of a chunk, partitions of ids, fine ranges. See `triadic.tiles.cluster.tiling_plan`.
CHUNK_ROWS, PARTITIONS, FINE = 1 << 26, 1 << 10, 128
DISTINCT = 0.3  # of the ends of a chunk, the share that the chunk tells the partitions as different ids
DRAWN = 1.02  # edges drawn for each edge that remains


@dataclass(frozen=True)
class Cluster:
    """Workers whose threads count a task each; rates of a worker in bytes a second, memory for tiles in bytes."""

    workers: int
    rate: float
    store_rate: float
    memory: float
    copy_rate: float = math.inf  # from the host to the card
    threads: int = 1  # of each worker, which share its tiles

    @property
    def all_threads(self) -> int:
        return self.workers * self.threads


@dataclass(frozen=True)
class Graph:
    """A tiled graph: its layout, the seconds of each triple on one worker, and the seconds that are not parallel."""

    layout: Layout
    seconds: dict
    serial: float
    sum_bytes: float = 0.0  # for each rank of a range, of the sums of a task


@dataclass(frozen=True)
class Work:
    """A task: its range i, its tiles, the ranges of its sums, and its seconds."""

    i: int
    tiles: tuple
    ranges: tuple
    seconds: float

    @property
    def cost(self) -> float:
        return self.seconds


@dataclass(frozen=True)
class Outcome:
    """The seconds until the end; those of counting, reading, sending sums and waiting, added up over workers."""

    seconds: float
    counting: float
    reading: float
    sending: float
    idle: float
    read_bytes: float
    sent_bytes: float
    tasks: int


def simulate(graph: Graph, cluster: Cluster, works: list[Work], *, rows: bool = False) -> Outcome:
    """Give each task to the worker that is free first; share the store among those who read."""
    rate = min(cluster.rate, cluster.store_rate)
    outcome = _simulate(graph, cluster, works, rate, rows=rows)
    for _ in range(3):
        readers = max(1.0, outcome.reading / max(outcome.seconds - graph.serial, 1e-9))
        share = min(cluster.rate / max(1.0, readers / cluster.workers), cluster.store_rate / readers)
        rate = math.sqrt(rate * share)  # the number of readers rises while the rate falls
        outcome = _simulate(graph, cluster, works, rate, rows=rows)
    floor = outcome.read_bytes / cluster.store_rate
    if outcome.seconds < floor:  # no order of tasks reads faster than the store
        missing = cluster.all_threads * (floor - outcome.seconds)
        outcome = replace(outcome, seconds=floor, reading=outcome.reading + missing)
    return outcome


def _simulate(graph: Graph, cluster: Cluster, works: list[Work], rate: float, *, rows: bool) -> Outcome:
    queue = _NearTasks(works, cluster) if rows else _FirstInFirstOut(works)
    free = [(0.0, thread) for thread in range(cluster.all_threads)]
    ends = [0.0] * cluster.all_threads
    held = [_Held(cluster.memory) for _ in range(cluster.workers)]
    lengths = np.diff(graph.layout.cuts)
    counting = reading = sending = read_bytes = sent_bytes = 0.0
    while free and queue:
        start, thread = heapq.heappop(free)
        worker = thread % cluster.workers
        work = queue.take(worker)
        missing = held[worker].read(work.tiles, graph.layout)
        copied = sum(graph.layout.tile_bytes(*tile) for tile in work.tiles) / cluster.copy_rate
        sums = graph.sum_bytes * float(sum(lengths[i] for i in work.ranges))
        counting += work.seconds + copied
        reading += missing / rate
        sending += sums / cluster.rate
        read_bytes, sent_bytes = read_bytes + missing, sent_bytes + sums
        ends[thread] = start + work.seconds + copied + missing / rate + sums / cluster.rate
        heapq.heappush(free, (ends[thread], thread))
    last = max(ends)
    return Outcome(
        last + graph.serial,
        counting,
        reading,
        sending,
        sum(last - end for end in ends),
        read_bytes,
        sent_bytes,
        len(works),
    )


class _FirstInFirstOut(deque[Work]):
    """Tasks that any worker takes in their order."""

    def take(self, worker: int) -> Work:  # noqa: ARG002 - of `_NearTasks`
        return self.popleft()


class _NearTasks:
    """Tasks that the workers near their range take, costly ones first; a worker that has none left takes others."""

    def __init__(self, works: list[Work], cluster: Cluster) -> None:
        self._works: dict[int, deque[Work]] = {}
        for work in works:
            self._works.setdefault(work.i, deque()).append(work)
        self._ranges: list[list[int]] = [[] for _ in range(cluster.workers)]
        for i, workers in strips.near(works, dict.fromkeys(range(cluster.workers), cluster.threads)).items():
            for worker in workers:
                self._ranges[worker].append(i)

    def __bool__(self) -> bool:
        return bool(self._works)

    def take(self, worker: int) -> Work:
        own = [i for i in self._ranges[worker] if i in self._works]
        i = max(own or self._works, key=lambda i: math.frexp(self._works[i][0].cost)[1])
        work = self._works[i].popleft()
        if not self._works[i]:
            del self._works[i]
        return work


class _Held:
    """The tiles that a worker holds; the least recently used ones go."""

    def __init__(self, memory: float) -> None:
        self._memory, self._bytes = memory, 0
        self._tiles: OrderedDict[tuple[int, int], int] = OrderedDict()

    def read(self, tiles: tuple, layout: Layout) -> float:
        missing = 0.0
        for tile in tiles:
            if tile not in self._tiles:
                self._tiles[tile] = size = layout.tile_bytes(*tile)
                missing += size
                self._bytes += size
            self._tiles.move_to_end(tile)
            while self._bytes > self._memory and len(self._tiles) > 3:
                self._bytes -= self._tiles.popitem(last=False)[1]
        return missing


def single_triples(graph: Graph, workers: int) -> list[Work]:
    """Return a task for each triple, largest first; one above a quarter of a worker's share is cut into slices."""
    limit = sum(graph.seconds.values()) / workers / 4
    works = []
    for triple, seconds in graph.seconds.items():
        slices = max(1, math.ceil(seconds / limit))
        works += [Work(triple.i, triple.tiles, triple.ranges, seconds / slices)] * slices
    return sorted(works, key=lambda work: -work.seconds)


def runs_of_strips(graph: Graph, cluster: Cluster) -> list[Work]:
    """Return the tasks that the engine makes."""
    cost = {triple: 1e9 * seconds for triple, seconds in graph.seconds.items()}
    tasks = strips.cut_into_tasks(
        cost,
        cost,
        graph.layout,
        threads=cluster.all_threads,
        workers=cluster.workers,
        columns=1,
        room=int(cluster.memory),
        shortest=1.0,
    )
    return [
        Work(
            task.triples[0].i,
            task.tiles,
            tuple(dict.fromkeys(i for triple in task.triples for i in triple.ranges)),
            task.cost / 1e9,
        )
        for task in tasks
    ]


def main() -> None:
    arguments = _arguments()
    with tempfile.TemporaryDirectory(prefix="triadic-scale-") as folder:
        _check(_tiled(Path(folder), arguments.scale, arguments.ranges), arguments)
    tests = _tests_of(arguments.edges, arguments.small_scale)
    core_rate = _core_rate(arguments)
    card_rate = _tests_of_scale(CARD_SCALE, arguments.small_scale) / arguments.card_seconds
    print(f"{arguments.edges:.3g} edges take {tests:.3g} tests; a core makes {core_rate:.3g} of them a second")
    large, seconds = _enlarged(arguments, arguments.cuts, tests / core_rate)
    print(f"\nCounting on workers: {sum(seconds.values()) / 3600:,.0f} core hours of tests; {_about(large)}")
    for workers, store in ((100, 10e9), (1000, 10e9), (1000, 100e9)):
        _count_on_workers(large, seconds, Cluster(workers, arguments.worker_rate, store, 32e9), arguments)
    print(f"\nCounting on workers of {THREADS} threads that share tiles")
    for store in (10e9, 100e9):
        machines = Cluster(round(1000 / THREADS), MACHINE_RATE, store, THREADS * 32e9, threads=THREADS)
        _count_on_workers(large, seconds, machines, arguments)
    large, seconds = _enlarged(arguments, arguments.card_cuts, tests / card_rate)
    print(f"\nCounting on cards: {sum(seconds.values()) / 3600:,.1f} card hours of tests; {_about(large)}")
    for cards, store in ((64, 10e9), (64, 100e9)):
        cluster = Cluster(cards, arguments.card_rate, store, 200e9, copy_rate=HOST_RATE)
        _count_on_workers(large, seconds, cluster, arguments)
    print("\nTiling")
    for workers, store in ((100, 10e9), (1000, 10e9), (1000, 100e9)):
        _tile(arguments, workers, store)


def _count_on_workers(layout: Layout, seconds: dict, cluster: Cluster, arguments: argparse.Namespace) -> None:
    graph = Graph(layout, seconds, 8 * layout.vertices / cluster.store_rate, arguments.sum_bytes)
    print(f"  {cluster.workers} workers, store of {cluster.store_rate / 1e9:.0f} GB/s")
    runs = runs_of_strips(graph, cluster)
    longest_first = sorted(runs, key=lambda work: -work.seconds)
    ways = {"triples": single_triples(graph, cluster.all_threads), "strips": longest_first, "rows": runs}
    for name, works in ways.items():
        outcome = simulate(graph, cluster, works, rows=name == "rows")
        time = cluster.all_threads * outcome.seconds
        print(
            f"    {name:8} {outcome.seconds / 3600:6.2f} h, {time / 3600:6,.0f} thread hours; "
            f"{outcome.tasks:7,} tasks; "
            f"read {outcome.read_bytes / 1e12:6.1f} TB, sums {outcome.sent_bytes / 1e12:5.1f} TB; "
            f"counting {outcome.counting / time:4.0%}, reading {outcome.reading / time:4.0%}, "
            f"sums {outcome.sending / time:4.0%}, waiting {outcome.idle / time:4.0%}"
        )


def _tile(arguments: argparse.Namespace, workers: int, store_rate: float) -> None:
    """Print the seconds of each stage of tiling, and the resource that limits it."""
    drawn = DRAWN * arguments.edges
    chunks = drawn / arguments.chunk_rows
    told = 2 * DISTINCT * drawn
    rows_of_tile = FINE / arguments.cuts  # runs of fine cells that lie together in a chunk's file
    tiles = arguments.cuts * (arguments.cuts + 1) / 2
    # Bytes read, bytes written, and requests: a task asks where its parts of a piece are, and then for the parts.
    stages = {
        "read and tell ids": (PARQUET_BYTES * drawn, 10 * told, 2 * chunks),
        "rank vertices": (20 * told, 8 * told, 4 * chunks * PARTITIONS),  # read to merge the ids, and to answer
        "read and bucket": (PARQUET_BYTES * drawn + 14 * told, 8 * drawn, 2 * chunks * PARTITIONS),
        "sort and write": (8 * drawn, 4.3 * arguments.edges, 2 * chunks * tiles * rows_of_tile),
    }
    total = moved = requests = 0.0
    print(f"  {workers} workers, store of {store_rate / 1e9:.0f} GB/s")
    for name, (read, written, asked) in stages.items():
        limits = {
            "cores": drawn / STAGE_EDGES[name] / workers,
            "network of workers": (read + written) / workers / arguments.worker_rate,
            "store": (read + written) / store_rate,
            "requests": asked / arguments.requests,
        }
        slowest = max(limits, key=lambda limit: limits[limit])
        total, moved, requests = total + limits[slowest], moved + read + written, requests + asked
        print(
            f"    {name:18} {limits[slowest] / 60:7.1f} min by {slowest}; cores {limits['cores'] / 60:5.1f}, "
            f"store {limits['store'] / 60:5.1f}, requests {limits['requests'] / 60:5.1f} min; "
            f"{read / 1e12:5.2f} TB read, {written / 1e12:5.2f} TB written, {asked / 1e6:5.1f} million requests"
        )
    print(
        f"    together {total / 3600:.2f} h, {workers * total / 3600:,.0f} core hours; {moved / 1e12:.1f} TB moved, "
        f"{requests / 1e6:.0f} million requests"
    )


def _about(layout: Layout) -> str:
    return (
        f"{layout.ranges} ranges, tiles of {4 * layout.edges / 1e12:.2f} TB, the largest "
        f"{layout.tile_edges.max() * 4 / 1e9:.1f} GB"
    )


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


def _tests_of(edges: float, small_scale: int) -> float:
    """Return the tests of an R-MAT of a number of edges, by the growth of the tests of two small ones."""
    small, large = (_tests_and_edges(scale) for scale in (small_scale - 2, small_scale))
    power = math.log(large[0] / small[0]) / math.log(large[1] / small[1])
    return large[0] * (edges / large[1]) ** power


def _core_rate(arguments: argparse.Namespace) -> float:
    """Return the tests a second and core of the large graph, by the trend from the smallest to the largest measured."""
    rates = {}
    for scale, seconds in sorted(arguments.core_seconds):
        rates[scale] = _tests_of_scale(scale, arguments.small_scale) / seconds
        print(f"R-MAT {scale}: {rates[scale]:.3g} tests a second and core")
    small, large = min(rates), max(rates)
    trend = math.log(rates[large] / rates[small]) / (large - small) if large > small else 0.0
    edges = _edges_of_scale(large, arguments.small_scale)
    return rates[large] * math.exp(min(trend, 0.0) * math.log2(arguments.edges / edges))


def _edges_of_scale(scale: int, small_scale: int) -> float:
    edges, before = _tests_and_edges(small_scale)[1], _tests_and_edges(small_scale - 2)[1]
    return edges * (edges / before) ** ((scale - small_scale) / 2)


def _tests_of_scale(scale: int, small_scale: int) -> float:
    tests, edges = _tests_and_edges(small_scale)
    before, edges_before = _tests_and_edges(small_scale - 2)
    growth = (edges / edges_before) ** ((scale - small_scale) / 2)
    return tests * (tests / before) ** (math.log(growth) / math.log(edges / edges_before))


_KNOWN: dict[int, tuple[float, int]] = {}


def _tests_and_edges(scale: int) -> tuple[float, int]:
    if scale not in _KNOWN:
        oriented = triadic.generate.rmat(scale, seed=1).oriented()
        lengths = np.diff(oriented.indptr).astype(np.float64)
        _KNOWN[scale] = float((lengths * (lengths - 1) / 2).sum()), len(oriented.indices)
    return _KNOWN[scale]


def _check(small: tuple[Layout, np.ndarray], arguments: argparse.Namespace) -> None:
    layout, tested = small
    model = {triple: cost / 1e9 for triple, cost in costs(layout, tested).items()}
    read = layout.edges * 4 / arguments.read
    factor = (arguments.measured[0] - arguments.serial - read) / sum(model.values())
    graph = Graph(layout, {triple: factor * seconds for triple, seconds in model.items()}, arguments.serial)
    print(
        f"R-MAT {arguments.scale}, {layout.ranges} ranges: estimated cost times {factor:.2f}, "
        f"and {arguments.serial:g} s that are not parallel"
    )
    for workers, measured in zip((1, 2, 4, 8), arguments.measured, strict=False):
        cluster = Cluster(workers, arguments.read, 1e12, 1e12)
        outcome = simulate(graph, cluster, runs_of_strips(graph, cluster), rows=True)
        ratio = outcome.seconds / measured
        print(f"  {workers} workers: {outcome.seconds:7.2f} s simulated, {measured:7.2f} s measured, {ratio:5.2f}")


def _enlarged(arguments: argparse.Namespace, cuts: int, total: float) -> tuple[Layout, dict]:
    """Enlarge the tiles of a small R-MAT in proportion to its edges, and share `total` seconds among its triples."""
    layout, tested = _cut_evenly(cuts)
    factor = arguments.edges / layout.edges
    large = Layout(
        np.round(layout.cuts * factor).astype(np.int64), np.round(layout.tile_edges * factor).astype(np.int64), False, 0
    )
    model = costs(layout, tested)
    share = total / sum(model.values())
    return large, {triple: share * cost for triple, cost in model.items()}


def _scale_and_seconds(text: str) -> tuple[int, float]:
    scale, _, seconds = text.partition(":")
    return int(scale), float(seconds)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    add = parser.add_argument
    add("--scale", type=int, default=22, help="scale of the measured R-MAT")
    add("--ranges", type=int, default=10, help="number of its ranges")
    add("--measured", type=float, nargs="+", default=DASK_SECONDS, help="measured seconds on 1, 2, 4 and 8 workers")
    add("--serial", type=float, default=0.6, help="seconds that are not parallel")
    add("--read", type=float, default=0.6e9, help="bytes of tiles that a worker of this machine reads a second")
    add("--edges", type=float, default=224e9, help="edges of the large graph")
    add("--cuts", type=int, default=40, help="ranges of the large graph for workers")
    add("--card-cuts", type=int, default=16, help="ranges of the large graph for cards")
    add(
        "--core-seconds",
        type=_scale_and_seconds,
        nargs="+",
        default=list(CORE_SECONDS.items()),
        metavar="SCALE:SECONDS",
        help="core seconds of counting R-MATs in tiles",
    )
    add("--card-seconds", type=float, default=CARD_SECONDS, help=f"of counting R-MAT {CARD_SCALE} on a card")
    add("--small-scale", type=int, default=20, help="scale of the larger R-MAT whose tests are counted")
    add("--sum-bytes", type=float, default=2.0, help="bytes of the sum at a rank that a task sends")
    add("--worker-rate", type=float, default=WORKER_RATE, help="bytes a second of a worker's network")
    add("--card-rate", type=float, default=CARD_RATE, help="bytes a second of a card's network")
    add("--chunk-rows", type=float, default=CHUNK_ROWS, help="rows of a chunk of the input of tiling")
    add("--requests", type=float, default=REQUEST_RATE, help="requests that the store answers in a second")
    return parser.parse_args()


if __name__ == "__main__":
    main()
