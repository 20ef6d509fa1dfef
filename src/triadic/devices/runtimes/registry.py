"""The kinds of device that triadic knows, and the names of single devices.

To add a kind of device, declare it as a `Device` in a module of its own and list it in `DEVICES`.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from triadic.devices.runtimes.cuda import CUDA
from triadic.devices.runtimes.opencl import OPENCL
from triadic.devices.runtimes.runtime import CPU, Device, Runtime
from triadic.errors import ArgumentError, DeviceError, MissingExtraError, OutOfMemoryError

# In the order in which device="auto" and `triadic info` go through them.
DEVICES: dict[str, Device] = {device.name: device for device in (CPU, CUDA, OPENCL)}
KINDS = tuple(name for name, device in DEVICES.items() if device.open_runtime is not None)  # the kinds of GPU


def kind_of(name: object) -> str:
    """Return the kind in a device name: "cuda" for "cuda:0,2". Anything but a string has the empty kind."""
    return name.partition(":")[0] if isinstance(name, str) else ""


def device_of(name: str) -> Device:
    """Return the declaration of the kind of device that a name such as "cuda:1" begins with."""
    return DEVICES[kind_of(name)]


def named(device: str) -> tuple[str, ...]:
    """Return the single devices in a name: "cpu", "cuda", "cuda:1", "cuda:0,2" or "cuda:all", as for other GPUs.

    Raises
    ------
    ArgumentError
        If the name has another form.
    DeviceError
        If there is no such device.
    MissingExtraError
        If the package that reaches the device is not installed.
    """
    if device == CPU.name:
        return (device,)
    kind, colon, numbers_text = device.partition(":")
    parts = numbers_text.split(",") if colon else ["0"]
    is_listed = all(part.isdecimal() for part in parts) and len({int(part) for part in parts}) == len(parts)
    if numbers_text != "all" and not is_listed:
        raise ArgumentError(f"device={device!r}: expected a form such as '{kind}', '{kind}:1' or '{kind}:all'")
    available = count(kind)
    if available == 0:
        raise DeviceError(f"device={device!r}: {DEVICES[kind].none_found}")
    numbers = list(range(available)) if numbers_text == "all" else [int(part) for part in parts]
    if max(numbers) >= available:
        found = "one device" if available == 1 else f"{available} devices"
        raise DeviceError(f"device={device!r}: found {found} of kind {kind!r}, numbered from 0")
    return tuple(f"{kind}:{number}" for number in numbers)


def count(kind: str) -> int:
    """Return the number of devices of a kind.

    Raises
    ------
    MissingExtraError
        If the package that reaches the devices is not installed.
    """
    return DEVICES[kind].count()


def is_installed(kind: str) -> bool:
    """Return whether the package that reaches devices of a kind can be imported, without importing it."""
    package = DEVICES[kind].package
    return package is None or find_spec(package) is not None


@cache
def runtime(name: str) -> Runtime:
    """Return the runtime of one device, such as "cuda:0". Each device is opened once."""
    open_runtime = device_of(name).open_runtime
    if open_runtime is None:
        raise ArgumentError(f"device={name!r}: expected the name of a GPU")
    return open_runtime(int(name.partition(":")[2]))


def runtimes_of(names: str) -> list[Runtime]:
    """Return the runtimes of the devices in a name such as "cuda:0,1"."""
    kind, _, numbers = names.partition(":")
    return [runtime(f"{kind}:{number}") for number in numbers.split(",")]


def described() -> list[str]:
    """Return a line for each device within reach: its name, the maker's name for it, its memory and its driver.

    If a package is installed but finds no device, or if a driver or a device fails, a line says so.
    """
    lines: list[str] = []
    for kind in filter(is_installed, KINDS):
        names = []
        try:
            names = [f"{kind}:{number}" for number in range(count(kind))]
            lines += [] if names else [f"{kind}: {DEVICES[kind].none_found}"]
        except (DeviceError, MissingExtraError) as error:
            lines.append(f"{kind}: {error}")
        for name in names:
            try:
                lines.append(runtime(name).describe())
            except (DeviceError, OutOfMemoryError) as error:
                lines.append(str(error))  # the message begins with the name of the device
    return lines
