"""Where tiles are made: what may stand there, what a run that was killed left behind, and whether all is done."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.errors import MissingFileError, ReadError, WriteError
from triadic.tiles.header import read_header
from triadic.tiles.lock import NAME as LOCK
from triadic.tiles.spill import PREFIX as SPILL
from triadic.tiles.state import NAME as STATE
from triadic.tiles.store import TEMPORARY, FolderStore
from triadic.tiles.stored import StoredTiles
from triadic.tiles.vectors import RESULTS

if TYPE_CHECKING:
    from os import PathLike

    from triadic.tiles.store import TileStore

# What is there only while tiles are made.
PASSING = (SPILL, STATE, LOCK)
# Whole names: what begins like them may be somebody's.
_OURS = re.compile(
    r"tile-\d+-\d+|degree-\d+\.npy|(rank|tested|labels|label_ends)\.npy|header\.json"
    r"|spill-(\d+|counts\.npy|starts\.npy)|tiling\.json|lock"
)


def work_folder(store: TileStore, scratch: str | PathLike[str] | None) -> FolderStore:
    """Give the folder that edges are set aside in."""
    if scratch is not None:
        return FolderStore(Path(scratch))
    if isinstance(store, FolderStore):
        return store
    from triadic.tiles.url_store import work_folder as folder_for  # noqa: PLC0415 - with URLs only

    return FolderStore(folder_for(store.place) / "work")


def complete(store: TileStore, origin: dict[str, Any]) -> StoredTiles | None:
    """Give the tiles that are there, if all are and they are those that are asked for."""
    try:
        found = read_header(store)
    except MissingFileError:
        return None
    except ReadError as error:
        raise WriteError(f"{error}; remove what is there, or choose a new name") from None
    if found.origin != origin:
        raise WriteError(f"{store.place}: holds tiles of another input or other options; expected a new name")
    tiles = StoredTiles(store)
    return tiles if set(tiles.names).issubset(store.list()) else None  # one that was removed since is made again


def check_place(work: FolderStore) -> None:
    """Refuse a folder that holds what is not ours."""
    if work.folder.exists() and not work.folder.is_dir():
        raise WriteError(f"{work.place}: is a file; expected the name of a folder to make")
    for name in work.list():
        if not (_OURS.fullmatch(name) or _is_temporary(name) or name == RESULTS):
            raise WriteError(f"{work.place}: something else stands there ({name}); expected a new name")


def sweep(work: FolderStore) -> None:
    """Remove what a killed process left half-written."""
    for name in work.list("."):
        if _is_temporary(name):
            work.delete(name)


def _is_temporary(name: str) -> bool:
    """Whether it is the half of a file of ours."""
    inner = name.removeprefix(".").removesuffix(TEMPORARY)
    return name == f".{inner}{TEMPORARY}" and _OURS.fullmatch(inner) is not None


def clear(store: TileStore, prefixes: tuple[str, ...] = ("",)) -> None:
    """Remove files of ours whose names begin so, but for the lock."""
    for name in store.list():
        if _OURS.fullmatch(name) and name.startswith(prefixes) and name != LOCK:
            store.delete(name)
