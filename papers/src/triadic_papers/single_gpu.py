"""The keyword `device` of the algorithms that run on a single GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.devices.runtimes import registry as gpus
from triadic.errors import ArgumentError, UnsupportedError

if TYPE_CHECKING:
    from triadic.devices.runtimes.runtime import Runtime


def open_gpu(device: str, *, or_cpu: bool = False) -> Runtime:
    """Open the GPU with the given name: "cuda", "cuda:1", "opencl:0".

    Parameters
    ----------
    device : str
    or_cpu : bool, default False
        Whether the caller also accepts "cpu"; only the error message mentions it.

    Raises
    ------
    ArgumentError
        The name has another form.
    UnsupportedError
        The name stands for more than one device.
    DeviceError
        The device does not exist.
    MissingExtraError
        The package for the device is not installed.
    """
    if not isinstance(device, str) or device.partition(":")[0] not in gpus.KINDS:
        forms = ("'cpu', " if or_cpu else "") + "'cuda', 'cuda:1' or 'opencl:0'"
        raise ArgumentError(f"device={device!r}: expected a form such as {forms}")
    names = gpus.named(device)
    if len(names) > 1:
        raise UnsupportedError(f"device={device!r}: this algorithm runs on one device, but {len(names)} are given")
    return gpus.runtime(names[0])
