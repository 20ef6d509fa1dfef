"""Arguments that choose vertices, or hold a value for each of them: by label where a graph has labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.arguments import take_vertices, unmasked
from triadic.core.checked import type_name
from triadic.errors import ArgumentError
from triadic.graph.labels import names_of, shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from triadic.graph.labels import LabelledGraph

    Vertices = ArrayLike | AbstractSet[int | str] | Mapping[Any, bool]

_KEY = "label"  # column that names the rows of a table, as in the tables that triadic returns
_BOOLEANS = (bool, np.bool_)


def chosen_vertices(
    argument: str, vertices: Vertices, graph: LabelledGraph, *, once: bool = False
) -> NDArray[np.int64]:
    """Return the numbers of some vertices of a graph.

    Parameters
    ----------
    argument : str
        Name of the argument, for the errors.
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
        raise ArgumentError(f"{argument}={text}: expected a list of vertices, such as [{text}]")
    if isinstance(vertices, np.ma.MaskedArray):
        vertices = unmasked(argument, vertices)
    rows = _rows(argument, vertices, graph)
    if rows.named_by in ("mapping", "column") or _hold_booleans(rows.values):
        mask, n = _aligned(argument, rows, graph), graph.num_vertices
        if mask.shape != (n,):
            raise ArgumentError(f"{argument}: expected a mask of shape ({n},), got {mask.shape}")
        wrong = [value for value in mask.tolist() if not isinstance(value, _BOOLEANS)]
        if wrong:
            raise ArgumentError(f"{argument}: expected a mask of True and False, got {shown(wrong)}")
        return np.flatnonzero(mask)
    chosen = _by_label_or_number(argument, rows.values, graph)
    if once and len(number := np.unique(chosen)) < len(chosen):
        repeated: NDArray[Any] = number[np.bincount(chosen)[number] > 1]
        names = repeated if graph.labels is None else graph.labels[repeated]
        raise ArgumentError(f"{argument}: expected each vertex once, got more often {shown(names.tolist())}")
    return np.sort(chosen) if isinstance(vertices, AbstractSet) else chosen


def values_at_vertices(argument: str, values: Any, graph: LabelledGraph) -> NDArray[Any]:  # noqa: ANN401 - see below
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


def _array(values: Any) -> NDArray[Any]:  # noqa: ANN401 - a list, or an array of any library
    """Return values as an array; a list as objects, so that numbers beside strings stay what they are."""
    if isinstance(values, list):
        try:
            return np.array(values, dtype=object)
        except ValueError:  # lists of different lengths
            return np.empty(0, dtype=object)
    if np.ma.is_masked(values):
        return np.asarray(np.where(np.ma.getmaskarray(values), None, values.data))
    if hasattr(values, "isna") and values.isna().any():  # of pandas, whose NA is neither true nor false
        return np.asarray(values.astype(object).where(values.notna(), None))
    return np.asarray(values)


def _aligned(argument: str, rows: _Rows, graph: LabelledGraph) -> NDArray[Any]:
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


def _by_label_or_number(argument: str, items: Any, graph: LabelledGraph) -> NDArray[np.int64]:  # noqa: ANN401 - list or array
    """Return the vertices of labels, or of numbers if the graph has no labels."""
    labels, n = graph.labels, graph.num_vertices
    array = None if labels is not None and isinstance(items, list) else np.asarray(items)
    if array is not None and (array.ndim != 1 or (labels is None and array.dtype.kind in "iuf")):
        numbers, least = take_vertices(argument, array)
        if least > n:
            raise ArgumentError(f"{argument}: expected numbers below {n}, got {shown(numbers[numbers >= n].tolist())}")
        return numbers.astype(np.int64)
    try:
        found: NDArray[np.int64] = graph.index(items)
    except ArgumentError as error:
        raise ArgumentError(f"{argument}: {error}") from None
    return found


def _hold_booleans(items: Any) -> bool:  # noqa: ANN401 - a list or an array
    if isinstance(items, np.ndarray) and (items.dtype != object or items.ndim != 1):
        return bool(items.dtype == bool)
    return any(isinstance(item, _BOOLEANS) for item in items)
