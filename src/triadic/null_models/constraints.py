"""What a random network keeps besides degrees: arcs between groups of vertices, and bins of the lengths of arcs."""

from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.core.checked import check_option
from triadic.core.formatting import plural
from triadic.core.records import record
from triadic.devices.select import warn
from triadic.errors import ArgumentError
from triadic.graph.selection import values_at_vertices
from triadic.graph.weights import name_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from triadic.core.array_types import AnyArray, BoolArray, Float64Array, Int32Array, Int64Array, IntegerArray
    from triadic.graph.graph import Graph

    Groups = ArrayLike | Mapping[Any, Any]
    Positions = ArrayLike | Mapping[Any, Any]

Missing = Literal["error", "type", "drop"]

TYPE_NUMBERS = "number of the type"
"""Name of the column of samples of ``null="types"`` that says of which type a vertex is; -1 of none."""

DEFAULT_BINS = 10
_MOST_BINS = 1000
_LEAST_ARCS, _ROLLED = 10, 4  # of a graph whose bins are judged; pairs that are looked at for each arc
_MISSING = {"None", "nan", "NaT", "<NA>"}  # missing values of Python, NumPy and pandas, as text
_FARTHEST = 1e150  # coordinate up to which squares of lengths fit 64-bit floats


@record
class Constraints:
    """Properties of arcs that a null model keeps: each arc has a class, and the number of arcs of each class is kept.

    The class of an arc consists of the group of its tail, the group of its head, and the bin of its length. In an
    undirected graph the two groups have no order.

    Attributes
    ----------
    group : int32 array, shape (n,)
        Number of the group of each vertex; zeros without groups.
    names : array, shape (groups,)
        Name of each group, in rising order; empty without groups.
    place : float64 array, shape (n, 3)
        Coordinates of each vertex; zeros without positions.
    edges : float64 array, shape (bins - 1,)
        Inner edges of the bins of length, as `numpy.digitize` takes them; empty without positions.
    """

    group: Int32Array
    names: AnyArray
    place: Float64Array
    edges: Float64Array

    @classmethod
    def of(
        cls,
        graph: Graph,
        *,
        groups: Groups | None = None,
        positions: Positions | None = None,
        bins: int | ArrayLike | None = None,
        missing: Missing = "error",
    ) -> Constraints | None:
        """Check the arguments and return the constraints of a graph; None if there are none.

        Raises
        ------
        ArgumentError
            `groups` or `positions` lacks a vertex or has missing values; `bins` is given
            without `positions`, or is neither a number of bins nor rising edges.
        """
        if positions is None and bins is not None:
            raise ArgumentError(f"bins={bins!r}: bins of length need positions=, the coordinates of the vertices")
        if groups is None and positions is None:
            return None
        n = graph.num_vertices
        group, names = np.zeros(n, np.int32), np.zeros(0, object)
        place, edges = np.zeros((n, 3)), np.zeros(0)
        if groups is not None:
            group, names = take_groups(groups, graph, missing="type" if missing == "drop" else missing)
        if positions is not None:
            place = _take_positions(positions, graph)
            edges = _take_bins(DEFAULT_BINS if bins is None else bins, arc_lengths(place, *graph.edges()))
        return cls(group, names, place, edges)

    @property
    def has_groups(self) -> bool:
        """Whether the numbers of arcs between groups are kept."""
        return len(self.names) > 0

    @property
    def has_bins(self) -> bool:
        """Whether the bins of the lengths of arcs are kept."""
        return len(self.edges) > 0

    @property
    def limits(self) -> Float64Array:
        """Squares of the edges of the bins, outer ones too: a bin has the lengths whose squares, as rounded, are in it.

        Kernels compare squares, without a root; each limit is the smallest number whose root is at least the edge.
        """
        with np.errstate(over="ignore"):
            limits = np.where(self.edges > 0, self.edges * self.edges, 0.0)
        while (low := np.sqrt(limits) < self.edges).any():
            limits[low] = np.nextafter(limits[low], np.inf)
        while (high := (limits > 0) & (np.sqrt(np.nextafter(limits, 0)) >= self.edges)).any():
            limits[high] = np.nextafter(limits[high], 0)
        return np.concatenate([[0.0], limits, [np.inf]])

    def describe(self) -> str:
        """Return the constraints in words, such as "12 groups, 10 bins of length"."""
        bins = f"{len(self.edges) + 1:,} bins of length"
        return ", ".join([plural(len(self.names), "group")] * self.has_groups + [bins] * self.has_bins)

    def warn_of_one_bin(self, graph: Graph) -> None:
        """Warn if bins tell nothing apart, as when their edges have another unit than the coordinates.

        All arcs are then in one bin of length, and so are the tails with the heads of other arcs.
        """
        source, target = graph.edges()
        if not self.has_bins or len(source) < _LEAST_ARCS:
            return
        arcs = arc_lengths(self.place, source, target)
        first = np.digitize(arcs[0], self.edges)
        for by in range(_ROLLED):  # the arcs themselves first, which mostly suffice
            others = np.roll(target, by)
            pairs = source != others
            lengths = arc_lengths(self.place, source[pairs], others[pairs])
            if (np.digitize(lengths, self.edges) != first).any():
                return
        warn(
            "bins: all arcs, and all other pairs that were looked at, are in one bin of length, so that the bins keep "
            f"nothing: arcs are from {arcs.min():.6g} to {arcs.max():.6g} long, and the inner edges are from "
            f"{self.edges[0]:.6g} to {self.edges[-1]:.6g}"
        )

    def classes(self, source: IntegerArray, target: IntegerArray, *, directed: bool) -> Int64Array:
        """Return the class of each arc as a row (group, group, bin): shape (arcs, 3)."""
        first, second = self.group[source], self.group[target]
        if not directed:
            first, second = np.minimum(first, second), np.maximum(first, second)
        lengths = arc_lengths(self.place, source, target)
        return np.stack([first, second, np.digitize(lengths, self.edges)], axis=1).astype(np.int64)


