"""A strip beside a logarithmic axis for values of zero, which have no place on the axis itself.

Only functions that draw import this module, because it imports matplotlib.
"""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, Any, Literal

from matplotlib.artist import Artist
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from triadic.plot.axis_ticks import LogLocator, set_log_ticks, tick_font_size, tick_length
from triadic.plot.canvas import ink_of
from triadic.plot.fitting import length_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase

    from triadic.plot.canvas import Drawn

_WIDTH = 16.0  # points
_MOST = 0.25  # largest share of the axis
_MARGIN = 0.06  # share of the logarithmic part of the axis that is empty at either end
_LEAST_DECADES = 0.6
_STROKE = (1.3, 3.0)  # points from the middle to the end of a stroke that marks the break


def draw_on_log_axis(
    ax: Axes,
    drawn: Drawn,
    values: Sequence[float],
    places: Sequence[float],
    style: dict[str, Any],
    *,
    axis: Literal["x", "y"],
    label: str | None,
) -> None:
    """Draw a dot for each value at its place on the other axis; zeros are drawn in a strip labelled 0.

    Parameters
    ----------
    ax : Axes
    drawn : Drawn
        The values of networks drawn before determine the limits of the axis, too.
    values : sequence of float
        At least 0, on a logarithmic axis.
    places : sequence of float
        Positions on the other axis.
    style : dict
        Keywords of matplotlib's lines.
    axis : {"x", "y"}
        The logarithmic axis.
    label : str or None
        Entry of the legend.
    """
    horizontal = axis == "x"
    scaled = ax.xaxis if horizontal else ax.yaxis
    if not isinstance(scaled.get_major_locator(), LogLocator):
        (ax.set_xscale if horizontal else ax.set_yscale)("log", nonpositive="mask")
        set_log_ticks(scaled)
    had_zeros = 0.0 in drawn.values
    drawn.values += values
    ax.plot(*((values, places) if horizontal else (places, values)), **style, label=label, zorder=3)
    if 0.0 not in drawn.values:
        return
    strip = min(_MOST, _WIDTH / max(1.0, length_of(scaled)))
    _set_limits(ax, drawn.values, strip, axis)
    if not had_zeros:
        _break_axis(ax, strip, axis)
    zeros = [place for value, place in zip(values, places, strict=True) if not value]
    middle = [strip / 2] * len(zeros)
    across = ax.get_yaxis_transform() if horizontal else ax.get_xaxis_transform()
    line = (middle, zeros) if horizontal else (zeros, middle)
    ax.plot(*line, transform=across, **style, zorder=3, clip_on=False)


def _set_limits(ax: Axes, values: Sequence[float], strip: float, axis: str) -> None:
    """Set the limits of the axis, such that its lowest part is empty for the strip."""
    positive = [value for value in values if value]
    low, high = log10(min(positive, default=1.0)), log10(max(positive, default=10.0))
    missing = max(0.0, _LEAST_DECADES - (high - low))
    margin = _MARGIN * (high - low) + missing / 2
    low, high = low - margin, high + margin
    bottom = high - (high - low) / (1 - strip)
    horizontal = axis == "x"
    (ax.set_xlim if horizontal else ax.set_ylim)(10.0**bottom, 10.0**high)
    ax.spines["bottom" if horizontal else "left"].set_bounds(10.0**low, 10.0**high)
    scaled = ax.xaxis if horizontal else ax.yaxis
    for locator in (scaled.get_major_locator(), scaled.get_minor_locator()):
        if isinstance(locator, LogLocator):
            locator.least = 10.0**low


def _break_axis(ax: Axes, strip: float, axis: str) -> None:
    """Draw the part of the axis that stands for zero, its label, and the break between this part and the rest."""
    horizontal = axis == "x"
    scaled = ax.xaxis if horizontal else ax.yaxis
    size, pad = tick_length(scaled)
    ax.add_artist(ZeroMark(axis, strip, size))
    ax.annotate(
        "0",
        (strip / 2, 0) if horizontal else (0, strip / 2),
        xycoords="axes fraction",
        xytext=(0, -size - pad) if horizontal else (-size - pad, 0),
        textcoords="offset points",
        ha="center" if horizontal else "right",
        va="top" if horizontal else "center_baseline",
        fontsize=tick_font_size(scaled),
        color=ink_of(ax),
    )


class ZeroMark(Artist):
    """The part of an axis line that stands for zero, with a tick, and two strokes where the axis line is broken."""

    def __init__(self, axis: str, strip: float, tick: float) -> None:
        super().__init__()
        self._horizontal, self._strip, self._tick = axis == "x", strip, tick
        self.set_zorder(2.5)  # as axis lines
        self.set_in_layout(False)

    def draw(self, renderer: RendererBase) -> None:
        """Draw the lines."""
        ax = self.axes
        if ax is None or not self.get_visible():
            return
        spine = ax.spines["bottom" if self._horizontal else "left"]
        extent, point = ax.get_window_extent(), ax.figure.dpi / 72
        length = extent.width if self._horizontal else extent.height
        middle, gap, end = 0.5 * self._strip * length, 0.8 * self._strip * length, self._strip * length
        along, across = _STROKE[0] * point, _STROKE[1] * point
        lines = [((0.0, 0.0), (gap, 0.0)), ((middle, 0.0), (middle, -self._tick * point))]
        lines += [((place - along, -across), (place + along, across)) for place in (gap, end)]
        vertices = [
            (extent.x0 + x, extent.y0 + y) if self._horizontal else (extent.x0 + y, extent.y0 + x)
            for line in lines
            for x, y in line
        ]
        patch = PathPatch(Path(vertices, [Path.MOVETO, Path.LINETO] * len(lines)), fill=False)
        patch.set_figure(ax.figure)
        patch.set_edgecolor(spine.get_edgecolor())
        patch.set_linewidth(spine.get_linewidth())
        patch.draw(renderer)
