"""Measure how making tiles scales with the number of Dask workers: ``python benchmarks/dask_tiling.py``.

The program writes an R-MAT network to a Parquet file and makes tiles of it, without Dask and with 1, 2, 4 and 8
processes of one thread on this machine. The start of the processes and the compilation of kernels are not timed, since
a small network is tiled first. Beside the seconds, the program prints the processor time of all workers and of the
client's process, in which the scheduler runs as well, and the seconds of the steps.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from distributed import Client, LocalCluster

import triadic
from triadic.tiles.tiling import make_tiles

_SMALL = 15
_ROW_GROUP = 1 << 20


def main() -> int:
    arguments = _arguments()
    folder = Path(arguments.folder or tempfile.mkdtemp(prefix="triadic-tiling-"))
    small, large = (_parquet(folder, scale) for scale in (_SMALL, arguments.scale))
    options = {"ranges": arguments.ranges, "memory": arguments.memory, "directed": False}
    _runs("one machine", None, small, large, folder, options, arguments)
    first = None
    for workers in arguments.workers:
        with (
            LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
            ) as cluster,
            Client(cluster) as client,
        ):
            client.wait_for_workers(workers)
            median = _runs(f"{workers} workers", client, small, large, folder, options, arguments)
            first = first or median * workers
            print(f"{'':12} efficiency {first / (workers * median):6.1%}", flush=True)
    return 0


def _runs(
    name: str,
    client: Client | None,
    small: Path,
    large: Path,
    folder: Path,
    options: dict,
    arguments: argparse.Namespace,
) -> float:
    """Print the medians of some runs; return the median of the seconds."""
    here = {} if client is not None else {"threads": arguments.threads}
    make_tiles(small, folder / "tiles", client=client, **here, **options)
    shutil.rmtree(folder / "tiles")
    runs = []
    for _ in range(arguments.repeats):
        before, own = client.run(cpu_seconds) if client else {}, cpu_seconds()
        start = time.perf_counter()
        found = make_tiles(large, folder / "tiles", client=client, **here, **options)
        seconds = time.perf_counter() - start
        client_cpu = cpu_seconds() - own
        after = client.run(cpu_seconds) if client else {}
        shutil.rmtree(folder / "tiles")
        runs.append((seconds, sum(after[worker] - before[worker] for worker in after), client_cpu, found.seconds))
    seconds, workers_cpu, client_cpu = (statistics.median(run[k] for run in runs) for k in range(3))
    steps = ", ".join(f"{step} {statistics.median(run[3][step] for run in runs):.2f}" for step in runs[0][3])
    print(
        f"{name:12} {seconds:7.2f} s  CPU of workers {workers_cpu:7.2f} s, of the client {client_cpu:6.2f} s  ({steps};"
        f" {' '.join(f'{run[0]:.2f}' for run in runs)})",
        flush=True,
    )
    return seconds


def cpu_seconds() -> float:
    """Return the processor time of this process."""
    times = psutil.Process().cpu_times()
    return times.user + times.system


def _parquet(folder: Path, scale: int) -> Path:
    """Write the arcs of an R-MAT to a Parquet file, in row groups of a million."""
    path = folder / f"rmat-{scale}.parquet"
    if path.exists():
        return path
    model = triadic.generate.RMat(scale, seed=1)
    schema = pa.schema([("source", pa.int32()), ("target", pa.int32())])
    partial = path.with_suffix(".partial")
    with pq.ParquetWriter(partial, schema, use_dictionary=False) as writer:
        for first in range(0, model.arcs, _ROW_GROUP):
            ends = [np.empty(min(_ROW_GROUP, model.arcs - first), dtype=np.int32) for _ in range(2)]
            model.fill(first, *ends)
            writer.write_table(pa.table(ends, schema=schema), row_group_size=_ROW_GROUP)
    partial.replace(path)
    return path


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks/dask_tiling.py", description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--scale", type=int, default=22, help="the R-MAT has 2 to this power vertices (default 22)")
    add("--ranges", type=int, default=10, help="number of ranges of the tiles (default 10)")
    add("--memory", default="2GB", help="memory of a task (default 2GB)")
    add("--workers", type=int, nargs="*", default=[1, 2, 4, 8], help="numbers of workers (default 1 2 4 8)")
    add("--threads", type=int, default=1, help="threads of the run without Dask (default 1)")
    add("--repeats", type=int, default=3, help="runs with each number of workers (default 3)")
    add("--folder", help="folder for the files; by default a temporary folder")
    return parser.parse_args()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
