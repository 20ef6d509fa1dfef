"""Plot of the cumulative degree distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.plot.canvas import add_legend, add_message, axes_for
from triadic.plot.log_spacing import MOST_POINTS, log_spaced
from triadic.plot.ticks import label_log_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray


def degree_distribution(
    graph: GraphLike | NDArray[np.int64], *, ax: Axes | None = None, label: str | None = None
) -> Axes:
    """Plot the share of vertices of degree k or more against k, on logarithmic axes.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts, or int array of shape (n,)
        Network, or an array of its degrees. The degree in a directed graph is the number of different neighbours.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new pyplot figure.
    label : str, optional
        Name of the network in the legend; by default it has no entry there.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.

    Notes
    -----
    Isolated vertices have no place on a logarithmic axis, but they count in the shares. If more than 400 different
    degrees occur, at most 400 of them are plotted, evenly spaced on the axis, with the smallest and the largest among
    them.

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
        add_message(ax, "no edges")
        return ax
    k = k[log_spaced(k)] if len(k) > MOST_POINTS else k
    ax.plot(k, at_least[k], linestyle="none", markersize=3.5, markeredgewidth=0, label=label)
    ax.set(xscale="log", yscale="log")
    label_log_axis(ax.xaxis)
    label_log_axis(ax.yaxis)
    add_legend(ax)
    return ax


def _degrees(graph: Any) -> NDArray[np.int64]:  # noqa: ANN401 - any input that `Graph` accepts
    return (
        graph
        if isinstance(graph, np.ndarray) and graph.ndim == 1
        else as_graph(graph, tiled=True, directions="unused").degree
    )
