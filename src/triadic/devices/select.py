"""The keyword `device`: which device runs a count."""

from __future__ import annotations

from triadic.errors import ArgumentError, UnsupportedError

_KINDS = ("cpu", "cuda", "opencl")


def resolve_device(device: str, *, count: str, available: tuple[str, ...] = ("cpu",)) -> str:
    """Give the kind of device to run a count on.

    Parameters
    ----------
    device : str
        "auto", or the name of a device.
    count : str
        What is counted, for the message.
    available : tuple of str
        Kinds of device that have the count; the first is what "auto" takes.

    Raises
    ------
    ArgumentError
        An unknown name.
    UnsupportedError
        A device that does not have the count; it is never run elsewhere silently.
    """
    if device == "auto":
        return available[0]
    if not isinstance(device, str) or device.partition(":")[0] not in _KINDS:
        raise ArgumentError(f"device={device!r}: expected 'auto' or 'cpu'")
    if device in available:
        return device
    raise UnsupportedError(f"device={device!r}: {count} are counted on {', '.join(map(repr, available))}")
