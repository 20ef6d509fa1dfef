"""Pairs of dyads that share a vertex, by their states and by where the shared vertex's id lies.

Computes: over each vertex c and each two of its neighbours, how often the two dyads have the states (x, y), for c the
  lowest, the middle and the highest of the three ids; and over single dyads the sums of how many ids lie outside them.
Requires: rows of the symmetric graph sorted by id, with states seen from the lower id.
Idea: go through a row in rising order and keep counts of the states met below c and above it.
Cost: O(entries).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic import blocks
from triadic.compiled import kernel
from triadic.devices.cpu.closed_triads import states

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.oriented import Oriented

_PIECE = 1 << 18


class LabelledWedges(NamedTuple):
    """Exact sums, Python ints in object arrays.

    Attributes
    ----------
    lowest, middle, highest : object array, shape (4, 4)
        Pairs of dyads at c by their states, the dyad to the lower of the other two ends first.
    above, between, below : object array, shape (4,)
        Over dyads p < q of each state: the ids above q, between the two, and below p.
    """

    lowest: NDArray[np.object_]
    middle: NDArray[np.object_]
    highest: NDArray[np.object_]
    above: NDArray[np.object_]
    between: NDArray[np.object_]
    below: NDArray[np.object_]


@kernel
def scan_rows(
    indptr: NDArray[np.int64],
    indices: NDArray[np.integer[Any]],
    state: NDArray[np.uint8],
    first: int,
    last: int,
    pairs: NDArray[np.int64],
    singles: NDArray[np.int64],
) -> None:
    """Add up the rows `first` .. `last` - 1: pairs, shape (3, 4, 4), by c lowest, middle, highest; singles, (3, 4)."""
    n = indptr.size - 1
    low = np.zeros(4, dtype=np.int64)
    high = np.zeros(4, dtype=np.int64)
    for c in range(first, last):
        low[:] = 0
        high[:] = 0
        for p in range(indptr[c], indptr[c + 1]):
            q = np.int64(indices[p])
            y = np.int64(state[p])
            if q < c:
                for x in range(1, 4):
                    pairs[2, x, y] += low[x]
                low[y] += 1
            else:
                for x in range(1, 4):
                    pairs[1, x, y] += low[x]
                    pairs[0, x, y] += high[x]
                high[y] += 1
                singles[0, y] += n - 1 - q
                singles[1, y] += q - c - 1
                singles[2, y] += c


def labelled_wedges(oriented: Oriented, *, threads: int) -> LabelledWedges:
    """Scan the graph by original ids. Takes 20 bytes an arc of working memory."""
    n, order = oriented.num_vertices, oriented.order
    a, b = np.repeat(order, np.diff(oriented.indptr)), order[oriented.indices]
    # A state is turned round where the row's vertex is the higher of the two.
    seen = np.array([0, 2, 1, 3], dtype=np.uint8)
    state = states(oriented)
    state = np.where(a < b, state, seen[state])
    source, target = np.concatenate([a, b]), np.concatenate([b, a])
    rising = np.lexsort((target, source))
    indptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(source, minlength=n), out=indptr[1:])
    indices, both = target[rising], np.concatenate([state, state])[rising]

    cuts = blocks.cut(indptr, _PIECE, most=1 << 20)
    pairs = np.zeros((max(1, len(cuts) - 1), 3, 4, 4), dtype=np.int64)
    singles = np.zeros((len(pairs), 3, 4), dtype=np.int64)
    blocks.run(
        lambda _, k: scan_rows(indptr, indices, both, cuts[k], cuts[k + 1], pairs[k], singles[k]),
        len(cuts) - 1,
        threads=threads,
    )
    return LabelledWedges(*pairs.astype(object).sum(axis=0), *singles.astype(object).sum(axis=0))
