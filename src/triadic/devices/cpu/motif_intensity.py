"""Intensity and coherence of closed triads on the CPU: the geometric mean of the weights of each triad's arcs.

Computes: for each closed type the number of triads, the sum of their intensities and the sum of their coherences.
Requires: `oriented.Oriented`; for each entry of the rows the number of its arcs, and the sums of their weights and of
  the logarithms of their weights.
Idea: the places of the entries of row u are marked; each marked column in a row v of the list is a triangle {u, v, w},
  and the marks tell its three entries. The intensity is exp of the mean logarithm.
Cost: one exponential per triangle, beside a walk of all rows. Sums are made block by block, in the same order for any
  number of threads.

References
----------
J.-P. Onnela, J. Saramäki, J. Kertész and K. Kaski, *Intensity and coherence of motifs in weighted complex networks*,
Physical Review E 71, 065103, 2005.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.triad_types import CLOSED_NAMES, CLOSED_TYPE_OF_CODE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = NDArray[np.integer[Any]]
    Floats = NDArray[np.float64]

COLUMNS = 3
"""Number of sums for each type: triads, intensities, coherences."""

_BLOCKS = 256  # whatever the number of threads, so that sums do not depend on it
_TYPE = np.ascontiguousarray(CLOSED_TYPE_OF_CODE[0])


def by_type(
    oriented: Oriented,
    arcs: Floats,
    sums: Floats,
    logarithms: Floats,
    *,
    threads: int,
    progress: Progress | None = None,
) -> Floats:
    """Add up the intensities and coherences of closed triads by type.

    Parameters
    ----------
    oriented : Oriented
    arcs : float64 array, shape (m,)
        Number of arcs of each entry of the rows: 1 or 2, and 1 in an undirected graph.
    sums, logarithms : float64 array, shape (m,)
        Sums of the weights of these arcs, and of the logarithms of the weights.
    threads : int
    progress : callable, optional

    Returns
    -------
    float64 array, shape (21,)
        Number, intensity and coherence of each type of ``CLOSED_NAMES``; the same for any number of threads.
    """
    n = oriented.num_vertices
    state = np.full(oriented.num_edges, 3, dtype=np.uint8) if oriented.state is None else oriented.state
    length = np.diff(oriented.indptr)
    cost = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(length * length + 1, out=cost[1:])
    cuts = blocks.cut(cost, int(cost[-1]) // _BLOCKS + 1, most=_BLOCKS)
    parts = np.zeros((len(cuts) - 1, len(CLOSED_NAMES), COLUMNS))
    place = np.zeros((min(threads, max(1, len(parts))), n), dtype=np.int64)

    def task(worker: int, block: int) -> None:
        add_triads(
            oriented.indptr, oriented.indices, state, arcs, sums, logarithms, cuts[block], cuts[block + 1],
            place[worker], parts[block],
        )  # fmt: skip

    blocks.run(task, len(parts), threads=len(place), progress=progress)
    total = np.zeros((len(CLOSED_NAMES), COLUMNS))
    for part in parts:
        total += part
    return total.reshape(-1)


@kernel
def add_triads(
    indptr: NDArray[np.int64],
    indices: Ids,
    state: NDArray[np.uint8],
    arcs: Floats,
    sums: Floats,
    logarithms: Floats,
    first: int,
    last: int,
    place: NDArray[np.int64],
    total: Floats,
) -> None:
    """Add the triads whose largest rank is from `first` to `last` - 1 to `total`; `place` stays all zero."""
    for u in range(first, last):
        for p in range(indptr[u], indptr[u + 1]):
            place[indices[p]] = p + 1
        for p in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[p])
            for q in range(indptr[v], indptr[v + 1]):
                r = place[indices[q]] - 1
                if r < 0:
                    continue
                kind = _TYPE[np.int64(state[p]) + 4 * np.int64(state[r]) + 16 * np.int64(state[q])]
                number = arcs[p] + arcs[q] + arcs[r]
                mean = (sums[p] + sums[q] + sums[r]) / number
                intensity = exp((logarithms[p] + logarithms[q] + logarithms[r]) / number)
                total[kind, 0] += 1.0
                total[kind, 1] += intensity
                if mean > 0.0:
                    total[kind, 2] += intensity / mean
        for p in range(indptr[u], indptr[u + 1]):
            place[indices[p]] = 0
