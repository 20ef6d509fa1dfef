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
from triadic.null_models.dyad_table import MOST_VERTICES
from triadic.null_models.dyads import copy_dyads, make_dyads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.null_models.dyads import Dyads

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
    dyads : array of unsigned integers
        The `dyads` of these arcs and edges: a matrix of bits or a hash table.
    ordered : bool
        Whether the two arcs of a pair joined both ways are arcs of their own.
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
    dyads: Dyads
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
        ordered = graph.directed and not mutual
        if ordered:
            tail, head, indptr = source, target, graph.indptr
            left = right = np.empty(0, dtype=np.int32)
        else:
            back = arcs_with_a_reverse(source, target) if mutual else np.ones(len(source), dtype=np.bool_)
            once = back & (source < target)
            tail, head, left, right = source[~back], target[~back], source[once], target[once]
            indptr = np.concatenate([[0], np.cumsum(np.bincount(tail, minlength=n))])
            indptr.flags.writeable = False  # as that of a graph: kernels are compiled for one or the other
        dyads = make_dyads(n, tail, head, left, right, ordered=ordered)
        if steps is None:
            steps = max(STEPS_AN_EDGE * (len(tail) + len(left)), LEAST_STEPS)
        return cls(tail, head, indptr, left, right, dyads, ordered, graph.directed, steps, graph.labels)

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return len(self.indptr) - 1

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

    __slots__ = ("_begin", "_dyads", "_ends", "_model", "_proposals", "key")

    def __init__(self, model: Switching, key: int) -> None:
        self._model, self.key, self._begin = model, np.uint64(key), 0
        arcs = len(model.tail)
        self._ends = np.empty((arcs + len(model.left), 2), dtype=np.int32)
        self._ends[:arcs, 0], self._ends[:arcs, 1] = model.tail, model.head
        self._ends[arcs:, 0], self._ends[arcs:, 1] = model.left, model.right
        self._dyads = copy_dyads(model.dyads)
        self._proposals = np.zeros((3, kernels.RING * kernels.AHEAD), dtype=np.uint64)

    def go(self, steps: int) -> int:
        """Make `steps` steps more and return the number of accepted proposals; a walk may be split in any way."""
        model, accepted = self._model, 0
        end, arcs = self._begin + steps, np.uint64(len(model.tail))
        if len(self._ends) == 0:
            return 0
        while self._begin < end:
            part, begin = min(PART, end - self._begin), np.uint64(self._begin)
            accepted += kernels.switch(
                self.key,
                begin,
                part,
                self._ends.reshape(-1),
                arcs,
                model.indptr,
                self._dyads,
                model.ordered,
                kernels.COIN,
                *self._proposals,
            )
            self._begin += part
        return int(accepted)

    def edges(self) -> tuple[Ids, Ids]:
        """Return the ends of each arc, or of each edge once, in no particular order."""
        source, target = self._ends[:, 0], self._ends[:, 1]
        if not self._model.directed:
            return source.copy(), target.copy()
        edges = slice(len(self._model.tail), None)
        return np.concatenate([source, target[edges]]), np.concatenate([target, source[edges]])

    def graph(self) -> Graph:
        """Return the current graph."""
        model = self._model
        arcs = Arcs(*self.edges(), model.num_vertices, model.directed, labels=model.labels)
        return Graph.from_arcs(arcs, threads=1)


def arcs_with_a_reverse(source: Ids, target: Ids) -> NDArray[np.bool_]:
    """Return for each of some sorted arcs whether its reverse is among them."""
    arcs = (source.astype(np.int64) << 32) | target
    back = (target.astype(np.int64) << 32) | source
    if len(arcs) == 0:
        return np.zeros(0, dtype=np.bool_)
    place = np.minimum(np.searchsorted(arcs, back), len(arcs) - 1)
    return arcs[place] == back
