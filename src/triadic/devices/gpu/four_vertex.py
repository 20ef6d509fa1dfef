"""The counts that all graphlets of up to four vertices follow from, on GPUs.

Supports, tetrahedra and diamonds come from the graphs of rows' vertices (row_graphs.c, middle_bits.c).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.blocks import split
from triadic.core.graphlets import GraphletCounts
from triadic.devices.gpu import squares_and_cliques as squares
from triadic.devices.gpu.rows import degrees_on, lists_on, places_on, rows_on
from triadic.devices.gpu.tasks import on_each, run_shares, summed_on
from triadic.devices.gpu.triads import sums_of, support_sums
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import LANES, Buffer, Runtime, Source, c_source, sums_before

if TYPE_CHECKING:
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.rows import OrientedOnDevice


_PART = 256  # rows of a list in a task
_LIGHT = 32  # a vertex with so few entries in its row and its list takes one team
_MIDDLES, _LIGHT_MIDDLES = (
    c_source("middle_bits", "search", "middle_table", PART=part, SLOTS=slots)
    for part, slots in ((_PART, 4096), (_LIGHT, 4 * _LIGHT))
)
_TEAMS_OF_MIDDLES = 8
# The most entries of a row, and the teams that take one: rows of each class have a source of their own, as far as their
# bits fit a device's local memory, and the last class takes all longer rows.
_CLASSES = (64, 1), (128, 2), (256, 4), (512, 8), (1024, 16)
_SCRATCH = 16 << 10  # bytes of local memory that the kernels need beside bits
_TEAMS_OF_LONG = 16
# The bits take a quarter of the free memory.
_SHARE_OF_FREE = 4
_COLUMNS = 12  # 64-bit columns of counts and of values derived from them that exist at the same time
_SUMMED = (
    "triangles", "support_pairs", "support_degrees", "near_degrees", "near_pairs", "near_triangles", "path_ends"
)  # fmt: skip
_TETRAHEDRA, _DIAMONDS, _SQUARES = 1.0, 1.0, 8.0  # weights of the stages, for progress


class _Group(NamedTuple):
    """Rows of some lengths, or tasks of middle vertices, that share a source of kernels.

    Attributes
    ----------
    source : Source
    threads : int
        Work-items of a block.
    tasks : tuple of uint32 buffers
        The rows; or the middle vertices and the parts of their lists.
    rows : array of `xp` or None
        The rows.
    """

    source: Source
    threads: int
    tasks: tuple[Buffer, ...]
    rows: Any


def _group(
    runtime: Runtime,
    source: Source,
    teams: int,
    *tasks: Any,  # noqa: ANN401 - arrays of `xp`
    rows: Any = None,  # noqa: ANN401
) -> _Group:
    """Return the group whose blocks have `teams` teams, where a block can have several."""
    threads = LANES * (teams if runtime.teams > 1 else 1)
    words = tuple(runtime.upload(values.astype(np.uint32)) for values in tasks)
    return _Group(replace(source, defines=(("THREADS", threads), *source.defines)), threads, words, rows)


class RowGraphs:
    """One device's share of the supports, tetrahedra and diamonds.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented

    Attributes
    ----------
    support : uint32 buffer, shape (m,)
    tetrahedra, off_chord : int64 buffers, shape (n,)
    """

    def __init__(self, runtime: Runtime, oriented: Oriented) -> None:
        self.runtime = runtime
        with runtime.active():
            xp = runtime.xp
            self._rows = rows = rows_on(runtime, oriented)
            self._lists, self._places = lists_on(runtime, oriented), places_on(runtime, oriented)
            description = f"counting graphlets of {rows.n:,} vertices and {rows.m:,} edges"
            runtime.check_room(description, 4 * rows.m, *[8 * rows.n] * _COLUMNS)
            self.support = runtime.zeros(rows.m)
            self.tetrahedra, self.off_chord = (runtime.zeros(rows.n, np.int64) for _ in range(2))
            length = xp.diff(runtime.view(rows.indptr))
            self._make_tasks(length)
            self._make_classes(length)
            # Words of the bits of the rows before each row.
            self._before = sums_before(xp, xp.where(length > 1, length * (-(-length // 64)), 0))
            self._word_ptr = runtime.upload(self._before)
            self._all_words = int(self._before[-1])
        self._most_words = max(1, runtime.memory()[0] // _SHARE_OF_FREE // 8)
        self._kept: tuple[int, int, Buffer] | None = None

    def _make_tasks(self, length: Any) -> None:  # noqa: ANN401 - an array of `xp`
        """Cut the list of each vertex that can be the middle of a triangle into tasks."""
        runtime, xp = self.runtime, self.runtime.xp
        listed = xp.diff(runtime.view(self._lists.ptr))
        is_light = (length <= _LIGHT) & (listed <= _LIGHT)
        is_middle = (length > 0) & (listed > 0)
        light = xp.flatnonzero(is_middle & is_light)
        tasks = xp.where(is_middle & ~is_light, -(-listed // _PART), 0)
        before = sums_before(xp, tasks)
        number = xp.arange(int(before[-1]))
        middles = xp.searchsorted(before[1:], number, side="right")
        self._middles = [
            _group(runtime, _MIDDLES, _TEAMS_OF_MIDDLES, middles, number - before[middles]),
            _group(runtime, _LIGHT_MIDDLES, 1, light, xp.zeros(len(light))),
        ]

    def _make_classes(self, length: Any) -> None:  # noqa: ANN401 - an array of `xp`
        runtime, xp = self.runtime, self.runtime.xp
        self._classes, least = [], 2
        for most, teams in _CLASSES:
            if _bytes_of_bits(most) + _SCRATCH <= runtime.local_bytes:
                rows = xp.flatnonzero((length >= least) & (length <= most))
                source = c_source("row_graphs", local_bytes=_bytes_of_bits(most), LONGEST=most)
                self._classes.append(_group(runtime, source, teams, rows, rows=rows))
                least = most + 1
        rows = xp.flatnonzero(length >= least)
        self._classes.append(_group(runtime, Source("row_graphs"), _TEAMS_OF_LONG, rows, rows=rows))
        self._classes = [group for group in self._classes[::-1] if len(group.rows)]

    def add_tetrahedra(self, first: int, step: int) -> None:
        """Add the supports and tetrahedra of part `first` of `step` parts of the rows, and wait for the device."""
        with self.runtime.active():
            for begin, end in self._batches(first, step):
                bits = self._bits_of(begin, end, self.support)
                self._launch("tetrahedra", begin, end, bits, self.support, self.tetrahedra)
                self._kept = begin, end, bits
        self.runtime.synchronize()

    def add_off_chord(self, first: int, step: int) -> None:
        """Add the diamonds of part `first` of `step` parts of the rows at their vertices off the chord, and wait."""
        with self.runtime.active():
            for begin, end in self._batches(first, step):
                if self._kept is None or self._kept[:2] != (begin, end):
                    self._kept = None
                    self._kept = begin, end, self._bits_of(begin, end, self.runtime.zeros(self._rows.m))
                self._launch("off_chord", begin, end, self._kept[2], self.support, self.off_chord)
                self._launch_middles("across_middles", begin, end, self.support, self.off_chord)
        self.runtime.synchronize()

    def _batches(self, first: int, step: int) -> list[tuple[int, int]]:
        """Cut part `first` of `step` parts of the rows into ranges whose bits fit the memory for them."""
        xp = self.runtime.xp
        batches = step * max(1, -(-self._all_words // (step * self._most_words)))
        marks = xp.asarray((np.arange(batches + 1) * (self._all_words / batches)).astype(np.int64))
        cuts = [int(cut) for cut in xp.searchsorted(self._before, marks, side="left")]
        cuts[0], cuts[-1] = 0, self._rows.n
        each = batches // step
        return [(a, b) for a, b in pairwise(cuts[first * each : (first + 1) * each + 1]) if a < b]

    def _bits_of(self, begin: int, end: int, support: Buffer) -> Buffer:
        words = int(self._before[end] - self._before[begin])
        self.runtime.check_room(f"joined pairs in the rows of {end - begin:,} vertices", 8 * words)
        bits = self.runtime.zeros(words, np.uint64)
        self._launch_middles("row_bits", begin, end, self._word_ptr, bits, support)
        return bits

    def _launch_middles(self, kernel: str, begin: int, end: int, *arguments: Buffer) -> None:
        for group in self._middles:
            self.runtime.launch(
                group.source, kernel, len(group.tasks[0]), *self._rows, *self._lists, self._places, *group.tasks,
                np.uint32(begin), np.uint32(end), *arguments, threads=group.threads,
            )  # fmt: skip

    def _launch(self, kernel: str, begin: int, end: int, bits: Buffer, *arguments: Buffer) -> None:
        xp = self.runtime.xp
        first_word = int(self._before[begin])
        for group in self._classes:
            first, last = (int(place) for place in xp.searchsorted(group.rows, xp.asarray([begin, end])))
            self.runtime.launch(
                group.source, kernel, last - first, *self._rows, *group.tasks, first, self._word_ptr, first_word, bits,
                *arguments, threads=group.threads,
            )  # fmt: skip


def _bytes_of_bits(longest: int) -> int:
    """Return the bytes of the bit matrix of a row of `longest` entries in local memory."""
    return 8 * longest * (-(-longest // 64) | 1)


def by_vertex(device: str, oriented: Oriented, *, progress: Progress | None = None) -> GraphletCounts:
    """Return at each rank the counts that all graphlets of up to four vertices follow from.

    Parameters
    ----------
    device : str
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    progress : callable, optional
    """
    counters = on_each(runtimes_of(device), lambda runtime: RowGraphs(runtime, oriented))
    report, m = split(progress, [_TETRAHEDRA, _DIAMONDS, _SQUARES]), oriented.num_edges
    run_shares(counters, m, report[0], "add_tetrahedra")
    _sum_supports(counters)
    run_shares(counters, m, report[1], "add_off_chord")
    later, columns = counters[0].runtime.download_later, _columns(oriented, counters)
    # The host copies the columns while the device counts squares.
    with ThreadPoolExecutor(1, "triadic-downloads") as pool:
        coming = {name: pool.submit(later(column)) for name, column in columns.items()}
        del counters, columns
        at_squares = squares.by_vertex(device, oriented, progress=report[2])
        return GraphletCounts(squares=at_squares, **{name: column.result() for name, column in coming.items()})


def on_device(oriented: OrientedOnDevice) -> GraphletCounts:
    """Return the counts of `by_vertex` of a graph on a device, where they stay, as arrays of the runtime's `xp`."""
    runtime = oriented.runtime
    counter, at_squares = RowGraphs(runtime, oriented), squares.Squares(runtime, oriented)
    for counts, take in ((counter, "add_tetrahedra"), (counter, "add_off_chord"), (at_squares, "take")):
        run_shares([counts], oriented.num_edges, None, take)
    columns = _columns(oriented, [counter])
    with runtime.active():
        arrays = {name: runtime.view(column) for name, column in columns.items()}
    return GraphletCounts(squares=at_squares.on_device(), **arrays)


