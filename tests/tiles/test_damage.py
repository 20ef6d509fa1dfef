"""A damaged or forged file of tiles or results is an error or is counted again, never a wrong number or a crash."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import triadic
from strategies import NIGHTLY
from triadic.errors import ReadError, TriadicError
from triadic.tiles.file_format import degree_name, label_ends_name, label_name, put_array, seal, unseal, vertex_name
from triadic.tiles.layout import HEADER
from triadic.tiles.sorting import SortedTile
from triadic.tiles.store import FolderStore
from triadic.tiles.stored_tiles import StoredTiles
from triadic.tiles.tile_file import read_file, tile_parts

# Of each file, in a byte or in a piece.
TIMES = {"flip": 6, "zeros": 6} if NIGHTLY else {"flip": 2, "zeros": 1}


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """Return a folder with tiles and results of a directed network with names, and the true results."""
    folder = tmp_path_factory.mktemp("counted")
    graph = triadic.generate.rmat(7, seed=3, directed=True)
    source, target = graph.edges()
    rows = "".join(f"v{u} v{v}\n" for u, v in zip(source.tolist(), target.tolist(), strict=True))
    (folder / "network.txt").write_text(rows)
    triadic.tile(folder / "network.txt", folder / "tiles", directed=True, ranges=3)
    return folder / "tiles", measure(folder / "tiles")


def measure(tiles):
    """Count in tiles, and return the results as plain values."""
    graph = triadic.TiledGraph(tiles)
    return (
        triadic.triangles(graph).tolist(),
        graph.degree.tolist(),
        dict(triadic.triad_census(graph)),
        triadic.triad_census(graph, by="vertex").tolist(),
        [] if graph.labels is None else graph.labels.tolist(),
    )


def measure_or_error(tiles):
    try:
        return measure(tiles)
    except TriadicError as error:
        return error


def files_of(tiles):
    return sorted(str(path.relative_to(tiles)) for path in Path(tiles).rglob("*") if path.is_file())


def damage(content, kind, rng):
    """Return bytes that differ from `content`."""
    if kind == "flip":
        damaged = bytearray(content)
        damaged[int(rng.integers(len(content)))] ^= 1 << int(rng.integers(8))
        return bytes(damaged)
    if kind == "zeros":
        start = int(rng.integers(len(content)))
        damaged = content[:start] + bytes(min(64, len(content) - start)) + content[start + 64 :]
        return damaged if damaged != content else damage(content, "flip", rng)
    return {"empty": b"", "short": content[: len(content) // 2], "long": content + b"\0" * 24}[kind]


@pytest.mark.parametrize("kind", ["flip", "zeros", "empty", "short", "long"])
def test_no_damaged_file_gives_another_number(counted, tmp_path, kind):
    tiles, truth = counted
    rng = np.random.default_rng(5)
    names = files_of(tiles)
    assert any(name.startswith("results") for name in names)
    if not NIGHTLY:  # of files that differ in the numbers of their ranges, one
        names = list({re.sub(r"\d+", "#", name): name for name in names}.values())
    outcomes = {"error": 0, "counted again": 0}
    for name in names:
        for _ in range(TIMES.get(kind, 1)):
            copy = tmp_path / "copy"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(tiles, copy)
            (copy / name).write_bytes(damage((copy / name).read_bytes(), kind, rng))
            found = measure_or_error(copy)
            if isinstance(found, TriadicError):
                assert str(copy) in str(found), (name, str(found))
                outcomes["error"] += 1
            else:
                assert found == truth, name
                outcomes["counted again"] += 1
    assert all(outcomes.values()), outcomes


def test_results_of_another_graph_are_counted_again(counted, tmp_path):
    tiles, truth = counted
    (tmp_path / "other.txt").write_text("0 1\n1 2\n2 0\n")
    triadic.tile(tmp_path / "other.txt", tmp_path / "other", directed=False)
    shutil.copytree(tiles / "results", tmp_path / "other" / "results")
    assert triadic.triangles(triadic.TiledGraph(tmp_path / "other")).tolist() == [1, 1, 1]
    assert truth[0] != [1, 1, 1]


def rewrite(tiles, name, array):
    """Replace an array, with its right checksum in the header."""
    store = FolderStore(tiles)
    content = unseal((tiles / HEADER).read_bytes())
    content["checksums"][name] = put_array(store, name, array)
    (tiles / HEADER).write_bytes(seal(content))


def forged(counted, tmp_path):
    shutil.copytree(counted[0], tmp_path / "forged", ignore=shutil.ignore_patterns("results"))
    return tmp_path / "forged"


@pytest.mark.parametrize("value", [-1, 1 << 30])
def test_forged_vertices_and_degrees_out_of_range_are_errors(counted, tmp_path, value):
    tiles = forged(counted, tmp_path)
    vertices = np.array(StoredTiles(FolderStore(tiles)).vertices_of(1))
    for wrong in (value, vertices[6]):
        forged_vertices = np.where(np.arange(len(vertices)) == 5, wrong, vertices).astype(vertices.dtype)
        rewrite(tiles, vertex_name(1), forged_vertices)
        with pytest.raises(ReadError, match="vertex"):
            triadic.triangles(triadic.TiledGraph(tiles))
    rewrite(tiles, vertex_name(1), vertices)
    degree = StoredTiles(FolderStore(tiles)).degree(0)
    rewrite(tiles, degree_name(0), np.where(np.arange(len(degree)) == 5, value, degree))
    with pytest.raises(ReadError, match="degree"):
        _ = triadic.TiledGraph(tiles).degree


@pytest.mark.parametrize("tile", [(0, 0), (1, 0), (2, 0)])
@pytest.mark.parametrize("value", [-1, -(1 << 31), (1 << 31) - 1, "repeat", "row"])
def test_forged_columns_with_right_checksums_are_errors(counted, tmp_path, tile, value):
    tiles = forged(counted, tmp_path)
    store, (i, j) = FolderStore(tiles), tile
    good = read_file(store.get(f"tile-{i}-{j}"), i, j, "").tile()
    indices, row = np.array(good.indices), int(np.argmax(np.diff(good.indptr) > 1))
    at = int(good.indptr[row])
    indices[at] = indices[at + 1] if value == "repeat" else len(good.indptr) if value == "row" else value
    arcs = len(indices)
    store.put(f"tile-{i}-{j}", tile_parts(i, j, SortedTile(np.diff(good.indptr), indices, good.state, arcs)))
    with pytest.raises(ReadError, match=f"tile-{i}-{j}"):
        triadic.triangles(triadic.TiledGraph(tiles))


def test_forged_states_are_errors(counted, tmp_path):
    tiles = forged(counted, tmp_path)
    store = FolderStore(tiles)
    good = read_file(store.get("tile-0-0"), 0, 0, "").tile()
    for wrong in (0, 4, 255):
        state = np.array(good.state)
        state[3] = wrong
        tile = SortedTile(np.diff(good.indptr), np.array(good.indices), state, 2 * len(state))
        store.put("tile-0-0", tile_parts(0, 0, tile))
        with pytest.raises(ReadError, match="states"):
            triadic.triad_census(triadic.TiledGraph(tiles))


@pytest.mark.parametrize(
    "change",
    [
        {"vertices": 1 << 60},
        {"vertices": -1},
        {"edges": 1 << 60},
        {"cuts": [0, 1 << 60]},
        {"cuts": [0, 5, 3, 128]},
        {"cuts": "0"},
        {"tile_edges": [[1], [2, 3], [1 << 62, 1 << 62, 5]]},
        {"tile_edges": []},
        {"directed": 1},
        {"labels": "pickle"},
        {"arcs": -5},
        {"dropped": {"loops": "x"}},
        {"checksums": []},
        {"version": 1},
        {"format": "another"},
    ],
)
def test_forged_headers_are_errors(counted, tmp_path, change):
    tiles = forged(counted, tmp_path)
    content = unseal((tiles / HEADER).read_bytes()) | change
    (tiles / HEADER).write_bytes(seal(content))
    with pytest.raises(ReadError, match=HEADER):
        triadic.triangles(triadic.TiledGraph(tiles))


def test_forged_names_are_errors(counted, tmp_path):
    tiles = forged(counted, tmp_path)
    ends = np.array(np.load(tiles / label_ends_name(0)))
    for wrong in (ends[::-1].copy(), ends + 5, ends - ends[0] - 1, ends.astype(np.float64), ends[:0]):
        rewrite(tiles, label_ends_name(0), wrong)
        with pytest.raises(ReadError, match="label_ends"):
            _ = triadic.TiledGraph(tiles).labels
    rewrite(tiles, label_ends_name(0), ends)
    rewrite(tiles, label_name(0), np.full(int(ends[-1]), 0xFF, dtype=np.uint8))
    with pytest.raises(ReadError, match="UTF-8"):
        _ = triadic.TiledGraph(tiles).labels


@pytest.mark.parametrize("change", [{"version": 1}, {"weights": [1.0, 2.0], "edge_weights": [1.0, 2.0]}])
def test_a_header_of_an_earlier_version_says_what_to_do(counted, tmp_path, change):
    tiles = forged(counted, tmp_path)
    (tiles / HEADER).write_bytes(seal(unseal((tiles / HEADER).read_bytes()) | change))
    with pytest.raises(ReadError, match="make the tiles again"):
        triadic.TiledGraph(tiles)


def test_degrees_of_a_tiled_graph_cannot_be_changed(counted):
    degree = triadic.TiledGraph(counted[0]).degree
    with pytest.raises(ValueError, match="read-only"):
        degree[0] = 7


@pytest.fixture
def folder(tmp_path):
    """The folder of a graph without checksums, as an earlier version or another program writes it."""
    graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], weights=[1.0, 2.0, 3.0, 4.0])
    triadic.write(graph, tmp_path / "kite.triadic")
    header = json.loads((tmp_path / "kite.triadic" / HEADER).read_text())
    del header["files"], header["checksum"]
    (tmp_path / "kite.triadic" / HEADER).write_text(json.dumps(header))
    assert triadic.read(tmp_path / "kite.triadic").num_edges == 4
    return tmp_path / "kite.triadic"


def test_a_graph_folder_whose_rows_are_not_symmetric_is_an_error(folder):
    indices = np.load(folder / "indices.npy")
    assert indices.tolist() == [1, 2, 0, 2, 0, 1, 3, 2]
    np.save(folder / "indices.npy", np.array([1, 3, 0, 2, 0, 1, 3, 2], dtype=np.int32))
    with pytest.raises(ReadError, match="rows of both its ends"):
        triadic.read(folder)


@pytest.mark.parametrize("weight", [np.nan, np.inf])
def test_a_graph_folder_with_a_weight_that_is_not_finite_is_an_error(folder, weight):
    weights = np.load(folder / "weights.npy")
    weights[2] = weight
    np.save(folder / "weights.npy", weights)
    with pytest.raises(ReadError, match="finite"):
        triadic.read(folder)
