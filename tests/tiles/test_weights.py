"""Tiles with weights hold the weights that the same network has in memory, to the bit."""

from __future__ import annotations

import os
import shutil
import struct
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from stored_edges import files_of, ranks_of
from strategies import NIGHTLY, examples, networks
from triadic.errors import ArgumentError, ReadError, WriteError
from triadic.graph.graph import weight_limits
from triadic.tiles import partition, spill, tiling
from triadic.tiles.file_format import seal, unseal
from triadic.tiles.layout import HEADER
from triadic.tiles.sorting import SortedTile
from triadic.tiles.store import FolderStore
from triadic.tiles.stored_tiles import StoredTiles
from triadic.tiles.tile import LeaflessTiles, num_leafless_ranks
from triadic.tiles.tile_file import tile_parts
from triadic.tiles.tile_writer import TileWriter
from triadic.tiles.tiling import make_tiles, tile

RULES = (None, "sum", "max", "min", "mean", "first", "error")


def weights_of_tiles(source, rank):
    """Return the weight of each arc, or of each edge u < v of an undirected graph; check each tile by the layout."""
    layout, order, found = source.layout, np.argsort(rank), {}
    for i in range(layout.ranges):
        for j in range(i + 1):
            part = source.tile(i, j)
            assert part.weights.shape == (layout.kinds, len(part.indices))
            assert part.nbytes == layout.tile_bytes(i, j)
            row = order[np.repeat(np.arange(layout.length(i)), np.diff(part.indptr)) + layout.cuts[i]].tolist()
            column = order[part.indices + layout.cuts[j]].tolist()
            if not layout.directed:
                ends = zip(row, column, strict=True)
                found |= {(min(uv), max(uv)): weight for uv, weight in zip(ends, part.weights[0].tolist(), strict=True)}
                continue
            for k, (u, v) in enumerate(zip(row, column, strict=True)):
                for kind, arc in enumerate(((u, v), (v, u))):
                    if part.state[k] >> kind & 1:
                        found[arc] = float(part.weights[kind, k])
                    else:
                        assert part.weights[kind, k] == 0
    return found


def weights_of_graph(graph):
    source, target = (end.tolist() for end in graph.edges())
    rows = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    weights = graph.weights if graph.directed else graph.weights[rows < graph.indices]
    return dict(zip(zip(source, target, strict=True), weights.tolist(), strict=True))


def of_stored(stored):
    return weights_of_tiles(stored.with_weights(), ranks_of(stored))


