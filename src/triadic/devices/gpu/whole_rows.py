"""What counts of five vertices read on a device: whole rows, the triangles at each edge, and tables of pairs.

Whole rows have for each rank all its neighbours, and the number of the edge to each (whole_rows.c). The triangles at
each edge are listed (edge_triangles.c). A table has the vertices within two steps of a vertex; those of a batch of
vertices are in the device's memory at the same time (pair_table.h).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.devices.gpu.rows import lists_on, rows_on
from triadic.devices.gpu.tasks import cut_by
from triadic.devices.runtimes.runtime import Argument, Buffer, Runtime, Source, c_source, sums_before
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Int64Array
    from triadic.core.oriented import Oriented


_SOURCE = c_source("whole_rows", "search", "wide_sums")
_TRIANGLES = c_source("edge_triangles", "tasks", "search", "wide_sums")
_LOOKUPS = 1 << 30  # look-ups of a launch
# Kernels count pairs of triangles of a vertex in 64 bits, and twice its triangles in 32 bits.
_MOST_TRIANGLES = 1 << 31
LANES = 32  # the number of slots of a table is a multiple of it
_ALL = (1 << 32) - 1  # mask of a table with a slot for each vertex
# The tables of a batch take a quarter of the free memory, at most 4 GiB; a batch ends at 2**28 2-paths.
_SHARE_OF_FREE, _MOST_BYTES, _PATHS = 4, 1 << 32, 1 << 28


class WholeRows(NamedTuple):
    """Rows of all neighbours on a device; an edge has the number of its entry in the oriented rows.

    Attributes
    ----------
    runtime : Runtime
    first : int64 array, shape (n + 1,)
        `ptr` on the host.
    higher : int64 array, shape (n,)
        Number of neighbours of smaller rank, with which each row begins, on the host.
    indptr : int64 buffer, shape (n + 1,)
    indices : uint32 buffer, shape (m,)
        The oriented rows.
    sources : uint32 buffer, shape (m,)
        The end of larger rank of each edge; `indices` has the other end.
    ptr : int64 buffer, shape (n + 1,)
        Where the whole row of each rank begins.
    ends, edges, owners : uint32 buffers, shape (2 m,)
        Neighbours, rising within a row; their edges; the vertex whose row has the entry.
    places : uint32 buffer, shape (m,)
        The place of each edge in the whole row of its end of smaller rank.
    """

    runtime: Runtime
    first: Int64Array
    higher: Int64Array
    indptr: Buffer
    indices: Buffer
    sources: Buffer
    ptr: Buffer
    ends: Buffer
    edges: Buffer
    owners: Buffer
    places: Buffer

    @property
    def n(self) -> int:
        """Number of vertices."""
        return len(self.higher)

    @property
    def m(self) -> int:
        """Number of edges."""
        return len(self.indices)

    @property
    def degree(self) -> Int64Array:
        """The number of neighbours of each rank, on the host: int64, shape (n,)."""
        return np.diff(self.first)

    @property
    def of_entries(self) -> tuple[Buffer, ...]:
        """Parameters of kernels over entries: where both kinds of rows begin, their ends, edges and owners."""
        return self.indptr, self.ptr, self.ends, self.edges, self.owners


def whole_rows(runtime: Runtime, oriented: Oriented) -> WholeRows:
    """Make the whole rows of an oriented graph on a device."""
    n, m = oriented.num_vertices, oriented.num_edges
    rows = rows_on(runtime, oriented)
    lists = lists_on(runtime, oriented)
    runtime.check_room(f"all neighbours of {n:,} vertices", 8 * n, *[8 * m] * 3, 4 * m, 4 * m)
    begin, list_begin = runtime.download(rows.indptr), runtime.download(lists.ptr)
    first = begin + list_begin
    ptr = runtime.upload(first)
    ends, edges, owners = (runtime.empty(2 * m) for _ in range(3))
    places, sources = runtime.empty(m), runtime.empty(m)
    runtime.launch_teams(_SOURCE, "whole_rows", n, *rows, *lists, ptr, n, ends, edges, owners, places, sources)
    return WholeRows(runtime, first, np.diff(begin), *rows, sources, ptr, ends, edges, owners, places)


def numbers_of_paths(rows: WholeRows) -> tuple[Int64Array, Int64Array]:
    """Return for each rank the number of 2-paths from it, and of those whose other vertices have larger ranks."""
    runtime, n = rows.runtime, rows.n
    paths, later = runtime.empty(n, np.int64), runtime.empty(n, np.int64)
    runtime.launch_teams(_SOURCE, "path_ends", n, *rows.of_entries[:-1], n, paths, later)
    return runtime.download(paths), runtime.download(later)


class EdgeTriangles(NamedTuple):
    """Triangles by edge; a place from ``ptr[e]`` to ``ptr[e + 1]`` stands for a triangle of edge e = {u, v}, u > v.

    Attributes
    ----------
    ptr : int64 buffer, shape (m + 1,)
        Where the triangles of each edge begin.
    third : uint32 buffer, shape (3 triangles,)
        The third vertex w, rising within an edge.
    low, high : uint32 buffer, shape (3 triangles,)
        The edges {u, w} and {v, w}.
    support : uint32 buffer, shape (m,)
        Number of triangles at each edge.
    number : int
        Number of triangles.
    """

    ptr: Buffer
    third: Buffer
    low: Buffer
    high: Buffer
    support: Buffer
    number: int

    @property
    def lists(self) -> tuple[Buffer, ...]:
        """Parameters of kernels that read triangles: where they begin, third vertices, and the two other edges."""
        return self[:4]


def edge_triangles(rows: WholeRows) -> EdgeTriangles:
    """List the triangles at each edge.

    Raises
    ------
    OutOfMemoryError, UnsupportedError
        If there are more triangles than the device has room for, or than 2**31.
    """
    runtime, m, pieces = rows.runtime, rows.m, _pieces(rows)
    support = runtime.empty(m)
    _launch(rows, "count_triangles", pieces, support)
    with runtime.active():
        before = sums_before(runtime.xp, runtime.view(support))
        places = int(before[-1])
    what = f"listing the {places // 3:,} triangles of a graph of {m:,} edges at each of their edges"
    if places // 3 >= _MOST_TRIANGLES:
        raise UnsupportedError(f"{runtime.name}: {what} needs the CPU, since there are 2**31 or more")
    runtime.check_room(what, *[4 * places] * 3)
    ptr = runtime.upload(before)
    third, low, high = (runtime.empty(places) for _ in range(3))
    _launch(rows, "list_triangles", pieces, ptr, third, low, high)
    return EdgeTriangles(ptr, third, low, high, support, places // 3)


def edge_sums(rows: WholeRows, triangles: EdgeTriangles) -> tuple[Buffer, Buffer]:
    """Return for each edge the degrees of the third vertices, and the triangles at the two other edges: uint64."""
    runtime, m = rows.runtime, rows.m
    near, beside = runtime.empty(m, np.uint64), runtime.empty(m, np.uint64)
    runtime.launch_teams(_TRIANGLES, "edge_sums", m, rows.ptr, *triangles[:5], 0, m, near, beside)
    return near, beside


def _pieces(rows: WholeRows) -> Int64Array:
    """Cut the edges into pieces of about equal work."""
    before = sums_before(np, rows.degree * rows.higher)
    return sums_before(np, rows.higher)[blocks.cut(before, _LOOKUPS, most=1 << 16)]


def _launch(rows: WholeRows, kernel: str, cuts: Int64Array, *arguments: Buffer) -> None:
    edges = rows.ptr, rows.ends, rows.edges, rows.sources, rows.indices
    for first, last in pairwise(cuts.tolist()):
        count = last - first
        rows.runtime.launch_teams(_TRIANGLES, kernel, count, *edges, first, count, *arguments)
        if len(cuts) > 2:
            rows.runtime.synchronize()


class PairTables(NamedTuple):
    """The tables of all vertices, batch by batch.

    Attributes
    ----------
    first_slot : int64 array, shape (n + 1,)
        Where the table of each rank begins, on the host.
    offset : int64 buffer, shape (n + 1,)
        The same on the device.
    masks : uint32 buffer, shape (n,)
        Number of slots less one, or 2**32 - 1 for a table with a slot for each vertex; 0 for no table.
    cuts : int64 array, shape (batches + 1,)
        First vertex of each batch, and n.
    costs : int64 array, shape (batches,)
        Number of 2-paths of each batch.
    """

    first_slot: Int64Array
    offset: Buffer
    masks: Buffer
    cuts: Int64Array
    costs: Int64Array

    @property
    def most(self) -> int:
        """Largest number of slots in a batch."""
        return int(np.diff(self.first_slot[self.cuts]).max(initial=0))

    def batch(
        self, source: Source, rows: WholeRows, number: int, keys: Buffer
    ) -> tuple[int, int, int, int, Callable[..., None]]:
        """Return a batch of vertices, whose kernels are those of a source and use some keys.

        Returns
        -------
        first, last : int
            The first vertex, and the last plus one.
        first_slot, last_slot : int
            The first slot of their tables, and the last plus one.
        launch : callable
            Launch a kernel, given what follows, over the entries of the rows of the batch.
        """
        ends = self.cuts[number : number + 2]
        (first, last), (first_slot, last_slot) = rows.first[ends].tolist(), self.first_slot[ends].tolist()
        count = last - first
        entries = *rows.of_entries, first, count, self.offset, self.masks, first_slot, keys

        def launch(kernel: str, *arguments: Argument) -> None:
            rows.runtime.launch_teams(source, kernel, count, *entries, *arguments)

        return int(ends[0]), int(ends[1]), first_slot, last_slot, launch


def pair_tables(runtime: Runtime, reached: Int64Array, paths: Int64Array, *, slot_bytes: int) -> PairTables:
    """Plan tables for the vertices that each vertex reaches.

    Parameters
    ----------
    runtime : Runtime
    reached : int64 array, shape (n,)
        Upper bound of the number of vertices that each vertex reaches; 0 for no table.
    paths : int64 array, shape (n,)
        Number of 2-paths of each vertex, in which work is measured.
    slot_bytes : int
        Bytes of a slot.

    Raises
    ------
    OutOfMemoryError
        If the device has no room for the largest batch.
    """
    n = len(reached)
    every = -(-n // LANES) * LANES
    # A power of two of at least twice the number; 2**62 for numbers near it is cut to the number of vertices below.
    slots = np.where(reached > 0, np.exp2(np.ceil(np.log2(np.maximum(2 * reached, LANES)))), 0).astype(np.int64)
    whole = slots >= every
    masks = np.where(whole & (reached > 0), _ALL, np.maximum(slots - 1, 0)).astype(np.uint32)
    slots = np.where(whole & (reached > 0), every, slots)
    first_slot, before = (sums_before(np, values) for values in (slots, paths))
    batch_bytes = min(runtime.memory()[0] // _SHARE_OF_FREE, _MOST_BYTES)
    most = max(batch_bytes // slot_bytes, int(slots.max(initial=0)))
    cuts = cut_by((first_slot, most), (before, _PATHS))
    tables = PairTables(first_slot, runtime.upload(first_slot), runtime.upload(masks), cuts, np.diff(before[cuts]))
    runtime.check_room(f"pairs of vertices within two steps of {n:,} vertices", slot_bytes * tables.most)
    return tables
