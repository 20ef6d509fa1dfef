"""Tiling that is interrupted leaves no partial file; the next run resumes and writes the same files."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stored_edges import files_of, ranks_of
from strategies import NIGHTLY
from triadic.errors import MissingFileError, ReadError, WriteError
from triadic.generate import RMat, write_parquet
from triadic.tiles import store as stores
from triadic.tiles.store import locked
from triadic.tiles.stored_tiles import StoredTiles
from triadic.tiles.tiling import make_tiles, tile

# Too little memory for all edges: their keys are spilled to the disk.
SIZES = {"ranges": 4, "memory": "58MB", "threads": 2}
HELD = {**SIZES, "memory": "100MB"}
WEIGHTED = {**SIZES, "memory": "70MB", "weights": "weight", "combine": "first"}


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    path = tmp_path_factory.mktemp("network") / "a.parquet"
    write_parquet(path, RMat(15, seed=1))
    return path


@pytest.fixture(scope="module")
def undisturbed(network, tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed") / "tiles"
    tile(network, folder, **SIZES)
    return files_of(folder)


def failing(number, how):
    """Return a `write_bytes` whose call of this number writes half of its bytes, and then calls `how`."""
    calls = iter(range(1, 1 << 30))
    write = stores.write_bytes

    def write_bytes(descriptor, content, offset):
        if next(calls) >= number:
            write(descriptor, stores.as_bytes(content)[: len(stores.as_bytes(content)) // 2], offset)
            how()
        return write(descriptor, content, offset)

    return write_bytes


_KILLED = """
import json, os, signal, sys
sys.path.insert(0, sys.argv[1])
from test_tiling_faults import failing
from triadic.tiles import store
from triadic.tiles.tiling import tile

store.write_bytes = failing(int(sys.argv[4]), lambda: os.kill(os.getpid(), signal.SIGKILL))
tile(sys.argv[2], sys.argv[3], **json.loads(sys.argv[5]))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals of POSIX")
def test_killed_at_random_moments_it_resumes_and_writes_the_same_files(network, undisturbed, tmp_path):
    """Killed in the middle of a write, while arcs are bucketed or while tiles are written.

    In the nightly run, it is killed in both, and then at any time.
    """
    seed = random.randrange(1 << 30)
    chance, folder = random.Random(seed), tmp_path / "tiles"
    writes = chance.randrange(3, 9), chance.randrange(14, 50)
    for write in writes if NIGHTLY else writes[seed % 2 :][:1]:
        killed(network, folder, write, SIZES)
    if NIGHTLY:
        killed_at_any_time(network, folder, chance)
    tile(network, folder, **SIZES)
    assert files_of(folder) == undisturbed, seed


