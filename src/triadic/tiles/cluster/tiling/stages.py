"""One stage of tiling: tasks that do not depend on one another, whose small results the client collects."""

from __future__ import annotations

import time
from collections import defaultdict
from contextlib import suppress
from heapq import heappop, heappush
from itertools import islice
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from triadic.errors import DeviceError
from triadic.tiles.cluster.worker_watch import LostDataError, WorkerPool, WorkerWatch, result, success

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from distributed import Client, Future

    from triadic.core.blocks import Progress

_RETRIES = 3
# Tasks that are submitted at a time.
_LEAST_SUBMITTED, _SUBMITTED_PER_THREAD = 32, 4
_SECONDS_TO_GATHER, _SECONDS_TO_LOOK = 0.05, 0.002  # from the first finished task on
_NAME = "triadic-"  # begins the keys of all tasks
_SECONDS_TO_END = 30  # for tasks that run when a stage fails
_LOOKS = 2  # that see no task
_ATTEMPTS = 5  # that may fail because data was lost with a worker


def run_stage(
    client: Client,
    function: Callable[..., Any],
    count: int,
    arguments: Callable[[int], tuple[Any, ...]],
    progress: Progress | None,
    threads: int | None = None,
    *,
    results: list[Any] | None = None,
    needs: Callable[[int], Sequence[int]] = lambda _: (),
) -> list[Any]:
    """Return the results of ``function(*arguments(k))`` for k < `count`, each of which is a task.

    Tasks are submitted and results are fetched many at a time, because each message takes milliseconds of the client
    and the scheduler, which all tasks have to wait for. `threads` is the number of threads of all workers, if known.

    Task k begins after those with the numbers ``needs(k)``; then their results are in the list `results`, for
    `arguments`.

    Raises
    ------
    TriadicError
        A task raised it.
    DeviceError
        Workers died repeatedly in the same task, a task failed with another error, or the scheduler is gone.
    """
    results = [None] * count if results is None else results
    missing = list(range(count))
    report = progress or (lambda _done, _total: None)
    threads = threads or threads_of(client)
    report(0, max(count, 1))
    for remaining in reversed(range(_ATTEMPTS)):
        missing = _run(client, function, arguments, _Waiting(missing, needs), results, report, threads)
        if not missing:
            break
        if client.status != "running":
            raise DeviceError("the Dask scheduler is gone")
        if not remaining:
            raise DeviceError(f"data was lost with its worker {_ATTEMPTS} times: are workers being killed?")
    report(max(count, 1), max(count, 1))
    return results


def threads_of(client: Client) -> int:
    """Return the number of threads of all workers; wait for the first worker.

    Raises
    ------
    DeviceError
        No worker appears.
    """
    WorkerWatch(client, "tasks of tiling").first_worker()
    return max(1, int(sum(client.nthreads().values())))


def thread_memory(client: Client) -> int | None:
    """Return the smallest memory of a thread of a worker, in bytes; None if no worker has a limit."""
    return WorkerPool(client).thread_memory() or None


def wait_for_running_tasks(client: Client) -> None:
    """Wait at most 30 seconds until no task of a failed stage is left, because tasks write files.

    The client has released the tasks, but the scheduler and the workers are told later, and begin tasks until then. A
    message may still be on its way when no task is found, so that tasks must be missing twice in a row.
    """
    until, idle = time.monotonic() + _SECONDS_TO_END, 0
    while time.monotonic() < until and idle < _LOOKS:
        is_known = client.run_on_scheduler(_knows_tasks)
        is_idle = not is_known and not any(client.run(_holds_tasks, on_error="ignore").values())
        idle = idle + 1 if is_idle else 0
        time.sleep(_SECONDS_TO_GATHER)


def _knows_tasks(dask_scheduler: Any) -> bool:  # noqa: ANN401 - of an extra
    return any(_is_own(key) for key in dask_scheduler.tasks)


def _holds_tasks(dask_worker: Any) -> bool:  # noqa: ANN401 - of an extra
    state = dask_worker.state
    return any(_is_own(task.key) for tasks in (state.executing, state.ready) for task in tasks)


def _is_own(key: object) -> bool:
    return str(key).startswith(_NAME)


