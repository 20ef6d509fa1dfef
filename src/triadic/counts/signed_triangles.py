"""Triangles by the number of their negative edges, in total and at vertices.

The two bits of an entry that hold the direction of a directed graph hold the sign, so signed triangles are counted as
closed triads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from triadic.core.oriented import Oriented
from triadic.core.triad_types import states
from triadic.counts.closed_triads import CLOSED_TRIADS, bytes_of_roles
from triadic.counts.count import Count, Work
from triadic.devices.cpu.triads import closed_triads as cpu
from triadic.devices.gpu import closed_triads as gpu
from triadic.tiles.edge_values import EdgeSigns

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    cpu=cpu.by_role,
    gpu=gpu.by_role,
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


def by_negatives(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return counts by the number of negative edges, from counts by code: int64, shape (4,)."""
    counts = np.zeros(SIGNS, dtype=np.int64)
    np.add.at(counts, _NEGATIVES, codes)
    return counts


def with_signs(oriented: Oriented, negative: NDArray[np.bool_]) -> Oriented:
    """Return the graph with signs in place of directions.

    The same signs return the same object, so that its copy on a device can be used again.
    """
    state = np.where(negative, np.uint8(_NEGATIVE), np.uint8(_POSITIVE))
    signed = _SIGNED_GRAPHS.get(oriented)
    if signed is None or signed.state is None or not np.array_equal(signed.state, state):
        signed = Oriented(oriented.rank, oriented.indptr, oriented.indices, state, oriented.degree)
        _SIGNED_GRAPHS[oriented] = signed
    return signed