def killed_at_any_time(network, folder, chance):
    command = [sys.executable, "-m", "triadic", "tile", str(network), str(folder), "--ranges", "4"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(chance.uniform(0.5, 1.5))
    process.kill()
    process.wait()


@pytest.mark.nightly
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals of POSIX")
def test_killed_at_random_moments_it_writes_the_same_weights(network, tmp_path):
    """Killed while weighted arcs are bucketed, while a tile or its weights are written, and at any time."""
    table = pq.read_table(network)
    weights = np.random.default_rng(1).normal(size=len(table))
    pq.write_table(table.append_column("weight", pa.array(weights)), tmp_path / "a.parquet", row_group_size=20_000)
    tile(tmp_path / "a.parquet", tmp_path / "undisturbed", **{**WEIGHTED, "threads": 1})
    undisturbed = files_of(tmp_path / "undisturbed")
    assert len([name for name in undisturbed if name.startswith("tile-")]) == 10
    seed = random.randrange(1 << 30)
    chance, folder = random.Random(seed), tmp_path / "tiles"
    # Of some 500 writes the last 70 are of the tiles.
    for write in (chance.randrange(3, 420), chance.randrange(440, 490)):
        killed(tmp_path / "a.parquet", folder, write, WEIGHTED)
    tile(tmp_path / "a.parquet", folder, **WEIGHTED)
    assert files_of(folder) == undisturbed, seed


def killed(network, folder, write, sizes):
    """Tile in a process that is killed in the middle of the write of this number."""
    here = Path(__file__).parent
    words = [sys.executable, "-c", _KILLED, str(here), str(network), str(folder), str(write), json.dumps(sizes)]
    paths = [str(here.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    found = subprocess.run(words, check=False, capture_output=True, env=environment, timeout=120)
    assert found.returncode == -signal.SIGKILL, (write, found.stderr)
    assert "header.json" not in files_of(folder)


@pytest.mark.nightly
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals of POSIX")
def test_edges_held_in_memory_are_not_spilled_and_a_killed_run_starts_again(network, undisturbed, tmp_path):
    folder = tmp_path / "tiles"
    killed(network, folder, 20, HELD)
    left = files_of(folder)
    assert any(name.startswith("tile-") for name in left)
    assert not any(name.startswith(("spill-", "tiling.json")) for name in left)
    assert "survey" in make_tiles(network, folder, **HELD).seconds
    assert files_of(folder) == undisturbed


@pytest.mark.nightly
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals of POSIX")
def test_spilled_keys_are_used_by_a_run_with_more_memory(network, undisturbed, tmp_path):
    killed(network, tmp_path / "tiles", 20, SIZES)
    assert "survey" not in make_tiles(network, tmp_path / "tiles", **HELD).seconds
    assert files_of(tmp_path / "tiles") == undisturbed


def test_tiles_of_other_ranges_are_written_again(network, undisturbed, tmp_path, monkeypatch):
    """An interrupted run with another scratch folder left the tiles of other ranges."""
    folder, scratch = tmp_path / "tiles", tmp_path / "scratch"

    def stopped():
        raise OSError(errno.EINTR, os.strerror(errno.EINTR))

    for sizes in ({**SIZES, "scratch": scratch}, {**HELD, "ranges": 3}):
        with monkeypatch.context() as patched:
            patched.setattr(stores, "write_bytes", failing(22, stopped))
            with pytest.raises(WriteError):
                tile(network, folder, **sizes)
    tile(network, folder, **SIZES, scratch=scratch)
    assert files_of(folder) == undisturbed


@pytest.mark.parametrize("write", [30, *(pytest.param(number, marks=pytest.mark.nightly) for number in (1, 4, 13, 60))])
def test_a_full_disk_is_an_error_after_which_tiling_resumes(network, undisturbed, tmp_path, monkeypatch, write):
    def full():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(stores, "write_bytes", failing(write, full))
        with pytest.raises(WriteError, match="cannot be written: No space left on device"):
            tile(network, tmp_path / "tiles", **SIZES)
    left = files_of(tmp_path / "tiles")
    assert not any(name.endswith(".tmp") or name in ("lock", "header.json") for name in left)
    assert all(undisturbed[name] == content for name, content in left.items() if name in undisturbed)
    tile(network, tmp_path / "tiles", **SIZES)
    assert files_of(tmp_path / "tiles") == undisturbed


def test_a_limit_on_file_sizes_is_an_error_after_which_tiling_resumes(network, undisturbed, tmp_path):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    for most in (100_000, 400_000):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
        try:
            with pytest.raises(WriteError, match="File too large"):
                tile(network, tmp_path / "tiles", **SIZES)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert not any(name.startswith(".") for name in files_of(tmp_path / "tiles"))
    tile(network, tmp_path / "tiles", **SIZES)
    assert files_of(tmp_path / "tiles") == undisturbed


def test_the_error_of_a_second_run_names_the_first_process(network, tmp_path):
    with locked(tmp_path), pytest.raises(WriteError, match=f"process {os.getpid()} is making tiles here"):
        tile(network, tmp_path, **SIZES)
    assert files_of(tmp_path) == {}


def test_files_of_a_run_killed_at_its_very_end_are_removed(network, undisturbed, tmp_path):
    tile(network, tmp_path / "tiles", **SIZES)
    for name in ("lock", "tiling.json", "spill-counts.npy", ".tile-0-0.tmp"):
        (tmp_path / "tiles" / name).write_text("1")
    assert not make_tiles(network, tmp_path / "tiles", **SIZES).seconds
    assert files_of(tmp_path / "tiles") == undisturbed


def test_a_changed_byte_is_an_error_that_names_the_tile(network, tmp_path):
    store = make_tiles(network, tmp_path / "tiles", **SIZES).tiles.store
    path = tmp_path / "tiles" / "tile-2-1"
    whole = path.read_bytes()
    for at in (0, 20, 63, 64, -1, "short", "long"):
        content = bytearray(whole)
        if at == "short":
            del content[-1]
        elif at == "long":
            content.append(0)
        else:
            content[at] ^= 1
        path.write_bytes(content)
        tiles = StoredTiles(store)
        with pytest.raises(ReadError, match=r"tile-2-1: is damaged"):
            pytest.fail(f"byte {at}: {tiles.tile(2, 1)}")
        assert len(tiles.tile(2, 0).indices), at


def test_a_changed_byte_beside_the_tiles_is_an_error_that_names_the_file(network, tmp_path):
    store = make_tiles(network, tmp_path / "tiles", **SIZES).tiles.store
    for name in ("vertex-1.npy", "degree-1.npy"):
        path = tmp_path / "tiles" / name
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + b"\x7f")
        tiles = StoredTiles(store)
        with pytest.raises(ReadError, match=name):
            _ = ranks_of(tiles), tiles.degree(1)
        path.write_bytes(whole)


@pytest.mark.parametrize("byte", [b"\0", pytest.param(b"\x7f", marks=pytest.mark.nightly), b"\xff"])
def test_lost_keys_are_an_error_after_which_tiling_starts_again(network, undisturbed, tmp_path, monkeypatch, byte):
    """After a power failure, a file may have its length but no data; or its rows may be out of bounds."""

    def full():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    folder = tmp_path / "tiles"
    with monkeypatch.context() as patched:
        patched.setattr(stores, "write_bytes", failing(30, full))
        with pytest.raises(WriteError):
            tile(network, folder, **SIZES)
    (folder / "spill-3").write_bytes(byte * (folder / "spill-3").stat().st_size)
    with pytest.raises(ReadError, match=r"spill-3: is damaged: .* starts again"):
        tile(network, folder, **SIZES)
    assert "survey" in make_tiles(network, folder, **SIZES).seconds
    assert files_of(folder) == undisturbed


def test_a_removed_tile_is_made_again(network, undisturbed, tmp_path):
    folder = tmp_path / "tiles"
    tile(network, folder, **SIZES)
    (folder / "tile-2-1").unlink()
    with pytest.raises(MissingFileError, match=r"tile-2-1: .* makes the tiles again"):
        StoredTiles(stores.FolderStore(folder)).tile(2, 1)
    assert make_tiles(network, folder, **SIZES).seconds
    assert files_of(folder) == undisturbed


def test_a_tile_of_other_ranges_is_an_error(network, tmp_path):
    """The tile is intact, and has the same name in tiles of the same graph with fewer ranges."""
    tile(network, tmp_path / "tiles", **SIZES)
    tile(network, tmp_path / "others", **{**SIZES, "ranges": 3})
    (tmp_path / "tiles" / "tile-1-0").write_bytes((tmp_path / "others" / "tile-1-0").read_bytes())
    with pytest.raises(ReadError, match=r"tile-1-0: is not the tile that the header describes"):
        StoredTiles(stores.FolderStore(tmp_path / "tiles")).tile(1, 0)


@pytest.mark.parametrize("name", ["labels.csv", "tile-server.conf", ".notes.tmp"])
def test_files_of_others_are_left_alone(network, tmp_path, name):
    """With and without a scratch folder; names of users' files may begin like names of tiles."""
    folder = tmp_path / "tiles"
    folder.mkdir()
    (folder / name).write_text("mine")
    for scratch in (None, tmp_path / "scratch"):
        with pytest.raises(WriteError, match=f"holds a file of something else \\({name}\\)"):
            tile(network, folder, scratch=scratch, **SIZES)
    assert (folder / name).read_text() == "mine"


def test_a_second_run_with_another_scratch_folder_is_an_error(network, tmp_path):
    (tmp_path / "tiles").mkdir()
    with locked(tmp_path / "tiles"), pytest.raises(WriteError, match="is making tiles here"):
        tile(network, tmp_path / "tiles", scratch=tmp_path / "scratch", **SIZES)
