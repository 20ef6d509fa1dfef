"""The thesis's task queues: the canonical dyads in order, cut where the load of a queue exceeds a bound.

Section 4.3.1, table 4.8, figures 4.4 and 4.5. The load of a queue is one of

- "vertices": the number of its vertices;
- "dyads": the number of its dyads, including the pairs u > v, which are no tasks;
- "canonical dyads": the number of its dyads u < v;
- "set sizes": the sum of the sizes of their sets S, each of which has to be formed ("non-uniform distribution", v0.6;
  most of the run time in table 4.9);
- "authors": the sum of |N(u)| + |N(v)|, from the authors of the original program (table 4.12);
- "estimate": the sum of |N(u)| + |N(v)| - 2, closer to |S| ("uniform distribution", v0.7).

The last row of table 4.8, separate tasks for dyads and triads, is omitted: the thesis has no algorithm for it, and the
number of triads to store grows with the sum of the ends' degrees over all edges.

Differences from the thesis: all dyads are listed, then weighed, then cut, where the figures do all three in one loop;
the queues are the same. The queues lie one after another in one array, not in separate memory.

References
----------
S. Nagpal (2013), "Study and evaluation of an irregular graph algorithm on multicore and GPU processor architectures",
master's thesis, Lugano, section 4.3.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from triadic.core.exact import exact_sum
from triadic.errors import ArgumentError
from triadic_papers.adjacency import adjacency
from triadic_papers.batagelj_mrvar_kernels import close_queues, set_sizes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic_papers.adjacency import Adjacency

Balance = Literal["vertices", "dyads", "canonical dyads", "set sizes", "authors", "estimate"]
BALANCES: tuple[Balance, ...] = get_args(Balance)


class TaskQueues(NamedTuple):
    """Tasks in the order of their queues.

    Attributes
    ----------
    tail, head : int32 or int64 array, shape (tasks,)
        Canonical dyads: adjacent vertices with tail < head.
    starts : int64 array, shape (queues + 1,)
        Index of the first task of each queue, and the number of tasks.
    """

    tail: NDArray[np.integer[Any]]
    head: NDArray[np.integer[Any]]
    starts: NDArray[np.int64]


def task_queues(rows: Adjacency, *, queues: int, balance: Balance = "estimate") -> TaskQueues:
    """Distribute the canonical dyads over task queues of about equal load.

    Parameters
    ----------
    rows : Adjacency
    queues : int
        Upper bound for the number of queues, at least 1. The bound MaxNsetSize of table 4.8 is the total load divided
        by this number.
    balance : {"vertices", "dyads", "canonical dyads", "set sizes", "authors", "estimate"}, default "estimate"
        Load of a queue; see the module's description.

    Returns
    -------
    TaskQueues
        Without empty queues.

    Raises
    ------
    ArgumentError
        `queues` is below 1, or `balance` is unknown.

    Notes
    -----
    Takes O(m) time, for "set sizes" O(m k) with k the largest degree, and 16 bytes per edge.

    References
    ----------
    Nagpal (2013), section 4.3.1, figures 4.4 and 4.5.

    Examples
    --------
    >>> import triadic
    >>> from triadic_papers.adjacency import adjacency
    >>> rows = adjacency(triadic.Graph.from_edges([0, 0, 2, 3], [1, 2, 1, 4], directed=True))
    >>> tasks = task_queues(rows, queues=2)
    >>> tasks.tail.tolist(), tasks.head.tolist(), tasks.starts.tolist()
    ([0, 0, 1, 3], [1, 2, 2, 4], [0, 2, 4])
    """
    if isinstance(queues, bool) or not isinstance(queues, (int, np.integer)) or queues < 1:
        raise ArgumentError(f"queues={queues!r}: expected a whole number of at least 1")
    if balance not in BALANCES:
        raise ArgumentError(f"balance={balance!r}: expected one of {', '.join(map(repr, BALANCES))}")
    degree = np.diff(rows.indptr)
    tails = np.repeat(np.arange(len(degree), dtype=rows.indices.dtype), degree)
    canonical = tails < rows.indices
    tail, head = tails[canonical], rows.indices[canonical]
    if balance == "vertices":
        starts = _cut(np.ones(len(degree), dtype=np.int64), int(queues))
        starts = np.searchsorted(tail, starts)
    elif balance == "dyads":
        starts = _cut(np.ones(len(tails), dtype=np.int64), int(queues))
        starts = np.concatenate([[0], np.cumsum(canonical)])[starts]
    else:
        starts = _cut(_load(rows, tail, head, balance), int(queues))
    return TaskQueues(tail, head, np.unique(starts))


class WorkEstimates(NamedTuple):
    """Three loads of a network, summed over its canonical dyads: table 4.12 and the exact size.

    Attributes
    ----------
    set_sizes : int
        Sum of the sizes of the sets S.
    authors : int
        Sum of |N(u)| + |N(v)|.
    estimate : int
        Sum of |N(u)| + |N(v)| - 2.
    """

    set_sizes: int
    authors: int
    estimate: int


def work_estimates(network: Graph | Arcs | Adjacency) -> WorkEstimates:
    """Return the sums of three loads over all canonical dyads, in O(m k) time with k the largest degree.

    Examples
    --------
    >>> import triadic
    >>> work_estimates(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    WorkEstimates(set_sizes=7, authors=18, estimate=10)
    """
    rows = adjacency(network)
    tail, head, _ = task_queues(rows, queues=1, balance="canonical dyads")
    return WorkEstimates(
        *(exact_sum(_load(rows, tail, head, balance)) for balance in ("set sizes", "authors", "estimate"))
    )


def _load(
    rows: Adjacency, tail: NDArray[np.integer[Any]], head: NDArray[np.integer[Any]], balance: Balance
) -> NDArray[np.int64]:
    """Return the load of each dyad as int64."""
    if balance == "canonical dyads":
        return np.ones(len(tail), dtype=np.int64)
    if balance == "set sizes":
        sizes = np.empty(len(tail), dtype=np.int64)
        set_sizes(rows, tail, head, sizes)
        return sizes
    degree = np.diff(rows.indptr)
    ends: NDArray[np.int64] = degree[tail] + degree[head]
    return ends if balance == "authors" else ends - 2


def _cut(load: NDArray[np.int64], queues: int) -> NDArray[np.int64]:
    """Return the first task of each queue and the number of tasks; MaxNsetSize is the total load over `queues`."""
    starts = np.zeros(min(queues, len(load)) + 2, dtype=np.int64)
    closed = close_queues(load, exact_sum(load) // queues, starts)
    if starts[closed] < len(load):
        closed += 1
        starts[closed] = len(load)
    return starts[: closed + 1]
