"""From an address to a client of Dask: a cluster that runs already, or processes of this machine."""

from __future__ import annotations

from contextlib import contextmanager
from logging import CRITICAL
from typing import TYPE_CHECKING

from triadic.core.extras import check_extra
from triadic.errors import ArgumentError, DeviceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from distributed import Client

_SECONDS = 10  # for a scheduler to answer
_PROTOCOLS = ("tcp", "tls", "ws", "wss", "ucx", "ucxx", "inproc")
_LOCAL = "local"
_TASKS_PER_THREAD = 12  # eight at least without slices


@contextmanager
def connect(address: str) -> Iterator[Client]:
    """Give a client of the cluster at an address, and leave it at the end; processes started for it end then.

    Parameters
    ----------
    address : str
        ``local:4`` starts four processes of one thread on this machine, ``local`` one for each core that may be used.
        Anything else is a scheduler's address, such as ``tcp://host:8786``.

    Raises
    ------
    MissingExtraError
        Dask is not installed.
    ArgumentError
        It is no address.
    DeviceError
        No scheduler answers there within ten seconds.

    Examples
    --------
    >>> with connect("four cores"):
    ...     pass
    Traceback (most recent call last):
    ...
    triadic.errors.ArgumentError: 'four cores': expected local:N for N processes here, or tcp://HOST:PORT of a scheduler
    """
    workers = _local_workers(address)
    if workers is None and address.partition("://")[0] not in _PROTOCOLS:
        raise ArgumentError(f"{address!r}: expected local:N for N processes here, or tcp://HOST:PORT of a scheduler")
    check_extra("distributed", "dask", "counting on a cluster needs")
    with _scheduler(address) if workers is None else _processes(workers) as client:
        yield client


def check_client(client: object) -> None:
    """Raise ArgumentError unless it is a client that calls may wait for."""
    if not callable(getattr(client, "submit", None)) or not callable(getattr(client, "scatter", None)):
        raise ArgumentError(f"client={client!r}: expected a dask.distributed.Client")
    if getattr(client, "asynchronous", False):
        raise ArgumentError(f"client={client!r}: expected one that is not asynchronous")


def enough_ranges(client: Client) -> int:
    """Give the number of ranges whose triples are enough tasks for the threads of a cluster."""
    threads = max(1, sum(client.nthreads().values()))
    return next(p for p in range(2, 1 << 10) if p * (p + 1) * (p + 2) // 6 >= _TASKS_PER_THREAD * threads)


@contextmanager
def _scheduler(address: str) -> Iterator[Client]:
    from distributed import Client  # noqa: PLC0415 - of an extra, and slow to import

    try:
        client = Client(address, timeout=_SECONDS)
    except (OSError, ValueError, ImportError) as error:
        why = " ".join(str(error).split())
        raise DeviceError(f"{address}: no Dask scheduler answers within {_SECONDS} seconds: {why}") from None
    with client:
        yield client


@contextmanager
def _processes(workers: int) -> Iterator[Client]:
    from distributed import Client, LocalCluster  # noqa: PLC0415 - of an extra, and slow to import

    # A port of its own: Dask's usual one may be taken. What goes wrong is told here, not in logs.
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            silence_logs=CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def _local_workers(address: str) -> int | None:
    """Give the number of processes that a local address asks for."""
    kind, colon, number = address.partition(":")
    if kind != _LOCAL or number.startswith("//"):
        return None
    if not colon:
        from triadic.core.blocks import allowed_threads  # noqa: PLC0415 - seldom needed

        return allowed_threads()
    if not number.isascii() or not number.isdigit() or int(number) < 1:
        raise ArgumentError(f"{address!r}: expected local:N with a whole number N of at least 1")
    return int(number)
