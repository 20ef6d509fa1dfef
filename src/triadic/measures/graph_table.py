"""Results of a batch: a table with one row for each graph, and the decorator of measures that return one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

import numpy as np

from triadic.convert.result_table import ColumnTable, counts_column, frame
from triadic.core.arcs import Origin
from triadic.core.numbers import plural
from triadic.core.oriented import frozen
from triadic.core.progress import reporting
from triadic.errors import ArgumentError
from triadic.graph.batch import GraphBatch

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa
    from numpy.typing import DTypeLike, NDArray

    from triadic.graph.graph import GraphLike

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)

Columns = dict[str, "NDArray[Any]"]


class GraphTable(ColumnTable):
    """A measure of each graph of a batch: an immutable mapping from the names of columns to arrays of shape (graphs,).

    ``numpy.asarray`` of a table returns its column, or a matrix of shape (graphs, columns) if there are several.
    `to_pandas` and `to_polars` return a data frame whose first column, the index in pandas, is "graph".

    Parameters
    ----------
    columns : mapping of str to array, shape (graphs,)
        Columns of the table by name.
    graphs : array of int64 or of str, shape (graphs,)
        Names of the graphs, or their numbers.

    See Also
    --------
    GraphBatch : The graphs.

    Examples
    --------
    >>> import triadic
    >>> batch = triadic.GraphBatch.from_arrays([0, 1, 2, 3], [1, 2, 0, 4], [0, 0, 0, 1, 1])
    >>> print(triadic.dyad_census(batch))
    GraphTable of 2 graphs
    graph  mutual  asymmetric  null
    0           3           0     0
    1           1           0     0
    """

    __slots__ = ("_arrays", "_graphs")

    def __init__(self, columns: Mapping[str, NDArray[Any]], graphs: NDArray[Any]) -> None:
        self._arrays = {name: frozen(np.asarray(column)) for name, column in columns.items()}
        self._graphs = frozen(np.asarray(graphs))

    @property
    def graphs(self) -> NDArray[Any]:
        """Names of the graphs, or their numbers."""
        return self._graphs

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._arrays, self._graphs)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        columns = list(self._arrays.values())
        values = columns[0] if len(columns) == 1 else np.stack(columns, axis=1)
        return np.array(values, dtype=dtype, copy=copy)

    def to_arrow(self) -> pa.Table:
        """Return the table as a pyarrow Table.

        Returns
        -------
        pyarrow.Table
            One row for each graph; the first column "graph" holds `graphs`, the others the measure.
        """
        return frame(self._columns(), "pyarrow")

    def _columns(self) -> Columns:
        return {"graph": self._graphs} | self._arrays

    def _title(self) -> str:
        return f"GraphTable of {plural(len(self._graphs), 'graph')}"

    def _rows(self) -> str:
        return "graphs"


class OfGraphs(Protocol[Parameters, Result_co]):
    """A measure of a whole network that also takes a batch, and then returns a table."""

    @overload
    def __call__(self, graph: GraphBatch, *args: Parameters.args, **keywords: Parameters.kwargs) -> GraphTable: ...

    @overload
    def __call__(self, graph: GraphLike, *args: Parameters.args, **keywords: Parameters.kwargs) -> Result_co: ...


def one_row_a_graph(
    name: str, of_batch: Callable[..., Columns | None] | None = None
) -> Callable[[Callable[Concatenate[GraphLike, Parameters], Result]], OfGraphs[Parameters, Result]]:
    """Return a decorator of a measure of a whole network: of a batch, the measure returns a table of all graphs.

    Parameters
    ----------
    name : str
        Name of the column, for a measure that returns a number; a measure that returns a mapping has its own names.
    of_batch : callable, optional
        ``of_batch(batch, **keywords)`` returns the columns of all graphs at once, or None if it cannot. By default the
        graphs are measured one by one.
    """

    def decorate(measure: Callable[Concatenate[GraphLike, Parameters], Result]) -> OfGraphs[Parameters, Result]:
        @wraps(measure)
        def measured(graph: GraphLike, *args: Any, **keywords: Any) -> Any:  # noqa: ANN401 - the arguments of `measure`
            if not isinstance(graph, GraphBatch):
                return measure(graph, *args, **keywords)
            columns = None if of_batch is None or args else of_batch(graph, **keywords)
            return GraphTable(
                one_by_one(measure, graph, name, *args, **keywords) if columns is None else columns, graph.names
            )

        return cast("OfGraphs[Parameters, Result]", measured)

    return decorate


def one_by_one(
    measure: Callable[..., object],
    batch: GraphBatch,
    name: str,
    *args: Any,  # noqa: ANN401 - the arguments of the measure
    **keywords: Any,  # noqa: ANN401 - as above
) -> Columns:
    """Return the columns of a measure of each graph of a batch."""
    progress = keywords.pop("progress", False)
    results = []
    with reporting(progress, f"measuring {batch.num_graphs:,} graphs") as report:
        for number, graph in enumerate(batch):
            if report is not None:
                report(number, batch.num_graphs)
            # One warning about directions, not one for each graph.
            measured = graph if number == 0 else graph._with_origin(Origin())  # noqa: SLF001 - for makers of graphs
            try:
                results.append(measure(measured, *args, **keywords))
            except ArgumentError as error:
                raise ArgumentError(f"graph {batch.names[number]}: {str(error).removeprefix('graph: ')}") from error
        if report is not None:
            report(batch.num_graphs, batch.num_graphs)
    if not isinstance(results[0], Mapping):
        return {name: np.array(results)}
    rows = [_flat(cast("Mapping[str, Any]", result)) for result in results]
    return {column: counts_column([row[column] for row in rows]) for column in rows[0]}


def a_result_of_each_graph(measure: Callable[..., Result]) -> Any:  # noqa: ANN401 - a function of the same parameters
    """Decorate a measure whose result is an object: of a batch, it returns a list of the results of all graphs."""

    @wraps(measure)
    def measured(graph: GraphLike, *args: Any, **keywords: Any) -> Any:  # noqa: ANN401 - the arguments of `measure`
        if isinstance(graph, GraphBatch):
            return [measure(each, *args, **keywords) for each in graph]
        return measure(graph, *args, **keywords)

    return measured


def _flat(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers of a mapping by name; a comparison has several, such as "030T z"."""
    flat = {}
    for name, value in result.items():
        if isinstance(value, (int, float)):
            flat[name] = value
        else:
            parts = value.to_dict()
            flat |= {f"{name} {part}": float("nan") if number is None else number for part, number in parts.items()}
    return flat
