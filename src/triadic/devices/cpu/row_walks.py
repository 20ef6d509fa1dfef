"""When to walk the rows of a row's entries, instead of lists by middle vertex.

Computes: the estimated cost of walking N+(v) for each entry v of a row u, and whether it is below that of sorting the
  entries by v (`middle_lists`) and walking row u up to v.
Requires: rows of an oriented graph; for each row the entry from which on the rows of its entries are walked.
Idea: where degrees differ little, N+(v) is about as long as the part of row u below v, and the lists are not worth
  their sort. Next to hubs, N+(v) is much longer. The model weighs both on a sample of rows.
Cost: a sample of 2,048 rows, and one sum for each row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import frozen
from triadic.devices.cpu.middle_lists import LIST, TEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]

_SORTED = 20.0  # nanoseconds for an entry that is sorted by middle vertex, as measured on one core
_SAMPLE_ROWS = 1 << 11
FEW_ENTRIES = 1 << 14  # below which lists are sorted by counting, and a sample is no better
_NONE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class RowWalks:
    """The cost of the walks of each row.

    It has what `MiddleLists` has, with rows in the place of lists.

    Attributes
    ----------
    ptr : int64 array, shape (0,)
    ends : uint32 or uint64 array, shape (0,)
    cost : float64 array, shape (n + 1,)
        Estimated cost of the walks of the rows before each row.
    """

    ptr: NDArray[np.int64]
    ends: Ids
    cost: NDArray[np.float64]

    @property
    def total_cost(self) -> float:
        """Estimated cost of all walks, in nanoseconds."""
        return float(self.cost[-1])

    def cost_before(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the estimated cost of the walks of the rows before each of these rows."""
        return self.cost[rows]

    def cut(self, count: int) -> NDArray[np.int64]:
        """Cut the rows into about `count` blocks of about equal cost: int64, shape (blocks + 1,)."""
        return blocks.cut(self.cost.astype(np.int64), max(1, -(-int(self.total_cost) // count)), most=count)


def row_walks(
    indptr: NDArray[np.int64], indices: Ids, walked_from: NDArray[np.int64], *, made: float | None = None
) -> RowWalks | None:
    """Return the walks of rows, or None if lists by middle vertex take less time.

    `made` is the number of nanoseconds an entry for what is made with lists only; by default for their sort.
    """
    if len(indices) < FEW_ENTRIES:
        return None
    n = len(walked_from)
    step = max(1, -(-n // _SAMPLE_ROWS))
    entries, length, below = sampled_walks(indptr, indices, frozen(walked_from), step)
    if TEST * length >= TEST * below + (_SORTED if made is None else made) * entries:
        return None
    listed = np.maximum(indptr[1:] - walked_from, 0)
    each = LIST + TEST * length / entries
    return RowWalks(_NONE, indices[:0], np.concatenate([[0.0], np.cumsum(listed * each)]))


@kernel
def sampled_walks(
    indptr: NDArray[np.int64], indices: Ids, walked_from: NDArray[np.int64], step: int
) -> tuple[int, int, int]:
    """Return, of each `step`th row, the entries from `walked_from` on, and the tests of their walks in both ways.

    The tests are the lengths of the entries' rows, and the numbers of entries before them in their own row.
    """
    entries = 0
    length = 0
    below = 0
    for u in range(step // 2, walked_from.size, step):
        for i in range(walked_from[u], indptr[u + 1]):
            v = np.int64(indices[i])
            entries += 1
            length += indptr[v + 1] - indptr[v]
            below += i - indptr[u]
    return entries, length, below
