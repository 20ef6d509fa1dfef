"""The class methods that make a `GraphBatch`, from graphs, arrays or a table."""

from __future__ import annotations

from dataclasses import astuple
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.core.arcs import Arcs, Dropped, Origin
from triadic.core.arguments import check_order, take_ends, take_vertices, unmasked
from triadic.core.checked import checked
from triadic.core.formatting import plural
from triadic.core.oriented import NO_NUMBERS, EntryValues, OrientedBatch, frozen, index_dtype, starts_of
from triadic.devices.cpu.orient.row_orientation import first_between_graphs
from triadic.errors import ArgumentError
from triadic.graph.exports import entry_point
from triadic.graph.graph import Graph, entry_values
from triadic.graph.graph_lists import is_geometric, list_graphs, number_of_graphs, union_arrays
from triadic.graph.makers import take_arcs, with_checked_weights
from triadic.graph.orientation import GraphOfVertices

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self

    from numpy.typing import ArrayLike

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.graph.graph import GraphLike


_DIRECTIONS: tuple[Literal["assumed", "stated", "given"], ...] = ("assumed", "stated", "given")  # the weakest first


@checked
class BatchMakers:
    """Base class of `GraphBatch`: its stored arrays, and the class methods that make a batch of them."""

    __slots__ = ("_graph", "_graph_labels", "_names", "_of_vertex", "_order")

    _graph: Graph
    _graph_labels: AnyArray | None
    _names: AnyArray | None
    _of_vertex: GraphOfVertices
    _order: Int64Array | None

    @classmethod
    def from_graphs(
        cls,
        graphs: Iterable[GraphLike] | Mapping[Any, GraphLike],
        *,
        directed: bool | None = None,
        names: ArrayLike | None = None,
    ) -> Self:
        """Make a batch of graphs.

        Parameters
        ----------
        graphs : iterable of Graph, or of any input that `Graph` accepts; or mapping from names to graphs
            At least one graph. The keys of a mapping, such as a dict, are the names of the graphs. The vertices of the
            batch are those of the first graph, then those of the second, and so on. If some graphs have labels, the
            vertices of the others are labelled with their numbers. Of PyTorch Geometric, a ``Dataset``, a ``Batch`` and
            a ``DataLoader`` are accepted as a whole.
        directed : bool, optional
            Whether edges have a direction; False drops directions. By default the graphs decide, and must agree. Graphs
            of PyTorch Geometric are undirected if the reverse of each arc, in all of them, is an arc too.
        names : array_like of str or int, shape (graphs,), optional
            Names of the graphs, for tables of results. By default the keys of a mapping, or numbers from 0.

        Returns
        -------
        GraphBatch

        Raises
        ------
        ArgumentError
            If there is no graph, if `names` is given for a mapping, if an object is not a graph, if some graphs are
            directed and others are not, or if some have weights and others do not.
        OutOfMemoryError
            If the batch would not fit in memory.

        Notes
        -----
        O(n + m) for all vertices and edges together, and some microseconds for each graph.

        Examples
        --------
        >>> import networkx as nx
        >>> import triadic
        >>> triadic.GraphBatch.from_graphs([nx.path_graph(3), nx.complete_graph(4)])
        GraphBatch(2 undirected graphs, 7 vertices, 8 edges)
        >>> named = triadic.GraphBatch.from_graphs({"path": nx.path_graph(3), "clique": nx.complete_graph(4)})
        >>> print(triadic.triangle_count(named))
        Table of 2 graphs
        graph   triangles
        path            0
        clique          4
        """
        if is_geometric(graphs):
            return cls._of_geometric([graphs], None, directed, names)
        listed, called, keys = list_graphs("graphs", graphs)
        if keys is not None:
            if names is not None:
                raise ArgumentError("names: the keys of graphs are the names of the graphs; expected no names=")
            names = keys
        if listed and all(map(is_geometric, listed)):
            for name, data in zip(called, listed, strict=True):
                if keys is not None and (number := number_of_graphs(data)) > 1:
                    kind = type(data).__name__
                    raise ArgumentError(f"graph {name}: got a {kind} of {number} graphs; expected one graph")
            return cls._of_geometric(listed, called, directed, names)
        made = [_as_graph(name, graph, directed) for name, graph in zip(called, listed, strict=True)]
        if not made:
            raise ArgumentError("graphs: expected at least one graph")
        traits = [_traits(graph) for graph in made]
        for what in dict.fromkeys(["directed", "weighted", *chain.from_iterable(traits)]):
            has = [what in own for own in traits]
            if len(set(has)) > 1:
                which, other = called[has.index(True)], called[has.index(False)]
                remedy = "; expected directed=False to drop directions" if what == "directed" else ""
                raise ArgumentError(f"graphs: graph {which} is {what} and graph {other} is not{remedy}")
        return cls._joined(made, names)

    @classmethod
    def from_arrays(
        cls,
        source: ArrayLike,
        target: ArrayLike,
        graph_of_vertex: ArrayLike | None = None,
        *,
        offsets: ArrayLike | None = None,
        directed: bool = False,
        num_graphs: int | None = None,
        weights: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        names: ArrayLike | None = None,
        combine: str | None = None,
        threads: int | None = None,
    ) -> Self:
        """Make a batch from the edges of all graphs, whose vertices are numbered through.

        Loops and repeated edges are dropped; ``graph.dropped`` counts them.

        Parameters
        ----------
        source, target : array_like of int, shape (edges,)
            End vertices, from 0 to n - 1.
        graph_of_vertex : array_like of int, shape (n,), optional
            Graph of each vertex, at least 0 and in any order: the ``batch`` of PyTorch Geometric.
        offsets : array_like of int, shape (graphs + 1,), optional
            First vertex of each graph, followed by the number of vertices, instead of `graph_of_vertex`: the ``ptr`` of
            PyTorch Geometric.
        directed : bool, default False
            Whether edges run from source to target. By default edges are undirected, as of `Graph.from_edges`; the
            edges of `from_table` and of a CSV file are directed by default.
        num_graphs : int, optional
            Number of graphs, some of which may have no vertices. By default the largest number in `graph_of_vertex`
            plus one; each graph must then have a vertex.
        weights : array_like of float, shape (edges,), optional
            Finite weights of the edges. By default the graphs have no weights.
        labels : array_like of int or str, shape (n,), optional
            Names of the vertices. By default they have no labels.
        names : array_like of str or int, shape (graphs,), optional
            Names of the graphs, for tables of results. By default graphs are numbered from 0.
        combine : {"sum", "max", "min", "mean", "first", "error"}, optional
            How to combine the weights of a repeated edge; if undirected, (v, u) repeats (u, v). By default repeats in
            one direction are added. Weights from both ends then count once if all edges have two equal ones, are an
            error if most have but not all, and are added otherwise. ``graph.origin.weights`` says what was done.
        threads : int, optional
            Number of threads. By default every CPU that the process may use.

        Returns
        -------
        GraphBatch

        Raises
        ------
        ArgumentError
            If neither or both of `graph_of_vertex` and `offsets` are given, if a graph has no vertex and `num_graphs`
            is not given, if an edge joins two graphs, or if an array has another length or holds other values.
        OutOfMemoryError
            If the batch would not fit in memory.

        Notes
        -----
        O(n + m). Graphs of up to some thousand edges are counted fastest if the vertices of each follow one another.

        Examples
        --------
        >>> import triadic
        >>> batch = triadic.GraphBatch.from_arrays([0, 1, 2, 3], [1, 2, 0, 4], [0, 0, 0, 1, 1])
        >>> batch
        GraphBatch(2 undirected graphs, 5 vertices, 4 edges)
        >>> triadic.triangle_count(batch)["triangles"]
        array([1, 0])
        """
        if (graph_of_vertex is None) == (offsets is None):
            raise ArgumentError("expected either graph_of_vertex= or offsets=")
        of_vertex = _of_offsets(offsets) if offsets is not None else _of_numbers(graph_of_vertex, num_graphs)
        n, graphs = len(of_vertex.graph), len(of_vertex.first_rank) - 1
        if offsets is not None and num_graphs is not None and num_graphs != graphs:
            raise ArgumentError(f"num_graphs={num_graphs}: offsets= has {graphs} graphs")
        a, b, least = take_ends(source, target)
        if least > n:
            given = "offsets" if graph_of_vertex is None else "graph_of_vertex"
            raise ArgumentError(f"{given}: an edge ends at vertex {least - 1}, of {n} vertices")
        arcs = take_arcs(a, b, n, directed=directed, weights=weights, labels=labels)
        wrong = first_between_graphs(frozen(arcs.source), frozen(arcs.target), of_vertex.graph)
        if wrong >= 0:
            u, v = int(a[wrong]), int(b[wrong])
            raise ArgumentError(
                f"edge {wrong} joins vertex {u} of graph {of_vertex.graph[u]} and vertex {v} of graph "
                f"{of_vertex.graph[v]}: expected edges within graphs"
            )
        return cls._of_arcs(arcs, of_vertex, names, combine, threads=threads)

    @classmethod
    def from_table(
        cls,
        table: GraphLike,
        graph: str | int | None = None,
        *,
        directed: bool | None = None,
        weights: str | bool = False,
        source: str | int | None = None,
        target: str | int | None = None,
        combine: str | None = None,
    ) -> Self:
        """Make a batch from a table of edges with a column that names the graph of each edge.

        Parameters
        ----------
        table : table of pandas, polars, pyarrow or DuckDB
            One row for each edge. Vertices of different graphs may have the same name.
        graph : str or int, optional
            Column of the names of the graphs: a name, or an index from 0. By default the one column with a usual name,
            such as ``graph_id``, as `triadic.read_batch` finds it.
        directed : bool, optional
            Whether edges have a direction. By default they run from source to target, as of `Graph` made from a table
            and of a CSV file; pass False for undirected edges.
        weights : str or bool, default False
            Column of weights; True takes a column with a usual name of weights, and False ignores weights.
        source, target : str or int, optional
            Columns of the ends of the edges. By default they are found by their names.
        combine : {"sum", "max", "min", "mean", "first", "error"}, optional
            How to combine the weights of a repeated edge; if undirected, (v, u) repeats (u, v). By default repeats in
            one direction are added. Weights from both ends then count once if all edges have two equal ones, are an
            error if most have but not all, and are added otherwise. ``graph.origin.weights`` says what was done.

        Returns
        -------
        GraphBatch
            The graphs in the order of their first rows, with their names. The labels of the vertices are those of
            the table.

        Raises
        ------
        ArgumentError
            If a column is missing or has values that are missing or of another type, if no column or several have a
            usual name of a graph and `graph` is not given, or if the table has no rows.
        OutOfMemoryError
            If the batch would not fit in memory.

        Examples
        --------
        >>> import polars as pl
        >>> import triadic
        >>> edges = pl.DataFrame({"day": ["Mon", "Mon", "Tue"], "source": [1, 2, 1], "target": [2, 3, 2]})
        >>> batch = triadic.GraphBatch.from_table(edges, "day", directed=False)
        >>> batch, batch.names
        (GraphBatch(2 undirected graphs, 5 vertices, 3 edges, with labels), array(['Mon', 'Tue'], dtype=object))
        """
        return entry_point("batch_of_table")(
            table, graph, directed=directed, weights=weights, source=source, target=target, combine=combine
        )

    @classmethod
    def _make(
        cls,
        graph: Graph,
        of_vertex: GraphOfVertices,
        names: AnyArray | None,
        graph_labels: AnyArray | None = None,
    ) -> Self:
        batch = object.__new__(cls)
        batch._graph, batch._of_vertex, batch._names, batch._order = graph, of_vertex, names, None
        batch._graph_labels = None if graph_labels is None else frozen(graph_labels)
        return batch

    @classmethod
    def _of_arcs(
        cls,
        arcs: Arcs,
        of_vertex: GraphOfVertices | Int64Array,
        names: ArrayLike | None,
        combine: str | Mapping[str, str] | None,
        *,
        graph_labels: AnyArray | None = None,
        threads: int | None = None,
    ) -> Self:
        """Return the batch of arcs within graphs: `of_vertex` or, if vertices are in the order of graphs, sizes."""
        of_vertex = _of_sizes(of_vertex) if isinstance(of_vertex, np.ndarray) else of_vertex
        graph = Graph._of_arcs(with_checked_weights(arcs), of_vertex, directed=None, combine=combine, threads=threads)  # noqa: SLF001 - for makers
        return cls._make(graph, of_vertex, _names(names, len(of_vertex.first_rank) - 1), graph_labels)

    @classmethod
    def _joined(cls, graphs: list[Graph], names: ArrayLike | None, graph_labels: AnyArray | None = None) -> Self:
        """Return the batch of graphs that are all directed, weighted and labelled, or all not."""
        sizes = np.array([graph.num_vertices for graph in graphs], np.int64)
        of_vertex = _of_sizes(sizes)
        first, n = of_vertex.first_rank, int(of_vertex.first_rank[-1])
        dtype = index_dtype(n)
        parts = [graph.oriented() for graph in graphs]
        entries = np.cumsum([0, *(part.num_edges for part in parts)])
        oriented = OrientedBatch(
            _shifted([part.rank for part in parts], first, dtype),
            np.concatenate([*(part.indptr[:-1] + e for part, e in zip(parts, entries, strict=False)), entries[-1:]]),
            _shifted([part.indices for part in parts], first, dtype),
            np.concatenate([part.state for part in parts]) if graphs[0].directed else None,
            np.concatenate([part.degree for part in parts]),
            first,
        )
        for name in graphs[0]._column_names():  # noqa: SLF001 - of the graph
            values = [entry_values(graph, name, threads=1) for graph in graphs]
            oriented.columns[name] = EntryValues(
                *(frozen(np.concatenate(arrays)) for arrays in zip(*values, strict=True) if arrays[0] is not None)
            )
        labels = None if all(graph.labels is None for graph in graphs) else _joined_labels(graphs)
        union = Graph._make(
            oriented=oriented,
            directed=graphs[0].directed,
            num_arcs=sum(graph.num_arcs for graph in graphs),
            dropped=Dropped(*map(sum, zip(*(astuple(graph.dropped) for graph in graphs), strict=True))),
            labels=labels,
            vertex_columns={
                name: np.concatenate([graph.vertex_columns[name] for graph in graphs])
                for name in graphs[0].vertex_columns
            },
            origin=_joined_origin([graph.origin for graph in graphs]),
        )
        return cls._make(union, of_vertex, _names(names, len(graphs)), graph_labels)

    @classmethod
    def _of_geometric(
        cls, graphs: list[Any], called: list[Any] | None, directed: bool | None, names: ArrayLike | None
    ) -> Self:
        """Return the batch of objects of PyTorch Geometric, each a ``Data`` or a ``Batch``."""
        (source, target), graph_of_vertex, num_graphs = union_arrays(graphs, called)
        if directed is None:
            graph = Graph.from_edges(source, target, num_vertices=len(graph_of_vertex))
            directed = graph.dropped.reciprocal_merged != graph.num_edges
        made = cls.from_arrays(source, target, graph_of_vertex, num_graphs=num_graphs, directed=directed, names=names)
        if not directed:
            made._graph = made._graph._of_symmetric_rows()  # noqa: SLF001 - edge indices hold both arcs of an edge
        return made


