"""Kernels that make the triad census of every vertex from its dyads and its closed triads.

Computes: per rank its mutual, only-out and only-in neighbours; the pairs of dyads that it is an end of, by the type
  they would be of if nothing closed them; and per vertex the sixteen types.
Requires: `oriented.Oriented` with states; columns of open types in the order of `triad_types.OPEN_NAMES`.
Idea: a wedge ends at v wherever a neighbour u of v has another dyad, so the dyads of u, added at v, count wedges by
  what joins v to u. With those centred at v they are all that v is in; what its closed triads hold is taken away.
Cost: two passes over the entries, one over the vertices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]


@kernel
def add_dyads(
    indptr: NDArray[np.int64], indices: Ids, state: NDArray[np.uint8], first: int, last: int, dyads: NDArray[np.int64]
) -> None:
    """Add each entry of the rows `first` .. `last` - 1 at both its ends: columns are mutual, only out, only in."""
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            v = indices[i]
            s = state[i]
            if s == 3:
                dyads[u, 0] += 1
                dyads[v, 0] += 1
            elif s == 1:
                dyads[u, 1] += 1
                dyads[v, 2] += 1
            else:
                dyads[u, 2] += 1
                dyads[v, 1] += 1


@kernel
def add_ends(
    indptr: NDArray[np.int64],
    indices: Ids,
    state: NDArray[np.uint8],
    first: int,
    last: int,
    dyads: NDArray[np.int64],
    wedges: NDArray[np.int64],
) -> None:
    """Add at both ends of each entry of the rows `first` .. `last` - 1 the dyads of the other, by open type."""
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            v = indices[i]
            s = state[i]
            if s == 3:
                _add_mutual(wedges[u], dyads[v])
                _add_mutual(wedges[v], dyads[u])
            elif s == 1:
                _add_out(wedges[u], dyads[v])
                _add_in(wedges[v], dyads[u])
            else:
                _add_in(wedges[u], dyads[v])
                _add_out(wedges[v], dyads[u])


@kernel
def _add_mutual(wedges: NDArray[np.int64], dyads: NDArray[np.int64]) -> None:
    """Add what a neighbour joined both ways brings; the dyad to it, which is among its own, is no second one."""
    wedges[5] += dyads[0] - 1
    wedges[4] += dyads[1]
    wedges[3] += dyads[2]


@kernel
def _add_out(wedges: NDArray[np.int64], dyads: NDArray[np.int64]) -> None:
    """Add what a neighbour that an arc runs to brings."""
    wedges[3] += dyads[0]
    wedges[2] += dyads[1]
    wedges[1] += dyads[2] - 1


@kernel
def _add_in(wedges: NDArray[np.int64], dyads: NDArray[np.int64]) -> None:
    """Add what a neighbour that an arc comes from brings."""
    wedges[4] += dyads[0]
    wedges[0] += dyads[1] - 1
    wedges[2] += dyads[2]


@kernel
def fill_census(
    rank: NDArray[np.integer[Any]],
    first: int,
    last: int,
    dyads: NDArray[np.int64],
    wedges: NDArray[np.int64],
    closed: NDArray[np.int64],
    open_places: NDArray[np.int64],
    closed_places: NDArray[np.int64],
    held: NDArray[np.int64],
    in_type: NDArray[np.int64],
    in_graph: NDArray[np.int64],
    census: NDArray[np.int64],
) -> None:
    """Write the census of the vertices `first` .. `last` - 1.

    `held`, shape (7, 6), says how many open triples each closed type holds; `in_type`, shape (2, 16), how many
    asymmetric and mutual dyads each type has; `in_graph`, shape (2,), how many the graph has.
    """
    n = rank.size
    for v in range(first, last):
        r = rank[v]
        m, o, i = dyads[r, 0], dyads[r, 1], dyads[r, 2]
        row = census[v]
        row[open_places[0]] = o * (o - 1) // 2
        row[open_places[1]] = i * (i - 1) // 2
        row[open_places[2]] = o * i
        row[open_places[3]] = m * i
        row[open_places[4]] = m * o
        row[open_places[5]] = m * (m - 1) // 2
        for t in range(6):
            row[open_places[t]] += wedges[r, t]
        for c in range(7):
            count = closed[r, c]
            row[closed_places[c]] = count
            if count > 0:
                for t in range(6):
                    row[open_places[t]] -= held[c, t] * count
        one_asymmetric = in_graph[0] + (o + i) * (n - 3)
        one_mutual = in_graph[1] + m * (n - 3)
        rest = (n - 1) * (n - 2) // 2
        for t in range(3, 16):
            one_asymmetric -= in_type[0, t] * row[t]
            one_mutual -= in_type[1, t] * row[t]
            rest -= row[t]
        row[0] = rest - one_asymmetric - one_mutual
        row[1] = one_asymmetric
        row[2] = one_mutual
