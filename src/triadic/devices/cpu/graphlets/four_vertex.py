"""Squares, and all counts of four vertices that the graphlet transform is made from, on the CPU.

Computes: triangles, diamonds off their chord, squares, tetrahedra, and sums over neighbours and edges, at each rank.
Requires: an oriented graph.
Idea: one preparation serves all passes: supports, tetrahedra, diamonds (`supports`), squares, sums
  (`vertex_arrays`). All other graphlets of up to four vertices follow by arithmetic. Where all degrees are small, one
  walk from each vertex is faster (`short_rows`).
Cost: the sum of the passes.

Squares on the CPU, that is, 4-cycles with or without chords, at each vertex.

Computes: for each u the squares u - v - w - v' in which u has the smallest rank, the highest degree; added at all four.
Requires: rows and lists (`middle_lists`, from the first entry of each row on), and the place of each list's entry in
  its row; `paths` of shape (n, 2), zero at first; no loops, no repeats.
Idea: the squares of u and w are the pairs of 2-paths between them. Count the 2-paths u - v - w, v and w of larger rank
  than u; then read them again: at each, the other paths to the same w are squares, for w and v. Counts of one u begin
  at `tag`, above all counts of the vertices before, so that nothing is cleared. A count and the squares of w stand side
  by side in memory.
Cost: two sweeps over 2-paths, at most Sum over edges of the smaller degree. 16 bytes a vertex a worker.

References
----------
Floros, Pitsianis and Sun (2020), Fast graphlet transform of sparse graphs, IEEE HPEC. Chiba and Nishizeki (1985), SIAM
Journal on Computing 14, 210 (algorithm C4), for 2-paths from the vertex of highest degree; Wang, Lin, Qin, Zhang and
Zhang (2019), PVLDB 12, 1139, for the same priority on bipartite graphs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split
from triadic.core.compiled import kernel
from triadic.core.graphlets import GraphletCounts
from triadic.core.oriented import as_unsigned
from triadic.devices.cpu.graphlets import short_rows
from triadic.devices.cpu.intrinsics import AHEAD_PATH_ENTRIES, AHEAD_PATH_ROW, prefetch
from triadic.devices.cpu.list_walk import position
from triadic.devices.cpu.orient.middle_lists import MiddleLists, middle_lists
from triadic.devices.cpu.triangles.supports import Neighbourhoods, bytes_of_neighbourhoods
from triadic.devices.cpu.vertex_arrays import neighbour_sums, sum_over_rows, summed, support_sums, zeros

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented, Sizes

    Ids = UnsignedArray

_TRIANGLES, _SQUARES = 1.0, 1.0  # shares of the work, for progress
_NONE = np.empty(0, dtype=np.int32)
# Up to this many 2-paths of one u are listed during the first sweep, so that the second sweep reads no rows.
FEW = 64

_BLOCK = 1 << 23  # aimed block, in 2-paths: some 40 ms
_BLOCKS_PER_THREAD = 16
_VERTEX = 8  # cost of a vertex beside its 2-paths, in 2-paths


def bytes_by_triangles(sizes: Sizes, threads: int) -> int:
    """Return the bytes of supports, with four times as much for each thread: diamonds, tetrahedra and neighbours."""
    return bytes_of_neighbourhoods(sizes, 4 * threads)


def by_vertex(
    oriented: Oriented, *, threads: int, progress: Progress | None = None, chunk_bytes: int | None = None
) -> GraphletCounts:
    """Count at each rank the subgraphs that all graphlets of up to four vertices follow from."""
    if chunk_bytes is None and short_rows.fits(oriented):
        return short_rows.by_vertex(oriented, threads=threads, progress=progress)
    n, m = oriented.num_vertices, oriented.num_edges
    neighbourhoods = Neighbourhoods(oriented, threads=threads, chunk_bytes=chunk_bytes)
    report = split(progress, [_TRIANGLES, _SQUARES])
    support, off_chord, tetrahedra = _by_triangles(neighbourhoods, n, m, report[0])
    lists, place = neighbourhoods.lists, neighbourhoods.place
    del neighbourhoods  # frees the bits before squares take memory
    at_squares = squares_from(oriented, lists, place, threads=threads, progress=report[1])
    edge_sums = support_sums(oriented, support, threads=threads)
    k, triangles = oriented.degree, edge_sums[:, 0] >> 1
    near = neighbour_sums(oriented, np.stack([k, (k - 1) * (k - 2) // 2, triangles], axis=1), threads=threads)
    ends = neighbour_sums(oriented, (near[:, 0] - k)[:, None], threads=threads)
    return GraphletCounts(
        triangles=triangles,
        off_chord=off_chord,
        squares=at_squares,
        tetrahedra=tetrahedra,
        support_pairs=edge_sums[:, 1],
        support_degrees=edge_sums[:, 2],
        near_degrees=near[:, 0],
        near_pairs=near[:, 1],
        near_triangles=near[:, 2],
        path_ends=ends[:, 0],
    )


def _by_triangles(
    neighbourhoods: Neighbourhoods, n: int, m: int, progress: Progress | None
) -> tuple[Int32Array, Int64Array, Int64Array]:
    """Return the support of each entry, and the off-chord diamonds and the tetrahedra at each rank."""
    chunks, threads = range(neighbourhoods.chunks), neighbourhoods.threads
    reports = iter(split(progress, [1.0] * 4 * len(chunks)))
    support = np.zeros(m, dtype=np.int32)
    tetrahedra, off_chord = zeros(threads, n, np.int64), zeros(threads, n, np.int64)
    for number in chunks:
        chunk = neighbourhoods.join(number, support, next(reports))
        neighbourhoods.add_supports(chunk, support)
        neighbourhoods.add_tetrahedra(chunk, tetrahedra, next(reports))
    for number in chunks:  # diamonds need the supports of all chunks
        chunk = neighbourhoods.join(number, _NONE, next(reports))
        neighbourhoods.add_off_chord(chunk, support, off_chord, next(reports))
    return support, summed(off_chord), summed(tetrahedra)


def squares_by_vertex(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> Int64Array:
    """Count the squares at each rank: int64, shape (n,)."""
    indptr, indices = oriented.indptr, as_unsigned(oriented.indices)
    lists = middle_lists(indptr, indices, indptr[:-1], threads=threads)
    place = np.empty(oriented.num_edges, dtype=np.int32)
    cuts = blocks.cut(lists.ptr, 1 << 18, most=1 << 20)
    blocks.run(
        lambda _, b: find_places(indptr, indices, lists.ptr, lists.ends, cuts[b], cuts[b + 1], place),
        len(cuts) - 1,
        threads=threads,
    )
    return squares_from(oriented, lists, place, threads=threads, progress=progress)


def squares_from(
    oriented: Oriented,
    lists: MiddleLists,
    place: Int32Array,
    *,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the squares at each rank, from the lists of all entries and the entries' places in their rows."""
    indptr, indices = oriented.indptr, as_unsigned(oriented.indices)

    def add_costs(first: int, last: int, sums: Int64Array) -> None:
        path_costs(indptr, indices, oriented.degree, first, last, sums[:, 0])

    number = sum_over_rows(indptr, 1, add_costs, threads=threads).ravel()
    cost = np.concatenate([[0], np.cumsum(number + _VERTEX)])
    aim = max(1, min(_BLOCK, int(cost[-1]) // (threads * _BLOCKS_PER_THREAD)))
    cuts = blocks.cut(cost, aim, most=1 << 16)
    paths = zeros(threads, (oriented.num_vertices, 2), np.int64)
    listed = zeros(threads, (FEW, 2), np.int64)
    tag = [0] * threads

    def task(worker: int, b: int) -> None:
        tag[worker] = add_squares(
            indptr, indices, lists.ptr, lists.ends, place, number, cuts[b], cuts[b + 1], tag[worker], paths[worker],
            listed[worker],
        )  # fmt: skip

    blocks.run(task, len(cuts) - 1, threads=threads, costs=np.diff(cost[cuts]), progress=progress)
    return summed([sums[:, 1] for sums in paths]) >> 1


@kernel
def add_squares(
    indptr: Int64Array,
    indices: Ids,
    ptr: Int64Array,
    ends: Ids,
    place: Int32Array,
    number: Int64Array,
    first: int,
    last: int,
    tag: int,
    paths: Int64Array,
    listed: Int64Array,
) -> int:
    """Add to paths[:, 1] twice the squares at each vertex, for the u in the block; return the next tag.

    `number` holds the number of 2-paths of each u; `listed`, of shape (FEW, 2), is room for the paths of a u with few.
    """
    for u in range(first, last):
        if number[u] < 2:
            continue
        if number[u] <= FEW:
            add_from_few(indptr, indices, ptr, ends, place, ptr[u], ptr[u + 1], u, tag, paths, listed)
        else:
            add_from_many(indptr, indices, ptr, ends, place, ptr[u], ptr[u + 1], u, tag, paths)
        tag += ptr[u + 1] - ptr[u]
    return tag


@kernel
def add_from_many(
    indptr: Int64Array,
    indices: Ids,
    ptr: Int64Array,
    ends: Ids,
    place: Int32Array,
    start: int,
    stop: int,
    u: int,
    tag: int,
    paths: Int64Array,
) -> None:
    """Count the 2-paths of u through the middle vertices ends[start:stop], then read the rows again."""
    for i in range(start, stop):
        fetch_ahead(indptr, indices, ptr, ends, place, i)
        v = np.int64(ends[i])
        for p in range(indptr[v] + np.int64(place[i]) + 1, indptr[v + 1]):
            w = np.int64(indices[p])
            paths[w, 0] = max(paths[w, 0], tag) + 1
        for p in range(ptr[v], ptr[v + 1]):
            w = np.int64(ends[p])
            paths[w, 0] = max(paths[w, 0], tag) + 1
    at_u = 0
    for i in range(start, stop):
        v = np.int64(ends[i])
        at_v = 0
        for p in range(indptr[v] + np.int64(place[i]) + 1, indptr[v + 1]):
            w = np.int64(indices[p])
            others = paths[w, 0] - tag - 1
            at_v += others
            paths[w, 1] += others
        for p in range(ptr[v], ptr[v + 1]):
            w = np.int64(ends[p])
            others = paths[w, 0] - tag - 1
            at_v += others
            paths[w, 1] += others
        at_u += at_v
        paths[v, 1] += 2 * at_v
    paths[u, 1] += at_u


@kernel
def add_from_few(
    indptr: Int64Array,
    indices: Ids,
    ptr: Int64Array,
    ends: Ids,
    place: Int32Array,
    start: int,
    stop: int,
    u: int,
    tag: int,
    paths: Int64Array,
    listed: Int64Array,
) -> None:
    """Do as `add_from_many` does, but list each path during the first sweep."""
    found = 0
    for i in range(start, stop):
        fetch_ahead(indptr, indices, ptr, ends, place, i)
        v = np.int64(ends[i])
        for p in range(indptr[v] + np.int64(place[i]) + 1, indptr[v + 1]):
            w = np.int64(indices[p])
            paths[w, 0] = max(paths[w, 0], tag) + 1
            listed[found, 0] = v
            listed[found, 1] = w
            found += 1
        for p in range(ptr[v], ptr[v + 1]):
            w = np.int64(ends[p])
            paths[w, 0] = max(paths[w, 0], tag) + 1
            listed[found, 0] = v
            listed[found, 1] = w
            found += 1
    at_u = 0
    for i in range(found):
        w = listed[i, 1]
        others = paths[w, 0] - tag - 1
        if others > 0:
            paths[w, 1] += others
            paths[listed[i, 0], 1] += 2 * others
            at_u += others
    paths[u, 1] += at_u


@kernel
def fetch_ahead(indptr: Int64Array, indices: Ids, ptr: Int64Array, ends: Ids, place: Int32Array, i: int) -> None:
    """Request the places of the rows and lists of a later middle vertex, and the entries of a nearer one."""
    if i + AHEAD_PATH_ROW < ends.size:
        v = np.int64(ends[i + AHEAD_PATH_ROW])
        prefetch(indptr, v)
        prefetch(ptr, v)
        v = np.int64(ends[i + AHEAD_PATH_ENTRIES])
        prefetch(indices, indptr[v] + np.int64(place[i + AHEAD_PATH_ENTRIES]))
        prefetch(ends, ptr[v])


@kernel
def path_costs(indptr: Int64Array, indices: Ids, degree: Int64Array, first: int, last: int, cost: Int64Array) -> None:
    """Add to `cost` of each u the 2-paths u - v - w, v and w of larger rank, through the rows v in the block."""
    for v in range(first, last):
        beyond = degree[v]
        for i in range(indptr[v], indptr[v + 1]):
            beyond -= 1
            cost[np.int64(indices[i])] += beyond


@kernel
def find_places(
    indptr: Int64Array,
    indices: Ids,
    ptr: Int64Array,
    ends: Ids,
    first: int,
    last: int,
    place: Int32Array,
) -> None:
    """Find the places of the middle vertices `first` .. `last` - 1 in the rows of their ends."""
    for v in range(first, last):
        for k in range(ptr[v], ptr[v + 1]):
            u = np.int64(ends[k])
            place[k] = position(indices, indptr[u], indptr[u + 1], v) - indptr[u]
