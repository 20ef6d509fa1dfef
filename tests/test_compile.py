"""Compiled kernels: kept on disk, and thrown away when any file that holds compiled code changes."""

from __future__ import annotations

import numba
import pytest
from numba.core.caching import IndexDataCacheFile

from triadic import compiled
from triadic.devices.cpu.sort_kernels import scatter
from triadic.generate.distinct import claim
from triadic.published.batagelj_mrvar_kernels import count_vertices


@pytest.mark.parametrize("kernel", [scatter, claim, count_vertices])
def test_a_cached_kernel_is_stamped_with_every_file_that_holds_compiled_code(kernel):
    assert compiled.source_stamp() in kernel._cache._cache_file._source_stamp


@pytest.mark.parametrize("folder", ["devices/cpu", "generate", "published"])
def test_a_changed_helper_changes_the_stamp(tmp_path, monkeypatch, folder):
    (tmp_path / folder).mkdir(parents=True)
    helper = tmp_path / folder / "draws.py"
    helper.write_text("MIX = 1\n")
    monkeypatch.setattr(compiled, "_PACKAGE", tmp_path)
    before = compiled.source_stamp.__wrapped__()
    helper.write_text("MIX = 2\n")
    assert compiled.source_stamp.__wrapped__() != before


def test_a_kernel_is_compiled_where_no_cache_folder_can_be_written(monkeypatch):
    tried = []

    def njit(**options):
        tried.append(options)
        if "cache" in options:
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: function

    monkeypatch.setattr(numba, "njit", njit)
    assert compiled.kernel(len) is len
    assert [sorted(options) for options in tried] == [["cache", "nogil"], ["nogil"]]


def test_two_processes_that_compile_a_kernel_for_other_arguments_do_not_write_to_one_file(tmp_path):
    """Both look at the index before either has written to it; the second then writes its index, the first its data."""
    first, second = (IndexDataCacheFile(str(tmp_path), "kernel", "stamp") for _ in range(2))
    compiled.name_by_key(first)
    compiled.name_by_key(second)
    write = first._save_index

    def write_and_be_overtaken(index):
        write(index)
        (tmp_path / "kernel.nbi").unlink()
        second.save("of int32", "the second's")

    first._save_index = write_and_be_overtaken
    first.save("of int64", "the first's")
    assert second.load("of int32") == "the second's"
    assert second.load("of int64") in {None, "the first's"}
