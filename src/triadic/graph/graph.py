"""The graph: immutable and simple, stored in the form that it was made in, and in the other form once it is needed."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from triadic.core.arcs import Arcs, Dropped, Origin
from triadic.core.blocks import resolve_threads
from triadic.core.checked import checked
from triadic.core.formatting import html_table, plural
from triadic.core.oriented import EntryValues, Oriented, frozen, rows_of_entries
from triadic.devices.cpu.orient.rows import slots_of_edges
from triadic.devices.cpu.vertex_arrays import take
from triadic.errors import ArgumentError
from triadic.graph.exports import GraphExports, entry_point
from triadic.graph.makers import rules_of
from triadic.graph.orientation import orient_csr, rows_of
from triadic.graph.selection import GraphSelection, chosen_vertices, induced
from triadic.graph.weights import WEIGHT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import scipy.sparse

    from triadic.core.array_types import AnyArray, Float64Array, Ids, Int64Array, ObjectArray
    from triadic.graph.selection import Vertices

    Labels = Int64Array | ObjectArray

GraphLike: TypeAlias = object
"""A `Graph`, or an object that `Graph` converts: another library's graph, a sparse matrix, an edge table or index."""


@checked
class Graph(GraphSelection, GraphExports):
    """A simple graph, directed or undirected: immutable, without loops and repeated edges.

    ``Graph(object)`` converts another library's object; `from_edges`, `from_csr`, `from_scipy`, `triadic.read` and
    `triadic.generate` make graphs of other input. Vertices are 0 .. n - 1 and may have labels.

    Parameters
    ----------
    graph : GraphLike
        A graph of networkx, igraph, rustworkx, NetworKit or graph-tool; a sparse matrix of SciPy or CuPy; an edge table
        of pandas, polars or pyarrow, also a LazyFrame, a dataset or a relation of DuckDB; an array of shape (2, edges),
        as PyTorch Geometric's ``edge_index``, or its ``Data``. A `Graph` is returned unchanged.
    directed : bool, optional
        Whether edges have a direction; False drops directions. By default the object decides: a table is directed, and
        a matrix or an edge index is undirected if the reverse of each arc is an arc too.
    weights : str or bool, default False
        Edge attribute or column that holds the weights. True takes "weight", of a table a column with a usual name of
        weights, or the weights of an object whose weights have no name; False ignores weights.
    num_vertices : int, optional
        Number of vertices, for a table or an edge index. By default only the vertices that occur in a table, or the
        largest vertex of an edge index plus one.
    source, target : str or int, optional
        Columns of a table that hold the ends of its edges: names, or indices from 0. By default they are found by their
        names, such as "from_user" and "to_user".
    columns : sequence of str, optional
        Names of further columns of a table, or of attributes of the edges and vertices of networkx, igraph, rustworkx,
        graph-tool and PyTorch Geometric, that are kept as `Graph.columns` and `Graph.vertex_columns`. By default none.
    combine : {"sum", "max", "min", "mean", "first", "error"}, optional
        How to combine the weights of a repeated edge; if undirected, (v, u) repeats (u, v). A mapping has a rule for
        each column. By default repeats in one direction are added. Weights from both ends then count once if all edges
        have two equal ones, are an error if most have but not all, and are added otherwise. ``graph.origin.weights``
        says what was done.

    Raises
    ------
    ArgumentError
        If the object is of an unknown type, or does not have the given weights, columns or direction.
    UnsupportedError
        If a `Graph` comes with `weights`, `num_vertices`, `source` or `target`.
    OutOfMemoryError
        If the graph would not fit in memory.

    See Also
    --------
    triadic.read : Read a graph from a file.

    Notes
    -----
    A graph stores each edge once, in the oriented form that counting takes, or as compressed rows (`indptr`,
    `indices`). The other form is made when it is first needed, and stays in memory; `release` frees the oriented one.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])
    >>> graph
    Graph(undirected, 4 vertices, 4 edges)
    >>> triadic.triangles(graph)
    array([1, 1, 1, 0])
    """

    __slots__ = ("__weakref__",)

    def __new__(  # noqa: D102, PYI034 - documented by the class; `graph_of` makes a Graph whatever `cls` is
        cls,
        graph: GraphLike,
        *,
        directed: bool | None = None,
        weights: str | bool = False,
        num_vertices: int | None = None,
        source: str | int | None = None,
        target: str | int | None = None,
        columns: Sequence[str] | None = None,
        combine: str | Mapping[str, str] | None = None,
    ) -> Graph:
        return entry_point("graph_of")(
            graph,
            directed=directed,
            weights=weights,
            num_vertices=num_vertices,
            source=source,
            target=target,
            columns=columns,
            combine=combine,
        )

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        if self._oriented is not None:
            return self._oriented.num_vertices
        return len(self.indptr) - 1

    @property
    def num_edges(self) -> int:
        """Number of edges of the skeleton, m: pairs of vertices with an edge or an arc between them."""
        if self._oriented is not None:
            return self._oriented.num_edges
        return self.oriented().num_edges if self._directed else self._num_arcs // 2

    @property
    def num_arcs(self) -> int:
        """Number of arcs; an undirected edge is two arcs."""
        return self._num_arcs

    @property
    def directed(self) -> bool:
        """Whether edges have a direction."""
        return self._directed

    @property
    def dropped(self) -> Dropped:
        """Number of loops and duplicates that were dropped, and of reciprocal arcs that were merged to an edge."""
        return self._dropped

    @property
    def origin(self) -> Origin:
        """What the graph was made from, and how its direction was decided."""
        return self._origin

    @property
    def labels(self) -> Labels | None:
        """Names of the vertices 0, 1, ...: int64 array or object array of str, shape (at most n,); None without."""
        return self._labels

    @property
    def weights(self) -> Float64Array | None:
        """Weight of each entry of `indices`: float64, shape (num_arcs,); None without."""
        return self.columns[WEIGHT] if self.is_weighted else None

    @property
    def columns(self) -> Mapping[str, AnyArray]:
        """Values of edges by name, "weight" among them, at each entry of `indices`: arrays of shape (num_arcs,).

        Weights of a file or a table are found by the name of their column, too, unless another column has it.
        """
        if self._column_names():
            self._rows()
        own = self._origin.weight
        return MappingProxyType(self._columns if own in (None, WEIGHT) else _NamedWeight(self._columns, own))

    @property
    def vertex_columns(self) -> Mapping[str, AnyArray]:
        """Values of the vertices 0, 1, ... by name: arrays of shape (n,)."""
        return MappingProxyType(self._vertex_columns)

    @property
    def indptr(self) -> Int64Array:
        """Start of each vertex's row in `indices`, followed by the length of `indices`: int64, shape (n + 1,)."""
        return self._rows()[0]

    @property
    def indices(self) -> Ids:
        """Neighbours, or heads of arcs, sorted in each row: int32 (int64 past 2**31 vertices), shape (num_arcs,)."""
        return self._rows()[1]

    @property
    def degree(self) -> Int64Array:
        """Degree of each vertex in the skeleton: int64, shape (n,). O(n)."""
        if self._oriented is None and not self._directed:
            return np.diff(self.indptr)
        oriented = self.oriented()
        return take(oriented.degree, oriented.rank, threads=resolve_threads(None))

    @property
    def is_weighted(self) -> bool:
        """Whether edges have weights. O(1), where `weights` may have to make the rows first."""
        return WEIGHT in self._column_names()

    @property
    def is_oriented(self) -> bool:
        """Whether the oriented form that counting takes is in memory."""
        return self._oriented is not None

    def oriented(self, *, threads: int | None = None) -> Oriented:
        """Return the oriented form that counting takes; it stays in memory until `release`.

        Parameters
        ----------
        threads : int, optional
            Number of threads. By default every CPU that the process may use.

        Returns
        -------
        Oriented
            Each edge once, in the row of the end with the smaller degree, and the columns of the edges.

        Raises
        ------
        ArgumentError
            If the rows of an undirected graph are not symmetric, which only ``from_csr(..., trusted=True)`` accepts.

        Notes
        -----
        O(n + m), once.

        Examples
        --------
        >>> from triadic import Graph
        >>> Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]).oriented().num_edges
        4
        """
        if self._oriented is None:
            indptr, indices = self._rows()
            self._oriented = orient_csr(indptr, indices, directed=self._directed, threads=resolve_threads(threads))
            # Weights are found when they are first needed.
            _find_columns(self, [name for name in self._columns if name != WEIGHT], threads)
        return self._oriented

    def edges(self) -> tuple[Ids, Ids]:
        """Return the end vertices of each edge, or of each arc of a directed graph.

        Returns
        -------
        source, target : int32 or int64 array, shape (num_edges,), or (num_arcs,) of a directed graph
            Sorted by source, then target. In an undirected graph source < target.

        Notes
        -----
        O(n + m).

        Examples
        --------
        >>> from triadic import Graph
        >>> source, target = Graph.from_edges([2, 1], [1, 0]).edges()
        >>> source.tolist(), target.tolist()
        ([0, 1], [1, 2])
        """
        indptr, indices = self._rows()
        source = rows_of_entries(indptr, indices.dtype)
        if self._directed:
            return source, np.array(indices)
        once = source < indices
        return source[once], indices[once]

    def to_scipy(self) -> scipy.sparse.csr_array:
        """Return the adjacency matrix.

        Returns
        -------
        scipy.sparse.csr_array, shape (n, n)
            The weights, float64, or ones, int64, if the graph has none; symmetric if the graph is undirected.

        Notes
        -----
        O(n + m); the matrix is a copy.

        Examples
        --------
        >>> from triadic import Graph
        >>> Graph.from_edges([0, 1], [1, 2]).to_scipy().toarray()
        array([[0, 1, 0],
               [1, 0, 1],
               [0, 1, 0]])
        """
        from scipy.sparse import csr_array  # noqa: PLC0415 - slow to import, and seldom needed

        indptr, indices = self._rows()
        n = len(indptr) - 1
        weights = self.weights
        values = np.ones(len(indices), np.int64) if weights is None else weights.copy()
        return csr_array((values, indices, indptr), shape=(n, n), copy=True)

    def to_undirected(self, *, combine: str | Mapping[str, str] | None = None) -> Graph:
        """Return the skeleton: an undirected edge wherever there is an arc in one direction or both.

        Parameters
        ----------
        combine : {"sum", "max", "min", "mean", "first", "error"}, or mapping from a column to one, optional
            How to combine the values of an arc and its reverse. By default weights count once if all edges have two
            equal ones, are an error if most have but not all, and are added otherwise; ``graph.origin.weights`` says
            what was done. Of other columns, two values of an edge are an error by default.

        Returns
        -------
        Graph
            The graph itself if it is undirected.

        Raises
        ------
        ArgumentError
            If `combine` is unknown, or is "error" and two vertices are joined in both directions.

        Notes
        -----
        O(n + m).

        Examples
        --------
        >>> from triadic import Graph
        >>> Graph.from_edges([0, 1, 1], [1, 0, 2], directed=True).to_undirected()
        Graph(undirected, 3 vertices, 2 edges)
        """
        rules_of(combine, self._column_names())
        if not self._directed:
            return self
        if self._column_names():
            return Graph.from_arcs(edge_arcs(self), directed=False, combine=combine)
        directed = self.oriented()
        return Graph._make(
            oriented=directed.with_state(None),
            directed=False,
            num_arcs=2 * directed.num_edges,
            dropped=Dropped(reciprocal_merged=self._num_arcs - directed.num_edges),
            labels=self._labels,
            vertex_columns=self._vertex_columns,
        )

    def subgraph(self, vertices: Vertices) -> Graph:
        """Return the subgraph that some of the vertices induce: these vertices, and all edges between them.

        Parameters
        ----------
        vertices : array_like or set of int or str, or a mask
            The vertices to keep: labels, or numbers from 0 to n - 1 if the graph has no labels. A mask has a bool for
            each vertex: an array in the order of the vertices, or a mapping, Series or table that is aligned by label.
            The new vertex i is ``vertices[i]`` and keeps its label; those of a set or a mask are in rising order.

        Returns
        -------
        Graph
            With the old numbers as labels if the graph has no labels.

        Raises
        ------
        ArgumentError
            If a vertex does not exist or is given twice, if several vertices have a label, or if a mask lacks a vertex.

        See Also
        --------
        index : Return the numbers of the vertices that have given labels.

        Notes
        -----
        O(n + m).

        Examples
        --------
        >>> from triadic import Graph
        >>> part = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]).subgraph([3, 2, 0])
        >>> part, part.labels
        (Graph(undirected, 3 vertices, 2 edges, with labels), array([3, 2, 0]))
        """
        return self._induced(chosen_vertices(vertices, self, once=True))

    def _induced(self, vertices: Int64Array) -> Graph:
        """Return the subgraph of vertices that are given by number, as `subgraph`."""
        return Graph.from_arcs(induced(edge_arcs(self), vertices))

    def largest_component(self) -> Graph:
        """Return the subgraph of the largest connected component; directions are ignored.

        Returns
        -------
        Graph
            The component with the most vertices, of several such components the one with the smallest vertex. Labels
            are kept, as by `subgraph`.

        Notes
        -----
        O(n + m), by `scipy.sparse.csgraph.connected_components`.

        Examples
        --------
        >>> from triadic import Graph
        >>> Graph.from_edges([0, 1, 3], [1, 2, 4]).largest_component()
        Graph(undirected, 3 vertices, 2 edges, with labels)
        """
        from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 - slow to import

        if self.num_vertices == 0:
            return self
        _, component = connected_components(self.to_scipy(), directed=True, connection="weak")
        return self._induced(np.flatnonzero(component == np.bincount(component).argmax()))

    def release(self) -> None:
        """Free what can be made again: the oriented form, if the graph also has its rows, and the index of the labels.

        Examples
        --------
        >>> import triadic
        >>> graph = triadic.Graph.from_csr([0, 1, 2], [1, 0], trusted=True)
        >>> triadic.triangle_count(graph), graph.is_oriented
        (0, True)
        >>> graph.release()
        >>> graph.is_oriented
        False
        """
        self._label_index = None
        if self._csr is not None:
            self._oriented = None

    def __repr__(self) -> str:
        kind = "directed" if self._directed else "undirected"
        return f"Graph({kind}, {self._in_words()})"

    def _repr_html_(self) -> str:
        count, what = self._size()
        dropped = self._dropped
        table: list[tuple[object, object]] = [("vertices", self.num_vertices), (what, count)]
        table += [(name, "yes") for name in self._extras()]
        counts = {
            "dropped: loops": dropped.loops,
            "dropped: duplicates": dropped.duplicates,
            "merged: reciprocal": dropped.reciprocal_merged,
        }
        table += [(name, times) for name, times in counts.items() if times]
        table += [("weights: repeats", self._origin.weights)] if self._origin.weights else []
        return html_table(f"{'Directed' if self._directed else 'Undirected'} graph", (), table)

    def __reduce__(self) -> tuple[Any, ...]:
        made_again = {} if self._csr is None else {"oriented": None}
        return partial(Graph._make, **self._fields() | made_again), ()

    def _size(self) -> tuple[int, str]:
        return (self._num_arcs, "arcs") if self._directed else (self.num_edges, "edges")

    def _in_words(self) -> str:
        """Return the size of the graph, and what it has beside edges, such as "3 vertices, 1 edge, with labels"."""
        count, what = self._size()
        extras = self._extras()
        with_extras = f", with {' and '.join(extras)}" if extras else ""
        size = f"{plural(self.num_vertices, 'vertex', 'vertices')}, {plural(count, what.removesuffix('s'))}"
        return f"{size}{with_extras}"

    def _extras(self) -> list[str]:
        names = [name for name, has in (("weights", self.is_weighted), ("labels", self._labels is not None)) if has]
        columns = [name for name in self._column_names() if name != WEIGHT]
        names += [f"columns {', '.join(columns)}"] if columns else []
        return [*names, f"vertex columns {', '.join(self._vertex_columns)}"] if self._vertex_columns else names

    def _column_names(self) -> list[str]:
        """Return the names of the columns, without making the rows."""
        return list(self._columns if self._oriented is None or self._csr is not None else self._oriented.columns)

    def _rows(self) -> tuple[Int64Array, Ids]:
        """Return indptr and indices, made from the oriented form on first use."""
        if self._csr is None:
            assert self._oriented is not None  # noqa: S101 - a graph has one of the two forms at least
            indptr, indices, columns = rows_of(self._oriented, threads=resolve_threads(None))
            self._csr = frozen(indptr), frozen(indices)
            self._columns = {name: frozen(values) for name, values in columns.items()}
        return self._csr


