"""Drivers and cards that fail: one clear error of triadic for each, and no exception of CuPy or PyOpenCL."""

from __future__ import annotations

import json
import sys
from functools import cache

import numpy as np
import pytest

import fake_cupy
import triadic
from fake_cupy import GIB, FakeCuPy
from triadic import Graph
from triadic.cli import main
from triadic.devices.runtimes import cuda, opencl
from triadic.devices.runtimes import registry as gpus
from triadic.devices.runtimes.cuda import CudaRuntime
from triadic.devices.runtimes.runtime import Source
from triadic.errors import DeviceError, MissingExtraError, OutOfMemoryError, UnsupportedError


@pytest.fixture
def cupy(monkeypatch):
    """A CuPy whose calls can be made to fail, with freshly opened cards."""
    module = FakeCuPy()
    monkeypatch.setitem(sys.modules, "cupy", module)
    monkeypatch.setattr(cuda, "_cupy", cuda._cupy.__wrapped__)
    opened, card = gpus.runtime, cache(CudaRuntime)

    def runtime(name):
        return card(int(name[5:])) if name.startswith("cuda:") else opened(name)

    monkeypatch.setattr(gpus, "runtime", runtime)
    return module


def one_line(raised):
    assert "\n" not in str(raised.value)
    return str(raised.value)


# Calls of a card's runtime, by the function of CuPy that each calls.
CALLS = {
    "asarray": lambda card: card.upload(np.arange(4)),
    "empty": lambda card: card.empty(128, np.int64),
    "asnumpy": lambda card: card.download(fake_cupy.on_card([1])),
    "synchronize": lambda card: card.synchronize(),
    "get_function": lambda card: card.launch(Source("rows"), "row_starts", 1),
    "launch": lambda card: card.launch(Source("rows"), "row_starts", 1),
    "compile": lambda card: card.launch(Source("rows"), "row_starts", 1),
    "cumsum": lambda card: card.columns(*(fake_cupy.on_card(array) for array in ([0, 1, 1], [0], [0, 1]))),
    "driverGetVersion": lambda card: card.describe(),
    "memGetInfo": lambda card: card.memory(),
    "setDevice": lambda card: card.zeros(1, np.int64),
}


@pytest.mark.parametrize("error", ["ILLEGAL", "NOT_LAUNCHED", "THRUST"])
@pytest.mark.parametrize("call", CALLS)
def test_every_failure_on_a_card_is_one_clear_error(cupy, call, error):
    card = CudaRuntime(0)
    cupy.failing[call] = getattr(fake_cupy, error)
    with pytest.raises(DeviceError) as raised:
        CALLS[call](card)
    message = one_line(raised)
    assert message.startswith("cuda:0 (A fake)")
    assert message.endswith(f"failed: {cupy.failing[call]}")


@pytest.mark.parametrize("error", ["POOL_IS_FULL", "NO_MEMORY"])
@pytest.mark.parametrize("call", [call for call in CALLS if call != "memGetInfo"])
def test_the_error_of_a_full_card_says_how_much_memory_it_has(cupy, call, error):
    card = CudaRuntime(0)
    cupy.failing[call] = getattr(fake_cupy, error)
    if call == "setDevice":  # the free memory is unknown too
        with pytest.raises(OutOfMemoryError, match=r"cuda:0 \(A fake\) has no memory left: use"):
            CALLS[call](card)
        return
    with pytest.raises(OutOfMemoryError, match=r"cuda:0 \(A fake\) has 1\.0 GiB of 2\.0 GiB free and .* needed"):
        CALLS[call](card)


