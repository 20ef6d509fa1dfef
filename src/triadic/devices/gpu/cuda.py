"""NVIDIA's cards through CuPy, and AMD's where CuPy is built for ROCm. The only module that imports CuPy."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.device import Device
from triadic.devices.gpu.errors import failed, full, missing, not_compiled
from triadic.devices.gpu.runtime import FOR_SORTING, LANES, launch_each
from triadic.devices.gpu.source import Source
from triadic.devices.gpu.staging import PAYS_FROM, Staging
from triadic.errors import DeviceError, TriadicError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import DTypeLike, NDArray

    from triadic.devices.gpu.runtime import Buffer

# Numbers of CUDA's errors: no driver or one too old, no card; no memory, not for CUDA itself either.
_NONE_THERE, _FULL = (35, 100), 2
_ROWS = Source("rows")


@cache
def _cupy() -> Any:
    try:
        import cupy
    except ImportError as error:
        raise missing("cuda", "CuPy", "pip install 'triadic[cuda13]' or 'triadic[cuda12]'", error) from error
    return cupy


def count_devices() -> int:
    """Give the number of cards that CUDA sees; 0 where there is none, or no driver that CuPy can use.

    Raises
    ------
    DeviceError
        There is a driver, and it fails.
    """
    runtime = _cupy().cuda.runtime
    try:
        return int(runtime.getDeviceCount())
    except runtime.CUDARuntimeError as error:
        if error.status in _NONE_THERE:
            return 0
        raise DeviceError(f"the CUDA driver cannot be used: {error}") from error


def as_array(array: object) -> Any:
    """Give an array that lies on a card as CuPy's, without a copy."""
    cupy = _cupy()
    return cupy.asarray(array) if hasattr(array, "__cuda_array_interface__") else cupy.from_dlpack(array)


def _is_full(cupy: Any, error: Any) -> bool:
    of_cuda = isinstance(error, (cupy.cuda.runtime.CUDARuntimeError, cupy.cuda.driver.CUDADriverError))
    return of_cuda and bool(error.status == _FULL)


class _Active:
    """A card made the current one; what its package raises becomes ours."""

    __slots__ = ("_cupy", "_device", "_needed", "_runtime", "_what")

    def __init__(self, runtime: CudaRuntime, cupy: Any, needed: int, what: str) -> None:
        self._runtime, self._cupy, self._needed, self._what = runtime, cupy, needed, what
        self._device: Any = None

    def __enter__(self) -> None:
        try:
            self._device = self._cupy.cuda.Device(self._runtime.number)
            self._device.__enter__()
        except (RuntimeError, MemoryError) as error:
            _tell(self._cupy, self._runtime, error, self._needed, self._what)
            raise

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._device.__exit__(kind, error, trace)
        if isinstance(error, Exception):
            _tell(self._cupy, self._runtime, error, self._needed, self._what)


def _tell(cupy: Any, runtime: CudaRuntime, error: Exception, needed: int = 0, what: str = "") -> None:
    """Raise what an error means, if it is the package's."""
    if isinstance(error, (TriadicError, NotImplementedError, RecursionError)):
        return
    if isinstance(error, cupy.cuda.compiler.CompileException):  # of a kernel of CuPy's own
        raise not_compiled(runtime, what or "CuPy", str(error)) from error
    if isinstance(error, MemoryError):
        if isinstance(error, cupy.cuda.memory.OutOfMemoryError) or type(error) is MemoryError:
            raise full(runtime, needed) from error
    elif isinstance(error, RuntimeError):  # of CUDA's runtime, driver and compiler, and of Thrust
        if _is_full(cupy, error):
            raise full(runtime, needed) from error
        raise failed(runtime, error, what) from error


