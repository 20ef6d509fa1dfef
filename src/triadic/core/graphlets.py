"""Graphlets, connected graphs of up to five vertices: their names, their orbits, and the matrices of the transforms.

The 16 graphlets of up to four vertices with a marked vertex have the numbers of the fast graphlet transform;
docs/graphlets.md has a picture of each. The 30 graphlets of two to five vertices have 73 orbits of vertices, and those
of three to five vertices 68 orbits of edges. The orbit of an edge is its place in a graphlet. Orbits of edges follow
the graphlets, from the 2-path on, and within a graphlet the vertex orbits of their ends, the smaller of the two first.

The raw frequency of an orbit at a vertex or an edge is the number of copies of its graphlet, induced or not, in which
the vertex or edge has the place of the orbit; the net frequency is the number of induced copies. An induced copy of a
denser graphlet holds a fixed number of copies of a sparser one, so that raw = C net with an integer matrix C. Its rows
stand in `RAW_FROM_NET` and `RAW_FROM_NET_AT_EDGES`. Within one number of vertices C is triangular with ones on its
diagonal, as orbits are numbered by graphlets of rising number of edges; net frequencies follow from the last orbit
backwards. ``tools/orbit_relations.py`` and ``tools/edge_orbit_relations.py`` find the matrices again.

References
----------
Pržulj (2007), Bioinformatics 23, e177, figure 1, for the numbers of graphlets and orbits.
Hočevar and Demšar (2014), Bioinformatics 30, 559, for the same numbers in ORCA.
Hočevar and Demšar (2016), Journal of Statistical Software 71 (10), for the numbers of the orbits of edges.
Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, permutations
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triadic.core.array_types import Int64Array

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
    "4-cycle": (12, 4),
    "paw": (11, 1),
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

    triangles: Int64Array
    off_chord: Int64Array
    squares: Int64Array
    tetrahedra: Int64Array
    support_pairs: Int64Array
    support_degrees: Int64Array
    near_degrees: Int64Array
    near_pairs: Int64Array
    near_triangles: Int64Array
    path_ends: Int64Array


ORBITS_OF_SIZE = {3: 4, 4: 15, 5: 73}
"""Number of orbits of graphlets of two to three, to four and to five vertices."""

GRAPH_NAMES = (
    "edge",
    "2-path",
    "triangle",
    "3-path",
    "claw",
    "4-cycle",
    "paw",
    "diamond",
    "4-clique",
    "4-path",
    "fork",
    "4-star",
    "bull",
    "(3,2)-lollipop",
    "cricket",
    "5-cycle",
    "banner",
    "dart",
    "butterfly",
    "kite",
    "K(2,3)",
    "house",
    "K(1,1,3)",
    "(4,1)-lollipop",
    "gem",
    "wheel less a spoke",
    "5-clique less a 2-path",
    "wheel",
    "5-clique less an edge",
    "5-clique",
)
"""Names of the connected graphs of two to five vertices, in the order of graphlets G0 to G29."""

GRAPHS_OF_FIVE = GRAPH_NAMES[9:]
"""Names of the 21 connected graphs of five vertices."""

# Edges of each graphlet, as pairs of the vertices 0 to 4.
EDGES_OF_GRAPHLETS = (
    "01",
    "01 02",
    "01 02 12",
    "01 03 12",
    "01 02 03",
    "02 03 12 13",
    "01 02 03 12",
    "01 02 03 12 13",
    "01 02 03 12 13 23",
    "02 04 12 13",
    "01 03 04 12",
    "01 02 03 04",
    "01 02 04 12 13",
    "01 04 12 13 23",
    "01 02 03 04 12",
    "03 04 12 14 23",
    "02 03 04 12 13",
    "01 02 03 04 12 13",
    "01 02 03 04 14 23",
    "01 02 04 12 13 23",
    "02 03 04 12 13 14",
    "01 03 04 12 14 23",
    "01 02 03 04 12 13 14",
    "01 02 03 04 12 13 23",
    "01 02 03 04 12 14 23",
    "02 03 04 12 13 14 23",
    "01 02 03 04 12 13 14 23",
    "01 02 03 04 13 14 23 24",
    "01 02 03 04 12 13 14 23 24",
    "01 02 03 04 12 13 14 23 24 34",
)

# The orbit of each vertex 0, 1, ... of each graphlet.
ORBITS_OF_GRAPHLETS = (
    (0, 0),
    (2, 1, 1),
    (3, 3, 3),
    (5, 5, 4, 4),
    (7, 6, 6, 6),
    (8, 8, 8, 8),
    (11, 10, 10, 9),
    (13, 13, 12, 12),
    (14, 14, 14, 14),
    (16, 16, 17, 15, 15),
    (21, 20, 18, 19, 19),
    (23, 22, 22, 22, 22),
    (26, 26, 25, 24, 24),
    (28, 30, 29, 29, 27),
    (33, 32, 32, 31, 31),
    (34, 34, 34, 34, 34),
    (38, 36, 37, 37, 35),
    (42, 41, 40, 40, 39),
    (44, 43, 43, 43, 43),
    (47, 48, 48, 46, 45),
    (50, 50, 49, 49, 49),
    (53, 53, 51, 51, 52),
    (55, 55, 54, 54, 54),
    (58, 57, 57, 57, 56),
    (61, 60, 60, 59, 59),
    (63, 63, 64, 64, 62),
    (67, 67, 66, 66, 65),
    (69, 68, 68, 68, 68),
    (71, 71, 71, 70, 70),
    (72, 72, 72, 72, 72),
)

ORBIT_DEPENDENCIES = (
    1, 2, 2, 2, 3, 4, 3, 3, 4, 3, 4, 4, 4, 4, 3, 4, 6, 5, 4, 5, 6, 6, 4, 4, 4, 5, 7, 4, 6, 6, 7, 4, 6, 6, 6, 5, 6, 7, 7,
    5, 7, 6, 7, 6, 5, 5, 6, 8, 7, 6, 6, 8, 6, 9, 5, 6, 4, 6, 6, 7, 8, 6, 6, 8, 7, 6, 7, 7, 8, 5, 6, 6, 4,
)  # fmt: skip
"""For each orbit the number of orbits that it depends on, itself among them: the o_i of Milenković and Pržulj (2008),
Cancer Informatics 6, 257. Nine of them are one less than the number of orbits that a vertex touches within the
graphlet, as a test shows."""

EDGE_ORBITS_OF_SIZE = {3: 2, 4: 12, 5: 68}
"""Number of edge orbits of graphlets of three and four, and of three to five vertices."""


_ENDS = [[(int(edge[0]), int(edge[1])) for edge in edges.split()] for edges in EDGES_OF_GRAPHLETS]


def _edge_orbits() -> tuple[tuple[int, ...], ...]:
    found: list[tuple[int, ...]] = [()]
    orbit = 0
    for edges, places in zip(_ENDS[1:], ORBITS_OF_GRAPHLETS[1:], strict=True):
        ends = [tuple(sorted((places[u], places[v]))) for u, v in edges]
        kinds = sorted(set(ends))
        found.append(tuple(orbit + kinds.index(pair) for pair in ends))
        orbit += len(kinds)
    return tuple(found)


EDGE_ORBITS_OF_GRAPHLETS = _edge_orbits()
"""The orbit of each edge of each graphlet, in the order of `EDGES_OF_GRAPHLETS`; a single edge has no orbit."""


@cache
def raw_from_net(*, at_edges: bool) -> Mapping[tuple[int, int], int]:
    """Return the matrix of the transform of vertices or edges above its diagonal, from all sets of edges of graphlets.

    It takes some hundredths of a second, once.

    Returns
    -------
    mapping of (int, int) to int
        For an orbit and another one, how many copies of the net frequency of the other its raw frequency holds.

    Examples
    --------
    >>> raw_from_net(at_edges=False)[1, 3]  # two 2-paths of a triangle end at each vertex
    2
    """
    orbits_of = EDGE_ORBITS_OF_GRAPHLETS if at_edges else ORBITS_OF_GRAPHLETS
    side = {(u, v): (min(u, v), max(u, v)) for u, v in permutations(range(5), 2)}
    # Orbits of the vertices or the edges of every connected graph on the vertices 0, 1, ..., by their number and edges.
    known: dict[tuple[int, frozenset[object]], dict[object, int]] = {}
    for edges, vertices, orbits in zip(_ENDS, map(len, ORBITS_OF_GRAPHLETS), orbits_of, strict=True):
        for order in permutations(range(vertices)):
            drawn = [side[order[u], order[v]] for u, v in edges]
            known[vertices, frozenset(drawn)] = dict(zip(drawn if at_edges else order, orbits, strict=False))
    copies: Counter[tuple[int, int]] = Counter()
    for edges, vertices, orbits in zip(_ENDS, map(len, ORBITS_OF_GRAPHLETS), orbits_of, strict=True):
        one_of = dict(zip(orbits, edges if at_edges else range(vertices), strict=False))
        for count in range(vertices - 1, len(edges)):
            for chosen in combinations(edges, count):
                found = known.get((vertices, frozenset(chosen)), {})
                copies.update((found[place], orbit) for orbit, place in one_of.items() if place in found)
    return MappingProxyType(copies)
