"""The tasks that turn ids into ranks and edges into keys, without an array as long as the graph.

Ids are spread over partitions: numbers by ranges of numbers, names by their hash. Each chunk of the input tells each
partition its different ids and how often they occur (`count_ids`). A partition merges them to its vertices with their
degrees (`merge_numbers`, `merge_names`). The client adds up how many vertices of each partition have which degree. So
it knows the first rank of each degree in each partition, and a partition ranks its own vertices and answers each chunk
with the ranks of the ids that it told (`rank_numbers`, `rank_names`, `place_names`). Each chunk is then read again, and
its edges become keys that are bucketed by cell of the fine grid (`bucket_edges`).

Vertices are numbered as in memory: numbers in rising order, names in order of first appearance. Partitions of numbers
follow one another in this order. For names there is a second set of partitions, by the chunk of the first appearance
(`count_in_order`, `rank_names`). Vertices of equal degree are ranked in this order, so that the tiles are those of one
machine.

Pieces, with one part for each task of the stage that reads them:

::

    ids-CHUNK       for each partition: numbers and counts; or bytes of names, their lengths, counts, first appearances
    merged-P        numbers: ids of vertices and their degrees
                    names: for each chunk, the first appearances and degrees of the names that it is the first to hold
    named-K         names: for each partition, the ranks and vertices of its names of these chunks
    ranks-P         for each chunk, the ranks of the ids that it told
    placed-P        for each fine range: rank within the range, vertex, and label of the vertices in the range
    edges-CHUNK     for each cell of the fine grid, keys of the chunk's edges (`triadic.devices.cpu.orient.tile_cuts`),
                    and their weights if tiles have weights
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.oriented import NO_NUMBERS, int_empty, int_zeros, starts_of
from triadic.core.records import record
from triadic.devices.cpu.orient import tile_cuts as kernels
from triadic.devices.cpu.orient.rows import tally_ends
from triadic.errors import ReadError
from triadic.io.id_tallies import (
    ChangedNumbersError,
    ValuesOfNumbers,
    added_up,
    count_numbers,
    merged_names,
    names_of_rows,
    take_names,
)
from triadic.io.identifiers import UnusableIdError, arrays_of, to_array
from triadic.io.parquet_set import read_chunk, rows_in, tables_of_chunk
from triadic.tiles.cluster.tile_transfer import task
from triadic.tiles.work import narrow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triadic.core.array_types import AnyArray, Int64Array, Uint8Array
    from triadic.io.parquet_set import ChunkPart
    from triadic.tiles.cluster.pieces import Job
    from triadic.tiles.partition import Grid

    Ids = Int64Array
    Arcs = tuple[AnyArray, ...]
    Degrees = tuple[AnyArray, AnyArray]  # different degrees, rising, and the number of vertices of each

# A table of the numbers of a partition takes at most as many entries for each id that chunks told, whose bytes the
# number of partitions allows for.
_TABLE_ENTRIES = 2
_LEAST_TABLE = 1 << 16
_MERGED_AT_ONCE = 1 << 21
_SMALL_DEGREES = 1 << 16  # degrees that are counted by a table


@record
class Ranking:
    """How a partition ranks its vertices.

    Attributes
    ----------
    values : int64 array
        Degrees that occur in the partition, falling.
    first : int64 array
        Rank of the partition's first vertex of each degree.
    most : int
        Larger degrees are ranked as this one.
    vertices : int
        Number of vertices in the partitions before this one.
    """

    values: Ids
    first: Ids
    most: int
    vertices: int

    def rank(self, degree: Ids) -> tuple[Ids, Ids, Ids]:
        """Return the vertices of the partition in order of ranks, their ranks in this order, and each vertex's rank."""
        group = np.searchsorted(-self.values, -np.minimum(degree, self.most))
        group = group.astype(np.min_scalar_type(len(self.values)))  # numbers of 16 bits are sorted by their digits
        order = np.argsort(group, kind="stable")
        before = starts_of(np.bincount(group, minlength=len(self.values)))[:-1]
        rising = np.arange(len(order)) + (self.first - before)[group[order]]
        ranks = np.empty_like(order)
        ranks[order] = rising
        return order, rising, ranks


def partition_of_names(content: Uint8Array, ends: Ids, partitions: int) -> Ids:
    """Return the partition of each name."""
    hashes = np.empty(len(ends), np.uint64)
    kernels.hash_names(content, ends, hashes)
    return (hashes % np.uint64(partitions)).astype(np.int64)


