"""Measures of all graphs of a batch at once, from counts at the vertices of the batch.

Each function returns the columns of a `GraphTable`, or None where the graphs are measured one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.triad_types import ASYMMETRIC, CLOSED_NAMES, HELD, MUTUAL, OPEN_NAMES, TRIAD_NAMES
from triadic.counts.closed_triads import CLOSED_TRIADS_OF_VERTICES
from triadic.counts.count import at_vertices, check_device, run
from triadic.counts.dyads import DYADS
from triadic.counts.triangles import TRIANGLES
from triadic.devices.cpu.vertex_arrays import sums_of_runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.batch import GraphBatch
    from triadic.measures.graph_table import Columns

# Graphs of more vertices have triples, and pairs of dyads, whose number can exceed 64 bits.
_MOST_VERTICES = 1 << 20
_EXACT = 1 << 53  # whole numbers up to which a float64 is exact


def triangle_counts(batch: GraphBatch, **keywords: Any) -> Columns:  # noqa: ANN401 - keywords of `run`
    """Return the number of triangles of each graph."""
    return {"triangles": batch.sums(run(TRIANGLES, batch.oriented(), **keywords)) // 3}


def transitivities(batch: GraphBatch, **keywords: Any) -> Columns | None:  # noqa: ANN401 - keywords of `run`
    """Return the transitivity of each graph."""
    oriented = batch.oriented()
    closed = batch.sums(run(TRIANGLES, oriented, **keywords))
    wedges = batch.sums(oriented.degree * (oriented.degree - 1) >> 1)
    if wedges.max(initial=0) >= _EXACT or batch.sizes.max(initial=0) > _MOST_VERTICES:
        return None
    return {"transitivity": np.divide(closed, wedges, out=np.zeros(len(wedges)), where=wedges > 0)}


def average_clusterings(batch: GraphBatch, *, over: str = "all", **keywords: Any) -> Columns | None:  # noqa: ANN401 - keywords of `run`
    """Return the mean of the local clustering coefficients of each graph."""
    if over not in ("all", "defined", "positive"):
        return None
    oriented = batch.oriented()
    triangles = run(TRIANGLES, oriented, **keywords)
    pairs = oriented.degree * (oriented.degree - 1)
    coefficient = np.divide(2.0 * triangles, pairs, out=np.zeros(len(pairs)), where=pairs > 0)
    counted = {"all": None, "defined": oriented.degree >= 2, "positive": triangles > 0}[over]
    vertices = batch.sizes if counted is None else batch.sums(counted.astype(np.int64))
    at_vertex = at_vertices(oriented, coefficient, threads=keywords.get("threads"))
    return {"average_clustering": means_of_graphs(batch, at_vertex, vertices)}


def means_of_graphs(
    batch: GraphBatch, at_vertex: NDArray[np.float64], vertices: NDArray[np.int64] | None = None
) -> NDArray[np.float64]:
    """Return the sum of the values at the vertices of each graph, divided by the number of its vertices; NaN for 0."""
    # The sum over a graph depends on the order of its vertices.
    sums, number = sums_of_runs(at_vertex[batch.order], batch.offsets), batch.sizes if vertices is None else vertices
    return np.divide(sums, number, out=np.full(len(sums), np.nan), where=number > 0)


def dyad_censuses(batch: GraphBatch, *, device: str = "auto", **keywords: Any) -> Columns | None:  # noqa: ANN401 - keywords of `run`
    """Return the numbers of mutual, asymmetric and null dyads of each graph."""
    check_device(DYADS, device)
    if batch.sizes.max(initial=0) > _MOST_VERTICES:
        return None
    mutual, asymmetric = _dyads(batch, run(DYADS, batch.oriented(), **keywords))
    n = batch.sizes
    return {"mutual": mutual, "asymmetric": asymmetric, "null": (n * (n - 1) >> 1) - mutual - asymmetric}


def triad_censuses(batch: GraphBatch, *, types: int = 16, **keywords: Any) -> Columns | None:  # noqa: ANN401 - keywords of `run`
    """Return the number of triads of each type of each graph."""
    if types != 16 or batch.sizes.max(initial=0) > _MOST_VERTICES:
        return None
    oriented = batch.oriented()
    closed = batch.sums(run(CLOSED_TRIADS_OF_VERTICES, oriented, **keywords)) // 3
    dyads = run(DYADS, oriented, threads=keywords.get("threads"))
    m, o, i = dyads.T
    pairs = (o * (o - 1) >> 1, i * (i - 1) >> 1, o * i, m * i, m * o, m * (m - 1) >> 1)
    census = dict(zip(OPEN_NAMES, (batch.sums(each) for each in pairs), strict=True))
    census |= dict(zip(CLOSED_NAMES, closed.T, strict=True))
    for name in CLOSED_NAMES:
        for wedge, times in HELD[name].items():
            census[wedge] = census[wedge] - times * census[name]
    mutual, asymmetric = _dyads(batch, dyads)
    n = batch.sizes
    census["012"] = asymmetric * (n - 2) - sum(ASYMMETRIC[name] * count for name, count in census.items())
    census["102"] = mutual * (n - 2) - sum(MUTUAL[name] * count for name, count in census.items() if name != "012")
    census["003"] = n * (n - 1) * (n - 2) // 6 - sum(census.values())
    return {name: np.ascontiguousarray(census[name]) for name in TRIAD_NAMES}


def dyads_of_graphs(batch: GraphBatch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of mutual and of asymmetric dyads of each graph."""
    return _dyads(batch, run(DYADS, batch.oriented()))


def _dyads(batch: GraphBatch, dyads: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of mutual and of asymmetric dyads of each graph."""
    sums = batch.sums(dyads)
    return sums[:, 0] >> 1, sums[:, 1]
