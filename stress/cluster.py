"""A Dask cluster whose workers or client are killed while they count: the same counts, then or in the next run.

Tasks and groups are made short, so that a small graph has many of each. A client counts arrays, whose sums it stores
itself, or lets the workers write a table. After a kill the same call runs again and must go on to the same result.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import numpy as np

SHORT = """
from triadic.tiles.cluster import cluster_count
cluster_count.SHORTEST, cluster_count._GROUP_SECONDS = 1e6, 0.01
"""
CLIENT = """
import sys, triadic
from distributed import Client
with Client(sys.argv[1]) as client:
    tiled = triadic.TiledGraph(sys.argv[2], results=sys.argv[3], client=client)
    print("ready", flush=True)
    if sys.argv[4]:
        triadic.vertex_table(tiled, ["degree", "in_degree", "triads"], output=sys.argv[4])
    else:
        triadic.triangles(tiled)
    print("done", flush=True)
"""


def run(count, seed, folder, tally):
    """Count `count` times while something is killed."""
    import triadic
    from triadic.tiles.cluster.client import connect

    exec(SHORT)
    rng = np.random.default_rng(seed)
    tiles, results, table = folder / "tiles", folder / "results", folder / "table"
    model = triadic.generate.RMat(14, seed=3, directed=True)
    shutil.rmtree(tiles, ignore_errors=True)
    triadic.tile(model, tiles, ranges=6)
    graph = triadic.generate.make_graph(model)
    expected = triadic.triangles(graph)
    columns = triadic.vertex_table(graph, ["degree", "in_degree", "triads"])
    seconds = {}  # of an undisturbed run, by whether a table is written
    with connect("local:2") as client:
        address = client.scheduler.address
        for number in range(-2, count):
            for place in (results, table):
                shutil.rmtree(place, ignore_errors=True)
            writes = number % 2 == 1
            case = f"{'table' if writes else 'arrays'} {number} of seed {seed}"
            words = [sys.executable, "-c", SHORT + CLIENT, address, tiles, results, table if writes else ""]
            process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            process.stdout.readline()
            started = time.monotonic()
            if number < 0:
                process.stdout.readline()
                seconds[writes] = time.monotonic() - started
                process.communicate()
                continue
            kills_client = number % 4 < 2
            client.wait_for_workers(2)
            victim = process.pid if kills_client else list(client.run(os.getpid).values())[rng.integers(2)]
            timer = threading.Timer(float(rng.random()) * seconds[writes], _kill, [victim])
            timer.start()
            out, err = process.communicate()
            timer.join()
            finished = "done" in out
            if not kills_client and not finished:
                lines = err.strip().splitlines()
                if not lines or not lines[-1].startswith("triadic.errors."):
                    tally.fail(err, case=case)
                    continue
            tiled = triadic.TiledGraph(tiles, results=results, client=client)
            if writes:
                triadic.vertex_table(tiled, ["degree", "in_degree", "triads"], output=table)
                same = _same_table(table, columns)
            else:
                same = np.array_equal(triadic.triangles(tiled), expected)
            outcome = f"{'client' if kills_client else 'worker'} killed, {'table' if writes else 'arrays'}: equal"
            outcome += (
                ", too late" if kills_client and finished else "" if finished or kills_client else " in the next run"
            )
            tally.add(outcome) if same else tally.fail("another result", case=case)


def _kill(process):
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def _same_table(folder, columns):
    import pyarrow.parquet

    names = sorted(file.name for file in folder.iterdir())
    found = pyarrow.parquet.read_table(folder).sort_by("vertex")
    return names == ["_SUCCESS", *(f"part-{i:05d}.parquet" for i in range(6))] and all(
        np.array_equal(found[name].to_numpy(), column) for name, column in columns.items()
    )