def _columns(oriented: Oriented, counters: list[RowGraphs]) -> dict[str, Buffer]:
    """Return the columns of `GraphletCounts` but squares, by name, on the first device."""
    runtime = counters[0].runtime
    with runtime.active():
        twice_triangles, pairs, degrees = support_sums(runtime, oriented, counters[0].support)
        degree = degrees_on(runtime, oriented)
        k = runtime.view(degree)
        triangles = runtime.computed(lambda _, twice: twice >> 1, twice_triangles)
        near = sums_of(runtime, oriented, [degree, runtime.upload((k - 1) * (k - 2) // 2), triangles])
        path_ends = sums_of(runtime, oriented, [runtime.upload(runtime.view(near[0]) - k)])
        return {
            **dict(zip(_SUMMED, [triangles, pairs, degrees, *near, *path_ends], strict=True)),
            **{name: summed_on(counters, name) for name in ("tetrahedra", "off_chord")},
        }


def _sum_supports(counters: list[RowGraphs]) -> None:
    """Replace the supports of each device by the sums over all devices."""
    if len(counters) > 1:

        def sum_up(runtime: Runtime) -> Buffer:  # with its own first
            own_first = sorted(counters, key=lambda counter: counter.runtime is not runtime)
            return summed_on(own_first, "support")

        for counter, support in zip(counters, on_each([c.runtime for c in counters], sum_up), strict=True):
            counter.support = support
