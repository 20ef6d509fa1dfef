"""Tiles kept in memory: the least recently used go first, and the next are fetched while one triple is counted."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    import numpy as np
    from numpy.typing import NDArray

    from triadic.tiles.layout import Layout
    from triadic.tiles.tile import Tile, TileSource

    Place = tuple[int, int]


class CachedTiles:
    """A source of tiles that keeps those used last, within a number of bytes.

    Parameters
    ----------
    source : TileSource
    room : int
        Bytes of tiles to keep; one that is asked for is kept until the next are, whatever its size.
    """

    def __init__(self, source: TileSource, room: int) -> None:
        self._source, self._room = source, room
        self._kept: OrderedDict[Place, Future[Tile]] = OrderedDict()
        self._wanted: frozenset[Place] = frozenset()
        self._lock = Lock()
        self._fetching = ThreadPoolExecutor(1, thread_name_prefix="triadic-tiles")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._fetching.shutdown(wait=True, cancel_futures=True)
        self._kept.clear()

    @property
    def layout(self) -> Layout:
        """The graph's figures and ranges."""
        return self._source.layout

    def tile(self, i: int, j: int) -> Tile:
        """Give a tile, fetched now if it is not there."""
        while True:
            try:
                return self._ask((i, j)).result()
            except CancelledError:  # another thread's tiles took its room before it came
                continue

    def degree(self, i: int) -> NDArray[np.int64]:
        """Give the degrees of the ranks in range `i`."""
        return self._source.degree(i)

    def fetch(self, needed: Iterable[Place], then: Iterable[Place] = ()) -> None:
        """Have these tiles fetched and kept until the next call, and those after them as far as there is room."""
        wanted = dict.fromkeys(needed)
        room = self._room - sum(self._bytes(place) for place in wanted)
        for place in then:
            if place not in wanted and self._bytes(place) <= room:
                room -= self._bytes(place)
                wanted[place] = None
        self._wanted = frozenset(wanted)
        for place in wanted:
            self._ask(place)

    def _ask(self, place: Place) -> Future[Tile]:
        with self._lock:
            if place not in self._kept:
                self._make_room(self._bytes(place))
                self._kept[place] = self._fetching.submit(self._source.tile, *place)
            self._kept.move_to_end(place)
            return self._kept[place]

    def _make_room(self, needed: int) -> None:
        """Forget the tiles used longest ago, but for those that are wanted now, until there is so much room."""
        kept = sum(self._bytes(place) for place in self._kept)
        for place in [place for place in self._kept if place not in self._wanted]:
            if kept + needed <= self._room:
                break
            self._kept.pop(place).cancel()
            kept -= self._bytes(place)

    def _bytes(self, place: Place) -> int:
        return self.layout.tile_bytes(*place)