@given(
    network=networks(), seed=st.integers(0, 1000), combine=st.sampled_from(RULES), ranges=st.integers(1, 7),
    held=st.booleans(), threads=st.integers(1, 3),
)  # fmt: skip
@examples(20)
def test_weights_are_those_of_the_dumbest_rule(tmp_path_factory, network, seed, combine, ranges, held, threads):
    folder = tmp_path_factory.mktemp("weighted")
    random = np.random.default_rng(seed)
    of_edge = random.choice([0.1, 0.7, 1.3], size=(2, 64)) if seed % 2 else random.normal(size=(2, 64))
    weights = [float(of_edge[int(seed % 3 and u < v), (u + v) % 64]) for u, v in network.arcs]  # often equal both ways
    if seed % 5 == 0:  # equal but for rounding
        weights = [weight * (1 + 1e-10 * (u < v)) for weight, (u, v) in zip(weights, network.arcs, strict=True)]
    rows = "".join(f"{u},{v},{w!r}\n" for (u, v), w in zip(network.arcs, weights, strict=True))
    (folder / "a.csv").write_text(f"# Nodes: {network.vertices}\nsource,target,w\n{rows}")
    expected = naive.weighted(network.arcs, weights, directed=network.directed, combine=combine)
    options = {"directed": network.directed, "weights": "w", "combine": combine, "num_vertices": network.vertices}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", lambda _: None)
        patched.setattr(spill, "_SHORTEST", 8)  # arcs in a buffer
        patched.setattr(spill, "LONGEST", 32)
        patched.setattr(tiling, "_PIECE_ARCS", (16, 16))
        patched.setattr(partition, "holds_edges", lambda *_, **__: held)
        if expected is None:
            with pytest.raises(ArgumentError, match=r"are joined more than once|such edges have equal weights"):
                make_tiles(folder / "a.csv", folder / "tiles", ranges=ranges, threads=threads, **options)
            assert not (folder / "tiles").exists()
            return
        stored = make_tiles(folder / "a.csv", folder / "tiles", ranges=ranges, threads=threads, **options).tiles
    assert of_stored(stored) == expected
    graph = triadic.read(folder / "a.csv", **options)
    assert weights_of_graph(graph) == expected
    assert stored.layout.dropped == graph.dropped
    assert stored.origin["combined"] == graph.origin.weights
    assert stored.weight_limits == (weight_limits(graph) if expected else (0.0, 0.0))


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """Files of one network with repeats, and its arcs."""
    folder = tmp_path_factory.mktemp("network")
    random = np.random.default_rng(7)
    source, target = (random.random((2, 900)) ** 2 * 60).astype(np.int64)
    weights = random.normal(size=900)
    table = pa.table({"from": source, "to": target, "strength": weights})
    pq.write_table(table, folder / "a.parquet", row_group_size=120)
    (folder / "many").mkdir()
    for part in range(3):
        pq.write_table(table.slice(300 * part, 300), folder / "many" / f"{part}.parquet")
    rows = list(zip(source.tolist(), target.tolist(), weights.tolist(), strict=True))
    (folder / "a.csv").write_text("from,to,strength\n" + "".join(f"{u},{v},{w!r}\n" for u, v, w in rows))
    (folder / "names.tsv").write_text("".join(f"v{u}\tv{v}\t{w!r}\n" for u, v, w in rows))
    once = {(max(u, v) + 1, min(u, v) + 1): w for u, v, w in rows}
    for symmetry in ("symmetric", "general", "skew-symmetric"):
        entries = "".join(f"{u} {v} {w!r}\n" for (u, v), w in once.items() if u != v)
        count = entries.count("\n")
        banner = f"%%MatrixMarket matrix coordinate real {symmetry}\n60 60 {count}\n"
        (folder / f"{symmetry}.mtx").write_text(banner + entries)
    _write_lists(folder, rows)
    graph = triadic.read(folder / "a.csv", weights="strength", directed=False)
    for name in ("stored.triadic", "a.graphml"):
        triadic.write(graph, folder / name)
    _write_gap(folder / "a.wsg", graph)
    return folder


def _write_lists(folder, rows):
    """Write Pajek, GML, METIS and a dense matrix."""
    links = "".join(f"{u + 1} {v + 1} {w!r}\n" for u, v, w in rows)
    (folder / "arcs.net").write_text(f"*Vertices 60\n*Arcs\n{links}")
    half = len(rows) // 2
    once = {(min(u, v), max(u, v)): w for u, v, w in rows}
    edges = "".join(f"{u + 1} {v + 1} {w!r}\n{v + 1} {u + 1} {w!r}\n" for (u, v), w in once.items() if u != v)
    (folder / "edges.net").write_text(f"*Vertices 60\n*Edges\n{edges}")
    arcs = "".join(f"{u + 1} {v + 1}\n" for u, v, _ in rows[:half])  # arcs without a weight have 1
    (folder / "both.net").write_text(f"*Vertices 60\n*Edges\n{edges}*Arcs\n{arcs}")
    dense = np.zeros((60, 60))
    for u, v, w in rows:
        dense[u, v] = w
    lines = "\n".join(" ".join(map(repr, row)) for row in dense.tolist())
    (folder / "matrix.net").write_text(f"*Vertices 60\n*Matrix\n{lines}\n")
    values = "".join(f"{value!r}\n" for value in dense.T.reshape(-1).tolist())
    (folder / "dense.mtx").write_text(f"%%MatrixMarket matrix array real general\n60 60\n{values}")
    nodes = "".join(f"node [ id {u} ]\n" for u in range(60))
    for name in ("weight", "value"):
        lines = "".join(f"edge [ source {u} target {v} {name} {w!r} ]\n" for u, v, w in rows)
        (folder / f"{name}.gml").write_text(f"graph [\n{lines}{nodes}]\n")
    neighbours = [[] for _ in range(60)]
    for (u, v), w in once.items():
        if u != v:
            neighbours[u] += [v + 1, w]
            neighbours[v] += [u + 1, w]
    lists = "".join(" ".join(map(repr, line)) + "\n" for line in neighbours)
    (folder / "a.graph").write_text(f"60 {sum(map(len, neighbours)) // 4} 001\n{lists}")


