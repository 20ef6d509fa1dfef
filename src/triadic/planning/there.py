"""Tiles that are there already: everything about them is known, without reading an edge."""

from __future__ import annotations

import json
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from triadic.planning.tiled import Tiled
from triadic.tiles.file_format import read_head, tile_name
from triadic.tiles.store import FolderStore
from triadic.tiles.stored_tiles import FORMAT, HEADER, StoredTiles
from triadic.tiles.work import tested_of_lengths

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import NDArray


def is_tiles(path: str | PathLike[str]) -> bool:
    """Whether a path is a folder of tiles, made or being made.

    Examples
    --------
    >>> is_tiles(getfixture("tmp_path"))
    False
    """
    folder = Path(fspath(path))
    try:
        return bool(json.loads((folder / HEADER).read_bytes())["format"] == FORMAT)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return False


def tiles_there(path: str | PathLike[str]) -> tuple[Tiled, str]:
    """Give tiles in a folder, and what that is known from: their header, and the lengths of their rows.

    Raises
    ------
    ReadError
        They are damaged.
    """
    store = FolderStore(Path(fspath(path)))
    tiles = StoredTiles(store)
    layout, noted = tiles.layout, tiles.tested()
    ranges = layout.ranges
    tested = np.zeros((ranges,) * 3) if noted is None else noted
    sizes = np.zeros((ranges, ranges), dtype=np.int64)
    for i in range(ranges):
        rows = []
        for j in range(i + 1):
            content = np.memmap(store.local(tile_name(i, j)), dtype=np.uint8, mode="r")
            sizes[i, j] = len(content)
            rows.append(_lengths(np.asarray(content), i, j, f"{store.place}/{tile_name(i, j)}"))
        if noted is None:
            tested[i, : i + 1, : i + 1] = tested_of_lengths(rows)
    return Tiled(layout, tested, sizes), f"from the tiles of all {layout.edges:,} edges"


def _lengths(content: NDArray[np.uint8], i: int, j: int, where: str) -> NDArray[np.unsignedinteger]:
    head = read_head(content, i, j, where)
    return content[len(content) - head.width * head.rows :].view(f"<u{head.width}")
