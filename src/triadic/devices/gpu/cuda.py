"""NVIDIA's cards through CuPy, and AMD's where CuPy is built for ROCm. The only module that imports CuPy."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.gpu.on_device import Arrays
from triadic.devices.gpu.runtime import LANES
from triadic.devices.gpu.source import Source
from triadic.errors import DeviceError, MissingExtraError, OutOfMemoryError
from triadic.oriented import Met

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from numpy.typing import DTypeLike, NDArray

    from triadic.devices.gpu.runtime import Buffer

_LOG_LINES = 6
_ROWS, _ORIENT = Source("rows"), Source("orient")


@cache
def _cupy() -> Any:
    try:
        import cupy
    except ImportError as error:
        raise MissingExtraError(
            "device='cuda' needs CuPy, which is not installed: pip install 'triadic[cuda13]' or 'triadic[cuda12]'"
        ) from error
    return cupy


def count_devices() -> int:
    """Give the number of cards that CUDA sees; 0 where there is no driver."""
    cupy = _cupy()
    try:
        return int(cupy.cuda.runtime.getDeviceCount())
    except cupy.cuda.runtime.CUDARuntimeError:
        return 0


def as_array(array: object) -> Any:
    """Give an array that lies on a card as CuPy's, without a copy."""
    cupy = _cupy()
    return cupy.asarray(array) if hasattr(array, "__cuda_array_interface__") else cupy.from_dlpack(array)


