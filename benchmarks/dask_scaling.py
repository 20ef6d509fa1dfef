"""Measure how counting a tiled graph scales with the number of Dask workers: ``python benchmarks/dask_scaling.py``.

The program cuts an R-MAT network into tiles on disk. With 1, 2, 4 and 8 processes of one thread on this machine, the
workers then count the triangles of all vertices and write the table of degrees, triangles and clustering coefficients,
or with ``--arrays`` the client receives the coefficients. The start of the processes and the compilation of kernels are
not timed, since a small graph is counted first. Every run counts all tiles again, without the results of earlier runs.

Beside the seconds, the program prints the processor time of all workers, that of the client's process, in which the
scheduler runs as well, and the share of the run that workers are busy. Efficiency below 100% has three causes: work
that more workers add (CPU seconds of workers), waiting (the busy share), and cores that are slower when all are busy
(CPU seconds of workers, with the same number of tasks). ``--compare-cores`` measures the third: it runs the one-worker
count in as many independent clusters at the same time as there are workers in the largest run. The program also prints
the bytes of the tiles that workers load; ``--cache`` is the memory in which each worker keeps them.

Nothing is downloaded. On a machine without a network, install from wheels triadic with its requirements, and::

    dask distributed click cloudpickle fsspec importlib_metadata jinja2 lazy_importer locket markupsafe msgpack
    packaging partd psutil pyyaml sortedcontainers tblib toolz tornado zict zipp
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil
from distributed import Client, LocalCluster, Worker

import triadic
from triadic.core.blocks import allowed_threads
from triadic.tiles.tile import LeaflessTiles, Tile

_SMALL = 20  # scale of the graph that is counted first, large enough that every worker loads the compiled kernels
_ONE = "--one-worker"


@dataclass(frozen=True)
class Run:
    """One count: its seconds, the processor seconds of each worker and of the client, and a number to compare."""

    seconds: float
    workers: list[float]
    client: float
    result: float
    loaded: float

    @property
    def busy(self) -> float:
        return sum(self.workers) / len(self.workers) / self.seconds


def main() -> int:
    arguments = _arguments()
    folder = Path(arguments.folder or tempfile.mkdtemp(prefix="triadic-dask-"))
    tiles = _tiles(folder, arguments.scale, arguments.ranges)
    small = _tiles(folder, min(_SMALL, arguments.scale), arguments.ranges)
    if arguments.one_worker:
        print(json.dumps([run.seconds for run in _runs(1, tiles, small, arguments)]))
        return 0
    graph = triadic.TiledGraph(tiles)
    made = "an array for the client" if arguments.arrays else "a table written by workers"
    print(f"R-MAT {arguments.scale}: {graph!r}; {allowed_threads()} cores; {made}; medians of {arguments.repeats}")
    expected = first = None
    for workers in arguments.workers:
        runs = _runs(workers, tiles, small, arguments)
        expected = runs[0].result if expected is None else expected
        if any(run.result != expected for run in runs):
            raise SystemExit(f"the result of {workers} workers differs from that of {arguments.workers[0]}")
        median = statistics.median(run.seconds for run in runs)
        first = first or median * workers
        cpu, client, busy, loaded = (
            statistics.median(values)
            for values in zip(*((sum(run.workers), run.client, run.busy, run.loaded) for run in runs), strict=True)
        )
        print(
            f"{workers:3} workers  {median:8.2f} s  efficiency {first / (workers * median):6.1%}  "
            f"CPU of workers {cpu:8.2f} s, of the client {client:6.2f} s; workers busy {busy:6.1%}; "
            f"loaded {loaded / 1e6:,.0f} MB  ({' '.join(f'{run.seconds:.2f}' for run in runs)})",
            flush=True,
        )
    if arguments.compare_cores:
        _compare_cores(max(arguments.workers), first, folder, arguments)
    return 0


def _tiles(folder: Path, scale: int, ranges: int) -> Path:
    tiles = folder / f"rmat-{scale}-{ranges}.tiles"
    triadic.tile(triadic.generate.RMat(scale, seed=1), tiles, ranges=ranges)
    return tiles


def _runs(workers: int, tiles: Path, small: Path, arguments: argparse.Namespace) -> list[Run]:
    with _cluster(workers, arguments.threads) as client:
        _count(small, client, arguments.arrays)
        client.run(_note_loads, arguments.cache)
        return [_count(tiles, client, arguments.arrays) for _ in range(arguments.repeats)]


@contextmanager
def _cluster(workers: int, threads: int):
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=threads, processes=True, dashboard_address="127.0.0.1:0"
        ) as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(workers)
        yield client


def _count(tiles: Path, client: Client, arrays: bool) -> Run:
    with tempfile.TemporaryDirectory(dir=tiles.parent) as results:
        loaded_before = sum(client.run(_bytes_loaded).values())
        before, own = client.run(_cpu_seconds), _cpu_seconds()
        start = time.perf_counter()
        graph = triadic.TiledGraph(tiles, results=results, client=client)
        if arrays:
            result = float(np.sum(triadic.clustering(graph, device="cpu")))
        else:
            result = triadic.vertex_table(
                graph, ("degree", "triangles", "clustering"), output=Path(results) / "table", device="cpu"
            )["clustering"]
        seconds = time.perf_counter() - start
        client_cpu = _cpu_seconds() - own
        after = client.run(_cpu_seconds)
        loaded = sum(client.run(_bytes_loaded).values()) - loaded_before
        return Run(seconds, [after[worker] - before[worker] for worker in after], client_cpu, result, loaded)


def _note_loads(cache: float, dask_worker: Worker) -> None:
    """Count the bytes of the tiles that this worker loads, and limit the bytes of the tiles that it keeps."""
    from triadic.tiles.cluster import tile_transfer

    load = LeaflessTiles.tile

    def tile(self: LeaflessTiles, i: int, j: int) -> Tile:
        loaded = load(self, i, j)
        LeaflessTiles.bytes_loaded += loaded.nbytes
        return loaded

    LeaflessTiles.tile, LeaflessTiles.bytes_loaded = tile, 0
    if cache:
        tile_transfer.CACHE_SHARE = cache / dask_worker.memory_manager.memory_limit


def _bytes_loaded() -> int:
    return getattr(LeaflessTiles, "bytes_loaded", 0)


def _cpu_seconds() -> float:
    times = psutil.Process().cpu_times()
    return times.user + times.system


def _compare_cores(workers: int, first: float, folder: Path, arguments: argparse.Namespace) -> None:
    """Run the count of one worker several times at once, which no scheduling slows down."""
    words = [
        sys.executable,
        __file__,
        _ONE,
        "--folder",
        folder,
        "--scale",
        arguments.scale,
        "--ranges",
        arguments.ranges,
    ]
    words += ["--repeats", 1, *(["--arrays"] if arguments.arrays else [])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    running = [
        subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(workers)
    ]
    seconds = [json.loads(process.communicate()[0].splitlines()[-1])[0] for process in running]
    mean = statistics.mean(seconds)
    print(
        f"{workers} independent counts at the same time: {mean:.2f} s each, so {first / mean:.1%} is the most to expect"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks/dask_scaling.py", description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--scale", type=int, default=22, help="the R-MAT has 2 to this power vertices (default 22)")
    add("--ranges", type=int, default=10, help="number of ranges of the tiles (default 10)")
    add("--workers", type=int, nargs="+", default=[1, 2, 4, 8], help="numbers of workers (default 1 2 4 8)")
    add("--threads", type=int, default=1, help="threads of each worker (default 1)")
    add("--repeats", type=int, default=3, help="runs with each number of workers (default 3)")
    add("--cache", type=float, default=0, help="bytes of tiles that each worker keeps (default: a share of its memory)")
    add("--folder", help="folder for the tiles, which are made once; by default a temporary folder")
    add("--arrays", action="store_true", help="count for the client, in place of a table that workers write")
    add("--compare-cores", action="store_true", help="also run independent counts of one worker at the same time")
    add(_ONE, action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
