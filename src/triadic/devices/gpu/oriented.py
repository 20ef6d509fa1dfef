"""Oriented graphs whose arrays lie on a device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from triadic.core.cached import cached_property
from triadic.core.oriented import Oriented, frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.runtimes.runtime import Buffer, Runtime


@dataclass(frozen=True, slots=True, eq=False)
class DeviceArrays:
    """The arrays of an oriented graph on a device.

    Attributes
    ----------
    rank : uint32 buffer, shape (n,)
    indptr : int64 buffer, shape (n + 1,)
    indices : uint32 buffer, shape (m,)
    degree : int64 buffer, shape (n,)
    state : uint8 buffer, shape (m,), optional
        Of a directed graph.
    """

    rank: Buffer
    indptr: Buffer
    indices: Buffer
    degree: Buffer
    state: Buffer | None = None


class OrientedOnDevice(Oriented):
    """An `Oriented` made on a device. Each array is copied to the host when it is first read.

    Parameters
    ----------
    runtime : Runtime
        The runtime of the device.
    arrays : DeviceArrays
    """

    def __init__(self, runtime: Runtime, arrays: DeviceArrays) -> None:
        object.__setattr__(self, "runtime", runtime)
        object.__setattr__(self, "arrays", arrays)

    runtime: Runtime
    arrays: DeviceArrays

    def __reduce__(self) -> tuple[type[Oriented], tuple[Any, ...]]:
        return Oriented, (self.rank, self.indptr, self.indices, self.state, self.degree)

    @cached_property
    def rank(self) -> NDArray[np.int32]:
        """Rank of each vertex, see `Oriented`."""
        return frozen(self.runtime.download(self.arrays.rank).view(np.int32))

    @cached_property
    def indptr(self) -> NDArray[np.int64]:
        """Start of each row in `indices`, see `Oriented`."""
        return frozen(self.runtime.download(self.arrays.indptr))

    @cached_property
    def indices(self) -> NDArray[np.int32]:
        """Columns of the rows, see `Oriented`."""
        return frozen(self.runtime.download(self.arrays.indices).view(np.int32))

    @cached_property
    def degree(self) -> NDArray[np.int64]:
        """Degree of each rank, see `Oriented`."""
        return frozen(self.runtime.download(self.arrays.degree))

    @cached_property
    def state(self) -> NDArray[np.uint8] | None:
        """State of each edge of a directed graph, see `Oriented`."""
        return None if self.arrays.state is None else frozen(self.runtime.download(self.arrays.state))

    @property
    def device(self) -> str:
        """Name of the device on which the arrays lie."""
        return self.runtime.name

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return len(self.arrays.rank)

    @property
    def num_edges(self) -> int:
        """Number of edges, m."""
        return len(self.arrays.indices)


@runtime_checkable
class DevicePart(Protocol):
    """A part of a graph that a device joins from arrays in its memory, so that the host need not join and copy it."""

    def rows_on(self, runtime: Runtime) -> tuple[Buffer, Buffer]:
        """Return where rows begin, int64, and their columns, uint32."""

    def states_on(self, runtime: Runtime) -> Buffer | None:
        """Return the states of the entries, uint8, or None if the part is undirected."""

    def middles_on(self, runtime: Runtime) -> Buffer | None:
        """Return `middle_from` of `triadic.core.oriented.Part` as an array of the runtime's `xp`."""

    @property
    def most_lists(self) -> int:
        """Upper bound of the number of entries v whose lists are walked."""
