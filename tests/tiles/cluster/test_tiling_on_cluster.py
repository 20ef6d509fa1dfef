"""Tiles that a Dask cluster makes are those of one machine to the bit, and counts of them those in memory."""

from __future__ import annotations

import errno
import functools
import operator
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from strategies import NIGHTLY, examples, networks
from tiles_of_clusters import (
    assert_same_tiles,
    kill_a_worker,
    local_cluster,
    on_two_processes,
    random_edges,
    write_set,
)
from triadic.cli import main
from triadic.errors import (
    ArgumentError,
    MissingFileError,
    OutOfMemoryError,
    ReadError,
    ReadWarning,
    TriadicError,
    UnsupportedError,
    WriteError,
)
from triadic.io import read_arcs
from triadic.io.format import ReadOptions
from triadic.io.parquet_file import Footer
from triadic.io.parquet_set import find_parquet
from triadic.planning import tile_costs
from triadic.planning.sample import sample_of
from triadic.planning.shape import shape_of
from triadic.tiles import partition, work
from triadic.tiles import store as stores
from triadic.tiles.cluster import chunk_tasks, cluster_count, cluster_tiling, tile_tasks, tiling_plan
from triadic.tiles.cluster.pieces import (
    Job,
    PieceSpill,
    put_piece,
    read_checkpoint,
    read_index,
    read_parts,
    write_checkpoint,
)
from triadic.tiles.cluster.worker_watch import WorkerPool, wait_for_running_tasks
from triadic.tiles.stored_tiles import open_store
from triadic.tiles.tiling import make_tiles

distributed = pytest.importorskip("distributed")


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    """Cut small networks into many chunks and partitions, and do not wait for the disk."""
    monkeypatch.setattr(tiling_plan, "_LEAST_ROWS", 400)
    monkeypatch.setattr(tiling_plan, "_IDS_IN_PARTITION", 100)
    monkeypatch.setattr(tile_tasks, "_LEAST_STRIP", 64)
    monkeypatch.setattr(tile_tasks, "_ROWS_OF_PART", 64)
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture(scope="module")
def here():
    """Yield a client of two workers in this process."""
    with local_cluster(2) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.mark.parametrize(("kind", "directed"), [("numbers", True), ("gaps", False), ("names", True)])
def test_the_tiles_are_those_of_one_machine(here, tmp_path, kind, directed):
    edges = write_set(tmp_path / "edges", *random_edges(kind))
    triadic.tile(edges, tmp_path / "one", ranges=4, directed=directed)
    graph = triadic.tile(edges, tmp_path / "cluster", ranges=4, directed=directed, client=here)
    assert_same_tiles(tmp_path / "cluster", tmp_path / "one")
    assert triadic.triangle_count(graph) == triadic.triangle_count(triadic.read(edges, directed=directed))


@given(network=networks(), ranges=st.integers(1, 6), counted=st.booleans())
@examples(5, nightly=240)
def test_small_networks_with_isolated_vertices(tmp_path_factory, here, network, ranges, counted):
    folder = tmp_path_factory.mktemp("small")
    edges = write_set(folder / "edges", network.source, network.target, rows_of_group=20)
    options = {"directed": network.directed, "ranges": ranges, "num_vertices": network.vertices if counted else None}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tiling_plan, "_LEAST_ROWS", 25)
        patched.setattr(tiling_plan, "_IDS_IN_PARTITION", 10)
        patched.setattr(tile_tasks, "_LEAST_STRIP", 8)
        patched.setattr(os, "fsync", lambda _: None)
        triadic.tile(edges, folder / "one", **options)
        triadic.tile(edges, folder / "cluster", client=here, **options)
    assert_same_tiles(folder / "cluster", folder / "one")


