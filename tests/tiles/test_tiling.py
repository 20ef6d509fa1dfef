"""Tiles on disk hold each edge of a graph once, for any number of ranges."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from stored_edges import files_of, of_oriented, of_tiles, ranks_of
from strategies import examples, networks
from triadic.core.memory import parse_bytes
from triadic.errors import ArgumentError, MissingFileError, OutOfMemoryError, WriteError
from triadic.generate import RMat, make_arcs, write_parquet
from triadic.tiles import partition
from triadic.tiles.tiling import make_tiles, tile


@pytest.fixture
def without_fsync(monkeypatch):
    """Do not wait for the disk, which takes most of the time if files are small."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def check(tiles, graph):
    """Assert that tiles and graph have the same edges, degrees and sizes."""
    layout, oriented = tiles.layout, graph.oriented()
    assert of_tiles(tiles) == of_oriented(oriented)
    assert (layout.vertices, layout.edges, layout.directed) == (graph.num_vertices, graph.num_edges, graph.directed)
    assert layout.arcs == len(graph.indices)
    assert layout.dropped == graph.dropped
    degree = np.concatenate([tiles.degree(i) for i in range(layout.ranges)])
    np.testing.assert_array_equal(degree[ranks_of(tiles)], oriented.degree[oriented.rank])


@given(network=networks(), ranges=st.integers(1, 9), threads=st.integers(1, 2))
@examples(12, nightly=600)
def test_tiles_put_together_are_the_graph(tmp_path_factory, network, ranges, threads):
    folder = tmp_path_factory.mktemp("tiles")
    lines = "".join(f"{u} {v}\n" for u, v in network.arcs)
    (folder / "a.txt").write_text(f"# Nodes: {network.vertices}\n{lines}")
    options = {"directed": network.directed, "num_vertices": network.vertices}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", lambda _: None)  # takes most of the time if files are small
        tiles = make_tiles(folder / "a.txt", folder / "tiles", ranges=ranges, threads=threads, **options).tiles
    check(tiles, triadic.read(folder / "a.txt", **options))
    assert tiles.layout.ranges == max(1, min(ranges, network.vertices))


@pytest.mark.usefixtures("without_fsync")
@pytest.mark.parametrize(
    ("name", "ranges"), [pytest.param("wiki-Vote.txt.gz", 4, marks=pytest.mark.nightly), ("USAir97.net.gz", 9)]
)
@pytest.mark.parametrize("directed", [False, True])
def test_tiles_of_a_real_network(real_networks, tmp_path, name, ranges, directed):
    path = real_networks / name
    tiles = make_tiles(path, tmp_path / "tiles", ranges=ranges, directed=directed).tiles
    graph = triadic.read(path, directed=directed)
    check(tiles, graph)
    np.testing.assert_array_equal(tiles.labels(), graph.labels)


@pytest.mark.usefixtures("without_fsync")
def test_less_memory_gives_more_ranges_and_the_same_edges(tmp_path):
    """Fine ranges are joined; buffers are so small that workers append to each file many times."""
    model = RMat(14, seed=1)
    expected = of_oriented(triadic.generate.make_graph(model).oriented())
    ranges = []
    for memory in ("34MB", "34.4MB", "1GB"):
        tiles = make_tiles(model, tmp_path / memory, memory=memory, threads=2).tiles
        assert of_tiles(tiles) == expected
        assert tiles.nbytes == sum(len(content) for content in files_of(tmp_path / memory).values())
        ranges.append(tiles.layout.ranges)
    assert ranges[0] > ranges[1] > ranges[2] == 1


@given(
    degree=st.lists(st.integers(0, 40), max_size=60),
    ranges=st.integers(1, 70),
    shift=st.integers(0, 4),
    hubs=st.integers(0, 30),
    vertex_cost=st.integers(1, 40),
)
def test_ranges_are_cut_at_multiples_of_the_shift_and_none_is_empty(degree, ranges, shift, hubs, vertex_cost):
    counts = partition.DegreeCounts.of(np.array(degree, dtype=np.int64))
    cuts = partition.cut_ranks(counts, max(1, min(ranges, len(degree))), shift, min(hubs, len(degree)), vertex_cost)
    assert (cuts[0], cuts[-1]) == (0, len(degree))
    assert np.all(np.diff(cuts) > 0) or len(degree) == 0
    assert np.all(cuts[:-1] % (1 << shift) == 0)
    table = partition.Grid(cuts, shift).range_of()
    rank = np.arange(len(degree))
    np.testing.assert_array_equal(table[rank >> shift], np.searchsorted(cuts, rank, side="right") - 1)