def test_the_error_of_a_failed_allocation_says_how_much_is_needed(cupy):
    card = CudaRuntime(0)
    cupy.failing["empty"] = fake_cupy.POOL_IS_FULL
    with pytest.raises(
        OutOfMemoryError, match=r"and 8\.0 GiB more are needed: use a device with more memory, or use dev"
    ):
        card.empty(GIB, np.int64)
    with pytest.raises(OutOfMemoryError, match=r"and 1\.5 GiB more are needed: release\(\) other graphs"):
        card.empty(3 * GIB // 16, np.int64)


def test_functions_of_arrays_on_a_card_raise_the_same_errors(cupy):
    card = CudaRuntime(0)

    def fail(error):
        with card.active():
            raise error

    with pytest.raises(DeviceError, match=r"cuda:0 \(A fake\) failed: cudaErrorIllegalAddress"):
        fail(fake_cupy.ILLEGAL)
    with pytest.raises(OutOfMemoryError, match="more is needed"):
        fail(fake_cupy.POOL_IS_FULL)
    with pytest.raises(DeviceError, match=r"does not compile: line 1 \| line 2"):
        fail(fake_cupy.CompileException("line 1\n\nline 2"))
    for error in (UnsupportedError("unchanged"), KeyboardInterrupt(), KeyError("unchanged"), NotImplementedError()):
        with pytest.raises(type(error)) as raised:
            fail(error)
        assert raised.value is error


def test_a_sort_allocates_its_memory_first(cupy):
    card, keys = CudaRuntime(0), fake_cupy.on_card(np.array([3, 1, 2], dtype=np.uint64))
    assert card.sort(keys).tolist() == [1, 2, 3]
    cupy.failing["empty"] = fake_cupy.POOL_IS_FULL
    with pytest.raises(OutOfMemoryError, match=r"16\.0 MiB more are needed"):
        card.sort(keys)


def test_a_kernel_that_does_not_compile_for_a_card_shows_the_first_lines_of_the_log(cupy):
    log = "\n".join(f"rows.c({line}): error: expected" for line in range(99))
    cupy.failing["compile"] = fake_cupy.CompileException(log)
    with pytest.raises(DeviceError, match=r"cuda:0 \(A fake\): rows does not compile: rows.c\(0\): error") as raised:
        CudaRuntime(0).launch(Source("rows"), "row_starts", 1)
    assert one_line(raised).endswith("rows.c(5): error: expected")


@pytest.mark.parametrize(
    ("failing", "message"),
    [
        ({"getDeviceCount": fake_cupy.NO_DRIVER}, "device='cuda': no CUDA driver or card was found"),
        ({"getDeviceCount": fake_cupy.IN_USE}, "the CUDA driver cannot be used: cudaErrorDevicesUnavailable"),
        ({"setDevice": fake_cupy.IN_USE}, r"cuda:0 \(a card\) failed: cudaErrorDevicesUnavailable"),
    ],
)
def test_a_missing_or_broken_driver_is_one_clear_error(cupy, failing, message):
    cupy.failing |= failing
    with pytest.raises(DeviceError, match=message) as raised:
        triadic.triangles(Graph.from_edges([0], [1]), device="cuda")
    one_line(raised)


@pytest.mark.parametrize(
    ("kind", "package", "extra"), [("cuda", "cupy", r"triadic\[cuda13\]"), ("opencl", "pyopencl", r"triadic\[opencl\]")]
)
def test_the_error_of_a_missing_package_differs_from_that_of_a_broken_one(monkeypatch, tmp_path, kind, package, extra):
    module = {"cuda": cuda, "opencl": opencl}[kind]
    import_it = getattr(module, f"_{package}").__wrapped__
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(MissingExtraError, match=f"device='{kind}' needs .* not installed: pip install '{extra}'"):
        import_it()
    (tmp_path / f"{package}.py").write_text("raise ImportError('libcuda.so.1:\\ncannot open it')\n")
    with pytest.raises(MissingExtraError, match=r"cannot be imported: libcuda\.so\.1: cannot open it") as raised:
        import_it()
    one_line(raised)


def test_a_broken_opencl_driver_does_not_hide_the_devices_of_others(gpu_device, monkeypatch):
    if not gpu_device.startswith("opencl"):
        pytest.skip("a test of OpenCL")
    cl, devices = opencl._pyopencl(), opencl._devices()

    class Broken:
        name = "Broken"

        def get_devices(self):
            raise cl.RuntimeError("it is broken")

    platforms = cl.get_platforms()
    monkeypatch.setattr(cl, "get_platforms", lambda: [Broken(), *platforms])
    assert opencl._devices.__wrapped__() == devices
    monkeypatch.setattr(cl, "get_platforms", lambda: [Broken()])
    with pytest.raises(DeviceError, match="no OpenCL driver can be used: Broken: it is broken"):
        opencl._devices.__wrapped__()


@pytest.mark.parametrize(
    ("failing", "line"),
    [
        ({}, "cuda:0: A fake, 1.0 of 2.0 GiB free, driver of CUDA 12.8"),
        ({"getDeviceCount": fake_cupy.NO_DRIVER}, "cuda: no CUDA driver or card was found"),
        ({"getDeviceCount": fake_cupy.IN_USE}, "cuda: the CUDA driver cannot be used: cudaErrorDevicesUnavailable"),
        ({"setDevice": fake_cupy.IN_USE}, "cuda:0 (a card) failed: cudaErrorDevicesUnavailable"),
        ({"memGetInfo": fake_cupy.ILLEGAL}, "cuda:0 (A fake) failed: cudaErrorIllegalAddress"),
    ],
)
def test_info_has_a_line_for_a_card_whatever_fails(cupy, capsys, failing, line):
    cupy.failing |= failing
    assert main(["info", "--json"]) == 0
    devices = json.loads(capsys.readouterr().out)["devices"]
    assert devices[0] == "cpu"
    assert sum(device.startswith(line) for device in devices) == 1


def test_info_says_that_a_package_is_broken(monkeypatch, capsys):
    def broken():
        raise MissingExtraError("device='cuda' needs CuPy, which cannot be imported: libcuda.so.1")

    monkeypatch.setattr(gpus, "is_installed", lambda kind: kind == "cuda")
    monkeypatch.setattr(cuda, "_cupy", broken)
    assert main(["info", "--json"]) == 0
    (line,) = json.loads(capsys.readouterr().out)["devices"][1:]
    assert line.startswith("cuda: ")
    assert line.endswith("cannot be imported: libcuda.so.1")