def _write_gap(path, graph):
    """Write a .wsg with rounded weights."""
    pairs = np.empty(len(graph.indices), dtype=[("vertex", "<i4"), ("weight", "<i4")])
    pairs["vertex"], pairs["weight"] = graph.indices, np.round(100 * graph.weights)
    header = struct.pack("<Bqq", 0, len(pairs), graph.num_vertices)
    path.write_bytes(header + graph.indptr.astype("<i8").tobytes() + pairs.tobytes())


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("a.parquet", "strength"),
        ("many", True),
        ("a.csv", 2),
        ("names.tsv", 2),
        ("symmetric.mtx", True),
        ("general.mtx", True),
        ("skew-symmetric.mtx", True),
        ("stored.triadic", True),
        ("a.graphml", "weight"),
        ("a.wsg", True),
        ("arcs.net", True),
        ("edges.net", True),
        ("both.net", True),
        ("matrix.net", True),
        ("dense.mtx", True),
        ("weight.gml", "Weight"),
        ("value.gml", True),
        ("a.graph", True),
    ],
)
def test_every_format_has_the_weights_of_read(network, tmp_path, monkeypatch, name, weights, directed):
    """Also in pieces much smaller than the file, and than a line of METIS."""
    options = {"weights": weights, "directed": directed}
    graph = triadic.read(network / name, **options)
    for ranges in (1, 4) if NIGHTLY else (4,):
        monkeypatch.setattr(tiling, "_PIECE_ARCS", (16, 16) if ranges == 4 else (1 << 14, 1 << 20))
        stored = make_tiles(network / name, tmp_path / f"{ranges}", ranges=ranges, **options).tiles
        assert of_stored(stored) == weights_of_graph(graph)


def test_a_table_in_memory_has_its_weights(network, tmp_path):
    table = pq.read_table(network / "a.parquet")
    tiled = triadic.tile(table, tmp_path / "tiles", weights="strength", directed=True)
    assert tiled.is_weighted
    graph = triadic.read(network / "a.parquet", weights="strength", directed=True)
    assert of_stored(StoredTiles(FolderStore(tmp_path / "tiles"))) == weights_of_graph(graph)


@pytest.mark.parametrize("combine", ["sum", "max"])
def test_the_order_of_rows_changes_no_byte_of_the_tiles(network, tmp_path, combine):
    table = pq.read_table(network / "a.parquet")
    found = []
    for trial in range(2):
        order = np.random.default_rng(trial).permutation(len(table))
        pq.write_table(table.take(pa.array(order)), tmp_path / f"{trial}.parquet", row_group_size=100)
        folder = tmp_path / f"tiles-{trial}"
        tile(tmp_path / f"{trial}.parquet", folder, weights="strength", combine=combine, directed=True, ranges=3)
        found.append({name: held for name, held in files_of(folder).items() if name != HEADER})
    assert found[0] == found[1]


def test_the_first_weight_is_the_first_for_any_number_of_threads_and_sizes_of_buffers(network, tmp_path, monkeypatch):
    expected = weights_of_graph(triadic.read(network / "a.csv", weights=2, combine="first", directed=True))
    monkeypatch.setattr(spill, "_SHORTEST", 64)
    monkeypatch.setattr(spill, "LONGEST", 128)
    monkeypatch.setattr(tiling, "_PIECE_ARCS", (50, 50))
    for threads in (1, 2, 4):
        for held in (True, False):
            monkeypatch.setattr(partition, "holds_edges", lambda *_, held=held, **__: held)
            options = {"weights": 2, "combine": "first", "directed": True, "ranges": 3, "threads": threads}
            assert of_stored(make_tiles(network / "a.csv", tmp_path / f"{threads}{held}", **options).tiles) == expected


