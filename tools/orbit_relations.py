"""Prove the relations from which the orbits of graphlets of five vertices follow, by enumeration over small graphs.

Each relation expresses a raw frequency, the number of copies of a pattern, induced or not, in which a vertex has a
marked place, by degrees, common neighbours, triangles, squares and cliques. The relations stand here once more, written
with dense arrays and with no thought of speed, beside the enumeration that they are compared with. The compiled code in
`triadic.counts.graphlet_formulas` follows them.

Run ``python tools/orbit_relations.py`` to check all connected graphs of up to seven vertices and some random graphs;
the script ends with an error if a relation or an entry of the matrix of the transform is wrong.
"""

from __future__ import annotations

import sys
from functools import cache
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

from triadic.core import graphlets
from triadic.core.graphlets import EDGES_OF_GRAPHLETS, ORBITS_OF_GRAPHLETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

_ORBITS = 73


def graphlet_edges(graphlet: int) -> list[tuple[int, int]]:
    """Return the edges of a graphlet."""
    return [(int(edge[0]), int(edge[1])) for edge in EDGES_OF_GRAPHLETS[graphlet].split()]


@cache
def orbits_by_edges(vertices: int) -> dict[frozenset[tuple[int, int]], tuple[int, ...]]:
    """Return the orbits of the vertices of every connected graph on the vertices 0, 1, ..., by its edges."""
    found = {}
    for graphlet, orbits in enumerate(ORBITS_OF_GRAPHLETS):
        if len(orbits) == vertices:
            for order in permutations(range(vertices)):
                edges = ((order[u], order[v]) for u, v in graphlet_edges(graphlet))
                found[frozenset((min(edge), max(edge)) for edge in edges)] = tuple(
                    orbits[order.index(vertex)] for vertex in range(vertices)
                )
    return found


def net_by_enumeration(adjacency: Counts) -> Counts:
    """Return the net frequencies at each vertex, from all sets of up to five vertices: int64, shape (n, 73)."""
    net = np.zeros((len(adjacency), _ORBITS), dtype=np.int64)
    for size in range(2, 6):
        known = orbits_by_edges(size)
        pairs = list(combinations(range(size), 2))
        for chosen in combinations(range(len(adjacency)), size):
            edges = frozenset((i, j) for i, j in pairs if adjacency[chosen[i], chosen[j]])
            for vertex, orbit in zip(chosen, known.get(edges, ()), strict=False):
                net[vertex, orbit] += 1
    return net


def raw_from_net_by_enumeration() -> Counts:
    """Return the matrix of the transform, from all sets of edges of each graphlet: int64, shape (73, 73)."""
    matrix = np.zeros((_ORBITS, _ORBITS), dtype=np.int64)
    for graphlet, orbits in enumerate(ORBITS_OF_GRAPHLETS):
        known = orbits_by_edges(len(orbits))
        edges = graphlet_edges(graphlet)
        for count in range(len(orbits) - 1, len(edges) + 1):
            for chosen in combinations(edges, count):
                for place, orbit in enumerate(known.get(frozenset(chosen), ())):
                    if place == orbits.index(orbits[place]):
                        matrix[orbit, orbits[place]] += 1
    return matrix


def raw_from_net() -> Counts:
    """Return the matrix of the transform as the package has it: int64, shape (73, 73)."""
    matrix = np.eye(_ORBITS, dtype=np.int64)
    for place, copies in graphlets.raw_from_net(at_edges=False).items():
        matrix[place] = copies
    return matrix


