"""The rows of an oriented graph on a device, and for each vertex the rows that hold it: there once for all counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.errors import check_room
from triadic.devices.gpu.on_device import OrientedOnDevice
from triadic.devices.gpu.placed import PlacesItself
from triadic.devices.gpu.residence import resident
from triadic.devices.registry import runtime as open_runtime
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.runtime import Buffer, Runtime


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """An oriented graph on a device.

    Attributes
    ----------
    n, m : int
    indptr : int64, shape (n + 1,)
    indices : uint32, shape (m,)
    """

    n: int
    m: int
    indptr: Buffer
    indices: Buffer


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """For each vertex of an oriented graph on a device the rows that hold it, its neighbours of larger rank.

    Attributes
    ----------
    ptr : int64, shape (n + 1,)
    ends : uint32, shape (m,)
        Rising within each list.
    """

    ptr: Buffer
    ends: Buffer


def rows_on(runtime: Runtime, oriented: Oriented) -> Rows:
    """Give the rows, put on the device if they are not there."""
    return resident(oriented, runtime, "rows", partial(_put_rows, runtime, oriented))


def lists_on(runtime: Runtime, oriented: Oriented) -> Lists:
    """Give the lists of all entries, made on the device if they are not there."""
    return resident(oriented, runtime, "lists", partial(_make_lists, runtime, oriented))


def degrees_on(runtime: Runtime, oriented: Oriented) -> Buffer:
    """Give the degree of each rank, int64, put on the device if it is not there."""
    return resident(oriented, runtime, "degree", partial(_put_degrees, runtime, oriented))


def runtimes_of(device: str) -> list[Runtime]:
    """Give the runtimes of the devices that a name such as "cuda:0,1" means."""
    kind, _, numbers = device.partition(":")
    return [open_runtime(f"{kind}:{number}") for number in numbers.split(",")]


def _put_rows(runtime: Runtime, oriented: Oriented) -> Rows:
    n, m = oriented.num_vertices, oriented.num_edges
    if n > np.iinfo(np.int32).max:
        raise UnsupportedError(f"{runtime.name}: graphs of more than 2**31 - 1 vertices are counted on the CPU")
    if isinstance(oriented, OrientedOnDevice) and runtime.takes(oriented.arrays.indptr):
        indptr, indices = oriented.arrays.indptr, oriented.arrays.indices
    elif isinstance(oriented, PlacesItself):
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


def _put_degrees(runtime: Runtime, oriented: Oriented) -> Buffer:
    if isinstance(oriented, OrientedOnDevice) and runtime.takes(oriented.arrays.degree):
        return runtime.upload(oriented.arrays.degree)
    return runtime.upload(oriented.degree)