@pytest.mark.parametrize(
    ("name", "directed"),
    [
        pytest.param("wiki-Vote.txt.gz", True, marks=pytest.mark.nightly),
        ("USAir97.net.gz", False),
        pytest.param("SCerevisiae.el.gz", False, marks=pytest.mark.nightly),
    ],
)
def test_counts_of_real_networks_are_those_in_memory(here, real_networks, tmp_path, name, directed):
    arcs = read_arcs(real_networks / name)
    labels = np.arange(arcs.vertices) if arcs.labels is None else arcs.labels
    ends = [labels[end].tolist() for end in (arcs.source, arcs.target)]
    edges = write_set(tmp_path / "edges", *ends, files=5, rows_of_group=700)
    graph = triadic.read(edges, directed=directed)
    tiled = triadic.tile(edges, tmp_path / "tiles", directed=directed, client=here)
    assert tiled.oriented().layout.ranges > 1
    np.testing.assert_array_equal(tiled.labels, graph.labels)
    np.testing.assert_array_equal(triadic.triangles(tiled), triadic.triangles(graph))
    np.testing.assert_array_equal(triadic.clustering(tiled), triadic.clustering(graph))
    assert triadic.triad_census(tiled) == triadic.triad_census(graph)
    alone = triadic.TiledGraph(tmp_path / "tiles", results=tmp_path / "results")
    np.testing.assert_array_equal(triadic.triangles(alone), triadic.triangles(graph))
    np.testing.assert_array_equal(triadic.triangles(alone), triadic.triangles(graph))  # from the stored ranks


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.nightly), 4])
def test_any_number_of_workers_makes_the_same_tiles(tmp_path, workers):
    edges = write_set(tmp_path / "edges", *random_edges("gaps"))
    triadic.tile(edges, tmp_path / "one", ranges=3)
    with local_cluster(workers) as cluster, distributed.Client(cluster) as client:
        triadic.tile(edges, tmp_path / "cluster", ranges=3, client=client)
    assert_same_tiles(tmp_path / "cluster", tmp_path / "one")


@pytest.mark.parametrize("directed", [True, False])
def test_large_tiles_are_sorted_in_strips(here, tmp_path, directed):
    edges, seen = write_set(tmp_path / "edges", *random_edges("numbers")), set()
    work = tmp_path / "cluster" / "work"

    def look(done, total):
        seen.update(re.sub("^[0-9a-f]*-", "", file.name) for file in work.glob("*-strip-*"))

    triadic.tile(edges, tmp_path / "one", ranges=3, directed=directed)
    triadic.tile(edges, tmp_path / "cluster", ranges=3, directed=directed, client=here, progress=look)
    assert len({name.rpartition("-")[0] for name in seen}) > 1  # of several tiles
    assert_same_tiles(tmp_path / "cluster", tmp_path / "one")


@given(
    degrees=st.lists(st.integers(0, 40), min_size=1, max_size=300),
    ranges=st.integers(1, 6),
    threads=st.integers(1, 9),
    most=st.integers(1, 40),
    shift=st.integers(0, 3),
)
def test_ranges_that_are_cut_for_strips_hold_all_cuts(degrees, ranges, threads, most, shift):
    counts, unit = partition.DegreeCounts.of(np.array(degrees)), 1 << shift
    cuts = np.unique(np.round(np.linspace(0, len(degrees), ranges + 1)[:-1] / unit).astype(int) * unit)
    grid = partition.Grid(np.unique([*cuts[cuts < len(degrees)], len(degrees)]), shift)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tile_tasks, "_LEAST_STRIP", 5)
        fine, places = tile_tasks.cut_for_strips(grid, counts, threads, most)
    np.testing.assert_array_equal(fine.cuts[places], grid.cuts)
    assert np.all(np.diff(fine.cuts) > 0)
    assert not np.any(fine.cuts[:-1] % unit)
    assert fine.ranges <= max(most, grid.ranges)


def test_without_ranges_there_are_enough_for_the_workers(here, tmp_path):
    edges = write_set(tmp_path / "edges", *random_edges("numbers"))
    tiled = triadic.tile(edges, tmp_path / "tiles", client=here)
    assert tiled.oriented().layout.ranges == 5  # 35 triples, 12 for each thread
    assert triadic.triangle_count(tiled) == triadic.triangle_count(triadic.read(edges))


@pytest.mark.parametrize("isolated", [0, 3000])
def test_a_plan_for_workers_cuts_as_they_do(here, tmp_path, monkeypatch, isolated):
    monkeypatch.setattr(partition, "_STRIP_ENDS", 500)
    monkeypatch.setattr(work, "COUNT_FLOOR", 0)
    edges = write_set(tmp_path / "edges", *random_edges("numbers", edges=8000))
    options = {"directed": False, "num_vertices": 600 + isolated}
    sample = sample_of(edges, format=None, threads=1, **options)
    for memory in (170_000, 1 << 20):
        monkeypatch.setattr(cluster_tiling.tiling_plan, "task_memory", lambda *_, memory=memory: memory)
        tiled = triadic.tile(edges, tmp_path / str(memory), client=here, **options)
        cut = tile_costs.cut(shape_of(sample), memory=memory, threads=1, cluster=2)
        layout = tiled.oriented().source.layout
        np.testing.assert_array_equal(cut.layout.cuts, layout.cuts)
        np.testing.assert_array_equal(cut.layout.tile_edges, layout.tile_edges)
        length = np.diff(layout.cuts)
        assert length.max() < 2 * layout.vertices / layout.ranges + length.min() + 600 / layout.ranges