class CudaRuntime:
    """One card under CUDA, or ROCm."""

    def __init__(self, number: int) -> None:
        self._cupy = _cupy()
        self._device = self._cupy.cuda.Device(number)
        self._modules: dict[Source, Any] = {}
        self._functions: dict[tuple[Source, str], Any] = {}
        self.number = number
        self.name = f"cuda:{number}"
        self.label = "a card"
        self.teams = 1 if self._cupy.cuda.runtime.is_hip else 4
        self.launches = 0
        self._staging = Staging(self._cupy)
        with self.active():
            self.label = self._cupy.cuda.runtime.getDeviceProperties(number)["name"].decode()
            self.multiprocessors = int(self._device.attributes["MultiProcessorCount"])

    def describe(self) -> str:
        free, total = self.memory()
        with self.active():
            version = self._cupy.cuda.runtime.driverGetVersion()
        kind = "ROCm" if self._cupy.cuda.runtime.is_hip else "CUDA"
        driver = f"{kind} {version // 1000}.{version % 1000 // 10}"
        return f"{self.name}: {self.label}, {free / 2**30:.1f} of {total / 2**30:.1f} GiB free, driver of {driver}"

    def memory(self) -> tuple[int, int]:
        cupy = self._cupy
        try:  # not by `active`, which asks here when the card is full
            with cupy.cuda.Device(self.number):
                free, total = cupy.cuda.runtime.memGetInfo()
                pool = cupy.get_default_memory_pool()
                free += pool.free_bytes()
                if limit := pool.get_limit():  # which the caller may have set
                    free, total = min(free, limit - pool.used_bytes()), min(total, limit)
                return int(free), int(total)
        except (RuntimeError, MemoryError) as error:
            raise failed(self, error) from error

    def largest_buffer(self) -> int:
        return self.memory()[1]

    def active(self, needed: int = 0, *, what: str = "") -> _Active:
        return _Active(self, self._cupy, needed, what)

    @property
    def xp(self) -> Any:
        return self._cupy

    def view(self, buffer: Buffer) -> Any:
        return buffer

    def upload(self, array: NDArray[Any] | Buffer) -> Buffer:
        cupy = self._cupy
        with self.active(array.nbytes):
            if not isinstance(array, cupy.ndarray):
                return cupy.asarray(array)
            if array.device.id == self.number:
                return array
            with array.device:  # what writes it must be done: a copy between cards waits for neither's launches
                cupy.cuda.get_current_stream().synchronize()
            taken = array.copy()
            cupy.cuda.get_current_stream().synchronize()
            return taken

    def takes(self, buffer: Buffer) -> bool:
        return isinstance(buffer, self._cupy.ndarray)

    def zeros(self, shape: int, dtype: DTypeLike) -> Buffer:
        with self.active(shape * np.dtype(dtype).itemsize):
            return self._cupy.zeros(shape, dtype)

    def empty(self, shape: int, dtype: DTypeLike) -> Buffer:
        with self.active(shape * np.dtype(dtype).itemsize):
            return self._cupy.empty(shape, dtype)

    def download(self, buffer: Buffer) -> NDArray[Any]:
        return self.download_later(buffer)()

    def download_later(self, buffer: Buffer) -> Callable[[], NDArray[Any]]:
        if buffer.nbytes < PAYS_FROM or not buffer.flags.c_contiguous:
            return partial(self._download_at_once, buffer)
        with self.active():
            return partial(self._download_staged, buffer, self._cupy.cuda.get_current_stream().record())

    def _download_at_once(self, buffer: Buffer) -> NDArray[Any]:
        with self.active():
            host: NDArray[Any] = self._cupy.asnumpy(buffer)
        return host

    def _download_staged(self, buffer: Buffer, ready: Any) -> NDArray[Any]:
        with self.active():
            return self._staging.download(buffer, ready)

    def synchronize(self) -> None:
        with self.active():
            self._cupy.cuda.get_current_stream().synchronize()

    def launch(
        self, source: Source, kernel: str, blocks: int, *arguments: Buffer | np.generic, threads: int | None = None
    ) -> None:
        if blocks == 0:
            return
        function = self._functions.get((source, kernel)) or self._function(source, kernel)
        try:  # not by `active`: small graphs take as long as their launches do
            with self._device:
                function((blocks,), (threads or LANES * self.teams,), arguments)
        except Exception as error:
            _tell(self._cupy, self, error, what=kernel)
            raise
        self.launches += 1

    def columns(self, indptr: Buffer, indices: Buffer, walked_from: Buffer) -> tuple[Buffer, Buffer]:
        cupy = self._cupy
        with self.active():
            n = len(indptr) - 1
            place = cupy.zeros(n + 1, dtype=cupy.int64)
            cupy.cumsum(cupy.maximum(indptr[1:] - walked_from, 0), out=place[1:])
            count = int(place[-1])
            keys = self.empty(count, np.uint64)
            self.launch(
                _ROWS, "column_keys", -(-n // self.teams), indptr, indices, walked_from, place, np.uint64(n), keys
            )
            keys = self.sort(keys)
            launch_each(self, _ROWS, "row_starts", n + 1, keys, np.uint64(count), np.uint64(n), place)
            return place, keys.astype(cupy.uint32)

    def room_for_columns(self, n: int, lists: int) -> tuple[int, ...]:
        return 8 * (n + 1), 8 * lists, 8 * lists + FOR_SORTING

    def sort(self, keys: Buffer) -> Buffer:
        # Room for the second buffer is asked for here, where its lack is an error, and not in the midst of Thrust's
        # C++, from which no exception of the allocator comes back whole; CuPy's pool then has it.
        self.empty(keys.nbytes + FOR_SORTING, np.uint8)
        with self.active():
            keys.sort()
            return keys

    def _function(self, source: Source, kernel: str) -> Any:
        if source not in self._modules:
            module = self._cupy.RawModule(code=source.text(self.teams), options=("--std=c++14",))
            with self.active(what=source.file):
                module.compile()
            self._modules[source] = module
        with self.active(what=kernel):
            function = self._modules[source].get_function(kernel)
        self._functions[source, kernel] = function
        return function


CUDA = Device(
    name="cuda",
    package="cupy",
    count=count_devices,
    open_runtime=CudaRuntime,
    none_found="no CUDA driver or card was found (a driver too old for CuPy counts as none)",
    auto_edges=1 << 18,  # docs/performance.md
    auto_edges_at_first=1 << 24,
    keeps_generated=True,
    profiler="ncu",
)
