"""The thesis's task queues: the canonical dyads in order, cut where a queue's load passes a bound.

Section 4.3.1, figures 4.4 and 4.5. A queue's load is the number of neighbours of its dyads: the sizes of their sets S,
each to be formed for it ("non-uniform distribution", v0.6; most of the thesis's run time, by its Table 4.9), or the
cheap estimate |N(u)| + |N(v)| - 2 ("uniform distribution", v0.7).

Differs from the paper: all dyads are listed, then weighed, then cut, where the figures do the three in one loop; the
queues are the same. Queues lie in one array one after another, not each in memory of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from triadic.errors import ArgumentError
from triadic.exact import exact_sum
from triadic.published.batagelj_mrvar_kernels import close_queues, set_sizes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.published.adjacency import Adjacency

Balance = Literal["set sizes", "estimate"]


class TaskQueues(NamedTuple):
    """Tasks, and which of them belong to one queue.

    Attributes
    ----------
    tail, head : int32 or int64 array, shape (tasks,)
        Canonical dyads: joined vertices, tail < head.
    starts : int64 array, shape (queues + 1,)
        Where each queue begins, and the end.
    """

    tail: NDArray[np.integer[Any]]
    head: NDArray[np.integer[Any]]
    starts: NDArray[np.int64]


def task_queues(rows: Adjacency, *, queues: int, balance: Balance = "estimate") -> TaskQueues:
    """Spread the canonical dyads over task queues of about equal load.

    Parameters
    ----------
    rows : Adjacency
    queues : int
        At most so many, at least 1: the bound MaxNsetSize is the whole load over this number (Table 4.8).
    balance : {"set sizes", "estimate"}, default "estimate"
        The load of a dyad, as figure 4.4 or 4.5 has it.

    Returns
    -------
    TaskQueues
        None of them empty.

    Raises
    ------
    ArgumentError

    Notes
    -----
    O(m) for the estimate, O(m k) for set sizes with k the largest degree. 16 bytes an edge.

    Examples
    --------
    >>> import triadic
    >>> from triadic.published.adjacency import adjacency
    >>> rows = adjacency(triadic.Graph.from_edges([0, 0, 2, 3], [1, 2, 1, 4], directed=True))
    >>> found = task_queues(rows, queues=2)
    >>> found.tail.tolist(), found.head.tolist(), found.starts.tolist()
    ([0, 0, 1, 3], [1, 2, 2, 4], [0, 2, 4])
    """
    if isinstance(queues, bool) or not isinstance(queues, (int, np.integer)) or queues < 1:
        raise ArgumentError(f"queues={queues!r}: expected a whole number of at least 1")
    if balance not in ("set sizes", "estimate"):
        raise ArgumentError(f"balance={balance!r}: expected 'set sizes' or 'estimate'")
    degree = np.diff(rows.indptr)
    tail = np.repeat(np.arange(len(degree), dtype=rows.indices.dtype), degree)
    canonical = tail < rows.indices
    tail, head = tail[canonical], rows.indices[canonical]
    if balance == "estimate":
        load = degree[tail] + degree[head] - 2
    else:
        load = np.empty(len(tail), dtype=np.int64)
        set_sizes(rows, tail, head, load)
    starts = np.zeros(min(int(queues), len(tail)) + 2, dtype=np.int64)
    closed = close_queues(load, exact_sum(load) // int(queues), starts)
    if starts[closed] < len(tail):
        closed += 1
        starts[closed] = len(tail)
    return TaskQueues(tail, head, starts[: closed + 1])
