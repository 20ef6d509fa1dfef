"""Values of edges: their triangles, the support; their trussness; and counts and sums of values that edges have.

Supports and trussness are returned in the order of the graph's edges. Values are added up over triangles, over edges,
by sign, and over closed triads by type.

Over the triangles at vertices, the product of the values of the three edges is added, or the values of two edges. On
the CPU, these sums are equal to the bit for any number of threads. On GPUs, the order of addition varies; the error is
at most 1e-12 of the sum of absolute values.

Over tiles, sums are limbs of `triadic.devices.cpu.triangles.weight_sums`, which are equal for any cut into tiles, any
number of threads and any order. They are counted on CPUs.

The two bits of an entry that hold the direction of a directed graph hold the sign, so signed triangles are counted as
closed triads: by the number of their negative edges.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.triad_types import CLOSED_NAMES, states
from triadic.counts.count import Bytes, Count, Work, most_bytes, on_device_of, run
from triadic.counts.triads import CLOSED_TRIADS, bytes_of_roles
from triadic.devices.cpu.orient.id_rows import in_edge_order
from triadic.devices.cpu.orient.rows import slots_of_edges
from triadic.devices.cpu.triads import closed_triads
from triadic.devices.cpu.triangles import small_graphs, tile_products, weight_sums, weighted_triangles
from triadic.devices.cpu.triangles import supports as neighbourhoods
from triadic.devices.cpu.triangles import trussness as cpu
from triadic.devices.cpu.triangles.weight_sums import PRODUCT_LIMBS, STRENGTH_LIMBS, sum_at_ends
from triadic.devices.gpu import edge_values as gpu
from triadic.devices.gpu import triads as gpu_triads
from triadic.devices.gpu import triangles as gpu_triangles
from triadic.tiles.sums import PartCounter
from triadic.tiles.tile import EdgeSigns

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, BoolArray, Float64Array, Ids, Int32Array, Int64Array
    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph


EDGE_SUPPORT = Count(
    name="triangles of edges",
    gives="entries",
    dtype=np.int32,
    cpu=neighbourhoods.by_edge,
    small=small_graphs.by_entry,
    gpu=gpu_triangles.by_edge,
    bytes=neighbourhoods.bytes_of_supports,
    work=Work(edge=20, pair=1),
    not_tiled="the numbers of all edges take as much memory as the tiles; edge_support(output=) writes them",
)
"""The triangles at each entry of the oriented rows, the support of its edge: int32, shape (m,)."""

SUPPORTS_OF_TILES = PartCounter(
    EDGE_SUPPORT.name.replace(" ", "-"), neighbourhoods.add_supports_of_tiles, 1, per_rank=True, entries=True
)
"""The triangles at each entry of a tile, added up over triples of tiles."""

TRUSSNESS = Count(
    name="trusses",
    gives="entries",
    dtype=np.int32,
    cpu=cpu.trussness,
    gpu=gpu.trussness,
    # Supports; then the row of each edge, and of the edges that are in triangles alone the number, the place in the
    # queue, and twice the column and the number: from 8 to 32 bytes an edge.
    bytes=most_bytes(neighbourhoods.bytes_of_supports, Bytes(vertex=40, edge=32, worker_vertex=5)),
    work=Work(edge=200, pair=4),
    not_tiled="edges are removed in an order that runs across all tiles",
    label="peeling edges",
)
"""The trussness of each entry of the oriented rows: shape (m,).

With the option ``up_to``, values below ``up_to`` are exact. All other edges are not peeled: their values are at least
``up_to``.
"""


# Edges from which sorting values is faster than searching for every edge.
_LEAST_EDGES = 1 << 14


def at_all_edges(
    graph: Graph, at_entry: Int32Array, count: Count[Any], *, threads: int | None, device: str
) -> Int64Array:
    """Return for each edge of ``graph.edges()`` the value, from 0 on, at its entry of the oriented rows: int64.

    The device sorts that `count` ran on with the same argument `device`; the CPU does if a device has no room.
    """
    oriented = graph.oriented(threads=threads)
    sorted_there = on_device_of(
        count, device, oriented, lambda used: gpu.in_edge_order(used, oriented, at_entry, directed=graph.directed)
    )
    if sorted_there is not None:
        return sorted_there
    if not graph.directed and oriented.num_edges >= _LEAST_EDGES:
        in_order = in_edge_order(oriented, at_entry, threads=resolve_threads(threads))
        if in_order is not None:
            return in_order
    return at_edges(oriented, at_entry, *graph.edges(), threads=threads)


def at_edges(oriented: Oriented, at_entry: AnyArray, source: Ids, target: Ids, *, threads: int | None) -> Int64Array:
    """Return for each given edge the value at its entry of the oriented rows: int64, shape (edges,)."""
    return at_entry[entries_of(oriented, source, target, threads=threads)].astype(np.int64)


def entries_of(oriented: Oriented, source: Ids, target: Ids, *, threads: int | None) -> Int64Array:
    """Return the entry of the oriented rows that holds each given edge: int64, shape (edges,)."""
    return slots_of_edges(oriented, source, target, threads=resolve_threads(threads))


WEIGHTED_TRIANGLES = Count(
    name="weighted triangles",
    gives="vertices",
    dtype=np.float64,
    cpu=weighted_triangles.by_vertex,
    gpu=gpu.by_vertex,
    # Lists, and two float64 at each entry; parts of lists, and float64 sums of 8 cuts of the rows at each vertex. Each
    # thread has two float64 at each vertex, of which it writes a quarter.
    bytes=Bytes(vertex=108, edge=19, worker_vertex=4),
    work=Work(edge=15, pair=1.5),
    not_tiled="sums of floats depend on the order; tiles have products of weighted triangles",
    label="adding up over triangles",
)
"""Sum over the triangles at each rank of the product of the values of their edges: float64, shape (n,).

