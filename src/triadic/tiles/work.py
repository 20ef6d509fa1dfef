"""The time and memory that triples take, estimated before any is counted, and triples that are counted together.

Counting a triple walks the rows of u. For each entry v it walks the row of v and tests, for each entry w, whether w is
in the row of u as well. The number of these tests depends on the lengths of rows alone.

The CPU counts the triples of one range of u and one range of v together, in *spans* that fit into memory. All triples
of a span share the tile (i, j), its lists by middle vertex, and the counts at the ranks of u and v. Their tiles are
walked in place, see `triadic.devices.cpu.triangles.parts`. The local ranks of a span are the ranks of each range of w
other than v's, then of v's range, then of u's range if it is another.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.memory import show_bytes
from triadic.devices.cpu.triangles.parts import HubBits, PairLists, Third, TileSpan
from triadic.devices.cpu.triangles.triangle_work import HUBS, TEST
from triadic.errors import OutOfMemoryError
from triadic.tiles.layout import Triple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array, IntegerArray
    from triadic.tiles.layout import Layout
    from triadic.tiles.tile import TileSource

    Ranges = int | Int64Array  # one range, or one range for each of several triples

# If v and w are both in the first range, most tests are made on rows of bits, many tests at a time.
BIT_TEST = 0.2
# Nanoseconds to begin a list, to load and to list an entry, and for each rank of a triple. Fitted to the triples of
# R-MAT 18 and 20 in 3 to 16 ranges, counted in place: 20, 2.1 and 1.6.
BEGIN, ENTRY, RANK = 20.0, 2.0, 2.0
_ROWS = 1 << 16  # rows whose lengths are multiplied at a time

# Bytes of an entry of the lists, of a row of u that has hubs, of an edge in the bits of hubs, and of a rank of w for
# each thread; of its value, if edges have values, and of the place of a mark in a row.
LIST_BYTES, ROW_BYTES, MATRIX_BYTES, SLOT_BYTES, VALUE_BYTES = 4, 16, 8, 5, 16
_MATRIX_ROW_BYTES = 256  # rows of bits have lengths that are multiples of this
_ENTRY_BYTES, _RANK_BYTES = 4, 16  # of an entry of a tile, and of a row's start and its count
# Bytes of a triple while triples are counted: its cost, its place in the order, and its line of the progress.
TRIPLE_BYTES = 500
# Bytes held for a count of any size: freed memory that was not returned.
COUNT_FLOOR = 8 << 20
_SHARE = 0.6  # of the memory that a span of several triples may take, so that the next tiles are loaded meanwhile


def entries_tested(source: TileSource) -> Float64Array:
    """Return the exact number of tests of every triple: float64, shape (ranges, ranges, ranges).

    The number is the product of a row's lengths in two tiles, summed over the rows. One pass over all tiles.
    """
    return put_together([entries_tested_in(source, i) for i in range(source.layout.ranges)])


def entries_tested_in(source: TileSource, i: int) -> Float64Array:
    """Return the numbers of tests of the triples with u in range `i`: float64, shape (i + 1, i + 1)."""
    return tested_of_windows(i + 1, [[narrow(np.diff(source.tile(i, j).indptr)) for j in range(i + 1)]])


def tested_of_windows(tiles: int, windows: Iterable[Sequence[IntegerArray]]) -> Float64Array:
    """Return the numbers of tests, shape (tiles, tiles), from the lengths of a range's rows in each of its tiles.

    They come in windows of rows, each a multiple of 2**16 rows except the last, one after another.
    """
    tests, entries = np.zeros((tiles, tiles)), np.zeros(tiles)
    for lengths in windows:
        for start in range(0, len(lengths[0]), _ROWS):
            part = np.stack([tile_lengths[start : start + _ROWS] for tile_lengths in lengths]).astype(np.float64)
            tests += part @ part.T
            entries += part.sum(axis=1)
    np.fill_diagonal(tests, (np.diagonal(tests) - entries) / 2)
    return tests


def narrow(array: IntegerArray) -> AnyArray:
    """Return an array of numbers in the smallest type that holds them, without a copy if it has this type."""
    if len(array) == 0:
        return array.astype(np.uint8)
    least, greatest = int(array.min()), int(array.max())
    wanted = np.min_scalar_type(greatest) if least >= 0 else np.dtype(np.int64)
    return array if wanted == array.dtype else array.astype(wanted)


def put_together(range_tests: Sequence[Float64Array]) -> Float64Array:
    """Return the numbers of tests of all triples as one array, from the array of each range of u."""
    tests = np.zeros((len(range_tests),) * 3)
    for i, values in enumerate(range_tests):
        tests[i, : i + 1, : i + 1] = values
    return tests


def nanoseconds(layout: Layout, of_range: RangeTriples, tested: Float64Array) -> Float64Array:
    """Return the estimated nanoseconds that one thread takes to count each triple with u in a range.

    `tested` has the numbers of tests of the triples of the range, as `entries_tested_in` returns them.
    """
    i, j, k = of_range.i, of_range.j, of_range.k
    length = np.diff(layout.cuts)
    walk = BEGIN * layout.tile_edges[i, j] + TEST * tested[j, k]
    ranks = length[i] + length[j] + length[k]
    return np.asarray(np.where(j == 0, BIT_TEST, 1.0) * walk + ENTRY * of_range.entries + RANK * ranks)


def costs(layout: Layout, tested: Float64Array) -> dict[Triple, float]:
    """Return the `nanoseconds` of every triple that can hold a triangle; `tested` is of `entries_tested`."""
    found: dict[Triple, float] = {}
    for i in range(layout.ranges):
        of_range = RangeTriples(layout, i)
        each = zip(
            of_range.j.tolist(), of_range.k.tolist(), nanoseconds(layout, of_range, tested[i]).tolist(), strict=True
        )
        found |= {Triple(i, j, k): cost for j, k, cost in each}
    return found


def slice_of_rows(source: TileSource, triple: Triple, number: int, slices: int) -> tuple[int, int]:
    """Return the first row of u and the row past the last, of slice `number` of `slices` with about equal work.

    A slice may be empty. The computation is in integers, so that all machines cut at the same rows.
    """
    i, j, k = triple
    lists = np.diff(source.tile(i, j).indptr)
    tests = lists * (lists - 1) // 2 if j == k else lists * np.diff(source.tile(i, k).indptr)
    cost = np.cumsum(int(BEGIN) * lists + int(TEST) * tests + int(RANK))
    marks = [int(cost[-1]) * part // slices for part in (number, number + 1)]
    first, last = (int(np.searchsorted(cost, mark, side="right")) for mark in marks)
    return first, len(cost) if number + 1 == slices else last


def halves_of_rows(
    source: TileSource, triple: Triple, rows: tuple[int, int] | None
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Cut rows of u, by default all rows, into two runs that take about equal memory.

    Halves of equal work can have very different sizes: a row without entries takes next to no time, but the memory of
    its start and its counts.
    """
    i, j, k = triple
    first, last = rows or (0, source.layout.length(i))
    ends = np.sum([source.tile(i, r).indptr[first : last + 1] for r in {j, k}], axis=0)
    size = _ENTRY_BYTES * (ends - ends[0]) + _RANK_BYTES * np.arange(last - first + 1)
    middle = first + max(1, int(np.searchsorted(size, size[-1] / 2, side="right")) - 1)
    return (first, middle), (middle, last)


