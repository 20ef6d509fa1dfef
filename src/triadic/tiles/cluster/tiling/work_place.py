"""The work folder of tiling on a cluster, and its checkpoint, from which an interrupted run resumes."""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.errors import MissingFileError, ReadError, WriteError
from triadic.tiles.cluster.tiling.job import task
from triadic.tiles.cluster.tiling.pieces import find_piece, is_piece, piece_name
from triadic.tiles.file_format import WORK, seal, tile_name, unseal
from triadic.tiles.store import LOCK, TEMPORARY, FolderStore
from triadic.tiles.stored_tiles import is_url
from triadic.tiles.weight_file import weight_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from triadic.io.file_source import NetworkInput
    from triadic.io.parquet_set import SetFile
    from triadic.tiles.cluster.tiling.job import Job
    from triadic.tiles.cluster.tiling.pieces import Piece
    from triadic.tiles.header import Header
    from triadic.tiles.store import TileStore

CHECKPOINT, _VERSION = "tiling.json", 5


class FilesIdentity:
    """What distinguishes a set of files from other inputs: their paths, sizes, and times or etags.

    Parameters
    ----------
    name : str
        Name of the network, for messages.
    files : sequence of SetFile
    """

    def __init__(self, name: str, files: Sequence[SetFile]) -> None:
        digest = blake2b(digest_size=16)
        for file in files:
            digest.update(f"{file.path}\0{file.size}\0{file.state}\n".encode("utf-8", "surrogateescape"))
        self._known: dict[str, Any] = {
            "files": len(files),
            "bytes": sum(file.size for file in files),
            "state": digest.hexdigest(),
        }
        self._name = name

    def is_recorded_in(self, recorded: dict[str, Any]) -> bool:
        """Return whether tiles with this record are of these files in this state."""
        return all(recorded.get(key) == value for key, value in self._known.items())

    def record(self) -> dict[str, Any]:
        """Return the record for the header of tiles."""
        return {"name": self._name, **self._known}


def work_place_of(place: str, scratch: str | PathLike[str] | None) -> str:
    """Return the path or URL of the work folder."""
    if scratch is None:
        return f"{place.rstrip('/')}/{WORK}"
    text = os.fspath(scratch)
    return text if is_url(text) else str(Path(text).resolve())


def name_of_network(network: NetworkInput) -> str:
    """Return a short name of the network."""
    first = network[0] if isinstance(network, (list, tuple)) else network
    return os.fspath(first).rstrip("/").rpartition("/")[2]


def name_of_files(files: Sequence[SetFile]) -> str:
    """Return the path of the first file, for messages, and how many more there are."""
    return files[0].path if len(files) == 1 else f"{files[0].path} and {len(files) - 1:,} more"


class MissingPiecesError(Exception):
    """Files that the checkpoint relies on are missing."""


def flush_names(store: FolderStore, header: Header) -> None:
    """Flush the names of the files of tiles to the disk, which tasks do not.

    Raises
    ------
    MissingPiecesError
        A file is missing whose task is finished, as can be after a power failure.
    """
    store.flush()
    ranges = range(header.layout.ranges)
    tiles = [(i, j) for i in ranges for j in range(i + 1)]
    names = {*header.checksums, *(tile_name(i, j) for i, j in tiles)}
    if header.layout.weighted:
        names |= {weight_name(i, j) for i, j in tiles}
    if not names <= set(store.list()):
        raise MissingPiecesError


def write_checkpoint(work: TileStore, content: dict[str, Any]) -> None:
    """Write the checkpoint; the pieces that it relies on must be written before."""
    work.put(CHECKPOINT, [seal({"version": _VERSION, **content})])


def read_checkpoint(work: TileStore) -> dict[str, Any] | None:
    """Return the checkpoint; None if it is missing, damaged or of another version."""
    try:
        content = unseal(work.read([(CHECKPOINT, 0, 1 << 40)])[0])
    except MissingFileError:
        return None
    except ReadError:  # the store does not answer: finished work is not thrown away
        raise
    except ValueError:
        return None
    return content if content.get("version") == _VERSION else None


def check_work(work: TileStore) -> None:
    """Raise WriteError if the work folder holds a file that tiling does not write."""
    if isinstance(work, FolderStore) and work.folder.exists() and not work.folder.is_dir():
        raise WriteError(f"{work.place}: is a file; expected the name of a folder to make")
    for name in work.list():
        if not _is_own(name):
            raise WriteError(f"{work.place}: holds a file of something else ({name}); expected a new name")


def names_of_pieces(work: TileStore, run: str, kinds: Sequence[str]) -> list[str]:
    """Return the names of the files of the pieces of some kinds."""
    return [name for kind in kinds for name in work.list(piece_name(run, f"{kind}-"))]


@task
def remove_files_of(job: Job, names: Sequence[str]) -> None:
    """Remove some files of the work folder."""
    store = job.work_store()
    for name in names:
        store.delete(name)


def remove_work(work: TileStore) -> None:
    """Remove all files of the work folder, and the folder."""
    for name in work.list():
        if _is_own(name) and name != LOCK:
            work.delete(name)
    work.remove_folder()


@task
def find_pieces(job: Job, names: Sequence[str]) -> list[Piece | None]:
    """Return the indexes of pieces that an earlier run wrote; None for a piece that is missing."""
    store = job.work_store()
    return [find_piece(store, job.run, name) for name in names]


def _is_own(name: str) -> bool:
    plain = name.removeprefix(".").removesuffix(TEMPORARY).partition(".")[0] if name.startswith(".") else name
    return is_piece(plain) or plain in (CHECKPOINT, LOCK, CHECKPOINT.partition(".")[0])
