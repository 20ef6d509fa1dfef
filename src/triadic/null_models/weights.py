"""Weights of random graphs: they travel with arcs, are shuffled, or keep the strengths of vertices.

Strengths are kept by annealing:

Computes: exchanges of the weights of two arcs, one random proposal after another, at falling temperatures.
Requires: `off`, shape (n, 4): how far each vertex is above the strengths that it should have: of its positive weights
  out and in, and of its negative weights out and in. In an undirected graph both ends count as out.
Idea: simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983). The energy is the sum of the squares of `off`; a
  proposal that lowers it is accepted, and one that raises it by e is accepted with probability exp(-e / temperature).
Cost: about 100 ns per proposal.

References
----------
M. Rubinov and O. Sporns, *Weight-conserving characterization of complex functional brain networks*, NeuroImage 56,
2068-2079, 2011: null models with the degrees, the weights and, nearly, the strengths, of each sign.
S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, *Optimization by simulated annealing*, Science 220, 671-680, 1983.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, PROBABILITY_SHIFT, below, derive_keys, mix
from triadic.core.oriented import inverse, rows_of_entries
from triadic.core.records import record
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph
from triadic.null_models.switching import NullModel, SignedSwitching, ends_of, shuffle

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Float64Array, Int32Array
    from triadic.devices.cpu.intrinsics import Whole
    from triadic.null_models.constraints import Constraints
    from triadic.null_models.switching import Walk

    Ids = Int32Array

WEIGHTS = ("keep", "shuffle", "strength")
TOLERANCE = 0.05  # default
_RANKINGS = 10  # rounds in which weights are placed by rank
_SWEEPS, _COOLING = 400, 0.97  # of annealing
_WARM, _HOT = 0.02, 4.0  # temperatures after a placement by rank or at random, in variances of the weights
_3 = np.uint64(3)
_UNIT = 2.0**-53


@record
class Weighted(NullModel):
    """A null model whose samples have the weights of the graph.

    Attributes
    ----------
    model : Switching, SignedSwitching, ConstrainedSwitching or Drawn
        Distribution of the graph without weights.
    how : {"keep", "shuffle", "strength"}
        How the weights are placed.
    weights : float64 array
        Weight of each arc, or of each edge once, in the order of the edges of the model's walks.
    strengths : float64 array, shape (n, 4)
        Strengths of the vertices: of positive weights out and in, and of negative weights out and in.
    tolerance : float
        Largest sum of all deviations from the strengths, as a share of the sum of all strengths.
    directed : bool
        Whether the graph is directed.
    steps : int or None
        Number of steps of the walk to a sample; None if samples are drawn directly.
    """

    model: NullModel
    how: str
    weights: Float64Array
    strengths: Float64Array
    tolerance: float
    directed: bool
    steps: int | None

    @classmethod
    def of(cls, graph: Graph, model: NullModel, how: str, tolerance: float) -> Weighted:
        """Return the model with the weights of a graph, one for each arc of a model without weights."""
        source, target = ends_of(graph) if model.steps is None else model.walk(0).edges()
        assert graph.weights is not None  # noqa: S101 - checked by the caller
        keys = (rows_of_entries(graph.indptr) << 32) | graph.indices
        weights = graph.weights[np.searchsorted(keys, (source.astype(np.int64) << 32) | target)]
        strengths = np.zeros((graph.num_vertices, 4))
        add_strengths(source, target, weights, graph.directed, strengths)
        return cls(model, how, weights, strengths, tolerance, graph.directed, model.steps)

    @property
    def kept(self) -> Constraints | None:
        """Groups and bins of length that arcs keep; None if they keep none."""
        return self.model.kept

    def walk(self, key: int) -> Walk:
        """Return a walk that begins at the original graph; its key determines all its draws."""
        walk = self.model.walk(key)
        walk.weigh = self._placed
        return walk

    def draw(self, key: int, show: Callable[[Walk], object] | None = None) -> tuple[Graph, bool]:
        """Return the sample of a key, and whether it can differ from the graph."""
        if self.steps is not None:
            return NullModel.draw(self, key, show)
        drawn, moved = self.model.draw(key)
        source, target = ends_of(drawn)
        weights = self._placed(source, target, key)
        arcs = Arcs(source, target, len(self.strengths), self.directed, weights)
        return Graph.from_arcs(arcs, threads=1), moved

    def admits_change(self, key: int) -> bool:
        """Return whether another graph is known, or the same one with other weights."""
        return self.model.admits_change(key) or (self.how != "keep" and bool((self.weights != self.weights[:1]).any()))

    def _placed(self, source: Ids, target: Ids, key: int) -> Float64Array:
        """Return the weight of each arc of the sample of a key."""
        if self.how == "keep":
            return self.weights
        key = int(derive_keys(key, 1)[0])
        strength = self.how == "strength"
        weights = self._ranked(source, target, key) if strength and self._ranks else _permuted(self.weights, key)
        if strength:
            self._anneal(source, target, weights, derive_keys(key, 1)[0])
        return weights

    def _ranked(self, source: Ids, target: Ids, key: int) -> Float64Array:
        """Place the weights of each sign by rank: the larger, the larger the strengths of an arc's ends.

        In each of some rounds, the free arcs are ranked by the product of the strengths that their ends still lack, and
        a random part of the arcs gets the weights of their ranks (Rubinov and Sporns 2011).
        """
        into = 1 if self.directed else 0
        weights = np.empty_like(self.weights)
        for sign, own in zip((1, -1), derive_keys(key, 2), strict=True):
            free = _permuted(np.flatnonzero((self.weights < 0) == (sign < 0)), own)
            sizes = np.sort(np.abs(self.weights[free]))
            column = 0 if sign > 0 else 2
            lacking = np.abs(self.strengths[:, column : column + 2])
            for rounds in range(_RANKINGS, 0, -1):
                out, inward = lacking[source[free], 0], lacking[target[free], into]
                rank = inverse(np.argsort(np.maximum(out, 0) * np.maximum(inward, 0), kind="stable"))
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
        return self._keeps_signs or not has_both_signs(self.weights)

    @property
    def _keeps_signs(self) -> bool:
        """Whether each arc has the sign of the arc that became it, because the model keeps degrees of each sign."""
        return isinstance(self.model, SignedSwitching)

    def _anneal(self, source: Ids, target: Ids, weights: Float64Array, key: np.uint64) -> None:
        """Exchange weights, in place, until the strengths are within the tolerance."""
        directed, whole = self.directed, float(np.abs(self.strengths).sum())
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
            f"{_SWEEPS} exchanges per weight; expected a larger tolerance, or keep_weights='shuffle'{signs}"
        )


def has_both_signs(weights: Float64Array | None) -> bool:
    """Return whether there are weights, some of them positive and some negative."""
    return weights is not None and bool((weights < 0).any() and (weights > 0).any())


def _permuted(values: AnyArray, key: int | np.uint64) -> AnyArray:
    """Return values in another order, which a key determines."""
    order = np.arange(len(values), dtype=np.int32)
    shuffle(np.uint64(key), order)
    return values[order]


@kernel
def add_strengths(source: Ids, target: Ids, weights: Float64Array, directed: bool, off: Float64Array) -> None:
    """Add the strengths that some weights make to `off`."""
    into = 1 if directed else 0
    for i in range(weights.size):
        sign = 0 if weights[i] >= 0 else 2
        off[source[i], sign] += weights[i]
        off[target[i], sign + into] += weights[i]


@kernel
def anneal(
    key: np.uint64,
    begin: np.uint64,
    proposals: Whole,
    temperature: float,
    source: Ids,
    target: Ids,
    weights: Float64Array,
    directed: bool,
    within_signs: bool,
    off: Float64Array,
) -> None:
    """Make a number of proposals from number `begin` of the draws of a key, in place.

    With `within_signs`, a positive and a negative weight are never exchanged.
    """
    into = 1 if directed else 0
    counter = key + _3 * begin * GOLDEN
    for _ in range(proposals):
        i = np.int64(below(mix(counter), np.uint64(weights.size)))
        j = np.int64(below(mix(counter + GOLDEN), np.uint64(weights.size)))
        chance = np.float64(np.int64(mix(counter + GOLDEN + GOLDEN) >> PROBABILITY_SHIFT)) * _UNIT
        counter += _3 * GOLDEN
        x, y = weights[i], weights[j]
        if x == y or (within_signs and (x < 0) != (y < 0)):
            continue
        rise = _replace(off, source[i], target[i], x, y, into) + _replace(off, source[j], target[j], y, x, into)
        if rise <= 0.0 or chance < exp(-rise / temperature):
            weights[i], weights[j] = y, x
        else:
            _replace(off, source[j], target[j], x, y, into)
            _replace(off, source[i], target[i], y, x, into)


@kernel
def _replace(off: Float64Array, u: Whole, v: Whole, old: float, new: float, into: int) -> float:
    """Replace the weight of an arc from u to v; return the rise in energy."""
    rise = 0.0
    for value, factor in ((old, -1.0), (new, 1.0)):
        sign = 0 if value >= 0 else 2
        for vertex, side in ((u, sign), (v, sign + into)):
            change = factor * value
            rise += change * (2.0 * off[vertex, side] + change)
            off[vertex, side] += change
    return rise
