"""The count of a graph of few edges on one device, whose launches are recorded once and then repeated.

Idea: in a small graph each kernel takes less time than its launch, and ends with a few long tasks while most of the
  device is idle. Recorded launches cost the host one launch, and run side by side. The bit matrix of the hubs and all
  buffers stay on the device as long as the graph does.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.sums import add_to_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.devices.runtimes.runtime import Buffer, Runtime

MOST_EDGES = 1 << 25  # of a graph whose counts are recorded


class RecordedCount:
    """A count of a whole graph on one device, to be repeated.

    Parameters
    ----------
    runtime : Runtime
    launches : list of callable
        Functions that each launch a kernel of the count, in any order.
    counts : Buffer or None
        What the kernels add to. None: each kernel leaves a count for each of its tasks, and their sum is the count.
    parts : list of Buffer
        The counts for each task, a buffer for each kernel, if `counts` is None.
    """

    def __init__(
        self, runtime: Runtime, launches: list[Callable[[], None]], counts: Buffer | None, parts: list[Buffer]
    ) -> None:
        self._runtime, self._lock, self._launches = runtime, Lock(), launches
        self._counts: Buffer = counts
        if counts is None:
            self._counts = runtime.zeros(2, np.uint32)
            self._launches = [
                partial(_count_and_sum, runtime, launch, of_tasks, self._counts)
                for launch, of_tasks in zip(launches, parts, strict=True)
            ]
        self._again: Callable[[], None] | None = None
        self._is_compiled = False

    @contextmanager
    def counted(self) -> Iterator[Buffer]:
        """Count, and yield the counts; another thread waits with its count until the block ends."""
        with self._lock:
            clear = partial(self._runtime.clear, self._counts)
            if not self._is_compiled:  # kernels are compiled by their first launch, which cannot be recorded
                clear()
                for launch in self._launches:
                    launch()
                self._is_compiled = True
            else:
                if self._again is None:
                    self._again = self._runtime.record(clear, self._launches)
                self._again()
            yield self._counts


def _count_and_sum(runtime: Runtime, launch: Callable[[], None], parts: Buffer, found: Buffer) -> None:
    launch()
    add_to_sum(runtime, parts, found)
