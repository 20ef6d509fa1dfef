"""Tiles in the memory of a device: a cache of uploaded tiles, and their concatenation on the device."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING
from weakref import ref

import numpy as np

from triadic.devices.runtimes.runtime import Source, check_room, launch_each

if TYPE_CHECKING:
    from triadic.devices.runtimes.runtime import Buffer, Runtime
    from triadic.tiles.tile import Tile

_SHARE = 0.4  # of a device's memory for tiles; joining and counting need the rest
_CACHES: dict[str, OrderedDict[ref[Tile], DeviceTile]] = {}


class DeviceTile:
    """The arrays of a tile in the memory of a device."""

    __slots__ = ("indices", "indptr", "nbytes", "state")

    def __init__(self, runtime: Runtime, tile: Tile) -> None:
        check_room(runtime, f"a tile of {len(tile.indices):,} edges", tile.nbytes)
        self.indptr: Buffer = runtime.upload(tile.indptr)
        self.indices: Buffer = runtime.upload(tile.indices.view(np.uint32))
        self.state: Buffer | None = None if tile.state is None else runtime.upload(tile.state)
        self.nbytes = tile.nbytes


def upload_tiles(runtime: Runtime, tiles: tuple[Tile, ...]) -> list[DeviceTile]:
    """Return tiles on a device; upload missing ones, and drop the least recently used others to make room."""
    cache = _CACHES.setdefault(runtime.name, OrderedDict())
    keys = [ref(tile) for tile in tiles]
    missing = sum(tile.nbytes for tile, key in zip(tiles, keys, strict=True) if key not in cache)
    room = int(_SHARE * runtime.memory()[1]) - missing - sum(tile.nbytes for tile in cache.values())
    for key in list(cache):
        if key() is None or (room < 0 and key not in keys):
            room += cache.pop(key).nbytes
    for tile, key in zip(tiles, keys, strict=True):
        if key not in cache:
            cache[key] = DeviceTile(runtime, tile)
        cache.move_to_end(key)
    return [cache[key] for key in keys]


def free_tiles() -> None:
    """Drop the tiles on all devices, to free their memory."""
    _CACHES.clear()


def concatenate_tiles(
    runtime: Runtime, tiles: list[DeviceTile], indptr: Buffer, *, start: int, column_offset: int, states: bool
) -> Buffer:
    """Concatenate the entries, or the states, of two or three tiles; each row of the last two of three is one row.

    Parameters
    ----------
    runtime : Runtime
        The device.
    tiles : list of DeviceTile
        Two tiles, one after the other; or three, of which the last two are joined row by row.
    indptr : int64 buffer
        Starts of the joined rows.
    start : int
        First joined row of the last two of three tiles.
    column_offset : int
        Number that is added to the columns of the third tile.
    states : bool
        Whether to join the states of the tiles, uint8, in place of their entries, uint32.
    """
    entries: list[Buffer] = [tile.state if states else tile.indices for tile in tiles]
    source = Source("tiles", (("STATES", 1),) if states else ())
    joined = runtime.empty(sum(map(len, entries)), np.uint8 if states else np.uint32)
    end = 0
    for part in entries if len(tiles) < 3 else entries[:1]:
        launch_each(runtime, source, "copy_entries", len(part), part, np.uint64(len(part)), np.uint64(end), joined)
        end += len(part)
    if len(tiles) == 3:
        near, far = tiles[1:]
        rows = len(near.indptr) - 1
        runtime.launch(
            source, "interleave", -(-rows // runtime.teams), near.indptr, entries[1], far.indptr, entries[2], indptr,
            np.uint64(start), np.uint64(rows), np.uint32(0 if states else column_offset), joined,
        )  # fmt: skip
    return joined
