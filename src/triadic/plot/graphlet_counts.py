"""Graphlets in total."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.measures.graphlet_result import GraphletTransform
from triadic.measures.graphlets import graphlet_transform
from triadic.plot.canvas import axes_for
from triadic.plot.dots import draw_dots
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES
from triadic.plot.tick_drawings import name_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.convert.recognise import GraphLike
    from triadic.core.progress import ProgressKeyword

SIZE = (4.4, 3.3)
_DRAWING = (20.0, 17.0)


def graphlet_totals(
    graph: GraphLike | GraphletTransform,
    *,
    ax: Axes | None = None,
    label: str | None = None,
    share: bool = False,
    shift: float = 0.0,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Draw how often each connected graph of three or four vertices is an induced subgraph, with the graphs drawn.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes, or GraphletTransform
        A directed graph is taken as its skeleton. A transform of five graphlets gives two graphs.
    ax, label
        As for `degree_distribution`.
    share : bool, default False
        Draw shares of the connected sets of three, and of four, vertices instead of counts.
    shift
        As for `triad_census`.
    threads, device, progress
        As for `triadic.graphlet_transform`, which counts where a graph is given.

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
    >>> graph = triadic.generate.watts_strogatz(200, 6, 0.1, seed=1)
    >>> [tick.get_text() for tick in triadic.plot.graphlet_totals(graph).get_yticklabels()][:2]
    ['2-path', 'triangle']
    """
    if isinstance(graph, GraphletTransform):
        transform = graph
    else:
        transform = graphlet_transform(graph, threads=threads, device=device, progress=progress)
    totals = {name: count for name, count in transform.totals.items() if name not in ("vertex", "edge")}
    ax, first = axes_for(ax, SIZE)
    draw_dots(ax, list(_shares(totals).values() if share else totals.values()), label=label, shift=shift)
    ax.set_xlabel("share of connected sets of as many vertices" if share else "induced subgraphs")
    if first:
        name_ticks(ax, list(totals), [GRAPHLET_SHAPES[name] for name in totals], axis="y", size=_DRAWING)
    return ax


def _shares(totals: dict[str, int]) -> dict[str, float]:
    def size(name: str) -> int:
        return len(GRAPHLET_SHAPES[name].places)

    of_size = {vertices: sum(count for name, count in totals.items() if size(name) == vertices) for vertices in (3, 4)}
    return {name: count / max(1, of_size[size(name)]) for name, count in totals.items()}
