"""Spans of triples: the triples of one range of u and one range of v, counted together on the CPU.

All triples of a span share the tile (i, j), its lists by middle vertex, and the counts at the ranks of u and v. Their
tiles are walked in place, see `triadic.devices.cpu.triangles.parts`. The local ranks of a span are the ranks of each
range of w other than v's, then of v's range, then of u's range if it is another.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.devices.cpu.triangles.parts import HubBits, PairLists, Third, TileSpan
from triadic.tiles.layout import Triple
from triadic.tiles.work import hub_bytes, pair_bytes, third_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triadic.core.array_types import Int64Array
    from triadic.tiles.layout import Layout
    from triadic.tiles.tile import TileSource

_SHARE = 0.6  # of the memory that a span of several triples may take, so that the next tiles are loaded meanwhile


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


class Step(NamedTuple):
    """A span, and the tiles in memory while it is counted.

    Attributes
    ----------
    span : Span
    following : tuple of (int, int)
        The tiles of the next span, which may be loaded meanwhile.
    rooms : list of int
        Bytes that tiles may take while this span is counted, beside its own counting and the counts of the span
        before; and the bytes for the next span, if there is one.
    """

    span: Span
    following: tuple[tuple[int, int], ...]
    rooms: list[int]


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
        self.keeps_hubs = 0 < hubs <= spare
        """Whether there is memory to keep the bits of the first range's hubs."""
        self._memory = memory - hubs if self.keeps_hubs else memory
        self._kept = hubs if self.keeps_hubs else 0

    @property
    def kept_bytes(self) -> int:
        """Number of bytes of the bits of hubs that are kept."""
        return self._kept

    def steps(self, groups: Sequence[Sequence[Span]], room: int) -> Iterator[list[Step]]:
        """Yield the spans of each group with the tiles of the span after, and the bytes that tiles may take.

        Parameters
        ----------
        groups : sequence of sequence of Span
            All spans, in order.
        room : int
            Bytes for tiles and for counting.
        """
        every = [span for spans in groups for span in spans]
        counts = [0, *(8 * self._columns * sum(map(self._layout.length, span.ranges)) for span in every)]
        rooms = [room - self._kept - self.bytes_to_count(span) - counts[at] for at, span in enumerate(every)]
        following = [*(span.tiles for span in every[1:]), ()]
        end = 0
        for spans in groups:
            begin, end = end, end + len(spans)
            yield [Step(every[at], following[at], rooms[at : at + 2]) for at in range(begin, end)]

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
        layout, threads, columns = self._layout, self._threads, self._columns
        pair = pair_bytes(layout, span.i, span.j, threads=threads, columns=columns)
        thirds = third_bytes(layout, span.i, span.j, np.array(span.thirds), threads=threads, columns=columns)
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
    split, start = [], 0
    for k in span.ranges:
        stop = start + layout.length(k)
        split.append((k, 0, counts[start:stop]))
        start = stop
    return split