def test_files_that_triadic_wrote_state_vertices_and_direction(here, tmp_path):
    graph = triadic.Graph.from_edges([0, 1, 2], [1, 2, 0], num_vertices=7, directed=False)
    triadic.write(graph, tmp_path / "a.parquet")
    tiled = triadic.tile(tmp_path / "a.parquet", tmp_path / "tiles", client=here)
    assert (tiled.num_vertices, tiled.directed, tiled.labels) == (7, False, None)
    np.testing.assert_array_equal(triadic.triangles(tiled), [1, 1, 1, 0, 0, 0, 0])


@pytest.mark.parametrize("far", [0, 2**30])  # without large gaps, and with
def test_ids_of_32_bits(here, tmp_path, far):
    ends = {"source": [1, 2, 1, far + 5], "target": [2, 3, 3, 1]}
    pq.write_table(pa.table({name: pa.array(ids, pa.int32()) for name, ids in ends.items()}), tmp_path / "a.parquet")
    tiled = triadic.tile(tmp_path / "a.parquet", tmp_path / "tiles", client=here)
    in_memory = triadic.read(tmp_path / "a.parquet")
    assert tiled.labels.tolist() == in_memory.labels.tolist() == [1, 2, 3, far + 5]
    assert triadic.triangles(tiled).tolist() == triadic.triangles(in_memory).tolist()


def test_listed_labels_are_refused(here, tmp_path):
    graph = triadic.Graph.from_edges([0, 1], [1, 2], num_vertices=4, labels=np.array(list("dcba"), dtype=object))
    triadic.write(graph, tmp_path / "a.parquet")
    with pytest.raises(UnsupportedError, match="list the labels of its vertices"):
        triadic.tile(tmp_path / "a.parquet", tmp_path / "tiles", client=here)


def test_long_row_groups_are_cut_to_chunks(here, tmp_path):
    edges = write_set(tmp_path / "edges", *random_edges("names"), files=2, rows_of_group=1 << 20)
    triadic.tile(edges, tmp_path / "one", ranges=3)
    triadic.tile(edges, tmp_path / "cluster", ranges=3, client=here)
    assert_same_tiles(tmp_path / "cluster", tmp_path / "one")


def test_files_and_tiles_at_a_url(here, tmp_path):
    fsspec = pytest.importorskip("fsspec")
    edges = write_set(tmp_path / "edges", *random_edges("names"))
    memory, root = fsspec.filesystem("memory"), f"memory://{tmp_path.name}"
    memory.put(str(edges), f"/{tmp_path.name}/edges", recursive=True)
    results = tmp_path / "results"
    try:
        found = [triadic.tile(f"{root}/{pattern}", f"{root}/{name}", ranges=3, client=here) for name, pattern in (
            ("a", "edges"), ("b", "edges/*.parquet"))]  # fmt: skip
        assert len(find_parquet([f"{root}/edges/part-0.parquet", f"{root}/edges/part-1.parquet"], None)) == 2
        counted = triadic.TiledGraph(f"{root}/a", client=here, results=results)
        graph = triadic.read(edges)
        np.testing.assert_array_equal(triadic.triangles(counted), triadic.triangles(graph))
        np.testing.assert_array_equal(counted.labels, graph.labels)
        assert found[1].num_arcs == graph.num_arcs
        assert not memory.exists(f"/{tmp_path.name}/a/work")
        assert not memory.exists(f"/{tmp_path.name}/a/lock")
    finally:
        memory.rm(f"/{tmp_path.name}", recursive=True)


def test_many_known_vertices_without_edges_are_spread_over_partitions(here, tmp_path, monkeypatch):
    edges, tables = write_set(tmp_path / "edges", *random_edges("numbers")), []
    merged = chunk_tasks._merged_numbers

    def note(job, number, limit, **keywords):
        tables.append(limit[1] - limit[0])
        return merged(job, number, limit, **keywords)

    monkeypatch.setattr(chunk_tasks, "_merged_numbers", note)
    monkeypatch.setattr(tiling_plan, "_VERTEX_BYTES", 1 << 18)
    triadic.tile(edges, tmp_path / "one", ranges=3, num_vertices=100_000)
    triadic.tile(edges, tmp_path / "cluster", ranges=3, num_vertices=100_000, client=here)
    assert_same_tiles(tmp_path / "cluster", tmp_path / "one")
    assert len(tables) >= 16
    assert sum(tables) == 100_000
    assert max(tables) < 2.1 * 100_000 / len(tables)


