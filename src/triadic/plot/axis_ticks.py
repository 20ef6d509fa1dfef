"""Tick locators and formatters of matplotlib that fit the ticks and the label of an axis to its length.

matplotlib asks the locator of an axis for ticks before it measures or draws the axis. These locators then also fit
the axis label, the legend and the names of ticks to the present size of the axes, so that texts in a figure of many
panels do not overlap. Only functions that draw import this module, because it imports matplotlib.
"""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.font_manager import FontProperties
from matplotlib.ticker import Formatter, Locator, MaxNLocator, NullFormatter

from triadic.plot.fitting import fit_label, fit_legend, length_of
from triadic.plot.ticks import format_ticks, log_ticks, minor_log_ticks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.plot.fitting import AnyAxis

_MOST_LINEAR = 6
_END = 0.5  # distance of the highest tick from the end of the axis, in font sizes
_ROOM = {"x": 2.6, "y": 1.6}  # distance between labelled ticks, in font sizes


def tick_font_size(axis: AnyAxis) -> float:
    """Return the font size of the tick labels of an axis, in points."""
    settings: Any = mpl.rcParams
    size = (axis.get_tick_params() or {}).get("labelsize", settings[f"{axis.axis_name}tick.labelsize"])
    return FontProperties(size=size).get_size_in_points()


def tick_length(axis: AnyAxis) -> tuple[float, float]:
    """Return the length of the ticks of an axis, and the distance of the labels from them, in points."""
    settings: Any = mpl.rcParams
    chosen, prefix = axis.get_tick_params() or {}, f"{axis.axis_name}tick.major"
    return float(chosen.get("length", settings[f"{prefix}.size"])), float(chosen.get("pad", settings[f"{prefix}.pad"]))


class LogLocator(Locator):
    """Major ticks of a logarithmic axis.

    Attributes
    ----------
    least : float
        Smallest value of a tick; the part of the axis below it is not logarithmic.
    zero : float or None
        Place of the label 0 as a share of the axis; other labels keep a distance from it.
    """

    def __init__(self, axis: AnyAxis) -> None:
        self.fitted, self.least = axis, 0.0
        self.zero: float | None = None

    def __call__(self) -> list[float]:
        """Return the places of ticks, after the axis label was fitted."""
        fit_label(self.fitted)
        fit_legend(self.fitted.axes)
        low, high = self.fitted.get_view_interval()
        return self.tick_values(low, high)

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        """Return the places of ticks between two values."""
        low, high = max(self.least, min(vmin, vmax)), max(vmin, vmax)
        if not 0 < low < high:
            return []
        length = max(1.0, length_of(self.fitted))
        room = _ROOM[self.fitted.axis_name] * tick_font_size(self.fitted)
        decades = log10(max(vmin, vmax) / min(vmin, vmax))
        everything = minor_log_ticks(low, high)
        if self.zero is not None:
            low = max(low, min(vmin, vmax) * 10.0 ** (decades * (self.zero + 0.8 * room / length)))
        ticks = log_ticks(low, high, decades * room / length) if low < high else []
        if not ticks:
            linear = MaxNLocator(nbins=max(1, min(4, int(length / (1.3 * room)))), steps=[1, 2, 5, 10])
            for tick in linear.tick_values(low, high):
                if low <= tick <= high and (not ticks or log10(tick / ticks[-1]) * length >= decades * room):
                    ticks.append(float(tick))
        return ticks or everything[-1:]


class MinorLogLocator(LogLocator):
    """Minor ticks of a logarithmic axis."""

    def __call__(self) -> list[float]:
        """Return the places of ticks."""
        low, high = sorted(self.fitted.get_view_interval())
        return self.tick_values(low, high)

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        """Return the places of ticks between two values."""
        low = max(self.least, vmin)
        return minor_log_ticks(low, vmax) if 0 < low < vmax else []


class LogFormatter(Formatter):
    """Labels of a logarithmic axis."""

    def __call__(self, x: float, pos: int | None = None) -> str:  # noqa: ARG002 - matplotlib's signature
        """Return the label of one tick."""
        return format_ticks([x])[0]

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        """Return the labels of all ticks."""
        return format_ticks(list(values))


class LinearLocator(MaxNLocator):
    """Major ticks of a linear axis."""

    def __init__(self, axis: AnyAxis) -> None:
        self.fitted = axis
        super().__init__(nbins=_MOST_LINEAR, steps=[1, 2, 5, 10], min_n_ticks=3)

    def __call__(self) -> Sequence[float]:
        """Return the places of ticks, after the axis label was fitted."""
        fit_label(self.fitted)
        fit_legend(self.fitted.axes)
        length, font = max(1.0, length_of(self.fitted)), tick_font_size(self.fitted)
        self.set_params(nbins=max(2, min(_MOST_LINEAR, int(length / (_ROOM[self.fitted.axis_name] * font)))))
        ticks = super().__call__()
        if self.fitted.axis_name == "x":
            return ticks
        # A label at an end of the axis would extend beyond the axes, where layouts have left no room for it: they
        # measure the axes before they change the size of the axes a little.
        low, high = sorted(self.fitted.get_view_interval())
        end = _END * font * (high - low) / length
        return [tick for tick in ticks if low <= tick <= high - end]


def set_log_ticks(axis: AnyAxis) -> None:
    """Set the ticks of a logarithmic axis."""
    axis.set_major_locator(LogLocator(axis))
    axis.set_minor_locator(MinorLogLocator(axis))
    axis.set_major_formatter(LogFormatter())
    axis.set_minor_formatter(NullFormatter())


def set_linear_ticks(axis: AnyAxis) -> None:
    """Set the ticks of a linear axis."""
    axis.set_major_locator(LinearLocator(axis))
