"""Orient weighted arcs, and turn an oriented graph with weights back into rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arguments import take_weights
from triadic.core.oriented import frozen
from triadic.devices.cpu import rows
from triadic.devices.cpu import weighted_row_sort as sorting
from triadic.errors import ArgumentError
from triadic.graph.entry_weights import EntryWeights
from triadic.graph.orientation import FEW_ARCS, finish, rank_vertices

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.core.oriented import OrientationSummary, Oriented
    from triadic.graph.orientation import GraphOfVertices

    Ids = NDArray[np.integer[Any]]


class WeightedArcs(rows.ArcList):
    """Weighted arcs given as three arrays."""

    def __init__(self, source: Ids, target: Ids, weights: NDArray[np.float64]) -> None:
        super().__init__(source, target)
        self._weights = weights

    def weights(self, i: int) -> NDArray[np.float64]:
        """Return the weights of the arcs of piece `i`."""
        return self._weights[self.part(i)]


class WeightedEntries(rows.CsrArcs):
    """Weighted arcs given as rows: from each row to its columns."""

    def __init__(self, indptr: NDArray[np.int64], indices: Ids, weights: NDArray[np.float64]) -> None:
        super().__init__(indptr, indices)
        self._weights = weights

    def weights(self, i: int) -> NDArray[np.float64]:
        """Return the weights of the arcs of piece `i`."""
        return self._weights[self.part(i)]


def weighted_bytes(arcs: int, *, directed: bool) -> int:
    """Estimate the memory, in bytes, that weights take beside `graph_bytes` while weighted arcs are oriented."""
    return (36 if directed else 16) * arcs


def orient_weighted(
    arcs: Arcs, *, directed: bool, combine: str, threads: int, batch: GraphOfVertices | None = None
) -> tuple[Oriented, OrientationSummary, EntryWeights]:
    """Orient weighted arcs in any order; loops are dropped, and the weights of repeated arcs combined.

    The two directions of an undirected edge are repeats of each other, unless ``arcs.both_ends`` is set: then the two
    weights must agree.

    Raises
    ------
    ArgumentError
        If two weights of an edge disagree, if a sum is too large for a float64, or if `combine` is "error" and an arc
        is repeated.
    """
    assert arcs.weights is not None  # noqa: S101 - for the type checker; callers have checked it
    threads = 1 if len(arcs) <= FEW_ARCS else threads
    source = WeightedArcs(arcs.source, arcs.target, take_weights(arcs.weights, len(arcs)))
    ends = rows.degrees(source, arcs.vertices, threads=threads)
    rank = rank_vertices(ends, batch)
    made = sorting.sort_weighted_rows(
        source, arcs.vertices, rank, rows.ORIENT, combine=sorting.COMBINE[combine], with_state=directed,
        mirrored=arcs.both_ends and not directed, threads=threads,
    )  # fmt: skip
    if isinstance(made, sorting.Wrong):
        vertex = np.argsort(rank)
        vertices = int(vertex[made.row]), int(vertex[made.column])
        raise wrong_weights(made, vertices, lambda end: name_of(end, labels=arcs.labels), directed=directed)
    oriented, summary = finish(made.rows, rank, ends, batch, threads=threads)
    return oriented, summary, EntryWeights(frozen(made.out), None if made.into is None else frozen(made.into))


def weighted_rows_of(
    oriented: Oriented, weights: EntryWeights, *, threads: int
) -> tuple[NDArray[np.int64], Ids, NDArray[np.float64]]:
    """Return indptr, indices and weights of the rows of the graph by vertex, symmetric if undirected."""
    order = oriented.order
    source: WeightedArcs | WeightedEntries
    if oriented.state is None or weights.into is None:
        source, place, rule = WeightedEntries(oriented.indptr, oriented.indices, weights.out), order, rows.BOTH
    else:
        row, column = np.repeat(order, np.diff(oriented.indptr)), order[oriented.indices]
        down, up = (oriented.state & 1) != 0, (oriented.state & 2) != 0
        ends = np.concatenate([row[down], column[up]]), np.concatenate([column[down], row[up]])
        given = np.concatenate([weights.out[down], weights.into[up]])
        source, place, rule = WeightedArcs(*ends, given), None, rows.FORWARD
    made = sorting.sort_weighted_rows(
        source, oriented.num_vertices, place, rule, combine=sorting.FIRST, with_state=False, mirrored=False,
        threads=threads,
    )  # fmt: skip
    assert isinstance(made, sorting.WeightedRows)  # noqa: S101 - no entry is repeated
    return made.rows.indptr, made.rows.indices, made.out


def wrong_weights(
    wrong: sorting.Wrong, vertices: tuple[int, int], name: Callable[[int], str], *, directed: bool
) -> ArgumentError:
    """Return the error for weights that cannot be combined.

    Parameters
    ----------
    wrong : Wrong
        What is wrong with them.
    vertices : (int, int)
        The vertices of its row and of its column.
    name : callable
        ``name(vertex)`` returns what the message calls a vertex.
    directed : bool
        Whether the graph is directed.
    """
    (a, b), out, into = vertices, wrong.out, wrong.into
    if wrong.backward if directed else a > b:
        a, b, out, into = b, a, into, out
    ends = f"{name(a)} and {name(b)}"
    if wrong.kind == sorting.OVERFLOW:
        return ArgumentError(f'combine="sum": the weights between {ends} add up to more than a float64 can hold')
    if wrong.kind == sorting.REPEATED:
        return ArgumentError(f'combine="error": {ends} are joined more than once')
    return ArgumentError(
        f"the edge between {ends} is given from both ends with weights {out:g} and {into:g}: expected the same"
    )


def name_of(vertex: int, *, labels: NDArray[Any] | None) -> str:
    """Return what an error calls a vertex."""
    return f"vertex {vertex if labels is None or vertex >= len(labels) else labels[vertex]}"