def test_scratch_holds_the_temporary_files(here, tmp_path):
    edges, seen = write_set(tmp_path / "edges", *random_edges("numbers")), set()

    def look(done, total):
        seen.update(file.name for file in (tmp_path / "scratch").glob("*"))

    triadic.tile(edges, tmp_path / "tiles", ranges=2, scratch=tmp_path / "scratch", client=here, progress=look)
    assert any("-edges-" in name for name in seen)
    assert not list((tmp_path / "scratch").glob("*"))
    (tmp_path / "scratch").mkdir(exist_ok=True)
    (tmp_path / "scratch" / "thesis.tex").write_text("x")
    with pytest.raises(WriteError, match=r"thesis\.tex"):
        triadic.tile(edges, tmp_path / "more", scratch=tmp_path / "scratch", client=here)


# Interruptions


class StopHereError(Exception):
    """Raised by a test in the middle of tiling."""


@pytest.mark.parametrize("kind", ["names", pytest.param("numbers", marks=pytest.mark.nightly)])
def test_an_interrupted_run_repeats_no_finished_stage(here, tmp_path, kind):
    edges = write_set(tmp_path / "edges", *random_edges(kind))
    triadic.tile(edges, tmp_path / "one", ranges=3)
    written, work = {}, tmp_path / "cluster" / "work"
    stage_of = {"placed": "ranks", "lengths": "tiles", "vertices": "tiles", "strip": "tiles"}

    def stop_at(share):
        def stop(done, total):
            if done > share * total:
                raise StopHereError

        return stop

    for share in (0.01, 0.1, 0.22, 0.27, 0.38, 0.5, 0.72, 0.85, 0.97):
        with pytest.raises(StopHereError):
            triadic.tile(edges, tmp_path / "cluster", ranges=3, client=here, progress=stop_at(share))
        finished = read_checkpoint(open_store(work))["finished"] if (work / "tiling.json").exists() else []
        for file in work.glob("[0-9a-f]*-*"):
            kind_of_file = file.name.split("-")[1]
            if stage_of.get(kind_of_file, kind_of_file) in finished:
                with suppress(FileNotFoundError):  # a task may be removing it
                    found = file.stat().st_mtime_ns
                    assert written.setdefault(file.name, found) == found, (share, file.name)
        assert not (tmp_path / "cluster" / "header.json").exists()
    assert set(finished) == {"ids", "ranks", "edges", "tiles"}
    triadic.tile(edges, tmp_path / "cluster", ranges=3, client=here)
    assert_same_tiles(tmp_path / "cluster", tmp_path / "one")


@pytest.mark.parametrize("kind", [pytest.param("numbers", marks=pytest.mark.nightly), "names"])
def test_another_cluster_goes_on(here, tmp_path, monkeypatch, kind):
    edges = write_set(tmp_path / "edges", *random_edges(kind, edges=4000))
    triadic.tile(edges, tmp_path / "one", ranges=3)
    shares = (0.3, 0.34, 0.74, 0.77, 0.8, 1)
    for share, threads in zip(shares, (24, 3, 24, 14, 18, 2), strict=True):
        monkeypatch.setattr(WorkerPool, "threads", threads)
        monkeypatch.setattr(cluster_tiling, "enough_ranges", lambda _, threads=threads: 2 + threads)

        def stop(done, total, share=share):
            if done > share * total:
                raise StopHereError

        with suppress(StopHereError):
            triadic.tile(edges, tmp_path / "cluster", ranges=3, client=here, progress=stop)
    assert_same_tiles(tmp_path / "cluster", tmp_path / "one")


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_a_client_that_finds_another_one_at_its_place_stops(here, tmp_path, share):
    edges = write_set(tmp_path / "edges", *random_edges("numbers"))
    work = open_store(tmp_path / "cluster" / "work")

    def begin_again(done, total):  # as another client does at a URL, which has no locks
        found = read_checkpoint(work) if done > share * total else None
        if found is not None:
            write_checkpoint(work, {**found, "run": "0" * 32})

    with pytest.raises(WriteError, match="another client makes tiles here"):
        triadic.tile(edges, tmp_path / "cluster", ranges=2, client=here, progress=begin_again)
    assert not (tmp_path / "cluster" / "header.json").exists()


def test_other_options_start_again(here, tmp_path):
    edges = write_set(tmp_path / "edges", *random_edges("numbers"))
    triadic.tile(edges, tmp_path / "one", ranges=2)

    def stop(done, total):
        if done > 0.7 * total:
            raise StopHereError

    with pytest.raises(StopHereError):
        triadic.tile(edges, tmp_path / "cluster", ranges=3, client=here, progress=stop)
    with pytest.raises(WriteError, match="a cluster has begun to make tiles here"):
        triadic.tile(edges, tmp_path / "cluster", ranges=2)
    triadic.tile(edges, tmp_path / "cluster", ranges=2, client=here)
    assert_same_tiles(tmp_path / "cluster", tmp_path / "one")
    assert not make_tiles(edges, tmp_path / "cluster", ranges=2, client=here).seconds
    with pytest.raises(WriteError, match="other options"):
        triadic.tile(edges, tmp_path / "cluster", ranges=3, client=here)


