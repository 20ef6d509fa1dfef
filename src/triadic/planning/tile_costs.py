"""What tiling a graph and counting its tiles read, write and hold, worked out on the shape of the graph."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.memory import show_bytes
from triadic.errors import OutOfMemoryError, UnsupportedError
from triadic.planning.shape import ModelShape, ranges_of
from triadic.tiles import partition, spill
from triadic.tiles.cluster import tiling_plan as cluster_plan
from triadic.tiles.cluster.client import ranges_for
from triadic.tiles.layout import FORMAT, HEADER, UNKNOWN_LIMITS, Layout, number_of_hubs
from triadic.tiles.store import FolderStore
from triadic.tiles.stored_tiles import StoredTiles
from triadic.tiles.tile import num_leafless_ranks
from triadic.tiles.tile_file import HEAD_BYTES, LIST_HEAD_BYTES, tile_name
from triadic.tiles.work import entries_tested_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.planning.sample import Sample
    from triadic.planning.shape import Shape

# On a cluster: share of the ends of a chunk that are different ids, as in R-MAT of 224 billion edges, and the bytes of
# each, which is written to be merged, and once more with its rank.
_TOLD, _TOLD_BYTES = 0.3, 18


@dataclass(frozen=True, slots=True, eq=False)
class TileEstimate:
    """The tiles of a graph.

    ``row_pairs(i)`` returns the pairs of entries in one row of range i by the ranges of their columns, as
    `triadic.tiles.work.entries_tested_in`: float64, shape (i + 1, i + 1).
    """

    layout: Layout
    row_pairs: Callable[[int], Float64Array]
    file_bytes: Int64Array  # of the file of each tile without weights, shape (P, P)
    counted: int  # number of ranks that are counted: all but leaves
    weighted: bool = False  # whether tiles have weights
    reads_weights: bool = False  # whether a count reads them as well

    @property
    def bytes_to_read(self) -> Int64Array:
        """Bytes of each tile that a count reads: int64, shape (P, P)."""
        return self.file_bytes + self.weight_bytes if self.reads_weights else self.file_bytes

    @property
    def weight_bytes(self) -> Int64Array:
        """Bytes of the weights of each tile: int64, shape (P, P); 0 without weights."""
        return 8 * int(self.weighted) * (1 + int(self.layout.directed)) * self.layout.tile_edges

    @property
    def stored_bytes(self) -> int:
        """Bytes of all files of tiles."""
        return int(self.file_bytes.sum() + self.weight_bytes.sum())

    def read_with_weights(self) -> TileEstimate:
        """Return the tiles as a count of weights reads them."""
        layout = replace(self.layout, weight_limits=UNKNOWN_LIMITS)
        return replace(self, layout=layout, reads_weights=True)


def cut(
    shape: Shape | ModelShape,
    *,
    memory: int,
    threads: int,
    ranges: int | None = None,
    weighted: bool = False,
    labels: int = 0,
    cluster: int = 0,
) -> TileEstimate:
    """Cut a graph into ranges as `triadic.tile` does, perhaps with weights; a model into about as many ranges.

    `labels` is the number of bytes of the labels of vertices, which this machine holds while vertices are ranked;
    `cluster` the number of threads of a cluster, each of which tiles in `memory` of its own, or 0.

    Raises
    ------
    OutOfMemoryError
        The memory is too little for tiling.
    """
    n = shape.vertices
    most = min(shape.most, max(n, 1 << 20))
    least = partition.vertex_bytes(n, most, labels) + partition.FLOOR_BYTES
    if memory < least and not cluster:
        raise OutOfMemoryError(f"memory={show_bytes(memory)}: tiling {n:,} vertices takes at least {show_bytes(least)}")
    if isinstance(shape, ModelShape):
        cuts = _cuts_of_model(shape, memory, threads, cluster, ranges, weighted=weighted)
        return _estimate(shape, cuts, weighted=weighted)
    # The degrees of all vertices, while tiles are sorted.
    held = 0 if cluster else partition.FLOOR_BYTES + 8 * n
    fewest, most_fine = _fewest_ranges(cluster)
    fine = partition.fine_grid(
        shape.degrees, ranges, max(1, memory - held), threads=threads, weighted=weighted, spread=cluster > 0,
        most=most_fine, least=cluster_plan.least_fine(fewest) if cluster else 1,
    )  # fmt: skip
    rows, columns = ranges_of(fine.cuts, shape.all_rows), ranges_of(fine.cuts, shape.all_columns)
    cells = np.bincount(rows * (rows + 1) // 2 + columns, minlength=fine.cells)
    keys = np.round(cells * (shape.keys / max(1, int(cells.sum())))).astype(np.int64)
    joined = partition.join(
        fine, keys, memory, ranks=shape.degrees.counted, held=held, fixed=ranges is not None,
        directed=shape.directed, threads=threads, both_ends=shape.both_ends, weighted=weighted,
        least_ranges=fewest, spread=cluster > 0,
    )  # fmt: skip
    return _estimate(shape, fine.cuts[joined], weighted=weighted)


def _fewest_ranges(cluster: int) -> tuple[int, int]:
    """Return the fewest and the most ranges that tiling chooses, on a cluster of some threads or, of 0, here."""
    most = cluster_plan.MOST_FINE if cluster else partition.MOST_FINE
    return (min(ranges_for(cluster), most) if cluster else 1), most


def _cuts_of_model(
    shape: ModelShape, memory: int, threads: int, cluster: int, ranges: int | None, *, weighted: bool
) -> Int64Array:
    """Return the fewest ranges that fit, found by bisection: with all hubs in the first range, or of equal size."""
    of_vertex = partition.vertex_ends(shape.vertices, 2 * shape.edges, spread=cluster > 0 and ranges is None)
    hubs = number_of_hubs(shape.vertices, shape.edges)
    if ranges is not None:
        return partition.cut_ranks(shape.degrees, ranges, 0, hubs, of_vertex)
    (low, high), found, least = _fewest_ranges(cluster), None, 1 << 62
    # Degrees of all vertices while tiles are sorted, which on a cluster nobody holds.
    held = 0 if cluster else partition.FLOOR_BYTES + 8 * shape.vertices
    while low <= high:
        middle = (low + high) // 2
        fits = None
        for first in (hubs, 0):
            cuts = partition.cut_ranks(shape.degrees, middle, 0, first, of_vertex)
            layout = _layout(shape, cuts, weighted=weighted)
            counting = partition.bytes_to_count(
                layout, shape.degrees.counted, threads=threads, both_ends=False, spread=cluster > 0
            )
            needed = max(held + _sorting_bytes(layout, both_ends=shape.both_ends), counting)
            if np.diff(cuts).max() <= partition.MOST_RANKS:
                least = min(least, needed)
                fits = cuts if fits is None and needed <= memory else fits
        if fits is None:
            low = middle + 1
        else:
            high, found = middle - 1, fits
    if found is None:
        words = f"takes at least {show_bytes(least)}" if least < 1 << 62 else "needs ranges of too many vertices"
        raise OutOfMemoryError(f"memory={show_bytes(memory)}: tiling and counting {words}")
    return found


def _layout(shape: Shape | ModelShape, cuts: Int64Array, *, weighted: bool = False) -> Layout:
    limits = UNKNOWN_LIMITS if weighted else None
    return Layout(cuts, shape.tile_edges(cuts), shape.directed, shape.arcs, weight_limits=limits)


def _estimate(shape: Shape | ModelShape, cuts: Int64Array, *, weighted: bool = False) -> TileEstimate:
    layout, longest = _layout(shape, cuts), shape.longest_rows(cuts)
    width = np.where(longest < 1 << 8, 1, np.where(longest < 1 << 16, 2, 4))  # bytes of the length of a row
    content = (5 if shape.directed else 4) * layout.tile_edges + width * np.diff(cuts)[:, None]
    head = HEAD_BYTES + LIST_HEAD_BYTES * (2 + shape.directed + weighted)
    files = np.where(np.tri(layout.ranges, dtype=np.bool_), head + content, 0)
    return TileEstimate(layout, lambda i: shape.row_pairs(cuts, i), files, shape.degrees.counted, weighted)


class TilingBytes(NamedTuple):
    """The bytes of tiling: written, those among them that are read again, and the most that are held at once."""

    written: int
    spilled: int
    held: int


def bytes_of_tiling(
    sample: Sample, shape: Shape | ModelShape, tiles: TileEstimate, *, memory: int, threads: int, on_cluster: bool
) -> TilingBytes:
    """Estimate what tiling writes and holds: of this machine, or of a task on a cluster of some threads.

    This machine ranks vertices, spills arcs and sorts tiles. On a cluster, chunks tell partitions their ids, whose
    ranks they are told, and a task holds a chunk or a sorted tile.
    """
    n, arcs, weighted = shape.vertices, sample.arcs, tiles.weighted
    layout = tiles.read_with_weights().layout if weighted else tiles.layout
    of_arc = partition.held_arc_bytes(weighted=weighted)
    stored = tiles.stored_bytes + 8 * layout.ranges**3 + 8 * n
    if on_cluster:
        of_row = cluster_plan.row_bytes(numeric=sample.labels != "names", weighted=weighted)
        rows = cluster_plan.rows_of_chunk(arcs, memory // of_row, threads)
        told = min(round(_TOLD * 2 * arcs), -(-arcs // rows) * n)
        spilled = of_arc * arcs + _TOLD_BYTES * told
        held = min(memory, max(of_row * rows, _sorting_bytes(layout, both_ends=False)))
        return TilingBytes(spilled + stored + 8 * n, spilled, partition.FLOOR_BYTES + held)
    ids, labels = partition.rank_bytes(n), {None: 0, "numbers": 8 * n, "names": 16 * n}[sample.labels]
    kept = sample.kept * arcs if keeps_arcs(sample, memory) else 0
    in_memory = partition.holds_edges(arcs, n, memory, weighted=weighted)
    edges, spilled = (of_arc * arcs, 0) if in_memory else (0, of_arc * shape.keys)
    buffered = min(spill.LONGEST * threads, max(spill.LONGEST, arcs))
    filled = spill.ARC_BYTES * buffered + (spill.WEIGHT_BYTES * min(buffered, arcs) if weighted else 0)
    buffers = min((memory - partition.FLOOR_BYTES - ids - kept - edges) // 2, filled)
    ranking = partition.vertex_bytes(n, 0, label_bytes(sample, n)) + kept
    sorting = 8 * n + edges + _sorting_bytes(layout, both_ends=sample.both_ends)
    held = partition.FLOOR_BYTES + max(ranking, ids + kept + edges + buffers, sorting)
    return TilingBytes(spilled + stored + labels + ids, spilled, min(memory, held))


def label_bytes(sample: Sample, vertices: int) -> int:
    """Estimate the bytes of the labels of all vertices in memory."""
    return {None: 0, "numbers": 8, "names": partition.NAME_BYTES}[sample.labels] * vertices


def _sorting_bytes(layout: Layout, *, both_ends: bool) -> int:
    """Estimate the bytes of sorting the largest tile, whose edges have a key each, or two of `both_ends`."""
    keys = replace(layout, tile_edges=(2 if both_ends else 1) * layout.tile_edges)
    return int(partition.sorting_bytes(keys, partition.expected_strips(keys)).max(initial=0))


def keeps_arcs(sample: Sample, memory: int) -> bool:
    """Return whether tiling keeps the arcs of its first pass, and so reads the input once."""
    return 0 < sample.kept * sample.arcs <= partition.room_to_keep(memory)


def is_tiles(path: str | PathLike[str]) -> bool:
    """Return whether a path is a folder of tiles, complete or not.

    Examples
    --------
    >>> is_tiles(".")
    False
    """
    try:
        return bool(json.loads((Path(fspath(path)) / HEADER).read_bytes())["format"] == FORMAT)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return False


def stored_tiles(path: str | PathLike[str], *, weights: bool | str | int | None = None) -> TileEstimate:
    """Return the tiles in a folder, from their header and the sizes of their files.

    Raises
    ------
    ReadError
        They are damaged.
    UnsupportedError
        They have the weights of another column than `weights`.
    """
    store = FolderStore(Path(fspath(path)))
    tiles = StoredTiles(store)
    if weights is not None and not tiles.has_weights_of(weights):
        recorded = tiles.origin["weights"]
        had = "that weights=True found" if recorded is True else f"of {recorded!r}"
        raise UnsupportedError(f"weights={weights!r}: the tiles have the weights {had}; use weights=True for them")
    layout, tested = tiles.layout, tiles.tested()
    content = np.zeros((layout.ranges,) * 2, dtype=np.int64)
    for i, j in zip(*np.tril_indices(layout.ranges), strict=True):
        content[i, j] = len(store.mapped(tile_name(int(i), int(j)))[0])

    def row_pairs(i: int) -> Float64Array:
        return entries_tested_in(tiles, i) if tested is None else tested[i, : i + 1, : i + 1]

    weighted = tiles.weight_limits is not None
    found = TileEstimate(layout, row_pairs, content, num_leafless_ranks(tiles), weighted)
    return replace(found, file_bytes=content - found.weight_bytes)
