"""The methods of `Graph` that find vertices by their labels, and that leave out edges."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isnan
from numbers import Real
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.blocks import resolve_threads
from triadic.core.checked import checked
from triadic.errors import ArgumentError
from triadic.graph.labels import find_vertices, index_labels
from triadic.graph.makers import GraphMakers
from triadic.graph.orientation import orient_csr

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable
    from typing import Self

    from numpy.typing import NDArray

    from triadic.core.arcs import Origin


@checked
class GraphSelection(GraphMakers):
    """Base class of `Graph`: the methods that find vertices by their labels, and that leave out edges."""

    __slots__ = ()

    if TYPE_CHECKING:  # defined by `Graph`

        @property
        def weights(self) -> NDArray[np.float64] | None: ...  # noqa: D102
        @property
        def indptr(self) -> NDArray[np.int64]: ...  # noqa: D102
        @property
        def indices(self) -> NDArray[np.integer[Any]]: ...  # noqa: D102

    @overload
    def index(self, labels: str | int) -> int: ...  # type: ignore[overload-overlap]  # a str is a collection as well

    @overload
    def index(self, labels: Collection[Hashable] | NDArray[np.generic]) -> NDArray[np.int64]: ...

    def index(self, labels: Hashable | Collection[Hashable] | NDArray[np.generic]) -> int | NDArray[np.int64]:
        """Return the vertex that has a label, or the vertices that have several labels.

        Parameters
        ----------
        labels : str or int, or array_like or set of str or int
            One label or several. The labels of a graph without labels are the numbers 0 .. n - 1. A label that is
            neither str nor int, such as a node of networkx that is a tuple, is found by its name, ``str(label)``.

        Returns
        -------
        int, or int64 array of shape (len(labels),)
            Number of the vertex, or the number of the vertex of each label in their order (those of a set in rising
            order).

        Raises
        ------
        ArgumentError
            If no vertex has a label, or more than one vertex has it.

        Notes
        -----
        The first call makes an index of the labels, O(n) for strings and O(n log(n)) for whole numbers, which stays in
        memory until `release`. A label is then found in O(1) or O(log(n)).

        Examples
        --------
        >>> from triadic import Graph
        >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0], labels=["Valjean", "Javert", "Fantine"])
        >>> graph.index("Javert")
        1
        >>> graph.index(["Fantine", "Javert"])
        array([2, 1])
        """
        if self._label_index is None:
            self._label_index = index_labels(self._labels, self._number_of_vertices())
        return find_vertices(self._label_index, labels)

    def filter(self, *, weights: tuple[float | None, float | None]) -> Self:
        """Return the graph with the edges whose weights are in a range, and with all vertices.

        Parameters
        ----------
        weights : pair of float or None
            Smallest and largest weight of the edges to keep, both included; None is no limit.

        Returns
        -------
        Graph
            With the weights, labels, direction and origin of the graph, and with its record of what was `dropped`:
            edges outside the range do not count as dropped.

        Raises
        ------
        ArgumentError
            If the graph has no weights, or if `weights` is not a pair of numbers in rising order.

        Notes
        -----
        O(n + m).

        Examples
        --------
        >>> from triadic import Graph
        >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[1, 5, 9])
        >>> graph.filter(weights=(2, None))
        Graph(undirected, 4 vertices, 2 edges, with weights)
        >>> graph.filter(weights=(2, 5)).edges()
        (array([1], dtype=int32), array([2], dtype=int32))
        """
        low, high = _range_of(weights)
        present = self.weights
        if present is None:
            raise ArgumentError(
                "weights: the graph has no weights; expected a graph that was made with weights, as by "
                "triadic.read(file, weights=True) or Graph(object, weights=True)"
            )
        indptr, indices = self.indptr, self.indices
        keep = (present >= low) & (present <= high)
        before = np.concatenate([[0], np.cumsum(keep)])
        kept = present[keep]
        changed: dict[str, Any] = {"csr": (before[indptr], indices[keep]), "weights": kept, "num_arcs": len(kept)}
        changed |= {"oriented": None, "entry_weights": None, "origin": self._origin_by_reverse_arcs(indptr, indices)}
        return self._make(**self._fields() | changed)

    def _origin_by_reverse_arcs(self, indptr: NDArray[np.int64], indices: NDArray[np.integer[Any]]) -> Origin:
        """Return the origin; reverse arcs tell that arcs have directions, and they may be among the edges left out."""
        if not self._directed or self._origin.direction != "assumed":
            return self._origin
        edges = orient_csr(indptr, indices, directed=True, threads=resolve_threads(None)).num_edges
        return replace(self._origin, direction="stated") if len(indices) > edges else self._origin

    def _number_of_vertices(self) -> int:
        if self._csr is not None:
            return len(self._csr[0]) - 1
        assert self._oriented is not None  # noqa: S101 - a graph has one of the two forms at least
        return self._oriented.num_vertices


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


def induced(arcs: Arcs, vertices: NDArray[np.int64]) -> Arcs:
    """Return the arcs between some of the vertices. O(arcs + vertices).

    The new vertex i is ``vertices[i]``, each of which is given once, and those without a label last; its label is the
    old label, or the old number if the arcs have no labels.
    """
    new = np.full(arcs.vertices, -1, dtype=arcs.source.dtype)
    new[vertices] = np.arange(len(vertices))
    inside = (new[arcs.source] >= 0) & (new[arcs.target] >= 0)
    names = np.arange(arcs.vertices) if arcs.labels is None else arcs.labels
    return Arcs(
        new[arcs.source[inside]],
        new[arcs.target[inside]],
        len(vertices),
        arcs.directed,
        None if arcs.weights is None else arcs.weights[inside],
        names[vertices[vertices < len(names)]],
    )
