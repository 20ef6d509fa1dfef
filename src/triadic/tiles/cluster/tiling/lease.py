"""A lease on a place without locks: a file that its holder renews, so that two clients do not write to one place."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from triadic.errors import ReadError, TriadicError, WriteError
from triadic.tiles.store import LOCK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.tiles.store import TileStore

RENEWED_EVERY, EXPIRES_AFTER = 10.0, 35.0  # seconds
_POLL = 0.5


@contextmanager
def leased(store: TileStore) -> Iterator[Callable[[], None]]:
    """Hold the lease of a store for the duration of the block; yield a function that raises if the lease was lost.

    A lease that was not renewed for 35 seconds, or whose process is gone from this machine, is taken over. Clocks of
    different machines are not compared: the new client waits and watches whether the file changes.

    Raises
    ------
    WriteError
        Another client renews its lease; the message has its machine and process.
    """
    holder: dict[str, Any] = {"client": uuid4().hex, "host": socket.gethostname(), "process": os.getpid()}
    _wait_until_free(store)
    lease = _Lease(store, holder)
    lease.renew()
    time.sleep(_POLL)  # of two clients that saw no lease, the later one stays
    lease.check()
    thread = threading.Thread(target=lease.keep, name="triadic-lease", daemon=True)
    thread.start()
    try:
        yield lease.check
    finally:
        lease.ended.set()
        thread.join()
        with suppress(TriadicError):
            if _holder(store).get("client") == holder["client"]:
                store.delete(LOCK)


class _Lease:
    """The lease of this client."""

    def __init__(self, store: TileStore, holder: dict[str, Any]) -> None:
        self._store, self._holder = store, holder
        self._beats = 0
        self.ended = threading.Event()

    def renew(self) -> None:
        """Write the file again, with another number."""
        self._beats += 1
        self._store.put(LOCK, [json.dumps({**self._holder, "renewed": self._beats}).encode()])

    def keep(self) -> None:
        """Renew the lease until the end of the block; stop if another client has it."""
        while not self.ended.wait(RENEWED_EVERY):
            with suppress(TriadicError):  # tasks that write to the store raise its errors
                if _holder(self._store).get("client") not in (None, self._holder["client"]):
                    return
                self.renew()

    def check(self) -> None:
        """Raise WriteError if another client has the lease."""
        found = _holder(self._store)
        if found.get("client") not in (None, self._holder["client"]):
            raise _other(self._store, found)


def _wait_until_free(store: TileStore) -> None:
    before = _holder(store)
    if not before or _is_gone(before):
        return
    end = time.monotonic() + EXPIRES_AFTER
    while time.monotonic() < end:
        time.sleep(_POLL)
        found = _holder(store)
        if not found:
            return
        if found != before:
            raise _other(store, found)


def _other(store: TileStore, holder: dict[str, Any]) -> WriteError:
    who = f"process {holder.get('process')} on {holder.get('host')}"
    return WriteError(f"{store.place}: {who} is making tiles here; expected it to end first")


def _holder(store: TileStore) -> dict[str, Any]:
    """Return the content of the file; empty if there is none."""
    try:
        found = json.loads(store.read([(LOCK, 0, 4096)])[0])
    except (ReadError, ValueError):
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
