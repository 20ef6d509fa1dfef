"""A lease on a place at a URL, where there are no locks: two clients do not write tiles at the same place.

The lease is the file ``lock`` at the place. It names the process that writes there, which writes it again every ten
seconds. A second client reads the lease for up to 35 seconds: if it changes, the client is refused; if it does not, the
holder is gone, and the client takes the lease over. On the machine of the holder, the client sees at once that its
process has ended. Clocks of different machines are not compared.
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

from triadic.errors import MissingFileError, ReadError, TriadicError, WriteError
from triadic.tiles.store import LOCK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.tiles.url_store import UrlStore

RENEWED_EVERY, EXPIRES_AFTER = 10.0, 35.0  # seconds
_POLL = 0.5


@contextmanager
def leased(store: UrlStore) -> Iterator[Callable[[], None]]:
    """Hold the lease of a store for the duration of the block; yield a function that raises if the lease was lost.

    After another client took the lease, the store writes no more files.

    Parameters
    ----------
    store : UrlStore
        The place.

    Raises
    ------
    WriteError
        Another client renews its lease; the message has its machine and process. Or the place cannot be written.
    ReadError
        The place cannot be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from triadic.tiles.url_store import UrlStore
    >>> store = UrlStore("memory://leased", cache=Path("cache"))
    >>> with leased(store):
    ...     store.list()
    ['lock']
    >>> store.list()
    []
    """
    lease = _Lease(store)
    lease.take(_expired(store))
    renewal = threading.Thread(target=lease.keep, name="triadic-lease", daemon=True)
    renewal.start()
    store.before_put = lease.refuse_if_lost
    try:
        yield lease.check
    finally:
        store.before_put = None
        lease.release()


class _Lease:
    """The lease of this client."""

    def __init__(self, store: UrlStore) -> None:
        self._store = store
        self._holder = {"client": uuid4().hex, "host": socket.gethostname(), "process": os.getpid()}
        self._beats = 0
        self._lost_to: dict[str, Any] = {}
        self._ended = threading.Event()
        self._writing = threading.Lock()

    def take(self, expired: dict[str, Any]) -> None:
        """Write the lease in place of an expired one; raise WriteError if another client took it meanwhile."""
        if expired or not self._store.create(LOCK, self._content()):
            found = _holder(self._store)
            if found not in ({}, expired):
                raise _other(self._store, found)
            self._store.put(LOCK, [self._content()])
        time.sleep(_POLL)  # of two clients that saw no lease, the later one stays
        self.check()

    def keep(self) -> None:
        """Renew the lease until the end of the block; stop if another client has it."""
        while not self._ended.wait(RENEWED_EVERY):
            with suppress(TriadicError):  # what is written next raises its own error
                self._read_holder()
                if self._lost_to:
                    return
                with self._writing:
                    if not self._ended.is_set():
                        self._beats += 1
                        self._store.replace(LOCK, self._content())

    def check(self) -> None:
        """Raise WriteError if another client has the lease now."""
        self._read_holder()
        self.refuse_if_lost()

    def refuse_if_lost(self) -> None:
        """Raise WriteError if another client was seen to have the lease."""
        if self._lost_to:
            raise _other(self._store, self._lost_to)

    def release(self) -> None:
        """Stop to renew the lease, and remove it unless another client has it."""
        self._ended.set()
        with self._writing, suppress(TriadicError):  # without access, the lease expires
            if _holder(self._store).get("client") == self._holder["client"]:
                self._store.delete(LOCK)

    def _read_holder(self) -> None:
        found = _holder(self._store)
        if found.get("client") not in (None, self._holder["client"]):
            self._lost_to = found

    def _content(self) -> bytes:
        return json.dumps({**self._holder, "renewed": self._beats}).encode()


def _expired(store: UrlStore) -> dict[str, Any]:
    """Return the expired lease of a store, empty if there is none; raise WriteError if its holder renews it."""
    before = _holder(store)
    if not before or _is_gone(before):
        return before
    end = time.monotonic() + EXPIRES_AFTER
    while time.monotonic() < end:
        time.sleep(_POLL)
        found = _holder(store)
        if not found:
            return {}
        if found != before:
            raise _other(store, found)
    return before


def _other(store: UrlStore, holder: dict[str, Any]) -> WriteError:
    who = f"process {holder.get('process')} on {holder.get('host')}"
    return WriteError(f"{store.place}: {who} is making tiles here; expected it to end first")


def _holder(store: UrlStore) -> dict[str, Any]:
    """Return the content of the lease; empty if there is none, or if it is damaged."""
    try:
        found = json.loads(store.read([(LOCK, 0, 4096)])[0])
    except MissingFileError:
        return {}
    except ReadError:
        raise
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _is_gone(holder: dict[str, Any]) -> bool:
    """Return whether the holder was a process of this machine that has ended."""
    process = holder.get("process")
    if holder.get("host") != socket.gethostname() or not isinstance(process, int) or process <= 0:
        return False
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
