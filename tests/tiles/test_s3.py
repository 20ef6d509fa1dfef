"""Tiles at S3: written and read through throttling, cut connections, lists that lag, and lost credentials."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import dataset, parquet

import triadic
from s3_server import BUCKET, after, now_and_then
from stored_edges import files_of, of_tiles
from triadic.errors import MissingFileError, ReadError, WriteError
from triadic.generate import RMat, make_graph, write_parquet
from triadic.tiles import store as stores
from triadic.tiles import url_store
from triadic.tiles.stored_tiles import StoredTiles, open_store
from triadic.tiles.tiling import make_tiles
from triadic.tiles.work_folder import open_work_folder

URL = f"s3://{BUCKET}/network.tiles"
MODEL = RMat(9, seed=1, directed=True)
# Too little memory for all edges: their keys are spilled to the disk, so that a run resumes.
SPILLED = {"ranges": 4, "memory": "50MB", "threads": 1}


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    path = tmp_path_factory.mktemp("network") / "a.parquet"
    write_parquet(path, RMat(15, seed=1))
    return path


@pytest.fixture(scope="module")
def undisturbed(network, tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed") / "tiles"
    make_tiles(network, folder, **SPILLED)
    return files_of(folder)


@pytest.fixture
def empty(s3, monkeypatch):
    """The server, with an empty bucket."""
    monkeypatch.setattr(url_store, "_FIRST_WAIT", 0.05)
    system = s3.system()
    for key in system.find(BUCKET):
        system.rm_file(key)
    s3.calm()
    return s3


@pytest.fixture
def impatient(monkeypatch):
    """Repeat requests for a moment only."""
    monkeypatch.setattr(url_store, "_PATIENCE", 0.3)


def at_s3(server):
    """Return the content of each object of the tiles, by name."""
    server.calm()
    system = server.system()
    return {key.rpartition("/")[2]: system.cat_file(key) for key in system.find(f"{BUCKET}/network.tiles")}


def assert_whole(server, undisturbed):
    """Each object has all of its bytes; without a header the tiles are not complete."""
    left = at_s3(server)
    assert "header.json" not in left
    assert all(undisturbed[name] == content for name, content in left.items() if name in undisturbed)
    assert set(left) <= set(undisturbed)
    return left


def test_tiles_at_s3_equal_tiles_in_a_folder_and_are_counted_by_another_machine(empty, tmp_path, monkeypatch):
    at_url = make_tiles(MODEL, URL, ranges=3).tiles
    in_folder = make_tiles(MODEL, tmp_path / "tiles", ranges=3).tiles
    assert at_s3(empty) == files_of(tmp_path / "tiles")
    assert of_tiles(at_url) == of_tiles(in_folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "elsewhere"))
    graph, tiled = make_graph(MODEL), triadic.TiledGraph(URL)
    assert np.array_equal(triadic.triad_census(tiled, by="vertex"), triadic.triad_census(graph, by="vertex"))
    empty.fault = after(500, 0, methods=("GET", "HEAD"), keys="tile-")  # a second count reads copies, or results
    assert np.array_equal(triadic.triangles(triadic.TiledGraph(URL)), triadic.triangles(graph))


def test_parquet_files_at_s3_are_tiled(empty, tmp_path):
    graph, system = make_graph(MODEL), empty.system()
    arcs = np.stack([np.repeat(np.arange(len(graph.indptr) - 1), np.diff(graph.indptr)), graph.indices], axis=1)
    for number, part in enumerate(np.array_split(arcs, 5)):
        path = tmp_path / f"part-{number}.parquet"
        parquet.write_table(pa.table({"source": part[:, 0], "target": part[:, 1]}), path)
        system.put_file(str(path), f"{BUCKET}/parts/{path.name}")
    empty.fault = now_and_then(503, 0.2, methods=("GET",))  # botocore repeats HEAD, which fsspec does not
    edges = dataset.dataset(f"{BUCKET}/parts", format="parquet", filesystem=system)
    tiled = triadic.tile(edges, URL, ranges=3, directed=True, num_vertices=graph.num_vertices)
    assert np.array_equal(triadic.triangles(tiled), triadic.triangles(graph))


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.nightly)])
def test_requests_that_are_throttled_or_cut_are_repeated(empty, network, undisturbed, seed):
    throttled, cut = now_and_then(503, 0.3, seed=seed), now_and_then("cut", 0.1, seed=seed, methods=("PUT", "GET"))
    empty.fault = lambda method, key: throttled(method, key) or cut(method, key)
    tiles = make_tiles(network, URL, **SPILLED).tiles
    assert triadic.triangle_count(triadic.TiledGraph(URL)) == triadic.triangle_count(make_graph(RMat(15, seed=1)))
    assert {verdict for _, _, verdict in empty.requests} == {None, 503, "cut"}
    assert at_s3(empty) == undisturbed
    assert tiles.layout.ranges == 4


@pytest.mark.nightly
def test_lists_that_lag_change_nothing(empty, network, undisturbed):
    """Neither new files that are not listed, nor removed files that still are."""
    empty.lists_lag = True
    make_tiles(network, URL, **SPILLED)
    assert make_tiles(network, URL, **SPILLED).seconds == {}
    empty.lists_lag = False
    system = empty.system()
    system.rm_file(f"{BUCKET}/network.tiles/tile-2-1")
    empty.lists_lag = True
    system.rm_file(f"{BUCKET}/network.tiles/header.json")
    assert make_tiles(network, URL, **SPILLED).seconds
    assert at_s3(empty) == undisturbed


@pytest.mark.nightly
def test_tiles_of_other_ranges_that_were_listed_late_are_not_reused(empty, network, undisturbed, impatient):
    empty.lists_lag = True
    empty.fault = after(507, 13)  # the header
    with pytest.raises(WriteError):
        make_tiles(network, URL, **{**SPILLED, "ranges": 3, "memory": "500MB"})
    empty.fault = after(507, 8)  # what the first run wrote is not listed, and not removed
    with pytest.raises(WriteError):
        make_tiles(network, URL, **SPILLED)
    empty.calm()  # and is listed when the second run is resumed
    assert "survey" not in make_tiles(network, URL, **SPILLED).seconds
    assert at_s3(empty) == undisturbed


MESSAGES = {
    403: "access is refused .*; renew the credentials or the permissions, then run the same command again",
    400: "access is refused .*expired.*; renew the credentials",
    507: "the store is full .*; make room, then run the same command again",
    503: "cannot be written: .*reduce your request rate; run the same command again",
    "cut": "cannot be written: .*; run the same command again",
}


@pytest.mark.parametrize(
    ("status", "number"),
    [
        (507, 9),
        *(
            pytest.param(*fault, marks=pytest.mark.nightly)
            for fault in [(403, 0), (403, 9), (400, 9), (507, 0), (503, 9), ("cut", 9)]
        ),
    ],
)
def test_a_store_that_fails_in_the_middle_of_tiling(
    empty, network, undisturbed, impatient, monkeypatch, status, number
):
    monkeypatch.setattr("s3fs.S3FileSystem.retries", 1)
    empty.fault = after(status, number)
    with pytest.raises(WriteError, match=MESSAGES[status]) as found:
        make_tiles(network, URL, **SPILLED)
    assert "\n" not in str(found.value)
    assert URL in str(found.value)
    if status in (403, 400, 507):  # these requests are not repeated
        refused = [key for _, key, verdict in empty.requests if verdict is not None]
        assert len(refused) <= 1
    assert_whole(empty, undisturbed)
    steps = make_tiles(network, URL, **SPILLED).seconds
    assert ("survey" in steps) == (number < 1)  # later, the keys of the edges are in the work folder
    assert at_s3(empty) == undisturbed


def test_a_large_file_that_fails_shows_no_part_of_it(empty, impatient, monkeypatch, tmp_path):
    monkeypatch.setattr(url_store, "_ONE_REQUEST", 1 << 10)
    monkeypatch.setattr("s3fs.core.S3File.part_max", 5 << 20)  # several parts
    store, content = open_store(URL), np.arange(3 << 20, dtype=np.int32)
    system, parts = empty.system(), iter(range(100))
    empty.fault = lambda method, key: 507 if method == "PUT" and "tile" in key and next(parts) == 2 else None
    with pytest.raises(WriteError, match="the store is full"):
        store.put("tile-0-0", [b"head", content])
    assert not store.exists("tile-0-0")
    assert system.list_multipart_uploads(BUCKET) == []
    empty.fault = None
    store.put("tile-0-0", [b"head", content])
    assert store.get("tile-0-0").tobytes() == b"head" + content.tobytes()


@pytest.mark.parametrize(
    ("status", "message"),
    [(403, "access is refused"), pytest.param(503, "reduce your request rate", marks=pytest.mark.nightly)],
)
def test_a_store_that_fails_in_the_middle_of_counting(empty, impatient, monkeypatch, status, message):
    monkeypatch.setattr("s3fs.S3FileSystem.retries", 1)
    make_tiles(MODEL, URL, ranges=4)
    empty.fault = after(status, 3, methods=("GET",), keys="tile-")
    with pytest.raises(ReadError, match=f"tile-.*cannot be read: .*{message}.*run the same command again"):
        triadic.triangles(triadic.TiledGraph(URL))
    empty.calm()
    assert np.array_equal(triadic.triangles(triadic.TiledGraph(URL)), triadic.triangles(make_graph(MODEL)))


@pytest.mark.parametrize("method", ["GET", pytest.param("HEAD", marks=pytest.mark.nightly)])
def test_a_place_without_access_is_an_error_in_one_line(empty, impatient, method):
    make_tiles(MODEL, URL, ranges=2)
    empty.fault = after(403, 0, methods=(method,))
    for work in (lambda: triadic.TiledGraph(URL), lambda: make_tiles(MODEL, URL, ranges=2)):
        with pytest.raises((ReadError, WriteError), match=r"network\.tiles.*access is refused") as found:
            work()
        assert "remove it" not in str(found.value)


def test_a_disk_without_room_for_copies_makes_counting_slower_only(empty, tmp_path, monkeypatch):
    make_tiles(MODEL, URL, ranges=3)
    write, open_files = stores.write_bytes, Path("/proc/self/fd")

    def full(descriptor, content, offset):
        if "copies" in str((open_files / str(descriptor)).readlink()):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, content, offset)

    if not open_files.exists():
        pytest.skip("needs the names of open files")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "full"))
    monkeypatch.setattr(stores, "write_bytes", full)
    tiled = triadic.TiledGraph(URL, results=tmp_path / "results")
    assert triadic.triangle_count(tiled) == triadic.triangle_count(make_graph(MODEL))
    assert not list((tmp_path / "full").rglob("tile-*"))
    assert np.array_equal(triadic.triangles(tiled), triadic.triangles(make_graph(MODEL)))


def test_a_damaged_copy_is_downloaded_again(empty, tmp_path):
    tiles = make_tiles(MODEL, URL, ranges=3).tiles
    expected = tiles.tile(2, 1).indices.copy(), tiles.degree(1).copy()
    for name in ("tile-2-1", "degree-1.npy"):
        copy = next((tmp_path / "cache").rglob(name))
        copy.write_bytes(copy.read_bytes()[:-1] + b"?")
    assert np.array_equal(tiles.tile(2, 1).indices, expected[0])
    assert np.array_equal(tiles.degree(1), expected[1])
    open_store(URL).put("tile-2-1", [b"?"])
    with pytest.raises(ReadError, match="tile-2-1: is damaged or no tile"):
        tiles.tile(2, 1)


def test_copies_that_fill_the_disk_make_room_for_new_ones(empty, tmp_path, monkeypatch):
    store = url_store.UrlStore(URL, cache=tmp_path / "copies")
    for name in "abc":
        store.put(name, [bytes(1000)])
        store.get(name)
    write, room = stores.write_bytes, iter([False, True, True])

    def full(descriptor, content, offset):
        if not next(room):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, content, offset)

    store.put("d", [bytes(500)])
    monkeypatch.setattr(stores, "write_bytes", full)
    assert len(store.get("d")) == 500
    assert [path.name for path in (tmp_path / "copies").iterdir()] == ["d"]


def test_several_processes_share_the_copies(empty, tmp_path):
    """Each downloads all files again and again while the others remove them."""
    reference = url_store.UrlStore(URL, cache=tmp_path / "own")
    content = {f"tile-{k}-0": bytes([k]) * 50_000 for k in range(6)}
    for name, part in content.items():
        reference.put(name, [part])
    found = []

    def read():
        store = url_store.UrlStore(URL, cache=tmp_path / "shared", cache_bytes=120_000)
        found.extend(store.get(name).tobytes() == content[name] for _ in range(3) for name in content)

    run_together(*[read] * 4)  # stores that know nothing of one another
    assert len(found) == 4 * 3 * 6
    assert all(found)


def run_together(*calls):
    """Run functions in threads of their own, and wait for their ends."""
    threads = [threading.Thread(target=call, daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()


_KILLED = """
import os, signal, sys
from s3_server import BUCKET
from triadic.tiles import url_store
from triadic.tiles.tiling import make_tiles

