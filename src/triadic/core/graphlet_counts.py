"""What graphlets of up to four vertices follow from, as every device counts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class GraphletCounts(NamedTuple):
    """Counts at each rank, int64 of shape (n,).

    Attributes
    ----------
    triangles
    off_chord
        Diamonds, a chord drawn or not between the two others, with the vertex off the chord.
    squares
        4-cycles, chords drawn or not.
    tetrahedra
    support_pairs
        Sum over the vertex's edges of C(c, 2), c the triangles at the edge.
    support_degrees
        Sum over the vertex's edges of c times the degree of the other end.
    near_degrees
        Sum over the neighbours of their degree.
    near_pairs
        Sum over the neighbours, of degree k, of C(k - 1, 2).
    near_triangles
        Sum over the neighbours of their triangles.
    path_ends
        Sum over the neighbours of the 2-paths that end at each.
    """

    triangles: NDArray[np.int64]
    off_chord: NDArray[np.int64]
    squares: NDArray[np.int64]
    tetrahedra: NDArray[np.int64]
    support_pairs: NDArray[np.int64]
    support_degrees: NDArray[np.int64]
    near_degrees: NDArray[np.int64]
    near_pairs: NDArray[np.int64]
    near_triangles: NDArray[np.int64]
    path_ends: NDArray[np.int64]
