"""The work folder of tiling on a cluster: pieces and the checkpoint.

Pieces are the files through which the tasks exchange data, each cut into parts for the tasks that read it.

A task writes one file, and each later task reads the parts of its own number from all files. A file begins with a row
for each part: where the part is, its checksum, and the types and lengths of its few arrays. The rows are at known
places, so that a task asks for the rows of its parts in all files at once, and then for the parts. No other task and no
client knows where they are.

A piece names the run of tiling that wrote it, and has the same content however often its task runs: so a task that runs
twice does no harm.

The checkpoint has what the client knows, such as the stages that are finished.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.records import value_class
from triadic.errors import MissingFileError, ReadError
from triadic.tiles.file_format import checksum, seal, unseal
from triadic.tiles.sorting import DEFAULT, rule_of
from triadic.tiles.spill import Spill
from triadic.tiles.store import LOCK, TEMPORARY, FolderStore, SharedFolderStore, as_bytes
from triadic.tiles.stored_tiles import open_store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.devices.cpu.orient.bucket_keys import WeightRule
    from triadic.tiles.store import Bytes
    from triadic.tiles.url_store import TileStore

    Index = np.ndarray[tuple[int, int], np.dtype[np.void]]  # rows of the parts of some pieces

_MOST_ARRAYS = 4
_ROW = np.dtype(
    [("start", "<i8"), ("checksum", "<u8"), ("lengths", "<i8", _MOST_ARRAYS), ("types", "S3", _MOST_ARRAYS)]
)
_RUN_LETTERS = 8
_PIECE_NAME = re.compile(r"[0-9a-f]{8}-[a-z]+-\d+(-\d+)*")
_PIECE_BITS = 32  # of the number of a piece within the number of a run
_BATCH_BYTES = 1 << 24  # of the parts that are read at a time, about
_REMOVED_TOGETHER = 16  # by threads of the client, since each can be a request to a store
CHECKPOINT, _VERSION = "tiling.json", 7


class MissingPieceError(ReadError):
    """A file that the checkpoint relies on is missing."""


def missing_piece(store: TileStore) -> MissingPieceError:
    """Return the error for a file that is missing from a work folder or from unfinished tiles."""
    return MissingPieceError(store.place, "lacks files of an earlier run; the same command starts again")


@value_class
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
    combine : str or None
        How the weights of repeated edges are combined; None if tiles have no weights.
    memory : int
        Bytes that a task may hold.
    chunks, partitions : int
        Number of chunks of the input, and of partitions of the ids.
    """

    work: str
    output: str
    run: str
    columns: tuple[str, ...]
    numeric: bool
    directed: bool
    combine: str | None
    memory: int
    chunks: int
    partitions: int

    @property
    def ends(self) -> tuple[str, ...]:
        """Columns of the ends."""
        return self.columns[:2]

    @property
    def weighted(self) -> bool:
        """Whether tiles have weights."""
        return self.combine is not None

    @property
    def kinds(self) -> int:
        """Number of weights of an edge: of both directions in a directed graph."""
        return (2 if self.directed else 1) if self.weighted else 0

    @property
    def rule(self) -> WeightRule | None:
        """How weights are combined, None without; Parquet has no edge from both its ends."""
        return rule_of(self.combine or DEFAULT, directed=self.directed, both_ends=False) if self.weighted else None

    def work_store(self) -> TileStore:
        """Return the store of the pieces."""
        return shared_store(self.work, flushed=False)

    def output_store(self) -> TileStore:
        """Return the store of the tiles."""
        return shared_store(self.output)

    def names(self, kind: str, pieces: int | None = None) -> list[str]:
        """Return the names of some pieces of a kind: by default one of each chunk, or of each partition."""
        number = (self.chunks if kind in ("ids", "edges") else self.partitions) if pieces is None else pieces
        return [piece_name(self.run, kind, k) for k in range(number)]

    def put(self, kind: str, *numbers: int, parts: Sequence[Sequence[AnyArray]]) -> None:
        """Write a piece."""
        put_piece(self.work_store(), piece_name(self.run, kind, *numbers), parts)

    def index(self, kind: str, part: int, pieces: int | None = None) -> Index:
        """Return where one part of some pieces of a kind is; see `names`."""
        return read_index(self.work_store(), self.names(kind, pieces), part, part + 1)

    def read(self, kind: str, index: Index) -> Iterator[list[AnyArray]]:
        """Yield the arrays of the parts of an index of some pieces of a kind."""
        return read_parts(self.work_store(), self.names(kind, len(index)), index)

    def parts(self, kind: str, part: int, *, pieces: int | None = None) -> Iterator[list[AnyArray]]:
        """Yield the arrays of one part of some pieces of a kind; see `names`."""
        return self.read(kind, self.index(kind, part, pieces))

    def of_piece(self, kind: str, *numbers: int, first: int = 0, last: int = 1) -> list[list[AnyArray]]:
        """Return the arrays of some parts of one piece."""
        store, names = self.work_store(), [piece_name(self.run, kind, *numbers)]
        return list(read_parts(store, names, read_index(store, names, first, last)))


