"""The oriented events: what the counts of a temporal graph take, as counts of a graph take `Oriented`.

Vertices are ranked by falling number of events, and a pair of vertices is in the row of its larger rank. A row then has
at most sqrt(2 events) pairs, so that the pair of two vertices is found by a short search. The events of each vertex and
those of each pair stand in the order of time. A time is a *key* of 31 bits wherever that is possible, so that a list of
times is short: the time since the first event in the largest unit that divides all times, or the number of distinct
times before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triadic.core.oriented import Sizes, frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class OrientedEvents:
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

    rank: Ids
    indptr: NDArray[np.int64]
    moments: Ids
    neighbours: Ids
    places: Ids
    row_indptr: NDArray[np.int64]
    event_indptr: NDArray[np.int64]
    heads: Ids
    starts: Ids
    events: Ids
    times: NDArray[np.int64] | NDArray[np.float64] | None
    unit: int

    def __post_init__(self) -> None:
        for name in ("rank", "indptr", "moments", "neighbours", "places", "row_indptr", "event_indptr", "heads",
                     "starts", "events"):  # fmt: skip
            array = getattr(self, name)
            if array.flags.writeable:
                object.__setattr__(self, name, frozen(array))

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return len(self.rank)

    @property
    def num_edges(self) -> int:
        """Number of events, m."""
        return len(self.events)

    @property
    def num_pairs(self) -> int:
        """Number of pairs of vertices with events, p."""
        return len(self.heads)

    @property
    def longest_pair(self) -> int:
        """Number of events of the pair with the most events."""
        if self.num_pairs == self.num_edges:
            return min(1, self.num_edges)
        return int((self.starts[1:] - self.starts[:-1]).max())

    @property
    def device(self) -> str | None:
        """None: the arrays lie on the host."""
        return None

    @property
    def sizes(self) -> Sizes:
        """What the memory and the work of a count depend on."""
        return Sizes(self.num_vertices, self.num_edges, directed=True, unit="events")

    def small_graphs(self, most_edges: int, threads: int) -> NDArray[np.int64] | None:  # noqa: ARG002 - as of Oriented
        """Return None: no count of events has a way for small graphs."""
        return None
