"""What the graphlet transform counts, on a GPU: supports, tetrahedra and diamonds row by row, squares."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.graphlet_types import GraphletCounts
from triadic.core.progress import split
from triadic.devices.cpu.zeros import summed
from triadic.devices.gpu import squares
from triadic.devices.gpu.errors import check_room
from triadic.devices.gpu.neighbour_sums import sums_of, support_sums
from triadic.devices.gpu.rows import degrees_on, rows_on, runtimes_of
from triadic.devices.gpu.shares import share, tasks_of
from triadic.devices.gpu.source import Source
from triadic.devices.gpu.triangles import TABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.runtime import Buffer, Runtime

_SHORT = 64  # entries of a row whose bits are held in local memory
_SHORT_ROWS = Source("row_graphs", (("SLOTS", 2 * _SHORT),), TABLE)
_LONG_ROWS = Source("row_graphs", (("LONG", 1),), TABLE)
_OF_FREE, _MOST_BYTES = 4, 1 << 32  # of what memory is free the bits of long rows take a 4th, at most so much
_COLUMNS = 12  # counts at each vertex, and what they are worked out from, that are there at the same time
_TETRAHEDRA, _DIAMONDS, _SQUARES = 1.0, 1.0, 8.0  # what part of the work each is, for progress


def by_vertex(device: str, oriented: Oriented, *, progress: Progress | None = None) -> GraphletCounts:
    """Count what all graphlets of up to four vertices follow from, at each rank."""
    counters = [RowGraphs(runtime, oriented) for runtime in runtimes_of(device)]
    report = split(progress, [_TETRAHEDRA, _DIAMONDS, _SQUARES])
    m = oriented.num_edges
    share([of.add_tetrahedra for of in counters], m, report[0])
    _add_supports_up(counters)
    share([of.add_off_chord for of in counters], m, report[1])
    first = counters[0]
    columns = _sums(first.runtime, oriented, first.support)
    # These come to the host while squares are counted.
    later = {name: [first.runtime.download_later(column)] for name, column in columns.items()}
    later["tetrahedra"] = [of.runtime.download_later(of.tetrahedra) for of in counters]
    later["off_chord"] = [of.runtime.download_later(of.off_chord) for of in counters]
    del counters, first, columns
    with ThreadPoolExecutor(1, "triadic-downloads") as pool:
        coming = {name: pool.submit(_summed, of) for name, of in later.items()}
        del later
        at_squares = squares.by_vertex(device, oriented, progress=report[2])
        return GraphletCounts(squares=at_squares, **{name: column.result() for name, column in coming.items()})


def _summed(later: list[Callable[[], NDArray[Any]]]) -> NDArray[np.int64]:
    return summed([download().view(np.int64) for download in later])


def _sums(runtime: Runtime, oriented: Oriented, support: Buffer) -> dict[str, Buffer]:
    """Give what follows from supports and degrees, on the device, by the names of `GraphletCounts`."""
    with runtime.active():
        of_edges, pairs, degrees = support_sums(runtime, oriented, support)
        k, twice = runtime.view(degrees_on(runtime, oriented)), runtime.view(of_edges)
        triangles = runtime.upload(twice >> 1)
        columns = [degrees_on(runtime, oriented), runtime.upload((k - 1) * (k - 2) // 2), triangles]
        near_degrees, near_pairs, near_triangles = sums_of(runtime, oriented, columns)
        (path_ends,) = sums_of(runtime, oriented, [runtime.upload(runtime.view(near_degrees) - k)])
        return {
            "triangles": triangles,
            "support_pairs": pairs,
            "support_degrees": degrees,
            "near_degrees": near_degrees,
            "near_pairs": near_pairs,
            "near_triangles": near_triangles,
            "path_ends": path_ends,
        }


class RowGraphs:
    """One device's share of what follows from the graphs that rows' vertices form among themselves.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented
    bit_bytes : int, optional
        What the bits of long rows may take at a time.

    Attributes
    ----------
    support : uint32 buffer, shape (m,)
    tetrahedra, off_chord : uint32 buffers, shape (2 n,)
        Counts of 64 bits as two words, low one first.
    """

    def __init__(self, runtime: Runtime, oriented: Oriented, *, bit_bytes: int | None = None) -> None:
        self.runtime = runtime
        with runtime.active():
            xp = runtime.xp
            self._rows = rows = rows_on(runtime, oriented)
            what = f"counting graphlets of {rows.n:,} vertices and {rows.m:,} edges"
            check_room(runtime, what, 4 * rows.m, *[8 * rows.n] * _COLUMNS)
            self.support = runtime.zeros(rows.m, np.uint32)
            self.tetrahedra, self.off_chord = runtime.zeros(2 * rows.n, np.uint32), runtime.zeros(2 * rows.n, np.uint32)
            length = xp.diff(runtime.view(rows.indptr))
            long = xp.flatnonzero(length > _SHORT)
            self._short = runtime.upload(xp.flatnonzero((length >= 2) & (length <= _SHORT)).astype(xp.uint32))
            self._long = runtime.upload(long.astype(xp.uint32))
            words = length[long] * (-(-length[long] // 64))
            self._words = np.asarray(runtime.download(runtime.upload(words)))
        held = min(runtime.memory()[0] // _OF_FREE, _MOST_BYTES) if bit_bytes is None else bit_bytes
        self._held = max(held // 8, int(self._words.max(initial=0)))

    def add_tetrahedra(self, first: int, step: int) -> None:
        """Add the supports and tetrahedra of every `step`th row from `first` on, and wait until it is done."""
        runtime = self.runtime
        with runtime.active():
            nothing = runtime.empty(0, np.uint64)
            self._launch(
                _SHORT_ROWS, "tetrahedra", self._short, first, step, runtime.empty(0, np.int64), nothing, self.support,
                self.tetrahedra,
            )  # fmt: skip
            words = self._words[first::step]
            before = np.concatenate([[0], np.cumsum(words)])
            cuts = blocks.cut(before, self._held, most=len(words) + 1) if len(words) else [0]
            for begin, end in pairwise(cuts):
                bits = runtime.zeros(int(before[end] - before[begin]), np.uint64)
                self._launch(
                    _LONG_ROWS, "tetrahedra", self._long, first + step * int(begin), step,
                    runtime.upload(before[begin:end]), bits, self.support, self.tetrahedra, count=int(end - begin),
                )  # fmt: skip
        runtime.synchronize()

    def add_off_chord(self, first: int, step: int) -> None:
        """Add the diamonds off their chord of every `step`th row from `first` on, and wait until it is done."""
        with self.runtime.active():
            for source, rows in ((_SHORT_ROWS, self._short), (_LONG_ROWS, self._long)):
                self._launch(source, "off_chord", rows, first, step, self.support, self.off_chord)
        self.runtime.synchronize()

    def _launch(
        self, source: Source, kernel: str, rows: Buffer, first: int, step: int, *after: Buffer, count: int | None = None
    ) -> None:
        if count is None:
            count = tasks_of(len(rows), first, step)
        self.runtime.launch(
            source, kernel, -(-count // self.runtime.teams), self._rows.indptr, self._rows.indices, rows,
            np.uint64(first), np.uint64(step), np.uint64(count), *after,
        )  # fmt: skip


def _add_supports_up(counters: list[RowGraphs]) -> None:
    """Give every device the supports that all have found."""
    if len(counters) > 1:
        support = summed([of.runtime.download(of.support).view(np.int32) for of in counters]).view(np.uint32)
        for of in counters:
            of.support = of.runtime.upload(support)
