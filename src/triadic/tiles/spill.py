"""Keys of edges set aside on disk while the arcs go by: a file for each fine range of rows.

What a worker sets aside at a time is grouped by cell, so that each file gets one long run of keys, in which the keys of
a cell lie together; where they lie is kept in an index. Keys are summed by cell, and summed again when they are read
back: a machine that lost its power may have lost some. Where memory has room for all keys, they are held there in place
of files.
"""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import numpy as np

from triadic.errors import ReadError
from triadic.tiles import store as files
from triadic.tiles.vectors import put_array, read_array

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

PREFIX = "spill-"
_COUNTS, _STARTS = f"{PREFIX}counts.npy", f"{PREFIX}starts.npy"


def spill_name(row: int) -> str:
    """Give the name of the file of a fine range of rows."""
    return f"{PREFIX}{row}"


class SpillWriter:
    """Sets keys aside, from several threads at once.

    Parameters
    ----------
    folder : pathlib.Path
    ranges : int
        Fine ranges.
    held : bool
        Whether to hold the keys in memory; then nothing is written.
    """

    def __init__(self, folder: Path, ranges: int, *, held: bool = False) -> None:
        self._folder = folder
        self._first = np.array([i * (i + 1) // 2 for i in range(ranges + 1)])
        self._lengths = np.zeros(ranges, dtype=np.int64)
        self._counts: list[NDArray[np.uint32]] = []
        self._starts: list[NDArray[np.int64]] = []
        self._held: list[NDArray[np.int64]] | None = [] if held else None
        self._lock = threading.Lock()
        self._descriptors: list[int] = []

    @contextmanager
    def open(self) -> Iterator[SpillWriter]:
        """Open the files, empty, for as long as the block runs."""
        with files.writing(self._folder), ExitStack() as stack:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            for i in range(len(self._lengths) if self._held is None else 0):
                opened = files.opened(self._folder / spill_name(i), flags)
                self._descriptors.append(stack.enter_context(opened))
            yield self

    def append(self, grouped: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        """Set aside keys grouped by cell; `counts` says how many are of each."""
        by_row = np.add.reduceat(counts, self._first[:-1])
        held = None if self._held is None else grouped.copy()
        with self._lock:  # the room is taken; writing it needs no order
            starts = self._lengths.copy()
            self._lengths += by_row
            self._counts.append(counts.astype(np.uint32))
            self._starts.append(starts)
            if self._held is not None and held is not None:
                self._held.append(held)
                return
        ends = np.cumsum(by_row)
        for i in np.flatnonzero(by_row):
            files.write_bytes(self._descriptors[i], grouped[ends[i] - by_row[i] : ends[i]], 8 * int(starts[i]))

    def finish(self, sums: NDArray[np.int64]) -> SpillIndex:
        """Give the index of what was set aside."""
        cells, ranges = int(self._first[-1]), len(self._lengths)
        counts = np.array(self._counts, dtype=np.uint32).reshape(-1, cells)
        starts = np.array(self._starts, dtype=np.int64).reshape(-1, ranges)
        if self._held is not None:
            return HeldIndex(self._folder, counts, starts, sums, self._held)
        return SpillIndex(self._folder, counts, starts, sums)


class SpillIndex:
    """Where the keys of each cell lie.

    Parameters
    ----------
    folder : pathlib.Path
    counts : uint32 array, shape (times, cells)
        Keys of each cell that were set aside each time.
    starts : int64 array, shape (times, ranges)
        Where in each file they went, in keys.
    sums : int64 array, shape (cells,)
        Sum of all keys of each cell, modulo 2**64.
    """

    def __init__(
        self, folder: Path, counts: NDArray[np.uint32], starts: NDArray[np.int64], sums: NDArray[np.int64]
    ) -> None:
        self.folder, self.counts, self.starts, self.sums = folder, counts, starts, sums

    @property
    def held_bytes(self) -> int:
        """Bytes of the keys that are in memory."""
        return 0

    def keys(self) -> NDArray[np.int64]:
        """Give the number of keys of each cell."""
        keys: NDArray[np.int64] = self.counts.sum(axis=0, dtype=np.int64)
        return keys

    def runs(self, i: int, j: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Give where in its file, and how long, each run of keys of cell (i, j) is."""
        first = i * (i + 1) // 2
        starts = self.starts[:, i] + self.counts[:, first : first + j].sum(axis=1, dtype=np.int64)
        lengths = self.counts[:, first + j].astype(np.int64)
        there = lengths > 0
        return starts[there], lengths[there]

    def read(self, row: int, starts: NDArray[np.int64], lengths: NDArray[np.int64], into: NDArray[np.int64]) -> None:
        """Read these runs of the file of fine range `row`, one after another.

        Raises
        ------
        ReadError
            The file is gone or too short.
        """
        path = self.folder / spill_name(row)
        try:
            with files.opened(path, os.O_RDONLY) as descriptor:
                end = 0
                for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
                    part = files.as_bytes(into[end : end + length])
                    if _read(descriptor, part, 8 * start) < len(part):
                        raise ReadError(path, "is too short")
                    end += length
        except OSError as error:
            if isinstance(error, ReadError):
                raise
            raise ReadError(path, f"cannot be read: {error.strerror}") from None

    def save(self, store: files.FolderStore) -> list[int]:
        """Write the index beside the keys; give the checksums that `load` wants."""
        return [
            put_array(store, _COUNTS, self.counts.ravel()),
            put_array(store, _STARTS, self.starts.ravel()),
        ]

    @classmethod
    def load(cls, store: files.FolderStore, ranges: int, sums: NDArray[np.int64], crcs: list[int]) -> SpillIndex:
        """Read what `save` wrote."""
        counts = read_array(store, _COUNTS, crcs[0]).reshape(-1, len(sums))
        starts = read_array(store, _STARTS, crcs[1]).reshape(-1, ranges)
        return cls(store.folder, counts, starts, sums)


class HeldIndex(SpillIndex):
    """Where the keys of each cell are in memory.

    Parameters
    ----------
    folder, counts, starts, sums
        As of `SpillIndex`.
    held : list of int64 arrays
        The keys that were set aside each time.
    """

    def __init__(
        self,
        folder: Path,
        counts: NDArray[np.uint32],
        starts: NDArray[np.int64],
        sums: NDArray[np.int64],
        held: list[NDArray[np.int64]],
    ) -> None:
        super().__init__(folder, counts, starts, sums)
        self._held = held

    @property
    def held_bytes(self) -> int:
        """Bytes of the keys."""
        return sum(keys.nbytes for keys in self._held)

    def read(self, row: int, starts: NDArray[np.int64], lengths: NDArray[np.int64], into: NDArray[np.int64]) -> None:
        """Copy these runs of the keys of fine range `row`, one after another."""
        first = row * (row + 1) // 2
        times = (
            np.searchsorted(self.starts[:, row], starts, side="right") - 1
        )  # of some at one start, the last has keys
        end = 0
        for time, start, length in zip(times.tolist(), starts.tolist(), lengths.tolist(), strict=True):
            before = int(self.counts[time, :first].sum(dtype=np.int64)) + start - int(self.starts[time, row])
            into[end : end + length] = self._held[time][before : before + length]
            end += length


def _read(descriptor: int, into: memoryview, offset: int) -> int:
    done = 0
    while done < len(into):
        step = os.preadv(descriptor, [into[done:]], offset + done)
        if not step:
            break
        done += step
    return done
