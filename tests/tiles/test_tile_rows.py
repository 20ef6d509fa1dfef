"""Rows of stored tiles, which are read a few at a time; and tiles that are too large for the memory."""

from __future__ import annotations

import numpy as np
import pytest

import triadic
from triadic.errors import OutOfMemoryError, ReadError
from triadic.tiles import engine, work
from triadic.tiles.stored_tiles import StoredTiles
from triadic.tiles.work import Needed, most_needed


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


def test_rows_of_a_stored_tile_are_those_of_the_tile(network):
    source = triadic.TiledGraph(network[1]).oriented().source
    rng = np.random.default_rng(1)
    for i, j in ((0, 0), (1, 0), (2, 1), (2, 2)):
        tile = source.tile(i, j)
        assert np.array_equal(source.lengths(i, j), np.diff(tile.indptr))
        for first, last in [(0, 0), (0, len(tile.indptr) - 1), *np.sort(rng.integers(0, len(tile.indptr), (20, 2)))]:
            part, entries = source.rows(i, j, first, last), slice(tile.indptr[first], tile.indptr[last])
            assert np.array_equal(part.indptr, tile.indptr[first : last + 1] - tile.indptr[first])
            assert np.array_equal(part.indices, tile.indices[entries])
            assert part.state is None if tile.state is None else np.array_equal(part.state, tile.state[entries])


def test_a_tile_that_changes_while_its_rows_are_read_is_an_error(network, tmp_path):
    source = triadic.TiledGraph(network[1]).oriented().source
    for name in source.names:
        (tmp_path / name).write_bytes((network[1] / name).read_bytes())
    source = triadic.TiledGraph(tmp_path).oriented().source
    source.rows(1, 0, 0, 3)
    content = bytearray((tmp_path / "tile-1-0").read_bytes())
    (tmp_path / "tile-1-0").write_bytes(content)  # the same bytes at another time
    source.rows(1, 0, 0, 3)
    content[-100] ^= 1
    (tmp_path / "tile-1-0").write_bytes(content)
    with pytest.raises(ReadError, match=r"tile-1-0: .*(columns|states) do not have their checksum.*triadic tile"):
        source.rows(1, 0, 0, 3)
    (tmp_path / "tile-1-0").unlink()
    with pytest.raises(ReadError, match=r"tile-1-0: there is no such file.*triadic tile"):
        source.rows(1, 0, 0, 3)


def test_tiles_too_coarse_for_the_memory_are_refused_with_the_remedy(network, tmp_path):
    graph, tiles = network
    layout = triadic.TiledGraph(tiles).oriented().leafless.layout
    enough = sum(most_needed(layout, threads=2, columns=1))
    small = triadic.TiledGraph(tiles, memory=enough - 1, results=tmp_path)
    words = r"counting 3 ranges of tiles on 2 threads takes .*; allow more, or tile again with a smaller memory="
    with pytest.raises(OutOfMemoryError, match=words):
        triadic.triangles(small, threads=2)
    expected = triadic.triangles(graph)
    assert np.array_equal(triadic.triangles(triadic.TiledGraph(tiles, memory=enough, results=tmp_path)), expected)
    # A finished count is not repeated, whatever the memory.
    assert np.array_equal(triadic.triangles(small, threads=2), expected)


@pytest.mark.parametrize("directed", [True, False])
def test_large_tiles_are_counted_a_few_rows_at_a_time(tmp_path, monkeypatch, directed):
    """Counts that add up over edges, with memory for a part of a tile."""
    graph = triadic.generate.rmat(9, seed=1, directed=directed)
    triadic.write(graph, tmp_path / "graph")
    triadic.tile(tmp_path / "graph", tmp_path / "tiles", ranges=2)
    parts = []
    rows = StoredTiles.rows
    monkeypatch.setattr(StoredTiles, "rows", lambda self, *ends: parts.append(ends) or rows(self, *ends))
    tiled = triadic.TiledGraph(tmp_path / "tiles", memory="12kB", results=tmp_path / "results")
    monkeypatch.setattr(
        engine, "most_needed", lambda *_, **__: Needed(0, 0, -1 << 30)
    )  # triangles are not of this test
    assert np.array_equal(triadic.local_closure(tiled), triadic.local_closure(graph))
    assert len(parts) > 4
    if directed:
        assert np.array_equal(triadic.triad_census(tiled, by="vertex"), triadic.triad_census(graph, by="vertex"))