def test_tiles_without_weights_are_what_they_were(network, tmp_path):
    for name, weights in (("none", None), ("false", False)):
        tile(network / "a.csv", tmp_path / name, weights=weights, combine="max", ranges=2, directed=True)
    tile(network / "a.csv", tmp_path / "with", weights=2, ranges=2, directed=True)
    plain, weighted = files_of(tmp_path / "none"), files_of(tmp_path / "with")
    assert plain == files_of(tmp_path / "false")
    assert b"weights" not in plain[HEADER]
    beside = [name for name in plain if name != HEADER and not name.startswith("tile-")]
    assert [weighted[name] for name in beside] == [plain[name] for name in beside]
    tiled = triadic.TiledGraph(tmp_path / "none")
    assert not tiled.is_weighted
    with pytest.raises(ArgumentError, match="the tiles have no weights"):
        _ = tiled._weighted_oriented


def test_a_count_without_weights_reads_none(network, tmp_path):
    tile(network / "a.csv", tmp_path / "tiles", weights=2, ranges=2, directed=False)
    for file in (tmp_path / "tiles").glob("tile-*"):
        content = bytearray(file.read_bytes())
        content[-9] ^= 1  # of the last weight
        file.write_bytes(content)
    graph = triadic.read(network / "a.csv", directed=False)
    assert triadic.transitivity(triadic.TiledGraph(tmp_path / "tiles", memory="20MB")) == triadic.transitivity(graph)


@pytest.mark.parametrize(
    ("rows", "combine", "message"),
    [
        ("a b 1\nb c 2\na b 3\n", "error", 'combine="error": vertex a and vertex b are joined more than once'),
        (
            "a b 1e308\nb c 2\na b 1e308\n",
            "sum",
            'combine="sum": the weights between vertex a and vertex b add up to more than a float64 can hold',
        ),
        (
            "a b 1\nb a 1\nb c 2\nc b 2\na c 3\nc a 4\nd a 5\n",
            None,
            (
                "the edge between vertex a and vertex c is given from both ends with weights 3 and 4, but 2 of 3 such "
                "edges have equal weights; expected equal weights of all, or combine= (--combine) with one of 'sum', "
                "'max', 'min', 'mean', 'first', 'error'"
            ),
        ),
    ],
)
def test_weights_that_cannot_be_combined_are_an_error(tmp_path, monkeypatch, rows, combine, message):
    (tmp_path / "a.txt").write_text(rows)
    options = {"weights": 2, "combine": combine, "directed": False}
    with pytest.raises(ArgumentError) as of_memory:
        triadic.read(tmp_path / "a.txt", **options)
    assert str(of_memory.value) == message
    for held in (True, False):
        monkeypatch.setattr(partition, "holds_edges", lambda *_, held=held, **__: held)
        with pytest.raises(ArgumentError) as error:
            tile(tmp_path / "a.txt", tmp_path / "tiles", **options)
        assert str(error.value) == message
        assert not (tmp_path / "tiles").exists()
    assert tile(tmp_path / "a.txt", tmp_path / "tiles", **{**options, "combine": "max"}).num_edges >= 2


