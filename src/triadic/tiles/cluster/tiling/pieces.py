"""Pieces: the files through which the tasks of tiling exchange data, each cut into parts for the tasks that read it.

A task writes one file, whose parts lie one behind the other, and each later task reads the parts of its own number from
all files. The index of a file, its first bytes, says where each part is; a part is a few arrays. A part has a checksum.

A piece names the run of tiling that wrote it, and has the same content however often its task runs: so a task that runs
twice does no harm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import mul
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import MissingFileError, ReadError
from triadic.tiles.file_format import checksum, seal, unseal
from triadic.tiles.store import as_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triadic.core.array_types import AnyArray, Int64Array, IntegerArray, Uint8Array, Uint64Array
    from triadic.tiles.store import Bytes, TileStore

    Part = Sequence[AnyArray]

_MAGIC = b"TRIADPCE"
_START = len(_MAGIC) + 16
_FIRST_READ = 1 << 14  # bytes of the first read, which most indexes fit
_RUN_LETTERS = 8
_PIECE_NAME = re.compile(r"[0-9a-f]{8}-[a-z]+-\d+(-\d+){0,3}")
_BATCH_BYTES = 1 << 25  # bytes of parts that are read at a time


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """The index of a piece.

    Attributes
    ----------
    name : str
        Name of the file in the work folder.
    start : int
        First byte of the parts.
    dtypes : tuple of str
        Type of each of the arrays of a part.
    lengths : int64 array, shape (parts, arrays)
        Number of entries of each array of each part.
    checksums : uint64 array, shape (parts,)
        Checksum of each part.
    about : dict
        Small results of the task.
    """

    name: str
    start: int
    dtypes: tuple[str, ...]
    lengths: Int64Array
    checksums: Uint64Array
    about: dict[str, Any]

    def entries(self, array: int = 0) -> Int64Array:
        """Return the number of entries of one array in each part: int64, shape (parts,)."""
        return self.lengths[:, array]

    def part_bytes(self) -> Int64Array:
        """Return the number of bytes of each part: int64, shape (parts,)."""
        sizes = np.array([np.dtype(kind).itemsize for kind in self.dtypes], dtype=np.int64)
        return (self.lengths * sizes).sum(axis=1)

    def parts(self, first: int, last: int) -> PartList:
        """Return the addresses of the parts `first` .. `last` - 1."""
        prefix, number = _split(self.name)
        size = last - first
        return PartList(
            prefix,
            np.full(size, number),
            (self.dtypes,),
            np.zeros(size, dtype=np.uint8),
            self.ends()[first:last],
            self.lengths[first:last],
            self.checksums[first:last],
        )

    def ends(self) -> Int64Array:
        """Return the first byte of each part, and the byte after the last one: int64, shape (parts + 1,)."""
        return self.start + np.concatenate([[0], np.cumsum(self.part_bytes())])


@dataclass(frozen=True, slots=True)
class PartAddress:
    """Where a part is: its file, first byte and the byte after it, types and lengths of its arrays, and checksum."""

    name: str
    start: int
    stop: int
    dtypes: tuple[str, ...]
    lengths: tuple[int, ...]
    checksum: int


@dataclass(frozen=True, slots=True, eq=False)
class PartList:
    """The addresses of some parts, as arrays, since tasks with very many of them are sent to workers.

    Attributes
    ----------
    prefix : str
        Names of the files without the numbers at their ends.
    numbers : int64 array, shape (parts,)
        Number at the end of each file's name.
    kinds : tuple of tuple of str
        Different types of the arrays of a part.
    kind : uint8 array, shape (parts,)
        Place in `kinds`.
    starts : int64 array, shape (parts,)
        First byte.
    lengths : int64 array, shape (parts, arrays)
        Lengths of the arrays.
    checksums : uint64 array, shape (parts,)
    """

    prefix: str
    numbers: Int64Array
    kinds: tuple[tuple[str, ...], ...]
    kind: Uint8Array
    starts: Int64Array
    lengths: Int64Array
    checksums: Uint64Array

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[PartAddress]:
        sizes = [[np.dtype(kind).itemsize for kind in kinds] for kinds in self.kinds]
        columns = (self.numbers, self.kind, self.starts, self.lengths, self.checksums)
        for number, kind, start, lengths, found in zip(*(column.tolist() for column in columns), strict=True):
            stop = start + sum(map(mul, sizes[kind], lengths))
            yield PartAddress(f"{self.prefix}{number}", start, stop, self.kinds[kind], tuple(lengths), found)

    def taken(self, chosen: slice | AnyArray) -> PartList:
        """Return some of the addresses."""
        return PartList(
            self.prefix,
            self.numbers[chosen],
            self.kinds,
            self.kind[chosen],
            self.starts[chosen],
            self.lengths[chosen],
            self.checksums[chosen],
        )


@dataclass(frozen=True, slots=True, eq=False)
class PartBlock:
    """The addresses of some parts of all pieces of a stage.

    Attributes
    ----------
    prefix, numbers, kinds, kind
        As in `PartList`, for each piece.
    starts : int64 array, shape (parts, pieces)
    lengths : int64 array, shape (parts, pieces, arrays)
    checksums : uint64 array, shape (parts, pieces)
    """

    prefix: str
    numbers: Int64Array
    kinds: tuple[tuple[str, ...], ...]
    kind: Uint8Array
    starts: Int64Array
    lengths: Int64Array
    checksums: Uint64Array

    def filled(self, k: int) -> PartList:
        """Return the addresses of the `k`-th part in the pieces in which it is not empty."""
        if len(self.numbers) == 0:
            return NO_PARTS
        columns = (self.starts[k], self.lengths[k], self.checksums[k])
        every = PartList(self.prefix, self.numbers, self.kinds, self.kind, *columns)
        return every.taken(np.flatnonzero(every.lengths.any(axis=1)))


class PieceSet:
    """The pieces of all tasks of a stage, whose names differ in their last numbers.

    Parameters
    ----------
    pieces : sequence of Piece
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        names = [_split(piece.name) for piece in pieces]
        self._prefix = names[0][0] if names else ""
        self._numbers = np.array([number for _, number in names], dtype=np.int64)
        kinds = {piece.dtypes: None for piece in pieces}
        self._kinds = tuple(kinds)
        place = {kind: k for k, kind in enumerate(kinds)}
        self._kind = np.array([place[piece.dtypes] for piece in pieces], dtype=np.uint8)
        if pieces:  # part by part, so that the addresses of a part lie side by side
            self._starts = np.stack([piece.ends()[:-1] for piece in pieces], axis=1)
            self._lengths = np.stack([piece.lengths for piece in pieces], axis=1)
            self._checksums = np.stack([piece.checksums for piece in pieces], axis=1)

    def part(self, k: int) -> PartList:
        """Return the addresses of part `k` of all pieces."""
        if not self._pieces:
            return NO_PARTS
        columns = (self._starts[k], self._lengths[k], self._checksums[k])
        return PartList(self._prefix, self._numbers, self._kinds, self._kind, *columns)

    def block(self, chosen: Sequence[int]) -> PartBlock:
        """Return the addresses of some parts of all pieces, in few arrays, since they are sent to workers."""
        if not self._pieces:
            none = NO_PARTS
            return PartBlock("", none.numbers, (), none.kind, none.starts, none.lengths, none.checksums)
        columns = (self._starts[chosen], self._lengths[chosen], self._checksums[chosen])
        return PartBlock(self._prefix, self._numbers, self._kinds, self._kind, *columns)

    def entries(self) -> Int64Array:
        """Return the number of entries of the first array of each part, over all pieces: int64, shape (parts,)."""
        return self._lengths[:, :, 0].sum(axis=1)