def test_complete_tiles_are_not_written_again(tmp_path):
    model = RMat(6, seed=1)
    assert make_tiles(model, tmp_path / "tiles", ranges=2).seconds
    before = files_of(tmp_path / "tiles")
    assert not make_tiles(model, tmp_path / "tiles", ranges=2).seconds
    assert files_of(tmp_path / "tiles") == before
    with pytest.raises(WriteError, match="another input or other options"):
        tile(model, tmp_path / "tiles", ranges=3)


def test_a_folder_with_other_files_is_an_error_and_unchanged(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(WriteError, match=r"thesis\.tex"):
        tile(RMat(4, seed=1), tmp_path)
    with pytest.raises(MissingFileError):
        tile(tmp_path / "missing.txt", tmp_path / "tiles")
    assert list(files_of(tmp_path)) == ["thesis.tex"]


@pytest.mark.parametrize("ranges", [0, 256, True, 1.5])
def test_an_invalid_number_of_ranges_is_an_error(tmp_path, ranges):
    with pytest.raises(ArgumentError, match=r"ranges=.*from 1 to 255"):
        tile(RMat(4, seed=1), tmp_path / "tiles", ranges=ranges)


@pytest.mark.usefixtures("without_fsync")
def test_the_error_of_too_little_memory_has_the_memory_needed(tmp_path):
    for memory in ("1MB", "33.75MB"):
        with pytest.raises(OutOfMemoryError, match=r"takes at least") as error:
            tile(RMat(14, seed=1), tmp_path / "tiles", memory=memory)
    least = str(error.value).split(" takes at least ")[1]
    assert parse_bytes(memory) <= parse_bytes(least) < 2 * parse_bytes(memory)
    assert tile(RMat(14, seed=1), tmp_path / "tiles", memory=parse_bytes(least) * 101 // 100).num_vertices == 2**14


# Peak of the private memory of the process, measured every millisecond. So many threads are a computer's with 16 cores.
_WATCHED = """
import sys, threading, time
from triadic.tiles.tiling import tile

def held():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("RssAnon"))

weights = "weight" if "weighted" in sys.argv[1] else None
for again, words in enumerate(({"ranges": 3}, {"memory": "36MB"})):  # so that all kernels are compiled
    tile(sys.argv[1], f"{sys.argv[3]}.first{again}", weights=weights, threads=16, **words)
before, peak = held(), 0

def watch():
    global peak
    while True:
        peak = max(peak, held() - before)
        time.sleep(0.001)

threading.Thread(target=watch, daemon=True).start()
tiled = tile(sys.argv[2], sys.argv[3], memory=sys.argv[4], weights=weights, threads=16)
print(tiled.num_edges, peak)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc of Linux")
@pytest.mark.parametrize(
    ("suffix", "scale", "memory", "expected"),
    [
        pytest.param("parquet", 18, 64_000_000, 3_805_793, id="edges spilled to disk"),
        pytest.param("parquet", 18, 250_000_000, 3_805_793, id="edges held", marks=pytest.mark.nightly),
        pytest.param("txt", 16, 160_000_000, 909_037, id="edges and decoded text held", marks=pytest.mark.nightly),
        pytest.param("names.txt", 18, 124_000_000, 131_072, id="names", marks=pytest.mark.nightly),
        pytest.param(
            "weighted.parquet",
            18,
            72_000_000,
            3_805_793,
            id="weighted edges spilled to disk",
            marks=pytest.mark.nightly,
        ),
        pytest.param(
            "weighted.parquet", 17, 240_000_000, 1_864_539, id="weighted edges held", marks=pytest.mark.nightly
        ),
    ],
)
def test_no_more_memory_is_held_than_is_allowed(tmp_path, suffix, scale, memory, expected):
    first, second = (tmp_path / f"{name}.{suffix}" for name in ("first", "a"))
    for path, size in ((first, 10), (second, scale)):
        if suffix.endswith("parquet"):
            write_parquet(path, RMat(size, seed=1))
            if suffix.startswith("weighted"):
                table = pq.read_table(path)
                weights = np.random.default_rng(1).normal(size=len(table))
                pq.write_table(table.append_column("weight", pa.array(weights)), path, row_group_size=200_000)
        elif suffix == "txt":
            path.write_text("".join(f"{u} {v}\n" for u, v in arcs_of(RMat(size, seed=1))))
        else:
            path.write_text("".join(f"vertex-{u} vertex-{u + 1}\n" for u in range(0, 1 << size, 2)))
    words = [str(first), str(second), str(tmp_path / "tiles"), str(memory)]
    found = subprocess.run([sys.executable, "-c", _WATCHED, *words], check=True, capture_output=True, text=True)
    edges, peak = map(int, found.stdout.split())
    assert edges == expected
    assert peak < memory


def arcs_of(model):
    arcs = make_arcs(model)
    return zip(arcs.source.tolist(), arcs.target.tolist(), strict=True)