put, left = url_store.UrlStore.put, iter(range(int(sys.argv[2])))
def killed(self, name, parts):
    if next(left, None) is None:
        os.kill(os.getpid(), signal.SIGKILL)
    put(self, name, parts)
url_store.UrlStore.put = killed
make_tiles(sys.argv[1], f"s3://{BUCKET}/network.tiles", ranges=4, memory="50MB", threads=1)
"""


@pytest.mark.nightly
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals of POSIX")
@pytest.mark.parametrize("number", [0, 7])
def test_a_client_that_is_killed_is_resumed_at_once_by_the_same_command(empty, network, undisturbed, number):
    words = [sys.executable, "-c", _KILLED, str(network), str(number)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run(words, check=False, env=environment, timeout=120).returncode == -signal.SIGKILL
    assert_whole(empty, undisturbed)
    assert ("survey" in make_tiles(network, URL, **SPILLED).seconds) == (number == 0)
    assert at_s3(empty) == undisturbed


def test_a_missing_tile_is_named(empty):
    tiles = make_tiles(MODEL, URL, ranges=3).tiles
    open_store(URL).delete("tile-2-1")
    with pytest.raises(MissingFileError, match=r"tile-2-1: .* makes the tiles again"):
        StoredTiles(tiles.store).tile(2, 1)
    assert make_tiles(MODEL, URL, ranges=3).seconds
    assert len(StoredTiles(open_store(URL)).tile(2, 1).indices)
    assert open_work_folder(open_store(URL), None).list() == []
