"""Parts that put themselves on a device, instead of being made on the host and copied there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from triadic.devices.gpu.runtime import Buffer, Runtime


@runtime_checkable
class PlacesItself(Protocol):
    """An oriented graph that is made on a device of what lies there."""

    def rows_on(self, runtime: Runtime) -> tuple[Buffer, Buffer]:
        """Give where rows begin, int64, and their entries, uint32."""

    def states_on(self, runtime: Runtime) -> Buffer | None:
        """Give the states of entries, uint8, where there are any."""

    def middles_on(self, runtime: Runtime) -> Buffer | None:
        """Give `middle_from` of `triadic.core.oriented.Part`, as an array of the runtime's `xp`."""

    @property
    def most_lists(self) -> int:
        """At most so many entries v are looked at."""
