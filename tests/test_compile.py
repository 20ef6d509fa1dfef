"""Compiled kernels: kept on disk, and thrown away when any file that holds compiled code changes."""

from __future__ import annotations

from triadic.devices.cpu import compile as compiling
from triadic.devices.cpu.sort_kernels import scatter


def test_a_cached_kernel_is_stamped_with_every_file_that_holds_compiled_code():
    assert compiling.source_stamp() in scatter._cache._cache_file._source_stamp


def test_a_changed_helper_changes_the_stamp(tmp_path, monkeypatch):
    for folder in ("devices/cpu", "generate"):
        (tmp_path / folder).mkdir(parents=True)
    helper = tmp_path / "generate" / "draws.py"
    helper.write_text("MIX = 1\n")
    monkeypatch.setattr(compiling, "_PACKAGE", tmp_path)
    before = compiling.source_stamp.__wrapped__()
    helper.write_text("MIX = 2\n")
    assert compiling.source_stamp.__wrapped__() != before
