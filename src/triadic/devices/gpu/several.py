"""Work that several devices do at the same time, and sums of their counts on one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from triadic.core import blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import DTypeLike

    from triadic.devices.runtimes.runtime import Buffer, Runtime

Made = TypeVar("Made")


def on_each(runtimes: Sequence[Runtime], make: Callable[[Runtime], Made]) -> list[Made]:
    """Return ``make(runtime)`` for each of several devices, which work at the same time."""
    made: dict[int, Made] = {}

    def make_one(_: int, number: int) -> None:
        made[number] = make(runtimes[number])

    blocks.run(make_one, len(runtimes), threads=len(runtimes))
    return [made[number] for number in range(len(runtimes))]


def summed_on(runtime: Runtime, own: Buffer, others: Sequence[tuple[Runtime, Buffer]], dtype: DTypeLike) -> Buffer:
    """Return the sum of a device's buffer and those of other devices, on the first device and of its buffer's type.

    Parameters
    ----------
    runtime : Runtime
    own : Buffer
    others : sequence of (Runtime, Buffer)
        The other devices and their buffers, which are only read.
    dtype : dtype
        Type of the numbers in the buffers.
    """
    if not others:
        return own
    with runtime.active():
        total = runtime.view(own).view(dtype)
        for owner, buffer in others:
            there = runtime.upload(buffer if runtime.takes(buffer) else owner.download(buffer))
            total = total + runtime.view(there).view(dtype)
        return runtime.upload(total.view(own.dtype))
