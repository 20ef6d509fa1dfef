"""Counts of a tiled graph equal the counts of the same graph in memory, from any folder and after any crash."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from strategies import NIGHTLY, examples, networks
from triadic.core.triad_types import CLOSED_TYPE_OF_CODE
from triadic.counts.count import run
from triadic.counts.triangles import TRIANGLES
from triadic.devices.cpu.triads import closed_triads
from triadic.devices.cpu.triangles import triangles
from triadic.errors import OutOfMemoryError, ReadError, TriadicError, UnsupportedError, WriteError
from triadic.measures.directed_clustering import cycle_transitivity
from triadic.tiles import engine, partition, store
from triadic.tiles.layout import Layout, number_of_hubs, triples
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.partition import DegreeCounts, cut_ranks
from triadic.tiles.sums import FolderSums, MemorySums, PartCounter
from triadic.tiles.tile import CachedTiles
from triadic.tiles.triple_part import join, split_by_range
from triadic.tiles.work import entries_tested

FIRST_RANGES = (1, 2, 3, 5, 9)


def count_in_tiles(oriented, ranges, count):
    """Return the sums at ranks of a count of each triple; None if there are no triples."""
    source = MemoryTiles(oriented, ranges)
    sums = None
    for triple in triples(source.layout):
        counts = count(join(source, triple))
        if sums is None:
            sums = np.zeros((source.layout.vertices, *counts.shape[1:]), dtype=np.int64)
        for i, _, part in split_by_range(source.layout, triple, None, counts):
            sums[source.layout.cuts[i] : source.layout.cuts[i + 1]] += part
    return sums


@given(networks(), st.integers(1, 9))
@examples(20)
def test_triples_hold_every_triangle_once(network, ranges):
    oriented = network.graph().oriented()
    expected = triangles.by_vertex(oriented, threads=1)
    counts = count_in_tiles(oriented, ranges, lambda part: triangles.by_vertex(part.span, threads=2))
    assert counts is None or np.array_equal(counts, expected)
    total = sum(triangles.total(part, threads=1) for part in _parts(oriented, ranges))
    assert total == expected.sum() // 3


@given(networks(), st.integers(1, 9))
@examples(20)
def test_triples_hold_every_closed_triad_once(network, ranges):
    oriented = network._replace(directed=True).graph().oriented()
    counts = count_in_tiles(
        oriented, ranges, lambda part: closed_triads.by_role(part.span, CLOSED_TYPE_OF_CODE, threads=2)
    )
    expected = closed_triads.by_role(oriented, CLOSED_TYPE_OF_CODE, threads=1)
    assert counts is None or np.array_equal(counts, expected)
    codes = sum(closed_triads.by_code(part, threads=1) for part in _parts(oriented, ranges))
    assert np.array_equal(codes + np.zeros(64), closed_triads.by_code(oriented, threads=1))


def _parts(oriented, ranges):
    source = MemoryTiles(oriented, ranges)
    return [join(source, triple).span for triple in triples(source.layout)]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60), st.integers(1, 12))
def test_cuts_rise_from_zero_to_the_number_of_vertices(degrees, ranges):
    hubs = number_of_hubs(len(degrees), sum(degrees) // 2)
    cuts = cut_ranks(DegreeCounts.of(np.array(degrees)), ranges, 0, hubs, 1)
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
    assert np.array_equal(triadic.triad_census(tiled, by="vertex"), triadic.triad_census(graph, by="vertex"))
    tiled_transform, graph_transform = (triadic.graphlet_transform(network, size=3) for network in (tiled, graph))
    assert np.array_equal(tiled_transform.raw, graph_transform.raw)
    assert np.array_equal(tiled_transform.net, graph_transform.net)
    assert np.array_equal(tiled.degree, graph.degree)


def test_measures_accept_a_tiled_graph_in_place_of_a_graph(rmat, tmp_path):
    graph, tiles = rmat
    tiled = triadic.TiledGraph(tiles, results=tmp_path)
    assert (tiled.num_vertices, tiled.num_edges, tiled.num_arcs) == (
        graph.num_vertices, graph.num_edges, graph.num_arcs,
    )  # fmt: skip
    assert_equal(tiled, graph)
    assert_equal(triadic.TiledGraph(tiles, results=tmp_path), graph)  # from stored results


@pytest.mark.parametrize("name", ["facebook_combined.txt.gz", "wiki-Vote.txt.gz"])
def test_real_networks_count_in_tiles(real_networks, tmp_path, name):
    graph = triadic.read(real_networks / name, directed=True)
    triadic.tile(real_networks / name, tmp_path / "tiles", ranges=4, directed=True)
    assert_equal(triadic.TiledGraph(tmp_path / "tiles"), graph)


def test_triples_are_counted_on_a_device(rmat, gpu_device):
    graph, _ = rmat
    oriented = graph.oriented()
    counts = count_in_tiles(
        oriented, 3, lambda part: run(TRIANGLES, part, threads=1, device=gpu_device, progress=False)
    )
    assert np.array_equal(counts, triangles.by_vertex(oriented, threads=1))


def test_a_tiled_graph_is_counted_on_a_device(rmat, tmp_path, gpu_device):
    graph, tiles = rmat
    tiled = triadic.TiledGraph(tiles, results=tmp_path)
    assert np.array_equal(triadic.triangles(tiled, device=gpu_device), triadic.triangles(graph))
    assert triadic.triad_census(tiled, device=gpu_device) == triadic.triad_census(graph)


def test_directed_measures_and_the_spectrum_of_a_tiled_graph_are_those_of_the_graph(rmat, tmp_path):
    graph, tiles = rmat
    tiled = triadic.TiledGraph(tiles, results=tmp_path)
    for measure in (triadic.directed_transitivity, cycle_transitivity):
        assert measure(tiled) == measure(graph)
    for measure in (triadic.directed_clustering, partial(triadic.directed_clustering, method="ldbc")):
        np.testing.assert_array_equal(measure(tiled), measure(graph))
    for found, expected in zip(triadic.clustering_spectrum(tiled), triadic.clustering_spectrum(graph), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_a_measure_that_cannot_count_tiles_says_why(rmat):
    with pytest.raises(
        UnsupportedError,
        match=r"edge_support .* as much memory as the tiles; edge_support\(output=\) writes them; read the graph",
    ):
        triadic.edge_support(triadic.TiledGraph(rmat[1]))


def test_measures_that_refuse_a_tiled_graph_are_named(rmat):
    tiled = triadic.TiledGraph(rmat[1])
    for measure in (triadic.trussness, triadic.edge_support, triadic.graphlets, triadic.graphlet_transform):
        with pytest.raises(UnsupportedError, match=measure.__name__):
            measure(tiled)
    with pytest.raises(UnsupportedError, match="triad_census"):
        triadic.triad_census(tiled, vertices=[1])
    with pytest.raises(UnsupportedError, match="triad_census"):
        triadic.triad_census(tiled, labelled=True)


def test_memory_for_less_than_a_triple_is_refused(rmat, tmp_path):
    tiled = triadic.TiledGraph(rmat[1], memory=1000, results=tmp_path)
    with pytest.raises(OutOfMemoryError, match=r"memory=1.00 kB: .* takes [0-9.]+ [kM]B; allow more"):
        triadic.triangle_count(tiled)


def test_a_cache_that_holds_all_tiles_reads_each_once(rmat):
    source = MemoryTiles(rmat[0].oriented(), 4)
    reads = []

    class RecordingSource:
        layout = source.layout

        def tile(self, i, j):
            reads.append((i, j))
            return source.tile(i, j)

    with CachedTiles(RecordingSource(), 1 << 40) as tiles:
        for triple in triples(source.layout):
            tiles.fetch(triple.tiles, rooms=[1 << 40])
            join(tiles, triple)
    assert sorted(reads) == sorted(set(reads))
    reads.clear()
    with CachedTiles(RecordingSource(), 0) as tiles:
        for triple in triples(source.layout):
            tiles.fetch(triple.tiles, rooms=[0])
            join(tiles, triple)
    assert len(reads) > len(set(reads))


def test_a_tile_dropped_before_it_was_loaded_is_loaded_again(rmat):
    """Threads of a worker share a cache: the tile of one thread can replace the queued tile of another thread."""
    source = MemoryTiles(rmat[0].oriented(), 3)
    started, resume = threading.Event(), threading.Event()

    class SlowSource:
        layout = source.layout

        def tile(self, i, j):
            started.set()
            assert resume.wait(60)
            return source.tile(i, j)

    with CachedTiles(SlowSource(), 0) as tiles, ThreadPoolExecutor(3) as pool:
        futures = [pool.submit(tiles.tile, 0, 0)]
        assert started.wait(60)
        for ranges in ((1, 0), (1, 1)):
            futures.append(pool.submit(tiles.tile, *ranges))
            deadline = time.monotonic() + 60
            while ranges not in tiles._futures:
                assert time.monotonic() < deadline
                time.sleep(0.001)
        resume.set()
        for ranges, future in zip(((0, 0), (1, 0), (1, 1)), futures, strict=True):
            assert np.array_equal(future.result(60).indices, source.tile(*ranges).indices)


def test_a_count_interrupted_at_the_end_of_a_flush_adds_nothing_twice(rmat, tmp_path, monkeypatch):
    source = MemoryTiles(rmat[0].oriented(), 3)
    folder_sums = lambda counter: FolderSums(tmp_path, source.layout, counter, "graph")  # noqa: E731
    monkeypatch.setattr(engine, "GROUP_SECONDS", 0.0)
    add, calls = FolderSums.add, []

    def interrupted(self, *group):
        add(self, *group)
        calls.append(group)
        if len(calls) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(FolderSums, "add", interrupted)
    with pytest.raises(KeyboardInterrupt):
        _count_triangles(source, folder_sums)
    _count_triangles(source, folder_sums)
    sums = folder_sums(PartCounter("triangles", lambda *_: None, 1, True))
    at_ranks = np.concatenate([sums.range_sums(i) for i in range(source.layout.ranges)])
    assert np.array_equal(at_ranks, triangles.by_vertex(rmat[0].oriented(), threads=1))


def test_tiles_in_a_read_only_folder_are_counted(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    triadic.tile(triadic.generate.RMat(6, seed=1), tmp_path / "tiles", ranges=2)
    before = sorted((tmp_path / "tiles").iterdir())
    monkeypatch.setattr(os, "access", lambda *_: False)  # because tests may run as root
    assert triadic.triangles(triadic.TiledGraph(tmp_path / "tiles")).any()
    assert sorted((tmp_path / "tiles").iterdir()) == before
    assert list((tmp_path / "cache").rglob("progress.json"))


def test_sums_without_a_checksum_are_refused(tmp_path):
    (tmp_path / "progress.json").write_text(json.dumps({"graph": "same", "done": [[0, 0, 0]], "sums": 7}))
    layout = Layout(np.array([0, 3]), np.array([[3]]), False, 6)
    with pytest.raises(ReadError, match=r"does not have its checksum; remove it to count again"):
        FolderSums(tmp_path, layout, PartCounter("triangles", lambda *_: None, 1, True), "same")


def test_local_ranks_of_any_triple_stay_within_32_bits():
    grid = partition.Grid(np.arange(9) << 29, 20)
    joined = partition.join(
        grid,
        grid.as_matrix(np.ones(grid.cells, dtype=np.int64)),
        1 << 60,
        ranks=1 << 32,
        held=0,
        fixed=False,
        directed=False,
        threads=1,
    )
    assert 3 * np.diff(grid.cuts[joined]).max() < 1 << 31


def _count_triangles(source, sums, fail_at=None):
    parts = []

    def count(part, _):
        parts.append(part)
        if len(parts) == fail_at:
            raise RuntimeError("as if killed")
        return triangles.by_vertex(part.span, threads=1)

    counter = PartCounter("triangles", count, 1, True)
    engine.count(source, counter, sums(counter), tests=lambda compute: compute(), memory=1 << 40, threads=1)
    return len(parts)


def test_leaves_are_not_counted(tmp_path):
    """A clique with leaves and with vertices without edges: only the clique is counted."""
    clique = np.triu_indices(30, k=1)
    source, target = np.r_[clique[0], np.arange(30)], np.r_[clique[1], np.arange(30, 60)]
    graph = triadic.Graph.from_edges(source, target, num_vertices=500)
    triadic.write(graph, tmp_path / "graph")
    for ranges in (1, 4, 9):
        triadic.tile(tmp_path / "graph", tmp_path / f"tiles-{ranges}", ranges=ranges)
        tiled = triadic.TiledGraph(tmp_path / f"tiles-{ranges}")
        assert tiled.oriented().leafless.layout.vertices == 30
        assert_equal(tiled, graph)


def test_a_forest_has_no_triangles(tmp_path):
    graph = triadic.Graph.from_edges([0, 0, 0, 4], [1, 2, 3, 5])
    triadic.write(graph, tmp_path / "graph")
    triadic.tile(tmp_path / "graph", tmp_path / "tiles", ranges=3)
    assert_equal(triadic.TiledGraph(tmp_path / "tiles"), graph)


@pytest.mark.parametrize("per_rank", [False, True])
def test_a_triple_too_large_for_a_device_is_counted_in_slices(rmat, per_rank):
    oriented = rmat[0].oriented()
    source, refused = MemoryTiles(oriented, 3), []

    def count(part, _):
        entries = int(part.near.indptr[part.last - part.start] - part.near.indptr[part.first - part.start])
        if entries > 1000:
            refused.append(entries)
            raise OutOfMemoryError("too many entries")
        span = part.span
        return triangles.by_vertex(span, threads=1) if per_rank else np.array([triangles.total(span, threads=1)])

    counter = PartCounter("triangles", count, 1, per_rank)
    sums = MemorySums(source.layout, counter)
    engine.count(source, counter, sums, tests=lambda compute: compute(), memory=1 << 40, threads=1)
    expected = triangles.by_vertex(oriented, threads=1)
    assert refused
    if per_rank:
        assert np.array_equal(np.concatenate([sums.range_sums(i) for i in range(3)]), expected)
    else:
        assert sums.totals == [expected.sum() // 3]

    def never(part, _):
        raise OutOfMemoryError("no memory at all")

    with pytest.raises(OutOfMemoryError, match="no memory at all"):
        engine.count(
            source,
            PartCounter("none", never, 1, per_rank),
            MemorySums(source.layout, counter),
            tests=lambda compute: compute(),
            memory=1 << 40,
            threads=1,
        )


def test_a_count_resumes_after_its_last_group(rmat, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "GROUP_SECONDS", 0.0)
    source = MemoryTiles(rmat[0].oriented(), 4)
    folder_sums = lambda counter: FolderSums(tmp_path, source.layout, counter, "graph")  # noqa: E731
    with pytest.raises(RuntimeError):
        _count_triangles(source, folder_sums, fail_at=8)
    remaining = len(list(triples(source.layout))) - 7
    assert _count_triangles(source, folder_sums) == remaining
    assert _count_triangles(source, folder_sums) == 0
    sums = folder_sums(PartCounter("triangles", lambda *_: None, 1, True))
    at_ranks = np.concatenate([sums.range_sums(i) for i in range(source.layout.ranges)])
    assert np.array_equal(at_ranks, triangles.by_vertex(rmat[0].oriented(), threads=1))
    other_sums = FolderSums(tmp_path, source.layout, PartCounter("triangles", lambda *_: None, 1, True), "another")
    assert not other_sums.counted_triples()


def test_counts_of_a_group_are_added_once_or_not_at_all(rmat, tmp_path, monkeypatch):
    """A full disk at any write of a flush leaves the sums unchanged."""
    monkeypatch.setattr(engine, "GROUP_SECONDS", 0.0)
    source = MemoryTiles(rmat[0].oriented(), 3)
    folder_sums = lambda counter: FolderSums(tmp_path, source.layout, counter, "graph")  # noqa: E731
    write_bytes, calls = store.write_bytes, [0]
    full_at = {n * (n + 1) // 2 for n in range(2, 40)}

    def failing(descriptor, content, offset):
        calls[0] += 1
        if calls[0] in full_at:
            raise OSError(28, "No space left on device")
        return write_bytes(descriptor, content, offset)

    monkeypatch.setattr(store, "write_bytes", failing)
    for _ in range(len(full_at) + 1):
        try:
            _count_triangles(source, folder_sums)
            break
        except WriteError as error:
            assert "No space left on device" in str(error)  # noqa: PT017 - some calls fail and some do not
    sums = folder_sums(PartCounter("triangles", lambda *_: None, 1, True))
    at_ranks = np.concatenate([sums.range_sums(i) for i in range(source.layout.ranges)])
    assert np.array_equal(at_ranks, triangles.by_vertex(rmat[0].oriented(), threads=1))
    assert not list(tmp_path.glob(".*"))


_KILLED = """
import os, signal, sys, triadic
from triadic.tiles import engine, store
engine._GROUP_SECONDS = 0.0
write, left = store.write_bytes, iter(range(int(sys.argv[3])))

