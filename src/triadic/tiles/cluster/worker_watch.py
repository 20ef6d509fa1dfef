"""What the client notices while it waits for tasks: no workers, workers that die again and again, or full ones.

Dask waits for ever in all these cases, and prints nothing if its logs are silent. The client looks at the workers about
once a second, and raises an error or issues a warning.

`WorkerPool` submits tasks again if a worker dies. Errors of tasks become triadic's on the client.
"""

from __future__ import annotations

import time
from asyncio import CancelledError
from concurrent.futures import CancelledError as CancelledHereError
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from triadic.core.memory import show_bytes
from triadic.core.records import cached_property
from triadic.devices.select import warn
from triadic.errors import ArgumentError, DeviceError, OutOfMemoryError, TriadicError, in_one_line
from triadic.tiles.cluster.tile_transfer import PROCESS_BYTES, Failure, free_worker_memory, thread_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from distributed import Client, Future

    from triadic.core.blocks import Progress


SETTING = "triadic.worker-timeout"
FIRST_SECONDS = 30.0  # for the first worker, unless the setting says otherwise
_SECONDS = 300.0  # without workers during a call, unless the setting says otherwise
_WARN_AFTER = 10.0  # seconds without workers
_FULL_AFTER = 20.0  # seconds in which all workers are paused and no task runs
_DEATHS, _DEATHS_OF_WORKER = 6, 3  # before an error, at least and for each worker
_LOOK_EVERY, _LOOK_LATER = 1.0, 0.01  # seconds between looks, at least and for each worker
_SECONDS_TO_WAIT = 0.1  # for the next finished task, between looks


class WorkerState(NamedTuple):
    """The state of one worker.

    Attributes
    ----------
    limit : int
        Its memory limit in bytes; 0 without one.
    paused : bool
        Whether Dask starts no more tasks on it, because its memory is nearly full.
    executing : int
        Number of tasks that it runs.
    """

    limit: int
    paused: bool
    executing: int


def worker_timeout(default: float) -> float | None:
    """Return the seconds that a call waits without workers; None if it waits for ever.

    Raises
    ------
    ArgumentError
        The setting ``triadic.worker-timeout`` of Dask is not a time.
    """
    import dask  # noqa: PLC0415 - of an extra
    from dask.utils import parse_timedelta  # noqa: PLC0415

    value = dask.config.get(SETTING, default=default)
    try:
        seconds = None if value is None else float(parse_timedelta(value))
    except (ValueError, TypeError, KeyError, AttributeError):
        seconds = -1.0
    if seconds is not None and seconds < 0:
        raise ArgumentError(f"{SETTING}={value!r} in Dask's configuration: expected None or a time such as '5 minutes'")
    return seconds


class WorkerWatch:
    """Watch the workers of a cluster during a call.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.
    awaited : str
        What the call waits for, for messages.
    """

    def __init__(self, client: Client, awaited: str) -> None:
        self._client, self._awaited = client, awaited
        self._timeout = worker_timeout(_SECONDS)
        self._next = 0.0
        self._known: dict[str, WorkerState] = {}
        self._deaths = self._most = self._limit = 0
        self._empty_since = self._full_since = -1.0
        self._warned = False

    def finished(self) -> None:
        """Note that a task is finished, so that deaths of workers before it count no more."""
        self._deaths = 0
        self._full_since = -1.0

    def wait_for_any(self, completed: Any) -> None:  # noqa: ANN401 - of an extra
        """Wait until ``distributed.as_completed`` has a finished task, or no task is left."""
        while not completed.has_ready() and not completed.is_empty():
            with completed.thread_condition:
                if not completed.has_ready():
                    completed.thread_condition.wait(timeout=_SECONDS_TO_WAIT)
            self.look()
        self.finished()

    def look(self) -> None:
        """Look at the workers, unless the last look was a moment ago.

        Raises
        ------
        DeviceError
            There have been no workers for a long time, or the scheduler is gone.
        OutOfMemoryError
            Workers die again and again before they finish a task, or all are paused, because of their memory.
        """
        now = time.monotonic()
        if now >= self._next:
            states = states_of(self._client)
            self._next = now + max(_LOOK_EVERY, _LOOK_LATER * len(states))
            self.note(states, now)

    def note(self, states: Mapping[str, WorkerState], now: float) -> None:
        """Note the workers at a time in seconds."""
        self._deaths += len(self._known.keys() - states.keys())
        self._known = dict(states)
        self._most = max(self._most, len(states))
        self._limit = min((state.limit for state in states.values() if state.limit), default=self._limit)
        self._check_deaths()
        self._check_paused(now)
        self._check_empty(now)

    def _check_deaths(self) -> None:
        if self._deaths < max(_DEATHS, _DEATHS_OF_WORKER * self._most):
            return
        died = f"{self._where}: workers died or left {self._deaths} times before they finished a task"
        if not self._limit:
            raise DeviceError(f"{died}; look at their logs")
        raise OutOfMemoryError(f"{died}: {self._too_small()}")

    def _check_paused(self, now: float) -> None:
        is_full = bool(self._known) and all(state.paused and not state.executing for state in self._known.values())
        if not is_full:
            self._full_since = -1.0
        elif self._full_since < 0:
            self._full_since = now
        elif now - self._full_since >= _FULL_AFTER:
            raise OutOfMemoryError(
                f"{self._where}: all workers are paused, because their memory is nearly full before a task begins: "
                f"{self._too_small()}"
            )

    def _too_small(self) -> str:
        limit = show_bytes(self._limit)
        return (
            f"they have a limit of {limit}, and the interpreter and its libraries take about "
            f"{show_bytes(PROCESS_BYTES)}; start workers with more memory (memory_limit=, --memory-limit)"
        )

    def _check_empty(self, now: float) -> None:
        if self._known:
            self._empty_since, self._warned = -1.0, False
            return
        if self._empty_since < 0:
            self._empty_since = now
        seconds = now - self._empty_since
        if self._timeout is not None and seconds >= self._timeout:
            raise DeviceError(
                f"{self._where}: the cluster has had no workers for {seconds:.0f} seconds, while {self._awaited} were "
                f"awaited; start workers and repeat the call, or wait longer with the setting {SETTING} of Dask"
            )
        if seconds >= _WARN_AFTER and not self._warned:
            self._warned = True
            limit = "" if self._timeout is None else f", at most {self._timeout:.0f} seconds"
            message = f"{self._where}: the cluster has no workers; waiting for {self._awaited}{limit}"
            warn(message, RuntimeWarning)

    def first_worker(self) -> None:
        """Wait for the first worker.

        Raises
        ------
        DeviceError
            There is no worker after 30 seconds, or the time of the setting ``triadic.worker-timeout``; or the client is
            closed.
        """
        if self._client.status != "running":
            raise DeviceError(
                f"client={self._client!r}: is closed, or its scheduler is gone; expected a running client"
            )
        self._timeout = worker_timeout(FIRST_SECONDS)
        self.wait_for_worker()
        self._timeout = worker_timeout(_SECONDS)

    def wait_for_worker(self) -> None:
        """Wait until there is a worker that starts tasks."""
        self._next = 0.0
        self.look()
        while all(state.paused for state in self._known.values()):
            time.sleep(_SECONDS_TO_WAIT)
            self.look()

    @property
    def _where(self) -> str:
        return str(getattr(self._client.scheduler, "address", self._client))