def count_numbers_of(chunk: Sequence[ChunkPart], job: Job) -> tuple[Ids, Ids]:
    """Read a chunk whose ids are numbers; return the different ones, rising, and how often each occurs."""
    try:
        return count_numbers(tables_of_chunk(chunk, job.ends, numeric=True), rows_in(chunk))
    except UnusableIdError as error:
        raise _where(chunk, str(error)) from None


def _cut(cuts: Iterable[int], *columns: AnyArray) -> list[tuple[AnyArray, ...]]:
    """Return the parts of some columns from each cut to the next."""
    return [tuple(column[a:b] for column in columns) for a, b in pairwise(cuts)]


def _where(chunk: Sequence[ChunkPart], problem: str) -> ReadError:
    """Return the error for a chunk that may be of several files."""
    first, more = chunk[0].file, len({part.file.path for part in chunk}) - 1
    return first.error(problem if not more else f"this file or one of the next {more}: {problem}")


@task
def sample_numbers(job: Job, chunk: Sequence[ChunkPart], size: int) -> Ids:
    """Return about `size` of the different numbers of a chunk, at equal distances."""
    numbers = count_numbers_of(chunk, job)[0]
    return numbers[:: max(1, len(numbers) // size)]


@task
def count_ids(job: Job, number: int, chunk: Sequence[ChunkPart], splits: Ids | int) -> tuple[int, int]:
    """Tell each partition the different ids of a chunk; return the least and the greatest number, (0, -1) for names.

    `splits` are the first numbers of all partitions but one, or the number of partitions of names.
    """
    if isinstance(splits, int):
        _count_names(job, number, chunk, splits)
        return 0, -1
    labels, counts = count_numbers_of(chunk, job)
    cuts = [0, *np.searchsorted(labels, splits).tolist(), len(labels)]
    short, counts = narrow(labels), narrow(counts)
    job.put("ids", number, parts=_cut(cuts, short, counts))
    return (int(labels[0]), int(labels[-1])) if len(labels) else (0, -1)


def _count_names(job: Job, number: int, chunk: Sequence[ChunkPart], partitions: int) -> None:
    rows = read_chunk(chunk, job.ends)
    names = names_of_rows(rows["source"], rows["target"])
    del rows  # which may take more memory than the names
    counts = int_zeros(len(names.ends))
    for end in (names.source, names.target):
        tally_ends(end, counts)
    counts = narrow(counts)
    partition = partition_of_names(names.content, names.ends, partitions)
    order = np.argsort(narrow(partition), kind="stable")
    content, ends = take_names(names.content, names.ends, order)
    lengths, first = narrow(np.diff(ends, prepend=0)), narrow(names.first[order])
    cuts = np.searchsorted(partition[order], np.arange(partitions + 1))
    starts = np.concatenate([[0], ends])[cuts]
    parts = zip(_cut(starts, content), _cut(cuts, lengths, counts[order], first), strict=True)
    job.put("ids", number, parts=[(*of_names, *others) for of_names, others in parts])


@task
def merge_numbers(job: Job, number: int, limit: tuple[int, int], every: bool) -> Degrees:
    """Merge the numbers of a partition, which are from ``limit[0]`` to ``limit[1] - 1``; `every`: all are vertices.

    Returns the different degrees, and the number of vertices of each.
    """
    ids, degree = _merged_numbers(job, number, limit, every=every)
    job.put("merged", number, parts=[(narrow(ids), narrow(degree))])
    return degree_counts(degree)


def _merged_numbers(job: Job, number: int, limit: tuple[int, int], *, every: bool) -> tuple[Ids, Ids]:
    """Return the different numbers of a partition, rising, and how often each occurs in the input."""
    least, size = limit[0], limit[1] - limit[0]
    index = job.index("ids", number)
    told = job.read("ids", index)
    if every or size <= max(_TABLE_ENTRIES * int(index["lengths"][:, 0, 0].sum()), _LEAST_TABLE):
        table = int_zeros(size)
        for ids, counts in told:
            kernels.add_counts(ids.astype(np.int64), counts.astype(np.int64), least, table)
        found = np.arange(size) if every else np.flatnonzero(table > 0)
        return found + least, table if every else table[found]
    lists = [(NO_NUMBERS,) * 2]  # the first one is merged
    for ids, counts in told:
        lists.append((ids.astype(np.int64), counts.astype(np.int64)))
        if sum(len(waiting) for waiting, _ in lists[1:]) >= max(_MERGED_AT_ONCE, len(lists[0][0])):
            lists = [_merge(lists)]
    return _merge(lists)


def _merge(parts: list[tuple[Ids, Ids]]) -> tuple[Ids, Ids]:
    """Merge lists of rising numbers, and add up their counts."""
    return added_up(*map(np.concatenate, zip(*parts, strict=True)))


def degree_counts(degree: Ids) -> Degrees:
    """Return the different degrees, rising, and the number of vertices of each."""
    table = np.bincount(degree[degree < _SMALL_DEGREES], minlength=1)
    small = np.flatnonzero(table)
    large, counts = np.unique(degree[degree >= _SMALL_DEGREES], return_counts=True)
    return np.concatenate([small, large]), np.concatenate([table[small], counts])


@task
def merge_names(job: Job, number: int) -> Ids:
    """Merge the names of a partition; write for each chunk the first appearances and degrees of its new names.

    Returns the number of new names of each chunk.
    """
    _, codes, parts = _merged_names(job, number)
    distinct = int(codes.max(initial=-1)) + 1
    degree = int_zeros(distinct)
    first = int_zeros(distinct)
    news, before, start = [], 0, 0
    for lengths, counts, appearances in parts:  # new names have the next numbers, in order
        here = codes[start : start + len(lengths)]
        start += len(lengths)
        degree[here] += counts
        new = here >= before
        first[here[new]] = appearances[new]
        news.append(int(np.count_nonzero(new)))
        before += news[-1]
    cuts = np.cumsum([0, *news])
    job.put("merged", number, parts=_cut(cuts, narrow(first), narrow(degree)))
    return np.array(news)


def _merged_names(
    job: Job, number: int
) -> tuple[tuple[Uint8Array, Ids], Ids, list[tuple[AnyArray, AnyArray, AnyArray]]]:
    """Return the different names of a partition in order of appearance, the number of each entry, and other columns."""
    names, others = [], []
    for content, lengths, counts, first in job.parts("ids", number):
        names.append((content, np.cumsum(lengths, dtype=np.int64)))
        others.append((lengths, counts, first))
    merged, codes = merged_names(names)
    return merged, codes, others


@task
def count_in_order(job: Job, chunks: range) -> Degrees:
    """Return the degrees of the names that appear first in some chunks, and the number of names of each."""
    degree = [degree for chunk in chunks for _, degree in job.parts("merged", chunk)]
    return degree_counts(np.concatenate(degree).astype(np.int64))


@task
def rank_names(job: Job, number: int, chunks: range, ranking: Ranking) -> None:
    """Rank the names that appear first in some chunks, and tell each partition the ranks and vertices of its names."""
    partitions, degrees = [], []
    for chunk in chunks:
        read = list(job.parts("merged", chunk))  # of each partition
        first = np.concatenate([part[0] for part in read])
        partition = np.repeat(np.arange(len(read)), [len(part[0]) for part in read])
        order = np.argsort(first)  # the first appearances in a chunk are different
        partitions.append(partition[order])
        degrees.append(np.concatenate([part[1] for part in read])[order])
    partition, degree = np.concatenate(partitions), np.concatenate(degrees).astype(np.int64)
    ranks = ranking.rank(degree)[2]
    order = np.argsort(narrow(partition), kind="stable")
    cuts = np.searchsorted(partition[order], np.arange(job.partitions + 1))
    job.put("named", number, parts=_cut(cuts, narrow(ranks[order]), narrow(order + ranking.vertices)))


@task
def place_names(job: Job, number: int, orders: int, cuts: Ids) -> None:
    """Answer each chunk with the ranks of its names in a partition, and tell fine ranges their vertices and names.

    `orders` is the number of tasks that have ranked names.
    """
    (content, ends), codes, parts = _merged_names(job, number)
    read = zip(*job.parts("named", number, pieces=orders), strict=True)
    ranks, vertices = (np.concatenate(column).astype(np.int64) for column in read)
    order = np.argsort(ranks)
    content, ends = take_names(content, ends, order)
    lengths = narrow(np.diff(ends, prepend=0))
    fine = np.searchsorted(ranks[order], cuts)
    within = ranks[order] - np.repeat(cuts[:-1], np.diff(fine))
    placed = zip(
        _cut(fine, narrow(within), narrow(vertices[order])),
        _cut(np.concatenate([[0], ends])[fine], content),
        _cut(fine, lengths),
        strict=True,
    )
    split = np.cumsum([0, *(len(part[0]) for part in parts)])
    job.put("ranks", number, parts=_cut(split, narrow(ranks)[codes]))
    job.put("placed", number, parts=[(*places, *of_names, *sizes) for places, of_names, sizes in placed])


@task
def rank_numbers(job: Job, number: int, ranking: Ranking, cuts: Ids, labelled: bool) -> None:
    """Rank the numbers of a partition, answer each chunk, and tell fine ranges their vertices and labels."""
    ids, degree = (array.astype(np.int64) for array in job.of_piece("merged", number)[0])
    order, rising, ranks = ranking.rank(degree)
    fine = np.searchsorted(rising, cuts)
    within = rising - np.repeat(cuts[:-1], np.diff(fine))
    columns = [narrow(within), narrow(order + ranking.vertices), *([narrow(ids[order])] if labelled else [])]
    least = int(ids[0]) if len(ids) else 0
    values = ValuesOfNumbers([ids - least], [ranks], len(ids))
    places = (values.places(part[0].astype(np.int64) - least) for part in job.parts("ids", number))
    job.put("ranks", number, parts=[(values.table[place],) for place in places])
    job.put("placed", number, parts=_cut(fine, *columns))


# Edges as keys


@task
def bucket_edges(job: Job, number: int, chunk: Sequence[ChunkPart], grid: Grid) -> tuple[int, Int64Array]:
    """Read a chunk again, replace its ids by ranks, and bucket its edges by cell of the fine grid.

    Returns the number of loops, and the number of keys of each cell.
    """
    of_ids = [part[0] for part in job.parts("ranks", number)]
    rows = rows_in(chunk)
    keys, cells = int_empty(rows), np.empty(rows, np.uint16)
    counts, sums = int_zeros(grid.cells), int_zeros(grid.cells)
    weights = np.empty(rows if job.weighted else 0)
    added, range_of = 0, grid.range_of()
    if job.numeric:
        told = job.of_piece("ids", number, last=job.partitions)
        values = ValuesOfNumbers([part[0] for part in told], of_ids, rows)
        del told, of_ids
        pieces: Iterable[Arcs] = _places_in(chunk, job, values)
        rank = values.table
    else:
        pieces, rank = _names_in(chunk, job, of_ids)
    for source, target, *given in pieces:
        new = kernels.rank_arcs(
            source, target, rank, grid.shift, range_of, grid.cuts, keys[added:], cells[added:], counts, sums
        )
        if given:
            weights[added : added + new] = given[0][source != target]
        added += new
    del pieces, rank
    if keys[:added].min(initial=0) < 0:  # an id without a rank
        raise _changed(chunk)
    ends = np.cumsum(counts)
    grouped: list[AnyArray] = []
    for column in (keys, weights)[: 1 + job.weighted]:
        grouped.append(np.empty(added, column.dtype))
        kernels.group_by_cell(column[:added].view(np.int64), cells, ends - counts, grouped[-1].view(np.int64))
    job.put("edges", number, parts=_cut([0, *ends], *grouped))
    return rows - added, counts


def _places_in(chunk: Sequence[ChunkPart], job: Job, values: ValuesOfNumbers) -> Iterator[Arcs]:
    """Yield the places of the ends of a chunk's edges, and perhaps their weights, table by table."""
    try:
        for table in tables_of_chunk(chunk, job.columns, numeric=True):
            weights, start = to_array(table["weight"], np.float64) if job.weighted else None, 0
            ends = zip(arrays_of(table["source"]), arrays_of(table["target"]), strict=True)
            for source, target in ends:
                places = values.places(source), values.places(target)
                yield places if weights is None else (*places, weights[start : start + len(source)])
                start += len(source)
    except ChangedNumbersError:
        raise _changed(chunk) from None


def _names_in(chunk: Sequence[ChunkPart], job: Job, of_names: list[Ids]) -> tuple[list[Arcs], Ids]:
    """Return the numbers of the names at the ends of a chunk's edges, perhaps weights, and the rank of each name."""
    table = read_chunk(chunk, job.columns)
    names = names_of_rows(table["source"], table["target"])
    if len(names.ends) != sum(map(len, of_names)):
        raise _changed(chunk)
    order = np.argsort(narrow(partition_of_names(names.content, names.ends, job.partitions)), kind="stable")
    rank = int_empty(len(order))
    rank[order] = np.concatenate(of_names)
    weights = (to_array(table["weight"], np.float64),) if job.weighted else ()
    return [(names.source, names.target, *weights)], rank


def _changed(chunk: Sequence[ChunkPart]) -> ReadError:
    return ReadError(chunk[0].file.path, "was changed while it was read; run the same command again")
