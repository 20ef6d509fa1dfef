"""What tiling a graph and counting its tiles read and write: worked out by what does it, on the shape of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.sizes import show_bytes
from triadic.errors import OutOfMemoryError
from triadic.planning.passing import passed
from triadic.planning.shape import pairs
from triadic.tiles import partition as plan
from triadic.tiles.engine import groups
from triadic.tiles.file_format import TileHead
from triadic.tiles.layout import Layout
from triadic.tiles.triples import triples
from triadic.tiles.work import most_needed, nanoseconds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.planning.counts import Kind
    from triadic.planning.sample import Sample
    from triadic.planning.shape import Shape
    from triadic.tiles.triples import Triple

# What a worker of `triadic.tiles.spill` holds: bytes for each arc, of so many arcs at most.
ARC_BYTES, LONGEST = 18, 1 << 21
_HEAD = TileHead(0, 0, 0, 0, 0, False, 1, (0, 0, 0)).size
_ARRAY_HEAD = 128  # of a .npy file


@dataclass(frozen=True, slots=True, eq=False)
class Tiled:
    """A graph's tiles.

    Attributes
    ----------
    layout : Layout
    tested : float64 array, shape (P, P, P)
        As `triadic.tiles.work.entries_tested` gives it.
    file_bytes : int64 array, shape (P, P)
        Bytes of each tile's file.
    """

    layout: Layout
    tested: NDArray[np.float64]
    file_bytes: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Passed:
    """What counting tiles passes through memory, and what it takes.

    Attributes
    ----------
    bytes_read, bytes_written, bytes_held : int
    tasks : int
        Triples of ranges.
    costs : tuple of float
        What each group of triples takes one thread, in the model's nanoseconds.
    tile_bytes : int
        Bytes of tiles among those that are read.
    """

    bytes_read: int
    bytes_written: int
    bytes_held: int
    tasks: int
    costs: tuple[float, ...]
    tile_bytes: int


def cut(shape: Shape, *, memory: int, threads: int) -> Tiled:
    """Cut a graph into ranges as `triadic.tile` does.

    Raises
    ------
    OutOfMemoryError
        `memory` is too little for that.
    """
    # Once tiles are sorted, the degrees of all vertices are held again.
    held = plan.FLOOR_BYTES + 8 * shape.vertices
    scale = shape.drawn
    fine = plan.fine_grid(shape.degree, None, max(1, int((memory - held) / scale)), threads=threads)
    cuts = np.round(fine.cuts * scale).astype(np.int64)
    cuts[-1] = shape.vertices
    rows, columns = (_range(cuts, ranks) for ranks in (shape.all_rows, shape.all_columns))
    cells = np.bincount(rows * (rows + 1) // 2 + columns, minlength=fine.cells)
    keys = np.round(cells * (shape.keys / max(1, int(cells.sum())))).astype(np.int64)
    grid = plan.Grid(cuts, fine.shift)
    ranks = round(scale * plan.ranks_counted(shape.degree))
    joined = plan.join(
        grid, keys, memory, ranks=ranks, held=held, fixed=False, directed=shape.directed, threads=threads
    )
    return _tiled(shape, cuts[joined])


def _tiled(shape: Shape, cuts: NDArray[np.int64]) -> Tiled:
    ranges = len(cuts) - 1
    rows, columns = _range(cuts, shape.row), _range(cuts, shape.column)
    met = np.bincount(rows * ranges + columns, minlength=ranges * ranges).reshape(ranges, ranges)
    edges = np.round(met * shape.edge).astype(np.int64)
    layout = Layout(cuts, edges, shape.directed, shape.arcs)
    tested = np.zeros((ranges,) * 3)
    for i in range(ranges):
        chosen = rows == i
        tested[i, : i + 1, : i + 1] = pairs(shape, columns, ranges, chosen)[: i + 1, : i + 1]
    # Where a row may pass 255 edges its length takes a second byte.
    longest = np.zeros((ranges, ranges), dtype=np.int64)
    of_rows = np.sort((shape.end * ranges + columns) * ranges + rows)
    if len(of_rows):
        first = np.flatnonzero(np.concatenate([[True], of_rows[1:] != of_rows[:-1]]))
        lengths = np.diff(first, append=len(of_rows))
        at = of_rows[first]
        np.maximum.at(longest, (at % ranges, at // ranges % ranges), np.round(lengths * shape.edge).astype(np.int64))
    width = np.where(longest < 1 << 8, 1, np.where(longest < 1 << 16, 2, 4))
    content = (5 if shape.directed else 4) * edges + width * np.diff(cuts)[:, None]
    return Tiled(layout, tested, np.where(np.tri(ranges, dtype=np.bool_), _HEAD + content, 0))


def written_by_tiling(sample: Sample, shape: Shape, tiled: Tiled, *, memory: int) -> tuple[int, int]:
    """Give the bytes that tiling writes, and those of them that it reads again: edges set aside."""
    n = shape.vertices
    aside = 0 if plan.holds_edges(sample.arcs, n, memory) else 8 * shape.keys
    labels = {None: 0, "numbers": 8 * n, "names": 16 * n}[sample.labels]
    noted = tiled.tested.nbytes
    return aside + int(tiled.file_bytes.sum()) + labels + noted + 8 * n + plan.rank_bytes(n), aside


def held_by_tiling(sample: Sample, layout: Layout, *, memory: int, threads: int) -> int:
    """Estimate the most bytes that tiling holds: vertices being ranked, arcs being set aside, or tiles being sorted."""
    n = layout.vertices
    ids = plan.rank_bytes(n)
    ranking = plan.vertex_bytes(n, 0, {None: 0, "numbers": 8 * n, "names": plan.NAME_BYTES * n}[sample.labels])
    kept = sample.kept * sample.arcs if keeps(sample, memory) else 0
    edges = plan.HELD_ARC_BYTES * sample.arcs if plan.holds_edges(sample.arcs, n, memory) else 0
    buffers = min((memory - plan.FLOOR_BYTES - ids - kept - edges) // 2, ARC_BYTES * LONGEST * threads)
    bucketing, sorting = ids + kept + edges + buffers, 8 * n + edges + plan.sorting_bytes(layout)
    return min(memory, plan.FLOOR_BYTES + max(ranking + kept, bucketing, sorting))


def keeps(sample: Sample, memory: int) -> bool:
    """Whether tiling reads the input once."""
    return 0 < sample.kept * sample.arcs <= plan.room_to_keep(memory)


def counted(tiled: Tiled, kind: Kind, *, memory: int, threads: int) -> Passed:
    """Go through counting tiles without any: which are in memory when, what is written after each group.

    Raises
    ------
    OutOfMemoryError
        As counting does.
    """
    layout = tiled.layout
    every = list(triples(layout))
    n, columns = layout.vertices, kind.columns
    if not every:
        return Passed(0, 8 * kind.results * n, 0, 0, (), 0)
    cost = {triple: nanoseconds(layout, triple, tiled.tested) for triple in every}
    in_groups = groups(every, cost)
    at_ranks = columns if kind.at_ranks else 0
    needed = most_needed(layout, every, threads=threads, columns=at_ranks)
    room = memory - needed.working - needed.sums
    if room < needed.tiles:
        raise OutOfMemoryError(
            f"memory={show_bytes(memory)}: counting {layout.ranges} ranges of tiles takes "
            f"{show_bytes(sum(needed))}; expected tiles of more ranges, or more memory"
        )
    tiles, held = passed(layout, in_groups, room, tiled.file_bytes)
    tiles += kind.passes * int(tiled.file_bytes.sum())
    added = sum(_added(layout, group, at_ranks) for group in in_groups)
    again = _again(layout, in_groups, at_ranks)
    # A result at vertices is in files: by rank, summed up, and by vertex.
    results = 8 * kind.results * n + kind.by_rank * 8 * n
    # What triples test is noted; the degrees of the last range tell which of its vertices are counted.
    noted = tiled.tested.nbytes + 8 * layout.length(layout.ranges - 1)
    return Passed(
        tiles + again + noted,
        added + results,
        min(memory, held + needed.working + needed.sums),
        len(every),
        tuple(sum(cost[triple] for triple in group) for group in in_groups),
        tiles,
    )


def _added(layout: Layout, group: list[Triple], columns: int) -> int:
    """Give the bytes of the sums that a group's end writes."""
    if not columns:
        return 0
    touched = {r for triple in group for r in triple.ranges}
    return sum(8 * columns * layout.length(r) + _ARRAY_HEAD for r in touched)


def _again(layout: Layout, in_groups: list[list[Triple]], columns: int) -> int:
    """Give the bytes of sums that are read to be added to: all but the first time."""
    seen: set[int] = set()
    total = 0
    for group in in_groups:
        touched = {r for triple in group for r in triple.ranges}
        total += sum(8 * columns * layout.length(r) for r in touched & seen)
        seen |= touched
    return total


def _range(cuts: NDArray[np.int64], ranks: NDArray[np.float64]) -> NDArray[np.int64]:
    found: NDArray[np.int64] = np.searchsorted(cuts[1:-1], ranks, side="right")
    return found
