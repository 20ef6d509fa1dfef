"""The folders of tiling: which input their tiles are of, which files they may hold, and the checkpoint of a run.

The work folder holds the spilled keys of edges and the checkpoint, from which an interrupted run resumes. It is the
folder of the tiles, unless the tiles are at a URL or the caller names another one.

An input is known by its content, so that tiles of another network are never reused. The header of tiles records a hash
of all bytes of the input, and a signature of its files: their paths, sizes, times and numbers in the file system. While
the signature stays the same, so do the bytes, which are not read again. If it differs, the bytes are hashed and
compared. The signature notices every change because the system sets the time ``st_ctime`` of a file at each change and
no program can set it back. Windows has no such time, so that the bytes are hashed on each call.
"""

from __future__ import annotations

import os
import re
import time
import uuid
from contextlib import ExitStack, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from triadic.core.records import cached_property, record
from triadic.errors import MissingFileError, ReadError, WriteError
from triadic.io.file_source import path_text, suffix_of
from triadic.io.networks import open_network
from triadic.tiles import url_store
from triadic.tiles.file_format import KEPT, RESULTS, WORK, checksum, file_checksum, seal, unseal
from triadic.tiles.layout import HEADER
from triadic.tiles.partition import Grid
from triadic.tiles.spill import SPILL, Spill
from triadic.tiles.store import LOCK, TEMPORARY, FolderStore, locked, made_folder, write_errors
from triadic.tiles.stored_tiles import StoredTiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from os import PathLike

    from triadic.core.array_types import Int64Array
    from triadic.generate.model import Model
    from triadic.io.file_source import NetworkInput
    from triadic.io.parquet_set import SetFile
    from triadic.tiles.url_store import TileStore

CHECKPOINT, _VERSION = "tiling.json", 3
WRITTEN = "written.txt"
# Beginnings of the names of files that exist only while tiles are made.
WORK_FILES = (SPILL, KEPT, CHECKPOINT, WRITTEN, LOCK)
# Complete names: a user's file may begin like a file of tiles.
_OWN_FILE = re.compile(
    r"tile-\d+-\d+|(degree|vertex|label|label_ends)-\d+\.npy|tested\.npy|header\.json|kept-(labels|label_ends)\.npy"
    r"|spill-(\d+|weight-\d+|counts\.npy|starts\.npy)|tiling\.json|written\.txt|lock"
)

# Where several processes write, the number of the writer follows.
_PARTIAL_FILE = re.compile(rf"\.({_OWN_FILE.pattern})(\.[0-9a-f]{{8,16}})?{re.escape(TEMPORARY)}")

_NAME, _CONTENT, _SIGNATURE = "name", "content", "signature"
_HAS_TIME_OF_CHANGE = os.name != "nt"
# Two changes within a tick of the file system's clock have the same time. Most systems tick every 1 to 10 ms. FAT, ext3
# and others tick every one or two seconds; their times are whole seconds.
_TICK, _COARSE_TICK = 20_000_000, 2_000_000_000  # in nanoseconds


