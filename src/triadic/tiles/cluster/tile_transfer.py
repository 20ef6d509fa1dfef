"""How workers get tiles: they open a folder or URL themselves, or Dask sends them the tiles of a graph in memory.

The client makes a `TileProvider`, and each task receives its `origin` and the result of `send`. On the worker,
`open_tiles` turns both into a source of tiles. Tiles of a folder or URL stay in a share of the worker's memory between
tasks; all threads of a worker share them, and the tiles of the next graph replace them.

Dask starts workers with a setting that makes glibc return freed memory to the system at once. Each task allocates and
frees tens of megabytes, and the system clears the pages of each allocation, which takes as long as counting. So the
first task of a count lifts the setting, and the end of the count restores it.
"""

from __future__ import annotations

import ctypes
import os
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache, wraps
from threading import Lock, get_ident
from typing import TYPE_CHECKING, Any, ParamSpec

from triadic.core.memory import available_bytes, return_freed, show_bytes
from triadic.core.records import record, value_class
from triadic.errors import DeviceError, MissingFileError, OutOfMemoryError, ReadError, TriadicError
from triadic.tiles.layout import Layout
from triadic.tiles.store import FolderStore
from triadic.tiles.stored_tiles import StoredTiles, open_store
from triadic.tiles.tile import CachedTiles, LeaflessTiles, Tile, TileSource, valued

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from distributed import Client, Future

    from triadic.core.array_types import Int64Array
    from triadic.tiles.tile import TileValues

    Names = Iterable[tuple[int, int]]  # the ranges i and j of each tile


_SETTING = "MALLOC_TRIM_THRESHOLD_"
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of malloc.h
_LIFTED_TRIM, _LIFTED_MMAP = 1 << 27, 1 << 25
_DEFAULT_MMAP = 1 << 17


def keep_freed_memory() -> None:
    """Let the process keep up to 128 MiB of freed memory, if Dask has set a threshold."""
    if os.environ.get(_SETTING, "").isdigit():
        _set(_LIFTED_TRIM, _LIFTED_MMAP)


def return_freed_memory() -> None:
    """Restore Dask's threshold, and return the freed memory to the system."""
    if os.environ.get(_SETTING, "").isdigit():
        _set(int(os.environ[_SETTING]), _DEFAULT_MMAP)
        return_freed()


def _set(trim: int, mmap: int) -> None:
    with suppress(OSError, AttributeError):  # the C library is not glibc
        malloc = ctypes.CDLL(None)
        malloc.mallopt(_TRIM_THRESHOLD, trim)
        malloc.mallopt(_MMAP_THRESHOLD, mmap)


@record
class Failure:
    """An error of triadic, returned by a task that would fail again."""

    error: TriadicError


Arguments = ParamSpec("Arguments")


def task(function: Callable[Arguments, Any]) -> Callable[Arguments, Any]:
    """Return errors of triadic as values, so that Dask does not run the task again; forget what was read."""

    @wraps(function)
    def run(*arguments: Arguments.args, **keywords: Arguments.kwargs) -> Any:  # noqa: ANN401 - of any task
        keep_freed_memory()
        try:
            return function(*arguments, **keywords)
        except TriadicError as error:
            drop_cached_tiles()
            return Failure(error)

    return run


TileDict = dict[tuple[int, int] | int, Any]  # tiles by their ranges, and degrees by their range

CACHE_SHARE = 0.4  # of the memory of a worker's tasks, for cached tiles, if tasks leave as much
# Of a worker's limit, tasks may take this share, beside the bytes of the interpreter and its libraries. Dask pauses
# workers at 80% of the limit, and kills them at 95%.
_TASK_SHARE, PROCESS_BYTES = 0.7, 200 << 20
_ATTEMPTS = 5


@value_class
class TileAddress:
    """The address of stored tiles.

    Attributes
    ----------
    path : str
        Path or URL of the tiles on the workers.
    fingerprint : str
        Fingerprint of the tiles, by which a worker recognises other tiles at the path.
    ranks : int
        Number of first ranks that are counted.
    weighted : bool, default False
        Whether tiles come with weights.
    values : TileValues, optional
        Values that the cached tiles have in place of weights; by default they keep their weights.
    """

    path: str
    fingerprint: str
    ranks: int
    weighted: bool = False
    values: TileValues | None = None


