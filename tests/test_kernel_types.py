"""The rules of compiled kernels, and the search for floats in them that follows the last test (kernel_types.py)."""

from __future__ import annotations

import numba
import numpy as np

import kernel_types
from triadic import generate


def test_the_kernels_are_found():
    found = kernel_types.kernels()
    for name in ("neighbourhoods.", "supports.", "vertex_census."):
        assert any(kernel.startswith(name) for kernel in found)
    assert all(any(kernel.startswith(name) for kernel in found) for name in kernel_types.WITH_FLOATS)


def test_kernels_release_the_interpreter_and_start_no_threads():
    for name, kernel in kernel_types.kernels().items():
        assert kernel.targetoptions["nogil"] is True, name
        assert not kernel.targetoptions.get("parallel"), name


def test_a_float_would_be_found(monkeypatch):
    """The search would also pass if it inspected no variable."""

    def half(a):
        return int(a[0] * 0.5) + 1

    kernel = numba.njit(half)
    kernel(np.ones(1, dtype=np.int64))
    listed = [
        (str(signature), kernel_types.types_in(str(of.type_annotation))) for signature, of in kernel.overloads.items()
    ]
    monkeypatch.setattr(kernel_types, "stored_types", lambda _: listed)
    assert [line.partition(":")[2] for line in kernel_types.floats("module.half", kernel)] == [" float64"]
    assert not list(kernel_types.floats("weight_sums.half", kernel))


def test_the_types_of_a_kernel_on_disk_are_read():
    generate.rmat(5, seed=1, directed=True).oriented()
    stored = kernel_types.stored_types(kernel_types.kernels()["row_orientation.orient"])
    assert any("int64" in kind for _, types in stored for kind in types)
