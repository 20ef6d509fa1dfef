"""Diamonds, squares and tetrahedra of the skeleton, from which the frequencies of graphlets follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.counts.count import Bytes, Count, Work, most_bytes
from triadic.devices.cpu.graphlets import four_vertex as cpu
from triadic.devices.cpu.graphlets import small_graphlets
from triadic.devices.gpu import four_vertex as gpu
from triadic.devices.gpu import squares as gpu_squares
from triadic.devices.gpu import triangles as gpu_triangles
from triadic.devices.gpu.rows import degrees_on
from triadic.devices.gpu.triads import sums_of

if TYPE_CHECKING:
    from triadic.devices.gpu.rows import OrientedOnDevice

FOUR_VERTEX_COUNTS = Count(
    name="graphlets of four vertices",
    label="counting graphlets",
    gives="vertices",
    columns=10,
    cpu=cpu.by_vertex,
    small=small_graphlets.by_vertex,
    small_edges=5_000,
    gpu=gpu.by_vertex,
    # Triangles; then squares; then sums over neighbours, beside all ten results.
    bytes=most_bytes(
        cpu.bytes_by_triangles,
        Bytes(vertex=48, edge=12, worker_vertex=15),
        Bytes(vertex=136, edge=4, sums=3),
    ),
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
    # While lists are sorted: keys of 8 and ends of 4 bytes an edge. Then lists, their places in the rows, and two int64
    # at each vertex for each thread.
    bytes=most_bytes(Bytes(vertex=34, edge=12), Bytes(vertex=32, edge=8, worker_vertex=15)),
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
