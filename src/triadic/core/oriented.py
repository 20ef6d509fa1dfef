"""What counts take: the oriented graph, and for counts of timed events the oriented events of a temporal graph.

Vertices are ranked by falling degree, so that a hub has a small rank, and an edge is kept once, in the row of its
larger rank. A row is then never longer than sqrt(2 edges), and every triangle is met once, at its largest rank. Where
arcs were repeated the ranks follow the degree with repeats, and the bound is that of the arcs. A `Part` is an oriented
graph of which only some triangles are counted; an `OrientedBatch` is that of many graphs.

In `OrientedEvents`, vertices are ranked by falling number of events, and a pair of vertices is in the row of its larger
rank. A row then has at most sqrt(2 events) pairs, so that the pair of two vertices is found by a short search. The
events of each vertex and those of each pair stand in the order of time. A time is a *key* of 31 bits wherever that is
possible, so that a list of times is short: the time since the first event in the largest unit that divides all times,
or the number of distinct times before it.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from triadic.core.blocks import cut
from triadic.core.records import cached_property, record, value_class

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from triadic.core.array_types import (
        AnyArray,
        Float64Array,
        Ids,
        Int64Array,
        IntegerArray,
        Uint8Array,
        UnsignedArray,
    )

    EventLists = tuple[Int64Array, Ids, Ids, Ids]
    """The lists of vertices of `OrientedEvents`: `indptr`, `moments`, `neighbours` and `places`."""
    EventPairs = tuple[Int64Array, Ids, Ids, Ids]
    """The pairs of `OrientedEvents`, and their events: `row_indptr`, `heads`, `starts` and `events`."""


# Blocks of a batch, in vertices plus four times edges: few enough to stay in a core's cache.
_LEAST_BLOCK, _LARGEST_BLOCK, _BLOCKS_PER_THREAD = 1 << 12, 1 << 16, 8

_SEARCHED = 1 << 20  # degrees that are compared at a time

NO_NUMBERS = np.zeros(0, np.int64)

Array = TypeVar("Array", bound=Any)
FrozenArray = TypeVar("FrozenArray", bound="AnyArray")


def index_dtype(vertices: int) -> type[np.int32 | np.int64]:
    """Return the dtype of vertex numbers: int32 wherever it holds them."""
    return np.int32 if vertices < 2**31 else np.int64


def frozen(array: FrozenArray) -> FrozenArray:
    """Return a read-only view; the array itself stays writeable."""
    view = array.view()
    view.flags.writeable = False
    return view


def int_zeros(shape: int | tuple[int, ...]) -> Int64Array:
    """Return an array of zeros, int64."""
    return np.zeros(shape, np.int64)


def int_empty(shape: int | tuple[int, ...]) -> Int64Array:
    """Return an array of int64 whose numbers are yet to be written."""
    return np.empty(shape, np.int64)


def starts_of(lengths: AnyArray) -> Int64Array:
    """Return where rows of these lengths begin, one after another, and where the last ends: shape (rows + 1,)."""
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def inverse(permutation: FrozenArray) -> FrozenArray:
    """Return the place of each number in a permutation of 0 .. n - 1. O(n)."""
    place = np.empty_like(permutation)
    place[permutation] = np.arange(len(place), dtype=place.dtype)
    return place


def rows_of_entries(indptr: IntegerArray, dtype: Any = np.int64) -> Any:  # noqa: ANN401 - an array of the dtype
    """Return the row of each entry of rows that begin at `indptr`."""
    return np.repeat(np.arange(len(indptr) - 1, dtype=dtype), np.diff(indptr))


def as_unsigned(ids: IntegerArray) -> UnsignedArray:
    """Return a read-only view of vertex ids as unsigned integers of the same width: no index can then be negative."""
    view: UnsignedArray = ids.view(np.uint32 if ids.dtype.itemsize == 4 else np.uint64)
    view.flags.writeable = False
    return view


@dataclass(eq=False)
class Sizes:
    """What the memory and the work of a count depend on.

    Parameters
    ----------
    vertices, edges : int
        Of the skeleton.
    directed : bool, default False
    longest : int, optional
        Entries of the longest oriented row; by default its bound, sqrt(2 edges).
    pairs : float, optional
        Pairs of entries in one row, summed over the rows: what walking lists tests at most. By default that of rows
        of equal length.
    indptr : int64 array, shape (n + 1,), optional
        Where rows begin; the two values above are then exact.
    degree : int64 array, shape (n,), optional
        Degree of each rank, beside `indptr`; `walked` and `degree_squares` are then exact.
    unit : {"edges", "events"}, default "edges"
        What `edges` counts: the events of a temporal graph have repeats.
    """

    vertices: int
    edges: int
    _: KW_ONLY
    directed: bool = False
    longest: int | None = None
    pairs: float | None = None
    indptr: Int64Array | None = None
    degree: Int64Array | None = None
    unit: str = "edges"

    @cached_property
    def longest_row(self) -> int:
        """Entries of the longest oriented row."""
        if self.indptr is not None:
            return int(np.diff(self.indptr).max(initial=0))
        return min(self.vertices, isqrt(2 * self.edges)) if self.longest is None else self.longest

    @cached_property
    def with_edges(self) -> int:
        """Vertices that have edges, which come first in the order of ranks; all if rows are not known."""
        return self.vertices if self.indptr is None else int(np.searchsorted(self.indptr, self.indptr[-1]))

    @cached_property
    def row_pairs(self) -> float:
        """Pairs of entries in one row, summed over the rows."""
        if self.indptr is not None:
            length = np.diff(self.indptr)
            return float(np.dot(length, length - 1)) / 2
        if self.pairs is not None:
            return self.pairs
        return self.edges * max(0.0, self.edges / max(1, self.vertices) - 1) / 2

    @cached_property
    def walked(self) -> float:
        """Entries of the rows of all entries, summed: what walking them tests; its bound if degrees are not known."""
        if self.indptr is None or self.degree is None:
            return float(self.longest_row) * self.edges
        length = np.diff(self.indptr)
        return float(np.dot(length, self.degree - length))  # a vertex is an entry of the rows of later ranks

    @cached_property
    def largest_degree(self) -> int:
        """The largest degree; its bound if degrees are not known."""
        return max(0, self.vertices - 1) if self.degree is None else int(self.degree.max(initial=0))

    @cached_property
    def degree_squares(self) -> float:
        """Sum of the squares of the degrees; its bound if degrees are not known."""
        if self.degree is None:
            return 2.0 * self.edges * self.largest_degree
        return float(np.dot(self.degree, self.degree))


class EntryValues(NamedTuple):
    """A column of edges, such as their weights, at the entries of the oriented rows of a graph.

    Attributes
    ----------
    out : array, shape (m,)
        Value of the edge; in a directed graph, of the arc from the row's vertex. Without such an arc it has no meaning;
        weights are then 0.
    into : array, shape (m,), optional
        In a directed graph, value of the arc to the row's vertex.
    """

    out: AnyArray
    into: AnyArray | None = None

    def of_arcs(self, state: Uint8Array | None) -> AnyArray:
        """Return the values of edges; in a directed graph of arcs from the vertices of rows, then of those to them."""
        if self.into is None or state is None:
            return self.out
        return np.concatenate([self.out[(state & 1) != 0], self.into[(state & 2) != 0]])

    def mapped(self, change: Callable[[AnyArray], AnyArray]) -> EntryValues:
        """Return what a function makes of each array."""
        return EntryValues(change(self.out), None if self.into is None else change(self.into))


@record
class _Ranked:
    """Arrays by the rank of vertices, which cannot be written to."""

    rank: Ids

    def __post_init__(self) -> None:
        for name in self.__match_args__:  # the fields, `columns` left out
            array = getattr(self, name)
            if isinstance(array, np.ndarray) and array.flags.writeable:
                object.__setattr__(self, name, frozen(array))

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return len(self.rank)

    @property
    def device(self) -> str | None:
        """Name of the device on which the arrays lie; None for the host."""
        return None

    def small_graphs(self, most_edges: int, threads: int) -> Int64Array | None:  # noqa: ARG002 - of graphs and batches
        """Return None: no count of these arrays has a way for small graphs."""
        return None


@record(weakref_slot=True)
class Oriented(_Ranked):
    """An oriented graph on n vertices with m edges.

    Attributes
    ----------
    rank : int32 or int64 array, shape (n,)
        Rank of each vertex, 0 for the highest degree; repeats of arcs count in it.
    indptr : int64 array, shape (n + 1,)
        Where each rank's row begins.
    indices : int32 or int64 array, shape (m,)
        Ranks of smaller value joined to each rank, rising within a row.
    state : uint8 array, shape (m,), optional
        Of a directed graph: 1 for an arc from the row's vertex, 2 for one to it, 3 for both.
    degree : int64 array, shape (n,)
        Degree of each rank in the skeleton.
    columns : dict of EntryValues
        Columns of edges by name. Weights, "weight", may be missing though the graph has them, until a count needs them.
    """

    indptr: Int64Array
    indices: Ids
    state: Uint8Array | None
    degree: Int64Array
    columns: dict[str, EntryValues] = field(default_factory=dict, kw_only=True)

    @property
    def num_edges(self) -> int:
        """Number of edges, m."""
        return len(self.indices)

    @property
    def sizes(self) -> Sizes:
        """What the memory and the work of a count depend on."""
        return Sizes(
            self.num_vertices,
            self.num_edges,
            directed=self.state is not None,
            indptr=self.indptr,
            degree=self.degree,
        )

    @property
    def unsigned_rows(self) -> tuple[Int64Array, UnsignedArray]:
        """Where rows begin, and their entries by `as_unsigned`, as kernels take them."""
        return self.indptr, as_unsigned(self.indices)

    @property
    def order(self) -> Ids:
        """Vertex at each rank: the inverse of `rank`. O(n)."""
        return inverse(self.rank)

    def with_state(self, state: Uint8Array | None) -> Oriented:
        """Return the oriented graph with other states, without columns; None leaves out the directions."""
        return Oriented(self.rank, self.indptr, self.indices, state, self.degree)

    def small_graphs(self, most_edges: int, threads: int) -> Int64Array | None:  # noqa: ARG002 - of batches
        """Return the cuts between rows that one thread counts, one small graph after another; None if that is slower.

        Parameters
        ----------
        most_edges : int
            Number of edges of the largest graph that counts as small.
        threads : int
            Number of threads that share the graphs of a batch.

        Returns
        -------
        int64 array, shape (blocks + 1,), or None
        """
        return np.array([0, self.num_vertices]) if self.num_edges <= most_edges else None

    def result(self, name: str, shape: tuple[int, ...], dtype: type[np.generic]) -> AnyArray:  # noqa: ARG002 - of tiles it names the file
        """Return an array of zeros for a result: in memory, and of a tiled graph in the file of this name."""
        return np.zeros(shape, dtype)


@value_class
class OrientationSummary:
    """Counts taken while arcs were oriented.

    Attributes
    ----------
    arcs : int
        Distinct arcs, without loops.
    loops : int
        Arcs from a vertex to itself.
    duplicates : int
        Exact repeats of an arc.
    reciprocal : int
        Edges with an arc in each direction.
    once : bool, default False
        Whether the weights of edges that are given from both ends count once.
    """

    arcs: int
    loops: int
    duplicates: int
    reciprocal: int
    once: bool = False


@record
class Part(Oriented):
    """An oriented graph, and which of its triangles {u, v, w}, u > v > w, are counted.

    Attributes
    ----------
    first, last : int
        Only triangles with `first` <= u < `last` are counted.
    middle_from : int64 array, shape (n,), optional
        Place in `indices` for each u: only entries v of row u from this place on are counted. By default all are.
    """

    first: int
    last: int
    middle_from: Int64Array | None = None

    def small_graphs(self, most_edges: int, threads: int) -> Int64Array | None:  # noqa: ARG002 - never small
        """Return None: ways for small graphs count all triangles."""
        return None

    @property
    def hubs_pay(self) -> bool:
        """Whether v and w can both be among the first ranks."""
        return self.middle_from is None


def state_rows(oriented: Oriented) -> tuple[Int64Array, UnsignedArray, Uint8Array]:
    """Return the rows and the state of each entry; all entries of an undirected graph are mutual."""
    state = np.full(oriented.num_edges, 3, np.uint8) if oriented.state is None else oriented.state
    return oriented.indptr, as_unsigned(oriented.indices), frozen(state)


@record
class OrientedBatch(Oriented):
    """The oriented graph of a batch of graphs, which no edges join: the ranks of each graph follow one another.

    Attributes
    ----------
    first_rank : int64 array, shape (graphs + 1,)
        First rank of each graph, and the number of vertices. Within a graph, vertices are ranked by falling degree.
    """

    first_rank: Int64Array

    def small_graphs(self, most_edges: int, threads: int) -> Int64Array | None:
        """Return cuts between graphs into blocks of about equal work, if all graphs are small."""
        edges_before = self.indptr[self.first_rank]
        if int(np.diff(edges_before).max(initial=0)) > most_edges:
            return None
        cost = self.first_rank + 4 * edges_before
        aim = max(_LEAST_BLOCK, min(_LARGEST_BLOCK, int(cost[-1]) // (_BLOCKS_PER_THREAD * threads)))
        return self.first_rank[cut(cost, aim)]


def ranks_in_triangles(degree: Int64Array) -> int:
    """Return the number of ranks up to the last one of degree 2 or more, from degrees that nearly fall."""
    for last in range(len(degree), 0, -_SEARCHED):
        first = max(0, last - _SEARCHED)
        inner = np.flatnonzero(degree[first:last] >= 2)
        if len(inner):
            return first + int(inner[-1]) + 1
    return 0


def rows_counted(oriented: Oriented) -> tuple[int, int]:
    """Return the first row whose triangles are counted, and the end of the rows: the last such row plus one."""
    return (oriented.first, oriented.last) if isinstance(oriented, Part) else (0, oriented.num_vertices)


def middles_from(
    oriented: Oriented, indptr: Array, split: Array, xp: ModuleType, *, middle_from: Array | None
) -> Array:
    """Return for each row the place in `indices` of the first entry v whose list is walked.

    That entry follows the hubs of the row, which end at `split`. It is never the first entry of the row, because no
    rank w < v remains there.

    Parameters
    ----------
    oriented : Oriented
    indptr, split : int64 array, shape (n + 1,) and (n,)
        Arrays in memory or on a device.
    xp : module
        The module of the arrays' functions, such as CuPy.
    middle_from : int64 array, shape (n,), or None
        A copy on the device of the attribute of `Part`, which then is not copied there again.

    Returns
    -------
    int64 array, shape (n,)
    """
    stop = indptr[1:]
    found: Array = xp.maximum(split, indptr[:-1] + 1)
    if isinstance(oriented, Part):
        if not oriented.hubs_pay:
            found = xp.maximum(found, xp.asarray(oriented.middle_from) if middle_from is None else middle_from)
        found[: oriented.first] = stop[: oriented.first]
        found[oriented.last :] = stop[oriented.last :]
    return found


@record(weakref_slot=True)
class OrientedEvents(_Ranked):
    """The events of a temporal graph of n vertices, m events and p pairs of vertices, by vertex and by pair.

    All whole numbers but those of the `indptr` arrays are int32, or int64 if 2**30 or more events or 2**31 or more
    vertices need that.

    Attributes
    ----------
    rank : int array, shape (n,)
        Rank of each vertex, 0 for the most events.
    indptr : int64 array, shape (n + 1,)
        First place of each rank in the lists of vertices.
    moments : int array, shape (2 m + 1, 2)
        For each place in the lists of vertices the key of the event, and the number of inward events before the place.
    neighbours : int array, shape (2 m,)
        For each place in the lists of vertices the rank of the other end.
    places : int array, shape (2 m,)
        For each place in the lists of vertices the place of the event in `events`.
    row_indptr : int64 array, shape (n + 1,)
        First pair of each rank in `heads`.
    event_indptr : int64 array, shape (n + 1,)
        First place of the events of each rank's pairs in `events`.
    heads : int array, shape (p,)
        Smaller rank of each pair, rising within a row.
    starts : int array, shape (p + 1,)
        First place of each pair in `events`.
    events : int array, shape (m, 4)
        By pair and time: the key; twice the number of the event by time, plus 1 if it runs to the row's vertex; its
        places in the lists of the row's vertex and of the other.
    times : int64 or float64 array, shape (m,), or None
        Times by number of the event if keys are numbers of distinct times.
    unit : int
        Length of a key's unit, if keys are times.
    """

    indptr: Int64Array
    moments: Ids
    neighbours: Ids
    places: Ids
    row_indptr: Int64Array
    event_indptr: Int64Array
    heads: Ids
    starts: Ids
    events: Ids
    times: Int64Array | Float64Array | None
    unit: int

    @property
    def num_edges(self) -> int:
        """Number of events, m."""
        return len(self.events)

    @property
    def num_pairs(self) -> int:
        """Number of pairs of vertices with events, p."""
        return len(self.heads)

    @property
    def lists(self) -> EventLists:
        """The arrays by vertex, as kernels take them: a plain tuple, which costs the least in a call."""
        return self.indptr, self.moments, self.neighbours, self.places

    @property
    def pairs(self) -> EventPairs:
        """The arrays by pair, as kernels take them."""
        return self.row_indptr, self.heads, self.starts, self.events

    @property
    def longest_pair(self) -> int:
        """Number of events of the pair with the most events."""
        if self.num_pairs == self.num_edges:
            return min(1, self.num_edges)
        return int((self.starts[1:] - self.starts[:-1]).max())

    @property
    def sizes(self) -> Sizes:
        """What the memory and the work of a count depend on."""
        return Sizes(self.num_vertices, self.num_edges, directed=True, unit="events")
