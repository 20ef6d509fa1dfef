"""Count whole ranges of a tiled graph on a device, which cuts rows as its own memory allows.

All triples with u in a range are counted at once, from the tiles of that range and of all ranges before it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from triadic.tiles.layout import triples
from triadic.tiles.rows_of_tiles import RowsOfTiles
from triadic.tiles.tile import CachedTiles

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Int64Array
    from triadic.core.blocks import Progress
    from triadic.tiles.layout import Layout, Triple
    from triadic.tiles.sums import PartCounter, PartialSums
    from triadic.tiles.tile import TileSource

    OnDevice = Callable[..., "Int64Array | None"]

_ENTRIES = 1 << 32  # of the rows of u that a device counts before their counts are added to the sums


def fit(layout: Layout, counter: PartCounter, memory: int) -> bool:
    """Return whether the tiles of each range of u and the sums fit into the memory of the host."""
    largest = max((sum(layout.tile_bytes(i, j) for j in range(i + 1)) for i in range(layout.ranges)), default=0)
    return largest + _bytes_of_sums(layout, counter) <= memory


def count_ranges(
    source: TileSource,
    counter: PartCounter,
    sums: PartialSums,
    on_device: OnDevice,
    memory: int,
    progress: Progress | None,
) -> None:
    """Count all triples of the ranges of u of which none is counted yet, some ranges at a time.

    Parameters
    ----------
    source : TileSource
        The source of the tiles.
    counter : PartCounter
        The count.
    sums : PartialSums
        The sums of triples counted so far, to which counts are added.
    on_device : callable
        ``on_device(rows, first=, progress=)`` counts the triangles with u from rank `first` on, and returns counts by
        column or by rank; or None if the device cannot, and no further ranges are counted.
    memory : int
        Bytes of the host to use at most. Nothing is counted unless the tiles of each range of u fit.
    progress : callable, optional
        Called with the entries of rows counted and in total.
    """
    layout, counted = source.layout, {triple.i for triple in sums.counted_triples()}
    of_range: dict[int, list[Triple]] = defaultdict(list)
    for triple in triples(layout):
        if triple.i not in counted:
            of_range[triple.i].append(triple)
    if not of_range or not fit(layout, counter, memory):
        return
    edges, room = layout.tile_edges.sum(axis=1), memory - _bytes_of_sums(layout, counter)
    total, done = int(edges[list(of_range)].sum()), 0
    with CachedTiles(source, room) as tiles:
        for ranges in _neighbours(list(of_range), edges):
            cost = int(edges[ranges].sum())
            first, rows = int(layout.cuts[ranges[0]]), RowsOfTiles(tiles, ranges[-1] + 1)
            counts = on_device(rows, first=first, progress=share_of(progress, done, cost, total))
            if counts is None:
                return
            found = [triple for i in ranges for triple in of_range[i]]
            if counter.per_rank:
                parts = {i: counts[layout.cuts[i] : layout.cuts[i + 1]] for i in range(ranges[-1] + 1)}
                sums.add(found, [0] * counter.columns, {i: part for i, part in parts.items() if len(part)})
            else:
                sums.add(found, [int(count) for count in counts], {})
            done += cost


def _neighbours(ranges: list[int], edges: Int64Array) -> list[list[int]]:
    """Return consecutive ranges together, in lists that have no more entries than one step of a device."""
    result: list[list[int]] = []
    for i in ranges:
        if result and result[-1][-1] == i - 1 and edges[[*result[-1], i]].sum() <= _ENTRIES:
            result[-1].append(i)
        else:
            result.append([i])
    return result


def share_of(progress: Progress | None, done: int, cost: int, total: int) -> Progress | None:
    """Return a function that reports the progress of one step as progress of the whole count."""
    if progress is None:
        return None
    report = progress

    def of_step(step_done: int, step_total: int) -> None:
        report(done + (cost * step_done // step_total if step_total else cost), total)

    return of_step


def _bytes_of_sums(layout: Layout, counter: PartCounter) -> int:
    return 16 * (counter.columns if counter.per_rank else 0) * layout.vertices
