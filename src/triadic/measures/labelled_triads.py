"""The 64 labelled codes of triads: closed ones counted, open ones from one scan of the rows.

X[x, y, z] counts s(uv) = x, s(uw) = y, s(vw) = z over u < v < w. Two dyads that share a vertex belong to a triple whose
third dyad may be anything; taking away the triples where it is an edge leaves those where it is none. Then the same
with single dyads, and last with no dyad at all.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.devices.cpu.labelled_wedges import LabelledWedges


def labelled_census(n: int, closed: NDArray[np.int64], wedges: LabelledWedges) -> tuple[int, ...]:
    """Give the number of triads of each code 0 .. 63, of a graph on n vertices.

    Parameters
    ----------
    n : int
    closed : int64 array, shape (64,)
        Closed triads by code.
    wedges : LabelledWedges
    """
    x = closed.astype(object).reshape(4, 4, 4).transpose(2, 1, 0)  # a code's lowest digit is s(uv)
    edge = slice(1, 4)
    x[edge, 0, edge] = wedges.middle[edge, edge] - x[edge, edge, edge].sum(axis=1)
    x[edge, edge, 0] = wedges.lowest[edge, edge] - x[edge, edge, edge].sum(axis=2)
    x[0, edge, edge] = wedges.highest[edge, edge] - x[edge, edge, edge].sum(axis=0)
    x[edge, 0, 0] = wedges.above[edge] - x[edge].sum(axis=(1, 2))
    x[0, edge, 0] = wedges.between[edge] - x[:, edge].sum(axis=(0, 2))
    x[0, 0, edge] = wedges.below[edge] - x[:, :, edge].sum(axis=(0, 1))
    x[0, 0, 0] = comb(n, 3) - x.sum()
    return tuple(int(count) for count in x.transpose(2, 1, 0).ravel())
