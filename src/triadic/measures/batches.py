"""Measures of the graphs of a batch: the table with a row for each graph, and the decorator of such measures.

The functions at the end measure all graphs at once, from counts at the vertices of the batch. Each returns the columns
of a `Table`, or None where the graphs are measured one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

import numpy as np

from triadic.convert.result_table import Table, counts_column, table_of_graphs
from triadic.core.arcs import Origin
from triadic.core.progress import reporting
from triadic.core.triad_types import ASYMMETRIC, CLOSED_NAMES, HELD, MUTUAL, OPEN_NAMES, TRIAD_NAMES
from triadic.counts.count import at_vertices, check_device, run
from triadic.counts.triads import CLOSED_TRIADS_OF_VERTICES, DYADS, open_pairs
from triadic.counts.triangles import TRIANGLES
from triadic.devices.cpu.vertex_arrays import sums_of_runs
from triadic.errors import ArgumentError
from triadic.graph.batch import GraphBatch, sums_by_graph

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.graph.graph import GraphLike


Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)

Columns = dict[str, "AnyArray"]

# Graphs of more vertices have triples, and pairs of dyads, whose number can exceed 64 bits.
_MOST_VERTICES = 1 << 20
_EXACT = 1 << 53  # whole numbers up to which a float64 is exact


class OfGraphs(Protocol[Parameters, Result_co]):
    """A measure of a whole network that also takes a batch, and then returns a table."""

    @overload
    def __call__(self, graph: GraphBatch, *args: Parameters.args, **keywords: Parameters.kwargs) -> Table: ...

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
            return table_of_graphs(
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
            measured = graph if number == 0 else graph._with(origin=Origin())
            try:
                results.append(measure(measured, *args, **keywords))
            except ArgumentError as error:
                raise ArgumentError(f"graph {batch.names[number]}: {str(error).removeprefix('graph: ')}") from error
        if report is not None:
            report(batch.num_graphs, batch.num_graphs)
    if not isinstance(results[0], Mapping):
        return {name: np.array(results)}
    rows = cast("list[Mapping[str, Any]]", results)
    return {column: counts_column([row[column] for row in rows]) for column in rows[0]}


def sums_of_graphs(batch: GraphBatch, at_vertex: Int64Array) -> Int64Array | None:
    """Return the sums over the vertices of each graph: int64, shape (graphs, ...); None if one could exceed 64 bits."""
    if int(at_vertex.max(initial=0)) > np.iinfo(np.int64).max // max(1, int(batch.sizes.max())):
        return None
    return sums_by_graph(at_vertex if batch._in_order() else at_vertex[batch._by_graph], batch.offsets)


def triangle_counts(batch: GraphBatch, **keywords: Any) -> Columns:  # noqa: ANN401 - keywords of `run`
    """Return the number of triangles of each graph."""
    return {"triangles": batch._sums(run(TRIANGLES, batch.oriented(), **keywords)) // 3}


def transitivities(batch: GraphBatch, **keywords: Any) -> Columns | None:  # noqa: ANN401 - keywords of `run`
    """Return the transitivity of each graph."""
    oriented = batch.oriented()
    closed = batch._sums(run(TRIANGLES, oriented, **keywords))
    wedges = batch._sums(oriented.degree * (oriented.degree - 1) >> 1)
    if wedges.max(initial=0) >= _EXACT or batch.sizes.max(initial=0) > _MOST_VERTICES:
        return None
    return {"transitivity": ratio(closed, wedges)}


def average_clusterings(batch: GraphBatch, *, over: str = "all", **keywords: Any) -> Columns | None:  # noqa: ANN401 - keywords of `run`
    """Return the mean of the local clustering coefficients of each graph."""
    if over not in ("all", "defined", "positive"):
        return None
    oriented = batch.oriented()
    triangles = run(TRIANGLES, oriented, **keywords)
    pairs = oriented.degree * (oriented.degree - 1)
    counted = {"all": None, "defined": oriented.degree >= 2, "positive": triangles > 0}[over]
    vertices = batch.sizes if counted is None else batch._sums(counted.astype(np.int64))
    at_vertex = at_vertices(oriented, ratio(2.0 * triangles, pairs), threads=keywords.get("threads"))
    return {"average_clustering": means_of_graphs(batch, at_vertex, vertices)}


def ratio(numerator: AnyArray, denominator: AnyArray) -> Float64Array:
    """Divide the sums of each vertex; 0 if the denominator is not positive."""
    return np.divide(numerator, denominator, out=np.zeros(len(numerator)), where=denominator > 0)


def means_of_graphs(batch: GraphBatch, at_vertex: Float64Array, vertices: Int64Array | None = None) -> Float64Array:
    """Return the sum of the values at the vertices of each graph, divided by the number of its vertices; NaN for 0."""
    # The sum over a graph depends on the order of its vertices.
    sums = sums_of_runs(at_vertex[batch._by_graph], batch.offsets)
    number = batch.sizes if vertices is None else vertices
    return np.divide(sums, number, out=np.full(len(sums), np.nan), where=number > 0)


def dyad_censuses(batch: GraphBatch, *, device: str = "auto", **keywords: Any) -> Columns | None:  # noqa: ANN401 - keywords of `run`
    """Return the numbers of mutual, asymmetric and null dyads of each graph."""
    check_device(DYADS, device)
    if batch.sizes.max(initial=0) > _MOST_VERTICES:
        return None
    mutual, asymmetric = dyads_of_graphs(batch, run(DYADS, batch.oriented(), **keywords))
    n = batch.sizes
    return {"mutual": mutual, "asymmetric": asymmetric, "null": (n * (n - 1) >> 1) - mutual - asymmetric}


def triad_censuses(batch: GraphBatch, *, labelled: bool = False, **keywords: Any) -> Columns | None:  # noqa: ANN401 - keywords of `run`
    """Return the number of triads of each type of each graph."""
    if labelled or batch.sizes.max(initial=0) > _MOST_VERTICES:
        return None
    oriented = batch.oriented()
    closed = batch._sums(run(CLOSED_TRIADS_OF_VERTICES, oriented, **keywords)) // 3
    dyads = run(DYADS, oriented, threads=keywords.get("threads"))
    # The Python function of the kernel takes arrays.
    wedges = dict(zip(OPEN_NAMES, map(batch._sums, open_pairs.py_func(*dyads.T)), strict=True))  # type: ignore[attr-defined]
    census = completed(
        wedges, dict(zip(CLOSED_NAMES, closed.T, strict=True)), batch.sizes, *dyads_of_graphs(batch, dyads)
    )
    return {name: np.ascontiguousarray(census[name]) for name in TRIAD_NAMES}


def dyads_of_graphs(batch: GraphBatch, dyads: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return the numbers of mutual and of asymmetric dyads of each graph."""
    sums = batch._sums(dyads)
    return sums[:, 0] >> 1, sums[:, 1]


def completed(
    wedges: Mapping[str, Any],
    closed: Mapping[str, Any],
    vertices: int | Int64Array,
    mutual: int | AnyArray,
    asymmetric: int | AnyArray,
) -> dict[str, Any]:
    """Return the census by type from the open triples, the closed triads, and the numbers of vertices and dyads.

    All are numbers of a graph, or arrays of the numbers of several graphs.
    """
    census = {**wedges, **closed}
    for name_of_closed, held in HELD.items():
        for name, times in held.items():
            census[name] = census[name] - times * census[name_of_closed]
    census |= {
        of_one: dyads * (vertices - 2) - sum(held[name] * count for name, count in census.items())
        for of_one, dyads, held in (("012", asymmetric, ASYMMETRIC), ("102", mutual, MUTUAL))
    }
    census["003"] = vertices * (vertices - 1) * (vertices - 2) // 6 - sum(census.values())
    return census