class CudaRuntime:
    """One card under CUDA, or ROCm."""

    def __init__(self, number: int) -> None:
        self._cupy = _cupy()
        self._device = self._cupy.cuda.Device(number)
        self._modules: dict[Source, Any] = {}
        properties = self._cupy.cuda.runtime.getDeviceProperties(number)
        self.number = number
        self.name = f"cuda:{number}"
        self.label = properties["name"].decode()
        self.teams = 1 if self._cupy.cuda.runtime.is_hip else 4
        self.launches = 0

    def describe(self) -> str:
        version = self._cupy.cuda.runtime.driverGetVersion()
        free, total = self.memory()
        kind = "ROCm" if self._cupy.cuda.runtime.is_hip else "CUDA"
        driver = f"{kind} {version // 1000}.{version % 1000 // 10}"
        return f"{self.name}: {self.label}, {free / 2**30:.1f} of {total / 2**30:.1f} GiB free, driver of {driver}"

    def memory(self) -> tuple[int, int]:
        with self._device:
            free, total = self._cupy.cuda.runtime.memGetInfo()
            return int(free) + int(self._cupy.get_default_memory_pool().free_bytes()), int(total)

    def active(self) -> AbstractContextManager[Any]:
        on_card: AbstractContextManager[Any] = self._cupy.cuda.Device(self.number)
        return on_card

    @property
    def xp(self) -> Any:
        return self._cupy

    def view(self, buffer: Buffer) -> Any:
        return buffer

    def upload(self, array: NDArray[Any] | Buffer) -> Buffer:
        cupy = self._cupy
        with self._device:
            if isinstance(array, cupy.ndarray) and array.device.id == self.number:
                return array
            if not isinstance(array, cupy.ndarray):
                return self._guard(partial(cupy.asarray, array), array.nbytes)
            with array.device:  # what writes it must be done: a copy between cards waits for neither's launches
                cupy.cuda.get_current_stream().synchronize()
            taken = self._guard(array.copy, array.nbytes)
            cupy.cuda.get_current_stream().synchronize()
            return taken

    def takes(self, buffer: Buffer) -> bool:
        return isinstance(buffer, self._cupy.ndarray)

    def zeros(self, shape: int, dtype: DTypeLike) -> Buffer:
        with self._device:
            return self._guard(lambda: self._cupy.zeros(shape, dtype), shape * np.dtype(dtype).itemsize)

    def empty(self, shape: int, dtype: DTypeLike) -> Buffer:
        with self._device:
            return self._guard(lambda: self._cupy.empty(shape, dtype), shape * np.dtype(dtype).itemsize)

    def download(self, buffer: Buffer) -> NDArray[Any]:
        with self._device:
            try:
                host: NDArray[Any] = self._cupy.asnumpy(buffer)
            except self._cupy.cuda.runtime.CUDARuntimeError as error:
                raise DeviceError(f"{self.name} ({self.label}) failed: {error}") from error
            return host

    def synchronize(self) -> None:
        with self._device:
            try:
                self._cupy.cuda.get_current_stream().synchronize()
            except self._cupy.cuda.runtime.CUDARuntimeError as error:
                raise DeviceError(f"{self.name} ({self.label}) failed: {error}") from error

    def launch(self, source: Source, kernel: str, blocks: int, *arguments: Buffer | np.generic) -> None:
        if blocks == 0:
            return
        with self._device:
            function = self._module(source).get_function(kernel)
            function((blocks,), (LANES * self.teams,), arguments)
        self.launches += 1

    def columns(self, indptr: Buffer, indices: Buffer, walked_from: Buffer) -> tuple[Buffer, Buffer]:
        cupy = self._cupy
        with self._device:
            n = len(indptr) - 1
            place = cupy.zeros(n + 1, dtype=cupy.int64)
            cupy.cumsum(cupy.maximum(indptr[1:] - walked_from, 0), out=place[1:])
            count = int(place[-1])
            keys = self._guard(lambda: cupy.empty(count, dtype=cupy.uint64), 8 * count)
            self.launch(
                _ROWS, "column_keys", -(-n // self.teams), indptr, indices, walked_from, place, np.uint64(n), keys
            )
            keys.sort()
            self._each("row_starts", n + 1, keys, np.uint64(count), np.uint64(n), place, source_file=_ROWS)
            return place, keys.astype(cupy.uint32)

    def orient(self, source: Buffer, target: Buffer, n: int) -> tuple[Arrays, Met]:
        """Orient an undirected graph's arcs, uint32 on this card, in any order, with loops and repeats."""
        cupy = self._cupy
        with self._device:
            count = len(source)
            degree = cupy.zeros(n, dtype=cupy.uint32)
            self._each("add_degrees", count, source, target, np.uint64(count), degree)
            by_degree = cupy.empty(n, dtype=cupy.uint64)
            self._each("degree_keys", n, degree, np.uint64(n), by_degree)
            by_degree.sort()
            rank = cupy.empty(n, dtype=cupy.uint32)
            self._each("ranks", n, by_degree, np.uint64(n), rank)
            keys = self._guard(lambda: cupy.empty(count, dtype=cupy.uint64), 8 * count)
            self._each("edge_keys", count, source, target, rank, np.uint64(count), keys)
            keys.sort()
            first = cupy.empty(count, dtype=cupy.uint8)
            self._each("first_of", count, keys, np.uint64(count), first)
            arcs, edges, loops = (int(cupy.count_nonzero(first & bit)) for bit in (1, 2, 4))
            if edges < count:
                keys = keys[: count - loops] if edges == count - loops else keys[(first & 2) != 0]
            del first
            indptr = cupy.empty(n + 1, dtype=cupy.int64)
            self._each("row_starts", n + 1, keys, np.uint64(edges), np.uint64(n), indptr, source_file=_ROWS)
            columns = cupy.empty(edges, dtype=cupy.uint32)
            below = cupy.zeros(n, dtype=cupy.uint32)
            self._each("columns_of", edges, keys, np.uint64(edges), columns, below)
            of_rank = cupy.diff(indptr) + below
            return Arrays(rank, indptr, columns, of_rank), Met(arcs, loops, count - loops - arcs, arcs - edges)

    def _each(
        self, kernel: str, items: int, *arguments: Buffer | np.generic, source_file: Source | None = None
    ) -> None:
        """Launch a kernel with a thread for each item."""
        self.launch(source_file or _ORIENT, kernel, -(-items // (LANES * self.teams)), *arguments)

    def _module(self, source: Source) -> Any:
        if source not in self._modules:
            module = self._cupy.RawModule(code=source.text(self.teams), options=("--std=c++14",))
            try:
                module.compile()
            except self._cupy.cuda.compiler.CompileException as error:
                log = " | ".join(str(error).splitlines()[:_LOG_LINES])
                raise DeviceError(f"{self.name} ({self.label}): {source.file} does not compile: {log}") from error
            self._modules[source] = module
        return self._modules[source]

    def _guard(self, make: Any, needed: int) -> Buffer:
        try:
            return make()
        except self._cupy.cuda.memory.OutOfMemoryError as error:
            free, total = self.memory()
            raise OutOfMemoryError(
                f"{self.name} ({self.label}) has {free / 2**30:,.1f} of {total / 2**30:,.1f} GiB free and "
                f"{needed / 2**30:,.1f} more are needed: use device='cpu', or a larger card"
            ) from error
