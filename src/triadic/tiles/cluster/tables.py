"""A table of vertices that workers count and write: the client receives totals only.

Counts over triangles come first, then counts over edges, then one task for each file of the table, which holds the
vertices of a range or a part of them. The task reads the sums of its range, computes the columns, writes the file, and
returns the totals of the columns, which are stored beside the sums. What is complete lies in the folder of the table,
so that after any interruption the same call goes on. The file ``_SUCCESS``, with the totals, is written last; then the
sums are removed.

::

    OUTPUT/part-00003.parquet           rows of vertices of one range, or of the edges of one tile
    OUTPUT/_SUCCESS                     totals; the table is complete
    OUTPUT/_sums/table.json             graph and measures of the table
    OUTPUT/_sums/parts.json             range and ranks of each file
    OUTPUT/_sums/part-00003.json        totals of a file that is complete
    OUTPUT/_sums/COUNT/                 sums of a count, see `StoredSums`
"""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from dataclasses import astuple, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from triadic.core.exact import exact_float_units, exact_sum
from triadic.core.oriented import int_zeros, rows_of_entries
from triadic.core.records import record, value_class
from triadic.errors import MissingFileError, ReadError, WriteError
from triadic.io.tables import parquet_of_edges, parquet_of_vertices
from triadic.tiles.cluster.cluster_count import StoredSums, add_stored
from triadic.tiles.cluster.tasks import count_tile_in
from triadic.tiles.cluster.tile_transfer import TileAddress, address_of, check_bytes, open_stored, task
from triadic.tiles.cluster.worker_watch import WorkerPool
from triadic.tiles.file_format import put_array, read_array, seal, unseal
from triadic.tiles.layout import tile_of_number
from triadic.tiles.store import FolderStore, locked, make_folder
from triadic.tiles.stored_tiles import absolute_place, is_url, open_store
from triadic.tiles.sums import FLOAT, INT, RangeValues, TablePlan
from triadic.tiles.tile import valued

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from distributed import Client

    from triadic.core.array_types import Int64Array
    from triadic.core.blocks import Progress
    from triadic.io.tables import SomeVertices
    from triadic.tiles.cluster.cluster_count import StoredFile, StoredGroup
    from triadic.tiles.stored_tiles import StoredTiles
    from triadic.tiles.sums import EdgeCount, PartCounter
    from triadic.tiles.url_store import TileStore

    CountInto = Callable[[PartCounter, StoredSums], None]

SUCCESS = "_SUCCESS"
_STATE, _PARTS = "table.json", "parts.json"
WORK = "_sums"  # folder of the sums, which readers of data sets skip because of its first letter
_LEAST_ROWS, _ROWS, _MOST_PARTS = 1 << 17, 1 << 20, 16  # rows of a part of a long range, and number of its parts
_PARTS_PER_THREAD = 4  # of the table, if parts are long enough
_FEWEST_ROWS = 1 << 6  # of a part, however little memory a worker has: a shorter file is hardly more than its header
_RANK_BYTES = 16  # of a rank of the range of a part: its degree and its vertex
_COPIES = 3  # of a range's values: stored, as columns, and as the bytes of the file

Totals = dict[str, int]
ValueFiles = dict[int, tuple[str, int]]  # file and checksum of stored values by range


