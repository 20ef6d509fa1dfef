"""Names as they appear: a dictionary that numbers them, and how often each occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa

from triadic.core.memory import check_memory
from triadic.io.identifiers import UnusableIdError, index_dtype, vertices_of_names
from triadic.io.streams.numbers import Numbered, counted, grown, number
from triadic.io.text_layout import INTEGER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.io.arrow_arrays import Column

# A name of ten letters as Python holds it, its number, and its place in a dictionary.
_BYTES_A_NAME = 200
_CHECKED_EVERY = 1 << 20


class NameTally:
    """Counts ids that are names, and numbers them in order of appearance.

    Parameters
    ----------
    declared : int or None
        There may be no more names than that.
    """

    def __init__(self, *, declared: int | None) -> None:
        self._declared = declared
        self._codes: dict[str, int] = {}
        self._degree: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._checked = 0

    def add(self, source: Column, target: Column | None) -> None:
        """Count the names of some rows: of both columns, or of one."""
        some = vertices_of_names(source, source if target is None else target, declared=None, stated=None)
        codes = self._codes
        labels = cast("NDArray[np.object_]", some.labels)
        here = np.array([codes.setdefault(name, len(codes)) for name in labels.tolist()], dtype=np.int64)
        if len(codes) >= self._checked + _CHECKED_EVERY:
            self._checked = len(codes)
            check_memory(_BYTES_A_NAME * _CHECKED_EVERY, f"holding {len(codes):,} names and more")
        self._degree = counted(here[some.source], self._degree)
        if target is not None:
            self._degree = counted(here[some.target], self._degree)

    @property
    def all_integers(self) -> bool:
        """Whether each name is an integer."""
        return all(map(INTEGER.match, self._codes))

    def numbered(self, stated: int | None) -> Numbered:
        """Return the vertices of names.

        Raises
        ------
        UnusableIdError
            There are more names than declared.
        """
        present = len(self._codes)
        if self._declared is not None and present > self._declared:
            raise UnusableIdError(f"found {present} different names, vertices={self._declared} is fewer")
        labels = np.empty(present, dtype=np.object_)
        labels[:] = list(self._codes)
        count = max(present, self._declared or stated or 0)
        return Numbered(count, labels, self._counts(count), index_dtype(present), None)

    def numbered_as_integers(self, stated: int | None) -> Numbered:
        """Return the vertices of names that all are integers.

        Raises
        ------
        pyarrow.ArrowInvalid
            One is beyond 64 bits.
        UnusableIdError
            One is negative, or not below the number declared.
        """
        ids = np.array(pa.array(list(self._codes), pa.string()).cast(pa.int64()).tolist(), dtype=np.int64)
        distinct, place = np.unique(ids, return_inverse=True)
        if distinct[0] < 0:
            raise UnusableIdError(f"found the id {distinct[0]}, expected 0 or more")
        if self._declared is not None and distinct[-1] >= self._declared:
            raise UnusableIdError(f"found the id {distinct[-1]}, expected less than vertices={self._declared}")
        counts = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(counts, place, self._counts(len(ids)))
        found = number(distinct, counts, declared=self._declared, stated=stated)
        vertex_of = ids if found.change is None else found.change(ids)
        return Numbered(found.count, found.labels, found.degree, found.dtype, vertex_of.__getitem__)

    def codes(self, column: Column) -> Column:
        """Return a column of names as a column of their numbers.

        Raises
        ------
        KeyError
            A name was not counted.
        """
        codes = self._codes
        chunks = []
        for chunk in column.chunks:
            here = pa.array([codes[name] for name in chunk.dictionary.to_pylist()], pa.int64())
            chunks.append(here.take(chunk.indices))
        return pa.chunked_array(chunks, pa.int64())

    def _counts(self, count: int) -> NDArray[Any]:
        used = self._degree[: len(self._codes)]
        return used if len(used) == count else grown(used, count, exactly=True)
