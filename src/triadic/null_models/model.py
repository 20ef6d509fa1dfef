"""The choice of a null model by its name and by what arcs and weights keep."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

from triadic.core.arguments import check_whole
from triadic.core.memory import check_memory
from triadic.errors import ArgumentError
from triadic.null_models.configuration import Configuration
from triadic.null_models.constrained import ConstrainedSwitching
from triadic.null_models.constraints import Constraints
from triadic.null_models.gnm import Gnm
from triadic.null_models.signed import SignedSwitching
from triadic.null_models.switching import Switching
from triadic.null_models.weights import TOLERANCE, Weighted, edge_weights, has_both_signs

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic.null_models.interface import NullModel

NULLS = ("degrees", "mutual", "gnm", "configuration")
_WALKS = ("degrees", "mutual")
_MOST_STEPS = 1 << 62
_BYTES_AN_EDGE, _BYTES_WITH_STUBS = 60, 120  # of a walk and of its last graph


def check_null(null: object) -> None:
    """Raise an ArgumentError if a null model of this name does not exist."""
    if null not in NULLS:
        raise ArgumentError(f"null={null!r}: expected {', '.join(map(repr, NULLS[:-1]))} or {NULLS[-1]!r}")


def null_model(
    graph: Graph,
    null: str,
    *,
    steps: int | None = None,
    groups: Any = None,  # noqa: ANN401 - see Constraints
    positions: Any = None,  # noqa: ANN401 - see Constraints
    bins: Any = None,  # noqa: ANN401 - see Constraints
    weights: str | None = None,
    tolerance: float | None = None,
) -> NullModel:
    """Return the null model of a graph that has a given name.

    Parameters
    ----------
    graph : Graph
    null : {"degrees", "mutual", "gnm", "configuration"}
        Name of the model; `triadic.randomize` describes it and all other arguments.
    steps : int, optional
        Number of steps of the walk to a sample, for "degrees" and "mutual" alone.
    groups, positions, bins : array_like, optional
        What arcs keep, for "degrees" and "mutual" alone.
    weights : {"keep", "shuffle", "strength"}, optional
        How the weights of the graph are placed in samples.
    tolerance : float, optional
        Of ``weights="strength"``.

    Raises
    ------
    ArgumentError
        `null` is another name, or "mutual" for an undirected graph; `steps` is less than 1; an argument is given for a
        model that does not take it; or another argument does not have an accepted value.

    Warns
    -----
    UserWarning
        All lengths are in one bin.
    """
    check_null(null)
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
    if tolerance is not None and weights != "strength":
        raise ArgumentError(f"tolerance={tolerance!r}: only weights='strength' has a tolerance; expected None")
    constraints = Constraints.of(graph, groups=groups, positions=positions, bins=bins)
    if constraints is not None and null not in _WALKS:
        raise ArgumentError(f"null={null!r}: it keeps no groups= or positions=; expected null='degrees' or 'mutual'")
    if constraints is not None:
        constraints.warn_of_one_bin(graph)
    model = _without_weights(graph, null, constraints, steps, signed=weights == "strength" and has_both_signs(graph))
    if weights is None:
        return model
    return Weighted.of(graph, model, weights, _check_tolerance(tolerance))


def _without_weights(
    graph: Graph, null: str, constraints: Constraints | None, steps: int | None, *, signed: bool
) -> NullModel:
    """Return the model that draws the arcs; if `signed`, it keeps the degrees of each sign where it can."""
    mutual = null == "mutual"
    if constraints is not None:
        return ConstrainedSwitching.of(graph, constraints, mutual=mutual, steps=steps)
    if null not in _WALKS:
        return Gnm.of(graph) if null == "gnm" else Configuration.of(graph)
    if signed:
        return SignedSwitching.of(graph, edge_weights(graph), mutual=mutual, steps=steps)
    return Switching.of(graph, mutual=mutual, steps=steps)


def _check_tolerance(tolerance: object) -> float:
    if tolerance is None:
        return TOLERANCE
    if isinstance(tolerance, bool) or not isinstance(tolerance, Real) or not 0 < float(tolerance) <= 1:
        raise ArgumentError(f"tolerance={tolerance!r}: expected a share above 0 and up to 1")
    return float(tolerance)


def check_room(graph: Graph, concurrent: int, *, constrained: bool = False) -> None:
    """Raise if `concurrent` samples that are drawn at the same time do not fit in memory.

    Raises
    ------
    OutOfMemoryError
    """
    needed = (_BYTES_WITH_STUBS if constrained else _BYTES_AN_EDGE) * graph.num_edges * concurrent
    check_memory(needed, f"drawing {concurrent:,} random graphs at a time", "ask for fewer threads")


def default_null(graph: Graph) -> str:
    """Return the name of the default null model: it keeps degrees, and in a directed graph mutual degrees too."""
    return "mutual" if graph.directed else "degrees"