Origin = TileAddress | Layout  # the layout if the tiles are sent
_LOCK = Lock()
_CACHE: dict[TileAddress, CachedTiles] = {}
_WORKING: dict[int, int] = {}  # bytes that the task of each thread takes beside the cached tiles
_MOST_LOADERS = 4  # threads that read tiles, on a worker with several threads


def address_of(tiles: StoredTiles, ranks: int) -> TileAddress:
    """Return the address of the first `ranks` ranks of stored tiles."""
    store = tiles.store
    path = str(store.folder.resolve()) if isinstance(store, FolderStore) else store.place
    return TileAddress(path, tiles.fingerprint, ranks, weighted=tiles.layout.weighted)


class TileProvider:
    """The client's side: what tasks receive to get their tiles.

    Workers open tiles in a folder or at a URL. Each tile of a graph in memory is sent to one worker when a task first
    needs it, and to others by Dask.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.
    tiles : LeaflessTiles
        The tiles of the ranks that are counted.
    values : TileValues, optional
        Values that tiles have in place of weights; by default they keep their weights.

    Attributes
    ----------
    layout : Layout
        The ranges of the ranks that are counted.
    origin : Origin
        What `open_tiles` takes.
    """

    def __init__(self, client: Client, tiles: LeaflessTiles, values: TileValues | None = None) -> None:
        self._client, self.layout = client, tiles.layout
        self._tiles: TileSource | None = None
        self._futures: dict[Hashable, Future] = {}
        self.origin: Origin = tiles.layout
        if isinstance(tiles.source, StoredTiles):
            self.origin = replace(address_of(tiles.source, tiles.ranks), values=values)
        else:
            self._tiles = valued(tiles, values)

    def send(self, tiles: Names, degrees: Iterable[int] = ()) -> TileDict:
        """Return futures of some tiles, and of the degrees of some ranges; none if workers open the tiles.

        Each tile and each range of degrees is sent to one worker before the first future of it is returned.

        Raises
        ------
        DeviceError
            If no worker accepts a tile.
        """
        if self._tiles is None:
            return {}
        sent: TileDict = {name: self._sent(name, self._tiles.tile, *name) for name in tiles}
        return sent | {i: self._sent(i, self._tiles.degree, i) for i in degrees}

    def renew(self) -> None:
        """Forget tiles and degrees whose only worker is gone, so that they are sent again."""
        self._futures = {key: future for key, future in self._futures.items() if future.status == "finished"}

    def _sent(self, key: Hashable, read: Callable[..., Any], *ranges: int) -> Future:
        """Return the future of what ``read(*ranges)`` returns, which is sent once."""
        for attempt in range(_ATTEMPTS):
            if key in self._futures:
                return self._futures[key]
            try:
                self._futures[key] = self._client.scatter(read(*ranges), hash=False)
            except TimeoutError:
                break
            except OSError:  # the worker has died, and the scheduler does not know it yet
                time.sleep(attempt / 2)
        raise DeviceError("no worker of the cluster accepts a tile: are workers running?")


class SentTiles(TileSource):
    """The tiles that Dask sent for one task, as a `triadic.tiles.tile.TileSource`."""

    def __init__(self, layout: Layout, sent: TileDict) -> None:
        self.layout, self._sent = layout, sent

    def tile(self, i: int, j: int) -> Tile:
        """Return the tile of rows in range `i` and columns in range `j`."""
        tile: Tile = self._sent[i, j]
        return tile

    def degree(self, i: int) -> Int64Array:
        """Return the degrees in range `i`."""
        degree: Int64Array = self._sent[i]
        return degree

    def prefetch(self, tiles: Names) -> None:
        """Do nothing; all tiles of a task are sent before it starts."""


WorkerTiles = CachedTiles | SentTiles  # the worker's side: a source of tiles that can load the next ones


