"""Workers whose memory just holds a triple count the same as one machine, and smaller ones are refused at once."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import triadic
from triadic.counts.count import part_counter
from triadic.counts.triads import CLOSED_TRIADS_OF_VERTICES, DYADS
from triadic.counts.triangles import TRIANGLES
from triadic.errors import OutOfMemoryError
from triadic.tiles.cluster import cluster_count, tasks, tile_transfer
from triadic.tiles.tile import CachedTiles
from triadic.tiles.work import most_needed

distributed = pytest.importorskip("distributed")
pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def rmat(tmp_path_factory):
    """Return a directed R-MAT graph, and a folder with its tiles in two ranges."""
    model = triadic.generate.RMat(11, seed=3, directed=True)
    tiles = tmp_path_factory.mktemp("rmat") / "tiles"
    triadic.tile(model, tiles, ranges=2)
    return triadic.generate.make_graph(model), tiles


def counter_of(count):
    return part_counter(count, {}, threads=1, device="cpu")


@pytest.fixture
def small(monkeypatch):
    """Return a function that limits the memory of each thread of workers in this process, and makes tasks short."""

    def limit(allowed):
        monkeypatch.setattr(tile_transfer, "_limits_of", lambda worker: (allowed, 1))

    monkeypatch.setattr(cluster_count, "SHORTEST", 1e3)
    return limit


def needed_by(tiled, count):
    """Return the bytes of the largest triple of a count, with its tiles."""
    needed = most_needed(tiled.oriented().leafless.layout, threads=1, columns=count.columns)
    return needed.working + needed.tiles


def test_workers_that_just_hold_a_triple_count_as_memory_does(here, rmat, tmp_path, small):
    graph, tiles = rmat
    tiled = triadic.TiledGraph(tiles, client=here, results=tmp_path)
    for count, measure in (
        (TRIANGLES, triadic.triangles),
        (CLOSED_TRIADS_OF_VERTICES, partial(triadic.triad_census, by="vertex")),
    ):
        small(needed_by(tiled, count))
        assert np.array_equal(measure(tiled), measure(graph))


REMEDY = r"a thread of a worker has .*B: counting 2 ranges of tiles takes .*B; give workers more .* or more ranges="


def test_workers_that_are_too_small_are_refused_with_both_sizes_and_the_remedy(here, rmat, tmp_path, small):
    graph, tiles = rmat
    for tiled in (
        triadic.TiledGraph(tiles, client=here, results=tmp_path / "results"),
        triadic.TiledGraph.of(graph, client=here, ranges=2),
    ):
        small(needed_by(tiled, TRIANGLES) - 1)
        with pytest.raises(OutOfMemoryError, match=REMEDY):
            triadic.triangles(tiled)
    tiled = triadic.TiledGraph(tiles, client=here)
    with pytest.raises(OutOfMemoryError, match=REMEDY):
        triadic.vertex_table(tiled, "triangles", output=tmp_path / "vertices")
    with pytest.raises(OutOfMemoryError, match=REMEDY):
        triadic.edge_support(tiled, output=tmp_path / "edges")
    small(1 << 30)  # the same call, with workers that are large enough
    totals = triadic.vertex_table(tiled, ("degree", "triangles", "clustering"), output=tmp_path / "table")
    assert totals == triadic.vertex_table(graph, ("degree", "triangles", "clustering"), output=tmp_path / "memory")


@pytest.mark.parametrize("in_memory", [True, False])
def test_counts_over_edges_take_some_rows_at_a_time(here, rmat, tmp_path, small, monkeypatch, in_memory):
    graph, tiles = rmat
    calls, count = [], tasks.count_tile

    def note(*arguments, **keywords):
        calls.append(arguments[5])
        return count(*arguments, **keywords)

    monkeypatch.setattr(tasks, "count_tile", note)
    monkeypatch.setattr(tasks, "TILE_SHARE", 100)
    small(400_000)
    options = {"client": here} if in_memory else {"client": here, "results": tmp_path}
    tiled = triadic.TiledGraph.of(graph, ranges=2, **options) if in_memory else triadic.TiledGraph(tiles, **options)
    assert triadic.dyad_census(tiled) == triadic.dyad_census(graph)
    np.testing.assert_array_equal(triadic.triad_census(tiled, by="vertex"), triadic.triad_census(graph, by="vertex"))
    assert len(calls) > 20
    assert None not in calls
    source = tiled.oriented().source
    monkeypatch.setattr(tasks, "_NOT_REFUSED", 0)
    monkeypatch.setattr(tile_transfer, "_limits", lambda: (20_000, 1))
    with pytest.raises(OutOfMemoryError, match=r"the edges of [0-9,]+ vertices in .* takes at least .*B, and a"):
        tasks.count_tile_in(source, 1, 0, counter_of(DYADS), ())


@pytest.mark.parametrize(
    ("limit", "allowed"), [(1 << 30, int(0.7 * (824 << 20))), (400 << 20, 140 << 20), (100 << 20, 0)]
)
def test_tasks_leave_memory_to_the_interpreter(limit, allowed):
    manager, state = SimpleNamespace(memory_limit=limit), SimpleNamespace(nthreads=3)
    worker = SimpleNamespace(memory_manager=manager, state=state)
    assert tile_transfer._limits_of(worker) == (pytest.approx(allowed, abs=1), 3)
    assert tile_transfer.thread_bytes(worker) == pytest.approx(allowed // 3, abs=1)


@pytest.mark.parametrize("share", [1.0, 1.5, 4.0])
def test_cached_tiles_take_what_tasks_leave(here, rmat, tmp_path, small, monkeypatch, share):
    graph, folder = rmat
    needed = needed_by(triadic.TiledGraph(folder), TRIANGLES)
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
