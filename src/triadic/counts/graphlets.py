"""Diamonds, squares and tetrahedra, and orbits of up to five vertices, from which frequencies of graphlets follow."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from triadic.counts.count import Bytes, Count, Work, most_bytes
from triadic.devices.cpu.orbits import edge_orbits, five_vertex, short_rows
from triadic.devices.cpu.orbits import four_vertex as cpu
from triadic.devices.gpu import five_vertex as gpu_orbits
from triadic.devices.gpu import four_vertex as gpu
from triadic.devices.gpu import squares_and_cliques as gpu_squares
from triadic.devices.gpu import triangles as gpu_triangles
from triadic.devices.gpu.rows import degrees_on
from triadic.devices.gpu.triads import sums_of

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array
    from triadic.core.oriented import Sizes
    from triadic.devices.gpu.rows import OrientedOnDevice

_NOT_TILED = "three tiles do not contain all pairs of vertices that form squares"

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
    small=cpu.of_small,
    small_edges=5_000,
    gpu=gpu.by_vertex,
    bytes=_bytes_of_four_vertices,
    work=Work(vertex=20, edge=60, pair=3),
    not_tiled=_NOT_TILED,
)
"""Ten counts at each rank, from which all 16 graphlets follow: `triadic.core.graphlets.GraphletCounts`."""

SQUARES = Count(
    name="squares",
    gives="vertices",
    cpu=cpu.squares_by_vertex,
    small=cpu.squares_of_small,
    small_edges=5_000,
    gpu=gpu_squares.by_vertex,
    # Whole rows with the numbers of edges, 16 bytes an edge; pointers and lengths of their parts, two estimates of work
    # and where the blocks of a pass begin; two int64 at each vertex for each thread.
    bytes=Bytes(vertex=40, edge=16, worker_vertex=16),
    work=Work(vertex=5, edge=20, pair=2),
    not_tiled=_NOT_TILED,
)
"""The squares at each rank, with or without chords: int64, shape (n,)."""


def three_vertex_on_card(oriented: OrientedOnDevice) -> tuple[Any, Any]:
    """Return triangles, (n,), and sums of the neighbours' degrees, (n, 1), of a graph on a device, where they stay."""
    runtime = oriented.runtime
    (near,) = sums_of(runtime, oriented, [degrees_on(runtime, oriented)])
    closed = gpu_triangles.on_device(oriented)
    with runtime.active():
        return closed, runtime.view(near)[:, None]


four_vertex_on_card = gpu.on_device


FIVE_VERTEX_COUNTS = Count(
    name="graphlets of five vertices",
    label="counting graphlets",
    gives="vertices",
    columns=five_vertex.ORBITS,
    cpu=five_vertex.by_vertex,
    gpu=gpu_orbits.by_vertex,
    bytes=five_vertex.bytes_of_orbits,
    work=Work(vertex=200, edge=400, pair=40),
    not_tiled=_NOT_TILED,
)
"""The copies of each graphlet, induced or not, in which each rank has the place of the orbit: int64, shape (n, 73)."""


def _at_edges(name: str, orbits: int, work: Work) -> Count[Int64Array]:
    return Count(
        name=name,
        label="counting graphlets at edges",
        gives="entries",
        columns=orbits,
        cpu=partial(edge_orbits.by_edge, orbits=orbits),
        bytes=partial(edge_orbits.bytes_of_orbits, orbits=orbits),
        work=work,
        not_tiled=_NOT_TILED,
    )


FOUR_VERTICES_AT_EDGES = _at_edges(
    "graphlets of four vertices at edges", edge_orbits.ORBITS_OF_FOUR, Work(vertex=100, edge=200, pair=30)
)
"""The copies of each graphlet of up to four vertices, induced or not, in which each edge has the place of the orbit.

int64, shape (m, 12); or shape (edges, 12) in the order of an array of entries, which may follow the graph.
"""

FIVE_VERTICES_AT_EDGES = _at_edges(
    "graphlets of five vertices at edges", edge_orbits.ORBITS_OF_FIVE, Work(vertex=200, edge=800, pair=80)
)
"""The same for graphlets of three to five vertices: int64, shape (m, 68) or (edges, 68)."""
