"""Sums of counts that lie on a device (sums.c)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.runtimes.runtime import LANES
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.devices.runtimes.runtime import Buffer, Runtime

_SOURCE = Source("sums", headers=("wide_sums",))
_MOST_BLOCKS = 256  # enough to keep a card busy, few to add to one place


def sum_on_device(runtime: Runtime, parts: Sequence[Buffer]) -> int:
    """Return the sum of all numbers in some uint64 buffers, after all launches so far; it must be below 2**64."""
    found = runtime.zeros(2, np.uint32)
    for numbers in parts:
        add_to_sum(runtime, numbers, found)
    return int(runtime.download(found).view(np.uint64)[0])


def add_to_sum(runtime: Runtime, numbers: Buffer, found: Buffer) -> None:
    """Launch the kernel that adds all numbers in a uint64 buffer to the two words of `found`."""
    count, size = len(numbers), LANES * runtime.teams
    blocks = min(_MOST_BLOCKS, -(-count // size))
    runtime.launch(_SOURCE, "add_up", blocks, numbers, np.uint64(count), np.uint64(blocks * size), found)