def interrupt(_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("others", ["", "d a 5\n"], ids=["from both ends", "others from one end"])
def test_a_killed_run_keeps_its_decision_on_weights_from_both_ends(tmp_path, monkeypatch, others):
    (tmp_path / "a.txt").write_text(f"a b 1\nb a 1.0000000001\nb c 2\nc b 2\n{others}")
    options = {"weights": 2, "directed": False, "ranges": 2}
    monkeypatch.setattr(partition, "holds_edges", lambda *_, **__: False)
    whole = tile(tmp_path / "a.txt", tmp_path / "whole", **options)
    with monkeypatch.context() as patched:
        patched.setattr(TileWriter, "_write_header", interrupt)
        with pytest.raises(KeyboardInterrupt):
            tile(tmp_path / "a.txt", tmp_path / "tiles", **options)
    again = tile(tmp_path / "a.txt", tmp_path / "tiles", **options)
    assert again.origin == whole.origin
    assert files_of(tmp_path / "tiles") == files_of(tmp_path / "whole")
    assert again.origin.weights.endswith("are added" if others else "agree and count once")
    graph = triadic.read(tmp_path / "a.txt", weights=2, directed=False)
    assert sorted(of_stored(StoredTiles(FolderStore(tmp_path / "tiles"))).values()) == sorted(
        weights_of_graph(graph).values()
    )


def test_weights_that_disagree_at_the_two_ends_are_an_error(tmp_path):
    banner = "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n"
    (tmp_path / "a.mtx").write_text(f"{banner}2 1 5\n1 2 5\n3 1 4\n")
    stored = make_tiles(tmp_path / "a.mtx", tmp_path / "tiles", weights=True).tiles
    assert of_stored(stored) == {(0, 1): 5, (0, 2): 4}
    (tmp_path / "c.mtx").write_text(f"{banner}2 1 0.3\n1 2 0.30000000000000004\n3 1 4\n")
    rounded = make_tiles(tmp_path / "c.mtx", tmp_path / "rounded", weights=True).tiles
    assert of_stored(rounded) == {(0, 1): (0.3 + (0.1 + 0.2)) / 2, (0, 2): 4}
    (tmp_path / "b.mtx").write_text(f"{banner}2 1 5\n1 2 6\n3 1 4\n")
    with pytest.raises(ArgumentError, match="vertex 0 and vertex 1 is given from both ends with weights"):
        tile(tmp_path / "b.mtx", tmp_path / "others", weights=True)


@pytest.mark.parametrize(
    ("text", "weights", "error", "message"),
    [
        ("source,target,w\n1,2,x\n", "w", ReadError, "line 2"),
        ("source,target,w\n1,2,3\n2,3,nan\n", "w", ReadError, "line 3"),
        ("source,target,w\n1,2,3\n", "v", ReadError, "there is no column 'v'"),
        ("source,target,w\n1,2,3\n", 1.5, ArgumentError, r"weights=1\.5"),
    ],
)
def test_weights_that_cannot_be_read_are_an_error(tmp_path, text, weights, error, message):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(error, match=message):
        tile(tmp_path / "a.csv", tmp_path / "tiles", weights=weights)


def test_a_model_has_no_weights(tmp_path):
    with pytest.raises(ArgumentError, match="RMat has no weights"):
        tile(triadic.generate.RMat(4), tmp_path / "tiles", weights=True)
    with pytest.raises(ArgumentError, match="combine='median'"):
        tile(triadic.generate.RMat(4), tmp_path / "tiles", combine="median")


@pytest.mark.parametrize("other", [{}, {"weights": True}, {"weights": 2, "combine": "max"}, {"weights": "2"}])
def test_tiles_of_other_weights_are_other_tiles(network, tmp_path, other):
    tile(network / "names.tsv", tmp_path / "tiles", weights=2, directed=True)
    before = files_of(tmp_path / "tiles")
    with pytest.raises(WriteError, match="other options"):
        tile(network / "names.tsv", tmp_path / "tiles", directed=True, **other)
    assert files_of(tmp_path / "tiles") == before
    assert make_tiles(network / "names.tsv", tmp_path / "tiles", weights=2, directed=True).seconds == {}


@pytest.fixture(params=[False, True], ids=["undirected", "directed"])
def stored(request, network, tmp_path):
    options = {"weights": 2, "directed": request.param}
    graph = triadic.read(network / "a.csv", **options)
    return graph, make_tiles(network / "a.csv", tmp_path / "tiles", ranges=3, **options).tiles


def test_rows_come_with_their_weights(stored):
    random, tiles = np.random.default_rng(1), stored[1].with_weights()
    leafless = LeaflessTiles(tiles, num_leafless_ranks(tiles))
    for source in (tiles, leafless):
        for i, j in ((0, 0), (2, 1), (2, 2)):
            part = source.tile(i, j)
            for first, last in np.sort(random.integers(0, len(part.indptr), (20, 2))):
                entries = slice(part.indptr[first], part.indptr[last])
                assert np.array_equal(source.rows(i, j, first, last).weights, part.weights[:, entries])


def test_weights_in_a_file_are_used_in_place(stored):
    weights = stored[1].with_weights().tile(1, 0).weights
    assert not weights.flags.owndata
    assert weights.flags.aligned


@pytest.mark.parametrize("kind", ["flip", "short", "empty", "missing", "other tile"])
def test_damaged_weights_are_an_error_that_names_the_file(stored, kind):
    tiles = stored[1]
    folder = Path(tiles.store.place)
    file, content = folder / "tile-2-1", (folder / "tile-2-1").read_bytes()
    flipped = bytearray(content)
    flipped[-100] ^= 4
    damaged = {
        "flip": bytes(flipped),
        "short": content[:-8],
        "empty": b"",
        "other tile": (folder / "tile-1-0").read_bytes(),
    }
    file.unlink() if kind == "missing" else file.write_bytes(damaged[kind])
    for read in (lambda source: source.tile(2, 1), lambda source: source.rows(2, 1, 0, 2)):
        with pytest.raises(ReadError, match=r"tile-2-1: .*the same `triadic tile` makes the tiles again"):
            read(StoredTiles(tiles.store).with_weights())


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e9])
def test_forged_weights_with_right_checksums_are_errors(stored, value):
    tiles = stored[1]
    part = tiles.with_weights().tile(2, 1)
    forged = part.weights.copy()
    forged[0, 3] = value

    def put(weights):
        tiles.store.put(
            "tile-2-1", tile_parts(2, 1, SortedTile(np.diff(part.indptr), part.indices, part.state, 0, weights))
        )

    put(forged)
    for read in (lambda source: source.tile(2, 1), lambda source: source.rows(2, 1, 0, len(part.indptr) - 1)):
        with pytest.raises(ReadError, match=r"tile-2-1: is damaged: expected weights from"):
            read(StoredTiles(tiles.store).with_weights())
    put(None)
    with pytest.raises(ReadError, match=r"tile-2-1: is not the tile that the header describes"):
        StoredTiles(tiles.store).with_weights().tile(2, 1)