def states_of(client: Client) -> dict[str, WorkerState]:
    """Return the state of each worker by its address; raise DeviceError if no scheduler answers."""
    try:
        workers = client.scheduler_info(n_workers=-1)["workers"]
    except (OSError, KeyError, AttributeError):
        raise DeviceError("the Dask scheduler is gone") from None
    return {address: _state(about) for address, about in workers.items()}


def _state(about: Mapping[str, Any]) -> WorkerState:
    metrics = about.get("metrics") or {}
    executing = (metrics.get("task_counts") or {}).get("executing", metrics.get("executing", 0))
    return WorkerState(int(about.get("memory_limit") or 0), about.get("status") == "paused", int(executing or 0))


_NAME = "triadic-"  # begins the keys of all tasks
_SECONDS_TO_END = 30  # for tasks that run when a stage fails
ATTEMPTS = 5  # in a row that may fail because data was lost with a worker
RETRIES = 3  # of a task that fails with an unexpected error


class WorkerPool:
    """The workers of a cluster.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.
    awaited : str, optional
        What calls wait for, for messages.
    """

    def __init__(self, client: Client, awaited: str = "tasks of a count") -> None:
        self.client = client
        self.watch = WorkerWatch(client, awaited)

    @cached_property
    def threads(self) -> int:
        """Number of threads of all workers; waits for the first worker."""
        self.watch.first_worker()
        return max(1, sum(self.members().values()))  # the first worker may have left since

    def members(self) -> dict[str, int]:
        """Return the number of threads of each worker by its address; raise DeviceError if no scheduler answers."""
        try:
            return dict(self.client.nthreads())
        except OSError:
            raise DeviceError("the Dask scheduler is gone") from None

    def thread_memory(self) -> int:
        """Return the bytes for each thread of the worker that has the least; 0 if workers have no limit."""
        workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
        limits = [info["memory_limit"] // info["nthreads"] for info in workers if info.get("memory_limit")]
        return min(limits, default=0)

    def allowed_bytes(self) -> int:
        """Return the bytes that a task may take on the worker that has the least memory for each thread."""
        self.watch.first_worker()
        return min(self.client.run(thread_bytes, on_error="ignore").values(), default=1 << 62)

    def results(
        self,
        count: int,
        call: Callable[[int], tuple[Any, ...]],
        progress: Progress | None = None,
        *,
        renew: Callable[[], None] = lambda: None,
    ) -> list[Any]:
        """Run tasks, the first ones first, and return their results.

        Parameters
        ----------
        count : int
            Number of tasks.
        call : callable
            ``call(k)`` returns the function of task k and its arguments, which may be futures.
        progress : callable, optional
            Called with the number of finished tasks, and of all.
        renew : callable, optional
            Called before tasks are submitted again, because data was lost with a worker.

        Raises
        ------
        DeviceError
            If data is lost five times, the scheduler is gone, or a task fails with an unexpected error.
        TriadicError
            If a task raises it.
        """
        self.watch.first_worker()
        results: dict[int, Any] = {}
        report = progress or (lambda _done, _total: None)
        report(0, max(count, 1))
        for left in reversed(range(ATTEMPTS)):
            try:
                self._run(count, call, results, report)
            except LostDataError:
                self.check_alive(left)
                renew()
            else:
                break
        report(max(count, 1), max(count, 1))
        return [results[k] for k in range(count)]

    def _run(
        self, count: int, call: Callable[[int], tuple[Any, ...]], results: dict[int, Any], report: Progress
    ) -> None:
        """Submit the tasks without a result, and store their results; few messages take little of the scheduler."""
        from distributed import as_completed  # noqa: PLC0415 - of an extra

        missing = [k for k in range(count) if k not in results]
        futures = self.submit([call(k) for k in missing])
        try:
            numbers = {future.key: k for k, future in zip(missing, futures, strict=True)}
            pending = as_completed(futures, loop=self.client.loop)
            while not pending.is_empty():
                self.watch.wait_for_any(pending)
                finished = pending.next_batch(block=True)
                for future, value in zip(finished, gathered(finished), strict=True):
                    results[numbers[future.key]] = success(value)
                    future.release()
                report(len(results), count)
        finally:
            for future in futures:
                future.release()

    def submit(self, calls: Sequence[tuple[Any, ...]], name: str = "task", **options: Any) -> list[Future]:  # noqa: ANN401 - of `Client.map`
        """Submit tasks, each a function with its arguments, and return their futures.

        Parameters
        ----------
        calls : sequence of tuple
            Functions with their arguments, which may be futures.
        name : str, optional
            Name of the tasks; Dask takes the same time for all of one name.
        **options
            Further arguments of ``Client.map``.
        """
        run = f"{_NAME}{name}-{uuid4().hex[:8]}"
        keys = [f"{run}-{k:09}" for k in range(len(calls))]  # tasks of one call run in the order of their keys
        return self.client.map(_call, calls, key=keys, retries=RETRIES, pure=False, **options) if calls else []

    def free_memory(self) -> None:
        """Drop the tiles that workers hold between tasks, and do not wait for it."""
        with suppress(Exception):  # if the cluster is gone, another error is being raised
            self.client.run(free_worker_memory, wait=False, on_error="ignore")

    def check_alive(self, left: int) -> None:
        """Raise DeviceError if the scheduler is gone, or no attempts are `left` after a loss of data."""
        if self.client.status != "running":
            raise DeviceError("the Dask scheduler is gone")
        if left <= 0:
            raise DeviceError(f"data was lost with its worker {ATTEMPTS} times in a row: are workers being killed?")


def _call(call: tuple[Any, ...]) -> Any:  # noqa: ANN401 - the result of any task
    function, *arguments = call
    return function(*arguments)


def wait_for_running_tasks(client: Client) -> None:
    """Wait at most 30 seconds until no task of a failed stage is left, because tasks write files.

    The client has released the tasks, but workers are told later, and begin tasks until then: so tasks must be missing
    twice in a row.
    """
    until, idle = time.monotonic() + _SECONDS_TO_END, 0
    while time.monotonic() < until and idle < 2:
        busy = client.run_on_scheduler(_knows_tasks) or any(client.run(_holds_tasks, on_error="ignore").values())
        idle = 0 if busy else idle + 1
        time.sleep(_SECONDS_TO_WAIT)


def _knows_tasks(dask_scheduler: Any) -> bool:  # noqa: ANN401 - of an extra
    return any(str(key).startswith(_NAME) for key in dask_scheduler.tasks)


def _holds_tasks(dask_worker: Any) -> bool:  # noqa: ANN401 - of an extra
    state = dask_worker.state
    return any(str(task.key).startswith(_NAME) for tasks in (state.executing, state.ready) for task in tasks)


class LostDataError(Exception):
    """Data was lost with its worker."""


def result(future: Future) -> Any:  # noqa: ANN401 - the result of any task
    """Return the result of a task; raise its error as one of triadic, or LostDataError."""
    return gathered([future])[0]


def gathered(futures: list[Future]) -> list[Any]:
    """Return the results of finished tasks; raise the error of one as one of triadic, or LostDataError."""
    from distributed import KilledWorker  # noqa: PLC0415 - of an extra

    try:
        return list(futures[0].client.gather(futures))
    except TriadicError:
        raise
    except (CancelledError, CancelledHereError):
        raise LostDataError from None
    except KilledWorker as error:
        raise DeviceError(
            f"workers died repeatedly in the same task, the last one at {error.last_worker.address}: give workers more "
            "memory, or cut the graph into more ranges"
        ) from None
    except Exception as error:
        why = in_one_line(error)
        raise DeviceError(f"a task failed on its worker: {type(error).__name__}: {why}") from error


def success(value: Any) -> Any:  # noqa: ANN401 - the result of any task
    """Return the result of a task unchanged; raise the error of a failure."""
    if isinstance(value, Failure):
        raise value.error
    return value