class _NamedWeight(dict[str, Any]):
    """Columns of edges, in which the weights have a second name."""

    def __init__(self, columns: Mapping[str, AnyArray], name: str) -> None:
        super().__init__(columns)
        self._name = name

    def __missing__(self, name: str) -> AnyArray:
        if name != self._name:
            raise KeyError(name)
        return self[WEIGHT]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (name == self._name and WEIGHT in self)


def check_weighted(graph: Graph) -> None:
    """Raise ArgumentError if the graph has no weights."""
    if not graph.is_weighted:
        raise ArgumentError(
            "graph: has no weights; expected a graph that was made with weights, as by "
            "Graph(object, weights=True) or Graph.from_edges(source, target, weights=...)"
        )


def weights_of(graph: Graph) -> Float64Array:
    """Return a graph's weights, aligned with its rows.

    Raises
    ------
    ArgumentError
        If the graph has no weights.
    """
    check_weighted(graph)
    return graph.columns[WEIGHT]


def edge_weights(graph: Graph) -> Float64Array:
    """Return a graph's weights in the order of ``graph.edges()``; raise ArgumentError if it has none."""
    check_weighted(graph)
    weights = edge_arcs(graph).weights
    assert weights is not None  # noqa: S101 - for the type checker
    return weights


def weight_limits(graph: Graph) -> tuple[float, float]:
    """Return the smallest and the largest weight of a graph, of whichever form is in memory; (inf, -inf) without edges.

    Raises
    ------
    ArgumentError
        If the graph has no weights.
    """
    check_weighted(graph)
    kept = None if graph._oriented is None else graph._oriented.columns.get(WEIGHT)  # noqa: SLF001 - as `entry_values`
    weights = weights_of(graph) if kept is None else kept.of_arcs(graph.oriented().state)
    return float(weights.min(initial=np.inf)), float(weights.max(initial=-np.inf))


