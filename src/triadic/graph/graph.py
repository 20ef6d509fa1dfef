"""The graph: immutable, simple, kept once and turned into the form that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert import outward
from triadic.core.arcs import Arcs, Dropped
from triadic.core.arguments import take_labels, take_number_of_vertices, take_square, take_vertices, take_weights
from triadic.core.blocks import resolve_threads
from triadic.core.frozen import frozen
from triadic.core.memory import check_memory
from triadic.core.notebook import html_table
from triadic.core.oriented import Met, Oriented
from triadic.devices.cpu import rows
from triadic.devices.cpu.by_rank import take
from triadic.devices.gpu.arrays import ends_of, is_on_card, orient_arrays
from triadic.errors import ArgumentError, UnsupportedError
from triadic.graph.induced import induced
from triadic.graph.orientation import graph_bytes, orient, orient_csr, rows_of
from triadic.graph.weighted import check_combine, weighted_rows

if TYPE_CHECKING:
    import scipy.sparse
    from numpy.typing import ArrayLike, NDArray

    from triadic.convert.recognise import GraphLike
    from triadic.core.arguments import Sparse

    Ids = NDArray[np.integer[Any]]
    Labels = NDArray[np.int64] | NDArray[np.object_]


class Graph:
    """A simple graph, directed or not: no loops, no repeats, immutable.

    Made of another library's object, or by `from_edges`, `from_csr`, `from_scipy`, `triadic.read`, `triadic.generate`.
    Vertices are 0 .. n - 1 and may have labels. An edge is kept once, oriented, which is what counting takes; the rows
    (`indptr`, `indices`) are made when they are asked for, and both are kept until `release`.

    Parameters
    ----------
    graph : GraphLike
        A graph of networkx, igraph, rustworkx, NetworKit or graph-tool; a sparse matrix of SciPy or CuPy; a table of
        edges of pandas, polars or pyarrow; an array of shape (2, edges), as PyTorch Geometric's ``edge_index``, or its
        ``Data``. docs/other-libraries.md says what is taken of each. A `Graph` is given back as it is.
    directed : bool, optional
        By default what the object says; a table is read as arcs, and a matrix or an edge index is undirected if each
        of its arcs has its reverse.
    weights : str or bool, default False
        An attribute of edges or a column that holds weights; True for the usual one, or weights without a name.
    vertices : int, optional
        Number of vertices of a table or of an edge index.
    source, target : str, optional
        Columns of a table.
    combine : {"sum", "first", "max", "error"}, default "sum"
        What becomes of the weights of an edge that is given more than once.

    Raises
    ------
    ArgumentError
        An object of another kind; one that has no such weights, columns or direction.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])
    >>> graph
    Graph(undirected, 4 vertices, 4 edges)
    >>> triadic.triangles(graph)
    array([1, 1, 1, 0])
    """

    __slots__ = ("_csr", "_directed", "_dropped", "_labels", "_num_arcs", "_oriented", "_weights")

    _csr: tuple[NDArray[np.int64], Ids] | None
    _oriented: Oriented | None
    _directed: bool
    _dropped: Dropped
    _labels: Labels | None
    _num_arcs: int
    _weights: NDArray[np.float64] | None

    def __new__(  # noqa: D102, PYI034 - the class says it; what is made is a Graph
        cls,
        graph: GraphLike,
        *,
        directed: bool | None = None,
        weights: str | bool = False,
        vertices: int | None = None,
        source: str = "source",
        target: str = "target",
        combine: str = "sum",
    ) -> Graph:
        from triadic.convert.recognise import graph_of  # noqa: PLC0415 - it makes graphs, and so imports this
        from triadic.io.options import ReadOptions  # noqa: PLC0415 - likewise

        asked = ReadOptions(directed=directed, vertices=vertices, weights=weights, source=source, target=target)
        return graph_of(graph, asked, combine=combine)

    @classmethod
    def _make(
        cls,
        *,
        csr: tuple[NDArray[np.int64], Ids] | None,
        oriented: Oriented | None,
        directed: bool,
        num_arcs: int,
        dropped: Dropped,
        labels: Labels | None,
        weights: NDArray[np.float64] | None = None,
    ) -> Graph:
        graph = object.__new__(cls)
        graph._csr = None if csr is None else (frozen(csr[0]), frozen(csr[1]))
        graph._oriented = oriented
        graph._directed, graph._num_arcs, graph._dropped = directed, num_arcs, dropped
        graph._labels = None if labels is None else frozen(labels)
        graph._weights = None if weights is None else frozen(weights)
        return graph

    @classmethod
    def _of_oriented(cls, oriented: Oriented, met: Met, *, directed: bool, labels: Labels | None) -> Graph:
        return cls._make(
            csr=None,
            oriented=oriented,
            directed=directed,
            num_arcs=met.arcs if directed else 2 * oriented.num_edges,
            dropped=Dropped(met.loops, met.duplicates, 0 if directed else met.reciprocal),
            labels=labels,
        )

    @classmethod
    def from_edges(
        cls,
        source: ArrayLike,
        target: ArrayLike,
        *,
        vertices: int | None = None,
        directed: bool = False,
        weights: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        combine: str = "sum",
        threads: int | None = None,
    ) -> Graph:
        """Make a graph from the end vertices of its edges, in any order.

        Loops and repeats are dropped, and counted on `dropped`.

        Parameters
        ----------
        source, target : array_like of int, shape (edges,)
            End vertices, at least 0. Arrays on a card (CuPy's, or others by CUDA's array interface or DLPack) are
            oriented there and stay there, of an undirected graph without weights.
        vertices : int, optional
            Number of vertices; one more than the largest end by default.
        directed : bool, default False
            Whether edges run from source to target.
        weights : array_like of float, shape (edges,), optional
            Finite numbers.
        labels : array_like of int or str, shape (vertices,), optional
            Names of the vertices.
        combine : {"sum", "first", "max", "error"}, default "sum"
            What becomes of the weights of an edge that is given more than once; in an undirected graph, either way.
        threads : int, optional
            Number of threads; as many as the process may use by default.

        Returns
        -------
        Graph

        Raises
        ------
        ArgumentError
            Arrays of different lengths, not of whole numbers, or out of range; weights that are not finite.

        Notes
        -----
        Five passes over the edges, a radix sort in cache among them: O(edges + vertices), 8 bytes an edge of working
        memory beside the result.

        Examples
        --------
        >>> graph = Graph.from_edges([0, 1, 1, 2], [1, 0, 2, 2])
        >>> graph.num_edges, graph.dropped
        (2, Dropped(loops=1, duplicates=0, reciprocal_merged=1))
        """
        if is_on_card(source) or is_on_card(target):
            if directed or weights is not None:
                raise UnsupportedError("arrays on a card: undirected graphs without weights are made of them")
            there, met = orient_arrays(source, target, vertices)
            return cls._of_oriented(there, met, directed=False, labels=take_labels(labels, there.num_vertices))
        (a, after_a), (b, after_b) = take_vertices("source", source), take_vertices("target", target)
        if len(a) != len(b):
            raise ArgumentError(f"source and target: expected the same length, got {len(a)} and {len(b)}")
        least = max(after_a, after_b)
        n = least if vertices is None else take_number_of_vertices(vertices, least)
        dtype = np.int32 if n <= np.iinfo(np.int32).max else np.int64
        arcs = Arcs(
            a.astype(dtype, copy=False),
            b.astype(dtype, copy=False),
            n,
            directed,
            None if weights is None else take_weights(weights, len(a)),
            take_labels(labels, n),
        )
        return cls.from_arcs(arcs, combine=combine, threads=threads)

    @classmethod
    def from_arcs(
        cls, arcs: Arcs, *, directed: bool | None = None, combine: str = "sum", threads: int | None = None
    ) -> Graph:
        """Make a graph from raw arcs, as `triadic.read_arcs` gives them.

        Parameters
        ----------
        arcs : Arcs
        directed : bool, optional
            Whether to keep directions; as `arcs` says by default.
        combine : {"sum", "first", "max", "error"}, default "sum"
            What becomes of the weights of repeats.
        threads : int, optional
            Number of threads; as many as the process may use by default.
        """
        check_combine(combine)
        workers = resolve_threads(threads)
        n = arcs.vertices
        weighted = 0 if arcs.weights is None else 140 * len(arcs)
        needed = graph_bytes(n, len(arcs), threads=workers) + weighted
        check_memory(needed, f"vertices={n}: a graph of so many vertices and {len(arcs)} arcs")
        directed = arcs.directed if directed is None else directed
        if arcs.weights is not None:
            found = weighted_rows(arcs, directed=directed, combine=combine)
            return cls._make(
                csr=(found.indptr, found.indices),
                oriented=None,
                directed=directed,
                num_arcs=len(found.indices),
                dropped=Dropped(found.loops, found.duplicates, found.reciprocal),
                labels=arcs.labels,
                weights=found.weights,
            )
        source = rows.ArcList(arcs.source, arcs.target)
        oriented, met = orient(source, n, directed=directed, threads=workers)
        return cls._of_oriented(oriented, met, directed=directed, labels=arcs.labels)

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
    ) -> Graph:
        """Make a graph from rows in compressed form.

        Parameters
        ----------
        indptr : array_like of int, shape (n + 1,)
            Where each vertex's row begins in `indices`, and the end.
        indices : array_like of int
            Neighbours; of an undirected graph an edge may stand in one row or in both.
        directed : bool, default False
        weights : array_like of float, same shape as `indices`, optional
            Where an undirected edge stands in both rows, its weights must agree.
        labels : array_like of int or str, shape (n,), optional
        trusted : bool, default False
            Take the arrays as they are, unchecked and without a copy: rows sorted, no loops, no repeats, symmetric if
            undirected. Anything else then gives wrong counts or a crash.
        dropped : Dropped, optional
            With `trusted`: what was dropped when the rows were made.

        Raises
        ------
        ArgumentError
        """
        ptr = np.asarray(indptr)
        columns, least = (np.asarray(indices), 0) if trusted else take_vertices("indices", indices)
        data = None if weights is None else take_weights(weights, len(columns))
        if ptr.ndim != 1 or len(ptr) == 0 or ptr.dtype.kind not in "iu":
            raise ArgumentError(f"indptr: expected a 1-D array of n + 1 integers, got {ptr.dtype} of shape {ptr.shape}")
        ptr = ptr.astype(np.int64, copy=False)
        n = len(ptr) - 1
        names, dtype = take_labels(labels, n), np.dtype(np.int32 if n <= np.iinfo(np.int32).max else np.int64)
        if trusted:
            return cls._make(
                csr=(ptr, columns.astype(dtype, copy=False)),
                oriented=None,
                directed=directed,
                num_arcs=len(columns),
                dropped=dropped or Dropped(),
                labels=names,
                weights=data,
            )
        if ptr[0] != 0 or ptr[-1] != len(columns) or np.any(np.diff(ptr) < 0):
            raise ArgumentError(f"indptr: expected to rise from 0 to len(indices) = {len(columns)}")
        if least > n:
            raise ArgumentError(f"indices: expected vertices below len(indptr) - 1 = {n}, got {least - 1}")
        row = np.repeat(np.arange(n, dtype=dtype), np.diff(ptr))
        arcs = Arcs(row, columns.astype(dtype, copy=False), n, directed, data, names, both_ends=not directed)
        return cls.from_arcs(arcs)._of_both_rows()  # noqa: SLF001 - our own, still being made

    def _of_both_rows(self) -> Graph:
        # Standing in both rows is how a matrix writes an undirected edge: nothing was joined.
        self._dropped = Dropped(self._dropped.loops, self._dropped.duplicates)
        return self

    @classmethod
    def from_scipy(
        cls, matrix: Sparse, *, directed: bool = False, weights: bool = False, labels: ArrayLike | None = None
    ) -> Graph:
        """Make a graph from a SciPy sparse matrix or array: an arc for each stored entry, whatever its value.

        Parameters
        ----------
        matrix : scipy.sparse matrix or array, shape (n, n)
            Undirected: symmetric or one triangle of it. One of CuPy's is oriented on its card, as arrays there are.
        directed : bool, default False
        weights : bool, default False
            Whether to keep the values as weights.
        labels : array_like of int or str, shape (n,), optional

        Raises
        ------
        ArgumentError
            A matrix that is not sparse or not square; with weights, values that disagree across the diagonal.
        """
        n = take_square(matrix)
        if is_on_card(getattr(matrix, "data", None)):
            row, column = ends_of(matrix)
            given = True if weights else None
            graph = cls.from_edges(row, column, vertices=n, directed=directed, weights=given, labels=labels)
            return graph._of_both_rows()  # noqa: SLF001 - likewise
        csr = matrix.tocsr()
        return cls.from_csr(
            csr.indptr, csr.indices, directed=directed, weights=csr.data if weights else None, labels=labels
        )

    # What it is

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        if self._oriented is not None:
            return self._oriented.num_vertices
        return len(self.indptr) - 1

    @property
    def num_edges(self) -> int:
        """Number of edges of the skeleton: pairs of vertices joined either way."""
        if self._oriented is not None:
            return self._oriented.num_edges
        return self.oriented().num_edges if self._directed else self._num_arcs // 2

    @property
    def num_arcs(self) -> int:
        """Number of arcs; of an undirected graph two an edge."""
        return self._num_arcs

    @property
    def directed(self) -> bool:
        """Whether edges have a direction."""
        return self._directed

    @property
    def dropped(self) -> Dropped:
        """What was dropped or joined when the graph was made."""
        return self._dropped

    @property
    def labels(self) -> Labels | None:
        """Names of the vertices, int64 or object array of str; vertices past its end have none."""
        return self._labels

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """Weights, float64, aligned with `indices`."""
        return self._weights

    @property
    def indptr(self) -> NDArray[np.int64]:
        """Where each vertex's row begins in `indices`: int64, shape (n + 1,)."""
        return self._rows()[0]

    @property
    def indices(self) -> Ids:
        """Neighbours, or heads of arcs, rising within a row: int32 (int64 past 2**31 vertices), shape (num_arcs,)."""
        return self._rows()[1]

    @property
    def degree(self) -> NDArray[np.int64]:
        """Degree of each vertex in the skeleton: int64, shape (n,). O(n)."""
        if self._oriented is None and not self._directed:
            return np.diff(self.indptr)
        oriented = self.oriented()
        return take(oriented.degree, oriented.rank, threads=resolve_threads(None))

    @property
    def is_oriented(self) -> bool:
        """Whether the oriented form that counts take is at hand already."""
        return self._oriented is not None

    def oriented(self, *, threads: int | None = None) -> Oriented:
        """Give the oriented graph that counts take; it is kept until `release`.

        Parameters
        ----------
        threads : int, optional
            Number of threads; as many as the process may use by default.
        """
        if self._oriented is None:
            indptr, indices = self._rows()
            self._oriented = orient_csr(indptr, indices, directed=self._directed, threads=resolve_threads(threads))
        return self._oriented

    def edges(self) -> tuple[Ids, Ids]:
        """Give the end vertices of each arc; of an undirected graph of each edge once, source below target.

        Returns
        -------
        source, target : int array, shape (num_arcs,) or (num_edges,)
            In rising order of source, then target.
        """
        indptr, indices = self._rows()
        source = np.repeat(np.arange(len(indptr) - 1, dtype=indices.dtype), np.diff(indptr))
        if self._directed:
            return source, np.array(indices)
        once = source < indices
        return source[once], indices[once]

    # Making others from it

    def to_scipy(self) -> scipy.sparse.csr_array:
        """Give the adjacency matrix: weights, or int64 ones; symmetric if undirected.

        Returns
        -------
        scipy.sparse.csr_array, shape (n, n)
        """
        from scipy.sparse import csr_array  # noqa: PLC0415 - slow to import, and seldom needed

        indptr, indices = self._rows()
        n = len(indptr) - 1
        values = np.ones(len(indices), dtype=np.int64) if self._weights is None else self._weights.copy()
        return csr_array((values, indices, indptr), shape=(n, n), copy=True)

    to_networkx = outward.to_networkx
    to_igraph = outward.to_igraph
    to_edge_index = outward.to_edge_index
    to_pandas = outward.to_pandas
    to_polars = outward.to_polars
    to_arrow = outward.to_arrow

    def to_undirected(self, *, combine: str = "sum") -> Graph:
        """Give the skeleton: an edge wherever there is an arc either way.

        Parameters
        ----------
        combine : {"sum", "first", "max", "error"}, default "sum"
            What becomes of the weights of two arcs between the same vertices.
        """
        check_combine(combine)
        if not self._directed:
            return self
        if self._weights is not None:
            source, target = self.edges()
            arcs = Arcs(source, target, self.num_vertices, directed=False, weights=self._weights, labels=self._labels)
            return Graph.from_arcs(arcs, combine=combine)
        of = self.oriented()
        return Graph._make(
            csr=None,
            oriented=Oriented(of.rank, of.indptr, of.indices, None, of.degree),
            directed=False,
            num_arcs=2 * of.num_edges,
            dropped=Dropped(reciprocal_merged=self._num_arcs - of.num_edges),
            labels=self._labels,
        )

    def subgraph(self, vertices: ArrayLike) -> Graph:
        """Give the graph on some of the vertices and all edges between them.

        Parameters
        ----------
        vertices : array_like of int, or of bool with shape (n,)
            The vertices to keep; the new vertex i is ``vertices[i]``, and without labels is labelled with it.

        Raises
        ------
        ArgumentError
            A vertex that does not exist, or is given twice.
        """
        source, target = self.edges()
        weights = self._weights
        if weights is not None and not self._directed:
            indptr, indices = self._rows()
            weights = weights[np.repeat(np.arange(len(indptr) - 1), np.diff(indptr)) < indices]
        every = Arcs(source, target, self.num_vertices, self._directed, weights, self._labels)
        return Graph.from_arcs(induced(every, vertices))

    def largest_component(self) -> Graph:
        """Give the subgraph of the largest connected component, directions ignored; of several the first.

        Uses `scipy.sparse.csgraph`; O(n + m).
        """
        from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 - slow to import

        if self.num_vertices == 0:
            return self
        _, component = connected_components(self.to_scipy(), directed=True, connection="weak")
        return self.subgraph(np.flatnonzero(component == np.bincount(component).argmax()))

    def release(self) -> None:
        """Free what was prepared for counting, where the rows are there to make it from again."""
        if self._csr is not None:
            self._oriented = None

    def __repr__(self) -> str:
        kind = "directed" if self._directed else "undirected"
        number, what = (self._num_arcs, "arcs") if self._directed else (self.num_edges, "edges")
        extras = [name for name in ("weights", "labels") if getattr(self, name) is not None]
        with_extras = f", with {' and '.join(extras)}" if extras else ""
        return f"Graph({kind}, {self.num_vertices:,} vertices, {number:,} {what}{with_extras})"

    def _repr_html_(self) -> str:
        number, what = (self._num_arcs, "arcs") if self._directed else (self.num_edges, "edges")
        dropped = self._dropped
        rows_of_it: list[tuple[object, object]] = [("vertices", self.num_vertices), (what, number)]
        rows_of_it += [(name, "yes") for name in ("weights", "labels") if getattr(self, name) is not None]
        gone = {"loops": dropped.loops, "repeats": dropped.duplicates, "arcs joined": dropped.reciprocal_merged}
        rows_of_it += [(f"dropped: {name}", times) for name, times in gone.items() if times]
        return html_table(f"{'Directed' if self._directed else 'Undirected'} graph", (), rows_of_it)

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {
            "csr": self._csr,
            "oriented": None if self._csr is not None else self._oriented,
            "directed": self._directed,
            "num_arcs": self._num_arcs,
            "dropped": self._dropped,
            "labels": self._labels,
            "weights": self._weights,
        }
        return _unpickle, (fields,)

    def _rows(self) -> tuple[NDArray[np.int64], Ids]:
        """Give indptr and indices, made from the oriented graph where they are not there yet."""
        if self._csr is None:
            assert self._oriented is not None  # noqa: S101 - one of the two is always there
            made = rows_of(self._oriented, threads=resolve_threads(None))
            self._csr = frozen(made.indptr), frozen(made.indices)
        return self._csr


def _unpickle(fields: dict[str, Any]) -> Graph:
    return Graph._make(**fields)
