"""The methods of `Graph` that return an object of another library, and the functions that methods call by name.

The functions are those of `triadic.convert` and `triadic.io`. Both packages make graphs, and therefore import this
package. To keep the imports in one direction, `Graph` and `TemporalGraph` name these functions as the entry points of a
distribution are named, and resolve a name when a method needs it.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from triadic.core.checked import checked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    import igraph
    import networkx as nx
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from triadic.core.array_types import Int64Array


@checked
class GraphExports:
    """Base class of `Graph`: the methods that take another library's table, or convert the graph to that library.

    Vertices go by their labels if every vertex has a label of its own, and by the numbers 0 .. n - 1 otherwise.
    """

    __slots__ = ()

    def with_vertices(
        self,
        table: object,
        *,
        key: str | None = None,
        columns: Sequence[str] | None = None,
        dayfirst: bool | None = None,
    ) -> Self:
        """Return the graph with columns of its vertices, such as types or positions, from a table or a file.

        Parameters
        ----------
        table : path-like, table or mapping
            A row for each vertex: a file (CSV, TSV, columns apart by blanks, each with the names of its columns in the
            first row; or Parquet), a table of pandas, polars, pyarrow or DuckDB, or a mapping from names to arrays.
        key : str, optional
            Column that has the labels of the vertices, or their numbers if the graph has no labels. By default the
            column "label", the index of a pandas DataFrame that is named or no range, or else the only column in which
            labels of the graph occur. The arrays of a mapping are in the order of the vertices if the graph has no
            labels and there is no such column.
        columns : sequence of str, optional
            Names of the columns to take. By default all but the key.
        dayfirst : bool, optional
            Whether dates of a text such as 01.03.2024 begin with the day. By default the dates of a column tell.

        Returns
        -------
        Graph
            The same edges and labels, with `Graph.vertex_columns`; a column of the same name is replaced. The values of
            vertices without a row are missing: NaN among numbers, NaT among dates, None among texts and booleans.

        Raises
        ------
        ArgumentError, ReadError
            If a column does not exist, if not one column alone has labels, if no row names a vertex, or if two rows of
            a vertex differ.

        Warns
        -----
        ReadWarning
            If vertices have no row, or if rows name no vertex.

        Notes
        -----
        O(n + rows). Subgraphs, filtered, undirected and randomized graphs keep the columns.

        Examples
        --------
        >>> import triadic
        >>> graph = triadic.Graph.from_edges([0, 1], [1, 2], labels=["Ann", "Bob", "Cid"])
        >>> people = {"name": ["Cid", "Ann", "Bob"], "age": [31, 47, 23]}
        >>> graph = graph.with_vertices(people, key="name")
        >>> graph.vertex_columns["age"]
        array([47, 23, 31])
        >>> graph.subgraph(graph.vertex_columns["age"] > 30)
        Graph(undirected, 2 vertices, 0 edges, with labels and vertex columns age)
        """
        return entry_point("with_vertices")(self, table, key, columns, dayfirst)

    def to_networkx(self) -> nx.Graph:
        """Convert the graph to networkx.

        Returns
        -------
        networkx.Graph or networkx.DiGraph
            Nodes are the labels, str or int, if every vertex has a label of its own, and 0 .. n - 1 otherwise. Weights
            are the edge attribute "weight". Other columns are attributes too, which lack missing values.

        Raises
        ------
        MissingExtraError
            If networkx is not installed.

        Notes
        -----
        O(n + m).

        Examples
        --------
        >>> import triadic
        >>> triadic.Graph.from_edges([0, 1], [1, 2], labels=["a", "b", "c"]).to_networkx().edges
        EdgeView([('a', 'b'), ('b', 'c')])
        """
        return entry_point("to_networkx")(self)

    def to_igraph(self) -> igraph.Graph:
        """Convert the graph to igraph.

        Returns
        -------
        igraph.Graph
            Labels are the vertex attribute "name" if every vertex has a label of its own. Weights are the edge
            attribute "weight".

        Raises
        ------
        MissingExtraError
            If igraph is not installed.

        Notes
        -----
        O(n + m).

        Examples
        --------
        >>> import triadic
        >>> triadic.Graph.from_edges([0, 1], [1, 2]).to_igraph().ecount()
        2
        """
        return entry_point("to_igraph")(self)

    def to_edge_index(self) -> Int64Array:
        """Convert the graph to an edge index, the form of PyTorch Geometric.

        Returns
        -------
        int64 array, shape (2, num_arcs)
            Source and target of each arc, sorted by source, then target; an undirected edge is two arcs. `weights` has
            the same order. ``torch.from_numpy`` accepts the array.

        Notes
        -----
        O(n + m).

        Examples
        --------
        >>> import triadic
        >>> triadic.Graph.from_edges([0, 1], [1, 2]).to_edge_index()
        array([[0, 1, 1, 2],
               [1, 0, 2, 1]])
        """
        return entry_point("to_edge_index")(self)

    def to_pandas(self) -> pd.DataFrame:
        """Convert the edges to a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            Columns "source", "target" and, if the graph has weights, "weight"; one row per edge, in the order of
            `edges`. Vertices without an edge do not occur. Vertices are labels if every vertex has a label of its own.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.

        Notes
        -----
        O(n + m).

        Examples
        --------
        >>> import triadic
        >>> triadic.Graph.from_edges([0, 1], [1, 2]).to_pandas()
           source  target
        0       0       1
        1       1       2
        """
        return entry_point("to_frame")(self, "pandas")

    def to_polars(self) -> pl.DataFrame:
        """Convert the edges to a polars DataFrame.

        Returns
        -------
        polars.DataFrame
            Columns "source", "target" and, if the graph has weights, "weight"; one row per edge, in the order of
            `edges`. Vertices without an edge do not occur. Vertices are labels if every vertex has a label of its own.

        Raises
        ------
        MissingExtraError
            If polars is not installed.

        Notes
        -----
        O(n + m).

        Examples
        --------
        >>> import triadic
        >>> triadic.Graph.from_edges([0, 1], [1, 2]).to_polars().shape
        (2, 2)
        """
        return entry_point("to_frame")(self, "polars")

    def to_arrow(self) -> pa.Table:
        """Convert the edges to a pyarrow Table.

        Returns
        -------
        pyarrow.Table
            Columns "source", "target" and, if the graph has weights, "weight"; one row per edge, in the order of
            `edges`. Vertices without an edge do not occur. Vertices are labels if every vertex has a label of its own.

        Notes
        -----
        O(n + m).

        Examples
        --------
        >>> import triadic
        >>> triadic.Graph.from_edges([0, 1], [1, 2], labels=["a", "b", "c"]).to_arrow().to_pydict()
        {'source': ['a', 'b'], 'target': ['b', 'c']}
        """
        return entry_point("to_frame")(self, "pyarrow")


ENTRY_POINTS = {
    "graph_of": "triadic.convert.recognise:graph_of",
    "batch_of_table": "triadic.convert.from_table:batch_of_table",
    "with_vertices": "triadic.convert.from_table:with_vertices",
    "to_networkx": "triadic.convert.graph_libraries:to_networkx",
    "to_igraph": "triadic.convert.graph_libraries:to_igraph",
    "to_edge_index": "triadic.convert.graph_libraries:to_edge_index",
    "to_frame": "triadic.convert.graph_libraries:to_frame",
    "to_parquet": "triadic.io.temporal:to_parquet",
}


def entry_point(name: str) -> Any:  # noqa: ANN401 - a function
    """Return the function with a name of `ENTRY_POINTS`, importing its module if needed."""
    return resolve_name(ENTRY_POINTS[name])
