"""The conditions of a pattern on the columns of a graph: flags of vertices and of arcs, and codes to compare.

A condition on one vertex or one arc with a value becomes a flag wherever it is met; a comparison of two columns becomes
two arrays of codes in the order of the values. A missing value meets no condition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.memory import check_memory
from triadic.core.pattern import Term, has_arc, states_between
from triadic.devices.cpu.patterns.matcher import FIRST_FLAG
from triadic.errors import ArgumentError, shown
from triadic.graph.graph import entry_values
from triadic.graph.weights import WEIGHT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triadic.core.array_types import AnyArray, BoolArray, Int32Array, Int64Array
    from triadic.core.pattern import Condition, Shape
    from triadic.graph.graph import Graph

    _Side = tuple[int, tuple[int, ...]]

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
_CODES = {"<": 1, "=": 2, "<=": 3, ">": 4, "!=": 5, ">=": 6}  # see `Comparisons`


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
    flags = np.full(n, ((1 << shape.size) - 1) << FIRST_FLAG, dtype=np.int32)
    arcs: dict[tuple[int, ...], BoolArray] = {}
    comparisons, codes, start = [], [np.zeros(0, dtype=np.int64)], 0
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
        exists = np.zeros(n, dtype=bool)
        exists[: len(known[name])], values = _present(known[name])
        return exists, values
    if graph.directed and not has_arc(states_between(shape, *term.vertices)):
        raise ArgumentError(
            f"pattern: a condition on {term.column!r} belongs to an arc, and this pair may have either direction; name "
            "the direction, as by A -> B"
        )
    column = entry_values(graph, name, threads=None)
    state = graph.oriented().state
    both = np.concatenate([column.out, column.out if column.into is None else column.into])
    exists = np.ones(len(both), dtype=bool) if state is None else np.concatenate([state & 1, state & 2]) != 0
    exists[exists], values = _present(both[exists])
    return exists, values


def _present(values: AnyArray) -> tuple[BoolArray, AnyArray]:
    """Return where an array has values, and these values, of texts as an array of str."""
    if values.dtype.kind == "O":
        present = np.array([value is not None and value == value for value in values.tolist()], dtype=bool)  # noqa: PLR0124 - NaN
        return present, np.array(values[present].tolist())
    present = values == values  # noqa: PLR0124 - NaN and NaT
    return present, values[present]


def _meets(values: tuple[BoolArray, AnyArray], condition: Condition) -> BoolArray:
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
    number = np.unique(np.concatenate([left, right]), return_inverse=True)[1].reshape(-1) if kinds else np.zeros(0, int)
    for exists, codes in ((first, number[: len(left)]), (second, number[len(left) :])):
        found.append(np.full(len(exists), -1, dtype=np.int64))
        found[-1][exists] = codes
    return found
