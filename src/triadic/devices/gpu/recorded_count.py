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

    from triadic.devices.gpu.triangles import TriangleCounter
    from triadic.devices.runtimes.runtime import Buffer

MOST_EDGES = 1 << 25  # of a graph whose counts are recorded


class RecordedCount:
    """A count of a whole graph on one device, to be repeated.

    Parameters
    ----------
    counter : TriangleCounter
        Its counts are made anew by each repeat.
    """

    def __init__(self, counter: TriangleCounter) -> None:
        self._runtime, self._lock = counter.runtime, Lock()
        self._launches: list[Callable[[], None]] = counter.launches(0, 1)
        self._counts: Buffer = counter.counts
        if counter.counts is None:  # the sum of the counts of all teams
            self._counts = self._runtime.zeros(2, np.uint32)
            self._launches = [
                partial(self._count_and_sum, launch, parts)
                for launch, parts in zip(self._launches, counter.parts, strict=True)
            ]
        self._again: Callable[[], None] | None = None
        self._is_compiled = False

    @contextmanager
    def counted(self) -> Iterator[Buffer]:
        """Count, and yield the counts; another thread waits with its count until the block ends."""
        with self._lock:
            clear = partial(self._runtime.clear, self._counts)
            if not self._is_compiled:  # kernels are compiled by their first launch, which cannot be recorded
                for launch in (clear, *self._launches):
                    launch()
                self._is_compiled = True
            else:
                if self._again is None:
                    self._again = self._runtime.record(clear, self._launches)
                self._again()
            yield self._counts

    def _count_and_sum(self, launch: Callable[[], None], parts: Buffer) -> None:
        launch()
        add_to_sum(self._runtime, parts, self._counts)
