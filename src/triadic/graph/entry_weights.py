"""The weights of a graph at the entries of its oriented rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class EntryWeights(NamedTuple):
    """Weights at the entries of a graph's oriented rows.

    Attributes
    ----------
    out : float64 array, shape (m,)
        Weight of the edge; in a directed graph, of the arc from the row's vertex, and 0 if there is no such arc.
    into : float64 array, shape (m,), optional
        In a directed graph, weight of the arc to the row's vertex, and 0 if there is no such arc.
    """

    out: NDArray[np.float64]
    into: NDArray[np.float64] | None
