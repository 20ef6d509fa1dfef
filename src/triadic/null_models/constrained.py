"""Random graphs with the degrees of a given graph whose arcs keep their classes, sampled by switching.

The class of an arc is its groups and its bin of length, or its sign.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.draws import derive_keys
from triadic.core.memory import check_memory
from triadic.core.oriented import frozen, starts_of
from triadic.devices.gpu.switching import SwitchableStubs
from triadic.errors import ArgumentError
from triadic.null_models import stub_kernels as kernels
from triadic.null_models.constraints import arc_lengths
from triadic.null_models.dyads import make_dyads
from triadic.null_models.switching import (
    COIN,
    NullModel,
    Walk,
    default_steps,
    ends_of,
    room_for_proposals,
    switch,
    switched_as_edges,
)

if TYPE_CHECKING:
    from triadic.core.array_types import BoolArray, Float64Array, Int32Array, Int64Array, Uint16Array
    from triadic.devices.cpu.intrinsics import Whole
    from triadic.graph.graph import Graph
    from triadic.null_models.constraints import Constraints
    from triadic.null_models.dyads import Dyads

    Ids = Int32Array

_MOST_ARCS = 1 << 30  # an arc's number has 30 bits
_CURVE_BITS = 20  # of each coordinate
# The default number of steps grows by the factor _WANTED / accepted if a trial of _TRIAL steps accepts fewer proposals.
_TRIAL, _WANTED, _MOST_TIMES = 20_000, 0.8, 20
_SHORTEST, _LONGEST = 64, 1 << 12  # round in which a walk visits each section once; in between, a step for each row
_NO_ROWS = np.empty((0, 2), dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ConstrainedSwitching(NullModel, SwitchableStubs):
    """The simple graphs with the degrees and the classes of arcs of a given graph that switching reaches.

    All of them are equally likely in the limit of many steps. Vertices are numbered anew, by group and then along a
    curve through space.

    The stubs are those at the tails of the arcs, by vertex; those at their heads; and two stubs for each edge, or pair
    joined both ways if mutual degrees are kept.

    Attributes
    ----------
    constraints : Constraints
        Groups and bins of length that are kept.
    bins : uint16 array, shape (stubs,)
        Bin of the length of each stub's arc.
    dyads : array of unsigned integers
        The `dyads` of the arcs and edges: a matrix of bits or a hash table.
    steps : int
        Number of steps of the walk to a sample.
    """

    constraints: Constraints
    bins: Uint16Array
    dyads: Dyads
    steps: int

    @classmethod
    def of(
        cls, graph: Graph, constraints: Constraints, *, mutual: bool, steps: int | None = None
    ) -> ConstrainedSwitching:
        """Return the model of a graph, ready for walks that begin at it. O(m log m)."""
        n = graph.num_vertices
        if graph.num_arcs >= _MOST_ARCS:
            raise ArgumentError(
                f"graph: it has {graph.num_arcs:,} arcs; switching with groups or positions takes less than 2**30"
            )
        check_memory(200 * graph.num_arcs, f"switching {graph.num_arcs:,} arcs", "use more memory")
        order = _order(constraints)
        rank = np.empty(n, dtype=np.int32)
        rank[order] = np.arange(n, dtype=np.int32)
        source, target = (ends.astype(np.int32, copy=False) for ends in graph.edges())
        back = switched_as_edges(graph, source, target, mutual=mutual)
        once = back & (source < target)
        tail, head, left, right = rank[source[~back]], rank[target[~back]], rank[source[once]], rank[target[once]]
        group, place = constraints.group[order], np.ascontiguousarray(constraints.place[order])
        stubs = _make_stubs(tail, head, left, right)
        ordered = graph.directed and not mutual
        vertex, groups = stubs[:, 0], max(1, len(constraints.names))
        kind = np.repeat([0, 1, 2], [len(tail), len(tail), 2 * len(left)])
        strata, rows = (
            np.searchsorted(kind * size + number, np.arange(3 * size + 1)).astype(np.int64)
            for size, number in ((groups, group[vertex]), (n, vertex))
        )
        lengths = arc_lengths(place, vertex, stubs[:, 1])
        model = cls(
            stubs,
            len(tail),
            strata,
            rows,
            group,
            place,
            constraints.limits,
            int(len(vertex) // max(1, n)).bit_length(),
            order,
            constraints=constraints,
            bins=np.digitize(lengths, constraints.edges).astype(np.uint16),
            dyads=make_dyads(n, tail, head, left, right, ordered=ordered),
            ordered=ordered,
            directed=graph.directed,
            steps=default_steps(len(tail) + len(left)) if steps is None else steps,
        )
        return model if steps is not None else replace(model, steps=model._default_steps())

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return len(self.group)

    @property
    def kept(self) -> Constraints:
        """Groups and bins of length that arcs keep."""
        return self.constraints

    def _default_steps(self) -> int:
        """Return a number of steps of which about as many are accepted as in a walk without constraints."""
        accepted = self.walk(0).go(_TRIAL) / _TRIAL
        return ceil(self.steps * min(_MOST_TIMES, max(1.0, _WANTED / max(accepted, 1 / _TRIAL))))

    def walk(self, key: int) -> StubWalk:
        """Return a walk that begins at the original graph; its key determines all its draws."""
        return StubWalk(self, key)


class StubWalk(Walk):
    """A random walk over graphs with the same degrees and classes of arcs."""

    _rows: Ids

    def __init__(self, model: ConstrainedSwitching, key: int, stubs: Ids | None = None) -> None:
        """Begin a walk at the original graph, or take the stubs of one that a device has made, for a look at its arcs.

        A walk with stubs of a device cannot be continued.
        """
        super().__init__(model, key)
        self._rows = model.stubs.copy() if stubs is None else stubs.reshape(model.stubs.shape)
        self._bins = model.bins.copy()

    def _make(self, most: int) -> tuple[int, Whole]:
        model = self.model
        layout = kernels.Layout(
            model.arcs, model.strata, model.rows, model.group, model.place, model.limits, model.lowest
        )
        stubs = kernels.Stubs(self._rows, self._bins)
        return most, kernels.walk(self.key, self._begin, most, stubs, layout, self._dyads, model.ordered)

    def _ends(self) -> tuple[Ids, Ids, Ids, Ids]:
        order, arcs = self.model.order, self._rows[: self.model.arcs]
        number = np.arange(2 * len(arcs), len(self._rows))
        edges = self._rows[2 * len(arcs) :]
        once = edges[number < edges[:, 2]]
        left, right = np.empty(len(once), dtype=np.int32), np.empty(len(once), dtype=np.int32)
        at = once[:, 3] & (kernels.MOVED - 1)
        left[at], right[at] = order[once[:, 0]], order[once[:, 1]]
        return order[arcs[:, 0]], order[arcs[:, 1]], left, right

    def moved(self) -> BoolArray:
        """Return whether an accepted proposal took part in each arc, in the order of `edges`."""
        arcs, numbers = self.model.arcs, self._rows[:, 3]
        edge = numbers[2 * arcs :]
        of_edge = np.zeros(len(edge) // 2, dtype=np.bool_)
        of_edge[edge & (kernels.MOVED - 1)] = edge >= kernels.MOVED
        return np.concatenate(
            [numbers[:arcs] >= kernels.MOVED, of_edge, of_edge[slice(None if self.model.directed else 0)]]
        )


def _order(constraints: Constraints) -> Ids:
    """Return the vertices by group, and within a group along a curve through space (Morton 1966)."""
    if not constraints.has_bins:
        return np.argsort(constraints.group, kind="stable").astype(np.int32)
    place = constraints.place - constraints.place.min(axis=0, initial=np.inf)
    extent = place.max(initial=0.0)
    cell = (place * ((1 << _CURVE_BITS) - 1) / extent if extent > 0 else place).astype(np.int64)
    code = np.zeros(len(cell), dtype=np.int64)
    for bit in range(_CURVE_BITS):
        for axis in range(3):
            code |= ((cell[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.lexsort((code, constraints.group)).astype(np.int32)


def _make_stubs(tail: Ids, head: Ids, left: Ids, right: Ids) -> Ids:
    """Return the stubs of arcs and edges: those at tails, at heads and of edges, each part sorted by vertex."""
    arcs, edges = len(tail), len(left)
    vertex = np.concatenate([tail, head, left, right])
    far = np.concatenate([head, tail, right, left])
    number = np.concatenate([np.arange(arcs)] * 2 + [np.arange(edges)] * 2).astype(np.int32)
    first = np.arange(arcs)
    edge = np.arange(2 * arcs, 2 * arcs + edges)
    twin = np.concatenate([first + arcs, first, edge + edges, edge])
    key = (vertex.astype(np.int64) << 32) | far
    parts = (slice(0, arcs), slice(arcs, 2 * arcs), slice(2 * arcs, None))
    order = np.concatenate([part.start + np.argsort(key[part]) for part in parts])
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    stubs = np.stack([vertex[order], far[order], rank[twin[order]], number[order]], axis=1).astype(np.int32)
    stubs[:arcs, 3] = np.arange(arcs)
    return np.ascontiguousarray(stubs)


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
        Whether the ends of an edge are alike: ``COIN``, or 0 for pairs whose first arc is positive and whose
        second arc is negative.
    """

    rows: Ids
    indptr: Int64Array
    are_arcs: bool
    coin: np.uint64


