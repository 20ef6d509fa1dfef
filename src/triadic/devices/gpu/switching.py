"""Random walks that switch the ends of edges on a device, many at a time (switching.c, constrained_switching.c).

Requires: fewer than 2**30 vertices and fewer than 2**31 arcs; for walks that keep groups and lengths of arcs, stubs, as
  `triadic.null_models.constrained.ConstrainedSwitching` has them, and 64-bit floats if lengths are kept.
Idea: each walk has ends and a table of dyads of its own in the memory of the device, and one team makes its steps.
  Walks never meet, so any number of them run side by side.
Cost: 4 bytes for each arc, 8 for each edge and 32 for each dyad, per walk; 64 bytes for each arc or edge where groups
  and lengths are kept. A walk makes 32 steps in the time of three or four memory accesses that wait for one another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.records import record
from triadic.devices.runtimes.runtime import LANES, Buffer, Runtime, Source, c_source
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Float64Array, Int32Array, Int64Array, Uint64Array

    Ids = Int32Array

_SOURCE = c_source("switching", "draws", "dyad_buckets", "speculation")
_WORDS = 4  # of a bucket, of 64 bits: one of control and three entries
_MOST_ARCS = 1 << 31
PART = 1 << 18  # steps of one launch, after which Ctrl-C takes effect
# Walks for each multiprocessor, from which on more of them are no faster (docs/significance.md).
_WALKS_OF_A_MULTIPROCESSOR = 16
_BYTES_TO_COUNT = 100  # an arc: its sample, oriented, with the lists of a count
_SHARE_OF_FREE = 0.9
_STUBS = c_source("constrained_switching", *_SOURCE.headers, SET=1024)
_STUBS_WITH_BINS = c_source("constrained_switching", *_SOURCE.headers, SET=1024, BINS=1)


def buckets_for(dyads: int) -> int:
    """Return the number of buckets of a table: three places for each dyad, so that few buckets are full."""
    return dyads + 2


@record(kw_only=True)
class _Switched:
    """The graph at which walks begin.

    Attributes
    ----------
    ordered : bool
        Whether arcs both ways between two vertices are switched by themselves.
    directed : bool
        Whether the graph is directed.
    """

    ordered: bool
    directed: bool

    @property
    def sizes(self) -> tuple[int, int]:
        """Number of arcs that are switched, and of edges."""
        raise NotImplementedError

    @property
    def num_arcs(self) -> int:
        """Number of arcs of a sample; an undirected edge is one arc."""
        arcs, edges = self.sizes
        return arcs + (2 if self.directed else 1) * edges

    @property
    def buckets(self) -> int:
        """Number of buckets of a walk's table."""
        return buckets_for(sum(self.sizes))


@record
class Switchable(_Switched):
    """A graph whose arcs and edges are switched as `triadic.null_models.switching.Switching` has them.

    Attributes
    ----------
    tail, head : int32 array, shape (arcs,)
        Arcs that exchange their heads, sorted by tail.
    indptr : int64 array, shape (n + 1,)
        Start of the arcs of each tail.
    left, right : int32 array, shape (edges,)
        Edges, or pairs joined both ways, that exchange their ends.
    """

    tail: Ids
    head: Ids
    indptr: Int64Array
    left: Ids
    right: Ids

    @property
    def kernel(self) -> tuple[Source, str]:
        """Source and name of the kernel."""
        return _SOURCE, "switch_ends"

    @property
    def sizes(self) -> tuple[int, int]:
        """Number of arcs, and of edges."""
        return len(self.tail), len(self.left)

    @property
    def ends(self) -> tuple[Ids, Ids, Ids, Ids]:
        """Tails and heads of the arcs, and left and right ends of the edges."""
        return self.tail, self.head, self.left, self.right

    @property
    def state(self) -> Ids:
        """Heads of the arcs, and left and right ends of the edges."""
        return np.concatenate([self.head, self.left, self.right])

    @property
    def shared_by_walks(self) -> tuple[AnyArray | np.generic, ...]:
        """Tails of the arcs, and where the arcs of each tail begin."""
        return self.tail.view(np.uint32), self.indptr.astype(np.uint32)

    def write_arcs(self, runtime: Runtime, shared: tuple[Any, ...], states: Buffer, *arguments: Any) -> None:  # noqa: ANN401 - buffers and scalars
        """Launch the kernel that writes the arcs of one walk."""
        arcs, edges, *rest = arguments
        count = self.num_arcs
        runtime.launch_each(_SOURCE, "arcs_of_walk", count, shared[0], states, arcs, edges, count, *rest)


