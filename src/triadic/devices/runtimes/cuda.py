"""CUDA devices: NVIDIA's cards through CuPy, and AMD's if CuPy is built for ROCm. No other module imports CuPy."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, partial
from itertools import cycle
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.devices.runtimes.runtime import (
    FOR_SORTING,
    LANES,
    Argument,
    Buffer,
    Device,
    Result,
    Runtime,
    Source,
    c_source,
    compile_failure,
    device_failure,
    full_device,
    missing_package,
)
from triadic.errors import DeviceError, TriadicError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import DTypeLike

    from triadic.core.array_types import AnyArray, Uint8Array

# Numbers of CUDA's errors: driver missing or too old, and no card; memory exhausted.
_NO_DEVICE, _FULL = (35, 100), 2
_FIRST = -1  # the priority of a stream whose kernels come before those of others
_ROWS = c_source("rows", "search")
_PIECE, _PIECES = 1 << 22, 16  # bytes; a part takes some 80 microseconds beside its copy, so none is smaller
_MOST_THREADS = 8
_PAYS_FROM = 1 << 24  # bytes from which copies are staged


@cache
def _cupy() -> Any:
    try:
        import cupy
    except ImportError as error:
        raise missing_package("cuda", "CuPy", "pip install 'triadic[cuda13]' or 'triadic[cuda12]'", error) from error
    return cupy


def count_devices() -> int:
    """Return the number of cards that CUDA sees; 0 without a driver that CuPy can use.

    Raises
    ------
    DeviceError
        If the driver fails.
    """
    runtime = _cupy().cuda.runtime
    try:
        return int(runtime.getDeviceCount())
    except runtime.CUDARuntimeError as error:
        if error.status in _NO_DEVICE:
            return 0
        raise DeviceError(f"the CUDA driver cannot be used: {error}") from error


def as_array(array: object) -> Any:
    """Return an array on a card as a CuPy array, without a copy."""
    cupy = _cupy()
    return cupy.asarray(array) if hasattr(array, "__cuda_array_interface__") else cupy.from_dlpack(array)


class _Active:
    """A context that makes a card the current one and turns CuPy's errors into triadic's."""

    __slots__ = ("_device", "_needed", "_runtime", "_what")

    def __init__(self, runtime: CudaRuntime, needed: int, what: str) -> None:
        self._runtime, self._needed, self._what = runtime, needed, what
        self._device: Any = None

    def __enter__(self) -> None:
        try:
            self._device = self._runtime.cupy.cuda.Device(self._runtime.number)
            self._device.__enter__()
        except (RuntimeError, MemoryError) as error:
            _raise_own(self._runtime, error, self._needed, self._what)
            raise

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._device.__exit__(kind, error, trace)
        if isinstance(error, Exception):
            _raise_own(self._runtime, error, self._needed, self._what)


def _raise_own(runtime: CudaRuntime, error: Exception, needed: int = 0, what: str = "") -> None:
    """Raise triadic's error for an error of CuPy; return if the error is not CuPy's."""
    cupy = runtime.cupy
    if isinstance(error, (TriadicError, NotImplementedError, RecursionError)):
        return
    if isinstance(error, cupy.cuda.compiler.CompileException):  # in one of CuPy's own kernels
        raise compile_failure(runtime, what or "CuPy", str(error)) from error
    if isinstance(error, MemoryError):
        if isinstance(error, cupy.cuda.memory.OutOfMemoryError) or type(error) is MemoryError:
            raise full_device(runtime, needed) from error
    elif isinstance(error, RuntimeError):  # from CUDA's runtime, driver and compiler, and from Thrust
        of_cuda = isinstance(error, (cupy.cuda.runtime.CUDARuntimeError, cupy.cuda.driver.CUDADriverError))
        if of_cuda and error.status == _FULL:  # type: ignore[attr-defined]  # of these two
            raise full_device(runtime, needed) from error
        raise device_failure(runtime, error, what) from error


class Staging:
    """Page-locked buffers of one card and threads that copy from them, both made at the first copy.

    A copy to or from pageable memory waits for the host at every step, mostly while the system maps the pages of a new
    array. Here the card copies piece by piece to or from a few page-locked buffers while threads copy between these and
    the array: 64 MiB take about 4 ms instead of 29 (H200).

    Parameters
    ----------
    cupy : module
    """

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        self._lock = Lock()
        self._number = min(_MOST_THREADS, resolve_threads(None))

    def download(self, buffer: Any, ready: Any) -> AnyArray:
        """Copy an array of the active card to the host after the event `ready`."""
        host = np.empty(buffer.shape, buffer.dtype)
        target, source = host.reshape(-1).view(np.uint8), buffer.reshape(-1).view(np.uint8)
        with self._lock:
            self._open()
            self._stream.wait_event(ready)
            for sent in self._sent.values():
                sent.synchronize()
            self._sent.clear()
            running: dict[int, Future[None]] = {}
            for number, first in enumerate(range(0, len(target), _PIECE)):
                slot = number % _PIECES
                if slot in running:
                    running[slot].result()
                last = min(first + _PIECE, len(target))
                piece = self._pieces[slot][: last - first]
                source[first:last].get(stream=self._stream, out=piece, blocking=False)
                arrived = self._stream.record()
                running[slot] = self._pool.submit(self._copy_arrived, arrived, piece, target[first:last])
            for copy in running.values():
                copy.result()
        return host

    def upload(self, buffer: Any, arrays: Sequence[tuple[int, AnyArray]]) -> None:
        """Copy arrays of the host to places in an array of the active card, as its type, in its current stream.

        Each thread copies parts of the arrays to its own page-locked buffers, in turns, and has the card fetch them.
        """
        stream, device, itemsize = self._cupy.cuda.get_current_stream(), buffer.device.id, buffer.itemsize
        with self._lock:
            self._open()
            threads = self._number
            most = _PIECE // itemsize
            parts = deque(
                (at + first, array[first : first + most])
                for at, array in arrays
                for first in range(0, len(array), most)
            )

            def copy(thread: int) -> None:
                with self._cupy.cuda.Device(device):
                    for slot in cycle(range(thread, _PIECES, threads)):
                        try:
                            at, part = parts.popleft()
                        except IndexError:  # another thread has taken the last part
                            return
                        if slot in self._sent:
                            self._sent[slot].synchronize()
                        target = self._pieces[slot][: len(part) * itemsize].view(buffer.dtype)
                        np.copyto(target, part, casting="unsafe")
                        place = buffer.data + at * itemsize
                        place.copy_from_host_async(target.ctypes.data, target.nbytes, stream)
                        self._sent[slot] = stream.record()

            copies = [self._pool.submit(copy, thread) for thread in range(min(threads, len(parts)))]
            for copied in copies:
                copied.result()

    def _open(self) -> None:
        if not hasattr(self, "_pool"):
            self._stream = self._cupy.cuda.Stream(non_blocking=True)
            memory = self._cupy.cuda.alloc_pinned_memory(_PIECE * _PIECES)
            self._pieces = np.frombuffer(memory, np.uint8, _PIECE * _PIECES).reshape(_PIECES, _PIECE)
            self._sent: dict[int, Any] = {}  # the event after the last upload from each piece
            self._pool = ThreadPoolExecutor(self._number, "triadic-copies")

    @staticmethod
    def _copy_arrived(arrived: Any, piece: Uint8Array, target: Uint8Array) -> None:
        arrived.synchronize()
        np.copyto(target, piece)


class CudaRuntime(Runtime):
    """The runtime of one card under CUDA or ROCm."""

    def __init__(self, number: int) -> None:
        self.cupy = _cupy()
        self._device = self.cupy.cuda.Device(number)
        self._modules: dict[Source, Any] = {}
        self._functions: dict[tuple[Source, str], Any] = {}
        self.number = number
        self.name = f"cuda:{number}"
        self.label = "a card"
        self.teams = 1 if self.cupy.cuda.runtime.is_hip else 4
        self.has_doubles = True
        self._staging = Staging(self.cupy)
        self._aside: tuple[ThreadPoolExecutor, Any] | None = None  # a thread and its stream, made when needed
        with self.active():
            self.label = self.cupy.cuda.runtime.getDeviceProperties(number)["name"].decode()
            attributes = self._device.attributes
            self.multiprocessors = int(attributes["MultiProcessorCount"])
            self.local_bytes = int(
                attributes.get("MaxSharedMemoryPerBlockOptin") or attributes["MaxSharedMemoryPerBlock"]
            )

    def describe(self) -> str:
        free, total = self.memory()
        with self.active():
            version = self.cupy.cuda.runtime.driverGetVersion()
        kind = "ROCm" if self.cupy.cuda.runtime.is_hip else "CUDA"
        driver = f"{kind} {version // 1000}.{version % 1000 // 10}"
        return f"{self.name}: {self.label}, {free / 2**30:.1f} of {total / 2**30:.1f} GiB free, driver of {driver}"

    def memory(self) -> tuple[int, int]:
        cupy = self.cupy
        try:  # without `active`, which calls this method when the card is full
            with cupy.cuda.Device(self.number):
                free, total = cupy.cuda.runtime.memGetInfo()
                pool = cupy.get_default_memory_pool()
                free += pool.free_bytes()
                if limit := pool.get_limit():  # set by the user
                    free, total = min(free, limit - pool.used_bytes()), min(total, limit)
                return int(free), int(total)
        except (RuntimeError, MemoryError) as error:
            raise device_failure(self, error) from error

    def largest_buffer(self) -> int:
        return self.memory()[1]

    def active(self, needed: int = 0, *, what: str = "") -> _Active:
        return _Active(self, needed, what)

    @property
    def xp(self) -> Any:
        return self.cupy

    def view(self, buffer: Buffer) -> Any:
        return buffer

    def upload(self, array: AnyArray | Buffer) -> Buffer:
        cupy = self.cupy
        with self.active(array.nbytes):
            if not isinstance(array, cupy.ndarray):
                return cupy.asarray(array)
            if array.device.id == self.number:
                return array
            with array.device:  # a copy between cards does not wait for the launches of either
                cupy.cuda.get_current_stream().synchronize()
            copied = array.copy()
            cupy.cuda.get_current_stream().synchronize()
            return copied

    def takes(self, buffer: Buffer) -> bool:
        return isinstance(buffer, self.cupy.ndarray)

    def empty(self, shape: int, dtype: DTypeLike = np.uint32) -> Buffer:
        with self.active(shape * np.dtype(dtype).itemsize):
            return self.cupy.empty(shape, dtype)

    def fill(self, buffer: Buffer, arrays: Sequence[tuple[int, AnyArray]]) -> None:
        with self.active():
            self._staging.upload(buffer, arrays)

    def download(self, buffer: Buffer) -> AnyArray:
        return self.download_later(buffer)()

    def download_later(self, buffer: Buffer) -> Callable[[], AnyArray]:
        staged = buffer.nbytes >= _PAYS_FROM and buffer.flags.c_contiguous
        with self.active():
            ready = self.cupy.cuda.get_current_stream().record() if staged else None

        def copy() -> AnyArray:
            with self.active():
                host: AnyArray = self._staging.download(buffer, ready) if staged else self.cupy.asnumpy(buffer)
            return host

        return copy

    def clear(self, buffer: Buffer) -> None:
        with self.active():
            buffer.fill(0)

    def record(self, begin: Callable[[], None], branches: Sequence[Callable[[], None]]) -> Callable[[], None]:
        with self.active():  # a graph of CUDA, with a stream for each branch
            streams = [self.cupy.cuda.Stream(non_blocking=True) for _ in branches]
            first = streams[0]
            first.begin_capture()
            try:
                with first:
                    begin()
                begun = first.record()
                for stream, branch in zip(streams, branches, strict=True):
                    with stream:
                        if stream is not first:
                            stream.wait_event(begun)
                        branch()
                for stream in streams[1:]:
                    first.wait_event(stream.record())
            finally:
                graph = first.end_capture()
        return partial(self._repeat, graph)

    def _repeat(self, graph: Any) -> None:
        try:
            with self._device:
                graph.launch()
        except Exception as error:
            _raise_own(self, error)
            raise
        self.launches += 1

    def start(self, work: Callable[[], Result]) -> Callable[[], Result]:
        with self.active():
            if self._aside is None:
                # Its short kernels do not wait until all blocks of a long one have begun.
                stream = self.cupy.cuda.Stream(non_blocking=True, priority=_FIRST)
                self._aside = ThreadPoolExecutor(1, f"triadic-{self.name}"), stream
        thread, stream = self._aside

        def run() -> Result:
            with self.active(), stream:
                try:
                    return work()
                finally:
                    stream.synchronize()

        return thread.submit(run).result

    def synchronize(self) -> None:
        with self.active():
            self.cupy.cuda.get_current_stream().synchronize()

    def launch(
        self, source: Source, kernel: str, blocks: int, *arguments: Argument, threads: int | None = None
    ) -> None:
        if blocks == 0:
            return
        function = self._functions.get((source, kernel)) or self._function(source, kernel)
        try:  # without `active`, which would add to each launch; launches are most of the time of small graphs
            with self._device:
                function((blocks,), (threads or LANES * self.teams,), arguments, shared_mem=source.local_bytes)
        except Exception as error:
            _raise_own(self, error, what=kernel)
            raise
        self.launches += 1

    def columns(self, indptr: Buffer, indices: Buffer, walked_from: Buffer) -> tuple[Buffer, Buffer]:
        cupy = self.cupy
        with self.active():
            n = len(indptr) - 1
            # Kernels of our own, since CuPy compiles its kernels again for arrays of more than 2 GiB.
            lengths = self.zeros(n + 1, np.int64)
            self.launch_each(_ROWS, "walked_lengths", n, indptr, walked_from, n, lengths)
            place = cupy.cumsum(lengths)
            del lengths
            count = int(place[-1])
            keys = self.empty(count, np.uint64)
            self.launch_teams(_ROWS, "column_keys", n, indptr, indices, walked_from, place, n, keys)
            keys = self.sort(keys)
            self.launch_each(_ROWS, "row_starts", n + 1, keys, count, n, place)
            ends = self.empty(count, np.uint32)
            self.launch_each(_ROWS, "rows_of_keys", count, keys, count, ends)
            return place, ends

    def room_for_columns(self, n: int, lists: int) -> tuple[int, ...]:
        return 8 * (n + 1), 8 * lists, 8 * lists + FOR_SORTING

    def sort(self, keys: Buffer) -> Buffer:
        # Allocate and free the second buffer here, so that CuPy's pool has it: inside Thrust's C++ an exception of the
        # allocator would be lost.
        self.empty(keys.nbytes + FOR_SORTING, np.uint8)
        with self.active():
            keys.sort()
            return keys

    def _function(self, source: Source, kernel: str) -> Any:
        if source not in self._modules:
            module = self.cupy.RawModule(code=source.text(self.teams), options=("--std=c++14",))
            with self.active(what=source.file):
                module.compile()
            self._modules[source] = module
        with self.active(what=kernel):
            function = self._modules[source].get_function(kernel)
            if source.local_bytes:
                function.max_dynamic_shared_size_bytes = source.local_bytes
        self._functions[source, kernel] = function
        return function


CUDA = Device(
    name="cuda",
    package="cupy",
    count=count_devices,
    open_runtime=CudaRuntime,
    none_found="no CUDA driver or card was found (a driver too old for CuPy counts as none)",
    auto_edges=1 << 18,  # performance-diary.md
    auto_edges_at_first=1 << 24,
    keeps_generated=True,
    profiler="ncu",
)