def shared_store(place: str, *, flushed: bool = True) -> TileStore:
    """Return the store of a path or a URL that several processes write to; see `SharedFolderStore`."""
    store = open_store(place)
    return SharedFolderStore(store.folder, flushed=flushed) if isinstance(store, FolderStore) else store


def piece_name(run: str, kind: str, *numbers: int) -> str:
    """Return the name of the file of a piece: tasks of an earlier run, which may still run, write other files."""
    return "-".join([run[:_RUN_LETTERS], kind, *map(str, numbers)])


def put_piece(store: TileStore, name: str, parts: Sequence[Sequence[AnyArray]]) -> None:
    """Write a piece of some parts, each of which is up to four arrays.

    Raises
    ------
    WriteError
        The file cannot be written; no partial file remains.
    """
    index = np.zeros(len(parts) + 1, _ROW)
    for row, arrays in zip(index, parts, strict=False):
        row["lengths"][: len(arrays)] = [len(array) for array in arrays]
        row["types"][: len(arrays)] = [array.dtype.str.encode() for array in arrays]
        row["checksum"] = _checksum(row, [as_bytes(array) for array in arrays])
    sizes = [sum(array.nbytes for array in arrays) for arrays in parts]
    index["start"] = index.nbytes + np.cumsum([0, *sizes])
    content: list[Bytes] = [index.tobytes()]
    store.put(name, content + [array for arrays in parts for array in arrays if len(array)])


def _checksum(row: np.void, content: Sequence[bytes | memoryview]) -> int:
    return checksum([row["lengths"].tobytes(), row["types"].tobytes(), *content])


def read_index(store: TileStore, names: Sequence[str], first: int, last: int) -> Index:
    """Return the rows of the parts `first` .. `last` - 1 of some pieces, and a further row: where the last one ends.

    Raises
    ------
    MissingPieceError
        A file is missing.
    ReadError
        A file is damaged.
    """
    index = np.zeros((len(names), last - first + 1), _ROW)
    start, stop = first * _ROW.itemsize, (last + 1) * _ROW.itemsize
    for name, rows, found in zip(names, index, _read(store, [(name, start, stop) for name in names]), strict=True):
        if len(found) != stop - start:
            raise _damaged(store, name)
        rows[:] = np.frombuffer(found, _ROW)
        if (np.diff(rows["start"], prepend=0) < 0).any():
            raise _damaged(store, name)
    return index


