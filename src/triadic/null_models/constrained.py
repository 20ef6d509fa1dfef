"""Random graphs with the degrees of a given graph whose arcs keep their classes, sampled by switching.

The class of an arc is its groups and its bin of length, or its sign.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import check_memory
from triadic.core.oriented import frozen, inverse, starts_of
from triadic.core.records import record
from triadic.devices.gpu.switching import SwitchableStubs
from triadic.errors import ArgumentError
from triadic.null_models import stub_kernels as kernels
from triadic.null_models.constraints import arc_lengths
from triadic.null_models.switching import (
    COIN,
    NullModel,
    Section,
    Walk,
    ends_of,
    fields_of,
    joined_ends,
    parts_of,
    reverse_places,
    switched_as_edges,
)

if TYPE_CHECKING:
    from triadic.core.array_types import BoolArray, Float64Array, Int32Array, Uint16Array
    from triadic.devices.cpu.intrinsics import Whole
    from triadic.graph.graph import Graph
    from triadic.null_models.constraints import Constraints
    from triadic.null_models.dyads import Dyads
    from triadic.null_models.switching import Ends

    Ids = Int32Array

_MOST_ARCS = 1 << 30  # an arc's number has 30 bits
_CURVE_BITS = 20  # of each coordinate
# The default number of steps grows by the factor _WANTED / accepted if a trial of _TRIAL steps accepts fewer proposals.
_TRIAL, _WANTED, _MOST_TIMES = 20_000, 0.8, 20


@record(kw_only=True)
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
        rank = inverse(order)
        tail, head, left, right = (rank[each] for each in parts_of(graph, mutual=mutual))
        group, place = constraints.group[order], np.ascontiguousarray(constraints.place[order])
        stubs = _make_stubs(tail, head, left, right)
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
            **fields_of(graph, (tail, head, left, right), mutual=mutual, steps=steps),
        )
        if steps is not None:
            return model
        # As many steps as are accepted in a walk without constraints.
        accepted = model.walk(0).go(_TRIAL) / _TRIAL
        times = min(_MOST_TIMES, max(1.0, _WANTED / max(accepted, 1 / _TRIAL)))
        return replace(model, steps=ceil(model.steps * times))

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return len(self.group)

    @property
    def kept(self) -> Constraints:
        """Groups and bins of length that arcs keep."""
        return self.constraints

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

    def _ends(self) -> Ends:
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
        return np.concatenate([numbers[:arcs] >= kernels.MOVED, *[of_edge] * (1 + self.model.directed)])


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
    order = np.lexsort((far, vertex, np.repeat([0, 1, 2], [arcs, arcs, 2 * edges])))
    twins = inverse(order)[twin[order]]
    stubs = np.stack([vertex[order], far[order], twins, number[order]], axis=1).astype(np.int32)
    stubs[:arcs, 3] = np.arange(arcs)
    return np.ascontiguousarray(stubs)


@record
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
        answer = positive[reverse_places(source, target)] if mutual else positive  # the sign of the other arc of a pair
        once = back & (source < target)
        alike = [~back & (positive == sign) for sign in (True, False)]
        alike += [once & (positive == sign) & (answer == sign) for sign in (True, False)]
        sections = []
        for mask, coin in [*((mask, COIN) for mask in alike), (back & positive & ~answer, np.uint64(0))]:
            rows = np.stack([source[mask], target[mask]], axis=1)
            arcs = 0 if back[mask].any() else len(rows)
            indptr = frozen(starts_of(np.bincount(rows[:arcs, 0], minlength=n)))
            sections += [Section(rows, indptr, arcs, coin)] if len(rows) else []
        ends = joined_ends(sections, [section.rows for section in sections])
        return cls(n, tuple(sections), **fields_of(graph, ends, mutual=mutual, steps=steps))