class TableRun:
    """One table of one tiled graph.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.
    tiles : StoredTiles
        The tiles.
    plan : TablePlan
        The counts and columns.
    output : str
        Path or URL of the folder of the table, which all workers can write to.
    """

    def __init__(self, client: Client, tiles: StoredTiles, plan: TablePlan, output: str) -> None:
        self._pool, self._tiles, self._plan = WorkerPool(client), tiles, plan
        self._output = absolute_place(output).rstrip("/")
        self._store, self._work = open_store(self._output), open_store(work_place(self._output))
        self._state = {"graph": tiles.fingerprint, "table": plan.name}

    def run(
        self,
        count: CountInto,
        progress: Callable[[str], AbstractContextManager[Progress | None]],
    ) -> dict[str, int]:
        """Write the table, and return the totals of all ranges, as `write_part` returns those of one.

        Parameters
        ----------
        count : callable
            ``count(counter, sums)`` counts every triple that is not in the sums yet.
        progress : callable
            ``progress(label)`` returns a context with a function that reports progress, or None.

        Raises
        ------
        WriteError
            If the folder holds something else, another process writes to it, or it cannot be written to.
        """
        found = self._totals_of_complete_table()
        if found is not None:
            return found
        with ExitStack() as stack:
            work = self._work
            if isinstance(work, FolderStore):
                make_folder(work.folder)
                stack.enter_context(locked(work.folder))
            self._begin()
            groups = self._count(count)
            with progress("writing the table") as report:
                totals = self._write(groups, report)
            self._store.put(SUCCESS, [seal({**self._state, "totals": totals})])
            counts = (work_place(self._output, counter.name) for counter in self._plan.triangles)
            works = [*map(open_store, counts), work]
            for store in works:  # also files of another client that writes the same table
                for name in store.list():
                    if name.endswith((".npy", ".json")):
                        store.delete(name)
        for store in works:
            if isinstance(store, FolderStore):
                store.remove_folder()
        return totals

    def _totals_of_complete_table(self) -> dict[str, int] | None:
        """Return the totals if the table is complete; raise WriteError if the folder holds another table."""
        if isinstance(self._store, FolderStore) and self._store.folder.exists() and not self._store.folder.is_dir():
            raise WriteError(f"{self._output}: is a file; expected the name of a folder")
        content = _read(self._store, SUCCESS)
        if content is None:
            return None
        totals: dict[str, int] | None = content.pop("totals", None)
        if content != self._state:
            raise WriteError(f"{self._output}: holds a table of another graph or of other measures; choose a new name")
        return totals

    def _begin(self) -> None:
        """Check that the folder is empty or holds an unfinished table of the same graph and measures."""
        state = _read(self._work, _STATE)
        if state is None:
            others = [name for name in self._store.list() if name not in (WORK, "")]
            if others:
                raise WriteError(f"{self._output}: holds a file of something else ({others[0]}); choose a new name")
            self._work.put(_STATE, [seal(self._state)])
        elif state != self._state:
            raise WriteError(
                f"{self._output}: holds an unfinished table of another graph or of other measures; remove it, or "
                "choose a new name"
            )

    def _count(self, count: CountInto) -> dict[str, list[StoredGroup]]:
        """Count over triangles, and return the stored sums of each count."""
        found: dict[str, list[StoredGroup]] = {}
        for counter in self._plan.triangles:
            place = work_place(self._output, counter.name)
            if not is_url(place):
                make_folder(Path(place))
            sums = StoredSums(place, self._tiles.fingerprint)
            count(counter, sums)
            found[counter.name] = sums.groups
        return found

    def _write(self, sums: dict[str, list[StoredGroup]], progress: Progress | None) -> dict[str, int]:
        """Write the files of all ranges, and return the totals."""
        layout = self._tiles.layout
        task = TableTask(address_of(self._tiles, layout.vertices), self._output, self._plan, {}, {})
        for name in (edge_count.counter.name for edge_count in self._plan.edges):
            calls = [(store_values, task, name, i) for i in range(layout.ranges)]
            files = self._pool.results(len(calls), calls.__getitem__)
            task = replace(task, values={**task.values, name: dict(enumerate(files))})

        parts = sorted(self._parts(), key=self._size, reverse=True)  # so that no long task is the last

        def write(number: int) -> tuple[Any, ...]:
            part = parts[number]
            of_part = {
                name: [group.files[part.at] for group in groups if part.at in group.files]
                for name, groups in sums.items()
            }
            return write_part, replace(task, sums=of_part), part

        totals: Counter[str] = Counter()
        for of_part in self._pool.results(len(parts), write, progress):
            totals.update(of_part)
        return dict(totals)

    def _parts(self) -> list[Part]:
        """Return the parts of the table: those of an earlier run of the same table, some of which may be written."""
        found = _read(self._work, _PARTS)
        if found is None:
            allowed = self._pool.allowed_bytes()
            parts = parts_of(self._tiles, self._plan, allowed, self._pool.threads)
            self._work.put(_PARTS, [seal({"parts": [list(astuple(part)) for part in parts]})])
            return parts
        return [Part(*part) for part in found["parts"]]

    def _size(self, part: Part) -> int:
        """Return the number of rows of a part."""
        return (
            int(self._tiles.layout.tile_edges[tile_of_number(part.at)])
            if self._plan.entries
            else part.last - part.first
        )


