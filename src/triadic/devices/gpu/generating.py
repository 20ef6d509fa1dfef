"""Arcs made on a device by number: any range of them by itself, the same as on the host.

A model is known here by the kernel that takes its parameters and a range of arcs, and by nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.gpu.on_device import OrientedOnDevice
from triadic.devices.gpu.open import KINDS, named
from triadic.devices.gpu.open import runtime as open_runtime
from triadic.devices.gpu.orient import check_vertices, orient
from triadic.devices.gpu.runtime import LANES
from triadic.devices.gpu.source import Source
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import OrientationSummary
    from triadic.devices.gpu.runtime import Buffer, Runtime

# Arcs that are there at a time: 256 MiB of ids, some milliseconds of a card.
_PIECE = 1 << 25
# More blocks of a launch than a card runs at once.
_MOST_BLOCKS = 1 << 12


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """What a device needs to know of a model.

    Attributes
    ----------
    kernel : str
        Name of its kernel, and of the file that it is in.
    parameters : tuple of NumPy scalars and arrays
        What the kernel takes before the range.
    vertices : int
    arcs : int
        A multiple of `together`.
    together : int
        Arcs that one thread makes, those of a vertex: at least 1.

    Raises
    ------
    UnsupportedError
        More vertices than a device takes.
    """

    kernel: str
    parameters: tuple[np.generic | NDArray[Any], ...]
    vertices: int
    arcs: int
    together: int

    def __post_init__(self) -> None:
        check_vertices(self.vertices)


class GeneratedArcs:
    """The arcs of a model, made piece by piece whenever they are gone through; an `ArcSource`.

    Parameters
    ----------
    runtime : Runtime
    recipe : Recipe
    piece : int, default 2**25
        Arcs of a piece, cut to a multiple of those that are made together.
    """

    def __init__(self, runtime: Runtime, recipe: Recipe, *, piece: int = _PIECE) -> None:
        self._runtime, self._recipe = runtime, recipe
        self._source = Source(recipe.kernel, headers=("draws",))
        self._parameters = [runtime.upload(of) if isinstance(of, np.ndarray) else of for of in recipe.parameters]
        self._piece = max(1, piece // recipe.together) * recipe.together
        self.arcs = recipe.arcs
        self.pieces = -(-recipe.arcs // self._piece)
        room = min(self._piece, recipe.arcs)
        self._ends = runtime.empty(room, np.uint32), runtime.empty(room, np.uint32)

    def piece(self, i: int) -> tuple[Buffer, Buffer]:
        """Make the arcs of piece `i`, in the place of the one before."""
        start = i * self._piece
        count = min(self._piece, self.arcs - start)
        size = LANES * self._runtime.teams
        blocks = min(_MOST_BLOCKS, -(-(count // self._recipe.together) // size))
        of_range = np.uint64(start), np.uint64(count), np.uint64(blocks * size)
        self._runtime.launch(self._source, self._recipe.kernel, blocks, *self._parameters, *of_range, *self._ends)
        source, target = self._ends
        return source[:count], target[:count]


def one_device(device: object) -> str:
    """Give the one GPU that a name means, such as "cuda:0".

    Raises
    ------
    ArgumentError
        A name of another form, or of several devices.
    DeviceError, MissingExtraError
        There is no such device, or what reaches it is not installed.
    """
    if not isinstance(device, str) or device.partition(":")[0] not in KINDS:
        raise ArgumentError(f"device={device!r}: expected 'cpu', 'cuda', 'cuda:1', 'opencl' or 'opencl:1'")
    names = named(device)
    if len(names) > 1:
        raise ArgumentError(f"device={device!r}: expected one device, a network is generated on one")
    return names[0]


def orient_generated(device: str, recipe: Recipe) -> tuple[OrientedOnDevice, OrientationSummary]:
    """Orient a model's arcs on a device such as "cuda:0", without ever holding them; the graph stays there.

    Raises
    ------
    UnsupportedError
        More arcs than a device takes.
    OutOfMemoryError
    """
    runtime = open_runtime(device)
    arrays, met = orient(runtime, GeneratedArcs(runtime, recipe), recipe.vertices)
    return OrientedOnDevice(runtime, arrays), met


def download_generated(device: str, recipe: Recipe) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Make a model's arcs on a device such as "opencl:0" and bring them to the host."""
    runtime = open_runtime(device)
    source, target = np.empty(recipe.arcs, np.int32), np.empty(recipe.arcs, np.int32)
    made = GeneratedArcs(runtime, recipe)
    start = 0
    for i in range(made.pieces):
        ends = [runtime.download(of) for of in made.piece(i)]
        stop = start + len(ends[0])
        source[start:stop], target[start:stop] = ends
        start = stop
    return source, target
