"""The layout in which tiles are counted: the stored ranges, or fewer or more, as the memory allows.

The numbers of edges between fine ranges decide. The fine ranges are the stored ranges, cut at about equal sums of
degrees. Neighbouring fine ranges are joined to the fewest ranges whose largest triple fits into the memory.
"""

from __future__ import annotations

import shutil
import warnings
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.cached import cached_property
from triadic.core.formatting import plural
from triadic.core.memory import show_bytes
from triadic.devices.select import stack_level_of_caller
from triadic.errors import OutOfMemoryError
from triadic.tiles import work
from triadic.tiles.layout import Layout, number_of_hubs, triples
from triadic.tiles.partition import MOST_RANKS, WORTH_HUBS, sum_cells
from triadic.tiles.recut import RecutTiles, cuts_hash, joined_tests, recut_layout, tested_in_ranges
from triadic.tiles.sealed_array import read_sealed, write_sealed
from triadic.tiles.store import FolderStore
from triadic.tiles.work import counting_bytes, nanoseconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.tiles.tile import TileSource

    Tests = Float64Array

# Stored ranges are joined if that takes at most this share of the time, and if counting takes longer than this.
_JOINED_SHARE, _WORTH_JOINING = 0.8, 1e9
_LONGEST_TRIPLE = 60e9  # nanoseconds; a crash loses the triples since the last that were added to the sums
_TOO_MUCH = 1 << 62  # bytes, of a layout whose local ranks would exceed 32 bits
_CUT = "cut-"  # beginning of the names of folders of cut tiles
_FINE = 128  # ranges of about equal sums of degrees
# Ends of edges that take about as much memory in counting as one rank of a range.
_RANK_ENDS = 8


def _cost_before(fine: Layout) -> Int64Array:
    """Return the sums of degrees and ranks before each fine range, and of all: int64, shape (ranges + 1,)."""
    ends = fine.tile_edges.sum(axis=0) + fine.tile_edges.sum(axis=1) + _RANK_ENDS * np.diff(fine.cuts)
    return np.concatenate([[0], np.cumsum(ends)])


