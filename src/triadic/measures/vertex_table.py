"""A table of everything that is measured at vertices: a row a vertex, ready as features for a model."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.outward import vertex_names
from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.graphlet_types import GRAPHLET_NAMES
from triadic.core.triad_types import CLOSED_ROLES, TRIAD_NAMES
from triadic.counts.closed_triads import CLOSED_ROLES_OF_VERTICES
from triadic.counts.count import run
from triadic.counts.dyads import DYADS
from triadic.counts.placement import at_vertices
from triadic.errors import ArgumentError
from triadic.measures.clustering import local_clustering, triangles
from triadic.measures.directed_clustering import directed_clustering, ldbc_clustering
from triadic.measures.graphlets import graphlet_transform, square_clustering
from triadic.measures.triads import triad_census_by_vertex
from triadic.measures.vertex_table_result import VertexTable
from triadic.measures.weighted_clustering import weighted_clustering

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph
    from triadic.measures.graphlet_result import GraphletTransform

    Columns = dict[str, NDArray[Any]]


def vertex_table(
    graph: GraphLike,
    measures: str | Sequence[str] = ("degree", "triangles", "clustering", "graphlets"),
    *,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> VertexTable:
    """Measure every vertex in many ways, and put it in one table.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes
    measures : str or sequence of str, default ("degree", "triangles", "clustering", "graphlets")
        Which measures, in the order of the columns:

        - "degree", "in_degree", "out_degree", "mutual_degree": of the skeleton; of arcs; of arcs both ways.
        - "triangles", "clustering", "square_clustering".
        - "directed_clustering": five columns, the total and its parts; "ldbc_clustering".
        - "weighted_clustering": of a graph with weights, as Onnela has it.
        - "graphlets": the 16 net graphlet frequencies, such as "graphlet paw tip"; "raw_graphlets" likewise.
        - "triads": the 16 types of triads, such as "triad 030T".
        - "roles": the 15 roles in closed triads, such as "role 030T out 2 in 0 mutual 0".
    threads, device, progress
        As for `triangles`; what a device does not count is an error.

    Returns
    -------
    VertexTable
        Arrays of shape (n,) by name of column.

    Raises
    ------
    ArgumentError
        An unknown measure, or none; weights that the graph lacks.

    Notes
    -----
    The costs of the measures, but triangles and graphlets are counted once; with graphlets, triangles are not counted
    again.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], labels=["a", "b", "c", "d"])
    >>> table = triadic.vertex_table(graph, ["degree", "clustering"])
    >>> table["degree"]
    array([2, 2, 3, 1])
    >>> print(table)
    VertexTable of 4 vertices
    vertex  degree  clustering
    a            2           1
    b            2           1
    c            3    0.333333
    d            1           0
    """
    single = isinstance(measures, str) or not isinstance(measures, Iterable)
    chosen: list[Any] = [measures] if single else list(measures)
    wrong = next((name for name in chosen if not isinstance(name, str) or name not in _COLUMNS), None)
    if wrong is not None or not chosen:
        raise ArgumentError(
            f"measures={chosen if wrong is None else wrong!r}: expected some of {', '.join(map(repr, _COLUMNS))}"
        )
    graph = as_graph(graph)
    counted = _Counted(graph, {"threads": threads, "device": device, "progress": progress}, chosen)
    columns: Columns = {}
    for name in chosen:
        columns |= _COLUMNS[name](counted)
    return VertexTable(columns, vertex_names(graph.labels, graph.num_vertices))


class _Counted:
    """What several measures of one graph share, counted when first asked for."""

    def __init__(self, graph: Graph, keywords: dict[str, Any], chosen: Sequence[str]) -> None:
        self.graph, self.keywords = graph, keywords
        self.with_graphlets = not {"graphlets", "raw_graphlets"}.isdisjoint(chosen)

    @cached_property
    def graphlets(self) -> GraphletTransform:
        return graphlet_transform(self.graph, **self.keywords)

    @cached_property
    def triangles(self) -> NDArray[np.int64]:
        if self.with_graphlets:
            return np.ascontiguousarray(self.graphlets.raw[:, GRAPHLET_NAMES.index("triangle")])
        return triangles(self.graph, **self.keywords)

    @cached_property
    def degree(self) -> NDArray[np.int64]:
        return self.graph.degree

    @cached_property
    def dyads(self) -> NDArray[np.int64]:
        """Mutual, only-out and only-in neighbours: int64, shape (n, 3)."""
        oriented, threads = self.graph.oriented(), self.keywords["threads"]
        return at_vertices(oriented, run(DYADS, oriented, threads=threads), threads=threads)

    def clustering(self) -> Columns:
        return {"clustering": local_clustering(self.triangles, self.degree, threads=self.keywords["threads"])}

    def directed_clustering(self) -> Columns:
        found = directed_clustering(self.graph, parts=True, **self.keywords)
        parts = {f"directed_clustering {name}": values for name, values in found._asdict().items()}
        return {"directed_clustering": parts.pop("directed_clustering total")} | parts

    def roles(self) -> Columns:
        oriented = self.graph.oriented(threads=self.keywords["threads"])
        by_role = at_vertices(
            oriented, run(CLOSED_ROLES_OF_VERTICES, oriented, **self.keywords), threads=self.keywords["threads"]
        )
        names = (f"role {kind} out {out} in {into} mutual {mutual}" for kind, mutual, out, into in CLOSED_ROLES)
        return _by_column(names, by_role)


def _by_column(names: Any, values: NDArray[Any]) -> Columns:  # noqa: ANN401 - an iterable of str
    return dict(zip(names, np.ascontiguousarray(values.T), strict=True))


_COLUMNS: dict[str, Callable[[_Counted], Columns]] = {
    "degree": lambda of: {"degree": of.degree},
    "in_degree": lambda of: {"in_degree": of.dyads[:, 0] + of.dyads[:, 2]},
    "out_degree": lambda of: {"out_degree": of.dyads[:, 0] + of.dyads[:, 1]},
    "mutual_degree": lambda of: {"mutual_degree": np.ascontiguousarray(of.dyads[:, 0])},
    "triangles": lambda of: {"triangles": of.triangles},
    "clustering": _Counted.clustering,
    "square_clustering": lambda of: {"square_clustering": square_clustering(of.graph, **of.keywords)},
    "directed_clustering": _Counted.directed_clustering,
    "ldbc_clustering": lambda of: {"ldbc_clustering": ldbc_clustering(of.graph, **of.keywords)},
    "weighted_clustering": lambda of: {"weighted_clustering": weighted_clustering(of.graph, **of.keywords)},
    "graphlets": lambda of: _by_column((f"graphlet {name}" for name in GRAPHLET_NAMES), of.graphlets.net),
    "raw_graphlets": lambda of: _by_column((f"raw graphlet {name}" for name in GRAPHLET_NAMES), of.graphlets.raw),
    "triads": lambda of: _by_column(
        (f"triad {name}" for name in TRIAD_NAMES), triad_census_by_vertex(of.graph, **of.keywords)
    ),
    "roles": _Counted.roles,
}
