"""Tiles are reused for an input with the same content, and for no other."""

from __future__ import annotations

import os
import shutil

import pytest

import triadic
from triadic.errors import ReadError, WriteError
from triadic.tiles import work_folder
from triadic.tiles.tiling import make_tiles, tile
from triadic.tiles.work_folder import InputIdentity

TRIANGLE, PATH = "1 2\n2 3\n1 3\n", "1 2\n2 3\n3 4\n"


def write(path, text, *, time=1_000_000_000_000_000_000):
    """Write a file, and set the time of its last modification in nanoseconds."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    os.utime(path, ns=(time, time))
    return path


@pytest.fixture
def hashed(monkeypatch):
    """Names of the files whose content is hashed."""
    names = []

    def file_checksum(path):
        names.append(path.name)
        return checksum(path)

    checksum = work_folder.file_checksum
    monkeypatch.setattr(work_folder, "file_checksum", file_checksum)
    return names


def test_a_file_of_the_same_name_size_and_time_in_another_folder_is_another_input(tmp_path):
    first, second = write(tmp_path / "x" / "n.txt", TRIANGLE), write(tmp_path / "y" / "n.txt", PATH)
    assert triadic.triangle_count(tile(first, tmp_path / "tiles", directed=False)) == 1
    with pytest.raises(WriteError, match=r"tiles of another input .*n\.txt with other content.*choose a new name"):
        tile(second, tmp_path / "tiles", directed=False)


def test_a_file_that_is_edited_in_place_is_noticed_though_its_size_and_time_stay_the_same(tmp_path):
    file = write(tmp_path / "n.txt", TRIANGLE)
    tile(file, tmp_path / "tiles", directed=False)
    write(file, PATH)
    with pytest.raises(WriteError, match="tiles of another input"):
        tile(file, tmp_path / "tiles", directed=False)


def test_a_copy_of_the_input_is_the_same_input(tmp_path):
    file = write(tmp_path / "n.txt", TRIANGLE)
    tile(file, tmp_path / "tiles", directed=False)
    copy = write(tmp_path / "copy" / "other-name.txt", TRIANGLE, time=1)
    assert not make_tiles(copy, tmp_path / "tiles", directed=False).seconds


def test_the_input_is_not_read_again_unless_its_file_changed(tmp_path, hashed):
    file = write(tmp_path / "n.txt", TRIANGLE)
    tile(file, tmp_path / "tiles", directed=False)
    assert hashed.count("n.txt") == 1
    tile(file, tmp_path / "tiles", directed=False)
    assert hashed.count("n.txt") == 1
    os.utime(file, ns=(1, 1))
    assert not make_tiles(file, tmp_path / "tiles", directed=False).seconds
    assert hashed.count("n.txt") == 2


def test_every_call_reads_the_input_where_no_time_tells_of_changes(tmp_path, hashed, monkeypatch):
    monkeypatch.setattr(work_folder, "_HAS_TIME_OF_CHANGE", False)
    file = write(tmp_path / "n.txt", TRIANGLE)
    for _ in range(2):
        tile(file, tmp_path / "tiles", directed=False)
    assert hashed.count("n.txt") == 2


def test_the_same_content_under_another_suffix_may_be_another_network(tmp_path):
    file = write(tmp_path / "n.txt", TRIANGLE)
    record = InputIdentity(file, None).record()
    assert not InputIdentity(write(tmp_path / "n.csv", TRIANGLE), None).is_recorded_in(record)


@pytest.mark.parametrize("changed", ["1.csv", "2.csv"])
def test_one_changed_file_of_a_folder_is_another_input(tmp_path, changed):
    for name in ("1.csv", "2.csv", "3.csv"):
        write(tmp_path / "lake" / name, TRIANGLE.replace(" ", ","))
    record = InputIdentity(tmp_path / "lake", None).record()
    shutil.copytree(tmp_path / "lake", tmp_path / "copied" / "lake")
    assert InputIdentity(tmp_path / "copied" / "lake", None).is_recorded_in(record)
    write(tmp_path / "lake" / changed, PATH.replace(" ", ","))
    assert not InputIdentity(tmp_path / "lake", None).is_recorded_in(record)


def test_a_graph_in_a_folder_is_known_by_all_its_arrays(tmp_path):
    triadic.write(triadic.Graph.from_edges([0, 1, 0], [1, 2, 2]), tmp_path / "g.triadic")
    record = InputIdentity(tmp_path / "g.triadic", None).record()
    shutil.copytree(tmp_path / "g.triadic", tmp_path / "h.triadic")
    assert InputIdentity(tmp_path / "h.triadic", None).is_recorded_in(record)
    array = bytearray((tmp_path / "g.triadic" / "indices.npy").read_bytes())
    array[-1] ^= 1
    (tmp_path / "g.triadic" / "indices.npy").write_bytes(array)
    assert not InputIdentity(tmp_path / "g.triadic", None).is_recorded_in(record)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_comes_through_a_pipe_is_never_taken_for_an_earlier_input(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    record = InputIdentity(tmp_path / "pipe", None).record()
    assert not InputIdentity(tmp_path / "pipe", None).is_recorded_in(record)


def test_a_file_that_changes_while_it_is_tiled_is_an_error_and_leaves_no_checkpoint(tmp_path, monkeypatch):
    file = write(tmp_path / "n.txt", TRIANGLE)
    record = InputIdentity.record

    def record_and_change(identity):
        found = record(identity)
        write(file, PATH)
        return found

    monkeypatch.setattr(InputIdentity, "record", record_and_change)
    with pytest.raises(ReadError, match=r"n\.txt: was changed while it was read; run the same command again"):
        tile(file, tmp_path / "tiles", directed=False)
    monkeypatch.undo()
    assert triadic.triangle_count(tile(file, tmp_path / "tiles", directed=False)) == 0


def test_tiles_of_an_earlier_version_are_not_reused_for_a_file(tmp_path):
    file = write(tmp_path / "n.txt", TRIANGLE)
    record = {"name": "n.txt", "bytes": len(TRIANGLE), "modified": file.stat().st_mtime_ns}
    assert not InputIdentity(file, None).is_recorded_in(record)
