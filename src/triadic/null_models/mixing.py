"""Whether a walk has forgotten the graph that it began at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.memory import check_memory
from triadic.core.progress import reporting
from triadic.errors import ArgumentError
from triadic.generate.arguments import check_seed
from triadic.generate.draws import derive_keys
from triadic.null_models.model import null_model
from triadic.null_models.switching import Switching

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword

_POINTS = 10  # looks at a walk within the steps of a sample
_LENGTHS = 3  # of a sample, that the whole walk is long
_FORGOTTEN = 0.02  # of what sets a sample apart from the graph, that may be missing at its end


@dataclass(frozen=True, slots=True, eq=False)
class Mixing:
    """How fast a walk forgets the graph that it began at.

    Attributes
    ----------
    steps : int
        That lead to a sample.
    taken : float
        Share of the proposals that were taken.
    at : int64 array, shape (30,)
        Steps at which the walk was looked at: ten times within a sample's, and on for as long twice more.
    changed : float64 array, shape (30,)
        Share of the graph's edges that are gone at each.
    autocorrelation : float64 array, shape (10,)
        Of edges, over 1/10 to 10/10 of a sample's steps, once the walk is as long as a sample: the share of edges that
        are still there, 0 for what unrelated samples share, 1 for all.
    """

    steps: int
    taken: float
    at: NDArray[np.int64]
    changed: NDArray[np.float64]
    autocorrelation: NDArray[np.float64]

    @property
    def mixed(self) -> bool:
        """Whether by the end of a sample's steps 98% of the edges have changed that ever do."""
        return bool(self.taken > 0 and self.changed[_POINTS - 1] >= (1 - _FORGOTTEN) * self.changed[_POINTS:].mean())


def mixing(
    graph: GraphLike,
    *,
    null: str = "degrees",
    steps: int | None = None,
    seed: int | None = None,
    progress: ProgressKeyword = False,
) -> Mixing:
    """Follow a walk three times as long as a sample's, and see how fast it forgets the graph.

    Parameters
    ----------
    graph, null, steps, seed, progress
        As for `triadic.randomize`; "degrees" or "mutual", which are walks.

    Returns
    -------
    Mixing

    Raises
    ------
    ArgumentError
        A null that is no walk; a graph without edges.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(1000, 6, 0.0, seed=1)
    >>> mixing(graph, seed=1).mixed, mixing(graph, steps=1000, seed=1).mixed
    (True, False)
    """
    graph = as_graph(graph)
    model = null_model(graph, null, steps=steps)
    if not isinstance(model, Switching):
        raise ArgumentError(f"null={null!r}: samples are drawn at once; expected a walk, 'degrees' or 'mutual'")
    if graph.num_arcs == 0:
        raise ArgumentError("graph: expected one with edges, it has none")
    check_memory(8 * _LENGTHS * _POINTS * graph.num_arcs, f"looking at {graph.num_arcs:,} arcs so often")
    walk = model.walk(int(derive_keys(check_seed(seed), 1)[0]))
    at = np.linspace(0, _LENGTHS * model.steps, _LENGTHS * _POINTS + 1).astype(np.int64)
    states, taken = [_edge_keys(walk.edges(), graph.directed)], 0
    with reporting(progress, "following a walk") as report:
        for i, length in enumerate(np.diff(at).tolist()):
            taken += walk.go(length)
            states.append(_edge_keys(walk.edges(), graph.directed))
            if report is not None:
                report(i + 1, len(at) - 1)
    changed = np.array([1 - _shared(states[0], state) for state in states[1:]])
    late = states[_POINTS:]
    kept = np.array(
        [np.mean([_shared(a, b) for a, b in zip(late, late[lag:], strict=False)]) for lag in range(1, len(late))]
    )
    # What unrelated samples share by chance: those further apart than a sample's steps.
    by_chance = kept[_POINTS:].mean()
    autocorrelation = (kept[:_POINTS] - by_chance) / (1 - by_chance) if by_chance < 1 else np.ones(_POINTS)
    return Mixing(model.steps, taken / int(at[-1]), at[1:], changed, autocorrelation)


def _edge_keys(edges: tuple[NDArray[np.int32], NDArray[np.int32]], directed: bool) -> NDArray[np.int64]:
    """Give a number an edge, the same from whichever end it is written, sorted."""
    source, target = edges if directed else (np.minimum(*edges), np.maximum(*edges))
    return np.sort((source.astype(np.int64) << 32) | target)


def _shared(a: NDArray[np.int64], b: NDArray[np.int64]) -> float:
    """Give the share of edges of one state that the other has too; both are sorted."""
    place = np.minimum(np.searchsorted(b, a), len(b) - 1)
    return float(np.mean(b[place] == a))
