"""Patterns of two to six vertices counted in a graph: in total, at vertices, at edges, by types, and listed.

A count is a number of embeddings: maps of the pattern's vertices to different vertices of the graph that have every
present arc, no absent arc, and meet every condition. The number of subgraphs is that divided by `automorphisms`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.memory import check_memory
from triadic.core.oriented import Oriented, frozen
from triadic.core.pattern import ANY, BACKWARD, FORWARD, MUTUAL, NONE, Condition, Shape, Term, pair_index
from triadic.core.progress import reporting
from triadic.core.triad_types import CLOSED_ROLES, ROLE_OF_CODE, turned
from triadic.core.triad_types import states as states_of
from triadic.counts.count import run
from triadic.counts.pattern_columns import prepare
from triadic.counts.triads import CLOSED_ROLES_OF_VERTICES, CLOSED_TRIADS
from triadic.devices.cpu.patterns.matcher import (
    BOUND,
    FIRST_FLAG,
    STATE_BITS,
    Comparisons,
    Matcher,
    PatternRows,
    Plan,
    Steps,
    rows_with_words,
)
from triadic.errors import ArgumentError, CountOverflowError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.core.array_types import Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph

_ROWS: WeakKeyDictionary[Oriented, PatternRows] = WeakKeyDictionary()
_TURNED = (0, BACKWARD, FORWARD, MUTUAL)
_LABEL = "counting pattern"
_CLOSING = 0.05  # assumed probability that two vertices with a common neighbour are joined

Permutation = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PatternPlan:
    """How a pattern is counted.

    Attributes
    ----------
    way : str
        What counts: "matching", or a count that answers faster.
    order : tuple of int
        Vertices of the pattern in the order in which they are matched.
    work : float
        Expected number of entries of rows that are read.
    memory : int
        Expected bytes beside the graph.
    """

    way: str
    order: tuple[int, ...]
    work: float
    memory: int


def states_between(shape: Shape, i: int, j: int) -> int:
    """Return the states that the pair may have, seen from i: bit FORWARD for the arc i -> j alone."""
    allowed = shape.allowed[pair_index(min(i, j), max(i, j))]
    return allowed if i < j else sum(1 << _TURNED[state] for state in range(4) if allowed >> state & 1)


@lru_cache(maxsize=256)
def automorphisms_of(shape: Shape) -> tuple[Permutation, ...]:
    """Return the permutations of the vertices that keep the states of all pairs and all conditions."""
    conditions = {_normal(condition, range(shape.size), shape.arrows) for condition in shape.conditions}
    return tuple(
        moved
        for moved in permutations(range(shape.size))
        if all(
            states_between(shape, moved[i], moved[j]) == states_between(shape, i, j)
            for i, j in combinations(range(shape.size), 2)
        )
        and {_normal(condition, moved, shape.arrows) for condition in shape.conditions} == conditions
    )


def _normal(condition: Condition, moved: range | Permutation, arrows: bool) -> tuple[object, ...]:
    """Return a condition with its vertices moved, in one of its forms that mean the same."""

    def side(term: object) -> object:
        if not isinstance(term, Term):
            return "value", type(term).__name__, term
        vertices = [moved[vertex] for vertex in term.vertices]
        return "column", term.column, *(vertices if arrows else sorted(vertices))

    left, right, operator = side(condition.left), side(condition.right), condition.operator
    if isinstance(condition.right, Term):
        if operator in (">", ">="):
            return operator.replace(">", "<"), right, left
        if operator in ("=", "!="):
            return operator, frozenset((left, right))
    return operator, left, right


def count_pattern(graph: Graph, shape: Shape, *, threads: int | None = None, progress: ProgressKeyword = False) -> int:
    """Return the number of embeddings of a pattern."""
    job = _Job(graph, shape, threads)
    if job.of_triads:
        codes = run(CLOSED_TRIADS, graph.oriented(), threads=threads, device="cpu", progress=progress)
        return int(codes @ _corners(shape)[0].sum(axis=1)) // 3
    with reporting(progress, _LABEL) as report:
        return job.matcher(0).count(report) * job.symmetries


def pattern_at_vertices(
    graph: Graph, shape: Shape, *, threads: int | None = None, progress: ProgressKeyword = False
) -> Int64Array:
    """Count the embeddings in which each vertex of the graph is each vertex of the pattern: int64, shape (n, k).

    Columns of vertices that automorphisms exchange are equal.
    """
    job = _Job(graph, shape, threads)
    if job.of_triads:
        roles = run(CLOSED_ROLES_OF_VERTICES, graph.oriented(), threads=threads, device="cpu", progress=progress)
        return (roles @ _corners(shape)[1])[graph.oriented().rank]
    with reporting(progress, _LABEL) as report:
        matcher = job.matcher(8 * shape.size * (job.threads + 2))
        at_rank = matcher.at_ranks(report)
    at = at_rank[graph.oriented().rank]
    by_vertex = at[:, np.argsort(job.order)]
    return _over_orbits(by_vertex, [[moved[i] for moved in job.automorphisms] for i in range(shape.size)])


def pattern_at_edges(
    graph: Graph, shape: Shape, *, threads: int | None = None, progress: ProgressKeyword = False
) -> tuple[list[tuple[int, int]], Int64Array]:
    """Count the embeddings in which each edge, or arc, of the graph is each edge, or arc, of the pattern.

    Returns
    -------
    arcs : list of (int, int)
        Tail and head of each arc of the pattern that has to be present; of a pair that may have either direction, or of
        an undirected graph, the smaller vertex first.
    counts : int64 array, shape (edges, arcs)
        In the order of ``graph.edges()``. A mutual pair that meets a pair of either direction counts at both its arcs.
    """
    job = _Job(graph, shape, threads)
    arcs = _arcs(shape, directed=graph.directed)
    edges = graph.num_arcs if graph.directed else graph.num_edges
    what = f"the count of a pattern at {edges:,} {'arcs' if graph.directed else 'edges'}"
    check_memory(8 * edges * (2 * len(arcs) + 4), what, "count it at vertices")
    counts = np.zeros((edges, len(arcs)), dtype=np.int64)
    source, target = graph.edges()
    n = np.int64(graph.num_vertices)
    keys = source * n + target
    with reporting(progress, _LABEL) as report:
        for matches in job.lists(report):
            for column, (i, j) in enumerate(arcs):
                tail, head = matches[:, i], matches[:, j]
                free = graph.directed and states_between(shape, i, j) & 1 << BACKWARD
                ends = [(tail, head), (head, tail)] if free else [(tail, head)]
                if not graph.directed:
                    ends = [(np.minimum(tail, head), np.maximum(tail, head))]
                for one, other in ends:
                    wanted = one * n + other
                    place = np.searchsorted(keys, wanted).clip(max=edges - 1)
                    counts[:, column] += np.bincount(place[keys[place] == wanted], minlength=edges)
    places = {arc: column for column, arc in enumerate(arcs)}

    def images(arc: tuple[int, int]) -> list[int]:
        ends = [(moved[arc[0]], moved[arc[1]]) for moved in job.automorphisms]
        return [places[end] if end in places else places[end[::-1]] for end in ends]

    return arcs, _over_orbits(counts, [images(arc) for arc in arcs])


def pattern_by_type(
    graph: Graph,
    shape: Shape,
    types: Int64Array,
    *,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> tuple[Int64Array, Int64Array]:
    """Count subgraphs by the types of their vertices.

    Parameters
    ----------
    types : int64 array, shape (n,)
        Type of each vertex, from 0; a subgraph with a vertex of type -1 is left out.

    Returns
    -------
    types : int64 array, shape (rows, k)
        Type of each vertex of the pattern, rising; of tuples that automorphisms exchange the first one.
    counts : int64 array, shape (rows,)
        Number of subgraphs, that is embeddings over all these tuples divided by the number of automorphisms.
    """
    job = _Job(graph, shape, threads)
    base = int(types.max(initial=0)) + 1
    if base**shape.size >= 2**63:
        raise ArgumentError(
            f"types: {base:,} types make too many tuples for {shape.size} vertices; merge types, or use fewer vertices"
        )
    powers = np.array([base**i for i in reversed(range(shape.size))], dtype=np.int64)
    numbers, counts = np.zeros((2, 0), dtype=np.int64)
    with reporting(progress, _LABEL) as report:
        for matches in job.lists(report):
            of = types[matches]
            more, times = np.unique((of @ powers)[(of >= 0).all(axis=1)], return_counts=True)
            numbers, counts = _added(np.concatenate([numbers, more]), np.concatenate([counts, times]))
    tuples = numbers[:, None] // powers % base
    first = np.min([tuples[:, moved] @ powers for moved in job.automorphisms], axis=0)
    numbers, counts = _added(first, counts)
    return numbers[:, None] // powers % base, counts


def _added(numbers: Int64Array, counts: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return the different numbers, rising, and the sums of their counts."""
    different, inverse = np.unique(numbers, return_inverse=True)
    total = np.zeros(len(different), dtype=np.int64)
    np.add.at(total, inverse.reshape(-1), counts)
    return different, total


