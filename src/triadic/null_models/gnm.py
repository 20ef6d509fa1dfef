"""G(n, m): all simple graphs with as many vertices and edges as a given one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triadic.core.arcs import Arcs
from triadic.generate.model import make_arcs
from triadic.generate.uniform_edges import ErdosRenyi
from triadic.graph.graph import Graph

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Gnm:
    """G(n, m) with the vertices and edges (or arcs) of a graph, each equally likely.

    References
    ----------
    Erdős and Rényi (1959), Publicationes Mathematicae 6, 290.
    """

    vertices: int
    edges: int
    directed: bool
    labels: NDArray[Any] | None = None

    @classmethod
    def of(cls, graph: Graph) -> Gnm:
        """Take over what is kept of a graph."""
        edges = graph.num_arcs if graph.directed else graph.num_edges
        return cls(graph.num_vertices, edges, graph.directed, graph.labels)

    @property
    def steps(self) -> None:
        """None: samples are drawn at once."""

    def draw(self, key: int) -> tuple[Graph, bool]:
        """Draw the sample that belongs to a key."""
        model = ErdosRenyi(self.vertices, self.edges, seed=key, directed=self.directed)
        arcs = make_arcs(model, threads=1)
        drawn = Arcs(arcs.source, arcs.target, self.vertices, self.directed, labels=self.labels)
        return Graph.from_arcs(drawn, threads=1), self.admits_change(key)

    def admits_change(self, key: int) -> bool:  # noqa: ARG002 - it takes no attempt
        """Whether some pairs are joined, and some not."""
        ordered = self.vertices * (self.vertices - 1)
        return 0 < self.edges < (ordered if self.directed else ordered // 2)
