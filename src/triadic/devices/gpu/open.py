"""Which GPU a name means, and the runtime for it."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from triadic.errors import ArgumentError, DeviceError, MissingExtraError, OutOfMemoryError

if TYPE_CHECKING:
    from triadic.devices.gpu.runtime import Runtime

KINDS = ("cuda", "opencl")
_PACKAGES = {"cuda": "cupy", "opencl": "pyopencl"}
_NONE = {
    "cuda": "no CUDA driver or card was found (a driver too old for CuPy counts as none)",
    "opencl": "no OpenCL driver or device was found",
}


def named(device: str) -> tuple[str, ...]:
    """Give the devices that a name means: "cuda", "cuda:1", "cuda:0,2", "cuda:all"; the same with "opencl".

    Raises
    ------
    ArgumentError
        A name of another form.
    DeviceError
        There is no such device.
    MissingExtraError
        The package that reaches it is not installed.
    """
    kind, colon, which = device.partition(":")
    parts = which.split(",") if colon else ["0"]
    is_listed = all(part.isdecimal() for part in parts) and len({int(part) for part in parts}) == len(parts)
    if which != "all" and not is_listed:
        raise ArgumentError(f"device={device!r}: expected a form such as '{kind}', '{kind}:1' or '{kind}:all'")
    there = count(kind)
    if there == 0:
        raise DeviceError(f"device={device!r}: {_NONE[kind]}")
    numbers = list(range(there)) if which == "all" else [int(part) for part in parts]
    if max(numbers) >= there:
        raise DeviceError(f"device={device!r}: there {'is' if there == 1 else 'are'} {there}, numbered from 0")
    return tuple(f"{kind}:{number}" for number in numbers)


def count(kind: str) -> int:
    """Give the number of devices of a kind.

    Raises
    ------
    MissingExtraError
        The package that reaches them is not installed.
    """
    if kind == "cuda":
        from triadic.devices.gpu import cuda

        return cuda.count_devices()
    from triadic.devices.gpu import opencl

    return opencl.count_devices()


def is_installed(kind: str) -> bool:
    """Say whether the package that reaches devices of a kind can be imported, without importing it."""
    return find_spec(_PACKAGES[kind]) is not None


def is_loaded(kind: str) -> bool:
    """Say whether the package that reaches devices of a kind has been imported already."""
    return _PACKAGES[kind] in sys.modules


def described() -> list[str]:
    """Describe every GPU that can be reached: its name here, what its maker calls it, its memory, its driver.

    Where a package is installed and reaches none, or a driver or a device fails, a line says so.
    """
    return [line for kind in KINDS if is_installed(kind) for line in _described(kind)]


def _described(kind: str) -> list[str]:
    try:
        there = count(kind)
    except (DeviceError, MissingExtraError) as error:
        return [f"{kind}: {error}"]
    return [_line(f"{kind}:{number}") for number in range(there)] or [f"{kind}: {_NONE[kind]}"]


def _line(name: str) -> str:
    try:
        return runtime(name).describe()
    except (DeviceError, OutOfMemoryError) as error:
        return str(error)  # which begins with the name


@cache
def runtime(name: str) -> Runtime:
    """Give the runtime of one device, such as "cuda:0"; opened once."""
    kind, _, number = name.partition(":")
    if kind == "cuda":
        from triadic.devices.gpu.cuda import CudaRuntime

        return CudaRuntime(int(number))
    from triadic.devices.gpu.opencl import OpenClRuntime

    return OpenClRuntime(int(number))
