"""Dot plot of the triad census."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.triad_types import TRIAD_NAMES
from triadic.measures import triads as measures
from triadic.measures.census import Census
from triadic.plot.canvas import axes_for
from triadic.plot.dots import draw_dots
from triadic.plot.subgraph_shapes import TRIAD_SHAPES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
        The axes that were drawn on. The axis of counts is logarithmic; counts of 0 are in a strip beside it, which is
        labelled 0.

    Raises
    ------
    ArgumentError
        A plot of other values was drawn on the axes before.
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.
    UnsupportedError
        The graph is a `GraphBatch`.

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
        network = as_graph(graph, tiled=True, directions="unused")  # the measure warns
        census = measures.triad_census(network, threads=threads, device=device, progress=progress)
    ax, drawn = axes_for(ax, "shares of triads" if share else "numbers of triads", SIZE)
    total = max(1, sum(census.values()))
    draw_dots(
        ax,
        drawn,
        [census[name] / total if share else census[name] for name in TRIAD_NAMES],
        TRIAD_NAMES,
        [TRIAD_SHAPES[name] for name in TRIAD_NAMES],
        size=_DRAWING,
        unit="share of triads" if share else "number of triads",
        share=share,
        label=label,
        shift=shift,
    )
    return ax
