"""Orient a graph, given as arcs in any order or as rows, and turn the oriented graph back into rows.

Arcs are records: two ends, and a value in each column, of which the weight is one. A batch of graphs is oriented in
parts that fit in cache, if its vertices and arcs are in the order of the graphs.
"""

from __future__ import annotations

from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import one_team
from triadic.core.oriented import (
    NO_NUMBERS,
    EntryValues,
    OrientationSummary,
    Oriented,
    OrientedBatch,
    frozen,
    index_dtype,
)
from triadic.core.records import value_class
from triadic.devices.cpu.orient import row_orientation as small_sort
from triadic.devices.cpu.orient import row_sort, rows
from triadic.devices.cpu.orient.bucket_keys import WeightRule, WrongWeightsError
from triadic.devices.cpu.orient.row_orientation import oriented_rows, rank_in_graphs
from triadic.devices.cpu.orient.rows import rank_by_degree, slots_of_edges
from triadic.errors import ArgumentError
from triadic.graph.weights import WEIGHT, counted_once, name_of, rules_in_words, wrong_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from triadic.core.arcs import Arcs
    from triadic.core.array_types import AnyArray, Float64Array, Ids, Int64Array, Uint8Array


# Arcs up to which one thread sorts them sooner than several threads share them out.
FEW_ARCS = 300_000
_NO_GRAPHS = NO_NUMBERS  # not None, which numba takes a microsecond to recognise
_EXACT = 1 << 53  # below, float64 holds all whole numbers


def graph_bytes(n: int, arcs: int, *, threads: int, columns: int = 0, directed: bool = False) -> int:
    """Estimate the peak memory, in bytes, of orienting a number of arcs between n vertices.

    Sort keys and ends take 12 bytes an arc; weights, and each further column, 16 more, 36 if directions are kept; five
    arrays of n, and one more for each worker that counts degrees.
    """
    each = 12 + columns * (36 if directed else 16)
    return (40 + 8 * blocks.counting_threads(arcs, threads)) * n + each * arcs


@value_class
class GraphOfVertices:
    """Which graph of a batch each vertex is in.

    Attributes
    ----------
    graph : int64 array, shape (n,)
        Graph of each vertex.
    first_rank : int64 array, shape (graphs + 1,)
        Number of vertices of the graphs before each graph, and of all graphs.
    """

    graph: Int64Array
    first_rank: Int64Array


@value_class
class Combining:
    """What is done with the values of repeated arcs.

    Attributes
    ----------
    rules : mapping from column to rule
        Rules that the caller gave, each a key of `COMBINE`.
    both_ends : bool, default False
        Whether an undirected source stores an edge at both its ends, so that its two weights must agree.
    labels : array, optional
        Names of the vertices, for errors.
    """

    rules: Mapping[str, str] = field(default_factory=dict)
    both_ends: bool = False
    labels: AnyArray | None = None


def orient_arcs(
    arcs: Arcs, *, directed: bool, combining: Combining, threads: int, batch: GraphOfVertices | None
) -> tuple[Oriented, OrientationSummary]:
    """Orient arcs in any order, in whichever way is the fastest; loops and repeated arcs are dropped.

    Repeats of an arc have one value in each column, or `combining` says how their values are combined. If undirected,
    an arc and its reverse repeat each other; their weights become one as `counted_once` decides if there is no rule.

    Raises
    ------
    ArgumentError
        If two weights of an edge disagree, if a sum is too large for a float64, if the rule is "error" and an arc is
        repeated, or if the values of an arc differ in a column without a rule.
    """
    source, target, n = arcs.source, arcs.target, arcs.vertices
    few = len(source) <= FEW_ARCS
    threads = 1 if few else threads
    if few and arcs.weights is None and n < 2**31:
        made = orient_few(source, target, n, directed=directed, batch=batch)
    else:
        made = orient(
            rows.ArcList(source, target),
            n,
            directed=directed,
            threads=threads,
            batch=batch,
            weights=arcs.weights,
            combining=combining,
        )
    if arcs.columns:
        made[0].columns.update(_columns_of(arcs, *made, directed=directed, combining=combining, threads=threads))
    return made


