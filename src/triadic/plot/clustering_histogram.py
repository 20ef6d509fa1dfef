"""Histogram of the local clustering coefficients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.checked import check_whole
from triadic.errors import ArgumentError
from triadic.measures import clustering as measures
from triadic.plot.canvas import axes_for, set_message
from triadic.plot.network_style import network_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.core.array_types import Float64Array
    from triadic.core.progress import ProgressKeyword

_MOST_BINS = 1_000_000
_HEADROOM = 1.05  # height of the axes as a share of the highest bin


def local_clustering(
    graph: GraphLike | Float64Array,
    *,
    ax: Axes | None = None,
    label: str | None = None,
    bins: int = 25,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Axes:
    """Plot a histogram of the local clustering coefficients of the vertices of degree 2 or more.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts, or float array of shape (n,)
        Network to compute the coefficients of, or an array of the coefficients to plot.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    label : str, optional
        Name of the network in the legend; by default it has no entry there.
    bins : int, default 25
        Number of bins of equal width from 0 to 1; the last bin includes 1.
    threads : int, optional
        Number of threads that count the triangles; by default as many as the process may use.
    device : str, default "auto"
        Device that counts the triangles of a graph, such as "cpu", "cuda" or "opencl:0"; "auto" chooses one.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called as ``progress(done, total)``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

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
    The coefficients cost what `triadic.clustering` costs; an array is plotted without counting.

    References
    ----------
    D. J. Watts and S. H. Strogatz, *Collective dynamics of 'small-world' networks*, Nature 393, 440-442, 1998.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(500, 6, 0.1, seed=1)
    >>> triadic.plot.local_clustering(graph).get_xlabel()
    'local clustering coefficient'
    """
    from triadic.plot.artists import add_legend  # noqa: PLC0415 - imports matplotlib

    check_whole("bins", bins, 1, _MOST_BINS)
    coefficient = _coefficients(graph, {"threads": threads, "device": device, "progress": progress})
    ax, drawn = axes_for(ax, "local clustering coefficients")
    # A coefficient at the edge of a bin, such as 1/5, must not fall into the bin below by rounding.
    count, edges = np.histogram(np.minimum(coefficient + 1e-9, 1.0), bins, (0.0, 1.0))
    share = count / max(1, len(coefficient))
    x, y = (edges, np.array([*share, share[-1]])) if len(coefficient) else (np.empty(0), np.empty(0))
    if not drawn.networks:
        ax.set(xlabel="local clustering coefficient", ylabel="share of vertices\nof degree ≥ 2")
    style = network_style(ax, drawn.networks, 4.0) | {"marker": "none", "linewidth": 1.3}
    (line,) = ax.plot(x, y, drawstyle="steps-post", **style, label=label)
    # The area under one histogram is filled; the areas of several would hide one another.
    if drawn.area is not None:
        drawn.area.remove()
        drawn.area = None
    if not drawn.networks:
        drawn.area = ax.fill_between(x, y, step="post", color=line.get_color(), alpha=0.15, linewidth=0)
    drawn.networks += 1
    drawn.values += y.tolist()
    set_message(ax, drawn, None if drawn.values else "no vertex of\ndegree 2 or more")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, _HEADROOM * max(drawn.values, default=1.0))
    add_legend(ax)
    return ax


def _coefficients(graph: Any, keywords: dict[str, Any]) -> Float64Array:  # noqa: ANN401 - any input that `Graph` accepts
    if isinstance(graph, np.ndarray) and graph.ndim == 1:
        if graph.dtype.kind not in "iuf" or not ((graph >= 0) & (graph <= 1)).all():
            raise ArgumentError(f"graph: expected coefficients from 0 to 1, got an array of {graph.dtype}")
        return graph
    network = as_graph(graph, tiled=True)
    return measures.clustering(network, **keywords)[network.degree > 1]