def _traits(graph: Graph) -> list[str]:
    """Return what all graphs of a batch, or none, must be."""
    columns = (*graph._column_names(), *graph.vertex_columns)  # noqa: SLF001 - of the graph
    kinds = ["directed"] * graph.directed + ["weighted"] * graph.is_weighted
    return kinds + [f"one with the column {name!r}" for name in columns]


def _as_graph(name: int | str, graph: GraphLike, directed: bool | None) -> Graph:
    try:
        return Graph(graph, directed=directed)
    except ArgumentError as error:
        raise ArgumentError(f"graph {name}: {str(error).removeprefix('graph: ')}") from None


def _of_sizes(sizes: Int64Array) -> GraphOfVertices:
    return GraphOfVertices(frozen(np.repeat(np.arange(len(sizes)), sizes)), frozen(starts_of(sizes)))


def _of_offsets(offsets: ArrayLike) -> GraphOfVertices:
    first = unmasked("offsets", offsets)
    if first.ndim != 1 or len(first) < 2 or first.dtype.kind not in "iu":
        raise ArgumentError(f"offsets: expected graphs + 1 whole numbers, got {first.dtype} of shape {first.shape}")
    first = first.astype(np.int64, copy=False)
    sizes = first[1:] - first[:-1]
    if first[0] != 0 or np.any(sizes < 0):
        wrong = 0 if first[0] != 0 else int(np.argmax(sizes < 0)) + 1
        raise ArgumentError(f"offsets[{wrong}] = {first[wrong]}: expected numbers that rise from 0")
    return _of_sizes(sizes)


