"""Workers of a cluster write the table of vertices, which equals the table in memory; the client sees totals only."""

from __future__ import annotations

import shutil
import time

import numpy as np
import pytest

import triadic
from tiles_of_clusters import kill_a_worker, on_two_processes
from triadic.errors import ArgumentError, UnsupportedError, WriteError
from triadic.tiles.cluster import cluster_count, strips, tables
from triadic.tiles.cluster.cluster_count import StoredSums
from triadic.tiles.store import locked
from triadic.tiles.stored_tiles import open_store

distributed = pytest.importorskip("distributed")
parquet = pytest.importorskip("pyarrow.parquet")

THREE = ("degree", "triangles", "clustering")
MEASURES = (
    "degree", "in_degree", "out_degree", "mutual_degree", "triangles", "clustering", "directed_clustering",
    "ldbc_clustering", "triads", "roles",
)  # fmt: skip


@pytest.fixture(scope="module")
def here():
    """Yield a client of two workers of two threads in this process."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=2, processes=False, dashboard_address="127.0.0.1:0", memory_limit=0
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def _short(monkeypatch):
    """Make tasks and groups short, so that a small graph has many."""
    monkeypatch.setattr(cluster_count, "SHORTEST", 1e3)
    monkeypatch.setattr(cluster_count, "_GROUP_SECONDS", 1e-7)


@pytest.fixture
def network(tmp_path):
    """Return a directed network with names, and a folder with its tiles in four ranges."""
    source, target = np.random.default_rng(1).integers(0, 60, (2, 700)) ** 2 // 60
    path = tmp_path / "network.txt"
    path.write_text("".join(f"v{a} v{b}\n" for a, b in zip(source, target, strict=True)))
    triadic.tile(path, tmp_path / "tiles", ranges=4, directed=True)
    return triadic.read(path, directed=True), tmp_path / "tiles"


def _is_busy(dask_worker):
    return bool(dask_worker.state.executing)


def assert_same(folder, graph, measures):
    """Assert that a folder holds the table of a graph, its rows in any order."""
    found = parquet.read_table(folder).sort_by("vertex").to_pydict()
    expected = triadic.vertex_table(graph, measures)
    assert list(found) == ["vertex", "label", *expected]
    assert found["vertex"] == list(range(graph.num_vertices))
    assert found["label"] == (found["vertex"] if graph.labels is None else list(graph.labels))
    for name, column in expected.items():
        np.testing.assert_array_equal(found[name], column)


@pytest.mark.usefixtures("_short")
def test_all_measures_of_a_directed_network(here, network, tmp_path):
    graph, tiles = network
    totals = triadic.vertex_table(triadic.TiledGraph(tiles, client=here), MEASURES, output=tmp_path / "table")
    assert_same(tmp_path / "table", graph, MEASURES)
    assert totals == triadic.vertex_table(graph, MEASURES, output=tmp_path / "in-memory")
    assert_same(tmp_path / "in-memory", graph, MEASURES)
    assert totals == triadic.vertex_table(triadic.TiledGraph(tiles), MEASURES, output=tmp_path / "one-machine")
    assert_same(tmp_path / "one-machine", graph, MEASURES)
    names = sorted(file.name for file in (tmp_path / "table").iterdir())
    assert names == ["_SUCCESS", *(f"part-0000{i}.parquet" for i in range(4))]


def test_triangles_of_a_model_at_a_url(here, tmp_path):
    pytest.importorskip("fsspec")
    model = triadic.generate.RMat(8, seed=2)
    triadic.tile(model, tmp_path / "tiles", ranges=3)
    tiled = triadic.TiledGraph(tmp_path / "tiles", client=here)
    graph = triadic.generate.make_graph(model)
    url = f"memory://{tmp_path.name}/table/"
    totals = triadic.vertex_table(tiled, THREE, output=url)
    assert totals["triangles"] == 3 * triadic.triangle_count(graph)
    assert totals["clustering"] / 256 == pytest.approx(triadic.average_clustering(graph), rel=1e-14)
    store = open_store(url)
    assert store.list("part-") == [f"part-0000{i}.parquet" for i in range(3)]
    assert [name for name in open_store(f"{url}_sums").list() if "." in name] == []
    (tmp_path / "copy").mkdir()
    for name in store.list("part-"):
        (tmp_path / "copy" / name).write_bytes(store.get(name).tobytes())
    assert_same(tmp_path / "copy", graph, ["degree", "triangles", "clustering"])
    assert triadic.vertex_table(tiled, THREE, output=url) == totals  # is not counted again


@pytest.mark.usefixtures("_short")
def test_an_interrupted_table_goes_on(here, network, tmp_path, monkeypatch):
    graph, tiles = network
    tiled = triadic.TiledGraph(tiles, client=here)
    groups = []

    def interrupt(done, total):
        groups.append(len(list((tmp_path / "table" / "_sums").glob("*/group-*.json"))))
        if groups[-1] > 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        triadic.vertex_table(tiled, THREE, output=tmp_path / "table", progress=interrupt)
    place, oriented = str(tmp_path / "table" / "_sums" / "triangles-of-vertices"), tiled.oriented()
    stored = StoredSums(place, oriented.source.fingerprint)
    assert 0 < len(stored.counted_triples()) < 20
    with pytest.raises(WriteError, match="holds an unfinished table of another graph or of other measures"):
        triadic.vertex_table(tiled, "degree", output=tmp_path / "table")
    parts = []
    write = tables._write

    def fail_at_second(task, part):
        parts.append(part)
        if len(parts) == 2:
            raise WriteError(f"{task.output}: cannot be written: No space left on device")
        return write(task, part)

    counted = []
    monkeypatch.setattr(tables, "_write", fail_at_second)
    with pytest.raises(WriteError, match="No space left on device"):
        triadic.vertex_table(tiled, THREE, output=tmp_path / "table", progress=lambda *report: counted.append(report))
    assert not (tmp_path / "table" / "_SUCCESS").exists()
    monkeypatch.setattr(tables, "_write", write)
    triadic.vertex_table(tiled, THREE, output=tmp_path / "table")
    assert_same(tmp_path / "table", graph, ["degree", "triangles", "clustering"])


@pytest.mark.usefixtures("_short")
def test_a_full_store_is_one_line_and_the_same_call_goes_on(here, network, tmp_path, monkeypatch):
    graph, tiles = network
    tiled = triadic.TiledGraph(tiles, client=here)
    put = cluster_count.put_array
    calls = []

    def fail_at_fifth(store, name, array):
        calls.append(name)
        if len(calls) == 5:
            raise WriteError(f"{store.place}/{name}: cannot be written: No space left on device")
        return put(store, name, array)

    monkeypatch.setattr(cluster_count, "put_array", fail_at_fifth)
    with pytest.raises(WriteError, match="No space left on device") as caught:
        triadic.vertex_table(tiled, THREE, output=tmp_path / "table")
    assert "\n" not in str(caught.value)
    triadic.vertex_table(tiled, THREE, output=tmp_path / "table")
    assert_same(tmp_path / "table", graph, ["degree", "triangles", "clustering"])


@pytest.mark.usefixtures("_short")
def test_groups_of_two_clients_are_used_once(here, network, tmp_path):
    graph, tiles = network
    tiled = triadic.TiledGraph(tiles, client=here)
    sums = tmp_path / "table" / "_sums" / "triangles-of-vertices"
    saved = tmp_path / "saved"

    def keep(done, total):
        shutil.copytree(sums, saved, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*"))
        if len(list(saved.glob("group-*.json"))) > 3:
            raise KeyboardInterrupt

    for _ in range(2):  # two clients that do not see each other's groups
        with pytest.raises(KeyboardInterrupt):
            triadic.vertex_table(tiled, THREE, output=tmp_path / "table", progress=keep)
        deadline = time.monotonic() + 60
        while any(here.run(_is_busy).values()):  # a task that stores sums may still run, and nobody waits for it
            assert time.monotonic() < deadline
            time.sleep(0.05)
        shutil.rmtree(sums)
    shutil.copytree(saved, sums)
    damaged = sums / "group-0000.json"
    damaged.write_text("{")
    triadic.vertex_table(tiled, THREE, output=tmp_path / "table")
    assert_same(tmp_path / "table", graph, ["degree", "triangles", "clustering"])


def test_a_folder_of_something_else_is_refused(here, network, tmp_path):
    _, tiles = network
    tiled = triadic.TiledGraph(tiles, client=here)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear diary")
    with pytest.raises(WriteError, match=r"holds a file of something else \(diary.txt\); choose a new name"):
        triadic.vertex_table(tiled, THREE, output=tmp_path / "mine")
    with pytest.raises(WriteError, match="is a file; expected the name of a folder"):
        triadic.vertex_table(tiled, THREE, output=tmp_path / "mine" / "diary.txt")
    with pytest.raises(WriteError, match="holds a complete table or files of something else; choose a new name"):
        triadic.vertex_table(triadic.TiledGraph(tiles), THREE, output=tmp_path / "mine")
    triadic.vertex_table(tiled, "degree", output=tmp_path / "table")
    with pytest.raises(WriteError, match="holds a table of another graph or of other measures; choose a new name"):
        triadic.vertex_table(tiled, "triangles", output=tmp_path / "table")
    with pytest.raises(UnsupportedError, match=r"^vertex_table does not take a TiledGraph: of='orbits'"):
        triadic.vertex_table(tiled, ["degree", "orbits"], output=tmp_path / "orbits")
    with pytest.raises(ArgumentError, match="output=3: expected a text or a path"):
        triadic.vertex_table(tiled, THREE, output=3)
    with pytest.raises(ArgumentError, match="of='wealth'"):
        triadic.vertex_table(tiled, "wealth", output=tmp_path / "table")


def test_a_table_takes_one_client_at_a_time(here, network, tmp_path):
    _, tiles = network
    tiled = triadic.TiledGraph(tiles, client=here)
    (tmp_path / "table" / "_sums").mkdir(parents=True)
    with locked(tmp_path / "table" / "_sums"), pytest.raises(WriteError, match="process"):
        triadic.vertex_table(tiled, THREE, output=tmp_path / "table")


def edges_of(folder):
    """Return the triangles at each edge of a table of edges, by its ends in any order."""
    found = parquet.read_table(folder).to_pydict()
    ends = zip(found["source"], found["target"], strict=True)
    by_edge = {frozenset(pair): count for pair, count in zip(ends, found["triangles"], strict=True)}
    assert len(by_edge) == len(found["triangles"])
    return by_edge


@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize("blocks", [1 << 26, 0])
def test_support_of_edges(here, network, tmp_path, blocks, monkeypatch):
    monkeypatch.setattr(strips, "_BLOCK_BYTES", blocks)
    graph, tiles = network
    tiled = triadic.TiledGraph(tiles, client=here)
    totals = triadic.edge_support(tiled, output=tmp_path / "edges")
    skeleton = graph.to_undirected()
    labels = skeleton.labels
    support = triadic.edge_support(skeleton)
    expected = {
        frozenset((labels[u], labels[v])): count for u, v, count in zip(*skeleton.edges(), support, strict=True)
    }
    assert edges_of(tmp_path / "edges") == expected
    assert totals == {"edges": len(support), "triangles": support.sum()}
    assert triadic.edge_support(graph, output=tmp_path / "in-memory") == totals
    assert edges_of(tmp_path / "in-memory") == expected
    with pytest.raises(UnsupportedError, match=r"edge_support does not take a TiledGraph: .* on a Dask cluster"):
        triadic.edge_support(triadic.TiledGraph(tiles), output=tmp_path / "one-machine")
    with pytest.raises(UnsupportedError, match="device='opencl'"):
        triadic.edge_support(tiled, output=tmp_path / "device", device="opencl")


NETWORKS = {
    "R-MAT": triadic.generate.RMat(7, seed=5, directed=True),
    "small world": triadic.generate.WattsStrogatz(150, 6, 0.2, seed=1),
    "preferential attachment": triadic.generate.BarabasiAlbert(120, 5, seed=2),
}


@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize(
    ("workers", "cuts"),
    [
        pytest.param(1, (5,), marks=pytest.mark.nightly),
        pytest.param(2, (1, 9), marks=pytest.mark.nightly),
        (4, (3,)),
    ],
)
def test_any_network_cut_and_number_of_workers(tmp_path, workers, cuts, monkeypatch):
    monkeypatch.setattr(tables, "_LEAST_ROWS", 12)
    with (
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0", memory_limit=0
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        for name, model in NETWORKS.items():
            graph = triadic.generate.make_graph(model)
            for ranges in cuts:
                place = tmp_path / f"{name} {ranges}"
                triadic.tile(model, place / "tiles", ranges=ranges)
                tiled = triadic.TiledGraph(place / "tiles", client=client, results=place / "results")
                np.testing.assert_array_equal(triadic.triangles(tiled), triadic.triangles(graph))
                assert triadic.triad_census(tiled) == triadic.triad_census(graph)
                totals = triadic.vertex_table(tiled, ["clustering", "triads"], output=place / "table")
                assert_same(place / "table", graph, ["clustering", "triads"])
                assert totals["triad 300"] == 3 * triadic.triad_census(graph)["300"]
                assert totals["vertices"] == graph.num_vertices


@pytest.mark.nightly
@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_worker_is_killed_while_a_table_is_written(network, tmp_path, share):
    graph, tiles = network
    killed = []

    def write(client):
        def kill(done, total):
            if not killed and share <= done / total < 1 and kill_a_worker(client):
                killed.append(done)

        tiled = triadic.TiledGraph(tiles, client=client)
        triadic.vertex_table(tiled, ["degree", "triangles", "triads"], output=tmp_path / "table", progress=kill)

    on_two_processes(write)
    assert_same(tmp_path / "table", graph, ["degree", "triangles", "triads"])
    assert killed
