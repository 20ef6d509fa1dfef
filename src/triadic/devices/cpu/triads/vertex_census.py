"""The triad census of every vertex on the CPU, from its dyads, the wedges that it is an end of, and its closed triads.

Computes: per rank the pairs of dyads that it is an end of, by the type of the two alone; and per vertex the 16 types.
Requires: `oriented.Oriented`, with states if directed; columns of open types in the order of `triad_types.OPEN_NAMES`.
Idea: a wedge ends at v wherever a neighbour u of v has another dyad, so the dyads of u, added at v, count wedges by
  the dyad of v and u. With the wedges centred at v they are all wedges of v; wedges that a third dyad closes are
  subtracted, type by type, as the closed triads say. The types with one dyad or none follow from the totals.
Cost: two passes over the entries, one over the vertices, beside the closed triads.

References
----------
Moody (1998), Social Networks 20, 291, for types from sums over dyads without listing triads; Batagelj and Mrvar (2001),
Social Networks 23, 237, for the types with one dyad or none from totals.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import NO_NUMBERS, OrientedBatch, int_empty, rows_of_entries, state_rows
from triadic.core.triad_types import (
    ASYMMETRIC,
    CLOSED_NAMES,
    CLOSED_TYPE_OF_CODE,
    HELD,
    MUTUAL,
    OPEN_NAMES,
    TRIAD_NAMES,
)
from triadic.devices.cpu.triads.closed_triads import by_role, dyads, open_pairs
from triadic.devices.cpu.triangles import small_graphs
from triadic.devices.cpu.vertex_arrays import sum_over_rows

if TYPE_CHECKING:
    from typing import Protocol

    from triadic.core.array_types import Int64Array, IntegerArray, Uint8Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = UnsignedArray
    InGraph = tuple[int, int] | tuple[Int64Array, Int64Array]

    class Ranked(Protocol):
        """An oriented graph, or the tiles of one."""

        @property
        def rank(self) -> IntegerArray:
            """Rank of each vertex."""


BYTES_TO_FILL = 8 * (7 + 3 + 6 + 16)  # a vertex: closed triads, dyads, wedge ends and the result
_PIECE = 1 << 13  # vertices that a worker takes at a time

OPEN = np.array([TRIAD_NAMES.index(name) for name in OPEN_NAMES])
CLOSED = np.array([TRIAD_NAMES.index(name) for name in CLOSED_NAMES])
# Open triples in each closed type; asymmetric and mutual dyads of each type.
HELD_IN = np.array([[HELD[closed].get(name, 0) for name in OPEN_NAMES] for closed in CLOSED_NAMES])
# Open types through a mutual neighbour, and through one that an arc runs to or comes from: with each dyad of the
# neighbour (mutual, only out, only in), and with the dyad to it.
_MUTUAL, _OUT, _IN = (5, 4, 3, 5), (3, 2, 1, 1), (4, 0, 2, 0)
IN_TYPE = np.array([[in_type[name] for name in TRIAD_NAMES] for in_type in (ASYMMETRIC, MUTUAL)])


def wedge_ends(
    oriented: Oriented, dyads_at: Int64Array, *, threads: int, progress: Progress | None = None
) -> Int64Array:
    """Count the pairs of dyads that share a vertex and end at each rank, closed by a third dyad or not.

    Returns
    -------
    int64 array, shape (n, 6)
        By the type of the two dyads alone, in the order of `triad_types.OPEN_NAMES`.
    """
    add = partial(add_ends, state_rows(oriented), dyads_at)
    return sum_over_rows(oriented.indptr, len(OPEN_NAMES), add, threads=threads, progress=progress)


def census_by_vertex(
    oriented: Oriented,
    in_graph: InGraph,
    *,
    cuts: Int64Array | None = None,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the triads of each type at each vertex.

    Parameters
    ----------
    oriented : Oriented
    in_graph : tuple of int, or of int64 arrays of shape (graphs,)
        Asymmetric and mutual dyads of the graph, or of each graph of a batch.
    cuts : int64 array, optional
        Ends of the blocks of small graphs, see `small_graphs`.
    threads : int
    progress : callable, optional

    Returns
    -------
    int64 array, shape (n, 16)
        By vertex, not by rank; in the order of `triad_types.TRIAD_NAMES`.

    Raises
    ------
    OutOfMemoryError
        If the census needs more memory than is available.
    """
    count = by_role if cuts is None else partial(small_graphs.closed_triads, cuts=cuts)
    closed = count(oriented, CLOSED_TYPE_OF_CODE, threads=threads, progress=progress)
    dyads_at = dyads(oriented, threads=threads)
    return fill(oriented, in_graph, dyads_at, wedge_ends(oriented, dyads_at, threads=threads), closed, threads=threads)