def _of_numbers(graph_of_vertex: ArrayLike | None, num_graphs: int | None) -> GraphOfVertices:
    check_order("graph_of_vertex", graph_of_vertex)
    try:
        numbers, graphs = take_vertices("graph_of_vertex", [] if graph_of_vertex is None else graph_of_vertex)
    except ArgumentError as error:
        raise ArgumentError(str(error).replace("expected vertices of", "expected numbers of graphs of")) from None
    if num_graphs is not None:
        if type(num_graphs) is not int or num_graphs < 1:
            raise ArgumentError(f"num_graphs={num_graphs!r}: expected a whole number of at least 1")
        if num_graphs < graphs:
            vertex = int(np.argmax(numbers >= num_graphs))
            raise ArgumentError(
                f"num_graphs={num_graphs}: vertex {vertex} is in graph {numbers[vertex]}, expected at least {graphs}"
            )
        graphs = int(num_graphs)
    if graphs == 0:
        raise ArgumentError("graph_of_vertex: expected at least one vertex, or num_graphs=")
    if graphs > max(1 << 20, 64 * len(numbers)):
        raise ArgumentError(f"graph_of_vertex: {graphs:,} graphs for {len(numbers):,} vertices, expected small numbers")
    sizes = np.bincount(numbers, minlength=graphs)
    if num_graphs is None and not sizes.all():
        empty = int(np.argmin(sizes > 0))
        raise ArgumentError(
            f"graph_of_vertex: graph {empty} has no vertices; num_graphs={graphs} allows graphs without vertices"
        )
    return GraphOfVertices(frozen(numbers.astype(np.int64, copy=False)), frozen(starts_of(sizes)))


