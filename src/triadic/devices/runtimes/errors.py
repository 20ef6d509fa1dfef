"""The errors of devices, one line each: a failure, a kernel that does not compile, too little memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.errors import DeviceError, MissingExtraError, OutOfMemoryError

if TYPE_CHECKING:
    from triadic.devices.runtimes.runtime import Runtime

_LOG_LINES = 6


def missing_package(device: str, package: str, install: str, error: ImportError) -> MissingExtraError:
    """Return the error for a package that is not installed, or is installed and cannot be imported."""
    absent = isinstance(error, ModuleNotFoundError) and error.name == package.lower()
    found = f"is not installed: {install}" if absent else f"cannot be imported: {' '.join(str(error).split())}"
    return MissingExtraError(f"device={device!r} needs {package}, which {found}")


def device_failure(runtime: Runtime, error: Exception, what: str = "") -> DeviceError:
    """Return the error for a device that failed, and in which kernel or file if `what` names it."""
    return DeviceError(f"{_named(runtime)}{what and f': {what}'} failed: {' '.join(str(error).split())}")


def compile_failure(runtime: Runtime, what: str, log: str) -> DeviceError:
    """Return the error for a source that does not compile, with the first lines of the compiler's log."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return DeviceError(f"{_named(runtime)}: {what} does not compile: {' | '.join(lines[:_LOG_LINES])}")


def full_device(runtime: Runtime, needed: int) -> OutOfMemoryError:
    """Return the error for a device without `needed` more bytes; 0 if the number is not known."""
    try:
        free, total = runtime.memory()
    except DeviceError:  # a full device may not even answer this
        return OutOfMemoryError(f"{_named(runtime)} has no memory left: use another device, or device='cpu'")
    return _too_small(runtime, free, total, f"{_size(needed)} more are needed" if needed else "more is needed", needed)


def check_room(runtime: Runtime, what: str, *buffers: int) -> None:
    """Check that a device has room for some buffers, before any of them is allocated.

    Parameters
    ----------
    runtime : Runtime
    what : str
        What the buffers are for, as the error names it.
    *buffers : int
        Estimated bytes of each buffer; all buffers exist at the same time.

    Raises
    ------
    OutOfMemoryError
        If the device has too little memory. The message says how much is needed and free, and what can be done.
    """
    check_largest(runtime, max(buffers, default=0))
    needed, (free, total) = sum(buffers), runtime.memory()
    if needed > free:
        raise _too_small(runtime, free, total, f"{what} takes about {_size(needed)} there", needed)


def check_largest(runtime: Runtime, needed: int) -> None:
    """Check that a device allows a single buffer of `needed` bytes.

    Raises
    ------
    OutOfMemoryError
        If it does not.
    """
    most = runtime.largest_buffer()
    if needed > most:
        raise OutOfMemoryError(
            f"{_named(runtime)} allows buffers of up to {_size(most)} and one of {_size(needed)} is needed: "
            f"use another device, or device='cpu'"
        )


def _too_small(runtime: Runtime, free: int, total: int, what: str, needed: int) -> OutOfMemoryError:
    # If the device could hold it when empty, releasing other graphs helps.
    advice = "release() other graphs that lie there" if needed < total else "use a device with more memory"
    return OutOfMemoryError(
        f"{_named(runtime)} has {_size(free)} of {_size(total)} free and {what}: {advice}, or use device='cpu'"
    )


def _named(runtime: Runtime) -> str:
    return f"{runtime.name} ({runtime.label})"


def _size(count: int) -> str:
    return f"{count / 2**30:,.1f} GiB" if count >= 1 << 30 else f"{count / 2**20:,.1f} MiB"
