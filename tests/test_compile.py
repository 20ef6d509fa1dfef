"""Compiled kernels: kept on disk, and thrown away when any file that holds compiled code changes."""

from __future__ import annotations

import numba
import pytest

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
