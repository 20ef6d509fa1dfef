"""Compiled kernels are stored on disk, and compiled again if any code that they call changes."""

from __future__ import annotations

import importlib.util
import sys

import numba
import pytest
from numba.core.caching import IndexDataCacheFile

from triadic.core import compiled
from triadic.devices.cpu.orient.row_sort import scatter
from triadic.errors import ReadError
from triadic.generate.vertex_links import claim

_KERNEL = """
from triadic.core.compiled import kernel
from {helper} import MIX, mixed

@kernel
def count(n):
    return later(n) + MIX

@kernel
def later(n):
    return mixed(n)
"""
_HELPER = """
from triadic.core.compiled import kernel
MIX = {mix}

@kernel
def mixed(n):
    return n + {step}
"""


def _load(folder, name, content):
    file = folder / f"{name}.py"
    file.write_text(content)
    spec = importlib.util.spec_from_file_location(name, file)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _stamp(folder, helper):
    compiled._content.cache_clear()
    _load(folder, "helper_of_kernels", helper)
    return compiled.stamp_of(_load(folder, "some_kernels", _KERNEL.format(helper="helper_of_kernels")).count.py_func)


@pytest.mark.parametrize("kernel", [scatter, claim])
def test_the_stamp_of_a_cached_kernel_depends_on_the_code_it_calls(kernel):
    assert kernel._cache._cache_file._source_stamp == compiled.stamp_of(kernel.py_func)


@pytest.mark.parametrize("changed", [{"mix": 2, "step": 1}, {"mix": 1, "step": 2}])
def test_a_changed_helper_or_constant_of_another_file_changes_the_stamp(tmp_path, changed):
    before = _stamp(tmp_path, _HELPER.format(mix=1, step=1))
    assert _stamp(tmp_path, _HELPER.format(mix=1, step=1)) == before
    assert _stamp(tmp_path, _HELPER.format(**changed)) != before


def test_a_kernel_is_compiled_if_no_cache_folder_is_writable(monkeypatch):
    tried = []

    def njit(**options):
        tried.append(options)
        if "cache" in options:
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: function

    monkeypatch.setattr(numba, "njit", njit)
    assert compiled.kernel(len) is len
    assert ["cache" in options for options in tried] == [True, False]


def test_two_processes_that_compile_a_kernel_for_other_arguments_do_not_write_to_one_file(tmp_path):
    """Both read the index before either writes it; then the second process writes its index, and the first its data."""
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


def _with_a_wrong_bit(content):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 4]) + content[middle + 1 :]


@pytest.mark.parametrize(
    "damage",
    [lambda _: b"", lambda _: b"\x80\x05X\xff\xff", lambda content: content[:-200] + bytes(200), _with_a_wrong_bit],
    ids=["empty", "broken off", "zeros", "a bit"],
)
def test_a_damaged_file_of_the_cache_is_compiled_again_and_replaced(tmp_path, damage):
    _load(tmp_path, "helper_of_kernels", _HELPER.format(mix=1, step=2))
    kernels = _KERNEL.format(helper="helper_of_kernels")
    assert _load(tmp_path, "some_kernels", kernels).count(1) == 4
    for suffix in (".nbi", ".nbc"):
        files = [file for file in (tmp_path / "__pycache__").iterdir() if file.suffix == suffix]
        assert files
        damaged = {file: damage(file.read_bytes()) for file in files}
        for file, content in damaged.items():
            file.write_bytes(content)
        assert _load(tmp_path, "some_kernels", kernels).count(1) == 4
        assert all(file.read_bytes() != damaged[file] for file in files if file.name.startswith("some_kernels.count"))


def test_a_cache_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    _load(tmp_path, "helper_of_kernels", _HELPER.format(mix=1, step=2))
    count = _load(tmp_path, "some_kernels", _KERNEL.format(helper="helper_of_kernels")).count

    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(compiled.Path, "read_bytes", refuse)
    with pytest.raises(
        ReadError, match=r"__pycache__: numba's folder of compiled code cannot be read; set NUMBA_CACHE"
    ):
        count(1)