class Ingredients:
    """The counts of which the relations are made, as dense arrays.

    Parameters
    ----------
    adjacency : int64 array, shape (n, n)
        Zeros and ones, symmetric, with a diagonal of zeros.
    """

    def __init__(self, adjacency: Counts) -> None:
        a = self.a = adjacency
        other = 1 - np.eye(len(a), dtype=np.int64)
        self.k = a.sum(axis=0)
        self.c = a @ a * other  # common neighbours of two vertices
        self.s = self.c * a  # triangles at an edge
        self.t = self.s.sum(axis=0) // 2
        self.triangle = np.einsum("xy,xz,yz->xyz", a, a, a)
        self.cliques = np.einsum("xyz,xw,yw,zw->xyz", self.triangle, a, a, a)  # 4-cliques at a triangle
        self.q = self.cliques.sum(axis=2) // 2  # 4-cliques at an edge
        self.four = self.q.sum(axis=0) // 3
        # Squares u - x - y - b at the edge {u, x}: the vertex y opposite u, and its other paths to u.
        self.squares_at = a * ((self.c - 1) * other @ a)
        self.squares = pairs(self.c).sum(axis=1)
        self.on_chord = (a * pairs(self.s)).sum(axis=1)
        self.off_chord = self.over_triangles(self.s - 1)
        # Edges between the common neighbours of two vertices: diamonds with both off the chord.
        self.joined = np.einsum("uxy,wxy->uw", self.triangle, self.triangle) // 2 * other
        self.path2 = a @ (self.k - 1)  # 2-paths from a vertex
        self.leaves = self.s @ (self.k - 2)  # leaves at the two other vertices of its triangles
        self.other = other

    def over_triangles(self, value: Counts) -> Counts:
        """Add up for each vertex the symmetric `value` of the opposite edge of its triangles."""
        return np.einsum("uxy,xy->u", self.triangle, value) // 2


def pairs(x: Counts) -> Counts:
    """Return C(x, 2)."""
    return x * (x - 1) // 2


def triples(x: Counts) -> Counts:
    """Return C(x, 3)."""
    return x * (x - 1) * (x - 2) // 6


def write_trees(of: Ingredients, raw: Counts) -> None:
    """Write the columns of paths, forks and stars: walks, less those that fold back."""
    a, k, s, t, sq, path2, sk = of.a, of.k, of.s, of.t, of.squares, of.path2, of.leaves
    path3 = a @ path2 - k * (k - 1) - 2 * t
    # Path.
    raw[:, 15] = a @ path3 - (k - 1) * path2 + 2 * t - 2 * t * (k - 2) - 2 * sq
    raw[:, 16] = path3 * (k - 1) - sk - 2 * sq
    raw[:, 17] = (path2**2 - a @ (k - 1) ** 2) // 2 - s @ k + 3 * t - sq
    # Fork.
    raw[:, 18] = a @ (a @ pairs(k - 1)) - k * pairs(k - 1) - sk
    raw[:, 19] = a @ (path2 * (k - 2) - 2 * t) - (k - 1) * (a @ (k - 2)) - sk + 4 * t
    raw[:, 20] = (k - 1) * (a @ pairs(k - 1)) - sk
    raw[:, 21] = path2 * pairs(k - 1) - 2 * t * (k - 2)
    # Star.
    raw[:, 22] = a @ triples(k - 1)
    raw[:, 23] = triples(k) * (k - 3) // 4


def write_triangles(of: Ingredients, raw: Counts) -> None:
    """Write the columns of triangles with leaves and tails, and of butterflies."""
    a, k, s, t, on, off, path2, sk, over = (
        of.a,
        of.k,
        of.s,
        of.t,
        of.on_chord,
        of.off_chord,
        of.path2,
        of.leaves,
        of.over_triangles,
    )
    # Bull.
    raw[:, 24] = a @ sk - 2 * t * (k - 2) - sk - 2 * off
    raw[:, 25] = over(np.outer(k - 2, k - 2) - (s - 1))
    raw[:, 26] = (k - 2) * sk - 2 * on
    # Triangle with a tail of two edges.
    raw[:, 27] = a @ (a @ t) - 2 * (a @ t) - k * t + 2 * t - 2 * on
    raw[:, 28] = (k - 1) * (a @ t - 2 * t) - 2 * off
    raw[:, 29] = s @ path2 - 2 * t * (k - 1) - s @ (k - 1) - 2 * on - 2 * off
    raw[:, 30] = t * path2 - s @ (k - 1) - 2 * on
    # Cricket: two leaves at one vertex of a triangle.
    raw[:, 31] = a @ (t * (k - 3)) - s @ (k - 3)
    raw[:, 32] = s @ pairs(k - 2)
    raw[:, 33] = t * pairs(k - 2)
    # Butterfly.
    raw[:, 43] = s @ t - (s * s).sum(axis=1) - 2 * off
    raw[:, 44] = pairs(t) - on


