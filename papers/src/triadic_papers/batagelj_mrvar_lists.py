"""The triad census on linked lists: the sequential versions of the thesis, sections 4.2.1 to 4.2.4.

The authors' own program stores labelled edges and labelled neighbours in sorted lists (figure 4.1, table 4.3). It is
version 0.1, the baseline of every speedup in the thesis. Each later version contains the earlier steps:

- 0.2, cache fitting (table 4.4): included. A node shrinks from 208 or 216 bytes to 192, three cache lines, with the
  fields that are read at its front.
- 0.3, inlining: omitted. LLVM inlines functions of this size by itself; the thesis says the same of gcc -O3, where
  explicit inlining gained 2 percent.
- 0.4, the code of the pair computed once (figure 4.2): included.
- 0.5, in three steps, all included: nodes of 8 edges or 16 neighbours, "0.5 blocks"; labels stored apart from vertices,
  "0.5 columns"; and bisection within a node, "0.5".
- 0.6 and 0.7, task queues on threads: `batagelj_mrvar.queued_census` with "set sizes" and with "estimate", on sorted
  rows instead of lists.

Cache alignment and software prefetching, which the thesis tried and dropped, are omitted.

Differences from the thesis:

- Nodes come from one array in the order of their allocation, not from malloc.
- The thesis does not print how set S is formed. Up to 0.4 it follows the function names in the profile of section
  4.2.3: N(u) is copied, then each vertex of N(v) is inserted from the head; in 0.5 both lists are merged. The number of
  look-ups equals that profile: on eatSR.net 189,408,983 of is_edge and 20,783,877 of is_neighbor.
- Lists are in falling order, as in that section's trace of is_edge ("if v2 < iptr->dest_node, iptr = iptr->next").

References
----------
S. Nagpal (2013), "Study and evaluation of an irregular graph algorithm on multicore and GPU processor architectures",
master's thesis, Lugano, section 4.2.
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
from triadic_papers.batagelj_mrvar_block_kernels import BlockedLists, NodeLayout
from triadic_papers.batagelj_mrvar_codes import ENTRIES, entry_table, final_census, uses_positions
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
    """A network as linked lists of edges and of neighbours; created by `lists`.

    Attributes
    ----------
    version : str
        One of `VERSIONS`.
    edges, neighbours : LinkedLists, or BlockedLists for 0.5
    near : LinkedLists, or BlockedLists for 0.5
        Working memory for one set S.
    nbytes : int
        Memory of the lists in bytes.
    """

    version: Version
    edges: Any
    neighbours: Any
    near: Any
    nbytes: int

    def census(self, *, types: Literal[16, 64] = 16, as_printed: bool = False) -> Census:
        """Count triads with figure 2.4 on one thread, the part that the thesis times without pre-processing.

        Parameters
        ----------
        types : {16, 64}, default 16
            Number of classes: the 16 types, or the 64 labelled codes.
        as_printed : bool, default False
            With 64 codes: use the codes of the printed loop instead of the codes of the vertices in rising order.

        Returns
        -------
        Census

        Raises
        ------
        ArgumentError
            `types` is neither 16 nor 64.
        """
        table, in_order = entry_table(types, as_printed=as_printed), uses_positions(types, as_printed=as_printed)
        entries = np.zeros(ENTRIES, dtype=np.int64)
        if _is_blocked(self.version):
            blocked.count_blocked(self.edges, self.neighbours, self.near, table, in_order, entries)
        else:
            precomputed = self.version == "0.4"
            linked.count_linked(self.edges, self.neighbours, self.near, table, precomputed, in_order, entries)
        return final_census(len(self.neighbours.heads), types, [entries])


def lists(network: Graph | Arcs | Adjacency, version: Version = "0.1") -> Lists:
    """Build the lists of one version, entry by entry in the order of the arcs.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops and repeated arcs are dropped; an undirected edge is mutual.
    version : {"0.1", "0.2", "0.4", "0.5 blocks", "0.5 columns", "0.5"}, default "0.1"
        Version of the thesis's program.

    Returns
    -------
    Lists

    Raises
    ------
    ArgumentError
        The version is unknown.
    OutOfMemoryError
        The lists do not fit in memory; a node takes at least 192 bytes.

    Notes
    -----
    Takes O(m) time for arcs in rising order; each arc out of order costs a walk along its list.

    Examples
    --------
    >>> import triadic
    >>> result = lists(triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True), "0.2")
    >>> result.nbytes  # 4 edges and 8 neighbours of 192 bytes, and the heads of 8 lists
    2368
    >>> result.census()["030T"]
    1
    """
    if version not in VERSIONS:
        raise ArgumentError(f"version={version!r}: expected one of {', '.join(map(repr, VERSIONS))}")
    arcs = network if isinstance(network, Arcs) else _arcs_of(adjacency(network))
    n = arcs.vertices
    degree = np.bincount(arcs.source, minlength=n) + np.bincount(arcs.target, minlength=n)
    widest = 2 * int(degree.max(initial=0)) + 1
    num_edges = len(arcs) * (1 if arcs.directed else 2)
    shapes = [
        _shape(version, n, num_edges, for_neighbours=False),
        _shape(version, n, 2 * len(arcs), for_neighbours=True),
    ]
    needed = _WORD * sum(nodes * words for nodes, words in shapes)
    check_memory(needed, f"lists of version {version} for {len(arcs):,} arcs")
    edges: Any = _empty(version, n, shapes[0], for_neighbours=False)
    neighbours: Any = _empty(version, n, shapes[1], for_neighbours=True)
    near = _empty(version, 1, _shape(version, 1, widest, for_neighbours=True), for_neighbours=True)
    read: Any = blocked.read_arcs if _is_blocked(version) else linked.read_arcs
    used = read(edges, neighbours, arcs.source, arcs.target, arcs.directed)
    nbytes = sum(
        _WORD * (nodes * each.pool.shape[1] + n) for nodes, each in zip(used, (edges, neighbours), strict=True)
    )
    return Lists(version, edges, neighbours, near, nbytes)


def list_census(
    network: Graph | Arcs | Adjacency,
    version: Version = "0.1",
    *,
    types: Literal[16, 64] = 16,
    as_printed: bool = False,
) -> Census:
    """Count triads on linked lists, on one thread: `lists`, then `Lists.census`.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops and repeated arcs are dropped; an undirected edge is mutual.
    version : {"0.1", "0.2", "0.4", "0.5 blocks", "0.5 columns", "0.5"}, default "0.1"
        Version of the thesis's program.
    types : {16, 64}, default 16
        Number of classes: the 16 types, or the 64 labelled codes.
    as_printed : bool, default False
        With 64 codes: use the codes of the printed loop instead of the codes of the vertices in rising order.

    Returns
    -------
    Census

    Raises
    ------
    ArgumentError
        The version is unknown, or `types` is neither 16 nor 64.
    OutOfMemoryError
        The lists do not fit in memory.

    Notes
    -----
    Takes O(m k**2) time, where k is the largest degree: a look-up walks a list.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True)
    >>> [list_census(graph, version)["021C"] for version in VERSIONS]
    [2, 2, 2, 2, 2, 2]
    """
    return lists(network, version).census(types=types, as_printed=as_printed)


def _arcs_of(rows: Adjacency) -> Arcs:
    tails = np.arange(rows.n, dtype=rows.arcs_indices.dtype)
    return Arcs(np.repeat(tails, np.diff(rows.arcs_indptr)), rows.arcs_indices, rows.n, directed=True)


def _is_blocked(version: Version) -> bool:
    return version.startswith("0.5")


def _shape(version: Version, n: int, entries: int, *, for_neighbours: bool) -> tuple[int, int]:
    """Return an upper bound for the number of nodes of n lists with `entries` entries, and the words per node."""
    if not _is_blocked(version):
        words = (_NEIGHBOUR_WORDS if for_neighbours else _EDGE_WORDS) if version == "0.1" else _FITTED_WORDS
        return entries, words
    size = _BLOCK_NEIGHBOURS if for_neighbours else _BLOCK_EDGES
    nodes = min(
        entries, entries // (size // 2) + 2 * n
    )  # every node, except at the ends of a list, is at least half full
    return nodes, size * (_LABEL_WORDS + 1) + 2


def _empty(version: Version, n: int, shape: tuple[int, int], *, for_neighbours: bool) -> LinkedLists | BlockedLists:
    """Allocate memory for n lists; the system provides pages when they are first written."""
    pool, heads = np.empty(shape, dtype=np.int64), np.full(n, linked.END, dtype=np.int64)
    words = shape[1]
    if not _is_blocked(version):
        vertex = words - 2 if version == "0.1" else 0
        return LinkedLists(pool, heads, vertex, vertex + 1)
    size = _BLOCK_NEIGHBOURS if for_neighbours else _BLOCK_EDGES
    beside = version == "0.5 blocks"
    vertex, stride = (_LABEL_WORDS, _LABEL_WORDS + 1) if beside else (size * _LABEL_WORDS, 1)
    return BlockedLists(pool, heads, NodeLayout(size, vertex, stride, words - 2, words - 1, version == "0.5"))