def killed(descriptor, content, offset):
    if next(left, None) is None:
        content = store.as_bytes(content)
        write(descriptor, content[: len(content) // 2], offset)
        os.kill(os.getpid(), signal.SIGKILL)
    return write(descriptor, content, offset)

store.write_bytes = killed
triadic.triangles(triadic.TiledGraph(sys.argv[1], results=sys.argv[2]), threads=1)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals of POSIX")
def test_a_killed_count_resumes(rmat, tmp_path):
    """Killed in the middle of any write."""
    graph, tiles = rmat
    seed = random.randrange(1 << 30)
    chance = random.Random(seed)
    for _ in range(4 if NIGHTLY else 1):
        write = chance.randrange(6, 20)
        words = [sys.executable, "-c", _KILLED, str(tiles), str(tmp_path), str(write)]
        killed = subprocess.run(words, check=False, capture_output=True, timeout=120)
        assert killed.returncode == -signal.SIGKILL, (seed, killed.stderr)
    assert json.loads((tmp_path / "triangles-of-vertices" / "progress.json").read_text())["done"], seed
    found = triadic.triangles(triadic.TiledGraph(tiles, results=tmp_path))
    assert np.array_equal(found, triadic.triangles(graph)), seed


def test_a_second_count_in_the_same_folder_is_refused(rmat, tmp_path):
    tiled = triadic.TiledGraph(rmat[1], results=tmp_path)
    messages = []

    def during(*_):
        if not messages:
            with pytest.raises(TriadicError, match=str(os.getpid())) as error:
                triadic.triangles(triadic.TiledGraph(rmat[1], results=tmp_path))
            messages.append(str(error.value))

    triadic.triangles(tiled, progress=during)
    assert messages


def test_progress_rises_to_the_end(rmat, tmp_path):
    reports = []
    triadic.triangles(triadic.TiledGraph(rmat[1], results=tmp_path), progress=lambda *report: reports.append(report))
    done = [report[0] for report in reports]
    assert done == sorted(done)
    assert reports[-1][0] == reports[-1][1]


def test_sums_in_memory_add_up(rmat):
    source = MemoryTiles(rmat[0].oriented(), 4)
    sums = []

    def memory_sums(counter):
        sums.append(MemorySums(source.layout, counter))
        return sums[0]

    _count_triangles(source, memory_sums)
    at_ranks = np.concatenate([sums[0].range_sums(i) for i in range(source.layout.ranges)])
    assert np.array_equal(at_ranks, triangles.by_vertex(rmat[0].oriented(), threads=1))


def test_tiles_store_the_numbers_of_tests_of_triples(rmat, tmp_path):
    tiles = triadic.TiledGraph(rmat[1]).oriented().source
    tests = tiles.tested()
    assert np.array_equal(tests, entries_tested(tiles))
    # Each pair of entries of a row is one test at most.
    length = np.diff(rmat[0].oriented().indptr)
    assert sum(tests[triple] for triple in triples(tiles.layout)) <= np.sum(length * (length - 1) // 2)
