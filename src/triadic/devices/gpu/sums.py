"""Sums of counts that lie on devices: of all numbers on one device (sums.c), and over several devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from triadic.core import blocks
from triadic.devices.runtimes.runtime import LANES
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import DTypeLike

    from triadic.devices.runtimes.runtime import Buffer, Runtime

Made = TypeVar("Made")

_SOURCE = Source("sums", headers=("wide_sums",))
_MOST_BLOCKS = 256  # enough to keep a card busy, few to add to one place


def sum_on_device(runtime: Runtime, parts: Sequence[Buffer]) -> int:
    """Return the sum of all numbers in some uint64 buffers, after all launches so far; it must be below 2**64."""
    found, size = runtime.zeros(2, np.uint32), LANES * runtime.teams
    for numbers in parts:
        count = len(numbers)
        blocks = min(_MOST_BLOCKS, -(-count // size))
        runtime.launch(_SOURCE, "add_up", blocks, numbers, np.uint64(count), np.uint64(blocks * size), found)
    return int(runtime.download(found).view(np.uint64)[0])


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
