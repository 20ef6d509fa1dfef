"""Whole rows on a device: for each rank all its neighbours, and the number of the edge to each (whole_rows.c)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.rows import lists_on, rows_on
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_SOURCE = Source("whole_rows", headers=("search", "wide_sums"))


@dataclass(frozen=True, slots=True, eq=False)
class WholeRows:
    """Rows of all neighbours on a device; an edge has the number of its entry in the oriented rows.

    Attributes
    ----------
    n, m : int
        Number of vertices and of edges.
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

    n: int
    m: int
    first: NDArray[np.int64]
    higher: NDArray[np.int64]
    indptr: Buffer
    indices: Buffer
    sources: Buffer
    ptr: Buffer
    ends: Buffer
    edges: Buffer
    owners: Buffer
    places: Buffer

    @property
    def degree(self) -> NDArray[np.int64]:
        """The number of neighbours of each rank, on the host: int64, shape (n,)."""
        return np.diff(self.first)

    @property
    def of_edges(self) -> tuple[Buffer, ...]:
        """Parameters of kernels over edges: where rows begin, their ends and edges, and the two ends of edges."""
        return self.ptr, self.ends, self.edges, self.sources, self.indices

    @property
    def of_entries(self) -> tuple[Buffer, ...]:
        """Parameters of kernels over entries: where both kinds of rows begin, their ends, edges and owners."""
        return self.indptr, self.ptr, self.ends, self.edges, self.owners


def whole_rows(runtime: Runtime, oriented: Oriented) -> WholeRows:
    """Make the whole rows of an oriented graph on a device."""
    n, m = oriented.num_vertices, oriented.num_edges
    rows = rows_on(runtime, oriented)
    lists = lists_on(runtime, oriented)
    check_room(runtime, f"all neighbours of {n:,} vertices", 8 * n, *[8 * m] * 3, 4 * m, 4 * m)
    begin, list_begin = runtime.download(rows.indptr), runtime.download(lists.ptr)
    first = begin + list_begin
    ptr = runtime.upload(first)
    ends, edges, owners = (runtime.empty(2 * m, np.uint32) for _ in range(3))
    places, sources = runtime.empty(m, np.uint32), runtime.empty(m, np.uint32)
    runtime.launch(
        _SOURCE, "whole_rows", -(-n // runtime.teams), rows.indptr, rows.indices, lists.ptr, lists.ends, ptr,
        np.uint64(n), ends, edges, owners, places, sources,
    )  # fmt: skip
    return WholeRows(n, m, first, np.diff(begin), rows.indptr, rows.indices, sources, ptr, ends, edges, owners, places)


def numbers_of_paths(runtime: Runtime, rows: WholeRows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each rank the number of 2-paths from it, and of those whose other vertices have larger ranks."""
    paths, later = runtime.empty(rows.n, np.uint64), runtime.empty(rows.n, np.uint64)
    runtime.launch(
        _SOURCE, "path_ends", -(-rows.n // runtime.teams), rows.indptr, rows.ptr, rows.ends, rows.edges,
        np.uint64(rows.n), paths, later,
    )  # fmt: skip
    return runtime.download(paths).view(np.int64), runtime.download(later).view(np.int64)
