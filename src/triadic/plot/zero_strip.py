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

_WIDTH = 22.0  # points
_MIDDLE = 0.4  # place of zeros, as a share of the strip
_MOST = 0.3  # largest share of the axis
_MARGIN = 0.06  # share of the logarithmic part of the axis that is empty at either end
_LEAST_DECADES = 0.8
_STROKE = (1.3, 3.0)  # points from the middle to the end of a stroke that marks the break


def draw_on_log_axis(
    ax: Axes,
    drawn: Drawn,
    values: Sequence[float],
    places: Sequence[float],
    style: dict[str, Any],
    *,
    axis: Literal["x", "y"],
    share: bool,
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
    share : bool
        Whether the values are shares, which are at most 1.
    label : str or None
        Entry of the legend.
    """
    horizontal = axis == "x"
    scaled = ax.xaxis if horizontal else ax.yaxis
    if not isinstance(scaled.get_major_locator(), LogLocator):
        (ax.set_xscale if horizontal else ax.set_yscale)("log", nonpositive="mask")
        set_log_ticks(scaled)
    drawn.values += values
    ax.plot(*((values, places) if horizontal else (places, values)), **style, label=label, zorder=3)
    if 0.0 not in drawn.values:
        widen_log_axis(ax, drawn.values, axis=axis, share=share)
        return
    strip = drawn.strip or min(_MOST, _WIDTH / max(1.0, length_of(scaled)))
    _set_limits(ax, log_limits(drawn.values, share=share), strip, axis)
    if not drawn.strip:
        drawn.strip = strip
        _break_axis(ax, strip, axis)
    zeros = [place for value, place in zip(values, places, strict=True) if not value]
    middle = [_MIDDLE * strip] * len(zeros)
    across = ax.get_yaxis_transform() if horizontal else ax.get_xaxis_transform()
    line = (middle, zeros) if horizontal else (zeros, middle)
    if zeros:  # matplotlib would take an empty line for a dot at the corner of the figure
        ax.plot(*line, transform=across, **style, zorder=3, clip_on=False)


def log_limits(values: Sequence[float], *, share: bool) -> tuple[float, float]:
    """Return the logarithms of the limits of an axis for some values, zeros and none among them.

    Examples
    --------
    >>> log_limits([0, 1, 100], share=False)
    (-0.12, 2.12)
    """
    positive = [value for value in values if value] or ([1e-2, 1.0] if share else [1.0, 10.0])
    low, high = log10(min(positive)), log10(max(positive))
    missing = max(0.0, _LEAST_DECADES - (high - low))
    low, high = (low - missing, high) if share else (low, high + missing)
    margin = _MARGIN * (high - low)
    return low - margin, high + margin


def widen_log_axis(ax: Axes, values: Sequence[float], *, axis: Literal["x", "y"], share: bool) -> None:
    """Set the limits of a logarithmic axis if its values are too close for limits that fit them alone."""
    positive = [value for value in values if value]
    if not positive or max(positive) < 10**_LEAST_DECADES * min(positive):
        low, high = log_limits(values, share=share)
        (ax.set_xlim if axis == "x" else ax.set_ylim)(10.0**low, 10.0**high, auto=True)


def _set_limits(ax: Axes, limits: tuple[float, float], strip: float, axis: str) -> None:
    """Set the limits of the axis, such that its lowest part is empty for the strip."""
    low, high = limits
    bottom = high - (high - low) / (1 - strip)
    horizontal = axis == "x"
    (ax.set_xlim if horizontal else ax.set_ylim)(10.0**bottom, 10.0**high)
    ax.spines["bottom" if horizontal else "left"].set_bounds(10.0**low, 10.0**high)
    scaled = ax.xaxis if horizontal else ax.yaxis
    for locator in (scaled.get_major_locator(), scaled.get_minor_locator()):
        if isinstance(locator, LogLocator):
            locator.least, locator.zero = 10.0**low, _MIDDLE * strip


def _break_axis(ax: Axes, strip: float, axis: str) -> None:
    """Draw the part of the axis that stands for zero, its label, and the break between this part and the rest."""
    horizontal = axis == "x"
    scaled = ax.xaxis if horizontal else ax.yaxis
    size, pad = tick_length(scaled)
    ax.add_artist(ZeroMark(axis, strip, size))
    ax.annotate(
        "0",
        (_MIDDLE * strip, 0) if horizontal else (0, _MIDDLE * strip),
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
        middle, gap, end = _MIDDLE * self._strip * length, 0.8 * self._strip * length, self._strip * length
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
