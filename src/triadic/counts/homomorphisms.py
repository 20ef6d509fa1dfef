"""Patterns counted by homomorphisms: maps of their vertices that keep arcs, but may meet in a vertex of the graph.

Absent arcs go by inclusion and exclusion, and so do maps that meet, over partitions of the vertices into blocks
without an arc inside (Lovász; Curticapean, Dell and Marx 2017). What remains are homomorphisms of small graphs. Where
such a graph falls apart without a vertex, the parts are counted one after another as numbers at that vertex; a
triangle without conditions and a clique are counted by the kernels for them; vertices that are joined with both ends
of an edge alone, as in a diamond, by the triangles of the edges; any other part by programs for
`triadic.devices.cpu.patterns.homomorphisms`, for which it has to be a forest without some vertex, its root.

A root has the smallest rank of all vertices that could be roots, since rows of entries of larger rank are short: a
program for each set of them that meets at the root, and the others bounded.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache, reduce
from itertools import combinations, permutations, product
from math import factorial, prod
from operator import and_, or_
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split, summed, zeros
from triadic.core.oriented import frozen, int_zeros
from triadic.core.pattern import ANY, NONE, Shape, states_between, turned
from triadic.core.triad_types import CLOSED_ROLES, ROLE_OF_CODE
from triadic.core.triad_types import states as states_of
from triadic.counts.cliques import clique_tables, clique_totals
from triadic.counts.count import run
from triadic.counts.edges import EDGE_SUPPORT
from triadic.counts.triads import CLOSED_ROLES_OF_VERTICES, CLOSED_TRIADS
from triadic.counts.triangles import TRIANGLES
from triadic.devices.cpu.patterns.homomorphisms import (
    BOTH,
    FINISH,
    INIT,
    PULL,
    PUSH,
    TIMES,
    WEIGH,
    Marked,
    Room,
    multiply_along,
    run_program,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from triadic.core.array_types import Int32Array, Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.patterns.matcher import PatternRows

    States = tuple[tuple[int, ...], ...]

_EDGE = 0b1110
_MOST_CHOICES = 1 << 4  # of arcs that are absent
_MOST_SORTED = 5  # vertices of a graph whose orders are compared
_BLOCKS_PER_THREAD = 64
_LEAST_BLOCK = 1 << 12
_FAR = 0.25  # share of the rows at the ends of 2-paths that is walked, since 2-paths share their ends
_READ = 0.15  # work for an entry that is read, beside one that is written


class Program(NamedTuple):
    """Steps of `run_program`, flags of the root, and the weights that multiply at the root."""

    steps: tuple[tuple[int, ...], ...]
    mask: int
    weights: tuple[int, ...]


class Edge(NamedTuple):
    """Neighbours in some states, the one vector of what hangs on them, and how many vertices both ends share."""

    state: int
    weights: tuple[Vector]
    shared: int = 0


class Loops(NamedTuple):
    """Programs and how often each counts; the vectors that are weights in them."""

    programs: tuple[tuple[Program, int], ...]
    weights: tuple[Vector, ...]


class Clique(NamedTuple):
    """A triangle by its states, or a clique without directions; the vertex is the first."""

    size: int
    states: tuple[int, ...]


class Vector(NamedTuple):
    """Homomorphisms by the rank of a vertex: the product of its parts, where the rank has the flags."""

    mask: int
    parts: tuple[Edge | Loops | Clique, ...]


_TRIANGLE = Clique(3, (_EDGE, _EDGE, _EDGE))
_SUM_OF_TRIANGLES = Edge(_EDGE, (Vector(0, ()),), 1)


class NoForestError(Exception):
    """A graph is not a forest without any of its vertices."""


@lru_cache(maxsize=256)
def sum_for(shape: Shape, conditions: tuple[int, ...], root: int | None) -> tuple[tuple[Vector, int], ...] | None:
    """Return the vectors whose sum, each times a number, is the number of embeddings, by the rank of a vertex.

    Parameters
    ----------
    shape : Shape
    conditions : tuple of int
        Of each vertex, the bits of flags that its image has.
    root : int or None
        The vertex. With None, only the sums of the vectors over all ranks count.

    Returns
    -------
    tuple or None
        None if the pattern cannot be counted so.
    """
    # All maps, without those to arcs that have to be absent.
    choices = [(ANY, ANY ^ states) if states & 1 << NONE and states != ANY else (states,) for states in shape.allowed]
    if prod(map(len, choices)) > _MOST_CHOICES:
        return None
    found: Counter[_Graph] = Counter()
    for allowed in product(*choices):
        removed = sum(states != every for states, (every, *_) in zip(allowed, choices, strict=True))
        for block_of in _partitions(shape.size):
            states = _quotient(allowed, block_of)
            if states is not None:
                masks = [0] * len(states)
                for vertex, block in enumerate(block_of):
                    masks[block] |= conditions[vertex]
                first = None if root is None else block_of[root]
                sign = (-1) ** (removed + shape.size - len(states))
                found[_sorted(states, masks, first)] += sign * prod(
                    factorial(block_of.count(block) - 1) for block in range(len(states))
                )
    terms: Counter[Vector] = Counter()
    try:
        for graph, times in found.items():
            if times:
                terms[graph.whole() if root is None else graph.vector(0, graph.every)] += times
    except NoForestError:
        return None
    return tuple(terms.items())[::-1]  # the largest graph, which may need triangles of edges, first


def _partitions(size: int) -> list[tuple[int, ...]]:
    """Return all partitions of some vertices, as the block of each."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(size):
        found = [(*blocks, block) for blocks in found for block in range(max(blocks, default=-1) + 2)]
    return found


