"""Tiles that are too coarse for the workers are cut on the way in.

If a triple takes more memory than a thread of a worker has, the cluster counts in other ranges: each stored range is
cut into as few ranges as make every triple fit. Workers read the rows of the stored tiles and keep the tiles that they
cut in their local folders until the count ends. Nothing passes through the client but the ranges, and the numbers of
edges between them, which workers count in one pass over the tiles.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.sizes import show_bytes
from triadic.errors import OutOfMemoryError, TriadicError
from triadic.tiles.cluster.tasks import Failure
from triadic.tiles.cluster.tile_transfer import open_leafless
from triadic.tiles.fitting import RANK_ENDS, cost_before, join_ranges, step_of
from triadic.tiles.layout import Layout, number_of_hubs
from triadic.tiles.partition import MOST_RANKS
from triadic.tiles.recut import recut_layout, rows_tested_in_ranges
from triadic.tiles.work import most_needed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triadic.tiles.cluster.tile_transfer import TileAddress
    from triadic.tiles.sums import PartCounter
    from triadic.tiles.tile import TileSource


def bytes_needed(layout: Layout, counter: PartCounter) -> int:
    """Return the bytes that a task of one triple takes at most, with its tiles, in the ranges of a layout."""
    if np.diff(layout.cuts).max(initial=0) > MOST_RANKS:
        return 1 << 62
    needed = most_needed(layout, threads=1, columns=counter.columns if counter.per_rank else 0)
    # Counts at entries take as much as the tiles.
    return (2 if counter.entries else 1) * (needed.working + needed.tiles)


def fine_cuts_in(source: TileSource, i: int, step: int) -> NDArray[np.int64]:
    """Return the first ranks of the fine ranges within range `i`, which begins with one of them."""
    layout = source.layout
    first, length = int(layout.cuts[i]), layout.length(i)
    ends = np.cumsum(source.degree(i) + RANK_ENDS)
    marks = np.searchsorted(ends, np.arange(step, int(ends[-1]) if length else 0, step))
    hubs = number_of_hubs(layout.vertices, layout.edges) - first
    cuts = np.unique(np.concatenate([[0], marks, [hubs] if 0 < hubs < length else []])).astype(np.int64)
    return first + cuts[cuts < max(length, 1)]


def fine_layout(source: TileSource) -> Layout:
    """Return the fine ranges of tiles that this process can read, with the numbers of edges between them."""
    step = step_of(source.layout)
    found = [fine_cuts_in(source, i, step) for i in range(source.layout.ranges)]
    return recut_layout(source, all_cuts(found, source.layout))


def all_cuts(found: Sequence[NDArray[np.int64]], layout: Layout) -> NDArray[np.int64]:
    """Return the cuts within all ranges of a layout as one array; ranges are not empty."""
    return np.unique(np.concatenate([*found, [layout.vertices]])).astype(np.int64)


def cut_to_fit(stored: Layout, fine: Layout, counter: PartCounter, allowed: int) -> Layout:
    """Cut the stored ranges into the fewest ranges in which every task fits.

    Parameters
    ----------
    stored : Layout
        The stored ranges.
    fine : Layout
        Fine ranges with the numbers of edges of their tiles; every cut of the stored ranges is among them.
    counter : PartCounter
        The count.
    allowed : int
        Bytes of a thread of the worker that has the least.

    Raises
    ------
    OutOfMemoryError
        If a task takes more memory in the fine ranges, too; the message has both sizes.
    """
    before = cost_before(fine)
    bounds = np.unique(np.searchsorted(fine.cuts, stored.cuts))
    longest = int(np.diff(before[bounds]).max(initial=1))
    tried = 0
    for parts in range(1, fine.ranges + 1):
        joined = np.unique(
            np.concatenate([_parts(before, first, last, -(-longest // parts)) for first, last in pairwise(bounds)])
        )
        if len(joined) == tried:
            continue
        tried = len(joined)
        layout = join_ranges(fine, joined)
        if bytes_needed(layout, counter) <= allowed:
            return layout
    least = bytes_needed(fine, counter)
    if least <= allowed:
        return fine
    raise OutOfMemoryError(
        f"a thread of a worker has {show_bytes(allowed)}: counting the smallest tiles takes {show_bytes(least)}; give "
        "workers more memory or fewer threads"
    )


def _parts(before: NDArray[np.int64], first: int, last: int, most: int) -> NDArray[np.int64]:
    """Cut the fine ranges `first` .. `last` - 1 into parts whose costs are about equal, and about `most`."""
    parts = max(1, -(-int(before[last] - before[first]) // most))
    marks = before[first] + (before[last] - before[first]) * np.arange(1, parts) / parts
    return np.concatenate([[first], np.clip(np.searchsorted(before, marks), first, last), [last]]).astype(np.int64)


def count_fine_cuts(address: TileAddress, i: int, step: int) -> NDArray[np.int64] | Failure:
    """Return the first ranks of the fine ranges within range `i`; a task."""
    try:
        return fine_cuts_in(open_leafless(address), i, step)
    except TriadicError as error:
        return Failure(error)


def count_fine_edges(address: TileAddress, i: int, cuts: NDArray[np.int64]) -> NDArray[np.int64] | Failure:
    """Return the numbers of edges of the rows of range `i` between fine ranges; a task."""
    try:
        return recut_layout(open_leafless(address), cuts, rows=[i]).tile_edges
    except TriadicError as error:
        return Failure(error)


def count_cut_tests(address: TileAddress, i: int, cuts: NDArray[np.int64]) -> dict[int, NDArray[np.float64]] | Failure:
    """Return the numbers of tests of the rows of range `i` in other ranges, by range of u; a task."""
    try:
        tests = rows_tested_in_ranges(open_leafless(address), [i], cuts)
    except TriadicError as error:
        return Failure(error)
    return {r: tests[r] for r in range(len(tests)) if tests[r].any()}
