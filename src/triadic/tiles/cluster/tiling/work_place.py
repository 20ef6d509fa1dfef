"""The work folder of tiling on a cluster, and its checkpoint, from which an interrupted run resumes.

Every task knows the places of its files, and how the rows are read (`Job`).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import wraps
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from triadic.errors import MissingFileError, ReadError, TriadicError, WriteError
from triadic.tiles.cluster.tasks import Failure
from triadic.tiles.cluster.tile_transfer import keep_freed_memory
from triadic.tiles.cluster.tiling.pieces import find_piece, is_piece, piece_name
from triadic.tiles.file_format import WORK, seal, unseal
from triadic.tiles.sorting import DEFAULT, rule_of
from triadic.tiles.store import LOCK, TEMPORARY, FolderStore, SharedFolderStore
from triadic.tiles.stored_tiles import is_url, open_store
from triadic.tiles.tile_file import tile_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from triadic.devices.cpu.orient.bucket_keys import WeightRule
    from triadic.io.file_source import NetworkInput
    from triadic.io.parquet_set import SetFile
    from triadic.tiles.cluster.tiling.pieces import Piece
    from triadic.tiles.layout import Header
    from triadic.tiles.store import TileStore


Arguments = ParamSpec("Arguments")


@dataclass(frozen=True, slots=True)
class Job:
    """A run of tiling.

    Attributes
    ----------
    work : str
        Path or URL of the work folder.
    output : str
        Path or URL of the tiles.
    run : str
        Hash of the input, the options and the plan, which the pieces of this run name.
    columns : tuple of str
        Columns of the ends, and of the weights if tiles have weights.
    numeric : bool
        Whether ids are numbers; otherwise they are names.
    directed : bool
        Whether tiles have directions.
    combine : str, optional
        How the weights of repeated edges are combined; None if tiles have no weights.
    """

    work: str
    output: str
    run: str
    columns: tuple[str, ...]
    numeric: bool
    directed: bool
    combine: str | None = None

    @property
    def ends(self) -> tuple[str, ...]:
        """Columns of the ends."""
        return self.columns[:2]

    @property
    def weighted(self) -> bool:
        """Whether tiles have weights."""
        return self.combine is not None

    @property
    def rule(self) -> WeightRule:
        """How weights are combined; Parquet has no edge from both its ends."""
        return rule_of(self.combine or DEFAULT, directed=self.directed, both_ends=False)

    def work_store(self) -> TileStore:
        """Return the store of the pieces."""
        return shared_store(self.work, flushed=False)

    def output_store(self) -> TileStore:
        """Return the store of the tiles."""
        return shared_store(self.output)


def shared_store(place: str, *, flushed: bool = True) -> TileStore:
    """Return the store of a path or a URL that several processes write to; see `SharedFolderStore`."""
    store = open_store(place)
    return SharedFolderStore(store.folder, flushed=flushed) if isinstance(store, FolderStore) else store


def task(function: Callable[Arguments, Any]) -> Callable[Arguments, Any]:
    """Return errors of triadic as values, so that Dask does not run the task again."""

    @wraps(function)
    def run(*arguments: Arguments.args, **keywords: Arguments.kwargs) -> Any:  # noqa: ANN401 - of any task
        keep_freed_memory()
        try:
            return function(*arguments, **keywords)
        except TriadicError as error:
            return Failure(error)

    return run


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
