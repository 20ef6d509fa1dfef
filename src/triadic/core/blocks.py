"""Cut work into blocks, and run the blocks on workers: a free worker takes the next block from a shared queue.

Blocks have about equal work. Between two blocks a worker checks for Ctrl-C and for errors of other workers, and reports
progress. A worker may add into an array of its own, from `zeros`; `summed` adds these arrays up.

A call such as `clustering` makes several passes, and starting threads for each pass takes a noticeable part of the time
of a small graph. Within `one_team`, the passes of the calling thread share helpers: threads that are started by the
first pass that needs them, wait for the next pass, and have ended when the block ends. So no thread is left between
calls, where a fork would copy its locks and the end of the interpreter would meet it.

References
----------
Leist, Hawick and Playne (2011), CSTN-117, section 2.2.
Nagpal (2013), the triad census thesis, section 4.3.1.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager, suppress
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from triadic.core.memory import group_folders, read_limit
from triadic.core.progress import held_back
from triadic.errors import ArgumentError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from triadic.core.array_types import Int64Array

    Progress = Callable[[int, int], object]

Value = TypeVar("Value")
Number = TypeVar("Number", bound=np.generic)

# Interval at which the waiting main thread checks for Ctrl-C and reports progress.
_HEARTBEAT_SECONDS = 0.05
_WHOLE = 1 << 20  # total of work that is done in stages, whose own units differ
_SHORTEST_PIECE, _LONGEST_PIECE = 1 << 16, 1 << 18
# Reading the limits takes as long as counting a small graph, so a reading is used again for a second.
_SECONDS = 1.0
# More threads are not started, for counts keep arrays for each thread; results do not depend on their number.
_MOST_THREADS = 512
_reading = (-_SECONDS, 1)

AGAIN = object()
"""What a task returns that is not finished, and is called again by the same worker, unless the pass was stopped."""


def allowed_threads() -> int:
    """Return the number of threads that this process may run at a time, by its affinity and its control groups."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(allowed, _cgroup_threads()))


def resolve_threads(threads: int | None) -> int:
    """Return the number of threads for the argument `threads`, at most 512; None means `allowed_threads`."""
    global _reading  # noqa: PLW0603 - the last reading of the process
    if threads is None:
        read_at, allowed = _reading
        if time.monotonic() - read_at > _SECONDS:
            allowed = allowed_threads()
            _reading = (time.monotonic(), allowed)
        return allowed
    try:
        number = 0 if isinstance(threads, bool) else index(threads)
    except TypeError:
        number = 0
    if number < 1:
        raise ArgumentError(f"threads={shown(threads)}: expected None or a whole number of at least 1")
    return min(number, _MOST_THREADS)