def entry_weights(graph: Graph, *, threads: int | None) -> EntryValues:
    """Return a graph's weights in the order of its oriented rows, 0 for an arc that does not exist.

    Raises
    ------
    ArgumentError
        If the graph has no weights.
    """
    check_weighted(graph)
    return entry_values(graph, WEIGHT, threads=threads)


def entry_values(graph: Graph, name: str, *, threads: int | None) -> EntryValues:
    """Return a column of a graph's edges in the order of its oriented rows.

    A graph that was made from rows finds it once, by a binary search for each arc.
    """
    columns = graph.oriented(threads=threads).columns
    if name not in columns:
        _find_columns(graph, [name], threads)
    return columns[name]


def _find_columns(graph: Graph, names: list[str], threads: int | None) -> None:
    """Find some columns at the entries of the oriented rows, and keep them there."""
    if not names:
        return
    arcs, oriented = edge_arcs(graph), graph.oriented()
    slot = slots_of_edges(oriented, arcs.source, arcs.target, threads=resolve_threads(threads))
    down = oriented.rank[arcs.source] > oriented.rank[arcs.target]
    for name in names:
        values = arcs.columns[name] if arcs.weights is None or name != WEIGHT else arcs.weights
        kinds = []
        for way in (down, ~down) if graph.directed else (slice(None),):
            kinds.append(np.zeros(oriented.num_edges, values.dtype))
            kinds[-1][slot[way]] = values[way]
        oriented.columns[name] = EntryValues(*map(frozen, kinds))


def edge_arcs(graph: Graph) -> Arcs:
    """Return the edges of a graph, with their columns, as arcs in the order of ``graph.edges()``."""
    (source, target), columns = graph.edges(), dict(graph.columns)
    if columns and not graph.directed:
        once = rows_of_entries(graph.indptr) < graph.indices
        columns = {name: values[once] for name, values in columns.items()}
    weights = columns.pop(WEIGHT, None)
    return Arcs(
        source,
        target,
        graph.num_vertices,
        graph.directed,
        weights,
        graph.labels,
        origin=Origin(weight=graph.origin.weight),
        columns=columns,
        vertex_columns=graph.vertex_columns,
    )
