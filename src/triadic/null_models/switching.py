"""Random graphs with the degrees of a given one, by switching the ends of its edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.memory import check_memory
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph
from triadic.null_models import switching_kernels as kernels
from triadic.null_models.dyad_table import ARC, MOST_VERTICES, MUTUAL, empty_table, fill

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int32]

# docs/significance.md has what they are chosen by.
_STEPS_AN_EDGE, _LEAST_STEPS = 10, 10_000
_AT_ONCE = 1 << 22  # steps before Ctrl-C is heard


@dataclass(frozen=True, slots=True, eq=False)
class Switching:
    """All simple graphs with the degrees of a given one, as far as switching reaches them.

    Attributes
    ----------
    tail, head : int32 array, shape (arcs,)
        Arcs that exchange their heads, by rising tail: all of a directed graph, or where mutual degrees are kept those
        without an arc back.
    indptr : int64 array, shape (n + 1,)
        Where the arcs of each tail begin.
    left, right : int32 array, shape (edges,)
        Edges, or pairs joined both ways, that exchange their ends.
    table : int64 array
        The `dyad_table` of both.
    ordered : bool
        Whether an arc is taken without regard to what runs the other way.
    """

    tail: Ids
    head: Ids
    indptr: NDArray[np.int64]
    left: Ids
    right: Ids
    table: NDArray[np.int64]
    ordered: bool
    directed: bool
    steps: int
    labels: NDArray[Any] | None = None

    @classmethod
    def of(cls, graph: Graph, *, mutual: bool, steps: int | None = None) -> Switching:
        """Prepare the walks that begin at a graph. O(m log m)."""
        n = graph.num_vertices
        if n > MOST_VERTICES:
            raise ArgumentError(f"graph: graphs of up to {MOST_VERTICES:,} vertices are switched, it has {n:,}")
        check_memory(100 * graph.num_arcs, f"switching {graph.num_arcs:,} arcs", "use more memory")
        source, target = (ends.astype(np.int32, copy=False) for ends in graph.edges())
        back = _with_arc_back(source, target) if mutual else np.full(len(source), not graph.directed)
        once = back & (source < target)
        tail, head, left, right = source[~back], target[~back], source[once], target[once]
        indptr = np.zeros(n + 1, dtype=np.int64)
        np.cumsum(np.bincount(tail, minlength=n), out=indptr[1:])
        ordered = graph.directed and not mutual
        table = empty_table(len(tail) + len(left))
        fill(table, tail, head, ARC, ordered)
        fill(table, left, right, MUTUAL, ordered)
        if steps is None:
            steps = max(_STEPS_AN_EDGE * (len(tail) + len(left)), _LEAST_STEPS)
        return cls(tail, head, indptr, left, right, table, ordered, graph.directed, steps, graph.labels)

    def draw(self, key: int) -> tuple[Graph, bool]:
        """Draw the graph that a walk of `steps` steps ends at, and say whether any proposal was taken."""
        walk = self.walk(key)
        taken = walk.go(self.steps)
        return walk.graph(), taken > 0

    def walk(self, key: int) -> Walk:
        """Begin a walk at the given graph."""
        return Walk(self, key)

    def admits_change(self, key: int) -> bool:
        """Whether any of many proposals can be taken."""
        return self.walk(key).go(max(self.steps, _LEAST_STEPS)) > 0


class Walk:
    """A walk on its way: a graph that changes."""

    __slots__ = ("_begin", "_of", "_table", "head", "key", "left", "right")

    def __init__(self, of: Switching, key: int) -> None:
        self._of, self.key, self._begin = of, np.uint64(key), 0
        self.head, self.left, self.right = of.head.copy(), of.left.copy(), of.right.copy()
        self._table = of.table.copy()

    def go(self, steps: int) -> int:
        """Go on for so many steps, and give how many proposals were taken. Walks that went in parts are the same."""
        of, taken = self._of, 0
        end = self._begin + steps
        if len(of.tail) + len(of.left) == 0:
            return 0
        while self._begin < end:
            part, begin = min(_AT_ONCE, end - self._begin), np.uint64(self._begin)
            taken += kernels.switch(
                self.key, begin, part, of.tail, self.head, of.indptr, self.left, self.right, self._table, of.ordered
            )
            self._begin += part
        return int(taken)

    def edges(self) -> tuple[Ids, Ids]:
        """Give the ends of each arc, or of each edge once, in no order."""
        if not self._of.directed:
            return self.left, self.right
        return (
            np.concatenate([self._of.tail, self.left, self.right]),
            np.concatenate([self.head, self.right, self.left]),
        )

    def graph(self) -> Graph:
        """Give the graph that the walk is at."""
        of = self._of
        arcs = Arcs(*self.edges(), len(of.indptr) - 1, of.directed, labels=of.labels)
        return Graph.from_arcs(arcs, threads=1)


def _with_arc_back(source: Ids, target: Ids) -> NDArray[np.bool_]:
    """Tell which arcs, given in order, have their reverse among them."""
    arcs = (source.astype(np.int64) << 32) | target
    back = (target.astype(np.int64) << 32) | source
    if len(arcs) == 0:
        return np.zeros(0, dtype=np.bool_)
    place = np.minimum(np.searchsorted(arcs, back), len(arcs) - 1)
    there: NDArray[np.bool_] = arcs[place] == back
    return there
