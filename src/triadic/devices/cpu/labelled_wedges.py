"""Pairs of dyads that share a vertex, by their states and by the place of the shared vertex among the three ids.

Computes: for each pair of states (x, y), the number of pairs of neighbours of a vertex c whose dyads with c have these
  states, separately for c with the lowest, the middle and the highest of the three ids; and for the dyads of each
  state, how many ids lie above, between and below the two ids.
Requires: an oriented graph.
Idea: sort the rows of lower neighbours and read each in rising order with counts of the states read so far; then the
  same with the rows of higher neighbours. A wedge with the middle id at its centre has one end in either row.
Cost: two sorts of the arcs, O(edges) beside them; a sort key an arc, 5 bytes an edge and 48 a vertex of memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.devices.cpu.id_rows import rows_above, rows_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

_PIECE = 1 << 18


class LabelledWedges(NamedTuple):
    """Exact sums, Python ints in object arrays.

    Attributes
    ----------
    lowest, middle, highest : object array, shape (4, 4)
        Pairs of dyads at c by their states, the dyad to the lower of the other two ends first; c has the lowest, the
        middle or the highest id.
    above, between, below : object array, shape (4,)
        Over dyads p < q of each state: the numbers of ids above q, between the two, and below p.
    """

    lowest: NDArray[np.object_]
    middle: NDArray[np.object_]
    highest: NDArray[np.object_]
    above: NDArray[np.object_]
    between: NDArray[np.object_]
    below: NDArray[np.object_]


def labelled_wedges(oriented: Oriented, *, threads: int) -> LabelledWedges:
    """Count the wedges of a graph by states and by the order of their original ids."""
    n = oriented.num_vertices
    rows = rows_below(oriented, threads=threads)
    below = np.zeros((n, 4), dtype=oriented.rank.dtype)
    cuts = blocks.cut(rows.indptr, _PIECE, most=1 << 20)
    highest = np.zeros((len(cuts), 4, 4), dtype=np.int64)
    singles = np.zeros((len(cuts), 3, 4), dtype=np.int64)

    blocks.run(
        lambda _, k: scan_below(*rows, cuts[k], cuts[k + 1], below, highest[k], singles[k]),
        len(cuts) - 1,
        threads=threads,
    )

    del rows  # frees memory before the next sort
    rows = rows_above(oriented, threads=threads)
    cuts = blocks.cut(rows.indptr, _PIECE, most=1 << 20)
    lowest, middle = np.zeros((2, len(cuts), 4, 4), dtype=np.int64)

    blocks.run(
        lambda _, k: scan_above(rows.indptr, rows.state, cuts[k], cuts[k + 1], below, lowest[k], middle[k]),
        len(cuts) - 1,
        threads=threads,
    )
    pairs = (part.astype(object).sum(axis=0) for part in (lowest, middle, highest))
    return LabelledWedges(*pairs, *singles.astype(object).sum(axis=0))


@kernel
def scan_below(
    indptr: NDArray[np.int64],
    indices: NDArray[np.integer[Any]],
    state: NDArray[np.uint8],
    first: int,
    last: int,
    below: NDArray[np.integer[Any]],
    pairs: NDArray[np.int64],
    singles: NDArray[np.int64],
) -> None:
    """Add up pairs, shape (4, 4), and singles, shape (3, 4), of the rows `first` .. `last` - 1 of lower neighbours.

    Counts the neighbours of each vertex by state, in `below`, shape (n, 4).
    """
    n = indptr.size - 1
    for c in range(first, last):
        for p in range(indptr[c], indptr[c + 1]):
            q = np.int64(indices[p])
            y = state[p]
            for x in range(1, 4):
                pairs[x, y] += below[c, x]
            below[c, y] += 1
            singles[0, y] += n - 1 - c
            singles[1, y] += c - q - 1
            singles[2, y] += q


@kernel
def scan_above(
    indptr: NDArray[np.int64],
    state: NDArray[np.uint8],
    first: int,
    last: int,
    below: NDArray[np.integer[Any]],
    lowest: NDArray[np.int64],
    middle: NDArray[np.int64],
) -> None:
    """Add up pairs, shape (4, 4), within rows of higher neighbours, and of higher with lower neighbours."""
    above = np.zeros(4, dtype=np.int64)
    for c in range(first, last):
        above[:] = 0
        for p in range(indptr[c], indptr[c + 1]):
            y = state[p]
            for x in range(1, 4):
                lowest[x, y] += above[x]
                middle[x, y] += below[c, x]
            above[y] += 1