@record
class SwitchableStubs(_Switched):
    """A graph whose arcs are switched within groups and bins of length.

    Attributes
    ----------
    stubs : int32 array, shape (stubs, 4)
        Rows (vertex, vertex at the far end, twin, arc) in strata.
    arcs : int
        Number of arcs that are no edges.
    strata : int64 array, shape (3 * groups + 1,)
        First stub of each stratum.
    rows : int64 array, shape (3 * n + 1,)
        First stub of each kind at each vertex.
    group : int32 array, shape (n,)
        Group of each vertex.
    place : float64 array, shape (n, 3)
        Coordinates of each vertex.
    limits : float64 array, shape (bins + 1,)
        Squares of the edges of the bins of length; two numbers if lengths are not kept.
    lowest : int
        Number of bits of the smallest block from which a partner is drawn.
    order : int32 array, shape (n,)
        Number of each vertex in samples.
    """

    stubs: Ids
    arcs: int
    strata: Int64Array
    rows: Int64Array
    group: Ids
    place: Float64Array
    limits: Float64Array
    lowest: int
    order: Ids

    @property
    def kernel(self) -> tuple[Source, str]:
        """Source and name of the kernel."""
        return _STUBS_WITH_BINS if len(self.limits) > 2 else _STUBS, "switch_stubs"

    @property
    def sizes(self) -> tuple[int, int]:
        """Number of arcs that are no edges, and of edges."""
        return self.arcs, len(self.stubs) // 2 - self.arcs

    @property
    def ends(self) -> tuple[Ids, Ids, Ids, Ids]:
        """Tails and heads of the arcs, and left and right ends of the edges."""
        arcs, edges = self.stubs[: self.arcs], self.stubs[2 * self.arcs :]
        once = edges[np.arange(2 * self.arcs, len(self.stubs)) < edges[:, 2]]
        tail, head, left, right = (np.ascontiguousarray(rows[:, i]) for rows in (arcs, once) for i in (0, 1))
        return tail, head, left, right

    @property
    def state(self) -> Ids:
        """The stubs, row by row."""
        return self.stubs.reshape(-1)

    @property
    def shared_by_walks(self) -> tuple[AnyArray | np.generic, ...]:
        """Strata, groups, where stubs begin, and the bins; then the numbers of vertices in samples."""
        groups = (len(self.strata) - 1) // 3
        bins: tuple[AnyArray | np.generic, ...] = ()
        if len(self.limits) > 2:
            bins = self.place.reshape(-1), self.limits, np.uint32(len(self.limits))
        return (
            self.strata.astype(np.uint32), np.uint32(groups), self.group.view(np.uint32),
            self.rows.astype(np.uint32), np.uint32(len(self.group)), np.uint32(self.lowest), *bins,
        )  # fmt: skip

    def write_arcs(self, runtime: Runtime, shared: tuple[Any, ...], states: Buffer, *arguments: Any) -> None:  # noqa: ANN401, ARG002 - buffers and scalars
        """Launch the kernel that writes the arcs of one walk."""
        arcs, edges, *rest = arguments
        order = runtime.upload(self.order.view(np.uint32))
        runtime.launch_each(
            self.kernel[0], "arcs_of_stubs", len(self.stubs), states, order, arcs, edges,
            np.uint32(self.directed), *rest,
        )  # fmt: skip


Walkable = Switchable | SwitchableStubs


def bytes_of_walk(graph: Walkable) -> int:
    """Return the bytes of device memory that a walk takes."""
    return graph.state.nbytes + 8 * _WORDS * graph.buckets + 16


def bytes_shared(graph: Walkable) -> int:
    """Return the bytes of device memory that all walks share, with those of the sample that is counted."""
    shared = sum(each.nbytes for each in graph.shared_by_walks)
    return shared + bytes_of_walk(graph) + (8 + _BYTES_TO_COUNT) * graph.num_arcs