@one_team()
def orient(
    source: row_sort.ArcSource,
    n: int,
    *,
    directed: bool,
    threads: int,
    batch: GraphOfVertices | None = None,
    weights: Float64Array | None = None,
    combining: Combining | None = None,
) -> tuple[Oriented, OrientationSummary]:
    """Orient arcs in any order; loops and repeated arcs are dropped. The vertices may be those of a batch of graphs."""
    ends = rows.degrees(source, n, threads=threads)
    rank = rank_vertices(ends, batch)
    sort = partial(row_sort.sort_rows, source, n, rank, row_sort.ORIENT, with_state=directed, threads=threads)
    if weights is None:
        return finish(sort(), rank, ends, batch, threads=threads)
    combining = combining or Combining()
    rule = combining.rules.get(WEIGHT)
    both, equal, once = 0, 0, False

    def combined(*, mirrored: bool) -> row_sort.Rows:
        return sort(weights=(weights, WeightRule(rule or "sum", directed, mirrored)))

    try:
        made = combined(mirrored=combining.both_ends and not directed)
        if rule is None:
            both, equal = made.both, made.equal
            decided = counted_once(len(made.indices), both, equal)
            once = decided is True
            if once:
                made.weights[0][:] /= 2  # the mean of two weights
            elif decided is None:
                made = combined(mirrored=True)  # which finds the first edge with two weights
    except WrongWeightsError as error:
        vertex, wrong = np.argsort(rank), error.wrong
        vertices = int(vertex[wrong.row]), int(vertex[wrong.column])
        raise wrong_weights(
            wrong, vertices, partial(name_of, labels=combining.labels), directed=directed, both=both, equal=equal
        ) from None
    oriented, summary = finish(made, rank, ends, batch, threads=threads)
    oriented.columns[WEIGHT] = EntryValues(*map(frozen, made.weights))
    return oriented, replace(summary, once=once)


def finish(
    sorted_rows: row_sort.Rows, rank: Ids, ends: Int64Array, batch: GraphOfVertices | None, *, threads: int
) -> tuple[Oriented, OrientationSummary]:
    """Return the oriented graph of sorted rows; `ends` counts the ends of arcs at each vertex, with repeats."""
    m = len(sorted_rows.indices)
    summary = OrientationSummary(
        sorted_rows.arcs, sorted_rows.loops, sorted_rows.keys - sorted_rows.arcs, sorted_rows.arcs - m
    )
    if sorted_rows.keys == m:
        degree = np.empty_like(ends)
        degree[rank] = ends
    else:  # `ends` counts repeats, so ranks follow the degree only approximately; any ranking gives exact counts
        degree = np.diff(sorted_rows.indptr) + rows.column_counts(sorted_rows.indices, len(ends), threads=threads)
    return _oriented(rank, sorted_rows.indptr, sorted_rows.indices, sorted_rows.state, degree, batch), summary


def _columns_of(
    arcs: Arcs, oriented: Oriented, summary: OrientationSummary, *, directed: bool, combining: Combining, threads: int
) -> dict[str, EntryValues]:
    """Return the columns of arcs but their weights at the entries of their oriented rows.

    Arcs are sorted once more with their numbers as weights, to find the first arc of each entry; and again for each
    column whose values a rule adds, averages or compares.
    """
    source, n = rows.ArcList(arcs.source, arcs.target), oriented.num_vertices

    def sorted_values(values: AnyArray, combine: str) -> EntryValues:
        given = np.ascontiguousarray(values, np.float64), WeightRule(combine, directed)
        made = row_sort.sort_rows(
            source, n, oriented.rank, row_sort.ORIENT, with_state=directed, threads=threads, weights=given
        )
        return EntryValues(*made.weights)

    repeated = summary.duplicates > 0 or (not directed and summary.reciprocal > 0)
    first = sorted_values(np.arange(len(arcs)), "first")
    found: dict[str, EntryValues] = {}
    for name, values in arcs.columns.items():
        rule, kinds, numbers = combining.rules.get(name) if repeated else "first", values, first
        if rule is None or rule == "error":
            _check_repeats(name, arcs, oriented, first, every=rule == "error")
        elif rule in ("max", "min"):
            try:
                kinds, order = np.unique(values, return_inverse=True)
            except TypeError as error:
                raise ArgumentError(f"combine[{name!r}]={rule!r}: the column has no order: {error}") from None
            numbers = sorted_values(order, rule)
        elif rule in ("sum", "mean"):
            found[name] = _added(name, values, rule, sorted_values)
            continue
        found[name] = numbers.mapped(partial(_at, kinds))
    return found


def _at(values: AnyArray, numbers: Float64Array) -> AnyArray:
    return frozen(values[numbers.astype(np.int64)])


def _added(name: str, values: AnyArray, rule: str, combined: Callable[[AnyArray, str], EntryValues]) -> EntryValues:
    """Return the sums or the means of the values of repeated arcs; sums of whole numbers are whole."""
    whole = values.dtype.kind in "biu"
    if not whole and values.dtype.kind != "f":
        raise ArgumentError(f"combine[{name!r}]={rule!r}: the column has {values.dtype}, expected numbers")
    if whole and np.abs(values.astype(np.float64)).sum() >= _EXACT:
        raise ArgumentError(f"combine[{name!r}]={rule!r}: the values of the column add up to more than 2**53")
    try:
        made = combined(values, rule)
    except WrongWeightsError:
        raise ArgumentError(f"combine[{name!r}]={rule!r}: values add up to more than a float64 can hold") from None
    dtype = np.int64 if whole and rule == "sum" else np.float64
    return made.mapped(lambda sums: frozen(sums.astype(dtype, copy=False)))


