"""OpenCL devices: every device with an OpenCL driver, through PyOpenCL. No other module imports PyOpenCL."""

from __future__ import annotations

import os
import warnings
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.runtimes.runtime import (
    LANES,
    Argument,
    Buffer,
    Device,
    Runtime,
    Source,
    compile_failure,
    device_failure,
    full_device,
    missing_package,
)
from triadic.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import DTypeLike

    from triadic.core.array_types import AnyArray

_VENDORS = Path("/etc/OpenCL/vendors")
# Elements of a buffer that the driver fills; NVIDIA's fails from 2**31 on, or never ends.
_MOST_FILLED = 1 << 30


@cache
def _pyopencl() -> Any:
    # The loader in PyPI's PyOpenCL looks for drivers in a folder of its own instead of the system's.
    if _VENDORS.is_dir():
        os.environ.setdefault("OCL_ICD_VENDORS", str(_VENDORS))
    try:
        import pyopencl
        import pyopencl.array
    except ImportError as error:
        raise missing_package("opencl", "PyOpenCL", "pip install 'triadic[opencl]'", error) from error
    return pyopencl


@cache
def _devices() -> tuple[Any, ...]:
    """Return the devices of all platforms, GPUs first."""
    cl = _pyopencl()
    found, broken = [], []
    try:
        for platform in cl.get_platforms():
            try:
                found += platform.get_devices()
            except cl.Error as error:  # a broken driver must not hide the devices of others
                broken.append(f"{platform.name}: {error}")
    except cl.LogicError:  # there is no platform
        return ()
    except cl.Error as error:
        broken.append(str(error))
    if broken and not found:
        raise DeviceError(f"no OpenCL driver can be used: {'; '.join(broken)}")
    return tuple(sorted(found, key=lambda device: not device.type & cl.device_type.GPU))


def count_devices() -> int:
    """Return the number of OpenCL devices; 0 without a driver."""
    return len(_devices())


class OpenClRuntime(Runtime):
    """The runtime of one device under OpenCL."""

    def __init__(self, number: int) -> None:
        self._cl = _pyopencl()
        self._device = _devices()[number]
        self._programs: dict[Source, Any] = {}
        self._launching = Lock()
        self.name = f"opencl:{number}"
        self.label = self._device.name.strip()
        self.multiprocessors = int(self._device.max_compute_units)
        self.local_bytes = int(self._device.local_mem_size)
        self.teams = 4 if "NVIDIA" in self._device.vendor else 1
        self.has_doubles = "cl_khr_fp64" in self._device.extensions.split()
        with self.active():
            self._context = self._cl.Context([self._device])
            self._queue = self._cl.CommandQueue(self._context)

    def describe(self) -> str:
        with self.active():
            driver = f"{self._device.platform.name} {self._device.driver_version}"
        return f"{self.name}: {self.label}, {self.memory()[1] / 2**30:.1f} GiB, {driver}"

    def memory(self) -> tuple[int, int]:
        with self.active():
            total = int(self._device.global_mem_size)
        return total, total  # OpenCL cannot tell the free memory

    def largest_buffer(self) -> int:
        with self.active():
            return int(self._device.max_mem_alloc_size)

    @contextmanager
    def active(self, needed: int = 0, *, what: str = "") -> Iterator[None]:
        cl = self._cl
        try:
            yield
        except cl.MemoryError as error:
            raise full_device(self, needed) from error
        except cl.Error as error:
            # Drivers report a failed allocation with several errors.
            if needed and isinstance(error, cl.RuntimeError):
                raise full_device(self, needed) from error
            raise device_failure(self, error, what) from error

    @property
    def xp(self) -> Any:
        return np

    def view(self, buffer: Buffer) -> Any:
        return self.download(buffer)

    def upload(self, array: AnyArray) -> Buffer:
        self.check_largest(array.nbytes)
        with self.active(array.nbytes):
            if array.size == 0:
                return self.empty(0, array.dtype)
            return self._cl.array.to_device(self._queue, np.ascontiguousarray(array))

    def takes(self, buffer: Buffer) -> bool:
        return isinstance(buffer, np.ndarray)

    def empty(self, shape: int, dtype: DTypeLike = np.uint32) -> Buffer:
        needed = shape * np.dtype(dtype).itemsize
        self.check_largest(needed)
        with self.active(needed):
            return self._cl.array.empty(self._queue, max(1, shape), dtype)[:shape]  # OpenCL has no empty buffers

    def fill(self, buffer: Buffer, arrays: Sequence[tuple[int, AnyArray]]) -> None:
        for at, array in arrays:
            if len(array):
                copied = np.ascontiguousarray(array.astype(buffer.dtype))
                with self.active():
                    place = at * copied.itemsize
                    self._cl.enqueue_copy(self._queue, buffer.base_data, copied, dst_offset=place, is_blocking=True)

    def download(self, buffer: Buffer) -> AnyArray:
        if buffer.size == 0:
            return np.zeros(buffer.shape, buffer.dtype)
        with self.active():
            host: AnyArray = buffer.get()
        return host

    def clear(self, buffer: Buffer) -> None:
        zero = np.zeros(1, buffer.dtype)
        with self.active(buffer.nbytes):
            if buffer.offset // zero.nbytes + buffer.size > _MOST_FILLED:
                # By a kernel of PyOpenCL, which threads share and on which NVIDIA's driver has remarks.
                with self._launching, warnings.catch_warnings():
                    warnings.simplefilter("ignore", self._cl.CompilerWarning)
                    buffer.fill(0)
            elif buffer.size:
                self._cl.enqueue_fill_buffer(self._queue, buffer.base_data, zero, buffer.offset, buffer.nbytes)

    def synchronize(self) -> None:
        with self.active():
            self._queue.finish()

    def launch(
        self, source: Source, kernel: str, blocks: int, *arguments: Argument, threads: int | None = None
    ) -> None:
        if blocks == 0:
            return
        size = threads or LANES * self.teams
        function = self._kernel(source, kernel)
        array = self._cl.array.Array
        values = [
            value.base_data if isinstance(value, array) else np.int64(value) if type(value) is int else value
            for value in arguments
        ]
        # Threads share the kernel object, which holds its arguments until it is enqueued.
        with self._launching, self.active(what=kernel):
            function(self._queue, (blocks * size,), (size,), *values)
            self.launches += 1

    def columns(self, indptr: Buffer, indices: Buffer, walked_from: Buffer) -> tuple[Buffer, Buffer]:
        from triadic.devices.cpu.triangles.triangle_work import (
            middle_lists,  # compiled code, which naming a device does not need
        )

        lists = middle_lists(self.download(indptr), self.download(indices), self.download(walked_from), threads=1)
        return self.upload(lists.ptr), self.upload(lists.ends)

    def sort(self, keys: Buffer) -> Buffer:
        host = self.download(keys)
        host.sort()
        return self.upload(host)

    def room_for_columns(self, n: int, lists: int) -> tuple[int, ...]:
        return 8 * (n + 1), 4 * lists

    def _kernel(self, source: Source, kernel: str) -> Any:
        if source not in self._programs:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", self._cl.CompilerWarning)  # drivers print remarks on correct code
                    program = self._cl.Program(self._context, source.text(self.teams)).build()
                    self._programs[source] = {built.function_name: built for built in program.all_kernels()}
            except self._cl.Error as error:
                raise compile_failure(self, source.file, str(error)) from error
        return self._programs[source][kernel]


OPENCL = Device(
    name="opencl",
    package="pyopencl",
    count=count_devices,
    open_runtime=OpenClRuntime,
    none_found="no OpenCL driver or device was found",
)