def list_pattern(
    graph: Graph,
    shape: Shape,
    limit: int | None = None,
    *,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> Int64Array:
    """List subgraphs, at most `limit`: the numbers of their vertices, int64, shape (subgraphs, k).

    Always the same ones in the same order; of the orders that automorphisms exchange, one is listed.
    """
    job = _Job(graph, shape, threads)
    if limit is None:
        limit = job.matcher(0).count()
    bytes_of_list = 8 * shape.size * limit
    check_memory(bytes_of_list, f"a list of {limit:,} subgraphs", "list fewer with `limit`")
    parts, found = [np.zeros((0, shape.size), dtype=np.int64)], 0
    with reporting(progress, _LABEL) as report:
        for matches in job.lists(report) if limit else ():
            parts.append(matches[: limit - found])
            found += len(parts[-1])
            if found == limit:
                break
    return np.concatenate(parts)


def sample_pattern(graph: Graph, shape: Shape, samples: int, key: int, *, threads: int | None = None) -> Int64Array:
    """Draw subgraphs at random, each with the same probability: the numbers of their vertices, int64, (samples, k).

    They are the subgraphs at random places of the list of all, which is walked and not held.

    Raises
    ------
    ArgumentError
        If no subgraph matches.
    """
    job = _Job(graph, shape, threads)
    total = job.matcher(0).count()
    if samples and not total:
        raise ArgumentError("of: the graph has no subgraph that matches the pattern")
    places = np.random.Generator(np.random.Philox(key=key)).integers(max(1, total), size=samples)
    order, found = np.argsort(places), np.empty((samples, shape.size), dtype=np.int64)
    done, first = 0, 0
    for matches in job.lists(None) if samples else ():
        last = int(np.searchsorted(places[order], first + len(matches)))
        found[order[done:last]] = matches[places[order[done:last]] - first]
        done, first = last, first + len(matches)
    return found


def plan_of(graph: Graph, shape: Shape) -> PatternPlan:
    """Return how a pattern is counted in a graph, and what that is expected to take."""
    job = _Job(graph, shape, None)
    return PatternPlan(
        "closed triads" if job.of_triads else "matching",
        job.order,
        job.work,
        job.bytes_of_rows + 4 * graph.num_vertices * (job.threads + 1),
    )


def _over_orbits(counts: Int64Array, images: list[list[int]]) -> Int64Array:
    """Return counts of embeddings by column from those of one embedding a subgraph."""
    if len(counts) and float(counts.sum(axis=1, dtype=np.float64).max()) * len(images[0]) >= 2.0**63:
        raise CountOverflowError("pattern: a count at a vertex or an edge exceeds 2**63; count it in total")
    table = np.zeros((len(images), len(images)), dtype=np.int64)
    for column, sources in enumerate(images):
        np.add.at(table[:, column], sources, 1)
    return counts @ table


def _arcs(shape: Shape, *, directed: bool) -> list[tuple[int, int]]:
    """Return the arcs of a pattern that have to be present."""
    arcs = []
    for j in range(shape.size):
        for i in range(j):
            states = states_between(shape, i, j)
            if not states & 1 << NONE:
                backward, forward = not states & 1 << FORWARD, not states & 1 << BACKWARD
                arcs += [(i, j)] if not directed or forward or not backward else []
                arcs += [(j, i)] if directed and backward else []
    return arcs


class _Order(NamedTuple):
    vertices: tuple[int, ...]
    work: float


class _Job:
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
        self.symmetries = len(self.automorphisms)
        self.prepared = prepare(graph, shape)
        self.bytes_of_rows = graph.num_edges * (18 + 16 * bool(self.prepared.arcs)) + 16 * graph.num_vertices
        self.order, self.work = self._best_order()
        self.of_triads = shape.size == 3 and not shape.conditions and not any(s & 1 << NONE for s in shape.allowed)

    def matcher(self, bytes_of_vertex: int) -> Matcher:
        """Return what walks the graph, after a check of the memory that it takes."""
        n = self.graph.num_vertices
        needed = self.bytes_of_rows * (self.graph.oriented() not in _ROWS) + n * (
            4 * (self.threads + 1) + bytes_of_vertex
        )
        check_memory(needed, f"matching a pattern in a graph of {n:,} vertices", "use fewer threads or more memory")
        oriented = self.graph.oriented(threads=self.threads)
        rows = _ROWS.get(oriented)
        if rows is None:
            rows = _ROWS[oriented] = rows_with_words(oriented, threads=self.threads)
        return Matcher(self._with_conditions(rows), self._plan(), self.threads)

    def lists(self, progress: object) -> Iterator[Int64Array]:
        """Yield subgraphs part by part: numbers of vertices in the pattern's order, shape (subgraphs, k)."""
        vertex = self.graph.oriented().order
        for ranks in self.matcher(0).lists(progress):  # type: ignore[arg-type]
            yield vertex[ranks[:, np.argsort(self.order)]].astype(np.int64)

    def _with_conditions(self, rows: PatternRows) -> PatternRows:
        """Return rows whose words have two bits for each arc with conditions: for it, and for the arc to the row."""
        if not self.prepared.arcs:
            return rows
        words = rows.words.astype(np.int64)
        row = np.repeat(np.arange(len(rows.ptr) - 1), np.diff(rows.ptr))
        to_larger = rows.ends[: len(words)].astype(np.int64) > row
        for group, (outward, inward) in enumerate(self.prepared.arcs.values()):
            out, into = outward[rows.edges], inward[rows.edges]
            words |= np.where(to_larger, into, out).astype(np.int64) << STATE_BITS + 2 * group
            words |= np.where(to_larger, out, into).astype(np.int64) << STATE_BITS + 2 * group + 1
        return rows._replace(words=frozen(words))

    def _plan(self) -> Plan:
        """Return the plan of the order as arrays."""
        shape, order, k = self.shape, self.order, self.shape.size
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
        for vertices, operator, *sides in self.prepared.comparisons:
            at = max(depth[vertex] for vertex in vertices)
            steps.tested[at] = 1
            ends = [(s.start, depth[s.tail], -1 if s.head is None else depth[s.head]) for s in sides]
            table.append((at, operator, *ends[0], *ends[1]))
        comparisons = Comparisons(np.array(table, dtype=np.int64).reshape(-1, 8), self.prepared.codes)
        return Plan(steps, comparisons, self.prepared.flags)

    def _best_order(self) -> _Order:
        """Return the order of least expected work in a graph of these degrees, among those that stay connected."""
        shape, k, oriented = self.shape, self.shape.size, self.graph.oriented()
        degree, above = oriented.degree.astype(np.float64), np.diff(oriented.indptr).astype(np.float64)
        edges = max(1.0, float(above.sum()))
        row, limited = float(degree @ degree) / (2 * edges), float(above @ degree) / (2 * edges)
        share = _shares(oriented)
        kept = [np.count_nonzero(self.prepared.flags >> FIRST_FLAG + i & 1) / max(1, len(degree)) for i in range(k)]
        arcs = max(1, self.graph.num_arcs)
        of_arc = {frozenset(arc): np.count_nonzero(met) / arcs for arc, met in self.prepared.arcs.items()}
        limits = _limits(shape)
        best = _Order((), np.inf)

        def extend(order: tuple[int, ...], matches: float, work: float) -> None:
            nonlocal best
            if work >= best.work:
                return
            if len(order) == k:
                best = _Order(order, work)
                return
            for vertex in set(range(k)) - set(order):
                states = [states_between(shape, earlier, vertex) for earlier in order]
                present = [e for e, s in enumerate(states) if not s & 1 << NONE]
                if order and not present:
                    continue
                if not order:
                    extend((vertex,), len(degree) * kept[vertex], len(degree) * 0.01)
                    continue
                anchor = order[present[-1]]
                below = [u for u in order if vertex in limits.get((order[: order.index(u)], u), ())]
                length = limited if anchor in below else row * 0.5 ** bool(below)
                length *= 2 * edges / max(1, len(degree)) / row if len(order) == 1 and row else 1.0
                chance = share[states[present[-1]]] * _CLOSING ** (len(present) - 1) * kept[vertex]
                for u in order:
                    chance *= min(1.0, of_arc.get(frozenset((u, vertex)), 1.0))
                marks = (
                    row
                    if any(s != ANY and e != present[-1] and e == len(order) - 1 for e, s in enumerate(states))
                    else 0.0
                )
                extend((*order, vertex), matches * length * chance, work + matches * (length + marks))

        extend((), 1.0, 0.0)
        if not best.vertices:
            raise ArgumentError("pattern: its vertices are not connected by arcs that have to be present; connect them")
        return best


@lru_cache(maxsize=256)
def _corners(shape: Shape) -> tuple[Int64Array, Int64Array]:
    """Return the embeddings of a pattern of three joined vertices in a closed triad of each code, and at each role.

    int64, shape (64, 3) and (15, 3): by vertex of the pattern, at all corners and at a vertex that has the role.
    """
    of_code, of_role = np.zeros((64, 3), dtype=np.int64), np.zeros((len(CLOSED_ROLES), 3), dtype=np.int64)
    for code in range(64):
        between = dict(zip(((0, 1), (0, 2), (1, 2)), states_of(code), strict=True))
        between |= {(j, i): turned(state) for (i, j), state in between.items()}
        at = np.zeros((3, 3), dtype=np.int64)
        for corner in permutations(range(3)):
            pairs = combinations(range(3), 2)
            at[corner, range(3)] += all(
                states_between(shape, i, j) >> between[corner[i], corner[j]] & 1 for i, j in pairs
            )
        of_code[code] = at.sum(axis=0)
        if 0 not in between.values():
            of_role[ROLE_OF_CODE[:, code]] = at
    return of_code, of_role


@lru_cache(maxsize=256)
def _limits(shape: Shape) -> dict[tuple[Permutation, int], frozenset[int]]:
    """Return the vertices that have a smaller rank than a vertex, by the vertices before it in the order, and it."""
    found = {}
    for length in range(shape.size):
        for before in permutations(range(shape.size), length):
            group = [moved for moved in automorphisms_of(shape) if all(moved[v] == v for v in before)]
            if len(group) > 1:
                for vertex in set(range(shape.size)) - set(before):
                    found[before, vertex] = frozenset(moved[vertex] for moved in group) - {vertex}
    return found


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
