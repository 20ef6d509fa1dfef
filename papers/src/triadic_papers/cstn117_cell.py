"""CSTN-117's program for the Cell processor (section 2.6): a producer that also works, and elements of seven phases.

The Cell is no longer made. Its program runs here on threads: the calling one is the PowerPC element (algorithm 10),
each other one a synergistic element (algorithms 11 and 12) with a mailbox.

Differs from the paper:

- A cache stands for an element's local store, and a prefetch for a copy into it: data is read where it lies, and lists
  of any length are. Whether it has come is not asked; buffers have their turns in a circle.
- The compiler makes the vectors of algorithm 13, as wide as the processor's, and adds up their lanes for each list; it
  does so for algorithm 1 too, so that the gain of the one over the other is no longer seen.
- Its sizes of work blocks are not given.
- A block is written only while there is one; algorithm 10 goes on to the last element when none is left.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic_papers.cstn117_cell_kernels import BUFFER, process_block, process_small_block
from triadic_papers.cstn117_counts import Clock, Counts, take_size
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
    """Count triangles and paths by algorithms 10 to 13, on threads that stand for the Cell's processing elements.

    Parameters
    ----------
    network : Graph, Arcs or Digraph
        As for `clustering`.
    spes : int, optional
        Synergistic elements, 6 in the paper; by default one less than the process may use threads, at least one. The
        calling thread is the PowerPC element.
    buffers : int, default 16
        Vertices that an element has under way at once.
    block, small_block : int
        Vertices of a work block, and of one that the PowerPC element processes itself.

    Returns
    -------
    Counts
        Steps: layout, compile, count.

    Raises
    ------
    ArgumentError

    Notes
    -----
    Beside the arrays about 16 bytes a vertex and 4 an arc, and 3 places of padding a list at most.

    Examples
    --------
    >>> import triadic
    >>> found = clustering_phases(triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=True), spes=2)
    >>> found.triangles, found.paths
    (1, 4)
    """
    spes = max(1, blocks.resolve_threads(None) - 1) if spes is None else take_size("spes", spes)
    buffers, block = take_size("buffers", buffers), take_size("block", block)
    small_block = take_size("small_block", small_block)
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
        t, p = (int(found[k]) + sum(int(of[name].sum()) for of in B) for k, name in enumerate("tp"))
    return Counts(t, p, clock.seconds)


def _powerpc(rows: Padded, B: list[NDArray[np.void]], block: int, small_block: int, found: NDArray[np.int64]) -> None:
    """Keep the elements' mailboxes filled, and process small blocks in between: algorithm 10."""
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
        finally:  # after an error too: they wait for it
            for mailbox in mailboxes:
                mailbox.put(_INTERRUPT)
        for element in running:
            element.result()


def _synergistic(rows: Padded, mailbox: Mailbox, B: NDArray[np.void]) -> None:
    """Process work blocks until interrupted: algorithm 11."""
    while (work := mailbox.get()) != _INTERRUPT:
        process_block(*rows, *work, B)


class _Vertices:
    """Those that no one has taken yet; one thread takes them."""

    def __init__(self, number: int) -> None:
        self._next, self._end = 0, number

    def __bool__(self) -> bool:
        return self._next < self._end

    def take(self, most: int) -> tuple[int, int]:
        """Give the first of the next so many, and the end of them; none is left when both are the last's."""
        first = self._next
        self._next = min(self._end, first + most)
        return first, self._next
