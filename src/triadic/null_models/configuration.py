"""The erased configuration model: stubs matched at random, without the loops and repeats that result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Arcs
from triadic.graph.graph import Graph
from triadic.null_models.switching_kernels import shuffle

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Configuration:
    """The erased configuration model with the degrees of a graph.

    Each vertex has as many stubs as its degree, and out-stubs and in-stubs in a directed graph. All stubs are matched
    at random, and loops and repeats are erased. No degree grows, and few shrink; `Graph.dropped` counts the erased
    edges.

    References
    ----------
    B. Bollobás, *A probabilistic proof of an asymptotic formula for the number of labelled regular graphs*, European
    Journal of Combinatorics 1, 311-316, 1980.
    T. Britton, M. Deijfen and A. Martin-Löf, *Generating simple random graphs with prescribed degree distribution*,
    Journal of Statistical Physics 124, 1377-1397, 2006, for the erased model.
    """

    source: NDArray[np.integer[Any]]
    target: NDArray[np.integer[Any]]
    vertices: int
    directed: bool
    labels: NDArray[Any] | None = None

    @classmethod
    def of(cls, graph: Graph) -> Configuration:
        """Return the model with the stubs of a graph."""
        source, target = graph.edges()
        return cls(source, target, graph.num_vertices, graph.directed, graph.labels)

    @property
    def steps(self) -> None:
        """None, because a sample is drawn directly, without a walk."""

    def draw(self, key: int) -> tuple[Graph, bool]:
        """Return the sample of a key, and whether it can differ from the graph."""
        if self.directed:
            source, target = self.source, np.array(self.target)
            shuffle(np.uint64(key), target)
        else:
            stubs = np.concatenate([self.source, self.target])
            shuffle(np.uint64(key), stubs)
            source, target = stubs[0::2].copy(), stubs[1::2].copy()
        arcs = Arcs(source, target, self.vertices, self.directed, labels=self.labels)
        return Graph.from_arcs(arcs, threads=1), self.admits_change(key)

    def admits_change(self, key: int) -> bool:  # noqa: ARG002 - of the interface; the number of stubs decides
        """Return whether there are at least two edges, whose stubs can be matched in another way."""
        return len(self.source) > 1
