"""Random graphs with the degrees of a given graph of positive and negative weights, for each sign by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.draws import derive_keys
from triadic.core.memory import check_memory
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph
from triadic.null_models import switching_kernels as kernels
from triadic.null_models.dyad_table import MOST_VERTICES
from triadic.null_models.dyads import copy_dyads, make_dyads
from triadic.null_models.switching import LEAST_STEPS, STEPS_AN_EDGE, arcs_with_a_reverse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.null_models.dyads import Dyads

    Ids = NDArray[np.int32]

_SHORTEST, _LONGEST = 64, 1 << 12  # round in which a walk visits each section once; in between, a step for each row
_NO_ROWS = np.empty((0, 2), dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """Arcs or edges of one sign, which exchange ends with one another only.

    Attributes
    ----------
    rows : int32 array, shape (rows, 2)
        Tail and head of each arc, sorted by tail; or the two ends of each edge.
    indptr : int64 array, shape (n + 1,)
        Start of the arcs of each tail; zeros for edges.
    are_arcs : bool
        Whether the rows are arcs. If not, they are edges of an undirected graph, or pairs of arcs both ways.
    coin : uint64
        Whether the ends of an edge are alike: ``kernels.COIN``, or 0 for pairs whose first arc is positive and whose
        second arc is negative.
    """

    rows: Ids
    indptr: NDArray[np.int64]
    are_arcs: bool
    coin: np.uint64


@dataclass(frozen=True, slots=True, eq=False)
class SignedSwitching:
    """The simple graphs whose vertices have as many positive and as many negative arcs as in a given graph.

    Arcs exchange ends with arcs of their sign, so that each vertex keeps its positive and its negative out- and
    in-degree; if mutual degrees are kept, pairs joined both ways exchange ends with pairs of the same two signs. If
    arcs exchanged ends without regard to signs, some would lead from a vertex whose arcs out are all positive to one
    whose arcs in are all negative, and no placement of the weights would keep the strengths of both.
    All graphs that the walk reaches are equally likely.

    Attributes
    ----------
    vertices : int
        Number of vertices.
    sections : tuple of Section
    dyads : array of unsigned integers
        The `dyads` of all sections.
    ordered, directed : bool
        Whether the two arcs of a pair joined both ways are arcs of their own; whether the graph is directed.
    steps : int
        Number of steps of the walk to a sample.
    labels : array, optional
        Labels of the vertices, which samples keep.

    References
    ----------
    M. Rubinov and O. Sporns, *Weight-conserving characterization of complex functional brain networks*, NeuroImage 56,
    2068-2079, 2011.
    """

    vertices: int
    sections: tuple[Section, ...]
    dyads: Dyads
    ordered: bool
    directed: bool
    steps: int
    labels: NDArray[Any] | None = None

    @classmethod
    def of(cls, graph: Graph, weights: NDArray[np.float64], *, mutual: bool, steps: int | None) -> SignedSwitching:
        """Return the model of a graph, of which `weights` are the weights of ``graph.edges()``. O(m log m)."""
        n = graph.num_vertices
        if n > MOST_VERTICES:
            raise ArgumentError(f"graph: it has {n:,} vertices; switching takes at most {MOST_VERTICES:,}")
        check_memory(100 * graph.num_arcs, f"switching {graph.num_arcs:,} arcs", "use more memory")
        source, target = (ends.astype(np.int32, copy=False) for ends in graph.edges())
        positive = weights >= 0
        back = arcs_with_a_reverse(source, target) if mutual else np.full(len(source), not graph.directed)
        rows = np.stack([source, target], axis=1)
        parts = [(rows[~back & (positive == sign)], True, kernels.COIN) for sign in (True, False)]
        if mutual:
            arcs = (source.astype(np.int64) << 32) | target
            place = np.searchsorted(arcs, (target.astype(np.int64) << 32) | source)
            answer = positive[np.minimum(place, len(arcs) - 1)]  # the sign of the other arc of a pair
            once = back & (source < target)
            parts += [(rows[once & positive & answer], False, kernels.COIN)]
            parts += [(rows[once & ~positive & ~answer], False, kernels.COIN)]
            parts += [(rows[back & positive & ~answer], False, np.uint64(0))]
        else:
            parts += [(rows[back & (positive == sign)], False, kernels.COIN) for sign in (True, False)]
        sections = tuple(_section(n, *part) for part in parts if len(part[0]))
        ordered = graph.directed and not mutual
        of_arcs, of_edges = (_joined(sections, are_arcs=are_arcs) for are_arcs in (True, False))
        dyads = make_dyads(n, *of_arcs, *of_edges, ordered=ordered)
        if steps is None:
            steps = max(STEPS_AN_EDGE * sum(len(section.rows) for section in sections), LEAST_STEPS)
        return cls(n, sections, dyads, ordered, graph.directed, steps, graph.labels)

    def draw(self, key: int) -> tuple[Graph, bool]:
        """Return the graph at which the walk of a key ends, and whether any proposal was accepted."""
        walk = self.walk(key)
        accepted = walk.go(self.steps)
        return walk.graph(), accepted > 0

    def walk(self, key: int) -> SignedWalk:
        """Return a walk that begins at the original graph; its key determines all its draws."""
        return SignedWalk(self, key)

    def admits_change(self, key: int) -> bool:
        """Return whether a walk of at least 10,000 steps accepts any proposal."""
        return self.walk(key).go(max(self.steps, LEAST_STEPS)) > 0


class SignedWalk:
    """A random walk over graphs: the current graph and the number of steps made.

    Its steps are in rounds, each of which visits the sections one after another, for a number of steps in proportion to
    their rows.
    """

    __slots__ = ("_begin", "_bounds", "_dyads", "_keys", "_model", "_proposals", "_rows", "key")

    def __init__(self, model: SignedSwitching, key: int) -> None:
        self._model, self.key, self._begin = model, np.uint64(key), 0
        self._rows = [section.rows.copy() for section in model.sections]
        self._dyads = copy_dyads(model.dyads)
        self._keys = derive_keys(int(key), len(self._rows))
        sizes = np.array([len(rows) for rows in self._rows], dtype=np.int64)
        rows = int(sizes.sum())
        lengths = np.maximum(1, min(max(_SHORTEST, rows), _LONGEST) * sizes // max(1, rows))
        self._bounds = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self._proposals = np.zeros((3, kernels.RING * kernels.AHEAD), dtype=np.uint64)

    def go(self, steps: int) -> int:
        """Make `steps` steps more and return the number of accepted proposals; a walk may be split in any way."""
        if not self._rows:
            return 0
        accepted, end = 0, self._begin + steps
        while self._begin < end:
            rounds, at = divmod(self._begin, int(self._bounds[-1]))
            number = int(np.searchsorted(self._bounds, at, side="right")) - 1
            first, last = int(self._bounds[number]), int(self._bounds[number + 1])
            section, rows = self._model.sections[number], self._rows[number]
            part = min(last - at, end - self._begin)
            accepted += kernels.switch(
                self._keys[number],
                np.uint64(rounds * (last - first) + at - first),
                part,
                rows.reshape(-1),
                np.uint64(len(rows) if section.are_arcs else 0),
                section.indptr,
                self._dyads,
                self._model.ordered,
                section.coin,
                *self._proposals,
            )
            self._begin += part
        return int(accepted)

    def edges(self) -> tuple[Ids, Ids]:
        """Return the ends of each arc, or of each edge once, each at the place of the arc that became it."""
        return _ends(self._model, self._rows)

    def graph(self) -> Graph:
        """Return the current graph."""
        model = self._model
        return Graph.from_arcs(Arcs(*self.edges(), model.vertices, model.directed, labels=model.labels), threads=1)


def _section(n: int, rows: Ids, are_arcs: bool, coin: np.uint64) -> Section:
    indptr = np.zeros(n + 1, dtype=np.int64)
    if are_arcs:
        np.cumsum(np.bincount(rows[:, 0], minlength=n), out=indptr[1:])
    return Section(np.ascontiguousarray(rows), indptr, are_arcs, coin)


def _joined(sections: tuple[Section, ...], *, are_arcs: bool) -> tuple[Ids, Ids]:
    """Return the ends of all arcs, or of all edges."""
    ends = np.concatenate([_NO_ROWS, *(each.rows for each in sections if each.are_arcs == are_arcs)]).T
    return np.ascontiguousarray(ends[0]), np.ascontiguousarray(ends[1])


def _ends(model: SignedSwitching, rows: list[Ids]) -> tuple[Ids, Ids]:
    """Return the ends of the arcs of all rows: one way for arcs and undirected edges, both ways for pairs."""
    both = [each for each, section in zip(rows, model.sections, strict=True) if model.directed and not section.are_arcs]
    ends = np.concatenate([_NO_ROWS, *rows, *(each[:, ::-1] for each in both)]).T
    return np.ascontiguousarray(ends[0]), np.ascontiguousarray(ends[1])