def _quotient(allowed: tuple[int, ...], block_of: tuple[int, ...]) -> list[list[int]] | None:
    """Return the states between blocks; None if an arc is within a block, or no state remains."""
    size = max(block_of) + 1
    states = [[ANY] * size for _ in range(size)]
    pairs = ((a, b) for j, b in enumerate(block_of) for a in block_of[:j])
    for between, (a, b) in zip(allowed, pairs, strict=True):
        states[a][b] &= between
        states[b][a] &= turned(between)
        if between != ANY and (a == b or not states[a][b]):
            return None
    return states


def _sorted(states: list[list[int]], masks: list[int], first: int | None) -> _Graph:
    """Return a graph in one of its orders, the same for most graphs that are alike, with a vertex the first."""
    size = range(len(masks))
    orders: Any = permutations(size) if len(masks) <= _MOST_SORTED else [sorted(size, key=lambda v: v != first)]
    return min(
        _Graph(tuple(tuple(states[i][j] for j in order) for i in order), tuple(masks[i] for i in order))
        for order in orders
        if first in (None, order[0])
    )


class _Graph(NamedTuple):
    """A small graph whose homomorphisms are counted: states of its pairs, and conditions of its vertices.

    The states of a pair are `ANY` if it is not joined, and else without `NONE`.
    """

    states: States
    masks: tuple[int, ...]

    @property
    def every(self) -> frozenset[int]:
        return frozenset(range(len(self.masks)))

    def near(self, v: int, within: Collection[int]) -> list[int]:
        return [w for w in within if w != v and self.states[v][w] != ANY]

    def reach(self, start: int, within: Collection[int]) -> frozenset[int]:
        """Return the vertices that are connected with one within some vertices."""
        found, new = {start}, [start]
        while new:
            new = [w for w in self.near(new.pop(), within) if w not in found] + new
            found.update(new)
        return frozenset(found)

    def components(self, within: Collection[int]) -> set[frozenset[int]]:
        return {self.reach(v, within) for v in within}

    def is_forest(self, within: Collection[int]) -> bool:
        edges = sum(len(self.near(v, within)) for v in within) // 2
        return edges == len(within) - len(self.components(within))

    def block(self, root: int, component: frozenset[int]) -> frozenset[int]:
        """Return the vertices that no single other one separates from the root, which is not in the component."""
        every = component | {root}
        cut = frozenset().union(*(component - {v} - self.reach(root, every - {v}) for v in component))
        return every - cut

    def vector(self, root: int, within: frozenset[int]) -> Vector:
        """Return the plan of the homomorphisms of the part that is connected with the root, by its rank."""
        components = self.components(self.reach(root, within) - {root})
        parts = [self.part(self.block(root, component), root, component) for component in components]
        return Vector(self.masks[root], tuple(sorted(parts, key=repr)))

    def whole(self) -> Vector:
        """Return the plan of all homomorphisms: the sum over the ranks."""
        every = self.every
        found = [self.block(v, part) for v in every for part in self.components(every - {v})]
        largest = max(found, key=len, default=every)
        if len(largest) < 3:
            return self.vector(max(every, key=lambda v: len(self.near(v, every))), every)
        for v in sorted(largest) if len(every) > 3 else ():
            if self.chord(largest, v) is not None:
                return self.vector(v, every)
        return Vector(0, (self.part(largest, None, every),))

    def chord(self, block: frozenset[int], root: int) -> int | None:
        """Return a vertex that is joined with the root, if all others of the block are joined with these two alone."""
        for v in self.near(root, block):
            others = block - {root, v}
            if all(
                not self.masks[w]
                and set(self.near(w, self.every)) == {root, v}
                and self.states[root][w] == self.states[v][w] == _EDGE
                for w in others
            ):
                return v
        return None

    def part(self, block: frozenset[int], root: int | None, within: frozenset[int]) -> Edge | Loops | Clique:
        """Return the plan of a block and all that hangs on its vertices but the root."""
        weights: dict[int, Vector] = {}
        for v in block - {root}:
            hanging = self.reach(v, within - block | {v})
            if len(hanging) > 1:
                weights[v] = self.vector(v, hanging)
        inner = [v for v in (root, *sorted(block - {root})) if v is not None]
        states = tuple(self.states[v][w] for v, w in combinations(inner, 2))
        bare = not weights and not any(self.masks[v] for v in inner)
        if bare and len(inner) > 2 and ANY not in states and (len(inner) == 3 or set(states) == {_EDGE}):
            return Clique(len(inner), states)
        if root is not None and (other := self.chord(block, root)) is not None:
            of_other = weights.get(other, Vector(self.masks[other], ()))
            return Edge(self.states[root][other], (of_other,), len(block) - 2)
        return self.loops(block, root, weights)

    def loops(self, block: frozenset[int], root: int | None, weights: dict[int, Vector]) -> Loops:
        """Return the programs of a block, with what hangs on its vertices but the root."""
        vectors = tuple(sorted(set(weights.values()), key=repr))
        weight_of = {v: vectors.index(weights[v]) if v in weights else -1 for v in block}
        roots = [v for v in sorted(block) if self.is_forest(block - {v})]
        if not roots:
            raise NoForestError
        programs: Counter[Program] = Counter()
        for size in range(1, len(roots) + 1):
            for met in combinations(roots, size):
                joint = {v: reduce(and_, (self.states[each][v] for each in met), ANY) for v in block.difference(met)}
                if 0 in joint.values() or any(self.near(v, met) for v in met):
                    continue
                nodes = {
                    v: (state % ANY, self.masks[v], v in roots, weight_of[v])  # no state if it is not near the root
                    for v, state in joint.items()
                }
                steps = _steps(self, nodes, None if root in met else root)
                mask = reduce(or_, (self.masks[v] for v in met))
                own = tuple(sorted(weight_of[v] for v in met if weight_of[v] >= 0))
                programs[Program(steps, mask, own)] += 1
        for program, times in list(programs.items()):
            before, last = program.steps[:-1], program.steps[-1]
            root_only, both = (program._replace(steps=(*before, (*last[:6], at, last[7]))) for at in (0, BOTH))
            if last[6] and programs[root_only] == times:
                del programs[program], programs[root_only]
                programs[both] = times
        return Loops(tuple((program, times) for program, times in programs.items() if times), vectors)


