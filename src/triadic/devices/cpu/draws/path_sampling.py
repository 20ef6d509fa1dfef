"""Draw paths of three edges, and tell which subgraph their four vertices induce.

Computes: for draw i an edge {u, v}, a neighbour a of u and a neighbour b of v, and the class of {a, u, v, b}; sums over
  draws by class.
Requires: the neighbours of all ranks (`choice`); the table of the weights of edges (`choice`). For
  centred paths, the place of each edge in the list of its end of higher degree.
Idea: an edge is drawn with weight (k(u) - 1)(k(v) - 1), then a and b with equal probabilities, so that all paths of
  three edges, triangles included (a = b), have the same probability. A path is *centred* if u has a larger rank than
  the three others and a has a smaller rank than v. Each 4-cycle, induced or not, has exactly one centred path, so that
  far fewer paths are drawn for it; there an edge has as many paths as there are such a, times such b.
Cost: some twenty cache misses a draw. The weights of edges cost a pass over the edges.

References
----------
Jha, Seshadhri and Pinar (2015), "Path sampling: a fast and provable method for estimating 4-vertex subgraph counts",
WWW, for both kinds of paths.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, below, mix
from triadic.core.oriented import frozen, int_empty, int_zeros
from triadic.devices.cpu.draws.choice import (
    GROUP_SHIFT,
    Draws,
    choice_table,
    cut_draws,
    drawn,
    entry_of,
    group_of,
    neighbour,
    place_below,
)
from triadic.devices.cpu.intrinsics import Whole, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array, Uint32Array, UnsignedArray
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.draws.choice import ChoiceTable, Neighbours

    Ids = UnsignedArray

# Classes of paths: the subgraph that the four vertices induce, or a triangle. OPEN is a centred path in no 4-cycle.
TRIANGLE, PATH, PAW, CYCLE, DIAMOND, CLIQUE, OPEN = range(7)
CLASSES = 7
BATCH = 64
_U1, _U2 = np.uint64(1), np.uint64(2)


class MiddleEdges(NamedTuple):
    """The rows of an oriented graph, the degree of each rank, and the place of each edge if paths are centred."""

    indptr: Int64Array
    indices: Ids
    degree: Int64Array
    place: Uint32Array


class Paths(NamedTuple):
    """What kernels take to draw paths: neighbours, middle edges, the row of each group's first edge, and the table."""

    rows: Neighbours
    edges: MiddleEdges
    first_row: Int64Array
    table: ChoiceTable


