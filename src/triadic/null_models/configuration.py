"""The configuration model: stubs matched at random, loops and repeats erased."""

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

    Each vertex has as many stubs as its degree (of arcs: out-stubs and in-stubs), all stubs are matched at random, and
    loops and repeats are left out. So degrees are kept on average nearly, and never passed; how much is lost stands in
    `Graph.dropped`.

    References
    ----------
    Bollobás (1980), European Journal of Combinatorics 1, 311; erased: Britton, Deijfen and Martin-Löf (2006), Journal
    of Statistical Physics 124, 1377.
    """

    source: NDArray[np.integer[Any]]
    target: NDArray[np.integer[Any]]
    vertices: int
    directed: bool
    labels: NDArray[Any] | None = None

    @classmethod
    def of(cls, graph: Graph) -> Configuration:
        """Take over the stubs of a graph."""
        source, target = graph.edges()
        return cls(source, target, graph.num_vertices, graph.directed, graph.labels)

    @property
    def steps(self) -> None:
        """None: samples are drawn at once."""

    def draw(self, key: int) -> tuple[Graph, bool]:
        """Draw the sample that belongs to a key."""
        if self.directed:
            source, target = self.source, np.array(self.target)
            shuffle(np.uint64(key), target)
        else:
            stubs = np.concatenate([self.source, self.target])
            shuffle(np.uint64(key), stubs)
            source, target = stubs[0::2].copy(), stubs[1::2].copy()
        arcs = Arcs(source, target, self.vertices, self.directed, labels=self.labels)
        return Graph.from_arcs(arcs, threads=1), self.admits_change(key)

    def admits_change(self, key: int) -> bool:  # noqa: ARG002 - it takes no attempt
        """Whether there are stubs that can be matched otherwise."""
        return len(self.source) > 1
