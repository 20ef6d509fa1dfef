"""The rows of an oriented graph on a device and the lists of its columns, cached for all counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.graph_cache import cached
from triadic.devices.gpu.oriented import DevicePart, OrientedOnDevice
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.runtime import MAX_VERTICES
from triadic.devices.runtimes.source import Source
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from triadic.core.oriented import Oriented
    from triadic.devices.runtimes.runtime import Buffer, Runtime

ROWS = Source("rows", headers=("search",))


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows of an oriented graph on a device.

    Attributes
    ----------
    n, m : int
        Number of vertices and of edges.
    indptr : int64 buffer, shape (n + 1,)
    indices : uint32 buffer, shape (m,)
    """

    n: int
    m: int
    indptr: Buffer
    indices: Buffer


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """The list of each vertex of an oriented graph on a device: the rows that hold it, its neighbours of larger rank.

    Attributes
    ----------
    ptr : int64 buffer, shape (n + 1,)
        Where each list begins in `ends`.
    ends : uint32 buffer, shape (m,)
        Rows, rising within each list.
    """

    ptr: Buffer
    ends: Buffer


def rows_on(runtime: Runtime, oriented: Oriented) -> Rows:
    """Return the rows on a device, copied there at the first call."""
    return cached(oriented, runtime, "rows", partial(_upload_rows, runtime, oriented))


def lists_on(runtime: Runtime, oriented: Oriented) -> Lists:
    """Return the lists of all vertices, made on the device at the first call."""
    return cached(oriented, runtime, "lists", partial(_make_lists, runtime, oriented))


def places_on(runtime: Runtime, oriented: Oriented) -> Buffer:
    """Return for each entry of the lists, a row that holds v, the place of v in that row, uint32, shape (m,)."""
    return cached(oriented, runtime, "places", partial(_make_places, runtime, oriented))


def degrees_on(runtime: Runtime, oriented: Oriented) -> Buffer:
    """Return the degree of each rank on a device, int64, copied there at the first call."""
    return cached(oriented, runtime, "degree", partial(_upload_degrees, runtime, oriented))


def ranks_on(runtime: Runtime, oriented: Oriented) -> Buffer:
    """Return the rank of each vertex on a device, uint32, copied there at the first call."""
    return cached(oriented, runtime, "rank", partial(_upload_ranks, runtime, oriented))


def order_on(runtime: Runtime, oriented: Oriented) -> Buffer:
    """Return the vertex at each rank on a device, uint32, made there at the first call."""
    return cached(oriented, runtime, "order", partial(_invert, runtime, ranks_on(runtime, oriented)))


def _upload_rows(runtime: Runtime, oriented: Oriented) -> Rows:
    n, m = oriented.num_vertices, oriented.num_edges
    if n > MAX_VERTICES:
        raise UnsupportedError(f"{runtime.name}: graphs of more than 2**31 - 1 vertices are counted on the CPU")
    if isinstance(oriented, OrientedOnDevice) and runtime.takes(oriented.arrays.indptr):
        indptr, indices = oriented.arrays.indptr, oriented.arrays.indices
    elif isinstance(oriented, DevicePart):
        check_room(runtime, f"a part of {n:,} vertices and {m:,} edges", 8 * (n + 1), 4 * m)
        return Rows(n, m, *oriented.rows_on(runtime))
    else:
        indptr, indices = oriented.indptr, oriented.indices.view(np.uint32)
        check_room(runtime, f"a graph of {n:,} vertices and {m:,} edges", 8 * (n + 1), 4 * m)
    return Rows(n, m, runtime.upload(indptr), runtime.upload(indices))


def _make_lists(runtime: Runtime, oriented: Oriented) -> Lists:
    rows = rows_on(runtime, oriented)
    check_room(runtime, f"lists of {rows.m:,} edges", *runtime.room_for_columns(rows.n, rows.m))
    with runtime.active():
        begin = runtime.view(rows.indptr)[:-1]
        return Lists(*runtime.columns(rows.indptr, rows.indices, runtime.upload(begin)))


def _make_places(runtime: Runtime, oriented: Oriented) -> Buffer:
    rows, lists = rows_on(runtime, oriented), lists_on(runtime, oriented)
    check_room(runtime, f"places of {rows.m:,} edges", 4 * rows.m)
    places = runtime.empty(rows.m, np.uint32)
    runtime.launch(
        ROWS, "list_places", -(-rows.n // runtime.teams), rows.indptr, rows.indices, lists.ptr, lists.ends,
        np.uint64(rows.n), places,
    )  # fmt: skip
    return places


def _upload_degrees(runtime: Runtime, oriented: Oriented) -> Buffer:
    if isinstance(oriented, OrientedOnDevice) and runtime.takes(oriented.arrays.degree):
        return runtime.upload(oriented.arrays.degree)
    return runtime.upload(oriented.degree)


def _upload_ranks(runtime: Runtime, oriented: Oriented) -> Buffer:
    if isinstance(oriented, OrientedOnDevice) and runtime.takes(oriented.arrays.rank):
        return runtime.upload(oriented.arrays.rank)
    return runtime.upload(oriented.rank.astype(np.uint32, copy=False))


def _invert(runtime: Runtime, rank: Buffer) -> Buffer:
    with runtime.active():
        xp, ranks = runtime.xp, runtime.view(rank)
        order = xp.empty(len(ranks), dtype=xp.uint32)
        order[ranks] = xp.arange(len(ranks), dtype=xp.uint32)
        return runtime.upload(order)
