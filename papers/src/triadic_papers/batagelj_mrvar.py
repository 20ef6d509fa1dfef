"""Batagelj and Mrvar's subquadratic triad census, as the triad census thesis prints it.

Section 2.2, figure 2.4: for each joined pair u < v find S, the neighbours of either. The other n - 2 - |S| vertices
make dyadic triads with the pair. A vertex w of S makes a connected triad; so that each is counted once, only if v < w,
or u < w < v with u and w not joined. Null triads are the rest. Figure 2.5 gives a triad its code 0 .. 63 by six
look-ups of arcs, s(uv) + 4 s(uw) + 16 s(vw), where s is 1 for an arc from the first vertex, 2 for one back, 3 for both;
a table turns codes into the 16 types. Figure 4.2 looks the pair's own arcs up once (v0.4). Sections 4.3.1 to 4.3.3
spread the pairs over task queues, one for each thread (figures 4.4 to 4.6; v0.6 and v0.7), with a census for each
thread or one for all. Versions 0.1 to 0.5 over linked lists are in `batagelj_mrvar_lists`, where it is said which are
kept; chapter 5, on GPUs, is in `batagelj_mrvar_gpu`.

As printed, the 64 codes are not those of the vertices in rising order: a wedge centred at its highest vertex is coded
as (u, v, w) with u < w < v, and every dyadic triad goes to entry 2 or 3 (here "1" or "2", for 012 and 102), though code
"2" of TriadCode would be a 012 as well. That is given by ``as_printed=True``; by default vertices are in rising order.

Differs from the paper:

- Rows here are sorted arrays and looked up by bisection; the thesis has sorted linked lists of blocks (section 4.2.4,
  v0.5), and arrays on the GPU only (section 5.1.1). Set S is formed in memory taken once, as on the GPU.
- Codes count from 0, types have names, vertices count from 0.
- In rising order, a dyadic triad is filed by where its third vertex lies, from two bisections of S for each pair.
- Threads take the next queue where there are more queues than threads; the thesis starts a thread for each.
- Entries that count multiples of n are kept in two parts, and n (n - 1) (n - 2) / 6 is exact.

References
----------
Batagelj and Mrvar (2001), Social Networks 23, 237; Nagpal (2013), "Study and evaluation of an irregular graph algorithm
on multicore and GPU processor architectures", master's thesis, Lugano: "the thesis".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from triadic.core import blocks
from triadic.core.triad_types import TRIAD_NAMES, TYPE_OF_CODE
from triadic.measures.census import Census
from triadic_papers.adjacency import adjacency
from triadic_papers.batagelj_mrvar_codes import ENTRIES, entry_table, finished, in_rising_order
from triadic_papers.batagelj_mrvar_kernels import count_queue, count_vertices
from triadic_papers.batagelj_mrvar_queues import task_queues

if TYPE_CHECKING:
    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic_papers.adjacency import Adjacency
    from triadic_papers.batagelj_mrvar_queues import Balance, TaskQueues


def census(
    network: Graph | Arcs | Adjacency,
    *,
    types: Literal[16, 64] = 16,
    as_printed: bool = False,
    precomputed: bool = True,
) -> Census:
    """Count triads by figure 2.4, on one thread.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops and repeats are left out; an undirected edge is mutual.
    types : {16, 64}, default 16
    as_printed : bool, default False
        With 64 types: the codes of the paper's own loop, in place of those of vertices in rising order.
    precomputed : bool, default True
        TriadCode as in figure 4.2; False: as in figure 2.5, which looks each pair up again for each of its triads: the
        baseline on sorted rows.

    Returns
    -------
    Census
        Named as `triadic.triad_census` does.

    Raises
    ------
    ArgumentError

    Notes
    -----
    O(m k log k), k the largest degree.

    Examples
    --------
    >>> import triadic
    >>> found = census(triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True))
    >>> found["030T"], found["021C"], sum(found.values())
    (1, 2, 4)
    """
    table = entry_table(types, as_printed=as_printed)
    rows = adjacency(network)
    entries = np.zeros(ENTRIES, dtype=np.int64)
    count_vertices(rows, table, precomputed, in_rising_order(types, as_printed=as_printed), entries)
    return finished(rows.n, types, [entries])


def queued_census(
    network: Graph | Arcs | Adjacency,
    *,
    types: Literal[16, 64] = 16,
    as_printed: bool = False,
    balance: Balance = "estimate",
    queues: int | None = None,
    shared: bool = False,
    threads: int | None = None,
) -> Census:
    """Count triads by figure 4.6: task queues, on several threads.

    Parameters
    ----------
    network, types, as_printed
        As for `census`.
    balance : str, default "estimate"
        "set sizes" is figure 4.4 (v0.6), "estimate" 4.5 (v0.7); the rest as for `task_queues`.
    queues : int, optional
        At most so many task queues; one for each thread by default.
    shared : bool, default False
        One census for all threads, added to atomically; False: one for each, added up at the end, which the thesis
        found faster (section 4.3.2).
    threads : int, optional
        Number of threads; as many as the process may use by default. The result is the same for any number.

    Returns
    -------
    Census

    Raises
    ------
    ArgumentError

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True)
    >>> queued_census(graph, threads=2, shared=True) == census(graph)
    True
    """
    workers = blocks.resolve_threads(threads)
    rows = adjacency(network)
    tasks = task_queues(rows, queues=workers if queues is None else queues, balance=balance)
    return count_queues(rows, tasks, types=types, as_printed=as_printed, shared=shared, threads=workers)


def count_queues(
    rows: Adjacency,
    tasks: TaskQueues,
    *,
    types: Literal[16, 64] = 16,
    as_printed: bool = False,
    shared: bool = False,
    threads: int | None = None,
) -> Census:
    """Count triads by figure 4.6 from queues that are made: what the thesis times beside pre-processing.

    Parameters
    ----------
    rows : Adjacency
    tasks : TaskQueues
        Of these rows.
    types, as_printed, shared, threads
        As for `queued_census`.

    Returns
    -------
    Census

    Raises
    ------
    ArgumentError

    Examples
    --------
    >>> import triadic
    >>> rows = adjacency(triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True))
    >>> count_queues(rows, task_queues(rows, queues=3), threads=2)["021C"]
    2
    """
    table, in_order = entry_table(types, as_printed=as_printed), in_rising_order(types, as_printed=as_printed)
    workers = blocks.resolve_threads(threads)
    tail, head, starts = tasks
    entries = [np.zeros(ENTRIES, dtype=np.int64) for _ in range(1 if shared else workers)]

    def count(worker: int, queue: int) -> None:
        own = entries[0 if shared else worker]
        count_queue(rows, tail, head, starts[queue], starts[queue + 1], table, in_order, shared, own)

    count_queue(rows, tail, head, 0, 0, table, in_order, shared, entries[0])  # compiles before threads start
    blocks.run(count, len(starts) - 1, threads=workers)
    return finished(rows.n, types, entries)


def folded(codes: Census, *, as_printed: bool = False) -> Census:
    """Fold the 64 codes into the 16 types.

    Parameters
    ----------
    codes : Census
        Keys "0" to "63".
    as_printed : bool, default False
        Codes as the paper's own loop gives them, where "2" holds every 102.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 0, 2, 0], directed=True)
    >>> codes = census(graph, types=64, as_printed=True)
    >>> folded(codes, as_printed=True) == folded(census(graph, types=64)) == census(graph)
    True
    """
    counts = [0] * 16
    for code, count in enumerate(codes.values()):
        counts[2 if as_printed and code == 2 else TYPE_OF_CODE[code]] += count
    return Census(TRIAD_NAMES, tuple(counts))
