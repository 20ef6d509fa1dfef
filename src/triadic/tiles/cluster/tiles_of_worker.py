"""Where a worker takes tiles from: a folder or URL that it opens itself, or tiles that Dask hands over.

Those of a folder or URL are kept between tasks, those used last, in a share of the worker's memory. All threads of a
process have them in common, and the next graph's take their place.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from triadic.core.memory import available_bytes
from triadic.errors import MissingFileError, ReadError
from triadic.tiles.cache import CachedTiles
from triadic.tiles.cluster.freed_memory import hand_back_freed_memory
from triadic.tiles.layout import Layout
from triadic.tiles.leaves import WithoutLeaves
from triadic.tiles.stored_tiles import StoredTiles, open_store
from triadic.tiles.tile import Tile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.tiles.tile import TileSource

_SHARE = 0.4  # of a worker's memory, for tiles that are kept
_LOCK = Lock()

TilesGiven = dict[tuple[int, int], Tile]


@dataclass(frozen=True, slots=True)
class Place:
    """Stored tiles: a path or URL as workers see it, what tells them from others, and how many ranks are counted."""

    path: str
    fingerprint: str
    ranks: int


Where = Place | Layout
_KEPT: dict[Place, CachedTiles] = {}


class TilesAtHand:
    """A `triadic.tiles.tile.TileSource` of the few tiles that a task needs."""

    def __init__(self, layout: Layout, tiles: TilesGiven) -> None:
        self._layout, self._tiles = layout, tiles

    @property
    def layout(self) -> Layout:
        """The graph's figures and ranges."""
        return self._layout

    def tile(self, i: int, j: int) -> Tile:
        """Give a tile."""
        return self._tiles[i, j]

    def degree(self, i: int) -> NDArray[np.int64]:
        """Not there: no task asks for it."""
        raise NotImplementedError


def tiles_at(where: Where, given: TilesGiven) -> TileSource:
    """Give the tiles of a place, or those given."""
    return TilesAtHand(where, given) if isinstance(where, Layout) else _opened(where)


def forget() -> None:
    """Keep no tiles any longer, and no error of reading one."""
    with _LOCK:
        _KEPT.clear()


async def forget_soon() -> None:
    """Do so when the worker comes to it: what Dask does not wait for."""
    forget()
    hand_back_freed_memory()


def allowed_bytes() -> int:
    """Give the bytes that a task may take: what a thread of the worker has."""
    limit, threads = _limits()
    return limit // threads


def _opened(where: Place) -> CachedTiles:
    with _LOCK:
        if where not in _KEPT:
            _KEPT.clear()
            _KEPT[where] = CachedTiles(_stored(where), int(_SHARE * _limits()[0]))
        return _KEPT[where]


def _stored(where: Place) -> WithoutLeaves:
    try:
        tiles = StoredTiles(open_store(where.path))
    except MissingFileError as error:
        raise MissingFileError(
            error.path, f"{error.problem} on the worker {_worker().address}: expected what all workers see"
        ) from None
    if tiles.fingerprint != where.fingerprint:
        raise ReadError(where.path, f"other tiles lie here on the worker {_worker().address}: expected the same")
    return WithoutLeaves(tiles, where.ranks)


def _limits() -> tuple[int, int]:
    worker = _worker()
    return worker.memory_manager.memory_limit or available_bytes(), worker.state.nthreads


def _worker() -> Any:  # noqa: ANN401 - of an extra
    from distributed import get_worker  # noqa: PLC0415 - of an extra

    return get_worker()
