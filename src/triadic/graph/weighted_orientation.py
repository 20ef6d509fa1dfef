"""Orient weighted arcs, and turn an oriented graph with weights back into rows.

`EntryWeights` are the weights of a graph at the entries of its oriented rows.
"""

from __future__ import annotations

import warnings
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.arguments import take_weights
from triadic.core.formatting import plural
from triadic.core.oriented import frozen
from triadic.devices.cpu.orient import rows
from triadic.devices.cpu.orient import weighted_row_sort as sorting
from triadic.devices.cpu.orient.weighted_row_sort import agree
from triadic.devices.select import stack_level_of_caller
from triadic.errors import ArgumentError
from triadic.graph.orientation import FEW_ARCS, arcs_of, finish, rank_vertices

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.arcs import Arcs
    from triadic.core.array_types import AnyArray, Float64Array, Ids, Int64Array, Uint8Array
    from triadic.core.oriented import OrientationSummary, Oriented
    from triadic.graph.orientation import GraphOfVertices


class EntryWeights(NamedTuple):
    """Weights at the entries of a graph's oriented rows.

    Attributes
    ----------
    out : float64 array, shape (m,)
        Weight of the edge; in a directed graph, of the arc from the row's vertex, and 0 if there is no such arc.
    into : float64 array, shape (m,), optional
        In a directed graph, weight of the arc to the row's vertex, and 0 if there is no such arc.
    """

    out: Float64Array
    into: Float64Array | None


class EdgeLimits(NamedTuple):
    """Limits of the weights of edges if directions are left out and the weights of an arc and its reverse are added.

    Attributes
    ----------
    least, most : float
        Least and largest sum; 0 without edges.
    equal : int
        Number of edges with arcs in both directions whose weights agree.
    """

    least: float
    most: float
    equal: int


def by_direction(weights: EntryWeights, state: Uint8Array | None) -> list[Float64Array]:
    """Return the weights of edges; in a directed graph those of arcs from the vertices of rows, and of arcs to them."""
    if weights.into is None or state is None:
        return [weights.out]
    return [weights.out[(state & 1) != 0], weights.into[(state & 2) != 0]]


def limits_of(weights: EntryWeights, state: Uint8Array | None) -> tuple[float, float]:
    """Return the least and the largest weight of the arcs; (0, 0) without arcs.

    Parameters
    ----------
    weights : EntryWeights
        Weights at some entries.
    state : uint8 array, shape (entries,), or None
        Directions of these entries if the graph is directed; the 0 of an arc that does not exist is no weight.
    """
    kinds = [kind for kind in by_direction(weights, state) if len(kind)]
    if not kinds:
        return 0.0, 0.0
    return float(min(kind.min() for kind in kinds)), float(max(kind.max() for kind in kinds))


def edge_limits_of(weights: EntryWeights, state: Uint8Array | None) -> EdgeLimits | None:
    """Return the limits of the weights of edges that have the sums of those of their arcs; None beyond float64."""
    if not len(weights.out):
        return EdgeLimits(0.0, 0.0, 0)
    with np.errstate(over="ignore"):
        sums = weights.out if weights.into is None else weights.out + weights.into
    equal = 0
    if weights.into is not None and state is not None:
        equal = int(np.count_nonzero(agree(weights.out, weights.into) & (state == 3)))
    found = EdgeLimits(float(sums.min()), float(sums.max()), equal)
    return found if isfinite(found.least) and isfinite(found.most) else None


def rules_in_words() -> str:
    """Return the rules that `combine` may name."""
    return ", ".join(map(repr, sorting.COMBINE))


class WeightedArcs(rows.ArcList):
    """Weighted arcs given as three arrays."""

    def __init__(self, source: Ids, target: Ids, weights: Float64Array) -> None:
        super().__init__(source, target)
        self._weights = weights

    def weights(self, i: int) -> Float64Array:
        """Return the weights of the arcs of piece `i`."""
        return self._weights[self.part(i)]


class WeightedEntries(rows.CsrArcs):
    """Weighted arcs given as rows: from each row to its columns."""

    def __init__(self, indptr: Int64Array, indices: Ids, weights: Float64Array) -> None:
        super().__init__(indptr, indices)
        self._weights = weights

    def weights(self, i: int) -> Float64Array:
        """Return the weights of the arcs of piece `i`."""
        return self._weights[self.part(i)]


def weighted_bytes(arcs: int, *, directed: bool) -> int:
    """Estimate the memory, in bytes, that weights take beside `graph_bytes` while weighted arcs are oriented."""
    return (36 if directed else 16) * arcs


