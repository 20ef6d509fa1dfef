"""How a pattern is matched in a graph: its conditions on columns, the order of its vertices, and a `Matcher`'s plan.

A condition on one vertex or one arc with a value becomes a flag wherever it is met; a comparison of two columns becomes
two arrays of codes in the order of the values. A missing value meets no condition.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.memory import check_memory
from triadic.core.oriented import NO_NUMBERS, Oriented, frozen, int_zeros, rows_of_entries
from triadic.core.pattern import (
    ANY,
    BACKWARD,
    FORWARD,
    MUTUAL,
    NONE,
    Shape,
    Term,
    automorphisms_of,
    has_arc,
    states_between,
)
from triadic.core.records import cached_property
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
from triadic.errors import ArgumentError, shown
from triadic.graph.graph import entry_values
from triadic.graph.weights import WEIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from triadic.core.array_types import AnyArray, BoolArray, Int32Array, Int64Array
    from triadic.core.pattern import Condition
    from triadic.graph.graph import Graph

    Permutation = tuple[int, ...]
    _Side = tuple[int, tuple[int, ...]]

_ROWS: WeakKeyDictionary[Oriented, PatternRows] = WeakKeyDictionary()
_COLUMNS: WeakKeyDictionary[Graph, dict[str, tuple[BoolArray, AnyArray]]] = WeakKeyDictionary()  # of vertices
_CLOSING = 0.05  # assumed probability that two vertices with a common neighbour are joined
_KINDS = {"i": "numbers", "u": "numbers", "f": "numbers", "M": "dates", "b": "booleans", "U": "texts"}
_OPERATORS: dict[str, Any] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "contains": lambda values, part: np.char.find(values, part) >= 0,
    "within": lambda values, whole: np.char.find(whole, values) >= 0,
}
_CODES = {"<": 1, "=": 2, "<=": 3, ">": 4, "!=": 5, ">=": 6}  # see `Comparisons`


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
        steps = Steps(*map(int_zeros, ((k,), (k, 2), (k, 2), (k,), (k, k), (k, k), (k,))))
        for d, vertex in enumerate(order):
            steps.flags[d] = BOUND | 1 << FIRST_FLAG + vertex, 1 << FIRST_FLAG + vertex
            if d == 0:
                continue
            states = [states_between(shape, earlier, vertex) for earlier in order[:d]]
            anchor = steps.anchor[d] = max(e for e, state in enumerate(states) if not state & 1 << NONE)
            steps.entry[d] = _bits(states[anchor])
            for e, state in enumerate(states):
                if e != anchor and state != ANY:
                    steps.flags[d] += np.array(_bits(state)) << STATE_BITS * e
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
        return steps, Comparisons(np.array(table, np.int64).reshape(-1, 8), self.prepared.codes)

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


class Prepared(NamedTuple):
    """The conditions of a pattern in a graph.

    Attributes
    ----------
    flags : int32 array, shape (n,)
        Of each rank, bit ``FIRST_FLAG + i`` if it meets the conditions of vertex i alone.
    arcs : dict of bool array, shape (2, m)
        By tail and head in the pattern, whether arcs from and to the larger rank, by entry, meet the conditions.
    comparisons : list of (operator, left, right)
        Both sides as where its codes begin, and its vertex, or its tail and its head.
    codes : int64 array
    """

    flags: Int32Array
    arcs: dict[tuple[int, ...], BoolArray]
    comparisons: list[tuple[int, tuple[_Side, ...]]]
    codes: Int64Array


def prepare(graph: Graph, shape: Shape) -> Prepared:
    """Find where the conditions of a pattern are met.

    Raises
    ------
    ArgumentError
        If a column does not exist, a value is not of its kind, or the condition of an arc has no direction.
    """
    oriented = graph.oriented()
    n, m = graph.num_vertices, graph.num_edges
    terms = [side for each in shape.conditions for side in (each.left, each.right) if isinstance(side, Term)]
    sizes = sum(n if len(term.vertices) == 1 else 2 * m for term in terms)
    check_memory(40 * sizes, "the values of the columns of a pattern", "name fewer conditions in it")
    flags = np.full(n, ((1 << shape.size) - 1) << FIRST_FLAG, np.int32)
    arcs: dict[tuple[int, ...], BoolArray] = {}
    comparisons, codes, start = [], [NO_NUMBERS], 0
    for condition in shape.conditions:
        term, other = condition.left, condition.right
        if not isinstance(other, Term):
            met = _meets(_values(graph, shape, term), condition)
            if len(term.vertices) == 1:
                flags[oriented.rank] &= ~(np.where(met, 0, 1 << FIRST_FLAG + term.vertices[0]).astype(np.int32))
            else:
                arc = term.vertices if graph.directed else tuple(sorted(term.vertices))
                arcs[arc] = arcs.get(arc, True) & met.reshape(2, m)
            continue
        pair, sides = (term, other), []
        for side, found in zip(pair, _codes([_values(graph, shape, side) for side in pair], condition), strict=True):
            codes.append(found if len(side.vertices) == 2 else found[oriented.order])
            sides.append((start, side.vertices))
            start += len(found)
        comparisons.append((_CODES[condition.operator], tuple(sides)))
    return Prepared(flags, arcs, comparisons, np.concatenate(codes))


def _values(graph: Graph, shape: Shape, term: Term) -> tuple[BoolArray, AnyArray]:
    """Return where a column has values, by vertex or by entry from and to the larger rank, and those values.

    Raise for a column that does not exist, and for an arc without a direction.
    """
    of_vertex, name, n = len(term.vertices) == 1, term.column, graph.num_vertices
    known: Mapping[str, AnyArray] = graph.columns
    if of_vertex:
        known = {"label": np.arange(n) if graph.labels is None else graph.labels, **graph.vertex_columns}
    elif name == graph.origin.weight and WEIGHT in known:
        name = WEIGHT
    if name not in known:
        what = "vertices" if of_vertex else "arcs" if graph.directed else "edges"
        listed = ", ".join(known) or "none"
        raise ArgumentError(f"pattern: {name!r} is no column of the {what}; expected one of: {listed}")
    if of_vertex:
        columns = _COLUMNS.setdefault(graph, {})
        if name not in columns:
            exists = np.zeros(n, bool)
            exists[: len(known[name])], values = _present(known[name])
            columns[name] = exists, values
        return columns[name]
    if graph.directed and not has_arc(states_between(shape, *term.vertices)):
        raise ArgumentError(
            f"pattern: a condition on {term.column!r} belongs to an arc, and this pair may have either direction; name "
            "the direction, as by A -> B"
        )
    column = entry_values(graph, name, threads=None)
    state = graph.oriented().state
    both = np.concatenate([column.out, column.out if column.into is None else column.into])
    exists = np.ones(len(both), bool) if state is None else np.concatenate([state & 1, state & 2]) != 0
    exists[exists], values = _present(both[exists])
    return exists, values


def _present(values: AnyArray) -> tuple[BoolArray, AnyArray]:
    """Return where an array has values, and these values, of texts as an array of str."""
    if values.dtype.kind == "O":
        present = np.array([value is not None and value == value for value in values.tolist()], bool)  # noqa: PLR0124 - NaN
        return present, np.array(values[present].tolist())
    present = values == values  # noqa: PLR0124 - NaN and NaT
    return present, values[present]


def _meets(values: tuple[BoolArray, AnyArray], condition: Condition) -> BoolArray:
    """Return where a column meets a condition with a value."""
    if condition.operator.startswith("not "):
        positive: Any = condition.operator.removeprefix("not ")
        met = ~_meets(values, replace(condition, operator=positive))
        return met if positive == "=" else met & values[0]
    met, present = values[0].copy(), values[1]
    if not len(present):
        return met
    kind = _KINDS[present.dtype.kind]
    wanted = condition.right if isinstance(condition.right, tuple) else (condition.right,)
    for value in wanted:
        fits = {
            "booleans": isinstance(value, bool),
            "numbers": isinstance(value, int | float) and not isinstance(value, bool),
        }
        if not fits.get(kind, isinstance(value, str)) or (
            condition.operator in ("contains", "within") and kind != "texts"
        ):
            raise ArgumentError(
                f"pattern: the column {condition.left.column!r} holds {kind}, and {condition.operator} {shown(value)} "
                f"compares it with something else; compare it with one of its {kind}, such as "
                f"{shown(present[0].item())}"
            )
    compare = _OPERATORS["=" if condition.operator == "in" else condition.operator]
    typed = [np.datetime64(str(value)) if kind == "dates" else value for value in wanted]
    met[met] = np.logical_or.reduce([compare(present, value) for value in typed]) if typed else False
    return met


def _codes(columns: list[tuple[BoolArray, AnyArray]], condition: Condition) -> list[Int64Array]:
    """Return codes of two columns in the order of their values together, -1 where there is none."""
    (first, left), (second, right) = columns
    kinds = [_KINDS[values.dtype.kind] for values in (left, right) if len(values)]
    if len(set(kinds)) == 2 or condition.operator not in _CODES:
        raise ArgumentError(
            f"pattern: {condition.operator} cannot compare {' with '.join(kinds)}; compare two columns of one kind by "
            "=, !=, <, <=, > or >="
        )
    found = []
    number = np.unique(np.concatenate([left, right]), return_inverse=True)[1].reshape(-1) if kinds else NO_NUMBERS
    for exists, codes in ((first, number[: len(left)]), (second, number[len(left) :])):
        found.append(np.full(len(exists), -1, np.int64))
        found[-1][exists] = codes
    return found
