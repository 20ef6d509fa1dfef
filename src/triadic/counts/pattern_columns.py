"""The conditions of a pattern on the columns of a graph: flags of vertices and of arcs, and codes to compare.

A condition on one vertex or one arc with a value becomes a flag wherever it is met; a comparison of two columns becomes
two arrays of codes in the order of the values. A missing value meets no condition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.memory import check_memory
from triadic.core.pattern import FORWARD, MUTUAL, Term, pair_index
from triadic.devices.cpu.patterns.matcher import AT_MOST, EQUAL, FIRST_FLAG, LESS, UNEQUAL
from triadic.errors import ArgumentError, shown
from triadic.graph.graph import entry_values
from triadic.graph.weights import WEIGHT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triadic.core.array_types import AnyArray, BoolArray, Int32Array, Int64Array
    from triadic.core.pattern import Condition, Shape
    from triadic.graph.graph import Graph

_KINDS = {"i": "numbers", "u": "numbers", "f": "numbers", "M": "dates", "b": "booleans", "U": "texts"}
_OPERATORS: dict[str, Any] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "contains": lambda values, part: np.char.find(values, part) >= 0,
}
_CODES = {"=": EQUAL, "!=": UNEQUAL, "<": LESS, "<=": AT_MOST}


class Prepared(NamedTuple):
    """The conditions of a pattern in a graph.

    Attributes
    ----------
    flags : int32 array, shape (n,)
        Of each rank, bit ``FIRST_FLAG + i`` if it meets the conditions of vertex i alone.
    arcs : dict of bool array, shape (2, m)
        By tail and head in the pattern, whether arcs from and to the larger rank, by entry, meet the conditions.
    comparisons : list of (vertices, operator, left, right)
        The vertices compared; both sides as where its codes begin, tail, and head or None.
    codes : int64 array
    """

    flags: Int32Array
    arcs: dict[tuple[int, int], BoolArray]
    comparisons: list[tuple[set[int], int, _Side, _Side]]
    codes: Int64Array


class _Side(NamedTuple):
    start: int
    tail: int
    head: int | None


def prepare(graph: Graph, shape: Shape) -> Prepared:
    """Find where the conditions of a pattern are met.

    Raises
    ------
    ArgumentError
        If a column does not exist, a value is not of its kind, or the condition of an arc has no direction.
    """
    oriented = graph.oriented()
    n, m = graph.num_vertices, graph.num_edges
    _check_terms(graph, shape)
    sizes = sum(len(term.vertices) * (n if len(term.vertices) == 1 else m) for term in _terms(shape))
    check_memory(40 * sizes, "the values of the columns of a pattern", "name fewer conditions in it")
    flags = np.full(n, ((1 << shape.size) - 1) << FIRST_FLAG, dtype=np.int32)
    arcs: dict[tuple[int, int], BoolArray] = {}
    comparisons, codes, start = [], [], 0
    for condition in shape.conditions:
        term, other = condition.left, condition.right
        values = _values(graph, term)
        if not isinstance(other, Term):
            met = _meets(values, condition, _name(term))
            if len(term.vertices) == 1:
                flags[oriented.rank] &= ~(np.where(met, 0, 1 << FIRST_FLAG + term.vertices[0]).astype(np.int32))
            else:
                tail, head = term.vertices if graph.directed else sorted(term.vertices)
                arcs[tail, head] = arcs.get((tail, head), True) & met.reshape(2, m)
            continue
        pair = [(term, values), (other, _values(graph, other))]
        if condition.operator in (">", ">="):
            pair.reverse()
        sides = []
        for (one, _), found in zip(pair, _codes([values for _, values in pair], condition), strict=True):
            codes.append(found if len(one.vertices) == 2 else found[oriented.order])
            sides.append(_Side(start, one.vertices[0], one.vertices[1] if len(one.vertices) == 2 else None))
            start += len(found)
        operator = _CODES[condition.operator.replace(">", "<")]
        comparisons.append(({*term.vertices, *other.vertices}, operator, *sides))
    return Prepared(flags, arcs, comparisons, np.concatenate([*codes, np.zeros(0, dtype=np.int64)]))  # type: ignore[arg-type]


def _terms(shape: Shape) -> list[Term]:
    sides = [side for condition in shape.conditions for side in (condition.left, condition.right)]
    return [side for side in sides if isinstance(side, Term)]


def _check_terms(graph: Graph, shape: Shape) -> None:
    """Raise for a column that does not exist, and for an arc without a direction."""
    for term in _terms(shape):
        of_vertex = len(term.vertices) == 1
        known = ["label", *graph.vertex_columns] if of_vertex else list(graph.columns)
        own = graph.origin.weight
        if term.column not in known and not (not of_vertex and term.column == own and WEIGHT in known):
            what = "vertices" if of_vertex else "arcs" if graph.directed else "edges"
            listed = ", ".join(known) or "none"
            raise ArgumentError(f"pattern: {term.column!r} is no column of the {what}; expected one of: {listed}")
        if not of_vertex:
            low, high = sorted(term.vertices)
            states = shape.allowed[pair_index(low, high)]
            one_way = 1 << (FORWARD if low == term.vertices[0] else 3 - FORWARD) | 1 << MUTUAL
            if graph.directed and states & ~one_way:
                raise ArgumentError(
                    f"pattern: a condition on {term.column!r} belongs to an arc, and this pair may have either "
                    "direction; name the direction, as by A -> B"
                )


def _name(term: Term) -> str:
    return f"the column {term.column!r}"


def _values(graph: Graph, term: Term) -> tuple[BoolArray, AnyArray]:
    """Return where a column has values, by vertex or by entry from and to the larger rank, and those values."""
    if len(term.vertices) == 1:
        if term.column != "label" or "label" in graph.vertex_columns:
            return _present(graph.vertex_columns[term.column])
        labels = graph.labels
        if labels is None:
            return _present(np.arange(graph.num_vertices))
        exists = np.arange(graph.num_vertices) < len(labels)
        present, values = _present(labels)
        exists[: len(labels)] = present
        return exists, values
    known: Mapping[str, AnyArray] = graph.columns
    column = entry_values(
        graph, WEIGHT if term.column == graph.origin.weight and WEIGHT in known else term.column, threads=None
    )
    state = graph.oriented().state
    both = np.concatenate([column.out, column.out if column.into is None else column.into])
    exists = np.ones(len(both), dtype=bool) if state is None else np.concatenate([state & 1, state & 2]) != 0
    present, values = _present(both[exists])
    exists[exists] = present
    return exists, values


def _present(values: AnyArray) -> tuple[BoolArray, AnyArray]:
    """Return where an array has values, and these values, of texts as an array of str."""
    if values.dtype.kind == "O":
        present = np.array([value is not None and value == value for value in values.tolist()], dtype=bool)  # noqa: PLR0124 - NaN
        return present, np.array(values[present].tolist())
    present = values == values  # noqa: PLR0124 - NaN and NaT
    return present, values[present]


def _meets(values: tuple[BoolArray, AnyArray], condition: Condition, name: str) -> BoolArray:
    """Return where a column meets a condition with a value."""
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
        if not fits.get(kind, isinstance(value, str)) or (condition.operator == "contains" and kind != "texts"):
            raise ArgumentError(
                f"pattern: {name} holds {kind}, and {condition.operator} {shown(value)} compares it with something "
                f"else; compare it with one of its {kind}, such as {shown(present[0].item())}"
            )
    compare = _OPERATORS["=" if condition.operator == "in" else condition.operator]
    typed = [np.datetime64(str(value)) if kind == "dates" else value for value in wanted]
    met[met] = np.logical_or.reduce([compare(present, value) for value in typed]) if typed else False
    return met


def _codes(columns: list[tuple[BoolArray, AnyArray]], condition: Condition) -> list[Int64Array]:
    """Return codes of two columns in the order of their values together, -1 where there is none."""
    (first, left), (second, right) = columns
    kinds = [_KINDS[values.dtype.kind] for values in (left, right) if len(values)]
    if len(set(kinds)) == 2 or condition.operator not in ("=", "!=", "<", "<=", ">", ">="):
        raise ArgumentError(
            f"pattern: {condition.operator} cannot compare {' with '.join(kinds)}; compare two columns of one kind by "
            "=, !=, <, <=, > or >="
        )
    found = []
    number = np.unique(np.concatenate([left, right]), return_inverse=True)[1].reshape(-1) if kinds else np.zeros(0, int)
    for exists, codes in ((first, number[: len(left)]), (second, number[len(left) :])):
        found.append(np.full(len(exists), -1, dtype=np.int64))
        found[-1][exists] = codes
    return found
