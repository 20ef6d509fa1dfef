"""The keyword `device` of an algorithm that a paper has for a single GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.devices.gpu import open as gpus
from triadic.errors import ArgumentError, UnsupportedError

if TYPE_CHECKING:
    from triadic.devices.gpu.runtime import Runtime


def open_gpu(device: str, *, or_cpu: bool = False) -> Runtime:
    """Open the GPU that a name means: "cuda", "cuda:1", "opencl:0"; `or_cpu` says what else would have been taken.

    Raises
    ------
    ArgumentError
        A name of another form.
    UnsupportedError
        More than one device.
    DeviceError, MissingExtraError
        There is no such device, or what reaches it is not installed.
    """
    if not isinstance(device, str) or device.partition(":")[0] not in gpus.KINDS:
        forms = ("'cpu', " if or_cpu else "") + "'cuda', 'cuda:1' or 'opencl:0'"
        raise ArgumentError(f"device={device!r}: expected a form such as {forms}")
    names = gpus.named(device)
    if len(names) > 1:
        raise UnsupportedError(f"device={device!r}: this algorithm runs on one device, and {len(names)} are named")
    return gpus.runtime(names[0])
