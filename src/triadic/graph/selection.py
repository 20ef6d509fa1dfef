"""Vertices and edges that are chosen: arguments that name vertices, and the methods of `Graph` that find and leave out.

Where a graph has labels, arguments choose vertices, or hold a value for each of them, by label. Methods of `Graph` find
vertices by their labels, and leave out edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from math import inf, isnan
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.arguments import take_vertices, unmasked
from triadic.core.blocks import resolve_threads
from triadic.core.checked import checked, type_name
from triadic.core.oriented import starts_of
from triadic.errors import ArgumentError
from triadic.graph.labels import names_of, shown
from triadic.graph.makers import GraphMakers
from triadic.graph.orientation import orient_csr

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike

    from triadic.core.arcs import Arcs
    from triadic.core.array_types import AnyArray, BoolArray, Float64Array, Int64Array, IntegerArray
    from triadic.graph.labels import LabelledGraph

    Vertices = ArrayLike | AbstractSet[int | str] | Mapping[Any, bool]


@checked
class GraphSelection(GraphMakers):
    """Base class of `Graph`: the methods that find vertices by their labels, and that leave out edges."""

    __slots__ = ()

    if TYPE_CHECKING:  # defined by `Graph`

        @property
        def weights(self) -> Float64Array | None: ...  # noqa: D102
        @property
        def columns(self) -> Mapping[str, AnyArray]: ...  # noqa: D102
        @property
        def indptr(self) -> Int64Array: ...  # noqa: D102
        @property
        def indices(self) -> IntegerArray: ...  # noqa: D102

    def filter(self, *, weights: tuple[float | None, float | None] = (None, None), **columns: object) -> Self:
        """Return the graph with the edges whose weights and columns are as stated, and with all vertices.

        Parameters
        ----------
        weights : pair of float or None, default (None, None)
            Smallest and largest weight of the edges to keep, both included; None is no limit.
        **columns
            For a column of edges the values to keep: a pair, as of weights, of numbers or dates; or one value; or a
            list or a set of values. None is a missing value, which no pair includes.

        Returns
        -------
        Graph
            With the columns, labels, direction and origin of the graph, and with its record of what was `dropped`:
            edges that are left out do not count as dropped.

        Raises
        ------
        ArgumentError
            If the graph has no weights or no such column, if a pair is not in rising order, or if a value is not of the
            type of its column.

        Notes
        -----
        O(n + m).

        Examples
        --------
        >>> from triadic import Graph
        >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[1, 5, 9], columns={"kind": ["a", "b", "c"]})
        >>> graph.filter(weights=(2, None))
        Graph(undirected, 4 vertices, 2 edges, with weights and columns kind)
        >>> graph.filter(weights=(2, 5)).edges()
        (array([1], dtype=int32), array([2], dtype=int32))
        >>> graph.filter(kind={"a", "c"}).edges()
        (array([0, 2], dtype=int32), array([1, 3], dtype=int32))
        """
        indptr, indices, present = self.indptr, self.indices, self.columns
        keep = np.ones(len(indices), bool)
        low, high = _range_of(weights)
        if (low, high) != (-inf, inf):
            if self.weights is None:
                raise ArgumentError(
                    "weights: the graph has no weights; expected a graph that was made with weights, as by "
                    "triadic.read(file, weights=True) or Graph(object, weights=True)"
                )
            keep = (self.weights >= low) & (self.weights <= high)
        for name, wanted in columns.items():
            if name not in present:
                raise ArgumentError(f"{name}: the graph has no such column; {_known(present)}")
            keep &= holding(name, present[name], wanted)
        before, kept = starts_of(keep), indices[keep]
        taken = {name: values[keep] for name, values in present.items()}
        origin = self._origin
        if self._directed and origin.direction == "assumed":  # reverse arcs, which may be left out, tell directions
            edges = orient_csr(indptr, indices, directed=True, threads=resolve_threads(None)).num_edges
            origin = replace(origin, direction="stated") if len(indices) > edges else origin
        return self._with(csr=(before[indptr], kept), columns=taken, num_arcs=len(kept), oriented=None, origin=origin)


def _known(columns: Mapping[str, AnyArray]) -> str:
    return f"its columns are {', '.join(columns)}" if columns else "it has none"


def _range_of(weights: object) -> tuple[float, float]:
    """Check a pair of limits, each a number or None; return them as floats."""
    listed = weights.ravel().tolist() if isinstance(weights, np.ndarray) else weights
    pair = tuple(listed) if isinstance(listed, (tuple, list)) else ()
    wrong = any(limit is not None and (not isinstance(limit, Real) or isnan(limit)) for limit in pair)
    if len(pair) != 2 or wrong:
        raise ArgumentError(f"weights={weights!r}: expected a pair of numbers or None, such as (2, None)")
    low, high = (default if limit is None else float(limit) for limit, default in zip(pair, (-inf, inf), strict=True))
    if low > high:
        raise ArgumentError(f"weights={weights!r}: expected the smaller weight first")
    return low, high


# What the values of a column are, by the kind of its dtype; texts and other objects are of kinds O and U.
_KINDS = {"i": "numbers", "u": "numbers", "f": "numbers", "M": "dates", "b": "booleans"}


def holding(name: str, values: AnyArray, wanted: Any) -> BoolArray:  # noqa: ANN401 - a value, or several
    """Return where a column holds a value in a range, which is a pair, or one of some values."""
    first = next((value for value in values if value is not None), None)
    kind = "booleans" if isinstance(first, bool) else _KINDS.get(values.dtype.kind, "texts")
    if isinstance(wanted, tuple):
        if len(wanted) != 2 or kind not in ("numbers", "dates"):
            expected = "a pair, for a column of numbers or dates, or a list or set of values"
            raise ArgumentError(f"{name}={wanted!r}: expected {expected}")
        low, high = (None if limit is None else _typed(name, limit, kind) for limit in wanted)
        if low is not None and high is not None and low > high:
            raise ArgumentError(f"{name}={wanted!r}: expected the smaller value first")
        keep = ~_missing(values)
        keep = keep if low is None else keep & (values >= low)
        return keep if high is None else keep & (values <= high)
    listed = wanted.tolist() if isinstance(wanted, np.ndarray) else wanted
    items = set(listed) if isinstance(listed, (list, AbstractSet)) else {listed}
    some = {_typed(name, item, kind) for item in items if item is not None}
    if values.dtype.kind in "OU":
        keep = np.fromiter((value in some for value in values.tolist()), bool, count=len(values))
    else:
        keep = np.isin(values, np.array(list(some), values.dtype if kind == "dates" else None))
    return keep | _missing(values) if None in items else keep


def _typed(name: str, item: Any, kind: str) -> Any:  # noqa: ANN401 - a value of a column
    """Return a value as one of a column of some kind."""
    if kind == "dates":
        with suppress(TypeError, ValueError):
            return np.datetime64(item)
    elif isinstance(item, (Real, np.bool_)) == (kind != "texts"):
        return item
    raise ArgumentError(f"{name}: the column holds {kind}, got {item!r}")


def _missing(values: AnyArray) -> BoolArray:
    """Return where values are None, NaN or NaT."""
    return values != values if values.dtype.kind != "O" else np.array([value is None for value in values], bool)  # noqa: PLR0124 - NaN


def induced(arcs: Arcs, vertices: Int64Array) -> Arcs:
    """Return the arcs between some of the vertices. O(arcs + vertices).

    The new vertex i is ``vertices[i]``, each of which is given once, and those without a label last; its label is the
    old label, or the old number if the arcs have no labels.
    """
    new = np.full(arcs.vertices, -1, arcs.source.dtype)
    new[vertices] = np.arange(len(vertices))
    inside = (new[arcs.source] >= 0) & (new[arcs.target] >= 0)
    names, kept = np.arange(arcs.vertices) if arcs.labels is None else arcs.labels, taken(arcs, inside)
    return replace(
        kept,
        source=new[kept.source],
        target=new[kept.target],
        vertices=len(vertices),
        labels=names[vertices[vertices < len(names)]],
        vertex_columns={name: values[vertices] for name, values in arcs.vertex_columns.items()},
    )


def taken(arcs: Arcs, chosen: BoolArray) -> Arcs:
    """Return the arcs that a mask chooses."""
    return replace(
        arcs,
        source=arcs.source[chosen],
        target=arcs.target[chosen],
        weights=None if arcs.weights is None else arcs.weights[chosen],
        columns={name: values[chosen] for name, values in arcs.columns.items()},
    )


_KEY = "label"  # column that names the rows of a table, as in the tables that triadic returns
_BOOLEANS = (bool, np.bool_)


def chosen_vertices(vertices: Vertices, graph: LabelledGraph, *, once: bool = False) -> Int64Array:
    """Return the numbers of some vertices of a graph.

    Parameters
    ----------
    vertices : array_like or set of labels, or array_like or mapping of bool
        The vertices by label, or by number if the graph has no labels; or a mask, aligned as by `values_at_vertices`.
    graph : Graph or TiledGraph
        The graph.
    once : bool, default False
        Whether to refuse a vertex that is given twice.

    Returns
    -------
    int64 array
        Vertices in their order, with repeats; those of a mask or a set in rising order.

    Raises
    ------
    ArgumentError
        If a vertex does not exist, or two vertices have its label; or if a mask cannot be aligned.
    """
    if isinstance(vertices, str):
        text = repr(vertices[:200])
        raise ArgumentError(f"vertices={text}: expected a list of vertices, such as [{text}]")
    if isinstance(vertices, np.ma.MaskedArray):
        vertices = unmasked("vertices", vertices)
    rows = _rows("vertices", vertices, graph)
    if rows.named_by in ("mapping", "column") or _hold_booleans(rows.values):
        mask, n = _aligned("vertices", rows, graph), graph.num_vertices
        if mask.shape != (n,):
            raise ArgumentError(f"vertices: expected a mask of shape ({n},), got {mask.shape}")
        wrong = [value for value in mask.tolist() if not isinstance(value, _BOOLEANS)]
        if wrong:
            raise ArgumentError(f"vertices: expected a mask of True and False, got {shown(wrong)}")
        return np.flatnonzero(mask)
    chosen = _by_label_or_number(rows.values, graph)
    if once and len(number := np.unique(chosen)) < len(chosen):
        repeated: AnyArray = number[np.bincount(chosen)[number] > 1]
        names = repeated if graph.labels is None else graph.labels[repeated]
        raise ArgumentError(f"vertices: expected each vertex once, got more often {shown(names.tolist())}")
    return np.sort(chosen) if isinstance(vertices, AbstractSet) else chosen


def values_at_vertices(argument: str, values: Any, graph: LabelledGraph) -> AnyArray:  # noqa: ANN401 - see below
    """Return values in the order of the vertices of a graph.

    Parameters
    ----------
    argument : str
        Name of the argument, for the errors.
    values : mapping, Series, table or array_like
        A mapping from labels; a Series or DataFrame of pandas whose index has the labels; or a table of any library
        whose column "label" has them. Rows of other labels are left out. An array, a list or a Series without an index
        is in the order of the vertices.
    graph : Graph or TiledGraph
        The graph. The numbers of the vertices are the labels of a graph that has none.

    Returns
    -------
    array
        A row for each vertex, in which missing values are None or NaN; an array as it is, for the caller to check.

    Raises
    ------
    ArgumentError
        If a vertex has no row or several, or if nothing names the rows of a table.
    """
    names = [values] if isinstance(values, str) else values if argument == "positions" else ()
    if isinstance(names, (list, tuple)) and names and all(isinstance(name, str) for name in names):
        known = getattr(graph, "vertex_columns", {})
        strange = next((name for name in names if name not in known), None)
        if strange is not None:
            raise ArgumentError(f"{argument}: no column of the vertices is named {strange!r}; {_known(known)}")
        return known[values] if isinstance(values, str) else np.stack([known[name] for name in names], axis=1)
    return _aligned(argument, _rows(argument, values, graph), graph)


class _Rows(NamedTuple):
    """Values as they were given: what names them ("mapping", "index", "column" or ""), their labels, and themselves."""

    named_by: str
    labels: list[Any]
    values: Any


def _rows(argument: str, values: Any, graph: LabelledGraph) -> _Rows:  # noqa: ANN401 - see values_at_vertices
    if isinstance(values, Mapping):
        return _Rows("mapping", list(values), list(values.values()))
    if isinstance(values, (list, tuple, range, AbstractSet)):
        return _Rows("", [], list(values))
    index = getattr(values, "index", None)
    names = getattr(values, "column_names", getattr(values, "columns", None))
    try:
        named_by, labels = ("", []) if index is None or callable(index) else ("index", index.tolist())
        if names is None:
            return _Rows(named_by, labels, _array(values))
        if _KEY in names:
            named_by, labels = "column", _array(values[_KEY]).tolist()
        columns = [_array(values[name]) for name in names if name != _KEY]
        array = columns[0] if len(columns) == 1 else np.stack(columns, axis=1)
    except (AttributeError, TypeError, ValueError):
        raise ArgumentError(f"{argument}: got {type_name(values)}; expected a table in memory, with values") from None
    if not named_by and graph.labels is not None:
        raise ArgumentError(
            f'{argument}: expected a table with the labels of the vertices in a column "{_KEY}", got the columns '
            f"{shown(list(names))}; rename the column that has them"
        )
    return _Rows(named_by, labels, array)


def _array(values: Any) -> AnyArray:  # noqa: ANN401 - a list, or an array of any library
    """Return values as an array; a list as objects, so that numbers beside strings stay what they are."""
    if isinstance(values, list):
        try:
            return np.array(values, object)
        except ValueError:  # lists of different lengths
            return np.empty(0, object)
    if np.ma.is_masked(values):
        return np.asarray(np.where(np.ma.getmaskarray(values), None, values.data))
    if hasattr(values, "isna") and values.isna().any():  # of pandas, whose NA is neither true nor false
        return np.asarray(values.astype(object).where(values.notna(), None))
    return np.asarray(values)


def _aligned(argument: str, rows: _Rows, graph: LabelledGraph) -> AnyArray:
    """Return the values of each vertex, or the values as they are if nothing names them."""
    array, labels, n = _array(rows.values), graph.labels, graph.num_vertices
    if not rows.named_by:
        return array
    if labels is not None and labels.dtype == object:
        given: list[Any] = names_of(rows.labels)
    else:  # 3.0 and True are equal to labels, but are none
        given = [label if type(label) is int or isinstance(label, np.integer) else repr(label) for label in rows.labels]
    row_of = dict(zip(given, range(len(given)), strict=True))
    if len(row_of) < len(given):
        repeated = [label for label, times in Counter(given).items() if times > 1]
        raise ArgumentError(f"{argument}: the {rows.named_by} has more than one row for {shown(repeated)}")
    wanted: list[Any] = list(range(n)) if labels is None else labels.tolist()
    missing = [label for label in wanted if label not in row_of]
    remedy = f"expected all {n:,} vertices by label"
    if rows.named_by == "index":
        names = "numbers" if labels is None else "labels"
        remedy = f"set it to the {names} of the vertices, or pass .to_numpy() if the rows are in their order"
    if missing or len(wanted) < n:
        lacks = f"the label {shown(missing)}" if missing else f"vertex {len(wanted)}, which has no label"
        begin = f", and begins with {shown(rows.labels[:3])}" if rows.labels else ""
        raise ArgumentError(f"{argument}: the {rows.named_by} lacks {lacks}{begin}; {remedy}")
    if labels is None and len(row_of) > n:
        strange = [label for label in rows.labels if label not in range(n)]
        raise ArgumentError(f"{argument}: the {rows.named_by} has {shown(strange)}, expected numbers below {n:,}")
    return array[[row_of[label] for label in wanted]]


def _by_label_or_number(items: Any, graph: LabelledGraph) -> Int64Array:  # noqa: ANN401 - list or array
    """Return the vertices of labels, or of numbers if the graph has no labels."""
    labels, n = graph.labels, graph.num_vertices
    array = None if labels is not None and isinstance(items, list) else np.asarray(items)
    if array is not None and (array.ndim != 1 or (labels is None and array.dtype.kind in "iuf")):
        numbers, least = take_vertices("vertices", array)
        if least > n:
            raise ArgumentError(f"vertices: expected numbers below {n}, got {shown(numbers[numbers >= n].tolist())}")
        return numbers.astype(np.int64)
    try:
        found: Int64Array = graph.index(items)
    except ArgumentError as error:
        raise ArgumentError(f"vertices: {error}") from None
    return found


def _hold_booleans(items: Any) -> bool:  # noqa: ANN401 - a list or an array
    if isinstance(items, np.ndarray) and (items.dtype != object or items.ndim != 1):
        return bool(items.dtype == bool)
    return any(isinstance(item, _BOOLEANS) for item in items)
