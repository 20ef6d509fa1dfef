"""The class methods that make a `Graph`, from edges, raw arcs, compressed rows or a sparse matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Arcs, Dropped, Origin
from triadic.core.arguments import (
    take_columns,
    take_ends,
    take_labels,
    take_number_of_vertices,
    take_square,
    take_vertices,
    take_weights,
    unmasked,
)
from triadic.core.blocks import resolve_threads
from triadic.core.checked import checked
from triadic.core.memory import check_memory
from triadic.core.oriented import OrientationSummary, Oriented, frozen, index_dtype, rows_of_entries
from triadic.devices.cpu.orient import rows
from triadic.devices.cpu.orient.bucket_keys import COMBINE
from triadic.devices.gpu.orientation import ends_of, is_on_card, orient_arrays
from triadic.errors import ArgumentError, UnsupportedError
from triadic.graph.labels import LabelledGraph
from triadic.graph.orientation import FEW_ARCS, Combining, graph_bytes, orient_arcs, orient_csr
from triadic.graph.weights import WEIGHT, rules_in_words, say_combined

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

    from numpy.typing import ArrayLike

    from triadic.core.arguments import Sparse
    from triadic.core.array_types import AnyArray, Ids, Int64Array, ObjectArray
    from triadic.graph.orientation import GraphOfVertices

    Labels = Int64Array | ObjectArray

_MOST_VERTICES = 1 << 36


def rules_of(combine: str | Mapping[str, str] | None, columns: Iterable[str]) -> dict[str, str]:
    """Return the rule of each column for repeated arcs; columns without a rule are left out.

    Raises
    ------
    ArgumentError
        If a rule is unknown, or belongs to a column that does not exist.
    """
    names = [WEIGHT, *columns]
    if combine is None:
        return {}
    if not isinstance(combine, (str, Mapping)):
        raise ArgumentError(
            f"combine={combine!r}: expected one of {rules_in_words()}, or a mapping from columns to them"
        )
    rules = dict.fromkeys(names, combine) if isinstance(combine, str) else dict(combine)
    for name, rule in rules.items():
        if name not in names:
            raise ArgumentError(f"combine: no column is named {name!r}, expected one of {', '.join(map(repr, names))}")
        if not isinstance(rule, str) or rule not in COMBINE:
            given = f"combine={rule!r}" if rule == combine else f"combine[{name!r}]={rule!r}"
            raise ArgumentError(f"{given}: expected one of {rules_in_words()}")
    return rules


def with_checked_weights(arcs: Arcs) -> Arcs:
    """Return arcs with finite weights of float64; raise an ArgumentError if they have others."""
    return arcs if arcs.weights is None else replace(arcs, weights=take_weights(arcs.weights, len(arcs)))


def take_arcs(
    source: Ids, target: Ids, vertices: int, *, directed: bool, weights: ArrayLike | None, labels: ArrayLike | None
) -> Arcs:
    """Check the weights of arcs and the labels of vertices; return the arcs, with numbers of vertices of one dtype."""
    dtype = index_dtype(vertices)
    return Arcs(
        source.astype(dtype, copy=False),
        target.astype(dtype, copy=False),
        vertices,
        directed,
        None if weights is None else take_weights(weights, len(source)),
        take_labels(labels, vertices),
    )


@checked
class GraphMakers(LabelledGraph):
    """Base class of `Graph`: its stored arrays, and the class methods that make a graph of them."""

    __slots__ = (
        "_columns", "_csr", "_directed", "_dropped", "_labels", "_num_arcs", "_oriented", "_origin",
        "_vertex_columns",
    )  # fmt: skip

    _columns: dict[str, AnyArray]  # at the entries of the rows; of a graph without rows, the oriented form has them
    _csr: tuple[Int64Array, Ids] | None
    _oriented: Oriented | None
    _directed: bool
    _dropped: Dropped
    _labels: Labels | None
    _num_arcs: int
    _origin: Origin
    _vertex_columns: dict[str, AnyArray]

    @classmethod
    def from_edges(
        cls,
        source: ArrayLike,
        target: ArrayLike,
        *,
        num_vertices: int | None = None,
        directed: bool = False,
        weights: ArrayLike | None = None,
        columns: Mapping[str, ArrayLike] | None = None,
        labels: ArrayLike | None = None,
        combine: str | Mapping[str, str] | None = None,
        threads: int | None = None,
    ) -> Self:
        """Make a graph from the end vertices of its edges, in any order.

        Loops and repeated edges are dropped; `dropped` counts them.

        Parameters
        ----------
        source, target : array_like of int, shape (edges,)
            End vertices, at least 0. CUDA arrays (of CuPy, or of any library with DLPack or CUDA's array interface)
            are oriented on their GPU and stay there; such a graph has no weights.
        num_vertices : int, optional
            Number of vertices. By default the largest end vertex plus one.
        directed : bool, default False
            Whether edges run from source to target.
        weights : array_like of float, shape (edges,), optional
            Finite weights of the edges. By default the graph has no weights.
        columns : mapping from str to array_like of shape (edges,), optional
            Further values of the edges by name, of any dtype, such as ``{"kind": kinds, "since": dates}``: see
            `Graph.columns`. By default the graph has no columns.
        labels : array_like of int or str, shape (vertices,), optional
            Names of the vertices. By default the graph has no labels.
        combine : {"sum", "max", "min", "mean", "first", "error"}, or mapping from a column to one, optional
            How to combine the values of a repeated edge; if undirected, (v, u) repeats (u, v). By default weights of
            repeats in one direction are added. Weights from both ends then count once if all edges have two equal
            ones, are an error if most have but not all, and are added otherwise. ``graph.origin.weights`` says what was
            done. Of other columns, two values of an edge are an error by default.
        threads : int, optional
            Number of threads. By default every CPU that the process may use.

        Returns
        -------
        Graph

        Raises
        ------
        ArgumentError
            If the arrays differ in length, do not hold whole numbers or are out of range, if a weight is not finite,
            or if `combine` is "error" and an edge is repeated.
        UnsupportedError
            If CUDA arrays come with weights.
        OutOfMemoryError
            If the graph would not fit in memory.

        Notes
        -----
        O(edges + vertices): five passes over the edges, one of them a radix sort that runs in cache. Working memory is
        8 bytes per edge beside the result.

        Examples
        --------
        >>> from triadic import Graph
        >>> graph = Graph.from_edges([0, 1, 1, 2], [1, 0, 2, 2])
        >>> graph.num_edges, graph.dropped
        (2, Dropped(loops=1, duplicates=0, reciprocal_merged=1))
        >>> flights = Graph.from_edges([0, 1], [1, 2], directed=True, columns={"airline": ["LH", "BA"]})
        >>> flights.columns["airline"]
        array(['LH', 'BA'], dtype='<U2')
        """
        if is_on_card(source) or is_on_card(target):
            if weights is not None or columns:
                raise UnsupportedError(
                    "source, target: CUDA arrays make graphs without weights only; expected arrays in memory"
                )
            oriented, summary = orient_arrays(source, target, num_vertices, directed=directed)
            names = take_labels(labels, oriented.num_vertices)
            return cls._of_oriented(oriented, summary, directed=directed, labels=names)
        a, b, least = take_ends(source, target)
        if num_vertices is None and least > _MOST_VERTICES:
            raise ArgumentError(
                f"source, target: found the id {least - 1}, expected the numbers 0, 1, ... of vertices; triadic.Graph"
                "(pandas.DataFrame({'source': source, 'target': target}), directed=...) takes ids of any size as labels"
            )
        n = least if num_vertices is None else take_number_of_vertices(num_vertices, least)
        arcs = take_arcs(a, b, n, directed=directed, weights=weights, labels=labels)
        arcs = arcs if columns is None else replace(arcs, columns=take_columns(columns, len(a)))
        return cls._of_arcs(arcs, None, directed=None, combine=combine, threads=threads)

    @classmethod
    def from_arcs(
        cls,
        arcs: Arcs,
        *,
        directed: bool | None = None,
        combine: str | Mapping[str, str] | None = None,
        threads: int | None = None,
    ) -> Self:
        """Make a graph from raw arcs, as `triadic.io.read_arcs` returns them.

        Loops and repeated arcs are dropped; `dropped` counts them.

        Parameters
        ----------
        arcs : Arcs
            Arcs in any order.
        directed : bool, optional
            Whether to keep the directions. By default ``arcs.directed``.
        combine : {"sum", "max", "min", "mean", "first", "error"}, or mapping from a column to one, optional
            How to combine the values of a repeated edge; if undirected, (v, u) repeats (u, v). By default weights of
            repeats in one direction are added. Weights from both ends then count once if all edges have two equal
            ones, are an error if most have but not all, and are added otherwise. ``graph.origin.weights`` says what was
            done. Of other columns, two values of an edge are an error by default.
        threads : int, optional
            Number of threads. By default every CPU that the process may use.

        Returns
        -------
        Graph

        Raises
        ------
        ArgumentError
            If `combine` is unknown, or is "error" and an arc with a weight is repeated.
        OutOfMemoryError
            If the graph would not fit in memory.

        Notes
        -----
        O(arcs + vertices); weights double the time.

        Examples
        --------
        >>> import numpy as np
        >>> from triadic import Graph
        >>> from triadic.core.arcs import Arcs
        >>> source, target = np.array([[0, 1, 2], [1, 2, 0]], dtype=np.int32)
        >>> Graph.from_arcs(Arcs(source, target, vertices=3, directed=True), directed=False)
        Graph(undirected, 3 vertices, 3 edges)
        """
        return cls._of_arcs(with_checked_weights(arcs), None, directed=directed, combine=combine, threads=threads)

    @classmethod
    def _of_arcs(
        cls,
        arcs: Arcs,
        batch: GraphOfVertices | None,
        *,
        directed: bool | None,
        combine: str | Mapping[str, str] | None,
        threads: int | None,
    ) -> Self:
        """Make a graph from raw arcs; its vertices may be those of a batch of graphs."""
        combining = Combining(rules_of(combine, arcs.columns), arcs.both_ends, arcs.labels)
        workers = resolve_threads(threads)
        n = arcs.vertices
        origin = arcs.origin if directed is None else replace(arcs.origin, direction="given")
        directed = arcs.directed if directed is None else directed
        count, columns = len(arcs.source), len(arcs.columns) + (arcs.weights is not None)
        needed = graph_bytes(n, count, threads=workers, columns=columns, directed=directed)
        check_memory(needed, f"a {'graph' if batch is None else 'batch'} of {n} vertices and {count} arcs")
        oriented, summary = orient_arcs(arcs, directed=directed, combining=combining, threads=workers, batch=batch)
        if arcs.weights is not None:
            merged = 0 if directed or arcs.both_ends else summary.reciprocal
            words = say_combined(combining.rules.get(WEIGHT), summary.duplicates, merged, once=summary.once)
            origin = origin if words is None else replace(origin, weights=words)
        graph = cls._of_oriented(oriented, summary, directed=directed, labels=arcs.labels, origin=origin)
        for name, values in arcs.vertex_columns.items():
            if len(values) != n:
                raise ArgumentError(
                    f"num_vertices={n}: the vertex column {name!r} has {len(values)} values; expected as many"
                )
        graph = graph._with(vertex_columns=arcs.vertex_columns) if arcs.vertex_columns else graph  # noqa: SLF001 - as below
        return graph._of_symmetric_rows() if arcs.both_ends else graph  # noqa: SLF001 - a method of this class

    @classmethod
    def from_csr(
        cls,
        indptr: ArrayLike,
        indices: ArrayLike,
        *,
        directed: bool = False,
        weights: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        trusted: bool = False,
        dropped: Dropped | None = None,
    ) -> Self:
        """Make a graph from compressed sparse rows.

        Parameters
        ----------
        indptr : array_like of int, shape (n + 1,)
            Start of each vertex's row in `indices`, followed by the length of `indices`.
        indices : array_like of int, shape (entries,)
            Neighbours. An edge of an undirected graph may stand in one row or in both.
        directed : bool, default False
            Whether an entry is an arc from the vertex of its row.
        weights : array_like of float, shape (entries,), optional
            Finite weights. If an undirected edge stands in both rows, its two weights must agree.
        labels : array_like of int or str, shape (n,), optional
            Names of the vertices. By default the graph has no labels.
        trusted : bool, default False
            Use the arrays unchecked and without a copy. The rows must be sorted, without loops and repeats, and
            symmetric if the graph is undirected; other rows give wrong counts or a crash.
        dropped : Dropped, optional
            Used with ``trusted=True`` only: what was dropped when the rows were made. By default nothing.

        Returns
        -------
        Graph

        Raises
        ------
        ArgumentError
            If `indptr` does not rise from 0 to ``len(indices)``, if a neighbour is not a vertex, if a weight is not
            finite, or if the two weights of an undirected edge differ.
        OutOfMemoryError
            If the graph would not fit in memory.

        Notes
        -----
        O(n + entries); O(n) with ``trusted=True``. Undirected rows that are sorted and symmetric, without loops and
        repeats, are oriented as they stand, which takes less time than from arcs.

        Examples
        --------
        >>> from triadic import Graph
        >>> Graph.from_csr([0, 2, 3, 3], [1, 2, 2])
        Graph(undirected, 3 vertices, 3 edges)
        """
        ptr = unmasked("indptr", indptr)
        columns, least = (unmasked("indices", indices), 0) if trusted else take_vertices("indices", indices)
        data = None if weights is None else take_weights(weights, len(columns))
        if ptr.ndim != 1 or len(ptr) == 0 or ptr.dtype.kind not in "iu":
            raise ArgumentError(f"indptr: expected a 1-D array of n + 1 integers, got {ptr.dtype} of shape {ptr.shape}")
        ptr = ptr.astype(np.int64, copy=False)
        n = len(ptr) - 1
        names = take_labels(labels, n)
        columns = columns.astype(index_dtype(n), copy=False)
        if trusted:
            return cls._make(
                csr=(ptr, columns),
                directed=directed,
                num_arcs=len(columns),
                dropped=dropped or Dropped(),
                labels=names,
                columns={} if data is None else {WEIGHT: data},
            )
        if ptr[0] != 0 or ptr[-1] != len(columns) or np.any(np.diff(ptr) < 0):
            raise ArgumentError(f"indptr: expected to rise from 0 to len(indices) = {len(columns)}")
        if least > n:
            raise ArgumentError(f"indices: expected vertices below len(indptr) - 1 = {n}, got {least - 1}")
        if len(columns) > FEW_ARCS and columns.dtype == np.int32 and not directed and data is None:
            workers, given = resolve_threads(None), (frozen(ptr), frozen(columns))
            check_memory(
                graph_bytes(n, len(columns), threads=workers), f"a graph of {n} vertices and {len(columns)} entries"
            )
            if rows.first_wrong_row(*given, threads=workers) < 0 and rows.is_symmetric(*given, threads=workers):
                oriented = orient_csr(*given, directed=False, threads=workers)
                summary = OrientationSummary(len(columns), 0, 0, 0)
                return cls._of_oriented(oriented, summary, directed=False, labels=names)
        row = rows_of_entries(ptr, columns.dtype)
        return cls.from_arcs(Arcs(row, columns, n, directed, data, names, both_ends=not directed))

    @classmethod
    def from_scipy(
        cls, matrix: Sparse, *, directed: bool = False, weights: bool = False, labels: ArrayLike | None = None
    ) -> Self:
        """Make a graph from a SciPy sparse matrix or array: each stored entry is an arc, whatever its value.

        Parameters
        ----------
        matrix : scipy.sparse matrix or array, shape (n, n)
            For an undirected graph, a symmetric matrix or one triangle of it. A CuPy matrix is oriented on its GPU and
            stays there; such a graph is undirected and has no weights.
        directed : bool, default False
            Whether an entry is an arc from its row to its column.
        weights : bool, default False
            Whether to keep the stored values as weights.
        labels : array_like of int or str, shape (n,), optional
            Names of the vertices. By default the graph has no labels.

        Returns
        -------
        Graph

        Raises
        ------
        ArgumentError
            If the matrix is not sparse or not square, or if weights across the diagonal differ.
        UnsupportedError
            If a CuPy matrix comes with ``weights=True``.
        OutOfMemoryError
            If the graph would not fit in memory.

        Notes
        -----
        O(n + entries).

        Examples
        --------
        >>> from scipy.sparse import csr_array
        >>> from triadic import Graph
        >>> Graph.from_scipy(csr_array([[0, 1, 1], [0, 0, 1], [0, 0, 0]]))
        Graph(undirected, 3 vertices, 3 edges)
        """
        n = take_square(matrix)
        if is_on_card(getattr(matrix, "data", None)):
            row, column = ends_of(matrix)
            # `from_edges` refuses weights of CUDA arrays, whatever they are.
            values = True if weights else None
            graph = cls.from_edges(row, column, num_vertices=n, directed=directed, weights=values, labels=labels)
            return graph._of_symmetric_rows()  # noqa: SLF001 - a method of this class
        csr = matrix.tocsr()
        return cls.from_csr(
            csr.indptr, csr.indices, directed=directed, weights=csr.data if weights else None, labels=labels
        )

    @classmethod
    def _make(
        cls,
        *,
        csr: tuple[Int64Array, Ids] | None = None,
        oriented: Oriented | None = None,
        directed: bool,
        num_arcs: int,
        dropped: Dropped = Dropped(),  # noqa: B008 - immutable
        labels: Labels | None = None,
        columns: Mapping[str, AnyArray] | None = None,
        vertex_columns: Mapping[str, AnyArray] | None = None,
        origin: Origin | None = None,
    ) -> Self:
        graph = object.__new__(cls)
        graph._csr = None if csr is None else (frozen(csr[0]), frozen(csr[1]))
        graph._oriented = oriented
        graph._directed, graph._num_arcs, graph._dropped = directed, num_arcs, dropped
        graph._labels = None if labels is None else frozen(labels)
        graph._label_index = None
        graph._columns, graph._vertex_columns = _frozen(columns or {}), _frozen(vertex_columns or {})
        graph._origin = origin or Origin()
        return graph

    @classmethod
    def _of_oriented(
        cls,
        oriented: Oriented,
        summary: OrientationSummary,
        *,
        directed: bool,
        labels: Labels | None,
        origin: Origin | None = None,
    ) -> Self:
        return cls._make(
            oriented=oriented,
            directed=directed,
            num_arcs=summary.arcs if directed else 2 * oriented.num_edges,
            dropped=Dropped(summary.loops, summary.duplicates, 0 if directed else summary.reciprocal),
            labels=labels,
            origin=origin,
        )

    def _on_host(self) -> Self:
        """Return the graph with its oriented form in the memory of the host, which a device may hold."""
        oriented = self._oriented
        if oriented is None or oriented.device is None:
            return self
        return self._with(oriented=oriented.with_state(oriented.state))

    def _with(self, **changed: Any) -> Self:  # noqa: ANN401 - arguments of `_make`
        """Return a graph on the same arrays with other fields, such as another record of what was dropped."""
        return self._make(**self._fields() | changed)

    def _of_symmetric_rows(self) -> Self:
        """Return the graph with no arcs merged: symmetric rows store each undirected edge twice by definition."""
        return self._with(dropped=replace(self._dropped, reciprocal_merged=0))

    def _fields(self) -> dict[str, Any]:
        """Return the arguments of `_make` that make the graph again."""
        return {name[1:]: getattr(self, name) for name in GraphMakers.__slots__}


def _frozen(columns: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    return {name: frozen(values) for name, values in columns.items()}
