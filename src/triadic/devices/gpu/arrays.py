"""Arrays that lie on a card already, from CuPy or whatever else offers CUDA's array interface or DLPack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arguments import take_number_of_vertices
from triadic.devices.gpu.on_device import OrientedOnDevice
from triadic.devices.gpu.open import runtime as open_runtime
from triadic.devices.gpu.orient import orient
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.core.oriented import OrientationSummary
    from triadic.devices.gpu.runtime import Buffer, Runtime

_DLPACK_CUDA = (2, 10)  # CUDA, ROCm
# Arcs of which a copy is made at a time, where ids are not words of 32 bits side by side.
_PIECE = 1 << 25


class ArcBuffers:
    """Arcs that lie on a device; an `ArcSource`.

    Parameters
    ----------
    runtime : Runtime
    source, target : array of the runtime's `xp`, of int, shape (arcs,)
        Ids from 0 to 2**31 - 1.
    """

    def __init__(self, runtime: Runtime, source: Any, target: Any, *, piece: int = _PIECE) -> None:  # noqa: ANN401
        self._runtime, self._ends = runtime, (source, target)
        self.arcs = len(source)
        ready = all(of.dtype.itemsize == 4 and of.flags.c_contiguous for of in self._ends)
        self._piece = max(1, self.arcs if ready else min(piece, self.arcs))
        self.pieces = -(-self.arcs // self._piece)

    def piece(self, i: int) -> tuple[Buffer, Buffer]:
        """Give source and target of the arcs of piece `i`, where they lie if they can be taken so."""
        part = slice(i * self._piece, (i + 1) * self._piece)
        source, target = (self._runtime.upload(self._words(of[part])) for of in self._ends)
        return source, target

    def _words(self, ends: Any) -> Any:  # noqa: ANN401 - an array of `xp`
        ends = self._runtime.xp.ascontiguousarray(ends)
        return ends.view(np.uint32) if ends.dtype.itemsize == 4 else ends.astype(np.uint32)


def is_on_card(array: object) -> bool:
    """Say whether an array lies on a card."""
    if hasattr(array, "__cuda_array_interface__"):
        return True
    device = getattr(array, "__dlpack_device__", None)
    return device is not None and not isinstance(array, np.ndarray) and device()[0] in _DLPACK_CUDA


def orient_arrays(source: object, target: object, vertices: int | None) -> tuple[OrientedOnDevice, OrientationSummary]:
    """Orient an undirected graph's edges that lie on a card, there.

    Parameters
    ----------
    source, target : array on one card, of int, shape (edges,)
    vertices : int, optional
        One more than the largest end by default.

    Raises
    ------
    ArgumentError, UnsupportedError, OutOfMemoryError
    """
    for name, array in (("source", source), ("target", target)):
        if not is_on_card(array):
            raise ArgumentError(f"{name}: expected an array on a card, as the other is, got {type(array).__name__}")
    from triadic.devices.gpu import cuda  # noqa: PLC0415 - imported where arrays of a card are given

    ends = [_take(name, cuda.as_array(array)) for name, array in (("source", source), ("target", target))]
    if len(ends[0]) != len(ends[1]):
        raise ArgumentError(f"source and target: expected the same length, got {len(ends[0])} and {len(ends[1])}")
    numbers = {end.device.id for end in ends}
    if len(numbers) > 1:
        raise ArgumentError(f"source and target: expected arrays on one card, got them on {sorted(numbers)}")
    least = max((int(end.max()) + 1 for end in ends if len(end)), default=0)
    n = least if vertices is None else take_number_of_vertices(vertices, least)
    runtime = open_runtime(f"cuda:{numbers.pop()}")
    arrays, met = orient(runtime, ArcBuffers(runtime, *ends), n)
    return OrientedOnDevice(runtime, arrays), met


def ends_of(matrix: Any) -> tuple[Any, Any]:  # noqa: ANN401 - CuPy's
    """Give row and column of the stored entries of a sparse matrix on a card."""
    entries = matrix.tocoo()
    return entries.row, entries.col


def _take(name: str, array: Any) -> Any:  # noqa: ANN401 - CuPy's
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ArgumentError(f"{name}: expected a 1-D array of whole numbers, got {array.dtype} of shape {array.shape}")
    if len(array) and array.dtype.kind == "i" and int(array.min()) < 0:
        raise ArgumentError(f"{name}: expected vertices of at least 0, got {int(array.min())}")
    return array
