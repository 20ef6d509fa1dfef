"""How tasks come by tiles, seen from where they are handed out: by a place to open, or as data of Dask's."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Protocol

from triadic.errors import DeviceError
from triadic.tiles.cluster.tiles_of_worker import Place
from triadic.tiles.store import FolderStore

if TYPE_CHECKING:
    from collections.abc import Iterable

    from distributed import Client, Future

    from triadic.tiles.cluster.tiles_of_worker import Where
    from triadic.tiles.stored_tiles import StoredTiles
    from triadic.tiles.tile import TileSource

    Tiles = Iterable[tuple[int, int]]


_ATTEMPTS = 5


class TilesForWorkers(Protocol):
    """What a task is given to come by its tiles."""

    @property
    def where(self) -> Where:
        """A place that workers open, or the layout of tiles that they are given."""

    def given(self, tiles: Tiles) -> dict[tuple[int, int], Any]:
        """Give futures of these tiles, or none where workers read them."""

    def renew(self) -> None:
        """Forget tiles that were lost with their worker."""


class StoredForWorkers:
    """Tiles in a folder or at a URL: workers read them, so many ranks of them."""

    def __init__(self, tiles: StoredTiles, ranks: int) -> None:
        store = tiles.store
        path = str(store.folder.resolve()) if isinstance(store, FolderStore) else store.place
        self._place = Place(path, tiles.fingerprint, ranks)

    @property
    def where(self) -> Where:
        """Where they lie."""
        return self._place

    def given(self, tiles: Tiles) -> dict[tuple[int, int], Any]:  # noqa: ARG002 - of `TilesForWorkers`
        """Give none."""
        return {}

    def renew(self) -> None:
        """Nothing is lost with a worker."""


class ScatteredTiles:
    """Tiles of a graph in memory: each goes to some worker when a task first needs it, and from there to others."""

    def __init__(self, tiles: TileSource, client: Client) -> None:
        self._tiles, self._client = tiles, client
        self._there: dict[tuple[int, int], Future] = {}

    @property
    def where(self) -> Where:
        """The layout."""
        return self._tiles.layout

    def given(self, tiles: Tiles) -> dict[tuple[int, int], Any]:
        """Give futures of these tiles, sent one by one.

        Raises
        ------
        DeviceError
            No worker is there to take one.
        """
        for tile in tiles:
            if tile not in self._there:
                self._there[tile] = self._send(tile)
        return {tile: self._there[tile] for tile in tiles}

    def renew(self) -> None:
        """Forget tiles whose only worker is gone: they are sent again."""
        self._there = {tile: future for tile, future in self._there.items() if future.status == "finished"}

    def _send(self, place: tuple[int, int]) -> Future:
        tile = self._tiles.tile(*place)
        for attempt in range(_ATTEMPTS):
            try:
                return self._client.scatter(tile, hash=False)
            except TimeoutError:
                break
            except OSError:  # its worker went meanwhile; Dask soon knows
                time.sleep(attempt / 2)
        raise DeviceError("the cluster has no worker that takes a tile")