@pytest.mark.parametrize(
    "stages",
    [
        pytest.param(slice(4, 5), id="in the longest stage"),
        pytest.param(slice(1, None), id="in every stage", marks=pytest.mark.nightly),
    ],
)
def test_workers_are_killed(tmp_path, stages, monkeypatch):
    """While they make tiles, and while they count them."""
    monkeypatch.setattr(cluster_count, "SHORTEST", 1e5)  # several tasks
    edges = write_set(tmp_path / "edges", *random_edges("names", edges=4000))
    triadic.tile(edges, tmp_path / "one", ranges=4)
    lengths = np.array(list(cluster_tiling._SHARES.values()))
    shares = np.cumsum(lengths) - 0.6 * lengths
    waiting, killed, killed_counting = list(shares[stages]), [], []

    def tile_and_count(client):
        def kill(done, total):
            if waiting and done > waiting[0] * total:
                del waiting[0]
                killed.append(kill_a_worker(client))

        def kill_one(done, total):
            if not killed_counting and 0 < done < total and kill_a_worker(client):
                killed_counting.append(done)

        tiled = triadic.tile(edges, tmp_path / "cluster", ranges=4, client=client, progress=kill)
        client.wait_for_workers(2, timeout=120)  # so that one is left
        return triadic.triangles(tiled, progress=kill_one), triadic.triad_census(tiled, by="vertex")

    triangles, census = on_two_processes(tile_and_count)
    assert not waiting
    assert any(killed)
    assert killed_counting
    assert_same_tiles(tmp_path / "cluster", tmp_path / "one")
    graph = triadic.read(edges)
    np.testing.assert_array_equal(triangles, triadic.triangles(graph))
    np.testing.assert_array_equal(census, triadic.triad_census(graph, by="vertex"))


_KILLED = """
import os, signal, sys, threading
import triadic
from distributed import Client
from triadic.tiles.cluster import tiling_plan as plan
plan._LEAST_ROWS, plan._IDS_IN_PARTITION = 400, 100
share = float(sys.argv[4])
def kill(done, total):
    if done > share * total:
        os.kill(os.getpid(), signal.SIGKILL)
with Client(sys.argv[3]) as client:
    triadic.tile(sys.argv[1], sys.argv[2], ranges=3, client=client, progress=kill)
"""


def test_the_client_is_killed(tmp_path):
    edges = write_set(tmp_path / "edges", *random_edges("gaps"))
    triadic.tile(edges, tmp_path / "one", ranges=3)
    chance = np.random.default_rng()
    with local_cluster(2, protocol="tcp") as cluster, distributed.Client(cluster) as client:
        for share in sorted(chance.uniform(0.02, 0.99, size=3 if NIGHTLY else 1)):
            words = [sys.executable, "-c", _KILLED, edges, tmp_path / "cluster", cluster.scheduler_address, str(share)]
            found = subprocess.run(list(map(str, words)), check=False, capture_output=True, timeout=120)
            assert found.returncode == -signal.SIGKILL, (share, found.stderr)
            assert not (tmp_path / "cluster" / "header.json").exists()
        triadic.tile(edges, tmp_path / "cluster", ranges=3, client=client)
    assert_same_tiles(tmp_path / "cluster", tmp_path / "one")


# Bad luck


def test_a_full_disk_is_one_line_and_the_same_call_goes_on(here, tmp_path, monkeypatch):
    edges = write_set(tmp_path / "edges", *random_edges("numbers"))
    triadic.tile(edges, tmp_path / "one", ranges=3)
    calls, lock, write = iter(range(1 << 30)), threading.Lock(), stores.write_bytes

    def full(descriptor, content, offset):
        with lock:
            number = next(calls)
        if number > 60:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, content, offset)

    monkeypatch.setattr(stores, "write_bytes", full)
    with pytest.raises(WriteError, match=r"No space left on device; make room, then run the same command again$"):
        triadic.tile(edges, tmp_path / "cluster", ranges=3, client=here)
    monkeypatch.setattr(stores, "write_bytes", write)
    wait_for_running_tasks(here)  # other tasks that were writing remove their own files
    assert not list((tmp_path / "cluster").rglob(".*.tmp"))
    triadic.tile(edges, tmp_path / "cluster", ranges=3, client=here)
    assert_same_tiles(tmp_path / "cluster", tmp_path / "one")


