"""Random walks that switch the ends of edges on a device, many at a time (switching.c).

Requires: fewer than 2**30 vertices and fewer than 2**31 arcs.
Idea: each walk has ends and a table of dyads of its own in the memory of the device, and one team makes its steps.
  Walks never meet, so any number of them run side by side.
Cost: 4 bytes for each arc, 8 for each edge and 21.4 for each dyad, per walk. A walk makes 32 steps in the time of three
  or four memory accesses that wait for one another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.runtime import LANES, launch_each
from triadic.devices.runtimes.source import Source
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.runtimes.runtime import Buffer, Runtime

    Ids = NDArray[np.int32]

_SOURCE = Source("switching", headers=("draws", "dyad_buckets", "speculation"))
_PLACES, _WORDS = 3, 4  # of a bucket: entries, and 64-bit words
_MOST_ENDS = 1 << 31
PART = 1 << 18  # steps of one launch, after which Ctrl-C takes effect
# Walks for each multiprocessor, from which on more of them are no faster (docs/significance.md).
_WALKS_OF_A_MULTIPROCESSOR = 4
_BYTES_TO_COUNT = 100  # an arc: its sample, oriented, with the lists of a count
_SHARE_OF_FREE = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class Switchable:
    """The graph at which walks begin, as `triadic.null_models.switching.Switching` has it.

    Attributes
    ----------
    tail, head : int32 array, shape (arcs,)
        Arcs that exchange their heads, sorted by tail.
    indptr : int64 array, shape (n + 1,)
        Start of the arcs of each tail.
    left, right : int32 array, shape (edges,)
        Edges, or pairs joined both ways, that exchange their ends.
    ordered : bool
        Whether arcs both ways between two vertices are switched by themselves.
    directed : bool
        Whether the graph is directed.
    """

    tail: Ids
    head: Ids
    indptr: NDArray[np.int64]
    left: Ids
    right: Ids
    ordered: bool
    directed: bool

    @property
    def num_ends(self) -> int:
        """Number of ends that a walk changes."""
        return len(self.tail) + 2 * len(self.left)

    @property
    def num_arcs(self) -> int:
        """Number of arcs of a sample; an undirected edge is one arc."""
        return self.num_ends if self.directed else len(self.left)

    @property
    def buckets(self) -> int:
        """Number of buckets of a walk's table, of which half the places are taken."""
        return 2 * (len(self.tail) + len(self.left)) // _PLACES + 2

    @property
    def bytes_of_walk(self) -> int:
        """Bytes of device memory that a walk takes."""
        return 4 * self.num_ends + 8 * _WORDS * self.buckets + 16

    @property
    def bytes_shared(self) -> int:
        """Bytes of device memory that all walks share, with those of the sample that is counted."""
        n = len(self.indptr) - 1
        return 4 * len(self.tail) + 12 * n + self.bytes_of_walk + 8 * self.num_arcs + _BYTES_TO_COUNT * self.num_arcs


def walks_at_a_time(runtime: Runtime, graph: Switchable, wanted: int) -> int:
    """Return the number of walks that run side by side: as many as fit, up to the number wanted.

    Raises
    ------
    OutOfMemoryError
        If not even one fits.
    UnsupportedError
        If the graph has too many arcs.
    """
    if graph.num_ends >= _MOST_ENDS:
        raise UnsupportedError(f"{runtime.name}: graphs of 2**31 arcs or more are switched on the CPU")
    size, shared = graph.bytes_of_walk, graph.bytes_shared
    check_room(runtime, f"a walk over graphs of {graph.num_arcs:,} arcs", size, shared)
    fit = int((_SHARE_OF_FREE * runtime.memory()[0] - shared) / size)
    fit = min(fit, runtime.largest_buffer() // (8 * _WORDS * graph.buckets))
    return max(1, min(fit, wanted, _WALKS_OF_A_MULTIPROCESSOR * runtime.multiprocessors))


class SwitchingWalks:
    """Random walks on a device, all at the same step, and an `ArcSource` of the graph of each.

    Parameters
    ----------
    runtime : Runtime
    graph : Switchable
        Graph at which all walks begin.
    keys : sequence of int
        Keys of the walks, which determine all their draws.

    Raises
    ------
    DeviceError, OutOfMemoryError
        If the device fails, or has too little memory.
    """

    def __init__(self, runtime: Runtime, graph: Switchable, keys: list[int]) -> None:
        self._runtime, self._graph, self._step = runtime, graph, 0
        arcs, edges, walks = len(graph.tail), len(graph.left), len(keys)
        self._walks, self._sizes = walks, (np.uint64(arcs), np.uint64(edges))
        words, ends = _WORDS * graph.buckets, graph.num_ends
        self._keys = runtime.upload(np.array(keys, dtype=np.uint64))
        self._tail = runtime.upload(graph.tail.view(np.uint32))
        self._indptr = runtime.upload(graph.indptr.astype(np.uint32))
        at_first = runtime.upload(np.concatenate([graph.head, graph.left, graph.right]).view(np.uint32))
        table = runtime.zeros(words, np.uint64)
        launch_each(
            runtime, _SOURCE, "fill_table", arcs + edges, self._tail, at_first, *self._sizes,
            np.uint32(graph.ordered), table, np.uint32(graph.buckets),
        )  # fmt: skip
        self._ends = runtime.empty(walks * ends, np.uint32)
        self._tables = runtime.empty(walks * words, np.uint64)
        launch_each(
            runtime, _SOURCE, "begin_walks", max(ends, words), at_first, np.uint64(ends), table, np.uint64(words),
            np.uint64(walks), self._ends, self._tables,
        )  # fmt: skip
        self._accepted = runtime.zeros(walks, np.uint64)
        self._sample = runtime.empty(graph.num_arcs, np.uint32), runtime.empty(graph.num_arcs, np.uint32)

    def go(self, steps: int) -> None:
        """Make `steps` steps more of every walk, in launches after each of which Ctrl-C takes effect."""
        graph, end = self._graph, self._step + steps
        while self._step < end:
            part = min(PART, end - self._step)
            self._runtime.launch(
                _SOURCE, "switch_ends", self._walks, self._keys, np.uint64(self._step), np.uint32(part),
                np.uint32(len(graph.tail)), np.uint32(len(graph.left)), np.uint32(graph.ordered), self._tail,
                self._indptr, self._ends, self._tables, np.uint32(graph.buckets), self._accepted, threads=LANES,
            )  # fmt: skip
            self._runtime.synchronize()
            self._step += part

    def accepted(self) -> NDArray[np.uint64]:
        """Return the number of accepted proposals of each walk."""
        return self._runtime.download(self._accepted)

    def arcs(self, walk: int) -> tuple[Buffer, Buffer]:
        """Return source and target of the arcs of one walk, uint32, in the buffers of the walk before."""
        count = np.uint64(self._graph.num_arcs)
        launch_each(
            self._runtime, _SOURCE, "arcs_of_walk", self._graph.num_arcs, self._tail, self._ends, *self._sizes, count,
            np.uint64(walk), *self._sample,
        )  # fmt: skip
        return self._sample


class ArcsOfWalk:
    """The arcs of one of some walks; an `ArcSource`."""

    pieces = 1

    def __init__(self, walks: SwitchingWalks, number: int) -> None:
        self._ends = walks.arcs(number)
        self.arcs = len(self._ends[0])

    def piece(self, i: int) -> tuple[Buffer, Buffer]:  # noqa: ARG002 - there is one piece
        """Return source and target of all arcs."""
        return self._ends
