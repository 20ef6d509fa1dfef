"""A count that this file alone declares runs on every device, over tiles, on a cluster and in a plan."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import triadic
from strategies import examples, networks
from triadic.counts.count import Bytes, Count, Work, declared, run
from triadic.devices.gpu.rows import degrees_on
from triadic.devices.runtimes.registry import runtimes_of
from triadic.errors import OutOfMemoryError, UnsupportedError
from triadic.planning.plan import plan


def edges_on_cpu(oriented, *, threads, progress):
    below = np.diff(oriented.indptr)
    if progress is not None:
        progress(1, 1)
    return below + np.bincount(oriented.indices, minlength=len(below))


def edges_on_gpu(device, oriented, *, progress):
    runtime = runtimes_of(device)[0]
    return runtime.download(degrees_on(runtime, oriented))


EDGES = Count(
    name="edges of vertices",
    gives="vertices",
    cpu=edges_on_cpu,
    gpu=edges_on_gpu,
    bytes=Bytes(vertex=16),
    work=Work(vertex=1, edge=1),
    adds_over="edges",
)
EDGES_ON_CPU = Count(
    name="edges of vertices on the CPU",
    gives="vertices",
    cpu=edges_on_cpu,
    bytes=Bytes(vertex=16),
    work=Work(vertex=1, edge=1),
    not_tiled="it is an example",
)


@given(networks())
@examples(20)
def test_it_counts_edges(network):
    graph = network.graph()
    found = run(EDGES, graph.oriented(), threads=2)
    assert found[graph.oriented().rank].tolist() == graph.degree.tolist()


def test_it_runs_on_every_device(any_device):
    graph = triadic.generate.rmat(8, seed=1)
    found = run(EDGES, graph.oriented(), device=any_device)
    np.testing.assert_array_equal(found[graph.oriented().rank], graph.degree)


def test_a_device_that_lacks_it_is_refused():
    graph = triadic.generate.rmat(4, seed=1)
    with pytest.raises(UnsupportedError, match="edges of vertices on the CPU are counted on 'cpu'"):
        run(EDGES_ON_CPU, graph.oriented(), device="opencl")


def test_it_runs_over_tiles(tmp_path):
    graph = triadic.generate.rmat(8, seed=1)
    triadic.write(graph, tmp_path / "network.triadic")
    tiles = triadic.tile(tmp_path / "network.triadic", tmp_path / "network.tiles", ranges=3).oriented()
    found = run(EDGES, tiles)
    np.testing.assert_array_equal(found[tiles.rank], graph.degree)
    with pytest.raises(UnsupportedError, match="it is an example"):
        run(EDGES_ON_CPU, tiles)


def test_it_runs_on_a_cluster():
    distributed = pytest.importorskip("distributed")
    graph = triadic.generate.rmat(8, seed=1)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        tiles = triadic.TiledGraph.of(graph, client=client, ranges=3).oriented()
        found = run(EDGES, tiles)
    np.testing.assert_array_equal(found[tiles.rank], graph.degree)


def test_it_is_planned():
    found = plan((1000, 5000), of=EDGES.name, memory="1GB", threads=2)
    assert found.of == EDGES.name
    assert found.bytes_held > 0
    assert plan((10**7, 10**8), of=EDGES.name, memory="1GB", threads=2).way == "tiles"


def test_it_is_among_the_declared_counts_and_what_it_needs_is_checked(monkeypatch):
    assert declared()["edges of vertices"] is EDGES
    oriented = triadic.generate.rmat(8, seed=1).oriented()
    monkeypatch.setattr("triadic.core.memory.available_bytes", lambda: 1 << 8)
    with pytest.raises(OutOfMemoryError, match="counting edges of vertices in a graph of 256 vertices"):
        run(EDGES, oriented, threads=2)


def test_a_small_graph_is_counted_in_its_own_way(monkeypatch):
    monkeypatch.setattr("triadic.counts.count.MOST_SMALL_EDGES", 1 << 62)
    small = Count(
        name="edges of vertices, also of small graphs",
        gives="vertices",
        cpu=lambda *_, **__: pytest.fail("counted as a large graph"),
        small=lambda oriented, *, cuts, threads, progress: edges_on_cpu(oriented, threads=threads, progress=progress),
        bytes=Bytes(vertex=16),
        work=Work(vertex=1, edge=1),
        adds_over="edges",
    )
    graph = triadic.generate.rmat(6, seed=1)
    np.testing.assert_array_equal(run(small, graph.oriented())[graph.oriented().rank], graph.degree)
