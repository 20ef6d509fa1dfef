"""Triangles by how many of their edges are negative: in total and by vertex.

Takes an oriented graph and which of its entries are negative. A sign is kept where a direction would be, in two bits an
edge, so that these are closed triads of another name: `triadic.devices.cpu.closed_triads` and, on GPUs,
`triadic.devices.gpu.closed_triads`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.oriented import Oriented
from triadic.core.progress import reporting
from triadic.core.triad_types import states
from triadic.devices.cpu import closed_triads as cpu
from triadic.devices.gpu import closed_triads as gpu
from triadic.devices.select import resolve_device, run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword

_POSITIVE, _NEGATIVE = 1, 2
_SIGNS = 4  # from no negative edge to three
# Whichever vertex of a triangle it is: how many of the three edges are negative.
_NEGATIVES = np.array([sum(state == _NEGATIVE for state in states(code)) for code in range(64)], dtype=np.int64)
_KEPT: WeakKeyDictionary[Oriented, Oriented] = WeakKeyDictionary()


def in_total(
    oriented: Oriented, negative: NDArray[np.bool_], *, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.int64]:
    """Count triangles by their number of negative edges, 0 to 3: int64, shape (4,)."""
    signed, workers = _signed(oriented, negative), resolve_threads(threads)
    used = resolve_device(device, count="closed triads", oriented=oriented)
    with reporting(progress, "counting signed triangles") as report:
        codes = run(
            device,
            used,
            lambda name: gpu.by_code(name, signed, labelled=False, progress=report),
            lambda: cpu.by_code(signed, labelled=False, threads=workers, progress=report),
        )
    found = np.zeros(_SIGNS, dtype=np.int64)
    np.add.at(found, _NEGATIVES, codes[0])
    return found


def by_vertex(
    oriented: Oriented, negative: NDArray[np.bool_], *, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.int64]:
    """Count the triangles at each rank by their number of negative edges, 0 to 3: int64, shape (n, 4)."""
    signed, workers = _signed(oriented, negative), resolve_threads(threads)
    used = resolve_device(device, count="closed triads by vertex", oriented=oriented)
    roles = np.tile(_NEGATIVES, (3, 1))
    with reporting(progress, "counting signed triangles") as report:
        return run(
            device,
            used,
            lambda name: gpu.by_role(name, signed, roles, progress=report),
            lambda: cpu.by_role(signed, roles, threads=workers, progress=report),
        )


def _signed(oriented: Oriented, negative: NDArray[np.bool_]) -> Oriented:
    """Give the graph with signs for states; the same again for the same signs, so that it stays on a device."""
    state = np.where(negative, np.uint8(_NEGATIVE), np.uint8(_POSITIVE))
    kept = _KEPT.get(oriented)
    if kept is None or kept.state is None or not np.array_equal(kept.state, state):
        kept = Oriented(oriented.rank, oriented.indptr, oriented.indices, state, oriented.degree)
        _KEPT[oriented] = kept
    return kept