Node = tuple[int, int, int, int, tuple[Any, ...]]


def _steps(graph: _Graph, nodes: dict[int, tuple[int, int, bool, int]], collected: int | None) -> tuple[Any, ...]:
    """Return the steps of a forest that hangs on the root; a vertex is what it asks for."""

    def node(v: int, parent: int | None) -> Node:
        state, mask, bounded, weight = nodes[v]
        children = ((graph.states[v][c], node(c, v)) for c in graph.near(v, nodes) if c != parent)
        return state, mask, int(bounded), weight, tuple(sorted(children))

    made = _Steps({}, [])
    for tree in sorted(graph.components(nodes), key=lambda tree: (collected in tree, sorted(nodes[v] for v in tree))):
        targets = [collected] if collected in tree else sorted(tree)
        plans = [
            made.finish(node(v, None), collect=v == collected, pull=pull) for v in targets for pull in (True, False)
        ]
        made = min(plans, key=lambda plan: sum(20 ** step[-1] * (1 + (step[0] == PUSH)) for step in plan.steps))
    *before, last = made.steps
    if last[2] < 0 and before and before[-1][:3] == (TIMES, last[1], last[1]):  # a power that nothing else needs
        *before, power = before
        last = (*last[:4], power[6], *last[5:])
    return (*before, last)