def fill(
    oriented: Ranked,
    in_graph: InGraph,
    dyads_at: Int64Array,
    ends: Int64Array,
    closed: Int64Array,
    *,
    threads: int,
    census: Int64Array | None = None,
    vertices: int | None = None,
) -> Int64Array:
    """Compute the census of every vertex from its dyads, its wedge ends and its closed triads, all by rank.

    The census is written to `census`, int64 of shape (n, 16), if it is given. If the ranks are a part of a graph,
    `vertices` is the number of vertices of the graph.
    """
    rank, n = oriented.rank, len(oriented.rank)
    census = int_empty((n, len(TRIAD_NAMES))) if census is None else census
    cuts = blocks.cut_pieces(n, _PIECE)
    graph_dyads = np.array(in_graph).reshape(2, -1)
    sizes, graph = np.array([n if vertices is None else vertices]), NO_NUMBERS
    if isinstance(oriented, OrientedBatch) and graph_dyads.shape[1] == len(oriented.first_rank) - 1:
        sizes = np.diff(oriented.first_rank)
        graph = rows_of_entries(oriented.first_rank)

    counts, graphs = (dyads_at, ends, closed), (graph_dyads, sizes, graph)
    blocks.run_cuts(lambda _, bounds: fill_census(rank, bounds, counts, graphs, census), cuts, threads=threads)
    return census


@kernel
def add_ends(
    rows: tuple[Int64Array, IntegerArray, Uint8Array], dyads: Int64Array, first: int, last: int, wedges: Int64Array
) -> None:
    """Add at both ends of each entry of the rows `first` .. `last` - 1 the dyads of the other end, by open type."""
    indptr, indices, state = rows
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            v = indices[i]
            s = state[i]
            if s == 3:
                _add_through(wedges[u], dyads[v], _MUTUAL)
                _add_through(wedges[v], dyads[u], _MUTUAL)
            elif s == 1:
                _add_through(wedges[u], dyads[v], _OUT)
                _add_through(wedges[v], dyads[u], _IN)
            else:
                _add_through(wedges[u], dyads[v], _IN)
                _add_through(wedges[v], dyads[u], _OUT)


@kernel
def _add_through(wedges: Int64Array, dyads: Int64Array, types: tuple[int, ...]) -> None:
    """Add the wedges through a neighbour by its dyads; the dyad to it is among these and is left out."""
    mutual, only_out, only_in, back = types
    wedges[mutual] += dyads[0]
    wedges[only_out] += dyads[1]
    wedges[only_in] += dyads[2]
    wedges[back] -= 1


@kernel
def fill_census(
    rank: IntegerArray,
    bounds: tuple[int, int],
    counts: tuple[Int64Array, Int64Array, Int64Array],
    graphs: tuple[Int64Array, Int64Array, Int64Array],
    census: Int64Array,
) -> None:
    """Write the census of the vertices `first` .. `last` - 1.

    Of graphs there are the asymmetric and mutual dyads of each, shape (2, graphs), the vertices of each, shape
    (graphs,), and the graph of each rank, empty for a single graph.
    """
    first, last = bounds
    dyads, wedges, closed = counts
    in_graph, sizes, graph = graphs
    for v in range(first, last):
        r = rank[v]
        g = graph[r] if graph.size > 0 else 0
        n = sizes[g]
        m, o, i = dyads[r, 0], dyads[r, 1], dyads[r, 2]
        row = census[v]
        pairs = open_pairs(m, o, i)
        for t in range(6):
            row[OPEN[t]] = pairs[t] + wedges[r, t]
        for c in range(7):
            count = closed[r, c]
            row[CLOSED[c]] = count
            if count > 0:
                for t in range(6):
                    row[OPEN[t]] -= HELD_IN[c, t] * count
        one_asymmetric = in_graph[0, g] + (o + i) * (n - 3)
        one_mutual = in_graph[1, g] + m * (n - 3)
        rest = (n - 1) * (n - 2) // 2
        for t in range(3, 16):
            one_asymmetric -= IN_TYPE[0, t] * row[t]
            one_mutual -= IN_TYPE[1, t] * row[t]
            rest -= row[t]
        row[0] = rest - one_asymmetric - one_mutual
        row[1] = one_asymmetric
        row[2] = one_mutual
