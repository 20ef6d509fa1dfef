"""Random graphs with the degrees of a given graph, sampled by switching the ends of its edges."""

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

# docs/significance.md says how these defaults were chosen.
STEPS_AN_EDGE, LEAST_STEPS = 10, 10_000
PART = 1 << 22  # steps of one kernel call, between which Ctrl-C takes effect


@dataclass(frozen=True, slots=True, eq=False)
class Switching:
    """The simple graphs with the degrees of a given graph that switching reaches, all equally likely.

    Attributes
    ----------
    tail, head : int32 array, shape (arcs,)
        Arcs that exchange their heads, sorted by tail: all arcs of a directed graph, or, if mutual degrees are kept,
        the arcs without a reciprocal arc.
    indptr : int64 array, shape (n + 1,)
        Start of the arcs of each tail.
    left, right : int32 array, shape (edges,)
        Edges, or pairs joined both ways, that exchange their ends.
    table : int64 array
        The `dyad_table` of these arcs and edges.
    ordered : bool
        Whether the table has an entry for each arc rather than for each dyad.
    directed : bool
        Whether the graph is directed.
    steps : int
        Number of steps of the walk to a sample.
    labels : array, optional
        Labels of the vertices, which samples keep.

    References
    ----------
    R. Milo, N. Kashtan, S. Itzkovitz, M. E. J. Newman and U. Alon, *On the uniform generation of random graphs with
    prescribed degree sequences*, arXiv cond-mat/0312028, 2003.
    A. R. Rao, R. Jana and S. Bandyopadhyay, *A Markov chain Monte Carlo method for generating random (0,1)-matrices
    with given marginals*, Sankhya A 58, 225-242, 1996.
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
        """Return the model of a graph, ready for walks that begin at it. O(m log m)."""
        n = graph.num_vertices
        if n > MOST_VERTICES:
            raise ArgumentError(f"graph: it has {n:,} vertices; switching takes at most {MOST_VERTICES:,}")
        check_memory(100 * graph.num_arcs, f"switching {graph.num_arcs:,} arcs", "use more memory")
        source, target = (ends.astype(np.int32, copy=False) for ends in graph.edges())
        back = arcs_with_a_reverse(source, target) if mutual else np.full(len(source), not graph.directed)
        once = back & (source < target)
        tail, head, left, right = source[~back], target[~back], source[once], target[once]
        indptr = np.zeros(n + 1, dtype=np.int64)
        np.cumsum(np.bincount(tail, minlength=n), out=indptr[1:])
        ordered = graph.directed and not mutual
        table = empty_table(len(tail) + len(left))
        fill(table, tail, head, ARC, ordered)
        fill(table, left, right, MUTUAL, ordered)
        if steps is None:
            steps = max(STEPS_AN_EDGE * (len(tail) + len(left)), LEAST_STEPS)
        return cls(tail, head, indptr, left, right, table, ordered, graph.directed, steps, graph.labels)

    def draw(self, key: int) -> tuple[Graph, bool]:
        """Return the graph at which the walk of a key ends, and whether any proposal was accepted."""
        walk = self.walk(key)
        accepted = walk.go(self.steps)
        return walk.graph(), accepted > 0

    def walk(self, key: int) -> Walk:
        """Return a walk that begins at the original graph; its key determines all its draws."""
        return Walk(self, key)

    def admits_change(self, key: int) -> bool:
        """Return whether a walk of at least 10,000 steps accepts any proposal."""
        return self.walk(key).go(max(self.steps, LEAST_STEPS)) > 0


class Walk:
    """A random walk over graphs: the current graph and the number of steps made."""

    __slots__ = ("_begin", "_bits", "_model", "_proposals", "_table", "head", "key", "left", "right")

    def __init__(self, model: Switching, key: int) -> None:
        self._model, self.key, self._begin = model, np.uint64(key), 0
        self.head, self.left, self.right = model.head.copy(), model.left.copy(), model.right.copy()
        self._table = model.table.copy()
        self._proposals = np.empty((3, kernels.AHEAD), dtype=np.int64)
        self._bits = np.empty(kernels.AHEAD, dtype=np.uint64)

    def go(self, steps: int) -> int:
        """Make `steps` steps more and return the number of accepted proposals; a walk may be split in any way."""
        model, accepted = self._model, 0
        end = self._begin + steps
        if len(model.tail) + len(model.left) == 0:
            return 0
        while self._begin < end:
            part, begin = min(PART, end - self._begin), np.uint64(self._begin)
            accepted += kernels.switch(
                self.key,
                begin,
                part,
                model.tail,
                self.head,
                model.indptr,
                self.left,
                self.right,
                self._table,
                model.ordered,
                self._proposals[0],
                self._proposals[1],
                self._proposals[2],
                self._bits,
            )
            self._begin += part
        return int(accepted)

    def edges(self) -> tuple[Ids, Ids]:
        """Return the ends of each arc, or of each edge once, in no particular order."""
        if not self._model.directed:
            return self.left, self.right
        return (
            np.concatenate([self._model.tail, self.left, self.right]),
            np.concatenate([self.head, self.right, self.left]),
        )

    def graph(self) -> Graph:
        """Return the current graph."""
        model = self._model
        arcs = Arcs(*self.edges(), len(model.indptr) - 1, model.directed, labels=model.labels)
        return Graph.from_arcs(arcs, threads=1)


def arcs_with_a_reverse(source: Ids, target: Ids) -> NDArray[np.bool_]:
    """Return for each of some sorted arcs whether its reverse is among them."""
    arcs = (source.astype(np.int64) << 32) | target
    back = (target.astype(np.int64) << 32) | source
    if len(arcs) == 0:
        return np.zeros(0, dtype=np.bool_)
    place = np.minimum(np.searchsorted(arcs, back), len(arcs) - 1)
    has_back: NDArray[np.bool_] = arcs[place] == back
    return has_back