@dataclass(frozen=True, slots=True, eq=False)
class SignedSwitching(NullModel):
    """The simple graphs whose vertices have as many positive and as many negative arcs as in a given graph.

    Arcs exchange ends with arcs of their sign, so that each vertex keeps its positive and its negative out- and
    in-degree; if mutual degrees are kept, pairs joined both ways exchange ends with pairs of the same two signs. If
    arcs exchanged ends without regard to signs, some would lead from a vertex whose arcs out are all positive to one
    whose arcs in are all negative, and no placement of the weights would keep the strengths of both.
    All graphs that the walk reaches are equally likely.

    Attributes
    ----------
    num_vertices : int
        Number of vertices.
    sections : tuple of Section
    dyads : array of unsigned integers
        The `dyads` of all sections.
    ordered, directed : bool
        Whether the two arcs of a pair joined both ways are arcs of their own; whether the graph is directed.
    steps : int
        Number of steps of the walk to a sample.

    References
    ----------
    M. Rubinov and O. Sporns, *Weight-conserving characterization of complex functional brain networks*, NeuroImage 56,
    2068-2079, 2011.
    """

    num_vertices: int
    sections: tuple[Section, ...]
    dyads: Dyads
    ordered: bool
    directed: bool
    steps: int

    @classmethod
    def of(cls, graph: Graph, weights: Float64Array, *, mutual: bool, steps: int | None) -> SignedSwitching:
        """Return the model of a graph, of which `weights` are the weights of ``graph.edges()``. O(m log m)."""
        n, (source, target) = graph.num_vertices, ends_of(graph)
        positive = weights >= 0
        back = switched_as_edges(graph, source, target, mutual=mutual)
        parts = [(~back & (positive == sign), True, COIN) for sign in (True, False)]
        if mutual:
            arcs = (source.astype(np.int64) << 32) | target
            place = np.searchsorted(arcs, (target.astype(np.int64) << 32) | source)
            answer = positive[np.minimum(place, len(arcs) - 1)]  # the sign of the other arc of a pair
            once = back & (source < target)
            parts += [(once & (positive == sign) & (answer == sign), False, COIN) for sign in (True, False)]
            parts += [(back & positive & ~answer, False, np.uint64(0))]
        else:
            parts += [(back & (positive == sign), False, COIN) for sign in (True, False)]
        rows = np.stack([source, target], axis=1)
        sections = tuple(_section(n, rows[mask], are_arcs, coin) for mask, are_arcs, coin in parts if mask.any())
        ordered = graph.directed and not mutual
        dyads = make_dyads(n, *_ends(sections, [section.rows for section in sections]), ordered=ordered)
        if steps is None:
            steps = default_steps(sum(len(section.rows) for section in sections))
        return cls(n, sections, dyads, ordered, graph.directed, steps)

    def walk(self, key: int) -> SignedWalk:
        """Return a walk that begins at the original graph; its key determines all its draws."""
        return SignedWalk(self, key)


