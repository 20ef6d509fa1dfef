"""Neighbours and wedges on a GPU: sums over neighbours, pairs of dyads by the order of ids, and random wedges.

The kernels are in neighbour_sums.c, labelled_wedges.c and wedge_sampling.c. One of several devices works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.draws.wedge_sampling import COLUMNS, UNIT, weight_shift
from triadic.devices.cpu.triads.labelled_triads import LabelledWedges
from triadic.devices.gpu.rows import cached, degrees_on, order_on, rows_on, states
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import FOR_SORTING, Source, check_room, launch_each, launch_teams, strides

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array, ObjectArray, Uint64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.draws.choice import ChoiceTable
    from triadic.devices.runtimes.runtime import Buffer, Runtime


_NEIGHBOUR_SUMS = Source("neighbour_sums")
_BELOW = Source("labelled_wedges", headers=("wide_sums",))
_ABOVE = Source("labelled_wedges", (("ABOVE", 1),), ("wide_sums",))
_SUMS = 18
_BLOCKS = 2048  # enough to keep a card busy, few to add to one place
_COPIES = 256  # of the sums
_MOST_BLOCKS = 1 << 12


def neighbour_sums(
    device: str,
    oriented: Oriented,
    values: Int64Array,
    *,
    progress: Progress | None = None,  # noqa: ARG001 - one launch, over before it could be reported
) -> Int64Array:
    """Sum the values of each rank's neighbours.

    Only the first of several devices works: to merge the sums of several would take longer.

    Parameters
    ----------
    device : str
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    values : int64 array, shape (n, width)

    Returns
    -------
    int64 array, shape (n, width)
    """
    runtime = runtimes_of(device)[0]
    with runtime.active():
        columns = [runtime.upload(np.ascontiguousarray(column)) for column in values.T]
        return np.stack([runtime.download(sums) for sums in sums_of(runtime, oriented, columns)], axis=1)


def sums_of(runtime: Runtime, oriented: Oriented, columns: list[Buffer]) -> list[Buffer]:
    """Sum each column over the neighbours of each rank, on the device: int64 buffers of shape (n,) for the same."""
    rows = rows_on(runtime, oriented)
    found = [runtime.zeros(rows.n, np.int64) for _ in columns]
    arguments = rows.indptr, rows.indices, np.uint64(rows.n)
    for values, sums in zip(columns, found, strict=True):
        launch_teams(runtime, _NEIGHBOUR_SUMS, "neighbour_sums", rows.n, *arguments, values, sums)
    return found


def support_sums(runtime: Runtime, oriented: Oriented, support: Buffer) -> list[Buffer]:
    """Sum c, C(c, 2) and c times the other end's degree over the edges of each rank, where c is an edge's support.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented
    support : uint32 buffer, shape (m,)

    Returns
    -------
    list of 3 int64 buffers, shape (n,)
    """
    rows = rows_on(runtime, oriented)
    sums = [runtime.zeros(rows.n, np.int64) for _ in range(3)]
    arguments = rows.indptr, rows.indices, np.uint64(rows.n), support, degrees_on(runtime, oriented)
    launch_teams(runtime, _NEIGHBOUR_SUMS, "support_sums", rows.n, *arguments, *sums)
    return sums


def labelled_wedges(device: str, oriented: Oriented) -> LabelledWedges:
    """Count the wedges of a graph by states and by the order of their original ids, on the first of some devices."""
    runtime = runtimes_of(device)[0]
    rows = rows_on(runtime, oriented)
    n, m = rows.n, rows.m
    check_room(runtime, f"sorting {m:,} edges by vertex", 8 * m, 8 * m + FOR_SORTING, 8 * n, 12 * n, 4 * n, 4 * n, m)
    below = runtime.empty(3 * n, np.uint32)
    of_lower = _sums_of_wedges(runtime, oriented, _BELOW, below)
    of_higher = _sums_of_wedges(runtime, oriented, _ABOVE, below)
    highest, lowest, middle = (_by_state(sums, 3, 3) for sums in (of_lower[:9], of_higher[:9], of_higher[9:]))
    above, between, at_below = (_by_state(of_lower[first : first + 3], 3) for first in (9, 12, 15))
    return LabelledWedges(lowest, middle, highest, above, between, at_below)


def _sums_of_wedges(runtime: Runtime, oriented: Oriented, source: Source, below: Buffer) -> Uint64Array:
    """Sort the edges by one end, and return the sums over all vertices; `below` is written first, then read."""
    rows = rows_on(runtime, oriented)
    n, m = np.uint64(rows.n), rows.m
    keys, ptr = runtime.empty(m, np.uint64), runtime.empty(rows.n + 1, np.int64)
    launch_teams(
        runtime, source, "wedge_keys", rows.n, rows.indptr, rows.indices, states(runtime, oriented),
        order_on(runtime, oriented), n, np.uint32(source is _ABOVE), keys,
    )  # fmt: skip
    if m:
        keys = runtime.sort(keys)
    launch_each(runtime, source, "wedge_starts", rows.n + 1, keys, np.uint64(m), n, ptr)
    sums, blocks = runtime.zeros(2 * _SUMS, np.uint32), min(_BLOCKS, -(-rows.n // runtime.teams))
    runtime.launch(source, "add_wedges", blocks, keys, ptr, n, np.uint64(blocks * runtime.teams), below, sums)
    return runtime.download(sums).view(np.uint64)


def _by_state(sums: Uint64Array, *shape: int) -> ObjectArray:
    """Return sums as Python ints, with zeros for the state of a null dyad: four states along each axis."""
    table = np.zeros([edges + 1 for edges in shape], dtype=object)
    table[tuple(slice(1, None) for _ in shape)] = sums.astype(object).reshape(shape)
    return table


def tally(
    device: str,
    oriented: Oriented,
    table: ChoiceTable,
    key: int,
    first: int,
    stop: int,
    local: bool,
    *,
    progress: Progress | None = None,  # noqa: ARG001 - one launch, over before it could be reported
) -> Int64Array:
    """Draw wedges on the first of some devices, see `triadic.devices.cpu.draws.wedge_sampling.tally`."""
    runtime = runtimes_of(device)[0]
    rows = rows_on(runtime, oriented)
    before, guide = cached(
        oriented, runtime, ("wedges", local), lambda: (runtime.upload(table.before), runtime.upload(table.guide))
    )
    defines = [("COPIES", _COPIES), ("UNIT", UNIT)]
    defines += [("LOCAL_WEIGHTS", 1)] if local else []
    # Buffers that a kernel does not read are stood in for by one that is there.
    degree = degrees_on(runtime, oriented) if local else guide
    has_states = oriented.state is not None and not local
    defines += [("STATES", 1)] if has_states else []
    state = states(runtime, oriented) if has_states else guide
    sums = runtime.zeros(2 * _COPIES * COLUMNS, np.uint32)
    blocks, step = strides(runtime, stop - first, _MOST_BLOCKS)
    source = Source("wedge_sampling", tuple(defines), ("draws", "search"))
    runtime.launch(
        source, "tally_wedges", blocks, rows.indptr, rows.indices, state, degree, before, guide, np.uint64(table.step),
        np.uint64(table.total), np.uint32(weight_shift(oriented.num_vertices, local=local)), np.uint64(key),
        np.uint64(first), np.uint64(stop - first), step, sums,
    )  # fmt: skip
    return runtime.download(sums).view(np.int64).reshape(_COPIES, COLUMNS).sum(axis=0)
