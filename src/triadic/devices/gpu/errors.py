"""What befalls a device, in one line each: it fails, a kernel does not compile for it, it is too small."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.errors import DeviceError, MissingExtraError, OutOfMemoryError

if TYPE_CHECKING:
    from triadic.devices.gpu.runtime import Runtime

_LOG_LINES = 6


def missing(device: str, package: str, install: str, error: ImportError) -> MissingExtraError:
    """Give the error of a package that reaches devices and is not there, or is and cannot be imported."""
    absent = isinstance(error, ModuleNotFoundError) and error.name == package.lower()
    found = f"is not installed: {install}" if absent else f"cannot be imported: {' '.join(str(error).split())}"
    return MissingExtraError(f"device={device!r} needs {package}, which {found}")


def failed(runtime: Runtime, error: Exception, what: str = "") -> DeviceError:
    """Give the error of a device that failed, in `what` where that is known."""
    return DeviceError(f"{_named(runtime)}{what and f': {what}'} failed: {' '.join(str(error).split())}")


def not_compiled(runtime: Runtime, what: str, log: str) -> DeviceError:
    """Give the error of a source that does not compile, with the first lines of the compiler's log."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return DeviceError(f"{_named(runtime)}: {what} does not compile: {' | '.join(lines[:_LOG_LINES])}")


def full(runtime: Runtime, needed: int) -> OutOfMemoryError:
    """Give the error of a device that could not give so many bytes; 0 where that is not known."""
    try:
        free, total = runtime.memory()
    except DeviceError:  # so full that not even this can be asked
        return OutOfMemoryError(f"{_named(runtime)} has no memory left: use another device, or device='cpu'")
    return _too_small(runtime, free, total, f"{_size(needed)} more are needed" if needed else "more is needed", needed)


def check_room(runtime: Runtime, what: str, *buffers: int) -> None:
    """Refuse what cannot fit on a device, before anything is put there.

    Parameters
    ----------
    runtime : Runtime
    what : str
        What is put there.
    *buffers : int
        Bytes, estimated, of each buffer that is there at the same time.

    Raises
    ------
    OutOfMemoryError
        With the bytes that are needed and those that there are, and what can be done.
    """
    check_largest(runtime, max(buffers, default=0))
    needed, (free, total) = sum(buffers), runtime.memory()
    if needed > free:
        raise _too_small(runtime, free, total, f"{what} takes about {_size(needed)} there", needed)


def check_largest(runtime: Runtime, needed: int) -> None:
    """Refuse a buffer of more bytes than a device allows in one.

    Raises
    ------
    OutOfMemoryError
        With both figures.
    """
    most = runtime.largest_buffer()
    if needed > most:
        raise OutOfMemoryError(
            f"{_named(runtime)} allows buffers of up to {_size(most)} and one of {_size(needed)} is needed: "
            f"use another device, or device='cpu'"
        )


def _too_small(runtime: Runtime, free: int, total: int, what: str, needed: int) -> OutOfMemoryError:
    # What would fit an empty device is kept out by what lies there already.
    can = "release() other graphs that lie there" if needed < total else "use a device with more memory"
    return OutOfMemoryError(
        f"{_named(runtime)} has {_size(free)} of {_size(total)} free and {what}: {can}, or use device='cpu'"
    )


def _named(runtime: Runtime) -> str:
    return f"{runtime.name} ({runtime.label})"


def _size(count: int) -> str:
    return f"{count / 2**30:,.1f} GiB" if count >= 1 << 30 else f"{count / 2**20:,.1f} MiB"
