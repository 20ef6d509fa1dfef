"""A folder and a URL store the same tiles, and copies of files at a URL stay within their limit."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest

from stored_edges import of_tiles
from triadic.errors import ArgumentError, MissingExtraError, MissingFileError, ReadError
from triadic.generate import RMat
from triadic.tiles.file_format import checksum, put_array, read_array
from triadic.tiles.stored_tiles import StoredTiles, open_store
from triadic.tiles.tiling import make_tiles
from triadic.tiles.url_store import UrlStore


@pytest.fixture(autouse=True)
def cache_home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(params=["folder", "url"])
def store(request, tmp_path):
    if request.param == "folder":
        return open_store(tmp_path / "tiles")
    pytest.importorskip("fsspec")
    return UrlStore(f"memory://{tmp_path.name}/tiles", cache=tmp_path / "copies", cache_bytes=30)


def test_a_file_is_read_and_listed_as_it_was_written(store):
    assert store.list() == []
    store.put("b-1", [b"one", np.arange(3), b""])
    store.put("b-2", [bytes(20)])
    store.put("a", [])
    assert store.get("b-1").tobytes() == b"one" + np.arange(3).tobytes()
    assert store.get("a").tobytes() == b""
    assert (store.list(), store.list("b")) == (["a", "b-1", "b-2"], ["b-1", "b-2"])
    assert store.size(["a", "b-1"]) == 27
    store.put("b-1", [b"two"])
    assert store.mapped("b-1")[0].tobytes() == b"two"
    store.delete("b-1")
    store.delete("b-1")
    with pytest.raises(MissingFileError, match="b-1"):
        store.get("b-1")
    assert store.list() == ["a", "b-2"]


def test_the_least_recently_used_copies_are_removed(tmp_path):
    pytest.importorskip("fsspec")
    copies = tmp_path / "copies"
    store = UrlStore(f"memory://{tmp_path.name}/tiles", cache=copies, cache_bytes=30)
    for k, name in enumerate("abc"):
        store.put(name, [bytes(10)])
        store.get(name)
        os.utime(copies / name, (k, k))
    store.get("a")
    store.put("d", [bytes(10)])
    store.get("d")
    assert sorted(path.name for path in copies.iterdir()) == ["a", "c", "d"]
    assert len(store.get("b")) == 10


def test_tiles_at_a_url_equal_tiles_in_a_folder(tmp_path):
    pytest.importorskip("fsspec")
    model, url = RMat(8, seed=1, directed=True), f"memory://{tmp_path.name}/graph"
    at_url = make_tiles(model, url, ranges=3).tiles
    in_folder = make_tiles(model, tmp_path / "tiles", ranges=3).tiles
    assert of_tiles(at_url) == of_tiles(in_folder)
    assert at_url.fingerprint == in_folder.fingerprint == StoredTiles(open_store(url)).fingerprint
    assert not make_tiles(model, url, ranges=3).seconds
    assert not list((tmp_path / "cache").rglob("spill-*"))


def test_old_copies_are_not_read_after_tiles_at_the_url_changed(tmp_path):
    pytest.importorskip("fsspec")
    url = f"memory://{tmp_path.name}/again"
    here = UrlStore(url, cache=tmp_path / "here")
    for seed in (1, 2):
        elsewhere = UrlStore(url, cache=tmp_path / f"elsewhere-{seed}")
        for name in elsewhere.list():
            elsewhere.delete(name)
        made = make_tiles(RMat(8, seed=seed), tmp_path / f"tiles-{seed}", ranges=2).tiles
        for name in made.names:
            elsewhere.put(name, [made.store.get(name)])
        assert of_tiles(StoredTiles(here)) == of_tiles(made)


def test_a_url_that_cannot_be_opened_is_an_error(monkeypatch):
    pytest.importorskip("fsspec")
    with pytest.raises(ArgumentError, match="nowhere://a"):
        open_store("nowhere://a")
    with pytest.raises(MissingFileError, match=r"memory://nothing/header\.json"):
        StoredTiles(open_store("memory://nothing"))
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(MissingExtraError, match="pip install"):
        open_store("memory://a")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": "triadic tiles", "version": 1}'])
def test_a_damaged_header_is_an_error(tmp_path, content):
    (tmp_path / "header.json").write_bytes(content)
    with pytest.raises(ReadError, match=r"header\.json"):
        StoredTiles(open_store(tmp_path))


def test_a_forged_array_whose_bytes_are_not_those_of_its_header_is_refused(store):
    """Its checksum agrees, as that of a file that somebody made on purpose."""
    put_array(store, "array", np.arange(5))
    whole = store.get("array").tobytes()
    forged = {"longer": whole + bytes(8), "shorter": whole[:-8], "objects": whole.replace(b"'<i8'", b"'|O' ")}
    for name, content in forged.items():
        store.put(name, [content])
        with pytest.raises(ReadError, match=f"{name}: is damaged: "):
            read_array(store, name, checksum([content]))