class InputIdentity:
    r"""What distinguishes an input of tiles from other inputs.

    Parameters
    ----------
    network : NetworkInput or Model
    format : str or None
        Name of the format, as in `triadic.read`.

    Raises
    ------
    MissingFileError, ReadError
        A file of the input does not exist, or cannot be read.

    Examples
    --------
    >>> _ = Path("kite.txt").write_text("1 2\n2 3\n1 3\n3 4\n")
    >>> recorded = InputIdentity("kite.txt", None).record()
    >>> _ = Path("kite.txt").write_text("1 2\n2 3\n1 3\n2 4\n")
    >>> InputIdentity("kite.txt", None).is_recorded_in(recorded)
    False
    """

    def __init__(self, network: NetworkInput | Model, format: str | None) -> None:  # noqa: A002 - as in triadic.read
        self._paths: tuple[str, ...] = ()
        self._known: dict[str, Any]
        if hasattr(network, "fill"):
            self._known = {"model": repr(network)}
            return
        if isinstance(network, (str, os.PathLike)):
            path = Path(os.fspath(network))
            if path.is_file():
                self._paths, self._known = (path_text(path),), {_NAME: path.name}
            elif path.exists() and not path.is_dir():  # a pipe, whose bytes can be read only once
                self._known = {_NAME: path.name, "pipe": uuid.uuid4().hex}
                return
        if not self._paths:
            source = open_network(network, format)[0]
            self._paths, self._known = source.content_paths, source.identity()
            if not self._paths:
                return
        self._states = self._read_states()
        self._wait_for_tick()
        # The suffix can decide the format.
        self._known["suffix"] = suffix_of(self._paths[0])[0] if len(self._paths) == 1 else ""
        self._known["bytes"] = sum(state[2] for state in self._states)

    @classmethod
    def of_files(cls, name: str, files: Sequence[SetFile]) -> Self:
        """Return the identity of files by their paths, sizes, and times or etags; their bytes are not hashed."""
        digest = blake2b(digest_size=16)
        for file in files:
            digest.update(f"{file.path}\0{file.size}\0{file.state}\n".encode("utf-8", "surrogateescape"))
        size = sum(file.size for file in files)
        known = {_NAME: name, "files": len(files), "bytes": size, "state": digest.hexdigest()}
        identity = cls.__new__(cls)
        identity._paths, identity._known = (), known  # noqa: SLF001 - of its own class
        return identity

    def is_recorded_in(self, recorded: dict[str, Any]) -> bool:
        """Return whether tiles with this record are of this input; the bytes are read only if the files differ."""
        if any(recorded.get(key) != value for key, value in self._known.items() if key != _NAME):
            return False
        if not self._paths:
            return True
        signature = self._signature
        if signature is not None and recorded.get(_SIGNATURE) == signature:
            return True
        return bool(recorded.get(_CONTENT) == self._content)

    def record(self) -> dict[str, Any]:
        """Return the record for the header of tiles, which takes reading all bytes once."""
        if not self._paths:
            return self._known
        return {**self._known, _CONTENT: self._content, _SIGNATURE: self._signature}

    def check_unchanged(self) -> None:
        """Raise a ReadError if a file was changed since this object was made."""
        if self._paths:
            for path, before, now in zip(self._paths, self._states, self._read_states(), strict=True):
                if before != now:
                    raise ReadError(path, "was changed while it was read; run the same command again")

    @cached_property
    def _content(self) -> str:
        """Hash of all bytes; of several files also of their names below the folder that holds them all."""
        try:
            if len(self._paths) == 1:
                return f"{file_checksum(Path(self._paths[0])):016x}"
            parent = os.path.commonpath([Path(path).absolute().parent for path in self._paths])
            lines = (f"{os.path.relpath(path, parent)}\0{file_checksum(Path(path)):016x}\n" for path in self._paths)
            return f"{checksum(line.encode('utf-8', 'surrogateescape') for line in lines):016x}"
        except OSError as error:
            raise ReadError(error.filename or self._paths[0], f"cannot be read: {error.strerror}") from None

    @cached_property
    def _signature(self) -> str | None:
        """Hash of the paths and states of all files; None if the states do not notice every change."""
        if not _HAS_TIME_OF_CHANGE or time.time_ns() < max(state[-1] for state in self._states):
            return None  # the clock of a file server may be ahead
        digest = blake2b(digest_size=16)
        for path, state in zip(self._paths, self._states, strict=True):
            digest.update(f"{Path(path).resolve()}\0{state}\n".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _read_states(self) -> Sequence[tuple[int, ...]]:
        """Return device, number, size and times of each file; the last number is the time of its last change."""
        states = []
        for path in self._paths:
            try:
                status = Path(path).stat()
            except FileNotFoundError:
                raise MissingFileError(path, "there is no such file") from None
            except OSError as error:
                raise ReadError(path, f"cannot be opened: {error.strerror}") from None
            states.append((status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns))
        return states

    def _wait_for_tick(self) -> None:
        """Wait until a further change of a file would have another time; few files are so new."""
        changed = max(state[-1] for state in self._states)
        tick = _TICK if changed % 1_000_000_000 else _COARSE_TICK
        left = changed + tick - time.time_ns()
        if 0 < left <= tick:
            time.sleep(left / 1e9)
            self.check_unchanged()


@record
class Checkpoint:
    """The result of the passes over the arcs, from which the tiles are made.

    Attributes
    ----------
    origin : dict
        The input and the options, as in `triadic.tiles.layout.Header`.
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
    labelled : int
        Number of first vertices that have labels.
    checksums : dict of str to int
        Checksums of the arrays that are already written.
    combine : str or None
        How weights of repeated arcs are combined, as `triadic.tiles.sorting.rule_of` takes it; None without weights.
    """

    origin: dict[str, Any]
    grid: Grid
    joined: Int64Array
    spill: Spill
    directed: bool
    both_ends: bool
    loops: int
    labels: str | None
    labelled: int
    checksums: dict[str, int]
    combine: str | None = None


_PLAIN = ("origin", "directed", "both_ends", "loops", "labels", "labelled", "checksums")  # stored as they are


def write_checkpoint(work: FolderStore, checkpoint: Checkpoint) -> None:
    """Write the checkpoint; the spilled keys and the arrays must be written before."""
    content = {
        "version": _VERSION,
        "cuts": checkpoint.grid.cuts.tolist(),
        "shift": checkpoint.grid.shift,
        "joined": checkpoint.joined.tolist(),
        "sums": checkpoint.spill.sums.tolist(),
        "index": checkpoint.spill.save(work),
        **{name: getattr(checkpoint, name) for name in _PLAIN},
    }
    if checkpoint.spill.weight_sums is not None:
        content |= {"combine": checkpoint.combine, "weight_sums": checkpoint.spill.weight_sums.tolist()}
    work.put(CHECKPOINT, [seal(content)])


def read_checkpoint(work: FolderStore, identity: InputIdentity, options: dict[str, Any]) -> Checkpoint | None:
    """Read the checkpoint of an input; return None if it is missing, damaged, or of another input or options."""
    if CHECKPOINT not in work.list():
        return None
    try:
        content = unseal(work.get(CHECKPOINT).tobytes())
        if content["version"] != _VERSION or difference(content["origin"], identity, options):
            return None
        grid = Grid(np.array(content["cuts"], np.int64), int(content["shift"]))
        sums = np.array(content["sums"], np.int64)
        combine = content.get("combine")
        weight_sums = None if combine is None else np.array(content["weight_sums"], np.int64)
        return Checkpoint(
            grid=grid,
            joined=np.array(content["joined"], np.int64),
            spill=Spill.load(work, grid.ranges, sums, content["index"], weight_sums),
            combine=combine,
            **{name: content[name] for name in _PLAIN},
        )
    except (ReadError, ValueError, KeyError, TypeError, OverflowError):
        return None


def open_work_folder(store: TileStore, scratch: str | PathLike[str] | None) -> FolderStore:
    """Return the work folder of tiles that are written to `store`."""
    if scratch is not None:
        return FolderStore(Path(scratch))
    return store if isinstance(store, FolderStore) else FolderStore(url_store.work_folder(store.place) / "work")


def complete_tiles(store: TileStore, identity: InputIdentity, options: dict[str, Any]) -> StoredTiles | None:
    """Return the tiles of a store if they are complete; return None if tiles are missing.

    Parameters
    ----------
    store : TileStore
    identity : InputIdentity
        The input that the tiles should be of.
    options : dict
        The options that they should be made with.

    Raises
    ------
    WriteError
        The store holds tiles of another input or other options, or a damaged header.
    """
    try:
        tiles = StoredTiles(store)
    except MissingFileError:
        return None
    except ReadError as error:
        if error.problem.startswith("cannot be read"):  # access is refused, or the store does not answer
            raise
        raise WriteError(f"{error}; remove it, or choose a new name") from None
    found = difference(tiles.origin, identity, options)
    if found:
        raise WriteError(
            f"{store.place}: holds tiles of another input or other options ({found}); remove it, or choose a new name"
        )
    unlisted = sorted(set(tiles.names).difference(store.list()))
    return tiles if all(store.exists(name) for name in unlisted) else None


def recorded_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options as the header of tiles records them: nothing of weights if there are none."""
    return {
        name: value
        for name, value in options.items()
        if value is not None or name not in ("weights", "combine", "rows")
    }


def difference(origin: dict[str, Any], identity: InputIdentity, options: dict[str, Any]) -> str:
    """Return in words how the origin of tiles differs from an input and options; empty if it does not."""
    for name, value in options.items():
        made_with = origin.get(name)
        if made_with != value or isinstance(made_with, bool) != isinstance(value, bool):  # 1 is a column, True is not
            return f"{name}={made_with!r}, not {value!r}"
    recorded = origin.get("input")
    if not isinstance(recorded, dict):
        return "of an unknown input"
    if not identity.is_recorded_in(recorded):
        return f"made of {recorded.get(_NAME) or recorded.get('model') or 'an unknown input'} with other content"
    return ""


def check_folder(folder: FolderStore, *, cluster: bool) -> None:
    """Raise WriteError if a folder holds a file that tiling does not write; a `cluster` has a folder of its own."""
    if WORK in folder.list() and not cluster:
        raise WriteError(
            f"{folder.place}: a cluster has begun to make tiles here ({WORK}); expected --dask or client=, which "
            "finishes them, or a new name"
        )
    own = re.compile(f"{_OWN_FILE.pattern}|{_PARTIAL_FILE.pattern}|{RESULTS}|{WORK}")
    check_names(folder, lambda name: bool(own.fullmatch(name)))


def check_names(store: TileStore, is_own: Callable[[str], bool]) -> None:
    """Raise WriteError if a store is no folder, or holds a file that is not its own."""
    if isinstance(store, FolderStore) and store.folder.exists() and not store.folder.is_dir():
        raise WriteError(f"{store.place}: is a file; expected the name of a folder to make")
    for name in store.list():
        if not is_own(name):
            raise WriteError(f"{store.place}: holds a file of something else ({name}); expected a new name")


def remove_partial_files(store: TileStore) -> None:
    """Remove the temporary files of a run that was killed."""
    for name in store.list("."):
        if _PARTIAL_FILE.fullmatch(name):
            store.delete(name)


def remove_files(store: TileStore, prefixes: tuple[str, ...] = ("",)) -> None:
    """Remove the files of tiling whose names begin with one of the prefixes, except the lock; the header first.

    Without the header, tiles that are left, because a store did not list them, are not taken for complete ones.
    """
    if HEADER.startswith(prefixes):
        store.delete(HEADER)
    for name in store.list():
        if _OWN_FILE.fullmatch(name) and name.startswith(prefixes) and name != LOCK:
            store.delete(name)


@contextmanager
def locked_folders(store: TileStore, work: FolderStore | None) -> Iterator[None]:
    """Make the folders, keep other processes out of them during the block, and remove what a killed run left.

    A folder that was made here and is empty at the end, as after an error, is removed. Without a work folder, the tasks
    of a cluster share one, which is not locked; nor are tiles at a URL.
    """
    folders = [] if work is None else [work]
    if isinstance(store, FolderStore) and (work is None or store.folder != work.folder):
        folders.append(store)
    with ExitStack() as stack:
        for folder in folders:
            check_folder(folder, cluster=work is None)
            stack.enter_context(made_folder(folder.folder))
        for folder in folders:
            stack.enter_context(locked(folder.folder))
        for place in folders if work is None else dict.fromkeys((*folders, store)):
            remove_partial_files(place)
        yield


class WrittenTiles:
    """The names of the tiles that were written since the checkpoint, in a file of the work folder.

    A store at a URL may list a file late, or a file that was removed, such as a tile of other ranges. The names in the
    work folder are known without a listing.

    Parameters
    ----------
    work : FolderStore
        The work folder.
    """

    def __init__(self, work: FolderStore) -> None:
        self._path = work.folder / WRITTEN

    def names(self) -> set[str]:
        """Return the names; the last line is left out if it is not complete."""
        try:
            return set(self._path.read_text().split("\n")[:-1])
        except (OSError, UnicodeDecodeError):
            return set()  # all tiles are written again

    def add(self, name: str) -> None:
        """Add a name after its tile was written; a name that is lost costs writing the tile again."""
        with write_errors(self._path), self._path.open("a") as file:
            file.write(f"{name}\n")
