"""What a GPU runtime offers, whatever stands behind it: buffers, launches and sorted columns.

Every method raises `DeviceError` or `OutOfMemoryError` and nothing of the package behind it; so does what is done with
`xp` inside ``with runtime.active():``, and so nothing of `xp` belongs outside. A count estimates what it will take
and says so to `errors.check_room` before its first buffer, as `room.check_lists` does for triangles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import DTypeLike, NDArray

    from triadic.devices.gpu.source import Source

    Buffer = Any  # an array on the device: CuPy's or PyOpenCL's

LANES = 32  # work-items of a team
FOR_SORTING = 1 << 24  # bytes: beside a second buffer for the keys, a sort takes a little room for its counts


def launch_each(runtime: Runtime, source: Source, kernel: str, items: int, *arguments: Buffer | np.generic) -> None:
    """Launch a kernel with a work-item for each of some items."""
    runtime.launch(source, kernel, -(-items // (LANES * runtime.teams)), *arguments)


class Runtime(Protocol):
    """One device.

    Attributes
    ----------
    name : str
        As `device=` takes it: "cuda:0", "opencl:1".
    label : str
        What its maker calls it.
    teams : int
        Teams in a block.
    multiprocessors : int
        What runs blocks side by side; OpenCL's compute units.
    launches : int
        Kernels launched since the start.
    """

    name: str
    label: str
    teams: int
    multiprocessors: int
    launches: int

    def active(self, needed: int = 0) -> AbstractContextManager[Any]:
        """Give a context in which functions of `xp` run on this device and its package's errors become ours.

        The error of a device that is full says that `needed` bytes were asked for, where given.
        """

    @property
    def xp(self) -> Any:  # noqa: ANN401 - a module
        """NumPy, or a module with its functions whose arrays lie on the device."""

    def view(self, buffer: Buffer) -> Any:  # noqa: ANN401 - an array of `xp`
        """Give a buffer as an array of `xp`."""

    def upload(self, array: NDArray[Any] | Buffer) -> Buffer:
        """Copy an array to the device, from the host or from a device that it `takes`; one there is given back."""

    def takes(self, buffer: Buffer) -> bool:
        """Say whether `upload` takes a buffer of another device."""

    def zeros(self, shape: int, dtype: DTypeLike) -> Buffer:
        """Give zeros on the device."""

    def empty(self, shape: int, dtype: DTypeLike) -> Buffer:
        """Give room on the device, with anything in it."""

    def download(self, buffer: Buffer) -> NDArray[Any]:
        """Copy an array from the device, when all launches before are done."""

    def download_later(self, buffer: Buffer) -> Callable[[], NDArray[Any]]:
        """Give a function that copies an array from the device, where it can while what is launched later runs.

        The copy waits for what was launched before this call, not for what comes after, which must not write there.
        """

    def launch(
        self, source: Source, kernel: str, blocks: int, *arguments: Buffer | np.generic, threads: int | None = None
    ) -> None:
        """Launch a kernel on so many blocks of `teams` teams, or of `threads` work-items, where there are no teams."""

    def synchronize(self) -> None:
        """Wait until all launches are done."""

    def columns(self, indptr: Buffer, indices: Buffer, walked_from: Buffer) -> tuple[Buffer, Buffer]:
        """List by column the rows of the entries from `walked_from` on.

        Returns
        -------
        ptr : int64, shape (n + 1,)
        rows : uint32, shape (lists,)
            Rising within each column.
        """

    def sort(self, keys: Buffer) -> Buffer:
        """Sort 64-bit keys, in place where the device can; it takes as much room again."""

    def room_for_columns(self, n: int, lists: int) -> tuple[int, ...]:
        """Give the bytes of the buffers that are there when `columns` takes the most, its results among them."""

    def describe(self) -> str:
        """Describe the device on one line."""

    def memory(self) -> tuple[int, int]:
        """Give the bytes that are free, and all there are."""

    def largest_buffer(self) -> int:
        """Give the bytes that one buffer may have."""
