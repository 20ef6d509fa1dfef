"""Measure how counting a tiled graph scales with the number of Dask workers: ``python benchmarks/dask_scaling.py``.

The program cuts an R-MAT network into tiles on disk, then computes the clustering coefficients of all vertices with 1,
2, 4 and 8 processes of one thread on this machine. The start of the processes and the compilation of kernels are not
timed, since a small graph is counted first. Every run counts all tiles again, without the results of earlier runs.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from distributed import Client, LocalCluster

import triadic
from triadic.core.blocks import allowed_threads

_SMALL = 12


def main() -> int:
    arguments = _arguments()
    folder = Path(arguments.folder or tempfile.mkdtemp(prefix="triadic-dask-"))
    tiles = _tiles(folder, arguments.scale, arguments.ranges)
    small = _tiles(folder, _SMALL, min(3, arguments.ranges))
    graph = triadic.TiledGraph(tiles)
    print(f"R-MAT {arguments.scale}: {graph!r}; {allowed_threads()} cores; medians of {arguments.repeats}")
    expected = None
    first = None
    for workers in arguments.workers:
        with (
            LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
            ) as cluster,
            Client(cluster) as client,
        ):
            client.wait_for_workers(workers)
            _count(small, client)
            seconds = []
            for _ in range(arguments.repeats):
                coefficients, duration = _count(tiles, client)
                seconds.append(duration)
                if expected is None:
                    expected = coefficients
                elif not np.array_equal(coefficients, expected):
                    raise SystemExit(
                        f"the coefficients of {workers} workers differ from the coefficients of {arguments.workers[0]}"
                    )
        median = statistics.median(seconds)
        first = first or median * workers
        runs = " ".join(f"{duration:.2f}" for duration in seconds)
        efficiency = first / (workers * median)
        print(f"{workers:3} workers  {median:8.2f} s  efficiency {efficiency:6.1%}  ({runs})", flush=True)
    return 0


def _tiles(folder: Path, scale: int, ranges: int) -> Path:
    tiles = folder / f"rmat-{scale}-{ranges}.tiles"
    triadic.tile(triadic.generate.RMat(scale, seed=1), tiles, ranges=ranges)
    return tiles


def _count(tiles: Path, client: Client) -> tuple[np.ndarray, float]:
    with tempfile.TemporaryDirectory(dir=tiles.parent) as results:
        graph = triadic.TiledGraph(tiles, results=results, client=client)
        start = time.perf_counter()
        coefficients = triadic.clustering(graph)
        duration = time.perf_counter() - start
        return np.array(coefficients), duration


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks/dask_scaling.py", description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--scale", type=int, default=22, help="the R-MAT has 2 to this power vertices (default 22)")
    add("--ranges", type=int, default=10, help="number of ranges of the tiles (default 10)")
    add("--workers", type=int, nargs="+", default=[1, 2, 4, 8], help="numbers of workers (default 1 2 4 8)")
    add("--repeats", type=int, default=3, help="runs with each number of workers (default 3)")
    add("--folder", help="folder for the tiles, which are made once; by default a temporary folder")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