def test_a_file_that_changes_between_the_passes_is_named(here, tmp_path):
    edges = write_set(tmp_path / "edges", *random_edges("numbers"))
    changed = []

    def change(done, total):
        if (
            not changed and done > (sum(list(cluster_tiling._SHARES.values())[:4]) - 0.001) * total
        ):  # before the second pass
            changed.append(True)
            table = pq.read_table(edges / "part-2.parquet")
            pq.write_table(table.slice(1), edges / "part-2.parquet", row_group_size=300)

    with pytest.raises(ReadError, match=r"part-2\.parquet: was changed while it was read; run the same command again"):
        triadic.tile(edges, tmp_path / "cluster", ranges=3, client=here, progress=change)
    triadic.tile(edges, tmp_path / "cluster", ranges=3, client=here)
    triadic.tile(edges, tmp_path / "one", ranges=3)
    assert_same_tiles(tmp_path / "cluster", tmp_path / "one")


def test_a_damaged_piece_is_found(here, tmp_path):
    edges = write_set(tmp_path / "edges", *random_edges("numbers"))

    damaged = []

    def damage(done, total):
        if not damaged and done > (sum(list(cluster_tiling._SHARES.values())[:5]) - 0.001) * total:  # before the tiles
            damaged.append(True)
            for piece in (tmp_path / "cluster" / "work").glob("*-edges-1"):
                content = piece.read_bytes()
                piece.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))

    with pytest.raises(ReadError, match=r"edges-1: is damaged: it does not have its checksum"):
        triadic.tile(edges, tmp_path / "cluster", ranges=3, client=here, progress=damage)


def test_a_failed_call_leaves_no_empty_folder(here, tmp_path):
    edges = write_set(tmp_path / "edges", *random_edges("numbers"))
    for wrong in ({"weights": "price"}, {"source": "payer"}):
        with pytest.raises(ReadError):
            triadic.tile(edges, tmp_path / "tiles", client=here, **wrong)
        assert not (tmp_path / "tiles").exists(), wrong
    (tmp_path / "mine").mkdir()
    with pytest.raises(ReadError):
        triadic.tile(edges, tmp_path / "mine", client=here, weights="price")
    assert (tmp_path / "mine").exists()


def test_a_column_of_graphs_that_is_not_read_is_warned_of(here, tmp_path):
    pq.write_table(pa.table({"graph_id": [1, 2], "source": [1, 1], "target": [2, 3]}), tmp_path / "a.parquet")
    with pytest.warns(ReadWarning, match="though the column graph_id may name the graph of each row"):
        triadic.tile(tmp_path / "a.parquet", tmp_path / "tiles", client=here)


def test_two_clients_on_one_folder(here, tmp_path):
    edges = write_set(tmp_path / "edges", *random_edges("numbers"))
    problems = []

    def again(done, total):
        if not problems:
            with pytest.raises(WriteError, match=rf"process {os.getpid()} is making tiles here") as found:
                triadic.tile(edges, tmp_path / "tiles", client=here)
            problems.append(str(found.value))

    triadic.tile(edges, tmp_path / "tiles", client=here, progress=again)
    assert problems


# Input that is refused


def test_input_that_is_no_parquet_is_refused_with_the_remedy(here, tmp_path):
    (tmp_path / "a.txt").write_text("1 2\n")
    for network in (tmp_path / "a.txt", triadic.generate.RMat(4), pa.table({"source": [1], "target": [2]})):
        with pytest.raises(UnsupportedError, match="a cluster reads Parquet; `triadic convert` writes it"):
            triadic.tile(network, tmp_path / "tiles", client=here)
    with pytest.raises(MissingFileError, match="no such file"):
        triadic.tile(tmp_path / "missing.parquet", tmp_path / "tiles", client=here)
    with pytest.raises(MissingFileError, match="no Parquet file matches"):
        triadic.tile(f"memory://{tmp_path.name}/*.parquet", tmp_path / "tiles", client=here)
    with pytest.raises(ArgumentError, match=r"expected a dask.distributed.Client"):
        triadic.tile(tmp_path / "a.txt", tmp_path / "tiles", client="local:2")
    assert not (tmp_path / "tiles").exists()


