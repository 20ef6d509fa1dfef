"""Tick locators and formatters of matplotlib that fit the ticks and the label of an axis to its length.

matplotlib asks the locator of an axis for ticks before it measures or draws the axis. These locators then also fit
the axis label, the legend and the names of ticks to the present size of the axes, so that texts in a figure of many
panels do not overlap. Only functions that draw import this module, because it imports matplotlib.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.font_manager import FontProperties
from matplotlib.ticker import Formatter, Locator, MaxNLocator, NullFormatter

from triadic.plot.fitting import fit_label, fit_legend, length_of

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


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LEAST_PLAIN, _MOST_PLAIN = 0.99e-3, 1.01e3  # labels of an axis beyond these values are powers of ten
_MOST_TICKS = 7
_FEW_TICKS = 3
_DIGITS: tuple[tuple[int, ...], ...] = ((1,), (1, 2, 5), (1, 3))
_OTHER_DIGITS = (2, 3, 5)
_MOST_DECADES = 12  # of an axis whose minor ticks are the digits 2 to 9


def log_ticks(low: float, high: float, gap: float) -> list[float]:
    """Return places of labelled ticks between two values of a logarithmic axis.

    Powers of ten are preferred; an axis of a few decades also has multiples of them by 2 and 5, or by 3.

    Parameters
    ----------
    low, high : float
        Positive.
    gap : float
        Smallest distance between ticks, in decades.

    Returns
    -------
    list of float
        Rising; empty if fewer than two such places are between `low` and `high`.

    Examples
    --------
    >>> log_ticks(1, 2e3, 0.2)
    [1.0, 10.0, 100.0, 1000.0]
    >>> log_ticks(1, 2e9, 1.2)
    [1.0, 100.0, 10000.0, 1000000.0, 100000000.0]
    >>> log_ticks(5, 2e3, 1.2)
    [10.0, 1000.0]
    >>> log_ticks(2, 60, 0.2)
    [2.0, 5.0, 10.0, 20.0, 50.0]
    >>> log_ticks(0.013, 0.9, 0.6)
    [0.02, 0.2]
    >>> log_ticks(11, 17, 0.05)
    []
    """
    step = max(1, ceil(gap), ceil(log10(high / low) / _MOST_TICKS))
    powers = range(floor(log10(low) + 1e-9), ceil(log10(high) - 1e-9) + 1)
    # Multiples of the step are best, such as 1, 1000 and 10**6, unless powers in between make more ticks.
    grids = [[10.0**power for power in powers if power % step == rest] for rest in range(step)]
    best = max((_within(grid, low, high) for grid in grids), key=len)
    for digit in _OTHER_DIGITS if step == 1 and len(best) < 2 else ():
        best = max(best, _within([digit * place for place in grids[0]], low, high), key=len)
    for digits in _DIGITS if step == 1 else ():
        ticks = _within([digit * place for place in grids[0] for digit in digits], low, high)
        if len(ticks) > len(best) and all(log10(b / a) >= gap for a, b in pairwise(ticks)):
            best = ticks
        if len(best) >= _FEW_TICKS:
            break
    return best if len(best) >= 2 else []


def minor_log_ticks(low: float, high: float) -> list[float]:
    """Return the multiples 2, 3, …, 9 of powers of ten between two values, or powers of ten if these are many.

    Examples
    --------
    >>> minor_log_ticks(4, 25)
    [4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 20.0]
    """
    first, last = floor(log10(low) + 1e-9), ceil(log10(high) - 1e-9)
    digits = range(1, 10) if last - first <= _MOST_DECADES else (1,)
    return _within([digit * 10.0**power for power in range(first, last + 1) for digit in digits], low, high)


def format_ticks(values: Sequence[float]) -> list[str]:
    """Format the ticks of a logarithmic axis: all as plain numbers, or all as powers of ten.

    Examples
    --------
    >>> format_ticks([1, 10, 100, 1000])
    ['1', '10', '100', '1,000']
    >>> format_ticks([1e-5, 1e-3, 0.1])
    ['10⁻⁵', '10⁻³', '10⁻¹']
    >>> format_ticks([1e4, 2e4])
    ['10⁴', '2×10⁴']
    """
    positive = [value for value in values if value > 0]
    if all(_LEAST_PLAIN < value < _MOST_PLAIN for value in positive):
        return [_plain(value) for value in values]
    mantissas = [value / 10.0 ** _power(value) for value in positive]
    if any(abs(mantissa - round(mantissa)) > 1e-6 for mantissa in mantissas):
        return [_plain(value) for value in values]
    return [_as_power(value) if value > 0 else _plain(value) for value in values]


def _within(ticks: list[float], low: float, high: float) -> list[float]:
    return [tick for tick in ticks if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]


def _power(value: float) -> int:
    return floor(log10(value) + 1e-9)


def _plain(value: float) -> str:
    return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"


def _as_power(value: float) -> str:
    power = _power(value)
    digit = round(value / 10.0**power)
    return f"{'' if digit == 1 else f'{digit}×'}10{str(power).translate(_RAISED)}"
