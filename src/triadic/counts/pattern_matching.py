"""How a pattern is matched in a graph: the order of its vertices, and the plan that `Matcher` walks."""

from __future__ import annotations

from itertools import permutations
from math import prod
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.cached import cached_property
from triadic.core.memory import check_memory
from triadic.core.oriented import Oriented, frozen, rows_of_entries
from triadic.core.pattern import ANY, BACKWARD, FORWARD, MUTUAL, NONE, Shape, automorphisms_of, states_between
from triadic.counts.pattern_columns import prepare
from triadic.devices.cpu.patterns.matcher import (
    BOUND,
    FIRST_FLAG,
    STATE_BITS,
    Comparisons,
    Matcher,
    PatternRows,
    Steps,
    rows_with_words,
)
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.core.array_types import Int64Array
    from triadic.graph.graph import Graph

    Permutation = tuple[int, ...]

_ROWS: WeakKeyDictionary[Oriented, PatternRows] = WeakKeyDictionary()
_CLOSING = 0.05  # assumed probability that two vertices with a common neighbour are joined


class Job:
    """A pattern in a graph: what its conditions are, and in which order its vertices are matched.

    Raises
    ------
    ArgumentError
        If the pattern cannot be counted in this graph.
    """

    def __init__(self, graph: Graph, shape: Shape, threads: int | None) -> None:
        if shape.arrows and not graph.directed:
            raise ArgumentError("pattern: has arrows, and the graph is undirected; join vertices by -, as in A - B")
        self.graph, self.shape, self.threads = graph, shape, resolve_threads(threads)
        self.automorphisms = automorphisms_of(shape)
        self.prepared = prepare(graph, shape)
        self.bytes_of_rows = graph.num_edges * (18 + 16 * bool(self.prepared.arcs)) + 16 * graph.num_vertices

    def rows(self, bytes_of_vertex: int) -> PatternRows:
        """Return the rows of the graph, after a check of the memory that they take, and numbers at vertices."""
        n = self.graph.num_vertices
        needed = self.bytes_of_rows * (self.graph.oriented() not in _ROWS) + n * bytes_of_vertex
        check_memory(needed, f"matching a pattern in a graph of {n:,} vertices", "use fewer threads or more memory")
        oriented = self.graph.oriented(threads=self.threads)
        if oriented not in _ROWS:
            _ROWS[oriented] = rows_with_words(oriented, threads=self.threads)
        return _ROWS[oriented]

    def matcher(self, bytes_of_vertex: int) -> Matcher:
        """Return what walks the graph."""
        rows = self.rows(4 * (self.threads + 1) + bytes_of_vertex)
        return Matcher(self._with_conditions(rows), self._plan(), self.prepared.flags, self.threads)

    def lists(self, progress: object) -> Iterator[Int64Array]:
        """Yield subgraphs part by part: numbers of vertices in the pattern's order, shape (subgraphs, k)."""
        vertex = self.graph.oriented().order
        for ranks in self.matcher(0).lists(progress):  # type: ignore[arg-type]
            yield vertex[ranks[:, np.argsort(self.best[1])]].astype(np.int64)

    def _with_conditions(self, rows: PatternRows) -> PatternRows:
        """Return rows whose words have two bits for each arc with conditions: for it, and for the arc to the row."""
        if not self.prepared.arcs:
            return rows
        words = rows.words.astype(np.int64)
        row = rows_of_entries(rows.ptr)
        to_larger = rows.ends[: len(words)].astype(np.int64) > row
        for group, (outward, inward) in enumerate(self.prepared.arcs.values()):
            out, into = outward[rows.edges], inward[rows.edges]
            words |= np.where(to_larger, into, out).astype(np.int64) << STATE_BITS + 2 * group
            words |= np.where(to_larger, out, into).astype(np.int64) << STATE_BITS + 2 * group + 1
        return rows._replace(words=frozen(words))

    def _plan(self) -> tuple[Steps, Comparisons]:
        """Return the plan of the order as arrays."""
        shape, order, k = self.shape, self.best[1], self.shape.size
        depth = {vertex: d for d, vertex in enumerate(order)}
        steps = Steps(*(np.zeros(s, dtype=np.int64) for s in ((k,), (k, 2), (k, 2), (k,), (k, k), (k, k), (k,))))
        for d, vertex in enumerate(order):
            steps.flags[d] = BOUND | 1 << FIRST_FLAG + vertex, 1 << FIRST_FLAG + vertex
            states = [states_between(shape, earlier, vertex) for earlier in order[:d]]
            present = [e for e in range(d) if not states[e] & 1 << NONE]
            if d == 0:
                continue
            steps.anchor[d] = present[-1]
            steps.entry[d] = _bits(states[present[-1]])
            for e in range(d):
                if e != present[-1] and states[e] != ANY:
                    steps.flags[d] += np.array(_bits(states[e])) << STATE_BITS * e
                    steps.marks[e] = 1
        group: tuple[Permutation, ...] = self.automorphisms
        for d, vertex in enumerate(order):
            for other in {moved[vertex] for moved in group} - {vertex}:
                steps.below[depth[other], d] = 1
            group = tuple(moved for moved in group if moved[vertex] == vertex)
        for number, (tail, head) in enumerate(self.prepared.arcs):
            first, last = sorted((depth[tail], depth[head]))
            bit = 1 << STATE_BITS + 2 * number + (depth[tail] != first)
            if steps.anchor[last] == first:
                steps.entry[last] |= bit
            else:
                steps.arcs[last, first] |= bit
                steps.tested[last] = 1
        table = []
        for operator, sides in self.prepared.comparisons:
            ends = [[start, *(depth[v] for v in vertices), -1][:3] for start, vertices in sides]
            at = max(*ends[0][1:], *ends[1][1:])
            steps.tested[at] = 1
            table.append((at, operator, *ends[0], *ends[1]))
        return steps, Comparisons(np.array(table, dtype=np.int64).reshape(-1, 8), self.prepared.codes)

    @cached_property
    def best(self) -> tuple[float, tuple[int, ...]]:
        """The least expected work in a graph of these degrees, and an order that takes it."""
        shape, oriented, n = self.shape, self.graph.oriented(), max(1, self.graph.num_vertices)
        size, entries, share = range(shape.size), max(1.0, 2.0 * self.graph.num_edges), _shares(oriented)
        kept = [np.count_nonzero(self.prepared.flags >> FIRST_FLAG + i & 1) / n for i in size]
        arcs = max(1, self.graph.num_arcs)
        of_arc = {frozenset(arc): np.count_nonzero(met) / arcs for arc, met in self.prepared.arcs.items()}
        lengths = [n, entries / n, *[float((oriented.degree**2).sum()) / entries] * 4]

        def expected(order: tuple[int, ...]) -> float:
            work, matches = 0.0, 1.0
            for d, vertex in enumerate(order):
                states = [states_between(shape, earlier, vertex) for earlier in order[:d]]
                present = [share[state] for state in states if not state & 1 << NONE]
                if d and not present:
                    return np.inf
                work += matches * lengths[d]
                matches *= lengths[d] * kept[vertex] * prod(present[-1:]) * _CLOSING ** len(present[1:])
                matches *= prod(of_arc.get(frozenset((earlier, vertex)), 1.0) for earlier in order[:d])
            return work

        return min((expected(order), order) for order in permutations(size))


def _bits(states: int) -> tuple[int, int]:
    """Return the bits of a word that tell whether a state is allowed, and their values."""
    forbidden = sum(1 << state for state in (FORWARD, BACKWARD, MUTUAL) if not states >> state & 1)
    return (forbidden, 0) if states & 1 << NONE else (forbidden | 1, 1)


def _shares(oriented: Oriented) -> Int64Array:
    """Return the share of entries, from either end, whose state is among each set of states: shape (16,)."""
    one = np.array([0, 0, 0, 1.0])
    if oriented.state is not None and len(oriented.state):
        one = np.bincount(oriented.state, minlength=4) / len(oriented.state)
        one[1] = one[2] = (one[1] + one[2]) / 2
    return np.array([sum(one[s] for s in range(1, 4) if allowed >> s & 1) for allowed in range(16)])
