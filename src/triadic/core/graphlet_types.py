"""The 16 graphlets, connected graphs of up to four vertices with a marked vertex, and the counts that determine them.

The numbers are those of the fast graphlet transform; docs/graphlets.md has a picture of each graphlet.

References
----------
Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GRAPHLET_NAMES = (
    "vertex",
    "degree",
    "2-path end",
    "2-path middle",
    "triangle",
    "3-path end",
    "3-path inside",
    "claw leaf",
    "claw root",
    "paw tip",
    "paw base",
    "paw centre",
    "4-cycle",
    "diamond off chord",
    "diamond on chord",
    "4-clique",
)

# For each graph, one of its graphlets, and the number of vertices of the graph at which this graphlet occurs.
GRAPHS = {
    "vertex": (0, 1),
    "edge": (1, 2),
    "2-path": (3, 1),
    "triangle": (4, 3),
    "3-path": (6, 2),
    "claw": (8, 1),
    "paw": (11, 1),
    "4-cycle": (12, 4),
    "diamond": (14, 2),
    "4-clique": (15, 4),
}

# The graphlet of each of ORCA's orbits 0 to 14.
ORBITS = (1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10, 11, 13, 14, 15)


class GraphletCounts(NamedTuple):
    """Counts at each rank, from which the frequencies of all graphlets follow: int64 arrays of shape (n,).

    Attributes
    ----------
    triangles
        Triangles at the vertex.
    off_chord
        Diamonds, induced or not, with the vertex off the chord.
    squares
        4-cycles, induced or not.
    tetrahedra
        4-cliques.
    support_pairs
        Sum of C(c, 2) over the edges of the vertex, where c is the number of triangles of the edge.
    support_degrees
        Sum of c times the degree of the other end over the edges of the vertex.
    near_degrees
        Sum of the degrees of the neighbours.
    near_pairs
        Sum of C(k - 1, 2) over the neighbours, where k is the degree of the neighbour.
    near_triangles
        Sum of the triangles of the neighbours.
    path_ends
        Sum over the neighbours of the number of 2-paths that end at the neighbour.
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
