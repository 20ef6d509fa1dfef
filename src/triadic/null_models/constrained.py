"""Random graphs with the degrees of a given graph that keep groups and lengths of arcs, sampled by switching."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.memory import check_memory
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph
from triadic.null_models import stub_kernels as kernels
from triadic.null_models.constraints import arc_lengths
from triadic.null_models.dyads import copy_dyads, make_dyads
from triadic.null_models.switching import LEAST_STEPS, PART, STEPS_AN_EDGE, arcs_with_a_reverse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.null_models.constraints import Constraints
    from triadic.null_models.dyads import Dyads

    Ids = NDArray[np.int32]

_MOST_ARCS = 1 << 30  # an arc's number has 30 bits
_CURVE_BITS = 20  # of each coordinate
# The default number of steps grows by the factor _WANTED / accepted if a trial of _TRIAL steps accepts fewer proposals.
_TRIAL, _WANTED, _MOST_TIMES = 20_000, 0.8, 20


@dataclass(frozen=True, slots=True, eq=False)
class ConstrainedSwitching:
    """The simple graphs with the degrees and the classes of arcs of a given graph that switching reaches.

    All of them are equally likely in the limit of many steps. Vertices are numbered anew, by group and then along a
    curve through space.

    Attributes
    ----------
    constraints : Constraints
        Groups and bins of length that are kept.
    order : int32 array, shape (n,)
        The original number of each vertex.
    stubs : int32 array, shape (stubs, 4)
        Rows (vertex, vertex at the far end, twin, arc): the stubs at the tails of `arcs` arcs, by vertex; the stubs at
        their heads; and two stubs for each edge, or pair joined both ways if mutual degrees are kept.
    arcs : int
        Number of arcs that are no edges.
    strata : int64 array, shape (3 * groups + 1,)
        First stub of each stratum.
    rows : int64 array, shape (3 * n + 1,)
        First stub of each kind at each vertex.
    bins : uint16 array, shape (stubs,)
        Bin of the length of each stub's arc.
    group : int32 array, shape (n,)
        Group of each vertex in the new order.
    place : float64 array, shape (n, 3)
        Coordinates of each vertex in the new order.
    limits : float64 array, shape (bins + 1,)
        Squares of the edges of the bins.
    lowest : int
        Number of bits of the smallest block from which a partner is drawn.
    dyads : array of unsigned integers
        The `dyads` of the arcs and edges: a matrix of bits or a hash table.
    ordered, directed : bool
        Whether the two arcs of a pair joined both ways are arcs of their own; whether the graph is directed.
    steps : int
        Number of steps of the walk to a sample.
    labels : array, optional
        Labels of the vertices, which samples keep.
    """

    constraints: Constraints
    order: Ids
    stubs: Ids
    arcs: int
    strata: NDArray[np.int64]
    rows: NDArray[np.int64]
    bins: NDArray[np.uint16]
    group: Ids
    place: NDArray[np.float64]
    limits: NDArray[np.float64]
    lowest: int
    dyads: Dyads
    ordered: bool
    directed: bool
    steps: int
    labels: NDArray[Any] | None = None

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
        back = arcs_with_a_reverse(source, target) if mutual else np.full(len(source), not graph.directed)
        once = back & (source < target)
        tail, head, left, right = rank[source[~back]], rank[target[~back]], rank[source[once]], rank[target[once]]
        group = constraints.group[order]
        stubs = _make_stubs(tail, head, left, right)
        ordered = graph.directed and not mutual
        dyads = make_dyads(n, tail, head, left, right, ordered=ordered)
        vertex, groups = stubs[:, 0], max(1, len(constraints.names))
        kind = np.repeat([0, 1, 2], [len(tail), len(tail), 2 * len(left)])
        strata = np.searchsorted(kind * groups + group[vertex], np.arange(3 * groups + 1))
        rows = np.searchsorted(kind * n + vertex, np.arange(3 * n + 1))
        lengths = arc_lengths(constraints.place[order], vertex, stubs[:, 1])
        usual = max(STEPS_AN_EDGE * (len(tail) + len(left)), LEAST_STEPS)
        model = cls(
            constraints=constraints,
            order=order,
            stubs=stubs,
            arcs=len(tail),
            strata=strata.astype(np.int64),
            rows=rows.astype(np.int64),
            bins=np.digitize(lengths, constraints.edges).astype(np.uint16),
            group=group,
            place=np.ascontiguousarray(constraints.place[order]),
            limits=constraints.limits,
            lowest=int(len(vertex) // max(1, n)).bit_length(),
            dyads=dyads,
            ordered=ordered,
            directed=graph.directed,
            steps=usual if steps is None else steps,
            labels=graph.labels,
        )
        return model if steps is not None else replace(model, steps=model._default_steps())

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return len(self.group)

    def draw(self, key: int) -> tuple[Graph, bool]:
        """Return the graph at which the walk of a key ends, and whether any proposal was accepted."""
        walk = self.walk(key)
        accepted = walk.go(self.steps)
        return walk.graph(), accepted > 0

    def _default_steps(self) -> int:
        """Return a number of steps of which about as many are accepted as in a walk without constraints."""
        accepted = self.walk(0).go(_TRIAL) / _TRIAL
        return ceil(self.steps * min(_MOST_TIMES, max(1.0, _WANTED / max(accepted, 1 / _TRIAL))))

    def walk(self, key: int) -> StubWalk:
        """Return a walk that begins at the original graph; its key determines all its draws."""
        return StubWalk(self, key)

    def admits_change(self, key: int) -> bool:
        """Return whether a walk of at least 10,000 steps accepts any proposal."""
        return self.walk(key).go(max(self.steps, LEAST_STEPS)) > 0


class StubWalk:
    """A random walk over graphs: the current graph and the number of steps made."""

    __slots__ = ("_begin", "_bins", "_dyads", "_model", "_stubs", "key")

    def __init__(self, model: ConstrainedSwitching, key: int) -> None:
        self._model, self.key, self._begin = model, np.uint64(key), 0
        self._stubs, self._bins, self._dyads = model.stubs.copy(), model.bins.copy(), copy_dyads(model.dyads)

    @classmethod
    def at(cls, model: ConstrainedSwitching, stubs: Ids) -> StubWalk:
        """Return a walk that another device has made, for a look at its arcs; it cannot be continued."""
        walk = cls(model, 0)
        walk._stubs = stubs.reshape(model.stubs.shape)
        return walk

    def go(self, steps: int) -> int:
        """Make `steps` steps more and return the number of accepted proposals; a walk may be split in any way."""
        model, accepted = self._model, 0
        end = self._begin + steps
        if len(self._stubs) == 0:
            return 0
        while self._begin < end:
            part = min(PART, end - self._begin)
            accepted += kernels.walk(
                self.key,
                self._begin,
                part,
                self._stubs,
                self._bins,
                model.arcs,
                model.strata,
                model.rows,
                model.group,
                model.place,
                model.limits,
                model.lowest,
                self._dyads,
                model.ordered,
            )
            self._begin += part
        return int(accepted)

    def edges(self) -> tuple[Ids, Ids]:
        """Return the ends of each arc, or of each edge once, each at the place of the arc that became it."""
        model = self._model
        rows = self._stubs
        arcs, edges = rows[: model.arcs], rows[2 * model.arcs :]
        number = np.arange(2 * model.arcs, len(rows))
        once = edges[number < edges[:, 2]]
        left, right = np.empty(len(once), dtype=np.int32), np.empty(len(once), dtype=np.int32)
        at = once[:, 3] & (kernels.MOVED - 1)
        left[at], right[at] = model.order[once[:, 0]], model.order[once[:, 1]]
        if not model.directed:
            return left, right
        tail, head = model.order[arcs[:, 0]], model.order[arcs[:, 1]]
        return np.concatenate([tail, left, right]), np.concatenate([head, right, left])

    def graph(self) -> Graph:
        """Return the current graph."""
        model = self._model
        arcs = Arcs(*self.edges(), len(model.group), model.directed, labels=model.labels)
        return Graph.from_arcs(arcs, threads=1)

    def moved(self) -> NDArray[np.bool_]:
        """Return whether an accepted proposal took part in each arc, in the order of `edges`."""
        rows = self._stubs
        moved = rows[: self._model.arcs, 3] >= kernels.MOVED
        edge = rows[2 * self._model.arcs :, 3]
        of_edge = np.zeros(len(edge) // 2, dtype=np.bool_)
        of_edge[edge & (kernels.MOVED - 1)] = edge >= kernels.MOVED
        return np.concatenate([moved, of_edge, of_edge] if self._model.directed else [of_edge])


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