class SignedWalk(Walk):
    """A random walk over graphs with the same degrees of each sign.

    Its steps are in rounds, each of which visits the sections one after another, for a number of steps in proportion to
    their rows.
    """

    _rows: list[Ids]

    def __init__(self, model: SignedSwitching, key: int) -> None:
        super().__init__(model, key)
        self._rows = [section.rows.copy() for section in model.sections]
        self._keys = derive_keys(int(key), len(self._rows))
        sizes = np.array([len(rows) for rows in self._rows], dtype=np.int64)
        rows = int(sizes.sum())
        self._bounds = starts_of(np.maximum(1, min(max(_SHORTEST, rows), _LONGEST) * sizes // max(1, rows)))
        self._proposals = room_for_proposals()

    def _make(self, most: int) -> tuple[int, Whole]:
        rounds, at = divmod(self._begin, int(self._bounds[-1]))
        number = int(np.searchsorted(self._bounds, at, side="right")) - 1
        first, last = int(self._bounds[number]), int(self._bounds[number + 1])
        section, rows = self.model.sections[number], self._rows[number]
        steps = min(last - at, most)
        taken = switch(
            self._keys[number],
            np.uint64(rounds * (last - first) + at - first),
            steps,
            rows.reshape(-1),
            np.uint64(len(rows) if section.are_arcs else 0),
            section.indptr,
            self._dyads,
            self.model.ordered,
            section.coin,
            *self._proposals,
        )
        return steps, taken

    def _ends(self) -> tuple[Ids, Ids, Ids, Ids]:
        return _ends(self.model.sections, self._rows)


def _section(n: int, rows: Ids, are_arcs: bool, coin: np.uint64) -> Section:
    indptr = starts_of(np.bincount(rows[:, 0] if are_arcs else _NO_ROWS[:, 0], minlength=n))
    return Section(np.ascontiguousarray(rows), frozen(indptr), are_arcs, coin)


def _ends(sections: tuple[Section, ...], rows: list[Ids]) -> tuple[Ids, Ids, Ids, Ids]:
    """Return tails and heads of the rows of arcs, and left and right ends of the other rows."""
    arcs, edges = (
        np.concatenate(
            [_NO_ROWS, *(own for own, section in zip(rows, sections, strict=True) if section.are_arcs == kind)]
        )
        for kind in (True, False)
    )
    tail, head, left, right = (np.ascontiguousarray(each[:, end]) for each in (arcs, edges) for end in (0, 1))
    return tail, head, left, right
