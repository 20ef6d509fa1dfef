"""Dots on two logarithmic axes, one with a strip for zeros, and the choice of points that do not overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from triadic.plot.canvas import set_message
from triadic.plot.fitting import add_legend
from triadic.plot.network_style import network_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.plot.canvas import Drawn

_DOT = 3.5  # points


def draw_points(
    ax: Axes,
    drawn: Drawn,
    x: AnyArray,
    y: AnyArray,
    *,
    label: str | None,
    zeros: Literal["x", "y"],
    nothing: str,
) -> None:
    """Draw dots on two logarithmic axes.

    Parameters
    ----------
    ax : Axes
    drawn : Drawn
    x, y : array of shape (points,)
    label : str, optional
        Entry of the legend.
    zeros : {"x", "y"}
        The axis whose values may be zero; values on the other axis are positive. The values on the vertical axis are
        shares, and those on the horizontal axis are degrees.
    nothing : str
        Sentence for axes without any point.
    """
    from triadic.plot.axis_ticks import set_log_ticks  # noqa: PLC0415 - imports matplotlib
    from triadic.plot.zero_strip import draw_on_log_axis, widen_log_axis  # noqa: PLC0415 - imports matplotlib

    other = ax.yaxis if zeros == "x" else ax.xaxis
    if not drawn.networks:
        (ax.set_yscale if zeros == "x" else ax.set_xscale)("log")
        set_log_ticks(other)
    style = network_style(ax, drawn.networks, _DOT) | {"linestyle": "none"}
    values, places = (x, y) if zeros == "x" else (y, x)
    draw_on_log_axis(ax, drawn, values.tolist(), places.tolist(), style, axis=zeros, share=zeros == "y", label=label)
    drawn.places += places.tolist()
    widen_log_axis(ax, drawn.places, axis="y" if zeros == "x" else "x", share=zeros == "x")
    drawn.networks += 1
    set_message(ax, drawn, None if drawn.values else nothing)
    add_legend(ax)


MOST_POINTS = 400


def log_spaced(rising: Int64Array, most: int = MOST_POINTS) -> Int64Array:
    """Choose at most `most` of some rising positive values, evenly spaced on a logarithmic axis, with both ends.

    Returns
    -------
    int64 array
        Indices of the chosen values.

    Examples
    --------
    >>> log_spaced(np.arange(1, 100_001), 6)
    array([    0,     9,    99,   999,  9999, 99999])
    """
    positions = np.geomspace(rising[0], rising[-1], most)
    return np.unique(np.searchsorted(rising, positions * (1 - 1e-9)).clip(0, len(rising) - 1))


def log_groups(rising: Int64Array, most: int = MOST_POINTS) -> Int64Array:
    """Split rising positive values into at most `most` groups with about the same ratio of last to first value.

    Returns
    -------
    int64 array
        Index of the first value of each group.

    Examples
    --------
    >>> log_groups(np.array([1, 2, 3, 50, 60, 1000]), 3)
    array([0, 3, 5])
    """
    edges = np.geomspace(rising[0], rising[-1], most + 1)[:-1]
    return np.unique(np.searchsorted(rising, edges * (1 - 1e-9)))
