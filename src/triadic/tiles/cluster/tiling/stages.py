"""One stage of tiling: tasks that do not depend on one another, whose small results the client collects."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from triadic.errors import DeviceError
from triadic.tiles.cluster.task_results import LostDataError, result, success

if TYPE_CHECKING:
    from collections.abc import Callable

    from distributed import Client, Future

    from triadic.core.blocks import Progress

_RETRIES = 3
_SECONDS_TO_WAIT = 30  # for the first worker
# Tasks that are submitted at a time.
_LEAST_SUBMITTED, _SUBMITTED_PER_THREAD = 32, 4
_ATTEMPTS = 5  # that may fail because data was lost with a worker


def run_stage(
    client: Client,
    function: Callable[..., Any],
    count: int,
    arguments: Callable[[int], tuple[Any, ...]],
    progress: Progress | None,
) -> list[Any]:
    """Return the results of ``function(*arguments(k))`` for k < `count`, each of which is a task.

    Raises
    ------
    TriadicError
        A task raised it.
    DeviceError
        Workers died repeatedly in the same task, a task failed with another error, or the scheduler is gone.
    """
    results: list[Any] = [None] * count
    missing = list(range(count))
    report = progress or (lambda _done, _total: None)
    report(0, max(count, 1))
    for remaining in reversed(range(_ATTEMPTS)):
        missing = _run(client, function, arguments, missing, results, report)
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
    try:
        client.wait_for_workers(1, timeout=_SECONDS_TO_WAIT)
    except TimeoutError:
        raise DeviceError(f"the cluster has no workers: waited {_SECONDS_TO_WAIT} seconds for one") from None
    return max(1, int(sum(client.nthreads().values())))


def thread_memory(client: Client) -> int | None:
    """Return the smallest memory of a thread of a worker, in bytes; None if no worker has a limit."""
    limits = client.run_on_scheduler(_memory_limits)
    return min((limit // threads for limit, threads in limits if limit), default=None)


def _memory_limits(dask_scheduler: Any) -> list[tuple[int, int]]:  # noqa: ANN401 - of an extra
    return [(worker.memory_limit, worker.nthreads) for worker in dask_scheduler.workers.values()]


def _run(
    client: Client,
    function: Callable[..., Any],
    arguments: Callable[[int], tuple[Any, ...]],
    missing: list[int],
    results: list[Any],
    report: Progress,
) -> list[int]:
    """Run the missing tasks and store their results; return the numbers of those whose results were lost."""
    from distributed import as_completed  # noqa: PLC0415 - of an extra

    name = f"triadic-{function.__name__}-{uuid4().hex[:8]}"
    waiting = iter(missing)
    lost: list[int] = []
    done = len(results) - len(missing)
    numbers: dict[str, int] = {}
    running: dict[str, Future] = {}
    pending = as_completed(loop=client.loop)

    def submit(number: int) -> None:
        """Submit some more tasks: only these have arguments, which may be long lists of parts."""
        for k in islice(waiting, number):
            key = f"{name}-{k}"
            future = client.submit(function, *arguments(k), key=key, retries=_RETRIES, priority=-k, pure=False)
            numbers[key], running[key] = k, future
            pending.add(future)

    try:
        submit(max(_LEAST_SUBMITTED, _SUBMITTED_PER_THREAD * sum(client.nthreads().values())))
        for future in pending:
            try:
                results[numbers[future.key]] = success(result(future))
                done += 1
            except LostDataError:
                lost.append(numbers[future.key])
            running.pop(future.key).release()
            submit(1)
            report(done, max(len(results), 1))
    finally:
        for future in running.values():
            future.release()
    return sorted(lost)
