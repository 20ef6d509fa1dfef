"""Triangles by how many of their edges are negative: in total and at vertices.

A sign is kept where a direction would be, in two bits of each entry, so that these are closed triads under another
name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from triadic.core.oriented import Oriented
from triadic.core.triad_types import states
from triadic.counts.closed_triads import CLOSED_TRIADS, bytes_of_roles
from triadic.counts.count import Count, Work
from triadic.devices.cpu import closed_triads as cpu
from triadic.devices.gpu import closed_triads as gpu

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIGNS = 4  # from no negative edge to three
_POSITIVE, _NEGATIVE = 1, 2
# The number of negative edges of each code, whichever of the three vertices is asked for.
_NEGATIVES = np.array([sum(state == _NEGATIVE for state in states(code)) for code in range(64)], dtype=np.int64)
_SIGNED: WeakKeyDictionary[Oriented, Oriented] = WeakKeyDictionary()

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
    not_tiled="tiles keep no weights",
    label="counting signed triangles",
)
"""The triangles at each rank by their number of negative edges, of a graph from `with_signs`: int64, shape (n, 4)."""


def by_negatives(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return counts by the number of negative edges, from counts by code: int64, shape (4,)."""
    found = np.zeros(SIGNS, dtype=np.int64)
    np.add.at(found, _NEGATIVES, codes)
    return found


def with_signs(oriented: Oriented, negative: NDArray[np.bool_]) -> Oriented:
    """Return the graph with signs in place of directions.

    The same signs return the same object, so that it stays on a device.
    """
    state = np.where(negative, np.uint8(_NEGATIVE), np.uint8(_POSITIVE))
    signed = _SIGNED.get(oriented)
    if signed is None or signed.state is None or not np.array_equal(signed.state, state):
        signed = Oriented(oriented.rank, oriented.indptr, oriented.indices, state, oriented.degree)
        _SIGNED[oriented] = signed
    return signed
