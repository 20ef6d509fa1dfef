"""What tiling a graph and counting its tiles read, write and hold, worked out on the shape of the graph."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from math import ceil
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.oriented import Sizes
from triadic.core.sizes import show_bytes
from triadic.counts.triangles import TRIANGLES
from triadic.errors import OutOfMemoryError, UnsupportedError
from triadic.planning.model import ModelShape
from triadic.planning.shape import ranges_of
from triadic.planning.tile_reads import OF_CACHE, estimated_reads, simulated_reads, triples_of_range
from triadic.tiles import partition
from triadic.tiles.cluster.edge_windows import COPIES
from triadic.tiles.edge_sums import TILE_SHARE, most_ranks
from triadic.tiles.engine import groups
from triadic.tiles.file_format import TileHead, read_head, tile_name
from triadic.tiles.header import FORMAT, HEADER
from triadic.tiles.layout import UNKNOWN_LIMITS, Layout
from triadic.tiles.store import FolderStore
from triadic.tiles.stored_tiles import StoredTiles
from triadic.tiles.tile import num_leafless_ranks
from triadic.tiles.triples import triples
from triadic.tiles.weight_file import WEIGHT_HEAD_BYTES
from triadic.tiles.work import COUNT_FLOOR, Needed, counting_bytes, nanoseconds, put_together, tested_of_lengths

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from triadic.planning.measures import Measure
    from triadic.planning.sample import Sample
    from triadic.planning.shape import Shape

# Bytes of an arc and of its weight in a buffer of a worker of `triadic.tiles.spill`, and the most arcs there.
_BUFFER_ARC, _BUFFER_WEIGHT, _BUFFER_ARCS = 18, 24, 1 << 21
_TILE_HEAD, _ARRAY_HEAD = TileHead(0, 0, 0, 0, 0, False, 1, (0, 0, 0)).size, 128
_GROUP_NANOSECONDS = 60e9  # of a group of triples, as in `triadic.tiles.engine`
_MOST_CUT = 32  # times that a stored range is cut, at most, if there is little memory
_MOST_SIMULATED = 16  # ranges up to which the cache is simulated
MOST_JOINED = 64  # ranges up to which `triadic.tile` chooses their number itself
MOST_RANKS = ((1 << 31) - 1) // 3  # of a range


@dataclass(frozen=True, slots=True, eq=False)
class TileEstimate:
    """The tiles of a graph.

    ``row_pairs(i)`` returns the pairs of entries in one row of range i by the ranges of their columns, as
    `triadic.tiles.work.entries_tested_in`: float64, shape (i + 1, i + 1).
    """

    layout: Layout
    row_pairs: Callable[[int], NDArray[np.float64]]
    file_bytes: NDArray[np.int64]  # of the file of each tile, shape (P, P)
    counted: int  # number of ranks that are counted: all but leaves
    weighted: bool = False  # whether each tile has a file of weights beside its own
    reads_weights: bool = False  # whether a count reads these files as well

    @property
    def bytes_to_read(self) -> NDArray[np.int64]:
        """Bytes of the files of each tile that a count reads: int64, shape (P, P)."""
        return self.file_bytes + self.weight_bytes if self.reads_weights else self.file_bytes

    @property
    def weight_bytes(self) -> NDArray[np.int64]:
        """Bytes of the file of the weights of each tile: int64, shape (P, P); 0 without weights."""
        kinds = int(self.weighted) * (1 + int(self.layout.directed))
        sizes = WEIGHT_HEAD_BYTES + 8 * kinds * self.layout.tile_edges
        return np.where(self.file_bytes > 0, sizes, 0) if kinds else np.zeros_like(self.file_bytes)

    @property
    def stored_bytes(self) -> int:
        """Bytes of all files of tiles, those of weights included."""
        return int(self.file_bytes.sum() + self.weight_bytes.sum())

    def read_with_weights(self) -> TileEstimate:
        """Return the tiles as a count of weights reads them."""
        layout = replace(self.layout, weight_limits=UNKNOWN_LIMITS)
        return replace(self, layout=layout, reads_weights=True)

    @property
    def tested(self) -> NDArray[np.float64]:
        """The pairs of all ranges, as `triadic.tiles.work.entries_tested`: float64, shape (P, P, P)."""
        return put_together([self.row_pairs(i) for i in range(self.layout.ranges)])


@dataclass(frozen=True, slots=True)
class TileCount:
    """What counting tiles takes."""

    bytes_read: int
    bytes_written: int
    bytes_held: int
    tasks: int  # number of triples of ranges; of tiles, for a count that adds up over edges
    costs: tuple[float, ...]  # nanoseconds of one thread for each group of tasks
    tile_bytes: int  # bytes of tiles among `bytes_read`


def cut(
    shape: Shape | ModelShape,
    *,
    memory: int,
    threads: int,
    ranges: int | None = None,
    weighted: bool = False,
    labels: int = 0,
) -> TileEstimate:
    """Cut a graph into ranges as `triadic.tile` does, perhaps with weights; a model into about as many ranges.

    `labels` is the number of bytes of the labels of vertices, which are held while vertices are ranked.

    Raises
    ------
    OutOfMemoryError
        The memory is too little for tiling.
    """
    n = shape.vertices
    most = min(shape.most, max(n, 1 << 20))
    least = partition.vertex_bytes(n, most, labels) + partition.FLOOR_BYTES
    if memory < least:
        raise OutOfMemoryError(f"memory={show_bytes(memory)}: tiling {n:,} vertices takes at least {show_bytes(least)}")
    if isinstance(shape, ModelShape):
        cuts = shape.cuts(ranges) if ranges is not None else _cuts_of_model(shape, memory, threads, weighted=weighted)
        return _estimate(shape, cuts, weighted=weighted)
    held = partition.FLOOR_BYTES + 8 * n  # the degrees of all vertices, while tiles are sorted
    step = shape.step
    room = max(1, int((memory - held) / step))
    fine = partition.fine_grid(shape.degree, ranges, room, threads=threads, weighted=weighted)
    cuts = np.round(fine.cuts * step).astype(np.int64)
    cuts[-1] = n
    rows, columns = ranges_of(cuts, shape.all_rows), ranges_of(cuts, shape.all_columns)
    cells = np.bincount(rows * (rows + 1) // 2 + columns, minlength=fine.cells)
    keys = np.round(cells * (shape.keys / max(1, int(cells.sum())))).astype(np.int64)
    joined = partition.join(
        partition.Grid(cuts, fine.shift), keys, memory, ranks=shape.counted, held=held, fixed=ranges is not None,
        directed=shape.directed, threads=threads, both_ends=shape.both_ends, weighted=weighted,
    )  # fmt: skip
    return _estimate(shape, cuts[joined], weighted=weighted)


def _cuts_of_model(shape: ModelShape, memory: int, threads: int, *, weighted: bool) -> NDArray[np.int64]:
    """Return the fewest ranges that fit, found by bisection: with all hubs in the first range, or of equal size."""
    low, high, found, least = 1, MOST_JOINED, None, 1 << 62
    while low <= high:
        middle = (low + high) // 2
        fits = None
        for cuts in (shape.cuts(middle), shape.cuts(middle, hubs=False)):
            layout = _layout(shape, cuts, weighted=weighted)
            counting = counting_bytes(layout.first_ranks(shape.counted), threads=threads, columns=1)
            sorting = _sorting_bytes(layout, both_ends=shape.both_ends)
            needed = max(partition.FLOOR_BYTES + sorting + 8 * shape.vertices, COUNT_FLOOR + counting)
            if np.diff(cuts).max() <= MOST_RANKS:
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


def _layout(shape: Shape | ModelShape, cuts: NDArray[np.int64], *, weighted: bool = False) -> Layout:
    limits = UNKNOWN_LIMITS if weighted else None
    return Layout(cuts, shape.tile_edges(cuts), shape.directed, shape.arcs, weight_limits=limits)


def _estimate(shape: Shape | ModelShape, cuts: NDArray[np.int64], *, weighted: bool = False) -> TileEstimate:
    layout, longest = _layout(shape, cuts), shape.longest_rows(cuts)
    width = np.where(longest < 1 << 8, 1, np.where(longest < 1 << 16, 2, 4))  # bytes of the length of a row
    content = (5 if shape.directed else 4) * layout.tile_edges + width * np.diff(cuts)[:, None]
    lower = np.tri(layout.ranges, dtype=np.bool_)
    files = np.where(lower, _TILE_HEAD + content, 0)
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
    buffered = min(_BUFFER_ARCS * threads, max(_BUFFER_ARCS, sample.arcs))
    filled = _BUFFER_ARC * buffered + (_BUFFER_WEIGHT * min(buffered, sample.arcs) if weighted else 0)
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


def count_tiles(
    tiles: TileEstimate,
    measure: Measure,
    *,
    memory: int,
    threads: int,
    may_cut: bool = False,
    on_cluster: bool = False,
) -> TileCount:
    """Work out what counting tiles takes.

    Parameters
    ----------
    tiles : TileEstimate
    measure : Measure
    memory : int
        Bytes that counting may hold; on a cluster, in each worker.
    threads : int
        Number of threads, of each worker on a cluster.
    may_cut : bool, default False
        Whether tiles too coarse for the memory are cut when they are read.
    on_cluster : bool, default False
        Whether workers of a cluster count.

    Raises
    ------
    OutOfMemoryError
        As counting does.
    """
    if measure.parts:
        return _count_parts(
            tiles, measure.parts, memory=memory, threads=threads, may_cut=may_cut, on_cluster=on_cluster
        )
    if measure.weighted:
        tiles = tiles.read_with_weights()
    layout, n = tiles.layout, tiles.layout.vertices
    if measure.tile_count.adds_over == "edges":
        return _count_edges(tiles, measure, memory=memory, threads=threads, on_cluster=on_cluster)
    files = tiles.bytes_to_read
    # A result at vertices is in files: by rank, summed up, and by vertex.
    results = 8 * n * (measure.rank_columns + measure.vertex_columns)
    inner, columns = layout.first_ranks(tiles.counted), measure.columns
    of_range = (
        (i, triples_of_range(layout, inner, i, tiles.row_pairs(i), threads=threads, columns=columns))
        for i in range(layout.ranges)
    )
    by_range = [(i, found) for i, found in of_range if found is not None]
    if not by_range:
        return TileCount(0, results, 0, 0, (), 0)
    needed = max((found.needed for _, found in by_range), key=sum)
    room = memory - needed.working - needed.sums
    times_cut = 1  # tiles that are too coarse are cut into more ranges when they are read
    if room < needed.tiles:
        if not may_cut:
            raise OutOfMemoryError(
                f"memory={show_bytes(memory)}: counting {layout.ranges} ranges of tiles takes {show_bytes(sum(needed))}"
            )
        left = memory - needed.sums - COUNT_FLOOR
        times_cut = ceil((needed.working + needed.tiles) / left) if left > 0 else _MOST_CUT + 1
        if times_cut > _MOST_CUT:
            least = (needed.working + needed.tiles) // _MOST_CUT + needed.sums + COUNT_FLOOR
            raise OutOfMemoryError(
                f"memory={show_bytes(memory)}: counting the smallest tiles takes at least about {show_bytes(least)}"
            )
        room = memory - needed.sums - needed.working // times_cut
    by_range.sort(key=lambda part: -part[1].cost)
    parts = [min(found.number, ceil(found.cost / _GROUP_NANOSECONDS)) for _, found in by_range]
    if layout.ranges <= _MOST_SIMULATED:
        tested = tiles.tested
        cost = {triple: nanoseconds(layout, triple, tested) for triple in triples(layout)}
        part = Needed(needed.working // times_cut, needed.tiles // times_cut, needed.sums)
        read = simulated_reads(
            inner,
            groups(list(cost), cost),
            room + part.working,
            part,
            files,
            threads=threads,
            columns=columns,
            in_place=measure.tile_count.cpu_tiles is not None,
        )
    else:
        read = estimated_reads(layout, by_range, parts, room, files)
        once = int(files.sum())
        read = max(min(read, once), round(OF_CACHE * read))
    read += (measure.passes + (times_cut + 1) * (times_cut > 1)) * int(files.sum())
    # At the end of each group, the sums at its ranges are read, unless they are the first there, and written.
    added, seen = 0, np.zeros(layout.ranges, dtype=np.bool_)
    length = np.diff(inner.cuts)
    for (_, found), number in zip(by_range, parts, strict=True):
        often = 1 + (number - 1) * 2 / 3  # a part of the triples of a range has vertices of a part of the ranges
        of_ranges = 8 * columns * int(length[found.ranges].sum()) + (_ARRAY_HEAD * len(found.ranges) if columns else 0)
        added += round(often * of_ranges)
        seen[found.ranges] = True
    again = max(0, added - 8 * columns * int(length[seen].sum())) if columns else 0
    # The finished sums of the ranges are read to verify their checksums, and so is a result that others follow from.
    verified = 8 * columns * (int(length[seen].sum()) + n * (measure.rank_columns > columns))
    every = sum(inner.tile_bytes(i, j) for i in range(layout.ranges) for j in range(i + 1))
    return TileCount(
        # The notes on row pairs, and the degrees of the last range, which tell the leaves.
        bytes_read=read + again + verified + 8 * layout.ranges**3 + 8 * layout.length(layout.ranges - 1),
        bytes_written=added + results + (times_cut > 1) * int(files.sum()),
        bytes_held=min(memory, COUNT_FLOOR + min(room, every) + needed.working // times_cut + needed.sums),
        tasks=times_cut**3 * sum(found.number for _, found in by_range),
        costs=tuple(
            found.cost / number for (_, found), number in zip(by_range, parts, strict=True) for _ in range(number)
        ),
        tile_bytes=read,
    )


def _count_parts(tiles: TileEstimate, parts: Sequence[Measure], **keywords: Any) -> TileCount:  # noqa: ANN401 - those of `count_tiles`
    """Work out what several counts take, one after another; costs are in proportion to those of triangles."""
    sizes = Sizes(tiles.layout.vertices, tiles.layout.edges, directed=tiles.layout.directed)
    found = [count_tiles(tiles, part, **keywords) for part in parts]
    ratios = [
        part.tile_count.work(sizes) / max(1.0, TRIANGLES.work(sizes)) if part.tile_count.adds_over != "edges" else 1.0
        for part in parts
    ]
    return TileCount(
        bytes_read=sum(part.bytes_read for part in found),
        bytes_written=sum(part.bytes_written for part in found),
        bytes_held=max(part.bytes_held for part in found),
        tasks=sum(part.tasks for part in found),
        costs=tuple(ratio * cost for part, ratio in zip(found, ratios, strict=True) for cost in part.costs),
        tile_bytes=sum(part.tile_bytes for part in found),
    )


def _count_edges(tiles: TileEstimate, measure: Measure, *, memory: int, threads: int, on_cluster: bool) -> TileCount:
    """Work out what one pass over the tiles takes: each is counted as a small graph of the vertices of its ranges.

    A tile that is large for the memory is counted in parts. Sums at ranks are in a file that is mapped into memory: the
    system writes their pages back if others need the memory. On a cluster each thread counts a tile, a few rows at a
    time, and holds the sums at all its ranks.
    """
    layout, count = tiles.layout, measure.tile_count
    n, length = layout.vertices, np.diff(layout.cuts)
    tasks = [(int(i), int(j)) for i, j in np.argwhere(layout.tile_edges)]
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
        raise OutOfMemoryError(
            f"memory={show_bytes(memory)}: counting {layout.ranges} ranges of tiles takes {show_bytes(held)}"
        )
    read = (1 + measure.passes) * int(tiles.bytes_to_read.sum())
    written = 8 * n * (measure.rank_columns + measure.vertex_columns)
    return TileCount(read, written, held if on_cluster else min(memory, held + sums), len(tasks), tuple(costs), read)


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
            content = np.asarray(np.memmap(store.local(tile_name(i, j)), dtype=np.uint8, mode="r"))
            sizes[i, j] = len(content)
            head = read_head(content, i, j, f"{store.place}/{tile_name(i, j)}")
            lengths.append(content[len(content) - head.width * head.rows :].view(f"<u{head.width}"))
        found.append(tested_of_lengths(lengths) if tested is None else tested[i, : i + 1, : i + 1])
    weighted = tiles.weight_limits is not None
    return TileEstimate(layout, found.__getitem__, sizes, num_leafless_ranks(tiles), weighted)
