"""Storage of tiles at a URL, with a cache of copies on this machine.

A file appears at the URL complete or not at all: object stores show an object when its last byte has arrived, and on
other systems a file is written under a temporary name and renamed. Requests that fail with an error that may pass are
repeated. The cache is a convenience: a disk without room makes counting slower, and does not end it.

Packages of fsspec raise many kinds of errors for the same answers of a store. Its status is read from the HTTP answer,
or from the number of the error of the system, and distinguishes four cases: a missing file, a refused access, a full
store, and an error that may pass, such as 503 or a lost connection. Only requests of the last case are repeated.
"""

from __future__ import annotations

import errno
import os
import random
import secrets
import shutil
import socket
import threading
import time
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from triadic.errors import MissingFileError, ReadError, WriteError, in_one_line, is_full_disk
from triadic.io.file_source import file_system
from triadic.tiles.store import TEMPORARY, FolderStore, SharedFolderStore, as_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from triadic.core.array_types import Uint8Array
    from triadic.tiles.store import Bytes

    T = TypeVar("T")


_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)
# Errors of the caller, of names or of the system: the same request fails again.
_LASTING = (
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    NotImplementedError,
    MemoryError,
    FileExistsError,
    FileNotFoundError,
    IsADirectoryError,
    NotADirectoryError,
)
_LASTING_NUMBERS = (errno.ENAMETOOLONG, errno.EFBIG, errno.ENOSYS, errno.EMFILE)
# Answers of 400 to 499 that may differ later: timeout, conflict, too early, too many requests.
_PASSING_STATUSES = (408, 409, 425, 429)
_FULL_STATUS = 507

_PATIENCE = 60.0
"""Seconds in which a request is repeated. The waiting times of the package itself, such as s3fs, are part of them."""
_FIRST_WAIT, _LONGEST_WAIT = 0.25, 8.0


def patiently(request: Callable[[], T]) -> T:
    """Return the result of a request to a store; repeat it for a minute while it fails with errors that may pass.

    Waiting times double from a quarter of a second to eight seconds, each times a random factor from 0.5 to 1, so that
    many workers which a store asked to slow down do not return at the same time.

    Parameters
    ----------
    request : callable
        Called without arguments; it must not leave a partial file if it fails.

    Raises
    ------
    Exception
        The last error of the request.

    Examples
    --------
    >>> answers = iter([OSError("503 Slow Down"), b"tile"])
    >>> def request():
    ...     answer = next(answers)
    ...     if isinstance(answer, Exception):
    ...         raise answer
    ...     return answer
    >>> patiently(request)
    b'tile'
    """
    deadline, wait = time.monotonic() + _PATIENCE, _FIRST_WAIT
    while True:
        try:
            return request()
        except Exception as error:
            pause = wait * random.uniform(0.5, 1)  # noqa: S311 - not for secrets
            if not may_pass(error) or time.monotonic() + pause > deadline:
                raise
        time.sleep(pause)
        wait = min(2 * wait, _LONGEST_WAIT)


def may_pass(error: BaseException) -> bool:
    """Return whether the same request may succeed later."""
    if isinstance(error, _LASTING) or is_refused(error) or is_full(error):
        return False
    if isinstance(error, OSError) and error.errno in _LASTING_NUMBERS:
        return False
    cause = getattr(error, "os_error", error)  # aiohttp wraps errors of the system
    if isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_NONAME:  # no host has this name
        return False
    status = _status(error)
    return status is None or not 400 <= status < 500 or status in _PASSING_STATUSES


def is_refused(error: BaseException) -> bool:
    """Return whether a store refused the access: credentials are missing, wrong, or no longer valid."""
    return (
        isinstance(error, PermissionError)
        or (isinstance(error, OSError) and error.errno in _REFUSED)
        or _status(error) in (401, 403)
        or "Credential" in type(error).__name__
    )


def is_full(error: BaseException) -> bool:
    """Return whether a store, or a disk, has no room for a file."""
    return is_full_disk(error) or _status(error) == _FULL_STATUS


def one_line(error: BaseException) -> str:
    """Return the message of an error in one line of 200 characters at most, with what to do where that is known."""
    text = in_one_line(error)[:200].rstrip(". ") or type(error).__name__
    if is_refused(error):
        return f"access is refused ({text}); renew the credentials or the permissions, then run the same command again"
    if is_full(error):
        return f"the store is full ({text}); make room, then run the same command again"
    return f"{text}; run the same command again" if may_pass(error) else text


def _status(error: BaseException) -> int | None:
    """Return the status of the HTTP answer that an error reports, or None."""
    seen: BaseException | None = error
    for _ in range(4):  # s3fs raises an OSError from the error of botocore
        if seen is None:
            return None
        answer = getattr(seen, "response", None)
        found = answer.get("ResponseMetadata", {}).get("HTTPStatusCode", "") if isinstance(answer, dict) else ""
        # aiohttp has a status, requests a status code, and gcsfs a code.
        for status in (found, *(getattr(seen, name, "") for name in ("status", "status_code", "code"))):
            if str(status).isdecimal() and 400 <= int(status) < 600:
                return int(status)
        seen = seen.__cause__
    return None


