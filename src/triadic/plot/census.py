"""The triad census."""

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
    """Draw how many triads there are of each of the sixteen types, with the triads drawn beside the axis.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes, or Census of the 16 types
    ax, label
        As for `degree_distribution`.
    share : bool, default False
        Draw shares of all triads instead of counts, for networks of different sizes.
    shift : float, default 0
        How far below its tick a dot lies, in ticks, so that several networks' dots stand beside one another.
    threads, device, progress
        As for `triadic.triad_census`, which counts where a graph is given.

    Returns
    -------
    matplotlib Axes
        Logarithmic from the smallest power of ten that is needed, and linear from there to 0.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.

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
