"""What a kind of device declares, the interface of a device's runtime, the sources of kernels, and errors of devices.

A runtime has buffers, launches and sorted columns. Every method raises `DeviceError` or `OutOfMemoryError` and no
exception of the package behind it. The same holds for functions of `xp` inside ``with runtime.active():``, so that no
function of `xp` may be called outside such a block. Before a count allocates its first buffer, it passes an estimate of
its memory to `Runtime.check_room`, as `list_tasks.prepare` does for triangles.

A source is a prelude of macros, headers, and a C file; the same text for every runtime.
"""

from __future__ import annotations

from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from triadic.core.memory import size_of
from triadic.core.records import record, value_class
from triadic.errors import DeviceError, MissingExtraError, OutOfMemoryError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import DTypeLike

    from triadic.core.array_types import AnyArray


Buffer = Any  # an array on the device: CuPy's or PyOpenCL's
Argument = Any  # of a kernel: a buffer, an int for 64 bits, or a scalar of NumPy
_LOG_LINES = 6
_HERE = "triadic.devices.gpu"
Result = TypeVar("Result")

LANES = 32  # work-items of a team
FOR_SORTING = 1 << 24  # bytes that a sort needs beside the keys and a second buffer for them
# Kernels store a vertex in 32 bits, and the keys of arcs use one of these bits. Degrees have 32 bits too: with more
# arcs, the degree of a hub could wrap around.
MAX_VERTICES, MAX_ARCS = (1 << 31) - 1, 1 << 32


def missing_package(device: str, package: str, install: str, error: ImportError) -> MissingExtraError:
    """Return the error for a package that is not installed, or is installed and cannot be imported."""
    absent = isinstance(error, ModuleNotFoundError) and error.name == package.lower()
    found = f"is not installed: {install}" if absent else f"cannot be imported: {' '.join(str(error).split())}"
    return MissingExtraError(f"device={device!r} needs {package}, which {found}")


def device_failure(runtime: Runtime, error: Exception, what: str = "") -> DeviceError:
    """Return the error for a device that failed, and in which kernel or file if `what` names it."""
    return DeviceError(f"{_named(runtime)}{what and f': {what}'} failed: {' '.join(str(error).split())}")