@pytest.mark.parametrize(
    ("tables", "options", "message"),
    [
        ([{"source": [1, -2], "target": [2, 3]}], {}, "found the id -2, expected 0 or more"),
        (
            [{"source": [1, 7], "target": [2, 3]}],
            {"num_vertices": 5},
            "found the id 7, expected less than num_vertices=5",
        ),
        ([{"source": list("abc"), "target": list("bca")}], {"num_vertices": 2}, "found 3 different names, expected at"),
        ([{"source": [1, None], "target": [2, 3]}], {}, "the column 'source' has no value in row 2"),
        ([{"source": [1.5], "target": [2.0]}], {}, "holds double, expected integers or strings"),
        ([{"a": [1], "b": [2]}, {"a": [1], "c": [2]}], {}, "has other columns than"),
        ([{"x": [1], "y": [2], "z": [2]}], {}, "their names do not tell"),
    ],
)
def test_rows_that_cannot_be_read(here, tmp_path, tables, options, message):
    (tmp_path / "edges").mkdir()
    for k, table in enumerate(tables):
        pq.write_table(pa.table(table), tmp_path / "edges" / f"{k}.parquet")
    with pytest.raises(ReadError, match=message):
        triadic.tile(tmp_path / "edges", tmp_path / "tiles", client=here, **options)


def test_numbers_in_one_file_and_names_in_another_are_names(here, tmp_path):
    (tmp_path / "edges").mkdir()
    pq.write_table(pa.table({"source": [1, 2], "target": [2, 3]}), tmp_path / "edges" / "0.parquet")
    pq.write_table(pa.table({"source": ["1", "x"], "target": ["x", "3"]}), tmp_path / "edges" / "1.parquet")
    triadic.tile(tmp_path / "edges", tmp_path / "one", ranges=2)
    triadic.tile(tmp_path / "edges", tmp_path / "cluster", ranges=2, client=here)
    assert_same_tiles(tmp_path / "cluster", tmp_path / "one")


