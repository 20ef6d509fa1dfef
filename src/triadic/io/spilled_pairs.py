"""Pairs of numbers in a temporary file: the links of formats whose files say only at the end what they mean.

The file is in the folder for temporary files, which the environment variable ``TMPDIR`` names, and is removed when
nothing refers to it any more. It takes 8 bytes a pair, or 16 for numbers of 64 bits.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.io.temporary_copy import temporary_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.io.file_source import Source

    Pairs = tuple[NDArray[Any], ...]


class SpilledPairs:
    """Pairs of numbers, and perhaps weights, that are appended to temporary files and read in pieces.

    Parameters
    ----------
    source : Source
        The file they were read from, for messages.
    dtype : numpy integer type
        Of the numbers.
    weights : int, default 0
        Number of weights of each pair, in a file of their own.

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

    def __init__(self, source: Source, dtype: type[np.integer[Any]], weights: int = 0) -> None:
        self._source, self._dtype, self.weights = source, np.dtype(dtype), weights
        self._path = temporary_file(self, ".pairs")
        self._of_weights = temporary_file(self, ".weights") if weights else None
        self.number = 0

    def append(self, first: NDArray[Any], second: NDArray[Any], *weights: NDArray[np.float64]) -> None:
        """Append pairs and their weights.

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
            if self._of_weights is not None:
                with self._of_weights.open("ab") as file:
                    file.write(np.stack(weights, axis=1).data)
        except OSError as error:
            folder = self._path.parent
            raise self._source.error(f"its edges cannot be written to {folder}: {error.strerror}") from None
        self.number += len(first)

    def pieces(self, start: int, stop: int, *, piece: int) -> Iterator[Pairs]:
        """Yield the pairs `start` .. `stop` - 1, and their weights, in pieces of at most `piece`."""
        with ExitStack() as stack:
            files = [(stack.enter_context(self._path.open("rb")), 2, self._dtype)]
            if self._of_weights is not None:
                files.append((stack.enter_context(self._of_weights.open("rb")), self.weights, np.dtype(np.float64)))
            for file, width, dtype in files:
                file.seek(start * width * dtype.itemsize, os.SEEK_SET)
            for at in range(start, stop, piece):
                count = min(piece, stop - at)
                read = [np.fromfile(file, dtype, count * width).reshape(-1, width) for file, width, dtype in files]
                yield tuple(np.ascontiguousarray(column) for table in read for column in table.T)