def open_tiles(origin: Origin, sent: TileDict) -> WorkerTiles:
    """Return, on a worker, the source of a task's tiles: the tiles at the address, or the tiles that were sent."""
    if isinstance(origin, Layout):
        return SentTiles(origin, sent)
    with _LOCK:
        if origin not in _CACHE:
            _CACHE.clear()
            _, threads = _limits()
            _CACHE[origin] = CachedTiles(open_leafless(origin), _cache_room(), loaders=min(threads, _MOST_LOADERS))
        return _CACHE[origin]


def drop_cached_tiles() -> None:
    """Drop the cached tiles of this worker, and cached errors of reading a tile."""
    with _LOCK:
        _CACHE.clear()
    open_stored.cache_clear()


async def free_worker_memory() -> None:
    """Drop cached tiles and freed memory; a coroutine, for which the client of Dask does not have to wait."""
    drop_cached_tiles()
    return_freed_memory()


@contextmanager
def working_memory(needed: int) -> Iterator[None]:
    """Reserve bytes for a task of this thread; cached tiles take what the tasks of all threads leave of the memory."""
    _reserve(needed)
    try:
        yield
    finally:
        _reserve(0)


def _reserve(needed: int) -> None:
    with _LOCK:
        _WORKING[get_ident()] = needed
        for tiles in _CACHE.values():
            tiles.resize(_cache_room())


def _cache_room() -> int:
    """Return the bytes that cached tiles may take now; each task has room for the tiles that it uses."""
    limit, _ = _limits()
    return max(0, min(int(CACHE_SHARE * limit), limit - sum(_WORKING.values())))


def allowed_bytes() -> int:
    """Return the bytes that a task may take: the memory of the worker's tasks divided by its threads."""
    limit, threads = _limits()
    return limit // threads


def check_bytes(needed: int, work: str) -> None:
    """Raise OutOfMemoryError if some work takes more bytes than a task may take."""
    if needed > (allowed := allowed_bytes()):
        raise OutOfMemoryError(
            f"{work} takes at least {show_bytes(needed)}, and a thread of a worker has {show_bytes(allowed)}: cut the "
            "graph into more ranges, or give workers more memory or fewer threads"
        )


def thread_bytes(dask_worker: Any) -> int:  # noqa: ANN401 - of an extra
    """Return the bytes that a task may take on a worker; a function for `Client.run`."""
    limit, threads = _limits_of(dask_worker)
    return limit // threads


def open_leafless(address: TileAddress) -> TileSource:
    """Return, on a worker, the ranks of stored tiles that are counted, with their values, without a cache of tiles."""
    return valued(LeaflessTiles(open_stored(address), address.ranks), address.values)


@lru_cache(maxsize=1)
def open_stored(address: TileAddress) -> StoredTiles:
    """Return, on a worker, the stored tiles at an address, without a cache of tiles.

    Raises
    ------
    MissingFileError
        If there are no tiles on this worker.
    ReadError
        If there are other tiles.
    """
    try:
        tiles = StoredTiles(open_store(address.path))
    except MissingFileError as error:
        raise MissingFileError(
            error.path,
            f"{error.problem} on the worker {_worker().address}: expected a path or URL that all workers can read",
        ) from None
    if tiles.fingerprint != address.fingerprint:
        raise ReadError(
            address.path, f"holds other tiles on the worker {_worker().address}: expected the tiles of the client"
        )
    return tiles.with_weights() if address.weighted else tiles


def _limits() -> tuple[int, int]:
    return _limits_of(_worker())


def _limits_of(worker: Any) -> tuple[int, int]:  # noqa: ANN401 - of an extra
    """Return the bytes that all tasks of a worker may take, and the number of its threads."""
    limit = worker.memory_manager.memory_limit
    return task_bytes(limit) if limit else available_bytes(), worker.state.nthreads


def task_bytes(limit: int) -> int:
    """Return the bytes that all tasks of a worker may take, by its limit of memory."""
    return max(0, int(_TASK_SHARE * (limit - PROCESS_BYTES)))


def _worker() -> Any:  # noqa: ANN401 - of an extra
    from distributed import get_worker  # noqa: PLC0415 - of an extra

    return get_worker()
