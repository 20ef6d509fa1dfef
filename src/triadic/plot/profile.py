"""The significance profile."""

from __future__ import annotations

from math import isfinite, nan, sqrt
from typing import TYPE_CHECKING, Any

from triadic.core.triad_types import CLOSED_NAMES, OPEN_NAMES, TRIAD_NAMES
from triadic.errors import ArgumentError
from triadic.measures.significance_result import Significance
from triadic.measures.triad_null import TriadCensus
from triadic.plot.canvas import INK, add_legend, axes_for, say
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES, TRIAD_SHAPES
from triadic.plot.tick_drawings import name_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.convert.recognise import GraphLike
    from triadic.core.progress import ProgressKeyword
    from triadic.plot.shape import Shape

SIZE = (4.6, 3.6)
_DRAWING = (18.0, 15.0)
_CONNECTED = tuple(name for name in TRIAD_NAMES if name in OPEN_NAMES + CLOSED_NAMES)
_SHAPES = {"triads": TRIAD_SHAPES, "graphlets": GRAPHLET_SHAPES}


def significance_profile(
    graph: GraphLike | Significance | TriadCensus,
    *,
    ax: Axes | None = None,
    label: str | None = None,
    samples: int = 100,
    seed: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Draw the z-scores of the thirteen connected triads, scaled to a length of 1, with the triads drawn below.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes, or Significance of triads or graphlets, or TriadCensus
        A graph's is of triads. A census has its z-scores under U|MAN, which are exact and have no error bars.
    ax, label
        As for `degree_distribution`.
    samples, seed, threads, device, progress
        As for `triadic.significance`, which samples where a graph is given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ArgumentError
        Significance of something else.
    MissingExtraError
        matplotlib is not installed.

    Notes
    -----
    An error bar is one standard error to each side, which comes of the finite number of samples s:
    sqrt(1 / s + z² / (2 (s - 1))) for a score z, scaled as the scores are. What cannot vary has no score, and
    is left out of the line.

    References
    ----------
    Milo et al. (2004), Science 303, 1538.

    Examples
    --------
    >>> import triadic
    >>> census = triadic.triad_census(triadic.generate.rmat(6, seed=1, directed=True))
    >>> triadic.plot.significance_profile(census).get_ylabel()
    'normalised z-score'
    """
    keywords = {"samples": samples, "seed": seed, "threads": threads, "device": device, "progress": progress}
    found = graph if isinstance(graph, TriadCensus | Significance) else _sampled(graph, keywords)
    names, shapes = _drawn(found)
    z, errors = _scores(found, names)
    ax, first = axes_for(ax, SIZE)
    if first:
        ax.set_ylabel("normalised z-score")
        ax.set_xlim(-0.6, len(names) - 0.4)
        ax.axhline(0, color=INK, linewidth=0.8)
        ax.grid(visible=False, axis="x")
    length = sqrt(sum(score * score for score in z.values()))
    if not length:
        say(ax, "no count differs from chance")
    else:
        ax.errorbar(
            range(len(names)),
            [z.get(name, nan) / length for name in names],  # the line breaks where there is no score
            yerr=[errors.get(name, nan) / length for name in names] if errors else None,
            label=label,
            linewidth=1.2,
            markersize=4.5,
            capsize=2.5,
            elinewidth=1.0,
        )
    if first:
        name_ticks(ax, names, shapes, axis="x", size=_DRAWING)
    add_legend(ax)
    return ax


def _drawn(found: TriadCensus | Significance) -> tuple[tuple[str, ...], list[Shape]]:
    """Give the names along the axis and their drawings."""
    if isinstance(found, TriadCensus):
        return _CONNECTED, [TRIAD_SHAPES[name] for name in _CONNECTED]
    if found.of not in _SHAPES:
        raise ArgumentError(f"graph: significance of {found.of} has no profile; expected that of triads or graphlets")
    return found.profiled, [_SHAPES[found.of][name] for name in found.profiled]


def _scores(found: TriadCensus | Significance, names: tuple[str, ...]) -> tuple[dict[str, float], dict[str, float]]:
    """Give the z-scores of those that have one, and their standard errors; none where scores are exact."""
    if isinstance(found, TriadCensus):
        exact = found.z_scores()
        return {name: exact[name] for name in names if isfinite(exact[name])}, {}
    z = {name: score for name in names if isfinite(score := found[name].z)}
    count = len(found.samples)
    return z, {name: sqrt(1 / count + score * score / (2 * (count - 1))) for name, score in z.items()}


def _sampled(graph: GraphLike, keywords: dict[str, Any]) -> Significance:
    from triadic.measures.significance import significance  # noqa: PLC0415 - compiles what walks

    return significance(graph, **keywords)
