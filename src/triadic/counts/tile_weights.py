"""Sums of the values of edges, as integers that add up over tiles: over triangles and over edges.

The sums are limbs of `triadic.devices.cpu.triangles.weight_sums`, which are equal for any cut into tiles, any number of
threads and any order. They are counted on CPUs.
"""

from __future__ import annotations

from triadic.counts.count import Bytes, Count, Work
from triadic.devices.cpu.triangles import tile_products as cpu
from triadic.devices.cpu.triangles import weight_sums as edges
from triadic.devices.cpu.triangles.weight_sums import PRODUCT_LIMBS, STRENGTH_LIMBS

# Lists; limbs of ranks and values of marks for each thread, of which it writes the most.
_BYTES = Bytes(vertex=16, edge=5, worker_vertex=54)
_WALK = Work(edge=15, pair=2.5)

EXACT_PRODUCTS = Count(
    name="products of weighted triangles",
    gives="vertices",
    columns=PRODUCT_LIMBS,
    cpu=cpu.products,
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
    cpu=cpu.pairs,
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
    cpu=edges.strengths,
    bytes=Bytes(sums=STRENGTH_LIMBS),
    work=Work(vertex=4, edge=20),
    adds_over="edges",
    takes_values=True,
)
"""Sums of the values of the edges at each rank, and of their squares: limbs, int64, shape (n, 24)."""
