"""Storage of tiles at a URL, with a cache of copies on this machine."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import ArgumentError, MissingExtraError, MissingFileError, ReadError, WriteError
from triadic.tiles.store import TEMPORARY, FolderStore, as_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from triadic.tiles.store import Bytes


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
        Largest total size of the copies, in bytes.

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
        try:
            from fsspec.core import url_to_fs  # noqa: PLC0415 - an optional dependency
        except ImportError:
            raise MissingExtraError(f"{url}: needs fsspec, which is not installed: pip install fsspec") from None
        try:
            self._system, self._root = url_to_fs(url.rstrip("/"))
        except ImportError as error:
            raise MissingExtraError(f"{url}: {' '.join(str(error).split())}") from None
        except ValueError as error:
            raise ArgumentError(f"{url}: {' '.join(str(error).split())}") from None
        self.place = url.rstrip("/")
        self._cache = FolderStore(cache or work_folder(self.place) / "copies")
        self._limit = cache_bytes
        self._lock = threading.Lock()
        self._downloads: dict[str, threading.Lock] = {}

    def get(self, name: str) -> NDArray[np.uint8]:
        """Return the bytes of a file, from its copy if there is one."""
        while True:
            self.local(name)
            try:
                return self._cache.get(name)
            except MissingFileError:  # another thread's download pushed it out of the cache
                continue

    def refresh(self, name: str) -> NDArray[np.uint8]:
        """Download the file again.

        If it differs from its cached copy, drop the whole cache: the tiles at the URL have changed.
        """
        content = np.frombuffer(self._download(name), dtype=np.uint8)
        with suppress(MissingFileError):
            if np.array_equal(self._cache.get(name), content):
                return content
        for copy in self._cache.list():
            if not copy.endswith(TEMPORARY):
                self._cache.delete(copy)
        self._cache.put(name, [content])
        return content

    def local(self, name: str) -> Path:
        """Return the path of the copy; download the file if there is none."""
        with self._lock:
            own = self._downloads.setdefault(name, threading.Lock())
        with own:  # each file is downloaded by one thread at a time
            try:
                path = self._cache.local(name)
                # Marks the copy as recently used; the time of its last change stays.
                os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))
            except (MissingFileError, FileNotFoundError):
                self._cache.put(name, [self._download(name)])
                path = self._cache.folder / name
                self._make_room(name)
        return path

    def put(self, name: str, parts: Sequence[Bytes]) -> None:
        """Write a file; remove a partial file if writing fails."""
        self._cache.delete(name)
        try:
            if "/" in self._root:
                self._system.makedirs(self._root, exist_ok=True)
            # Some file systems keep a file only if it is closed normally; on others `_forget` removes it.
            with self._system.open(self._path(name), "wb") as file:
                for part in parts:
                    file.write(as_bytes(part))
        except Exception as error:
            self._forget(name)
            raise WriteError(f"{self._url(name)}: cannot be written: {_message(error)}") from error
        except BaseException:
            self._forget(name)
            raise

    def list(self, prefix: str = "") -> list[str]:
        """Return the sorted names of the files that begin with `prefix`."""
        try:
            found = self._system.ls(self._root, detail=False, refresh=True)
        except FileNotFoundError:
            return []
        names = (str(path).rstrip("/").rsplit("/", 1)[-1] for path in found)
        return sorted(name for name in names if name.startswith(prefix))

    def size(self, names: Iterable[str]) -> int:
        """Return the total number of bytes of the named files."""
        return sum(int(self._system.size(self._path(name))) for name in names)

    def delete(self, name: str) -> None:
        """Remove a file if it exists."""
        self._cache.delete(name)
        try:
            self._system.rm_file(self._path(name))
        except FileNotFoundError:
            pass
        except Exception as error:
            raise WriteError(f"{self._url(name)}: cannot be removed: {_message(error)}") from error

    def _download(self, name: str) -> bytes:
        try:
            content: Any = self._system.cat_file(self._path(name))
        except FileNotFoundError:
            raise MissingFileError(self._url(name), "there is no such file") from None
        except Exception as error:
            raise ReadError(self._url(name), f"cannot be read: {_message(error)}") from error
        return bytes(content)

    def _make_room(self, name: str) -> None:
        """Remove least recently used copies until the total size is within the limit; keep the copy of `name`."""
        with self._lock:
            copies = []
            for copy in self._cache.list():
                if not copy.endswith(TEMPORARY):
                    status = (self._cache.folder / copy).stat()
                    copies.append((status.st_atime_ns, status.st_size, copy))
            total = sum(size for _, size, _ in copies)
            for _, size, copy in sorted(copies):
                if total <= self._limit:
                    break
                if copy != name:
                    self._cache.delete(copy)
                    total -= size

    def _forget(self, name: str) -> None:
        with suppress(Exception):  # the file may not exist; the caller raises the first error
            self._system.rm_file(self._path(name))

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _url(self, name: str) -> str:
        return f"{self.place}/{name}"


def work_folder(url: str) -> Path:
    """Return the folder in the user's cache for files that belong to a URL; its name is a hash of the URL."""
    home = os.environ.get("XDG_CACHE_HOME")
    base = Path(home) if home else Path.home() / ".cache"
    return base / "triadic" / "tiles" / blake2b(url.encode(), digest_size=10).hexdigest()


def _message(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
