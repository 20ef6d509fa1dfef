"""Tiles with weights that a Dask cluster makes are those of one machine to the bit."""

from __future__ import annotations

import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import triadic
from tiles_of_clusters import assert_same_tiles, kill_a_worker, local_cluster, on_two_processes, random_edges, write_set
from triadic.errors import ArgumentError, ReadError, WriteError
from triadic.tiles.cluster import cluster_tiling, tile_tasks, tiling_plan
from triadic.tiles.stored_tiles import StoredTiles, open_store

distributed = pytest.importorskip("distributed")


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    """Cut small networks into many chunks, partitions and strips, and do not wait for the disk."""
    monkeypatch.setattr(tiling_plan, "_LEAST_ROWS", 400)
    monkeypatch.setattr(tiling_plan, "_IDS_IN_PARTITION", 100)
    monkeypatch.setattr(tile_tasks, "_LEAST_STRIP", 64)
    monkeypatch.setattr(os, "fsync", lambda _: None)


def weighted_set(folder, kind="numbers", edges=4000, seed=0):
    """Write random edges with weights, loops and repeats as several Parquet files."""
    write_set(folder, *random_edges(kind, edges=edges, seed=seed))
    for place, file in enumerate(sorted(folder.glob("*.parquet"))):
        table = pq.read_table(file)
        weights = np.random.default_rng(place).normal(size=len(table))
        pq.write_table(table.append_column("strength", pa.array(weights)), file, row_group_size=300)
    return folder


def assert_same_weights(cluster, one):
    assert_same_tiles(cluster, one)
    found, expected = StoredTiles(open_store(cluster)), StoredTiles(open_store(one))
    assert found.weight_limits == expected.weight_limits
    assert found.with_weights().layout.edge_limits == expected.with_weights().layout.edge_limits is not None


# Weights are combined when edges of any kind have got their ranks.
@pytest.mark.parametrize(
    ("kind", "directed", "combine"),
    [
        ("numbers", True, "first"),
        ("gaps", False, "sum"),
        ("names", True, "max"),
        ("names", False, "first"),
        ("gaps", False, None),
    ],
)
def test_the_weights_are_those_of_one_machine(here, tmp_path, kind, directed, combine):
    edges = weighted_set(tmp_path / "edges", kind)
    options = {"ranges": 4, "directed": directed, "weights": "strength", "combine": combine}
    triadic.tile(edges, tmp_path / "one", **options)
    tiled = triadic.tile(edges, tmp_path / "cluster", client=here, **options)
    assert tiled.is_weighted
    assert_same_weights(tmp_path / "cluster", tmp_path / "one")


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.nightly), 4])
def test_any_number_of_workers_makes_the_same_weights(tmp_path, workers):
    edges = weighted_set(tmp_path / "edges")
    triadic.tile(edges, tmp_path / "one", weights=True, ranges=3)
    with local_cluster(workers) as cluster, distributed.Client(cluster) as client:
        triadic.tile(edges, tmp_path / "cluster", weights=True, ranges=3, client=client)
    assert_same_weights(tmp_path / "cluster", tmp_path / "one")


def test_a_network_without_edges_has_no_weights_to_write(here, tmp_path):
    nothing = pa.table(
        {"source": pa.array([], pa.int64()), "target": pa.array([], pa.int64()), "w": pa.array([], pa.float64())}
    )
    pq.write_table(nothing, tmp_path / "a.parquet")
    for name, client in (("one", None), ("cluster", here)):
        tiled = triadic.tile(tmp_path / "a.parquet", tmp_path / name, weights="w", num_vertices=5, client=client)
        assert (tiled.is_weighted, tiled.num_edges, tiled.num_vertices) == (True, 0, 5)


def test_tiles_of_a_cluster_without_weights_name_none(here, tmp_path):
    edges = weighted_set(tmp_path / "edges")
    tiled = triadic.tile(edges, tmp_path / "cluster", ranges=3, client=here)
    assert not tiled.is_weighted
    assert b"weights" not in (tmp_path / "cluster" / "header.json").read_bytes()
    with pytest.raises(WriteError, match=r"weights=None, not 'strength'"):
        triadic.tile(edges, tmp_path / "cluster", ranges=3, weights="strength", client=here)


@pytest.mark.parametrize(("kind", "directed"), [("numbers", True), ("gaps", True), ("names", False)])
def test_weights_that_cannot_be_combined_name_the_vertices(here, tmp_path, kind, directed):
    """All edges occur once except one, so that one machine and a cluster find the same one."""
    source, target = (np.array(end) for end in random_edges(kind, edges=300))
    pairs = {
        tuple(sorted(pair)): pair for pair in zip(source.tolist(), target.tolist(), strict=True) if pair[0] != pair[1]
    }
    ends = [list(end) for end in zip(*pairs.values(), strict=True)]
    for end in ends:
        end.append(end[17])
    edges = write_set(tmp_path / "edges", *ends)
    for file in edges.glob("*.parquet"):
        table = pq.read_table(file)
        pq.write_table(table.append_column("w", pa.array(np.ones(len(table)))), file)
    messages = []
    for name, client in (("one", None), ("cluster", here)):
        with pytest.raises(ArgumentError, match=r'combine="error": vertex .* are joined more than once') as error:
            triadic.tile(edges, tmp_path / name, weights="w", combine="error", directed=directed, client=client)
        messages.append(str(error.value))
        left = [file.name for file in (tmp_path / name).rglob("*") if file.is_file() and file.name != "lock"]
        assert left == []
    assert messages[0] == messages[1]
    assert f"vertex {ends[0][17]}" in messages[0]