def fine_cuts(source: TileSource) -> Int64Array:
    """Return fine ranges: int64, shape (ranges + 1,); every cut of the source is among them.

    The degrees of one range are held at a time.
    """
    layout = source.layout
    step, before = max(1, -(-(2 * layout.edges + _RANK_ENDS * layout.vertices) // _FINE)), 0
    cuts = [layout.cuts, np.array([number_of_hubs(layout.vertices, layout.edges)])]
    for i in range(layout.ranges):
        ends = np.cumsum(source.degree(i) + _RANK_ENDS)
        if len(ends):
            marks = np.arange(before // step + 1, (before + int(ends[-1])) // step + 1) * step - before
            cuts.append(layout.cuts[i] + np.searchsorted(ends, marks))
            before += int(ends[-1])
    every = np.unique(np.concatenate(cuts))
    return every[every <= layout.vertices].astype(np.int64)


def fewest_ranges(
    fine: Layout, memory: int, needed: Callable[[Layout], int], *, what: str = "counting the smallest tiles"
) -> Int64Array:
    """Join neighbouring ranges to the fewest that fit into the memory, with all hubs in the first if possible.

    Even cuts are taken only if cuts that begin with the hubs do not fit, or make more than twice as many ranges.

    Parameters
    ----------
    fine : Layout
        Fine ranges, with the numbers of edges of their tiles.
    memory : int
        Bytes.
    needed : callable
        ``needed(layout)`` returns the bytes that a layout needs.
    what : str, optional
        What takes the memory, the subject of the error message.

    Returns
    -------
    int64 array, shape (ranges + 1,)
        First fine range of each range, and the number of fine ranges.

    Raises
    ------
    OutOfMemoryError
        If no layout fits; the message has the least memory that does.
    """
    least, even = None, None
    hubs = number_of_hubs(fine.vertices, fine.edges)
    for ranges in range(1, fine.ranges + 1):
        if even is not None and ranges > WORTH_HUBS * (len(even) - 1):
            return even
        for joined in _ways_to_join(fine, ranges):
            bytes_needed = needed(join_ranges(fine, joined))
            if bytes_needed <= memory and fine.cuts[joined[1]] >= hubs:
                return joined
            if bytes_needed <= memory and even is None:
                even = joined
            least = bytes_needed if least is None else min(least, bytes_needed)
    if even is not None:
        return even
    raise OutOfMemoryError(f"memory={show_bytes(memory)}: {what} takes at least {show_bytes(least or 0)}")


def join_ranges(fine: Layout, joined: Int64Array) -> Layout:
    """Return the layout after neighbouring ranges are joined; `joined` is as `fewest_ranges` returns it."""
    return replace(fine, cuts=fine.cuts[joined], tile_edges=sum_cells(fine.tile_edges, joined))


def _ways_to_join(fine: Layout, ranges: int) -> Iterator[Int64Array]:
    """Yield one or two ways to join fine ranges to `ranges`: of about equal cost, and with all hubs in the first."""
    cost = _cost_before(fine)
    hubs = int(np.searchsorted(fine.cuts, number_of_hubs(fine.vertices, fine.edges)))
    for first in (hubs, 0):
        inner = ranges - 1 if first else ranges
        if inner < 1 or fine.ranges - first < inner or (first and cost[first] < cost[-1] / ranges):
            continue
        marks = cost[first] + (cost[-1] - cost[first]) * np.arange(1, inner) / inner
        cuts = np.searchsorted(cost, marks)
        # Every range has at least one fine range, and leaves at least one to each later range.
        least = np.arange(1, inner)
        cuts = np.maximum.accumulate(np.maximum(cuts - first - least, 0)) + first + least if inner > 1 else cuts
        cuts = np.minimum(cuts, fine.ranges - inner + least)
        yield np.unique(np.concatenate([[0], [first], cuts, [fine.ranges]])).astype(np.int64)


class Fitting:
    """The layouts in which the tiles of a graph are counted on this machine.

    Parameters
    ----------
    tiles : TileSource
        The tiles as they are stored, without leaves.
    tested : callable
        Returns the stored numbers of tests of triples, or None.
    results : Path or None
        Folder for the numbers of edges between fine ranges, and of tests. None keeps them in memory.
    graph : str
        Fingerprint of the tiled graph.
    """

    def __init__(self, tiles: TileSource, tested: Callable[[], Tests | None], results: Path | None, graph: str) -> None:
        self._tiles, self._stored_tests, self._results, self._graph = tiles, tested, results, graph

    def fit(
        self,
        memory: int,
        *,
        threads: int,
        columns: int,
        begun: Layout | None = None,
        folder: Path | None = None,
    ) -> TileSource:
        """Return the tiles in a layout whose triples are counted in the memory.

        The layout is the first of these that fits: the one in which the sums were begun; the stored one, with
        neighbouring ranges joined if that saves time; and the one of the fewest ranges.

        Parameters
        ----------
        memory : int
            Bytes.
        threads : int
            Number of threads that count.
        columns : int
            Number of sums at each rank.
        begun : Layout, optional
            The layout of the sums of an earlier run.
        folder : Path, optional
            Folder of the count, for tiles that are cut.

        Raises
        ------
        OutOfMemoryError
            If no layout fits; the message has the least memory that does.

        Warns
        -----
        UserWarning
            If sums that were begun in another layout are dropped.
        """

        def needed(layout: Layout) -> int:
            if np.diff(layout.cuts).max(initial=0) > MOST_RANKS:
                return _TOO_MUCH
            return work.COUNT_FLOOR + counting_bytes(layout, threads=threads, columns=columns)

        if begun is not None and needed(begun) <= memory:
            return self._in_layout(begun, folder)
        layout = self._choose(memory, needed)
        if begun is not None:
            warn_of_dropped_sums(begun, layout, f"memory={show_bytes(memory)} is too little for these ranges")
        return self._in_layout(layout, folder)

    def tests(self, layout: Layout, compute: Callable[[], Tests] | None = None) -> Tests:
        """Return `triadic.tiles.work.entries_tested` of a layout: stored, joined from stored ones, or computed.

        ``compute()`` computes them instead of this process.
        """
        stored, cuts = self._tiles.layout.cuts, layout.cuts
        found = self._stored_tests()
        if found is not None and np.isin(cuts, stored).all():
            return found if len(cuts) == len(stored) else joined_tests(found, np.searchsorted(stored, cuts))
        compute = compute or partial(tested_in_ranges, self._tiles, cuts)
        return self._kept(f"tested-{cuts_hash(cuts)}.npy", compute)

    @cached_property
    def _fine(self) -> Layout:
        """The fine ranges, with the numbers of edges between them."""
        layout, cuts = self._tiles.layout, fine_cuts(self._tiles)
        edges = self._kept(f"edges-{cuts_hash(cuts)}.npy", lambda: recut_layout(self._tiles, cuts).tile_edges)
        return replace(layout, cuts=cuts, tile_edges=edges)

    def _choose(self, memory: int, needed: Callable[[Layout], int]) -> Layout:
        stored = self._tiles.layout
        if needed(stored) > memory:
            return join_ranges(self._fine, fewest_ranges(self._fine, memory, needed))
        tests = self._stored_tests()
        if tests is None or (whole := _nanoseconds(stored, tests).sum()) < _WORTH_JOINING:
            return stored
        for ranges in range(1, stored.ranges):
            for joined in _ways_to_join(stored, ranges):
                layout = join_ranges(stored, joined)
                if needed(layout) <= memory:
                    cost = _nanoseconds(layout, joined_tests(tests, joined))
                    if cost.max(initial=0) <= _LONGEST_TRIPLE:
                        return layout if cost.sum() <= _JOINED_SHARE * whole else stored
        return stored

    def _in_layout(self, layout: Layout, folder: Path | None) -> TileSource:
        if np.array_equal(layout.cuts, self._tiles.layout.cuts):
            return self._tiles
        cut_tiles = None
        if folder is not None and not np.isin(layout.cuts, self._tiles.layout.cuts).all():
            kept = f"{_CUT}{cuts_hash(layout.cuts)}"
            remove_cut_tiles(folder, kept)
            cut_tiles = FolderStore(folder / kept, durable=False)
        return RecutTiles(self._tiles, layout, cut_tiles)

    def _kept(self, name: str, compute: Callable[[], AnyArray]) -> AnyArray:
        """Return an array that was computed earlier, or compute and store it."""
        if self._results is None:
            return compute()
        values = read_sealed(self._results / name, graph=self._graph)
        if values is None:
            values = compute()
            write_sealed(
                self._results / name, values.shape, values.dtype.type, partial(np.copyto, src=values), graph=self._graph
            )
        return np.array(values)


def remove_cut_tiles(folder: Path, kept: str = "") -> None:
    """Remove the tiles that were cut for a count, except those in the folder `kept`."""
    for path in folder.glob(f"{_CUT}*"):
        if path.name != kept:
            shutil.rmtree(path, ignore_errors=True)


def warn_of_dropped_sums(begun: Layout, layout: Layout, reason: str) -> None:
    """Warn that sums begun in one layout are dropped because another one is counted, unless they are the same."""
    if not np.array_equal(begun.cuts, layout.cuts):
        words = f"an unfinished count in {plural(begun.ranges, 'range')} starts again in {layout.ranges}: {reason}"
        warnings.warn(words, UserWarning, stacklevel=stack_level_of_caller())


def _nanoseconds(layout: Layout, tests: Tests) -> Tests:
    return np.array([nanoseconds(layout, triple, tests) for triple in triples(layout)])
