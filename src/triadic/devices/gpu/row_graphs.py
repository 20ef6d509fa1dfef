"""Supports, tetrahedra and diamonds on a GPU, from the graphs that rows' vertices form (row_graphs.c)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.devices.gpu.rows import rows_on
from triadic.devices.gpu.tasks import ROW_TASKS, Share
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from triadic.core.oriented import Oriented
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_SHORT = 64  # entries of a row whose bits fit local memory
_HEADERS = (*ROW_TASKS, "middle_table")
_SHORT_ROWS = Source("row_graphs", (("SLOTS", 2 * _SHORT),), _HEADERS)
_LONG_ROWS = Source("row_graphs", (("LONG", 1),), _HEADERS)
# The bits of long rows take a quarter of the free memory, at most 4 GiB.
_SHARE_OF_FREE, _MOST_BYTES = 4, 1 << 32
_COLUMNS = 12  # 64-bit columns of counts and of values derived from them that exist at the same time


class RowGraphs:
    """One device's share of the supports, tetrahedra and diamonds.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented
    bit_bytes : int, optional
        Most bytes for the bits of long rows at a time.

    Attributes
    ----------
    support : uint32 buffer, shape (m,)
    tetrahedra, off_chord : uint32 buffers, shape (2 n,)
        64-bit counts as two words, the low one first.
    """

    def __init__(self, runtime: Runtime, oriented: Oriented, *, bit_bytes: int | None = None) -> None:
        self.runtime = runtime
        with runtime.active():
            xp = runtime.xp
            self._rows = rows = rows_on(runtime, oriented)
            description = f"counting graphlets of {rows.n:,} vertices and {rows.m:,} edges"
            check_room(runtime, description, 4 * rows.m, *[8 * rows.n] * _COLUMNS)
            self.support = runtime.zeros(rows.m, np.uint32)
            self.tetrahedra, self.off_chord = runtime.zeros(2 * rows.n, np.uint32), runtime.zeros(2 * rows.n, np.uint32)
            length = xp.diff(runtime.view(rows.indptr))
            long = xp.flatnonzero(length > _SHORT)
            self._short = runtime.upload(xp.flatnonzero((length >= 2) & (length <= _SHORT)).astype(xp.uint32))
            self._long = runtime.upload(long.astype(xp.uint32))
            words = length[long] * (-(-length[long] // 64))
            self._words = np.asarray(runtime.download(runtime.upload(words)))
        if bit_bytes is None:
            bit_bytes = min(runtime.memory()[0] // _SHARE_OF_FREE, _MOST_BYTES)
        self._most_words = max(bit_bytes // 8, int(self._words.max(initial=0)))

    def add_tetrahedra(self, first: int, step: int) -> None:
        """Add the supports and tetrahedra of every `step`-th row from `first` on, and wait for the device."""
        runtime = self.runtime
        with runtime.active():
            no_bits = runtime.empty(0, np.int64), runtime.empty(0, np.uint64)
            self._launch(
                _SHORT_ROWS, "tetrahedra", self._short, Share.of(len(self._short), first, step), *no_bits, self.support,
                self.tetrahedra,
            )  # fmt: skip
            words = self._words[first::step]
            before = np.concatenate([[0], np.cumsum(words)])
            cuts = blocks.cut(before, self._most_words, most=len(words) + 1) if len(words) else [0]
            for begin, end in pairwise(cuts):
                bits = runtime.zeros(int(before[end] - before[begin]), np.uint64)
                self._launch(
                    _LONG_ROWS, "tetrahedra", self._long, Share(first + step * int(begin), step, int(end - begin)),
                    runtime.upload(before[begin:end]), bits, self.support, self.tetrahedra,
                )  # fmt: skip
        runtime.synchronize()

    def add_off_chord(self, first: int, step: int) -> None:
        """Add the diamonds of every `step`-th row from `first` on at their vertices off the chord, and wait."""
        with self.runtime.active():
            for source, rows in ((_SHORT_ROWS, self._short), (_LONG_ROWS, self._long)):
                self._launch(source, "off_chord", rows, Share.of(len(rows), first, step), self.support, self.off_chord)
        self.runtime.synchronize()

    def _launch(self, source: Source, kernel: str, rows: Buffer, share: Share, *arguments: Buffer) -> None:
        share.launch(self.runtime, source, kernel, (self._rows.indptr, self._rows.indices, rows), *arguments)
