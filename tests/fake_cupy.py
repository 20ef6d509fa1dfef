"""A fake of the part of CuPy that triadic calls, on NumPy arrays. A test can make any call fail."""

from __future__ import annotations

from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace

import numpy as np

GIB = 1 << 30


class CUDARuntimeError(RuntimeError):
    """CuPy's error of the CUDA runtime: a number and CUDA's message."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class CUDADriverError(CUDARuntimeError):
    pass


class CompileException(Exception):  # noqa: N818 - CuPy's name
    pass


class OutOfMemoryError(MemoryError):
    pass


NO_DRIVER = CUDARuntimeError(35, "cudaErrorInsufficientDriver: CUDA driver version is insufficient")
ILLEGAL = CUDARuntimeError(700, "cudaErrorIllegalAddress: an illegal memory access was encountered")
IN_USE = CUDARuntimeError(46, "cudaErrorDevicesUnavailable: all devices are busy")
NO_MEMORY = CUDARuntimeError(2, "cudaErrorMemoryAllocation: out of memory")
POOL_IS_FULL = OutOfMemoryError("Out of memory allocating 1,024 bytes")
NOT_LAUNCHED = CUDADriverError(719, "CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure")
THRUST = RuntimeError("radix_sort: failed on 2nd step: cudaErrorLaunchFailure")


class Array(np.ndarray):
    """An array on the fake card."""

    device = SimpleNamespace(id=0)


def on_card(array):
    return np.asarray(array).view(Array)


class FakeCuPy(ModuleType):
    """The fake module `cupy`. `failing` maps the name of each failing call to the exception that it raises.

    Parameters
    ----------
    cards : int
        Number of cards.
    free : int
        Free bytes of each card; its total memory is twice as large.
    """

    def __init__(self, *, cards=1, free=GIB):
        super().__init__("cupy")
        self.__spec__ = ModuleSpec("cupy", None)
        self.failing: dict[str, Exception] = {}
        self.ndarray, self.int64, self.uint32, self.uint64 = Array, np.int64, np.uint32, np.uint64
        call = self._call
        runtime = SimpleNamespace(
            CUDARuntimeError=CUDARuntimeError,
            is_hip=False,
            getDeviceCount=call("getDeviceCount", lambda: cards),
            getDeviceProperties=call("getDeviceProperties", lambda _: {"name": b"A fake"}),
            driverGetVersion=call("driverGetVersion", lambda: 12080),
            memGetInfo=call("memGetInfo", lambda: (free, 2 * free)),
        )
        self.cuda = SimpleNamespace(
            runtime=runtime,
            driver=SimpleNamespace(CUDADriverError=CUDADriverError),
            compiler=SimpleNamespace(CompileException=CompileException),
            memory=SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
            Device=self._device,
            get_current_stream=lambda: SimpleNamespace(synchronize=call("synchronize", lambda: None)),
        )
        self.get_default_memory_pool = lambda: SimpleNamespace(free_bytes=lambda: 0, get_limit=lambda: 0)
        self.asarray = call("asarray", on_card)
        self.asnumpy = call("asnumpy", np.array)
        self.zeros = call("zeros", lambda shape, dtype=float: on_card(np.zeros(shape, dtype)))
        self.empty = call("empty", lambda shape, dtype=float: on_card(np.zeros(shape, dtype)))
        self.cumsum, self.maximum = call("cumsum", np.cumsum), call("maximum", np.maximum)
        self.RawModule = lambda **_: SimpleNamespace(
            compile=call("compile", lambda: None),
            get_function=call("get_function", lambda _: call("launch", lambda *_, shared_mem=0: None)),
        )

    def _call(self, name, function):
        def call(*arguments, **keywords):
            if name in self.failing:
                raise self.failing[name]
            return function(*arguments, **keywords)

        return call

    def _device(self, number):
        return _Device(self._call("setDevice", lambda: None), number)


class _Device:
    def __init__(self, enter, number):
        self._enter, self.id = enter, number
        self.attributes = {"MultiProcessorCount": 132, "MaxSharedMemoryPerBlockOptin": 232_448}

    def __enter__(self):
        self._enter()

    def __exit__(self, *_):
        pass
