"""The interface of a device's runtime: buffers, launches and sorted columns.

Every method raises `DeviceError` or `OutOfMemoryError` and no exception of the package behind it. The same holds for
functions of `xp` inside ``with runtime.active():``, so that no function of `xp` may be called outside such a block.
Before a count allocates its first buffer, it passes an estimate of its memory to `errors.check_room`, as
`memory.check_lists` does for triangles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import DTypeLike, NDArray

    from triadic.devices.runtimes.source import Source

    Buffer = Any  # an array on the device: CuPy's or PyOpenCL's

Result = TypeVar("Result")

LANES = 32  # work-items of a team
FOR_SORTING = 1 << 24  # bytes that a sort needs beside the keys and a second buffer for them
# Kernels store a vertex in 32 bits, and the keys of arcs use one of these bits. Degrees have 32 bits too: with more
# arcs, the degree of a hub could wrap around.
MAX_VERTICES, MAX_ARCS = (1 << 31) - 1, 1 << 32


def launch_each(runtime: Runtime, source: Source, kernel: str, items: int, *arguments: Buffer | np.generic) -> None:
    """Launch a kernel with one work-item for each of `items`."""
    runtime.launch(source, kernel, -(-items // (LANES * runtime.teams)), *arguments)


class Runtime(Protocol):
    """The runtime of one device.

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
    launches: int

    def active(self, needed: int = 0) -> AbstractContextManager[Any]:
        """Return a context in which functions of `xp` run on this device and raise triadic's errors.

        The error of a full device says that `needed` bytes were requested, unless `needed` is 0.
        """

    @property
    def xp(self) -> Any:  # noqa: ANN401 - a module
        """NumPy, or a module with the same functions for arrays on the device."""

    def view(self, buffer: Buffer) -> Any:  # noqa: ANN401 - an array of `xp`
        """Return a buffer as an array of `xp`."""

    def upload(self, array: NDArray[Any] | Buffer) -> Buffer:
        """Copy an array from the host or another device. Return a buffer of this device without a copy."""

    def takes(self, buffer: Buffer) -> bool:
        """Return whether `upload` accepts a buffer of another device."""

    def zeros(self, shape: int, dtype: DTypeLike) -> Buffer:
        """Allocate a buffer of zeros."""

    def empty(self, shape: int, dtype: DTypeLike) -> Buffer:
        """Allocate a buffer without setting its values."""

    def fill(self, buffer: Buffer, arrays: Sequence[tuple[int, NDArray[Any]]]) -> None:
        """Copy arrays from the host to places in a buffer, as its type; later launches see them."""

    def download(self, buffer: Buffer) -> NDArray[Any]:
        """Copy a buffer to the host after all launches so far."""

    def download_later(self, buffer: Buffer) -> Callable[[], NDArray[Any]]:
        """Return a function that copies a buffer to the host, if possible while later launches run.

        The copy waits for the launches before this call. Later launches must not write to the buffer.
        """

    def launch(
        self, source: Source, kernel: str, blocks: int, *arguments: Buffer | np.generic, threads: int | None = None
    ) -> None:
        """Launch a kernel on `blocks` blocks of `teams` teams each, or of `threads` work-items each."""

    def clear(self, buffer: Buffer) -> None:
        """Set all values of a buffer to zero."""

    def record(self, begin: Callable[[], None], branches: Sequence[Callable[[], None]]) -> Callable[[], None]:
        """Return a function that repeats launches: those of `begin`, then those of all branches.

        The functions launch kernels and clear buffers, and do nothing else. Branches run side by side if the device
        can, and the repeated launches cost the host one launch. Every kernel must have been launched before.
        """

    def start(self, work: Callable[[], Result]) -> Callable[[], Result]:
        """Start work that copies and launches, if possible while this thread copies and launches too.

        Work that was started runs in order, in one thread. The returned function waits until all launches of the work
        have ended, and returns its result.
        """

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