class PathTables:
    """What drawing the paths of an oriented graph takes.

    Parameters
    ----------
    oriented : Oriented
    rows : Neighbours
    centred : bool
        Whether to draw centred paths.
    threads : int

    Attributes
    ----------
    total : int
        Number of all paths.
    """

    def __init__(self, oriented: Oriented, rows: Neighbours, *, centred: bool, threads: int) -> None:
        m = oriented.num_edges
        place = np.empty(m if centred else 0, np.uint32)
        if centred:
            fill_places(rows.indptr, rows.indices, np.zeros(oriented.num_vertices, np.uint32), place)
        edges = MiddleEdges(rows.indptr, rows.indices, oriented.degree, frozen(place))
        first_row = int_empty(-(-m // (1 << GROUP_SHIFT)))

        def add_up(first: int, last: int, sums: Int64Array) -> None:
            row = int(np.searchsorted(rows.indptr, first << GROUP_SHIFT, side="right")) - 1
            add_edge_weights(edges, first, last, row, first_row, sums)

        table = choice_table(m, add_up, threads=threads, what="paths of three edges")
        self.total, self._paths = int(table.total), Paths(rows, edges, frozen(first_row), table)

    def tally(self, key: int, first: int, stop: int, *, threads: int) -> Int64Array:
        """Draw the paths `first` to `stop` - 1, and return their number by class: int64, shape (7,)."""
        sums = int_zeros((threads, CLASSES))

        def count(worker: int, bounds: tuple[int, int]) -> None:
            _, classes = self.draws(key, np.arange(*bounds), threads=1)
            sums[worker] += np.bincount(classes, minlength=CLASSES)

        blocks.run_cuts(count, cut_draws(first, stop), threads=threads)
        return sums.sum(axis=0)

    def draws(self, key: int, numbers: Int64Array, *, threads: int) -> tuple[Int64Array, Int64Array]:
        """Draw the paths of some rising numbers.

        Returns
        -------
        ranks : int64 array, shape (draws, 4)
            The ranks a, u, v and b of each.
        classes : int64 array, shape (draws,)
        """
        return drawn(partial(draw_paths, self._paths), 4, key, numbers, threads=threads)


@kernel
def fill_places(indptr: Int64Array, indices: Ids, found: Uint32Array, place: Uint32Array) -> None:
    """Write for each edge {u, v}, u > v, the number of neighbours of v of rank v < x < u; `found` holds zeros."""
    for u in range(len(indptr) - 1):
        for p in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[p])
            place[p] = found[v]
            found[v] += np.uint32(1)


@kernel
def edge_weight(edges: MiddleEdges, u: Whole, p: Whole) -> Whole:
    """Return the number of paths whose middle edge is entry `p` of row `u`; centred ones if `place` is not empty."""
    indptr, indices, degree, place = edges
    v = np.int64(indices[p])
    if len(place) == 0:
        return (degree[u] - 1) * (degree[v] - 1)
    return (p - indptr[u]) * (indptr[v + 1] - indptr[v] + np.int64(place[p]))


@kernel
def add_edge_weights(
    edges: MiddleEdges, first: int, last: int, row: int, first_row: Int64Array, sums: Int64Array
) -> None:
    """Write the sums of the weights of groups `first` to `last` - 1, and the row of the first entry of each."""
    indptr, indices = edges.indptr, edges.indices
    u = row
    for group in range(first, last):
        found = np.int64(0)
        start = group << GROUP_SHIFT
        while indptr[u + 1] <= start:
            u += 1
        first_row[group] = u
        for p in range(start, min(len(indices), (group + 1) << GROUP_SHIFT)):
            while indptr[u + 1] <= p:
                u += 1
            found += edge_weight(edges, u, p)
        sums[group] = found


@kernel
def class_of(indptr: Int64Array, indices: Ids, ranks: Int64Array, centred: bool) -> int:
    """Return the class of a path."""
    a, u, v, b = ranks[0], ranks[1], ranks[2], ranks[3]
    if a == b:
        return TRIANGLE
    closed = entry_of(indptr, indices, a, b) >= 0
    if centred and not closed:
        return OPEN
    chords = 0
    if entry_of(indptr, indices, a, v) >= 0:
        chords += 1
    if entry_of(indptr, indices, b, u) >= 0:
        chords += 1
    if closed:
        return CYCLE + chords
    return DIAMOND if chords == 2 else PATH + chords


@kernel
def draw_paths(paths: Paths, draws: Draws, ranks: Int64Array, classes: Int64Array) -> None:
    """Write the ranks and the classes of some paths."""
    rows, edges, first_row, table = paths
    indptr, indices, degree, place = edges
    key, first, last = draws
    numbers = np.empty(BATCH, np.uint64)
    groups = np.empty(BATCH, np.int64)
    for start in range(first, last, BATCH):
        size, batch = min(BATCH, last - start), ranks[start - first :]
        for k in range(size):
            numbers[k] = below(mix(mix(key + np.uint64(start + k) * GOLDEN)), table.total)
            groups[k] = group_of(table, numbers[k])
            for ahead in range(0, 1 << GROUP_SHIFT, 16):
                prefetch(indices, (groups[k] << GROUP_SHIFT) + ahead)
            prefetch(first_row, groups[k])
        for k in range(size):
            seed = mix(key + np.uint64(start + k) * GOLDEN)
            rest = np.int64(numbers[k] - table.before[groups[k]])
            p = groups[k] << GROUP_SHIFT
            u = first_row[groups[k]]
            while True:
                while indptr[u + 1] <= p:
                    u += 1
                weight = edge_weight(edges, u, p)
                if rest < weight:
                    break
                rest -= weight
                p += 1
            v = np.int64(indices[p])
            own = p - indptr[u]
            bits = mix(seed + _U1 * GOLDEN)
            if len(place) > 0:
                a: Whole = np.int64(indices[indptr[u] + place_below(bits, own)])
                to_u = indptr[v + 1] - indptr[v] + np.int64(place[p])
                b: Whole = neighbour(rows, v, place_below(mix(seed + _U2 * GOLDEN), to_u))
            else:
                other = place_below(bits, degree[u] - 1)
                a = neighbour(rows, u, other + 1 if other >= own else other)
                # The place of u among the neighbours of v is unknown, so draw until another one is met.
                attempt = _U2
                b = u
                while b == u:
                    b = neighbour(rows, v, place_below(mix(seed + attempt * GOLDEN), degree[v]))
                    attempt += _U1
            batch[k, 0], batch[k, 1], batch[k, 2], batch[k, 3] = a, u, v, b
            prefetch(indptr, max(a, b))
            prefetch(indptr, max(a, v))
            prefetch(indptr, max(u, b))
        for k in range(size):
            a, u, v, b = batch[k, 0], batch[k, 1], batch[k, 2], batch[k, 3]
            for x, y in ((a, b), (a, v), (b, u)):
                row = max(x, y)
                prefetch(indices, (indptr[row] + indptr[row + 1]) >> 1)
        for k in range(size):
            classes[start - first + k] = class_of(indptr, indices, batch[k], len(place) > 0)