def _names(names: ArrayLike | None, graphs: int) -> AnyArray | None:
    if names is None:
        return None
    array = unmasked("names", names)
    if array.shape != (graphs,):
        raise ArgumentError(f"names: expected {graphs} names of graphs, got an array of shape {array.shape}")
    return frozen(array.astype(np.int64 if array.dtype.kind in "iu" else object))


def _shifted(arrays: list[AnyArray], first: Int64Array, dtype: Any) -> AnyArray:  # noqa: ANN401 - a dtype
    joined = np.concatenate(arrays).astype(dtype, copy=False)
    joined += np.repeat(first[:-1], [len(array) for array in arrays]).astype(dtype)
    return joined


def _joined_origin(origins: list[Origin]) -> Origin:
    """Return what all graphs were taken from, where they agree; a direction that was assumed for one is assumed."""
    columns, libraries = {origin.columns for origin in origins}, {origin.library for origin in origins}
    decided, weights = {origin.direction for origin in origins}, [each.weights for each in origins if each.weights]
    return Origin(
        columns.pop() if len(columns) == 1 else None,
        next(direction for direction in _DIRECTIONS if direction in decided),
        libraries.pop() if len(libraries) == 1 else None,
        f"in {plural(len(weights), 'graph')}, such as the first: {weights[0]}" if weights else None,
    )


def _joined_labels(graphs: list[Graph]) -> AnyArray:
    """Return the labels of all vertices; a vertex without a label is named by its number in its graph."""
    parts: list[AnyArray] = []
    for graph in graphs:
        labels = NO_NUMBERS if graph.labels is None else graph.labels
        rest = np.arange(len(labels), graph.num_vertices)
        parts += [labels, rest if labels.dtype == np.int64 else rest.astype(str).astype(object)]
    kinds = {part.dtype for part in parts if len(part)}
    if len(kinds) <= 1:
        return np.concatenate(parts)
    return np.concatenate([part.astype(str) for part in parts]).astype(object)
