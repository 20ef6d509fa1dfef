"""Workers with little memory cut the tiles that they read, and count the same as memory does."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import triadic
from tiles_of_clusters import kill_a_worker, on_two_processes
from triadic.counts.closed_triads import CLOSED_TRIADS_OF_VERTICES
from triadic.counts.count import part_counter
from triadic.counts.dyads import DYADS
from triadic.counts.triangles import TRIANGLES
from triadic.errors import OutOfMemoryError
from triadic.tiles import tile as tile_module
from triadic.tiles.cluster import cluster_count, edge_windows, tile_transfer
from triadic.tiles.cluster.cutting import bytes_needed, cut_to_fit, fine_layout
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.recut import recut_layout
from triadic.tiles.tile import CachedTiles, LeaflessTiles, num_leafless_ranks

distributed = pytest.importorskip("distributed")
parquet = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def rmat(tmp_path_factory):
    """Return a directed R-MAT graph, and a folder with its tiles in two ranges."""
    model = triadic.generate.RMat(11, seed=3, directed=True)
    tiles = tmp_path_factory.mktemp("rmat") / "tiles"
    triadic.tile(model, tiles, ranges=2)
    return triadic.generate.make_graph(model), tiles


def leafless(tiled):
    source = tiled.oriented().source
    return LeaflessTiles(source, num_leafless_ranks(source))


def counter_of(count):
    return part_counter(count, {}, threads=1, device="cpu")


@pytest.fixture
def small(monkeypatch):
    """Return a function that limits the memory of each thread of workers in this process, and makes tasks short."""

    def limit(allowed):
        monkeypatch.setattr(tile_transfer, "_limits_of", lambda worker: (allowed, 1))

    monkeypatch.setattr(cluster_count, "SHORTEST", 1e3)
    return limit


def files_of(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("share", [0.3, *(pytest.param(share, marks=pytest.mark.nightly) for share in (0.6, 0.15))])
def test_stored_tiles_are_cut(here, rmat, tmp_path, small, share):
    graph, tiles = rmat
    tiled = triadic.TiledGraph(tiles, client=here, results=tmp_path)
    for count, measure in ((TRIANGLES, triadic.triangles), (CLOSED_TRIADS_OF_VERTICES, triadic.triad_census_by_vertex)):
        small(int(share * bytes_needed(leafless(tiled).layout, counter_of(count))))
        assert np.array_equal(measure(tiled), measure(graph))
    small(int(share * bytes_needed(leafless(tiled).layout, counter_of(TRIANGLES))))
    assert triadic.triad_census(tiled) == triadic.triad_census(graph)
    here.run(tile_transfer.drop_cached_tiles)
    folders = here.run(lambda dask_worker: dask_worker.local_directory).values()
    assert not [path for folder in folders for path in files_of(Path(folder)) if "cut-" in str(path)]


def test_a_graph_in_memory_is_cut(here, rmat, small):
    graph, _ = rmat
    tiled = triadic.TiledGraph.of(graph, client=here, ranges=1)
    small(bytes_needed(leafless(tiled).layout, counter_of(TRIANGLES)) // 4)
    assert np.array_equal(triadic.triangles(tiled), triadic.triangles(graph))


def test_tables_of_tiles_that_are_cut(here, rmat, tmp_path, small):
    graph, tiles = rmat
    tiled = triadic.TiledGraph(tiles, client=here)
    small(bytes_needed(leafless(tiled).layout, counter_of(CLOSED_TRIADS_OF_VERTICES)) // 3)
    measures = ["degree", "triangles", "triads"]
    totals = triadic.write_vertex_table(tiled, tmp_path / "table", measures)
    assert totals == triadic.write_vertex_table(graph, tmp_path / "in-memory", measures)
    found = parquet.read_table(tmp_path / "table").sort_by("vertex")
    assert found == parquet.read_table(tmp_path / "in-memory").sort_by("vertex").cast(found.schema)


def test_support_of_tiles_that_are_cut(here, rmat, tmp_path, small):
    _, tiles = rmat
    expected = triadic.write_edge_support(triadic.TiledGraph(tiles, client=here), tmp_path / "whole")
    tiled = triadic.TiledGraph(tiles, client=here)
    allowed = max(64 * int(tiled.oriented().layout.tile_edges.max()) + 48 * 2048, 1 << 16)
    small(allowed)
    assert triadic.write_edge_support(tiled, tmp_path / "cut") == expected
    order = [("source", "ascending"), ("target", "ascending")]
    whole, cut = (parquet.read_table(tmp_path / name).sort_by(order) for name in ("whole", "cut"))
    assert cut == whole


def test_too_little_memory_is_refused_with_both_sizes(here, rmat, tmp_path, small):
    _, tiles = rmat
    small(1_000)
    with pytest.raises(
        OutOfMemoryError,
        match=r"a thread of a worker has .*B: counting the smallest tiles takes .*B; give workers more memory",
    ):
        triadic.triangles(triadic.TiledGraph(tiles, client=here, results=tmp_path))


def test_a_count_begun_in_cut_ranges_goes_on_with_more_memory(here, rmat, tmp_path, small, monkeypatch):
    graph, tiles = rmat
    monkeypatch.setattr(cluster_count, "_GROUP_SECONDS", 1e-6)
    tiled = triadic.TiledGraph(tiles, client=here, results=tmp_path)
    small(bytes_needed(leafless(tiled).layout, counter_of(TRIANGLES)) // 4)

    def interrupt(done, total):
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        triadic.triangles(tiled, progress=interrupt)
    small(1 << 40)
    reports = []
    again = triadic.TiledGraph(tiles, client=here, results=tmp_path)
    found = triadic.triangles(again, progress=lambda *report: reports.append(report))
    assert np.array_equal(found, triadic.triangles(graph))
    assert reports[0][0] > 0


@pytest.mark.parametrize("in_memory", [True, False])
def test_counts_over_edges_take_some_rows_at_a_time(here, rmat, tmp_path, small, monkeypatch, in_memory):
    graph, tiles = rmat
    monkeypatch.setattr(tile_module, "_MARK_ROWS", 64)
    monkeypatch.setattr(tile_module, "_MARK_ENTRIES", 500)
    calls, count = [], edge_windows.count_tile

    def note(*arguments, **keywords):
        calls.append(arguments[5])
        return count(*arguments, **keywords)

    monkeypatch.setattr(edge_windows, "count_tile", note)
    monkeypatch.setattr(edge_windows, "TILE_SHARE", 100)
    small(400_000)
    options = {"client": here} if in_memory else {"client": here, "results": tmp_path}
    tiled = triadic.TiledGraph.of(graph, ranges=2, **options) if in_memory else triadic.TiledGraph(tiles, **options)
    assert triadic.dyad_census(tiled) == triadic.dyad_census(graph)
    np.testing.assert_array_equal(triadic.triad_census_by_vertex(tiled), triadic.triad_census_by_vertex(graph))
    assert len(calls) > 20
    assert None not in calls
    source = tiled.oriented().source
    monkeypatch.setattr(edge_windows, "_NOT_REFUSED", 0)
    with pytest.raises(OutOfMemoryError, match=r"the edges of [0-9,]+ vertices in .* takes at least .*B, and a"):
        edge_windows.count_tile_in(source, 1, 0, counter_of(DYADS), (), 20_000)


@pytest.mark.parametrize("more", [True, False])
def test_a_table_begun_with_other_memory(here, rmat, tmp_path, small, monkeypatch, more):
    graph, tiles = rmat
    monkeypatch.setattr(cluster_count, "_GROUP_SECONDS", 1e-6)
    tiled = triadic.TiledGraph(tiles, client=here)
    needed, table = bytes_needed(leafless(tiled).layout, counter_of(TRIANGLES)), tmp_path / "table"
    small(needed // 3)

    def interrupt(done, total):
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        triadic.write_vertex_table(tiled, table, ["triangles"], progress=interrupt)
    begun = {path.name for path in table.rglob("group-*.json")}
    assert begun
    reports = []

    def report(done, total):
        reports.append(done / total)

    small(1 << 40 if more else needed // 6)
    again = triadic.TiledGraph(tiles, client=here)
    if more:
        triadic.write_vertex_table(again, table, ["triangles"], progress=report)
        assert reports[0] > 0  # the groups that were stored are not counted again
    else:
        with pytest.warns(RuntimeWarning, match="triangles of vertices are counted again from the"):
            triadic.write_vertex_table(again, table, ["triangles"], progress=report)
        assert reports[0] == 0
    triadic.write_vertex_table(graph, tmp_path / "memory", ["triangles"])
    found = parquet.read_table(table).sort_by("vertex")
    assert found == parquet.read_table(tmp_path / "memory").sort_by("vertex").cast(found.schema)
    assert not (table / "_sums").exists()


@pytest.mark.parametrize("share", [2, 5, 20])
def test_a_stored_range_is_cut_into_parts_that_fit(rmat, share):
    graph, _ = rmat
    source = MemoryTiles(graph.oriented(), 3)
    tiles = LeaflessTiles(source, num_leafless_ranks(source))
    counter, fine = counter_of(TRIANGLES), fine_layout(tiles)
    allowed = bytes_needed(tiles.layout, counter) // share
    if bytes_needed(fine, counter) > allowed:
        with pytest.raises(OutOfMemoryError):
            cut_to_fit(tiles.layout, fine, counter, allowed)
        return
    layout = cut_to_fit(tiles.layout, fine, counter, allowed)
    assert bytes_needed(layout, counter) <= allowed
    assert set(tiles.layout.cuts.tolist()) <= set(layout.cuts.tolist()) <= set(fine.cuts.tolist())
    assert np.array_equal(layout.tile_edges, recut_layout(tiles, layout.cuts).tile_edges)


@pytest.mark.parametrize(
    ("limit", "allowed"), [(1 << 30, int(0.7 * (824 << 20))), (400 << 20, 140 << 20), (100 << 20, 0)]
)
def test_tasks_leave_memory_to_the_interpreter(limit, allowed):
    manager, state = SimpleNamespace(memory_limit=limit), SimpleNamespace(nthreads=3)
    worker = SimpleNamespace(memory_manager=manager, state=state)
    assert tile_transfer._limits_of(worker) == (pytest.approx(allowed, abs=1), 3)
    assert tile_transfer.thread_bytes(worker) == pytest.approx(allowed // 3, abs=1)


@pytest.mark.nightly
def test_a_worker_is_killed_while_tiles_are_cut(rmat, tmp_path, monkeypatch):
    graph, tiles = rmat
    monkeypatch.setattr(cluster_count, "SHORTEST", 1e3)
    killed = []

    def count(client):
        tiled = triadic.TiledGraph(tiles, client=client, results=tmp_path)
        allowed = bytes_needed(leafless(tiled).layout, counter_of(TRIANGLES)) // 4

        def limit():
            from triadic.tiles.cluster import tile_transfer as transfer

            transfer._limits_of = lambda worker: (allowed, 1)

        def kill_one(done, total):
            if not killed and 0 < done < total and kill_a_worker(client):
                killed.append(done)

        client.run(limit)
        return triadic.triangles(tiled, progress=kill_one)

    assert np.array_equal(on_two_processes(count), triadic.triangles(graph))
    assert killed


@pytest.mark.parametrize("share", [1.0, 1.5, 4.0])
def test_cached_tiles_take_what_tasks_leave(here, rmat, tmp_path, small, monkeypatch, share):
    graph, folder = rmat
    needed = bytes_needed(leafless(triadic.TiledGraph(folder)).layout, counter_of(TRIANGLES))
    limit, seen = int(share * needed), []
    resize = CachedTiles.resize

    def note(tiles, room):
        seen.append((room, sum(tile_transfer._WORKING.values())))
        resize(tiles, room)

    monkeypatch.setattr(CachedTiles, "resize", note)
    small(limit)
    here.run(tile_transfer.drop_cached_tiles)
    tiled = triadic.TiledGraph(folder, client=here, results=tmp_path / "results")
    np.testing.assert_array_equal(triadic.triangles(tiled), triadic.triangles(graph))
    assert any(working for _, working in seen)
    assert all(room + working <= limit or room == 0 for room, working in seen)
    assert all(room <= 0.4 * limit for room, _ in seen)
    assert not any(tile_transfer._WORKING.values())
