"""Compare two ways to move the edges of tiles between workers: files by range, as tiling does, and Dask's own shuffle.

    python benchmarks/tiling_shuffle.py --scale 20 --workers 2

Each of some chunks of an R-MAT graph is a task that makes keys of edges with the number of their cell; each cell is a
task that sorts its keys. The edges of a chunk reach their cells (1) in a file with a part for each cell, which the
tasks of the cells read, and (2) by ``shuffle_method="p2p"`` of dask.dataframe. Both take the same keys, and their sums
are compared.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from triadic.generate import RMat
from triadic.tiles.cluster.client import connect
from triadic.tiles.cluster.pieces import put_piece, read_index, read_parts
from triadic.tiles.store import SharedFolderStore

_RANGES = 10
_CELLS = _RANGES * (_RANGES + 1) // 2


def keys_of(scale, chunk, chunks):
    """Return the cells and keys of one chunk, ordered by cell."""
    model = RMat(scale, seed=1)
    first, last = (model.arcs * k // chunks for k in (chunk, chunk + 1))
    source, target = np.empty(last - first, dtype=np.int32), np.empty(last - first, dtype=np.int32)
    model.fill(first, source, target)
    high, low = np.maximum(source, target).astype(np.int64), np.minimum(source, target).astype(np.int64)
    width = -(-(1 << scale) // _RANGES)
    row, column = high // width, low // width
    cell = (row * (row + 1) // 2 + column).astype(np.uint16)
    order = np.argsort(cell, kind="stable")
    return cell[order], ((high << 32) | low)[order]


def write_chunk(folder, scale, chunk, chunks):
    cell, key = keys_of(scale, chunk, chunks)
    cuts = np.searchsorted(cell, np.arange(_CELLS + 1))
    parts = [(key[a:b],) for a, b in pairwise(cuts)]
    put_piece(SharedFolderStore(folder, flushed=False), f"edges-{chunk}", parts)


def sort_cell(folder, cell, chunks):
    store, names = SharedFolderStore(folder, flushed=False), [f"edges-{chunk}" for chunk in range(chunks)]
    keys = np.concatenate([part[0] for part in read_parts(store, names, read_index(store, names, cell, cell + 1))])
    keys.sort()
    return int(keys.sum() % (1 << 40)), len(keys)


def by_files(client, scale, chunks):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        client.gather([client.submit(write_chunk, folder, scale, k, chunks, pure=False) for k in range(chunks)])
        return client.gather([client.submit(sort_cell, folder, c, chunks, pure=False) for c in range(_CELLS)])


def frame_of(chunk, scale, chunks):
    cell, key = keys_of(scale, chunk, chunks)
    return pd.DataFrame({"cell": cell.astype(np.int64), "key": key})


def sort_frame(frame):
    """Return a row for each cell of a partition: Dask may put several cells into one."""
    rows = []
    for _, part in frame.groupby("cell"):
        keys = np.sort(part["key"].to_numpy())
        rows.append((int(keys.sum() % (1 << 40)), len(keys)))
    return pd.DataFrame(rows, columns=["total", "length"], dtype=np.int64)


def by_dask(_client, scale, chunks):
    import dask.dataframe as dd

    meta = pd.DataFrame({"cell": np.zeros(0, dtype=np.int64), "key": np.zeros(0, dtype=np.int64)})
    frame = dd.from_map(frame_of, range(chunks), scale=scale, chunks=chunks, meta=meta)
    moved = frame.shuffle("cell", npartitions=_CELLS, shuffle_method="p2p")
    found = moved.map_partitions(sort_frame, meta=pd.DataFrame({"total": [0], "length": [0]})).compute()
    return list(zip(found["total"], found["length"], strict=True))


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--chunks", type=int, default=16)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    with connect(f"local:{options.workers}") as client:
        expected = None
        for repeat in range(-1, options.repeat):  # the first pass compiles and imports
            for name, way in (("files", by_files), ("Dask's shuffle", by_dask)):
                before, started = client.run(cpu_seconds), time.perf_counter()
                found = sorted(way(client, 14 if repeat < 0 else options.scale, options.chunks))
                seconds, after = time.perf_counter() - started, client.run(cpu_seconds)
                cpu = sum(after[worker] - before[worker] for worker in after)
                if repeat >= 0:
                    expected = expected or found
                    same = sum(total for total, _ in found) == sum(total for total, _ in expected)
                    print(f"{name:>15} {seconds:6.2f} s  CPU of workers {cpu:6.2f} s  {'' if same else 'DIFFERENT'}")


if __name__ == "__main__":
    main()
