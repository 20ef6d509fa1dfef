"""The result of `triadic.vertex_table`: columns by name, which convert to the tables of other libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.result_table import ColumnTable, frame
from triadic.core.numbers import plural
from triadic.core.oriented import frozen
from triadic.errors import ArgumentError, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa
    from numpy.typing import DTypeLike, NDArray


class VertexTable(ColumnTable):
    """Measures of each vertex: an immutable mapping from the names of columns to arrays of shape (n,).

    ``numpy.asarray`` of a table returns a matrix of features, float64 of shape (n, columns). `to_pandas` and
    `to_polars` return a data frame whose first column, the index in pandas, is "label"; of a batch, the first two
    columns are "graph" and "label".

    Parameters
    ----------
    columns : mapping of str to array, shape (n,)
        Columns of the table by name.
    labels : array of int64 or of str, shape (n,)
        Labels of the vertices, or their numbers if the labels are not all different.
    graphs : array of int64 or of str, shape (n,), optional
        Name or number of the graph of each vertex of a batch.

    See Also
    --------
    vertex_table : Compute a table.

    Examples
    --------
    >>> import numpy as np
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> table = triadic.vertex_table(graph, ["degree", "triangles"])
    >>> table.names, np.asarray(table).shape
    (('degree', 'triangles'), (4, 2))
    """

    __slots__ = ("_arrays", "_graphs", "_labels")

    def __init__(
        self, columns: Mapping[str, NDArray[Any]], labels: NDArray[Any], graphs: NDArray[Any] | None = None
    ) -> None:
        self._arrays = {name: frozen(column) for name, column in columns.items()}
        self._labels = frozen(labels)
        self._graphs = None if graphs is None else frozen(graphs)

    @property
    def labels(self) -> NDArray[Any]:
        """Labels of the vertices, or their numbers if the labels are not all different; of a batch, in each graph."""
        return self._labels

    @property
    def graphs(self) -> NDArray[Any] | None:
        """Name or number of the graph of each vertex of a batch; None for a single graph."""
        return self._graphs

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._arrays, self._labels, self._graphs)

    def to_numpy(self, dtype: DTypeLike = np.float64) -> NDArray[Any]:
        """Return the columns as a matrix.

        Parameters
        ----------
        dtype : dtype_like, default float64
            Type of the elements.

        Returns
        -------
        array of `dtype`, shape (n, columns)
            The columns in the order of `names`.
        """
        try:
            features = np.empty((len(self._labels), len(self)), dtype=dtype)
        except (TypeError, ValueError):
            raise ArgumentError(f"dtype={shown(dtype)}: expected a type of NumPy's numbers") from None
        for index, column in enumerate(self._arrays.values()):
            features[:, index] = column
        return features

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("the columns of a VertexTable are separate arrays: expected copy=None or True")
        return self.to_numpy(np.float64 if dtype is None else dtype)

    def to_arrow(self) -> pa.Table:
        """Return the table as a pyarrow Table.

        Returns
        -------
        pyarrow.Table
            One row per vertex; the column "graph" holds `graphs`, if it is the table of a batch, "label" holds
            `labels`, and the others hold the measures.
        """
        return frame(self._columns(), "pyarrow")

    def _columns(self) -> dict[str, NDArray[Any]]:
        graphs = {} if self._graphs is None else {"graph": self._graphs}
        return graphs | {"label": self._labels} | self._arrays

    def _names_of_rows(self) -> int:
        return 1 if self._graphs is None else 2

    def _title(self) -> str:
        return f"VertexTable of {plural(len(self._labels), 'vertex', 'vertices')}"