def test_weights_from_both_ends_count_once_or_are_an_error_as_on_one_machine(here, tmp_path):
    source, target = (np.array(end) for end in random_edges("gaps", edges=300))
    once = np.unique(np.sort([source, target], axis=0)[:, source != target], axis=1)
    ends, weights = np.concatenate([once, once[::-1]], axis=1), np.tile(np.arange(1.0, once.shape[1] + 1), 2)
    weights[7] *= 1 + 1e-10  # rounding
    options = {"weights": "w", "directed": False, "ranges": 3}
    messages = []
    for different in (False, True):
        weights[5] += different
        folder = tmp_path / f"edges {different}"
        folder.mkdir()
        pq.write_table(pa.table({"source": ends[0], "target": ends[1], "w": weights}), folder / "a.parquet")
        for name, client in (("one", None), ("cluster", here)):
            place = tmp_path / f"{name} {different}"
            if not different:
                tiled = triadic.tile(folder, place, client=client, **options)
                assert (
                    tiled.origin.weights
                    == f"weights of {once.shape[1]} edges given from both ends agree and count once"
                )
                continue
            with pytest.raises(ArgumentError, match="given from both ends with weights") as error:
                triadic.tile(folder, place, client=client, **options)
            messages.append(str(error.value))
    assert_same_weights(tmp_path / "cluster False", tmp_path / "one False")
    assert messages[0] == messages[1]


def test_wrong_weights_are_an_error_that_names_the_file(here, tmp_path):
    edges = weighted_set(tmp_path / "edges")
    table = pq.read_table(edges / "part-1.parquet")
    weights = table["strength"].to_numpy().copy()
    weights[5] = np.nan
    pq.write_table(table.set_column(2, "strength", pa.array(weights, from_pandas=False)), edges / "part-1.parquet")
    with pytest.raises(ReadError, match=r"part-1\.parquet: found the weight nan in row 6"):
        triadic.tile(edges, tmp_path / "tiles", weights="strength", client=here)
    with pytest.raises(ReadError, match="there is no column 'v'"):
        triadic.tile(edges, tmp_path / "others", weights="v", client=here)


class StopHereError(Exception):
    """Raised by a test in the middle of tiling."""


def test_an_interrupted_run_writes_the_same_weights(here, tmp_path):
    edges = weighted_set(tmp_path / "edges", "names")
    options = {"ranges": 3, "weights": "strength", "combine": "first"}
    triadic.tile(edges, tmp_path / "one", **options)

    def stop_at(share):
        def stop(done, total):
            if done > share * total:
                raise StopHereError

        return stop

    for share in (0.1, 0.38, 0.5, 0.72, 0.85, 0.97):
        with pytest.raises(StopHereError):
            triadic.tile(edges, tmp_path / "cluster", client=here, progress=stop_at(share), **options)
        assert not (tmp_path / "cluster" / "header.json").exists()
    triadic.tile(edges, tmp_path / "cluster", client=here, **options)
    assert_same_weights(tmp_path / "cluster", tmp_path / "one")


@pytest.mark.nightly
def test_workers_are_killed_in_every_stage(tmp_path):
    edges = weighted_set(tmp_path / "edges", "gaps", edges=12_000)
    triadic.tile(edges, tmp_path / "one", ranges=4, weights="strength")
    lengths = np.array(list(cluster_tiling._SHARES.values()))
    shares = np.cumsum(lengths) - 0.6 * lengths
    waiting, killed = list(shares[3:]), []

    def tile(client):
        def kill(done, total):
            if waiting and done > waiting[0] * total:
                del waiting[0]
                killed.append(kill_a_worker(client))

        triadic.tile(edges, tmp_path / "cluster", ranges=4, weights="strength", client=client, progress=kill)

    on_two_processes(tile)
    assert not waiting
    assert any(killed)
    assert_same_weights(tmp_path / "cluster", tmp_path / "one")


def test_a_damaged_piece_of_weights_is_found(here, tmp_path):
    edges, damaged = weighted_set(tmp_path / "edges"), []

    def damage(done, total):
        if not damaged and done > (sum(list(cluster_tiling._SHARES.values())[:5]) - 0.001) * total:  # before the tiles
            damaged.append(True)
            for piece in (tmp_path / "cluster" / "work").glob("*-edges-1"):
                content = piece.read_bytes()
                piece.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))

    with pytest.raises(ReadError, match=r"edges-1: is damaged: it does not have its checksum"):
        triadic.tile(edges, tmp_path / "cluster", weights="strength", ranges=3, client=here, progress=damage)
