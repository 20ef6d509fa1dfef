"""Places and labels of the ticks of a logarithmic axis; the labels are plain text, which any font can show."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

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
