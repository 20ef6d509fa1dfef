"""The folders of tiling: which files they may hold, and the checkpoint from which an interrupted run resumes.

The work folder holds the spilled keys of edges and the checkpoint. It is the folder of the tiles, unless the tiles are
at a URL or the caller names another one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import MissingFileError, ReadError, WriteError
from triadic.tiles import url_store
from triadic.tiles.file_format import RESULTS, seal, unseal
from triadic.tiles.partition import Grid
from triadic.tiles.spill import SPILL, Spill
from triadic.tiles.store import LOCK, TEMPORARY, FolderStore
from triadic.tiles.stored_tiles import HEADER, StoredTiles

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import NDArray

    from triadic.tiles.store import TileStore

CHECKPOINT, _VERSION = "tiling.json", 2
# Beginnings of the names of files that exist only while tiles are made.
WORK_FILES = (SPILL, CHECKPOINT, LOCK)
# Complete names: a user's file may begin like a file of tiles.
_OWN_FILE = re.compile(
    r"tile-\d+-\d+|degree-\d+\.npy|(rank|tested|labels|label_ends)\.npy|header\.json"
    r"|spill-(\d+|counts\.npy|starts\.npy)|tiling\.json|lock"
)


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """The result of the passes over the arcs, from which the tiles are made.

    Attributes
    ----------
    origin : dict
        The input and the options, as in `triadic.tiles.stored_tiles.Header`.
    grid : Grid
        The fine ranges.
    joined : int64 array, shape (ranges + 1,)
        First fine range of each range of the tiles, and the number of fine ranges.
    spill : Spill
        The keys of the edges.
    directed : bool
        Whether to keep the directions of arcs.
    both_ends : bool
        Whether the undirected input stores an edge at both its ends.
    loops : int
        Number of arcs from a vertex to itself.
    labels : str or None
        Kind of the vertices' labels: None, ``"numbers"`` or ``"names"``.
    checksums : dict of str to int
        Checksums of the arrays that are already written.
    """

    origin: dict[str, Any]
    grid: Grid
    joined: NDArray[np.int64]
    spill: Spill
    directed: bool
    both_ends: bool
    loops: int
    labels: str | None
    checksums: dict[str, int]


def write_checkpoint(work: FolderStore, checkpoint: Checkpoint) -> None:
    """Write the checkpoint; the spilled keys and the arrays must be written before."""
    content = {
        "version": _VERSION,
        "origin": checkpoint.origin,
        "cuts": checkpoint.grid.cuts.tolist(),
        "shift": checkpoint.grid.shift,
        "joined": checkpoint.joined.tolist(),
        "sums": checkpoint.spill.sums.tolist(),
        "index": checkpoint.spill.save(work),
        "directed": checkpoint.directed,
        "both_ends": checkpoint.both_ends,
        "loops": checkpoint.loops,
        "labels": checkpoint.labels,
        "checksums": checkpoint.checksums,
    }
    work.put(CHECKPOINT, [seal(content)])


def read_checkpoint(work: FolderStore, origin: dict[str, Any]) -> Checkpoint | None:
    """Read the checkpoint of this input; return None if it is missing, damaged or of another input."""
    if CHECKPOINT not in work.list():
        return None
    try:
        content = unseal(work.get(CHECKPOINT).tobytes())
        if content["version"] != _VERSION or content["origin"] != origin:
            return None
        grid = Grid(np.array(content["cuts"], dtype=np.int64), int(content["shift"]))
        sums = np.array(content["sums"], dtype=np.int64)
        return Checkpoint(
            origin,
            grid,
            np.array(content["joined"], dtype=np.int64),
            Spill.load(work, grid.ranges, sums, content["index"]),
            content["directed"],
            content["both_ends"],
            content["loops"],
            content["labels"],
            content["checksums"],
        )
    except (ReadError, ValueError, KeyError, TypeError, OverflowError):
        return None


def open_work_folder(store: TileStore, scratch: str | PathLike[str] | None) -> FolderStore:
    """Return the work folder of tiles that are written to `store`."""
    if scratch is not None:
        return FolderStore(Path(scratch))
    return store if isinstance(store, FolderStore) else FolderStore(url_store.work_folder(store.place) / "work")


def complete_tiles(store: TileStore, origin: dict[str, Any]) -> StoredTiles | None:
    """Return the tiles of a store if they are complete; return None if tiles are missing.

    Raises
    ------
    WriteError
        The store holds tiles of another input or other options, or a damaged header.
    """
    names = store.list()
    if HEADER not in names:
        return None
    try:
        tiles = StoredTiles(store)
    except MissingFileError:  # another process removed it meanwhile
        return None
    except ReadError as error:
        raise WriteError(f"{error}; remove it, or choose a new name") from None
    if tiles.origin != origin:
        raise WriteError(f"{store.place}: holds tiles of another input or other options; expected a new name")
    return tiles if set(tiles.names).issubset(names) else None


def check_folder(folder: FolderStore) -> None:
    """Raise WriteError if a folder holds a file that tiling does not write."""
    if folder.folder.exists() and not folder.folder.is_dir():
        raise WriteError(f"{folder.place}: is a file; expected the name of a folder to make")
    for name in folder.list():
        if not (_OWN_FILE.fullmatch(name) or _is_partial(name) or name == RESULTS):
            raise WriteError(f"{folder.place}: holds a file of something else ({name}); expected a new name")


def remove_partial_files(folder: FolderStore) -> None:
    """Remove the temporary files of a run that was killed."""
    for name in folder.list("."):
        if _is_partial(name):
            folder.delete(name)


def remove_files(store: TileStore, prefixes: tuple[str, ...] = ("",)) -> None:
    """Remove the files of tiling whose names begin with one of the prefixes, except the lock."""
    for name in store.list():
        if _OWN_FILE.fullmatch(name) and name.startswith(prefixes) and name != LOCK:
            store.delete(name)


def _is_partial(name: str) -> bool:
    """Return whether a name is the temporary name of a file of tiling."""
    inner = name.removeprefix(".").removesuffix(TEMPORARY)
    return name == f".{inner}{TEMPORARY}" and _OWN_FILE.fullmatch(inner) is not None
