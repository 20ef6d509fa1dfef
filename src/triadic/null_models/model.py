"""The interface of a null model, and the choice of one by its name."""

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
_BYTES_AN_EDGE = 60  # of a walk and of its last graph


class NullModel(Protocol):
    """A distribution over simple graphs on the vertices of a given graph."""

    @property
    def steps(self) -> int | None:
        """Number of steps of the walk to a sample; None if samples are drawn directly."""

    def draw(self, key: int) -> tuple[Graph, bool]:
        """Return the sample of a key, and whether any edge was moved to make it."""

    def admits_change(self, key: int) -> bool:
        """Return whether the model is known to have more than one graph, by trial if need be."""


def null_model(graph: Graph, null: str, *, steps: int | None = None) -> NullModel:
    """Return the null model of a graph that has a given name.

    Parameters
    ----------
    graph : Graph
    null : {"degrees", "mutual", "gnm", "configuration"}
        Name of the model; `triadic.randomize` describes them.
    steps : int, optional
        Number of steps of the walk to a sample, for "degrees" and "mutual" alone.

    Raises
    ------
    ArgumentError
        `null` is another name, or "mutual" for an undirected graph; `steps` is less than 1, or given for a model
        without walks.
    """
    if null not in NULLS:
        raise ArgumentError(f"null={null!r}: expected {', '.join(map(repr, NULLS[:-1]))} or {NULLS[-1]!r}")
    if null == "mutual" and not graph.directed:
        raise ArgumentError(
            "null='mutual': the graph is undirected, so all its edges are mutual; expected null='degrees'"
        )
    if steps is not None and null not in _WALKS:
        raise ArgumentError(
            f"steps={steps!r}: samples of null={null!r} are drawn directly, not by a walk; expected None"
        )
    if steps is not None:
        steps = check_whole("steps", steps, 1, _MOST_STEPS)
    if null in _WALKS:
        return Switching.of(graph, mutual=null == "mutual", steps=steps)
    return Gnm.of(graph) if null == "gnm" else Configuration.of(graph)


def check_room(graph: Graph, concurrent: int) -> None:
    """Raise if `concurrent` samples that are drawn at the same time do not fit in memory.

    Raises
    ------
    OutOfMemoryError
    """
    needed = _BYTES_AN_EDGE * graph.num_edges * concurrent
    check_memory(needed, f"drawing {concurrent:,} random graphs at a time", "ask for fewer threads")


def default_null(graph: Graph) -> str:
    """Return the name of the default null model: it keeps degrees, and in a directed graph mutual degrees too."""
    return "mutual" if graph.directed else "degrees"
