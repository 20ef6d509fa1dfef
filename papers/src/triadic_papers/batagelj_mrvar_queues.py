"""The thesis's task queues: the canonical dyads in order, cut where a queue's load passes a bound.

Section 4.3.1, table 4.8, figures 4.4 and 4.5. The load of a queue is one of

- "vertices": its vertices;
- "dyads": its dyads, u > v among them, though they are no task;
- "canonical dyads": its dyads u < v;
- "set sizes": the sizes of their sets S, each to be formed for it ("non-uniform distribution", v0.6; most of the
  thesis's run time, by its Table 4.9);
- "authors": |N(u)| + |N(v)| of each, by the authors of the program that the thesis began with (Table 4.12);
- "estimate": |N(u)| + |N(v)| - 2, closer to |S| ("uniform distribution", v0.7).

Table 4.8's last, dyads and triads as tasks apart, is left out: the thesis has no algorithm for it, and triads to be
stored grow in number like the sum over edges of the ends' degrees.

Differs from the paper: all dyads are listed, then weighed, then cut, where the figures do the three in one loop; the
queues are the same. Queues lie in one array one after another, not each in memory of its own.
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
    balance : str, default "estimate"
        One of `BALANCES`: what the load of a queue is.

    Returns
    -------
    TaskQueues
        None of them empty.

    Raises
    ------
    ArgumentError

    Notes
    -----
    O(m), but O(m k) for set sizes with k the largest degree. 16 bytes an edge.

    Examples
    --------
    >>> import triadic
    >>> from triadic_papers.adjacency import adjacency
    >>> rows = adjacency(triadic.Graph.from_edges([0, 0, 2, 3], [1, 2, 1, 4], directed=True))
    >>> found = task_queues(rows, queues=2)
    >>> found.tail.tolist(), found.head.tolist(), found.starts.tolist()
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
    """What a network's canonical dyads weigh in all: Table 4.12, and what it stands for.

    Attributes
    ----------
    set_sizes : int
        The sizes of sets S.
    authors : int
        |N(u)| + |N(v)|.
    estimate : int
        |N(u)| + |N(v)| - 2.
    """

    set_sizes: int
    authors: int
    estimate: int


def work_estimates(network: Graph | Arcs | Adjacency) -> WorkEstimates:
    """Add up each of three loads of a dyad over all canonical dyads.

    O(m k) for set sizes, k the largest degree.

    Examples
    --------
    >>> import triadic
    >>> work_estimates(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    WorkEstimates(set_sizes=7, authors=18, estimate=10)
    """
    rows = adjacency(network)
    tail, head, _ = task_queues(rows, queues=1, balance="canonical dyads")
    return WorkEstimates(*(exact_sum(_load(rows, tail, head, each)) for each in ("set sizes", "authors", "estimate")))


def _load(
    rows: Adjacency, tail: NDArray[np.integer[Any]], head: NDArray[np.integer[Any]], balance: Balance
) -> NDArray[np.int64]:
    """Give the load of each dyad, int64."""
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
    """Give where each queue begins, and the end: the bound MaxNsetSize is the whole load over their number."""
    starts = np.zeros(min(queues, len(load)) + 2, dtype=np.int64)
    closed = close_queues(load, exact_sum(load) // queues, starts)
    if starts[closed] < len(load):
        closed += 1
        starts[closed] = len(load)
    return starts[: closed + 1]
