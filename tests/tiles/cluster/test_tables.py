"""Workers of a cluster write the table of vertices, which equals the table in memory; the client sees totals only."""

from __future__ import annotations

import numpy as np
import pytest

import triadic
from triadic.tiles.cluster import cluster_count

distributed = pytest.importorskip("distributed")
parquet = pytest.importorskip("pyarrow.parquet")

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
    monkeypatch.setattr(cluster_count, "_GROUP_SECONDS", 1e-4)


@pytest.fixture
def network(tmp_path):
    """Return a directed network with names, and a folder with its tiles in four ranges."""
    source, target = np.random.default_rng(1).integers(0, 90, (2, 1500)) ** 2 // 90
    path = tmp_path / "network.txt"
    path.write_text("".join(f"v{a} v{b}\n" for a, b in zip(source, target, strict=True)))
    triadic.tile(path, tmp_path / "tiles", ranges=4, directed=True)
    return triadic.read(path, directed=True), tmp_path / "tiles"


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
    totals = triadic.write_vertex_table(triadic.TiledGraph(tiles, client=here), tmp_path / "table", MEASURES)
    assert_same(tmp_path / "table", graph, MEASURES)
    assert totals == triadic.write_vertex_table(graph, tmp_path / "in-memory", MEASURES)
    assert_same(tmp_path / "in-memory", graph, MEASURES)
    assert totals == triadic.write_vertex_table(triadic.TiledGraph(tiles), tmp_path / "one-machine", MEASURES)
    assert_same(tmp_path / "one-machine", graph, MEASURES)
    names = sorted(file.name for file in (tmp_path / "table").iterdir())
    assert names == ["_SUCCESS", *(f"part-0000{i}.parquet" for i in range(4))]
