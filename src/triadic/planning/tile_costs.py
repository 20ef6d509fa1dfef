"""What tiling a graph and counting its tiles read, write and hold, worked out on the shape of the graph.

There are P (P + 1) (P + 2) / 6 triples of P ranges. The triples of one range are the entries of arrays of shape
(P, P), so that time grows with P**3 only inside NumPy, and memory with P**2.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.memory import show_bytes
from triadic.core.oriented import Sizes
from triadic.core.records import record, value_class
from triadic.counts.triangles import TRIANGLES
from triadic.errors import OutOfMemoryError, UnsupportedError
from triadic.io.stored_graphs import has_header_of
from triadic.planning.shape import AnyShape, TileEstimate, tiles_of
from triadic.tiles import partition, spill, work
from triadic.tiles.cluster import tiling_plan as cluster_plan
from triadic.tiles.cluster.client import ranges_for
from triadic.tiles.cluster.tasks import COPIES
from triadic.tiles.cluster.tile_transfer import CACHE_SHARE
from triadic.tiles.edge_sums import TILE_SHARE, most_ranks, tiles_with_edges
from triadic.tiles.engine import GROUP_SECONDS
from triadic.tiles.layout import FORMAT
from triadic.tiles.store import FolderStore
from triadic.tiles.stored_tiles import StoredTiles
from triadic.tiles.tile import num_leafless_ranks
from triadic.tiles.tile_file import tile_name
from triadic.tiles.work import Needed, entries_tested_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.planning.measures import Measure
    from triadic.planning.sample import Sample
    from triadic.tiles.layout import Layout

# On a cluster: share of the ends of a chunk that are different ids, as in R-MAT of 224 billion edges, and the bytes of
# each, which is written to be merged, and once more with its rank.
_TOLD, _TOLD_BYTES = 0.3, 18
_ARRAY_HEAD = 128  # bytes before the numbers of a file of sums


def cut(
    shape: AnyShape,
    *,
    memory: int,
    threads: int,
    ranges: int | None = None,
    weighted: bool = False,
    labels: int = 0,
    cluster: int = 0,
) -> TileEstimate:
    """Cut a graph into ranges as `triadic.tile` does, perhaps with weights.

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
    # The degrees of all vertices, while tiles are sorted; on a cluster nobody holds them.
    held = 0 if cluster else partition.FLOOR_BYTES + 8 * n
    most_fine = cluster_plan.MOST_FINE if cluster else partition.MOST_FINE
    fewest = min(ranges_for(cluster), most_fine) if cluster else 1
    fine = partition.fine_grid(
        shape.degrees, ranges, max(1, memory - held), threads=threads, weighted=weighted, spread=cluster > 0,
        most=most_fine, least=cluster_plan.least_fine(fewest) if cluster else 1,
    )  # fmt: skip
    joined = partition.join(
        fine, shape.cell_keys(fine.cuts), memory, ranks=shape.degrees.counted, held=held, fixed=ranges is not None,
        directed=shape.directed, threads=threads, both_ends=shape.both_ends, weighted=weighted,
        least_ranges=fewest, spread=cluster > 0,
    )  # fmt: skip
    return tiles_of(shape, fine.cuts[joined], weighted=weighted)


