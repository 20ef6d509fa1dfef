"""The triad census over linked lists: the sequential ladder of the thesis, sections 4.2.1 to 4.2.4.

The authors' own program has lists of labelled edges and of labelled neighbours, sorted (figure 4.1, table 4.3): 0.1,
the baseline of every speedup in the thesis. Its steps from there, each with those before it:

- 0.2, cache fitting (table 4.4): kept. A node shrinks from 208 or 216 bytes to 192, three cache lines, with what is
  read of it first.
- 0.3, inlining: left out. LLVM inlines functions as small as these by itself, as the thesis says of gcc at -O3, where
  asking for it gained 2 percent.
- 0.4, the pair's own code looked up once (figure 4.2): kept.
- 0.5, three steps: nodes of 8 edges or 16 neighbours, "0.5 blocks"; labels apart from vertices, "0.5 columns"; and
  bisection in a node, "0.5": all kept.
- 0.6 and 0.7, task queues on threads: `batagelj_mrvar.queued_census`, by "set sizes" and by "estimate", over sorted
  rows in place of lists.

Cache alignment and software prefetching, which the thesis tried and dropped, are left out.

Differs from the paper:

- Nodes come from one array in the order in which they are needed, not from malloc.
- How set S is formed is not printed. To 0.4 it is as the names in the profile of section 4.2.3 have it: N(u) copied,
  then each of N(v) put in its place from the head; in 0.5 the two are merged. Look-ups are as many as in that profile:
  on eatSR.net 189,408,983 of is_edge and 20,783,877 of is_neighbor.
- Lists fall, as that section's trace of is_edge has them ("if v2 < iptr->dest_node, iptr = iptr->next").

References
----------
Nagpal (2013), "Study and evaluation of an irregular graph algorithm on multicore and GPU processor architectures",
master's thesis, Lugano.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.memory import check_memory
from triadic.errors import ArgumentError
from triadic_papers import batagelj_mrvar_block_kernels as blocked
from triadic_papers import batagelj_mrvar_list_kernels as linked
from triadic_papers.adjacency import Adjacency, adjacency
from triadic_papers.batagelj_mrvar_block_kernels import BlockedLists, Node
from triadic_papers.batagelj_mrvar_codes import ENTRIES, entry_table, finished, in_rising_order
from triadic_papers.batagelj_mrvar_list_kernels import LinkedLists

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic.measures.census import Census

Version = Literal["0.1", "0.2", "0.4", "0.5 blocks", "0.5 columns", "0.5"]
VERSIONS: tuple[Version, ...] = ("0.1", "0.2", "0.4", "0.5 blocks", "0.5 columns", "0.5")

_WORD = 8
_EDGE_WORDS, _NEIGHBOUR_WORDS, _FITTED_WORDS = 26, 27, 24  # tables 4.3 and 4.4
_LABEL_WORDS = _FITTED_WORDS - 2
_BLOCK_EDGES, _BLOCK_NEIGHBOURS = 8, 16


class Lists(NamedTuple):
    """A network as linked lists of edges and of neighbours; made by `lists`.

    Attributes
    ----------
    version : str
        One of `VERSIONS`.
    edges, neighbours : LinkedLists, or BlockedLists for 0.5
    near : the same
        Room for a set S.
    nbytes : int
        Memory that the lists take.
    """

    version: Version
    edges: Any
    neighbours: Any
    near: Any
    nbytes: int

    def census(self, *, types: Literal[16, 64] = 16, as_printed: bool = False) -> Census:
        """Count triads by figure 2.4, on one thread: what the thesis times beside pre-processing.

        Parameters
        ----------
        types, as_printed
            As for `batagelj_mrvar.census`.

        Returns
        -------
        Census

        Raises
        ------
        ArgumentError
        """
        table, in_order = entry_table(types, as_printed=as_printed), in_rising_order(types, as_printed=as_printed)
        entries = np.zeros(ENTRIES, dtype=np.int64)
        if _is_blocked(self.version):
            blocked.count_blocked(self.edges, self.neighbours, self.near, table, in_order, entries)
        else:
            precomputed = self.version == "0.4"
            linked.count_linked(self.edges, self.neighbours, self.near, table, precomputed, in_order, entries)
        return finished(len(self.neighbours.heads), types, [entries])


def lists(network: Graph | Arcs | Adjacency, version: Version = "0.1") -> Lists:
    """Make the lists of one version entry by entry, in the order in which arcs are given.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops and repeats are left out; an undirected edge is mutual.
    version : str, default "0.1"
        One of `VERSIONS`.

    Returns
    -------
    Lists

    Raises
    ------
    ArgumentError
    OutOfMemoryError
        Nodes are 192 bytes an edge, and more.

    Notes
    -----
    O(m) for arcs in rising order; an arc out of order costs the walk to its place.

    Examples
    --------
    >>> import triadic
    >>> made = lists(triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True), "0.2")
    >>> made.nbytes  # 4 edges and 8 neighbours of 192 bytes, and where each of 8 lists begins
    2368
    >>> made.census()["030T"]
    1
    """
    if version not in VERSIONS:
        raise ArgumentError(f"version={version!r}: expected one of {', '.join(map(repr, VERSIONS))}")
    arcs = network if isinstance(network, Arcs) else _arcs_of(adjacency(network))
    n = arcs.vertices
    degree = np.bincount(arcs.source, minlength=n) + np.bincount(arcs.target, minlength=n)
    widest = 2 * int(degree.max(initial=0)) + 1
    of_edges = len(arcs) * (1 if arcs.directed else 2)
    shapes = [_shape(version, n, of_edges, of_neighbours=False), _shape(version, n, 2 * len(arcs), of_neighbours=True)]
    needed = _WORD * sum(nodes * words for nodes, words in shapes)
    check_memory(needed, f"lists of version {version} for {len(arcs):,} arcs")
    edges: Any = _empty(version, n, shapes[0], of_neighbours=False)
    neighbours: Any = _empty(version, n, shapes[1], of_neighbours=True)
    near = _empty(version, 1, _shape(version, 1, widest, of_neighbours=True), of_neighbours=True)
    read: Any = blocked.read_arcs if _is_blocked(version) else linked.read_arcs
    used = read(edges, neighbours, arcs.source, arcs.target, arcs.directed)
    nbytes = sum(
        _WORD * (nodes * each.pool.shape[1] + n) for nodes, each in zip(used, (edges, neighbours), strict=True)
    )
    return Lists(version, edges, neighbours, near, nbytes)


def listed_census(
    network: Graph | Arcs | Adjacency,
    version: Version = "0.1",
    *,
    types: Literal[16, 64] = 16,
    as_printed: bool = False,
) -> Census:
    """Count triads over linked lists, on one thread: `lists`, then `Lists.census`.

    Parameters
    ----------
    network, version
        As for `lists`.
    types, as_printed
        As for `batagelj_mrvar.census`.

    Returns
    -------
    Census

    Raises
    ------
    ArgumentError
    OutOfMemoryError

    Notes
    -----
    O(m k**2), k the largest degree: a look-up walks a list.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True)
    >>> [listed_census(graph, version)["021C"] for version in VERSIONS]
    [2, 2, 2, 2, 2, 2]
    """
    return lists(network, version).census(types=types, as_printed=as_printed)


def _arcs_of(rows: Adjacency) -> Arcs:
    tails = np.arange(rows.n, dtype=rows.arcs_indices.dtype)
    return Arcs(np.repeat(tails, np.diff(rows.arcs_indptr)), rows.arcs_indices, rows.n, directed=True)


def _is_blocked(version: Version) -> bool:
    return version.startswith("0.5")


def _shape(version: Version, n: int, entries: int, *, of_neighbours: bool) -> tuple[int, int]:
    """Give how many nodes n lists of so many entries may need, and the words of one."""
    if not _is_blocked(version):
        words = (_NEIGHBOUR_WORDS if of_neighbours else _EDGE_WORDS) if version == "0.1" else _FITTED_WORDS
        return entries, words
    size = _BLOCK_NEIGHBOURS if of_neighbours else _BLOCK_EDGES
    nodes = min(entries, entries // (size // 2) + 2 * n)  # but for the ends of a list, a node is at least half full
    return nodes, size * (_LABEL_WORDS + 1) + 2


def _empty(version: Version, n: int, shape: tuple[int, int], *, of_neighbours: bool) -> LinkedLists | BlockedLists:
    """Take room for n lists; the system gives what is written to."""
    pool, heads = np.empty(shape, dtype=np.int64), np.full(n, linked.END, dtype=np.int64)
    words = shape[1]
    if not _is_blocked(version):
        vertex = words - 2 if version == "0.1" else 0
        return LinkedLists(pool, heads, vertex, vertex + 1)
    size = _BLOCK_NEIGHBOURS if of_neighbours else _BLOCK_EDGES
    beside = version == "0.5 blocks"
    vertex, stride = (_LABEL_WORDS, _LABEL_WORDS + 1) if beside else (size * _LABEL_WORDS, 1)
    return BlockedLists(pool, heads, Node(size, vertex, stride, words - 2, words - 1, version == "0.5"))
