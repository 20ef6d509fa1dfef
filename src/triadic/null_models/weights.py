"""Weights of random graphs: they travel with arcs, are shuffled, or keep the strengths of vertices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.draws import derive_keys
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph
from triadic.null_models.annealing_kernels import add_strengths, anneal
from triadic.null_models.constrained import ConstrainedSwitching
from triadic.null_models.gnm import Gnm
from triadic.null_models.signed import SignedSwitching
from triadic.null_models.switching import Switching
from triadic.null_models.switching_kernels import shuffle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.null_models.interface import NullModel, Walk

    Ids = NDArray[np.int32]

WEIGHTS = ("keep", "shuffle", "strength")
TOLERANCE = 0.05  # default
_RANKINGS = 10  # rounds in which weights are placed by rank
_SWEEPS, _COOLING = 400, 0.97  # of annealing
_WARM, _HOT = 0.02, 4.0  # temperatures after a placement by rank or at random, in variances of the weights


@dataclass(frozen=True, slots=True, eq=False)
class Weighted:
    """A null model whose samples have the weights of the graph.

    Attributes
    ----------
    model : Switching, SignedSwitching, ConstrainedSwitching or Gnm
        Distribution of the graph without weights.
    how : {"keep", "shuffle", "strength"}
        How the weights are placed.
    weights : float64 array
        Weight of each arc, or of each edge once, in the order of the edges of the model's walks.
    strengths : float64 array, shape (n, 4)
        Strengths of the vertices: of positive weights out and in, and of negative weights out and in.
    tolerance : float
        Largest sum of all deviations from the strengths, as a share of the sum of all strengths.
    """

    model: Switching | SignedSwitching | ConstrainedSwitching | Gnm
    how: str
    weights: NDArray[np.float64]
    strengths: NDArray[np.float64]
    tolerance: float

    @classmethod
    def of(cls, graph: Graph, model: NullModel, how: str, tolerance: float) -> Weighted:
        """Return the model with the weights of a graph.

        Raises
        ------
        ArgumentError
            `how` is unknown, the graph has no weights, or the model has no arc for each weight.
        """
        if how not in WEIGHTS:
            raise ArgumentError(f"weights={how!r}: expected 'keep', 'shuffle' or 'strength'")
        if not graph.is_weighted:
            raise ArgumentError(f"weights={how!r}: the graph has no weights; give them to Graph or read with weights=")
        if not isinstance(model, Switching | SignedSwitching | ConstrainedSwitching | Gnm):
            raise ArgumentError(
                f"weights={how!r}: null='configuration' erases edges, so that weights are left over; expected "
                "null='degrees', 'mutual' or 'gnm'"
            )
        if isinstance(model, Gnm):
            if how != "shuffle":
                raise ArgumentError(f"weights={how!r}: samples of null='gnm' have other edges; expected 'shuffle'")
            source, target = (ends.astype(np.int32) for ends in graph.edges())
        else:
            source, target = model.walk(0).edges()
        weights = _weights_of(graph, source, target)
        strengths = np.zeros((graph.num_vertices, 4))
        add_strengths(source, target, weights, graph.directed, strengths)
        return cls(model, how, weights, strengths, tolerance)

    @property
    def steps(self) -> int | None:
        """Number of steps of the walk to a sample; None if samples are drawn directly."""
        return self.model.steps

    def draw(self, key: int) -> tuple[Graph, bool]:
        """Return the sample of a key, and whether it can differ from the graph."""
        if isinstance(self.model, Gnm):
            drawn, moved = self.model.draw(key)
            source, target = (ends.astype(np.int32) for ends in drawn.edges())
            return self._graph(source, target, key), moved
        walk = self.model.walk(key)
        moved = walk.go(self.model.steps) > 0
        return self._graph(*walk.edges(), key), moved

    def walk(self, key: int) -> WeightedWalk:
        """Return a walk that begins at the original graph; its key determines all its draws."""
        assert not isinstance(self.model, Gnm)  # noqa: S101 - samples without walks have none
        return WeightedWalk(self, self.model.walk(key), key)

    def admits_change(self, key: int) -> bool:
        """Return whether another graph is known, or the same one with other weights."""
        return self.model.admits_change(key) or (self.how != "keep" and bool((self.weights != self.weights[:1]).any()))

    def _graph(self, source: Ids, target: Ids, key: int) -> Graph:
        weights = self._placed(source, target, int(derive_keys(key, 1)[0]))
        arcs = Arcs(source, target, len(self.strengths), self.model.directed, weights, self.model.labels)
        return Graph.from_arcs(arcs, threads=1)

    def _placed(self, source: Ids, target: Ids, key: int) -> NDArray[np.float64]:
        """Return the weight of each arc of a sample."""
        if self.how == "keep":
            return self.weights
        if self.how == "strength":
            weights = self._ranked(source, target, key) if self._ranks else _permuted(self.weights, key)
            self._anneal(source, target, weights, np.uint64(int(derive_keys(key, 1)[0])))
            return weights
        return _permuted(self.weights, key)

    def _ranked(self, source: Ids, target: Ids, key: int) -> NDArray[np.float64]:
        """Place the weights of each sign by rank: the larger, the larger the strengths of an arc's ends.

        In each of some rounds, the free arcs are ranked by the product of the strengths that their ends still lack, and
        a random part of the arcs gets the weights of their ranks (Rubinov and Sporns 2011).
        """
        into = 1 if self.model.directed else 0
        weights = np.empty_like(self.weights)
        for sign, own in ((1, int(derive_keys(key, 2)[0])), (-1, int(derive_keys(key, 2)[1]))):
            free = _permuted(np.flatnonzero((self.weights < 0) == (sign < 0)), own)
            sizes = np.sort(np.abs(self.weights[free]))
            column = 0 if sign > 0 else 2
            lacking = np.abs(self.strengths[:, column : column + 2])
            for rounds in range(_RANKINGS, 0, -1):
                out, inward = lacking[source[free], 0], lacking[target[free], into]
                rank = np.empty(len(free), dtype=np.int64)
                rank[np.argsort(np.maximum(out, 0) * np.maximum(inward, 0), kind="stable")] = np.arange(len(free))
                part = -(-len(free) // rounds)
                now, chosen = free[:part], rank[:part]
                weights[now] = sign * sizes[chosen]
                for side, ends in ((0, source), (into, target)):
                    lacking[:, side] -= np.bincount(ends[now], sizes[chosen], len(lacking))
                free, sizes = free[part:], np.delete(sizes, chosen)
        return weights

    @property
    def _ranks(self) -> bool:
        """Whether weights are placed by rank before they are exchanged: if it is known where those of a sign go."""
        return self._keeps_signs or not ((self.weights < 0).any() and (self.weights > 0).any())

    @property
    def _keeps_signs(self) -> bool:
        """Whether each arc has the sign of the arc that became it, because the model keeps degrees of each sign."""
        return isinstance(self.model, SignedSwitching)

    def _anneal(self, source: Ids, target: Ids, weights: NDArray[np.float64], key: np.uint64) -> None:
        """Exchange weights, in place, until the strengths are within the tolerance."""
        directed, whole = self.model.directed, float(np.abs(self.strengths).sum())
        temperature = (_WARM if self._ranks else _HOT) * float(weights.var()) if len(weights) else 0.0
        found = np.inf
        for sweep in range(_SWEEPS):
            off = -self.strengths
            add_strengths(source, target, weights, directed, off)
            found = float(np.abs(off).sum()) / whole if whole > 0 else 0.0
            if found <= self.tolerance:
                return
            begin = np.uint64(sweep * len(weights))
            anneal(key, begin, len(weights), temperature, source, target, weights, directed, self._keeps_signs, off)
            temperature *= _COOLING
        signs = ""
        if not self._ranks:
            signs = (
                "; within groups= and positions= a vertex does not keep its numbers of positive and of negative arcs, "
                "so that small tolerances are often out of reach"
            )
        raise ArgumentError(
            f"tolerance={self.tolerance}: the strengths of a sample differ by {found:.3g} of their sum after "
            f"{_SWEEPS} exchanges per weight; expected a larger tolerance, or weights='shuffle'{signs}"
        )


class WeightedWalk:
    """A random walk over graphs with weights."""

    __slots__ = ("_key", "_model", "_walk")

    def __init__(self, model: Weighted, walk: Walk, key: int) -> None:
        self._model, self._walk, self._key = model, walk, key

    def go(self, steps: int) -> int:
        """Make `steps` steps more and return the number of accepted proposals."""
        return self._walk.go(steps)

    def edges(self) -> tuple[Ids, Ids]:
        """Return the ends of each arc, or of each edge once, each at the place of the arc that became it."""
        return self._walk.edges()

    def moved(self) -> NDArray[np.bool_]:
        """Return whether an accepted proposal took part in each arc, in the order of `edges`."""
        return self._walk.moved()  # type: ignore[attr-defined] # of constrained models

    def graph(self) -> Graph:
        """Return the current graph, with weights."""
        return self._model._graph(*self._walk.edges(), self._key)  # noqa: SLF001 - of the same module


def has_both_signs(graph: Graph) -> bool:
    """Return whether the graph has weights, some of them positive and some negative."""
    return graph.weights is not None and bool((graph.weights < 0).any() and (graph.weights > 0).any())


def edge_weights(graph: Graph) -> NDArray[np.float64]:
    """Return the weights of ``graph.edges()``."""
    return _weights_of(graph, *(ends.astype(np.int32) for ends in graph.edges()))


def _permuted(values: NDArray[Any], key: int) -> NDArray[Any]:
    """Return values in another order, which a key determines."""
    order = np.arange(len(values), dtype=np.int32)
    shuffle(np.uint64(key), order)
    return values[order]


def _weights_of(graph: Graph, source: Ids, target: Ids) -> NDArray[np.float64]:
    """Return the weights of arcs of the graph."""
    assert graph.weights is not None  # noqa: S101 - checked by the caller
    row = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    keys = (row << 32) | graph.indices
    return graph.weights[np.searchsorted(keys, (source.astype(np.int64) << 32) | target)]