def write_squares(of: Ingredients, raw: Counts) -> None:
    """Write the columns of 5-cycles, and of squares with a leaf or a further 2-path."""
    a, k, c, s, t, sq, sq_at, on, off, over = (
        of.a,
        of.k,
        of.c,
        of.s,
        of.t,
        of.squares,
        of.squares_at,
        of.on_chord,
        of.off_chord,
        of.over_triangles,
    )
    # 5-cycle: two vertices joined to each other, and each by a 2-path to u, less those whose paths share the middle.
    for u in range(len(a)):
        outside = a.copy()
        outside[u] = outside[:, u] = 0
        # Paths from u to w that do not pass x.
        paths = c[u][:, None] - a[u][None, :]
        raw[u, 34] = (outside * paths * paths.T).sum() // 2 - (a @ t)[u] + 2 * t[u]
    # Banner: a leaf at a square.
    raw[:, 35] = a @ sq - 2 * sq - on
    raw[:, 36] = pairs(c) @ (k - 2) - on
    raw[:, 37] = sq_at @ (k - 2) - 2 * off
    raw[:, 38] = sq * (k - 2) - on
    # K(2, 3).
    raw[:, 49] = np.einsum("ua,ub,ab->u", a, a, pairs(c - 1) * of.other) // 2
    raw[:, 50] = triples(c).sum(axis=1)
    # House.
    far = np.einsum("ux,xy,uy->u", a, s, (c - 1) * of.other)
    raw[:, 51] = far - 2 * on - 2 * off
    raw[:, 52] = over(sq_at) - 2 * on
    raw[:, 53] = (sq_at * s).sum(axis=1) - 2 * on - 2 * off


def write_diamonds(of: Ingredients, raw: Counts) -> None:
    """Write the columns of diamonds with a leaf or a further vertex joined to two vertices."""
    a, k, c, s, t, four, tri, on, off, over, joined = (
        of.a,
        of.k,
        of.c,
        of.s,
        of.t,
        of.four,
        of.triangle,
        of.on_chord,
        of.off_chord,
        of.over_triangles,
        of.joined,
    )
    # Dart: a leaf at the chord of a diamond.
    raw[:, 39] = a @ on - on - 2 * off
    raw[:, 40] = over((s - 1) * (k[:, None] + k[None, :] - 6))
    raw[:, 41] = (a * pairs(s)) @ (k - 3)
    raw[:, 42] = on * (k - 3)
    # Kite: a leaf off the chord of a diamond.
    near = np.einsum("xyz,z->xy", tri, k)  # degrees of the common neighbours of an edge
    raw[:, 45] = a @ off - 2 * on - 3 * four
    raw[:, 46] = over(near - 2 * (s - 1)) - k * t - 3 * four
    raw[:, 47] = off * (k - 2) - 3 * four
    raw[:, 48] = (a * (s - 1) * (near - 2 * s)).sum(axis=1) - 6 * four
    # Three triangles with one edge in common.
    raw[:, 54] = over(pairs(s - 1))
    raw[:, 55] = (a * triples(s)).sum(axis=1)
    # Gem: a path in the neighbourhood of a vertex.
    beside = np.einsum("xyz,xz->xy", tri, s - 1)
    raw[:, 59] = over(beside + beside.T) - 2 * on - 6 * four
    raw[:, 60] = np.einsum("uhy,uh,hy->u", tri, s - 1, s - 1) - 6 * four
    raw[:, 61] = np.einsum("uxy,ux,uy->u", tri, s - 1, s - 1) // 2 - 3 * four
    # K(2, 3) with an edge between two of the three: a diamond, and another vertex joined to both off the chord.
    raw[:, 62] = np.einsum("up,uq,pq->u", a, a, joined) // 2 - on
    raw[:, 63] = (joined * (c - 2)).sum(axis=1)
    raw[:, 64] = np.einsum("uxp,uxq,pq->u", tri, tri, (c - 2) * of.other) // 2


