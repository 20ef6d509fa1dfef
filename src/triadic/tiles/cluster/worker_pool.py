"""The workers of a cluster: the number of their threads, and tasks that are submitted again if a worker dies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.core.cached import cached_property
from triadic.errors import DeviceError
from triadic.tiles.cluster.task_results import LostDataError, result, success
from triadic.tiles.cluster.tile_transfer import thread_bytes
from triadic.tiles.cluster.worker_watch import WorkerWatch

if TYPE_CHECKING:
    from collections.abc import Callable

    from distributed import Client, Future

ATTEMPTS = 5  # in a row that may fail because data was lost with a worker
RETRIES = 3  # of a task that fails with an unexpected error


class WorkerPool:
    """The workers of a cluster.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self.watch = WorkerWatch(client, "tasks of a count")

    @cached_property
    def threads(self) -> int:
        """Number of threads of all workers; waits for the first worker as `wait` does."""
        self.wait()
        return max(1, sum(self.members().values()))  # the first worker may have left since

    def wait(self) -> None:
        """Wait for the first worker.

        Raises
        ------
        DeviceError
            If there is no worker after 30 seconds, or the client is closed.
        """
        self.watch.first_worker()

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
        self.wait()
        return min(self.client.run(thread_bytes, on_error="ignore").values(), default=1 << 62)

    def results(
        self,
        submit: Callable[[], list[Future]],
        *,
        renew: Callable[[], None] = lambda: None,
        finished: Callable[[int], object] = lambda _: None,
    ) -> list[Any]:
        """Submit tasks and return their results; submit all of them again if data was lost with a worker.

        Parameters
        ----------
        submit : callable
            Returns the futures of the tasks.
        renew : callable, optional
            Called before tasks are submitted again.
        finished : callable, optional
            Called with the number of the first tasks that are finished.

        Raises
        ------
        DeviceError
            If data is lost five times, the scheduler is gone, or a task fails with an unexpected error.
        TriadicError
            If a task returns a `triadic.tiles.cluster.tasks.Failure`.
        """
        _ = self.threads
        for left in reversed(range(ATTEMPTS)):
            try:
                values = []
                for future in submit():
                    self.watch.wait(future)
                    values.append(success(result(future)))
                    finished(len(values))
            except LostDataError:
                self.check_alive(left)
                renew()
            else:
                return values
        raise AssertionError

    def check_alive(self, left: int) -> None:
        """Raise DeviceError if the scheduler is gone, or no attempts are `left` after a loss of data."""
        if self.client.status != "running":
            raise DeviceError("the Dask scheduler is gone")
        if left <= 0:
            raise DeviceError(f"data was lost with its worker {ATTEMPTS} times in a row: are workers being killed?")
