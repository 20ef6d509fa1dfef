"""As much of CuPy as a card's runtime touches, on NumPy's arrays; any call of it can be made to fail."""

from __future__ import annotations

from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace

import numpy as np

GIB = 1 << 30


class CUDARuntimeError(RuntimeError):
    """As CuPy's: a number and CUDA's own words."""

    def __init__(self, status, words):
        super().__init__(words)
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
    """An array on the card."""

    device = SimpleNamespace(id=0)


def on_card(array):
    return np.asarray(array).view(Array)


class FakeCuPy(ModuleType):
    """The module. `failing` names the calls that fail, and how.

    Parameters
    ----------
    cards : int
    free : int
        Bytes that each card has.
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
            get_function=call("get_function", lambda _: call("launch", lambda *_: None)),
        )

    def _call(self, name, does):
        def call(*given, **named):
            if name in self.failing:
                raise self.failing[name]
            return does(*given, **named)

        return call

    def _device(self, number):
        return _Device(self._call("setDevice", lambda: None), number)


class _Device:
    def __init__(self, enter, number):
        self._enter, self.id, self.attributes = enter, number, {"MultiProcessorCount": 132}

    def __enter__(self):
        self._enter()

    def __exit__(self, *_):
        pass