def write_cliques(of: Ingredients, raw: Counts) -> None:
    """Write the columns of wheels and 4-cliques."""
    a, k, s, q, four, tri, over = of.a, of.k, of.s, of.q, of.four, of.triangle, of.over_triangles
    # A leaf at a 4-clique.
    raw[:, 56] = a @ four - 3 * four
    raw[:, 57] = q @ (k - 3)
    raw[:, 58] = four * (k - 3)
    # A 4-clique, and a vertex joined to two of its vertices.
    raw[:, 65] = over(q) - 3 * four
    raw[:, 66] = np.einsum("uxy,xy->u", of.cliques, s - 2) // 2
    raw[:, 67] = (q * (s - 2)).sum(axis=1)
    # Wheel: squares in the neighbourhood of the hub h.
    for h in range(len(a)):
        link = tri[h]
        inside = link @ link
        np.fill_diagonal(inside, 0)
        at = pairs(inside).sum(axis=1)
        raw[:, 68] += at
        raw[h, 69] = at.sum() // 4
    # 5-clique without an edge: two 4-cliques with a common triangle.
    clique = np.einsum("xyz,xw,yw,zw->wxyz", tri, a, a, a)
    raw[:, 70] = np.einsum("wxyz,xyz->w", clique, of.cliques - 1) // 6
    raw[:, 71] = pairs(of.cliques).sum(axis=(1, 2)) // 2
    raw[:, 72] = np.einsum("wxyz,vw,vx,vy,vz->v", clique, a, a, a, a) // 24


def raw_by_relations(adjacency: Counts) -> Counts:
    """Return the raw frequencies of orbits 15 to 72 at each vertex: int64, shape (n, 73), zeros before orbit 15."""
    of = Ingredients(adjacency)
    raw = np.zeros((len(adjacency), _ORBITS), dtype=np.int64)
    for write in (write_trees, write_triangles, write_squares, write_diamonds, write_cliques):
        write(of, raw)
    return raw


def graphs(largest: int, random: int) -> Iterator[Counts]:
    """Yield the adjacency of all connected graphs of up to `largest` vertices, at most 7, and of random graphs."""
    for graph in nx.graph_atlas_g():
        if 2 <= len(graph) <= largest and nx.is_connected(graph):
            yield nx.to_numpy_array(graph, dtype=np.int64)
    for seed in range(random):
        graph = nx.gnp_random_graph(8 + seed % 4, (0.3, 0.5, 0.7, 0.85)[seed // 4 % 4], seed=seed)
        yield nx.to_numpy_array(graph, dtype=np.int64)


def failures(largest: int, random: int) -> dict[int, int]:
    """Return the number of graphs on which each relation fails, by orbit."""
    failed: dict[int, int] = {}
    matrix = raw_from_net_by_enumeration()
    if (matrix != raw_from_net()).any():
        failed[0] = 1
    for adjacency in graphs(largest, random):
        expected = net_by_enumeration(adjacency) @ matrix.T
        found = raw_by_relations(adjacency)
        for orbit in np.flatnonzero((expected[:, 15:] != found[:, 15:]).any(axis=0)):
            failed[15 + int(orbit)] = failed.get(15 + int(orbit), 0) + 1
    return failed


def main() -> int:
    """Check all relations, and print the orbits whose relations fail."""
    failed = failures(7, 64)
    print(f"relations that fail: {failed}" if failed else "All relations hold.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
