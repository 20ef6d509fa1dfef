"""What a null model is, and which there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from triadic.core.memory import check_memory
from triadic.errors import ArgumentError
from triadic.generate.arguments import check_whole
from triadic.null_models.configuration import Configuration
from triadic.null_models.gnm import Gnm
from triadic.null_models.switching import Switching

if TYPE_CHECKING:
    from triadic.graph.graph import Graph

NULLS = ("degrees", "mutual", "gnm", "configuration")
_WALKS = ("degrees", "mutual")
_MOST_STEPS = 1 << 62
_BYTES_AN_EDGE = 60  # of a walk and the graph that it ends at


class NullModel(Protocol):
    """A distribution over simple graphs on the vertices of a given one."""

    @property
    def steps(self) -> int | None:
        """Steps that lead to a sample; None where samples are drawn at once."""

    def draw(self, key: int) -> tuple[Graph, bool]:
        """Draw the sample that belongs to a key, and say whether anything was moved for it."""

    def admits_change(self, key: int) -> bool:
        """Whether there is more than one graph to draw, as far as an honest attempt tells."""


def null_model(graph: Graph, null: str, *, steps: int | None = None) -> NullModel:
    """Make a null model of a graph.

    Parameters
    ----------
    graph : Graph
    null : {"degrees", "mutual", "gnm", "configuration"}
        As for `triadic.randomize`.
    steps : int, optional
        Of the walk that leads to a sample, for the first two.

    Raises
    ------
    ArgumentError
        Another null; mutual degrees of an undirected graph; steps of a null that has none, or fewer than 1.
    """
    if null not in NULLS:
        raise ArgumentError(f"null={null!r}: expected {', '.join(map(repr, NULLS[:-1]))} or {NULLS[-1]!r}")
    if null == "mutual" and not graph.directed:
        raise ArgumentError("null='mutual': the graph is undirected, all its edges are; expected null='degrees'")
    if steps is not None and null not in _WALKS:
        raise ArgumentError(f"steps={steps!r}: samples of null={null!r} are drawn at once; expected None")
    if steps is not None:
        steps = check_whole("steps", steps, 1, _MOST_STEPS)
    if null in _WALKS:
        return Switching.of(graph, mutual=null == "mutual", steps=steps)
    return Gnm.of(graph) if null == "gnm" else Configuration.of(graph)


def check_room(graph: Graph, at_once: int) -> None:
    """Refuse to draw so many samples side by side that they cannot fit in memory.

    Raises
    ------
    OutOfMemoryError
    """
    needed = _BYTES_AN_EDGE * graph.num_edges * at_once
    check_memory(needed, f"drawing {at_once:,} random graphs at a time", "ask for fewer threads")


def default_null(graph: Graph) -> str:
    """Give the null that keeps degrees, and of a directed graph mutual ones too."""
    return "mutual" if graph.directed else "degrees"
