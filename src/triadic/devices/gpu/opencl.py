"""Every device with an OpenCL driver, through PyOpenCL. The only module that imports PyOpenCL."""

from __future__ import annotations

import os
import warnings
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.cpu.middle_lists import middle_lists
from triadic.devices.gpu.runtime import LANES
from triadic.errors import DeviceError, MissingExtraError, OutOfMemoryError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from numpy.typing import DTypeLike, NDArray

    from triadic.devices.gpu.runtime import Buffer
    from triadic.devices.gpu.source import Source

_LOG_LINES = 6
_VENDORS = Path("/etc/OpenCL/vendors")


@cache
def _pyopencl() -> Any:
    # The loader that comes with PyOpenCL from PyPI looks for drivers in a folder of its own, and not in the system's.
    if _VENDORS.is_dir():
        os.environ.setdefault("OCL_ICD_VENDORS", str(_VENDORS))
    try:
        import pyopencl
        import pyopencl.array
    except ImportError as error:
        raise MissingExtraError(
            "device='opencl' needs PyOpenCL, which is not installed: pip install 'triadic[opencl]'"
        ) from error
    return pyopencl


@cache
def _devices() -> tuple[Any, ...]:
    """Give the devices of all platforms, GPUs first."""
    cl = _pyopencl()
    try:
        platforms = cl.get_platforms()
    except cl.LogicError:  # no platform at all
        return ()
    found = [device for platform in platforms for device in platform.get_devices()]
    return tuple(sorted(found, key=lambda device: not device.type & cl.device_type.GPU))


def count_devices() -> int:
    """Give the number of OpenCL devices; 0 where there is no driver."""
    return len(_devices())


class OpenClRuntime:
    """One device under OpenCL."""

    def __init__(self, number: int) -> None:
        self._cl = _pyopencl()
        self._device = _devices()[number]
        self._context = self._cl.Context([self._device])
        self._queue = self._cl.CommandQueue(self._context)
        self._programs: dict[Source, Any] = {}
        self.number = number
        self.name = f"opencl:{number}"
        self.label = self._device.name.strip()
        self.teams = 4 if "NVIDIA" in self._device.vendor else 1
        self.launches = 0

    def describe(self) -> str:
        device = self._device
        driver = f"{device.platform.name} {device.driver_version}"
        return f"{self.name}: {self.label}, {self.memory()[1] / 2**30:.1f} GiB, {driver}"

    def memory(self) -> tuple[int, int]:
        # OpenCL does not say what is free.
        return int(self._device.global_mem_size), int(self._device.global_mem_size)

    def active(self) -> AbstractContextManager[Any]:
        return nullcontext()

    @property
    def xp(self) -> Any:
        return np

    def view(self, buffer: Buffer) -> Any:
        return self.download(buffer)

    def upload(self, array: NDArray[Any]) -> Buffer:
        self._check(array.nbytes)
        if array.size == 0:  # OpenCL has no empty buffers
            return self._cl.array.zeros(self._queue, 1, array.dtype)[:0]
        return self._guard(lambda: self._cl.array.to_device(self._queue, np.ascontiguousarray(array)), array.nbytes)

    def takes(self, buffer: Buffer) -> bool:
        return isinstance(buffer, np.ndarray)

    def zeros(self, shape: int, dtype: DTypeLike) -> Buffer:
        needed = shape * np.dtype(dtype).itemsize
        self._check(needed)
        return self._guard(lambda: self._cl.array.zeros(self._queue, max(1, shape), dtype)[:shape], needed)

    def empty(self, shape: int, dtype: DTypeLike) -> Buffer:
        needed = shape * np.dtype(dtype).itemsize
        self._check(needed)
        return self._guard(lambda: self._cl.array.empty(self._queue, max(1, shape), dtype)[:shape], needed)

    def download(self, buffer: Buffer) -> NDArray[Any]:
        if buffer.size == 0:
            return np.zeros(buffer.shape, dtype=buffer.dtype)
        try:
            host: NDArray[Any] = buffer.get()
        except self._cl.Error as error:
            raise DeviceError(f"{self.name} ({self.label}) failed: {error}") from error
        return host

    def synchronize(self) -> None:
        try:
            self._queue.finish()
        except self._cl.Error as error:
            raise DeviceError(f"{self.name} ({self.label}) failed: {error}") from error

    def launch(self, source: Source, kernel: str, blocks: int, *arguments: Buffer | np.generic) -> None:
        if blocks == 0:
            return
        size = LANES * self.teams
        function = self._kernel(source, kernel)
        given = [of.base_data if isinstance(of, self._cl.array.Array) else of for of in arguments]
        try:
            function(self._queue, (blocks * size,), (size,), *given)
        except self._cl.Error as error:
            raise DeviceError(f"{self.name} ({self.label}): {kernel} failed: {error}") from error
        self.launches += 1

    def columns(self, indptr: Buffer, indices: Buffer, walked_from: Buffer) -> tuple[Buffer, Buffer]:
        lists = middle_lists(self.download(indptr), self.download(indices), self.download(walked_from), threads=1)
        return self.upload(lists.ptr), self.upload(lists.ends)

    def _kernel(self, source: Source, kernel: str) -> Any:
        if source not in self._programs:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", self._cl.CompilerWarning)  # a driver's chatter about good code
                    program = self._cl.Program(self._context, source.text(self.teams)).build()
            except self._cl.Error as error:
                log = " | ".join(str(error).splitlines()[:_LOG_LINES])
                raise DeviceError(f"{self.name} ({self.label}): {source.file} does not compile: {log}") from error
            self._programs[source] = {of.function_name: of for of in program.all_kernels()}
        return self._programs[source][kernel]

    def _check(self, needed: int) -> None:
        largest = int(self._device.max_mem_alloc_size)
        if needed > largest:
            raise OutOfMemoryError(
                f"{self.name} ({self.label}) allows buffers of up to {largest / 2**30:,.1f} GiB and one of "
                f"{needed / 2**30:,.1f} is needed: use device='cpu'"
            )

    def _guard(self, make: Any, needed: int) -> Buffer:
        try:
            return make()
        except (self._cl.MemoryError, self._cl.RuntimeError) as error:
            raise OutOfMemoryError(
                f"{self.name} ({self.label}) has {self.memory()[1] / 2**30:,.1f} GiB in all and cannot give "
                f"{needed / 2**30:,.1f} more: use device='cpu'"
            ) from error