def hub_bytes(layout: Layout, i: Ranges, k: Ranges) -> Int64Array:
    """Return the most bytes that the bits of the hubs of range `k` take, for rows of u in range `i`."""
    length, edges = np.diff(layout.cuts), layout.tile_edges
    entries = edges[i, k] + np.where(i == k, 0, edges[k, k])
    most = np.minimum(length[k], np.sqrt(8.0 * MATRIX_BYTES * entries))
    hubs = np.array(HUBS)[np.searchsorted(HUBS, most, side="right") - 1]
    return hubs * _MATRIX_ROW_BYTES * -(-hubs // (8 * _MATRIX_ROW_BYTES))


def pair_and_third_bytes(
    layout: Layout, i: Ranges, j: Ranges, k: Ranges, *, threads: int, columns: int
) -> tuple[Int64Array, Int64Array]:
    """Return the estimated bytes that counting takes for the ranges of u and v, and for each range of w.

    All triples of u and v share the lists by middle vertex, and the counts at their ranks. The hubs and the counts at
    the ranks of w come on top.

    Parameters
    ----------
    layout : Layout
        The ranges.
    i, j, k : int or int array
        The ranges of u, v and w.
    threads : int
        Number of threads that count.
    columns : int
        Number of counts at each rank; 0 for a count of the whole graph.
    """
    length, counts = np.diff(layout.cuts), 8 * columns * (threads + 1)
    lists = LIST_BYTES * layout.tile_edges[i, j] + 8 * (threads + 2) * length[j]
    hubs = np.where(j == k, hub_bytes(layout, i, k) + ROW_BYTES * length[i], 0)
    slots = threads * ((SLOT_BYTES if columns else 1) + (VALUE_BYTES if layout.weighted else 0))
    return (
        lists + counts * (length[i] + np.where(i == j, 0, length[j])),
        hubs + (slots + np.where(j == k, 0, counts)) * length[k],
    )


def bytes_to_count(layout: Layout, triple: Triple, *, threads: int, columns: int) -> int:
    """Return the estimated bytes that counting a triple takes beside its tiles."""
    return int(sum(pair_and_third_bytes(layout, *triple, threads=threads, columns=columns)))


class Needed(NamedTuple):
    """The bytes that counting triples one after another takes.

    Attributes
    ----------
    working : int
        Bytes to count the largest triple.
    tiles : int
        Bytes of that triple's tiles.
    sums : int
        Bytes of the sums at all ranks.
    """

    working: int
    tiles: int
    sums: int


class RangeTriples:
    """The triples with u in one range that can hold a triangle.

    Attributes
    ----------
    i : int
        The range of u.
    j, k : int64 array
        The ranges of v and w of each triple.
    entries : int64 array
        Number of entries of the tiles of each triple.
    """

    def __init__(self, layout: Layout, i: int) -> None:
        self._layout, self.i, edges = layout, i, layout.tile_edges
        has_edges = edges[: i + 1, : i + 1] > 0  # False for k > j
        self.j, self.k = j, k = np.nonzero(has_edges & has_edges[i] & has_edges[i, :, None])
        self.entries = edges[i, j] + (j != k) * edges[i, k] + (i != j) * edges[j, k]

    def needed(self, *, threads: int, columns: int) -> Needed:
        """Return the bytes of the triple that takes the most memory, of one triple or more."""
        layout, i, j, k = self._layout, self.i, self.j, self.k
        rows = np.diff(layout.cuts) + 1
        working = np.add(*pair_and_third_bytes(layout, i, j, k, threads=threads, columns=columns))
        tiles = layout.edge_bytes * self.entries + 8 * (rows[i] + (j != k) * rows[i] + (i != j) * rows[j])
        most = int((working + tiles).argmax())
        return Needed(int(working[most]), int(tiles[most]), 8 * columns * layout.vertices)


def most_needed(layout: Layout, *, threads: int, columns: int) -> Needed:
    """Return the bytes of the triple that takes the most memory, with the sums of all ranks at `columns` a rank."""
    return _needed(layout, threads=threads, columns=columns)[0]


def check_thread(layout: Layout, needed: int, allowed: int) -> None:
    """Raise OutOfMemoryError if counting a triple takes more bytes than a thread of a worker has."""
    if needed > allowed:
        raise OutOfMemoryError(
            f"a thread of a worker has {show_bytes(allowed)}: counting {layout.ranges} ranges of tiles takes "
            f"{show_bytes(needed)}; give workers more memory or fewer threads, or tile again with a smaller memory= "
            "or more ranges="
        )


def check_count(layout: Layout, needed: Needed, memory: int, threads: int) -> None:
    """Raise OutOfMemoryError if counting triples one after another takes more bytes than are allowed."""
    least = sum(needed) + COUNT_FLOOR
    if least > memory:
        raise OutOfMemoryError(
            f"memory={show_bytes(memory)}: counting {layout.ranges} ranges of tiles on {threads} threads takes "
            f"{show_bytes(least)}; allow more, or tile again with a smaller memory= or more ranges=, or count on fewer "
            "threads"
        )


def counting_bytes(layout: Layout, *, threads: int) -> int:
    """Return the estimated bytes that counting one number at each rank takes, with its sums and a list of triples."""
    needed, triples = _needed(layout, threads=threads, columns=1)
    return sum(needed) + TRIPLE_BYTES * triples


def _needed(layout: Layout, *, threads: int, columns: int) -> tuple[Needed, int]:
    """Return the bytes of the triple that takes the most memory, and the number of triples that can hold a triangle."""
    every = [RangeTriples(layout, i) for i in range(layout.ranges)]
    needed = (of_range.needed(threads=threads, columns=columns) for of_range in every if len(of_range.j))
    none = Needed(0, 0, 8 * columns * layout.vertices)
    return max(needed, default=none, key=sum), sum(len(of_range.j) for of_range in every)


class Span(NamedTuple):
    """The ranges of u and v, and the ranges of w in rising order."""

    i: int
    j: int
    thirds: tuple[int, ...]

    @property
    def triples(self) -> tuple[Triple, ...]:
        """The triples, by rising range of w."""
        return tuple(Triple(self.i, self.j, k) for k in self.thirds)

    @property
    def tiles(self) -> tuple[tuple[int, int], ...]:
        """The different tiles of all triples: those of v's range first, those of u's range last."""
        rows_of_v = [(self.j, k) for k in self.thirds]
        rows_of_u = [(self.i, k) for k in self.thirds]
        return tuple(dict.fromkeys([*rows_of_v, *rows_of_u, (self.i, self.j)]))

    @property
    def ranges(self) -> tuple[int, ...]:
        """The different ranges, in the order of local ranks."""
        return tuple(dict.fromkeys([*(k for k in self.thirds if k != self.j), self.j, self.i]))


class SpanPlan:
    """The division of triples into spans that fit into memory.

    Parameters
    ----------
    layout : Layout
        The ranges.
    memory : int
        Bytes for tiles and for counting.
    threads : int
        Number of threads that count.
    columns : int
        Number of counts at each rank; 0 for a count of the whole graph.
    spare : int, default 0
        Bytes beside the triple that takes the most memory, in which the bits of the first range's hubs are kept if they
        fit.
    """

    def __init__(self, layout: Layout, memory: int, *, threads: int, columns: int, spare: int = 0) -> None:
        self._layout, self._threads, self._columns = layout, threads, columns
        hubs = max((int(hub_bytes(layout, i, 0)) for i in range(layout.ranges)), default=0)
        self.kept_bytes = hubs if hubs <= spare else 0
        """Number of bytes of the bits of the first range's hubs if there is memory to keep them, else 0."""
        self._memory = memory - self.kept_bytes

    def steps(
        self, groups: Sequence[Sequence[Span]], room: int
    ) -> Iterator[list[tuple[Span, tuple[tuple[int, int], ...], list[int]]]]:
        """Yield the spans of each group with the tiles of the span after, and the bytes that tiles may take.

        There are one or two numbers of bytes: while the span is counted, beside its own counting and the counts of the
        span before; and while the next span is counted, if there is one.

        Parameters
        ----------
        groups : sequence of sequence of Span
            All spans, in order.
        room : int
            Bytes for tiles and for counting.
        """
        every = [span for spans in groups for span in spans]
        counts = [0, *(8 * self._columns * sum(map(self._layout.length, span.ranges)) for span in every)]
        rooms = [room - self.kept_bytes - self.bytes_to_count(span) - counts[at] for at, span in enumerate(every)]
        following = [*(span.tiles for span in every[1:]), ()]
        end = 0
        for spans in groups:
            begin, end = end, end + len(spans)
            yield [(every[at], following[at], rooms[at : at + 2]) for at in range(begin, end)]

    def spans(self, triples: Iterable[Triple], *, in_place: bool) -> list[Span]:
        """Return the spans of triples that are sorted by their ranges i and j; of one triple each unless `in_place`."""
        found = []
        for (i, j), pair in groupby(triples, key=lambda triple: (triple.i, triple.j)):
            thirds: tuple[int, ...] = ()
            for k in sorted(triple.k for triple in pair):
                longer = Span(i, j, (*thirds, k))
                if thirds and not (in_place and self._fits(longer)):
                    found.append(Span(i, j, thirds))
                    longer = Span(i, j, (k,))
                thirds = longer.thirds
            found.append(Span(i, j, thirds))
        return found

    def _fits(self, span: Span) -> bool:
        """Return whether a span of several triples leaves room for the tiles of the next one."""
        tiles = sum(self._layout.tile_bytes(*tile) for tile in span.tiles)
        return tiles + self.bytes_to_count(span) <= _SHARE * self._memory

    def bytes_to_count(self, span: Span) -> int:
        """Return the estimated bytes that counting a span takes beside its tiles."""
        pair, thirds = pair_and_third_bytes(
            self._layout, span.i, span.j, np.array(span.thirds), threads=self._threads, columns=self._columns
        )
        return int(pair) + int(thirds.sum())


class OpenSpans:
    """Makes spans ready to be counted, and keeps the lists by middle vertex of the latest one.

    Parameters
    ----------
    tiles : TileSource
        The source of the tiles.
    hub_bits : HubBits, optional
        The bits of the hubs of the first range, to be kept; by default none are kept.
    """

    def __init__(self, tiles: TileSource, hub_bits: HubBits | None = None) -> None:
        self._tiles, self._hub_bits = tiles, hub_bits
        self._pair: tuple[int, int] | None = None
        self._lists: PairLists | None = None

    def drop_others(self, span: Span) -> None:
        """Drop the lists and the tile of another pair of ranges, so that the tiles of `span` have their room."""
        if self._pair != (span.i, span.j):
            self._pair, self._lists = None, None

    def open(self, span: Span) -> TileSpan:
        """Return the tiles of a span, and the lists of its tile (i, j), which all spans of this tile share."""
        tiles, layout, (i, j, thirds) = self._tiles, self._tiles.layout, span
        self.drop_others(span)
        if self._lists is None:
            self._lists = PairLists(tiles.tile(i, j), layout.length(j), only_same=j == 0)
            self._pair = (i, j)
        at, ranks = {}, 0
        for k in span.ranges:
            at[k] = ranks
            ranks += layout.length(k)
        found = [Third(tiles.tile(i, k), tiles.tile(j, k), layout.length(k), at[k], k == j) for k in thirds]
        hub_bits = self._hub_bits if j == 0 and self._hub_bits is not None else HubBits()
        return TileSpan(self._lists, tuple(found), at[j], at[i], ranks, hub_bits)


def split_span(layout: Layout, span: Span, counts: Int64Array) -> list[tuple[int, int, Int64Array]]:
    """Split counts at the local ranks of a span by range: a list of (range, 0, counts), as `split_by_range` does."""
    split = np.split(counts, np.cumsum([layout.length(k) for k in span.ranges[:-1]]))
    return [(k, 0, part) for k, part in zip(span.ranges, split, strict=True)]
