"""Prove the relations from which the edge orbits of graphlets follow, by enumeration over small graphs.

Each relation expresses a raw frequency, the number of copies of a pattern, induced or not, in which an edge has a
marked place, by degrees, common neighbours, triangles, squares and cliques. The relations stand here once more, written
with dense arrays and with no thought of speed, beside the enumeration that they are compared with. The compiled code in
`triadic.devices.cpu.orbits.edge_orbits` follows them.

A place whose two ends differ is a relation of an ordered pair (u, v), an array that is not symmetric; the sum of the
array and its transpose is the frequency at the edge.

Run ``python tools/edge_orbit_relations.py`` to check all connected graphs of up to seven vertices and some random
graphs; the script ends with an error if a relation or an entry of the matrix of the transform is wrong. With
``--table`` it prints the matrix in the form of `triadic.core.graphlets`.
"""

from __future__ import annotations

import sys
from functools import cache
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np
from orbit_relations import Ingredients, graphlet_edges, graphs, pairs, raw_by_relations, triples

from triadic.core import graphlets
from triadic.core.graphlets import EDGE_ORBITS_OF_GRAPHLETS, ORBITS_OF_GRAPHLETS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

_ORBITS = 68


def orbits_in_order() -> list[tuple[int, ...]]:
    """Return the orbit of each edge of each graphlet.

    Graphlets follow one another in their order, and the orbits of one graphlet in the order of the vertex orbits of
    their ends: the smaller first, then the larger. This is the order of ORCA.
    """
    found: list[tuple[int, ...]] = []
    orbit = 0
    for graphlet, places in enumerate(ORBITS_OF_GRAPHLETS):
        if graphlet > 0:
            ends = [tuple(sorted((places[u], places[v]))) for u, v in graphlet_edges(graphlet)]
            kinds = sorted(set(ends))
            found.append(tuple(orbit + kinds.index(pair) for pair in ends))
            orbit += len(kinds)
        else:
            found.append(())
    return found


@cache
def orbits_by_edges(vertices: int) -> dict[frozenset[tuple[int, int]], dict[tuple[int, int], int]]:
    """Return the orbit of each edge of every connected graph on the vertices 0, 1, ..., by the edges of the graph."""
    found = {}
    for graphlet in range(1, len(ORBITS_OF_GRAPHLETS)):
        if len(ORBITS_OF_GRAPHLETS[graphlet]) == vertices:
            for order in permutations(range(vertices)):
                drawn = [tuple(sorted((order[u], order[v]))) for u, v in graphlet_edges(graphlet)]
                found[frozenset(drawn)] = dict(zip(drawn, EDGE_ORBITS_OF_GRAPHLETS[graphlet], strict=True))
    return found


def net_by_enumeration(adjacency: Counts) -> Counts:
    """Return the net frequencies at each ordered pair of joined vertices, by all sets of three to five vertices.

    Returns
    -------
    int64 array, shape (n, n, 68), symmetric
    """
    n = len(adjacency)
    net = np.zeros((n, n, _ORBITS), dtype=np.int64)
    for size in (3, 4, 5):
        known = orbits_by_edges(size)
        places = list(combinations(range(size), 2))
        for chosen in combinations(range(n), size):
            edges = frozenset((i, j) for i, j in places if adjacency[chosen[i], chosen[j]])
            for (i, j), orbit in known.get(edges, {}).items():
                net[chosen[i], chosen[j], orbit] += 1
                net[chosen[j], chosen[i], orbit] += 1
    return net


def raw_from_net_by_enumeration() -> Counts:
    """Return the matrix of the transform, from all sets of edges of each graphlet: int64, shape (68, 68)."""
    matrix = np.zeros((_ORBITS, _ORBITS), dtype=np.int64)
    for graphlet, orbits in enumerate(EDGE_ORBITS_OF_GRAPHLETS):
        vertices = len(ORBITS_OF_GRAPHLETS[graphlet])
        edges = graphlet_edges(graphlet)
        known = orbits_by_edges(vertices)
        for count in range(vertices - 1, len(edges) + 1):
            for chosen in combinations(edges, count):
                at = known.get(frozenset(chosen), {})
                for place, orbit in enumerate(orbits):
                    if place == orbits.index(orbit) and edges[place] in at:
                        matrix[at[edges[place]], orbit] += 1
    return matrix


def raw_from_net() -> Counts:
    """Return the matrix of the transform as the package has it: int64, shape (68, 68)."""
    matrix = np.eye(_ORBITS, dtype=np.int64)
    for place, copies in graphlets.raw_from_net(at_edges=True).items():
        matrix[place] = copies
    return matrix


