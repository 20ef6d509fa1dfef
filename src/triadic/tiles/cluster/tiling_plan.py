"""The plan of tiling on a cluster: chunks of the input, partitions of the ids, and the rank of each degree."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import show_bytes
from triadic.core.oriented import int_zeros, starts_of
from triadic.core.records import value_class
from triadic.errors import OutOfMemoryError, TriadicError
from triadic.io.graph_names import warn_of_graphs
from triadic.io.parquet_set import chunks_of, inspect
from triadic.tiles.cluster.chunk_tasks import Ranking
from triadic.tiles.cluster.tile_transfer import PROCESS_BYTES, task, task_bytes
from triadic.tiles.partition import FLOOR_BYTES, DegreeCounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.array_types import Int64Array
    from triadic.io.format import ReadOptions
    from triadic.io.parquet_file import Footer
    from triadic.io.parquet_set import ChunkPart, SetFile

    Ids = Int64Array
    DegreeTable = tuple[Ids, Ids]  # different degrees, rising, and the number of vertices of each

# Bytes for a row of a chunk: both ends as they are read, as numbers and as keys; a row of names has more.
_ROW_BYTES, _NAMED_ROW_BYTES, _WEIGHT_BYTES = 128, 512, 32  # and its weight as it is read, in order and by cell
MOST_FINE, _FINE_PER_RANGE = 128, 2  # the pieces of all chunks together have runs that are long enough to be read
_LEAST_ROWS, _MOST_ROWS = 1 << 16, 1 << 28
# Each chunk tells partitions its different ids, which are fewer for each row if chunks are longer; and each task of a
# later stage reads a part of each chunk's file. But chunks of four million rows reuse the memory of the chunk before.
_CHUNKS_PER_THREAD, _HANDY_ROWS, _MANY_CHUNKS = 2, 1 << 22, 1 << 9
# Bytes for an id of a partition; at worst each end of an edge is another vertex, in most networks an eighth. And for a
# number of a partition that is a vertex because the number of vertices is known.
_ID_BYTES, _NAME_BYTES, _VERTEX_BYTES = 16, 64, 40
_MOST_PARTITIONS = 1 << 10
_IDS_IN_PARTITION = 1 << 13  # smaller partitions are not worth a task
# Numbers of ids that are sampled, to cut the numbers into partitions of about as many ids.
_SAMPLED_CHUNKS, SAMPLED_IDS, _SAMPLED_ROWS = 24, 1 << 12, 1 << 15


@value_class
class TilingPlan:
    """How the input is cut.

    Attributes
    ----------
    rows : list of list of int
        Number of rows of each row group of each file.
    chunk_rows : int
        Most rows of a chunk.
    partitions : int
        Number of partitions of the ids.
    splits : list of int or None
        First number of each partition of numbers, except the first one; None for names.
    columns : list of str
        Columns of the ends, and of the weights if they are read.
    taken : str
        Which columns are read, in words.
    numeric : bool
        Whether all ids are numbers.
    stated : int or None
        Number of vertices that files state.
    directed : bool
        Whether tiles have directions.
    decided : str
        How the direction was decided.
    """

    rows: list[list[int]]
    chunk_rows: int
    partitions: int
    splits: list[int] | None
    columns: list[str]
    taken: str
    numeric: bool
    stated: int | None
    directed: bool
    decided: str

    def chunks(self, files: Sequence[SetFile]) -> list[list[ChunkPart]]:
        """Return the chunks of the files."""
        return chunks_of(files, self.rows, self.chunk_rows)


@task
def inspect_files(files: Sequence[SetFile], options: ReadOptions) -> list[Footer]:
    """Read the footers of some files."""
    return [inspect(file, options) for file in files]


def task_memory(asked: int, of_thread: int | None) -> int:
    """Return the bytes that a task may hold.

    Raises
    ------
    OutOfMemoryError
        Tasks have too little memory.
    """
    least = f"a task takes at least {show_bytes(2 * FLOOR_BYTES)}"
    allowed = asked if of_thread is None else task_bytes(of_thread)
    if of_thread is not None and allowed < 2 * FLOOR_BYTES:
        raise OutOfMemoryError(
            f"a thread of a worker has {show_bytes(of_thread)}: {least} beside {show_bytes(PROCESS_BYTES)} of the "
            "interpreter and its libraries; give the workers more memory"
        )
    if asked < 2 * FLOOR_BYTES:
        raise OutOfMemoryError(f"memory={show_bytes(asked)}: {least}; allow more")
    return min(asked, allowed) - FLOOR_BYTES


def agree(files: Sequence[SetFile], footers: Sequence[Footer], options: ReadOptions) -> None:
    """Raise a ReadError unless all files have the same columns and state no different directions.

    Warns if a column that is not read may name the graph of each edge: the warnings of workers are not seen.
    """
    first = None
    graphs = next((footer.graphs for footer in footers if footer.graphs is not None), None)
    if graphs is not None:
        warn_of_graphs(graphs)
    for file, footer in zip(files, footers, strict=True):
        if footer.columns != footers[0].columns:
            raise _differs(file, "columns", files[0], footer.columns, footers[0].columns)
        if footer.directed is None or options.directed is not None:
            continue
        if first is not None and footer.directed != first[1]:
            words = ("undirected", "directed")
            raise _differs(file, "directions", first[0], (words[footer.directed],), (words[first[1]],))
        first = first or (file, footer.directed)


def _differs(
    file: SetFile, what: str, before: SetFile, found: tuple[str, ...], expected: tuple[str, ...]
) -> TriadicError:
    remedy = "name the columns with source= and target=" if what == "columns" else "state one with directed="
    return file.error(
        f"has other {what} than {before.path} ({' and '.join(found)}, not {' and '.join(expected)}); {remedy}"
    )


def make_plan(footers: Sequence[Footer], options: ReadOptions, memory: int, threads: int) -> TilingPlan:
    """Choose the sizes of chunks and the number of partitions; `splits` is empty and is filled later."""
    rows = [list(footer.rows) for footer in footers]
    edges = sum(map(sum, rows))
    numeric = all(footer.numeric for footer in footers)
    of_row = row_bytes(numeric=numeric, weighted=options.wants_weights)
    chunk_rows = rows_of_chunk(edges, memory // of_row, threads)
    stated = max((footer.vertices for footer in footers if footer.vertices is not None), default=None)
    known = options.num_vertices or stated or 0
    # A partition can have twice its share of the known numbers, see `splits_of`.
    needed = 2 * edges * (_ID_BYTES if numeric else _NAME_BYTES) + 2 * known * _VERTEX_BYTES
    useful = max(1, (2 * edges + known) // _IDS_IN_PARTITION)
    partitions = min(max(2 * threads, -(-needed // max(memory, 1))), useful, _MOST_PARTITIONS)
    written = next((footer.directed for footer in footers if footer.directed is not None), None)
    directed, decided = options.direction(written)
    if decided == "given" and options.directed is None:
        decided = "stated"
    columns, taken = (list(footers[0].columns), footers[0].taken) if footers else ([], "")
    return TilingPlan(
        rows, chunk_rows, partitions, [] if numeric else None, columns, taken, numeric, stated, directed, decided
    )


def row_bytes(*, numeric: bool, weighted: bool) -> int:
    """Return the bytes that a row of a chunk takes."""
    return (_ROW_BYTES if numeric else _NAMED_ROW_BYTES) + (_WEIGHT_BYTES if weighted else 0)


def rows_of_chunk(edges: int, fitting: int, threads: int) -> int:
    """Return the most rows of a chunk, of which `fitting` fit into the memory of a task."""
    useful = min(-(-edges // (_CHUNKS_PER_THREAD * threads)), max(_HANDY_ROWS, -(-edges // _MANY_CHUNKS)))
    return max(1, min(max(1 << 14, min(fitting, _MOST_ROWS)), max(_LEAST_ROWS, useful)))


def least_fine(ranges: int) -> int:
    """Return the least number of fine ranges that are joined to at least some ranges."""
    return min(_FINE_PER_RANGE * ranges, MOST_FINE)


def sampled_chunks(chunks: Sequence[Sequence[ChunkPart]]) -> list[list[ChunkPart]]:
    """Return the first rows of some chunks, at equal distances."""
    chosen = np.unique(np.linspace(0, len(chunks) - 1, min(_SAMPLED_CHUNKS, len(chunks))).astype(int))
    first = [chunks[k][0] for k in chosen]
    return [[replace(part, stop=min(part.stop, part.start + _SAMPLED_ROWS))] for part in first]


def splits_of(samples: Sequence[Ids], partitions: int, known: int) -> list[int]:
    """Return numbers that cut the sampled numbers into `partitions` parts of equal size.

    If the numbers below `known` are vertices, as many of them, at equal distances, are cut with the sampled ones: so no
    part has more than twice its share of either.
    """
    evenly = np.linspace(0, known, sum(map(len, samples)) if known else 0, endpoint=False).astype(np.int64)
    every = np.sort(np.concatenate([*samples, evenly]))
    if len(every) == 0:
        return [0] * (partitions - 1)
    return [int(every[len(every) * k // partitions]) for k in range(1, partitions)]


def rankings(merged: Sequence[DegreeTable], vertices: int) -> tuple[list[Ranking], DegreeCounts]:
    """Return how each partition ranks its vertices, and how many of all vertices have each degree.

    Parameters
    ----------
    merged : sequence of DegreeTable
        Degrees of the vertices of each partition; the partitions are in the order of vertices.
    vertices : int
        Number of all vertices; those that are in no partition are last, and have degree 0.
    """
    greatest = max((int(degrees[-1]) for degrees, _ in merged if len(degrees)), default=0)
    most = min(greatest, max(vertices, 1 << 20))  # as on one machine
    clipped = [_clipped(*part, most) for part in merged]
    values = np.unique(np.concatenate([*(part[0] for part in clipped), int_zeros(1)]))[::-1]
    totals = int_zeros(len(values))
    places = [len(values) - 1 - np.searchsorted(values[::-1], part[0]) for part in clipped]
    for place, (_, counts) in zip(places, clipped, strict=True):
        totals[place] += counts
    first = np.cumsum(totals) - totals
    result, before = [], 0
    for place, (degrees, counts) in zip(places, clipped, strict=True):
        result.append(Ranking(degrees[::-1], first[place][::-1].copy(), most, before))
        first[place] += counts
        before += int(counts.sum())
    totals[-1] += vertices - before
    occurs = totals > 0
    return result, DegreeCounts(values[occurs], totals[occurs])


def _clipped(degrees: Ids, numbers: Ids, most: int) -> DegreeTable:
    distinct, first = np.unique(np.minimum(degrees, most), return_index=True)  # they rise
    return distinct, np.add.reduceat(numbers, first)


def order_ranges(names: Ids, partitions: int) -> list[range]:
    """Cut the chunks into about `partitions` runs with about equal numbers of new names."""
    before = starts_of(names)
    marks = before[-1] * np.arange(1, partitions) / partitions
    cuts = np.unique(np.concatenate([[0], np.searchsorted(before, marks), [len(names)]]))
    return [range(a, b) for a, b in itertools.pairwise(cuts.tolist())]
