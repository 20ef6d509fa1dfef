"""The tasks that write a table of vertices, one file for each range, from sums that workers have stored.

A task reads the sums of its range, computes the columns, writes the file, and returns the totals of the columns. The
totals are stored beside the sums, so that a file that is complete is not written again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np

from triadic.core.exact import exact_float_units, exact_sum
from triadic.core.memory import show_bytes
from triadic.errors import MissingFileError, OutOfMemoryError, ReadError
from triadic.io.tables import parquet_of_edges, parquet_of_vertices
from triadic.tiles.cluster.stored_sums import add_stored
from triadic.tiles.cluster.tasks import count_tile_in
from triadic.tiles.cluster.tile_transfer import TileAddress, allowed_bytes, open_stored, task
from triadic.tiles.edge_values import valued
from triadic.tiles.file_format import put_array, read_array, seal, unseal
from triadic.tiles.layout import tile_of_number
from triadic.tiles.stored_tiles import open_store
from triadic.tiles.sums import FLOAT, INT, RangeValues, TablePlan

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from triadic.core.array_types import Int64Array
    from triadic.io.tables import SomeVertices
    from triadic.tiles.cluster.stored_sums import StoredFile
    from triadic.tiles.stored_tiles import StoredTiles
    from triadic.tiles.sums import EdgeCount, PartCounter

WORK = "_sums"  # folder of the sums, which readers of data sets skip because of its first letter
_LEAST_ROWS, _ROWS, _MOST_PARTS = 1 << 17, 1 << 20, 16  # rows of a part of a long range, and number of its parts
_PARTS_PER_THREAD = 4  # of the table, if parts are long enough
_FEWEST_ROWS = 1 << 6  # of a part, however little memory a worker has: a shorter file is hardly more than its header
_RANK_BYTES = 16  # of a rank of the range of a part: its degree and its vertex
_COPIES = 3  # of a range's values: stored, as columns, and as the bytes of the file

Totals = dict[str, int]
ValueFiles = dict[int, tuple[str, int]]  # file and checksum of stored values by range


@dataclass(frozen=True, slots=True, eq=False)
class TableTask:
    """What the tasks of one table have in common.

    Attributes
    ----------
    tiles : TileAddress
        The tiles, with all ranks.
    output : str
        Path or URL of the folder of the table.
    plan : TablePlan
        The counts and columns.
    sums : dict of str to list of StoredFile
        Stored sums over triangles at the range or tile of a part, by the name of their count.
    values : dict of str to ValueFiles
        Stored values of the counts over edges that are inputs of others.
    """

    tiles: TileAddress
    output: str
    plan: TablePlan
    sums: Mapping[str, list[StoredFile]]
    values: Mapping[str, ValueFiles]


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a table.

    Attributes
    ----------
    number : int
        Number of the file.
    at : int
        The range, or the number of the tile of a table of edges.
    first, last : int
        First rank of the range in the file, and the rank past the last; of a table of edges 0 and 0.
    """

    number: int
    at: int
    first: int = 0
    last: int = 0

    @property
    def name(self) -> str:
        """Name of the file."""
        return f"part-{self.number:05d}.parquet"


