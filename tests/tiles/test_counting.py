"""Graphs in tiles are counted as graphs in memory are, from any folder, after any crash."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import triadic
from strategies import networks
from triadic.core.triad_types import CLOSED_TYPE_OF_CODE
from triadic.counts.count import run
from triadic.counts.triangles import TRIANGLES
from triadic.devices.cpu import closed_triads, triangles
from triadic.errors import OutOfMemoryError, TriadicError, UnsupportedError, WriteError
from triadic.tiles import engine, partition, store
from triadic.tiles.cache import CachedTiles
from triadic.tiles.graph_in_memory import GraphInMemory
from triadic.tiles.joining import at_ranges, join
from triadic.tiles.layout import Layout, cuts_of
from triadic.tiles.sums import PartCount, SumsInFolder, SumsInMemory
from triadic.tiles.triples import triples
from triadic.tiles.work import entries_tested

FIRST_RANGES = (1, 2, 3, 5, 9)


def in_tiles(oriented, ranges, count):
    """Count every triple by itself, at ranks."""
    source = GraphInMemory(oriented, ranges)
    found = None
    for triple in triples(source.layout):
        counts = count(join(source, triple, threads=2))
        if found is None:
            found = np.zeros((source.layout.vertices, *counts.shape[1:]), dtype=np.int64)
        for i, part in at_ranges(source.layout, triple, counts):
            found[source.layout.cuts[i] : source.layout.cuts[i + 1]] += part
    return found


@given(networks(), st.integers(1, 9))
@settings(max_examples=40)
def test_triples_hold_every_triangle_once(network, ranges):
    oriented = network.graph().oriented()
    expected = triangles.by_vertex(oriented, threads=1)
    found = in_tiles(oriented, ranges, lambda part: triangles.by_vertex(part, threads=2))
    assert found is None or np.array_equal(found, expected)
    total = sum(triangles.total(part, threads=1) for part in _parts(oriented, ranges))
    assert total == expected.sum() // 3
    by_hubs = in_tiles(oriented, ranges, lambda part: triangles.by_vertex(part, threads=1, hubs=8))
    assert by_hubs is None or not expected.any() or np.array_equal(by_hubs, expected)


@given(networks(), st.integers(1, 9))
@settings(max_examples=30)
def test_triples_hold_every_closed_triad_once(network, ranges):
    oriented = network._replace(directed=True).graph().oriented()
    found = in_tiles(oriented, ranges, lambda part: closed_triads.by_role(part, CLOSED_TYPE_OF_CODE, threads=2))
    expected = closed_triads.by_role(oriented, CLOSED_TYPE_OF_CODE, threads=1)
    assert found is None or np.array_equal(found, expected)
    codes = sum(closed_triads.by_code(part, labelled=False, threads=1) for part in _parts(oriented, ranges))
    assert np.array_equal(codes + np.zeros((8, 64)), closed_triads.by_code(oriented, labelled=False, threads=1))


def _parts(oriented, ranges):
    source = GraphInMemory(oriented, ranges)
    return [join(source, triple, threads=1) for triple in triples(source.layout)]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60), st.integers(1, 12))
def test_cuts_rise_from_nothing_to_all(degrees, ranges):
    cuts = cuts_of(np.sort(np.array(degrees))[::-1], ranges)
    assert cuts[0] == 0
    assert cuts[-1] == len(degrees)
    assert np.all(np.diff(cuts) > 0)
    assert len(cuts) <= ranges + 1


@pytest.fixture(scope="module")
def rmat(tmp_path_factory):
    """A directed R-MAT in memory, and its tiles in a folder of five ranges."""
    folder = tmp_path_factory.mktemp("rmat")
    model = triadic.generate.RMat(10, seed=3, directed=True)
    graph = triadic.generate.make_graph(model)
    triadic.write(graph, folder / "graph.parquet")
    triadic.tile(folder / "graph.parquet", folder / "tiles", ranges=5)
    return graph, folder / "tiles"


def assert_equal(tiled, graph):
    assert np.array_equal(triadic.triangles(tiled), triadic.triangles(graph))
    assert triadic.triangle_count(tiled) == triadic.triangle_count(graph)
    assert triadic.transitivity(tiled) == triadic.transitivity(graph)
    assert np.array_equal(triadic.clustering(tiled), triadic.clustering(graph))
    assert triadic.average_clustering(tiled) == triadic.average_clustering(graph)
    assert triadic.triad_census(tiled) == triadic.triad_census(graph)
    assert triadic.dyad_census(tiled) == triadic.dyad_census(graph)
    assert np.array_equal(triadic.triad_census_by_vertex(tiled), triadic.triad_census_by_vertex(graph))
    of_tiles, of_graph = (triadic.graphlet_transform(each, graphlets=5) for each in (tiled, graph))
    assert np.array_equal(of_tiles.raw, of_graph.raw)
    assert np.array_equal(of_tiles.net, of_graph.net)
    assert np.array_equal(tiled.degree, graph.degree)


def test_tiles_go_where_a_graph_goes(rmat, tmp_path):
    graph, tiles = rmat
    tiled = triadic.TiledGraph(tiles, results=tmp_path)
    assert (tiled.num_vertices, tiled.num_edges, tiled.num_arcs) == (
        graph.num_vertices, graph.num_edges, graph.num_arcs,
    )  # fmt: skip
    assert_equal(tiled, graph)
    assert_equal(triadic.TiledGraph(tiles, results=tmp_path), graph)  # of what was kept


@pytest.mark.parametrize("name", ["facebook_combined.txt.gz", "wiki-Vote.txt.gz"])
def test_real_networks_in_tiles(real_networks, tmp_path, name):
    graph = triadic.read(real_networks / name)
    triadic.tile(real_networks / name, tmp_path / "tiles", ranges=4)
    assert_equal(triadic.TiledGraph(tmp_path / "tiles"), graph)


def test_parts_on_devices(rmat, gpu_device):
    graph, _ = rmat
    oriented = graph.oriented()
    found = in_tiles(oriented, 3, lambda part: run(TRIANGLES, part, threads=1, device=gpu_device, progress=False))
    assert np.array_equal(found, triangles.by_vertex(oriented, threads=1))


def test_tiles_on_a_device(rmat, tmp_path, gpu_device):
    graph, tiles = rmat
    tiled = triadic.TiledGraph(tiles, results=tmp_path)
    assert np.array_equal(triadic.triangles(tiled, device=gpu_device), triadic.triangles(graph))
    assert triadic.triad_census(tiled, device=gpu_device) == triadic.triad_census(graph)


def test_what_tiles_cannot_do_is_named(rmat):
    tiled = triadic.TiledGraph(rmat[1])
    for measure in (triadic.trussness, triadic.edge_support, triadic.graphlet_transform):
        with pytest.raises(UnsupportedError, match=measure.__name__):
            measure(tiled)
    with pytest.raises(UnsupportedError, match="triangles"):
        triadic.triangles(tiled, vertices=[1])
    with pytest.raises(UnsupportedError, match="triad_census"):
        triadic.triad_census(tiled, types=64)


def test_less_memory_than_a_triple_takes_is_refused(rmat, tmp_path):
    tiled = triadic.TiledGraph(rmat[1], memory=1000, results=tmp_path)
    with pytest.raises(OutOfMemoryError, match=r"ranges of tiles takes .* 1.00 kB are allowed"):
        triadic.triangle_count(tiled)


def test_tiles_that_were_used_last_are_kept(rmat):
    source = GraphInMemory(rmat[0].oriented(), 4)
    asked = []

    class Counted:
        layout = source.layout

        def tile(self, i, j):
            asked.append((i, j))
            return source.tile(i, j)

    with CachedTiles(Counted(), 1 << 40) as tiles:
        for triple in triples(source.layout):
            tiles.fetch(triple.tiles)
            join(tiles, triple, threads=1)
    assert sorted(asked) == sorted(set(asked))
    asked.clear()
    with CachedTiles(Counted(), 0) as tiles:
        for triple in triples(source.layout):
            tiles.fetch(triple.tiles)
            join(tiles, triple, threads=1)
    assert len(asked) > len(set(asked))


def test_a_tile_that_lost_its_room_before_it_came_is_asked_for_again(rmat):
    """Threads of a worker share what is kept: one's tile can take the room of another's that waits in line."""
    source = GraphInMemory(rmat[0].oriented(), 3)
    begun, go_on = threading.Event(), threading.Event()

    class Slow:
        layout = source.layout

        def tile(self, i, j):
            begun.set()
            assert go_on.wait(10)
            return source.tile(i, j)

    with CachedTiles(Slow(), 0) as tiles, ThreadPoolExecutor(3) as asking:
        found = [asking.submit(tiles.tile, 0, 0)]
        assert begun.wait(10)
        for place in ((1, 0), (1, 1)):
            found.append(asking.submit(tiles.tile, *place))
            while place not in tiles._kept:
                time.sleep(0.001)
        go_on.set()
        for place, tile in zip(((0, 0), (1, 0), (1, 1)), found, strict=True):
            assert np.array_equal(tile.result(10).indices, source.tile(*place).indices)


def test_a_count_stopped_at_the_very_end_of_a_flush_adds_nothing_twice(rmat, tmp_path, monkeypatch):
    source = GraphInMemory(rmat[0].oriented(), 3)
    kept = lambda counting: SumsInFolder(tmp_path, source.layout, counting, "graph")  # noqa: E731
    monkeypatch.setattr(engine, "_GROUP_SECONDS", 0.0)
    add, calls = SumsInFolder.add, []

    def stopped(self, *of_group):
        add(self, *of_group)
        calls.append(of_group)
        if len(calls) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(SumsInFolder, "add", stopped)
    with pytest.raises(KeyboardInterrupt):
        _counting(source, kept)
    _counting(source, kept)
    found = kept(PartCount("triangles", lambda *_: None, 1, True))
    at_ranks = np.concatenate([found.at_range(i) for i in range(source.layout.ranges)])
    assert np.array_equal(at_ranks, triangles.by_vertex(rmat[0].oriented(), threads=1))


def test_tiles_that_may_only_be_read_are_counted(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    triadic.tile(triadic.generate.RMat(6, seed=1), tmp_path / "tiles", ranges=2)
    before = sorted((tmp_path / "tiles").iterdir())
    monkeypatch.setattr(os, "access", lambda *_: False)  # who runs tests may have every right
    assert triadic.triangles(triadic.TiledGraph(tmp_path / "tiles")).any()
    assert sorted((tmp_path / "tiles").iterdir()) == before
    assert list((tmp_path / "cache").rglob("progress.json"))


def test_sums_of_another_version_are_counted_again(tmp_path):
    (tmp_path / "progress.json").write_text(json.dumps({"graph": "same", "done": [[0, 0, 0]], "sums": 7}))
    layout = Layout(np.array([0, 3]), np.array([[3]]), False, 6)
    assert not SumsInFolder(tmp_path, layout, PartCount("triangles", lambda *_: None, 1, True), "same").done()


def test_local_ranks_of_any_triple_stay_within_32_bits():
    grid = partition.Grid(np.arange(9) << 29, 20)
    joined = partition.join(
        grid,
        np.ones(grid.cells, dtype=np.int64),
        1 << 60,
        ranks=1 << 32,
        held=0,
        fixed=False,
        directed=False,
        threads=1,
    )
    assert 3 * np.diff(grid.cuts[joined]).max() < 1 << 31


def _counting(source, sums, fail_at=None):
    done = []

    def count(part, _):
        done.append(part)
        if len(done) == fail_at:
            raise RuntimeError("as if killed")
        return triangles.by_vertex(part, threads=1)

    counting = PartCount("triangles", count, 1, True)
    engine.count(source, counting, sums(counting), tested=entries_tested, memory=1 << 40, threads=1)
    return len(done)


def test_leaves_are_left_out_of_what_is_counted(tmp_path):
    """A clique with leaves and with vertices without edges: only the clique is counted."""
    clique = np.triu_indices(30, k=1)
    source, target = np.r_[clique[0], np.arange(30)], np.r_[clique[1], np.arange(30, 60)]
    graph = triadic.Graph.from_edges(source, target, vertices=500)
    triadic.write(graph, tmp_path / "graph")
    for ranges in (1, 4, 9):
        triadic.tile(tmp_path / "graph", tmp_path / f"tiles-{ranges}", ranges=ranges)
        tiled = triadic.TiledGraph(tmp_path / f"tiles-{ranges}")
        assert tiled.oriented().counted.layout.vertices == 30
        assert_equal(tiled, graph)


def test_a_forest_has_nothing_to_count(tmp_path):
    graph = triadic.Graph.from_edges([0, 0, 0, 4], [1, 2, 3, 5])
    triadic.write(graph, tmp_path / "graph")
    triadic.tile(tmp_path / "graph", tmp_path / "tiles", ranges=3)
    assert_equal(triadic.TiledGraph(tmp_path / "tiles"), graph)


@pytest.mark.parametrize("at_ranks", [False, True])
def test_what_a_device_has_no_memory_for_is_counted_in_slices(rmat, at_ranks):
    oriented = rmat[0].oriented()
    source, refused = GraphInMemory(oriented, 3), []

    def count(part, _):
        entries = part.indptr[part.last] - part.indptr[part.first]
        if entries > 1000:
            refused.append(entries)
            raise OutOfMemoryError("too many entries")
        return triangles.by_vertex(part, threads=1) if at_ranks else np.array([triangles.total(part, threads=1)])

    counting = PartCount("triangles", count, 1, at_ranks)
    sums = SumsInMemory(source.layout, counting)
    engine.count(source, counting, sums, tested=entries_tested, memory=1 << 40, threads=1)
    expected = triangles.by_vertex(oriented, threads=1)
    assert refused
    if at_ranks:
        assert np.array_equal(np.concatenate([sums.at_range(i) for i in range(3)]), expected)
    else:
        assert sums.totals() == [expected.sum() // 3]

    def never(part, _):
        raise OutOfMemoryError("no memory at all")

    with pytest.raises(OutOfMemoryError, match="no memory at all"):
        engine.count(
            source,
            PartCount("none", never, 1, at_ranks),
            SumsInMemory(source.layout, counting),
            tested=entries_tested,
            memory=1 << 40,
            threads=1,
        )


def test_a_count_goes_on_after_its_last_group(rmat, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "_GROUP_SECONDS", 0.0)
    source = GraphInMemory(rmat[0].oriented(), 4)
    kept = lambda counting: SumsInFolder(tmp_path, source.layout, counting, "graph")  # noqa: E731
    with pytest.raises(RuntimeError):
        _counting(source, kept, fail_at=8)
    left = len(list(triples(source.layout))) - 7
    assert _counting(source, kept) == left
    assert _counting(source, kept) == 0
    found = kept(PartCount("triangles", lambda *_: None, 1, True))
    at_ranks = np.concatenate([found.at_range(i) for i in range(source.layout.ranges)])
    assert np.array_equal(at_ranks, triangles.by_vertex(rmat[0].oriented(), threads=1))
    of_another = SumsInFolder(tmp_path, source.layout, PartCount("triangles", lambda *_: None, 1, True), "another")
    assert not of_another.done()


def test_sums_of_a_task_are_added_once_or_not_at_all(rmat, tmp_path, monkeypatch):
    """A disk that is full anywhere in a flush leaves the sums as they were."""
    monkeypatch.setattr(engine, "_GROUP_SECONDS", 0.0)
    source = GraphInMemory(rmat[0].oriented(), 3)
    kept = lambda counting: SumsInFolder(tmp_path, source.layout, counting, "graph")  # noqa: E731
    whole, calls = store.write_bytes, [0]
    full_at = {n * (n + 1) // 2 for n in range(2, 40)}

    def failing(descriptor, content, offset):
        calls[0] += 1
        if calls[0] in full_at:
            raise OSError(28, "No space left on device")
        return whole(descriptor, content, offset)

    monkeypatch.setattr(store, "write_bytes", failing)
    for _ in range(len(full_at) + 1):
        try:
            _counting(source, kept)
            break
        except WriteError as error:
            assert "No space left on device" in str(error)  # noqa: PT017 - some calls fail and some do not
    found = kept(PartCount("triangles", lambda *_: None, 1, True))
    at_ranks = np.concatenate([found.at_range(i) for i in range(source.layout.ranges)])
    assert np.array_equal(at_ranks, triangles.by_vertex(rmat[0].oriented(), threads=1))
    assert not list(tmp_path.glob(".*"))


_COUNT = """
import sys, triadic
from triadic.tiles import engine
engine._GROUP_SECONDS = 0.0
print(int(triadic.triangles(triadic.TiledGraph(sys.argv[1], results=sys.argv[2]), threads=1).sum()), flush=True)
"""


def test_a_killed_count_goes_on(rmat, tmp_path):
    graph, tiles = rmat
    expected = int(triadic.triangles(graph).sum())
    command = [sys.executable, "-c", _COUNT, str(tiles), str(tmp_path)]
    killed = 0
    for wait in (0.0, 0.01, 0.05):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while process.poll() is None and not (tmp_path / "triangles-of-vertices" / "progress.json").exists():
            time.sleep(0.002)
        time.sleep(wait)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            killed += 1
        process.wait()
    done = json.loads((tmp_path / "triangles-of-vertices" / "progress.json").read_text())["done"]
    assert killed
    assert done
    assert int(subprocess.run(command, capture_output=True, check=True).stdout) == expected


def test_two_counts_at_once_on_one_folder(rmat, tmp_path):
    tiled = triadic.TiledGraph(rmat[1], results=tmp_path)
    told = []

    def during(*_):
        if not told:
            with pytest.raises(TriadicError, match=str(os.getpid())) as error:
                triadic.triangles(triadic.TiledGraph(rmat[1], results=tmp_path))
            told.append(str(error.value))

    triadic.triangles(tiled, progress=during)
    assert told


def test_progress_rises_to_the_end(rmat, tmp_path):
    reports = []
    triadic.triangles(triadic.TiledGraph(rmat[1], results=tmp_path), progress=lambda *report: reports.append(report))
    done = [each for each, _ in reports]
    assert done == sorted(done)
    assert reports[-1][0] == reports[-1][1]


def test_sums_in_memory_add_up(rmat):
    source = GraphInMemory(rmat[0].oriented(), 4)
    made = []

    def kept(counting):
        made.append(SumsInMemory(source.layout, counting))
        return made[0]

    _counting(source, kept)
    at_ranks = np.concatenate([made[0].at_range(i) for i in range(source.layout.ranges)])
    assert np.array_equal(at_ranks, triangles.by_vertex(rmat[0].oriented(), threads=1))


def test_what_triples_test_is_noted_when_tiles_are_made(rmat, tmp_path):
    tiles = triadic.TiledGraph(rmat[1]).oriented().source
    noted = tiles.tested()
    assert np.array_equal(noted, entries_tested(tiles))
    # Each entry is tested for each larger one of its row, those of a triple's own rows but once.
    length = np.diff(rmat[0].oriented().indptr)
    assert sum(noted[triple] for triple in triples(tiles.layout)) <= np.sum(length * (length - 1) // 2)
