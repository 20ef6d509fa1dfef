"""Arcs of random networks, made on a device by number: any range by itself, the same arcs as on the host.

All that this module knows of a model is the kernel that takes the model's parameters and a range of arcs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.gpu.orientation import check_vertices, orient
from triadic.devices.gpu.oriented import OrientedOnDevice
from triadic.devices.runtimes.registry import KINDS, device_of, kind_of, named
from triadic.devices.runtimes.registry import runtime as open_runtime
from triadic.devices.runtimes.runtime import LANES
from triadic.devices.runtimes.source import Source
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import OrientationSummary
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_PIECE = 1 << 25  # arcs: 256 MiB of ids, a few milliseconds of work for a card
_MOST_BLOCKS = 1 << 12  # more blocks than any card runs at once


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """The kernel and the parameters of a model.

    Attributes
    ----------
    kernel : str
        Name of the kernel, and of its file.
    parameters : tuple of NumPy scalars and arrays
        Parameters of the kernel before the range.
    vertices : int
    arcs : int
        A multiple of `together`.
    together : int
        Number of arcs that one work-item makes, the arcs of one vertex; at least 1.

    Raises
    ------
    UnsupportedError
        If there are more vertices than the kernels can number.
    """

    kernel: str
    parameters: tuple[np.generic | NDArray[Any], ...]
    vertices: int
    arcs: int
    together: int

    def __post_init__(self) -> None:
        check_vertices(self.vertices)


class GeneratedArcs:
    """The arcs of a model, made again each time that a piece is read; an `ArcSource`.

    Parameters
    ----------
    runtime : Runtime
    recipe : Recipe
    piece : int, default 2**25
        Arcs in a piece, rounded down to a multiple of ``recipe.together``.
    """

    def __init__(self, runtime: Runtime, recipe: Recipe, *, piece: int = _PIECE) -> None:
        self._runtime, self._recipe = runtime, recipe
        self._source = Source(recipe.kernel, headers=("draws",))
        self._parameters = [
            runtime.upload(value) if isinstance(value, np.ndarray) else value for value in recipe.parameters
        ]
        self._piece = max(1, piece // recipe.together) * recipe.together
        self.arcs = recipe.arcs
        self.pieces = -(-recipe.arcs // self._piece)
        room = min(self._piece, recipe.arcs)
        self._ends = runtime.empty(room, np.uint32), runtime.empty(room, np.uint32)

    def piece(self, i: int) -> tuple[Buffer, Buffer]:
        """Make the arcs of piece `i`, in the buffers of the piece before."""
        start = i * self._piece
        count = min(self._piece, self.arcs - start)
        size = LANES * self._runtime.teams
        blocks = min(_MOST_BLOCKS, -(-(count // self._recipe.together) // size))
        arc_range = np.uint64(start), np.uint64(count), np.uint64(blocks * size)
        self._runtime.launch(self._source, self._recipe.kernel, blocks, *self._parameters, *arc_range, *self._ends)
        source, target = self._ends
        return source[:count], target[:count]


def one_device(device: object) -> str:
    """Return the full name of a single GPU: "cuda:0" for "cuda".

    Raises
    ------
    ArgumentError
        If the name has another form, or names several devices.
    DeviceError, MissingExtraError
        If there is no such device, or the package that reaches it is not installed.
    """
    if not isinstance(device, str) or kind_of(device) not in KINDS:
        forms = " or ".join(f"'{kind}', '{kind}:1'" for kind in KINDS)
        raise ArgumentError(f"device={device!r}: expected 'cpu', {forms}")
    names = named(device)
    if len(names) > 1:
        raise ArgumentError(f"device={device!r}: expected one device, a network is generated on one")
    return names[0]


def keeps_generated(device: str) -> bool:
    """Return whether a network generated on a device such as "cuda:0" is oriented there and stays there."""
    return device_of(device).keeps_generated


def orient_generated(
    device: str, recipe: Recipe, *, directed: bool = False
) -> tuple[OrientedOnDevice, OrientationSummary]:
    """Make and orient a model's arcs on a device such as "cuda:0", piece by piece; the graph stays there.

    Raises
    ------
    UnsupportedError
        If there are more arcs than the kernels can number.
    OutOfMemoryError
        If the device has too little memory.
    """
    runtime = open_runtime(device)
    arrays, met = orient(runtime, GeneratedArcs(runtime, recipe), recipe.vertices, directed=directed)
    return OrientedOnDevice(runtime, arrays), met


def download_generated(device: str, recipe: Recipe) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Make a model's arcs on a device such as "opencl:0" and copy them to the host."""
    runtime = open_runtime(device)
    source, target = np.empty(recipe.arcs, np.int32), np.empty(recipe.arcs, np.int32)
    arcs = GeneratedArcs(runtime, recipe)
    start = 0
    for i in range(arcs.pieces):
        ends = [runtime.download(buffer) for buffer in arcs.piece(i)]
        stop = start + len(ends[0])
        source[start:stop], target[start:stop] = ends
        start = stop
    return source, target