def _read(store: TileStore, name: str) -> dict[str, Any] | None:
    """Return a sealed object, None if there is none."""
    try:
        return unseal(store.refresh(name).tobytes())
    except MissingFileError:
        return None
    except ValueError as error:
        raise ReadError(f"{store.place}/{name}", f"is damaged: {error}; remove the folder to count again") from None


# What the tasks have in common, and the tasks


@record
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
        Stored values of the counts over edges that come before.
    """

    tiles: TileAddress
    output: str
    plan: TablePlan
    sums: Mapping[str, list[StoredFile]]
    values: Mapping[str, ValueFiles]


@value_class
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
        return [Part(number, number) for number in range(len(layout.tiles))]
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
    values = _edge_values(
        open_stored(task.tiles), count.counter, i, lambda r: [_stored_values(task, each, r) for each in count.inputs]
    )
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
    found = {count.counter.name: _edge_values(tiles, count.counter, i, lambda _: []) for count in counts}
    layout = tiles.layout
    return function(RangeValues(layout.vertices, layout.edges, layout.arcs, tiles.degree(i), found))


def _write(task: TableTask, part: Part) -> Totals:
    tiles, plan, i = open_stored(task.tiles), task.plan, part.at
    layout, rows = tiles.layout, slice(part.first, part.last)
    needed = _row_bytes(plan) * (part.last - part.first) + _RANK_BYTES * layout.length(i)
    rows_of = f"{part.last - part.first:,} of {layout.length(i):,} vertices of a range"
    check_bytes(needed, f"writing the {rows_of}")
    degree = tiles.degree(i)[rows]
    counts: dict[str, Int64Array] = {}
    for counter in plan.triangles:
        counts[counter.name] = _stored_sums(task, counter, counter.range_shape(layout, i))[rows]
    for count in plan.edges:
        counts[count.counter.name] = _stored_values(task, count.counter.name, i)[rows]
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
    tiles, (i, j) = open_stored(task.tiles), tile_of_number(part.at)
    layout, counter = tiles.layout, task.plan.triangles[0]
    edges = int(layout.tile_edges[i, j])
    # The tile, its counts, the vertices and labels of both ends, as columns and as bytes of the file.
    needed = 64 * edges + 24 * (layout.length(i) + layout.length(j))
    check_bytes(needed, f"writing the {edges:,} edges of a tile")
    tile = tiles.tile(i, j)
    counts = _stored_sums(task, counter, tile.indices.shape)
    rows = rows_of_entries(tile.indptr)
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
    found = int_zeros(shape)
    add_stored(work_place(task.output, counter.name), task.sums[counter.name], found)
    return found


def _stored_values(task: TableTask, name: str, i: int) -> Int64Array:
    """Return the stored values of a count over edges at the ranks of range `i`."""
    return read_array(open_store(work_place(task.output)), *task.values[name][i])


def _edge_values(
    tiles: StoredTiles, counter: PartCounter, r: int, inputs_at: Callable[[int], list[Int64Array]]
) -> Int64Array:
    """Count over the edges of range `r`: the tiles that have it as their rows, then those that have it as columns."""
    layout = tiles.layout
    source = tiles if counter.values is None else valued(tiles.with_weights(), counter.values)
    values = int_zeros(counter.range_shape(layout, r))
    for i, j in [*((r, j) for j in range(r + 1)), *((i, r) for i in range(r + 1, layout.ranges))]:
        if not layout.tile_edges[i, j]:
            continue
        ends = (i,) if i == j else (j, i)
        inputs = tuple(map(np.concatenate, zip(*map(inputs_at, ends), strict=True)))
        for first, shares in count_tile_in(source, i, j, counter, inputs):
            if first == layout.cuts[r] and len(shares) == len(values):
                values += shares
    return values


def _row_bytes(plan: TablePlan) -> int:
    """Return the bytes that a vertex of a part takes."""
    columns = sum(counter.columns for counter in plan.triangles) + sum(count.counter.columns for count in plan.edges)
    return _COPIES * 8 * (columns + 3)
