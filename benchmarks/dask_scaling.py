"""Measure how counting a tiled graph scales with Dask's workers: ``python benchmarks/dask_scaling.py``.

Cuts an R-MAT into tiles on disk, then takes the clustering coefficients of all its vertices with 1, 2, 4 and 8
processes of one thread on this machine. Starting processes and compiling kernels are outside the clock: a small graph
is counted first. Every run begins from the tiles: what was counted before is not taken.
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
    asked = _arguments()
    folder = Path(asked.folder or tempfile.mkdtemp(prefix="triadic-dask-"))
    tiles = _tiles(folder, asked.scale, asked.ranges)
    small = _tiles(folder, _SMALL, min(3, asked.ranges))
    graph = triadic.TiledGraph(tiles)
    print(f"R-MAT {asked.scale}: {graph!r}; {allowed_threads()} cores; medians of {asked.repeats}")
    expected = None
    first = None
    for workers in asked.workers:
        with (
            LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
            ) as cluster,
            Client(cluster) as client,
        ):
            client.wait_for_workers(workers)
            _count(small, client)
            seconds = []
            for _ in range(asked.repeats):
                found, took = _count(tiles, client)
                seconds.append(took)
                if expected is None:
                    expected = found
                elif not np.array_equal(found, expected):
                    raise SystemExit(f"{workers} workers: the coefficients differ from those of {asked.workers[0]}")
        took = statistics.median(seconds)
        first = first or took * workers
        runs = " ".join(f"{each:.2f}" for each in seconds)
        print(f"{workers:3} workers  {took:8.2f} s  efficiency {first / (workers * took):6.1%}  ({runs})", flush=True)
    return 0


def _tiles(folder: Path, scale: int, ranges: int) -> Path:
    tiles = folder / f"rmat-{scale}-{ranges}.tiles"
    triadic.tile(triadic.generate.RMat(scale, seed=1), tiles, ranges=ranges)
    return tiles


def _count(tiles: Path, client: Client) -> tuple[np.ndarray, float]:
    with tempfile.TemporaryDirectory(dir=tiles.parent) as results:
        graph = triadic.TiledGraph(tiles, results=results, client=client)
        start = time.perf_counter()
        found = triadic.clustering(graph)
        took = time.perf_counter() - start
        return np.array(found), took


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks/dask_scaling.py", description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--scale", type=int, default=22, help="of the R-MAT: 2 to this power vertices (default 22)")
    add("--ranges", type=int, default=10, help="ranges of the tiles (default 10)")
    add("--workers", type=int, nargs="+", default=[1, 2, 4, 8], help="numbers of workers (default 1 2 4 8)")
    add("--repeats", type=int, default=3, help="counts with each number of workers (default 3)")
    add("--folder", help="for the tiles, which are made once; a temporary one by default")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