class EdgeIngredients(Ingredients):
    """The counts of which the relations are made, as dense arrays; [u, v] belongs to the edge {u, v}.

    Parameters
    ----------
    adjacency : int64 array, shape (n, n)
        Zeros and ones, symmetric, with a diagonal of zeros.
    """

    def __init__(self, adjacency: Counts) -> None:
        super().__init__(adjacency)
        a, s = self.a, self.s
        self.near = self.over_thirds(self.k[None, None, :])  # degrees of the third vertices
        # Diamonds with u on the chord, and v off the chord.
        self.beside = self.over_thirds((s - 1)[:, None, :])
        self.on_vertices = raw_by_relations(adjacency)
        self.path3 = a @ self.path2 - self.k * (self.k - 1) - 2 * self.t
        self.claws = a @ pairs(self.k - 1)  # claws with the vertex as a leaf
        self.paw_tips = a @ self.t - 2 * self.t

    def over_thirds(self, value: Counts) -> Counts:
        """Add up ``value[u, v, w]`` over the triangles {u, v, w} of each edge {u, v}."""
        return np.einsum("uvw,uvw->uv", self.triangle, np.broadcast_to(value, self.triangle.shape))

    def over_paths(self, value: Counts) -> Counts:
        """Add up ``value[u, v, w]`` over the 2-paths u - v - w."""
        n = len(self.a)
        paths = np.einsum("uv,vw,uw->uvw", self.a, self.a, self.other)
        return np.einsum("uvw,uvw->uv", paths, np.broadcast_to(value, (n, n, n)))


def both(at_pair: Counts) -> Counts:
    """Add up the two directions of each edge."""
    return at_pair + at_pair.T


def write_four(of: EdgeIngredients, raw: Counts) -> None:
    """Write the columns of graphlets of three and four vertices."""
    a, k, s, t = of.a, of.k, of.s, of.t
    ku, kv = k[:, None], k[None, :]
    raw[:, :, 0] = ku + kv - 2
    raw[:, :, 1] = s
    # Path: its end, and its middle.
    raw[:, :, 2] = both(of.path2[None, :] - (ku - 1) - s)
    raw[:, :, 3] = (ku - 1) * (kv - 1) - s
    raw[:, :, 4] = both(0 * ku + pairs(kv - 1))
    raw[:, :, 5] = of.squares_at
    # Paw: the leaf, the edge opposite, and the edges at the leaf.
    raw[:, :, 6] = both(0 * ku + t[None, :] - s)
    raw[:, :, 7] = of.near - 2 * s
    raw[:, :, 8] = s * (ku + kv - 4)
    # Diamond: its sides, and its chord.
    raw[:, :, 9] = both(of.beside)
    raw[:, :, 10] = pairs(s)
    raw[:, :, 11] = of.q
    raw *= a[:, :, None]


def write_trees(of: EdgeIngredients, raw: Counts) -> None:
    """Write the columns of paths, forks and stars: walks, less those that fold back."""
    k, s, t, near, squares, path2 = of.k, of.s, of.t, of.near, of.squares_at, of.path2
    ku, kv = k[:, None], k[None, :]
    beyond = path2[None, :] - (ku - 1) - s  # 2-paths from v that do not pass u
    # Path: u is its end; u is next to its end.
    raw[:, :, 12] = both(of.path3[None, :] - (path2[:, None] - (kv - 1) - s) - s * (ku - 2) - squares)
    raw[:, :, 13] = both((ku - 1) * beyond - (near - 2 * s) - squares)
    # Fork: the leaf of its 2-path, one of its two leaves, and the edge between the two centres.
    raw[:, :, 14] = both(of.claws[None, :] - pairs(ku - 1) - (near - 2 * s))
    inner = path2 * (k - 1) - 2 * t  # 3-paths with the vertex inside
    raw[:, :, 15] = both(inner[None, :] - beyond - ((ku - 1) * (kv - 1) - s) - s * (kv - 2))
    raw[:, :, 16] = both(pairs(kv - 1) * (ku - 1) - s * (kv - 2))
    # Star.
    raw[:, :, 17] = both(0 * ku + triples(kv - 1))