class _Steps(NamedTuple):
    """Steps as `run_program` takes them, each with the distance from the root of the list that it walks."""

    vectors: dict[Node, int]
    steps: list[tuple[int, ...]]

    def finish(self, node: Node, *, collect: bool, pull: bool) -> _Steps:
        """Return these steps and those that add up a tree at one of its vertices."""
        new = _Steps(dict(self.vectors), list(self.steps))
        state, children = node[0], node[4]
        last = [child for child, times in Counter(children).items() if times == 1 and (state or len(children) > 1)]
        if last and pull:
            along, child = max(last, key=lambda each: _distance(each[1]))
            node = (*node[:4], tuple(each for each in children if each != (along, child)))
            of, bounded = new.vector(child), child[2]
        else:
            of, along, bounded = -1, 0, 0
        to = new.vector(node)
        # Along an edge between two ranks of one vector, each pair of them is met twice.
        twice = int(of == to and turned(along) == along)
        new.steps.append((FINISH, to, of, along, twice, bounded, int(collect), _distance(node) * (of >= 0)))
        return new

    def vector(self, node: Node) -> int:
        """Add the steps that fill the vector of a vertex, unless there are some, and return its number."""
        if node in self.vectors:
            return self.vectors[node]
        state, mask, bounded, weight, children = node
        to = -1
        if state:
            to = self._new(node)
            self.steps.append((INIT, to, -1, state, mask, bounded, weight, 0))
        counted = sorted(Counter(children).items(), key=lambda item: (_distance(item[0][1]), -item[1]))
        for place, ((along, child), times) in enumerate(counted):
            of = self.vector(child)
            if state:
                fresh = place == 0 and weight < 0
                self.steps.extend([(PULL, to, of, along, 0, child[2], 0, 1)] * (1 if fresh else times))
                sent, factors = to, (times - 1) * fresh
            else:
                sent = self._new((*node, place))
                self.steps.append((PUSH, sent, of, turned(along), mask, bounded, 0, _distance(child)))
                to, factors = (sent, times - 1) if place == 0 else (to, times)
            if factors:
                self.steps.append((TIMES, to, sent, 0, 0, 0, factors, 0))
        if not state and weight >= 0:
            self.steps.append((WEIGH, to, -1, 0, 0, 0, weight, 0))
        self.vectors[node] = to
        return to

    def _new(self, key: Any) -> int:  # noqa: ANN401 - a vertex, or a part of one
        return self.vectors.setdefault(key, 1 + max(self.vectors.values(), default=-1))


def _distance(node: Node) -> int:
    """Return the smallest number of steps from the root in which the list of a vertex is reached."""
    return 1 if node[0] else 1 + min(_distance(child) for _, child in node[4])


