"""A tile's keys to sorted rows: strip by strip, in memory that is used again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.tiles.strip import StripSort, strips_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.tiles.plan import Grid
    from triadic.tiles.spill import SpillIndex

_NO_STATE = np.empty(0, dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class SortedTile:
    """A tile made.

    Attributes
    ----------
    lengths : int64 array, shape (rows,)
        Edges of each row.
    indices : int32 array, shape (edges,)
    state : uint8 array, shape (edges,), or None
    arcs : int
        Different arcs.
    """

    lengths: NDArray[np.int64]
    indices: NDArray[np.int32]
    state: NDArray[np.uint8] | None
    arcs: int


def sort_tile(
    index: SpillIndex, grid: Grid, rows: range, columns: range, *, directed: bool, threads: int
) -> SortedTile:
    """Sort the keys of a tile and join repeats.

    Parameters
    ----------
    index : SpillIndex
    grid : Grid
    rows, columns : range
        Fine ranges that the tile joins.
    directed : bool
        Whether to keep which way arcs run.
    threads : int

    Raises
    ------
    ReadError
        The keys are not those that were set aside.

    Notes
    -----
    Holds at most 16 bytes a key and a row's, as `plan.sorting_bytes` has it; 5 a key, and 12 a key of the longest
    strip, where the tile joins many fine ranges of rows.
    """
    strips = strips_of(index, rows, columns)
    before = np.cumsum([0, *(strip.size for strip in strips)])
    total = int(before[-1])
    # Columns fill the room from its start. The keys of a strip are read behind the room of the columns before, and its
    # own columns take their place: so most of what is touched is touched once, and untouched room costs nothing.
    # States stand behind all that is read after the first of them.
    begin = (before[:-1] + 1) // 2
    end = begin + np.diff(before)
    first_state = max((total + 1) // 2, int(end[1:].max(initial=0)))
    states = -(-total // 8) if directed else 0
    room = np.empty(max(first_state + states, int(end.max(initial=0))), dtype=np.int64)
    indices, state = room.view(np.int32), room[first_state:].view(np.uint8) if directed else _NO_STATE
    keys = np.empty(int(np.diff(before).max(initial=0)), dtype=np.int64)
    lengths = np.zeros(int(grid.cuts[rows.stop] - grid.cuts[rows.start]), dtype=np.int64)
    edges = arcs = 0
    for s, strip in enumerate(strips):
        if strip.size:
            first, last = (int(grid.cuts[r] - grid.cuts[rows.start]) for r in (strip.rows.start, strip.rows.stop))
            raw = room[begin[s] : end[s]]
            sort = StripSort(index, grid, strip, columns, threads, raw, keys[: strip.size], lengths[first:last])
            found = sort.run(indices[edges:], state[edges:])
            edges, arcs = edges + found[0], arcs + found[1]
    return SortedTile(lengths, indices[:edges], state[:edges] if directed else None, arcs)
