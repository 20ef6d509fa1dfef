"""Batagelj and Mrvar's subquadratic triad census, as printed in Nagpal's thesis.

Section 2.2, figure 2.4: for each connected pair u < v, compute S, the set of vertices adjacent to u or v. Each of the
other n - 2 - |S| vertices forms a dyadic triad with the pair. Each vertex w of S forms a connected triad, which is
counted if v < w, or if u < w < v and u and w are not adjacent; so every connected triad is counted once. All remaining
triads are null. Figure 2.5 computes the code of a triad, 0 to 63, from six arc look-ups, s(uv) + 4 s(uw) + 16 s(vw),
where s is 1 for an arc from the first vertex, 2 for an arc back and 3 for both; a table maps codes to the 16 types.
Figure 4.2 looks the arcs of the pair up once (v0.4). Sections 4.3.1 to 4.3.3 distribute the pairs over task queues, one
per thread (figures 4.4 to 4.6; v0.6 and v0.7), with one census per thread or one for all threads. Versions 0.1 to 0.5,
which use linked lists, are in `batagelj_mrvar_lists`; chapter 5, on GPUs, is in `batagelj_mrvar_gpu`.

The 64 codes of the printed algorithm are not the codes of the vertices in rising order: a wedge centred at its highest
vertex is coded as (u, v, w) with u < w < v, and every dyadic triad goes to entry 2 or 3 (here "1" or "2", for 012 and
102), although code "2" of TriadCode would be a 012 as well. ``as_printed=True`` returns these codes; by default the
vertices are in rising order.

Differences from the thesis:

- Rows are sorted arrays, searched by bisection; the thesis uses sorted linked lists of blocks (section 4.2.4, v0.5),
  and arrays on the GPU only (section 5.1.1). Set S is formed in memory that is allocated once, as on the GPU.
- Codes and vertices count from 0, and types have names.
- In rising order, a dyadic triad is classified by the position of its third vertex, found by two bisections of S per
  pair.
- With more queues than threads, each thread takes the next queue; the thesis starts one thread per queue.
- Entries that count multiples of n are stored in two parts, and n (n - 1) (n - 2) / 6 is exact.

References
----------
V. Batagelj, A. Mrvar (2001), "A subquadratic triad census algorithm for large sparse networks with small maximum
degree", Social Networks 23, 237-243. S. Nagpal (2013), "Study and evaluation of an irregular graph algorithm on
multicore and GPU processor architectures", master's thesis, Lugano: "the thesis".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from triadic.core import blocks
from triadic.core.triad_types import TRIAD_NAMES, TYPE_OF_CODE
from triadic.measures.census import Census
from triadic_papers.adjacency import adjacency
from triadic_papers.batagelj_mrvar_codes import ENTRIES, entry_table, final_census, uses_positions
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
    """Count triads with the algorithm of figure 2.4, on one thread.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops and repeated arcs are dropped; an undirected edge is mutual.
    types : {16, 64}, default 16
        Number of classes: the 16 types, or the 64 labelled codes.
    as_printed : bool, default False
        With 64 codes: use the codes of the printed loop instead of the codes of the vertices in rising order.
    precomputed : bool, default True
        True uses TriadCode of figure 4.2. False uses TriadCode of figure 2.5, which looks the arcs of the pair up again
        for each triad: the sequential baseline on sorted rows.

    Returns
    -------
    Census
        With the names that `triadic.triad_census` uses.

    Raises
    ------
    ArgumentError
        `types` is neither 16 nor 64.

    Notes
    -----
    Takes O(m k log k) time, where k is the largest degree.

    References
    ----------
    Nagpal (2013), figures 2.4, 2.5 and 4.2.

    Examples
    --------
    >>> import triadic
    >>> result = census(triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True))
    >>> result["030T"], result["021C"], sum(result.values())
    (1, 2, 4)
    """
    table = entry_table(types, as_printed=as_printed)
    rows = adjacency(network)
    entries = np.zeros(ENTRIES, dtype=np.int64)
    count_vertices(rows, table, precomputed, uses_positions(types, as_printed=as_printed), entries)
    return final_census(rows.n, types, [entries])


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
    """Count triads with the task queues of figure 4.6, on several threads.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops and repeated arcs are dropped; an undirected edge is mutual.
    types : {16, 64}, default 16
        Number of classes: the 16 types, or the 64 labelled codes.
    as_printed : bool, default False
        With 64 codes: use the codes of the printed loop instead of the codes of the vertices in rising order.
    balance : {"vertices", "dyads", "canonical dyads", "set sizes", "authors", "estimate"}, default "estimate"
        Load that the queues share equally; see `task_queues`. "set sizes" is figure 4.4 (v0.6), "estimate" figure 4.5
        (v0.7).
    queues : int, optional
        Upper bound for the number of task queues; one per thread by default.
    shared : bool, default False
        True uses one census for all threads, with atomic additions. False uses one census per thread, which the thesis
        found faster (section 4.3.2).
    threads : int, optional
        Number of threads; by default as many as the process may use. The result does not depend on it.

    Returns
    -------
    Census

    Raises
    ------
    ArgumentError
        An argument is outside its range.

    References
    ----------
    Nagpal (2013), section 4.3, figures 4.4 to 4.6.

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
    """Count triads from existing task queues: the part that the thesis times separately from pre-processing.

    Parameters
    ----------
    rows : Adjacency
    tasks : TaskQueues
        Queues made from these rows.
    types : {16, 64}, default 16
        Number of classes: the 16 types, or the 64 labelled codes.
    as_printed : bool, default False
        With 64 codes: use the codes of the printed loop.
    shared : bool, default False
        Use one census for all threads, with atomic additions.
    threads : int, optional
        Number of threads; by default as many as the process may use.

    Returns
    -------
    Census

    Raises
    ------
    ArgumentError
        An argument is outside its range.

    Examples
    --------
    >>> import triadic
    >>> rows = adjacency(triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True))
    >>> count_queues(rows, task_queues(rows, queues=3), threads=2)["021C"]
    2
    """
    table, in_order = entry_table(types, as_printed=as_printed), uses_positions(types, as_printed=as_printed)
    workers = blocks.resolve_threads(threads)
    tail, head, starts = tasks
    entries = [np.zeros(ENTRIES, dtype=np.int64) for _ in range(1 if shared else workers)]

    def count(worker: int, queue: int) -> None:
        own = entries[0 if shared else worker]
        count_queue(rows, tail, head, starts[queue], starts[queue + 1], table, in_order, shared, own)

    count_queue(rows, tail, head, 0, 0, table, in_order, shared, entries[0])  # compiles before threads start
    blocks.run(count, len(starts) - 1, threads=workers)
    return final_census(rows.n, types, entries)


def fold_codes(codes: Census, *, as_printed: bool = False) -> Census:
    """Return the census of the 16 types for a census of the 64 codes.

    Parameters
    ----------
    codes : Census
        Census with the keys "0" to "63".
    as_printed : bool, default False
        True if the codes are those of the printed loop, where "2" counts every 102.

    Returns
    -------
    Census

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 0, 2, 0], directed=True)
    >>> codes = census(graph, types=64, as_printed=True)
    >>> fold_codes(codes, as_printed=True) == fold_codes(census(graph, types=64)) == census(graph)
    True
    """
    counts = [0] * 16
    for code, count in enumerate(codes.values()):
        counts[2 if as_printed and code == 2 else TYPE_OF_CODE[code]] += count
    return Census(TRIAD_NAMES, tuple(counts))
