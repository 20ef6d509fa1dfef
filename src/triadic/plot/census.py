"""Dot plot of the triad census."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core.triad_types import TRIAD_NAMES
from triadic.measures import triads as measures
from triadic.measures.census import Census
from triadic.plot.canvas import axes_for
from triadic.plot.dots import draw_dots
from triadic.plot.subgraph_shapes import TRIAD_SHAPES
from triadic.plot.tick_drawings import name_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.convert.recognise import GraphLike
    from triadic.core.progress import ProgressKeyword

SIZE = (4.4, 5.7)
_DRAWING = (21.0, 17.0)


def triad_census(
    graph: GraphLike | Census,
    *,
    ax: Axes | None = None,
    label: str | None = None,
    share: bool = False,
    shift: float = 0.0,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Plot the number of triads of each of the sixteen types, with the triads drawn beside the axis.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts, or Census
        Network to count the triads of, or the counts that `triadic.triad_census` returned.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    label : str, optional
        Name of the network in the legend; by default it has no entry there.
    share : bool, default False
        Plot shares of all triads instead of counts, to compare networks of different sizes.
    shift : float, default 0.0
        Distance of the dots below their ticks, as a share of the distance between ticks, so that the dots of several
        networks do not overlap.
    threads : int, optional
        Number of threads that count the triads; by default as many as the process may use.
    device : str, default "auto"
        Device that counts the triads of a graph, such as "cpu", "cuda" or "opencl:0"; "auto" chooses one.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called as ``progress(done, total)``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on. The axis of counts is logarithmic, but linear between 0 and the power of ten at
        or below the smallest positive count, so that 0 can be shown.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.

    Notes
    -----
    The counts cost what `triadic.triad_census` costs; a Census is plotted without counting.

    References
    ----------
    P. W. Holland and S. Leinhardt, *A method for detecting structure in sociometric data*, American Journal of
    Sociology 76, 492-513, 1970, for the types of triads.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.rmat(6, seed=1, directed=True)
    >>> [tick.get_text() for tick in triadic.plot.triad_census(graph).get_yticklabels()][-1]
    '300'
    """
    if isinstance(graph, Census):
        census = graph
    else:
        census = measures.triad_census(graph, threads=threads, device=device, progress=progress)
    ax, first = axes_for(ax, SIZE)
    total = max(1, sum(census.values())) if share else 1
    draw_dots(ax, [census[name] / total for name in TRIAD_NAMES], label=label, shift=shift)
    ax.set_xlabel("share of triads" if share else "triads")
    if first:
        name_ticks(ax, TRIAD_NAMES, [TRIAD_SHAPES[name] for name in TRIAD_NAMES], axis="y", size=_DRAWING)
    return ax
