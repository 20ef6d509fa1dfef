"""PartCount a tiled graph on one machine: triple after triple, the largest groups first, the next tiles on their way.

A group is triples of one range of u, whose tiles (i, *) stay in memory while those of the others come and go. When a
group is done its sums are added to what is kept, in one step; that is where a count that was stopped goes on.
"""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.sizes import show_bytes
from triadic.errors import OutOfMemoryError
from triadic.tiles.cache import CachedTiles
from triadic.tiles.joining import join, pieces
from triadic.tiles.on_device import forget_tiles
from triadic.tiles.triples import triples
from triadic.tiles.work import most_needed, nanoseconds, slice_of_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.tiles.layout import Layout
    from triadic.tiles.sums import PartCount, Sums
    from triadic.tiles.tile import TileSource
    from triadic.tiles.triples import Triple

    # Rows of u that were counted, None for all, and the counts at local ranks, or in all.
    Found = tuple[tuple[int, int] | None, NDArray[np.int64]]

_MOST_SLICES = 64  # of a triple that a device has too little memory for
_GROUP_SECONDS = 60.0  # about how long a group takes a thread, and so what a crash can cost


class Group:
    """Sums of some triples, before they are added to what is kept."""

    def __init__(self, layout: Layout, counting: PartCount) -> None:
        self._layout, self._counting = layout, counting
        self.triples: list[Triple] = []
        self.totals = [0] * counting.columns
        self.at_ranges: dict[int, NDArray[np.int64]] = {}

    def add(self, triple: Triple, found: list[Found]) -> None:
        """Add what a triple counted, slice by slice."""
        for rows, counts in found:
            if self._counting.at_ranks:
                for i, start, part in pieces(self._layout, triple, rows, counts):
                    self._add_at(i, start, part)
            else:
                self.totals = [a + int(b) for a, b in zip(self.totals, counts, strict=True)]
        self.triples.append(triple)

    def _add_at(self, i: int, start: int, counts: NDArray[np.int64]) -> None:
        if i in self.at_ranges:
            self.at_ranges[i][start : start + len(counts)] += counts
        elif len(counts) == self._layout.length(i):
            self.at_ranges[i] = counts.copy()  # not a view that holds the other ranges' too
        else:
            self.at_ranges[i] = np.zeros((self._layout.length(i), *counts.shape[1:]), dtype=np.int64)
            self._add_at(i, start, counts)

    def flush(self, sums: Sums) -> None:
        """Add it all to what is kept, and begin anew; once, even if an earlier call was interrupted at its end."""
        if self.triples and self.triples[0] not in sums.done():
            sums.add(self.triples, self.totals, self.at_ranges)
        self.__init__(self._layout, self._counting)  # type: ignore[misc]


def count(
    source: TileSource,
    counting: PartCount,
    sums: Sums,
    *,
    tested: Callable[[TileSource], NDArray[np.float64]],
    memory: int,
    threads: int,
    progress: Progress | None = None,
) -> None:
    """Count every triple whose counts are not in `sums` yet.

    Parameters
    ----------
    source : TileSource
    counting : PartCount
    sums : Sums
    tested : callable
        Gives `triadic.tiles.work.entries_tested` of the source; not asked where nothing is left to count.
    memory : int
        Bytes to hold: tiles, and what counting a triple takes.
    threads : int
    progress : callable, optional

    Raises
    ------
    OutOfMemoryError
        Where one triple takes more than that.
    """
    layout, done = source.layout, sums.done()
    all_of_them = list(triples(layout))
    left = [triple for triple in all_of_them if triple not in done]
    if not left:
        if progress is not None:
            progress(1, 1)
        return
    with CachedTiles(source, _room(layout, left, counting, memory, threads)) as tiles:
        walked = tested(tiles)
        cost = {triple: nanoseconds(layout, triple, walked) for triple in all_of_them}
        total, behind = int(sum(cost.values())), int(sum(cost[triple] for triple in done))
        order = [triple for group in groups(left, cost) for triple in (*group, None)]
        group = Group(layout, counting)
        with ThreadPoolExecutor(1, thread_name_prefix="triadic-sums") as adding:
            last: Future[None] = adding.submit(lambda: None)
            try:
                for at, triple in enumerate(order):
                    if triple is None:
                        last.result()
                        group.flush(sums)
                        continue
                    after = next((other for other in order[at + 1 :] if other is not None), None)
                    tiles.fetch(triple.tiles, () if after is None else after.tiles)
                    share = _share(progress, behind, int(cost[triple]), total)
                    found = _counted(tiles, triple, counting, threads, share)
                    last.result()
                    last = adding.submit(group.add, triple, found)  # while the next is counted
                    behind += int(cost[triple])
            except KeyboardInterrupt:
                adding.shutdown()  # also what was handed over in the very moment
                last.result()
                group.flush(sums)
                raise
    if progress is not None:
        progress(total, total)


def _counted(
    tiles: TileSource, triple: Triple, counting: PartCount, threads: int, progress: Progress | None, slices: int = 1
) -> list[Found]:
    """Count a triple; where a device has too little memory for that, in slices of the rows of u."""
    found: list[Found] = []
    try:
        for at in range(slices):
            rows = None if slices == 1 else slice_of_rows(tiles, triple, at, slices)
            if rows is None or rows[0] < rows[1]:
                found.append((rows, counting.count(join(tiles, triple, threads=threads, rows=rows), progress)))
    except OutOfMemoryError:
        if 2 * slices > _MOST_SLICES:
            raise
        forget_tiles()
    else:
        return found
    return _counted(tiles, triple, counting, threads, progress, 2 * slices)


def groups(left: list[Triple], cost: dict[Triple, float]) -> list[list[Triple]]:
    """Put triples into groups of one range of u, each of at most about a minute; the largest first."""
    by_range: dict[int, list[Triple]] = defaultdict(list)
    for triple in left:
        by_range[triple.i].append(triple)
    found = []
    for of_range in by_range.values():
        group: list[Triple] = []
        taken = 0.0
        for triple in sorted(of_range, key=lambda each: (each.j, each.k), reverse=True):
            group.append(triple)
            taken += cost[triple]
            if taken > _GROUP_SECONDS * 1e9:
                found.append(group)
                group, taken = [], 0.0
        if group:
            found.append(group)
    return sorted(found, key=lambda group: -sum(cost[triple] for triple in group))


def _room(layout: Layout, left: list[Triple], counting: PartCount, memory: int, threads: int) -> int:
    """Give the bytes that tiles may take beside the triple that needs the most."""
    columns = counting.columns if counting.at_ranks else 0
    needed = most_needed(layout, left, threads=threads, columns=columns)
    if sum(needed) > memory:
        raise OutOfMemoryError(
            f"memory: counting {layout.ranges} ranges of tiles takes {show_bytes(sum(needed))} and "
            f"{show_bytes(memory)} are allowed; cut the graph into more ranges, or allow more memory"
        )
    return memory - needed.working - needed.sums


def _share(progress: Progress | None, behind: int, own: int, total: int) -> Progress | None:
    if progress is None:
        return None
    report = progress

    def of_triple(done: int, whole: int) -> None:
        report(behind + (own * done // whole if whole else own), total)

    return of_triple
