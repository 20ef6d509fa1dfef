"""The degree distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.plot.canvas import add_legend, axes_for, say
from triadic.plot.log_spacing import MOST_POINTS, spread
from triadic.plot.ticks import label_log_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray


def degree_distribution(
    graph: GraphLike | NDArray[np.int64], *, ax: Axes | None = None, label: str | None = None
) -> Axes:
    """Draw which share of the vertices has at least k neighbours, for each k that occurs, on logarithmic axes.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes, or int array of shape (n,)
        A directed graph is taken as its skeleton; an array holds the degrees.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    label : str, optional
        What the legend calls the network.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.

    Notes
    -----
    The share goes down from that of the vertices of degree 1 or more; isolated vertices have no place on the axis, but
    count in the share. Of more than 400 degrees 400 are drawn, evenly spread on the axis, the first and the last
    among them.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.barabasi_albert(500, 3, seed=1)
    >>> triadic.plot.degree_distribution(graph).get_xlabel()
    'degree k'
    """
    degree = _degrees(graph)
    ax, _ = axes_for(ax)
    ax.set(xlabel="degree k", ylabel="share of vertices of degree ≥ k")
    vertices = np.bincount(degree)
    at_least = np.cumsum(vertices[::-1])[::-1] / max(1, len(degree))
    k = np.flatnonzero(vertices)
    k = k[k > 0]
    if not len(k):
        say(ax, "no edges")
        return ax
    k = k[spread(k)] if len(k) > MOST_POINTS else k
    ax.plot(k, at_least[k], linestyle="none", markersize=3.5, markeredgewidth=0, label=label)
    ax.set(xscale="log", yscale="log")
    label_log_axis(ax.xaxis)
    label_log_axis(ax.yaxis)
    add_legend(ax)
    return ax


def _degrees(graph: Any) -> NDArray[np.int64]:  # noqa: ANN401 - what `Graph` takes
    return graph if isinstance(graph, np.ndarray) and graph.ndim == 1 else as_graph(graph).degree