def _split(name: str) -> tuple[str, int]:
    """Return the name of a piece without the number at its end, and the number."""
    start, dash, number = name.rpartition("-")
    return start + dash, int(number)


_NOTHING = np.empty(0, dtype=np.int64)
NO_PARTS = PartList("", _NOTHING, (), _NOTHING.astype(np.uint8), _NOTHING, _NOTHING[:, None], _NOTHING.view(np.uint64))


def narrow(array: IntegerArray) -> AnyArray:
    """Return an array of numbers in the smallest type that holds them."""
    if len(array) == 0:
        return array.astype(np.uint8)
    least, greatest = int(array.min()), int(array.max())
    wanted = np.min_scalar_type(greatest) if least >= 0 else np.dtype(np.int64)
    return array if wanted == array.dtype else array.astype(wanted)


def piece_name(run: str, name: str) -> str:
    """Return the name of the file of a piece: tasks of an earlier run, which may still run, write other files."""
    return f"{run[:_RUN_LETTERS]}-{name}"


def is_piece(name: str) -> bool:
    """Return whether a file's name is one of a piece."""
    return _PIECE_NAME.fullmatch(name) is not None


def put_piece(
    store: TileStore, run: str, name: str, parts: Sequence[Part], about: dict[str, Any], *, whole: Bytes | None = None
) -> Piece:
    """Write a piece; all parts have as many arrays, and the k-th arrays of all parts have one type.

    `whole` holds all parts one after the other, if they are in one array: it is written at once.

    Raises
    ------
    WriteError
        The file cannot be written; no partial file remains.
    """
    dtypes = tuple(array.dtype.str for array in parts[0]) if parts else ()
    lengths = np.array([[len(array) for array in part] for part in parts], dtype=np.int64).reshape(
        len(parts), len(dtypes)
    )
    checksums = np.array([checksum([as_bytes(array) for array in part]) for part in parts], dtype=np.uint64)
    numbers = lengths.tobytes() + checksums.tobytes()
    index = seal({"run": run, "dtypes": dtypes, "parts": len(parts), "numbers": checksum([numbers]), "about": about})
    size = len(index).to_bytes(8, "little") + len(numbers).to_bytes(8, "little")
    head = _MAGIC + size + index + numbers
    content: list[Bytes] = [head]
    content += [array for part in parts for array in part if len(array)] if whole is None else [whole]
    name = piece_name(run, name)
    store.put(name, content)
    return Piece(name, len(head), dtypes, lengths, checksums, about)