def read_parts(store: TileStore, names: Sequence[str], index: Index) -> Iterator[list[AnyArray]]:
    """Yield the arrays of the parts of an index, piece by piece; a few parts are read at a time.

    Raises
    ------
    ReadError
        A part is missing or damaged.
    """
    starts = index["start"]
    batches = (np.cumsum(starts[:, -1] - starts[:, 0]) // _BATCH_BYTES).tolist()
    for _, some in groupby(range(len(names)), key=batches.__getitem__):
        batch = list(some)
        spans = [(names[k], int(starts[k, 0]), int(starts[k, -1])) for k in batch]
        for k, content in zip(batch, _read(store, spans), strict=True):
            view = memoryview(content)
            for row, (start, stop) in zip(index[k], pairwise((starts[k] - starts[k, 0]).tolist()), strict=False):
                part = view[start:stop]
                if len(part) != stop - start or _checksum(row, [part]) != row["checksum"]:
                    raise _damaged(store, names[k])
                yield _arrays(row, part)


def _arrays(row: np.void, part: memoryview) -> list[AnyArray]:
    """Return copies of the arrays of a part, aligned and writable as compiled kernels want them."""
    arrays, end = [], 0
    for kind, length in zip(row["types"].tolist(), row["lengths"].tolist(), strict=True):
        if kind:
            arrays.append(np.frombuffer(part, kind.decode(), count=length, offset=end).copy())
            end += arrays[-1].nbytes
    return arrays


def _read(store: TileStore, spans: list[tuple[str, int, int]]) -> list[bytes]:
    try:
        return store.read(spans)
    except MissingFileError:
        raise missing_piece(store) from None


def _damaged(store: TileStore, name: str) -> ReadError:
    return ReadError(
        f"{store.place}/{name}", "is damaged: it does not have its checksum; remove it, and run the same again"
    )


class PieceSpill(Spill):
    """The keys of the cells of some rows of a tile in the pieces of all chunks, and their weights, for `sort_tile`.

    The cells of a fine range of rows lie one after the other in a piece. They are read together if there is room for
    them, because a read can be a request to a store.

    Parameters
    ----------
    job : Job
        The run of tiling.
    rows, columns : range
        Fine ranges.
    """

    def __init__(self, job: Job, rows: range, columns: range) -> None:
        self._store, self._names, self._first = job.work_store(), job.names("edges"), columns.start
        self._types = (np.int64, np.float64)[: 1 + job.weighted]
        self._index: dict[int, Index] = {}
        for r in rows:
            first = r * (r + 1) // 2
            last = first + min(columns.stop, r + 1)
            self._index[r] = read_index(self._store, self._names, first + columns.start, last)
        self._row = -1
        self._held: list[list[AnyArray]] = []  # keys, and their weights, of each cell of the row
        self.room = 0  # bytes for a row that is read before it is asked for

    def keys_of(self, row: int) -> Int64Array:
        """Return the number of keys of each cell of a fine range of rows in each piece, shape (pieces, cells)."""
        return self._index[row]["lengths"][:, :-1, 0]

    @property
    def total(self) -> int:
        """Number of keys."""
        return sum(int(self.keys_of(row).sum()) for row in self._index)

    def runs(self, i: int, j: int) -> tuple[Int64Array, Int64Array]:
        """Return a number for the keys of cell (i, j) in each piece that has some, which `read` takes, and how many."""
        column = j - self._first
        lengths = self.keys_of(i)[:, column]
        filled = np.flatnonzero(lengths)
        return (column << _PIECE_BITS) + filled, lengths[filled]

    def read(self, row: int, starts: Int64Array, lengths: Int64Array, *out: AnyArray) -> None:  # noqa: ARG002 - of `Spill`
        """Read the keys of a cell in some pieces, and perhaps their weights, into arrays; checksums are verified."""
        if len(starts) == 0:
            return
        column, pieces = int(starts[0]) >> _PIECE_BITS, starts & ((1 << _PIECE_BITS) - 1)
        if row != self._row:
            self._held = []  # freed before the next row is read, so that `room` is a bound
            self._row, self._held = row, self._read_row(row)
        if self._held:
            first = int(self.keys_of(row)[: pieces[0], column].sum())
            for whole, values in zip(self._held[column], out, strict=True):
                values[:] = whole[first : first + len(values)]
        else:
            names = [self._names[k] for k in pieces.tolist()]
            _fill([[*out]], read_parts(self._store, names, self._index[row][pieces, column : column + 2]))

    def _read_row(self, row: int) -> list[list[AnyArray]]:
        """Return the keys of the cells of a row, and their weights; nothing if there is no room for them."""
        totals = self.keys_of(row).sum(axis=0).tolist()
        if 8 * len(self._types) * sum(totals) > self.room:
            return []
        held = [[np.empty(total, kind) for kind in self._types] for total in totals]
        _fill(held, read_parts(self._store, self._names, self._index[row]))
        return held

    def check(self, i: int, j: int, total: int, weight_total: int = 0, *, inside: bool) -> None:  # noqa: ARG002 - of `Spill`
        """Raise ReadError if a key is outside its cell."""
        if not inside:
            raise ReadError(self._store.place, f"is damaged: keys of cell {i}-{j} are outside the cell")


def _fill(cells: list[list[AnyArray]], parts: Iterable[list[AnyArray]]) -> None:
    """Join the parts of cells, of which each piece has one after the other, in the arrays of the cells."""
    ends = [0] * len(cells)
    for place, part in enumerate(parts):
        column = place % len(cells)
        first, ends[column] = ends[column], ends[column] + len(part[0])
        for whole, values in zip(cells[column], part, strict=True):
            whole[first : ends[column]] = values


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


def remove_work(work: TileStore) -> None:
    """Remove all files of the work folder, and the folder."""
    remove_together(work, [name for name in work.list() if is_own(name) and name != LOCK])
    work.remove_folder()


def remove_together(work: TileStore, names: Sequence[str]) -> None:
    """Remove some files, several at a time."""
    with ThreadPoolExecutor(_REMOVED_TOGETHER) as threads:
        list(threads.map(work.delete, names))


def is_own(name: str) -> bool:
    """Return whether tiling writes files of this name to the work folder."""
    plain = name.removeprefix(".").removesuffix(TEMPORARY).partition(".")[0] if name.startswith(".") else name
    return bool(_PIECE_NAME.fullmatch(plain)) or plain in (CHECKPOINT, LOCK, CHECKPOINT.partition(".")[0])
