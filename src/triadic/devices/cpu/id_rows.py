"""Rows by original ids: the neighbours of lower id, or of higher id, of each vertex, rising.

Computes: rows of an oriented graph sorted again by vertex instead of by rank.
Requires: an oriented graph, with states if it is directed.
Idea: rows of higher neighbours are rows of lower neighbours with the vertices numbered backwards, read backwards.
Cost: one sort of the arcs (`row_sort`), a sort key an arc of memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.memory import check_memory
from triadic.devices.cpu import rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

    Ids = NDArray[np.integer[Any]]

_PIECE = 1 << 16  # entries that a worker expands at a time
# States seen from the other end: the first bit of a state is an arc from the row, the second an arc to it.
_TURNED = np.array([0, 2, 1, 3], dtype=np.uint8)


class IdRows(NamedTuple):
    """Neighbours on one side of each vertex.

    Attributes
    ----------
    indptr : int64 array, shape (n + 1,)
    indices : int32 or int64 array, shape (entries,)
        Rising within a row.
    state : uint8 array, shape (entries,)
        State of the dyad seen from its lower id: 1 for an arc to the higher id, 2 for an arc from it, 3 for both.
    """

    indptr: NDArray[np.int64]
    indices: Ids
    state: NDArray[np.uint8]


def rows_below(oriented: Oriented, *, dyads: str = "all", threads: int) -> IdRows:
    """Return the neighbours of lower id of each vertex; `dyads` is "all", "mutual" or "asymmetric"."""
    below = _sorted(oriented, oriented.order, dyads, threads)
    return IdRows(below.indptr, below.indices, _state(below, _TURNED))


def rows_above(oriented: Oriented, *, dyads: str = "all", threads: int) -> IdRows:
    """Return the neighbours of higher id of each vertex; `dyads` is "all", "mutual" or "asymmetric"."""
    n = oriented.num_vertices
    place = oriented.order
    np.subtract(n - 1, place, out=place)
    above = _sorted(oriented, place, dyads, threads)
    # Vertices are numbered from the last one on, so rows and columns both fall; read backwards, both rise.
    np.subtract(n - 1, above.indices, out=above.indices)
    indptr = len(above.indices) - above.indptr[::-1]
    return IdRows(indptr, np.ascontiguousarray(above.indices[::-1]), _state(above, None)[::-1].copy())


def sorting_bytes(oriented: Oriented) -> int:
    """Estimate the peak bytes of one sort by ids: a sort key an arc, the rows, and a few arrays of n."""
    return 13 * oriented.num_edges + 8 * oriented.num_edges * (oriented.state is not None) + 32 * oriented.num_vertices


def _state(by_id: rows.Rows, turn: NDArray[np.uint8] | None) -> NDArray[np.uint8]:
    if by_id.state is None:
        return np.full(len(by_id.indices), 3, dtype=np.uint8)
    return by_id.state if turn is None else turn[by_id.state]


def _sorted(oriented: Oriented, place: Ids, dyads: str, threads: int) -> rows.Rows:
    check_memory(sorting_bytes(oriented), f"sorting {oriented.num_edges:,} edges by vertex", "use more memory")
    source: rows.ArcSource
    if oriented.state is None:
        source = rows.CsrArcs(oriented.indptr, oriented.indices)
    else:
        source = _Arcs(oriented, oriented.state, np.array([dyads != "mutual", dyads != "asymmetric"]))
    directed = oriented.state is not None
    return rows.sort_rows(source, oriented.num_vertices, place, rows.ORIENT, with_state=directed, threads=threads)


class _Arcs:
    """The arcs of a directed graph in pieces; a mutual dyad is two arcs."""

    def __init__(self, oriented: Oriented, state: NDArray[np.uint8], dyads: NDArray[np.bool_]) -> None:
        self._indptr, self._indices, self._state, self._dyads = oriented.indptr, oriented.indices, state, dyads
        self.arcs = 2 * oriented.num_edges
        self._cuts = blocks.cut(oriented.indptr, _PIECE, most=1 << 20)
        self.pieces = len(self._cuts) - 1

    def piece(self, i: int) -> tuple[Ids, Ids]:
        """Return source and target of the arcs of piece `i`."""
        first, last = int(self._cuts[i]), int(self._cuts[i + 1])
        room = 2 * int(self._indptr[last] - self._indptr[first])
        source, target = (np.empty(room, dtype=self._indices.dtype) for _ in range(2))
        used = expand_arcs(self._indptr, self._indices, self._state, self._dyads, first, last, source, target)
        return source[:used], target[:used]


@kernel
def expand_arcs(
    indptr: NDArray[np.int64],
    indices: Ids,
    state: NDArray[np.uint8],
    wanted: NDArray[np.bool_],
    first: int,
    last: int,
    source: Ids,
    target: Ids,
) -> int:
    """Write the arcs of the rows `first` .. `last` - 1; return their number.

    `wanted` says whether asymmetric dyads and whether mutual dyads are written.
    """
    used = 0
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            s = state[i]
            if not wanted[1 if s == 3 else 0]:
                continue
            if s & 1:
                source[used] = u
                target[used] = indices[i]
                used += 1
            if s & 2:
                source[used] = indices[i]
                target[used] = u
                used += 1
    return used