def find_piece(store: TileStore, run: str, name: str) -> Piece | None:
    """Return the index of a piece; None if it is missing, damaged or of another run."""
    name = piece_name(run, name)
    try:
        start = store.read([(name, 0, _FIRST_READ)])[0]
        if len(start) < _START or not start.startswith(_MAGIC):
            return None
        first = _START + int.from_bytes(start[len(_MAGIC) : len(_MAGIC) + 8], "little")
        end = first + int.from_bytes(start[len(_MAGIC) + 8 : _START], "little")
        if end > len(start):
            start += store.read([(name, len(start), end)])[0]
        index, numbers = unseal(start[_START:first]), start[first:end]
        if index["run"] != run or index["numbers"] != checksum([numbers]):
            return None
        dtypes, parts = tuple(index["dtypes"]), int(index["parts"])
        entries = np.frombuffer(numbers, dtype=np.int64)
        lengths = entries[: parts * len(dtypes)].reshape(parts, len(dtypes))
        checksums = entries[parts * len(dtypes) :].view(np.uint64)
        return Piece(name, end, dtypes, lengths, checksums, index["about"])
    except (MissingFileError, ValueError, KeyError, TypeError, OverflowError):
        return None


def read_parts(store: TileStore, parts: Iterable[PartAddress]) -> Iterator[list[AnyArray]]:
    """Yield the arrays of parts, in order; a few parts are read at a time.

    Raises
    ------
    ReadError
        A part is missing or damaged.
    """
    for part, content in _contents(store, parts):
        arrays, end = [], 0
        for kind, length in zip(part.dtypes, part.lengths, strict=True):
            array = np.empty(length, dtype=kind)  # aligned, as compiled kernels want it
            if length:
                as_bytes(array)[:] = content[end : end + array.nbytes]
            arrays.append(array)
            end += array.nbytes
        yield arrays


def read_into(store: TileStore, parts: Iterable[PartAddress], out: Int64Array) -> None:
    """Write the arrays of parts, each of which is one array of int64, one after another into `out`.

    Raises
    ------
    ReadError
        A part is missing or damaged.
    """
    view, end = as_bytes(out), 0
    for _, content in _contents(store, parts):
        view[end : end + len(content)] = content
        end += len(content)


def _contents(store: TileStore, parts: Iterable[PartAddress]) -> Iterator[tuple[PartAddress, memoryview]]:
    """Yield the parts and their bytes, which have the right checksums."""
    for batch in _batches(parts):
        spans = _joined([(part.name, part.start, part.stop) for part in batch])
        found = dict(zip(spans, store.read(spans), strict=True))
        spans_of = iter(spans)
        span = next(spans_of, ("", 0, 0))
        for part in batch:
            while part.start < part.stop and not (span[0] == part.name and span[1] <= part.start < span[2]):
                span = next(spans_of)
            content = memoryview(found.get(span, b""))[part.start - span[1] :]
            content = content[: part.stop - part.start] if part.start < part.stop else memoryview(b"")
            if len(content) != part.stop - part.start or checksum([content]) != part.checksum:
                raise ReadError(
                    f"{store.place}/{part.name}",
                    "is damaged: it does not have its checksum; remove it, and run the same again",
                )
            yield part, content


def _batches(parts: Iterable[PartAddress]) -> Iterator[list[PartAddress]]:
    batch: list[PartAddress] = []
    size = 0
    for part in parts:
        if batch and size + part.stop - part.start > _BATCH_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(part)
        size += part.stop - part.start
    if batch:
        yield batch


def _joined(spans: Sequence[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """Join spans that follow one another in the same file; leave out empty ones."""
    joined: list[tuple[str, int, int]] = []
    for name, start, stop in spans:
        if start == stop:
            continue
        if joined and joined[-1][0] == name and joined[-1][2] == start:
            joined[-1] = (name, joined[-1][1], stop)
        else:
            joined.append((name, start, stop))
    return joined
