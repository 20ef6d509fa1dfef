"""Tiles in another layout than the stored one: equal to the dumbest cut, read a bounded number of times."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

import triadic
from strategies import NIGHTLY
from triadic.devices.cpu.triangles import triangles
from triadic.errors import OutOfMemoryError, ReadError, WriteError
from triadic.tiles import engine, fitting, recut, store, work
from triadic.tiles.fitting import Fitting, fewest_ranges, fine_cuts
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.recut import RecutTiles, joined_tests, recut_layout
from triadic.tiles.store import FolderStore
from triadic.tiles.sums import FolderSums, MemorySums, PartCounter
from triadic.tiles.tile import LeaflessTiles, marks_of, num_leafless_ranks
from triadic.tiles.tile_rows import StoredRows
from triadic.tiles.work import Needed, counting_bytes, entries_tested


@pytest.fixture(autouse=True)
def _no_floor(monkeypatch):
    """Small graphs need little more than the memory that is held for graphs of any size."""
    monkeypatch.setattr(work, "COUNT_FLOOR", 0)


@pytest.fixture(scope="module", params=[True, False], ids=["directed", "undirected"])
def network(request, tmp_path_factory):
    """A graph, and its tiles in three ranges."""
    graph = triadic.generate.rmat(9, seed=1, directed=request.param)
    folder = tmp_path_factory.mktemp("recut")
    triadic.write(graph, folder / "graph")
    triadic.tile(folder / "graph", folder / "tiles", ranges=3)
    return graph, folder / "tiles"


def _dense(source):
    """Return the states of all edges, or 1, as a matrix."""
    layout = source.layout
    matrix = np.zeros((layout.vertices,) * 2, dtype=np.uint8)
    for i in range(layout.ranges):
        for j in range(i + 1):
            tile = source.tile(i, j)
            row = np.repeat(np.arange(layout.length(i)), np.diff(tile.indptr)) + layout.cuts[i]
            assert all((np.diff(part) > 0).all() for part in np.split(tile.indices, tile.indptr[1:-1]))
            matrix[row, tile.indices + layout.cuts[j]] = 1 if tile.state is None else tile.state
    return matrix


def _sources(network):
    graph, tiles = network
    stored = triadic.TiledGraph(tiles).oriented().source
    yield from (MemoryTiles(graph.oriented(), 1), MemoryTiles(graph.oriented(), 4), stored)
    yield LeaflessTiles(stored, num_leafless_ranks(stored))


def test_any_cuts_present_the_same_edges(network, tmp_path):
    rng = np.random.default_rng(1)
    for source in _sources(network):
        expected, n = _dense(source), source.layout.vertices
        for trial in range(6 if NIGHTLY else 2):
            inner = rng.integers(0, n + 1, rng.integers(0, 9))
            cuts = np.unique(np.concatenate([[0], inner, rng.choice(source.layout.cuts, 2), [n]]))
            layout = recut_layout(source, cuts)
            dense_edges = [[np.count_nonzero(expected[a:b, c:d]) for c, d in pairwise(cuts)] for a, b in pairwise(cuts)]
            assert np.array_equal(layout.tile_edges, dense_edges)
            kept = FolderStore(tmp_path / f"{id(source)}-{trial}") if trial % 2 else None
            tiles = RecutTiles(source, layout, kept)
            for _ in range(2):  # the second time from the stored cut tiles
                assert np.array_equal(_dense(tiles), expected)
            degree = np.concatenate([source.degree(i) for i in range(source.layout.ranges)])
            assert np.array_equal(np.concatenate([tiles.degree(i) for i in range(layout.ranges)]), degree)
            tests = recut.tested_in_ranges(source, cuts)
            assert np.array_equal(tests, entries_tested(tiles))
            joined = np.unique(np.concatenate([[0], rng.integers(0, layout.ranges, 2), [layout.ranges]]))
            assert np.array_equal(
                np.tril(joined_tests(tests, joined)), np.tril(recut.tested_in_ranges(source, cuts[joined]))
            )


def test_rows_of_a_stored_tile_are_those_of_the_tile(network, monkeypatch):
    monkeypatch.setattr("triadic.tiles.tile._MARK_ENTRIES", 20)
    source = triadic.TiledGraph(network[1]).oriented().source
    rng = np.random.default_rng(1)
    for i, j in ((0, 0), (1, 0), (2, 1), (2, 2)):
        tile, rows = source.tile(i, j), source.tile_rows(i, j)
        assert np.array_equal(rows.marks, marks_of(tile.indptr))
        for first, last in [(0, 0), (0, len(tile.indptr) - 1), *np.sort(rng.integers(0, len(tile.indptr), (20, 2)))]:
            part, entries = rows.rows(first, last), slice(tile.indptr[first], tile.indptr[last])
            assert np.array_equal(part.indptr, tile.indptr[first : last + 1] - tile.indptr[first])
            assert np.array_equal(part.indices, tile.indices[entries])
            assert part.state is None if tile.state is None else np.array_equal(part.state, tile.state[entries])


def test_cutting_reads_a_tile_once_for_each_range_of_its_columns(network, tmp_path, monkeypatch):
    read, graph = [0], network[0]
    original = StoredRows._read

    def recorded(self, file, kind, offset, count):
        found = original(self, file, kind, offset, count)
        read[0] += found.nbytes
        return found

    monkeypatch.setattr(StoredRows, "_read", recorded)
    tiled = triadic.TiledGraph(network[1], results=tmp_path)
    source = tiled.oriented().source
    cuts = np.unique(np.concatenate([source.layout.cuts, fine_cuts(source)[::20]]))
    cut_into = max(np.diff(np.searchsorted(cuts, source.layout.cuts)))
    layout = recut_layout(source, cuts)
    read[0] = 0
    tiles = RecutTiles(source, layout, FolderStore(tmp_path / "cut"))
    counter = PartCounter("triangles", lambda part, _: triangles.by_vertex(part, threads=1), 1, True)
    sums = MemorySums(tiles.layout, counter)
    needed = counting_bytes(layout, threads=1, columns=1)
    engine.count(tiles, counter, sums, tests=lambda _: recut.tested_in_ranges(source, cuts), memory=needed, threads=1)
    ranks = np.concatenate([sums.range_sums(i) for i in range(layout.ranges)])
    assert sum(ranks) == triadic.triangles(graph).sum()
    assert read[0] <= (cut_into + 1) * source.nbytes


@pytest.mark.parametrize(
    "ranges", [pytest.param(1, marks=pytest.mark.nightly), 2, pytest.param(5, marks=pytest.mark.nightly)]
)
def test_tiles_too_coarse_for_the_memory_are_counted(tmp_path, ranges, monkeypatch):
    monkeypatch.setattr(fitting, "_FINE", 128 if NIGHTLY else 48)  # trying all numbers of ranges takes seconds
    graph = triadic.generate.rmat(9, seed=1, directed=True)
    triadic.write(graph, tmp_path / "graph")
    tiled = triadic.tile(tmp_path / "graph", tmp_path / "tiles", ranges=ranges)
    expected = triadic.triangles(graph)
    with pytest.raises(OutOfMemoryError) as error:
        triadic.triangles(triadic.TiledGraph(tmp_path / "tiles", memory=1000, results=tmp_path / "none"))
    layout = tiled.oriented().leafless.layout
    whole = counting_bytes(layout, threads=2, columns=1)
    source = tiled.oriented().fitting
    fine = source._fine
    least = min(
        counting_bytes(recut_layout(tiled.oriented().leafless, fine.cuts[[0, *range(step, fine.ranges, step), -1]]),
                       threads=2, columns=1)
        for step in range(4, 40, 4)
    )  # fmt: skip
    for number, memory in enumerate((whole, whole - 1, (whole + least) // 2, least + least // 4)):
        results = tmp_path / f"results-{number}"
        small = triadic.TiledGraph(tmp_path / "tiles", memory=memory, results=results)
        assert np.array_equal(triadic.triangles(small, threads=2), expected)
        assert not list(results.rglob("cut-*"))
        # The stored tiles are counted if they fit; without leaves, a little less memory may be enough for them.
        cuts = json.loads((results / "triangles-of-vertices" / "progress.json").read_text())["cuts"]
        assert number == 1 or (cuts == layout.cuts.tolist()) == (memory == whole)
    assert "takes at least" in str(error.value)


def test_the_least_memory_of_the_error_is_enough(tmp_path, monkeypatch):
    monkeypatch.setattr(fitting, "_FINE", 128 if NIGHTLY else 48)  # trying all numbers of ranges takes seconds
    triadic.tile(triadic.generate.RMat(9, seed=1), tmp_path / "tiles", ranges=1)
    oriented = triadic.TiledGraph(tmp_path / "tiles").oriented()
    needed = []

    def bytes_of(layout):
        needed.append(counting_bytes(layout, threads=1, columns=1))
        return needed[-1]

    with pytest.raises(OutOfMemoryError, match="takes at least"):
        fewest_ranges(oriented.fitting._fine, 1, bytes_of)
    tiles = oriented.fitting.fit(min(needed), threads=1, columns=1)
    assert counting_bytes(tiles.layout, threads=1, columns=1) == min(needed)


def test_too_fine_tiles_are_joined_if_that_saves_time(tmp_path, monkeypatch):
    model = triadic.generate.RMat(11, seed=1)
    triadic.tile(model, tmp_path / "tiles", ranges=12)
    monkeypatch.setattr("triadic.tiles.fitting._WORTH_JOINING", 0)
    tiled = triadic.TiledGraph(tmp_path / "tiles", memory="1GB", results=tmp_path / "results")
    graph = triadic.generate.make_graph(model)
    assert np.array_equal(triadic.triangles(tiled), triadic.triangles(graph))
    assert triadic.triad_census(tiled) == triadic.triad_census(graph)
    state = json.loads((tmp_path / "results" / "triangles-of-vertices" / "progress.json").read_text())
    assert len(state["cuts"]) == 2
    monkeypatch.setattr("triadic.tiles.fitting._LONGEST_TRIPLE", 1)
    fitting = triadic.TiledGraph(tmp_path / "tiles").oriented().fitting
    assert fitting.fit(1 << 30, threads=1, columns=1).layout.ranges == 12


class _KilledError(Exception):
    """As if the process was killed."""


def _count_some(tiles, memory, results, monkeypatch, groups):
    """Count triangles, and stop after some groups of triples were added."""
    add, added = FolderSums.add, []

    def stopping(self, *group):
        add(self, *group)
        added.append(group)
        if len(added) == groups:
            raise _KilledError

    with monkeypatch.context() as patch:
        patch.setattr(engine, "_GROUP_SECONDS", 0.0)
        patch.setattr(FolderSums, "add", stopping)
        tiled = triadic.TiledGraph(tiles, memory=memory, results=results)
        if groups:
            with pytest.raises(_KilledError):
                triadic.triangles(tiled, threads=1)
            return len(added)
        triadic.triangles(tiled, threads=1)
        return sum(len(group[0]) for group in added)


def test_a_count_goes_on_in_the_ranges_in_which_it_was_begun(tmp_path, monkeypatch, recwarn):
    graph = triadic.generate.rmat(11, seed=1)
    triadic.write(graph, tmp_path / "graph")
    oriented = triadic.tile(tmp_path / "graph", tmp_path / "tiles", ranges=2).oriented()
    whole = counting_bytes(oriented.leafless.layout, threads=1, columns=1)
    # Begun in ranges that were cut, with memory for half; then there is memory for the stored ranges.
    _count_some(tmp_path / "tiles", whole // 2, tmp_path / "a", monkeypatch, 3)
    state = json.loads((tmp_path / "a" / "triangles-of-vertices" / "progress.json").read_text())
    assert len(state["cuts"]) > 3
    assert list((tmp_path / "a").rglob("cut-*/tile-*"))
    left = _count_some(tmp_path / "tiles", whole * 2, tmp_path / "a", monkeypatch, 0)
    every = json.loads((tmp_path / "a" / "triangles-of-vertices" / "progress.json").read_text())
    assert every["cuts"] == state["cuts"]
    assert left == len(every["done"]) - len(state["done"])
    assert not list((tmp_path / "a").rglob("cut-*"))
    # A finished count is not repeated, whatever the memory.
    small = triadic.TiledGraph(tmp_path / "tiles", memory=1, results=tmp_path / "a")
    assert np.array_equal(triadic.triangles(small, threads=1), triadic.triangles(graph))
    assert not recwarn.list


def test_a_count_whose_ranges_no_longer_fit_starts_again_and_says_so(tmp_path, monkeypatch):
    graph = triadic.generate.rmat(11, seed=1)
    triadic.write(graph, tmp_path / "graph")
    oriented = triadic.tile(tmp_path / "graph", tmp_path / "tiles", ranges=2).oriented()
    whole = counting_bytes(oriented.leafless.layout, threads=1, columns=1)
    _count_some(tmp_path / "tiles", whole, tmp_path / "results", monkeypatch, 2)
    small = triadic.TiledGraph(tmp_path / "tiles", memory=whole * 2 // 3, results=tmp_path / "results")
    with pytest.warns(UserWarning, match=r"unfinished count in 2 ranges starts again in \d+: memory="):
        found = triadic.triangles(small, threads=1)
    assert np.array_equal(found, triadic.triangles(graph))


def test_without_room_for_cut_tiles_the_count_is_the_same(tmp_path, monkeypatch):
    graph = triadic.generate.rmat(11, seed=1)
    triadic.write(graph, tmp_path / "graph")
    oriented = triadic.tile(tmp_path / "graph", tmp_path / "tiles", ranges=2).oriented()
    memory = counting_bytes(oriented.leafless.layout, threads=1, columns=1) * 2 // 3
    put = store.FolderStore.put

    def full(self, name, parts):
        if "cut-" in str(self.folder):
            raise WriteError("No space left on device")
        put(self, name, parts)

    monkeypatch.setattr(store.FolderStore, "put", full)
    tiled = triadic.TiledGraph(tmp_path / "tiles", memory=memory)
    assert np.array_equal(triadic.triangles(tiled, threads=1), triadic.triangles(graph))


def test_a_tile_that_changes_while_it_is_cut_is_an_error(network, tmp_path):
    source = triadic.TiledGraph(network[1]).oriented().source
    for name in source.names:
        (tmp_path / name).write_bytes((network[1] / name).read_bytes())
    source = triadic.TiledGraph(tmp_path).oriented().source
    rows = source.tile_rows(1, 0)
    rows.rows(0, 3)
    content = bytearray((tmp_path / "tile-1-0").read_bytes())
    (tmp_path / "tile-1-0").write_bytes(content)  # the same bytes at another time
    rows.rows(0, 3)
    content[200] ^= 1
    (tmp_path / "tile-1-0").write_bytes(content)
    with pytest.raises(ReadError, match=r"tile-1-0: .*columns do not have their checksum.*triadic tile"):
        rows.rows(0, 3)
    (tmp_path / "tile-1-0").unlink()
    with pytest.raises(ReadError, match=r"tile-1-0: there is no such file.*triadic tile"):
        rows.rows(0, 3)


def test_fitting_without_a_folder_keeps_nothing(network):
    source = MemoryTiles(network[0].oriented(), 2)
    fitting = Fitting(source, source.tested, None, "")
    whole = counting_bytes(source.layout, threads=1, columns=1)
    tiles = fitting.fit(whole * 4 // 5, threads=1, columns=1)
    assert tiles.layout.ranges > 2
    assert np.array_equal(fitting.tests(tiles.layout), entries_tested(tiles))


@pytest.mark.parametrize("directed", [True, False])
def test_large_tiles_are_counted_a_few_rows_at_a_time(tmp_path, monkeypatch, directed):
    """Counts that add up over edges, with memory for a part of a tile."""
    monkeypatch.setattr("triadic.tiles.tile._MARK_ENTRIES", 64)
    graph = triadic.generate.rmat(9, seed=1, directed=directed)
    triadic.write(graph, tmp_path / "graph")
    triadic.tile(tmp_path / "graph", tmp_path / "tiles", ranges=2)
    parts = []
    rows = StoredRows.rows
    monkeypatch.setattr(StoredRows, "rows", lambda self, *ends: parts.append(ends) or rows(self, *ends))
    tiled = triadic.TiledGraph(tmp_path / "tiles", memory="12kB", results=tmp_path / "results")
    fitting = tiled.oriented().fitting
    monkeypatch.setattr(type(fitting), "fit", lambda self, memory, **_: self._tiles)  # triangles are not of this test
    monkeypatch.setattr(engine, "_needed", lambda *_: Needed(0, 0, -1 << 30))  # and have room
    assert np.array_equal(triadic.local_closure(tiled), triadic.local_closure(graph))
    assert len(parts) > 4
    if directed:
        assert np.array_equal(triadic.triad_census_by_vertex(tiled), triadic.triad_census_by_vertex(graph))