def bytes_of_tiling(
    sample: Sample, shape: AnyShape, tiles: TileEstimate, *, memory: int, threads: int, on_cluster: bool
) -> tuple[int, int, int]:
    """Estimate the bytes of tiling: written, those among them that are read again, and the most held at once.

    The bytes held are of this machine, or of a task on a cluster of some threads.

    This machine ranks vertices, spills arcs and sorts tiles. On a cluster, chunks tell partitions their ids, whose
    ranks they are told, and a task holds a chunk or a sorted tile.
    """
    n, arcs, layout, weighted = shape.vertices, sample.arcs, tiles.layout, tiles.layout.weighted
    of_arc = partition.held_arc_bytes(weighted=weighted)
    stored = tiles.stored_bytes + 8 * layout.ranges**3 + 8 * n
    if on_cluster:
        of_row = cluster_plan.row_bytes(numeric=sample.labels != "names", weighted=weighted)
        rows = cluster_plan.rows_of_chunk(arcs, memory // of_row, threads)
        told = min(round(_TOLD * 2 * arcs), -(-arcs // rows) * n)
        spilled = of_arc * arcs + _TOLD_BYTES * told
        held = min(memory, max(of_row * rows, _sorting_bytes(layout, both_ends=False)))
        return spilled + stored + 8 * n, spilled, partition.FLOOR_BYTES + held
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
    return spilled + stored + labels + ids, spilled, min(memory, held)


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
    return has_header_of(Path(fspath(path)), FORMAT)


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
    layout = (tiles if tiles.weight_limits is None else tiles.with_weights()).layout
    tested = tiles.tested()
    content = np.zeros((layout.ranges,) * 2, np.int64)
    for tile in layout.tiles:
        content[tile] = len(store.mapped(tile_name(*tile))[0])

    def row_pairs(i: int) -> Float64Array:
        return entries_tested_in(tiles, i) if tested is None else tested[i, : i + 1, : i + 1]

    return TileEstimate(layout, row_pairs, content, num_leafless_ranks(tiles))


@value_class
class TileCount:
    """What counting tiles takes."""

    bytes_read: int
    bytes_written: int
    bytes_held: int
    tasks: int  # number of triples of ranges; of tiles, for a count that adds up over edges
    costs: tuple[float, ...]  # nanoseconds of one thread for each group of tasks
    tile_bytes: int  # bytes of tiles among `bytes_read`

    def longest(self, workers: int) -> float:
        """Return the cost of the busiest worker, if all take groups from one queue, the largest first."""
        return max(sum(self.costs) / workers, *self.costs, 0.0)


@record
class _RangeCost:
    """What the triples with u in one range take."""

    number: int
    cost: float  # nanoseconds of one thread
    needed: Needed  # bytes of the triple that needs most
    entries: int  # in the tiles of all triples, those of each triple added up
    ranges: Int64Array  # ranges of the vertices of any triple


def bytes_of_tiles(ranges: list[Int64Array], room: int, file_bytes: Int64Array) -> int:
    """Return the bytes of tiles that a count reads, by a rule: all once, and what does not fit into `room` again.

    The triples of one range of u need the tiles of all their ranges, of `ranges` for each, which are those of the range
    before, about. Of these as many bytes as there is room for are still in memory.
    """
    needed = (int(file_bytes[np.ix_(some, some)].sum()) for some in ranges)
    return int(file_bytes.sum()) + sum(max(0, of_range - room) for of_range in needed)


def count_tiles(
    tiles: TileEstimate,
    measure: Measure,
    *,
    memory: int,
    threads: int,
    workers: int = 0,
) -> TileCount:
    """Work out what counting tiles takes.

    Parameters
    ----------
    tiles : TileEstimate
    measure : Measure
    memory : int
        Bytes that counting may hold; on a cluster, in each worker.
    threads : int
        Number of threads, of each worker on a cluster; there each thread counts a triple of its own.
    workers : int, default 0
        Number of workers of a cluster; 0 if this machine counts.

    Raises
    ------
    OutOfMemoryError
        As counting does.
    """
    if measure.parts:
        return _count_parts(tiles, measure.parts, memory=memory, threads=threads, workers=workers)
    if not measure.weighted:
        tiles = tiles.without_weights()
    layout, n = tiles.layout, tiles.layout.vertices
    if measure.tile_count.adds_over == "edges":
        return _count_edges(tiles, measure, memory=memory, threads=threads, on_cluster=workers > 0)
    files = tiles.file_bytes
    # A result at vertices is in files: by rank, summed up, and by vertex.
    results = 8 * n * (measure.rank_columns + measure.vertex_columns)
    inner, columns = layout.first_ranks(tiles.counted), measure.columns
    by_range: list[_RangeCost] = []
    for i in range(layout.ranges):
        triples = work.RangeTriples(inner, i)
        if len(triples.j):
            cost = float(work.nanoseconds(inner, triples, tiles.row_pairs(i)).sum())
            needed = triples.needed(threads=1 if workers else threads, columns=columns)
            ranges = np.unique(np.concatenate([[i], triples.j, triples.k]))
            by_range.append(_RangeCost(len(triples.j), cost, needed, int(triples.entries.sum()), ranges))
    if not by_range:
        return TileCount(0, results, 0, 0, (), 0)
    needed = max((found.needed for found in by_range), key=sum)
    needed, room = _room(needed, layout, memory, threads, workers=workers)
    by_range.sort(key=lambda found: -found.cost)
    parts = [min(found.number, ceil(found.cost / (GROUP_SECONDS * 1e9))) for found in by_range]
    read, once = bytes_of_tiles([found.ranges for found in by_range], room, files), int(files.sum())
    if workers:  # each reads the tiles of its ranges, or at most those of each triple
        read = min(max(read, workers * once), layout.edge_bytes * sum(found.entries for found in by_range))
    read += measure.passes * once
    # At the end of each group, the sums at its ranges are written. They are read as often: at the end of the next group
    # with the same range, or to verify the checksums of finished sums; and so is a result that others follow from.
    sums = (8 * columns * np.diff(inner.cuts) + _ARRAY_HEAD) * (columns > 0)
    # A part of the triples of a range has vertices of a part of the ranges.
    often = (1 + (number - 1) * 2 / 3 for number in parts)
    added = sum(round(times * int(sums[found.ranges].sum())) for times, found in zip(often, by_range, strict=True))
    verified = 8 * columns * n * (measure.rank_columns > columns)
    every = sum(inner.tile_bytes(*tile) for tile in layout.tiles)
    return TileCount(
        # The notes on row pairs, and the degrees of the last range, which tell the leaves.
        bytes_read=read + added + verified + 8 * layout.ranges**3 + 8 * layout.length(layout.ranges - 1),
        bytes_written=added + results,
        bytes_held=min(memory, work.COUNT_FLOOR + min(room, every) + needed.working + needed.sums),
        tasks=sum(found.number for found in by_range),
        costs=tuple(found.cost / number for found, number in zip(by_range, parts, strict=True) for _ in range(number)),
        tile_bytes=read,
    )


def _room(needed: Needed, layout: Layout, memory: int, threads: int, *, workers: int) -> tuple[Needed, int]:
    """Return the bytes of counting, and the room for tiles beside; or raise."""
    room = memory - needed.working - needed.sums - work.COUNT_FLOOR
    if workers:  # a task holds the sums of its own ranges, which are in `working`
        work.check_thread(layout, needed.working + needed.tiles, memory // threads)
        needed = Needed(threads * needed.working, threads * needed.tiles, 0)
        room = max(needed.tiles, min(int(CACHE_SHARE * memory), memory - needed.working))
    else:
        work.check_count(layout, needed, memory, threads)
    return needed, room


def _count_parts(tiles: TileEstimate, parts: Sequence[Measure], **keywords: Any) -> TileCount:  # noqa: ANN401 - those of `count_tiles`
    """Work out what several counts take, one after another; costs are in proportion to those of triangles."""
    sizes = Sizes(tiles.layout.vertices, tiles.layout.edges, directed=tiles.layout.directed)
    found = [count_tiles(tiles, part, **keywords) for part in parts]
    ratios = [
        part.tile_count.work(sizes) / max(1.0, TRIANGLES.work(sizes)) if part.tile_count.adds_over != "edges" else 1.0
        for part in parts
    ]
    added = ("bytes_read", "bytes_written", "tasks", "tile_bytes")
    return TileCount(
        **{name: sum(getattr(part, name) for part in found) for name in added},
        bytes_held=max(part.bytes_held for part in found),
        costs=tuple(ratio * cost for part, ratio in zip(found, ratios, strict=True) for cost in part.costs),
    )


def _count_edges(tiles: TileEstimate, measure: Measure, *, memory: int, threads: int, on_cluster: bool) -> TileCount:
    """Work out what one pass over the tiles takes: each is counted as a small graph of the vertices of its ranges.

    A tile that is large for the memory is counted in parts. Sums at ranks are in a file that is mapped into memory: the
    system writes their pages back if others need the memory. On a cluster each thread counts a tile, a few rows at a
    time, and holds the sums at all its ranks.
    """
    layout, count = tiles.layout, measure.tile_count
    n, length = layout.vertices, np.diff(layout.cuts)
    tasks = tiles_with_edges(layout)
    sums = 8 * measure.columns * n
    tiles_at_a_time = threads if on_cluster else 1
    held, costs, part = 0, [], memory // tiles_at_a_time // TILE_SHARE
    most = 1 << 62 if on_cluster else most_ranks(measure.columns, memory)
    for i, j in tasks:
        ranks = int(length[i] + (length[j] if i != j else 0))
        sizes = Sizes(ranks, int(layout.tile_edges[i, j]), directed=layout.directed)
        some, edges = min(ranks, most), min(sizes.edges, part // layout.edge_bytes)
        tile = 8 * some + min(layout.tile_bytes(i, j), 8 * some + part)
        counting = count.bytes(Sizes(some, edges, directed=layout.directed), 1 if on_cluster else threads)
        if on_cluster:
            counting += 8 * (COPIES - 1) * measure.columns * ranks
        held = max(held, tiles_at_a_time * (tile + 8 * some + counting))
        costs.append(count.work(sizes))
    if held > memory:
        allowed = f"a worker has {show_bytes(memory)}" if on_cluster else f"memory={show_bytes(memory)}"
        raise OutOfMemoryError(f"{allowed}: counting {layout.ranges} ranges of tiles takes {show_bytes(held)}")
    read = (1 + measure.passes) * tiles.stored_bytes
    written = 8 * n * (measure.rank_columns + measure.vertex_columns)
    return TileCount(read, written, held if on_cluster else min(memory, held + sums), len(tasks), tuple(costs), read)
