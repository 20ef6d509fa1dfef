"""Work that goes with a count, on the device that counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from triadic.counts.count import device_for
from triadic.errors import DeviceError, MissingExtraError, OutOfMemoryError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.oriented import Oriented
    from triadic.counts.count import Count

Result = TypeVar("Result")


def on_device_of(count: Count[Any], device: str, oriented: Oriented, work: Callable[[str], Result]) -> Result | None:
    """Return ``work(name)`` for the device that `count` ran on, or None if the CPU has to do the work.

    That is so if the CPU counted, or if the device has no room.
    """
    used = device_for(count, device, oriented)
    if used == "cpu":
        return None
    try:
        return work(used)
    except OutOfMemoryError:
        return None
    except (DeviceError, MissingExtraError, UnsupportedError):  # "auto" warned of it while it counted
        if device != "auto":
            raise
        return None
