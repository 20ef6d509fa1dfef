"""Tick labels of logarithmic axes as plain text, which any font can show, instead of mathematical formulas."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axis import Axis

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FEW_DECADES, _WIDE = 1.5, 3.0
_MOST = 6


def format_tick(value: float) -> str:
    """Format the value of a tick; large and small powers of ten have superscripts.

    Examples
    --------
    >>> [format_tick(value) for value in (1000.0, 1e6, 0.01, 1e-5, 0.25)]
    ['1,000', '10⁶', '0.01', '10⁻⁵', '0.25']
    """
    if value > 0 and not 1e-3 < value < 1e4 and abs(log10(value) - round(log10(value))) < 1e-9:
        return f"10{str(round(log10(value))).translate(_RAISED)}"
    return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"


def label_log_axis(axis: Axis) -> None:
    """Label a logarithmic axis at powers of ten, and at multiples of them such as 2 and 5 if it spans few decades."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: PLC0415 - an extra

    low, high = axis.get_view_interval()
    decades = log10(high / low)
    subs = (1.0,) if decades > _WIDE else (1.0, 2.0, 5.0) if decades > _FEW_DECADES else (1.0, 2.0, 3.0, 5.0, 7.0)
    axis.set_major_locator(LogLocator(subs=subs, numticks=_MOST + 2 if len(subs) == 1 else 50))
    axis.set_major_formatter(FuncFormatter(lambda value, _: format_tick(value)))
    axis.set_minor_formatter(NullFormatter())


def ticks_from_zero(largest: float, least: float) -> list[float]:
    """Return the ticks of an axis that is linear from 0 to `least`, a power of ten, and logarithmic above.

    Examples
    --------
    >>> ticks_from_zero(12_345.0, 1.0)
    [0.0, 1.0, 10.0, 100.0, 1000.0, 10000.0]
    >>> ticks_from_zero(5e10, 1.0)  # 1 is left out, because it would be too close to 0
    [0.0, 100.0, 10000.0, 1000000.0, 100000000.0, 10000000000.0]
    """
    first, last = round(log10(least)), floor(log10(max(largest, least)) + 1e-9)
    step = max(1, ceil((last - first + 1) / _MOST))
    return [0.0, *(10.0**power for power in range(first + (step if step > 1 else 0), last + 1, step))]
