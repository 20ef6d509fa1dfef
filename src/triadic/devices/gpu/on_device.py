"""An oriented graph that was made on a device and stays there; its arrays come to the host when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.frozen import frozen
from triadic.core.oriented import Oriented

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.gpu.runtime import Buffer, Runtime


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """The arrays of an oriented graph on a device.

    Attributes
    ----------
    rank : uint32, shape (n,)
    indptr : int64, shape (n + 1,)
    indices : uint32, shape (m,)
    degree : int64, shape (n,)
    """

    rank: Buffer
    indptr: Buffer
    indices: Buffer
    degree: Buffer


class OrientedOnDevice(Oriented):
    """`Oriented`, with its arrays on a device.

    Parameters
    ----------
    runtime : Runtime
        Of the device.
    arrays : Arrays
    """

    def __init__(self, runtime: Runtime, arrays: Arrays) -> None:
        object.__setattr__(self, "runtime", runtime)
        object.__setattr__(self, "arrays", arrays)

    runtime: Runtime
    arrays: Arrays

    def __reduce__(self) -> tuple[type[Oriented], tuple[Any, ...]]:
        return Oriented, (self.rank, self.indptr, self.indices, None, self.degree)

    @cached_property
    def rank(self) -> NDArray[np.int32]:
        """As of `Oriented`."""
        return frozen(self.runtime.download(self.arrays.rank).view(np.int32))

    @cached_property
    def indptr(self) -> NDArray[np.int64]:
        """As of `Oriented`."""
        return frozen(self.runtime.download(self.arrays.indptr))

    @cached_property
    def indices(self) -> NDArray[np.int32]:
        """As of `Oriented`."""
        return frozen(self.runtime.download(self.arrays.indices).view(np.int32))

    @cached_property
    def degree(self) -> NDArray[np.int64]:
        """As of `Oriented`."""
        return frozen(self.runtime.download(self.arrays.degree))

    @property
    def state(self) -> None:
        """As of `Oriented`: none, since it is undirected."""

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