class _Waiting:
    """The numbers of tasks that are not submitted yet, of which some wait for others."""

    def __init__(self, missing: list[int], needs: Callable[[int], Sequence[int]]) -> None:
        self.missing = set(missing)
        self._unmet = {k: set(needs(k)) & self.missing for k in missing}
        self._ready = [k for k in missing if not self._unmet[k]]  # in rising order, so that it is a heap
        self._waited = {k for k, others in self._unmet.items() if others}
        self._followers: dict[int, list[int]] = defaultdict(list)
        for k, others in self._unmet.items():
            for other in others:
                self._followers[other].append(k)

    def follows(self, k: int) -> bool:
        """Return whether a task had to wait for others."""
        return k in self._waited

    def take(self, number: int) -> list[int]:
        """Remove and return the first tasks that wait for no other."""
        return [heappop(self._ready) for _ in range(min(number, len(self._ready)))]

    def finish(self, k: int) -> None:
        """Note that a task is finished."""
        self.missing.discard(k)
        for follower in self._followers.pop(k, ()):
            self._unmet[follower].discard(k)
            if not self._unmet[follower]:
                heappush(self._ready, follower)


def _run(
    client: Client,
    function: Callable[..., Any],
    arguments: Callable[[int], tuple[Any, ...]],
    waiting: _Waiting,
    results: list[Any],
    report: Progress,
    threads: int,
) -> list[int]:
    """Run the waiting tasks and store their results; return the numbers of those whose results were lost."""
    from distributed import as_completed  # noqa: PLC0415 - of an extra

    name = f"{_NAME}{function.__name__}-{uuid4().hex[:8]}"
    submitted = max(_LEAST_SUBMITTED, _SUBMITTED_PER_THREAD * threads)
    running: dict[str, int] = {}
    futures: dict[str, Future] = {}
    pending, watch = as_completed(loop=client.loop), WorkerWatch(client, "tasks of tiling")

    def submit(number: int) -> None:
        """Submit some more tasks: only these have arguments, which may be long lists of parts."""
        chosen = waiting.take(number)
        followers = [k for k in chosen if waiting.follows(k)]
        for some, priority in (
            (followers, 1),
            ([k for k in chosen if not waiting.follows(k)], -min(chosen, default=0)),
        ):
            if some:
                keys = [f"{name}-{k:09}" for k in some]  # tasks of one call run in the order of their keys
                columns = map(list, zip(*map(arguments, some), strict=True))
                added = client.map(function, *columns, key=keys, retries=_RETRIES, priority=priority, pure=False)
                running.update(zip(keys, some, strict=True))
                futures.update(zip(keys, added, strict=True))
                pending.update(added)

    try:
        submit(threads)  # workers begin while the arguments of the next tasks are made
        submit(submitted - len(futures))
        while futures:
            watch.wait_for_any(pending)
            some = _finished(pending, futures.values(), threads)
            submit(len(some))
            found = _results(client, some)
            for future, value in zip(some, found, strict=True):
                k = running[future.key]
                if not isinstance(value, LostDataError):
                    results[k] = success(value)
                    waiting.finish(k)
                futures.pop(future.key).release()
            submit(submitted - len(futures))
            report(len(results) - len(waiting.missing), max(len(results), 1))
    finally:
        for future in futures.values():
            future.release()
    return sorted(waiting.missing)


def _finished(pending: Any, running: Collection[Future], threads: int) -> list[Future]:  # noqa: ANN401 - of an extra
    """Wait for the next finished tasks, and a little longer for more, since results are fetched many at a time.

    If there are fewer tasks than threads, workers wait for tasks that may follow.
    """
    some: list[Future] = pending.next_batch(block=True)
    until = time.monotonic() + _SECONDS_TO_GATHER
    while time.monotonic() < until and _all_busy(running, threads):
        time.sleep(_SECONDS_TO_LOOK)
    some += pending.next_batch(block=False)
    return some


def _all_busy(running: Collection[Future], threads: int) -> bool:
    """Return whether as many tasks as threads are not finished."""
    pending = (future for future in running if future.status == "pending")
    return sum(1 for _ in islice(pending, threads)) >= threads


def _results(client: Client, futures: list[Future]) -> list[Any]:
    """Return the results of finished tasks, a LostDataError for each that was lost with its worker."""
    if all(future.status == "finished" for future in futures):
        with suppress(Exception):  # some were lost: they are fetched one by one
            return list(client.gather(futures))
    return [_result(future) for future in futures]


def _result(future: Future) -> Any:  # noqa: ANN401 - the result of any task
    try:
        return result(future)
    except LostDataError as error:
        return error