@pytest.mark.parametrize("weights", [[0], [2, 1], [0, "inf"], ["x", 1], None, [float("nan"), 1]])
def test_forged_limits_are_errors(stored, weights):
    store = stored[1].store
    content = unseal(store.get(HEADER).tobytes())
    store.put(HEADER, [seal({**content, "weights": weights})])
    with pytest.raises(ReadError, match=r"header.json"):
        StoredTiles(store)


def test_a_removed_tile_with_weights_is_made_again(network, tmp_path):
    options = {"weights": 2, "directed": True, "ranges": 3}
    tile(network / "a.csv", tmp_path / "tiles", **options)
    before = files_of(tmp_path / "tiles")
    (tmp_path / "tiles" / "tile-1-1").unlink()
    tile(network / "a.csv", tmp_path / "tiles", **options)
    assert files_of(tmp_path / "tiles") == before


def test_a_graph_with_weights_becomes_tiles_with_weights_on_a_cluster(network):
    distributed = pytest.importorskip("distributed")
    graph = triadic.read(network / "a.csv", weights=2)
    with distributed.Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as client:
        tiled = triadic.TiledGraph.of(graph, client=client, ranges=3)
        assert tiled.is_weighted
        source = tiled._weighted_oriented.source
        assert weights_of_tiles(source, graph.oriented().rank) == weights_of_graph(graph)
        assert not triadic.TiledGraph.of(triadic.generate.rmat(4), client=client, ranges=2).is_weighted


def test_copies_of_tiles_keep_their_weights(network, tmp_path):
    tile(network / "a.csv", tmp_path / "tiles", weights=2, directed=True)
    shutil.copytree(tmp_path / "tiles", tmp_path / "copy")
    assert triadic.TiledGraph(tmp_path / "copy").is_weighted


def test_weights_at_a_url(network, tmp_path):
    fsspec = pytest.importorskip("fsspec")
    url, options = f"memory://{tmp_path.name}/tiles", {"weights": 2, "directed": True, "ranges": 3}
    tile(network / "a.csv", tmp_path / "folder", **options)
    try:
        stored = make_tiles(network / "a.csv", url, scratch=tmp_path / "scratch", **options).tiles
        assert of_stored(stored) == weights_of_graph(triadic.read(network / "a.csv", weights=2, directed=True))
        rows = stored.with_weights().rows(1, 0, 0, 3)
        assert rows.weights.shape == (2, len(rows.indices))
        assert stored.nbytes == StoredTiles(FolderStore(tmp_path / "folder")).nbytes
    finally:
        fsspec.filesystem("memory").rm(f"/{tmp_path.name}", recursive=True)