def cut(cost: Int64Array, block_cost: int | None = None, *, most: int = 1 << 20) -> Int64Array:
    """Cut items 0 .. n-1 into consecutive blocks of about equal cost.

    Parameters
    ----------
    cost : int64 array, shape (n + 1,)
        Total cost of the items before each item, and of all items.
    block_cost : int, optional
        Desired cost of a block; an item that costs more is a block of its own. By default that of `piece`.
    most : int
        Approximate upper limit of the number of blocks, whatever their cost.

    Returns
    -------
    int64 array, shape (blocks + 1,)
        First item of each block, and n.
    """
    n, total = len(cost) - 1, int(cost[-1])
    if n == 0:
        return np.zeros(1, np.int64)
    count = int(min(max(1, -(-total // max(1, block_cost or piece(total)))), most, n))
    if count == 1:
        return np.array([0, n], np.int64)
    marks = np.arange(1, count, dtype=np.float64) * (total / count)
    inner = np.searchsorted(cost, marks.astype(np.int64), side="right") - 1
    return np.unique(np.concatenate([[0], inner, [n]])).astype(np.int64)


def piece(items: int) -> int:
    """Return the number of items in a block of a pass over all items.

    A block is long enough that dispatching costs nothing, and short enough that a few items are shared among workers.
    """
    return min(_LONGEST_PIECE, max(_SHORTEST_PIECE, items >> 3))


def counting_threads(arcs: int, threads: int) -> int:
    """Return the number of workers that count degrees: each holds an array of n."""
    return max(1, min(threads, -(-arcs // piece(arcs))))


def cut_evenly(n: int, blocks: int) -> Int64Array:
    """Cut items 0 .. n-1 into at most `blocks` consecutive blocks of equal length."""
    if min(blocks, n) <= 1:
        return np.array([0, n] if n else [0], np.int64)
    return np.unique(np.linspace(0, n, min(blocks, n) + 1).astype(np.int64))


def cut_pieces(n: int, length: int | None = None) -> Int64Array:
    """Cut items 0 .. n-1 into consecutive blocks of equal length, at most `length` and by default that of `piece`."""
    return cut_evenly(n, -(-n // (length or piece(n))))


def run(
    task: Callable[[int, int], object],
    blocks: int,
    *,
    threads: int,
    costs: Sequence[int] | Int64Array | None = None,
    progress: Progress | None = None,
) -> None:
    """Run ``task(worker, block)`` for every block, each once, on `threads` workers.

    Worker 0 is the calling thread; the others are new threads, or within `one_team` those of the pass before. Two tasks
    of one worker never overlap. After an exception of a task, or Ctrl-C, the blocks that are running finish, and the
    exception is raised; threads that were started for this run have ended.

    Parameters
    ----------
    task : callable
        Function that releases the GIL; other functions would not run in parallel.
    blocks : int
        Number of blocks.
    threads : int
        Number of workers, at least 1.
    costs : sequence of int, optional
        Cost of each block, in which progress is measured; by default 1.
    progress : callable, optional
        ``progress(done, total)`` is called in the calling thread, with sums of costs, at the start, from time to time
        and at the end.
    """
    if progress is None and (blocks == 1 or threads == 1):
        for number in range(blocks):
            while task(0, number) is AGAIN:
                pass
        return
    queue = _Queue(task, blocks, costs, progress)
    queue.report()
    with team_for_pass() as team:
        try:
            team.begin(queue, min(threads, blocks))
            # The caller is worker 0, since waking a thread costs as much as a small graph's block.
            while (block := queue.take()) is not None:
                while task(0, block) is AGAIN:
                    queue.report()
                queue.finish(block)
                queue.report()
            while not team.has_ended(_HEARTBEAT_SECONDS):
                queue.report()
        finally:
            queue.stopped = True
            while not team.has_ended(_HEARTBEAT_SECONDS):
                pass
    if queue.error is not None:
        raise queue.error
    queue.report()


def run_cuts(
    task: Callable[[int, tuple[int, int]], object],
    cuts: Int64Array,
    *,
    threads: int,
    costs: Int64Array | None = None,
    progress: Progress | None = None,
) -> None:
    """Run ``task(worker, (first, last))`` for what lies between each two successive cuts, as `run` does."""
    if progress is None and (threads == 1 or len(cuts) == 2):  # short counts are spared a frame
        for bounds in pairwise(cuts):
            task(0, bounds)
        return
    run(
        lambda worker, b: task(worker, (cuts[b], cuts[b + 1])),
        len(cuts) - 1,
        threads=threads,
        costs=costs,
        progress=progress,
    )


def results(
    task: Callable[[int, int], Value],
    blocks: int,
    *,
    threads: int,
    costs: Int64Array | None = None,
    progress: Progress | None = None,
) -> list[Value]:
    """Return ``task(worker, block)`` of every block, in the order of the blocks; they run as those of `run`."""
    values: list[Any] = [None] * blocks

    def keep(worker: int, block: int) -> None:
        values[block] = task(worker, block)

    run(keep, blocks, threads=threads, costs=costs, progress=progress)
    return values


def zeros(threads: int, shape: int | tuple[int, ...], dtype: type[Number]) -> list[NDArray[Number]]:
    """Return one array of zeros for each worker: on pages of its own, first touched by its worker."""
    return [np.zeros(shape, dtype) for _ in range(threads)]


def summed(parts: list[NDArray[Number]], *, threads: int = 1) -> NDArray[Number]:
    """Add the arrays of all workers into the first worker's array and return it.

    With `threads` above 1 the addition itself runs on several workers, which pays for large tables.
    """
    cuts = cut_evenly(len(parts[0]), 4 * threads if threads > 1 else 1)

    def add(_: int, bounds: tuple[int, int]) -> None:
        part = slice(*bounds)
        for other in parts[1:]:
            parts[0][part] += other[part]  # type: ignore[misc]  # of numbers of any one type

    run_cuts(add, cuts, threads=threads)
    return parts[0]


def split(progress: Progress | None, weights: Sequence[float]) -> list[Progress | None]:
    """Return a progress function for each of several stages, which follow one another.

    Parameters
    ----------
    progress : callable or None
        Function to which the progress of all stages together is reported; None reports nothing.
    weights : sequence of float
        Estimated share of each stage in the work.
    """
    if progress is None:
        return [None] * len(weights)
    report, total = progress, sum(weights)

    def share(before: float, weight: float) -> Progress:
        def report_stage(done: int, stage_total: int) -> None:
            part = done / stage_total if stage_total else 1.0
            report(round(_WHOLE * (before + weight * part) / total), _WHOLE)

        return report_stage

    return [share(sum(weights[:i]), weight) for i, weight in enumerate(weights)]


class _Queue:
    """The blocks of one call of `run`, and the state that its workers share."""

    def __init__(
        self,
        task: Callable[[int, int], object],
        blocks: int,
        costs: Sequence[int] | Int64Array | None,
        progress: Progress | None,
    ) -> None:
        self.task = task
        self.blocks = blocks
        self.costs = costs
        self.progress = progress
        self.total = blocks if costs is None else sum(int(cost) for cost in costs)
        self.next = 0
        self.done = 0
        self.stopped = False
        self.error: BaseException | None = None
        self.lock = threading.Lock()

    def report(self) -> None:
        """Report progress, unless a task has failed."""
        if self.progress is not None and self.error is None:
            self.progress(self.done, self.total)

    def take(self) -> int | None:
        """Return the next block; None if there is none, or if another worker has failed."""
        with self.lock:
            if self.stopped or self.next == self.blocks:
                return None
            self.next += 1
            return self.next - 1

    def finish(self, block: int) -> None:
        """Add the cost of a block to the work that is done."""
        with self.lock:
            self.done += 1 if self.costs is None else int(self.costs[block])

    def work(self, worker: int) -> None:
        """Run blocks on a thread until there are no more; hand an exception over to the caller's thread."""
        try:
            while (block := self.take()) is not None:
                while self.task(worker, block) is AGAIN and not self.stopped:
                    pass
                self.finish(block)
        except BaseException as error:  # noqa: BLE001 - raised by the caller's thread
            self.error = error
            self.stopped = True


def _cgroup_threads() -> int:
    """Return the number of processors that the tightest control group allows, rounded up; 2**30 without a limit."""
    threads = 1 << 30
    for folder in group_folders("cpu"):
        quota, period = read_limit(folder / "cpu.cfs_quota_us"), read_limit(folder / "cpu.cfs_period_us")
        with suppress(OSError, ValueError):  # no file of the unified hierarchy, or "max", which means no limit
            quota, period = (int(part) for part in (folder / "cpu.max").read_text().split())
        if quota is not None and quota > 0 and period:
            threads = min(threads, -(-quota // period))
    return threads


class Helper:
    """A thread that works on one pass after another, once it is started."""

    def __init__(self, worker: int) -> None:
        self._worker = worker
        self._given: tuple[_Queue, threading.Lock] | None = None
        # Each pass has a lock of its own for its end, so that none is left over from the pass before.
        self._begin, self._end = threading.Lock(), threading.Lock()
        self._begin.acquire()
        self._given_passes = self._ended_passes = 0
        self._thread = threading.Thread(target=self._serve, name=f"triadic-{worker}", daemon=True)

    def give(self, work: _Queue) -> None:
        """Let the thread begin a pass; start it for its first pass."""
        if self._thread.ident is None:
            with held_back():  # Ctrl-C during the start would leave a thread that runs and has no `ident` yet
                self._thread.start()
        self._end = threading.Lock()
        self._end.acquire()
        self._given = work, self._end
        try:
            self._given_passes += 1
        finally:  # also if Ctrl-C comes between the two
            self._begin.release()

    def has_ended(self, timeout: float) -> bool:
        """Wait for the end of the pass, at most `timeout` seconds; return whether it has ended."""
        # Counted, since Ctrl-C may come right after the lock is acquired, and the lock is not released again.
        if self._ended_passes < self._given_passes:
            self._end.acquire(timeout=timeout)
        return self._ended_passes >= self._given_passes

    def dismiss(self) -> None:
        """Let the thread end after its pass, and wait for it."""
        if self._thread.ident is not None:
            self._given = None
            if self._begin.locked():  # it is not if Ctrl-C came before the thread began its pass
                self._begin.release()
            self._thread.join()

    def _serve(self) -> None:
        while True:
            self._begin.acquire()
            given, self._given = self._given, None
            if given is None:
                return
            work, end = given
            work.work(self._worker)
            del given, work  # the arrays of a pass are freed at its end
            self._ended_passes += 1
            end.release()


class Team:
    """The helpers of one thread. Worker 0 is the thread itself; helpers are workers from 1 on.

    Attributes
    ----------
    busy : bool
        Whether a pass is under way, or was interrupted: then the team takes no other.
    """

    def __init__(self) -> None:
        self.busy = False
        self._helpers: list[Helper] = []

    def begin(self, work: _Queue, workers: int) -> None:
        """Let all workers but the thread itself begin a pass."""
        self._helpers += [Helper(worker) for worker in range(len(self._helpers) + 1, workers)]
        for helper in self._helpers[: workers - 1]:
            try:
                helper.give(work)
            except RuntimeError:  # the system starts no more threads: those that run take all blocks
                return

    def has_ended(self, timeout: float) -> bool:
        """Wait for the helpers to end the pass, at most `timeout` seconds for each; return whether all have."""
        return all(helper.has_ended(timeout) for helper in self._helpers)

    def dismiss(self) -> None:
        """End all threads, also if Ctrl-C interrupts the wait for one of them."""
        try:
            for helper in self._helpers:
                helper.dismiss()
        except BaseException:
            for helper in self._helpers:
                helper.dismiss()
            raise


class _OfThread(threading.local):
    team: Team | None = None


_current = _OfThread()


def _leave_team() -> None:
    _current.team = None


if hasattr(os, "register_at_fork"):  # a fork from a progress function: the threads of the team are not in the child
    os.register_at_fork(after_in_child=_leave_team)


@contextmanager
def one_team() -> Iterator[None]:
    """Share helpers among the passes that the calling thread makes within the block; also a decorator."""
    if _current.team is not None:
        yield
        return
    team = Team()
    try:
        _current.team = team
        yield
    finally:
        _current.team = None
        team.dismiss()


@contextmanager
def team_for_pass() -> Iterator[Team]:
    """Yield the team of the calling thread, or a new team outside `one_team` and within another pass."""
    team = _current.team
    if team is None or team.busy:
        team = Team()
        try:
            yield team
        finally:
            team.dismiss()
        return
    team.busy = True
    yield team
    team.busy = False  # not after an exception
