"""The results of clustering measures that are several arrays: tuples of arrays that convert to tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from triadic.convert.outward import vertex_columns
from triadic.convert.result_table import ResultTable
from triadic.core.numbers import plural

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    from triadic.graph.batch import GraphBatch


class _SpectrumArrays(NamedTuple):
    degree: NDArray[np.int64]
    clustering: NDArray[np.float64]
    vertices: NDArray[np.int64]


class ClusteringSpectrum(ResultTable, _SpectrumArrays):
    """Mean local clustering coefficient of the vertices of each degree: a named tuple of arrays.

    `to_pandas` and `to_polars` return a data frame with the columns "degree", the index in pandas, "clustering" and
    "vertices".

    Attributes
    ----------
    degree : int64 array, shape (k,)
        Degrees that occur in the graph, in rising order.
    clustering : float64 array, shape (k,)
        Mean local clustering coefficient of the vertices of each degree.
    vertices : int64 array, shape (k,)
        Number of vertices of each degree.

    See Also
    --------
    clustering_spectrum : Compute the spectrum of a graph.

    Examples
    --------
    >>> import triadic
    >>> spectrum = triadic.clustering_spectrum(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    >>> spectrum.vertices
    array([1, 2, 1])
    >>> spectrum
    ClusteringSpectrum of 3 degrees, 4 vertices
    degree  clustering  vertices
    1                0         1
    2                1         2
    3         0.333333         1
    """

    __slots__ = ()

    def _columns(self) -> dict[str, NDArray[Any]]:
        return self._asdict()

    def _title(self) -> str:
        vertices = int(self.vertices.sum())
        return f"ClusteringSpectrum of {plural(len(self.degree), 'degree')}, {plural(vertices, 'vertex', 'vertices')}"

    def _rows(self) -> str:
        return "degrees"


class _CoefficientArrays(NamedTuple):
    total: NDArray[np.float64]
    cycle: NDArray[np.float64]
    middle: NDArray[np.float64]
    into: NDArray[np.float64]
    out: NDArray[np.float64]


class DirectedClustering(ResultTable, _CoefficientArrays):
    """Directed clustering coefficients of each vertex i, in total and by the pattern of a triangle's arcs.

    A named tuple of arrays. `to_pandas` and `to_polars` return a data frame with one row per vertex: the column
    "label", the index in pandas, and a column for each array. Of a batch, the column "graph" is before "label".

    Attributes
    ----------
    total : float64 array, shape (n,)
        Coefficients over all directed triangles.
    cycle : float64 array, shape (n,)
        Coefficients over cycles i -> j -> k -> i.
    middle : float64 array, shape (n,)
        Coefficients over paths j -> i -> k with the shortcut j -> k.
    into : float64 array, shape (n,)
        Coefficients over triangles whose two arcs at i both lead to i.
    out : float64 array, shape (n,)
        Coefficients over triangles whose two arcs at i both lead away from i.

    See Also
    --------
    directed_clustering : Compute the coefficients of a graph.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], directed=True)
    >>> parts = triadic.directed_clustering(graph, parts=True)
    >>> parts.middle
    array([0., 1., 0., 0.])
    >>> parts
    DirectedClustering of 4 vertices
    label     total  cycle  middle  into  out
    0           0.5      0       0     0  0.5
    1           0.5      0       1     0    0
    2      0.166667      0       0   0.5    0
    3             0      0       0     0    0
    """

    _labels: NDArray[Any] | None = None
    _batch: GraphBatch | None = None

    def _with_labels(self, labels: NDArray[Any] | None, batch: GraphBatch | None) -> Self:
        """Set the labels of the vertices and their batch, which name the rows of tables."""
        self._labels, self._batch = labels, batch
        return self

    def _columns(self) -> dict[str, NDArray[Any]]:
        return {**vertex_columns(self._labels, len(self.total), self._batch), **self._asdict()}

    def _names_of_rows(self) -> int:
        return 1 if self._batch is None else 2

    def _title(self) -> str:
        return f"DirectedClustering of {plural(len(self.total), 'vertex', 'vertices')}"
