"""Tiles at a URL, and copies of those in use on this machine."""

from __future__ import annotations

import os
import threading
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
    """Files at a URL of fsspec's, with a cache on this machine.

    A file is fetched once and then read from its copy. When the copies take more than they may, those unused for
    longest go. A file that was fetched is taken not to change but by `put` of this object, until
    `newest` finds that one did.

    Parameters
    ----------
    url : str
    cache : pathlib.Path, optional
        Folder of the copies; one named after the URL in the user's cache folder by default.
    cache_bytes : int

    Raises
    ------
    MissingExtraError
        fsspec, or what it needs for this kind of URL, is not installed.
    ArgumentError
        No such kind of URL.

    Examples
    --------
    >>> store = UrlStore("memory://graph", cache=getfixture("tmp_path"))
    >>> store.put("a", [b"one", b"two"])
    >>> store.get("a").tobytes(), store.list()
    (b'onetwo', ['a'])
    """

    def __init__(self, url: str, *, cache: Path | None = None, cache_bytes: int = 1 << 36) -> None:
        try:
            from fsspec.core import url_to_fs  # noqa: PLC0415 - not everybody has it
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
        self._most = cache_bytes
        self._lock = threading.Lock()
        self._fetching: dict[str, threading.Lock] = {}

    def get(self, name: str) -> NDArray[np.uint8]:
        """Give all bytes of a file, from its copy if there is one."""
        while True:
            self.local(name)
            try:
                return self._cache.get(name)
            except MissingFileError:  # another thread's file took its place meanwhile
                continue

    def newest(self, name: str) -> NDArray[np.uint8]:
        """Fetch a file anew; where it is not what its copy is, all copies may be of other tiles, and go."""
        content = np.frombuffer(self._fetched(name), dtype=np.uint8)
        with suppress(MissingFileError):
            if np.array_equal(self._cache.get(name), content):
                return content
        for copy in self._cache.list():
            if not copy.endswith(TEMPORARY):
                self._cache.delete(copy)
        self._cache.put(name, [content])
        return content

    def local(self, name: str) -> Path:
        """Give the copy, fetched if need be."""
        with self._lock:
            own = self._fetching.setdefault(name, threading.Lock())
        with own:  # one fetch of a file at a time
            try:
                path = self._cache.local(name)
                os.utime(path)  # used just now
            except (MissingFileError, FileNotFoundError):
                self._cache.put(name, [self._fetched(name)])
                path = self._cache.folder / name
                self._make_room(name)
        return path

    def put(self, name: str, parts: Sequence[Bytes]) -> None:
        """Write a file; a half of one that was cut short is taken away."""
        self._cache.delete(name)
        try:
            if "/" in self._root:
                self._system.makedirs(self._root, exist_ok=True)
            # Only a file that was closed well is kept, on stores that know of it; on others it goes below.
            with self._system.open(self._at(name), "wb") as file:
                for part in parts:
                    file.write(as_bytes(part))
        except Exception as error:
            self._forget(name)
            raise WriteError(f"{self._url(name)}: cannot be written: {_words(error)}") from error
        except BaseException:
            self._forget(name)
            raise

    def list(self, prefix: str = "") -> list[str]:
        """Give the names that begin so, in order."""
        try:
            found = self._system.ls(self._root, detail=False, refresh=True)
        except FileNotFoundError:
            return []
        names = (str(path).rstrip("/").rsplit("/", 1)[-1] for path in found)
        return sorted(name for name in names if name.startswith(prefix))

    def size(self, names: Iterable[str]) -> int:
        """Give the bytes that these files take together."""
        return sum(int(self._system.size(self._at(name))) for name in names)

    def delete(self, name: str) -> None:
        """Remove a file, if it is there."""
        self._cache.delete(name)
        try:
            self._system.rm_file(self._at(name))
        except FileNotFoundError:
            pass
        except Exception as error:
            raise WriteError(f"{self._url(name)}: cannot be removed: {_words(error)}") from error

    def _fetched(self, name: str) -> bytes:
        try:
            content: Any = self._system.cat_file(self._at(name))
        except FileNotFoundError:
            raise MissingFileError(self._url(name), "there is no such file") from None
        except Exception as error:
            raise ReadError(self._url(name), f"cannot be read: {_words(error)}") from error
        return bytes(content)

    def _make_room(self, kept: str) -> None:
        """Remove copies, the one unused for longest first, until they take no more than they may."""
        with self._lock:
            copies = []
            for name in self._cache.list():
                if not name.endswith(TEMPORARY):
                    status = (self._cache.folder / name).stat()
                    copies.append((status.st_mtime_ns, status.st_size, name))
            taken = sum(size for _, size, _ in copies)
            for _, size, name in sorted(copies):
                if taken <= self._most:
                    break
                if name != kept:
                    self._cache.delete(name)
                    taken -= size

    def _forget(self, name: str) -> None:
        with suppress(Exception):  # it may never have been there; the first error is the one to tell
            self._system.rm_file(self._at(name))

    def _at(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _url(self, name: str) -> str:
        return f"{self.place}/{name}"


def work_folder(url: str) -> Path:
    """Give the folder on this machine for what belongs to a URL, by name of the URL."""
    home = os.environ.get("XDG_CACHE_HOME")
    base = Path(home) if home else Path.home() / ".cache"
    return base / "triadic" / "tiles" / blake2b(url.encode(), digest_size=10).hexdigest()


def _words(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