def test_a_damaged_file_is_named(here, tmp_path):
    edges = write_set(tmp_path / "edges", *random_edges("numbers"))
    content = (edges / "part-1.parquet").read_bytes()
    (edges / "part-1.parquet").write_bytes(content[: len(content) // 2])
    with pytest.raises(ReadError, match=r"part-1\.parquet: cannot be read as Parquet"):
        triadic.tile(edges, tmp_path / "tiles", client=here)


def test_too_little_memory_is_refused_with_the_figure(here, tmp_path):
    edges = write_set(tmp_path / "edges", *random_edges("numbers"))
    with pytest.raises(OutOfMemoryError, match=r"memory=20\.0 MB: a task takes at least 67\.1 MB; allow more"):
        triadic.tile(edges, tmp_path / "tiles", memory="20MB", client=here)
    with pytest.raises(OutOfMemoryError, match=r"has 250 MB: a task takes at least .*; give the workers more memory"):
        tiling_plan.task_memory(1 << 30, 250_000_000)


# The parts


@given(degrees=st.lists(st.lists(st.integers(1, 9), max_size=12), min_size=1, max_size=4), isolated=st.integers(0, 3))
def test_ranks_of_partitions_are_the_ranks_of_all_vertices(degrees, isolated):
    merged = []
    for part in degrees:
        values, counts = np.unique(np.array(part, dtype=np.int64), return_counts=True)
        merged.append((values, counts))
    every = np.array([*functools.reduce(operator.iadd, degrees, []), *[0] * isolated], dtype=np.int64)
    found, counts = tiling_plan.rankings(merged, len(every))
    expected = np.empty(len(every), dtype=np.int64)
    expected[np.argsort(-every, kind="stable")] = np.arange(len(every))
    for ranking, part in zip(found, degrees, strict=True):
        order, ranks, of_vertex = ranking.rank(np.array(part, dtype=np.int64))
        np.testing.assert_array_equal(of_vertex[order], ranks)
        np.testing.assert_array_equal(ranks, expected[ranking.vertices + order])
        assert np.all(np.diff(ranks) > 0)
        assert len(order) == len(part)
    assert counts.vertices == len(every)
    assert counts.ends == every.sum()


def test_a_piece_is_read_as_it_was_written(tmp_path):
    store = open_store(tmp_path)
    parts = [(np.arange(3, dtype=np.uint8), np.arange(2)), (np.arange(0, dtype=np.uint8), np.arange(1))]
    put_piece(store, "a", parts)
    index = read_index(store, ["a", "a"], 0, 2)
    assert index["lengths"][:, :-1, 0].sum(axis=0).tolist() == [6, 0]
    for part, expected in zip(read_parts(store, ["a", "a"], index), 2 * parts, strict=True):
        for array, other in zip(part, expected, strict=True):
            assert array.dtype == other.dtype
            np.testing.assert_array_equal(array, other)
    with pytest.raises(ReadError, match="lacks files of an earlier run; the same command starts again"):
        read_index(store, ["b"], 0, 1)


def test_every_flipped_bit_of_a_piece_is_found(tmp_path):
    store = open_store(tmp_path)
    put_piece(store, "a", [(np.arange(3, dtype=np.uint8), np.arange(2)), (np.arange(2), np.arange(1))])
    whole = (tmp_path / "a").read_bytes()

    def read():
        index = read_index(store, ["a"], 0, 2)
        return [[array.tolist() for array in part] for part in read_parts(store, ["a"], index)]

    expected, problems = read(), 0
    for place in range(8 * len(whole)):
        content = bytearray(whole)
        content[place // 8] ^= 1 << place % 8
        (tmp_path / "a").write_bytes(content)
        with suppress(ReadError):
            assert read() == expected, place
            continue
        problems += 1
    assert problems > 3 * len(whole)
    (tmp_path / "a").write_bytes(whole[:20])
    with pytest.raises(TriadicError, match="is damaged"):
        read_index(store, ["a"], 0, 1)


def test_the_command(tmp_path, capsys):
    edges = write_set(tmp_path / "edges", *random_edges("numbers"))
    with local_cluster(1, protocol="tcp") as cluster:
        code = main(["tile", str(edges), str(tmp_path / "tiles"), "--dask", cluster.scheduler_address, "--undirected"])
    printed = capsys.readouterr()
    assert code == 0, printed.err
    assert "ranges" in printed.out
    graph = triadic.read(edges, directed=False)
    assert triadic.triangle_count(triadic.TiledGraph(tmp_path / "tiles")) == triadic.triangle_count(graph)


def spill_of(folder, counts, monkeypatch):
    """Return pieces with some keys for each cell of three fine ranges, and the list of spans that are read."""
    job = Job(str(folder), "", "a" * 12, (), True, True, None, 0, len(counts), 0)
    for chunk, parts in enumerate(counts):
        job.put("edges", chunk, parts=[(part,) for part in parts])
    spill, spans = PieceSpill(job, range(3), range(3)), []
    read = spill._store.read
    monkeypatch.setattr(spill._store, "read", lambda asked: (spans.extend(asked), read(asked))[1])
    return spill, spans


def test_cells_that_are_read_together_are_those_read_one_by_one(tmp_path, monkeypatch):
    chance = np.random.default_rng(5)
    cells = [(i, j) for i in range(3) for j in range(i + 1)]
    keys = [[chance.integers(0, 1 << 40, chance.integers(0, 9)) for _ in cells] for _ in range(12)]

    def read(room):
        spill, spans = spill_of(tmp_path, keys, monkeypatch)
        spill.room, found = room, {}
        for cell in cells:
            starts, lengths = spill.runs(*cell)
            found[cell] = np.empty(lengths.sum(), dtype=np.int64)
            half, before = len(starts) // 2, int(lengths[: len(starts) // 2].sum())
            spill.read(cell[0], starts[:half], lengths[:half], found[cell][:before])
            spill.read(cell[0], starts[half:], lengths[half:], found[cell][before:])
        return found, len(spans)

    expected, alone = read(0)
    for place, cell in enumerate(cells):
        np.testing.assert_array_equal(expected[cell], np.concatenate([parts[place] for parts in keys]))
    for room in (1200, 1 << 20):
        found, together = read(room)
        assert together < alone
        for cell in cells:
            np.testing.assert_array_equal(found[cell], expected[cell])
    assert together <= 3 * len(keys)  # a span of each piece for each row of cells


def test_cells_that_are_held_are_dropped_before_the_next_are_read(tmp_path, monkeypatch):
    spill, _ = spill_of(tmp_path, [[np.arange(5)] * 6], monkeypatch)
    spill.room, held, read = 1 << 20, [], spill._store.read
    monkeypatch.setattr(spill._store, "read", lambda asked: (held.append(len(spill._held)), read(asked))[1])
    for cell in [(i, j) for i in range(3) for j in range(i + 1)]:
        starts, lengths = spill.runs(*cell)
        spill.read(cell[0], starts, lengths, np.empty(5, dtype=np.int64))
    assert held
    assert not any(held)


@pytest.mark.parametrize(
    ("groups", "memory", "threads", "rows"),
    [
        (1000, 2 << 30, 2, 1 << 22),  # longer chunks would be of no use
        (64_000, 2 << 30, 2, 1 << 24),
        (64_000, 9 << 30, 2, 9 << 23),
        (64_000, 9 << 30, 4000, 8 << 20),  # two for each thread
    ],
)
def test_chunks_follow_the_memory_of_workers(groups, memory, threads, rows):
    footers = [Footer((1 << 20,) * groups, ("source", "target"), "", numeric=True, vertices=None, directed=None)]
    options = ReadOptions(None, None, False, None, None, None, 1)
    assert tiling_plan.make_plan(footers, options, memory, threads).chunk_rows == rows
