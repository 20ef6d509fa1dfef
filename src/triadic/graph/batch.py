"""Many graphs as one: the disjoint union of a batch, whose graphs are counted one after another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import cut
from triadic.core.checked import checked
from triadic.core.formatting import html_table, plural
from triadic.core.oriented import Oriented, OrientedBatch, int_empty
from triadic.errors import ArgumentError
from triadic.graph.batch_makers import BatchMakers
from triadic.graph.graph import Graph, edge_arcs
from triadic.graph.labels import vertex_names
from triadic.graph.makers import rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import ArrayLike

    from triadic.core.array_types import AnyArray, Int64Array


@checked
class GraphBatch(BatchMakers):
    """Many graphs, stored as one disjoint union; all of them are directed, or all undirected.

    `from_graphs`, `from_arrays`, `from_table` and `triadic.read_batch` make batches. A measure of vertices or edges,
    such as `triadic.clustering`, returns one array for all vertices of a batch, in the order of the batch. A measure of
    a whole network, such as `triadic.transitivity`, returns a `Table` with one row for each graph.

    See Also
    --------
    Graph : A single graph.
    Table : Results of a batch, one row for each graph.

    Notes
    -----
    A batch takes the memory of one graph with all its vertices and edges, and 16 bytes a vertex. ``batch[i]`` makes the
    graph i, and ``batch["Mon"]`` the graph of that name. A slice, an array of numbers or names, or a mask of graphs
    makes a smaller batch, whose graphs keep their names, or their numbers as names. Iterating over a batch makes its
    graphs one by one.

    Examples
    --------
    >>> import triadic
    >>> triangle = triadic.Graph.from_edges([0, 1, 2], [1, 2, 0])
    >>> path = triadic.Graph.from_edges([0, 1], [1, 2])
    >>> batch = triadic.GraphBatch.from_graphs([triangle, path])
    >>> batch
    GraphBatch(2 undirected graphs, 6 vertices, 5 edges)
    >>> triadic.clustering(batch)
    array([1., 1., 1., 0., 0., 0.])
    >>> triadic.transitivity(batch)["transitivity"]
    array([1., 0.])
    """

    __slots__ = ()

    @property
    def graph(self) -> Graph:
        """The disjoint union of the graphs: one graph with all vertices, in the order of the batch."""
        return self._graph

    @property
    def num_graphs(self) -> int:
        """Number of graphs."""
        return len(self._of_vertex.first_rank) - 1

    @property
    def num_vertices(self) -> int:
        """Number of vertices of all graphs."""
        return self._graph.num_vertices

    @property
    def num_edges(self) -> int:
        """Number of edges of all graphs, or of their skeletons if they are directed."""
        return self._graph.num_edges

    @property
    def directed(self) -> bool:
        """Whether edges have a direction."""
        return self._graph.directed

    @property
    def names(self) -> AnyArray:
        """Names of the graphs, or their numbers from 0: object array of str, or int64 array, shape (num_graphs,)."""
        return np.arange(self.num_graphs) if self._names is None else self._names

    @property
    def graph_labels(self) -> AnyArray | None:
        """Class or value of each graph, shape (num_graphs,) or (num_graphs, values), from `triadic.read_batch`."""
        return self._graph_labels

    @property
    def graph_of_vertex(self) -> Int64Array:
        """Graph of each vertex: int64, shape (num_vertices,)."""
        return self._of_vertex.graph

    @property
    def number_of_vertex(self) -> Int64Array:
        """Number of each vertex in its graph, from 0: int64, shape (num_vertices,)."""
        number: Int64Array = int_empty(self.num_vertices)
        number[self._by_graph] = np.arange(self.num_vertices) - np.repeat(self.offsets[:-1], self.sizes)
        return number

    @property
    def sizes(self) -> Int64Array:
        """Number of vertices of each graph: int64, shape (num_graphs,)."""
        return np.diff(self._of_vertex.first_rank)

    @property
    def offsets(self) -> Int64Array:
        """Number of vertices of the graphs before each graph, and of all graphs: int64, shape (num_graphs + 1,)."""
        return self._of_vertex.first_rank

    @property
    def edges_of_graphs(self) -> Int64Array:
        """Number of edges of each graph, or of its skeleton if it is directed: int64, shape (num_graphs,)."""
        return np.diff(self.oriented().indptr[self._of_vertex.first_rank])

    def oriented(self, *, threads: int | None = None) -> Oriented:
        """Return the oriented form of the union, in which the ranks of each graph follow one another.

        Parameters
        ----------
        threads : int, optional
            Number of threads. By default every CPU that the process may use.

        Returns
        -------
        Oriented
        """
        return self._graph.oriented(threads=threads)

    def _sums(self, at_rank: AnyArray) -> AnyArray:
        """Return the sums over the vertices of each graph.

        Parameters
        ----------
        at_rank : array, shape (num_vertices,) or (num_vertices, columns)
            Values at the ranks of the oriented form.

        Returns
        -------
        array, shape (num_graphs,) or (num_graphs, columns)
            Sums of the dtype of `at_rank`.
        """
        return sums_by_graph(at_rank, self._of_vertex.first_rank)

    @property
    def _by_graph(self) -> Int64Array:
        """Vertices by graph, in rising order within a graph: int64, shape (num_vertices,)."""
        if self._order is None:
            of_vertex = self._of_vertex.graph
            self._order = np.arange(len(of_vertex)) if self._in_order() else np.argsort(of_vertex, kind="stable")
        return self._order

    def _parts(self, vertices: int) -> Iterator[tuple[int, Oriented]]:
        """Yield the oriented forms of consecutive graphs with about a given number of vertices together.

        Parameters
        ----------
        vertices : int
            Desired number of vertices of a part; a graph that has more is a part of its own.

        Yields
        ------
        int
            First vertex of the part in the batch.
        Oriented
            The oriented form of the part. A batch whose vertices are not in the order of its graphs is one part.
        """
        oriented, first = self.oriented(), self._of_vertex.first_rank
        if not self._in_order():
            yield 0, oriented
            return
        cuts = cut(first, vertices, most=len(first))
        for a, b in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
            yield int(first[a]), self._rows(a, b)

    def to_undirected(self, *, combine: str | Mapping[str, str] | None = None) -> GraphBatch:
        """Return the batch of the skeletons: an undirected edge wherever there is an arc in one direction or both.

        Parameters
        ----------
        combine : {"sum", "max", "min", "mean", "first", "error"}, optional
            How to combine the weights of a repeated edge; if undirected, (v, u) repeats (u, v). By default repeats in
            one direction are added. Weights from both ends then count once if all edges of the batch have two equal
            ones, are an error if most have but not all, and are added otherwise: graphs of one source are written in
            one way. ``graph.origin.weights`` says what was done.

        Returns
        -------
        GraphBatch
            The batch itself if it is undirected. Graphs keep their names, and vertices their numbers and labels.

        Raises
        ------
        ArgumentError
            If `combine` is unknown, or is "error" and two vertices are joined in both directions.

        Notes
        -----
        O(n + m) for all vertices and edges together; with weights O(m log(m)).

        Examples
        --------
        >>> import triadic
        >>> batch = triadic.GraphBatch.from_arrays([0, 1, 2], [1, 0, 3], [0, 0, 1, 1], directed=True)
        >>> batch.to_undirected()
        GraphBatch(2 undirected graphs, 4 vertices, 2 edges)
        """
        names = self._graph._column_names()  # noqa: SLF001 - of the graph
        rules_of(combine, names)
        if not self.directed:
            return self
        if not names:
            oriented = self._rows(0, self.num_graphs, slice(None))
            made = self._graph.to_undirected()._with(oriented=replace(oriented, state=None))  # noqa: SLF001 - as above
            return self._make(made, self._of_vertex, self._names, self._graph_labels)
        arcs = replace(edge_arcs(self._graph), directed=False)
        return self._of_arcs(arcs, self._of_vertex, self._names, combine, graph_labels=self._graph_labels)

    def vertices_of(self, i: int | str) -> Int64Array:
        """Return the vertices of one graph, in the order that they have in it.

        Parameters
        ----------
        i : int or str
            Number of the graph, or its name if that is a string.

        Returns
        -------
        int64 array, shape (sizes[i],)
            Vertices of the batch, in rising order.

        Raises
        ------
        IndexError
            If no graph has the number.
        ArgumentError
            If no graph has the name, or several have it.

        Examples
        --------
        >>> import triadic
        >>> triadic.GraphBatch.from_arrays([0], [2], [0, 1, 0]).vertices_of(0)
        array([0, 2])
        """
        number = self._number(i)
        first = self._of_vertex.first_rank
        return self._by_graph[first[number] : first[number + 1]]

    def __len__(self) -> int:
        return self.num_graphs

    def __iter__(self) -> Iterator[Graph]:
        return (self[i] for i in range(self.num_graphs))

    def __getitem__(self, which: int | str | slice | ArrayLike) -> Any:  # noqa: ANN401 - a Graph, or a GraphBatch of several
        if isinstance(which, bool) or not isinstance(which, (int, str, np.integer)):
            chosen = self._numbers(which)
            graph_labels = None if self._graph_labels is None else self._graph_labels[chosen]
            return self._joined([self[i] for i in chosen.tolist()], self.names[chosen], graph_labels)
        number = self._number(which if isinstance(which, str) else int(which))
        vertices = self.vertices_of(number)
        labels = self._graph.labels
        part = self._rows(number, number + 1, vertices)
        mutual = 0 if part.state is None else int(np.count_nonzero(part.state == 3))
        return Graph._make(
            oriented=part,
            directed=self.directed,
            num_arcs=part.num_edges + mutual if self.directed else 2 * part.num_edges,
            labels=None if labels is None else labels[vertices],
            vertex_columns={name: values[vertices] for name, values in self._graph.vertex_columns.items()},
            origin=self._graph.origin,
        )

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        union = self._graph._in_words()  # noqa: SLF001 - of the graph
        return f"GraphBatch({plural(self.num_graphs, f'{kind} graph')}, {union})"

    def _repr_html_(self) -> str:
        count, what = self._graph._size()  # noqa: SLF001 - of the graph
        table = [("graphs", self.num_graphs), ("vertices", self.num_vertices), (what, count)]
        return html_table(f"Batch of {'directed' if self.directed else 'undirected'} graphs", (), table)

    def _numbers(self, which: slice | ArrayLike) -> Int64Array:
        """Return the numbers of several graphs, given as a slice, as numbers, as names or as a mask."""
        if isinstance(which, slice):
            chosen = np.arange(self.num_graphs)[which]
        else:
            array = np.asarray(which)
            names = array.ndim == 1 and len(array) > 0 and all(isinstance(each, str) for each in array)
            if array.ndim != 1 or (len(array) and array.dtype.kind not in "iub" and not names):
                expected = "a number, a name, a slice, numbers, names or a mask of graphs"
                raise TypeError(f"expected {expected}, got {type(which).__name__}")
            if array.dtype.kind == "b":
                if len(array) != self.num_graphs:
                    raise IndexError(f"expected a mask of {self.num_graphs} graphs, got {len(array)} values")
                chosen = np.flatnonzero(array)
            else:
                chosen = np.array([self._number(str(i) if names else int(i)) for i in array], np.int64)
        if not len(chosen):
            raise ArgumentError("no graph is selected: expected at least one")
        return chosen

    def _number(self, i: int | str) -> int:
        """Return the number of a graph, which may be counted from the end or given by name."""
        if isinstance(i, str):
            found = np.flatnonzero(self.names == i)
            if len(found) != 1:
                named = f"{len(found)} graphs have this name" if len(found) else "no graph has this name"
                raise ArgumentError(f"graph {i!r}: {named}, expected one of batch.names, or a number")
            return int(found[0])
        try:
            return range(self.num_graphs)[i]
        except IndexError:
            raise IndexError(f"graph {i}: expected a number from {-self.num_graphs} to {self.num_graphs - 1}") from None

    def _in_order(self) -> bool:
        """Return whether the vertices of each graph follow those of the graph before."""
        of_vertex = self._of_vertex.graph
        return bool(np.all(of_vertex[:-1] <= of_vertex[1:]))

    def _rows(self, begin: int, end: int, vertices: Int64Array | slice | None = None) -> Oriented:
        """Return the oriented form of the graphs `begin` .. `end` - 1, whose vertices follow one another by default."""
        oriented, ranks = self.oriented(), self._of_vertex.first_rank[begin : end + 1]
        first, last = int(ranks[0]), int(ranks[-1])
        start, stop = int(oriented.indptr[first]), int(oriented.indptr[last])
        arrays = (
            oriented.rank[slice(first, last) if vertices is None else vertices] - oriented.rank.dtype.type(first),
            oriented.indptr[first : last + 1] - start,
            oriented.indices[start:stop] - oriented.indices.dtype.type(first),
            None if oriented.state is None else oriented.state[start:stop],
            oriented.degree[first:last],
        )
        part = Oriented(*arrays) if end == begin + 1 else OrientedBatch(*arrays, ranks - first)
        part.columns.update(
            {name: values.mapped(lambda array: array[start:stop]) for name, values in oriented.columns.items()}
        )
        return part


def sums_by_graph(values: AnyArray, first: Int64Array) -> AnyArray:
    """Return the sums of the values of each graph, which begin at `first`: shape (graphs,) or (graphs, columns)."""
    sums: AnyArray = np.zeros((len(first) - 1, *values.shape[1:]), values.dtype)
    filled = np.flatnonzero(first[:-1] < first[1:])
    if len(filled):
        sums[filled] = np.add.reduceat(values, first[filled], axis=0)
    return sums


def vertex_columns(labels: AnyArray | None, vertices: int, batch: GraphBatch | None) -> dict[str, AnyArray]:
    """Return the columns that name the vertices in a table: "label" and, of a batch, "graph" before it.

    The vertices of a batch go by their labels if these differ within each graph, and by their numbers in their graphs
    otherwise.
    """
    if batch is None:
        return {"label": vertex_names(labels, vertices)}
    graph = batch.graph_of_vertex
    if labels is None or len(set(zip(graph.tolist(), labels.tolist(), strict=False))) < vertices:
        labels = batch.number_of_vertex
    return {"graph": batch.names[graph], "label": labels}
