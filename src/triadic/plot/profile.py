"""Plot of the significance profile."""

from __future__ import annotations

from math import isfinite, nan, sqrt
from typing import TYPE_CHECKING, Any

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.triad_types import CLOSED_NAMES, OPEN_NAMES, TRIAD_NAMES
from triadic.errors import ArgumentError
from triadic.measures.significance_result import Significance
from triadic.measures.triad_null import TriadCensus
from triadic.plot.canvas import INK, add_legend, add_message, axes_for
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES, TRIAD_SHAPES
from triadic.plot.tick_drawings import name_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
    """Plot the z-scores of connected triads or graphlets, scaled to length 1, with these drawn below the axis.

    A directed graph is compared by its thirteen connected triads, an undirected one by its graphlets of three and four
    vertices.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts, or Significance, or TriadCensus
        Network whose triads or graphlets are compared with those of random networks; or the result of
        `triadic.significance` for triads or graphlets; or the result of `triadic.triad_census`, whose z-scores under
        the null model U|MAN are exact and have no error bars.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    label : str, optional
        Name of the network in the legend; by default it has no entry there.
    samples : int, default 100
        Number of random networks that are drawn for a graph, at least 2.
    seed : int, optional
        Seed of the random networks, from 0 to 2**64 - 1; by default a fresh seed is drawn.
    threads : int, optional
        Number of threads that draw and count random networks; by default as many as the process may use.
    device : str, default "auto"
        Device that counts the triads, such as "cpu", "cuda" or "opencl:0"; "auto" chooses one.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called as ``progress(done, total)``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    ArgumentError
        `graph` is a Significance of anything but triads or graphlets.
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.
    UnsupportedError
        The graph is a `TiledGraph`.

    Notes
    -----
    An error bar extends one standard error to each side, sqrt(1 / s + z² / (2 (s - 1))) for a score z from s samples,
    scaled like the scores. Counts that cannot vary have no score, and the line has a gap there.

    References
    ----------
    R. Milo and others, *Superfamilies of evolved and designed networks*, Science 303, 1538-1542, 2004.

    Examples
    --------
    >>> import triadic
    >>> census = triadic.triad_census(triadic.generate.rmat(6, seed=1, directed=True))
    >>> triadic.plot.significance_profile(census).get_ylabel()
    'normalised z-score'
    """
    keywords = {"samples": samples, "seed": seed, "threads": threads, "device": device, "progress": progress}
    found = graph if isinstance(graph, TriadCensus | Significance) else _significance(graph, keywords)
    names, shapes = _names_and_shapes(found)
    z, errors = _scores(found, names)
    ax, first = axes_for(ax, SIZE)
    if first:
        ax.set_ylabel("normalised z-score")
        ax.set_xlim(-0.6, len(names) - 0.4)
        ax.axhline(0, color=INK, linewidth=0.8)
        ax.grid(visible=False, axis="x")
    length = sqrt(sum(score * score for score in z.values()))
    if not length:
        add_message(ax, "no count differs from its expectation")
    else:
        ax.errorbar(
            range(len(names)),
            [z.get(name, nan) / length for name in names],  # the line has a gap at nan
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


def _names_and_shapes(found: TriadCensus | Significance) -> tuple[tuple[str, ...], list[Shape]]:
    """Return the names along the axis and the shapes drawn under them."""
    if isinstance(found, TriadCensus):
        return _CONNECTED, [TRIAD_SHAPES[name] for name in _CONNECTED]
    drawn = [group for group in found.groups if group in _SHAPES]
    if not drawn:
        raise ArgumentError(
            f"graph: significance of {found.title} has no profile; expected that of triads or graphlets"
        )
    names = tuple(name for name in found.groups[drawn[0]] if name in found.profiled)
    return names, [_SHAPES[drawn[0]][name] for name in names]


def _scores(found: TriadCensus | Significance, names: tuple[str, ...]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the defined z-scores and their standard errors; exact scores have no standard errors."""
    if isinstance(found, TriadCensus):
        exact = found.z_scores()
        return {name: exact[name] for name in names if isfinite(exact[name])}, {}
    z = {name: score for name in names if isfinite(score := found[name].z)}
    count = len(found.samples)
    return z, {name: sqrt(1 / count + score * score / (2 * (count - 1))) for name, score in z.items()}


def _significance(graph: GraphLike, keywords: dict[str, Any]) -> Significance:
    from triadic.measures.significance import significance  # noqa: PLC0415 - a ready result needs no sampling

    graph = as_graph(graph, directions="unused")  # `significance` warns
    return significance(graph, of="triads" if graph.directed else "graphlets", **keywords)