def _check_repeats(name: str, arcs: Arcs, oriented: Oriented, first: EntryValues, *, every: bool) -> None:
    """Raise ArgumentError if an arc has two values in a column; if `every`, also if they are equal."""
    number = np.flatnonzero(arcs.source != arcs.target)
    source, target, values = arcs.source[number], arcs.target[number], arcs.columns[name]
    slot = slots_of_edges(oriented, source, target, threads=blocks.resolve_threads(None))
    kept = first.out[slot]
    if first.into is not None:
        kept = np.where(oriented.rank[source] > oriented.rank[target], kept, first.into[slot])
    one, other = values[kept.astype(np.int64)], values[number]
    if every:
        wrong = np.flatnonzero(kept != number)
    else:
        wrong = np.flatnonzero((one != other) & ((one == one) | (other == other)))  # noqa: PLR0124 - NaN equals NaN here
    if len(wrong):
        at = wrong[0]
        a, b = (name_of(int(ends[at]), labels=arcs.labels) for ends in (source, target))
        if every:
            raise ArgumentError(f'combine="error": {a} and {b} are joined more than once')
        raise ArgumentError(
            f"column {name!r}: {a} and {b} are joined with the values {one[at]} and {other[at]}; expected one value, "
            f"combine={{{name!r}: ...}} (--combine {name}=...) with one of {rules_in_words()}, or columns= without it"
        )


def orient_few(
    source: Ids, target: Ids, n: int, *, directed: bool, batch: GraphOfVertices | None = None
) -> tuple[Oriented, OrientationSummary]:
    """Orient few arcs between fewer than 2^31 vertices in the caller's thread; the result is that of `orient`."""
    graph, first_rank = (_NO_GRAPHS, _NO_GRAPHS) if batch is None else (batch.graph, batch.first_rank)
    rank, indptr, indices, kept, degree, counts = small_sort.orient(source, target, n, directed, graph, first_rank)
    loops, arcs = counts
    summary = OrientationSummary(arcs, loops, len(source) - loops - arcs, arcs - len(indices))
    for array in (rank, indptr, indices, kept, degree):  # cheaper than the read-only views that would be made of them
        array.setflags(write=False)
    return _oriented(rank, indptr, indices, kept if directed else None, degree, batch), summary


@one_team()
def orient_csr(indptr: Int64Array, indices: Ids, *, directed: bool, threads: int) -> Oriented:
    """Orient a graph given as sorted rows without loops and repeats, symmetric if undirected."""
    n = len(indptr) - 1
    if directed:
        return orient(rows.CsrArcs(indptr, indices), n, directed=True, threads=threads)[0]
    ends = np.diff(indptr)
    rank = rank_vertices(ends)
    degree = np.empty_like(ends)
    degree[rank] = ends
    row_start, columns = oriented_rows(indptr, indices, rank, degree, threads=threads)
    return Oriented(rank, row_start, columns, None, degree)


@one_team()
def rows_of(oriented: Oriented, *, threads: int) -> tuple[Int64Array, Ids, dict[str, AnyArray]]:
    """Return indptr, indices and columns of the rows of the graph by vertex, symmetric if undirected."""
    n, order, state = oriented.num_vertices, oriented.order, oriented.state
    source: row_sort.ArcSource
    if state is None:
        source, place, rule = rows.CsrArcs(oriented.indptr, oriented.indices), order, row_sort.BOTH
    else:
        source, place, rule = rows.ArcList(*arcs_of(oriented, order, state)), None, row_sort.FORWARD
    columns = {name: values.of_arcs(state) for name, values in oriented.columns.items()}
    alone = list(columns) == [WEIGHT]  # weights themselves move with their arcs, other columns the numbers of the arcs
    moved = None
    if columns:
        moved = (
            columns[WEIGHT] if alone else np.arange(source.arcs, dtype=np.float64),
            WeightRule("first", directed=False),
        )
    made = row_sort.sort_rows(source, n, place, rule, with_state=False, threads=threads, weights=moved)
    if columns:
        (given,) = made.weights
        columns = {name: given if alone else _at(values, given) for name, values in columns.items()}
    return made.indptr, made.indices, columns


def arcs_of(oriented: Oriented, order: Ids, state: Uint8Array) -> tuple[Ids, Ids]:
    """Return the ends of the arcs of a directed graph: those from the vertices of rows, then those to them."""
    row, column = np.repeat(order, np.diff(oriented.indptr)), order[oriented.indices]
    down, up = (state & 1) != 0, (state & 2) != 0
    return np.concatenate([row[down], column[up]]), np.concatenate([column[down], row[up]])


def rank_vertices(degree: Int64Array, batch: GraphOfVertices | None = None) -> Ids:
    """Return the rank of each vertex by falling degree, in a batch within each graph."""
    n = len(degree)
    rank: Ids = np.empty(n, index_dtype(n))
    rank_by_degree(degree, rank)
    if batch is not None:
        rank_in_graphs(batch.graph, batch.first_rank, rank)
    return rank


def _oriented(
    rank: Ids,
    indptr: Int64Array,
    indices: Ids,
    state: Uint8Array | None,
    degree: Int64Array,
    batch: GraphOfVertices | None,
) -> Oriented:
    if batch is None:
        return Oriented(rank, indptr, indices, state, degree)
    return OrientedBatch(rank, indptr, indices, state, degree, batch.first_rank)
