"""Work of devices: shares of a count's tasks, and repeated launches.

Several devices work at the same time, and take shares of the tasks of a count from one queue. The launches of a count
of few edges on one device are recorded once and then repeated.

Idea: in a small graph each kernel takes less time than its launch, and ends with a few long tasks while most of the
  device is idle. Recorded launches cost the host one launch, and run side by side. The bit matrix of the hubs and all
  buffers stay on the device as long as the graph does.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from triadic.core import blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.blocks import Progress
    from triadic.devices.runtimes.runtime import Argument, Buffer, Runtime, Source


ROW_TASKS = ("tasks",)  # headers of kernels over listed rows
# One share for 64 million edges on a single device; several devices need more shares to end at the same time.
_EDGES_SHIFT, _MOST_SHARES, _SHARES_OF_A_DEVICE = 26, 16, 4
Made = TypeVar("Made")
MOST_EDGES = 1 << 25  # of a graph whose counts are recorded


class Share(NamedTuple):
    """The tasks ``first, first + step, first + 2 * step, ...``, `size` in all."""

    first: int
    step: int
    size: int

    @classmethod
    def of(cls, tasks: int, first: int, step: int) -> Share:
        """Return the share of every `step`-th of `tasks` tasks from `first` on."""
        return cls(first, step, max(0, -(-(tasks - first) // step)))

    def launch(
        self,
        runtime: Runtime,
        source: Source,
        kernel: str,
        arrays: tuple[Buffer, ...],
        *arguments: Argument,
        in_a_team: int = 1,
        blocks: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Launch a kernel, `in_a_team` tasks to a team: its parameters are `arrays`, the share, and `arguments`.

        There are `blocks` blocks, by default as many as all tasks need, of `threads` work-items, by default a work-item
        for each lane of the runtime's teams.
        """
        blocks_of_teams = -(-self.size // (in_a_team * runtime.teams)) if blocks is None else blocks
        runtime.launch(source, kernel, blocks_of_teams, *arrays, *self, *arguments, threads=threads)


def run_shares(counters: Sequence[Any], edges: int, progress: Progress | None, take: str = "take") -> None:
    """Let devices take shares from one queue, with one host thread for each device.

    Parameters
    ----------
    counters : sequence
        One for each device, with a method ``take(first, step)`` that counts every `step`-th task from `first` on and,
        if there are other tasks, waits for the device.
    edges : int
        Number of edges of the graph; more edges are cut into more shares.
    progress : callable or None
        Called with the number of finished shares and of all shares.
    take : str, default "take"
        Name of the method.
    """
    takes, devices = [getattr(counter, take) for counter in counters], len(counters)
    least = 1 if devices == 1 else _SHARES_OF_A_DEVICE
    shares = devices * max(least, min(_MOST_SHARES, edges >> _EDGES_SHIFT))
    blocks.run(lambda worker, share: takes[worker](share, shares), shares, threads=devices, progress=progress)


def cut_by(*limits: tuple[Int64Array, int]) -> Int64Array:
    """Cut items into batches as long as several limits allow, or of one item.

    Parameters
    ----------
    *limits : tuple of int64 array, shape (n + 1,), and int
        The sum of a cost over the items before each item, and of all items; the most that a batch may cost.

    Returns
    -------
    int64 array, shape (batches + 1,)
        First item of each batch, and n.
    """
    n = len(limits[0][0]) - 1
    cuts = [0]
    while cuts[-1] < n:
        here = cuts[-1]
        ends = (int(np.searchsorted(before, before[here] + most, side="right")) - 1 for before, most in limits)
        cuts.append(max(here + 1, min(ends)))
    return np.array(cuts, np.int64)


def on_each(
    runtimes: Sequence[Runtime], make: Callable[[Runtime], Made], *, progress: Progress | None = None
) -> list[Made]:
    """Return ``make(runtime)`` for each of several devices, which work at the same time."""
    count = len(runtimes)
    return blocks.results(lambda _, number: make(runtimes[number]), count, threads=count, progress=progress)


def summed_on(counters: Sequence[Any], name: str = "counts") -> Buffer:
    """Return the sum of buffers of several devices, on the first device.

    Parameters
    ----------
    counters : sequence
        Each has a `runtime`, and under `name` the buffer, which is only read.
    name : str, default "counts"
    """
    (runtime, own), *others = [(counter.runtime, getattr(counter, name)) for counter in counters]
    if not others:
        return own
    with runtime.active():
        total = runtime.view(own)
        for owner, buffer in others:
            there = runtime.upload(buffer if runtime.takes(buffer) else owner.download(buffer))
            total = total + runtime.view(there)
        return runtime.upload(total)


def downloaded(counters: Sequence[Any]) -> AnyArray:
    """Return the sum of the `counts` of several devices on the host, after all launches so far."""
    return counters[0].runtime.download(summed_on(counters))


class RecordedCount:
    """A count of a whole graph on one device, to be repeated.

    Parameters
    ----------
    runtime : Runtime
    launches : list of callable
        Functions that each launch kernels of the count, in any order.
    counts : Buffer
        What the kernels add to.
    """

    def __init__(self, runtime: Runtime, launches: list[Callable[[], None]], counts: Buffer) -> None:
        self._runtime, self._lock, self._launches, self._counts = runtime, Lock(), launches, counts
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