def walks_at_a_time(runtime: Runtime, graph: Walkable, wanted: int) -> int:
    """Return the number of walks that run side by side: as many as fit, up to the number wanted.

    Raises
    ------
    OutOfMemoryError
        If not even one fits.
    UnsupportedError
        If the graph has too many arcs.
    """
    if graph.num_arcs >= _MOST_ARCS:
        raise UnsupportedError(f"{runtime.name}: graphs of 2**31 arcs or more are switched on the CPU")
    size, shared, largest = bytes_of_walk(graph), bytes_shared(graph), 8 * _WORDS * graph.buckets
    runtime.check_room(f"a walk over graphs of {graph.num_arcs:,} arcs", shared, size)
    fit = min(int((_SHARE_OF_FREE * runtime.memory()[0] - shared) / size), runtime.largest_buffer() // largest)
    return max(1, min(fit, wanted, _WALKS_OF_A_MULTIPROCESSOR * runtime.multiprocessors))


class DeviceWalks:
    """Random walks on a device, all at the same step.

    Parameters
    ----------
    runtime : Runtime
    graph : Walkable
        Graph at which all walks begin.
    keys : list of int
        Keys of the walks, which determine all their draws.

    Raises
    ------
    DeviceError, OutOfMemoryError
        If the device fails, or has too little memory.
    """

    def __init__(self, runtime: Runtime, graph: Walkable, keys: list[int]) -> None:
        self._runtime, self._graph, self._step, self._walks = runtime, graph, 0, len(keys)
        tail, head, left, right = graph.ends
        arcs, edges, words = len(tail), len(left), _WORDS * graph.buckets
        self._keys = runtime.upload(np.array(keys, np.uint64))
        table = runtime.zeros(words, np.uint64)
        ends = runtime.upload(np.concatenate([head, left, right]).view(np.uint32))
        ordered, self._buckets = np.uint32(graph.ordered), np.uint32(graph.buckets)
        tails = runtime.upload(tail.view(np.uint32))
        runtime.launch_each(
            _SOURCE, "fill_table", arcs + edges, tails, ends, arcs, edges, ordered, table, self._buckets
        )
        at_first, walks = runtime.upload(graph.state.view(np.uint32)), self._walks
        size = len(at_first)
        self._states, self._tables = runtime.empty(walks * size), runtime.empty(walks * words, np.uint64)
        runtime.launch_each(
            _SOURCE, "begin_walks", max(size, words), at_first, size, table, words, walks, self._states, self._tables
        )
        self._sizes = np.uint32(arcs), np.uint32(edges), ordered
        self._shared = tuple(
            runtime.upload(each) if isinstance(each, np.ndarray) else each for each in graph.shared_by_walks
        )
        self._accepted = runtime.zeros(walks, np.uint64)
        self._sample = runtime.empty(graph.num_arcs), runtime.empty(graph.num_arcs)

    def go(self, steps: int, progress: Callable[[int, int], object] | None = None) -> None:
        """Make `steps` steps more of every walk, in launches after each of which Ctrl-C takes effect.

        ``progress(done, steps)`` is called after each launch.
        """
        end = self._step + steps
        while self._step < end:
            part = min(PART, end - self._step)
            self._runtime.launch(
                *self._graph.kernel, self._walks, self._keys, self._step, np.uint32(part), *self._sizes, *self._shared,
                self._states, self._tables, self._buckets, self._accepted, threads=LANES,
            )  # fmt: skip
            self._runtime.synchronize()
            self._step += part
            if progress is not None:
                progress(steps - (end - self._step), steps)

    def accepted(self) -> Uint64Array:
        """Return the number of accepted proposals of each walk."""
        return self._runtime.download(self._accepted)

    def first_state(self) -> Ids:
        """Return the numbers that the first walk has changed, see `state` of the graph."""
        return self._runtime.download(self._states[: len(self._graph.state)]).view(np.int32)

    def arcs(self, walk: int) -> tuple[Buffer, Buffer]:
        """Return source and target of the arcs of one walk, uint32, in the buffers of the walk before."""
        self._graph.write_arcs(self._runtime, self._shared, self._states, *self._graph.sizes, walk, *self._sample)
        return self._sample


class ArcsOfWalk:
    """The arcs of one of some walks; an `ArcSource`."""

    pieces = 1

    def __init__(self, walks: DeviceWalks, number: int) -> None:
        self._ends = walks.arcs(number)
        self.arcs = len(self._ends[0])

    def piece(self, i: int) -> tuple[Buffer, Buffer]:  # noqa: ARG002 - there is one piece
        """Return source and target of all arcs."""
        return self._ends
