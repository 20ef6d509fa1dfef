"""What tests of tiling on Dask clusters share: clusters, networks in several files, and the comparison of tiles."""

from __future__ import annotations

import itertools
import os
import signal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from stored_edges import ranks_of
from triadic.errors import DeviceError
from triadic.tiles.cluster.client import connect
from triadic.tiles.stored_tiles import StoredTiles, open_store

SAME_FILES = ("tile-", "degree-", "tested")


def local_cluster(workers, **options):
    """Return a cluster whose workers are threads of this process."""
    import distributed

    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=False,
        dashboard_address="127.0.0.1:0",
        memory_limit=0,
        **options,
    )


def kill_a_worker(client):
    """Kill a worker of a cluster that `connect` started, and return whether one ran.

    No worker is asked for its number, since one that is dying or starting might not answer.
    """
    for nanny in list(client.cluster.workers.values()):
        if nanny.process is not None and nanny.process.status.name == "running" and nanny.pid:
            os.kill(nanny.pid, signal.SIGKILL)
            return True
    return False


def on_two_processes(call, attempts=3):
    """Return ``call(client)`` for a client of two new processes, and of others if no process is left.

    Dask starts a process in place of each that is killed. A call that waits for workers for longer than
    `triadic.worker-timeout` is repeated.
    """
    import dask

    with dask.config.set({"triadic.worker-timeout": "40 s"}):
        for _ in range(attempts):
            with connect("local:2") as client:
                try:
                    return call(client)
                except DeviceError as error:
                    if "the cluster has had no workers" not in str(error):
                        raise
                    problem = error
    raise problem


def write_set(folder, source, target, *, files=3, rows_of_group=300, metadata=None):
    """Write edges as several Parquet files."""
    folder.mkdir()
    table = pa.table({"source": source, "target": target}).replace_schema_metadata(metadata)
    cuts = np.linspace(0, len(table), files + 1).astype(int)
    for k, (a, b) in enumerate(itertools.pairwise(cuts)):
        pq.write_table(table.slice(a, b - a), folder / f"part-{k}.parquet", row_group_size=rows_of_group)
    return folder


def random_edges(kind, edges=4000, vertices=600, seed=0):
    """Return edges with hubs, loops and repeats between numbers, numbers with gaps, or names."""
    chance = np.random.default_rng(seed)
    ends = [chance.zipf(1.6, edges) % vertices, chance.integers(0, vertices, edges)]
    ends[0][:50] = ends[1][:50]
    if kind == "gaps":
        return [end * 10_000_019 + 7 for end in ends]
    if kind == "names":
        letters = ["", "é", "name ", "a much longer name than the others "]
        return [[f"{letters[v % 4]}{v}" for v in end.tolist()] for end in ends]
    return ends


def assert_same_tiles(cluster, one):
    """Assert that two folders hold the same tiles, and that vertices have the same ranks and labels."""
    names = {file.name for file in one.iterdir() if file.name.startswith(SAME_FILES)}
    assert names == {file.name for file in cluster.iterdir() if file.name.startswith(SAME_FILES)}
    for name in names:
        assert (cluster / name).read_bytes() == (one / name).read_bytes(), name
    found, expected = StoredTiles(open_store(cluster)), StoredTiles(open_store(one))
    np.testing.assert_array_equal(ranks_of(found), ranks_of(expected))
    assert (found.labels() is None) == (expected.labels() is None)
    if expected.labels() is not None:
        np.testing.assert_array_equal(found.labels(), expected.labels())
    assert (found.layout.arcs, found.layout.dropped) == (expected.layout.arcs, expected.layout.dropped)
    assert found.labelled == expected.labelled
    for i in range(expected.layout.ranges):
        np.testing.assert_array_equal(found.vertices_of(i), expected.vertices_of(i))
        if expected.labels() is not None:
            np.testing.assert_array_equal(found.labels_of(i), expected.labels_of(i))
    assert not (cluster / "work").exists()
