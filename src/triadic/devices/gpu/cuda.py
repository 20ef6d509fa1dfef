"""NVIDIA's cards through CuPy, and AMD's where CuPy is built for ROCm. The only module that imports CuPy."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.gpu.runtime import LANES
from triadic.devices.gpu.source import Source
from triadic.errors import DeviceError, MissingExtraError, OutOfMemoryError

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from triadic.devices.gpu.runtime import Buffer

_LOG_LINES = 6
_ROWS = Source("rows")


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

    def upload(self, array: NDArray[Any]) -> Buffer:
        with self._device:
            return self._guard(lambda: self._cupy.asarray(array), array.nbytes)

    def zeros(self, shape: int, dtype: DTypeLike) -> Buffer:
        with self._device:
            return self._guard(lambda: self._cupy.zeros(shape, dtype), shape * np.dtype(dtype).itemsize)

    def download(self, buffer: Buffer) -> NDArray[Any]:
        with self._device:
            try:
                host: NDArray[Any] = self._cupy.asnumpy(buffer)
            except self._cupy.cuda.runtime.CUDARuntimeError as error:
                raise DeviceError(f"{self.name} ({self.label}) failed: {error}") from error
            return host

    def launch(self, source: Source, kernel: str, blocks: int, *arguments: Buffer | np.generic) -> None:
        if blocks == 0:
            return
        with self._device:
            function = self._module(source).get_function(kernel)
            function((blocks,), (LANES * self.teams,), arguments)
        self.launches += 1

    def columns(self, indptr: Buffer, indices: Buffer, walked_from: Buffer) -> tuple[Buffer, Buffer, NDArray[np.int64]]:
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
            self.launch(
                _ROWS, "row_starts", count // (LANES * self.teams) + 1, keys, np.uint64(count), np.uint64(n), place
            )
            return place, keys.astype(cupy.uint32), cupy.asnumpy(place)

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
