"""The interface of a null model, and of the walk that draws its samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph


class NullModel(Protocol):
    """A distribution over simple graphs on the vertices of a given graph."""

    @property
    def steps(self) -> int | None:
        """Number of steps of the walk to a sample; None if samples are drawn directly."""

    def draw(self, key: int) -> tuple[Graph, bool]:
        """Return the sample of a key, and whether any edge was moved to make it."""

    def admits_change(self, key: int) -> bool:
        """Return whether the model is known to have more than one graph, by trial if need be."""


class Walk(Protocol):
    """A random walk over graphs that begins at a given graph."""

    def go(self, steps: int) -> int:
        """Make `steps` steps more and return the number of accepted proposals."""

    def edges(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the ends of each arc, or of each edge once, each at the place of the arc that became it."""

    def graph(self) -> Graph:
        """Return the current graph."""


@runtime_checkable
class WalkModel(NullModel, Protocol):
    """A null model whose samples are the ends of walks."""

    def walk(self, key: int) -> Walk:
        """Return a walk that begins at the original graph; its key determines all its draws."""
