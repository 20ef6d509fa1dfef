"""The client of a Dask cluster: a running cluster at an address, or new processes on this machine."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import ExitStack, contextmanager, suppress
from logging import CRITICAL
from typing import TYPE_CHECKING, Any

from triadic.core.blocks import allowed_threads
from triadic.core.checked import check_extra
from triadic.core.memory import available_bytes
from triadic.core.progress import held_back
from triadic.devices.runtimes import registry
from triadic.errors import ArgumentError, DeviceError, in_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from distributed import Client

_SECONDS = 10  # that a scheduler has to answer
_SECONDS_TO_START = 300  # that new processes have to start
# Dask starts a process in place of one that died, and gives up by default if that takes longer than 15 seconds, as it
# may on a busy machine.
_PATIENT = {"distributed.deploy.lost-worker-timeout": "10 minutes"}
_PROTOCOLS = ("tcp", "tls", "ws", "wss", "ucx", "ucxx", "inproc")
_LOCAL, _LOCAL_GPU = "local", "local-gpu"
_CARDS = "CUDA_VISIBLE_DEVICES"
_SHARE = 0.9  # of the available memory for all workers with a card
_TASKS_PER_THREAD = 12  # with fewer than 8, triples are cut into slices


@contextmanager
def connect(address: str) -> Iterator[Client]:
    """Yield a client of the cluster at an address, and close it at the end, with processes that were started for it.

    Parameters
    ----------
    address : str
        ``local:4`` starts four processes of one thread on this machine; ``local`` starts one for each core that this
        process may use. ``local-gpu:2`` starts two processes, each of which sees one CUDA card only; ``local-gpu``
        starts one for each card. Otherwise the address of a scheduler, such as ``tcp://host:8786``.

    Yields
    ------
    distributed.Client
        A synchronous client.

    Raises
    ------
    MissingExtraError
        If Dask is not installed.
    ArgumentError
        If the address has none of these forms.
    DeviceError
        If no scheduler answers at the address within ten seconds, or this machine has fewer cards than asked for.

    Examples
    --------
    >>> with connect("four cores"):
    ...     pass
    Traceback (most recent call last):
    ...
    triadic.errors.ArgumentError: 'four cores': expected local:N or local-gpu:N for N processes here, or \
