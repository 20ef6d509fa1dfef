"""Diamonds, squares and tetrahedra of the skeleton, from which the frequencies of graphlets follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.counts.count import Bytes, Count, Work, most_bytes
from triadic.devices.cpu.graphlets import four_vertex as cpu
from triadic.devices.cpu.graphlets import short_rows, small_graphlets
from triadic.devices.gpu import four_vertex as gpu
from triadic.devices.gpu import squares as gpu_squares
from triadic.devices.gpu import triangles as gpu_triangles
from triadic.devices.gpu.rows import degrees_on
from triadic.devices.gpu.triads import sums_of

if TYPE_CHECKING:
    from triadic.core.oriented import Sizes
    from triadic.devices.gpu.rows import OrientedOnDevice

# Triangles; then squares, beside supports (int32) and two results; then sums over neighbours, beside all ten results.
_PASSES = most_bytes(
    cpu.bytes_by_triangles,
    Bytes(vertex=56, edge=20, worker_vertex=16),
    Bytes(vertex=136, edge=4, sums=3),
)


def _bytes_of_four_vertices(sizes: Sizes, threads: int) -> int:
    return short_rows.bytes_of_walks(sizes, threads) if short_rows.fits(sizes) else _PASSES(sizes, threads)


FOUR_VERTEX_COUNTS = Count(
    name="graphlets of four vertices",
    label="counting graphlets",
    gives="vertices",
    columns=10,
    cpu=cpu.by_vertex,
    small=small_graphlets.by_vertex,
    small_edges=5_000,
    gpu=gpu.by_vertex,
    bytes=_bytes_of_four_vertices,
    work=Work(vertex=20, edge=60, pair=3),
    not_tiled="three tiles do not contain all pairs of vertices that form squares",
)
"""Ten counts at each rank, from which all 16 graphlets follow: `triadic.core.graphlets.GraphletCounts`."""

SQUARES = Count(
    name="squares",
    gives="vertices",
    cpu=cpu.squares_by_vertex,
    small=small_graphlets.squares_by_vertex,
    small_edges=5_000,
    gpu=gpu_squares.by_vertex,
    # Whole rows with the numbers of edges, 16 bytes an edge; pointers and lengths of their parts, two estimates of work
    # and where the blocks of a pass begin; two int64 at each vertex for each thread.
    bytes=Bytes(vertex=40, edge=16, worker_vertex=16),
    work=Work(vertex=5, edge=20, pair=2),
    not_tiled="three tiles do not contain all pairs of vertices that form squares",
)
"""The squares at each rank, with or without chords: int64, shape (n,)."""


def three_vertex_on_card(oriented: OrientedOnDevice) -> tuple[Any, Any]:
    """Return triangles, (n,), and sums of the neighbours' degrees, (n, 1), of a graph on a device, where they stay."""
    runtime = oriented.runtime
    (near,) = sums_of(runtime, oriented, [degrees_on(runtime, oriented)])
    closed = gpu_triangles.on_device(runtime, oriented)
    with runtime.active():
        return closed, runtime.view(near)[:, None]


def four_vertex_on_card(oriented: OrientedOnDevice) -> tuple[Any, ...]:
    """Return the counts of `FOUR_VERTEX_COUNTS` of a graph on a device, where they stay."""
    return gpu.on_device(oriented.runtime, oriented)