def write_triangles(of: EdgeIngredients, raw: Counts) -> None:
    """Write the columns of triangles with leaves and tails, and of butterflies."""
    k, s, t, near, path2, beside = of.k, of.s, of.t, of.near, of.path2, of.beside
    ku, kv = k[:, None], k[None, :]
    off = beside.T  # diamonds with v on the chord, and u off
    # Bull: a leaf, a side, and the edge between the vertices that have leaves.
    raw[:, :, 18] = both(of.leaves[None, :] - s * (ku - 2) - (near - 2 * s) - off)
    raw[:, :, 19] = both((ku - 2) * (near - 2 * s) - beside)
    raw[:, :, 20] = s * ((ku - 2) * (kv - 2) - (s - 1))
    # Triangle with a tail of two edges: the end of the tail, its other edge, the edge opposite, and the other sides.
    raw[:, :, 21] = both(of.paw_tips[None, :] - (t[:, None] - s) - beside)
    raw[:, :, 22] = both((t[:, None] - s) * (kv - 1) - beside)
    raw[:, :, 23] = of.over_thirds(path2[None, None, :]) - s * (ku + kv - 4) - both(beside) - 2 * s
    raw[:, :, 24] = both(s * (path2[:, None] - kv - s + 3) - near - beside)
    # Cricket: a leaf, the edge opposite, and the other sides.
    raw[:, :, 25] = both((t[None, :] - s) * (kv - 3))
    raw[:, :, 26] = of.over_thirds(pairs(k - 2)[None, None, :])
    raw[:, :, 27] = s * (pairs(ku - 2) + pairs(kv - 2))
    # Butterfly: the edges opposite to the centre, and those at the centre.
    raw[:, :, 36] = of.over_thirds(t[None, None, :]) - both(beside) - s
    raw[:, :, 37] = both(s * (t[:, None] - s) - beside)


def write_squares(of: EdgeIngredients, raw: Counts) -> None:
    """Write the columns of 5-cycles, and of squares with a leaf or a further 2-path."""
    a, k, c, s, squares, beside = of.a, of.k, of.c, of.s, of.squares_at, of.beside
    n = len(a)
    ku = k[:, None]
    # 5-cycle: a third vertex u with a 2-path to each end, less those whose paths share the middle or pass the edge.
    for u in range(n):
        outside = a.copy()
        outside[u] = outside[:, u] = 0
        paths = c[u][:, None] - a[u][None, :]  # paths from u to w that do not pass x
        raw[:, :, 28] += outside * paths * paths.T
    degrees_of_thirds = of.near - 2 * s  # walks u - a - w - x - a - u around a triangle {a, w, x}
    raw[:, :, 28] -= a * degrees_of_thirds
    # Banner: a leaf, the edges opposite, and the edges at the leaf.
    raw[:, :, 29] = both(of.squares[None, :] - squares - pairs(s))
    raw[:, :, 30] = both(of.over_paths((c - 1)[:, None, :] * (k - 2)[None, None, :]) - beside)
    raw[:, :, 31] = both(squares * (ku - 2) - beside)
    # K(2, 3).
    raw[:, :, 42] = both(of.over_paths(pairs(c - 1)[:, None, :]))
    # House: the floor, the walls, the edges of the roof, and the edge between walls and roof.
    triangles = np.einsum("ux,wx,wx->uw", a, a, s)  # triangles at the second edge of the 2-paths from u to w
    raw[:, :, 43] = of.over_paths(triangles[:, None, :] - s[None, :, :]) - both(beside)
    raw[:, :, 44] = both(of.over_paths((c - 1)[:, None, :] * s[None, :, :]) - both(beside))
    raw[:, :, 45] = both(of.over_thirds(squares[:, None, :]) - s * (s - 1) - beside.T)
    raw[:, :, 46] = squares * s - both(beside)


def write_diamonds(of: EdgeIngredients, raw: Counts) -> None:
    """Write the columns of diamonds with a leaf or a further vertex joined to two vertices."""
    k, c, s, q, near, beside, joined = of.k, of.c, of.s, of.q, of.near, of.beside, of.joined
    ku, kv = k[:, None], k[None, :]
    w = (slice(None), None, slice(None))  # of an array [u, w]
    x = (None, slice(None), slice(None))  # of an array [v, w]
    # Dart: the leaf, the sides far from the leaf, the sides at the leaf, and the chord.
    raw[:, :, 32] = both(of.on_chord[None, :] - pairs(s) - beside.T)
    raw[:, :, 33] = both(of.over_thirds((s - 1)[w] * (k - 3)[None, None, :]))
    raw[:, :, 34] = both(beside * (ku - 3))
    raw[:, :, 35] = pairs(s) * (ku + kv - 6)
    # Kite: the leaf, the sides far from the leaf, the sides at the leaf, and the chord.
    raw[:, :, 38] = both(of.off_chord[None, :] - beside - q)
    raw[:, :, 39] = both(of.over_thirds(near[x] - 2 * s[x]) - s * (ku - 2) - 2 * q)
    raw[:, :, 40] = both(beside.T * (ku - 2) - 2 * q)
    raw[:, :, 41] = (s - 1) * (near - 2 * s) - 2 * q
    # Three triangles with one edge in common: the other edges, and the common edge.
    raw[:, :, 47] = both(of.over_thirds(pairs(s - 1)[w]))
    raw[:, :, 48] = triples(s)
    # Gem: outer edges of the rim, outer spokes, the middle of the rim, and inner spokes.
    raw[:, :, 52] = both(of.over_thirds(beside.T[x]) - beside - 2 * q)
    raw[:, :, 53] = both(of.over_thirds(beside[w]) - s * (s - 1) - 2 * q)
    raw[:, :, 54] = of.over_thirds((s - 1)[w] * (s - 1)[x]) - 2 * q
    raw[:, :, 55] = (s - 1) * both(beside) - 4 * q
    # K(2, 3) with an edge between two of the three: the edges at the third, the other sides, and the edge itself.
    raw[:, :, 56] = both(of.over_paths(joined[:, None, :]) - beside.T)
    tri = of.triangle
    raw[:, :, 57] = both(np.einsum("uvy,vyw,uw->uv", tri, tri, (c - 2) * of.other))
    raw[:, :, 58] = np.einsum("pvx,qvx,pq->vx", tri, tri, (c - 2) * of.other) // 2


