"""Counts and sums of the values of edges: over triangles, over edges, by sign, and over closed triads by type.

Over the triangles at vertices, the product of the values of the three edges is added, or the values of two edges. On
the CPU, these sums are equal to the bit for any number of threads. On GPUs, the order of addition varies; the error is
at most 1e-12 of the sum of absolute values.

Over tiles, sums are limbs of `triadic.devices.cpu.triangles.weight_sums`, which are equal for any cut into tiles, any
number of threads and any order. They are counted on CPUs.

The two bits of an entry that hold the direction of a directed graph hold the sign, so signed triangles are counted as
closed triads: by the number of their negative edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.triad_types import CLOSED_NAMES, states
from triadic.counts.count import Bytes, Count, Work, most_bytes, run
from triadic.counts.edges import EDGE_SUPPORT
from triadic.counts.triads import CLOSED_TRIADS, bytes_of_roles
from triadic.devices.cpu.triads import closed_triads
from triadic.devices.cpu.triangles import tile_products, weight_sums
from triadic.devices.cpu.triangles import weighted_triangles as cpu
from triadic.devices.cpu.triangles.weight_sums import PRODUCT_LIMBS, STRENGTH_LIMBS, sum_at_ends
from triadic.devices.gpu import edge_values as gpu
from triadic.devices.gpu import triads as gpu_triads
from triadic.tiles.tile import EdgeSigns

if TYPE_CHECKING:
    from triadic.core.array_types import BoolArray, Float64Array, Int64Array
    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword


WEIGHTED_TRIANGLES = Count(
    name="weighted triangles",
    gives="vertices",
    dtype=np.float64,
    cpu=cpu.by_vertex,
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


# Lists; limbs of ranks and values of marks for each thread, of which it writes the most.
_BYTES = Bytes(vertex=16, edge=5, worker_vertex=54)
_WALK = Work(edge=15, pair=2.5)

EXACT_PRODUCTS = Count(
    name="products of weighted triangles",
    gives="vertices",
    columns=PRODUCT_LIMBS,
    cpu=tile_products.products,
    in_place=True,
    bytes=_BYTES,
    work=_WALK,
    adds_over="triangles",
    takes_values=True,
    label="adding up over triangles",
)
"""Sum over the triangles at each rank of the product of the values of their edges: limbs, int64, shape (n, 8)."""

EXACT_PAIRS = Count(
    name="pairs of weighted triangles",
    gives="vertices",
    columns=PRODUCT_LIMBS,
    cpu=tile_products.pairs,
    in_place=True,
    bytes=_BYTES,
    work=_WALK,
    adds_over="triangles",
    takes_values=True,
    label="adding up over triangles",
)
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
_NEGATIVES = np.array([sum(state == _NEGATIVE for state in states(code)) for code in range(64)], dtype=np.int64)
_SIGNED_GRAPHS: WeakKeyDictionary[Oriented, Oriented] = WeakKeyDictionary()

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
    counts = np.zeros(SIGNS, dtype=np.int64)
    np.add.at(counts, _NEGATIVES, codes)
    return counts


def with_signs(oriented: Oriented, negative: BoolArray) -> Oriented:
    """Return the graph with signs in place of directions.

    The same signs return the same object, so that its copy on a device can be used again.
    """
    state = np.where(negative, np.uint8(_NEGATIVE), np.uint8(_POSITIVE))
    signed = _SIGNED_GRAPHS.get(oriented)
    if signed is None or signed.state is None or not np.array_equal(signed.state, state):
        signed = oriented.with_state(state)
        _SIGNED_GRAPHS[oriented] = signed
    return signed


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
