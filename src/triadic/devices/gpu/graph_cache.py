"""What was copied to a device or computed there for a graph, cached for as long as the oriented graph lives."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from triadic.core.oriented import Oriented, OrientedEvents
    from triadic.devices.runtimes.runtime import Runtime

Value = TypeVar("Value")

_CACHE: WeakKeyDictionary[Oriented | OrientedEvents, dict[Hashable, object]] = WeakKeyDictionary()


def cached(oriented: Oriented | OrientedEvents, runtime: Runtime, name: Hashable, make: Callable[[], Value]) -> Value:
    """Return what the cache has under a name for a graph on a device; if it has nothing, call `make` and cache that."""
    entries = _CACHE.setdefault(oriented, {})
    key = (runtime.name, name)
    if key not in entries:
        entries[key] = make()
    return entries[key]  # type: ignore[return-value]  # one name always has one type


def cached_keys(oriented: Oriented) -> tuple[Hashable, ...]:
    """Return the keys of the cache for a graph: pairs of a device's name and a name."""
    return tuple(_CACHE.get(oriented, ()))