def write_cliques(of: EdgeIngredients, raw: Counts) -> None:
    """Write the columns of wheels and 4-cliques."""
    a, k, s, q, tri, cliques = of.a, of.k, of.s, of.q, of.triangle, of.cliques
    ku, kv = k[:, None], k[None, :]
    # A leaf at a 4-clique: the leaf, the edges opposite, and the edges at the leaf.
    raw[:, :, 49] = both(0 * ku + of.four[None, :] - q)
    raw[:, :, 50] = np.einsum("uvw,w->uv", cliques, k - 3)
    raw[:, :, 51] = q * (ku + kv - 6)
    # A 4-clique and a vertex joined to two of its vertices: its edges, the edge opposite, the edges between, the edge
    # of its two neighbours.
    clique = np.einsum("xyz,xw,yw,zw->wxyz", tri, a, a, a)
    raw[:, :, 59] = both(of.over_thirds(q[:, None, :])) - 4 * q
    raw[:, :, 60] = np.einsum("uvxy,xy->uv", clique, s - 2) // 2
    raw[:, :, 61] = both(np.einsum("uvw,uw->uv", cliques, s - 2))
    raw[:, :, 62] = q * (s - 2)
    # Wheel: rim and spokes.
    for h in range(len(a)):
        link = tri[h]
        inside = link @ link
        np.fill_diagonal(inside, 0)
        raw[:, :, 63] += link * ((inside - 1) * of.other @ link)
        at = pairs(inside).sum(axis=1)
        raw[h, :, 64] += at
        raw[:, h, 64] += at
    # 5-clique without an edge: the edges at its two vertices that are not joined, and the others.
    raw[:, :, 65] = both(np.einsum("uvxy,vxy->uv", clique, cliques - 1) // 2)
    raw[:, :, 66] = pairs(cliques).sum(axis=2)
    raw[:, :, 67] = np.einsum("uvxy,zu,zv,zx,zy->uv", clique, a, a, a, a) // 6


def edge_raw_by_relations(adjacency: Counts) -> Counts:
    """Return the raw frequencies at each ordered pair of joined vertices: int64, shape (n, n, 68), symmetric."""
    of = EdgeIngredients(adjacency)
    n = len(adjacency)
    raw = np.zeros((n, n, _ORBITS), dtype=np.int64)
    for write in (write_four, write_trees, write_triangles, write_squares, write_diamonds, write_cliques):
        write(of, raw)
    return raw * adjacency[:, :, None]


def table() -> str:
    """Return the matrix above its diagonal in the form of the package."""
    matrix = raw_from_net_by_enumeration()
    rows = []
    for orbit, row in enumerate(matrix):
        entries = " ".join(f"{other}:{copies}" for other, copies in enumerate(row) if copies and other != orbit)
        if entries:
            rows.append(f'    {orbit}: "{entries}",')
    return "\n".join(rows)


def failures(largest: int, random: int) -> dict[int, int]:
    """Return the number of graphs on which each relation fails, by orbit; -1 stands for the matrix or the order."""
    failed: dict[int, int] = {}
    matrix = raw_from_net_by_enumeration()
    if (matrix != raw_from_net()).any() or tuple(orbits_in_order()) != EDGE_ORBITS_OF_GRAPHLETS:
        failed[-1] = 1
    for adjacency in graphs(largest, random):
        expected = net_by_enumeration(adjacency) @ matrix.T
        found = edge_raw_by_relations(adjacency)
        for orbit in np.flatnonzero((expected != found).any(axis=(0, 1))):
            failed[int(orbit)] = failed.get(int(orbit), 0) + 1
    return failed


def main() -> int:
    """Check all relations, and print the orbits whose relations fail; or print the table."""
    if sys.argv[1:] == ["--table"]:
        print(table())
        return 0
    failed = failures(7, 64)
    print(f"relations that fail: {failed}" if failed else "All relations hold.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
