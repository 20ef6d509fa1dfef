"""The model G(n, m): all simple graphs with the numbers of vertices and edges of a given graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triadic.core.arcs import Arcs
from triadic.generate.arc_draws import ErdosRenyi
from triadic.generate.model import make_arcs
from triadic.graph.graph import Graph

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Gnm:
    """The model G(n, m) with the numbers of vertices and of edges (or arcs) of a graph; all graphs are equally likely.

    References
    ----------
    P. Erdős and A. Rényi, *On random graphs I*, Publicationes Mathematicae 6, 290-297, 1959.
    """

    vertices: int
    edges: int
    directed: bool
    labels: NDArray[Any] | None = None

    @classmethod
    def of(cls, graph: Graph) -> Gnm:
        """Return the model with the numbers of vertices and edges of a graph."""
        edges = graph.num_arcs if graph.directed else graph.num_edges
        return cls(graph.num_vertices, edges, graph.directed, graph.labels)

    @property
    def steps(self) -> None:
        """None, because a sample is drawn directly, without a walk."""

    def draw(self, key: int) -> tuple[Graph, bool]:
        """Return the sample of a key, and whether it can differ from the graph."""
        model = ErdosRenyi(self.vertices, self.edges, seed=key, directed=self.directed)
        arcs = make_arcs(model, threads=1)
        labelled = Arcs(arcs.source, arcs.target, self.vertices, self.directed, labels=self.labels)
        return Graph.from_arcs(labelled, threads=1), self.admits_change(key)

    def admits_change(self, key: int) -> bool:  # noqa: ARG002 - of the interface; the numbers decide
        """Return whether the graph has an edge and lacks one, so that there are other graphs of its size."""
        ordered = self.vertices * (self.vertices - 1)
        return 0 < self.edges < (ordered if self.directed else ordered // 2)