class Homomorphisms:
    """The vectors of some sums in a graph, each evaluated once.

    Parameters
    ----------
    oriented : Oriented
    rows : PatternRows
    flags : int32 array, shape (n,)
        Of each rank, the conditions that it meets.
    plan : list of tuple of (Vector, int)
        All sums that are wanted.
    threads : int
    progress : callable or None
    totals : bool
        Whether only the sum over all ranks of each sum counts.
    """

    def __init__(
        self,
        oriented: Oriented,
        rows: PatternRows,
        flags: Int32Array,
        plan: list[tuple[tuple[Vector, int], ...]],
        threads: int,
        progress: Progress | None,
        *,
        totals: bool,
    ) -> None:
        self._oriented, self._rows, self._flags, self._threads = oriented, rows, flags, threads
        passes = passes_of(plan, oriented)
        self._reports = iter(split(progress, [work + 1 for _, work in passes]))
        programs = (each for each, _ in passes if isinstance(each, Program))
        size = max((step[1] + 1 for program in programs for step in program.steps), default=0)
        n = oriented.num_vertices
        self._rooms = [
            Room(int_zeros((size, n)), np.zeros((size, n + 1), np.int32), int_zeros(size)) for _ in range(threads)
        ]
        self._cuts = blocks.cut(
            rows.ptr, len(rows.words) // (threads * _BLOCKS_PER_THREAD) + _LEAST_BLOCK, most=1 << 16
        )
        self._known: dict[Vector, Int64Array] = {}
        # Triangles alone are added up by type, without vertices.
        self._totals = totals and all(
            not vector.mask and [type(part) for part in vector.parts] == [Clique] for vector, _ in plan[0]
        )
        self._roles: Int64Array | None = None
        self._triangles: Int64Array | None = None

    def sum(self, terms: tuple[tuple[Vector, int], ...]) -> Int64Array:
        """Return a sum by rank: int64, shape (n,)."""
        total = int_zeros(self._oriented.num_vertices)
        for vector, times in terms:
            total += times * self._at(vector)
        return total

    def _at(self, vector: Vector) -> Int64Array:
        if vector not in self._known:
            found = (self._flags & vector.mask == vector.mask).astype(np.int64)
            for part in vector.parts:
                if part == _TRIANGLE and self._triangles is not None:
                    part = _SUM_OF_TRIANGLES  # noqa: PLW2901 - the same number
                if isinstance(part, Edge):
                    values = self._at(part.weights[0])
                    times = self._triangles_of_entries() ** part.shared if part.shared else None
                    self._run(multiply_along, [part.state], *self._rows[:2], part.state, times, values, found)
                else:
                    found *= self._clique(part) if isinstance(part, Clique) else self._loops(part)
            self._known[vector] = found
        return self._known[vector]

    def _triangles_of_entries(self) -> Int64Array:
        """Return the number of triangles at the edge of each entry of the rows."""
        if self._triangles is None:
            of_edges = run(EDGE_SUPPORT, self._oriented, threads=self._threads, device="cpu")
            self._triangles = frozen(of_edges.astype(np.int64)[self._rows.edges])
        return self._triangles

    def _clique(self, clique: Clique) -> Int64Array:
        oriented, progress = self._oriented, next(self._reports)
        machine: Any = {"threads": self._threads, "device": "cpu", "progress": progress or False}
        size, found = clique.size, int_zeros(oriented.num_vertices)
        if size > oriented.sizes.longest_row + 1:
            return found
        if size > 3:
            if self._totals:
                found[:1] = size * clique_totals(oriented, (size, size), simplices=False, **machine).get(size, 0)
            elif at_rank := clique_tables(oriented, (size, size), simplices=False, **machine)[0]:
                found = at_rank[size][0]
            return factorial(size - 1) * found
        if oriented.state is None:
            return 2 * run(TRIANGLES, oriented, **machine)
        if self._totals:
            found[:1] = run(CLOSED_TRIADS, oriented, **machine) @ _roles_of(clique.states)[ROLE_OF_CODE].sum(axis=0)
            return found
        if self._roles is None:
            self._roles = run(CLOSED_ROLES_OF_VERTICES, oriented, **machine)
        return self._roles @ _roles_of(clique.states)

    def _loops(self, loops: Loops) -> Int64Array:
        weights = [self._at(vector) for vector in loops.weights]
        sums = zeros(self._threads, self._oriented.num_vertices, np.int64)
        for program, times in loops.programs:
            own = times * self._at(Vector(program.mask, ()))
            for w in program.weights:
                own *= weights[w]
            steps = np.array(program.steps, np.int64)
            marked = Marked(*self._rows[:2], frozen(self._flags), frozen(np.stack([*weights, own])))
            states = steps[steps[:, 3] != 0, 3]
            self._run(run_program, states, marked, steps, own=[*zip(self._rooms, sums, strict=True)])
        return summed(sums, threads=self._threads)

    def _run(
        self,
        walk: Any,  # noqa: ANN401 - a kernel
        states: Collection[int],
        *shared: object,
        own: list[tuple[object, ...]] | None = None,
    ) -> None:
        """Run a kernel over the rows; it gets no words of entries if all states that it reads are those of any edge."""
        words = None if all(state == _EDGE for state in states) else self._rows.words
        of_worker = own or [()] * self._threads
        blocks.run_cuts(
            lambda worker, block: walk(block, words, *shared, *of_worker[worker]),
            self._cuts,
            threads=self._threads,
            progress=next(self._reports),
        )