tcp://HOST:PORT of a scheduler
    """
    kind, number = _local_workers(address)
    if not kind and address.partition("://")[0] not in _PROTOCOLS:
        raise ArgumentError(
            f"{address!r}: expected local:N or local-gpu:N for N processes here, or tcp://HOST:PORT of a scheduler"
        )
    check_extra("distributed", "dask", "counting on a cluster needs")
    if kind == _LOCAL_GPU:
        cluster = new_processes(kind, [{_CARDS: card} for card in _cards(address, number)])
    else:
        cluster = new_processes(kind, [{}] * (number or allowed_threads())) if kind else _scheduler(address)
    with cluster as client:
        yield client


def check_client(client: object) -> None:
    """Raise ArgumentError if an object is not a synchronous client of Dask."""
    if not callable(getattr(client, "submit", None)) or not callable(getattr(client, "scatter", None)):
        raise ArgumentError(f"client={client!r}: expected a dask.distributed.Client")
    if getattr(client, "asynchronous", False):
        raise ArgumentError(f"client={client!r}: expected a synchronous client, without asynchronous=True")


def enough_ranges(client: Client) -> int:
    """Return the smallest number of ranges whose triples are 12 tasks for each thread of a cluster."""
    return ranges_for(max(1, sum(client.nthreads().values())))


def ranges_for(threads: int) -> int:
    """Return the smallest number of ranges, up to 1024, whose triples are 12 tasks for each of some threads."""
    tasks = _TASKS_PER_THREAD * threads
    return next((p for p in range(2, 1 << 10) if p * (p + 1) * (p + 2) // 6 >= tasks), 1 << 10)


@contextmanager
def _scheduler(address: str) -> Iterator[Client]:
    from distributed import Client  # noqa: PLC0415 - of an extra, and slow to import

    try:
        client = Client(address, timeout=_SECONDS)
    except (OSError, ValueError, ImportError) as error:
        why = in_one_line(error)
        raise DeviceError(f"{address}: no Dask scheduler answers within {_SECONDS} seconds: {why}") from None
    with client:
        yield client


@contextmanager
def new_processes(kind: str, environments: Sequence[dict[str, str]]) -> Iterator[Client]:
    """Yield a client of new processes of one thread, each with some variables more in its environment.

    Those of the kind "local-gpu" may take a share of the available memory, of "local" that of a core, as Dask's own.
    """
    import dask  # noqa: PLC0415 - of an extra, and slow to import
    from distributed import Client, Nanny, Scheduler, SpecCluster  # noqa: PLC0415 - as above

    count = len(environments)
    memory = int(_SHARE * available_bytes() / count) if kind == _LOCAL_GPU else "auto"
    # Any free port, because Dask's default port may be in use. Errors are raised by the client, so logs are silent.
    worker = {"nthreads": 1, "memory_limit": memory, "silence_logs": CRITICAL, "host": "127.0.0.1"}
    workers = {
        number: {"cls": Nanny, "options": {**worker, "env": variables}} for number, variables in enumerate(environments)
    }
    scheduler = {"host": "127.0.0.1", "port": 0, "dashboard_address": "127.0.0.1:0"}
    described = {"cls": Scheduler, "options": scheduler}
    with dask.config.set(_PATIENT), _loop_without_interrupts() as loop, ExitStack() as stack:
        with held_back():  # Dask cannot close a cluster that is starting, so Ctrl-C waits for the start
            new = SpecCluster(workers=workers, scheduler=described, silence_logs=CRITICAL, loop=loop)
            client = stack.enter_context(Client(stack.enter_context(closed_at_end(new))))
        try:
            client.wait_for_workers(count, timeout=_SECONDS_TO_START)
        except TimeoutError:
            raise DeviceError(
                f"{kind}:{count}: {len(client.nthreads())} of {count} processes started within "
                f"{_SECONDS_TO_START} seconds"
            ) from None
        yield client


@contextmanager
def closed_at_end(cluster: Any) -> Iterator[Any]:  # noqa: ANN401 - distributed has no types
    """Close a cluster at the end of the block, whose outcome counts: Dask fails to close while it restarts a worker."""
    try:
        yield cluster
    finally:
        with suppress(Exception):
            cluster.close()


@contextmanager
def _loop_without_interrupts() -> Iterator[Any]:
    """Yield an event loop for a cluster, whose processes do not get Ctrl-C.

    A terminal sends Ctrl-C to all processes of a command. Workers would print a traceback each; this process ends them.
    Processes inherit the signals that are blocked in the thread that starts them. Windows cannot block signals.
    """
    from distributed.utils import LoopRunner  # noqa: PLC0415 - of an extra, and slow to import

    async def block() -> None:
        if sys.platform != "win32":
            from multiprocessing.resource_tracker import ensure_running  # noqa: PLC0415 - not on Windows

            ensure_running()  # now, because it unblocks the signal when it starts its process
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})

    runner = LoopRunner()
    runner.start()
    runner.run_sync(block)
    try:
        yield runner.loop
    finally:
        runner.stop()


def _cards(address: str, number: int) -> list[str]:
    """Return the names of the first cards that this process may use, all of them if `number` is 0."""
    found = registry.count("cuda")
    if not found or number > found:
        cards = f"{found} card" if found == 1 else f"{found or 'no'} cards"
        raise DeviceError(f"{address!r}: CUDA sees {cards} on this machine")
    visible = os.environ.get(_CARDS)
    names = [str(card) for card in range(found)] if visible is None else visible.split(",")
    return names[: number or found]


def _local_workers(address: str) -> tuple[str, int]:
    """Return the kind and number of processes of a local address, 0 for all; no kind for the address of a scheduler."""
    kind, colon, number = address.partition(":")
    if kind not in (_LOCAL, _LOCAL_GPU) or number.startswith("//"):
        return "", 0
    if not colon:
        return kind, 0
    if not number.isascii() or not number.isdigit() or int(number) < 1:
        raise ArgumentError(f"{address!r}: expected {kind}:N with a whole number N of at least 1")
    return kind, int(number)