def parts_of(tiles: StoredTiles, plan: TablePlan, allowed: int, threads: int) -> list[Part]:
    """Return the parts of a table: a tile of edges each; or a range of vertices, which are several if it is long.

    A part reads the stored sums of its range in full, so that a range is 16 parts at most unless a part would take more
    than the bytes that a task is `allowed`; and one part if the labels are names, all of which a part reads. All
    `threads` of the cluster have a few parts each, if the table is long.
    """
    layout, parts = tiles.layout, list[Part]()
    handy = min(_ROWS, max(_LEAST_ROWS, -(-layout.vertices // (_PARTS_PER_THREAD * threads))))
    if plan.entries:
        return [Part(number, number) for number in range(layout.ranges * (layout.ranges + 1) // 2)]
    for i in range(layout.ranges):
        length = layout.length(i)
        fitting = (allowed - _RANK_BYTES * length) // _row_bytes(plan)
        rows = min(max(handy, -(-length // _MOST_PARTS)), max(_FEWEST_ROWS, fitting))
        rows = length if tiles.label_kind == "names" else rows
        for first in range(0, max(1, length), max(1, rows)):
            parts.append(Part(len(parts), i, first, min(first + rows, length)))
    return parts


def work_place(output: str, count: str = "") -> str:
    """Return the path or URL of the work folder of a table, or of the sums of one of its counts."""
    return "/".join(filter(None, (output.rstrip("/"), WORK, count)))


@task
def store_values(task: TableTask, name: str, i: int) -> tuple[str, int]:
    """Store a count over edges at the ranks of range `i`; return the file and its checksum."""
    count = next(count for count in task.plan.edges if count.counter.name == name)
    values = _edge_values(task, open_stored(task.tiles), count, i)
    file = f"values-{uuid4().hex}.npy"
    return file, put_array(open_store(work_place(task.output)), file, values)


@task
def write_part(task: TableTask, part: Part) -> Totals:
    """Write a file of the table, unless it is complete, and return the totals of its columns.

    Totals of floats are exact too: in units of `triadic.core.exact.exact_float_units`.
    """
    work, record = open_store(work_place(task.output)), f"part-{part.number:05d}.json"
    try:
        found = unseal(work.get(record).tobytes())
        if found.pop("graph") == task.tiles.fingerprint:
            return found
    except (MissingFileError, ReadError, ValueError):
        pass
    totals = _write_edges(task, part) if task.plan.entries else _write(task, part)
    work.put(record, [seal({**totals, "graph": task.tiles.fingerprint})])
    return totals


@task
def total_of_range(
    address: TileAddress, function: Callable[[RangeValues], list[int]], counts: tuple[EdgeCount, ...], i: int
) -> list[int]:
    """Return a function of the degrees and counts of range `i`."""
    tiles = open_stored(address)
    task = TableTask(address, "", TablePlan("", (), counts, _no_columns), {}, {})
    found = {count.counter.name: _edge_values(task, tiles, count, i) for count in counts}
    layout = tiles.layout
    return function(RangeValues(layout.vertices, layout.edges, layout.arcs, tiles.degree(i), found))


def _no_columns(values: RangeValues) -> dict[str, Int64Array]:  # noqa: ARG001 - of `TablePlan`
    return {}


def _write(task: TableTask, part: Part) -> Totals:
    tiles, plan, i = open_stored(task.tiles), task.plan, part.at
    layout, rows = tiles.layout, slice(part.first, part.last)
    needed = _row_bytes(plan) * (part.last - part.first) + _RANK_BYTES * layout.length(i)
    _check_bytes(needed, f"{part.last - part.first:,} of {layout.length(i):,} vertices of a range")
    degree = tiles.degree(i)[rows]
    counts: dict[str, Int64Array] = {}
    for counter in plan.triangles:
        counts[counter.name] = _stored_sums(task, counter, counter.range_shape(layout, i))[rows]
    for count in plan.edges:
        counts[count.counter.name] = _values_at(task, tiles, count, i)[rows]
    columns = plan.columns(RangeValues(layout.vertices, layout.edges, layout.arcs, degree, counts))
    vertices, labels = tiles.vertices_of(i)[rows].astype(np.int64), tiles.labels_of(i)
    named = None if labels is None else labels[rows]
    content = parquet_of_vertices(vertices, named, vertices >= tiles.labelled, columns)
    open_store(task.output).put(part.name, [content])
    totals = {"vertices": len(vertices), "wedges": exact_sum(degree * (degree - 1) // 2)}
    for name, values in columns.items():
        is_float = values.dtype.kind == "f"
        totals[f"{FLOAT if is_float else INT}{name}"] = exact_float_units(values) if is_float else exact_sum(values)
    return totals


def _write_edges(task: TableTask, part: Part) -> Totals:
    """Write the edges of a tile with the counts at them."""
    tiles, layout, (i, j) = open_stored(task.tiles), open_stored(task.tiles).layout, tile_of_number(part.at)
    counter, edges = task.plan.triangles[0], int(layout.tile_edges[i, j])
    # The tile, its counts, the vertices and labels of both ends, as columns and as bytes of the file.
    _check_bytes(64 * edges + 24 * (layout.length(i) + layout.length(j)), f"{edges:,} edges of a tile")
    tile = tiles.tile(i, j)
    counts = _stored_sums(task, counter, tile.indices.shape)
    rows = np.repeat(np.arange(layout.length(i)), np.diff(tile.indptr))
    ends: dict[str, SomeVertices] = {}
    for name, r, ranks in (("source", i, rows), ("target", j, tile.indices.astype(np.int64))):
        vertices, labels = tiles.vertices_of(r).astype(np.int64), tiles.labels_of(r)
        ends[name] = (vertices[ranks], None if labels is None else labels[ranks], vertices[ranks] >= tiles.labelled)
    content = parquet_of_edges(ends, {"triangles": counts})
    if edges or part.number == 0:  # a table of no edges has columns, too
        open_store(task.output).put(part.name, [content])
    return {"edges": edges, f"{INT}triangles": exact_sum(counts)}


def _stored_sums(task: TableTask, counter: PartCounter, shape: tuple[int, ...]) -> Int64Array:
    """Return the stored sums at all ranks of a range, or at the entries of a tile."""
    found = np.zeros(shape, dtype=np.int64)
    add_stored(work_place(task.output, counter.name), task.sums[counter.name], found)
    return found


def _values_at(task: TableTask, tiles: StoredTiles, count: EdgeCount, i: int) -> Int64Array:
    """Return a count over edges at the ranks of range `i`: stored, or counted now."""
    stored = task.values.get(count.counter.name)
    if stored is None or i not in stored:
        return _edge_values(task, tiles, count, i)
    name, checksum = stored[i]
    return read_array(open_store(work_place(task.output)), name, checksum)


def _edge_values(task: TableTask, tiles: StoredTiles, count: EdgeCount, r: int) -> Int64Array:
    """Count over the edges of range `r`: the tiles that have it as their rows, then those that have it as columns."""
    layout, counter = tiles.layout, count.counter
    by_name = {other.counter.name: other for other in task.plan.edges}
    source = tiles if counter.values is None else valued(tiles.with_weights(), counter.values)
    values = np.zeros(counter.range_shape(layout, r), dtype=np.int64)
    for i, j in [*((r, j) for j in range(r + 1)), *((i, r) for i in range(r + 1, layout.ranges))]:
        if not layout.tile_edges[i, j]:
            continue
        ends = (i,) if i == j else (j, i)
        inputs = tuple(
            np.concatenate([_values_at(task, tiles, by_name[name], end) for end in ends]) for name in count.inputs
        )
        for first, shares in count_tile_in(source, i, j, counter, inputs, allowed_bytes()):
            if first == layout.cuts[r] and len(shares) == len(values):
                values += shares
    return values


def _row_bytes(plan: TablePlan) -> int:
    """Return the bytes that a vertex of a part takes."""
    columns = sum(counter.columns for counter in plan.triangles) + sum(count.counter.columns for count in plan.edges)
    return _COPIES * 8 * (columns + 3)


def _check_bytes(needed: int, rows: str) -> None:
    allowed = allowed_bytes()
    if needed > allowed:
        raise OutOfMemoryError(
            f"writing the {rows} takes {show_bytes(needed)}, and a thread of a worker has {show_bytes(allowed)}: cut "
            "the graph into more ranges, or give workers more memory or fewer threads"
        )
