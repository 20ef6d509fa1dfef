"""CSTN-117's program for the Cell processor (section 2.6), on threads.

The Cell is no longer manufactured. The calling thread takes the role of the PowerPC element (algorithm 10), each other
thread that of a synergistic element (algorithms 11 and 12) with a mailbox.

Differences from the paper:

- A cache replaces the local store of an element, and a prefetch the copy into it: data are read in place, and lists of
  any length are supported. The program does not test whether data have arrived; the buffers take turns in a circle.
- The compiler creates the vector instructions of algorithm 13, as wide as the processor's, and adds up their lanes for
  each list. It does so for algorithm 1 too, so the advantage of algorithm 13 over algorithm 1 disappears.
- The paper does not print its sizes of work blocks.
- A block is assigned only while vertices remain; algorithm 10 continues to the last element when none remains.

References
----------
A. Leist, K. Hawick, D. Playne (2011), technical note CSTN-117, section 2.6, algorithms 10 to 13.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic_papers.cstn117_cell_kernels import BUFFER, process_block, process_small_block
from triadic_papers.cstn117_counts import Clock, Counts, check_size
from triadic_papers.cstn117_digraph import digraph, padded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic_papers.cstn117_digraph import Digraph, Padded

    Mailbox = SimpleQueue[tuple[int, int]]

_INTERRUPT = -1, -1


def clustering_phases(
    network: Graph | Arcs | Digraph,
    *,
    spes: int | None = None,
    buffers: int = 16,
    block: int = 256,
    small_block: int = 16,
) -> Counts:
    """Count triangles and paths with algorithms 10 to 13, on threads that replace the Cell's processing elements.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        An undirected edge is an arc in each direction. Repeated arcs are dropped, arcs from a vertex to itself are
        kept.
    spes : int, optional
        Number of synergistic elements, 6 in the paper; by default one less than the number of threads that the process
        may use, at least one. The calling thread is the PowerPC element.
    buffers : int, default 16
        Vertices that an element processes at the same time.
    block, small_block : int, default 256 and 16
        Vertices per work block, and per block that the PowerPC element processes itself.

    Returns
    -------
    Counts
        With the steps "layout", "compile" and "count".

    Raises
    ------
    ArgumentError
        A number is below 1.

    Notes
    -----
    Takes about 16 bytes per vertex and 4 per arc in addition to the arrays, and at most 3 entries of padding per list.

    References
    ----------
    Leist, Hawick and Playne (2011), section 2.6, algorithms 10 to 13.

    Examples
    --------
    >>> import triadic
    >>> counts = clustering_phases(triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=True), spes=2)
    >>> counts.triangles, counts.paths
    (1, 4)
    """
    spes = max(1, blocks.resolve_threads(None) - 1) if spes is None else check_size("spes", spes)
    buffers, block = check_size("buffers", buffers), check_size("block", block)
    small_block = check_size("small_block", small_block)
    clock = Clock()
    with clock.step("layout"):
        rows = padded(digraph(network))
    found = np.zeros(2, dtype=np.int64)
    B = [np.zeros(buffers, dtype=BUFFER) for _ in range(spes)]
    with clock.step("compile"):
        process_block(*rows, 0, 0, B[0])
        process_small_block(*rows, 0, 0, found)
    with clock.step("count"):
        _powerpc(rows, B, block, small_block, found)
        t, p = (int(found[k]) + sum(int(element[name].sum()) for element in B) for k, name in enumerate("tp"))
    return Counts(t, p, clock.seconds)


def _powerpc(rows: Padded, B: list[NDArray[np.void]], block: int, small_block: int, found: NDArray[np.int64]) -> None:
    """Keep the mailboxes of the elements filled and process small blocks in between: algorithm 10."""
    mailboxes: list[Mailbox] = [SimpleQueue() for _ in B]
    left = _Vertices(rows.vertices)
    with ThreadPoolExecutor(len(B)) as pool:
        running = [pool.submit(_synergistic, rows, mailbox, own) for mailbox, own in zip(mailboxes, B, strict=True)]
        try:
            while left:
                for mailbox in mailboxes:
                    if left and mailbox.empty():
                        mailbox.put(left.take(block))
                process_small_block(*rows, *left.take(small_block), found)
        finally:  # also after an error, since the elements wait for the interrupt
            for mailbox in mailboxes:
                mailbox.put(_INTERRUPT)
        for element in running:
            element.result()


def _synergistic(rows: Padded, mailbox: Mailbox, B: NDArray[np.void]) -> None:
    """Process work blocks until interrupted: algorithm 11."""
    while (work := mailbox.get()) != _INTERRUPT:
        process_block(*rows, *work, B)


class _Vertices:
    """Vertices that no element has taken yet; one thread takes them."""

    def __init__(self, number: int) -> None:
        self._next, self._end = 0, number

    def __bool__(self) -> bool:
        return self._next < self._end

    def take(self, most: int) -> tuple[int, int]:
        """Return the first and the end of the next range of at most `most` vertices; an empty range if none remains."""
        first = self._next
        self._next = min(self._end, first + most)
        return first, self._next
