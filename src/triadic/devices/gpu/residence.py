"""Graphs that stay on a device between calls, for as long as the oriented graph that they were made of is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.runtime import Runtime

OnDevice = TypeVar("OnDevice")

_RESIDENT: WeakKeyDictionary[Oriented, dict[Hashable, object]] = WeakKeyDictionary()


def resident(oriented: Oriented, runtime: Runtime, what: Hashable, make: Callable[[], OnDevice]) -> OnDevice:
    """Give what is kept of a graph on a device, made now if it is not there."""
    kept = _RESIDENT.setdefault(oriented, {})
    key = (runtime.name, what)
    if key not in kept:
        kept[key] = make()
    found: OnDevice = kept[key]  # type: ignore[assignment]
    return found


def kept(oriented: Oriented) -> tuple[Hashable, ...]:
    """Say what is kept of a graph, and on which devices."""
    return tuple(_RESIDENT.get(oriented, ()))