def orient_weighted(
    arcs: Arcs, *, directed: bool, combine: str | None, threads: int, batch: GraphOfVertices | None = None
) -> tuple[Oriented, OrientationSummary, EntryWeights, str | None]:
    """Orient weighted arcs in any order; loops are dropped, and the weights of repeated arcs combined.

    If ``arcs.both_ends`` is set, the two weights of an undirected edge must agree. Otherwise an arc and its reverse
    are repeats of each other if `combine` is given, and become an edge as `counted_once` decides if it is None.

    Returns
    -------
    Oriented, OrientationSummary, EntryWeights, and str or None
        The last is what was done with repeats and reverse arcs, in words.

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
    code = sorting.COMBINE[combine or "sum"]

    def sort_rows(*, mirrored: bool) -> sorting.WeightedRows | sorting.Wrong:
        return sorting.sort_weighted_rows(
            source, arcs.vertices, rank, rows.ORIENT, combine=code, with_state=directed, mirrored=mirrored,
            threads=threads,
        )  # fmt: skip

    made = sort_rows(mirrored=arcs.both_ends and not directed)
    both, equal, once = 0, 0, False
    if combine is None and isinstance(made, sorting.WeightedRows):
        both, equal = made.both, made.equal
        decided = counted_once(len(made.out), both, equal)
        once = decided is True
        if once:
            made.out[:] /= 2  # the mean of two weights
        elif decided is None:
            made = sort_rows(mirrored=True)  # which finds the first edge with two weights
    if isinstance(made, sorting.Wrong):
        vertex = np.argsort(rank)
        vertices = int(vertex[made.row]), int(vertex[made.column])
        names = partial(name_of, labels=arcs.labels)
        raise wrong_weights(made, vertices, names, directed=directed, both=both, equal=equal)
    oriented, summary = finish(made.rows, rank, ends, batch, threads=threads)
    weights = EntryWeights(frozen(made.out), None if made.into is None else frozen(made.into))
    merged = 0 if directed or arcs.both_ends else summary.reciprocal
    return oriented, summary, weights, say_combined(combine, summary.duplicates, merged, once=once)


def counted_once(edges: int, both: int, equal: int) -> bool | None:
    """Return whether weights that are given from both ends count once; None if the caller has to decide.

    They count once, as their mean, if every edge is given from both ends with weights that agree within 1e-9 of the
    larger one. They are added if at most half of the edges that are given from both ends have such weights, as in a
    list of messages, or if all have but others are given from one end alone.

    Parameters
    ----------
    edges, both, equal : int
        Number of edges, of those that are given from both ends, and of those whose two weights agree.

    Examples
    --------
    >>> counted_once(5, 5, 5), counted_once(5, 3, 1), counted_once(5, 2, 2), counted_once(5, 3, 2)
    (True, False, False, None)
    """
    if equal == both:
        return 0 < both == edges
    return None if 2 * equal > both else False


def say_combined(combine: str | None, repeats: int, merged: int, *, once: bool) -> str | None:
    """Return what was done with the weights of repeated arcs, and of reverse arcs that were merged; None if nothing.

    Warns
    -----
    UserWarning
        With the same words, if weights are added because no rule was given.

    Examples
    --------
    >>> say_combined(None, 0, 194, once=True)
    'weights of 194 edges given from both ends agree and count once'
    >>> say_combined("max", 2, 0, once=False)
    "weights of 2 repeated arcs are combined by combine='max'"
    """
    of_repeats = f"of {plural(repeats, 'repeated arc')}" if repeats else ""
    of_ends = f"of {plural(merged, 'edge')} given from both ends" if merged else ""
    both = " and ".join(filter(None, (of_repeats, of_ends)))
    if not both:
        return None
    if combine is not None:
        return f"weights {both} are combined by combine={combine!r}"
    words = f"weights {both} are added"
    if once:
        words = f"weights {of_ends} agree and count once" + (f"; weights {of_repeats} are added" if repeats else "")
    if repeats or not once:
        warnings.warn(words, UserWarning, stacklevel=stack_level_of_caller())
    return words


def weighted_rows_of(
    oriented: Oriented, weights: EntryWeights, *, threads: int
) -> tuple[Int64Array, Ids, Float64Array]:
    """Return indptr, indices and weights of the rows of the graph by vertex, symmetric if undirected."""
    order = oriented.order
    source: WeightedArcs | WeightedEntries
    if oriented.state is None or weights.into is None:
        source, place, rule = WeightedEntries(oriented.indptr, oriented.indices, weights.out), order, rows.BOTH
    else:
        given = np.concatenate(by_direction(weights, oriented.state))
        source = WeightedArcs(*arcs_of(oriented, order, oriented.state), given)
        place, rule = None, rows.FORWARD
    made = sorting.sort_weighted_rows(
        source, oriented.num_vertices, place, rule, combine=sorting.FIRST, with_state=False, mirrored=False,
        threads=threads,
    )  # fmt: skip
    assert isinstance(made, sorting.WeightedRows)  # noqa: S101 - no entry is repeated
    return made.rows.indptr, made.rows.indices, made.out


def wrong_weights(
    wrong: sorting.Wrong,
    vertices: tuple[int, int],
    name: Callable[[int], str],
    *,
    directed: bool,
    both: int = 0,
    equal: int = 0,
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
    both, equal : int, default 0
        Number of edges that are given from both ends, and with weights that agree, if most do but not all.
    """
    (a, b), out, into = vertices, wrong.out, wrong.into
    if wrong.backward if directed else a > b:
        a, b, out, into = b, a, into, out
    ends = f"{name(a)} and {name(b)}"
    if wrong.kind == sorting.OVERFLOW:
        return ArgumentError(f'combine="sum": the weights between {ends} add up to more than a float64 can hold')
    if wrong.kind == sorting.REPEATED:
        return ArgumentError(f'combine="error": {ends} are joined more than once')
    given = f"the edge between {ends} is given from both ends with weights {out:.12g} and {into:.12g}"
    if not both:
        return ArgumentError(f"{given}: expected the same, or directed=True (--directed), which keeps both")
    return ArgumentError(
        f"{given}, but {equal:,} of {both:,} such edges have equal weights; expected equal weights of all, or "
        f"combine= (--combine) with one of {rules_in_words()}"
    )


def name_of(vertex: int, *, labels: AnyArray | None) -> str:
    """Return what an error calls a vertex."""
    return f"vertex {vertex if labels is None or vertex >= len(labels) else labels[vertex]}"
