"""Estimates of the device memory that a count needs, made before anything is copied to the device.

Idea: the lengths of vertex and edge arrays are known; the length of the lists is estimated from a sample of the
entries. The estimate is the larger of the memory needed while lists are made and while they are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.gpu.graph_cache import cached_keys
from triadic.devices.gpu.low_columns import bytes_of_low_columns
from triadic.devices.gpu.oriented import DevicePart, OrientedOnDevice
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.runtime import launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.devices.runtimes.runtime import Runtime

_ENTRY_SAMPLES = Source("entry_samples")
_SAMPLE = 1 << 14  # entries; the standard error of the share of entries in lists is below 1 %


def check_lists(runtime: Runtime, oriented: Oriented, hubs: int, marked: int = 0) -> None:
    """Check that a device has room for `list_tasks.prepare` and a count after it.

    Raises
    ------
    OutOfMemoryError
        If it has not.
    """
    n, m = oriented.num_vertices, oriented.num_edges
    check_room(runtime, f"a graph of {n:,} vertices and {m:,} edges", *bytes_of_lists(runtime, oriented, hubs, marked))


def check_states(runtime: Runtime, oriented: Oriented) -> None:
    """Check that a device has room for the states of edges and of lists beside a graph that is there.

    Raises
    ------
    OutOfMemoryError
        If it has not.
    """
    m = oriented.num_edges
    check_room(runtime, f"the states of {m:,} edges", m, length_of_lists(oriented, 0))


def bytes_of_lists(runtime: Runtime, oriented: Oriented, hubs: int, marked: int = 0) -> tuple[int, ...]:
    """Estimate the bytes of each buffer at the peak of `list_tasks.prepare` and a count after it."""
    n, m, lists = oriented.num_vertices, oriented.num_edges, length_of_lists(oriented, hubs)
    has_rows = (runtime.name, "rows") in cached_keys(oriented) or (
        isinstance(oriented, OrientedOnDevice) and oriented.runtime.name == runtime.name
    )
    rows = 8 * n, *(() if has_rows else (8 * n, 4 * m))  # the ends of hubs in rows, and the rows
    making = 8 * n, 8 * n, *runtime.room_for_columns(n, lists)
    tasks = min(n, lists)
    counts = 8 * n if hubs else max(8 * n, 4 * m)
    counting = 8 * n, 4 * lists, 4 * tasks, 8 * tasks, counts, hubs * hubs // 8
    low = bytes_of_low_columns(n, entries_below(oriented, marked)) if marked else ()
    return *rows, *max(making, (*counting, *low), key=sum)


def length_of_lists(oriented: Oriented, hubs: int) -> int:
    """Estimate the number of entries in lists: all entries but hubs and the first entry of each row."""
    if isinstance(oriented, DevicePart):
        return oriented.most_lists
    return _estimated_entries(oriented, lambda columns, is_first: (columns >= hubs) & ~is_first)


def entries_below(oriented: Oriented, rank: int) -> int:
    """Estimate the number of entries whose column is below a rank."""
    if isinstance(oriented, DevicePart):
        return oriented.num_edges
    return _estimated_entries(oriented, lambda columns, _: columns < rank)


def _estimated_entries(oriented: Oriented, holds: Callable[[Any, Any], Any]) -> int:
    """Estimate the number of entries for which ``holds(columns, is_first)``; `is_first`: at the start of a row."""
    m = oriented.num_edges
    if m == 0:
        return 0
    columns: NDArray[Any]
    # A random sample, since regular steps could fall in with rows of one length.
    sample = np.arange(m) if m <= _SAMPLE else np.random.default_rng(0).integers(m, size=_SAMPLE)
    if isinstance(oriented, OrientedOnDevice):
        runtime = oriented.runtime
        if runtime.xp is np:  # an exact number is not worth a copy to the host
            return m
        columns, firsts = _samples_on(runtime, oriented, sample)
    else:
        columns = oriented.indices[sample]
        firsts = oriented.indptr[np.searchsorted(oriented.indptr, sample)] == sample
    return round(m * float(holds(columns, firsts).mean()))


def _samples_on(
    runtime: Runtime, oriented: OrientedOnDevice, sample: NDArray[np.int64]
) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
    arrays, count = oriented.arrays, len(sample)
    columns, firsts = runtime.empty(count, np.uint32), runtime.empty(count, np.uint32)
    launch_each(
        runtime, _ENTRY_SAMPLES, "entry_samples", count, arrays.indptr, arrays.indices,
        np.uint64(oriented.num_vertices), runtime.upload(sample), np.uint64(count), columns, firsts,
    )  # fmt: skip
    return runtime.download(columns), runtime.download(firsts) > 0
