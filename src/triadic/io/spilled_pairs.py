"""Pairs of numbers in a temporary file: the links of formats whose files say only at the end what they mean.

The file is in the folder for temporary files, which the environment variable ``TMPDIR`` names, and is removed when
nothing refers to it any more. It takes 8 bytes a pair, or 16 for numbers of 64 bits.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.io.temporary_copy import temporary_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.io.file_source import Source

    Pairs = tuple[NDArray[Any], NDArray[Any]]


class SpilledPairs:
    """Pairs of numbers that are appended to a temporary file and read in pieces.

    Parameters
    ----------
    source : Source
        The file they were read from, for messages.
    dtype : numpy integer type
        Of the numbers.

    Attributes
    ----------
    number : int
        Number of pairs.

    Examples
    --------
    >>> from pathlib import Path
    >>> from triadic.io.file_source import Source
    >>> _ = Path("edges.net").write_text("*Vertices 7")
    >>> pairs = SpilledPairs(Source("edges.net"), np.int32)
    >>> pairs.append(np.array([1, 2, 3]), np.array([4, 5, 6]))
    >>> [(first.tolist(), second.tolist()) for first, second in pairs.pieces(0, 3, piece=2)]
    [([1, 2], [4, 5]), ([3], [6])]
    """

    def __init__(self, source: Source, dtype: type[np.integer[Any]]) -> None:
        self._source, self._dtype = source, np.dtype(dtype)
        self._path = temporary_file(self, ".pairs")
        self.number = 0

    def append(self, first: NDArray[Any], second: NDArray[Any]) -> None:
        """Append pairs.

        Raises
        ------
        ReadError
            The temporary file cannot be written.
        """
        pairs = np.empty((len(first), 2), dtype=self._dtype)
        pairs[:, 0], pairs[:, 1] = first, second
        try:
            with self._path.open("ab") as file:
                file.write(pairs.data)
        except OSError as error:
            folder = self._path.parent
            raise self._source.error(f"its edges cannot be written to {folder}: {error.strerror}") from None
        self.number += len(first)

    def pieces(self, start: int, stop: int, *, piece: int) -> Iterator[Pairs]:
        """Yield the pairs `start` .. `stop` - 1 in pieces of at most `piece`."""
        size = 2 * self._dtype.itemsize
        with self._path.open("rb") as file:
            file.seek(start * size, os.SEEK_SET)
            for at in range(start, stop, piece):
                pairs = np.fromfile(file, dtype=self._dtype, count=2 * min(piece, stop - at)).reshape(-1, 2)
                yield np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
