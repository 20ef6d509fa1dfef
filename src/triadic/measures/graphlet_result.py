"""The result of the graphlet transform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from triadic.convert.outward import vertex_columns
from triadic.convert.result_table import frame
from triadic.core.blocks import resolve_threads
from triadic.core.checked import checked
from triadic.core.exact import exact_column_sums
from triadic.core.graphlet_types import GRAPHLET_NAMES, GRAPHS
from triadic.core.notebook import html_table, text_counts
from triadic.core.numbers import plural
from triadic.core.oriented import frozen
from triadic.errors import ArgumentError
from triadic.graph.batch import sums_by_graph
from triadic.measures.graph_table import GraphTable
from triadic.measures.graphlet_formulas import net_of

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from numpy.typing import DTypeLike, NDArray

    from triadic.graph.batch import GraphBatch

Kind = Literal["net", "raw"]


@checked
class GraphletTransform:
    """Graphlet frequencies at each vertex, as `triadic.graphlet_transform` returns them.

    ``numpy.asarray`` of a transform returns its net frequencies.

    Parameters
    ----------
    raw : int64 array, shape (n, 16) or (n, 5)
        Raw frequencies.
    threads : int, optional
        Number of threads that compute the net frequencies; by default as many as the process may use.
    labels : int64 array or object array of str, optional
        Labels of the vertices.
    batch : GraphBatch, optional
        The batch that the vertices belong to.

    See Also
    --------
    graphlet_transform : Count the graphlets of a graph.

    Examples
    --------
    >>> import triadic
    >>> transform = triadic.graphlet_transform(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]), graphlets=5)
    >>> transform.names
    ('vertex', 'degree', '2-path end', '2-path middle', 'triangle')
    >>> transform.raw[2].tolist(), transform.net[2].tolist()
    ([1, 3, 2, 3, 1], [1, 3, 0, 2, 1])
    """

    __slots__ = ("_batch", "_labels", "_net", "_raw", "_threads")

    def __init__(
        self,
        raw: NDArray[np.int64],
        *,
        threads: int | None = None,
        labels: NDArray[Any] | None = None,
        batch: GraphBatch | None = None,
    ) -> None:
        self._raw = frozen(raw)
        self._labels = None if labels is None else frozen(labels)
        self._threads, self._batch = threads, batch
        self._net: NDArray[np.int64] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (
            type(self),
            self._raw,
            self._labels,
            self._batch,
        )  # __init__ makes the arrays read-only again

    @property
    def raw(self) -> NDArray[np.int64]:
        """Number of subgraphs, induced or not, of each graphlet at each vertex: int64, shape (n, 16) or (n, 5)."""
        return self._raw

    @property
    def net(self) -> NDArray[np.int64]:
        """Number of induced subgraphs of each graphlet at each vertex: int64, the shape of `raw`; computed once."""
        if self._net is None:
            net = net_of(self._raw, threads=resolve_threads(self._threads))
            self._net = frozen(net)
        return self._net

    @property
    def labels(self) -> NDArray[Any] | None:
        """Labels of the vertices, or None; vertices beyond the end of the array have no label."""
        return self._labels

    @property
    def batch(self) -> GraphBatch | None:
        """The batch that the vertices belong to, or None."""
        return self._batch

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the graphlets, the columns of `raw` and `net`."""
        return GRAPHLET_NAMES[: self._raw.shape[1]]

    @property
    def raw_sums(self) -> tuple[int, ...]:
        """Sums of the raw frequencies over all vertices, as Python ints: some exceed 2**63."""
        return tuple(exact_column_sums(self._raw))

    @property
    def net_sums(self) -> tuple[int, ...]:
        """Sums of the net frequencies over all vertices, as Python ints."""
        return tuple(exact_column_sums(self.net))

    @property
    def totals(self) -> dict[str, int]:
        """Number of induced subgraphs of the network by name, of up to four vertices (three for five graphlets)."""
        net = self.net_sums
        return {name: net[column] // vertices for name, (column, vertices) in GRAPHS.items() if column < len(net)}

    @property
    def graph_totals(self) -> GraphTable:
        """Number of induced subgraphs of each graph of a batch, one row for each graph, by the names of `totals`."""
        batch = self._batch
        if batch is None:
            raise ArgumentError("the transform is that of a single graph; totals holds its numbers of subgraphs")
        sums = sums_by_graph(self.net[batch.order], batch.offsets)
        columns = {name: sums[:, i] // vertices for name, (i, vertices) in GRAPHS.items() if i < sums.shape[1]}
        return GraphTable(columns, batch.names)

    def __len__(self) -> int:
        return len(self._raw)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.net, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return "\n".join([type(self).__name__, *text_counts(self.totals)])

    def _repr_html_(self) -> str:
        title = f"Induced subgraphs at {plural(len(self), 'vertex', 'vertices')}"
        return html_table(title, ("name", "count"), self.totals.items())

    def to_pandas(self, kind: Kind = "net") -> pd.DataFrame:
        """Return the frequencies as a pandas DataFrame.

        Parameters
        ----------
        kind : {"net", "raw"}, default "net"
            Which frequencies to return.

        Returns
        -------
        pandas.DataFrame
            One row per vertex and one column per graphlet; the index "label" holds the labels of the vertices, or their
            numbers if the labels are not all different. Of a batch, the index has the levels "graph" and "label",
            and the numbers are those in each graph.

        Raises
        ------
        ArgumentError
            If `kind` is another string.
        MissingExtraError
            If pandas is not installed.
        """
        index = "label" if self._batch is None else ("graph", "label")
        return frame(self._columns(kind), "pandas", index=index)

    def to_polars(self, kind: Kind = "net") -> pl.DataFrame:
        """Return the frequencies as a polars DataFrame.

        Parameters
        ----------
        kind : {"net", "raw"}, default "net"
            Which frequencies to return.

        Returns
        -------
        polars.DataFrame
            One row per vertex: the column "label" holds its label, or its number if the labels are not all different;
            the other columns are the graphlets. Of a batch, the first column "graph" holds the name or the
            number of its graph, and numbers of vertices are those in each graph.

        Raises
        ------
        ArgumentError
            If `kind` is another string.
        MissingExtraError
            If polars is not installed.
        """
        return frame(self._columns(kind), "polars")

    def _columns(self, kind: Kind) -> dict[str, NDArray[Any]]:
        if kind not in get_args(Kind):
            raise ArgumentError(f"kind={kind!r}: expected 'net' or 'raw'")
        frequencies = self.net if kind == "net" else self.raw
        by_name = dict(zip(self.names, np.ascontiguousarray(frequencies.T), strict=True))
        return {**vertex_columns(self._labels, len(self), self._batch), **by_name}


def _unpickled(
    kind: type[GraphletTransform], raw: NDArray[np.int64], labels: NDArray[Any] | None, batch: GraphBatch | None
) -> GraphletTransform:
    return kind(raw, labels=labels, batch=batch)