def passes_of(
    plan: list[tuple[tuple[Vector, int], ...]], oriented: Oriented
) -> list[tuple[Edge | Clique | Program, float]]:
    """Return what reads the rows for some sums, in order, and its expected random writes, or what takes as long."""
    seen: set[Vector] = set()
    degree, above = oriented.degree, np.diff(oriented.indptr)
    entries, paths, bounded = 2.0 * oriented.num_edges, float(degree @ degree), float(above @ degree)
    further, every = max(1.0, paths / max(1.0, entries)), entries * len(degree)

    def of(vector: Vector) -> Iterator[Edge | Clique | Program]:
        if vector not in seen:
            seen.add(vector)
            for part in vector.parts:
                for inner in () if isinstance(part, Clique) else part.weights:
                    yield from of(inner)
                yield from (program for program, _ in part.programs) if isinstance(part, Loops) else (part,)

    def work_of(step: tuple[int, ...]) -> float:
        rows = bounded if step[5] else paths
        walked = rows if step[-1] == 1 else _FAR * min(rows * further ** (step[-1] - 1), every / (1 + 2 * step[5]))
        return walked * (step[-1] > 0) * (1 if step[0] == PUSH else _READ)

    def work(one: Edge | Clique | Program) -> float:
        if isinstance(one, Program):
            return entries + sum(map(work_of, one.steps))
        if isinstance(one, Edge):
            return _READ * entries + EDGE_SUPPORT.work(oriented.sizes) * bool(one.shared)
        return _READ * float(above @ above) * (one.size - 1)

    return [(one, work(one)) for terms in plan for vector, _ in terms for one in of(vector)]


@lru_cache(maxsize=256)
def images_in_triangles(states: tuple[int, ...]) -> tuple[list[tuple[int, ...]], ...]:
    """Return by the code of a triangle where the vertices of another one go that has these states: all its images."""
    triangles = [Shape(3, tuple(1 << state for state in states_of(code))) for code in range(64)]
    return tuple(
        [
            image
            for image in permutations(range(3))
            if all(
                allowed & states_between(one, *pair)
                for allowed, pair in zip(states, combinations(image, 2), strict=True)
            )
        ]
        for one in triangles
    )


@lru_cache(maxsize=256)
def _roles_of(states: tuple[int, ...]) -> Int64Array:
    """Return the maps of a triangle of these states by the role to which its first vertex goes: int64, shape (15,)."""
    found = int_zeros(len(CLOSED_ROLES))
    for code, images in enumerate(images_in_triangles(states)):
        if images:
            found[ROLE_OF_CODE[:, code]] = np.bincount([image[0] for image in images], minlength=3)
    return found