# Protocols of stores that show a file when its last byte has arrived.
_OBJECT_STORES = frozenset(("s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "oss", "memory", "http", "https"))
_ONE_REQUEST = 1 << 26  # files up to this size are written by one request, which takes a copy of their bytes
_PIECE = 1 << 24  # of larger files
_OLD_SECONDS = 3600.0  # age of the temporary files of a killed process


class UrlStore:
    """Files at a URL that fsspec can open, with a cache on this machine.

    A file is downloaded once and then read from its copy. If the copies exceed their limit, the least recently used
    ones are removed. Only `put` and `delete` of this object and `refresh` update copies: other changes at the URL are
    not seen until `refresh` is called.

    Parameters
    ----------
    url : str
        The URL of a folder, such as ``s3://bucket/graph``.
    cache : pathlib.Path, optional
        Folder of the copies; by default one named after the URL in the user's cache folder.
    cache_bytes : int, default 2**36
        Largest total size of the copies, in bytes. Copies also take at most half of the room on their disk.

    Raises
    ------
    MissingExtraError
        fsspec, or the package it needs for this kind of URL, is not installed.
    ArgumentError
        fsspec does not know this kind of URL.

    Examples
    --------
    >>> from pathlib import Path
    >>> store = UrlStore("memory://graph", cache=Path("cache"))
    >>> store.put("a", [b"one", b"two"])
    >>> store.get("a").tobytes(), store.list()
    (b'onetwo', ['a'])
    """

    def __init__(self, url: str, *, cache: Path | None = None, cache_bytes: int = 1 << 36) -> None:
        self.place = url.rstrip("/")
        # A listing that is kept would hide what other clients write.
        self._system, self._root = file_system(self.place, use_listings_cache=False)
        # Workers on one machine share the folder.
        self._cache = SharedFolderStore(cache or work_folder(self.place) / "copies", flushed=False)
        self._limit = cache_bytes
        self._lock = threading.Lock()
        self._downloads: dict[str, threading.Lock] = {}
        protocols = self._system.protocol
        self._is_object_store = not _OBJECT_STORES.isdisjoint([protocols] if isinstance(protocols, str) else protocols)
        self._has_folder = False

    def get(self, name: str) -> Uint8Array:
        """Return the bytes of a file, mapped into memory as `mapped` does."""
        return self.mapped(name)[0]

    def mapped(self, name: str) -> tuple[Uint8Array, object]:
        """Return the bytes of a file, mapped from its copy; without a copy they are downloaded into memory."""
        with self._downloads.setdefault(name, threading.Lock()):  # one thread at a time downloads it
            with suppress(ReadError, OSError):  # no copy, or one that cannot be read
                found = self._cache.mapped(name)
                path = self._cache.folder / name
                os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))  # the time of its last use
                return found
            content = np.frombuffer(self._download(name), np.uint8)
            with suppress(WriteError):  # without a copy, the file is downloaded again when it is needed again
                self._keep(name, content)
            return content, None

    def read(self, spans: Sequence[tuple[str, int, int]]) -> list[bytes]:
        """Return the bytes of some spans ``(name, start, stop)`` of files, without copies in the cache."""
        if not spans:
            return []
        paths, starts, stops = ([*column] for column in zip(*spans, strict=True))
        found: list[Any] = [None] * len(spans)
        with suppress(Exception):  # `_download` raises the error with the name of the file
            found = self._system.cat_ranges([self._path(name) for name in paths], starts, stops, on_error="raise")
        return [self._download(*span) if part is None else bytes(part) for span, part in zip(spans, found, strict=True)]

    def refresh(self, name: str) -> Uint8Array:
        """Download the file again.

        If it differs from its cached copy, drop the whole cache: the tiles at the URL have changed.
        """
        content = np.frombuffer(self._download(name), np.uint8)
        with suppress(MissingFileError):
            if np.array_equal(self._cache.get(name), content):
                return content
        with suppress(WriteError):
            for copy in self._copies():
                self._cache.delete(copy)
            self._keep(name, content)
        return content

    def drop_copy(self, name: str) -> bool:
        """Remove the copy of a file, which may be damaged or old; return whether there was one."""
        found = self._cache.exists(name)
        self._cache.delete(name)
        return found

    def put(self, name: str, parts: Sequence[Bytes]) -> None:
        """Write a file; no partial file appears if writing fails."""
        with suppress(WriteError):  # a disk of copies that is broken
            self._cache.delete(name)
        views = [as_bytes(part) for part in parts]

        def write() -> None:
            self._make_folder()
            path = self._path(name if self._is_object_store else f".{name}.{secrets.token_hex(8)}{TEMPORARY}")
            try:
                if sum(map(len, views)) <= _ONE_REQUEST:
                    self._system.pipe_file(path, b"".join(views))
                else:
                    self._write_in_pieces(path, views)
                if not self._is_object_store:
                    self._system.mv(path, self._path(name))
            except BaseException:
                if not self._is_object_store:
                    with suppress(Exception):  # the caller raises the first error
                        self._system.rm_file(path)
                raise

        try:
            patiently(write)
        except Exception as error:
            raise WriteError(f"{self._url(name)}: cannot be written: {one_line(error)}") from error

    def list(self, prefix: str = "") -> list[str]:
        """Return the sorted names of the files that begin with `prefix`.

        Some stores list a file some time after it was written, or after it was removed.
        """
        try:
            found = patiently(lambda: self._system.ls(self._root, detail=False, refresh=True))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except Exception as error:
            raise ReadError(self.place, f"cannot be listed: {one_line(error)}") from error
        names = (str(path).rstrip("/").rsplit("/", 1)[-1] for path in found)
        return sorted(name for name in names if name.startswith(prefix))

    def exists(self, name: str) -> bool:
        """Return whether there is a file of this name, without a listing."""
        try:
            self._info(name)
        except MissingFileError:
            return False
        return True

    def size(self, names: Iterable[str]) -> int:
        """Return the total number of bytes of the named files."""
        return sum(int(self._info(name)["size"]) for name in names)

    def delete(self, name: str) -> None:
        """Remove a file if it exists."""
        self._cache.delete(name)
        try:
            patiently(lambda: self._system.rm_file(self._path(name)))
        except FileNotFoundError:
            pass
        except Exception as error:
            raise WriteError(f"{self._url(name)}: cannot be removed: {one_line(error)}") from error

    def _write_in_pieces(self, path: str, views: Sequence[memoryview]) -> None:
        """Write a large file in pieces, of which an object store shows nothing before the last one is written.

        A file that failed is never closed: closing it would show the pieces that were written.
        """
        file = self._system.open(path, "wb", autocommit=False)
        try:
            for view in views:
                for start in range(0, len(view), _PIECE):
                    file.write(view[start : start + _PIECE])
            file.close()
            file.commit()
        except BaseException:
            with suppress(Exception):  # the caller raises the first error
                file.discard()
            with suppress(Exception):
                file.closed = True  # otherwise the file is closed when its memory is freed
            raise

    def _make_folder(self) -> None:
        if "/" in self._root and not self._has_folder:
            with suppress(PermissionError):  # an object needs no folder, nor the right to make its bucket
                self._system.makedirs(self._root, exist_ok=True)
            self._has_folder = True

    def _info(self, name: str) -> dict[str, Any]:
        return self._read(name, lambda: dict(self._system.info(self._path(name))))

    def remove_folder(self) -> None:
        """Remove the folder if it is empty; object stores have no folders, and their buckets stay."""
        if "/" in self._root.strip("/"):
            with suppress(Exception):
                self._system.rmdir(self._root)

    def _download(self, name: str, start: int | None = None, stop: int | None = None) -> bytes:
        """Return the bytes of a file, or those from `start` to `stop` - 1."""
        return self._read(name, lambda: bytes(self._system.cat_file(self._path(name), start=start, end=stop)))

    def _read(self, name: str, request: Callable[[], T]) -> T:
        try:
            return patiently(request)
        except FileNotFoundError:
            raise MissingFileError(self._url(name), "there is no such file") from None
        except Exception as error:
            raise ReadError(self._url(name), f"cannot be read: {one_line(error)}") from error

    def _copies(self) -> dict[str, os.stat_result]:
        """Return the names and states of the copies, and remove temporary files of killed processes."""
        copies = {}
        for name in self._cache.list():
            with suppress(FileNotFoundError):  # another process removed it
                status = (self._cache.folder / name).stat()
                if not name.endswith(TEMPORARY):
                    copies[name] = status
                elif status.st_mtime < time.time() - _OLD_SECONDS:
                    self._cache.delete(name)
        return copies

    def _keep(self, name: str, content: Uint8Array) -> None:
        """Write a copy; if the disk is full, remove all other copies first.

        Raises
        ------
        WriteError
            There is still no room, or the folder cannot be written.
        """
        try:
            self._cache.put(name, [content])
        except WriteError as error:
            if error.__cause__ is None or not is_full(error.__cause__):
                raise
            self._make_room(name, 0)
            self._cache.put(name, [content])
        self._make_room(name, self._limit)

    def _make_room(self, name: str, limit: int) -> None:
        """Remove least recently used copies until the total size is within the limit; keep the copy of `name`.

        Copies also leave half of the room on their disk to others.
        """
        with self._lock:
            copies = self._copies()
            if not copies:
                return
            total = sum(status.st_size for status in copies.values())
            limit = min(limit, (shutil.disk_usage(self._cache.folder).free + total) // 2)
            for copy, status in sorted(copies.items(), key=lambda item: item[1].st_atime_ns):
                if total <= limit:
                    break
                if copy != name:
                    self._cache.delete(copy)
                    total -= status.st_size

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _url(self, name: str) -> str:
        return f"{self.place}/{name}"


def cache_folder() -> Path:
    """Return the folder of triadic in the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "triadic"


def work_folder(url: str) -> Path:
    """Return the folder in the user's cache for files that belong to a URL; its name is a hash of the URL."""
    return cache_folder() / "tiles" / blake2b(url.encode(), digest_size=10).hexdigest()


TileStore = FolderStore | UrlStore
"""What holds the files of tiles."""
