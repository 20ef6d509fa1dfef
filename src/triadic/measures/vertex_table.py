"""A table of measures of vertices, such as the features of a statistical model: columns by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.outward import vertex_columns
from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import ColumnTable
from triadic.core.cached import cached_property
from triadic.core.formatting import plural
from triadic.core.graphlets import GRAPHLET_NAMES
from triadic.core.triad_types import CLOSED_ROLES, TRIAD_NAMES
from triadic.counts.count import at_vertices, check_kind, run
from triadic.counts.graphlets import FOUR_VERTEX_COUNTS, SQUARES
from triadic.counts.orbits import FIVE_VERTEX_COUNTS
from triadic.counts.triads import CLOSED_ROLES_OF_VERTICES, DYADS
from triadic.counts.triangles import TRIANGLES
from triadic.errors import ArgumentError, shown
from triadic.graph.batch import GraphBatch
from triadic.measures.closure import square_clustering
from triadic.measures.clustering import local_clustering
from triadic.measures.directed_clustering import directed_clustering, ldbc_clustering
from triadic.measures.graphlets.orbits import orbit_degrees
from triadic.measures.graphlets.transform import graphlet_transform
from triadic.measures.triads import triad_census_by_vertex
from triadic.measures.triangles import triangles
from triadic.measures.weighted_clustering import weighted_clustering

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import DTypeLike

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.counts.count import Count
    from triadic.graph.graph import Graph
    from triadic.measures.graphlets.transform import GraphletTransform
    from triadic.tiles.tiled_graph import TiledGraph

    Columns = dict[str, AnyArray]


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

    __slots__ = ()

    def __init__(self, columns: Mapping[str, AnyArray], labels: AnyArray, graphs: AnyArray | None = None) -> None:
        super().__init__(columns, graph=graphs, label=labels)

    @property
    def labels(self) -> AnyArray:
        """Labels of the vertices, or their numbers if the labels are not all different; of a batch, in each graph."""
        return self._of_rows["label"]

    @property
    def graphs(self) -> AnyArray | None:
        """Name or number of the graph of each vertex of a batch; None for a single graph."""
        return self._of_rows.get("graph")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._arrays, self.labels, self.graphs)

    def to_numpy(self, dtype: DTypeLike = np.float64) -> AnyArray:
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
            features = np.empty((len(self.labels), len(self)), dtype=dtype)
        except (TypeError, ValueError):
            raise ArgumentError(f"dtype={shown(dtype)}: expected a type of NumPy's numbers") from None
        for index, column in enumerate(self._arrays.values()):
            features[:, index] = column
        return features

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> AnyArray:
        if copy is False:
            raise ValueError("the columns of a VertexTable are separate arrays: expected copy=None or True")
        return self.to_numpy(np.float64 if dtype is None else dtype)

    def _title(self) -> str:
        return f"VertexTable of {plural(len(self.labels), 'vertex', 'vertices')}"


def vertex_table(
    graph: GraphLike,
    measures: str | Sequence[str] = ("degree", "triangles", "clustering", "graphlets"),
    *,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> VertexTable:
    """Compute measures of each vertex as the columns of a table.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        The network whose vertices are the rows.
    measures : str or sequence of str, default ("degree", "triangles", "clustering", "graphlets")
        Measures in the order of their columns:

        - "degree": neighbours, in either direction; "in_degree", "out_degree": arcs; "mutual_degree": neighbours with
          arcs in both directions.
        - "triangles", "clustering", "square_clustering": as the functions of these names.
        - "directed_clustering": five columns, the total and the four patterns of `directed_clustering`.
        - "ldbc_clustering": as the function of this name.
        - "weighted_clustering": the coefficient of Onnela, for a graph with weights; directions are ignored.
        - "graphlets": the 16 net frequencies of `graphlet_transform`, such as "graphlet paw tip".
        - "raw_graphlets": the 16 raw frequencies, such as "raw graphlet paw tip".
        - "orbits5": the 73 orbits of up to five vertices that `orbit_degrees` counts, by their numbers, "orbit 0" to
          "orbit 72".
        - "triads": the 16 types of `triad_census_by_vertex`, such as "triad 030T".
        - "roles": the 15 roles in closed triads, such as "role 030T out 2 in 0 mutual 0".
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    VertexTable
        Mapping from the names of the columns to arrays of shape (n,), int64 for counts and float64 for coefficients.
        The data frames of a batch name the graph of each vertex in their first column, "graph".

    Raises
    ------
    ArgumentError
        If `measures` is empty or contains another string, if the graph has no weights for "weighted_clustering", or if
        another argument does not have an accepted value.
    CountOverflowError
        If a graphlet frequency could exceed 64 bits.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If `device` names a GPU that cannot count a measure, or if the graph is a `TiledGraph` and `measures` has
        "square_clustering", "graphlets", "raw_graphlets" or "orbits5", which are counted in memory only.

    See Also
    --------
    triangles, clustering, graphlet_transform, orbit_degrees, triad_census_by_vertex : Compute a single measure.

    Notes
    -----
    The cost is the sum of the costs of the measures, but triangles and graphlets are counted once for all columns.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], labels=["a", "b", "c", "d"])
    >>> table = triadic.vertex_table(graph, ["degree", "clustering"])
    >>> table["degree"]
    array([2, 2, 3, 1])
    >>> print(table)
    VertexTable of 4 vertices
    label  degree  clustering
    a           2           1
    b           2           1
    c           3    0.333333
    d           1           0
    """
    names = names_of_measures(measures)
    in_memory = [name for name in names if name in _IN_MEMORY]
    if in_memory:  # each measure warns of directions for itself
        reason = f"measures={in_memory[0]!r} is counted in memory only, as {_IN_MEMORY[in_memory[0]].not_tiled}"
        network: Graph | TiledGraph = as_graph(
            graph, not_tiled=f"{reason}; choose other measures", batch=True, directions="unused"
        )
    else:
        network = as_graph(graph, tiled=True, batch=True, directions="unused")
    counts = _Counts(network, {"threads": threads, "device": device, "progress": progress}, names)
    counts.batch = graph if isinstance(graph, GraphBatch) else None
    columns: Columns = {}
    for name in names:
        columns |= COLUMNS[name](counts)
    rows = vertex_columns(network.labels, network.num_vertices, counts.batch)
    return VertexTable(columns, rows["label"], rows.get("graph"))


def names_of_measures(measures: Any) -> list[str]:  # noqa: ANN401 - whatever a caller passes
    """Return the measures as a list of their names; raise ArgumentError if there are none, or one does not exist."""
    names: list[Any] = list(measures) if isinstance(measures, (tuple, list)) else [measures]
    wrong = [name for name in names if not isinstance(name, str) or name not in COLUMNS]
    if wrong or not names:
        raise ArgumentError(
            f"measures={wrong[0] if wrong else names!r}: expected some of {', '.join(map(repr, COLUMNS))}"
        )
    return names


class _Counts:
    """A graph, the keywords of its measures, and counts that several measures share, each made at its first use."""

    batch: GraphBatch | None = None  # of which `graph` is the union

    def __init__(self, graph: Graph | TiledGraph, keywords: dict[str, Any], names: Sequence[str]) -> None:
        check_kind(TRIANGLES, keywords["device"])  # also where no measure counts
        self.graph, self.keywords = graph, keywords
        self.threads: int | None = keywords["threads"]
        self.with_graphlets = not {"graphlets", "raw_graphlets"}.isdisjoint(names)

    @property
    def network(self) -> GraphLike:
        """The batch, if there is one, for measures that depend on the graph of a vertex; else the graph."""
        return self.graph if self.batch is None else self.batch

    @cached_property
    def graphlets(self) -> GraphletTransform:
        return graphlet_transform(self.graph, **self.keywords)

    @cached_property
    def triangles(self) -> Int64Array:
        if self.with_graphlets:
            return np.ascontiguousarray(self.graphlets.raw[:, GRAPHLET_NAMES.index("triangle")])
        return triangles(self.graph, **self.keywords)

    @cached_property
    def degree(self) -> Int64Array:
        return self.graph.degree

    @cached_property
    def dyads(self) -> Int64Array:
        """Mutual, only-out and only-in neighbours: int64, shape (n, 3)."""
        return self._at_vertices(DYADS, self.graph.oriented(), threads=self.threads)

    @cached_property
    def roles(self) -> Int64Array:
        """Closed triads by role: int64, shape (n, 15)."""
        oriented = self.graph.oriented(threads=self.threads)
        return self._at_vertices(CLOSED_ROLES_OF_VERTICES, oriented, **self.keywords)

    def _at_vertices(self, count: Count[Int64Array], oriented: Any, **keywords: Any) -> Int64Array:  # noqa: ANN401 - of `run`
        return at_vertices(oriented, run(count, oriented, **keywords), threads=self.threads)


def _directed_clustering(counts: _Counts) -> Columns:
    parts = directed_clustering(counts.graph, parts=True, **counts.keywords)._asdict()
    return dict(zip(DIRECTED_COLUMNS, parts.values(), strict=True))


def _orbits_of_five(counts: _Counts) -> Columns:
    orbits = orbit_degrees(counts.graph, size=5, **counts.keywords)
    return by_column((f"orbit {number}" for number in range(orbits.shape[1])), orbits)


def _measure(measure: Callable[..., AnyArray]) -> Callable[[_Counts], Columns]:
    """Return a function that computes a measure of one column, which has the name of the measure."""
    return lambda counts: {measure.__name__: measure(counts.network, **counts.keywords)}


def by_column(names: Iterable[str], values: AnyArray) -> Columns:
    """Return the columns of a matrix by name."""
    return dict(zip(names, np.ascontiguousarray(values.T), strict=True))


_PATTERNS = ("cycle", "middle", "into", "out")
TRIAD_COLUMNS = tuple(f"triad {name}" for name in TRIAD_NAMES)
ROLE_COLUMNS = tuple(f"role {name} out {out} in {into} mutual {mutual}" for name, mutual, out, into in CLOSED_ROLES)
DIRECTED_COLUMNS = ("directed_clustering", *(f"directed_clustering {name}" for name in _PATTERNS))

# Measures that a tiled graph does not have, with the counts that they take.
_IN_MEMORY: dict[str, Count[Any]] = {
    "square_clustering": SQUARES,
    "graphlets": FOUR_VERTEX_COUNTS,
    "raw_graphlets": FOUR_VERTEX_COUNTS,
    "orbits5": FIVE_VERTEX_COUNTS,
}
COLUMNS: dict[str, Callable[[_Counts], Columns]] = {
    "degree": lambda counts: {"degree": counts.degree},
    "in_degree": lambda counts: {"in_degree": counts.dyads[:, 0] + counts.dyads[:, 2]},
    "out_degree": lambda counts: {"out_degree": counts.dyads[:, 0] + counts.dyads[:, 1]},
    "mutual_degree": lambda counts: {"mutual_degree": np.ascontiguousarray(counts.dyads[:, 0])},
    "triangles": lambda counts: {"triangles": counts.triangles},
    "clustering": lambda counts: {
        "clustering": local_clustering(counts.triangles, counts.degree, threads=counts.threads)
    },
    "square_clustering": _measure(square_clustering),
    "directed_clustering": _directed_clustering,
    "ldbc_clustering": _measure(ldbc_clustering),
    "weighted_clustering": _measure(weighted_clustering),
    "graphlets": lambda counts: by_column((f"graphlet {name}" for name in GRAPHLET_NAMES), counts.graphlets.net),
    "raw_graphlets": lambda counts: by_column(
        (f"raw graphlet {name}" for name in GRAPHLET_NAMES), counts.graphlets.raw
    ),
    "orbits5": _orbits_of_five,
    "triads": lambda counts: by_column(TRIAD_COLUMNS, triad_census_by_vertex(counts.network, **counts.keywords)),
    "roles": lambda counts: by_column(ROLE_COLUMNS, counts.roles),
}
