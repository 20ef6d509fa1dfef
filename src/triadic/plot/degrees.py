"""Plot of the cumulative degree distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.errors import ArgumentError
from triadic.plot.canvas import axes_for
from triadic.plot.fitting import set_label
from triadic.plot.points import MOST_POINTS, draw_points, log_spaced

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.core.array_types import Int64Array


def degree_distribution(graph: GraphLike | Int64Array, *, ax: Axes | None = None, label: str | None = None) -> Axes:
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
    ArgumentError
        A plot of other values was drawn on the axes before.
    MissingExtraError
        matplotlib is not installed: ``pip install 'triadic[plot]'``.
    UnsupportedError
        The graph is a `GraphBatch`.

    Notes
    -----
    If the network has vertices of degree 0, their dot is in a strip labelled 0 beside the logarithmic axis. If more
    than 400 different degrees occur, at most 400 of them are plotted, evenly spaced on the axis, with the smallest and
    the largest among them.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.barabasi_albert(500, 3, seed=1)
    >>> triadic.plot.degree_distribution(graph).get_xlabel()
    'degree k'
    """
    k, vertices = np.unique(_degrees(graph), return_counts=True)
    at_least = np.cumsum(vertices[::-1])[::-1] / max(1, vertices.sum())
    if len(k) > MOST_POINTS:
        positive = np.flatnonzero(k)
        chosen = np.union1d(np.flatnonzero(k == 0), positive[log_spaced(k[positive])])
        k, at_least = k[chosen], at_least[chosen]
    ax, drawn = axes_for(ax, "a degree distribution")
    draw_points(ax, drawn, k, at_least, label=label, zeros="x", nothing="no vertices")
    set_label(ax.xaxis, "degree k")
    set_label(ax.yaxis, "share of vertices of degree ≥ k")
    return ax


def _degrees(graph: Any) -> Int64Array:  # noqa: ANN401 - any input that `Graph` accepts
    if not isinstance(graph, np.ndarray) or graph.ndim != 1:
        return as_graph(graph, tiled=True, directions="unused").degree
    if graph.dtype.kind not in "iu" or (graph < 0).any():
        raise ArgumentError(f"graph: expected degrees, whole numbers of at least 0, got an array of {graph.dtype}")
    return graph