The input is the values of the entries of the oriented rows: float64, shape (m,).
"""


def sums_of_pairs(
    oriented: Oriented, values: Float64Array, *, threads: int | None, device: str, progress: ProgressKeyword
) -> Float64Array:
    """Sum over the triangles at each rank the values of the two edges at the rank: float64, shape (n,).

    An edge occurs in as many of these pairs as it is in triangles, so only the triangles of edges are counted.
    """
    support = run(EDGE_SUPPORT, oriented, threads=threads, device=device, progress=progress)
    return sum_at_ends(oriented, values * support, threads=resolve_threads(threads))


def _exact(name: str, *, pairs: bool) -> Count[Int64Array]:
    return Count(
        name=name,
        gives="vertices",
        columns=PRODUCT_LIMBS,
        cpu=partial(tile_products.sums, pairs=pairs),
        in_place=True,
        # Lists; limbs of ranks and values of marks for each thread, of which it writes the most.
        bytes=Bytes(vertex=16, edge=5, worker_vertex=54),
        work=Work(edge=15, pair=2.5),
        adds_over="triangles",
        takes_values=True,
        label="adding up over triangles",
    )


EXACT_PRODUCTS = _exact("products of weighted triangles", pairs=False)
"""Sum over the triangles at each rank of the product of the values of their edges: limbs, int64, shape (n, 8)."""

EXACT_PAIRS = _exact("pairs of weighted triangles", pairs=True)
"""Sum over the triangles at each rank of the values of the two edges at the rank: limbs, int64, shape (n, 8)."""

STRENGTHS = Count(
    name="strengths of vertices",
    gives="vertices",
    columns=STRENGTH_LIMBS,
    cpu=weight_sums.strengths,
    bytes=Bytes(sums=STRENGTH_LIMBS),
    work=Work(vertex=4, edge=20),
    adds_over="edges",
    takes_values=True,
)
"""Sums of the values of the edges at each rank, and of their squares: limbs, int64, shape (n, 24)."""


SIGNS = 4  # from no negative edge to three
_POSITIVE, _NEGATIVE = 1, 2
# Number of negative edges of each code.
_NEGATIVES = np.array([sum(state == _NEGATIVE for state in states(code)) for code in range(64)], np.int64)

SIGNED_TRIANGLE_COUNT = CLOSED_TRIADS
"""Signed triangles by code, of a graph from `with_signs`; `by_negatives` adds them up."""

SIGNED_TRIANGLES = Count(
    name="signed triangles of vertices",
    gives="vertices",
    columns=SIGNS,
    cpu=closed_triads.by_role,
    gpu=gpu_triads.by_role,
    inputs=(np.tile(_NEGATIVES, (3, 1)),),
    bytes=bytes_of_roles(SIGNS),
    work=Work(edge=11, pair=0.7),
    in_place=True,
    adds_over="triangles",
    takes_values=True,
    label="counting signed triangles",
)
"""The triangles at each rank by their number of negative edges, of a graph from `with_signs`: int64, shape (n, 4).

A tiled graph with weights has the input `TILE_SIGNS`.
"""

TILE_SIGNS = EdgeSigns(_POSITIVE, _NEGATIVE)


def by_negatives(codes: Int64Array) -> Int64Array:
    """Return counts by the number of negative edges, from counts by code: int64, shape (4,)."""
    return (np.arange(SIGNS)[:, None] == _NEGATIVES) @ codes


def with_signs(oriented: Oriented, negative: BoolArray) -> Oriented:
    """Return the graph with signs in place of directions."""
    return oriented.with_state(np.where(negative, np.uint8(_NEGATIVE), np.uint8(_POSITIVE)))


MOTIF_INTENSITY = Count(
    name="intensities of closed triads",
    gives="total",
    columns=closed_triads.COLUMNS * len(CLOSED_NAMES),
    dtype=np.float64,
    cpu=closed_triads.by_type,
    # Costs of rows while they are added up; then costs and lengths of rows, and places in a row for each thread.
    bytes=most_bytes(Bytes(vertex=24, state=1), Bytes(vertex=16, worker_vertex=8, state=1)),
    work=Work(edge=10, pair=3),
    not_tiled="sums of floats depend on the order",
    label="adding up intensities of triads",
)
"""Number of closed triads of each type, and the sums of their intensities and coherences: float64, shape (21,).

The inputs are the number of arcs of each entry of the oriented rows, and the sums of their weights and of the
logarithms of their weights: float64, shape (m,).
"""
