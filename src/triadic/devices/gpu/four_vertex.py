"""The counts that all graphlets of up to four vertices follow from, on GPUs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import split
from triadic.core.graphlets import GraphletCounts
from triadic.devices.gpu import squares
from triadic.devices.gpu.neighbour_sums import sums_of, support_sums
from triadic.devices.gpu.row_graphs import RowGraphs
from triadic.devices.gpu.rows import degrees_on
from triadic.devices.gpu.several import on_each, summed_on
from triadic.devices.gpu.tasks import run_shares
from triadic.devices.runtimes.registry import runtimes_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_TETRAHEDRA, _DIAMONDS, _SQUARES = 1.0, 1.0, 8.0  # weights of the stages, for progress


def by_vertex(device: str, oriented: Oriented, *, progress: Progress | None = None) -> GraphletCounts:
    """Return at each rank the counts that all graphlets of up to four vertices follow from.

    Parameters
    ----------
    device : str
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    progress : callable, optional
    """
    counters = on_each(runtimes_of(device), lambda runtime: RowGraphs(runtime, oriented))
    report = split(progress, [_TETRAHEDRA, _DIAMONDS, _SQUARES])
    m = oriented.num_edges
    run_shares([counter.add_tetrahedra for counter in counters], m, report[0])
    _sum_supports(counters)
    run_shares([counter.add_off_chord for counter in counters], m, report[1])
    first = counters[0]
    columns = _sums(first.runtime, oriented, first.support)
    # The host copies the columns while the device counts squares.
    runtime, others = first.runtime, counters[1:]
    columns["tetrahedra"] = summed_on(
        runtime, first.tetrahedra, [(counter.runtime, counter.tetrahedra) for counter in others], np.int64
    )
    columns["off_chord"] = summed_on(
        runtime, first.off_chord, [(counter.runtime, counter.off_chord) for counter in others], np.int64
    )
    downloads = {name: runtime.download_later(column) for name, column in columns.items()}
    del counters, first, others, columns
    with ThreadPoolExecutor(1, "triadic-downloads") as pool:
        coming = {name: pool.submit(_downloaded, download) for name, download in downloads.items()}
        del downloads
        at_squares = squares.by_vertex(device, oriented, progress=report[2])
        return GraphletCounts(squares=at_squares, **{name: column.result() for name, column in coming.items()})


def on_device(runtime: Runtime, oriented: Oriented) -> GraphletCounts:
    """Return the counts of `by_vertex` as arrays of the runtime's `xp`, which stay on the device."""
    counter, at_squares = RowGraphs(runtime, oriented), squares.Squares(runtime, oriented)
    for take in (counter.add_tetrahedra, counter.add_off_chord, at_squares.take):
        run_shares([take], oriented.num_edges, None)
    columns = _sums(runtime, oriented, counter.support) | {
        "tetrahedra": counter.tetrahedra,
        "off_chord": counter.off_chord,
    }
    with runtime.active():
        arrays = {name: runtime.view(column).view(np.int64) for name, column in columns.items()}
    return GraphletCounts(squares=at_squares.on_device(), **arrays)


def _downloaded(download: Callable[[], NDArray[Any]]) -> NDArray[np.int64]:
    return download().view(np.int64)


def _sums(runtime: Runtime, oriented: Oriented, support: Buffer) -> dict[str, Buffer]:
    """Return the columns of `GraphletCounts` that follow from supports and degrees, by name, on the device."""
    with runtime.active():
        twice_triangles, pairs, degrees = support_sums(runtime, oriented, support)
        k = runtime.view(degrees_on(runtime, oriented))
        triangles = runtime.upload(runtime.view(twice_triangles) >> 1)
        columns = [degrees_on(runtime, oriented), runtime.upload((k - 1) * (k - 2) // 2), triangles]
        near_degrees, near_pairs, near_triangles = sums_of(runtime, oriented, columns)
        (path_ends,) = sums_of(runtime, oriented, [runtime.upload(runtime.view(near_degrees) - k)])
        return {
            "triangles": triangles,
            "support_pairs": pairs,
            "support_degrees": degrees,
            "near_degrees": near_degrees,
            "near_pairs": near_pairs,
            "near_triangles": near_triangles,
            "path_ends": path_ends,
        }


def _sum_supports(counters: list[RowGraphs]) -> None:
    """Replace the supports of each device by the sums over all devices."""
    if len(counters) > 1:
        supports = [(counter.runtime, counter.support) for counter in counters]

        def sum_up(runtime: Runtime) -> Buffer:
            (own,) = (support for owner, support in supports if owner is runtime)
            return summed_on(runtime, own, [part for part in supports if part[0] is not runtime], np.uint32)

        for counter, support in zip(counters, on_each([c.runtime for c in counters], sum_up), strict=True):
            counter.support = support
