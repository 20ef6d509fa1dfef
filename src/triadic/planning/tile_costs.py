"""What tiling a graph and counting its tiles read, write and hold, worked out on the shape of the graph."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import show_bytes
from triadic.errors import OutOfMemoryError, UnsupportedError
from triadic.planning.shape import ModelShape, ranges_of
from triadic.tiles import partition, spill
from triadic.tiles.cluster import tiling_plan as cluster_plan
from triadic.tiles.cluster.client import ranges_for
from triadic.tiles.layout import FORMAT, HEADER, UNKNOWN_LIMITS, Layout
from triadic.tiles.store import FolderStore
from triadic.tiles.stored_tiles import StoredTiles
from triadic.tiles.tile import num_leafless_ranks
from triadic.tiles.tile_file import HEAD_BYTES, LIST_HEAD_BYTES, read_file, tile_name
from triadic.tiles.work import tested_of_lengths

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
        cuts = _cuts_of_model(shape, memory, threads, cluster, weighted=weighted) if ranges is None else None
        return _estimate(shape, shape.cuts(ranges or 1) if cuts is None else cuts, weighted=weighted)
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
        fine, keys, memory, ranks=shape.counted, held=held, fixed=ranges is not None,
        directed=shape.directed, threads=threads, both_ends=shape.both_ends, weighted=weighted,
        least_ranges=fewest, spread=cluster > 0,
    )  # fmt: skip
    return _estimate(shape, fine.cuts[joined], weighted=weighted)


def _fewest_ranges(cluster: int) -> tuple[int, int]:
    """Return the fewest and the most ranges that tiling chooses, on a cluster of some threads or, of 0, here."""
    most = cluster_plan.MOST_FINE if cluster else partition.MOST_FINE
    return (min(ranges_for(cluster), most) if cluster else 1), most


def _cuts_of_model(shape: ModelShape, memory: int, threads: int, cluster: int, *, weighted: bool) -> Int64Array:
    """Return the fewest ranges that fit, found by bisection: with all hubs in the first range, or of equal size."""
    (low, high), found, least = _fewest_ranges(cluster), None, 1 << 62
    # Degrees of all vertices while tiles are sorted, which on a cluster nobody holds.
    held = 0 if cluster else partition.FLOOR_BYTES + 8 * shape.vertices
    while low <= high:
        middle = (low + high) // 2
        fits = None
        for cuts in (shape.cuts(middle, hubs=hubs, spread=cluster > 0) for hubs in (True, False)):
            layout = _layout(shape, cuts, weighted=weighted)
            counting = partition.bytes_to_count(
                layout, shape.counted, threads=threads, both_ends=False, spread=cluster > 0
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
    return TileEstimate(layout, lambda i: shape.row_pairs(cuts, i), files, shape.counted, weighted)


def written_by_tiling(
    sample: Sample, shape: Shape | ModelShape, tiles: TileEstimate, *, memory: int
) -> tuple[int, int]:
    """Return the bytes that tiling writes, and the bytes among them that it reads again: keys of edges."""
    n, weighted = shape.vertices, tiles.weighted
    held = partition.holds_edges(sample.arcs, n, memory, weighted=weighted)
    spilled = 0 if held else partition.held_arc_bytes(weighted=weighted) * shape.keys
    labels = {None: 0, "numbers": 8 * n, "names": 16 * n}[sample.labels]
    noted = 8 * tiles.layout.ranges**3
    return spilled + tiles.stored_bytes + labels + noted + 8 * n + partition.rank_bytes(n), spilled


def written_by_cluster(sample: Sample, tiles: TileEstimate, *, memory: int, threads: int) -> tuple[int, int]:
    """Return the same of a cluster of some threads: chunks tell partitions their ids, whose ranks they are told."""
    rows = _rows_of_chunk(sample, tiles, memory, threads)
    told = min(round(_TOLD * 2 * sample.arcs), -(-sample.arcs // rows) * tiles.layout.vertices)
    spilled = partition.held_arc_bytes(weighted=tiles.weighted) * sample.arcs + _TOLD_BYTES * told
    kept = tiles.stored_bytes + (8 + 8) * tiles.layout.vertices + 8 * tiles.layout.ranges**3
    return spilled + kept, spilled


def held_by_cluster(sample: Sample, tiles: TileEstimate, *, memory: int, threads: int) -> int:
    """Estimate the most bytes that a task of tiling on a cluster of some threads holds: a chunk, or a sorted tile."""
    layout = tiles.read_with_weights().layout if tiles.weighted else tiles.layout
    chunk = _row_bytes(sample, tiles) * _rows_of_chunk(sample, tiles, memory, threads)
    return partition.FLOOR_BYTES + min(memory, max(chunk, _sorting_bytes(layout, both_ends=False)))


def _row_bytes(sample: Sample, tiles: TileEstimate) -> int:
    return cluster_plan.row_bytes(numeric=sample.labels != "names", weighted=tiles.weighted)


def _rows_of_chunk(sample: Sample, tiles: TileEstimate, memory: int, threads: int) -> int:
    return cluster_plan.rows_of_chunk(sample.arcs, memory // _row_bytes(sample, tiles), threads)


def label_bytes(sample: Sample, vertices: int) -> int:
    """Estimate the bytes of the labels of all vertices in memory."""
    return {None: 0, "numbers": 8, "names": partition.NAME_BYTES}[sample.labels] * vertices


def held_by_tiling(sample: Sample, tiles: TileEstimate, *, memory: int, threads: int) -> int:
    """Estimate the most bytes that tiling holds: while vertices are ranked, arcs are spilled or tiles are sorted."""
    weighted = tiles.weighted
    layout = tiles.read_with_weights().layout if weighted else tiles.layout
    n = layout.vertices
    ids = partition.rank_bytes(n)
    kept = sample.kept * sample.arcs if keeps_arcs(sample, memory) else 0
    in_memory = partition.holds_edges(sample.arcs, n, memory, weighted=weighted)
    edges = partition.held_arc_bytes(weighted=weighted) * sample.arcs if in_memory else 0
    buffered = min(spill.LONGEST * threads, max(spill.LONGEST, sample.arcs))
    filled = spill.ARC_BYTES * buffered + (spill.WEIGHT_BYTES * min(buffered, sample.arcs) if weighted else 0)
    buffers = min((memory - partition.FLOOR_BYTES - ids - kept - edges) // 2, filled)
    ranking = partition.vertex_bytes(n, 0, label_bytes(sample, n)) + kept
    sorting = 8 * n + edges + _sorting_bytes(layout, both_ends=sample.both_ends)
    return min(memory, partition.FLOOR_BYTES + max(ranking, ids + kept + edges + buffers, sorting))


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
    """Return the tiles in a folder, from their header and the lengths of their rows.

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
    sizes = np.zeros((layout.ranges,) * 2, dtype=np.int64)
    found = []
    for i in range(layout.ranges):
        lengths = []
        for j in range(i + 1):
            content, _ = store.mapped(tile_name(i, j))
            file = read_file(content, i, j, f"{store.place}/{tile_name(i, j)}", verified=False)
            sizes[i, j] = len(content) - 8 * file.kinds * file.edges
            lengths.append(file.lists["lengths"])
        found.append(tested_of_lengths(lengths) if tested is None else tested[i, : i + 1, : i + 1])
    weighted = tiles.weight_limits is not None
    return TileEstimate(layout, found.__getitem__, sizes, num_leafless_ranks(tiles), weighted)