def take_groups(
    groups: Groups, graph: Graph, argument: str = "groups", missing: Missing = "error"
) -> tuple[Int32Array, AnyArray]:
    """Check the groups of the vertices; return the number of each vertex's group, and the names of the groups.

    Vertices without a group raise an error, are a group "(missing)" with ``missing="type"``, or have the number -1 with
    ``missing="drop"``.
    """
    check_option("missing", missing, Missing)
    array = values_at_vertices(argument, groups, graph)
    if array.ndim != 1 or len(array) != graph.num_vertices:
        raise ArgumentError(
            f"{argument}: expected one label for each of the {graph.num_vertices:,} vertices, got shape {array.shape}"
        )
    absent = _absent(array)
    if absent.any() and missing == "error":
        first = name_of(int(np.argmax(absent)), labels=graph.labels)
        remedy = "missing='type' gives them one of their own, missing='drop' leaves them out"
        if argument == "groups":
            remedy = "give them a group of their own, or leave them out with graph.subgraph"
        raise ArgumentError(f"{argument}: {first} has none, and {int(absent.sum()):,} vertices in all; {remedy}")
    array, codes = array[~absent], np.full(len(array), -1, np.int32)
    if array.dtype == object and all(isinstance(name, Real) for name in array.tolist()):
        array = np.asarray(array.tolist())
    if array.dtype.kind == "f" and (array == np.floor(array)).all():
        array = array.astype(np.int64)
    if array.dtype.kind not in "iub":
        array = np.array([str(name) for name in array.tolist()], object)
    names, group = np.unique(array, return_inverse=True)
    codes[~absent] = group.reshape(-1)
    if missing == "type" and absent.any():
        codes[absent], names = len(names), np.append(names.astype(object), "(missing)")
    return codes, names


def arc_lengths(place: Float64Array, source: IntegerArray, target: IntegerArray) -> Float64Array:
    """Return the Euclidean length of each arc, by the same operations in the same order as the kernels."""
    difference = place[source] - place[target]
    square = difference * difference
    return np.sqrt((square[:, 0] + square[:, 1]) + square[:, 2])


def _absent(array: AnyArray) -> BoolArray:
    """Return which labels are None, NaN or empty."""
    if array.dtype.kind in "iub":
        return np.zeros(len(array), np.bool_)
    if array.dtype.kind == "f":
        return np.isnan(array)
    blank = [label == "" if isinstance(label, str) else str(label) in _MISSING for label in array.tolist()]
    return np.array(blank, np.bool_)


def _take_positions(positions: Positions, graph: Graph) -> Float64Array:
    """Check the coordinates of the vertices; return them in three dimensions."""
    n, array = graph.num_vertices, values_at_vertices("positions", positions, graph)
    try:
        array = array.astype(np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.ndim != 2 or array.shape[0] != n or array.shape[1] not in (2, 3):
        raise ArgumentError(
            f"positions: expected numbers of shape ({n}, 2) or ({n}, 3), a row for each vertex, got shape {array.shape}"
        )
    bad = ~np.isfinite(array).all(axis=1)
    if bad.any():
        where = int(np.argmax(bad))
        raise ArgumentError(
            f"positions: {name_of(where, labels=graph.labels)} is at {array[where].tolist()}, and {int(bad.sum()):,} "
            "vertices in all have no finite coordinates; leave them out with graph.subgraph"
        )
    if np.abs(array).max(initial=0.0) > _FARTHEST:
        raise ArgumentError(
            f"positions: expected coordinates up to {_FARTHEST}, got {np.abs(array).max()}; use a larger unit"
        )
    place = np.zeros((n, 3))
    place[:, : array.shape[1]] = array
    return place


def _take_bins(bins: Any, lengths: Float64Array) -> Float64Array:  # noqa: ANN401 - int or array_like
    """Return the inner edges of the bins; a number of bins is cut at quantiles of the lengths of the arcs."""
    if not isinstance(bins, np.timedelta64) and isinstance(bins, Integral):
        if not 2 <= int(bins) <= _MOST_BINS:
            raise ArgumentError(f"bins={bins!r}: expected from 2 to {_MOST_BINS} bins, or their inner edges")
        if len(lengths) == 0:
            return np.ones(1)
        return np.unique(np.quantile(lengths, np.arange(1, int(bins)) / int(bins)))
    try:
        edges = np.asarray(bins, np.float64)
    except (TypeError, ValueError):
        edges = np.zeros((0, 0))
    rising = edges.ndim == 1 and 0 < len(edges) < _MOST_BINS and np.isfinite(edges).all() and (np.diff(edges) > 0).all()
    if not rising:
        raise ArgumentError(
            f"bins={bins!r}: expected a number of bins, or the rising inner edges between them, as numpy.digitize "
            "takes them"
        )
    return edges
