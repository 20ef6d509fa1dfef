"""The stage that sorts and writes tiles, cut into tasks so that no task takes much of a worker's share of the stage.

A large tile is cut into strips of rows, which lie in different fine ranges. Each strip is sorted by one task, and a
further task joins the sorted strips to the file of the tile. Small tiles are written several by one task. The largest
tasks come first, and the strips of a tile before the task that joins them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Dropped
from triadic.graph.weights import EdgeLimits
from triadic.tiles import partition
from triadic.tiles.cluster.tiling import edge_tasks
from triadic.tiles.cluster.tiling.piece_spill import SortedRows
from triadic.tiles.cluster.tiling.pieces import NO_PARTS, PieceSet
from triadic.tiles.cluster.tiling.work_place import remove_files_of
from triadic.tiles.layout import Layout, joined_edge_limits, joined_limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.array_types import Int64Array
    from triadic.tiles.cluster.tiling.pieces import Piece
    from triadic.tiles.cluster.tiling.work_place import Job
    from triadic.tiles.partition import DegreeCounts, Grid

    Ids = Int64Array
    Calls = list[edge_tasks.Call]

# Of the work of a thread in this stage: a larger tile is cut, into strips of the second share; smaller tasks than the
# third share are done several at a time.
_LARGE, _STRIP, _SMALL = 1 / 2, 1 / 4, 1 / 16
_LEAST_STRIP = 1 << 18  # keys; a task of fewer takes hardly longer than to send it
_WRITTEN, _REMOVED = 1 << 16, 1 << 13  # writing or removing a file takes about as long as sorting as many keys
_REMOVED_AT_ONCE = 16
_GROWTH = 1.25


def cut_for_strips(grid: Grid, degrees: DegreeCounts, threads: int, most: int) -> tuple[Grid, Ids]:
    """Cut fine ranges further, so that several workers can sort the rows of a large tile.

    Parameters
    ----------
    grid : Grid
        The fine ranges that are joined to the ranges of tiles.
    degrees : DegreeCounts
        How many vertices have each degree.
    threads : int
        Number of threads of the cluster.
    most : int
        Largest number of ranges to return, unless there are more already.

    Returns
    -------
    Grid, int64 array, shape (ranges + 1,)
        The finer ranges, and the place of each cut of the given ranges among the finer ones.
    """
    if degrees.ends == 0:
        return grid, np.arange(grid.ranges + 1)
    rank = np.concatenate([[0], np.cumsum(degrees.counts)])
    ends = np.concatenate([[0], np.cumsum(degrees.counts * degrees.values)]).astype(np.float64)
    before = np.interp(grid.cuts, rank, ends)
    of_range = np.diff(before)
    aim = max(float(_LEAST_STRIP), before[-1] / 2 * _STRIP / threads)
    while (parts := np.maximum(1, np.ceil(of_range / 2 / aim))).sum() > max(most, grid.ranges):
        aim *= _GROWTH
    unit, cuts = 1 << grid.shift, [grid.cuts]
    for r in np.flatnonzero(parts > 1).tolist():
        share = np.arange(1, int(parts[r])) / parts[r]
        # In the tile of the hubs, the number of columns before a row grows with the rank of the row.
        marks = before[r] + of_range[r] * (np.sqrt(share) if r == 0 else share)
        cuts.append(np.round(np.interp(marks, ends, rank) / unit).astype(np.int64) * unit)
    every = np.unique(np.clip(np.concatenate(cuts), 0, grid.cuts[-1]))
    return partition.Grid(every, grid.shift), np.searchsorted(every, grid.cuts)


def strips_of_tile(keys: Ids, aim: float) -> list[range]:
    """Cut the fine ranges of the rows of a tile, which have some numbers of keys, into runs of at most `aim` keys each.

    Examples
    --------
    >>> strips_of_tile(np.array([3, 3, 1, 9, 0, 2]), 6)
    [range(0, 2), range(2, 3), range(3, 4), range(4, 6)]
    """
    first, held, strips = 0, 0, list[range]()
    for row, number in enumerate(keys.tolist()):
        if row > first and held + number > aim:
            strips.append(range(first, row))
            first, held = row, 0
        held += number
    return [*strips, range(first, len(keys))]


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """One task of the stage.

    Attributes
    ----------
    cost : float
        Its cost, in keys that are sorted.
    names : list of tuple
        What it does: ("tile", i, j), ("vertices", i), ("strip", i, j, number of the strip), ("join", i, j), or
        ("remove", number).
    """

    cost: float
    names: list[tuple[Any, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Vertices:
    """What is known of the vertices.

    Attributes
    ----------
    placed : list of Piece
        Pieces with the vertices and labels of each fine range.
    labels : str or None
        Kind of the labels.
    found : int
        Number of vertices in the pieces.
    vertices : int
        Number of all vertices.
    """

    placed: list[Piece]
    labels: str | None
    found: int
    vertices: int


class TileStage:
    """The tasks that write the tiles and the vertices of each range, for `stages.run_stage`.

    Parameters
    ----------
    job : Job
        The run of tiling.
    grid : Grid
        The fine ranges.
    joined : int64 array, shape (ranges + 1,)
        First fine range of each range, and the number of fine ranges.
    edges : list of list of Piece
        Pieces with the keys of each cell, and those with the weights if there are any.
    vertices : Vertices
        The vertices.
    useless : sequence of str
        Files that tasks remove beside.
    memory : int
        Bytes that a task may hold.
    threads : int
        Number of threads of all workers.

    Attributes
    ----------
    results : list
        Results of the tasks; `run_stage` stores them here.
    """

    def __init__(
        self,
        job: Job,
        grid: Grid,
        joined: Ids,
        edges: list[list[Piece]],
        vertices: Vertices,
        useless: Sequence[str],
        memory: int,
        threads: int,
    ) -> None:
        self._job, self._grid, self._joined, self._memory = job, grid, joined, memory
        self._cells, self._vertices, self._useless = PieceSet(edges[0]), vertices, useless
        self._weights = PieceSet(edges[1] if job.weighted else [])
        self._placed = PieceSet(vertices.placed)
        keys = self._cells.entries() if edges[0] else np.zeros(grid.cells, dtype=np.int64)
        self._fine = grid.as_matrix(keys)
        self._cuts, self._ranges = grid.cuts[joined], len(joined) - 1
        self._sizes = partition.sum_cells(self._fine, joined)
        self._strips: dict[tuple[int, int], list[range]] = {}
        self._work = self._in_order(float(keys.sum() + self._cuts[-1]) / max(threads, 1))
        self._place = {name: (k, n) for k, work in enumerate(self._work) for n, name in enumerate(work.names)}
        self.results: list[Any] = [None] * len(self._work)

    def __len__(self) -> int:
        return len(self._work)

    def needs(self, k: int) -> list[int]:
        """Return the numbers of the tasks that end before task `k` begins."""
        kind, *tile = self._work[k].names[0]
        return [self._place["strip", *tile, n][0] for n in range(self._number(*tile))] if kind == "join" else []

    def arguments(self, k: int) -> tuple[Calls]:
        """Return the arguments of task `k`, which is `edge_tasks.run_calls`; `results` holds those of tasks before."""
        return ([self._call(*name) for name in self._work[k].names],)

    def looks(self) -> list[Calls]:
        """Return the calls that count the edges from both ends, in the tasks of the stage that sort."""
        sorts = [[name for name in work.names if name[0] in ("tile", "strip")] for work in self._work]
        return [
            [edge_tasks.Call(edge_tasks.count_ends, (self._job, self._rows(*name))) for name in names]
            for names in sorts
            if names
        ]

    def tiles(self) -> dict[tuple[int, int], Piece]:
        """Return the piece with the lengths of rows and columns of each tile, after all tasks."""
        return {tile: self._result("join" if tile in self._strips else "tile", *tile) for tile in self._tiles()}

    def vertices(self) -> list[Piece]:
        """Return the piece of the vertices of each range, after all tasks."""
        return [self._result("vertices", i) for i in range(self._ranges)]

    def _result(self, *name: Any) -> Any:  # noqa: ANN401 - a name of any work
        k, n = self._place[name]
        return self.results[k][n]

    def _number(self, i: int, j: int) -> int:
        return len(self._strips[i, j])

    def _in_order(self, of_thread: float) -> list[_Work]:
        """Return the tasks, the largest tiles first; `of_thread` is the work of a thread, in keys."""
        large, strip = (max(share * of_thread, _LEAST_STRIP) for share in (_LARGE, _STRIP))
        tasks: list[_Work] = []
        small: list[_Work] = []
        for i, j in sorted(self._tiles(), key=lambda tile: -int(self._sizes[tile])):
            rows, columns = self._fine_of(i), self._fine_of(j)
            size = int(self._sizes[i, j])
            of_rows = self._fine[rows.start : rows.stop, columns.start : columns.stop].sum(axis=1)
            strips = strips_of_tile(of_rows, strip) if size > large else []
            if len(strips) < 2:
                small.append(_Work(size + _WRITTEN, [("tile", i, j)]))
                continue
            self._strips[i, j] = [range(rows.start + part.start, rows.start + part.stop) for part in strips]
            tasks += [
                _Work(int(of_rows[part.start : part.stop].sum()), [("strip", i, j, n)]) for n, part in enumerate(strips)
            ]
            tasks.append(_Work(0, [("join", i, j)]))
        lengths = np.diff(self._cuts).tolist()
        small += [_Work(length + _WRITTEN, [("vertices", i)]) for i, length in enumerate(lengths)]
        for number, first in enumerate(range(0, len(self._useless), _REMOVED_AT_ONCE)):
            files = len(self._useless[first : first + _REMOVED_AT_ONCE])
            small.append(_Work(files * _REMOVED, [("remove", number)]))
        return [*tasks, *_together(small, max(_SMALL * of_thread, _LEAST_STRIP / 4))]

    def _tiles(self) -> list[tuple[int, int]]:
        return [(i, j) for i in range(self._ranges) for j in range(i + 1)]

    def _fine_of(self, i: int) -> range:
        """Return the fine ranges of range `i`."""
        return range(int(self._joined[i]), int(self._joined[i + 1]))

    def _call(self, kind: str, *number: int) -> edge_tasks.Call:
        job = self._job
        if kind == "remove":
            first = number[0] * _REMOVED_AT_ONCE
            return edge_tasks.Call(remove_files_of, (job, self._useless[first : first + _REMOVED_AT_ONCE]))
        if kind == "vertices":
            return edge_tasks.Call(edge_tasks.write_vertices, (job, self._range_plan(*number)))
        if kind == "join":
            i, j = number
            strips = [self._result("strip", i, j, n) for n in range(self._number(i, j))]
            return edge_tasks.Call(edge_tasks.join_strips, (job, i, j, strips))
        write = edge_tasks.write_tile if kind == "tile" else edge_tasks.sort_strip
        return edge_tasks.Call(write, (job, self._rows(kind, *number)))

    def _rows(self, kind: str, *number: int) -> SortedRows:
        """Return the rows of a tile or of a strip."""
        job, (i, j) = self._job, number[:2]
        columns = self._fine_of(j)
        rows = self._fine_of(i) if kind == "tile" else self._strips[i, j][number[2]]
        cells = [(r, c) for r in rows for c in columns if c <= r]
        numbers = [r * (r + 1) // 2 + c for r, c in cells]
        parts, weights = self._cells.block(numbers), self._weights.block(numbers) if job.weighted else None
        height = int(self._grid.cuts[rows.stop] - self._grid.cuts[rows.start])
        keys = int(self._fine[rows.start : rows.stop, columns.start : columns.stop].sum())
        room = max(0, self._memory - partition.most_sorting_bytes(keys, height, weighted=job.weighted))
        return SortedRows(i, j, rows, columns, self._grid, cells, parts, room, weights)

    def _range_plan(self, i: int) -> edge_tasks.RangePlan:
        of_fine = self._vertices.placed
        fine = [(self._placed.part(r) if of_fine else NO_PARTS, int(self._grid.cuts[r])) for r in self._fine_of(i)]
        known = self._vertices
        return edge_tasks.RangePlan(
            i, int(self._cuts[i]), int(self._cuts[i + 1]), fine, known.labels, known.found, known.vertices
        )


def layout_of(cuts: Ids, lengths: dict[tuple[int, int], Piece], loops: int, keys: int, job: Job) -> Layout:
    """Return the layout of tiles that are written.

    Parameters
    ----------
    cuts : int64 array, shape (ranges + 1,)
        First rank of each range, and the number of vertices.
    lengths : dict of (int, int) to Piece
        The piece with the lengths of rows of each tile.
    loops, keys : int
        Number of loops, and of other arcs, of the input.
    job : Job
        The run of tiling.
    """
    tile_edges = np.zeros((len(cuts) - 1,) * 2, dtype=np.int64)
    for tile, piece in lengths.items():
        tile_edges[tile] = piece.about["edges"]
    arcs, edges = sum(int(piece.about["arcs"]) for piece in lengths.values()), int(tile_edges.sum())
    dropped = Dropped(loops, keys - arcs, 0 if job.directed else arcs - edges)
    layout = Layout(cuts, tile_edges, job.directed, arcs if job.directed else 2 * edges, dropped)
    if not job.weighted:
        return layout
    found = [piece.about for piece in lengths.values() if "weights" in piece.about]
    limits = joined_limits([about["weights"] for about in found])
    stated = (about["edge_weights"] for about in found)
    of_edges = joined_edge_limits([None if each is None else EdgeLimits(*each) for each in stated])
    return replace(layout, weight_limits=limits, edge_limits=of_edges)


def _together(works: Sequence[_Work], least: float) -> list[_Work]:
    """Return tasks, the largest first, of which each smaller one than `least` is joined to others."""
    ordered = sorted(works, key=lambda work: -work.cost)
    small = [work for work in ordered if work.cost < least]
    cuts, held = [0], 0.0
    for k, work in enumerate(small):
        held += work.cost
        if held >= least:
            cuts.append(k + 1)
            held = 0.0
    cuts = [*cuts, len(small)] if cuts[-1] < len(small) else cuts
    joined = [
        _Work(sum(work.cost for work in small[a:b]), [name for work in small[a:b] for name in work.names])
        for a, b in pairwise(cuts)
    ]
    return [*ordered[: len(ordered) - len(small)], *joined]
