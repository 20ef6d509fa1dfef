"""Dot plots of counts that may be zero or differ by many orders of magnitude."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.plot.canvas import guide_of
from triadic.plot.fitting import add_legend, length_of, set_label
from triadic.plot.network_style import network_style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from triadic.plot.canvas import Drawn
    from triadic.plot.shape import Shape

_LARGEST, _SMALLEST = 5.0, 2.6  # points
_SHARE = 0.55  # diameter of a dot as a share of the distance between ticks


def draw_dots(
    ax: Axes,
    drawn: Drawn,
    values: Sequence[float],
    names: Sequence[str],
    shapes: Sequence[Shape],
    *,
    size: tuple[float, float],
    unit: str,
    share: bool,
    label: str | None,
    shift: float,
) -> None:
    """Draw a dot for each value, from top to bottom, on a logarithmic axis with a strip for zeros.

    Parameters
    ----------
    ax : Axes
    drawn : Drawn
    values : sequence of float
    names : sequence of str
        Names of the values.
    shapes : sequence of Shape
        Drawings beside the names.
    size : tuple of float
        Width and height of a drawing, in points.
    unit : str
        Label of the axis of values.
    share : bool
        Whether the values are shares.
    label : str, optional
        Entry of the legend.
    shift : float
        Distance of the dots below their ticks, as a share of the distance between ticks.
    """
    from triadic.plot.tick_names import name_ticks  # noqa: PLC0415 - imports matplotlib
    from triadic.plot.zero_strip import draw_on_log_axis  # noqa: PLC0415 - imports matplotlib

    values = [float(value) for value in values]  # matplotlib does not accept integers of 2**63 or more
    if not drawn.networks:
        ax.set_ylim(len(values) - 0.4, -0.6)
        name_ticks(ax, names, shapes, axis="y", size=size)
        ax.grid(visible=True, axis="y", color=guide_of(ax), linewidth=0.6, linestyle="-")
    room = length_of(ax.yaxis) / max(1, len(values))
    style = network_style(ax, drawn.networks, max(_SMALLEST, min(_LARGEST, _SHARE * room))) | {"linestyle": "none"}
    places = [place + shift for place in range(len(values))]
    draw_on_log_axis(ax, drawn, values, places, style, axis="x", share=share, label=label)
    set_label(ax.xaxis, unit)
    drawn.networks += 1
    add_legend(ax)
