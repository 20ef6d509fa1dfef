"""Edges in arrays on a card, from CuPy or any library with the CUDA array interface or DLPack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arguments import take_number_of_vertices
from triadic.devices.gpu.orientation import orient
from triadic.devices.gpu.oriented import OrientedOnDevice
from triadic.devices.runtimes.cuda import CUDA, as_array
from triadic.devices.runtimes.registry import runtime as open_runtime
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.core.oriented import OrientationSummary
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_DLPACK_CUDA = (2, 10)  # DLPack's numbers of CUDA and ROCm
_PIECE = 1 << 25  # arcs copied at a time if their ids are not contiguous 32-bit words


class ArcBuffers:
    """Arcs in arrays on a device; an `ArcSource`.

    Parameters
    ----------
    runtime : Runtime
    source, target : array of the runtime's `xp`, of int, shape (arcs,)
        Ids from 0 to 2**31 - 1.
    piece : int, default 2**25
        Arcs in a piece, if they must be copied.
    """

    def __init__(self, runtime: Runtime, source: Any, target: Any, *, piece: int = _PIECE) -> None:  # noqa: ANN401
        self._runtime, self._ends = runtime, (source, target)
        self.arcs = len(source)
        in_place = all(ids.dtype.itemsize == 4 and ids.flags.c_contiguous for ids in self._ends)
        self._piece = max(1, self.arcs if in_place else min(piece, self.arcs))
        self.pieces = -(-self.arcs // self._piece)

    def piece(self, i: int) -> tuple[Buffer, Buffer]:
        """Return source and target of the arcs of piece `i`, without a copy if the ids are contiguous 32-bit words."""
        part = slice(i * self._piece, (i + 1) * self._piece)
        source, target = (self._runtime.upload(self._words(ids[part])) for ids in self._ends)
        return source, target

    def _words(self, ends: Any) -> Any:  # noqa: ANN401 - an array of `xp`
        ends = self._runtime.xp.ascontiguousarray(ends)
        return ends.view(np.uint32) if ends.dtype.itemsize == 4 else ends.astype(np.uint32)


def is_on_card(array: object) -> bool:
    """Return whether an array lies on a card."""
    if hasattr(array, "__cuda_array_interface__"):
        return True
    device = getattr(array, "__dlpack_device__", None)
    return device is not None and not isinstance(array, np.ndarray) and device()[0] in _DLPACK_CUDA


def orient_arrays(
    source: object, target: object, vertices: int | None, *, directed: bool = False
) -> tuple[OrientedOnDevice, OrientationSummary]:
    """Orient the edges of a graph on the card that holds them.

    Parameters
    ----------
    source, target : array of int on one card, shape (edges,)
    vertices : int, optional
        Number of vertices; by default one more than the largest id.
    directed : bool, default False
        Whether edges run from source to target.

    Raises
    ------
    ArgumentError
        If the arrays are no ids of vertices, differ in length or lie on different cards.
    UnsupportedError
        If there are more vertices or arcs than the kernels can number.
    OutOfMemoryError
        If the card has too little memory.
    """
    for name, array in (("source", source), ("target", target)):
        if not is_on_card(array):
            raise ArgumentError(f"{name}: expected an array on a card, as the other is, got {type(array).__name__}")
    ends = [_checked(name, as_array(array)) for name, array in (("source", source), ("target", target))]
    if len(ends[0]) != len(ends[1]):
        raise ArgumentError(f"source and target: expected the same length, got {len(ends[0])} and {len(ends[1])}")
    numbers = {end.device.id for end in ends}
    if len(numbers) > 1:
        raise ArgumentError(f"source and target: expected arrays on one card, got them on {sorted(numbers)}")
    least = max((int(end.max()) + 1 for end in ends if len(end)), default=0)
    n = least if vertices is None else take_number_of_vertices(vertices, least)
    runtime = open_runtime(f"{CUDA.name}:{numbers.pop()}")
    arrays, met = orient(runtime, ArcBuffers(runtime, *ends), n, directed=directed)
    return OrientedOnDevice(runtime, arrays), met


def ends_of(matrix: Any) -> tuple[Any, Any]:  # noqa: ANN401 - CuPy's
    """Return row and column of the stored entries of a sparse matrix on a card."""
    entries = matrix.tocoo()
    return entries.row, entries.col


def _checked(name: str, array: Any) -> Any:  # noqa: ANN401 - CuPy's
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ArgumentError(f"{name}: expected a 1-D array of whole numbers, got {array.dtype} of shape {array.shape}")
    if len(array) and array.dtype.kind == "i" and int(array.min()) < 0:
        raise ArgumentError(f"{name}: expected vertices of at least 0, got {int(array.min())}")
    return array
