"""A lease on a place at a URL, where there are no locks: two clients do not write tiles at the same place.

The lease is the file ``lease.json`` at the place. It names the process that writes there and the time, and the process
writes it again every quarter of a minute. A second client is refused while the lease is younger than two minutes. The
lease of a process that was killed is taken over at once by the same command on the same machine, whose work folder
remembers the owner, and by other machines after two minutes. The clocks of the machines should agree to a minute.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from triadic.errors import MissingFileError, TriadicError, WriteError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.tiles.store import FolderStore
    from triadic.tiles.url_store import UrlStore

LEASE, OWNER = "lease.json", "lease-owner"
_SECONDS = 120.0  # after which a lease is void
_BEAT = 15.0  # between two renewals
_SETTLING = 0.2  # two clients that take a lease at the same moment read afterwards which of them has it


class Lease:
    """A lease of this process on a place at a URL.

    Parameters
    ----------
    store : UrlStore
        The place.
    owner : str
        Name of the owner; a process with the same name takes over the lease.
    """

    def __init__(self, store: UrlStore, owner: str) -> None:
        self._store, self._owner = store, owner
        self._stop = threading.Event()
        self._taken_by: dict[str, Any] | None = None
        self._renewed = time.monotonic()

    def take(self) -> None:
        """Take the lease.

        Raises
        ------
        WriteError
            Another process has it, or the place cannot be written.
        """
        found = self._read()
        if self._is_of_another(found):
            raise WriteError(self._refusal(found))
        if found is not None or not self._store.create(LEASE, self._content()):
            found = self._read()
            if self._is_of_another(found):  # it was taken between the two requests
                raise WriteError(self._refusal(found))
            self._store.put(LEASE, [self._content()])
        time.sleep(_SETTLING)
        self._read_again()
        self.check()

    def check(self) -> None:
        """Raise WriteError if another process took the lease, or if it was not renewed in time."""
        if self._taken_by is not None:
            raise WriteError(self._refusal(self._taken_by))
        if time.monotonic() - self._renewed > _SECONDS:
            self._renew()  # the machine slept, or the store did not answer
            if self._taken_by is not None:
                raise WriteError(self._refusal(self._taken_by))

    def keep(self) -> None:
        """Renew the lease until `release`, in a thread of its own."""
        while not self._stop.wait(_BEAT):
            with suppress(TriadicError):  # `check` tells if it cannot be renewed for long
                self._renew()

    def release(self) -> None:
        """Stop to renew the lease, and remove it unless another process took it."""
        self._stop.set()
        with suppress(TriadicError):  # without access, the lease becomes void after a while
            self._read_again()
            if self._taken_by is None:
                self._store.delete(LEASE)

    def _renew(self) -> None:
        self._read_again()
        if self._taken_by is None:
            self._store.replace(LEASE, self._content())
            self._renewed = time.monotonic()

    def _read_again(self) -> None:
        found = self._read()
        if found is not None and found.get("owner") != self._owner:
            self._taken_by = found

    def _read(self) -> dict[str, Any] | None:
        """Return the content of the lease; None if there is none, or it is damaged."""
        try:
            content = json.loads(self._store.latest(LEASE))
        except (MissingFileError, ValueError):
            return None
        return content if isinstance(content, dict) else None

    def _is_of_another(self, found: dict[str, Any] | None) -> bool:
        """Return whether a lease is of another owner, and not void."""
        return found is not None and found.get("owner") != self._owner and _age(found) < _SECONDS

    def _content(self) -> bytes:
        holder = {"owner": self._owner, "machine": socket.gethostname(), "process": os.getpid(), "time": time.time()}
        return json.dumps(holder).encode()

    def _refusal(self, found: dict[str, Any] | None) -> str:
        found = found or {}
        return (
            f"{self._store.place}: process {found.get('process')} on {found.get('machine')} is making tiles here "
            f"(it last reported {max(0.0, _age(found)):.0f} seconds ago); expected it to end, or not to report for "
            f"{_SECONDS:.0f} seconds"
        )


@contextmanager
def leased(store: UrlStore, work: FolderStore) -> Iterator[Lease]:
    """Hold the lease on a place at a URL for the duration of the block; each file is written under the lease only.

    Parameters
    ----------
    store : UrlStore
        The place.
    work : FolderStore
        The work folder on this machine, which the caller has locked. It remembers the owner of the lease.

    Yields
    ------
    Lease
        The lease.

    Raises
    ------
    WriteError
        Another process has the lease, took it during the block, or the place cannot be written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from triadic.tiles.store import FolderStore
    >>> from triadic.tiles.url_store import UrlStore
    >>> store = UrlStore("memory://leased", cache=Path("cache"))
    >>> with leased(store, FolderStore(Path("work"))):
    ...     store.list()
    ['lease.json']
    >>> store.list()
    []
    """
    lease = Lease(store, _owner(work))
    lease.take()
    renewal = threading.Thread(target=lease.keep, name="triadic-lease", daemon=True)
    renewal.start()
    store.before_put = lease.check
    try:
        yield lease
    finally:
        store.before_put = None
        lease.release()
        with suppress(TriadicError):
            work.delete(OWNER)


def _owner(work: FolderStore) -> str:
    """Return the owner's name in the work folder; a new one if there is none."""
    with suppress(MissingFileError):
        return work.get(OWNER).tobytes().decode(errors="replace")
    owner = uuid4().hex
    work.put(OWNER, [owner.encode()])
    return owner


def _age(found: dict[str, Any]) -> float:
    """Return the seconds since a lease was renewed; infinity if it does not tell."""
    renewed = found.get("time")
    return time.time() - renewed if isinstance(renewed, (int, float)) else float("inf")
