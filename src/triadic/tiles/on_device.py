"""Tiles on devices: kept there while there is room, and joined there."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING
from weakref import ref

import numpy as np

from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.runtime import launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from triadic.devices.runtimes.runtime import Buffer, Runtime
    from triadic.tiles.tile import Tile

_SHARE = 0.4  # of a device's memory that tiles may take; joining and counting need the rest
_KEPT: dict[str, OrderedDict[ref[Tile], Placed]] = {}


class Placed:
    """The arrays of a tile on a device."""

    __slots__ = ("indices", "indptr", "nbytes", "state")

    def __init__(self, runtime: Runtime, tile: Tile) -> None:
        check_room(runtime, f"a tile of {len(tile.indices):,} edges", tile.nbytes)
        self.indptr: Buffer = runtime.upload(tile.indptr)
        self.indices: Buffer = runtime.upload(tile.indices.view(np.uint32))
        self.state: Buffer | None = None if tile.state is None else runtime.upload(tile.state)
        self.nbytes = tile.nbytes


def placed(runtime: Runtime, tiles: tuple[Tile, ...]) -> list[Placed]:
    """Give tiles on a device, put there if they are not; others that were used longest ago make room."""
    kept = _KEPT.setdefault(runtime.name, OrderedDict())
    wanted = [ref(tile) for tile in tiles]
    missing = sum(tile.nbytes for tile, key in zip(tiles, wanted, strict=True) if key not in kept)
    room = int(_SHARE * runtime.memory()[1]) - missing - sum(each.nbytes for each in kept.values())
    for key in list(kept):
        if key() is None or (room < 0 and key not in wanted):
            room += kept.pop(key).nbytes
    found = []
    for tile, key in zip(tiles, wanted, strict=True):
        if key not in kept:
            kept[key] = Placed(runtime, tile)
        kept.move_to_end(key)
        found.append(kept[key])
    return found


def forget_tiles() -> None:
    """Let go of all tiles on devices: what is counted needs the room."""
    _KEPT.clear()


def side_by_side(
    runtime: Runtime, tiles: list[Placed], indptr: Buffer, *, start: int, moved: int, states: bool
) -> Buffer:
    """Join the entries, or the states, of two tiles one after another, or of three, the last two row by row.

    Parameters
    ----------
    runtime : Runtime
    tiles : list of Placed
    indptr : int64
        Where the joined rows begin.
    start : int
        First row of the last tiles.
    moved : int
        By so much the columns of the third tile are moved.
    states : bool
    """
    entries: list[Buffer] = [each.state if states else each.indices for each in tiles]
    source = Source("tiles", (("STATES", 1),) if states else ())
    joined = runtime.empty(sum(map(len, entries)), np.uint8 if states else np.uint32)
    at = 0
    for each in entries if len(tiles) < 3 else entries[:1]:
        launch_each(runtime, source, "copy_entries", len(each), each, np.uint64(len(each)), np.uint64(at), joined)
        at += len(each)
    if len(tiles) == 3:
        near, far = tiles[1:]
        rows = len(near.indptr) - 1
        runtime.launch(
            source, "interleave", -(-rows // runtime.teams), near.indptr, entries[1], far.indptr, entries[2], indptr,
            np.uint64(start), np.uint64(rows), np.uint32(0 if states else moved), joined,
        )  # fmt: skip
    return joined