def compile_failure(runtime: Runtime, what: str, log: str) -> DeviceError:
    """Return the error for a source that does not compile, with the first lines of the compiler's log."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return DeviceError(f"{_named(runtime)}: {what} does not compile: {' | '.join(lines[:_LOG_LINES])}")


def full_device(runtime: Runtime, needed: int) -> OutOfMemoryError:
    """Return the error for a device without `needed` more bytes; 0 if the number is not known."""
    try:
        free, total = runtime.memory()
    except DeviceError:  # a full device may not even answer this
        return OutOfMemoryError(f"{_named(runtime)} has no memory left: use another device, or device='cpu'")
    return _too_small(
        runtime, free, total, f"{size_of(needed)} more are needed" if needed else "more is needed", needed
    )


def _too_small(runtime: Runtime, free: int, total: int, what: str, needed: int) -> OutOfMemoryError:
    # If the device could hold it when empty, releasing other graphs helps.
    advice = "release() other graphs that lie there" if needed < total else "use a device with more memory"
    return OutOfMemoryError(
        f"{_named(runtime)} has {size_of(free)} of {size_of(total)} free and {what}: {advice}, or use device='cpu'"
    )


def _named(runtime: Runtime) -> str:
    return f"{runtime.name} ({runtime.label})"


@value_class
class Source:
    """A file of kernels with its macros and headers.

    Attributes
    ----------
    file : str
        Name of the file, without suffix.
    defines : tuple of (str, int)
        Names and values of macros.
    headers : tuple of str
        Names of the headers between the prelude and the file, without suffix.
    package : str
        The package that has the file. The prelude and the headers lie beside this module.
    local_bytes : int
        Bytes of the array that the kernels declare with LOCAL_LARGE, which CUDA has to know at each launch.
    """

    file: str
    defines: tuple[tuple[str, int], ...] = ()
    headers: tuple[str, ...] = ()
    package: str = _HERE
    local_bytes: int = 0

    def text(self, teams: int) -> str:
        """Return the whole source for blocks of `teams` teams, or of TEAMS if the source defines it."""
        values = {"TEAMS": teams, **dict(self.defines)}
        defines = "".join(f"#define {name} {value}\n" for name, value in values.items())
        headers = "".join(_read(_HERE, f"{name}.h") for name in ("prelude", *self.headers))
        return defines + headers + _read(self.package, f"{self.file}.c")


def c_source(file: str, *headers: str, local_bytes: int = 0, **defines: int) -> Source:
    """Return the source of kernels in a file of this package, with headers, and macros given as keywords."""
    return Source(file, tuple(defines.items()), headers, local_bytes=local_bytes)


@cache
def _read(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")


@record(kw_only=True)
class Device:
    """A kind of device that counts run on.

    Attributes
    ----------
    name : str
        What the keyword `device` calls it, such as "cuda".
    package : str, optional
        Import name of the Python package that reaches the devices. None, the default: no package is needed.
    count : callable, optional
        Return the number of devices of this kind; they are numbered from 0. By default there is one.
    open_runtime : callable, optional
        Open the runtime of the device with a given number. None, the default, for the CPU alone: its counts are
        functions of NumPy arrays and need no runtime, and its name has no number.
    none_found : str, optional
        What an error says when the package finds no device.
    auto_edges : int, optional
        Number of edges from which ``device="auto"`` picks the first device of this kind, the copy to it included. None,
        the default: "auto" never picks this kind.
    auto_edges_at_first : int, optional
        The same while the package is not imported yet, which takes about a second.
    keeps_generated : bool, default False
        Whether a generated network is oriented on the device and stays there. Otherwise the device makes its arcs and
        the host orients them.
    profiler : str, optional
        Name of the program that reads the hardware counters of these devices.
    """

    name: str
    package: str | None = None
    count: Callable[[], int] = lambda: 1
    open_runtime: Callable[[int], Runtime] | None = None
    none_found: str = ""
    auto_edges: int | None = None
    auto_edges_at_first: int | None = None
    keeps_generated: bool = False
    profiler: str | None = None


CPU = Device(name="cpu")


def strides(runtime: Runtime, items: int, most: int) -> tuple[int, int]:
    """Return the number of blocks whose work-items take `items` in strides, at most `most`, and their work-items."""
    size = LANES * runtime.teams
    blocks = min(most, -(-items // size))
    return blocks, blocks * size


def sums_before(xp: Any, values: Any) -> Any:  # noqa: ANN401 - a module, and arrays of it
    """Return the sum of the values before each value, and of all values: an int64 array of the module `xp`."""
    sums = xp.zeros(len(values) + 1, dtype=xp.int64)
    xp.cumsum(values, out=sums[1:])
    return sums


class Runtime(Protocol):
    """The runtime of one device; by default without what takes a device that does several things at a time.

    Attributes
    ----------
    name : str
        Name for the keyword `device`: "cuda:0", "opencl:1".
    label : str
        The maker's name of the device.
    teams : int
        Number of teams in a block.
    multiprocessors : int
        Number of multiprocessors, OpenCL's compute units.
    local_bytes : int
        Most bytes of local memory of a block.
    has_doubles : bool
        Whether kernels can compute with 64-bit floating-point numbers.
    launches : int
        Number of kernels launched since the device was opened.
    """

    name: str
    label: str
    teams: int
    multiprocessors: int
    local_bytes: int
    has_doubles: bool
    launches: int = 0

    def active(self, needed: int = 0) -> AbstractContextManager[Any]:
        """Return a context in which functions of `xp` run on this device and raise triadic's errors.

        The error of a full device says that `needed` bytes were requested, unless `needed` is 0.
        """

    @property
    def xp(self) -> Any:  # noqa: ANN401 - a module
        """NumPy, or a module with the same functions for arrays on the device."""

    def view(self, buffer: Buffer) -> Any:  # noqa: ANN401 - an array of `xp`
        """Return a buffer as an array of `xp`."""

    def upload(self, array: AnyArray | Buffer) -> Buffer:
        """Copy an array from the host or another device. Return a buffer of this device without a copy."""

    def takes(self, buffer: Buffer) -> bool:
        """Return whether `upload` accepts a buffer of another device."""

    def zeros(self, shape: int, dtype: DTypeLike = np.uint32) -> Buffer:
        """Allocate a buffer of zeros: words of 32 bits unless `dtype` says otherwise."""
        buffer = self.empty(shape, dtype)
        self.clear(buffer)
        return buffer

    def empty(self, shape: int, dtype: DTypeLike = np.uint32) -> Buffer:
        """Allocate a buffer without setting its values; `dtype` as in `zeros`."""

    def fill(self, buffer: Buffer, arrays: Sequence[tuple[int, AnyArray]]) -> None:
        """Copy arrays from the host to places in a buffer, as its type; later launches see them."""

    def download(self, buffer: Buffer) -> AnyArray:
        """Copy a buffer to the host after all launches so far."""

    def download_later(self, buffer: Buffer) -> Callable[[], AnyArray]:
        """Return a function that copies a buffer to the host, if possible while later launches run.

        The copy waits for the launches before this call. Later launches must not write to the buffer.
        """
        return partial(self.download, buffer)

    def launch(
        self, source: Source, kernel: str, blocks: int, *arguments: Argument, threads: int | None = None
    ) -> None:
        """Launch a kernel on `blocks` blocks of `teams` teams each, or of `threads` work-items each.

        An int is a parameter of 64 bits, u64 or i64; a parameter of 32 bits is an `np.uint32`.
        """

    def clear(self, buffer: Buffer) -> None:
        """Set all values of a buffer to zero."""

    def record(self, begin: Callable[[], None], branches: Sequence[Callable[[], None]]) -> Callable[[], None]:
        """Return a function that repeats launches: those of `begin`, then those of all branches.

        The functions launch kernels and clear buffers, and do nothing else. Branches run side by side if the device
        can, and the repeated launches cost the host one launch. Every kernel must have been launched before.
        """

        def repeat() -> None:
            for launch in (begin, *branches):
                launch()

        return repeat

    def start(self, work: Callable[[], Result]) -> Callable[[], Result]:
        """Start work that copies and launches, if possible while this thread copies and launches too.

        Work that was started runs in order, in one thread. The returned function waits until all launches of the work
        have ended, and returns its result.
        """
        result = work()
        return lambda: result

    def synchronize(self) -> None:
        """Wait for all launches."""

    def columns(self, indptr: Buffer, indices: Buffer, walked_from: Buffer) -> tuple[Buffer, Buffer]:
        """List for each column the rows that hold it, from the place `walked_from` of each row on.

        Returns
        -------
        ptr : int64 buffer, shape (n + 1,)
            Where the list of each column begins.
        rows : uint32 buffer, shape (lists,)
            Rows, rising within each list.
        """

    def sort(self, keys: Buffer) -> Buffer:
        """Sort 64-bit keys, in place if the device can; the sort needs as much memory again."""

    def room_for_columns(self, n: int, lists: int) -> tuple[int, ...]:
        """Return the bytes of each buffer at the peak of `columns`, results included."""

    def describe(self) -> str:
        """Describe the device on one line."""

    def memory(self) -> tuple[int, int]:
        """Return the free and the total bytes of the device's memory."""

    def largest_buffer(self) -> int:
        """Return the most bytes that one buffer may have."""

    def launch_each(self, source: Source, kernel: str, items: int, *arguments: Argument) -> None:
        """Launch a kernel with one work-item for each of `items`."""
        self.launch(source, kernel, -(-items // (LANES * self.teams)), *arguments)

    def launch_teams(self, source: Source, kernel: str, items: int, *arguments: Argument) -> None:
        """Launch a kernel with one team for each of `items`."""
        self.launch(source, kernel, -(-items // self.teams), *arguments)

    def computed(self, make: Callable[..., Any], *buffers: Buffer) -> Buffer:
        """Return as a buffer what ``make(xp, *arrays)`` returns for buffers as arrays of the runtime's `xp`."""
        with self.active():
            return self.upload(make(self.xp, *map(self.view, buffers)))

    def ranks_where(self, holds: Any) -> Buffer:  # noqa: ANN401 - an array of `xp`
        """Return the ranks at which an array of `xp` is true, uint32."""
        return self.upload(self.xp.flatnonzero(holds).astype(np.uint32))

    def check_room(self, what: str, *buffers: int) -> None:
        """Check that a device has room for some buffers, before any of them is allocated.

        Parameters
        ----------
        what : str
            What the buffers are for, as the error names it.
        *buffers : int
            Estimated bytes of each buffer; all buffers exist at the same time.

        Raises
        ------
        OutOfMemoryError
            If the device has too little memory. The message says how much is needed and free, and what can be done.
        """
        self.check_largest(max(buffers, default=0))
        needed, (free, total) = sum(buffers), self.memory()
        if needed > free:
            raise _too_small(self, free, total, f"{what} takes about {size_of(needed)} there", needed)

    def check_largest(self, needed: int) -> None:
        """Check that a device allows a single buffer of `needed` bytes.

        Raises
        ------
        OutOfMemoryError
            If it does not.
        """
        most = self.largest_buffer()
        if needed > most:
            raise OutOfMemoryError(
                f"{_named(self)} allows buffers of up to {size_of(most)} and one of {size_of(needed)} is needed: "
                f"use another device, or device='cpu'"
            )
